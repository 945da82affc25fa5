"""Tables of odds say exactly what the odds say, in every library."""

from __future__ import annotations

import subprocess
import sys
from html.parser import HTMLParser

import pytest

from croupier import FA_FA_FABULOUS_4, POWER_98, find_game
from croupier.odds import GameOdds, exact_odds, frames
from croupier.odds.extras import MissingExtraError
from croupier.rules.errors import UnknownNameError
from tests.wording import is_one_sentence

ROWS = (
    "game rulebook decks die wager row pays count total probability contribution".split()  # noqa: SIM905
)


@pytest.fixture(scope="module")
def odds() -> GameOdds:
    return exact_odds(FA_FA_FABULOUS_4)


def expected_rows(odds: GameOdds) -> list[tuple[object, ...]]:
    return [
        (
            odds.game.slug,
            odds.game.edition.code,
            odds.decks,
            odds.die,
            wager.wager.slug,
            row.label,
            row.pays,
            row.count,
            row.total,
            float(row.probability),
            float(row.contribution),
        )
        for wager in odds.wagers
        for row in wager.rows
    ]


def test_columns_of_rows_are_tidy_and_exact(odds: GameOdds) -> None:
    columns = odds.columns("rows")
    assert list(columns) == ROWS
    assert list(zip(*columns.values(), strict=True)) == expected_rows(odds)
    assert odds.columns() == columns


def test_polars_and_arrow_hold_the_same_rows(odds: GameOdds) -> None:
    assert odds.to_polars().rows() == expected_rows(odds)
    table = odds.to_arrow()
    assert table.column_names == ROWS
    assert [tuple(line.values()) for line in table.to_pylist()] == expected_rows(odds)


def test_pandas_holds_the_same_rows_and_counts_stay_whole(odds: GameOdds) -> None:
    frame = odds.to_pandas()
    assert list(frame.columns) == ROWS
    assert frame["count"].dtype == "int64"
    assert frame["count"].tolist() == [line[7] for line in expected_rows(odds)]
    assert frame["probability"].tolist() == [line[9] for line in expected_rows(odds)]
    assert frame["die"].isna().all()
    assert frame["pays"].isna().sum() == len(odds.wagers)


def test_a_column_without_values_keeps_its_type() -> None:
    left = exact_odds(POWER_98, POWER_98.shoe(8).without(POWER_98.deck.parse_cards("4D")))
    assert str(left.to_pandas("wagers")["decks"].dtype) == "Int64"
    assert str(left.to_arrow("wagers").schema.field("decks").type) == "int64"
    assert str(left.to_polars("wagers").schema["die"]) == "Int64"


def test_the_table_of_wagers_has_every_figure(odds: GameOdds) -> None:
    frame = odds.to_polars("wagers")
    names = "edge edge_resolved hit_rate push_rate sd volatility_index".split()  # noqa: SIM905
    for line, wager in zip(frame.to_dicts(), odds.wagers, strict=True):
        assert line["wager"] == wager.wager.slug
        assert line["ev"] == float(wager.ev)
        assert line["ev_exact"] == str(wager.ev)
        for name in names:
            assert line[name] == float(getattr(wager, name)), name


def test_the_table_of_covariances_has_every_two_wagers(odds: GameOdds) -> None:
    columns = odds.columns("covariance")
    size = len(odds.wagers)
    assert len(columns["covariance"]) == size**2
    expected = [float(cell) for row in odds.covariance for cell in row]
    assert columns["covariance"] == expected
    related = columns["correlation"]
    assert [related[i * (size + 1)] for i in range(size)] == pytest.approx([1.0] * size)
    assert columns["wager"][1] == "player"
    assert columns["other"][1] == "banker"
    first, second = odds["player"], odds["banker"]
    assert related[1] == pytest.approx(
        float(odds.covariance[0][1]) / (first.sd * second.sd), rel=1e-14
    )


def test_a_wager_has_its_rows_as_a_frame(odds: GameOdds) -> None:
    frame = odds["tie"].to_polars()
    assert frame["row"].to_list() == [row.label for row in odds["tie"].rows]
    assert frame["count"].sum() == odds.total
    assert odds["tie"].to_pandas().shape == (3, 7)
    assert odds["tie"].to_arrow().num_rows == 3


def test_an_unknown_table_is_refused(odds: GameOdds) -> None:
    with pytest.raises(UnknownNameError) as refused:
        odds.to_pandas("figures")
    assert str(refused.value) == (
        "There is no table 'figures'; the tables are rows, wagers and covariance."
    )


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_missing_library_is_asked_for_in_a_sentence(
    library: str, odds: GameOdds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    make = {"pandas": odds.to_pandas, "polars": odds.to_polars, "pyarrow": odds.to_arrow}
    with pytest.raises(MissingExtraError) as refused:
        make[library]()
    assert is_one_sentence(str(refused.value))
    assert library in str(refused.value)
    assert "croupier[data]" in str(refused.value)


class Cells(HTMLParser):
    """Collects the cells of a table, line by line."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[list[str]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        del attrs
        self.open.append(tag)
        if tag == "tr":
            self.lines.append([])
        elif tag in ("td", "th"):
            self.lines[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("td", "th"):
            self.lines[-1][-1] += data


def test_html_has_a_line_for_each_wager_and_escapes_its_text() -> None:
    odds = exact_odds(find_game("baccarat"))
    cells = Cells()
    cells.feed(odds._repr_html_())
    assert cells.open == []
    assert [line[0] for line in cells.lines[1:]] == [w.wager.slug for w in odds.wagers]
    assert cells.lines[1][2] == "1.0579%"
    assert cells.lines[0][2] == "edge"
    shown = frames.html_table({"a<b": ["x & y", None], "count": [12_345, 7]}, "<caption>")
    assert "<caption>&lt;caption&gt;</caption>" in shown
    assert "<th>a&lt;b</th>" in shown
    assert "<td>x &amp; y</td>" in shown
    assert ">12,345<" in shown
    assert "<td></td>" in shown


def test_importing_the_odds_loads_no_library_for_frames() -> None:
    code = (
        "import sys, croupier.odds;"
        "heavy = {'numpy', 'pandas', 'polars', 'pyarrow', 'matplotlib', 'jinja2'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    ended = subprocess.run(  # noqa: S603  # our own code
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert ended.stdout == "[]\n"
