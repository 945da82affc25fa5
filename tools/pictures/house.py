"""A demo house for pictures: a server in a temporary folder, and its people over HTTP."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
import uuid
from typing import TYPE_CHECKING, Any

from tools.people import WAIT_SECONDS, People, least, required, until

if TYPE_CHECKING:
    from pathlib import Path

START_SECONDS, STOP_SECONDS = 120.0, 20.0
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
STAFF = (
    "dealer",
    "pit-supervisor",
    "pit-manager",
    "assistant-casino-manager",
    "gaming-shift-manager",
)


class House(People):
    """A server that runs: where it is, who may sign in, and what they do there."""

    def __init__(self, folder: Path, *options: str, demo: bool = True) -> None:
        self.folder, self._ready = folder, folder / "ready.json"
        kind = ("--demo", "--seed", "8", *QUICK) if demo else ()
        self._options = (*kind, *options)
        self._port = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._logins: dict[str, str] = {}
        self._seated: dict[str, set[str]] = {}
        self.url = ""
        super().__init__(self.password)

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
        self.at(self.url)

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

    def end_sessions(self, name: str) -> None:
        """Let the administrator close all sessions of somebody."""
        headers = self._headers("administrator")
        required(self._http.delete(f"/users/{name}/sessions", headers=headers), 204)
        self._tokens.pop(name, None)

    def add_patron(self, name: str, cents: int) -> None:
        """Add a patron with money; the patron signs in with a password that is its own."""
        self._tokens.pop("administrator", None)  # idle for long, so signed out by now
        self.give("administrator", "accounts", "add_user", user=name, kind="patron")
        link = self.post("administrator", f"/users/{name}/password-link", status=201)
        self._logins[name] = f"demo-{uuid.uuid4().hex[:12]}"
        body = {"secret": link["secret"], "password": self._logins[name]}
        required(self._http.post("/passwords", json=body), 200)
        self.give("cashier", "cage", "buy_in", patron=name, cents=cents)

    # Tables

    def clocks(self, table: str, **seconds: float) -> None:
        """Change how long a table of the house waits."""
        now = self.settings(table)["clocks"]
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
        self.send_credit(patron, table, cents)

    def _free(self, table: str) -> int:
        seats = self.get("dealer", f"/tables/{table}/seats")
        return next(int(one["position"]) for one in seats["positions"] if one["free"])

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
        self.give(name, table, command, approver, die=POWER if die else None, **least(opened))
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
        settings = self.settings(table)
        self.empty(table)
        self.give("pit-manager", table, "close_table")
        return settings

    def reopen(self, table: str, **changed: Any) -> None:  # noqa: ANN401  # as on the wire
        """Close a table and open it with other settings; nobody sits there then."""
        settings = self.close(table)
        self.give("pit-manager", table, "open_table", settings={**settings, **changed})
