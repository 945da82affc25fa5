"""Commands over HTTP: to a table, the cage or the accounts, and approvals of them."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  # read by msgspec
from functools import partial
from typing import TYPE_CHECKING, Final

import msgspec
from litestar import Response, post
from litestar.params import FromPath  # noqa: TC002  # read by Litestar
from msgspec import UNSET

from croupier.floor.api.bodies import AccountsOrder, ApprovedCommand, CageOrder, TableOrder
from croupier.floor.api.calls import (
    AnyRequest,
    answered,
    body_of,
    described,
    floor_of,
    problem_response,
    signed_in,
)
from croupier.floor.approvals import approved_bytes
from croupier.floor.connection import hand
from croupier.floor.door import TurnedAway
from croupier.floor.problems import Problem, ProblemError, ServerCode, turned_away
from croupier.floor.rates import Room
from croupier.floor.reception import ACCOUNTS, CAGE, Answer
from croupier.floor.wire import read_approved, read_command, read_key, read_ordered

if TYPE_CHECKING:
    from croupier.floor.reception import Asker


OF_COMMANDS: Final = (
    ServerCode.FORBIDDEN,
    ServerCode.BAD_APPROVAL,
    ServerCode.SELF_APPROVAL,
    ServerCode.DISABLED,
    ServerCode.EXCLUDED,
    ServerCode.UNKNOWN_USER,
    ServerCode.OTHER_COMMAND,
    ServerCode.OTHER_ROUND,
    ServerCode.OTHER_HOLD,
    ServerCode.OWN_TIME_LIMIT,
    ServerCode.OWN_LOSS_LIMIT,
    ServerCode.OWN_STAKE_LIMIT,
    ServerCode.TOO_LARGE,
    ServerCode.BUSY,
    ServerCode.TAKEN_OVER,
    ServerCode.NOT_DONE,
    ServerCode.GOING_DOWN,
)
"""What every call that gives a command may say no with, beside what is refused."""


class ApprovalIssued(msgspec.Struct, frozen=True):
    """An approval: it is used once, for exactly this command of that person."""

    approval: str
    expires: datetime


async def order(request: AnyRequest, where: str) -> Response[bytes]:
    """Give the command that a request has, and answer it."""
    floor, asker = floor_of(request), signed_in(request)
    key = read_key(request.headers.get("idempotency-key"))
    ordered = read_ordered(await body_of(request))
    asker = floor.reception.asker(asker.session)  # the body may have taken its time
    assert asker.session is not None, "whoever is signed in has a session"
    allowance = asker.session.allowance
    room = allowance.begin()
    if room is not Room.YES:
        raise turned_away(allowance.no_room(room))
    answer = None
    try:
        answer = await floor.reception.order(asker, where, key, ordered)
    finally:
        recorded = isinstance(answer, Problem) and answer.sequence is not None
        allowance.answered(key if recorded else None)
    if isinstance(answer, Answer) and answer.validation is not UNSET:
        hand(request.scope, partial(floor.reception.not_shown, answer))
    return problem_response(answer) if isinstance(answer, Problem) else answered(answer)


@post(
    "/tables/{name:str}/commands",
    status_code=200,
    opt=described(
        takes=TableOrder,
        gives=Answer,
        commands=True,
        problems=(ServerCode.UNKNOWN_TABLE, *OF_COMMANDS),
    ),
)
async def table_command(request: AnyRequest, name: FromPath[str]) -> Response[bytes]:
    """Give a command to a table."""
    return await order(request, name)


@post(
    "/cage/commands",
    status_code=200,
    opt=described(
        takes=CageOrder,
        gives=Answer,
        commands=True,
        problems=(
            *(ServerCode.UNKNOWN_TABLE, ServerCode.NOT_TAKEN, ServerCode.BEHIND),
            *OF_COMMANDS,
        ),
    ),
)
async def cage_command(request: AnyRequest) -> Response[bytes]:
    """Give a command to the cage."""
    return await order(request, CAGE)


@post(
    "/accounts/commands",
    status_code=200,
    opt=described(
        takes=AccountsOrder,
        gives=Answer,
        commands=True,
        problems=(ServerCode.UNKNOWN_TABLE, *OF_COMMANDS),
    ),
)
async def accounts_command(request: AnyRequest) -> Response[bytes]:
    """Give a command to the accounts."""
    return await order(request, ACCOUNTS)


@post(
    "/approvals",
    status_code=201,
    opt=described(
        takes=ApprovedCommand,
        gives=ApprovalIssued,
        signed_in=True,
        problems=(
            ServerCode.UNKNOWN_TABLE,
            ServerCode.FORBIDDEN,
            ServerCode.SELF_APPROVAL,
            ServerCode.TOO_LARGE,
        ),
    ),
)
async def approve(request: AnyRequest) -> Response[bytes]:
    """Approve exactly one command of somebody else."""
    floor, asker = floor_of(request), signed_in(request)
    wanted = read_approved(await body_of(request))
    place, _ = floor.reception.place(wanted.table)
    command = approved_bytes(read_command(place, wanted.command), wanted.cards, wanted.die)
    _require_member(asker)
    assert asker.session is not None
    issued = await floor.people.approvals.issue(
        asker.session, wanted.table, command, wanted.name
    )
    if isinstance(issued, TurnedAway):
        raise turned_away(issued)
    return answered(ApprovalIssued(issued.token, issued.expires), 201)


def _require_member(asker: Asker) -> None:
    if asker.position is None:
        message = "Only staff approve a command of somebody else."
        raise ProblemError(ServerCode.FORBIDDEN, message)


CALLS = (table_command, cage_command, accounts_command, approve)
