"""The commands of the journal: verify, replay, recall, export, backup and restore."""

from __future__ import annotations

import asyncio
import csv
import json
import shutil
import sqlite3
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import asyncpg
import pytest

from croupier.accounts import commands as accounts
from croupier.floor.desk import Request
from croupier.journal.checkpoints import Signer
from croupier.journal.postgres import PostgresStore
from croupier.journal.sqlite import SqliteStore
from croupier.table import commands as c
from croupier.table.roles import Patron
from croupier.table.rulings import Situation
from tests.cli.run import Ran, assert_refused, run, run_process
from tests.journal.casino import Casino, bypassed, open_house, play, verified
from tests.journal.conftest import postgres, postgres_dsn, postgres_server
from tests.journal.test_verify import cut
from tests.table.floor import MANAGER, SECOND, SHIFT, SYSTEM

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.journal.places import PostgresPlace

__all__ = ["postgres", "postgres_dsn", "postgres_server"]


COMMANDS: list[list[str]] = [
    ["verify", "{}"],
    ["replay", "{}", "--table", "1"],
    ["recall", "{}", "--table", "1"],
    ["win", "{}"],
    ["ratings", "{}"],
    ["export", "{}", "--json"],
    ["backup", "{}", "{}.backup"],
    ["restore", "{}", "{}.restored"],
]


def on(where: object, command: list[str]) -> Ran:
    return run(*(word.format(where) for word in command))


# What cannot be used


@pytest.mark.parametrize("command", COMMANDS, ids=lambda one: one[0])
def test_what_is_no_journal_is_refused_in_a_sentence(
    command: list[str], tmp_path: Path
) -> None:
    assert_refused(on(tmp_path / "missing", command), "There is no journal", "missing")
    empty = tmp_path / "empty"
    empty.touch()
    assert_refused(on(empty, command), "empty is empty; it is no journal")
    text = tmp_path / "text"
    text.write_text("Place your bets, please.\n", encoding="utf-8")
    assert_refused(on(text, command), "neither a journal of Croupier nor an export")
    assert_refused(on(tmp_path, command), "is a folder, and no export is in it")
    other = tmp_path / "other.sqlite"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE decision (id INTEGER)")
    connection.close()
    assert_refused(on(other, command), "other.sqlite is not a journal: its tables are others")
    torn = tmp_path / "torn.sqlite"
    torn.write_bytes(b"SQLite format 3\x00" + bytes(100))
    assert_refused(on(torn, command), "torn.sqlite")
    address = "postgresql://me:secret@127.0.0.1:1/casino"
    # The target of a backup cannot be a database.
    target = str(tmp_path / "target")
    ran = run(*(target if word.startswith("{}.") else word.format(address) for word in command))
    assert_refused(ran, "casino at 127.0.0.1 cannot be reached")
    assert "secret" not in ran.err
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"empty", "text", "other.sqlite", "torn.sqlite"}


def test_an_empty_journal_holds_and_shows_nothing(tmp_path: Path) -> None:
    path = tmp_path / "new.sqlite"

    async def make() -> None:
        await (await SqliteStore.open(path)).close()

    asyncio.run(make())
    ran = run("verify", str(path))
    assert (ran.code, ran.out) == (0, f"{path} holds no decisions.\n")
    assert run("verify", str(path), "--json").json["decisions"] == 0
    for command in ("replay", "recall"):
        ran = run(command, str(path), "--table", "1")
        assert_refused(ran, f"There is no table '1' in {path}; it has no tables.")
    lines = run("export", str(path), "--json").out.splitlines()
    assert [json.loads(line)["kind"] for line in lines] == ["header", "head"]


def test_bad_options_are_refused_in_a_sentence(journal: str, tmp_path: Path) -> None:
    assert_refused(run("verify"), "JOURNAL")
    assert_refused(run("replay", journal), "--table")
    ran = run("replay", journal, "--table", "9")
    assert_refused(ran, f"There is no table '9' in {journal}; its tables are 1 and 2.")
    ran = run("replay", journal, "--table", "1", "--until", "99")
    assert_refused(ran, "Table 1 has the decisions 1 to", "99 is not one")
    assert_refused(run("replay", journal, "--table", "1", "--until", "x"), "whole number")
    for rounds in ("0", "-1", "99999999"):
        ran = run("recall", journal, "--table", "1", "--rounds", rounds)
        assert_refused(ran, "cannot be recalled; ask for 1 to")
    for forms in ((), ("--csv", "--json")):
        assert_refused(
            run("export", journal, *forms), "Give one of --csv, --json and --parquet"
        )
    ran = run("verify", journal, "--checkpoints", str(tmp_path / "none"))
    assert_refused(ran, "There is no folder")
    (tmp_path / "hollow").mkdir()
    ran = run("verify", journal, "--checkpoints", str(tmp_path / "hollow"))
    assert_refused(ran, "There are no checkpoints in")
    assert_refused(run("verify", journal, "--signed-by", "me"), "'me' is not a public key")


# verify


def test_verify_says_that_a_journal_holds(house: Path, journal: str) -> None:
    folder = str(house / "checkpoints")
    ran = run("verify", journal, "--checkpoints", folder)
    assert ran.code == 0
    assert f"{journal} holds: " in ran.out
    assert "table:1" in ran.out
    answer = run("verify", journal, "--checkpoints", folder, "--json").json
    assert answer["holds"] is True
    assert answer["first"] is None
    assert answer["findings"] == []
    assert answer["streams"] == 4
    assert answer["checkpoints"] >= 3
    assert set(answer["heads"]) == {"accounts", "cage", "table:1", "table:2"}
    assert answer["settlements"] == 1
    key = Signer.at(house / "signing.key").public
    trusted = ["--checkpoints", folder, "--signed-by", key]
    assert run("verify", journal, *trusted).code == 0


def test_verify_names_the_first_decision_that_does_not_hold(house: Path, journal: str) -> None:
    with bypassed(house / "journal.sqlite") as connection:
        connection.execute(
            "UPDATE decision SET body = CAST(replace(body, 'Dan', 'Eve') AS BLOB)"
            " WHERE stream = 'table:1' AND sequence > 5"
        )
    ran = run("verify", journal)
    assert ran.code == 1
    first, last = ran.out.splitlines()
    assert first.startswith("Decision 6 of table:1 was changed")
    assert last == f"{journal} does not hold."
    ran = run("verify", journal, "--json")
    assert ran.code == 1
    assert ran.json["holds"] is False
    assert ran.json["first"] == ran.json["findings"][0]
    first_found = ran.json["first"]
    assert (first_found["stream"], first_found["sequence"]) == ("table:1", 6)
    assert first_found["kind"] == "chain"


def test_verify_finds_what_checkpoints_tell(house: Path, journal: str) -> None:
    folder = house / "checkpoints"
    ran = run("verify", journal, "--checkpoints", str(folder), "--signed-by", "00" * 32)
    assert ran.code == 1
    assert "The checkpoints are signed by another key." in ran.out
    cut(house / "journal.sqlite", "table:2", 1)
    assert run("verify", journal).code == 0
    ran = run("verify", journal, "--checkpoints", str(folder))
    assert ran.code == 1
    assert "an older copy than the checkpoints: table:2 ends at decision" in ran.out
    sorted(folder.iterdir())[1].unlink()
    ran = run("verify", journal, "--checkpoints", str(folder), "--json")
    assert ran.code == 1
    assert ran.json["first"]["kind"] == "checkpoint"
    assert "does not follow the checkpoint before it" in ran.json["first"]["sentence"]


def test_verify_reads_exports(journal: str, tmp_path: Path) -> None:
    out = tmp_path / "export.jsonl"
    ran = run("export", journal, "--json", "--out", str(out))
    assert ran.code == 0
    key = json.loads(out.read_bytes().splitlines()[-1])["key"]
    decisions = run("verify", journal, "--json").json["decisions"]
    assert ran.err == f"{out}: {decisions} decisions, signed by {key}.\n"
    assert run("verify", str(out)).code == 0
    assert run("verify", str(out), "--signed-by", key).code == 0
    ran = run("verify", str(out), "--signed-by", "00" * 32)
    assert ran.code == 1
    assert "The export is signed by another key." in ran.out
    content = out.read_bytes()
    out.write_bytes(content.replace(b'"name":"ann"', b'"name":"amy"', 1))
    ran = run("verify", str(out))
    assert ran.code == 1
    assert "The lines are not those that were signed." in ran.out
    out.write_bytes(content[: content.rindex(b"\n", 0, -1) + 1])
    ran = run("verify", str(out))
    assert ran.code == 1
    assert "The last line is no signed head." in ran.out


# replay and recall


def test_replay_shows_a_table_as_it_was(journal: str) -> None:
    ran = run("replay", journal, "--table", "2")
    assert ran.code == 0
    assert "DEALING" in ran.out
    assert "Tiger Baccarat" in ran.out
    assert "bea" in ran.out
    assert "60.00" in ran.out
    answer = run("replay", journal, "--table", "2", "--json").json
    assert answer["table"] == "2"
    assert answer["view"]["auditor"]["in_play_cents"] == 60_00
    assert answer["view"]["auditor"]["imbalance_cents"] == 0
    assert len(answer["hash"]) == 64


def test_replay_stops_at_a_decision(journal: str) -> None:
    last = run("replay", journal, "--table", "1", "--json").json["decision"]
    phases = []
    for until in range(last + 1):
        ran = run("replay", journal, "--table", "1", "--until", str(until), "--json")
        assert ran.json["decision"] == until
        phases.append(ran.json["view"]["phase"])
        assert run("replay", journal, "--table", "1", "--until", str(until)).code == 0
    seen = list(dict.fromkeys(phases))
    assert seen == ["UNOPENED", "IDLE", "OPEN", "CLOSED", "DEALING", "RESULT", "SETTLED"]


def test_recall_shows_a_settled_round(journal: str) -> None:
    answer = run("recall", journal, "--table", "1", "--rounds", "10", "--json").json
    (one,) = answer["rounds"]
    assert (one["round"], one["game"], one["ended"]) == (1, "baccarat", "settled")
    stakes = [(stake["patron"], stake["wager"], stake["cents"]) for stake in one["stakes"]]
    assert stakes == [("ann", "banker", 100_00), ("ann", "tie", 20_00)]
    assert list(one["cards"])[:4] == ["P1", "B1", "P2", "B2"]
    assert all(one["cards"].values())
    assert [line["wager"] for line in one["pay"]] == ["banker", "tie"]
    won = sum(line["won_cents"] for line in one["pay"])
    assert one["balances"] == {"ann": 400_00 + won}
    steps = one["steps"]
    first, last = one["decisions"]
    assert [step["decision"] for step in steps] == list(range(first, last + 1))
    too_much, no_more_cards = (step["refusal"] for step in steps if step["refusal"])
    assert too_much["code"] == "not_enough_credit"
    assert (no_more_cards["code"], no_more_cards["clause"]) == (
        "no_card_called_for",
        "BAC8 3.14",
    )
    assert [step["what"] for step in steps[:4] if not step["refusal"]] == [
        "OPEN",
        "placed 100.00 on banker (stake 1)",
        "placed 20.00 on tie (stake 2)",
    ]
    assert steps[0]["actor"] == {"kind": "staff", "name": "Dan", "position": "Dealer"}
    assert steps[1]["actor"] == {"kind": "patron", "name": "ann"}
    assert steps[1]["command"]["type"] == "place_wager"
    assert steps[1]["what"].startswith("refused: 9,000.00 would be staked")
    ran = run("recall", journal, "--table", "1")
    assert ran.code == 0
    for word in ("Round 1", "settled", "ann", "100.00", "0 rulings, 2 refusals", "Dealer Dan"):
        assert word in ran.out


def test_recall_shows_both_pay_lists_and_who_decided(tmp_path: Path) -> None:
    """A pay list that was put right before it was paid: by whom, with whom, by which clause."""
    right = c.DecideReferral(c.Decision.CORRECT, "it was misread", stake=1, won_cents=50_00)

    async def make() -> None:
        async with floor(tmp_path / "two.sqlite", tmp_path) as casino:
            await open_house(casino)
            await casino.at_accounts(
                *(
                    accounts.AddUser(one.name, accounts.UserKind.STAFF, one.position.value)
                    for one in (SHIFT, SECOND)
                )
            )
            for command in (c.CallBets(), c.CloseBets()):
                await casino.do("1", command)
                if isinstance(command, c.CallBets):
                    stake = c.PlaceWager("ann", "player", 100_00)
                    await casino.do("1", stake, Patron("ann"))
            await casino.deal("1")
            for act in (c.AnnounceOutcome(), c.Settle(), c.report(Situation.OTHER)):
                await casino.do("1", act)
            request = Request("right", SHIFT, right, approver=SECOND)
            reply = await casino.desks["1"].submit(request)
            assert reply.accepted, reply.refusal
            await casino.do("1", c.ConfirmPayment())

    asyncio.run(make())
    journal = str(tmp_path / "two.sqlite")
    (one,) = run("recall", journal, "--table", "1", "--json").json["rounds"]
    first, second = one["pay_lists"]
    assert first["reversed"] == "the pay list was corrected"
    assert first["clause"] == "BAC8 6.1"
    assert second["reversed"] is None
    assert one["pay"] == second["lines"]
    assert [line["won_cents"] for line in second["lines"]] == [50_00]
    (ruling,) = one["rulings"]
    step = next(one for one in one["steps"] if one["decision"] == ruling["decision"])
    assert step["actor"]["position"] == SHIFT.position.value
    assert step["approver"]["name"] == SECOND.name
    assert "BAC8 6.1" in step["clauses"]
    out = run("recall", journal, "--table", "1").out
    assert "taken back: the pay list was corrected [BAC8 6.1]" in out
    assert f"{SHIFT.position.value} {SHIFT.name} with" in " ".join(out.split())
    assert run("verify", journal).code == 0


def test_recall_shows_a_void_round_and_one_in_progress(journal: str) -> None:
    rounds = run("recall", journal, "--table", "2", "--json").json["rounds"]
    void, last = rounds
    assert (void["ended"], last["ended"]) == ("void", None)
    assert [(one["patron"], one["cents"]) for one in void["refunds"]] == [("bea", 50_00)]
    assert [one["cents"] for one in void["stakes"]] == [50_00]
    assert any("interrupted in OPEN" in step["what"] for step in void["steps"])
    assert [one["cents"] for one in last["stakes"]] == [60_00]
    assert len(last["cards"]) == 1
    ran = run("recall", journal, "--table", "2")
    assert "void" in ran.out
    assert "in progress" in ran.out
    assert "EB4 5.9.1" in ran.out
    assert "0 rulings, 0 refusals" in ran.out
    only = run("recall", journal, "--table", "2", "--rounds", "1", "--json").json["rounds"]
    assert only == [last]


def test_names_are_shown_as_they_are(tmp_path: Path) -> None:
    """A patron's name is no markup, however it is written."""
    odd = "[red]Zo\u00eb [/red]"

    async def make() -> None:
        store = await SqliteStore.open(tmp_path / "odd.sqlite")
        casino = Casino(store, tmp_path)
        await casino.start()
        await open_house(casino)
        await casino.do("2", c.TakeSeat(odd, 2), SYSTEM)
        await casino.do("2", c.BringCredit(odd, 500_00), SYSTEM)
        await casino.do("2", c.CallBets(), SYSTEM)
        await casino.do("2", c.PlaceWager(odd, "player", 100_00), Patron(odd))
        await casino.close()
        await store.close()

    asyncio.run(make())
    for command in ("replay", "recall"):
        assert odd in run(command, str(tmp_path / "odd.sqlite"), "--table", "2").out


@pytest.mark.parametrize("columns", ["60", "80"])
@pytest.mark.parametrize(
    "words",
    [["verify"], ["replay", "--table", "2"], ["recall", "--table", "1"]],
    ids=lambda one: one[0],
)
def test_nothing_is_cut_off(
    words: list[str], columns: str, journal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    ran = run(words[0], journal, *words[1:])
    assert ran.code == 0
    assert "\u2026" not in ran.out


# export


def test_export_to_standard_output_is_the_canonical_export(
    journal: str, tmp_path: Path
) -> None:
    key = str(tmp_path / "key")
    ran = run_process("export", journal, "--json", "--key", key)
    assert ran.code == 0
    assert Signer.at(tmp_path / "key").public in ran.err
    out = tmp_path / "export.jsonl"
    assert run("export", journal, "--json", "--key", key, "--out", str(out)).code == 0
    assert out.read_text(encoding="utf-8") == ran.out
    again = run("export", journal, "--json", "--key", key, "--out", str(out))
    assert_refused(again, "already; nothing is written over it")


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_export_of_tables(
    form: str, journal: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("export", journal, f"--{form}").code == 0
    folder = tmp_path / f"journal-{form}"
    assert run("verify", str(folder)).code == 0
    assert run("recall", str(folder), "--table", "1").code == 0
    ran = run("export", journal, f"--{form}", "--out", str(folder))
    assert_refused(ran, "already; nothing is written over it")
    if form == "csv":
        with (folder / "decisions.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        assert len(rows) == run("verify", journal, "--json").json["decisions"]
        assert json.loads(rows[0]["body"])["command"]["type"] == rows[0]["command"]


def test_a_changed_export_is_not_signed_again(journal: str, tmp_path: Path) -> None:
    out = tmp_path / "export.jsonl"
    assert run("export", journal, "--json", "--out", str(out)).code == 0
    out.write_bytes(out.read_bytes().replace(b"ann", b"amy"))
    ran = run("export", str(out), "--json")
    assert_refused(ran, "export.jsonl is not exported: The")


def test_a_failed_export_leaves_nothing(house: Path, journal: str, tmp_path: Path) -> None:
    with bypassed(house / "journal.sqlite") as connection:
        connection.execute("UPDATE decision SET hash = zeroblob(32) WHERE stream = 'table:2'")
    for form in ("json", "csv", "parquet"):
        ran = run("export", journal, f"--{form}", "--out", str(tmp_path / form))
        assert_refused(ran, "Decision 1 of table:2 was changed")
    assert [path.name for path in tmp_path.iterdir()] == ["house"]


# backup and restore


@asynccontextmanager
async def floor(where: Path | str, folder: Path) -> AsyncIterator[Casino]:
    """Run a floor on a journal."""
    store: Any
    if isinstance(where, str):
        store = await PostgresStore.open(where)
    else:
        store = await SqliteStore.open(where)
    casino = Casino(store, folder)
    await casino.start()
    try:
        yield casino
    finally:
        await casino.close()
        await store.close()


async def play_on(where: Path | str, folder: Path) -> None:
    """Take up a journal that was restored, and conclude the round at the second table."""
    async with floor(where, folder) as casino:
        await casino.start_desk("2")
        table = casino.desks["2"].table
        if table.between_rounds:
            await casino.do("2", c.DecideReplacement(replace=False), MANAGER)
            await casino.do("2", c.CallBets(), SYSTEM)
            await casino.do("2", c.CloseBets(), SYSTEM)
        await casino.deal("2", SYSTEM)
        await casino.do("2", c.Settle(), SYSTEM)
        await casino.do("2", c.EndShoe(), SYSTEM)


def test_a_backup_is_made_while_the_floor_goes_on(tmp_path: Path) -> None:
    path, copy = tmp_path / "journal.sqlite", tmp_path / "backup.sqlite"

    async def live() -> None:
        async with floor(path, tmp_path) as casino:
            await open_house(casino)
            ran = await asyncio.to_thread(run_process, "backup", str(path), str(copy))
            assert ran.code == 0, ran.err
            assert "is a backup of" in ran.out
            await casino.do("1", c.CallBets())
            again = await asyncio.to_thread(run_process, "verify", str(path), "--json")
            assert again.json["holds"] is True

    asyncio.run(live())
    assert verified(copy).holds
    assert verified(copy).heads["table:1"][0] == verified(path).heads["table:1"][0] - 1
    assert not copy.with_name("backup.sqlite-wal").exists()


def test_a_backup_comes_back_as_a_journal_that_goes_on(
    house: Path, journal: str, tmp_path: Path
) -> None:
    backup, again = tmp_path / "backup.sqlite", tmp_path / "again.sqlite"
    ran = run("backup", journal, str(backup), "--json")
    assert ran.json["holds"] is True
    assert ran.json["backup"] == str(backup)
    checkpoints = ["--checkpoints", str(house / "checkpoints")]
    ran = run("restore", str(backup), str(again), *checkpoints)
    assert ran.code == 0
    assert f"{again} is restored from {backup} and holds" in ran.out
    assert verified(again).heads == verified(journal).heads
    asyncio.run(play_on(again, house))
    done = verified(again)
    assert done.findings == []
    assert done.unopened == {}


def test_nothing_is_written_over(journal: str, tmp_path: Path) -> None:
    backup = tmp_path / "backup.sqlite"
    assert run("backup", journal, str(backup)).code == 0
    content = backup.read_bytes()
    words = "already; nothing is written over it"
    assert_refused(run("backup", journal, str(backup)), words)
    assert_refused(run("backup", journal, journal), words)
    assert_refused(run("restore", str(backup), journal), words)
    assert backup.read_bytes() == content
    (tmp_path / "half.sqlite-wal").touch()
    assert_refused(run("restore", str(backup), str(tmp_path / "half.sqlite")), words)
    assert verified(journal).holds


def test_a_copy_that_does_not_hold_is_not_kept(
    house: Path, journal: str, tmp_path: Path
) -> None:
    backup = tmp_path / "backup.sqlite"
    assert run("backup", journal, str(backup)).code == 0
    for path in (house / "journal.sqlite", backup):
        with bypassed(path) as connection:
            connection.execute("UPDATE posting SET cents = cents + 1 WHERE target LIKE 'wall%'")
    again = tmp_path / "again.sqlite"
    ran = run("backup", journal, str(again))
    assert_refused(ran, "The copy does not hold and was not kept: decision 2 of cage")
    ran = run("restore", str(backup), str(again))
    assert_refused(ran, "backup.sqlite is not restored: decision 2 of cage")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "backup.sqlite",
        "backup.sqlite.manifest.json",
        "house",
    ]


def test_a_backup_behind_the_newest_checkpoint_is_not_restored(
    house: Path, journal: str, tmp_path: Path
) -> None:
    old = tmp_path / "old.sqlite"
    shutil.copyfile(journal, old)
    cut(old, "table:1", 2)
    again = tmp_path / "again.sqlite"
    checkpoints = ["--checkpoints", str(house / "checkpoints")]
    ran = run("restore", str(old), str(again), *checkpoints)
    assert_refused(ran, "old.sqlite is not restored", "was cut off or rolled back")
    assert not again.exists()


def test_an_export_is_restored_only_when_no_shoe_needs_its_cards(
    journal: str, tmp_path: Path
) -> None:
    out, again = tmp_path / "export.jsonl", tmp_path / "again.sqlite"
    assert run("export", journal, "--json", "--out", str(out)).code == 0
    ran = run("restore", str(out), str(again))
    assert_refused(ran, "does not hold the sealed cards of shoe", "restore from a backup")
    assert_refused(run("backup", str(out), str(again)), "is an export, and a copy already")
    finished = tmp_path / "finished.sqlite"
    shutil.copyfile(journal, finished)
    asyncio.run(play_on(finished, tmp_path / "house"))
    assert run("export", str(finished), "--csv", "--out", str(tmp_path / "tables")).code == 0
    assert run("restore", str(tmp_path / "tables"), str(again)).code == 0
    assert verified(again).heads == verified(finished).heads


def test_a_database_is_backed_up_and_comes_back(
    postgres: PostgresPlace, house: Path, journal: str, tmp_path: Path
) -> None:
    """From PostgreSQL to a file, from a file to PostgreSQL, and nothing over anything."""

    async def fill() -> None:
        async with floor(postgres.dsn, tmp_path) as casino:
            await play(casino)

    backup, again = tmp_path / "backup.jsonl", tmp_path / "again.sqlite"
    sqlite_backup = tmp_path / "backup.sqlite"
    assert run("backup", journal, str(sqlite_backup)).code == 0
    ran = run("restore", str(sqlite_backup), postgres.dsn)
    assert ran.code == 0, ran.err
    assert verified(postgres.dsn).heads == verified(journal).heads
    won = [run("win", one, "--by", "wager", "--json").json for one in (postgres.dsn, journal)]
    assert won[0]["lines"] == won[1]["lines"] != []
    assert_refused(run("restore", str(sqlite_backup), postgres.dsn), "There is a journal in")
    asyncio.run(play_on(postgres.dsn, house))
    assert verified(postgres.dsn).findings == []
    asyncio.run(empty(postgres.dsn))
    asyncio.run(fill())
    assert run("backup", postgres.dsn, str(backup)).code == 0
    assert json.loads(backup.read_bytes().splitlines()[0])["content"] == "backup"
    assert run("verify", str(backup)).code == 0
    assert run("restore", str(backup), str(again)).code == 0
    assert verified(again).heads == verified(postgres.dsn).heads
    asyncio.run(play_on(again, tmp_path))
    assert verified(again).findings == []
    assert run("recall", postgres.dsn, "--table", "1").code == 0
    assert run("export", postgres.dsn, "--json").code == 0


async def empty(dsn: str) -> None:
    """Drop all tables of a schema."""
    connection = await asyncpg.connect(dsn)
    try:
        schema = await connection.fetchval("SELECT current_schema()")
        await connection.execute(f"DROP SCHEMA {schema} CASCADE; CREATE SCHEMA {schema}")
    finally:
        await connection.close()
