"""Amounts that may be given: from a least to a most, in steps."""

from __future__ import annotations

import msgspec


class Amounts(msgspec.Struct, frozen=True, gc=False):
    """The numbers from a minimum to a maximum, in steps from the minimum on.

    >>> 150 in Amounts(100, 200, 50), 175 in Amounts(100, 200, 50)
    (True, False)
    """

    minimum: int
    maximum: int
    step: int = 1

    def __contains__(self, number: int) -> bool:
        """Tell whether a number is one of them."""
        return (
            self.minimum <= number <= self.maximum and (number - self.minimum) % self.step == 0
        )


def between(first: int, last: int, step: int = 1, whole: int = 0) -> tuple[Amounts, ...]:
    """Return the numbers from first to last that make whole steps with what is there.

    >>> between(1, 250, 100, 50)
    (Amounts(minimum=50, maximum=250, step=100),)
    >>> between(1, 40, 100, 50)
    ()
    """
    first += -(whole + first) % step
    last -= (whole + last) % step
    return (Amounts(first, last, step),) if first <= last else ()
