"""By which clause a command of the usual course is given, where no event of it names one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.rules.coup import INITIAL_DEAL
from croupier.rules.game import Game
from croupier.rules.outcome import Outcome
from croupier.table import commands as c
from croupier.table.authority import DEALT, needs

if TYPE_CHECKING:
    from croupier.table.settings import Plan
    from croupier.table.state import Round, Table

COURSE = DEALT | {c.TakeShoe, c.RefuseShoe, c.RefuseHand, c.RefuseShaker}
"""What a round takes from its call to its payment, by whoever does it."""


def ordered_by(table: Table, command: object) -> str | None:
    """Return the clause by which a round takes a step; None: no clause orders it."""
    plan, play = table.plan, table.round
    if plan is None or type(command) not in COURSE:
        return None
    if isinstance(command, c.DrawCard):
        return _drawn(plan, play)
    if isinstance(command, c.AnnounceOutcome):
        return next(iter(_fulfilled(plan, Outcome.winner)), None)
    if isinstance(command, c.Settle):
        return _paid(plan, play)
    assert isinstance(command, c.Command), "a command of the course"
    return needs(table, command).clause


def _drawn(plan: Plan, play: Round | None) -> str | None:
    assert play is not None, "a card is drawn in a round"
    if len(play.cards) < len(INITIAL_DEAL):
        return plan.game.tableau.initial_deal
    draw = play.coup.next if play.coup else None
    return draw.clause if draw else None


def _paid(plan: Plan, play: Round | None) -> str | None:
    """Return the pay table of the main wagers: a Power hand has its own, behind the usual."""
    assert play is not None, "wagers of a round are settled"
    rows = {row.clause.partition("#")[0] for row in plan.game.wager("player").rows}
    tables = [clause for clause in _fulfilled(plan, Game.settle) if clause in rows]
    return (tables[-1] if play.power else tables[0]) if tables else None


def _fulfilled(plan: Plan, by: object) -> list[str]:
    """Return the clauses that one function fulfils, in the order of the rulebook."""
    return [clause for clause, does in plan.rulebook.provisions.items() if does is by]
