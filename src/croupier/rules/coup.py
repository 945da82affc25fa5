"""A coup: cards in draw order, the two hands they make, and what must be drawn next.

A coup takes cards, it does not draw them. It refuses every card that the tableau does
not call for, and says what is called for instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from croupier.frozen import Frozen, Named, set_slot
from croupier.rules.cards import format_cards
from croupier.rules.errors import CoupError, cited
from croupier.rules.outcome import (
    PRECIOUS,
    Outcome,
    Side,
    outcome_index,
)
from croupier.rules.tableau import NATURALS, Tableau

if TYPE_CHECKING:
    from collections.abc import Iterable

    from croupier.rules.cards import Card, Deck, Element, Suit


class Position(Named):
    """A card's place: the first, second or third card of a hand."""

    P1 = "P1"
    B1 = "B1"
    P2 = "P2"
    B2 = "B2"
    P3 = "P3"
    B3 = "B3"

    side: Side
    """The hand that this place belongs to."""

    def __init__(self, place: str) -> None:
        self.side = Side.PLAYER if place[0] == "P" else Side.BANKER


INITIAL_DEAL = (Position.P1, Position.B1, Position.P2, Position.B2)
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")


def pair_rank(first: Card, second: Card) -> int:
    """Return the rank number that two cards pair on, or 0: identical ranks only (A1).

    >>> from croupier.rules.cards import STANDARD
    >>> pair_rank(*STANDARD.parse_cards("QH QD")), pair_rank(*STANDARD.parse_cards("TH KD"))
    (12, 0)
    """
    return first.number if first.number == second.number else 0


def pair_code(first: Card, second: Card, precious: Suit | Element | None) -> int:
    """Return the pair as an outcome's index has it: 0, the rank, or the rank plus 16."""
    if first.number != second.number:
        return 0
    if first.suit is precious and second.suit is precious:
        return first.number + PRECIOUS
    return first.number


def points_of(cards: Iterable[Card]) -> int:
    """Return the points of a hand: the last digit of the sum.

    >>> from croupier.rules.cards import STANDARD
    >>> points_of(STANDARD.parse_cards("9S 9H 9D"))
    7
    """
    return sum([card.points for card in cards]) % 10


@dataclass(frozen=True, slots=True)
class Hand:
    """The cards of one side in one round, in the order in which it got them."""

    side: Side
    cards: tuple[Card, ...]

    @property
    def points(self) -> int:
        """Return the point total, 0 to 9."""
        return points_of(self.cards)

    @property
    def natural(self) -> bool:
        """Tell whether these are two cards with 8 or 9 points; three never are a natural."""
        return len(self.cards) == 2 and self.points in NATURALS  # noqa: PLR2004  # two cards

    @property
    def pair(self) -> int:
        """Return the rank number of the pair that the first two cards make, or 0."""
        return pair_rank(*self.cards[:2]) if len(self.cards) > 1 else 0

    def __repr__(self) -> str:
        return f"Hand({self.side.value}: {format_cards(self.cards)})"


@dataclass(frozen=True, slots=True)
class Draw:
    """The card that must come next: its place, why, and by which clause."""

    position: Position
    why: str
    clause: str

    def __str__(self) -> str:
        return f"{self.position.value}: {self.why} [{cited(self.clause)}]"


class Coup(Frozen):
    """The cards of one round in draw order, as far as they are known.

    >>> from croupier.rulebooks import BACCARAT
    >>> coup = BACCARAT.coup("5S 6S 5D 4C")
    >>> str(coup.next)
    'P3: Player has 0 and draws [BAC8 3.14]'
    >>> coup = coup.draw(BACCARAT.deck.parse("QS"))
    >>> str(coup.next), coup.complete
    ('B3: Banker has 0 and draws [BAC8 3.14]', False)
    """

    __slots__ = ("_drawn", "_due", "cards", "deck", "tableau")

    cards: tuple[Card, ...]
    deck: Deck
    tableau: Tableau
    _due: int
    _drawn: int

    def __init__(self, tableau: Tableau, deck: Deck, cards: Iterable[Card] = ()) -> None:
        cards = tuple(cards)
        deck.require(cards)
        known = len(cards)
        due, drawn = 4, 0
        if known >= 4:  # noqa: PLR2004  # the initial deal is complete
            player = (cards[0].points + cards[2].points) % 10
            banker = (cards[1].points + cards[3].points) % 10
            due, drawn = _third_cards(tableau, player, banker, cards)
        if known > due:
            raise CoupError(_not_called_for(tableau, cards, due))
        set_slot(self, "tableau", tableau)
        set_slot(self, "deck", deck)
        set_slot(self, "cards", cards)
        set_slot(self, "_due", due)
        set_slot(self, "_drawn", drawn)

    @property
    def complete(self) -> bool:
        """Tell whether no further card is called for."""
        return len(self.cards) == self._due

    @property
    def initial_deal_complete(self) -> bool:
        """Tell whether each side holds two cards and no third card is out."""
        return len(self.cards) == len(INITIAL_DEAL)

    @property
    def positions(self) -> tuple[Position, ...]:
        """Return the places of the cards, in draw order."""
        if self._drawn == 2:  # noqa: PLR2004  # the Banker alone drew
            return (*INITIAL_DEAL, Position.B3)[: len(self.cards)]
        return (*INITIAL_DEAL, Position.P3, Position.B3)[: len(self.cards)]

    @property
    def player(self) -> Hand:
        """Return the Player hand: the first and third card, and the fifth if it drew."""
        third = self.cards[4:5] if self._drawn & 1 else ()
        return Hand(Side.PLAYER, self.cards[0:4:2] + third)

    @property
    def banker(self) -> Hand:
        """Return the Banker hand: the second and fourth card, and the last if it drew."""
        third = self.cards[5:6] if self._drawn & 1 else self.cards[4:5]
        return Hand(Side.BANKER, self.cards[1:4:2] + third)

    def hand(self, side: Side) -> Hand:
        """Return one hand."""
        return self.player if side is Side.PLAYER else self.banker

    @property
    def due(self) -> Position | None:
        """Return the place of the next card, or None when the coup is complete."""
        known = len(self.cards)
        if known < len(INITIAL_DEAL):
            return INITIAL_DEAL[known]
        if known == self._due:
            return None
        return Position.P3 if known == len(INITIAL_DEAL) and self._drawn & 1 else Position.B3

    @property
    def next(self) -> Draw | None:
        """Return the card that is called for next, or None when the coup is complete."""
        known = len(self.cards)
        if known < len(INITIAL_DEAL):
            why = f"the {ORDINALS[known]} card of the initial deal"
            return Draw(INITIAL_DEAL[known], why, self.tableau.initial_deal)
        if self.complete:
            return None
        player, banker = points_of(self.cards[0:3:2]), points_of(self.cards[1:4:2])
        if known == len(INITIAL_DEAL) and self._drawn % 2:
            call = self.tableau.player(player, banker)
            return Draw(Position.P3, f"Player has {player} and draws", call.clause)
        third = self.cards[4].points if self._drawn % 2 else None
        call = self.tableau.banker_call(player, banker, third)
        return Draw(Position.B3, f"Banker has {banker} and draws", call.clause)

    def draw(self, card: Card) -> Coup:
        """Return the coup with one more card, or refuse the card."""
        return Coup(self.tableau, self.deck, (*self.cards, card))

    def require_complete(self) -> None:
        """Refuse a coup that still needs a card."""
        if len(self.cards) != self._due:
            count = len(self.cards)
            cards = "card" if count == 1 else "cards"
            message = f"{count} {cards} came and the coup is not over; next is {self.next}."
            raise CoupError(message)

    def index(self, precious: Suit | Element | None = None) -> int:
        """Return the dense index of the outcome of a complete coup."""
        self.require_complete()
        cards = self.cards
        first, second, third, fourth = cards[:4]
        player = first.points + third.points
        banker = second.points + fourth.points
        drawn = self._drawn
        if drawn & 1:
            player += cards[4].points
        if drawn & 2:
            banker += cards[-1].points
        return outcome_index(
            player % 10,
            banker % 10,
            drawn,
            pair_code(first, third, precious),
            pair_code(second, fourth, precious),
        )

    def outcome(
        self, precious: Suit | Element | None = None, *, power: bool = False
    ) -> Outcome:
        """Return the outcome of a complete coup."""
        return Outcome.from_index(self.index(precious), power=power)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Coup):
            return NotImplemented
        return self.cards == other.cards and self.tableau == other.tableau

    def __reduce__(self) -> tuple[type[Coup], tuple[Tableau, Deck, tuple[Card, ...]]]:
        """Copy and unpickle by dealing the cards again."""
        return Coup, (self.tableau, self.deck, self.cards)

    def __hash__(self) -> int:
        return hash(self.cards)

    def __repr__(self) -> str:
        return f"Coup({format_cards(self.cards)!r})"


def _third_cards(
    tableau: Tableau, player: int, banker: int, cards: tuple[Card, ...]
) -> tuple[int, int]:
    """Return how many cards are due, as far as known, and who draws (1 Player, 2 Banker)."""
    if player > 7 or banker > 7:  # noqa: PLR2004  # a natural ends the deal
        return 4, 0
    if player in tableau.player_draws.totals:
        if len(cards) > 4 and tableau.grid[banker][1 + cards[4].points]:  # noqa: PLR2004  # P3 is out
            return 6, 3
        return 5, 1
    return (5, 2) if tableau.grid[banker][0] else (4, 0)


def _not_called_for(tableau: Tableau, cards: tuple[Card, ...], due: int) -> str:
    """Say that a card is one too many, and which calls ended the coup."""
    player, banker = points_of(cards[0:3:2]), points_of(cards[1:4:2])
    player_call = tableau.player(player, banker)
    third = cards[4].points if player_call.draws else None
    banker_call = tableau.banker_call(player, banker, third)
    calls = [player_call, banker_call]
    if player in NATURALS or banker in NATURALS:
        side, points = ("Player", player) if player in NATURALS else ("Banker", banker)
        reasons = [f"{side} has a natural {points} and no more cards are dealt"]
    else:
        reasons = []
        if not player_call.draws:
            reasons.append(f"Player stands on {player}")
        if banker_call.draws:
            reasons.append("each hand has all the cards it may have")
        else:
            against = "" if third is None else f" against a third card of {third}"
            reasons.append(f"Banker stands on {banker}{against}")
    clauses = ", ".join(dict.fromkeys(cited(call.clause) for call in calls))
    return (
        f"The {ORDINALS[due]} card {cards[due]} is not called for:"
        f" {' and '.join(reasons)} [{clauses}]."
    )
