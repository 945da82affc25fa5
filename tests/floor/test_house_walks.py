"""Whole houses: tables of all kinds, cage, transfers, people who come and go, and trouble.

A crowd does things by chance while drivers deal; the house stops at some append, its medium is
away for a while, and it starts again from its journal, until one life comes to its end: then
everybody goes home, and the books are checked against what came in and went out.
"""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from croupier.accounts import events as of_accounts
from croupier.cage import events as of_cage
from croupier.floor import driver as drivers
from croupier.floor import transfers
from croupier.floor.configuration import Configuration
from croupier.floor.house import House
from croupier.floor.tidying import HOUSE
from croupier.gaming_day import GamingDay
from croupier.journal import writer as writers
from croupier.journal.errors import PoisonedError
from croupier.journal.loading import decisions_of
from croupier.journal.performance import Performance, read_tables
from croupier.journal.reader import StoreReader
from croupier.journal.verify import verify
from croupier.rulebooks import RULEBOOKS
from croupier.table import events as e
from croupier.table import incidents as i
from tests.floor.crowd import KINDS, Crowd, Kind, tables_of
from tests.floor.money import cash_of
from tests.floor.rounds import Stop, StoppingStore, goes_on, looped
from tests.floor.staffed import Staffed
from tests.floor.test_cage_crash import Places, places
from tests.floor.test_crash import STORES, WHERE
from tests.journal.conftest import postgres_dsn, postgres_server
from tests.journal.counting import won_by

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from croupier.journal.errors import JournalError
    from croupier.journal.frames import Frame
    from croupier.journal.store import Store
    from tests.floor.test_crash import Medium

__all__ = ["places", "postgres_dsn", "postgres_server"]

STEPS = 50
"""How often people do something in one life of the house, if it does not stop."""
FEW_STEPS = 25
"""The same in a life that stops at each of its appends in turn."""
APPENDS_MAX = 250
"""Up to which append of a life the house stops."""
AWAY_SECONDS = (0.02, 0.1, 0.25)
"""Longer than the writer waits here before it tells everybody that nothing is done."""
HAPPENS: frozenset[type] = frozenset(
    {
        of_accounts.UserAdded, of_accounts.OwnLimitSet, of_cage.BoughtIn,
        of_cage.CashedOut, of_cage.TicketPaid, of_cage.TicketTakenIn, of_cage.SentBack,
        of_cage.TableOpenerSet, of_cage.TableFilled, of_cage.TableCredited,
        of_cage.TableCloserCounted, of_cage.DropCounted,
        of_cage.DifferenceFound, e.TableClosed, e.DealerSignedIn, e.DealerSignedOut,
        e.TerminalLost, e.TerminalRestored, e.ClosingAcknowledged, i.TerminalDecided,
        e.DieAnnounced, e.ShoeTaken, e.ShoeRefused, e.HandPassed, e.CardTurned,
        i.IrregularityReported, i.ReferralDecided, i.RoundVoided,
    }
)  # fmt: skip
"""What must have happened somewhere in many houses."""


class Away:
    """A store whose medium is away for a while: nothing is read, written or opened again."""

    def __init__(self, store: Any) -> None:  # noqa: ANN401  # a store that stops
        self._store = store
        self._until, self._poisoned = 0.0, False

    def fail(self, seconds: float) -> None:
        """Let the medium go away."""
        self._until = asyncio.get_running_loop().time() + seconds

    @property
    def _away(self) -> bool:
        return asyncio.get_running_loop().time() < self._until

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # whatever a store can do
        return self._fails if self._away else getattr(self._store, name)

    def append(self, frame: Frame) -> asyncio.Future[Mapping[str, JournalError]]:
        """Append; behind a frame that failed nothing is written before all is opened again."""
        if self._away or self._poisoned:
            self._poisoned = True
            return asyncio.ensure_future(self._fails())
        future: asyncio.Future[Mapping[str, JournalError]] = self._store.append(frame)
        return future

    async def reopen(self) -> None:
        """Open the medium again, if it is back."""
        if self._away:
            await self._fails()
        await self._store.reopen()
        self._poisoned = False

    async def _fails(self, *_: object, **__: object) -> Any:  # noqa: ANN401
        message = "The medium is away."
        raise PoisonedError(message)


async def live(
    store: Store,
    folder: Path,
    crowd: Crowd,
    medium: Medium,
    *,
    stop: Stop | None = None,
    last: bool = False,
    steps: int = STEPS,
) -> bool:
    """Let a house live until it stops, or to its end; tell which.

    In its last life nothing fails, and everybody goes home.
    """
    before = asyncio.all_tasks()
    stopping = StoppingStore(store, stop, medium.halfway)
    away: Any = Away(stopping)
    house = House(
        folder,
        away,
        Configuration(),
        below=crowd.chance.randrange,
        subscribers=(crowd.heard,),
    )
    closes = not last and crowd.chance.randrange(2) > 0
    await crowd.money.catch_up(store)
    fails = -1 if last else crowd.chance.randrange(2 * steps)

    async def serve() -> None:
        await house.keeper.start()
        await house.start()
        assert house.failures == {}
        await crowd.open(house)
        await crowd.arrive(house)
        for step in range(steps):
            if step == fails:
                away.fail(crowd.chance.choice(AWAY_SECONDS))
            await crowd.steps(house)
        if closes:
            # People go on asking while the house lets its rounds end.
            await asyncio.gather(house.end_rounds(), *(crowd.steps(house) for _ in range(9)))
            for _ in range(20):
                await crowd.next_at(house, "live")
        if last:
            await crowd.play(house)
            await crowd.go_home(house)
            assert [one.error for one in house.drivers.values() if one.error] == []
        await house.tidying.stop()
        for driver in house.drivers.values():
            await driver.stop()
        await house.transfers.close()
        await house.writer.close()
        await house.keeper.close()

    threads, loop = ThreadPoolExecutor(), asyncio.get_running_loop()
    loop.set_default_executor(threads)
    whole = await goes_on(stopping, serve())
    while begun := asyncio.all_tasks() - before:
        for task in begun:
            task.cancel()
        await asyncio.wait(begun, timeout=0.1)
    # A thread outlives the task that was cancelled; with a process it would be gone.
    loop.set_default_executor(ThreadPoolExecutor())
    threads.shutdown()
    return whole


async def check(store: Store, seen: Counter[object]) -> None:
    """Check the books: nobody's money came from nowhere or went there."""
    assert (await verify(store, RULEBOOKS)).findings == []
    balances = {name: cents for name, cents in (await store.balances()).items() if cents}
    assert sum(balances.values()) == 0
    rooms = {name.partition(":")[0] for name in balances}
    assert not rooms & {"seat", "stakes", "transit", "box"}, balances
    came = 0
    for head in await store.heads():
        kind: Kind | None = None
        async for one in decisions_of(store, head.stream):
            for event in one.events:
                came += cash_of(event)
                seen[type(event)] += 1
                if isinstance(event, e.BetsOpened):
                    kind = Kind(event.game, event.method, event.dealt_by)
                elif isinstance(event, e.WagersSettled) and event.lines:
                    seen[kind] += 1
                elif isinstance(event, e.CreditTaken):
                    seen["to the wallet" if event.to_wallet else "in cash"] += 1
                    seen["left behind"] += one.actor.name == HOUSE.name
                elif isinstance(event, e.DealerSignedOut):
                    seen["given back"] += event.by.name == HOUSE.name
    assert came == -balances.get("cash", 0)
    held = sum(cents for name, cents in balances.items() if name.startswith(("wallet", "tick")))
    book = Performance(GamingDay())
    await read_tables(book, StoreReader(store))
    assert book.behind == []
    # All that patrons brought is theirs, or was won by the tables.
    assert came == held + won_by(book)


async def houses(
    places: Places, tmp_path: Path, runs: range, kind: type[Crowd] = Crowd
) -> Counter[object]:
    """Let houses live and stop, each until its last life; return what happened in all."""
    seen: Counter[object] = Counter()
    for run in runs:
        chance = Random(f"house {places.kind} {run}")
        crowd, medium = kind(f"{places.kind} {run}", tables_of(run)), places.medium(run)
        store, folder = await medium.open(), tmp_path / f"house-{run}"
        folder.mkdir()
        for life in range(chance.randrange(1, 4)):
            stop = Stop(chance.randrange(1, APPENDS_MAX), chance.choice(WHERE))
            # Now and then its medium is away, perhaps, and nothing worse.
            never = run % 4 == life == 0
            whole = await live(store, folder, crowd, medium, stop=None if never else stop)
            seen["closed" if whole else "stopped"] += 1
            await medium.lose(store)
            store = await medium.open()
            assert (await verify(store, RULEBOOKS)).findings == []
        assert await live(store, folder, crowd, medium, last=True)
        await check(store, seen)
        await crowd.money.catch_up(store)
        crowd.money.check_quiet()
        seen["money found"] += crowd.money.checks
        seen.update(crowd.forbidden)
        if isinstance(crowd, Staffed):
            seen.update(crowd.turned_away)
        await store.close()
        await medium.close()
    return seen


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody wait long for a medium that is away."""
    monkeypatch.setattr(writers, "PAUSES_SECONDS", (0.0, 0.01, 0.03))
    monkeypatch.setattr(writers, "PAUSE_MAX_SECONDS", 0.05)
    monkeypatch.setattr(drivers, "AGAIN_SECONDS", 0.02)
    monkeypatch.setattr(drivers, "PAUSE_SECONDS", 0.05)
    monkeypatch.setattr(transfers, "PAUSE_SECONDS", 0.01)


BARRED: frozenset[type] = frozenset(
    {
        of_accounts.ActingBegun, of_accounts.UserDisabled, of_accounts.UserEnabled,
        of_accounts.PatronExcluded, of_accounts.OwnLimitSet, of_cage.PaidOut,
        e.ClosureAnnounced, e.SettingsScheduled,
    }
)  # fmt: skip
TURNED_AWAY = frozenset(
    {"nobody", "not in position", "excluded", "own_stake_limit", "given back"}
)
"""What comes to no table, by its reason, and a table that a Dealer loses who is disabled."""
STAFFED = {"memory": 6, "sqlite": 2, "postgres": 1}
RUNS = {"memory": max(map(len, KINDS.values())), "sqlite": 3, "postgres": 2}


@pytest.mark.parametrize("places", STORES, indirect=True)
@looped
async def test_whatever_people_do_and_wherever_the_house_stops_the_books_are_right(
    places: Places, tmp_path: Path
) -> None:
    runs = RUNS[places.kind]
    seen = await houses(places, tmp_path, range(runs))
    assert seen["stopped"] > 0
    if places.kind != "memory":
        return
    everything = {*HAPPENS, *(one for ones in KINDS.values() for one in ones)}
    everything |= {"closed", "stopped", "to the wallet", "in cash"}
    everything |= {"going_down", "money found", "left behind"}
    # Who comes first is up to clocks: what these houses did not see, one of the next may.
    for run in range(runs, 4 * runs):
        if all(seen[one] for one in everything):
            break
        seen += await houses(places, tmp_path, range(run, run + 1))
    assert {one for one in everything if not seen[one]} == set()


@pytest.mark.parametrize("places", STORES, indirect=True)
@looped
async def test_people_whom_the_accounts_know_come_and_go_and_the_books_are_right(
    places: Places, tmp_path: Path
) -> None:
    runs = STAFFED[places.kind]
    seen = await houses(places, tmp_path, range(runs), Staffed)
    if places.kind == "memory":
        wanted = {*BARRED, *TURNED_AWAY}
        for run in range(runs, 4 * runs):
            if all(seen[one] for one in wanted):
                break
            seen += await houses(places, tmp_path, range(run, run + 1), Staffed)
        assert {one for one in wanted if not seen[one]} == set()


@pytest.mark.crash
@pytest.mark.parametrize("part", range(5))
@pytest.mark.parametrize("kind", [Crowd, Staffed])
@pytest.mark.parametrize("places", STORES, indirect=True)
@looped
async def test_many_houses_stop_anywhere(
    places: Places, tmp_path: Path, kind: type[Crowd], part: int
) -> None:
    many = {"memory": 40, "sqlite": 8, "postgres": 6}[places.kind] // (1 + (kind is Staffed))
    first = 1_000 + part * many
    seen = await houses(places, tmp_path, range(first, first + many), kind)
    assert seen["stopped"] > 0


IN_TURN: list[tuple[str, type[Crowd], int, int, int]] = [
    *(("memory", Crowd, run, 1, 1) for run in range(4)),
    ("memory", Staffed, 0, 1, 1),
    *((store, Crowd, 0, first, 3) for store in ("sqlite", "postgres") for first in (1, 2, 3)),
]
"""Where, who, which life; at which append it stops first, and how much later each time."""


@pytest.mark.crash
@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize(
    ("places", "kind", "run", "first", "every"), IN_TURN, indirect=["places"]
)
@looped
async def test_a_house_stops_at_each_append_of_a_life_in_turn(
    places: Places,
    tmp_path: Path,
    where: str,
    kind: type[Crowd],
    run: int,
    first: int,
    every: int,
) -> None:
    seen: Counter[object] = Counter()
    numbers = itertools.count(first, every)
    while not seen["closed"]:
        number = next(numbers)
        chance, folder = f"each append {run}", tmp_path / f"house-{number}"
        crowd, medium = kind(chance, tables_of(run)), places.medium(number)
        store = await medium.open()
        folder.mkdir()
        stop = Stop(number, where)
        whole = await live(store, folder, crowd, medium, stop=stop, steps=FEW_STEPS)
        seen["closed" if whole else "stopped"] += 1
        await medium.lose(store)
        store = await medium.open()
        assert await live(store, folder, crowd, medium, last=True, steps=FEW_STEPS)
        await check(store, seen)
        await crowd.money.catch_up(store)
        crowd.money.check_quiet()
        await store.close()
        await medium.close()
    assert seen["stopped"] > FEW_STEPS // every
