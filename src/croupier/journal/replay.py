"""Replay: records back to events, and events back to a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from croupier.journal.codec import decode_record
from croupier.journal.record import GENESIS, Head, Posting, Record, chained, hash_of
from croupier.journal.shoes import CardOpened, ShoeOpened, ShoeSealed
from croupier.journal.store import JournalError
from croupier.table.events import Event
from croupier.table.evolve import evolve
from croupier.table.state import Table, unopened

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from croupier.journal.cage import Move
    from croupier.journal.store import Store
    from croupier.table.rulebook import Rulebook

PAGE = 5_000


class Writer(msgspec.Struct):
    """Numbers and chains the records of one stream."""

    stream: str
    epoch: int
    head: Head

    def record(
        self, moment: str, actor: str, command: str, encoded: tuple[str, int, bytes]
    ) -> Record:
        """Return the next record of the stream."""
        name, version, body = encoded
        sequence = self.head.sequence + 1
        record = chained(
            Record(
                self.stream,
                sequence,
                self.epoch,
                moment,
                actor,
                command,
                name,
                version,
                body,
                self.head.hash,
                b"",
            )
        )
        self.head = Head(self.stream, sequence, record.hash)
        return record


def postings_of(stream: str, sequence: int, moves: Iterable[Move]) -> tuple[Posting, ...]:
    """Return the postings of an event's moves."""
    return tuple([Posting(stream, sequence, line, *move) for line, move in enumerate(moves)])


class BrokenChainError(JournalError):
    """A record that does not follow the one before it."""


def check_chain(head: Head, record: Record) -> Head:
    """Refuse a record that does not follow a head, or whose hash is not its own."""
    where = f"Record {record.sequence} of {record.stream}"
    if record.stream != head.stream or record.sequence != head.sequence + 1:
        message = f"{where} does not follow record {head.sequence}."
        raise BrokenChainError(message)
    if record.previous != head.hash:
        message = f"{where} does not carry the hash of the record before it."
        raise BrokenChainError(message)
    if hash_of(record) != record.hash:
        message = f"{where} was changed: its hash is not that of its content."
        raise BrokenChainError(message)
    return Head(record.stream, record.sequence, record.hash)


async def records_of(store: Store, stream: str, after: int = 0) -> AsyncIterator[Record]:
    """Yield all records of a stream in order."""
    while True:
        page = await store.read(stream, after, PAGE)
        for record in page:
            yield record
        if len(page) < PAGE:
            return
        after = page[-1].sequence


class Replayed(msgspec.Struct):
    """What a stream's records give: the table, the head, and what is open of its shoe."""

    table: Table
    head: Head
    seal: ShoeSealed | None = None
    opened: set[int] = msgspec.field(default_factory=set)

    @property
    def sealed(self) -> ShoeSealed | None:
        """Return the seal of the shoe in play, if it is a virtual one."""
        return None if self.seal is None or self.seal.root is None else self.seal

    def take(self, event: msgspec.Struct) -> None:
        """Fold one event."""
        if isinstance(event, Event):
            self.table = evolve(self.table, event)
        elif isinstance(event, ShoeSealed):
            self.seal, self.opened = event, set()
        elif isinstance(event, CardOpened):
            self.opened.add(event.number)
        elif isinstance(event, ShoeOpened):
            self.seal = None


async def replay(store: Store, stream: str, rulebooks: tuple[Rulebook, ...]) -> Replayed:
    """Fold all records of a stream; every hash is checked."""
    replayed = Replayed(unopened(rulebooks), Head(stream, 0, GENESIS))
    async for record in records_of(store, stream):
        replayed.head = check_chain(replayed.head, record)
        replayed.take(decode_record(record))
    return replayed
