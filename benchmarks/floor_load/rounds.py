"""Rounds of all games, one after the other, while everybody watches: memory stays, or grows."""

from __future__ import annotations

import itertools
import sys
from typing import TYPE_CHECKING

from floor_load.common import MIB, PING_SECONDS, Measured
from floor_load.crowd import Crowd
from floor_load.machine import children, resident_bytes

if TYPE_CHECKING:
    from floor_load.common import Plan, Row

CLOSED = b'"name":"round_closed"'
LOOKS = 10
"""How often memory is looked at: every minute of ten."""
FIRST_SECONDS = 10.0
"""After which everybody is there, every table has played, and what is loaded late is loaded."""


def rounds(plan: Plan) -> list[Row]:
    """Watch the tables of a demo, where the house deals and its patrons bet."""
    crowd, tables = Crowd(plan.port), plan.house.tables
    numbers = crowd.join(itertools.islice(itertools.cycle(plan.house.watchers), plan.clients))
    at = dict(zip(numbers, itertools.cycle(tables), strict=False))
    crowd.watch({number: f"table:{table}" for number, table in at.items()})
    ears = set(numbers[: len(tables)])
    _listen(crowd, plan, ears, FIRST_SECONDS)
    measured, played = Measured(plan), 0
    memory = [_memory(plan)]
    for look in range(1, LOOKS + 1):
        played += _listen(crowd, plan, ears, plan.seconds * look / LOOKS - measured.passed)
        memory.append(_memory(plan))
        print(f"{look}: {memory[-1][0]:.1f} MiB", file=sys.stderr, flush=True)
    assert played, "no round was played"
    assert not crowd.gone, f"{len(crowd.gone)} were closed"
    each = ", ".join(f"{server:.1f}" for server, _ in memory)
    writer = ", ".join(f"{writer:.1f}" for _, writer in memory)
    every = f"every {plan.seconds / LOOKS:.0f} s"
    return [
        ("clients, tables", f"{len(at):,}, {len(tables)}", ""),
        ("rounds played", f"{played:,} in {measured.passed:.0f} s", ""),
        (f"memory {every}, MiB", each, "flat"),
        (f"memory of the writer {every}, MiB", writer, "flat"),
        *measured.rows(),
    ]


def _memory(plan: Plan) -> tuple[float, float]:
    writer = sum(map(resident_bytes, children(plan.server)))
    return resident_bytes(plan.server) / MIB, writer / MIB


def _listen(crowd: Crowd, plan: Plan, ears: set[int], seconds: float) -> int:
    """Read what comes for some time; return how many rounds ended at the tables."""
    stretch, played, said = Measured(plan), 0, 0
    while stretch.passed < seconds:
        for _, messages in crowd.heard(0.05, ears):
            played += sum(message.count(CLOSED) for message in messages)
        if stretch.passed > said * PING_SECONDS:
            said += 1
            crowd.ping()
    return played
