"""What commands share: printing JSON and tables, reading files line by line."""

from __future__ import annotations

import json
import os
import re
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TextIO

import msgspec
from cyclopts import Parameter

from croupier.rules.errors import RulesError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from cyclopts import Token
    from rich.console import Console
    from rich.table import Table

    from croupier.rules.cards import Card

JsonFlag = Annotated[
    bool, Parameter(name="--json", negative="", show_default=False, help="Print JSON.")
]


def whole_number(_: type, tokens: Sequence[Token]) -> int:
    """Read a whole number and nothing else: no fraction, no other base, no other script."""
    text = tokens[0].value
    if not WHOLE.fullmatch(text):
        message = f"{quoted(text)} is not a whole number."
        raise ValueError(message)
    return int(text)


WHOLE = re.compile(r"[+-]?[0-9]{1,40}")
Whole = Annotated[int, Parameter(converter=whole_number)]
"""A whole number, strictly: a die of 2.6 is not a die of 3."""
Decks = Annotated[Whole, Parameter(help="Decks in the shoe, 4 to 10.")]
Die = Annotated[Whole, Parameter(help="The die, 1 to 6; power-98 only.")]

GameName = Annotated[
    str, Parameter(name="GAME", help="A game, such as baccarat; `croupier games` lists them.")
]

RED_SUITS = "HD"


def print_json(document: object) -> None:
    """Print a document for programs, and still legible for people."""
    sys.stdout.write(json.dumps(msgspec.to_builtins(document), indent=2) + "\n")


def console() -> Console:
    """Return a console for tables; plain and wide when the output is not a terminal."""
    from rich.console import Console  # noqa: PLC0415  # not needed for JSON

    class Output(Console):
        """Leaves a reader that went away to the command line, as printing JSON does."""

        def on_broken_pipe(self) -> None:
            raise  # noqa: PLE0704  # it is called where the error is handled

    known = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Output(width=None if known else 120, highlight=False, soft_wrap=False)


def new_table(*headings: str, right: Collection[str] = (), title: str = "") -> Table:
    """Return a table that folds what does not fit: no name and no digit is ever left out."""
    from rich.table import Table  # noqa: PLC0415  # not needed for JSON

    table = Table(title=title or None, title_justify="left", title_style="bold")
    for heading in headings:
        justify: Literal["left", "right"] = "right" if heading in right else "left"
        table.add_column(heading, justify=justify, overflow="fold")
    return table


def card_markup(card: Card) -> str:
    """Write a card for a terminal, hearts and diamonds in red."""
    return f"[red]{card.text}[/red]" if card.text[-1] in RED_SUITS else card.text


def answer_lines(path: Path, answer: Callable[[str], str], *, as_json: bool) -> int:
    """Answer every line of a file (``-`` is standard input), in order; return the exit code.

    A line that is refused gets its number and the reason, and the others go on.
    """
    refused = number = 0
    for number, line in enumerate(_lines(path), start=1):
        try:
            text = answer(line)
        except RulesError as error:
            refused += 1
            text = (
                json.dumps({"line": number, "error": str(error)})
                if as_json
                else f"line {number}: {error}"
            )
        sys.stdout.write(text + "\n")
    if number == 0:
        sys.stderr.write(f"croupier: {_named(path)} has no line, so nothing was answered.\n")
    if refused:
        sys.stdout.flush()
        lines = "line was" if refused == 1 else "lines were"
        sys.stderr.write(f"croupier: {refused} {lines} refused.\n")
    return 1 if refused else 0


def _named(path: Path) -> str:
    """Name where lines came from."""
    return "Standard input" if str(path) == "-" else str(path)


def _lines(path: Path) -> Iterator[str]:
    """Read lines; what is not UTF-8 is replaced, so that only its own line is refused."""
    if str(path) == "-":
        yield from standard_input()
        return
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        if not sys.stderr.isatty() or sys.stdout.isatty():
            yield from file
            return
        yield from _with_progress(file, path.stat().st_size)


def shown_die(die: int | None) -> str:
    """Say which kind of hand the figures of a game with a die are for."""
    return "averaged over the die" if die is None else f"for rounds whose die shows {die}"


def say_compiling() -> None:
    """Tell somebody at a terminal why the very first call takes so long."""
    folder = Path(__file__).parent.parent / "odds" / "__pycache__"
    if sys.stderr.isatty() and not any(folder.glob("*.nbc")):
        sys.stderr.write("croupier: compiling, this once; it takes up to half a minute.\n")


def standard_input() -> TextIO:
    """Return standard input as text; what is not UTF-8 is replaced."""
    if sys.stdin is None:
        message = "Standard input is closed; name a file instead of -."
        raise RulesError(message)
    sys.stdin.reconfigure(encoding="utf-8-sig", errors="replace")  # type: ignore[union-attr]
    return sys.stdin


def _with_progress(lines: Iterator[str], size: int) -> Iterator[str]:
    """Show how far a long file has got, on standard error."""
    with progress_bar("characters", "reading") as report:
        read = 0
        for number, line in enumerate(lines):
            read += len(line)
            if report is not None and number % 1000 == 0:
                report(read, size)
            yield line


@contextmanager
def progress_bar(
    unit: str, doing: str = "dealing"
) -> Iterator[Callable[[int, int], None] | None]:
    """Show how much is done, the rate and the time left; nothing without a terminal.

    Yields what is to be called with the number done and the number asked for, or None.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415  # only for a terminal
    from rich.progress import (  # noqa: PLC0415  # only for a terminal
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn(doing),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=None, rate="")

        def report(done: int, asked: int) -> None:
            rate = rate_text(bar.tasks[0].speed, unit)
            bar.update(task, completed=done, total=asked, rate=rate)

        yield report


def rate_text(speed: float | None, unit: str) -> str:
    """Write a rate with the unit that suits its size.

    >>> rate_text(85_100_000, "coups"), rate_text(1234.5, "shoes"), rate_text(2.34, "shoes")
    ('85.1 million coups/s', '1,234 shoes/s', '2.3 shoes/s')
    """
    if not speed:
        return ""
    if speed >= MILLION:
        return f"{speed / MILLION:,.1f} million {unit}/s"
    return f"{speed:,.0f} {unit}/s" if speed >= TENS else f"{speed:.1f} {unit}/s"


MILLION = 1_000_000
TENS = 10
