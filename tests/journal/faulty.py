"""A disk that loses what was not synced: a virtual file system for SQLite.

It records every write, truncation, sync and deletion, and can build what a power failure
would leave at any point: writes since the last sync lost, kept, torn at 512 bytes, or done
in another order. It can also fail: a sync or a write that reports an error. The database
under it is the real one, on real files.
"""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import apsw

from croupier.journal.medium import PRAGMAS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from random import Random

SECTOR_BYTES = 512
LOGS = ("-wal", "-journal")
IMAGES = ("lost", "kept", "torn", "late")
"""What becomes of the writes since the last sync: none, all, any sectors, the later ones."""


class Operation(NamedTuple):
    """Something that was done to a file, or a mark of the test between two such things."""

    kind: str
    """create, write, truncate, sync, delete, mark."""
    file: str = ""
    offset: int = 0
    data: bytes = b""
    size: int = 0
    durable: bool = False
    """Whether a deletion waits for its folder."""


class Disk(apsw.VFS):
    """Records what is done to files, and fails when it is told to."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.log: list[Operation] = []
        self.counts = {"sync": 0, "write": 0}
        self.fails_at: tuple[str, int] | None = None
        """The kind and the number of the operation that reports an error."""
        self.failed_at: int | None = None
        """How many operations had been done when one failed."""
        self.failed_by = ""
        """The thread that met the error."""
        self._recording = threading.Lock()
        super().__init__(name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        assert path is not None, "the journal needs no temporary files"
        if not Path(path).exists():
            self.record(Operation("create", Path(path).name))
        return DiskFile(self, name, flags, Path(path).name)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: FBT001, N802
        self.record(Operation("delete", Path(filename).name, durable=syncdir))
        super().xDelete(filename, syncdir)

    def record(self, operation: Operation) -> None:
        """Note an operation, or report that it failed."""
        with self._recording:
            kind = operation.kind
            if kind in self.counts:
                self.counts[kind] += 1
                if self.fails_at == (kind, self.counts[kind]):
                    self.failed_at = len(self.log)
                    self.failed_by = threading.current_thread().name
                    raise failure(kind)
            self.log.append(operation)

    def mark(self, number: int) -> None:
        """Note that so many batches were acknowledged."""
        self.log.append(Operation("mark", size=number))


def failure(kind: str) -> apsw.Error:
    """Return what an operating system reports: an error of the medium, or a full disk."""
    if kind == "write":
        return apsw.FullError("the disk is full")
    error = apsw.IOError("the disk does not answer")
    error.extendedresult = apsw.SQLITE_IOERR_FSYNC  # type: ignore[attr-defined]  # looked at
    return error


class DiskFile(apsw.VFSFile):
    """One open file of the disk."""

    def __init__(
        self, disk: Disk, name: str | apsw.URIFilename | None, flags: list[int], short: str
    ) -> None:
        self._disk, self._short = disk, short
        super().__init__("", name, flags)

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: ANN401, N802
        self._disk.record(Operation("write", self._short, offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self._disk.record(Operation("truncate", self._short, size=newsize))
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._disk.record(Operation("sync", self._short))
        super().xSync(flags)


# What a power failure leaves


class _Inode:
    """The content of a file: what is durable, and what was done to it since."""

    def __init__(self) -> None:
        self.durable = bytearray()
        self.pending: list[Operation] = []

    def sync(self) -> None:
        for operation in self.pending:
            _apply(self.durable, operation)
        self.pending = []

    def image(self, kind: str, chance: Random) -> bytes:
        content = bytearray(self.durable)
        for operation in _surviving(self.pending, kind, chance):
            _apply(content, operation)
        return bytes(content)


def _apply(content: bytearray, operation: Operation) -> None:
    if operation.kind == "truncate":
        del content[operation.size :]
        return
    end = operation.offset + len(operation.data)
    if end > len(content):
        content.extend(bytes(end - len(content)))
    content[operation.offset : end] = operation.data


def _surviving(pending: list[Operation], kind: str, chance: Random) -> Iterable[Operation]:
    """Yield what reached the medium of all that was done since the last sync."""
    if kind == "kept":
        yield from pending
    elif kind == "torn":
        for operation in pending:
            yield from _torn(operation, chance)
    elif kind == "late" and pending:
        # The medium did the later ones first.
        yield from pending[chance.randrange(len(pending)) :]


def _torn(operation: Operation, chance: Random) -> Iterable[Operation]:
    if operation.kind == "truncate":
        if chance.randrange(2):
            yield operation
        return
    offset, data = operation.offset, operation.data
    while data:
        # Sectors are cut where the medium has them, not where the write begins.
        count = min(len(data), SECTOR_BYTES - offset % SECTOR_BYTES)
        if chance.randrange(2):
            yield Operation("write", operation.file, offset, data[:count])
        offset, data = offset + count, data[count:]


class PowerFailure:
    """Goes through a disk's log; at each point it tells what a failure would leave."""

    def __init__(self) -> None:
        self._named: dict[str, _Inode | None] = {}
        """By name: the file that the folder has for certain."""
        self._now: dict[str, _Inode | None] = {}
        """By name: the file that it has in memory."""
        self.acknowledged = 0

    def take(self, operation: Operation) -> None:
        """Go one operation further."""
        kind, name = operation.kind, operation.file
        if kind == "mark":
            self.acknowledged = operation.size
        elif kind == "create":
            self._now[name] = _Inode()
        elif kind == "delete":
            self._now[name] = None
            if operation.durable:
                self._named[name] = None
        else:
            inode = self._now[name]
            assert inode is not None
            if kind == "sync":
                inode.sync()
                if name.endswith(LOGS) and self._named.get(name) is not inode:
                    # With a new log or rollback journal, SQLite syncs the folder too.
                    self._named = self._now.copy()
            else:
                inode.pending.append(operation)

    def image(self, kind: str, chance: Random) -> dict[str, bytes]:
        """Return the files that are there after a failure at this point."""
        files = {}
        for name, now in self._now.items():
            certain = self._named.get(name)
            found = (
                now if kind == "kept" or (kind != "lost" and chance.randrange(2)) else certain
            )
            if found is not None:
                files[name] = found.image(kind, chance)
        return files


# A connection for the journal's store


class Connection:
    """An apsw connection that speaks as one of the standard library."""

    def __init__(self, path: Path, disk: Disk, synchronous: str) -> None:
        with _translated():
            self._connection = apsw.Connection(str(path), vfs=disk.name)
        try:
            self.executescript(PRAGMAS)
            if synchronous != "FULL":
                self.execute(f"PRAGMA synchronous={synchronous}")
        except sqlite3.Error:
            self.close()
            raise

    @property
    def in_transaction(self) -> bool:
        """Tell whether a transaction is open."""
        return self._connection.in_transaction

    def execute(self, statement: str, values: Iterable[Any] = ()) -> apsw.Cursor:
        """Run one statement."""
        with _translated():
            return self._connection.execute(statement, tuple(values))

    def executemany(self, statement: str, rows: Iterable[Any]) -> apsw.Cursor:
        """Run one statement many times."""
        with _translated():
            return self._connection.executemany(statement, [tuple(row) for row in rows])

    def executescript(self, script: str) -> None:
        """Run several statements."""
        with _translated():
            self._connection.execute(script).fetchall()

    def close(self) -> None:
        """Close it; the standard library's says nothing about what fails here."""
        try:
            self._connection.close()
        except apsw.Error:
            self._connection.close(force=True)


class _translated:  # noqa: N801  # reads as a word of the language
    """Turns the errors of one library into those of the other."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, apsw.ConstraintError):
            raise sqlite3.IntegrityError(str(error)) from error
        if isinstance(error, apsw.Error):
            raise sqlite3.OperationalError(str(error)) from error


def connector(disk: Disk, synchronous: str = "FULL") -> Callable[[Path], Any]:
    """Return how a store opens its connections on a disk."""
    return lambda path: Connection(path, disk, synchronous)
