"""All that any settlement chapter can see of a coup, and the conditions they speak of.

An outcome says, for each hand, its points, whether it has two cards or three, the rank
of its initial pair (or none) and whether that pair is of the precious suit; and whether
the round is a Power hand. Pay rows are predicates over it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from croupier.frozen import Named
from croupier.rules.cards import Rank


class Side(Named):
    """One of the two hands. The person who bets is a patron, never a "player"."""

    PLAYER = "player"
    BANKER = "banker"

    @property
    def other(self) -> Side:
        """Return the hand on the other side."""
        return Side.BANKER if self is Side.PLAYER else Side.PLAYER


class HandSummary(NamedTuple):
    """What settlement sees of one hand."""

    points: int
    cards: int
    pair: int = 0
    """The rank number of the pair made by the first two cards, or 0."""
    precious: bool = False
    """Whether both cards of that pair are of the game's precious suit."""

    @property
    def natural(self) -> bool:
        """Tell whether this is a two-card 8 or 9 (three cards never make one)."""
        return self.cards == 2 and self.points >= 8  # noqa: PLR2004  # as the rulebooks say


PRECIOUS = 16
"""Added to the rank number of a pair of the precious suit in an outcome's index."""

PAIR_CODES = 2 * PRECIOUS
FOUR = Rank.FOUR.number
INDEX_SIZE = PAIR_CODES * PAIR_CODES * 4 * 10 * 10
"""One more than the largest index that an outcome can have."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What settlement sees of a coup.

    >>> from croupier.rulebooks import BACCARAT
    >>> outcome = BACCARAT.coup("5S 6S 5D 4C QS 7H").outcome()
    >>> outcome.player.points, outcome.banker.points, outcome.player.pair, outcome.winner
    (0, 7, 5, Side.BANKER)
    """

    player: HandSummary
    banker: HandSummary
    power: bool = False

    @property
    def winner(self) -> Side | None:
        """Return the hand with the higher points, or None for a tie."""
        if self.player.points == self.banker.points:
            return None
        return Side.PLAYER if self.player.points > self.banker.points else Side.BANKER

    def hand(self, side: Side) -> HandSummary:
        """Return the summary of one hand."""
        return self.player if side is Side.PLAYER else self.banker

    @property
    def index(self) -> int:
        """Return the dense index of the cards' part of this outcome (all but ``power``)."""
        return outcome_index(
            self.player.points,
            self.banker.points,
            (self.player.cards - 2) + 2 * (self.banker.cards - 2),
            self.player.pair + PRECIOUS * self.player.precious,
            self.banker.pair + PRECIOUS * self.banker.precious,
        )

    @classmethod
    def from_index(cls, index: int, *, power: bool = False) -> Outcome:
        """Return the outcome with this index."""
        index, player_points = divmod(index, 10)
        index, banker_points = divmod(index, 10)
        index, drawn = divmod(index, 4)
        banker_pair, player_pair = divmod(index, PAIR_CODES)
        return cls(
            _summary(player_points, 2 + drawn % 2, player_pair),
            _summary(banker_points, 2 + drawn // 2, banker_pair),
            power,
        )


def outcome_index(
    player_points: int,
    banker_points: int,
    drawn: int,
    player_pair: int = 0,
    banker_pair: int = 0,
) -> int:
    """Return an outcome's number; ``drawn`` is 1 if Player drew plus 2 if Banker did.

    The number is the sum of a part for points and drawn cards and a part for pairs.
    """
    pairs = banker_pair * PAIR_CODES + player_pair
    return ((pairs * 4 + drawn) * 10 + banker_points) * 10 + player_points


def _summary(points: int, cards: int, code: int) -> HandSummary:
    return HandSummary(points, cards, code % PRECIOUS, code > PRECIOUS)


Condition = Callable[[Outcome], bool]


def _named(condition: Condition, name: str, meaning: str) -> Condition:
    condition.__name__ = condition.__qualname__ = name
    condition.__doc__ = meaning
    return condition


def wins(side: Side) -> Condition:
    """Return the condition that this hand has the higher points."""
    return _named(
        lambda outcome: outcome.winner is side, f"{side.value}_wins", f"{side.value} wins"
    )


def tie(outcome: Outcome) -> bool:
    """Both hands end with the same points."""
    return outcome.player.points == outcome.banker.points


player_wins = wins(Side.PLAYER)
banker_wins = wins(Side.BANKER)


def wins_on(side: Side, points: int) -> Condition:
    """Return the condition that this hand wins with exactly these points."""
    return _named(
        lambda outcome: outcome.winner is side and outcome.hand(side).points == points,
        f"{side.value}_wins_on_{points}",
        f"{side.value} wins with {points}",
    )


def player_wins_on(points: int) -> Condition:
    """Return the condition that the Player wins with exactly these points."""
    return wins_on(Side.PLAYER, points)


def banker_wins_on(points: int) -> Condition:
    """Return the condition that the Banker wins with exactly these points."""
    return wins_on(Side.BANKER, points)


def banker_wins_on_six_with(cards: int) -> Condition:
    """Return the condition that the Banker wins on 6 with two cards, or with three."""
    six = banker_wins_on(6)
    return _named(
        lambda outcome: outcome.banker.cards == cards and six(outcome),
        f"banker_wins_on_six_with_{cards}",
        f"Banker wins with 6 made of {cards} cards",
    )


def tie_on(*points: int) -> Condition:
    """Return the condition that both hands end with the same one of these points."""
    return _named(
        lambda outcome: tie(outcome) and outcome.player.points in points,
        f"tie_on_{'_'.join(map(str, points))}",
        f"tie with {' or '.join(map(str, points))}",
    )


def wins_with_natural(side: Side) -> Condition:
    """Return the condition that this hand wins with a two-card 8 or 9."""
    return _named(
        lambda outcome: outcome.winner is side and outcome.hand(side).natural,
        f"{side.value}_wins_with_natural",
        f"{side.value} wins with a natural",
    )


def wins_with_natural_of(side: Side, points: int) -> Condition:
    """Return the condition that this hand wins with a two-card total of these points."""
    natural = wins_with_natural(side)
    return _named(
        lambda outcome: natural(outcome) and outcome.hand(side).points == points,
        f"{side.value}_wins_with_natural_{points}",
        f"{side.value} wins with a natural {points}",
    )


def wins_by(side: Side, margin: int) -> Condition:
    """Return the condition that this hand wins by this margin, not with a natural."""
    natural = wins_with_natural(side)

    def holds(outcome: Outcome) -> bool:
        ahead = outcome.hand(side).points - outcome.hand(side.other).points
        return ahead == margin and not natural(outcome)

    return _named(
        holds,
        f"{side.value}_wins_by_{margin}",
        f"{side.value} wins by {margin} without a natural",
    )


def natural_tie(outcome: Outcome) -> bool:
    """Both two-card hands show the same 8 or the same 9."""
    return tie(outcome) and outcome.player.natural and outcome.banker.natural


def pair(side: Side) -> Condition:
    """Return the condition that the first two cards of this hand are of one rank (A1)."""
    return _named(
        lambda outcome: outcome.hand(side).pair > 0, f"{side.value}_pair", f"{side.value} pair"
    )


def pair_of(side: Side, *ranks: int) -> Condition:
    """Return the condition that this hand's initial pair is of one of these ranks."""
    return _named(
        lambda outcome: outcome.hand(side).pair in ranks,
        f"{side.value}_pair_of_{'_'.join(map(str, ranks))}",
        f"{side.value} pair of {' or '.join(map(str, ranks))}",
    )


def precious_pair(side: Side) -> Condition:
    """Return the condition that this hand's initial pair is of the precious suit."""
    return _named(
        lambda outcome: outcome.hand(side).precious,
        f"{side.value}_precious_pair",
        f"{side.value} pair of the precious suit",
    )


def precious_pair_of_fours(side: Side) -> Condition:
    """Return the condition that this hand's initial pair is two fours of the precious suit."""
    return _named(
        lambda outcome: outcome.hand(side).precious and outcome.hand(side).pair == FOUR,
        f"{side.value}_precious_pair_of_fours",
        f"{side.value} pair of fours of the precious suit",
    )


def single_pair(outcome: Outcome) -> bool:
    """Exactly one of the hands holds an initial pair."""
    return (outcome.player.pair > 0) != (outcome.banker.pair > 0)


def double_pair(outcome: Outcome) -> bool:
    """Both hands hold an initial pair, of two different ranks (A11)."""
    player, banker = outcome.player.pair, outcome.banker.pair
    return player > 0 and banker > 0 and player != banker


def twin_pair(outcome: Outcome) -> bool:
    """Both hands hold an initial pair of one and the same rank."""
    return outcome.player.pair == outcome.banker.pair > 0


def tie_on_element_eights(outcome: Outcome) -> bool:
    """All four cards are fours, so that both hands tie on a natural 8."""
    return natural_tie(outcome) and outcome.player.pair == outcome.banker.pair == FOUR


def power(condition: Condition) -> Condition:
    """Return the condition that this holds in a Power hand."""
    return _named(
        lambda outcome: outcome.power and condition(outcome),
        f"power_{condition.__name__}",
        f"Power hand: {condition.__doc__}",
    )
