"""Requests and messages made from the documents of the API, and mutations of them.

Nobody makes the server fail: an answer is one that the document knows. A longer run:
``make fuzz``.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Union

import httpx
import msgspec
import pytest
import schemathesis
from hypothesis import example, given, settings
from hypothesis import strategies as st
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from websockets.exceptions import ConnectionClosed

from croupier.floor.api.openapi import asyncapi, openapi
from croupier.floor.app import routed
from croupier.floor.problems import ProblemError
from croupier.floor.sent import SENT, Answered, Bye, Errored, Pong
from croupier.floor.wire import Commanded, read_said
from tests.floor.api.schemas import mutated, strategy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from websockets.sync.client import ClientConnection

    from tests.floor.api.served import Served

EXAMPLES = int(os.environ.get("CROUPIER_FUZZ_EXAMPLES", "20"))
CHECKS = [
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
]
PEOPLE = (None, "patron-07", "dealer", "pit-manager", "cashier", "auditor", "administrator")
KNOWN = {
    "name": ("fortune-six", "baccarat", "power-98", "cage", "table:power-98"),
    "slug": ("tiger", "power-98"),
    "shoe": ("1", "2"),
    "number": (1, 2, 3),
    "device": ("shoe-1", "die-1"),
}
"""What is there, so that not everything is answered with 404."""
STREAM = "/api/v1/events"
"""Its answer has no end: it is asked for by a test of its own."""
SCHEMA = schemathesis.openapi.from_dict(openapi(routed(None)))
OPERATIONS = {
    f"{one.method.upper()} {one.path}": one
    for found in SCHEMA.get_all_operations()
    for one in ([found.ok()] if isinstance(found, Ok) else [])
    if one.path != STREAM
}


@st.composite
def cases(draw: st.DrawFn, operation: Any) -> tuple[Any, str | None]:  # noqa: ANN401
    """Draw a request, as the document has it or not, and whose it is."""
    mode = draw(st.sampled_from([GenerationMode.POSITIVE, GenerationMode.NEGATIVE]))
    case = draw(operation.as_strategy(generation_mode=mode))
    for name in case.path_parameters or {}:
        if draw(st.booleans()):
            case.path_parameters[name] = draw(st.sampled_from(KNOWN[name]))
    return case, draw(st.sampled_from(PEOPLE))


def test_every_call_is_asked() -> None:
    paths = SCHEMA.raw_schema["paths"]
    assert len(OPERATIONS) == sum(map(len, paths.values())) - 1
    assert STREAM in paths


@pytest.mark.parametrize("name", OPERATIONS)
def test_no_request_makes_the_server_fail(floor: Served, name: str) -> None:
    @settings(max_examples=EXAMPLES)
    @given(asked=cases(OPERATIONS[name]))
    def ask(asked: tuple[Any, str | None]) -> None:
        case, person = asked
        headers = {}
        if person is not None and name != "DELETE /api/v1/sessions/current":
            headers["Authorization"] = f"Bearer {floor.token(person)}"
        response = case.call(base_url=floor.url, headers=headers)
        case.validate_response(response, checks=CHECKS)
        if response.status_code >= 500:
            assert response.status_code == 503
            assert response.json()["code"] in ("behind", "busy")
            assert "retry-after" in response.headers

    ask()


TOPICS = st.sampled_from(("table:power-98", "table:baccarat", "me")) | st.text()
HEADS = st.characters(min_codepoint=0x20, max_codepoint=0xFF, exclude_characters="\x7f")
LAST = st.text(HEADS, max_size=9000) | st.integers(1, 9000).map("7".__mul__)


def test_no_request_for_events_makes_the_server_fail(floor: Served) -> None:
    @settings(max_examples=5 * EXAMPLES)
    @given(topic=TOPICS, last=LAST, person=st.sampled_from(PEOPLE))
    @example(topic="table:baccarat", last="7" * 5000, person=None)
    def ask(topic: str, last: str, person: str | None) -> None:
        headers = [(b"Last-Event-ID", last.strip().encode("latin-1"))]
        if person is not None:
            headers.append((b"Authorization", f"Bearer {floor.token(person)}".encode()))
        query = {"topic": topic}
        with floor.http.stream(
            "GET", STREAM, params=query, headers=headers, timeout=30.0
        ) as answer:
            assert answer.status_code in (200, 404, 422, 429)
            if answer.status_code == httpx.codes.OK:  # a comment where nothing happens
                assert next(answer.iter_lines()) in ("event: snapshot", "event: change", ":")

    ask()


# The socket

SOCKET = asyncapi()
SAYS = st.one_of(
    [
        strategy(
            SOCKET, SOCKET["components"]["messages"][one["$ref"].rpartition("/")[2]]["payload"]
        )
        for one in SOCKET["operations"]["say"]["messages"]
    ]
)
read_sent = msgspec.json.Decoder(Union[SENT]).decode  # noqa: UP007  # made at run time


class Talk:
    """A socket of somebody that is opened again when it was closed."""

    def __init__(self, served: Served, name: str) -> None:
        self._served, self._name = served, name
        self._socket: ClientConnection | None = None
        self._pings = 0

    def say(self, data: bytes, *, text: bool) -> list[Any]:
        """Say something; return what was heard until the socket answers, or closes.

        A ping behind it is answered at once, a command when its record is durable.
        """
        if self._socket is None:
            self._socket = self._served.socket(self._name)
        self._pings += 1
        heard: list[Any] = []
        waits = {f"ping {-self._pings}", *(_answers(data) if text else ())}
        try:
            with suppress(ConnectionClosed):  # it may be closed before the ping goes out
                self._socket.send(data, text=text)
                self._socket.send(json.dumps({"type": "ping", "n": -self._pings}))
            while waits:
                heard.append(read_sent(self._socket.recv(timeout=10)))
                if isinstance(heard[-1], Pong):
                    waits.discard(f"ping {heard[-1].n}")
                if isinstance(heard[-1], Answered):
                    waits.discard(f"answer {heard[-1].id}")
        except ConnectionClosed as closed:
            self._socket, good_bye = None, closed.rcvd
        assert self._socket is not None or good_bye is not None, "cut off without a word"
        return [one for one in heard if one != Pong(-self._pings, getattr(one, "time", ""))]


def _answers(data: bytes) -> Iterator[str]:
    """Yield what is answered later, if a message is a command that can be read."""
    with suppress(ProblemError):
        message = read_said(data)
        if isinstance(message, Commanded):
            yield f"answer {message.id}"


@pytest.fixture(scope="module")
def talks(quiet: Served) -> dict[str, Talk]:
    return {name: Talk(quiet, name) for name in PEOPLE if name is not None}


def recorded(answer: Any) -> bool:  # noqa: ANN401  # a message
    """Tell whether an answer says that there is a record."""
    return isinstance(answer, Answered) and answer.sequence is not None


def test_no_message_makes_the_socket_fail(quiet: Served, talks: dict[str, Talk]) -> None:
    seen: set[str] = set()

    @settings(max_examples=20 * EXAMPLES)
    @given(data=mutated(SAYS), name=st.sampled_from(sorted(talks)), text=st.integers(0, 9))
    def say(data: bytes, name: str, text: int) -> None:
        before = quiet.heads()
        heard = talks[name].say(data, text=text > 0)
        seen.update(type(one).__name__ for one in heard)
        if not any(map(recorded, heard)):
            assert quiet.heads() == before, "a record of a message that could not be read"

    say()
    assert seen >= {"Errored", "Answered", "Snapshot"}


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b'{"type": "ping", "n": 1, "m": 2}', "not_readable"),
        (b'{"type": "ping", "n": 1.0}', "not_readable"),
        (b'{"type": "ping", "n": 9223372036854775808}', "not_readable"),
        (b'{"type": "hello"}', "not_readable"),
        (b'["ping"]', "not_readable"),
        (b"", "not_readable"),
        (b'{"type": "ping", "n": "\xff"}', None),
        (b'{"type": "subscribe", "topic": "table:nowhere"}', "unknown_table"),
        (b'{"type": "subscribe", "topic": "weather"}', "unknown_topic"),
    ],
)
def test_what_cannot_be_read_is_said_and_the_socket_stays(
    quiet: Served, talks: dict[str, Talk], data: bytes, code: str | None
) -> None:
    before = quiet.heads()
    heard = talks["patron-07"].say(data, text=True)
    if code is not None:
        (error,) = heard
        assert isinstance(error, Errored)
        assert error.problem.code == code
    assert quiet.heads() == before


def test_a_message_that_is_too_large_closes_the_socket(quiet: Served) -> None:
    socket = quiet.socket("patron-08")
    socket.send('{"type": "ping", "n": 1, "m": "%s"}' % ("x" * 5000))
    good_bye = read_sent(socket.recv(timeout=10))
    assert isinstance(good_bye, Bye)
    assert good_bye.code == "too_large"
    with pytest.raises(ConnectionClosed):
        socket.recv(timeout=10)
