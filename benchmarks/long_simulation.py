"""Deal 10^8 coups of every game and compare every wager with its exact value.

Prints a table and ends with 1 if a wager is more than 4.5 standard errors off, or if an
outcome came that cannot come. An argument says how many coups.
"""

from __future__ import annotations

import sys

from rich.console import Console
from rich.table import Table

from croupier import GAMES
from croupier.odds.simulate import simulate

COUPS = 100_000_000
Z_MAX = 4.5
SEED = 20260401


def main() -> int:
    """Simulate, print, and tell whether all is well."""
    coups = int(sys.argv[1]) if len(sys.argv) > 1 else COUPS
    table = Table(title=f"{coups:,} coups of every game, 8 decks, seeds from {SEED}")
    for heading in ("game", "wagers", "largest |z|", "wager", "million coups/s"):
        table.add_column(heading, justify="left" if heading in ("game", "wager") else "right")
    wrong = []
    for number, game in enumerate(GAMES):
        found = simulate(game, coups=coups, seed=SEED + number)
        worst = max(found.wagers, key=lambda result: abs(result.z))
        reached = {index for part in found.tally.parts for index in part.counts}
        if abs(worst.z) > Z_MAX or not reached <= set(game.outcomes):
            wrong.append(game.slug)
        speed = f"{found.coups_per_second / 1e6:.1f}"
        cells = (str(len(found.wagers)), f"{abs(worst.z):.2f}", worst.wager.slug, speed)
        table.add_row(game.slug, *cells)
    Console(width=100).print(table)
    if wrong:
        print(f"Wrong: {', '.join(wrong)}.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
