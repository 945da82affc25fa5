"""``croupier config``: what is configured for a house, and who says so."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from croupier.cli.journals import row, say
from croupier.cli.output import JsonFlag, console, new_table, print_json

if TYPE_CHECKING:
    from croupier.floor.effective import Effective

MISTAKEN = 2
config = App(name="config", help="Show what is configured for a house, or what is wrong.")
File = Annotated[
    Path | None,
    Parameter(name="FILE", help="The file; house.toml in the folder if you do not say."),
]
Folder = Annotated[
    Path | None, Parameter(name="--data", help="The folder of the house; ./house.")
]


def _found(file: Path | None, data: Path | None) -> Effective | None:
    """Return what is configured; None: it is wrong, and every mistake was said."""
    from croupier.floor.effective import MistakenError, configured  # noqa: PLC0415  # slow to load

    given = {} if data is None else {"server.data": str(data)}
    try:
        return configured(file, given, os.environ)
    except MistakenError as error:
        for mistake in error.mistakes:
            sys.stderr.write(f"croupier: {mistake}\n")
        return None


@config.command
def check(file: File = None, /, *, data: Folder = None, json: JsonFlag = False) -> int:
    """Print what is effective and where each value comes from, or every mistake."""
    found = _found(file, data)
    if found is None:
        return MISTAKEN
    if json:
        print_json(
            {key: {"value": one, "from": origin} for key, (one, origin) in found.values.items()}
        )
        return 0
    table = new_table("key", "value", "from")
    for key, (value, origin) in found.values.items():
        row(table, key, _written(value), origin)
    console().print(table)
    return 0


@config.command
def show(file: File = None, /, *, data: Folder = None, json: JsonFlag = False) -> int:
    """Print what is effective as a configuration that could be used."""
    found = _found(file, data)
    if found is None:
        return MISTAKEN
    if json:
        print_json({key: value for key, (value, _) in found.values.items()})
        return 0
    section = ""
    for key, (value, _) in found.values.items():
        here, _, name = key.rpartition(".")
        if here != section:
            say(console(), f"{'' if not section else chr(10)}[{here}]")
            section = here
        if value is not None:
            say(console(), f"{name} = {_written(value)}")
    return 0


def _written(value: Any) -> str:  # noqa: ANN401  # any value of the file
    """Write a value as TOML does."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_written(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_written(one) for one in value) + "]"
    if isinstance(value, str):
        import json  # noqa: PLC0415  # strings of JSON are those of TOML

        return json.dumps(value, ensure_ascii=False)
    return str(value)
