"""Win, hold and ratings on the command line."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from croupier.journal.sqlite import SqliteStore
from croupier.odds import exact_odds
from croupier.rulebooks import find_game
from tests.cli.run import assert_refused, loaded_by, run
from tests.journal.casino import bypassed

if TYPE_CHECKING:
    from pathlib import Path


def recalled(journal: str) -> list[dict[str, Any]]:
    """Return the pay list of the one round that was settled."""
    (one,) = run("recall", journal, "--table", "1", "--json").json["rounds"]
    pay: list[dict[str, Any]] = one["pay"]
    return pay


def test_win_shows_what_the_tables_won_and_what_was_expected(journal: str) -> None:
    pay = recalled(journal)
    answer = run("win", journal, "--json").json
    one, two = answer["lines"]
    assert (one["table"], two["table"]) == ("1", "2")
    assert one["win_cents"] == -sum(line["won_cents"] for line in pay)
    assert (one["turnover_cents"], one["stakes"], one["rounds"]) == (120_00, 2, 1)
    assert (one["drop_cents"], one["hold_of"]) == (400_00, "drop")
    assert one["hold"] == round(one["win_cents"] / 400_00, 6)
    odds = exact_odds(find_game("baccarat"), decks=4)
    expected = 100_00 * odds["banker"].edge + 20_00 * odds["tie"].edge
    assert one["expected_cents"] == round(expected)
    assert one["standing"] == "within 95 %"
    assert (two["rounds"], two["voids"], two["standing"]) == (0, 1, "nothing at stake")
    assert two["z"] is None
    total = answer["total"]
    assert total["win_cents"] == one["win_cents"]
    assert total["voids"] == 1
    assert (answer["zone"], answer["currency"]) == ("Asia/Singapore", "SGD")
    assert [shift["begins"] for shift in answer["shifts"]] == ["06:00", "14:00", "22:00"]
    ran = run("win", journal)
    assert ran.code == 0
    for word in ("120.00", "400.00", "within 95 %", "1 round void", "Hold is win of drop."):
        assert word in ran.out
    said = "Amounts are in SGD; gaming days begin at 06:00, Asia/Singapore."
    assert said in ran.out


def test_win_by_wager_and_by_several_respects(journal: str) -> None:
    lines = run("win", journal, "--by", "wager", "--json").json["lines"]
    assert [line["wager"] for line in lines] == ["banker", "tie"]
    by_wager = {line["wager"]: -line["won_cents"] for line in recalled(journal)}
    assert {line["wager"]: line["win_cents"] for line in lines} == by_wager
    assert {line["hold_of"] for line in lines} == {"turnover"}
    assert {line["voids"] for line in lines} == {None}
    assert "Hold is win of turnover." in run("win", journal, "--by", "wager").out
    both = run("win", journal, "--by", "wager", "--by", "shift", "--by", "day", "--json").json
    assert both["by"] == ["day", "shift", "wager"]
    places = [(line["day"], line["shift"], line["wager"]) for line in both["lines"]]
    assert places == [("2026-01-01", "day", "banker"), ("2026-01-01", "day", "tie")]


def test_days_and_shifts_follow_the_zone(journal: str) -> None:
    """The house opens at noon in Singapore: at 23:00 of the day before in New York."""
    where = ["--zone", "America/New_York", "--by", "day", "--by", "shift", "--json"]
    lines = run("win", journal, *where).json["lines"]
    assert {(line["day"], line["shift"]) for line in lines} == {("2025-12-31", "night")}
    own = ["--shift", "late shift=20:00", "--shift", "early=08:00"]
    lines = run("win", journal, *where, *own).json["lines"]
    assert {(line["day"], line["shift"]) for line in lines} == {("2025-12-31", "late shift")}
    assert len(run("win", journal, "--day", "2026-01-01", "--json").json["lines"]) == 2
    ran = run("win", journal, "--day", "2026-01-02", "--table", "1")
    assert (ran.code, ran.out) == (0, f"{journal} has no round at table 1 on 2026-01-02.\n")
    answer = run("win", journal, "--day", "2026-01-02", "--json").json
    assert (answer["lines"], answer["total"]) == ([], None)


def test_ratings_show_how_patrons_played(journal: str) -> None:
    ann, bea = run("ratings", journal, "--json").json["ratings"]
    assert (ann["patron"], ann["game"], ann["day"]) == ("ann", "baccarat", "2026-01-01")
    assert (ann["rounds"], ann["turnover_cents"], ann["average_cents"]) == (1, 120_00, 120_00)
    assert (ann["bought_cents"], ann["taken_cents"]) == (400_00, 50_00)
    assert ann["win_cents"] == -sum(line["won_cents"] for line in recalled(journal))
    win = run("win", journal, "--table", "1", "--json").json["total"]
    assert ann["theoretical_cents"] == win["expected_cents"]
    assert ann["seated_seconds"] > 10
    assert (bea["patron"], bea["rounds"], bea["average_cents"]) == ("bea", 0, None)
    only = run("ratings", journal, "--patron", "bea", "--by", "patron", "--json").json
    assert [one["patron"] for one in only["ratings"]] == ["bea"]
    ran = run("ratings", journal)
    assert ran.code == 0
    for word in ("ann", "bea", "tiger", "120.00", "Win is the house's"):
        assert word in ran.out
    ran = run("ratings", journal, "--patron", "zoe")
    assert ran.out == f"{journal} has no play of the patrons that were named.\n"


@pytest.mark.parametrize("command", ["win", "ratings"])
def test_a_journal_without_tables_has_nothing_to_show(command: str, tmp_path: Path) -> None:
    path = tmp_path / "new.sqlite"

    async def make() -> None:
        await (await SqliteStore.open(path)).close()

    asyncio.run(make())
    ran = run(command, str(path))
    what = {"win": "round", "ratings": "patron"}[command]
    assert (ran.code, ran.out) == (0, f"{path} has no {what}.\n")


@pytest.mark.parametrize("command", ["win", "ratings"])
def test_bad_options_are_refused_in_a_sentence(command: str, journal: str) -> None:
    assert_refused(run(command), "JOURNAL")
    assert_refused(run(command, journal, "--by", "moon"), "cannot be told by 'moon'")
    assert_refused(run(command, journal, "--table", "9"), "There is no table '9'")
    assert_refused(run(command, journal, "--day", "today"), "'today' is not a day")
    assert_refused(run(command, journal, "--day", ""), "--day")
    assert_refused(run(command, journal, "--zone", "Mars"), "'Mars' is not known here")
    assert_refused(run(command, journal, "--shift", "day"), "'day' is not a shift")
    assert_refused(run(command, journal, "--shift", "day=6"), "from 00:00 to 23:59")
    twice = ["--shift", "a=06:00", "--shift", "a=07:00"]
    assert_refused(run(command, journal, *twice), "Two shifts are named 'a'")


def test_a_journal_that_was_changed_is_not_counted(house: Path, journal: str) -> None:
    with bypassed(house / "journal.sqlite") as connection:
        connection.execute(
            "UPDATE decision SET body = CAST(replace(body, 'Dan', 'Eve') AS BLOB)"
            " WHERE stream = 'table:1' AND sequence > 5"
        )
    assert_refused(run("win", journal), "Decision 6 of table:1 was changed")


def test_exports_and_house_folders_are_read_like_journals(
    house: Path, journal: str, tmp_path: Path
) -> None:
    out = str(tmp_path / "export.jsonl")
    assert run("export", journal, "--json", "--out", out).code == 0
    direct = run("win", journal, "--json").json
    assert run("win", out, "--json").json["lines"] == direct["lines"]
    assert run("win", str(house), "--json").json["lines"] == direct["lines"]
    assert direct["journal"] == journal


def test_no_heavy_library_is_loaded(journal: str) -> None:
    assert loaded_by("win", journal, "--json")[1] == set()


@pytest.mark.parametrize("columns", ["60", "80"])
@pytest.mark.parametrize("command", ["win", "ratings"])
def test_nothing_is_cut_off(
    command: str, columns: str, journal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    ran = run(command, journal)
    assert ran.code == 0, ran.err
    assert "…" not in ran.out
