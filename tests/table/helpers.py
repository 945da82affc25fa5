"""A driver for tests of the table: its people, its games, and the usual ways of a round.

A :class:`Pit` holds one table. ``ask`` brings a command and gives the answer, ``do`` insists
on events, ``refused`` on a refusal; ``try_`` leaves the table as it is.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from croupier.clauses import clauses
from croupier.rulebooks import RULEBOOKS
from croupier.rules.coup import Position
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table.authority import DEALT, house_deals
from croupier.table.decide import decide
from croupier.table.events import WagerPlaced, WagerRaised
from croupier.table.evolve import fold
from croupier.table.refusals import Refusal
from croupier.table.roles import Patron, Staff, StaffPosition, System
from croupier.table.rulebook import SINGAPORE
from croupier.table.settings import Device, Limits, Method, Settings
from croupier.table.state import Phase, Round, Table, unopened
from tests.deals import in_deck_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from croupier.rules.wagers import Wager
    from croupier.table.events import Event
    from croupier.table.roles import Actor

NOW = datetime(2026, 1, 1, 12, tzinfo=SINGAPORE)
"""When a table opens: every rulebook is in force."""

DEALER, SUPERVISOR, MANAGER, ASSISTANT, SHIFT = StaffPosition
DAN = Staff("Dan", DEALER)
SUE = Staff("Sue", SUPERVISOR)
MIA = Staff("Mia", MANAGER)
ADA = Staff("Ada", ASSISTANT)
GUS = Staff("Gus", SHIFT)
SAM = Staff("Sam", SUPERVISOR)
"""The second person, of the position that every approval asks for unless it is set."""
SYSTEM = System()

GAMES = {
    "BAC8": "baccarat",
    "FF3": "fa-fa-fabulous-4",
    "PB6": "power-98",
    "F6T2": "fortune-six-tournament",
    "EB4": "tiger",
}
"""A game of each rulebook."""

WITH_METHODS = ("BAC8", "FF3")
PATRONS = ("ann", "bob", "cyd", "dee")
CREDIT = 10_000_00
HIGH_LIMIT_ROOM = "Ruby Room"
LIMITS = {"*": Limits(50_00, 1000_00)}
UNREAD = Device(reads_cards=False, physical=True)
"""A device that cannot read the cards it gives."""

PLAYER_WINS = "9C 2H KD 3S"
"""A natural 9 of the Player against 5."""
BANKER_WINS = "2C 9H KD TS 3S"
"""A natural 9 of the Banker against 2; the fifth card is never drawn."""
TIE = "9C 9H KD QS"
PLAYER_DRAWS = "2C KH KD 7S 7H"
"""Player draws on 2 and wins with 9 against 7."""
BOTH_DRAW = "2C KH KD 3S 3H 4C"
"""Player draws on 2 to 5, Banker draws on 3 to 7 and wins."""

SHOWN = {clause.shown for clause in clauses().values()}
AnyEvent = TypeVar("AnyEvent", bound="Event")


def well_said(refusal: Refusal) -> None:
    """Insist on one sentence that ends with its clause and a full stop."""
    sentence, clause = refusal.sentence, refusal.clause
    assert sentence.endswith(f" [{clause}]." if clause else "."), sentence
    assert ".." not in sentence
    assert "  " not in sentence
    assert not re.search(r" [.;,]|None|\bcents cents\b", sentence), sentence
    assert clause is None or clause in SHOWN, clause


class Pit:
    """One table with its people, and what happened at it."""

    def __init__(self, settings: Settings, opener: Actor = MIA) -> None:
        self.table: Table = unopened(RULEBOOKS)
        self.events: list[Event] = []
        self.moment = NOW
        self.do(c.OpenTable(settings), opener)
        self.do(c.LoadShoe("first"))

    # Asking

    def try_(
        self,
        command: c.Command,
        actor: Actor = DAN,
        *,
        approver: Staff | None = None,
        cards: Iterable[str] = (),
        die: int | None = None,
    ) -> tuple[Event, ...] | Refusal:
        """Return the answer to a command, and leave the table as it is."""
        envelope = c.Envelope(command, actor, self.moment, approver, tuple(cards), die)
        answer = decide(self.table, envelope)
        if isinstance(answer, Refusal):
            well_said(answer)
        return answer

    def do(
        self,
        command: c.Command,
        actor: Actor | None = None,
        **how: Any,  # noqa: ANN401
    ) -> tuple[Event, ...]:
        """Bring a command that must be accepted, by the Dealer unless it is told by whom.

        Where the house deals, it does itself what a Dealer does elsewhere. Its events happen.
        """
        answer = self.try_(command, actor or self.dealer(command), **how)
        assert not isinstance(answer, Refusal), answer.sentence
        self.table = fold(self.table, answer)
        self.events += answer
        self.moment += timedelta(seconds=1)
        return answer

    def refused(self, command: c.Command, actor: Actor = DAN, **how: Any) -> Refusal:  # noqa: ANN401
        """Bring a command that must be refused."""
        answer = self.try_(command, actor, **how)
        assert isinstance(answer, Refusal), answer
        return answer

    def last(self, kind: type[AnyEvent]) -> AnyEvent:
        """Return the latest event of a kind."""
        return next(event for event in reversed(self.events) if isinstance(event, kind))

    # What is there

    @property
    def game(self) -> str:
        return self.table.settings.game

    @property
    def play(self) -> Round:
        assert self.table.round is not None
        return self.table.round

    def is_at(self, phase: Phase) -> bool:
        return self.table.phase is phase

    @property
    def caller(self) -> Actor:
        """Return who makes the calls: the Dealer, or the system where it deals."""
        return SYSTEM if self.table.system_deals else DAN

    def dealer(self, command: c.Command) -> Actor:
        """Return who does what the Dealer does: at some tables the house."""
        dealt = self.table.plan is not None and house_deals(self.table)
        return SYSTEM if dealt and type(command) in DEALT else DAN

    @property
    def wagers(self) -> dict[str, Wager]:
        assert self.table.plan is not None
        return self.table.plan.offered

    def faces(self, cards: str) -> tuple[str, ...]:
        """Write cards of the 52-card deck as those of the game in play."""
        return tuple(in_deck_of(self.game, cards).split())

    # A round

    def call(self) -> None:
        self.do(c.CallBets(), self.caller)

    def close(self) -> None:
        self.do(c.CloseBets(), self.caller)

    def bet(self, patron: str, wager: str, cents: int, **how: Any) -> int:  # noqa: ANN401
        """Let a patron put down a stake, and return its number."""
        placed = self.do(c.PlaceWager(patron, wager, cents, **how), Patron(patron))[0]
        assert isinstance(placed, WagerPlaced | WagerRaised)
        return placed.stake

    def bets(self, *stakes: tuple[str, str, int]) -> None:
        """Call for bets, take stakes, and close."""
        self.call()
        for patron, wager, cents in stakes:
            self.bet(patron, wager, cents)
        self.close()

    def shake(self, die: int = 1) -> None:
        """Go through the whole shake."""
        for _ in range(3):
            self.do(c.ShakeDie())
        self.do(c.PassShaker())
        self.do(c.ConfirmShake())
        self.do(c.OpenShaker())
        self.do(c.AnnounceDie(), die=die)

    def draw(self, face: str | None = None) -> None:
        """Draw one card, by whoever draws here."""
        actor = self.caller
        if self.table.settings.method is Method.C:
            assert self.table.shoe_holder is not None
            actor = Patron(self.table.shoe_holder)
        self.do(c.DrawCard(), actor, cards=self.faces(face) if face else ())

    def expose(self, *places: str) -> None:
        """Turn cards up, by whoever holds their hand."""
        for name in places:
            place = Position(name)
            holder = self.play.handlers.get(place.side)
            self.do(c.ExposeCard(place), Patron(holder) if holder else self.caller)

    def deal(self, cards: str, die: int = 1) -> None:
        """Deal cards of the 52-card deck until the coup is over, and turn them up."""
        method = self.table.settings.method
        if self.table.settings.rulebook == "PB6" and self.play.die is None:
            self.shake(die)
        for number, face in enumerate(cards.split(), 1):
            if self.play.coup is not None and self.play.coup.complete:
                break
            self.draw(face)
            if method in (Method.A, Method.C) and number >= 4:
                if number == 4 and method is Method.A and self.play.first_hand is None:
                    self.do(c.ChooseFirstHand(Side.PLAYER))
                hidden = [card.position for card in self.play.cards if not card.exposed]
                places = sorted(hidden, key=lambda place: place.side is Side.BANKER)
                self.expose(*[place.value for place in places])

    def settle(self) -> None:
        """Announce the outcome where nobody has, and settle."""
        if self.table.phase is Phase.DEALING:
            self.do(c.AnnounceOutcome(), self.caller)
        self.do(c.Settle(), self.caller)

    def finish(self) -> None:
        """Settle and confirm the payment, so that the round is over."""
        self.settle()
        if self.table.phase is Phase.SETTLED and not self.play.confirmed:
            self.do(c.ConfirmPayment())

    def round(self, cards: str, *stakes: tuple[str, str, int], die: int = 1) -> None:
        """Play a whole round."""
        self.bets(*stakes)
        self.deal(cards, die)
        self.finish()


def settings(code: str, method: str | None = None, **others: Any) -> Settings:  # noqa: ANN401
    """Return settings under which a table opens; without a method, B where there are any."""
    if method is None and code in WITH_METHODS:
        method = "B"
    if method == "C":
        others.setdefault("room", HIGH_LIMIT_ROOM)
    if code == "FF3":
        others.setdefault("layout", "B")
    others.setdefault("game", GAMES[code])
    return Settings(rulebook=code, method=Method(method) if method else None, **others)


def pit(code: str, method: str | None = None, **others: Any) -> Pit:  # noqa: ANN401
    """Open a table of a rulebook, with four patrons at positions 1 to 4."""
    opened = Pit(settings(code, method, **others), ADA if method == "C" else MIA)
    for seat, patron in enumerate(PATRONS, 1):
        opened.do(c.TakeSeat(patron, seat))
        opened.do(c.BringCredit(patron, CREDIT))
    return opened
