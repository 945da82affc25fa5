"""All eleven games against a second reading of the rulebooks, and every pay line by itself."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from croupier.rulebooks import GAMES, POWER_98_NATURAL_TIES, find_game
from croupier.rules.wagers import Result, Verdict
from tests import independent
from tests.deals import Coup, Face, as_coup, biased_faces, plain_faces

if TYPE_CHECKING:
    from croupier.rules.game import Game

SAME_COUPS = plain_faces(seed=98, count=200)
BIASED_COUPS = biased_faces(seed=4, count=3000)

TABLES = {
    "baccarat": ["BAC8 4.1"],
    "fa-fa-fabulous-4": ["FF3 4.1", "FF3 4.2"],
    "fortune-six-tournament": ["F6T2 4.1"],
    "power-98": ["PB6 4.1"],
    "super-six": ["EB4 4.1"],
    "fortune-six": ["EB4 4.2", "EB4 4.5", "EB4 4.6"],
    "super-6": ["EB4 4.3", "EB4 4.5", "EB4 4.6"],
    "no-commission": ["EB4 4.4"],
    "tiger": ["EB4 4.7", "EB4 4.9", "EB4 4.10"],
    "tiger-no-commission": ["EB4 4.8", "EB4 4.9", "EB4 4.10"],
    "fabulous-4s": ["EB4 4.11", "EB4 4.12"],
}

GAME_AND_DIE = [
    *(
        pytest.param(slug, None, marks=pytest.mark.clause(*tables), id=slug)
        for slug, tables in TABLES.items()
    ),
    pytest.param("power-98", 5, marks=pytest.mark.clause("PB6 4.1"), id="power-98-die-5"),
    pytest.param(
        "power-98", 3, marks=pytest.mark.clause("PB6 4.2", "PB6 4.2.1"), id="power-98-die-3"
    ),
]


def differences(
    game: Game, coup: Coup, die: int | None, *, natural_ties_only: bool = False
) -> list[str]:
    """Say where the package and the second reading part over one coup."""
    reading = independent.settle(game.slug, coup, die, natural_ties_only=natural_ties_only)
    settlement = game.settle(" ".join(coup), die=die)
    hands = settlement.coup
    outcome = settlement.outcome
    ours: dict[str, object] = {
        "player": tuple(card.text for card in hands.player.cards),
        "banker": tuple(card.text for card in hands.banker.cards),
        "player points": hands.player.points,
        "banker points": hands.banker.points,
        "settled points": (outcome.player.points, outcome.banker.points),
        "winner": settlement.winner.value if settlement.winner else "tie",
        "nets": {verdict.wager: verdict.net for verdict in settlement},
        "lines": {
            verdict.wager: verdict.row.clause if verdict.row else "" for verdict in settlement
        },
        "results": {verdict.wager: verdict.result for verdict in settlement},
    }
    theirs: dict[str, object] = {
        "player": reading.player,
        "banker": reading.banker,
        "player points": reading.player_points,
        "banker points": reading.banker_points,
        "settled points": (reading.player_points, reading.banker_points),
        "winner": reading.winner,
        "nets": reading.nets,
        "lines": reading.lines,
        "results": {wager: result_of(net) for wager, net in reading.nets.items()},
    }
    return [
        f"{' '.join(coup)}: {what} is {ours[what]}, the rulebook says {theirs[what]}"
        for what in theirs
        if ours[what] != theirs[what]
    ]


def result_of(net: Fraction) -> Result:
    if net == 0:
        return Result.PUSHES
    return Result.WINS if net > 0 else Result.LOSES


def all_differences(slug: str, drawn: list[tuple[Face, ...]], die: int | None) -> list[str]:
    game = find_game(slug)
    return [line for faces in drawn for line in differences(game, as_coup(faces, slug), die)]


def test_the_eleven_games_are_the_ones_that_are_read_twice() -> None:
    assert [game.slug for game in GAMES] == list(TABLES) == list(independent.GAMES)


@pytest.mark.parametrize(("slug", "die"), GAME_AND_DIE)
def test_two_hundred_same_coups_settle_as_the_rulebook_says(slug: str, die: int | None) -> None:
    assert all_differences(slug, SAME_COUPS, die) == []


@pytest.mark.parametrize(("slug", "die"), GAME_AND_DIE)
def test_three_thousand_rare_coups_settle_as_the_rulebook_says(
    slug: str, die: int | None
) -> None:
    assert all_differences(slug, BIASED_COUPS, die) == []


@pytest.mark.clause("PB6 4.2#tie-8-9")
def test_the_other_reading_of_tie_on_8_or_9_changes_nothing_else() -> None:
    drawn = [as_coup(faces, "power-98") for faces in BIASED_COUPS]
    found = [
        line
        for coup in drawn
        for line in differences(POWER_98_NATURAL_TIES, coup, 3, natural_ties_only=True)
    ]
    assert found == []


def test_the_same_coups_are_not_all_alike() -> None:
    winners = [
        independent.settle("baccarat", as_coup(faces, "baccarat")).winner
        for faces in SAME_COUPS
    ]
    assert {winner: winners.count(winner) > 10 for winner in winners} == {
        "player": True,
        "banker": True,
        "tie": True,
    }


# Every pay line of every game.


class PayLine(NamedTuple):
    game: str
    wager: str
    label: str
    odds: str
    clause: str

    @property
    def net(self) -> Fraction:
        if self.odds == "Push":
            return Fraction(0)
        first, second = self.odds.split(" to ")
        return Fraction(first) / Fraction(second)


def read_pay_lines() -> list[PayLine]:
    lines, game = [], ""
    for text in (Path(__file__).parent / "pay_lines.txt").read_text("utf-8").splitlines():
        if text.startswith("  "):
            lines.append(PayLine(game, *re.split(r" {2,}", text.strip())))
        elif not text.startswith("#"):
            game = text
    return lines


PAY_LINES = read_pay_lines()


class Example(NamedTuple):
    coup: Coup
    die: int | None
    net: Fraction


@cache
def examples_of(slug: str) -> dict[tuple[str, str], list[Example]]:
    """Sort coups by wager and line, the empty line for a loss, as the second reading says."""
    dice = (None, 3) if slug == "power-98" else (None,)
    found: dict[tuple[str, str], list[Example]] = {}
    for faces in BIASED_COUPS:
        coup = as_coup(faces, slug)
        for die in dice:
            reading = independent.settle(slug, coup, die)
            for wager, line in reading.lines.items():
                examples = found.setdefault((wager, line), [])
                if len(examples) < 5:
                    examples.append(Example(coup, die, reading.nets[wager]))
    return found


def test_the_pay_lines_are_those_of_the_package_in_the_same_order() -> None:
    rows = [
        PayLine(game.slug, wager.slug, row.label, row.pays.text, row.clause)
        for game in GAMES
        for wager in game.wagers
        for row in wager.rows
    ]
    assert rows == PAY_LINES
    assert len(PAY_LINES) == 7 + 20 + 9 + 20 + 9 + 26 + 25 + 8 + 13 + 14 + 19


@pytest.mark.parametrize("slug", TABLES)
def test_the_second_reading_knows_the_same_lines_and_no_others(slug: str) -> None:
    written = {(line.wager, line.clause) for line in PAY_LINES if line.game == slug}
    wagers = {wager for wager, _ in written}
    assert set(examples_of(slug)) == written | {(wager, "") for wager in wagers}


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(
            line,
            marks=pytest.mark.clause(line.clause),
            id=f"{line.game}/{line.wager}/{line.label}",
        )
        for line in PAY_LINES
    ],
)
def test_a_pay_line_wins_loses_and_pushes(line: PayLine) -> None:
    examples = examples_of(line.game)
    pushes = [
        other
        for other in PAY_LINES
        if (other.game, other.wager, other.odds) == (line.game, line.wager, "Push")
    ]
    for applies in (line, *pushes):
        for example in examples[line.wager, applies.clause]:
            assert example.net == applies.net
            verdict = verdict_on(line, example)
            assert verdict.row is not None
            assert (verdict.row.label, verdict.pays) == (applies.label, applies.odds)
            assert (verdict.row.clause, verdict.net) == (applies.clause, applies.net)
            assert verdict.result is (Result.PUSHES if applies in pushes else Result.WINS)
    for example in examples[line.wager, ""]:
        verdict = verdict_on(line, example)
        assert (verdict.row, verdict.pays, verdict.clause) == (None, None, None)
        assert (verdict.result, verdict.net) == (Result.LOSES, Fraction(-1))


def verdict_on(line: PayLine, example: Example) -> Verdict:
    settlement = find_game(line.game).settle(" ".join(example.coup), die=example.die)
    return settlement[line.wager]


@pytest.mark.clause("EB4 1.1.12")
@pytest.mark.parametrize("slug", TABLES)
def test_exactly_the_wagers_with_a_push_line_can_push(slug: str) -> None:
    game = find_game(slug)
    pushed = {
        wager
        for (wager, line), examples in examples_of(slug).items()
        for example in examples
        if line
        and game.settle(" ".join(example.coup), die=example.die)[wager].result is Result.PUSHES
    }
    mains = {"player", "banker"}
    dragons = {"player-dragon-bonus", "banker-dragon-bonus"}
    assert pushed == (mains | dragons if slug in {"fortune-six", "super-6"} else mains)
