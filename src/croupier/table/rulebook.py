"""The shape of a rulebook: its edition, approval, glossary, layouts, tableau and games.

The five rulebooks themselves are values in :mod:`croupier.rulebooks`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta, timezone
from typing import TYPE_CHECKING

from croupier.rules.errors import RulesError, UnknownNameError, cited, listed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from croupier.rules.game import Edition, Game
    from croupier.rules.tableau import Tableau
    from croupier.table.procedure import Procedure
    from croupier.table.rulings import Ruling, Situation

SINGAPORE = timezone(timedelta(hours=8), "Asia/Singapore")
"""Effective moments are read as Singapore time; without an hour, the start of the day (A43)."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word that the rulebook defines, with its meaning in our own words."""

    name: str
    meaning: str
    clause: str
    also: tuple[str, ...] = ()
    """Other names under which the rulebook speaks of it."""


def approval(clause: str) -> Term:
    """Return the approval that the regulator gave, as the texts that have one state it."""
    return Term(
        "Approval",
        "Gambling Regulatory Authority of Singapore, Casino Control Act 2006 s.100(1),"
        " for the casino of Marina Bay Sands Pte. Ltd.",
        clause,
    )


@dataclass(frozen=True, slots=True)
class Area:
    """An area of the layout for the placement of wagers, at every playing position."""

    wagers: tuple[str, ...]
    clause: str


@dataclass(frozen=True, slots=True)
class Layout:
    """A layout of an appendix or diagram; its drawing is not part of the text."""

    name: str
    clause: str
    positions: range | None = None
    """The allowed numbers of playing positions; None: the table's configuration says."""
    game: str | None = None
    """The game whose terminals show it; None: any game of the rulebook."""
    terminal: str | None = None
    """The kind of terminal, where the appendix names one."""

    def require_positions(self, positions: int) -> None:
        """Refuse a number of playing positions that this layout is not available with."""
        allowed = self.positions
        if positions < 1 or (allowed is not None and positions not in allowed):
            message = (
                f"Layout {self.name} cannot have {positions} playing positions;"
                f" {self.available_with} [{cited(self.clause)}]."
            )
            raise RulesError(message)

    @property
    def available_with(self) -> str:
        """Say which numbers of playing positions are allowed."""
        if self.positions is None:
            return "positions are set by the table's configuration"
        first, last = self.positions[0], self.positions[-1]
        return (
            "it has 1 playing position" if last == 1 else f"it has {first} to {last} positions"
        )


@dataclass(frozen=True, eq=False)
class Rulebook:
    """One rulebook whole, in the order of its chapters."""

    edition: Edition
    approval: Term | None
    glossary: tuple[Term, ...]
    areas: tuple[Area, ...]
    layouts: tuple[Layout, ...]
    tableau: Tableau
    games: tuple[Game, ...]
    procedure: Procedure
    rulings: tuple[Ruling, ...]
    provisions: Mapping[str, object]
    """Clauses that code fulfils elsewhere: the function, class or property that does."""
    otherwise_read: Mapping[str, Game] | None = None
    """Readings that an operator may decide otherwise, with the game as it then is."""
    suggestions: Mapping[Situation, str] = field(default_factory=dict)
    """What to suggest when a situation is referred because the rulebook is silent (A24)."""

    @property
    def code(self) -> str:
        """Return the code used in citations."""
        return self.edition.code

    def layout(self, name: str) -> Layout:
        """Return one of the layouts; refuse a name that the rulebook does not have."""
        for layout in self.layouts:
            if layout.name == name.upper():
                return layout
        names = listed([layout.name for layout in self.layouts])
        message = f"{self.edition.title} has no layout {name!r}; its layouts are {names}."
        raise UnknownNameError(message)

    def term(self, name: str) -> Term:
        """Return what this rulebook means by a word; no other document counts."""
        for term in self.glossary:
            if name.casefold() in (word.casefold() for word in (term.name, *term.also)):
                return term
        message = f"{self.edition.title} does not define {name!r}."
        raise UnknownNameError(message)

    def __repr__(self) -> str:
        games = "1 game" if len(self.games) == 1 else f"{len(self.games)} games"
        return f"Rulebook({self.code!r}, {games})"
