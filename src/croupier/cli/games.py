"""``croupier games``: the eleven games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cli.output import JsonFlag, console, new_table, print_json
from croupier.documents import game_document
from croupier.rulebooks import GAMES
from croupier.rules.shoe import DECKS_MAX, DECKS_MIN

if TYPE_CHECKING:
    from croupier.rules.game import Game


SLUG_WIDTH = 23
"""Room for the longest name that one may have to type, with brackets and a comma."""


def games(*, json: JsonFlag = False) -> None:
    """List the eleven games with their rulebook, version, deck and wagers."""
    if json:
        print_json([game_document(game) for game in GAMES])
        return
    headings = ("Game", "Rulebook and deck", "Wagers (optional ones in brackets)")
    table = new_table(*headings, title="The eleven games")
    table.show_lines = True
    for column in (table.columns[0], table.columns[-1]):
        column.min_width = SLUG_WIDTH
    for game in GAMES:
        edition = game.edition
        table.add_row(
            f"[bold]{game.slug}[/bold]\n{game.name}",
            f"{edition.code} version {edition.version}\n{effective(game)}\n"
            f"{DECKS_MIN} to {DECKS_MAX} decks of {len(game.deck)}",
            ", ".join(
                f"\\[{wager.slug}]" if wager.optional else wager.slug for wager in game.wagers
            ),
        )
    console().print(table)


def effective(game: Game) -> str:
    """Say from when the rulebook of a game is in force."""
    moment = game.edition.effective
    day = f"from {moment.day} {moment:%B %Y}"
    return f"{day}, {moment:%H:%M}" if moment.hour else day
