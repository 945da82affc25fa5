"""What a count with a trigger earns over real shoes, by exact expectation at every step.

Before each coup of a simulated shoe the exact expectation of the wager is known from the
cards not seen yet; a bet of one unit adds that expectation to the gain, not the sampled
result. So a few hundred shoes say what would take millions of sampled coups. Standard errors
are over shoes, because the coups of one shoe depend on each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, lcm, sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from croupier.odds.counting import CountingError, Trigger
from croupier.odds.dealing import CODES, Dealer, Flags, Floats
from croupier.odds.exact import expectations
from croupier.odds.frames import Tabular
from croupier.odds.simulate import ShoeRules

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from croupier.odds.counting import Tags
    from croupier.odds.dealing import Dealt
    from croupier.odds.frames import Columns
    from croupier.rules.game import Game

    Seen = np.ndarray[Any, np.dtype[np.int16]]

CHUNK = 32
"""Shoes dealt from one random stream, and looked at together."""
EXACT_MAX = 10**6
"""Tags with a larger common denominator are rounded before they are added up."""
ROUNDS, BETS, GAIN, PERFECT_BETS, PERFECT_GAIN, EVERY = range(6)
"""What is summed for each shoe; EVERY is the expectation of all rounds together."""


class Estimate(NamedTuple):
    """A mean and its standard error."""

    mean: float
    se: float


class Counter:
    """Turns the cards seen into running and true counts."""

    def __init__(self, tags: Tags) -> None:
        self.tags = tags
        scale = lcm(*(tag.denominator for tag in tags.values))
        self._scale = scale if scale <= EXACT_MAX else 1
        self._running: Floats = np.zeros(CODES)
        self._balanced: Floats = np.zeros(CODES)
        # Whole numbers far below 2**53: floating point adds them exactly.
        for face, tag in zip(tags.faces, tags.values, strict=True):
            whole = tag * self._scale
            self._running[face.code] = float(whole)
            self._balanced[face.code] = float(whole * tags.cards - tags.total * self._scale)

    def running(self, seen: Seen) -> Floats:
        """Return the running counts, from 0 at the start of the shoe."""
        counts: Floats = (seen @ self._running) / self._scale
        return counts

    def true(self, seen: Seen) -> Floats:
        """Return the true counts by the deck of unseen cards; exact up to the last division."""
        left = self.tags.cards - seen.sum(-1, dtype=np.int64)
        above = (seen @ self._balanced) * self.tags.deck
        counts: Floats = above / (left * (self._scale * self.tags.cards))
        return counts


class Watcher:
    """Looks at the cards seen before coups and says when a trigger bets."""

    def __init__(
        self, dealer: Dealer, wager: str, trigger: Trigger, threads: int | None = None
    ) -> None:
        self.dealer = dealer
        self.wager = wager
        self.trigger = trigger
        self.threads = threads
        self._counter = None if trigger.tags is None else Counter(trigger.tags)
        cards = len(dealer.fresh)
        if trigger.tags is not None and trigger.tags.cards != cards:
            message = (
                f"The tags are of a shoe of {trigger.tags.cards} cards;"
                f" the shoes dealt have {cards}."
            )
            raise CountingError(message)

    def expectations(self, seen: Seen) -> Floats:
        """Return the exact expectation of the wager before each coup."""
        ranks, precious = self.dealer.unseen(seen)
        found = expectations(
            self.dealer.game, ranks, precious, wagers=[self.wager], threads=self.threads
        )
        return found[:, 0]

    def counts(self, seen: Seen) -> Floats | None:
        """Return the counts that the trigger looks at, or None if it looks at none."""
        if self._counter is None:
            return None
        counter = self._counter
        return counter.running(seen) if self.trigger.running else counter.true(seen)

    def bets(self, counts: Floats | None, evs: Floats | None) -> Flags:
        """Tell where the trigger bets, from counts or else from expectations."""
        if counts is not None:
            return counts >= self.trigger.at
        assert evs is not None
        return evs > self.trigger.at


@dataclass(frozen=True, eq=False)
class TriggerStudy(Tabular):
    """What a trigger does over simulated shoes, in units of one bet."""

    game: Game
    wager: str
    trigger: Trigger
    rules: ShoeRules
    shoes: int
    seed: int
    complete: bool
    """Whether all shoes that were asked for were dealt."""
    sums: Floats
    products: Floats
    by_count: Mapping[int, tuple[int, float]]
    """By the count rounded down: how many rounds, and their mean expectation."""

    def _mean(self, which: int) -> Estimate:
        mean = self.sums[which] / self.shoes
        if self.shoes == 1:
            return Estimate(float(mean), float("nan"))
        square = self.products[which, which] / self.shoes - mean**2
        return Estimate(float(mean), sqrt(max(square, 0.0) / (self.shoes - 1)))

    def _ratio(self, above: int, below: int) -> Estimate | None:
        """Estimate a ratio of two sums; the error is that of above - ratio x below."""
        if not self.sums[below]:
            return None
        ratio = self.sums[above] / self.sums[below]
        if self.shoes == 1:
            return Estimate(float(ratio), float("nan"))
        square = (
            self.products[above, above]
            - 2 * ratio * self.products[above, below]
            + ratio**2 * self.products[below, below]
        )
        variance = max(square, 0.0) / (self.shoes - 1)
        per_shoe = self.sums[below] / self.shoes
        return Estimate(float(ratio), float(sqrt(variance / self.shoes) / per_shoe))

    @property
    def rounds(self) -> Estimate:
        """Return the rounds of a shoe."""
        return self._mean(ROUNDS)

    @property
    def bets(self) -> Estimate:
        """Return the bets made in a shoe."""
        return self._mean(BETS)

    @property
    def gain(self) -> Estimate:
        """Return the gain of a shoe, in units."""
        return self._mean(GAIN)

    @property
    def edge(self) -> Estimate | None:
        """Return the patron's average expectation when betting; None if it never bets."""
        return self._ratio(GAIN, BETS)

    @property
    def perfect_bets(self) -> Estimate:
        """Return the bets of a shoe of who bets whenever the expectation is above 0."""
        return self._mean(PERFECT_BETS)

    @property
    def perfect_gain(self) -> Estimate:
        """Return the gain of a shoe of perfect play: no trigger gains more."""
        return self._mean(PERFECT_GAIN)

    @property
    def perfect_edge(self) -> Estimate | None:
        """Return the average expectation when betting perfectly."""
        return self._ratio(PERFECT_GAIN, PERFECT_BETS)

    @property
    def every_round(self) -> Estimate | None:
        """Return the average expectation of all rounds, bet on or not.

        It is near that of the full shoe, not quite equal: how many rounds come before the
        cut card depends on the cards.
        """
        return self._ratio(EVERY, ROUNDS)

    def to_columns(self) -> Columns:
        """Return a line for the trigger, for perfect play and for a bet on every round."""
        none = None, None
        every = self._mean(EVERY)
        return {
            "betting": ["trigger", "perfect", "every round"],
            "bets": [self.bets.mean, self.perfect_bets.mean, self.rounds.mean],
            "bets_se": [self.bets.se, self.perfect_bets.se, self.rounds.se],
            "gain": [self.gain.mean, self.perfect_gain.mean, every.mean],
            "gain_se": [self.gain.se, self.perfect_gain.se, every.se],
            "ev": [(e or none)[0] for e in (self.edge, self.perfect_edge, self.every_round)],
            "ev_se": [(e or none)[1] for e in (self.edge, self.perfect_edge, self.every_round)],
        }

    def count_columns(self) -> Columns:
        """Return a line for each count rounded down: rounds and their mean expectation."""
        return {
            "count": list(self.by_count),
            "rounds": [rounds for rounds, _ in self.by_count.values()],
            "ev": [ev for _, ev in self.by_count.values()],
        }

    def tables(self) -> Mapping[str, Callable[[], Columns]]:
        """Return the tables by name."""
        return {"betting": self.to_columns, "counts": self.count_columns}

    def __repr__(self) -> str:
        return (
            f"TriggerStudy({self.game.slug}, {self.wager}, {self.trigger}, {self.shoes} shoes)"
        )


class Sums:
    """Running sums over shoes; memory does not depend on their number."""

    def __init__(self) -> None:
        self.shoes = 0
        self.sums: Floats = np.zeros(6)
        self.products: Floats = np.zeros((6, 6))
        self.by_count: dict[int, list[float]] = {}

    def add(self, watcher: Watcher, dealt: Dealt) -> None:
        """Look at every coup of some shoes."""
        there = np.arange(dealt.outcomes.shape[1]) < dealt.coups[:, None]
        seen = dealt.seen[there]
        evs = watcher.expectations(seen)
        counts = watcher.counts(seen)
        bets = watcher.bets(counts, evs)
        good = evs > 0
        by_shoe = np.zeros((len(dealt.coups), 6))
        parts = (np.ones(len(evs)), bets, evs * bets, good, evs * good, evs)
        for number, part in enumerate(parts):
            spread = np.zeros(there.shape)
            spread[there] = part
            by_shoe[:, number] = spread.sum(1)
        self.shoes += len(by_shoe)
        self.sums += by_shoe.sum(0)
        self.products += by_shoe.T @ by_shoe
        if counts is not None:
            self._add_counts(counts, evs)

    def _add_counts(self, counts: Floats, evs: Floats) -> None:
        whole, place = np.unique(np.floor(counts), return_inverse=True)
        rounds = np.bincount(place).tolist()
        totals = np.bincount(place, evs).tolist()
        for count, number, total in zip(whole.tolist(), rounds, totals, strict=True):
            line = self.by_count.setdefault(floor(count), [0, 0.0])
            line[0] += number
            line[1] += total


def study_trigger(
    game: Game,
    wager: str,
    trigger: Trigger,
    *,
    rules: ShoeRules | None = None,
    shoes: int = 200,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> TriggerStudy:
    """Deal shoes and sum up what a trigger bets and gains, by exact expectation.

    The same seed gives the same study whatever the number of threads. Ctrl-C ends it with
    the shoes done so far. Power Baccarat 98 is averaged over the die.
    """
    game.wager(wager)
    if shoes < 1:
        message = f"{shoes} shoes were asked for; at least 1 is needed."
        raise CountingError(message)
    rules = ShoeRules() if rules is None else rules
    watcher = Watcher(Dealer(game, rules, seed), wager, trigger, threads)
    sums = Sums()
    try:
        while sums.shoes < shoes:
            count = min(CHUNK, shoes - sums.shoes)
            sums.add(watcher, watcher.dealer.shoes(sums.shoes // CHUNK, count))
            if progress is not None:
                progress(sums.shoes, shoes)
    except KeyboardInterrupt:
        if not sums.shoes:
            raise
    return TriggerStudy(
        game,
        wager,
        trigger,
        rules,
        sums.shoes,
        seed,
        sums.shoes == shoes,
        sums.sums,
        sums.products,
        {
            count: (int(rounds), total / rounds)
            for count, (rounds, total) in sorted(sums.by_count.items())
        },
    )
