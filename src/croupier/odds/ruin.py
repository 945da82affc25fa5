"""Risk of ruin and the bankroll it takes, at flat stakes, for the patron or the house.

A party is ruined when its bankroll no longer holds what one more round needs: the stakes for
a patron, the largest payment for the house. Rounds are independent, as in
:mod:`croupier.odds.rounds`.

recursion  Round by round over every bankroll at once: floats without subtraction, so the
           error is known. Bankrolls so high that ruin is less likely than NEGLIGIBLE count
           as safe. Used while it takes seconds at most: with Banker at 100.00 in
           ``baccarat`` up to about 24,000 rounds.
diffusion  The walk taken as continuous, beyond that. Its error has no simple bound, so two
           bounds of the true chance come with it; a required bankroll is then approximate
           (within 8 % in the cases compared with the recursion at some hundred rounds).
lundberg   Without a limit of rounds, for the party that the rounds favour: exp(-t b) with
           the root t of E[exp(-t X)] = 1. That is exact if no loss is larger than the
           smallest step of the bankroll, otherwise an upper bound, with a lower one beside.
certain    Without a limit of rounds and without an advantage, ruin comes for sure; also when
           the bankroll does not hold one round, or no round loses.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from math import ceil, erfc, exp, expm1, fsum, gcd, log, log1p, pi, sqrt
from typing import TYPE_CHECKING

from croupier.money import Cents
from croupier.odds.rounds import RoundDistribution, StakesError, require_rounds

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RECURSION_WORK_MAX = 2_000_000_000
"""How many additions the recursion may take."""

NEGLIGIBLE = 1e-13

RISK_MIN = 1e-9

UNIT = 2.0**-53
"""The relative error of one operation on floats."""


class RuinMethod(Enum):
    """How a chance of ruin was found."""

    RECURSION = "recursion"
    DIFFUSION = "diffusion"
    LUNDBERG = "lundberg"
    CERTAIN = "certain"


@dataclass(frozen=True, slots=True)
class Ruin:
    """A chance of ruin, and two bounds between which it truly lies."""

    chance: float
    lower: float
    upper: float
    method: RuinMethod


@dataclass(frozen=True, slots=True)
class Bankroll:
    """The smallest bankroll, in cents, with which the chance of ruin is no more than a risk."""

    cents: Cents | None
    """None if no bankroll is large enough."""
    risk: float
    method: RuinMethod


class Walk:
    """The bankroll of one party as whole steps above ruin."""

    def __init__(self, one: RoundDistribution) -> None:
        self.one = one
        self.step = gcd(*one.counts) or 1
        """In cents: every result is a multiple of it."""
        self.moves = [
            (net // self.step, count / one.total) for net, count in sorted(one.counts.items())
        ]
        self.drop = max(0, -self.moves[0][0])
        """The largest loss of a round, in steps."""
        self.slope_max = 600.0 / max(1, self.drop)
        """The largest t whose exponentials are still floats."""
        self.mean = float(one.mean) / self.step
        self.variance = float(one.variance) / self.step**2

    def height(self, bankroll: int) -> int:
        """Return how many steps may be lost without ruin; negative if it has come already."""
        return (bankroll - self.one.needed) // self.step

    def bankroll(self, height: int) -> Cents:
        """Return the smallest bankroll of this height."""
        return Cents(self.one.needed + max(0, height) * self.step)

    def growth(self, t: float) -> float:
        """Return the logarithm of E[exp(-t X)], exact also where it is near zero."""
        grown = fsum(chance * expm1(-t * move) for move, chance in self.moves)
        return log1p(max(grown, UNIT - 1))

    def slopes(self, rounds: int, depth: float) -> list[float]:
        """Return values of t among which the best one for these bounds lies, nearly."""
        square = max(1.0, self.variance * rounds)
        middle = max(depth, sqrt(square)) / square
        return [min(self.slope_max, middle * 1.05**power) for power in range(-80, 81)]

    def reach_bound(self, rounds: int, depth: float) -> float:
        """Bound the chance that so many steps or more are lost at some time.

        By Ville's inequality: exp(-t S - k growth(t)) is a martingale, so for every t the
        chance is no more than exp(rounds growth(t) - t depth), growth taken as zero or more.
        """
        best = min(
            rounds * max(0.0, self.growth(t)) - t * depth for t in self.slopes(rounds, depth)
        )
        return exp(min(0.0, best))

    def safe_height(self, rounds: int) -> int:
        """Return a height from which ruin within these rounds is NEGLIGIBLE or impossible."""
        wanted, most = -log(NEGLIGIBLE), rounds * self.drop
        depth = sqrt(2 * wanted * self.variance * rounds)
        depths = (
            (rounds * max(0.0, self.growth(t)) + wanted) / t for t in self.slopes(rounds, depth)
        )
        return min(most, ceil(min(depths)))


class RuinWithin:
    """The chance of ruin within so many rounds, for any bankroll.

    >>> even = RoundDistribution({-1: 1, 1: 1}, Cents(1), Cents(1))
    >>> RuinWithin(even, 3).chance(1).chance, RuinWithin(even, 3).bankroll(0.2).cents
    (0.625, 3)
    """

    def __init__(self, one: RoundDistribution, rounds: int) -> None:
        require_rounds(rounds)
        self.walk = Walk(one)
        self.rounds = rounds

    @cached_property
    def method(self) -> RuinMethod:
        """Return how ruin is found: by recursion while that is feasible."""
        if not self.walk.drop:
            return RuinMethod.CERTAIN
        feasible = recursion_work(self.walk, self.rounds) <= RECURSION_WORK_MAX
        return RuinMethod.RECURSION if feasible else RuinMethod.DIFFUSION

    @cached_property
    def table(self) -> NDArray[np.float64]:
        """Return the chance of ruin for every height up to a safe one."""
        return ruin_table(self.walk, self.rounds)

    def chance(self, bankroll: int) -> Ruin:
        """Return the chance of ruin with this bankroll in cents."""
        walk, height = self.walk, self.walk.height(bankroll)
        if height < 0 or self.method is RuinMethod.CERTAIN:
            return certain(ruined=height < 0)
        if self.method is RuinMethod.DIFFUSION:
            lower, upper = self._bounds(bankroll, height + 1)
            found = min(upper, max(lower, diffusion(walk, self.rounds, height)))
            return Ruin(found, lower, upper, RuinMethod.DIFFUSION)
        inside = height < len(self.table)
        chance = float(self.table[height]) if inside else 0.0
        rounded = chance * self.rounds * (len(walk.moves) + 2) * UNIT
        upper = min(1.0, chance + rounded + NEGLIGIBLE)
        return Ruin(chance, chance - rounded, upper, RuinMethod.RECURSION)

    @cached_property
    def _sooner(self) -> RuinWithin | None:
        """Return ruin within fewer rounds, so few that the recursion is soon done."""
        rounds = self.rounds
        while rounds and recursion_work(self.walk, rounds) > RECURSION_WORK_MAX // 4:
            rounds //= 2
        return RuinWithin(self.walk.one, rounds) if rounds else None

    def _bounds(self, bankroll: int, depth: int) -> tuple[float, float]:
        """Bound the chance of ruin, by ruin at the end or sooner and by ruin at any time."""
        ended = self.walk.one.after(self.rounds)
        lower = max(0.0, ended.at_most(-depth * self.walk.step) - ended.error)
        if self._sooner is not None:
            lower = max(lower, self._sooner.chance(bankroll).lower)
        ever = RuinEver(self.walk.one).chance(bankroll).upper
        return lower, max(lower, min(ever, self.walk.reach_bound(self.rounds, depth)))

    def bankroll(self, risk: float) -> Bankroll:
        """Return the bankroll required for this risk."""
        require_risk(risk)
        if self.method is RuinMethod.CERTAIN:
            return Bankroll(self.walk.bankroll(0), risk, self.method)
        low, high = -1, self.walk.safe_height(self.rounds)
        while high - low > 1:
            middle = (low + high) // 2
            if self._at(middle) <= risk:
                high = middle
            else:
                low = middle
        return Bankroll(self.walk.bankroll(high), risk, self.method)

    def _at(self, height: int) -> float:
        if self.method is RuinMethod.RECURSION:
            return float(self.table[height])
        return diffusion(self.walk, self.rounds, height)


class RuinEver:
    """The chance of ruin without a limit of rounds, for any bankroll.

    >>> good = RoundDistribution({-1: 1, 1: 2}, Cents(1), Cents(1))
    >>> round(RuinEver(good).chance(3).chance, 12)
    0.125
    """

    def __init__(self, one: RoundDistribution) -> None:
        self.walk = Walk(one)

    @property
    def method(self) -> RuinMethod:
        """Return how ruin is found."""
        favoured = self.walk.drop and self.walk.one.mean > 0
        return RuinMethod.LUNDBERG if favoured else RuinMethod.CERTAIN

    @cached_property
    def exponent(self) -> float:
        """Return the positive root t of E[exp(-t X)] = 1, per step."""
        walk = self.walk
        low, high = 0.0, min(walk.slope_max, 2 * walk.mean / walk.variance)
        while walk.growth(high) <= 0:
            low, high = high, 2 * high
        while True:
            middle = (low + high) / 2
            if middle in (low, high):
                return low
            low, high = (middle, high) if walk.growth(middle) <= 0 else (low, middle)

    def chance(self, bankroll: int) -> Ruin:
        """Return the chance that a bankroll in cents is ever ruined."""
        walk, height = self.walk, self.walk.height(bankroll)
        if height < 0 or self.method is RuinMethod.CERTAIN:
            return certain(ruined=height < 0 or walk.drop > 0)
        upper = exp(-self.exponent * (height + 1))
        lower = exp(-self.exponent * (height + walk.drop))
        return Ruin(upper, lower, upper, RuinMethod.LUNDBERG)

    def bankroll(self, risk: float) -> Bankroll:
        """Return a bankroll that is enough for this risk for ever."""
        require_risk(risk)
        if self.method is RuinMethod.CERTAIN:
            enough = None if self.walk.drop else self.walk.bankroll(0)
            return Bankroll(enough, risk, RuinMethod.CERTAIN)
        height = ceil(-log(risk) / self.exponent) - 1
        return Bankroll(self.walk.bankroll(height), risk, RuinMethod.LUNDBERG)


def certain(*, ruined: bool) -> Ruin:
    """Return ruin for sure, or safety for sure."""
    return Ruin(float(ruined), float(ruined), float(ruined), RuinMethod.CERTAIN)


def recursion_work(walk: Walk, rounds: int) -> int:
    """Return how many additions the recursion takes at most."""
    return rounds * walk.safe_height(rounds) * len(walk.moves)


def ruin_table(walk: Walk, rounds: int) -> NDArray[np.float64]:
    """Return the chance of ruin within so many rounds, by height.

    After one more round, ruin from a height is the mean of ruin from where the round leads:
    one below zero, and nothing above the safe height.
    """
    import numpy as np  # noqa: PLC0415  # nothing else here needs it

    size, drop = walk.safe_height(rounds) + 1, walk.drop
    rise = max(0, walk.moves[-1][0])
    chances = np.zeros(drop + size + rise)
    chances[:drop] = 1.0
    work, product = np.empty(size), np.empty(size)
    for number in range(1, rounds + 1):
        # Within so few rounds nobody falls further than this.
        reached = min(size, number * drop)
        mean, part = work[:reached], product[:reached]
        mean.fill(0.0)
        for move, chance in walk.moves:
            start = drop + move
            np.multiply(chances[start : start + reached], chance, out=part)
            mean += part
        chances[drop : drop + reached] = mean
    return chances[drop : drop + size]


def diffusion(walk: Walk, rounds: int, height: int) -> float:
    """Return the chance of ruin of a continuous walk with the same mean and variance."""
    depth, drift = height + 1, walk.mean * rounds
    if not walk.variance:
        return float(depth <= -drift)
    spread = sqrt(walk.variance * rounds)
    ended = exp(log_normal((-depth - drift) / spread))
    tilt = -2 * walk.mean * depth / walk.variance
    returned = exp(min(0.0, tilt + log_normal((-depth + drift) / spread)))
    return min(1.0, ended + returned)


def log_normal(score: float) -> float:
    """Return the logarithm of the normal distribution function, also far below."""
    far = -35.0
    if score > far:
        return log(erfc(-score / sqrt(2)) / 2)
    return -score * score / 2 - log(-score * sqrt(2 * pi))


def require_risk(risk: float) -> None:
    """Refuse a risk that is no chance, or so small that the methods cannot tell it."""
    if not RISK_MIN <= risk < 1:
        message = f"A risk of {risk} came; a risk is {RISK_MIN} or more and less than 1."
        raise StakesError(message)
