"""``croupier games``: the eleven games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cli.output import JsonFlag, console, print_json
from croupier.rulebooks import GAMES
from croupier.rules.shoe import DECKS_MAX, DECKS_MIN

if TYPE_CHECKING:
    from croupier.rules.game import Game


def games(*, json: JsonFlag = False) -> None:
    """List the eleven games with their rulebook, version, deck and wagers."""
    if json:
        print_json([game_document(game) for game in GAMES])
        return
    from rich.table import Table  # noqa: PLC0415  # not needed for JSON

    table = Table(title="The eleven games", title_justify="left", show_lines=True)
    for heading in ("Game", "Rulebook", "Deck", "Wagers (optional ones in brackets)"):
        table.add_column(heading)
    for game in GAMES:
        edition = game.edition
        table.add_row(
            f"[bold]{game.slug}[/bold]\n{game.name}",
            f"{edition.code} version {edition.version}\n{effective(game)}",
            f"{len(game.deck)} cards\n{DECKS_MIN} to {DECKS_MAX} decks",
            ", ".join(
                f"\\[{wager.slug}]" if wager.optional else wager.slug for wager in game.wagers
            ),
        )
    console().print(table)


def game_document(game: Game) -> dict[str, object]:
    """Return what is said of a game in JSON."""
    return {
        "game": game.slug,
        "name": game.name,
        "rulebook": game.edition.code,
        "title": game.edition.title,
        "version": game.edition.version,
        "effective": game.edition.effective.isoformat(),
        "deck": len(game.deck),
        "decks": {"min": DECKS_MIN, "max": DECKS_MAX},
        "wagers": [wager.slug for wager in game.wagers],
        "optional": [wager.slug for wager in game.wagers if wager.optional],
    }


def effective(game: Game) -> str:
    """Say from when the rulebook of a game is in force."""
    moment = game.edition.effective
    day = f"from {moment.day} {moment:%B %Y}"
    return f"{day}, {moment:%H:%M}" if moment.hour else day
