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

import msgspec

from croupier.floor.accounts import AccountsDesk
from croupier.floor.cage import CageDesk
from croupier.floor.clock import HouseClock
from croupier.floor.configuration import (
    AS_CONFIGURED,
    CONFIGURATION,
    Configuration,
    Seconds,
    read_configuration,
)
from croupier.floor.desk import Desk
from croupier.floor.driver import Driver
from croupier.floor.keeper import Keeper, require_reached
from croupier.floor.limits import Limits
from croupier.floor.looking import Looking
from croupier.floor.numbers import Numbers
from croupier.floor.others import PREFIX, OtherHouses, another_houses, no_table
from croupier.floor.problems import ConditionError, ServerCode, limit_code
from croupier.floor.seeded import Seeded
from croupier.floor.sources import HouseSource
from croupier.floor.tickets import Tickets
from croupier.floor.tidying import Tidying
from croupier.floor.transfers import Transfers
from croupier.journal.accounts_stream import STREAM as ACCOUNTS
from croupier.journal.cages import STREAM as CAGE
from croupier.journal.checkpoints import Checkpoints, Signer
from croupier.journal.codec import Started
from croupier.journal.decision import now
from croupier.journal.errors import FencedError, JournalError, PoisonedError, failed_at
from croupier.journal.gathering import settling
from croupier.journal.names import check_names
from croupier.journal.opening import open_reader
from croupier.journal.seal import OWNER_FOLDER, KeyBox
from croupier.journal.snapshots import Snapshots
from croupier.journal.sqlite import SqliteStore
from croupier.journal.writer import Request, Writer
from croupier.rulebooks import RULEBOOKS
from croupier.table.commands import CallBets, SetClocks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from pathlib import Path

    from croupier.accounts.limits import LimitRefusal
    from croupier.floor.watched import Watch
    from croupier.journal.gathering import Reply, Seat, Subscriber, Tell
    from croupier.journal.postgres import PostgresStore
    from croupier.journal.store import Store
    from croupier.journal.writer import Landed
    from croupier.table.refusals import Refusal
    from croupier.table.roles import Staff
    from croupier.table.settings import Clocks

JOURNAL = "journal.sqlite"
CHECKPOINTS = "checkpoints"
SHOE_KEYS = "shoe-keys"
SIGNING_KEY = "signing.key"
SNAPSHOT_KEY = "snapshot.key"
TICKET_KEY = "ticket.key"
ROUNDS_SECONDS, TRANSFERS_SECONDS = 6.0, 2.0
"""How long rounds in progress, and then transfers, may take when the house closes."""
LOOK_SECONDS = 5.0
"""How often a house that shares its database looks for what it did not hear."""
LOG_FORM_AT, NO_LOG = 18, b"\x01"
"""Where a file of SQLite says whether it has a log, and what it says without one."""
SUBMIT_SECONDS = 10.0
"""How long a command for a stream of another house may be decided there."""
HOLD_PAUSES_SECONDS = (0.1, 0.4, 1.0, 1.5, 2.0, 2.0, 3.0)
"""A house that was killed lets its streams go when the database finds out, within 10 s."""


class Own(msgspec.Struct, frozen=True):
    """What belongs to a house, where several run on one database.

    The one that has the cage has the accounts, and signs checkpoints for all of them.
    """

    tables: frozenset[str] | None = None
    """None: every table."""
    cage: bool = True

    def has(self, table: str) -> bool:
        """Tell whether a table is its own."""
        return self.tables is None or table in self.tables


ALL = Own()


class House:
    """A running casino: the desks of its cage and its tables, by their names."""

    closing = False
    """Whether no new round is opened any more."""

    def __init__(  # what a house is given once
        self,
        folder: Path,
        store: Store,
        configuration: Configuration,
        *,
        own: Own = ALL,
        seed: int | None = None,
        below: Callable[[int], int] = secrets.randbelow,
        clock: Callable[[], datetime] = now,
        subscribers: Sequence[Subscriber] = (),
    ) -> None:
        self.folder, self.store, self.configuration = folder, store, configuration
        self.clock = clock if isinstance(clock, HouseClock) else HouseClock(clock)
        self._below, self._seeded = below, None if seed is None else Seeded(seed)
        self.own = own
        self.signer = Signer.at(folder / SIGNING_KEY)
        self.checkpoints = Checkpoints(folder / CHECKPOINTS)
        self.keeper = Keeper(
            store, self.checkpoints, self.signer, clock=self.clock, signs=own.cage
        )
        self.transfers = Transfers(self.owns)
        self.snapshots = Snapshots.at(folder / SNAPSHOT_KEY)
        self.tickets = Tickets.at(folder / TICKET_KEY)
        self.writer = Writer(
            store,
            clock=self.clock,
            subscribers=(
                self.keeper.committed,
                self.transfers.committed,
                self._played,
                self._happened,
                *subscribers,
                self._moved,
            ),
            snapshots=self.snapshots,
        )
        self.transfers.attach(self.writer)
        self._keys = KeyBox(folder / SHOE_KEYS)
        self._source = HouseSource(store, self._keys, below)
        self.accounts = AccountsDesk(self.writer)
        self.cage = CageDesk(self.writer, RULEBOOKS, self.tickets)
        self.cage.sits = self.sits
        self.tables: dict[str, Desk] = {}
        self.numbers = Numbers(self)
        self.limits = Limits(configuration.gaming_day, self.accounts, self.tables)
        self.tidying = Tidying(self)
        self.drivers: dict[str, Driver] = {}
        self.interrupted: list[str] = []
        """Tables whose round was interrupted, and ruled by this start."""
        self.failures: dict[str, JournalError] = {}
        """By name of a table: why it could not be started; the others were."""
        self._drives = True
        self._founding = asyncio.Lock()
        self.database: str | None = None
        """Its address, with whatever is secret in it; None: the journal is in the folder."""
        self._shared: PostgresStore | None = None
        """The database, where other houses may run on it too."""
        self._others: OtherHouses | None = None
        self._looking = Looking(store, self._look, _look_seconds)

    # Opening

    @classmethod
    async def open(  # noqa: PLR0913  # what a house is given once
        cls,
        folder: Path,
        database: str | None = None,
        *,
        own: Own = ALL,
        configuration: Configuration | None = None,
        clocks: Seconds = AS_CONFIGURED,
        seed: int | None = None,
        below: Callable[[int], int] = secrets.randbelow,
        clock: Callable[[], datetime] = now,
        subscribers: Sequence[Subscriber] = (),
    ) -> Self:
        """Open a house, or found it; a journal behind its checkpoints is refused.

        Nothing is started yet: ``start`` is. ``own`` says what is this house's, where several
        run on one database. Without a ``configuration`` the folder's own is read; ``clocks``
        override it. With a ``seed`` shoes and dice follow from it, and not from ``below``.
        """
        configuration = configuration or read_configuration(folder / CONFIGURATION)
        configuration = configuration.overridden(clocks)
        made = await asyncio.to_thread(_made, folder)
        try:
            if database is None:
                await _require_copy_reached(folder)
            store = await _store(folder, database)
        except BaseException:
            if made:
                with suppress(OSError):  # whoever put something there keeps it
                    await asyncio.to_thread(folder.rmdir)
            raise
        try:
            house = cls(
                folder,
                store,
                configuration,
                own=own,
                seed=seed,
                below=below,
                clock=clock,
                subscribers=subscribers,
            )
            house.database = database
            if database is not None:
                house._shared = store  # type: ignore[assignment]
                house._others = OtherHouses(house, house._shared, _look_seconds)  # type: ignore[arg-type]
            # Before any desk: it signs what they tell it.
            await house.keeper.start()
        except BaseException:
            await store.close()
            raise
        return house

    def owns(self, name: str) -> bool:
        """Tell whether a table is this house's, served or not, and nobody took it over."""
        if not self.own.has(name):
            return False
        desk = self.tables.get(name)
        return desk is None or not isinstance(desk.seat.failure, FencedError)

    async def start(self, *, drive: bool = True) -> None:
        """Open accounts, cage and every table that the journal has, and let drivers deal.

        A table that cannot be started is a failure of its own and stops no other. Tables of
        other houses are left to them; what another house runs is refused.
        """
        self._drives = drive
        await self.limits.read(self.store, self.clock())
        streams = [head.stream for head in await self.store.heads()]
        names = [name for _, _, name in (one.partition(":") for one in streams) if name]
        names = [name for name in names if self.owns(name)]
        await self._hold(*names, cage=self.own.cage)
        if self.own.cage:
            await self.accounts.start()
            await self.cage.start()
        else:
            await self.accounts.watch()
        desks = {name: self._desk(name) for name in names}
        started = await asyncio.gather(
            *(desk.start() for desk in desks.values()), return_exceptions=True
        )
        for (name, desk), failed in zip(desks.items(), started, strict=True):
            if failed is None:
                self._begin(name, desk)
            elif isinstance(failed, Exception):
                self.failures[name] = failed_at(desk.stream, failed)
            else:
                raise failed
        await self.numbers.load()
        if self._shared is not None and self._others is not None:
            await self._shared.listen(self._heard)
            self._looking.start()
            await self._others.start()
        try:
            await self.transfers.finish()
        except PoisonedError:
            self.transfers.heard()  # once the medium is back
        if drive:
            self.drive()

    def drive(self) -> None:
        """Let drivers deal from now on: the tables of the house, and those that it founds."""
        self._drives = True
        self.tidying.start()
        for name in self.tables.keys() - self.drivers.keys():
            self._drive(name)

    def _begin(self, name: str, desk: Desk) -> None:
        self.tables[name] = desk
        self.limits.sit(desk.stream, desk.table)
        # A clock that was set back while the house was closed goes on from the journal's.
        self.clock.not_before(desk.seat.moment)

    async def _hold(self, *tables: str, cage: bool = False) -> None:
        """Keep streams from other houses; refuse what one of them runs."""
        if self._shared is None:
            return
        streams = [*((ACCOUNTS, CAGE) if cage else ()), *(f"table:{one}" for one in tables)]
        for pause in (*HOLD_PAUSES_SECONDS, None):
            others = await self._shared.hold(streams)
            if not others:
                return
            if pause is not None:  # perhaps of one that just died
                await asyncio.sleep(pause)
        message = (
            f"Another house runs {others[0]} on this database; name the tables that"
            " are this house's, or stop the other one."
        )
        raise JournalError(message)

    def _heard(self, stream: str, _sequence: int) -> None:
        """Take note that something was decided, perhaps by another house."""
        if self.writer.seat(stream) is None:
            self.keeper.heard(stream)
            self.transfers.heard()
            if stream == ACCOUNTS:
                self._looking.wake()
            if self._others is not None:
                self._others.heard(stream)

    async def _look(self) -> None:
        """Follow the accounts of another house at once, and from time to time all it did.

        Nothing is heard while the connection is lost, and what its patrons play counts here
        towards their own limits.
        """
        self.transfers.heard()
        await self.accounts.catch_up()
        self.tidying.heard()
        await self.limits.follow(self.store, self.writer)

    def _desk(self, name: str) -> Desk:
        seeded = self._seeded
        if seeded is None:
            return Desk(self.writer, name, RULEBOOKS, self._source)

        def shuffles() -> Callable[[int], int]:
            return seeded.shoe(name, desk.table.loaded + 1)

        source = HouseSource(self.store, self._keys, shuffles=shuffles)
        desk = Desk(self.writer, name, RULEBOOKS, source)
        return desk

    def _drive(self, name: str) -> None:
        if self.closing or not self._drives:
            return
        driver = Driver(self.tables[name], self._below, self._seeded)
        self.drivers[name] = driver
        driver.start()

    async def table(self, name: str) -> Desk:
        """Return the desk of a table by its name; one that the house has not is founded."""
        if name in self.failures:
            raise self.failures[name]
        check_names((name,))
        async with self._founding:
            desk = self.tables.get(name)
            if desk is None:
                if not self.owns(name):
                    raise another_houses(PREFIX + name)
                await self._hold(name)
                desk = self._desk(name)
                await desk.start()
                self._begin(name, desk)
                self._drive(name)
        return desk

    # Commands, whoever serves their stream

    async def submit(
        self, stream: str, request: Request, seconds: float = SUBMIT_SECONDS
    ) -> Reply:
        """Return the answer of a stream by its name, whichever house serves it.

        What exclusions and own limits forbid is a ``ConditionError``, here as there. Another
        house decides a command within ``seconds`` or not at all; one that does not answer is
        an ``UnansweredError``, and the same command sent again tells what came of it.
        """
        while (seat := self.writer.seat(stream)) is not None:
            answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
            self.give(seat, request, settling(answer))
            try:
                return await answer
            except FencedError:  # somebody took the stream over: it goes there
                if self._others is None:
                    raise
        failure = self._not_served(stream)
        if failure is not None:
            raise failure
        if self._others is None:
            raise another_houses(stream)
        return await self._others.submit(stream, request, seconds)

    def give(self, seat: Seat, request: Request, tell: Tell) -> None:
        """Hand a command to a stream of this house; ``tell`` is called with what came of it.

        What exclusions or own limits forbid is a condition of the command, so one that comes
        again gets its answer, though it may count towards a limit by now.
        """
        patron: str | None = getattr(request.command, "patron", None)
        refusal = None
        if patron is not None:
            refusal = self.allowed(patron, seat.name, request.command, self.clock())
        forbidden = None
        if refusal is not None:
            forbidden = ConditionError(limit_code(refusal.code), refusal.sentence)
            patron = None
        elif self.closing and isinstance(request.command, CallBets):
            message = "The house is closing; no new round is opened."
            forbidden = ConditionError(ServerCode.GOING_DOWN, message)
        if forbidden is not None:
            request = msgspec.structs.replace(request, condition=lambda _: forbidden)
        self.limits.give(self.writer, seat, request, tell, patron)

    def _not_served(self, stream: str) -> JournalError | None:
        """Say why a stream that is this house's is not served; None: it is another's."""
        name = stream.removeprefix(PREFIX)
        if name != stream:
            if not self.owns(name):
                return None
            if name not in self.tables:
                return self.failures.get(name) or no_table(name)
            failure = self.tables[name].seat.failure
        elif stream in (CAGE, ACCOUNTS) and self.own.cage:
            failure = (self.cage if stream == CAGE else self.accounts).seat.failure
            if isinstance(failure, FencedError):
                return None
        else:
            return None
        return failure or JournalError(f"The desk of {stream} is closed.")

    async def watch(self, name: str, tell: Subscriber | None = None) -> Watch:
        """Fold a table of another house and follow it until the watch is closed.

        ``tell`` is called with what is decided there from now on. A table of this house has
        its desk, and is refused.
        """
        if self.owns(name):
            message = f"Table {name} is this house's own; its desk has it."
            raise JournalError(message)
        if self._others is None:
            raise another_houses(PREFIX + name)
        return await self._others.watch(name, tell)

    def sits(self, patron: str) -> tuple[str, int] | None:
        """Return table and playing position of a patron; None: sits at none, or at several."""
        found = [
            (name, desk.table.seats[patron])
            for name, desk in self.tables.items()
            if patron in desk.table.seats
        ]
        return found[0] if len(found) == 1 else None

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

    def _played(self, landed: Landed) -> None:
        self.limits.committed(landed)

    def _happened(self, landed: Landed) -> None:
        self.tidying.committed(landed)

    def clocks_of(self, name: str) -> Clocks:
        """Return the clocks that a new table gets: as configured, and overridden."""
        return self.configuration.clocks.of(name)

    async def set_clocks(self, by: Staff) -> dict[str, Refusal]:
        """Let all tables that are open have the clocks of this house, by somebody's order.

        A table takes them on with its next round. Returns by name why a table refused them.
        """
        refused = {}
        for name, desk in self.tables.items():
            table, clocks = desk.table, self.clocks_of(name)
            if table.plan is None or (table.scheduled or table.settings).clocks == clocks:
                continue
            command = SetClocks(clocks, "as the house was started")
            number = f"clocks-{name}-{desk.epoch}-{desk.seat.sequence}"
            reply = await desk.submit(Request(number, by, command))
            if not reply.accepted:
                refused[name] = reply.refusal
        return refused

    def _moved(self, landed: Landed) -> None:
        """Tell the driver of a table that something happened there."""
        name = landed.stream.partition(":")[2]
        if Started in landed.kinds:
            for one in landed.all:
                if one.decision.house.interruption is not None:
                    self.interrupted.append(name)
        driver = self.drivers.get(name)
        if driver is not None:
            driver.committed(landed)

    # Closing

    async def close(self) -> None:
        """Let rounds that the system deals end, answer what waits, sign, and close the store.

        What waits for people stays as it is; the next start rules it as an interruption.
        """
        await self._looking.stop()
        if self._others is not None:
            await self._others.stop()
        await self.end_rounds()
        with suppress(TimeoutError):  # the next start finishes what is left between streams
            await asyncio.wait_for(self.transfers.close(), TRANSFERS_SECONDS)
        await self.writer.close()
        if self._others is not None:
            await self._others.settle()
        try:
            await self.keeper.close()
        finally:
            await self.store.close()

    async def end_rounds(self) -> None:
        """Open no new round, and bring those that the system deals to their end."""
        self.closing = True
        await self.tidying.stop()
        ending = [asyncio.ensure_future(driver.finish()) for driver in self.drivers.values()]
        if ending:
            await asyncio.wait(ending, timeout=ROUNDS_SECONDS)
        await asyncio.gather(*(driver.stop() for driver in self.drivers.values()))
        await asyncio.gather(*ending, return_exceptions=True)


def _look_seconds() -> float:
    return LOOK_SECONDS


def _made(folder: Path) -> bool:
    """Make the folder of a house, its owner's alone; tell whether it is new."""
    new = not folder.exists()
    try:
        folder.mkdir(OWNER_FOLDER, parents=True, exist_ok=True)
    except FileExistsError as error:
        message = f"{folder} is a file; a house lies in a folder of its own."
        raise JournalError(message) from error
    except OSError as error:
        message = f"The folder {folder} cannot be used: {error.strerror}."
        raise JournalError(message) from error
    return new


async def _require_copy_reached(folder: Path) -> None:
    """Refuse a copy that lies where the journal was, and is behind, before it is changed.

    To open a file that has no log of its own is to write into it; it may be evidence.
    """
    journal, key = folder / JOURNAL, folder / SIGNING_KEY
    if not (key.exists() and await asyncio.to_thread(_has_no_log, journal)):
        return
    newest = await asyncio.to_thread(
        Checkpoints(folder / CHECKPOINTS).newest, Signer.at(key).public
    )
    if newest is not None:
        async with await open_reader(str(journal)) as reader:
            require_reached(newest, await reader.heads())


def _has_no_log(path: Path) -> bool:
    """Tell whether a file of SQLite keeps no log beside it: a backup does not."""
    try:
        with path.open("rb") as file:
            return file.read(LOG_FORM_AT + 1)[LOG_FORM_AT:] == NO_LOG
    except OSError:
        return False  # whoever opens it says what is wrong


async def _store(folder: Path, database: str | None) -> Store:
    if database is None:
        return await SqliteStore.open(folder / JOURNAL)
    try:
        from croupier.journal.postgres import PostgresStore  # noqa: PLC0415  # an extra
    except ImportError as error:
        message = "PostgreSQL needs the extra of that name: pip install 'croupier[postgres]'."
        raise JournalError(message) from error
    return await PostgresStore.open(database)
