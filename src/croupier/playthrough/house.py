"""A house for one patron: it calls, shuffles, deals and pays; the patron only bets.

All it does are lines of the language, one after another. Chance is an argument:
``below(n)`` gives a number from 0 to n - 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from croupier.money import dollars
from croupier.playthrough.session import Answer, Session
from croupier.rulebooks import find_game
from croupier.rules.shoe import Shoe
from croupier.table.settings import Method
from croupier.table.state import Phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from croupier.table.state import Round, Table

YOU = "you"
BEHIND_CUT = 14
"""Cards behind the cut card, by common practice; the rulebooks do not say."""


@dataclass(frozen=True, slots=True)
class Step:
    """A line that the house played, and what it led to."""

    line: str
    answer: Answer


class House:
    """A table of a game, a shuffled shoe, and one patron with credit.

    >>> house = House("tiger", lambda n: n // 2)
    >>> [step.answer.result for step in house.begin()][-1]
    'OPEN'
    >>> house.session.play("place you player 50").result
    'placed 50.00 on player (stake 1)'
    >>> [step.answer.refusal for step in house.deal()][-1] is None
    True
    """

    def __init__(
        self,
        slug: str,
        below: Callable[[int], int],
        *,
        decks: int = 8,
        credit_cents: int = 100_000,
    ) -> None:
        self.game = find_game(slug)
        self.below = below
        self.decks = decks
        self.credit_cents = credit_cents
        self.shoes = 0
        self.loaded = ""
        self.shoe = Shoe(())
        self.session = Session(feed=self)

    @property
    def table(self) -> Table:
        """Return the table as it is now."""
        return self.session.table

    # The cards come from the shuffled shoe.

    def card(self) -> str | None:
        """Return the next card of the shoe without taking it; another shoe is shuffled."""
        shoe = self.table.shoe
        if shoe is not None and shoe.name != self.loaded:
            self._shuffle(shoe.name)
        return self.shoe.draw()[0].text if len(self.shoe) else None

    def take(self) -> None:
        """Take the next card out of the shoe."""
        if len(self.shoe):
            self.shoe = self.shoe.draw()[1]

    def _play(self, line: str) -> Step:
        return Step(line, self.session.play(line))

    def begin(self) -> Iterator[Step]:
        """Open the table, seat the patron and call for bets; a refusal ends it."""
        step = self._play(f"game {self.game.slug} decks {self.decks} shoe none")
        yield step
        if step.answer.refusal is None:
            step = self._play(f"patron {YOU} at 1 credit {dollars(self.credit_cents)}")
            yield step
        if step.answer.refusal is None:
            yield from self.open()

    def open(self) -> Iterator[Step]:
        """Call for bets; a new shoe comes first where the old one is out of play."""
        if self.table.replacement_due:
            yield self._play("replace cards")
        shoe = self.table.shoe
        if shoe is None or shoe.ended or shoe.replace_by is not None:
            yield self._new_shoe()
        yield self._play("open")

    def _new_shoe(self) -> Step:
        last = self.table.shoe
        self.shoes += 1
        if last is not None and last.name == str(self.shoes):
            self.shoes += 1
        self._shuffle(str(self.shoes))
        return self._play(f"load shoe {self.loaded} cut={self.shoe.cut}")

    def _shuffle(self, name: str) -> None:
        cards = Shoe.of(self.game.shoe(self.decks)).shuffled(self.below)
        self.loaded = name
        self.shoe = replace(cards, cut=len(cards) - BEHIND_CUT)

    def deal(self) -> Iterator[Step]:
        """Play the round to its end, or until it waits for somebody or something is refused."""
        if self.table.between_rounds:
            yield from self.open()
        while not self.table.between_rounds and self.table.hold is None:
            step = self._play(self.next_line())
            yield step
            if step.answer.refusal is not None:
                return

    def next_line(self) -> str:
        """Return what the house does next in a round that waits for nobody."""
        table = self.table
        play = table.round
        assert play is not None, "no round"
        if table.phase is Phase.OPEN:
            return "close"
        if table.phase is Phase.RESULT:
            return "settle"
        if table.phase is Phase.SETTLED:
            return "paid"
        assert table.plan is not None
        if table.plan.procedure.shake is not None and play.die is None:
            return self._shake_line(play, table.plan.procedure.shake.shakes)
        return self._card_line(play)

    def _shake_line(self, play: Round, shakes: int) -> str:
        if play.shakes < shakes:
            return "shake"
        if not play.shaker_passed:
            return "pass shaker"
        if not play.shake_confirmed:
            return "confirm shake"
        if play.shaker_opened is None:
            return "open shaker"
        assert self.game.die is not None
        return f"die {self.game.die.faces[self.below(len(self.game.die.faces))]}"

    def _card_line(self, play: Round) -> str:
        table = self.table
        if self.shoe.cut_card_is_out and table.shoe and not table.shoe.cut_card_seen:
            return "cut card"
        if len(play.cards) >= len("PBPB"):
            hidden = [dealt.position.value for dealt in play.cards if not dealt.exposed]
            if hidden and table.settings.method is Method.A and play.first_hand is None:
                return "first player"
            if hidden:
                return f"expose {min(hidden, key=_player_first)}"
        if play.coup is not None and play.coup.complete and play.cards:
            return "announce"
        return "draw"


def _player_first(place: str) -> tuple[bool, str]:
    return place.startswith("B"), place
