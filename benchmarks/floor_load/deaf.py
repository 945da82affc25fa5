"""Some clients do not read: the others are not slowed, and the deaf ones are closed.

Before they stop reading they ask for more than there is room for: the changes of a table alone
would take long to fill what the kernel keeps for a client.
"""

from __future__ import annotations

import contextlib
import threading
import urllib.request
from typing import TYPE_CHECKING

from floor_load.common import KIB, Floor, spread
from floor_load.crowd import HOST, clock
from floor_load.machine import kernel_bytes, resident_bytes

if TYPE_CHECKING:
    from floor_load.common import Plan, Row

PACE_SECONDS = 0.02
ASKED, ASKED_SECONDS = 120, 5.0
"""How many snapshots the deaf ask for, one after the other, and within which time."""
CALM_SECONDS = 4.0
LOOK_SECONDS = 0.2
CLIENTS, FULL = "croupier_ws_clients", "croupier_ws_full_clients"


class Looking:
    """Asks the server again and again how many sockets it has, and how many are full."""

    def __init__(self, port: int) -> None:
        self._url = f"http://{HOST}:{port}/metrics"
        self._stop = threading.Event()
        self._began = clock()
        self._thread = threading.Thread(target=self._run)
        self.seen: list[tuple[float, int, int]] = []
        """When, how many sockets there were, and how many without room."""
        self._thread.start()

    def _run(self) -> None:
        while not self._stop.wait(LOOK_SECONDS):
            with urllib.request.urlopen(self._url, timeout=5) as answer:  # noqa: S310  # ours
                lines = answer.read().decode().splitlines()
            values = dict(
                line.rsplit(" ", 1) for line in lines if line.startswith("croupier_ws")
            )
            row = clock() - self._began, int(values[CLIENTS]), int(values[FULL])
            self.seen.append(row)

    def begin(self) -> None:
        """Count from now on."""
        self._began = clock()
        self.seen = []

    def end(self) -> None:
        """Look no more."""
        self._stop.set()
        self._thread.join()


def deaf(plan: Plan) -> list[Row]:
    """Let everybody read for a while; then some read no more, and all goes on."""
    table = plan.house.tables[0]
    floor = Floor(plan, [table])
    count = int(len(floor.at) * plan.deaf)
    quiet = list(floor.at)[-count:]
    floor.listen_to([number for number in floor.at if number not in quiet])
    looking = Looking(plan.port)  # from here on: what looking takes is not held for the deaf
    _go_on(floor, table, CALM_SECONDS)
    calm = floor.changed
    for heard in floor.heard.values():
        heard.clear()
    floor.sent[table].clear()
    before, held = resident_bytes(plan.server), kernel_bytes()
    sockets = len(floor.crowd.sockets)
    floor.crowd.stop_reading(quiet)
    looking.begin()
    most_server, most_kernel = _go_on(floor, table, plan.seconds, quiet)
    looking.end()
    full = next((when for when, _, full in looking.seen if full == count), None)
    closed = next((when for when, left, _ in looking.seen if left <= sockets - count), None)
    server, kernel = ((most_server - before) / count / KIB, (most_kernel - held) / count / KIB)
    shown = ["never" if one is None else f"{one:.1f} s" for one in (full, closed)]
    return [
        ("clients, deaf", f"{len(floor.at):,}, {count}", ""),
        ("a change heard while all read", spread(calm), ""),
        ("a change heard while some are deaf", spread(floor.changed), "as before"),
        ("the deaf have no room after; are closed after", ", ".join(shown), "10 s later"),
        ("KiB for each deaf: server, kernel", f"{server:.0f}, {kernel:.0f}", "350 kB"),
        ("others that were closed", str(len(floor.crowd.gone - set(quiet))), "0"),
    ]


def _go_on(
    floor: Floor, table: str, seconds: float, deaf: list[int] | None = None
) -> tuple[int, int]:
    """Let something happen at a table again and again; return the most memory there was."""
    began, changes, server, kernel = clock(), 0, 0, 0
    asked, asks = 0, len(deaf or ()) * ASKED
    while (passed := clock() - began) < seconds:
        while deaf and asked < min(asks, asks * passed / ASKED_SECONDS):
            _ask(floor, deaf[asked % len(deaf)], table)
            asked += 1
        if passed > changes * PACE_SECONDS:
            floor.change(table)
            changes += 1
            server = max(server, resident_bytes(floor.plan.server))
            kernel = max(kernel, kernel_bytes())
        floor.listen(0.002)
    floor.finish()
    return server, kernel


def _ask(floor: Floor, number: int, table: str) -> None:
    """Ask for a snapshot; the server may have stopped listening to this one, or closed it."""
    with contextlib.suppress(BlockingIOError, ConnectionError):
        floor.crowd.say(number, f'{{"type":"subscribe","topic":"table:{table}"}}')
