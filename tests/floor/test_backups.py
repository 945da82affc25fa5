"""A house is backed up while it is played in; what is restored verifies, starts and goes on."""

from __future__ import annotations

import asyncio
import json
import secrets
import sqlite3
import subprocess
import time
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from tests.floor.operated import Operated, command, environment, operated, refused
from tests.journal.conftest import execute, postgres_dsn, postgres_server

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["postgres_dsn", "postgres_server"]
FAST = ("--betting", 1, "--pause", 0.1, "--pace", 0.02, "--answer", 1)


def croupier(*arguments: object) -> Any:  # noqa: ANN401  # JSON
    done = subprocess.run(  # noqa: S603  # our own program
        command(*arguments, "--json"),
        capture_output=True,
        text=True,
        env=environment(),
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return json.loads(done.stdout)


def coups(server: Operated) -> int:
    text = server.call("GET", "/metrics").body.decode()
    lines = [one for one in text.splitlines() if one.startswith("croupier_coups_total{")]
    return sum(int(one.rpartition(" ")[2]) for one in lines)


def wait_for_coups(server: Operated, wanted: int) -> None:
    end = time.monotonic() + 60
    while coups(server) < wanted:
        assert time.monotonic() < end, "nothing was played"
        time.sleep(0.2)


@pytest.fixture(scope="module")
def backed_up(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Back a house up twice while twelve patrons play in it."""
    folder = tmp_path_factory.mktemp("played") / "house"
    variables = {
        "CROUPIER_BACKUP__FOLDER": str(folder.with_name("backups")),
        "CROUPIER_BACKUP__KEYS_FOLDER": str(folder.with_name("keys")),
    }
    with operated(folder, "--demo", *FAST, **variables) as server:
        wait_for_coups(server, 10)
        token = server.sign_in("administrator")
        for name in ("first", "second"):
            answer = server.call("POST", "/api/v1/admin/backup", {"name": name}, token)
            assert answer.status == 201, answer.body
            shown = answer.json
            while not shown["done"]:
                time.sleep(0.2)
                every = server.call("GET", "/api/v1/admin/backups", token=token).json
                shown = next(one for one in every if one["name"] == name)
            assert shown["error"] is None
            assert shown["made"]["decisions"] > 100
        # The house goes on.
        wait_for_coups(server, coups(server) + 5)
        dealer = server.sign_in("dealer")
        answer = server.call("POST", "/api/v1/admin/backup", {}, dealer)
        assert (answer.status, answer.json["code"]) == (403, "forbidden")
    return folder.parent


def test_a_restored_house_verifies_starts_and_goes_on(backed_up: Path, tmp_path: Path) -> None:
    restored = tmp_path / "restored"
    keys = backed_up / "keys" / "second"
    document = croupier("restore", backed_up / "backups" / "second", restored, "--keys", keys)
    assert document["holds"]
    assert croupier("verify", restored)["holds"]
    with operated(restored, "--demo", *FAST) as server:
        assert server.call("GET", "/readyz").json == {"ready": True, "warnings": []}
        wait_for_coups(server, 12)  # shoes in play are dealt on, with their keys
        assert server.sign_in("patron-01")
    assert croupier("verify", restored)["holds"]


def test_a_backup_holds_no_key_and_no_session(backed_up: Path) -> None:
    backup, keys = backed_up / "backups" / "first", backed_up / "keys" / "first"
    assert (backup.stat().st_mode & 0o777, keys.stat().st_mode & 0o777) == (0o700, 0o700)
    secrets = [path.read_bytes() for path in keys.rglob("*.key")]
    assert len(secrets) > 10
    for path in backup.rglob("*"):
        content = path.read_bytes() if path.is_file() else b""
        assert not any(secret in content for secret in secrets), path
    with closing(sqlite3.connect(backup / "people.sqlite")) as people:
        assert people.execute("SELECT count(*) FROM session").fetchone() == (0,)
        assert people.execute("SELECT count(*) FROM password").fetchone()[0] > 20


def test_without_the_keys_a_house_starts_and_says_so(backed_up: Path, tmp_path: Path) -> None:
    restored = tmp_path / "restored"
    done = subprocess.run(  # noqa: S603  # our own program
        command("restore", backed_up / "backups" / "first", restored),
        capture_output=True,
        text=True,
        env=environment(),
        check=True,
    )
    assert "The keys were not given: shoes in play cannot be dealt on" in done.stdout
    assert croupier("verify", restored)["findings"] == []
    with operated(restored, "--demo", "--demo-patrons", 0, *FAST) as server:
        assert server.call("GET", "/readyz").status == 200


def test_nothing_is_restored_over_something_nor_from_a_house_itself(
    backed_up: Path, tmp_path: Path
) -> None:
    backup = backed_up / "backups" / "first"
    assert refused("restore", backup, tmp_path).endswith("nothing is written over it.")
    assert refused("restore", backup, tmp_path / "x", "--keys", tmp_path) == (
        f"{tmp_path} holds no keys of a house."
    )
    said = refused(
        "restore", backup, tmp_path / "x", "--database", "postgresql://x@127.0.0.1/y"
    )
    assert said.endswith("it is restored without --database.")
    inside = backup / "x"
    assert refused("restore", backup, inside) == (
        f"{inside} lies in the backup itself; restore it elsewhere."
    )
    said = refused("restore", backed_up / "house", tmp_path / "x")
    assert said.startswith(
        f"{backed_up / 'house'} is the folder of a house and no backup of one;"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_house_on_a_database_is_backed_up_and_restored(
    postgres_dsn: str, tmp_path: Path
) -> None:
    addresses = []
    for _ in range(2):
        schema = f"test_{secrets.token_hex(8)}"
        asyncio.run(execute(postgres_dsn, f"CREATE SCHEMA {schema}"))
        addresses.append(f"{postgres_dsn}&search_path={schema}")
    (tmp_path / "address").write_text(f"{addresses[0]}\n", encoding="utf-8")
    variables = {
        "CROUPIER_SERVER__DATABASE_FILE": str(tmp_path / "address"),
        "CROUPIER_BACKUP__KEYS_FOLDER": str(tmp_path / "keys"),
    }
    house, restored = tmp_path / "house", tmp_path / "restored"
    with operated(house, "--demo", "--demo-patrons", 0, **variables) as server:
        token = server.sign_in("administrator")
        answer = server.call("POST", "/api/v1/admin/backup", {"name": "one"}, token)
        assert answer.json["done"], answer.body
    backup, keys = house / "backups" / "one", tmp_path / "keys" / "one"
    said = refused("restore", backup, restored, "--keys", keys)
    assert said.endswith("name a new one by --database.")
    croupier("restore", backup, restored, "--keys", keys, "--database", addresses[1])
    with operated(
        restored, "--demo", "--demo-patrons", 0, "--database", addresses[1]
    ) as server:
        assert server.call("GET", "/readyz").json == {"ready": True, "warnings": []}
        assert server.sign_in("patron-01")
