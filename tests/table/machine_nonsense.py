"""Nonsense: any command, with any content of the right types, by anybody at any time."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin, get_type_hints

import msgspec

from croupier.frozen import Named
from croupier.table import commands as c
from croupier.table.roles import Patron, Staff, StaffPosition, System
from croupier.table.settings import Limits, Settings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from random import Random

    from croupier.table.roles import Actor
    from croupier.table.state import Table

HINTS = {kind: get_type_hints(kind) for kind in c.COMMANDS}
WORDS = ("", "Ann", "Bea", "nobody", "player", "banker", "tie", "2C", "shoe 1", "why not")
NUMBERS = (-1, 0, 1, 2, 3, 5, 7, 100, 10_000, 10**12, 10**15)


def nonsense(
    chance: Random, table: Table, moment: datetime, faces: Sequence[str]
) -> c.Envelope:
    """Make up a command and who brings it."""
    kind = chance.choice(c.COMMANDS)
    if kind is c.CloseTable:
        # Else every other walk would end with it.
        kind = chance.choice(c.COMMANDS)
    fields = {
        name: _value(chance, table, hint)
        for name, hint in HINTS[kind].items()
        if not _skipped(chance, kind, name)
    }
    cards = [chance.choice([*faces[:5], "ZZ", "4-Gold"]) for _ in range(chance.randrange(3))]
    approver = _staff(chance) if chance.randrange(2) else None
    die = chance.choice([None, 0, 3, 7])
    return c.Envelope(
        kind(**fields), _actor(chance, table), moment, approver, tuple(cards), die
    )


def _skipped(chance: Random, kind: type[c.Command], name: str) -> bool:
    """Leave a field out that has a default, half the time."""
    required = kind.__struct_fields__[
        : len(kind.__struct_fields__) - len(kind.__struct_defaults__)
    ]
    return name not in required and chance.randrange(2) > 0


def _staff(chance: Random) -> Staff:
    return Staff(chance.choice(["Dan", "Sue", "Gil"]), chance.choice(list(StaffPosition)))


def _actor(chance: Random, table: Table) -> Actor:
    patron = Patron(chance.choice([*table.seats, "Ann"]))
    staff: Actor = _staff(chance)
    return chance.choice([patron, staff, staff, System()])


def _value(chance: Random, table: Table, hint: Any) -> Any:  # noqa: ANN401, PLR0911
    """Make up a value of a type."""
    if hint is str:
        return chance.choice([*WORDS, *table.seats])
    if hint is int:
        return chance.choice(NUMBERS)
    if hint is bool:
        return bool(chance.randrange(2))
    if hint is Settings:
        code = chance.choice(["BAC8", "PB6", "XX"])
        return Settings(rulebook=code, game=chance.choice(["baccarat", "power-98"]))
    if hint is Limits:
        return Limits(*(chance.choice(NUMBERS) for _ in range(3)))
    if isinstance(hint, type) and issubclass(hint, Named):
        return chance.choice(list(hint))
    return _compound(chance, table, hint)


def _compound(chance: Random, table: Table, hint: Any) -> Any:  # noqa: ANN401  # any type
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _value(
            chance, table, chance.choice([one for one in inner if one is not NoneType])
        )
    if origin is tuple:
        return tuple(_value(chance, table, inner[0]) for _ in range(chance.randrange(4)))
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        fields = get_type_hints(hint)
        return hint(**{name: _value(chance, table, fields[name]) for name in fields})
    assert origin is dict, hint
    return {
        _value(chance, table, inner[0]): _value(chance, table, inner[1])
        for _ in range(chance.randrange(3))
    }
