"""The desk of the accounts: what the floor knows of users, positions and devices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.journal.accounts_stream import STREAM, AccountsStream
from croupier.journal.errors import JournalError

if TYPE_CHECKING:
    from croupier.accounts.state import Accounts
    from croupier.journal.writer import Reply, Request, Seat, Writer


class AccountsDesk:
    """Takes the commands of the accounts."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self._seat: Seat | None = None

    async def start(self) -> None:
        """Take the accounts over, fold them, and serve."""
        (self._seat,) = await self.writer.open(AccountsStream())

    @property
    def started(self) -> bool:
        """Tell whether the accounts are open."""
        return self._seat is not None

    @property
    def seat(self) -> Seat:
        """Return the stream of the accounts as the writer knows it."""
        if self._seat is None:
            message = f"The desk of {STREAM} is not open."
            raise JournalError(message)
        return self._seat

    @property
    def accounts(self) -> Accounts:
        """Return the accounts as they are in the journal."""
        accounts: Accounts = self.seat.state
        return accounts

    async def submit(self, request: Request) -> Reply:
        """Return the answer to a command, once it is durable."""
        return await self.writer.submit(self.seat, request)
