"""Backups: signed, known again, and never restored when they were changed."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sqlite3
from typing import TYPE_CHECKING

import pytest

from croupier.journal.backup import UnsoundError, back_up, restore, verify_backup
from croupier.journal.checkpoints import Signer
from croupier.journal.manifest import manifest_of, read_manifest
from croupier.journal.opening import open_reader
from croupier.journal.store import JournalError
from tests.journal.casino import built, bypassed, verified

if TYPE_CHECKING:
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
        connection.execute("UPDATE answer SET digest = zeroblob(32) WHERE last >= first")
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


def test_no_manifest_is_written_over(journal: Path, backup: Path) -> None:
    backup.unlink()
    with pytest.raises(JournalError, match=r"There is .*/backup.sqlite.manifest.json already"):
        asyncio.run(backed_up(journal, backup))
    assert not backup.exists()


def test_a_copy_that_does_not_hold_leaves_no_manifest(journal: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.sqlite"
    broken.write_bytes(journal.read_bytes())
    with bypassed(broken) as connection:
        connection.execute("UPDATE account SET cents = cents + 1 WHERE name = 'cash'")
    connection = sqlite3.connect(broken)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    with pytest.raises(UnsoundError, match="was not kept"):
        asyncio.run(backed_up(broken, tmp_path / "backup.sqlite"))
    assert [path.name for path in tmp_path.iterdir()] == ["broken.sqlite"]
