"""The numbers room: exact odds of any shoe, and what follows from them.

Importing this loads neither numpy nor numba: exact counting has a path in plain Python.
"""

from croupier.odds.figures import GameOdds, RowOdds, WagerOdds, exact_odds
from croupier.odds.tally import Part, Tally, exact_tally

__all__ = ["GameOdds", "Part", "RowOdds", "Tally", "WagerOdds", "exact_odds", "exact_tally"]
