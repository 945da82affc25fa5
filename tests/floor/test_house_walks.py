"""Whole houses: tables, cage, transfers, people who come and go, and stops at any append.

Patrons and staff do things by chance while drivers deal; the house stops, and starts again from
its journal, until one life comes to its end: then everybody goes home, and the books are
checked against what came in and went out.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from croupier.cage import commands as cage
from croupier.cage.events import BoughtIn, TicketPaid
from croupier.floor.configuration import Configuration
from croupier.floor.house import House
from croupier.journal.errors import JournalError
from croupier.journal.loading import decisions_of
from croupier.journal.verify import verify
from croupier.journal.writer import Request
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands as c
from croupier.table.authority import needs, second_of
from croupier.table.course import due
from croupier.table.events import WagersSettled
from croupier.table.roles import Patron, Staff, StaffPosition
from croupier.table.settings import Clocks, DealtBy, Method, Settings
from croupier.table.state import Phase
from tests.floor.casino import CARA, SUSI
from tests.floor.rounds import Stop, StoppingStore, goes_on, looped
from tests.floor.test_cage_crash import Places, places
from tests.floor.test_crash import STORES, WHERE
from tests.journal.conftest import postgres_dsn, postgres_server
from tests.table.machine_finish import answer_of

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.journal.store import Store
    from croupier.journal.writer import Reply
    from croupier.table.roles import Actor

__all__ = ["places", "postgres_dsn", "postgres_server"]

QUICK = Clocks(betting_ms=20, pause_ms=2, pace_ms=0, answer_ms=10)
TABLES = {
    "tiger": Settings(rulebook="EB4", game="tiger", decks=4, clocks=QUICK),
    "dealt": Settings(
        rulebook="BAC8", game="baccarat", method=Method.B, layout="C", positions=14, decks=4,
        clocks=QUICK, dealt_by=DealtBy.HOUSE,
    ),
    "live": Settings(
        rulebook="BAC8", game="baccarat", method=Method.B, layout="C", positions=14, decks=4
    ),
}  # fmt: skip
PATRONS = ("ann", "bob", "cid")
DEALER = Staff("Dan", StaffPosition.DEALER)
MANAGER = Staff("Mia", StaffPosition.PIT_MANAGER)
STEPS = 60
"""What people do in one life of the house, if it does not stop."""


class Crowd:
    """People of a house, who do things by chance; they outlive it."""

    def __init__(self, seed: object) -> None:
        self.chance = Random(str(seed))
        self.number = 0
        self.brought = self.paid = 0
        self.tickets: dict[str, tuple[str, int]] = {}

    async def ask(self, house: House, name: str, command: Any, actor: Actor) -> Reply | None:  # noqa: ANN401
        """Ask for something at a table or the cage; nobody minds a refusal."""
        self.number += 1
        second = SUSI if actor is CARA and not isinstance(command, cage.BuyIn) else None
        request = Request(f"crowd-{self.number}", actor, command, second)
        desk: Any = house.cage if name == "cage" else house.tables[name]
        with suppress(JournalError):
            reply: Reply = await desk.submit(request)
            return reply
        return None

    async def open(self, house: House) -> None:
        """Open the tables that are not open."""
        for name, settings in TABLES.items():
            desk = await house.table(name)
            if desk.table.plan is None:
                await self.ask(house, name, c.OpenTable(settings), MANAGER)

    async def step(self, house: House) -> None:
        """Let somebody do something."""
        chance = self.chance
        patron, name = chance.choice(PATRONS), chance.choice(list(TABLES))
        acts = (
            self.at_the_cage, self.sends, self.sits, self.wagers, self.wagers, self.goes,
            self.takes, self.deals, self.deals, self.deals, self.signs,
        )  # fmt: skip
        await chance.choice(acts)(house, patron, name)
        if chance.randrange(3) == 0:
            await asyncio.sleep(0.004)

    async def at_the_cage(self, house: House, patron: str, name: str) -> None:  # noqa: ARG002
        await self.ask(house, "cage", cage.BuyIn(patron, 5_000_00), CARA)
        cashed = await self.ask(house, "cage", cage.CashOut(patron, 100_00), Patron(patron))
        if cashed is not None and cashed.accepted:
            number = self.chance.choice(list(house.cage.cage.tickets.all))
            pays = cage.PayTicket(number, house.tickets.validation(number))
            await self.ask(house, "cage", pays, CARA)

    async def sends(self, house: House, patron: str, name: str) -> None:
        await self.ask(house, "cage", cage.SendToTable(patron, name, 500_00), Patron(patron))

    async def sits(self, house: House, patron: str, name: str) -> None:
        place = PATRONS.index(patron) + 1
        await self.ask(house, name, c.TakeSeat(patron, place), Patron(patron))

    async def wagers(self, house: House, patron: str, name: str) -> None:
        wager = self.chance.choice(["player", "banker", "tie"])
        await self.ask(house, name, c.PlaceWager(patron, wager, 100_00), Patron(patron))

    async def goes(self, house: House, patron: str, name: str) -> None:
        await self.ask(house, name, c.LeaveSeat(patron), Patron(patron))

    async def takes(self, house: House, patron: str, name: str) -> None:
        await self.ask(house, name, c.TakeCredit(patron, 50_00), Patron(patron))

    async def deals(self, house: House, patron: str, name: str) -> None:  # noqa: ARG002
        """Let the Dealer of the live table do what comes next."""
        await self.next_at(house, "live")

    async def next_at(self, house: House, name: str) -> None:
        """Let people do what comes next at a table."""
        table = house.tables[name].table
        if table.plan is None:
            return
        coming = due(table)
        if table.hold is not None:
            await self.ask_by_right(house, name, answer_of(table, self.chance))
        elif table.replacement_due:
            await self.ask(house, name, c.DecideReplacement(replace=False), MANAGER)
        elif coming.command is not None and not table.system_deals:
            await self.ask(house, name, coming.command, DEALER)

    async def ask_by_right(self, house: House, name: str, command: c.Command) -> None:
        """Ask for something by whoever may, with a second person where one is needed."""
        table = house.tables[name].table
        need, plan = needs(table, command), table.plan
        assert plan is not None
        actor: Actor = Patron(need.patron) if need.patron is not None else DEALER
        if need.patron is None and need.position is not None:
            actor = Staff("Pat", need.position)
        second = second_of(plan, need)
        self.number += 1
        approver = None if second is None else Staff("Sue", second)
        with suppress(JournalError):
            request = Request(f"crowd-{self.number}", actor, command, approver)
            await house.tables[name].submit(request)

    async def signs(self, house: House, patron: str, name: str) -> None:  # noqa: ARG002
        """Let a Dealer take the table over that the house deals, or leave it."""
        sign = self.chance.choice([c.SignIn(), c.SignOut()])
        await self.ask(house, "dealt", sign, DEALER)

    async def go_home(self, house: House) -> None:
        """End every round, and take everything to the wallets."""
        await self.ask(house, "dealt", c.SignOut(), DEALER)
        async with asyncio.timeout(30):
            while any(house.tables[name].table.seats for name in TABLES):
                for name in TABLES:
                    table = house.tables[name].table
                    for patron in list(table.seats):
                        await self.goes(house, patron, name)
                    in_round = table.round is not None and not table.between_rounds
                    if in_round or table.phase is Phase.SETTLED or table.seats:
                        await self.next_at(house, name)
                await asyncio.sleep(0.002)
        await house.transfers.quiet()


async def live(
    store: Store,
    folder: Path,
    crowd: Crowd,
    stop: Stop | None,
    halfway: Any,  # noqa: ANN401  # as a medium has it
) -> bool:
    """Let a house live until it stops, or until everybody went home; tell which."""
    before = asyncio.all_tasks()
    stopping: Any = StoppingStore(store, stop, halfway)
    house = House(folder, stopping, Configuration(), below=crowd.chance.randrange)

    async def serve() -> None:
        await house.keeper.start()
        await house.start()
        assert house.failures == {}
        await crowd.open(house)
        for _ in range(STEPS):
            await crowd.step(house)
        await crowd.go_home(house)
        for driver in house.drivers.values():
            assert driver.error is None
            await driver.stop()
        await house.transfers.close()
        await house.writer.close()
        await house.keeper.close()

    whole = await goes_on(stopping, serve())
    begun = asyncio.all_tasks() - before
    for task in begun:
        task.cancel()
    await asyncio.gather(*begun, return_exceptions=True)
    return whole


async def check(store: Store) -> None:
    """Check the books: nobody's money came from nowhere or went there."""
    assert (await verify(store, RULEBOOKS)).findings == []
    balances = {name: cents for name, cents in (await store.balances()).items() if cents}
    assert sum(balances.values()) == 0
    kinds = {name.partition(":")[0] for name in balances}
    assert not kinds & {"seat", "stakes", "transit"}, balances
    bought = paid = 0
    async for one in decisions_of(store, "cage"):
        for event in one.events:
            if isinstance(event, BoughtIn):
                bought += event.cents
            elif isinstance(event, TicketPaid):
                paid += event.cents
    held = sum(cents for name, cents in balances.items() if name.startswith(("wallet", "tick")))
    house = sum(cents for name, cents in balances.items() if name.startswith(("bank", "comm")))
    assert bought - paid == held + house, balances


async def houses(places: Places, tmp_path: Path, runs: int) -> None:
    """Let houses live and stop, each until one of its lives comes to its end."""
    stops, rounds = 0, 0
    for run in range(runs):
        chance = Random(f"house {places.kind} {run}")
        crowd, medium = Crowd(f"{places.kind} {run}"), places.medium(run)
        store, folder = await medium.open(), tmp_path / f"house-{run}"
        folder.mkdir()
        for _ in range(3):
            stop = Stop(chance.randrange(1, 120), chance.choice(WHERE))
            if await live(store, folder, crowd, stop, medium.halfway):
                break
            stops += 1
            await medium.lose(store)
            store = await medium.open()
            assert (await verify(store, RULEBOOKS)).findings == []
        else:
            assert await live(store, folder, crowd, None, medium.halfway)
        await check(store)
        for name in TABLES:
            async for one in decisions_of(store, f"table:{name}"):
                rounds += any(isinstance(event, WagersSettled) for event in one.events)
        await store.close()
        await medium.close()
    assert stops > 0
    assert rounds > runs


@pytest.mark.parametrize("places", STORES, indirect=True)
@looped
async def test_whatever_people_do_and_wherever_the_house_stops_the_books_are_right(
    places: Places, tmp_path: Path
) -> None:
    runs = {"memory": 12, "sqlite": 3, "postgres": 2}
    await houses(places, tmp_path, runs[places.kind])


@pytest.mark.crash
@pytest.mark.parametrize("places", STORES, indirect=True)
@looped
async def test_many_houses_stop_anywhere(places: Places, tmp_path: Path) -> None:
    runs = {"memory": 100, "sqlite": 20, "postgres": 15}
    await houses(places, tmp_path, runs[places.kind])
