"""Games over everything that can happen: outcomes, paysheets, the die, preconditions."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import pytest

from croupier.rulebooks import (
    BACCARAT,
    FORTUNE_SIX_TOURNAMENT,
    GAMES,
    POWER_98,
    POWER_98_NATURAL_TIES,
    TIGER,
    find_game,
)
from croupier.rules.errors import NotationError, RulesError, UnknownNameError
from croupier.rules.outcome import HandSummary, Outcome, Side
from croupier.rules.wagers import Result, Verdict
from tests import independent
from tests.deals import (
    ACCORDING_TO_SUIT,
    CARDS_OF_65,
    ELEMENT_RANKS,
    STANDARD_RANKS,
    every_outcome,
    in_deck_of,
    kind_of_pair,
)

if TYPE_CHECKING:
    from croupier.rules.game import Game

SLUGS = [game.slug for game in GAMES]
PAY_CLASSES = {
    "baccarat": 12,
    "fa-fa-fabulous-4": 95,
    "fortune-six-tournament": 20,
    "power-98": 24,
    "super-six": 16,
    "fortune-six": 104,
    "super-6": 88,
    "no-commission": 16,
    "tiger": 23,
    "tiger-no-commission": 23,
    "fabulous-4s": 95,
}
PAY_CLASSES_OF_POWER = 58


class Survey(NamedTuple):
    """One coup of every outcome, settled by the package and by the second reading."""

    lines: dict[int, tuple[str, ...]]
    """For each index the lines that apply, in the order of the game's wagers."""
    outcomes: dict[int, Outcome]
    """For each index the outcome as the second reading sees it."""
    differences: list[str]


def summary_of(hand: tuple[str, ...], slug: str) -> HandSummary:
    """Say what settlement may see of a hand, by the second reading."""
    ranks = ELEMENT_RANKS if slug in CARDS_OF_65 else STANDARD_RANKS
    pair = kind_of_pair(hand, ACCORDING_TO_SUIT.get(slug))
    points = independent.total_of(hand)
    if pair is None:
        return HandSummary(points, len(hand))
    return HandSummary(points, len(hand), 1 + ranks.index(pair[0]), pair[1])


def lines_of(verdicts: tuple[Verdict, ...]) -> tuple[str, ...]:
    return tuple(verdict.row.clause if verdict.row else "" for verdict in verdicts)


def lines_read(reading: independent.Reading, game: Game) -> tuple[str, ...]:
    return tuple(reading.lines[wager.slug] for wager in game.wagers)


@cache
def survey_of(game: Game, *, power: bool) -> Survey:
    survey = Survey({}, {}, [])
    die = 3 if power else None
    for coup in every_outcome(game.slug):
        reading = independent.settle(
            game.slug, coup, die, natural_ties_only=game is POWER_98_NATURAL_TIES
        )
        settlement = game.settle(" ".join(coup), die=die)
        expected = lines_read(reading, game)
        nets = {verdict.wager: verdict.net for verdict in settlement}
        if lines_of(settlement.verdicts) != expected or nets != reading.nets:
            survey.differences.append(f"{' '.join(coup)}: {settlement.verdicts}, not {reading}")
        survey.lines[settlement.index] = expected
        survey.outcomes[settlement.index] = Outcome(
            summary_of(reading.player, game.slug),
            summary_of(reading.banker, game.slug),
            power,
        )
    return survey


GAMES_AND_POWER = [
    *(pytest.param(game, False, id=game.slug) for game in GAMES),
    pytest.param(POWER_98, True, id="power-98 Power"),
    pytest.param(POWER_98_NATURAL_TIES, True, id="power-98 Power, natural ties"),
]
each_game = pytest.mark.parametrize("game", GAMES, ids=SLUGS)
each_game_and_power = pytest.mark.parametrize(("game", "power"), GAMES_AND_POWER)


# Everything that can happen


@each_game
def test_there_are_so_many_outcomes(game: Game) -> None:
    expected = 38019 if game.slug in {"fa-fa-fabulous-4", "fabulous-4s"} else 10924
    assert len(game.outcomes) == len(set(game.outcomes)) == expected
    assert list(game.outcomes) == sorted(game.outcomes)
    assert set(survey_of(game, power=False).lines) == set(game.outcomes)


@each_game_and_power
def test_every_outcome_is_settled_as_the_rulebook_says(game: Game, *, power: bool) -> None:
    survey = survey_of(game, power=power)
    assert survey.differences == []
    assert len(survey.lines) == len(every_outcome(game.slug))


@each_game_and_power
def test_an_outcome_and_its_index_are_one_and_the_same(game: Game, *, power: bool) -> None:
    for index, outcome in survey_of(game, power=power).outcomes.items():
        assert outcome.index == index
        assert Outcome.from_index(index, power=power) == outcome


@each_game_and_power
def test_the_paysheet_pays_what_the_rows_say(game: Game, *, power: bool) -> None:
    survey = survey_of(game, power=power)
    by_class = {
        index: lines_of(pay_class.verdicts)
        for pay_class in game.pay_classes(power=power)
        for index in pay_class.outcomes
    }
    assert by_class == survey.lines
    for index, outcome in survey.outcomes.items():
        remembered = lines_of(game.verdicts(index, power=power))
        resolved = lines_of(tuple(wager.resolve(outcome) for wager in game.wagers))
        assert remembered == resolved == survey.lines[index]


@each_game
def test_pay_classes_are_few_and_share_out_all_outcomes(game: Game) -> None:
    classes = game.pay_classes()
    assert (
        len(classes)
        == PAY_CLASSES[game.slug]
        == len(set(survey_of(game, power=False).lines.values()))
    )
    assert 12 <= len(classes) <= 104
    shared_out = [index for pay_class in classes for index in pay_class.outcomes]
    assert sorted(shared_out) == list(game.outcomes)


def test_a_power_hand_has_pay_classes_of_its_own() -> None:
    survey = survey_of(POWER_98, power=True)
    assert len(POWER_98.pay_classes(power=True)) == PAY_CLASSES_OF_POWER
    assert len(set(survey.lines.values())) == PAY_CLASSES_OF_POWER


@each_game
def test_every_row_applies_to_something_and_every_wager_can_lose(game: Game) -> None:
    survey = survey_of(game, power=False)
    reached = set(survey.lines.values())
    if game is POWER_98:
        reached |= set(survey_of(game, power=True).lines.values())
    for place, wager in enumerate(game.wagers):
        cites = {row.clause for row in wager.rows}
        assert len(cites) == len(wager.rows)
        assert {lines[place] for lines in reached} == cites | {""}


def test_a_power_flag_is_not_part_of_the_index() -> None:
    index = POWER_98.settle("KS KH 9S 4H", die=3).index
    assert index == POWER_98.settle("KS KH 9S 4H", die=2).index
    assert Outcome.from_index(index, power=True).index == index
    assert Outcome.from_index(index, power=True) != Outcome.from_index(index)


# The die


@pytest.mark.clause("PB6 3.6.2", "PB6 1.1.2")
@pytest.mark.parametrize("die", [None, 1, 2, 3, 4, 5, 6])
def test_a_three_makes_a_power_hand_and_nothing_else_does(die: int | None) -> None:
    assert POWER_98.is_power(die) is (die == 3)
    settlement = POWER_98.settle("KS 2H 9S KH", die=die)
    assert settlement.power is (die == 3)
    assert settlement.outcome.power is (die == 3)
    assert settlement["player"].pays == ("21 to 20" if die == 3 else "1 to 1")


@pytest.mark.clause("PB6 3.6.2", "PB6 1.1.2")
@pytest.mark.parametrize("die", [-3, -1, 0, 7, 13, 33])
def test_what_no_die_shows_is_refused(die: int) -> None:
    with pytest.raises(RulesError) as refusal:
        POWER_98.settle("KS 2H 9S KH", die=die)
    assert f"cannot show {die}; it shows 1 to 6 [PB6 3.6.2]." in str(refusal.value)


@pytest.mark.parametrize("slug", [slug for slug in SLUGS if slug != "power-98"])
@pytest.mark.parametrize("die", [1, 3, 6, 7])
def test_a_die_is_refused_where_none_is_shaken(slug: str, die: int) -> None:
    game = find_game(slug)
    cards = in_deck_of(slug, "KS 2H 9S KH")
    with pytest.raises(RulesError) as refusal:
        game.settle(cards, die=die)
    assert game.name in str(refusal.value)
    assert "die" in str(refusal.value)
    assert not game.settle(cards).power


# Preconditions


@pytest.mark.parametrize(
    ("main", "place", "clause"),
    [
        pytest.param(
            "player", 0, "PB6 3.5.1", marks=pytest.mark.clause("PB6 3.5.1"), id="Player"
        ),
        pytest.param(
            "banker", 1, "PB6 3.5.2", marks=pytest.mark.clause("PB6 3.5.2"), id="Banker"
        ),
    ],
)
@pytest.mark.parametrize(
    ("stake", "eight", "nine", "allowed"),
    [
        (10000, 6000, 4000, True),
        (10000, 6000, 4100, False),
        (10000, 6000, 4001, False),
        (10000, 10000, 0, True),
        (10000, 10000, 100, False),
        (10000, 0, 10000, True),
        (10000, 0, 10001, False),
        (5000, 6000, 4000, False),
        (5000, 2500, 2500, True),
        (0, 100, 0, False),
        (0, 0, 100, False),
        (0, 0, 0, True),
        (10000, 0, 0, True),
    ],
)
def test_natural_wagers_need_their_main_wager_and_never_exceed_it(
    main: str, place: int, clause: str, stake: int, eight: int, nine: int, *, allowed: bool
) -> None:
    rule = POWER_98.preconditions[place]
    other = "banker" if main == "player" else "player"
    stakes = {
        main: stake,
        f"{main}-natural-8": eight,
        f"{main}-natural-9": nine,
        other: 1_000_000,
        "tie": 1_000_000,
    }
    breach = rule.breach(stakes)
    assert (breach is None) is allowed
    assert POWER_98.preconditions[1 - place].breach(stakes) is None
    if breach is not None:
        assert breach.endswith(f" [{clause}].")
        assert f"{main}-natural-" in breach
        assert f" {main} " in breach


@pytest.mark.clause("PB6 3.5.1", "PB6 3.5.2")
def test_how_a_breach_is_told() -> None:
    player, banker = POWER_98.preconditions
    assert player.breach(
        {"player": 10000, "player-natural-8": 6000, "player-natural-9": 4100}
    ) == (
        "The stakes on player-natural-8 and player-natural-9 come to 101.00;"
        " they may not exceed the 100.00 on player [PB6 3.5.1]."
    )
    assert banker.breach({"player": 10000, "banker-natural-9": 100}) == (
        "A stake on banker-natural-9 needs a stake on banker by the same patron in the same"
        " round [PB6 3.5.2]."
    )
    assert (player.clause, banker.clause) == ("PB6 3.5.1", "PB6 3.5.2")


@pytest.mark.clause("F6T2 3.5")
def test_no_other_game_has_a_precondition() -> None:
    with_rules = [game.slug for game in GAMES if game.preconditions]
    assert with_rules == ["power-98"]
    assert FORTUNE_SIX_TOURNAMENT.preconditions == ()
    assert POWER_98_NATURAL_TIES.preconditions == POWER_98.preconditions


# Settlements


def test_a_settlement_answers_by_wager_and_in_order() -> None:
    settlement = BACCARAT.settle("5S 6S 5D 4C QS 7H")
    assert [verdict.wager for verdict in settlement] == [
        "banker",
        "player",
        "tie",
        "player-pair",
        "banker-pair",
    ]
    assert settlement["banker"].result is Result.WINS
    assert settlement["banker"].clause == "BAC8 4.1"
    assert settlement["player"].clause is None
    assert settlement.winner is Side.BANKER
    assert settlement.outcome == Outcome(HandSummary(0, 3, 5), HandSummary(7, 3))
    assert repr(settlement) == "Settlement(baccarat, Coup('5S 6S 5D 4C QS 7H'), banker)"
    assert repr(BACCARAT.settle("KS KH 7S 7H")).endswith(", tie)")


def test_a_coup_its_cards_and_its_text_settle_alike() -> None:
    text = "QC QS QS QD 3H 8S"
    coup = TIGER.coup(text)
    for other in (coup, coup.cards, iter(coup.cards)):
        assert TIGER.settle(other).verdicts == TIGER.settle(text).verdicts
    assert TIGER.settle(coup).coup is coup
    assert TIGER.settle(text)["tiger-pair"].pays == "100 to 1"


def test_a_settlement_does_not_change() -> None:
    settlement = BACCARAT.settle("KS KH 7S 7H")
    with pytest.raises(FrozenInstanceError):
        settlement.power = True  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        BACCARAT.wagers = ()  # type: ignore[misc]


def test_games_are_found_by_slug_and_compared_by_identity() -> None:
    assert [find_game(slug) for slug in SLUGS] == list(GAMES)
    assert find_game("TIGER") is TIGER
    assert POWER_98 != POWER_98_NATURAL_TIES
    assert len(set(GAMES)) == 11
    with pytest.raises(UnknownNameError) as refusal:
        find_game("poker")
    assert "'poker'" in str(refusal.value)
    assert all(slug in str(refusal.value) for slug in SLUGS)


@each_game
def test_a_game_stays_one_value_through_copy_and_pickle(game: Game) -> None:
    assert copy.copy(game) is game
    assert copy.deepcopy([game])[0] is game
    assert pickle.loads(pickle.dumps(game)) is game  # noqa: S301  # our own bytes


def test_the_other_reading_of_a_game_stays_itself_through_pickle() -> None:
    other = pickle.loads(pickle.dumps(POWER_98_NATURAL_TIES))  # noqa: S301  # our own bytes
    assert other is POWER_98_NATURAL_TIES


def test_a_settlement_survives_copy_and_pickle() -> None:
    settlement = POWER_98.settle("KS 2H 9S KH", die=3)
    twin = pickle.loads(pickle.dumps(settlement))  # noqa: S301  # our own bytes
    for other in (twin, copy.copy(settlement), copy.deepcopy(settlement)):
        assert other.game is POWER_98
        assert (other.coup, other.power) == (settlement.coup, True)
        assert other["player"].pays == "21 to 20"


def test_a_settlement_knows_its_wagers() -> None:
    settlement = BACCARAT.settle("KS KH 7S 7H")
    assert len(settlement) == 5
    assert "banker-pair" in settlement
    assert "tiger" not in settlement


def test_a_coup_of_another_game_is_dealt_again_for_this_one() -> None:
    coup = BACCARAT.coup("KS KH 7S 7H")
    settlement = TIGER.settle(coup)
    assert settlement.coup == TIGER.coup("KS KH 7S 7H")
    assert settlement["tie"].clause == "EB4 4.7"
    with pytest.raises(NotationError, match=r"^KS is not a card of the 65-card deck"):
        find_game("fa-fa-fabulous-4").settle(coup)
