"""Recovery: what the house does when it starts again in the middle of a round.

The journal gives the table back as it was. If a round was in progress, the interruption is
recorded and reported to the table as a power failure; the rulebook's own ruling follows, in
the same transaction. Doing it again changes nothing more: a void round is no longer in
progress, and a round that waits goes on waiting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.journal.shoes import Interrupted
from croupier.table import commands as c
from croupier.table.decide import decide
from croupier.table.refusals import Refusal
from croupier.table.roles import System
from croupier.table.rulings import Situation

if TYPE_CHECKING:
    from datetime import datetime

    from croupier.table.events import Event
    from croupier.table.state import Table

RECOVERY = System("recovery")


def interrupted(table: Table, epoch: int) -> Interrupted | None:
    """Return the record of an interruption, if a round was in progress."""
    if table.plan is None or table.round is None or table.between_rounds:
        return None
    places = tuple(card.position.value for card in table.round.cards if card.known)
    hold = table.hold.kind.value if table.hold else None
    return Interrupted(table.phase.value, places, table.established, hold, epoch)


def consequence(table: Table, moment: datetime) -> tuple[Event, ...]:
    """Return what the rulebook says about an interruption at this table."""
    report = c.report(Situation.POWER_FAILURE, note="the house started again")
    envelope = c.Envelope(report, RECOVERY, moment)
    events = decide(table, envelope)
    assert not isinstance(events, Refusal), events
    return events
