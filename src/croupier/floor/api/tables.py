"""Tables over HTTP: the list, a table as whoever asks sees it, its roads, what may be done."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath  # noqa: TC002  # read by Litestar

from croupier.documents import RoadsShown, roads_document
from croupier.floor.api.bodies import TableOrder
from croupier.floor.api.calls import (
    After,
    AnyRequest,
    answered,
    asker_of,
    body_of,
    described,
    floor_of,
    problem_response,
    query_of,
    signed_in,
)
from croupier.floor.me import Wallet
from croupier.floor.problems import ProblemError, ServerCode, refused
from croupier.floor.sent import CHANGE_KINDS, VIEW_KINDS, TableChange, TableView
from croupier.floor.wire import Place, read_ordered
from croupier.journal.decision import written_moment
from croupier.journal.tables import FROM_THE_SHOE, shoe_refusal
from croupier.roads import Mark, draw_roads
from croupier.rules.coup import Position  # noqa: TC001  # read by msgspec
from croupier.rules.outcome import Side
from croupier.table.commands import Envelope
from croupier.table.decide import decide_or_ask
from croupier.table.draft import Needs
from croupier.table.may import Common, Open, may
from croupier.table.preview import UNTOLD, Effect, Preview, preview
from croupier.table.refusals import Refusal
from croupier.table.roles import Patron, Staff, StaffPosition
from croupier.table.views.hearing import Heard  # noqa: TC001  # read by msgspec
from croupier.table.views.lobby import TableSummary
from croupier.table.views.public import result_of

if TYPE_CHECKING:
    from datetime import datetime

    from croupier.floor.floor import Floor
    from croupier.floor.reception import Asker
    from croupier.floor.wire import Ordered
    from croupier.journal.tables import TableState
    from croupier.table.commands import Command
    from croupier.table.roles import Actor
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


class ChangeShown(msgspec.Struct, frozen=True):
    """What whoever asks would hear, and see changed."""

    events: tuple[Heard, ...]
    view: TableChange


class Previewed(msgspec.Struct, frozen=True):
    """What a command would do, as far as whoever asks may know it."""

    table: str
    sequence: int
    time: str
    draws: int
    """Cards that it would take from a sealed shoe; nobody knows what follows from them."""
    change: ChangeShown | None
    turns_up: Position | None
    """The card that would be turned up; what follows from its face is not told."""
    effects: tuple[Effect, ...]
    """Whose money would move; to a patron the own."""
    bank_cents: int | None
    commission_cents: int | None
    """What the house would win and keep; None: it is for the pit and the auditor."""


@get("/tables", opt=described(gives=list[TableSummary]))
async def tables(request: AnyRequest) -> Response[bytes]:
    """List the tables."""
    floor = floor_of(request)
    asker_of(request)
    return answered(floor.hub.lobby.summaries())


@get(
    "/tables/{name:str}",
    opt=described(gives=TableShown, shapes=VIEW_KINDS, query=After, problems=OF_TABLES),
)
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
    allowed = () if asker.actor is None else _may(desk.seat.state, asker.actor, now)
    return answered(MayNow(name, desk.seat.sequence, written_moment(now), allowed))


def _may(state: TableState, actor: Actor, now: datetime) -> tuple[Open, ...]:
    table, plan = state.table, state.table.plan
    sealed = state.sealed is not None
    return may(table, actor, now, None if plan is None else Common(table, plan, sealed=sealed))


@post(
    "/tables/{name:str}/preview",
    status_code=200,
    opt=described(
        takes=TableOrder,
        gives=Previewed,
        shapes=CHANGE_KINDS,
        query=After,
        signed_in=True,
        refuses=True,
        problems=(*OF_TABLES, ServerCode.FORBIDDEN, ServerCode.TOO_LARGE),
    ),
)
async def previewed(request: AnyRequest, name: FromPath[str]) -> Response[bytes]:
    """Say what a command would do, as far as whoever asks may know; nothing is recorded."""
    floor, asker = floor_of(request), signed_in(request)
    ordered = read_ordered(await body_of(request))
    await reached(request, name)
    command = floor.reception.read(asker, Place.TABLE, ordered)
    floor.reception.require_patrons(asker, name, command)
    if not isinstance(asker.actor, Patron | Staff):
        message = "What a command would do is told to patrons and to staff of tables."
        raise ProblemError(ServerCode.FORBIDDEN, message)
    desk, now = floor.house.tables[name], floor.house.clock()
    found = _preview(desk.seat.state, asker, command, ordered, now)
    if isinstance(found, Refusal):
        return problem_response(refused(found))
    draws, shown = found
    where = (name, desk.seat.sequence, written_moment(now), draws)
    return answered(Previewed(*where, **msgspec.structs.asdict(shown)))


def _preview(
    state: TableState, asker: Asker, command: Command, ordered: Ordered, now: datetime
) -> tuple[int, Preview] | Refusal:
    """Return how many cards of the shoe a command would take, and what it would do."""
    sealed = state.sealed is not None
    actor, position = asker.actor, asker.position
    assert actor is not None, "nobody gives no command"
    refusal = shoe_refusal(state, command)
    if refusal is not None:
        return refusal
    envelope = Envelope(
        command,
        actor,
        now,
        cards=() if sealed else ordered.cards,
        die=ordered.die,
        supplies=sealed,
    )
    if sealed and isinstance(command, FROM_THE_SHOE):
        # What comes out of a sealed shoe nobody knows before it does.
        answer = decide_or_ask(state.table, envelope)
        if isinstance(answer, Refusal):
            return answer
        if isinstance(answer, Needs):
            return len(answer.cards), UNTOLD
    staff = position if isinstance(position, StaffPosition) else None
    found = preview(state.table, envelope, asker.audience, staff)
    return found if isinstance(found, Refusal) else (0, found)


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


CALLS = (tables, table, roads, may_now, previewed, wallet)
