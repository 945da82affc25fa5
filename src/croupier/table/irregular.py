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
from croupier.table.placement import hold_if_unbalanced
from croupier.table.refusals import Code, Refusal, refuse
from croupier.table.roles import System
from croupier.table.rulings import Situation, Step
from croupier.table.state import HoldKind, Phase
from croupier.table.steps import (
    allot,
    announce,
    reconstruction,
    reported,
    ruling_for,
    run,
    taken_cards,
    unaccounted,
    withdrawable,
)

if TYPE_CHECKING:
    from croupier.rules.cards import Card
    from croupier.rules.coup import Position
    from croupier.table.draft import Events, Handlers
    from croupier.table.settings import Plan
    from croupier.table.state import DealtCard, Hold, Round, Table

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
LATE = (Situation.LATE_INCREASE, Situation.LATE_REMOVAL)
TOGETHER_MIN, TOGETHER_MAX = 2, 6


def _plan(table: Table) -> Plan:
    assert table.plan is not None, "the table is not open"
    return table.plan


def _round(table: Table) -> Round:
    assert table.round is not None, "no round"
    return table.round


def _hold(table: Table) -> Hold:
    assert table.hold is not None, "nothing is on hold"
    return table.hold


# Reports


def _report(
    table: Table, envelope: c.Envelope, command: c.Report, by: e.By
) -> Events | Refusal:
    if table.hold is not None:
        return _report_on_hold(table, envelope, command, by)
    left = table.shoe.left if table.shoe else 0
    if not 0 <= command.count <= left:
        why = f"{command.count} cards cannot have come out; the device holds {left}"
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
        return _settled(draft)
    situation = command.situation
    draft.add(i.HoldPlaced(HoldKind.REPORT.value, event.clause, situation, steps))
    return draft.done


def _lost_with(
    table: Table, envelope: c.Envelope, report: c.Report, by: e.By
) -> Events | Refusal:
    """Return the loss of a terminal that a report tells of, if it does."""
    rules_it = _plan(table).procedure.terminals is not None
    if report.situation is not Situation.TERMINAL_FAILURE or not rules_it:
        return ()
    return _lose_terminal(table, envelope, c.LoseTerminal(report.terminal or 0), by)


def _report_on_hold(
    table: Table, envelope: c.Envelope, command: c.Report, by: e.By
) -> Events | Refusal:
    """Take a power failure while the round waits; anything else waits too."""
    hold = _hold(table)
    if command.situation is not Situation.POWER_FAILURE:
        why = f"The round waits for its {hold.kind.value}; report this afterwards"
        return refuse(Code.ON_HOLD, why, hold.clause)
    ruling = ruling_for(table, command)
    draft = Draft(table)
    voids = ruling is not None and ruling.voids
    if voids and not isinstance(envelope.actor, System):
        why = f"The round waits for its {hold.kind.value}; report the failure afterwards"
        return refuse(Code.ON_HOLD, why, hold.clause)
    if voids:
        event, steps = reported(table, command, envelope.cards, by)
        draft.add(event)
        run(draft, steps, envelope, by)
        return draft.done
    clause = ruling.clause if ruling else _plan(table).procedure.referral
    note = f"power failed while the round waited for its {hold.kind.value}; it still does"
    return (i.StepTaken(Step.CONCLUDE, clause, note),)


def _unread(table: Table, envelope: c.Envelope) -> Refusal | None:
    """Refuse faces that are no cards of the deck in use."""
    for text in envelope.cards:
        card = card_of(_plan(table), text)
        if isinstance(card, Refusal):
            return card
    return None


def _settled(draft: Draft) -> Events:
    """Test the differential again when a hold ended before the first card."""
    table = draft.table
    if table.hold is None and table.phase is Phase.CLOSED and not draft.round.cards:
        hold_if_unbalanced(draft)
    return draft.done


def _untimely(table: Table, report: c.Report) -> Refusal | None:
    plan, play, what = _plan(table), _round(table), report.situation
    if table.phase is Phase.SETTLED and play.confirmed:
        window = plan.procedure.voidable
        if what is not Situation.WRONG_NUMBER or window is None:
            why = f"Round {play.number} is settled, and earlier rounds stand"
            return refuse(Code.NO_ROUND, why, plan.procedure.earlier)
        return None
    closed = play.closed is not None
    after_close = (*LATE, Situation.DRAWN_TOGETHER, Situation.DEVICE_RESET)
    if what in after_close and not closed:
        why = f"Bets are still open; {what.value} is reported after their closing"
        return refuse(Code.NOT_NOW, why, plan.procedure.round.closes)
    dealing = (Situation.DRAWN_TOGETHER, Situation.INSUFFICIENT_CARDS)
    if what in dealing and table.phase not in (Phase.CLOSED, Phase.SHAKE, Phase.DEALING):
        why = f"No card is drawn while the round is {table.phase.value}"
        return refuse(Code.NOT_NOW, why)
    with_cards = (Situation.WRONG_ORDER, Situation.WRONG_NUMBER, Situation.EXPOSED_IN_ERROR)
    if what in with_cards and not play.cards:
        why = f"No card has been dealt, so {what.value} cannot be"
        return refuse(Code.NOT_NOW, why)
    return None


def _incomplete(table: Table, report: c.Report) -> Refusal | None:
    play, what = _round(table), report.situation
    missing = {
        Situation.DRAWN_TOGETHER: not TOGETHER_MIN <= report.count <= TOGETHER_MAX
        and "how many cards came together, 2 to 6",
        Situation.WRONG_ORDER: not report.laid and "where the cards lay, in drawn order",
        Situation.WRONG_PATRON: (report.side is None or report.patron is None)
        and "which hand went to which patron",
        Situation.HANDLER_ABSENT: report.side not in play.handlers
        and "a hand that a patron handles",
        Situation.EXPOSED_IN_ERROR: report.position not in {c.position for c in play.cards}
        and "the place of a card that was dealt",
        Situation.LEFT_WITH_CARDS: not taken_cards(play, report.patron)
        and "the patron who holds the cards",
        Situation.LATE_INCREASE: (
            report.patron is None or report.stake not in (None, *play.stakes)
        )
        and "whose wager, and which stake, it was",
        Situation.TERMINAL_FAILURE: not 1 <= (report.terminal or 0) <= _plan(table).positions
        and "which of the terminals failed",
        Situation.LATE_REMOVAL: report.stake not in play.stakes
        and "the number of the stake that was taken away",
    }.get(what)
    if not missing:
        return None
    return refuse(Code.REPORT_INCOMPLETE, f"A report of {what.value} says {missing}")


def _not_reconstructable(
    table: Table, report: c.Report, event: i.IrregularityReported
) -> Refusal | None:
    if Step.RECONSTRUCT not in event.steps or not report.laid:
        return None
    rebuilt = reconstruction(table, report, event.clause)
    if rebuilt is not None and _round(table).lines is None:
        return None
    if rebuilt is not None:
        why = "The wagers are settled; the cards are not put in another order any more"
        return refuse(Code.CANNOT_RECONSTRUCT, why, event.clause)
    places = listed([card.position.value for card in _round(table).cards])
    why = f"The cards cannot be put in this order; name each of {places} once"
    return refuse(Code.CANNOT_RECONSTRUCT, why, event.clause)


def _confirm(
    table: Table, envelope: c.Envelope, command: c.ConfirmReport, by: e.By
) -> Events | Refusal:
    hold = _hold(table)
    draft = Draft(table)
    situation = hold.situation.value if hold.situation else "irregularity"
    options = ("confirmed", "dismissed")
    draft.add(
        e.DecisionRecorded(by, hold.clause, situation, options, "confirmed", command.reason)
    )
    draft.add(i.HoldLifted(hold.kind.value))
    run(draft, hold.steps, envelope, by)
    return _settled(draft)


def _dismiss(
    table: Table, envelope: c.Envelope, command: c.DismissReport, by: e.By
) -> Events | Refusal:
    hold = _hold(table)
    if not command.reason.strip():
        why = "A report is dismissed with a reason, and none came"
        return refuse(Code.REASON_NEEDED, why)
    situation = hold.situation or Situation.OTHER
    options = ("confirmed", "dismissed")
    record = e.DecisionRecorded(
        by, hold.clause, situation.value, options, "dismissed", command.reason
    )
    dismissed = i.ReportDismissed(situation, by, command.reason)
    return (record, dismissed, i.HoldLifted(hold.kind.value))


# Options to withdraw


def _asked(table: Table, patron: str) -> Refusal | None:
    hold = _hold(table)
    if patron in hold.patrons and patron not in hold.answers:
        return None
    state = "has answered" if patron in hold.answers else "was not asked"
    return refuse(Code.NOTHING_TO_ANSWER, f"Patron {patron} {state}", hold.clause)


def _withdraw(
    table: Table, envelope: c.Envelope, command: c.Withdraw, by: e.By
) -> Events | Refusal:
    refusal = _asked(table, command.patron)
    if refusal is not None:
        return refusal
    hold, play = _hold(table), _round(table)
    step = hold.steps[0][0]
    may = withdrawable(table, step).get(command.patron, [])
    chosen = list(dict.fromkeys(command.stakes)) or may
    wrong = [number for number in chosen if number not in may]
    if wrong:
        why = f"Stake {wrong[0]} cannot be withdrawn; patron {command.patron} may withdraw"
        return refuse(
            Code.NOT_WITHDRAWABLE, f"{why} {listed([str(n) for n in may])}", hold.clause
        )
    if step in (Step.OFFER_ALL, Step.OFFER_REMAINING) and set(chosen) != set(may):
        why = f"All of {listed([str(number) for number in may])} are withdrawn, or none"
        return refuse(Code.ALL_OR_NONE, why, hold.clause)
    cents = 0
    for number in chosen:
        share = play.stakes[number].share(command.patron)
        assert share is not None
        cents += share.cents
    return (i.WagersWithdrawn(command.patron, tuple(chosen), cents, hold.clause),)


def _keep(
    table: Table, envelope: c.Envelope, command: c.KeepWagers, by: e.By
) -> Events | Refusal:
    return _asked(table, command.patron) or (i.WagersKept(command.patron),)


def _end_option(
    table: Table, envelope: c.Envelope, command: c.EndOption, by: e.By
) -> Events | Refusal:
    hold = _hold(table)
    draft = Draft(table)
    for patron in hold.patrons:
        if patron not in hold.answers:
            draft.add(i.WagersKept(patron, answered=False))
    draft.add(i.HoldLifted(hold.kind.value))
    run(draft, hold.steps[1:], envelope, by)
    return _settled(draft)


def _offer_withdrawal(
    table: Table, envelope: c.Envelope, command: c.OfferWithdrawal, by: e.By
) -> Events | Refusal:
    plan, play = _plan(table), _round(table)
    rule = plan.procedure.cut_card
    if rule is None or rule.first is None:
        why = f"{plan.rulebook.edition.title} has no option for a cut card that comes first"
        return refuse(Code.NOT_IN_RULEBOOK, why)
    if not plan.hlga:
        rooms = listed(list(plan.procedure.hlga_rooms))
        why = f"Withdrawal for a cut card is offered in {rooms} only"
        return refuse(Code.HLGA_ONLY, why, rule.first)
    if not play.cut_card_first or play.cards:
        why = "The cut card was not the first card of this round"
        return refuse(Code.CUT_CARD_NOT_FIRST, why, rule.first)
    draft = Draft(table)
    options = ("offered", "not offered")
    question = "withdrawal because the cut card came first"
    draft.add(e.DecisionRecorded(by, rule.first, question, options, "offered", command.reason))
    run(draft, ((Step.OFFER_ANY, rule.first),), envelope, by)
    return _settled(draft)


# Orders, resets and recovery


def _set_order(
    table: Table, envelope: c.Envelope, command: c.SetOrder, by: e.By
) -> Events | Refusal:
    hold, play = _hold(table), _round(table)
    numbers = tuple(range(len(play.waiting)))
    if tuple(sorted(command.order)) != numbers:
        listed_ = listed([str(number) for number in numbers])
        why = f"An order names each of the cards {listed_} once"
        return refuse(Code.BAD_ORDER, why, hold.clause)
    draft = Draft(table)
    choice = " ".join(str(number) for number in command.order)
    draft.add(
        e.DecisionRecorded(by, hold.clause, "order of the cards", (), choice, command.reason)
    )
    draft.add(i.OrderSet(numbers, command.order, by))
    draft.add(i.HoldLifted(hold.kind.value))
    run(draft, hold.steps[1:], envelope, by)
    return _settled(draft)


def _reset_device(
    table: Table, envelope: c.Envelope, command: c.ResetDevice, by: e.By
) -> Events | Refusal:
    hold, play = _hold(table), _round(table)
    draft = Draft(table)
    draft.add(
        e.DecisionRecorded(by, hold.clause, "device reset", ("reset",), "reset", command.reason)
    )
    draft.add(i.DeviceReset(len(play.cards) + len(play.waiting), by))
    draft.add(i.HoldLifted(hold.kind.value))
    run(draft, hold.steps[1:], envelope, by)
    return _settled(draft)


def _reserve(
    table: Table, envelope: c.Envelope, command: c.ReserveCards, by: e.By
) -> Events | Refusal:
    hold, plan, shoe = _hold(table), _plan(table), table.shoe
    if shoe is None or shoe.left < TOGETHER_MIN:
        left = shoe.left if shoe else 0
        why = f"Two cards are taken from the device; it holds {left}"
        return refuse(Code.NOT_ENOUGH_CARDS, why, hold.clause)
    if len(envelope.cards) != TOGETHER_MIN:
        why = "The faces of the two cards did not come; device or Gaming Shift Manager"
        return refuse(Code.CARD_MISSING, f"{why} read them privately (A31)", hold.clause)
    for text in envelope.cards:
        card = card_of(plan, text)
        if isinstance(card, Refusal):
            return card
    draft = Draft(table)
    draft.add(
        e.DecisionRecorded(by, hold.clause, "two cards reserved", ("reserved",), "reserved")
    )
    draft.add(i.CardsTakenUp(TOGETHER_MIN, "reserved", hold.clause, envelope.cards))
    draft.add(i.HoldLifted(hold.kind.value))
    run(draft, hold.steps[1:], envelope, by)
    return draft.done


def _record_sorting(
    table: Table, envelope: c.Envelope, command: c.RecordSorting, by: e.By
) -> Events | Refusal:
    hold, plan, play = _hold(table), _plan(table), _round(table)
    assert play.reported is not None
    gone = taken_cards(play, play.reported.patron)
    unknown = [card for card in play.cards if card.card is None and card not in gone]
    if unknown:
        why = f"The card at {unknown[0].position.value} is face down and not known"
        return refuse(Code.CARDS_FACE_DOWN, why, hold.clause)
    left = unaccounted(table)
    for face, count in command.counts.items():
        if face not in left or count < 0:
            why = f"{count} cards {face!r} were counted; the faces are those of"
            return refuse(Code.BAD_COUNTS, f"{why} the {plan.game.deck.name}", hold.clause)
        left[face] -= count
    over = min(left, key=left.__getitem__)
    if left[over] < 0:
        why = f"{over} was counted {-left[over]} times more often than the decks have it"
        return refuse(Code.BAD_COUNTS, why, hold.clause)
    if sum(left.values()) != len(gone):
        why = f"The counts leave {sum(left.values())} cards missing; {len(gone)} were taken"
        return refuse(Code.BAD_COUNTS, why, hold.clause)
    draft = Draft(table)
    draft.add(i.CardsSorted(command.counts, by))
    draft.add(i.HoldLifted(hold.kind.value))
    run(draft, hold.steps[1:], envelope, by)
    return draft.done


def _substitute(
    table: Table, envelope: c.Envelope, command: c.Substitute, by: e.By
) -> Events | Refusal:
    hold, play = _hold(table), _round(table)
    assert play.reported is not None
    if sorted(command.cards) != sorted(play.missing):
        why = f"{listed(list(command.cards)) or 'Nothing'} cannot stand in for"
        return refuse(Code.WRONG_SUBSTITUTE, f"{why} {listed(list(play.missing))}", hold.clause)
    draft = Draft(table)
    sides = {card.position.side: None for card in taken_cards(play, play.reported.patron)}
    draft.add(i.CardsSubstituted(command.cards, by))
    for side in sides:
        draft.add(i.HandRetrieved(side, play.reported.patron, hold.clause))
    draft.add(i.HoldLifted(hold.kind.value))
    run(draft, hold.steps[1:], envelope, by)
    return draft.done


# Decisions


def _decide_referral(
    table: Table, envelope: c.Envelope, command: c.DecideReferral, by: e.By
) -> Events | Refusal:
    hold = _hold(table)
    if not command.reason.strip():
        why = "A referred matter is decided with a reason, and none came"
        return refuse(Code.REASON_NEEDED, why, hold.clause)
    if hold.kind is not HoldKind.REFERRAL and command.decision is not c.Decision.VOID:
        why = "The missing cards are not recovered; without them the round can only be void"
        return refuse(Code.NOT_NOW, why, hold.clause)
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
        c.Decision.VOID: ((Step.VOID, _plan(table).procedure.referral),),
        # What is decided cannot be pulled back by an option either (A19, A45).
        c.Decision.OFFER_WITHDRAWAL: ((Step.OFFER_REMAINING, hold.clause),),
        c.Decision.RECONSTRUCT: ((Step.RECONSTRUCT, hold.clause),),
        c.Decision.CONTINUE: (),
    }[command.decision]
    run(draft, (*steps, *hold.steps[1:]), envelope, by)
    return _settled(draft)


def _decide_replacement(
    table: Table, envelope: c.Envelope, command: c.DecideReplacement, by: e.By
) -> Events | Refusal:
    plan, shoe = _plan(table), table.shoe
    if shoe is None:
        return refuse(Code.NO_SHOE, "There are no cards to replace")
    if shoe.replace_by is not None and not command.replace:
        why = "These cards must be replaced"
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
    plan, play = _plan(table), _round(table)
    if not command.reason.strip():
        return refuse(Code.REASON_NEEDED, "A card is corrected with a reason, and none came")
    place = command.position
    dealt = next((card for card in play.cards if card.position is place), None)
    if dealt is None or not dealt.exposed or dealt.card is None:
        why = f"No card lies face up at {place.value}"
        return refuse(Code.NOT_DRAWN, why)
    if not envelope.cards:
        return refuse(Code.CARD_MISSING, f"The right face of {place.value} did not come")
    card = card_of(plan, envelope.cards[0])
    if isinstance(card, Refusal):
        return card
    draft = Draft(table)
    event = i.CardCorrected(place, dealt.card.text, card.text, by, command.reason)
    right = [_with_face(one, place, card) for one in play.cards]
    allotted = allot(table, right)
    if allotted is None or allotted[1] or allotted[0] != [one.position for one in right]:
        why = f"With {card} at {place.value} the cards dealt are not those the tableau"
        return refuse(
            Code.CANNOT_RECONSTRUCT, f"{why} calls for; report it", plan.game.tableau.clause
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


# Terminals


def _terminal(table: Table, position: int, *, lost: bool) -> Refusal | None:
    plan = _plan(table)
    if plan.procedure.terminals is None:
        why = f"{plan.rulebook.edition.title} is not played at terminals"
        return refuse(Code.NOT_IN_RULEBOOK, why)
    if not 1 <= position <= plan.positions:
        why = f"There is no terminal {position}; there are 1 to {plan.positions}"
        return refuse(Code.UNKNOWN_POSITION, why)
    if (position in table.lost_terminals) is lost:
        state = "is not connected" if lost else "is connected"
        return refuse(Code.TERMINAL_STATE, f"Terminal {position} {state} already")
    return None


def _lose_terminal(
    table: Table, envelope: c.Envelope, command: c.LoseTerminal, by: e.By
) -> Events | Refusal:
    refusal = _terminal(table, command.position, lost=True)
    if refusal is not None:
        return refusal
    position = command.position
    if table.between_rounds or table.round is None:
        return (e.TerminalLost(position, None, takes_part=False, flagged=False),)
    report = c.Report(Situation.TERMINAL_FAILURE, terminal=position)
    ruling = ruling_for(table, report)
    assert ruling is not None, "a rulebook with terminals rules their failure"
    takes_part = any(do.step is Step.TAKES_PART for do in ruling.steps)
    shown = position in table.round.terminals_closed
    clause = ruling.steps[-1].clause
    return (e.TerminalLost(position, clause, takes_part, flagged=takes_part and not shown),)


def _restore_terminal(
    table: Table, envelope: c.Envelope, command: c.RestoreTerminal, by: e.By
) -> Events | Refusal:
    refusal = _terminal(table, command.position, lost=False)
    return refusal or (e.TerminalRestored(command.position),)


def _acknowledge(
    table: Table, envelope: c.Envelope, command: c.AcknowledgeClosing, by: e.By
) -> Events | Refusal:
    position = command.position
    if position in table.lost_terminals:
        why = f"Terminal {position} is not connected; it can have shown nothing"
        return refuse(Code.TERMINAL_DOWN, why)
    refusal = _terminal(table, position, lost=True)
    if refusal is not None:
        return refusal
    return (e.ClosingAcknowledged(position, envelope.moment),)


HANDLERS: Handlers = {
    c.Report: _report,
    c.ConfirmReport: _confirm,
    c.DismissReport: _dismiss,
    c.Withdraw: _withdraw,
    c.KeepWagers: _keep,
    c.EndOption: _end_option,
    c.OfferWithdrawal: _offer_withdrawal,
    c.SetOrder: _set_order,
    c.ResetDevice: _reset_device,
    c.ReserveCards: _reserve,
    c.RecordSorting: _record_sorting,
    c.Substitute: _substitute,
    c.DecideReferral: _decide_referral,
    c.DecideReplacement: _decide_replacement,
    c.CorrectCard: _correct_card,
    c.LoseTerminal: _lose_terminal,
    c.RestoreTerminal: _restore_terminal,
    c.AcknowledgeClosing: _acknowledge,
}
