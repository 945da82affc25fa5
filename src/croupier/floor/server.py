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
import ssl
from typing import TYPE_CHECKING, Annotated

import msgspec
import uvicorn

from croupier.floor.app import application
from croupier.floor.connection import Connection
from croupier.floor.headers import guarded
from croupier.floor.live import Client
from croupier.floor.screens import FOLDER
from croupier.floor.stopping import Stopping
from croupier.journal.errors import JournalError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from croupier.floor.demo import DemoLogin
    from croupier.floor.floor import Floor

GRACE_SECONDS = 1
IDLE_SECONDS = 75
"""How long a connection is kept between two requests: longer than clients and proxies keep
theirs, so that they close it. One that we close just as a request comes takes it unanswered."""
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


class Writer(msgspec.Struct, frozen=True):
    """Who wrote a ready file."""

    pid: Annotated[int, msgspec.Meta(ge=1)]


def bind(host: str, port: int, *, other: bool = False) -> socket.socket:
    """Return a socket that listens; with ``other``, at the next free port if this is taken.

    It listens at once: of two servers that start together, one is told that the port is taken.
    """
    reason: OSError | None = None
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for tried in range(port, port + (PORTS_TRIED if other and port else 1)):
        found = socket.socket(family, socket.SOCK_STREAM)
        try:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            found.bind((host, tried))
            found.listen(BACKLOG)
        except (OSError, OverflowError) as error:
            found.close()
            reason = error if isinstance(error, OSError) else None
            continue
        found.setblocking(False)  # noqa: FBT003  # its only way
        return found
    why = "it is none" if reason is None else reason.strerror or str(reason)
    message = f"Port {port} of {host} cannot be used: {why}; say another one by --port."
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


def require_room(path: Path) -> None:
    """Remove a ready file of before; refuse a place where none could be written.

    That of a server which may still run is left, until port and folder are known to be ours.
    """
    new = path.with_name(f"{path.name}.new")
    try:
        if not _perhaps_running(path):
            path.unlink(missing_ok=True)
        new.unlink(missing_ok=True)
        os.close(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        new.unlink()
    except OSError as error:
        message = f"The ready file {path} cannot be written: {error.strerror}."
        raise JournalError(message) from error


def forget_ready(path: Path) -> None:
    """Remove a ready file of before: port and folder are ours, so whoever wrote it is gone."""
    path.unlink(missing_ok=True)


def _perhaps_running(path: Path) -> bool:
    """Tell whether the process of a ready file is there; another may have its number by now."""
    try:
        pid = msgspec.json.decode(path.read_bytes(), type=Writer).pid
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError, UnicodeError, msgspec.MsgspecError):
        return False
    return pid != os.getpid()


def require_tls(certificate: Path, key: Path) -> None:
    """Refuse a certificate that cannot be used, before anything is opened."""
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key)
    except OSError as error:  # what is wrong with their content is one, too
        why = error.strerror or str(error)
        message = f"The certificate {certificate} and its key {key} cannot be used: {why}."
        raise JournalError(message) from error


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
        self,
        floor: Floor,
        listening: socket.socket,
        stopping: Stopping | None = None,
        *,
        tls: tuple[Path, Path] | None = None,
        access: bool = False,
        screens: Path = FOLDER,
    ) -> None:
        self.floor, self._listening, self._tls = floor, listening, tls
        Client.floor = floor
        config = uvicorn.Config(
            guarded(application(floor, access=access, screens=screens)),
            log_config=None,
            access_log=False,
            http=Connection,
            lifespan="off",
            ws=Client,
            ws_ping_interval=None,
            backlog=BACKLOG,
            server_header=False,
            date_header=False,
            timeout_keep_alive=IDLE_SECONDS,
            timeout_graceful_shutdown=GRACE_SECONDS,
            ssl_certfile=None if tls is None else tls[0],
            ssl_keyfile=None if tls is None else tls[1],
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
        scheme = "http" if self._tls is None else "https"
        return f"{scheme}://{shown}:{port}"

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
