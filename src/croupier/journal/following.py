"""Following a stream that another process owns: folded here as far as somebody looked."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Self

from croupier.journal.errors import JournalError
from croupier.journal.gathering import Committed, Seat
from croupier.journal.loading import follow, load

if TYPE_CHECKING:
    from croupier.journal.streams import Stream
    from croupier.journal.writer import Writer


class Followed:
    """A stream as it is in the journal; nothing is submitted to it here."""

    def __init__(self, writer: Writer, seat: Seat) -> None:
        self.seat = seat
        self._store, self._snapshots = writer.store, writer.snapshots
        self._reading = asyncio.Lock()

    @classmethod
    def of(cls, writer: Writer, stream: Stream) -> Self:
        """Return a stream of another process; nothing is read of it yet."""
        seat = Seat(stream, epoch=0)
        seat.failure = JournalError(f"Stream {stream.name} is served by another process.")
        return cls(writer, seat)

    async def catch_up(self, *, tell: bool = False) -> list[Committed]:
        """Read what was decided since; return it, if it is to be told.

        What is there already when a stream is read for the first time is told to nobody.
        """
        async with self._reading:  # one after the other: what is read never falls
            if self.seat.sequence == 0:
                await load(self._store, self.seat, self._snapshots)
                return []
            return await follow(self._store, self.seat, tell=tell)
