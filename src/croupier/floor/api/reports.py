"""Reports of a gaming day, or of one shift of it: tables, shoes, exceptions.

They are put together from books that are kept as the house goes on; nothing is folded for them.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import date, datetime  # noqa: TC003  # read by msgspec
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import msgspec
from litestar import Response, get
from msgspec import Meta

from croupier.floor.alarms import ENDED_KEPT, AlarmEnded, Hears
from croupier.floor.api.calls import (
    AnyRequest,
    answered,
    described,
    floor_of,
    query_of,
    signed_in,
)
from croupier.floor.api.performance import WinLine, line_shown, require_win
from croupier.floor.books import DAYS_KEPT
from croupier.floor.performance import win
from croupier.floor.problems import ProblemError, ServerCode
from croupier.journal.cage_book import SlipKind
from croupier.journal.exceptions import Exceptional, ExceptionKind
from croupier.journal.shoe_book import Shoe  # noqa: TC001  # read by msgspec
from croupier.rules.errors import listed, quoted

if TYPE_CHECKING:
    from collections import deque
    from collections.abc import Callable, Iterable

    from croupier.floor.alarms import Alarm
    from croupier.floor.floor import Floor
    from croupier.floor.performance import Line
    from croupier.journal.cage_book import Slip
    from croupier.journal.performance import Performance

PROBLEMS: Final = (
    ServerCode.FORBIDDEN,
    ServerCode.UNKNOWN_TABLE,
    ServerCode.NOT_READABLE,
    ServerCode.BUSY,
)
NAME_MAX: Final = 80
EXCEPTIONS_MAX: Final = 2_000


class ReportQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of which gaming day, shift and table."""

    day: date | None = None
    """None: today."""
    shift: Annotated[str, Meta(max_length=NAME_MAX)] | None = None
    """None: the whole day."""
    table: Annotated[str, Meta(max_length=NAME_MAX)] | None = None
    """None: all of them."""


class ExceptionsQuery(ReportQuery, frozen=True, forbid_unknown_fields=True):
    """Of which gaming day, shift and table, and which."""

    kind: ExceptionKind | None = None
    limit: Annotated[int, Meta(ge=1, le=EXCEPTIONS_MAX)] = 500


class ReportPeriod(msgspec.Struct, frozen=True, kw_only=True):
    """What a report is of."""

    day: date
    first_day: date
    """The first day of which there are reports."""
    today: date
    shift: str | None
    shifts: list[str]
    """All of a gaming day, in their order."""
    begins: datetime
    ends: datetime

    def has(self, moment: datetime) -> bool:
        """Tell whether a moment belongs to it."""
        return self.begins <= moment < self.ends


class BankReport(msgspec.Struct, frozen=True, kw_only=True):
    """What went between a table and the vault."""

    opener_cents: int | None
    """None: the table got none."""
    fills: int
    fills_cents: int
    credits: int
    credits_cents: int
    closer_cents: int | None
    """What was counted; None: nothing was."""
    drop_counted_cents: int | None
    over_cents: int
    """By how much the counts were over what the ledger has; below 0: short."""


class DealtReport(msgspec.Struct, frozen=True, kw_only=True):
    """Who dealt, and how many rounds they called."""

    name: str
    rounds: int


class TableReport(msgspec.Struct, frozen=True, kw_only=True):
    """A table: its games, its bank, its people."""

    table: str
    games: list[WinLine]
    bank: BankReport
    dealers: list[DealtReport]


class ShiftReport(msgspec.Struct, frozen=True, kw_only=True):
    """What tables played and counted."""

    time: datetime
    period: ReportPeriod
    tables: list[TableReport]
    total: WinLine | None
    """None: nothing was played."""
    slips_kept: bool
    """Whether every slip of this time is still remembered."""


class ShoesReport(msgspec.Struct, frozen=True, kw_only=True):
    """The shoes that were in play at some moment of this time, the newest first."""

    time: datetime
    period: ReportPeriod
    shoes: list[Shoe]
    shoes_kept: bool
    """Whether every shoe that was loaded in this time is still remembered."""


class ExceptionsReport(msgspec.Struct, frozen=True, kw_only=True):
    """What did not go its usual way, the newest first."""

    time: datetime
    period: ReportPeriod
    counts: dict[str, int]
    """How many of each kind there are; what is not there is 0."""
    lines: list[Exceptional]
    left_off: int
    """How many more there are than ``limit`` lets through."""
    exceptions_kept: bool
    """Whether every exception of this time is still remembered."""


def _period(floor: Floor, query: ReportQuery) -> ReportPeriod:
    """Return the time that is asked for; refuse one that nothing is known of."""
    days, gaming_day = floor.books.days(DAYS_KEPT), floor.house.configuration.gaming_day
    day = query.day or days[-1]
    if not days[0] <= day <= days[-1]:
        message = f"{day} came as the day; reports are of {days[0]} to {days[-1]}."
        raise ProblemError(ServerCode.NOT_READABLE, message)
    periods = gaming_day.periods(day)
    shifts = [one.shift for one in periods]
    wanted = [one for one in periods if query.shift in (None, one.shift)]
    if not wanted:
        message = f"There is no shift {quoted(query.shift or '')}; there are {listed(shifts)}."
        raise ProblemError(ServerCode.NOT_READABLE, message)
    if query.table is not None and query.table not in floor.books.tables:
        message = f"There is no table {quoted(query.table)} in this house."
        raise ProblemError(ServerCode.UNKNOWN_TABLE, message)
    return ReportPeriod(
        day=day,
        first_day=days[0],
        today=days[-1],
        shift=query.shift,
        shifts=shifts,
        begins=wanted[0].begins,
        ends=wanted[-1].ends,
    )


def remembers_since(
    book: deque[Any], moment_of: Callable[[Any], datetime], begins: datetime
) -> bool:
    """Tell whether a book that forgets its oldest has everything from a moment on."""
    return len(book) != book.maxlen or moment_of(book[0]) < begins


Query = TypeVar("Query", bound=ReportQuery)


async def _asked(request: AnyRequest, shape: type[Query]) -> tuple[Floor, Query, ReportPeriod]:
    """Return what is asked for, once the books are there, if whoever asks may see it."""
    floor = floor_of(request)
    require_win(signed_in(request))
    query = query_of(request, shape)
    await floor.books.ready()
    return floor, query, _period(floor, query)


# Tables


@get(
    "/reports/shift",
    opt=described(gives=ShiftReport, query=ReportQuery, signed_in=True, problems=PROBLEMS),
)
async def shift_report(request: AnyRequest) -> Response[bytes]:
    """Report what every table played, what went to its bank and from it, and who dealt."""
    floor, query, period = await _asked(request, ReportQuery)
    books = floor.books
    tables = () if query.table is None else (query.table,)
    part = books.performance.part([period.day], tables)
    kept = books.cage.slips
    slips = [one for one in kept if period.has(one.moment) and query.table in (None, one.table)]
    lines = await asyncio.to_thread(_lines, part, period, ("table", "game"))
    total = await asyncio.to_thread(_lines, part, period, ())
    dealt = _dealt(part, period)
    names = {one.of["table"] for one in lines} | {one.table for one in slips}
    return answered(
        ShiftReport(
            time=floor.house.clock(),
            period=period,
            tables=[
                TableReport(
                    table=name,
                    games=[line_shown(one) for one in lines if one.of["table"] == name],
                    bank=bank_of(one for one in slips if one.table == name),
                    dealers=[
                        DealtReport(name=dealer, rounds=rounds)
                        for dealer, rounds in dealt.get(name, Counter()).most_common()
                    ],
                )
                for name in sorted(names)
            ],
            total=line_shown(total[0]) if total else None,
            slips_kept=remembers_since(kept, lambda one: one.moment, period.begins),
        )
    )


def _lines(part: Performance, period: ReportPeriod, by: tuple[str, ...]) -> list[Line]:
    """Return win and hold of the shift, or of the whole day."""
    if period.shift is None:
        return win(part, by)
    return [one for one in win(part, ("shift", *by)) if one.of["shift"] == period.shift]


def _dealt(part: Performance, period: ReportPeriod) -> dict[str, Counter[str]]:
    """Return who dealt how many rounds, by table."""
    found: dict[str, Counter[str]] = {}
    for place, sums in part.places.items():
        if period.shift in (None, place.shift):
            found.setdefault(place.table, Counter()).update(sums.dealt)
    return found


def bank_of(slips: Iterable[Slip]) -> BankReport:
    """Sum up the slips of a table."""
    cents: dict[SlipKind, list[int]] = {kind: [] for kind in SlipKind}
    over = 0
    for one in slips:
        cents[one.kind].append(one.cents)
        over += 0 if one.expected_cents is None else one.cents - one.expected_cents

    def known(kind: SlipKind) -> int | None:
        return sum(cents[kind]) if cents[kind] else None

    return BankReport(
        opener_cents=known(SlipKind.OPENER),
        fills=len(cents[SlipKind.FILL]),
        fills_cents=sum(cents[SlipKind.FILL]),
        credits=len(cents[SlipKind.CREDIT]),
        credits_cents=sum(cents[SlipKind.CREDIT]),
        closer_cents=known(SlipKind.CLOSER),
        drop_counted_cents=known(SlipKind.DROP),
        over_cents=over,
    )


# Shoes


@get(
    "/reports/shoes",
    opt=described(gives=ShoesReport, query=ReportQuery, signed_in=True, problems=PROBLEMS),
)
async def shoes_report(request: AnyRequest) -> Response[bytes]:
    """Report every shoe: when it was loaded, what was dealt from it, how it ended."""
    floor, query, period = await _asked(request, ReportQuery)
    books = floor.books
    shoes = [
        one
        for one in reversed(books.shoes.all)
        if one.loaded < period.ends
        and (one.ended is None or one.ended >= period.begins)
        and query.table in (None, one.table)
    ]
    kept = remembers_since(books.shoes.all, lambda one: one.loaded, period.begins)
    return answered(
        ShoesReport(time=floor.house.clock(), period=period, shoes=shoes, shoes_kept=kept)
    )


# Exceptions


@get(
    "/reports/exceptions",
    opt=described(
        gives=ExceptionsReport, query=ExceptionsQuery, signed_in=True, problems=PROBLEMS
    ),
)
async def exceptions_report(request: AnyRequest) -> Response[bytes]:
    """Report voids, withdrawals, rulings, corrections, refused acts, counts and alarms."""
    floor, query, period = await _asked(request, ExceptionsQuery)
    books = floor.books
    standing = [one for some in floor.hub.alarms.seen(Hears.ALL).values() for one in some]
    over = await floor.devices.alarms.ended(limit=ENDED_KEPT, since=period.begins)
    every = [*books.exceptions.all, *map(_of_alarm, standing), *map(_of_alarm, over)]
    here = [one for one in every if period.has(one.moment) and query.table in (None, one.table)]
    here.sort(key=lambda one: one.moment, reverse=True)
    wanted = [one for one in here if query.kind in (None, one.kind)]
    return answered(
        ExceptionsReport(
            time=floor.house.clock(),
            period=period,
            counts=dict(Counter(one.kind.value for one in here)),
            lines=wanted[: query.limit],
            left_off=max(0, len(wanted) - query.limit),
            exceptions_kept=(
                len(over) < ENDED_KEPT
                and remembers_since(books.exceptions.all, lambda one: one.moment, period.begins)
            ),
        )
    )


def _of_alarm(alarm: Alarm) -> Exceptional:
    return Exceptional(
        kind=ExceptionKind.ALARM,
        code=alarm.code.value,
        about=None,
        table=alarm.table,
        round=alarm.round,
        sequence=None,
        moment=alarm.moment,
        by=alarm.device,
        position=None,
        second=alarm.acknowledged_by if isinstance(alarm, AlarmEnded) else None,
        patron=alarm.patron,
        clause=None,
        cents=alarm.cents or 0,
    )


CALLS = (shift_report, shoes_report, exceptions_report)
