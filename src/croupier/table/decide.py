"""decide: a table and a command give events, or a refusal. It never changes anything.

Tested in this order: is the table open, may this person do it, is it the time for it, does
something else come first, and then what the command itself asks for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.table import commands as c
from croupier.table import (
    dealing,
    handling,
    irregular,
    missing,
    opening,
    options,
    placement,
    settlement,
    shaking,
    terminals,
)
from croupier.table.authority import authorise
from croupier.table.draft import Drafted
from croupier.table.evolve import fold
from croupier.table.phases import ALWAYS as THROUGH_HOLDS
from croupier.table.phases import BETTING, DURING, PHASES
from croupier.table.refusals import Code, Refusal, refuse
from croupier.table.state import Phase

if TYPE_CHECKING:
    from croupier.table.draft import Events, Handlers
    from croupier.table.state import Table

HANDLERS: Handlers = {
    **opening.HANDLERS,
    **placement.HANDLERS,
    **shaking.HANDLERS,
    **handling.HANDLERS,
    **dealing.HANDLERS,
    **settlement.HANDLERS,
    **irregular.HANDLERS,
    **options.HANDLERS,
    **missing.HANDLERS,
    **terminals.HANDLERS,
}


def decide(table: Table, envelope: c.Envelope) -> Events | Refusal:
    """Return what happens when somebody asks for something, or why nothing does."""
    command = envelope.command
    kind = type(command)
    if table.plan is None:
        if isinstance(command, c.OpenTable):
            return opening.open_table(table, envelope, command.settings)
        return refuse(Code.TABLE_NOT_OPEN, "The table has not been opened")
    if kind is c.OpenTable:
        return refuse(Code.TABLE_ALREADY_OPEN, f"The table is open with {table.plan.game.name}")
    by = authorise(table, envelope)
    if isinstance(by, Refusal):
        return by
    hold = table.hold
    if hold is None:
        if table.phase not in PHASES[kind]:
            return _wrong_phase(table, kind)
    elif kind not in DURING[hold.kind]:
        refusal = _on_hold(table, kind)
        if refusal is not None:
            return refusal
    return HANDLERS[kind](table, envelope, command, by)


def act(table: Table, envelope: c.Envelope) -> tuple[Events, Table] | Refusal:
    """Decide, and evolve the table by what was decided."""
    events = decide(table, envelope)
    if isinstance(events, Refusal):
        return events
    if isinstance(events, Drafted):
        return events, events.table
    return events, fold(table, events)


def _wrong_phase(table: Table, kind: type[c.Command]) -> Refusal:
    plan = table.plan
    assert plan is not None
    rule, name = plan.procedure.round, kind.__name__
    if kind in BETTING:
        if table.between_rounds:
            why = "Bets have not been called for"
            return refuse(Code.BETS_NOT_OPEN, why, rule.opens)
        late = kind in (c.PlaceWager, c.RaiseWager)
        clause = rule.late_increase if late else rule.late_removal
        done = "placed or raised" if late else "lowered or removed"
        return refuse(Code.BETS_CLOSED, f"Bets are closed; no wager is {done} now", clause)
    if not PHASES[kind]:
        return refuse(Code.NOT_ON_HOLD, f"{name} answers a hold, and nothing is on hold")
    if table.between_rounds:
        stands = rule.definition if kind is c.Report else None
        why = f"{name} belongs to a round, and none is in progress"
        return refuse(Code.NO_ROUND, why, stands)
    if Phase.IDLE in PHASES[kind]:
        why = f"The round is {table.phase.value}; {name} waits until it is over"
        return refuse(Code.ROUND_IN_PROGRESS, why, rule.definition)
    allowed = ", ".join(phase.value for phase in PHASES[kind])
    why = f"The round is {table.phase.value}; {name} is for {allowed}"
    return refuse(Code.WRONG_PHASE, why)


def _on_hold(table: Table, kind: type[c.Command]) -> Refusal | None:
    """Refuse what a hold does not let through; a late wager stays a late wager."""
    hold = table.hold
    assert hold is not None
    if kind is c.Report:
        return None
    if kind in BETTING and table.phase is not Phase.OPEN:
        return _wrong_phase(table, kind)
    if kind in THROUGH_HOLDS:
        return None if table.phase in PHASES[kind] else _wrong_phase(table, kind)
    if not PHASES[kind]:
        why = f"The round waits for its {hold.kind.value}, not for {kind.__name__}"
        return refuse(Code.NOT_ON_HOLD, why, hold.clause)
    why = f"The round waits for its {hold.kind.value}; {kind.__name__} comes afterwards"
    return refuse(Code.ON_HOLD, why, hold.clause)
