"""Notice that a table will close: staff say when, and everybody is shown it before the end.

Whoever closes the table does so by another command. Where the system deals, it begins no
further round from the announced moment on, so that there is something to close.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.refusals import Code, Refusal, refuse

if TYPE_CHECKING:
    from croupier.table.draft import Events, Handlers
    from croupier.table.state import Table

MINUTES_MAX = 24 * 60
"""A day; whoever means a later one has mistyped."""


def _announce_closure(
    table: Table, envelope: c.Envelope, command: c.AnnounceClosure, by: e.By
) -> Events | Refusal:
    minutes = command.minutes
    if minutes is None:
        return (e.ClosureAnnounced(None, by, command.reason),)
    if not 0 <= minutes <= MINUTES_MAX:
        why = f"A closing in {minutes} minutes was announced; it is 0 to {MINUTES_MAX}"
        return refuse(Code.BAD_NOTICE, why)
    closes = envelope.moment + timedelta(minutes=minutes)
    return (e.ClosureAnnounced(closes, by, command.reason),)


HANDLERS: Handlers = {c.AnnounceClosure: _announce_closure}
