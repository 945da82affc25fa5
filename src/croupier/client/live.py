"""The one socket of a client: opened again when it breaks, its topics resumed by sequence."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, Final

import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake, InvalidStatus, WebSocketException

from croupier.client.backoff import Backoff
from croupier.client.errors import ClientError, Refused, SignedOut
from croupier.client.folding import Feed, Subscription
from croupier.client.wire import (
    Answer,
    Answered,
    Bye,
    Change,
    NotRead,
    Pong,
    Problem,
    Snapshot,
    problem_of,
    read_message,
)

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

FRAME_BYTES: Final = 4 << 10
"""The largest message that a floor reads from a socket."""
MESSAGE_BYTES: Final = 16 << 20
OPEN_SECONDS: Final = 10.0
CLOSE_SECONDS: Final = 1.0
PING_SECONDS: Final = 15.0
"""A socket that says nothing for so long is asked; a session that asks stays open."""
SILENT_SECONDS: Final = 40.0
REFUSED_STATUSES: Final = (401, 403, 404)
encode = msgspec.json.Encoder().encode


class Broken(Exception):  # noqa: N818  # not an error of the caller
    """The way broke before an answer came: whether the command was done is not known."""


class Live:
    """Keeps one socket open and hands what comes over it to whoever waits."""

    def __init__(self, address: str, token: str) -> None:
        self._address, self._token = address, token
        self._feeds: dict[str, Feed] = {}
        self._waiting: dict[str, asyncio.Future[Answer | Problem]] = {}
        self._asked: list[tuple[int, str]] = []
        """Topics that were asked for and the number of the ping behind each."""
        self._socket: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None
        self._out: asyncio.Queue[bytes] = asyncio.Queue()
        self._pings = self._ponged = 0
        self.error: ClientError | None = None
        self.connections = 0
        """How often a socket was opened."""

    @property
    def open(self) -> bool:
        """Tell whether there is a socket now."""
        return self._socket is not None

    # Topics

    def subscribe(self, topic: str) -> Subscription:
        """Begin to hear of a topic."""
        if self.error is not None:
            raise self.error
        feed = self._feeds.get(topic)
        if feed is None or feed.error is not None:
            feed = self._feeds[topic] = Feed(topic)
            if self._socket is not None:
                self._ask(feed)
        if self._task is None:
            self._task = asyncio.create_task(self._run())
        return Subscription(feed, self._left)

    def _left(self, reader: Subscription) -> None:
        feed = self._feeds.get(reader.topic)
        if feed is not None and not feed.readers:
            del self._feeds[reader.topic]
            if self._socket is not None:
                self._say({"type": "unsubscribe", "topic": reader.topic})

    def _ask(self, feed: Feed) -> None:
        """Ask for a topic, between two pings: an error between their answers belongs to it."""
        message: dict[str, object] = {"type": "subscribe", "topic": feed.topic}
        if feed.after is not None and feed.view is not None:
            message["after"] = feed.after
        self._pings += 2
        self._asked.append((self._pings, feed.topic))
        self._say({"type": "ping", "n": self._pings - 1})
        self._say(message)
        self._say({"type": "ping", "n": self._pings})

    def _say(self, message: object) -> None:
        self._out.put_nowait(encode(message))

    # Commands

    async def order(self, key: str, message: bytes, seconds: float) -> Answer | Problem:
        """Send a command, and return what came of it; raise ``Broken`` if nobody knows."""
        if self._socket is None:
            raise Broken
        future: asyncio.Future[Answer | Problem] = asyncio.Future()
        self._waiting[key] = future
        self._out.put_nowait(message)
        try:
            async with asyncio.timeout(seconds):
                return await future
        except TimeoutError as error:
            raise Broken from error
        finally:
            self._waiting.pop(key, None)

    def shown(self, table: str, number: int) -> None:
        """Say that the closing of a round was displayed."""
        if self._socket is not None:
            self._say({"type": "shown", "table": table, "round": number})

    # The socket

    async def close(self) -> None:
        """Close the socket; nothing is left behind."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _run(self) -> None:
        backoff = Backoff()
        try:
            while True:
                try:
                    await self._connected(backoff)
                except (OSError, TimeoutError, WebSocketException, Broken):
                    pass
                except msgspec.MsgspecError:
                    pass  # not a floor, or half a message: begin anew
                self._broke()
                await asyncio.sleep(backoff.next())
        except Refused as error:
            self._failed(error)
        except Exception as error:  # nobody may wait for what does not come
            self._failed(ClientError(f"The client failed: {error!r}."))
            raise
        finally:
            self._broke()

    async def _connected(self, backoff: Backoff) -> None:
        """Open a socket and serve it until it is closed."""
        try:
            socket = await connect(
                self._address,
                additional_headers={"Authorization": f"Bearer {self._token}"},
                compression=None,
                max_size=MESSAGE_BYTES,
                open_timeout=OPEN_SECONDS,
                close_timeout=CLOSE_SECONDS,
                ping_interval=None,
                proxy=None,
            )
        except InvalidStatus as error:
            raise _turned_away(error) from error
        except InvalidHandshake as error:
            raise Broken from error
        writer: asyncio.Task[None] | None = None
        try:
            self._out = asyncio.Queue()
            self._asked.clear()
            self._socket = socket
            self.connections += 1
            for feed in self._feeds.values():
                self._ask(feed)
            writer = asyncio.create_task(self._write(socket))
            await self._read(socket, backoff)
        finally:
            self._socket = None
            if writer is not None:
                writer.cancel()
            with contextlib.suppress(OSError, WebSocketException):
                await socket.close()

    async def _write(self, socket: ClientConnection) -> None:
        with contextlib.suppress(OSError, WebSocketException):
            while True:
                try:
                    async with asyncio.timeout(PING_SECONDS):
                        data = await self._out.get()
                except TimeoutError:
                    self._pings += 1
                    data = encode({"type": "ping", "n": self._pings})
                await socket.send(data, text=True)

    async def _read(self, socket: ClientConnection, backoff: Backoff) -> None:
        while True:
            async with asyncio.timeout(SILENT_SECONDS):
                data = await socket.recv(decode=False)
            message: Any = read_message(data)
            backoff.reset()
            if isinstance(message, Snapshot | Change):
                feed = self._feeds.get(message.topic)
                if feed is not None:
                    feed.take(message)
            elif isinstance(message, Answered):
                self._answered(message)
            elif isinstance(message, Pong):
                self._pong(message.n)
            elif isinstance(message, NotRead):
                self._not_read(message.problem)
            elif isinstance(message, Bye) and message.code == "signed_out":
                raise SignedOut(Problem(message.detail, message.code))
            elif isinstance(message, Bye):
                raise Broken

    def _answered(self, message: Answered) -> None:
        future = self._waiting.get(message.id)
        if future is None or future.done():
            return
        if message.problem is not None:
            future.set_result(message.problem)
            return
        assert message.sequence is not None, "what was done has a sequence"
        future.set_result(
            Answer(
                message.sequence,
                message.events,
                ticket=message.ticket,
                validation=message.validation,
                printed=message.printed,
            )
        )

    def _pong(self, number: int) -> None:
        """Note that a topic is heard again, be it that nothing happened meanwhile."""
        self._ponged = number
        while self._asked and self._asked[0][0] <= number:
            _, topic = self._asked.pop(0)
            feed = self._feeds.get(topic)
            if feed is not None and feed.view is not None:
                feed.connected = True

    def _not_read(self, problem: Problem) -> None:
        """Give a problem to whoever caused it: a topic, or commands, which go another way."""
        if self._asked and self._asked[0][0] == self._ponged + 1:
            _, topic = self._asked.pop(0)
            feed = self._feeds.pop(topic, None)
            if feed is not None:
                feed.fail(Refused(problem))
            return
        self._unanswered()

    def _unanswered(self) -> None:
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(Broken())

    def _broke(self) -> None:
        self._unanswered()
        for feed in self._feeds.values():
            feed.connected = False
            for reader in feed.readers:
                reader.wake()

    def _failed(self, error: ClientError) -> None:
        self.error = error
        for feed in self._feeds.values():
            feed.fail(error)


def _turned_away(error: InvalidStatus) -> Exception:
    """Return why a socket was not opened: for good, or for now."""
    response = error.response
    if response.status_code not in REFUSED_STATUSES:
        return Broken()
    problem = problem_of(response.status_code, bytes(response.body or b""))
    return (
        SignedOut(problem) if response.status_code == REFUSED_STATUSES[0] else Refused(problem)
    )
