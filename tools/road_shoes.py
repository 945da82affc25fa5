"""Write the shoes by which the pages check that they draw roads as the server does.

Run it with ``python -m tools.road_shoes``; a test fails when the file is stale.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.documents import roads_document
from croupier.roads import draw_roads, parse_marks

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "web" / "src" / "draw" / "roads.golden.json"
MARKED = ("bead", "big", "big_eye", "small", "cockroach")
"""The parts of a document that are lists of marks."""
SHOES = 60
COUPS_MAX = 80
STAYS = (0.3, 0.5, 0.7, 0.9)
"""How often the last winner wins again: from choppy shoes to dragons whose tails meet."""
BY_HAND = (
    "",
    "T",
    "T T T",
    "T T B P+pp T B+bp+pp",
    "B " * 9 + "P " * 9 + "B " * 9 + "P " * 9,
    "P B " * 20,
    "B B P P " * 10,
)


def shoes() -> Iterator[str]:
    """Yield shoes as they are written on the command line; the same ones every time."""
    yield from (shoe.strip() for shoe in BY_HAND)
    chance = random.Random(65)  # noqa: S311  # examples, not cards
    for number in range(SHOES - len(BY_HAND)):
        stays, side, words = STAYS[number % len(STAYS)], "B", []
        for _ in range(chance.randint(1, COUPS_MAX)):
            if chance.random() > stays:
                side = "P" if side == "B" else "B"
            winner = "T" if chance.random() < 0.1 else side  # noqa: PLR2004  # about as usual
            pairs = (pair for pair in ("+pp", "+bp") if chance.random() < 0.08)  # noqa: PLR2004
            words.append(winner + "".join(pairs))
        yield " ".join(words)


def document(shoe: str) -> dict[str, Any]:
    """Return what ``croupier roads --json`` prints for a shoe."""
    shown: dict[str, Any] = msgspec.to_builtins(roads_document(draw_roads(parse_marks(shoe))))
    return shown


def text() -> str:
    """Write every shoe with its roads on a line; a mark is the values of its fields."""
    drawn = {shoe: document(shoe) for shoe in shoes()}
    fields = {
        road: next(list(roads[road][0]) for roads in drawn.values() if roads[road])
        for road in MARKED
    }
    lines = []
    for shoe, roads in drawn.items():
        marks = {road: [list(mark.values()) for mark in roads[road]] for road in MARKED}
        lines.append(json.dumps({"outcomes": shoe, **roads, **marks}, separators=(",", ":")))
    joined = ",\n".join(lines)
    return f'{{"fields":{json.dumps(fields)},\n"shoes":[\n{joined}\n]}}\n'


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
