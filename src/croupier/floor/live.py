"""One WebSocket for each client, as the protocol that uvicorn hands an upgraded connection to.

Handshake and frames from the client are read by the documented sans-I/O protocol of
websockets; what goes to many is written to the transport as bytes that were made once.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn
from urllib.parse import parse_qs

import msgspec
from msgspec import UNSET
from websockets.datastructures import Headers
from websockets.frames import Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from croupier.floor.alarms import AlarmsTopic
from croupier.floor.credentials import presented
from croupier.floor.framing import frame, said
from croupier.floor.handed import Handed
from croupier.floor.headers import answer_headers
from croupier.floor.problems import (
    MEDIA_TYPE,
    Problem,
    ProblemError,
    ServerCode,
    failed,
    turned_away,
)
from croupier.floor.rates import Room
from croupier.floor.reception import Answer, Asker
from croupier.floor.sent import Answered, Bye, Errored, Pong
from croupier.floor.topics import TABLE
from croupier.floor.wire import (
    FRAME_BYTES,
    Commanded,
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
    from croupier.floor.door import Ended
    from croupier.floor.floor import Floor
    from croupier.floor.hub import Topic
    from croupier.floor.rings import Subscription
    from croupier.floor.sent import ByeCode
    from croupier.floor.sessions import Session
    from croupier.journal.gathering import Reply
    from croupier.table.roles import Member

PATH = "/api/v1/live"
HIGH_BYTES, LOW_BYTES = 8 << 10, 2 << 10
"""A client with more than the first unsent is passed over until it has less than the second."""
KERNEL_BYTES = 16 << 10
"""What the kernel may hold for a client; it doubles this for its own accounts."""
MESSAGE_BYTES = 64 << 10
"""Beyond this a message is not even gathered."""
ASKED = b"\x89\x00"
"""A ping, the same for everybody."""
ANSWER, ANSWER_BYTES = b"\x8a\x80", 6
"""How a pong to it begins, and how long it is."""
SLACK_SECONDS = 0.01
"""Timers may come a bit early."""
LEAVE_SECONDS = 2.0
"""How long a client has to read our good-bye and to close, too."""
TOPICS_MAX = 64
HANDED_MAX = 16
"""Answers told once that a client may not have read yet, at most."""
WAITING_MAX = 256
"""Commands of a client that may wait for those before them."""
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
SWITCHING = 101
DATA = (Opcode.TEXT, Opcode.BINARY, Opcode.CONT)


class Client(asyncio.Protocol):
    """One socket: who is behind it, what it hears of, and what waits to be written."""

    floor: ClassVar[Floor]

    def __init__(self, config: Any, server_state: Any, app_state: Any, **_: Any) -> None:  # noqa: ANN401, ARG002  # uvicorn's
        self.connections = server_state.connections
        self.wire = ServerProtocol(max_size=MESSAGE_BYTES, logger=LOGGER)
        self.transport: Any = None
        self.asker = Asker()
        self._session: Session
        """Which one the socket belongs to, once it is open."""
        self.open = self.full = self._leaving = False
        self._whole = False
        """Whether all that came ended with a frame, so that the next begins with one."""
        self._parts, self._plain = bytearray(), True
        """What came of a message in several frames, and whether it is text."""
        self.subscriptions: dict[str, tuple[Topic, Subscription]] = {}
        self._out: list[bytes] = []
        self._waiting: deque[Commanded] = deque()
        """Commands for which there is no room yet, or that come behind such a one."""
        self._redeeming = False
        """Whether the approval of a command is looked at; those behind it wait."""
        self._used = 0.0
        """When the session was used last before this message."""
        self._heard = 0.0
        self._handed: deque[Handed] = deque(maxlen=HANDED_MAX)
        """What was told once, in answers that may not be read yet."""
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
        self._heard = self.floor.loop.time()
        if self._whole and len(data) == ANSWER_BYTES and data.startswith(ANSWER):
            return  # nothing is done more often for those who only look on
        texts = said(data) if self._whole else None
        if texts is not None and None not in texts:
            for text in texts:
                self._text(text)  # type: ignore[arg-type]
            return
        wire, whole = self.wire, texts is not None
        wire.receive_data(data)
        for event in wire.events_received():
            if self.open:
                self._frame(event)
            elif isinstance(event, Request):
                self._greet(event)
                whole = data.endswith(b"\r\n\r\n")
        out = wire.data_to_send()
        if out and not self.transport.is_closing():
            self.transport.writelines([part for part in out if part])
        self._whole = whole and wire.state is State.OPEN
        # Whoever still sends would lose our good-bye if the connection went at once.
        if wire.close_expected() and (not self._leaving or wire.close_rcvd is not None):
            self.transport.close()

    def _frame(self, event: Any) -> None:  # noqa: ANN401  # a frame
        if event.opcode not in DATA:
            return  # the wire answers pings
        if event.opcode is Opcode.CONT or not event.fin:
            self._part(event)
        else:
            self._text(event.data, plain=event.opcode is Opcode.TEXT)

    def _part(self, event: Any) -> None:  # noqa: ANN401  # a frame
        """Put together a message that comes in several frames; the wire knows their order."""
        if event.opcode is not Opcode.CONT:
            self._parts, self._plain = bytearray(), event.opcode is Opcode.TEXT
        self._parts += event.data
        if event.fin or len(self._parts) > FRAME_BYTES:
            data, self._parts = bytes(self._parts), bytearray()
            self._text(data, plain=self._plain)
        elif not self._leaving:
            self._moderate()  # each counts: a message of many frames is many messages

    def _text(self, data: bytes, *, plain: bool = True) -> None:
        if self._leaving:
            return  # what comes behind a good-bye is not done
        if self._handed and not self._out:
            self._handed.clear()  # whoever goes on has read what came before
        if len(data) > FRAME_BYTES:
            self.leave("too_large", f"A message may have {FRAME_BYTES} bytes.")
            return
        try:
            if not self._moderate():
                return
            message = read_said(data) if plain else _not_plain()
            self._SAYS[type(message)](self, message)
        except ProblemError as error:
            self.floor.metrics.problems[error.code.value] += 1
            self.send(frame(encode(Errored(error.problem))))

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

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the client."""
        self.open = False
        self._take_back(reset=exc is not None)
        if self._alive is not None:
            self._alive.cancel()
        self.connections.discard(self)
        self._waiting.clear()
        hub = self.floor.hub
        hub.full.pop(self, None)
        if self in hub.clients:
            del hub.clients[self]
            self._session.allowance.close_socket()
        for name in list(self.subscriptions):
            self._unsubscribe(name)

    def eof_received(self) -> None:
        """Close: the client is gone."""
        self._take_back(reset=False)
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
        assert self.asker.session is not None, "a socket belongs to a session"
        if response.status_code == SWITCHING:
            too_many = self.asker.session.allowance.open_socket(self._address(request))
            if too_many is not None:
                response = _turned_away(turned_away(too_many))
        self.wire.send_response(response)
        if response.status_code == SWITCHING:
            self.open, self._session = True, self.asker.session
            self.floor.hub.clients[self] = None
            self._alive = self.floor.loop.call_later(self.floor.socket_times.ping, self._ask)

    def _address(self, request: Request) -> str:
        """Return where a socket comes from; what a proxy brings comes from elsewhere."""
        forwarded = request.headers.get_all("X-Forwarded-For")
        peer = self.transport.get_extra_info("peername")
        return forwarded[0] if forwarded else str(peer[0]) if peer else ""

    def _admit(self, request: Request) -> Asker:
        path, _, query = request.path.partition("?")
        if path != PATH:
            message = f"There is no socket at {path[:80]}; it is at {PATH}."
            raise ProblemError(ServerCode.NOT_FOUND, message)
        headers = request.headers
        self.floor.require_origin(_only(headers, "Origin"), _only(headers, "Host"))
        people = self.floor.people
        tickets = parse_qs(query).get("ticket", [])
        # A cookie opens no socket: a browser sends it whoever made the page ask.
        token = presented(_only(headers, "Authorization"), None)
        session = None
        if tickets:
            session = people.tickets.redeem(tickets[0])
        elif token is not None:
            session = people.sessions.find(token.token)
        if session is None:
            message = "A socket is opened by a ticket of POST /api/v1/tickets, once."
            raise ProblemError(ServerCode.UNAUTHENTICATED, message)
        return self.floor.reception.asker(session)

    # Messages

    def _moderate(self) -> bool:
        """Count a message; close the socket at one too many, or if the session is over."""
        session = self._session
        self._used = session.last
        if not self.floor.people.sessions.use(session):
            self.leave("signed_out", "The session is over; sign in again.")
            return False
        too_many = session.allowance.message()
        if too_many is not None:
            self.leave("too_many", too_many.sentence)
        return too_many is None

    # Commands: handed over in the order in which they came

    def _command(self, message: Commanded) -> None:
        if not self._waiting and not self._redeeming and self._hand_over(message):
            return
        if len(self._waiting) >= WAITING_MAX:
            detail = f"{WAITING_MAX} commands of this socket wait; send it again later."
            self._problem(message.id, ProblemError(ServerCode.BUSY, detail).problem)
            return
        self._waiting.append(message)

    def _go_on(self) -> None:
        """Hand over what waited, as far as there is room now."""
        while self._waiting and not self._redeeming and self.open and not self._leaving:
            message = self._waiting.popleft()
            if not self._hand_over(message):
                self._waiting.appendleft(message)
                return

    def _hand_over(self, message: Commanded) -> bool:
        """Hand a command to its stream; False: answers to others must come first."""
        allowance = self._session.allowance
        room = allowance.begin()
        if room is Room.WAIT:
            allowance.when_answered(self._go_on)
            return False
        if room is Room.NO:
            self._problem(message.id, turned_away(allowance.no_room(room)).problem)
            return True
        if message.approval is None:
            self._submit(message)
        else:
            self._redeeming = True
            self.floor.spawn(self._redeem(message))
        return True

    async def _redeem(self, message: Commanded) -> None:
        """Look at the approval of a command before it is handed over."""
        reception, where = self.floor.reception, message.table
        approver: Member | None = None
        problem: Problem | None = None
        looked = False
        try:
            read_key(message.id)
            asker = reception.asker(self._session)
            approver = await reception.approver(asker, where, message.id, message)
            looked = True
        except JournalError as error:
            problem = failed(error).problem
        except ProblemError as error:
            problem = error.problem
        finally:
            self._redeeming = False
            if looked:
                self._submit(message, approver)
            else:
                self._counted(message.id, problem)
            self._go_on()

    def _submit(self, message: Commanded, approver: Member | None = None) -> None:
        key, where = message.id, message.table
        try:
            read_key(key)
            # Who asks is looked up anew: positions change, and an approval takes its time.
            reception = self.floor.reception
            asker = reception.asker(self._session)
            tell = partial(self._answered, asker, key, where)
            reception.give(asker, where, key, message, tell, approver)
        except ProblemError as error:
            self._counted(key, error.problem)

    def _answered(
        self, asker: Asker, key: str, where: str, outcome: Reply | BaseException
    ) -> None:
        """Tell the sender what came of a command, with what else is due."""
        if isinstance(outcome, BaseException):
            stopped = JournalError("The server stopped.")
            told = outcome if isinstance(outcome, JournalError) else stopped
            self._counted(key, failed(told).problem)
            return
        answer = self.floor.reception.at_once(asker, where, outcome)
        if answer is None:
            self.floor.spawn(self._wait(asker, key, where, outcome))
        else:
            self._counted(key, answer)

    async def _wait(self, asker: Asker, key: str, where: str, reply: Reply) -> None:
        answer: Answer | Problem | None = None
        try:
            answer = await self.floor.reception.answer(asker, where, reply)
        except JournalError as error:
            answer = failed(error).problem
        except ProblemError as error:
            answer = error.problem
        finally:
            self._counted(key, answer)

    def _counted(self, key: str, answer: Answer | Problem | None) -> None:
        """Count the answer to a command that was handed over, and give it."""
        allowance = self._session.allowance
        if isinstance(answer, Problem):
            allowance.answered(None if answer.sequence is None else key)
            self._problem(key, answer)
            return
        allowance.answered(None)
        if answer is None:
            return
        if not self.open:  # whoever asks again with the same key has not seen it
            self.floor.reception.not_shown(answer)
            return
        data = frame(b'{"type":"answer","id":"%b",%b' % (key.encode(), encode(answer)[1:]))
        if answer.validation is not UNSET:
            take_back = partial(self.floor.reception.not_shown, answer)
            self._handed.append(Handed(take_back, self.floor.loop.time(), data))
        self.send(data)

    def _take_back(self, *, reset: bool) -> None:
        """Let what is told once be told again, if the connection broke before it was read."""
        if self.wire.close_rcvd is None:  # who closes in order has read what came before
            for one in self._handed:
                one.lost(self.floor.loop.time(), unsent=one.data in self._out, reset=reset)
        self._handed.clear()

    def _problem(self, key: str, problem: Problem) -> None:
        if problem.sequence is None:
            self.floor.metrics.problems[problem.code] += 1
        answer = Answered(key, accepted=False, sequence=problem.sequence, problem=problem)
        self.send(frame(encode(answer)))

    # Topics

    def renew(self) -> None:
        """Let whoever is in another position now see what they may see in it, from the start.

        Nobody is told of what they saw before: each table comes as a snapshot.
        """
        before = self.asker
        try:
            self.asker = self.floor.reception.asker(self._session)
        except ProblemError as error:
            self.leave("signed_out", error.detail)
            return
        if before.positions == self.asker.positions:
            return
        for name in list(self.subscriptions):
            if name.startswith(TABLE) or name == AlarmsTopic.name:
                self._resubscribe(name)

    def _resubscribe(self, name: str) -> None:
        """Begin a topic anew, or end one that is not for this client any more."""
        try:
            self._subscribe(Subscribe(name))
        except ProblemError as error:
            self._unsubscribe(name)
            self.send(frame(encode(Errored(error.problem))))

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
        if f"{TABLE}{message.table}" in self.subscriptions:  # else it cannot have shown it
            self.floor.terminals.shown(self.asker.patron, message.table, message.round)

    def _pong(self, message: Ping) -> None:
        if message.background:
            self._session.last = self._used
        time = written_moment(self.floor.house.clock())
        self.send(frame(encode(Pong(message.n, time))))

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
        out, self._out, size = self._out, [], 0
        for topic, one in self.subscriptions.values():
            if one.own_due or one.mark != one.ring.last:
                due = topic.due(one)
                out += due
                size += sum(map(len, due))
                if size > HIGH_BYTES:
                    self._write(out)
                    out, size = [], 0
                    if self.full:
                        return  # of the other topics they hear when there is room
        self._write(out)

    def _write(self, out: list[bytes]) -> None:
        if out and not self.transport.is_closing():
            self.transport.writelines(out)

    def _ask(self) -> None:
        """Ask a client that says nothing whether it is there."""
        silent, times = self.floor.loop.time() - self._heard, self.floor.socket_times
        if silent >= times.dead:
            self.leave("silent", "The client did not answer.")
            return
        # Its answer to the last question came a moment after that was asked.
        if silent >= times.ping / 2 and not self.full:
            self._write([ASKED])
        wait = min(times.ping, times.dead - silent + SLACK_SECONDS)
        self._alive = self.floor.loop.call_later(wait, self._ask)

    def leave(self, code: ByeCode, detail: str, ended: Ended | None = None) -> None:
        """Say why, and close; a client that still does not read is cut off."""
        if self.transport is None or self._leaving:
            return
        if not self.open:
            self.transport.close()
            return
        if self.transport.is_closing() or self.wire.state is not State.OPEN:
            self._leaving = True  # it closed already
            self.transport.abort()
            return
        self._out.append(frame(encode(Bye(code, detail, UNSET if ended is None else ended))))
        if self.full:  # behind what it did not read, should it read again
            self.transport.writelines(self._out)
        else:
            self.catch_up()
        self._leaving = True
        self.wire.send_close(BYES[code], code)
        self.transport.writelines([part for part in self.wire.data_to_send() if part])
        self.floor.loop.call_later(LEAVE_SECONDS, self.transport.abort)


def _turned_away(error: ProblemError) -> Response:
    """Return why nobody is let in, as an answer to the handshake."""
    body = encode(error.problem)
    headers = Headers(
        [
            ("Content-Type", MEDIA_TYPE),
            ("Content-Length", str(len(body))),
            ("Connection", "close"),
            *answer_headers(),
        ]
    )
    status = error.code.status
    return Response(status, error.code.title, headers, body)


def _not_plain() -> NoReturn:
    message = "Only text is read."
    raise ProblemError(ServerCode.NOT_READABLE, message)


def _only(headers: Headers, name: str) -> str | None:
    """Return a header that comes once at most."""
    found = headers.get_all(name)
    if len(found) > 1:
        message = f"The header {name} came {len(found)} times."
        raise ProblemError(ServerCode.NOT_READABLE, message)
    return found[0] if found else None
