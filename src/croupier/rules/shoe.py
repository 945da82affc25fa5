"""Shoes and compositions: cards in order, and cards as counts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from croupier.rules.errors import CompositionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from croupier.rules.cards import Card, Deck

DECKS_MIN = 4
DECKS_MAX = 10


def require_decks(decks: int, clause: str = "") -> None:
    """Refuse a number of decks outside four to ten (the 2.1 of every rulebook).

    >>> require_decks(3)
    Traceback (most recent call last):
        ...
    croupier.rules.errors.CompositionError: 3 decks were asked for; a shoe has 4 to 10 decks.
    """
    if not DECKS_MIN <= decks <= DECKS_MAX:
        by = f" [{clause}]" if clause else ""
        message = (
            f"{decks} decks were asked for; a shoe has {DECKS_MIN} to {DECKS_MAX} decks{by}."
        )
        raise CompositionError(message)


@dataclass(frozen=True, slots=True)
class Composition:
    """How many cards of each face there are, in the order of ``deck.cards``.

    >>> from croupier.rules.cards import STANDARD
    >>> shoe = Composition.full(STANDARD, 8)
    >>> len(shoe), shoe.count(STANDARD.parse("4D"))
    (416, 8)
    >>> len(shoe.without(STANDARD.parse_cards("4D 4D KS")))
    413
    """

    deck: Deck
    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse counts that do not belong to the deck."""
        if len(self.counts) != len(self.deck):
            message = (
                f"{len(self.counts)} counts were given for the {self.deck.name};"
                f" it has {len(self.deck)} faces."
            )
            raise CompositionError(message)
        if min(self.counts) < 0:
            short = self.deck.cards[self.counts.index(min(self.counts))]
            message = f"There cannot be {min(self.counts)} cards {short}; a count is 0 or more."
            raise CompositionError(message)

    @classmethod
    def full(cls, deck: Deck, decks: int) -> Composition:
        """Return a whole shoe of four to ten decks."""
        require_decks(decks)
        return cls(deck, (decks,) * len(deck))

    @classmethod
    def of(cls, deck: Deck, cards: Iterable[Card]) -> Composition:
        """Count the given cards."""
        held = Counter(cards)
        deck.require(held)
        return cls(deck, tuple(held[card] for card in deck.cards))

    def count(self, card: Card) -> int:
        """Return how many of this face are left."""
        self.deck.require([card])
        return self.counts[self.deck.cards.index(card)]

    def without(self, cards: Iterable[Card]) -> Composition:
        """Take cards out; refuse more copies of a face than there are."""
        taken = Counter(cards)
        self.deck.require(taken)
        counts = list(self.counts)
        for place, card in enumerate(self.deck.cards):
            if taken[card] > counts[place]:
                message = (
                    f"{taken[card]} cards {card} were given;"
                    f" the shoe holds {counts[place]} of them."
                )
                raise CompositionError(message)
            counts[place] -= taken[card]
        return Composition(self.deck, tuple(counts))

    def by_rank(self) -> tuple[int, ...]:
        """Return the counts of the thirteen ranks, suits together."""
        width = len(self.deck.suits)
        return tuple(
            sum(self.counts[start : start + width])
            for start in range(0, len(self.counts), width)
        )

    def cards(self) -> tuple[Card, ...]:
        """Return every card, face by face."""
        return tuple(
            card
            for card, count in zip(self.deck.cards, self.counts, strict=True)
            for _ in range(count)
        )

    def __len__(self) -> int:
        return sum(self.counts)

    def __repr__(self) -> str:
        return f"Composition({self.deck.name}, {len(self)} cards)"


@dataclass(frozen=True, slots=True)
class Shoe:
    """Cards in the order in which they will be drawn, and where the cut card lies.

    Chance is an argument: ``below(n)`` gives a number from 0 to n - 1.

    >>> from croupier.rules.cards import STANDARD
    >>> shoe = Shoe.of(Composition.full(STANDARD, 8)).shuffled(lambda n: n - 1)
    >>> card, rest = shoe.draw()
    >>> card, len(rest)
    (Card('AS'), 415)
    """

    cards: tuple[Card, ...]
    cut: int | None = None
    drawn: int = 0

    def __post_init__(self) -> None:
        """Refuse a cut card that lies outside the shoe."""
        if self.cut is not None and not 0 <= self.cut <= len(self.cards):
            message = (
                f"The cut card cannot lie behind {self.cut} cards;"
                f" the shoe has {len(self.cards)}."
            )
            raise CompositionError(message)
        assert 0 <= self.drawn <= len(self.cards), "more cards drawn than there are"

    @classmethod
    def of(cls, composition: Composition) -> Shoe:
        """Put a composition in order, face by face."""
        return cls(composition.cards())

    def shuffled(self, below: Callable[[int], int]) -> Shoe:
        """Shuffle what is left by Fisher and Yates, with the given chance.

        The cut card stays behind as many cards as before; once it is out it is gone.
        """
        cards = list(self.cards[self.drawn :])
        for last in range(len(cards) - 1, 0, -1):
            pick = below(last + 1)
            cards[last], cards[pick] = cards[pick], cards[last]
        cut = None if self.cut is None or self.cut_card_is_out else self.cut - self.drawn
        return Shoe(tuple(cards), cut)

    def draw(self) -> tuple[Card, Shoe]:
        """Return the next card and the shoe without it."""
        if self.drawn == len(self.cards):
            message = "The shoe is empty; no card can be drawn."
            raise CompositionError(message)
        return self.cards[self.drawn], replace(self, drawn=self.drawn + 1)

    @property
    def cut_card_is_out(self) -> bool:
        """Tell whether the cut card has appeared; it takes no card's place."""
        return self.cut is not None and self.drawn >= self.cut

    def __len__(self) -> int:
        return len(self.cards) - self.drawn

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards[self.drawn :])

    def __repr__(self) -> str:
        return f"Shoe({len(self)} cards)"
