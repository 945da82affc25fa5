"""What a command would do, decided and not recorded: shown before somebody gives it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from croupier.table.commands import OpenTable
from croupier.table.decide import decide, decide_for
from croupier.table.draft import Drafted
from croupier.table.events import By
from croupier.table.evolve import fold
from croupier.table.refusals import Refusal

if TYPE_CHECKING:
    from croupier.table.commands import Envelope
    from croupier.table.draft import Events
    from croupier.table.state import Table


class Effect(msgspec.Struct, frozen=True, gc=False):
    """What a command would do to the money of one patron."""

    patron: str
    credit_cents: int
    """What comes to the seat; negative: what goes from it."""
    in_play_cents: int
    """What comes into play; negative: what is returned or settled."""


class Preview(msgspec.Struct, frozen=True):
    """What a command would do: what would happen, and what would move."""

    events: Events
    effects: tuple[Effect, ...]
    bank_cents: int
    commission_cents: int
    table: Table
    """The table as it would be."""


def preview(table: Table, envelope: Envelope) -> Preview | Refusal:
    """Decide a command, whoever may give it, and say what it would do.

    Nobody's right to it is tested: who may is another question, and whoever may not is
    refused when they ask for it.
    """
    actor = envelope.actor
    by = By(actor.name, getattr(actor, "position", None), envelope.moment)
    opens = table.plan is None or isinstance(envelope.command, OpenTable)
    events = decide(table, envelope) if opens else decide_for(table, envelope, by)
    if isinstance(events, Refusal):
        return events
    after = events.table if isinstance(events, Drafted) else fold(table, events)
    return Preview(
        events,
        _effects(table, after),
        after.bank - table.bank,
        after.commission - table.commission,
        after,
    )


def _effects(before: Table, after: Table) -> tuple[Effect, ...]:
    """Return whose money would move, and how far."""
    played = _in_play(before), _in_play(after)
    patrons = sorted({*before.credits, *after.credits})
    moved = [
        Effect(
            patron,
            after.credits.get(patron, 0) - before.credits.get(patron, 0),
            played[1].get(patron, 0) - played[0].get(patron, 0),
        )
        for patron in patrons
    ]
    return tuple(one for one in moved if one.credit_cents or one.in_play_cents)


def _in_play(table: Table) -> dict[str, int]:
    held: dict[str, int] = {}
    if table.round is not None and table.round.lines is None:
        for stake in table.stakes:
            for share in stake.shares:
                held[share.patron] = held.get(share.patron, 0) + share.cents
    return held
