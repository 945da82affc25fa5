"""The people of a script: one person for each position, and a second one to approve."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from croupier.playthrough.lines import ScriptError
from croupier.rules.errors import listed, quoted
from croupier.table.authority import needs, system_may
from croupier.table.commands import Command, ConfirmShake, OpenTable
from croupier.table.roles import Acting, Actor, Patron, Staff, StaffPosition, System
from croupier.table.settings import Method

if TYPE_CHECKING:
    from croupier.table.state import Table

DEALER = StaffPosition.DEALER
NAMES = {
    StaffPosition.DEALER: ("Dan", "Dora"),
    StaffPosition.PIT_SUPERVISOR: ("Sue", "Sid"),
    StaffPosition.PIT_MANAGER: ("Mia", "Max"),
    StaffPosition.ASSISTANT_CASINO_MANAGER: ("Ann", "Art"),
    StaffPosition.GAMING_SHIFT_MANAGER: ("Gil", "Gus"),
}
"""For each position who acts, and who approves beside them."""
POSITIONS = {position.name.lower(): position for position in StaffPosition}


def read_position(text: str) -> StaffPosition:
    """Read a position, written as ``pit_manager``."""
    position = POSITIONS.get(text.lower())
    if position is None:
        message = f"{quoted(text)} is no position; the positions are {listed(list(POSITIONS))}."
        raise ScriptError(message)
    return position


def read_moment(text: str) -> datetime:
    """Read a moment with its offset, as 2026-01-01T12:00+08:00."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        message = f"{quoted(text)} is no moment; write it as 2026-01-01T12:00+08:00."
        raise ScriptError(message)
    return moment


def read_actor(text: str) -> Actor:
    """Read who acts: a position, ``system`` or ``patron:2``; a name may follow a colon."""
    kind, _, name = text.partition(":")
    if kind == "patron":
        return Patron(name)
    if kind == "system":
        return System()
    position = read_position(kind)
    return Staff(name or NAMES[position][0], position)


def read_approver(text: str, actor: Actor) -> Staff:
    """Read who approves: ``self`` is the actor, a position is always somebody else."""
    if text == "self":
        if isinstance(actor, Staff):
            return actor
        return Staff(actor.name, DEALER)
    staff = read_actor(text)
    if not isinstance(staff, Staff):
        message = f"Only staff approve, and {quoted(text)} is not."
        raise ScriptError(message)
    if staff.name == actor.name and ":" not in text:
        return Staff(NAMES[staff.position][1], staff.position)
    return staff


def acting(
    actor: Actor, position: StaffPosition, since: datetime | None, until: datetime | None,
    moment: datetime,
) -> Staff:  # fmt: skip
    """Return a member of staff who acts in a position for a time; usually for this shift."""
    if not isinstance(actor, Staff):
        message = "Only staff act in a position."
        raise ScriptError(message)
    shift = timedelta(hours=8)
    return Staff(
        actor.name,
        actor.position,
        Acting(position, since or moment - shift, until or moment + shift),
    )


def natural_actor(table: Table, command: Command) -> Actor:
    """Return who does this when all goes as it should."""
    if isinstance(command, OpenTable):
        return _opener(table, command)
    if table.plan is None:
        return read_actor("dealer")
    patron = needs(table, command).patron
    if patron is None or isinstance(command, ConfirmShake):
        return _house(table, command)
    return Patron(patron)


def _opener(table: Table, command: OpenTable) -> Actor:
    settings = command.settings
    book = next((book for book in table.rulebooks if book.code == settings.rulebook), None)
    if book is not None and book.procedure.calls_by_system:
        return System()
    if settings.method is Method.C:
        return read_actor("assistant_casino_manager")
    return Staff(NAMES[settings.configures][0], settings.configures)


def _house(table: Table, command: Command) -> Actor:
    need = needs(table, command)
    assert table.plan is not None
    mechanical = need.position is None or (table.system_deals and need.position is DEALER)
    if mechanical and system_may(table, command, need):
        return System()
    if need.position is None:
        return read_actor("dealer")
    return Staff(NAMES[need.position][0], need.position)
