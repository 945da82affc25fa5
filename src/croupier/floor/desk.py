"""The desk of a table: what the rest of the floor knows of it.

Deciding and writing is the writer's; a desk names one of its streams, a table, and gives
commands to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.journal.errors import JournalError
from croupier.journal.tables import TableStream
from croupier.journal.writer import Reply, Request

if TYPE_CHECKING:
    from croupier.journal.tables import CardSource
    from croupier.journal.writer import Seat, Writer
    from croupier.table.rulebook import Rulebook
    from croupier.table.state import Table


class Desk:
    """Takes the commands of one table."""

    def __init__(
        self, writer: Writer, name: str, rulebooks: tuple[Rulebook, ...], source: CardSource
    ) -> None:
        self.writer, self.name, self.source = writer, name, source
        self._table = TableStream(name, rulebooks, source)
        self._seat: Seat | None = None

    @property
    def stream(self) -> str:
        """Return the name of the table's stream."""
        return self._table.name

    async def start(self) -> None:
        """Take the table over, fold it, and serve."""
        (self._seat,) = await self.writer.open(self._table)

    async def close(self) -> None:
        """Answer what waits, and stop serving."""
        if self._seat is not None:
            await self.writer.release(self._seat)

    @property
    def seat(self) -> Seat:
        """Return the table's stream as the writer knows it."""
        if self._seat is None:
            message = f"The desk of {self.stream} is not open."
            raise JournalError(message)
        return self._seat

    @property
    def opened(self) -> Seat | None:
        """Return the table's stream; None: this desk was never open."""
        return self._seat

    @property
    def table(self) -> Table:
        """Return the table as it is in the journal."""
        table: Table = self.seat.state.table
        return table

    @property
    def epoch(self) -> int:
        """Return the epoch in which this desk writes."""
        return self.seat.epoch

    @property
    def started(self) -> bool:
        """Tell whether this desk was ever open."""
        return self._seat is not None

    @property
    def serves(self) -> bool:
        """Tell whether somebody who asks is served here."""
        return self._seat is not None and self._seat.serves

    def require_serving(self) -> None:
        """Refuse whoever would not be served."""
        if self.seat.failure is not None:
            raise self.seat.failure

    async def submit(self, request: Request) -> Reply:
        """Return the answer to a command, once it is durable."""
        return await self.writer.submit(self.seat, request)


__all__ = ["Desk", "Reply", "Request"]
