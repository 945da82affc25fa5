"""What a house does when it hears of something, and from time to time anyway."""

from __future__ import annotations

import asyncio

import pytest

from croupier.floor.looking import Looking
from croupier.journal.errors import JournalError, PoisonedError
from croupier.journal.memory import MemoryStore
from tests.floor.rounds import looped

FOR_EVER = 1_000.0


class Work:
    """What is done, and what goes wrong with it at first."""

    def __init__(self, *errors: Exception) -> None:
        self.errors, self.done = list(errors), 0
        self.again = asyncio.Event()

    async def __call__(self) -> None:
        self.done += 1
        self.again.set()
        if self.errors:
            raise self.errors.pop(0)


async def came(work: Work, count: int) -> None:
    async with asyncio.timeout(5):
        while work.done < count:
            await work.again.wait()
            work.again.clear()


@looped
async def test_it_looks_at_once_when_woken_and_from_time_to_time() -> None:
    work, often = Work(), Work()
    looking = Looking(MemoryStore(), work, lambda: FOR_EVER)
    looking.start()
    await came(work, 1)
    looking.wake()
    await came(work, 2)
    every = Looking(MemoryStore(), often, lambda: 0.01)
    every.start()
    await came(often, 5)
    assert work.done == 2
    await looking.stop()
    await every.stop()
    looking.start()
    await came(work, 3)
    await looking.stop()


@looped
async def test_it_is_stopped_in_the_moment_in_which_it_is_woken() -> None:
    for turns in range(4):
        work = Work()
        looking = Looking(MemoryStore(), work, lambda: FOR_EVER)
        looking.start()
        await came(work, 1)
        looking.wake()
        for _ in range(turns):
            await asyncio.sleep(0)
        await asyncio.wait_for(looking.stop(), 5)
        await looking.stop()


@looped
async def test_a_medium_that_failed_is_opened_again_and_looked_at_soon() -> None:
    opened = 0

    class Store(MemoryStore):
        async def reopen(self) -> None:
            nonlocal opened
            opened += 1

    work = Work(PoisonedError("Lost."))
    looking = Looking(Store(), work, lambda: FOR_EVER)
    looking.start()
    await came(work, 2)
    assert opened == 1
    await looking.stop()


@pytest.mark.parametrize("error", [JournalError("Not now."), ZeroDivisionError()])
@looped
async def test_whatever_goes_wrong_it_is_looked_at_again(error: Exception) -> None:
    told: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, one: told.append(one))
    work = Work(error)
    looking = Looking(MemoryStore(), work, lambda: 0.01)
    looking.start()
    await came(work, 3)
    assert len(told) == isinstance(error, ZeroDivisionError)
    await looking.stop()
