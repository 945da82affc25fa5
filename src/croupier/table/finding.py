"""Stakes that are found on the layout after the closing, outside the limits (A25)."""

from __future__ import annotations

from functools import lru_cache
from math import lcm
from typing import TYPE_CHECKING

from croupier.money import Rounding, dollars
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.amounts import Amounts, between
from croupier.table.draft import Draft
from croupier.table.folding import plan_of, round_of
from croupier.table.opening import at_table
from croupier.table.placement import area_full, not_offered, place_refusal
from croupier.table.refusals import Code, Refusal, refuse
from croupier.table.reporting import carry_on
from croupier.table.reversal import unsettle
from croupier.table.settable import CENTS_MAX
from croupier.table.steps import suspend

if TYPE_CHECKING:
    from croupier.rules.wagers import Wager
    from croupier.table.draft import Events, Handlers
    from croupier.table.settings import Plan
    from croupier.table.state import Stake, Table


def _find(
    table: Table, envelope: c.Envelope, command: c.FindStake, by: e.By
) -> Events | Refusal:
    plan, play = plan_of(table), round_of(table)
    if plan.procedure.breaches is None:
        why = f"{plan.rulebook.edition.title} has no rule on stakes outside the limits"
        return refuse(Code.NOT_IN_RULEBOOK, f"{why}; report it as an irregularity")
    refusal = at_table(table, command.patron)
    if refusal is not None:
        return refusal
    seat = table.seats[command.patron]
    position = seat if command.position is None else command.position
    refusal = place_refusal(table, plan, seat, position)
    if refusal is not None:
        return refusal
    if command.wager not in plan.offered:
        return not_offered(plan, command.wager)
    there = [
        stake
        for stake in table.stakes
        if stake.wager == command.wager and stake.position == position
    ]
    own = next((one for one in there if one.shares[0].patron == command.patron), None)
    full = own is None and plan.cap is not None and len(there) >= plan.cap
    room = to_find(plan, command.wager, own, purse(table, command.patron))
    if full or not any(command.cents in amounts for amounts in room):
        refusal = _found_amount_refusal(plan, command, own)
        if refusal is None and full:
            refusal = area_full(plan, command.wager, position)
        return refusal or _no_credit(table, command)
    draft = Draft(table)
    suspend(draft)
    unsettle(draft, plan.procedure.round.definition, "a stake was found")
    number = own.number if own else play.placed + 1
    draft.add(
        e.StakeFound(
            number, command.patron, position, command.wager, command.cents, by, command.reason
        )
    )
    return carry_on(draft, envelope, by)


def purse(table: Table, patron: str) -> int:
    """Return what a patron's seat holds for a stake that is found.

    What a pay list credited that is made anew goes back into play first.
    """
    return table.credits[patron] - table.reserved(patron)


def to_find(plan: Plan, slug: str, own: Stake | None, most: int) -> tuple[Amounts, ...]:
    """Return what may be found on a wager, beside a stake that lies there, or alone."""
    limit, held = plan.limits[slug], own.cents if own else 0
    step = payable_step(plan.offered[slug]) if exact(plan) else 1
    several = own is not None and len(own.shares) > 1
    under = between(1, min(limit.minimum_cents - 1 - held, most), step, held)
    if several and held % step:
        under = ()  # the parts cannot be paid both together and alone
    over = max(1, limit.maximum_cents + 1 - held)
    return (*under, *between(over, min(CENTS_MAX, most), step if several else 1))


def exact(plan: Plan) -> bool:
    """Tell whether every line of a table must come to whole cents."""
    return plan.settings.rounding is Rounding.REFUSE


@lru_cache(maxsize=256)
def payable_step(wager: Wager) -> int:
    """Return the least amount of which every multiple pays whole cents on a wager."""
    return lcm(*(row.pays.net.denominator for row in wager.rows))


def _no_credit(table: Table, command: c.FindStake) -> Refusal:
    held = purse(table, command.patron)
    assert command.cents > held, "refused without a reason"
    why = f"{dollars(command.cents)} was found; the seat of patron {command.patron} holds"
    return refuse(Code.NOT_ENOUGH_CREDIT, f"{why} {dollars(held)}")


def _found_amount_refusal(
    plan: Plan, command: c.FindStake, own: Stake | None
) -> Refusal | None:
    """Refuse an amount that is none, that lies within the limits, or that cannot be paid."""
    if not 0 < command.cents <= CENTS_MAX:
        why = f"A stake of {dollars(command.cents)} came; stakes are above zero and at most"
        return refuse(Code.BAD_AMOUNT, f"{why} {dollars(CENTS_MAX)}")
    limit = plan.limits[command.wager]
    whole = command.cents + (own.cents if own else 0)
    if limit.minimum_cents <= whole <= limit.maximum_cents:
        why = f"A stake of {dollars(whole)} is within the limits; after the closing"
        clause = plan.procedure.round.late_increase
        return refuse(Code.WITHIN_LIMITS, f"{why} none is added", clause)
    return _not_payable(plan, command, own)


def _not_payable(plan: Plan, command: c.FindStake, own: Stake | None) -> Refusal | None:
    """Say which line of a found stake would come to parts of a cent, where none is rounded.

    What is placed fits steps that pay exactly; what is found may be any amount (A25).
    """
    if not exact(plan):
        return None
    most = plan.limits[command.wager].maximum_cents
    amounts = [min(most, command.cents + (own.cents if own else 0))]
    if own is not None and len(own.shares) > 1:
        amounts.append(command.cents)  # the others may still withdraw their parts
    for row in plan.offered[command.wager].rows:
        for cents in amounts:
            if cents * row.pays.net.numerator % row.pays.net.denominator:
                why = f"{row.label} pays {row.pays}, which comes to parts of a cent on"
                why += f" {dollars(cents)}, and this table rounds nothing; refer the stake"
                return refuse(Code.NOT_PAYABLE, why, row.clause)
    return None


HANDLERS: Handlers = {c.FindStake: _find}
