"""The table differential: how far the stakes on Player and Banker are apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.rules.outcome import Side
from croupier.table import incidents as i
from croupier.table.folding import plan_of
from croupier.table.state import HoldKind

if TYPE_CHECKING:
    from datetime import datetime

    from croupier.table.draft import Draft
    from croupier.table.state import Table


def heavier(table: Table) -> Side:
    """Return the hand with the higher total of stakes."""
    player, banker = table.on_hand(Side.PLAYER), table.on_hand(Side.BANKER)
    return Side.PLAYER if player > banker else Side.BANKER


def balanced(table: Table) -> bool:
    """Tell whether the stakes are no further apart than the table allows."""
    most = table.settings.differential_cents
    return most is None or table.differential <= most


def hold_if_unbalanced(draft: Draft, moment: datetime) -> None:
    """Hold the round while the table differential is exceeded."""
    rule = plan_of(draft.table).procedure.differential
    if rule is not None and not balanced(draft.table):
        draft.add(i.HoldPlaced(HoldKind.BALANCE.value, rule.clause, moment=moment))
