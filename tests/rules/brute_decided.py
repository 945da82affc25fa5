"""Every deal there is, laid out in an array, and what each does to every wager.

This shares nothing with the package: the third-card rules and the wagers are written
here once more, straight from the rulebooks, as conditions on whole arrays. An array has
six axes, one for each place in draw order: P1 B1 P2 B2 P3 B3. Along the first four, a
card is its rank number less one (0 an Ace, 12 a King); along the last two, 13 means that
the hand took no third card.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Callable

Bits = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int8]

PLACES = ("P1", "B1", "P2", "B2", "P3", "B3")
RANKS = 13
UNKNOWN = NO_CARD = 13
ZERO_RANKS = (9, 10, 11, 12)
"""Ten, Jack, Queen and King, which all count nothing."""
POINT_RANKS = (9, 0, 1, 2, 3, 4, 5, 6, 7, 8)
"""One rank for each number of points, 0 to 9."""

WIN, LOSE, PUSH, OPEN = 1, 2, 4, 7
IMPOSSIBLE = 0

# Against each third card of the Player that counts 0 to 9, by the Banker's two-card total.
BANKER_DRAWS = (
    "yyyyyyyyyy",
    "yyyyyyyyyy",
    "yyyyyyyyyy",
    "yyyyyyyyny",
    "nnyyyyyynn",
    "nnnnyyyynn",
    "nnnnnnyynn",
    "nnnnnnnnnn",
    "nnnnnnnnnn",
    "nnnnnnnnnn",
)


@dataclass(frozen=True)
class Deals:
    """Every combination of six places: whether it is a deal, and what it shows."""

    possible: Flags
    player: Numbers
    banker: Numbers
    player_two: Numbers
    banker_two: Numbers
    banker_three_cards: Flags
    player_pair: Flags
    banker_pair: Flags

    @property
    def tie(self) -> Flags:
        return np.equal(self.player, self.banker)

    @property
    def player_ahead(self) -> Flags:
        return self.player > self.banker

    @property
    def banker_ahead(self) -> Flags:
        return self.banker > self.player


def _along(axis: int, values: npt.ArrayLike) -> Numbers:
    shape = [1] * 6
    shape[axis] = -1
    return np.asarray(values, dtype=np.int8).reshape(shape)


@cache
def deals() -> Deals:
    """Lay out all 13 x 13 x 13 x 13 x 14 x 14 combinations."""
    points = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]
    ranks = range(RANKS)
    initial = [_along(axis, points) for axis in range(4)]
    thirds = [_along(axis, [*points, 0]) for axis in (4, 5)]
    has_third = [_along(axis, [1] * RANKS + [0]) == 1 for axis in (4, 5)]
    player_two, banker_two = (initial[0] + initial[2]) % 10, (initial[1] + initial[3]) % 10
    natural = (player_two >= 8) | (banker_two >= 8)
    player_draws = ~natural & (player_two <= 5)
    grid = np.array([[cell == "y" for cell in row] for row in BANKER_DRAWS])
    against = grid[banker_two, thirds[0]]
    banker_draws = ~natural & np.where(player_draws, against, banker_two <= 5)
    return Deals(
        possible=(has_third[0] == player_draws) & (has_third[1] == banker_draws),
        player=(player_two + thirds[0]) % 10,
        banker=(banker_two + thirds[1]) % 10,
        player_two=player_two,
        banker_two=banker_two,
        banker_three_cards=has_third[1],
        player_pair=_along(0, ranks) == _along(2, ranks),
        banker_pair=_along(1, ranks) == _along(3, ranks),
    )


# Each wager: when it wins and when it pushes; otherwise it loses.

NEVER = np.zeros((1, 1, 1, 1, 1, 1), dtype=np.bool_)


def _player(deal: Deals) -> tuple[Flags, Flags]:
    return deal.player_ahead, deal.tie


def _banker(deal: Deals) -> tuple[Flags, Flags]:
    return deal.banker_ahead, deal.tie


def _banker_who_pushes_on_four(deal: Deals) -> tuple[Flags, Flags]:
    four = deal.banker == 4
    return deal.banker_ahead & ~four, deal.tie | (deal.banker_ahead & four)


def _tie(deal: Deals) -> tuple[Flags, Flags]:
    return deal.tie, NEVER


def _player_pair(deal: Deals) -> tuple[Flags, Flags]:
    return deal.player_pair, NEVER


def _banker_pair(deal: Deals) -> tuple[Flags, Flags]:
    return deal.banker_pair, NEVER


def _either_pair(deal: Deals) -> tuple[Flags, Flags]:
    return deal.player_pair | deal.banker_pair, NEVER


def _banker_six(deal: Deals) -> tuple[Flags, Flags]:
    return deal.banker_ahead & (deal.banker == 6), NEVER


def _small_tiger(deal: Deals) -> tuple[Flags, Flags]:
    return deal.banker_ahead & (deal.banker == 6) & ~deal.banker_three_cards, NEVER


def _big_tiger(deal: Deals) -> tuple[Flags, Flags]:
    return deal.banker_ahead & (deal.banker == 6) & deal.banker_three_cards, NEVER


def _tiger_tie(deal: Deals) -> tuple[Flags, Flags]:
    return deal.tie & (deal.player == 6), NEVER


def _player_four(deal: Deals) -> tuple[Flags, Flags]:
    return deal.player_ahead & (deal.player == 4), NEVER


def _banker_four(deal: Deals) -> tuple[Flags, Flags]:
    return deal.banker_ahead & (deal.banker == 4), NEVER


def _player_natural_8(deal: Deals) -> tuple[Flags, Flags]:
    return (deal.player_two == 8) & (deal.banker_two < 8), NEVER


def _player_natural_9(deal: Deals) -> tuple[Flags, Flags]:
    return (deal.player_two == 9) & (deal.banker_two != 9), NEVER


def _banker_natural_8(deal: Deals) -> tuple[Flags, Flags]:
    return (deal.banker_two == 8) & (deal.player_two < 8), NEVER


def _banker_natural_9(deal: Deals) -> tuple[Flags, Flags]:
    return (deal.banker_two == 9) & (deal.player_two != 9), NEVER


def _natural_tie(deal: Deals) -> Flags:
    return np.equal(deal.player_two, deal.banker_two) & (deal.player_two >= 8)


def _player_dragon(deal: Deals) -> tuple[Flags, Flags]:
    natural_wins = (deal.player_two >= 8) & deal.player_ahead
    return natural_wins | (deal.player - deal.banker >= 4), _natural_tie(deal)


def _banker_dragon(deal: Deals) -> tuple[Flags, Flags]:
    natural_wins = (deal.banker_two >= 8) & deal.banker_ahead
    return natural_wins | (deal.banker - deal.player >= 4), _natural_tie(deal)


CONDITIONS: dict[str, Callable[[Deals], tuple[Flags, Flags]]] = {
    "player": _player,
    "banker": _banker,
    "banker, push on 4": _banker_who_pushes_on_four,
    "tie": _tie,
    "player-pair": _player_pair,
    "banker-pair": _banker_pair,
    "player-precious-pair": _player_pair,
    "banker-precious-pair": _banker_pair,
    "player-fabulous-4": _player_four,
    "banker-fabulous-4": _banker_four,
    "player-natural-8": _player_natural_8,
    "player-natural-9": _player_natural_9,
    "banker-natural-8": _banker_natural_8,
    "banker-natural-9": _banker_natural_9,
    "fortune-six": _banker_six,
    "super-six": _banker_six,
    "super-6": _banker_six,
    "player-dragon-bonus": _player_dragon,
    "banker-dragon-bonus": _banker_dragon,
    "tiger": _banker_six,
    "small-tiger": _small_tiger,
    "big-tiger": _big_tiger,
    "tiger-tie": _tiger_tie,
    "tiger-pair": _either_pair,
}
PUSH_ON_FOUR = ("fa-fa-fabulous-4", "fabulous-4s")
"""The games whose Banker wager pushes when the Banker wins with 4."""


def condition_of(game: str, wager: str) -> str:
    """Return the name under which this wager of this game is written above."""
    return "banker, push on 4" if wager == "banker" and game in PUSH_ON_FOUR else wager


def results(wager: str) -> Bits:
    """Return what every deal does to a wager: win, lose, push, or no such deal."""
    deal = deals()
    wins, pushes = CONDITIONS[wager](deal)
    ends = np.where(wins, WIN, np.where(pushes, PUSH, LOSE)).astype(np.uint8)
    return np.where(deal.possible, ends, np.uint8(IMPOSSIBLE))


@cache
def standings(wager: str) -> Bits:
    """Return how a wager stands for every set of known cards; index 13 is not known.

    All the results that remain possible are joined along each unknown place, one after
    the other, so that this array holds all 64 choices of known places at once.
    """
    bits = results(wager)
    for axis in range(6):
        joined = np.bitwise_or.reduce(bits, axis=axis, keepdims=True)
        known = np.take(bits, range(RANKS), axis=axis)
        bits = np.concatenate([known, joined], axis=axis)
    return np.array([IMPOSSIBLE, WIN, LOSE, OPEN, PUSH, OPEN, OPEN, OPEN], np.uint8)[bits]


@cache
def initial_sets() -> tuple[tuple[int, int, int, int], ...]:
    """Return sets of known initial cards, one for all that are alike, in the order of axes.

    Alike are sets that differ by the order of the two cards in a hand, or by exchanging
    Ten, Jack, Queen and King for one another throughout.
    """
    size = UNKNOWN + 1
    every = np.indices((size,) * 4).reshape(4, -1)
    smallest = np.full(every.shape[1], size**4)
    weights = np.array([size**3, size**2, size, 1])
    for exchanged in permutations(ZERO_RANKS):
        renamed = np.array([*range(9), *exchanged, UNKNOWN])[every]
        for order in ((0, 1, 2, 3), (2, 1, 0, 3), (0, 3, 2, 1), (2, 3, 0, 1)):
            smallest = np.minimum(smallest, weights @ renamed[list(order)])
    codes = np.unique(smallest)
    found = np.stack(np.unravel_index(codes, (size,) * 4), axis=1)
    return tuple((int(a), int(b), int(c), int(d)) for a, b, c, d in found)
