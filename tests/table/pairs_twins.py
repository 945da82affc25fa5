"""Two tables that differ in cards that nobody has seen: nobody may tell them apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.refusals import Refusal
from croupier.table.views import auditor_part, own_part, public_view
from tests.deals import in_deck_of
from tests.table.pairs_book import DeadEndError
from tests.table.pairs_end import Policy, answers
from tests.table.pairs_points import FIRST_CARD
from tests.table.pairs_world import Ask, World, told

if TYPE_CHECKING:
    from collections.abc import Iterable

    from croupier.table.draft import Events

HOUSE_ONLY: dict[type[e.Event], str] = {
    e.CardDrawn: "card",
    e.CardsSetAside: "cards",
    i.IrregularityReported: "cards",
    i.ReportQueued: "cards",
    i.CardsTakenUp: "cards",
    i.CardsSorted: "counts",
    i.MissingDeduced: "cards",
    i.CardsSubstituted: "cards",
}
"""Fields of events that the house keeps to itself."""
OTHER_FACES = ("KC 3H 2D KS 8H 9D 8S AH", "7C 9H 7D 9S 6H 8C JS 4H")
"""What the cards of a coup, and the next two, could be instead: pairs, naturals, others."""


def others(
    truth: tuple[str, ...], numbers: Iterable[int], game: str, which: int
) -> tuple[str, ...]:
    """Return a shoe in which cards with these numbers are others; it is complete too."""
    changed = list(truth)
    faces = in_deck_of(game, OTHER_FACES[which]).split()
    for number in numbers:
        at = number - FIRST_CARD
        if 0 <= at < len(faces):
            behind = len(changed) - 1 - changed[::-1].index(faces[at])
            changed[number], changed[behind] = changed[behind], changed[number]
    return tuple(changed)


class Twins:
    """Two worlds that are asked the same, and must look the same."""

    def __init__(self, left: World, right: World) -> None:
        self.left, self.right = left, right
        pairs = zip(left.truth, right.truth, strict=True)
        self.numbers = frozenset(at for at, (one, two) in enumerate(pairs) if one != two)
        self.replaced = False
        """A card that took the place of one that is gone was turned up."""

    def fork(self) -> Twins:
        """Return the same pair; what happens there leaves this one alone."""
        other = object.__new__(Twins)
        other.left, other.right = self.left.fork(), self.right.fork()
        other.numbers, other.replaced = self.numbers, self.replaced
        return other

    @property
    def revealed(self) -> bool:
        """Tell whether a card in which they differ lies open."""
        play = self.left.table.round
        if play is None:
            return False
        out = (*play.cards, *play.aside)
        seen = any(one.exposed and one.number in self.numbers for one in out)
        return seen or self.replaced

    def ask(self, one: Ask, two: Ask) -> Events | Refusal:
        """Ask both; a difference that nobody may see is none."""
        asked = (*self.left.script, told(one))
        answers = self.left.ask(one), self.right.ask(two)
        if self.left.table.round and self.left.play.missing and isinstance(answers[0], tuple):
            self.replaced |= any(isinstance(event, e.CardExposed) for event in answers[0])
        heard = [
            answer if isinstance(answer, Refusal) else [_public(event) for event in answer]
            for answer in answers
        ]
        if heard[0] != heard[1] and not self.revealed:
            why = f"told apart by the answer: {difference(*heard)}"
            raise DeadEndError(why, asked)
        return answers[0]

    def compare(self) -> None:
        """Look at both with everybody's eyes."""
        if self.revealed:
            return
        left, right = self.left.table, self.right.table
        if public_view(left) != public_view(right):
            why = "told apart by the public view"
            raise DeadEndError(why, self.left.script)
        # The auditor's part has the pit's in it, and that one the Dealer's.
        # Staff are told what is gone: they put equal cards in its place.
        if not self.left.play.missing and auditor_part(left) != auditor_part(right):
            why = "told apart by what the auditor sees"
            raise DeadEndError(why, self.left.script)
        for patron in left.seats:
            if own_part(left, patron) != own_part(right, patron):
                why = f"told apart by what {patron} sees"
                raise DeadEndError(why, self.left.script)


def _public(event: e.Event) -> e.Event:
    field = HOUSE_ONLY.get(type(event))
    if field is None:
        return event
    empty: object = {} if field == "counts" else None if field == "card" else ()
    more = {"read": ()} if isinstance(event, i.CardsTakenUp) else {}
    return replace(event, **{field: empty, **more})


def difference(one: Any, two: Any) -> str:  # noqa: ANN401
    """Say where two answers part."""
    if isinstance(one, list) and isinstance(two, list):
        for first, second in zip(one, two, strict=False):
            if first != second:
                return f"{first} / {second}"
    return f"{one} / {two}"


def end_alike(twins: Twins, policy: Policy, steps: int) -> None:
    """Go on at both tables until a card in which they differ lies open, or the round ends."""
    for _ in range(steps):
        if twins.revealed or twins.left.over:
            return
        asked = list(answers(twins.left, policy)), list(answers(twins.right, policy))
        if [type(ask.command) for ask in asked[0]] != [type(ask.command) for ask in asked[1]]:
            why = "told apart by what may be asked for"
            raise DeadEndError(why, twins.left.script)
        for one, two in zip(*asked, strict=True):
            if not isinstance(twins.ask(one, two), Refusal):
                break
        twins.compare()
