"""The store in a PostgreSQL database, for many processes: fenced, durable before answered.

All frames that wait go to the server as one call of one function, which is one transaction.
The client therefore never holds a lock while it thinks: a process that is stopped in the
middle of an append cannot keep others from taking its streams over. The function locks the
owner of every stream, so what it checks still holds when it writes. If any stream is refused,
nothing of the call is written, and each frame, and then each of its streams, is tried alone.

When the connection is lost, nobody knows whether the last call was committed. The store is
poisoned, and whoever opens it again finds out by the identifications of the commands.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Any, Self

import asyncpg
import msgspec

from croupier.accounting import CENTS_MAX, SUMS
from croupier.journal.decision import Head, Posting, Record
from croupier.journal.errors import JournalError, PoisonedError
from croupier.journal.frames import (
    ERRORS,
    Frame,
    Kept,
    Part,
    conflict,
    fenced,
    overdrawn,
    overflown,
    taken,
    without,
    wrong_parts,
)
from croupier.journal.names import check_names
from croupier.journal.postgres_frames import follow_one_another, joined, values
from croupier.journal.postgres_inbox import SCHEMA as INBOX
from croupier.journal.postgres_inbox import PostgresInbox
from croupier.journal.postgres_schema import SCHEMA
from croupier.journal.store import not_sealed, sealed_twice

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

    from croupier.journal.frames import Refusals
    from croupier.journal.store import Key

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

CALL = f"SELECT append_frame({', '.join(f'${n}' for n in range(1, 26))})"
COLUMNS = "stream, sequence, command_id, actor, body, hash"
LAST = "\U0010ffff"
"""Behind every character that a name can have."""
# Epochs never fall in a stream, so the newest decision has the highest of them. All streams
# by one statement, in the order of their names.
TAKE_OVER = (
    "INSERT INTO owner SELECT one, 1 + coalesce((SELECT"
    " (convert_from(body, 'UTF8')::json ->> 'epoch')::bigint FROM decision"
    " WHERE decision.stream = one ORDER BY sequence DESC LIMIT 1), 0), $2"
    ' FROM (SELECT one FROM unnest($1::text[]) AS one ORDER BY one COLLATE "C") AS wanted'
    " ON CONFLICT (stream)"
    " DO UPDATE SET epoch = greatest(owner.epoch + 1, excluded.epoch),"
    " holder = excluded.holder RETURNING stream, epoch"
)
# Locks are of a whole database, and a journal is in one schema of it.
HOLD = (
    "SELECT one, pg_try_advisory_lock(hashtextextended(current_schema() || ' ' || one, 0))"
    " FROM unnest($1::text[]) AS one"
)
KEEP_SEALED = (
    "INSERT INTO sealed SELECT $1, number - 1, card"
    " FROM unnest($2::bytea[]) WITH ORDINALITY AS kept (card, number)"
)
# From stream to stream by the key of the decisions, which cannot be deleted as an owner can.
HEADS = """
WITH RECURSIVE streams (stream) AS (
    (SELECT stream FROM decision ORDER BY stream LIMIT 1)
    UNION ALL
    SELECT (SELECT decision.stream FROM decision
        WHERE decision.stream > streams.stream ORDER BY decision.stream LIMIT 1)
    FROM streams WHERE streams.stream IS NOT NULL)
SELECT newest.* FROM streams CROSS JOIN LATERAL (
    SELECT stream, sequence, hash FROM decision
    WHERE decision.stream = streams.stream ORDER BY sequence DESC LIMIT 1) AS newest
ORDER BY newest.stream
"""
NEWEST = (
    "SELECT stream, sequence, hash FROM decision WHERE stream = $1"
    " ORDER BY sequence DESC LIMIT 1"
)
DURABILITY = (
    "SELECT current_setting('fsync'), current_setting('synchronous_commit'),"
    " current_setting('server_encoding')"
)
FOUND = (
    f"SELECT {', '.join(f'decision.{one}' for one in COLUMNS.split(', '))}"  # noqa: S608
    " FROM unnest($1::text[], $2::text[], $3::text[]) AS wanted (one, two, three)"
    " JOIN decision ON decision.command_id = three AND decision.actor = two"
    " AND one IN (decision.stream, '')"
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


class Job(msgspec.Struct):
    """Something that waits for the writer, and who waits for it."""

    work: Frame | Callable[[], Awaitable[Any]]
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
        self._callbacks: list[tuple[Callable[[str, int], None], str]] = []
        """With the channel on which each hears."""
        self._held: set[str] = set()
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
        if self._held:
            await self._write.fetch(HOLD, list(self._held))
        for callback, channel in self._callbacks:
            await self._hear(callback, channel)

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
            if await self._write.fetchval("SELECT to_regclass('record') IS NOT NULL"):
                message = (
                    "The journal in this database is of the old form, which kept effects and"
                    " answers; this version keeps decisions and cannot go on in it."
                )
                raise JournalError(message)
            if await self._write.fetchval("SELECT to_regclass('owner') IS NULL"):
                await self._write.execute(SCHEMA)
            # A journal may be older than the inbox beside it.
            if await self._write.fetchval("SELECT to_regclass('inbox') IS NULL"):
                await self._write.execute(INBOX)

    # What callers see

    async def claim(self, streams: Sequence[str], holder: str) -> list[int]:
        """Take streams over."""
        check_names((*streams, holder))
        names = list(streams)
        epochs = dict(await self._submit(lambda: self._write.fetch(TAKE_OVER, names, holder)))
        return [epochs[stream] for stream in streams]

    async def hold(self, streams: Sequence[str]) -> list[str]:
        """Keep streams from others who ask for them, as long as this process is connected.

        Returns those that somebody else keeps. What may be written is for the epochs alone.
        """
        rows = await self._submit(lambda: self._write.fetch(HOLD, list(streams)))
        others = [stream for stream, held in rows if not held]
        self._held.update(set(streams) - set(others))
        return others

    def append(self, frame: Frame) -> asyncio.Future[Mapping[str, JournalError]]:
        """Write a frame durably."""
        return self._put(frame)

    async def head(self, stream: str) -> Head:
        """Return the newest decision's sequence and hash."""
        rows = await self._rows(NEWEST, stream)
        return Head(*rows[0]) if rows else Head(stream)

    async def heads(self) -> list[Head]:
        """Return the heads of all streams that have decisions."""
        return [Head(*row) for row in await self._rows(HEADS)]

    async def epoch(self, stream: str) -> int:
        """Return the newest epoch of a stream."""
        rows = await self._rows("SELECT epoch FROM owner WHERE stream = $1", stream)
        return int(rows[0][0]) if rows else 0

    async def read(self, stream: str, after: int = 0, limit: int = 10_000) -> list[Record]:
        """Return records of a stream in order."""
        query = (
            f"SELECT {COLUMNS} FROM decision WHERE stream = $1 AND sequence > $2"  # noqa: S608
            " ORDER BY sequence LIMIT $3"
        )
        return [Record(*row) for row in await self._rows(query, stream, after, limit)]

    async def find(self, keys: Iterable[Key]) -> dict[Key, Record]:
        """Return the records of commands that are in the journal."""
        wanted = list(keys)
        if not wanted:
            return {}
        columns = [list(column) for column in zip(*wanted, strict=True)]
        records = [Record(*row) for row in await self._rows(FOUND, *columns)]
        return {(one.stream, one.actor, one.command_id): one for one in records}

    async def postings(self, stream: str, after: int = 0) -> list[Posting]:
        """Return the postings of a stream in order."""
        query = (
            "SELECT * FROM posting WHERE stream = $1 AND sequence > $2 ORDER BY sequence, line"
        )
        return [Posting(*row) for row in await self._rows(query, stream, after)]

    async def balances(self, prefix: str = "") -> Mapping[str, int]:
        """Return the balances of the accounts whose names begin so."""
        query = "SELECT name, cents FROM account WHERE name >= $1 AND name < $2 ORDER BY name"
        found = dict(await self._rows(query, prefix, prefix + LAST))
        for name in SUMS:
            if name.startswith(prefix):
                moved = (
                    "SELECT sum(CASE WHEN target = $1 THEN cents ELSE -cents END)::bigint"
                    " FROM posting WHERE source = $1 OR target = $1"
                )
                ((cents,),) = await self._rows(moved, name)
                if cents is not None:
                    found[name] = cents
        return found

    async def snapshot(self, stream: str) -> Kept | None:
        """Return the newest snapshot of a stream."""
        rows = await self._rows("SELECT * FROM snapshot WHERE stream = $1", stream)
        return Kept(*rows[0]) if rows else None

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

    @property
    def inbox(self) -> PostgresInbox:
        """Return where commands lie for streams that other processes own."""
        return PostgresInbox(self._written, self._rows, self.listen)

    async def _written(self, query: str, *values: object) -> Any:  # noqa: ANN401
        return await self._submit(lambda: self._write.fetchval(query, *values))

    async def listen(
        self, callback: Callable[[str, int], None], channel: str = CHANNEL
    ) -> None:
        """Call back with stream and sequence after every append, by whichever process.

        What is appended while the store is poisoned is not told; who hears fetches it.
        """
        self._require_healthy()
        try:
            await self._hear(callback, channel)
        except MEDIUM_ERRORS as error:
            raise self._poisoned(error) from error
        self._callbacks.append((callback, channel))

    async def _hear(self, callback: Callable[[str, int], None], channel: str) -> None:
        def heard(_: object, __: int, ___: str, payload: str) -> None:
            stream, _space, sequence = payload.rpartition(" ")
            callback(stream, int(sequence))

        connection = await self._connect()
        await connection.add_listener(channel, heard)

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

    async def _submit(self, work: Callable[[], Awaitable[Any]]) -> Any:  # noqa: ANN401
        self._require_healthy()
        return await self._put(work)

    def _put(
        self, work: Frame | Callable[[], Awaitable[Any]], *, heals: bool = False
    ) -> asyncio.Future[Any]:
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        try:
            self._require_open()
            if not heals:
                self._require_healthy()
        except JournalError as error:
            future.set_exception(error)
            return future
        self._jobs.append(Job(work, future, heals))
        self._wake.set()
        return future

    async def _run(self) -> None:
        while self._jobs or not self._closing:
            if not self._jobs:
                self._wake.clear()
                await self._wake.wait()
            elif isinstance(self._jobs[0].work, Frame):
                await self._serve_group(self._next_group())
            else:
                await self._serve(self._jobs.popleft())

    def _next_group(self) -> list[Job]:
        """Take the frames that wait and can be written together."""
        jobs: list[Job] = []
        while self._jobs and len(jobs) < GROUP_MAX:
            work = self._jobs[0].work
            if not isinstance(work, Frame) or not follow_one_another([*_frames(jobs), work]):
                break
            jobs.append(self._jobs.popleft())
        return jobs

    async def _serve_group(self, jobs: list[Job]) -> None:
        frames = _frames(jobs)
        try:
            if not any(map(wrong_parts, frames)):
                whole = values(joined(frames))
                await self._call(lambda: self._write.execute(CALL, *whole))
                for job in jobs:
                    job.resolve({})
                return
        except PoisonedError as error:
            for job in jobs:
                job.resolve(error)
            return
        except asyncpg.PostgresError:
            pass  # nothing was written; each stream by itself finds whose it is
        for job, frame in zip(jobs, frames, strict=True):
            await self._serve_alone(job, frame)

    async def _serve_alone(self, job: Job, frame: Frame) -> None:
        """Write the streams of a frame one by one, each in a transaction of its own."""
        refused: Refusals = wrong_parts(frame)
        for stream, part in frame.parts.items():
            if stream in refused:
                continue
            others = {other: ("", "") for other in frame.parts if other != stream}
            alone = without(frame, others)
            try:
                await self._call_with(values(alone))
            except PoisonedError as error:
                job.resolve(error)
                return
            except asyncpg.PostgresError as error:
                refused[stream] = _refusal(stream, part, alone, error)
        job.resolve({name: ERRORS[code](said) for name, (code, said) in refused.items()})

    async def _call_with(self, arrays: list[list[Any]]) -> None:
        await self._call(lambda: self._write.execute(CALL, *arrays))

    async def _serve(self, job: Job) -> None:
        assert not isinstance(job.work, Frame)
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


def _frames(jobs: list[Job]) -> list[Frame]:
    return [job.work for job in jobs if isinstance(job.work, Frame)]


def _refusal(stream: str, part: Part, frame: Frame, error: Any) -> tuple[str, str]:  # noqa: ANN401
    """Say why a stream was not written."""
    if error.sqlstate == FENCED:
        return fenced(stream, part.epoch)
    if error.sqlstate == CONFLICT or error.constraint_name == "decision_pkey":
        return conflict(stream, part.after)
    if error.constraint_name == "decision_once":
        return taken(frame.decisions[4], frame.decisions[3])
    if error.sqlstate == OVERDRAWN:
        return overdrawn(error.message)
    changes = frame.changes.get(stream, {})
    most = max(changes, key=lambda name: abs(changes[name][0]), default="")
    if error.sqlstate == OUT_OF_RANGE or (most and abs(changes[most][0]) > CENTS_MAX):
        return overflown(most)
    return "wrong", _refused(error)


def _said(error: BaseException) -> str:
    """Return what an error says, to be put into a sentence."""
    return str(error).partition("\n")[0].rstrip(".") or type(error).__name__


def _failed(poison: str) -> str:
    return f"The journal failed and must be opened again: {poison}."


def _refused(error: BaseException) -> str:
    return f"The database refused it: {_said(error)}."
