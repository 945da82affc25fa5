"""The clause list: every numbered clause of the five rulebooks, in our own words.

A citation is the ``cite`` of a row here, such as ``BAC8 5.8.2.2`` or ``EB4 4.2#banker-6``;
what people see is the part before ``#``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from croupier.rules.errors import UnknownNameError, cited

if TYPE_CHECKING:
    from collections.abc import Mapping

CODES = ("BAC8", "FF3", "F6T2", "PB6", "EB4")


@dataclass(frozen=True, slots=True)
class Clause:
    """One row of the clause list."""

    cite: str
    topic: str
    kind: str
    """computed, decision, physical or descriptive."""
    actor: str
    requirement: str
    test_idea: str

    @property
    def rulebook(self) -> str:
        """Return the code of the rulebook."""
        return self.cite.partition(" ")[0]

    @property
    def shown(self) -> str:
        """Return the citation as people see it."""
        return cited(self.cite)


@cache
def clauses() -> Mapping[str, Clause]:
    """Return the whole clause list by citation, in the order of the rulebooks.

    >>> len(clauses())
    655
    """
    import csv  # noqa: PLC0415  # the list is long and seldom needed, its readers are slow
    from importlib import resources  # noqa: PLC0415  # as above

    text = resources.files("croupier").joinpath("data/clauses.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines())
    return MappingProxyType({row["cite"]: Clause(**row) for row in rows})


def find_clause(cite: str) -> Clause:
    """Return the row with this citation.

    >>> find_clause("EB4 4.2#banker-6").requirement
    'Banker win with 6: pay 1 to 2.'
    """
    clause = clauses().get(cite)
    if clause is None:
        message = f"There is no clause {cite!r}; cite one as 'BAC8 4.1' or 'EB4 4.2#banker-6'."
        raise UnknownNameError(message)
    return clause
