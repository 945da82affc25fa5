from __future__ import annotations

from fractions import Fraction

import pytest

from croupier import find_game
from croupier.odds import exact_odds
from tests.cli.run import assert_refused, run, run_process


def test_a_study_in_json() -> None:
    ran = run("count", "baccarat", "--wager", "tie", "--shoes", "20", "--seed", "5", "--json")
    assert ran.code == 0
    assert ran.err == ""
    answer = ran.json
    assert answer["ev"] == str(exact_odds(find_game("baccarat"))["tie"].ev)
    effects = answer["effects"]
    assert len(effects) == 13
    assert sum(line["cards"] * Fraction(line["effect_exact"]) for line in effects) == 0
    assert [line["size"] for line in answer["tags"]] == [1, 2, 3, 4]
    assert all(0.9 < line["correlation"] < 1 for line in answer["tags"])
    study = answer["study"]
    assert (study["shoes"], study["seed"], study["complete"]) == (20, 5, True)
    assert study["gain"]["mean"] <= study["perfect_gain"]["mean"]
    assert study["tags"] == answer["tags"][1]["tags"]
    rounds = sum(line["rounds"] for line in study["by_count"])
    assert rounds == pytest.approx(20 * study["rounds"]["mean"])
    again = run("count", "baccarat", "--wager", "tie", "--shoes", "20", "--seed", "5", "--json")
    assert again.json == answer


def test_tags_and_trigger_that_are_given() -> None:
    command = ("count", "baccarat", "--wager", "player", "--shoes", "3", "--seed", "1")
    tags = "A=-1 2=-1 3=-1 4=-1 5=1 6=1 7=1 8=1"
    answer = run(*command, "--tags", tags, "--trigger", "-1000", "--json").json
    assert answer["study"]["bets"] == answer["study"]["rounds"]
    other = run(*command, "--tags", "A=-1 K=1/2", "--trigger", "2", "--json").json
    assert other["tags"][-1]["size"] is None
    assert other["study"]["trigger"] == "true count of at least 2"
    above = run(*command, "--above", "-0.02", "--json").json["study"]
    assert above["trigger"] == "exact expectation above -0.02"
    assert above["by_count"] == []
    running = run(*command, "--tags", tags, "--running", "--trigger", "7", "--json").json
    assert running["study"]["trigger"] == "running count of at least 7"


def test_a_single_shoe_has_no_error_and_no_bet_no_edge() -> None:
    command = ("count", "baccarat", "--wager", "tie", "--shoes", "1", "--seed", "1", "--json")
    study = run(*command, "--above", "5").json["study"]
    assert study["edge"] is None
    assert study["bets"] == {"mean": 0, "se": None}
    shown = run(*command[:-1], "--above", "5")
    assert shown.code == 0
    assert "; 1 shoe," in shown.out
    assert "0.0000 ± unknown" in shown.out
    assert "nan" not in shown.out


def test_for_people() -> None:
    ran = run("count", "fabulous-4s", "--wager", "player-precious-pair", "--shoes", "2")
    assert ran.code == 0
    for words in ("4D", "4 others", "Correlation", "this trigger", "perfect play", "seed"):
        assert words in ran.out
    blind = run("count", "baccarat", "--wager", "player-pair", "--shoes", "2")
    assert "no linear count" in blind.out
    assert "exact expectation above 0" in blind.out


def test_effects_alone_of_one_wager_and_of_all() -> None:
    every = run("count", "tiger", "--effects", "--decks", "6", "--json").json
    game = find_game("tiger")
    assert len(every["effects"]) == 13 * len(game.wagers)
    assert every["decks"] == 6
    one = run("count", "tiger", "--effects", "--wager", "tie", "--json").json
    assert {line["wager"] for line in one["effects"]} == {"tie"}
    shown = run("count", "tiger", "--effects")
    assert shown.code == 0
    assert game.wager("tie").name in shown.out


def test_bankroll_paths() -> None:
    command = [
        "count",
        "baccarat",
        "--wager",
        "banker",
        "--bankroll",
        "100",
        "--seed",
        "3",
        "--system",
        "martingale",
        "--maximum",
        "16",
        "--rounds",
        "90",
        "--patrons",
        "200",
        "--stop-loss",
        "60",
        "--target",
        "125",
    ]
    found = run(*command, "--json").json["bankroll"]
    assert (found["patrons"], found["rounds"], found["largest_stake"]) == (200, 90, 16)
    assert found["ruined"] == 0
    assert found["stopped"] > 0
    assert found["reached"] > 0
    assert len(found["bands"]) == 91
    assert found["bands"][0]["q05"] == found["bands"][0]["q95"] == 100
    shown = run(*command)
    assert "martingale" in shown.out
    assert "every round" in shown.out
    chosen = run(*command, "--above", "-0.01", "--json").json["bankroll"]
    assert chosen["bets"] < found["bets"]


def test_refusals() -> None:
    tie = ("count", "baccarat", "--wager", "tie")
    assert_refused(run("count", "bingo", "--wager", "tie"), "bingo")
    assert_refused(run("count", "baccarat"), "--wager", "player-pair")
    assert_refused(run("count", "baccarat", "--wager", "dragon"), "dragon", "banker")
    assert_refused(run(*tie, "--tags", "A=x"), "'x'", "tag of A")
    assert_refused(run(*tie, "--tags", "1=1"), "'1'")
    assert_refused(run(*tie, "--tags", "A=1", "--above", "0"), "--above")
    assert_refused(run(*tie, "--tags", "6=1 7=1"), "does not rise")
    assert_refused(run(*tie, "--running"), "--trigger")
    assert_refused(run(*tie, "--shoes", "0"), "0 shoes")
    assert_refused(run(*tie, "--decks", "3"), "3 decks", "BAC8 2.1")
    assert_refused(run(*tie, "--behind-cut", "3"), "3 cards")
    assert_refused(run(*tie, "--trigger", "nan"), "nan")
    assert_refused(run(*tie, "--seed", "-1"), "-1")
    assert_refused(run(*tie, "--size", "0"), "up to 0")
    assert_refused(run(*tie, "--system", "martingale"), "--bankroll")
    assert_refused(run(*tie, "--bankroll", "1", "--stake", "2"), "does not cover")
    assert_refused(run(*tie, "--bankroll", "10", "--system", "oscar"), "oscar")
    assert_refused(run(*tie, "--bankroll", "10", "--rounds", "0"), "0 rounds")
    pair = ("count", "baccarat", "--wager", "player-pair", "--trigger", "1")
    assert_refused(run(*pair), "no linear count")


@pytest.mark.parametrize("number", ["1e999999999", "1e400", "9" * 400, "1_0", "1/0", "٣", "x"])
def test_numbers_that_nobody_writes_are_refused(number: str) -> None:
    tie = ("count", "baccarat", "--wager", "tie")
    assert_refused(run(*tie, "--tags", f"A={number}"), "tag of A")
    assert_refused(run(*tie, "--trigger", number), "--trigger", "twelve digits")
    assert_refused(run(*tie, "--above", number), "--above", "twelve digits")
    assert_refused(run(*tie, "--bankroll", number), "the bankroll", "twelve digits")
    for option in ("--stake", "--maximum", "--target", "--stop-loss"):
        name = option[2:].replace("maximum", "table maximum")
        assert_refused(run(*tie, "--bankroll", "9", option, number), name, "twelve digits")


def test_more_than_anybody_can_wait_for_is_refused() -> None:
    bank = ("count", "baccarat", "--wager", "tie", "--bankroll", "100")
    assert_refused(run(*bank, "--rounds", "999999999999999"), "100,000 is the most")
    assert_refused(run(*bank, "--patrons", "1000001"), "1,000,000 is the most")


@pytest.mark.parametrize(
    ("options", "idle"),
    [
        ("--effects --shoes 7 --bankroll 5", "--shoes and --bankroll have no effect"),
        ("--effects --no-burn", "--no-burn has no effect"),
        ("--effects --threads 2", "--threads has no effect"),
        ("--bankroll 9 --threads -1", "--threads has no effect"),
        ("--bankroll 9 --above 0 --threads -1", "-1 threads"),
        ("--bankroll 9 --shoes 7", "--shoes has no effect"),
        ("--bankroll 9 --size 3", "--size has no effect"),
        ("--tags A=1 --size 3", "--size has no effect"),
        ("--stop-loss 3", "--stop-loss has no effect without --bankroll"),
        ("--threads 0", "0 threads"),
    ],
)
def test_options_without_effect_are_refused(options: str, idle: str) -> None:
    assert_refused(run("count", "baccarat", "--wager", "tie", *options.split()), idle)


def test_one_patron_is_not_many_and_tells_no_error() -> None:
    ran = run(
        *("count", "baccarat", "--wager", "tie", "--bankroll", "100", "--patrons", "1"),
        *("--rounds", "5", "--above", "-0.5", "--behind-cut", "20", "--after-cut", "0"),
    )
    assert ran.code == 0
    assert "1 patron with 100, flat from 1, at an exact expectation above -0.5;" in ran.out
    assert "± unknown" in ran.out


def test_as_a_process_it_is_silent_about_progress() -> None:
    ran = run_process("count", "baccarat", "--wager", "tie", "--shoes", "3", "--seed", "1")
    assert ran.code == 0
    assert ran.err == ""
    assert "perfect play" in ran.out
