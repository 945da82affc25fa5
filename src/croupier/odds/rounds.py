"""What n rounds bring at flat stakes, on any wagers of one game at once.

Rounds are taken as independent, each from the same composition. The wagers of a round are
not independent, so a round is counted by the rows of all its wagers together.

Three methods give the distribution of the result, and the answer names the one it used:

exact    Whole numbers throughout, as long as they stay manageable. With Banker at 100.00 in
         ``baccarat`` that is up to 377 rounds, with Player up to 1,666; other stakes:
         :attr:`RoundDistribution.exact_rounds_max`.
fourier  The characteristic function of a round to the power n, transformed back
         (:mod:`croupier.odds.fourier`): floats with an error bound, about 1e-11 for a
         thousand rounds and 1e-8 for a million; with Banker up to some ten million rounds.
normal   The normal distribution beyond, or where its error, the bound of Berry and Esseen,
         is the smaller one.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from math import ceil, floor, gcd, isqrt, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple, Protocol

from croupier.money import Cents, Rounding, dollars, pay
from croupier.rules.errors import RulesError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from croupier.odds.tally import Tally
    from croupier.rules.wagers import Verdict

EXACT_WORK_MAX = 500_000_000
"""How many bits, times terms of the recurrence, exact counting may take: about a second."""

BERRY_ESSEEN = 0.4748
"""The constant of the bound for equal rounds (Shevtsova 2011)."""

ROUNDS_MAX = 10**12

CONFIDENCES = (0.90, 0.95, 0.99)
"""The bands of hold that operators use."""


class StakesError(RulesError):
    """Stakes, rounds or a bankroll with which nothing can be worked out."""


class Method(Enum):
    """How a distribution was found."""

    EXACT = "exact"
    FOURIER = "fourier"
    NORMAL = "normal"


class Curve(Protocol):
    """A cumulative distribution over whole numbers from 0."""

    method: Method
    error: float
    """No cumulative chance is off by more than this."""

    def at_most(self, place: int) -> float:
        """Return the chance of this place or a lower one."""

    def place(self, chance: Fraction) -> int:
        """Return the lowest place whose cumulative chance reaches this one."""


class ExactCurve:
    """Whole numbers: how many ways lead to each place or a lower one."""

    method = Method.EXACT
    error = 0.0

    def __init__(self, ways: Sequence[int]) -> None:
        self.cumulative = list(accumulate(ways))
        self.total = self.cumulative[-1]

    def at_most(self, place: int) -> float:
        """Return the chance of this place or a lower one, correctly rounded."""
        if place < 0:
            return 0.0
        return self.cumulative[min(place, len(self.cumulative) - 1)] / self.total

    def place(self, chance: Fraction) -> int:
        """Return the lowest place whose cumulative chance reaches this one."""
        return bisect_left(self.cumulative, ceil(chance * self.total))

    def ways(self) -> list[int]:
        """Return the ways that lead to each place itself."""
        return [upper - lower for lower, upper in pairwise([0, *self.cumulative])]


class NormalCurve:
    """The normal distribution; places count as reached half a place earlier."""

    method = Method.NORMAL

    def __init__(self, mean: Fraction, sd: float, error: float) -> None:
        self.mean = mean
        self.sd = sd
        self.error = error

    def at_most(self, place: int) -> float:
        """Return the normal chance half a place above.

        The true distribution does not rise between two places, so Berry and Esseen's bound
        holds there as well.
        """
        return NormalDist().cdf(float(place + Fraction(1, 2) - self.mean) / self.sd)

    def place(self, chance: Fraction) -> int:
        """Return the lowest place whose cumulative chance reaches this one."""
        score = NormalDist().inv_cdf(float(chance))
        return ceil(self.mean + Fraction(score * self.sd) - Fraction(1, 2))


@dataclass(frozen=True, eq=False)
class RoundDistribution:
    """The result of one round at given stakes, seen from one party.

    >>> from croupier import BACCARAT
    >>> from croupier.odds import exact_tally
    >>> one = round_distribution(exact_tally(BACCARAT, BACCARAT.shoe(8)), {"player": 100_00})
    >>> sorted(one.counts), round(float(one.mean), 2), one.exact_rounds_max
    ([-10000, 0, 10000], -123.51, 1666)
    """

    counts: Mapping[int, int]
    """How often each net result in cents comes."""
    staked: Cents
    """What the patron stakes in a round, on all wagers together."""
    needed: Cents
    """What a bankroll must hold for one more round."""

    @cached_property
    def total(self) -> int:
        """Return the number of ways a round can go."""
        return sum(self.counts.values())

    @cached_property
    def chances(self) -> dict[int, Fraction]:
        """Return the chance of each net result in cents; they sum to one exactly."""
        return {net: Fraction(n, self.total) for net, n in sorted(self.counts.items())}

    @cached_property
    def mean(self) -> Fraction:
        """Return the expected result in cents."""
        return Fraction(sum(net * n for net, n in self.counts.items()), self.total)

    @cached_property
    def variance(self) -> Fraction:
        """Return the variance of the result, in square cents."""
        square = Fraction(sum(net * net * n for net, n in self.counts.items()), self.total)
        return square - self.mean**2

    @property
    def sd(self) -> float:
        """Return the standard deviation in cents."""
        return sqrt(self.variance)

    @cached_property
    def third_moment(self) -> Fraction:
        """Return the expectation of the cube of the absolute distance from the mean."""
        return sum(
            (abs(net - self.mean) ** 3 * chance for net, chance in self.chances.items()),
            Fraction(0),
        )

    @cached_property
    def house(self) -> RoundDistribution:
        """Return the same round seen from the house, which must cover the largest payment."""
        counts = {-net: n for net, n in self.counts.items()}
        return RoundDistribution(counts, self.staked, Cents(max(0, -min(counts))))

    @cached_property
    def step(self) -> int:
        """Return the largest step, in cents, by which all results differ; 1 for one result."""
        lowest = min(self.counts)
        return gcd(*(net - lowest for net in self.counts)) or 1

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Return the results as steps above the lowest, with the ways of each, reduced."""
        lowest, common = min(self.counts), gcd(*self.counts.values())
        return tuple(
            ((net - lowest) // self.step, n // common) for net, n in sorted(self.counts.items())
        )

    @cached_property
    def exact_rounds_max(self) -> int:
        """Return up to how many rounds the result is counted exactly."""
        bits = sum(n for _, n in self.places).bit_length()
        width = max(1, self.places[-1][0])
        terms = max(1, len(self.places) - 1)
        return isqrt(EXACT_WORK_MAX // (bits * width * terms))

    def after(self, rounds: int, method: Method | None = None) -> RoundsResult:
        """Return the result of so many rounds, exactly or with the smallest error bound.

        A named method is used whatever it takes; Fourier is refused if it needs too much.
        """
        require_rounds(rounds)
        if method is None and rounds <= self.exact_rounds_max:
            method = Method.EXACT
        if method is Method.EXACT:
            return RoundsResult(self, rounds, ExactCurve(ways_of_power(self.places, rounds)))
        curves: list[Curve] = []
        if method is not Method.NORMAL:
            from croupier.odds.fourier import fourier_curve  # noqa: PLC0415  # needs numpy

            curves += [found for found in [fourier_curve(self.places, rounds)] if found]
        if method is Method.NORMAL or (method is None and self.variance):
            curves.append(self._normal(rounds))
        if not curves:
            message = f"{rounds:,} rounds at these stakes have too many results for Fourier."
            raise StakesError(message)
        return RoundsResult(self, rounds, min(curves, key=lambda curve: curve.error))

    def _normal(self, rounds: int) -> NormalCurve:
        if not self.variance:
            message = "Every round at these stakes ends alike, so nothing is approximated."
            raise StakesError(message)
        mean = rounds * (self.mean - min(self.counts)) / self.step
        skew = float(self.third_moment) / (float(self.variance) * self.sd)
        sd = self.sd * sqrt(rounds) / self.step
        return NormalCurve(mean, sd, min(1.0, BERRY_ESSEEN * skew / sqrt(rounds)))

    def __repr__(self) -> str:
        return (
            f"RoundDistribution({len(self.counts)} results, mean {float(self.mean):+.4f},"
            f" sd {self.sd:.4f} cents)"
        )


class Bar(NamedTuple):
    """The chance of a result from ``low`` to ``high`` cents, both included."""

    low: int
    high: int
    chance: float


class HoldBand(NamedTuple):
    """Where the hold of the house lies with this confidence, as a share of what is staked."""

    confidence: float
    low: float
    high: float
    """From the distribution: outside on either side lies no more than half of the rest."""
    normal_low: float
    normal_high: float
    """By the normal distribution: the expectation and so many standard deviations."""
    rounds_to_exclude_zero: int | None
    """From so many rounds on the normal band excludes zero; None if the mean is zero."""


@dataclass(frozen=True, eq=False)
class RoundsResult:
    """The distribution of the result of n rounds, in cents, seen from one party."""

    one: RoundDistribution
    rounds: int
    curve: Curve

    @property
    def method(self) -> Method:
        """Return how the distribution was found."""
        return self.curve.method

    @property
    def error(self) -> float:
        """Return the bound of the error of every cumulative chance."""
        return self.curve.error

    @property
    def low(self) -> int:
        """Return the lowest result there can be."""
        return self.rounds * min(self.one.counts)

    @property
    def high(self) -> int:
        """Return the highest result there can be."""
        return self.rounds * max(self.one.counts)

    @property
    def mean(self) -> Fraction:
        """Return the expected result."""
        return self.rounds * self.one.mean

    @property
    def variance(self) -> Fraction:
        """Return the variance of the result."""
        return self.rounds * self.one.variance

    @property
    def sd(self) -> float:
        """Return the standard deviation of the result."""
        return sqrt(self.variance)

    @cached_property
    def chances(self) -> dict[int, Fraction] | None:
        """Return the exact chance of every possible result; None for the other methods."""
        if not isinstance(self.curve, ExactCurve):
            return None
        return {
            self.low + place * self.one.step: Fraction(ways, self.curve.total)
            for place, ways in enumerate(self.curve.ways())
            if ways
        }

    def at_most(self, cents: float) -> float:
        """Return the chance of this result or a lower one."""
        if not self.low <= cents < self.high:
            return float(cents >= self.high)
        return self.curve.at_most((floor(cents) - self.low) // self.one.step)

    @property
    def ahead(self) -> float:
        """Return the chance of a result above zero."""
        return 1 - self.at_most(0)

    @property
    def behind(self) -> float:
        """Return the chance of a result below zero."""
        return self.at_most(-1)

    @property
    def level(self) -> float:
        """Return the chance of a result of exactly zero."""
        return max(0.0, self.at_most(0) - self.at_most(-1))

    def quantile(self, chance: float | Fraction) -> int:
        """Return the lowest result whose cumulative chance reaches this one."""
        if not 0 < chance < 1:
            message = f"A quantile of {chance} came; it lies between 0 and 1."
            raise StakesError(message)
        found = self.low + self.one.step * self.curve.place(Fraction(chance))
        return min(max(found, self.low), self.high)

    def table(self, bars: int = 10) -> list[Bar]:
        """Return the chances of bands of results.

        The inner bands are equally wide, between the quantiles of 0.5 and 99.5 %; the outer
        two, beside them, reach to the lowest and the highest result.
        """
        step, inner = self.one.step, bars - 2
        start, end = self.quantile(Fraction(1, 200)), self.quantile(Fraction(199, 200))
        width = -(-(end - start + step) // (step * inner)) * step
        edges = {start - step + number * width for number in range(inner + 1)}
        cuts = {self.low - step, self.high} | {min(edge, self.high) for edge in edges}
        return [
            Bar(lower + step, upper, max(0.0, self.at_most(upper) - self.at_most(lower)))
            for lower, upper in pairwise(sorted(cuts))
        ]

    def __repr__(self) -> str:
        return (
            f"RoundsResult({self.rounds} rounds, {self.method.value}, error {self.error:.2g})"
        )


def hold_bands(
    patron: RoundsResult, confidences: Sequence[float] = CONFIDENCES
) -> list[HoldBand]:
    """Return the bands of the house's hold, from the patron's result.

    Hold is what the house keeps as a share of everything staked, pushes included.
    """
    handle = patron.rounds * patron.one.staked
    expected, sd = -float(patron.mean) / handle, patron.sd / handle
    bands = []
    for confidence in confidences:
        outside = (1 - Fraction(str(confidence))) / 2
        score = NormalDist().inv_cdf(1 - float(outside))
        mean = patron.one.mean
        needed = Fraction(score) ** 2 * patron.one.variance / mean**2 if mean else None
        bands.append(
            HoldBand(
                confidence,
                -patron.quantile(1 - outside) / handle,
                -patron.quantile(outside) / handle,
                expected - score * sd,
                expected + score * sd,
                None if needed is None else floor(needed) + 1,
            )
        )
    return bands


def round_distribution(
    tally: Tally, stakes: Mapping[str, int], rounding: Rounding = Rounding.REFUSE
) -> RoundDistribution:
    """Return what one round brings a patron with these stakes in cents, by wager.

    Power Baccarat 98 is averaged over the die, or not, as the tally is.
    """
    game = tally.game
    if not stakes:
        message = f"No stake came; name one or more, such as {game.wagers[0].slug}=100."
        raise StakesError(message)
    for slug, stake in stakes.items():
        game.wager(slug)
        if stake <= 0:
            message = f"The stake on {slug} is {dollars(stake)}; a stake is more than zero."
            raise StakesError(message)
    for precondition in game.preconditions:
        breach = precondition.breach(stakes)
        if breach:
            raise StakesError(breach)
    paid = [
        (
            number,
            [net_cents(Cents(stakes[wager.slug]), each, rounding) for each in wager.verdicts],
        )
        for number, wager in enumerate(game.wagers)
        if wager.slug in stakes
    ]
    counts: dict[int, int] = {}
    for rows, count in tally.joint.items():
        net = sum(cents[rows[number]] for number, cents in paid)
        counts[net] = counts.get(net, 0) + count
    staked = Cents(sum(stakes.values()))
    return RoundDistribution(counts, staked, staked)


def net_cents(stake: Cents, verdict: Verdict, rounding: Rounding) -> int:
    """Return the net result of one wager in cents; refuse parts of a cent unless rounded."""
    if verdict.row is None:
        return -stake
    try:
        return pay(stake, verdict.row.pays, rounding)
    except ValueError:
        message = (
            f"A stake of {dollars(stake)} on {verdict.wager} would win a part of a cent at"
            f" {verdict.pays}; change the stake or name a rounding (down, nearest or up)."
        )
        raise StakesError(message) from None


def require_rounds(rounds: int) -> None:
    """Refuse a number of rounds that nobody can play."""
    if not 1 <= rounds <= ROUNDS_MAX:
        message = f"{rounds} rounds came; the number of rounds is 1 to {ROUNDS_MAX:,}."
        raise StakesError(message)


def ways_of_power(places: Sequence[tuple[int, int]], power: int) -> list[int]:
    """Return the coefficients of a polynomial to a power, exactly.

    ``places`` are exponents, from 0 upwards, and coefficients. With Q = P**n,
    P Q' = n P' Q gives each coefficient of Q from those before it (Euler), so the work
    grows with the few terms of P, and no power in between is needed.

    >>> ways_of_power([(0, 1), (1, 1)], 4)
    [1, 4, 6, 4, 1]
    """
    (_, first), *rest = places
    ways = [first**power]
    width = rest[-1][0] if rest else 0
    for place in range(1, power * width + 1):
        found = sum(
            ((power + 1) * exponent - place) * coefficient * ways[place - exponent]
            for exponent, coefficient in rest
            if exponent <= place
        )
        ways.append(found // (place * first))
    return ways
