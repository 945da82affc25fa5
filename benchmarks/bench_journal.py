"""How fast the journal is: durable wagers, starts, verification. Prints; asserts nothing.

A wager counts when its sender has the answer, and the answer comes when the wager is on the
disk. Senders wait for one answer before they send the next wager; each is a patron with a
seat of one of several tables, and all tables write to one journal. Beside each line stands
what bare group commits of the same bytes give on the same disk, in the same run: one table,
no key but the row's number, no decision, as many rows a commit as half the senders.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import itertools
import os
import random
import secrets
import sqlite3
import tempfile
import time
import tracemalloc
import uuid
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import asyncpg
from rich.console import Console
from rich.table import Table

from croupier import find_game
from croupier.floor.desk import Desk, Request
from croupier.floor.running import run
from croupier.floor.sources import DeviceSource
from croupier.journal import ids
from croupier.journal.decision import GENESIS, chain, read
from croupier.journal.loading import records_of
from croupier.journal.postgres import PostgresStore
from croupier.journal.snapshots import Snapshots
from croupier.journal.sqlite import SqliteStore
from croupier.journal.verify import verify
from croupier.journal.writer import Writer
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands as c
from croupier.table.roles import Patron, Staff, StaffPosition
from croupier.table.settings import Method, Settings
from tools.postgres import running_server

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine

    from croupier.journal.store import Store
    from croupier.table.roles import Actor

DEALER = Staff("Dan", StaffPosition.DEALER)
MANAGER = Staff("Mia", StaffPosition.PIT_MANAGER)
SETTINGS = Settings(rulebook="BAC8", game="baccarat", method=Method.B, layout="C", positions=14)
SHAPES = ((20, 10), (2, 10), (1, 1))
"""Tables, and senders at each."""
SECONDS = 2.0
REPEATS = 3
BODY_BYTES = 500
"""About what the decision of a wager takes, with its hash and its posting."""
ROUNDS_OF_A_SHOE = 60
"""They take at most 360 of 416 cards."""
KEY = bytes(32)
numbers = itertools.count()


def ordered() -> str:
    """Return a UUIDv7: made in order, and it tells when."""
    made, rest = f"{time.time_ns() // 1_000_000:012x}", secrets.token_hex(10)
    return f"{made[:8]}-{made[8:]}-7{rest[:3]}-8{rest[3:6]}-{rest[6:18]}"


def unordered() -> str:
    """Return an identification that every command has to look up."""
    return str(uuid.uuid4())


class House:
    """Tables of one journal, with patrons who have more than they can spend."""

    def __init__(self, store: Store, name: Callable[[], str] = ordered) -> None:
        self.writer = Writer(store, snapshots=Snapshots(KEY))
        self.desks: list[Desk] = []
        self._name = name

    async def open(self, tables: int, patrons: int) -> None:
        """Open tables, and seat patrons."""
        for number in range(tables):
            desk = Desk(self.writer, str(number), RULEBOOKS, DeviceSource())
            await desk.start()
            self.desks.append(desk)
        await asyncio.gather(*(self._seat(desk, patrons) for desk in self.desks))

    async def _seat(self, desk: Desk, patrons: int) -> None:
        await self.do(desk, c.OpenTable(SETTINGS), MANAGER)
        await self.do(desk, c.LoadShoe("first"))
        for number in range(patrons):
            patron = f"{desk.name}-{number}"
            await self.do(desk, c.TakeSeat(patron, number % 14 + 1))
            await self.do(desk, c.BringCredit(patron, 10**11))

    async def call(self) -> None:
        """Call for bets at every table."""
        await asyncio.gather(*(self.do(desk, c.CallBets()) for desk in self.desks))

    async def do(self, desk: Desk, command: c.Command, actor: Actor = DEALER) -> None:
        """Bring a command that must be accepted."""
        await self.bring(desk, Request(self._name(), actor, command))

    async def bring(self, desk: Desk, request: Request) -> None:
        """Bring a request that must be accepted."""
        reply = await desk.submit(request)
        assert reply.accepted, (request, reply.refusal)

    async def send(self, desk: Desk, patron: str, stop: float, waits: list[float]) -> None:
        """Send wagers until a moment; note how long each waited for its answer."""
        wager, actor = c.PlaceWager(patron, "player", 100), Patron(patron)
        while (start := time.perf_counter()) < stop:
            await self.do(desk, wager, actor)
            waits.append(time.perf_counter() - start)

    async def wagers(self, senders: int, seconds: float) -> list[float]:
        """Send wagers from all seats for some time."""
        waits: list[float] = []
        stop = time.perf_counter() + seconds
        await asyncio.gather(
            *(
                self.send(desk, f"{desk.name}-{number}", stop, waits)
                for desk in self.desks
                for number in range(senders)
            )
        )
        return waits


class Place(NamedTuple):
    """Where journals are made: how a new one is named, opened, and what a bare one gives."""

    name: str
    new: Callable[[], str]
    open: Callable[[str], Awaitable[Store]]
    bare: Callable[[str, int, float], Coroutine[Any, Any, float]]


def sqlite(folder: Path, *, process: bool | None) -> Place:
    """Return a place of files."""
    kind = {None: "", True: ", writer process", False: ", writer thread"}[process]
    return Place(
        f"SQLite{kind}",
        lambda: str(folder / f"{next(numbers)}.sqlite"),
        lambda where: SqliteStore.open(where, process=process),
        bare_sqlite,
    )


async def bare_sqlite(where: str, together: int, seconds: float) -> float:
    """Return rows a second by bare group commits in a file."""
    connection = sqlite3.connect(f"{where}-bare", isolation_level=None)
    connection.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;")
    connection.execute("CREATE TABLE bare (place INTEGER PRIMARY KEY, body BLOB)")
    rows = [(secrets.token_bytes(BODY_BYTES),) for _ in range(together)]
    start, count = time.perf_counter(), 0
    while time.perf_counter() < start + seconds:
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO bare (body) VALUES (?)", rows)
        connection.execute("COMMIT")
        count += together
    connection.close()
    return count / seconds


def postgres(server: Any) -> Place:  # noqa: ANN401  # it has no types
    """Return a place of schemas on a server."""

    def new() -> str:
        schema = f"bench_{next(numbers)}"
        server.psql(f"CREATE SCHEMA {schema};")
        return f"{server.get_uri()}&search_path={schema}"

    return Place("PostgreSQL", new, PostgresStore.open, bare_postgres)


async def bare_postgres(where: str, together: int, seconds: float) -> float:
    """Return rows a second by bare group commits on a server."""
    connection = await asyncpg.connect(where)
    await connection.execute("CREATE TABLE bare (place bigserial PRIMARY KEY, body bytea)")
    rows = [secrets.token_bytes(BODY_BYTES) for _ in range(together)]
    start, count = time.perf_counter(), 0
    while time.perf_counter() < start + seconds:
        insert = "INSERT INTO bare (body) SELECT * FROM unnest($1::bytea[])"
        await connection.execute(insert, rows)
        count += together
    await connection.close()
    return count / seconds


@asynccontextmanager
async def opened_store(place: Place, where: str) -> AsyncIterator[Store]:
    """Open a journal, and close it."""
    store = await place.open(where)
    try:
        yield store
    finally:
        await store.close()


def measured(
    place: Place, name: Callable[[], str], tables: int, senders: int, seconds: float
) -> list[str]:
    """Return a row: senders, wagers a second, how long the answers took, and the ratio."""

    async def once() -> list[float]:
        async with opened_store(place, place.new()) as store:
            house = House(store, name)
            await house.open(tables, senders)
            await house.call()
            # As in a house that has run for a while: memory covers what comes now.
            house.writer._memory._horizon = ids.now_ms()  # noqa: SLF001
            waits = await house.wagers(senders, seconds)
            await house.writer.close()
            return waits

    runs = [sorted(run(once())) for _ in range(REPEATS)]
    best = max(runs, key=len)
    together = max(1, tables * senders // 2)
    bare = max(run(place.bare(place.new(), together, seconds / 2)) for _ in range(2))
    middle, late = (1000 * best[int(len(best) * part)] for part in (0.5, 0.99))
    rate = len(best) / seconds
    return [
        str(tables * senders),
        "ordered" if name is ordered else "random",
        f"{rate:,.0f}",
        f"{sorted(len(one) for one in runs)[len(runs) // 2] / seconds:,.0f}",
        f"{middle:.1f}",
        f"{late:.1f}",
        f"{bare:,.0f}",
        f"{rate / bare:.2f}",
    ]


async def grown(store: Store, decisions: int) -> None:
    """Let one table play many rounds, each asked without waiting for the one before."""
    house = House(store)
    await house.open(1, 14)
    (desk,) = house.desks
    chance = random.Random(98)  # always the same rounds
    while desk.seat.sequence < decisions:
        await asyncio.gather(*(house.bring(desk, one) for one in shoeful(desk, chance)))
    await house.writer.close()


def shoeful(desk: Desk, chance: random.Random) -> list[Request]:
    """Return what is asked at a table while it plays the rounds of a shoe."""
    patrons = [f"{desk.name}-{number}" for number in range(14)]
    asked: list[tuple[c.Command, Actor, tuple[str, ...]]] = [
        (c.EndShoe(), DEALER, ()),
        (c.LoadShoe(ordered()), DEALER, ()),
    ]
    game = find_game("baccarat")
    shoe = list(game.shoe(8).cards())
    chance.shuffle(shoe)
    for _ in range(ROUNDS_OF_A_SHOE):
        asked.append((c.CallBets(), DEALER, ()))
        asked += [
            (c.PlaceWager(patron, wager, 100_00), Patron(patron), ())
            for patron in patrons
            for wager in (chance.choice(("player", "banker")), "tie")
        ]
        asked.append((c.CloseBets(), DEALER, ()))
        coup = game.coup()
        while not coup.complete:
            coup = coup.draw(shoe.pop())
        asked += [(c.DrawCard(), DEALER, (card.text,)) for card in coup.cards]
        asked += [
            (c.AnnounceOutcome(), DEALER, ()),
            (c.Settle(), DEALER, ()),
            (c.ConfirmPayment(), DEALER, ()),
        ]
    return [Request(ordered(), actor, command, None, cards) for command, actor, cards in asked]


async def started(store: Store, tables: int, snapshots: Snapshots | None) -> float:
    """Return the seconds in which tables start."""
    writer = Writer(store, snapshots=snapshots)
    desks = [Desk(writer, str(number), RULEBOOKS, DeviceSource()) for number in range(tables)]
    start = time.perf_counter()
    await asyncio.gather(*(desk.start() for desk in desks))
    took = time.perf_counter() - start
    await writer.close()
    return took


async def verified(store: Store) -> list[list[str]]:
    """Measure how long verification takes, beside reading and hashing the same decisions."""
    start = time.process_time()
    seen = await verify(store, RULEBOOKS)
    took = time.process_time() - start
    assert seen.holds, seen.findings[:3]
    start = time.process_time()
    for stream in seen.heads:
        head = GENESIS
        async for record in records_of(store, stream):
            head = chain(head, record.body)
            read(record.body)
    bare = time.process_time() - start
    rate = f"{seen.decisions / took:,.0f} a second on one core"
    return [
        [f"verify {seen.decisions:,} decisions", rate],
        ["as often as reading and hashing them takes", f"{took / bare:.1f}"],
    ]


async def held(store: Store, tables: int) -> float:
    """Return how many bytes a started table between rounds takes in memory."""
    writer = Writer(store, snapshots=Snapshots(KEY))
    desks = [Desk(writer, str(number), RULEBOOKS, DeviceSource()) for number in range(tables)]
    tracemalloc.start()
    await asyncio.gather(*(desk.start() for desk in desks))
    gc.collect()
    each = tracemalloc.get_traced_memory()[0] / tables
    tracemalloc.stop()
    await writer.close()
    return each


def measure_starts(out: Console, place: Place, decisions: int, tables: int) -> None:
    """Measure how long tables take to start, and how long verification takes."""
    rows: list[list[str]] = []

    async def once() -> None:
        async with opened_store(place, place.new()) as store:
            await grown(store, decisions)
            for name, snapshots in (("snapshot", Snapshots(KEY)), ("all folded", None)):
                took = await started(store, 1, snapshots)
                what = f"start of a table of {decisions:,} decisions, {name}"
                rows.append([what, f"{1000 * took:,.1f} ms"])
            rows.extend(await verified(store))
        async with opened_store(place, place.new()) as store:
            house = House(store)
            await house.open(tables, 5)
            await house.writer.close()
            del house
            took = await started(store, tables, Snapshots(KEY))
            rows.append([f"start of {tables:,} tables between rounds", f"{took:.2f} s"])
            each = await held(store, tables) / 1024
            rows.append(["memory of each, with 5 patrons", f"{each:.1f} KiB"])

    run(once())
    show(out, f"Start and verification on {place.name}", ("what", "took"), rows)


def show(out: Console, title: str, headings: tuple[str, ...], rows: list[list[str]]) -> None:
    """Print a table."""
    table = Table(title=title)
    for heading in headings:
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(*row)
    out.print(table)


HEADINGS = ("senders", "ids", "best/s", "median/s", "p50 ms", "p99 ms", "bare/s", "ratio")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long each sends")
    parser.add_argument("--decisions", type=int, default=100_000, help="of the table started")
    parser.add_argument("--tables", type=int, default=1_000, help="started at once")
    parser.add_argument("--store", choices=("sqlite", "postgres", "both"), default="both")
    parser.add_argument("--thread", action="store_true", help="the writer as a thread, too")
    parser.add_argument("--wagers-only", action="store_true")
    chosen = parser.parse_args()
    out = Console(width=100)
    out.print(f"Other work on this machine: load {os.getloadavg()[0]:.1f}.")
    places: list[Place] = []
    with ExitStack() as ends:
        folder = Path(ends.enter_context(tempfile.TemporaryDirectory(prefix="croupier-bench-")))
        if chosen.store != "postgres":
            places.append(sqlite(folder, process=None))
            if chosen.thread:
                places.append(sqlite(folder, process=False))
        if chosen.store != "sqlite":
            places.append(postgres(ends.enter_context(running_server())))
        for place in places:
            rows = [
                measured(place, name, *shape, chosen.seconds)
                for name in (ordered, unordered)
                for shape in SHAPES
            ]
            show(out, f"Durable wagers on {place.name}, {REPEATS} runs each", HEADINGS, rows)
            if not chosen.wagers_only:
                measure_starts(out, place, chosen.decisions, chosen.tables)


if __name__ == "__main__":
    main()
