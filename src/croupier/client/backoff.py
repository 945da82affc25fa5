"""How long to wait before the next attempt: ever longer, never alike, never too long."""

from __future__ import annotations

import random
from typing import Final

FIRST_SECONDS: Final = 0.1
MOST_SECONDS: Final = 5.0
DOUBLINGS_MAX: Final = 16


class Backoff:
    """Waits that double up to a most, each shortened by chance so that clients spread."""

    def __init__(self, first: float = FIRST_SECONDS, most: float = MOST_SECONDS) -> None:
        self._first, self._most, self._tries = first, most, 0

    def next(self) -> float:
        """Return how long to wait now, in seconds."""
        doubled = 1 << min(self._tries, DOUBLINGS_MAX)
        full = min(self._most, self._first * doubled)
        self._tries += 1
        return full * random.uniform(0.5, 1.0)  # noqa: S311  # nothing secret

    def reset(self) -> None:
        """Begin anew: an attempt succeeded."""
        self._tries = 0
