"""Where everybody sat before a decision that only the journal remembers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from croupier.journal.decision import read_record
from croupier.table.events import BetsOpened, SeatLeft, SeatTaken

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from croupier.journal.decision import Record
    from croupier.journal.store import Store

CHUNK: Final = 500
"""How many records are read at once."""
MARKS: Final = (b"bets_opened", b"seat_taken", b"seat_left")
"""What a record has in it that is looked into; another may have it too."""


async def seats_before(store: Store, stream: str, sequence: int) -> dict[str, int]:
    """Return who sat where at a table before one of its decisions.

    A call for bets is stamped with the seats, so reading goes back to the newest one: its cost
    is that of a round, however long the journal is.
    """
    seats: dict[str, int] = {}
    moves: list[SeatTaken | SeatLeft] = []
    async for record in _backwards(store, stream, sequence):
        if not any(mark in record.body for mark in MARKS):
            continue
        events = read_record(record).events
        moves = [one for one in events if isinstance(one, SeatTaken | SeatLeft)] + moves
        opened = next((one for one in events if isinstance(one, BetsOpened)), None)
        if opened is not None:
            seats.update(opened.seats)
            break
    for move in moves:
        if isinstance(move, SeatTaken):
            seats[move.patron] = move.position
        else:
            seats.pop(move.patron, None)
    return seats


async def _backwards(store: Store, stream: str, end: int) -> AsyncIterator[Record]:
    """Yield the records of a stream before a sequence, the newest first."""
    end -= 1
    while end > 0:
        start = max(0, end - CHUNK)
        for record in reversed(await store.read(stream, start, end - start)):
            yield record
        end = start
