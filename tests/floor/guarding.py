"""A house with its door, a process of its own, and people who come to it over the network."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
from websockets.sync.client import connect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from websockets.sync.client import ClientConnection

MEMORY = Path("/dev/shm")  # noqa: S108  # a folder in memory
ROOT = Path(__file__).resolve().parent.parent.parent
PASSWORD = "a password of a test"  # noqa: S105
EXTRA = (
    ("bare", "staff", None),
    ("acting-supervisor", "staff", "Dealer"),
    ("acting-cashier", "staff", "Technician"),
    ("gone-patron", "patron", None),
    ("gone-dealer", "staff", "Dealer"),
    ("gone-cashier", "staff", "Cashier"),
    ("second-dealer", "staff", "Dealer"),
    ("second-manager", "staff", "Pit Manager"),
)
"""Whom the demo does not have: name, kind, position."""
ACTING = (("acting-supervisor", "Pit Supervisor"), ("acting-cashier", "Cashier"))
CANARIES = ("S", "Water")
"""Suits that lie behind all others in a stacked shoe."""
UNLIMITED = {
    "rates": {
        "messages_per_second": 100_000,
        "messages_burst": 100_000,
        "refusals_per_minute": 100_000,
        "failed_logins": 100,
        "sockets_per_session": 1_000,
        "nobody_per_second": 0,
    }
}
START_SECONDS, STOP_SECONDS = 60.0, 15.0


class Door:
    """A server process: asked over HTTP and sockets, and beside them by its input."""

    def __init__(self, folder: Path, options: dict[str, Any]) -> None:
        self.folder, self._options = folder, options
        self._ready, self._log = folder / "ready", folder / "log"
        self._tokens: dict[str, str] = {}
        self.url = ""

    def start(self) -> None:
        self._ready.unlink(missing_ok=True)
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(  # noqa: S603  # our own worker
                [sys.executable, "-m", "tests.floor.guard_worker", str(self.folder),
                 json.dumps(self._options)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, cwd=ROOT,
                env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"},
            )  # fmt: skip
        end = time.monotonic() + START_SECONDS
        while not self._ready.exists():
            assert self.process.poll() is None, self.log
            assert time.monotonic() < end, f"not ready: {self.log}"
            time.sleep(0.02)
        ready = json.loads(self._ready.read_bytes())
        self.url = ready["url"]
        self.logins = {one["name"]: one for one in ready["logins"]}
        self.http = httpx.Client(base_url=f"{self.url}/api/v1", timeout=30)

    def stop(self) -> int:
        self.http.close()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()
        return self.process.wait(STOP_SECONDS)

    @property
    def log(self) -> str:
        """Return what the server wrote to its log."""
        return self._log.read_text(errors="replace")

    # Beside the API

    def ask(self, what: str, **fields: Any) -> Any:  # noqa: ANN401  # JSON
        """Ask the process itself."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        line = json.dumps({"ask": what, **fields})
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        assert answer, self.log
        read = json.loads(answer)
        assert not isinstance(read, dict) or "error" not in read, read
        return read

    def heads(self) -> dict[str, int]:
        """Return how many records every stream has."""
        heads: dict[str, int] = self.ask("heads")
        return heads

    # People

    def password(self, name: str) -> str:
        """Return the password of somebody."""
        known = self.logins.get(name)
        return PASSWORD if known is None else str(known["password"])

    def sign_in(self, name: str) -> httpx.Response:
        answer = self.http.post(
            "/sessions", json={"name": name, "password": self.password(name)}
        )
        self.http.cookies.clear()
        return answer

    def token(self, name: str) -> str:
        """Return a token of somebody, who signs in once."""
        if name not in self._tokens:
            answer = self.sign_in(name)
            assert answer.status_code == 201, answer.text
            self._tokens[name] = answer.json()["token"]
        return self._tokens[name]

    def forget(self, name: str) -> None:
        """Let somebody sign in anew."""
        self._tokens.pop(name, None)

    def headers(self, name: str | None) -> dict[str, str]:
        return {} if name is None else {"Authorization": f"Bearer {self.token(name)}"}

    def get(self, name: str | None, path: str) -> httpx.Response:
        return self.http.get(path, headers=self.headers(name))

    def order(
        self,
        name: str | None,
        where: str,
        command: dict[str, Any],
        key: str | None = None,
        **beside: Any,  # noqa: ANN401  # round, hold, approval
    ) -> httpx.Response:
        """Give a command over HTTP."""
        path = (
            f"/{where}/commands"
            if where in ("cage", "accounts")
            else f"/tables/{where}/commands"
        )
        headers = {**self.headers(name), "Idempotency-Key": key or new_key()}
        return self.http.post(path, json={"command": command, **beside}, headers=headers)

    def approve(
        self,
        name: str,
        where: str,
        command: dict[str, Any],
        for_name: str,
        **beside: Any,  # noqa: ANN401  # cards, die
    ) -> httpx.Response:
        body = {"table": where, "command": command, "for": for_name, **beside}
        return self.http.post("/approvals", json=body, headers=self.headers(name))

    def live(self, name: str, **options: Any) -> ClientConnection:  # noqa: ANN401  # of connect
        """Open a socket with a ticket."""
        ticket = self.http.post("/tickets", headers=self.headers(name)).json()["ticket"]
        return self.live_by(ticket, **options)

    def live_by(self, ticket: str, **options: Any) -> ClientConnection:  # noqa: ANN401
        url = self.url.replace("http", "ws", 1)
        return connect(
            f"{url}/api/v1/live?ticket={ticket}",
            compression=None,
            max_size=None,
            legacy=True,
            **{"ping_interval": NO_PINGS, **options},
        )


NO_PINGS = None
"""The thread that pings draws from `random`, which Hypothesis takes for a test's own chance."""


def new_key() -> str:
    return uuid.uuid4().hex


def code_of(answer: httpx.Response) -> str | None:
    """Return the code of a problem; None: it is none."""
    if answer.is_success:
        return None
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    problem = answer.json()
    assert problem["status"] == answer.status_code
    assert problem["detail"].endswith("."), "one sentence"
    return str(problem["code"])


def say(live: ClientConnection, **message: Any) -> None:  # noqa: ANN401  # JSON
    live.send(json.dumps(message))


def hear(live: ClientConnection, kind: str, seconds: float = 10.0) -> dict[str, Any]:
    """Return the next message of a kind."""
    end = time.monotonic() + seconds
    while True:
        message: dict[str, Any] = json.loads(live.recv(timeout=end - time.monotonic()))
        if message["type"] == kind:
            return message


def command(live: ClientConnection, where: str, body: dict[str, Any], **beside: Any) -> Any:  # noqa: ANN401
    """Give a command over a socket; return its answer."""
    key = beside.pop("id", None) or new_key()
    say(live, type="command", id=key, table=where, command=body, **beside)
    while True:
        answer = hear(live, "answer")
        if answer["id"] == key:
            return answer


@contextmanager
def house(**options: Any) -> Iterator[Door]:  # noqa: ANN401  # of the worker
    """Open a house; in the end it stops in order, and failed nowhere.

    Its folder lies in memory where there is such a place: nothing here is about disks.
    """
    place = MEMORY if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="croupier-", dir=place) as folder:
        yield from _house(Door(Path(folder), options))


def _house(door: Door) -> Iterator[Door]:
    door.start()
    try:
        yield door
    finally:
        code = door.stop()
    assert code == 0, door.log
    assert "Traceback" not in door.log, door.log
    assert "failed" not in door.log, door.log
