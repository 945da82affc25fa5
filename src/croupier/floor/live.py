"""One WebSocket for each client, as the protocol that uvicorn hands an upgraded connection to.

Handshake and frames from the client are read by the documented sans-I/O protocol of
websockets; what goes to many is written to the transport as bytes that were made once.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import msgspec
from websockets.datastructures import Headers
from websockets.frames import Opcode
from websockets.http11 import Request, Response
from websockets.server import ServerProtocol

from croupier.floor.problems import (
    MEDIA_TYPE,
    Problem,
    ProblemError,
    ServerCode,
    failed,
    turned_away,
)
from croupier.floor.reception import Answer, Asker
from croupier.floor.rings import frame
from croupier.floor.sent import Answered, Bye, Errored, Pong
from croupier.floor.wire import (
    FRAME_BYTES,
    Commanded,
    Ordered,
    Ping,
    Shown,
    Subscribe,
    Unsubscribe,
    read_key,
    read_said,
)
from croupier.journal.decision import written_moment
from croupier.journal.errors import JournalError

if TYPE_CHECKING:
    from croupier.floor.floor import Floor
    from croupier.floor.hub import Topic
    from croupier.floor.rings import Subscription
    from croupier.floor.sent import ByeCode
    from croupier.journal.gathering import Reply

PATH = "/api/v1/live"
HIGH_BYTES, LOW_BYTES = 64 << 10, 16 << 10
"""A client with more than the first unsent is passed over until it has less than the second."""
KERNEL_BYTES = 64 << 10
"""What the kernel may hold for a client; it doubles this for its own accounts."""
MESSAGE_BYTES = 64 << 10
"""Beyond this a message is not even gathered."""
PING_SECONDS, DEAD_SECONDS = 20.0, 60.0
"""A client that says nothing is asked, and is gone when it does not answer."""
TOPICS_MAX = 64
NORMAL, POLICY, TOO_BIG, GOING_AWAY, AGAIN_LATER = 1000, 1008, 1009, 1012, 1013
BYES: dict[ByeCode, int] = {
    "slow": AGAIN_LATER,
    "too_large": TOO_BIG,
    "signed_out": POLICY,
    "going_down": GOING_AWAY,
    "too_many": POLICY,
    "silent": POLICY,
}
"""Why the server closes a socket, and under which number of the protocol."""

LOGGER = logging.getLogger("croupier.live")
LOGGER.setLevel(logging.WARNING)
"""Else every connection is a line of the log as soon as somebody sets up the root logger."""
encode = msgspec.json.Encoder().encode
SWITCHING, OK = 101, 200


class Client(asyncio.Protocol):
    """One socket: who is behind it, what it hears of, and what waits to be written."""

    floor: ClassVar[Floor]

    def __init__(self, config: Any, server_state: Any, app_state: Any, **_: Any) -> None:  # noqa: ANN401, ARG002  # uvicorn's
        self.connections = server_state.connections
        self.wire = ServerProtocol(max_size=MESSAGE_BYTES, logger=LOGGER)
        self.transport: Any = None
        self.asker = Asker()
        self.open = self.full = self._leaving = False
        self.subscriptions: dict[str, tuple[Topic, Subscription]] = {}
        self._out: list[bytes] = []
        self._heard = 0.0
        self._alive: asyncio.TimerHandle | None = None

    @property
    def session_id(self) -> str:
        """Return which session the socket belongs to."""
        return self.asker.session.number if self.asker.session is not None else ""

    # asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection over."""
        self.transport = transport
        self.connections.add(self)
        transport.set_write_buffer_limits(HIGH_BYTES, LOW_BYTES)  # type: ignore[attr-defined]
        held = transport.get_extra_info("socket")
        if held is not None and held.family in (socket.AF_INET, socket.AF_INET6):
            held.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BYTES)

    def data_received(self, data: bytes) -> None:
        """Read frames, and do what they say."""
        wire = self.wire
        wire.receive_data(data)
        self._heard = self.floor.loop.time()
        for event in wire.events_received():
            if self.open:
                self._frame(event)
            elif isinstance(event, Request):
                self._greet(event)
        out = wire.data_to_send()
        if out and not self.transport.is_closing():
            self.transport.writelines([part for part in out if part])
        if wire.close_expected():
            self.transport.close()

    def _frame(self, event: Any) -> None:  # noqa: ANN401  # a frame
        if event.opcode is not Opcode.TEXT or not event.fin:
            if event.opcode in (Opcode.BINARY, Opcode.CONT, Opcode.TEXT):
                self._error(
                    ProblemError(ServerCode.NOT_READABLE, "Only whole text frames are read.")
                )
            return
        if len(event.data) > FRAME_BYTES:
            self.leave("too_large", f"A message may have {FRAME_BYTES} bytes.")
            return
        self._said(event.data)

    def pause_writing(self) -> None:
        """Note that there is no room; who does not read is not listened to either."""
        self.full = True
        self.transport.pause_reading()
        self.floor.hub.full[self] = self.floor.loop.time()

    def resume_writing(self) -> None:
        """Go on with what was missed."""
        self.full = False
        self.transport.resume_reading()
        self.floor.hub.full.pop(self, None)
        self.catch_up()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        """Forget the client."""
        self.open = False
        if self._alive is not None:
            self._alive.cancel()
        self.connections.discard(self)
        hub = self.floor.hub
        hub.full.pop(self, None)
        hub.clients.pop(self, None)
        for name in list(self.subscriptions):
            self._unsubscribe(name)

    def eof_received(self) -> None:
        """Close: the client is gone."""
        self.transport.close()

    def shutdown(self) -> None:
        """Say good-bye: uvicorn calls this when the server stops."""
        self.leave("going_down", "The server is going down; come back in a moment.")

    # The handshake

    def _greet(self, request: Request) -> None:
        """Let somebody in who brings a ticket or a token, from a page of this house."""
        try:
            self.asker = self._admit(request)
        except ProblemError as error:
            self.wire.send_response(_turned_away(error))
            return
        response = self.wire.accept(request)
        self.wire.send_response(response)
        if response.status_code == SWITCHING:
            self.open = True
            self.floor.hub.clients[self] = None
            self._alive = self.floor.loop.call_later(PING_SECONDS, self._ask)

    def _admit(self, request: Request) -> Asker:
        where = urlsplit(request.path)
        if where.path != PATH:
            message = f"There is no socket at {where.path[:80]}; it is at {PATH}."
            raise ProblemError(ServerCode.NOT_FOUND, message)
        self.floor.require_origin(request.headers.get("Origin"), request.headers.get("Host"))
        people = self.floor.people
        tickets = parse_qs(where.query).get("ticket", [])
        bearer = request.headers.get("Authorization", "")
        session = None
        if tickets:
            session = people.tickets.redeem(tickets[0])
        elif bearer.startswith("Bearer "):
            session = people.sessions.find(bearer.removeprefix("Bearer "))
        if session is None:
            message = "A socket is opened by a ticket of POST /api/v1/tickets, once."
            raise ProblemError(ServerCode.UNAUTHENTICATED, message)
        return self.floor.reception.asker(session)

    # Messages

    def _said(self, data: bytes) -> None:
        """Do what a client says; nothing here waits."""
        try:
            self._require_moderate()
            message = read_said(data)
            self._SAYS[type(message)](self, message)
        except ProblemError as error:
            if error.code is ServerCode.TOO_MANY:
                self.leave("too_many", error.detail)
            else:
                self._error(error)

    def _require_moderate(self) -> None:
        """Refuse a message too many, or one of a session that is over."""
        session = self.asker.session
        assert session is not None, "a socket belongs to a session"
        self.floor.people.sessions.use(session)
        too_many = session.allowance.message()
        if too_many is not None:
            raise turned_away(too_many)

    def _command(self, message: Commanded) -> None:
        answered = partial(self._answered, message.id, message.table)
        try:
            read_key(message.id)
            asker = self.asker = self.floor.reception.asker(self.asker.session)
            ordered = Ordered(
                message.command, message.round, message.hold, message.approval,
                message.cards, message.die,
            )  # fmt: skip
            if message.approval is not None:
                self.floor.spawn(self._order(message.id, message.table, ordered))
                return
            future = self.floor.reception.submit(asker, message.table, message.id, ordered)
        except ProblemError as error:
            self._problem(message.id, error.problem)
        else:
            future.add_done_callback(answered)

    def _answered(self, key: str, where: str, future: asyncio.Future[Reply]) -> None:
        """Tell the sender what came of a command, with what else is due."""
        if not self.open:
            return
        error = None if future.cancelled() else future.exception()
        if future.cancelled() or error is not None:
            told = (
                error
                if isinstance(error, JournalError)
                else JournalError("The server stopped.")
            )
            self._problem(key, failed(told).problem)
            return
        answer = self.floor.reception.at_once(self.asker, where, future.result())
        if answer is None:
            self.floor.spawn(self._wait(key, where, future.result()))
        else:
            self._answer(key, answer)

    async def _order(self, key: str, where: str, ordered: Ordered) -> None:
        """Give a command whose approval is looked at first."""
        try:
            self._answer(key, await self.floor.reception.order(self.asker, where, key, ordered))
        except JournalError as error:
            self._problem(key, failed(error).problem)
        except ProblemError as error:
            self._problem(key, error.problem)

    async def _wait(self, key: str, where: str, reply: Reply) -> None:
        try:
            self._answer(key, await self.floor.reception.answer(self.asker, where, reply))
        except JournalError as error:
            self._problem(key, failed(error).problem)
        except ProblemError as error:
            self._problem(key, error.problem)

    def _answer(self, key: str, answer: Answer | Problem) -> None:
        if isinstance(answer, Problem):
            self._problem(key, answer)
            return
        body = encode(answer)
        self.send(frame(b'{"type":"answer","id":"%b",%b' % (key.encode(), body[1:])))

    def _problem(self, key: str, problem: Problem) -> None:
        if problem.sequence is None:
            self.floor.metrics.problems[problem.code] += 1
        answer = Answered(key, accepted=False, sequence=problem.sequence, problem=problem)
        self.send(frame(encode(answer)))

    def _subscribe(self, message: Subscribe) -> None:
        if message.topic not in self.subscriptions and len(self.subscriptions) >= TOPICS_MAX:
            detail = f"A socket hears of at most {TOPICS_MAX} topics."
            raise ProblemError(ServerCode.TOO_MANY, detail)
        topic = self.floor.hub.topic(message.topic, self.asker)
        self._unsubscribe(message.topic)
        one = topic.subscribe(self, self.asker, message.after)
        self.subscriptions[message.topic] = (topic, one)
        self.floor.terminals.came(self.asker.patron, message.topic)

    def _unsubscribe(self, name: str) -> None:
        topic, one = self.subscriptions.pop(name, (None, None))
        if topic is not None and one is not None:
            topic.unsubscribe(one)
            self.floor.terminals.left(self.asker.patron, name)

    def _displayed(self, message: Shown) -> None:
        self.floor.terminals.shown(self.asker.patron, message.table, message.round)

    def _pong(self, message: Ping) -> None:
        time = written_moment(self.floor.house.clock())
        self.send(frame(encode(Pong(message.n, time))))

    def _error(self, error: ProblemError) -> None:
        self.floor.metrics.problems[error.code.value] += 1
        self.send(frame(encode(Errored(error.problem))))

    _SAYS: ClassVar[dict[type, Any]] = {
        Subscribe: _subscribe,
        Unsubscribe: lambda self, message: self._unsubscribe(message.topic),
        Commanded: _command,
        Shown: _displayed,
        Ping: _pong,
    }

    # Writing

    def send(self, data: bytes) -> None:
        """Write something at the end of this turn, in one write with what else is due."""
        if self.open:
            self._out.append(data)
            self.floor.hub.walker.soon(self)

    def catch_up(self) -> None:
        """Write what waits, if there is room."""
        if not self.open or self.full or self._leaving:
            return
        out, self._out = self._out, []
        for topic, one in self.subscriptions.values():
            if one.own_due or one.mark != one.ring.last:
                out += topic.due(one)
        if out and not self.transport.is_closing():
            self.transport.writelines(out)

    def _ask(self) -> None:
        """Ask a client that says nothing whether it is there."""
        silent = self.floor.loop.time() - self._heard
        if silent > DEAD_SECONDS:
            self.leave("silent", "The client did not answer.")
            return
        if silent > PING_SECONDS and not self.full:
            self.wire.send_ping(b"")
            self.transport.writelines([part for part in self.wire.data_to_send() if part])
        self._alive = self.floor.loop.call_later(PING_SECONDS, self._ask)

    def leave(self, code: ByeCode, detail: str) -> None:
        """Say why, and close; a client that does not read is cut off."""
        if self.transport is None or self._leaving:
            return
        if not self.open:
            self.transport.close()
            return
        if self.full or self.transport.is_closing():
            self._leaving = True
            self.transport.abort()
            return
        self._out.append(frame(encode(Bye(code, detail))))
        self.catch_up()
        self._leaving = True
        self.wire.send_close(BYES[code], code)
        self.transport.writelines([part for part in self.wire.data_to_send() if part])
        self.floor.loop.call_later(1.0, self.transport.abort)


def _turned_away(error: ProblemError) -> Response:
    """Return why nobody is let in, as an answer to the handshake."""
    body = encode(error.problem)
    headers = Headers(
        [
            ("Content-Type", MEDIA_TYPE),
            ("Content-Length", str(len(body))),
            ("Connection", "close"),
        ]
    )
    status = error.code.status
    return Response(status, error.code.title, headers, body)
