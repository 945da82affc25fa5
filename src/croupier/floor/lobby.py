"""The topic of the lobby: a summary of every table, by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from croupier.floor.framing import frame
from croupier.floor.rings import UNHEARD, Ring, Subscription
from croupier.journal.decision import written_moment
from croupier.table.views.lobby import TableSummary, summary

if TYPE_CHECKING:
    import asyncio

    from croupier.floor.house import House
    from croupier.floor.reception import Asker
    from croupier.floor.rings import Receiver, Walker
    from croupier.journal.gathering import Landed

encode = msgspec.json.Encoder().encode


class LobbyTopic:
    """The list of tables; what changed within a tick comes together."""

    name = "tables"

    def __init__(self, walker: Walker, tick_seconds: float) -> None:
        self.walker, self._tick_seconds = walker, tick_seconds
        self._ring = Ring(walker, 0)
        self._house: House | None = None
        self._shown: dict[str, bytes] = {}
        self._changed: dict[str, None] = {}
        self._timer: asyncio.TimerHandle | None = None
        self.sequence = 0

    def attach(self, house: House) -> None:
        """Begin with the tables of a house."""
        self._house = house

    @property
    def watched(self) -> int:
        """Return how many watch."""
        return len(self._ring.subscriptions)

    def summaries(self) -> list[TableSummary]:
        """Return what the list says of every table now."""
        assert self._house is not None, "no house"
        return [self._summary(name) for name in self._in_order()]

    def _in_order(self) -> list[str]:
        """Return the tables by their numbers, as they stand on the floor."""
        assert self._house is not None, "no house"
        return sorted(self._house.tables, key=self._house.numbers.of)

    def _summary(self, name: str) -> TableSummary:
        assert self._house is not None, "no house"
        desk = self._house.tables[name]
        number = self._house.numbers.of(name)
        return summary(name, desk.table, desk.seat.sequence, number)

    def happened(self, name: str, landed: Landed) -> None:
        """Take note that something happened at a table."""
        if not self._ring.subscriptions or not landed.changed:
            return
        self._changed[name] = None
        if self._timer is None:
            self._timer = self.walker.loop.call_later(self._tick_seconds, self._ticked)

    def _ticked(self) -> None:
        self._timer = None
        self._tell()

    def _tell(self) -> None:
        changed, self._changed = self._changed, {}
        found: dict[str, bytes] = {}
        for name in changed:
            shown = encode(self._summary(name))
            if self._shown.get(name) != shown:
                found[name] = self._shown[name] = shown
        if found:
            self.sequence += 1
            self._ring.publish(self.sequence, frame(self._message("change", found)))

    def _message(self, kind: str, tables: dict[str, bytes]) -> bytes:
        assert self._house is not None, "no house"
        raw = {name: msgspec.Raw(data) for name, data in tables.items()}
        body: dict[str, object] = {
            "type": kind,
            "topic": self.name,
            "sequence": self.sequence,
            "time": written_moment(self._house.clock()),
            "events": [],
            "view": raw,
        }
        if kind == "snapshot":
            del body["events"]
        return encode(body)

    def subscribe(self, client: Receiver, asker: Asker, after: int | None) -> Subscription:  # noqa: ARG002
        """Let a client hear of the tables, always from a snapshot."""
        one = Subscription(client, self._ring, None)
        self._ring.subscriptions[one] = None
        one.mark = UNHEARD
        self.walker.soon(client)
        return one

    def unsubscribe(self, one: Subscription) -> None:
        """Let a client hear no more."""
        self._ring.subscriptions.pop(one, None)

    def snapshot(self, one: Subscription) -> bytes:
        """Return the whole list, and mark everything as heard."""
        assert self._house is not None, "no house"
        self._tell()  # else what waits counts as shown, and others never hear of it
        self._shown = {name: encode(self._summary(name)) for name in self._in_order()}
        one.mark = self._ring.last
        return frame(self._message("snapshot", self._shown))

    def due(self, one: Subscription) -> list[bytes]:
        """Return what a client has not heard yet."""
        missed = self._ring.since(one.mark)
        one.mark = self._ring.last
        return [self.snapshot(one)] if missed is None else [missed]
