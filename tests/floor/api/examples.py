"""The worked examples of a page: read from its fenced blocks, run, and compared by shape."""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.uuids import uuid7

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

    from tests.floor.api.served import Served

BLOCK = re.compile(r"^```(http|json|ws)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
KEPT = ("token", "ticket", "sequence", "round")
"""What an answer tells that a later request may need."""
COMPARED = ("code", "status", "type", "accepted", "phase", "game", "table", "topic", "wager")
"""Fields whose values must be as printed; of all others the kind of value."""
HEAR_SECONDS = 20.0


class Example(NamedTuple):
    """A request with the answer that is printed under it, or a conversation."""

    kind: str
    said: str
    answer: str = ""


def examples(page: str) -> list[Example]:
    """Return the examples of a page in their order."""
    found: list[Example] = []
    for kind, text in BLOCK.findall(page):
        if kind != "json":
            found.append(Example(kind, text))
        else:
            assert found[-1].kind == "http", "an answer without a request"
            assert not found[-1].answer, "a request with two answers"
            found[-1] = found[-1]._replace(answer=text)
    return found


class Story:
    """Runs examples one after the other, as one person."""

    def __init__(self, served: Served, name: str) -> None:
        self._served = served
        self._words: dict[str, str] = {"PASSWORD": served.passwords[name]}
        self._socket: ClientConnection | None = None

    def run(self, one: Example) -> None:
        """Run an example, and compare."""
        if one.kind == "http":
            self._ask(one)
        else:
            self._talk(one.said)

    def _put_in(self, text: str) -> str:
        words = {**self._words, "KEY": uuid7()}
        return re.sub(r"\b[A-Z]{3,}\b", lambda word: words.get(word[0], word[0]), text)

    def _ask(self, one: Example) -> None:
        head, _, body = self._put_in(one.said).partition("\n\n")
        first, *lines = head.strip().split("\n")
        method, _, path = first.partition(" ")
        headers = dict(line.split(": ", 1) for line in lines)
        self._served.http.cookies.clear()
        found = self._served.http.request(
            method, path, headers=headers, content=body.strip().encode() or None
        )
        status, _, expected = one.answer.strip().partition(" ")
        assert found.status_code == int(status), (first, found.text)
        if expected:
            self._compare(json.loads(expected), found.json(), first)
            self._remember(found.json())

    def _talk(self, text: str) -> None:
        if self._socket is None:
            self._socket = self._served.socket_by(self._words["TICKET"])
        for line in re.split(r"^(?=[<>])", text, flags=re.MULTILINE)[1:]:
            if line.startswith(">"):
                self._socket.send(self._put_in(line[1:]))
            else:
                self._hear(self._socket, json.loads(line[1:]))

    def _hear(self, socket: ClientConnection, expected: dict[str, Any]) -> None:
        """Listen until something like the printed message comes."""
        end, heard = time.monotonic() + HEAR_SECONDS, []
        while time.monotonic() < end:
            message = json.loads(socket.recv(timeout=HEAR_SECONDS))
            heard.append(message)
            try:
                self._compare(expected, message, "")
            except AssertionError:
                continue
            self._remember(message)
            self._remember(message.get("view", {}))
            return
        message = f"{expected} was not heard among {heard}"
        raise AssertionError(message)

    def _remember(self, found: Any) -> None:  # noqa: ANN401  # any JSON
        if isinstance(found, dict):
            for name in KEPT:
                if isinstance(found.get(name), str | int):
                    self._words[name.upper()] = str(found[name])

    def _compare(self, printed: Any, found: Any, where: str) -> None:  # noqa: ANN401
        """Compare what is printed with what came: its fields are there, and of their kind."""
        if isinstance(printed, dict):
            assert isinstance(found, dict), (where, found)
            for name, value in printed.items():
                assert name in found, f"{where}: there is no {name} in {found}"
                if name in COMPARED and isinstance(value, str | int):
                    assert found[name] == value, f"{where}.{name}: {found[name]}"
                self._compare(value, found[name], f"{where}.{name}")
        elif isinstance(printed, list):
            assert isinstance(found, list), (where, found)
            for value in printed:
                assert any(self._like(value, one, where) for one in found), (where, found)
        elif printed is not None and found is not None:
            kinds = {int: float}
            here = (kinds.get(type(one), type(one)) for one in (printed, found))
            assert len(set(here)) == 1, f"{where}: {found!r} came instead of {printed!r}"

    def _like(self, printed: Any, found: Any, where: str) -> bool:  # noqa: ANN401
        try:
            self._compare(printed, found, where)
        except AssertionError:
            return False
        if isinstance(printed, dict) and printed.keys() == {"name", "facts"}:
            return bool(printed["name"] == found["name"])
        return True
