"""What guards a journal in its database: it holds, and whoever alters it is found."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from croupier.journal.opening import open_reader
from tests.journal.places import append, content, following, grown

if TYPE_CHECKING:
    from pathlib import Path

    from tests.journal.places import Place, PostgresPlace, SqlitePlace

STREAM = "table:1"
KEPT = ("decision", "posting", "sealed")


async def filled(place: Place) -> None:
    async with place.open() as store:
        epoch, head = await grown(store, STREAM, 1)
        moves = [("cash", "wallet:ann", 9)]
        await append(store, following(head, epoch, moves=moves, commands=["c1"]))
        await store.keep_sealed("shoe", [b"a", b"b"])


async def sentences(where: Path | str) -> list[str]:
    async with await open_reader(str(where)) as reader:
        findings = await reader.findings()
    assert {one.kind for one in findings} <= {"medium"}
    return [one.sentence for one in findings]


@pytest.mark.parametrize("table", KEPT)
@pytest.mark.parametrize("how", ["INSERT OR REPLACE", "REPLACE"])
async def test_nothing_is_replaced(sqlite: SqlitePlace, how: str, table: str) -> None:
    await filled(sqlite)
    async with sqlite.open() as store:
        before = await content(store, [STREAM])
    with pytest.raises(sqlite3.IntegrityError, match=f"{table}s are never changed"):
        await sqlite.bypass(f"{how} INTO {table} SELECT * FROM {table}")  # noqa: S608
    async with sqlite.open() as store:
        assert await content(store, [STREAM]) == before


async def test_a_patron_is_not_made_the_house(sqlite: SqlitePlace) -> None:
    await filled(sqlite)
    for statement in (
        "INSERT OR REPLACE INTO account VALUES ('wallet:ann', -1)",
        "UPDATE account SET cents = -1, name = 'wallet:cash'",
        "INSERT INTO account VALUES ('Vault', -1)",
        "INSERT INTO account VALUES ('a bank:1', -1)",
    ):
        with pytest.raises(sqlite3.IntegrityError):
            await sqlite.bypass(statement)
    for name in ("vault", "house", "bank:9", "box:9", "commission:9", "difference:9"):
        await sqlite.bypass(f"INSERT INTO account VALUES ('{name}', -1)")  # noqa: S608


async def test_nobody_marks_an_account_on_a_server(postgres: PostgresPlace) -> None:
    await filled(postgres)
    for statement in (
        "UPDATE account SET house = true, cents = -1 WHERE name = 'wallet:ann'",
        "INSERT INTO account VALUES ('wallet:eve', -1, true)",
        "INSERT INTO account OVERRIDING SYSTEM VALUE VALUES ('wallet:eve', -1, true)",
    ):
        with pytest.raises(postgres.refusals):
            await postgres.bypass(statement)


# Alterations


async def test_an_unaltered_journal_has_no_findings(
    sqlite: SqlitePlace, postgres: PostgresPlace
) -> None:
    for place, where in ((sqlite, str(sqlite.path)), (postgres, postgres.dsn)):
        await filled(place)
        assert await sentences(where) == []
    await sqlite.bypass("ANALYZE")
    assert await sentences(sqlite.path) == []


REWRITE = (
    "UPDATE sqlite_master SET sql = replace(sql, '{}', '{}') WHERE name = '{}';"
    "PRAGMA writable_schema = RESET"
)
ALTERED_FILE = [
    ("DROP TRIGGER decision_no_update", "The guard decision_no_update was removed from the"),
    ("DROP TRIGGER sealed_no_replace", "The guard sealed_no_replace was removed from the"),
    (
        (
            "DROP TRIGGER posting_no_delete;"
            " CREATE TRIGGER posting_no_delete BEFORE DELETE ON posting BEGIN SELECT 1; END"
        ),
        "The guard posting_no_delete was changed in the",
    ),
    (
        (
            "DROP TRIGGER decision_no_delete;"
            " CREATE TRIGGER decision_no_delete BEFORE DELETE ON owner BEGIN"
            " SELECT RAISE(ABORT, 'decisions are never changed'); END"
        ),
        "The guard decision_no_delete was changed in the",
    ),
    (
        "CREATE TRIGGER more AFTER INSERT ON decision BEGIN DELETE FROM owner; END",
        "The database has a guard more that is not the",
    ),
    ("CREATE TABLE more (x)", "The database has a table more that is not the"),
    ("CREATE VIEW more AS SELECT 1", "The database has a view more that is not the"),
    (REWRITE.format("cents >= 0 OR ", "1 OR ", "account"), "The table account was changed"),
    (REWRITE.format("CHECK (cents > 0)", "", "posting"), "The table posting was changed"),
    (REWRITE.format("body BLOB NOT NULL", "body BLOB", "decision"), "The table decision was"),
    ("ALTER TABLE owner RENAME TO o; CREATE TABLE owner (stream, epoch, holder)", "The table"),
]


@pytest.mark.parametrize(("script", "sentence"), ALTERED_FILE)
async def test_an_altered_file_is_found(
    sqlite: SqlitePlace, script: str, sentence: str
) -> None:
    await filled(sqlite)
    connection = sqlite3.connect(sqlite.path, isolation_level=None)
    connection.execute("PRAGMA writable_schema = ON")
    connection.executescript(script)
    connection.close()
    first = (await sentences(sqlite.path))[0]
    assert first.startswith(sentence)
    assert first.endswith(".")


NO_GUARD = "RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$"
ALTERED_DATABASE = [
    (
        "DROP TRIGGER decision_forever ON decision",
        "The guard decision_forever was removed from the",
    ),
    (
        "ALTER TABLE decision DISABLE TRIGGER decision_forever",
        "The guard decision_forever was changed in the",
    ),
    (
        "ALTER TABLE sealed ENABLE TRIGGER sealed_forever",
        "The guard sealed_forever was changed in the",
    ),
    (
        f"CREATE OR REPLACE FUNCTION never_changed() {NO_GUARD}",
        "The function never_changed was changed in the",
    ),
    (
        (
            f"CREATE FUNCTION other() {NO_GUARD}; DROP TRIGGER posting_forever ON posting;"
            " CREATE TRIGGER posting_forever BEFORE UPDATE OR DELETE OR TRUNCATE ON posting"
            " EXECUTE FUNCTION other();"
            " ALTER TABLE posting ENABLE ALWAYS TRIGGER posting_forever"
        ),
        "The guard posting_forever was changed in the",
    ),
    (
        (
            f"CREATE FUNCTION other() {NO_GUARD};"
            " CREATE TRIGGER a BEFORE INSERT ON decision FOR EACH ROW EXECUTE FUNCTION other()"
        ),
        "The database has a guard a that is not the",
    ),
    (
        (
            "CREATE OR REPLACE FUNCTION append_frame(text[], bigint[]) RETURNS void"
            " LANGUAGE sql AS 'SELECT'"
        ),
        "The function append_frame was changed in the",
    ),
    (
        "ALTER TABLE account DROP CONSTRAINT account_check",
        "The constraint account_check was removed from the",
    ),
    (
        (
            "ALTER TABLE account DROP CONSTRAINT account_check,"
            " ADD CONSTRAINT account_check CHECK (true)"
        ),
        "The constraint account_check was changed in the",
    ),
    (
        "ALTER TABLE posting ADD CHECK (cents < 100)",
        "The database has a constraint posting_cents_check1 that is not the",
    ),
    (
        "ALTER TABLE decision DROP CONSTRAINT decision_once",
        "The constraint decision_once was removed from the",
    ),
    (
        "ALTER TABLE account ALTER house DROP EXPRESSION",
        "The table account was changed in the",
    ),
    ("ALTER TABLE posting ALTER cents DROP NOT NULL", "The table posting was changed in the"),
    ("ALTER TABLE posting SET UNLOGGED", "The table posting was changed in the"),
    ("ALTER TABLE decision ENABLE ROW LEVEL SECURITY", "The table decision was changed in the"),
    ("CREATE TABLE more () INHERITS (posting)", "The table posting was changed in the"),
    (
        "CREATE RULE quiet AS ON DELETE TO decision DO INSTEAD NOTHING",
        "The database has a rule quiet that is not the",
    ),
]


@pytest.mark.parametrize(("script", "sentence"), ALTERED_DATABASE)
async def test_an_altered_database_is_found(
    postgres: PostgresPlace, script: str, sentence: str
) -> None:
    await filled(postgres)
    await postgres.bypass(script)
    (found,) = await sentences(postgres.dsn)
    assert found.startswith(sentence)
    assert found.endswith(".")
