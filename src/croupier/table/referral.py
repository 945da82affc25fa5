"""Referred matters: what may be decided where the rulebook has no answer, and what it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.money import dollars
from croupier.rules.errors import listed
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.amounts import Amounts
from croupier.table.draft import Draft
from croupier.table.folding import hold_of, line_of, plan_of, round_of
from croupier.table.refusals import Code, Refusal, refuse
from croupier.table.reporting import cannot_reconstruct, carry_on
from croupier.table.reversal import unsettle
from croupier.table.rulings import Step
from croupier.table.settlement import enter, settle
from croupier.table.state import HoldKind
from croupier.table.steps import put_in_place, reconstruction, run
from croupier.table.words import named

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.rules.coup import Position
    from croupier.table.draft import Events, Handlers
    from croupier.table.state import Table
    from croupier.table.steps import Steps


def decisions(table: Table) -> tuple[c.Decision, ...]:
    """Return what may be decided about the matter that the round waits for."""
    hold, plan, play = hold_of(table), plan_of(table), round_of(table)
    if hold.kind is not HoldKind.REFERRAL:
        # Cards are gone: without them the round can only be void.
        return (c.Decision.VOID,)
    unpaid, settled = not play.confirmed, play.lines is not None
    excepted = plan.procedure.round.excepted and unpaid
    device = plan.settings.device.electronic and play.closed is not None
    over = play.coup is not None and play.coup.complete
    possible = {
        c.Decision.CONTINUE: True,
        c.Decision.VOID: unpaid or plan.procedure.voidable is not None,
        c.Decision.OFFER_WITHDRAWAL: excepted and not settled,
        c.Decision.RECONSTRUCT: unpaid and bool(play.cards),
        c.Decision.RESET: excepted and device and not over,
        c.Decision.EXCLUDE: excepted and bool(play.stakes),
        c.Decision.CORRECT: excepted and bool(play.lines),
    }
    return tuple(decision for decision in c.Decision if possible[decision])


def _decide(
    table: Table, envelope: c.Envelope, command: c.DecideReferral, by: e.By
) -> Events | Refusal:
    hold, options, choice = hold_of(table), decisions(table), command.decision
    if not command.reason.strip():
        why = "A referred matter is decided with a reason, and none came"
        return refuse(Code.REASON_NEEDED, why, hold.clause)
    refusal = _not_open(table, command, options) or _unfit(table, command)
    if refusal is not None:
        return refusal
    situation = hold.situation.value if hold.situation else "irregularity"
    values = tuple(option.value for option in options)
    draft = Draft(table)
    draft.add(
        e.DecisionRecorded(by, hold.clause, situation, values, choice.value, command.reason)
    )
    draft.add(
        i.ReferralDecided(
            choice,
            hold.clause,
            command.reason,
            by,
            command.stake,
            command.patron,
            command.won_cents,
            command.laid,
        )
    )
    draft.add(i.HoldLifted(hold.kind.value, envelope.moment))
    acts = ACTS.get(choice)
    if acts is not None:
        acts(draft, command, by)
    steps = (*_steps(table, choice), *hold.steps[1:])
    run(draft, steps, envelope, by)
    return carry_on(draft, envelope, by)


def _not_open(
    table: Table, command: c.DecideReferral, options: tuple[c.Decision, ...]
) -> Refusal | None:
    """Refuse a decision that the rulebook, or the point of the round, does not leave open."""
    choice, rule = command.decision, plan_of(table).procedure.round
    if choice in options:
        return None
    open_ = listed([option.value for option in options], "or")
    never = {*c.Decision} - {c.Decision.CONTINUE, c.Decision.VOID, c.Decision.RECONSTRUCT}
    if choice in never and not rule.excepted:
        why = f"{choice.value} is no decision here: no wager leaves the round after the closing"
        why += f", and what the cards give is paid; decide {open_}"
        return refuse(Code.NOT_IN_RULEBOOK, why, rule.late_removal)
    if hold_of(table).kind is not HoldKind.REFERRAL:
        why = "The missing cards are not recovered; without them the round can only be void"
        return refuse(Code.NOT_NOW, why, hold_of(table).clause)
    why = f"{choice.value} cannot be decided now; decide {open_}"
    return refuse(Code.NOT_NOW, why, hold_of(table).clause)


def _unfit(table: Table, command: c.DecideReferral) -> Refusal | None:
    """Refuse a decision that does not say enough, or what cannot be done."""
    choice = command.decision
    if choice is c.Decision.RECONSTRUCT:
        return _no_order(table, command)
    if choice is c.Decision.EXCLUDE:
        return _no_stake(table, command)
    if choice is c.Decision.CORRECT:
        return _no_stake(table, command) or _no_line(table, command)
    return None


def _laid(table: Table, command: c.DecideReferral) -> tuple[Position, ...]:
    report = hold_of(table).report
    return command.laid or (report.laid if report else ())


def _no_order(table: Table, command: c.DecideReferral) -> Refusal | None:
    laid, clause = _laid(table, command), hold_of(table).clause
    if laid:
        return cannot_reconstruct(table, laid, clause)
    why = "Neither decision nor report tells in which order the cards were drawn"
    return refuse(Code.CANNOT_RECONSTRUCT, why, clause)


def _no_stake(table: Table, command: c.DecideReferral) -> Refusal | None:
    stakes, clause = round_of(table).stakes, hold_of(table).clause
    if command.stake in stakes:
        return None
    lie = f"the round has {named('stake', stakes)}"
    why = f"There is no stake {command.stake}; {lie}"
    if command.stake is None:
        why = f"{command.decision.value} names the stake; {lie}"
    return refuse(Code.UNKNOWN_STAKE, why, clause)


def _no_line(table: Table, command: c.DecideReferral) -> Refusal | None:
    hold = hold_of(table)
    line = line_of(round_of(table), command.stake, command.patron)
    if line is None:
        stake = round_of(table).stakes[command.stake or 0]
        owners = listed([share.patron for share in stake.shares], "or")
        why = f"Stake {stake.number} is of {owners}; say whose line is corrected"
        return refuse(Code.UNKNOWN_STAKE, why, hold.clause)
    won, room = command.won_cents, to_win(table, line)
    if won is None or won not in room:
        came = "Nothing" if won is None else dollars(won)
        why = f"{came} came as what the line wins; it is {dollars(room.minimum)}, the"
        why += f" stake lost, to {dollars(room.maximum)}, the most that its wager pays"
        return refuse(Code.BAD_AMOUNT, why, hold.clause)
    if won == line.won_cents:
        why = f"The line wins {dollars(won)} already; there is nothing to correct"
        return refuse(Code.NOT_NOW, why, hold.clause)
    return None


def to_win(table: Table, line: e.PayLine) -> Amounts:
    """Return what a line may be corrected to: the stake lost, to the most its wager pays."""
    rows = plan_of(table).offered[line.wager].rows
    # Even money at least: a commission may be let off.
    most = max(line.settled_cents, *(int(line.settled_cents * row.pays.net) for row in rows))
    return Amounts(-line.settled_cents, most)


def _steps(table: Table, choice: c.Decision) -> Steps:
    """Return the steps of a decision that rulings have too."""
    clause = hold_of(table).clause
    return {
        c.Decision.VOID: ((Step.VOID, plan_of(table).procedure.referral),),
        # What is decided cannot be pulled back by an option either (A19, A45).
        c.Decision.OFFER_WITHDRAWAL: ((Step.OFFER_REMAINING, clause),),
        c.Decision.RESET: (
            (Step.OFFER_ANY, clause),
            (Step.RESET_DEVICE, clause),
            (Step.REOPEN, clause),
        ),
    }.get(choice, ())


def _reconstruct(draft: Draft, command: c.DecideReferral, by: e.By) -> None:
    decided = draft.table
    clause = plan_of(decided).procedure.referral
    report = draft.round.reported
    laid = command.laid or (report.laid if report else ())
    rebuilt = reconstruction(decided, laid, clause)
    assert rebuilt is not None, "tested before"
    put_in_place(draft, rebuilt, by)


def _exclude(draft: Draft, command: c.DecideReferral, by: e.By) -> None:
    clause = plan_of(draft.table).procedure.referral
    assert command.stake is not None, "tested before"
    unsettle(draft, clause, "a stake was excluded")
    draft.add(e.WagerReturned(command.stake, clause or "", "excluded"))


def _correct(draft: Draft, command: c.DecideReferral, by: e.By) -> None:
    # The decision is remembered by now; the list that is made anew follows it.
    unsettle(draft, plan_of(draft.table).procedure.referral, "the pay list was corrected")
    enter(draft, settle(draft.table), by)


ACTS: dict[c.Decision, Callable[[Draft, c.DecideReferral, e.By], None]] = {
    c.Decision.RECONSTRUCT: _reconstruct,
    c.Decision.EXCLUDE: _exclude,
    c.Decision.CORRECT: _correct,
}
"""What a decision does beside the steps that rulings have."""

HANDLERS: Handlers = {c.DecideReferral: _decide}
