"""Exact counting in plain Python: every ordered deal of six cards, for any composition.

A coup is counted as six cards in order (one of four or five cards is followed by any
cards), so the counts of all outcomes sum to N (N-1) ... (N-5). Points depend on card
values only; rank and suit matter only for pairs, and a pair takes two cards of one value,
whichever they are. So four kinds of tables by value say everything:

    every        all coups
    player[v]    the Player's first two cards are two given cards of value v
    banker[v]    the same for the Banker
    both[v, w]   the Player's are two given cards of value v, the Banker's two of value w

An outcome with pairs is such a table times the ways to choose the given cards; an outcome
without them is what is left. :mod:`croupier.odds.exact` is the same method, compiled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.rules.cards import COURT, NUMERALS
from croupier.rules.outcome import PRECIOUS, outcome_index
from croupier.rules.tableau import POINTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from croupier.rules.tableau import Tableau

VALUES = tuple(rank.points for rank in NUMERALS + COURT)
"""The points of each rank number, from 1 to 13."""

Table = dict[int, int]
"""Counts by the index of the outcome without its pairs; the pairs' part is added to it."""


class Deals:
    """A set of initial deals: how many there are, and what they take from the shoe."""

    __slots__ = ("taken", "together", "ways")

    def __init__(self) -> None:
        self.ways = 0
        self.taken = [0] * 10
        """By value: how many cards of it the deals hold."""
        self.together = [[0] * 10 for _ in POINTS]
        """By two values: how many choices of two cards the deals hold, each choice once."""


class Counter:
    """Counts the coups of one composition by value."""

    def __init__(self, tableau: Tableau, counts: Sequence[int]) -> None:
        self.tableau = tableau
        self.counts = list(counts)
        self.size = sum(counts)
        self.settled = [
            [tableau.ends(player, banker) for banker in POINTS] for player in POINTS
        ]
        """By the totals of Player and Banker: whether no third card is drawn."""

    def add_deals(self, deals: list[Deals], held: tuple[int, int], weight: int) -> None:
        """Add the deals in which one hand holds two values, by the other hand's points."""
        x, y = held
        own = (x + y) % 10
        left = self.counts.copy()
        left[x] -= 1
        left[y] -= 1
        for points, deal in enumerate(deals):
            if self.settled[own][points] and self.settled[points][own]:
                deal.ways += weight * sum(
                    left[v] * (left[points - v] - (v == (points - v) % 10)) for v in POINTS
                )
                continue
            total = 0
            taken, together = deal.taken, deal.together
            row_x, row_y = together[x], together[y]
            for v in POINTS:
                count = weight * left[v] * (left[points - v] - (v == (points - v) % 10))
                if count:
                    total += count
                    taken[v] += 2 * count
                    together[v][points - v] += count
                    row_x[v] += 2 * count
                    row_y[v] += 2 * count
            deal.ways += total
            taken[x] += total
            taken[y] += total
            row_x[y] += total

    def coups(self, player: int, banker: int, deal: Deals) -> Iterator[tuple[int, int]]:
        """Play on from deals with these totals.

        A deal leaves ``counts[t]`` less what it took of value t for the fifth card, and so
        on for the sixth; summed over the deals, only ways, taken and together are needed.
        """
        ways, taken, together = deal.ways, deal.taken, deal.together
        counts, size, grid = self.counts, self.size, self.tableau.grid
        if not ways:
            return
        if self.settled[player][banker]:
            yield outcome_index(player, banker, 0), ways * (size - 4) * (size - 5)
        elif player in self.tableau.player_stands.totals:
            for u in POINTS:
                fifth = ways * counts[u] - taken[u]
                yield outcome_index(player, (banker + u) % 10, 2), fifth * (size - 5)
        else:
            for t in POINTS:
                fifth, after, n = ways * counts[t] - taken[t], (player + t) % 10, counts[t]
                if not grid[banker][1 + t]:
                    yield outcome_index(after, banker, 1), fifth * (size - 5)
                    continue
                row = together[t]
                for u in POINTS:
                    sixth = fifth * counts[u] - n * taken[u] + row[u] + together[u][t]
                    if t == u:
                        sixth += taken[t] - fifth
                    yield outcome_index(after, (banker + u) % 10, 3), sixth

    def every(self) -> Table:
        """Count all coups."""
        counts = self.counts
        deals = [[Deals() for _ in POINTS] for _ in POINTS]
        for x in POINTS:
            for y in range(x, 10):
                weight = counts[x] * (counts[x] - 1) if x == y else 2 * counts[x] * counts[y]
                if weight:
                    self.add_deals(deals[(x + y) % 10], (x, y), weight)
        table: Table = {}
        for player in POINTS:
            for banker in POINTS:
                add(table, self.coups(player, banker, deals[player][banker]))
        return table

    def given(self, v: int) -> tuple[Table, Table]:
        """Count coups in which the Player, or the Banker, starts with two given cards."""
        own = 2 * v % 10
        deals = [Deals() for _ in POINTS]
        self.add_deals(deals, (v, v), 1)
        player: Table = {}
        banker: Table = {}
        for other in POINTS:
            add(player, self.coups(own, other, deals[other]))
            add(banker, self.coups(other, own, deals[other]))
        return player, banker

    def both_given(self, v: int, w: int) -> Table:
        """Count coups in which both hands start with two given cards."""
        table: Table = {}
        if self.counts[w] < 2 + 2 * (v == w):
            return table
        deal = Deals()
        deal.ways = 1
        deal.taken[v] += 2
        deal.taken[w] += 2
        deal.together[v][v] += 1
        deal.together[w][w] += 1
        deal.together[v][w] += 4
        add(table, self.coups(2 * v % 10, 2 * w % 10, deal))
        return table


def add(table: Table, cells: Iterable[tuple[int, int]], weight: int = 1) -> None:
    """Add weighted counts to a table."""
    for cell, count in cells:
        table[cell] = table.get(cell, 0) + weight * count


def count_outcomes(
    tableau: Tableau, ranks: Sequence[int], precious: Sequence[int] | None = None
) -> dict[int, int]:
    """Count the ordered six-card deals of every outcome, by its index.

    ``ranks`` are the counts of the thirteen ranks, ``precious`` those of them that are of
    the precious suit.
    """
    counts = [0] * 10
    for value, count in zip(VALUES, ranks, strict=True):
        counts[value] += count
    counter = Counter(tableau, counts)
    values = [v for v in POINTS if counts[v] > 1]
    given = {v: counter.given(v) for v in values}
    both = {(v, w): counter.both_given(v, w) for v in values for w in values}
    gold = precious or (0,) * 13
    pairs = _pairs(ranks, gold)
    tables: dict[tuple[int, int], Table] = {(0, 0): counter.every()}
    for code, (rank, ways) in pairs.items():
        for key, table in zip(((code, 0), (0, code)), given[VALUES[rank]], strict=True):
            tables[key] = {cell: ways * count for cell, count in table.items()}
            add(tables[0, 0], tables[key].items(), -1)
    for mine, (rank, _) in pairs.items():
        for theirs, (other, _) in pairs.items():
            weight = _ways_of_both(pairs, ranks[rank], gold[rank], mine, theirs)
            table = both[VALUES[rank], VALUES[other]]
            if weight:
                tables[mine, theirs] = {cell: weight * count for cell, count in table.items()}
                add(tables[mine, 0], table.items(), -weight)
                add(tables[0, theirs], table.items(), -weight)
                add(tables[0, 0], table.items(), weight)
    outcomes = {}
    for (mine, theirs), table in tables.items():
        base = outcome_index(0, 0, 0, mine, theirs)
        for cell, count in table.items():
            if count:
                outcomes[base + cell] = count
    return outcomes


def _pairs(ranks: Sequence[int], precious: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Return the pair codes of a composition: the rank, and the ordered ways to take it."""
    found = {}
    for rank, (count, golden) in enumerate(zip(ranks, precious, strict=True)):
        gold = golden * (golden - 1)
        if count > 1:
            found[rank + 1] = rank, count * (count - 1) - gold
        if golden > 1:
            found[rank + 1 + PRECIOUS] = rank, gold
    return found


def _ways_of_both(
    pairs: dict[int, tuple[int, int]], count: int, golden: int, mine: int, theirs: int
) -> int:
    """Return the ordered ways to take a Player pair and then a Banker pair.

    For one and the same rank, ``count`` cards of which ``golden`` are precious.
    """
    if mine % PRECIOUS != theirs % PRECIOUS:
        return pairs[mine][1] * pairs[theirs][1]
    all_gold = golden * (golden - 1) * (golden - 2) * (golden - 3)
    one_gold = golden * (golden - 1) * (count - 2) * (count - 3) - all_gold
    if mine > PRECIOUS and theirs > PRECIOUS:
        return all_gold
    if mine > PRECIOUS or theirs > PRECIOUS:
        return one_gold
    return count * (count - 1) * (count - 2) * (count - 3) - 2 * one_gold - all_gold
