"""Write the rounds by which the pages check that they count what the rules say.

Run it with ``python -m tools.count_shoes``; a test fails when the file is stale.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.cli.deal import deal_coup
from croupier.roads import mark_of
from croupier.rulebooks import GAMES
from croupier.table.state import Result
from croupier.table.views.public import result_of, winner_named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.rules.game import Game
    from croupier.rules.outcome import Outcome

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "web" / "tests" / "terminal" / "counts.golden.json"
ROUNDS = 60


def told_of(outcome: Outcome) -> Iterator[str]:
    """Yield what a coup is counted under."""
    hands = {"player": outcome.player, "banker": outcome.banker}
    yield winner_named(outcome.winner)
    yield from (f"{side} pair" for side, hand in hands.items() if hand.pair)
    if any(hand.natural for hand in hands.values()):
        yield "natural"


def rounds(game: Game) -> dict[str, Any]:
    """Return rounds of a game as the house tells them, and what they count for."""
    told: Counter[str] = Counter()
    results, badges = [], []
    first = ROUNDS * GAMES.index(game)
    for number in range(1, ROUNDS + 1):
        die, settlement = deal_coup(game, 8, first + number)
        outcome = settlement.outcome
        cards = tuple(str(card) for card in settlement.coup.cards)
        result = Result(round=number, cards=cards, die=die, void=False)
        results.append(msgspec.to_builtins(result_of(game, result)))
        told.update(told_of(outcome))
        badges.append(mark_of(game, outcome).badges)
    wagers = [wager.slug for wager in game.wagers]
    return {"wagers": wagers, "counts": told, "results": results, "badges": badges}


def text() -> str:
    """Write every game on a line, and below it each of its rounds."""
    games = {game.slug: rounds(game) for game in GAMES}
    fields = list(games[GAMES[0].slug]["results"][0])
    for shown in games.values():
        shown["results"] = [list(result.values()) for result in shown["results"]]
    lines = (
        f"{json.dumps(slug)}:{json.dumps(shown, separators=(',', ':'))}"
        for slug, shown in games.items()
    )
    joined = ",\n".join(lines)
    return f'{{"fields":{json.dumps(fields)},\n"games":{{\n{joined}\n}}}}\n'


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
