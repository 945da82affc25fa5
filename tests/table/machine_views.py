"""What each audience sees does not depend on cards that lie face down."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from croupier.table.views import (
    auditor_view,
    dealer_view,
    patron_view,
    pit_view,
    public_view,
)

if TYPE_CHECKING:
    from random import Random

    from croupier.rules.cards import Card
    from croupier.table.state import Table

ENCODE = msgspec.json.Encoder().encode


def seen(table: Table) -> dict[str, bytes]:
    """Return what every audience sees of an open table, as it goes over the wire."""
    views = {
        "public": ENCODE(public_view(table)),
        "dealer": ENCODE(dealer_view(table)),
        "pit": ENCODE(pit_view(table)),
        "auditor": ENCODE(auditor_view(table)),
    }
    for patron in table.seats:
        views[patron] = ENCODE(patron_view(table, patron))
    return views


def with_other_faces(table: Table, chance: Random) -> Table:
    """Return the table with other faces on every card that is not exposed."""
    play, plan = table.round, table.plan
    assert play is not None
    assert plan is not None
    deck = plan.game.deck.cards

    def other(card: Card | None) -> Card | None:
        return None if card is None else chance.choice([one for one in deck if one is not card])

    cards = tuple(
        dealt if dealt.exposed else replace(dealt, card=other(dealt.card))
        for dealt in play.cards
    )
    reported = tuple(chance.choice(deck).text for _ in play.reported_cards)
    waiting = tuple(map(other, play.waiting))
    changed = replace(play, cards=cards, waiting=waiting, reported_cards=reported)
    return replace(table, round=changed)


def check_views(table: Table, chance: Random) -> None:
    """Test that nobody sees a card that is not exposed."""
    if table.plan is None:
        return
    views = seen(table)
    play = table.round
    if play is None:
        return
    if not play.waiting and all(dealt.exposed for dealt in play.cards):
        return
    others = seen(with_other_faces(table, chance))
    for audience, view in views.items():
        assert view == others[audience], f"{audience} sees a card that lies face down"
