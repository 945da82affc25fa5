"""Player terminals: lost, restored, and what they showed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.draft import Draft
from croupier.table.folding import plan_of, round_of
from croupier.table.refusals import Code, Refusal, refuse
from croupier.table.rulings import Situation, Step
from croupier.table.steps import ruling_for

if TYPE_CHECKING:
    from croupier.table.draft import Events, Handlers
    from croupier.table.settings import Plan
    from croupier.table.state import Table


def terminal_down(plan: Plan, position: int) -> Refusal:
    """Refuse what comes from a terminal without connection."""
    rules = [
        ruling.clause
        for ruling in plan.rulebook.rulings
        if Situation.TERMINAL_FAILURE in ruling.situations
    ]
    why = f"Terminal {position} is not connected; what it sends is not accepted"
    # The shortest is the clause itself, not one of the cases below it.
    return refuse(Code.TERMINAL_DOWN, why, min(rules, key=len))


def _no_terminals(table: Table) -> Refusal | None:
    plan = plan_of(table)
    if plan.procedure.terminals is not None:
        return None
    why = f"{plan.rulebook.edition.title} is not played at terminals"
    return refuse(Code.NOT_IN_RULEBOOK, why)


def _no_such(table: Table, position: int) -> Refusal | None:
    plan = plan_of(table)
    if 1 <= position <= plan.positions:
        return None
    why = f"There is no terminal {position}; there are 1 to {plan.positions}"
    return refuse(Code.UNKNOWN_POSITION, why)


def _terminal(table: Table, position: int, *, lost: bool) -> Refusal | None:
    refusal = _no_terminals(table) or _no_such(table, position)
    if refusal is not None:
        return refusal
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
    report = c.report(Situation.TERMINAL_FAILURE, terminal=position)
    ruling = ruling_for(table, report)
    assert ruling is not None, "a rulebook with terminals rules their failure"
    takes_part = any(do.step is Step.TAKES_PART for do in ruling.steps)
    play, clause = table.round, ruling.steps[-1].clause
    seen = position in play.terminals_closed or position in play.terminals_decided
    return (e.TerminalLost(position, clause, takes_part, flagged=takes_part and not seen),)


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


def flags_of(table: Table, position: int) -> tuple[int | None, bool]:
    """Return the last round in which a terminal is flagged, if one, and whether it is over."""
    rounds = [flag.round for flag in table.flagged if flag.position == position]
    if not rounds:
        return None, True
    return rounds[-1], table.between_rounds or rounds[-1] != round_of(table).number


def _decide_terminal(
    table: Table, envelope: c.Envelope, command: c.DecideTerminal, by: e.By
) -> Events | Refusal:
    """Let accepted wagers stand, or return them; after the first card that is an exception."""
    refusal = _no_terminals(table)
    if refusal is not None:
        return refusal
    clause, position = plan_of(table).procedure.referral, command.position
    if not command.reason.strip():
        why = "The wagers of a terminal are decided on with a reason, and none came"
        return refuse(Code.REASON_NEEDED, why, clause)
    refusal = _no_such(table, position)
    if refusal is not None:
        return refusal
    number, over = flags_of(table, position)
    if number is None:
        why = f"Terminal {position} has no wager that waits for a decision"
        return refuse(Code.NOT_NOW, why, clause)
    if over and not command.stands:
        why = f"Round {number} is over; the wagers of terminal {position} stood in it"
        return refuse(Code.NOT_NOW, why, clause)
    draft = Draft(table)
    choice = "stand" if command.stands else "returned"
    question = f"wagers of terminal {position}, which never showed the closing"
    record = e.DecisionRecorded(
        by, clause, question, ("stand", "returned"), choice, command.reason
    )
    draft.add(record)
    known = over or table.cards_out
    draft.add(i.TerminalDecided(position, number, command.stands, known, clause, by))
    if not command.stands:
        for stake in table.stakes:
            if stake.position == position:
                draft.add(e.WagerReturned(stake.number, clause or "", "out of the round"))
    return draft.done


HANDLERS: Handlers = {
    c.DecideTerminal: _decide_terminal,
    c.LoseTerminal: lose_terminal,
    c.RestoreTerminal: _restore_terminal,
    c.AcknowledgeClosing: _acknowledge,
}
