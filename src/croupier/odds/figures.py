"""Figures of wagers: expectation, edge, rates, deviation and covariance, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

from croupier.odds import frames
from croupier.odds.tally import Tally, exact_tally
from croupier.rules.wagers import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from croupier.rules.game import Game
    from croupier.rules.shoe import Composition
    from croupier.rules.wagers import Wager

VOLATILITY_CONFIDENCE = 0.90
"""The volatility index is the deviation times the two-sided normal quantile of this."""


@dataclass(frozen=True, slots=True)
class RowOdds:
    """One pay row, or the losing remainder: how often it applies and what it contributes."""

    label: str
    pays: str | None
    clause: str | None
    net: Fraction
    count: int
    total: int

    @property
    def probability(self) -> Fraction:
        """Return the chance that this row applies."""
        return Fraction(self.count, self.total)

    @property
    def contribution(self) -> Fraction:
        """Return what this row adds to the expectation per unit staked."""
        return self.net * self.probability


@dataclass(frozen=True, eq=False)
class WagerOdds(frames.Tabular):
    """All figures of one wager, per unit staked."""

    wager: Wager
    counts: tuple[int, ...]
    """How often each row applies; the last: it loses."""
    total: int

    @cached_property
    def rows(self) -> tuple[RowOdds, ...]:
        """Return the rows in order, then the losing remainder."""
        return tuple(
            RowOdds(
                verdict.row.label if verdict.row else Result.LOSES.value,
                verdict.pays,
                verdict.clause,
                verdict.net,
                count,
                self.total,
            )
            for verdict, count in zip(self.wager.verdicts, self.counts, strict=True)
        )

    @cached_property
    def ev(self) -> Fraction:
        """Return the expectation of the net result."""
        return sum((row.net * row.count for row in self.rows), Fraction(0)) / self.total

    @property
    def edge(self) -> Fraction:
        """Return the house edge per unit placed; negative where the patron has it."""
        return -self.ev

    @property
    def edge_resolved(self) -> Fraction:
        """Return the house edge per unit resolved: pushes do not count as placed."""
        resolved = 1 - self.push_rate
        return self.edge / resolved if resolved else Fraction(0)

    @property
    def hit_rate(self) -> Fraction:
        """Return the chance of a positive net result."""
        return Fraction(sum(row.count for row in self.rows if row.net > 0), self.total)

    @property
    def push_rate(self) -> Fraction:
        """Return the chance of a net result of zero."""
        return Fraction(sum(row.count for row in self.rows if row.net == 0), self.total)

    @cached_property
    def variance(self) -> Fraction:
        """Return the variance of the net result."""
        square = sum((row.net**2 * row.count for row in self.rows), Fraction(0)) / self.total
        return square - self.ev**2

    @property
    def sd(self) -> float:
        """Return the standard deviation of the net result."""
        return sqrt(self.variance)

    @property
    def volatility_index(self) -> float:
        """Return the deviation times the normal quantile of the stated confidence."""
        return NormalDist().inv_cdf((1 + VOLATILITY_CONFIDENCE) / 2) * self.sd

    def tables(self) -> Mapping[str, Callable[[], frames.Columns]]:
        """Return the tables for data frames: the rows."""
        return {"rows": lambda: frames.wager_rows(self)}

    def caption(self) -> str:
        """Return the heading of the table in a notebook."""
        return f"{self.wager.name}: edge {float(self.edge):.4%}, deviation {self.sd:.4f}"

    def __repr__(self) -> str:
        return f"WagerOdds({self.wager.slug}, ev {float(self.ev):+.6f}, sd {self.sd:.4f})"


@dataclass(frozen=True, eq=False)
class GameOdds(frames.Tabular):
    """The exact odds of every wager of a game, for one composition.

    >>> from croupier import find_game
    >>> odds = exact_odds(find_game("baccarat"))
    >>> odds["player-pair"].ev, round(float(odds["banker"].edge), 6)
    (Fraction(-43, 415), 0.010579)
    """

    tally: Tally
    composition: Composition
    decks: int | None
    """The number of decks of a shoe that started full, None for any other composition."""
    die: int | None = None

    @property
    def game(self) -> Game:
        """Return the game."""
        return self.tally.game

    @property
    def total(self) -> int:
        """Return the number of deals counted (six times as many where a die is averaged)."""
        return self.tally.total

    @cached_property
    def wagers(self) -> tuple[WagerOdds, ...]:
        """Return the figures of every wager, in the order of the game."""
        return tuple(
            WagerOdds(wager, counts, self.total)
            for wager, counts in zip(self.game.wagers, self.tally.row_counts, strict=True)
        )

    def __getitem__(self, slug: str) -> WagerOdds:
        wager = self.game.wager(slug)
        return next(found for found in self.wagers if found.wager is wager)

    @cached_property
    def covariance(self) -> tuple[tuple[Fraction, ...], ...]:
        """Return the covariance matrix of the net results of all wagers, exactly."""
        nets = [[verdict.net for verdict in wager.verdicts] for wager in self.game.wagers]
        size = len(nets)
        products = [[Fraction(0)] * size for _ in nets]
        for rows, count in self.tally.joint.items():
            result = [own[row] for own, row in zip(nets, rows, strict=True)]
            for i in range(size):
                if result[i]:
                    for j in range(i, size):
                        products[i][j] += result[i] * result[j] * count
        means = [wager.ev for wager in self.wagers]
        return tuple(
            tuple(
                products[min(i, j)][max(i, j)] / self.total - means[i] * means[j]
                for j in range(size)
            )
            for i in range(size)
        )

    def tables(self) -> Mapping[str, Callable[[], frames.Columns]]:
        """Return the tables for data frames: rows, wagers, covariance."""
        return {
            "rows": lambda: frames.game_rows(self),
            "wagers": lambda: frames.game_figures(self),
            "covariance": lambda: frames.game_covariance(self),
        }

    def shown(self) -> frames.Columns:
        """Return the table that a notebook shows: a line for each wager."""
        return frames.wager_figures(self.wagers)

    def caption(self) -> str:
        """Return the heading of the table in a notebook."""
        shoe = f"{self.decks} decks" if self.decks else f"{len(self.composition)} cards"
        die = "" if self.die is None else f", the die shows {self.die}"
        return f"{self.game.name}, {shoe}{die}"

    def __repr__(self) -> str:
        return f"GameOdds({self.game.slug}, {len(self.composition)} cards)"


def exact_odds(
    game: Game,
    composition: Composition | None = None,
    *,
    decks: int = 8,
    die: int | None = None,
) -> GameOdds:
    """Return the exact odds of every wager, for a full shoe or any remaining composition.

    Power Baccarat 98 is averaged over the die unless ``die`` names one.
    """
    full = composition is None
    shoe = game.shoe(decks) if composition is None else composition
    return GameOdds(exact_tally(game, shoe, die=die), shoe, decks if full else None, die)
