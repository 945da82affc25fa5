"""Tallies: how often each outcome comes, whether counted exactly or simulated.

Every figure is a dot product of a tally with a game's paysheet.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from croupier.odds import plain
from croupier.rules.errors import CompositionError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from croupier.rules.game import Game
    from croupier.rules.shoe import Composition

CARDS_MIN = 6


class Part(NamedTuple):
    """Counts of outcomes of one kind of hand, with the weight of each count."""

    power: bool
    weight: int
    counts: Mapping[int, int]
    """By the index of the outcome."""


@dataclass(frozen=True, eq=False)
class Tally:
    """How often each outcome of a game comes, in ordinary and in Power hands."""

    game: Game
    parts: tuple[Part, ...]

    @cached_property
    def total(self) -> int:
        """Return the number of coups counted."""
        return sum(part.weight * sum(part.counts.values()) for part in self.parts)

    @cached_property
    def joint(self) -> dict[tuple[int, ...], int]:
        """Count by the row numbers of all wagers together: what covariances need."""
        joint: dict[tuple[int, ...], int] = {}
        for power, weight, counts in self.parts:
            sheet = self.game.paysheet(power=power)
            every = zip(sheet.outcomes, zip(*sheet.rows, strict=True), strict=True)
            for index, rows in every:
                count = counts.get(index)
                if count:
                    joint[rows] = joint.get(rows, 0) + weight * count
        return joint

    @cached_property
    def row_counts(self) -> tuple[tuple[int, ...], ...]:
        """Count, for each wager, how often each of its rows applies; the last: it loses."""
        found = [[0] * len(wager.verdicts) for wager in self.game.wagers]
        for rows, count in self.joint.items():
            for counts, row in zip(found, rows, strict=True):
                counts[row] += count
        return tuple(tuple(counts) for counts in found)

    def __repr__(self) -> str:
        return f"Tally({self.game.slug}, {self.total} coups)"


def power_weights(game: Game, die: int | None) -> tuple[tuple[bool, int], ...]:
    """Return the kinds of hand to count and their weights: averaged over the die, or one."""
    if die is not None or game.die is None:
        return ((game.is_power(die), 1),)
    return ((False, len(game.die.faces) - 1), (True, 1))


def require_coup(cards: int) -> None:
    """Refuse so few cards that they may not last for a coup."""
    if cards < CARDS_MIN:
        message = (
            f"{cards} cards are left; a coup may need {CARDS_MIN},"
            " so its chances cannot be counted."
        )
        raise CompositionError(message)


def exact_tally(game: Game, composition: Composition, *, die: int | None = None) -> Tally:
    """Count every ordered six-card deal of a composition, by outcome.

    >>> from croupier import BACCARAT
    >>> exact_tally(BACCARAT, BACCARAT.shoe(8)).total
    4998398275503360
    """
    require_coup(len(composition))
    weights = power_weights(game, die)
    counts = plain.count_outcomes(game.tableau, *rank_counts(game, composition))
    return Tally(game, tuple(Part(power, weight, counts) for power, weight in weights))


def rank_counts(
    game: Game, composition: Composition
) -> tuple[tuple[int, ...], tuple[int, ...] | None]:
    """Return the counts of the ranks, and those of the precious suit where there is one."""
    if composition.deck is not game.deck:
        message = (
            f"{game.name} is played with the {game.deck.name};"
            f" the composition is of the {composition.deck.name}."
        )
        raise CompositionError(message)
    if game.precious is None:
        return composition.by_rank(), None
    width = len(game.deck.suits)
    return composition.by_rank(), composition.counts[
        game.deck.suits.index(game.precious) :: width
    ]
