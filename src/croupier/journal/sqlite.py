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
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

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
    PRIMARY KEY (actor, command)) WITHOUT ROWID;
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
INSERT_RECORD = "INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
INSERT_POSTING = "INSERT INTO posting VALUES (?, ?, ?, ?, ?, ?)"
INSERT_ANSWER = "INSERT INTO answer VALUES (?, ?, ?, ?, ?, ?, ?)"
SET_BALANCE = (
    "INSERT INTO account VALUES (?, ?, ?)"
    " ON CONFLICT (name) DO UPDATE SET cents = excluded.cents"
)
TAKE_OVER = (
    "INSERT INTO owner VALUES (?, 1, ?) ON CONFLICT (stream)"
    " DO UPDATE SET epoch = epoch + 1, holder = excluded.holder RETURNING epoch"
)
CLOSED = "The journal is closed."
GROUP_MAX = 512
LOG_ROWS_MAX = 20_000
"""How many records are written before the log is copied into the file."""

Job = "tuple[Callable[[], Any] | Batch, asyncio.AbstractEventLoop, asyncio.Future[Any]]"


class SqliteStore:
    """Keeps the journal in one file, written by this process alone."""

    def __init__(self, path: Path, connect: Callable[..., sqlite3.Connection]) -> None:
        self.path = path
        self._jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._connect = connect
        self._poison: str | None = None
        self._closed = False
        self._since_copy = 0
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
        self._durable = self._heads.copy()
        rows = self._write.execute("SELECT name, cents FROM account").fetchall()
        self._balances: dict[str, int] = dict(rows)

    # What callers see

    async def claim(self, stream: str, holder: str) -> int:
        """Take a stream over."""
        return await self._submit(lambda: self._claim(stream, holder))  # type: ignore[no-any-return]

    async def append(self, batch: Batch) -> None:
        """Write a batch durably, or nothing of it."""
        check_batch(batch)
        await self._submit(batch)

    async def head(self, stream: str) -> Head:
        """Return the newest record's place and hash."""
        self._require_healthy()
        if self._closed:
            raise JournalError(CLOSED)
        return self._durable.get(stream, Head(stream, 0, GENESIS))

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
        await self._submit(lambda: self._keep_sealed(shoe, cards))

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
        if self._thread.is_alive():
            self._jobs.put(None)
            await asyncio.to_thread(self._thread.join)
        with self._reading:
            self._reader.close()
        self._write.close()
        self._lock.close()

    # The writer thread

    def _require_healthy(self) -> None:
        if self._poison is not None:
            message = f"The journal failed and must be opened again: {self._poison}."
            raise PoisonedError(message)

    async def _submit(self, job: Callable[[], Any] | Batch) -> Any:  # noqa: ANN401
        self._require_healthy()
        if self._closed:
            raise JournalError(CLOSED)
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        self._jobs.put((job, loop, future))
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
        for (_, loop, future), result in zip(group, results, strict=True):
            loop.call_soon_threadsafe(_resolve, future, result)

    def _write_group(self, jobs: list[Any]) -> list[Any]:
        write = self._write
        write.execute("BEGIN IMMEDIATE")
        before = self._heads.copy(), self._balances.copy(), self._epochs.copy()
        try:
            results = [self._do(job) for job in jobs]
            write.execute("COMMIT")
            self._durable = self._heads.copy()
        except BaseException:
            self._heads, self._balances, self._epochs = before
            if write.in_transaction:
                write.execute("ROLLBACK")
            raise
        return results

    def _do(self, job: Callable[[], Any] | Batch) -> Any:  # noqa: ANN401  # a result, or an error
        write = self._write
        write.execute("SAVEPOINT job")
        try:
            result = None
            if isinstance(job, Batch):
                self._append(job)
            else:
                result = job()
        except (JournalError, sqlite3.IntegrityError, OverflowError, ValueError) as error:
            # A lone surrogate or a number too large is this batch's mistake alone.
            write.execute("ROLLBACK TO job")
            result = error if isinstance(error, JournalError) else JournalError(f"{error}.")
        write.execute("RELEASE job")
        return result

    def _append(self, batch: Batch) -> None:
        if self._epochs.get(batch.stream) != batch.epoch:
            raise FencedError(fenced(batch))
        if self._heads.get(batch.stream, Head(batch.stream, 0, GENESIS)) != batch.after:
            raise ConflictError(conflict(batch))
        write = self._write
        for answer in batch.answers:
            try:
                write.execute(INSERT_ANSWER, astuple(answer))
            except sqlite3.IntegrityError as error:
                raise ReusedCommandError(reused(answer)) from error
        changed = new_balances(self._balances, batch.postings)
        write.executemany(INSERT_RECORD, [astuple(record) for record in batch.records])
        if changed:
            write.executemany(INSERT_POSTING, [astuple(one) for one in batch.postings])
            rows = [
                (account, cents, int(may_be_negative(account)))
                for account, cents in changed.items()
            ]
            write.executemany(SET_BALANCE, rows)
        self._balances.update(changed)
        self._since_copy += len(batch.records)
        if batch.records:
            last = batch.records[-1]
            self._heads[batch.stream] = Head(batch.stream, last.sequence, last.hash)

    def _claim(self, stream: str, holder: str) -> int:
        (epoch,) = self._write.execute(TAKE_OVER, (stream, holder)).fetchone()
        self._epochs[stream] = epoch
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
        """Copy the log into the file from time to time.

        It is done by hand because SQLite keeps an error of its own checkpoints to itself, and
        passively, so that it never waits for somebody who reads.
        """
        if self._since_copy >= LOG_ROWS_MAX:
            self._since_copy = 0
            self._write.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()

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
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
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


def _resolve(future: asyncio.Future[Any], result: object) -> None:
    if future.done():
        return
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)
