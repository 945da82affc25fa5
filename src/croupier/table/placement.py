"""Betting: the calls, stakes placed, raised, lowered and removed, and the differential."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from croupier.money import dollars
from croupier.rules.errors import cited, listed, quoted
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.amounts import Amounts, between
from croupier.table.differential import balanced, heavier, hold_if_unbalanced
from croupier.table.draft import Draft
from croupier.table.folding import plan_of, round_of
from croupier.table.opening import ended_by
from croupier.table.refusals import Code, Refusal, refuse
from croupier.table.reporting import carry_on
from croupier.table.settable import CENTS_MAX
from croupier.table.state import HoldKind
from croupier.table.terminals import terminal_down
from croupier.table.words import counted, not_over

if TYPE_CHECKING:
    from collections.abc import Mapping

    from croupier.table.draft import Events, Handlers
    from croupier.table.settings import Plan
    from croupier.table.state import Round, Stake, Table

MAIN = {Side.PLAYER.value: Side.PLAYER, Side.BANKER.value: Side.BANKER}


# The calls


def _call_bets(
    table: Table, envelope: c.Envelope, command: c.CallBets, by: e.By
) -> Events | Refusal:
    refusal = call_refusal(table)
    if refusal is not None:
        return refusal
    draft = Draft(table)
    if table.scheduled is not None and table.scheduled_by is not None:
        draft.add(e.SettingsChanged(table.scheduled, table.scheduled_by))
        for event in ended_by(table, table.scheduled, table.scheduled_by):
            draft.add(event)
    plan = plan_of(draft.table)
    edition, method = plan.rulebook.edition, plan.settings.method
    draft.add(
        e.BetsOpened(
            table.rounds + 1,
            edition.code,
            edition.version,
            edition.effective,
            plan.game.slug,
            method.value if method else None,
            envelope.moment,
            by.name,
            draft.table.dealt_by,
            table.shoe.name if table.shoe else "",
            dict(table.seats),
            dict(table.credits),
        )
    )
    return draft.done


def call_refusal(table: Table) -> Refusal | None:
    """Say why bets cannot be called for now, or return None."""
    if not table.between_rounds:
        why = not_over(c.CallBets, table.phase)
        return refuse(Code.ROUND_IN_PROGRESS, why, plan_of(table).procedure.round.definition)
    shoe = table.shoe
    if shoe is None or shoe.ended:
        return refuse(Code.NO_SHOE, "No shoe is in play; load one before the call for bets")
    if shoe.replace_by is not None:
        why = f"The cards of shoe {shoe.name} must be replaced before the next round"
        return refuse(Code.CARDS_MUST_BE_REPLACED, why, shoe.replace_by)
    if table.replacement_due:
        why = "The last round was void; decide first whether its cards are replaced"
        return refuse(Code.REPLACEMENT_UNDECIDED, why, plan_of(table).procedure.replacement)
    return None


def _close_bets(
    table: Table, envelope: c.Envelope, command: c.CloseBets, by: e.By
) -> Events | Refusal:
    plan = plan_of(table)
    draft = Draft(table)
    for stake in table.stakes:
        if stake.shared and stake.cents < plan.limits[stake.wager].minimum_cents:
            clause = plan.procedure.joint or ""
            draft.add(e.WagerReturned(stake.number, clause, "not completed by the closing"))
    again = round_of(table).closings > 0
    draft.add(e.BetsClosed(envelope.moment, by.name, again))
    if cut_card_comes(draft.table):
        draft.add(e.CutCardSeen(first=True, by=by.name))
    hold_if_unbalanced(draft, envelope.moment)
    return draft.done


def cut_card_comes(table: Table) -> bool:
    """Tell whether the cut card of a virtual shoe comes before the next card."""
    shoe, device = table.shoe, table.settings.device
    if shoe is None or shoe.cut_behind is None or shoe.cut_card_seen or device.physical:
        return False
    return shoe.out >= shoe.cut_behind


# Placing


def _place(
    table: Table, envelope: c.Envelope, command: c.PlaceWager, by: e.By
) -> Events | Refusal:
    plan, play = table.plan, table.round
    assert plan is not None and play is not None
    patron, slug, cents = command.patron, command.wager, command.cents
    seat = table.seats.get(patron)
    if seat is None:
        return _not_here(patron)
    position = seat if command.position is None else command.position
    joined = play.stakes.get(command.join) if command.join is not None else None
    if joined is not None and command.position is None:
        position = joined.position
    refusal = place_refusal(table, plan, seat, position)
    if refusal is not None:
        return refusal
    if slug not in plan.offered:
        return not_offered(plan, slug)
    own, there = _lying_there(play, command, position)
    refusal = _joint_refusal(plan, command, own, position)
    if refusal is not None:
        return refusal
    shared, held = (own.shared, own.cents) if own else (command.shared, 0)
    full = own is None and plan.cap is not None and there >= plan.cap
    least, most = _addable(table, plan, patron, slug, held, shared)
    fits = not (held + cents) % plan.limits[slug].step_cents
    if full or not fits or not least <= cents <= most:
        refusal = _amount_refusal(plan, slug, cents, held, shared=shared)
        if refusal is None and full:
            refusal = area_full(plan, slug, position)
        refusal = refusal or _after_change(table, plan, patron, slug, cents)
        assert refusal is not None, "refused without a reason"
        return refusal
    placed_by = by.name if by.position is not None else None
    if own is not None:
        raised = e.WagerRaised(own.number, patron, cents, placed_by)
        return _changed(table, envelope, raised, by)
    placed = e.WagerPlaced(
        play.placed + 1, patron, position, slug, cents, placed_by, command.shared
    )
    return _changed(table, envelope, placed, by)


def _lying_there(play: Round, command: c.PlaceWager, position: int) -> tuple[Stake | None, int]:
    """Return the stake that this adds to, if any, and how many stakes the area holds."""
    slug, own = command.wager, None
    there = [
        stake
        for stake in play.stakes.values()
        if stake.position == position and stake.wager == slug
    ]
    for stake in there:
        if command.join is not None:
            if stake.number == command.join:
                own = stake
        elif stake.shares[0].patron == command.patron and not stake.found:
            own = stake
    return own, len(there)


def _joint_refusal(
    plan: Plan, command: c.PlaceWager, own: Stake | None, position: int
) -> Refusal | None:
    if command.join is not None:
        if own is None:
            why = f"There is no stake {command.join} on {command.wager}"
            return refuse(Code.UNKNOWN_STAKE, f"{why} at position {position}")
        if not own.shared and own.share(command.patron) is None:
            why = f"Stake {own.number} is not shared; only its owner may add to it"
            return refuse(Code.NOT_SHARED, why, plan.procedure.joint)
    if command.shared and plan.procedure.joint is None:
        why = f"{plan.rulebook.edition.title} has no wagers of several patrons"
        return refuse(Code.NO_JOINT_WAGERS, why)
    return None


def _not_here(patron: str) -> Refusal:
    return refuse(Code.NOT_AT_TABLE, f"Patron {patron} is not at this table")


def not_offered(plan: Plan, slug: str) -> Refusal:
    """Refuse a wager that is not offered."""
    offered = listed(list(plan.offered))
    why = f"{quoted(slug)} is not offered at this table; its wagers are {offered}"
    return refuse(Code.WAGER_NOT_OFFERED, why, plan.game.clause)


def area_full(plan: Plan, slug: str, position: int) -> Refusal:
    """Refuse a wager for which an area has no room."""
    cap = plan.procedure.area_cap
    assert cap is not None and plan.cap is not None
    clause = cap.clause if plan.cap == cap.most else cap.lowered
    why = f"The {slug} area at position {position} is full; it holds"
    return refuse(Code.AREA_FULL, f"{why} {counted(plan.cap, 'wager')} at most", clause)


def place_refusal(table: Table, plan: Plan, seat: int, position: int) -> Refusal | None:
    """Say why a patron who sits here cannot wager there, or return None."""
    if position != seat or position > plan.positions:
        terminals = plan.procedure.terminals
        if terminals is not None:
            why = f"The patron sits at terminal {seat} and cannot wager at {position}"
            return refuse(Code.UNKNOWN_POSITION, why, terminals.clause)
        if not 1 <= position <= plan.positions:
            why = f"There is no playing position {position}; there are 1 to {plan.positions}"
            return refuse(Code.UNKNOWN_POSITION, why)
    if position in table.lost_terminals:
        return terminal_down(plan, position)
    return None


def _amount_refusal(
    plan: Plan, slug: str, cents: int, held: int, *, shared: bool
) -> Refusal | None:
    if not 0 < cents <= CENTS_MAX:
        why = f"A stake of {dollars(cents)} came; stakes are above zero and at most"
        return refuse(Code.BAD_AMOUNT, f"{why} {dollars(CENTS_MAX)}")
    limit = plan.limits[slug]
    whole = held + cents
    if whole % limit.step_cents:
        why = f"A stake of {dollars(whole)} on {plan.offered[slug].name} does not fit"
        why += f" steps of {dollars(limit.step_cents)}"
        return refuse(Code.OFF_STEP, why, plan.procedure.limits)
    if whole < limit.minimum_cents and not shared:
        why = f"A stake of {dollars(whole)} on {plan.offered[slug].name} is below the minimum"
        why += f" of {dollars(limit.minimum_cents)}"
        return refuse(Code.BELOW_MINIMUM, why, plan.procedure.limits)
    if whole > limit.maximum_cents:
        why = f"A stake of {dollars(whole)} on {plan.offered[slug].name} is above the maximum"
        why += f" of {dollars(limit.maximum_cents)}"
        return refuse(Code.ABOVE_MAXIMUM, why, plan.procedure.limits)
    return None


def own_stakes(table: Table, patron: str) -> dict[str, int]:
    """Return what a patron has on each wager."""
    stakes: dict[str, int] = {}
    for stake in table.stakes:
        share = stake.share(patron)
        if share is not None:
            stakes[stake.wager] = stakes.get(stake.wager, 0) + share.cents
    return stakes


def _conditioned(
    plan: Plan, slug: str, own: Mapping[str, int], least: int, most: int
) -> tuple[int, int]:
    """Narrow by how much a patron's stakes on a wager may change, by its preconditions."""
    for condition in plan.preconditions:
        low, high = condition.room(own, slug)
        least = least if low is None else max(least, low)
        most = most if high is None else min(most, high)
    return least, most


def _balancing(table: Table, slug: str, least: int, most: int) -> tuple[int, int]:
    """While the differential is balanced, only the fitting changes are taken."""
    apart = plan_of(table).settings.differential_cents
    assert apart is not None, "balanced without a differential"
    heavy, side = heavier(table), MAIN.get(slug)
    over = table.differential + apart
    low = -over if side is heavy else 0
    high = over if side is heavy.other and not table.cards_out else 0
    return max(least, low), min(most, high)


def addable_by_rule(
    plan: Plan,
    slug: str,
    held: int,
    shared: bool,  # noqa: FBT001  # of a stake
    own: Mapping[str, int],
) -> tuple[int, int]:
    """Return the least and the most that limits and preconditions let a patron add.

    ``own`` is what the patron has on each wager, for games that have preconditions.
    """
    limit = plan.limits[slug]
    least = 1 if shared else limit.minimum_cents - held
    most = limit.maximum_cents - held
    if plan.preconditions:
        least, most = _conditioned(plan, slug, own, least, most)
    return (least if least > 0 else 1), most


NOTHING: Mapping[str, int] = MappingProxyType({})


def _addable(
    table: Table,
    plan: Plan,
    patron: str,
    slug: str,
    held: int,
    shared: bool,  # noqa: FBT001  # of a stake
    own: Mapping[str, int] | None = None,
) -> tuple[int, int]:
    """Return the least and the most that a patron may add to a stake, which fits its steps."""
    if own is None:
        own = own_stakes(table, patron) if plan.preconditions else NOTHING
    hold = table.hold
    least, most = addable_by_rule(plan, slug, held, shared and hold is None, own)
    if hold is not None:
        least, most = _balancing(table, slug, least, most)
    return least, min(most, table.credits[patron])


def to_add(
    table: Table,
    patron: str,
    slug: str,
    held: int,
    shared: bool,  # noqa: FBT001  # of a stake
    own: Mapping[str, int] | None = None,
) -> tuple[Amounts, ...]:
    """Return what a patron may add to a stake on a wager, or put down where none lies.

    Whoever asks about many wagers gives what the patron has on each.
    """
    plan = plan_of(table)
    least, most = _addable(table, plan, patron, slug, held, shared, own)
    return between(least, most, plan.limits[slug].step_cents, held)


def within_limits(plan: Plan, slug: str, held: int, *, shared: bool) -> tuple[Amounts, ...]:
    """Return what the limits let anybody add to a stake while bets are open."""
    limit = plan.limits[slug]
    first = 1 if shared else limit.minimum_cents - held
    most = min(limit.maximum_cents - held, CENTS_MAX)
    return between(max(1, first), most, limit.step_cents, held)


def to_take(
    table: Table, patron: str, stake: Stake, own: Mapping[str, int] | None = None
) -> tuple[Amounts, ...]:
    """Return how much of a stake its patron may take back: a part, or all of it.

    Whoever asks about many stakes gives what the patron has on each wager.
    """
    plan, share = plan_of(table), stake.share(patron)
    assert share is not None, "nobody takes back what is another's"
    limit, whole = plan.limits[stake.wager], stake.cents
    least, most = -share.cents, -1
    if plan.preconditions:
        own = own_stakes(table, patron) if own is None else own
        least, most = _conditioned(plan, stake.wager, own, least, most)
    if table.hold is not None:
        least, most = _balancing(table, stake.wager, least, most)
    least_taken, most_taken = max(1, -most), min(share.cents, -least)
    stays = 0 if stake.shared and table.hold is None else limit.minimum_cents
    part = between(least_taken, min(most_taken, whole - stays), limit.step_cents, -whole)
    if not least_taken <= whole <= most_taken or (part and part[0].maximum == whole):
        return part
    if part and part[0].maximum + part[0].step == whole:
        return (Amounts(part[0].minimum, whole, part[0].step),)
    return (*part, Amounts(whole, whole))


def _after_change(
    table: Table, plan: Plan, patron: str, slug: str, cents: int
) -> Refusal | None:
    """Test what a change of a patron's stake (a negative one lowers it) would lead to."""
    if plan.preconditions:
        stakes = own_stakes(table, patron)
        stakes[slug] = stakes.get(slug, 0) + cents
        for condition in plan.preconditions:
            breach = condition.breach(stakes)
            if breach is not None:
                return Refusal(Code.PRECONDITION, breach, cited(condition.clause))
    if table.hold is not None:
        refusal = _balance_refusal(table, plan, slug, cents)
        if refusal is not None:
            return refusal
    if cents > table.credits[patron]:
        held = table.credits[patron]
        why = f"{dollars(cents)} would be staked; the seat of patron {patron} holds"
        return refuse(Code.NOT_ENOUGH_CREDIT, f"{why} {dollars(held)}")
    return None


def _balance_refusal(table: Table, plan: Plan, slug: str, cents: int) -> Refusal | None:
    """While the differential is balanced, only the fitting changes are taken."""
    rule, most = plan.procedure.differential, plan.settings.differential_cents
    assert rule is not None and most is not None, "balanced without a differential"
    side = MAIN.get(slug)
    heavy = heavier(table)
    if cents > 0 and table.cards_out:
        why = "Cards of the round are out; no wager is raised any more, also to balance"
        return refuse(Code.CARDS_OUT, why, plan.procedure.round.late_increase)
    if cents > 0 and side is not heavy.other:
        why = f"The stake is on {slug}; only stakes on {heavy.other.value} may be raised now"
        return refuse(Code.HEAVIER_HAND, why, rule.higher)
    if cents < 0 and side is not heavy:
        why = f"The stake is on {slug}; only stakes on {heavy.value} may be lowered now"
        return refuse(Code.LIGHTER_HAND, why, rule.lower)
    difference = table.on_hand(heavy) - table.on_hand(heavy.other) - abs(cents)
    if -difference > most:
        why = f"The stakes would be {dollars(-difference)} apart the other way"
        why += f"; at most {dollars(most)} is allowed"
        return refuse(Code.DIFFERENTIAL, why, rule.clause)
    return None


def _changed(table: Table, envelope: c.Envelope, event: e.Event, by: e.By) -> Events:
    """Add an event, and go on when it meets the differential that the round waits for."""
    if table.hold is None:
        return (event,)
    draft = Draft(table)
    draft.add(event)
    return _go_on_if_balanced(draft, envelope, by)


def _go_on_if_balanced(draft: Draft, envelope: c.Envelope, by: e.By) -> Events:
    if balanced(draft.table):
        draft.add(i.HoldLifted(HoldKind.BALANCE.value, envelope.moment))
        return carry_on(draft, envelope, by)
    return draft.done


def _own_share(table: Table, patron: str, number: int) -> tuple[Stake, int] | Refusal:
    stake = round_of(table).stakes.get(number)
    if table.seats.get(patron) in table.lost_terminals:
        return terminal_down(plan_of(table), table.seats[patron])
    if stake is None:
        return refuse(Code.UNKNOWN_STAKE, f"There is no stake {number} in this round")
    share = stake.share(patron)
    if share is None:
        return refuse(Code.UNKNOWN_STAKE, f"Patron {patron} has no part in stake {number}")
    return stake, share.cents


def _raise(
    table: Table, envelope: c.Envelope, command: c.RaiseWager, by: e.By
) -> Events | Refusal:
    plan = plan_of(table)
    own = _own_share(table, command.patron, command.stake)
    if isinstance(own, Refusal):
        return own
    stake, _ = own
    slug, cents, held = stake.wager, command.cents, stake.cents
    least, most = _addable(table, plan, command.patron, slug, held, stake.shared)
    fits = not (held + cents) % plan.limits[slug].step_cents
    if not fits or not least <= cents <= most:
        shared = stake.shared and table.hold is None
        refusal = _amount_refusal(
            plan, stake.wager, command.cents, stake.cents, shared=shared
        ) or _after_change(table, plan, command.patron, stake.wager, command.cents)
        assert refusal is not None, "refused without a reason"
        return refusal
    placed_by = by.name if by.position is not None else None
    raised = e.WagerRaised(stake.number, command.patron, command.cents, placed_by)
    return _changed(table, envelope, raised, by)


def _lowered(
    table: Table, envelope: c.Envelope, by: e.By, number: int, cents: int | None
) -> Events | Refusal:
    """Take a part (or, without an amount, all) of a patron's share back."""
    plan = plan_of(table)
    patron: str = envelope.command.patron  # type: ignore[attr-defined]
    own = _own_share(table, patron, number)
    if isinstance(own, Refusal):
        return own
    stake, held = own
    taken = held if cents is None else cents
    if not any(taken in room for room in to_take(table, patron, stake)):
        return _not_taken(table, plan, patron, stake, taken)
    placed_by = by.name if by.position is not None else None
    lowered = e.WagerLowered(number, patron, taken, placed_by)
    return _changed(table, envelope, lowered, by)


def _not_taken(table: Table, plan: Plan, patron: str, stake: Stake, taken: int) -> Refusal:
    """Say why a part of a stake, or all of it, cannot be taken back."""
    share = stake.share(patron)
    held = share.cents if share else 0
    if not 0 < taken <= held:
        why = f"The stake cannot be lowered by {dollars(taken)}; it holds {dollars(held)}"
        return refuse(Code.BAD_AMOUNT, why)
    left = stake.cents - taken
    limit = plan.limits[stake.wager]
    if left % limit.step_cents:
        why = f"A stake of {dollars(left)} does not fit steps of {dollars(limit.step_cents)}"
        return refuse(Code.OFF_STEP, why, plan.procedure.limits)
    if 0 < left < limit.minimum_cents and not (stake.shared and table.hold is None):
        why = f"A stake of {dollars(left)} would be left; the minimum is"
        return refuse(
            Code.BELOW_MINIMUM, f"{why} {dollars(limit.minimum_cents)}", plan.procedure.limits
        )
    refusal = _after_change(table, plan, patron, stake.wager, -taken)
    assert refusal is not None, "refused without a reason"
    return refusal


def _lower(
    table: Table, envelope: c.Envelope, command: c.LowerWager, by: e.By
) -> Events | Refusal:
    return _lowered(table, envelope, by, command.stake, command.cents)


def _remove(
    table: Table, envelope: c.Envelope, command: c.RemoveWager, by: e.By
) -> Events | Refusal:
    return _lowered(table, envelope, by, command.stake, None)


# The differential


def _ask_to_lower(
    table: Table, envelope: c.Envelope, command: c.AskToLower, by: e.By
) -> Events | Refusal:
    return (e.LoweringAsked(heavier(table), by),)


def _take_off(
    table: Table, envelope: c.Envelope, command: c.TakeOffWager, by: e.By
) -> Events | Refusal:
    rule = plan_of(table).procedure.differential
    assert rule is not None, "balanced without a differential"
    play, heavy = round_of(table), heavier(table)
    stake = play.stakes.get(command.stake)
    if stake is None:
        return refuse(Code.UNKNOWN_STAKE, f"There is no stake {command.stake} in this round")
    if MAIN.get(stake.wager) is not heavy:
        why = f"Stake {stake.number} is on {stake.wager}; only stakes on {heavy.value} may be"
        why += " removed"
        return refuse(Code.LIGHTER_HAND, why, rule.removed)
    if play.asked_to_lower is not heavy:
        why = f"The Dealer has not asked the patrons on {heavy.value} to lower their wagers yet"
        return refuse(Code.ASK_FIRST, why, rule.lower)
    options = tuple(str(one.number) for one in table.stakes if MAIN.get(one.wager) is heavy)
    draft = Draft(table)
    draft.add(
        e.DecisionRecorded(
            by, rule.removed, "stake removed", options, str(stake.number), command.reason
        )
    )
    draft.add(e.WagerReturned(stake.number, rule.removed, "removed to meet the differential"))
    return _go_on_if_balanced(draft, envelope, by)


HANDLERS: Handlers = {
    c.CallBets: _call_bets,
    c.CloseBets: _close_bets,
    c.PlaceWager: _place,
    c.RaiseWager: _raise,
    c.LowerWager: _lower,
    c.RemoveWager: _remove,
    c.AskToLower: _ask_to_lower,
    c.TakeOffWager: _take_off,
}
