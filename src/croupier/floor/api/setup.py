"""The first administrator, and passwords that are set by a link or changed."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  # read by msgspec
from typing import TYPE_CHECKING, TypeVar

import msgspec
from litestar import Response, post

from croupier.floor.api.calls import (
    AnyRequest,
    answered,
    body_of,
    described,
    floor_of,
    problem_response,
    signed_in,
)
from croupier.floor.credentials import cookie, csrf_of
from croupier.floor.door import TurnedAway
from croupier.floor.problems import ServerCode, refused, turned_away
from croupier.floor.setup import found_administrator
from croupier.floor.wire import FirstAdministrator, check_shape, not_readable

if TYPE_CHECKING:
    from croupier.floor.floor import Floor

BY_LINK = (
    ServerCode.BAD_LINK,
    ServerCode.BAD_ORIGIN,
    ServerCode.BAD_PASSWORD,
    ServerCode.BAD_TEXT,
    ServerCode.TOO_LARGE,
)
"""Why a link sets no password."""
Body = TypeVar("Body", bound=msgspec.Struct)


class NewPassword(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A password that somebody sets by a link."""

    secret: str
    password: str


class ChangedPassword(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A password that somebody changes."""

    old: str
    new: str


class Whose(msgspec.Struct, frozen=True):
    """Whose it is now."""

    name: str


class SignedInAnew(msgspec.Struct, frozen=True):
    """The session after one's password was changed."""

    token: str
    expires: datetime
    csrf: str


async def body_as(request: AnyRequest, kind: type[Body]) -> Body:
    """Return the body of a request, read strictly."""
    data = await body_of(request)
    check_shape(data)
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise not_readable(error, "body") from error


def require_own_page(floor: Floor, request: AnyRequest) -> None:
    """Refuse a page of another house."""
    floor.require_origin(request.headers.get("origin"), request.headers.get("host"))


@post(
    "/setup",
    status_code=201,
    opt=described(
        takes=FirstAdministrator, gives=Whose, problems=(*BY_LINK, ServerCode.KNOWN_USER)
    ),
)
async def setup(request: AnyRequest) -> Response[bytes]:
    """Make the first administrator, by the link that the start printed."""
    floor = floor_of(request)
    require_own_page(floor, request)
    asked = await body_as(request, FirstAdministrator)
    failed = await found_administrator(floor, asked.secret, asked.name, asked.password)
    if isinstance(failed, TurnedAway):
        raise turned_away(failed)
    if failed is not None:
        return problem_response(refused(failed.refusal, failed.sequence))
    return answered(Whose(asked.name), 201)


@post(
    "/passwords",
    status_code=200,
    opt=described(takes=NewPassword, gives=Whose, problems=BY_LINK),
)
async def set_password(request: AnyRequest) -> Response[bytes]:
    """Set the password that a one-time link is for."""
    floor = floor_of(request)
    require_own_page(floor, request)
    asked = await body_as(request, NewPassword)
    name = await floor.people.set_by_link(asked.secret, asked.password)
    if isinstance(name, TurnedAway):
        raise turned_away(name)
    return answered(Whose(name))


@post(
    "/me/password",
    status_code=200,
    opt=described(
        takes=ChangedPassword,
        gives=SignedInAnew,
        signed_in=True,
        problems=(ServerCode.WRONG_LOGIN, ServerCode.BAD_PASSWORD, ServerCode.TOO_LARGE),
    ),
)
async def change_password(request: AnyRequest) -> Response[bytes]:
    """Change one's own password; all sessions end, and one is signed in anew."""
    floor, asker = floor_of(request), signed_in(request)
    asked = await body_as(request, ChangedPassword)
    assert asker.session is not None, "whoever is signed in has a session"
    opened = await floor.people.change_password(asker.session, asked.old, asked.new)
    if isinstance(opened, TurnedAway):
        raise turned_away(opened)
    seconds = round((opened.expires - floor.house.clock()).total_seconds())
    secure = request.url.scheme == "https"
    return answered(
        SignedInAnew(opened.token, opened.expires, csrf_of(opened.token)),
        headers={"Set-Cookie": cookie(opened.token, seconds, secure=secure)},
    )


CALLS = (setup, set_password, change_password)
