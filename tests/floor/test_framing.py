"""Frames by hand are those of websockets; what is not plain is left to it; nothing is lost."""

from __future__ import annotations

import json
import types
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from croupier.floor import live
from croupier.floor.framing import frame, said, unframe

if TYPE_CHECKING:
    from collections.abc import Callable

    from websockets.http11 import Request

SIZES = st.sampled_from((0, 1, 125, 126, 127, 4_096, 65_535)).flatmap(
    lambda size: st.binary(min_size=size, max_size=size)
)
CONTROLS = st.sampled_from((Opcode.PING, Opcode.PONG, Opcode.CLOSE))
GREETING = (
    b"GET /api/v1/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    b"Sec-WebSocket-Version: 13\r\n\r\n"
)


def masked(opcode: Opcode, data: bytes, *, fin: bool = True) -> bytes:
    """Return a frame as a client sends it."""
    return Frame(opcode, data, fin=fin).serialize(mask=True)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536, 70_000])
def test_a_frame_is_the_one_that_websockets_makes(size: int) -> None:
    assert frame(b"x" * size) == Frame(Opcode.TEXT, b"x" * size).serialize(mask=False)


@given(st.lists(SIZES, max_size=3))
def test_texts_of_a_client_are_read_as_they_were_written(texts: list[bytes]) -> None:
    data = b"".join(masked(Opcode.TEXT, text) for text in texts)
    assert said(data) == texts


@given(st.binary(max_size=300), CONTROLS, st.data())
def test_controls_are_told_apart_and_a_cut_is_noticed(
    text: bytes, control: Opcode, data: st.DataObject
) -> None:
    whole = masked(Opcode.TEXT, text) + masked(control, b"12")
    assert said(whole) == [text, None]
    first = len(masked(Opcode.TEXT, text))
    cut = data.draw(st.integers(1, len(whole) - 1).filter(lambda at: at != first))
    assert said(whole[:cut]) is None


@pytest.mark.parametrize(
    "data",
    [
        masked(Opcode.BINARY, b"{}"),
        masked(Opcode.CONT, b"{}"),
        masked(Opcode.TEXT, b"{}", fin=False),
        masked(Opcode.TEXT, b"x" * 70_000),
        Frame(Opcode.TEXT, b"{}").serialize(mask=False),
        b"\xc1" + masked(Opcode.TEXT, b"{}")[1:],
    ],
    ids=["binary", "continued", "fragment", "long", "not masked", "reserved"],
)
def test_what_is_not_plain_is_left_to_websockets(data: bytes) -> None:
    assert said(data) is None


class Transport:
    """Takes what is written."""

    def __init__(self) -> None:
        self.written = b""

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_: None

    def writelines(self, parts: list[bytes]) -> None:
        self.written += b"".join(parts)


class Heard(live.Client):
    """A client of nobody's floor, which keeps what it is told."""

    def __init__(self) -> None:
        super().__init__(None, types.SimpleNamespace(connections=set()), None)
        self.texts: list[bytes] = []
        self.transport = Transport()

    def _greet(self, request: Request) -> None:
        self.wire.send_response(self.wire.accept(request))
        self.open = True

    def _text(self, data: bytes, *, plain: bool = True) -> None:
        self.texts.append(bytes(data) if plain else b"not plain")


@given(st.data())
def test_a_client_hears_the_same_however_its_bytes_come(data: st.DataObject) -> None:
    """In order, and every ping is answered, wherever the bytes are cut."""
    live.Client.floor = types.SimpleNamespace(loop=types.SimpleNamespace(time=lambda: 0.0))  # type: ignore[assignment]
    kinds = st.sampled_from((Opcode.TEXT, Opcode.PING, Opcode.BINARY))
    sent = data.draw(st.lists(st.tuples(kinds, st.binary(max_size=130)), max_size=6))
    sent = [(kind, text[:125] if kind is Opcode.PING else text) for kind, text in sent]
    whole = GREETING + b"".join(masked(kind, text) for kind, text in sent)
    cuts = data.draw(st.lists(st.integers(0, len(whole)), max_size=5))
    ends = list(accumulate((len(masked(*one)) for one in sent), initial=len(GREETING)))
    cuts += data.draw(st.lists(st.sampled_from(ends), max_size=4))
    if any(kind is Opcode.PING for kind, _ in sent):
        cuts.append(len(GREETING))  # before it is let in nobody is answered
    client = Heard()
    for start, end in pairwise(sorted({0, *cuts, len(whole)})):
        client.data_received(whole[start:end])
    texts = [
        text if kind is Opcode.TEXT else b"not plain"
        for kind, text in sent
        if kind is not Opcode.PING
    ]
    assert client.texts == texts
    pongs = [text for kind, text in sent if kind is Opcode.PING]
    answered = client.transport.written.partition(b"\r\n\r\n")[2]
    assert unframe(answered) == pongs


def test_whoever_closed_is_not_heard_any_more() -> None:
    live.Client.floor = types.SimpleNamespace(loop=types.SimpleNamespace(time=lambda: 0.0))  # type: ignore[assignment]
    client = Heard()
    client.data_received(GREETING)
    text = masked(Opcode.TEXT, json.dumps({}).encode())
    client.data_received(text)
    client.data_received(masked(Opcode.CLOSE, b"\x03\xe8"))
    client.data_received(text)
    assert client.texts == [b"{}"]


@pytest.mark.parametrize("together", [True, False], ids=["with the greeting", "behind it"])
def test_what_looks_like_a_frame_inside_of_another_is_none(*, together: bool) -> None:
    live.Client.floor = types.SimpleNamespace(loop=types.SimpleNamespace(time=lambda: 0.0))  # type: ignore[assignment]
    inside = b"\x81\x82\0\0\0\0{}"
    begin = b"\x81" + bytes((0x80 + 2 + len(inside),)) + bytes(4) + b"ab"
    client = Heard()
    for data in (GREETING + begin,) if together else (GREETING, begin):
        client.data_received(data)
    client.data_received(inside)
    assert client.texts == [b"ab" + inside]
    client.data_received(inside)
    assert client.texts == [b"ab" + inside, b"{}"]
