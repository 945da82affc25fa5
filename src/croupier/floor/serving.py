"""Serving: from the options of the command line to a floor that runs, and down again."""

from __future__ import annotations

import ipaddress
from pathlib import Path  # noqa: TC003  # read by msgspec
from typing import TYPE_CHECKING, Final

import msgspec

from croupier import __version__
from croupier.floor.configuration import Seconds
from croupier.floor.demo import DemoLogin, found_demo, guests_of
from croupier.floor.floor import Floor
from croupier.floor.founding import found_tables
from croupier.floor.running import run
from croupier.floor.server import Ready, Running, bind, raise_files_limit, write_ready
from croupier.journal.errors import JournalError
from croupier.rules.errors import RulesError
from croupier.table.settings import CLOCK_MS_MAX

if TYPE_CHECKING:
    from typing import TextIO

    from croupier.floor.guests import Guests
    from croupier.floor.stopping import Stopping

MS: Final = 1000
DEMO_PATRONS: Final = 12
PORT_MAX: Final = 65_535


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What the command line says."""

    data: Path
    database: str | None = None
    host: str = "127.0.0.1"
    port: int = 8000
    demo: bool = False
    seed: int | None = None
    demo_patrons: int | None = None
    betting: float | None = None
    pause: float | None = None
    pace: float | None = None
    answer: float | None = None
    ready: Path | None = None
    config: Path | None = None


def check(options: Options) -> None:
    """Refuse options that cannot be used, before anything is changed."""
    if options.seed is not None and not options.demo:
        message = "A seed makes the shoes repeatable; it is for --demo alone."
        raise RulesError(message)
    if options.demo_patrons is not None and not options.demo:
        message = "--demo-patrons is for --demo alone."
        raise RulesError(message)
    if options.demo_patrons is not None and not 0 <= options.demo_patrons <= 200:  # noqa: PLR2004
        message = f"{options.demo_patrons} patrons of the demo came; 0 to 200 are allowed."
        raise RulesError(message)
    if not 0 <= options.port <= PORT_MAX:
        message = f"Port {options.port} came; a port is 0 to {PORT_MAX}."
        raise RulesError(message)
    for name in ("betting", "pause", "pace", "answer"):
        seconds = getattr(options, name)
        if seconds is not None and not 0 <= seconds * MS <= CLOCK_MS_MAX:
            message = f"--{name} {seconds} came; 0 to {CLOCK_MS_MAX // MS} seconds are allowed."
            raise RulesError(message)


def clocks_of(options: Options) -> Seconds:
    """Return the clocks of tables that the command line gives."""
    return Seconds(options.betting, options.pause, options.pace, options.answer)


def run_server(options: Options, out: TextIO, stopping: Stopping) -> int:
    """Run a house until it is stopped; return the exit code."""
    check(options)
    try:
        return run(stopping.started(_serve(options, out, stopping)))
    except JournalError as error:
        raise RulesError(str(error)) from error


async def _serve(options: Options, out: TextIO, stopping: Stopping) -> int:
    raise_files_limit()
    if options.ready is not None:
        options.ready.unlink(missing_ok=True)
    listening = bind(options.host, options.port, other=options.demo)
    floor = await Floor.open(
        options.data, options.database, clocks=clocks_of(options), seed=options.seed
    )
    logins: list[DemoLogin] | None = None
    try:
        if options.demo:
            logins = await found_demo(floor, guests_wanted(options))
        else:
            await found_tables(floor.house)
        floor.start()
    except BaseException:
        await floor.close()
        raise
    running = Running(floor, listening, stopping)
    await running.start()
    if options.ready is not None:
        write_ready(options.ready, Ready(running.url, _pid(), __version__, logins))
    out.writelines(f"{line}\n" for line in _greeting(options, running.url, logins))
    out.flush()
    guests = _guests(options, floor, running.url)
    await running.wait()
    if guests is not None:
        await guests.close()
    await running.close()
    return 0


def guests_wanted(options: Options) -> int:
    """Return how many patrons the house plays."""
    return DEMO_PATRONS if options.demo_patrons is None else options.demo_patrons


def _guests(options: Options, floor: Floor, url: str) -> Guests | None:
    """Let the demo's patrons come; those of an earlier start who are too many leave."""
    if not options.demo:
        return None
    known, wanted = guests_of(floor.house.folder), guests_wanted(options)
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


def _pid() -> int:
    import os  # noqa: PLC0415

    return os.getpid()


def _greeting(options: Options, url: str, logins: list[DemoLogin] | None) -> list[str]:
    """Return what is printed when the house is open."""
    lines = [f"The house is open at {url} (Ctrl-C closes it)."]
    try:
        loopback = ipaddress.ip_address(options.host).is_loopback
    except ValueError:
        loopback = options.host == "localhost"
    if not loopback:
        lines.append("Warning: this address is reached from outside, and without TLS.")
    for one in logins or ():
        what = one.position or one.kind.value
        lines.append(f"  {one.name:28} {one.password:20} {what}")
    return lines
