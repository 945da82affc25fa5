"""Devices that are silent: expected to read at a table in play, and not heard of for too long.

A device asks for its turn every two seconds, so that whoever hears nothing of it knows that it
is off, or that its line is cut. The alarm ends when it is heard again, or no longer expected.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from croupier.accounts.commands import DeviceKind
from croupier.floor.alarms import Alarm, AlarmCode
from croupier.floor.devices import READS_CARDS
from croupier.floor.feed import takes_readings

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator
    from datetime import datetime

    from croupier.floor.alarms import Alarms
    from croupier.floor.device_tokens import DeviceTokens
    from croupier.floor.house import House
    from croupier.table.state import Table

SECOND: Final = timedelta(seconds=1)


def expected(kind: DeviceKind, table: Table) -> bool:
    """Tell whether a table in play has work for a device of this kind."""
    shoe, plan = table.shoe, table.plan
    if plan is None or shoe is None or shoe.ended:
        return False
    if kind is DeviceKind.DIE:
        return plan.procedure.shake is not None and plan.settings.device.physical
    return kind in READS_CARDS and takes_readings(table)


class Silence:
    """Raises alarm at devices that are not heard, and ends it when they are."""

    def __init__(
        self,
        house: House,
        alarms: Alarms,
        tokens: DeviceTokens,
        spawn: Callable[[Coroutine[object, object, object]], object],
    ) -> None:
        self._house, self._alarms, self._tokens, self._spawn = house, alarms, tokens, spawn
        self._limit = house.configuration.alarms.device_silent_seconds
        self._since: dict[str, datetime] = {}
        """From when on each device is expected."""
        self._told: dict[str, datetime] = {}
        """When a device was heard last whose silence was told: once is enough."""

    def look(self) -> None:
        """Look at all devices, from time to time."""
        moment = self._house.clock()
        due = dict(self._expected()) if self._limit else {}
        self._since = {name: self._since.get(name, moment) for name in due}
        for name, table in due.items():
            heard = max(self._since[name], self._tokens.seen.get(name, self._since[name]))
            silent = moment - heard >= self._limit * SECOND
            if silent and self._told.get(name) != heard:
                self._told[name] = heard
                self._raise(name, table, moment, heard)
        for table in self._house.tables:
            over = [one.number for one in self._alarms.of(table) if self._is_over(one, due)]
            if over:
                self._spawn(self._alarms.end(table, over))

    def _expected(self) -> Iterator[tuple[str, str]]:
        """Yield the devices that should be heard, each with its table."""
        for name, device in self._house.accounts.accounts.devices.all.items():
            desk = None if device.table is None else self._house.tables.get(device.table)
            if device.retired or desk is None or not desk.started:
                continue
            if self._tokens.has(name) and expected(device.kind, desk.table):
                yield name, desk.name

    def _is_over(self, alarm: Alarm, due: dict[str, str]) -> bool:
        """Tell whether a silence ended: the device was heard, or nobody waits for it here."""
        if alarm.code is not AlarmCode.DEVICE_SILENT or alarm.device is None:
            return False
        heard = self._tokens.seen.get(alarm.device)
        is_heard = heard is not None and heard > alarm.moment
        return is_heard or due.get(alarm.device) != alarm.table

    def _raise(self, name: str, table: str, moment: datetime, heard: datetime) -> None:
        seconds = (moment - heard) // SECOND
        one = Alarm(
            number=0,
            table=table,
            device=name,
            moment=moment,
            code=AlarmCode.DEVICE_SILENT,
            sentence=f"{name} has not been heard for {seconds} seconds.",
            rate=seconds,
            usual=self._limit,
        )
        self._spawn(self._alarms.raise_alarm(one))
