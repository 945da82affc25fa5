"""Both decks, points of every rank, notation, and the single object of each face."""

from __future__ import annotations

import copy
import pickle
from itertools import product

import pytest

from croupier.rulebooks import RULEBOOKS, find_game, find_rulebook
from croupier.rules.cards import (
    FIVE_ELEMENTS,
    STANDARD,
    Card,
    Deck,
    Element,
    Rank,
    Suit,
    format_cards,
)
from croupier.rules.coup import pair_rank
from croupier.rules.errors import NotationError

STANDARD_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")
ELEMENT_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "Shou", "Lu", "Fu")
ELEMENTS = ("Fire", "Gold", "Earth", "Wood", "Water")
FACES = [
    *((STANDARD, rank + suit) for rank, suit in product(STANDARD_RANKS, "SHDC")),
    *((FIVE_ELEMENTS, f"{rank}-{name}") for rank, name in product(ELEMENT_RANKS, ELEMENTS)),
]


def cards_of_rank(code: str, symbol: str) -> list[Card]:
    """Return the cards of this rank, in every suit, in the deck of a rulebook."""
    deck = find_rulebook(code).games[0].deck
    return [card for card in deck if card.rank.symbol == symbol]


# Decks


@pytest.mark.clause("BAC8 2.1", "F6T2 2.1", "PB6 2.1", "EB4 2.1", "FF3 2.1")
def test_which_rulebook_is_played_with_which_deck() -> None:
    assert {rulebook.code: len(rulebook.games[0].deck) for rulebook in RULEBOOKS} == {
        "BAC8": 52,
        "FF3": 65,
        "F6T2": 52,
        "PB6": 52,
        "EB4": 52,
    }
    assert {game.deck for game in find_rulebook("EB4").games} == {STANDARD}


@pytest.mark.parametrize(
    ("deck", "ranks", "suits"),
    [
        (STANDARD, STANDARD_RANKS, ("S", "H", "D", "C")),
        (FIVE_ELEMENTS, ELEMENT_RANKS, ELEMENTS),
    ],
    ids=["52", "65"],
)
def test_a_deck_has_every_rank_in_every_suit_once(
    deck: Deck, ranks: tuple[str, ...], suits: tuple[str, ...]
) -> None:
    faces = [(card.rank.symbol, card.suit.value) for card in deck]
    assert faces == list(product(ranks, suits))
    assert len(deck) == len(deck.cards) == len(set(deck.cards)) == len(ranks) * len(suits)


def test_the_decks_share_no_card() -> None:
    assert not set(STANDARD) & set(FIVE_ELEMENTS)
    assert STANDARD.parse("4D") in STANDARD
    assert STANDARD.parse("4D") not in FIVE_ELEMENTS
    assert FIVE_ELEMENTS.parse("4-Gold") not in STANDARD
    assert "4D" not in STANDARD


@pytest.mark.clause("FF3 1.1.2")
def test_an_element_is_known_by_its_name_and_tells_cards_apart() -> None:
    assert [element.value for element in Element] == list(ELEMENTS)
    gold, fire = FIVE_ELEMENTS.parse("4-Gold"), FIVE_ELEMENTS.parse("4-Fire")
    assert gold != fire
    assert gold.points == fire.points == 4
    assert (gold.suit, fire.suit) == (Element.GOLD, Element.FIRE)


# Points


@pytest.mark.parametrize(
    ("code", "symbol", "points"),
    [
        pytest.param(
            code,
            symbol,
            points,
            marks=pytest.mark.clause(f"{code} 3.3", f"{code} 3.3.{1 if points else 2}"),
        )
        for code in ("BAC8", "FF3", "F6T2", "PB6", "EB4")
        for symbol, points in zip(
            ELEMENT_RANKS if code == "FF3" else STANDARD_RANKS,
            (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0),
            strict=True,
        )
    ],
)
def test_a_rank_counts_the_same_in_every_suit(code: str, symbol: str, points: int) -> None:
    cards = cards_of_rank(code, symbol)
    assert len(cards) == (5 if code == "FF3" else 4)
    assert [card.points for card in cards] == [points] * len(cards)
    assert {card.rank.points for card in cards} == {points}


@pytest.mark.clause("FF3 3.3.2")
def test_twenty_faces_of_the_five_elements_count_nothing() -> None:
    nothing = [card.text for card in FIVE_ELEMENTS if card.points == 0]
    ranks = ("T", "Shou", "Lu", "Fu")
    assert nothing == [f"{rank}-{element}" for rank in ranks for element in ELEMENTS]


# The pair rule


@pytest.mark.parametrize(
    ("slug", "ranks", "suits"),
    [
        pytest.param(
            "baccarat", STANDARD_RANKS, ("S", "H"), marks=pytest.mark.clause("BAC8 1.1.6")
        ),
        pytest.param(
            "fa-fa-fabulous-4",
            ELEMENT_RANKS,
            ("-Fire", "-Gold"),
            marks=pytest.mark.clause("FF3 1.1.8"),
        ),
        pytest.param(
            "fortune-six-tournament",
            STANDARD_RANKS,
            ("D", "D"),
            marks=pytest.mark.clause("F6T2 1.1.5"),
        ),
        pytest.param(
            "power-98", STANDARD_RANKS, ("C", "D"), marks=pytest.mark.clause("PB6 1.1.6")
        ),
        pytest.param(
            "tiger",
            STANDARD_RANKS,
            ("H", "S"),
            marks=pytest.mark.clause("EB4 1.1.13", "EB4 1.1.22"),
        ),
    ],
)
def test_two_cards_pair_exactly_when_their_ranks_are_the_same(
    slug: str, ranks: tuple[str, ...], suits: tuple[str, str]
) -> None:
    deck = find_game(slug).deck
    paired = [
        (first, second)
        for first, second in product(ranks, repeat=2)
        if pair_rank(deck.parse(first + suits[0]), deck.parse(second + suits[1]))
    ]
    assert paired == [(rank, rank) for rank in ranks]


@pytest.mark.parametrize("deck", [STANDARD, FIVE_ELEMENTS], ids=["52", "65"])
def test_a_pair_is_named_by_its_rank_number(deck: Deck) -> None:
    numbers = [pair_rank(card, card) for card in deck if card.suit is deck.suits[0]]
    assert numbers == list(range(1, 14))


# Notation


@pytest.mark.parametrize(("deck", "text"), FACES, ids=[text for _, text in FACES])
def test_every_face_is_read_as_it_is_written(deck: Deck, text: str) -> None:
    card = deck.parse(text)
    assert (card.text, str(card), repr(card)) == (text, text, f"Card('{text}')")
    assert f"{card.rank.symbol}{'-' * (deck is FIVE_ELEMENTS)}{card.suit.value}" == text
    assert deck.parse(text.lower()) is deck.parse(text.upper()) is card


def test_there_are_117_faces() -> None:
    assert len({text for _, text in FACES}) == 117


@pytest.mark.parametrize(
    ("deck", "spelling", "text"),
    [
        (STANDARD, "10D", "TD"),
        (STANDARD, "10d", "TD"),
        (STANDARD, "td", "TD"),
        (STANDARD, "aS", "AS"),
        (FIVE_ELEMENTS, "10-Gold", "T-Gold"),
        (FIVE_ELEMENTS, "t-gold", "T-Gold"),
        (FIVE_ELEMENTS, "L-Fire", "Lu-Fire"),
        (FIVE_ELEMENTS, "l-fire", "Lu-Fire"),
        (FIVE_ELEMENTS, "S-Water", "Shou-Water"),
        (FIVE_ELEMENTS, "F-Earth", "Fu-Earth"),
        (FIVE_ELEMENTS, "SHOU-WOOD", "Shou-Wood"),
    ],
)
def test_other_spellings_that_are_accepted(deck: Deck, spelling: str, text: str) -> None:
    assert deck.parse(spelling).text == text
    assert deck.parse_cards(spelling) == (deck.parse(text),)


@pytest.mark.parametrize(
    ("deck", "text"),
    [
        *((STANDARD, text) for text in ("", "T", "D", "1D", "11D", "0D", "TX", "DT", "T-D")),
        *(
            (STANDARD, text)
            for text in ("A\N{LATIN SMALL LETTER LONG S}", "\N{FULLWIDTH DIGIT FIVE}S")
        ),
        *((STANDARD, text) for text in ("4-Gold", "Lu-Fire", "joker", "TDD", " TD", "XJ")),
        *((FIVE_ELEMENTS, text) for text in ("", "4D", "JS", "K-Gold", "J-Fire", "Q-Wood")),
        *((FIVE_ELEMENTS, text) for text in ("4Gold", "4-", "-Gold", "4-Iron", "LuFire")),
        *((FIVE_ELEMENTS, text) for text in ("1-Gold", "11-Gold", "4-G", "4--Gold")),
    ],
)
def test_what_is_no_card_is_refused_with_what_came_and_what_is_expected(
    deck: Deck, text: str
) -> None:
    expected = {
        52: "write a rank A 2-9 T J Q K and a suit S H D C, such as TD.",
        65: "a rank A 2-9 T Shou Lu Fu, a hyphen and an element Fire Gold Earth Wood Water",
    }
    with pytest.raises(NotationError) as refusal:
        deck.parse(text)
    message = str(refusal.value)
    assert message.startswith(f"{text!r} is not a card of the {len(deck)}-card deck; ")
    assert expected[len(deck)] in message


@pytest.mark.parametrize("text", ["5S 6S 10D", "5S,6S,10D", " 5s ,  6S\t10d\n", "5S, 6s TD,"])
def test_cards_are_read_between_spaces_and_commas(text: str) -> None:
    cards = STANDARD.parse_cards(text)
    assert format_cards(cards) == "5S 6S TD"


def test_nothing_is_read_from_nothing() -> None:
    assert STANDARD.parse_cards(" , ") == ()
    assert format_cards(()) == ""


def test_one_bad_card_among_others_is_quoted() -> None:
    with pytest.raises(NotationError, match=r"^'6X' is not a card of the 52-card deck; "):
        STANDARD.parse_cards("5S 6X 10D")
    with pytest.raises(NotationError, match=r"^'6S' is not a card of the 65-card deck; "):
        FIVE_ELEMENTS.parse_cards("5-Fire 6S")


def test_a_long_text_is_not_repeated_in_full() -> None:
    with pytest.raises(NotationError) as refusal:
        STANDARD.parse("9" * 1000)
    assert str(refusal.value).startswith("'" + "9" * 40 + "...' is not a card of the 52-card")


def test_a_deck_refuses_the_cards_of_another() -> None:
    STANDARD.require(STANDARD.parse_cards("5S 6S"))
    with pytest.raises(NotationError, match=r"^4-Gold is not a card of the 52-card deck; "):
        STANDARD.require([*STANDARD.parse_cards("5S"), FIVE_ELEMENTS.parse("4-Gold")])
    with pytest.raises(NotationError, match=r"^5S is not a card of the 65-card deck; "):
        FIVE_ELEMENTS.require(STANDARD.parse_cards("5S"))


# One object for each face


@pytest.mark.parametrize(("deck", "text"), FACES, ids=[text for _, text in FACES])
def test_a_face_stays_one_object(deck: Deck, text: str) -> None:
    card = deck.parse(text)
    assert Card(card.rank, card.suit) is card
    assert copy.copy(card) is card
    assert copy.deepcopy([card])[0] is card
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(card, protocol)) is card  # noqa: S301  # our own bytes


def test_a_card_is_made_from_its_notation_too() -> None:
    assert Card("10d") is Card(Rank.TEN, Suit.DIAMONDS)
    assert Card("L-Fire") is Card(Rank.LU, Element.FIRE)
    for text, deck in (("4X", "52-card deck"), ("K-Gold", "65-card deck")):
        with pytest.raises(NotationError, match=f"^'{text}' is not a card of the {deck}; "):
            Card(text)


@pytest.mark.parametrize(
    ("rank", "suit", "message"),
    [
        (Rank.KING, Element.GOLD, "No deck has a KING of GOLD."),
        (Rank.JACK, Element.FIRE, "No deck has a JACK of FIRE."),
        (Rank.SHOU, Suit.SPADES, "No deck has a SHOU of SPADES."),
        (Rank.FU, Suit.DIAMONDS, "No deck has a FU of DIAMONDS."),
    ],
)
def test_a_face_that_no_deck_has_is_refused(
    rank: Rank, suit: Suit | Element, message: str
) -> None:
    with pytest.raises(NotationError) as refusal:
        Card(rank, suit)
    assert str(refusal.value) == message


@pytest.mark.parametrize("name", ["rank", "suit", "number", "points", "text", "value"])
def test_a_card_does_not_change(name: str) -> None:
    card = STANDARD.parse("9S")
    with pytest.raises(AttributeError, match=f"does not change: cannot set {name}"):
        setattr(card, name, 5)
    with pytest.raises(AttributeError, match=f"does not change: cannot delete {name}"):
        delattr(card, name)
    assert (card.rank, card.suit, card.number) == (Rank.NINE, Suit.SPADES, 9)
    assert (card.points, card.text) == (9, "9S")


def test_ranks_are_numbered_from_ace_to_king_and_to_fu() -> None:
    assert [card.number for card in STANDARD if card.suit is Suit.CLUBS] == list(range(1, 14))
    numbers = [card.number for card in FIVE_ELEMENTS if card.suit is Element.WATER]
    assert numbers == list(range(1, 14))
    assert repr(Rank.LU) == "Rank.LU"
    assert repr(Suit.CLUBS) == "Suit.CLUBS"
    assert repr(Element.GOLD) == "Element.GOLD"
