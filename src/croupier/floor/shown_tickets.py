"""Tickets whose validation number was shown: it is shown once, also after a restart.

The file is written beside the answer: a house that is killed at that moment shows the number
again, and a connection that broke before anybody could read it takes the note back.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from croupier.journal.errors import JournalError

if TYPE_CHECKING:
    from croupier.floor.people_file import PeopleFile

ADD = "INSERT OR IGNORE INTO shown_ticket VALUES (?)"
DELETE = "DELETE FROM shown_ticket WHERE number = ?"


class ShownTickets:
    """The numbers of tickets that were shown with what proves them."""

    def __init__(self, file: PeopleFile) -> None:
        self._file = file
        self._shown: set[str] = set()
        self._writing: set[asyncio.Task[None]] = set()

    def __contains__(self, number: str) -> bool:
        return number in self._shown

    async def load(self) -> None:
        """Read what was shown before."""
        query = "SELECT number FROM shown_ticket"
        rows = await self._file.run(lambda file: file.execute(query).fetchall())
        self._shown = {number for (number,) in rows}

    def add(self, number: str) -> None:
        """Take note that a ticket is shown with what proves it."""
        self._shown.add(number)
        self._write(ADD, number)

    def discard(self, number: str) -> None:
        """Take note that it reached nobody."""
        self._shown.discard(number)
        self._write(DELETE, number)

    async def close(self) -> None:
        """Finish writing."""
        await asyncio.gather(*self._writing)

    def _write(self, statement: str, number: str) -> None:
        # The file does one job after the other, in the order in which they were handed over.
        task = asyncio.ensure_future(self._run(statement, number))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)

    async def _run(self, statement: str, number: str) -> None:
        with suppress(JournalError):  # a file that fails costs no patron the number
            await self._file.run(lambda file: file.execute(statement, (number,)))
