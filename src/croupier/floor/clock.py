"""The clock of a house: it begins by the clock of the machine and goes on evenly.

Moments of decisions, the clocks of tables and what clients are shown come from this one clock.
Somebody may set the clock of the machine, or it may stand still: bets are neither closed early
nor kept open by that. What the machine's clock is ahead or behind, this one makes up for
slowly, so that no time of a table is wrong by more than one per cent.
"""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from croupier.journal.decision import now

if TYPE_CHECKING:
    from collections.abc import Callable

MAKES_UP = 100
"""Of so many seconds, one may be left out or put in."""


class HouseClock:
    """Tells the moment, evenly; called, it returns it."""

    def __init__(
        self,
        wall: Callable[[], datetime] = now,
        monotonic_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._wall, self._monotonic_ns = wall, monotonic_ns
        self._moment, self._read_ns = wall(), monotonic_ns()

    def __call__(self) -> datetime:
        """Return the moment; it never falls."""
        elapsed_us = (self._monotonic_ns() - self._read_ns) // 1_000
        if elapsed_us <= 0:
            return self._moment
        self._read_ns += elapsed_us * 1_000
        elapsed = timedelta(microseconds=elapsed_us)
        most, off = elapsed / MAKES_UP, self._wall() - self._moment - elapsed
        self._moment += elapsed + min(max(off, -most), most)
        return self._moment

    @property
    def off(self) -> timedelta:
        """Return how far the clock of the machine is ahead; negative: it is behind."""
        moment = self()
        return self._wall() - moment

    def not_before(self, moment: datetime | None) -> None:
        """Go on from a moment that the journal has, if the clock is behind it."""
        if moment is not None and moment > self():
            self._moment = moment
