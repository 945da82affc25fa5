"""Verification: a sound journal holds, and whatever is changed past the store is found."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from croupier.journal import opening
from croupier.journal.errors import JournalError
from croupier.journal.memory import MemoryStore
from croupier.journal.opening import open_reader, verify_reader
from croupier.journal.reader import Finding, SqliteReader
from croupier.journal.sqlite import SqliteStore
from croupier.journal.verify import verify
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands as c
from tests.journal.casino import (
    Casino,
    built,
    bypassed,
    checkpoints_of,
    copied,
    open_house,
    play,
    verified,
    verified_now,
)

if TYPE_CHECKING:
    from pathlib import Path

    from tests.journal.places import PostgresPlace

SEED = 5


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("casino"))


@pytest.fixture
def copy(journal: Path, tmp_path: Path) -> Path:
    return copied(journal, tmp_path)


def first(path: Path) -> Finding:
    done = verified(path)
    assert not done.holds
    return done.findings[0]


# A sound journal


@pytest.mark.clause("EB4 5.9.1")
def test_a_sound_journal_holds(journal: Path) -> None:
    done = verified(journal, *checkpoints_of(journal))
    assert done.findings == done.otherwise == []
    assert done.streams == 4
    assert (done.settlements, done.refusals) == (1, 2)
    assert done.openings >= 5
    assert done.checkpoints >= 3
    assert len(done.unopened) == 1
    with sqlite3.connect(journal) as connection:
        bodies = [body for (body,) in connection.execute("SELECT body FROM decision")]
        (postings,) = connection.execute("SELECT count(*) FROM posting").fetchone()
        (snapshots,) = connection.execute("SELECT count(*) FROM snapshot").fetchone()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    whole = b"".join(bodies)
    for name in (b"wagers_settled", b"round_voided", b'"interruption":', b'"ended":'):
        assert name in whole
    assert (done.decisions, done.postings) == (len(bodies), postings)
    assert snapshots > 0


async def test_stores_are_verified_as_readers_are(tmp_path: Path) -> None:
    memory = MemoryStore()
    casino = Casino(memory, tmp_path)
    await casino.start()
    await play(casino)
    await casino.close()
    done = await verify(memory, RULEBOOKS)
    assert done.findings == []
    assert done.decisions > 40


async def test_a_postgresql_journal_is_verified(
    postgres: PostgresPlace, tmp_path: Path
) -> None:
    async with postgres.open() as store:
        casino = Casino(store, tmp_path)
        await casino.start()
        await play(casino)
        done = await verified_now(postgres.dsn)
        await casino.close()
    assert done.findings == []
    assert done.settlements == 1
    async with postgres.connect() as connection:
        await connection.execute("ALTER TABLE posting DISABLE TRIGGER posting_forever")
        await connection.execute("UPDATE posting SET cents = cents + 1 WHERE stream = 'cage'")
        kinds = [one.kind for one in (await verified_now(postgres.dsn)).findings]
        assert kinds == ["postings", "medium"]
        await connection.execute("ALTER TABLE posting ENABLE ALWAYS TRIGGER posting_forever")
    found = (await verified_now(postgres.dsn)).findings
    assert [(one.stream, one.sequence, one.kind) for one in found] == [("cage", 2, "postings")]


async def test_a_database_without_a_journal_is_left_without_one(
    postgres: PostgresPlace,
) -> None:
    with pytest.raises(JournalError, match=r"^There is no journal in "):
        await open_reader(postgres.dsn)
    async with postgres.connect() as connection:
        assert await connection.fetchval("SELECT to_regclass('decision')") is None
    with pytest.raises(JournalError, match="cannot be reached") as error:
        await open_reader("postgresql://me:secret@127.0.0.1:1/none")
    assert "secret" not in str(error.value)


def test_a_file_of_the_old_form_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript("CREATE TABLE record (a); CREATE TABLE answer (a);")
    connection.close()
    with pytest.raises(JournalError, match=r"is of the old form, .* cannot read it\.$"):
        verified(path)


def test_a_snapshot_is_never_believed(copy: Path) -> None:
    """Whatever snapshots say, what is verified is what was decided."""
    whole = verified(copy)
    for statement in (
        "UPDATE snapshot SET state = zeroblob(length(state)), mark = zeroblob(32)",
        "UPDATE snapshot SET sequence = sequence + 1000, hash = zeroblob(32)",
        "UPDATE snapshot SET stream = stream || 'x'",
        "DELETE FROM snapshot",
    ):
        with bypassed(copy) as connection:
            assert connection.execute(statement).rowcount > 0
        assert verified(copy) == whole


# Reading does not disturb


async def test_a_journal_is_read_while_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    store = await SqliteStore.open(path)
    casino = Casino(store, tmp_path)
    await casino.start()
    await open_house(casino)
    async with await open_reader(str(path)) as reader:
        before = await verify_reader(reader)
        await casino.do("1", c.CallBets())
        again = await verify_reader(reader)
        assert before.holds
        assert again.heads == before.heads
    after = await verified_now(path)
    assert after.holds
    assert after.heads["table:1"][0] > before.heads["table:1"][0]
    await casino.close()
    await store.close()


async def test_what_a_crash_left_in_the_log_is_read(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    store = await SqliteStore.open(path)
    casino = Casino(store, tmp_path)
    await casino.start()
    await open_house(casino)
    left = tmp_path / "left"
    left.mkdir()
    for end in ("", "-wal"):
        content = (tmp_path / f"journal.sqlite{end}").read_bytes()
        (left / f"journal.sqlite{end}").write_bytes(content)
    done = await verified_now(left / "journal.sqlite")
    assert done.holds
    assert done.heads == (await verified_now(path)).heads
    await casino.close()
    await store.close()


def test_reading_a_journal_that_lies_still_leaves_nothing_beside_it(copy: Path) -> None:
    content = copy.read_bytes()
    assert verified(copy).holds
    assert [path.name for path in copy.parent.iterdir()] == [copy.name]
    assert copy.read_bytes() == content


async def test_a_journal_that_is_taken_into_use_meanwhile_is_not_trusted(copy: Path) -> None:
    async with SqliteReader(copy) as reader:
        await reader.heads()
        store = await SqliteStore.open(copy)
        await store.claim(["table:9"], "test")
        await store.close()
        with pytest.raises(JournalError, match="was taken into use while it was read"):
            await verify(reader, RULEBOOKS)
    assert (await verified_now(copy)).holds


def test_all_cores_find_what_one_finds(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def on(processes: int) -> object:
        async with await open_reader(str(copy)) as reader:
            return await verify_reader(reader, checkpoints, processes=processes)

    checkpoints: list[Any] = []
    monkeypatch.setattr(opening, "DECISIONS_FOR_ALL_CORES", 1)
    assert asyncio.run(on(2)) == asyncio.run(on(1)) == verified(copy)
    with bypassed(copy) as connection:
        connection.execute("UPDATE decision SET body = body || ' ' WHERE sequence = 5")
    broken = verified(copy)
    assert len(broken.findings) == 4
    assert asyncio.run(on(2)) == asyncio.run(on(1)) == broken


# Edits past the store, the guards dropped and put back

DECISION = "UPDATE decision SET {} WHERE stream = 'table:1' AND sequence = 7"
POSTING = (
    "UPDATE posting SET {} WHERE place IN"
    " (SELECT place FROM decision WHERE stream = 'cage' AND sequence = 2)"
)
EDITS = [
    (DECISION.format("body = CAST(replace(body, ':', ': ') AS BLOB)"), "table:1", 7, "chain"),
    (
        DECISION.format("body = CAST(replace(body, '2026', '2025') AS BLOB)"),
        *("table:1", 7, "chain"),
    ),
    (DECISION.format("actor = 'staff:Eve'"), "table:1", 7, "content"),
    (DECISION.format("command_id = 'x'"), "table:1", 7, "content"),
    (
        DECISION.format("body = CAST(replace(body, '\"actor\"', '\"acton\"') AS BLOB)"),
        *("table:1", 7, "chain"),
    ),
    (
        DECISION.format("body = CAST(replace(body, '\"epoch\":1', '\"epoch\":2') AS BLOB)"),
        *("table:1", 7, "chain"),
    ),
    (DECISION.format("hash = zeroblob(32)"), "table:1", 7, "chain"),
    (DECISION.format("sequence = 700"), "table:1", 8, "chain"),
    (DECISION.format("sequence = 0"), "table:1", 0, "chain"),
    (DECISION.format("stream = 'table:3'"), "table:1", 8, "chain"),
    (DECISION.format("stream = 'lounge'"), "lounge", 1, "content"),
    (DECISION.format("body = CAST(body AS TEXT)"), "table:1", 7, "content"),
    (DECISION.format("actor = CAST(x'ff' AS TEXT)"), "table:1", 7, "content"),
    ("DELETE FROM decision WHERE stream = 'table:1' AND sequence = 7", "table:1", 8, "chain"),
    ("DELETE FROM decision WHERE stream = 'cage' AND sequence = 1", "cage", 2, "chain"),
    ("DELETE FROM decision WHERE stream = 'cage'", "", 0, "transfer"),
    (POSTING.format("cents = cents + 100"), "cage", 2, "postings"),
    (POSTING.format("target = 'wallet:eve'"), "cage", 2, "postings"),
    (POSTING.format("line = 1"), "cage", 2, "postings"),
    (POSTING.format("cents = 'a lot'"), "cage", 2, "content"),
    (
        (
            "DELETE FROM posting WHERE place IN"
            " (SELECT place FROM decision WHERE stream = 'cage' AND sequence = 2)"
        ),
        *("cage", 2, "postings"),
    ),
    (
        (
            "INSERT INTO posting SELECT place, 9, 'cash', 'seat:1:a', 5 FROM decision"
            " WHERE stream = 'cage' AND sequence = 2"
        ),
        *("cage", 2, "postings"),
    ),
    ("INSERT INTO posting VALUES (999, 0, 'cash', 'seat:1:a', 5)", "", 0, "postings"),
    ("UPDATE account SET cents = cents + 100 WHERE name = 'wallet:ann'", "", 0, "balance"),
    ("UPDATE account SET cents = 'none' WHERE name = 'wallet:ann'", "", 0, "content"),
    ("DELETE FROM account WHERE name = 'wallet:ann'", "", 0, "balance"),
    ("INSERT INTO account VALUES ('wallet:eve', 100)", "", 0, "balance"),
    ("INSERT INTO account VALUES ('cash', -100)", "", 0, "content"),
    ("UPDATE owner SET epoch = 0 WHERE stream = 'table:2'", "table:2", None, "epoch"),
    ("DELETE FROM owner WHERE stream = 'table:2'", "table:2", None, "epoch"),
    ("UPDATE sealed SET card = zeroblob(96) WHERE number = 100", "", 0, "shoe"),
    ("DELETE FROM sealed WHERE number = 100", "", 0, "content"),
    ("DELETE FROM sealed", "", 0, "shoe"),
    ("UPDATE sealed SET card = zeroblob(32) WHERE shoe LIKE '%/leaves'", "", 0, "shoe"),
]


@pytest.mark.parametrize(("statement", "stream", "sequence", "kind"), EDITS)
def test_an_edit_is_found(
    statement: str, stream: str, sequence: int | None, kind: str, copy: Path
) -> None:
    with bypassed(copy) as connection:
        connection.execute("PRAGMA ignore_check_constraints=ON")
        assert connection.execute(statement).rowcount > 0
    found = verified(copy).findings
    if stream:
        assert (found[0].stream, found[0].kind) == (stream, kind)
        assert sequence in (None, found[0].sequence)
    assert kind in [one.kind for one in found]
    assert all(one.sentence.endswith(".") for one in found)


def cut(journal: Path, stream: str, decisions: int) -> None:
    """Cut the end of a stream off so that everything that is left fits together."""
    with bypassed(journal) as connection:
        places = connection.execute(
            "SELECT place FROM decision WHERE stream = ? ORDER BY sequence DESC LIMIT ?",
            (stream, decisions),
        ).fetchall()
        for table in ("decision", "posting"):
            connection.executemany(f"DELETE FROM {table} WHERE place = ?", places)  # noqa: S608
        recount(connection)


def recount(connection: sqlite3.Connection) -> None:
    """Make the balances those of the postings that are left."""
    totals: dict[str, int] = {}
    for source, target, cents in connection.execute(
        "SELECT source, target, cents FROM posting"
    ):
        totals[source] = totals.get(source, 0) - cents
        totals[target] = totals.get(target, 0) + cents
    connection.execute("PRAGMA ignore_check_constraints=ON")
    connection.execute("DELETE FROM account")
    kept = [(name, cents) for name, cents in totals.items() if name not in ("cash", "vault")]
    connection.executemany("INSERT INTO account VALUES (?, ?)", kept)


@pytest.mark.parametrize("decisions", [1, 2, 3])
@pytest.mark.parametrize("stream", ["table:1", "table:2", "cage"])
def test_a_clean_cut_is_found_by_the_checkpoints(
    stream: str, decisions: int, journal: Path, copy: Path
) -> None:
    cut(copy, stream, decisions)
    done = verified(copy, *checkpoints_of(journal))
    assert [one.kind for one in done.findings if one.kind == "checkpoint"] == ["checkpoint"]
    assert "was cut off or rolled back" in done.findings[-1].sentence


def test_without_checkpoints_a_clean_cut_cannot_be_seen(copy: Path) -> None:
    """That is what checkpoints are for."""
    cut(copy, "table:2", 1)
    assert verified(copy).holds


def test_removed_guards_are_found(copy: Path) -> None:
    connection = sqlite3.connect(copy)
    connection.execute("DROP TRIGGER decision_no_update")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    (finding,) = verified(copy).findings
    assert finding.sentence == "The guard decision_no_update was removed from the database."


def test_a_damaged_file_is_never_taken_for_sound(journal: Path, tmp_path: Path) -> None:
    """Bytes of no meaning may change; every other change is found, and nothing breaks."""
    content = journal.read_bytes()
    whole = verified(journal)
    path = tmp_path / "damaged.sqlite"
    draw = random.Random(SEED)
    found = 0
    for _ in range(60):
        place = draw.randrange(100, len(content))
        changed = bytes(byte ^ 255 for byte in content[place : place + 16])
        path.write_bytes(content[:place] + changed + content[place + len(changed) :])
        try:
            done = verified(path)
        except JournalError as error:
            assert str(error).endswith(".")  # noqa: PT017  # most of them raise nothing
            found += 1
            continue
        found += not done.holds
        assert not done.holds or done == whole, place
    assert found > 10
