"""New files: whole or not at all after a power failure, and never over an old one."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


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


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
