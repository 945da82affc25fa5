"""What a patron sees of the own play, and of the seats of a table."""

from __future__ import annotations

from datetime import datetime, timedelta
from math import sqrt
from typing import TYPE_CHECKING, Final

import msgspec
from litestar import Response, get
from litestar.params import FromPath  # noqa: TC002  # read by Litestar

from croupier.accounts.events import OwnLimit
from croupier.accounts.limits import Left  # noqa: TC001  # read by msgspec
from croupier.accounts.state import Exclusion, Limit
from croupier.floor.api.calls import (
    After,
    AnyRequest,
    answered,
    asker_of,
    described,
    floor_of,
    signed_in,
)
from croupier.floor.api.performance import POINTS_MAX
from croupier.floor.api.tables import OF_TABLES, reached
from croupier.floor.performance import WARNING
from croupier.floor.problems import ProblemError, ServerCode

if TYPE_CHECKING:
    from croupier.floor.floor import Floor
    from croupier.floor.play_book import Played
    from croupier.table.state import Table

SECOND: Final = timedelta(seconds=1)


class PlaySums(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody played since a moment."""

    since: datetime
    seconds: int
    """Of a gaming day: seated anywhere. Of a session: since it began."""
    rounds: int
    turnover_cents: int
    result_cents: int
    """What was won; negative: what was lost."""
    expected_cents: int
    """What such stakes win on average."""


class PlayPoint(msgspec.Struct, frozen=True, kw_only=True):
    """How somebody stood after a round, summed up from the beginning of the gaming day."""

    moment: datetime
    table: str
    round: int
    result_cents: int
    expected_cents: int
    lower_cents: int
    upper_cents: int
    """Between these 19 of 20 such days end."""


class LimitShown(msgspec.Struct, frozen=True, kw_only=True):
    """A limit of one's own: what holds now, and what will."""

    limit: OwnLimit
    value: int | None
    """Cents of a stake or a loss, minutes of a time; None: there is none."""
    used: int | None
    """How much of it is used up on this gaming day; None: nothing is, of a stake."""
    then: int | None
    """What holds later; see ``since``."""
    since: datetime | None
    """From when on; None: nothing else is set."""


class OwnPlay(msgspec.Struct, frozen=True, kw_only=True):
    """Time, result and limits of whoever asks."""

    time: datetime
    day_ends: datetime
    in_play_cents: int
    day: PlaySums
    session: PlaySums
    series: list[PlayPoint]
    limits: list[LimitShown]
    exclusion: Exclusion | None
    left: Left | None
    """What exclusions and own limits leave; None: there are none."""


class SeatPosition(msgspec.Struct, frozen=True):
    """A playing position, and who may come to it."""

    position: int
    patrons: int
    """How many sit there; at a live table several may."""
    free: bool
    own: bool
    lost: bool
    """Its terminal is lost."""


class SeatsOfTable(msgspec.Struct, frozen=True, kw_only=True):
    """The seats of a table, for whoever chooses one."""

    table: str
    sequence: int
    dealer: str | None
    """Who signed in as Dealer; only those who watch tables for the house are told."""
    dealt_by: str | None
    shared: bool
    """Several patrons may sit at one position."""
    positions: list[SeatPosition]


# One's own play


@get(
    "/me/play",
    opt=described(
        gives=OwnPlay, signed_in=True, problems=(ServerCode.FORBIDDEN, ServerCode.BUSY)
    ),
)
async def own_play(request: AnyRequest) -> Response[bytes]:
    """Tell whoever asks how long they played today, what came of it, and their own limits."""
    floor, asker = floor_of(request), signed_in(request)
    if asker.patron is None or asker.session is None:
        message = "Only a patron plays."
        raise ProblemError(ServerCode.FORBIDDEN, message)
    await floor.books.ready()
    house, patron, moment = floor.house, asker.patron, floor.house.clock()
    today = house.limits.today(patron, moment)
    begins = house.configuration.gaming_day.periods(floor.books.today)[0].begins
    rounds = floor.books.plays.of(patron, begins)
    opened = asker.session.opened
    exclusion = house.accounts.accounts.excluded(patron, moment)
    return answered(
        OwnPlay(
            time=moment,
            day_ends=today.ends,
            in_play_cents=today.in_play_cents,
            day=_sums(begins, today.played, rounds, today.won_cents),
            session=_sums(
                opened, moment - opened, [one for one in rounds if one.moment >= opened]
            ),
            series=_series(rounds),
            limits=_limits(floor, patron, moment),
            exclusion=exclusion,
            left=house.limits.leaves(patron, moment),
        )
    )


def _sums(
    since: datetime, time: timedelta, rounds: list[Played], result: int | None = None
) -> PlaySums:
    won = sum(one.won_cents for one in rounds)
    return PlaySums(
        since=since,
        seconds=max(0, time // SECOND),
        rounds=len(rounds),
        turnover_cents=sum(one.staked_cents for one in rounds),
        result_cents=won if result is None else result,
        expected_cents=round(sum(one.expected_cents for one in rounds)),
    )


def _series(rounds: list[Played]) -> list[PlayPoint]:
    points: list[PlayPoint] = []
    won, expected, variance = 0, 0.0, 0.0
    for one in rounds:
        won += one.won_cents
        expected += one.expected_cents
        variance += one.variance
        half = WARNING * sqrt(variance)
        points.append(
            PlayPoint(
                moment=one.moment,
                table=one.table,
                round=one.round,
                result_cents=won,
                expected_cents=round(expected),
                lower_cents=round(expected - half),
                upper_cents=round(expected + half),
            )
        )
    step = -(-len(points) // POINTS_MAX) or 1
    return points[::-1][::step][::-1]


def _limits(floor: Floor, patron: str, moment: datetime) -> list[LimitShown]:
    user = floor.house.accounts.accounts.users.get(patron)
    assert user is not None, "whoever is signed in has an account"
    today = floor.house.limits.today(patron, moment)
    used = {
        OwnLimit.LOSS: max(0, -today.won_cents),
        OwnLimit.TIME: today.played // timedelta(minutes=1),
    }
    found = []
    for limit in (OwnLimit.TIME, OwnLimit.LOSS, OwnLimit.STAKE):
        kept = user.limits.get(limit, Limit())
        waits = kept.since is not None and moment < kept.since
        found.append(
            LimitShown(
                limit=limit,
                value=kept.at(moment),
                used=used.get(limit),
                then=kept.then if waits else None,
                since=kept.since if waits else None,
            )
        )
    return found


# Seats


@get(
    "/tables/{name:str}/seats",
    opt=described(gives=SeatsOfTable, query=After, problems=OF_TABLES),
)
async def seats(request: AnyRequest, name: FromPath[str]) -> Response[bytes]:
    """Show the seats of a table: how many sit where, and which are free; nobody is named."""
    floor, asker = floor_of(request), asker_of(request)
    await reached(request, name)
    desk = floor.house.tables[name]
    table, plan = desk.table, desk.table.plan
    own = None if asker.patron is None else table.seats.get(asker.patron)
    return answered(
        SeatsOfTable(
            table=name,
            sequence=desk.seat.sequence,
            dealer=table.dealer if asker.watches else None,
            dealt_by=None if plan is None else table.dealt_by,
            shared=plan is not None and plan.procedure.terminals is None,
            positions=_positions(table, own),
        )
    )


def _positions(table: Table, own: int | None) -> list[SeatPosition]:
    plan = table.plan
    if plan is None:
        return []
    alone = plan.procedure.terminals is not None
    taken = list(table.seats.values())
    return [
        SeatPosition(
            position,
            taken.count(position),
            own is None and not (alone and position in taken),
            own == position,
            position in table.lost_terminals,
        )
        for position in range(1, plan.positions + 1)
    ]


CALLS = (own_play, seats)
