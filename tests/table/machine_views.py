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
STAFF = ("dealer", "pit", "auditor")


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


def with_other_faces(table: Table, chance: Random, *, counted: bool) -> Table:
    """Return the table with other faces on every card that is not exposed.

    If ``counted``, also with other faces found out by counting: staff see those, because
    they put equal cards in their place.
    """
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
    changed = replace(
        play,
        cards=cards,
        waiting=tuple(map(other, play.waiting)),
        reported_cards=tuple(chance.choice(deck).text for _ in play.reported_cards),
    )
    if counted:
        changed = replace(
            changed,
            missing=tuple(chance.choice(deck).text for _ in play.missing),
            sorted=None if play.sorted is None else {deck[0].text: 1},
        )
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
    by_staff = seen(with_other_faces(table, chance, counted=False))
    by_others = seen(with_other_faces(table, chance, counted=True))
    for audience, view in views.items():
        others = by_staff if audience in STAFF else by_others
        assert view == others[audience], f"{audience} sees a card that lies face down"
