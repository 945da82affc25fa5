"""The store in an SQLite file: one writer, group commit, durable before answered.

Everything is written by ``sqlite_writer``, in a process of its own where there is a second
core. This process reads through a connection of its own, in a thread.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from croupier.accounting import SUMS
from croupier.journal.decision import Head, Posting, Record
from croupier.journal.errors import JournalError, PoisonedError
from croupier.journal.frames import ERRORS, Kept
from croupier.journal.medium import FAILED, HEADS, NEWEST, connect_file
from croupier.journal.names import check_names
from croupier.journal.sqlite_file import LOCK_SECONDS, locked
from croupier.journal.sqlite_writer import (
    Append,
    Claim,
    Close,
    Done,
    KeepSealed,
    ProcessBackend,
    Reopen,
    ThreadBackend,
    opened,
)
from croupier.journal.store import not_sealed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from croupier.journal.frames import Frame
    from croupier.journal.sqlite_writer import Backend
    from croupier.journal.store import Key

CLOSED = "The journal is closed."
KEYS_TOGETHER = 500
COLUMNS = "stream, sequence, command_id, actor, body, hash"
LAST = "\U0010ffff"
"""Behind every character that a name can have."""


class SqliteStore:
    """Keeps the journal in one file, written for this process alone."""

    def __init__(self, path: Path, connect: Callable[[Path], Any], lock: Any) -> None:  # noqa: ANN401
        self.path, self._connect, self._lock = path, connect, lock
        self._backend: Backend
        self._futures: dict[int, asyncio.Future[Any]] = {}
        self._number = 0
        self._poison: str | None = None
        self._closed = False
        self._process = False
        self._reading = threading.Lock()
        self._reopening = asyncio.Lock()
        self._reader: Any = None

    @classmethod
    async def open(
        cls,
        path: Path | str,
        connect: Callable[[Path], Any] | None = None,
        *,
        process: bool | None = None,
        wait_seconds: float = LOCK_SECONDS,
    ) -> Self:
        """Open or make a journal.

        A writer whose house died is waited for; a file that another house writes is refused.
        The writer is a process where there is a second core, or a thread; a way to connect of
        one's own is used by a thread.
        """
        # Resolve symlinks: SQLite keeps log and lock beside the target.
        real = Path(os.path.realpath(path))  # noqa: ASYNC240  # once, and at once
        locking = asyncio.ensure_future(asyncio.to_thread(locked, real, wait_seconds))
        try:
            lock = await asyncio.shield(locking)
        except asyncio.CancelledError:
            # A thread cannot be called back: what it locks is let go.
            with suppress(JournalError, OSError):
                (await locking).close()
            raise
        store = cls(real, connect or connect_file, lock)
        if process is None:
            process = connect is None and len(os.sched_getaffinity(0)) > 1
        store._process = process
        try:
            await store._start()
        except (sqlite3.Error, OSError) as error:
            lock.close()
            message = f"The journal {real.name} cannot be opened: {error}."
            raise PoisonedError(message) from error
        except BaseException:
            lock.close()
            raise
        return store

    async def _start(self) -> None:
        if self._process:
            ready = self._new_future(0)
            self._backend = ProcessBackend(self.path, self._lock.fileno(), self._told)
            try:
                await ready
            except BaseException:
                await self._abandon()
                raise
        else:
            medium = await asyncio.to_thread(opened, self.path, self._connect)
            loop = asyncio.get_running_loop()
            self._backend = ThreadBackend(medium, self._told, loop)
        try:
            self._reader = await asyncio.to_thread(self._connect, self.path)
        except BaseException:
            await self._abandon()
            raise

    async def _abandon(self) -> None:
        """Let a writer go that was just started: it ends when nobody can ask it any more."""
        self._backend.abandon()
        await self._backend.join()

    # What is written

    async def claim(self, streams: Sequence[str], holder: str) -> list[int]:
        """Take streams over."""
        check_names((*streams, holder))
        epochs: list[int] = await self._put(Claim(self._next(), list(streams), holder))
        return epochs

    def append(self, frame: Frame) -> asyncio.Future[Mapping[str, JournalError]]:
        """Write a frame durably."""
        return self._put(Append(self._next(), frame))

    async def keep_sealed(self, shoe: str, cards: Sequence[bytes]) -> None:
        """Keep the sealed cards of a shoe, once."""
        check_names((shoe,))
        await self._put(KeepSealed(self._next(), shoe, list(cards)))

    async def reopen(self) -> None:
        """Open the file again after it failed, and read what reached it."""
        # One at a time: several may find at once that it failed, and one writer is started.
        async with self._reopening:
            if self._closed:
                raise JournalError(CLOSED)
            if self._poison is None:
                return
            try:
                await self._reopen()
            except (sqlite3.Error, OSError) as error:
                raise PoisonedError(FAILED.format(error)) from error
            self._poison = None

    async def _reopen(self) -> None:
        if self._backend.alive:
            # By the writer itself, so that nothing is being written meanwhile.
            await self._put(Reopen(self._next()), heals=True)
            reader = await asyncio.to_thread(self._connect, self.path)
            with self._reading:
                self._reader, reader = reader, self._reader
            reader.close()
        else:
            await self._backend.join()
            with self._reading:
                self._reader.close()
            await self._start()

    async def close(self) -> None:
        """Write what waits, copy the log into the file, and close."""
        if self._closed:
            return
        self._closed = True
        try:
            with self._reading:
                self._reader.close()
            if self._backend.alive:
                await self._put(Close(self._next()), heals=True, closing=True)
        finally:
            await self._backend.join()
            self._lock.close()

    def _next(self) -> int:
        self._number += 1
        return self._number

    def _new_future(self, number: int) -> asyncio.Future[Any]:
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._futures[number] = future
        return future

    def _put(
        self,
        job: Any,  # noqa: ANN401  # one of the jobs
        *,
        heals: bool = False,
        closing: bool = False,
    ) -> asyncio.Future[Any]:
        future = self._new_future(job.number)
        if self._closed and not closing:
            del self._futures[job.number]
            future.set_exception(JournalError(CLOSED))
        elif self._poison is not None and not heals:
            del self._futures[job.number]
            future.set_exception(PoisonedError(FAILED.format(self._poison)))
        else:
            self._backend.put(job)
        return future

    def _told(self, results: list[Done]) -> None:
        for done in results:
            error = done.failure()
            if done.poisoned:
                self._poison = str(done.error).removeprefix(FAILED.partition("{")[0])
                self._poison = self._poison.rstrip(".")
            if done.number < 0:
                # The writer is gone, and nobody knows what it wrote.
                futures, self._futures = list(self._futures.values()), {}
                for future in futures:
                    _resolve(future, None, error)
                continue
            waiting = self._futures.pop(done.number, None)
            if waiting is not None:
                _resolve(waiting, done.value, error)

    # What is read

    async def head(self, stream: str) -> Head:
        """Return the newest decision's sequence and hash."""
        rows = await self._rows(NEWEST, stream)
        return Head(stream, *rows[0]) if rows else Head(stream)

    async def heads(self) -> list[Head]:
        """Return the heads of all streams that have decisions."""
        return [Head(*row) for row in await self._rows(HEADS)]

    async def epoch(self, stream: str) -> int:
        """Return the newest epoch of a stream."""
        rows = await self._rows("SELECT epoch FROM owner WHERE stream = ?", stream)
        return int(rows[0][0]) if rows else 0

    async def read(self, stream: str, after: int = 0, limit: int = 10_000) -> list[Record]:
        """Return records of a stream in order."""
        query = (
            f"SELECT {COLUMNS} FROM decision WHERE stream = ? AND sequence > ?"  # noqa: S608
            " ORDER BY sequence LIMIT ?"
        )
        return [Record(*row) for row in await self._rows(query, stream, after, limit)]

    async def find(self, keys: Iterable[Key]) -> dict[Key, Record]:
        """Return the records of commands that are in the journal."""
        wanted = list(keys)
        if not wanted:
            return {}
        records = await self._read(lambda connection: _found(connection, wanted))
        return {(one.stream, one.actor, one.command_id): one for one in records}

    async def postings(self, stream: str, after: int = 0) -> list[Posting]:
        """Return the postings of a stream in order."""
        query = (
            "SELECT stream, sequence, line, source, target, cents"
            " FROM decision JOIN posting USING (place)"
            " WHERE stream = ? AND sequence > ? ORDER BY sequence, line"
        )
        return [Posting(*row) for row in await self._rows(query, stream, after)]

    async def balances(self, prefix: str = "") -> Mapping[str, int]:
        """Return the balances of the accounts whose names begin so."""
        query = "SELECT name, cents FROM account WHERE name >= ? AND name < ? ORDER BY name"
        found = dict(await self._rows(query, prefix, prefix + LAST))
        for name in SUMS:
            if name.startswith(prefix):
                moved = (
                    "SELECT sum(CASE WHEN target = ?1 THEN cents ELSE -cents END) FROM posting"
                    " WHERE source = ?1 OR target = ?1"
                )
                ((cents,),) = await self._rows(moved, name)
                if cents is not None:
                    found[name] = cents
        return found

    async def sealed(self, shoe: str, index: int) -> bytes:
        """Return one sealed card of a shoe."""
        query = "SELECT card FROM sealed WHERE shoe = ? AND number = ?"
        rows = await self._rows(query, shoe, index)
        if not rows:
            raise JournalError(not_sealed(shoe, index))
        card: bytes = rows[0][0]
        return card

    async def snapshot(self, stream: str) -> Kept | None:
        """Return the newest snapshot of a stream."""
        query = (
            "SELECT stream, sequence, hash, release, state, mark FROM snapshot WHERE stream = ?"
        )
        rows = await self._rows(query, stream)
        return Kept(*rows[0]) if rows else None

    async def _rows(self, query: str, *values: object) -> list[Any]:
        rows: list[Any] = await self._read(
            lambda connection: connection.execute(query, values).fetchall()
        )
        return rows

    async def _read(self, ask: Callable[[Any], Any]) -> Any:  # noqa: ANN401
        if self._closed:
            raise JournalError(CLOSED)
        if self._poison is not None:
            raise PoisonedError(FAILED.format(self._poison))
        return await asyncio.to_thread(self._ask, ask)

    def _ask(self, ask: Callable[[Any], Any]) -> Any:  # noqa: ANN401
        with self._reading:
            if self._closed:
                raise JournalError(CLOSED)
            try:
                return ask(self._reader)
            except sqlite3.Error as error:
                self._poison = str(error)
                message = f"The journal cannot be read: {error}."
                raise PoisonedError(message) from error


def _found(connection: Any, keys: list[Key]) -> list[Record]:  # noqa: ANN401
    """Look commands up, many by one statement."""
    found: list[Record] = []
    for first in range(0, len(keys), KEYS_TOGETHER):
        some = keys[first : first + KEYS_TOGETHER]
        rows = ", ".join(["(?, ?, ?)"] * len(some))
        names = ", ".join(f"decision.{column}" for column in COLUMNS.split(", "))
        query = (
            f"WITH wanted(one, two, three) AS (VALUES {rows})"  # noqa: S608  # our own names
            f" SELECT {names} FROM wanted JOIN decision"
            " ON decision.command_id = three AND decision.actor = two"
            " AND one IN (decision.stream, '')"
        )
        values = [value for key in some for value in key]
        found += [Record(*row) for row in connection.execute(query, values).fetchall()]
    return found


def _resolve(future: asyncio.Future[Any], value: object, error: JournalError | None) -> None:
    if future.done():
        return
    if error is not None:
        future.set_exception(error)
        # Whoever gave up waiting is no reason for a warning.
        future.exception()
    elif isinstance(value, dict):
        future.set_result({name: ERRORS[code](said) for name, (code, said) in value.items()})
    else:
        future.set_result(value)
