"""The codec: names and versions of every command and event, which are ours.

A class may be renamed or moved, what is stored stays: the name is the tag of its struct. When
the fields of a kind change, its version goes up in ``VERSIONS`` and an upcast turns a body of
the old version into one of the next. Nothing here lists kinds by hand; the golden file of the
tests does, and finds every change of a form that has no new version.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

import msgspec

from croupier.accounts.commands import COMMANDS as ACCOUNTS_COMMANDS
from croupier.accounts.events import EVENTS as ACCOUNTS_EVENTS
from croupier.cage.commands import COMMANDS as CAGE_COMMANDS
from croupier.cage.events import EVENTS as CAGE_EVENTS
from croupier.journal.errors import JournalError
from croupier.table.commands import COMMANDS as TABLE_COMMANDS
from croupier.table.evolve import EVENTS as TABLE_EVENTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

encode_canonical = msgspec.json.Encoder(order="sorted").encode
"""Canonical JSON: keys in order, no spaces, UTF-8."""


class Start(msgspec.Struct, frozen=True, tag="start", forbid_unknown_fields=True):
    """Take a stream over in a new epoch: the first command of every epoch."""

    holder: str


class Started(msgspec.Struct, frozen=True, tag="started", gc=False, forbid_unknown_fields=True):
    """A new epoch began; all its decisions are taken by this release."""

    holder: str
    release: str


def _by_name(kinds: Iterable[type[msgspec.Struct]]) -> dict[str, type[msgspec.Struct]]:
    found: dict[str, type[msgspec.Struct]] = {}
    for kind in kinds:
        name = str(kind.__struct_config__.tag)
        assert name not in found, f"two kinds are named {name}"
        found[name] = kind
    return found


COMMANDS = _by_name((*TABLE_COMMANDS, *CAGE_COMMANDS, *ACCOUNTS_COMMANDS, Start))
"""Every kind of command by its name."""
EVENTS = _by_name((*TABLE_EVENTS, *CAGE_EVENTS, *ACCOUNTS_EVENTS, Started))
"""Every kind of event by its name."""

NAMES = {kind: name for name, kind in (*COMMANDS.items(), *EVENTS.items())}
"""Of every kind of command and event: its name."""

if TYPE_CHECKING:
    AnyCommand = msgspec.Struct
    AnyEvent = msgspec.Struct
else:
    AnyCommand = Union[tuple(COMMANDS.values())]  # noqa: UP007  # of what there is
    AnyEvent = Union[tuple(EVENTS.values())]  # noqa: UP007

VERSIONS: dict[str, int] = {"bets_opened": 2, "cashed_out": 3}
"""Names whose fields have changed, with their newest version; all others have version 1.

A command and an event never share a name, so one list serves both.
"""
UPCASTS: dict[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {
    ("bets_opened", 1): lambda fields: {**fields, "credits": None},
    ("cashed_out", 1): lambda fields: {**fields, "expires": None},
    ("cashed_out", 2): lambda fields: {**fields, "table": None, "position": None},
}
"""By name and version: how a body becomes one of the next version; the tag stays in it."""


def version_of(name: str) -> int:
    """Return the version in which a kind is written today."""
    return VERSIONS.get(name, 1)


def upcast(name: str, version: int, fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a body of any version as today's version has them."""
    newest = version_of(name)
    if not 1 <= version <= newest or (name not in EVENTS and name not in COMMANDS):
        raise JournalError(_unknown(name, version))
    for old in range(version, newest):
        fields = UPCASTS[name, old](fields)
    return fields


def decode(name: str, version: int, body: bytes) -> msgspec.Struct:
    """Return the command or event of a name, brought up to today's version."""
    kind = EVENTS.get(name) or COMMANDS.get(name)
    if kind is None or not 1 <= version <= version_of(name):
        raise JournalError(_unknown(name, version))
    try:
        fields = msgspec.json.decode(body, type=dict[str, Any])
        return msgspec.convert(upcast(name, version, fields), kind)
    except (msgspec.MsgspecError, LookupError, RecursionError, UnicodeError) as error:
        said = str(error).rstrip(".") or type(error).__name__
        message = f"The body of a {name!r} cannot be read: {said}."
        raise JournalError(message) from error


def _unknown(name: str, version: int) -> str:
    return f"A {name!r} of version {version} is not known here."


def check_names_differ() -> None:
    """Insist that no command has the name of an event."""
    assert not COMMANDS.keys() & EVENTS.keys(), "a command and an event share a name"


check_names_differ()
