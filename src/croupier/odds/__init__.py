"""The numbers room: exact odds of any shoe, and what follows from them.

Importing this loads neither numpy nor numba: exact counting has a path in plain Python. What
needs them is loaded by name: ``croupier.odds.exact``, ``.simulate``, ``.counting``,
``.trajectories``, ``.plots``, ``.cluster``.
"""

from croupier.odds.figures import GameOdds, RowOdds, WagerOdds, exact_odds
from croupier.odds.rounds import RoundDistribution, hold_bands, round_distribution
from croupier.odds.tally import Part, Tally, exact_tally

__all__ = [
    "GameOdds",
    "Part",
    "RoundDistribution",
    "RowOdds",
    "Tally",
    "WagerOdds",
    "exact_odds",
    "exact_tally",
    "hold_bands",
    "round_distribution",
]
