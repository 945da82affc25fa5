"""``croupier settle``: what a coup does to every wager of its game."""

from __future__ import annotations

import json as json_text
import re
from pathlib import Path  # noqa: TC003  # the command line reads the annotation
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from croupier.cli.output import (
    Decks,
    Die,
    GameName,
    JsonFlag,
    answer_lines,
    card_markup,
    console,
    new_table,
    print_json,
)
from croupier.rulebooks import find_game
from croupier.rules.errors import RulesError, cited, quoted
from croupier.rules.shoe import require_decks

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.rules.coup import Hand
    from croupier.rules.game import Game, Settlement
    from croupier.rules.wagers import Verdict


DIE = re.compile(r"\s*die\s+([0-9]{1,3})\s*", re.IGNORECASE | re.ASCII)


def settle(
    game: GameName,
    /,
    *,
    cards: Annotated[
        str | None, Parameter(help='Cards in draw order, P1 B1 P2 B2 [P3] [B3]: "5S 6S 5D 4C".')
    ] = None,
    file: Annotated[
        Path | None,
        Parameter(
            allow_leading_hyphen=True,
            help="A file (- for standard input), one coup per line; it may end with ; die 3.",
        ),
    ] = None,
    die: Die | None = None,
    decks: Decks = 8,
    json: JsonFlag = False,
) -> int | None:
    """Settle a coup for every wager of the game, the optional ones too."""
    chosen = find_game(game)
    if (cards is None) == (file is None):
        message = "Give either --cards with one coup or --file with one coup per line."
        raise RulesError(message)
    require_decks(decks, cited(chosen.deck_clause))
    chosen.is_power(die)
    if file is not None:
        write = json_line(chosen) if json else text_line
        return answer_lines(
            file, lambda line: write(settled_line(chosen, line, die, decks)), as_json=json
        )
    settlement = settled(chosen, cards or "", die, decks)
    if json:
        print_json(settlement_document(settlement))
    else:
        print_settlement(settlement)
    return None


def settled(game: Game, cards: str, die: int | None, decks: int) -> Settlement:
    """Settle cards in notation, or refuse them."""
    coup = game.coup(cards)
    game.require_held(coup.cards, decks)
    return game.settle(coup, die=die)


def settled_line(game: Game, line: str, die: int | None, decks: int) -> Settlement:
    """Settle a line such as ``5S 6S 5D 4C QS 7H; die 3``."""
    cards, semicolon, rest = line.partition(";")
    if semicolon:
        shown = DIE.fullmatch(rest)
        if shown is None:
            message = f"{quoted(rest.strip())} is not a die; write '; die 3' behind the cards."
            raise RulesError(message)
        die = int(shown[1])
    return settled(game, cards, die, decks)


def hand_document(hand: Hand) -> dict[str, object]:
    """Return a hand in JSON."""
    return {"cards": [card.text for card in hand.cards], "points": hand.points}


def hands_document(settlement: Settlement) -> dict[str, object]:
    """Return the part of the answer that depends on the very cards."""
    return {
        "game": settlement.game.slug,
        "player": hand_document(settlement.coup.player),
        "banker": hand_document(settlement.coup.banker),
    }


def results_document(settlement: Settlement) -> dict[str, object]:
    """Return the part of the answer that is the same for all coups with this outcome."""
    outcome = settlement.outcome
    return {
        "winner": outcome.winner.value if outcome.winner else "tie",
        "natural": outcome.player.natural or outcome.banker.natural,
        "power": outcome.power,
        "results": {verdict.wager: verdict_document(verdict) for verdict in settlement},
    }


def verdict_document(verdict: Verdict) -> dict[str, object]:
    """Return what happens to one wager in JSON."""
    return {
        "net": str(verdict.net),
        "result": verdict.result.value,
        "row": verdict.row.label if verdict.row else None,
        "pays": verdict.pays,
        "clause": verdict.clause,
    }


def settlement_document(settlement: Settlement) -> dict[str, object]:
    """Return a settled coup in JSON."""
    return hands_document(settlement) | results_document(settlement)


def json_line(game: Game) -> Callable[[Settlement], str]:
    """Return a writer of JSON lines that writes the results of an outcome once only."""
    written: dict[tuple[int, bool], str] = {}
    dumps = json_text.dumps

    def write(settlement: Settlement) -> str:
        assert settlement.game is game
        key = settlement.index, settlement.power
        results = written.get(key)
        if results is None:
            results = written[key] = dumps(results_document(settlement))[1:]
        return f"{dumps(hands_document(settlement))[:-1]}, {results}"

    return write


def text_line(settlement: Settlement) -> str:
    """Return a settled coup on one line: the hands, the winner and what does not lose."""
    paid = [
        f"{verdict.wager} {verdict.pays}" for verdict in settlement if verdict.pays is not None
    ]
    winner = settlement.winner.value if settlement.winner else "tie"
    player, banker = settlement.coup.player, settlement.coup.banker
    return f"{player.points}-{banker.points} {winner}: {', '.join(paid) or 'all wagers lose'}"


def print_settlement(settlement: Settlement) -> None:
    """Show a settled coup on a terminal."""
    out = console()
    out.rule(f"[bold]{settlement.game.name}[/bold]", align="left")
    for hand in (settlement.coup.player, settlement.coup.banker):
        natural = "  natural" if hand.natural else ""
        cards = "  ".join(card_markup(card) for card in hand.cards)
        out.print(f"{hand.side.value.title():<7} {hand.points}   {cards}[dim]{natural}[/dim]")
    winner = settlement.winner
    power = ", Power hand" if settlement.power else ""
    out.print(f"[bold]{f'{winner.value.title()} wins' if winner else 'Tie'}[/bold]{power}\n")
    if settlement.game.die and not settlement.power:
        out.print("The ordinary odds: no Power hand.\n")
    table = new_table("Wager", "Result", "Row", "Pays", "Clause")
    styles = {"wins": "green", "pushes": "yellow", "loses": "dim"}
    for verdict in settlement:
        table.add_row(
            settlement.game.wager(verdict.wager).name,
            verdict.result.value,
            verdict.row.label if verdict.row else "",
            verdict.pays or "",
            verdict.clause or "",
            style=styles[verdict.result.value],
        )
    out.print(table)
