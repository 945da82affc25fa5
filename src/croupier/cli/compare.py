"""``croupier compare``: the edges of all wagers of all games side by side."""

from __future__ import annotations

import csv as csv_text
import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from croupier.cli.output import Decks, JsonFlag, console, print_json
from croupier.odds import exact_odds
from croupier.rulebooks import GAMES
from croupier.rules.errors import RulesError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from croupier.odds import GameOdds

COLUMNS = ("game", "wager", "edge", "sd", "hit_rate")
WAGER_WIDTH = 20
GAME_WIDTH = 8
"""The longest edge, and words of game names; longer words are broken."""


def compare(
    *,
    decks: Decks = 8,
    json: JsonFlag = False,
    csv: Annotated[
        bool, Parameter(name="--csv", negative="", show_default=False, help="Print CSV.")
    ] = False,
) -> None:
    """Show the edge of every wager of every game, for full shoes of so many decks."""
    if json and csv:
        message = "Give either --json or --csv."
        raise RulesError(message)
    found = [exact_odds(game, decks=decks) for game in GAMES]
    if json:
        print_json(comparison(found))
    elif csv:
        writer = csv_text.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(comparison(found))
    else:
        print_comparison(found, decks)


def comparison(found: Sequence[GameOdds]) -> list[dict[str, object]]:
    """Return a line for each wager of each game."""
    return [
        {
            "game": odds.game.slug,
            "wager": wager.wager.slug,
            "edge": float(wager.edge),
            "sd": wager.sd,
            "hit_rate": float(wager.hit_rate),
        }
        for odds in found
        for wager in odds.wagers
    ]


def wager_order(found: Sequence[GameOdds]) -> list[str]:
    """Return all wagers: those that most games have first, then as the games list them."""
    listed: dict[str, int] = {}
    for odds in found:
        for wager in odds.game.wagers:
            listed[wager.slug] = listed.get(wager.slug, 0) + 1
    return sorted(listed, key=lambda slug: -listed[slug])


def heading(slug: str) -> str:
    """Break the name of a game into lines that fit a narrow column.

    >>> heading("fortune-six-tournament").split()
    ['fortune', 'six', 'tourna-', 'ment']
    """
    lines = [""]
    for word in slug.split("-"):
        joined = f"{lines[-1]}-{word}" if lines[-1] else word
        if len(joined) <= GAME_WIDTH:
            lines[-1] = joined
        elif len(word) <= GAME_WIDTH:
            lines.append(word)
        else:
            lines += [f"{word[: GAME_WIDTH - 2]}-", word[GAME_WIDTH - 2 :]]
    return "\n".join(lines).strip()


def print_comparison(found: Sequence[GameOdds], decks: int) -> None:
    """Show the edges on a terminal, as many games abreast as it is wide."""
    out = console()
    out.print(f"[bold]House edge in percent of the stake, {decks} decks[/bold]\n")
    abreast = max(1, (out.width - WAGER_WIDTH) // (GAME_WIDTH + 1))
    order = wager_order(found)
    for start in range(0, len(found), abreast):
        out.print(comparison_table(found[start : start + abreast], order))
        out.print()
    out.print(
        "[dim]power-98 is averaged over the die; below zero the patron has the edge.[/dim]"
    )


def comparison_table(found: Sequence[GameOdds], order: Sequence[str]) -> Table:
    """Lay out some games as columns, and the wagers that one of them has as lines."""
    from rich.table import Table  # noqa: PLC0415  # not needed for JSON

    table = Table(box=None, padding=0, pad_edge=False, header_style="bold")
    table.add_column("", min_width=WAGER_WIDTH, no_wrap=True)
    for odds in found:
        table.add_column(heading(odds.game.slug), justify="right", min_width=GAME_WIDTH + 1)
    edges = [{wager.wager.slug: wager.edge for wager in odds.wagers} for odds in found]
    for slug in order:
        if any(slug in own for own in edges):
            cells = [f"{float(own[slug]):.4%}"[:-1] if slug in own else "" for own in edges]
            table.add_row(slug, *cells)
    return table
