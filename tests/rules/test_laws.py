"""Laws that hold for every coup, outcome and card, found or broken by Hypothesis."""

from __future__ import annotations

import copy
import pickle
import re
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from croupier.rulebooks import (
    FA_FA_FABULOUS_4,
    FABULOUS_4S,
    FORTUNE_SIX_TOURNAMENT,
    GAMES,
    POWER_98,
    POWER_98_NATURAL_TIES,
)
from croupier.rules.cards import FIVE_ELEMENTS, STANDARD, Card, Element, Suit, format_cards
from croupier.rules.coup import Position
from croupier.rules.errors import CoupError, NotationError, RulesError
from croupier.rules.outcome import Outcome, Side
from croupier.rules.wagers import Result
from tests.rules.known import every_game
from tests.strategies import (
    cards,
    coups,
    dice,
    die_values,
    games,
    games_and_coups,
    games_and_outcomes,
    partial_coups,
    precious_games,
)
from tests.wording import is_one_sentence

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from croupier.rules.cards import Deck
    from croupier.rules.coup import Coup
    from croupier.rules.game import Game
    from croupier.rules.wagers import Verdict

decks: SearchStrategy[Deck] = st.sampled_from([STANDARD, FIVE_ELEMENTS])

COUNTS = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9}
COUNT_NOTHING = {"T", "J", "Q", "K", "Shou", "Lu", "Fu"}


def points(card: Card) -> int:
    """Return what a card counts, read off its notation."""
    rank = card.text.partition("-")[0] if "-" in card.text else card.text[:-1]
    assert (rank in COUNTS) != (rank in COUNT_NOTHING)
    return COUNTS.get(rank, 0)


def hands(coup: Coup) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return the two hands: whoever draws gets the fifth card, the Banker the sixth."""
    first, second, third, fourth, *rest = coup.cards
    player, banker = [first, third], [second, fourth]
    if rest and points(first) + points(third) in (0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15):
        player.append(rest.pop(0))
    return tuple(player), (*banker, *rest)


# Points, hands and winners


@pytest.mark.clause("BAC8 3.3.1", "BAC8 3.3.2", "BAC8 3.4", "BAC8 3.4.1", "BAC8 3.4.2")
@pytest.mark.clause("FF3 3.3.1", "FF3 3.3.2", "FF3 3.4", "FF3 3.4.1", "FF3 3.4.2")
@pytest.mark.clause("EB4 3.3.1", "EB4 3.3.2", "EB4 3.4", "EB4 3.4.1", "EB4 3.4.2")
@pytest.mark.clause("PB6 3.3.1", "PB6 3.3.2", "PB6 3.4", "PB6 3.4.1", "PB6 3.4.2")
@pytest.mark.clause("F6T2 3.3.1", "F6T2 3.3.2", "F6T2 3.4", "F6T2 3.4.1", "F6T2 3.4.2")
@given(games_and_coups())
def test_points_are_the_last_digit_of_the_sum(drawn: tuple[Game, Coup]) -> None:
    game, coup = drawn
    outcome = game.settle(coup).outcome
    for held, hand, summary in zip(
        hands(coup), (coup.player, coup.banker), (outcome.player, outcome.banker), strict=True
    ):
        digit = int(str(sum(points(card) for card in held))[-1])
        assert hand.points == digit
        assert summary.points == digit
        assert summary.points in range(10)


@pytest.mark.clause("BAC8 3.12", "BAC8 3.12.1", "BAC8 3.12.2")
@pytest.mark.clause("FF3 3.12", "FF3 3.12.1", "FF3 3.12.2")
@pytest.mark.clause("EB4 3.6", "EB4 3.6.1", "EB4 3.6.2")
@pytest.mark.clause("PB6 3.7", "PB6 3.8", "PB6 3.8.1", "PB6 3.8.2")
@pytest.mark.clause("F6T2 3.6", "F6T2 3.7", "F6T2 3.7.1", "F6T2 3.7.2")
@given(games_and_coups())
def test_a_coup_has_four_to_six_cards_in_two_hands(drawn: tuple[Game, Coup]) -> None:
    _, coup = drawn
    player, banker = hands(coup)
    assert coup.complete
    assert 4 <= len(coup.cards) <= 6
    assert coup.player.cards == player
    assert coup.banker.cards == banker
    assert {len(player), len(banker)} <= {2, 3}
    assert coup.positions[:4] == (Position.P1, Position.B1, Position.P2, Position.B2)
    assert sorted(position.value for position in coup.positions) == sorted(
        f"{side}{number}"
        for side, hand in (("P", player), ("B", banker))
        for number in range(1, len(hand) + 1)
    )


@pytest.mark.clause("BAC8 3.15", "BAC8 3.15.1", "BAC8 1.1.10", "BAC8 1.1.11")
@pytest.mark.clause("FF3 3.15", "FF3 3.15.1", "FF3 1.1.12", "FF3 1.1.14")
@pytest.mark.clause("EB4 3.9", "EB4 3.9.1", "EB4 1.1.19", "EB4 1.1.20")
@pytest.mark.clause("PB6 3.12", "PB6 3.12.1", "PB6 1.1.10")
@pytest.mark.clause("F6T2 3.10", "F6T2 3.10.1", "F6T2 1.1.8")
@given(st.data())
def test_there_is_one_winner_or_a_tie(data: st.DataObject) -> None:
    game = data.draw(games)
    coup = data.draw(coups(game))
    player, banker = (sum(points(card) for card in hand) % 10 for hand in hands(coup))
    settlement = game.settle(coup, die=data.draw(dice(game)))
    won = {slug for slug in ("player", "banker", "tie") if settlement[slug].net > 0}
    if player == banker:
        assert settlement.winner is None
        assert won == {"tie"}
        assert settlement["player"].result is settlement["banker"].result is Result.PUSHES
        return
    winner, loser = ("player", "banker") if player > banker else ("banker", "player")
    assert settlement.winner is Side(winner)
    assert settlement["tie"].result is Result.LOSES
    assert settlement[loser].result is Result.LOSES
    pushes = game in (FA_FA_FABULOUS_4, FABULOUS_4S) and winner == "banker" and banker == 4
    assert won == (set() if pushes else {winner})
    assert settlement[winner].result is (Result.PUSHES if pushes else Result.WINS)


# Mirrors: what one hand's wager gets, the other's gets when the hands change places

PAID_ALIKE = (
    ("player-pair", "banker-pair"),
    ("player-precious-pair", "banker-precious-pair"),
    ("player-natural-8", "banker-natural-8"),
    ("player-natural-9", "banker-natural-9"),
    ("player-dragon-bonus", "banker-dragon-bonus"),
    ("tie", "tie"),
    ("tiger-tie", "tiger-tie"),
    ("tiger-pair", "tiger-pair"),
)
WON_ALIKE = (("player", "banker"), ("player-fabulous-4", "banker-fabulous-4"))


def mirrored(outcome: Outcome) -> Outcome:
    return Outcome(outcome.banker, outcome.player, outcome.power)


def mirror_wagers(game: Game) -> list[tuple[str, str, bool]]:
    """Return the wagers of this game that mirror each other, and whether odds do too."""
    slugs = {wager.slug for wager in game.wagers}
    found = [(one, other, True) for one, other in PAID_ALIKE if {one, other} <= slugs]
    for one, other in WON_ALIKE:
        pushes_on_four = one == "player" and game in (FA_FA_FABULOUS_4, FABULOUS_4S)
        if {one, other} <= slugs and not pushes_on_four:
            found.append((one, other, game is FORTUNE_SIX_TOURNAMENT))
    return found


def assert_mirrored(one: Verdict, other: Verdict, *, paid_alike: bool) -> None:
    assert one.result is other.result
    if paid_alike:
        assert one.net == other.net
        assert one.pays == other.pays


def test_every_mirrored_pair_of_wagers_is_found_in_some_game() -> None:
    found = {(one, other) for game in GAMES for one, other, _ in mirror_wagers(game)}
    assert found == {*PAID_ALIKE, *WON_ALIKE}


@given(games_and_outcomes())
def test_mirrored_hands_mirror_their_wagers(drawn: tuple[Game, Outcome]) -> None:
    game, outcome = drawn
    mirror = mirrored(outcome)
    for one, other, paid_alike in mirror_wagers(game):
        assert_mirrored(
            game.wager(one).resolve(outcome),
            game.wager(other).resolve(mirror),
            paid_alike=paid_alike,
        )
        assert_mirrored(
            game.wager(other).resolve(outcome),
            game.wager(one).resolve(mirror),
            paid_alike=paid_alike,
        )


@every_game()
def test_every_outcome_that_has_a_mirror_mirrors_its_wagers(game: Game) -> None:
    places = {wager.slug: place for place, wager in enumerate(game.wagers)}
    reachable = set(game.outcomes)
    found = 0
    for index in game.outcomes:
        other_index = mirrored(Outcome.from_index(index)).index
        if other_index not in reachable:
            continue
        found += 1
        verdicts, mirrors = game.verdicts(index), game.verdicts(other_index)
        for one, other, paid_alike in mirror_wagers(game):
            here, there = verdicts[places[one]], mirrors[places[other]]
            assert_mirrored(here, there, paid_alike=paid_alike)
    assert found > 5000


# Rows and odds


def net_of(odds: str) -> Fraction:
    """Return the net winnings per unit of odds as a rulebook writes them."""
    if odds == "Push":
        return Fraction(0)
    win, stake = odds.split(" to ")
    return Fraction(win) / Fraction(stake)


@pytest.mark.clause("FF3 4.1#note-element-eights-only", "FF3 4.2#note-highest-only")
@pytest.mark.clause("EB4 4.12#note-highest-only", "PB6 4.2.1")
@given(games_and_outcomes())
def test_the_first_row_that_holds_applies(drawn: tuple[Game, Outcome]) -> None:
    game, outcome = drawn
    verdicts = game.verdicts(outcome.index, power=outcome.power)
    assert [verdict.wager for verdict in verdicts] == [wager.slug for wager in game.wagers]
    for wager, verdict in zip(game.wagers, verdicts, strict=True):
        holding = [row for row in wager.rows if row.when(outcome)]
        assert verdict.row is (holding[0] if holding else None)
        assert (verdict.result is Result.LOSES) is (not holding)


@pytest.mark.clause("EB4 1.1.12", "EB4 4.11#note-push", "FF3 4.1#note-push")
@given(games_and_outcomes())
def test_net_is_the_odds_of_the_row(drawn: tuple[Game, Outcome]) -> None:
    game, outcome = drawn
    for verdict in game.verdicts(outcome.index, power=outcome.power):
        if verdict.row is None:
            assert verdict.result is Result.LOSES
            assert verdict.net == -1
            assert verdict.pays is None
            continue
        net = net_of(verdict.row.pays.text)
        assert verdict.net == net
        assert verdict.pays == verdict.row.pays.text
        assert verdict.result is (Result.PUSHES if net == 0 else Result.WINS)


@given(games_and_outcomes())
def test_an_outcome_comes_back_from_its_index(drawn: tuple[Game, Outcome]) -> None:
    _, outcome = drawn
    assert Outcome.from_index(outcome.index, power=outcome.power) == outcome


# Notation

SPELLINGS = {
    STANDARD: re.compile(r"(A|[2-9]|T|10|J|Q|K)[SHDC]", re.IGNORECASE),
    FIVE_ELEMENTS: re.compile(
        r"(A|[2-9]|T|10|S|L|F|Shou|Lu|Fu)-(Fire|Gold|Earth|Wood|Water)", re.IGNORECASE
    ),
}


@given(st.data())
def test_cards_are_read_as_they_are_written(data: st.DataObject) -> None:
    deck = data.draw(decks)
    written = data.draw(st.lists(st.sampled_from(deck.cards), max_size=8))
    text = format_cards(written)
    assert deck.parse_cards(text) == tuple(written)
    separator = data.draw(st.sampled_from([" ", ",", ", ", "  ", "\n"]))
    spelled = [data.draw(st.sampled_from(spellings(card))) for card in written]
    assert deck.parse_cards(separator.join(spelled)) == tuple(written)
    for card, spelling in zip(written, spelled, strict=True):
        assert SPELLINGS[deck].fullmatch(spelling)
        assert deck.parse(spelling) is card
        assert deck.parse(str(card)) is card


def spellings(card: Card) -> list[str]:
    """Return the ways to write a card: ten by its number, the fortunes by one letter."""
    ways = [card.text]
    if card.text.startswith("T"):
        ways.append(f"10{card.text[1:]}")
    ways += [
        f"{card.text[0]}-{card.suit.value}" for rank in ("Shou", "Lu", "Fu") if rank in ways[0]
    ]
    return [case for way in ways for case in (way, way.lower(), way.upper())]


ascii_texts = (
    st.text("A29T10JQKSHDCLFG-hou", max_size=5)
    | st.text(st.characters(codec="ascii"), max_size=12)
    | st.sampled_from([*STANDARD, *FIVE_ELEMENTS]).flatmap(
        lambda card: st.sampled_from(spellings(card))
    )
)


@given(decks, ascii_texts)
def test_a_text_is_a_card_or_is_refused_with_the_text(deck: Deck, text: str) -> None:
    if SPELLINGS[deck].fullmatch(text):
        assert text.lower() in spellings(deck.parse(text))
        return
    with pytest.raises(NotationError) as refusal:
        deck.parse(text)
    message = str(refusal.value)
    assert message.startswith(f"{text!r} is not a card of the ")
    assert is_one_sentence(message.replace(repr(text), "'it'"))


def test_a_card_stays_the_same_object_when_copied() -> None:
    for card in (*STANDARD, *FIVE_ELEMENTS):
        assert pickle.loads(pickle.dumps(card)) is card  # noqa: S301  # our own bytes
        assert copy.deepcopy(card) is card
        assert Card(card.rank, card.suit) is card


# Ways to give a coup


@given(games_and_coups())
def test_card_by_card_is_the_same_coup_as_all_at_once(drawn: tuple[Game, Coup]) -> None:
    game, given_at_once = drawn[0], drawn[0].coup(drawn[1].cards)
    coup = game.coup()
    for number, card in enumerate(given_at_once.cards):
        assert coup.next is not None
        assert coup.next.position is given_at_once.positions[number]
        assert not coup.complete
        coup = coup.draw(card)
        assert coup == game.coup(given_at_once.cards[: number + 1])
    assert coup == given_at_once
    assert hash(coup) == hash(given_at_once)
    assert coup.next is given_at_once.next is None
    assert game.settle(coup) == game.settle(given_at_once)


@given(st.data())
def test_text_cards_and_coup_settle_alike(data: st.DataObject) -> None:
    game = data.draw(games)
    coup = data.draw(coups(game))
    die = data.draw(dice(game))
    text = " ".join(str(card) for card in coup.cards)
    settlement = game.settle(coup, die=die)
    assert game.settle(text, die=die) == settlement
    assert game.settle(list(coup.cards), die=die) == settlement
    assert settlement.coup.cards == coup.cards
    assert settlement.power is (die == 3)


# Suits


@given(st.data())
def test_suits_matter_in_precious_pairs_only(data: st.DataObject) -> None:
    game = data.draw(games)
    coup = data.draw(coups(game))
    suits = st.sampled_from(game.deck.suits)
    other = game.coup([Card(card.rank, data.draw(suits)) for card in coup.cards])
    assert other.positions == coup.positions
    for one, another in zip(game.settle(coup), game.settle(other), strict=True):
        if one.wager.endswith("-precious-pair"):
            assert one.result is another.result
        else:
            assert one == another


@given(st.data())
def test_a_precious_pair_changes_by_its_own_suit_only(data: st.DataObject) -> None:
    game = data.draw(precious_games)
    precious = Suit.DIAMONDS if game is FABULOUS_4S else Element.GOLD
    rank = data.draw(st.sampled_from(game.deck.ranks))
    suits = st.sampled_from(game.deck.suits)
    one, another = ([Card(rank, data.draw(suits)) for _ in range(2)] for _ in range(2))
    banker = data.draw(st.lists(cards(game), min_size=2, max_size=2))
    verdicts = []
    for first, second in (one, another):
        coup = game.coup([first, banker[0], second, banker[1]])
        while coup.next is not None:
            coup = coup.draw(game.deck.cards[0])
        verdicts.append(game.settle(coup)["player-precious-pair"])
    precious_pairs = [all(card.suit is precious for card in pair) for pair in (one, another)]
    assert all(verdict.result is Result.WINS for verdict in verdicts)
    alike = precious_pairs[0] == precious_pairs[1]
    assert (verdicts[0] == verdicts[1]) is alike
    if not alike:
        assert (
            verdicts[precious_pairs.index(True)].net > verdicts[precious_pairs.index(False)].net
        )


# Power hands


@pytest.mark.clause("PB6 3.6.2", "PB6 4.2.1")
@pytest.mark.parametrize("game", [POWER_98, POWER_98_NATURAL_TIES], ids=["any", "natural"])
def test_a_power_hand_only_improves_what_wins(game: Game) -> None:
    improved = set()
    for index in game.outcomes:
        for ordinary, power in zip(
            game.verdicts(index), game.verdicts(index, power=True), strict=True
        ):
            assert power.result is ordinary.result
            assert power.net >= ordinary.net
            if power.net != ordinary.net:
                assert ordinary.result is Result.WINS
                improved.add(ordinary.wager)
    assert improved == {wager.slug for wager in game.wagers}


@pytest.mark.clause("PB6 3.6.2")
@given(coups(POWER_98), die_values)
def test_only_a_three_makes_a_power_hand(coup: Coup, die: int) -> None:
    settlement = POWER_98.settle(coup, die=die)
    assert settlement.power is (die == 3)
    if die != 3:
        assert settlement == POWER_98.settle(coup)
    else:
        for verdict, ordinary in zip(settlement, POWER_98.settle(coup), strict=True):
            assert verdict.net >= ordinary.net


# Refusals: one sentence, with what was refused in it


@given(st.data())
def test_a_card_too_many_is_refused_and_named(data: st.DataObject) -> None:
    game = data.draw(games)
    coup = data.draw(coups(game))
    extra = data.draw(st.lists(cards(game), min_size=1, max_size=3))
    with pytest.raises(CoupError) as refusal:
        coup.draw(extra[0])
    message = str(refusal.value)
    assert is_one_sentence(message)
    number = {4: "fifth", 5: "sixth", 6: "seventh"}[len(coup.cards)]
    assert message.startswith(f"The {number} card {extra[0].text} is not called for: ")
    with pytest.raises(CoupError) as same:
        game.settle(format_cards([*coup.cards, *extra]))
    assert str(same.value) == message


@given(st.data())
def test_a_card_too_few_is_refused_with_what_comes_next(data: st.DataObject) -> None:
    game = data.draw(games)
    coup = data.draw(partial_coups(game))
    with pytest.raises(CoupError) as refusal:
        game.settle(coup)
    message = str(refusal.value)
    assert is_one_sentence(message)
    assert message.startswith(f"{len(coup.cards)} card")
    due = ("P1", "B1", "P2", "B2", "P3", "B3")
    third = due[4] if len(coup.cards) == 4 and draws(coup) else due[5]
    place = third if len(coup.cards) >= 4 else due[len(coup.cards)]
    assert f"next is {place}: " in message


def draws(coup: Coup) -> bool:
    """Tell whether the Player draws after an initial deal that is not the end."""
    return (points(coup.cards[0]) + points(coup.cards[2])) % 10 <= 5


@given(st.data())
def test_a_card_of_another_deck_is_refused_and_named(data: st.DataObject) -> None:
    game = data.draw(games)
    other = FIVE_ELEMENTS if game.deck is STANDARD else STANDARD
    foreign = data.draw(st.sampled_from(other.cards))
    coup = list(data.draw(coups(game)).cards)
    coup[data.draw(st.integers(0, len(coup) - 1))] = foreign
    for refused in (coup, format_cards(coup)):
        with pytest.raises(NotationError) as refusal:
            game.settle(refused)
        assert is_one_sentence(str(refusal.value))
        assert foreign.text in str(refusal.value)


@given(games_and_coups(), st.integers())
def test_a_die_that_cannot_be_is_refused_and_named(drawn: tuple[Game, Coup], die: int) -> None:
    game, coup = drawn
    if game is POWER_98:
        assume(not 1 <= die <= 6)
    with pytest.raises(RulesError) as refusal:
        game.settle(coup, die=die)
    assert is_one_sentence(str(refusal.value))
    assert str(die) in str(refusal.value)
