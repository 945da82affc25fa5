"""The loops of exact counting, compiled; :mod:`croupier.odds.plain` explains the method.

No rule stands here: third cards and points come in as arrays, see ``exact.third_cards``.

Every cell of a table that can ever differ from zero is written in every count, so a work
space that is used again needs no clearing as long as the tableau stays the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from numba import njit

from croupier.odds.tally import CARDS_MIN
from croupier.rules.outcome import PRECIOUS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

CARDS_MAX = 650
"""The largest shoe, ten decks of 65 cards; all sums on the way to its counts fit 63 bits."""

POINTS_ONLY, PAIRS, PRECIOUS_PAIRS = 0, 1, 2
"""How much of an outcome is counted: points and drawn cards, pairs by rank, precious suit."""

compiled = njit(nogil=True, cache=True, boundscheck=False)
inlined = njit(nogil=True, cache=True, boundscheck=False, forceinline=True)


class ThirdCards(NamedTuple):
    """The third-card rules as arrays."""

    settled: NDArray[np.uint8]
    """By the totals of Player and Banker: whether no third card is drawn."""
    player_draws: NDArray[np.uint8]
    """By the Player's total."""
    banker_draws: NDArray[np.uint8]
    """By the Banker's total and the points of the Player's third card."""
    values: Ints
    """The points of each rank."""


class ByValue(NamedTuple):
    """Arrays to count all coups in: few, because each costs time in a call from Python."""

    counts: Ints
    """The composition by value."""
    ways: Ints
    taken: Ints
    together: Ints
    every: Ints


class Tables(NamedTuple):
    """Arrays to count in. A table by value is ``[drawn, Banker's points, Player's points]``."""

    by_value: ByValue
    player: Ints
    banker: Ints
    both: Ints
    player_choices: Ints
    """By the Player's pair code and the value of the Banker's pair: the ways to choose both."""
    banker_choices: Ints
    singles: Ints
    """By value: the ways to give one hand a pair of it."""
    doubles: Ints
    """By two values: the ways to give both hands pairs of them."""
    outcomes: Ints
    """By ``[Banker's pair, Player's pair, drawn, Banker's points, Player's points]``."""


# --- counting by value ---------------------------------------------------------------------


@inlined
def last_digit(total: int) -> int:
    """Return the points of a sum below twenty."""
    return total - 10 if total >= 10 else total  # noqa: PLR2004  # the last digit


@inlined
def add_deals(
    rules: ThirdCards,
    left: Ints,
    weight: int,
    held: tuple[int, int],
    deals: tuple[Ints, Ints, Ints],
) -> None:
    """Add deals in which one hand holds two values, already gone from ``left``.

    By the other hand's points: to ways their number, to taken[v] how many cards of value v
    they hold, to together[v, w] how many choices of two such cards, each choice once.
    """
    x, y = held
    ways, taken, together = deals
    own = last_digit(x + y)
    for points in range(10):
        total = 0
        if rules.settled[own, points] and rules.settled[points, own]:
            for v in range(10):
                w = points - v if points >= v else points - v + 10
                total += left[v] * (left[w] - (v == w))
            ways[points] += weight * total
            continue
        for v in range(10):
            w = points - v if points >= v else points - v + 10
            count = weight * left[v] * (left[w] - (v == w))
            total += count
            taken[points, v] += 2 * count
            together[points, v, w] += count
            together[points, x, v] += 2 * count
            together[points, y, v] += 2 * count
        ways[points] += total
        taken[points, x] += total
        taken[points, y] += total
        together[points, x, y] += total


@inlined
def add_coups(
    rules: ThirdCards,
    counts: Ints,
    size: int,
    hands: tuple[int, int],
    deals: tuple[int, Ints, Ints],
    table: Ints,
) -> None:
    """Play on from deals with these totals of Player and Banker.

    A deal leaves ``counts[t]`` less what it took of value t for the fifth card, and so on for
    the sixth; summed over the deals, only ways, taken and together are needed.
    """
    player, banker = hands
    ways, taken, together = deals
    if rules.settled[player, banker]:
        table[0, banker, player] += ways * (size - 4) * (size - 5)
    elif not rules.player_draws[player]:
        for u in range(10):
            fifth = ways * counts[u] - taken[u]
            table[2, last_digit(banker + u), player] += fifth * (size - 5)
    else:
        for t in range(10):
            fifth = ways * counts[t] - taken[t]
            after = last_digit(player + t)
            if not rules.banker_draws[banker, t]:
                table[1, banker, after] += fifth * (size - 5)
                continue
            for u in range(10):
                sixth = fifth * counts[u] - counts[t] * taken[u]
                sixth += together[t, u] + together[u, t]
                table[3, last_digit(banker + u), after] += sixth
            table[3, last_digit(banker + t), after] += taken[t] - fifth


@inlined
def set_coups(
    rules: ThirdCards, left: Ints, size: int, hands: tuple[int, int], table: Ints
) -> None:
    """Write the coups that go on from one deal, whose cards are gone from ``left``."""
    player, banker = hands
    if rules.settled[player, banker]:
        table[0, banker, player] = (size - 4) * (size - 5)
    elif not rules.player_draws[player]:
        for u in range(10):
            table[2, last_digit(banker + u), player] = left[u] * (size - 5)
    else:
        for t in range(10):
            after = last_digit(player + t)
            if not rules.banker_draws[banker, t]:
                table[1, banker, after] = left[t] * (size - 5)
                continue
            for u in range(10):
                table[3, last_digit(banker + u), after] = left[t] * (left[u] - (t == u))


@compiled
def fill_every(rules: ThirdCards, size: int, tables: ByValue) -> None:
    """Count all coups by value."""
    counts, ways, taken, together, every = tables
    ways[:] = 0
    taken[:] = 0
    together[:] = 0
    every[:] = 0
    for x in range(10):
        for y in range(x, 10):
            weight = counts[x] * (counts[x] - 1) if x == y else 2 * counts[x] * counts[y]
            if weight:
                own = last_digit(x + y)
                counts[x] -= 1
                counts[y] -= 1
                deals = ways[own], taken[own], together[own]
                add_deals(rules, counts, weight, (x, y), deals)
                counts[x] += 1
                counts[y] += 1
    for p in range(10):
        for b in range(10):
            dealt = ways[p, b], taken[p, b], together[p, b]
            add_coups(rules, counts, size, (p, b), dealt, every)


@compiled
def fill_given(rules: ThirdCards, size: int, tables: Tables) -> None:
    """Count the coups in which one hand or both start with two given cards of one value."""
    counts, player, banker, both = (
        tables.by_value.counts,
        tables.player,
        tables.banker,
        tables.both,
    )
    ways, taken, together = (
        tables.by_value.ways[0],
        tables.by_value.taken[0],
        tables.by_value.together[0],
    )
    player[:] = 0
    banker[:] = 0
    for v in range(10):
        if counts[v] < 2:  # noqa: PLR2004  # no pair of this value
            continue
        own = last_digit(2 * v)
        ways[:] = 0
        taken[:] = 0
        together[:] = 0
        counts[v] -= 2
        add_deals(rules, counts, 1, (v, v), (ways, taken, together))
        counts[v] += 2
        for other in range(10):
            dealt = ways[other], taken[other], together[other]
            add_coups(rules, counts, size, (own, other), dealt, player[v])
            add_coups(rules, counts, size, (other, own), dealt, banker[v])
        counts[v] -= 2
        for w in range(10):
            if counts[w] >= 2:  # noqa: PLR2004  # a pair of this value is left
                counts[w] -= 2
                set_coups(rules, counts, size, (own, last_digit(2 * w)), both[v, w])
                counts[w] += 2
        counts[v] += 2


# --- from values to outcomes ---------------------------------------------------------------


@inlined
def add_scaled(
    rules: ThirdCards, hands: tuple[int, int], weight: int, table: Ints, outcomes: Ints
) -> None:
    """Add weighted coups that begin with these totals; the table holds no others."""
    player, banker = hands
    if rules.settled[player, banker]:
        outcomes[0, banker, player] += weight * table[0, banker, player]
    elif not rules.player_draws[player]:
        for b in range(10):
            outcomes[2, b, player] += weight * table[2, b, player]
    else:
        for p in range(10):
            outcomes[1, banker, p] += weight * table[1, banker, p]
        for b in range(10):
            for p in range(10):
                outcomes[3, b, p] += weight * table[3, b, p]


@inlined
def set_scaled(
    rules: ThirdCards, hands: tuple[int, int], weight: int, table: Ints, outcomes: Ints
) -> None:
    """Write weighted coups that begin with these totals."""
    player, banker = hands
    if rules.settled[player, banker]:
        outcomes[0, banker, player] = weight * table[0, banker, player]
    elif not rules.player_draws[player]:
        for b in range(10):
            outcomes[2, b, player] = weight * table[2, b, player]
    else:
        for p in range(10):
            outcomes[1, banker, p] = weight * table[1, banker, p]
        for b in range(10):
            for p in range(10):
                outcomes[3, b, p] = weight * table[3, b, p]


@inlined
def add_whole(weight: int, table: Ints, outcomes: Ints) -> None:
    """Add a whole weighted table."""
    for drawn in range(4):
        for b in range(10):
            for p in range(10):
                outcomes[drawn, b, p] += weight * table[drawn, b, p]


@inlined
def set_whole(weight: int, table: Ints, outcomes: Ints) -> None:
    """Write a whole weighted table."""
    for drawn in range(4):
        for b in range(10):
            for p in range(10):
                outcomes[drawn, b, p] = weight * table[drawn, b, p]


@inlined
def choices(ranks: Ints, precious: Ints, pairs: tuple[int, int], kinds: tuple[int, int]) -> int:
    """Return the ordered ways to take a Player pair and a Banker pair of these ranks.

    The kind of each is 1 if both cards are of the precious suit, 0 if not.
    """
    r, s = pairs
    n: int = ranks[r]
    m: int = precious[r]
    pair, gold = n * (n - 1), m * (m - 1)
    if r != s:
        other: int = ranks[s] * (ranks[s] - 1)
        other_gold: int = precious[s] * (precious[s] - 1)
        first = gold if kinds[0] else pair - gold
        return first * (other_gold if kinds[1] else other - other_gold)
    all_gold, one_gold = gold * (m - 2) * (m - 3), gold * (n - 2) * (n - 3)
    if kinds[0] and kinds[1]:
        return all_gold
    if kinds[0] or kinds[1]:
        return one_gold - all_gold
    return pair * (n - 2) * (n - 3) - 2 * one_gold + all_gold


@compiled
def fill_both_pairs(
    rules: ThirdCards, ranks: Ints, precious: Ints, kinds: int, tables: Tables
) -> None:
    """Write the outcomes in which both hands hold a pair."""
    players, bankers, doubles = tables.player_choices, tables.banker_choices, tables.doubles
    outcomes, both, values = tables.outcomes, tables.both, rules.values
    players[:] = 0
    bankers[:] = 0
    doubles[:] = 0
    for r in range(13):
        for s in range(13):
            v, w = values[r], values[s]
            hands = last_digit(2 * v), last_digit(2 * w)
            for i in range(kinds):
                for j in range(kinds):
                    weight = choices(ranks, precious, (r, s), (i, j))
                    first, second = r + 1 + PRECIOUS * i, s + 1 + PRECIOUS * j
                    players[first, w] += weight
                    bankers[second, v] += weight
                    doubles[v, w] += weight
                    set_scaled(rules, hands, weight, both[v, w], outcomes[second, first])


@compiled
def fill_other_pairs(
    rules: ThirdCards, ranks: Ints, precious: Ints, kinds: int, tables: Tables
) -> None:
    """Write the outcomes with one pair, and those with none: what is left of all coups."""
    outcomes, both, values = tables.outcomes, tables.both, rules.values
    player, banker = tables.player, tables.banker
    singles = tables.singles
    singles[:] = 0
    for r in range(13):
        v = values[r]
        own, gold = last_digit(2 * v), precious[r] * (precious[r] - 1)
        singles[v] += ranks[r] * (ranks[r] - 1)
        for i in range(kinds):
            code = r + 1 + PRECIOUS * i
            weight = gold if i else ranks[r] * (ranks[r] - 1) - gold
            set_whole(weight, player[v], outcomes[0, code])
            set_whole(weight, banker[v], outcomes[code, 0])
            for w in range(10):
                other = last_digit(2 * w)
                first, second = tables.player_choices[code, w], tables.banker_choices[code, w]
                add_scaled(rules, (own, other), -first, both[v, w], outcomes[0, code])
                add_scaled(rules, (other, own), -second, both[w, v], outcomes[code, 0])
    set_whole(1, tables.by_value.every, outcomes[0, 0])
    for v in range(10):
        add_whole(-singles[v], player[v], outcomes[0, 0])
        add_whole(-singles[v], banker[v], outcomes[0, 0])
        for w in range(10):
            hands = last_digit(2 * v), last_digit(2 * w)
            add_scaled(rules, hands, tables.doubles[v, w], both[v, w], outcomes[0, 0])


@inlined
def count_values(rules: ThirdCards, ranks: Ints, precious: Ints, counts: Ints) -> int:
    """Count the cards by value; return how many there are, 0 if they are not allowed."""
    size, allowed = 0, True
    counts[:] = 0
    for r in range(13):
        allowed &= 0 <= precious[r] <= ranks[r] <= CARDS_MAX
        counts[rules.values[r]] += ranks[r]
        size += ranks[r]
    return size if allowed and CARDS_MIN <= size <= CARDS_MAX else 0


@compiled
def fill_points(rules: ThirdCards, ranks: Ints, precious: Ints, tables: ByValue) -> bool:
    """Count one composition without pairs; False if its counts are not allowed."""
    size = count_values(rules, ranks, precious, tables.counts)
    if size:
        fill_every(rules, size, tables)
    return size > 0


@compiled
def fill(rules: ThirdCards, ranks: Ints, precious: Ints, detail: int, tables: Tables) -> bool:
    """Count one composition in the given detail; False if its counts are not allowed."""
    if not fill_points(rules, ranks, precious, tables.by_value):
        return False
    if detail != POINTS_ONLY:
        size = tables.by_value.counts.sum()
        fill_given(rules, size, tables)
        fill_both_pairs(rules, ranks, precious, detail, tables)
        fill_other_pairs(rules, ranks, precious, detail, tables)
    return True


# --- many compositions ---------------------------------------------------------------------


@compiled
def count_classes(
    rules: ThirdCards,
    compositions: tuple[Ints, Ints],
    detail: int,
    cells: tuple[NDArray[np.uint32], Ints],
    tables: Tables,
    classes: Ints,
) -> int:
    """Count the pay classes of many compositions; the number of one not allowed, or -1."""
    ranks, precious = compositions
    places, starts = cells
    found = tables.by_value.every.ravel() if detail == POINTS_ONLY else tables.outcomes.ravel()
    for n in range(len(ranks)):
        if not fill(rules, ranks[n], precious[n], detail, tables):
            return n
        for number in range(len(starts) - 1):
            total = 0
            for i in range(starts[number], starts[number + 1]):
                total += found[places[i]]
            classes[n, number] = total
    return -1


@compiled
def mean_nets(classes: Ints, nets: Floats, result: Floats) -> None:
    """Turn counts of pay classes into mean net results."""
    for n in range(len(classes)):
        result[n] = 0
        total = 0
        for number in range(classes.shape[1]):
            total += classes[n, number]
            for wager in range(nets.shape[1]):
                result[n, wager] += classes[n, number] * nets[number, wager]
        for wager in range(nets.shape[1]):
            result[n, wager] /= total
