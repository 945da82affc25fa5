"""Parts of views: from which pieces of the state each field is built.

A table shares with the table before it whatever an event left alone, so a field is built anew
only when one of its pieces is another object. The pieces are named as the state names them; a
piece of the round has ``round.`` before it, and ``round`` stands for all of them.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from croupier.table.state import Round, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from collections.abc import Set as AbstractSet

    from croupier.rules.outcome import Side


class Seen(msgspec.Struct, frozen=True):
    """A table, and what the journal alone knows of it."""

    table: Table
    since: int = 0
    """The sequence of the record with which its hold began; 0: it is in no journal."""


class Field(NamedTuple):
    """A field of a view: its name, the pieces it is built from, and how."""

    name: str
    pieces: frozenset[str]
    show: Callable[[Seen], object]


def field(name: str, pieces: str, show: Callable[[Seen], object]) -> Field:
    """Return a field that is built from the pieces that are named, apart by spaces."""
    found = frozenset(pieces.split())
    unknown = found - PIECES
    assert not unknown, f"{name} is built from {unknown}, which no table has"
    return Field(name, found, show)


def plain(name: str, piece: str | None = None) -> Field:
    """Return a field that is a piece of the state as it is, or None without a round."""
    piece = piece or name
    get = attrgetter(f"table.{piece}")
    if not piece.startswith("round."):
        return field(name, piece, get)
    return field(name, piece, lambda seen: get(seen) if seen.table.round else None)


_TABLE = tuple(name for name in Table.__struct_fields__ if name != "rulebooks")
_ROUND = tuple(f"round.{name}" for name in Round.__struct_fields__)
_of_table = attrgetter(*_TABLE)
_of_round = attrgetter(*Round.__struct_fields__)
PIECES = frozenset((*_TABLE, *_ROUND, "since"))


def changed_pieces(before: Seen, after: Seen) -> set[str]:
    """Return which pieces of the state are other objects than before."""
    old, new = before.table, after.table
    changed: set[str] = set()
    if old is not new:
        pairs = zip(_TABLE, _of_table(old), _of_table(new), strict=True)
        changed = {name for name, one, other in pairs if one is not other}
    if "round" in changed:
        if old.round is None or new.round is None:
            changed.update(_ROUND)
        else:
            rounds = zip(_ROUND, _of_round(old.round), _of_round(new.round), strict=True)
            changed.update([name for name, one, other in rounds if one is not other])
    if before.since != after.since:
        changed.add("since")
    return changed


class Part:
    """A part of a view as its fields; what did not change is not built again."""

    __slots__ = ("_fields", "_pieces")

    def __init__(self, fields: tuple[Field, ...]) -> None:
        self._fields = fields
        self._pieces = frozenset().union(*(one.pieces for one in fields))

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of its fields."""
        return tuple(one.name for one in self._fields)

    def build(self, seen: Seen) -> dict[str, Any]:
        """Return all fields of a table."""
        return {one.name: one.show(seen) for one in self._fields}

    def renew(
        self, values: Mapping[str, Any], seen: Seen, changed: AbstractSet[str]
    ) -> dict[str, Any]:
        """Return the fields whose values changed."""
        if self._pieces.isdisjoint(changed):
            return {}
        renewed: dict[str, Any] = {}
        for name, pieces, show in self._fields:
            if not pieces.isdisjoint(changed):
                value = show(seen)
                if value != values[name]:
                    renewed[name] = value
        return renewed


def holder_of(table: Table, side: Side) -> str | None:
    """Return who holds a hand of which a card lies face down."""
    play = table.round
    if play is None or all(d.exposed for d in play.cards if d.position.side is side):
        return None
    return play.handlers.get(side)
