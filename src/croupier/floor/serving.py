"""Serving: from what is configured to a floor that runs, and down again."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from croupier import __version__
from croupier.floor import logs
from croupier.floor.demo import DemoLogin, found_demo, guests_of
from croupier.floor.effective import USUAL, configured
from croupier.floor.floor import Floor
from croupier.floor.founding import found_tables
from croupier.floor.running import run
from croupier.floor.server import (
    Ready,
    Running,
    bind,
    forget_ready,
    raise_files_limit,
    require_room,
    require_tls,
    write_ready,
)
from croupier.floor.setup import first_link
from croupier.journal.errors import JournalError
from croupier.rules.errors import RulesError

if TYPE_CHECKING:
    import socket
    from typing import TextIO

    from croupier.floor.configuration import Configuration, Server
    from croupier.floor.door import Issued
    from croupier.floor.guests import Guests
    from croupier.floor.stopping import Stopping

LOGGER = logging.getLogger("croupier.serve")
FAILED: Final = 1
"""The exit code of a server that failed; 2 says that something must be changed first."""
KEYS: Final = {
    "data": "server.data",
    "database": "server.database",
    "host": "server.host",
    "port": "server.port",
    "ready": "server.ready",
    "demo": "demo.on",
    "seed": "demo.seed",
    "demo_patrons": "demo.patrons",
    "betting": "clocks.betting",
    "pause": "clocks.pause",
    "pace": "clocks.pace",
    "answer": "clocks.answer",
    "log_level": "log.level",
    "log_format": "log.format",
}
"""What every option of the command line is called in the configuration."""


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What the command line says; None: nothing."""

    data: Path | None = None
    database: str | None = None
    host: str | None = None
    port: int | None = None
    demo: bool | None = None
    seed: int | None = None
    demo_patrons: int | None = None
    betting: float | None = None
    pause: float | None = None
    pace: float | None = None
    answer: float | None = None
    ready: Path | None = None
    config: Path | None = None
    log_level: str | None = None
    log_format: str | None = None

    def given(self) -> dict[str, Any]:
        """Return what is said, by its key of the configuration."""
        return {
            key: str(value) if isinstance(value, Path) else value
            for name, key in KEYS.items()
            if (value := getattr(self, name)) is not None
        }


def run_server(options: Options, out: TextIO, stopping: Stopping) -> int:
    """Run a house until it is stopped; return the exit code."""
    try:
        effective = configured(options.config, options.given(), os.environ)
        configuration = effective.configuration
        # A port that somebody names is meant; without one the demo takes what is free.
        named = effective.values["server.port"][1] != USUAL
        writing = logs.set_up(configuration.log.level, configuration.log.format)
        try:
            return run(stopping.started(_serve(configuration, out, stopping, named=named)))
        except (JournalError, RulesError, OSError):
            raise
        except Exception:
            # Our own bug: a line of the log, which names places and no values.
            LOGGER.critical("the server failed", exc_info=True)
            return FAILED
        finally:
            logs.tear_down(writing)
    except JournalError as error:
        raise RulesError(str(error)) from error


async def _serve(
    configuration: Configuration, out: TextIO, stopping: Stopping, *, named: bool
) -> int:
    server, demo = configuration.server, configuration.demo
    raise_files_limit()
    if server.ready is not None:
        require_room(Path(server.ready))
    tls = _tls(server)
    address = database_of(server)
    listening = bind(server.host, server.port, other=demo.on and not named)
    try:
        floor = await _opened(configuration, address)
    except BaseException:
        listening.close()
        raise
    logins: list[DemoLogin] | None = None
    link: Issued | None = None
    try:
        if server.ready is not None:
            forget_ready(Path(server.ready))
        if demo.on:
            logins = await found_demo(floor, demo.patrons)
        else:
            await found_tables(floor.house)
            link = await first_link(floor)
        floor.start()
    except BaseException:
        listening.close()
        await floor.close()
        raise
    running = Running(floor, listening, stopping, tls=tls, access=configuration.log.access)
    try:
        await running.start()
        lines = [*_greeting(server, running.url, listening), *_logins(logins)]
        lines += _invitation(running.url, link)
        out.writelines(f"{line}\n" for line in lines)
        out.flush()  # whoever waits for the ready file finds all of it
        if server.ready is not None:
            ready = Ready(running.url, os.getpid(), __version__, logins)
            write_ready(Path(server.ready), ready)
    except BaseException:
        await running.close()
        raise
    _log_start(floor, running.url)
    guests = _guests(configuration, floor, running.url)
    await running.wait()
    LOGGER.info("the server goes down")
    # From here on no round is opened; guests still answer, so that rounds can end.
    ending = asyncio.ensure_future(floor.end_rounds())
    if guests is not None:
        await guests.close()
    await asyncio.gather(ending, return_exceptions=True)
    await running.close()
    LOGGER.info("the house is closed")
    return 0


async def _opened(configuration: Configuration, address: str | None) -> Floor:
    server = configuration.server
    return await Floor.open(
        Path(server.data),
        address,
        settings=configuration.people,
        origins=server.origins,
        tick_seconds=server.tick_ms / 1000,
        configuration=configuration,
        seed=configuration.demo.seed,
    )


def _guests(configuration: Configuration, floor: Floor, url: str) -> Guests | None:
    """Let the demo's patrons come; those of an earlier start who are too many leave."""
    if not configuration.demo.on:
        return None
    known, wanted = guests_of(floor.house.folder), configuration.demo.patrons
    going = [
        one
        for one in known[wanted:]
        if any(one.name in desk.table.seats for desk in floor.house.tables.values())
    ]
    if not wanted and not going:
        return None
    from croupier.floor.guests import Guests  # noqa: PLC0415  # for the demo alone

    guests = Guests(_reached(url), known[:wanted], going)
    guests.start()
    return guests


def _reached(url: str) -> str:
    """Return the address at which this machine reaches a server that listens everywhere."""
    return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")


def database_of(server: Server) -> str | None:
    """Return the address of the database, if there is one; it may be in a file."""
    if server.database_file is None:
        return server.database
    path = Path(server.database_file)
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or "it is no text"
        message = f"The file {path} with the address of the database cannot be read: {why}."
        raise JournalError(message) from error


def _tls(server: Server) -> tuple[Path, Path] | None:
    if server.tls_certificate is None or server.tls_key is None:
        return None
    found = Path(server.tls_certificate), Path(server.tls_key)
    require_tls(*found)
    return found


def _log_start(floor: Floor, url: str) -> None:
    house = floor.house
    LOGGER.info("version %s serves %d tables at %s", __version__, len(house.tables), url)
    for name in house.interrupted:
        LOGGER.warning("a round was interrupted and ruled", extra={"table": name})
    for name, failure in house.failures.items():
        LOGGER.error("the table could not be started: %s", failure, extra={"table": name})


# What is printed when the house is open


def _greeting(server: Server, url: str, listening: socket.socket) -> list[str]:
    lines = [f"The house is open at {url} (Ctrl-C closes it)."]
    port = listening.getsockname()[1]
    if server.port not in (0, port):
        lines.insert(0, f"Port {server.port} is taken; {port} is the next free one.")
    if not _loopback(server.host) and not server.tls:
        lines.append("Warning: this address is reached from outside, and without TLS.")
    return lines


def _loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _logins(logins: list[DemoLogin] | None) -> list[str]:
    return [
        f"  {one.name:28} {one.password:20} {one.position or one.kind.value}"
        for one in logins or ()
    ]


def _invitation(url: str, link: Issued | None) -> list[str]:
    """Say how the first administrator is made: by a link that works once."""
    if link is None:
        return []
    return [
        "Nobody can sign in yet. The first administrator is made once, within a day, at",
        f"  {url}/setup#{link.token}",
    ]
