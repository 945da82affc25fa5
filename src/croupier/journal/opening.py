"""Opening a journal to read it, whatever keeps it, and verifying it on all cores.

A journal is named by an SQLite file, a ``postgresql://`` address, an export of lines, or the
folder of an export of tables.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from croupier.journal.export import START, ExportReader
from croupier.journal.reader import SqliteReader
from croupier.journal.sheets import HEAD, FolderReader
from croupier.journal.store import JournalError
from croupier.journal.verify import check_stream, verify
from croupier.rulebooks import RULEBOOKS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from croupier.journal.checkpoints import Checkpoint
    from croupier.journal.reader import Reader
    from croupier.journal.verify import StreamSeen, Verified

SQLITE_START = b"SQLite format 3\x00"
HEAD_MARK = b'"kind":"head"'
TAIL_BYTES = 100_000
"""An export whose beginning was changed is known by its end."""
ADDRESSES = ("postgresql://", "postgres://")
RECORDS_FOR_ALL_CORES = 50_000
"""Below that many records, starting more processes takes longer than they save."""


def is_address(where: str) -> bool:
    """Tell whether a journal is named by the address of a database."""
    return where.startswith(ADDRESSES)


async def open_reader(where: str, keys: tuple[str, ...] = ()) -> Reader:
    """Open a journal to read it; an export must be signed by one of the keys, if any."""
    if is_address(where):
        from croupier.journal.postgres_reader import (  # noqa: PLC0415  # its library is slow to load
            PostgresReader,
        )

        return await PostgresReader.open(where)
    return _open_file(Path(where), keys)


def _open_file(path: Path, keys: tuple[str, ...]) -> Reader:
    if path.is_dir():
        if not (path / HEAD).is_file():
            message = f"{path.name} is a folder, and no export is in it."
            raise JournalError(message)
        return FolderReader(path, keys)
    try:
        with path.open("rb") as file:
            start = file.read(len(SQLITE_START))
            file.seek(max(0, path.stat().st_size - TAIL_BYTES))
            tail = file.read()
    except FileNotFoundError as error:
        message = f"There is no journal {path}."
        raise JournalError(message) from error
    if not start:
        message = f"{path.name} is empty; it is no journal."
        raise JournalError(message)
    if start == SQLITE_START:
        return SqliteReader(path)
    if start.startswith(START) or HEAD_MARK in tail:
        return ExportReader(path, keys)
    message = f"{path.name} is neither a journal of Croupier nor an export of one."
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
        if len(heads) > 1 and sum(sizes.values()) >= RECORDS_FOR_ALL_CORES:
            elsewhere = _on_cores(reader, checkpoints, sizes, progress, processes)
    done = 0

    def add(records: int) -> None:
        nonlocal done
        done += records
        if progress is not None:
            progress(done)

    return await verify(reader, RULEBOOKS, checkpoints, add, elsewhere)


def _on_cores(
    reader: SqliteReader,
    checkpoints: Sequence[Checkpoint],
    sizes: dict[str, int],
    progress: Callable[[int], None] | None,
    processes: int,
) -> Callable[[list[str]], AsyncIterator[StreamSeen]]:
    async def streams(names: list[str]) -> AsyncIterator[StreamSeen]:
        loop = asyncio.get_running_loop()
        done = 0
        # The streams share nothing; the long ones go first, so that no core waits long.
        ordered = sorted(names, key=lambda name: -sizes[name])
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(min(processes, len(names)), context) as pool:
            waiting = [
                loop.run_in_executor(
                    pool, check_alone, reader.path, name, _of(name, checkpoints)
                )
                for name in ordered
            ]
            for one in asyncio.as_completed(waiting):
                seen = await one
                done += seen.records
                if progress is not None:
                    progress(done)
                yield seen

    return streams


def _of(stream: str, checkpoints: Sequence[Checkpoint]) -> list[Checkpoint]:
    """Return what checkpoints say about one stream."""
    return [
        msgspec.structs.replace(
            one,
            heads={stream: one.heads[stream]} if stream in one.heads else {},
            answers={stream: one.answers[stream]} if stream in one.answers else {},
        )
        for one in checkpoints
        if stream in one.heads or stream in one.refused
    ]


def check_alone(path: Path, stream: str, checkpoints: list[Checkpoint]) -> StreamSeen:
    """Check one stream of a file in a process of its own."""

    async def check() -> StreamSeen:
        async with SqliteReader(path) as reader:
            return (await check_stream(reader, stream, RULEBOOKS, checkpoints)).seen()

    return asyncio.run(check())
