"""The file of the people: passwords, sessions, approvals, links and what is known of a person.

Tokens of devices lie here, too, with what the devices read and raised alarm at.

The journal is for ever and knows opaque names; this file lies beside it and can be erased. No
secret is in it as it is: passwords are hashed by argon2id, tokens by SHA-256, which is enough
for 256 random bits. One process has the file open, and a thread of its own writes it, so that
the loop never waits for the medium.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from typing import IO, TYPE_CHECKING, Self, TypeVar

from croupier.journal.errors import JournalError, NotDoneError
from croupier.journal.files import require_new, sync_file, sync_folder
from croupier.journal.sqlite_file import LOCK_SECONDS, locked

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Result = TypeVar("Result")
PEOPLE = "people.sqlite"
VERSION = 4
HEADER_BYTES, VERSION_AT = 100, 60
"""Where a file of SQLite says its form."""
MODE = 0o600
PRAGMAS = (
    # What is deleted is written over: erased names are in no free page.
    "PRAGMA secure_delete=ON; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
    "PRAGMA busy_timeout=5000;"
)
SCHEMA = """
CREATE TABLE IF NOT EXISTS password (
    name TEXT PRIMARY KEY, hash TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS session (
    digest BLOB PRIMARY KEY, number TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
    kind TEXT NOT NULL, position TEXT,
    opened_us INTEGER NOT NULL, seen_us INTEGER NOT NULL, expires_us INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS session_name ON session (name);
CREATE TABLE IF NOT EXISTS approval (
    digest BLOB PRIMARY KEY, about BLOB NOT NULL, approver TEXT NOT NULL,
    session BLOB NOT NULL, expires_us INTEGER NOT NULL, key TEXT) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS approval_session ON approval (session);
CREATE TRIGGER IF NOT EXISTS approval_revoked AFTER DELETE ON session BEGIN
    DELETE FROM approval WHERE session = old.digest AND key IS NULL;
END;
CREATE TABLE IF NOT EXISTS link (
    digest BLOB PRIMARY KEY, purpose TEXT NOT NULL, name TEXT, expires_us INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS personal (
    name TEXT PRIMARY KEY, display TEXT NOT NULL, note TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS device_token (
    device TEXT PRIMARY KEY, digest BLOB NOT NULL UNIQUE) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS shown_ticket (number TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS reading (
    place TEXT NOT NULL, shoe INTEGER NOT NULL, number INTEGER NOT NULL, device TEXT NOT NULL,
    face TEXT NOT NULL, came TEXT NOT NULL, sequence INTEGER,
    PRIMARY KEY (place, shoe, number)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS alarm (
    number INTEGER PRIMARY KEY AUTOINCREMENT, body BLOB NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS alarm_ended (
    number INTEGER PRIMARY KEY, place TEXT NOT NULL, body BLOB NOT NULL) STRICT;
"""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


def micros(moment: datetime) -> int:
    """Return a moment as the file has it."""
    return (moment - EPOCH) // MICROSECOND


def moment_of(us: int) -> datetime:
    """Return a moment that the file has."""
    return EPOCH + us * MICROSECOND


class PeopleFile:
    """The file, written by one thread of one process."""

    def __init__(self, path: Path, lock: IO[str]) -> None:
        self.path, self._lock = path, lock
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="people")
        self._connection: sqlite3.Connection | None = None

    @classmethod
    async def open(cls, path: Path, wait_seconds: float = LOCK_SECONDS) -> Self:
        """Open the file, or make it, for its owner only; one process may."""
        lock = await asyncio.to_thread(locked, path, wait_seconds, "store")
        file = cls(path, lock)
        try:
            await asyncio.to_thread(_make, path)
            await file._in_thread(file._connected)
        except BaseException as error:
            await file.close()
            if isinstance(error, NotDoneError):
                message = f"The store {path.name} cannot be used: {error.__cause__}."
                raise JournalError(message) from error
            raise
        return file

    async def run(self, job: Callable[[sqlite3.Connection], Result]) -> Result:
        """Do a job in a transaction of its own; when this returns, it is durable."""
        return await self._in_thread(lambda: self._transaction(job))

    async def wipe(self) -> None:
        """Leave nothing in the log of what was deleted or replaced."""
        await self._in_thread(
            lambda: self._connected().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        )

    async def copy(self, target: Path) -> None:
        """Copy what a backup needs to a new file, for its owner only, while all goes on.

        Nothing in it opens anything by itself: sessions, approvals, links and tokens of devices
        stay here.
        """
        await self._in_thread(lambda: self._copy(target))

    async def close(self) -> None:
        """Finish what waits, and let go of the file."""
        with suppress(JournalError):
            await self._in_thread(self._disconnect)
        await asyncio.to_thread(self._thread.shutdown)
        self._lock.close()

    async def _in_thread(self, job: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(
            self._thread, self._guarded, job
        )

    # In the thread of the file

    def _guarded(self, job: Callable[[], Result]) -> Result:
        try:
            return job()
        except (sqlite3.Error, OSError) as error:
            # After a failure nobody knows what the connection still holds for true.
            self._disconnect()
            message = f"The store {self.path.name} failed: {error}; try again in a moment."
            raise NotDoneError(message) from error

    def _transaction(self, job: Callable[[sqlite3.Connection], Result]) -> Result:
        connection = self._connected()
        connection.execute("BEGIN IMMEDIATE")
        try:
            result = job(connection)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        return result

    def _copy(self, target: Path) -> None:
        require_new(target)
        _make(target)
        try:
            self._connected().execute("VACUUM INTO ?", (str(target),))
            with closing(sqlite3.connect(target, isolation_level=None)) as made:
                made.executescript(
                    "DELETE FROM session; DELETE FROM approval; DELETE FROM link;"
                    "DELETE FROM device_token; VACUUM;"
                )
            sync_file(target)
        except BaseException:
            target.unlink(missing_ok=True)
            raise

    def _connected(self) -> sqlite3.Connection:
        if self._connection is None:
            connection = sqlite3.connect(
                self.path, isolation_level=None, check_same_thread=False
            )
            try:
                _prepare(connection, self.path)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


def _make(path: Path) -> None:
    """Make the file if there is none; in either case nobody but its owner reads it."""
    try:
        opened = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, MODE)
        try:
            os.fchmod(opened, MODE)
        finally:
            os.close(opened)
        sync_folder(path.parent)
    except OSError as error:
        message = f"The store {path} cannot be opened: {error.strerror}."
        raise JournalError(message) from error


def require_known_form(path: Path) -> None:
    """Refuse a file that a newer version wrote, before anything is opened or changed."""
    try:
        with path.open("rb") as file:
            header = file.read(HEADER_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return  # whoever makes the folder says what is wrong with it
    except OSError as error:
        message = f"The store {path} cannot be opened: {error.strerror}."
        raise JournalError(message) from error
    _require_known(int.from_bytes(header[VERSION_AT : VERSION_AT + 4], "big"), path)


def _require_known(version: int, path: Path) -> None:
    if version > VERSION:
        message = (
            f"The store {path.name} is of form {version}, which a newer version wrote;"
            f" this one reads up to form {VERSION}."
        )
        raise JournalError(message)


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Set the connection up, and refuse a file that a newer version wrote."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    _require_known(version, path)
    connection.executescript(PRAGMAS)
    if version < VERSION:
        connection.executescript(f"BEGIN; {SCHEMA} PRAGMA user_version={VERSION}; COMMIT;")
