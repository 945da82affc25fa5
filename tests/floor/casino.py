"""A cage and its tables on one store, as the tests of both need them."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from croupier.floor.cage import CageDesk
from croupier.floor.desk import Desk, Reply, Request
from croupier.floor.sources import DeviceSource
from croupier.journal import cage as c
from croupier.journal.cage import CageCode, CageError
from croupier.journal.errors import PoisonedError
from croupier.journal.verify import verify
from croupier.journal.writer import Writer
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands
from croupier.table.roles import Patron
from tests.floor.rounds import settings_for
from tests.table.floor import DEALER, MANAGER, faces

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Mapping

    from croupier.journal.errors import JournalError
    from croupier.journal.frames import Frame
    from croupier.journal.store import Store

BY = "staff:Cara"
TABLES = ("1", "2")


class Casino:
    """A cage and its tables on one store."""

    def __init__(self, store: Store, *, apart: bool = False) -> None:
        self.store, self.writer = store, Writer(store)
        # A cage apart has a writer of its own, as in another process.
        self.cage = CageDesk(Writer(store) if apart else self.writer)
        self.desks: dict[str, Desk] = {}
        self._numbers: Counter[str] = Counter()

    async def start(self, tables: tuple[str, ...] = TABLES) -> None:
        await self.cage.start()
        for name in tables:
            self.desks[name] = Desk(self.writer, name, RULEBOOKS, DeviceSource())
            await self.desks[name].start()

    async def close(self) -> None:
        await self.cage.close()
        for desk in self.desks.values():
            await desk.close()

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

    async def record(self, command_id: str, event: c.CageEvent) -> Reply:
        return await self.cage.record(command_id, event, BY)

    async def buy_in(self, patron: str, cents: int) -> None:
        await self.record(f"buy-{patron}-{cents}", c.BoughtIn(patron, cents, BY))

    async def balances(self) -> dict[str, int]:
        return {name: cents for name, cents in (await self.store.balances()).items() if cents}

    async def check(self) -> None:
        """Test that the journal holds, and that cage and ledger say the same."""
        assert (await verify(self.store, RULEBOOKS)).findings == []
        balances = await self.balances()
        assert sum(balances.values()) == 0
        cage = self.cage.cage
        held = {c.wallet(patron): cents for patron, cents in cage.wallets.items() if cents}
        held |= {c.ticket(number): cents for number, cents in cage.tickets.items() if cents}
        kinds = ("wallet:", "ticket:")
        assert held == {n: cents for n, cents in balances.items() if n.startswith(kinds)}


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


async def refused(act: Awaitable[object], code: CageCode) -> str:
    """Insist on a refusal, and return its one sentence."""
    with pytest.raises(CageError) as caught:
        await act
    sentence = str(caught.value)
    assert caught.value.refusal == c.CageRefusal(code, sentence)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


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
