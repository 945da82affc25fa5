"""Finished rounds over HTTP: page by page, one step by step, and the own ones."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
from litestar import Response, get
from litestar.params import FromPath  # noqa: TC002  # read by Litestar
from msgspec import Meta

from croupier.accounts.commands import UserKind
from croupier.floor.api.calls import (
    After,
    AnyRequest,
    Sequence,
    answered,
    asker_of,
    described,
    floor_of,
    query_of,
    signed_in,
)
from croupier.floor.api.tables import OF_TABLES, wait_for
from croupier.floor.problems import ProblemError, ServerCode
from croupier.floor.sent import one_of
from croupier.floor.wire import not_readable
from croupier.journal.decision import written_moment
from croupier.journal.recall import finished_round, round_in_steps
from croupier.table.views.hearing import Audience
from croupier.table.views.round_steps import OwnRoundInSteps, StaffRoundInSteps
from croupier.table.views.rounds import OwnRound, StaffRound, round_shown

if TYPE_CHECKING:
    from croupier.floor.history import History
    from croupier.floor.played import Played
    from croupier.floor.reception import Asker

PAGE, PAGE_MAX = 20, 100
"""How many rounds an answer has, and has at most, whatever is asked for."""
Limit = Annotated[int, Meta(ge=1)]
NUMBER_MAX: Final = (1 << 63) - 1


class RoundsQuery(After, frozen=True, forbid_unknown_fields=True):
    """Which rounds of a table."""

    before: Sequence | None = None
    """The number of a round: show those before it."""
    limit: Limit = PAGE


class OwnQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which rounds of one's own."""

    before: datetime | None = None
    """A moment: show rounds that were called before it."""
    limit: Limit = PAGE


class RoundAtTable(OwnRound, frozen=True, kw_only=True):
    """A round with one's own stakes and lines, and where it was played."""

    table: str


def _reader(asker: Asker) -> tuple[Audience, str]:
    """Return as which audience somebody reads rounds, and which patron of all.

    Staff who see tables as the public does, those of the cage and Technicians, read a round
    that is over whole, as a Dealer does.
    """
    public, works = asker.audience is Audience.PUBLIC, asker.actor is not None
    if public and works and asker.kind is UserKind.STAFF:
        return Audience.DEALER, ""
    return asker.audience, asker.patron or ""


@get(
    "/tables/{name:str}/rounds",
    opt=described(
        gives=list[one_of(OwnRound, StaffRound)],  # type: ignore[misc]  # made at run time
        shapes=(OwnRound, StaffRound),
        query=RoundsQuery,
        problems=OF_TABLES,
    ),
)
async def rounds(request: AnyRequest, name: FromPath[str]) -> Response[bytes]:
    """List finished rounds of a table, the newest first."""
    floor, asker = floor_of(request), asker_of(request)
    query = query_of(request, RoundsQuery)
    await wait_for(floor, name, query.after)
    history: History = request.app.state.history
    page = await history.page(name, query.before, min(query.limit, PAGE_MAX))
    return answered([round_shown(facts, *_reader(asker)) for facts in page])


@get(
    "/tables/{name:str}/rounds/{number:int}",
    opt=described(
        gives=one_of(OwnRoundInSteps, StaffRoundInSteps),
        shapes=(OwnRoundInSteps, StaffRoundInSteps),
        query=After,
        problems=(*OF_TABLES, ServerCode.UNKNOWN_ROUND),
    ),
)
async def round_by_number(
    request: AnyRequest, name: FromPath[str], number: FromPath[int]
) -> Response[bytes]:
    """Return one finished round with its decisions, step by step, as whoever asks may know."""
    floor, asker = floor_of(request), asker_of(request)
    await wait_for(floor, name, query_of(request, After).after)
    history: History = request.app.state.history
    found = None
    if 0 < number <= NUMBER_MAX:
        found = await history.round(name, number)
    if found is None:
        message = f"Table {name} has no finished round {number}."
        raise ProblemError(ServerCode.UNKNOWN_ROUND, message)
    return answered(round_in_steps(found, *_reader(asker)))


@get(
    "/me/rounds",
    opt=described(
        gives=list[RoundAtTable],
        query=OwnQuery,
        signed_in=True,
        problems=(ServerCode.FORBIDDEN, ServerCode.UNKNOWN_ROUND, ServerCode.BUSY),
    ),
)
async def own_rounds(request: AnyRequest) -> Response[bytes]:
    """List finished rounds in which whoever asks had a stake, the newest first."""
    asker, query = signed_in(request), query_of(request, OwnQuery)
    if asker.patron is None:
        message = "Only a patron has rounds of their own."
        raise ProblemError(ServerCode.FORBIDDEN, message)
    history: History = request.app.state.history
    played: Played = request.app.state.played
    before = None if query.before is None else written_moment(_in_utc(query.before))
    found: list[Any] = []
    for one in await played.of(asker.patron, min(query.limit, PAGE_MAX), before):
        recalled = await history.called(one.table, one.first)
        if recalled is not None:  # else it is settled, and not paid yet
            shown = finished_round(recalled, Audience.PATRON, asker.patron)
            found.append(RoundAtTable(**msgspec.structs.asdict(shown), table=one.table))
    return answered(found)


def _in_utc(moment: datetime) -> datetime:
    """Return a moment in UTC; one without a zone is meant so."""
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:  # before the year 1, or behind 9999
        raise not_readable(error, "query") from error


CALLS = (rounds, round_by_number, own_rounds)
