"""A table as bytes and back: for snapshots, which only the release that made them reads.

What the settings and the cards give is left out and looked up again: the rulebooks, the plan
and the coup. The rest follows from the fields of the state as they are; nothing is listed.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, get_type_hints

import msgspec
from msgspec.structs import replace

from croupier.journal.shoes import ShoeSealed
from croupier.rules.cards import Card
from croupier.table.evolve import plan_for
from croupier.table.folding import coup_of
from croupier.table.settings import Settings
from croupier.table.state import Round, Table

if TYPE_CHECKING:
    from croupier.table.rulebook import Rulebook

LEFT_OUT = {Table: ("rulebooks", "plan", "round"), Round: ("coup",)}
"""Fields that are looked up again, or stand beside the table."""


@cache
def _bare(kind: type[msgspec.Struct]) -> Any:  # noqa: ANN401  # a struct made here
    """Return a structure of the fields that are kept."""
    hints = get_type_hints(kind)
    names = kind.__struct_fields__
    kept = [(name, hints[name]) for name in names if name not in LEFT_OUT[kind]]
    return msgspec.defstruct(f"Bare{kind.__name__}", kept, array_like=True)


@cache
def _decoder() -> msgspec.msgpack.Decoder[Any]:
    kept: Any = (_bare(Table), _bare(Round) | None, Settings | None, ShoeSealed | None)
    bare: Any = tuple[(*kept, frozenset[int], int)]
    return msgspec.msgpack.Decoder(bare, dec_hook=_read_card)


def _write_card(one: object) -> str:
    if isinstance(one, Card):
        return one.text
    message = f"{one!r} cannot be in a snapshot"
    raise TypeError(message)


def _read_card(kind: type, text: str) -> object:
    assert kind is Card, kind
    return Card(text)


_encode = msgspec.msgpack.Encoder(enc_hook=_write_card).encode


def _kept(one: msgspec.Struct) -> Any:  # noqa: ANN401
    bare = _bare(type(one))
    return bare(*[getattr(one, name) for name in bare.__struct_fields__])


def pack(
    table: Table, seal: ShoeSealed | None, opened: frozenset[int], held_since: int
) -> bytes:
    """Return a table, what is sealed in its shoe, and since when it is on hold."""
    play = None if table.round is None else _kept(table.round)
    settings = None if table.plan is None else table.plan.settings
    return _encode((_kept(table), play, settings, seal, opened, held_since))


def unpack(
    data: bytes, rulebooks: tuple[Rulebook, ...]
) -> tuple[Table, ShoeSealed | None, frozenset[int], int]:
    """Return what was packed."""
    bare, play, settings, seal, opened, held_since = _decoder().decode(data)
    table = Table(rulebooks, **msgspec.structs.asdict(bare))
    if settings is not None:
        table = replace(table, plan=plan_for(table, settings))
    if play is not None:
        round_ = Round(**msgspec.structs.asdict(play))
        table = replace(table, round=round_)
        if table.plan is not None:
            table = replace(table, round=replace(round_, coup=coup_of(table, round_.cards)))
    return table, seal, opened, held_since
