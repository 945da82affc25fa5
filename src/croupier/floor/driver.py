"""The driver of a table: does what ``next_act`` says, for as long as the system deals.

It asks after every decision of the table and when a wait is over, and never in between. An
act goes through the table's desk under an identification that says behind which decision it
was due, so the same act sent again finds its own record.
"""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING

from croupier.floor.desk import Request
from croupier.journal.errors import (
    BusyError,
    JournalError,
    OtherCommandError,
    PoisonedError,
    failed_at,
)
from croupier.table.course import Source
from croupier.table.next import Act, WaitFor, next_act

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from croupier.floor.desk import Desk
    from croupier.floor.seeded import Seeded
    from croupier.journal.writer import Landed
    from croupier.table.state import Table

AGAIN_SECONDS = 0.2
"""After which time an act is sent again of which nothing came."""
PAUSE_SECONDS, PAUSE_MAX_SECONDS = 1.0, 60.0
"""After which time an act is tried again that was refused: first, and at most."""


class Driver:
    """Deals one table.

    ``committed`` is to be called with every durable decision; it never waits. ``below(n)``
    gives a number from 0 to n - 1, for the die, unless it is seeded; cards come from the
    table's sealed shoe. Where they come from a device, the device draws them, and the driver
    waits for it.

    Time is the writer's: whatever the table would refuse as too early is not sent before.
    """

    def __init__(
        self,
        desk: Desk,
        below: Callable[[int], int] = secrets.randbelow,
        seeded: Seeded | None = None,
    ) -> None:
        self.desk, self._below, self._seeded = desk, below, seeded
        self._stream = desk.stream
        self.error: JournalError | None = None
        """Why an act cannot be given, or the table is no longer dealt here; None: it is."""
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closing = False
        self._refused: int | None = None
        """Where the stream was when an act was refused, or could not be given: it is not tried
        again before something else happens there, or a while has passed."""
        self._pause = PAUSE_SECONDS

    @property
    def _clock(self) -> Callable[[], datetime]:
        return self.desk.writer.clock

    def start(self) -> None:
        """Begin to deal."""
        self._task = asyncio.create_task(self._drive())

    def committed(self, landed: Landed) -> None:
        """Take note that something was decided, if it was at this table.

        What people do where people deal brings nothing for the system to do.
        """
        if landed.stream == self._stream and landed.last.after.table.system_deals:
            self._changed.set()

    async def finish(self) -> None:
        """Bring the round to its end without waiting, as far as nobody is needed, and stop."""
        self._closing = True
        self._changed.set()
        if self._task is not None:
            await self._task

    async def stop(self) -> None:
        """Stop at once; an act that is on its way stays on it."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _drive(self) -> None:
        try:
            while not (self._closing and self._rests):
                await self._step()
        except JournalError as error:
            self.error = error
        except Exception as error:  # noqa: BLE001  # a driver that stops says why
            self.error = failed_at(self.desk.stream, error)

    @property
    def _rests(self) -> bool:
        """Tell whether nothing is to be done here any more before the house closes."""
        table = self.desk.table
        if table.plan is None or (table.between_rounds and table.hold is None):
            return True
        now = next_act(table, self._clock(), hurried=True)
        stuck = self._refused == self.desk.seat.sequence
        return stuck or isinstance(now, WaitFor) or self._waits_for_device(now)

    async def _step(self) -> None:
        """Do what comes next, or wait for it."""
        self._changed.clear()
        table, moment = self.desk.table, self._clock()
        now = next_act(table, moment, hurried=self._closing)
        stuck = self._refused == self.desk.seat.sequence
        if isinstance(now, Act) and not self._waits_for_device(now) and not stuck:
            await self._give(now, table)
            return
        until, seconds = None, None
        if not isinstance(now, Act):
            until = now.until if isinstance(now, WaitFor) else now.moment
        if until is not None:
            seconds = max(0.0, (until - moment).total_seconds())
        elif isinstance(now, Act) and stuck:
            seconds, self._pause = self._pause, min(2 * self._pause, PAUSE_MAX_SECONDS)
        try:
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        except TimeoutError:
            self._refused = None  # the wait is over

    def _waits_for_device(self, now: object) -> bool:
        """Tell whether a card is due that only a device can give."""
        due = isinstance(now, Act) and now.source is Source.CARD
        return due and self.desk.seat.state.sealed is None

    async def _give(self, act: Act, table: Table) -> None:
        """Send an act, again and again until there is an answer."""
        seat, behind = self.desk.seat, self.desk.seat.sequence
        name = f"next-{seat.epoch}-{behind}"
        request = Request(name, act.actor, act.command, die=self._die(act, table))
        while True:
            try:
                reply = await self.desk.submit(request)
            except (BusyError, PoisonedError):
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            except OtherCommandError:
                # A driver before this one sent it, with another die, and it is on its way.
                await asyncio.sleep(AGAIN_SECONDS)
                return
            except JournalError as error:
                if not self.desk.serves:
                    raise
                # What it takes could not be had, as a card of a shoe whose key is lost:
                # people must do something first.
                self.error, self._refused = error, seat.sequence
                return
            break
        self.error = None
        # What somebody overtook is no obstacle: something else comes next by now.
        overtaken = reply.sequence > behind + 1
        self._refused = None if reply.accepted or overtaken else reply.sequence
        if reply.accepted:
            self._pause = PAUSE_SECONDS

    def _die(self, act: Act, table: Table) -> int | None:
        if act.source is not Source.DIE:
            return None
        assert table.plan is not None, "the table is not open"
        assert table.plan.game.die is not None, "a game without a die"
        faces = table.plan.game.die.faces
        below = self._below
        if self._seeded is not None:
            below = self._seeded.die(self.desk.name, table.rounds)
        return faces[below(len(faces))]
