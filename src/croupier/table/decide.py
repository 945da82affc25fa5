"""decide: a table and a command give events, or a refusal. It never changes anything.

Tested in this order: is the table open, may this person do it, is it the time for it, does
something else come first, and then what the command itself asks for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.table import (
    attending,
    dealing,
    finding,
    handling,
    irregular,
    lost_shoe,
    missing,
    notice,
    opening,
    options,
    placement,
    referral,
    reporting,
    settlement,
    shaking,
    terminals,
)
from croupier.table import commands as c
from croupier.table.authority import authorise
from croupier.table.draft import Drafted, Needs
from croupier.table.evolve import fold
from croupier.table.phases import ALLOWED, BETTING, PHASES, UNPAID, timely
from croupier.table.phases import ALWAYS as THROUGH_HOLDS
from croupier.table.refusals import Code, Refusal, refuse
from croupier.table.state import Phase
from croupier.table.words import (
    COMMAND_WORDS,
    FROM,
    HOLD_WORDS,
    PHASE_WORDS,
    UNASKED,
    begun,
    not_over,
    when,
)

if TYPE_CHECKING:
    from croupier.table.draft import Events, Handlers
    from croupier.table.events import By
    from croupier.table.state import Table

HANDLERS: Handlers = {
    **opening.HANDLERS,
    **attending.HANDLERS,
    **notice.HANDLERS,
    **placement.HANDLERS,
    **finding.HANDLERS,
    **shaking.HANDLERS,
    **handling.HANDLERS,
    **dealing.HANDLERS,
    **settlement.HANDLERS,
    **reporting.HANDLERS,
    **irregular.HANDLERS,
    **lost_shoe.HANDLERS,
    **referral.HANDLERS,
    **options.HANDLERS,
    **missing.HANDLERS,
    **terminals.HANDLERS,
}


def decide(table: Table, envelope: c.Envelope) -> Events | Refusal:
    """Return what happens when somebody asks for something, or why nothing does."""
    return _unasked(decide_or_ask(table, envelope))


def decide_or_ask(table: Table, envelope: c.Envelope) -> Events | Refusal | Needs:
    """Return what happens, why nothing does, or which cards it takes to decide."""
    command = envelope.command
    kind = type(command)
    if table.plan is None:
        if isinstance(command, c.OpenTable):
            return opening.open_table(table, envelope, command.settings)
        return refuse(Code.TABLE_NOT_OPEN, "The table has not been opened")
    if kind is c.OpenTable:
        why = f"The table is open with {table.plan.game.name}"
        why += "; close it before another game is opened"
        return refuse(Code.TABLE_ALREADY_OPEN, why)
    by = authorise(table, envelope)
    if isinstance(by, Refusal):
        return by
    return _answer(table, envelope, by)


def decide_for(table: Table, envelope: c.Envelope, by: By) -> Events | Refusal:
    """Return what happens when somebody who may asks for something at an open table."""
    return _unasked(_answer(table, envelope, by))


def _unasked(answer: Events | Refusal | Needs) -> Events | Refusal:
    assert not isinstance(answer, Needs), "nobody supplies cards here"
    return answer


def _answer(table: Table, envelope: c.Envelope, by: By) -> Events | Refusal | Needs:
    command = envelope.command
    kind = type(command)
    if table.hold is None and kind not in UNPAID:
        in_time = kind in ALLOWED[table.phase]
    else:
        in_time = kind in timely(table)
    if not in_time:
        on_hold = table.hold is not None
        return _on_hold(table, command) if on_hold else _wrong_phase(table, command)
    return HANDLERS[kind](table, envelope, command, by)


def act(table: Table, envelope: c.Envelope) -> tuple[Events, Table] | Refusal:
    """Decide, and evolve the table by what was decided."""
    events = decide(table, envelope)
    if isinstance(events, Refusal):
        return events
    if isinstance(events, Drafted):
        return events, events.table
    return events, fold(table, events)


def _wrong_phase(table: Table, command: c.Command) -> Refusal:
    kind = type(command)
    plan = table.plan
    assert plan is not None
    rule = plan.procedure.round
    if kind in BETTING:
        if table.between_rounds:
            why = f"Bets have not been called for; {COMMAND_WORDS[kind]} when they are open"
            return refuse(Code.BETS_NOT_OPEN, why, rule.opens)
        late = kind in (c.PlaceWager, c.RaiseWager)
        clause = rule.late_increase if late else rule.late_removal
        words = COMMAND_WORDS[kind].removeprefix("a ")
        return refuse(Code.BETS_CLOSED, f"Bets are closed; no {words} now", clause)
    if not PHASES[kind]:
        return refuse(Code.NOT_ON_HOLD, begun(UNASKED[kind]))
    if table.between_rounds:
        stands = reporting.stands(plan, command) if isinstance(command, c.Report) else None
        after = FROM[Phase.VOID] if Phase.VOID in PHASES[kind] else "during a round"
        why = f"No round is in progress; {COMMAND_WORDS[kind]} {after}"
        if kind in UNPAID and table.phase is not Phase.VOID and table.round is not None:
            why = f"Round {table.round.number} is paid and stands; {COMMAND_WORDS[kind]} before"
            stands = rule.definition
            if kind is c.FindStake and plan.procedure.breaches is not None:
                stands = plan.procedure.breaches.earlier
        return refuse(Code.NO_ROUND, why, stands)
    if Phase.IDLE in PHASES[kind]:
        why = not_over(kind, table.phase)
        return refuse(Code.ROUND_IN_PROGRESS, why, rule.definition)
    words = f"{COMMAND_WORDS[kind]} {when(kind, table.phase)}"
    return refuse(Code.WRONG_PHASE, f"{PHASE_WORDS[table.phase]}; {words}")


def _on_hold(table: Table, command: c.Command) -> Refusal:
    """Refuse what a hold does not let through; a late wager stays a late wager."""
    kind = type(command)
    hold = table.hold
    assert hold is not None
    if kind in THROUGH_HOLDS or (kind in BETTING and table.phase is not Phase.OPEN):
        return _wrong_phase(table, command)
    if not PHASES[kind]:
        why = f"The round waits for {HOLD_WORDS[hold.kind]}; {UNASKED[kind]}"
        return refuse(Code.NOT_ON_HOLD, why, hold.clause)
    why = f"The round waits for {HOLD_WORDS[hold.kind]}; {COMMAND_WORDS[kind]} afterwards"
    return refuse(Code.ON_HOLD, why, hold.clause)
