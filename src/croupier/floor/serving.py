"""The one writer of a stream: who asks waits, and is answered when it is in the journal.

All who wait are served together and written in one append. A medium that failed is opened
again and read before anybody is told anything; nothing is tried a second time in place.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Generic, TypeVar

import msgspec

from croupier.journal.record import Answer, Batch, Head, Posting, Record, encode_canonical
from croupier.journal.store import JournalError, PoisonedError
from croupier.table.refusals import Refusal  # noqa: TC001  # read by msgspec

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from croupier.journal.replay import Writer
    from croupier.journal.store import Store


ACCEPTED = encode_canonical(None)
"""How a command is answered that was done."""
PAUSES_SECONDS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8)
"""A medium that fails again while it is read again gets a little more time."""


class Reply(msgspec.Struct, frozen=True):
    """The answer to a command: the records it led to, or why it was refused."""

    first: int
    last: int
    refusal: Refusal | None = None

    @property
    def accepted(self) -> bool:
        """Tell whether what was asked was done."""
        return self.refusal is None


class OtherCommandError(JournalError):
    """Another command came under an identification that is taken."""


class NotDoneError(PoisonedError):
    """The medium failed and was read again: nothing came of a command, send it again."""


Outcome = Reply | Exception


def now() -> datetime:
    """Return the moment; order never depends on it."""
    return datetime.now(UTC)


class Asked(msgspec.Struct, frozen=True):
    """Somebody asks for something, under an identification, and waits."""

    command_id: str
    actor: str
    digest: bytes
    future: asyncio.Future[Reply]

    def tell(self, outcome: Outcome) -> None:
        """Answer, unless nobody waits any more."""
        if self.future.done():
            return
        if isinstance(outcome, Reply):
            self.future.set_result(outcome)
        else:
            self.future.set_exception(outcome)


class Work(msgspec.Struct):
    """What was decided and is not written yet."""

    records: list[Record] = []
    postings: list[Posting] = []
    answers: list[Answer] = []
    outcomes: list[tuple[Asked, Outcome]] = []


Waiting = TypeVar("Waiting", bound=Asked)


class Serving(ABC, Generic[Waiting]):
    """The loop of a writer; what is asked for, and what comes of it, is up to who writes."""

    _writer: Writer

    def __init__(
        self, store: Store, stream: str, holder: str, clock: Callable[[], datetime]
    ) -> None:
        self.store, self.stream = store, stream
        self._holder, self._clock = holder, clock
        self._waiting: list[Waiting] = []
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._failure: JournalError | None = None
        self._closing = False
        self.appended: Callable[[Batch], None] | None = None
        """Told what was written, so that it is signed in time."""
        self.reloaded: Callable[[str], Awaitable[None]] | None = None
        """Told that the stream was read anew: more may be in it than was told."""

    @property
    def epoch(self) -> int:
        """Return the epoch in which this desk writes."""
        return self._writer.epoch

    async def start(self) -> None:
        """Take the stream over, fold it, and serve."""
        try:
            await self._begin()
        except PoisonedError as error:
            await self._patiently(self._begin, error)
        self._task = asyncio.create_task(self._run())

    async def _begin(self) -> None:
        await self._reload(await self.store.claim(self.stream, self._holder))
        await self._recover()

    async def close(self) -> None:
        """Answer what waits, and stop serving."""
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)
        self._fail([], self._failure or JournalError(f"The desk of {self.stream} is closed."))

    # What a writer does in its own way

    @abstractmethod
    async def _load(self, epoch: int) -> None:
        """Fold the journal, and write in this epoch; only a start claims the stream."""

    async def _recover(self) -> None:
        """Do what must be done before anybody is served."""

    @abstractmethod
    async def _serve_together(self, taken: list[Waiting]) -> None:
        """Decide what was asked, write it, and answer; raise when nothing more can be said."""

    @abstractmethod
    def _refusal(self, known: Answer) -> Outcome:
        """Return the refusal of an answer that is one, or its reply."""

    def _written(self) -> None:
        """Take note that everything decided so far is in the journal."""

    # The loop

    @property
    def serves(self) -> bool:
        """Tell whether somebody who asks is served here."""
        running = self._task is not None and not self._task.done()
        return running and self._failure is None and not self._closing

    def require_serving(self) -> None:
        """Refuse whoever would wait for ever."""
        if self._failure is not None:
            raise self._failure
        if self._task is None:
            message = f"The desk of {self.stream} is not open."
            raise JournalError(message)

    async def require_owner(self) -> None:
        """Find out whether the stream is still this desk's, as of the last append."""
        nothing = Batch(self.stream, self.epoch, self._writer.head, (), (), ())
        await self.store.append(nothing)

    async def _reload(self, epoch: int) -> None:
        await self._load(epoch)
        if self.reloaded is not None:
            await self.reloaded(self.stream)

    async def _wait(self, asked: Waiting) -> Reply:
        self._waiting.append(asked)
        self._wake.set()
        return await asked.future

    async def _run(self) -> None:
        while self._failure is None:
            await self._wake.wait()
            self._wake.clear()
            taken, self._waiting = self._waiting, []
            if taken:
                await self._serve(taken)
            elif self._closing:
                return
            if self._waiting or self._closing:
                self._wake.set()

    async def _serve(self, taken: list[Waiting]) -> None:
        try:
            try:
                await self._serve_together(taken)
            except PoisonedError as error:
                await self._open_again(taken, error)
        except JournalError as error:
            # The medium does not open again, or somebody else owns the stream.
            self._fail(taken, error)
        except Exception as error:  # noqa: BLE001  # nobody may wait for ever
            # Memory may be ahead of the journal now: nobody is served any more.
            message = f"The desk of {self.stream} failed: {type(error).__name__}: {error}."
            self._fail(taken, JournalError(message))

    async def _open_again(self, taken: list[Waiting], error: PoisonedError) -> None:
        """Open the medium that failed again, and answer by what reached it.

        Whoever has no answer in the journal is told so and may ask again. Nothing was
        interrupted: the tables stood all the while.
        """
        message = (
            f"{error} It was opened again, and nothing came of this command: send it again."
        )

        async def answer() -> None:
            await self._reload(self.epoch)
            for asked in taken:
                if not asked.future.done():
                    asked.tell(await self._answered(asked) or NotDoneError(message))

        await self._patiently(answer, error)

    async def _patiently(
        self, act: Callable[[], Awaitable[None]], error: PoisonedError
    ) -> None:
        """Open the medium that failed again, and do something with it."""
        for pause in PAUSES_SECONDS:
            await asyncio.sleep(pause)
            try:
                await self.store.reopen()
                await act()
            except PoisonedError as failed:
                # Somebody else's write met the same fault meanwhile, or it is still there.
                error = failed
            else:
                return
        raise error

    async def _answered(self, asked: Waiting) -> Outcome | None:
        """Return the answer that the journal has, if it has one."""
        known = await self.store.answer(asked.actor, asked.command_id)
        return None if known is None else self._again(known, asked.digest)

    def _again(self, known: Answer, digest: bytes) -> Outcome:
        """Return an answer again, or refuse another content under the same name."""
        if known.digest != digest or known.stream != self.stream:
            message = f"Command {known.command} of {known.actor} was another one before."
            return OtherCommandError(message)
        return self._refusal(known)

    async def _write(self, work: Work) -> None:
        """Append everything in one transaction, and answer only then."""
        if work.answers:
            await self._append(work)
            self._written()
        for asked, outcome in work.outcomes:
            asked.tell(outcome)

    async def _append(self, work: Work) -> None:
        after = self._writer.head
        if work.records:
            first = work.records[0]
            after = Head(self.stream, first.sequence - 1, first.previous)
        batch = Batch(
            self.stream,
            self.epoch,
            after,
            tuple(work.records),
            tuple(work.postings),
            tuple(work.answers),
        )
        await self.store.append(batch)
        if self.appended is not None:
            self.appended(batch)

    def _fail(self, taken: list[Waiting], error: JournalError) -> None:
        """Tell everybody that waits, and refuse everybody who comes."""
        self._failure = error
        for asked in (*taken, *self._waiting):
            asked.tell(error)
        self._waiting = []
