"""A house that closes, in every game and at every point of a round.

No new round is opened; tables that the house deals close betting at once, deal without pace
and settle; what waits for people stays as it is, and the next start rules it.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import pytest

from croupier.floor.configuration import Configuration
from croupier.floor.desk import Request
from croupier.floor.house import House
from croupier.journal.errors import PoisonedError
from croupier.journal.memory import MemoryStore
from croupier.journal.verify import verify
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands as c
from croupier.table.next import Act, WaitFor, next_act
from croupier.table.roles import Patron
from croupier.table.settings import Clocks, Method
from croupier.table.state import Phase
from tests.floor.casino import Guarded
from tests.floor.rounds import looped
from tests.table.floor import ASSISTANT, MANAGER, SYSTEM
from tests.table.next_house import settings_of

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.floor.desk import Desk
    from croupier.table.roles import Actor
    from croupier.table.state import Table

SLOW = Clocks(betting_ms=15_000, pause_ms=5_000, pace_ms=5_000, answer_ms=20_000)
"""As with --pace 5: nothing happens by itself while the test deals."""
GAMES = [
    *((game.slug, None) for book in RULEBOOKS for game in book.games if book.code == "EB4"),
    ("power-98", None),
    ("fortune-six-tournament", None),
    *(("baccarat", method) for method in Method),
    *(("fa-fa-fabulous-4", method) for method in (Method.A, Method.B)),
]  # fmt: skip
STEPS_MAX = 40
CLOSES_SECONDS = 3.0
PATRONS = {"ann": "player", "bob": "banker"}


class Dealt:
    """A table of a house, brought on step by step faster than its clocks."""

    def __init__(self, house: House, desk: Desk) -> None:
        self.house, self.desk, self.number = house, desk, 0

    @property
    def table(self) -> Table:
        return self.desk.table

    async def ask(self, command: c.Command, actor: Actor, die: int | None = None) -> None:
        self.number += 1
        request = Request(f"dealt-{self.number}", actor, command, die=die)
        reply = await self.desk.submit(request)
        assert reply.accepted, reply.refusal

    async def step(self) -> None:
        """Do what comes next, whoever does it; before bets are closed all wager."""
        if self.table.phase is Phase.OPEN and not self.table.stakes:
            for patron, wager in PATRONS.items():
                await self.ask(c.PlaceWager(patron, wager, 100_00), Patron(patron))
            return
        now = next_act(self.table, self.house.clock(), hurried=True)
        if isinstance(now, Act):
            die = 3 if isinstance(now.command, c.AnnounceDie) else None
            await self.ask(now.command, SYSTEM, die)
        else:
            assert isinstance(now, WaitFor)
            assert now.command is not None
            await self.ask(now.command, Patron(now.patrons[0]))


async def opened(store: MemoryStore, folder: Path) -> House:
    house = House(folder, store, Configuration(), seed=1)
    await house.keeper.start()
    await house.start()
    return house


async def begun(store: MemoryStore, folder: Path, game: str, method: Method | None) -> Dealt:
    house = await opened(store, folder)
    dealt = Dealt(house, await house.table("1"))
    settings = settings_of(game, method, clocks=SLOW)
    await dealt.ask(c.OpenTable(settings), ASSISTANT if method is Method.C else MANAGER)
    for place, patron in enumerate(PATRONS, 1):
        await dealt.ask(c.TakeSeat(patron, place), SYSTEM)
        await dealt.ask(c.BringCredit(patron, 1_000_00), SYSTEM)
    async with asyncio.timeout(5):
        while dealt.table.phase is not Phase.OPEN:  # noqa: ASYNC110  # its driver calls
            await asyncio.sleep(0.001)
    return dealt


async def closed_after(
    steps: int, folder: Path, game: str, method: Method | None
) -> tuple[Phase, bool, bool]:
    """Close a house so many steps after its first call for bets.

    Returns in which phase that was, whether the round ended by it, and whether it was over
    before.
    """
    store = MemoryStore()
    dealt = await begun(store, folder, game, method)
    for _ in range(steps):
        await dealt.step()
    table, began = dealt.table, time.monotonic()
    await dealt.house.close()
    assert time.monotonic() - began < CLOSES_SECONDS
    after = dealt.table
    assert after.rounds == table.rounds, "a new round was opened"
    people = isinstance(next_act(after, dealt.house.clock(), hurried=True), WaitFor)
    ended = after.between_rounds and after.hold is None
    assert ended or people, "neither at its end nor waiting for people"
    assert after.phase is not Phase.OPEN, "bets stayed open"
    assert len(after.results) == int(ended)
    again = await opened(store, folder)
    assert again.interrupted == ([] if ended else ["1"])
    if ended:
        assert again.tables["1"].table == after
    await again.close()
    assert (await verify(store, RULEBOOKS)).findings == []
    return table.phase, ended, table.between_rounds


@pytest.mark.parametrize(("game", "method"), GAMES)
@looped
async def test_a_house_closes_at_any_point_of_a_round(
    game: str, method: Method | None, tmp_path: Path
) -> None:
    phases, stayed = set(), 0
    for steps in range(STEPS_MAX):
        phase, ended, over = await closed_after(steps, tmp_path / str(steps), game, method)
        phases.add(phase)
        stayed += not ended
        if over:
            break
    else:
        message = "the round does not end"
        raise AssertionError(message)
    wanted = {Phase.OPEN, Phase.CLOSED, Phase.DEALING, Phase.RESULT}
    assert wanted <= phases, "a phase was not met"
    # Only where patrons squeeze, shake or draw does anything wait for people.
    asks = method in (Method.A, Method.C) or game == "power-98"
    assert bool(stayed) is asks


class Away(Guarded):
    """A medium that goes away and does not come back."""

    async def close(self) -> None:
        pass

    async def reopen(self) -> None:
        if self.stopped:
            message = "The medium is away."
            raise PoisonedError(message)


@looped
async def test_a_table_that_is_founded_while_the_house_closes_is_not_dealt(
    tmp_path: Path,
) -> None:
    house = await House.open(tmp_path / "house", configuration=Configuration())
    await house.start()
    await house.end_rounds()
    late = Dealt(house, await house.table("late"))
    quick = Clocks(betting_ms=1, pause_ms=0, pace_ms=0, answer_ms=0)
    await late.ask(c.OpenTable(settings_of("tiger", None, clocks=quick)), MANAGER)
    await late.ask(c.TakeSeat("ann", 1), SYSTEM)
    await asyncio.sleep(0.2)
    assert late.table.rounds == 0
    await house.close()


@looped
async def test_a_house_whose_medium_is_away_closes_all_the_same(tmp_path: Path) -> None:
    memory = MemoryStore()
    store = Away(memory)
    dealt = await begun(store, tmp_path, "tiger", None)  # type: ignore[arg-type]
    for _ in range(3):
        await dealt.step()
    store.stop_at = store.appends + 1
    async with asyncio.timeout(10):
        await dealt.house.close()
    again = await opened(memory, tmp_path)
    assert again.interrupted == ["1"]
    await again.close()
