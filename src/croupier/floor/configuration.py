"""The configuration of a house: ``house.toml`` in its folder; what is missing is usual."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import msgspec

from croupier.gaming_day import GamingDay, read_gaming_day
from croupier.journal.errors import JournalError
from croupier.rules.errors import RulesError, listed, quoted

if TYPE_CHECKING:
    from pathlib import Path

CONFIGURATION = "house.toml"
PARTS = ("gaming_day",)


class Configuration(msgspec.Struct, frozen=True):
    """What an operator sets for the whole house."""

    gaming_day: GamingDay = GamingDay()


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
        return Configuration(read_gaming_day(found.get("gaming_day", {})))
    except (tomllib.TOMLDecodeError, RulesError) as error:
        message = f"The configuration {path.name} cannot be used: {str(error).rstrip('.')}."
        raise JournalError(message) from error
