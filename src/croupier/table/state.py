"""The state of a table: frozen, and changed only by events."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003  # structs look at their annotations
from datetime import datetime  # noqa: TC003
from itertools import product

import msgspec

from croupier.frozen import Named
from croupier.rules.cards import Card  # noqa: TC001
from croupier.rules.coup import Coup, Position  # noqa: TC001
from croupier.rules.decided import INITIAL, Decided, Standing, decide_wagers
from croupier.rules.outcome import Side
from croupier.table.commands import Report  # noqa: TC001
from croupier.table.events import By, PayLine  # noqa: TC001
from croupier.table.incidents import Placement  # noqa: TC001
from croupier.table.rulebook import Rulebook  # noqa: TC001
from croupier.table.rulings import Situation, Step  # noqa: TC001
from croupier.table.settings import DealtBy, Plan, Settings


class Phase(Named):
    """Where a round is, between two calls."""

    UNOPENED = "UNOPENED"
    IDLE = "IDLE"
    OPEN = "OPEN"
    CLOSED = "CLOSED"
    SHAKE = "SHAKE"
    DEALING = "DEALING"
    RESULT = "RESULT"
    SETTLED = "SETTLED"
    VOID = "VOID"


RESTING = frozenset((Phase.IDLE, Phase.VOID))
"""Phases in which no round is in progress."""
SYSTEM = "system"
"""Who deals at an electronic table, by its rulebook."""


class HoldKind(Named):
    """What a round waits for."""

    REPORT = "report"
    BALANCE = "balance"
    WITHDRAWAL = "withdrawal"
    ORDER = "order"
    RESET = "reset"
    RESERVE = "reserve"
    SORT = "sort"
    SUBSTITUTE = "substitute"
    REFERRAL = "referral"


class Share(msgspec.Struct, frozen=True, gc=False):
    """One patron's part of a stake."""

    patron: str
    cents: int
    order: int
    """When it was placed, among all of the round."""
    placed_by: str | None = None
    found_cents: int = 0
    """What of it was found on the layout after the closing."""


class Stake(msgspec.Struct, frozen=True, gc=False):
    """An amount on a wager at a playing position, of one or several patrons."""

    number: int
    position: int
    wager: str
    shares: tuple[Share, ...]
    shared: bool = False
    found: bool = False
    """It was found on the layout, outside the limits."""

    @property
    def cents(self) -> int:
        """Return the whole amount."""
        shares = self.shares
        if len(shares) == 1:
            return shares[0].cents
        return sum(share.cents for share in shares)

    def share(self, patron: str) -> Share | None:
        """Return a patron's part of it."""
        for share in self.shares:
            if share.patron == patron:
                return share
        return None


class DealtCard(msgspec.Struct, frozen=True, gc=False):
    """A card on the table: its place, and its face as far as somebody knows it."""

    position: Position
    card: Card | None
    exposed: bool = False
    handed_to: str | None = None
    number: int = 0
    """Which card of its shoe it is, counted from 0."""
    turned_by: str | None = None
    """Which patron turned it up, while its face is still to be keyed in."""

    @property
    def known(self) -> bool:
        """Tell whether a patron could know it: exposed, or handed out to squeeze."""
        return self.exposed or self.handed_to is not None


class Shoe(msgspec.Struct, frozen=True):
    """The accounts of a shoe; its order is not part of the table."""

    name: str
    cards: int
    cut_behind: int | None = None
    out: int = 0
    seen: Mapping[str, int] = {}
    """How many of each face have been seen."""
    cut_card_seen: bool = False
    ended: bool = False
    replace_by: str | None = None
    """The clause by which these cards must be replaced before the next round."""

    @property
    def left(self) -> int:
        """Return how many cards are still in the device."""
        return self.cards - self.out


class Hold(msgspec.Struct, frozen=True):
    """What a round waits for, and what is to be done then."""

    kind: HoldKind
    clause: str | None
    situation: Situation | None = None
    steps: tuple[tuple[Step, str | None], ...] = ()
    patrons: tuple[str, ...] = ()
    stakes: tuple[int, ...] = ()
    answers: Mapping[str, bool] = {}
    """Who answered, and whether with a withdrawal."""
    suggestion: str | None = None
    report: Report | None = None
    """What led to it."""
    cards: tuple[str, ...] = ()
    """The faces that came with the report."""
    by: By | None = None
    """Who reported it, and when."""
    since: datetime | None = None
    """From when on the round waits for it; behind something else it waited longer."""
    ruling: tuple[Step, ...] = ()
    """All steps of what led to it, those that are done too."""
    confirmed_at: datetime | None = None
    """When somebody confirmed the report; None: nobody did yet, or nobody needed to."""


class Ruled(msgspec.Struct, frozen=True, gc=False):
    """A report that is ruled, or was dismissed, so that the round goes on."""

    situation: Situation
    clause: str | None
    reported: datetime
    dismissed: bool = False


class Mend(Named):
    """What can be put right in a round while it goes on."""

    ORDER = "order"
    """Cards were laid in the order in which they were drawn."""
    FACE = "face"
    """A face that was read or keyed in wrongly was corrected."""
    ASIDE = "aside"
    """Cards that no hand takes were set aside."""
    FIXED = "fixed"
    """The order of cards that came out together was fixed."""
    RESET = "reset"
    """The device was reset, and the cards of the round were set aside."""


class Mended(msgspec.Struct, frozen=True, gc=False):
    """What was put right in a round, as everybody may know it."""

    what: Mend
    clause: str | None = None
    count: int = 0
    """How many cards were set aside."""
    cards: tuple[Placement, ...] = ()
    """Those that lay open, as they lie since."""
    before: str | None = None
    """The face that was wrong."""


class Queued(msgspec.Struct, frozen=True):
    """A report that came while the round waited for something else (A52)."""

    report: Report
    cards: tuple[str, ...]
    by: By


Course = tuple[tuple[tuple[str, str, int], ...], ...]
"""Patron, wager and cents of every move, in chapters: a new move copies only the newest."""
CHAPTER = 32


def with_move(course: Course, patron: str, wager: str, cents: int) -> Course:
    """Return a course with one move more."""
    move = (patron, wager, cents)
    if course and len(course[-1]) < CHAPTER:
        return course[:-1] + (course[-1] + (move,),)  # noqa: RUF005  # quicker
    return (*course, (move,))


class Round(msgspec.Struct, frozen=True, gc=False):
    """A round of play."""

    number: int
    opened: datetime
    dealt_by: str = DealtBy.DEALER.value
    """Who deals it; a round that the house deals is not by the rulebook."""
    shoe: str = ""
    """The name of its shoe; another may be in play when it is void after all."""
    stakes: Mapping[int, Stake] = {}
    placed: int = 0
    """How many stakes and shares have been placed: the next order."""
    course: Course = ()
    """Who put down how many cents on which wager, or took them back, in order (A27)."""
    closed: datetime | None = None
    closings: int = 0
    asked_to_lower: Side | None = None
    """Whose patrons the Dealer asked to lower their wagers."""
    shakes: int = 0
    shaker: str | None = None
    shaker_passed: bool = False
    shaker_refused: tuple[str, ...] = ()
    shake_confirmed: bool = False
    shaker_opened: str | None = None
    die: int | None = None
    power: bool = False
    cards: tuple[DealtCard, ...] = ()
    """In the order in which they were drawn."""
    waiting: tuple[Card | None, ...] = ()
    """Out of the device and not yet in a hand."""
    waiting_numbers: tuple[int, ...] = ()
    """Which cards of their shoe these are."""
    aside: tuple[DealtCard, ...] = ()
    """Cards that were in a hand and that no hand takes, drawn after those that are."""
    unused: tuple[Card | None, ...] = ()
    """Cards that waited until the coup was over, drawn after all others."""
    unused_numbers: tuple[int, ...] = ()
    coup: Coup | None = None
    """The cards, once the initial deal and all that was drawn since is exposed."""
    cut_card_first: bool = False
    cut_card_seen: bool = False
    cut_card_offered: bool = False
    """Patrons were let withdraw because the cut card came first."""
    handlers: Mapping[Side, str] = {}
    named: Mapping[Side, str] = {}
    """Whom staff named, or permitted, to handle a hand."""
    named_by: Mapping[Side, str] = {}
    """By which clause they were."""
    refused: Mapping[Side, tuple[str, ...]] = {}
    shoe_refused: tuple[str, ...] = ()
    draws_attested: tuple[str, str | None] | None = None
    """Who of staff sees every draw, and whose draws: those of the device's holder."""
    shoe_lost: str | None = None
    """Who lost control of the device by this settlement: a reversal gives it back."""
    with_dealer: tuple[Side, ...] = ()
    """Hands whose handler is absent: the Dealer turns them up."""
    first_hand: Side | None = None
    outcome: tuple[int, int, Side | None] | None = None
    lines: tuple[PayLine, ...] | None = None
    corrected: tuple[PayLine, ...] = ()
    """Lines of earlier pay lists of this round, which were reversed."""
    put_right: tuple[tuple[PayLine, PayLine], ...] = ()
    """Lines as the cards give them, and as somebody decided that they are paid."""
    confirmed: bool = False
    reported: Report | None = None
    """The irregularity that is being ruled, or was last."""
    reported_cards: tuple[str, ...] = ()
    reported_by: By | None = None
    reported_steps: tuple[Step, ...] = ()
    """What its ruling does."""
    reported_confirmed_at: datetime | None = None
    ruled: Ruled | None = None
    """The last report that nothing is waited for any more."""
    mended: Mended | None = None
    """What was put right last."""
    queue: tuple[Queued, ...] = ()
    """Reports that wait behind what the round waits for."""
    sorted: Mapping[str, int] | None = None
    missing: tuple[str, ...] = ()
    terminals_closed: tuple[int, ...] = ()
    terminals_decided: tuple[int, ...] = ()
    """Those whose wagers were decided on: they are not flagged again."""
    answered_at: tuple[str, int, int, int, int] | None = None
    """How far the round was when all had answered whether they withdraw after a power failure:
    while it is there, nobody is asked again."""


class Result(msgspec.Struct, frozen=True, gc=False):
    """A round that is over, as a road shows it."""

    round: int
    cards: tuple[str, ...]
    die: int | None = None
    void: bool = False


class Flag(msgspec.Struct, frozen=True, gc=False):
    """Accepted wagers of a terminal that never showed the closing of a round."""

    position: int
    round: int


class Table(msgspec.Struct, frozen=True, gc=False):
    """A table. The undealt shoe is not part of it: a card enters with its event."""

    rulebooks: tuple[Rulebook, ...]
    phase: Phase = Phase.UNOPENED
    since: datetime | None = None
    """When the table last came a step further, or was asked something: clocks run from here."""
    dealer: str | None = None
    """The Dealer who signed in at a table that the house deals otherwise."""
    plan: Plan | None = None
    closes: datetime | None = None
    """When the table closes, where notice of it was given."""
    scheduled: Settings | None = None
    scheduled_by: By | None = None
    rounds: int = 0
    round: Round | None = None
    hold: Hold | None = None
    suspended: tuple[Hold, ...] = ()
    """What the round will wait for again after the present hold, the last first (A52)."""
    shoe: Shoe | None = None
    shoes: frozenset[str] = frozenset()
    """All shoes that were in play since the table opened."""
    loaded: int = 0
    """How many shoes were ever in play here, however often the table closed."""
    shoe_holder: str | None = None
    shoe_held_since: int | None = None
    """The round in which the holder, or who had it last, took it."""
    shoe_permitted: tuple[str, ...] = ()
    """Patrons who may take the shoe without a wager."""
    shoe_relinquished: str | None = None
    """Who gave the shoe up: it is offered to all others first."""
    replacement_due: bool = False
    """Whether the cards are replaced after a void is still to be decided."""
    seats: Mapping[str, int] = {}
    credits: Mapping[str, int] = {}
    in_play: int = 0
    bank: int = 0
    """What the house won, or lost."""
    commission: int = 0
    brought: int = 0
    """What came from the cage, less what went back."""
    under_minimum: frozenset[str] = frozenset()
    """Patrons whose under-minimum wager was settled once."""
    lost_terminals: frozenset[int] = frozenset()
    flagged: tuple[Flag, ...] = ()
    """Accepted wagers to be decided on, until somebody has (A30)."""
    results: tuple[Result, ...] = ()
    """The rounds of this shoe, and one of the shoe before it that was void after all."""

    @property
    def stakes(self) -> tuple[Stake, ...]:
        """Return the stakes of the round."""
        return tuple(self.round.stakes.values()) if self.round else ()

    @property
    def settings(self) -> Settings:
        """Return the settings in force."""
        assert self.plan is not None, "the table is not open"
        return self.plan.settings

    @property
    def reached(self) -> tuple[str, int, int, int, int]:
        """Return how far the round is: phase, cards drawn and exposed, hands, moves of stakes.

        A hand that somebody squeezes counts as known (A18).
        """
        play = self.round
        assert play is not None, "no round"
        exposed = sum(dealt.exposed or dealt.turned_by is not None for dealt in play.cards)
        moves = sum(map(len, play.course))
        hands = len(play.handlers) + sum(map(len, play.refused.values()))
        return self.phase.value, len(play.cards), exposed, hands, moves

    @property
    def between_rounds(self) -> bool:
        """Tell whether no round is in progress."""
        if self.phase is Phase.SETTLED:
            return self.round is not None and self.round.confirmed
        return self.phase in RESTING

    @property
    def dealt_by(self) -> str:
        """Return who deals: the round in progress, or the next one."""
        assert self.plan is not None, "the table is not open"
        if self.plan.calls_by_system:
            return SYSTEM
        if self.round is not None and not self.between_rounds:
            return self.round.dealt_by
        house = (self.scheduled or self.settings).dealt_by is DealtBy.HOUSE
        return DealtBy.HOUSE.value if house and self.dealer is None else DealtBy.DEALER.value

    @property
    def system_deals(self) -> bool:
        """Tell whether the system gives what a Dealer gives elsewhere."""
        return self.plan is not None and self.dealt_by != DealtBy.DEALER.value

    @property
    def known(self) -> Mapping[Position, Card]:
        """Return the cards somebody could know, as far as their faces are recorded."""
        play = self.round
        if play is None:
            return {}
        return {
            dealt.position: dealt.card
            for dealt in play.cards
            if dealt.known and dealt.card is not None
        }

    @property
    def exposed(self) -> Mapping[Position, Card]:
        """Return the cards that lie open for all to see."""
        play = self.round
        if play is None:
            return {}
        return {
            dealt.position: dealt.card
            for dealt in play.cards
            if dealt.exposed and dealt.card is not None
        }

    @property
    def cards_out(self) -> bool:
        """Tell whether a card of the round has left the device."""
        play = self.round
        return play is not None and bool(play.cards or play.waiting)

    @property
    def decided(self) -> Decided:
        """Return how every offered wager stands by the known cards."""
        assert self.plan is not None, "the table is not open"
        return decide_wagers(self.plan.game, self.known, self.plan.offered)

    @property
    def established(self) -> bool:
        """Tell whether any offered wager has conclusively won or lost (A18, A41).

        A card handed out from a device that cannot read has no value here; then it counts
        as known when every value would decide something.
        """
        if self.plan is None or self.round is None:
            return False
        if self.decided.established:
            return True
        unread = [
            dealt.position
            for dealt in self.round.cards
            if dealt.handed_to is not None and dealt.card is None
        ]
        return any(
            all(position in unread or position in self.known for position in hand)
            and self._decided_by_any([place for place in hand if place in unread])
            for hand in INITIAL.values()
        )

    def _decided_by_any(self, unread: list[Position]) -> bool:
        assert self.plan is not None, "the table is not open"
        plan, known = self.plan, self.known
        faces = [plan.game.deck.cards] * len(unread)
        return bool(unread) and all(
            decide_wagers(
                plan.game, {**known, **dict(zip(unread, cards, strict=True))}, plan.offered
            ).established
            for cards in product(*faces)
        )

    def undecided(self) -> frozenset[str]:
        """Return the wagers that are neither won nor lost by the exposed cards.

        A card that somebody squeezes does not count: what an option offers must tell nobody
        a card that lies face down (A19).
        """
        assert self.plan is not None, "the table is not open"
        standing = decide_wagers(self.plan.game, self.exposed, self.plan.offered).wagers
        over = (Standing.WON, Standing.LOST)
        return frozenset(wager for wager, stands in standing.items() if stands not in over)

    def holds_cards(self, patron: str) -> bool:
        """Tell whether a patron has cards face down."""
        return self.round is not None and any(
            dealt.handed_to == patron and not dealt.exposed for dealt in self.round.cards
        )

    def staked(self, patron: str) -> int:
        """Return all that a patron has in play."""
        return sum(
            share.cents
            for stake in self.stakes
            for share in stake.shares
            if share.patron == patron
        )

    def on_hand(self, side: Side) -> int:
        """Return the total of all stakes on a main wager."""
        return sum(stake.cents for stake in self.stakes if stake.wager == side.value)

    @property
    def differential(self) -> int:
        """Return how far the stakes on Player and Banker are apart."""
        return abs(self.on_hand(Side.PLAYER) - self.on_hand(Side.BANKER))

    def reserved(self, patron: str) -> int:
        """Return what of a patron's credit a new pay list, or a void, could take back (A48)."""
        return self.all_reserved().get(patron, 0)

    def all_reserved(self) -> dict[str, int]:
        """Return what of everybody's credit could be taken back (A48).

        It is all that the list credited, stakes too.
        """
        held: dict[str, int] = {}
        play = self.round
        if self.phase is not Phase.SETTLED or play is None or play.lines is None:
            return held
        for line in play.lines:
            held[line.patron] = held.get(line.patron, 0) + line.paid_cents
        return held


def unopened(rulebooks: tuple[Rulebook, ...]) -> Table:
    """Return a table that is not open yet, and the rulebooks it may be opened under."""
    return Table(rulebooks)
