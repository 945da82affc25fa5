"""Parts of views: from which pieces of the state each field is built.

A table shares with the table before it whatever an event left alone, so a field is built anew
only when one of its pieces is another object. The pieces are named as the state names them; a
piece of the round has ``round.`` before it, and ``round`` stands for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping  # noqa: TC003  # structs look at their hints
from collections.abc import Set as AbstractSet  # noqa: TC003
from functools import lru_cache
from itertools import compress
from operator import attrgetter, is_, is_not
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec.structs import astuple

from croupier.rules.outcome import Side
from croupier.table.handling import held_by
from croupier.table.may.common import Common
from croupier.table.state import Phase, Round, Stake, Table

Built = TypeVar("Built")
Item = TypeVar("Item")
Memory = dict[tuple[str, object], tuple[tuple[object, ...], Any]]
"""What was built last, by name and key, with the objects it was built from."""


class Seen(msgspec.Struct, frozen=True):
    """A table, and what the journal alone knows of it."""

    table: Table
    held_since: int = 0
    """The sequence of the record with which its hold began; 0: it is in no journal."""
    sealed: bool = False
    """Its shoe is virtual: nobody else than its seal says what a card is."""
    memory: Memory = msgspec.field(default_factory=dict)
    """What was built of the same objects before; it changes no answer."""

    def built(
        self, name: str, key: object, sources: tuple[object, ...], build: Callable[[], Built]
    ) -> Built:
        """Return what is built from these objects, again what was built from the same ones."""
        kept = self.memory.get((name, key))
        if kept is not None and all(map(is_, kept[0], sources)):
            old: Built = kept[1]
            return old
        new = build()
        self.memory[name, key] = sources, new
        return new

    @property
    def common(self) -> Common | None:
        """Return what the table has in common for all who look; None: it is not open."""
        plan = self.table.plan
        if plan is None:
            return None
        kept = self.memory.get(("common", None))
        before: Common | None = kept[1] if kept is not None else None
        if before is not None and before.table is self.table:
            return before
        common = Common(self.table, plan, before, sealed=self.sealed)
        self.memory["common", None] = (self.table,), common
        return common

    def of_each(
        self,
        name: str,
        items: tuple[Item, ...],
        build: Callable[[Item], Built],
        *sources: object,
    ) -> tuple[Built, ...]:
        """Return what is built from each of a growing list, and from these objects."""
        kept: tuple[tuple[Item, ...], tuple[Built, ...]]
        before, kept = self.memory.get((name, None), ((), ((), ())))
        if len(before) != len(sources) or not all(map(is_, before, sources)):
            kept = ((), ())
        old, built = kept
        if len(old) > len(items) or not all(map(is_, old, items)):
            built = ()
        built = (*built, *[build(one) for one in items[len(built) :]])
        self.memory[name, None] = sources, (items, built)
        return built

    def of_stakes(
        self, name: str, build: Callable[[Stake], Built], *sources: object
    ) -> list[Built]:
        """Return what is built from each stake on the layout, and from these objects."""
        old: Mapping[int, Stake]
        known: dict[int, Built]
        before, (old, known) = self.memory.get((name, None), ((), ({}, {})))
        if len(before) != len(sources) or not all(map(is_, before, sources)):
            old, known = {}, {}
        stakes = lying(self.table)
        built = known.copy()
        others = map(is_not, map(old.get, stakes), stakes.values())
        for number in list(compress(stakes, others)):
            built[number] = build(stakes[number])
        if [*built] != [*stakes]:
            built = {number: built[number] for number in stakes}
        self.memory[name, None] = sources, (stakes, built)
        return list(built.values())


NO_STAKES: Mapping[int, Stake] = MappingProxyType({})


def lying(table: Table) -> Mapping[int, Stake]:
    """Return the stakes that lie on the layout: none any more once they are settled."""
    play = table.round
    return NO_STAKES if play is None or play.lines is not None else play.stakes


class Field(NamedTuple):
    """A field of a view: its name, the pieces it is built from, and how."""

    name: str
    pieces: frozenset[str]
    show: Callable[[Seen], object]
    later: bool
    """It says what comes once bets are closed: wagers change nothing of it before."""


def field(
    name: str, pieces: str, show: Callable[[Seen], object], *, later: bool = False
) -> Field:
    """Return a field that is built from the pieces that are named, apart by spaces."""
    found = frozenset(pieces.split())
    unknown = found - PIECES
    assert not unknown, f"{name} is built from {unknown}, which no table has"
    return Field(name, found, show, later)


def plain(name: str, piece: str | None = None) -> Field:
    """Return a field that is a piece of the state as it is, or None without a round."""
    piece = piece or name
    get = attrgetter(f"table.{piece}")
    if not piece.startswith("round."):
        return field(name, piece, get)
    return field(name, piece, lambda seen: get(seen) if seen.table.round else None)


_TABLE = Table.__struct_fields__
_ROUND = tuple(f"round.{name}" for name in Round.__struct_fields__)
PIECES = frozenset((*_TABLE, *_ROUND, "held_since")) - {"rulebooks"}


def changed_pieces(before: Seen, after: Seen) -> frozenset[str]:
    """Return which pieces of the state are other objects than before."""
    old, new = before.table, after.table
    changed = _other(_TABLE, old, new) if old is not new else []
    if old.round is not new.round:
        if old.round is None or new.round is None:
            changed += _ROUND
        else:
            changed += _other(_ROUND, old.round, new.round)
    if before.held_since != after.held_since:
        changed.append("held_since")
    return frozenset(changed)


WAGERS = frozenset(
    {
        *("round", "round.stakes", "round.placed", "round.course"),
        *("credits", "in_play", "bank", "brought"),
    }
)
"""Pieces that wagers and credit change."""


def only_wagers(table: Table, changed: AbstractSet[str]) -> bool:
    """Tell whether bets are open, nothing is waited for, and all that changed is money.

    It was so before, too, because nothing else changed.
    """
    return table.phase is Phase.OPEN and table.hold is None and changed <= WAGERS


def _other(names: tuple[str, ...], old: msgspec.Struct, new: msgspec.Struct) -> list[str]:
    """Return the names of the fields that hold another object."""
    return list(compress(names, map(is_not, astuple(old), astuple(new))))


class Part:
    """A part of a view as its fields; what did not change is not built again."""

    __slots__ = ("_fields",)

    def __init__(self, fields: tuple[Field, ...]) -> None:
        self._fields = fields

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of its fields."""
        return tuple(one.name for one in self._fields)

    def build(self, seen: Seen) -> dict[str, Any]:
        """Return all fields of a table."""
        return {one.name: one.show(seen) for one in self._fields}

    def renew(
        self, values: Mapping[str, Any], seen: Seen, changed: frozenset[str]
    ) -> dict[str, Any]:
        """Return the fields whose values changed."""
        renewed: dict[str, Any] = {}
        betting = only_wagers(seen.table, changed)
        for one in _built_from(self._fields, changed, betting=betting):
            value = one.show(seen)
            if value != values[one.name]:
                renewed[one.name] = value
        return renewed


@lru_cache(maxsize=1024)
def _built_from(
    fields: tuple[Field, ...], changed: frozenset[str], *, betting: bool
) -> tuple[Field, ...]:
    """Return the fields that are built from what changed; few sets of pieces ever change."""
    found = [one for one in fields if not one.pieces.isdisjoint(changed)]
    return tuple([one for one in found if not (betting and one.later)])


SIDES = tuple(Side)


def holder_of(table: Table, side: Side) -> str | None:
    """Return who holds a hand of which a card lies face down."""
    return None if table.round is None else held_by(table, side)
