"""Devices over HTTP: what they read, what they must know, their tokens, and alarms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from litestar import Response, delete, get, post
from litestar.params import FromPath  # noqa: TC002  # read by Litestar
from msgspec import Meta

from croupier.floor.alarms import Alarm, hears
from croupier.floor.api.calls import (
    After,
    AnyRequest,
    answered,
    described,
    floor_of,
    problem_response,
    read_body,
    signed_in,
)
from croupier.floor.api.tables import reached
from croupier.floor.credentials import presented
from croupier.floor.device_book import DeviceShown
from croupier.floor.devices import CardRead, DeviceStatus, DieRead
from croupier.floor.problems import Problem, ProblemError, ServerCode, turned_away
from croupier.table.roles import HousePosition, HouseStaff, Staff
from croupier.table.views.hearing import Audience

if TYPE_CHECKING:
    from croupier.floor.floor import Floor
    from croupier.floor.reception import Asker

FACE_MAX: Final = 16
NUMBER_MAX: Final = 10_000
ANSWER_MAX: Final = 300
TENDS: Final = (HousePosition.TECHNICIAN, HousePosition.ADMINISTRATOR)
"""Who gives tokens to devices; the accounts let the same people register them."""
OF_READINGS: Final = (
    ServerCode.FORBIDDEN,
    ServerCode.UNKNOWN_DEVICE,
    ServerCode.OUT_OF_ORDER,
    ServerCode.SCAN_MISMATCH,
    ServerCode.NOT_FED,
    ServerCode.TOO_LARGE,
    ServerCode.BUSY,
    ServerCode.TAKEN_OVER,
    ServerCode.NOT_DONE,
    ServerCode.GOING_DOWN,
)
"""What a reading may be told, beside what the table refuses."""


class CardReading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card that a dealing device read."""

    number: Annotated[int, Meta(ge=0, le=NUMBER_MAX)]
    """Which card of its shoe, counted from 0."""
    face: Annotated[str, Meta(min_length=1, max_length=FACE_MAX)]


class DieReading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A die that a device read."""

    round: Annotated[int, Meta(ge=1)]
    face: Annotated[int, Meta(ge=0, le=100)]


class Acknowledged(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a patron who asked is told; every other alarm is acknowledged without a word."""

    answer: Annotated[str, Meta(max_length=ANSWER_MAX)] = ""


class DeviceToken(msgspec.Struct, frozen=True):
    """The token of a device: it is told this once."""

    device: str
    token: str

    def __repr__(self) -> str:
        return f"DeviceToken({self.device!r})"


def _device_of(request: AnyRequest) -> str | None:
    """Return which device asks, by its token; None: no device does."""
    found = presented(request.headers.get("authorization"), None)
    return None if found is None else floor_of(request).people.device_tokens.find(found.token)


def _require_itself(request: AnyRequest, name: str) -> Floor:
    """Refuse whoever is not this device, or sends too much."""
    floor, device = floor_of(request), _device_of(request)
    if device is None:
        message = "A device shows its token: Authorization: Bearer TOKEN."
        raise ProblemError(ServerCode.UNAUTHENTICATED, message)
    if device != name:
        message = "A device reads for itself alone; this token is another one's."
        raise ProblemError(ServerCode.FORBIDDEN, message)
    try:
        floor.devices.find(device)
    except ProblemError as error:
        message = "The device of this token is out of use."
        raise ProblemError(ServerCode.UNAUTHENTICATED, message) from error
    too_many = floor.people.device_tokens.asks(device, floor.house.clock()).message()
    if too_many is not None:
        raise turned_away(too_many)
    if floor.closing:
        message = "The server is going down; read it again in a moment."
        raise ProblemError(ServerCode.GOING_DOWN, message, 1.0)
    return floor


@post(
    "/devices/{device:str}/cards",
    status_code=200,
    opt=described(
        takes=CardReading, gives=CardRead, signed_in=True, refuses=True, problems=OF_READINGS
    ),
)
async def card_read(request: AnyRequest, device: FromPath[str]) -> Response[bytes]:
    """Take the next card that a dealing device read."""
    floor = _require_itself(request, device)
    reading = await read_body(request, CardReading)
    came = await floor.devices.card(device, reading.number, reading.face)
    return problem_response(came) if isinstance(came, Problem) else answered(came)


@post(
    "/devices/{device:str}/die",
    status_code=200,
    opt=described(
        takes=DieReading,
        gives=DieRead,
        signed_in=True,
        refuses=True,
        problems=(*OF_READINGS, ServerCode.OTHER_ROUND),
    ),
)
async def die_read(request: AnyRequest, device: FromPath[str]) -> Response[bytes]:
    """Take the die that a device read."""
    floor = _require_itself(request, device)
    reading = await read_body(request, DieReading)
    came = await floor.devices.die(device, reading.round, reading.face)
    return problem_response(came) if isinstance(came, Problem) else answered(came)


@get(
    "/devices/{device:str}",
    opt=described(
        gives=DeviceStatus,
        query=After,
        signed_in=True,
        problems=(
            ServerCode.FORBIDDEN,
            ServerCode.UNKNOWN_DEVICE,
            ServerCode.BEHIND,
            ServerCode.GOING_DOWN,
        ),
    ),
)
async def device_status(request: AnyRequest, device: FromPath[str]) -> Response[bytes]:
    """Say what a device must know to go on; ``after`` waits for a record of its table."""
    if _device_of(request) is not None:
        floor = _require_itself(request, device)
    else:
        floor = floor_of(request)
        _require_tends(signed_in(request), floor)
    table = floor.devices.find(device).table
    if table is not None and table in floor.house.tables:
        await reached(request, table)
    return answered(floor.devices.status(device))


# Tending


@get(
    "/devices",
    opt=described(gives=list[DeviceShown], signed_in=True, problems=(ServerCode.FORBIDDEN,)),
)
async def devices(request: AnyRequest) -> Response[bytes]:
    """List the registered devices, those out of use too, for whoever tends them."""
    floor = floor_of(request)
    _require_tends(signed_in(request), floor)
    return answered(await floor.device_book.listed())


def _require_tends(asker: Asker, floor: Floor) -> None:
    actor, moment = asker.actor, floor.house.clock()
    if isinstance(actor, HouseStaff) and any(actor.stands_for(one, moment) for one in TENDS):
        return
    message = "Devices are tended by a Technician or an Administrator."
    raise ProblemError(ServerCode.FORBIDDEN, message)


@post(
    "/devices/{device:str}/token",
    status_code=201,
    opt=described(
        gives=DeviceToken,
        signed_in=True,
        problems=(ServerCode.FORBIDDEN, ServerCode.UNKNOWN_DEVICE, ServerCode.NOT_DONE),
    ),
)
async def new_token(request: AnyRequest, device: FromPath[str]) -> Response[bytes]:
    """Give a device a token, shown once; one that it had is void."""
    floor = floor_of(request)
    _require_tends(signed_in(request), floor)
    floor.devices.find(device)
    return answered(DeviceToken(device, await floor.people.device_tokens.issue(device)), 201)


@delete(
    "/devices/{device:str}/token",
    status_code=204,
    opt=described(
        signed_in=True,
        problems=(ServerCode.FORBIDDEN, ServerCode.UNKNOWN_DEVICE, ServerCode.NOT_DONE),
    ),
)
async def no_token(request: AnyRequest, device: FromPath[str]) -> Response[None]:
    """Let the token of a device be void."""
    floor = floor_of(request)
    _require_tends(signed_in(request), floor)
    if not await floor.people.device_tokens.revoke(device):
        floor.devices.find(device)
    return Response(None, status_code=204)


# Alarms


@get(
    "/alarms",
    opt=described(
        gives=dict[str, tuple[Alarm, ...]], signed_in=True, problems=(ServerCode.FORBIDDEN,)
    ),
)
async def alarms(request: AnyRequest) -> Response[bytes]:
    """Return the alarms that stand, by table, as far as they concern whoever asks."""
    by = hears(signed_in(request))
    return answered(floor_of(request).hub.alarms.seen(by))


@post(
    "/tables/{name:str}/alarms/{number:int}/acknowledged",
    status_code=204,
    opt=described(
        takes=Acknowledged,
        signed_in=True,
        problems=(
            ServerCode.FORBIDDEN,
            ServerCode.UNKNOWN_ALARM,
            ServerCode.ALARM_STANDS,
            ServerCode.TOO_LARGE,
            ServerCode.NOT_DONE,
        ),
    ),
)
async def acknowledge(
    request: AnyRequest, name: FromPath[str], number: FromPath[int]
) -> Response[None]:
    """Acknowledge an alarm: somebody of the table has looked."""
    floor, asker = floor_of(request), signed_in(request)
    if not isinstance(asker.actor, Staff):
        message = "Alarms are acknowledged by the Dealer or the pit."
        raise ProblemError(ServerCode.FORBIDDEN, message)
    alarm = floor.devices.alarms.find(name, number)
    if alarm is not None and alarm.for_pit and asker.audience is Audience.DEALER:
        message = f"Alarm {number} is acknowledged by the pit, not by the Dealer."
        raise ProblemError(ServerCode.FORBIDDEN, message)
    said = await read_body(request, Acknowledged)
    answer = said.answer.strip() or None
    await floor.devices.acknowledge(name, number, asker.actor.name, answer)
    return Response(None, status_code=204)


CALLS = (
    card_read,
    die_read,
    device_status,
    devices,
    new_token,
    no_token,
    alarms,
    acknowledge,
)
