"""A shoe whose key is lost: it ends, by two people, and its table goes on.

Nobody can open its cards any more, so none can be drawn, and those that were not exposed stay
unproved. A round that still needs a card has a device that ran out before it was complete, and
its rulebook's own clause on that follows: the round is void. A round whose coup is complete
needs nothing of the shoe and goes on to its end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.draft import Draft
from croupier.table.refusals import Code, Refusal, refuse
from croupier.table.reporting import carry_on
from croupier.table.rulings import Situation
from croupier.table.steps import detect

if TYPE_CHECKING:
    from croupier.table.draft import Events, Handlers
    from croupier.table.state import Table


def _declare(
    table: Table, envelope: c.Envelope, command: c.DeclareShoeLost, by: e.By
) -> Events | Refusal:
    shoe = table.shoe
    if not command.reason.strip():
        why = "A shoe is declared lost with a reason, and none came"
        return refuse(Code.REASON_NEEDED, why)
    if shoe is None or shoe.ended:
        return refuse(Code.NO_SHOE, "There is no shoe in play that could be lost")
    if command.shoe != shoe.name:
        why = f"Shoe {command.shoe} was named; shoe {shoe.name} is in play"
        return refuse(Code.NO_SHOE, why)
    draft = Draft(table)
    draft.add(
        e.DecisionRecorded(by, None, f"shoe {shoe.name}", ("lost",), "lost", command.reason)
    )
    draft.add(e.ShoeLost(shoe.name, by, command.reason))
    if not _needs_cards(table):
        return draft.done
    note = f"shoe {shoe.name} is lost"
    detect(draft, envelope, c.report(Situation.INSUFFICIENT_CARDS, note=note), by)
    return carry_on(draft, envelope, by)


def _needs_cards(table: Table) -> bool:
    """Tell whether a round is in progress that cannot end without the shoe."""
    if table.between_rounds:
        return False
    play = table.round
    return play is None or play.coup is None or not play.coup.complete


HANDLERS: Handlers = {c.DeclareShoeLost: _declare}
