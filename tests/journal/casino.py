"""A small casino in a journal: cage, two tables, sealed shoes, a settlement and a void.

Built once for a file of tests; whoever changes it takes a copy.
"""

from __future__ import annotations

import asyncio
import secrets
import shutil
import sqlite3
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from croupier.accounts import commands as accounts
from croupier.accounts.authority import FOUNDER
from croupier.cage import commands as cage
from croupier.floor.accounts import AccountsDesk
from croupier.floor.cage import CageDesk
from croupier.floor.desk import Desk, Request
from croupier.floor.keeper import Keeper
from croupier.floor.sources import SealedSource
from croupier.floor.tickets import Tickets
from croupier.floor.transfers import Transfers
from croupier.journal.checkpoints import Checkpoints, Signer
from croupier.journal.opening import open_reader, verify_reader
from croupier.journal.seal import KeyBox
from croupier.journal.snapshots import Snapshots
from croupier.journal.sqlite import SqliteStore
from croupier.journal.sqlite_schema import FOREVER
from croupier.journal.writer import Writer
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands as c
from croupier.table.roles import Patron
from croupier.table.rulebook import SINGAPORE
from croupier.table.settings import Method, Settings
from tests.floor.casino import CARA, SUSI
from tests.table.floor import DEALER, MANAGER, SYSTEM

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from croupier.floor.desk import Reply
    from croupier.journal.checkpoints import Checkpoint
    from croupier.journal.store import Store
    from croupier.journal.verify import Verified
    from croupier.table.roles import Actor

NOW = datetime(2026, 1, 1, 12, tzinfo=SINGAPORE)
DECKS = 4


class Clock:
    """One second passes whenever somebody asks."""

    def __init__(self) -> None:
        self._now = NOW.astimezone(UTC)

    def __call__(self) -> datetime:
        self._now += timedelta(seconds=1)
        return self._now


class Casino:
    """Cage and desks on one store, and perhaps a keeper who signs."""

    def __init__(
        self,
        store: Store,
        folder: Path,
        keeper: Keeper | None = None,
        snapshots: Snapshots | None = None,
    ) -> None:
        self.store, self.folder, self.keeper = store, folder, keeper
        self.transfers = Transfers()
        subscribers = (self.transfers.committed, *((keeper.committed,) if keeper else ()))
        self.writer = Writer(store, clock=Clock(), subscribers=subscribers, snapshots=snapshots)
        self.transfers.attach(self.writer)
        self.cage = CageDesk(self.writer, RULEBOOKS, Tickets(bytes(32)))
        self.accounts = AccountsDesk(self.writer)
        self.desks: dict[str, Desk] = {}
        self._commands = 0
        self._sender = secrets.token_hex(4)

    async def start_desk(self, name: str) -> Desk:
        """Start the desk of a table, or start it again without a warning."""
        source = SealedSource(self.store, KeyBox(self.folder / "keys"))
        desk = Desk(self.writer, name, RULEBOOKS, source)
        await desk.start()
        self.desks[name] = desk
        return desk

    async def start(self) -> None:
        if self.keeper is not None:
            await self.keeper.start()
        await self.cage.start()
        await self.accounts.start()

    async def close(self) -> None:
        await self.transfers.close()
        await self.writer.close()
        if self.keeper is not None:
            await self.keeper.close()

    async def ask(self, table: str, command: c.Command, actor: Actor = DEALER) -> Reply:
        self._commands += 1
        request = Request(f"{self._sender}-{self._commands}", actor, command)
        return await self.desks[table].submit(request)

    async def do(self, table: str, command: c.Command, actor: Actor = DEALER) -> None:
        reply = await self.ask(table, command, actor)
        assert reply.accepted, reply.refusal

    async def at_cage(
        self, command_id: str, command: cage.CageCommand, actor: Actor = CARA
    ) -> Reply:
        """Bring a command that must be accepted to the cage, with what follows of it."""
        second = SUSI if actor == CARA else None
        reply = await self.cage.submit(Request(command_id, actor, command, second))
        assert reply.accepted, reply.refusal
        await self.transfers.quiet()
        return reply

    async def at_accounts(self, *asked: accounts.AccountsCommand) -> None:
        """Bring commands of the house to the accounts."""
        for number, command in enumerate(asked, self.accounts.seat.sequence):
            request = Request(f"founded-{number}", FOUNDER, command)
            reply = await self.accounts.submit(request)
            assert reply.accepted, reply.refusal

    async def deal(self, table: str, actor: Actor = DEALER) -> None:
        """Draw until the tableau calls for no more card."""
        while (await self.ask(table, c.DrawCard(), actor)).accepted:
            pass


async def open_house(casino: Casino) -> None:
    """Add people, buy in, open both tables and seat the patrons."""
    await casino.at_accounts(
        accounts.AddUser("Ada", accounts.UserKind.ADMIN),
        accounts.GivePosition("Ada", "Administrator"),
        *(
            accounts.AddUser(one.name, accounts.UserKind.STAFF, one.position.value)
            for one in (DEALER, MANAGER, CARA, SUSI)
        ),
        accounts.AddUser("ann", accounts.UserKind.PATRON),
        accounts.RegisterDevice("shoe-1", accounts.DeviceKind.SHOE, "1"),
    )
    await casino.at_cage("buy-1", cage.BuyIn("ann", 500_00))
    await casino.at_cage("buy-2", cage.BuyIn("bea", 300_00))
    for name in ("1", "2"):
        await casino.start_desk(name)
        await casino.at_cage(f"opener-{name}", cage.SetOpener(name, 100_000_00))
    live = Settings(rulebook="BAC8", game="baccarat", method=Method.B, decks=DECKS)
    await casino.do("1", c.OpenTable(live), MANAGER)
    electronic = Settings(rulebook="EB4", game="tiger", decks=DECKS)
    await casino.do("2", c.OpenTable(electronic), MANAGER)
    await casino.do("1", c.LoadShoe("shoe-1"))
    await casino.do("2", c.LoadShoe("shoe-2"), SYSTEM)
    await casino.do("1", c.TakeSeat("ann", 1))
    await casino.do("2", c.TakeSeat("bea", 1), SYSTEM)
    await casino.at_cage("to-1", cage.SendToTable("ann", "1", 400_00), Patron("ann"))
    await casino.at_cage("to-2", cage.SendToTable("bea", "2", 300_00), Patron("bea"))


async def play_live_round(casino: Casino) -> None:
    """Play a round at the live table to its end, with a wager that is refused."""
    await casino.do("1", c.CallBets())
    refused = await casino.ask("1", c.PlaceWager("ann", "banker", 9_000_00), Patron("ann"))
    assert not refused.accepted
    await casino.do("1", c.PlaceWager("ann", "banker", 100_00), Patron("ann"))
    await casino.do("1", c.PlaceWager("ann", "tie", 20_00), Patron("ann"))
    await casino.do("1", c.CloseBets())
    await casino.deal("1")
    await casino.do("1", c.AnnounceOutcome())
    await casino.do("1", c.Settle())
    await casino.do("1", c.ConfirmPayment())


async def play_electronic_rounds(casino: Casino) -> None:
    """Play a round that a power failure makes void, and begin another one."""
    await casino.do("2", c.CallBets(), SYSTEM)
    await casino.do("2", c.PlaceWager("bea", "tiger", 50_00), Patron("bea"))
    await casino.desks["2"].close()
    await casino.start_desk("2")
    await casino.do("2", c.DecideReplacement(replace=False), MANAGER)
    await casino.do("2", c.CallBets(), SYSTEM)
    await casino.do("2", c.PlaceWager("bea", "player", 60_00), Patron("bea"))
    await casino.do("2", c.CloseBets(), SYSTEM)
    await casino.ask("2", c.DrawCard(), SYSTEM)


async def play(casino: Casino) -> None:
    """Play everything; the electronic table stands in the middle of a round at the end."""
    await open_house(casino)
    await play_live_round(casino)
    await play_electronic_rounds(casino)
    await casino.do("1", c.EndShoe())
    await casino.do("1", c.TakeCredit("ann", 50_00), Patron("ann"))
    await casino.transfers.quiet()
    await casino.at_cage("out-1", cage.CashOut("ann", 100_00), Patron("ann"))


async def build(folder: Path, *, every_decisions: int = 20) -> None:
    """Write ``journal.sqlite``, its checkpoints and keys into a folder."""
    store = await SqliteStore.open(folder / "journal.sqlite")
    keeper = Keeper(
        store,
        Checkpoints(folder / "checkpoints"),
        Signer.at(folder / "signing.key"),
        clock=Clock(),
        every_decisions=every_decisions,
        pause_seconds=0.0,
    )
    casino = Casino(store, folder, keeper, Snapshots(bytes(32), between=10))
    await casino.start()
    await play(casino)
    await casino.close()
    await store.close()


def built(folder: Path) -> Path:
    """Build the casino in a folder, and return its journal."""
    asyncio.run(build(folder))
    return folder / "journal.sqlite"


def copied(journal: Path, folder: Path) -> Path:
    """Copy a journal that lies still."""
    target = folder / "copy.sqlite"
    shutil.copyfile(journal, target)
    return target


def checkpoints_of(journal: Path) -> list[Checkpoint]:
    """Return the checkpoints beside a journal."""
    return [one.checkpoint for one in Checkpoints(journal.parent / "checkpoints").all()]


async def verified_now(where: Path | str, *checkpoints: Checkpoint) -> Verified:
    """Verify a journal."""
    async with await open_reader(str(where)) as reader:
        return await verify_reader(reader, checkpoints)


def verified(where: Path | str, *checkpoints: Checkpoint) -> Verified:
    """Verify a journal, outside of an event loop."""
    return asyncio.run(verified_now(where, *checkpoints))


@contextmanager
def bypassed(journal: Path) -> Iterator[sqlite3.Connection]:
    """Open a journal past its store, its guards dropped for as long as this takes."""
    connection = sqlite3.connect(journal, isolation_level=None)
    try:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in names.fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        yield connection
        connection.executescript(FOREVER)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        connection.close()
