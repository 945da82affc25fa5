"""New files: whole or not at all after a power failure, and never over an old one."""

from __future__ import annotations

import errno
import fcntl
import os
import secrets
import shutil
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO

from croupier.journal.errors import JournalError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


KEY_BYTES = 32


def key_at(path: Path, what: str) -> bytes:
    """Return the key of a file, which is made if there is none, for its owner only."""
    if not path.exists():
        with suppress(FileExistsError):  # somebody else was quicker
            write_once(path, secrets.token_bytes(KEY_BYTES), mode=0o600)
    key = path.read_bytes()
    if len(key) != KEY_BYTES:
        message = f"{path.name} holds no key of {what}."
        raise JournalError(message)
    return key


def write_once(path: Path, content: bytes, *, mode: int = 0o644) -> None:
    """Write a new file; FileExistsError where there is one."""
    with new_file(path, mode=mode) as out:
        out.write(content)


@contextmanager
def new_file(path: Path, *, mode: int = 0o644) -> Iterator[BinaryIO]:
    """Write a new file, which gets its name only when all of it is durable."""
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(file, "wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        name_once(part, path)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def new_target(target: Path) -> Iterator[Path]:
    """Yield a place where one process may make what gets the name of a target when it is done.

    Whatever goes wrong is said of the target, and nothing of it is left. What a process that
    was killed has left of the same target is removed.
    """
    require_new(target)
    require_folder(target.parent)
    folder = target.with_name(f"{target.name}.part")
    try:
        if folder.exists() and not folder.is_dir():
            raise already(folder)
        folder.mkdir(exist_ok=True)
        with _locked(folder, target):
            _clear(folder)
            try:
                yield folder / target.name
            finally:
                shutil.rmtree(folder, ignore_errors=True)
    except FileExistsError as error:
        raise already(target) from error
    except OSError as error:
        if error.filename is not None and not str(error.filename).startswith(str(target)):
            raise  # it is about what was read
        message = f"{target} cannot be written: {error.strerror or error}."
        raise JournalError(message) from error


def require_new(path: Path) -> None:
    """Refuse to write over something."""
    if os.path.lexists(path):
        raise already(path)


def already(path: Path) -> JournalError:
    """Say that something has the name of what was to be written."""
    return JournalError(f"There is {path} already; nothing is written over it.")


def require_folder(folder: Path) -> None:
    """Refuse a folder that is not there; none is made on the way to a target."""
    if not folder.is_dir():
        message = f"There is no folder {folder}; make it first."
        raise JournalError(message)


@contextmanager
def _locked(folder: Path, target: Path) -> Iterator[None]:
    """Keep others from making the same target; the lock ends with the process."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            message = f"{target} is being written by another process."
            raise JournalError(message) from error
        yield
    finally:
        os.close(opened)


def _clear(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


def name_once(part: Path, path: Path) -> None:
    """Give a finished file its name, unless another one has it."""
    try:
        # A link fails where a file of that name exists; renaming would replace it.
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:
        # A medium without links, as a stick may be.
        if path.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from None
        part.rename(path)
    sync_folder(path.parent)


def sync_file(path: Path) -> None:
    """Make a file durable that somebody else wrote."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
