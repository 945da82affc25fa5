"""What proves a ticket is told once, and again where the first answer reached nobody.

Connections are plain sockets here: they break when the test says so.
"""

from __future__ import annotations

import json
import select
import socket
import struct
import time
from typing import TYPE_CHECKING, Any

import pytest
from websockets.client import ClientProtocol
from websockets.uri import parse_uri

from croupier.uuids import uuid7

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.floor.api.served import Served

PATRON = "patron-09"
CASH = {"type": "cash_out", "cents": 77_77}
STRAIGHT, ROUTED = "/api/v1/cage/commands", "/api/v1/cage/commands/"
"""The same call, answered before the router and behind it."""
RESET = struct.pack("ii", 1, 0)
SECONDS = 10.0


class Line:
    """A connection of a patron."""

    def __init__(self, served: Served) -> None:
        where = served.http.base_url
        self._host, self.token = f"{where.host}:{where.port}", served.token(PATRON)
        self.socket = socket.create_connection((where.host, where.port), SECONDS)

    def ask(self, path: str, key: str, more: str = "") -> None:
        """Take money out on a ticket, over HTTP."""
        body = json.dumps({"command": CASH})
        head = (
            f"POST {path} HTTP/1.1\r\nHost: {self._host}\r\nAuthorization: Bearer"
            f" {self.token}\r\nIdempotency-Key: {key}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self.socket.sendall(f"{head}{body}{more}".encode())

    def answer(self) -> dict[str, Any]:
        """Read an answer of HTTP."""
        came = b""
        while not came.endswith(b"}"):
            more = self.socket.recv(65536)
            assert more, came
            came += more
        head, _, body = came.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        found: dict[str, Any] = json.loads(body)
        return found

    def upgrade(self) -> ClientProtocol:
        """Make it a WebSocket."""
        wire = ClientProtocol(parse_uri(f"ws://{self._host}/api/v1/live"))
        request = wire.connect()
        request.headers["Authorization"] = f"Bearer {self.token}"
        wire.send_request(request)
        self.socket.sendall(b"".join(wire.data_to_send()))
        wire.receive_data(self.socket.recv(65536))
        return wire

    def say(self, wire: ClientProtocol, key: str) -> None:
        """Take money out on a ticket, over a WebSocket."""
        said = {"type": "command", "id": key, "table": "cage", "command": CASH}
        wire.send_text(json.dumps(said).encode())
        self.socket.sendall(b"".join(wire.data_to_send()))

    def answered(self) -> None:
        """Wait until an answer is there, and read nothing of it."""
        assert select.select([self.socket], [], [], SECONDS)[0]

    def reset(self) -> None:
        """Break the connection."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        self.socket.close()


@pytest.fixture
def line(quiet: Served) -> Iterator[Line]:
    one = Line(quiet)
    yield one
    one.socket.close()


def again(served: Served, key: str) -> dict[str, Any]:
    """Ask again under the same key, when the server knows of the end of a connection."""
    time.sleep(0.3)
    headers, body = {"Idempotency-Key": key}, {"command": CASH}
    answer = served.ask("POST", "/cage/commands", PATRON, json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def shown_once(served: Served, key: str) -> None:
    """Require that the number is shown now, and never again."""
    first = again(served, key)
    assert first["validation"]
    assert again(served, key) == {
        name: one for name, one in first.items() if name != "validation"
    }


@pytest.mark.parametrize("path", [STRAIGHT, ROUTED])
@pytest.mark.parametrize("unread", [False, True])
def test_an_answer_over_http_that_nobody_could_read_is_given_again(
    quiet: Served, line: Line, path: str, *, unread: bool
) -> None:
    key = uuid7()
    line.ask(path, key)
    if unread:  # it arrived, and is thrown away
        line.answered()
        line.socket.close()
    else:
        line.reset()
    shown_once(quiet, key)


@pytest.mark.parametrize("path", [STRAIGHT, ROUTED])
def test_an_answer_over_http_that_was_read_is_not_given_again(
    quiet: Served, line: Line, path: str
) -> None:
    key = uuid7()
    line.ask(path, key)
    assert line.answer()["validation"]
    line.socket.close()
    assert "validation" not in again(quiet, key)


def test_whoever_goes_on_over_a_connection_has_read_what_came_before(
    quiet: Served, line: Line
) -> None:
    key = uuid7()
    line.ask(STRAIGHT, key)
    assert line.answer()["validation"]
    line.ask(STRAIGHT, key)
    assert "validation" not in line.answer()
    line.reset()
    assert "validation" not in again(quiet, key)


def test_a_request_behind_it_that_breaks_does_not_matter(quiet: Served, line: Line) -> None:
    """Two requests at once: the first is answered and read, the second never is."""
    key = uuid7()
    more = f"POST {STRAIGHT} HTTP/1.1\r\nAuthorization: Bearer {line.token}\r\n"
    line.ask(STRAIGHT, key, more=f"{more}Idempotency-Key: x\r\nContent-Length: 9\r\n\r\n")
    assert line.answer()["validation"]
    line.socket.close()
    assert "validation" not in again(quiet, key)


@pytest.mark.parametrize("unread", [False, True])
def test_an_answer_over_a_socket_that_nobody_could_read_is_given_again(
    quiet: Served, line: Line, *, unread: bool
) -> None:
    key = uuid7()
    line.say(line.upgrade(), key)
    if unread:
        line.answered()
        line.socket.close()
    else:
        line.reset()
    shown_once(quiet, key)


def test_whoever_goes_on_over_a_socket_has_read_what_came_before(
    quiet: Served, line: Line
) -> None:
    key = uuid7()
    wire = line.upgrade()
    line.say(wire, key)
    assert b'"validation"' in line.socket.recv(65536)
    wire.send_text(b'{"type":"ping","n":1}')
    line.socket.sendall(b"".join(wire.data_to_send()))
    assert b'"pong"' in line.socket.recv(65536)
    line.reset()
    assert "validation" not in again(quiet, key)


@pytest.mark.parametrize("orderly", [False, True])
def test_an_answer_over_a_socket_that_was_read_is_not_given_again(
    quiet: Served, line: Line, *, orderly: bool
) -> None:
    key = uuid7()
    wire = line.upgrade()
    line.say(wire, key)
    assert b'"validation"' in line.socket.recv(65536)
    if orderly:
        wire.send_close(1000)
        line.socket.sendall(b"".join(wire.data_to_send()))
    line.socket.close()
    assert "validation" not in again(quiet, key)
