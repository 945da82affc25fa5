"""Opening a journal to read it, whatever keeps it, and verifying it on all cores.

A journal is named by an SQLite file, a ``postgresql://`` address, an export of lines, or the
folder of an export of tables.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import re
import signal
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.journal.errors import JournalError
from croupier.journal.export import START, ExportReader, old_form
from croupier.journal.reader import SqliteReader
from croupier.journal.sheets import HEAD, WRITERS, FolderReader
from croupier.journal.told import is_told
from croupier.journal.verify import check_stream, verify
from croupier.rulebooks import RULEBOOKS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence

    from croupier.journal.checkpoints import Checkpoint
    from croupier.journal.positions import Members
    from croupier.journal.reader import Reader
    from croupier.journal.verify import StreamSeen, Verified

SQLITE_START = b"SQLite format 3\x00"
OLD_EXPORT = b'"version":1}\n'
"""How the first line of an export of the old form ends."""
SHEET_ENDS = {f".{form}" for form in WRITERS}
HEAD_MARK = b'"kind":"head"'
TAIL_BYTES = 100_000
"""An export whose beginning was changed is known by its end."""
ADDRESSES = ("postgresql://", "postgres://")
ADDRESS = re.compile("[A-Za-z][A-Za-z0-9+.-]+:/")
DECISIONS_FOR_ALL_CORES = 50_000
"""Below that many decisions, starting more processes takes longer than they save."""


def is_address(where: str) -> bool:
    """Tell whether a journal is named by the address of a database."""
    return where.startswith(ADDRESSES)


def names_database(where: str) -> bool:
    """Tell whether something looks like the address of a database of any kind."""
    return ADDRESS.match(where) is not None


def require_known_address(where: str) -> None:
    """Refuse an address that cannot be one; a password in it is not repeated."""
    if names_database(where) and not is_address(where):
        message = f"An address of a journal begins with {ADDRESSES[0]}."
        raise JournalError(message)
    if is_address(where) and "@" in where.partition("://")[2].partition("/")[2]:
        # Behind the first / is the name of the database, and sentences repeat it.
        message = "The address cannot be read; write / as %2F and @ as %40 in a password."
        raise JournalError(message)


async def open_reader(where: str, keys: tuple[str, ...] = ()) -> Reader:
    """Open a journal to read it; an export must be signed by one of the keys, if any.

    Not in the process that writes the file: closing it there drops the writer's locks.
    """
    require_known_address(where)
    if is_address(where):
        from croupier.journal.postgres_reader import (  # noqa: PLC0415  # its library is slow to load
            PostgresReader,
        )

        return await PostgresReader.open(where)
    if is_told(Path(where)):
        why = "which does not tell everything; only `croupier verify` reads it"
        message = f"{where} is an export of an auditor's page, {why}."
        raise JournalError(message)
    return _open_file(Path(where), keys)


def _open_file(path: Path, keys: tuple[str, ...]) -> Reader:
    if path.is_dir():
        if not (path / HEAD).is_file():
            message = f"{path} is a folder, and no export is in it."
            raise JournalError(message)
        return FolderReader(path, keys)
    if not path.exists():
        message = f"There is no journal {path}."
        raise JournalError(message)
    if not path.is_file():
        message = f"{path} is not a regular file; a journal is read more than once."
        raise JournalError(message)
    with path.open("rb") as file:
        start = file.read(len(SQLITE_START))
        file.seek(0)
        first, second = file.readline(TAIL_BYTES), file.readline(TAIL_BYTES)
        file.seek(max(0, path.stat().st_size - TAIL_BYTES))
        tail = file.read()
    if not start:
        message = f"{path} is empty; it is no journal."
        raise JournalError(message)
    if path.name == HEAD or (path.suffix in SHEET_ENDS and path.with_name(HEAD).is_file()):
        message = f"{path} is a part of an export; name the folder it is in."
        raise JournalError(message)
    if start == SQLITE_START:
        return SqliteReader(path)
    if first.endswith(OLD_EXPORT) and b'"kind":"decision"' not in second:
        raise old_form(str(path))
    if start.startswith(START) or HEAD_MARK in tail:
        return ExportReader(path, keys)
    message = f"{path} is neither a journal of Croupier nor an export of one."
    raise JournalError(message)


async def verify_reader(
    reader: Reader,
    checkpoints: Sequence[Checkpoint] = (),
    progress: Callable[[int], None] | None = None,
    processes: int | None = None,
) -> Verified:
    """Verify a journal, on all cores where it is a large file that lies still."""
    elsewhere = None
    processes = processes or os.cpu_count() or 1
    if isinstance(reader, SqliteReader) and reader.lies_still and processes > 1:
        heads = await reader.heads()
        sizes = {head.stream: head.sequence for head in heads}
        if len(heads) > 1 and sum(sizes.values()) >= DECISIONS_FOR_ALL_CORES:
            elsewhere = _on_cores(reader, checkpoints, sizes, progress, processes)
    done = 0

    def add(decisions: int) -> None:
        nonlocal done
        done += decisions
        if progress is not None:
            progress(done)

    verified = await verify(reader, RULEBOOKS, checkpoints, add, elsewhere)
    if isinstance(reader, ExportReader) and reader.head is None:
        # It was cut off: whatever else does not hold comes of that.
        verified.findings.sort(key=lambda one: one.kind != "export")
    return verified


def _on_cores(
    reader: SqliteReader,
    checkpoints: Sequence[Checkpoint],
    sizes: dict[str, int],
    progress: Callable[[int], None] | None,
    processes: int,
) -> Callable[[list[str], Members | None], AsyncIterator[StreamSeen]]:
    async def streams(names: list[str], members: Members | None) -> AsyncIterator[StreamSeen]:
        loop = asyncio.get_running_loop()
        done = sum(sizes.values()) - sum(sizes[name] for name in names)
        # The streams share nothing; the long ones go first, so that no core waits long.
        ordered = sorted(names, key=lambda name: -sizes.get(name, 0))
        context = multiprocessing.get_context("spawn")
        others = set(multiprocessing.active_children())
        with ProcessPoolExecutor(min(processes, len(names) or 1), context) as pool:
            waiting: list[asyncio.Future[StreamSeen]] = []
            try:
                with _deaf():
                    for name in ordered:
                        seen_by = _of(name, checkpoints)
                        waiting.append(
                            loop.run_in_executor(
                                pool, check_alone, reader.path, name, seen_by, members
                            )
                        )
                for one in asyncio.as_completed(waiting):
                    seen = await one
                    done += seen.head.sequence
                    if progress is not None:
                        progress(done)
                    yield seen
            except BaseException:  # Ctrl-C too: nobody waits for what is no longer wanted
                _end(waiting, set(multiprocessing.active_children()) - others)
                raise

    return streams


@contextmanager
def _deaf() -> Iterator[None]:
    """Let processes be started that do not hear Ctrl-C, which goes to all at a terminal.

    They inherit what is held back here, and they are ended by who started them.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end(waiting: Iterable[asyncio.Future[StreamSeen]], workers: Iterable[Any]) -> None:
    """End processes at once, whatever they are at."""
    for one in waiting:
        one.cancel()
    for worker in workers:
        worker.kill()


def _of(stream: str, checkpoints: Sequence[Checkpoint]) -> list[Checkpoint]:
    """Return what checkpoints say about one stream."""
    return [
        msgspec.structs.replace(one, heads={stream: one.heads[stream]})
        for one in checkpoints
        if stream in one.heads
    ]


def check_alone(
    path: Path, stream: str, checkpoints: list[Checkpoint], members: Members | None
) -> StreamSeen:
    """Check one stream of a file in a process of its own."""

    async def check() -> StreamSeen:
        async with SqliteReader(path) as reader:
            check = await check_stream(reader, stream, RULEBOOKS, checkpoints, None, members)
            return check.seen()

    return asyncio.run(check())
