"""Tables of other houses that are watched: of none is nothing read for long."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from croupier.floor.watched import Watches
from croupier.journal.memory import MemoryStore
from tests.floor.rounds import looped

PERIOD_SECONDS = 0.05


class Counting:
    """A fold that counts how often it is read."""

    def __init__(self) -> None:
        self.read = 0

    async def catch_up(self) -> None:
        self.read += 1


@looped
async def test_a_busy_table_keeps_no_other_from_being_read() -> None:
    writer: Any = SimpleNamespace(store=MemoryStore())
    watches = Watches(writer, (), lambda: PERIOD_SECONDS)
    busy, quiet = Counting(), Counting()
    folds: Any = {"table:busy": busy, "table:quiet": quiet}
    watches._folds.update(folds)  # noqa: SLF001
    watches.start()
    for _ in range(40):
        watches.heard("table:busy")
        await asyncio.sleep(PERIOD_SECONDS / 10)
    await watches.close()
    assert 2 <= quiet.read < busy.read
