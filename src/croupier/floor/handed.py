"""What is told once, from when it is handed to a connection: it may be lost on the way.

Nobody can know that an answer was read. But a connection that breaks before its answer went
out, or that is reset soon after, tells that it was not: a machine resets a connection which is
closed with something unread in it. Then it counts as not told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable

LOST_SECONDS: Final = 5.0
"""How long after an answer a reset means that it was not read."""


class Handed(msgspec.Struct, frozen=True):
    """Something that was handed to a connection, and how it is taken back."""

    take_back: Callable[[], None]
    moment: float
    data: bytes = b""
    """As it goes over the wire, where it may wait for others before it."""

    def lost(self, now: float, *, unsent: bool, reset: bool) -> None:
        """Take it back if its connection is lost so that nobody can have read it."""
        if unsent or (reset and now - self.moment <= LOST_SECONDS):
            self.take_back()
