"""A house for one patron: it calls, shuffles, deals and pays; the patron only bets.

All it does are lines of the language, one after another. Chance is an argument:
``below(n)`` gives a number from 0 to n - 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from croupier.money import dollars
from croupier.playthrough.session import Answer, Session
from croupier.rulebooks import find_game
from croupier.rules.shoe import Shoe
from croupier.table import commands as c
from croupier.table.next import Act, WaitFor, next_act

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from croupier.table.state import Table

YOU = "you"
LINES: dict[type[c.Command], Callable[[Any], str]] = {
    c.LoadShoe: lambda command: f"load shoe {command.shoe} cut={command.cut_behind}",
    c.EndShoe: lambda _: "end shoe",
    c.CallBets: lambda _: "open",
    c.CloseBets: lambda _: "close",
    c.ShakeDie: lambda _: "shake",
    c.PassShaker: lambda _: "pass shaker",
    c.ConfirmShake: lambda _: "confirm shake",
    c.OpenShaker: lambda _: "open shaker",
    c.TakeShoe: lambda command: f"take shoe {command.patron}",
    c.DrawCard: lambda _: "draw",
    c.PassHand: lambda command: f"pass {command.side.value} {command.patron}",
    c.ChooseFirstHand: lambda command: f"first {command.side.value}",
    c.ExposeCard: lambda command: f"expose {command.position.value}",
    c.AnnounceOutcome: lambda _: "announce",
    c.Settle: lambda _: "settle",
    c.ConfirmPayment: lambda _: "paid",
}
"""How the commands of a round's course are written; the die comes with its value."""


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
        self.loaded = ""
        self.shoe = Shoe(())
        self.session = Session(feed=self)

    @property
    def table(self) -> Table:
        """Return the table as it is now."""
        return self.session.table

    @property
    def shoes(self) -> int:
        """Return how many shoes have been in play."""
        return len(self.table.shoes)

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
        """Open the table, seat the patron and call for bets; a refusal ends it.

        At a table where the patron already sits, what was left there goes on.
        """
        if self.table.plan is not None:
            self.decks = self.table.settings.decks
            if self.table.between_rounds:
                yield from self.open()
            return
        step = self._play(f"game {self.game.slug} decks {self.decks} shoe none")
        yield step
        if step.answer.refusal is None:
            brings = f" credit {dollars(self.credit_cents)}" if self.credit_cents else ""
            step = self._play(f"patron {YOU} at 1{brings}")
            yield step
        if step.answer.refusal is None:
            yield from self.open()

    def open(self) -> Iterator[Step]:
        """Call for bets; a new shoe comes first where the old one is out of play."""
        if self.table.replacement_due:
            yield self._play("replace cards")
        while self.table.between_rounds and self.table.hold is None:
            step = self._play(self.next_line())
            yield step
            if step.answer.refusal is not None:
                return

    def _shuffle(self, name: str) -> None:
        cards = Shoe.of(self.game.shoe(self.decks)).shuffled(self.below)
        self.loaded = name
        self.shoe = replace(cards, cut=len(cards) - self.table.settings.behind_cut)

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
        """Return what comes next where nobody but the house, or `you`, is waited for."""
        now = next_act(self.table, self.session.moment, hurried=True)
        assert isinstance(now, Act | WaitFor), "a table without clocks waits for no moment"
        command = now.command
        if isinstance(command, c.AnnounceDie):
            assert self.game.die is not None
            return f"die {self.game.die.faces[self.below(len(self.game.die.faces))]}"
        if isinstance(command, c.DrawCard) and self._cut_card_lies_there:
            return "cut card"
        if isinstance(command, c.LoadShoe):
            self._shuffle(command.shoe)
        assert command is not None, "people decide, and no hold says so"
        return LINES[type(command)](command)

    @property
    def _cut_card_lies_there(self) -> bool:
        """Tell whether the cut card comes out of a shoe for which nobody said where it is."""
        shoe = self.table.shoe
        return self.shoe.cut_card_is_out and shoe is not None and not shoe.cut_card_seen
