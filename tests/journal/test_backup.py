"""Backups: signed, known again, and never restored when they were changed."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sqlite3
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from croupier.floor.desk import Request
from croupier.floor.house import House
from croupier.journal.backup import UnsoundError, back_up, restore, verify_backup
from croupier.journal.checkpoints import Signer
from croupier.journal.errors import JournalError
from croupier.journal.manifest import read_manifest
from croupier.journal.opening import open_reader
from croupier.journal.sqlite_file import manifest_of
from croupier.table.commands import OpenTable, TakeSeat
from croupier.table.settings import Method, Settings
from tests.journal.casino import built, bypassed, verified
from tests.table.floor import DEALER, MANAGER

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from croupier.journal.verify import Verified

SIGNER = Signer.once()


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("casino"))


@pytest.fixture
def backup(journal: Path, tmp_path: Path) -> Path:
    path = tmp_path / "backup.sqlite"
    asyncio.run(backed_up(journal, path))
    return path


async def backed_up(journal: Path, path: Path) -> Verified:
    async with await open_reader(str(journal)) as reader:
        return await back_up(reader, path, SIGNER)


def checked(path: Path, *keys: str) -> list[str]:
    async def check() -> Verified:
        async with await open_reader(str(path)) as reader:
            return await verify_backup(reader, keys=keys)

    return [one.sentence for one in asyncio.run(check()).findings]


def restored(path: Path, *keys: str) -> Path:
    again = path.with_name("again.sqlite")

    async def make() -> None:
        async with await open_reader(str(path)) as reader:
            await restore(reader, str(again), keys=keys)

    asyncio.run(make())
    return again


def test_a_backup_has_a_signed_manifest(journal: Path, backup: Path) -> None:
    manifest = read_manifest(backup)
    assert manifest is not None
    assert manifest.sha256 == hashlib.sha256(backup.read_bytes()).hexdigest()
    assert manifest.heads == verified(journal).heads
    assert manifest.key == SIGNER.public
    assert checked(backup) == checked(backup, SIGNER.public) == []
    assert verified(restored(backup, SIGNER.public)).heads == manifest.heads
    assert not manifest_of(backup.with_name("again.sqlite")).exists()


def test_a_backup_of_another_history_is_found_by_its_manifest(backup: Path) -> None:
    """Everything in it holds; it is only not what was backed up."""
    with bypassed(backup) as connection:
        connection.execute("UPDATE owner SET holder = 'somebody else'")
    assert verified(backup).holds
    words = "backup.sqlite is not the backup that was signed in backup.sqlite.manifest.json."
    assert checked(backup) == [words]
    with pytest.raises(UnsoundError, match="is not the backup that was signed"):
        restored(backup)


def test_every_changed_byte_of_a_manifest_is_found(backup: Path) -> None:
    path = manifest_of(backup)
    content = path.read_bytes()
    for place in range(len(content)):
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        assert len(checked(backup)) == 1, place
    path.write_bytes(content + b"\n")
    assert len(checked(backup)) == 1


def test_a_manifest_of_somebody_else_is_found_by_its_key(backup: Path) -> None:
    other = Signer.once()
    manifest = json.loads(manifest_of(backup).read_bytes())
    manifest |= {"key": other.public, "signature": ""}
    body = json.dumps(manifest, sort_keys=True, separators=(",", ":"))
    manifest["signature"] = other.sign(body.encode())
    text = json.dumps(manifest, sort_keys=True, separators=(",", ":"))
    manifest_of(backup).write_text(text, encoding="utf-8")
    assert checked(backup) == []
    words = "backup.sqlite.manifest.json is signed by another key."
    assert checked(backup, SIGNER.public) == [words]
    with pytest.raises(UnsoundError, match="is signed by another key"):
        restored(backup, SIGNER.public)


@pytest.fixture
def evil(backup: Path, tmp_path: Path) -> bytes:
    """Return a log that makes another history of a backup, and leaves its file alone."""
    copy = tmp_path / "evil.sqlite"
    copy.write_bytes(backup.read_bytes())
    connection = sqlite3.connect(copy, isolation_level=None)
    connection.executescript("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0")
    connection.execute("UPDATE owner SET epoch = epoch + 7")
    log = beside(copy, "-wal").read_bytes()
    connection.close()
    copy.unlink()
    return log


def beside(path: Path, end: str) -> Path:
    return path.with_name(f"{path.name}{end}")


@pytest.mark.parametrize("end", ["-wal", "-journal"])
def test_a_log_beside_a_backup_is_found_and_not_read(
    backup: Path, evil: bytes, end: str
) -> None:
    epochs = epochs_in(backup)
    beside(backup, end).write_bytes(evil)
    assert checked(backup, SIGNER.public) == [lies_beside(end)]
    assert epochs_in(backup) == epochs
    with pytest.raises(UnsoundError, match=f"{end} lies beside a signed backup"):
        restored(backup, SIGNER.public)
    with pytest.raises(UnsoundError, match=f"{end} lies beside a signed backup"):
        asyncio.run(backed_up(backup, backup.with_name("second.sqlite")))
    # Without its manifest it is a journal like any other, and its log is a part of it.
    manifest_of(backup).unlink()
    assert checked(backup) == []
    assert (epochs_in(backup) == epochs) == (end == "-journal")


def lies_beside(end: str) -> str:
    why = "it was put there, or the backup was taken into use"
    return f"backup.sqlite{end} lies beside a signed backup: {why}."


def epochs_in(path: Path) -> dict[str, int]:
    async def read() -> dict[str, int]:
        async with await open_reader(str(path)) as reader:
            return dict(await reader.epochs() or {})

    return asyncio.run(read())


@pytest.mark.parametrize("target", ["journal.sqlite", "middle.sqlite"])
def test_a_journal_in_use_is_read_whole_through_a_link(tmp_path: Path, target: str) -> None:
    """Its newest decisions are in the log, which lies beside the file, not beside the link."""
    journal = tmp_path / "house" / "journal.sqlite"
    middle, link = tmp_path / "house" / "middle.sqlite", tmp_path / "link.sqlite"

    async def play() -> Verified:
        async with playing(journal.parent) as house:
            middle.symlink_to(journal.name)
            link.symlink_to(journal.with_name(target))
            desk = await house.table("1")
            for seat in range(1, 4):
                await desk.submit(Request(f"s{seat}", DEALER, TakeSeat(f"p{seat}", seat)))
            return await backed_up(link, tmp_path / "backup.sqlite")

    copied = asyncio.run(play())
    assert copied.heads == verified(journal).heads == verified(link).heads
    # Two starts, the opening of the table and three seats.
    assert copied.heads["table:1"][0] == 6


def test_a_backup_is_known_by_its_manifest_through_a_link(backup: Path, evil: bytes) -> None:
    link = backup.with_name("latest")
    link.symlink_to(backup.name)
    assert checked(link, SIGNER.public) == []
    beside(backup, "-wal").write_bytes(evil)
    assert checked(link) == [lies_beside("-wal")]


@asynccontextmanager
async def playing(folder: Path) -> AsyncIterator[House]:
    """Open a house with a table, whose first decisions are in the file, no longer in a log."""
    house = await House.open(folder)
    settings = Settings(rulebook="BAC8", game="baccarat", method=Method.B, decks=4)
    await (await house.table("1")).submit(Request("o", MANAGER, OpenTable(settings)))
    await house.close()
    house = await House.open(folder)
    try:
        yield house
    finally:
        await house.close()


def test_no_manifest_is_written_over(journal: Path, backup: Path) -> None:
    backup.unlink()
    with pytest.raises(JournalError, match=r"There is .*/backup.sqlite.manifest.json already"):
        asyncio.run(backed_up(journal, backup))
    assert not backup.exists()


def test_a_copy_that_does_not_hold_leaves_no_manifest(journal: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.sqlite"
    broken.write_bytes(journal.read_bytes())
    with bypassed(broken) as connection:
        connection.execute("UPDATE account SET cents = cents + 1 WHERE name = 'wallet:ann'")
    connection = sqlite3.connect(broken)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    with pytest.raises(UnsoundError, match="was not kept"):
        asyncio.run(backed_up(broken, tmp_path / "backup.sqlite"))
    assert [path.name for path in tmp_path.iterdir()] == ["broken.sqlite"]
