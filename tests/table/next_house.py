"""A house that deals by ``next_act`` alone, with a clock of its own, and patrons by chance.

:class:`Dealt` is one table: it does what ``next_act`` says, lets the clock jump to the moment
it waits for, and asks people for what is theirs. Every act must be accepted at its moment.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from croupier.rulebooks import RULEBOOKS, find_game
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.authority import needs, second_of
from croupier.table.decide import act
from croupier.table.evolve import fold
from croupier.table.next import Act, WaitFor, WaitUntil, closes_at, next_act
from croupier.table.refusals import Refusal
from croupier.table.roles import Patron, Staff
from croupier.table.settings import Clocks, DealtBy, Method, Settings
from croupier.table.state import Phase, Table, unopened
from tests.table.floor import ASSISTANT, HIGH_LIMIT_ROOM, MANAGER, NOW, SYSTEM
from tests.table.machine_finish import answer_of

if TYPE_CHECKING:
    from datetime import datetime
    from random import Random

    from croupier.table.next import Next
    from croupier.table.roles import Actor

PATRONS = ("Ann", "Bea", "Cid")
STEPS_MAX = 4_000
"""More than a shoe of four decks needs."""
AT_ONCE = Clocks(betting_ms=0, pause_ms=0, pace_ms=0, answer_ms=0)


def settings_of(game: str, method: Method | None, **others: object) -> Settings:
    """Return the settings of a table that the system deals."""
    rulebook = find_game(game).edition.code
    if method is not None:
        others["method"] = method
    if method is Method.C:
        others["room"] = HIGH_LIMIT_ROOM
    if rulebook == "FF3":
        others["positions"] = 5
    if rulebook != "EB4":
        others.setdefault("dealt_by", DealtBy.HOUSE)
    return Settings(rulebook=rulebook, game=game, **others)  # type: ignore[arg-type]


class Dealt:
    """A table, its clock, and all that happened at it."""

    def __init__(self, settings: Settings, chance: Random) -> None:
        self.table: Table = unopened(RULEBOOKS)
        self.chance, self.moment = chance, NOW
        self.events: list[e.Event] = []
        self.acts: list[c.Command] = []
        """What the system did."""
        self.waits = 0
        self.fresh = False
        """Something was done at this very moment."""
        game = find_game(settings.game)
        self.faces = [card.text for card in game.shoe(settings.decks).cards()]
        self.present = 1.0
        """How often patrons answer."""
        opener = ASSISTANT if settings.method is Method.C else MANAGER
        self.ask(c.OpenTable(settings), opener)

    # Asking

    def try_(
        self, command: c.Command, actor: Actor, approver: Staff | None = None
    ) -> Refusal | None:
        """Bring a command, with what the house has; return the refusal."""
        envelope = c.Envelope(
            command, actor, self.moment, approver, self.cards(command), self.chance.choice(DIE)
        )
        answer = act(self.table, envelope)
        if isinstance(answer, Refusal):
            return answer
        events, self.table = answer
        self.events += events
        self.fresh = not isinstance(command, c.PlaceWager)
        if any(isinstance(event, e.ShoeLoaded) for event in events):
            self.chance.shuffle(self.faces)
        return None

    def ask(self, command: c.Command, actor: Actor, approver: Staff | None = None) -> None:
        """Bring a command that must be accepted."""
        refusal = self.try_(command, actor, approver)
        assert refusal is None, f"{command}: {refusal}"

    def cards(self, command: c.Command) -> tuple[str, ...]:
        """Return the card that a device or a sealed shoe gives with a command."""
        table, shoe = self.table, self.table.shoe
        if isinstance(command, c.DrawCard):
            assert shoe is not None
            return (self.faces[shoe.out % len(self.faces)],)
        if isinstance(command, c.ExposeCard):
            assert table.round is not None
            dealt = [one for one in table.round.cards if one.position is command.position]
            if dealt and dealt[0].card is None:
                return (self.faces[dealt[0].number],)
        return ()

    def seat(self, *patrons: str) -> None:
        """Seat patrons with credit."""
        for place, patron in enumerate(patrons, 1):
            self.ask(c.TakeSeat(patron, place), SYSTEM)
            self.ask(c.BringCredit(patron, 1_000_000_00), SYSTEM)

    # Going on

    def next(self) -> Next:
        """Ask what comes next, twice, and test what must hold of the answer."""
        now = next_act(self.table, self.moment)
        assert now == next_act(self.table, self.moment)
        if isinstance(now, WaitUntil):
            assert now.moment > self.moment, "waits for the past"
        if isinstance(now, WaitFor) and now.until is not None:
            assert now.patrons
            assert now.until > self.moment, "waits for the past"
            if self.fresh and now.command is not None:
                # Whoever is asked something new has the whole time for it.
                answer = timedelta(milliseconds=self.table.settings.clocks.answer_ms)
                assert now.until == self.moment + answer
        closing = closes_at(self.table)
        if closing is not None and closing > self.moment:
            assert now == WaitUntil(closing)
        return now

    def step(self) -> Next:
        """Do what comes next; people do what they like."""
        now = self.next()
        if isinstance(now, Act):
            self.acts.append(now.command)
            assert now.actor == SYSTEM
            self.ask(now.command, now.actor)
        elif isinstance(now, WaitUntil):
            self.wagers()
            self.wait(now.moment)
        elif now.until is not None:
            self.answers(now, now.until)
        else:
            self.decides(now)
        return now

    def wait(self, moment: datetime) -> None:
        """Let the clock come to a moment."""
        assert moment > self.moment
        self.moment, self.waits, self.fresh = moment, self.waits + 1, False

    def wagers(self) -> None:
        """Let patrons wager while bets are open, as they like and may."""
        if self.table.phase is not Phase.OPEN:
            return
        assert self.table.plan is not None
        for patron in self.table.seats:
            for _ in range(self.chance.randrange(3)):
                wager = self.chance.choice(list(self.table.plan.offered))
                cents = 100_00 * self.chance.randrange(1, 9)
                self.try_(c.PlaceWager(patron, wager, cents), Patron(patron))

    def answers(self, now: WaitFor, until: datetime) -> None:
        """Let one of the patrons answer in some way, or all be absent until the end."""
        if self.chance.random() >= self.present:
            self.wait(until)
            return
        patron = self.chance.choice(now.patrons)
        self.moment += timedelta(milliseconds=1)
        if self.moment >= until:
            return
        command = now.command
        if command is None:
            some = (c.Withdraw(patron), c.KeepWagers(patron))
            self.ask(self.chance.choice(some), Patron(patron))
        elif isinstance(command, c.ExposeCard) and self.chance.random() < REFUSES:
            self.ask(c.RefuseHand(command.position.side, patron), Patron(patron))
        elif isinstance(command, c.ConfirmShake) and self.chance.random() < REFUSES:
            self.ask(c.RefuseShaker(patron), Patron(patron))
        elif isinstance(command, c.TakeShoe) and self.chance.random() < REFUSES:
            self.ask(c.RefuseShoe(patron), Patron(patron))
        else:
            self.ask(command, Patron(patron))

    def decides(self, now: WaitFor) -> None:
        """Let staff decide what only they may; the system did not."""
        table = self.table
        assert now.positions, f"nobody can go on: {now.why}"
        if table.hold is None and table.replacement_due:
            command: c.Command = c.DecideReplacement(bool(self.chance.randrange(2)))
        elif now.command is not None:
            command = now.command
        else:
            command = answer_of(table, self.chance)
        plan = table.plan
        assert plan is not None
        need = needs(table, command)
        assert need.position in now.positions or table.hold is not None
        assert need.position is not None
        second = second_of(plan, need)
        self.moment += timedelta(seconds=1)
        approver = None if second is None else Staff("Ivo", second)
        self.ask(command, Staff("Ida", need.position), approver)

    def play_round(self) -> None:
        """Go on until the next round is over."""
        rounds = self.table.rounds
        for _ in range(STEPS_MAX):
            self.step()
            if self.table.rounds > rounds and self.table.between_rounds and not self.table.hold:
                return
        message = "the round does not end"
        raise AssertionError(message)

    def check(self) -> None:
        """Test that nothing was lost, and that the events alone give the table back."""
        table = self.table
        held = sum(table.credits.values()) + table.in_play + table.bank + table.commission
        assert held == table.brought
        assert fold(unopened(RULEBOOKS), self.events) == table


DIE = (1, 2, 3, 4, 5, 6)
REFUSES = 0.2
