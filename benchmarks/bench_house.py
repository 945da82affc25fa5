"""How a house with many tables starts, and what it takes. Prints; asserts no times.

A house of tables that rest, each with five patrons and a driver, is founded and closed; then,
in a process of its own, it is opened and started again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from croupier.floor.desk import Request
from croupier.floor.house import House
from croupier.floor.running import run
from croupier.table import commands as c
from croupier.table.roles import Staff, StaffPosition
from croupier.table.settings import Method, Settings

DEALER = Staff("Dan", StaffPosition.DEALER)
MANAGER = Staff("Mia", StaffPosition.PIT_MANAGER)
SETTINGS = Settings(rulebook="BAC8", game="baccarat", method=Method.B, layout="C", positions=14)
PATRONS = 5
KIB, MIB = 1024, 1024 * 1024


async def found(folder: Path, tables: int) -> None:
    """Found a house whose tables rest between rounds."""
    house = await House.open(folder)
    await house.start()
    await asyncio.gather(*(opened(house, str(number)) for number in range(tables)))
    await house.close()


async def opened(house: House, name: str) -> None:
    """Open a table, and seat patrons with credit."""
    desk = await house.table(name)
    asked: list[tuple[Staff, c.Command]] = [(MANAGER, c.OpenTable(SETTINGS))]
    for seat in range(1, PATRONS + 1):
        patron = f"{name}-{seat}"
        asked += [(DEALER, c.TakeSeat(patron, seat)), (DEALER, c.BringCredit(patron, 10**6))]
    for number, (actor, command) in enumerate(asked):
        reply = await desk.submit(Request(f"{name}/{number}", actor, command))
        assert reply.accepted, reply.refusal


def resident_bytes() -> int:
    """Return how much memory this process has."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


async def started(folder: Path) -> dict[str, float]:
    """Open and start a house; return the seconds and the memory that it took."""
    before, begun = resident_bytes(), time.perf_counter()
    house = await House.open(folder)
    there = time.perf_counter()
    await house.start()
    took = {
        "open": there - begun,
        "start": time.perf_counter() - there,
        "bytes": resident_bytes() - before,
        "whole": resident_bytes(),
    }
    await house.close()
    return took


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, nargs="*", default=[1, 1_000])
    parser.add_argument("--started", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.started is not None:
        sys.stdout.write(json.dumps(run(started(chosen.started))))
        return
    shown = Table(title="A house on SQLite, its tables between rounds")
    for heading in ("tables", "open", "start", "memory of a table", "process"):
        shown.add_column(heading, justify="right")
    for tables in chosen.tables:
        with tempfile.TemporaryDirectory(prefix="croupier-bench-") as folder:
            run(found(Path(folder), tables))
            again = subprocess.run(  # noqa: S603  # this program
                [sys.executable, __file__, "--started", folder],
                check=True,
                capture_output=True,
                text=True,
            )
        took = json.loads(again.stdout)
        shown.add_row(
            f"{tables:,}",
            f"{took['open']:.2f} s",
            f"{took['start']:.2f} s",
            f"{took['bytes'] / tables / KIB:,.0f} KiB",
            f"{took['whole'] / MIB:,.0f} MiB",
        )
    Console(width=100).print(shown)


if __name__ == "__main__":
    main()
