from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from croupier import GAMES, Game
from croupier.odds import exact_odds
from tests.cli.run import assert_refused, loaded_by, run, run_process

if TYPE_CHECKING:
    from pathlib import Path


def test_the_json_of_the_issue() -> None:
    answer = run("odds", "baccarat", "--json").json
    assert answer["game"] == "baccarat"
    assert answer["rulebook"] == "BAC8"
    assert answer["decks"] == 8
    assert answer["cards"] == 416
    assert answer["total"] == "4998398275503360"
    wagers = {wager["wager"]: wager for wager in answer["wagers"]}
    assert list(wagers) == ["banker", "player", "tie", "player-pair", "banker-pair"]
    pair = wagers["player-pair"]
    assert pair["ev"] == "-43/415"
    assert pair["edge"] == 43 / 415
    assert pair["hit_rate"] == 31 / 415
    assert pair["push_rate"] == 0
    banker = wagers["banker"]
    assert banker["rows"] == [
        {
            "label": "Banker wins",
            "pays": "0.95 to 1",
            "count": "2292252566437888",
            "probability": 2292252566437888 / 4998398275503360,
        },
        {
            "label": "Tie",
            "pays": "Push",
            "count": "475627426473216",
            "probability": 475627426473216 / 4998398275503360,
        },
        {
            "label": "loses",
            "pays": None,
            "count": "2230518282592256",
            "probability": 2230518282592256 / 4998398275503360,
        },
    ]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_every_game_answers_in_json_and_as_a_table(game: Game) -> None:
    answer = run("odds", game.slug, "--decks", "6", "--json").json
    odds = exact_odds(game, decks=6)
    assert [Fraction(wager["ev"]) for wager in answer["wagers"]] == [
        wager.ev for wager in odds.wagers
    ]
    for wager in answer["wagers"]:
        assert sum(int(row["count"]) for row in wager["rows"]) == int(answer["total"])
    out = run("odds", game.slug).out
    for wager in game.wagers:
        assert wager.name in out


def test_no_heavy_library_is_loaded() -> None:
    printed, heavy = loaded_by("odds", "baccarat", "--json")
    assert heavy == set()
    assert '"ev": "-43/415"' in printed


def test_one_wager_shows_its_rows() -> None:
    ran = run("odds", "fa-fa-fabulous-4", "--wager", "tie")
    assert "Tie on Element Eights" in ran.out
    assert "800 to 1" in ran.out
    answer = run("odds", "tiger", "--wager", "tiger-tie", "--json").json
    assert [wager["wager"] for wager in answer["wagers"]] == ["tiger-tie"]


def test_removed_cards_change_the_odds() -> None:
    answer = run("odds", "baccarat", "--remove", "4D 4D KS", "--json").json
    assert answer["cards"] == 413
    assert answer["decks"] == 8
    wagers = {wager["wager"]: wager["ev"] for wager in answer["wagers"]}
    assert wagers["player-pair"] == "-629/6077"


def test_the_die_of_power_98() -> None:
    average = run("odds", "power-98", "--json").json
    assert average["total"] == str(6 * 4998398275503360)
    assert average["die"] is None
    power = run("odds", "power-98", "--die", "3", "--json").json
    assert power["total"] == "4998398275503360"
    assert power["wagers"][0]["edge"] < average["wagers"][0]["edge"]
    assert "averaged over the die" in run("odds", "power-98").out
    assert "whose die shows 3" in run("odds", "power-98", "--die", "3").out


def test_csv_has_a_line_for_each_row() -> None:
    rows = list(csv.DictReader(io.StringIO(run("odds", "tiger", "--csv").out)))
    assert len(rows) == 3 + 3 + 2 + 4 + 3 + 2 + 2 + 2
    assert rows[0]["wager"] == "player"
    assert sum(int(row["count"]) for row in rows if row["wager"] == "tie") == int(
        rows[0]["total"]
    )


def shoe_file(folder: Path, counts: object) -> str:
    file = folder / "shoe.json"
    file.write_text(json.dumps(counts), encoding="utf-8")
    return str(file)


STANDARD_RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]


def test_a_shoe_file_says_which_cards_are_left(tmp_path: Path) -> None:
    counts = {rank: {"S": 8, "H": 8, "D": 8, "C": 8} for rank in STANDARD_RANKS}
    full = run("odds", "baccarat", "--shoe", shoe_file(tmp_path, counts), "--json").json
    assert full["total"] == "4998398275503360"
    assert full["decks"] is None
    counts["4"]["D"] -= 2
    counts["K"]["S"] -= 1
    counts["T"] = counts.pop("10")
    left = run("odds", "baccarat", "--shoe", shoe_file(tmp_path, counts), "--json").json
    removed = run("odds", "baccarat", "--remove", "4D 4D KS", "--json").json
    assert left["wagers"] == removed["wagers"]


def test_a_shoe_file_of_the_65_card_deck(tmp_path: Path) -> None:
    elements = ["Fire", "Gold", "Earth", "Wood", "Water"]
    ranks = [*STANDARD_RANKS[:10], "S", "Lu", "F"]
    counts = {rank: dict.fromkeys(elements, 8) for rank in ranks}
    file = shoe_file(tmp_path, counts)
    from_file = run("odds", "fa-fa-fabulous-4", "--shoe", file, "--json").json
    full = run("odds", "fa-fa-fabulous-4", "--json").json
    assert from_file["wagers"] == full["wagers"]


def test_a_shoe_from_standard_input() -> None:
    given = json.dumps({"4": {"S": 2, "H": 2, "D": 1, "C": 1}})
    ran = run_process("odds", "baccarat", "--shoe", "-", "--json", given=given)
    assert ran.json["total"] == "720"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["poker"], ["'poker'"]),
        (["baccarat", "--decks", "3"], ["3 decks", "4 to 10", "BAC8 2.1"]),
        (["baccarat", "--wager", "tiger"], ["'tiger'", "player-pair"]),
        (["baccarat", "--remove", "4D " * 9], ["9 cards 4D", "holds 8"]),
        (["baccarat", "--remove", "4X"], ["'4X'"]),
        (["baccarat", "--die", "3"], ["without a die"]),
        (["power-98", "--die", "7"], ["cannot show 7"]),
        (["baccarat", "--json", "--csv"], ["either --json or --csv"]),
        (["baccarat", "--shoe", "no-such-file"], ["no-such-file"]),
        (["baccarat", "--shoe", "x", "--decks", "6"], ["either --decks or --shoe"]),
    ],
)
def test_refusals(arguments: list[str], words: list[str]) -> None:
    assert_refused(run("odds", *arguments), *words)


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ([1, 2], ["must hold an object"]),
        ({"A": 8}, ["rank 'A'", "not 8"]),
        ({"A": {"S": -1}}, ["the count of AS is '-1'", "from 0 to 1,000,000"]),
        ({"A": {"S": 1.5}}, ["AS is '1.5'", "a whole number"]),
        ({"A": {"S": True}}, ["AS is 'True'"]),
        ({"A": {"S": 10**23}}, ["a whole number from 0"]),
        ({"A": {"S": float("nan")}}, ["AS is 'nan'"]),
        ({"A": {"X": 1}}, ["'AX'"]),
        ({"1": {"S": 1}}, ["'1S'"]),
        ({"T": {"S": 1}, "10": {"S": 1}}, ["TS is counted twice"]),
        ({"A": {"S": 5}}, ["5 cards are left", "may need 6"]),
        ({}, ["0 cards are left"]),
    ],
)
def test_bad_shoe_files(tmp_path: Path, counts: object, words: list[str]) -> None:
    file = shoe_file(tmp_path, counts)
    assert_refused(run("odds", "baccarat", "--shoe", file), *words)


def test_a_shoe_file_that_names_a_rank_twice(tmp_path: Path) -> None:
    file = tmp_path / "shoe.json"
    file.write_text('{"A": {"S": 8}, "A": {"S": 7}}', encoding="utf-8")
    assert_refused(run("odds", "baccarat", "--shoe", str(file)), "names 'A' twice")


def test_a_shoe_file_that_is_not_json(tmp_path: Path) -> None:
    file = tmp_path / "shoe.json"
    file.write_text("{ not json", encoding="utf-8")
    assert_refused(run("odds", "baccarat", "--shoe", str(file)), "is not JSON")
    file.write_bytes(b"\xff\xfe\x00")
    assert_refused(run("odds", "baccarat", "--shoe", str(file)), "shoe.json")
