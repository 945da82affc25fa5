"""Bodies of commands as the documents of the API show them: every command by its name.

The server reads a command in two steps, since who asks decides what can be read; here both
are one shape. A patron's command may leave out ``patron``.
"""

from __future__ import annotations

from typing import Any, Union

import msgspec
from msgspec import UNSET, UnsetType

from croupier.floor.wire import (
    KINDS,
    PATRONS_KINDS,
    Approved,
    Commanded,
    Ordered,
    Place,
    tag,
)

COMMAND, PATRON = "command", "patron"


def _shape(kind: type[msgspec.Struct], *, patrons: bool) -> type[msgspec.Struct]:
    """Return a command as the document has it; what patrons ask for may leave out who."""
    if not patrons or PATRON not in kind.__struct_fields__:
        return kind
    return _with(kind, kind.__name__, {PATRON: str | UnsetType}, {PATRON: UNSET})


def _with(
    kind: type[msgspec.Struct],
    name: str,
    types: dict[str, Any],
    defaults: dict[str, Any] | None = None,
) -> type[msgspec.Struct]:
    """Return a shape like another, in which some fields have other types or defaults."""
    fields: list[tuple[str, Any, Any]] = []
    for one in msgspec.structs.fields(kind):
        default = one.default
        if one.default_factory is not msgspec.NODEFAULT:
            default = msgspec.field(default_factory=one.default_factory)
        default = (defaults or {}).get(one.name, default)
        fields.append((one.name, types.get(one.name, one.type), default))
    config = kind.__struct_config__
    names = {one.name: one.encode_name for one in msgspec.structs.fields(kind)}
    return msgspec.defstruct(
        name,
        fields,
        namespace={"__doc__": kind.__doc__},
        tag=config.tag,
        rename=names,
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )


SHAPES: dict[Place, tuple[type[msgspec.Struct], ...]] = {
    place: tuple(_shape(kind, patrons=kind in PATRONS_KINDS[place]) for kind in kinds)
    for place, kinds in KINDS.items()
}
"""By place: every command that can be given there."""


def _union(*places: Place) -> Any:  # noqa: ANN401  # made at run time
    kinds = tuple(kind for place in places for kind in SHAPES[place])
    assert len(set(map(tag, kinds))) == len(kinds), "two commands of one name"
    return Union[kinds]  # noqa: UP007  # made at run time


TableOrder = _with(Ordered, "TableOrder", {COMMAND: _union(Place.TABLE)})
CageOrder = _with(Ordered, "CageOrder", {COMMAND: _union(Place.CAGE)})
AccountsOrder = _with(Ordered, "AccountsOrder", {COMMAND: _union(Place.ACCOUNTS)})
ApprovedCommand = _with(Approved, "ApprovedCommand", {COMMAND: _union(*Place)})
SaidCommand = _with(Commanded, "Commanded", {COMMAND: _union(*Place)})
