"""Exact counting, compiled: the method of :mod:`croupier.odds.plain` for many compositions.

``count_outcomes`` counts one composition; ``expectations`` and ``row_counts`` take an array of
compositions and use all cores.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import lru_cache
from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np

from croupier.odds.exact_kernel import (
    CARDS_MAX,
    PAIRS,
    POINTS_ONLY,
    PRECIOUS_PAIRS,
    ByValue,
    Tables,
    ThirdCards,
    count_classes,
    fill,
    fill_points,
    mean_nets,
)
from croupier.odds.plain import VALUES
from croupier.odds.tally import (
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

RANKS = len(VALUES)
BLOCK = 256
"""Compositions that a thread counts before it turns them into results."""
THREADS_MAX = 256
"""No more threads can be asked for: each takes memory of its own."""


def third_cards(tableau: Tableau) -> ThirdCards:
    """Read the rules off the tableau."""
    settled, banker_draws = np.zeros((10, 10), np.uint8), np.zeros((10, 10), np.uint8)
    for player in POINTS:
        for banker in POINTS:
            settled[player, banker] = tableau.ends(player, banker)
    for banker in TOTALS:
        banker_draws[banker] = tableau.grid[banker][1:]
    player_draws = np.array([total in tableau.player_draws.totals for total in POINTS])
    return ThirdCards(
        settled, player_draws.astype(np.uint8), banker_draws, np.array(VALUES, np.int64)
    )


class Work:
    """A work space for counting; give the same one to many calls, one call at a time."""

    def __init__(self) -> None:
        table = (4, 10, 10)
        by_value = ((10,), (10, 10), (10, 10, 10), (10, 10, 10, 10), table)
        shapes: tuple[tuple[int, ...], ...] = (
            (10, *table),
            (10, *table),
            (10, 10, *table),
            (PAIR_CODES, 10),
            (PAIR_CODES, 10),
            (10,),
            (10, 10),
            (PAIR_CODES, PAIR_CODES, *table),
        )
        self.tables = Tables(
            ByValue(*(np.zeros(shape, np.int64) for shape in by_value)),
            *(np.zeros(shape, np.int64) for shape in shapes),
        )
        self.outcomes: Ints = self.tables.outcomes.reshape(INDEX_SIZE)
        self.points: Ints = self.tables.by_value.every.reshape(CELLS)
        self.no_precious: Ints = np.zeros(RANKS, np.int64)
        self._tableau: Tableau | None = None
        self._rules: ThirdCards | None = None
        self._detail = POINTS_ONLY

    def prepare(self, tableau: Tableau, detail: int) -> ThirdCards:
        """Return the rules as arrays; clear the tables if another kind of count used them."""
        if self._rules is None or self._tableau is not tableau:
            self._tableau, self._rules = tableau, third_cards(tableau)
            self._clear()
        if detail == PAIRS and self._detail == PRECIOUS_PAIRS:
            self._clear()
        self._detail = max(self._detail, detail)
        return self._rules

    def _clear(self) -> None:
        self.tables.both.fill(0)
        self.tables.outcomes.fill(0)
        self._detail = POINTS_ONLY


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
    rules = work.prepare(tableau, detail)
    counted = (
        fill(rules, held, golden, detail, work.tables)
        if detail != POINTS_ONLY
        else fill_points(rules, held, golden, work.tables.by_value)
    )
    if not counted:
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
    require_coup(size)
    assert size > CARDS_MAX, "a composition was refused without a reason"
    return CompositionError(
        f"{size} cards are too many for the compiled counter, which takes up to {CARDS_MAX};"
        " croupier.odds.exact_tally counts larger compositions."
    )


def exact_tally(game: Game, composition: Composition, *, die: int | None = None) -> Tally:
    """Count every ordered six-card deal of a composition, as the plain path does."""
    require_coup(len(composition))
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
        return min(os.cpu_count() or 1, THREADS_MAX)
    whole = isinstance(threads, Integral) and not isinstance(threads, bool)
    if not (whole and 1 <= threads <= THREADS_MAX):
        message = (
            f"{threads} threads were asked for; it must be a whole number"
            f" from 1 to {THREADS_MAX}."
        )
        raise CompositionError(message)
    return int(threads)


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


__all__ = [
    "CARDS_MAX",
    "PAIRS",
    "POINTS_ONLY",
    "PRECIOUS_PAIRS",
    "THREADS_MAX",
    "Classes",
    "ThirdCards",
    "Work",
    "classes_of",
    "count_outcomes",
    "count_points",
    "exact_tally",
    "expectations",
    "row_counts",
    "third_cards",
    "thread_count",
]
