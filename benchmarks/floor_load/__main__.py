"""One scenario in a process of its own: a plan comes in, rows go out, both as JSON."""

from __future__ import annotations

import resource
import sys
from typing import TYPE_CHECKING

import msgspec

from floor_load import commands, deaf, rounds, watching
from floor_load.common import Plan

if TYPE_CHECKING:
    from collections.abc import Callable

    from floor_load.common import Row

SCENARIOS: dict[str, Callable[[Plan], list[Row]]] = {
    "commands": commands.sockets,
    "http": commands.http,
    "steady": watching.steady,
    "memory": rounds.rounds,
    "everybody": watching.everybody,
    "burst": watching.burst,
    "deaf": deaf.deaf,
}


def main() -> None:
    """Do what the plan says."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    plan = msgspec.json.decode(sys.stdin.buffer.read(), type=Plan)
    sys.stdout.buffer.write(msgspec.json.encode(SCENARIOS[plan.scenario](plan)))


if __name__ == "__main__":
    main()
