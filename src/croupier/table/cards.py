"""Reading a card that came with an envelope."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.rules.errors import NotationError
from croupier.table.refusals import Code, Refusal, refuse

if TYPE_CHECKING:
    from croupier.rules.cards import Card
    from croupier.table.settings import Plan


def card_of(plan: Plan, text: str) -> Card | Refusal:
    """Read a card that came with an envelope."""
    try:
        return plan.game.deck.parse(text)
    except NotationError as error:
        return refuse(Code.NOT_A_CARD, str(error).removesuffix("."))
