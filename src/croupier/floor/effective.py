"""What is configured in effect: by the command line, the environment, a file, or as usual.

The first of these that says something holds. Every mistake is one sentence that says where it
is; nothing is started with a configuration that has one.
"""

from __future__ import annotations

import re
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_type_hints

import msgspec
from msgspec.structs import asdict

from croupier.floor.configuration import (
    AS_CONFIGURED,
    CONFIGURATION,
    MEANINGS,
    MS,
    SECTIONS,
    TABLES,
    Configuration,
    Seconds,
    Server,
    TableClocks,
)
from croupier.floor.sessions import Settings
from croupier.journal.errors import JournalError
from croupier.rules.errors import RulesError, listed, quoted
from croupier.table.settings import Clocks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ENVIRONMENT: Final = "CROUPIER_"
FILE_VARIABLE: Final = "CROUPIER_CONFIG"
"""Names the file, where the command line does not."""
USUAL: Final = "usual"
PARENTS: Final = frozenset({"people", TABLES})
"""Sections that have sections, and no keys of their own."""
CLOCK_NAMES: Final = Seconds.__struct_fields__
SECRET_KEYS: Final = frozenset({"server.database"})
HEADER: Final = re.compile(r"\s*\[\[?\s*([^\]]+?)\s*\]")
KEY: Final = re.compile(r"\s*((?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*[^\s=.]+)*)\s*=")
EXPECTED: Final = re.compile(r" - at `[^`]*`$")


class Mistake(NamedTuple):
    """Something that is configured and cannot be used."""

    where: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.where}: {self.sentence}"


class MistakenError(JournalError):
    """A configuration that cannot be used, with all that is wrong with it."""

    def __init__(self, mistakes: list[Mistake]) -> None:
        super().__init__(" ".join(str(one) for one in mistakes))
        self.mistakes = mistakes


class Said(NamedTuple):
    """What one source says of one key."""

    value: Any
    origin: str
    lax: bool = False
    """It is text, as the environment has it."""


class Effective(NamedTuple):
    """A configuration, with where every value of it comes from."""

    configuration: Configuration
    values: dict[str, tuple[Any, str]]
    """By key: the value, and who says so."""


def effective(
    file: Path | None = None,
    environment: Mapping[str, str] | None = None,
    command_line: Mapping[str, Any] | None = None,
    *,
    required: bool = False,
) -> Effective:
    """Return what is configured; raises ``MistakenError`` with everything that is wrong.

    A file that is ``required`` must be there; another one may be missing.
    """
    mistakes: list[Mistake] = []
    layers = (
        _of_command_line(command_line or {}),
        _of_environment(environment or {}, mistakes),
        _of_file(file, mistakes, required=required),
    )
    said: dict[str, Said] = {}
    for layer in layers:
        for key, one in layer.items():
            if _known(key, one, mistakes):
                said.setdefault(key, one)
    _drop_covered(said, layers)
    if not required and "server.data" in layers[2]:
        why = "the folder is where this file is; to set it, name the file by --config."
        mistakes.append(Mistake(layers[2]["server.data"].origin, f"server.data: {why}"))
    made = _made(said, mistakes)
    if not mistakes:
        mistakes += _contradictions(made, said)
    if mistakes:
        raise MistakenError(mistakes)
    return Effective(made, _shown(made, said))


def configured(
    config: Path | None, command_line: Mapping[str, Any], environment: Mapping[str, str]
) -> Effective:
    """Return what is configured for a house: by the file that is named, or its folder's own."""
    named = config or environment.get(FILE_VARIABLE)
    if named is not None:
        return effective(Path(named), environment, command_line, required=True)
    folder = (
        command_line.get("server.data")
        or environment.get(f"{ENVIRONMENT}SERVER__DATA")
        or Server().data
    )
    return effective(Path(folder) / CONFIGURATION, environment, command_line)


def read_file(path: Path) -> Configuration:
    """Read the configuration from a file alone; without one everything is as usual."""
    return effective(path).configuration


# Sources


def _of_command_line(given: Mapping[str, Any]) -> dict[str, Said]:
    option = {"server": "", "demo": "demo-", "clocks": "", "log": "log-"}
    named = {"demo.on": "--demo", "demo.seed": "--seed"}
    found = {}
    for key, value in given.items():
        section, _, name = key.partition(".")
        shown = named.get(key, f"--{option.get(section, '')}{name.replace('_', '-')}")
        found[key] = Said(value, shown)
    return found


def _of_environment(environment: Mapping[str, str], mistakes: list[Mistake]) -> dict[str, Said]:
    found = {}
    for name, text in sorted(environment.items()):
        if not name.startswith(ENVIRONMENT) or "__" not in name:
            continue
        parts = name.removeprefix(ENVIRONMENT).lower().split("__")
        if parts[:2] == ["clocks", "tables"] and len(parts) > 2:  # noqa: PLR2004
            parts[2] = parts[2].replace("_", "-")
        key = ".".join(parts)
        if not key or not all(parts):
            mistakes.append(Mistake(name, "it names no key of the configuration."))
            continue
        found[key] = Said(text, name, lax=True)
    return found


def _of_file(path: Path | None, mistakes: list[Mistake], *, required: bool) -> dict[str, Said]:
    if path is None:
        return {}
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        if required:
            mistakes.append(Mistake(str(path), "there is no such file."))
        return {}
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        mistakes.append(Mistake(str(path), f"it cannot be read: {why}."))
        return {}
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        mistakes.append(Mistake(path.name, f"it is no TOML: {error}."))
        return {}
    lines = lines_of(text)
    return {
        key: Said(value, _place(path, lines, key)) for key, value in _flat(document, "").items()
    }


def _place(path: Path, lines: Mapping[str, int], key: str) -> str:
    while key not in lines and "." in key:
        key = key.rpartition(".")[0]
    return f"line {lines[key]} of {path.name}" if key in lines else path.name


def _flat(document: Mapping[str, Any], section: str) -> dict[str, Any]:
    """Return the keys of all sections with their values."""
    found: dict[str, Any] = {}
    for name, value in document.items():
        key = f"{section}.{name}" if section else name
        if isinstance(value, dict) and _is_section(key):
            found |= _flat(value, key)
        else:
            found[key] = value
    return found


def _is_section(key: str) -> bool:
    return key in SECTIONS or key in PARENTS or key.rpartition(".")[0] == TABLES


def lines_of(text: str) -> dict[str, int]:
    r"""Return the line of every section and key of a file.

    >>> lines_of("[server]\nport = 1\n")
    {'server': 1, 'server.port': 2}
    """
    found: dict[str, int] = {}
    section = ""
    for number, line in enumerate(text.splitlines(), start=1):
        header = HEADER.match(line)
        key = None if header else KEY.match(line)
        if header:
            section = _plain(header.group(1))
            found.setdefault(section, number)
        elif key:
            name = _plain(key.group(1))
            found.setdefault(f"{section}.{name}" if section else name, number)
    return found


def _plain(key: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in key.split("."))


# Keys


def section_of(key: str) -> tuple[str, str]:
    """Return the section of a key, and its name there."""
    section, _, name = key.rpartition(".")
    return section, name


def shape_of(section: str) -> type[msgspec.Struct] | None:
    """Return what a section says; None: there is no such section."""
    if section.rpartition(".")[0] == TABLES:
        return Seconds
    return SECTIONS.get(section)


def _known(key: str, said: Said, mistakes: list[Mistake]) -> bool:
    """Tell whether a key may be set, and to this; note why not."""
    section, name = section_of(key)
    shape = shape_of(section)
    if _is_section(key):
        mistakes.append(Mistake(said.origin, f"{key} is a section, [{key}], and no value."))
        return False
    if shape is None:
        sections = listed([*SECTIONS, f"{TABLES}.NAME"])
        why = f"there is no {quoted(key)}; the sections are {sections}."
        mistakes.append(Mistake(said.origin, why))
        return False
    if name not in shape.__struct_fields__:
        names = listed(list(shape.__struct_fields__))
        why = f"{section} has no {quoted(name)}; it has {names}."
        mistakes.append(Mistake(said.origin, why))
        return False
    try:
        _read(shape, name, said)
    except (msgspec.ValidationError, RulesError) as error:
        cause = error.__cause__ if isinstance(error.__cause__, RulesError) else error
        why = EXPECTED.sub("", str(cause)).rstrip(".")
        shown = "" if key in SECRET_KEYS else f" is {_written(said.value)}"
        mistakes.append(Mistake(said.origin, f"{key}{shown}: {why}."))
        return False
    return True


def _read(shape: type[msgspec.Struct], name: str, said: Said) -> Any:  # noqa: ANN401  # of the key
    """Return a value as its key has it; text of the environment may stand for anything."""
    if not said.lax:
        return getattr(msgspec.convert({name: said.value}, shape), name)
    tries: list[Any] = [said.value]
    with suppress(tomllib.TOMLDecodeError, KeyError):
        tries.append(tomllib.loads(f"value = {said.value}")["value"])
    tries.append([part.strip() for part in said.value.split(",") if part.strip()])
    first: Exception | None = None
    for one in tries:
        try:
            return getattr(msgspec.convert({name: one}, shape, strict=False), name)
        except (msgspec.ValidationError, RulesError) as error:
            first = first or error
    assert first is not None
    raise first


def _drop_covered(said: dict[str, Said], layers: tuple[dict[str, Said], ...]) -> None:
    """Let clocks of all tables by the environment come before those of one by the file."""
    _, environment, file = layers
    for key in [one for one in said if one.startswith(f"{TABLES}.")]:
        if said[key] is file.get(key) and f"clocks.{section_of(key)[1]}" in environment:
            del said[key]


def _made(said: Mapping[str, Said], mistakes: list[Mistake]) -> Configuration:
    """Return the configuration; what does not fit together is noted."""
    sections: dict[str, dict[str, Any]] = {}
    for key, one in said.items():
        section, name = section_of(key)
        shape = shape_of(section)
        assert shape is not None
        sections.setdefault(section, {})[name] = _read(shape, name, one)
    made: dict[str, Any] = {}
    for section, values in sections.items():
        shape = shape_of(section)
        assert shape is not None
        try:
            made[section] = shape(**values)
        except RulesError as error:
            where = next(
                one.origin for key, one in said.items() if section_of(key)[0] == section
            )
            mistakes.append(Mistake(where, str(error)))
    command_line = {
        section_of(key)[1]
        for key, one in said.items()
        if section_of(key)[0] == "clocks" and one.origin.startswith("--")
    }
    usual: Seconds = made.pop("clocks", AS_CONFIGURED)
    over = Seconds(**{name: getattr(usual, name) for name in command_line})
    tables = {
        section.rpartition(".")[2]: value
        for section, value in made.items()
        if section.rpartition(".")[0] == TABLES
    }
    people = {
        name: made[f"people.{name}"]
        for name in ("sessions", "rates")
        if f"people.{name}" in made
    }
    whole = {name: made[name] for name in SECTIONS if name in made}
    whole = {name: value for name, value in whole.items() if "." not in name}
    return Configuration(
        clocks=TableClocks(usual, tables, over), people=Settings(**people), **whole
    )


def _contradictions(made: Configuration, said: Mapping[str, Said]) -> Iterator[Mistake]:
    """Yield what is right by itself and not together."""
    server, demo = made.server, made.demo

    def where(key: str) -> str:
        return said[key].origin

    if (server.tls_certificate is None) != (server.tls_key is None):
        key = f"server.tls_{'key' if server.tls_certificate is None else 'certificate'}"
        yield Mistake(where(key), "TLS needs both tls_certificate and tls_key.")
    if server.database is not None and server.database_file is not None:
        yield Mistake(
            where("server.database_file"), "database or database_file is given, not both."
        )
    if made.sockets.dead <= made.sockets.ping:
        key = "sockets.dead" if "sockets.dead" in said else "sockets.ping"
        yield Mistake(
            where(key),
            f"A socket would be closed after {made.sockets.dead:g} seconds of silence, before"
            f" its client is asked after {made.sockets.ping:g}; let dead be more than ping.",
        )
    if demo.seed is not None and not demo.on:
        yield Mistake(
            where("demo.seed"), "A seed makes the shoes repeatable; it is for the demo alone."
        )
    if "demo.patrons" in said and not demo.on and where("demo.patrons").startswith("--"):
        yield Mistake(where("demo.patrons"), "Patrons that the house plays are the demo's.")


# What is shown


def _shown(made: Configuration, said: Mapping[str, Said]) -> dict[str, tuple[Any, str]]:
    """Return every key with its value and who says so, in the order of the reference."""
    found: dict[str, tuple[Any, str]] = {}
    for section in (*SECTIONS, *(f"{TABLES}.{name}" for name in made.clocks.tables)):
        for name, value in asdict(_part(made, section)).items():
            key = f"{section}.{name}"
            origin = said[key].origin if key in said else USUAL
            if section.rpartition(".")[0] == TABLES and key not in said:
                continue
            shown = masked(value) if key in SECRET_KEYS else msgspec.to_builtins(value)
            found[key] = (shown, origin)
    return found


def _part(made: Configuration, section: str) -> msgspec.Struct:
    if section == "clocks":
        clocks = made.clocks.usual.over(Clocks())
        return Seconds(*(getattr(clocks, f"{name}_ms") / MS for name in CLOCK_NAMES))
    if section.rpartition(".")[0] == TABLES:
        return made.clocks.tables[section.rpartition(".")[2]]
    part: Any = made
    for name in section.split("."):
        part = getattr(part, name)
    return part  # type: ignore[no-any-return]


def masked(address: str | None) -> str | None:
    """Return the address of a database without its password."""
    return None if address is None else re.sub(r"(://[^:/@]*):[^/]*@", r"\1:***@", address)


def _written(value: object) -> str:
    return quoted(value) if isinstance(value, str) else str(value)


def reference() -> Iterator[tuple[str, str, object]]:
    """Yield every key of the configuration with its meaning and its usual value."""
    for section, shape in SECTIONS.items():
        hints = get_type_hints(shape, include_extras=True)
        usual = _part(Configuration(), section)
        for name in shape.__struct_fields__:
            metas = getattr(hints[name], "__metadata__", ())
            said = next((one.description for one in metas if one.description), None)
            key = f"{section}.{name}"
            yield key, said or MEANINGS[key], msgspec.to_builtins(getattr(usual, name))
