"""The shapes of what somebody may do: a command, its fields, and which values go together."""

from __future__ import annotations

import msgspec

from croupier.frozen import Named
from croupier.table.amounts import Amounts
from croupier.table.roles import StaffPosition  # noqa: TC001  # read at run time to decode


class FieldKind(Named):
    """What a field holds, and how its allowed values are meant."""

    CHOICE = "choice"
    """One of the values."""
    FLAG = "flag"
    """Yes or no."""
    TEXT = "text"
    """Any words; where they are required, not none."""
    CENTS = "cents"
    """An amount of money."""
    NUMBER = "number"
    """A whole number."""
    SOME = "some"
    """A list of any of the values."""
    ALL = "all"
    """A list of all the values, or an empty one that stands for all."""
    EACH = "each"
    """A list that has each of the values once, in the order meant."""
    PLACES = "places"
    """A list of places of cards, whichever."""
    CARDS = "cards"
    """Faces of cards; the amount says how many."""
    DIE = "die"
    """A face of the die."""
    COUNTS = "counts"
    """How many cards of each face."""
    LIMITS = "limits"
    """Minimum, maximum and step by wager; those of a wager are multiples of its step."""
    CLOCKS = "clocks"
    """How long a table waits for what, in milliseconds."""
    SETTINGS = "settings"
    """The settings of a table."""


Value = str | int | bool | None
"""A value as it is on the wire."""
Allowed = tuple[Value, ...] | Amounts
"""The values, or the numbers, that a field may hold."""
Way = dict[str, Allowed]
"""What several fields may hold together; a field that is not named is free."""


class Field(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A field of a command: what it holds, and what it may hold."""

    name: str
    """As on the wire; a point leads into an inner object."""
    kind: FieldKind
    required: bool = False
    house: bool = False
    """Only the house fills it: a source, a device, or staff who key it in."""
    allowed: Allowed | None = None
    """None: whatever its kind lets it hold, or what the ways say."""
    other_than: tuple[Value, ...] = ()
    """What it may not hold."""
    then: tuple[Value, ...] = ()
    """What ends the list as it is, after each of the values."""


class Open(msgspec.Struct, frozen=True, omit_defaults=True):
    """A command that somebody may give now, and what it needs."""

    command: str
    fields: tuple[Field, ...] = ()
    clause: str | None = None
    """By which clause this person may."""
    approver: StaffPosition | None = None
    """Of which position a second person must approve."""
    ways: tuple[tuple[Way, ...], ...] = ()
    """Which values go together: of every list one way must fit."""

    @property
    def reason(self) -> bool:
        """Tell whether a reason must be written down."""
        return any(field.name == "reason" and field.required for field in self.fields)
