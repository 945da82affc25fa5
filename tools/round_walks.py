"""Lead tables through whole rounds and note every change of phase: the data of docs/round.md.

Each walk is tried under every rulebook and ends where the table refuses, so what is noted is
what each rulebook really allows.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from croupier.rulebooks import RULEBOOKS
from croupier.rules.coup import Position
from croupier.table import commands as c
from croupier.table.decide import act
from croupier.table.refusals import Refusal
from croupier.table.roles import Actor, Patron, Staff, StaffPosition, System
from croupier.table.rulebook import SINGAPORE
from croupier.table.rulings import Situation
from croupier.table.settings import Method, Settings
from croupier.table.state import Phase, Table, unopened
from croupier.table.views import wire_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from croupier.table.rulebook import Rulebook

MOMENT = datetime(2026, 1, 1, 12, tzinfo=SINGAPORE)
DEALER = Staff("Dan", StaffPosition.DEALER)
SUPERVISOR = Staff("Sue", StaffPosition.PIT_SUPERVISOR)
SECOND = Staff("Sam", StaffPosition.PIT_SUPERVISOR)
MANAGER = Staff("Mia", StaffPosition.PIT_MANAGER)
ASSISTANT = Staff("Ada", StaffPosition.ASSISTANT_CASINO_MANAGER)
SHIFT = Staff("Gil", StaffPosition.GAMING_SHIFT_MANAGER)
NATURAL = ("4", "2", "5", "3")
"""Player has 9 and Banker 5."""

Seen = dict[tuple[Phase, str, Phase], list[str]]


class RefusedError(Exception):
    """The table refused a step, and the walk ends there."""


class Walk:
    """A table on its way: where it was, and the changes of phase that were seen."""

    def __init__(self, rulebook: Rulebook, method: Method | None) -> None:
        self.rulebook = rulebook
        self.table = unopened(RULEBOOKS)
        self.tables: list[Table] = []
        self.seen: list[tuple[Phase, str, Phase]] = []
        layout = rulebook.layouts[0]
        settings = Settings(
            rulebook=rulebook.code,
            game=rulebook.games[0].slug,
            positions=layout.positions[-1] if layout.positions else 7,
            method=method,
            room=rulebook.procedure.hlga_rooms[0] if method is Method.C else "Main floor",
        )
        self.ask(c.OpenTable(settings), ASSISTANT if method is Method.C else MANAGER)

    def ask(
        self,
        command: c.Command,
        actor: Actor = DEALER,
        cards: tuple[str, ...] = (),
        die: int | None = None,
    ) -> None:
        """Ask for something, with a second person at hand; note a change of phase."""
        envelope = c.Envelope(command, actor, MOMENT, SECOND, cards, die)
        answer = act(self.table, envelope)
        if isinstance(answer, Refusal):
            raise RefusedError(answer.sentence)
        before, (_, self.table) = self.table.phase, answer
        self.tables.append(self.table)
        if self.table.phase is not before:
            self.seen.append((before, wire_name(type(command)), self.table.phase))

    @property
    def house(self) -> Actor:
        """Return who calls and deals."""
        return System() if self.rulebook.procedure.calls_by_system else DEALER

    def begin(self) -> None:
        """Load a shoe, seat a patron with credit, and call for bets."""
        self.ask(c.LoadShoe(f"shoe {self.table.rounds}"))
        if not self.table.seats:
            self.ask(c.TakeSeat("Ann", 1))
            self.ask(c.BringCredit("Ann", 100_000))
        self.ask(c.CallBets(), self.house)
        self.ask(c.PlaceWager("Ann", "player", 10_000), Patron("Ann"))

    def close(self) -> None:
        """Close bets."""
        self.ask(c.CloseBets(), self.house)

    def shake(self) -> None:
        """Shake the die, where there is one."""
        if self.rulebook.procedure.shake is None:
            return
        for _ in range(self.rulebook.procedure.shake.shakes):
            self.ask(c.ShakeDie())
        for command in (c.PassShaker(), c.ConfirmShake(), c.OpenShaker()):
            self.ask(command)
        self.ask(c.AnnounceDie(), die=1)

    def deal(self, ranks: Iterable[str] = NATURAL) -> None:
        """Draw cards of these ranks."""
        for rank in ranks:
            self.ask(c.DrawCard(), self.house, (self.face(rank),))

    def face(self, rank: str) -> str:
        """Return a card of this rank."""
        deck = self.rulebook.games[0].deck
        return next(card.text for card in deck.cards if card.rank.symbol == rank)

    def announce(self) -> None:
        """Announce the outcome, where the system did not."""
        if self.table.phase is Phase.DEALING:
            self.ask(c.AnnounceOutcome(), self.house)

    def settle(self) -> None:
        """Settle, and confirm where the Dealer does."""
        self.ask(c.Settle(), self.house)
        if self.rulebook.procedure.dealer_confirms:
            self.ask(c.ConfirmPayment())

    def report(self, situation: Situation, laid: tuple[Position, ...] = ()) -> None:
        """Report an irregularity and confirm it."""
        self.ask(c.report(situation, laid=laid) if laid else c.report(situation))
        self.ask(c.ConfirmReport(), SUPERVISOR)


STAGES: tuple[Callable[[Walk], None], ...] = (
    Walk.begin,
    Walk.close,
    Walk.shake,
    Walk.deal,
    Walk.announce,
    Walk.settle,
)


def _to(walk: Walk, stages: int) -> None:
    for stage in STAGES[:stages]:
        stage(walk)


def _whole_rounds(walk: Walk) -> None:
    _to(walk, len(STAGES))
    walk.ask(c.CallBets(), walk.house)


def _closing_the_table(walk: Walk) -> None:
    walk.ask(c.CloseTable(), MANAGER)


def _void_after(stages: int) -> Callable[[Walk], None]:
    def walk_to_void(walk: Walk) -> None:
        _to(walk, stages)
        walk.report(Situation.FOREIGN_CARD)

    return walk_to_void


def _void_while_dealing(walk: Walk) -> None:
    _to(walk, 3)
    walk.deal(NATURAL[:2])
    walk.report(Situation.FOREIGN_CARD)


def _void_while_shaking(walk: Walk) -> None:
    _to(walk, 2)
    walk.ask(c.ShakeDie())
    walk.report(Situation.FOREIGN_CARD)


def _void_before_confirmation(walk: Walk) -> None:
    _to(walk, len(STAGES) - 1)
    walk.ask(c.Settle(), walk.house)
    walk.report(Situation.FOREIGN_CARD)


def _void_after_payment(walk: Walk) -> None:
    _to(walk, len(STAGES))
    walk.report(Situation.WRONG_NUMBER)


def _after_a_void(*asked: tuple[c.Command, Actor | None]) -> Callable[[Walk], None]:
    def walk_on(walk: Walk) -> None:
        _to(walk, 2)
        walk.report(Situation.FOREIGN_CARD)
        for command, actor in asked:
            walk.ask(command, actor or walk.house)

    return walk_on


def _out_of_cards(walk: Walk) -> None:
    _to(walk, 1)
    assert walk.table.shoe is not None
    walk.ask(c.RemoveCards(walk.table.shoe.left))
    walk.close()
    walk.shake()
    walk.deal(("4",))


def _device_reset(cards: int) -> Callable[[Walk], None]:
    def walk_to_reset(walk: Walk) -> None:
        _to(walk, 2)
        walk.deal(NATURAL[:cards])
        walk.report(Situation.DEVICE_RESET)
        walk.ask(c.EndOption(), SUPERVISOR)
        walk.ask(c.ResetDevice(), SUPERVISOR)

    return walk_to_reset


def _correction(walk: Walk) -> None:
    _to(walk, 5)
    walk.ask(c.CorrectCard(Position.P1, "misread"), SUPERVISOR, (walk.face("3"),))


# Between settlement and payment


def _settled(walk: Walk) -> None:
    _to(walk, len(STAGES) - 1)
    walk.ask(c.Settle(), walk.house)


def _corrected_before_payment(walk: Walk) -> None:
    _settled(walk)
    walk.ask(c.CorrectCard(Position.P1, "misread"), SUPERVISOR, (walk.face("3"),))


def _reconstructed_before_payment(walk: Walk) -> None:
    _settled(walk)
    laid = (Position.P1, Position.P2, Position.B1, Position.B2)
    walk.report(Situation.WRONG_ORDER, laid)


def _found_before_payment(walk: Walk) -> None:
    _settled(walk)
    walk.ask(c.FindStake("Ann", "tie", 50), SUPERVISOR)


def _referred_before_payment(decision: c.Decision) -> Callable[[Walk], None]:
    def walk_to_decision(walk: Walk) -> None:
        _settled(walk)
        walk.ask(c.report(Situation.OTHER))
        walk.ask(c.DecideReferral(decision, "all agree", stake=1), SHIFT)

    return walk_to_decision


WALKS: tuple[Callable[[Walk], None], ...] = (
    _whole_rounds,
    _closing_the_table,
    *(_void_after(stages) for stages in range(1, len(STAGES))),
    _void_while_dealing,
    _void_while_shaking,
    _void_before_confirmation,
    _void_after_payment,
    _after_a_void((c.CallBets(), None)),
    _after_a_void((c.DecideReplacement(replace=False), MANAGER)),
    _after_a_void((c.EndShoe(), DEALER), (c.LoadShoe("another"), DEALER)),
    _after_a_void((c.LeaveSeat("Ann"), DEALER), (c.CloseTable(), MANAGER)),
    _out_of_cards,
    *(_device_reset(cards) for cards in (0, 2)),
    _correction,
    _corrected_before_payment,
    _reconstructed_before_payment,
    _found_before_payment,
    *(_referred_before_payment(one) for one in (c.Decision.VOID, c.Decision.EXCLUDE)),
)


def _method(rulebook: Rulebook) -> Method | None:
    return Method.B if rulebook.procedure.methods else None


def opened(rulebook: Rulebook, method: Method | None) -> Table:
    """Return a table that was opened under a rulebook, with its first game and layout."""
    return Walk(rulebook, method).table


def resting(rulebook: Rulebook) -> dict[Phase, Table]:
    """Return a table in each phase of a round: bets, two cards dealt, settled and not paid."""
    walk = Walk(rulebook, _method(rulebook))
    found: dict[Phase, Table] = {}

    def note() -> None:
        found.setdefault(walk.table.phase, walk.table)

    for stage in STAGES[:3]:
        stage(walk)
        note()
    for ranks in (NATURAL[:2], NATURAL[2:]):
        walk.deal(ranks)
        note()
    walk.announce()
    note()
    walk.ask(c.Settle(), walk.house)
    note()
    found.pop(Phase.IDLE, None)
    return found


def walks(rulebook: Rulebook) -> Iterator[Walk]:
    """Go every walk under a rulebook, each as far as the rulebook goes."""
    for steps in WALKS:
        walk = Walk(rulebook, _method(rulebook))
        with suppress(RefusedError):
            steps(walk)
        yield walk


def changes(rulebooks: Iterable[Rulebook]) -> Seen:
    """Return every change of phase that was seen, and under which rulebooks."""
    found: Seen = {}
    for rulebook in rulebooks:
        for walk in walks(rulebook):
            for change in walk.seen:
                codes = found.setdefault(change, [])
                if rulebook.code not in codes:
                    codes.append(rulebook.code)
    return found
