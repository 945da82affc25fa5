"""Calls over HTTP: a patron calls an attendant or asks about a round, a Dealer the pit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from litestar import Response, delete, get, post
from litestar.params import FromPath  # noqa: TC002  # read by Litestar
from msgspec import Meta

from croupier.floor.api.calls import (
    AnyRequest,
    answered,
    described,
    floor_of,
    read_body,
    signed_in,
)
from croupier.floor.api.rounds import NUMBER_MAX
from croupier.floor.calls import CallShown
from croupier.floor.problems import ProblemError, ServerCode
from croupier.journal.recall import finished_round
from croupier.table.roles import Staff
from croupier.table.views.hearing import Audience
from croupier.table.views.rounds import OwnRound

if TYPE_CHECKING:
    from croupier.floor.history import History
    from croupier.floor.reception import Asker

NOTE_MAX: Final = 200
PROBLEMS: Final = (
    ServerCode.FORBIDDEN,
    ServerCode.UNKNOWN_TABLE,
    ServerCode.TOO_MANY,
    ServerCode.BUSY,
    ServerCode.NOT_DONE,
)


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a patron asks about a round."""

    note: Annotated[str, Meta(max_length=NOTE_MAX)] = ""
    """In own words; nothing: the round itself is the question."""


def _patron(asker: Asker) -> str:
    if asker.patron is None:
        message = "Only a patron calls an attendant or asks about a round."
        raise ProblemError(ServerCode.FORBIDDEN, message)
    return asker.patron


@post(
    "/tables/{name:str}/attendant",
    status_code=200,
    opt=described(gives=CallShown, signed_in=True, problems=PROBLEMS),
)
async def call_attendant(request: AnyRequest, name: FromPath[str]) -> Response[bytes]:
    """Call an attendant to a table; while one is called, the same call is returned."""
    floor, patron = floor_of(request), _patron(signed_in(request))
    floor.hub.table(name)
    return answered(await floor.calls.attendant(patron, name))


@delete(
    "/tables/{name:str}/attendant",
    status_code=204,
    opt=described(
        signed_in=True,
        problems=(ServerCode.FORBIDDEN, ServerCode.UNKNOWN_TABLE, ServerCode.NOT_DONE),
    ),
)
async def no_attendant(request: AnyRequest, name: FromPath[str]) -> Response[None]:
    """Take one's call for an attendant back."""
    floor, patron = floor_of(request), _patron(signed_in(request))
    floor.hub.table(name)
    await floor.calls.take_back(patron, name)
    return Response(None, status_code=204)


@post(
    "/tables/{name:str}/rounds/{number:int}/asked",
    status_code=200,
    opt=described(
        takes=Asked,
        gives=CallShown,
        signed_in=True,
        problems=(*PROBLEMS, ServerCode.UNKNOWN_ROUND, ServerCode.TOO_LARGE),
    ),
)
async def ask_about_round(
    request: AnyRequest, name: FromPath[str], number: FromPath[int]
) -> Response[bytes]:
    """Ask the pit about a finished round in which one had a stake."""
    floor, patron = floor_of(request), _patron(signed_in(request))
    asked = await read_body(request, Asked)
    floor.hub.table(name)
    history: History = request.app.state.history
    found = await history.round(name, number) if 0 < number <= NUMBER_MAX else None
    shown = None if found is None else finished_round(found, Audience.PATRON, patron)
    if not isinstance(shown, OwnRound) or not (shown.stakes or shown.lines):
        message = f"Table {name} has no finished round {number} in which you had a stake."
        raise ProblemError(ServerCode.UNKNOWN_ROUND, message)
    return answered(await floor.calls.ask(patron, name, number, asked.note.strip() or None))


@get(
    "/me/calls",
    opt=described(
        gives=tuple[CallShown, ...], signed_in=True, problems=(ServerCode.FORBIDDEN,)
    ),
)
async def own_calls(request: AnyRequest) -> Response[bytes]:
    """List the calls of whoever asks, the newest first, and what came of them."""
    floor, patron = floor_of(request), _patron(signed_in(request))
    return answered(floor.calls.of(patron))


@post(
    "/tables/{name:str}/supervisor",
    status_code=204,
    opt=described(signed_in=True, problems=PROBLEMS),
)
async def call_supervisor(request: AnyRequest, name: FromPath[str]) -> Response[None]:
    """Call a Pit Supervisor to a table, as its Dealer does."""
    floor, actor = floor_of(request), signed_in(request).actor
    if not isinstance(actor, Staff):
        message = "A Pit Supervisor is called by staff of the tables."
        raise ProblemError(ServerCode.FORBIDDEN, message)
    floor.hub.table(name)
    await floor.calls.supervisor(actor.name, name)
    return Response(None, status_code=204)


CALLS = (call_attendant, no_attendant, ask_about_round, own_calls, call_supervisor)
