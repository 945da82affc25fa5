"""The worked-out tables of decided wagers, typed in line by line, for every game.

They say which wager is won, lost or a certain push once some cards are known, and from
which card on an outcome is established. Readings: A18 and what is worked out under it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING

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
from croupier.rules.decided import Standing, decide_wagers
from tests.rules import brute_decided as brute
from tests.rules.known import B1, B2, P1, P2, Places, card, every_game, shown, standings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from croupier.rules.cards import Card
    from croupier.rules.coup import Position
    from croupier.rules.game import Game

LETTERS = {"W": Standing.WON, "L": Standing.LOST, "P": Standing.PUSH, ".": Standing.OPEN}

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
    player = {"player-pair", "player-precious-pair", "tiger-pair"}
    banker = {"banker-pair", "banker-precious-pair", "tiger-pair"}
    slugs = {wager.slug for game in GAMES for wager in game.wagers}
    assert set(WITH_BOTH_PLAYER_CARDS) == slugs - player
    assert set(WITH_BOTH_BANKER_CARDS) == slugs - banker
    assert set(WITH_ALL_FOUR) == slugs - player - banker


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
    for places in COMPLETE_DEALS:
        assert established(game, places, MAIN), places
        third_cards = [place for place in places[4:] if place != brute.NO_CARD]
        before = [places[:known] for known in range(4)]
        if third_cards:
            before.append(places[:4])
        if len(third_cards) == 2:
            before.append(places[:5])
        for known in before:
            assert not established(game, known, MAIN), known


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
