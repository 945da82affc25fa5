"""Events of the cage and of the accounts as whoever asked hears them.

The digest by which a ticket is proved is heard by nobody, and a patron hears of no other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.table.views.hearing import Heard

if TYPE_CHECKING:
    from collections.abc import Iterable

    import msgspec

CONCEALED = frozenset(("digest",))


def _heard(event: msgspec.Struct) -> Heard:
    facts: dict[str, Any] = {
        name: getattr(event, name) for name in event.__struct_fields__ if name not in CONCEALED
    }
    return Heard(str(event.__struct_config__.tag), facts)


def hear_cage(events: Iterable[msgspec.Struct], patron: str | None) -> list[Heard]:
    """Return events of the cage; for a patron, those that concern nobody else."""
    return [
        _heard(event)
        for event in events
        if patron is None or getattr(event, "patron", patron) == patron
    ]


def hear_accounts(events: Iterable[msgspec.Struct]) -> list[Heard]:
    """Return events of the accounts: who may give the command may hear what came of it."""
    return [_heard(event) for event in events]
