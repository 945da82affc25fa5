"""What it costs to know who somebody is. Prints; asserts no times.

A session is found for every request; signing in is made costly on purpose, and must not slow
down the loop that deals.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from croupier.accounts.commands import UserKind
from croupier.floor.door import Issued
from croupier.floor.people import People
from croupier.floor.running import run
from croupier.floor.sessions import SignedIn, Standing

TURN_SECONDS = 0.001
"""How often the loop is asked whether it is late."""


async def signed_in(people: People, name: str, password: str) -> SignedIn:
    """Sign somebody in."""
    answer = await people.sign_in(name, password)
    assert isinstance(answer, SignedIn), answer
    return answer


async def late_by(until: asyncio.Event) -> list[float]:
    """Return by how much the loop came late to what it should have done, in milliseconds."""
    late = []
    while not until.is_set():
        begun = time.perf_counter()
        await asyncio.sleep(TURN_SECONDS)
        late.append(1e3 * (time.perf_counter() - begun - TURN_SECONDS))
    return sorted(late)


def shown(times: list[float], unit: str) -> str:
    """Write the middle and the end of times."""
    times = sorted(times)
    return f"{times[len(times) // 2]:.2f}, {times[int(len(times) * 0.99)]:.2f} {unit}"


async def measure(folder: Path, names: int, finds: int) -> list[tuple[str, str]]:
    """Return what was measured."""
    passwords = {f"patron-{number}": f"the password of {number}" for number in range(names)}
    people = await People.open(folder, lambda _: Standing(UserKind.STAFF, "Dealer"))
    begun = time.perf_counter()
    await people.set_passwords(passwords)
    rows = [("passwords hashed", f"{names / (time.perf_counter() - begun):.0f} a second")]

    over = asyncio.Event()
    quiet = asyncio.ensure_future(late_by(over))
    await asyncio.sleep(1.0)
    over.set()
    rows.append(("the loop is late, nobody signs in (p50, p99)", shown(await quiet, "ms")))

    over = asyncio.Event()
    flood = asyncio.ensure_future(late_by(over))
    begun = time.perf_counter()
    all_in = await asyncio.gather(
        *(signed_in(people, name, password) for name, password in passwords.items())
    )
    rows.append(
        ("sign-ins, all at once", f"{names / (time.perf_counter() - begun):.0f} a second")
    )
    over.set()
    rows.append(("the loop is late meanwhile (p50, p99)", shown(await flood, "ms")))

    tokens = [one.token for one in all_in]
    begun = time.perf_counter()
    for number in range(finds):
        assert people.sessions.find(tokens[number % names]) is not None
    rows.append(("a session found", f"{1e6 * (time.perf_counter() - begun) / finds:.2f} us"))
    begun = time.perf_counter()
    for number in range(finds):
        all_in[number % names].session.allowance.message()
    rows.append(("a message counted", f"{1e6 * (time.perf_counter() - begun) / finds:.2f} us"))

    times = []
    for number in range(200):
        begun = time.perf_counter()
        by = all_in[number % names].session
        approval = await people.approvals.issue(by, "tiger", b"{}", "dan")
        assert isinstance(approval, Issued), approval
        await people.approvals.redeem(approval.token, "tiger", b"{}", "dan", "key")
        times.append(1e3 * (time.perf_counter() - begun))
    rows.append(("an approval given and used, durable (p50, p99)", shown(times, "ms")))
    await people.close()
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--names", type=int, default=100)
    parser.add_argument("--finds", type=int, default=200_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = run(measure(Path(folder), given.names, given.finds))
    table = Table("what", "how much", title="People")
    for row in rows:
        table.add_row(*row)
    Console().print(table)


if __name__ == "__main__":
    main()
