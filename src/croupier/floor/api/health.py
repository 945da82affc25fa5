"""How the server is: whether it lives, whether it serves, which code it runs, its metrics."""

from __future__ import annotations

import asyncio
import platform
from typing import TYPE_CHECKING, Final

import msgspec
from litestar import Response, get

from croupier import __version__
from croupier.floor import metrics
from croupier.floor.api.calls import AnyRequest, answered, described, floor_of
from croupier.floor.problems import MEDIA_TYPE, Problem, ProblemError, ServerCode
from croupier.floor.watch import skewed
from croupier.journal.errors import JournalError
from croupier.journal.release import release
from croupier.rules.errors import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.floor.floor import Floor

READ_SECONDS: Final = 2.0
"""Within which time the store answers a question."""
ROOM_BYTES_MIN: Final = 256 << 20


class Alive(msgspec.Struct, frozen=True):
    """The process answers."""

    alive: bool


class Readiness(msgspec.Struct, frozen=True):
    """The house serves; what somebody should look at all the same."""

    ready: bool
    warnings: list[str]


class NotReady(Problem, frozen=True):
    """The house does not serve, and why."""

    reasons: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class Version(msgspec.Struct, frozen=True):
    """Which code runs."""

    version: str
    release: str
    """With the digest of the code that decides, as every record names it."""
    python: str
    api: str


@get("/livez", opt=described(gives=Alive))
async def livez() -> Response[bytes]:
    """Say that the process answers; nothing else is asked."""
    return answered(Alive(True))  # noqa: FBT003  # as on the wire


@get(
    "/readyz",
    opt=described(gives=Readiness, problems=(ServerCode.NOT_READY, ServerCode.GOING_DOWN)),
)
async def readyz(request: AnyRequest) -> Response[bytes]:
    """Say whether the house serves, or why it does not."""
    floor = floor_of(request)
    reasons = [*not_serving(floor), *await _not_reading(floor)]
    warnings = list(to_look_at(floor))
    if not reasons:
        return answered(Readiness(True, warnings))  # noqa: FBT003  # as on the wire
    code = ServerCode.GOING_DOWN if floor.closing else ServerCode.NOT_READY
    said = ProblemError(code, " ".join(reasons)).problem
    body = NotReady(
        **msgspec.structs.asdict(said), reasons=tuple(reasons), warnings=tuple(warnings)
    )
    return Response(
        msgspec.json.encode(body),
        status_code=said.status,
        media_type=MEDIA_TYPE,
        headers={"Cache-Control": "no-store", "Retry-After": "1"},
    )


@get("/version", opt=described(gives=Version))
async def version() -> Response[bytes]:
    """Say which code runs."""
    return answered(Version(__version__, release(), platform.python_version(), "v1"))


@get("/metrics", opt=described(gives=str, media_type=metrics.MEDIA_TYPE))
async def text(request: AnyRequest) -> Response[str]:
    """Return the metrics as text."""
    floor = floor_of(request)
    return Response(
        floor.metrics.text(floor),
        media_type=metrics.MEDIA_TYPE,
        headers={"Cache-Control": "no-store"},
    )


def not_serving(floor: Floor) -> Iterator[str]:
    """Yield why nobody is served: the whole house, not a single table."""
    house = floor.house
    if floor.closing:
        yield "The server is going down."
    if not house.writer.well.is_set():
        yield "The journal failed and is being opened again."
    if house.own.cage:
        for name, seat in (("accounts", house.accounts.seat), ("cage", house.cage.seat)):
            if seat.failure is not None:
                yield f"The {name} do not serve: {seat.failure}"
    if house.failures and not any(desk.serves for desk in house.tables.values()):
        yield f"No table serves: {next(iter(house.failures.values()))}"


async def _not_reading(floor: Floor) -> list[str]:
    """Say why nothing can be read; in a moment, or the store counts as away."""
    try:
        async with asyncio.timeout(READ_SECONDS):
            await floor.house.store.head("accounts")
    except TimeoutError:
        return [f"The store did not answer within {READ_SECONDS:g} seconds."]
    except JournalError as error:
        return [f"The store cannot be read: {error}"]
    return []


def to_look_at(floor: Floor) -> Iterator[str]:
    """Yield what is wrong although the house serves: most of it is one table's own."""
    house = floor.house
    for name, failure in house.failures.items():
        yield f"Table {name} could not be started: {failure}"
    for name, desk in house.tables.items():
        if desk.started and desk.seat.failure is not None:
            yield f"Table {name} does not serve: {desk.seat.failure}"
    stuck = [name for name, one in house.drivers.items() if one.error is not None]
    if stuck:
        error = house.drivers[stuck[0]].error
        yield f"The system cannot go on at {listed(stuck)}: {error}"
    if house.keeper.failure is not None:
        yield str(house.keeper.failure)
    skew = skewed(house.clock.off, house.configuration.alarms)
    if skew is not None:
        yield skew.sentence
    room = metrics.free_bytes(house.folder)
    if room < ROOM_BYTES_MIN:
        yield f"There are {room >> 20} MiB left where the house's folder is."


CALLS = (livez, readyz, version, text)
