"""Incoming: commands that other houses put into the inbox for streams of this one.

They are taken in the order in which they came and decided as those of this house's own
senders: by the same writer, positions and limits. What was decided is removed when it is
durable; an identification that is in the journal already finds its record there, so whatever
stops this house in between, nothing is decided twice. Nothing is decided past its deadline.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from croupier.floor.letters import read_letter, write_answer
from croupier.floor.looking import Looking
from croupier.journal.errors import FencedError, JournalError, PoisonedError, TooLateError
from croupier.journal.gathering import Reply
from croupier.journal.inbox import Answered

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from croupier.journal.gathering import Condition, Request, Seat, Tell
    from croupier.journal.inbox import Inbox, Waiting
    from croupier.journal.writer import Writer

PAGE = 500
"""Commands that are taken at once."""


class Incoming:
    """Takes commands out of the inbox and hands them to the writer.

    ``streams`` are those that are this house's; ``give`` hands a command to one of them as a
    sender of this house does; ``before`` is done before any is taken.
    """

    def __init__(
        self,
        writer: Writer,
        inbox: Inbox,
        *,
        streams: Callable[[], Iterable[str]],
        give: Callable[[Seat, Request, Tell], None],
        before: Callable[[], Awaitable[None]],
        seconds: Callable[[], float],
    ) -> None:
        self._writer, self._inbox = writer, inbox
        self._streams, self._give, self._before = streams, give, before
        self._going: set[int] = set()
        """Those that are being decided, or are and not settled in the inbox yet."""
        self._decided: list[int] = []
        self._answers: list[Answered] = []
        self._looking = Looking(writer.store, self._drain, seconds)

    def start(self) -> None:
        """Take what waits, and what comes."""
        self._looking.start()

    def heard(self, stream: str) -> None:
        """Take what was put: something came for a stream."""
        if self._writer.seat(stream) is not None:
            self._looking.wake()

    async def stop(self) -> None:
        """Take no more: what waits is for the next owner."""
        await self._looking.stop()

    async def settle(self) -> None:
        """Remove what was decided, and answer what was not."""
        decided, answers = list(self._decided), list(self._answers)
        if not decided and not answers:
            return
        left = await self._inbox.settle(decided, answers)
        # Those that are left are another house's to decide; this one takes them no more.
        self._going.difference_update(decided, {one.number for one in answers} - left)
        del self._decided[: len(decided)], self._answers[: len(answers)]

    async def _drain(self) -> None:
        await self._writer.well.wait()
        await self.settle()
        page = await self._page()
        if page:
            await self._before()
        while page:
            for one, until in page:
                self._take(one, until)
            # A stream keeps its order: what came meanwhile is behind these.
            page = await self._page() if len(page) == PAGE else []

    async def _page(self) -> list[tuple[Waiting, float]]:
        """Return what waits, with the time of the loop until which it may be decided."""
        streams = [one for one in self._streams() if self._writer.seat(one) is not None]
        if not streams:
            return []
        asked = asyncio.get_running_loop().time()
        page = await self._inbox.waiting(streams, self._going, PAGE)
        return [(one, asked + one.seconds) for one in page]

    def _take(self, one: Waiting, until: float) -> None:
        seat = self._writer.seat(one.stream)
        if seat is None:
            return  # it was lost meanwhile
        self._going.add(one.number)
        tell = partial(self._told, one.number, seat)
        try:
            request = read_letter(one)
            in_time = _in_time(one.stream, until, request.condition)
            self._give(seat, msgspec.structs.replace(request, condition=in_time), tell)
        except JournalError as error:
            tell(error)
        except Exception:
            self._going.discard(one.number)  # it is taken again, until its deadline
            raise

    def _told(self, number: int, seat: Seat, outcome: Reply | BaseException) -> None:
        """Take note of what came of a command."""
        if isinstance(outcome, Reply):
            self._decided.append(number)
        elif not seat.serves or isinstance(outcome, PoisonedError | FencedError):
            # Nothing came of it here: this house takes it again, or the next owner does.
            self._going.discard(number)
        else:
            self._answers.append(Answered(number, seat.epoch, write_answer(outcome)))
        self._looking.wake()


def _in_time(stream: str, until: float, also: Condition | None) -> Condition:
    """Return what must hold when a command is decided: its deadline, and what it says."""
    clock = asyncio.get_running_loop().time

    def holds(state: object) -> JournalError | None:
        if clock() > until:
            message = f"The command reached {stream} after its deadline; nothing came of it."
            return TooLateError(message)
        return None if also is None else also(state)

    return holds
