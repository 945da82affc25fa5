"""Outgoing: commands for streams that another house on the same database serves.

A command is put into the inbox, and its record in the journal is the answer; only what leaves
no record is answered in the inbox. So whoever waits learns the same as at the house that
decides, whichever house that is by then.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from croupier.floor.letters import read_answer, write_letter
from croupier.floor.looking import PAUSE_SECONDS, Looking
from croupier.journal.errors import JournalError, PoisonedError, UnansweredError
from croupier.journal.gathering import Asked, Reply, Seat, asked_of, settling
from croupier.journal.loading import anywhere, replied

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.journal.gathering import Request
    from croupier.journal.inbox import Inbox
    from croupier.journal.store import Store
    from croupier.journal.streams import Stream

SETTLING_SECONDS = 2.0
"""How long an answer is waited for after the deadline: what was decided just before it may
still be on its way to the journal."""
SWEEP_SECONDS = 60.0
"""How long after their deadline commands are removed that nobody answered or asked for."""


class Sent(msgspec.Struct, eq=False):
    """A command that was put into the inbox, and who waits for its answer."""

    asked: Asked
    answer: asyncio.Future[Reply]


class Outgoing:
    """Puts commands into the inbox, and waits for what comes of them."""

    def __init__(self, store: Store, inbox: Inbox, seconds: Callable[[], float]) -> None:
        self._store, self._inbox = store, inbox
        self._seats: dict[str, Seat] = {}
        """Only names: commands are prepared for a stream whose state is not known here."""
        self._sent: dict[int, Sent] = {}
        self._streams: Counter[str] = Counter()
        """For which streams somebody waits."""
        self._looking = Looking(store, self._look, seconds)
        self._swept = -SWEEP_SECONDS

    def start(self) -> None:
        """Begin to look for answers."""
        self._looking.start()

    def heard(self, stream: str) -> None:
        """Look for answers: something was decided, or answered, there."""
        if self._streams[stream]:
            self._looking.wake()

    async def submit(self, stream: Stream, request: Request, seconds: float) -> Reply:
        """Return the answer to a command; past its ``seconds`` it is not decided any more.

        Raises what its owner would raise, ``BusyError`` when too many wait, and
        ``UnansweredError`` when its owner does not answer in time.
        """
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        seat = self._seats.setdefault(stream.name, Seat(stream, epoch=0))
        sent = Sent(asked_of(seat, request, settling(answer)), answer)
        until = asyncio.get_running_loop().time() + seconds
        number = await self._put(sent.asked, until)
        if number is not None:
            await self._wait(number, sent, until)
        return await answer

    async def _put(self, asked: Asked, until: float) -> int | None:
        """Put a command into the inbox; None: the journal has its answer, and it was told.

        When the connection is lost it may be there or not. Then it is put again: of two that
        are the same the second gets the answer of the first.
        """
        body, loop = write_letter(asked), asyncio.get_running_loop()
        perhaps_put = False
        while True:
            try:
                found = anywhere(await self._store.find([asked.wanted]))
                record = found.get(asked.key) or found.get(asked.wanted)
                if record is not None:
                    asked.tell(replied(asked, record))
                    return None
                perhaps_put = True
                return await self._inbox.put(asked.key, body, until - loop.time())
            except PoisonedError as error:
                if loop.time() + PAUSE_SECONDS > until:
                    if perhaps_put:
                        raise _unanswered(asked.seat.name) from error
                    raise
            await asyncio.sleep(PAUSE_SECONDS)
            with suppress(JournalError):
                await self._store.reopen()

    async def _wait(self, number: int, sent: Sent, until: float) -> None:
        """Wait until a command is answered; whoever goes away leaves it there."""
        stream = sent.asked.seat.name
        self._sent[number] = sent
        self._streams[stream] += 1
        self._looking.wake()  # it may have been answered by now
        try:
            left = max(0.0, until - asyncio.get_running_loop().time())
            await asyncio.wait([sent.answer], timeout=left + SETTLING_SECONDS)
            if not sent.answer.done():
                with suppress(JournalError):  # nothing was heard: it is looked once more
                    await self._look()
            if not sent.answer.done():
                sent.asked.tell(_unanswered(stream))
                with suppress(JournalError):  # else it is swept away
                    await self._inbox.remove([number])
        finally:
            del self._sent[number]
            self._streams[stream] -= 1

    async def _look(self) -> None:
        """Tell everybody whose command was answered."""
        await self._sweep()
        sent = {number: one for number, one in self._sent.items() if not one.answer.done()}
        if not sent:
            return
        # The inbox first: what is not there any more is in the journal by then.
        answers = await self._inbox.answers(sent)
        records = await self._store.find({one.asked.key for one in sent.values()})
        for number, one in sent.items():
            record, said = records.get(one.asked.key), answers.get(number)
            if record is not None:
                one.asked.tell(replied(one.asked, record))
            elif said is not None:
                one.asked.tell(read_answer(said))
            elif number not in answers:
                one.asked.tell(_unanswered(one.asked.seat.name))
        answered = [number for number, said in answers.items() if said is not None]
        if answered:
            await self._inbox.remove(answered)

    async def _sweep(self) -> None:
        """Remove, now and then, what houses left that are gone."""
        moment = asyncio.get_running_loop().time()
        if moment - self._swept >= SWEEP_SECONDS:
            await self._inbox.sweep(SWEEP_SECONDS)
            self._swept = moment

    async def close(self) -> None:
        """Tell whoever waits that it is not known what comes of the command."""
        await self._looking.stop()
        for one in self._sent.values():
            one.asked.tell(_unanswered(one.asked.seat.name))


def _unanswered(stream: str) -> UnansweredError:
    message = (
        f"The house that serves {stream} has not answered;"
        " send the command again to learn what came of it."
    )
    return UnansweredError(message)
