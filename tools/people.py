"""Everybody of a house over HTTP, each signed in once: for pictures and for tests."""

from __future__ import annotations

import itertools
import time
import uuid
from typing import TYPE_CHECKING, Any

import httpx

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WAIT_SECONDS = 90.0
"""How long anything may take that a table must do first, on a busy machine."""
TOO_FAST = 429
SHOES = itertools.count(2)


def until(what: Callable[[], Any], why: str, seconds: float = WAIT_SECONDS) -> Any:  # noqa: ANN401
    """Wait until something is so; return it."""
    end = time.monotonic() + seconds
    while True:
        found = what()
        if found:
            return found
        if time.monotonic() > end:
            message = f"Waited in vain: {why}."
            raise TimeoutError(message)
        time.sleep(0.05)


class People:
    """What people read and do, by their names."""

    def __init__(self, password: Callable[[str], str], url: str = "") -> None:
        self._password = password
        self._http = httpx.Client(timeout=60)
        self._tokens: dict[str, str] = {}
        self.at(url)

    def at(self, url: str) -> None:
        """Go to the house at an address."""
        self._http.base_url = httpx.URL(f"{url}/api/v1")

    def hang_up(self) -> None:
        """Close the connections."""
        self._http.close()

    def _headers(self, name: str) -> dict[str, str]:
        if name not in self._tokens:
            login = {"name": name, "password": self._password(name)}
            session = required(self._http.post("/sessions", json=login), 201)
            self._http.cookies.clear()
            self._tokens[name] = session["token"]
        return {"Authorization": f"Bearer {self._tokens[name]}"}

    def get(self, name: str, path: str) -> Any:  # noqa: ANN401  # JSON
        """Read something as somebody."""
        return required(self._asked("GET", path, headers=self._headers(name)), 200)

    def post(self, name: str, path: str, body: object = None, status: int = 200) -> Any:  # noqa: ANN401
        """Send something as somebody."""
        headers = {**self._headers(name), "Idempotency-Key": uuid.uuid4().hex}
        return required(self._asked("POST", path, json=body, headers=headers), status)

    def _asked(self, method: str, path: str, **how: Any) -> httpx.Response:  # noqa: ANN401  # as httpx has it
        """Ask once, and again while the house says that it was too often in a short time."""
        while True:
            answer = self._http.request(method, path, **how)
            if answer.status_code != TOO_FAST:
                return answer
            time.sleep(0.5)

    def view(self, table: str, name: str = "dealer") -> dict[str, Any]:
        """Return a table as somebody sees it."""
        view: dict[str, Any] = self.get(name, f"/tables/{table}")["view"]
        return view

    def settings(self, table: str) -> dict[str, Any]:
        """Return what is set at a table."""
        settings: dict[str, Any] = self.view(table, "pit-manager")["pit"]["settings"]
        return settings

    def give(
        self,
        name: str,
        where: str,
        kind: str,
        /,
        second: str | None = None,
        cards: Sequence[str] = (),
        die: int | None = None,
        **facts: Any,  # noqa: ANN401  # as on the wire
    ) -> dict[str, Any]:
        """Give a command that is taken; a second person approves it where one is named."""
        command = {"type": kind, **facts}
        beside = ({"cards": cards} if cards else {}) | ({} if die is None else {"die": die})
        body: dict[str, Any] = {"command": command, **beside}
        if second is not None:
            wanted = {"table": where, "command": command, "for": name, **beside}
            body["approval"] = self.post(second, "/approvals", wanted, 201)["approval"]
        path = "/" + where if where in {"cage", "accounts"} else "/tables/" + where
        done: dict[str, Any] = self.post(name, f"{path}/commands", body)
        return done

    def bet(self, patron: str, table: str, stakes: Sequence[tuple[str, int]]) -> None:
        """Let a patron stake, who sits there."""
        for wager, cents in stakes:
            self.give(patron, table, "place_wager", wager=wager, cents=cents)

    def send_credit(self, patron: str, table: str, cents: int) -> None:
        """Let a patron send credit to a table, and wait until it is there."""
        self.give(patron, "cage", "send_to_table", table=table, cents=cents)
        until(lambda: self.view(table, patron)["own"]["credit_cents"] >= cents, "credit comes")


def required(answer: httpx.Response, status: int) -> Any:  # noqa: ANN401  # JSON
    """Return what was answered, which must be of a status."""
    if answer.status_code != status:
        asked = f"{answer.request.method} {answer.request.url.path}"
        message = f"{asked} {answer.request.content!r}: {answer.text}"
        raise RuntimeError(message)
    return answer.json() if answer.content else None


def least(opened: dict[str, Any]) -> dict[str, Any]:
    """Return the first value of each field that must be said."""
    said = {}
    together = {name: one for ways in opened.get("ways", ()) for name, one in ways[0].items()}
    for field in opened.get("fields", ()):
        if not field.get("required") or field.get("house"):
            continue
        allowed = field.get("allowed", together.get(field["name"]))
        text = str(next(SHOES)) if field["name"] == "shoe" else "as reported"
        said[field["name"]] = text if field["kind"] == "text" else allowed
        if isinstance(allowed, list) and field["kind"] not in {"each", "all"}:
            said[field["name"]] = allowed[0]
    return said
