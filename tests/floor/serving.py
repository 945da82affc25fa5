"""A real server process for tests: started, asked, stopped, and looked at when it ends."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

FAST = ("--betting", "1.5", "--pause", "0.3", "--pace", "0.02", "--answer", "0.5")
"""Clocks under which a round takes about two seconds."""
START_SECONDS, STOP_SECONDS = 90.0, 12.0
SOURCE = Path(__file__).resolve().parent.parent.parent / "src"


def croupier(*arguments: str) -> list[str]:
    """Return the command line of a command of ours."""
    return [sys.executable, "-m", "croupier", *arguments]


def environment() -> dict[str, str]:
    """Return an environment in which a process finds the code under test."""
    return {**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONUNBUFFERED": "1"}


def printed(*arguments: str) -> Any:  # noqa: ANN401  # any document
    """Return what a command of ours prints as JSON."""
    found = subprocess.run(  # noqa: S603  # our own command line
        croupier(*arguments, "--json"), check=True, capture_output=True, env=environment()
    )
    return json.loads(found.stdout)


class Served:
    """A server that runs: where it is, who may sign in, and how it ends."""

    def __init__(
        self,
        folder: Path,
        *options: str,
        demo_patrons: int = 0,
        clocks: tuple[str, ...] = FAST,
        demo: bool = True,
    ) -> None:
        self.folder, self._ready, self.port = folder, folder / "ready", 0
        self._options, self.demo_patrons = (*clocks, *options), demo_patrons
        self._demo = demo
        self._output = folder / "output"
        self.process: subprocess.Popen[bytes] | None = None
        self.url = ""
        self.logins: dict[str, dict[str, Any]] = {}

    def begin(self) -> None:
        """Begin to start it, at the port that it had before."""
        demo = ("--demo", "--demo-patrons", str(self.demo_patrons)) if self._demo else ()
        self._ready.unlink(missing_ok=True)
        with self._output.open("ab") as output:
            self.process = subprocess.Popen(  # noqa: S603  # our own command
                croupier(
                    "serve",
                    "--data",
                    str(self.folder / "house"),
                    "--port",
                    str(self.port),
                    "--ready",
                    str(self._ready),
                    *demo,
                    *self._options,
                ),
                stdout=output,
                stderr=subprocess.STDOUT,
                env=environment(),
            )

    def start(self) -> None:
        """Start it; return when it answers."""
        self.begin()
        assert self.process is not None
        end = time.monotonic() + START_SECONDS
        while not self._ready.exists():
            assert self.process.poll() is None, self.output
            if time.monotonic() > end:
                self.kill()
                message = f"not ready: {self.output}"
                raise AssertionError(message)
            time.sleep(0.02)
        ready = json.loads(self._ready.read_bytes())
        self.url = ready["url"]
        self.port = int(self.url.rsplit(":", 1)[1])
        self.logins = {one["name"]: one for one in ready.get("logins", ())}

    def password(self, name: str) -> str:
        """Return the password of somebody of the demo."""
        password: str = self.logins[name]["password"]
        return password

    def kill(self) -> None:
        """End it as a power failure would."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """Ask it to stop; return its exit code."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(STOP_SECONDS)

    @property
    def output(self) -> str:
        """Return what it printed, without passwords."""
        return re.sub(r"demo-[0-9a-f]{12}", "***", self._output.read_text(errors="replace"))

    @property
    def sockets(self) -> int:
        """Return how many connections to the port are established, as the kernel knows."""
        return established(self.port)


def established(port: int) -> int:
    """Return how many connections from this machine to a port are open."""
    found = 0
    for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]:
        _, local, _, state, *_ = line.split()
        found += state == "01" and int(local.rsplit(":", 1)[1], 16) == port
    return found


@contextmanager
def serving(
    folder: Path, *options: str, demo_patrons: int = 0, clocks: tuple[str, ...] = FAST
) -> Iterator[Served]:
    """Serve a demo in a folder; at the end it stops in order, and failed nowhere."""
    one = Served(folder, *options, demo_patrons=demo_patrons, clocks=clocks)
    one.start()
    try:
        yield one
    finally:
        code = one.stop()
    assert code == 0, one.output
    assert "Traceback" not in one.output, one.output


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a demo with fast clocks and without patrons of the house."""
    with serving(tmp_path_factory.mktemp("served")) as one:
        yield one
