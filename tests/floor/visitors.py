"""Patrons who carry money between the tables of two houses on one database.

As a program it is one of the houses, which somebody may kill::

    python -m tests.floor.visitors FOLDER DATABASE TABLE OTHER SEED
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from croupier.cage import commands as cage
from croupier.floor.configuration import Configuration
from croupier.floor.house import House, Own
from croupier.journal.errors import JournalError
from croupier.journal.writer import Request
from croupier.table import commands as c
from croupier.table.roles import Patron
from croupier.table.settings import Clocks
from croupier.table.state import Phase
from croupier.uuids import uuid7
from tests.floor.casino import CARA
from tests.table.floor import MANAGER
from tests.table.next_house import settings_of

if TYPE_CHECKING:
    from croupier.journal.writer import Reply
    from croupier.table.roles import Actor

PATRONS = ("ann", "bob", "cid")
QUICK = Clocks(betting_ms=15, pause_ms=2, pace_ms=0, answer_ms=5)
ANSWER_SECONDS = 0.3
"""How long somebody waits for a house that may be gone."""


class Visitors:
    """Patrons who do things by chance at the table of one house, and at the cage."""

    def __init__(self, house: House, table: str, other: str, chance: Random) -> None:
        self.house, self.table, self.other, self.chance = house, table, other, chance
        self.done = 0

    async def ask(self, stream: str, command: Any, actor: Actor) -> Reply | None:  # noqa: ANN401
        """Ask for something; nobody minds a refusal, or a house that is gone."""
        request = Request(uuid7(), actor, command)
        try:
            reply = await self.house.submit(stream, request, ANSWER_SECONDS)
        except JournalError:
            return None
        self.done += reply.accepted
        return reply

    async def open(self) -> None:
        """Open the table, if it is not."""
        desk = await self.house.table(self.table)
        if desk.table.plan is None:
            opens = c.OpenTable(settings_of("tiger", None, clocks=QUICK))
            await desk.submit(Request(uuid7(), MANAGER, opens))

    async def step(self) -> None:
        """Let somebody do something."""
        chance, here = self.chance, f"table:{self.table}"
        who = chance.choice(PATRONS)
        patron = Patron(who)
        play = self.house.tables[self.table].table
        match chance.randrange(8):
            case 0:
                await self.ask("cage", cage.BuyIn(who, 500_00), CARA)
            case 1 | 2:
                where = chance.choice([self.table, self.other])
                cents = chance.choice([50_00, 120_00])
                await self.ask("cage", cage.SendToTable(who, where, cents), patron)
            case 3:
                await self.ask(here, c.TakeSeat(who, PATRONS.index(who) + 1), patron)
            case 4:
                await self.ask(here, c.TakeCredit(who, chance.randrange(1, 90_00)), patron)
            case 5:
                await self.ask(here, c.LeaveSeat(who), patron)
            case _ if play.phase is Phase.OPEN:
                stake = c.PlaceWager(who, chance.choice(["player", "banker", "tie"]), 10_00)
                await self.ask(here, stake, patron)
            case _:
                await asyncio.sleep(0.003)

    async def go_home(self) -> None:
        """Leave the table, whenever it can be left."""
        desk = self.house.tables[self.table]
        while desk.table.seats:
            for who in list(desk.table.seats):
                await self.ask(f"table:{self.table}", c.LeaveSeat(who), Patron(who))
            await asyncio.sleep(0.01)


async def main(folder: Path, database: str, names: tuple[str, str], seed: str) -> None:
    """Be a house with people, until the end of the input or of the process."""
    table, other = names
    own = Own(frozenset((table,)), cage=seed.startswith("cage"))
    house = await House.open(folder, database, own=own, configuration=Configuration())
    await house.start()
    visitors = Visitors(house, table, other, Random(seed))
    await visitors.open()
    print("ready", flush=True)  # noqa: T201  # somebody listens
    loop = asyncio.get_running_loop()
    ends = loop.run_in_executor(None, sys.stdin.readline)
    while not ends.done():
        await visitors.step()
    await house.close()
    print(visitors.done, flush=True)  # noqa: T201


if __name__ == "__main__":
    _, folder, database, table, other, seed = sys.argv
    asyncio.run(main(Path(folder), database, (table, other), seed))
