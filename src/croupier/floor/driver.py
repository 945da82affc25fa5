"""The driver of a table that the system deals: it gives the command that comes next.

What comes next is asked of :func:`croupier.table.next.next_act`, after every durable decision
of the table and when a wait is over; nothing is polled, and nothing is remembered here. Every
act has an identification made from the place in the stream where it was due, so that one which
is sent twice is done once.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from croupier.journal.errors import BusyError, JournalError, NotDoneError
from croupier.journal.writer import Request
from croupier.table.course import Source
from croupier.table.next import Act, WaitFor, next_act

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from croupier.floor.desk import Desk
    from croupier.journal.writer import Reply
    from croupier.table.next import Next

AGAIN_SECONDS = 0.05
"""A house that is busy, or a medium that failed, gets a little time."""


class Driver:
    """Deals one table, as long as the system deals there."""

    def __init__(
        self, desk: Desk, below: Callable[[int], int], clock: Callable[[], datetime]
    ) -> None:
        self.desk = desk
        self._below, self._clock = below, clock
        self._moved = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._ending = False
        self.waits: Next | None = None
        """What the table waits for; None: something is on its way."""
        self.refused: Reply | None = None
        """The answer to an act that was refused: somebody else was quicker, or a fault."""
        self.failure: JournalError | None = None
        """Why an act could not be given, until one can; or why this driver stopped."""

    def start(self) -> None:
        """Begin to deal."""
        self._task = asyncio.get_running_loop().create_task(
            self._run(), name=f"driver of {self.desk.stream}"
        )

    def moved(self) -> None:
        """Take note that a decision of the table is durable; called by whoever is told."""
        self._moved.set()

    async def end(self) -> None:
        """Bring a round that is in progress to its end without waiting, and stop.

        What waits for people stays as it is.
        """
        self._ending = True
        self._moved.set()
        if self._task is not None:
            await self._task

    def stop(self) -> None:
        """Stop at once; a start goes on from the journal."""
        if self._task is not None:
            self._task.cancel()

    async def _run(self) -> None:
        try:
            while await self._step():
                pass
        except JournalError as error:
            self.failure = error

    async def _step(self) -> bool:
        """Do what comes next, or wait for it; tell whether there is anything more to do."""
        self._moved.clear()
        table = self.desk.table
        now = self._clock()
        coming = next_act(table, now, hurried=self._ending)
        if self._ending and (table.between_rounds or not isinstance(coming, Act)):
            return False
        if isinstance(coming, Act) and self._is_ready(coming):
            await self._act(coming)
            return True
        self.waits = coming
        if isinstance(coming, WaitFor):
            until = coming.until
        else:
            until = None if isinstance(coming, Act) else coming.moment
        seconds = None if until is None else max(0.0, (until - now).total_seconds())
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._moved.wait(), seconds)
        self.waits = None
        return True

    def _is_ready(self, act: Act) -> bool:
        """Tell whether what an act takes is here; cards of paper come from their device."""
        return act.source is not Source.CARD or self.desk.seat.state.sealed is not None

    async def _act(self, act: Act) -> None:
        seat = self.desk.seat
        place = seat.sequence
        request = Request(
            f"next-{seat.epoch}-{place}", act.actor, act.command, die=self._die(act)
        )
        try:
            reply = await self.desk.submit(request)
        except (BusyError, NotDoneError):
            await asyncio.sleep(AGAIN_SECONDS)
            return
        except JournalError as error:
            if not self.desk.serves:
                raise
            # What the act takes could not be had, as a card of a shoe whose key is lost:
            # people must do something first.
            self.failure = error
            await self._other_move(place)
            return
        self.failure = None
        self.refused = None if reply.accepted else reply
        if self.refused is not None:
            # Nothing comes of asking again before somebody did something else.
            await self._other_move(reply.sequence)

    async def _other_move(self, place: int) -> None:
        """Wait until there is a decision behind a place of the stream."""
        while self.desk.seat.sequence <= place and not self._ending:
            self._moved.clear()
            await self._moved.wait()

    def _die(self, act: Act) -> int | None:
        if act.source is not Source.DIE:
            return None
        plan = self.desk.table.plan
        assert plan is not None, "the table is not open"
        assert plan.game.die is not None, "a game without a die"
        faces = plan.game.die.faces
        return faces[self._below(len(faces))]
