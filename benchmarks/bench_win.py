"""How fast win and ratings are counted: read from a journal, and fed. Asserts no times.

One table plays rounds of 28 stakes. Fed, a decision is at hand already, as it is when the
writer tells of it; read, it comes from the file and its chain is checked.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bench_journal import grown, show
from rich.console import Console

from croupier.floor.performance import odds_of, ratings, win
from croupier.floor.running import run
from croupier.gaming_day import GamingDay
from croupier.journal.loading import decisions_of
from croupier.journal.opening import open_reader
from croupier.journal.performance import Performance, read_tables
from croupier.journal.sqlite import SqliteStore

if TYPE_CHECKING:
    from croupier.journal.decision import Decision


async def made(journal: Path, decisions: int) -> list[Decision]:
    """Make a journal, and return its decisions."""
    store = await SqliteStore.open(journal)
    await grown(store, decisions)
    made = [one async for one in decisions_of(store, "table:0")]
    await store.close()
    return made


async def measured(journal: Path, decisions: list[Decision]) -> list[list[str]]:
    """Return rows: what was done, and how fast."""
    count = len(decisions)
    fed = Performance(GamingDay(), courses=True)
    start = time.process_time()
    for one in decisions:
        fed.feed(one)
    rate = count / (time.process_time() - start)
    rows = [[f"{count:,} decisions fed", f"{rate:,.0f} a second on one core"]]
    read = Performance(GamingDay())
    async with await open_reader(str(journal)) as reader:
        start = time.process_time()
        await read_tables(read, reader)
        rate = count / (time.process_time() - start)
    assert fed.places == read.places, "fed and read differ"
    rows.append(["the same, read", f"{rate:,.0f} a second on one core"])
    start = time.process_time()
    for rules in {place.rules for place in fed.places}:
        _ = odds_of(rules).covariance
    rows.append(
        ["exact odds of its game, once", f"{1000 * (time.process_time() - start):,.0f} ms"]
    )
    start = time.process_time()
    for by in ("table", "game", "wager", "shift"):
        win(fed, (by,))
    ratings(fed)
    rows.append(
        ["win by four respects, ratings", f"{1000 * (time.process_time() - start):,.1f} ms"]
    )
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=100_000, help="of the table")
    chosen = parser.parse_args()
    out = Console(width=100)
    out.print(f"Other work on this machine: load {os.getloadavg()[0]:.1f}.")
    folder = Path(tempfile.mkdtemp(prefix="croupier-bench-"))
    try:
        journal = folder / "journal.sqlite"
        decisions = run(made(journal, chosen.decisions))
        rows = run(measured(journal, decisions))
        show(out, "Win and ratings", ("what", "took"), rows)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
