"""The store in an SQLite file: one writer thread, group commit, durable before answered.

``synchronous=FULL`` in WAL mode syncs the log at every commit; with less, a power failure
loses acknowledged batches. The writer takes all batches that wait and writes them in one
transaction, so that one sync serves many senders. Any error of the medium poisons the
store: SQLite would go on after a failed sync as if nothing had happened.
"""

from __future__ import annotations

import asyncio
import os
import queue
import sqlite3
import threading
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import msgspec
from msgspec.structs import astuple

from croupier.journal.changes import Changes
from croupier.journal.memory import not_sealed, reused, sealed_twice
from croupier.journal.record import GENESIS, Answer, Batch, Head, Posting, Record
from croupier.journal.sqlite_file import locked, read_heads, read_known, write_log_again
from croupier.journal.sqlite_schema import (
    FOREVER,
    ROWS_TOGETHER,
    SCHEMA,
    SHAPE,
    TAKE_OVER,
    WIDTHS,
    insert_rows,
    insert_statement,
    wanted_shape,
)
from croupier.journal.store import (
    JournalError,
    PoisonedError,
    ReusedCommandError,
    check_batch,
    check_names,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

PRAGMAS = (
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0;"
    "PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000;"
)
CLOSED = "The journal is closed."
FAILED = "The journal failed and must be opened again: {}."
REOPEN = "reopen"
"""The job that opens the file again."""
STATEMENTS_KEPT = len(WIDTHS) * ROWS_TOGETHER + 32
MISTAKES = (sqlite3.IntegrityError, OverflowError, ValueError)
"""What can be wrong with a batch, and not with the medium."""
GROUP_MAX = 512
LOG_ROWS_MAX = 20_000
"""How many rows may be in the log alone before it is copied into the file."""


class OtherWriterError(Exception):
    """Somebody else wrote the file: what this process knows of it is no longer so."""


class SqliteStore:
    """Keeps the journal in one file, written by this process alone."""

    def __init__(self, path: Path, connect: Callable[..., sqlite3.Connection]) -> None:
        # What a link leads to: there SQLite keeps the log, and there is one lock.
        self.path = Path(os.path.realpath(path))
        self._jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._connect = connect
        self._poison: str | None = None
        self._closed = False
        self._in_doubt = True
        """Whether a batch that failed may lie whole in the log; before the start, too."""
        self._logged = 0
        self._reading = threading.Lock()
        self._connections: list[sqlite3.Connection] = []
        self._lock = locked(self.path)
        try:
            self._open()
        except BaseException as error:
            self._disconnect()
            self._lock.close()
            if isinstance(error, sqlite3.Error | OSError):
                message = f"The journal {path.name} cannot be opened: {error}."
                raise PoisonedError(message) from error
            raise
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    @classmethod
    async def open(
        cls, path: Path | str, connect: Callable[..., sqlite3.Connection] | None = None
    ) -> Self:
        """Open or make a journal; a file that another process writes is refused."""
        return await asyncio.to_thread(cls, Path(path), connect or connect_file)

    def _require_form(self) -> None:
        """Refuse a file of another form; one whose making was interrupted may lack parts."""
        for part, sql in self._write.execute(SHAPE).fetchall():
            if wanted_shape().get(part) != sql:
                message = (
                    f"The journal {self.path.name} has another form than this version writes:"
                    f" its {part} differs; restore it from an export."
                )
                raise JournalError(message)

    def _open(self) -> None:
        """Connect, and read what the file holds, once that is durable."""
        self._make_durable()
        self._write = self._connected()
        self._require_form()
        self._write.executescript(SCHEMA + FOREVER)
        self._write.execute("BEGIN")
        self._heads, self._epochs, self._balances = read_known(self._write)
        self._version = self._data_version()
        self._write.execute("ROLLBACK")
        self._reader = self._connected()

    def _make_durable(self) -> None:
        """Make certain that the log is on the medium, and let go of the file.

        Whoever closes a file last copies the log into it, so the old connections stay until
        the log can be trusted.
        """
        with closing(self._connect(self.path)) as connection:
            # Nobody writes the log meanwhile, not even who went around the lock.
            connection.execute("BEGIN IMMEDIATE")
            write_log_again(self.path)
            connection.execute("ROLLBACK")
            self._disconnect()

    def _connected(self) -> sqlite3.Connection:
        connection = self._connect(self.path)
        self._connections.append(connection)
        return connection

    def _disconnect(self) -> None:
        while self._connections:
            self._connections.pop().close()

    def _data_version(self) -> int:
        """Return a number that changes whenever another connection changes the file."""
        (version,) = self._write.execute("PRAGMA data_version").fetchone()
        return int(version)

    # What callers see

    async def claim(self, stream: str, holder: str) -> int:
        """Take a stream over."""
        check_names((stream, holder))
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
        heads: list[Head] = await self._read(read_heads)
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
        check_names((shoe,))
        await self._submit(lambda _: self._keep_sealed(shoe, cards))

    async def sealed(self, shoe: str, index: int) -> bytes:
        """Return one sealed card of a shoe."""
        query = "SELECT card FROM sealed WHERE shoe = ? AND number = ?"
        rows = await self._rows(query, shoe, index)
        if not rows:
            raise JournalError(not_sealed(shoe, index))
        card: bytes = rows[0][0]
        return card

    async def reopen(self) -> None:
        """Open the file again after it failed, and read what reached it."""
        if self._poison is not None or self._closed:
            # By the writer itself, so that nothing is being written meanwhile.
            await self._put(REOPEN)

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
            if self._poison is not None:
                with suppress(sqlite3.Error, OSError):
                    self._make_durable()
            self._disconnect()
        self._lock.close()
        if healthy and self._poison is not None:
            message = f"The journal failed while it was closed: {self._poison}."
            raise PoisonedError(message)

    # The writer thread

    def _require_healthy(self) -> None:
        if self._poison is not None:
            raise PoisonedError(FAILED.format(self._poison))

    async def _submit(self, job: Callable[[Changes], Any] | Batch) -> Any:  # noqa: ANN401
        self._require_healthy()
        return await self._put(job)

    async def _put(self, job: object) -> Any:  # noqa: ANN401  # whatever the job leads to
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
        jobs = [job for job, _, _ in group]
        results: list[Any] = []
        try:
            if self._poison is not None and REOPEN in jobs:
                self._open_again()
            self._require_healthy()
            results = self._write_group(jobs)
            self._shorten_log()
        except PoisonedError as error:
            results = [error] * len(group)
        except Exception as error:  # noqa: BLE001  # whatever it is, nobody may wait for ever
            # What reached the medium is not known: nobody is told that it did.
            self._poison = str(error) or type(error).__name__
            results = [PoisonedError(FAILED.format(self._poison))] * len(group)
        _answer_all(group, results)

    def _open_again(self) -> None:
        """Open the file anew; the lock of this process stays."""
        with self._reading:
            self._open()
            self._write_over()
            self._poison = None

    def _write_over(self) -> None:
        """Commit something, so that a batch that failed cannot come back.

        While others have the file open, SQLite goes on from its index of the log. A batch
        whose sync failed lies whole behind the end of that index, and a power failure would
        bring it back. The commit takes its place. Until that is durable nobody may be told
        that nothing came of the batch; a full disk is read on only if no batch is in doubt.
        """
        try:
            (times,) = self._write.execute("PRAGMA user_version").fetchone()
            self._write.execute(f"PRAGMA user_version = {times + 1}")
        except sqlite3.OperationalError as error:
            if self._in_doubt or not _found_no_room(error):
                raise
        self._in_doubt = False

    def _write_group(self, jobs: list[Any]) -> list[Any]:
        """Write all jobs in one transaction, together if nothing is wrong with any."""
        try:
            return self._transaction(jobs, self._do_together)
        except (JournalError, *MISTAKES):
            # Somebody's mistake, and nothing was written: each job by itself finds whose.
            return self._transaction(jobs, self._do_each)

    def _transaction(
        self, jobs: list[Any], do: Callable[[list[Any], Changes], list[Any]]
    ) -> list[Any]:
        write = self._write
        changes = Changes(self._epochs, self._heads, self._balances)
        write.execute("BEGIN IMMEDIATE")
        try:
            self._require_alone()
            results = do(jobs, changes)
            self._commit()
        except BaseException:
            if write.in_transaction:
                write.execute("ROLLBACK")
            raise
        changes.keep()
        return results

    def _commit(self) -> None:
        try:
            self._write.execute("COMMIT")
        except Exception as error:
            # What ends a batch in the log is written last: without room it is not there.
            self._in_doubt = self._in_doubt or not _found_no_room(error)
            raise
        self._in_doubt = False

    def _require_alone(self) -> None:
        """Refuse to write what somebody else wrote, whatever became of the lock."""
        version = self._data_version()
        if version == self._version:
            return
        # Whoever shortens the log changes the number, too, and nothing else.
        if read_known(self._write) != (self._heads, self._epochs, self._balances):
            message = "another process wrote it"
            raise OtherWriterError(message)
        self._version = version

    def _do_together(self, jobs: list[Any], changes: Changes) -> list[Any]:
        results: list[Any] = []
        batches: list[Batch] = []
        for job in jobs:
            if isinstance(job, Batch):
                changes.check(job)
                changes.post(job)
                batches.append(job)
                results.append(None)
            else:
                results.append(None if job is REOPEN else job(changes))
        self._insert(batches, changes)
        return results

    def _insert(self, batches: list[Batch], changes: Changes) -> None:
        write = self._write
        answers = [astuple(one) for batch in batches for one in batch.answers]
        records = [astuple(one) for batch in batches for one in batch.records]
        postings = [astuple(one) for batch in batches for one in batch.postings]
        balances = list(changes.balances.new.items())
        insert_rows(write, "answer", answers)
        insert_rows(write, "record", records)
        insert_rows(write, "posting", postings)
        insert_rows(write, "account", balances)
        self._logged += len(answers) + len(records) + len(postings) + len(balances)

    def _do_each(self, jobs: list[Any], changes: Changes) -> list[Any]:
        return [self._do(job, changes) for job in jobs]

    def _do(self, job: Any, changes: Changes) -> Any:  # noqa: ANN401  # a result, or an error
        write, own = self._write, changes.within()
        write.execute("SAVEPOINT job")
        try:
            result = None
            if isinstance(job, Batch):
                own.check(job)
                self._insert_answers(job)
                own.post(job)
                self._insert([msgspec.structs.replace(job, answers=())], own)
            elif job is not REOPEN:
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
                self._write.execute(insert_statement("answer"), astuple(answer))
            except sqlite3.IntegrityError as error:
                raise ReusedCommandError(reused(answer)) from error

    def _claim(self, stream: str, holder: str, changes: Changes) -> int:
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
            self._require_healthy()
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


def _found_no_room(error: Exception) -> bool:
    return "full" in str(error)


def _answer_all(group: list[Any], results: list[Any]) -> None:
    """Answer everybody who waits, with one call for each loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[Any]] = {}
    for (_, loop, future), result in zip(group, results, strict=True):
        by_loop.setdefault(loop, []).append((future, result))
    for loop, answers in by_loop.items():
        # In a loop that was closed nobody waits any more; the others do.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_resolve, answers)


def _resolve(answers: list[tuple[asyncio.Future[Any], object]]) -> None:
    for future, result in answers:
        if future.done():
            continue
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)
