"""Servers in processes of their own, as an operator starts them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

START_SECONDS = 60.0
"""On a machine on which many tests run."""
CHANGING = (".lock", "-shm")
"""What SQLite and its lock leave beside a file; nothing of the house is in it."""


class Answer(NamedTuple):
    """What a server answered."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:  # noqa: ANN401  # whatever came
        return json.loads(self.body)


class Operated:
    """A server that runs, with what its ready file says."""

    def __init__(self, process: subprocess.Popen[str], ready: dict[str, Any]) -> None:
        self.process, self.ready = process, ready
        self.url: str = ready["url"]

    def call(
        self,
        method: str,
        path: str,
        body: object = None,
        token: str | None = None,
        **headers: str,
    ) -> Answer:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(  # noqa: S310  # our own server
            self.url + path, data, sent, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310
                return Answer(answer.status, dict(answer.headers), answer.read())
        except urllib.error.HTTPError as error:
            return Answer(error.code, dict(error.headers), error.read())

    def password(self, name: str) -> str:
        """Return the password of a login of the demo."""
        found: str = next(
            one["password"] for one in self.ready["logins"] if one["name"] == name
        )
        return found

    def sign_in(self, name: str, password: str | None = None) -> str:
        body = {"name": name, "password": password or self.password(name)}
        answer = self.call("POST", "/api/v1/sessions", body)
        assert answer.status == 201, answer.body
        token: str = answer.json["token"]
        return token

    def order(self, where: str, token: str, key: str, **command: object) -> Answer:
        path = f"/api/v1/{where}/commands"
        return self.call("POST", path, {"command": command}, token, Idempotency_Key=key)


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "croupier", *map(str, arguments)]


def environment(**more: str) -> dict[str, str]:
    kept = {key: one for key, one in os.environ.items() if not key.startswith("CROUPIER_")}
    return {**kept, **more}


NO_PORT = object()
"""Among the options: no port is said."""


@contextmanager
def operated(folder: Path, *options: object, **variables: str) -> Iterator[Operated]:
    """Run a server on a folder, at any port if none is said; it ends by SIGTERM, quietly."""
    ready, errors = folder.with_name("ready.json"), folder.with_name("errors.log")
    ready.unlink(missing_ok=True)
    port = () if {"--port", NO_PORT} & {*options} else ("--port", 0)
    told = (one for one in options if one is not NO_PORT)
    arguments = ("serve", "--data", folder, "--ready", ready, *port, *told)
    with (
        errors.open("w", encoding="utf-8") as stderr,
        folder.with_name("output.log").open("w", encoding="utf-8") as stdout,
    ):
        process = subprocess.Popen(  # noqa: S603  # our own program
            command(*arguments),
            stdout=stdout,
            stderr=stderr,
            text=True,
            env=environment(**variables),
        )
        try:
            end = time.monotonic() + START_SECONDS
            while not ready.exists():
                assert process.poll() is None, errors.read_text(encoding="utf-8")
                assert time.monotonic() < end, "the server did not start"
                time.sleep(0.02)
            yield Operated(process, json.loads(ready.read_text(encoding="utf-8")))
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
            code = process.wait(15)
    said = errors.read_text(encoding="utf-8")
    assert code == 0, said
    assert "Traceback" not in said


def refused(*arguments: object, **variables: str) -> str:
    """Run a command that is refused; return its one sentence."""
    done = subprocess.run(  # noqa: S603  # our own program
        command(*arguments),
        capture_output=True,
        text=True,
        env=environment(**variables),
        timeout=START_SECONDS,
        check=False,
    )
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    assert done.stdout == ""
    assert done.stderr.startswith("croupier: ")
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr.removeprefix("croupier: ").strip()


def digests(folder: Path) -> dict[str, str]:
    """Return the digest of every file of a house."""
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(CHANGING)
    }
