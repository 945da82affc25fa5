"""What lies beside an SQLite journal: its log, its lock, and how long a start waits for it."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path
from typing import IO

from croupier.journal.errors import JournalError

LOG = "-wal"
LOGS = (LOG, "-journal")
"""What SQLite reads together with a file: its log, or what a transaction replaced."""
MANIFEST = ".manifest.json"
LOCK_SECONDS = 10.0
"""How long a start waits for a writer whose house died and who finishes its frames."""
LOCK_PAUSE_SECONDS = 0.02


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


def locked(path: Path, wait_seconds: float = LOCK_SECONDS, what: str = "journal") -> IO[str]:
    """Hold the lock of a journal, or of another file, so that one house writes it.

    The lock belongs to the open file, which a writer's process inherits: it is held until the
    last of house and writer has ended.
    """
    try:
        lock = beside(path, ".lock").open("a+", encoding="ascii")  # held open
    except OSError as error:
        message = f"The {what} {path} cannot be opened: {error.strerror}."
        raise JournalError(message) from error
    end = time.monotonic() + wait_seconds
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if time.monotonic() >= end or _house_lives(lock):
                message = f"The {what} {path.name} is being written by another process"
                message += f"{_named(lock)}: the house is open already."
                lock.close()
                raise JournalError(message) from error
            time.sleep(LOCK_PAUSE_SECONDS)
        else:
            lock.seek(0)
            lock.truncate()
            lock.write(f"{os.getpid()}\n")
            lock.flush()
            return lock


def _named(lock: IO[str]) -> str:
    """Return the number of the process that took a lock, as it stands in brackets."""
    lock.seek(0)
    pid = lock.read().strip()
    return f" ({pid})" if pid else ""


def _house_lives(lock: IO[str]) -> bool:
    """Tell whether the house that took a lock runs; else its writer finishes by itself."""
    lock.seek(0)
    try:
        os.kill(int(lock.read()), 0)
    except (ValueError, ProcessLookupError):
        return False  # it took the lock this moment, or is gone
    except PermissionError:
        return True
    return True
