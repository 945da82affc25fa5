"""What a command would do, decided and not recorded: shown before somebody gives it.

Whoever asks is shown what they would hear and see changed, and no more: a preview is a change
that did not happen, by the same lists. A card that lies face down stays so. Where a command
would turn one up, it is told which, and nothing of what comes after.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from croupier.rules.coup import Position  # noqa: TC001  # read by msgspec
from croupier.table.authority import entitled, needs
from croupier.table.commands import ExposeCard, OpenTable, RecordSorting
from croupier.table.decide import decide, decide_for
from croupier.table.events import By, CardDrawn, CardExposed
from croupier.table.evolve import evolve
from croupier.table.refusals import Refusal
from croupier.table.roles import Patron
from croupier.table.views.hearing import Audience
from croupier.table.views.projection import Change, Projection

if TYPE_CHECKING:
    from croupier.table.commands import Envelope
    from croupier.table.events import Event
    from croupier.table.roles import StaffPosition
    from croupier.table.state import Table


class Effect(msgspec.Struct, frozen=True, gc=False):
    """What a command would do to the money of one patron."""

    patron: str
    credit_cents: int
    """What comes to the seat; negative: what goes from it."""
    in_play_cents: int
    """What comes into play; negative: what is returned or settled."""


class Preview(msgspec.Struct, frozen=True):
    """What a command would do, as far as whoever asks may know it."""

    change: Change | None
    """What they would hear, and see changed; None: nothing."""
    turns_up: Position | None
    """The card that would be turned up; what follows from its face is not told."""
    effects: tuple[Effect, ...]
    """Whose money would move; to a patron the own."""
    bank_cents: int | None
    commission_cents: int | None
    """What the house would win and keep; None: it is for the pit and the auditor."""


UNTOLD = Preview(None, None, (), None, None)
"""Of what is counted nothing is told before it is recorded: from it would follow which cards
are reserved (A31)."""


def preview(
    table: Table,
    envelope: Envelope,
    audience: Audience,
    position: StaffPosition | None = None,
) -> Preview | Refusal:
    """Decide a command, and say what it would do as far as an audience may know.

    To staff it is shown whoever may give it: who may is another question, and whoever may
    not is refused when they ask for it. A patron is shown what they may do themselves.
    """
    assert audience is not Audience.PUBLIC, "nobody asks"
    if isinstance(envelope.command, RecordSorting):
        return UNTOLD
    envelope = _unguessed(table, envelope)
    actor, patron = envelope.actor, ""
    if audience is Audience.PATRON:
        assert isinstance(actor, Patron), "a patron is shown the own commands alone"
        patron = actor.name
    if table.plan is None or isinstance(envelope.command, OpenTable) or patron:
        answer = decide(table, envelope)
    else:
        answer = decide_for(table, envelope, right_shown(table, envelope))
    if isinstance(answer, Refusal):
        return answer
    events, after, turns_up = _until_a_card(table, answer)
    shown = Projection(table, moment=envelope.moment)
    shown.view(audience, patron, position)
    change = shown.follow(after, events).of(audience, patron, position)
    money = audience in (Audience.PIT, Audience.AUDITOR)
    effects = _effects(table, after)
    return Preview(
        change,
        turns_up,
        tuple(one for one in effects if one.patron == patron) if patron else effects,
        after.bank - table.bank if money else None,
        after.commission - table.commission if money else None,
    )


def right_shown(table: Table, envelope: Envelope) -> By:
    """Return by which right somebody would act, whoever approves it; they may have none."""
    actor = envelope.actor
    by = entitled(table, envelope, needs(table, envelope.command))
    if isinstance(by, Refusal):
        return By(actor.name, getattr(actor, "position", None), envelope.moment)
    return by


def _unguessed(table: Table, envelope: Envelope) -> Envelope:
    """Leave out a face that was keyed in for a card that a device read and nobody may know.

    Whether it is the right one is told when it is recorded, and not to whoever tries.
    """
    command, play = envelope.command, table.round
    if not isinstance(command, ExposeCard) or play is None or not envelope.cards:
        return envelope
    read = any(one.position is command.position and one.card for one in play.cards)
    return replace(envelope, cards=()) if read else envelope


def _until_a_card(
    table: Table, events: tuple[Event, ...]
) -> tuple[list[Event], Table, Position | None]:
    """Return what would happen before a card is turned up that lies face down now."""
    happened: list[Event] = []
    keyed: set[Position] = set()
    after = table
    for event in events:
        if isinstance(event, CardDrawn) and not event.waited:
            keyed.add(event.position)  # its face came with the command
        if isinstance(event, CardExposed) and event.position not in keyed:
            play = after.round
            lying = play.cards if play else ()
            if any(one.position is event.position and one.card for one in lying):
                return happened, after, event.position
        happened.append(event)
        after = evolve(after, event)
    return happened, after, None


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
