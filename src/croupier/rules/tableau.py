"""The Table of Play as data: the lines as a rulebook prints them, and the grid they make.

The grid has a row for each Banker total from 0 to 7 and eleven columns: the Player
stood, or the Player's third card counts 0 to 9. Coup, exact counting and simulation
all read this one grid.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

STOOD = None
"""The column of the grid for a Player who took no third card."""

POINTS = tuple(range(10))
NATURALS = (8, 9)
TOTALS = tuple(range(8))


@dataclass(frozen=True, slots=True)
class Line:
    """One printed line: on these two-card totals, draw against these third cards."""

    totals: tuple[int, ...]
    against: tuple[int, ...]
    clause: str


@dataclass(frozen=True, slots=True)
class Call:
    """What the tableau says to one hand: draw or stand, with the clause that says so."""

    draws: bool
    clause: str


@dataclass(frozen=True)
class Tableau:
    """A rulebook's Table of Play, line by line, in its order."""

    clause: str
    initial_deal: str
    """The clause by which four cards go to Player, Banker, Player, Banker."""
    natural: str
    """The clause by which a two-card 8 or 9 ends the deal for both hands."""
    player_draws: Line
    player_stands: Line
    banker: tuple[Line, ...]
    """The Banker's lines when the Player drew; a total with no line stands."""
    player_stood: Line
    """The Banker's line when the Player stood."""
    otherwise: str | None = None
    """The clause of "stands at all other times", where the rulebook prints one."""

    def __post_init__(self) -> None:
        """Check that the lines name every total once and that all cells have a clause."""
        totals = self.player_draws.totals + self.player_stands.totals
        assert sorted(totals) == list(TOTALS), "the Player's totals are not 0 to 7"
        named = [total for line in self.banker for total in line.totals]
        assert len(named) == len(set(named)), "a Banker total has two lines"
        assert self.otherwise or sorted(named) == list(TOTALS), "a Banker total has no line"

    @cached_property
    def calls(self) -> tuple[tuple[Call, ...], ...]:
        """Return the grid with clauses: ``calls[banker_total][0 if stood else 1 + points]``."""
        return tuple(
            tuple(self._cell(total, third) for third in (STOOD, *POINTS)) for total in TOTALS
        )

    def _cell(self, total: int, third: int | None) -> Call:
        if third is STOOD:
            return Call(total in self.player_stood.totals, self.player_stood.clause)
        line = next((line for line in self.banker if total in line.totals), None)
        if line is not None and third in line.against:
            return Call(draws=True, clause=line.clause)
        if self.otherwise is not None:
            return Call(draws=False, clause=self.otherwise)
        assert line is not None, "a total without a line needs the clause of otherwise"
        return Call(draws=False, clause=line.clause)

    @cached_property
    def grid(self) -> tuple[tuple[bool, ...], ...]:
        """Return the 8 x 11 grid alone: whether the Banker draws."""
        return tuple(tuple(call.draws for call in row) for row in self.calls)

    def player(self, player_total: int, banker_total: int) -> Call:
        """Return what the Player must do on these two-card totals."""
        if player_total in NATURALS or banker_total in NATURALS:
            return Call(draws=False, clause=self.natural)
        draws = player_total in self.player_draws.totals
        line = self.player_draws if draws else self.player_stands
        return Call(draws=draws, clause=line.clause)

    def ends(self, player_total: int, banker_total: int) -> bool:
        """Tell whether these two-card totals end the coup: no third card for either hand."""
        return not (
            self.player(player_total, banker_total).draws
            or self.banker_call(player_total, banker_total, STOOD).draws
        )

    def banker_call(self, player_total: int, banker_total: int, third: int | None) -> Call:
        """Return what the Banker must do; ``third`` is None when the Player stood."""
        if player_total in NATURALS or banker_total in NATURALS:
            return Call(draws=False, clause=self.natural)
        return self.calls[banker_total][0 if third is STOOD else 1 + third]
