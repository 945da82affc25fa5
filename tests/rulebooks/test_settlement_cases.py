"""Settlement case by case, as the clauses read; the cases are in ``cases.txt``."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest

from croupier.money import Cents, pay
from croupier.rulebooks import (
    GAMES,
    POWER_98,
    POWER_98_NATURAL_TIES,
    find_game,
)
from croupier.rules.errors import UnknownNameError
from croupier.rules.wagers import Result, Verdict
from tests import independent
from tests.deals import in_deck_of


class Stake(NamedTuple):
    wager: str
    dollars: int
    profit: Fraction


class Case(NamedTuple):
    cites: tuple[str, ...]
    game: str
    cards: str
    die: int | None
    points: tuple[int, int]
    stakes: tuple[Stake, ...]


def read_stake(text: str) -> Stake:
    wager, dollars, profit = text.split(" ")
    return Stake(wager, int(dollars), Fraction(profit))


def read_cases() -> list[Case]:
    cases: list[Case] = []
    cites: tuple[str, ...] = ()
    for text in (Path(__file__).parent / "cases.txt").read_text("utf-8").splitlines():
        if not text or text.startswith("#"):
            continue
        if not text.startswith("  "):
            cites = tuple(text.split(", "))
            continue
        games, dealt, points, stakes = re.split(r" {2,}", text.strip())
        cards, _, die = dealt.partition("; die ")
        player, _, banker = points.partition("-")
        cases += [
            Case(
                cites,
                game,
                cards,
                int(die) if die else None,
                (int(player), int(banker)),
                tuple(read_stake(stake) for stake in stakes.split(", ")),
            )
            for game in games.split(",")
        ]
    return cases


CASES = read_cases()


def profit_of(verdict: Verdict, dollars: int) -> Fraction:
    """Return the profit in dollars: what is paid, nothing, or the stake lost."""
    if verdict.result is Result.LOSES:
        return Fraction(-dollars)
    assert verdict.row is not None
    return Fraction(pay(Cents(dollars * 100), verdict.row.pays), 100)


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            case,
            marks=pytest.mark.clause(*case.cites),
            id=f"{case.cites[0]} {case.game} {case.cards}{f' die {case.die}' * bool(case.die)}",
        )
        for case in CASES
    ],
)
def test_a_case_is_settled_as_its_clause_says(case: Case) -> None:
    settlement = find_game(case.game).settle(case.cards, die=case.die)
    reading = independent.settle(case.game, case.cards.split(), case.die)
    points = (settlement.outcome.player.points, settlement.outcome.banker.points)
    assert points == (reading.player_points, reading.banker_points) == case.points
    for stake in case.stakes:
        verdict = settlement[stake.wager]
        assert profit_of(verdict, stake.dollars) == stake.profit
        assert reading.nets[stake.wager] * stake.dollars == stake.profit
        pushes = stake.profit == 0
        assert (verdict.result is Result.PUSHES) is pushes


@pytest.mark.parametrize("slug", [game.slug for game in GAMES])
@pytest.mark.parametrize(
    "cards",
    ["TS TH KS JH 2D 3D", "JS QH QS KH 2D 3D", "TS 2H QS 4H 2D", "KS TH TS QH 2D 3D"],
)
@pytest.mark.clause(
    "BAC8 1.1.6", "FF3 1.1.8", "F6T2 1.1.5", "PB6 1.1.6", "EB4 1.1.13", "EB4 1.1.22"
)
def test_ten_and_picture_cards_never_pair_in_any_game(slug: str, cards: str) -> None:
    settlement = find_game(slug).settle(in_deck_of(slug, cards))
    by_pairs = [verdict for verdict in settlement if verdict.wager.endswith("pair")]
    assert len(by_pairs) == (1 if slug.startswith("tiger") else 2)
    assert {verdict.result for verdict in by_pairs} == {Result.LOSES}


@pytest.mark.clause("PB6 4.2#tie-8-9")
@pytest.mark.parametrize(
    ("cards", "any_tie", "natural_ties"),
    [
        pytest.param("KS KH 3C 3D 5H 5C", 1000, 800, id="three cards each, 8-8"),
        pytest.param("KS KH 2C 5D 7H 4C", 1000, 800, id="three cards each, 9-9"),
        pytest.param("5S 4S 3C 4C", 1000, 1000, id="naturals, 8-8"),
        pytest.param("5S 4S 4C 5C", 1000, 1000, id="naturals, 9-9"),
        pytest.param("KS KH 7S 7H", 800, 800, id="two cards each, 7-7"),
    ],
)
def test_a_power_tie_on_8_or_9_under_both_readings(
    cards: str, any_tie: int, natural_ties: int
) -> None:
    for game, profit in ((POWER_98, any_tie), (POWER_98_NATURAL_TIES, natural_ties)):
        assert profit_of(game.settle(cards, die=3)["tie"], 100) == profit
        assert profit_of(game.settle(cards, die=2)["tie"], 100) == 800


# Which wagers a game offers.

OFFERED = {
    "baccarat": "player banker tie player-pair banker-pair",
    "fa-fa-fabulous-4": "player banker tie player-fabulous-4 banker-fabulous-4"
    " player-precious-pair banker-precious-pair",
    "fortune-six-tournament": "player banker tie player-pair banker-pair fortune-six",
    "power-98": "player banker tie player-pair banker-pair player-natural-8 player-natural-9"
    " banker-natural-8 banker-natural-9",
    "super-six": "player banker tie player-pair banker-pair super-six",
    "fortune-six": "player banker tie player-pair banker-pair fortune-six",
    "super-6": "player banker tie player-pair banker-pair super-6",
    "no-commission": "player banker tie player-pair banker-pair",
    "tiger": "player banker tie",
    "tiger-no-commission": "player banker tie",
    "fabulous-4s": "player banker tie player-fabulous-4 banker-fabulous-4"
    " player-precious-pair banker-precious-pair",
}
TIGERS = "tiger-pair tiger small-tiger big-tiger tiger-tie"
DRAGONS = "player-dragon-bonus banker-dragon-bonus"
OPTIONAL = {
    "fortune-six": DRAGONS,
    "super-6": DRAGONS,
    "tiger": TIGERS,
    "tiger-no-commission": TIGERS,
}
WAGER_CLAUSES = {
    "baccarat": ["BAC8 3.5"],
    "fa-fa-fabulous-4": ["FF3 3.5"],
    "fortune-six-tournament": ["F6T2 3.5"],
    "power-98": ["PB6 3.5"],
    "super-six": ["EB4 preamble#game-1", "EB4 4.1"],
    "fortune-six": ["EB4 preamble#game-2", "EB4 4.2", "EB4 4.5", "EB4 4.6"],
    "super-6": ["EB4 preamble#game-3", "EB4 4.3", "EB4 4.5", "EB4 4.6"],
    "no-commission": ["EB4 preamble#game-4", "EB4 4.4"],
    "tiger": ["EB4 preamble#game-5", "EB4 4.7", "EB4 4.9", "EB4 4.10"],
    "tiger-no-commission": ["EB4 preamble#game-6", "EB4 4.8", "EB4 4.9", "EB4 4.10"],
    "fabulous-4s": ["EB4 preamble#game-7", "EB4 4.11", "EB4 4.12"],
}
EACH_GAME = [
    pytest.param(slug, marks=pytest.mark.clause(*cites), id=slug)
    for slug, cites in WAGER_CLAUSES.items()
]
EVERY_WAGER = {
    slug for offered in (*OFFERED.values(), *OPTIONAL.values()) for slug in offered.split()
}


@pytest.mark.parametrize("slug", EACH_GAME)
def test_a_game_offers_its_own_wagers_and_marks_the_optional_ones(slug: str) -> None:
    wagers = find_game(slug).wagers
    assert len({wager.slug for wager in wagers}) == len(wagers)
    always = {wager.slug for wager in wagers if not wager.optional}
    optional = {wager.slug for wager in wagers if wager.optional}
    assert always == set(OFFERED[slug].split())
    assert optional == set(OPTIONAL.get(slug, "").split())


@pytest.mark.parametrize("slug", EACH_GAME)
def test_the_wagers_of_other_games_are_unknown(slug: str) -> None:
    game = find_game(slug)
    own = set(OFFERED[slug].split()) | set(OPTIONAL.get(slug, "").split())
    settlement = game.settle(in_deck_of(slug, "KS KH 7S 6H"))
    assert {verdict.wager for verdict in settlement} == own
    for other in EVERY_WAGER - own | {"Player", "", "insurance"}:
        with pytest.raises(UnknownNameError) as wager:
            game.wager(other)
        with pytest.raises(UnknownNameError) as verdict:
            settlement[other]
        for refusal in (wager, verdict):
            assert repr(other) in str(refusal.value)
            assert game.name in str(refusal.value)
            assert all(name in str(refusal.value) for name in own)


@pytest.mark.parametrize(
    ("slug", "other"),
    [
        pytest.param("baccarat", "fortune-six", marks=pytest.mark.clause("BAC8 3.5")),
        pytest.param("fa-fa-fabulous-4", "player-pair", marks=pytest.mark.clause("FF3 3.5")),
        *(
            pytest.param(
                slug, dragon, marks=pytest.mark.clause("EB4 4.5", "EB4 4.6", "EB4 1.1.1")
            )
            for slug in ("super-six", "no-commission", "tiger", "tiger-no-commission")
            for dragon in DRAGONS.split()
        ),
        *(
            pytest.param("super-6", tiger, marks=pytest.mark.clause("EB4 4.9", "EB4 4.10"))
            for tiger in TIGERS.split()
        ),
        pytest.param("tiger", "player-pair", marks=pytest.mark.clause("EB4 4.7")),
        pytest.param("fabulous-4s", "banker-pair", marks=pytest.mark.clause("EB4 4.11")),
    ],
)
def test_a_wager_that_belongs_elsewhere_is_refused(slug: str, other: str) -> None:
    with pytest.raises(UnknownNameError, match=f"^'{other}' is not a wager of "):
        find_game(slug).wager(other)


@pytest.mark.clause("F6T2 3.5", "PB6 3.5", "EB4 1.1.18")
def test_only_the_natural_wagers_of_power_98_depend_on_another_wager() -> None:
    for slug, offered in OFFERED.items():
        preconditions = find_game(slug).preconditions
        for wager in (*offered.split(), *OPTIONAL.get(slug, "").split()):
            breaches = [rule.breach({wager: 100}) for rule in preconditions]
            assert any(breaches) is ("natural" in wager), (slug, wager)
        for rule in preconditions:
            assert rule.breach({"player": 100, "banker": 100, "tie": 500}) is None


@pytest.mark.parametrize("slug", OFFERED)
def test_the_names_of_wagers_are_their_slugs_in_words(slug: str) -> None:
    for wager in find_game(slug).wagers:
        assert wager.name.lower().replace(" ", "-") == wager.slug
