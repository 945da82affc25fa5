"""A demo house for pictures: a server in a temporary folder, and its people over HTTP."""

from __future__ import annotations

import itertools
import json
import signal
import subprocess
import sys
import time
import uuid
from typing import TYPE_CHECKING, Any

import httpx

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

START_SECONDS, STOP_SECONDS, WAIT_SECONDS = 120.0, 20.0, 90.0
POWER = 3
"""What the die shows when a Dealer opens the shaker: a Power hand."""
QUICK = ("--betting", "2", "--pause", "0.5", "--pace", "0.03", "--answer", "1")
"""Clocks under which shoes fill the roads in a minute; scenes then slow their tables down."""

ANSWERS = {
    "report": "confirm_report",
    "withdrawal": "end_option",
    "reset": "reset_device",
    "order": "set_order",
    "referral": "decide_referral",
    "reserve": "reserve_cards",
    "sort": "record_sorting",
    "substitute": "substitute",
}
"""How each kind of hold is answered when a picture of it was taken."""
SHOES = itertools.count(2)
STAFF = (
    "dealer",
    "pit-supervisor",
    "pit-manager",
    "assistant-casino-manager",
    "gaming-shift-manager",
)


def until(what: Callable[[], Any], why: str, seconds: float = WAIT_SECONDS) -> Any:  # noqa: ANN401
    """Wait until something is so; return it."""
    end = time.monotonic() + seconds
    while True:
        found = what()
        if found:
            return found
        if time.monotonic() > end:
            message = f"Waited in vain: {why}."
            raise RuntimeError(message)
        time.sleep(0.1)


class House:
    """A server that runs: where it is, who may sign in, and what they do there."""

    def __init__(self, folder: Path, *options: str, demo: bool = True) -> None:
        self.folder, self._ready = folder, folder / "ready.json"
        kind = ("--demo", "--seed", "8", *QUICK) if demo else ()
        self._options = (*kind, *options)
        self._port = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._tokens: dict[str, str] = {}
        self._logins: dict[str, str] = {}
        self._seated: dict[str, set[str]] = {}
        self._http = httpx.Client(timeout=60)
        self.url = ""

    # The process

    def start(self) -> None:
        """Start the server, at the port that it had before; return when it answers."""
        self._ready.unlink(missing_ok=True)
        self.folder.mkdir(parents=True, exist_ok=True)
        command = [
            sys.executable,
            "-m",
            "croupier",
            "serve",
            "--data",
            str(self.folder / "house"),
        ]
        command += ["--port", str(self._port), "--ready", str(self._ready), *self._options]
        with (self.folder / "output").open("ab") as output:
            self._process = subprocess.Popen(command, stdout=output, stderr=output)
        until(self._answers, "the house does not answer", START_SECONDS)
        ready = json.loads(self._ready.read_bytes())
        self.url = ready["url"]
        self._port = int(self.url.rsplit(":", 1)[1])
        self._logins = {one["name"]: one["password"] for one in ready.get("logins", ())}
        self._http.base_url = httpx.URL(f"{self.url}/api/v1")

    def _answers(self) -> bool:
        assert self._process is not None
        if self._process.poll() is not None:
            raise RuntimeError(self.output)
        return self._ready.exists()

    def stop(self) -> None:
        """Let the server end in order."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(STOP_SECONDS)

    def kill(self) -> None:
        """End the server as a power failure would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    @property
    def output(self) -> str:
        """Return what the server printed."""
        return (self.folder / "output").read_text(errors="replace")

    # People

    def password(self, name: str) -> str:
        """Return the password of somebody of the demo."""
        return self._logins[name]

    def _headers(self, name: str) -> dict[str, str]:
        if name not in self._tokens:
            login = {"name": name, "password": self.password(name)}
            answer = self._http.post("/sessions", json=login)
            _require(answer, 201)
            self._http.cookies.clear()
            self._tokens[name] = answer.json()["token"]
        return {"Authorization": f"Bearer {self._tokens[name]}"}

    def get(self, name: str, path: str) -> Any:  # noqa: ANN401  # JSON
        """Read something as somebody."""
        return _require(self._http.get(path, headers=self._headers(name)), 200)

    def post(self, name: str, path: str, body: object = None, status: int = 200) -> Any:  # noqa: ANN401
        """Send something as somebody."""
        headers = {**self._headers(name), "Idempotency-Key": uuid.uuid4().hex}
        return _require(self._http.post(path, json=body, headers=headers), status)

    def end_sessions(self, name: str) -> None:
        """Let the administrator close all sessions of somebody."""
        headers = self._headers("administrator")
        _require(self._http.delete(f"/users/{name}/sessions", headers=headers), 204)
        self._tokens.pop(name, None)

    def view(self, table: str, name: str = "dealer") -> dict[str, Any]:
        """Return a table as somebody sees it."""
        view: dict[str, Any] = self.get(name, f"/tables/{table}")["view"]
        return view

    def give(
        self,
        name: str,
        where: str,
        kind: str,
        /,
        second: str | None = None,
        die: int | None = None,
        cards: Sequence[str] = (),
        **facts: Any,  # noqa: ANN401  # as on the wire
    ) -> dict[str, Any]:
        """Give a command that is taken; a second person approves it where one is named."""
        command = {"type": kind, **facts}
        body: dict[str, Any] = {"command": command} | ({} if die is None else {"die": die})
        body |= {"cards": list(cards)} if cards else {}
        if second is not None:
            wanted = {"table": where, "command": command, "for": name}
            body["approval"] = self.post(second, "/approvals", wanted, 201)["approval"]
        path = "/tables/" + where if where not in {"cage", "accounts"} else "/" + where
        done: dict[str, Any] = self.post(name, f"{path}/commands", body)
        return done

    def add_patron(self, name: str, cents: int) -> None:
        """Add a patron with money; the patron signs in with a password that is its own."""
        self.give("administrator", "accounts", "add_user", user=name, kind="patron")
        link = self.post("administrator", f"/users/{name}/password-link", status=201)
        self._logins[name] = f"demo-{uuid.uuid4().hex[:12]}"
        body = {"secret": link["secret"], "password": self._logins[name]}
        _require(self._http.post("/passwords", json=body), 200)
        self.give("cashier", "cage", "buy_in", patron=name, cents=cents)

    # Tables

    def clocks(self, table: str, **seconds: float) -> None:
        """Change how long a table of the house waits."""
        now = self.view(table, "pit-manager")["pit"]["settings"]["clocks"]
        changed = {f"{name}_ms": round(value * 1000) for name, value in seconds.items()}
        self.give("pit-manager", table, "set_clocks", clocks={**now, **changed})

    def seat(self, patron: str, table: str, position: int | None, cents: int) -> None:
        """Let a patron sit down with credit, where none of the house sits, unless it sits."""
        if self.view(table, patron)["own"]["seat"] is None:
            place = self._free(table) if position is None else position
            self.give(patron, table, "take_seat", position=place)
        self._seated.setdefault(table, set()).add(patron)
        if self.view(table, patron)["own"]["credit_cents"] >= cents:
            return
        self.give("cashier", "cage", "buy_in", patron=patron, cents=cents)
        self.give(patron, "cage", "send_to_table", table=table, cents=cents)
        until(lambda: self.view(table, patron)["own"]["credit_cents"] >= cents, "credit comes")

    def _free(self, table: str) -> int:
        seats = self.get("dealer", f"/tables/{table}/seats")
        return next(int(one["position"]) for one in seats["positions"] if one["free"])

    def bet(self, patron: str, table: str, stakes: Sequence[tuple[str, int]]) -> None:
        """Let a patron stake, who sits there."""
        for wager, cents in stakes:
            self.give(patron, table, "place_wager", wager=wager, cents=cents)

    def phase(self, table: str, *phases: str, seconds: float = WAIT_SECONDS) -> dict[str, Any]:
        """Wait until a table is in one of some phases; return its view."""

        def there() -> dict[str, Any] | None:
            view = self.view(table)
            return view if view["phase"] in phases else None

        view: dict[str, Any] = until(there, f"{table} comes to {' or '.join(phases)}", seconds)
        return view

    def next_call(self, table: str) -> int:
        """Wait for the next call for bets; return the round."""
        before = self.view(table)["round"]
        until(
            lambda: self.view(table)["phase"] == "OPEN" and self.view(table)["round"] != before,
            f"bets of {table} open",
        )
        number: int = self.view(table)["round"]
        return number

    # The Dealer at a live table

    def take_over(self, table: str) -> None:
        """Let the Dealer deal instead of the house, and end the round that is on."""
        if self.view(table)["dealer"]["dealer"] is None:
            self.give("dealer", table, "sign_in")
        self.play_out(table)

    def call(self, table: str) -> int:
        """Let the Dealer bring the table to the next call for bets; return the round."""
        self.play_out(table)
        self.give("dealer", table, "call_bets")
        number: int = self.view(table)["round"]
        return number

    def draw(self, table: str, cards: int) -> None:
        """Let the Dealer close the bets and draw some cards."""
        if self.view(table)["phase"] == "OPEN":
            self.give("dealer", table, "close_bets")
        for _ in range(cards):
            self.give("dealer", table, "draw_card")

    def step(self, table: str) -> str | None:
        """Do what comes next; return what, None when a round may be called."""
        view = self.view(table)
        command: str | None = view["dealer"]["next"]["command"]
        if view["dealer"]["next"]["system"]:  # the house is at it
            time.sleep(0.2)
            return command
        if view["hold"] is not None:
            return self._answer(table, view["hold"]["kind"])
        if view["phase"] == "VOID" and self._replaced(table):
            return "decide_replacement"
        if command in {None, "call_bets"}:
            return None
        assert command is not None
        for name in (*STAFF, *self._seated.get(table, ())):
            if self._may(name, table, command):
                return command
        time.sleep(0.2)
        return command

    def _replaced(self, table: str) -> bool:
        """Decide whether the cards of a void round are replaced, where that is open."""
        return any(self._may(name, table, "decide_replacement") for name in STAFF)

    def _may(self, name: str, table: str, command: str, second: str | None = None) -> bool:
        """Let somebody give a command with the first values that are allowed, if it is open."""
        view = self.view(table, name)
        part = view.get("own") or view.get("dealer") or view["pit"]
        opened = next((one for one in part["may"] if one["command"] == command), None)
        if opened is None:
            return False
        approver = second if opened.get("approver") else None
        die = any(field["kind"] == "die" for field in opened.get("fields", ()))
        self.give(name, table, command, approver, POWER if die else None, **_only(opened))
        return True

    def _answer(self, table: str, kind: str) -> str:
        """Answer what a round waits for."""
        command = ANSWERS[kind]
        for name in STAFF:
            second = "pit-supervisor" if name != "pit-supervisor" else "pit-manager"
            if self._may(name, table, command, second):
                return command
        message = f"Nobody may {command} at {table}."
        raise RuntimeError(message)

    def play_out(self, table: str) -> None:
        """Let the Dealer do whatever comes next until no round is on."""
        until(lambda: self.step(table) is None, f"the round of {table} ends")

    def report(self, table: str, situation: str, **facts: Any) -> None:  # noqa: ANN401
        """Let the Dealer report an irregularity."""
        self.give("dealer", table, "report", about={"situation": situation, **facts})

    def confirm(self, table: str) -> None:
        """Let whoever may confirm what the Dealer reported, where it waits for that."""
        if (self.view(table)["hold"] or {}).get("kind") == "report":
            self._answer(table, "report")

    def empty(self, table: str) -> None:
        """Let everybody leave a table, in a round in which nobody has a stake."""
        self.call(table)
        for patron in self._seated.pop(table, ()):
            self.give(patron, table, "leave_seat")
        self.play_out(table)

    def close(self, table: str) -> dict[str, Any]:
        """Close a table of a house without patrons of its own; return its settings."""
        settings: dict[str, Any] = self.view(table, "pit-manager")["pit"]["settings"]
        self.empty(table)
        self.give("pit-manager", table, "close_table")
        return settings

    def reopen(self, table: str, **changed: Any) -> None:  # noqa: ANN401  # as on the wire
        """Close a table and open it with other settings; nobody sits there then."""
        settings = self.close(table)
        self.give("pit-manager", table, "open_table", settings={**settings, **changed})


def _require(answer: httpx.Response, status: int) -> Any:  # noqa: ANN401  # JSON
    if answer.status_code != status:
        message = f"{answer.request.method} {answer.request.url.path}: {answer.text}"
        raise RuntimeError(message)
    return answer.json() if answer.content else None


def _only(opened: dict[str, Any]) -> dict[str, Any]:
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
