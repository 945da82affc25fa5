"""A small driver for tests of the table: its people, and the usual way of a round.

A :class:`Floor` is one table with all that happened at it::

    floor = Floor("baccarat", method=Method.B)
    floor.seat("Ann", "Bea")
    floor.open_bets()
    floor.bet("Ann", "banker", 100_00)
    floor.close_bets()
    floor.deal("2C KH 3D 4S 7H 9C")
    floor.pay()
    assert floor.table.credits["Ann"] == ...

``ask`` gives the answer of the table, ``do`` insists on events, ``refused`` on a refusal.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from croupier.rulebooks import RULEBOOKS, find_game
from croupier.rules.coup import INITIAL_DEAL, Position
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.authority import DEALT, house_deals
from croupier.table.decide import decide
from croupier.table.evolve import fold
from croupier.table.order import shoe_due
from croupier.table.refusals import Refusal
from croupier.table.roles import Patron, Staff, StaffPosition, System
from croupier.table.rulebook import SINGAPORE
from croupier.table.settings import Method, Settings
from croupier.table.state import Phase, Table, unopened

if TYPE_CHECKING:
    from collections.abc import Iterable

    from croupier.table.draft import Events
    from croupier.table.roles import Actor
    from croupier.table.rulings import Situation

NOW = datetime(2026, 1, 1, 12, tzinfo=SINGAPORE)
"""When a floor opens; every command comes a second later. All rulebooks are in force."""

DEALER = Staff("Dan", StaffPosition.DEALER)
SUPERVISOR = Staff("Sue", StaffPosition.PIT_SUPERVISOR)
MANAGER = Staff("Mia", StaffPosition.PIT_MANAGER)
ASSISTANT = Staff("Ada", StaffPosition.ASSISTANT_CASINO_MANAGER)
SHIFT = Staff("Gil", StaffPosition.GAMING_SHIFT_MANAGER)
STAFF = (DEALER, SUPERVISOR, MANAGER, ASSISTANT, SHIFT)
SECOND = Staff("Sol", StaffPosition.PIT_SUPERVISOR)
"""A second person: of the position that every approval asks for by default."""
SYSTEM = System()

CREDIT = 1_000_000_00
HIGH_LIMIT_ROOM = "Paiza Club"

# Coups by rank, in draw order; `faces` gives them suits or elements.
PLAYER_WINS = "4 2 5 3"
"""A natural 9 against 5."""
BANKER_WINS = "A 4 5 3"
"""7 against 6, and nobody draws."""
TIE = "A 4 5 2"
"""6 against 6, and nobody draws."""
SIX_CARDS = "2 3 3 2 5 4"
"""Player has 5 and ends with 0; Banker has 5 and ends with 9."""


def faces(game: str, ranks: str) -> str:
    """Write ranks as cards of a game's deck, going through its suits or elements.

    >>> faces("baccarat", "4 2 5 3")
    '4S 2H 5D 3C'
    """
    deck = find_game(game).deck
    cards = []
    for number, rank in enumerate(ranks.split()):
        same = [card.text for card in deck.cards if card.rank.symbol == rank]
        cards.append(same[number % len(same)])
    return " ".join(cards)


class Floor:
    """One table with its people, and everything that happened at it."""

    def __init__(self, game: str = "baccarat", **settings: Any) -> None:  # noqa: ANN401
        """Open a table for a game and load a shoe; ``settings`` are those of the table.

        Where the rulebook has dealing methods, method B is the default; method C brings the
        table into a high-limit room. There are seven positions, at FF3's first layout five.
        """
        code = find_game(game).edition.code
        self.table: Table = unopened(RULEBOOKS)
        self.events: list[e.Event] = []
        self.moment = NOW
        self.shoes = 0
        if code in ("BAC8", "FF3"):
            settings.setdefault("method", Method.B)
        if code == "FF3" and "layout" not in settings:
            settings.setdefault("positions", 5)
        if settings.get("method") is Method.C:
            settings.setdefault("room", HIGH_LIMIT_ROOM)
        # A Pit Manager opens tables; method C is an Assistant Casino Manager's to choose.
        opener = ASSISTANT if settings.get("method") is Method.C else MANAGER
        self.do(c.OpenTable(Settings(rulebook=code, game=game, **settings)), opener)
        self.load_shoe()

    # Asking

    def ask(
        self,
        command: c.Command,
        actor: Actor = DEALER,
        *,
        approver: Staff | None = None,
        cards: Iterable[str] = (),
        die: int | None = None,
    ) -> Events | Refusal:
        """Bring a command to the table; what it decides happens, and is returned."""
        self.moment += timedelta(seconds=1)
        envelope = c.Envelope(command, actor, self.moment, approver, tuple(cards), die)
        answer = decide(self.table, envelope)
        if not isinstance(answer, Refusal):
            self.table = fold(self.table, answer)
            self.events += answer
        return answer

    def do(
        self,
        command: c.Command,
        actor: Actor | None = None,
        *,
        approver: Staff | None = None,
        cards: Iterable[str] = (),
        die: int | None = None,
    ) -> Events:
        """Bring a command that must be accepted, by the Dealer unless it is told by whom.

        Where the house deals, it does itself what a Dealer does elsewhere. Returns its events.
        """
        dealt = self.table.plan is not None and house_deals(self.table)
        dealer = SYSTEM if dealt and type(command) in DEALT else DEALER
        answer = self.ask(command, actor or dealer, approver=approver, cards=cards, die=die)
        assert not isinstance(answer, Refusal), answer.sentence
        return answer

    def refused(
        self,
        command: c.Command,
        actor: Actor = DEALER,
        *,
        approver: Staff | None = None,
        cards: Iterable[str] = (),
        die: int | None = None,
    ) -> Refusal:
        """Bring a command that must be refused; return the refusal."""
        answer = self.ask(command, actor, approver=approver, cards=cards, die=die)
        assert isinstance(answer, Refusal), answer
        return answer

    def last(self, kind: type[e.Event]) -> Any:  # noqa: ANN401  # of the kind asked for
        """Return the latest event of a kind."""
        return next(event for event in reversed(self.events) if type(event) is kind)

    # Shoe and seats

    def load_shoe(self, cut_behind: int | None = None) -> None:
        """Take the shoe out of play, if there is one, and load the next."""
        shoe = self.table.shoe
        if shoe is not None and not shoe.ended and shoe.replace_by is None:
            self.do(c.EndShoe())
        self.shoes += 1
        self.do(c.LoadShoe(f"shoe {self.shoes}", cut_behind))

    def seat(self, *patrons: str, cents: int = CREDIT) -> None:
        """Seat patrons at the next free positions, each with the same credit."""
        for patron in patrons:
            taken = set(self.table.seats.values())
            free = [n for n in range(1, self.table.settings.positions + 1) if n not in taken]
            self.do(c.TakeSeat(patron, free[0]))
            if cents:
                self.do(c.BringCredit(patron, cents))

    # Betting

    @property
    def caller(self) -> Actor:
        """Return who makes the calls and deals: the Dealer, or the system where it deals."""
        assert self.table.plan is not None
        return SYSTEM if self.table.system_deals else DEALER

    def open_bets(self) -> None:
        """Call for bets."""
        self.do(c.CallBets(), self.caller)

    def bet(self, patron: str, wager: str, cents: int, **how: Any) -> int:  # noqa: ANN401
        """Let a patron put down a stake; return its number. ``how``: shared, join, ..."""
        self.do(c.PlaceWager(patron, wager, cents, **how), Patron(patron))
        placed = self.events[-1]
        assert isinstance(placed, e.WagerPlaced | e.WagerRaised)
        return placed.stake

    def close_bets(self) -> None:
        """Call "no more bets"."""
        self.do(c.CloseBets(), self.caller)

    def bets(self, *stakes: tuple[str, str, int]) -> None:
        """Call for bets, put down stakes of (patron, wager, cents), and close."""
        self.open_bets()
        for patron, wager, cents in stakes:
            self.bet(patron, wager, cents)
        self.close_bets()

    # The die

    def shake(self, die: int = 1) -> None:
        """Go through the whole shake, up to the announcement of the die."""
        for _ in range(3):
            self.do(c.ShakeDie())
        self.do(c.PassShaker())
        self.do(c.ConfirmShake())
        self.do(c.OpenShaker())
        self.do(c.AnnounceDie(), die=die)

    # Dealing

    def deal(self, cards: str, *, die: int = 1) -> None:
        """Deal cards in draw order and turn all of them up, by the table's method.

        Where there is a die and it was not announced, it is shaken first. Under method C
        the patron to whom the device is due takes it, if nobody has it.
        """
        play, plan = self.table.round, self.table.plan
        assert play is not None
        assert plan is not None
        if plan.procedure.shake is not None and play.die is None:
            self.shake(die)
        for face in cards.split():
            self.draw(face)
            drawn = self.drawn()
            if len(drawn) >= len(INITIAL_DEAL):
                self.turn_up()

    def draw(self, face: str | None = None) -> None:
        """Draw one card, by whoever draws at this table."""
        plan = self.table.plan
        assert plan is not None
        actor = self.caller
        if plan.settings.method is Method.C:
            if self.table.shoe_holder is None:
                due = shoe_due(self.table)
                assert due is not None, "nobody to take the device"
                self.do(c.TakeShoe(due), Patron(due))
            assert self.table.shoe_holder is not None
            actor = Patron(self.table.shoe_holder)
        self.do(c.DrawCard(), actor, cards=() if face is None else (face,))

    def drawn(self) -> tuple[Position, ...]:
        """Return the places of all cards dealt in this round."""
        assert self.table.round is not None
        return tuple(dealt.position for dealt in self.table.round.cards)

    def turn_up(self) -> None:
        """Turn up every card that the device read, by whoever holds its hand."""
        play, plan = self.table.round, self.table.plan
        assert play is not None
        assert plan is not None
        if plan.settings.method is Method.A and play.first_hand is None:
            self.do(c.ChooseFirstHand(Side.PLAYER))
        hidden = [dealt for dealt in play.cards if not dealt.exposed]
        for dealt in sorted(hidden, key=lambda dealt: dealt.position.side is Side.BANKER):
            handler = play.handlers.get(dealt.position.side)
            actor = self.caller if handler is None else Patron(handler)
            self.do(c.ExposeCard(dealt.position), actor)

    # Settling

    def pay(self) -> None:
        """Announce the outcome where nobody has, settle, and confirm the payment."""
        if self.table.phase is Phase.DEALING:
            self.do(c.AnnounceOutcome(), self.caller)
        self.do(c.Settle(), self.caller)
        if self.table.phase is Phase.SETTLED:
            self.do(c.ConfirmPayment())

    def play(self, cards: str, *stakes: tuple[str, str, int], die: int = 1) -> None:
        """Play a whole round: stakes of (patron, wager, cents), then the cards."""
        self.bets(*stakes)
        self.deal(cards, die=die)
        self.pay()

    # Irregularities

    def report(
        self,
        situation: Situation,
        actor: Actor = DEALER,
        cards: Iterable[str] = (),
        **what: Any,  # noqa: ANN401  # fields of a report
    ) -> Events:
        """Report an irregularity."""
        return self.do(c.report(situation, **what), actor, cards=cards)

    def confirm(self, actor: Staff = SUPERVISOR, approver: Staff = SECOND) -> Events:
        """Confirm the report that is on hold, with a second person."""
        return self.do(c.ConfirmReport(), actor, approver=approver)
