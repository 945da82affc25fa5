"""Deal real shoes coup by coup, compiled: what a counter sees before each coup, and what comes.

The simulator's kernel keeps only a tally; here the order matters, so each coup is written
down. Cards are the codes of :func:`croupier.odds.simulate.card_codes`. No rule stands here:
third cards and points come as arrays read off the tableau, and so does what each part of an
outcome adds to its index.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit, uint64

from croupier.odds.kernel import RANK

if TYPE_CHECKING:
    from croupier.odds.exact import ThirdCards

Array = np.ndarray[Any, np.dtype[Any]]

LOW_HALF = uint64(0xFFFF_FFFF)
HALF = uint64(32)

compiled = njit(nogil=True, cache=True)


@compiled
def next_word(state: Array) -> Any:  # noqa: ANN401  # a compiled integer
    """Draw 64 random bits (xoshiro256++) and move the state on."""
    a, b, c, d = state[0], state[1], state[2], state[3]
    total = uint64(a + d)
    word = uint64(uint64(total << uint64(23) | total >> uint64(41)) + a)
    c ^= a
    d ^= b
    state[0] = a ^ d
    state[1] = b ^ c
    state[2] = c ^ uint64(b << uint64(17))
    state[3] = uint64(d << uint64(45) | d >> uint64(19))
    return word


@compiled
def below(state: Array, bound: Any) -> Any:  # noqa: ANN401  # compiled integers
    """Draw an exactly uniform number from 0 to bound - 1 (Lemire's method with rejection)."""
    wide = uint64(bound)
    product = (next_word(state) >> HALF) * wide
    if product & LOW_HALF < wide:
        threshold = (uint64(1) << HALF) % wide
        while product & LOW_HALF < threshold:
            product = (next_word(state) >> HALF) * wide
    return product >> HALF


@compiled
def shuffle(state: Array, cards: Array) -> None:
    """Shuffle by Fisher and Yates."""
    for last in range(len(cards) - 1, 0, -1):
        pick = below(state, last + 1)
        held = cards[last]
        cards[last] = cards[pick]
        cards[pick] = held


@compiled
def play(cards: Array, at: int, rules: ThirdCards, strides: Array) -> tuple[int, int]:
    """Play the coup that begins at a card; return the index of its outcome and its length."""
    one, two, three, four = cards[at], cards[at + 1], cards[at + 2], cards[at + 3]
    values = rules.values
    player = (values[(one & RANK) - 1] + values[(three & RANK) - 1]) % 10
    banker = (values[(two & RANK) - 1] + values[(four & RANK) - 1]) % 10
    drawn = 0
    length = 4
    if not rules.settled[player, banker]:
        third = values[(cards[at + 4] & RANK) - 1]
        length = 5
        if rules.player_draws[player]:
            drawn = 1
            player = (player + third) % 10
            if rules.banker_draws[banker, third]:
                banker = (banker + values[(cards[at + 5] & RANK) - 1]) % 10
                drawn = 3
                length = 6
        else:
            drawn = 2
            banker = (banker + third) % 10
    index = player * strides[0] + banker * strides[1] + drawn * strides[2]
    if (one ^ three) & RANK == 0:
        index += (one & three) * strides[3]
    if (two ^ four) & RANK == 0:
        index += (two & four) * strides[4]
    return index, length


@compiled
def deal_shoe(
    cards: Array,
    plan: tuple[Array, Array, Array],
    rules: ThirdCards,
    seen: Array,
    outcomes: Array,
) -> int:
    """Deal one shuffled shoe; return how many coups were written to ``outcomes``.

    ``plan`` is the place of the cut card with the number of coups that follow the one in
    which it appears; by the first card, how many cards are taken before the first coup
    (0: none, else that card, which is seen, and those burned unseen); and what each part of
    an outcome adds to its index. ``seen`` gets, before each coup, how many cards of each
    code the table has seen; give it no rows to do without. The shoe ends early when
    ``outcomes`` is full.
    """
    cut, after = plan[0]
    counts = np.zeros(32, np.int16)
    position = plan[1][cards[0]]
    if position:
        counts[cards[0]] += 1
    coups = 0
    while coups < len(outcomes):
        if position >= cut:
            if after == 0:
                break
            after -= 1
        index, length = play(cards, position, rules, plan[2])
        if len(seen):
            seen[coups] = counts
            for i in range(position, position + length):
                counts[cards[i]] += 1
        outcomes[coups] = index
        position += length
        coups += 1
    return coups


@compiled
def deal_rows(
    fresh: Array,
    plan: tuple[Array, Array, Array],
    rules: ThirdCards,
    seed: Array,
    seen: Array,
    outcomes: Array,
    coups: Array,
    whole: bool,  # noqa: FBT001  # compiled functions take arguments by place
) -> None:
    """Deal one whole shoe to each row of ``outcomes``, or shoe after shoe until it is full.

    ``coups`` gets how many coups each row has.
    """
    state = seed.copy()
    for row in range(len(outcomes)):
        done = 0
        while done < outcomes.shape[1]:
            cards = fresh.copy()
            shuffle(state, cards)
            done += deal_shoe(cards, plan, rules, seen[row, done:], outcomes[row, done:])
            if whole:
                break
        coups[row] = done
