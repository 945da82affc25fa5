"""The server: uvicorn around a floor, signals, the ready file, and the way down.

Uvicorn sends a signal that it caught again when it is done, which would end the process before
the journal is closed; therefore signals are ours.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import resource
import socket
from typing import TYPE_CHECKING

import msgspec
import uvicorn

from croupier.floor.app import application
from croupier.floor.headers import guarded
from croupier.floor.live import Client
from croupier.floor.stopping import Stopping
from croupier.journal.errors import JournalError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from croupier.floor.demo import DemoLogin
    from croupier.floor.floor import Floor

GRACE_SECONDS = 1
BACKLOG = 4096
FILES_WANTED = 65_536
GARBAGE = (10_000, 10, 1_000)
"""Cycles are sought seldom, and never among what lives since the start."""
PORTS_TRIED = 20


class Server(uvicorn.Server):
    """A server that leaves signals to whoever runs it."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals alone."""
        yield


class Ready(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is written to the ready file."""

    url: str
    pid: int
    version: str
    logins: list[DemoLogin] | None = None


def bind(host: str, port: int, *, other: bool = False) -> socket.socket:
    """Return a socket that listens; with ``other``, at the next free port if this is taken."""
    for tried in range(port, port + (PORTS_TRIED if other and port else 1)):
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            found = socket.socket(family, socket.SOCK_STREAM)
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            found.bind((host, tried))
        except OSError as error:
            found.close()
            reason = error
            continue
        found.setblocking(False)  # noqa: FBT003  # its only way
        return found
    message = f"Port {port} of {host} cannot be used: {reason.strerror}."
    raise JournalError(message)


def raise_files_limit() -> int:
    """Let this process have as many open files as it may; return how many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES_WANTED if hard == resource.RLIM_INFINITY else min(hard, FILES_WANTED)
    if soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            return wanted
    return soft


def write_ready(path: Path, ready: Ready) -> None:
    """Write the ready file, whole or not at all, for its owner alone."""
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(msgspec.json.encode(ready))
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


class Running:
    """A floor that serves until it is told to stop."""

    def __init__(
        self, floor: Floor, listening: socket.socket, stopping: Stopping | None = None
    ) -> None:
        self.floor, self._listening = floor, listening
        Client.floor = floor
        config = uvicorn.Config(
            guarded(application(floor)),
            log_config=None,
            access_log=False,
            http="httptools",
            lifespan="off",
            ws=Client,
            ws_ping_interval=None,
            backlog=BACKLOG,
            server_header=False,
            date_header=False,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        self._server = Server(config)
        if stopping is None:
            stopping = Stopping()
            stopping.listen()
        stopping.serving = True
        self._stopping = stopping

    @property
    def url(self) -> str:
        """Return the address at which it serves."""
        host, port = self._listening.getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        return f"http://{shown}:{port}"

    async def start(self) -> None:
        """Serve; returns when requests are answered."""
        self._task = asyncio.create_task(self._server.serve([self._listening]))
        while not self._server.started:
            if self._task.done():
                await self._task
                message = "The server could not start."
                raise JournalError(message)
            await asyncio.sleep(0.005)
        gc.collect()
        gc.freeze()
        gc.set_threshold(*GARBAGE)

    async def wait(self) -> None:
        """Wait until somebody stops the server."""
        await self._stopping.wait()

    async def close(self) -> None:
        """Let rounds end while clients still hear of it, then say good-bye and close."""
        floor = self.floor
        floor.closing = True
        try:
            await floor.end_rounds()
        finally:
            floor.hub.end_streams()
            self._server.should_exit = True
            await asyncio.gather(self._task, return_exceptions=True)
            await floor.close()
