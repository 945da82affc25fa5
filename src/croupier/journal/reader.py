"""Readers: a journal as it stood at one moment, read without any lock of its writer.

Verification, exports and backups read through these. A reader sees one snapshot from its
opening to its end, whatever a floor writes meanwhile, and it takes nothing for granted:
streams are found by what was written in them, and a row that is not what the store writes
is named instead of trusted.
"""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, NoReturn, Self

import msgspec

from croupier.accounting import SUMS
from croupier.journal.decision import Head, Posting, Record
from croupier.journal.errors import JournalError
from croupier.journal.sqlite_file import LOG, LOGS, beside, manifest_of
from croupier.journal.sqlite_schema import SHAPE, wanted_shape

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from pathlib import Path

    from croupier.journal.store import Store

PAGE = 5_000
BROKEN = (sqlite3.Error, UnicodeError)
"""What SQLite raises about a damaged file: its own errors may hold damaged text."""
TABLES = ("decision", "posting", "account", "owner", "sealed", "snapshot")
OLD_TABLE = "record"
"""What a journal of the old form has, which kept effects and their answers."""


class Finding(msgspec.Struct, frozen=True):
    """Something that does not hold: where it is first seen, and what it is."""

    stream: str
    sequence: int
    kind: str
    sentence: str


class UnreadableError(JournalError):
    """A row that is not what a store writes; it was changed from outside."""

    def __init__(self, sentence: str, stream: str = "", sequence: int = 0) -> None:
        super().__init__(sentence)
        self.stream, self.sequence = stream, sequence


class DamagedError(JournalError):
    """A medium that cannot be read although it was a journal."""


class Page(msgspec.Struct):
    """Some records of a stream in order, and all postings of their range, in order too."""

    records: list[Record]
    postings: list[Posting]


class Reader(ABC):
    """Reads a journal as it stood when the reader was opened."""

    name = "The journal"
    """How sentences call it."""

    @abstractmethod
    async def heads(self) -> list[Head]:
        """Return where every stream ends that has left any trace; 0: it has no record."""

    @abstractmethod
    def pages(self, stream: str) -> AsyncIterator[Page]:
        """Yield the records of a stream in order, with their postings.

        The postings of all pages together are all postings of the stream, those too that
        belong to no record.
        """

    @abstractmethod
    async def balances(self) -> Mapping[str, int]:
        """Return the balance of every account."""

    async def epochs(self) -> Mapping[str, int] | None:
        """Return the epoch of every stream's owner; None: it is not kept here."""
        return None

    async def sealed_shoes(self) -> list[str] | None:
        """Return the shoes whose sealed cards are kept; None: none ever are here."""
        return None

    async def sealed(self, shoe: str) -> list[bytes]:  # noqa: ARG002  # kept elsewhere
        """Return the sealed cards of a shoe."""
        return []

    async def findings(self) -> list[Finding]:
        """Return what does not hold of the medium itself."""
        return []

    @abstractmethod
    async def close(self) -> None:
        """Let go of the journal."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class StoreReader(Reader):
    """Reads a store that nobody writes meanwhile."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def heads(self) -> list[Head]:
        """Return where every stream ends."""
        return await self._store.heads()

    async def pages(self, stream: str) -> AsyncIterator[Page]:
        """Yield the records of a stream in order, with their postings."""
        postings = await self._store.postings(stream)
        place, after = 0, 0
        while True:
            records = await self._store.read(stream, after, PAGE)
            full = len(records) == PAGE
            after = records[-1].sequence if records else after
            end = place
            while end < len(postings) and (not full or postings[end].sequence <= after):
                end += 1
            yield Page(records, postings[place:end])
            place = end
            if not full:
                return

    async def balances(self) -> Mapping[str, int]:
        """Return the balance of every account."""
        return await self._store.balances()

    async def close(self) -> None:
        """Leave the store open: somebody else opened it."""


class SqliteReader(Reader):
    """Reads a journal's file through a connection that can only read.

    A file that is being written, or was left by a crash, has a log beside it: then SQLite's
    own snapshot is read. A file without a log lies still: it is read as it is, so that no
    file appears beside it, and it is an error if it changes meanwhile. So is a backup with a
    manifest, which tells of the file alone: a log beside it is not read, and found.
    """

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        # What a link leads to: there SQLite keeps the log, and there is the manifest.
        self.path = path.resolve()
        self._signed = manifest_of(self.path).exists()
        logged = beside(self.path, LOG).exists() and not self._signed
        self._how = "mode=ro" if logged else "mode=ro&immutable=1"
        self._before = self.path.stat()
        address = f"{self.path.as_uri()}?{self._how}"
        self.connection = sqlite3.connect(address, uri=True, isolation_level=None)
        try:
            self.connection.execute("PRAGMA busy_timeout=5000")
            self.connection.execute("BEGIN")
            found = {
                table: [
                    row[1] for row in self.connection.execute(f"PRAGMA table_info({table})")
                ]
                for table in TABLES
            }
            old = list(self.connection.execute(f"PRAGMA table_info({OLD_TABLE})"))
        except BROKEN as error:
            self.connection.close()
            message = f"{self.name} cannot be read: {str(error).rstrip('.')}."
            raise JournalError(message) from error
        if old and not found["decision"]:
            self.connection.close()
            message = (
                f"{self.name} is of the old form, which kept effects and"
                " answers; this version keeps decisions and cannot read it."
            )
            raise JournalError(message)
        if not any(found.values()):
            self.connection.close()
            message = (
                f"{self.name} holds no tables; if it is the copy of a journal, what was in its"
                " -wal file is missing: copy journals by croupier backup."
            )
            raise JournalError(message)
        if any(found[table] != columns for table, columns in COLUMNS.items()):
            self.connection.close()
            message = f"{self.name} is not a journal: its tables are others."
            raise JournalError(message)

    def _rows(self, query: str, *values: object) -> list[Any]:
        try:
            return self.connection.execute(query, values).fetchall()
        except BROKEN as error:
            if "UTF-8" not in str(error) or self.connection.text_factory is _text:
                raise self._damaged(error) from error
        # Text that is not UTF-8 comes as bytes, so that its row can be named.
        self.connection.text_factory = _text
        return self._rows(query, *values)

    def _damaged(self, error: Exception) -> DamagedError:
        said = str(error).rstrip(".")
        return DamagedError(f"{self.name} is damaged: {said}.")

    async def heads(self) -> list[Head]:
        """Return where every stream ends that has left any trace."""
        streams = {row[0] for row in self._rows(STREAMS)}
        for stream in streams:
            if type(stream) is not str:
                message = f"A stream of {self.name} has a name that is not text."
                raise UnreadableError(message)
        return [self._head(stream) for stream in sorted(streams)]

    def _head(self, stream: str) -> Head:
        rows = self._rows(NEWEST, stream)
        if not rows:
            return Head(stream)
        sequence, digest = rows[0]
        if type(sequence) is not int or type(digest) is not bytes:
            message = f"The last decision of {stream} holds a value of a wrong kind."
            raise UnreadableError(message, stream)
        return Head(stream, sequence, digest)

    async def pages(self, stream: str) -> AsyncIterator[Page]:
        """Yield the records of a stream in order, with their postings."""
        after = FIRST
        while True:
            records = [_record(row) for row in self._rows(RECORDS, stream, after, PAGE)]
            full = len(records) == PAGE
            until = records[-1].sequence if full else LAST
            postings = [_posting(row) for row in self._rows(POSTINGS, stream, after, until)]
            yield Page(records, postings)
            if not full:
                return
            after = until

    async def balances(self) -> Mapping[str, int]:
        """Return the balance of every account."""
        rows = self._rows("SELECT name, cents FROM account ORDER BY name")
        for row in rows:
            if tuple(map(type, row)) != (str, int):
                message = "An account holds a value of a wrong kind."
                raise UnreadableError(message)
            if row[0] in SUMS:
                message = f"Account {row[0]} has a row; it is the sum of its postings."
                raise UnreadableError(message)
        sums = [(name, self._rows(SUMMED, name)[0][0]) for name in SUMS]
        return dict(rows) | {name: cents for name, cents in sums if cents is not None}

    async def epochs(self) -> Mapping[str, int] | None:
        """Return the epoch of every stream's owner."""
        return dict(self._rows("SELECT stream, epoch FROM owner"))

    async def sealed_shoes(self) -> list[str] | None:
        """Return the shoes whose sealed cards are kept."""
        return [row[0] for row in self._rows(SHOES)]

    async def sealed(self, shoe: str) -> list[bytes]:
        """Return the sealed cards of a shoe, in their order."""
        rows = self._rows(
            "SELECT number, card FROM sealed WHERE shoe = ? ORDER BY number", shoe
        )
        for place, row in enumerate(rows):
            if row[0] != place or type(row[1]) is not bytes:
                message = f"Sealed card {place} of shoe {shoe} is not there."
                raise UnreadableError(message)
        return [row[1] for row in rows]

    @property
    def lies_still(self) -> bool:
        """Tell whether nobody has the file open for writing."""
        return "immutable" in self._how

    async def findings(self) -> list[Finding]:
        """Return what was altered; refuse a file that lay still at first and changed."""
        now, before = self.path.stat(), self._before
        same = (now.st_mtime_ns, now.st_size) == (before.st_mtime_ns, before.st_size)
        if self.lies_still and not same:
            message = f"{self.name} was taken into use while it was read; try again."
            raise JournalError(message)
        return self._logs() + self._stray() + altered(dict(self._rows(SHAPE)))

    def _stray(self) -> list[Finding]:
        """Name a posting whose decision is not there."""
        return [
            Finding("", 0, "postings", f"Posting {place} belongs to no decision.")
            for (place,) in self._rows(STRAY)
        ]

    def _logs(self) -> list[Finding]:
        """Name the logs beside a backup: whoever opens it otherwise would read them."""
        logs = [log for end in LOGS if (log := beside(self.path, end)).exists()]
        why = "it was put there, or the backup was taken into use"
        return [
            Finding("", 0, "backup", f"{log.name} lies beside a signed backup: {why}.")
            for log in logs
            if self._signed
        ]

    async def close(self) -> None:
        """Let go of the file."""
        self.connection.close()


def alterations(found: Mapping[str, str], wanted: Mapping[str, str]) -> list[Finding]:
    """Say what somebody altered of the database that keeps a journal, part by part."""
    sentences = [
        f"The {name} was removed from the database."
        if name not in found
        else f"The {name} was changed in the database."
        for name in sorted(wanted)
        if found.get(name) != wanted[name]
    ]
    sentences += [
        f"The database has a {name} that is not the journal's."
        for name in sorted(set(found) - set(wanted))
    ]
    return [Finding("", 0, "medium", sentence) for sentence in sentences]


def altered(found: Mapping[str, str]) -> list[Finding]:
    """Say what somebody altered of a file that keeps a journal."""
    return alterations(found, wanted_shape())


FIRST, LAST = -(2**63), 2**63 - 1
COLUMNS = {
    "decision": ["place", *Record.__struct_fields__],
    "posting": ["place", "line", "source", "target", "cents"],
    "account": ["name", "cents"],
    "owner": ["stream", "epoch", "holder"],
    "sealed": ["shoe", "number", "card"],
    "snapshot": ["stream", "sequence", "hash", "release", "state", "mark"],
}
# The values of a key's first column, without what lies between.
STREAMS = (
    "WITH RECURSIVE each(one) AS (SELECT min(stream) FROM decision UNION ALL"
    " SELECT (SELECT min(stream) FROM decision WHERE stream > one) FROM each"
    " WHERE one IS NOT NULL) SELECT one FROM each WHERE one IS NOT NULL"
)
SHOES = STREAMS.replace("stream", "shoe").replace("decision", "sealed")
NEWEST = "SELECT sequence, hash FROM decision WHERE stream = ? ORDER BY sequence DESC LIMIT 1"
RECORDS = (
    "SELECT stream, sequence, command_id, actor, body, hash FROM decision"
    " WHERE stream = ? AND sequence > ? ORDER BY sequence LIMIT ?"
)
POSTINGS = (
    "SELECT stream, sequence, line, source, target, cents"
    " FROM decision CROSS JOIN posting USING (place)"
    " WHERE stream = ? AND sequence > ? AND sequence <= ? ORDER BY sequence, line"
)
STRAY = (
    "SELECT DISTINCT place FROM posting"
    " WHERE place NOT IN (SELECT place FROM decision) ORDER BY place LIMIT 1"
)
SUMMED = (
    "SELECT sum(CASE WHEN target = ?1 THEN cents ELSE -cents END) FROM posting"
    " WHERE source = ?1 OR target = ?1"
)
RECORD_KINDS = (str, int, str, str, bytes, bytes)
POSTING_KINDS = (str, int, int, str, str, int)


def _text(raw: bytes) -> str | bytes:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


def _record(row: tuple[Any, ...]) -> Record:
    if tuple(map(type, row)) != RECORD_KINDS:
        _refuse("Decision", row)
    return Record(*row)


def _posting(row: tuple[Any, ...]) -> Posting:
    if tuple(map(type, row)) != POSTING_KINDS:
        _refuse("A posting of decision", row)
    return Posting(*row)


def _refuse(what: str, row: tuple[Any, ...]) -> NoReturn:
    stream, sequence = row[:2]
    message = f"{what} {sequence} of {stream} holds a value of a wrong kind."
    place = sequence if isinstance(sequence, int) else 0
    raise UnreadableError(message, str(stream), place)
