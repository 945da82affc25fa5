"""Tidy tables of figures: plain columns, data frames, and HTML for notebooks.

A table is a dict of columns. Whatever has tables inherits from :class:`Tabular` and gets
its frames and its HTML from there; pandas, polars and pyarrow come with ``croupier[data]``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from croupier.odds.extras import load
from croupier.rules.errors import UnknownNameError, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from croupier.odds.figures import GameOdds, WagerOdds

    Cell = str | int | float | None
    Columns = Mapping[str, Sequence[Cell]]

EXTRA = "data"
KIND_WHEN_EMPTY: dict[str, type] = {"decks": int, "die": int}
"""What a column would hold if it held anything; without an entry here: text."""
AS_PERCENT = (
    "probability",
    "edge",
    "edge_resolved",
    "hit_rate",
    "push_rate",
)
"""Columns that people read as a percentage."""
WIDE = 1000
"""Numbers from here on get their digits grouped in HTML."""


class Tabular(ABC):
    """Something whose figures are tables."""

    __slots__ = ()

    @abstractmethod
    def tables(self) -> Mapping[str, Callable[[], Columns]]:
        """Return the makers of the tables by name; the first is what a frame holds."""

    def caption(self) -> str:
        """Return the caption of the HTML table; none without a better one."""
        return ""

    def shown(self) -> Columns:
        """Return the table that a notebook shows."""
        return self.columns()

    def columns(self, table: str | None = None) -> Columns:
        """Return one of the tables as plain columns, the first without a name."""
        tables = self.tables()
        if table is None:
            return next(iter(tables.values()))()
        if table not in tables:
            message = f"There is no table {table!r}; the tables are {listed(list(tables))}."
            raise UnknownNameError(message)
        return tables[table]()

    def to_pandas(self, table: str | None = None) -> pd.DataFrame:
        """Return one of the tables as a pandas frame."""
        return to_pandas(self.columns(table))

    def to_polars(self, table: str | None = None) -> pl.DataFrame:
        """Return one of the tables as a polars frame."""
        return to_polars(self.columns(table))

    def to_arrow(self, table: str | None = None) -> pa.Table:
        """Return one of the tables as an Arrow table."""
        return to_arrow(self.columns(table))

    def _repr_html_(self) -> str:
        return html_table(self.shown(), self.caption())


def kind(name: str, values: Sequence[Cell]) -> type:
    """Return what a column holds: int, float or str."""
    found = {type(value) for value in values if value is not None}
    if not found:
        return KIND_WHEN_EMPTY.get(name, str)
    if found == {int, float}:
        return float
    assert len(found) == 1, f"column {name} mixes {found}"
    return found.pop()


def to_pandas(columns: Columns) -> pd.DataFrame:
    """Make a pandas frame; columns with gaps keep their type."""
    pandas = load("pandas", EXTRA)
    kinds = {int: "Int64", float: "Float64", str: "string"}
    frame: pd.DataFrame = pandas.DataFrame(
        {
            name: pandas.Series(
                list(values),
                dtype=kinds[kind(name, values)] if None in values else None,
            )
            for name, values in columns.items()
        }
    )
    return frame


def to_polars(columns: Columns) -> pl.DataFrame:
    """Make a polars frame."""
    polars = load("polars", EXTRA)
    kinds = {int: polars.Int64, float: polars.Float64, str: polars.String}
    schema = {name: kinds[kind(name, values)] for name, values in columns.items()}
    frame: pl.DataFrame = polars.DataFrame(
        {name: list(values) for name, values in columns.items()}, schema=schema
    )
    return frame


def to_arrow(columns: Columns) -> pa.Table:
    """Make an Arrow table."""
    arrow = load("pyarrow", EXTRA)
    kinds = {int: arrow.int64(), float: arrow.float64(), str: arrow.string()}
    return arrow.table(
        {
            name: arrow.array(list(values), type=kinds[kind(name, values)])
            for name, values in columns.items()
        }
    )


def html_table(columns: Columns, caption: str = "") -> str:
    """Write columns as an HTML table: numbers to the right, chances as percentages."""
    from html import escape  # noqa: PLC0415  # needed in notebooks only

    def cell(name: str, value: Cell) -> str:
        align = ' style="text-align: right"' if isinstance(value, int | float) else ""
        return f"<td{align}>{escape(cell_text(name, value))}</td>"

    def line(row: tuple[Cell, ...]) -> str:
        cells = (cell(name, value) for name, value in zip(columns, row, strict=True))
        return f"<tr>{''.join(cells)}</tr>\n"

    heads = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in columns)
    body = "".join(line(row) for row in zip(*columns.values(), strict=True))
    title = f"<caption>{escape(caption)}</caption>\n" if caption else ""
    return (
        f"<table>\n{title}<thead><tr>{heads}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n"
    )


def cell_text(name: str, value: Cell) -> str:
    """Write a value as people read it."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4%}" if name in AS_PERCENT else f"{value:.6f}"
    if isinstance(value, int):
        return f"{value:,}" if value >= WIDE else str(value)
    return value


def repeated(cells: Mapping[str, Cell], times: int) -> dict[str, Sequence[Cell]]:
    """Return columns that say the same on every line."""
    return {name: [cell] * times for name, cell in cells.items()}


def wager_rows(odds: WagerOdds) -> dict[str, Sequence[Cell]]:
    """Return the rows of one wager, a line for each."""
    return {
        "wager": [odds.wager.slug] * len(odds.rows),
        "row": [row.label for row in odds.rows],
        "pays": [row.pays for row in odds.rows],
        "count": [row.count for row in odds.rows],
        "total": [row.total for row in odds.rows],
        "probability": [float(row.probability) for row in odds.rows],
        "contribution": [float(row.contribution) for row in odds.rows],
    }


def wager_figures(wagers: Sequence[WagerOdds]) -> dict[str, Sequence[Cell]]:
    """Return the figures of wagers, a line for each."""
    return {
        "wager": [odds.wager.slug for odds in wagers],
        "ev": [float(odds.ev) for odds in wagers],
        "edge": [float(odds.edge) for odds in wagers],
        "edge_resolved": [float(odds.edge_resolved) for odds in wagers],
        "hit_rate": [float(odds.hit_rate) for odds in wagers],
        "push_rate": [float(odds.push_rate) for odds in wagers],
        "sd": [odds.sd for odds in wagers],
        "volatility_index": [odds.volatility_index for odds in wagers],
        "ev_exact": [str(odds.ev) for odds in wagers],
    }


def identification(odds: GameOdds) -> dict[str, Cell]:
    """Return what tells the tables of two games or shoes apart."""
    return {
        "game": odds.game.slug,
        "rulebook": odds.game.edition.code,
        "decks": odds.decks,
        "die": odds.die,
    }


def game_rows(odds: GameOdds) -> Columns:
    """Return every row of every wager of a game, a line for each."""
    parts = [wager_rows(wager) for wager in odds.wagers]
    lines = {name: [cell for part in parts for cell in part[name]] for name in parts[0]}
    return {**repeated(identification(odds), len(lines["row"])), **lines}


def game_figures(odds: GameOdds) -> Columns:
    """Return the figures of every wager of a game, a line for each."""
    return {**repeated(identification(odds), len(odds.wagers)), **wager_figures(odds.wagers)}


def correlations(odds: GameOdds) -> tuple[tuple[float, ...], ...]:
    """Return the correlation matrix of the wagers' results; 0 beside a certain result."""
    deviations = [wager.sd for wager in odds.wagers]
    return tuple(
        tuple(
            float(cell) / (own * other) if own and other else 0.0
            for cell, other in zip(row, deviations, strict=True)
        )
        for row, own in zip(odds.covariance, deviations, strict=True)
    )


def game_covariance(odds: GameOdds) -> Columns:
    """Return covariance and correlation of every two wagers, a line for each."""
    slugs = [odds.wager.slug for odds in odds.wagers]
    pairs = [(i, j) for i in range(len(slugs)) for j in range(len(slugs))]
    related = correlations(odds)
    return {
        **repeated(identification(odds), len(pairs)),
        "wager": [slugs[i] for i, _ in pairs],
        "other": [slugs[j] for _, j in pairs],
        "covariance": [float(odds.covariance[i][j]) for i, j in pairs],
        "correlation": [related[i][j] for i, j in pairs],
    }
