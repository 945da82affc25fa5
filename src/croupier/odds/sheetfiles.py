"""PAR sheets as files: HTML, PDF, CSV and XLSX.

A file is written beside its place under another name and then renamed, so that nobody ever
finds half a sheet. The libraries for HTML, PDF and XLSX come with ``croupier[report]``.
"""

from __future__ import annotations

import csv
import io
import json
import os
from base64 import b64encode
from datetime import UTC, datetime
from importlib import resources
from typing import TYPE_CHECKING, Any

from croupier.odds import plots
from croupier.odds.extras import load
from croupier.odds.frames import correlations
from croupier.odds.parsheet import PLOT_ROUNDS, intervals, layout
from croupier.rules.errors import RulesError, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from fractions import Fraction
    from pathlib import Path

    from croupier.odds.parsheet import ParSheet
    from croupier.odds.views import HandOdds

    Line = dict[str, object]

EXTRA = "report"
CSV_COLUMNS = (
    "part",
    "hand",
    "wager",
    "item",
    "pays",
    "clause",
    "count",
    "total",
    "probability",
    "contribution",
    "value",
    "exact",
)
PLOT_LINES = 30
"""How many lines of a spreadsheet a plot takes."""
NO_DATE = datetime(1980, 1, 1, tzinfo=UTC)
"""Stands in a workbook where nobody gave a date: the zero of its file format."""


def write_sheet(sheet: ParSheet, path: Path) -> None:
    """Write a sheet; the end of the name says how."""
    content = writer(path)(sheet)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    except OSError as error:
        raise cannot_write(path, error.strerror or "it failed") from None
    finally:
        part.unlink(missing_ok=True)


def writer(path: Path) -> Callable[[ParSheet], bytes]:
    """Return what writes such a file; refuse before anything is counted."""
    found = WRITERS.get(path.suffix.casefold())
    if found is None:
        message = f"A PAR sheet cannot be written as {path.name!r}; it ends in {ENDINGS}."
        raise RulesError(message)
    if not path.parent.is_dir():
        raise cannot_write(path, f"there is no folder {str(path.parent)!r}")
    if path.is_dir():
        raise cannot_write(path, "it is a folder")
    return found


def cannot_write(path: Path, reason: str) -> RulesError:
    """Return the refusal of a path."""
    return RulesError(f"{str(path)!r} cannot be written: {reason}.")


def images(sheet: ParSheet, kind: plots.Format) -> dict[str, bytes]:
    """Draw the plots of a sheet, by name."""
    load("matplotlib", EXTRA)  # so that a refusal names the one extra that a sheet needs
    return {
        "decks": plots.edge_by_decks(sheet.by_decks, kind),
        "rounds": plots.results_of_rounds(sheet.odds, PLOT_ROUNDS, kind),
    }


def template(name: str) -> str:
    """Return a template of the package."""
    return resources.files("croupier").joinpath(f"data/{name}").read_text(encoding="utf-8")


def html_sheet(sheet: ParSheet) -> bytes:
    """Write HTML that needs nothing beside it: no script, no font, no other file."""
    jinja2 = load("jinja2", EXTRA)
    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    drawn = {name: b64encode(image).decode() for name, image in images(sheet, "svg").items()}
    page = environment.from_string(template("parsheet.html")).render(
        **layout(sheet), images=drawn
    )
    return str(page).encode()


def pdf_sheet(sheet: ParSheet) -> bytes:
    """Set a PDF, with the typesetter's own fonts only."""
    typst = load("typst", EXTRA)
    files = {f"{name}.svg": image for name, image in images(sheet, "svg").items()}
    files["main.typ"] = template("parsheet.typ").encode()
    files["sheet.json"] = json.dumps(layout(sheet)).encode()
    content: bytes = typst.compile(files, format="pdf", ignore_system_fonts=True)
    return content


def csv_sheet(sheet: ParSheet) -> bytes:
    """Write CSV: a line for everything, ``part`` says what it is."""
    text = io.StringIO()
    writer = csv.DictWriter(text, CSV_COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    for name, value in sheet.identification:
        writer.writerow({"part": "identification", "item": name, "exact": value})
    for hand in sheet.hands:
        for line in hand_lines(hand):
            writer.writerow({"hand": hand.title, **line})
    for decks, odds in sheet.by_decks.items():
        for wager in odds.wagers:
            about = {"part": "edge by decks", "wager": wager.wager.slug, "item": decks}
            writer.writerow(about | {"value": float(wager.edge), "exact": wager.edge})
    for paragraph in sheet.method:
        writer.writerow({"part": "method", "exact": paragraph})
    writer.writerow({"part": "command", "exact": sheet.command})
    return text.getvalue().encode()


def hand_lines(hand: HandOdds) -> Iterator[Line]:
    """Yield the lines of one kind of hand: rows, figures, intervals, covariances."""
    odds = hand.odds
    related = correlations(odds)
    for number, wager in enumerate(odds.wagers):
        own: Line = {"wager": wager.wager.slug}
        for row in wager.rows:
            yield own | {
                "part": "row",
                "item": row.label,
                "pays": row.pays,
                "clause": row.clause,
                "count": row.count,
                "total": row.total,
                "probability": float(row.probability),
                "contribution": float(row.contribution),
                "exact": row.probability,
            }
        for name, exact in (
            ("return", 1 + wager.ev),
            ("edge", wager.edge),
            ("edge_resolved", wager.edge_resolved),
            ("hit_rate", wager.hit_rate),
            ("push_rate", wager.push_rate),
            ("variance", wager.variance),
        ):
            line = {"part": "figure", "item": name, "value": float(exact), "exact": exact}
            yield own | line
        yield own | {"part": "figure", "item": "sd", "value": wager.sd}
        volatility = wager.volatility_index
        yield own | {"part": "figure", "item": "volatility_index", "value": volatility}
        for rounds, low, high in intervals(wager):
            yield own | {"part": "return at least", "item": rounds, "value": low}
            yield own | {"part": "return at most", "item": rounds, "value": high}
        for other, covariance in enumerate(odds.covariance[number]):
            item = odds.wagers[other].wager.slug
            value = {"value": float(covariance), "exact": covariance}
            yield own | {"part": "covariance", "item": item, **value}
            value = {"value": related[number][other]}
            yield own | {"part": "correlation", "item": item, **value}


class Book:
    """A workbook in the making: a sheet, its formats, and the line that comes next.

    Counts have up to 18 digits and a spreadsheet keeps 15, so they are written as text.
    """

    def __init__(self, book: Any) -> None:  # noqa: ANN401  # comes without types
        self.book = book
        self.head = book.add_format({"bold": True, "bottom": 1, "text_wrap": True})
        self.plain = book.add_format({"text_wrap": True, "valign": "top"})
        self.digits = book.add_format({"align": "right"})
        self.percent = book.add_format({"num_format": "0.0000%"})
        self.number = book.add_format({"num_format": "0.0000000000"})

    def add(self, name: str, widths: tuple[int, ...], *, frozen: bool = True) -> Any:  # noqa: ANN401
        """Begin a sheet that prints on A4, as wide as the paper."""
        page = self.book.add_worksheet(name)
        for column, width in enumerate(widths):
            page.set_column(column, column, width)
        page.set_landscape()
        page.set_paper(9)
        page.fit_to_pages(1, 0)
        if frozen:
            page.freeze_panes(1, 0)
            page.repeat_rows(0)
        return page


def xlsx_sheet(sheet: ParSheet) -> bytes:
    """Write a workbook: a sheet for each part."""
    xlsxwriter = load("xlsxwriter", EXTRA)
    memory = io.BytesIO()
    with xlsxwriter.Workbook(memory, {"in_memory": True}) as workbook:
        given = sheet.date
        created = datetime(given.year, given.month, given.day, tzinfo=UTC) if given else NO_DATE
        title = f"PAR sheet: {sheet.game.name}"
        # The file format knows no time zones.
        workbook.set_properties({"title": title, "created": created.replace(tzinfo=None)})
        book = Book(workbook)
        page = book.add("Identification", (26, 90), frozen=False)
        for line, (name, value) in enumerate(sheet.identification):
            page.write_string(line, 0, name, book.head)
            page.write_string(line, 1, value, book.plain)
        xlsx_figures(book, sheet)
        xlsx_rows(book, sheet)
        xlsx_intervals(book, sheet)
        xlsx_matrices(book, sheet)
        xlsx_decks(book, sheet)
        page = book.add("Plots", (), frozen=False)
        line = 0
        for name, image in images(sheet, "png").items():
            page.write_string(line, 0, layout_note(sheet, name))
            page.insert_image(line + 1, 0, f"{name}.png", {"image_data": io.BytesIO(image)})
            line += PLOT_LINES
        page = book.add("Method", (120,), frozen=False)
        for line, paragraph in enumerate([*sheet.method, sheet.command]):
            page.write_string(line, 0, paragraph, book.plain)
    return memory.getvalue()


def layout_note(sheet: ParSheet, name: str) -> str:
    """Return what is said of a plot."""
    notes: Any = layout(sheet)["plots"]
    return str(notes[name])


def hand_name(hand: HandOdds) -> str:
    """Name a kind of hand where a cell must say something."""
    return hand.title or "every hand"


def xlsx_figures(book: Book, sheet: ParSheet) -> None:
    """Write the figures of every wager."""
    page = book.add("Wagers", (26, 22, 10, *(14,) * 7, 34))
    names = "return|edge placed|edge resolved|hit rate|push rate|SD|volatility index 90%"
    heads = ["hand", "wager", "optional", *names.split("|"), "expectation, exactly"]
    page.write_row(0, 0, heads, book.head)
    lines = [(hand, wager) for hand in sheet.hands for wager in hand.odds.wagers]
    for line, (hand, wager) in enumerate(lines, start=1):
        optional = "optional" if wager.wager.optional else ""
        page.write_row(line, 0, [hand_name(hand), wager.wager.name, optional])
        shares = [1 + wager.ev, wager.edge, wager.edge_resolved]
        shares += [wager.hit_rate, wager.push_rate]
        page.write_row(line, 3, [float(share) for share in shares], book.percent)
        page.write_row(line, 8, [wager.sd, wager.volatility_index], book.number)
        page.write_string(line, 10, str(wager.ev))


def xlsx_rows(book: Book, sheet: ParSheet) -> None:
    """Write every row of every wager."""
    page = book.add("Rows", (26, 22, 38, 12, 14, 24, 24, 16, 16))
    heads = "hand|wager|result|pays|clause|combinations|of|probability|contribution"
    page.write_row(0, 0, heads.split("|"), book.head)
    line = 0
    for hand in sheet.hands:
        for wager in hand.odds.wagers:
            for row in wager.rows:
                line += 1
                words = [hand_name(hand), wager.wager.name, row.label]
                page.write_row(line, 0, [*words, row.pays or "", row.clause or ""])
                page.write_string(line, 5, str(row.count), book.digits)
                page.write_string(line, 6, str(row.total), book.digits)
                numbers = [float(row.probability), float(row.contribution)]
                page.write_row(line, 7, numbers, book.number)


def xlsx_intervals(book: Book, sheet: ParSheet) -> None:
    """Write the confidence intervals of the returns."""
    page = book.add("Return after n rounds", (26, 22, 12, 14, 14))
    heads = ["hand", "wager", "rounds", "return at least", "return at most"]
    page.write_row(0, 0, heads, book.head)
    line = 0
    for hand in sheet.hands:
        for wager in hand.odds.wagers:
            for rounds, low, high in intervals(wager):
                line += 1
                page.write_row(line, 0, [hand_name(hand), wager.wager.name, rounds])
                page.write_row(line, 3, [low, high], book.percent)


def xlsx_matrices(book: Book, sheet: ParSheet) -> None:
    """Write covariance and correlation of all wagers."""
    names = [wager.name for wager in sheet.game.wagers]
    for title in ("Covariance", "Correlation"):
        page = book.add(title, (26, 22, *(14,) * len(names)))
        page.write_row(0, 0, ["hand", "wager", *names], book.head)
        line = 0
        for hand in sheet.hands:
            matrix: Sequence[Sequence[Fraction | float]] = hand.odds.covariance
            if title == "Correlation":
                matrix = correlations(hand.odds)
            for name, cells in zip(names, matrix, strict=True):
                line += 1
                page.write_row(line, 0, [hand_name(hand), name])
                page.write_row(line, 2, [float(cell) for cell in cells], book.number)


def xlsx_decks(book: Book, sheet: ParSheet) -> None:
    """Write the edges by the number of decks."""
    page = book.add("Edge by decks", (22, *(12,) * len(sheet.by_decks)))
    heads = [f"{decks} decks" for decks in sheet.by_decks]
    page.write_row(0, 0, ["edge placed", *heads], book.head)
    for line, wager in enumerate(sheet.game.wagers, start=1):
        page.write_string(line, 0, wager.name)
        edges = [float(odds[wager.slug].edge) for odds in sheet.by_decks.values()]
        page.write_row(line, 1, edges, book.percent)


WRITERS: dict[str, Callable[[ParSheet], bytes]] = {
    ".html": html_sheet,
    ".pdf": pdf_sheet,
    ".csv": csv_sheet,
    ".xlsx": xlsx_sheet,
}
ENDINGS = listed(list(WRITERS), "or")
