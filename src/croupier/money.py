"""Money and odds: integer cents, exact fractions, and rounding that is always named.

Nothing here is a float. With whole-dollar stakes no pay line of any rulebook rounds (A10).
"""

from __future__ import annotations

import re
from enum import Enum
from fractions import Fraction
from typing import NewType

from croupier.frozen import Frozen, set_slot

Cents = NewType("Cents", int)

WRITTEN = re.compile(r"(?=[0-9.]*[1-9])([0-9]+(?:\.[0-9]+)?) to ([1-9][0-9]*)")
"""Two numbers, neither of them zero: what pays nothing is written "Push"."""


def dollars(cents: int) -> str:
    """Write an amount in dollars and cents.

    >>> dollars(150_050), dollars(-5)
    ('1,500.50', '-0.05')
    """
    whole, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{whole:,}.{rest:02}"


class Odds(Frozen):
    """Net winnings per unit staked, kept as the rulebook writes them.

    >>> Odds("0.95 to 1").net
    Fraction(19, 20)
    >>> Odds("Push").net
    Fraction(0, 1)
    >>> str(Odds("21 to 20"))
    '21 to 20'
    """

    __slots__ = ("net", "text")

    net: Fraction
    text: str

    def __init__(self, text: str) -> None:
        written = WRITTEN.fullmatch(text)
        if written is None and text != "Push":
            message = f"{text!r} are not odds; write them as '8 to 1', '0.95 to 1' or 'Push'."
            raise ValueError(message)
        set_slot(self, "text", text)
        net = Fraction(written[1]) / Fraction(written[2]) if written else Fraction(0)
        set_slot(self, "net", net)

    def __reduce__(self) -> tuple[type[Odds], tuple[str]]:
        """Copy and unpickle by reading the text again."""
        return Odds, (self.text,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Odds) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Odds({self.text!r})"

    def __str__(self) -> str:
        return self.text


class Rounding(Enum):
    """What happens to a part of a cent; a table names one of these and shows it (A10)."""

    REFUSE = "refuse"
    DOWN = "down"
    NEAREST = "nearest"
    UP = "up"


def _rounded(amount: Fraction, rounding: Rounding) -> int:
    whole, rest = divmod(amount, 1)
    if not rest:
        return int(whole)
    if rounding is Rounding.REFUSE:
        message = (
            f"{amount} cents is not a whole number of cents and this table does not round."
        )
        raise ValueError(message)
    up = rounding is Rounding.UP or (rounding is Rounding.NEAREST and rest * 2 >= 1)
    return int(whole) + up


def pay(stake: Cents, odds: Odds, rounding: Rounding = Rounding.REFUSE) -> Cents:
    """Return the net winnings of a stake in cents; half a cent goes up under NEAREST.

    >>> pay(Cents(500), Odds("0.95 to 1"))
    475
    >>> pay(Cents(1), Odds("1 to 2"), Rounding.DOWN)
    0
    """
    return Cents(_rounded(stake * odds.net, rounding))
