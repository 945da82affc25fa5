"""Views: what each audience may see of a table, built up and never taken away from the whole.

The public sees the layout, a patron also the own part; Dealer, pit and auditor see more and
more. Every view is the public one with one field more. A card that is drawn and not exposed is
face down for all of them, the auditor too: its face is in the journal alone.
"""

from __future__ import annotations

from croupier.table.views.allowed import absent_commands, wire_name
from croupier.table.views.hearing import Audience, Heard, hear
from croupier.table.views.own import own_part
from croupier.table.views.parts import Seen
from croupier.table.views.projection import (
    Change,
    Changes,
    Projection,
    changes,
    merge,
    view,
)
from croupier.table.views.public import public_view
from croupier.table.views.staff import auditor_part, dealer_part, pit_part

__all__ = [
    "Audience",
    "Change",
    "Changes",
    "Heard",
    "Projection",
    "Seen",
    "absent_commands",
    "auditor_part",
    "changes",
    "dealer_part",
    "hear",
    "merge",
    "own_part",
    "pit_part",
    "public_view",
    "view",
    "wire_name",
]
