"""A process that serves a demo house without limits of rate, until it is told to stop.

``python -m tests.floor.api.worker FOLDER deals|quiet``: where nobody deals, nothing is written
that nobody asked for.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from croupier.floor.api import tables
from croupier.floor.configuration import Seconds
from croupier.floor.demo import found_demo
from croupier.floor.floor import Floor
from croupier.floor.rates import Rates
from croupier.floor.running import run
from croupier.floor.server import Ready, Running, bind, write_ready
from croupier.floor.sessions import Settings

tables.AFTER_SECONDS = 0.05
"""Nobody waits long here for a record that does not come."""
MOST = 100_000
RATES = Rates(
    messages_per_second=MOST,
    messages_burst=MOST,
    refusals_per_minute=MOST,
    nobody_per_second=0,
)
CLOCKS = Seconds(betting=0.7, pause=0.2, pace=0, answer=0.3)


async def serve(folder: Path, *, deals: bool) -> None:
    """Serve until a signal comes."""
    listening = bind("127.0.0.1", 0)
    floor = await Floor.open(
        folder / "house", settings=Settings(rates=RATES), clocks=CLOCKS, seed=13
    )
    try:
        logins = await found_demo(floor)
        if not deals:
            floor.house.drive = lambda: None  # type: ignore[method-assign]
        floor.start()
    except BaseException:
        await floor.close()
        raise
    running = Running(floor, listening)
    await running.start()
    write_ready(folder / "ready", Ready(running.url, os.getpid(), "test", logins))
    await running.wait()
    await running.close()


if __name__ == "__main__":
    run(serve(Path(sys.argv[1]), deals=sys.argv[2] == "deals"))
