"""Player terminals: lost, restored, and what they showed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.folding import plan_of
from croupier.table.placement import terminal_down
from croupier.table.refusals import Code, Refusal, refuse
from croupier.table.rulings import Situation, Step
from croupier.table.steps import ruling_for

if TYPE_CHECKING:
    from croupier.table.draft import Events, Handlers
    from croupier.table.state import Table


def _terminal(table: Table, position: int, *, lost: bool) -> Refusal | None:
    plan = plan_of(table)
    if plan.procedure.terminals is None:
        why = f"{plan.rulebook.edition.title} is not played at terminals"
        return refuse(Code.NOT_IN_RULEBOOK, why)
    if not 1 <= position <= plan.positions:
        why = f"There is no terminal {position}; there are 1 to {plan.positions}"
        return refuse(Code.UNKNOWN_POSITION, why)
    if (position in table.lost_terminals) is lost:
        state = "has lost its connection" if lost else "is connected"
        return refuse(Code.TERMINAL_STATE, f"Terminal {position} {state} already")
    return None


def lose_terminal(
    table: Table, envelope: c.Envelope, command: c.LoseTerminal, by: e.By
) -> Events | Refusal:
    """Record that a terminal failed, and whether its patron is in the round."""
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
        return terminal_down(plan_of(table), position)
    refusal = _terminal(table, position, lost=True)
    if refusal is not None:
        return refusal
    return (e.ClosingAcknowledged(position, envelope.moment),)


HANDLERS: Handlers = {
    c.LoseTerminal: lose_terminal,
    c.RestoreTerminal: _restore_terminal,
    c.AcknowledgeClosing: _acknowledge,
}
