"""Exact counting, compiled: the method of :mod:`croupier.odds.plain` for many compositions.

The third-card rules come in as arrays that are read off the tableau, the points of the ranks
from the cards; the loops know neither. ``expectations`` and ``row_counts`` take an array of
compositions and use all cores.

Every cell of a table that can ever differ from zero is written in every count, so a work
space that is used again needs no clearing as long as the tableau stays the same.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from croupier.odds.plain import VALUES
from croupier.odds.tally import (
    CARDS_MIN,
    Part,
    Tally,
    power_weights,
    rank_counts,
    require_coup,
)
from croupier.rules.errors import CompositionError
from croupier.rules.outcome import INDEX_SIZE, PAIR_CODES, PRECIOUS
from croupier.rules.paysheet import CELLS
from croupier.rules.tableau import POINTS, TOTALS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from croupier.rules.game import Game
    from croupier.rules.shoe import Composition
    from croupier.rules.tableau import Tableau

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

CARDS_MAX = 650
"""The largest shoe, ten decks of 65 cards; all sums on the way to its counts fit 63 bits."""
RANKS = len(VALUES)
BLOCK = 256
"""Compositions that a thread counts before it turns them into results."""

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


def third_cards(tableau: Tableau) -> ThirdCards:
    """Read the rules off the tableau."""
    settled, banker_draws = np.zeros((10, 10), np.uint8), np.zeros((10, 10), np.uint8)
    for player in POINTS:
        for banker in POINTS:
            draws = tableau.player(player, banker).draws
            settled[player, banker] = not (
                draws or tableau.banker_call(player, banker, None).draws
            )
    for banker in TOTALS:
        banker_draws[banker] = tableau.grid[banker][1:]
    player_draws = np.array([total in tableau.player_draws.totals for total in POINTS])
    return ThirdCards(
        settled, player_draws.astype(np.uint8), banker_draws, np.array(VALUES, np.int64)
    )


class Tables(NamedTuple):
    """Arrays to count in. A table by value is ``[drawn, Banker's points, Player's points]``."""

    counts: Ints
    """The composition by value."""
    ways: Ints
    taken: Ints
    together: Ints
    every: Ints
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


class Work:
    """A work space for counting; give the same one to many calls, one call at a time."""

    def __init__(self) -> None:
        table = (4, 10, 10)
        shapes: tuple[tuple[int, ...], ...] = (
            (10,),
            (10, 10),
            (10, 10, 10),
            (10, 10, 10, 10),
            table,
            (10, *table),
            (10, *table),
            (10, 10, *table),
            (PAIR_CODES, 10),
            (PAIR_CODES, 10),
            (10,),
            (10, 10),
            (PAIR_CODES, PAIR_CODES, *table),
        )
        self.tables = Tables(*(np.zeros(shape, np.int64) for shape in shapes))
        self.outcomes: Ints = self.tables.outcomes.reshape(INDEX_SIZE)
        self.points: Ints = self.tables.every.reshape(CELLS)
        self.no_precious: Ints = np.zeros(RANKS, np.int64)
        self._tableau: Tableau | None = None
        self._rules: ThirdCards | None = None
        self._detail = POINTS_ONLY

    def prepare(self, tableau: Tableau, detail: int) -> ThirdCards:
        """Return the rules as arrays; clear the tables if another kind of count used them."""
        if self._rules is None or self._tableau is not tableau:
            self._tableau, self._rules = tableau, third_cards(tableau)
            self._clear()
        if detail < self._detail:
            self._clear()
        self._detail = max(self._detail, detail)
        return self._rules

    def _clear(self) -> None:
        self.tables.both.fill(0)
        self.tables.outcomes.fill(0)
        self._detail = POINTS_ONLY


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
        goes_on = not (rules.settled[own, points] and rules.settled[points, own])
        total = 0
        for v in range(10):
            w = points - v if points >= v else points - v + 10
            count = weight * left[v] * (left[w] - (v == w))
            total += count
            if goes_on:
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
def fill_every(rules: ThirdCards, size: int, tables: Tables) -> None:
    """Count all coups by value."""
    counts, ways, taken, together = tables.counts, tables.ways, tables.taken, tables.together
    every = tables.every
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
    counts, player, banker, both = tables.counts, tables.player, tables.banker, tables.both
    ways, taken, together = tables.ways[0], tables.taken[0], tables.together[0]
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
    set_whole(1, tables.every, outcomes[0, 0])
    for v in range(10):
        add_whole(-singles[v], player[v], outcomes[0, 0])
        add_whole(-singles[v], banker[v], outcomes[0, 0])
        for w in range(10):
            hands = last_digit(2 * v), last_digit(2 * w)
            add_scaled(rules, hands, tables.doubles[v, w], both[v, w], outcomes[0, 0])


@compiled
def fill(rules: ThirdCards, ranks: Ints, precious: Ints, detail: int, tables: Tables) -> bool:
    """Count one composition in the given detail; False if its counts are not allowed."""
    counts, size, allowed = tables.counts, 0, True
    counts[:] = 0
    for r in range(13):
        allowed &= 0 <= precious[r] <= ranks[r] <= CARDS_MAX
        counts[rules.values[r]] += ranks[r]
        size += ranks[r]
    if not allowed or not CARDS_MIN <= size <= CARDS_MAX:
        return False
    fill_every(rules, size, tables)
    if detail != POINTS_ONLY:
        fill_given(rules, size, tables)
        fill_both_pairs(rules, ranks, precious, detail, tables)
        fill_other_pairs(rules, ranks, precious, detail, tables)
    return True


# --- the public calls ----------------------------------------------------------------------


def count_outcomes(
    tableau: Tableau,
    ranks: ArrayLike,
    precious: ArrayLike | None = None,
    work: Work | None = None,
) -> Ints:
    """Count the ordered six-card deals of every outcome, by its index.

    ``ranks`` are the counts of the thirteen ranks, ``precious`` those of them that are of
    the precious suit. The answer lies in the work space: the next call with it overwrites it.
    """
    work = work or Work()
    _count(tableau, ranks, precious, PAIRS if precious is None else PRECIOUS_PAIRS, work)
    return work.outcomes


def count_points(tableau: Tableau, ranks: ArrayLike, work: Work | None = None) -> Ints:
    """Count by points and drawn cards alone: by the index of the outcome without its pairs."""
    work = work or Work()
    _count(tableau, ranks, None, POINTS_ONLY, work)
    return work.points


def _count(
    tableau: Tableau, ranks: ArrayLike, precious: ArrayLike | None, detail: int, work: Work
) -> None:
    held = _whole_numbers(ranks, 1)
    golden = work.no_precious if precious is None else _whole_numbers(precious, 1)
    if not fill(work.prepare(tableau, detail), held, golden, detail, work.tables):
        raise _refusal(held, golden)


def _whole_numbers(counts: ArrayLike, dimensions: int) -> Ints:
    array = np.asarray(counts)
    if array.dtype != np.int64:
        if array.dtype.kind not in "iu":
            message = f"Counts of cards are whole numbers; these are {array.dtype.name}."
            raise CompositionError(message)
        array = array.astype(np.int64)
    if array.ndim != dimensions or array.shape[-1] != RANKS:
        wanted = f"{RANKS} counts" if dimensions == 1 else f"rows of {RANKS} counts"
        message = f"An array of shape {array.shape} came; {wanted} are needed, Ace first."
        raise CompositionError(message)
    return np.ascontiguousarray(array)


def _refusal(ranks: Ints, precious: Ints) -> CompositionError:
    """Say what is wrong with a composition."""
    size = sum(ranks.tolist())
    if ranks.min() < 0 or precious.min() < 0:
        least = int(min(ranks.min(), precious.min()))
        return CompositionError(
            f"There cannot be {least} cards of a rank; a count is 0 or more."
        )
    if (precious > ranks).any():
        place = int((precious > ranks).argmax())
        return CompositionError(
            f"{precious[place]} cards of rank {place + 1} are said to be of the precious suit,"
            f" but there are only {ranks[place]} of that rank."
        )
    if size < CARDS_MIN:
        return CompositionError(
            f"{size} cards are left; a coup may need {CARDS_MIN},"
            " so its chances cannot be counted."
        )
    assert size > CARDS_MAX, "a composition was refused without a reason"
    return CompositionError(
        f"{size} cards are too many for the compiled counter, which takes up to {CARDS_MAX};"
        " croupier.odds.exact_tally counts larger compositions."
    )


def exact_tally(game: Game, composition: Composition, *, die: int | None = None) -> Tally:
    """Count every ordered six-card deal of a composition, as the plain path does."""
    require_coup(composition)
    weights = power_weights(game, die)
    counted = count_outcomes(game.tableau, *rank_counts(game, composition))
    places = np.flatnonzero(counted)
    counts = dict(zip(places.tolist(), counted[places].tolist(), strict=True))
    return Tally(game, tuple(Part(power, weight, counts) for power, weight in weights))


# --- many compositions ---------------------------------------------------------------------


class Classes:
    """The outcomes of a game in pay classes, in no more detail than its wagers look at.

    Power hands and ordinary ones are classed together where the die is averaged.
    """

    def __init__(self, game: Game, powers: tuple[bool, ...], wagers: tuple[str, ...]) -> None:
        chosen = [game.wager(slug) for slug in wagers]
        columns = [
            game.paysheet(power=power).rows[game.wagers.index(wager)]
            for power in powers
            for wager in chosen
        ]
        found: dict[tuple[int, ...], int] = {}
        every = [found.setdefault(rows, len(found)) for rows in zip(*columns, strict=True)]
        by_index = np.full(INDEX_SIZE, -1, np.int64)
        by_index[list(game.outcomes)] = every
        self.detail, cells = _coarsest(by_index)
        numbers = by_index[cells]
        order = np.argsort(numbers, kind="stable")
        self.cells = cells[order].astype(np.uint32)
        """The cells to sum, class by class."""
        self.starts = np.searchsorted(numbers[order], np.arange(len(found) + 1))
        """Where the cells of each class begin; at the end, how many cells there are."""
        self.rows = tuple(found)
        """For each class the row numbers: of each kind of hand, of each wager."""
        self.wagers = tuple(chosen)

    def indicator(self) -> Ints:
        """Return a matrix from classes to the rows of all wagers, one after the other."""
        sizes = [len(wager.verdicts) for wager in self.wagers]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        matrix = np.zeros((len(self.rows), starts[-1]), np.int64)
        for number, rows in enumerate(self.rows):
            matrix[number, starts[:-1] + np.array(rows)] = 1
        return matrix

    def nets(self, weights: Sequence[int]) -> Floats:
        """Return the mean net result of each class on each wager, over the kinds of hand."""
        width = len(self.wagers)
        matrix = np.empty((len(self.rows), width))
        for number, rows in enumerate(self.rows):
            for place, wager in enumerate(self.wagers):
                own = rows[place::width]
                net = sum(
                    (
                        weight * wager.verdicts[row].net
                        for weight, row in zip(weights, own, strict=True)
                    ),
                    Fraction(0),
                )
                matrix[number, place] = net / sum(weights)
        return matrix


def _coarsest(by_index: Ints) -> tuple[int, Ints]:
    """Find the least detail in which every class can be told, and its cells."""
    table = by_index.reshape(PAIR_CODES, PAIR_CODES, CELLS)
    points = table.max((0, 1))
    if ((table == points) | (table < 0)).all():
        return POINTS_ONLY, np.flatnonzero(points >= 0)
    by_rank = table[:PRECIOUS, :PRECIOUS]
    folded = np.tile(by_rank, (2, 2, 1))
    if ((table == folded) | (table < 0)).all():
        plain = np.zeros_like(table, dtype=bool)
        plain[:PRECIOUS, :PRECIOUS] = by_rank >= 0
        return PAIRS, np.flatnonzero(plain)
    return PRECIOUS_PAIRS, np.flatnonzero(by_index >= 0)


@lru_cache(maxsize=128)
def classes_of(game: Game, powers: tuple[bool, ...], wagers: tuple[str, ...]) -> Classes:
    """Return the pay classes of some wagers of a game; finding them takes a while."""
    return Classes(game, powers, wagers)


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
    found = tables.every.ravel() if detail == POINTS_ONLY else tables.outcomes.ravel()
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


def _in_blocks(
    game: Game,
    classes: Classes,
    compositions: tuple[Ints, Ints],
    finish: Callable[[slice, Ints], None],
    threads: int | None,
) -> None:
    """Count the pay classes of many compositions block by block, on all cores."""
    ranks, precious = compositions

    def work(blocks: range) -> None:
        space = Work()
        rules = space.prepare(game.tableau, classes.detail)
        for start in blocks:
            block = slice(start, start + BLOCK)
            held, golden = ranks[block], precious[block]
            counted = np.zeros((len(held), len(classes.rows)), np.int64)
            cells = classes.cells, classes.starts
            bad = count_classes(
                rules, (held, golden), classes.detail, cells, space.tables, counted
            )
            if bad >= 0:
                raise _refusal(held[bad], golden[bad])
            finish(block, counted)

    used = thread_count(threads)
    shares = [range(k * BLOCK, len(ranks), used * BLOCK) for k in range(used)]
    shares = [share for share in shares if len(share)]
    if len(shares) <= 1:
        for share in shares:
            work(share)
        return
    with ThreadPoolExecutor(len(shares)) as pool:
        for done in [pool.submit(work, share) for share in shares]:
            done.result()


def thread_count(threads: int | None) -> int:
    """Return how many threads to use: as asked for, or one for each core."""
    if threads is None:
        return os.cpu_count() or 1
    if threads < 1:
        message = f"{threads} threads were asked for; at least 1 is needed."
        raise CompositionError(message)
    return threads


def _compositions(
    game: Game, ranks: ArrayLike, precious: ArrayLike | None, classes: Classes
) -> tuple[Ints, Ints]:
    """Check the shapes of many compositions."""
    held = _whole_numbers(ranks, 2)
    if precious is None:
        if classes.detail == PRECIOUS_PAIRS:
            message = (
                f"{game.name} pays pairs of {game.precious.name.lower()} more;"  # type: ignore[union-attr]  # so it has a precious suit
                " give the counts of that suit too."
            )
            raise CompositionError(message)
        return held, np.zeros_like(held)
    golden = _whole_numbers(precious, 2)
    if golden.shape != held.shape:
        message = (
            f"Counts of {len(held)} compositions came with counts of the precious suit"
            f" of {len(golden)}; the numbers must be the same."
        )
        raise CompositionError(message)
    return held, golden


def expectations(
    game: Game,
    ranks: ArrayLike,
    precious: ArrayLike | None = None,
    *,
    wagers: Sequence[str] | None = None,
    die: int | None = None,
    threads: int | None = None,
) -> Floats:
    """Return the expectation of every wager for each of many compositions.

    ``ranks`` and ``precious`` have a row of thirteen counts for each composition; the answer
    has a row for each and a column for each wager. Wagers that look at points alone, or at no
    precious suit, are counted without the rest.
    """
    powers, weights = zip(*power_weights(game, die), strict=True)
    slugs = tuple(wager.slug for wager in game.wagers) if wagers is None else tuple(wagers)
    classes = classes_of(game, powers, slugs)
    compositions = _compositions(game, ranks, precious, classes)
    nets = classes.nets(weights)
    result = np.empty((len(compositions[0]), len(slugs)))

    def finish(block: slice, counted: Ints) -> None:
        mean_nets(counted, nets, result[block])

    _in_blocks(game, classes, compositions, finish, threads)
    return result


def row_counts(
    game: Game,
    ranks: ArrayLike,
    precious: ArrayLike | None = None,
    *,
    power: bool = False,
    threads: int | None = None,
) -> Ints:
    """Count how often each row of each wager applies, for each of many compositions.

    The rows of all wagers stand one after the other, the losing row last for each wager.
    """
    classes = classes_of(game, (power,), tuple(wager.slug for wager in game.wagers))
    compositions = _compositions(game, ranks, precious, classes)
    indicator = classes.indicator()
    result = np.empty((len(compositions[0]), indicator.shape[1]), np.int64)

    def finish(block: slice, counted: Ints) -> None:
        result[block] = counted @ indicator

    _in_blocks(game, classes, compositions, finish, threads)
    return result
