"""The gaming day of a house: when it begins, its shifts, its time zone and its currency.

A gaming day begins at a set time of the wall clock and bears the date on which it begins; what
is played after midnight still belongs to it. Its shifts follow one another without a gap: each
lasts until the next one begins, the last one until the next gaming day. Where clocks are
changed, a day has 23 or 25 hours: a time that the clock shows twice begins a shift when it is
shown first, and one that it skips begins it when the clock has passed it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import msgspec

from croupier.money import dollars
from croupier.rules.errors import RulesError, listed, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)
DAYS_KEPT = 64
"""Gaming days whose shifts are remembered."""
NAME_MAX = 40
SYMBOL_MAX = 5
DECIMALS = 2
"""Money is kept in cents; no other currency can be kept."""
WALL_TIME = re.compile("([01][0-9]|2[0-3]):[0-5][0-9]")
DATE = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Shift(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A named part of the gaming day, and when it begins by the wall clock, as ``14:00``."""

    name: str
    begins: str


class Currency(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the house counts its money in."""

    code: str = "SGD"
    symbol: str = "S$"
    decimals: int = DECIMALS

    def __post_init__(self) -> None:
        """Refuse what no currency of this house can be."""
        if not re.fullmatch("[A-Z]{3}", self.code):
            message = (
                f"{quoted(self.code)} is not the code of a currency; it has three capital"
                " letters, as in SGD."
            )
            raise RulesError(message)
        if not 1 <= len(self.symbol) <= SYMBOL_MAX or not self.symbol.isprintable():
            message = (
                f"{quoted(self.symbol)} cannot be the symbol of {self.code}; it has 1 to"
                f" {SYMBOL_MAX} characters that can be printed."
            )
            raise RulesError(message)
        if self.decimals != DECIMALS:
            message = (
                f"{self.code} is to have {self.decimals} decimals; money is kept in cents, so"
                f" only {DECIMALS} are allowed."
            )
            raise RulesError(message)

    def amount(self, cents: int) -> str:
        """Write an amount with the symbol.

        >>> Currency().amount(123456789), Currency().amount(-5)
        ('S$1,234,567.89', '-S$0.05')
        """
        sign = "-" if cents < 0 else ""
        return f"{sign}{self.symbol}{dollars(abs(cents))}"


class Period(msgspec.Struct, frozen=True):
    """One shift of one gaming day: from its first moment until the first one after it."""

    day: date
    shift: str
    begins: datetime
    ends: datetime


class GamingDay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When gaming days and their shifts begin; the first shift begins with the day.

    >>> singapore = GamingDay()
    >>> period = singapore.period(datetime(2026, 3, 1, 20, tzinfo=UTC))
    >>> period.day.isoformat(), period.shift
    ('2026-03-01', 'night')
    """

    zone: str = "Asia/Singapore"
    shifts: tuple[Shift, ...] = (
        Shift("day", "06:00"),
        Shift("swing", "14:00"),
        Shift("night", "22:00"),
    )
    currency: Currency = Currency()

    def __post_init__(self) -> None:
        """Refuse a zone that is not known, and shifts that do not follow one another."""
        zone_of(self.zone)
        if not self.shifts:
            message = "A gaming day has no shifts; it has at least one, which begins the day."
            raise RulesError(message)
        for shift in self.shifts:
            _require_shift(shift)
        names = [shift.name for shift in self.shifts]
        double = next((name for name in names if names.count(name) > 1), None)
        if double is not None:
            message = f"Two shifts are named {quoted(double)}; each has a name of its own."
            raise RulesError(message)
        first = _minutes(self.shifts[0].begins)
        after = [(_minutes(shift.begins) - first) % 1440 for shift in self.shifts]
        if sorted(set(after)) != after:
            said = listed([f"{shift.name} at {shift.begins}" for shift in self.shifts])
            message = (
                f"The shifts begin in another order than they are listed: {said}; list them in"
                " the order of the gaming day, each at a time of its own."
            )
            raise RulesError(message)

    @property
    def begins(self) -> str:
        """Return when a gaming day begins by the wall clock."""
        return self.shifts[0].begins

    def periods(self, day: date) -> tuple[Period, ...]:
        """Return the shifts of a gaming day in their order."""
        return _periods(self.zone, self.shifts, day)

    def period(self, moment: datetime) -> Period:
        """Return the shift, and with it the gaming day, that a moment belongs to."""
        if moment.tzinfo is None:
            message = f"The moment {moment} has no time zone; give it one."
            raise RulesError(message)
        moment = moment.astimezone(UTC)
        here = moment.astimezone(zone_of(self.zone)).date()
        for day in (here, here - DAY, here + DAY, here - 2 * DAY):
            periods = self.periods(day)
            if periods[0].begins <= moment < periods[-1].ends:
                # Of shifts that begin together because the clock skipped one, the later one.
                return periods[bisect_right(periods, moment, key=lambda one: one.begins) - 1]
        message = f"No gaming day of {self.zone} has the moment {moment}."
        raise AssertionError(message)


def read_gaming_day(table: Mapping[str, object]) -> GamingDay:
    """Read the gaming day from a table of a house's configuration; refuse it in a sentence.

    >>> one = {"name": "all", "begins": "12:00"}
    >>> read_gaming_day({"zone": "Europe/Paris", "shifts": [one]})
    GamingDay(zone='Europe/Paris', shifts=(Shift(name='all', begins='12:00'),), \
currency=Currency(code='SGD', symbol='S$', decimals=2))
    """
    try:
        return msgspec.convert(table, GamingDay)
    except msgspec.ValidationError as error:
        if isinstance(error.__cause__, RulesError):
            raise error.__cause__ from None
        message = f"The gaming day cannot be read: {str(error).rstrip('.')}."
        raise RulesError(message) from error


def read_day(text: str) -> date:
    """Read the date of a gaming day.

    >>> read_day("2026-03-01")
    datetime.date(2026, 3, 1)
    """
    try:
        if DATE.fullmatch(text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    message = f"{quoted(text)} is not a day; write it as in 2026-03-01."
    raise RulesError(message)


def zone_of(name: str) -> ZoneInfo:
    """Return a time zone by its name; refuse one that is not known."""
    try:
        return _zone(name)
    except (OSError, ValueError, LookupError) as error:
        message = (
            f"The time zone {quoted(name)} is not known here; name one as in Asia/Singapore."
        )
        raise RulesError(message) from error


@lru_cache(maxsize=DAYS_KEPT)
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def _require_shift(shift: Shift) -> None:
    if not 1 <= len(shift.name) <= NAME_MAX or not shift.name.isprintable():
        message = (
            f"{quoted(shift.name)} cannot be the name of a shift; it has 1 to {NAME_MAX}"
            " characters that can be printed."
        )
        raise RulesError(message)
    if not WALL_TIME.fullmatch(shift.begins):
        message = (
            f"The shift {shift.name} begins at {quoted(shift.begins)}; write a time from 00:00"
            " to 23:59."
        )
        raise RulesError(message)


def _minutes(wall: str) -> int:
    hours, _, minutes = wall.partition(":")
    return int(hours) * 60 + int(minutes)


@lru_cache(maxsize=DAYS_KEPT)
def _periods(zone: str, shifts: tuple[Shift, ...], day: date) -> tuple[Period, ...]:
    first = shifts[0].begins
    begins = [
        _first_moment(day if shift.begins >= first else day + DAY, shift.begins, zone)
        for shift in shifts
    ]
    begins.append(_first_moment(day + DAY, first, zone))
    return tuple(
        Period(day, shift.name, begin, end)
        for shift, begin, end in zip(shifts, begins[:-1], begins[1:], strict=True)
    )


def _first_moment(day: date, wall: str, zone: str) -> datetime:
    """Return the first moment at which a clock shows a time of a date, or has passed it."""
    there = zone_of(zone)
    wanted = datetime.combine(day, time.fromisoformat(wall))
    shown = wanted.replace(tzinfo=there).astimezone(UTC)
    if _wall(shown, there) == wanted:
        return shown
    # The clock skips it: look for the moment of the change, to the second.
    early = wanted.replace(tzinfo=there, fold=1).astimezone(UTC)
    seconds = int((shown - early) // SECOND)
    after = bisect_left(
        range(seconds), wanted, key=lambda second: _wall(early + second * SECOND, there)
    )
    return early + after * SECOND


def _wall(moment: datetime, there: ZoneInfo) -> datetime:
    return moment.astimezone(there).replace(tzinfo=None)
