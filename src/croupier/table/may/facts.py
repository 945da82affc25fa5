"""Facts from which it follows what staff may do, and which are the same round after round.

A piece of the state is another object whenever anything of it changed. A fact is less: how
cards lie, whatever their faces. Facts are compared and remembered by their values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from croupier.rules.outcome import Side
from croupier.table.authority import house_deals
from croupier.table.dealing import to_be_drawn
from croupier.table.handling import held_by
from croupier.table.refusals import Refusal
from croupier.table.reporting import reportable

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.rules.coup import Position
    from croupier.table.rulings import Situation
    from croupier.table.settings import Plan
    from croupier.table.state import DealtCard, Table

Fact = TypeVar("Fact")
Order = tuple[tuple["Position", ...], tuple[bool, ...], tuple[bool, ...], int, bool]
"""Places of cards, which of them are exposed and of those set aside, how many wait, paid."""
NOT_DEALT: Order = (), (), (), 0, False


class once(Generic[Fact]):  # noqa: N801  # it reads as a property
    """A property that is found once for each object."""

    def __init__(self, find: Callable[[Any], Fact]) -> None:
        self._find, self._name, self.__doc__ = find, find.__name__, find.__doc__

    def __get__(self, owner: Any, kind: type) -> Fact:  # noqa: ANN401
        found = owner.__dict__[self._name] = self._find(owner)
        return found


class Facts:
    """What several questions of staff need to know of a table."""

    table: Table
    plan: Plan
    sealed: bool
    """Its shoe is virtual: nobody else than its seal says what a card is."""

    @property
    def _cards(self) -> tuple[DealtCard, ...]:
        return () if self.table.round is None else self.table.round.cards

    @once
    def cards_known(self) -> bool:
        """Tell whether somebody could know a card of the round."""
        return any(dealt.known for dealt in self._cards)

    @once
    def reportable(self) -> frozenset[Situation]:
        """Return what can have happened at this point of a round."""
        return frozenset() if self.table.round is None else reportable(self.table)

    @once
    def order(self) -> Order:
        """Return which cards lie open, whatever their faces, and whether they are paid.

        From this, and the plan, it follows which orders of them can be told and are put right.
        """
        play = self.table.round
        if play is None:
            return NOT_DEALT
        return (
            tuple([dealt.position for dealt in play.cards]),
            tuple([dealt.exposed for dealt in play.cards]),
            tuple([dealt.exposed for dealt in play.aside]),
            len(play.waiting),
            play.confirmed,
        )

    @once
    def handed(self) -> tuple[str | None, ...]:
        """Return to whom each card of the round was handed."""
        return tuple([dealt.handed_to for dealt in self._cards])

    @once
    def unread(self) -> tuple[tuple[bool, bool], ...]:
        """Return of each card whether nobody read its face, and whether a patron turned it."""
        return tuple([(one.card is None, one.turned_by is not None) for one in self._cards])

    @once
    def faces(self) -> tuple[tuple[Position, str], ...]:
        """Return the faces that lie open."""
        return tuple(
            [
                (dealt.position, dealt.card.text)
                for dealt in self._cards
                if dealt.exposed and dealt.card is not None
            ]
        )

    @once
    def coup_over(self) -> bool:
        """Tell whether all cards are out that the tableau calls for, and exposed."""
        coup = self.table.round.coup if self.table.round else None
        return coup is not None and coup.complete

    @once
    def to_draw(self) -> Position | None:
        """Return the place of the card that is drawn now, if one can be."""
        place = to_be_drawn(self.table)
        return None if isinstance(place, Refusal) else place

    # The dealing device

    @once
    def cards_left(self) -> int:
        """Return how many cards are in the dealing device."""
        shoe = self.table.shoe
        return shoe.left if shoe else 0

    @once
    def shoe_in_play(self) -> str | None:
        """Return the name of the shoe in play."""
        shoe = self.table.shoe
        return None if shoe is None or shoe.ended else shoe.name

    @once
    def cut_card_seen(self) -> bool | None:
        """Tell whether the cut card came; None: there is no shoe."""
        shoe = self.table.shoe
        return None if shoe is None else shoe.cut_card_seen

    # Hands

    @once
    def handlers(self) -> tuple[tuple[Side, str], ...]:
        """Return who handles which hand."""
        play = self.table.round
        return () if play is None else tuple(play.handlers.items())

    @once
    def held(self) -> tuple[str | None, ...]:
        """Return which patron has cards of each hand face down."""
        if not self.handlers:
            return (None, None)
        return tuple([held_by(self.table, side) for side in Side])

    @once
    def first_hand(self) -> Side | None:
        """Return which hand is revealed first."""
        return self.table.round.first_hand if self.table.round else None

    @once
    def device_with(self) -> str | None:
        """Return who has the dealing device."""
        return self.table.shoe_holder

    @once
    def house_deals(self) -> bool:
        """Tell whether the house does by itself what a Dealer does elsewhere."""
        return house_deals(self.table)

    @once
    def on_hold(self) -> bool:
        """Tell whether the round waits for something."""
        return self.table.hold is not None

    # Stakes

    @once
    def late_stakes(self) -> tuple[int, ...]:
        """Return the numbers of the stakes, once a change of them would be late."""
        play = self.table.round
        return () if play is None or play.closed is None else tuple(play.stakes)
