"""What irregularities ask of staff: orders, resets, referred matters, corrections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.rules.errors import listed
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.cards import card_of
from croupier.table.draft import Draft, Needs
from croupier.table.folding import hold_of, plan_of, round_of
from croupier.table.refusals import Code, Refusal, refuse
from croupier.table.reporting import carry_on
from croupier.table.reversal import unsettle
from croupier.table.steps import (
    announce_by_system,
    announce_totals,
    rebuild,
    run,
    suspend,
    too_many,
)

if TYPE_CHECKING:
    from croupier.table.draft import Events, Handlers
    from croupier.table.state import Hold, Round, Table

# Orders, resets and recovery


def to_be_ordered(hold: Hold, play: Round) -> int:
    """Return of how many cards, the last that came out, the order is to be fixed.

    Cards that came out before have their order already (A52).
    """
    return min(hold.report.count if hold.report else 0, len(play.waiting))


def _set_order(
    table: Table, envelope: c.Envelope, command: c.SetOrder, by: e.By
) -> Events | Refusal:
    hold, play = hold_of(table), round_of(table)
    numbers = tuple(range(to_be_ordered(hold, play)))
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
    draft.add(i.HoldLifted(hold.kind.value, envelope.moment))
    run(draft, hold.steps[1:], envelope, by)
    return carry_on(draft, envelope, by)


def _reset_device(
    table: Table, envelope: c.Envelope, command: c.ResetDevice, by: e.By
) -> Events | Refusal:
    hold, play = hold_of(table), round_of(table)
    draft = Draft(table)
    draft.add(
        e.DecisionRecorded(by, hold.clause, "device reset", ("reset",), "reset", command.reason)
    )
    out = (*play.cards, *play.aside)
    faces = tuple(card.card.text for card in out if card.exposed and card.card is not None)
    draft.add(i.DeviceReset(len(out) + len(play.waiting), by, faces))
    draft.add(i.HoldLifted(hold.kind.value, envelope.moment))
    run(draft, hold.steps[1:], envelope, by)
    return carry_on(draft, envelope, by)


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
) -> Events | Refusal | Needs:
    """Put a face right: the actual cards decide, whatever was read before (6.3)."""
    plan, play = plan_of(table), round_of(table)
    if not command.reason.strip():
        return refuse(Code.REASON_NEEDED, "A card is corrected with a reason, and none came")
    place = command.position
    dealt = next((card for card in play.cards if card.position is place), None)
    if dealt is None or not dealt.exposed or dealt.card is None:
        up = listed([card.position.value for card in play.cards if card.exposed])
        where = f"face up lie {up}" if up else "none does yet"
        return refuse(Code.NOT_DRAWN, f"No card lies face up at {place.value}; {where}")
    if not envelope.cards and envelope.supplies:
        return Needs((dealt.number,))
    if not envelope.cards:
        why = f"No face came for {place.value}; a card is corrected to its right face"
        return refuse(Code.CARD_MISSING, why)
    card = card_of(plan, envelope.cards[0])
    if isinstance(card, Refusal):
        return card
    if card is dealt.card:
        why = f"The card at {place.value} is {card} already; there is nothing to correct"
        return refuse(Code.CANNOT_RECONSTRUCT, why)
    clause = plan.procedure.display
    draft = Draft(table)
    # What the round waits for is asked again by the right face (A52).
    suspend(draft)
    question = f"face of {place.value}"
    draft.add(e.DecisionRecorded(by, clause, question, (), card.text, command.reason))
    unsettle(draft, clause, "a card was corrected")
    draft.add(i.CardCorrected(place, dealt.card.text, card.text, by, command.reason))
    _follow_tableau(draft)
    if not too_many(draft, envelope, card.text, by):
        coup = draft.round.coup
        if coup is not None:
            announce_totals(draft, coup)
        announce_by_system(draft, by)
    return carry_on(draft, envelope, by)


def _follow_tableau(draft: Draft) -> None:
    """Put the cards where the tableau wants them by their right faces.

    A natural that was hidden makes third cards surplus; a card may go to the other hand, and
    one that was set aside may be called for after all.
    """
    play, tableau = draft.round, plan_of(draft.table).game.tableau
    rebuilt = rebuild(draft.table, range(len(play.cards)), tableau.clause)
    assert rebuilt is not None, "cards lie face down where the tableau needs them"
    lie = tuple(card.position for card in play.cards)
    if rebuilt.waiting or tuple(one.position for one in rebuilt.after) != lie:
        draft.add(rebuilt)


HANDLERS: Handlers = {
    c.SetOrder: _set_order,
    c.ResetDevice: _reset_device,
    c.DecideReplacement: _decide_replacement,
    c.CorrectCard: _correct_card,
}
