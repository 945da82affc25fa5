"""Two houses on one database: patrons' money goes between them while one is killed."""

from __future__ import annotations

import asyncio
import sys
from contextlib import asynccontextmanager
from random import Random
from typing import TYPE_CHECKING, TypeVar

import pytest

from croupier.floor.configuration import Configuration
from croupier.floor.house import House, Own
from croupier.journal.verify import verify
from croupier.rulebooks import RULEBOOKS
from croupier.table import events as e
from tests.floor.money import Money
from tests.floor.rounds import events_of, looped
from tests.floor.visitors import Visitors
from tests.journal.conftest import postgres, postgres_dsn, postgres_server

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.journal.places import PostgresPlace

__all__ = ["postgres", "postgres_dsn", "postgres_server"]
Kind = TypeVar("Kind")
LIVES = 3
STEPS = 120
READY_SECONDS = 30


@asynccontextmanager
async def other_house(folder: Path, database: str, seed: str) -> AsyncIterator[Process]:
    """Run the house with table b in a process of its own, and kill it in the end."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.floor.visitors", str(folder), database, "b", "a", seed,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        async with asyncio.timeout(READY_SECONDS):
            assert (await process.stdout.readline()).strip() == b"ready"
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.mark.parametrize("dies", ["a table", "cage and accounts"])
@looped
async def test_money_between_two_houses_is_there_when_one_is_killed(
    tmp_path: Path, postgres: PostgresPlace, dies: str
) -> None:
    folder, chance, money = tmp_path / "house", Random(dies), Money(in_order=False)
    seed = dies.partition(" ")[0]
    async with other_house(folder, postgres.dsn, f"{seed} 0"):
        own = Own(frozenset("a"), cage=seed != "cage")
        house = await House.open(folder, postgres.dsn, own=own, configuration=Configuration())
        await house.start()
        visitors = Visitors(house, "a", "b", chance)
        await visitors.open()
        for _ in range(STEPS):
            await visitors.step()
        await money.catch_up(house.store)
    for life in range(1, LIVES):
        # Nobody has table b meanwhile; people go on at the other one.
        for _ in range(10):
            await visitors.step()
        await money.catch_up(house.store)
        async with other_house(folder, postgres.dsn, f"{seed} {life}"):
            for step in range(STEPS):
                await visitors.step()
                if step % 40 == 0:
                    await money.catch_up(house.store)
    await house.close()
    assert visitors.done > STEPS
    await one_house_has_all(folder, postgres.dsn, money)


async def of_kind(house: House, table: str, kind: type[Kind]) -> list[Kind]:
    """Return what happened of one kind at a table."""
    events = await events_of(house.store, f"table:{table}")
    return [one for one in events if isinstance(one, kind)]


async def one_house_has_all(folder: Path, database: str, money: Money) -> None:
    """Let one house have everything, and everybody go home; check the books."""
    whole = await House.open(folder, database, configuration=Configuration())
    await whole.start()
    for table, other in ("ab", "ba"):
        visitors = Visitors(whole, table, other, Random(0))
        async with asyncio.timeout(READY_SECONDS):
            # A slow machine may have killed the other house before anybody's round was settled.
            while not any(one.lines for one in await of_kind(whole, table, e.WagersSettled)):
                for _ in range(20):
                    await visitors.step()
        await visitors.go_home()
    async with asyncio.timeout(READY_SECONDS):
        while any(desk.table.credits for desk in whole.tables.values()):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        while whole.cage.cage.sent:  # noqa: ASYNC110  # on their way
            await asyncio.sleep(0.01)
    await whole.transfers.quiet()
    await money.catch_up(whole.store)
    money.check_quiet()
    assert money.checks > LIVES
    assert money.cash > 0
    balances = await whole.store.balances()
    assert not [name for name, cents in balances.items() if cents and "transit" in name]
    assert (await verify(whole.store, RULEBOOKS)).findings == []
    for table in "ab":
        assert any(one.transfer for one in await of_kind(whole, table, e.CreditBrought))
        assert any(one.lines for one in await of_kind(whole, table, e.WagersSettled))
    await whole.close()
