"""A house that has one table on a database which another house uses too.

It opens its table, seats ann, and does what it is told, a line each::

    python -m tests.floor.sharing_worker FOLDER DATABASE TABLE
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from croupier.floor.desk import Request
from croupier.floor.house import House, Own
from croupier.table import commands as c
from croupier.table.roles import Patron
from tests.table.floor import MANAGER, SYSTEM
from tests.table.next_house import settings_of


async def main(folder: Path, database: str, name: str) -> None:
    """Serve one table until the end of the input."""
    own = Own(frozenset((name,)), cage=False)
    house = await House.open(folder, database, own=own)
    await house.start(drive=False)
    desk = await house.table(name)
    if desk.table.plan is None:
        opens = c.OpenTable(settings_of("tiger", None))
        await desk.submit(Request("open", MANAGER, opens))
        await desk.submit(Request("sit", SYSTEM, c.TakeSeat("ann", 1)))
    print("ready", flush=True)  # noqa: T201  # somebody listens
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        what, cents = line.split()
        assert what == "take"
        take = c.TakeCredit("ann", int(cents))
        number = f"take-{desk.seat.sequence}"
        reply = await desk.submit(Request(number, Patron("ann"), take))
        print("done" if reply.accepted else reply.refusal, flush=True)  # noqa: T201
    await house.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2], sys.argv[3]))
