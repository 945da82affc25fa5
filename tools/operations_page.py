"""Write the tables of docs/operations.md: the configuration and the metrics, from the code.

Run it with ``make docs``; a test fails when the page is stale. The rest is written by hand.
"""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.floor.approvals import APPROVAL_SECONDS
from croupier.floor.connection import HEAD_SECONDS
from croupier.floor.effective import reference
from croupier.floor.floor import Floor
from croupier.floor.sessions import TICKET_SECONDS
from croupier.floor.wire import BODY_BYTES, FRAME_BYTES
from croupier.rules.errors import listed
from tools.table_pages import DOCS, table_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = DOCS / "operations.md"
Figure = str | tuple[float]
PROTECTION: tuple[tuple[str, *tuple[Figure, ...]], ...] = (
    (
        "a session that nobody uses ends after {} minutes of staff, {} of a patron",
        "people.sessions.staff_idle_minutes",
        "people.sessions.patron_idle_minutes",
    ),
    ("every session ends after {} hours", "people.sessions.session_hours"),
    ("{} sessions of one name; more close the oldest", "people.sessions.sessions_per_name"),
    (
        "{} sign-ins of one name may fail within {} minutes, from wherever they come",
        "people.rates.failed_logins",
        "people.rates.failed_logins_minutes",
    ),
    (
        "{} messages and requests a second of one session, {} at once",
        "people.rates.messages_per_second",
        "people.rates.messages_burst",
    ),
    (
        "{} recorded refusals a minute of one session; then 429",
        "people.rates.refusals_per_minute",
    ),
    ("{} sockets of one session", "people.rates.sockets_per_session"),
    (
        "{} requests a second of one address without a login",
        "people.rates.nobody_per_second",
    ),
    (
        "a client that says nothing is asked every {} seconds, and its socket closed after {}",
        "sockets.ping",
        "sockets.dead",
    ),
    ("a ticket opens one socket, within {} seconds", (TICKET_SECONDS,)),
    ("an approval is used once, within {} seconds", (APPROVAL_SECONDS,)),
    ("the head of a request comes within {} seconds", (HEAD_SECONDS,)),
    ("a body has at most {} bytes", (BODY_BYTES,)),
    ("a message of a socket has at most {} bytes", (FRAME_BYTES,)),
)
"""What protects the house: a sentence, and the keys or fixed figures in it."""
PART = re.compile(r"(<!-- generated: (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def configuration_lines() -> Iterator[str]:
    """Yield the table of every key of the configuration."""
    rows = (
        (f"`{key}`", "" if usual is None else f"`{json.dumps(usual)}`", meaning)
        for key, meaning, usual in reference()
    )
    yield from table_lines(("key", "usually", "what it is"), rows)


def protection_lines() -> Iterator[str]:
    """Yield the table of what protects the house: the figures in force, and what sets them."""
    usual = {key: value for key, _, value in reference()}
    rows = []
    for meaning, *parts in PROTECTION:
        said = [f"{usual[part] if isinstance(part, str) else part[0]:,g}" for part in parts]
        keys = [f"`{part}`" for part in parts if isinstance(part, str)]
        rows.append((meaning.format(*said), listed(keys) if keys else "fixed"))
    yield from table_lines(("usually", "set by"), rows)


def metrics_lines() -> Iterator[str]:
    """Yield the table of every metric, as a server writes them."""
    text = asyncio.run(_metrics())
    kinds = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE))
    said = re.findall(r"^# HELP (\S+) (.+)$", text, re.MULTILINE)
    rows = ((f"`{name}`", kinds[name], meaning) for name, meaning in said)
    yield from table_lines(("metric", "kind", "what it is"), rows)


async def _metrics() -> str:
    with tempfile.TemporaryDirectory() as folder:
        floor = await Floor.open(Path(folder) / "house")
        try:
            return floor.metrics.text(floor)
        finally:
            await floor.close()


PARTS = {
    "configuration": configuration_lines,
    "protection": protection_lines,
    "metrics": metrics_lines,
}


def page(written: str) -> str:
    """Return the page with its tables as they should be."""

    def made(found: re.Match[str]) -> str:
        lines = "\n".join(PARTS[found[2]]())
        return f"{found[1]}{lines}\n{found[4]}"

    return PART.sub(made, written)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"wrote {PAGE.name}")
