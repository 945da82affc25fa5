"""PAR sheets: every file says what the odds say, and the hash tells results apart."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import sys
import zipfile
from dataclasses import replace
from datetime import date
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from croupier import GAMES, find_game
from croupier.odds import exact_odds
from croupier.odds.extras import MissingExtraError
from croupier.odds.parsheet import ROUNDS, ParSheet, intervals, layout, par_sheet
from croupier.odds.sheetfiles import WRITERS, csv_sheet, write_sheet
from croupier.odds.tally import Tally
from croupier.rules.errors import RulesError
from tests.wording import is_one_sentence

if TYPE_CHECKING:
    from croupier.rules.game import Game

SLUGS = ("baccarat", "power-98")
SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


@cache
def sheet_of(slug: str) -> ParSheet:
    return par_sheet(find_game(slug))


@cache
def content(slug: str, ending: str) -> bytes:
    return WRITERS[ending](sheet_of(slug))


# --- the hash ------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_the_hash_is_of_the_canonical_results_and_reproducible(game: Game) -> None:
    first, second = par_sheet(game, decks=6), par_sheet(game, decks=6)
    assert first.sha256 == second.sha256
    again = json.dumps(
        json.loads(json.dumps(first.results)),
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
    )
    assert hashlib.sha256(again.encode()).hexdigest() == first.sha256


def test_the_hash_changes_when_one_count_changes() -> None:
    odds = exact_odds(find_game("baccarat"))
    (part,) = odds.tally.parts
    counts = dict(part.counts)
    changed = next(index for index, count in counts.items() if count)
    counts[changed] += 1
    other = replace(odds, tally=Tally(odds.game, (part._replace(counts=counts),)))
    assert ParSheet(odds).sha256 == sheet_of("baccarat").sha256
    assert ParSheet(other).sha256 != ParSheet(odds).sha256


def test_the_hash_tells_games_shoes_and_dice_apart_but_not_dates() -> None:
    power = find_game("power-98")
    sheets = [par_sheet(game) for game in GAMES]
    sheets += [par_sheet(power, decks=6), par_sheet(power, die=3), par_sheet(power, die=1)]
    assert len({sheet.sha256 for sheet in sheets}) == len(sheets)
    dated = par_sheet(find_game("baccarat"), date=date(2026, 1, 31))
    assert dated.sha256 == sheet_of("baccarat").sha256
    assert ("Date", "2026-01-31") in dated.identification


def test_results_hold_every_count_and_fraction_unrounded() -> None:
    sheet = sheet_of("power-98")
    hands: Any = sheet.results["hands"]
    assert [hand["die"] for hand in hands] == [None, 1, 3]
    for found, hand in zip(hands, sheet.hands, strict=True):
        assert int(found["total"]) == hand.odds.total
        for own, wager in zip(found["wagers"], hand.odds.wagers, strict=True):
            assert Fraction(own["ev"]) == wager.ev
            assert [int(row["count"]) for row in own["rows"]] == list(wager.counts)
            assert sum(int(row["count"]) for row in own["rows"]) == hand.odds.total
        exact = [[Fraction(cell) for cell in row] for row in found["covariance"]]
        assert exact == [list(row) for row in hand.odds.covariance]


# --- what a sheet says ---------------------------------------------------------------------


def test_identification_names_everything() -> None:
    sheet = par_sheet(find_game("fortune-six"), decks=6)
    told = dict(sheet.identification)
    assert told["Game"] == "Fortune Six No Commission Baccarat (fortune-six)"
    assert told["Rulebook"].endswith("(EB4)")
    assert told["Version"] == "4"
    assert told["In force from"] == "2025-03-20 09:00 (Singapore time)"
    assert told["Deck"] == "52-card deck"
    assert told["Shoe"] == "6 decks, 312 cards"
    assert told["Optional wagers"] == "Banker Dragon Bonus, Player Dragon Bonus"
    assert told["SHA-256 of the results"] == sheet.sha256
    assert "Date" not in told


def test_intervals_are_the_return_and_the_volatility_index_over_the_root() -> None:
    wager = exact_odds(find_game("baccarat"))["tie"]
    factor = NormalDist().inv_cdf(0.95)
    for found, rounds in zip(intervals(wager), ROUNDS, strict=True):
        assert found.rounds == rounds
        assert (found.low + found.high) / 2 == pytest.approx(float(1 + wager.ev))
        assert (found.high - found.low) / 2 == pytest.approx(factor * wager.sd / rounds**0.5)


def test_the_method_gives_the_formula_of_the_total() -> None:
    assert "416 x 415 x 414 x 413 x 412 x 411 = 4,998,398,275,503,360" in " ".join(
        sheet_of("power-98").method
    )
    assert sheet_of("power-98").command == "croupier parsheet power-98 --decks 8 -o FILE --json"


# --- HTML ----------------------------------------------------------------------------------


class Page(HTMLParser):
    """Reads a page: its tables as lines of cells, its images, whatever it asks for."""

    VOID = ("meta", "img")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.lines: list[list[str]] = []
        self.images: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag == "img":
            self.images.append(dict(attrs)["src"] or "")
            assert dict(attrs)["alt"]
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "tr":
            self.lines.append([])
        if tag in ("td", "th"):
            self.lines[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if {"td", "th"} & set(self.open[-2:]):
            self.lines[-1][-1] += data


@pytest.mark.parametrize("slug", SLUGS)
def test_html_parses_and_has_every_row_of_every_wager(slug: str) -> None:
    page = Page()
    page.feed(content(slug, ".html").decode())
    assert page.open == []
    heads = [place for place, line in enumerate(page.lines) if line[:2] == ["Result", "Pays"]]
    assert len(heads) == len(sheet_of(slug).hands) * len(sheet_of(slug).game.wagers)
    found = []
    for head in heads:
        for line in page.lines[head + 1 :]:
            if line[0] == "Sum":
                break
            found.append((line[0], line[1], line[3], line[4]))
    expected = [
        (row.label, row.pays, f"{row.count:,}", f"{float(row.probability):.10f}")
        for hand in sheet_of(slug).hands
        for wager in hand.odds.wagers
        for row in wager.rows
        if row.pays
    ]
    assert [line for line in found if line[1]] == expected
    losing = [line[2] for line in found if line[0] == "Loses"]
    assert losing == [
        f"{wager.counts[-1]:,}" for hand in sheet_of(slug).hands for wager in hand.odds.wagers
    ]


def test_html_is_self_contained_and_byte_identical() -> None:
    text = content("baccarat", ".html").decode()
    page = Page()
    page.feed(text)
    assert len(page.images) == 2
    assert all(image.startswith("data:image/svg+xml;base64,") for image in page.images)
    assert not {"script", "link", "iframe"} & page.tags
    assert re.search(r"https?://|@import|url\(", text) is None
    assert sheet_of("baccarat").sha256 in text
    assert WRITERS[".html"](par_sheet(find_game("baccarat"))).decode() == text


# --- PDF -----------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", SLUGS)
def test_pdf_is_a_pdf_with_pages_and_byte_identical(slug: str) -> None:
    made = content(slug, ".pdf")
    assert made.startswith(b"%PDF-")
    assert made.rstrip().endswith(b"%%EOF")
    pages = re.search(
        rb"/Type\s*/Pages.*?/Count (\d+)|/Count (\d+).*?/Type\s*/Pages", made, re.DOTALL
    )
    assert pages is not None
    assert int(pages[1] or pages[2]) >= 3
    assert WRITERS[".pdf"](par_sheet(find_game(slug))) == made


# --- CSV -----------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", SLUGS)
def test_csv_has_every_figure(slug: str) -> None:
    sheet = sheet_of(slug)
    lines = list(csv.DictReader(io.StringIO(content(slug, ".csv").decode())))
    by_key = {(line["part"], line["hand"], line["wager"], line["item"]): line for line in lines}
    for hand in sheet.hands:
        for number, wager in enumerate(hand.odds.wagers):
            slug = wager.wager.slug
            for row in wager.rows:
                line = by_key["row", hand.title, slug, row.label]
                assert (int(line["count"]), int(line["total"])) == (row.count, row.total)
                assert Fraction(line["exact"]) == row.probability
                assert line["pays"] == (row.pays or "")
            for name in ("edge", "edge_resolved", "hit_rate", "push_rate", "variance"):
                line = by_key["figure", hand.title, slug, name]
                assert Fraction(line["exact"]) == getattr(wager, name)
                assert float(line["value"]) == float(getattr(wager, name))
            for other, covariance in zip(
                hand.odds.wagers, hand.odds.covariance[number], strict=True
            ):
                line = by_key["covariance", hand.title, slug, other.wager.slug]
                assert Fraction(line["exact"]) == covariance
    four = exact_odds(sheet.game, decks=4)
    for wager in four.wagers:
        line = by_key["edge by decks", "", wager.wager.slug, "4"]
        assert Fraction(line["exact"]) == wager.edge
    assert csv_sheet(par_sheet(sheet.game)) == content(sheet.game.slug, ".csv")


# --- XLSX ----------------------------------------------------------------------------------


def workbook(made: bytes) -> dict[str, list[list[str]]]:
    """Read the cells of every sheet as text."""
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        shared = [
            "".join(text.text or "" for text in entry.iter(f"{SHEET}t"))
            for entry in ET.fromstring(archive.read("xl/sharedStrings.xml"))  # noqa: S314  # ours
        ]
        names = [
            str(entry.get("name"))
            for entry in ET.fromstring(archive.read("xl/workbook.xml")).iter(f"{SHEET}sheet")  # noqa: S314  # ours
        ]
        sheets = {}
        for number, name in enumerate(names, start=1):
            tree = ET.fromstring(archive.read(f"xl/worksheets/sheet{number}.xml"))  # noqa: S314  # ours
            sheets[name] = [
                [
                    shared[int(value)] if cell.get("t") == "s" else value
                    for cell in row.iter(f"{SHEET}c")
                    for value in [cell.findtext(f"{SHEET}v") or ""]
                ]
                for row in tree.iter(f"{SHEET}row")
            ]
        assert sum(name.startswith("xl/media/") for name in archive.namelist()) == 2
    return sheets


@pytest.mark.parametrize("slug", SLUGS)
def test_xlsx_holds_every_row_with_counts_to_the_last_digit(slug: str) -> None:
    sheet = sheet_of(slug)
    book = workbook(content(slug, ".xlsx"))
    assert list(book) == [
        "Identification",
        "Wagers",
        "Rows",
        "Return after n rounds",
        "Covariance",
        "Correlation",
        "Edge by decks",
        "Plots",
        "Method",
    ]
    rows = [
        (wager.wager.name, row.label, str(row.count), str(row.total), float(row.contribution))
        for hand in sheet.hands
        for wager in hand.odds.wagers
        for row in wager.rows
    ]
    found = [
        (line[1], line[2], line[-4], line[-3], float(line[-1])) for line in book["Rows"][1:]
    ]
    assert [line[:4] for line in found] == [line[:4] for line in rows]
    assert [line[4] for line in found] == pytest.approx([line[4] for line in rows])
    evs = [str(wager.ev) for hand in sheet.hands for wager in hand.odds.wagers]
    assert [line[-1] for line in book["Wagers"][1:]] == evs
    assert ["SHA-256 of the results", sheet.sha256] in book["Identification"]
    assert len(book["Covariance"]) == 1 + len(sheet.hands) * len(sheet.game.wagers)
    assert WRITERS[".xlsx"](par_sheet(sheet.game)) == content(slug, ".xlsx")


# --- writing -------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", [game.slug for game in GAMES])
def test_the_layout_of_every_game_is_rectangular(slug: str) -> None:
    told: Any = layout(sheet_of(slug))
    grids = [told["decks"]]
    for hand in told["hands"]:
        grids += [hand[name] for name in ("figures", "intervals", "covariance", "correlation")]
        grids += [wager["grid"] for wager in hand["wagers"]]
    for grid in grids:
        assert {len(line) for line in grid["lines"]} == {len(grid["head"])}
        assert 0 < grid["words"] < len(grid["head"])


def test_a_sheet_is_written_whole_and_replaces_an_older_one(tmp_path: Path) -> None:
    path = tmp_path / "sheet.CSV"
    path.write_text("old", encoding="utf-8")
    write_sheet(sheet_of("baccarat"), path)
    assert path.read_bytes() == content("baccarat", ".csv")
    assert [found.name for found in tmp_path.iterdir()] == ["sheet.CSV"]


def test_a_failure_while_writing_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text("old", encoding="utf-8")

    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device", str(self), None, str(target))

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(RulesError, match="No space left on device") as refused:
        write_sheet(sheet_of("baccarat"), path)
    assert is_one_sentence(str(refused.value))
    assert [found.name for found in tmp_path.iterdir()] == ["sheet.csv"]
    assert path.read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize(
    ("ending", "library"), [(".html", "jinja2"), (".pdf", "typst"), (".xlsx", "xlsxwriter")]
)
def test_a_missing_library_is_asked_for_in_a_sentence(
    ending: str, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtraError, match=rf"needs {library}.*croupier\[report\]"):
        WRITERS[ending](sheet_of("baccarat"))
