"""Reports of irregularities: which ruling fits, who confirms it, and what waits for what.

Whatever voids or interrupts the round is heard while it waits for something else, and comes
first; every other report waits its turn (A52).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from croupier.rules.errors import listed
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.cards import card_of
from croupier.table.draft import Draft
from croupier.table.folding import hold_of, plan_of, round_of
from croupier.table.refusals import Code, Refusal, refuse
from croupier.table.rulings import WAITS, Situation, Step
from croupier.table.state import HoldKind, Phase, Queued
from croupier.table.steps import (
    came_out,
    reconstruction,
    reported,
    resume,
    ruling_for,
    run,
    suspend,
    taken_cards,
)
from croupier.table.terminals import lose_terminal
from croupier.table.words import PHASE_WORDS, SITUATION_WORDS, counted

if TYPE_CHECKING:
    from croupier.rules.coup import Position
    from croupier.table.draft import Events, Handlers
    from croupier.table.settings import Plan
    from croupier.table.state import Table
    from croupier.table.steps import Steps

QUIET = frozenset(
    {
        Step.STAND,
        Step.NOT_HONOURED,
        Step.REMAINS,
        Step.EXPOSE,
        Step.RETRIEVE,
        Step.DEALER_EXPOSES,
        Step.TAKE_UP,
        Step.TAKES_PART,
        Step.NO_PART,
        Step.REFER,
    }
)
"""Steps that touch no money: they need no confirmation (A20)."""
WRONG_CARDS = (
    Situation.EXTRA_CARD,
    Situation.MISSING_CARD,
    Situation.FOREIGN_CARD,
    Situation.UNSHUFFLED_CARDS,
)
SITUATIONS = frozenset(Situation)
LATE = (Situation.LATE_INCREASE, Situation.LATE_REMOVAL)
TOGETHER_MIN, TOGETHER_MAX = 2, 6


def _report(
    table: Table, envelope: c.Envelope, command: c.Report, by: e.By
) -> Events | Refusal:
    refusal = refused(table, command, envelope.cards)
    if refusal is not None:
        return refusal
    draft = Draft(table)
    ruling = ruling_for(table, command)
    # Where a rulebook rules on terminals, their loss asks nobody for anything.
    terminal = ruling is not None and command.situation is Situation.TERMINAL_FAILURE
    if table.hold is not None and not terminal:
        interrupts = command.situation is Situation.POWER_FAILURE
        if not interrupts and (ruling is None or not ruling.voids):
            return (i.ReportQueued(command, by, envelope.cards),)
        suspend(draft)
    _rule(draft, envelope, command, by)
    return carry_on(draft, envelope, by)


def refused(table: Table, report: c.Report, cards: tuple[str, ...]) -> Refusal | None:
    """Say why a report cannot be taken, or return None."""
    left = table.shoe.left if table.shoe else 0
    if not 0 <= report.count <= left:
        came = counted(report.count, "card")
        why = f"{came} cannot have come out; the device holds {left}"
        return refuse(Code.NOT_ENOUGH_CARDS, why)
    return (
        _unread(table, cards)
        or _untimely(table, report)
        or _incomplete(table, report)
        or _not_reconstructable(table, report)
        or _terminal_refusal(table, report)
    )


def _rule(draft: Draft, envelope: c.Envelope, report: c.Report, by: e.By) -> None:
    """Record a report and carry its ruling out, or wait until somebody confirms it."""
    automatic = by.position is None or _failed_again(draft.table, report)
    event, steps = taken(draft.table, report, envelope.cards, by)
    draft.add(event)
    for lost in _lost_with(draft.table, envelope, report, by):
        draft.add(lost)
    if automatic or all(step in QUIET for step, _ in steps):
        run(draft, steps, envelope, by)
        return
    kind = HoldKind.REPORT.value
    draft.add(i.HoldPlaced(kind, event.clause, report.situation, steps, moment=envelope.moment))


def taken(
    table: Table, report: c.Report, cards: tuple[str, ...], by: e.By
) -> tuple[i.IrregularityReported, Steps]:
    """Return the record of a report that is taken now, and its steps."""
    event, steps = reported(table, report, cards, by)
    if _failed_again(table, report):
        # However often the power fails, patrons are asked once.
        steps = tuple((step, clause) for step, clause in steps if step not in WAITS)
        event = replace(event, steps=tuple(step for step, _ in steps))
    queue = round_of(table).queue
    return replace(event, queued=bool(queue) and queue[0] == Queued(report, cards, by)), steps


def _failed_again(table: Table, report: c.Report) -> bool:
    """Tell whether the power failed while an earlier failure still waits for somebody.

    Or when all had answered and nothing happened since: an answer stands, and to be asked
    once more about the same cards and wagers would be a choice that no clause gives. After
    the next card or wager it is another failure, with an option of its own (5.17.1).
    """
    failed = Situation.POWER_FAILURE
    if report.situation is not failed:
        return False
    if any(hold.situation is failed for hold in table.suspended):
        return True
    return round_of(table).answered_at == table.reached


def carry_on(draft: Draft, envelope: c.Envelope, by: e.By) -> Events:
    """Go on when nothing is waited for any more: what was suspended, then what was reported."""
    resume(draft, envelope, by)
    while draft.table.hold is None and draft.round.queue:
        waited = draft.round.queue[0]
        refusal = refused(draft.table, waited.report, waited.cards)
        if refusal is None:
            then = replace(envelope, cards=waited.cards)
            _rule(draft, then, waited.report, waited.by)
        else:
            # What came before it left nothing to rule on.
            what, why = waited.report.situation, refusal.sentence
            draft.add(i.ReportDismissed(what, waited.by, why, queued=True))
            came_out(draft, waited.report, waited.cards)
        resume(draft, envelope, by)
    return draft.done


def _lost_with(table: Table, envelope: c.Envelope, report: c.Report, by: e.By) -> Events:
    """Return the loss of a terminal that a report tells of, if it does."""
    if report.situation is not Situation.TERMINAL_FAILURE:
        return ()
    lost = lose_terminal(table, envelope, c.LoseTerminal(report.terminal or 0), by)
    return () if isinstance(lost, Refusal) else lost


def _terminal_refusal(table: Table, report: c.Report) -> Refusal | None:
    """Refuse the report of a terminal that is lost already."""
    plan, number = plan_of(table), report.terminal
    ruled = plan.procedure.terminals is not None
    if report.situation is not Situation.TERMINAL_FAILURE or not ruled:
        return None
    if number not in table.lost_terminals:
        return None
    why = f"Terminal {number} has lost its connection already"
    return refuse(Code.TERMINAL_STATE, why)


def _unread(table: Table, cards: tuple[str, ...]) -> Refusal | None:
    """Refuse faces that are no cards of the deck in use."""
    for text in cards:
        card = card_of(plan_of(table), text)
        if isinstance(card, Refusal):
            return card
    return None


def stands(plan: Plan, report: c.Report) -> str | None:
    """Return the clause by which a report comes too late: wrong cards, or the round's end."""
    procedure = plan.procedure
    return procedure.earlier if report.situation in WRONG_CARDS else procedure.round.definition


AFTER_CLOSE = frozenset({*LATE, Situation.DRAWN_TOGETHER, Situation.DEVICE_RESET})
WHILE_DRAWN = frozenset({Situation.DRAWN_TOGETHER, Situation.INSUFFICIENT_CARDS})
WITH_CARDS = frozenset(
    {Situation.WRONG_ORDER, Situation.WRONG_NUMBER, Situation.EXPOSED_IN_ERROR}
)


def reportable(table: Table) -> frozenset[Situation]:
    """Return what can have happened at this point of the round."""
    plan, play = plan_of(table), round_of(table)
    if table.phase is Phase.SETTLED and play.confirmed:
        window = plan.procedure.voidable is not None
        return frozenset({Situation.WRONG_NUMBER} if window else ())
    over = play.coup is not None and play.coup.complete
    return _reportable(
        closed=play.closed is not None,
        drawn=table.phase in (Phase.CLOSED, Phase.SHAKE, Phase.DEALING),
        stands=over and plan.settings.device.electronic,
        dealt=bool(play.cards),
    )


@cache
def _reportable(
    *, closed: bool, drawn: bool, stands: bool, dealt: bool
) -> frozenset[Situation]:
    """Return what can have happened by whether bets are closed, and cards drawn and dealt."""
    never = frozenset() if closed else AFTER_CLOSE
    if not drawn:
        never |= WHILE_DRAWN
    if stands:
        never |= {Situation.DEVICE_RESET}
    return SITUATIONS - never if dealt else SITUATIONS - never - WITH_CARDS


def _untimely(table: Table, report: c.Report) -> Refusal | None:
    plan, play, what = plan_of(table), round_of(table), report.situation
    if what in reportable(table):
        return None
    words = SITUATION_WORDS[what]
    if table.phase is Phase.SETTLED and play.confirmed:
        why = f"Round {play.number} is paid and stands"
        if plan.procedure.voidable is not None:
            still = SITUATION_WORDS[Situation.WRONG_NUMBER]
            why += f"; only {still} is still reported, until the next call for bets"
        return refuse(Code.NO_ROUND, why, stands(plan, report))
    if what in AFTER_CLOSE and play.closed is None:
        why = f"Bets are still open; a report of {words} comes after their closing"
        return refuse(Code.NOT_NOW, why, plan.procedure.round.closes)
    if what in WHILE_DRAWN:
        why = f"{PHASE_WORDS[table.phase]}; a report of {words} comes while cards are drawn"
        return refuse(Code.NOT_NOW, why)
    if what is Situation.DEVICE_RESET:
        ruled = [one.clause for one in plan.rulebook.rulings if what in one.situations]
        why = "The last card is exposed and the outcome stands; the device is reset before"
        return refuse(Code.NOT_NOW, why, ruled[0] if ruled else None)
    assert what in WITH_CARDS, "untimely without a reason"
    why = f"No card has been dealt; {words} is reported after the first"
    return refuse(Code.NOT_NOW, why)


MUST_SAY = {
    Situation.DRAWN_TOGETHER: "say how many cards came together, 2 to 6",
    Situation.WRONG_ORDER: "say where the cards lay, in drawn order",
    Situation.WRONG_PATRON: "say which hand went to which patron",
    Situation.HANDLER_ABSENT: "name a hand that a patron handles",
    Situation.EXPOSED_IN_ERROR: "name the place of a card that was dealt",
    Situation.LEFT_WITH_CARDS: "name a patron who holds cards face down",
    Situation.LATE_INCREASE: "say whose wager it was, and of which stake if one lay there",
    Situation.TERMINAL_FAILURE: "say which of the terminals 1 to {positions} failed",
    Situation.LATE_REMOVAL: "name the stake that was taken away",
}
"""What a report must say, for each situation of which something must be said."""


def _says_enough(table: Table, report: c.Report) -> bool:
    play, what = round_of(table), report.situation
    if what is Situation.DRAWN_TOGETHER:
        enough = TOGETHER_MIN <= report.count <= TOGETHER_MAX
    elif what is Situation.WRONG_ORDER:
        enough = bool(report.laid)
    elif what is Situation.WRONG_PATRON:
        enough = bool(report.patron)
    elif what is Situation.HANDLER_ABSENT:
        enough = report.side in play.handlers
    elif what is Situation.EXPOSED_IN_ERROR:
        enough = any(dealt.position is report.position for dealt in play.cards)
    elif what is Situation.LEFT_WITH_CARDS:
        enough = bool(taken_cards(play, report.patron))
    elif what is Situation.LATE_INCREASE:
        enough = bool(report.patron) and report.stake in (None, *play.stakes)
    elif what is Situation.TERMINAL_FAILURE:
        enough = 1 <= (report.terminal or 0) <= plan_of(table).positions
    else:
        enough = report.stake in play.stakes
    return enough


def _incomplete(table: Table, report: c.Report) -> Refusal | None:
    what = report.situation
    if what not in MUST_SAY or _says_enough(table, report):
        return None
    words = MUST_SAY[what].format(positions=plan_of(table).positions)
    return refuse(Code.REPORT_INCOMPLETE, f"A report of {SITUATION_WORDS[what]} must {words}")


def _not_reconstructable(table: Table, report: c.Report) -> Refusal | None:
    """Refuse an order of cards that cannot be made; a paid round is not touched any more."""
    clause = reconstructs(table, report) if report.laid else None
    return None if clause is None else cannot_reconstruct(table, report.laid, clause)


def reconstructs(table: Table, report: c.Report) -> str | None:
    """Return the clause by which a report has cards put in the order drawn, if one does."""
    ruling = ruling_for(table, report)
    if ruling is None or not any(do.step is Step.RECONSTRUCT for do in ruling.steps):
        return None
    return ruling.clause


def cannot_reconstruct(
    table: Table, laid: tuple[Position, ...], clause: str | None
) -> Refusal | None:
    """Say why the cards cannot be put in an order, or return None."""
    play = round_of(table)
    if play.confirmed:
        why = f"Round {play.number} is paid; its cards are not put in another order any more"
        return refuse(Code.CANNOT_RECONSTRUCT, why, clause)
    if reconstruction(table, laid, clause) is not None:
        return None
    lie = [card.position.value for card in play.cards]
    came = [place.value for place in laid]
    if not lie:
        why = f"{listed(came)} came, and no card of the round is out"
        return refuse(Code.CANNOT_RECONSTRUCT, why, clause)
    why = f"{listed(came)} came; name each of {listed(lie)} once, as the cards were drawn"
    if sorted(came) == sorted(lie):
        why = "The tableau needs faces that are not known; expose the cards first"
    return refuse(Code.CANNOT_RECONSTRUCT, why, clause)


def _confirm(
    table: Table, envelope: c.Envelope, command: c.ConfirmReport, by: e.By
) -> Events | Refusal:
    hold = hold_of(table)
    draft = Draft(table)
    situation = hold.situation.value if hold.situation else "irregularity"
    options = ("confirmed", "dismissed")
    draft.add(
        e.DecisionRecorded(by, hold.clause, situation, options, "confirmed", command.reason)
    )
    draft.add(i.HoldLifted(hold.kind.value, envelope.moment))
    run(draft, hold.steps, envelope, by)
    return carry_on(draft, envelope, by)


def _dismiss(
    table: Table, envelope: c.Envelope, command: c.DismissReport, by: e.By
) -> Events | Refusal:
    hold = hold_of(table)
    if not command.reason.strip():
        why = "A report is dismissed with a reason, and none came"
        return refuse(Code.REASON_NEEDED, why, hold.clause)
    situation = hold.situation or Situation.OTHER
    options = ("confirmed", "dismissed")
    record = e.DecisionRecorded(
        by, hold.clause, situation.value, options, "dismissed", command.reason
    )
    draft = Draft(table)
    draft.add(record)
    draft.add(i.ReportDismissed(situation, by, command.reason))
    draft.add(i.HoldLifted(hold.kind.value, envelope.moment))
    return carry_on(draft, envelope, by)


HANDLERS: Handlers = {
    c.Report: _report,
    c.ConfirmReport: _confirm,
    c.DismissReport: _dismiss,
}
