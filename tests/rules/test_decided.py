"""Decided wagers: against brute force, against the worked-out tables, and case by case.

The comparison with brute force takes every set of known cards in three games, and in the
others every set of initial cards and a sample of the rest. Set CROUPIER_EVERY_SET=1 to
take every set in all eleven games; that takes some minutes.
"""

from __future__ import annotations

import os
import random
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.rulebooks import (
    BACCARAT,
    FA_FA_FABULOUS_4,
    FABULOUS_4S,
    FORTUNE_SIX,
    FORTUNE_SIX_TOURNAMENT,
    GAMES,
    NO_COMMISSION,
    POWER_98,
    POWER_98_NATURAL_TIES,
    SUPER_6,
    SUPER_SIX,
    TIGER,
    TIGER_NO_COMMISSION,
)
from croupier.rules import decided
from croupier.rules.cards import FIVE_ELEMENTS, STANDARD, Card
from croupier.rules.coup import Position
from croupier.rules.decided import Standing, decide_wagers, parse_known
from croupier.rules.errors import CoupError, NotationError, RulesError, UnknownNameError
from croupier.rules.wagers import Result
from tests.rules import brute_decided as brute
from tests.strategies import games, games_and_coups, known_cards, unhurried
from tests.wording import is_one_sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from croupier.rules.coup import Coup
    from croupier.rules.game import Game

P1, B1, P2, B2, P3, B3 = (
    Position.P1,
    Position.B1,
    Position.P2,
    Position.B2,
    Position.P3,
    Position.B3,
)
PLACES = (P1, B1, P2, B2, P3, B3)
Places = tuple[int, ...]
"""What is known at each place: a rank number less one, or brute.UNKNOWN."""

CODES = {
    Standing.WON: brute.WIN,
    Standing.LOST: brute.LOSE,
    Standing.PUSH: brute.PUSH,
    Standing.OPEN: brute.OPEN,
}
LETTERS = {"W": Standing.WON, "L": Standing.LOST, "P": Standing.PUSH, ".": Standing.OPEN}


def ids(game: Game) -> str:
    return game.slug


def every_game(*games: Game) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("game", games or GAMES, ids=ids)


def card(game: Game, rank: int, suit: int = 0) -> Card:
    return Card(game.deck.ranks[rank], game.deck.suits[suit])


def shown(game: Game, places: Places, suits: Iterable[int] = (0,) * 6) -> dict[Position, Card]:
    return {
        place: card(game, rank, suit)
        for place, rank, suit in zip(PLACES, places, suits, strict=False)
        if rank != brute.UNKNOWN
    }


def standings(
    game: Game, known: dict[Position, Card], offered: Iterable[str] | None = None
) -> dict[str, Standing]:
    return decide_wagers(game, known, offered).wagers


# Against brute force


@pytest.fixture(autouse=True, scope="module")
def _forget_afterwards() -> Iterator[None]:
    """Give back the memory of the millions of sets that are asked for here."""
    yield
    forget()


def forget() -> None:
    decided._combined.cache_clear()  # noqa: SLF001  # frees memory, changes no result
    decided._ends.cache_clear()  # noqa: SLF001  # frees memory, changes no result


def by_brute_force(game: Game, sets: list[Places]) -> list[tuple[int, ...]]:
    """Return for each set the codes of all wagers in the game's order."""
    where = tuple(np.array(sets).T)
    columns = [
        brute.standings(brute.condition_of(game.slug, wager.slug))[where].tolist()
        for wager in game.wagers
    ]
    return list(zip(*columns, strict=True))


def by_croupier(game: Game, known: dict[Position, Card]) -> tuple[int, ...]:
    try:
        found = decide_wagers(game, known).wagers
    except CoupError:
        return (brute.IMPOSSIBLE,) * len(game.wagers)
    return tuple([CODES[standing] for standing in found.values()])


Difference = tuple[dict[str, str], tuple[int, ...], tuple[int, ...]]


def differences(
    game: Game, sets: list[Places], suits: list[Places] | None = None
) -> list[Difference]:
    """Return the sets that the two do not agree on: cards, expected and found codes."""
    found: list[Difference] = []
    plain = [(0,) * 6] * len(sets)
    for places, worn, expected in zip(
        sets, suits or plain, by_brute_force(game, sets), strict=True
    ):
        known = shown(game, places, worn)
        codes = by_croupier(game, known)
        if codes != expected:
            cards = {place.value: known[place].text for place in known}
            found.append((cards, expected, codes))
    return found


def with_thirds(step: int = 1) -> list[Places]:
    """Return every set, one for all that are alike; or every ``step``-th of them."""
    thirds = (*brute.POINT_RANKS, brute.UNKNOWN)
    sets = [
        (*initial, third, last)
        for initial in brute.initial_sets()
        for third in thirds
        for last in thirds
    ]
    return sets[::step]


def without_thirds() -> list[Places]:
    return [(*initial, brute.UNKNOWN, brute.UNKNOWN) for initial in brute.initial_sets()]


def test_brute_force_knows_every_deal() -> None:
    tens = brute.POINT_RANKS
    thirds = (*tens, brute.NO_CARD)
    possible = brute.deals().possible
    assert possible[np.ix_(tens, tens, tens, tens, thirds, thirds)].sum() == 339_400


def test_every_wager_has_its_condition() -> None:
    slugs = {
        brute.condition_of(game.slug, wager.slug) for game in GAMES for wager in game.wagers
    }
    assert slugs == set(brute.CONDITIONS)


@pytest.mark.parametrize("wager", sorted(brute.CONDITIONS))
def test_brute_force_allows_to_leave_out_sets_that_are_alike(wager: str) -> None:
    standing = brute.standings(wager)
    impossible = standing == brute.IMPOSSIBLE
    assert np.array_equal(impossible, brute.standings("tie") == brute.IMPOSSIBLE)
    assert np.array_equal(standing, standing.swapaxes(0, 2))
    assert np.array_equal(standing, standing.swapaxes(1, 3))
    for axis in (4, 5):
        tens = np.take(standing, [9], axis=axis)
        assert (np.take(standing, [10, 11, 12], axis=axis) == tens).all()
    for exchanged in ((10, 9, 11, 12), (10, 11, 12, 9)):
        order = [*range(9), *exchanged, brute.UNKNOWN]
        assert np.array_equal(standing, standing[np.ix_(order, order, order, order)])


IN_FULL = (
    pytest.param(
        BACCARAT,
        marks=pytest.mark.clause("BAC8 1.1.6", "BAC8 1.1.11", "BAC8 3.13", "BAC8 3.15.1"),
        id="baccarat",
    ),
    pytest.param(
        TIGER,
        marks=pytest.mark.clause(
            "EB4 1.1.3", "EB4 1.1.17", "EB4 1.1.21", "EB4 1.1.22", "EB4 1.1.23"
        ),
        id="tiger",
    ),
    pytest.param(
        POWER_98,
        marks=pytest.mark.clause(
            "PB6 3.9.1",
            "PB6 3.9.2",
            "PB6 3.10.1",
            "PB6 3.10.2",
            "PB6 3.10.3",
            "PB6 3.10.4",
            "PB6 3.10.5",
        ),
        id="power-98",
    ),
)
NAMED_IN_FULL = ("baccarat", "tiger", "power-98")
THE_OTHERS = tuple(game for game in GAMES if game.slug not in NAMED_IN_FULL)


@pytest.mark.parametrize("game", IN_FULL)
def test_every_set_agrees_with_brute_force(game: Game) -> None:
    assert differences(game, with_thirds()) == []
    forget()


@pytest.mark.skipif(
    "CROUPIER_EVERY_SET" not in os.environ, reason="set CROUPIER_EVERY_SET=1 for every set"
)
@every_game(*THE_OTHERS)
def test_every_set_of_the_other_games_agrees_too(game: Game) -> None:
    assert differences(game, with_thirds()) == []
    forget()


@every_game(*THE_OTHERS)
def test_every_set_of_initial_cards_agrees_with_brute_force(game: Game) -> None:
    assert differences(game, without_thirds()) == []


@every_game(FABULOUS_4S, FA_FA_FABULOUS_4)
def test_sets_agree_in_precious_suits_and_others(game: Game) -> None:
    precious = game.deck.suits.index(game.precious) if game.precious else -1
    plain = (precious + 1) % len(game.deck.suits)
    sets, suits = [], []
    for places in without_thirds():
        known = [place != brute.UNKNOWN for place in places[:4]]
        for worn in product(*[(plain, precious) if here else (plain,) for here in known]):
            sets.append(places)
            suits.append((*worn, plain, precious))
    rng = random.Random(4)
    thirds = with_thirds(step=29)
    sets += thirds
    suits += [tuple(rng.choices((plain, precious), k=6)) for _ in thirds]
    assert len(sets) > 50_000
    assert differences(game, sets, suits) == []
    forget()


@every_game()
def test_any_set_in_any_suits_agrees_with_brute_force(game: Game) -> None:
    """Nothing is left out here: this checks that sets taken as alike are alike."""
    rng = random.Random(98)
    ranks, number = range(brute.UNKNOWN + 1), len(game.deck.suits)
    sets = [tuple(rng.choices(ranks, k=6)) for _ in range(2000)]
    pictures = [*brute.ZERO_RANKS, brute.UNKNOWN, 5, 7]
    sets += [tuple(rng.choices(pictures, k=6)) for _ in range(2000)]
    suits = [tuple(rng.choices(range(number), k=6)) for _ in sets]
    assert differences(game, sets, suits) == []
    known = by_brute_force(game, sets)
    assert 1000 < sum(codes[0] != brute.IMPOSSIBLE for codes in known) < 3000


# The worked-out tables: who has how many points with two cards decides which wager how.
# W won, L lost, P a certain push, a dot open; the columns are the points 0 to 9.

NOTHING = ".........."
WITH_BOTH_PLAYER_CARDS = {
    "player": NOTHING,
    "banker": NOTHING,
    "tie": NOTHING,
    "player-dragon-bonus": NOTHING,
    "banker-dragon-bonus": NOTHING,
    "banker-pair": NOTHING,
    "banker-precious-pair": NOTHING,
    "fortune-six": "......LLLL",
    "super-six": "......LLLL",
    "super-6": "......LLLL",
    "tiger": "......LLLL",
    "small-tiger": "......LLLL",
    "big-tiger": "......LLLL",
    "player-fabulous-4": "......LLLL",
    "banker-fabulous-4": "......LLLL",
    "tiger-tie": ".......LLL",
    "player-natural-8": "LLLLLLLL.L",
    "player-natural-9": "LLLLLLLLL.",
    "banker-natural-8": "........LL",
    "banker-natural-9": ".........L",
}
WITH_BOTH_BANKER_CARDS = {
    "player": NOTHING,
    "banker": NOTHING,
    "tie": NOTHING,
    "player-dragon-bonus": NOTHING,
    "banker-dragon-bonus": NOTHING,
    "player-pair": NOTHING,
    "player-precious-pair": NOTHING,
    "fortune-six": ".......LLL",
    "super-six": ".......LLL",
    "super-6": ".......LLL",
    "tiger": ".......LLL",
    "big-tiger": ".......LLL",
    "tiger-tie": ".......LLL",
    "small-tiger": "LLLLLL.LLL",
    "banker-fabulous-4": ".......LLL",
    "player-fabulous-4": "......LLLL",
    "banker-natural-8": "LLLLLLLL.L",
    "banker-natural-9": "LLLLLLLLL.",
    "player-natural-8": "........LL",
    "player-natural-9": ".........L",
}

ALL_LOST = "LLLLLLLLLL"
BANKER_SIX = (*[".......LLL"] * 2, ".....L.LLL", *[".......LLL"] * 3, *[ALL_LOST] * 4)
WITH_ALL_FOUR = {  # a line for each number of points of the Player, 0 to 9
    "tie": (
        *["........LL"] * 6,
        "......WLLL",
        "......LWLL",
        "LLLLLLLLWL",
        "LLLLLLLLLW",
    ),
    "player": (
        *["........LL"] * 6,
        "......PLLL",
        "......WPLL",
        "WWWWWWWWPL",
        "WWWWWWWWWP",
    ),
    "banker": (
        *["........WW"] * 6,
        "......PWWW",
        "......LPWW",
        "LLLLLLLLPW",
        "LLLLLLLLLP",
    ),
    "fortune-six": BANKER_SIX,
    "super-six": BANKER_SIX,
    "super-6": BANKER_SIX,
    "tiger": BANKER_SIX,
    "small-tiger": (*["LLLLLL.LLL"] * 6, *[ALL_LOST] * 4),
    "big-tiger": (
        "......LLLL",
        "......LLLL",
        ".....LLLLL",
        *[".......LLL"] * 3,
        *[ALL_LOST] * 4,
    ),
    "tiger-tie": (
        *[".......LLL"] * 3,
        ".....L.LLL",
        ".....L.LLL",
        "....LL.LLL",
        "......WLLL",
        *[ALL_LOST] * 3,
    ),
    "player-fabulous-4": (
        "......LLLL",
        ".....LLLLL",
        ".....LLLLL",
        *["....LLLLLL"] * 3,
        *[ALL_LOST] * 4,
    ),
    "banker-fabulous-4": (*[".....LLLLL"] * 3, *[".......LLL"] * 3, *[ALL_LOST] * 4),
    "banker-dragon-bonus": (
        *["........WW"] * 6,
        "LLLLLLLLWW",
        "LLLLLLLLWW",
        "LLLLLLLLPW",
        "LLLLLLLLLP",
    ),
    "player-dragon-bonus": (
        *[".......LLL"] * 4,
        *["......LLLL"] * 4,
        "WWWWWWWWPL",
        "WWWWWWWWWP",
    ),
    "player-natural-8": (*[ALL_LOST] * 8, "WWWWWWWWLL", ALL_LOST),
    "player-natural-9": (*[ALL_LOST] * 9, "WWWWWWWWWL"),
    "banker-natural-8": (*["LLLLLLLLWL"] * 8, ALL_LOST, ALL_LOST),
    "banker-natural-9": (*["LLLLLLLLLW"] * 9, ALL_LOST),
}

POINTS_OF_RANK = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0)
TWO_CARDS = tuple(combinations_with_replacement(range(brute.RANKS), 2))
"""Every two ranks of one hand, 91 of them."""


def total(first: int, second: int) -> int:
    return (POINTS_OF_RANK[first] + POINTS_OF_RANK[second]) % 10


def won_if(*, paired: bool) -> Standing:
    return Standing.WON if paired else Standing.LOST


@every_game()
def test_one_card_of_a_hand_decides_nothing(game: Game) -> None:
    someone = range(brute.RANKS)
    sets: list[dict[Position, Card]] = [{}]
    sets += [{place: card(game, rank)} for place in (P1, B1, P2, B2) for rank in someone]
    sets += [
        {mine: card(game, first), theirs: card(game, second)}
        for mine, theirs in ((P1, B1), (P1, B2), (P2, B1), (P2, B2))
        for first in someone
        for second in someone
    ]
    assert len(sets) == 1 + 4 * 13 + 4 * 169
    for known in sets:
        result = decide_wagers(game, known)
        assert set(result.wagers.values()) == {Standing.OPEN}, known
        assert not result.established


@every_game()
def test_table_of_both_player_cards(game: Game) -> None:
    offered = [wager.slug for wager in game.wagers]
    for first, second in TWO_CARDS:
        points, paired = total(first, second), first == second
        expected = {
            slug: LETTERS[line[points]] for slug, line in WITH_BOTH_PLAYER_CARDS.items()
        }
        expected["player-pair"] = expected["player-precious-pair"] = won_if(paired=paired)
        expected["tiger-pair"] = Standing.WON if paired else Standing.OPEN
        expected = {slug: expected[slug] for slug in offered}
        known = {P1: card(game, first), P2: card(game, second)}
        assert standings(game, known) == expected, known
        for rank in range(brute.RANKS):
            with_banker_card = {**known, B1: card(game, rank)}
            assert standings(game, with_banker_card) == expected, with_banker_card


@every_game()
def test_table_of_both_banker_cards(game: Game) -> None:
    offered = [wager.slug for wager in game.wagers]
    for first, second in TWO_CARDS:
        points, paired = total(first, second), first == second
        expected = {
            slug: LETTERS[line[points]] for slug, line in WITH_BOTH_BANKER_CARDS.items()
        }
        expected["banker-pair"] = expected["banker-precious-pair"] = won_if(paired=paired)
        expected["tiger-pair"] = Standing.WON if paired else Standing.OPEN
        known = {B2: card(game, second), B1: card(game, first)}
        assert standings(game, known) == {slug: expected[slug] for slug in offered}, known


@every_game()
def test_table_of_all_four(game: Game) -> None:
    offered = [wager.slug for wager in game.wagers]
    for player, banker in product(TWO_CARDS, TWO_CARDS):
        player_pair, banker_pair = player[0] == player[1], banker[0] == banker[1]
        expected = {
            slug: LETTERS[lines[total(*player)][total(*banker)]]
            for slug, lines in WITH_ALL_FOUR.items()
        }
        expected["player-pair"] = expected["player-precious-pair"] = won_if(paired=player_pair)
        expected["banker-pair"] = expected["banker-precious-pair"] = won_if(paired=banker_pair)
        expected["tiger-pair"] = won_if(paired=player_pair or banker_pair)
        known = shown(game, (player[0], banker[0], player[1], banker[1]))
        assert standings(game, known) == {slug: expected[slug] for slug in offered}, known


def test_tables_have_a_line_for_every_wager() -> None:
    pairs = {"player-pair", "player-precious-pair", "tiger-pair"}
    both = {"banker-pair", "banker-precious-pair"}
    slugs = {wager.slug for game in GAMES for wager in game.wagers}
    assert set(WITH_BOTH_PLAYER_CARDS) | pairs == slugs
    assert (
        set(WITH_BOTH_BANKER_CARDS) | (pairs - {"player-pair", "player-precious-pair"}) | (both)
        == slugs
    )
    assert set(WITH_ALL_FOUR) | pairs | both == slugs


def hand_of(points: int) -> tuple[int, int]:
    """Return two ranks that count this many points and are no pair."""
    return (9, POINTS_OF_RANK.index(points)) if points else (9, 12)


# The third cards of the Player against which the Banker stands, by the Banker's points.
BANKER_STANDS = {3: "8", 4: "0189", 5: "012389", 6: "01234589", 7: "0123456789"}


@dataclass(frozen=True)
class AfterPlayerDrew:
    """Totals, the Player's third card and what they make known."""

    player: int
    banker: int
    third: int

    @property
    def stands(self) -> bool:
        return str(self.third) in BANKER_STANDS.get(self.banker, "")

    @property
    def end(self) -> int:
        return (self.player + self.third) % 10

    def known(self, game: Game) -> dict[Position, Card]:
        (p1, p2), (b1, b2) = hand_of(self.player), hand_of(self.banker)
        return shown(game, (p1, b1, p2, b2, brute.POINT_RANKS[self.third]))


AFTER_PLAYER_DREW = tuple(
    AfterPlayerDrew(player, banker, third)
    for player in range(6)
    for banker in range(8)
    for third in range(10)
)


@every_game()
def test_table_of_four_and_the_players_third_card(game: Game) -> None:
    pushes_on_four = game in (FA_FA_FABULOUS_4, FABULOUS_4S)
    counts = {"tie": 0, "player": 0, "banker": 0}
    for state in AFTER_PLAYER_DREW:
        found = standings(game, state.known(game), counts)
        for slug in counts:
            counts[slug] += found[slug] in (Standing.WON, Standing.LOST)
        if not state.stands:
            assert set(found.values()) == {Standing.OPEN}, state
        elif state.end == state.banker:
            assert found == dict(
                zip(counts, (Standing.WON, Standing.PUSH, Standing.PUSH), strict=True)
            ), state
        else:
            ahead = state.end > state.banker
            banker = Standing.LOST if ahead else Standing.WON
            if pushes_on_four and not ahead and state.banker == 4:
                banker = Standing.PUSH
            player = Standing.WON if ahead else Standing.LOST
            assert found == {"tie": Standing.LOST, "player": player, "banker": banker}, state
    assert len(AFTER_PLAYER_DREW) == 480
    assert counts == {"tie": 174, "player": 155, "banker": 140 if pushes_on_four else 155}


def complete_deals() -> Iterator[Places]:
    """Return every complete deal that differs in its totals and the points of its thirds."""
    thirds = (*brute.POINT_RANKS, brute.NO_CARD)
    possible = brute.deals().possible
    for player, banker in product(range(10), range(10)):
        (p1, p2), (b1, b2) = hand_of(player), hand_of(banker)
        for third, last in product(thirds, thirds):
            if possible[p1, b1, p2, b2, third, last]:
                yield p1, b1, p2, b2, third, last


COMPLETE_DEALS = tuple(complete_deals())


def certain_pushes(game: Game, places: Places) -> set[str]:
    """Return the wagers that a complete deal gives back."""
    points = [0 if place == brute.NO_CARD else POINTS_OF_RANK[place] for place in places]
    player = (points[0] + points[2] + points[4]) % 10
    banker = (points[1] + points[3] + points[5]) % 10
    pushes = {"player", "banker"} if player == banker else set()
    if game in (FA_FA_FABULOUS_4, FABULOUS_4S) and banker == 4 and player < 4:
        pushes.add("banker")
    two_cards_each = places[4:] == (brute.NO_CARD, brute.NO_CARD)
    if game in (FORTUNE_SIX, SUPER_6) and player == banker >= 8 and two_cards_each:
        pushes |= {"player-dragon-bonus", "banker-dragon-bonus"}
    return pushes


@every_game()
def test_the_last_card_decides_all_that_does_not_push(game: Game) -> None:
    for places in COMPLETE_DEALS:
        found = standings(game, shown(game, places))
        pushed = {slug for slug, standing in found.items() if standing is Standing.PUSH}
        assert pushed == certain_pushes(game, places), places
        assert Standing.OPEN not in found.values(), places


# When an outcome is established

PAIR = ("tiger-pair",)
TIGERS = ("tiger", "small-tiger", "big-tiger", "tiger-tie")
MAIN = ("player", "banker", "tie")


def established(game: Game, places: Places, offered: Iterable[str] | None = None) -> bool:
    return decide_wagers(game, shown(game, places), offered).established


@every_game(
    BACCARAT,
    FA_FA_FABULOUS_4,
    SUPER_SIX,
    FORTUNE_SIX,
    SUPER_6,
    NO_COMMISSION,
    FABULOUS_4S,
    FORTUNE_SIX_TOURNAMENT,
    POWER_98,
)
def test_established_as_soon_as_both_initial_cards_of_a_hand_are_known(game: Game) -> None:
    for p1, b1, p2, b2 in brute.initial_sets():
        both = brute.UNKNOWN not in (p1, p2) or brute.UNKNOWN not in (b1, b2)
        assert established(game, (p1, b1, p2, b2)) is both, (p1, b1, p2, b2)


THREE_CARDS = tuple(product(range(brute.RANKS), repeat=3))
FOUR_CARDS = tuple(places for places in brute.initial_sets() if brute.UNKNOWN not in places)
EITHER_TIGER = (TIGER, TIGER_NO_COMMISSION)


@every_game(*EITHER_TIGER)
def test_established_in_the_tiger_games_with_both_kinds_offered(game: Game) -> None:
    offered = (*MAIN, *PAIR, *TIGERS)
    assert set(offered) == {wager.slug for wager in game.wagers}
    for p1, b1, p2 in THREE_CARDS:
        expected = p1 == p2 or total(p1, p2) >= 6
        assert established(game, (p1, b1, p2), offered) is expected, (p1, b1, p2)
        assert not established(game, (p1, b1), offered)
    assert all(established(game, places, offered) for places in FOUR_CARDS)


@every_game(*EITHER_TIGER)
def test_established_in_the_tiger_games_with_tiger_pair_alone(game: Game) -> None:
    offered = (*MAIN, *PAIR)
    for p1, b1, p2 in THREE_CARDS:
        assert established(game, (p1, b1, p2), offered) is (p1 == p2), (p1, b1, p2)
    assert all(established(game, places, offered) for places in FOUR_CARDS)


@every_game(*EITHER_TIGER)
def test_established_in_the_tiger_games_without_tiger_pair(game: Game) -> None:
    offered = (*MAIN, *TIGERS)
    for p1, b1, p2 in THREE_CARDS:
        assert established(game, (p1, b1, p2), offered) is (total(p1, p2) >= 6), (p1, b1, p2)
    for p1, b1, p2, b2 in FOUR_CARDS:
        exempt = total(b1, b2) == 6 and total(p1, p2) in (3, 4, 5)
        assert established(game, (p1, b1, p2, b2), offered) is not exempt, (p1, b1, p2, b2)


@every_game(*EITHER_TIGER)
def test_established_in_the_tiger_games_with_neither_by_the_last_card(game: Game) -> None:
    unknown = brute.UNKNOWN
    for places in COMPLETE_DEALS:
        assert established(game, places, MAIN), places
        third, last = places[4:]
        before = [places[:known] for known in range(4)]
        if last != brute.NO_CARD:
            before.append((*places[:4], third, unknown))
        if third != brute.NO_CARD:
            before.append((*places[:4], unknown, last))
        if (third, last) != (unknown, unknown):
            before.append(places[:4])
        for known in before:
            assert not established(game, known, MAIN), known


# Laws


@given(st.data())
@unhurried
def test_what_is_decided_stays_decided(data: st.DataObject) -> None:
    game = data.draw(games)
    known = data.draw(known_cards(game))
    fewer = dict(data.draw(st.lists(st.sampled_from(list(known.items())), unique=True)) or [])
    later = standings(game, known)
    for slug, standing in standings(game, fewer).items():
        assert standing in (Standing.OPEN, later[slug])


@given(games_and_coups())
@unhurried
def test_at_the_end_standings_are_the_settlement(drawn: tuple[Game, Coup]) -> None:
    game, coup = drawn
    result = decide_wagers(game, dict(zip(coup.positions, coup.cards, strict=True)))
    ends = {
        Result.WINS: Standing.WON,
        Result.LOSES: Standing.LOST,
        Result.PUSHES: Standing.PUSH,
    }
    settled = {verdict.wager: ends[verdict.result] for verdict in game.settle(coup)}
    assert result.wagers == settled
    assert result.established


@given(st.data())
@unhurried
def test_order_of_exposure_and_suits_do_not_matter(data: st.DataObject) -> None:
    game = data.draw(games)
    known = data.draw(known_cards(game))
    shuffled = dict(data.draw(st.permutations(list(known.items()))))
    suits = st.sampled_from(game.deck.suits)
    resuited = {place: Card(known[place].rank, data.draw(suits)) for place in shuffled}
    assert standings(game, resuited) == standings(game, known)


@given(st.data())
@unhurried
def test_only_offered_wagers_are_told(data: st.DataObject) -> None:
    game = data.draw(games)
    known = data.draw(known_cards(game))
    slugs = [wager.slug for wager in game.wagers]
    offered = data.draw(st.lists(st.sampled_from(slugs)))
    everything = standings(game, known)
    result = decide_wagers(game, known, offered)
    assert result.wagers == {slug: everything[slug] for slug in offered}
    conclusive = {Standing.WON, Standing.LOST}
    assert result.established == any(everything[slug] in conclusive for slug in offered)
    assert result.known == known


# Cases


@pytest.mark.parametrize("game", [FORTUNE_SIX, SUPER_6], ids=ids)
@pytest.mark.parametrize(
    "cards",
    [
        pytest.param("P1=3S P2=5H B1=KD B2=8C", id="8-8"),
        pytest.param("P1=9S P2=TH B1=4D B2=5C", id="9-9"),
    ],
)
@pytest.mark.clause("EB4 1.1.9", "EB4 4.5#natural-tie", "EB4 4.6#natural-tie", "EB4 3.9.1")
def test_natural_tie_pushes_and_a_push_establishes_nothing(game: Game, cards: str) -> None:
    known = parse_known(game, cards)
    pushed = ("player", "banker", "player-dragon-bonus", "banker-dragon-bonus")
    result = decide_wagers(game, known, pushed)
    assert result.wagers == dict.fromkeys(pushed, Standing.PUSH)
    assert not result.established
    assert decide_wagers(game, known, (*pushed, "tie")).established
    assert standings(game, known)["tie"] is Standing.WON


@pytest.mark.clause("EB4 1.1.9")
def test_eight_against_nine_is_no_natural_tie() -> None:
    found = standings(FORTUNE_SIX, parse_known(FORTUNE_SIX, "P1=8S P2=KH B1=4D B2=5C"))
    assert found["banker-dragon-bonus"] is Standing.WON
    assert found["player-dragon-bonus"] is Standing.LOST


@pytest.mark.parametrize(
    ("game", "cards"),
    [
        pytest.param(
            FA_FA_FABULOUS_4,
            "P1=A-Fire P2=A-Wood B1=4-Gold B2=Lu-Fire P3=A-Water",
            marks=pytest.mark.clause("FF3 4.1#banker-4", "FF3 4.1#note-push"),
            id="fa-fa-fabulous-4",
        ),
        pytest.param(
            FABULOUS_4S,
            "P1=AS P2=AH B1=4D B2=KC P3=AC",
            marks=pytest.mark.clause("EB4 4.11#banker-4", "EB4 4.11#note-push"),
            id="fabulous-4s",
        ),
    ],
)
def test_banker_who_wins_with_four_pushes(game: Game, cards: str) -> None:
    result = decide_wagers(game, parse_known(game, cards), ["banker"])
    assert result.wagers == {"banker": Standing.PUSH}
    assert not result.established
    everything = standings(game, result.known)
    assert everything["player"] is Standing.LOST
    assert everything["banker-fabulous-4"] is Standing.WON


def test_a_certain_push_is_not_taken_for_open_or_lost() -> None:
    found = standings(BACCARAT, parse_known(BACCARAT, "P1=6S P2=KS B1=2D B2=4D"), ["player"])
    assert found == {"player": Standing.PUSH}


def test_a_win_whose_amount_is_open_is_won() -> None:
    known = parse_known(TIGER, "P1=9S P2=9H B1=9D")
    assert standings(TIGER, known, ["tiger-pair"]) == {"tiger-pair": Standing.WON}


def test_offered_wagers_come_in_their_order_and_once() -> None:
    known = parse_known(BACCARAT, "P1=9S P2=9H")
    found = decide_wagers(BACCARAT, known, ["tie", "player-pair", "tie"])
    assert list(found.wagers.items()) == [
        ("tie", Standing.OPEN),
        ("player-pair", Standing.WON),
    ]
    assert found.established
    assert not decide_wagers(BACCARAT, known, ["tie"]).established
    assert not decide_wagers(BACCARAT, known, []).established
    assert decide_wagers(BACCARAT, known, []).wagers == {}


def test_a_wager_that_the_game_does_not_have_is_refused() -> None:
    with pytest.raises(UnknownNameError) as refusal:
        decide_wagers(BACCARAT, {}, ["player", "tiger"])
    assert is_one_sentence(str(refusal.value))
    assert "'tiger'" in str(refusal.value)


@pytest.mark.parametrize(
    "cards",
    [
        pytest.param("P1=6S P2=KS P3=2C", id="Player stands on 6"),
        pytest.param("P2=3S P1=4S P3=2C", id="Player stands on 7"),
        pytest.param("P1=8S P2=KS P3=2C", id="Player has a natural 8"),
        pytest.param("P1=4S P2=5S B3=2C", id="Player has a natural 9"),
        pytest.param("B1=8S B2=KS P3=2C", id="Banker has a natural 8"),
        pytest.param("B1=7S B2=KS B3=2C", id="Banker stands on 7"),
        pytest.param("P1=6S P2=KS B1=6H B2=KH B3=2C", id="both stand"),
        pytest.param("P1=KS P2=KH B1=KD B2=3C P3=8C B3=2C", id="Banker stands on 3 against 8"),
        pytest.param("B1=6H B2=KH P3=8C B3=2C", id="Banker stands on 6 against 8"),
    ],
)
def test_a_third_card_that_is_not_called_for_is_refused(cards: str) -> None:
    known = parse_known(BACCARAT, cards)
    with pytest.raises(CoupError) as refusal:
        decide_wagers(BACCARAT, known)
    message = str(refusal.value)
    assert is_one_sentence(message)
    assert cards in message
    assert "[BAC8 3.14]" in message
    allowed = {place: face for place, face in known.items() if place not in (P3, B3)}
    assert decide_wagers(BACCARAT, allowed).known == allowed


@pytest.mark.parametrize(
    ("text", "offending"),
    [
        ("9S", "'9S'"),
        ("P1", "'P1'"),
        ("P4=9S", "'P4=9S'"),
        ("=9S", "'=9S'"),
        ("P1=9S B9=KD", "'B9=KD'"),
        ("P1=", "''"),
        ("P1=9", "'9'"),
        ("P1=1S", "'1S'"),
        ("P1=4-Gold", "'4-Gold'"),
        ("P1==9S", "'=9S'"),
    ],
)
def test_malformed_known_cards_are_refused(text: str, offending: str) -> None:
    with pytest.raises(RulesError) as refusal:
        parse_known(BACCARAT, text)
    assert is_one_sentence(str(refusal.value))
    assert offending in str(refusal.value)


def test_a_place_that_comes_twice_is_refused() -> None:
    with pytest.raises(RulesError) as refusal:
        parse_known(BACCARAT, "P1=9S B1=KD p1=9H")
    assert str(refusal.value) == "P1 came twice: 9S and 9H."


def test_known_cards_are_read_in_either_case_with_spaces_or_commas() -> None:
    expected = {P1: STANDARD.parse("TD"), B3: STANDARD.parse("AS")}
    assert parse_known(BACCARAT, "p1=10d, b3=as") == expected
    assert parse_known(BACCARAT, "") == {}
    lu = FIVE_ELEMENTS.parse("Lu-Fire")
    assert parse_known(FA_FA_FABULOUS_4, "B2=l-fire") == {B2: lu}


@pytest.mark.parametrize(
    ("game", "foreign"),
    [
        (BACCARAT, FIVE_ELEMENTS.parse("4-Gold")),
        (FABULOUS_4S, FIVE_ELEMENTS.parse("Shou-Gold")),
        (FA_FA_FABULOUS_4, STANDARD.parse("KD")),
    ],
    ids=str,
)
def test_a_card_of_another_deck_is_refused(game: Game, foreign: Card) -> None:
    for place in PLACES:
        with pytest.raises(NotationError) as refusal:
            decide_wagers(game, {place: foreign})
        assert is_one_sentence(str(refusal.value))
        assert foreign.text in str(refusal.value)


def test_a_power_hand_decides_no_wager_otherwise() -> None:
    for places in COMPLETE_DEALS:
        known = shown(POWER_98, places)
        found = standings(POWER_98, known)
        assert standings(POWER_98_NATURAL_TIES, known) == found, places
        coup = POWER_98.coup(known.values())
        for die in range(1, 7):
            for verdict in POWER_98.settle(coup, die=die):
                won = found[verdict.wager] is Standing.WON
                assert (verdict.net > 0) is won, (places, die, verdict)
