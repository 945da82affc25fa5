"""A cage and its tables on one store, as the tests of both need them."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from croupier.cage import commands as c
from croupier.cage.ledger import ticket, transit, wallet
from croupier.cage.refusals import CageCode, CageRefusal
from croupier.floor.cage import CageDesk
from croupier.floor.desk import Desk, Reply, Request
from croupier.floor.sources import DeviceSource
from croupier.floor.tickets import Tickets
from croupier.floor.transfers import Transfers
from croupier.journal.decision import read_record
from croupier.journal.errors import PoisonedError
from croupier.journal.verify import verify
from croupier.journal.writer import Writer
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands
from croupier.table.roles import HousePosition, HouseStaff, Patron
from tests.floor.rounds import settings_for
from tests.table.floor import DEALER, MANAGER, faces
from tests.wording import is_one_sentence

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from croupier.cage.events import CageEvent
    from croupier.journal.errors import JournalError
    from croupier.journal.frames import Frame
    from croupier.journal.store import Store
    from croupier.table.roles import Actor, Member

CARA = HouseStaff("Cara", HousePosition.CASHIER)
SUSI = HouseStaff("Susi", HousePosition.CAGE_SUPERVISOR)
TABLES = ("1", "2")
TICKETS = Tickets(bytes(32))
ALONE = (c.BuyIn, c.PayTicket)
"""What a Cashier does without a second person."""


class Casino:
    """A cage and its tables on one store."""

    def __init__(
        self, store: Store, *, apart: bool = False, there: Store | None = None
    ) -> None:
        self.store = store
        self.transfers = Transfers()
        self.writer = Writer(store, subscribers=(self.transfers.committed,))
        self.transfers.attach(self.writer)
        # A cage apart has a writer of its own, as in another process, and perhaps a store
        # of its own on the same database.
        self.cage_transfers, cage_writer = self.transfers, self.writer
        if apart:
            self.cage_transfers = Transfers()
            cage_writer = Writer(there or store, subscribers=(self.cage_transfers.committed,))
            self.cage_transfers.attach(cage_writer)
        self.cage = CageDesk(cage_writer, RULEBOOKS, TICKETS)
        self.desks: dict[str, Desk] = {}
        self._numbers: Counter[str] = Counter()

    async def start(self, tables: tuple[str, ...] = TABLES) -> None:
        await self.cage.start()
        for name in tables:
            self.desks[name] = Desk(self.writer, name, RULEBOOKS, DeviceSource())
            await self.desks[name].start()

    async def close(self) -> None:
        await self.transfers.close()
        await self.cage_transfers.close()
        await self.cage.close()
        for desk in self.desks.values():
            await desk.close()

    # Tables

    async def do(self, name: str, command: commands.Command, actor: object = DEALER) -> Reply:
        """Bring a command that must be accepted to a table."""
        reply = await self.ask(name, command, actor)
        assert reply.accepted, reply.refusal
        return reply

    async def ask(self, name: str, command: commands.Command, actor: object = DEALER) -> Reply:
        self._numbers[name] += 1
        number = f"{name}-{self._numbers[name]}"
        return await self.desks[name].submit(Request(number, actor, command))  # type: ignore[arg-type]

    async def open(self, name: str, *patrons: str, game: str = "baccarat") -> None:
        """Open a table and seat patrons."""
        await self.do(name, commands.OpenTable(settings_for(game)), MANAGER)
        await self.do(name, commands.LoadShoe("first"))
        for position, patron in enumerate(patrons, 1):
            await self.do(name, commands.TakeSeat(patron, position))

    async def play(self, name: str, ranks: str, *stakes: tuple[str, str, int]) -> None:
        """Play a round."""
        await self.do(name, commands.CallBets())
        for patron, wager, cents in stakes:
            await self.do(name, commands.PlaceWager(patron, wager, cents), Patron(patron))
        await self.do(name, commands.CloseBets())
        for number, face in enumerate(faces("baccarat", ranks).split()):
            draw = Request(f"{name}-draw-{self._numbers[name]}-{number}", DEALER,
                           commands.DrawCard(), None, (face,))  # fmt: skip
            assert (await self.desks[name].submit(draw)).accepted
        for command in (
            commands.AnnounceOutcome(),
            commands.Settle(),
            commands.ConfirmPayment(),
        ):
            await self.do(name, command)

    # The cage

    async def give(
        self,
        command_id: str,
        command: c.CageCommand,
        actor: Actor | None = None,
        approver: Member | None = None,
    ) -> Reply:
        """Bring a command to the cage: by its patron, or by the Cashier with a second."""
        patron = getattr(command, "patron", None)
        if actor is None and isinstance(command, c.SendToTable | c.CashOut | c.TakeInTicket):
            actor = Patron(str(patron))
        elif actor is None:
            actor = CARA
            approver = approver or (None if isinstance(command, ALONE) else SUSI)
        return await self.cage.submit(Request(command_id, actor, command, approver))

    async def record(self, command_id: str, command: c.CageCommand) -> Reply:
        """Bring a command that must be accepted to the cage."""
        reply = await self.give(command_id, command)
        assert reply.accepted, reply.refusal
        return reply

    async def buy_in(self, patron: str, cents: int) -> None:
        await self.record(f"buy-{patron}-{cents}", c.BuyIn(patron, cents))

    async def cash_out(self, command_id: str, patron: str, cents: int) -> str:
        """Return the number of a new ticket."""
        (event,) = await self.events(await self.record(command_id, c.CashOut(patron, cents)))
        number: str = event.ticket  # type: ignore[attr-defined]
        return number

    async def events(self, reply: Reply) -> tuple[CageEvent, ...]:
        (record,) = await self.store.read("cage", reply.sequence - 1, 1)
        return read_record(record).events  # type: ignore[return-value]

    async def send(self, command_id: str, patron: str, table: str, cents: int) -> Reply:
        """Send credit to a seat: the cage's refusal, or the answer of the table."""
        reply = await self.give(command_id, c.SendToTable(patron, table, cents))
        if not reply.accepted:
            return reply
        answer = await self.cage_transfers.arrival(reply.sequence)
        assert answer is not None, "nobody serves the table"
        await self.cage_transfers.quiet()
        return answer

    async def take(self, command_id: str, patron: str, table: str, cents: int) -> Reply:
        """Let a patron take credit from a seat to the wallet."""
        command = commands.TakeCredit(patron, cents)
        return await self._leaves(table, Request(command_id, Patron(patron), command))

    async def leave(self, command_id: str, patron: str, table: str) -> Reply:
        """Let a patron leave a seat; all credit goes to the wallet."""
        command = commands.LeaveSeat(patron)
        return await self._leaves(table, Request(command_id, Patron(patron), command))

    async def _leaves(self, table: str, request: Request) -> Reply:
        reply = await self.desks[table].submit(request)
        await self.transfers.quiet()
        return reply

    async def finish(self) -> int:
        """Finish what is between two streams, as every process does at its start."""
        finished = await self.transfers.finish()
        if self.cage_transfers is not self.transfers:
            finished += await self.cage_transfers.finish()
        return finished

    # Balances

    @property
    def wallets(self) -> dict[str, int]:
        """Return all wallets that hold something."""
        return {name: cents for name, cents in self.cage.cage.wallets.all.items() if cents}

    async def balances(self) -> dict[str, int]:
        return {name: cents for name, cents in (await self.store.balances()).items() if cents}

    async def check(self) -> None:
        """Test that the journal holds, and that cage and ledger say the same."""
        await self.transfers.quiet()
        await self.cage_transfers.quiet()
        assert (await verify(self.store, RULEBOOKS)).findings == []
        balances = await self.balances()
        assert sum(balances.values()) == 0
        cage = self.cage.cage
        held = {wallet(patron): cents for patron, cents in self.wallets.items()}
        held |= {ticket(n): one.cents for n, one in cage.tickets.all.items() if not one.paid}
        kinds = ("wallet:", "ticket:")
        assert held == {n: cents for n, cents in balances.items() if n.startswith(kinds)}
        for sent in cage.sent.values():
            assert balances[transit(sent.table, sent.patron)] >= sent.cents


@asynccontextmanager
async def casino(
    store: Store, tables: tuple[str, ...] = TABLES, *, apart: bool = False
) -> AsyncIterator[Casino]:
    """Start a casino, and check and close it at the end."""
    house = Casino(store, apart=apart)
    await house.start(tables)
    yield house
    await house.check()
    await house.close()


def refused(reply: Reply, code: CageCode) -> str:
    """Insist on a refusal of the cage, and return its one sentence."""
    refusal = reply.refusal
    assert isinstance(refusal, CageRefusal), reply
    assert refusal.code is code, refusal
    assert is_one_sentence(refusal.sentence), refusal.sentence
    return refusal.sentence


class Guarded:
    """A store behind a guard who may stop the house at an append."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.appends = 0
        self.stop_at: int | None = None
        self.written = True
        """Whether the append at which it stops is written."""
        self.stopped = False

    def __getattr__(self, name: str) -> object:
        """Let everything through that is no append, until it stops."""
        if self.stopped:
            message = "The house stands still."
            raise PoisonedError(message)
        return getattr(self._store, name)

    def append(self, frame: Frame) -> asyncio.Future[Mapping[str, JournalError]]:
        """Append, or stop for good."""
        self.appends += 1
        stops = self.appends == self.stop_at
        if not self.stopped and (self.written or not stops):
            future = self._store.append(frame)
        if self.stopped or stops:
            self.stopped = True
            message = "The house stands still."
            future = asyncio.get_running_loop().create_future()
            future.set_exception(PoisonedError(message))
        return future


def guarded(store: Store, stop_at: int | None = None, *, written: bool = True) -> Guarded:
    guard = Guarded(store)
    guard.stop_at, guard.written = stop_at, written
    return guard
