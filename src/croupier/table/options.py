"""Options to withdraw: who is asked, who answers, and what follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.rules.errors import listed
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.draft import Draft
from croupier.table.folding import hold_of, plan_of, round_of
from croupier.table.refusals import Code, Refusal, refuse
from croupier.table.reporting import carry_on
from croupier.table.rulings import Step
from croupier.table.steps import all_or_none, run, withdrawable
from croupier.table.words import at_position, named

if TYPE_CHECKING:
    from croupier.table.draft import Events, Handlers
    from croupier.table.state import Hold, Table


def asked(hold: Hold, patron: str) -> bool:
    """Tell whether an answer of a patron is waited for."""
    return patron in hold.patrons and patron not in hold.answers


def _asked(table: Table, patron: str) -> Refusal | None:
    hold = hold_of(table)
    if asked(hold, patron):
        return None
    why = f"Patron {patron} has answered already; an answer stands"
    if patron not in hold.patrons:
        were = "were" if len(hold.patrons) > 1 else "was"
        others = listed([at_position(table, name) for name in hold.patrons])
        why = f"Patron {patron} was not asked; {others} {were}"
    return refuse(Code.NOTHING_TO_ANSWER, why, hold.clause)


def _withdraw(
    table: Table, envelope: c.Envelope, command: c.Withdraw, by: e.By
) -> Events | Refusal:
    refusal = _asked(table, command.patron)
    if refusal is not None:
        return refusal
    hold, play = hold_of(table), round_of(table)
    step = hold.steps[0][0]
    may = withdrawable(table, step).get(command.patron, [])
    chosen = list(dict.fromkeys(command.stakes)) or may
    wrong = [number for number in chosen if number not in may]
    if wrong:
        why = f"Stake {wrong[0]} cannot be withdrawn; patron {command.patron} may withdraw"
        return refuse(Code.NOT_WITHDRAWABLE, f"{why} {named('stake', may)}", hold.clause)
    if all_or_none(table, step, command.patron) and set(chosen) != set(may):
        why = f"{named('Stake', chosen)} alone came; {named('stake', may)} are withdrawn"
        why += " together, or none"
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
    hold = hold_of(table)
    draft = Draft(table)
    for patron in hold.patrons:
        if patron not in hold.answers:
            draft.add(i.WagersKept(patron, answered=False))
    draft.add(i.HoldLifted(hold.kind.value, envelope.moment))
    run(draft, hold.steps[1:], envelope, by)
    return carry_on(draft, envelope, by)


def _offer_withdrawal(
    table: Table, envelope: c.Envelope, command: c.OfferWithdrawal, by: e.By
) -> Events | Refusal:
    refusal = offer_refusal(table)
    if refusal is not None:
        return refusal
    rule = plan_of(table).procedure.cut_card
    assert rule is not None and rule.first is not None, "tested before"
    draft = Draft(table)
    options = ("offered", "not offered")
    question = "withdrawal because the cut card came first"
    draft.add(e.DecisionRecorded(by, rule.first, question, options, "offered", command.reason))
    draft.add(i.WithdrawalOffered(rule.first, by))
    run(draft, ((Step.OFFER_ANY, rule.first),), envelope, by)
    return carry_on(draft, envelope, by)


def offer_refusal(table: Table) -> Refusal | None:
    """Say why withdrawal is not offered for a cut card now, or return None."""
    plan, play = plan_of(table), round_of(table)
    rule = plan.procedure.cut_card
    if rule is None or rule.first is None:
        why = f"{plan.rulebook.edition.title} has no option for a cut card that comes first"
        return refuse(Code.NOT_IN_RULEBOOK, why)
    if not plan.hlga:
        rooms = listed(list(plan.procedure.hlga_rooms))
        why = f"Withdrawal for a cut card is offered in {rooms} only"
        return refuse(Code.HLGA_ONLY, why, rule.first)
    if not play.cut_card_first or play.cards:
        why = "The cut card has not come first in this round; only then is withdrawal offered"
        return refuse(Code.CUT_CARD_NOT_FIRST, why, rule.first)
    if play.cut_card_offered:
        why = "Withdrawal was offered when the cut card came; it is offered once"
        return refuse(Code.NOT_NOW, why, rule.first)
    return None


HANDLERS: Handlers = {
    c.Withdraw: _withdraw,
    c.KeepWagers: _keep,
    c.EndOption: _end_option,
    c.OfferWithdrawal: _offer_withdrawal,
}
