"""Backups and their return: every copy is verified before it counts.

An SQLite journal is copied page by page while the floor goes on; a journal in PostgreSQL is
written as an export with the sealed cards, encrypted as they are kept. The keys of shoes are
in neither. Both are signed: an export at its end, an SQLite file by a manifest beside it. What
is restored goes into a new place, never over an old one.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import astuple

from croupier.accounting import SUMS
from croupier.journal.checkpoints import Signer
from croupier.journal.errors import JournalError
from croupier.journal.export import ExportReader, columns_of, write_export
from croupier.journal.files import name_once, new_target, require_new, sync_file
from croupier.journal.manifest import check_manifest, read_manifest, write_manifest
from croupier.journal.opening import is_address, open_reader, verify_reader
from croupier.journal.reader import SqliteReader
from croupier.journal.sheets import FolderReader
from croupier.journal.sqlite_file import LOGS, MANIFEST, beside, manifest_of
from croupier.journal.sqlite_schema import FOREVER, SCHEMA, insert_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from croupier.journal.checkpoints import Checkpoint
    from croupier.journal.decision import Record
    from croupier.journal.reader import Finding, Reader
    from croupier.journal.verify import Verified

PAGES_AT_ONCE = 1_000
HOLDER = "restored"
PARTS = ("", *LOGS, "-shm", MANIFEST)
"""What an SQLite journal or a backup consists of; none of it may be there where one is made."""


class UnsoundError(JournalError):
    """A copy, or what was to be copied, that does not hold."""

    def __init__(self, what: str, verified: Verified) -> None:
        super().__init__(f"{what}: {_found(verified.findings[0])}")
        self.verified = verified


def _found(finding: Finding) -> str:
    """Say where something does not hold, once, and what it is."""
    where, sentence = f"decision {finding.sequence} of {finding.stream}", finding.sentence
    if not finding.stream:
        return sentence
    if sentence.lower().startswith(where.lower()):
        return where + sentence[len(where) :]
    return f"{where}: {sentence}"


async def back_up(
    reader: Reader,
    target: Path,
    signer: Signer | None = None,
    progress: Callable[[int], None] | None = None,
) -> Verified:
    """Copy a journal into a new file, and verify the copy before it gets its name."""
    if isinstance(reader, ExportReader | FolderReader):
        message = f"{reader.name} is an export, and a copy already; copy its files."
        raise JournalError(message)
    _require_new(target)
    with new_target(target) as part:
        if isinstance(reader, SqliteReader):
            _copy(reader, part)
        else:
            await write_export(reader, part, signer or Signer.once(), sealed=True)
        async with await open_reader(str(part)) as copy:
            verified = await verify_reader(copy, (), progress)
        if isinstance(reader, SqliteReader):
            # Of what was copied, too: a file that was taken into use meanwhile, or a backup
            # with a log beside it that is not in the copy.
            verified.findings += await reader.findings()
        if not verified.holds:
            what = "The copy does not hold and was not kept"
            raise UnsoundError(what, verified)
        if isinstance(reader, SqliteReader):
            _name_signed(part, target, verified, signer or Signer.once())
        else:
            name_once(part, target)
    return verified


def _name_signed(part: Path, target: Path, verified: Verified, signer: Signer) -> None:
    """Give a backup its name when its manifest is there, so that none is without one."""
    write_manifest(target, part, verified.heads, signer)
    try:
        name_once(part, target)
    except BaseException:  # Ctrl-C too
        if not target.exists():
            manifest_of(target).unlink()
        raise


def _copy(reader: SqliteReader, part: Path) -> None:
    """Copy the pages of the reader's snapshot; the copy needs no log beside it."""
    try:
        target = sqlite3.connect(part, isolation_level=None)
        try:
            # Without something to call, Python would not hear of Ctrl-C until the end.
            reader.connection.backup(target, pages=PAGES_AT_ONCE, progress=_go_on)
            target.execute("PRAGMA journal_mode=DELETE").fetchone()
        finally:
            target.close()
        sync_file(part)
    except sqlite3.Error as error:
        message = f"{reader.name} cannot be copied: {error}."
        raise JournalError(message) from error


def _go_on(status: int, left: int, pages: int) -> None:
    """Let Python look for signals."""


def _require_new(path: Path) -> None:
    for end in PARTS:
        require_new(beside(path, end))


def can_be_signed(reader: Reader) -> bool:
    """Tell whether a journal should carry a signature: an export, or a backup."""
    if isinstance(reader, SqliteReader):
        return manifest_of(reader.path).exists()
    return isinstance(reader, ExportReader | FolderReader)


def signed_by(reader: Reader) -> str | None:
    """Return the key that an export, or the manifest of a backup, says it is signed by."""
    if isinstance(reader, SqliteReader):
        manifest = read_manifest(reader.path)
        return manifest.key if manifest else None
    head = reader.head if isinstance(reader, ExportReader | FolderReader) else None
    return head.key if head else None


async def verify_backup(
    reader: Reader,
    checkpoints: Sequence[Checkpoint] = (),
    progress: Callable[[int], None] | None = None,
    keys: tuple[str, ...] = (),
) -> Verified:
    """Verify a journal, and its manifest if it is a backup that has one."""
    verified = await verify_reader(reader, checkpoints, progress)
    if isinstance(reader, SqliteReader):
        verified.findings += check_manifest(reader.path, verified.heads, keys)
    return verified


# Restoring


async def restore(
    backup: Reader,
    where: str,
    checkpoints: Sequence[Checkpoint] = (),
    progress: Callable[[int], None] | None = None,
    keys: tuple[str, ...] = (),
) -> Verified:
    """Make a journal of a backup; refuse one that does not hold, or is behind checkpoints."""
    verified = await verify_backup(backup, checkpoints, progress, keys)
    if not verified.holds:
        what = f"{backup.name} is not restored"
        raise UnsoundError(what, verified)
    await _require_sealed(backup, verified)
    if is_address(where):
        await _restore_database(backup, where)
        return await _verified_again(where, verified, checkpoints, progress)
    _require_new(Path(where))
    with new_target(Path(where)) as part:
        if isinstance(backup, SqliteReader):
            _copy(backup, part)
        else:
            await _fill_file(backup, part)
        again = await _verified_again(str(part), verified, checkpoints, progress)
        name_once(part, Path(where))
    return again


async def _verified_again(
    where: str,
    verified: Verified,
    checkpoints: Sequence[Checkpoint],
    progress: Callable[[int], None] | None,
) -> Verified:
    """Verify what was restored; it ends where its backup does."""
    async with await open_reader(where) as restored:
        again = await verify_reader(restored, checkpoints, progress)
    if not again.holds:
        what = "The restored journal does not hold"
        raise UnsoundError(what, again)
    if again.heads != verified.heads:
        message = "The restored journal ends elsewhere than its backup."
        raise JournalError(message)
    return again


async def _require_sealed(backup: Reader, verified: Verified) -> None:
    """Refuse to restore a table whose shoe could not be dealt on."""
    kept = await backup.sealed_shoes()
    for seal in verified.unopened:
        if kept is None or seal not in kept:
            message = (
                f"{backup.name} does not hold the sealed cards of shoe {seal},"
                " which is in play; restore from a backup."
            )
            raise JournalError(message)


def _epoch(record: Record) -> int:
    return columns_of(record.body).epoch


async def _accounts(backup: Reader) -> list[tuple[str, int]]:
    """Return the rows of accounts; those that are sums of their postings have none."""
    balances = await backup.balances()
    return [(name, cents) for name, cents in balances.items() if name not in SUMS]


async def _fill_file(backup: Reader, part: Path) -> None:
    connection = sqlite3.connect(part, isolation_level=None)
    try:
        connection.executescript(SCHEMA + FOREVER)
        connection.execute("BEGIN")
        place = 0
        for head in await backup.heads():
            epoch = 0
            async for page in backup.pages(head.stream):
                # In one stream the places are in the order of the sequences.
                shift = place - page.records[0].sequence + 1 if page.records else 0
                rows = [(one.sequence + shift, *astuple(one)) for one in page.records]
                insert_rows(connection, "decision", rows)
                moved = [(one.sequence + shift, *astuple(one)[2:]) for one in page.postings]
                insert_rows(connection, "posting", moved)
                place += len(rows)
                epoch = max([epoch, *(_epoch(record) for record in page.records)])
            connection.execute(
                "INSERT INTO owner VALUES (?, ?, ?)", (head.stream, epoch, HOLDER)
            )
        insert_rows(connection, "account", await _accounts(backup))
        for shoe in await backup.sealed_shoes() or ():
            cards = [(shoe, *one) for one in enumerate(await backup.sealed(shoe))]
            connection.executemany("INSERT INTO sealed VALUES (?, ?, ?)", cards)
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        message = f"{backup.name} cannot be restored: {error}."
        raise JournalError(message) from error
    finally:
        connection.close()
    sync_file(part)


async def _restore_database(backup: Reader, dsn: str) -> None:
    """Fill a database that has no journal, in one transaction."""
    import asyncpg  # noqa: PLC0415  # slow to load

    from croupier.journal.postgres import PostgresStore  # noqa: PLC0415  # the same
    from croupier.journal.postgres_reader import ERRORS, database_name, said  # noqa: PLC0415

    store = await PostgresStore.open(dsn)
    await store.close()
    try:
        connection = await asyncpg.connect(dsn)
        try:
            async with connection.transaction(isolation="serializable"):
                for table in ("owner", "decision", "account", "sealed", "snapshot"):
                    if await connection.fetchval(f"SELECT EXISTS (SELECT FROM {table})"):  # noqa: S608
                        message = (
                            f"There is a journal in {database_name(dsn)} already;"
                            " nothing is written over it."
                        )
                        raise JournalError(message)
                await _fill_database(backup, connection)
        finally:
            await connection.close()
    except ERRORS as error:
        message = f"{backup.name} cannot be restored: {said(error)}."
        raise JournalError(message) from error


async def _fill_database(backup: Reader, connection: Any) -> None:  # noqa: ANN401  # no types
    copy = connection.copy_records_to_table
    for head in await backup.heads():
        epoch = 0
        async for page in backup.pages(head.stream):
            await copy("decision", records=[astuple(record) for record in page.records])
            await copy("posting", records=[astuple(posting) for posting in page.postings])
            epoch = max([epoch, *(_epoch(record) for record in page.records)])
        await copy("owner", records=[(head.stream, epoch, HOLDER)])
    await copy("account", columns=["name", "cents"], records=await _accounts(backup))
    for shoe in await backup.sealed_shoes() or ():
        cards = [(shoe, *one) for one in enumerate(await backup.sealed(shoe))]
        await copy("sealed", records=cards)
