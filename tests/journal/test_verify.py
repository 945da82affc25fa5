"""Verification: a sound journal holds, and whatever is changed past the store is found."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest
from croupier.journal.record import Record, chained
from msgspec.structs import replace

from croupier.floor.desk import Request
from croupier.journal import opening
from croupier.journal.memory import MemoryStore
from croupier.journal.opening import open_reader, verify_reader
from croupier.journal.reader import Finding, SqliteReader
from croupier.journal.sqlite import SqliteStore
from croupier.journal.store import JournalError
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
from tests.table.floor import DEALER

if TYPE_CHECKING:
    from collections.abc import Callable
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
    assert done.findings == []
    assert done.streams == 3
    assert done.settlements == 1
    assert done.openings >= 5
    assert done.checkpoints >= 3
    assert len(done.unopened) == 1
    assert done.answers > 30
    with sqlite3.connect(journal) as connection:
        names = {name for (name,) in connection.execute("SELECT name FROM record")}
        (records,) = connection.execute("SELECT count(*) FROM record").fetchone()
        (postings,) = connection.execute("SELECT count(*) FROM posting").fetchone()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    assert {"wagers_settled", "round_voided", "interrupted", "shoe_opened"} <= names
    assert (done.records, done.postings) == (records, postings)


async def test_stores_are_verified_as_readers_are(tmp_path: Path) -> None:
    memory = MemoryStore()
    casino = Casino(memory, tmp_path)
    await casino.start()
    await play(casino)
    await casino.close()
    done = await verify(memory, RULEBOOKS)
    assert done.findings == []
    assert done.records > 50


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
    assert [(one.stream, one.sequence, one.kind) for one in found] == [("cage", 1, "postings")]


async def test_a_database_without_a_journal_is_left_without_one(
    postgres: PostgresPlace,
) -> None:
    with pytest.raises(JournalError, match=r"^There is no journal in "):
        await open_reader(postgres.dsn)
    async with postgres.connect() as connection:
        assert await connection.fetchval("SELECT to_regclass('record')") is None
    with pytest.raises(JournalError, match="cannot be reached") as error:
        await open_reader("postgresql://me:secret@127.0.0.1:1/none")
    assert "secret" not in str(error.value)


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
        await store.claim("table:9", "test")
        await store.close()
        with pytest.raises(JournalError, match="was taken into use while it was read"):
            await verify(reader, RULEBOOKS)
    assert (await verified_now(copy)).holds


def test_all_cores_find_what_one_finds(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def on(processes: int) -> object:
        async with await open_reader(str(copy)) as reader:
            return await verify_reader(reader, checkpoints, processes=processes)

    checkpoints: list[Any] = []
    monkeypatch.setattr(opening, "RECORDS_FOR_ALL_CORES", 1)
    assert asyncio.run(on(2)) == asyncio.run(on(1)) == verified(copy)
    with bypassed(copy) as connection:
        connection.execute("UPDATE record SET body = body || ' ' WHERE sequence = 5")
    broken = verified(copy)
    assert len(broken.findings) == 3
    assert asyncio.run(on(2)) == asyncio.run(on(1)) == broken


# Edits past the store, the guards dropped and put back

RECORD = "UPDATE record SET {} WHERE stream = 'table:1' AND sequence = 7"
EDITS = [
    (RECORD.format("body = CAST(replace(body, ':', ': ') AS BLOB)"), "table:1", 7, "chain"),
    (RECORD.format("moment = '2026-01-01T00:00:00.000000Z'"), "table:1", 7, "chain"),
    (RECORD.format("actor = 'staff:Eve'"), "table:1", 7, "chain"),
    (RECORD.format("command = 'x'"), "table:1", 7, "chain"),
    (RECORD.format("epoch = 2"), "table:1", 7, "chain"),
    (RECORD.format("name = 'seat_left'"), "table:1", 7, "chain"),
    (RECORD.format("version = 2"), "table:1", 7, "chain"),
    (RECORD.format("previous = zeroblob(32)"), "table:1", 7, "chain"),
    (RECORD.format("hash = zeroblob(32)"), "table:1", 7, "chain"),
    (RECORD.format("sequence = 700"), "table:1", 8, "chain"),
    (RECORD.format("sequence = 0"), "table:1", 0, "chain"),
    (RECORD.format("stream = 'table:3'"), "table:1", 8, "chain"),
    (RECORD.format("body = CAST(body AS TEXT)"), "table:1", 7, "content"),
    (RECORD.format("actor = CAST(x'ff' AS TEXT)"), "table:1", 7, "content"),
    (RECORD.format("version = 'one'"), "table:1", 7, "content"),
    ("DELETE FROM record WHERE stream = 'table:1' AND sequence = 7", "table:1", 8, "chain"),
    ("DELETE FROM record WHERE stream = 'cage' AND sequence = 1", "cage", 2, "chain"),
    ("DELETE FROM record WHERE stream = 'cage'", "cage", 1, "postings"),
    ("UPDATE posting SET cents = cents + 100 WHERE stream = 'cage'", "cage", 1, "postings"),
    ("UPDATE posting SET target = 'wallet:eve' WHERE stream = 'cage'", "cage", 1, "postings"),
    ("UPDATE posting SET line = 1 WHERE stream = 'cage'", "cage", 1, "postings"),
    ("UPDATE posting SET cents = 'a lot' WHERE stream = 'cage'", "cage", 1, "content"),
    ("DELETE FROM posting WHERE stream = 'cage'", "cage", 1, "postings"),
    ("INSERT INTO posting VALUES ('cage', 1, 9, 'cash', 'seat:1:a', 5)", "cage", 1, "postings"),
    (
        "INSERT INTO posting VALUES ('cage', 99, 0, 'cash', 'seat:1:a', 5)",
        *("cage", 99, "postings"),
    ),
    ("INSERT INTO posting VALUES ('x', 1, 0, 'cash', 'seat:1:a', 5)", "x", 1, "postings"),
    ("UPDATE account SET cents = cents + 100 WHERE name = 'wallet:ann'", "", 0, "balance"),
    ("UPDATE account SET cents = 'none' WHERE name = 'wallet:ann'", "", 0, "content"),
    ("DELETE FROM account WHERE name = 'wallet:ann'", "", 0, "balance"),
    ("INSERT INTO account VALUES ('wallet:eve', 100)", "", 0, "balance"),
    ("UPDATE owner SET epoch = 0 WHERE stream = 'table:2'", "table:2", None, "epoch"),
    ("DELETE FROM owner WHERE stream = 'table:2'", "table:2", None, "epoch"),
    ("UPDATE sealed SET card = zeroblob(96) WHERE number = 100", "", 0, "shoe"),
    ("DELETE FROM sealed WHERE number = 100", "", 0, "content"),
    ("DELETE FROM sealed", "", 0, "shoe"),
    ("UPDATE sealed SET card = zeroblob(32) WHERE shoe LIKE '%/leaves'", "", 0, "shoe"),
]
ANSWER = "UPDATE answer SET {} WHERE stream = 'table:1' AND first = 7 AND last >= first"
REFUSED = "UPDATE answer SET {} WHERE last < first"
ANSWERS = [
    REFUSED.format("result = CAST('null' AS BLOB)"),
    REFUSED.format("result = CAST('{}' AS BLOB)"),
    REFUSED.format("result = x'ff'"),
    REFUSED.format("result = CAST(replace(result, 'code', 'cod') AS BLOB)"),
    REFUSED.format("result = CAST(result || ' ' AS BLOB)"),
    ANSWER.format("actor = 'staff:Eve'"),
    ANSWER.format("command = 'x'"),
    ANSWER.format("stream = 'table:2'"),
    ANSWER.format("stream = 'table:9'"),
    ANSWER.format("first = first + 1"),
    ANSWER.format("last = last + 1"),
    ANSWER.format("last = first - 1"),
    ANSWER.format("result = CAST('{}' AS BLOB)"),
    ANSWER.format("digest = 'text'"),
    "UPDATE answer SET first = 100, last = 99 WHERE result <> CAST('null' AS BLOB)",
    "UPDATE answer SET last = last - 1 WHERE result <> CAST('null' AS BLOB)",
    "DELETE FROM answer WHERE stream = 'table:1' AND first = 7 AND last >= first",
    "INSERT INTO answer VALUES ('a', 'b', zeroblob(32), 'table:1', 7, 7, x'6e756c6c')",
    "INSERT INTO answer VALUES ('a', 'b', zeroblob(32), 'table:1', 99, 98, x'6e756c6c')",
    "INSERT INTO answer VALUES ('a', 'b', zeroblob(32), 'table:1', 99, 99, x'6e756c6c')",
]


@pytest.mark.parametrize(("statement", "stream", "sequence", "kind"), EDITS)
def test_an_edit_is_found(
    statement: str, stream: str, sequence: int | None, kind: str, copy: Path
) -> None:
    with bypassed(copy) as connection:
        assert connection.execute(statement).rowcount > 0
    finding = first(copy)
    assert (finding.stream, finding.kind) == (stream, kind)
    assert sequence in (None, finding.sequence)
    assert finding.sentence.endswith(".")


@pytest.mark.parametrize("statement", ANSWERS)
def test_an_edited_answer_is_found(statement: str, copy: Path) -> None:
    with bypassed(copy) as connection:
        assert connection.execute(statement).rowcount > 0
    assert first(copy).kind in ("answer", "content")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE answer SET digest = zeroblob(32) WHERE stream = 'table:1' AND first = 7",
        (
            'UPDATE answer SET result = CAST(replace(result, \'"sentence":"\','
            ' \'"sentence":"No: \') AS BLOB)'
            " WHERE last < first"
        ),
        "DELETE FROM answer WHERE last < first AND first < 15",
    ],
)
def test_what_no_record_shows_of_an_answer_the_checkpoints_do(
    statement: str, journal: Path, copy: Path
) -> None:
    with bypassed(copy) as connection:
        assert connection.execute(statement).rowcount > 0
    assert verified(copy).holds
    (finding,) = verified(copy, *checkpoints_of(journal)).findings
    assert finding.kind == "checkpoint"
    assert "has seen other answers" in finding.sentence


def test_a_deletion_at_the_end_is_found(copy: Path) -> None:
    with bypassed(copy) as connection:
        newest = "SELECT max(sequence) FROM record WHERE stream = 'table:1'"
        connection.execute(
            f"DELETE FROM record WHERE stream = 'table:1' AND sequence = ({newest})"  # noqa: S608
        )
        connection.execute(
            "DELETE FROM posting WHERE stream = 'table:1' AND sequence >"
            " (SELECT max(sequence) FROM record WHERE stream = 'table:1')"
        )
    finding = first(copy)
    assert finding.kind == "answer"
    assert "names records that do not exist" in finding.sentence


def cut(journal: Path, stream: str, records: int) -> None:
    """Cut the end of a stream off so that everything that is left fits together."""
    with bypassed(journal) as connection:
        rows = connection.execute(
            "SELECT first FROM answer WHERE stream = ? AND last >= first ORDER BY first DESC"
            " LIMIT ?",
            (stream, records),
        ).fetchall()
        start = rows[-1][0]
        for table, column in (
            ("record", "sequence"),
            ("posting", "sequence"),
            ("answer", "first"),
        ):
            statement = f"DELETE FROM {table} WHERE stream = ? AND {column} >= ?"  # noqa: S608
            connection.execute(statement, (stream, start))
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
    connection.executemany("INSERT INTO account VALUES (?, ?)", list(totals.items()))


@pytest.mark.parametrize("records", [1, 2, 3])
@pytest.mark.parametrize("stream", ["table:1", "table:2", "cage"])
def test_a_clean_cut_is_found_by_the_checkpoints(
    stream: str, records: int, journal: Path, copy: Path
) -> None:
    cut(copy, stream, records)
    done = verified(copy, *checkpoints_of(journal))
    assert [one.kind for one in done.findings if one.kind == "checkpoint"] == ["checkpoint"]
    assert "was cut off or rolled back" in done.findings[-1].sentence


def test_without_checkpoints_a_clean_cut_cannot_be_seen(copy: Path) -> None:
    """That is what checkpoints are for."""
    cut(copy, "table:2", 1)
    assert verified(copy).holds


def test_removed_guards_are_found(copy: Path) -> None:
    connection = sqlite3.connect(copy)
    connection.execute("DROP TRIGGER record_no_update")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    (finding,) = verified(copy).findings
    assert finding.sentence == "The guard record_no_update was removed from the database."


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


# Somebody who writes the hashes anew


def rewrite(journal: Path, name: str, change: Callable[[dict[str, Any]], None]) -> Record:
    """Change the first record of a name, and chain all that follow it anew."""
    with bypassed(journal) as connection:
        query = "SELECT stream, sequence FROM record WHERE name = ? ORDER BY stream, sequence"
        stream, start = connection.execute(query, (name,)).fetchone()
        query = "SELECT * FROM record WHERE stream = ? AND sequence >= ? ORDER BY sequence"
        rows = connection.execute(query, (stream, start)).fetchall()
        changed: list[Record] = []
        previous = rows[0][9]
        for row in rows:
            record = replace(Record(*row), previous=previous)
            if not changed:
                body = json.loads(record.body)
                change(body)
                text = json.dumps(body, sort_keys=True, separators=(",", ":"))
                record = replace(record, body=text.encode())
            record = chained(record)
            changed.append(record)
            previous = record.hash
            connection.execute(
                "UPDATE record SET body = ?, previous = ?, hash = ?"
                " WHERE stream = ? AND sequence = ?",
                (record.body, record.previous, record.hash, stream, record.sequence),
            )
    return changed[0]


def paid_more(body: dict[str, Any]) -> None:
    body["lines"][0]["won_cents"] += 100


def another_card(body: dict[str, Any]) -> None:
    body["card"] = "AS" if body["card"] != "AS" else "2S"


def another_root(body: dict[str, Any]) -> None:
    body["root"] = "00" * 32


def another_salt(body: dict[str, Any]) -> None:
    body["salt"] = "00" * 16


def another_number(body: dict[str, Any]) -> None:
    body["number"] += 1


def no_refund(body: dict[str, Any]) -> None:
    body["refunds"] = []


def another_phase(body: dict[str, Any]) -> None:
    body["phase"] = "DEALING"


def more_cents(body: dict[str, Any]) -> None:
    body["cents"] += 100


def another_transfer(body: dict[str, Any]) -> None:
    body["transfer"] = "to-9"


def swapped_cards(body: dict[str, Any]) -> None:
    cards = body["cards"]
    one, two = sorted(cards)[:2]
    cards[one], cards[two] = cards[two], cards[one]


def fewer_cards(body: dict[str, Any]) -> None:
    body["cards"].popitem()


def unknown_field(body: dict[str, Any]) -> None:
    body["nonsense"] = 1


REWRITTEN = [
    ("wagers_settled", paid_more, "settlement"),
    ("card_exposed", another_card, "shoe"),
    ("card_drawn", another_card, "shoe"),
    ("card_drawn", another_number, "shoe"),
    ("shoe_sealed", another_root, "shoe"),
    ("card_opened", another_card, "shoe"),
    ("card_opened", another_salt, "shoe"),
    ("card_opened", another_number, "shoe"),
    ("shoe_opened", swapped_cards, "shoe"),
    ("shoe_opened", fewer_cards, "shoe"),
    ("round_voided", no_refund, "settlement"),
    ("interrupted", another_phase, "content"),
    ("wager_placed", more_cents, "postings"),
    ("credit_brought", another_transfer, "transfer"),
    ("received_from_table", another_transfer, "transfer"),
    ("bought_in", more_cents, "postings"),
    ("bets_closed", unknown_field, "content"),
]


@pytest.mark.parametrize(
    ("name", "change", "kind"),
    REWRITTEN,
    ids=[f"{one[0]}-{one[1].__name__}" for one in REWRITTEN],
)
def test_what_the_records_claim_is_computed_again(
    name: str, change: Callable[[dict[str, Any]], None], kind: str, copy: Path
) -> None:
    """All hashes fit, and still the claim does not hold."""
    record = rewrite(copy, name, change)
    done = verified(copy)
    assert not done.holds
    finding = done.findings[0]
    assert finding.kind == kind
    assert finding.stream == record.stream
    assert finding.sequence >= record.sequence


def test_a_history_that_was_written_anew_is_found_by_the_checkpoints(
    journal: Path, copy: Path
) -> None:
    """Everything fits but the moment of one record, and all hashes after it."""
    with bypassed(copy) as connection:
        rows = connection.execute("SELECT * FROM record WHERE stream = 'cage'").fetchall()
        previous = bytes(32)
        for row in rows:
            moment = "2020-01-01T00:00:00.000000Z" if row[1] == 2 else row[3]
            record = chained(replace(Record(*row), moment=moment, previous=previous))
            previous = record.hash
            connection.execute(
                "UPDATE record SET moment = ?, previous = ?, hash = ?"
                " WHERE stream = 'cage' AND sequence = ?",
                (moment, record.previous, record.hash, record.sequence),
            )
    assert verified(copy).holds
    finding = verified(copy, *checkpoints_of(journal)).findings[0]
    assert (finding.stream, finding.kind) == ("cage", "checkpoint")
    assert "has seen another record here" in finding.sentence


async def test_refusals_stand_in_any_order_beside_what_they_came_with(tmp_path: Path) -> None:
    """A refusal in the middle of a batch has the place of the command behind it."""
    store = await SqliteStore.open(tmp_path / "journal.sqlite")
    casino = Casino(store, tmp_path)
    await casino.start()
    await open_house(casino)
    desk = casino.desks["1"]
    calls = [
        Request("z", DEALER, c.CloseBets()),
        Request("y", DEALER, c.CallBets()),
        Request("x", DEALER, c.CallBets()),
        Request("w", DEALER, c.CloseBets()),
    ]
    replies = await asyncio.gather(*(desk.submit(call) for call in calls))
    assert [reply.accepted for reply in replies] == [False, True, False, True]
    await casino.close()
    await store.close()
    assert (await verified_now(tmp_path / "journal.sqlite")).findings == []
