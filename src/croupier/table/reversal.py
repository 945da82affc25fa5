"""Taking a settlement back: a pay list that was not paid, and what it took with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.table import events as e
from croupier.table import incidents as i

if TYPE_CHECKING:
    from croupier.table.draft import Draft


def unsettle(draft: Draft, clause: str | None, why: str) -> None:
    """Reverse the pay list of a round that is not over, if it has one (A22)."""
    lines, lost = draft.round.lines, draft.round.shoe_lost
    if lines is not None:
        draft.add(i.SettlementReversed(lines, clause, why))
        device_back(draft, lost)


def device_back(draft: Draft, patron: str | None) -> None:
    """Give the dealing device back to whoever lost it by the settlement."""
    if patron is not None:
        draft.add(e.ShoeTaken(patron))
