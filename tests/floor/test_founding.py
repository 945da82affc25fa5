"""A house that is started again finds its tables as they were left, whoever left them."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from croupier.accounts import commands as a
from croupier.floor.configuration import Seconds
from croupier.floor.demo import found_demo
from croupier.floor.desk import Desk, Request
from croupier.floor.floor import Floor
from croupier.floor.founding import FOUNDER, found_tables
from croupier.floor.house import House
from croupier.journal.errors import JournalError
from croupier.table import commands as c
from croupier.table.state import Phase
from tests.floor.rounds import looped
from tests.table.floor import SYSTEM
from tests.table.next_house import settings_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    import pytest

GAME = "tiger"


@asynccontextmanager
async def demo(
    folder: Path, guests: int = 0, clocks: Seconds | None = None
) -> AsyncIterator[Floor]:
    """Open a demo."""
    floor = await Floor.open(folder, clocks=clocks or Seconds())
    try:
        await found_demo(floor, guests)
        yield floor
    finally:
        await floor.close()


async def give(floor: Floor, name: str, number: str, command: c.Command) -> None:
    """Give a command to a table as somebody of the demo."""
    actor = floor.house.accounts.actor(name)
    assert actor is not None
    reply = await floor.house.tables[GAME].submit(Request(number, actor, command))
    assert reply.accepted, reply.refusal


@looped
async def test_tables_stand_in_the_same_order_after_a_restart(tmp_path: Path) -> None:
    orders = []
    for _ in range(2):
        async with demo(tmp_path) as floor:
            floor.hub.lobby.attach(floor.house)
            orders.append([one.name for one in floor.hub.lobby.summaries()])
    assert orders[0] == orders[1]
    assert orders[0] != sorted(orders[0])
    assert orders[0][0] == "baccarat"


@looped
async def test_a_table_that_was_closed_stays_closed(tmp_path: Path) -> None:
    async with demo(tmp_path) as floor:
        await give(floor, "pit-manager", "close", c.CloseTable())
    async with demo(tmp_path) as floor:
        assert floor.house.tables[GAME].table.phase is Phase.UNOPENED
        assert floor.house.tables["super-6"].table.phase is Phase.IDLE
    house = await House.open(tmp_path)
    await house.start(drive=False)
    await found_tables(house)
    assert house.tables[GAME].table.phase is Phase.UNOPENED
    await house.close()


@looped
async def test_a_table_whose_founding_was_interrupted_is_opened(tmp_path: Path) -> None:
    for _ in range(2):
        house = await House.open(tmp_path)
        await house.start(drive=False)
        await house.table(GAME)
        await house.close()
    async with demo(tmp_path) as floor:
        assert floor.house.tables[GAME].table.phase is Phase.IDLE


@looped
async def test_a_table_that_cannot_be_started_keeps_no_house_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with demo(tmp_path):
        pass

    async def fails(self: Desk) -> None:
        if self.name == GAME:
            message = "It is damaged."
            raise JournalError(message)
        await start(self)

    start = Desk.start
    monkeypatch.setattr(Desk, "start", fails)
    async with demo(tmp_path) as floor:
        assert list(floor.house.failures) == [GAME]
        assert "super-6" in floor.house.tables


@looped
async def test_a_demo_starts_again_whomever_it_lost(tmp_path: Path) -> None:
    async with demo(tmp_path) as floor:
        for name in ("pit-manager", "cashier"):
            disable = a.DisableUser(name, "gone")
            admin = floor.house.accounts.actor("administrator")
            assert admin is not None
            reply = await floor.house.accounts.submit(Request(f"no-{name}", admin, disable))
            assert reply.accepted, reply.refusal
    async with demo(tmp_path, guests=1, clocks=Seconds(betting=3)) as floor:
        table = floor.house.tables[GAME].table
        assert table.settings.clocks.betting_ms == 3_000, "somebody higher sets them"
        assert floor.house.cage.cage.held("guest-01") == 0


@looped
async def test_a_demo_starts_again_after_somebody_played_at_a_table_of_their_own(
    tmp_path: Path,
) -> None:
    async with demo(tmp_path):
        pass
    house = await House.open(tmp_path)
    await house.start(drive=False)
    desk = await house.table("1")
    for command in (
        c.OpenTable(settings_of(GAME, None)),
        c.TakeSeat("you", 1),
        c.BringCredit("you", 100_00),
    ):
        actor = FOUNDER if isinstance(command, c.OpenTable) else SYSTEM
        reply = await desk.submit(Request(type(command).__name__, actor, command))
        assert reply.accepted, reply.refusal
    await house.close()
    async with demo(tmp_path) as floor:
        assert floor.house.tables["1"].table.credits == {"you": 100_00}
        assert not floor.house.cage.cage.sheet("1").open
