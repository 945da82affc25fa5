"""The files beside an SQLite journal: its lock, and its log after a failure."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Any

from croupier.journal.store import JournalError


def write_log_again(path: Path) -> None:
    """Write the log of a file once more as it reads, and sync it.

    After a failed sync the system may show what never reached the medium, and say of the
    next sync that all is well. What is read must be durable before anybody is told of it,
    and before SQLite copies it into the file. Nothing changes if this is interrupted.
    """
    log = Path(f"{path}-wal")
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
