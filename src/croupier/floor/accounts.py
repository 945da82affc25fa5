"""The desk of the accounts: what the floor knows of users, positions and devices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.accounts.authority import FOUNDER
from croupier.accounts.commands import AddUser, UserKind
from croupier.journal.accounts_stream import STREAM, AccountsStream
from croupier.journal.errors import JournalError
from croupier.journal.following import Followed
from croupier.journal.positions import Positions
from croupier.journal.writer import Request
from croupier.table.roles import HousePosition

if TYPE_CHECKING:
    from croupier.accounts.state import Accounts
    from croupier.journal.gathering import Seat
    from croupier.journal.writer import Reply, Writer
    from croupier.table.roles import Actor


class AccountsDesk:
    """Takes the commands of the accounts."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self._seat: Seat | None = None
        self._followed: Followed | None = None

    async def start(self) -> None:
        """Take the accounts over, fold them, and serve."""
        (self._seat,) = await self.writer.open(AccountsStream())
        self._followed = Followed(self.writer, self._seat)
        self.writer.positions = Positions(self._seat)

    async def watch(self) -> None:
        """Follow accounts that another process serves; nothing is submitted to them here.

        What staff do at this process's tables is decided, and recorded, as of what was read.
        """
        followed = Followed.of(self.writer, AccountsStream())
        await followed.catch_up()
        self._followed, self._seat = followed, followed.seat
        self.writer.positions = Positions(self._seat)

    async def catch_up(self) -> None:
        """Read what another process decided since; call it when something was heard of it."""
        if self._followed is not None and not self.seat.serves:
            await self._followed.catch_up()

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
        # Asked of for every command, so without a property of a property.
        seat = self._seat or self.seat
        accounts: Accounts = seat.durable.state
        return accounts

    def actor(self, name: str) -> Actor | None:
        """Return somebody as they may act now; None: they may not.

        The writer compares again when it decides, and names as of which decision it did.
        """
        return self.accounts.actor(name, self.writer.clock())

    async def found(self, administrator: str) -> Reply:
        """Add the first Administrator; doing it again changes nothing."""
        add = AddUser(administrator, UserKind.ADMIN, HousePosition.ADMINISTRATOR.value)
        return await self.submit(Request(f"found-{administrator}", FOUNDER, add))

    async def submit(self, request: Request) -> Reply:
        """Return the answer to a command, once it is durable."""
        return await self.writer.submit(self.seat, request)
