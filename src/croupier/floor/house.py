"""A house: its journal on any store, its keys, its checkpoints, and everybody who works there.

A folder holds what is not in the store: keys of shoes, of tickets, of snapshots and of
signatures, the checkpoints, and the configuration; and, unless a database is named, the journal
itself. ``start`` opens cage and tables, rules interruptions as the rulebooks say, finishes
transfers that were on their way, and lets drivers deal the tables that the system deals.
``close`` lets those rounds end, and a start after it goes on where it was left.
"""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from croupier.floor.accounts import AccountsDesk
from croupier.floor.cage import CageDesk
from croupier.floor.configuration import CONFIGURATION, Configuration, read_configuration
from croupier.floor.desk import Desk
from croupier.floor.driver import Driver
from croupier.floor.keeper import Keeper
from croupier.floor.limits import Limits
from croupier.floor.sources import HouseSource
from croupier.floor.tickets import Tickets
from croupier.floor.transfers import Transfers
from croupier.journal.checkpoints import Checkpoints, Signer
from croupier.journal.decision import now
from croupier.journal.errors import JournalError
from croupier.journal.names import check_names
from croupier.journal.seal import KeyBox
from croupier.journal.snapshots import Snapshots
from croupier.journal.sqlite import SqliteStore
from croupier.journal.writer import Writer
from croupier.rulebooks import RULEBOOKS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from pathlib import Path

    import msgspec

    from croupier.accounts.limits import LimitRefusal
    from croupier.journal.store import Store
    from croupier.journal.writer import Committed

JOURNAL = "journal.sqlite"
CHECKPOINTS = "checkpoints"
SHOE_KEYS = "shoe-keys"
SIGNING_KEY = "signing.key"
SNAPSHOT_KEY = "snapshot.key"
TICKET_KEY = "ticket.key"
END_SECONDS = 8.0
"""How long rounds in progress may take to their end when the house closes."""


class House:
    """A running casino: the desks of its cage and its tables, by their names."""

    def __init__(  # what a house is given once
        self,
        folder: Path,
        store: Store,
        configuration: Configuration,
        *,
        below: Callable[[int], int] = secrets.randbelow,
        clock: Callable[[], datetime] = now,
        subscribers: Sequence[Callable[[Committed], None]] = (),
    ) -> None:
        self.folder, self.store, self.configuration = folder, store, configuration
        self.clock, self._below = clock, below
        self.signer = Signer.at(folder / SIGNING_KEY)
        self.keeper = Keeper(store, Checkpoints(folder / CHECKPOINTS), self.signer, clock=clock)
        self.transfers = Transfers()
        self.snapshots = Snapshots.at(folder / SNAPSHOT_KEY)
        self.tickets = Tickets.at(folder / TICKET_KEY)
        self.writer = Writer(
            store,
            clock=clock,
            subscribers=(
                self.keeper.committed,
                self.transfers.committed,
                self._played,
                *subscribers,
                self._moved,
            ),
            snapshots=self.snapshots,
        )
        self.transfers.attach(self.writer)
        self._source = HouseSource(store, KeyBox(folder / SHOE_KEYS), below)
        self.accounts = AccountsDesk(self.writer)
        self.cage = CageDesk(self.writer, RULEBOOKS, self.tickets)
        self.tables: dict[str, Desk] = {}
        self.limits = Limits(configuration.gaming_day, self.accounts, self.tables)
        self.drivers: dict[str, Driver] = {}
        self.interrupted: list[str] = []
        """Tables whose round was interrupted, and ruled by this start."""
        self.failures: dict[str, JournalError] = {}
        """By name of a table: why it could not be started; the others were."""
        self._drives = True
        self._founding = asyncio.Lock()

    # Opening

    @classmethod
    async def open(  # what a house is given once
        cls,
        folder: Path,
        database: str | None = None,
        *,
        below: Callable[[int], int] = secrets.randbelow,
        clock: Callable[[], datetime] = now,
        subscribers: Sequence[Callable[[Committed], None]] = (),
    ) -> Self:
        """Open a house, or found it; a journal behind its checkpoints is refused.

        Nothing is started yet: ``start`` is.
        """
        try:
            await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
        except OSError as error:
            message = f"The folder {folder} cannot be used: {error.strerror}."
            raise JournalError(message) from error
        configuration = read_configuration(folder / CONFIGURATION)
        store = await _store(folder, database)
        try:
            house = cls(
                folder,
                store,
                configuration,
                below=below,
                clock=clock,
                subscribers=subscribers,
            )
            # Before any desk: it signs what they tell it.
            await house.keeper.start()
        except BaseException:
            await store.close()
            raise
        return house

    async def start(self, *, drive: bool = True) -> None:
        """Open accounts, cage and every table that the journal has, and let drivers deal.

        A table that cannot be started is a failure of its own and stops no other.
        """
        self._drives = drive
        await self.limits.read(self.store, self.clock())
        streams = [head.stream for head in await self.store.heads()]
        if not self.accounts.started:
            await self.accounts.start()
        await self.cage.start()
        names = [name for _, _, name in (one.partition(":") for one in streams) if name]
        desks = {name: self._desk(name) for name in names}
        started = await asyncio.gather(
            *(desk.start() for desk in desks.values()), return_exceptions=True
        )
        for (name, desk), failed in zip(desks.items(), started, strict=True):
            if isinstance(failed, JournalError):
                self.failures[name] = failed
            elif failed is not None:
                raise failed
            else:
                self.tables[name] = desk
                self.limits.sit(desk.stream, desk.table)
        await self.transfers.finish()
        for name in self.tables:
            self._drive(name)

    def _desk(self, name: str) -> Desk:
        return Desk(self.writer, name, RULEBOOKS, self._source)

    def _drive(self, name: str) -> None:
        if not self._drives:
            return
        driver = self.drivers[name] = Driver(self.tables[name], self._below)
        driver.start()

    async def table(self, name: str) -> Desk:
        """Return the desk of a table by its name; one that the house has not is founded."""
        if name in self.failures:
            raise self.failures[name]
        check_names((name,))
        async with self._founding:
            desk = self.tables.get(name)
            if desk is None:
                desk = self._desk(name)
                await desk.start()
                self.tables[name] = desk
                self._drive(name)
        return desk

    def new_name(self) -> str:
        """Return the first number that no table of this house has."""
        number = 1
        while str(number) in self.tables or str(number) in self.failures:
            number += 1
        return str(number)

    def allowed(
        self, patron: str, stream: str, command: msgspec.Struct, moment: datetime
    ) -> LimitRefusal | None:
        """Say why exclusions or own limits keep a patron from a command; None: they do not.

        Asked before the command is submitted; what is refused here is no record. A wager
        that is submitted is told to ``limits.on_its_way`` with the future of its answer.
        """
        return self.limits.allowed(patron, stream, command, moment)

    def _played(self, committed: Committed) -> None:
        self.limits.committed(committed)

    def _moved(self, committed: Committed) -> None:
        """Tell the driver of a table that something happened there."""
        name = committed.record.stream.partition(":")[2]
        if committed.decision.house.interruption is not None:
            self.interrupted.append(name)
        driver = self.drivers.get(name)
        if driver is not None:
            driver.committed(committed)

    # Closing

    async def close(self) -> None:
        """Let rounds that the system deals end, answer what waits, sign, and close the store.

        What waits for people stays as it is; the next start rules it as an interruption.
        """
        await self.end_rounds()
        with suppress(TimeoutError):  # the next start finishes what is left between streams
            await asyncio.wait_for(self.transfers.close(), END_SECONDS)
        await self.writer.close()
        try:
            await self.keeper.close()
        finally:
            await self.store.close()

    async def end_rounds(self) -> None:
        """Open no new round, and bring those that the system deals to their end."""
        ending = [asyncio.ensure_future(driver.finish()) for driver in self.drivers.values()]
        if ending:
            await asyncio.wait(ending, timeout=END_SECONDS)
        await asyncio.gather(*(driver.stop() for driver in self.drivers.values()))
        await asyncio.gather(*ending, return_exceptions=True)


async def _store(folder: Path, database: str | None) -> Store:
    if database is None:
        return await SqliteStore.open(folder / JOURNAL)
    try:
        from croupier.journal.postgres import PostgresStore  # noqa: PLC0415  # an extra
    except ImportError as error:
        message = "PostgreSQL needs the extra of that name: pip install 'croupier[postgres]'."
        raise JournalError(message) from error
    return await PostgresStore.open(database)
