"""Irregularities: reports, what they are waited on for, and how they are decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from croupier.rules.errors import listed
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.dealing import card_of
from croupier.table.draft import Draft
from croupier.table.folding import hold_of, plan_of, round_of
from croupier.table.options import settled
from croupier.table.refusals import Code, Refusal, refuse
from croupier.table.roles import System
from croupier.table.rulings import OFFERS, Situation, Step
from croupier.table.state import HoldKind, Phase
from croupier.table.steps import (
    allot,
    announce,
    reconstruction,
    reported,
    ruling_for,
    run,
    steps_of,
    taken_cards,
)
from croupier.table.terminals import lose_terminal
from croupier.table.words import HOLD_WORDS, PHASE_WORDS, SITUATION_WORDS, counted

if TYPE_CHECKING:
    from croupier.rules.cards import Card
    from croupier.rules.coup import Position
    from croupier.table.draft import Events, Handlers
    from croupier.table.settings import Plan
    from croupier.table.state import DealtCard, Table

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
LATE = (Situation.LATE_INCREASE, Situation.LATE_REMOVAL)
TOGETHER_MIN, TOGETHER_MAX = 2, 6


# Reports


def _report(
    table: Table, envelope: c.Envelope, command: c.Report, by: e.By
) -> Events | Refusal:
    if table.hold is not None:
        return _report_on_hold(table, envelope, command, by)
    left = table.shoe.left if table.shoe else 0
    if not 0 <= command.count <= left:
        came = counted(command.count, "card")
        why = f"{came} cannot have come out; the device holds {left}"
        return refuse(Code.NOT_ENOUGH_CARDS, why)
    refusal = (
        _unread(table, envelope) or _untimely(table, command) or _incomplete(table, command)
    )
    if refusal is not None:
        return refusal
    event, steps = reported(table, command, envelope.cards, by)
    refusal = _not_reconstructable(table, command, event)
    if refusal is not None:
        return refusal
    draft = Draft(table)
    draft.add(event)
    lost = _lost_with(table, envelope, command, by)
    if isinstance(lost, Refusal):
        return lost
    for one in lost:
        draft.add(one)
    automatic = isinstance(envelope.actor, System)
    if automatic or all(step in QUIET for step, _ in steps):
        run(draft, steps, envelope, by)
        return settled(draft)
    situation = command.situation
    draft.add(i.HoldPlaced(HoldKind.REPORT.value, event.clause, situation, steps))
    return draft.done


def _lost_with(
    table: Table, envelope: c.Envelope, report: c.Report, by: e.By
) -> Events | Refusal:
    """Return the loss of a terminal that a report tells of, if it does."""
    rules_it = plan_of(table).procedure.terminals is not None
    if report.situation is not Situation.TERMINAL_FAILURE or not rules_it:
        return ()
    return lose_terminal(table, envelope, c.LoseTerminal(report.terminal or 0), by)


def _report_on_hold(
    table: Table, envelope: c.Envelope, command: c.Report, by: e.By
) -> Events | Refusal:
    """Take a power failure while the round waits; anything else waits too."""
    hold = hold_of(table)
    if command.situation is not Situation.POWER_FAILURE:
        why = f"The round waits for {HOLD_WORDS[hold.kind]}; report this afterwards"
        return refuse(Code.ON_HOLD, why, hold.clause)
    ruling = ruling_for(table, command)
    draft = Draft(table)
    voids = ruling is not None and ruling.voids
    if voids and not isinstance(envelope.actor, System):
        why = f"The round waits for {HOLD_WORDS[hold.kind]}; report the failure afterwards"
        return refuse(Code.ON_HOLD, why, hold.clause)
    if voids:
        event, steps = reported(table, command, envelope.cards, by)
        draft.add(event)
        run(draft, steps, envelope, by)
        return draft.done
    if hold.kind is HoldKind.BALANCE and ruling is not None:
        # No card is out: the ruling goes first, and the differential is tested again after it.
        event, steps = reported(table, command, envelope.cards, by)
        draft.add(i.HoldLifted(hold.kind.value))
        draft.add(event)
        run(draft, steps, envelope, by)
        return settled(draft)
    steps = steps_of(table, command, ruling)
    asked = [step for step, _ in (*hold.steps, *hold.then)]
    if any(step in asked for step, _ in steps if step in {*OFFERS, Step.REFER}):
        steps = ()
    # However often the power fails, each step follows once.
    steps = tuple(step for step in steps if step not in hold.then)
    note = f"power failed while the round waited for {HOLD_WORDS[hold.kind]}; it still does"
    return (i.HoldExtended((*hold.then, *steps), note),)


def _unread(table: Table, envelope: c.Envelope) -> Refusal | None:
    """Refuse faces that are no cards of the deck in use."""
    for text in envelope.cards:
        card = card_of(plan_of(table), text)
        if isinstance(card, Refusal):
            return card
    return None


def stands(plan: Plan, report: c.Report) -> str | None:
    """Return the clause by which a report comes too late: wrong cards, or the round's end."""
    procedure = plan.procedure
    return procedure.earlier if report.situation in WRONG_CARDS else procedure.round.definition


def _untimely(table: Table, report: c.Report) -> Refusal | None:
    plan, play, what = plan_of(table), round_of(table), report.situation
    words = SITUATION_WORDS[what]
    if table.phase is Phase.SETTLED and play.confirmed:
        window = plan.procedure.voidable
        if what is not Situation.WRONG_NUMBER or window is None:
            why = f"Round {play.number} is paid and stands"
            if window is not None:
                still = SITUATION_WORDS[Situation.WRONG_NUMBER]
                why += f"; only {still} is still reported, until the next call for bets"
            return refuse(Code.NO_ROUND, why, stands(plan, report))
        return None
    closed = play.closed is not None
    after_close = (*LATE, Situation.DRAWN_TOGETHER, Situation.DEVICE_RESET)
    if what in after_close and not closed:
        why = f"Bets are still open; a report of {words} comes after their closing"
        return refuse(Code.NOT_NOW, why, plan.procedure.round.closes)
    dealing = (Situation.DRAWN_TOGETHER, Situation.INSUFFICIENT_CARDS)
    if what in dealing and table.phase not in (Phase.CLOSED, Phase.SHAKE, Phase.DEALING):
        why = f"{PHASE_WORDS[table.phase]}; a report of {words} comes while cards are drawn"
        return refuse(Code.NOT_NOW, why)
    with_cards = (Situation.WRONG_ORDER, Situation.WRONG_NUMBER, Situation.EXPOSED_IN_ERROR)
    if what in with_cards and not play.cards:
        why = f"No card has been dealt; {words} is reported after the first"
        return refuse(Code.NOT_NOW, why)
    return None


def _incomplete(table: Table, report: c.Report) -> Refusal | None:
    play, what = round_of(table), report.situation
    missing = {
        Situation.DRAWN_TOGETHER: not TOGETHER_MIN <= report.count <= TOGETHER_MAX
        and "say how many cards came together, 2 to 6",
        Situation.WRONG_ORDER: not report.laid and "say where the cards lay, in drawn order",
        Situation.WRONG_PATRON: (report.side is None or report.patron is None)
        and "say which hand went to which patron",
        Situation.HANDLER_ABSENT: report.side not in play.handlers
        and "name a hand that a patron handles",
        Situation.EXPOSED_IN_ERROR: report.position not in {c.position for c in play.cards}
        and "name the place of a card that was dealt",
        Situation.LEFT_WITH_CARDS: not taken_cards(play, report.patron)
        and "name a patron who holds cards face down",
        Situation.LATE_INCREASE: (
            report.patron is None or report.stake not in (None, *play.stakes)
        )
        and "say whose wager it was, and of which stake if one lay there",
        Situation.TERMINAL_FAILURE: not 1 <= (report.terminal or 0) <= plan_of(table).positions
        and f"say which of the terminals 1 to {plan_of(table).positions} failed",
        Situation.LATE_REMOVAL: report.stake not in play.stakes
        and "name the stake that was taken away",
    }.get(what)
    if not missing:
        return None
    why = f"A report of {SITUATION_WORDS[what]} must {missing}"
    return refuse(Code.REPORT_INCOMPLETE, why)


def _not_reconstructable(
    table: Table, report: c.Report, event: i.IrregularityReported
) -> Refusal | None:
    if Step.RECONSTRUCT not in event.steps or not report.laid:
        return None
    rebuilt = reconstruction(table, report, event.clause)
    if rebuilt is not None and round_of(table).lines is None:
        return None
    if rebuilt is not None:
        why = "The wagers are settled; the cards are not put in another order any more"
        return refuse(Code.CANNOT_RECONSTRUCT, why, event.clause)
    lie = [card.position.value for card in round_of(table).cards]
    came = [place.value for place in report.laid]
    why = f"{listed(came)} came; name each of {listed(lie)} once, as the cards were drawn"
    if sorted(came) == sorted(lie):
        why = "The tableau needs faces that are not known; expose the cards first"
    return refuse(Code.CANNOT_RECONSTRUCT, why, event.clause)


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
    draft.add(i.HoldLifted(hold.kind.value))
    run(draft, (*hold.steps, *hold.then), envelope, by)
    return settled(draft)


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
    draft.add(i.HoldLifted(hold.kind.value))
    run(draft, hold.then, envelope, by)
    return settled(draft)


# Orders, resets and recovery


def _set_order(
    table: Table, envelope: c.Envelope, command: c.SetOrder, by: e.By
) -> Events | Refusal:
    hold, play = hold_of(table), round_of(table)
    numbers = tuple(range(len(play.waiting)))
    if tuple(sorted(command.order)) != numbers:
        came = f"Order {' '.join(map(str, command.order))}" if command.order else "No order"
        why = (
            f"{came} came; each of {listed([str(number) for number in numbers])} is named once"
        )
        return refuse(Code.BAD_ORDER, why, hold.clause)
    draft = Draft(table)
    choice = " ".join(str(number) for number in command.order)
    draft.add(
        e.DecisionRecorded(by, hold.clause, "order of the cards", (), choice, command.reason)
    )
    draft.add(i.OrderSet(numbers, command.order, by))
    draft.add(i.HoldLifted(hold.kind.value))
    run(draft, (*hold.steps[1:], *hold.then), envelope, by)
    return settled(draft)


def _reset_device(
    table: Table, envelope: c.Envelope, command: c.ResetDevice, by: e.By
) -> Events | Refusal:
    hold, play = hold_of(table), round_of(table)
    draft = Draft(table)
    draft.add(
        e.DecisionRecorded(by, hold.clause, "device reset", ("reset",), "reset", command.reason)
    )
    draft.add(i.DeviceReset(len(play.cards) + len(play.waiting), by))
    draft.add(i.HoldLifted(hold.kind.value))
    run(draft, (*hold.steps[1:], *hold.then), envelope, by)
    return settled(draft)


# Decisions


def _decide_referral(
    table: Table, envelope: c.Envelope, command: c.DecideReferral, by: e.By
) -> Events | Refusal:
    hold = hold_of(table)
    if not command.reason.strip():
        why = "A referred matter is decided with a reason, and none came"
        return refuse(Code.REASON_NEEDED, why, hold.clause)
    if hold.kind is not HoldKind.REFERRAL and command.decision is not c.Decision.VOID:
        why = "The missing cards are not recovered; without them the round can only be void"
        return refuse(Code.NOT_NOW, why, hold.clause)
    refusal = _undecidable(table, command.decision)
    if refusal is not None:
        return refusal
    situation = hold.situation.value if hold.situation else "irregularity"
    options = tuple(decision.value for decision in c.Decision)
    draft = Draft(table)
    draft.add(
        e.DecisionRecorded(
            by, hold.clause, situation, options, command.decision.value, command.reason
        )
    )
    draft.add(i.ReferralDecided(command.decision, hold.clause, command.reason, by))
    draft.add(i.HoldLifted(hold.kind.value))
    steps = {
        c.Decision.VOID: ((Step.VOID, plan_of(table).procedure.referral),),
        # What is decided cannot be pulled back by an option either (A19, A45).
        c.Decision.OFFER_WITHDRAWAL: ((Step.OFFER_REMAINING, hold.clause),),
        c.Decision.RECONSTRUCT: ((Step.RECONSTRUCT, hold.clause),),
        c.Decision.CONTINUE: (),
    }[command.decision]
    run(draft, (*steps, *hold.steps[1:], *hold.then), envelope, by)
    return settled(draft)


def _undecidable(table: Table, decision: c.Decision) -> Refusal | None:
    """Refuse to have cards put in order that are settled, or whose order nobody told."""
    play = round_of(table)
    if decision is not c.Decision.RECONSTRUCT:
        return None
    report = play.reported
    told = play.lines is None and report is not None and bool(report.laid)
    if told and report is not None and reconstruction(table, report, None) is not None:
        return None
    why = "The report tells no order in which the cards could be put; decide otherwise"
    if play.lines is not None:
        why = "The wagers are settled; the cards are not put in another order any more"
    return refuse(Code.CANNOT_RECONSTRUCT, why, hold_of(table).clause)


def _decide_replacement(
    table: Table, envelope: c.Envelope, command: c.DecideReplacement, by: e.By
) -> Events | Refusal:
    plan, shoe = plan_of(table), table.shoe
    if shoe is None:
        return refuse(Code.NO_SHOE, "There are no cards to replace")
    if shoe.replace_by is not None and not command.replace:
        why = f"The cards of shoe {shoe.name} must be replaced; they cannot be kept"
        return refuse(Code.MUST_REPLACE, why, shoe.replace_by)
    choice = "replaced" if command.replace else "kept"
    record = e.DecisionRecorded(
        by,
        plan.procedure.replacement,
        "replacement of the cards",
        ("replaced", "kept"),
        choice,
        command.reason,
    )
    return (record, i.ReplacementDecided(command.replace, by))


def _correct_card(
    table: Table, envelope: c.Envelope, command: c.CorrectCard, by: e.By
) -> Events | Refusal:
    plan, play = plan_of(table), round_of(table)
    if not command.reason.strip():
        return refuse(Code.REASON_NEEDED, "A card is corrected with a reason, and none came")
    place = command.position
    dealt = next((card for card in play.cards if card.position is place), None)
    if dealt is None or not dealt.exposed or dealt.card is None:
        up = listed([card.position.value for card in play.cards if card.exposed])
        where = f"face up lie {up}" if up else "none does yet"
        return refuse(Code.NOT_DRAWN, f"No card lies face up at {place.value}; {where}")
    if not envelope.cards:
        why = f"No face came for {place.value}; a card is corrected to its right face"
        return refuse(Code.CARD_MISSING, why)
    card = card_of(plan, envelope.cards[0])
    if isinstance(card, Refusal):
        return card
    if card is dealt.card:
        why = f"The card at {place.value} is {card} already; there is nothing to correct"
        return refuse(Code.CANNOT_RECONSTRUCT, why)
    draft = Draft(table)
    event = i.CardCorrected(place, dealt.card.text, card.text, by, command.reason)
    right = [_with_face(one, place, card) for one in play.cards]
    allotted = allot(table, right)
    if allotted is None or allotted[1] or allotted[0] != [one.position for one in right]:
        why = f"With {card} at {place.value} the cards dealt are not those the tableau"
        return refuse(
            Code.CANNOT_RECONSTRUCT,
            f"{why} calls for; report the wrong number of cards",
            plan.game.tableau.clause,
        )
    draft.add(
        e.DecisionRecorded(by, None, f"face of {place.value}", (), card.text, command.reason)
    )
    draft.add(event)
    coup = draft.round.coup
    if plan.calls_by_system and coup is not None and coup.complete:
        announce(draft, by.name)
    return draft.done


def _with_face(dealt: DealtCard, place: Position, card: Card) -> DealtCard:
    return replace(dealt, card=card) if dealt.position is place else dealt


HANDLERS: Handlers = {
    c.Report: _report,
    c.ConfirmReport: _confirm,
    c.DismissReport: _dismiss,
    c.SetOrder: _set_order,
    c.ResetDevice: _reset_device,
    c.DecideReferral: _decide_referral,
    c.DecideReplacement: _decide_replacement,
    c.CorrectCard: _correct_card,
}
