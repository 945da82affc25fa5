"""Rows, wagers and results: the first row that holds applies, and no row means it loses."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from croupier.frozen import Named
from croupier.money import Odds
from croupier.rules.errors import cited

if TYPE_CHECKING:
    from croupier.rules.outcome import Condition, Outcome


class Result(Named):
    """How a wager ends."""

    WINS = "wins"
    LOSES = "loses"
    PUSHES = "pushes"


@dataclass(frozen=True, init=False, eq=False)
class Row:
    """One pay line: a label, its odds as written, when it holds, and its clause."""

    label: str
    pays: Odds
    when: Condition
    clause: str

    def __init__(self, label: str, pays: str, when: Condition, clause: str) -> None:
        object.__setattr__(self, "label", label)
        object.__setattr__(self, "pays", Odds(pays))
        object.__setattr__(self, "when", when)
        object.__setattr__(self, "clause", clause)

    def __repr__(self) -> str:
        return f"Row({self.label!r}, {self.pays.text!r}, {self.clause!r})"


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """What a coup does to one wager: the row that applies, or None when it loses.

    A wager makes its verdicts once, so they compare by identity.
    """

    wager: str
    row: Row | None
    result: Result
    net: Fraction
    """Net winnings per unit staked: -1 when it loses, 0 when it pushes."""

    @property
    def pays(self) -> str | None:
        """Return the odds as the rulebook writes them, None for a loss."""
        return self.row.pays.text if self.row else None

    @property
    def clause(self) -> str | None:
        """Return the clause of the row as people see it, None for a loss."""
        return cited(self.row.clause) if self.row else None

    def __repr__(self) -> str:
        return f"Verdict({self.wager} {self.result.value}, net {self.net})"


def _verdict(wager: str, row: Row | None) -> Verdict:
    if row is None:
        return Verdict(wager, row, Result.LOSES, Fraction(-1))
    return Verdict(wager, row, Result.WINS if row.pays.net else Result.PUSHES, row.pays.net)


@dataclass(frozen=True, init=False, eq=False)
class Wager:
    """A kind of bet: its rows are read top down and the first that holds applies."""

    slug: str
    name: str
    rows: tuple[Row, ...]
    clause: str
    """The clause that offers or defines this wager."""
    optional: bool
    """Whether the operator may leave it out of the offered wagers (A13, A47)."""
    verdicts: tuple[Verdict, ...]
    """A verdict for each row, then the losing one."""

    def __init__(
        self, slug: str, name: str, *rows: Row, clause: str, optional: bool = False
    ) -> None:
        object.__setattr__(self, "slug", slug)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "clause", clause)
        object.__setattr__(self, "optional", optional)
        verdicts = tuple(_verdict(slug, row) for row in (*rows, None))
        object.__setattr__(self, "verdicts", verdicts)

    def row_number(self, outcome: Outcome) -> int:
        """Return the number of the first row that holds; one past the last for a loss."""
        for number, row in enumerate(self.rows):
            if row.when(outcome):
                return number
        return len(self.rows)

    def resolve(self, outcome: Outcome) -> Verdict:
        """Return what this outcome does to the wager."""
        return self.verdicts[self.row_number(outcome)]

    def __repr__(self) -> str:
        return f"Wager({self.slug!r}, {len(self.rows)} rows)"
