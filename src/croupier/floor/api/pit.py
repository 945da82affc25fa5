"""The floor as the pit sees it at a glance: every table, how it goes, and what it waits for."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import msgspec
from litestar import Response, get
from msgspec import Meta

from croupier.floor.alarms import AlarmEnded, hears
from croupier.floor.api.calls import (
    AnyRequest,
    Sequence,
    answered,
    described,
    floor_of,
    query_of,
    signed_in,
)
from croupier.floor.api.performance import require_win
from croupier.floor.performance import HOUR
from croupier.floor.problems import ServerCode
from croupier.rules.errors import cited
from croupier.table.rulings import Situation  # noqa: TC001  # read by msgspec
from croupier.table.state import HoldKind  # noqa: TC001
from croupier.table.views.lobby import TableSummary  # noqa: TC001
from croupier.table.views.shapes_staff import NextStep  # noqa: TC001
from croupier.table.views.staff import next_step
from croupier.table.words import WAITS

if TYPE_CHECKING:
    from croupier.floor.floor import Floor
    from croupier.table.state import Table


class HeldShown(msgspec.Struct, frozen=True, kw_only=True):
    """That a round is held, why and since when."""

    kind: HoldKind
    situation: Situation | None
    sentence: str
    clause: str | None
    since: datetime | None
    reported_by: str | None
    record: int
    """The sequence of the record with which it began: what a command for this hold names."""


class PitTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table at a glance, with today's figures."""

    summary: TableSummary
    dealer: str | None
    """Who signed in as Dealer."""
    patrons: int
    rounds: int
    rounds_an_hour: float | None
    turnover_cents: int
    win_cents: int
    drop_cents: int
    voids: int
    in_play_cents: int
    differential_cents: int | None
    """The limit that is set; None: there is none."""
    alarms: int
    """How many stand."""
    hold: HeldShown | None
    waits: NextStep | None
    """What people are waited for; None: the system goes on by itself."""


class PitFloor(msgspec.Struct, frozen=True, kw_only=True):
    """The whole floor at a glance."""

    time: datetime
    day: date
    shift: str
    open: int
    patrons: int
    rounds: int
    rounds_an_hour: float | None
    turnover_cents: int
    win_cents: int
    tables: list[PitTable]
    counted: bool
    """Whether all that was played today is in the figures yet, after a start."""


class AlarmsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which alarms that are over."""

    before: Sequence | None = None
    """The number of an alarm: show those before it."""
    table: str | None = None
    limit: Annotated[int, Meta(ge=1, le=500)] = 100


class _Day(msgspec.Struct):
    """What a table played today, over all shifts and rules."""

    rounds: int = 0
    voids: int = 0
    turnover_cents: int = 0
    win_cents: int = 0
    drop_cents: int = 0
    played: timedelta = timedelta()

    @property
    def rounds_an_hour(self) -> float | None:
        return self.rounds * (HOUR / self.played) if self.played else None


def _days(floor: Floor) -> dict[str, _Day]:
    found: dict[str, _Day] = {}
    today = floor.books.today
    for place, sums in floor.books.performance.places.items():
        if place.day != today:
            continue
        day = found.setdefault(place.table, _Day())
        day.rounds += sums.rounds
        day.voids += sums.voids
        day.drop_cents += sums.drop_cents
        day.played += sums.played
        for one in sums.wagers.values():
            day.turnover_cents += one.turnover_cents
            day.win_cents += one.win_cents
    return found


@get(
    "/pit/floor",
    opt=described(gives=PitFloor, signed_in=True, problems=(ServerCode.FORBIDDEN,)),
)
async def pit_floor(request: AnyRequest) -> Response[bytes]:
    """Show every table at a glance: state, Dealer, pace, turnover, win, what it waits for."""
    floor, asker = floor_of(request), signed_in(request)
    require_win(asker)
    days, house = _days(floor), floor.house
    period = house.configuration.gaming_day.period(house.clock())
    shown = [
        _shown(floor, one, days.get(one.name, _Day())) for one in floor.hub.lobby.summaries()
    ]
    paced = [one.rounds_an_hour for one in shown if one.rounds_an_hour is not None]
    return answered(
        PitFloor(
            time=house.clock(),
            day=period.day,
            shift=period.shift,
            open=sum(one.summary.game is not None for one in shown),
            patrons=sum(one.patrons for one in shown),
            rounds=sum(one.rounds for one in shown),
            rounds_an_hour=sum(paced) / len(paced) if paced else None,
            turnover_cents=sum(one.turnover_cents for one in shown),
            win_cents=sum(one.win_cents for one in shown),
            tables=shown,
            counted=floor.books.counted,
        )
    )


def _shown(floor: Floor, summary: TableSummary, day: _Day) -> PitTable:
    desk = floor.house.tables[summary.name]
    table = desk.table
    waits = next_step(table)
    return PitTable(
        summary=summary,
        dealer=table.dealer,
        patrons=len(table.seats),
        rounds=day.rounds,
        rounds_an_hour=day.rounds_an_hour,
        turnover_cents=day.turnover_cents,
        win_cents=day.win_cents,
        drop_cents=day.drop_cents,
        voids=day.voids,
        in_play_cents=table.in_play,
        differential_cents=None if table.plan is None else table.settings.differential_cents,
        alarms=len(floor.devices.alarms.of(summary.name)),
        hold=_held(table, desk.seat.state.held_since),
        waits=None if waits.system else waits,
    )


def _held(table: Table, record: int) -> HeldShown | None:
    hold = table.hold
    if hold is None:
        return None
    return HeldShown(
        kind=hold.kind,
        situation=hold.situation,
        sentence=WAITS[hold.kind],
        clause=cited(hold.clause) if hold.clause else None,
        since=hold.since,
        reported_by=None if hold.by is None else hold.by.name,
        record=record,
    )


@get(
    "/alarms/history",
    opt=described(
        gives=list[AlarmEnded],
        query=AlarmsQuery,
        signed_in=True,
        problems=(ServerCode.FORBIDDEN, ServerCode.NOT_DONE),
    ),
)
async def alarms_history(request: AnyRequest) -> Response[bytes]:
    """List alarms that are over, the newest first, and who acknowledged them."""
    floor = floor_of(request)
    by = hears(signed_in(request))
    query = query_of(request, AlarmsQuery)
    ended = await floor.devices.alarms.ended(query.before, query.table, query.limit, by)
    return answered(ended)


CALLS = (pit_floor, alarms_history)
