"""Administration: who has an account, sessions of somebody, links for passwords, backups.

What changes an account, a table or the cage is a command as any other and is recorded; here is
what is read, and what no journal knows.
"""

from __future__ import annotations

import asyncio
import re
from datetime import datetime  # noqa: TC003  # read by msgspec
from typing import TYPE_CHECKING, Final

import msgspec
from litestar import Response, delete, get, post
from litestar.params import FromPath  # noqa: TC002  # read by Litestar

from croupier.accounts.commands import UserKind
from croupier.accounts.events import OwnLimit
from croupier.accounts.state import Acts, Exclusion, User  # noqa: TC001  # read by msgspec
from croupier.floor.api.calls import AnyRequest, answered, described, floor_of, signed_in
from croupier.floor.api.setup import body_as
from croupier.floor.backups import BackupShown
from croupier.floor.door import TurnedAway
from croupier.floor.problems import ProblemError, ServerCode, turned_away
from croupier.rules.errors import listed, quoted
from croupier.table.roles import HousePosition, StaffPosition

if TYPE_CHECKING:
    from croupier.floor.floor import Floor
    from croupier.floor.reception import Asker

ADMINISTERS: Final = (HousePosition.ADMINISTRATOR,)
SEES_EVERYBODY: Final = (*ADMINISTERS, HousePosition.AUDITOR, HousePosition.SURVEILLANCE)
SEES_PATRONS: Final = (
    HousePosition.CASHIER,
    HousePosition.CAGE_SUPERVISOR,
    StaffPosition.PIT_MANAGER,
    StaffPosition.ASSISTANT_CASINO_MANAGER,
    StaffPosition.GAMING_SHIFT_MANAGER,
)
"""They pay patrons, or may exclude them."""
LIMITS: Final = (OwnLimit.STAKE, OwnLimit.LOSS, OwnLimit.TIME)
BACKS_UP: Final = (*ADMINISTERS, HousePosition.TECHNICIAN)
WAIT_SECONDS: Final = 8.0
"""How long the answer waits for a backup; a longer one is asked for again."""
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


class OwnLimits(msgspec.Struct, frozen=True):
    """Limits that a patron set; null: none."""

    stake_cents: int | None
    loss_cents: int | None
    minutes: int | None


class UserShown(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody with an account, as whoever administers sees them."""

    name: str
    kind: UserKind
    enabled: bool
    position: str | None
    acts: Acts | None = None
    sessions: int
    exclusions: list[Exclusion] = []
    """Of a patron: those that hold, their own and the house's."""
    limits: OwnLimits | None = None
    """Of a patron: what holds now."""


class SessionShown(msgspec.Struct, frozen=True):
    """A session of somebody."""

    number: str
    opened: datetime
    seen: datetime
    expires: datetime


class PositionShown(msgspec.Struct, frozen=True):
    """A position that somebody can have."""

    name: str
    rulebooks: bool
    """Whether the rulebooks name it; the others are the house's."""


class LinkShown(msgspec.Struct, frozen=True):
    """A one-time link by which somebody sets a password."""

    secret: str
    path: str
    expires: datetime


class BackupWanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a backup is to be called; without a name, by its moment."""

    name: str | None = None


# Who may


def require(asker: Asker, *positions: StaffPosition | HousePosition) -> None:
    """Refuse whoever neither holds one of these positions nor acts in one."""
    if asker.positions.isdisjoint(positions):
        is_ = "nobody of the staff" if asker.position is None else asker.position.value
        needed = listed([one.value for one in positions]).replace(" and ", " or ")
        message = f"Whoever asks is {is_}; this needs {needed}."
        raise ProblemError(ServerCode.FORBIDDEN, message)


def _user(floor: Floor, name: str) -> User:
    found = floor.house.accounts.accounts.users.get(name)
    if found is None:
        message = f"Nobody has the name {quoted(name[:80])}."
        raise ProblemError(ServerCode.UNKNOWN_USER, message)
    return found


def _shown(floor: Floor, name: str, user: User) -> UserShown:
    moment = floor.house.clock()
    exclusions = [user.own_exclusion, user.house_exclusion]
    limits = OwnLimits(*(user.limit(one, moment) for one in LIMITS))
    patron = user.kind is UserKind.PATRON
    return UserShown(
        name=name,
        kind=user.kind,
        enabled=user.enabled,
        position=user.position,
        acts=user.acts if user.acts is not None and moment < user.acts.until else None,
        sessions=len(floor.people.sessions.of(name)),
        exclusions=[one for one in exclusions if one is not None and one.at(moment)],
        limits=limits if patron else None,
    )


# Users


@get(
    "/users",
    opt=described(gives=list[UserShown], signed_in=True, problems=(ServerCode.FORBIDDEN,)),
)
async def users(request: AnyRequest) -> Response[bytes]:
    """List everybody with an account, or the patrons, as far as whoever asks may know."""
    floor, asker = floor_of(request), signed_in(request)
    require(asker, *SEES_EVERYBODY, *SEES_PATRONS)
    every = not asker.positions.isdisjoint(SEES_EVERYBODY)
    found = floor.house.accounts.accounts.users.all
    return answered(
        [
            _shown(floor, name, user)
            for name, user in sorted(found.items())
            if every or user.kind is UserKind.PATRON
        ]
    )


@get(
    "/users/{name:str}",
    opt=described(
        gives=UserShown,
        signed_in=True,
        problems=(ServerCode.FORBIDDEN, ServerCode.UNKNOWN_USER),
    ),
)
async def user(request: AnyRequest, name: FromPath[str]) -> Response[bytes]:
    """Return somebody with an account."""
    floor, asker = floor_of(request), signed_in(request)
    require(asker, *SEES_EVERYBODY, *SEES_PATRONS)
    found = _user(floor, name)
    if found.kind is not UserKind.PATRON:
        require(asker, *SEES_EVERYBODY)
    return answered(_shown(floor, name, found))


@get("/positions", opt=described(gives=list[PositionShown], signed_in=True))
async def positions(request: AnyRequest) -> Response[bytes]:
    """List the positions that somebody can have."""
    signed_in(request)
    return answered(
        [
            PositionShown(one.value, isinstance(one, StaffPosition))
            for one in (*StaffPosition, *HousePosition)
        ]
    )


@post(
    "/users/{name:str}/password-link",
    status_code=201,
    opt=described(
        gives=LinkShown,
        signed_in=True,
        problems=(ServerCode.FORBIDDEN, ServerCode.UNKNOWN_USER),
    ),
)
async def password_link(request: AnyRequest, name: FromPath[str]) -> Response[bytes]:
    """Make a link by which somebody sets a password once, within a day."""
    floor, asker = floor_of(request), signed_in(request)
    require(asker, *ADMINISTERS)
    issued = await floor.people.reset_password(name)
    if isinstance(issued, TurnedAway):
        raise turned_away(issued)
    return answered(LinkShown(issued.token, f"/password#{issued.token}", issued.expires), 201)


# Sessions


def _require_own(asker: Asker, name: str) -> None:
    if asker.name != name:
        require(asker, *ADMINISTERS)


@get(
    "/users/{name:str}/sessions",
    opt=described(
        gives=list[SessionShown],
        signed_in=True,
        problems=(ServerCode.FORBIDDEN, ServerCode.UNKNOWN_USER),
    ),
)
async def sessions(request: AnyRequest, name: FromPath[str]) -> Response[bytes]:
    """List the sessions of somebody: one's own, or anybody's for an administrator."""
    floor, asker = floor_of(request), signed_in(request)
    _require_own(asker, name)
    _user(floor, name)
    listed_ = floor.people.sessions.listed(name)
    return answered(
        [SessionShown(one.number, one.opened, one.seen, one.expires) for one in listed_]
    )


@delete(
    "/users/{name:str}/sessions",
    status_code=204,
    opt=described(signed_in=True, problems=(ServerCode.FORBIDDEN, ServerCode.UNKNOWN_USER)),
)
async def close_sessions(request: AnyRequest, name: FromPath[str]) -> None:
    """Close all sessions of somebody; their sockets are closed at once."""
    floor, asker = floor_of(request), signed_in(request)
    _require_own(asker, name)
    _user(floor, name)
    await floor.people.close_all(name)


@delete(
    "/users/{name:str}/sessions/{number:str}",
    status_code=204,
    opt=described(
        signed_in=True,
        problems=(ServerCode.FORBIDDEN, ServerCode.UNKNOWN_USER, ServerCode.NOT_FOUND),
    ),
)
async def close_session(
    request: AnyRequest, name: FromPath[str], number: FromPath[str]
) -> None:
    """Close one session of somebody."""
    floor, asker = floor_of(request), signed_in(request)
    _require_own(asker, name)
    _user(floor, name)
    if not await floor.people.sessions.close_number(name, number):
        message = f"{name} has no session {quoted(number[:80])}."
        raise ProblemError(ServerCode.NOT_FOUND, message)


# Backups


@post(
    "/admin/backup",
    status_code=201,
    opt=described(
        takes=BackupWanted,
        gives=BackupShown,
        signed_in=True,
        problems=(
            ServerCode.FORBIDDEN,
            ServerCode.BUSY,
            ServerCode.NOT_DONE,
            ServerCode.TOO_LARGE,
        ),
    ),
)
async def back_up(request: AnyRequest) -> Response[bytes]:
    """Begin a backup; one that takes longer than an answer may is not done yet."""
    floor, asker = floor_of(request), signed_in(request)
    require(asker, *BACKS_UP)
    wanted = await body_as(request, BackupWanted)
    name = wanted.name or floor.house.clock().strftime("%Y%m%dT%H%M%SZ")
    if not NAME.fullmatch(name):
        message = f"{quoted(name[:80])} cannot be the name of a backup: letters, digits, . _ -"
        raise ProblemError(ServerCode.NOT_READABLE, f"{message} are allowed.")
    backups = floor.backups
    backups.begin(name)
    assert backups.task is not None
    await asyncio.wait([backups.task], timeout=WAIT_SECONDS)
    shown = backups.shown[name]
    if shown.error is not None:
        raise ProblemError(ServerCode.NOT_DONE, shown.error)
    return answered(shown, 201)


@get(
    "/admin/backups",
    opt=described(gives=list[BackupShown], signed_in=True, problems=(ServerCode.FORBIDDEN,)),
)
async def backups(request: AnyRequest) -> Response[bytes]:
    """List the backups of this process."""
    floor, asker = floor_of(request), signed_in(request)
    require(asker, *BACKS_UP)
    return answered(list(floor.backups.shown.values()))


CALLS = (
    users,
    user,
    positions,
    password_link,
    sessions,
    close_sessions,
    close_session,
    back_up,
    backups,
)
