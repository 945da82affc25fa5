"""Terminals that fail: a patron's seat at an electronic table, by its sockets (EB4 5.10).

A seat counts as a lost terminal when the last socket of its patron that had subscribed to the
table is gone for a while during a round, and is back with the next one. Whoever plays without
a socket is never lost. Accepted wagers stay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from croupier.floor.desk import Request
from croupier.journal.errors import JournalError
from croupier.table import commands as c
from croupier.table.roles import System
from croupier.uuids import uuid7

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Coroutine
    from typing import Any

    from croupier.floor.house import House
    from croupier.journal.gathering import Committed, Landed
    from croupier.table.state import Table

EARLY_SECONDS: Final = 0.05
"""A timer may be a hair early."""
WATCH: Final = System("terminals")
PREFIX: Final = "table:"


class Terminals:
    """Counts the sockets of patrons at tables."""

    def __init__(
        self,
        house: House,
        loop: asyncio.AbstractEventLoop,
        spawn: Callable[[Coroutine[Any, Any, None]], object],
        lost_seconds: float,
    ) -> None:
        self._house, self._loop, self._spawn = house, loop, spawn
        self._lost_seconds = lost_seconds
        self._sockets: dict[tuple[str, str], int] = {}
        """By table and patron: how many are open."""
        self._gone: dict[tuple[str, str], float] = {}
        """Whose last socket is gone, and since when."""
        self._giving: set[tuple[str, str]] = set()
        """Of whom a command is on its way."""
        self._showing: set[tuple[str, int]] = set()
        """At which terminals it is being recorded that they displayed the closing."""

    def came(self, patron: str | None, topic: str) -> None:
        """Take note of a subscription."""
        if patron is None or not topic.startswith(PREFIX):
            return
        key = (topic.removeprefix(PREFIX), patron)
        self._sockets[key] = self._sockets.get(key, 0) + 1
        self._gone.pop(key, None)
        self._look(key)

    def left(self, patron: str | None, topic: str) -> None:
        """Take note of a subscription that is over."""
        if patron is None or not topic.startswith(PREFIX):
            return
        key = (topic.removeprefix(PREFIX), patron)
        left = self._sockets.get(key, 0) - 1
        if left > 0:
            self._sockets[key] = left
            return
        self._sockets.pop(key, None)
        self._gone[key] = self._loop.time()
        self._loop.call_later(self._lost_seconds, self._look, key)

    def happened(self, name: str, landed: Landed) -> None:
        """Take note of what was decided at a table, if a terminal there is gone or lost."""
        if self._gone or landed.last.after.table.lost_terminals:
            for one in landed.all:
                self._happened(name, one)

    def _happened(self, name: str, committed: Committed) -> None:
        """Look again at those who are gone when a round began, and at lost terminals.

        One may be back although it could not be recorded yet, and whoever sits down at the
        terminal of somebody who was lost is not.
        """
        before, after = committed.before.table, committed.after.table
        if self._gone and before.round is not after.round:
            for key in [one for one in self._gone if one[0] == name]:
                self._look(key)
        if not after.lost_terminals or committed.decision.actor.name == WATCH.name:
            return
        for patron, position in after.seats.items():
            if position in after.lost_terminals:
                self._look((name, patron), sat_down=patron not in before.seats)

    def shown(self, patron: str | None, name: str, number: int) -> None:
        """Record once that the terminal of a patron displayed the closing of this round."""
        table = self._electronic(name)
        position = None if table is None or patron is None else table.seats.get(patron)
        if table is None or position is None or table.round is None:
            return
        play, key = table.round, (name, position)
        told = position in play.terminals_closed or key in self._showing
        lost = position in table.lost_terminals
        if play.number == number and play.closed is not None and not told and not lost:
            self._showing.add(key)
            self._spawn(self._acknowledge(key))

    def _electronic(self, name: str) -> Table | None:
        desk = self._house.tables.get(name)
        if desk is None or not desk.serves:
            return None
        plan = desk.table.plan
        return desk.table if plan is not None and plan.procedure.terminals is not None else None

    def _look(self, key: tuple[str, str], *, sat_down: bool = False) -> None:
        """Let a terminal be lost, or be back, if it is."""
        name, patron = key
        table = self._electronic(name)
        position = None if table is None else table.seats.get(patron)
        if table is None or position is None:
            if key not in self._sockets:
                self._gone.pop(key, None)
            return
        if key in self._giving:
            return  # it is looked at again when that is answered
        lost = position in table.lost_terminals
        if key in self._sockets or sat_down:
            if lost:
                self._give(key, c.RestoreTerminal(position))
            return
        since = self._gone.get(key)
        playing = table.round is not None and not table.between_rounds
        if since is None or lost or not playing:
            return
        if self._loop.time() > since + self._lost_seconds - EARLY_SECONDS:
            self._give(key, c.LoseTerminal(position))

    def _give(self, key: tuple[str, str], command: c.Command) -> None:
        self._giving.add(key)
        self._spawn(self._given(key, command))

    async def _given(self, key: tuple[str, str], command: c.Command) -> None:
        """Let a terminal be lost or back; whoever came or went meanwhile is looked at again."""
        try:
            accepted = await self._submit(key[0], command)
        finally:
            self._giving.discard(key)
        if accepted:
            self._look(key)

    async def _submit(self, name: str, command: c.Command) -> bool:
        desk = self._house.tables.get(name)
        if desk is None or not desk.serves:
            return False
        try:
            reply = await desk.submit(Request(uuid7(), WATCH, command))
        except JournalError:
            return False  # the medium is away: whoever comes or begins a round looks again
        return reply.accepted

    async def _acknowledge(self, key: tuple[str, int]) -> None:
        try:
            await self._submit(key[0], c.AcknowledgeClosing(key[1]))
        finally:
            self._showing.discard(key)
