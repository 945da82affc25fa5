"""The configuration of a house: ``house.toml`` in its folder; what is missing is usual.

[gaming_day]
zone = "Asia/Singapore"

[clocks]                    # in seconds, of tables that are opened from now on
betting = 15
pause = 5
pace = 0.6
answer = 20

[clocks.tables.tiger]       # of this table only
betting = 30

[terminals]
lost = 15                   # seconds without a socket after which a terminal counts as lost
"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import asdict, replace

from croupier.gaming_day import GamingDay, read_gaming_day
from croupier.journal.errors import JournalError
from croupier.rules.errors import RulesError, listed, quoted
from croupier.table.settings import CLOCK_MS_MAX, Clocks

if TYPE_CHECKING:
    from pathlib import Path

CONFIGURATION = "house.toml"
PARTS = ("gaming_day", "clocks", "terminals")
MS = 1_000
LOST_SECONDS_MAX = 3_600


class Seconds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Clocks of a table as an operator sets them, in seconds; None: left as they are."""

    betting: float | None = None
    pause: float | None = None
    pace: float | None = None
    answer: float | None = None

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


AS_CONFIGURED = Seconds()


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


class TerminalTimes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When a terminal of an electronic table counts as lost (EB4 5.10)."""

    lost: float = 15.0
    """Seconds after its patron's last socket is gone."""

    def __post_init__(self) -> None:
        """Refuse what is no time to wait."""
        if not 0 <= self.lost <= LOST_SECONDS_MAX:
            message = (
                f"{self.lost:g} seconds came for lost; a terminal counts as lost after 0 to"
                f" {LOST_SECONDS_MAX} seconds."
            )
            raise RulesError(message)


class Configuration(msgspec.Struct, frozen=True):
    """What an operator sets for the whole house."""

    gaming_day: GamingDay = GamingDay()
    clocks: TableClocks = TableClocks()
    terminals: TerminalTimes = TerminalTimes()

    def overridden(self, clocks: Seconds) -> Configuration:
        """Return the configuration with clocks that override it."""
        return replace(self, clocks=replace(self.clocks, overriding=clocks))


def read_configuration(path: Path) -> Configuration:
    """Read the configuration of a house; without a file everything is as usual."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Configuration()
    except (OSError, UnicodeError) as error:
        message = f"The configuration {path.name} cannot be read: {error}."
        raise JournalError(message) from error
    try:
        found = tomllib.loads(text)
        unknown = [one for one in found if one not in PARTS]
        if unknown:
            message = (
                f"The configuration {path.name} has {quoted(unknown[0])};"
                f" it may have {listed(list(PARTS))}."
            )
            raise JournalError(message)
        day = read_gaming_day(found.get("gaming_day", {}))
        clocks = _read_clocks(found.get("clocks", {}))
        return Configuration(day, clocks, _read_terminals(found.get("terminals", {})))
    except (tomllib.TOMLDecodeError, RulesError) as error:
        message = f"The configuration {path.name} cannot be used: {str(error).rstrip('.')}."
        raise JournalError(message) from error


def _read_terminals(found: object) -> TerminalTimes:
    """Read when a terminal counts as lost; refuse it in a sentence."""
    try:
        return msgspec.convert(found, TerminalTimes)
    except msgspec.ValidationError as error:
        if isinstance(error.__cause__, RulesError):
            raise error.__cause__ from None
        message = f"The terminals cannot be read: {str(error).rstrip('.')}."
        raise RulesError(message) from error


def _read_clocks(found: object) -> TableClocks:
    """Read the clocks of all tables and of single ones; refuse them in a sentence."""
    try:
        usual = msgspec.convert(found, dict[str, object])
        tables = msgspec.convert(usual.pop("tables", {}), dict[str, Seconds])
        return TableClocks(msgspec.convert(usual, Seconds), tables)
    except msgspec.ValidationError as error:
        if isinstance(error.__cause__, RulesError):
            raise error.__cause__ from None
        message = f"The clocks cannot be read: {str(error).rstrip('.')}."
        raise RulesError(message) from error
