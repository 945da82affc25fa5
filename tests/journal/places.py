"""Where the tests' stores keep their journals, and how the tests write batches."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Protocol

import asyncpg
import msgspec

from croupier.journal.decision import Head, Posting, Record, chain, check_chain
from croupier.journal.frames import DECISION_WIDTH, POSTING_WIDTH, Frame, Part, add_moves
from croupier.journal.gathering import Committed, Landed
from croupier.journal.memory import MemoryStore
from croupier.journal.postgres import PostgresStore
from croupier.journal.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine, Iterable
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from croupier.journal.store import Store
    from croupier.journal.streams import Move


class Place(Protocol):
    """Where stores keep a journal: opened again, it has the same content."""

    refusals: tuple[type[Exception], ...]
    """What the database itself raises when it refuses."""
    posting_key: str
    """The first columns of a posting of decision 2 of the first stream."""

    def open(self) -> AbstractAsyncContextManager[Store]:
        """Open a store, and close it at the end."""

    def open_two(self) -> AbstractAsyncContextManager[tuple[Store, Store]]:
        """Open two writers: two stores where several may write, or one store twice."""

    async def bypass(self, statement: str) -> None:
        """Do something in the database, past the store."""


class MemoryPlace:
    """One store in memory."""

    refusals: tuple[type[Exception], ...] = ()
    posting_key = ""

    def __init__(self) -> None:
        self.store = MemoryStore()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Store]:
        yield self.store

    @asynccontextmanager
    async def open_two(self) -> AsyncIterator[tuple[Store, Store]]:
        yield self.store, self.store

    async def bypass(self, statement: str) -> None:
        raise NotImplementedError(statement)


class SqlitePlace:
    """One file."""

    refusals: tuple[type[Exception], ...] = (sqlite3.IntegrityError,)
    posting_key = "2"

    def __init__(self, path: Path, *, process: bool = False) -> None:
        self.path, self.process = path, process

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Store]:
        store = await SqliteStore.open(self.path, process=self.process)
        try:
            yield store
        finally:
            await store.close()

    @asynccontextmanager
    async def open_two(self) -> AsyncIterator[tuple[Store, Store]]:
        async with self.open() as store:
            yield store, store

    async def bypass(self, statement: str) -> None:
        connection = sqlite3.connect(self.path, isolation_level=None, timeout=10)
        try:
            connection.execute(statement)
        finally:
            connection.close()


class PostgresPlace:
    """One schema of a server."""

    refusals: tuple[type[Exception], ...] = (asyncpg.PostgresError,)
    posting_key = "'table:1', 2"

    def __init__(self, dsn: str) -> None:
        self.dsn = dsn

    @asynccontextmanager
    async def open(self) -> AsyncIterator[PostgresStore]:
        store = await PostgresStore.open(self.dsn)
        try:
            yield store
        finally:
            await store.close()

    @asynccontextmanager
    async def open_two(self) -> AsyncIterator[tuple[Store, Store]]:
        async with self.open() as one, self.open() as other:
            yield one, other

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[asyncpg.Connection]:
        connection = await asyncpg.connect(self.dsn)
        try:
            yield connection
        finally:
            await connection.close()

    async def bypass(self, statement: str) -> None:
        async with self.connect() as connection:
            await connection.execute(statement)


def following(
    head: Head,
    epoch: int,
    *,
    count: int | None = None,
    moves: Iterable[Move] = (),
    commands: Iterable[str] = (),
    actor: str = "patron:ann",
) -> Frame:
    """Return a frame of one stream that follows a head; its first decision moves money."""
    ids = list(commands)
    count = max(1, len(ids)) if count is None else count
    first = head.sequence + 1
    ids += [f"command-{first + number}" for number in range(len(ids), count)]
    digest, rows = head.hash, []
    for place in range(count):
        body = b'{"epoch":%d,"n":%d}' % (epoch, first + place)
        digest = chain(digest, body)
        rows += [place, head.stream, first + place, ids[place], actor, body, digest]
    postings: list[object] = []
    moved = list(moves)
    for line, move in enumerate(moved):
        postings += (0, line, *move)
    changes: dict[str, tuple[int, int]] = {}
    add_moves(changes, moved)
    part = Part(epoch, head.sequence, head.hash, head.sequence + count, digest)
    return Frame({head.stream: part}, rows, postings, {head.stream: changes}, [])


def together(*frames: Frame) -> Frame:
    """Return frames of different streams as one."""
    whole = Frame({}, [], [], {}, [])
    for frame in frames:
        count = len(whole.decisions) // DECISION_WIDTH
        rows, postings = list(frame.decisions), list(frame.postings)
        rows[::DECISION_WIDTH] = [count + one for one in rows[::DECISION_WIDTH]]
        postings[::POSTING_WIDTH] = [count + one for one in postings[::POSTING_WIDTH]]
        assert not whole.parts.keys() & frame.parts.keys()
        whole.parts.update(frame.parts)
        whole.changes.update(frame.changes)
        whole.decisions += rows
        whole.postings += postings
    return whole


def records_in(frame: Frame) -> list[Record]:
    """Return the records that a frame writes."""
    rows = frame.decisions
    return [
        Record(*rows[first + 1 : first + DECISION_WIDTH])
        for first in range(0, len(rows), DECISION_WIDTH)
    ]


def postings_in(frame: Frame) -> list[Posting]:
    """Return the postings that a frame writes."""
    records, rows = records_in(frame), frame.postings
    found = []
    for first in range(0, len(rows), POSTING_WIDTH):
        number, *values = rows[first : first + POSTING_WIDTH]
        found.append(Posting(records[number].stream, records[number].sequence, *values))
    return found


def epoch_of(record: Record) -> int:
    """Return the epoch that is written in a record of these tests."""
    return int(msgspec.json.decode(record.body)["epoch"])


def start(stream: str) -> Head:
    return Head(stream)


def head_after(frame: Frame) -> Head:
    ((stream, part),) = frame.parts.items()
    return Head(stream, part.last, part.last_hash)


async def append(store: Store, frame: Frame) -> None:
    """Append a frame, and raise why a stream of it was refused."""
    for error in (await store.append(frame)).values():
        raise error


async def claim(store: Store, stream: str, holder: str) -> int:
    """Take one stream over."""
    (epoch,) = await store.claim([stream], holder)
    return epoch


async def grown(store: Store, stream: str, count: int) -> tuple[int, Head]:
    """Take a stream over and append some decisions; return epoch and head."""
    epoch = await claim(store, stream, "test")
    frame = following(await store.head(stream), epoch, count=count)
    await append(store, frame)
    return epoch, head_after(frame)


async def content(store: Store, streams: Iterable[str]) -> dict[str, object]:
    """Return everything that a store tells about some streams and its accounts."""
    told: dict[str, object] = {
        "heads": await store.heads(),
        "balances": dict(await store.balances()),
    }
    for stream in streams:
        told[stream] = (
            await store.head(stream),
            await store.read(stream),
            await store.postings(stream),
        )
    return told


async def outcomes(*appends: Coroutine[object, object, None]) -> list[BaseException | None]:
    """Start appends at once, in this order, and return how each ended."""
    return list(await asyncio.gather(*appends, return_exceptions=True))


def chained_head(records: Iterable[Record], stream: str) -> Head:
    """Check that records follow one another from the first, and return the head."""
    head = start(stream)
    for record in records:
        head = check_chain(head, record)
    return head


def landed(*records: Record) -> Landed:
    """Return records as a writer tells of them."""
    all_ = [Committed(record, None, None, None) for record in records]  # type: ignore[arg-type]
    return Landed(records[0].stream, all_, set(), refused=False)
