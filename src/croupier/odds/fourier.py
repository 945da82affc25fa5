"""The distribution of a sum of many equal rounds, by its characteristic function.

The chances of n rounds are the Fourier transform, backwards, of the n-th power of the
transform of one round. Only a window around the mean is kept: what lies outside falls on
top of it (the transform is periodic), and that is less than OUTSIDE by Bernstein's
inequality. Importing this imports numpy.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, log, log2, sqrt
from typing import TYPE_CHECKING

import numpy as np

from croupier.odds.rounds import Method

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

OUTSIDE = 1e-14
"""The chance, at most, of a result outside the window."""

WINDOW_MAX = 2**21
"""How many places a window may have: beyond it takes many seconds and much memory."""

UNIT = 2.0**-53
"""The relative error of one operation on floats."""


class FourierCurve:
    """Cumulative chances of the places in a window; nothing below, everything above."""

    method = Method.FOURIER

    def __init__(self, first: int, cumulative: NDArray[np.float64], error: float) -> None:
        self.first = first
        self.cumulative = cumulative
        self.error = error

    def at_most(self, place: int) -> float:
        """Return the chance of this place or a lower one."""
        inside = place - self.first
        if inside < 0:
            return 0.0
        if inside >= len(self.cumulative):
            return 1.0
        return float(self.cumulative[inside])

    def place(self, chance: Fraction) -> int:
        """Return the lowest place whose cumulative chance reaches this one."""
        return self.first + int(np.searchsorted(self.cumulative, float(chance)))


def fourier_curve(places: Sequence[tuple[int, int]], rounds: int) -> FourierCurve | None:
    """Return the distribution of the sum of so many rounds; None if it needs too much space.

    ``places`` are the results of one round, from 0 upwards, and the ways of each.
    """
    first, size = _window(places, rounds)
    if size > WINDOW_MAX:
        return None
    one = _transform(places, size)
    many = _power(one, rounds)
    steps = np.arange(size // 2 + 1, dtype=np.int64)
    many *= _roots(size)[(steps * (-first % size)) % size]
    chances = np.fft.irfft(many, size)
    cumulative = np.maximum.accumulate(np.clip(np.cumsum(chances), 0.0, 1.0))
    return FourierCurve(first, cumulative, _error(one, len(places), rounds, size))


def _window(places: Sequence[tuple[int, int]], rounds: int) -> tuple[int, int]:
    """Return the first place of the window and its size, a power of two."""
    total = sum(ways for _, ways in places)
    mean = Fraction(sum(place * ways for place, ways in places), total)
    square = Fraction(sum(place * place * ways for place, ways in places), total)
    furthest = float(max(places[-1][0] - mean, mean))
    needed = log(2 / OUTSIDE)
    linear = needed * furthest / 3
    reach = linear + sqrt(linear**2 + 2 * needed * rounds * float(square - mean**2))
    low = max(0, floor(rounds * mean - Fraction(reach)))
    high = min(rounds * places[-1][0], ceil(rounds * mean + Fraction(reach)))
    return low, 1 << max(1, (high - low).bit_length())


def _roots(size: int) -> NDArray[np.complex128]:
    """Return the roots of unity, clockwise."""
    angles = np.arange(size) * (-2 * np.pi / size)
    roots: NDArray[np.complex128] = np.cos(angles) + 1j * np.sin(angles)
    return roots


def _transform(places: Sequence[tuple[int, int]], size: int) -> NDArray[np.complex128]:
    """Return the characteristic function of one round at half of the frequencies.

    Summed term by term: a fast transform would be less exact at single frequencies.
    """
    total = sum(ways for _, ways in places)
    roots, steps = _roots(size), np.arange(size // 2 + 1, dtype=np.int64)
    found = np.zeros(len(steps), dtype=np.complex128)
    for place, ways in places:
        found += (ways / total) * roots[(steps * (place % size)) % size]
    return found


def _power(base: NDArray[np.complex128], exponent: int) -> NDArray[np.complex128]:
    """Return a power by squaring, whose error is known better than that of a logarithm."""
    found, square = np.ones_like(base), base.copy()
    while exponent:
        if exponent & 1:
            found *= square
        square *= square
        exponent >>= 1
    return found


def _error(one: NDArray[np.complex128], terms: int, rounds: int, size: int) -> float:
    """Return a bound of the error of every cumulative chance.

    A value of the transform of one round is off by (terms + 10) units at most, a product of
    complex numbers by the square root of 5; the power multiplies both by the rounds. By
    Parseval and Cauchy, a partial sum of the result is off by no more than the norm of the
    errors of the transform. To that come the fast transform, the running sum and what falls
    from outside on the window.
    """
    spectrum = np.abs(one) ** (2.0 * (rounds - 1))
    norm = sqrt(2 * float(spectrum.sum()))
    grown = rounds * (terms + 10 + sqrt(5)) * UNIT
    transformed = 8 * log2(size) * UNIT
    bound = (grown * (1 + grown) + transformed) * norm + size * UNIT + 2 * OUTSIDE
    return min(1.0, bound)
