"""Where the tests' stores keep their journals, and how the tests write batches."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Protocol

import asyncpg

from croupier.journal.memory import MemoryStore
from croupier.journal.postgres import PostgresStore
from croupier.journal.record import GENESIS, Answer, Batch, Head, Record, digest_of
from croupier.journal.replay import Writer, check_chain, postings_of
from croupier.journal.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine, Iterable
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from croupier.journal.cage import Move
    from croupier.journal.store import Store

MOMENT = "2026-01-01T00:00:00.000000Z"


class Place(Protocol):
    """Where stores keep a journal: opened again, it has the same content."""

    refusals: tuple[type[Exception], ...]
    """What the database itself raises when it refuses."""

    def open(self) -> AbstractAsyncContextManager[Store]:
        """Open a store, and close it at the end."""

    def open_two(self) -> AbstractAsyncContextManager[tuple[Store, Store]]:
        """Open two writers: two stores where several may write, or one store twice."""

    async def bypass(self, statement: str) -> None:
        """Do something in the database, past the store."""


class MemoryPlace:
    """One store in memory."""

    refusals: tuple[type[Exception], ...] = ()

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

    def __init__(self, path: Path) -> None:
        self.path = path

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Store]:
        store = await SqliteStore.open(self.path)
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


def answered(command: str, stream: str, first: int, last: int, actor: str) -> Answer:
    return Answer(actor, command, digest_of(command.encode()), stream, first, last, b"null")


def following(
    head: Head,
    epoch: int,
    *,
    count: int = 1,
    moves: Iterable[Move] = (),
    commands: Iterable[str] = (),
    actor: str = "patron:ann",
) -> Batch:
    """Return a batch that follows a head; its postings belong to its first record."""
    writer = Writer(head.stream, epoch, head)
    first = head.sequence + 1
    records = tuple(
        writer.record(MOMENT, actor, f"command-{number}", ("thing", 1, b'{"n":%d}' % number))
        for number in range(first, first + count)
    )
    last = first + count - 1
    answers = [answered(command, head.stream, first, last, actor) for command in commands]
    postings = postings_of(head.stream, first, moves)
    return Batch(head.stream, epoch, head, records, postings, tuple(answers))


def start(stream: str) -> Head:
    return Head(stream, 0, GENESIS)


def head_after(batch: Batch) -> Head:
    if not batch.records:
        return batch.after
    return Head(batch.stream, batch.records[-1].sequence, batch.records[-1].hash)


async def grown(store: Store, stream: str, count: int) -> tuple[int, Head]:
    """Take a stream over and append some records; return epoch and head."""
    epoch = await store.claim(stream, "test")
    batch = following(await store.head(stream), epoch, count=count)
    await store.append(batch)
    return epoch, head_after(batch)


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
            await store.answers(stream),
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
