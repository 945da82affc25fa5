"""Reports of a shift: on the page, chosen by keyboard, on paper, and as a file."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.web.looking import PHONE, opened, setting, somebody

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.floor.serving import Served
    from tests.web.staff import Staff

TABLE, NUMBER = "fortune-six-tournament", "Table 03"
PATRON = "patron-11"


@pytest.fixture(scope="module")
def played(quiet: Served, staff: Staff) -> int:
    """Deal a round with a stake, and one that is void; return the number of the second."""
    del quiet
    staff.open_with_paper(TABLE)
    staff.seat(PATRON, TABLE, 7)
    staff.call(TABLE)
    staff.bet(PATRON, TABLE, [("banker", 100_00)])
    staff.deal(TABLE, *["4S", "2H", "5D", "3C"])
    staff.play_out(TABLE)
    number = staff.call(TABLE)
    staff.bet(PATRON, TABLE, [("player", 50_00)])
    staff.deal(TABLE, "4S")
    staff.void(TABLE)
    return number


def rows_of(page: Page, title: str) -> list[dict[str, str]]:
    """Return the rows of a list, by the names of its columns."""
    table = page.get_by_role("table", name=title)
    table.locator("tbody tr").first.wait_for()
    names = table.locator("thead th").all_inner_texts()
    rows = table.locator("tbody tr").all()
    return [dict(zip(names, row.locator("td").all_inner_texts(), strict=True)) for row in rows]


def of_table(page: Page) -> None:
    """Ask for one table alone."""
    page.get_by_role("combobox", name="Table", exact=True).select_option(TABLE)


def test_a_shift_says_what_a_table_played_and_who_dealt(
    browser: Browser, quiet: Served, played: int
) -> None:
    del played
    with somebody(browser, quiet, "pit-supervisor") as context:
        page = opened(context, "/pit")
        page.get_by_role("link", name="Reports").click()
        page.wait_for_url("**/pit/reports")
        of_table(page)
        page.get_by_role("row", name=re.compile("^All together")).wait_for()
        game, total = rows_of(page, "Play")
        assert game["Table"] == NUMBER
        assert int(game["Rounds"]) >= 1
        assert game["Turnover"] == total["Turnover"] != "0.00"
        assert "…" in game["Band of 95 %"]
        (bank,) = rows_of(page, "Banks and Dealers")
        assert "dealer (" in bank["Dealers"]
        assert re.fullmatch(r"[\d,]+\.\d\d", bank["Opener"])


def test_exceptions_lead_to_their_round(browser: Browser, quiet: Served, played: int) -> None:
    with somebody(browser, quiet, "pit-manager") as context:
        page = opened(context, "/pit/reports")
        page.get_by_role("radio", name="Shift").focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_url("**/pit/reports/shoes")
        page.keyboard.press("ArrowRight")
        page.wait_for_url("**/pit/reports/exceptions")
        of_table(page)
        page.get_by_role("button", name=re.compile("^Void")).click()
        others = page.locator("tbody small").filter(has_not_text=re.compile("^Void"))
        expect(others).to_have_count(0)
        void = page.get_by_role("row").filter(has_text="Round void").first
        assert "50.00" in void.inner_text()
        assert "pit-supervisor, Pit Supervisor" in void.inner_text()
        assert "pit-manager" in void.inner_text()
        kinds = page.locator("tbody small").all_inner_texts()
        assert {one.split(" · ")[0] for one in kinds} == {"Void"}
        void.get_by_role("link", name=f"{NUMBER}, round {played}").click()
        page.wait_for_url(f"**/pit/{TABLE}/recall/{played}")
        page.get_by_text("Round void").first.wait_for()


def test_an_auditor_reads_the_same_and_takes_it_away(
    browser: Browser, quiet: Served, played: int, tmp_path: Path
) -> None:
    with somebody(browser, quiet, "auditor") as context:
        page = opened(context, "/audit")
        page.get_by_role("link", name="Reports").click()
        page.get_by_role("radio", name="Shoes").click()
        of_table(page)
        page.wait_for_load_state("networkidle")
        newest = rows_of(page, "Shoes in play in this time")[0]
        assert newest["Void"] != "0"
        with page.expect_download() as downloading:
            page.get_by_role("button", name="CSV").click()
        path = tmp_path / downloading.value.suggested_filename
        assert re.fullmatch(r"shoes-\d{4}-\d\d-\d\d\.csv", path.name)
        downloading.value.save_as(path)
        of, _, title, names, *rows = csv.reader(
            path.read_text(encoding="utf-8-sig").splitlines()
        )
        assert of[0] == "Shoes"
        assert of[-1] == NUMBER
        assert any("whole day" in one.casefold() for one in of), of
        assert title[1] == "Rounds that were void are not among the outcomes"
        first = dict(zip(names, rows[0], strict=True))
        assert first["Table"] == NUMBER
        assert first["Banker"] == newest["Banker"]
        page.goto("/audit/reports/exceptions")
        of_table(page)
        link = page.get_by_role("link", name=f"{NUMBER}, round {played}").first
        link.click()
        page.wait_for_url(f"**/audit/table%3A{TABLE}/rounds/{played}")


def test_on_paper_there_are_the_lists_alone(
    browser: Browser, quiet: Served, played: int
) -> None:
    del played
    with somebody(browser, quiet, "pit-manager") as context:
        page = opened(context, "/pit/reports")
        setting(page, {"theme": "dark"})
        of_table(page)
        play = page.get_by_role("region", name="Play")
        play.wait_for()
        page.evaluate("window.print = () => { document.title = 'printed'; }")
        page.get_by_role("button", name="Print").click()
        assert page.title() == "printed"
        page.emulate_media(media="print")
        assert play.is_visible()
        assert page.get_by_role("heading", name="Shift").is_visible()
        for part in (".nav", ".top", ".rpf", ".hd .end"):
            assert page.locator(part).is_hidden(), part
        ink = play.locator("td").first.evaluate("one => getComputedStyle(one).color")
        assert ink == "rgb(0, 0, 0)"
        assert len(page.pdf()) > 1_000


@pytest.mark.parametrize("part", ["", "/shoes", "/exceptions"])
def test_on_a_phone_nothing_is_wider_than_it(
    browser: Browser, quiet: Served, played: int, part: str
) -> None:
    del played
    with somebody(browser, quiet, "pit-manager", {"viewport": PHONE}) as context:
        page = opened(context, f"/pit/reports{part}")
        of_table(page)
        page.locator("tbody tr").first.wait_for()
        wide = page.evaluate("document.scrollingElement.scrollWidth")
        assert wide <= PHONE["width"]


def test_a_day_without_anything_says_so(browser: Browser, quiet: Served, played: int) -> None:
    del played
    with somebody(browser, quiet, "pit-manager") as context:
        page = opened(context, "/pit/reports/shoes")
        page.locator("tbody tr").first.wait_for()
        days = page.get_by_role("combobox", name="Gaming day")
        days.select_option(index=days.locator("option").count() - 1)
        page.get_by_text("No shoe was in play in this time.").wait_for()
        page.get_by_role("radio", name="Exceptions").click()
        page.get_by_text("Nothing out of the usual in this time.").wait_for()
