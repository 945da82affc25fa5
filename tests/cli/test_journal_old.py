"""Journals and exports of the old form: every command refuses them with one sentence."""

from __future__ import annotations

import asyncio
import io
import json
import sqlite3
from typing import TYPE_CHECKING

import asyncpg
import pytest

from tests.cli.run import assert_refused, run
from tests.cli.test_journal import COMMANDS, on
from tests.journal.conftest import postgres, postgres_dsn, postgres_server

if TYPE_CHECKING:
    from pathlib import Path

    from tests.journal.places import PostgresPlace

__all__ = ["postgres", "postgres_dsn", "postgres_server"]

OLD_TABLES = ("record", "posting", "answer", "account", "owner", "sealed")
OLD_LINES = (
    '{"content":"export","format":"croupier-export","kind":"header","version":1}\n'
    '{"actor":"system:house","body":"{}","kind":"record","stream":"cage","sequence":1}\n'
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda one: one[0])
def test_what_is_of_the_old_form_is_refused_in_a_sentence(
    command: list[str], tmp_path: Path
) -> None:
    old = tmp_path / "old.sqlite"
    connection = sqlite3.connect(old)
    for name in OLD_TABLES:
        connection.execute(f"CREATE TABLE {name} (stream TEXT, sequence INTEGER)")
    connection.close()
    lines = tmp_path / "old.jsonl"
    lines.write_text(OLD_LINES, encoding="utf-8")
    folder = tmp_path / "old-csv"
    folder.mkdir()
    head = {"content": "csv", "files": {"records.csv": "00"}, "heads": {}, "key": ""}
    (folder / "head.json").write_text(json.dumps(head | {"signature": ""}), encoding="utf-8")
    for where in (old, lines, folder):
        assert_refused(on(where, command), str(where), "of the old form")
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"old.sqlite", "old.jsonl", "old-csv"}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda one: one[0])
def test_a_database_of_the_old_form_is_refused_in_a_sentence(
    command: list[str], postgres: PostgresPlace, tmp_path: Path
) -> None:
    async def make() -> None:
        connection = await asyncpg.connect(postgres.dsn)
        try:
            for name in OLD_TABLES:
                await connection.execute(f"CREATE TABLE {name} (stream text, sequence bigint)")
        finally:
            await connection.close()

    asyncio.run(make())
    target = str(tmp_path / "target")
    words = [target if one.startswith("{}.") else one.format(postgres.dsn) for one in command]
    assert_refused(run(*words), "of the old form")


def test_nobody_plays_on_in_a_house_of_the_old_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = sqlite3.connect(tmp_path / "journal.sqlite")
    for name in OLD_TABLES:
        connection.execute(f"CREATE TABLE {name} (stream TEXT, sequence INTEGER)")
    connection.close()
    monkeypatch.setattr("sys.stdin", io.StringIO("bet player 50\n"))
    assert_refused(run("play", "--game", "tiger", "--house", str(tmp_path)), "of the old form")
