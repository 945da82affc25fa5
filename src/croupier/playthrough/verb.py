"""What a verb of the language is, and what a line asks for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from croupier.playthrough.lines import Words

if TYPE_CHECKING:
    from croupier.table import commands as c


@dataclass(frozen=True, slots=True)
class Asked:
    """A command, with what only the house knows."""

    command: c.Command
    cards: tuple[str, ...] = ()
    die: int | None = None
    feed: bool = False
    """A card comes from the house, where the house deals."""


Read = Callable[[Words], "list[Asked]"]


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb of one or two words, how it is written, and what it asks for."""

    name: str
    syntax: str
    kinds: tuple[type[c.Command], ...]
    read: Read


def ask(command: c.Command) -> list[Asked]:
    """Ask for one command."""
    return [Asked(command)]


def verb(syntax: str, kind: type[c.Command], read: Read, *more: type[c.Command]) -> Verb:
    """Return a verb; its name is what stands in front of capitals, brackets and options."""
    name: list[str] = []
    for word in syntax.split():
        if not word.isalpha() or not word.islower():
            break
        name.append(word)
    return Verb(" ".join(name), syntax, (kind, *more), read)
