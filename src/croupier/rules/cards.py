"""Cards and decks: ranks, suits, elements, and the notation in which cards are written.

A card of the 52-card deck is a rank (A 2-9 T J Q K) and a suit (S H D C): ``TD``.
A card of the 65-card deck is a rank (A 2-9 T Shou Lu Fu) and an element, with a
hyphen between them: ``4-Gold``. ``10D`` and ``L-Fire`` are read as ``TD`` and ``Lu-Fire``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from croupier.frozen import Frozen, Named, set_slot
from croupier.rules.errors import NotationError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Rank(Named):
    """A rank: its symbol, and its number from 1 (Ace) to 13 (King, or Fu).

    Picture cards and Ten count nothing, Ace counts one, the others their number.

    >>> Rank.NINE.points, Rank.TEN.points, Rank.LU.points, Rank.LU.number
    (9, 0, 0, 12)
    """

    ACE = ("A", 1)
    TWO = ("2", 2)
    THREE = ("3", 3)
    FOUR = ("4", 4)
    FIVE = ("5", 5)
    SIX = ("6", 6)
    SEVEN = ("7", 7)
    EIGHT = ("8", 8)
    NINE = ("9", 9)
    TEN = ("T", 10)
    JACK = ("J", 11)
    QUEEN = ("Q", 12)
    KING = ("K", 13)
    SHOU = ("Shou", 11)
    LU = ("Lu", 12)
    FU = ("Fu", 13)

    def __init__(self, symbol: str, number: int) -> None:
        self.symbol = symbol
        self.number = number
        self.points = number if number < 10 else 0  # noqa: PLR2004  # ten and pictures


class Suit(Named):
    """A suit of the 52-card deck."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"


class Element(Named):
    """An element, the suit of the 65-card deck; known by its name, never by a glyph (A2)."""

    FIRE = "Fire"
    GOLD = "Gold"
    EARTH = "Earth"
    WOOD = "Wood"
    WATER = "Water"


NUMERALS = (
    Rank.ACE,
    Rank.TWO,
    Rank.THREE,
    Rank.FOUR,
    Rank.FIVE,
    Rank.SIX,
    Rank.SEVEN,
    Rank.EIGHT,
    Rank.NINE,
    Rank.TEN,
)
COURT = (Rank.JACK, Rank.QUEEN, Rank.KING)
FORTUNES = (Rank.SHOU, Rank.LU, Rank.FU)


class Card(Frozen):
    """One face. There is a single object for each face, so cards compare by identity.

    >>> Card(Rank.TEN, Suit.DIAMONDS) is Card("10D")
    True
    >>> Card("TD")
    Card('TD')
    >>> Card(Rank.FOUR, Element.GOLD).points
    4
    >>> Card(Rank.KING, Element.GOLD)
    Traceback (most recent call last):
        ...
    croupier.rules.errors.NotationError: No deck has a KING of GOLD.
    """

    __slots__ = ("number", "points", "rank", "suit", "text")

    rank: Rank
    suit: Suit | Element
    number: int
    points: int
    text: str

    _faces: ClassVar[dict[tuple[Rank, Suit | Element], Card]] = {}

    def __new__(  # noqa: PYI034  # the one object of a face, not a new one
        cls, rank: Rank | str, suit: Suit | Element | None = None
    ) -> Card:
        """Return the one object of this face, from its notation or its rank and suit."""
        if isinstance(rank, str) or suit is None:
            text = str(rank)
            return (FIVE_ELEMENTS if "-" in text else STANDARD).parse(text)
        known = cls._faces.get((rank, suit))
        if known is not None:
            return known
        if rank in (FORTUNES if isinstance(suit, Suit) else COURT):
            message = f"No deck has a {rank.name} of {suit.name}."
            raise NotationError(message)
        card = super().__new__(cls)
        hyphen = "" if isinstance(suit, Suit) else "-"
        values: dict[str, object] = {
            "rank": rank,
            "suit": suit,
            "number": rank.number,
            "points": rank.points,
            "text": f"{rank.symbol}{hyphen}{suit.value}",
        }
        for name, value in values.items():
            set_slot(card, name, value)
        return cls._faces.setdefault((rank, suit), card)

    def __reduce__(self) -> tuple[type[Card], tuple[Rank, Suit | Element]]:
        """Copy and unpickle to the same single object."""
        return Card, (self.rank, self.suit)

    def __repr__(self) -> str:
        return f"Card({self.text!r})"

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Deck:
    """A deck: every rank in every suit, once.

    >>> len(STANDARD), len(FIVE_ELEMENTS)
    (52, 65)
    >>> STANDARD.parse("10d"), FIVE_ELEMENTS.parse("L-Fire")
    (Card('TD'), Card('Lu-Fire'))
    """

    name: str
    ranks: tuple[Rank, ...]
    suits: tuple[Suit | Element, ...]
    notation: str

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """Return every face, rank by rank."""
        return tuple(Card(rank, suit) for rank in self.ranks for suit in self.suits)

    @cached_property
    def _faces(self) -> frozenset[Card]:
        return frozenset(self.cards)

    @cached_property
    def _spellings(self) -> dict[str, Card]:
        """Map every accepted spelling to its card."""
        spellings: dict[str, Card] = {}
        for card in self.cards:
            symbols = {card.rank.symbol}
            if card.rank is Rank.TEN:
                symbols.add("10")
            if card.rank in FORTUNES:
                symbols.add(card.rank.symbol[0])
            hyphen = card.text[len(card.rank.symbol) : -len(card.suit.value)]
            for symbol in symbols:
                spelling = f"{symbol}{hyphen}{card.suit.value}"
                spellings[spelling] = spellings[spelling.lower()] = card
        return spellings

    def __len__(self) -> int:
        return len(self.ranks) * len(self.suits)

    def __contains__(self, card: object) -> bool:
        return card in self._faces

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    def parse(self, text: str) -> Card:
        """Read one card, or refuse with the notation that is expected."""
        spellings = self._spellings
        card = spellings.get(text)
        if card is None and text.isascii():
            card = spellings.get(text.lower())
        if card is None:
            message = f"{quoted(text)} is not a card of the {self.name}; {self.notation}."
            raise NotationError(message)
        return card

    def parse_cards(self, text: str) -> tuple[Card, ...]:
        """Read cards that are separated by spaces or commas.

        >>> STANDARD.parse_cards("5S, 6s 10D")
        (Card('5S'), Card('6S'), Card('TD'))
        """
        spellings = self._spellings
        words = text.replace(",", " ").split()
        try:
            return tuple([spellings[word] for word in words])
        except KeyError:
            return tuple([self.parse(word) for word in words])

    def require(self, cards: Iterable[Card]) -> None:
        """Refuse a card that this deck does not have."""
        for card in cards:
            if card not in self._faces:
                message = f"{card} is not a card of the {self.name}; {self.notation}."
                raise NotationError(message)


STANDARD = Deck(
    "52-card deck",
    NUMERALS + COURT,
    tuple(Suit),
    "write a rank A 2-9 T J Q K and a suit S H D C, such as TD",
)
FIVE_ELEMENTS = Deck(
    "65-card deck",
    NUMERALS + FORTUNES,
    tuple(Element),
    "write a rank A 2-9 T Shou Lu Fu, a hyphen and an element Fire Gold Earth Wood Water,"
    " such as 4-Gold",
)


def format_cards(cards: Iterable[Card]) -> str:
    """Write cards as they are read.

    >>> format_cards(STANDARD.parse_cards("5S 10D"))
    '5S TD'
    """
    return " ".join([card.text for card in cards])
