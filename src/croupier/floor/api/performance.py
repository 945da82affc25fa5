"""Win and hold, ratings, and discretions over HTTP: for the pit and for auditors."""

from __future__ import annotations

import asyncio
from datetime import date, datetime, timedelta
from fractions import Fraction  # noqa: TC003  # read by msgspec
from math import sqrt
from typing import TYPE_CHECKING, Annotated, Final, Literal

import msgspec
from litestar import Response, get
from msgspec import Meta

from croupier.floor.api.calls import (
    AnyRequest,
    answered,
    described,
    floor_of,
    query_of,
    signed_in,
)
from croupier.floor.books import COURSES_KEPT, DAYS_KEPT
from croupier.floor.performance import (
    BY,
    RATED_BY,
    WARNING,
    Line,
    Rated,
    Standing,
    picture,
    ratings,
    win,
)
from croupier.floor.problems import ProblemError, ServerCode
from croupier.journal.discretions import Discretion, Kind, by_person
from croupier.rules.errors import listed, quoted
from croupier.table.roles import StaffPosition
from croupier.table.views.hearing import Audience

if TYPE_CHECKING:
    from collections.abc import Collection

    from croupier.floor.books import Books
    from croupier.floor.performance import Mark
    from croupier.floor.reception import Asker
    from croupier.journal.discretions import Using
    from croupier.journal.performance import Performance

SEES_WIN: Final = (Audience.PIT, Audience.AUDITOR)
SEES_DISCRETIONS: Final = (
    StaffPosition.PIT_MANAGER,
    StaffPosition.ASSISTANT_CASINO_MANAGER,
    StaffPosition.GAMING_SHIFT_MANAGER,
)
"""Whoever answers for others; auditors and surveillance see them, too."""
POINTS_MAX: Final = 500
"""Of a picture; more of them nobody tells apart."""
PROBLEMS: Final = (ServerCode.FORBIDDEN, ServerCode.UNKNOWN_TABLE, ServerCode.BUSY)
Days = Annotated[int, Meta(ge=1, le=DAYS_KEPT)]
By = Annotated[str, Meta(max_length=60)]


class WinQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of what, and by what."""

    by: By = "table"
    """day, shift, table, game or wager; several with commas between them; empty: one line."""
    table: str | None = None
    days: Days = 1
    """So many gaming days, today the last one of them."""


class RatingsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of whom, and by what."""

    by: By = "patron"
    """day, patron, game or table; several with commas between them."""
    table: str | None = None
    patron: str | None = None
    days: Days = 1


class DiscretionsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of whom, and which."""

    days: Days = 30
    person: str | None = None
    kind: Kind | None = None
    limit: Annotated[int, Meta(ge=1, le=1_000)] = 200


class WinLine(msgspec.Struct, frozen=True, kw_only=True):
    """Win and hold of one group, beside what the exact odds expect."""

    of: dict[str, str]
    """What the group is, by the name of each respect."""
    rounds: int
    stakes: int
    turnover_cents: int
    pushed_cents: int
    win_cents: int
    commission_cents: int
    drop_cents: int | None
    voids: int
    corrections: int
    hold: float | None
    """The win as a part of ``hold_of``."""
    hold_expected: float | None
    hold_of: Literal["drop", "turnover"]
    rounds_an_hour: float | None
    edge: float | None
    """The exact edge of what was staked."""
    expected_cents: int
    sd_cents: int
    lower_cents: int
    upper_cents: int
    """Between these the win lies in 95 of 100 cases."""
    z: float | None
    """By how many deviations the win is off."""
    standing: Standing


class WinPoint(msgspec.Struct, frozen=True, kw_only=True):
    """How things stood after a round, or after a gaming day, summed up from the first."""

    moment: datetime
    day: date
    table: str | None
    round: int | None
    win_cents: int
    expected_cents: int
    lower_cents: int
    upper_cents: int


class WinShown(msgspec.Struct, frozen=True, kw_only=True):
    """Win and hold, and the picture of it."""

    time: datetime
    first_day: date
    last_day: date
    by: list[str]
    lines: list[WinLine]
    total: WinLine | None
    """None: nothing was played."""
    series_of: Literal["round", "day"]
    """By round where every round of these days is kept, that is of today and yesterday."""
    series: list[WinPoint]


class RatedShown(msgspec.Struct, frozen=True, kw_only=True):
    """How a patron played."""

    of: dict[str, str]
    rounds: int
    turnover_cents: int
    average_cents: int | None
    win_cents: int
    """What the house won of the patron; negative: what the patron won."""
    expected_cents: int
    bought_cents: int
    taken_cents: int
    seated_seconds: int


class RatingsShown(msgspec.Struct, frozen=True, kw_only=True):
    """How patrons played."""

    time: datetime
    first_day: date
    last_day: date
    by: list[str]
    lines: list[RatedShown]


class UsingShown(msgspec.Struct, frozen=True, kw_only=True):
    """How often somebody used a discretion."""

    person: str
    position: str | None
    counts: dict[str, int]
    """By kind; what is not there is 0."""
    total: int
    cents: int
    """What all of them moved."""
    seconds: int
    """How often they were the second person of somebody else's act."""
    beside: float | None
    """The total, over the average of all others in this position; None: there is no other."""


class DiscretionsShown(msgspec.Struct, frozen=True, kw_only=True):
    """Who decided what that the rulebooks leave to them. A figure is a question."""

    time: datetime
    first_day: date
    last_day: date
    people: list[UsingShown]
    acts: list[Discretion]
    """The newest first."""
    left_off: int
    """How many more there are than ``limit`` lets through."""


# Who may, and what is asked


def require_win(asker: Asker) -> None:
    """Refuse whoever may not see what the house won."""
    if asker.audience not in SEES_WIN:
        message = "What tables win is for the pit, from a Pit Supervisor on, and for auditors."
        raise ProblemError(ServerCode.FORBIDDEN, message)


def _respects(by: str, known: Collection[str]) -> list[str]:
    names = [one.strip() for one in by.split(",") if one.strip()]
    for name in names:
        if name not in known:
            message = f"There is no {quoted(name)} to tell by; there are {listed(list(known))}."
            raise ProblemError(ServerCode.NOT_READABLE, message)
    return [one for one in known if one in names]


def _require_table(books: Books, table: str | None) -> tuple[str, ...]:
    if table is None:
        return ()
    if table not in books.tables:
        message = f"There is no table {quoted(table[:80])} in this house."
        raise ProblemError(ServerCode.UNKNOWN_TABLE, message)
    return (table,)


# Win and hold


@get(
    "/performance/win",
    opt=described(gives=WinShown, query=WinQuery, signed_in=True, problems=PROBLEMS),
)
async def performance_win(request: AnyRequest) -> Response[bytes]:
    """Tell turnover, win and hold beside what the exact odds expect, with the picture of it."""
    floor, asker = floor_of(request), signed_in(request)
    require_win(asker)
    query, books = query_of(request, WinQuery), floor.books
    respects, tables = _respects(query.by, BY), _require_table(books, query.table)
    await books.ready()
    days = books.days(query.days)
    part = books.performance.part(days, tables)
    by_round = len(days) <= COURSES_KEPT
    # Before anything is waited for: figures and picture are of the same rounds.
    names = (tables or books.performance.tables) if by_round else ()
    rounds = [one for day in days for name in names
              for one in books.performance.course(name, day)]  # fmt: skip
    rounds.sort(key=lambda one: one.moment)
    lines = await asyncio.to_thread(win, part, respects)
    total = await asyncio.to_thread(win, part, ())
    if by_round:
        series = [_of_round(one) for one in thinned(await asyncio.to_thread(picture, rounds))]
    else:
        series = await asyncio.to_thread(_by_day, part)
    return answered(
        WinShown(
            time=floor.house.clock(),
            first_day=days[0],
            last_day=days[-1],
            by=respects,
            lines=[line_shown(one) for one in lines],
            total=line_shown(total[0]) if total else None,
            series_of="round" if by_round else "day",
            series=series,
        )
    )


def thinned(marks: list[Mark]) -> list[Mark]:
    """Return so many marks as a picture needs, the last one always."""
    step = -(-len(marks) // POINTS_MAX) or 1
    return marks[::-1][::step][::-1]


def _of_round(mark: Mark) -> WinPoint:
    stood, half = mark.round, WARNING * mark.sd_cents
    return WinPoint(
        moment=datetime.fromisoformat(stood.moment),
        day=stood.place.day,
        table=stood.place.table,
        round=stood.number,
        win_cents=mark.win_cents,
        expected_cents=round(mark.expected_cents),
        lower_cents=round(mark.expected_cents - half),
        upper_cents=round(mark.expected_cents + half),
    )


def _by_day(part: Performance) -> list[WinPoint]:
    """Return how things stood after each gaming day."""
    points: list[WinPoint] = []
    won, expected, variance = 0, 0.0, 0.0
    for line in win(part, ("day",)):
        day = date.fromisoformat(line.of["day"])
        won += line.sums.win_cents
        expected += float(line.expected_cents)
        variance += float(line.variance)
        half = WARNING * sqrt(variance)
        points.append(
            WinPoint(
                moment=part.gaming_day.periods(day)[-1].ends,
                day=day,
                table=None,
                round=None,
                win_cents=won,
                expected_cents=round(expected),
                lower_cents=round(expected - half),
                upper_cents=round(expected + half),
            )
        )
    return points


def line_shown(line: Line) -> WinLine:
    """Return a line as it goes over the wire."""
    sums = line.sums
    lower, upper = line.band_cents
    return WinLine(
        of=line.of,
        rounds=sums.rounds,
        stakes=sums.stakes,
        turnover_cents=sums.turnover_cents,
        pushed_cents=sums.pushed_cents,
        win_cents=sums.win_cents,
        commission_cents=sums.commission_cents,
        drop_cents=line.drop_cents,
        voids=line.voids,
        corrections=line.corrections,
        hold=_rough(line.hold),
        hold_expected=_rough(line.hold_expected),
        hold_of="drop" if line.hold_of == "drop" else "turnover",
        rounds_an_hour=_rough(line.rounds_an_hour),
        edge=_rough(line.edge),
        expected_cents=round(line.expected_cents),
        sd_cents=round(line.sd_cents),
        lower_cents=lower,
        upper_cents=upper,
        z=line.z,
        standing=line.standing,
    )


def _rough(part: Fraction | None) -> float | None:
    return None if part is None else float(part)


# Ratings


@get(
    "/performance/ratings",
    opt=described(gives=RatingsShown, query=RatingsQuery, signed_in=True, problems=PROBLEMS),
)
async def performance_ratings(request: AnyRequest) -> Response[bytes]:
    """Tell how patrons played: time, rounds, stakes, what they brought, what they are worth."""
    floor, asker = floor_of(request), signed_in(request)
    require_win(asker)
    query, books = query_of(request, RatingsQuery), floor.books
    respects, tables = _respects(query.by, RATED_BY), _require_table(books, query.table)
    await books.ready()
    days, moment = books.days(query.days), floor.house.clock()
    part = books.performance.part(days, tables)
    patrons = () if query.patron is None else (query.patron,)

    def rated() -> list[Rated]:
        return ratings(part, respects, days=days, patrons=patrons, tables=tables, until=moment)

    return answered(
        RatingsShown(
            time=moment,
            first_day=days[0],
            last_day=days[-1],
            by=respects,
            lines=[rated_shown(one) for one in await asyncio.to_thread(rated)],
        )
    )


def rated_shown(one: Rated) -> RatedShown:
    """Return a rating as it goes over the wire."""
    average = one.average_cents
    return RatedShown(
        of=one.of,
        rounds=one.sums.rounds,
        turnover_cents=one.sums.turnover_cents,
        average_cents=None if average is None else round(average),
        win_cents=one.sums.win_cents,
        expected_cents=round(one.expected_cents),
        bought_cents=one.bought_cents,
        taken_cents=one.taken_cents,
        seated_seconds=one.seated // timedelta(seconds=1),
    )


# Discretions


@get(
    "/performance/discretions",
    opt=described(
        gives=DiscretionsShown,
        query=DiscretionsQuery,
        signed_in=True,
        problems=(ServerCode.FORBIDDEN, ServerCode.BUSY),
    ),
)
async def performance_discretions(request: AnyRequest) -> Response[bytes]:
    """Tell who decided what that the rulebooks leave to them, and who was the second person."""
    floor, asker = floor_of(request), signed_in(request)
    if asker.works_as not in SEES_DISCRETIONS and asker.audience is not Audience.AUDITOR:
        message = "Discretions are for a Pit Manager, whoever stands above, and auditors."
        raise ProblemError(ServerCode.FORBIDDEN, message)
    query, books = query_of(request, DiscretionsQuery), floor.books
    await books.ready()
    days = books.days(query.days)
    since = floor.house.configuration.gaming_day.periods(days[0])[0].begins
    every = [one for one in books.discretions.all if one.moment >= since]
    everybody = by_person(every)
    wanted = [
        one
        for one in reversed(every)
        if query.person in (None, one.by, one.second) and query.kind in (None, one.kind)
    ]
    return answered(
        DiscretionsShown(
            time=floor.house.clock(),
            first_day=days[0],
            last_day=days[-1],
            people=[_using(one, everybody) for one in everybody],
            acts=wanted[: query.limit],
            left_off=max(0, len(wanted) - query.limit),
        )
    )


def _using(one: Using, everybody: list[Using]) -> UsingShown:
    others = [
        other.total
        for other in everybody
        if other.position == one.position and other.person != one.person
    ]
    average = sum(others) / len(others) if others else 0.0
    return UsingShown(
        person=one.person,
        position=one.position,
        counts={kind.value: count for kind, count in one.counts.items()},
        total=one.total,
        cents=one.cents,
        seconds=one.seconds,
        beside=one.total / average if average else None,
    )


CALLS = (performance_win, performance_ratings, performance_discretions)
