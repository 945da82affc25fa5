"""The reader of a journal in a PostgreSQL database: one snapshot, and nothing written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self
from urllib.parse import unquote, urlsplit

import asyncpg

from croupier.accounting import SUMS
from croupier.journal.decision import Head, Posting, Record
from croupier.journal.errors import JournalError
from croupier.journal.postgres_schema import SHAPE, WANTED
from croupier.journal.reader import (
    FIRST,
    LAST,
    OLD_TABLE,
    PAGE,
    TABLES,
    DamagedError,
    Finding,
    Page,
    Reader,
    UnreadableError,
    alterations,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

TIMEOUT_SECONDS = 30
READ_SECONDS = 600
STREAMS = "SELECT stream FROM decision UNION SELECT stream FROM posting"
NEWEST = "SELECT sequence, hash FROM decision WHERE stream = $1 ORDER BY sequence DESC LIMIT 1"
RECORDS = (
    "SELECT stream, sequence, command_id, actor, body, hash FROM decision"
    " WHERE stream = $1 AND sequence > $2 ORDER BY sequence LIMIT $3"
)
POSTINGS = (
    "SELECT stream, sequence, line, source, target, cents FROM posting"
    " WHERE stream = $1 AND sequence > $2 AND sequence <= $3 ORDER BY sequence, line"
)
SUMMED = (
    "SELECT sum(CASE WHEN target = $1 THEN cents ELSE -cents END)::bigint FROM posting"
    " WHERE source = $1 OR target = $1"
)
ERRORS = (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError, ValueError)


def database_name(dsn: str) -> str:
    """Name a database as sentences do, without the password that its address may hold.

    >>> database_name("postgresql://me:secret@db.example:5432/casino")
    'casino at db.example'
    """
    try:
        parts = urlsplit(dsn)
        host = parts.hostname
    except ValueError:
        return "the database"
    name = unquote(parts.path.lstrip("/")) or "the database"
    return f"{name} at {host}" if host else name


class PostgresReader(Reader):
    """Reads a journal in a transaction that sees one moment and may write nothing."""

    def __init__(self, dsn: str, connection: Any) -> None:  # noqa: ANN401  # no types
        self.name = database_name(dsn)
        self._connection = connection

    @classmethod
    async def open(cls, dsn: str) -> Self:
        """Open a journal; a database without one is refused, and left as it is."""
        name = database_name(dsn)
        try:
            connection = await asyncpg.connect(
                dsn, timeout=TIMEOUT_SECONDS, command_timeout=READ_SECONDS
            )
        except ERRORS as error:
            message = f"{name} cannot be reached: {said(error)}."
            raise JournalError(message) from error
        reader = cls(dsn, connection)
        try:
            await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            query = "SELECT to_regclass(one) IS NULL FROM unnest($1::text[]) AS one"
            missing = [row[0] for row in await connection.fetch(query, list(TABLES))]
            old = await connection.fetchval("SELECT to_regclass($1) IS NOT NULL", OLD_TABLE)
        except ERRORS as error:
            await reader.close()
            message = f"{name} cannot be read: {said(error)}."
            raise JournalError(message) from error
        if any(missing):
            await reader.close()
            if old:
                message = (
                    f"{name} is of the old form, which kept effects and"
                    " answers; this version keeps decisions and cannot read it."
                )
                raise JournalError(message)
            message = f"There is no journal in {name}."
            raise JournalError(message)
        return reader

    async def _rows(self, query: str, *values: object) -> list[Any]:
        try:
            rows: list[Any] = await self._connection.fetch(query, *values)
        except ERRORS as error:
            raise self._damaged(error) from error
        return rows

    def _damaged(self, error: BaseException) -> DamagedError:
        return DamagedError(f"{self.name} cannot be read: {said(error)}.")

    async def heads(self) -> list[Head]:
        """Return where every stream ends that has left any trace."""
        streams = sorted(row[0] for row in await self._rows(STREAMS))
        heads = []
        for stream in streams:
            newest = await self._rows(NEWEST, stream)
            heads.append(Head(stream, *newest[0]) if newest else Head(stream))
        return heads

    async def pages(self, stream: str) -> AsyncIterator[Page]:
        """Yield the records of a stream in order, with their postings."""
        after = FIRST
        while True:
            records = [Record(*row) for row in await self._rows(RECORDS, stream, after, PAGE)]
            full = len(records) == PAGE
            until = records[-1].sequence if full else LAST
            rows = await self._rows(POSTINGS, stream, after, until)
            yield Page(records, [Posting(*row) for row in rows])
            if not full:
                return
            after = until

    async def balances(self) -> Mapping[str, int]:
        """Return the balance of every account."""
        kept = dict(await self._rows("SELECT name, cents FROM account ORDER BY name"))
        for name in SUMS:
            if name in kept:
                message = f"Account {name} has a row; it is the sum of its postings."
                raise UnreadableError(message)
            ((cents,),) = await self._rows(SUMMED, name)
            if cents is not None:
                kept[name] = cents
        return kept

    async def epochs(self) -> Mapping[str, int] | None:
        """Return the epoch of every stream's owner."""
        return dict(await self._rows("SELECT stream, epoch FROM owner"))

    async def sealed_shoes(self) -> list[str] | None:
        """Return the shoes whose sealed cards are kept."""
        rows = await self._rows("SELECT DISTINCT shoe FROM sealed ORDER BY shoe")
        return [row[0] for row in rows]

    async def sealed(self, shoe: str) -> list[bytes]:
        """Return the sealed cards of a shoe, in their order."""
        query = "SELECT number, card FROM sealed WHERE shoe = $1 ORDER BY number"
        rows = await self._rows(query, shoe)
        for place, row in enumerate(rows):
            if row[0] != place:
                message = f"Sealed card {place} of shoe {shoe} is not there."
                raise UnreadableError(message)
        return [row[1] for row in rows]

    async def findings(self) -> list[Finding]:
        """Return what was altered of the tables, guards, constraints and functions."""
        return alterations(dict(await self._rows(SHAPE, list(TABLES))), WANTED)

    async def close(self) -> None:
        """Let go of the database."""
        if not self._connection.is_closed():
            await self._connection.close(timeout=TIMEOUT_SECONDS)


def said(error: BaseException) -> str:
    """Return what an error says, to be put into a sentence."""
    return str(error).partition("\n")[0].rstrip(".") or type(error).__name__
