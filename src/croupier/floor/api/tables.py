"""Tables over HTTP: the list, a table as whoever asks may see it, its roads."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from litestar import Response, get

from croupier.floor.api.calls import AnyRequest, answered, asker_of, floor_of, signed_in
from croupier.floor.problems import ProblemError, ServerCode

if TYPE_CHECKING:
    from croupier.floor.floor import Floor

AFTER_SECONDS: Final = 2.0
"""How long somebody waits for a record that is not here yet."""
LOOK_SECONDS: Final = 0.01


@get("/tables")
async def tables(request: AnyRequest) -> Response[bytes]:
    """List the tables."""
    floor = floor_of(request)
    asker_of(request)
    return answered(floor.hub.lobby.summaries())


@get("/tables/{name:str}")
async def table(request: AnyRequest, name: str, after: int | None = None) -> Response[bytes]:
    """Return a table as whoever asks may see it."""
    floor, asker = floor_of(request), asker_of(request)
    topic = floor.hub.table(name)
    await wait_for(floor, name, after)
    view = topic.view(asker)
    head = b'{"table":"%b","sequence":%d,"time":"%b","view":' % (
        name.encode(),
        topic.sequence,
        topic.moment.encode(),
    )
    return answered(head + view + b"}")


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


@get("/me/wallet")
async def wallet(request: AnyRequest) -> Response[bytes]:
    """Return what whoever asks has: in the wallet, on its way, at tables."""
    floor, asker = floor_of(request), signed_in(request)
    if asker.patron is None:
        message = "Only a patron has a wallet."
        raise ProblemError(ServerCode.FORBIDDEN, message)
    return answered(floor.hub.me.wallet(asker.patron))


CALLS = (tables, table, wallet)
