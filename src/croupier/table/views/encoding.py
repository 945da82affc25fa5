"""Changes as bytes of JSON: what staff may do is encoded option by option, each once.

Most of what Dealer and pit are told is what they may do, and most of that stays from step to
step: ``may`` gives the same object then, and so does this the same bytes. Both are often told
the same option, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from croupier.table.views.projection import PARTS

if TYPE_CHECKING:
    from croupier.table.may import Open
    from croupier.table.views.hearing import Audience

KEPT = 1024
"""How many options are remembered: several times as many as one table has."""
plain = msgspec.json.Encoder().encode


class ChangeEncoder:
    """Encodes what changed for the audiences of one table."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[int, tuple[Open, bytes]] = {}
        """By identity; whoever is kept here keeps it."""

    def encode(self, view: Any, audience: Audience) -> bytes:  # noqa: ANN401  # any change
        """Return the bytes of what changed in the view of an audience."""
        field = PARTS.get(audience)
        part: Any = None if field is None else getattr(view, field, None)
        may = getattr(part, "may", ())
        if field is None or not may:
            return plain(view)
        part = replace(part, may=Raw(b"[%b]" % b",".join(map(self._option, may))))
        return plain(replace(view, **{field: part}))

    def _option(self, option: Open) -> bytes:
        known = self._known.get(id(option))
        if known is None:
            if len(self._known) >= KEPT:
                self._known.clear()
            known = self._known[id(option)] = option, plain(option)
        return known[1]
