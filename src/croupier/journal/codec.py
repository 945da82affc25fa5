"""The codec: events to names, versions and canonical bodies, and back.

The names are ours: a class may be renamed or moved, what is stored stays. When the fields
of an event change, its version goes up and an upcast turns an old body into a new one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from croupier.journal import cage, shoes
from croupier.journal.record import encode_canonical
from croupier.journal.store import JournalError
from croupier.table.evolve import EVENTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.journal.record import Record
    from croupier.table.events import Event

VERSIONS: dict[str, int] = {}
"""Names whose fields have changed, with their newest version; all others have version 1."""

UPCASTS: dict[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""How the body of an older version becomes one of the next."""

TYPES: dict[str, type[msgspec.Struct]] = {
    str(kind.__struct_config__.tag): kind for kind in (*EVENTS, *cage.EVENTS, *shoes.EVENTS)
}
NAMES: dict[type[msgspec.Struct], tuple[str, int]] = {
    kind: (name, VERSIONS.get(name, 1)) for name, kind in TYPES.items()
}
DECODERS = {name: msgspec.json.Decoder(kind) for name, kind in TYPES.items()}


def encode(event: msgspec.Struct) -> tuple[str, int, bytes]:
    """Return name, version and canonical body of an event."""
    name, version = NAMES[type(event)]
    return name, version, encode_canonical(event)


def decode(name: str, version: int, body: bytes) -> Event | cage.CageEvent | shoes.ShoeEvent:
    """Return the event of a record, brought up to today's version."""
    decoder = DECODERS.get(name)
    newest = VERSIONS.get(name, 1)
    if decoder is None or not 1 <= version <= newest:
        message = f"An event {name!r} of version {version} is not known here."
        raise JournalError(message)
    try:
        if version < newest:
            fields = msgspec.json.decode(body, type=dict[str, Any])
            for old in range(version, newest):
                fields = UPCASTS[name, old](fields)
            body = msgspec.json.encode(fields)
        return decoder.decode(body)  # type: ignore[return-value]
    except (msgspec.MsgspecError, LookupError, RecursionError) as error:
        said = str(error).rstrip(".") or type(error).__name__
        message = f"The body of an event {name!r} cannot be read: {said}."
        raise JournalError(message) from error


def decode_record(record: Record) -> Event | cage.CageEvent | shoes.ShoeEvent:
    """Return the event of a record."""
    return decode(record.name, record.version, record.body)
