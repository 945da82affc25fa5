"""The books of a floor: win, play, discretions, shoes, the cage, and exceptions.

They are kept up to date by every durable decision, and begin with what the journal has: that is
read beside everything else, in small pages, so that nobody who plays waits for it.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from croupier.floor.play_book import NOTED, PlayBook
from croupier.floor.problems import ProblemError, ServerCode
from croupier.journal.cage_book import CageBook
from croupier.journal.cages import STREAM as CAGE
from croupier.journal.decision import read_record
from croupier.journal.discretions import Discretions
from croupier.journal.errors import JournalError, PoisonedError
from croupier.journal.exceptions import Exceptions
from croupier.journal.performance import TABLES, Performance
from croupier.journal.shoe_book import ShoeBook

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Coroutine
    from datetime import date
    from typing import Any

    from croupier.floor.house import House
    from croupier.journal.decision import Decision
    from croupier.journal.gathering import Landed

LOGGER = logging.getLogger("croupier.books")
PAGE: Final = 200
"""How many decisions are counted before others have their turn."""
DAYS_KEPT: Final = 31
COURSES_KEPT: Final = 2
"""Of so many gaming days every round is kept, for a picture round by round."""
AGAIN_SECONDS: Final = 1.0
READ_SECONDS: Final = 6.0
"""How long somebody waits until the journal is counted."""


class Books:
    """What is counted of a house as it goes on."""

    def __init__(self, house: House) -> None:
        self._house = house
        self.performance = Performance(house.configuration.gaming_day, courses=True)
        self.discretions = Discretions()
        self.exceptions = Exceptions()
        self.shoes = ShoeBook()
        self.cage = CageBook()
        self.plays = PlayBook()
        self._counted: dict[str, int] = {}
        """By stream: the last decision that is counted."""
        self._reading: asyncio.Task[None] | None = None
        self._failure: str | None = None
        self._forgot: date | None = None

    @property
    def today(self) -> date:
        """Return the gaming day now."""
        return self._house.configuration.gaming_day.period(self._house.clock()).day

    # Counting

    def start(self, spawn: Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]]) -> None:
        """Begin to count what the journal has."""
        self._reading = spawn(self._read_all())

    async def close(self) -> None:
        """Read no more."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)

    def committed(self, landed: Landed) -> None:
        """Count durable decisions, if all before them are counted: a subscriber."""
        if landed.stream.startswith(TABLES) or landed.stream == CAGE:
            noted = not landed.kinds.isdisjoint(NOTED)
            for one in landed.all:
                self._feed(one.decision, noted=noted)

    def _feed(self, decision: Decision, *, noted: bool = True) -> None:
        """Count a decision; ``noted``: it may be one of play that is noted."""
        stream = decision.stream
        if decision.sequence != self._counted.get(stream, 0) + 1:
            return
        self._counted[stream] = decision.sequence
        if self._failure is not None:
            return
        try:
            self.performance.feed(decision)
            self.discretions.feed(decision)
            self.exceptions.feed(decision)
            if stream == CAGE:
                self.cage.feed(decision)
                return
            self.shoes.feed(decision)
            if noted and not NOTED.isdisjoint(map(type, decision.events)):
                table = stream.removeprefix(TABLES)
                self.plays.feed(decision, self.performance.rules(table))
        except Exception as error:  # noqa: BLE001  # nobody who plays is stopped by a book
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self._failure = str(error)
        LOGGER.error("the books stand still", exc_info=error)

    async def _read_all(self) -> None:
        """Count what came before, stream after stream, until nothing is missing."""
        house = self._house
        while True:
            seats = [desk.seat for desk in house.tables.values()]
            if house.own.cage:
                seats.append(house.cage.seat)
            behind = [
                seat.name
                for seat in seats
                if self._counted.get(seat.name, 0) < seat.durable.sequence
            ]
            if not behind or self._failure is not None:
                self.forget()
                return
            try:
                for stream in behind:
                    await self._read(stream)
            except PoisonedError:
                await asyncio.sleep(AGAIN_SECONDS)  # the medium failed, and may be back
            except JournalError as error:
                self._fail(error)

    async def _read(self, stream: str) -> None:
        while True:
            records = await self._house.store.read(stream, self._counted.get(stream, 0), PAGE)
            for record in records:
                self._feed(read_record(record))
            if len(records) < PAGE:
                return
            await asyncio.sleep(0)

    # Asking

    @property
    def tables(self) -> Collection[str]:
        """Return the tables of the house."""
        return self._house.tables.keys()

    @property
    def counted(self) -> bool:
        """Tell whether everything that the journal has is counted."""
        return self._reading is not None and self._reading.done() and self._failure is None

    async def ready(self) -> None:
        """Wait until everything is counted; refuse whoever would wait too long."""
        if self._reading is None:
            return
        await asyncio.wait([self._reading], timeout=READ_SECONDS)
        if not self._reading.done():
            message = "What the journal has is being counted; ask again in a moment."
            raise ProblemError(ServerCode.BUSY, message, 2.0)
        if self._failure is not None:
            raise ProblemError(ServerCode.FAILED, "The journal could not be counted.")
        if self._forgot != self.today:
            self.forget()

    def days(self, count: int) -> list[date]:
        """Return the last gaming days, the oldest first."""
        return [self.today - timedelta(days=ago) for ago in reversed(range(count))]

    def forget(self) -> None:
        """Let go of days that nobody is told of."""
        today = self._forgot = self.today
        self.performance.forget(
            today - timedelta(days=DAYS_KEPT), today - timedelta(days=COURSES_KEPT)
        )
        self.plays.forget(self._house.configuration.gaming_day.periods(today)[0].begins)
