"""Signing in and out, and tickets for sockets."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  # read by msgspec
from typing import TYPE_CHECKING

import msgspec
from litestar import Response, delete, get, post

from croupier.floor.api.calls import (
    AnyRequest,
    answered,
    asker_of,
    body_of,
    described,
    floor_of,
    signed_in,
    why_ended,
)
from croupier.floor.credentials import cookie, cookie_removed, csrf_of, presented
from croupier.floor.door import Ended, TurnedAway
from croupier.floor.problems import ServerCode, turned_away
from croupier.floor.wire import Login, check_shape, not_readable

if TYPE_CHECKING:
    from croupier.floor.reception import Asker

read_login = msgspec.json.Decoder(Login).decode


class Actor(msgspec.Struct, frozen=True):
    """Who is signed in."""

    kind: str
    name: str
    position: str | None


class Me(Actor, frozen=True):
    """Who asks, and until when they are signed in."""

    expires: datetime
    idle_seconds: int
    """After how long without a request the session ends."""
    csrf: str | None
    """For a page that was loaded again; None: whoever asks came with a token."""


class CurrentSession(msgspec.Struct, frozen=True):
    """Whose session a page has."""

    me: Me | None
    """None: nobody's."""
    ended: Ended | None
    """Why the session that the page had is over; None: it had none, or it is not known."""


class Opened(msgspec.Struct, frozen=True):
    """A session that was opened."""

    token: str
    """For programs: ``Authorization: Bearer TOKEN``."""
    actor: Actor
    expires: datetime
    csrf: str
    """For pages: what they send as X-CSRF-Token beside the cookie."""


class TicketIssued(msgspec.Struct, frozen=True):
    """A ticket that opens one socket, once."""

    ticket: str
    expires: datetime


def actor_of(asker: Asker) -> Actor:
    """Return who asks, as the wire has it."""
    assert asker.kind is not None
    assert asker.name is not None
    position = asker.position
    return Actor(asker.kind.value, asker.name, None if position is None else position.value)


@post(
    "/sessions",
    status_code=201,
    opt=described(
        takes=Login,
        gives=Opened,
        problems=(ServerCode.WRONG_LOGIN, ServerCode.BAD_ORIGIN, ServerCode.TOO_LARGE),
    ),
)
async def sign_in(request: AnyRequest) -> Response[bytes]:
    """Sign in: a token for programs, a cookie for browsers."""
    floor = floor_of(request)
    floor.require_origin(request.headers.get("origin"), request.headers.get("host"))
    data = await body_of(request)
    check_shape(data)
    try:
        login = read_login(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise not_readable(error, "body") from error
    opened = await floor.people.sign_in(login.name, login.password)
    if isinstance(opened, TurnedAway):
        raise turned_away(opened)
    asker = floor.reception.asker(opened.session)
    body = Opened(opened.token, actor_of(asker), opened.expires, csrf_of(opened.token))
    seconds = round((opened.expires - floor.house.clock()).total_seconds())
    secure = request.url.scheme == "https"
    headers = {"Set-Cookie": cookie(opened.token, seconds, secure=secure)}
    return answered(body, 201, headers)


@get("/sessions/current", opt=described(gives=CurrentSession))
async def current(request: AnyRequest) -> Response[bytes]:
    """Say whose session this is, to a page that was just loaded: nobody's is no problem."""
    asker = asker_of(request)
    if asker.name is None:
        return answered(CurrentSession(None, why_ended(request)))
    return answered(CurrentSession(_me(request, asker), None))


@delete("/sessions/current", status_code=204, opt=described(signed_in=True))
async def sign_out(request: AnyRequest) -> Response[None]:
    """Sign out: the token is dead everywhere."""
    floor, asker = floor_of(request), signed_in(request)
    assert asker.session is not None
    await floor.people.sessions.close(asker.session)
    secure = request.url.scheme == "https"
    return Response(
        None, status_code=204, headers={"Set-Cookie": cookie_removed(secure=secure)}
    )


@post("/tickets", status_code=201, opt=described(gives=TicketIssued, signed_in=True))
async def ticket(request: AnyRequest) -> Response[bytes]:
    """Ask for a ticket that opens one socket, once."""
    floor, asker = floor_of(request), signed_in(request)
    assert asker.session is not None
    issued = floor.people.tickets.issue(asker.session)
    return answered(TicketIssued(issued.token, issued.expires), 201)


@get("/me", opt=described(gives=Me, signed_in=True))
async def me(request: AnyRequest) -> Response[bytes]:
    """Say who asks, and until when they are signed in."""
    return answered(_me(request, signed_in(request)))


def _me(request: AnyRequest, asker: Asker) -> Me:
    session, actor = asker.session, actor_of(asker)
    assert session is not None, "whoever is signed in has a session"
    headers = request.headers
    found = presented(headers.get("authorization"), headers.get("cookie"))
    # No page of elsewhere can read this answer, so it proves as much as that of a sign-in.
    csrf = csrf_of(found.token) if found is not None and found.by_cookie else None
    return Me(
        actor.kind,
        actor.name,
        actor.position,
        session.expires,
        round(session.idle_seconds),
        csrf,
    )


CALLS = (sign_in, current, sign_out, ticket, me)
