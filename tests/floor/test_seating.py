"""Where everybody sat before a decision, found backwards in the journal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from croupier.floor import seating
from croupier.floor.seating import seats_before
from croupier.journal.loading import decisions_of
from croupier.journal.memory import MemoryStore
from croupier.journal.recall import opened_by
from croupier.table.events import SeatLeft, SeatTaken
from tests.floor.rounds import looped
from tests.floor.test_played import TABLES, walked

if TYPE_CHECKING:
    from croupier.journal.decision import Record


class Counting(MemoryStore):
    """A journal that counts the records which are read."""

    read_records = 0

    async def read(self, stream: str, after: int = 0, limit: int = 10_000) -> list[Record]:
        found = await super().read(stream, after, limit)
        self.read_records += len(found)
        return found


@pytest.mark.parametrize("chunk", [1, 7, 500])
@looped
async def test_seats_are_those_of_the_whole_journal(
    chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seating, "CHUNK", chunk)
    store, moves = await walked(), 0
    for stream in (f"table:{name}" for name in TABLES):
        seats: dict[str, int] = {}
        async for decision in decisions_of(store, stream):
            assert await seats_before(store, stream, decision.sequence) == seats
            for event in decision.events:
                if isinstance(event, SeatTaken):
                    seats[event.patron] = event.position
                elif isinstance(event, SeatLeft):
                    del seats[event.patron]
                moves += isinstance(event, SeatTaken | SeatLeft)
    assert moves > len(TABLES)


@looped
async def test_no_more_is_read_than_the_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seating, "CHUNK", 10)
    store = await walked()
    counting = Counting()
    counting.__dict__.update(store.__dict__)
    stream = "table:1"
    calls = [one.sequence async for one in decisions_of(store, stream) if opened_by(one)]
    last = (await store.head(stream)).sequence
    assert calls[-1] > 100
    await seats_before(counting, stream, last)
    assert 0 < counting.read_records <= last - calls[-1] + 10
