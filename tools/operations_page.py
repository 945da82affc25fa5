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

from croupier.floor.effective import reference
from croupier.floor.floor import Floor
from tools.table_pages import DOCS, table_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = DOCS / "operations.md"
PART = re.compile(r"(<!-- generated: (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def configuration_lines() -> Iterator[str]:
    """Yield the table of every key of the configuration."""
    rows = (
        (f"`{key}`", "" if usual is None else f"`{json.dumps(usual)}`", meaning)
        for key, meaning, usual in reference()
    )
    yield from table_lines(("key", "usually", "what it is"), rows)


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


PARTS = {"configuration": configuration_lines, "metrics": metrics_lines}


def page(written: str) -> str:
    """Return the page with its tables as they should be."""

    def made(found: re.Match[str]) -> str:
        lines = "\n".join(PARTS[found[2]]())
        return f"{found[1]}{lines}\n{found[4]}"

    return PART.sub(made, written)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"wrote {PAGE.name}")
