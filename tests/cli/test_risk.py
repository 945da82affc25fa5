"""The command ``croupier risk``."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from croupier.odds import exact_odds
from croupier.rulebooks import GAMES, find_game
from tests.cli.run import assert_refused, run, run_process

if TYPE_CHECKING:
    from croupier.rules.game import Game

BANKER = ("risk", "baccarat", "--stake", "banker=100")


def document(*arguments: str) -> Any:  # noqa: ANN401  # a document has any shape
    ran = run("risk", *arguments, "--json")
    assert (ran.code, ran.err) == (0, "")
    return ran.json


def test_the_document_has_its_keys() -> None:
    answer = document("baccarat", "--stake", "banker=100", "--rounds", "50")
    assert list(answer) == [
        *("game", "rulebook", "decks", "die", "rounding", "rounds", "stakes_cents"),
        *("round", "result", "hold", "ruin", "required"),
    ]
    assert (answer["game"], answer["rulebook"], answer["decks"]) == ("baccarat", "BAC8", 8)
    assert answer["stakes_cents"] == {"banker": 100_00}
    assert list(answer["round"]) == ["staked_cents", "mean_cents", "sd_cents", "edge"]
    assert list(answer["result"]) == [
        *("method", "error", "mean_cents", "sd_cents", "ahead", "level", "behind"),
        *("quantiles", "table"),
    ]
    assert list(answer["hold"]["bands"][0]) == [
        *("confidence", "low", "high", "normal_low", "normal_high", "rounds_to_exclude_zero"),
    ]
    assert answer["ruin"] == {
        "of": "patron",
        "needed_cents": 100_00,
        "bankroll_cents": None,
        "within": None,
        "ever": None,
    }
    assert answer["required"]["risk"] == 0.05
    assert answer["required"]["ever"] == {"cents": None, "method": "certain"}


def test_one_round_is_as_the_odds_say() -> None:
    odds = exact_odds(find_game("baccarat"), decks=6)
    answer = document(
        *("baccarat", "--stake", "banker=100.00", "--stake", "tie=10.5", "--rounds", "1"),
        *("--decks", "6"),
    )
    assert answer["stakes_cents"] == {"banker": 100_00, "tie": 10_50}
    mean = 100_00 * odds["banker"].ev + 10_50 * odds["tie"].ev
    assert answer["round"]["mean_cents"] == pytest.approx(float(mean))
    assert answer["round"]["staked_cents"] == 110_50
    assert answer["hold"]["expected"] == pytest.approx(float(-mean / 110_50))
    assert answer["result"]["method"] == "exact"
    assert answer["result"]["error"] == 0
    assert answer["result"]["ahead"] == pytest.approx(
        float(odds["banker"].hit_rate + odds["tie"].hit_rate)
    )
    assert {row["cents"] for row in answer["result"]["quantiles"]} <= {-110_50, 84_50, 84_00}


def test_the_method_is_named_with_its_error() -> None:
    methods = {}
    for rounds in ("300", "5000", "10000000000"):
        answer = document("baccarat", "--stake", "player=20", "--rounds", rounds)
        methods[answer["result"]["method"]] = answer["result"]["error"]
        total = sum(row["chance"] for row in answer["result"]["table"])
        assert total == pytest.approx(1)
    assert list(methods) == ["exact", "fourier", "normal"]
    assert 0 == methods["exact"] < methods["fourier"] < 1e-9 < methods["normal"] < 1e-4


def test_ruin_of_the_patron_and_of_the_house() -> None:
    rounds = ("baccarat", "--stake", "banker=100", "--rounds", "200")
    patron = document(*rounds, "--bankroll", "1000", "--risk", "0.1")
    assert patron["ruin"]["of"] == "patron"
    assert patron["ruin"]["within"]["method"] == "recursion"
    assert 0.3 < patron["ruin"]["within"]["chance"] < 0.8
    assert patron["ruin"]["ever"]["chance"] == 1
    enough = patron["required"]["within"]["cents"]
    again = document(*rounds, "--bankroll", f"{enough // 100}.{enough % 100:02}")
    assert 0.09 < again["ruin"]["within"]["chance"] <= 0.1
    house = document(*rounds, "--bankroll", "1000", "--house")
    assert (house["ruin"]["of"], house["ruin"]["needed_cents"]) == ("house", 95_00)
    ever = house["ruin"]["ever"]
    assert ever["method"] == "lundberg"
    assert house["ruin"]["within"]["chance"] < ever["chance"] < 1
    assert ever["lower"] <= ever["chance"] == ever["upper"]
    assert house["required"]["within"]["cents"] < house["required"]["ever"]["cents"]
    assert patron["result"] == house["result"]


def test_power_98_is_averaged_over_the_die_unless_one_is_named() -> None:
    stakes = ("power-98", "--stake", "tie=10", "--rounds", "5")
    averaged, ordinary, power = (
        document(*stakes, *die)["round"]["mean_cents"]
        for die in ((), ("--die", "1"), ("--die", "3"))
    )
    assert ordinary < averaged < power
    assert averaged == pytest.approx(float(Fraction(5, 6)) * ordinary + power / 6)
    assert "averaged over the die" in run("risk", *stakes).out
    assert "whose die shows 3" in run("risk", *stakes, "--die", "3").out


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_every_wager_of_every_game_has_an_answer(game: Game) -> None:
    stakes = [text for wager in game.wagers for text in ("--stake", f"{wager.slug}=100")]
    if game.preconditions:
        stakes = ["--stake", "player=100", "--stake", "player-natural-8=100"]
    answer = document(game.slug, *stakes, "--rounds", "10", "--bankroll", "9999")
    assert answer["result"]["ahead"] + answer["result"]["behind"] <= 1 + 1e-9
    assert 0 <= answer["ruin"]["within"]["chance"] <= 1


def test_people_read_it() -> None:
    ran = run(*BANKER, "--rounds", "1000", "--bankroll", "5000")
    assert ran.code == 0
    for words in (
        *("100.00 on banker", "after 1,000 rounds", "Expected -1,057.91", "fourier"),
        *("Hold of the house: 1.0579%", "Ruin of the patron", "Risk with 5,000.00"),
        *("Bankroll for a risk of 0.05", "none is enough", "round by round"),
    ):
        assert words in ran.out, ran.out


def test_rounding_is_named() -> None:
    stakes = ("baccarat", "--stake", "banker=100.50", "--rounds", "1")
    assert_refused(run("risk", *stakes), "100.50 on banker", "0.95 to 1", "rounding")
    answer = document(*stakes, "--rounding", "down")
    assert answer["rounding"] == "down"
    assert answer["result"]["quantiles"][-1]["cents"] == 95_47
    assert "rounded down" in run("risk", *stakes, "--rounding", "down").out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--stake", "tiger=100", "--rounds", "5"), ("'tiger'", "player-pair")),
        (("--stake", "banker", "--rounds", "5"), ("'banker' is not a stake",)),
        (("--stake", "banker=0", "--rounds", "5"), ("banker", "'0'", "more than zero")),
        (("--stake", "banker=-5", "--rounds", "5"), ("'-5'",)),
        (("--stake", "banker=1e3", "--rounds", "5"), ("'1e3'",)),
        (("--stake", "banker=1.005", "--rounds", "5"), ("'1.005'",)),
        (("--stake", "banker=nan", "--rounds", "5"), ("'nan'",)),
        (("--stake", "banker=", "--rounds", "5"), ("''",)),
        (("--stake", "banker=٣", "--rounds", "5"), ("'٣'",)),
        (("--stake", f"banker={'9' * 5000}", "--rounds", "5"), ("twelve digits",)),
        (("--stake", "banker=1", "--stake", "banker=2", "--rounds", "5"), ("twice",)),
        (("--stake", "banker=100", "--rounds", "0"), ("0 rounds",)),
        (("--stake", "banker=100", "--rounds", "-3"), ("-3 rounds",)),
        (("--stake", "banker=100", "--rounds", "x"), ("x",)),
        (("--stake", "banker=100", "--rounds", "1" + "0" * 13), ("1,000,000,000,000",)),
        (("--stake", "banker=100"), ("--rounds",)),
        (("--rounds", "5"), ("--stake",)),
        (("--stake", "banker=100", "--rounds", "5", "--bankroll", "-1"), ("'-1'",)),
        (
            ("--stake", "banker=100", "--rounds", "5", "--bankroll", "99.99"),
            ("99.99", "100.00"),
        ),
        (("--stake", "banker=100", "--rounds", "5", "--risk", "0"), ("risk of 0.0",)),
        (("--stake", "banker=100", "--rounds", "5", "--risk", "nan"), ("risk of nan",)),
        (("--stake", "banker=100", "--rounds", "5", "--risk", "-1"), ("risk of -1.0",)),
        (("--stake", "banker=100", "--rounds", "5", "--risk", "much"), ("much",)),
        (("--stake", "banker=100", "--rounds", "5", "--decks", "3"), ("3 decks",)),
        (("--stake", "banker=100", "--rounds", "5", "--die", "3"), ("without a die",)),
        (("--stake", "banker=100", "--rounds", "5", "--rounding", "half"), ("half",)),
    ],
)
def test_refusals(arguments: tuple[str, ...], words: tuple[str, ...]) -> None:
    assert_refused(run("risk", "baccarat", *arguments), *words)


def test_unknown_games_are_refused() -> None:
    assert_refused(run("risk", "poker", "--stake", "banker=1", "--rounds", "5"), "poker")


@pytest.mark.clause("PB6 3.5.1")
def test_wagers_that_need_another_are_refused_without_it() -> None:
    alone = ("risk", "power-98", "--stake", "player-natural-8=10", "--rounds", "5")
    assert_refused(run(*alone), "needs a stake on player", "PB6 3.5.1")
    assert_refused(run(*alone, "--stake", "player=9.99"), "may not exceed the 9.99")
    assert run(*alone, "--stake", "player=10").code == 0


def test_it_runs_as_a_process() -> None:
    ran = run_process(*BANKER, "--rounds", "400", "--bankroll", "1500", "--json")
    assert ran.code == 0, ran.err
    assert ran.json["result"]["method"] == "fourier"
