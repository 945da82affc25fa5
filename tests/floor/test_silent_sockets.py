"""A socket on which nothing is said is asked, and closed when its client does not answer."""

from __future__ import annotations

import socket
import time
from typing import TYPE_CHECKING

import pytest

from croupier.floor.configuration import Configuration
from croupier.floor.effective import MistakenError, configured
from tests.floor.operated import operated

if TYPE_CHECKING:
    from pathlib import Path

    from tests.floor.operated import Operated

PING, DEAD = 0.5, 2.0
ASKED, ANSWER = b"\x89\x00", b"\x8a\x80\x00\x00\x00\x00"
LONGER_ANSWER = b"\x8a\x82\x00\x00\x00\x00hi"
"""A pong that nobody asked for is read, too."""


def opened(server: Operated, token: str) -> socket.socket:
    """Open a socket by hand, so that it answers only if the test does."""
    host, port = server.url.removeprefix("http://").rsplit(":", 1)
    live = socket.create_connection((host, int(port)), 5.0)
    live.sendall(
        f"GET /api/v1/live HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        f"Sec-WebSocket-Version: 13\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
    )
    assert b" 101 " in live.recv(65536)
    return live


def test_who_does_not_answer_is_gone(tmp_path: Path) -> None:
    times = {"CROUPIER_SOCKETS__PING": f"{PING}", "CROUPIER_SOCKETS__DEAD": f"{DEAD}"}
    with operated(tmp_path / "house", "--demo", "--demo-patrons", 0, **times) as server:
        token = server.sign_in("patron-01")
        with opened(server, token) as deaf, opened(server, token) as alive:
            began, heard = time.monotonic(), b""
            deaf.settimeout(0.1)
            while b"silent" not in heard:
                assert time.monotonic() - began < 3 * DEAD, heard
                for answer in (ANSWER, LONGER_ANSWER):
                    alive.sendall(answer)
                try:
                    heard += deaf.recv(65536)
                except TimeoutError:
                    continue
            assert DEAD - 0.5 <= time.monotonic() - began < DEAD + PING + 1.0
            assert heard.count(ASKED) >= 2
            alive.sendall(b"\x81\x80\x00\x00\x00\x00")
            assert b"not_readable" in alive.recv(65536), "it is there, and read"


def test_only_whoever_answers_stays(tmp_path: Path) -> None:
    """By the pongs alone, as a browser sends them."""
    times = {"CROUPIER_SOCKETS__PING": f"{PING}", "CROUPIER_SOCKETS__DEAD": f"{DEAD}"}
    with (
        operated(tmp_path / "house", "--demo", "--demo-patrons", 0, **times) as server,
        opened(server, server.sign_in("patron-01")) as live,
    ):
        end, asked = time.monotonic() + 2 * DEAD, 0
        while time.monotonic() < end:
            assert live.recv(65536) == ASKED
            asked += 1
            live.sendall(ANSWER)
        assert asked >= 3


@pytest.mark.parametrize("name", ["CROUPIER_SOCKETS__PING", "CROUPIER_SOCKETS__DEAD"])
def test_times_that_leave_nobody_time_to_answer_are_refused(name: str) -> None:
    usual = Configuration().sockets
    value = usual.dead if name.endswith("PING") else usual.ping
    with pytest.raises(MistakenError, match="let dead be more than ping"):
        configured(None, {}, {name: f"{value}"})
    with pytest.raises(MistakenError):
        configured(None, {}, {name: "0"})
