"""Tables over HTTP: the list, a table as whoever asks sees it, its roads, what may be done."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import msgspec
from litestar import Response, get
from litestar.params import FromPath  # noqa: TC002  # read by Litestar

from croupier.documents import RoadsShown, roads_document
from croupier.floor.api.calls import (
    After,
    AnyRequest,
    answered,
    asker_of,
    described,
    floor_of,
    query_of,
    signed_in,
)
from croupier.floor.me import Wallet
from croupier.floor.problems import ProblemError, ServerCode
from croupier.floor.sent import TableView  # noqa: TC001  # read by msgspec
from croupier.journal.decision import written_moment
from croupier.roads import Mark, draw_roads
from croupier.rules.outcome import Side
from croupier.table.may import Open, may
from croupier.table.views.lobby import TableSummary
from croupier.table.views.public import result_of

if TYPE_CHECKING:
    from croupier.floor.floor import Floor
    from croupier.table.state import Table
    from croupier.table.views.shapes import Winner

AFTER_SECONDS = 2.0
"""How long somebody waits for a record that is not here yet."""
LOOK_SECONDS: Final = 0.01
OF_TABLES: Final = (ServerCode.UNKNOWN_TABLE, ServerCode.BEHIND)
"""What every call that reads a table may say no with."""

WINNERS: Final[dict[Winner, Side | None]] = {
    "player": Side.PLAYER,
    "banker": Side.BANKER,
    "tie": None,
}


class TableShown(msgspec.Struct, frozen=True):
    """A table as whoever asks may see it."""

    table: str
    sequence: int
    time: str
    view: TableView


class MayNow(msgspec.Struct, frozen=True):
    """What somebody may do at a table now, each thing with what it needs."""

    table: str
    sequence: int
    time: str
    may: tuple[Open, ...]


@get("/tables", opt=described(gives=list[TableSummary]))
async def tables(request: AnyRequest) -> Response[bytes]:
    """List the tables."""
    floor = floor_of(request)
    asker_of(request)
    return answered(floor.hub.lobby.summaries())


@get("/tables/{name:str}", opt=described(gives=TableShown, query=After, problems=OF_TABLES))
async def table(request: AnyRequest, name: FromPath[str]) -> Response[bytes]:
    """Return a table as whoever asks may see it; without a login the public view."""
    floor, asker = floor_of(request), asker_of(request)
    await reached(request, name)
    topic = floor.hub.table(name)
    view = topic.view(asker)
    head = b'{"table":"%b","sequence":%d,"time":"%b","view":' % (
        name.encode(),
        topic.sequence,
        topic.moment.encode(),
    )
    return answered(head + view + b"}")


async def reached(request: AnyRequest, name: FromPath[str]) -> None:
    """Wait until a table has the record that the request asks for."""
    await wait_for(floor_of(request), name, query_of(request, After).after)


async def wait_for(floor: Floor, name: str, after: int | None) -> None:
    """Wait until a record is here, for a while."""
    seat = floor.reception.desk_seat(name)
    if after is None or seat.sequence >= after:
        return
    end = floor.loop.time() + AFTER_SECONDS
    while seat.sequence < after:
        if floor.loop.time() > end:
            message = f"Table {name} is at record {seat.sequence}; {after} is not here yet."
            raise ProblemError(ServerCode.BEHIND, message, 1.0)
        await asyncio.sleep(LOOK_SECONDS)


@get(
    "/tables/{name:str}/roads",
    opt=described(gives=RoadsShown, query=After, problems=OF_TABLES),
)
async def roads(request: AnyRequest, name: FromPath[str]) -> Response[bytes]:
    """Draw the roads of the shoe in play. They are information, and no forecast."""
    floor = floor_of(request)
    asker_of(request)
    await reached(request, name)
    return answered(roads_document(draw_roads(marks_of(floor.house.tables[name].table))))


def marks_of(table: Table) -> list[Mark]:
    """Return the rounds of the shoe in play as roads show them; void ones are no part."""
    if table.plan is None:
        return []
    shown = (result_of(table.plan.game, one) for one in table.results)
    return [
        Mark(WINNERS[one.winner], one.player_pair, one.banker_pair)
        for one in shown
        if one.winner is not None
    ]


@get(
    "/tables/{name:str}/may",
    opt=described(gives=MayNow, query=After, problems=OF_TABLES, signed_in=True),
)
async def may_now(request: AnyRequest, name: FromPath[str]) -> Response[bytes]:
    """Say what whoever asks may do at a table now."""
    floor, asker = floor_of(request), signed_in(request)
    await reached(request, name)
    desk, now = floor.house.tables[name], floor.house.clock()
    allowed = () if asker.actor is None else may(desk.table, asker.actor, now)
    return answered(MayNow(name, desk.seat.sequence, written_moment(now), allowed))


@get(
    "/me/wallet",
    opt=described(gives=Wallet, problems=(ServerCode.FORBIDDEN,), signed_in=True),
)
async def wallet(request: AnyRequest) -> Response[bytes]:
    """Return what whoever asks has: in the wallet, on its way, at tables."""
    floor, asker = floor_of(request), signed_in(request)
    if asker.patron is None:
        message = "Only a patron has a wallet."
        raise ProblemError(ServerCode.FORBIDDEN, message)
    return answered(floor.hub.me.wallet(asker.patron))


CALLS = (tables, table, roads, may_now, wallet)
