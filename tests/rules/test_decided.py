"""Decided wagers: against brute force, by law, and case by case.

The comparison with brute force takes every set of known cards in three games, and in the
others every set of initial cards and a sample of the rest. `make exhaustive` takes every
set in all eleven games, which lasts some minutes.
"""

from __future__ import annotations

import random
import re
from itertools import product
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
    GAMES,
    POWER_98,
    SUPER_6,
    TIGER,
)
from croupier.rules import decided
from croupier.rules.cards import FIVE_ELEMENTS, STANDARD, Card
from croupier.rules.decided import Standing, decide_wagers, parse_known
from croupier.rules.errors import CoupError, NotationError, RulesError, UnknownNameError
from croupier.rules.wagers import Result
from tests.rules import brute_decided as brute
from tests.rules.known import B2, B3, P1, P3, PLACES, Places, every_game, shown, standings
from tests.strategies import games, games_and_coups, known_cards
from tests.wording import is_one_sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.rules.coup import Coup, Position
    from croupier.rules.game import Game

CODES = {
    Standing.WON: brute.WIN,
    Standing.LOST: brute.LOSE,
    Standing.PUSH: brute.PUSH,
    Standing.OPEN: brute.OPEN,
}


# Against brute force


def forget() -> None:
    """Give back the memory of the many sets that were asked for; no result changes by it."""
    for function in vars(decided).values():
        if hasattr(function, "cache_clear"):
            function.cache_clear()


@pytest.fixture(autouse=True, scope="module")
def _forget_afterwards() -> Iterator[None]:
    yield
    forget()
    brute.standings.cache_clear()


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
    """Return every set, one for all that are alike; or every ``step``-th of them.

    Whether the Banker may have a third card does not hang on which card it is: of the sets
    in which it may not, one stands for all.
    """
    thirds = (*brute.POINT_RANKS, brute.UNKNOWN)
    impossible = brute.standings("tie") == brute.IMPOSSIBLE
    sets: list[Places] = []
    for initial in brute.initial_sets():
        for third in thirds:
            last = initial[1] % brute.RANKS
            stands = bool(impossible[(*initial, third, last)])
            lasts = (last, brute.UNKNOWN) if stands else thirds
            sets += [(*initial, third, last) for last in lasts]
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
    last = impossible[..., : brute.RANKS]
    assert np.array_equal(last, np.broadcast_to(last[..., :1], last.shape))
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


@pytest.mark.exhaustive
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


# Laws


@given(st.data())
def test_what_is_decided_stays_decided(data: st.DataObject) -> None:
    game = data.draw(games)
    known = data.draw(known_cards(game))
    places = data.draw(st.sets(st.sampled_from(PLACES)))
    fewer = {place: known[place] for place in places & set(known)}
    later = standings(game, known)
    for slug, standing in standings(game, fewer).items():
        assert standing in (Standing.OPEN, later[slug])


@given(games_and_coups())
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
def test_order_of_exposure_and_suits_do_not_matter(data: st.DataObject) -> None:
    game = data.draw(games)
    known = data.draw(known_cards(game))
    shuffled = dict(data.draw(st.permutations(list(known.items()))))
    suits = st.sampled_from(game.deck.suits)
    resuited = {place: Card(known[place].rank, data.draw(suits)) for place in shuffled}
    assert standings(game, resuited) == standings(game, known)


@given(st.data())
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


@every_game(FORTUNE_SIX, SUPER_6)
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
    assert is_one_sentence(str(refusal.value))
    assert re.search(r"P1 .*twice.*9S.*9H", str(refusal.value))


def test_known_cards_are_read_in_either_case_with_spaces_or_commas() -> None:
    expected = {P1: STANDARD.parse("TD"), B3: STANDARD.parse("AS")}
    assert parse_known(BACCARAT, "p1=10d, b3=as") == expected
    assert parse_known(BACCARAT, "") == {}
    lu = FIVE_ELEMENTS.parse("Lu-Fire")
    assert parse_known(FA_FA_FABULOUS_4, "B2=l-fire") == {B2: lu}


@pytest.mark.parametrize(
    ("game", "foreign"),
    [
        pytest.param(BACCARAT, FIVE_ELEMENTS.parse("4-Gold"), id="baccarat"),
        pytest.param(FABULOUS_4S, FIVE_ELEMENTS.parse("Shou-Gold"), id="fabulous-4s"),
        pytest.param(FA_FA_FABULOUS_4, STANDARD.parse("KD"), id="fa-fa-fabulous-4"),
    ],
)
def test_a_card_of_another_deck_is_refused(game: Game, foreign: Card) -> None:
    for place in PLACES:
        with pytest.raises(NotationError) as refusal:
            decide_wagers(game, {place: foreign})
        assert is_one_sentence(str(refusal.value))
        assert foreign.text in str(refusal.value)
