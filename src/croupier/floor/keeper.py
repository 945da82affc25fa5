"""The keeper: signs how far the journal has come, and refuses to start behind it."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from croupier.journal.checkpoints import (
    EVERY_DECISIONS,
    EVERY_SECONDS,
    PAUSE_SECONDS,
    CheckpointError,
    behind,
)
from croupier.journal.decision import Head, now, written_moment
from croupier.journal.errors import JournalError

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from croupier.journal.checkpoints import Checkpoint, Checkpoints, Signer
    from croupier.journal.store import Store
    from croupier.journal.writer import Landed


def require_reached(newest: Checkpoint, heads: list[Head]) -> None:
    """Refuse a journal that ends before what a checkpoint has seen."""
    late = behind(newest, heads)
    if late is not None:
        message = f"The journal was cut off or rolled back, so nothing starts: {late}."
        raise CheckpointError(message)


class Keeper:
    """Writes a checkpoint every so many decisions or seconds, and at the end.

    Between two there is a pause: while very much is decided, one covers more decisions.

    It is started before any stream is opened; the writer tells it of every decision that is
    durable. What it signs is what it was told: it never reads how far the store has come,
    because what is there and was not told is not yet checked by anybody. Of streams that
    another process writes it is told that they went on, and reads how far.

    Of several processes one signs. One that does not still refuses to start behind the
    newest checkpoint that it finds.
    """

    def __init__(
        self,
        store: Store,
        checkpoints: Checkpoints,
        signer: Signer,
        *,
        clock: Callable[[], datetime] = now,
        every_decisions: int = EVERY_DECISIONS,
        every_seconds: float = EVERY_SECONDS,
        pause_seconds: float = PAUSE_SECONDS,
        signs: bool = True,
    ) -> None:
        self._store, self._checkpoints, self._signer = store, checkpoints, signer
        self._clock = clock
        self._every_decisions, self._every_seconds = every_decisions, every_seconds
        self._pause_seconds = pause_seconds
        self._signs = signs
        self._heads: dict[str, Head] = {}
        self._elsewhere: set[str] = set()
        """Streams of other processes that went on since the newest checkpoint."""
        self._unsigned = 0
        self._wake = asyncio.Event()
        self._signing = asyncio.Lock()
        self._closing = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.failure: JournalError | None = None
        """Why the newest checkpoint could not be written, until one can."""

    async def start(self) -> None:
        """Refuse a journal that lies behind its newest checkpoint, then keep on signing."""
        self._checkpoints.folder.mkdir(parents=True, exist_ok=True)
        newest = await asyncio.to_thread(self._checkpoints.newest, self._signer.public)
        heads = await self._store.heads()
        if newest is not None:
            await self._require_not_behind(newest, heads)
        self._heads = {head.stream: head for head in heads}
        # What was written before a crash and not signed is signed now, in its time.
        seen = newest.heads if newest else {}
        self._count(sum(head.sequence - seen.get(head.stream, (0,))[0] for head in heads))
        if self._signs:
            self._task = asyncio.create_task(self._run(), name="keeper")

    async def _require_not_behind(self, newest: Checkpoint, heads: list[Head]) -> None:
        require_reached(newest, heads)
        for stream, (sequence, digest) in newest.heads.items():
            records = await self._store.read(stream, sequence - 1, 1)
            here = [one.hash.hex() for one in records if one.sequence == sequence]
            if here != [digest]:
                message = (
                    f"Decision {sequence} of {stream} is not the one that"
                    f" checkpoint {newest.number} has seen, so nothing starts."
                )
                raise CheckpointError(message)

    def committed(self, landed: Landed) -> None:
        """Take note of how far a stream is durable."""
        record = landed.last.record
        stream, sequence = record.stream, record.sequence
        before = self._heads.get(stream)
        # Another process may have written between: what it wrote is durable, too.
        missed = sequence - (before.sequence if before else 0)
        self._heads[stream] = Head(stream, sequence, record.hash)
        if missed > 0:
            self._count(missed)

    def heard(self, stream: str) -> None:
        """Take note that another process went on with a stream."""
        self._elsewhere.add(stream)
        self._count(1)

    def _count(self, more: int) -> None:
        self._unsigned += more
        if self._unsigned >= self._every_decisions:
            self._wake.set()

    async def _run(self) -> None:
        while not self._closing.is_set():
            await _wait(self._wake, self._every_seconds)
            self._wake.clear()
            with contextlib.suppress(CheckpointError):  # kept as the failure, tried again
                await self.sign()
            await _wait(self._closing, self._pause_seconds)

    async def sign(self) -> None:
        """Write a checkpoint, if anything is new."""
        async with self._signing:
            signed = self._unsigned
            if not signed or not self._signs:
                return
            elsewhere, self._elsewhere = self._elsewhere, set()
            try:
                for stream in elsewhere:
                    self._heads[stream] = await self._store.head(stream)
                heads = [head for _, head in sorted(self._heads.items())]
                moment = written_moment(self._clock())
                await asyncio.to_thread(self._checkpoints.write, heads, self._signer, moment)
            except (JournalError, OSError) as error:
                self._elsewhere |= elsewhere
                message = f"No checkpoint could be written: {str(error).rstrip('.')}."
                self.failure = CheckpointError(message)
                raise self.failure from error
            self.failure = None
            self._unsigned -= signed

    async def close(self) -> None:
        """Sign what is new, and stop."""
        self._closing.set()
        self._wake.set()
        if self._task is not None:
            await self._task
        await self.sign()


async def _wait(event: asyncio.Event, seconds: float) -> None:
    """Wait for something to happen, but no longer than this."""
    with contextlib.suppress(TimeoutError):
        # Not wait_for: before Python 3.12 it can lose a cancellation.
        async with asyncio.timeout(seconds):
            await event.wait()
