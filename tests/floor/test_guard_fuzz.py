"""What comes over the network, as bad as it can be: nothing fails, nothing is recorded.

At its end the house asserts that its log has no traceback.
"""

from __future__ import annotations

import base64
import json
import os
import re
import socket
import struct
from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.floor.guarding import code_of, hear, new_key, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.floor.guarding import Door

EXAMPLES = int(os.environ.get("CROUPIER_FUZZ_EXAMPLES", "60"))
SECONDS = 3.0
LIMIT = 64 << 10
UNREADABLE = {400, 404, 405, 411, 413, 414, 417, 422, 431, 501, 505}
ANSWERED = UNREADABLE | {200, 401, 403, 409, 429, 503}


@pytest.fixture
def alive(quiet: Door) -> Iterator[Door]:
    """Return the house; behind a test it still answers, and has no record more."""
    before = quiet.heads()
    yield quiet
    assert quiet.get("patron-20", "/me").status_code == 200
    assert quiet.heads() == before, "something that cannot be read left a record"


def raw(door: Door, data: bytes, *, ends: bool = True) -> bytes:
    """Send bytes as they are; return what came back until the server closes or says no more."""
    host, port = door.url.removeprefix("http://").rsplit(":", 1)
    found = b""
    with socket.create_connection((host, int(port)), SECONDS) as live:
        with suppress(OSError):
            live.sendall(data)
            if ends:
                live.shutdown(socket.SHUT_WR)
        with suppress(OSError):
            while part := live.recv(65_536):
                found += part
    return found


def statuses(answer: bytes) -> list[int]:
    """Return the statuses of what was answered; "100 Continue" only asks for the body."""
    found = [int(one) for one in re.findall(rb"HTTP/1\.[01] (\d{3})", answer)]
    return [one for one in found if one != HTTPStatus.CONTINUE]


# Requests


def posted(door: Door, head: str, body: bytes = b"") -> bytes:
    token = door.token("patron-20")
    return (
        f"POST /api/v1/tables/tiger/commands HTTP/1.1\r\nHost: x\r\n"
        f"Authorization: Bearer {token}\r\nIdempotency-Key: {new_key()}\r\n{head}\r\n\r\n"
    ).encode("latin-1") + body


BODY = b'{"command": {"type": "leave_seat"}'
"""The one brace that is missing keeps it from ever being read."""


@pytest.mark.parametrize(
    "head",
    [
        "Content-Length: -1",
        "Content-Length: +34",
        "Content-Length: 0x22",
        "Content-Length: 34\r\nContent-Length: 35",
        "Content-Length: 99999999999999999999999999",
        "Content-Length: 65537",
        "Content-Length: 34\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked",
        "Transfer-Encoding: gzip",
        "Content-Length: 34\r\nContent-Encoding: gzip",
        "Content-Length: 34\r\nExpect: 100-continue",
        "Content-Length: 34\r\nX: " + "x" * 100_000,
        "Content-Length: 34\r\n" + "\r\n".join(f"X{n}: y" for n in range(2_000)),
        "Content-Length: 34\r\nX: a\x00b",
        "Content-Length: 34\r\n folded: yes",
        "Content-Length: 34\r\nno colon",
        "Content-Length: 34\r\nCookie: croupier_session=\xff; ; =; a",
        "Content-Length: 34\r\nOrigin: http://[",
        "Content-Length: 34\r\nContent-Type: application/xml",
        "Content-Length: 34\r\nUpgrade: h2c\r\nConnection: Upgrade",
        "Content-Length: 34\r\nUpgrade: websocket\r\nConnection: Upgrade",
        "Content-Length: 1000",
    ],
    ids=lambda head: head[:45],
)
def test_a_head_that_is_wrong(alive: Door, head: str) -> None:
    found = statuses(raw(alive, posted(alive, head, BODY)))
    assert set(found) <= UNREADABLE | {403}, found


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET /api/v1/tables\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET /api/v1/tables HTTP/9.9\r\nHost: x\r\n\r\n",
        b"BREW /api/v1/tables HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET http://elsewhere.example/api/v1/tables HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /api/v1/tables/%ff%00%2f..%2f HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /api/v1/../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /api/v1/tables/\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /api/v1/tables/tiger?after=\xff HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /api/v1/tables/tiger/rounds/" + b"9" * 5_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
        b"TRACE / HTTP/1.1\r\nHost: x\r\n\r\n",
        bytes(range(256)) * 40,
    ],
    ids=lambda data: repr(data[:40]),
)
def test_a_request_that_is_none(alive: Door, data: bytes) -> None:
    assert set(statuses(raw(alive, data))) <= UNREADABLE | {200}


def test_requests_one_behind_the_other_are_answered_in_order(alive: Door) -> None:
    one = b"GET /api/v1/tables/tiger HTTP/1.1\r\nHost: x\r\n\r\n"
    bad = b"GET /api/v1/nowhere HTTP/1.1\r\nHost: x\r\n\r\n"
    last = b"GET /api/v1/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    assert statuses(raw(alive, one + bad + one + last, ends=False)) == [200, 404, 200, 401]


def test_whoever_goes_away_in_the_middle_of_a_body(alive: Door) -> None:
    for _ in range(20):
        with socket.create_connection(alive.url.removeprefix("http://").split(":"), 3) as live:  # type: ignore[arg-type]
            live.sendall(posted(alive, "Content-Length: 1000", BODY))
            live.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def test_a_body_that_does_not_come_is_not_waited_for(alive: Door) -> None:
    host, port = alive.url.removeprefix("http://").rsplit(":", 1)
    with socket.create_connection((host, int(port)), 12) as live:
        live.sendall(posted(alive, "Content-Length: 1000", BODY))
        assert statuses(live.recv(65_536)) == [422]


# Bodies

LARGE = b'{"command": {"type": "leave_seat", "x": "%b"}}'


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "not_readable"),
        (b"null", "not_readable"),
        (b"[]", "not_readable"),
        (b"{}", "not_readable"),
        (b'{"command": null}', "not_readable"),
        (b'{"command": {}}', "not_readable"),
        (b'{"command": {"type": 1}}', "not_readable"),
        (b'{"command": {"type": "nonsense"}}', "not_readable"),
        (b'{"command": {"type": "leave_seat"}, "more": 1}', "not_readable"),
        (b'{"command": {"type": "leave_seat", "more": 1}}', "not_readable"),
        (b'{"command": {"type": "leave_seat", "transfer": "x"}}', "not_readable"),
        (b'{"command": {"type": "take_credit", "cents": 1.0}}', "not_readable"),
        (b'{"command": {"type": "take_credit", "cents": 1e3}}', "not_readable"),
        (b'{"command": {"type": "take_credit", "cents": "1"}}', "not_readable"),
        (b'{"command": {"type": "take_credit", "cents": true}}', "not_readable"),
        (b'{"command": {"type": "take_credit", "cents": NaN}}', "not_readable"),
        (
            b'{"command": {"type": "take_credit", "cents": 9223372036854775808}}',
            "not_readable",
        ),
        (
            b'{"command": {"type": "take_credit", "cents": -9223372036854775809}}',
            "not_readable",
        ),
        (
            b'{"command": {"type": "take_credit", "cents": ' + b"9" * 5_000 + b"}}",
            "not_readable",
        ),
        (b'{"command": {"type": "leave_seat"}, "round": 1.5}', "not_readable"),
        (b'{"command": {"type": "leave_seat"}, "cards": ["AS"]}', "not_readable"),
        (b'{"command": {"type": "leave_seat"}, "die": 1}', "not_readable"),
        (b'{"command": {"type": "leave_seat"}, "approval": 1}', "not_readable"),
        (b'{"command": {"type": "leave_seat", "patron": "patron-01"}}', "forbidden"),
        (b'{"command": {"type": "leave_seat"}}{}', "not_readable"),
        (b'{"command": ' + b"[" * 9 + b"]" * 9 + b"}", "not_readable"),
        (b'{"command": ' + b"[" * 20_000 + b"]" * 20_000 + b"}", "not_readable"),
        (b'{"command": ' + b'{"a":' * 9_000 + b"1" + b"}" * 9_000 + b"}", "not_readable"),
        (b"\xff\xfe" + '{"command": 1}'.encode("utf-16-le"), "not_readable"),
        (b'\xef\xbb\xbf{"command": {"type": "leave_seat"}}', "not_readable"),
        (b'{"command": {"type": "leave_seat", "patron": "\xff"}}', "not_readable"),
        (b'{"command": {"type": "leave_seat", "patron": "\\ud800"}}', None),
        (LARGE % (b"x" * (LIMIT + 1 - len(LARGE) + 2)), "too_large"),
        (b" " * (LIMIT + 1), "too_large"),
    ],
    ids=lambda one: repr(one)[:60],
)
def test_a_body_that_cannot_be_read(alive: Door, body: bytes, code: str | None) -> None:
    headers = {**alive.headers("patron-20"), "Idempotency-Key": new_key()}
    answer = alive.http.post("/tables/tiger/commands", content=body, headers=headers)
    found = code_of(answer)
    assert answer.status_code in UNREADABLE | {403}, answer.text
    assert code is None or found == code, answer.text
    assert "Traceback" not in answer.text


def test_staff_key_in_no_more_cards_than_a_command_takes(alive: Door) -> None:
    for cards in (["AH"] * 17, ["A" * 17], [1], "AH"):
        answer = alive.order("dealer", "baccarat", {"type": "draw_card"}, cards=cards)
        assert (answer.status_code, code_of(answer)) == (422, "not_readable")


@pytest.mark.parametrize(
    "key", [None, "", "a b", "x" * 65, "\xe9", "a,b", "../x", "a\tb", "%00", "\N{DEGREE SIGN}"]
)
def test_a_key_that_cannot_be_written(alive: Door, key: str | None) -> None:
    headers: dict[str, Any] = alive.headers("patron-20")
    if key is not None:
        headers["Idempotency-Key"] = key.encode("latin-1")
    body = {"command": {"type": "leave_seat"}}
    answer = alive.http.post("/tables/tiger/commands", json=body, headers=headers)
    assert (answer.status_code, code_of(answer)) == (422, "not_readable")


def test_a_command_has_one_key(alive: Door) -> None:
    """Of two keys nobody could say under which of them the command is found again."""
    keys = [("Idempotency-Key", new_key()) for _ in range(2)]
    answer = alive.http.post(
        "/tables/tiger/commands",
        json={"command": {"type": "leave_seat"}},
        headers=[*alive.headers("patron-20").items(), *keys],
    )
    assert (answer.status_code, code_of(answer)) == (422, "not_readable")


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(1 << 70), 1 << 70)
    | st.floats(allow_nan=False)
    | st.text(max_size=20)
    | st.sampled_from(["leave_seat", "type", "command", "tiger", "patron-01", "player"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
BODIES = st.binary(max_size=200) | JSON.map(lambda one: json.dumps(one).encode())
PATHS = (
    "/sessions",
    "/tickets",
    "/approvals",
    "/cage/commands",
    "/accounts/commands",
    "/tables/tiger/commands",
    "/tables/tiger/preview",
)


def test_bodies_of_every_kind(alive: Door) -> None:
    @settings(max_examples=EXAMPLES)
    @given(
        path=st.sampled_from(PATHS),
        body=BODIES,
        name=st.sampled_from([None, "patron-20", "dealer", "cashier", "administrator"]),
        media=st.sampled_from(["application/json", "text/plain", "multipart/form-data", ";"]),
    )
    def send(path: str, body: bytes, name: str | None, media: str) -> None:
        headers = {**alive.headers(name), "Idempotency-Key": new_key(), "Content-Type": media}
        answer = alive.http.post(path, content=body, headers=headers)
        assert answer.status_code in UNREADABLE | {201, 401, 403}, answer.text

    send()


def test_headers_of_every_kind(alive: Door) -> None:
    line = st.binary(max_size=60).map(lambda one: re.sub(rb"[\r\n]", b"", one))

    @settings(max_examples=EXAMPLES)
    @given(
        name=st.sampled_from(
            ["Authorization", "Cookie", "Origin", "Host", "X-CSRF-Token", "Idempotency-Key",
             "Content-Type", "Content-Length", "Connection", "Upgrade", "If-None-Match",
             "Accept-Encoding", "Sec-WebSocket-Key"]
        ),
        value=line,
    )  # fmt: skip
    def send(name: str, value: bytes) -> None:
        head = b"GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\n" + name.encode() + b": " + value
        found = statuses(raw(alive, head + b"\r\nConnection: close\r\n\r\n"))
        assert set(found) <= UNREADABLE | {401}, found

    send()


# Sockets


def handshake(ticket: str, *more: str) -> bytes:
    key = base64.b64encode(os.urandom(16)).decode()
    lines = (
        f"GET /api/v1/live?ticket={ticket} HTTP/1.1", "Host: x", "Upgrade: websocket",
        "Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", *more,
    )  # fmt: skip
    return "\r\n".join((*lines, "", "")).encode("latin-1")


def ticket(door: Door) -> str:
    headers = door.headers("patron-20")
    return str(door.http.post("/tickets", headers=headers).json()["ticket"])


@pytest.mark.parametrize(
    "more",
    [
        ("Origin: http://x", "Origin: http://y"),
        ("Authorization: Bearer x", "Authorization: Bearer y"),
        ("Host: y",),
        ("Sec-WebSocket-Version: 99",),
        ("Sec-WebSocket-Key: x",),
        ("Sec-WebSocket-Protocol: \xff",),
        ("Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=99",),
        ("Content-Length: 5",),
        ("Transfer-Encoding: chunked",),
    ],
    ids=str,
)
def test_a_handshake_that_is_wrong(alive: Door, more: tuple[str, ...]) -> None:
    found = statuses(raw(alive, handshake(ticket(alive), *more)))
    assert set(found) <= {101, 400, 403, 422, 426}, found


@pytest.mark.parametrize("path", ["/", "//[x", "/api/v1/live/", "/api/v1/tables", "/%", "*"])
def test_a_socket_at_another_place(alive: Door, path: str) -> None:
    data = handshake("x").replace(b"/api/v1/live?ticket=x", path.encode())
    assert set(statuses(raw(alive, data))) <= {400, 404}


def framed(opcode: int, data: bytes, *, fin: bool = True, rsv: int = 0, mask: bool = True,
           length: int | None = None) -> bytes:  # fmt: skip
    """Return a frame as a client may send it, or may not."""
    size = len(data) if length is None else length
    head = bytes([(fin << 7) | (rsv << 4) | opcode])
    if size < 126:
        head += bytes([(mask << 7) | size])
    elif size < 1 << 16:
        head += bytes([(mask << 7) | 126]) + size.to_bytes(2, "big")
    else:
        head += bytes([(mask << 7) | 127]) + size.to_bytes(8, "big")
    if not mask:
        return head + data
    key = os.urandom(4)
    return head + key + bytes(one ^ key[n % 4] for n, one in enumerate(data))


def spoken(door: Door, *frames: bytes) -> bytes:
    """Open a socket, send bytes behind the handshake, and return what came back."""
    host, port = door.url.removeprefix("http://").rsplit(":", 1)
    found = b""
    with socket.create_connection((host, int(port)), SECONDS) as live:
        live.sendall(handshake(ticket(door)))
        while b"\r\n\r\n" not in found:
            found += live.recv(65_536)
        with suppress(OSError):
            live.sendall(b"".join(frames) + framed(9, b"end?"))
            while b"end?" not in found and (part := live.recv(65_536)):
                found += part
            live.sendall(framed(8, struct.pack("!H", 1000)))
            while part := live.recv(65_536):
                found += part
    return found


PING = json.dumps({"type": "ping", "n": 1}).encode()


@pytest.mark.parametrize(
    ("frame", "heard"),
    [
        (framed(2, PING), b"not_readable"),
        (framed(1, PING, fin=False) + framed(0, b"}"), b"not_readable"),
        (framed(2, PING, fin=False) + framed(0, b""), b"not_readable"),
        (framed(1, PING, fin=False) + framed(1, PING), b"\x03\xea"),
        (framed(1, b"x" * 4_000, fin=False) + framed(0, b"x" * 97, fin=False), b"too_large"),
        (framed(1, b"\xff\xfe"), b"not_readable"),
        (framed(1, b""), b"not_readable"),
        (framed(1, b"[" * 4_000), b"not_readable"),
        (framed(1, b'{"type": "ping", "n": ' + b"9" * 4_000 + b"}"), b"not_readable"),
        (framed(1, b"x" * 4_096), b"not_readable"),
        (framed(1, b"x" * 4_097), b"too_large"),
        (framed(2, b"x" * 4_097), b"too_large"),
        (framed(1, b"x" * 70_000), b"\x03\xf1"),
        (framed(1, b"", length=1 << 62), b"\x03\xf1"),
        (framed(1, PING, mask=False), b"\x03\xea"),
        (framed(1, PING, rsv=4), b"\x03\xea"),
        (framed(3, PING), b"\x03\xea"),
        (framed(0, PING), b"\x03\xea"),
        (framed(9, b"x" * 126), b"\x03\xea"),
        (framed(9, b"hello"), b"\x8a\x05hello"),
        (framed(10, b"unasked"), b""),
        (framed(8, b"\x03"), b"\x03\xea"),
        (framed(8, struct.pack("!H", 1005)), b"\x03\xea"),
        (framed(8, struct.pack("!H", 1000) + b"\xff"), b""),
        (b"\x00" * 50, b""),
    ],
    ids=map(str, range(25)),  # a mask is new each time
)
def test_a_frame_that_is_wrong(alive: Door, frame: bytes, heard: bytes) -> None:
    assert heard in spoken(alive, frame)


TEXT = '{"type": "subscribe", "topic": "table:\u4e2d"}'.encode()


@pytest.mark.parametrize(
    "sizes", [(0,), (1,), (38, 1), (39,), (40, 1, 1), (len(TEXT),), (5, 0, 0, 5), (1,) * 20]
)
@pytest.mark.parametrize("between", [b"", framed(9, b"meanwhile")], ids=["", "ping"])
def test_a_message_in_several_frames_is_one(
    alive: Door, sizes: tuple[int, ...], between: bytes
) -> None:
    """Also where a letter is cut in two, and with control frames in between."""
    frames, at, opcode = [], 0, 1
    for size in sizes:
        frames.append(framed(opcode, TEXT[at : at + size], fin=False) + between)
        at, opcode = at + size, 0
    heard = spoken(alive, *frames, framed(0, TEXT[at:]), framed(1, PING))
    assert heard.count(b'"type":"error"') == 1
    assert b'"unknown_table"' in heard
    assert "\u4e2d".encode() in heard
    assert heard.count(b"meanwhile") == (len(sizes) if between else 0)
    assert b'"pong"' in heard


def test_a_message_of_the_greatest_size_may_come_in_several_frames(alive: Door) -> None:
    data = PING[:-1] + b" " * (4096 - len(PING)) + b"}"
    parts = [framed(1, data[:1000], fin=False), framed(0, data[1000:3000], fin=False)]
    assert b'"pong"' in spoken(alive, *parts, framed(0, data[3000:]))


def test_frames_of_every_kind(alive: Door) -> None:
    messages = st.sampled_from(
        [
            PING,
            b'{"type": "subscribe", "topic": "table:tiger"}',
            b'{"type": "subscribe", "topic": "table:tiger", "after": -1}',
            b'{"type": "subscribe", "topic": "me", "after": 99999}',
            b'{"type": "unsubscribe", "topic": "nowhere"}',
            b'{"type": "shown", "table": "nowhere", "round": -5}',
            b'{"type": "command", "id": "\\u0000", "table": "tiger", "command": {}}',
            b'{"type": "command", "id": "x", "table": "nowhere", "command": {"type": "x"}}',
            b'{"type": "command", "id": "x", "table": "cage", "command": [], "approval": "x"}',
        ]
    )
    frames = st.builds(
        framed,
        st.integers(0, 15) | st.just(1),
        messages | st.binary(max_size=130) | JSON.map(lambda one: json.dumps(one).encode()),
        fin=st.booleans() | st.just(value=True),
        rsv=st.integers(0, 7) | st.just(0),
        mask=st.booleans() | st.just(value=True),
    )

    @settings(max_examples=EXAMPLES)
    @given(st.lists(frames, max_size=6), st.binary(max_size=6))
    def speak(sent: list[bytes], rest: bytes) -> None:
        assert spoken(alive, *sent, rest).startswith(b"HTTP/1.1 101")

    speak()


def test_a_frame_in_pieces_is_one_message(alive: Door) -> None:
    """However the network cuts it."""
    host, port = alive.url.removeprefix("http://").rsplit(":", 1)
    with socket.create_connection((host, int(port)), SECONDS) as live:
        live.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for data, awaited in (
            (handshake(ticket(alive)), b"101"),
            (framed(1, PING), b"pong"),
        ):
            for at in range(len(data)):
                live.sendall(data[at : at + 1])
            found = b""
            while awaited not in found:
                part = live.recv(65_536)
                assert part, found
                found += part


def test_a_socket_that_is_behaved_goes_on_beside_all_that(alive: Door) -> None:
    with alive.live("patron-19") as live:
        say(live, type="subscribe", topic="tables")
        hear(live, "snapshot")
        for _ in range(20):
            spoken(alive, framed(1, b"x" * 70_000))
            say(live, type="ping", n=3)
            assert hear(live, "pong")["n"] == 3
