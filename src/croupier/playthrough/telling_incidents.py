"""Telling what happened: decisions, reports, holds and voids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.money import dollars
from croupier.rules.errors import cited
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.rulings import Step
from croupier.table.state import HoldKind
from croupier.table.words import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.table.state import Table

SILENT = " [not in rules]"
HOW = {
    Step.OFFER_ANY: "any of",
    Step.OFFER_UNDECIDED: "any of",
    Step.OFFER_REMAINING: "all or none of",
    Step.OFFER_ALL: "all or none of",
}


def clause_text(clause: str | None) -> str:
    """Write a clause at the end of a text; without one it is not in the rules."""
    return f" [{cited(clause)}]" if clause else SILENT


def who(by: e.By) -> str:
    """Say who did something: the position, for which one, and who approved it."""
    if by.position is None:
        return by.name
    told = f"{by.position.value} {by.name}"
    if by.acting_for is not None:
        told += f" for {by.acting_for.value}"
    if by.approved_by is not None:
        position = f"{by.approved_as.value} " if by.approved_as else ""
        told += f" with {position}{by.approved_by}"
    return told


def _decision(event: e.DecisionRecorded) -> str:
    reason = f', "{event.reason}"' if event.reason else ""
    told = f"{event.question}: {event.choice} ({who(event.by)}{reason})"
    return f"{told}{clause_text(event.clause)}"


def _hold(event: i.HoldPlaced) -> str:
    if event.kind == HoldKind.WITHDRAWAL.value:
        patrons = "patron" if len(event.patrons) == 1 else "patrons"
        stakes = "stake" if len(event.stakes) == 1 else "stakes"
        how = HOW[event.steps[0][0]]
        numbers = ", ".join(map(str, event.stakes))
        told = f"{patrons} {', '.join(event.patrons)} may withdraw {how} {stakes} {numbers}"
    else:
        told = f"HOLD {event.kind}"
    told += clause_text(event.clause)
    return f"{told}, suggested: {event.suggestion}" if event.suggestion else told


def _step(event: i.StepTaken) -> str:
    note = f": {event.note}" if event.note else ""
    return f"{event.step.value}{note}{clause_text(event.clause)}"


def _taken_up(event: i.CardsTakenUp) -> str:
    known = sum(card is not None for card in event.cards)
    faces = "" if known == event.count else f", {event.count - known} not read"
    return f"{event.count} cards {event.why}{faces}{clause_text(event.clause)}"


def order_text(event: i.OrderSet, table: Table) -> str:
    """Tell the order of waiting cards, by their faces where they are known."""
    waiting = table.round.waiting if table.round else ()
    # Cards that had come out before keep their order, in front.
    faces = [
        card.text if card is not None else f"number {number}"
        for card, number in zip(waiting[-len(event.after) :], event.after, strict=True)
    ]
    return f"order {' '.join(faces)}"


def _reconstructed(event: i.CardsReconstructed) -> str:
    cards = ", ".join(
        f"{event.before[old].position.value} to {place.position.value}"
        for old, place in zip(event.moved, event.after, strict=True)
        if event.before[old].position is not place.position
    )
    aside = ", ".join(event.before[old].position.value for old in event.set_aside)
    told = f"reconstructed: {cards or 'as they lay'}"
    return f"{told}{f', {aside} set aside' if aside else ''}{clause_text(event.clause)}"


def _retrieved(event: i.HandRetrieved) -> str:
    back = f" from patron {event.patron}" if event.patron else ""
    return f"{event.side.value} hand back{back}{clause_text(event.clause)}"


def _voided(event: i.RoundVoided) -> str:
    told = f"VOID{clause_text(event.clause)}"
    if event.reversed:
        won = _by_patron((line.patron, -line.won_cents) for line in event.reversed)
        told += f"; reversed {won}"
    back = _by_patron((refund.patron, refund.cents) for refund in event.refunds)
    return f"{told}; returned {back or 'nothing'}"


def _by_patron(amounts: Any) -> str:  # noqa: ANN401  # any pairs of a patron and cents
    sums: dict[str, int] = {}
    for patron, cents in amounts:
        sums[patron] = sums.get(patron, 0) + cents
    return ", ".join(f"{patron}: {dollars(cents)}" for patron, cents in sums.items())


def _withdrawn(event: i.WagersWithdrawn) -> str:
    return f"returned {dollars(event.cents)}{clause_text(event.clause)}"


def _kept(event: i.WagersKept) -> str:
    return f"patron {event.patron} {'keeps' if event.answered else 'did not answer: keeps'}"


def _reset(event: i.DeviceReset) -> str:
    faces = f" ({' '.join(event.faces)})" if event.faces else ""
    return f"device reset, {counted(event.cards, 'card')} set aside{faces}"


def _terminal(event: i.TerminalDecided) -> str:
    part = "stand" if event.stands else "are returned"
    known = ", outcome known" if event.outcome_known else ""
    return f"wagers of terminal {event.position} {part}{known}{clause_text(event.clause)}"


def _reversed(event: i.SettlementReversed) -> str:
    back = _by_patron((line.patron, -line.won_cents) for line in event.lines)
    told = f"pay list taken back: {event.why}{clause_text(event.clause)}"
    return f"{told}; reversed {back}" if back else told


INCIDENT_TEXTS: dict[type[e.Event], Callable[[Any], str]] = {
    e.DecisionRecorded: _decision,
    i.IrregularityReported: lambda event: (
        f"reported {event.report.situation.value}{clause_text(event.clause)}"
    ),
    i.ReportDismissed: lambda event: f"{event.situation.value} dismissed",
    i.StepTaken: _step,
    i.HoldPlaced: _hold,
    i.ReportQueued: lambda event: f"{event.report.situation.value} waits its turn",
    i.HoldSuspended: lambda event: f"{event.kind} waits behind this",
    i.HoldResumed: lambda event: f"HOLD {event.kind} again",
    i.HoldLifted: lambda event: f"{event.kind} lifted",
    i.WagersWithdrawn: _withdrawn,
    i.WagersKept: _kept,
    i.CardsTakenUp: _taken_up,
    i.CardsReconstructed: _reconstructed,
    i.CardCorrected: lambda event: (
        f"{event.position.value} corrected from {event.before} to {event.after}"
    ),
    i.DeviceReset: _reset,
    i.BetsReopened: lambda event: f"OPEN again{clause_text(event.clause)}",
    i.HandRetrieved: _retrieved,
    i.CardsSorted: lambda event: f"{sum(event.counts.values())} cards sorted",
    i.MissingDeduced: lambda event: (
        f"missing {' '.join(event.cards)}{clause_text(event.clause)}"
    ),
    i.CardsSubstituted: lambda event: f"substituted {' '.join(event.cards)}",
    i.ReplacementRequired: lambda event: f"cards to be replaced{clause_text(event.clause)}",
    i.ReplacementDecided: lambda event: f"cards {'are replaced' if event.replace else 'stay'}",
    i.ReferralDecided: lambda event: f"referral decided{clause_text(event.clause)}",
    i.TerminalDecided: _terminal,
    i.WithdrawalOffered: lambda event: f"withdrawal offered{clause_text(event.clause)}",
    i.SettlementReversed: _reversed,
    i.RoundVoided: _voided,
    i.DisplayCorrected: lambda event: (
        f"display showed {event.shown}, the cards show {event.actual}"
        f"{clause_text(event.clause)}"
    ),
}
"""How each kind of decision and irregularity is told."""
