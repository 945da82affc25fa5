"""What is summed up of tables and patrons, and of single rounds: in whole cents."""

from __future__ import annotations

from datetime import date, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from croupier.journal.decision import read_moment

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

NO_TIME = timedelta()


class Rules(msgspec.Struct, frozen=True, order=True):
    """All that the exact odds of a table depend on."""

    rulebook: str
    game: str
    decks: int
    reading: str | None = None
    """The reading that the operator decided otherwise, as A6 of Power Baccarat 98."""


class Place(msgspec.Struct, frozen=True, order=True):
    """Where a round counts: its table, the rules it was played by, its gaming day and shift."""

    table: str
    rules: Rules
    day: date
    shift: str


class Playing(msgspec.Struct, frozen=True, order=True):
    """Where a patron's play counts: who, at which table, by which rules, on which day."""

    patron: str
    table: str
    rules: Rules
    day: date


class Sums(msgspec.Struct):
    """What was staked on a wager and what came of it."""

    rounds: int = 0
    """Rounds in which anything on it was settled."""
    stakes: int = 0
    """Patrons' parts of stakes that were settled: of a shared stake, each part."""
    turnover_cents: int = 0
    """All that was settled, pushes too; what was returned without settling is no part of it."""
    pushed_cents: int = 0
    """What of it pushed."""
    win_cents: int = 0
    """What the house won, its commission in it; negative: what it lost."""
    commission_cents: int = 0

    @property
    def resolved_cents(self) -> int:
        """Return the turnover that won or lost: without pushes."""
        return self.turnover_cents - self.pushed_cents

    def add(self, other: Sums, sign: int = 1) -> None:
        """Add other sums, or take them away."""
        self.rounds += sign * other.rounds
        self.stakes += sign * other.stakes
        self.turnover_cents += sign * other.turnover_cents
        self.pushed_cents += sign * other.pushed_cents
        self.win_cents += sign * other.win_cents
        self.commission_cents += sign * other.commission_cents


class PlaceSums(msgspec.Struct):
    """What was played at one place."""

    rounds: int = 0
    """Rounds whose pay list stands, those without a stake too."""
    voids: int = 0
    """Rounds that were void, counted when they became so."""
    corrections: int = 0
    """Pay lists that were reversed to be made anew, counted when they were."""
    cash_cents: int = 0
    """What patrons bought in for at the table: cash into its box."""
    credit_cents: int = 0
    """What came to its seats from wallets at the cage."""
    began: str | None = None
    """When the first of its rounds was called, or the shift began."""
    ended: str | None = None
    """When the last one was settled, or void before that."""
    dealt: dict[str, int] = {}
    """Dealers, and how many rounds each called."""
    wagers: dict[str, Sums] = {}
    products: dict[tuple[str, str], int] = {}
    """For two wagers, or one with itself: the sum over rounds of stake times stake, in cents
    squared. With the covariance of the wagers it gives the variance of the win exactly."""

    @property
    def drop_cents(self) -> int:
        """Return all that patrons brought to the table: cash and credit."""
        return self.cash_cents + self.credit_cents

    def copied(self) -> PlaceSums:
        """Return a copy that shares nothing."""
        return msgspec.structs.replace(
            self,
            dealt=dict(self.dealt),
            wagers=copied(self.wagers),
            products=dict(self.products),
        )

    @property
    def played(self) -> timedelta:
        """Return the time from the first call to the last settlement or void."""
        if self.began is None or self.ended is None:
            return NO_TIME
        return max(NO_TIME, read_moment(self.ended) - read_moment(self.began))


class Rating(msgspec.Struct):
    """How a patron played at one table, by one set of rules, on one gaming day."""

    rounds: int = 0
    """Rounds in which a stake of the patron was settled."""
    seated: timedelta = NO_TIME
    bought_cents: int = 0
    """What the patron brought to the seat: cash at the table, and credit from the wallet."""
    taken_cents: int = 0
    """What the patron took away from it."""
    wagers: dict[str, Sums] = {}

    @property
    def total(self) -> Sums:
        """Return the sums over all wagers; the house's win is what the patron lost."""
        total = Sums()
        for sums in self.wagers.values():
            total.add(sums)
        total.rounds = self.rounds
        return total


class Counted(msgspec.Struct):
    """A round whose pay list stands and may be taken back: what it adds, and where."""

    place: Place
    number: int
    moment: str
    wagers: dict[str, Sums]
    patrons: dict[str, dict[str, Sums]]


class Stood(msgspec.Struct, frozen=True, gc=False):
    """A round of a course, as small as it can be kept: a day of a house has many."""

    place: Place
    number: int
    moment: str
    win_cents: int
    """What the house won by it."""
    wagers: tuple[str, ...]
    """On which there was anything, in the order of their names."""
    staked: tuple[int, ...]
    """The cents on each of them."""

    @property
    def turnover(self) -> dict[str, int]:
        """Return the cents on each wager."""
        return dict(zip(self.wagers, self.staked, strict=True))

    @property
    def products(self) -> dict[tuple[str, str], int]:
        """Return stake times stake, for any two of its wagers and for each with itself."""
        return products_of(zip(self.wagers, self.staked, strict=True))


def products_of(staked: Iterable[tuple[str, int]]) -> dict[tuple[str, str], int]:
    """Return cents times cents for any two wagers of a round, in the order of their names."""
    ordered = sorted(staked)
    return {
        (wager, other): cents * others
        for place, (wager, cents) in enumerate(ordered)
        for other, others in ordered[place:]
    }


@lru_cache(maxsize=1024)
def _same(wagers: tuple[str, ...]) -> tuple[str, ...]:
    """Return the same object for the same wagers: many rounds have them."""
    return wagers


def stood_of(counted: Counted, place: Place) -> Stood:
    """Return what is kept of a round for the course of its table."""
    wagers = tuple(sorted(counted.wagers))
    return Stood(
        place,
        counted.number,
        counted.moment,
        sum(one.win_cents for one in counted.wagers.values()),
        _same(wagers),
        tuple([counted.wagers[wager].turnover_cents for wager in wagers]),
    )


def copied(wagers: Mapping[str, Sums]) -> dict[str, Sums]:
    """Return sums by wager that share nothing with others."""
    return {wager: msgspec.structs.replace(sums) for wager, sums in wagers.items()}


def add_sums(into: dict[str, Sums], wagers: Mapping[str, Sums], sign: int) -> None:
    """Add sums by wager, or take them away; where no round is left, nothing is."""
    for wager, one in wagers.items():
        sums = into.get(wager)
        if sums is None:
            sums = into[wager] = Sums()
        sums.add(one, sign)
        if not sums.rounds:
            del into[wager]
