"""``croupier odds``: the exact price of every wager, for any shoe."""

from __future__ import annotations

import csv as csv_text
import json as json_text
import sys
from pathlib import Path  # noqa: TC003  # the command line reads the annotation
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from croupier.cli.output import (
    GameName,
    JsonFlag,
    Whole,
    console,
    new_table,
    print_json,
    shown_die,
    standard_input,
)
from croupier.documents import odds_document
from croupier.odds import GameOdds, exact_odds
from croupier.rulebooks import find_game
from croupier.rules.errors import CompositionError, RulesError, quoted
from croupier.rules.shoe import Composition

if TYPE_CHECKING:
    from croupier.odds import WagerOdds
    from croupier.rules.cards import Card, Deck
    from croupier.rules.game import Game


COUNT_MAX = 1_000_000
"""How many cards of one face a shoe file may hold."""


def odds(
    game: GameName,
    /,
    *,
    decks: Annotated[
        Whole | None, Parameter(help="Decks in the shoe, 4 to 10; without it 8.")
    ] = None,
    remove: Annotated[
        str | None, Parameter(help='Cards that are gone from the shoe: "4D 4D KS".')
    ] = None,
    shoe: Annotated[
        Path | None,
        Parameter(
            allow_leading_hyphen=True,
            help='A JSON file with the cards that are left, {"A": {"S": 8, ...}, ...}.',
        ),
    ] = None,
    wager: Annotated[str | None, Parameter(help="Only this wager.")] = None,
    die: Annotated[
        Whole | None, Parameter(help="power-98: the odds when the die shows this.")
    ] = None,
    json: JsonFlag = False,
    csv: Annotated[
        bool, Parameter(name="--csv", negative="", show_default=False, help="Print CSV.")
    ] = False,
) -> None:
    """Price every wager of a game exactly, for a full shoe or any cards that are left."""
    chosen = find_game(game)
    if json and csv:
        message = "Give either --json or --csv."
        raise RulesError(message)
    if shoe is not None and decks is not None:
        message = "Give either --decks or --shoe: a shoe file says itself which cards are left."
        raise RulesError(message)
    if wager is not None:
        wager = chosen.wager(wager.lower()).slug
    left = read_shoe(chosen, shoe) if shoe else chosen.shoe(8 if decks is None else decks)
    if remove:
        left = left.without(chosen.deck.parse_cards(remove))
    found = exact_odds(chosen, left, die=die)
    started = None if shoe else (8 if decks is None else decks)
    wagers = [found[wager]] if wager else list(found.wagers)
    if json:
        print_json(odds_document(found, started, wagers))
    elif csv:
        print_csv(found, wagers)
    else:
        print_odds(found, started, wagers)


def read_shoe(game: Game, path: Path) -> Composition:
    """Read the cards that are left from a JSON file of counts by rank and suit."""
    if str(path) == "-":
        text = standard_input().read()
    else:
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    try:
        counts = json_text.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        message = f"{path} is not JSON: {error}."
        raise CompositionError(message) from None
    if not isinstance(counts, dict):
        message = f'{path} must hold an object such as {{"A": {{"S": 8, "H": 8}}}}.'
        raise CompositionError(message)
    held: dict[Card, int] = {}
    for rank, suits in counts.items():
        if not isinstance(suits, dict):
            message = f"{path}: rank {rank!r} must hold counts by suit, not {suits!r}."
            raise CompositionError(message)
        for suit, count in suits.items():
            card = read_face(game.deck, str(rank), str(suit))
            if type(count) is not int or not 0 <= count <= COUNT_MAX:
                message = (
                    f"{path}: the count of {card} is {quoted(str(count))};"
                    f" a count is a whole number from 0 to {COUNT_MAX:,}."
                )
                raise CompositionError(message)
            if card in held:
                message = f"{path}: {card} is counted twice."
                raise CompositionError(message)
            held[card] = count
    return Composition(game.deck, tuple(held.get(card, 0) for card in game.deck.cards))


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Refuse an object that names a rank or suit twice; JSON itself would keep the last."""
    found: dict[str, object] = {}
    for name, value in pairs:
        if name in found:
            message = f"The shoe names {quoted(name)} twice; count each rank and suit once."
            raise CompositionError(message)
        found[name] = value
    return found


def read_face(deck: Deck, rank: str, suit: str) -> Card:
    """Read a rank and a suit (or element) that stand apart."""
    hyphen = "-" if "-" in deck.cards[0].text else ""
    return deck.parse(f"{rank.strip()}{hyphen}{suit.strip()}")


def print_csv(found: GameOdds, wagers: list[WagerOdds]) -> None:
    """Print a line for each row of each wager."""
    writer = csv_text.writer(sys.stdout, lineterminator="\n")
    columns = (
        "game rulebook cards die wager row pays count total probability contribution"
        " ev edge edge_resolved hit_rate push_rate sd volatility_index"
    )
    writer.writerow(columns.split())
    game = found.game
    shoe = [game.slug, game.edition.code, len(found.composition), found.die or ""]
    for odds in wagers:
        rates = map(float, (odds.edge, odds.edge_resolved, odds.hit_rate, odds.push_rate))
        figures = [odds.ev, *rates, odds.sd, odds.volatility_index]
        for row in odds.rows:
            cells = [odds.wager.slug, row.label, row.pays or "", row.count, row.total]
            cells += [float(row.probability), float(row.contribution)]
            writer.writerow([*shoe, *cells, *figures])


def print_odds(found: GameOdds, decks: int | None, wagers: list[WagerOdds]) -> None:
    """Show the odds on a terminal."""
    cards = f"{len(found.composition)} cards"
    shoe = cards if decks is None else f"{decks} decks, {cards}"
    out = console()
    out.print(f"[bold]{found.game.name}[/bold]  {found.game.edition.code}  {shoe}")
    if found.game.die:
        out.print(f"Figures {shown_die(found.die)}.")
    figures = ("Edge", "resolved", "Hits", "Pushes", "SD")
    table = new_table("Wager", *figures, right=figures)
    for odds in wagers:
        table.add_row(
            odds.wager.name,
            f"{float(odds.edge):.4%}",
            f"{float(odds.edge_resolved):.4%}",
            f"{float(odds.hit_rate):.4%}",
            f"{float(odds.push_rate):.4%}",
            f"{odds.sd:.4f}",
        )
    out.print(table)
    if len(wagers) == 1:
        print_rows(wagers[0])
    out.print("The expectation of a unit staked, exactly:")
    for odds in wagers:
        out.print(f"  {odds.wager.name}  {odds.ev}")
    out.print(
        f"[dim]{found.total:,} ordered deals counted. Edge: per unit placed, and per unit"
        " resolved, where pushes do not count.[/dim]"
    )


def print_rows(odds: WagerOdds) -> None:
    """Show the rows of one wager on a terminal."""
    numbers = ("Deals", "Chance", "Contribution")
    table = new_table("Row", "Pays", *numbers, right=numbers)
    for row in odds.rows:
        table.add_row(
            row.label,
            row.pays or "",
            f"{row.count:,}",
            f"{float(row.probability):.6%}",
            f"{float(row.contribution):+.6f}",
        )
    console().print(table)
