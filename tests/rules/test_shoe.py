"""Shoes of four to ten decks: counts, order, shuffling by a given chance, the cut card."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from math import factorial

import pytest

from croupier.rulebooks import BACCARAT, FA_FA_FABULOUS_4, GAMES, find_rulebook
from croupier.rules.cards import FIVE_ELEMENTS, STANDARD, Card, Deck
from croupier.rules.errors import CompositionError, NotationError
from croupier.rules.shoe import Composition, Shoe, require_decks

CODES = ("BAC8", "FF3", "F6T2", "PB6", "EB4")
BOTH_DECKS = pytest.mark.parametrize("deck", [STANDARD, FIVE_ELEMENTS], ids=["52", "65"])


# Compositions


@pytest.mark.parametrize(
    ("code", "decks"),
    [
        pytest.param(code, decks, marks=pytest.mark.clause(f"{code} 2.1"))
        for code in CODES
        for decks in range(4, 11)
    ],
)
def test_a_shoe_of_four_to_ten_decks_holds_every_face_so_often(code: str, decks: int) -> None:
    faces = 65 if code == "FF3" else 52
    for game in find_rulebook(code).games:
        shoe = game.shoe(decks)
        assert len(shoe) == faces * decks
        assert len(shoe.cards()) == faces * decks
        assert Counter(shoe.cards()) == dict.fromkeys(game.deck.cards, decks)
        assert [shoe.count(card) for card in game.deck] == [decks] * faces


@pytest.mark.parametrize(
    ("code", "decks"),
    [
        pytest.param(code, decks, marks=pytest.mark.clause(f"{code} 2.1"))
        for code in CODES
        for decks in (-1, 0, 1, 3, 11, 80)
    ],
)
def test_other_numbers_of_decks_are_refused_by_clause(code: str, decks: int) -> None:
    for game in find_rulebook(code).games:
        with pytest.raises(CompositionError) as refusal:
            game.shoe(decks)
        assert f"{decks} decks were asked for; a shoe has 4 to 10" in str(refusal.value)
        assert f"[{code} 2.1]" in str(refusal.value)
        with pytest.raises(CompositionError, match=r"a shoe has 4 to 10"):
            Composition.full(game.deck, decks)
        with pytest.raises(CompositionError, match=r"a shoe has 4 to 10"):
            require_decks(decks)


@pytest.mark.clause("BAC8 2.1", "F6T2 2.1", "PB6 2.1", "EB4 2.1", "FF3 2.1")
def test_eight_decks_are_416_or_520_cards() -> None:
    sizes = {game.slug: len(game.shoe()) for game in GAMES}
    assert sizes.pop("fa-fa-fabulous-4") == 520
    assert set(sizes.values()) == {416}
    assert len(sizes) == 10


def test_eight_decks_of_65_hold_as_many_of_each_rank_as_ten_of_52() -> None:
    assert Composition.full(FIVE_ELEMENTS, 8).by_rank() == (40,) * 13
    assert Composition.full(STANDARD, 10).by_rank() == (40,) * 13
    assert Composition.full(STANDARD, 8).by_rank() == (32,) * 13


def test_cards_of_one_rank_are_counted_together() -> None:
    shoe = BACCARAT.shoe(4).without(STANDARD.parse_cards("AS AS AH KC 4D"))
    assert shoe.by_rank() == (13, 16, 16, 15, *([16] * 8), 15)
    lucky = FA_FA_FABULOUS_4.shoe(4).without(FIVE_ELEMENTS.parse_cards("Lu-Gold Fu-Fire"))
    assert lucky.by_rank() == (*([20] * 11), 19, 19)


def test_taking_cards_out_changes_their_counts_only() -> None:
    full = BACCARAT.shoe(4)
    taken = STANDARD.parse_cards("4D 4D KS")
    rest = full.without(taken)
    assert len(rest) == 208 - 3
    assert (rest.count(taken[0]), rest.count(taken[2])) == (2, 3)
    others = [card for card in STANDARD if card not in taken]
    assert {rest.count(card) for card in others} == {4}
    assert len(full) == 208
    assert full.without([]) == full


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ("4D 4D 4D 4D 4D", "5 cards 4D were given; the shoe holds 4 of them."),
        ("AS KS KS KS KS KS KS", "6 cards KS were given; the shoe holds 4 of them."),
    ],
)
def test_more_copies_than_there_are_cannot_be_taken(cards: str, message: str) -> None:
    with pytest.raises(CompositionError) as refusal:
        BACCARAT.shoe(4).without(STANDARD.parse_cards(cards))
    assert str(refusal.value) == message


def test_what_was_taken_before_is_not_there_any_more() -> None:
    fours = STANDARD.parse_cards("4D 4D 4D 4D")
    rest = BACCARAT.shoe(4).without(fours)
    with pytest.raises(CompositionError, match=r"^1 cards 4D were given; the shoe holds 0"):
        rest.without(fours[:1])


def test_cards_of_another_deck_cannot_be_counted_or_taken() -> None:
    gold = FIVE_ELEMENTS.parse("4-Gold")
    shoe = BACCARAT.shoe(4)
    with pytest.raises(NotationError, match=r"^4-Gold is not a card of the 52-card deck"):
        shoe.without([gold])
    with pytest.raises(NotationError, match=r"^4-Gold is not a card of the 52-card deck"):
        shoe.count(gold)
    with pytest.raises(NotationError, match=r"^4-Gold is not a card of the 52-card deck"):
        Composition.of(STANDARD, [gold])


@BOTH_DECKS
def test_counting_cards_gives_them_back(deck: Deck) -> None:
    drawn = [deck.cards[0], deck.cards[-1], deck.cards[0], deck.cards[17]]
    counted = Composition.of(deck, drawn)
    assert Counter(counted.cards()) == Counter(drawn)
    assert len(counted) == 4
    assert counted.count(deck.cards[0]) == 2
    assert counted.count(deck.cards[1]) == 0
    assert len(Composition.of(deck, [])) == 0


def test_counts_that_no_deck_has_are_refused() -> None:
    with pytest.raises(CompositionError, match=r"^51 counts were given for the 52-card deck"):
        Composition(STANDARD, (8,) * 51)
    with pytest.raises(CompositionError, match=r"^There cannot be -1 cards AH; a count is 0"):
        Composition(STANDARD, (8, -1, *([8] * 50)))


def test_a_game_holds_no_more_copies_of_a_card_than_decks() -> None:
    five_fours = STANDARD.parse_cards("4D 4D 4D 4D 4D")
    BACCARAT.require_held(five_fours, 5)
    with pytest.raises(CompositionError, match=r"^5 cards 4D were given; the shoe holds 4"):
        BACCARAT.require_held(five_fours, 4)
    with pytest.raises(CompositionError, match=r"^3 decks were asked for; .* \[BAC8 2\.1\]"):
        BACCARAT.require_held(five_fours[:1], 3)


# Shoes


@BOTH_DECKS
def test_a_new_shoe_lies_face_by_face(deck: Deck) -> None:
    shoe = Shoe.of(Composition.full(deck, 4))
    assert list(shoe) == [card for card in deck for _ in range(4)]
    assert len(shoe) == 4 * len(deck)
    assert repr(shoe) == f"Shoe({4 * len(deck)} cards)"


@BOTH_DECKS
def test_a_shuffle_keeps_every_card_and_is_driven_by_the_chance_given(deck: Deck) -> None:
    shoe = Shoe.of(Composition.full(deck, 8))
    once = shoe.shuffled(random.Random(8).randrange)
    again = shoe.shuffled(random.Random(8).randrange)
    other = shoe.shuffled(random.Random(9).randrange)
    assert once.cards == again.cards
    assert once.cards != other.cards
    assert once.cards != shoe.cards
    assert Counter(once.cards) == Counter(shoe.cards)
    assert list(shoe) == [card for card in deck for _ in range(8)]


def test_a_shuffle_asks_for_one_number_below_each_size() -> None:
    asked: list[int] = []

    def last(below: int) -> int:
        asked.append(below)
        return below - 1

    shoe = Shoe(STANDARD.parse_cards("AS 2S 3S 4S 5S"))
    assert shoe.shuffled(last).cards == shoe.cards
    assert asked == [5, 4, 3, 2]


def test_every_order_is_reached_by_exactly_one_run_of_chances() -> None:
    shoe = Shoe(STANDARD.parse_cards("AS 2S 3S 4S"))
    orders: Counter[tuple[Card, ...]] = Counter()
    for picks in product(range(4), range(3), range(2)):
        run = iter(picks)
        orders[shoe.shuffled(lambda _, run=run: next(run)).cards] += 1  # type: ignore[misc]
    assert len(orders) == factorial(4)
    assert set(orders.values()) == {1}


def test_cards_are_drawn_in_order_and_the_shoe_does_not_change() -> None:
    shoe = Shoe(STANDARD.parse_cards("AS 2S 3S"))
    first, rest = shoe.draw()
    second, last = rest.draw()
    assert (first.text, second.text) == ("AS", "2S")
    assert (len(shoe), len(rest), len(last)) == (3, 2, 1)
    assert [card.text for card in last] == ["3S"]
    assert shoe.draw()[0] is first


def test_a_shuffle_leaves_out_what_was_drawn() -> None:
    shoe = Shoe(STANDARD.parse_cards("AS 2S 3S 4S"))
    _, rest = shoe.draw()
    assert sorted(map(str, rest.shuffled(lambda _: 0))) == ["2S", "3S", "4S"]


def test_an_empty_shoe_gives_no_card() -> None:
    shoe = Shoe(STANDARD.parse_cards("AS"))
    _, empty = shoe.draw()
    assert len(empty) == 0
    for none_left in (empty, Shoe(())):
        with pytest.raises(CompositionError) as refusal:
            none_left.draw()
        assert str(refusal.value) == "The shoe is empty; no card can be drawn."


def test_the_cut_card_comes_out_behind_so_many_cards_and_takes_no_place() -> None:
    shoe = Shoe(STANDARD.parse_cards("KS KH 7S 6H 9D"), cut=2)
    drawn, out = [], []
    while len(shoe):
        out.append(shoe.cut_card_is_out)
        card, shoe = shoe.draw()
        drawn.append(card)
    assert [*out, shoe.cut_card_is_out] == [False, False, True, True, True, True]
    coup = BACCARAT.coup(drawn[:4])
    assert coup.complete
    assert [card.text for card in coup.player.cards] == ["KS", "7S"]


def test_without_a_cut_card_none_comes_out() -> None:
    shoe = Shoe(STANDARD.parse_cards("AS 2S"))
    _, rest = shoe.draw()
    assert not shoe.cut_card_is_out
    assert not rest.draw()[1].cut_card_is_out
    assert Shoe(STANDARD.parse_cards("AS 2S"), cut=0).cut_card_is_out


def test_a_cut_card_outside_the_shoe_is_refused() -> None:
    cards = STANDARD.parse_cards("AS 2S")
    assert Shoe(cards, cut=2).cut == 2
    for cut in (-1, 3, 416):
        with pytest.raises(CompositionError) as refusal:
            Shoe(cards, cut=cut)
        assert f"cannot lie behind {cut} cards; the shoe has 2" in str(refusal.value)


def test_a_shuffle_of_what_is_left_leaves_the_cut_card_as_deep_as_it_was() -> None:
    shoe = Shoe(STANDARD.parse_cards("AS 2S 3S 4S 5S"), cut=4)
    for _ in range(3):
        _, shoe = shoe.draw()
    shuffled = shoe.shuffled(lambda _: 0)
    assert not shuffled.cut_card_is_out
    assert shuffled.draw()[1].cut_card_is_out
