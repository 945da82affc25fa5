"""Server-sent events: the public view of a table, for displays that cannot open sockets.

A stream is a receiver like a socket: it has a mark in the ring of its topic, the walk writes
to it, and one that does not read is passed over, resynchronised, or closed as slow.
"""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, Any, Final

import msgspec
from litestar import get
from litestar.types import ASGIApp  # noqa: TC002  # litestar reads the annotation

from croupier.floor.api.calls import AnyRequest, described, floor_of, query_of
from croupier.floor.framing import unframe
from croupier.floor.problems import ProblemError, ServerCode
from croupier.floor.reception import NOBODY
from croupier.floor.wire import digits

if TYPE_CHECKING:
    from litestar.types import Receive, Scope, Send

    from croupier.floor.floor import Floor
    from croupier.floor.rings import Subscription
    from croupier.floor.topics import TableTopic

TABLE: Final = "table:"
HIGH_BYTES: Final = 64 << 10
"""What may wait for a stream beside what its connection holds."""
ALIVE_SECONDS: Final = 2.0
"""A stream on which nothing happens gets a comment, so that both ends know of each other: a
display that hears nothing for 5 s says how old is what it shows."""
AGAIN_SECONDS: Final = 15.0
"""When a display that found no room may ask again."""
STREAMS_MAX: Final = 2000
STREAMS_OF_ADDRESS: Final = 500
"""Of all of them those that one address may have."""
SEQUENCE: Final = b'"sequence":'
HEADERS: Final = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


class Stream:
    """One display: what waits for it, and how it ends."""

    def __init__(
        self, floor: Floor, topic: TableTopic, after: int | None, address: str = ""
    ) -> None:
        self.address = address
        self.asker, self.full, self.open = NOBODY, False, True
        self._floor, self._topic, self._after = floor, topic, after
        self._transport: Any = None
        self._one: Subscription | None = None
        self._out: list[bytes] = []
        self._bytes = 0
        self._news = asyncio.Event()

    # As the hub sees it

    def send(self, data: bytes) -> None:
        """Take frames as they go over a socket."""
        for text in unframe(data):
            event = _event(text)
            self._out.append(event)
            self._bytes += len(event)
        self._news.set()

    def catch_up(self) -> None:
        """Take what happened since the last time, if there is room."""
        one = self._one
        if one is None or not self.open or self.full or one.mark == one.ring.last:
            return
        for data in self._topic.due(one):
            self.send(data)
        if self._bytes > HIGH_BYTES:
            self.full = True
            self._floor.hub.full[self] = self._floor.loop.time()

    def leave(self, code: str, detail: str) -> None:  # noqa: ARG002  # as of a socket
        """End the stream; one that does not read is cut off."""
        self.open = False
        self._news.set()
        if self.full and self._transport is not None:
            self._transport.abort()

    # As the web server sees it

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Send events until the display goes away or the stream is ended."""
        hub = self._floor.hub
        # Of uvicorn's: only its transport can cut off a display that does not read.
        self._take(getattr(getattr(receive, "__self__", None), "transport", None))
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        hub.streams[self] = None
        gone = asyncio.create_task(self._wait(receive))
        try:
            self._one = self._topic.subscribe(self, NOBODY, self._after)
            while self.open:
                await self._some(send)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            gone.cancel()
            hub.streams.pop(self, None)
            hub.full.pop(self, None)
            if self._one is not None:
                self._topic.unsubscribe(self._one)

    def _take(self, transport: Any) -> None:  # noqa: ANN401  # of asyncio or of uvloop
        """Keep little in the kernel, so that a display that does not read is found out."""
        self._transport = transport
        held = None if transport is None else transport.get_extra_info("socket")
        if held is not None and held.family in (socket.AF_INET, socket.AF_INET6):
            held.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, HIGH_BYTES)

    async def _some(self, send: Send) -> None:
        """Write what waits, or a comment when nothing does for long."""
        if not self._out:
            self._news.clear()
            try:
                async with asyncio.timeout(ALIVE_SECONDS):
                    await self._news.wait()
            except TimeoutError:
                self._out.append(b":\n\n")
        data = b"".join(self._out)
        self._out.clear()
        if data and self.open:
            await send({"type": "http.response.body", "body": data, "more_body": True})
        self._bytes = 0
        if self.full:
            self.full = False
            self._floor.hub.full.pop(self, None)
            self.catch_up()

    async def _wait(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.open = False
        self._news.set()


def _event(text: bytes) -> bytes:
    """Return a message as an event; its number is the sequence, to go on from."""
    kind = b"snapshot" if text.startswith(b'{"type":"snapshot"') else b"change"
    start = text.index(SEQUENCE) + len(SEQUENCE)
    number = text[start : text.index(b",", start)]
    return b"event: %b\nid: %b\ndata: %b\n\n" % (kind, number, text)


def _after(text: str | None) -> int | None:
    """Return the sequence to go on from; a display that brings none of ours begins anew."""
    return None if text is None else digits(text)


class EventsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of what."""

    topic: str
    """``table:NAME``."""


@get(
    "/events",
    opt=described(
        gives=str,
        media_type="text/event-stream",
        query=EventsQuery,
        problems=(ServerCode.UNKNOWN_TOPIC, ServerCode.UNKNOWN_TABLE, ServerCode.GOING_DOWN),
    ),
)
async def events(request: AnyRequest) -> ASGIApp:
    """Follow the public view of a table as server-sent events."""
    floor, topic = floor_of(request), query_of(request, EventsQuery).topic
    if not topic.startswith(TABLE):
        message = f"There are events of table:NAME; {topic[:80]!r} came."
        raise ProblemError(ServerCode.UNKNOWN_TOPIC, message)
    if floor.closing:
        message = "The server is going down; come back in a moment."
        raise ProblemError(ServerCode.GOING_DOWN, message, 1.0)
    if len(floor.hub.streams) >= STREAMS_MAX:
        message = f"{STREAMS_MAX} displays are connected; no more are allowed."
        raise ProblemError(ServerCode.TOO_MANY, message, AGAIN_SECONDS)
    address = "" if request.client is None else request.client.host
    here = sum(one.address == address for one in floor.hub.streams)
    if here >= STREAMS_OF_ADDRESS and floor.people.settings.rates.counts(address):
        message = f"{STREAMS_OF_ADDRESS} displays come from {address}; no more are allowed."
        raise ProblemError(ServerCode.TOO_MANY, message, AGAIN_SECONDS)
    found = floor.hub.table(topic.removeprefix(TABLE))
    return Stream(floor, found, _after(request.headers.get("last-event-id")), address)


CALLS = (events,)
