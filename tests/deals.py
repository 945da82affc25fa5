"""Coups for the tests: seeded, biased towards rare ones, and one for every outcome.

Written without the package, as :mod:`tests.independent` is; a face is a rank number from
1 (Ace) to 13 (King, or Fu) and a number from 0 to 19 that gives a suit and an element.
"""

from __future__ import annotations

import random
from functools import cache
from itertools import product

from tests.independent import deal, paired, rank_of, suit_of, total_of

Face = tuple[int, int]
Coup = tuple[str, ...]

STANDARD_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")
ELEMENT_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "Shou", "Lu", "Fu")
SUITS = ("S", "H", "D", "C")
ELEMENTS = ("Fire", "Gold", "Earth", "Wood", "Water")
PRECIOUS_BOTH = 6
"""The suit number that is a diamond in one deck and Gold in the other."""

CARDS_OF_65 = frozenset({"fa-fa-fabulous-4"})
"""The games that are played with the deck of five elements."""

ACCORDING_TO_SUIT = {"fa-fa-fabulous-4": "Gold", "fabulous-4s": "D"}
"""The games that pay some pairs by suit, and that suit."""


def write_face(face: Face, game: str) -> str:
    """Write a face as a card of the deck that the game is played with."""
    rank, suit = face
    if game in CARDS_OF_65:
        return f"{ELEMENT_RANKS[rank - 1]}-{ELEMENTS[suit % 5]}"
    return f"{STANDARD_RANKS[rank - 1]}{SUITS[suit % 4]}"


def as_coup(faces: tuple[Face, ...], game: str) -> Coup:
    """Write faces and keep those that the coup needs."""
    cards = [write_face(face, game) for face in faces]
    player, banker = deal(cards)
    return tuple(cards[: len(player) + len(banker)])


def elements(cards: str) -> str:
    """Write cards of the 52-card deck as cards of five elements; diamonds become Gold."""
    ranks = dict(zip(STANDARD_RANKS, ELEMENT_RANKS, strict=True))
    suits = {"S": "Fire", "H": "Earth", "D": "Gold", "C": "Water"}
    return " ".join(f"{ranks[card[:-1]]}-{suits[card[-1]]}" for card in cards.split())


def in_deck_of(game: str, cards: str) -> str:
    """Write cards of the 52-card deck as the game's deck has them."""
    return elements(cards) if game in CARDS_OF_65 else cards


def worth(points: int) -> str:
    """Return the rank of a card that counts these points."""
    return STANDARD_RANKS[points - 1] if points else "T"


def initial_deal(player: int, banker: int) -> str:
    """Write four cards of the 52-card deck that give these two-card totals and no pair."""
    return f"KS KH {worth(player)}S {worth(banker)}H"


def plain_faces(seed: int, count: int) -> list[tuple[Face, ...]]:
    """Draw six faces at a time, every face alike."""
    chance = random.Random(seed)
    return [
        tuple((chance.randint(1, 13), chance.randrange(20)) for _ in range(6))
        for _ in range(count)
    ]


def biased_faces(seed: int, count: int) -> list[tuple[Face, ...]]:
    """Draw six faces at a time; fours, pairs, twins and precious suits come often."""
    chance = random.Random(seed)
    drawn = []
    for _ in range(count):
        ranks = [chance.randint(1, 13) for _ in range(6)]
        if chance.random() < 0.3:
            ranks[2] = ranks[0]
        if chance.random() < 0.3:
            ranks[3] = ranks[1]
        if chance.random() < 0.1:
            ranks[:4] = [ranks[0]] * 4
        if chance.random() < 0.15:
            ranks = [chance.choice((4, 4, 4, 8, 9, 13, rank)) for rank in ranks]
        suits = [chance.choice((PRECIOUS_BOTH, chance.randrange(20))) for _ in ranks]
        drawn.append(tuple(zip(ranks, suits, strict=True)))
    return drawn


def kind_of_pair(hand: tuple[str, ...], precious: str | None) -> tuple[str, bool] | None:
    """Return the rank of the pair that a hand starts with, and whether it is precious."""
    if not paired(hand):
        return None
    return rank_of(hand[0]), suit_of(hand[0]) == suit_of(hand[1]) == precious


def two_card_hands(*, of_65: bool, precious: str | None) -> list[tuple[str, str]]:
    """Return one hand for each total without a pair, and for each kind of pair."""
    ranks = ELEMENT_RANKS if of_65 else STANDARD_RANKS
    suits = tuple(f"-{name}" for name in ELEMENTS) if of_65 else SUITS
    found: dict[tuple[object, ...], tuple[str, str]] = {}
    for first, second in product(ranks, repeat=2):
        for one, two in product(suits, repeat=2) if precious else ((suits[0], suits[1]),):
            hand = (f"{first}{one}", f"{second}{two}")
            found.setdefault((total_of(hand), kind_of_pair(hand, precious)), hand)
    return list(found.values())


@cache
def _every_outcome(*, of_65: bool, precious: str | None) -> tuple[Coup, ...]:
    thirds = [f"{rank}-Wood" for rank in ELEMENT_RANKS[:10]]
    if not of_65:
        thirds = [f"{rank}C" for rank in STANDARD_RANKS[:10]]
    hands = two_card_hands(of_65=of_65, precious=precious)
    found: dict[tuple[object, ...], Coup] = {}
    for mine, theirs in product(hands, repeat=2):
        pairs = (kind_of_pair(mine, precious), kind_of_pair(theirs, precious))
        four = (mine[0], theirs[0], mine[1], theirs[1])
        for fifth, sixth in product(thirds, repeat=2):
            player, banker = deal((*four, fifth, sixth))
            needed = len(player) + len(banker)
            if needed < 6 and sixth != thirds[0]:
                continue
            ends = (total_of(player), len(player), total_of(banker), len(banker))
            if (pairs, ends) not in found:
                found[pairs, ends] = (*four, fifth, sixth)[:needed]
            if needed == 4:
                break
    return tuple(found.values())


def every_outcome(game: str) -> tuple[Coup, ...]:
    """Return a coup for everything that a settlement chapter could tell apart."""
    return _every_outcome(of_65=game in CARDS_OF_65, precious=ACCORDING_TO_SUIT.get(game))
