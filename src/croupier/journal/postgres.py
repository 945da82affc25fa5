"""The store in a PostgreSQL database, for many processes: fenced, durable before answered.

All batches that wait go to the server as one call of one function, which is one transaction.
The client therefore never holds a lock while it thinks: a process that is stopped in the
middle of an append cannot keep others from taking its streams over. The function locks the
owner of every stream, so what it checks still holds when it writes. If any batch of a group
is refused, nothing of the group is written, and each batch is then tried by itself.

When the connection is lost, nobody knows whether the last call was committed. The store is
poisoned, and whoever opens it again finds out by the identifications of the commands.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

import asyncpg
import msgspec
from msgspec.structs import astuple

from croupier.journal.memory import (
    conflict,
    fenced,
    not_sealed,
    reused,
    sealed_twice,
)
from croupier.journal.postgres_schema import SCHEMA
from croupier.journal.record import GENESIS, Answer, Batch, Head, Posting, Record
from croupier.journal.store import (
    CENTS_MAX,
    ConflictError,
    FencedError,
    JournalError,
    LedgerError,
    PoisonedError,
    ReusedCommandError,
    check_batch,
    check_names,
    moved,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

CHANNEL = "croupier"
"""Where an append is announced, as "stream sequence"."""
GROUP_MAX = 512
TIMEOUT_SECONDS = 30
SCHEMA_LOCK = 0x63726F7570696572
"""The advisory lock under which one process makes the tables."""
FENCED, CONFLICT, OVERDRAWN = "CR001", "CR002", "CR003"
OUT_OF_RANGE, ALREADY_THERE = "22003", "23505"
REFUSALS = ("22", "23", "40", "54", "CR")
"""Classes of errors after which nothing was written and the server is well: wrong data,
broken constraints, a transaction rolled back, something too long, and our own."""

SETTINGS = {
    # The function relies on a new view of the data for every statement.
    "default_transaction_isolation": "read committed",
    # Everything here is found by a key. A plan that was made while the tables were empty is
    # kept, and must not read them whole when they no longer are.
    "plan_cache_mode": "force_generic_plan",
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
    "jit": "off",
}

CALL = "SELECT append_batches($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
# Epochs never fall in a stream, so the newest record has the highest of them.
TAKE_OVER = (
    "INSERT INTO owner VALUES ($1, 1 + coalesce((SELECT epoch FROM record WHERE stream = $1"
    " ORDER BY sequence DESC LIMIT 1), 0), $2) ON CONFLICT (stream)"
    " DO UPDATE SET epoch = greatest(owner.epoch + 1, excluded.epoch),"
    " holder = excluded.holder RETURNING epoch"
)
KEEP_SEALED = (
    "INSERT INTO sealed SELECT $1, number - 1, card"
    " FROM unnest($2::bytea[]) WITH ORDINALITY AS kept (card, number)"
)
# From stream to stream by the key of the records, which cannot be deleted as an owner can.
HEADS = """
WITH RECURSIVE streams (stream) AS (
    (SELECT stream FROM record ORDER BY stream LIMIT 1)
    UNION ALL
    SELECT (SELECT record.stream FROM record
        WHERE record.stream > streams.stream ORDER BY record.stream LIMIT 1)
    FROM streams WHERE streams.stream IS NOT NULL)
SELECT newest.* FROM streams CROSS JOIN LATERAL (
    SELECT stream, sequence, hash FROM record
    WHERE record.stream = streams.stream ORDER BY sequence DESC LIMIT 1) AS newest
ORDER BY newest.stream
"""
NEWEST = (
    "SELECT stream, sequence, hash FROM record WHERE stream = $1 ORDER BY sequence DESC LIMIT 1"
)
DURABILITY = (
    "SELECT current_setting('fsync'), current_setting('synchronous_commit'),"
    " current_setting('server_encoding')"
)
MEDIUM_ERRORS = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    # A connection that the server ended in the middle of something.
    asyncpg.InternalClientError,
    OSError,
    TimeoutError,
)


class AlreadyThereError(JournalError):
    """What was to be kept is there."""


class Group:
    """Batches that are written in one transaction."""

    def __init__(self) -> None:
        self.owners: dict[str, tuple[int, Head]] = {}
        """By stream: the epoch, and the head that the first batch follows."""
        self.heads: dict[str, Head] = {}
        """By stream: the head after the last batch."""
        self.batches: list[Batch] = []
        self.changes: dict[str, int] = {}
        self.lows: dict[str, int] = {}
        """By account: how far below its balance it comes on the way."""

    def takes(self, batch: Batch) -> bool:
        """Tell whether a batch can follow the others, as far as this process knows."""
        if batch.stream not in self.heads:
            return True
        epoch, head = self.owners[batch.stream][0], self.heads[batch.stream]
        return batch.epoch == epoch and batch.after == head

    def add(self, batch: Batch) -> None:
        """Add a batch behind the others."""
        self.owners.setdefault(batch.stream, (batch.epoch, batch.after))
        self.heads[batch.stream] = batch.after
        if batch.records:
            last = batch.records[-1]
            self.heads[batch.stream] = Head(batch.stream, last.sequence, last.hash)
        for account, cents in moved(batch.postings).items():
            change = self.changes.get(account, 0) + cents
            self.changes[account] = change
            self.lows[account] = min(self.lows.get(account, change), change)
        self.batches.append(batch)

    def values(self) -> tuple[list[Any], ...]:
        """Return what the function of the database is called with."""
        batches, owners = self.batches, self.owners
        return (
            list(owners),
            [epoch for epoch, _ in owners.values()],
            [head.sequence for _, head in owners.values()],
            [head.hash for _, head in owners.values()],
            [astuple(record) for batch in batches for record in batch.records],
            [astuple(posting) for batch in batches for posting in batch.postings],
            [astuple(answer) for batch in batches for answer in batch.answers],
            list(self.changes),
            list(self.changes.values()),
            list(self.lows.values()),
        )


class Job(msgspec.Struct):
    """Something that waits for the writer, and who waits for it."""

    work: Batch | Callable[[], Awaitable[Any]]
    future: asyncio.Future[Any]
    heals: bool = False
    """Whether it is done although the store is poisoned."""

    def resolve(self, result: object) -> None:
        """Give a result, or an error, unless nobody waits any more."""
        if self.future.done():
            return
        if isinstance(result, JournalError):
            self.future.set_exception(result)
        else:
            self.future.set_result(result)


class PostgresStore:
    """Keeps the journal in a database that other processes write too."""

    def __init__(self, dsn: str, timeout_seconds: float) -> None:
        self._dsn, self._timeout = dsn, timeout_seconds
        self._connections: list[Any] = []
        self._callbacks: list[Callable[[str, int], None]] = []
        self._jobs: deque[Job] = deque()
        self._wake = asyncio.Event()
        self._reading = asyncio.Lock()
        self._poison: str | None = None
        self._closing = False
        self._write: Any = None
        self._reader: Any = None
        self._task: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, dsn: str, *, timeout_seconds: float = TIMEOUT_SECONDS) -> Self:
        """Open a journal, and make its tables in a database that has none."""
        store = cls(dsn, timeout_seconds)
        try:
            await store._open()
        except (*MEDIUM_ERRORS, ValueError) as error:
            await store._disconnect()
            message = f"The journal cannot be opened: {_said(error)}."
            raise PoisonedError(message) from error
        except BaseException:
            await store._disconnect()
            raise
        store._task = asyncio.create_task(store._run(), name="journal")
        return store

    async def _open(self) -> None:
        self._write = await self._connect()
        self._reader = await self._connect()
        await self._prepare()
        for callback in self._callbacks:
            await self._hear(callback)

    async def _connect(self) -> Any:  # noqa: ANN401  # asyncpg has no types
        connection = await asyncpg.connect(
            self._dsn,
            timeout=self._timeout,
            command_timeout=self._timeout,
            server_settings=SETTINGS,
        )
        connection.add_termination_listener(self._lost)
        self._connections.append(connection)
        return connection

    async def _prepare(self) -> None:
        fsync, commit, encoding = await self._write.fetchrow(DURABILITY)
        if fsync == "off" or commit == "off":
            message = "The database does not wait for its disk; it would lose what it answered."
            raise JournalError(message)
        if encoding != "UTF8":
            message = f"The database keeps text as {encoding}; the journal needs UTF8."
            raise JournalError(message)
        async with self._write.transaction():
            await self._write.execute("SELECT pg_advisory_xact_lock($1)", SCHEMA_LOCK)
            if await self._write.fetchval("SELECT to_regclass('owner') IS NULL"):
                await self._write.execute(SCHEMA)

    # What callers see

    async def claim(self, stream: str, holder: str) -> int:
        """Take a stream over."""
        check_names((stream, holder))
        epoch: int = await self._submit(lambda: self._write.fetchval(TAKE_OVER, stream, holder))
        return epoch

    async def append(self, batch: Batch) -> None:
        """Write a batch durably, or nothing of it."""
        check_batch(batch)
        await self._submit(batch)

    async def head(self, stream: str) -> Head:
        """Return the newest record's place and hash."""
        rows = await self._rows(NEWEST, stream)
        return Head(*rows[0]) if rows else Head(stream, 0, GENESIS)

    async def heads(self) -> list[Head]:
        """Return the heads of all streams."""
        return [Head(*row) for row in await self._rows(HEADS)]

    async def read(self, stream: str, after: int = 0, limit: int = 10_000) -> list[Record]:
        """Return records of a stream in order."""
        query = (
            "SELECT * FROM record WHERE stream = $1 AND sequence > $2"
            " ORDER BY sequence LIMIT $3"
        )
        return [Record(*row) for row in await self._rows(query, stream, after, limit)]

    async def answer(self, actor: str, command: str) -> Answer | None:
        """Return how a command was answered, if it was."""
        query = "SELECT * FROM answer WHERE actor = $1 AND command = $2"
        rows = await self._rows(query, actor, command)
        return Answer(*rows[0]) if rows else None

    async def answers(self, stream: str) -> list[Answer]:
        """Return the answers that belong to a stream."""
        query = "SELECT * FROM answer WHERE stream = $1 ORDER BY first, actor, command"
        return [Answer(*row) for row in await self._rows(query, stream)]

    async def postings(self, stream: str, after: int = 0) -> list[Posting]:
        """Return the postings of a stream in order."""
        query = (
            "SELECT * FROM posting WHERE stream = $1 AND sequence > $2 ORDER BY sequence, line"
        )
        return [Posting(*row) for row in await self._rows(query, stream, after)]

    async def balances(self) -> Mapping[str, int]:
        """Return the balance of every account that had a posting."""
        return dict(await self._rows("SELECT name, cents FROM account"))

    async def keep_sealed(self, shoe: str, cards: Sequence[bytes]) -> None:
        """Keep the sealed cards of a shoe, once."""
        check_names((shoe,))
        if not cards:
            raise JournalError(sealed_twice(shoe))
        try:
            await self._submit(lambda: self._write.execute(KEEP_SEALED, shoe, list(cards)))
        except AlreadyThereError as error:
            raise JournalError(sealed_twice(shoe)) from error

    async def sealed(self, shoe: str, index: int) -> bytes:
        """Return one sealed card of a shoe."""
        query = "SELECT card FROM sealed WHERE shoe = $1 AND number = $2"
        rows = await self._rows(query, shoe, index)
        if not rows:
            raise JournalError(not_sealed(shoe, index))
        card: bytes = rows[0][0]
        return card

    async def listen(self, callback: Callable[[str, int], None]) -> None:
        """Call back with stream and sequence after every append, by whichever process.

        What is appended while the store is poisoned is not told; who hears fetches it.
        """
        self._require_healthy()
        try:
            await self._hear(callback)
        except MEDIUM_ERRORS as error:
            raise self._poisoned(error) from error
        self._callbacks.append(callback)

    async def _hear(self, callback: Callable[[str, int], None]) -> None:
        def heard(_: object, __: int, ___: str, payload: str) -> None:
            stream, _space, sequence = payload.rpartition(" ")
            callback(stream, int(sequence))

        connection = await self._connect()
        await connection.add_listener(CHANNEL, heard)

    async def reopen(self) -> None:
        """Connect again after the connection was lost."""
        if self._poison is not None or self._closing:
            # By the writer itself, so that nothing is being written meanwhile.
            await self._put(self._open_again, heals=True)

    async def _open_again(self) -> None:
        if self._poison is None:
            return
        # Who still reads is not waited for, and fails.
        await self._disconnect()
        async with self._reading:
            try:
                await self._open()
            except BaseException:
                await self._disconnect()
                raise
            self._poison = None

    async def close(self) -> None:
        """Finish what waits, and close."""
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await self._task
        async with self._reading:
            await self._disconnect()

    async def _disconnect(self) -> None:
        connections, self._connections = self._connections, []
        for connection in connections:
            if self._poison is None and not connection.is_closed():
                await connection.close(timeout=self._timeout)
            else:
                connection.terminate()

    # Health

    def _require_healthy(self) -> None:
        if self._poison is not None:
            raise PoisonedError(_failed(self._poison))
        self._require_open()

    def _require_open(self) -> None:
        if self._closing:
            message = "The journal is closed."
            raise JournalError(message)

    def _poisoned(self, error: BaseException) -> PoisonedError:
        """Poison the store: nobody knows what the server has written."""
        self._poison = self._poison or _said(error)
        return PoisonedError(_failed(self._poison))

    def _lost(self, connection: object) -> None:
        # One that this store gave up itself says so too, perhaps later.
        if connection in self._connections:
            self._poison = self._poison or "the connection was lost"

    # The writer

    async def _submit(self, work: Batch | Callable[[], Awaitable[Any]]) -> Any:  # noqa: ANN401
        self._require_healthy()
        return await self._put(work)

    async def _put(
        self, work: Batch | Callable[[], Awaitable[Any]], *, heals: bool = False
    ) -> Any:  # noqa: ANN401  # whatever it leads to
        self._require_open()
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._jobs.append(Job(work, future, heals))
        self._wake.set()
        return await future

    async def _run(self) -> None:
        while self._jobs or not self._closing:
            if not self._jobs:
                self._wake.clear()
                await self._wake.wait()
            elif isinstance(self._jobs[0].work, Batch):
                await self._serve_group(*self._next_group())
            else:
                await self._serve(self._jobs.popleft())

    def _next_group(self) -> tuple[list[Job], Group]:
        """Take the batches that wait and can be written together."""
        jobs: list[Job] = []
        group = Group()
        while self._jobs and len(jobs) < GROUP_MAX:
            work = self._jobs[0].work
            if not isinstance(work, Batch) or not group.takes(work):
                break
            group.add(work)
            jobs.append(self._jobs.popleft())
        return jobs, group

    async def _serve_group(self, jobs: list[Job], group: Group) -> None:
        try:
            await self._call(lambda: self._write.execute(CALL, *group.values()))
        except PoisonedError as error:
            for job in jobs:
                job.resolve(error)
        except asyncpg.PostgresError as error:
            if len(jobs) == 1:
                jobs[0].resolve(await self._refusal(group.batches[0], error))
                return
            for job, batch in zip(jobs, group.batches, strict=True):
                alone = Group()
                alone.add(batch)
                await self._serve_group([job], alone)
        else:
            for job in jobs:
                job.resolve(None)

    async def _serve(self, job: Job) -> None:
        assert not isinstance(job.work, Batch)
        try:
            result = await self._call(job.work, heals=job.heals)
        except PoisonedError as error:
            result = error
        except asyncpg.PostgresError as error:
            known = error.sqlstate == ALREADY_THERE
            result = (AlreadyThereError if known else JournalError)(_refused(error))
        job.resolve(result)

    async def _call(self, work: Callable[[], Awaitable[Any]], *, heals: bool = False) -> Any:  # noqa: ANN401  # whatever it leads to
        """Do something in the database; an error that is not a refusal poisons the store."""
        if self._poison is not None and not heals:
            raise PoisonedError(_failed(self._poison))
        try:
            return await work()
        except asyncpg.PostgresError as error:
            if error.sqlstate[:2] in REFUSALS:
                raise
            raise self._poisoned(error) from error
        except Exception as error:
            raise self._poisoned(error) from error

    async def _refusal(self, batch: Batch, error: Any) -> JournalError:  # noqa: ANN401
        """Say why a batch was not written."""
        if error.sqlstate == FENCED:
            return FencedError(fenced(batch))
        if error.sqlstate == CONFLICT or error.constraint_name == "record_pkey":
            return ConflictError(conflict(batch))
        if error.constraint_name == "answer_pkey":
            return await self._reused(batch)
        if error.sqlstate == OVERDRAWN:
            return LedgerError(f"Account {error.message} would hold less than nothing.")
        most = max(map(abs, moved(batch.postings).values()), default=0)
        if error.sqlstate == OUT_OF_RANGE or most > CENTS_MAX:
            return LedgerError("An account would hold more than can be written.")
        return JournalError(_refused(error))

    async def _reused(self, batch: Batch) -> JournalError:
        """Say which command was answered already; that one was is certain."""
        with suppress(JournalError):
            for answer in batch.answers:
                if await self.answer(answer.actor, answer.command) is not None:
                    return ReusedCommandError(reused(answer))
        return ReusedCommandError(reused(batch.answers[0]))

    # Reading

    async def _rows(self, query: str, *values: object) -> list[Any]:
        self._require_healthy()
        async with self._reading:
            try:
                rows: list[Any] = await self._reader.fetch(query, *values)
            except MEDIUM_ERRORS as error:
                if isinstance(error, asyncpg.PostgresError) and error.sqlstate[:2] in REFUSALS:
                    raise JournalError(_refused(error)) from error
                raise self._poisoned(error) from error
        return rows


def _said(error: BaseException) -> str:
    """Return what an error says, to be put into a sentence."""
    return str(error).partition("\n")[0].rstrip(".") or type(error).__name__


def _failed(poison: str) -> str:
    return f"The journal failed and must be opened again: {poison}."


def _refused(error: BaseException) -> str:
    return f"The database refused it: {_said(error)}."
