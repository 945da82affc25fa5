"""The desk of the cage: what the rest of the floor knows of it.

Deciding and writing is the writer's. What only the house knows comes from here: the numbers
of tickets, and what a table holds, by its name, whichever process owns it.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from croupier.cage.ledger import bank, box
from croupier.journal.cages import BOX, OPEN, STREAM, TRAY, CageStream
from croupier.journal.decision import Known
from croupier.journal.errors import JournalError
from croupier.journal.following import Followed
from croupier.journal.ledger import commission, tray_cents
from croupier.journal.tables import TableStream

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.cage.state import Cage
    from croupier.floor.tickets import Tickets
    from croupier.journal.decision import Head
    from croupier.journal.gathering import Seat
    from croupier.journal.writer import Reply, Request, Writer
    from croupier.table.rulebook import Rulebook
    from croupier.table.state import Table


class TablesSeen:
    """Tables as they are in the journal, by their names."""

    def __init__(self, writer: Writer, rulebooks: tuple[Rulebook, ...]) -> None:
        self._writer, self._rulebooks = writer, rulebooks
        self._followed: dict[str, Followed] = {}
        """Tables of other processes, by their names."""

    async def held(self, name: str) -> Known:
        """Return what a table holds, as of the newest decision of its stream.

        Head, table and balances are read until nothing came between: then they belong
        together.
        """
        store, stream = self._writer.store, f"table:{name}"
        head = await store.head(stream)
        while True:
            table = await self._table(name, head)
            balances: dict[str, int] = {}
            for account in (bank(name), box(name), commission(name)):
                balances |= await store.balances(account)
            before, head = head, await store.head(stream)
            if table is not None and head == before:
                tray, cash = tray_cents(name, balances), balances.get(box(name), 0)
                values = {TRAY: tray, BOX: cash, OPEN: int(table.plan is not None)}
                return Known(head.sequence, values)
            await asyncio.sleep(0)

    async def _table(self, name: str, head: Head) -> Table | None:
        """Return a table as it is at a head; None: it went on meanwhile."""
        seat = self._writer.seat(f"table:{name}")
        if seat is None or seat.durable.hash != head.hash:
            # Another process owns it, though this one may not have heard of it yet.
            seat = await self._follow(name)
        place = seat.durable
        table: Table = place.state.table
        return table if (place.sequence, place.hash) == (head.sequence, head.hash) else None

    async def _follow(self, name: str) -> Seat:
        followed = self._followed.get(name)
        if followed is None:
            followed = Followed.of(self._writer, TableStream(name, self._rulebooks))
            self._followed[name] = followed
        await followed.catch_up()
        return followed.seat


class CageDesk:
    """Takes the commands of the cage."""

    def __init__(
        self, writer: Writer, rulebooks: tuple[Rulebook, ...], tickets: Tickets
    ) -> None:
        self.writer, self.tickets = writer, tickets
        self._tables = TablesSeen(writer, rulebooks)
        self._seat: Seat | None = None
        self.sits: Callable[[str], tuple[str, int] | None] = lambda _: None
        """Says at which table and playing position a patron sits; None: at none, or several."""

    async def start(self) -> None:
        """Take the cage over, fold it, and serve."""
        (self._seat,) = await self.writer.open(CageStream(self))

    async def close(self) -> None:
        """Answer what waits, and stop serving."""
        if self._seat is not None:
            await self.writer.release(self._seat)

    @property
    def seat(self) -> Seat:
        """Return the cage's stream as the writer knows it."""
        if self._seat is None:
            message = f"The desk of {STREAM} is not open."
            raise JournalError(message)
        return self._seat

    @property
    def cage(self) -> Cage:
        """Return the cage as it is in the journal."""
        cage: Cage = self.seat.state
        return cage

    async def submit(self, request: Request) -> Reply:
        """Return the answer to a command, once it is durable."""
        return await self.writer.submit(self.seat, request)

    # What only the house knows

    def printed(self, patron: str) -> tuple[str, ...]:
        """Print a ticket: return its number, what it is proved by, and where it is printed."""
        sits = self.sits(patron)
        return self.tickets.printed() + (() if sits is None else (sits[0], str(sits[1])))

    async def held(self, table: str) -> Known:
        """Return what a table holds, as of a sequence of its stream."""
        return await self._tables.held(table)
