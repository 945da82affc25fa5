"""``croupier roads``: draw the roads of a shoe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from croupier.cli.output import JsonFlag, console, print_json
from croupier.documents import roads_document
from croupier.roads import ROWS, Derived, Roads, draw_roads, parse_marks
from croupier.rules.outcome import Side

if TYPE_CHECKING:
    from collections.abc import Iterable

    from croupier.roads import Colour

NAMES = {
    Derived.BIG_EYE: ("Big eye boy", "o"),
    Derived.SMALL: ("Small road", "●"),
    Derived.COCKROACH: ("Cockroach pig", "/"),
}
CELL = 3
"""Letters for each column of a drawing."""
LEGEND = (
    "P Player, B Banker, T tie; ' Banker pair, . Player pair; a number counts ties."
    " r and b: red and blue marks."
)
LETTERS = {Side.PLAYER: ("P", "blue"), Side.BANKER: ("B", "red"), None: ("T", "green")}


def roads(
    *,
    outcomes: Annotated[
        str,
        Parameter(help='The coups in order: P, B or T, +pp and +bp for pairs: "B P T B+bp".'),
    ],
    json: JsonFlag = False,
) -> None:
    """Draw bead plate, big road, derived roads and ask marks. Information, not a forecast."""
    drawn = draw_roads(parse_marks(outcomes))
    if json:
        print_json(roads_document(drawn))
        return
    out = console()
    if not drawn.bead:
        out.print("No coup yet: the roads are empty.")
    for title, cells in drawings(drawn):
        out.print(f"[bold]{title}[/bold]")
        for line in grid(cells, max(1, out.width // CELL)):
            out.print(line)
        out.print()
    for side in Side:
        marks = "  ".join(
            f"{NAMES[road][0]} {colour_markup(NAMES[road][1], colour)}"
            for road, colour in drawn.ask[side].items()
        )
        out.print(f"If {side.value.title()} came next:  {marks}")
    out.print(f"[dim]{LEGEND}\nRoads are information only; they forecast nothing.[/dim]")


Cell = tuple[int, int, str]


def drawings(drawn: Roads) -> Iterable[tuple[str, list[Cell]]]:
    """Yield each road's name and what stands in its cells."""
    beads = []
    for bead in drawn.bead:
        letter, colour = LETTERS[bead.mark.winner]
        dots = ("'" if bead.mark.banker_pair else "") + ("." if bead.mark.player_pair else "")
        beads.append((bead.col, bead.row, f"[{colour}]{letter}{dots}[/{colour}]"))
    yield "Bead plate", beads
    stones = []
    for stone in drawn.big:
        letter, colour = LETTERS[stone.side]
        ties = "" if not stone.ties else f"[green]{stone.ties}[/green]"
        stones.append((stone.col, stone.row, f"[{colour}]{letter}[/{colour}]{ties}"))
    if not drawn.big and drawn.leading_ties:
        stones.append((0, 0, f"[green]{drawn.leading_ties}[/green]"))
    yield "Big road", stones
    for road, marks in drawn.derived.items():
        glyph = NAMES[road][1]
        cells = [(mark.col, mark.row, colour_markup(glyph, mark.colour)) for mark in marks]
        yield NAMES[road][0], cells


def colour_markup(glyph: str, colour: Colour | None) -> str:
    """Write a derived mark; its letter says the colour where none is shown."""
    if colour is None:
        return "-"
    return f"[{colour.value}]{glyph}{colour.value[0]}[/{colour.value}]"


def grid(cells: list[Cell], fit: int) -> list[str]:
    """Write cells into six rows, in blocks of as many columns as fit side by side."""
    from rich.text import Text  # noqa: PLC0415  # not needed for JSON

    columns = 1 + max((col for col, _, _ in cells), default=0)
    rows = [[".".ljust(CELL)] * columns for _ in range(ROWS)]
    for col, row, markup in cells:
        width = Text.from_markup(markup).cell_len
        rows[row][col] = markup + " " * (CELL - width)
    blocks = [
        "\n".join("".join(row[first : first + fit]) for row in rows)
        for first in range(0, columns, fit)
    ]
    return "\n\n".join(blocks).split("\n")
