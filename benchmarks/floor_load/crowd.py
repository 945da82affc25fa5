"""Thousands of sockets in one process, by plain sockets and epoll.

It looks into as few frames as it can, so that it costs less for each than the server does.
Frames from a client are masked with the key zero: valid, and nothing to compute.
"""

from __future__ import annotations

import contextlib
import select
import socket
import struct
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

HOST = "127.0.0.1"
AT_ONCE = 100
SHORT, MEDIUM = 126, 127
"""In a frame's second byte: its size stands in the two, or the eight bytes behind."""
GREETING = (
    "GET /api/v1/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    "Sec-WebSocket-Version: 13\r\nAuthorization: Bearer {token}\r\n\r\n"
)
SEQUENCE = b'"sequence":'
HEAD_BYTES = 120
"""Within which a message says its type, its topic and its sequence."""
READ = select.EPOLLIN
PATIENCE_SECONDS = 30.0
clock = time.perf_counter


def text(payload: bytes) -> bytes:
    """Return a client's text frame."""
    size = len(payload)
    if size < SHORT:
        return struct.pack("!BBI", 0x81, 0x80 | size, 0) + payload
    return struct.pack("!BBHI", 0x81, 0x80 | SHORT, size, 0) + payload


def frames(data: bytes | bytearray) -> Iterator[tuple[int, int]]:
    """Yield where the payload of each whole frame begins and ends."""
    at, size = 0, len(data)
    while size - at >= 2:  # noqa: PLR2004  # the least that a frame has
        length, start = data[at + 1], at + 2
        if length >= SHORT:
            start += 2 if length == SHORT else 8
            if size < start:
                return
            length = int.from_bytes(data[at + 2 : start])
        at = start + length
        if size < at:
            return
        yield start, at


def sequence_of(message: bytes | bytearray) -> int:
    """Return the sequence that a message tells; -1: it tells none."""
    at = message.find(SEQUENCE, 0, HEAD_BYTES)
    if at < 0:
        return -1
    at += len(SEQUENCE)
    end = message.find(b",", at, at + 20)
    return int(message[at:end])


PING = text(b'{"type":"ping","n":1}')


class Crowd:
    """Many sockets of one server, and what each has not read to its end."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.sockets: dict[int, socket.socket] = {}
        self.gone: set[int] = set()
        """Sockets that the server closed."""
        self.bytes = self.reads = 0
        self._poll = select.epoll()
        self._rests: dict[int, bytearray] = {}
        self._space = bytearray(1 << 18)
        self._view = memoryview(self._space)

    def connect(self, count: int) -> list[int]:
        """Open connections for HTTP."""
        return [self._take(self._connected()) for _ in range(count)]

    def join(self, tokens: Iterable[str]) -> list[int]:
        """Open a WebSocket for each token, some at a time."""
        left, joined = list(tokens), []
        while left:
            batch = [(self._connected(), token) for token in left[:AT_ONCE]]
            del left[:AT_ONCE]
            for one, token in batch:
                one.sendall(GREETING.format(token=token).encode())
            for one, _ in batch:
                answer = b""
                while b"\r\n\r\n" not in answer:
                    got = one.recv(4096)
                    assert got, answer
                    answer += got
                assert b" 101 " in answer, answer
                joined.append(self._take(one))
        return joined

    def _connected(self) -> socket.socket:
        one = socket.create_connection((HOST, self.port))
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return one

    def _take(self, one: socket.socket) -> int:
        one.setblocking(False)  # noqa: FBT003  # its only way
        number = one.fileno()
        self.sockets[number] = one
        self._poll.register(number, READ)
        return number

    def watch(self, topics: dict[int, str]) -> None:
        """Subscribe each to a topic, and read until everybody has the snapshot."""
        missing = set()
        for number, topic in topics.items():
            self.say(number, f'{{"type":"subscribe","topic":"{topic}"}}')
            missing.add(number)
            if len(missing) >= AT_ONCE:
                self._all_heard(missing)
        self._all_heard(missing)
        self.rest()

    def _all_heard(self, missing: set[int]) -> None:
        until = clock() + PATIENCE_SECONDS
        while missing:
            assert clock() < until, f"{len(missing)} got no snapshot"
            for number, messages in self.heard(0.1):
                if any(b'"snapshot"' in message[:HEAD_BYTES] for message in messages):
                    missing.discard(number)

    def rest(self, seconds: float = 0.5) -> None:
        """Read until nothing comes for a while, or what comes does not end."""
        until = clock() + 4 * seconds
        while clock() < until and list(self.heard(seconds)):
            pass

    def say(self, number: int, message: str) -> None:
        """Send a message."""
        self.sockets[number].send(text(message.encode()))

    def ping(self) -> None:
        """Let everybody say that they are there; who is not listened to says it in vain."""
        for number, one in self.sockets.items():
            if number not in self.gone:
                with contextlib.suppress(BlockingIOError, ConnectionError):
                    one.send(PING)

    def send(self, number: int, data: bytes) -> None:
        """Send bytes as they are."""
        self.sockets[number].send(data)

    def stop_reading(self, numbers: Iterable[int]) -> None:
        """Let some be deaf: they stay, and are not read from any more."""
        for number in numbers:
            self._poll.modify(number, select.EPOLLRDHUP)

    def _read(self, seconds: float) -> Iterator[tuple[int, memoryview]]:
        sockets, space, view = self.sockets, self._space, self._view
        for number, event in self._poll.poll(seconds, 4096):
            if not event & READ:
                self._lose(number)
                continue
            try:
                got = sockets[number].recv_into(space)
            except BlockingIOError:
                continue
            except ConnectionError:
                got = 0
            if not got:
                self._lose(number)
                continue
            self.bytes += got
            self.reads += 1
            yield number, view[:got]

    def _lose(self, number: int) -> None:
        self._poll.unregister(number)
        self.gone.add(number)

    def parts(self, seconds: float) -> Iterator[tuple[int, bytes]]:
        """Yield what came for whom, as it came."""
        for number, data in self._read(seconds):
            yield number, bytes(data)

    def heard(
        self, seconds: float, only: set[int] | dict[int, object] | None = None
    ) -> Iterator[tuple[int, list[bytes]]]:
        """Yield the whole messages that came for whom; what others are sent is passed over."""
        rests = self._rests
        for number, data in self._read(seconds):
            if only is not None and number not in only:
                continue
            rest = rests.pop(number, None)
            whole = bytes(data) if rest is None else bytes(rest + data)
            found, at = [], 0
            for start, end in frames(whole):
                found.append(whole[start:end])
                at = end
            if at < len(whole):
                rests[number] = bytearray(whole[at:])
            if found:
                yield number, found

    def close(self) -> None:
        """Leave."""
        for one in self.sockets.values():
            one.close()
