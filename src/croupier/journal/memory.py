"""The store that keeps everything in memory: for tests, scripts and what need not last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.journal.record import GENESIS, Head
from croupier.journal.store import (
    ConflictError,
    FencedError,
    JournalError,
    ReusedCommandError,
    check_batch,
    check_names,
    new_balances,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from croupier.journal.record import Answer, Batch, Posting, Record


class MemoryStore:
    """Keeps records, postings and answers as long as the process runs."""

    def __init__(self) -> None:
        self._epochs: dict[str, int] = {}
        self._records: dict[str, list[Record]] = {}
        self._postings: dict[str, list[Posting]] = {}
        self._answers: dict[tuple[str, str], Answer] = {}
        self._balances: dict[str, int] = {}
        self._sealed: dict[str, tuple[bytes, ...]] = {}

    async def claim(self, stream: str, holder: str) -> int:
        """Take a stream over."""
        check_names((stream, holder))
        self._epochs[stream] = self._epochs.get(stream, 0) + 1
        return self._epochs[stream]

    async def append(self, batch: Batch) -> None:
        """Keep a batch, or nothing of it."""
        check_batch(batch)
        if self._epochs.get(batch.stream) != batch.epoch:
            raise FencedError(fenced(batch))
        if _head(batch.stream, self._records.get(batch.stream, [])) != batch.after:
            raise ConflictError(conflict(batch))
        names = {(answer.actor, answer.command): answer for answer in batch.answers}
        for answer in batch.answers:
            known = (answer.actor, answer.command) in self._answers
            if known or names[answer.actor, answer.command] is not answer:
                raise ReusedCommandError(reused(answer))
        self._balances.update(new_balances(self._balances, batch.postings))
        self._records.setdefault(batch.stream, []).extend(batch.records)
        self._postings.setdefault(batch.stream, []).extend(batch.postings)
        self._answers.update(names)

    async def head(self, stream: str) -> Head:
        """Return the newest record's place and hash."""
        return _head(stream, self._records.get(stream, []))

    async def heads(self) -> list[Head]:
        """Return the heads of all streams."""
        streams = sorted(self._records.items())
        return [_head(stream, records) for stream, records in streams if records]

    async def read(self, stream: str, after: int = 0, limit: int = 10_000) -> list[Record]:
        """Return records of a stream in order."""
        return self._records.get(stream, [])[after : after + limit]

    async def answer(self, actor: str, command: str) -> Answer | None:
        """Return how a command was answered, if it was."""
        return self._answers.get((actor, command))

    async def answers(self, stream: str) -> list[Answer]:
        """Return the answers that belong to a stream."""
        found = [answer for answer in self._answers.values() if answer.stream == stream]
        return sorted(found, key=lambda answer: (answer.first, answer.actor, answer.command))

    async def postings(self, stream: str, after: int = 0) -> list[Posting]:
        """Return the postings of a stream in order."""
        kept = self._postings.get(stream, [])
        return [posting for posting in kept if posting.sequence > after]

    async def balances(self) -> Mapping[str, int]:
        """Return the balance of every account that had a posting."""
        return dict(self._balances)

    async def keep_sealed(self, shoe: str, cards: Sequence[bytes]) -> None:
        """Keep the sealed cards of a shoe, once."""
        check_names((shoe,))
        if shoe in self._sealed or not cards:
            raise JournalError(sealed_twice(shoe))
        self._sealed[shoe] = tuple(cards)

    async def sealed(self, shoe: str, index: int) -> bytes:
        """Return one sealed card of a shoe."""
        cards = self._sealed.get(shoe, ())
        if not 0 <= index < len(cards):
            raise JournalError(not_sealed(shoe, index))
        return cards[index]

    async def reopen(self) -> None:
        """Memory does not fail."""

    async def close(self) -> None:
        """Nothing is to be closed."""


def _head(stream: str, records: Sequence[Record]) -> Head:
    if not records:
        return Head(stream, 0, GENESIS)
    return Head(stream, records[-1].sequence, records[-1].hash)


def fenced(batch: Batch) -> str:
    """Say that a stream was taken over."""
    return f"Stream {batch.stream} was taken over; epoch {batch.epoch} is over."


def conflict(batch: Batch) -> str:
    """Say that another writer was first."""
    return f"Stream {batch.stream} no longer ends at record {batch.after.sequence}."


def reused(answer: Answer) -> str:
    """Say that a command was answered already."""
    return f"Command {answer.command} of {answer.actor} was answered already."


def sealed_twice(shoe: str) -> str:
    """Say that a shoe exists."""
    return f"Shoe {shoe} is sealed already; no shoe is sealed twice."


def not_sealed(shoe: str, index: int) -> str:
    """Say that there is no such sealed card."""
    return f"Shoe {shoe} has no sealed card {index}."
