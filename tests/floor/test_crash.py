"""The house stops before, in and after every append, on every store, and starts again.

Whatever was told is there, whatever is there is there in full, what got no answer is asked
for again and happens once, and the round ends as the rulebook says. Plus real processes that
are killed at any moment.
"""

from __future__ import annotations

import asyncio
import copy
import secrets
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from itertools import product
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import asyncpg
import msgspec
import pytest

from croupier.floor.sources import DeviceSource, SealedSource
from croupier.journal import ledger
from croupier.journal.decision import read_record
from croupier.journal.medium import connect_file
from croupier.journal.memory import MemoryStore
from croupier.journal.postgres import PostgresStore
from croupier.journal.seal import KeyBox
from croupier.journal.sqlite import SqliteStore
from croupier.journal.verify import verify
from croupier.rulebooks import RULEBOOKS, find_game
from croupier.table import events as e
from croupier.table import incidents as i
from tests.floor.crash_worker import GAMES, Asked, Crowd, Line
from tests.floor.rounds import (
    CREDIT,
    MISREAD,
    PATRONS,
    SCRIPTS,
    Life,
    People,
    Script,
    Stop,
    StoppingStore,
    check_all,
    check_answers,
    check_money,
    check_recoveries,
    events_of,
    goes_on,
    looped,
    rounds_of,
)
from tests.journal.conftest import postgres_dsn, postgres_server
from tests.journal.places import records_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from croupier.journal.errors import JournalError
    from croupier.journal.frames import Frame
    from croupier.journal.store import Store
    from croupier.journal.tables import CardSource

__all__ = ["postgres_dsn", "postgres_server"]
"""The server of the journal's tests is one of these tests too."""

WHERE = ("before", "during", "after")
STORES = ("memory", "sqlite", "postgres")


class Medium(Protocol):
    """Where a journal is while no process runs."""

    async def open(self) -> Store:
        """Open a store on what is there."""

    async def halfway(self, store: Store, frame: Frame) -> None:
        """Write a batch, and stop before it is committed: nobody knows what came of it."""

    async def lose(self, store: Store) -> None:
        """Leave a store as a process leaves it that is gone."""

    async def close(self) -> None:
        """Put everything away."""


class Memory:
    """A store in memory: the journal outlives the desks, not the process."""

    def __init__(self) -> None:
        self._store = MemoryStore()

    async def open(self) -> Store:
        return self._store

    async def halfway(self, store: Store, frame: Frame) -> None:
        """Write it somewhere that is thrown away."""
        assert store is self._store
        await copy.deepcopy(self._store).append(frame)

    async def lose(self, store: Store) -> None:
        assert store is self._store

    async def close(self) -> None:
        pass


class Halting:
    """A connection that keeps what is on the disk at a commit, and does not commit."""

    def __init__(self, path: Path, medium: Sqlite) -> None:
        self._connection, self._medium = connect_file(path), medium
        # Pages that do not fit go to the log at once: then it is written, not committed.
        self._connection.execute("PRAGMA cache_size=1")

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # whatever a connection can do
        return getattr(self._connection, name)

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:  # noqa: ANN401
        if statement == "COMMIT" and self._medium.halting:
            self._medium.keep()
            message = "the process is gone"
            raise sqlite3.OperationalError(message)
        return self._connection.execute(statement, *values)


class Sqlite:
    """A file, and copies of it: what a process that is gone leaves to the next one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._life = 0
        self._kept = False
        self.halting = False
        self.uncommitted = 0
        """How many bytes of batches that were never committed lay in the log."""

    @property
    def path(self) -> Path:
        return self._folder / f"life-{self._life}" / "journal.sqlite"

    async def open(self) -> Store:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        return await SqliteStore.open(self.path, lambda path: Halting(path, self))

    def keep(self) -> None:
        """Copy file and log as they are at this moment."""
        target = self._folder / f"life-{self._life + 1}"
        target.mkdir()
        for name in ("journal.sqlite", "journal.sqlite-wal"):
            shutil.copy(self.path.with_name(name), target / name)
        self._kept = True

    def _log_bytes(self) -> int:
        return self.path.with_name("journal.sqlite-wal").stat().st_size

    async def halfway(self, store: Store, frame: Frame) -> None:
        before = self._log_bytes()
        self.halting = True
        try:
            await store.append(frame)
        finally:
            self.halting = False
            self.uncommitted += self._log_bytes() - before

    async def lose(self, store: Store) -> None:
        if not self._kept:
            self.keep()
        await store.close()
        shutil.rmtree(self.path.parent)
        self._life, self._kept = self._life + 1, False

    async def close(self) -> None:
        shutil.rmtree(self.path.parent)


HALTING = """
CREATE TABLE halting (armed boolean);
INSERT INTO halting VALUES (false);
CREATE FUNCTION halt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT armed FROM halting) THEN
        PERFORM pg_terminate_backend(pg_backend_pid());
        PERFORM pg_sleep(10);
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER halt AFTER INSERT ON decision
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION halt();
"""


class Postgres:
    """A schema of a real server, which ends the writer's session while it commits."""

    def __init__(self, dsn: str) -> None:
        self._server, self._schema = dsn, f"crash_{secrets.token_hex(8)}"
        self._dsn = f"{dsn}&search_path={self._schema}"
        self._ready = False

    async def _do(self, statement: str) -> None:
        connection = await asyncpg.connect(self._dsn)
        try:
            await connection.execute(statement)
        finally:
            await connection.close()

    async def open(self) -> Store:
        if not self._ready:
            await self._do(f"CREATE SCHEMA {self._schema}")
        store = await PostgresStore.open(self._dsn)
        if not self._ready:
            await self._do(HALTING)
            self._ready = True
        return store

    async def halfway(self, store: Store, frame: Frame) -> None:
        await self._do("UPDATE halting SET armed = true")
        try:
            await store.append(frame)
        finally:
            await self._do("UPDATE halting SET armed = false")

    async def lose(self, store: Store) -> None:
        await store.close()

    async def close(self) -> None:
        await self._do(f"DROP SCHEMA {self._schema} CASCADE")


class Run(NamedTuple):
    """A game, and where the house stops in each of its lives."""

    script: Script
    stops: tuple[Stop, ...] = ()
    seed: int | None = None
    """Of the order of a sealed shoe; without one the cards are the script's."""

    def __str__(self) -> str:
        stops = ", ".join(f"{stop.where} {stop.number}" for stop in self.stops)
        return f"{self.script.name} (seed {self.seed}): {stops}"

    def people(self) -> People:
        """Return the people who play it."""
        script = self.script
        return People(script if self.seed is None else script._replace(cards=()))

    def source(self, store: Store, folder: Path) -> CardSource:
        """Return where its cards come from."""
        if self.seed is None:
            return DeviceSource()
        return SealedSource(store, KeyBox(folder), Random(self.seed).randrange)


Check = Callable[["Store", Script], Awaitable[None]]
"""What must hold of a journal beside what holds of all."""


class Matrix:
    """Runs of games on one kind of store."""

    def __init__(self, kind: str, folder: Path, dsn: str = "") -> None:
        self._kind, self._folder, self._dsn = kind, folder, dsn
        self.runs = self.lives = self.interruptions = self.uncommitted = 0

    def medium(self) -> Medium:
        """Return a place for a new journal."""
        if self._kind == "memory":
            return Memory()
        if self._kind == "sqlite":
            return Sqlite(self._folder / f"run-{self.runs}")
        return Postgres(self._dsn)

    async def run(self, run: Run, check: Check | None = None) -> None:
        """Play a game over all its lives, and check what is left by each."""
        self.runs += 1
        medium = self.medium()
        people = run.people()
        for stop in (*run.stops, None):
            store = await medium.open()
            await self.check_left(store, people)
            self.lives += 1
            if await self._live(store, people, run, stop, medium):
                break
            await medium.lose(store)
        else:
            message = f"{run} did not come to its end"
            raise AssertionError(message)
        assert stop is None, f"{run}: the house never came to {stop}"
        await check_all(store, people)
        if check is not None:
            await check(store, run.script)
        await store.close()
        if isinstance(medium, Sqlite):
            self.uncommitted += medium.uncommitted
        await medium.close()

    @property
    def _keys(self) -> Path:
        return self._folder / f"keys-{self.runs}"

    async def appends(self, run: Run) -> int:
        """Return how many appends a game takes that nobody interrupts."""
        counting = StoppingStore(MemoryStore())
        life = Life(counting, run.source(counting, self._folder / "keys"))
        await run.people().play(await life.start())
        await life.drop()
        return counting.appends

    async def sample(self, chance: Random, *, deep: int = 3) -> Run:
        """Choose a game, its cards, and up to so many failures, most while it recovers."""
        script = chance.choice(list(SCRIPTS.values()))
        cards = chance.choices(find_game(script.game).deck.cards, k=12)
        script = script._replace(cards=tuple(card.text for card in cards))
        run = Run(script, seed=chance.randrange(10**6) if chance.randrange(4) == 0 else None)
        appends = await self.appends(run)
        stops = [Stop(chance.randrange(1, appends - 2 - deep), chance.choice(WHERE))]
        stops += [Stop(1, chance.choice(WHERE)) for _ in range(chance.randrange(deep))]
        return run._replace(stops=tuple(stops))

    async def check_left(self, store: Store, people: People) -> None:
        """Check a journal whose process is gone, before anybody touches it."""
        if not people.asked:
            return
        await check_answers(store, people)
        verified = await verify(store, RULEBOOKS)
        assert verified.findings == [], verified.findings
        assert sum((await store.balances()).values()) == 0

    async def _live(
        self,
        store: Store,
        people: People,
        run: Run,
        stop: Stop | None,
        medium: Medium,
    ) -> bool:
        """Let the house run until it stops, or the game is over; tell whether it is."""
        stopping = StoppingStore(store, stop, medium.halfway)
        life = Life(stopping, run.source(store, self._keys))

        async def serve() -> None:
            await life.desk.start()
            await people.play(life.desk)

        whole = await goes_on(stopping, serve())
        await life.drop()
        return whole


@pytest.fixture
def matrix(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Matrix]:
    """Return a matrix on the store that a test names."""
    kind = request.param
    dsn = request.getfixturevalue("postgres_dsn") if kind == "postgres" else ""
    made = Matrix(kind, tmp_path, dsn)
    yield made
    assert made.runs


SAMPLES = {"memory": 90, "sqlite": 30, "postgres": 10}
MANY = 4_000


@pytest.mark.clause("EB4 5.9.1", "EB4 5.9.2", "BAC8 5.17.1", "BAC8 5.17.2")
@pytest.mark.parametrize("matrix", STORES, indirect=True)
@looped
async def test_whatever_stops_wherever_the_round_ends_by_the_book(
    matrix: Matrix, request: pytest.FixtureRequest
) -> None:
    """A sample of all games and all places to stop, up to three times in a row."""
    kind = request.node.callspec.params["matrix"]
    chance = Random(f"a sample of crashes on {kind}")
    for _ in range(SAMPLES[kind]):
        await matrix.run(await matrix.sample(chance))
    assert matrix.lives > 2 * matrix.runs
    assert (matrix.uncommitted > 0) is (kind == "sqlite")


@pytest.mark.crash
@pytest.mark.parametrize("name", SCRIPTS)
@pytest.mark.parametrize("matrix", STORES, indirect=True)
@looped
async def test_at_every_append_of_every_game(matrix: Matrix, name: str) -> None:
    """Before, in and after each append; and again while the house recovers, three deep."""
    for run in (Run(SCRIPTS[name]), Run(SCRIPTS[name], seed=1)):
        appends = await matrix.appends(run)
        for number, where in product(range(1, appends + 1), WHERE):
            await matrix.run(run._replace(stops=(Stop(number, where),)))
        for number in range(1, appends - 2):
            first, second, third = (WHERE[(number + turn) % 3] for turn in range(3))
            stops = (Stop(number, first), Stop(1, second), Stop(1, third))
            await matrix.run(run._replace(stops=stops))
    assert matrix.runs > 100


FEW = {
    "memory": tuple(MISREAD),
    "sqlite": ("baccarat-natural", "power-98-draws"),
    "postgres": ("baccarat-draws",),
}
"""Which corrections are tried in every run of the tests; the others take long."""


class Noting(StoppingStore):
    """A store that keeps what the events of each append are called."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.names: list[set[str]] = []

    def append(self, frame: Frame) -> asyncio.Future[Mapping[str, JournalError]]:
        decisions = [read_record(one) for one in records_in(frame)]
        events = [event for one in decisions for event in one.events]
        self.names.append({str(type(event).__struct_config__.tag) for event in events})
        return super().append(frame)


async def anew(run: Run) -> range:
    """Return which appends of a game that nobody interrupts make its pay list anew.

    They go from the correction to the new settlement, and one further: to the payment.
    """
    noting = Noting(MemoryStore())
    life = Life(noting, run.source(noting, Path()))
    await run.people().play(await life.start())
    await life.drop()
    reversals = [n for n, names in enumerate(noting.names, 1) if "settlement_reversed" in names]
    settled = [n for n, names in enumerate(noting.names, 1) if "wagers_settled" in names]
    assert len(reversals) == 1
    assert settled[0] < reversals[0] < settled[-1]
    return range(reversals[0], settled[-1] + 2)


async def check_made_anew(store: Store, script: Script) -> None:
    """Check that a round was taken back once, and paid by the card that really lay there."""
    events = await events_of(store, "table:1")
    played, money = rounds_of(events)[-1], await store.balances()
    lists = [one.lines for one in events if isinstance(one, e.WagersSettled)]
    taken_back = [one.lines for one in events if isinstance(one, i.SettlementReversed)]
    assert script.corrects is not None
    assert script.corrects[1] in played.cards
    assert not played.void
    assert (len(lists), taken_back) == (2, [lists[0]])
    for patron in PATRONS:
        result = sum(line.won_cents for line in lists[1] if line.patron == patron)
        assert money[ledger.seat("1", patron)] == CREDIT + result


@pytest.mark.clause("BAC8 6.3", "BAC8 5.17.1", "BAC8 5.17.2")
@pytest.mark.parametrize(
    ("matrix", "name"),
    [
        pytest.param(kind, name, marks=() if name in FEW[kind] else pytest.mark.crash)
        for kind, name in product(STORES, MISREAD)
    ],
    indirect=["matrix"],
)
@looped
async def test_between_a_correction_and_its_new_pay_list(matrix: Matrix, name: str) -> None:
    """Before, in and after every append from the correction to the payment, and again."""
    run = Run(MISREAD[name])
    for number, where in product(await anew(run), WHERE):
        await matrix.run(run._replace(stops=(Stop(number, where),)), check_made_anew)
        # The next life ends in its first append: the recovery, or what was asked again.
        again = Stop(1, WHERE[number % len(WHERE)])
        await matrix.run(run._replace(stops=(Stop(number, where), again)), check_made_anew)


@pytest.mark.crash
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("matrix", ["memory"], indirect=True)
@looped
async def test_with_many_other_cards(matrix: Matrix, seed: int) -> None:
    chance = Random(seed)
    for _ in range(MANY // 10):
        await matrix.run(await matrix.sample(chance, deep=5))


# Real processes


class Worker:
    """The program, until it is killed, and what it wrote."""

    def __init__(self, folder: Path, life: int, left: list[Asked]) -> None:
        where = [str(folder / "journal.sqlite"), str(folder / "keys"), f"life-{life}"]
        command = [sys.executable, "-m", "tests.floor.crash_worker", *where]
        self._process = subprocess.Popen(  # noqa: S603  # our own program
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._process.stdin is not None
        for one in left:
            self._process.stdin.write(msgspec.json.encode(one) + b"\n")
        self._process.stdin.close()
        self.lines: list[bytes] = []
        self._news = threading.Condition()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            with self._news:
                self.lines.append(line)
                self._news.notify_all()

    def wait_for(self, count: int) -> None:
        """Wait until so many lines are there."""
        with self._news:
            assert self._news.wait_for(lambda: len(self.lines) >= count, timeout=60)

    def kill(self) -> list[Line]:
        """Kill it, and return all that it wrote."""
        assert self._process.poll() is None, "it ended by itself"
        self._process.kill()
        self._process.wait()
        self._reader.join()
        assert self._process.stdout is not None
        self._process.stdout.close()
        decode = msgspec.json.Decoder(Line).decode
        return [decode(line) for line in self.lines if line.endswith(b"\n")]


class Witness:
    """Knows what all workers asked for and were told, and looks for it in the journal."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.crowds = {game: Crowd(game, f"end-{game}", quiet=True) for game in GAMES}
        self._left: dict[str, Asked] = {}
        self.told = self.recoveries = 0

    @property
    def left(self) -> list[Asked]:
        """Return what got no answer."""
        return list(self._left.values())

    def hear(self, lines: list[Line]) -> None:
        """Note what a worker wrote."""
        for line in lines:
            if line.asked is not None:
                self._left[line.asked.command_id] = line.asked
                crowd = self.crowds[line.asked.table]
                crowd.asked[line.asked.command_id] = line.asked.request()
            if line.told is not None:
                self.told += 1
                asked = self._left.pop(line.told.command_id).request()
                self.crowds[line.told.table].told(asked, line.told.reply)

    async def check(self) -> None:
        """Check that everything told is there, and that nothing is there in part."""
        store = await SqliteStore.open(self._folder / "journal.sqlite")
        for crowd in self.crowds.values():
            await check_answers(store, crowd, f"table:{crowd.game}")
        verified = await verify(store, RULEBOOKS)
        assert verified.findings == [], verified.findings
        assert sum((await store.balances()).values()) == 0
        await store.close()

    async def finish(self) -> None:
        """Start once more, ask again, play the rounds to their end, and check the money."""
        store = await SqliteStore.open(self._folder / "journal.sqlite")
        keys = KeyBox(self._folder / "keys")
        for game, crowd in self.crowds.items():
            crowd.stopping = True
            crowd.open = {o.command_id: o.request() for o in self.left if o.table == game}
            desk = await Life(store, SealedSource(store, keys), name=game).start()
            await crowd.play(desk)
            assert not crowd.open
            await check_answers(store, crowd, desk.stream)
            await check_money(store, game, table=game)
            self.recoveries += await check_recoveries(store, crowd.script.code, desk.stream)
            await desk.close()
        assert (await verify(store, RULEBOOKS)).findings == []
        await store.close()


def kill_again_and_again(folder: Path, kills: int, seed: int) -> Witness:
    """Let workers play one after the other, and kill each at some moment."""
    chance, witness = Random(seed), Witness(folder)
    for life in range(kills):
        worker = Worker(folder, life, witness.left)
        # Some while they start and recover, most in the middle of their rounds.
        worker.wait_for(1 if life and chance.randrange(4) == 0 else 100)
        time.sleep(chance.uniform(0, 0.2))
        witness.hear(worker.kill())
        asyncio.run(witness.check())
    asyncio.run(witness.finish())
    return witness


def test_a_process_that_is_killed_loses_nothing_that_it_told(tmp_path: Path) -> None:
    witness = kill_again_and_again(tmp_path, kills=8, seed=1)
    assert witness.told > 200
    assert witness.recoveries >= 8


@pytest.mark.crash
@pytest.mark.parametrize("seed", range(4))
def test_processes_that_are_killed_a_hundred_times_lose_nothing(
    tmp_path: Path, seed: int
) -> None:
    witness = kill_again_and_again(tmp_path, kills=25, seed=100 + seed)
    assert witness.told > 1_000
    assert witness.recoveries >= 25
