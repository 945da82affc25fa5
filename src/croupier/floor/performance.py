"""Win and hold beside what the exact odds expect, and ratings of patrons.

The theoretical win is the turnover times the exact edge per unit placed, wager by wager, for
the decks, rules and readings that each round was played by: pushes are in the turnover and in
the edge. The band comes from the exact variance: for each round the stakes on all wagers as
they were, with the covariance of wagers of one coup; Power Baccarat 98 is averaged over the
die. Rounds are taken for independent, and for the first of a full shoe. All of it is exact
until the deviation's square root.
"""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction
from functools import cache
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from croupier.frozen import Named
from croupier.journal.sums import NO_TIME, Sums
from croupier.odds.figures import exact_odds
from croupier.rulebooks import same_game

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
    from datetime import date, datetime

    from croupier.journal.performance import (
        Performance,
        Place,
        PlaceSums,
        Playing,
        Rating,
        Rules,
        Stood,
    )
    from croupier.odds.figures import GameOdds

HOUR = timedelta(hours=1)
MICROSECOND = timedelta(microseconds=1)


def _deviations(part: float) -> float:
    return NormalDist().inv_cdf((1 + part) / 2)


WARNING, ALARM = _deviations(0.95), _deviations(0.997)
"""How many standard deviations the bands of 95 % and of 99.7 % reach to either side."""


class Standing(Named):
    """Where a win lies beside what is expected."""

    NOTHING = "nothing at stake"
    WITHIN = "within 95 %"
    OUTSIDE_95 = "outside 95 %"
    OUTSIDE_997 = "outside 99.7 %"


def odds_of(rules: Rules) -> GameOdds:
    """Return the exact odds of a full shoe by which a round is judged."""
    game = same_game(rules.rulebook, rules.game, rules.reading)
    return exact_odds(game, decks=rules.decks)


class Expected(NamedTuple):
    """What is kept of the odds: the counts behind them are megabytes for each game."""

    edges: dict[str, Fraction]
    covariances: dict[tuple[str, str], Fraction]
    """Of any two wagers, by their names in either order."""


@cache
def _expected(rules: Rules) -> Expected:
    odds = odds_of(rules)
    slugs = [one.wager.slug for one in odds.wagers]
    return Expected(
        {one.wager.slug: one.edge for one in odds.wagers},
        {
            (first, second): value
            for first, values in zip(slugs, odds.covariance, strict=True)
            for second, value in zip(slugs, values, strict=True)
        },
    )


def expected_cents(rules: Rules, turnover: Mapping[str, int]) -> Fraction:
    """Return the theoretical win of a turnover by wager."""
    edges = _expected(rules).edges
    return sum((edges[wager] * cents for wager, cents in turnover.items()), Fraction(0))


def turnover_of(wagers: Mapping[str, Sums]) -> dict[str, int]:
    """Return the turnover of each wager."""
    return {wager: sums.turnover_cents for wager, sums in wagers.items()}


def variance_of(rules: Rules, products: Mapping[tuple[str, str], int]) -> Fraction:
    """Return the variance of the win, from the products of stakes summed over rounds."""
    covariances = _expected(rules).covariances
    return sum(
        (
            covariances[pair] * cents * (1 if pair[0] == pair[1] else 2)
            for pair, cents in products.items()
        ),
        Fraction(0),
    )


# Win and hold


class Line(msgspec.Struct):
    """Win and hold of one group: of a table, a game, a wager, a shift, or several of these."""

    of: dict[str, str]
    """What the group is, by the name of each respect."""
    sums: Sums = msgspec.field(default_factory=Sums)
    voids: int = 0
    corrections: int = 0
    drop_cents: int | None = None
    """What patrons brought; None where it cannot be told: nobody buys in for one wager."""
    played: timedelta = NO_TIME
    """From first call to last settlement, summed over tables and shifts."""
    expected_cents: Fraction = Fraction(0)
    """The theoretical win."""
    variance: Fraction = Fraction(0)
    """Of the win, in cents squared."""

    @property
    def edge(self) -> Fraction | None:
        """Return the exact edge of what was staked."""
        return _part(self.expected_cents, self.sums.turnover_cents)

    @property
    def hold_of(self) -> str:
        """Say what the hold is a part of: the drop where it is known, else the turnover."""
        return "drop" if self.drop_cents else "turnover"

    @property
    def hold(self) -> Fraction | None:
        """Return the win as a part of the drop, or of the turnover; None: there is none."""
        return _part(self.sums.win_cents, self.drop_cents or self.sums.turnover_cents)

    @property
    def hold_expected(self) -> Fraction | None:
        """Return the theoretical win as a part of the same."""
        return _part(self.expected_cents, self.drop_cents or self.sums.turnover_cents)

    @property
    def rounds_an_hour(self) -> Fraction | None:
        """Return how many rounds a table played in an hour."""
        return _part(self.sums.rounds * (HOUR // MICROSECOND), self.played // MICROSECOND)

    @property
    def sd_cents(self) -> float:
        """Return the standard deviation of the win."""
        return sqrt(self.variance)

    @property
    def band_cents(self) -> tuple[int, int]:
        """Return between what the win lies in 95 of 100 cases."""
        half = Fraction(WARNING * self.sd_cents)
        return round(self.expected_cents - half), round(self.expected_cents + half)

    @property
    def z(self) -> float | None:
        """Return by how many deviations the win is off; None: nothing was at stake."""
        if not self.variance:
            return None
        return float(self.sums.win_cents - self.expected_cents) / self.sd_cents

    @property
    def standing(self) -> Standing:
        """Say where the win lies beside the bands."""
        if self.z is None:
            return Standing.NOTHING
        off = abs(self.z)
        if off <= WARNING:
            return Standing.WITHIN
        return Standing.OUTSIDE_95 if off <= ALARM else Standing.OUTSIDE_997


BY: Mapping[str, Callable[[Place, str], str]] = {
    "day": lambda place, _: place.day.isoformat(),
    "shift": lambda place, _: place.shift,
    "table": lambda place, _: place.table,
    "game": lambda place, _: place.rules.game,
    "wager": lambda _, wager: wager,
}
"""What win and hold can be told by, in the order of the columns."""


def win(
    book: Performance,
    by: Collection[str] = ("table",),
    *,
    days: Collection[date] = (),
    tables: Collection[str] = (),
) -> list[Line]:
    """Return win and hold by one respect or several; without any, one line over all.

    Only of some gaming days, or tables, where any are named.
    """
    respects = [respect for respect in BY if respect in by]
    lines: dict[tuple[str, ...], Line] = {}
    for place, sums in sorted(book.places.items(), key=lambda one: one[0]):
        if (days and place.day not in days) or (tables and place.table not in tables):
            continue
        for wager in sorted(sums.wagers) if "wager" in respects else ("",):
            key = tuple(BY[respect](place, wager) for respect in respects)
            line = lines.get(key)
            if line is None:
                line = lines[key] = Line(dict(zip(respects, key, strict=True)))
            (_add_wager if wager else _add_place)(line, place, sums, wager)
    order = {shift.name: place for place, shift in enumerate(book.gaming_day.shifts)}
    return sorted(lines.values(), key=lambda line: _in_order(line.of, order))


def _in_order(of: Mapping[str, str], shifts: Mapping[str, int]) -> list[tuple[int, str]]:
    """Order lines by their names, and shifts as they follow one another."""
    return [
        (shifts.get(value, 0) if respect == "shift" else 0, value)
        for respect, value in of.items()
    ]


def _add_place(line: Line, place: Place, sums: PlaceSums, _: str) -> None:
    for one in sums.wagers.values():
        line.sums.add(one)
    line.sums.rounds += sums.rounds - sum(one.rounds for one in sums.wagers.values())
    line.voids += sums.voids
    line.corrections += sums.corrections
    line.drop_cents = (line.drop_cents or 0) + sums.drop_cents
    line.played += sums.played
    line.expected_cents += expected_cents(place.rules, turnover_of(sums.wagers))
    line.variance += variance_of(place.rules, sums.products)


def _add_wager(line: Line, place: Place, sums: PlaceSums, wager: str) -> None:
    one = sums.wagers[wager]
    line.sums.add(one)
    line.expected_cents += expected_cents(place.rules, {wager: one.turnover_cents})
    pair = (wager, wager)
    line.variance += variance_of(place.rules, {pair: sums.products.get(pair, 0)})


class Point(msgspec.Struct, frozen=True):
    """How a table stood after a round of a gaming day."""

    round: int
    moment: str
    win_cents: int
    expected_cents: Fraction
    variance: Fraction


def course(book: Performance, table: str, day: date) -> list[Point]:
    """Return win, theoretical win and variance of a table, summed up round by round."""
    points: list[Point] = []
    won, expected, variance = 0, Fraction(0), Fraction(0)
    for stood in book.course(table, day):
        rules = stood.place.rules
        won += stood.win_cents
        expected += expected_cents(rules, stood.turnover)
        variance += variance_of(rules, stood.products)
        points.append(Point(stood.number, stood.moment, won, expected, variance))
    return points


class Mark(NamedTuple):
    """How things stood after a round, for a picture: close to exact, and quickly computed."""

    round: Stood
    win_cents: int
    expected_cents: float
    sd_cents: float


@cache
def rough(rules: Rules) -> tuple[dict[str, float], dict[tuple[str, str], float]]:
    """Return edges and covariances as floating point numbers."""
    expected = _expected(rules)
    edges = {wager: float(edge) for wager, edge in expected.edges.items()}
    return edges, {pair: float(value) for pair, value in expected.covariances.items()}


def picture(rounds: Iterable[Stood]) -> list[Mark]:
    """Return win, theoretical win and deviation after each of several rounds, summed up."""
    marks: list[Mark] = []
    won, expected, variance = 0, 0.0, 0.0
    for stood in rounds:
        won += stood.win_cents
        if stood.wagers:
            edges, covariances = rough(stood.place.rules)
            for wager, cents in stood.turnover.items():
                expected += edges[wager] * cents
            for pair, product in stood.products.items():
                variance += covariances[pair] * product * (1 if pair[0] == pair[1] else 2)
        marks.append(Mark(stood, won, expected, sqrt(variance)))
    return marks


# Ratings


class Rated(msgspec.Struct):
    """How a patron played: of a gaming day, a game, a table, or several of these."""

    of: dict[str, str]
    sums: Sums = msgspec.field(default_factory=Sums)
    seated: timedelta = NO_TIME
    """From taking a seat to leaving it."""
    bought_cents: int = 0
    taken_cents: int = 0
    expected_cents: Fraction = Fraction(0)
    """The theoretical win of the house."""

    @property
    def average_cents(self) -> Fraction | None:
        """Return the average stake: all that was staked in a round on all wagers together."""
        return _part(self.sums.turnover_cents, self.sums.rounds)


RATED_BY: Mapping[str, Callable[[Playing], str]] = {
    "day": lambda playing: playing.day.isoformat(),
    "patron": lambda playing: playing.patron,
    "game": lambda playing: playing.rules.game,
    "table": lambda playing: playing.table,
}
"""What ratings can be told by, in the order of the columns."""


def ratings(
    book: Performance,
    by: Collection[str] = ("day", "patron", "game"),
    *,
    days: Collection[date] = (),
    patrons: Collection[str] = (),
    tables: Collection[str] = (),
    until: datetime | None = None,
) -> list[Rated]:
    """Return how patrons played, by one respect or several.

    Only of some gaming days, patrons or tables where any are named; whoever is still seated
    counts until a moment, or until the table's newest decision.
    """
    respects = [respect for respect in RATED_BY if respect in by]
    found: dict[tuple[str, ...], Rated] = {}
    for playing, rating in book.ratings(until).items():
        wanted = (
            (not days or playing.day in days)
            and (not patrons or playing.patron in patrons)
            and (not tables or playing.table in tables)
        )
        if wanted:
            key = tuple(RATED_BY[respect](playing) for respect in respects)
            if key not in found:
                found[key] = Rated(dict(zip(respects, key, strict=True)))
            _add_rating(found[key], playing, rating)
    return [found[key] for key in sorted(found)]


def _add_rating(rated: Rated, playing: Playing, rating: Rating) -> None:
    rated.sums.add(rating.total)
    rated.seated += rating.seated
    rated.bought_cents += rating.bought_cents
    rated.taken_cents += rating.taken_cents
    rated.expected_cents += expected_cents(playing.rules, turnover_of(rating.wagers))


def _part(cents: Fraction | int, whole: int) -> Fraction | None:
    return Fraction(cents) / whole if whole else None
