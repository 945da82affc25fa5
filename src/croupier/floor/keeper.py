"""The keeper: signs how far the journal has come, and refuses to start behind it."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from croupier.floor.serving import now
from croupier.journal.checkpoints import (
    EVERY_RECORDS,
    EVERY_SECONDS,
    CheckpointError,
    Progress,
    behind,
)
from croupier.journal.record import written_moment

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from croupier.journal.checkpoints import Checkpoint, Checkpoints, Signer
    from croupier.journal.record import Batch
    from croupier.journal.errors import JournalError
    from croupier.journal.store import Store


class Keeper:
    """Writes a checkpoint every so many records or seconds, and at the end.

    It is started before the desks are, and they tell it of every batch that is durable, and
    whenever they read their stream anew. What it signs is what it was told: the store may have
    come further already, and then heads and answers would not be of the same moment.
    """

    def __init__(
        self,
        store: Store,
        checkpoints: Checkpoints,
        signer: Signer,
        *,
        clock: Callable[[], datetime] = now,
        every_records: int = EVERY_RECORDS,
        every_seconds: float = EVERY_SECONDS,
    ) -> None:
        self._store, self._checkpoints, self._signer = store, checkpoints, signer
        self._clock = clock
        self._every_records, self._every_seconds = every_records, every_seconds
        self._progress = Progress()
        self._unsigned = 0
        self._wake = asyncio.Event()
        self._signing = asyncio.Lock()
        self._closing = False
        self._task: asyncio.Task[None] | None = None
        self.failure: JournalError | None = None
        """Why the newest checkpoint could not be written, until one can."""

    async def start(self) -> None:
        """Refuse a journal that lies behind its newest checkpoint, then keep on signing."""
        signed = await asyncio.to_thread(self._checkpoints.all, self._signer.public)
        checkpoints = [one.checkpoint for one in signed]
        newest = checkpoints[-1] if checkpoints else None
        if newest is not None:
            await self._require_not_behind(newest)
        self._progress = await Progress.of(self._store, *checkpoints)
        # What was written before a crash and not signed is signed now, in its time.
        seen = newest.heads if newest else {}
        records = sum(
            head.sequence - seen.get(head.stream, (0,))[0] for head in self._progress.heads
        )
        self._count(records + sum(map(len, self._progress.refused.values())))
        self._task = asyncio.create_task(self._run(), name="keeper")

    async def _require_not_behind(self, newest: Checkpoint) -> None:
        late = behind(newest, await self._store.heads())
        if late is not None:
            message = f"The journal was cut off or rolled back, so nothing starts: {late}."
            raise CheckpointError(message)
        for stream, (sequence, digest) in newest.heads.items():
            records = await self._store.read(stream, sequence - 1, 1)
            here = [one.hash.hex() for one in records if one.sequence == sequence]
            if here != [digest]:
                message = (
                    f"Record {sequence} of {stream} is not the one that"
                    f" checkpoint {newest.number} has seen, so nothing starts."
                )
                raise CheckpointError(message)

    def appended(self, batch: Batch) -> None:
        """Take note of a batch that is durable."""
        self._progress.take(batch)
        # A refusal leaves no record; it is signed all the same.
        refusals = sum(answer.last < answer.first for answer in batch.answers)
        self._count(len(batch.records) + refusals)

    async def reloaded(self, stream: str) -> None:
        """Read a stream anew before its desk serves.

        It may hold what nobody told of: a batch that was written although its append failed,
        what another process wrote, and refusals before the first record.
        """
        self._count(await self._progress.reload(self._store, stream))

    def _count(self, more: int) -> None:
        self._unsigned += more
        if self._unsigned >= self._every_records:
            self._wake.set()

    async def _run(self) -> None:
        while not self._closing:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), self._every_seconds)
            self._wake.clear()
            with contextlib.suppress(CheckpointError):  # kept as the failure, tried again
                await self.sign()

    async def sign(self) -> None:
        """Write a checkpoint, if anything is new."""
        async with self._signing:
            signed = self._unsigned
            if not signed:
                return
            now_ = self._progress
            heads, answers, refused = now_.heads, now_.answers, now_.refused
            moment = written_moment(self._clock())
            try:
                checkpoint = await asyncio.to_thread(
                    self._checkpoints.write, heads, self._signer, moment, answers, refused
                )
            except (CheckpointError, OSError) as error:
                message = f"No checkpoint could be written: {str(error).rstrip('.')}."
                self.failure = CheckpointError(message)
                raise self.failure from error
            self.failure = None
            now_.signed(checkpoint)
            self._unsigned -= signed

    async def close(self) -> None:
        """Sign what is new, and stop."""
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await self._task
        await self.sign()
