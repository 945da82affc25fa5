"""How much a running server bears. Prints tables; asserts no times.

A house is founded once: tables dealt by a Dealer, patrons with seats and credit, people who
only watch, each with a session. For every scenario a copy of it is opened by
``croupier serve``, and a crowd of plain sockets comes in a process of its own. Beside each
stands what the disk gave in the same minute to somebody who does nothing but fdatasync.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from floor_load.common import Plan, spread
from floor_load.founding import found, signed_in
from floor_load.machine import synchronised
from rich.console import Console
from rich.table import Table

from croupier.floor.running import run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from floor_load.common import Row
    from floor_load.founding import House

TABLES, BETTORS, WATCHERS = 20, 1_000, 9_000
DISK_SECONDS = 1.0
START_SECONDS = 60.0
SETTLED_SECONDS = 6.0
"""For the first 5 s a server looks up every identification in the journal."""
SCENARIOS: dict[str, tuple[str, dict[str, Any]]] = {
    "commands": ("wagers over WebSockets, 200 senders", {"seconds": 5, "clients": 0}),
    "http": ("wagers over HTTP, 200 senders", {"seconds": 5, "clients": 0}),
    "steady": ("wagers and changes, everybody watches", {"seconds": 15, "clients": 5_000}),
    "everybody": ("one change to all", {"seconds": 0, "clients": 10_000}),
    "burst": ("wagers in the last second", {"seconds": 0, "clients": 5_000}),
    "deaf": ("some clients do not read", {"seconds": 20, "clients": 1_000}),
    "memory": ("rounds of every game for longer", {"seconds": 60, "clients": 1_000}),
}
"""Of each scenario: what it is, and its usual size."""
LOOSE = {
    "CROUPIER_PEOPLE__RATES__MESSAGES_PER_SECOND": "100000",
    "CROUPIER_PEOPLE__RATES__MESSAGES_BURST": "1000000",
    "CROUPIER_PEOPLE__RATES__REFUSALS_PER_MINUTE": "100000",
    "CROUPIER_PEOPLE__RATES__NOBODY_PER_SECOND": "0",
    "CROUPIER_PEOPLE__SESSIONS__STAFF_IDLE_MINUTES": "1440",
}
"""Nobody is turned away for haste, and nobody's session ends before their scenario begins."""
STILL = ("--betting", "3600")
"""The tables of the house itself stand still."""
DEMO = ("--demo", "--betting", "3", "--pause", "1", "--pace", "0.1", "--demo-patrons", "40")
"""Every game, dealt by the house three times as fast as is usual, with patrons who bet."""


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[dict[str, Any]]:
    """Serve a house, and give what the server tells when it is ready."""
    ready = folder.parent / "ready.json"
    command = [sys.executable, "-m", "croupier", "serve", "--data", str(folder)]
    log = (folder.parent / "log").open("wb")
    server = subprocess.Popen(  # noqa: S603  # this project's own
        [*command, "--port", "0", "--ready", str(ready), *options],
        env={**os.environ, **LOOSE},
        stdout=log,
        stderr=log,
    )
    try:
        until = time.monotonic() + START_SECONDS
        while not ready.exists():
            assert server.poll() is None, (folder.parent / "log").read_text(encoding="utf-8")
            assert time.monotonic() < until, "the server does not start"
            time.sleep(0.05)
        time.sleep(SETTLED_SECONDS)
        yield json.loads(ready.read_bytes())
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(30)
        log.close()


def measured(scenario: str, house: House, template: Path, size: dict[str, Any]) -> list[Row]:
    """Run one scenario in a copy of a house."""
    with tempfile.TemporaryDirectory(prefix="croupier-load-", dir=template.parent) as place:
        folder, demo = Path(place) / "house", scenario == "memory"
        if not demo:
            shutil.copytree(template, folder)
        disk = synchronised(Path(place), DISK_SECONDS)
        with serving(folder, *(DEMO if demo else STILL)) as ready:
            port = int(ready["url"].rpartition(":")[2])
            if demo:
                house = signed_in(ready)
            plan = Plan(scenario=scenario, port=port, server=ready["pid"], house=house, **size)
            load = subprocess.run(  # this project's own
                [sys.executable, "-m", "floor_load"],
                cwd=Path(__file__).parent,
                input=msgspec.json.encode(plan),
                stdout=subprocess.PIPE,
                check=True,
            )
        log = (folder.parent / "log").read_text(encoding="utf-8")
        assert '"level":"error"' not in log, log
        disk += synchronised(Path(place), DISK_SECONDS)
    rows = msgspec.json.decode(load.stdout, type=list[tuple[str, str, str]])
    beside = f"{len(disk) / 2 / DISK_SECONDS:,.0f} a second; {spread(disk)}"
    return [*rows, ("the disk alone: fdatasync", beside, "")]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenario", nargs="*", help=", ".join(SCENARIOS))
    parser.add_argument("--seconds", type=float, help="how long, instead of what is usual")
    parser.add_argument("--clients", type=int, help="how many, instead of what is usual")
    parser.add_argument("--senders", type=int, default=200)
    parser.add_argument("--rate", type=int, default=500, help="wagers a second")
    parser.add_argument("--folder", type=Path, help="where houses lie while they are measured")
    chosen = parser.parse_args()
    for name in chosen.scenario:
        if name not in SCENARIOS:
            parser.error(f"there is no scenario {name}; there are {', '.join(SCENARIOS)}")
    console = Console(width=110)
    with tempfile.TemporaryDirectory(prefix="croupier-bench-", dir=chosen.folder) as folder:
        template = Path(folder) / "template"
        house = run(found(template, TABLES, BETTORS, WATCHERS))
        for name in chosen.scenario or SCENARIOS:
            said, size = SCENARIOS[name]
            size = {**size, "senders": chosen.senders, "rate": chosen.rate}
            for option in ("seconds", "clients"):
                if getattr(chosen, option) is not None:
                    size[option] = getattr(chosen, option)
            shown = Table("what", "measured", "for orientation", title=f"{name}: {said}")
            for row in measured(name, house, template, size):
                shown.add_row(*row)
            console.print(shown)


if __name__ == "__main__":
    main()
