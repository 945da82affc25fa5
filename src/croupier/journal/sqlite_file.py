"""What a store must know of an SQLite file: what lies beside it, and where its streams end."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from croupier.journal.record import Head
from croupier.journal.store import JournalError

if TYPE_CHECKING:
    import sqlite3

LOG = "-wal"
LOGS = (LOG, "-journal")
"""What SQLite reads together with a file: its log, or what a transaction replaced."""
MANIFEST = ".manifest.json"


def beside(path: Path, end: str) -> Path:
    """Return the file beside another whose name goes on in this way."""
    return Path(f"{path}{end}")


def manifest_of(backup: Path) -> Path:
    """Return where the manifest of a backup lies."""
    return beside(backup, MANIFEST)


def write_log_again(path: Path) -> None:
    """Write the log of a file once more as it reads, and sync it.

    After a failed sync the system may show what never reached the medium, and say of the
    next sync that all is well. What is read must be durable before anybody is told of it,
    and before SQLite copies it into the file. Nothing changes if this is interrupted.
    """
    log = beside(path, LOG)
    if not log.exists():
        return
    with log.open("r+b") as file:
        content = file.read()
        file.seek(0)
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def locked(path: Path) -> Any:  # noqa: ANN401  # an open file
    """Hold the lock of a journal file, so that one process writes it."""
    try:
        lock = beside(path, ".lock").open("w", encoding="ascii")  # held open
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


# What is in the file


def each_value(table: str, column: str) -> str:
    """Return a query for all values of a key's first column that skips what lies between."""
    return (
        f"WITH RECURSIVE each(one) AS (SELECT min({column}) FROM {table} UNION ALL"  # noqa: S608
        f" SELECT (SELECT min({column}) FROM {table} WHERE {column} > one) FROM each"
        " WHERE one IS NOT NULL) SELECT one FROM each WHERE one IS NOT NULL"
    )


STREAMS = each_value("record", "stream")


def read_known(
    connection: sqlite3.Connection,
) -> tuple[dict[str, Head], dict[str, int], dict[str, int]]:
    """Read what the store keeps in memory of a file: heads, epochs of owners, balances."""
    heads = {head.stream: head for head in read_heads(connection)}
    epochs = dict(connection.execute("SELECT stream, epoch FROM owner").fetchall())
    balances = dict(connection.execute("SELECT name, cents FROM account").fetchall())
    return heads, epochs, balances


def read_heads(connection: sqlite3.Connection) -> list[Head]:
    """Return where every stream with records ends."""
    streams = [row[0] for row in connection.execute(STREAMS)]
    newest = (
        "SELECT stream, sequence, hash FROM record WHERE stream = ?"
        " ORDER BY sequence DESC LIMIT 1"
    )
    return [Head(*connection.execute(newest, (stream,)).fetchone()) for stream in streams]
