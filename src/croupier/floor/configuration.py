"""The configuration of a house: what an operator sets; what is missing is usual.

It is ``house.toml`` in the folder of the house, or a file that the command line names. Reading
it, with what the environment and the command line say beside, is in ``effective.py``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from msgspec import Meta
from msgspec.structs import asdict, replace

from croupier.floor.logs import Format, Level
from croupier.floor.rates import Rates
from croupier.floor.sessions import Settings, Times
from croupier.gaming_day import GamingDay
from croupier.rules.errors import RulesError, quoted
from croupier.table.settings import CLOCK_MS_MAX, Clocks

if TYPE_CHECKING:
    from pathlib import Path

CONFIGURATION: Final = "house.toml"
MS: Final = 1_000
PORT_MAX: Final = 65_535
PATRONS_MAX: Final = 200
LOST_SECONDS_MAX: Final = 3_600
PING_SECONDS_MIN: Final = 0.5
SOCKET_SECONDS_MAX: Final = 3_600
NAME_MAX: Final = 60
CENTS_MAX: Final = 10**12
WAIT_MAX, RATE_MAX, NUMBER_MAX = 86_400, 100_000, 9_999
ORIGIN: Final = re.compile(r"https?://[^\s/?#@]+")


def _said(meaning: str) -> Meta:
    """Say what a key is for: in the reference, and where the configuration is shown."""
    return Meta(description=meaning)


class Seconds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Clocks of a table as an operator sets them, in seconds; None: left as they are."""

    betting: Annotated[float | None, _said("from the call for bets to the closing")] = None
    pause: Annotated[float | None, _said("from the end of a round to the next call")] = None
    pace: Annotated[float | None, _said("between cards; 0: without waiting")] = None
    answer: Annotated[float | None, _said("that the house waits for an answer")] = None

    def __post_init__(self) -> None:
        """Refuse what no clock can be set to."""
        for name, seconds in asdict(self).items():
            if seconds is not None and not 0 <= seconds <= CLOCK_MS_MAX / MS:
                message = (
                    f"{seconds:g} seconds came for {name}; a clock runs for 0 to"
                    f" {CLOCK_MS_MAX // MS} seconds."
                )
                raise RulesError(message)

    def over(self, clocks: Clocks) -> Clocks:
        """Return clocks with those that are set here."""
        given = {
            f"{name}_ms": round(seconds * MS)
            for name, seconds in asdict(self).items()
            if seconds is not None
        }
        return replace(clocks, **given)


AS_CONFIGURED: Final = Seconds()


class TableClocks(msgspec.Struct, frozen=True):
    """The clocks of all tables of a house, and what single tables have otherwise."""

    usual: Seconds = AS_CONFIGURED
    tables: dict[str, Seconds] = {}
    overriding: Seconds = AS_CONFIGURED
    """From the command line: for every table."""

    def of(self, table: str) -> Clocks:
        """Return the clocks of a table."""
        own = self.tables.get(table, AS_CONFIGURED)
        return self.overriding.over(own.over(self.usual.over(Clocks())))


class TerminalTimes(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When a terminal of an electronic table counts as lost (EB4 5.10)."""

    lost: Annotated[
        float, _said("seconds without a socket after which a terminal counts as lost")
    ] = 15.0

    def __post_init__(self) -> None:
        """Refuse what is no time to wait."""
        if not 0 <= self.lost <= LOST_SECONDS_MAX:
            message = (
                f"{self.lost:g} seconds came for lost; a terminal counts as lost after 0 to"
                f" {LOST_SECONDS_MAX} seconds."
            )
            raise RulesError(message)


class SocketTimes(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When a socket on which a client says nothing is asked, and when it is closed."""

    ping: Annotated[
        float,
        Meta(
            ge=PING_SECONDS_MIN,
            le=SOCKET_SECONDS_MAX,
            description="seconds after which a client that says nothing is asked, each time",
        ),
    ] = 10.0
    dead: Annotated[
        float,
        Meta(
            ge=PING_SECONDS_MIN,
            le=SOCKET_SECONDS_MAX,
            description="seconds of silence after which a socket is closed; more than ping",
        ),
    ] = 30.0


class AlarmLimits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """At what the pit is alarmed, beside what devices say; 0: at nothing of the kind."""

    big_win_cents: Annotated[
        int, Meta(ge=0, le=CENTS_MAX, description="net winnings of one wager, and more")
    ] = 2_000_000
    waits_seconds: Annotated[
        int, Meta(ge=0, le=WAIT_MAX, description="that a round waits for people")
    ] = 180
    slow_rounds_an_hour: Annotated[
        int, Meta(ge=0, le=RATE_MAX, description="fewer rounds an hour, over ten rounds")
    ] = 20
    fast_rounds_an_hour: Annotated[
        int, Meta(ge=0, le=RATE_MAX, description="more rounds an hour, over ten rounds")
    ] = 0
    differential_percent: Annotated[
        int, Meta(ge=0, le=100, description="of the table differential, and more")
    ] = 80
    count_difference_cents: Annotated[
        int, Meta(ge=0, le=CENTS_MAX, description="that a table's count is off, and more")
    ] = 1
    clock_seconds: Annotated[
        int, Meta(ge=0, le=WAIT_MAX, description="that the machine's clock is off, and more")
    ] = 5
    device_silent_seconds: Annotated[
        int, Meta(ge=0, le=WAIT_MAX, description="that a device at a table in play is silent")
    ] = 15


class Server(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the house is, and where it is reached."""

    data: Annotated[str, _said("the folder of the house")] = "house"
    name: Annotated[
        str,
        Meta(min_length=1, max_length=NAME_MAX, description="the name over the door"),
    ] = "Croupier"
    database: Annotated[
        str | None, _said("the journal in PostgreSQL, as postgresql://user@host/name")
    ] = None
    database_file: Annotated[
        str | None, _said("a file with that address, if a password is in it")
    ] = None
    host: Annotated[str, _said("the address to listen at")] = "127.0.0.1"
    port: Annotated[
        int, Meta(ge=0, le=PORT_MAX, description="the port; 0 takes a free one")
    ] = 8000
    origins: Annotated[
        tuple[str, ...],
        _said("where browsers see the house, and pages elsewhere, as https://host:port"),
    ] = ()
    tls_certificate: Annotated[str | None, _said("the certificate and its chain, PEM")] = None
    tls_key: Annotated[str | None, _said("the key of the certificate, PEM")] = None
    ready: Annotated[str | None, _said("a file to write when requests are answered")] = None
    tick_ms: Annotated[
        int, Meta(ge=0, le=10_000, description="how long wagers of others may wait to be shown")
    ] = 250
    table_numbers: Annotated[
        dict[str, Annotated[int, Meta(ge=1, le=NUMBER_MAX)]],
        _said("numbers of tables by name; others are numbered as they were founded"),
    ] = {}

    def __post_init__(self) -> None:
        """Refuse what cannot be an origin, and a number that two tables have."""
        if len({*self.table_numbers.values()}) < len(self.table_numbers):
            message = "Two tables have the same number; each has one of its own."
            raise RulesError(message)
        for origin in self.origins:
            if not ORIGIN.fullmatch(origin):
                message = (
                    f"{quoted(origin)} is no origin; one is a scheme, a host and perhaps a"
                    " port, as in https://floor.example:8443."
                )
                raise RulesError(message)

    @property
    def tls(self) -> bool:
        """Tell whether the server speaks TLS itself."""
        return self.tls_certificate is not None


class Demo(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Play money."""

    on: Annotated[bool, _said("play money, logins for everybody, a floor that plays")] = False
    seed: Annotated[int | None, _said("repeatable shoes and dice")] = None
    patrons: Annotated[
        int, Meta(ge=0, le=PATRONS_MAX, description="patrons that the house plays")
    ] = 12


class Log(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is logged, and how."""

    level: Annotated[Level, _said("debug, info, warning or error")] = Level.INFO
    format: Annotated[Format, _said("json, text, or auto: text at a terminal")] = Format.AUTO
    access: Annotated[bool, _said("a line for every request")] = False


class Backup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where backups go that are made while the house is open."""

    folder: Annotated[
        str | None, _said("where they go; none: backups in the folder of the house")
    ] = None
    keys_folder: Annotated[
        str | None, _said("where the keys go, apart; none: they are not in any backup")
    ] = None


class Configuration(msgspec.Struct, frozen=True):
    """What an operator sets for the whole house."""

    gaming_day: GamingDay = GamingDay()
    clocks: TableClocks = TableClocks()
    terminals: TerminalTimes = TerminalTimes()
    sockets: SocketTimes = SocketTimes()
    alarms: AlarmLimits = AlarmLimits()
    server: Server = Server()
    demo: Demo = Demo()
    people: Settings = Settings()
    log: Log = Log()
    backup: Backup = Backup()

    def overridden(self, clocks: Seconds) -> Configuration:
        """Return the configuration with clocks that override it."""
        over = self.clocks.overriding
        given = {key: one for key, one in asdict(clocks).items() if one is not None}
        return replace(self, clocks=replace(self.clocks, overriding=replace(over, **given)))


SECTIONS: Final[dict[str, type[msgspec.Struct]]] = {
    "server": Server,
    "demo": Demo,
    "gaming_day": GamingDay,
    "clocks": Seconds,
    "terminals": TerminalTimes,
    "sockets": SocketTimes,
    "alarms": AlarmLimits,
    "people.sessions": Times,
    "people.rates": Rates,
    "log": Log,
    "backup": Backup,
}
"""Every section of the file, and what it says; ``clocks.tables.NAME`` is as ``clocks``."""
TABLES: Final = "clocks.tables"
MEANINGS: Final = {
    "gaming_day.zone": "the time zone of the house",
    "gaming_day.shifts": "the shifts; the first begins the gaming day",
    "gaming_day.currency": "what the house counts its money in",
    "people.sessions.staff_idle_minutes": "after which a session of staff ends unused",
    "people.sessions.patron_idle_minutes": "after which a session of a patron ends unused",
    "people.sessions.session_hours": "after which every session ends",
    "people.sessions.sessions_per_name": "sessions of one name; more close the oldest",
    "people.rates.failed_logins": "sign-ins of one name that may fail",
    "people.rates.failed_logins_minutes": "within which they are counted",
    "people.rates.messages_per_second": "messages and requests of one session",
    "people.rates.messages_burst": "of them at once",
    "people.rates.refusals_per_minute": "recorded refusals of one session",
    "people.rates.sockets_per_session": "sockets of one session",
    "people.rates.nobody_per_second": "requests of one address without a login; 0: any number",
    "people.rates.local": "whether both count for programs on this machine, too",
}
"""Of keys whose section is declared elsewhere."""


def read_configuration(path: Path) -> Configuration:
    """Read the configuration of a house from its file alone; refuse it in a sentence."""
    from croupier.floor.effective import read_file  # noqa: PLC0415  # it stands on this

    return read_file(path)
