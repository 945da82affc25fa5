"""How fast coups are settled, wagers decided and commands started. Prints; asserts nothing."""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from croupier import GAMES, decide_wagers, find_game, format_cards

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier import Card, Game, Position

COUPS = 50_000
REPEATS = 5


def dealt(game: Game, count: int) -> list[tuple[Card, ...]]:
    """Deal coups from full shoes, always the same ones."""
    chance = random.Random(98)
    shoe = game.shoe().cards()
    coups = []
    for _ in range(count):
        cards = chance.sample(shoe, 6)
        coup = game.coup(cards[:4])
        while not coup.complete:
            coup = coup.draw(cards[len(coup.cards)])
        coups.append(coup.cards)
    return coups


def best(work: Callable[[], object]) -> float:
    """Return the shortest time of several runs, in seconds."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def settled_per_second(game: Game, coups: list[tuple[Card, ...]]) -> float:
    """Settle coups through the public call, all wagers of the game."""

    def work() -> None:
        settle = game.settle
        for cards in coups:
            settle(cards)

    return len(coups) / best(work)


def file_lines_per_second(game: Game, coups: list[tuple[Card, ...]]) -> float:
    """Settle a file of coups with the command line, start-up included."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "coups.txt"
        file.write_text("\n".join(map(format_cards, coups)) + "\n", encoding="utf-8")
        command = ["settle", game.slug, "--file", str(file), "--json"]
        return len(coups) / best(lambda: run(*command))


def run(*arguments: str) -> None:
    """Run a command as a process of its own."""
    command = [sys.executable, "-m", "croupier", *arguments]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603  # our own


def main() -> None:
    """Measure and print."""
    table = Table(title="Coups settled per second, one core, all wagers of the game")
    for heading in ("game", "wagers", "library call", "settle --file --json", "goal"):
        table.add_column(heading, justify="right" if heading != "game" else "left")
    for game in GAMES:
        coups = dealt(game, COUPS)
        goal = "100,000 / 20,000" if game.slug == "baccarat" else "- / 20,000"
        table.add_row(
            game.slug,
            str(len(game.wagers)),
            f"{settled_per_second(game, coups):,.0f}",
            f"{file_lines_per_second(game, coups):,.0f}",
            goal,
        )
    out = Console(width=100)
    out.print(table)
    started = Table(title="Single calls, milliseconds")
    for heading in ("call", "best of five", "goal"):
        started.add_column(heading)
    started.add_row("python -c pass", f"{1000 * best(bare):.0f}", "")
    started.add_row("croupier games", f"{1000 * best(lambda: run('games')):.0f}", "300")
    tiger = find_game("tiger")
    known: dict[Position, Card] = {}
    started.add_row(
        "decided, warm", f"{1000 * best(lambda: decide_wagers(tiger, known)):.3f}", ""
    )
    out.print(started)


def bare() -> None:
    """Start Python and end it, for comparison."""
    subprocess.run([sys.executable, "-c", "pass"], check=True)


if __name__ == "__main__":
    main()
