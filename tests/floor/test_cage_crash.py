"""The cage on every store, while the house stops at any append, or its medium fails there.

A house that stops starts again and finishes what was on its way. A medium that fails is opened
again while the house stands: whoever is told that nothing happened asks again.
"""

from __future__ import annotations

import asyncio
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from croupier.cage import commands as c
from croupier.journal.errors import NotDoneError
from croupier.journal.verify import verify
from croupier.rulebooks import RULEBOOKS
from tests.floor.casino import Casino
from tests.floor.rounds import Stop, StoppingStore, goes_on, looped
from tests.floor.test_cage import APPENDS, AT_THE_END, Client, opened
from tests.floor.test_crash import STORES, WHERE, Medium, Memory, Postgres, Sqlite
from tests.journal.conftest import postgres_dsn, postgres_server

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from croupier.journal.errors import JournalError
    from croupier.journal.frames import Frame
    from croupier.journal.store import Store

__all__ = ["postgres_dsn", "postgres_server"]
"""The server of the journal's tests is one of these tests too."""

ALL = tuple(Stop(number, where) for number, where in product(range(1, APPENDS + 1), WHERE))


class Places(NamedTuple):
    """Where new journals come from."""

    kind: str
    folder: Path
    dsn: str

    def medium(self, number: int) -> Medium:
        """Return a place for a new journal."""
        if self.kind == "memory":
            return Memory()
        if self.kind == "sqlite":
            return Sqlite(self.folder / f"run-{number}")
        return Postgres(self.dsn)


@pytest.fixture
def places(request: pytest.FixtureRequest, tmp_path: Path) -> Places:
    """Return places on the store that a test names."""
    kind = request.param
    dsn = request.getfixturevalue("postgres_dsn") if kind == "postgres" else ""
    return Places(kind, tmp_path, dsn)


async def finish(house: Casino) -> None:
    """Finish what was on its way; afterwards nothing is."""
    await house.finish()
    assert await house.finish() == 0, "finished twice"
    transit = [name for name in await house.balances() if name.startswith("transit:")]
    assert transit == [], "something is still on its way"


async def check_end(store: Store) -> None:
    """Check that everything happened once."""
    assert {name: cents for name, cents in (await store.balances()).items() if cents} == (
        AT_THE_END
    )
    assert (await verify(store, RULEBOOKS)).findings == []


# The house stops


async def live(store: Store, client: Client, stop: Stop | None, medium: Medium) -> bool:
    """Let the house run until it stops or all is done; tell whether it is."""
    before = asyncio.all_tasks()
    stopping: Any = StoppingStore(store, stop, medium.halfway)
    house = Casino(stopping)

    async def serve() -> None:
        await house.start()
        await finish(house)
        await client.go_on(house)

    whole = await goes_on(stopping, serve())
    begun = asyncio.all_tasks() - before
    for task in begun:
        task.cancel()
    await asyncio.gather(*begun, return_exceptions=True)
    return whole


async def stop_at(medium: Medium, stops: tuple[Stop, ...]) -> int:
    """Run all errands while the house stops as told; return how often it did."""
    client, stopped = Client(), 0
    store = await medium.open()
    await opened(store)
    for stop in (*stops, None):
        if await live(store, client, stop, medium):
            break
        stopped += 1
        await medium.lose(store)
        store = await medium.open()
        assert (await verify(store, RULEBOOKS)).findings == []
    await check_end(store)
    await store.close()
    await medium.close()
    return stopped


async def stop_everywhere(places: Places, ways: Iterable[tuple[Stop, ...]]) -> int:
    """Run the errands once for each way to stop; return how deep the deepest led."""
    numbered = enumerate(ways)
    return max([await stop_at(places.medium(number), stops) for number, stops in numbered])


SAMPLES = {"memory": 60, "sqlite": 20, "postgres": 12}


@pytest.mark.parametrize("places", STORES, indirect=True)
@looped
async def test_wherever_the_house_stops_transfers_happen_once(places: Places) -> None:
    """A sample of all places to stop, up to three times in a row."""
    chance = Random(f"the cage stops on {places.kind}")
    ways = [tuple(chance.sample(ALL, 3)) for _ in range(SAMPLES[places.kind])]
    assert await stop_everywhere(places, ways) > 1


@pytest.mark.crash
@pytest.mark.parametrize("places", STORES, indirect=True)
@looped
async def test_at_every_append_of_the_errands_and_of_what_follows(places: Places) -> None:
    """Before, in and after each append; and again at one of the first of the next life."""
    again = [(first, Stop(1 + number % 3, where)) for number, (first, where) in
             enumerate(product(ALL, WHERE))]  # fmt: skip
    ways: list[tuple[Stop, ...]] = [(stop,) for stop in ALL]
    assert await stop_everywhere(places, ways) == 1
    assert await stop_everywhere(places, [*again]) > 1


# The medium fails, and the house stands


class Breaking:
    """A store whose medium fails at one append; it opens again."""

    def __init__(self, store: Store, medium: Medium, fails_at: int) -> None:
        self._store, self._medium, self._fails_at = store, medium, fails_at
        self.appends = 0

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # whatever a store can do
        return getattr(self._store, name)

    def append(self, frame: Frame) -> asyncio.Future[Mapping[str, JournalError]]:
        self.appends += 1
        if self.appends != self._fails_at:
            return self._store.append(frame)
        return asyncio.ensure_future(self._fails(frame))

    async def _fails(self, frame: Frame) -> Mapping[str, JournalError]:
        await self._medium.halfway(self._store, frame)
        return {}


async def fail_at(medium: Medium, number: int) -> None:
    """Run all errands in one life, in which one append fails."""
    store = await medium.open()
    await opened(store)
    breaking: Any = Breaking(store, medium, number)
    house, client, told = Casino(breaking), Client(), 0
    await house.start()
    # Who starts is told nothing: it takes its streams over once more, and starts again.
    starting = breaking.appends >= number
    while True:
        try:
            await finish(house)
            await client.go_on(house)
            break
        except NotDoneError:
            told += 1
    # What follows from a decision is sent again by whoever brings it to the other stream.
    assert told <= (not starting)
    assert breaking.appends == APPENDS + 1, "something was tried again in place"
    await house.check()
    await house.close()
    await check_end(store)
    await store.close()
    await medium.close()


# Two processes on one server


@looped
async def test_cage_and_tables_of_two_processes_on_one_server(postgres_dsn: str) -> None:
    """Sent, taken and left at the same time, while both finish: every cent arrives once."""
    medium = Postgres(postgres_dsn)
    here, there = await medium.open(), await medium.open()
    house = Casino(here, apart=True, there=there)
    await house.start()
    for name in ("1", "2"):
        await house.open(name, "ann", "bea")
    for patron in ("ann", "bea"):
        await house.buy_in(patron, 100_00)
    for day in range(4):
        acts: list[Any] = []
        for patron, table in product(("ann", "bea"), ("1", "2")):
            send = c.SendToTable(patron, table, 7_00)
            acts.append(house.give(f"send-{day}-{table}", send))
            acts.append(house.take(f"take-{day}", patron, table, 3_00))
        acts += [house.transfers.finish(), house.cage_transfers.finish()] * 2
        await asyncio.gather(*acts)
        balances = await house.balances()
        own = ("wallet:", "transit:", "seat:")
        held = sum(cents for name, cents in balances.items() if name.startswith(own))
        assert held == 200_00 == -balances["cash"]
    for _ in range(2):
        await house.finish()
    assert await house.finish() == 0
    balances = await house.balances()
    assert not [name for name in balances if name.startswith("transit:")]
    assert house.cage.cage.sent == {}
    assert sum(house.wallets.values()) < 200_00
    await house.check()
    await house.close()
    for store in (here, there):
        await store.close()
    await medium.close()


FAILS = {"sqlite": (1, 2, 3, 5, 9, 10, 14), "postgres": (1, 3, 10)}


@pytest.mark.parametrize("places", ["sqlite", "postgres"], indirect=True)
@looped
async def test_a_house_whose_medium_fails_goes_on(places: Places) -> None:
    for number in FAILS[places.kind]:
        await fail_at(places.medium(number), number)


@pytest.mark.crash
@pytest.mark.parametrize("places", ["sqlite", "postgres"], indirect=True)
@looped
async def test_a_house_whose_medium_fails_anywhere_goes_on(places: Places) -> None:
    for number in range(1, APPENDS + 1):
        await fail_at(places.medium(number), number)
