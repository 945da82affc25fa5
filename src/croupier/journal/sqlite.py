"""The store in an SQLite file: one writer thread, group commit, durable before answered.

``synchronous=FULL`` in WAL mode syncs the log at every commit; with less, a power failure
loses acknowledged batches. The writer takes all batches that wait and writes them in one
transaction, so that one sync serves many senders. Any error of the medium poisons the
store: SQLite would go on after a failed sync as if nothing had happened.
"""

from __future__ import annotations

import asyncio
import fcntl
import queue
import sqlite3
import threading
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import msgspec
from msgspec.structs import astuple

from croupier.journal.memory import (
    conflict,
    fenced,
    not_sealed,
    reused,
    sealed_twice,
)
from croupier.journal.record import GENESIS, Answer, Batch, Head, Posting, Record
from croupier.journal.store import (
    ConflictError,
    FencedError,
    JournalError,
    PoisonedError,
    ReusedCommandError,
    check_batch,
    may_be_negative,
    new_balances,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

PRAGMAS = (
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0;"
    "PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000;"
)
SCHEMA = """
CREATE TABLE IF NOT EXISTS record (
    stream TEXT NOT NULL, sequence INTEGER NOT NULL, epoch INTEGER NOT NULL,
    moment TEXT NOT NULL, actor TEXT NOT NULL, command TEXT NOT NULL, name TEXT NOT NULL,
    version INTEGER NOT NULL, body BLOB NOT NULL, previous BLOB NOT NULL, hash BLOB NOT NULL,
    PRIMARY KEY (stream, sequence)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS posting (
    stream TEXT NOT NULL, sequence INTEGER NOT NULL, line INTEGER NOT NULL,
    source TEXT NOT NULL, target TEXT NOT NULL,
    cents INTEGER NOT NULL CHECK (cents > 0), CHECK (source <> target),
    PRIMARY KEY (stream, sequence, line)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answer (
    actor TEXT NOT NULL, command TEXT NOT NULL, digest BLOB NOT NULL, stream TEXT NOT NULL,
    first INTEGER NOT NULL, last INTEGER NOT NULL, result BLOB NOT NULL,
    PRIMARY KEY (command, actor)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS account (
    name TEXT PRIMARY KEY, cents INTEGER NOT NULL, house INTEGER NOT NULL,
    CHECK (cents >= 0 OR house = 1)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS owner (
    stream TEXT PRIMARY KEY, epoch INTEGER NOT NULL, holder TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sealed (
    shoe TEXT NOT NULL, number INTEGER NOT NULL, card BLOB NOT NULL,
    PRIMARY KEY (shoe, number)) WITHOUT ROWID;
"""
KEPT = ("record", "posting", "answer", "sealed")
FOREVER = "".join(
    f"CREATE TRIGGER IF NOT EXISTS {table}_no_{action.lower()} BEFORE {action} ON {table}"
    f" BEGIN SELECT RAISE(ABORT, '{table}s are never changed'); END;"
    for table in KEPT
    for action in ("UPDATE", "DELETE")
)
WIDTHS = {
    table: len(kind.__struct_fields__)
    for table, kind in (("record", Record), ("posting", Posting), ("answer", Answer))
} | {"account": 3}
IF_THERE = {"account": " ON CONFLICT (name) DO UPDATE SET cents = excluded.cents"}
TAKE_OVER = (
    "INSERT INTO owner VALUES (?, 1, ?) ON CONFLICT (stream)"
    " DO UPDATE SET epoch = epoch + 1, holder = excluded.holder RETURNING epoch"
)
CLOSED = "The journal is closed."
ROWS_TOGETHER = 64
"""How many rows one statement inserts at most."""
STATEMENTS_KEPT = len(WIDTHS) * ROWS_TOGETHER + 32
MISTAKES = (sqlite3.IntegrityError, OverflowError, ValueError)
"""What can be wrong with a batch, and not with the medium."""
GROUP_MAX = 512
LOG_ROWS_MAX = 20_000
"""How many rows may be in the log alone before it is copied into the file."""

Job = "tuple[Callable[[], Any] | Batch, asyncio.AbstractEventLoop, asyncio.Future[Any]]"


class _Layer:
    """Values by name on top of others: kept, or forgotten, all at once."""

    def __init__(self, below: dict[str, Any] | _Layer) -> None:
        self._below = below
        self.new: dict[str, Any] = {}

    def get(self, name: str, usual: Any = None) -> Any:  # noqa: ANN401  # an epoch, a head ...
        """Return the newest value."""
        found = self.new.get(name)
        return self._below.get(name, usual) if found is None else found

    def update(self, new: dict[str, Any]) -> None:
        """Note new values."""
        self.new.update(new)

    def keep(self) -> None:
        """Hand the new values to those below."""
        self._below.update(self.new)


class _Changes:
    """What a transaction changes of what the store knows, until it is durable."""

    def __init__(self, *below: dict[str, Any] | _Layer) -> None:
        self._layers = tuple(_Layer(one) for one in below)
        self.epochs, self.heads, self.balances = self._layers

    def within(self) -> _Changes:
        """Return changes on top of these, of a part that may be taken back."""
        return _Changes(*self._layers)

    def check(self, batch: Batch) -> None:
        """Refuse a batch of an epoch that is over, or that does not follow the head."""
        if self.epochs.get(batch.stream) != batch.epoch:
            raise FencedError(fenced(batch))
        if (self.heads.get(batch.stream) or Head(batch.stream, 0, GENESIS)) != batch.after:
            raise ConflictError(conflict(batch))

    def post(self, batch: Batch) -> None:
        """Note the balances and the head after a batch."""
        self.balances.update(new_balances(self.balances, batch.postings))  # type: ignore[arg-type]
        if batch.records:
            last = batch.records[-1]
            self.heads.new[batch.stream] = Head(batch.stream, last.sequence, last.hash)

    def keep(self) -> None:
        """Make the changes what the store knows."""
        for layer in self._layers:
            layer.keep()


class SqliteStore:
    """Keeps the journal in one file, written by this process alone."""

    def __init__(self, path: Path, connect: Callable[..., sqlite3.Connection]) -> None:
        self.path = path
        self._jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._connect = connect
        self._poison: str | None = None
        self._closed = False
        self._logged = 0
        self._lock = _locked(path)
        opened: list[sqlite3.Connection] = []
        try:
            opened.append(connect(path))
            self._write = opened[0]
            self._prepare()
            opened.append(connect(path))
            self._reader = opened[1]
        except BaseException as error:
            for connection in opened:
                connection.close()
            self._lock.close()
            if isinstance(error, sqlite3.Error | OSError):
                message = f"The journal {path.name} cannot be opened: {error}."
                raise PoisonedError(message) from error
            raise
        self._reading = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    @classmethod
    async def open(
        cls, path: Path | str, connect: Callable[..., sqlite3.Connection] | None = None
    ) -> Self:
        """Open or make a journal; a file that another process writes is refused."""
        return await asyncio.to_thread(cls, Path(path), connect or connect_file)

    def _prepare(self) -> None:
        self._write.executescript(SCHEMA + FOREVER)
        rows = self._write.execute("SELECT stream, epoch FROM owner").fetchall()
        self._epochs: dict[str, int] = dict(rows)
        self._heads = {head.stream: head for head in _heads(self._write)}
        rows = self._write.execute("SELECT name, cents FROM account").fetchall()
        self._balances: dict[str, int] = dict(rows)

    # What callers see

    async def claim(self, stream: str, holder: str) -> int:
        """Take a stream over."""
        return await self._submit(lambda changes: self._claim(stream, holder, changes))  # type: ignore[no-any-return]

    async def append(self, batch: Batch) -> None:
        """Write a batch durably, or nothing of it."""
        check_batch(batch)
        await self._submit(batch)

    async def head(self, stream: str) -> Head:
        """Return the newest record's place and hash."""
        self._require_healthy()
        if self._closed:
            raise JournalError(CLOSED)
        return self._heads.get(stream, Head(stream, 0, GENESIS))

    async def heads(self) -> list[Head]:
        """Return the heads of all streams."""
        heads: list[Head] = await self._read(_heads)
        return heads

    async def read(self, stream: str, after: int = 0, limit: int = 10_000) -> list[Record]:
        """Return records of a stream in order."""
        query = (
            "SELECT * FROM record WHERE stream = ? AND sequence > ? ORDER BY sequence LIMIT ?"
        )
        rows = await self._rows(query, stream, after, limit)
        return [Record(*row) for row in rows]

    async def answer(self, actor: str, command: str) -> Answer | None:
        """Return how a command was answered, if it was."""
        query = "SELECT * FROM answer WHERE actor = ? AND command = ?"
        rows = await self._rows(query, actor, command)
        return Answer(*rows[0]) if rows else None

    async def answers(self, stream: str) -> list[Answer]:
        """Return the answers that belong to a stream."""
        query = "SELECT * FROM answer WHERE stream = ? ORDER BY first, actor, command"
        return [Answer(*row) for row in await self._rows(query, stream)]

    async def postings(self, stream: str, after: int = 0) -> list[Posting]:
        """Return the postings of a stream in order."""
        query = (
            "SELECT * FROM posting WHERE stream = ? AND sequence > ? ORDER BY sequence, line"
        )
        return [Posting(*row) for row in await self._rows(query, stream, after)]

    async def balances(self) -> Mapping[str, int]:
        """Return the balance of every account that had a posting."""
        rows = await self._rows("SELECT name, cents FROM account")
        return dict(rows)

    async def keep_sealed(self, shoe: str, cards: Sequence[bytes]) -> None:
        """Keep the sealed cards of a shoe, once."""
        await self._submit(lambda _: self._keep_sealed(shoe, cards))

    async def sealed(self, shoe: str, index: int) -> bytes:
        """Return one sealed card of a shoe."""
        query = "SELECT card FROM sealed WHERE shoe = ? AND number = ?"
        rows = await self._rows(query, shoe, index)
        if not rows:
            raise JournalError(not_sealed(shoe, index))
        card: bytes = rows[0][0]
        return card

    async def close(self) -> None:
        """Finish what waits, copy the log into the file, and close."""
        if self._closed:
            return
        self._closed = True
        healthy = self._poison is None
        if self._thread.is_alive():
            # Behind everything that was submitted.
            asyncio.get_running_loop().call_soon(self._jobs.put, None)
            await asyncio.to_thread(self._thread.join)
        with self._reading:
            self._reader.close()
        self._write.close()
        self._lock.close()
        if healthy and self._poison is not None:
            message = f"The journal failed while it was closed: {self._poison}."
            raise PoisonedError(message)

    # The writer thread

    def _require_healthy(self) -> None:
        if self._poison is not None:
            message = f"The journal failed and must be opened again: {self._poison}."
            raise PoisonedError(message)

    async def _submit(self, job: Callable[[_Changes], Any] | Batch) -> Any:  # noqa: ANN401
        self._require_healthy()
        if self._closed:
            raise JournalError(CLOSED)
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        # When the loop has done what it does now: many desks' batches make one transaction,
        # and the writer does not wake while they are still being decided.
        loop.call_soon(self._jobs.put, (job, loop, future))
        return await future

    def _run(self) -> None:
        while True:
            job = self._jobs.get()
            group = [] if job is None else [job]
            while len(group) < GROUP_MAX and job is not None:
                try:
                    job = self._jobs.get_nowait()
                except queue.Empty:
                    break
                if job is not None:
                    group.append(job)
            if group:
                self._serve(group)
            if job is None:
                self._finish()
                return

    def _serve(self, group: list[Any]) -> None:
        results: list[Any] = []
        try:
            self._require_healthy()
            results = self._write_group([job for job, _, _ in group])
            self._shorten_log()
        except PoisonedError as error:
            results = [error] * len(group)
        except Exception as error:  # noqa: BLE001  # whatever it is, nobody may wait for ever
            # What reached the medium is not known: nobody is told that it did.
            self._poison = str(error) or type(error).__name__
            message = f"The journal failed and must be opened again: {self._poison}."
            results = [PoisonedError(message)] * len(group)
        _answer_all(group, results)

    def _write_group(self, jobs: list[Any]) -> list[Any]:
        """Write all jobs in one transaction, together if nothing is wrong with any."""
        try:
            return self._transaction(jobs, self._do_together)
        except (JournalError, *MISTAKES):
            # Somebody's mistake, and nothing was written: each job by itself finds whose.
            return self._transaction(jobs, self._do_each)

    def _transaction(
        self, jobs: list[Any], do: Callable[[list[Any], _Changes], list[Any]]
    ) -> list[Any]:
        write = self._write
        changes = _Changes(self._epochs, self._heads, self._balances)
        write.execute("BEGIN IMMEDIATE")
        try:
            results = do(jobs, changes)
            write.execute("COMMIT")
        except BaseException:
            if write.in_transaction:
                write.execute("ROLLBACK")
            raise
        changes.keep()
        return results

    def _do_together(self, jobs: list[Any], changes: _Changes) -> list[Any]:
        results: list[Any] = []
        batches: list[Batch] = []
        for job in jobs:
            if isinstance(job, Batch):
                changes.check(job)
                changes.post(job)
                batches.append(job)
                results.append(None)
            else:
                results.append(job(changes))
        self._insert(batches, changes)
        return results

    def _insert(self, batches: list[Batch], changes: _Changes) -> None:
        write = self._write
        answers = [astuple(one) for batch in batches for one in batch.answers]
        records = [astuple(one) for batch in batches for one in batch.records]
        postings = [astuple(one) for batch in batches for one in batch.postings]
        balances = [
            (account, cents, int(may_be_negative(account)))
            for account, cents in changes.balances.new.items()
        ]
        insert_rows(write, "answer", answers)
        insert_rows(write, "record", records)
        insert_rows(write, "posting", postings)
        insert_rows(write, "account", balances)
        self._logged += len(answers) + len(records) + len(postings) + len(balances)

    def _do_each(self, jobs: list[Any], changes: _Changes) -> list[Any]:
        return [self._do(job, changes) for job in jobs]

    def _do(self, job: Any, changes: _Changes) -> Any:  # noqa: ANN401  # a result, or an error
        write, own = self._write, changes.within()
        write.execute("SAVEPOINT job")
        try:
            result = None
            if isinstance(job, Batch):
                own.check(job)
                self._insert_answers(job)
                own.post(job)
                self._insert([msgspec.structs.replace(job, answers=())], own)
            else:
                result = job(own)
        except (JournalError, *MISTAKES) as error:
            # A lone surrogate or a number too large is this batch's mistake alone.
            write.execute("ROLLBACK TO job")
            result = error if isinstance(error, JournalError) else JournalError(f"{error}.")
        else:
            own.keep()
        write.execute("RELEASE job")
        return result

    def _insert_answers(self, batch: Batch) -> None:
        for answer in batch.answers:
            try:
                self._write.execute(_statement("answer"), astuple(answer))
            except sqlite3.IntegrityError as error:
                raise ReusedCommandError(reused(answer)) from error

    def _claim(self, stream: str, holder: str, changes: _Changes) -> int:
        (epoch,) = self._write.execute(TAKE_OVER, (stream, holder)).fetchone()
        changes.epochs.new[stream] = int(epoch)
        return int(epoch)

    def _keep_sealed(self, shoe: str, cards: Sequence[bytes]) -> None:
        rows = [(shoe, number, card) for number, card in enumerate(cards)]
        if not rows:
            raise JournalError(sealed_twice(shoe))
        try:
            self._write.executemany("INSERT INTO sealed VALUES (?, ?, ?)", rows)
        except sqlite3.IntegrityError as error:
            raise JournalError(sealed_twice(shoe)) from error

    def _shorten_log(self) -> None:
        """Copy the log into the file now and then."""
        if self._logged >= LOG_ROWS_MAX:
            # Called by hand, because SQLite keeps an error of its own checkpoint to itself.
            # Passive: a reader who takes long must not keep the writer waiting.
            self._write.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            self._logged = 0

    def _finish(self) -> None:
        if self._poison is None:
            try:
                self._write.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            except sqlite3.Error as error:
                self._poison = str(error)

    # Reading

    async def _rows(self, query: str, *values: object) -> list[Any]:
        rows: list[Any] = await self._read(
            lambda connection: connection.execute(query, values).fetchall()
        )
        return rows

    async def _read(self, ask: Callable[[sqlite3.Connection], Any]) -> Any:  # noqa: ANN401
        self._require_healthy()
        if self._closed:
            raise JournalError(CLOSED)
        return await asyncio.to_thread(self._ask, ask)

    def _ask(self, ask: Callable[[sqlite3.Connection], Any]) -> Any:  # noqa: ANN401
        with self._reading:
            try:
                return ask(self._reader)
            except sqlite3.Error as error:
                self._poison = str(error)
                message = f"The journal cannot be read: {error}."
                raise PoisonedError(message) from error


def connect_file(path: Path) -> sqlite3.Connection:
    """Open the file as the journal needs it."""
    connection = sqlite3.connect(
        path, isolation_level=None, check_same_thread=False, cached_statements=STATEMENTS_KEPT
    )
    try:
        connection.executescript(PRAGMAS)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _locked(path: Path) -> Any:  # noqa: ANN401  # an open file
    """Hold the lock of a journal file, so that one process writes it."""
    try:
        lock = Path(f"{path}.lock").open("w", encoding="ascii")  # noqa: SIM115  # held open
    except OSError as error:
        message = f"The journal {path} cannot be opened: {error.strerror}."
        raise JournalError(message) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        message = f"The journal {path.name} is being written by another process."
        raise JournalError(message) from error
    return lock


def _heads(connection: sqlite3.Connection) -> list[Head]:
    streams = [row[0] for row in connection.execute("SELECT DISTINCT stream FROM record")]
    newest = (
        "SELECT stream, sequence, hash FROM record WHERE stream = ?"
        " ORDER BY sequence DESC LIMIT 1"
    )
    return [
        Head(*connection.execute(newest, (stream,)).fetchone()) for stream in sorted(streams)
    ]


def insert_rows(write: sqlite3.Connection, table: str, rows: list[Any]) -> None:
    """Insert rows, many by one step: between steps the thread would wait for its turn."""
    for first in range(0, len(rows), ROWS_TOGETHER):
        some = rows[first : first + ROWS_TOGETHER]
        write.execute(_statement(table, len(some)), list(chain.from_iterable(some)))


@cache
def _statement(table: str, rows: int = 1) -> str:
    """Return an INSERT of so many rows."""
    row = f"({', '.join('?' * WIDTHS[table])})"
    return f"INSERT INTO {table} VALUES {', '.join([row] * rows)}{IF_THERE.get(table, '')}"  # noqa: S608  # our own names


def _answer_all(group: list[Any], results: list[Any]) -> None:
    """Answer everybody who waits, with one call for each loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[Any]] = {}
    for (_, loop, future), result in zip(group, results, strict=True):
        by_loop.setdefault(loop, []).append((future, result))
    for loop, answers in by_loop.items():
        loop.call_soon_threadsafe(_resolve, answers)


def _resolve(answers: list[tuple[asyncio.Future[Any], object]]) -> None:
    for future, result in answers:
        if future.done():
            continue
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)
