"""``croupier decided``: which wagers are conclusively won or lost by the known cards."""

from __future__ import annotations

import json as json_text
from pathlib import Path  # noqa: TC003  # the command line reads the annotation
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from croupier.cli.output import (
    Decks,
    GameName,
    JsonFlag,
    answer_lines,
    console,
    new_table,
    print_json,
)
from croupier.rulebooks import find_game
from croupier.rules.decided import decide_wagers, parse_known
from croupier.rules.errors import RulesError, cited
from croupier.rules.shoe import require_decks

if TYPE_CHECKING:
    from croupier.rules.decided import Decided
    from croupier.rules.game import Game


def decided(
    game: GameName,
    /,
    *,
    known: Annotated[
        str | None, Parameter(help='The known cards with their places: "P1=9S P2=9H B1=KD".')
    ] = None,
    file: Annotated[
        Path | None,
        Parameter(
            allow_leading_hyphen=True,
            help="A file with one set of known cards per line, - for standard input.",
        ),
    ] = None,
    wagers: Annotated[
        str | None,
        Parameter(help="The offered wagers, with commas; without it all of the game."),
    ] = None,
    decks: Decks = 8,
    json: JsonFlag = False,
) -> int | None:
    """Say which offered wagers are decided, and whether an outcome is established."""
    chosen = find_game(game)
    if (known is None) == (file is None):
        message = "Give either --known with one set of cards or --file with one set per line."
        raise RulesError(message)
    offered = None if wagers is None else wagers.lower().replace(",", " ").split()
    if offered == []:
        message = "--wagers is empty; name the offered wagers, such as player,banker,tie."
        raise RulesError(message)
    require_decks(decks, cited(chosen.deck_clause))
    for slug in offered or ():
        chosen.wager(slug)
    if file is not None:

        def answer(line: str) -> str:
            found = find_decided(chosen, line, offered, decks)
            return json_text.dumps(decided_document(found)) if json else text_line(found)

        return answer_lines(file, answer, as_json=json)
    found = find_decided(chosen, known or "", offered, decks)
    if json:
        print_json(decided_document(found))
    else:
        print_decided(found)
    return None


def find_decided(game: Game, text: str, offered: list[str] | None, decks: int) -> Decided:
    """Decide the wagers for known cards in notation, or refuse them."""
    known = parse_known(game, text)
    game.require_held(tuple(known.values()), decks)
    return decide_wagers(game, known, offered)


def decided_document(found: Decided) -> dict[str, object]:
    """Return the answer in JSON."""
    return {
        "game": found.game.slug,
        "known": {position.value: card.text for position, card in found.known.items()},
        "established": found.established,
        "wagers": {slug: standing.value for slug, standing in found.wagers.items()},
    }


def text_line(found: Decided) -> str:
    """Return the answer on one line."""
    standings = ", ".join(f"{slug} {standing.value}" for slug, standing in found.wagers.items())
    return f"{'established' if found.established else 'not established'}: {standings}"


def print_decided(found: Decided) -> None:
    """Show the answer on a terminal."""
    known = " ".join(f"{position.value}={card}" for position, card in found.known.items())
    table = new_table("Wager", "Standing")
    styles = {"won": "green", "lost": "red", "push": "yellow", "open": "dim"}
    for slug, standing in found.wagers.items():
        table.add_row(found.game.wager(slug).name, standing.value, style=styles[standing.value])
    out = console()
    out.print(f"[bold]{found.game.name}[/bold]  {known or 'no card is known'}")
    out.print(table)
    if found.established:
        out.print("An outcome is established: at least one offered wager is won or lost.")
    else:
        out.print("No outcome is established: no offered wager is won or lost yet.")
