"""Servers for tests: a process with a house of its own, and people who are signed in there."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import time
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
from websockets.sync.client import ClientConnection, connect

from croupier.uuids import uuid7

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[3]
START_SECONDS = 60.0
BASE = "/api/v1"


class Served:
    """A server that runs, and who may sign in."""

    def __init__(self, folder: Path, ready: dict[str, Any]) -> None:
        self.folder, self.url = folder, ready["url"]
        self.passwords = {one["name"]: one["password"] for one in ready["logins"]}
        self._tokens: dict[str, str] = {}
        self.opened = ExitStack()
        self.http = httpx.Client(base_url=self.url, timeout=15.0)

    def token(self, name: str) -> str:
        """Return the token of somebody, who signs in once."""
        if name not in self._tokens:
            login = {"name": name, "password": self.passwords[name]}
            with httpx.Client(base_url=self.url, timeout=15.0) as client:
                answer = client.post(f"{BASE}/sessions", json=login)
            assert answer.status_code == httpx.codes.CREATED, answer.text
            self._tokens[name] = answer.json()["token"]
        return self._tokens[name]

    def ask(
        self,
        method: str,
        path: str,
        name: str | None = None,
        **options: Any,  # noqa: ANN401  # of httpx
    ) -> httpx.Response:
        """Send a request, as somebody or as nobody."""
        headers = dict(options.pop("headers", {}))
        if name is not None:
            headers["Authorization"] = f"Bearer {self.token(name)}"
        return self.http.request(method, f"{BASE}{path}", headers=headers, **options)

    def get(self, path: str, name: str | None = None, **options: Any) -> httpx.Response:  # noqa: ANN401
        """Read something."""
        return self.ask("GET", path, name, **options)

    def order(
        self,
        where: str,
        command: dict[str, Any],
        name: str,
        **fields: Any,  # noqa: ANN401  # of the body
    ) -> httpx.Response:
        """Give a command."""
        headers = {"Idempotency-Key": uuid7()}
        body = {"command": command, **fields}
        return self.ask("POST", f"/{where}/commands", name, json=body, headers=headers)

    def play(self, table: str, name: str, position: int, rounds: int) -> list[int]:
        """Let a patron sit down and bet on so many rounds; return their numbers, all over."""
        if self.get(f"/tables/{table}", name).json()["view"]["own"]["seat"] is None:
            taken = {"type": "take_seat", "position": position}
            assert self.order(f"tables/{table}", taken, name).is_success
            sent = {"type": "send_to_table", "table": table, "cents": 10_000_00}
            assert self.order("cage", sent, name).is_success
        played: list[int] = []
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            view = self.get(f"/tables/{table}", name).json()["view"]
            over = {one["round"] for one in view["results"]} | set(range(view["round"] or 0))
            if len(played) == rounds and set(played) <= over:
                return played
            if view["phase"] == "OPEN" and len(played) < rounds and view["round"] not in played:
                wager = {"type": "place_wager", "wager": "banker", "cents": 100_00}
                wager |= {"position": position}
                number = view["round"]
                if self.order(f"tables/{table}", wager, name, round=number).is_success:
                    played.append(number)
            time.sleep(0.02)
        message = f"{rounds} rounds at {table} took too long: {played}"
        raise AssertionError(message)

    def heads(self) -> dict[str, int]:
        """Return how many records the journal has of every stream."""
        journal = f"file:{self.folder / 'house' / 'journal.sqlite'}?mode=ro"
        with closing(sqlite3.connect(journal, uri=True)) as database:
            query = "SELECT stream, max(sequence) FROM decision GROUP BY stream"
            return dict(database.execute(query))

    def socket(self, name: str) -> ClientConnection:
        """Open a socket of somebody."""
        return self.socket_by(self.ask("POST", "/tickets", name).json()["ticket"])

    def socket_by(self, ticket: str) -> ClientConnection:
        """Open a socket by a ticket."""
        where = f"ws{self.url[4:]}{BASE}/live?ticket={ticket}"
        # A thread that pings draws from `random`, which Hypothesis takes for the test's own.
        return self.opened.enter_context(connect(where, max_size=None, ping_interval=None))


@contextmanager
def serving(folder: Path, *, deals: bool) -> Iterator[Served]:
    """Run a server of a new house."""
    arguments = [sys.executable, "-m", "tests.floor.api.worker", str(folder)]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(  # noqa: S603  # our own
            [*arguments, "deals" if deals else "quiet"], cwd=ROOT, stdout=log, stderr=log
        )
    try:
        end, ready = time.monotonic() + START_SECONDS, folder / "ready"
        while not ready.exists():
            text = (folder / "log").read_text(encoding="utf-8")
            assert process.poll() is None, text
            assert time.monotonic() < end, text
            time.sleep(0.05)
        served = Served(folder, json.loads(ready.read_bytes()))
        yield served
        served.opened.close()
        served.http.close()
        process.terminate()
        assert process.wait(15) == 0
        assert (folder / "log").read_text(encoding="utf-8") == "", "something went wrong"
    finally:
        process.kill()
        process.wait()
