"""What every store can do, whichever keeps the decisions: memory, SQLite or PostgreSQL.

A frame is written in one transaction, and its append is done only when it is durable. The
append writes the streams whose epoch and head hold and tells why the others were not written;
those are no concern of the first. A store that met an error of its medium is poisoned: it
answers nothing more until it is opened again, because what reached the medium is not known
before it is re-read. A frame that came behind one that failed is never written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Iterable, Mapping, Sequence

    from croupier.journal.decision import Head, Posting, Record
    from croupier.journal.errors import JournalError
    from croupier.journal.frames import Frame, Kept

Key = tuple[str, str, str]
"""Stream, actor and identification: what makes a command one and the same."""


class Store(Protocol):
    """Keeps decisions, postings, balances, sealed cards and snapshots."""

    async def claim(self, streams: Sequence[str], holder: str) -> list[int]:
        """Take streams over: return new epochs; writers of older ones are fenced.

        An epoch is above that of every decision of its stream, whoever owned it.
        """

    def append(self, frame: Frame) -> asyncio.Future[Mapping[str, JournalError]]:
        """Write a frame durably; the result is why streams of it were not written.

        Frames are written in the order in which they are appended, several at once if they
        wait. A stream is refused, in this order, when its rows do not hang together, its epoch
        is over, it has another head, a command is in the journal already, or an account would
        fall below zero; behind a refused part all later parts of the stream are refused. The
        future fails with a PoisonedError when the medium does.
        """

    async def head(self, stream: str) -> Head:
        """Return the newest decision's sequence and hash; sequence 0 when there is none."""

    async def heads(self) -> list[Head]:
        """Return the heads of all streams that have decisions, by name."""

    async def epoch(self, stream: str) -> int:
        """Return the newest epoch in which a stream was claimed; 0: never."""

    async def read(self, stream: str, after: int = 0, limit: int = 10_000) -> list[Record]:
        """Return records of a stream in order."""

    async def find(self, keys: Iterable[Key]) -> dict[Key, Record]:
        """Return the records of commands that are in the journal, all by one query.

        A key without a stream finds the commands under an identification in all of them.
        """

    async def postings(self, stream: str, after: int = 0) -> list[Posting]:
        """Return the postings of a stream in order."""

    async def balances(self, prefix: str = "") -> Mapping[str, int]:
        """Return the balances of the accounts whose names begin so.

        ``cash`` and ``vault`` have no row: they are summed up when the prefix asks for them.
        """

    async def keep_sealed(self, shoe: str, cards: Sequence[bytes]) -> None:
        """Keep the sealed cards of a shoe, once."""

    async def sealed(self, shoe: str, index: int) -> bytes:
        """Return one sealed card of a shoe."""

    async def snapshot(self, stream: str) -> Kept | None:
        """Return the newest snapshot of a stream; whether it can be believed is not tested."""

    async def reopen(self) -> None:
        """Open the medium again after it failed, and read what reached it.

        Does nothing when the store is well. Epochs are in the database and stay valid, so
        whoever writes a stream goes on in the same epoch. When the medium fails again, that
        is a PoisonedError, and the store stays poisoned.
        """

    async def close(self) -> None:
        """Write what waits, and close the store."""


def sealed_twice(shoe: str) -> str:
    """Say that a shoe exists."""
    return f"Shoe {shoe} is sealed already; no shoe is sealed twice."


def not_sealed(shoe: str, index: int) -> str:
    """Say that there is no such sealed card."""
    return f"Shoe {shoe} has no sealed card {index}."
