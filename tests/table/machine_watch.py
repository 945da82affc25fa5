"""Watching a table: what must hold after every command, whoever asked for whatever."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any, Union

import msgspec

from croupier.clauses import clauses
from croupier.money import Rounding
from croupier.rulebooks import RULEBOOKS
from croupier.rules.coup import INITIAL_DEAL
from croupier.rules.decided import Standing, decide_wagers
from croupier.rules.errors import cited
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.decide import act, decide
from croupier.table.evolve import EVENTS, evolve, fold
from croupier.table.refusals import Code, Refusal
from croupier.table.rulings import Situation, Step
from croupier.table.state import HoldKind, Phase, Table, unopened
from tests import independent
from tests.table.machine_ledger import Ledger

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from croupier.table.draft import Events
    from croupier.table.settings import Plan
    from croupier.table.state import Round

ENCODE = msgspec.json.Encoder().encode
DECODE = msgspec.json.Decoder(Union[EVENTS]).decode  # noqa: UP007  # built of a tuple

DRAWING_PHASES = (Phase.CLOSED, Phase.SHAKE, Phase.DEALING)
AFTER_A_VOID = (i.StepTaken, i.ReplacementRequired, e.ShoeTaken)
"""What may still follow in the decision that voids a round."""


@cache
def shown_clauses() -> frozenset[str]:
    """Return every citation that people may see, and every one that code uses."""
    listed = clauses()
    return frozenset(listed) | {clause.shown for clause in listed.values()}


class Watch:
    """A table that is looked at after every command."""

    def __init__(self) -> None:
        self.table: Table = unopened(RULEBOOKS)
        self.replayed: Table = self.table
        self.ledger = Ledger()
        self.events: list[e.Event] = []
        self.kinds: set[tuple[str, type[e.Event]]] = set()
        """Under which rulebook which events happened."""
        self.codes: set[Code] = set()
        self.ruled: set[tuple[str, Situation]] = set()
        self.settled = 0
        self.voided = 0
        self.reversed = 0
        self.turned = 0
        """How many cards patrons turned up that no device had read."""

    def ask(self, envelope: c.Envelope) -> Events | Refusal:
        """Bring a command to the table, and test all that must hold."""
        before = self.table
        lists = mutable_parts(before)
        answer = decide(before, envelope)
        assert decide(before, envelope) == answer, "the same question, another answer"
        assert mutable_parts(before) == lists, "deciding changed the table"
        if isinstance(answer, Refusal):
            self._refused(answer)
            assert act(before, envelope) == answer
            return answer
        assert answer, "accepted, and nothing happened"
        self._happened(before, envelope, answer)
        return answer

    def _refused(self, refusal: Refusal) -> None:
        assert refusal.code in Code
        assert len(refusal.sentence) > 1
        assert refusal.sentence.endswith(".")
        assert refusal.clause is None or refusal.clause in shown_clauses(), refusal.clause
        self.codes.add(refusal.code)

    def _happened(self, before: Table, envelope: c.Envelope, answer: Events) -> None:
        lists = mutable_parts(before)
        table = before
        void = False
        for event in answer:
            assert not void or isinstance(event, AFTER_A_VOID), f"{event} after the void"
            void = void or isinstance(event, i.RoundVoided)
            check_timely(table, event)
            check_turned(table, event)
            after = evolve(table, event)
            self._recorded(event)
            self._counted(after if after.plan else table, event)
            self.ledger.post(event)
            if isinstance(event, e.WagersSettled):
                check_pay_list(after, event, table.under_minimum)
            if isinstance(event, e.BetsClosed):
                check_closed(after)
            table = after
        assert fold(before, answer) == table
        acted = act(before, envelope)
        assert not isinstance(acted, Refusal)
        assert acted == (answer, table), "act does not do what decide and evolve do"
        assert mutable_parts(before) == lists, "evolving changed the table before"
        self.table = table
        self.events += answer
        self.ledger.check(table)
        check_table(table)
        check_void_now(table)

    def _recorded(self, event: e.Event) -> None:
        """Write the event and read it again; replay goes by what was read."""
        again = DECODE(ENCODE(event))
        assert again == event, "the event is another after it was written"
        assert type(again) is type(event)
        self.replayed = evolve(self.replayed, again)
        check_clauses(event)

    def _counted(self, table: Table, event: e.Event) -> None:
        code = table.settings.rulebook
        self.kinds.add((code, type(event)))
        if isinstance(event, i.IrregularityReported):
            self.ruled.add((code, event.report.situation))
        self.settled += isinstance(event, e.WagersSettled)
        self.voided += isinstance(event, i.RoundVoided)
        self.reversed += isinstance(event, i.SettlementReversed)
        self.turned += isinstance(event, e.CardTurned)

    def check_replay(self) -> None:
        """Compare with the replay so far, and with one from the very beginning."""
        assert self.replayed == self.table
        assert fold(unopened(RULEBOOKS), self.events) == self.table


def mutable_parts(table: Table) -> list[dict[Any, Any]]:
    """Return copies of all in a table that is not frozen."""
    play, shoe, hold = table.round, table.shoe, table.hold
    parts: list[Mapping[Any, Any]] = [table.seats, table.credits]
    if play is not None:
        parts += [play.stakes, play.handlers, play.named, play.named_by]
        parts += [play.refused, play.sorted or {}]
    if shoe is not None:
        parts.append(shoe.seen)
    holds = (*table.suspended, *((hold,) if hold is not None else ()))
    parts += [one.answers for one in holds]
    return [dict(part) for part in parts]


def check_clauses(event: e.Event) -> None:
    """Test that an event cites only clauses that there are."""
    cites = [getattr(event, "clause", None)]
    if isinstance(event, i.HoldPlaced):
        cites += [clause for _, clause in event.steps]
    if isinstance(event, e.WagersSettled | i.SettlementReversed):
        cites += [line.clause for line in event.lines]
        cites += [line.breach_clause for line in event.lines]
    for cite in cites:
        assert cite is None or cite in shown_clauses(), f"{cite} is no clause"


def check_timely(table: Table, event: e.Event) -> None:
    """Test that an event happens only when it can."""
    check_balanced(table, event)
    play, plan = table.round, table.plan
    if isinstance(event, e.StakeFound):
        assert table.phase in (*DRAWING_PHASES, Phase.RESULT)
    elif isinstance(event, e.CardDrawn):
        assert table.phase in DRAWING_PHASES, "a card before the closing, or after the coup"
    elif isinstance(event, i.CardsTakenUp):
        # Reported while cards were drawn; a face that was put right meanwhile may end the coup.
        ended = table.phase is Phase.RESULT and play is not None and play.mended is not None
        assert ended or table.phase in DRAWING_PHASES, "cards that nobody drew"
    elif isinstance(event, i.RoundVoided):
        assert play is not None
        assert plan is not None
        assert not play.confirmed or plan.procedure.voidable, "an earlier round was voided"
    elif isinstance(event, i.SettlementReversed):
        assert play is not None
        assert play.lines == event.lines
        assert not play.confirmed, "a paid round was made anew"
    elif isinstance(event, i.HoldPlaced | i.HoldResumed):
        check_offer(table, event)
    elif isinstance(event, i.WagersWithdrawn):
        check_withdrawal(table, event)
    elif isinstance(event, e.DieAnnounced | e.ShakeInvalid):
        assert play is not None
        assert not play.cards, "the die after the cards"
        again = isinstance(event, e.DieAnnounced) and play.die is not None
        assert not again, "a die that was announced became another"


def check_balanced(table: Table, event: e.Event) -> None:
    """Test that wagers change after the closing only to meet the table differential."""
    balancing = table.hold is not None and table.hold.kind is HoldKind.BALANCE
    if isinstance(event, e.WagerPlaced | e.WagerRaised | e.WagerLowered):
        assert table.phase is Phase.OPEN or balancing, "a wager changed after the closing"
    if balancing and isinstance(event, e.WagerPlaced | e.WagerRaised):
        assert not table.cards_out, "a wager was raised after the first card"
        assert on_main(table, event) < 0, "the heavier hand was raised"
    if balancing and isinstance(event, e.WagerLowered):
        assert on_main(table, event) > 0, "the lighter hand was lowered"
    if isinstance(event, e.CardDrawn | i.CardsTakenUp):
        assert not balancing, "a card while the differential is balanced"
    if isinstance(event, e.CardDrawn) and table.phase is Phase.CLOSED:
        most = table.settings.differential_cents
        assert most is None or table.differential <= most, "dealt before it was balanced"


def open_stakes(table: Table, option: Step) -> dict[str, dict[int, str]]:
    """Return whose stakes on which wagers an option may be about, by the exposed cards."""
    plan, play = table.plan, table.round
    assert plan is not None
    assert play is not None
    shown = {one.position: one.card for one in play.cards if one.exposed and one.card}
    standings = decide_wagers(plan.game, shown, plan.offered).wagers
    any_ = option not in (Step.OFFER_UNDECIDED, Step.OFFER_REMAINING)
    decided = (Standing.WON, Standing.LOST)
    found: dict[str, dict[int, str]] = {}
    for stake in table.stakes:
        if any_ or standings[stake.wager] not in decided:
            for share in stake.shares:
                found.setdefault(share.patron, {})[stake.number] = stake.wager
    return found


def check_offer(table: Table, event: i.HoldPlaced | i.HoldResumed) -> None:
    """Test that an option names whom and what the exposed cards leave open, and no more."""
    if event.kind != HoldKind.WITHDRAWAL.value:
        return
    again = isinstance(event, i.HoldResumed)
    steps = table.suspended[-1].steps if isinstance(event, i.HoldResumed) else event.steps
    own = open_stakes(table, steps[0][0])
    answered = set(table.suspended[-1].answers) if again else set()
    if steps[0][0] is Step.OFFER_ALL and table.established:
        assert again, "an option where something is decided"
        own = {}
    assert set(event.patrons) - answered <= set(own)
    assert set(event.stakes) == {number for stakes in own.values() for number in stakes}


def check_withdrawal(table: Table, event: i.WagersWithdrawn) -> None:
    """Test that nothing decided is withdrawn, and all or none where the option says so."""
    hold, play = table.hold, table.round
    assert hold is not None
    assert play is not None
    option = hold.steps[0][0]
    own = open_stakes(table, option)[event.patron]
    assert set(event.stakes) <= set(own), "what is decided was withdrawn"
    assert set(event.stakes) <= set(hold.stakes), "what was not offered was withdrawn"
    down = [one for one in play.cards if one.handed_to == event.patron and not one.exposed]
    holds = option is Step.OFFER_UNDECIDED and bool(down)
    if holds or option in (Step.OFFER_ALL, Step.OFFER_REMAINING):
        assert set(event.stakes) == set(own), "a part was withdrawn where it is all or none"


def on_main(table: Table, event: e.WagerPlaced | e.WagerRaised | e.WagerLowered) -> int:
    """Return by how much the hand of a wager is ahead of the other, negative: behind."""
    play = table.round
    assert play is not None
    there = event if isinstance(event, e.WagerPlaced) else play.stakes[event.stake]
    side = Side(there.wager)
    return table.on_hand(side) - table.on_hand(side.other)


def check_table(table: Table) -> None:
    """Test what must hold of a table at any time."""
    plan, play = table.plan, table.round
    if plan is None:
        assert table.phase is Phase.UNOPENED
        return
    check_seats(table, plan)
    assert len(set(table.flagged)) == len(table.flagged), "a terminal is flagged twice"
    if table.phase is Phase.IDLE:
        assert table.hold is None
    if table.hold is None:
        assert not table.suspended, "something waits behind nothing"
    if table.phase in (Phase.IDLE, Phase.VOID, Phase.SETTLED):
        assert table.in_play == 0
    if play is None or table.phase is Phase.IDLE:
        return
    assert table.hold is not None or not play.queue, "a report waits behind nothing"
    check_cards(table, play)
    check_stakes(table, plan)
    if table.phase in (Phase.OPEN, Phase.CLOSED, Phase.SHAKE):
        assert not play.cards, f"cards in {table.phase}"
    if table.phase is Phase.OPEN:
        assert play.closed is None
        assert not play.waiting


def check_seats(table: Table, plan: Plan) -> None:
    """Test that everybody sits somewhere, and all credit belongs to somebody there."""
    for patron, seat in table.seats.items():
        assert 1 <= seat <= plan.positions, f"{patron} sits at position {seat}"
    if plan.procedure.voidable is None:
        assert set(table.credits) == set(table.seats)
    # Where a paid round is void, who lost all and left gets it back all the same.
    assert set(table.credits) >= set(table.seats)
    if plan.procedure.terminals is not None:
        assert len(set(table.seats.values())) == len(table.seats), "two at one terminal"


def check_stakes(table: Table, plan: Plan) -> None:
    """Test that stakes lie where they may, and are balanced where they must be."""
    most = plan.settings.differential_cents
    if table.hold is not None and table.hold.kind is HoldKind.BALANCE:
        assert table.phase is Phase.CLOSED
        assert most is not None
        assert table.differential > most, "held for a differential that is met"
    for stake in table.stakes:
        assert stake.wager in plan.offered
        assert stake.cents > 0
    if plan.cap is not None:
        areas = [(stake.wager, stake.position) for stake in table.stakes]
        assert max(map(areas.count, areas), default=0) <= plan.cap


def check_closed(table: Table) -> None:
    """Test that what lies there at the closing is within the limits, as a whole stake."""
    plan = table.plan
    assert plan is not None
    for stake in table.stakes:
        limit = plan.limits[stake.wager]
        if not stake.found:
            assert limit.minimum_cents <= stake.cents <= limit.maximum_cents
    for condition in plan.preconditions:
        for patron in table.seats:
            amounts: Counter[str] = Counter()
            for stake in table.stakes:
                share = stake.share(patron)
                amounts[stake.wager] += share.cents if share else 0
            assert condition.breach(amounts) is None, "a side wager without its main wager"


def gone(table: Table, play: Round) -> set[str | None]:
    """Return who is said to have left with cards: they keep them, wherever these belong."""
    holds = [*table.suspended, *([table.hold] if table.hold else [])]
    reports = [play.reported, *(one.report for one in play.queue)]
    reports += [hold.report for hold in holds]
    return {one.patron for one in reports if one and one.situation is Situation.LEFT_WITH_CARDS}


def check_cards(table: Table, play: Round) -> None:
    """Test that the cards of a round lie where they can, and say what they can."""
    places = [dealt.position for dealt in play.cards]
    assert len(set(places)) == len(places), "two cards in one place"
    assert set(places[:4]) == set(INITIAL_DEAL[: len(places)])
    for dealt in play.cards:
        if dealt.exposed:
            assert dealt.card is not None
            assert dealt.handed_to is None
        if dealt.turned_by is not None:
            assert dealt.card is None, "turned up, and its face is known"
            assert not dealt.exposed
        if dealt.handed_to is not None and dealt.handed_to not in gone(table, play):
            assert play.handlers.get(dealt.position.side) == dealt.handed_to
    numbers = [dealt.number for dealt in (*play.cards, *play.aside)]
    numbers += [*play.waiting_numbers, *play.unused_numbers]
    assert len(set(numbers)) == len(numbers), "one card of the shoe is in two places"
    assert all(dealt.handed_to is None for dealt in play.aside)
    plan = table.plan
    assert plan is not None
    assert play.power == (play.die is not None and plan.game.is_power(play.die))
    if plan.procedure.shake is not None and play.cards:
        assert play.die is not None, "cards before the die"
    known = len(play.cards) >= len(INITIAL_DEAL) and all(one.exposed for one in play.cards)
    # The cards of a void round lie as they lay.
    assert (play.coup is not None) == known or table.phase is Phase.VOID
    if play.coup is not None:
        assert list(play.coup.positions) == places, "cards lie where the tableau has none"
        assert list(play.coup.cards) == [dealt.card for dealt in play.cards]
    if table.phase in (Phase.RESULT, Phase.SETTLED):
        assert play.coup is not None
        assert play.coup.complete, "an outcome before the coup is over"
        player, banker = play.coup.player.points, play.coup.banker.points
        winner = Side.PLAYER if player > banker else Side.BANKER if banker > player else None
        assert play.outcome == (player, banker, winner), "announced otherwise than dealt"
    else:
        assert play.outcome is None or table.phase is Phase.VOID


def check_turned(before: Table, event: e.Event) -> None:
    """Test that who holds a card turns it, and is named when its face is keyed in."""
    if before.round is None or not isinstance(event, e.CardTurned | e.CardExposed):
        return
    (lay,) = (one for one in before.round.cards if one.position is event.position)
    assert not lay.exposed, "turned up twice"
    if isinstance(event, e.CardTurned):
        assert (lay.card, lay.turned_by) == (None, None)
        assert event.patron == before.round.handlers[event.position.side]
    else:
        assert lay.turned_by in (None, event.exposed_by), "somebody else turned it"


def check_void_now(table: Table) -> None:
    """Test that neither a new pay list nor a void at this moment would make a debtor."""
    play, plan = table.round, table.plan
    if play is None or plan is None or table.phase in (Phase.IDLE, Phase.VOID):
        return
    refunds = tuple(
        i.Refund(stake.number, share.patron, share.cents)
        for stake in table.stakes
        for share in stake.shares
    )
    lines = play.lines or ()
    void = evolve(table, i.RoundVoided(None, table.phase.value, refunds, lines))
    anew = evolve(table, i.SettlementReversed(lines, None, "")) if lines else table
    assert min(anew.credits.values(), default=0) >= 0, "a reversal would make a debtor"
    for patron, held in table.credits.items():
        assert table.reserved(patron) == held - anew.credits[patron] <= held
    assert anew.in_play == sum(refund.cents for refund in refunds)
    for other in (void, anew):
        held = sum(other.credits.values()) + other.in_play
        assert held + other.bank + other.commission == other.brought
    assert void.in_play == 0
    assert (void.bank, void.commission) == (anew.bank, anew.commission)
    assert void.under_minimum == anew.under_minimum


def check_pay_list(table: Table, event: e.WagersSettled, before: frozenset[str]) -> None:
    """Settle the round once more by a reading that shares no code, line by line."""
    plan, play = table.plan, table.round
    assert plan is not None
    assert play is not None
    cards = [dealt.card.text for dealt in play.cards if dealt.card is not None]
    otherwise = plan.settings.readings.power_ties_are_natural
    reading = independent.settle(plan.game.slug, cards, play.die, natural_ties_only=otherwise)
    for line in event.lines:
        net, cite = reading.nets[line.wager], reading.lines[line.wager]
        if line.corrected is not None:
            # The Gaming Shift Manager decided what it wins.
            assert line.won_cents >= -line.cents
            continue
        if line.breach is not None and line.breach.startswith("under_minimum"):
            assert (line.patron in before) == (line.breach == "under_minimum_again")
        if line.breach == "under_minimum_again":
            assert line.settled_cents == line.won_cents == 0
            continue
        assert line.clause == (cited(cite) if cite else None)
        assert (line.row is None) == (line.pays is None) == (line.result == "loses")
        assert line.won_cents == rounded(line.settled_cents * net, plan.settings.rounding)
        if line.breach is None or line.breach == "under_minimum":
            assert line.settled_cents == line.cents
        limit = plan.limits[line.wager]
        if line.breach == "over_maximum":
            whole = sum(one.cents for one in event.lines if one.stake == line.stake)
            assert whole > limit.maximum_cents
            settled = sum(one.settled_cents for one in event.lines if one.stake == line.stake)
            assert settled == limit.maximum_cents
        if line.commission_cents:
            assert line.won_cents + line.commission_cents == line.settled_cents
    for stake in table.stakes:
        limit = plan.limits[stake.wager]
        of_it = [line for line in event.lines if line.stake == stake.number]
        assert sum(line.settled_cents for line in of_it) <= limit.maximum_cents


def rounded(cents: Fraction, rounding: Rounding) -> int:
    """Round as the table's policy says; never, where it says so."""
    whole = cents.numerator // cents.denominator
    if cents == whole:
        return whole
    assert rounding is not Rounding.REFUSE, "rounded where nothing is rounded"
    rest = cents - whole
    if rounding is Rounding.UP:
        return whole + 1
    return whole + (rounding is Rounding.NEAREST and 2 * rest >= 1)
