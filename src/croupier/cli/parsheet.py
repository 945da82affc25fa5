"""``croupier parsheet``: the PAR sheet of a game, as a file."""

from __future__ import annotations

from datetime import date as calendar_date
from pathlib import Path  # noqa: TC003  # the command line reads the annotation
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from croupier.cli.output import Decks, GameName, JsonFlag, Whole, console, print_json
from croupier.odds.parsheet import par_sheet
from croupier.rulebooks import find_game
from croupier.rules.errors import RulesError

if TYPE_CHECKING:
    from croupier.odds.parsheet import ParSheet


def parsheet(
    game: GameName,
    /,
    *,
    output: Annotated[
        Path | None,
        Parameter(name=["--output", "-o"], help="The file: .html, .pdf, .csv or .xlsx."),
    ] = None,
    decks: Decks = 8,
    die: Annotated[
        Whole | None, Parameter(help="power-98: only the hands when the die shows this.")
    ] = None,
    date: Annotated[
        str | None,
        Parameter(help="A date to print, as 2026-01-31; without it the sheet bears none."),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Write a PAR sheet from exact counts: the same input gives the same sheet."""
    from croupier.odds import sheetfiles  # noqa: PLC0415  # the libraries for files are slow

    chosen = find_game(game)
    if output is None and json:
        print_json(sheet_document(par_sheet(chosen, decks=decks, die=die), None))
        return
    if output is None:
        message = f"Say with -o which file to write; it ends in {sheetfiles.ENDINGS}."
        raise RulesError(message)
    sheetfiles.writer(output)
    sheet = par_sheet(chosen, decks=decks, die=die, date=read_date(date))
    sheetfiles.write_sheet(sheet, output)
    if json:
        print_json(sheet_document(sheet, output))
        return
    out = console()
    out.print(f"Wrote {output}: {sheet.game.name}, {decks} decks.", markup=False)
    out.print(f"SHA-256 of the results {sheet.sha256}", markup=False)


def read_date(text: str | None) -> calendar_date | None:
    """Read a date; refuse what is none."""
    if text is None:
        return None
    try:
        return calendar_date.fromisoformat(text)
    except ValueError:
        message = f"{text!r} is not a date; write it as 2026-01-31."
        raise RulesError(message) from None


def sheet_document(sheet: ParSheet, path: Path | None) -> dict[str, object]:
    """Return what was written, with the exact results that the hash is of."""
    return {
        "game": sheet.game.slug,
        "decks": sheet.odds.decks,
        "die": sheet.odds.die,
        "file": path and str(path),
        "sha256": sheet.sha256,
        "results": sheet.results,
    }
