"""Deal shoes fast: shuffle, see every coup that the shoe could hold, walk those it does.

Each step is a loop over small integers that the compiler turns into vector instructions, 32
cards at a time. That is why bytes are kept bytes by ``uint8(...)``: without it numba computes
in 64 bits and the loops are ten times slower.

A card is one byte: the rank number from 1 to 13, plus PRECIOUS if it is of the precious suit.
No rule stands here: limits read off the tableau come in with the plan. A tally is an array of
counters by the index of the outcome.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import njit, uint8, uint32, uint64

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]
    Words = NDArray[np.uint64]
    Ints = NDArray[np.int64]

RANK = 15
STREAMS = 16
"""Random generators side by side."""
LOW_HALF = uint64(0xFFFF_FFFF)

compiled = njit(nogil=True, cache=True, boundscheck=False)
inlined = njit(nogil=True, cache=True, boundscheck=False, forceinline=True)

Small = Any
"""A compiled integer of few bits; Python has no name for it."""


class Limits(NamedTuple):
    """The third-card rules as limits, read off the tableau: a hand draws below its limit.

    Bytes by value and no array: the compiler could not know that no store changes it.
    """

    against: tuple[Small, ...]
    """The Banker's limit by the points of the Player's third card."""
    stood: Small
    """The Banker's limit when the Player stood."""
    player: Small
    """The Player's limit."""
    natural: Small
    """The lowest natural."""
    zero: Small
    """The first rank number that counts nothing."""


class Plan(NamedTuple):
    """What a shoe is made of and how far it is dealt."""

    fresh: Words
    """The cards in order, eight bytes a word, with some empty ones behind them."""
    bounds: Words
    """How many cards are left for the first and for the second of every two picks."""
    thresholds: Words
    """Below these the last fraction of two picks must be drawn again."""
    limits: Limits
    burned: Ints
    """By the first card: how many cards are gone before the first coup."""
    cut: int
    """How many cards lie before the cut card."""
    after: int
    """How many coups follow the one in which the cut card comes out."""
    coups_max: int
    """No shoe holds more coups."""


# --- chance --------------------------------------------------------------------------------


@inlined
def rotate(word: Small, places: int) -> Small:
    """Rotate the bits of a 32-bit word."""
    return uint32(word << uint32(places) | word >> uint32(32 - places))


@compiled
def fill_random(state: NDArray[np.uint32], words: NDArray[np.uint32]) -> None:
    """Draw random words from generators side by side (xoshiro128++), a row at each step."""
    for step in range(len(words)):
        for k in range(STREAMS):
            a, b, c, d = state[0, k], state[1, k], state[2, k], state[3, k]
            words[step, k] = rotate(uint32(a + d), 7) + a
            c ^= a
            d ^= b
            state[0, k] = a ^ d
            state[1, k] = b ^ c
            state[2, k] = c ^ b << uint32(9)
            state[3, k] = rotate(uint32(d), 11)


@compiled
def fill_picks(
    words: NDArray[np.uint32], bounds: Words, thresholds: Words, picks: NDArray[np.uint32]
) -> bool:
    """Make two exactly uniform picks from each word; False if all must be drawn again.

    A word times the first bound is the first pick, with a fraction left over; the fraction
    times the second bound is the second pick (Brackett-Rozinsky and Lemire). A last fraction
    below the threshold would make some picks too frequent.
    """
    below = uint64(0)
    for i in range(len(words)):
        first = words[i] * bounds[0, i]
        second = (first & LOW_HALF) * bounds[1, i]
        picks[i] = first >> uint64(32) | second >> uint64(32) << uint64(16)
        below |= (second & LOW_HALF) - thresholds[i]
    return bool(below >> uint64(63) == 0)


@compiled
def shuffle(fresh: Words, left: Words, picks: NDArray[np.uint16], shoe: Words) -> None:
    """Shuffle by Fisher and Yates: card i is any of those left, and card i takes its place.

    The cards are dealt into words of eight: one store a card instead of the two of a swap.
    """
    for i in range(len(fresh)):
        left[i] = fresh[i]
    cards = left.view(np.uint8)
    for word in range(len(picks) // 8):
        eight = uint64(0)
        for k in range(8):
            here = uint64(8 * word + k)
            there = here + picks[here]
            eight |= uint64(cards[there]) << uint64(8 * k)
            cards[there] = cards[here]
        shoe[word] = eight


# --- coups ---------------------------------------------------------------------------------


@inlined
def points_of(card: Small, first_zero: Small) -> Small:
    """Return the points of a card; ranks from this number on count nothing."""
    rank = uint8(card & RANK)
    return rank if rank < first_zero else uint8(0)


@inlined
def last_digit(total: Small) -> Small:
    """Return the points of a sum below twenty."""
    return uint8(total - 10) if total >= 10 else uint8(total)  # noqa: PLR2004


@inlined
def pair_of(one: Small, other: Small) -> Small:
    """Return the pair code of two cards."""
    return uint8(one & other) if (one ^ other) & RANK == 0 else uint8(0)


@inlined
def limit_against(third: Small, limits: tuple[Small, ...]) -> Small:
    """Look up a limit by the points of the third card.

    One choice after another, because an indexed load would keep the loop from being
    vectorised, and so would choices within choices.
    """
    limit = limits[0]
    limit = limits[1] if third == 1 else limit
    limit = limits[2] if third == 2 else limit  # noqa: PLR2004
    limit = limits[3] if third == 3 else limit  # noqa: PLR2004
    limit = limits[4] if third == 4 else limit  # noqa: PLR2004
    limit = limits[5] if third == 5 else limit  # noqa: PLR2004
    limit = limits[6] if third == 6 else limit  # noqa: PLR2004
    limit = limits[7] if third == 7 else limit  # noqa: PLR2004
    limit = limits[8] if third == 8 else limit  # noqa: PLR2004
    return limits[9] if third == 9 else limit  # noqa: PLR2004


@compiled
def see_coups(
    shoe: Bytes, limits: Limits, points: Bytes, drawn: Bytes, length: Bytes, pair: Bytes
) -> None:
    """See the coup that would begin at each card of the shoe, whether or not one does.

    The Banker's pair of the coup at i is the Player's pair of the coup at i + 1.
    """
    size = len(points)
    p1, b1, p2, b2 = shoe[:size], shoe[1:], shoe[2:], shoe[3:]
    fifth, sixth = shoe[4:], shoe[5:]
    stood, player_below, natural, zero = (
        limits.stood,
        limits.player,
        limits.natural,
        limits.zero,
    )
    for i in range(size):
        player = last_digit(uint8(points_of(p1[i], zero) + points_of(p2[i], zero)))
        banker = last_digit(uint8(points_of(b1[i], zero) + points_of(b2[i], zero)))
        third, last = points_of(fifth[i], zero), points_of(sixth[i], zero)
        goes_on = (player < natural) & (banker < natural)
        player_draws = goes_on & (player < player_below)
        against_third = limit_against(third, limits.against)
        banker_below = against_third if player_draws else stood
        banker_draws = goes_on & (banker < banker_below)
        banker_third = last if player_draws else third
        player = last_digit(uint8(player + (third if player_draws else uint8(0))))
        banker = last_digit(uint8(banker + (banker_third if banker_draws else uint8(0))))
        points[i] = player + uint8(banker * 10)
        drawn[i] = uint8(player_draws) | uint8(banker_draws) << 1
        length[i] = uint8(4) + uint8(player_draws) + uint8(banker_draws)
        pair[i] = pair_of(p1[i], p2[i])


@inlined
def index_at(points: Bytes, drawn: Bytes, pair: Bytes, position: Small) -> Small:
    """Return the index of the outcome of the coup that begins at this card."""
    pairs = uint64(pair[position]) + (uint64(pair[position + uint64(1)]) << uint64(5))
    return (pairs * uint64(4) + drawn[position]) * uint64(100) + points[position]


@inlined
def walk(
    seen: tuple[Bytes, Bytes, Bytes, Bytes],
    position: Small,
    cut: Small,
    after: int,
    tally: Ints,
) -> int:
    """Count the coups of a shoe: all that begin before the cut card is out, and some after."""
    points, drawn, length, pair = seen
    coups = after
    while position < cut:
        tally[index_at(points, drawn, pair, position)] += 1
        position += length[position]
        coups += 1
    for _ in range(after):
        tally[index_at(points, drawn, pair, position)] += 1
        position += length[position]
    return coups


@compiled
def list_coups(
    seen: tuple[Bytes, Bytes, Bytes, Bytes],
    position: int,
    cut: int,
    after: int,
    found: Ints,
    starts: Ints,
) -> int:
    """Write down the coups of a shoe one by one: where each begins and its outcome."""
    points, drawn, length, pair = seen
    coups = 0
    while position < cut or after > 0:
        if position >= cut:
            after -= 1
        found[coups] = index_at(points, drawn, pair, uint64(position))
        starts[coups] = position
        position += length[position]
        coups += 1
    return coups


@inlined
def work_space(plan: Plan) -> Any:  # noqa: ANN401  # arrays of many kinds
    """Return arrays to deal in; a thread makes its own, so that none shares a cache line.

    Views are made here once: each costs an atomic count of references.
    """
    size = 2 * len(plan.thresholds)
    steps = np.empty((size // 2 // STREAMS, STREAMS), np.uint32)
    two_picks = np.empty(size // 2, np.uint32)
    left, shoe = np.empty(len(plan.fresh), np.uint64), np.zeros(len(plan.fresh), np.uint64)
    points, drawn = np.zeros(size, np.uint8), np.zeros(size, np.uint8)
    length, pair = np.zeros(size, np.uint8), np.zeros(size + 1, np.uint8)
    random = steps, steps.ravel(), two_picks, two_picks.view(np.uint16)
    return random, (left, shoe, shoe.view(np.uint8)), (points, drawn, length, pair)


@inlined
def deal_shoe(plan: Plan, state: NDArray[np.uint32], space: Any) -> None:  # noqa: ANN401
    """Shuffle a shoe and see its coups."""
    (steps, words, two_picks, picks), (left, shoe, cards), seen = space
    points, drawn, length, pair = seen
    fill_random(state, steps)
    while not fill_picks(words, plan.bounds, plan.thresholds, two_picks):
        fill_random(state, steps)
    shuffle(plan.fresh, left, picks, shoe)
    see_coups(cards, plan.limits, points, drawn, length, pair)


@compiled
def deal_shoes(
    plan: Plan, shoes: int, coups_max: int, seeds: NDArray[np.uint32], tally: Ints
) -> tuple[int, int]:
    """Deal shoes and add their coups to the tally; return how many coups and shoes.

    The last shoe breaks off when so many coups are dealt.
    """
    state = seeds.copy()
    space = work_space(plan)
    cards, seen = space[1][2], space[2]
    found, starts = np.empty(plan.coups_max, np.int64), np.empty(plan.coups_max, np.int64)
    coups, dealt = 0, 0
    while dealt < shoes and coups < coups_max:
        deal_shoe(plan, state, space)
        first = plan.burned[cards[0]]
        dealt += 1
        if coups_max - coups >= plan.coups_max:
            coups += walk(seen, uint64(first), uint64(plan.cut), plan.after, tally)
            continue
        most = list_coups(seen, first, plan.cut, plan.after, found, starts)
        for number in range(min(most, coups_max - coups)):
            tally[found[number]] += 1
        coups += min(most, coups_max - coups)
    return coups, dealt


@compiled
def show_shoes(
    plan: Plan, seeds: NDArray[np.uint32], cards: Bytes, found: Ints, starts: Ints, coups: Ints
) -> None:
    """Deal the same shoes as ``deal_shoes`` and write them down, for checks.

    A row for each shoe: its cards, and of each coup the outcome and where it begins.
    """
    state = seeds.copy()
    space = work_space(plan)
    shoe, seen = space[1][2], space[2]
    for n in range(len(cards)):
        deal_shoe(plan, state, space)
        cards[n] = shoe[: cards.shape[1]]
        first = plan.burned[shoe[0]]
        coups[n] = list_coups(seen, first, plan.cut, plan.after, found[n], starts[n])
