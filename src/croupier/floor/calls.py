"""Patrons who call for somebody: an attendant, or an answer about one of their rounds.

A call is an alarm of its table, so Dealer and pit see it until one of them acknowledges it. The
patron sees in the topic ``me`` that it was called, that somebody looked, and what was answered.
"""

from __future__ import annotations

import logging
from collections import deque
from datetime import datetime  # noqa: TC003  # read by msgspec
from typing import TYPE_CHECKING, Final

import msgspec

from croupier.floor.alarms import ENDED_KEPT, PATRONS_CALLS, AlarmCode, AlarmEnded, Notice
from croupier.floor.door import whole_seconds
from croupier.floor.problems import ProblemError, ServerCode
from croupier.floor.rates import Attempts

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.floor.alarms import Alarm, Alarms
    from croupier.floor.house import House
    from croupier.floor.me import MeTopic

LOGGER = logging.getLogger("croupier.calls")
CALLS_MAX, CALLS_SECONDS = 10, 600.0
"""How many calls one person may begin within how long."""
KEPT: Final = 20
"""Calls of a patron that are over and shown."""


class CallShown(msgspec.Struct, frozen=True, kw_only=True):
    """A call of a patron, and what came of it."""

    number: int
    code: AlarmCode
    table: str
    round: int | None
    moment: datetime
    note: str | None
    seen: datetime | None
    """When somebody of the house acknowledged it; None: nobody has yet."""
    answer: str | None


class Calls:
    """The calls of patrons: those that stand, and the newest that are over."""

    def __init__(
        self, house: House, alarms: Alarms, me: MeTopic, monotonic: Callable[[], float]
    ) -> None:
        self._house, self._alarms, self._me = house, alarms, me
        self._over: dict[str, deque[AlarmEnded]] = {}
        self._begun = Attempts(CALLS_MAX, CALLS_SECONDS, monotonic)
        alarms.on_change.append(self._changed)
        me.calls = self.of

    async def load(self) -> None:
        """Find the calls that are over."""
        for one in reversed(await self._alarms.ended(limit=ENDED_KEPT)):
            self._ended(one)

    def of(self, patron: str) -> tuple[CallShown, ...]:
        """Return the calls of a patron, the newest first."""
        standing = [
            one
            for table in self._house.tables
            for one in self._alarms.of(table)
            if one.patron == patron and one.code in PATRONS_CALLS
        ]
        calls = [*standing, *self._over.get(patron, ())]
        return tuple(map(_shown, sorted(calls, key=lambda one: -one.number)))

    async def attendant(self, patron: str, table: str) -> CallShown:
        """Call an attendant to a table; while one is called, nobody else is."""
        position = self._house.tables[table].table.seats.get(patron)
        where = "A patron" if position is None else f"Seat {position}"
        notice = Notice(
            code=AlarmCode.ATTENDANT_CALLED,
            sentence=f"{where} calls an attendant.",
            patron=patron,
            position=position,
        )
        return _shown(await self._begin(patron, table, notice))

    async def ask(self, patron: str, table: str, number: int, note: str | None) -> CallShown:
        """Ask the pit about a round that is over."""
        position = self._house.tables[table].table.seats.get(patron)
        where = f"Patron {patron}" if position is None else f"Seat {position}"
        notice = Notice(
            code=AlarmCode.ROUND_ASKED,
            sentence=f"{where} asks about round {number}.",
            round=number,
            patron=patron,
            position=position,
            note=note,
        )
        return _shown(await self._begin(patron, table, notice))

    async def supervisor(self, staff: str, table: str) -> None:
        """Let the Dealer of a table call a Pit Supervisor."""
        sentence = f"{staff} calls a Pit Supervisor."
        notice = Notice(code=AlarmCode.SUPERVISOR_CALLED, sentence=sentence, staff=staff)
        await self._begin(staff, table, notice)

    async def take_back(self, patron: str, table: str) -> None:
        """Take back the call for an attendant; where none is called, nothing happens."""
        found = [
            one.number
            for one in self._alarms.of(table)
            if one.code is AlarmCode.ATTENDANT_CALLED and one.patron == patron
        ]
        await self._alarms.end(table, found)

    async def _begin(self, who: str, table: str, notice: Notice) -> Alarm:
        """Raise the alarm of a call, or return the one that stands; too many are refused."""
        key, alarm = who.encode(), notice.at(table, self._house.clock())
        standing = self._alarms.same(alarm)
        if standing is not None:
            return standing
        wait = self._begun.wait_seconds(key)
        if wait > 0:
            seconds = whole_seconds(wait)
            message = (
                f"At most {CALLS_MAX} calls in {CALLS_SECONDS // 60:g} minutes are taken;"
                f" wait {seconds} seconds."
            )
            raise ProblemError(ServerCode.TOO_MANY, message, seconds)
        self._begun.failed(key)
        raised = await self._alarms.raise_alarm(alarm)
        if raised is None:
            message = "So many alarms stand at this table that no further one is taken."
            raise ProblemError(ServerCode.BUSY, message, 1.0)
        LOGGER.info("%s (%s) at %s by %s", raised.code, raised.number, raised.table, who)
        return raised

    def _changed(self, alarm: Alarm) -> None:
        if alarm.patron is None or alarm.code not in PATRONS_CALLS:
            return
        if isinstance(alarm, AlarmEnded):
            self._ended(alarm)
        self._me.touch(alarm.patron)

    def _ended(self, alarm: AlarmEnded) -> None:
        """Keep a call that was acknowledged; one that was taken back is nothing to show."""
        if alarm.acknowledged_by is None or alarm.code not in PATRONS_CALLS:
            return
        assert alarm.patron is not None, "nobody called"
        self._over.setdefault(alarm.patron, deque(maxlen=KEPT)).append(alarm)


def _shown(alarm: Alarm) -> CallShown:
    ended = alarm if isinstance(alarm, AlarmEnded) else None
    return CallShown(
        number=alarm.number,
        code=alarm.code,
        table=alarm.table,
        round=alarm.round,
        moment=alarm.moment,
        note=alarm.note,
        seen=None if ended is None else ended.ended,
        answer=None if ended is None else ended.answer,
    )
