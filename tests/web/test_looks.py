"""Every screen is for everybody: axe finds nothing serious, nothing scrolls sideways."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from tests.web.looking import LARGE, PHONE, WALL, opened, setting, somebody
from tests.web.measuring import axe

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.floor.serving import Served
    from tests.web.staff import Staff

BOTH = [{"language": "en", "theme": "dark"}, {"language": "zh-Hans", "theme": "light"}]
"""English in the dark and Chinese in the light."""
SHEETS = (
    "",
    "/menu",
    "/pays",
    "/history",
    "/wallet",
    "/verify",
    "/time",
    "/keys",
    "/attendant",
)


LEAST_TEXT = 11
"""In pixels, as the tokens have it."""


def at_a_seat(staff: Staff) -> tuple[str, str]:
    """Return a patron who sits, and where."""
    patron, table = "patron-11", "tiger-no-commission"
    if staff.view(table, patron)["own"]["seat"] is None:
        staff.seat(patron, table, 1)
    return patron, table


@pytest.mark.parametrize("viewport", [LARGE, PHONE], ids=["large", "phone"])
def test_axe_finds_nothing_at_a_seat(
    browser: Browser, quiet: Served, staff: Staff, viewport: dict[str, int]
) -> None:
    patron, table = at_a_seat(staff)
    with somebody(browser, quiet, patron, {"viewport": viewport}) as context:
        page = opened(context, f"/table/{table}")
        for look in BOTH:
            setting(page, look)
            for sheet in SHEETS:
                page.goto(f"/table/{table}{sheet}")
                page.locator(".spots").wait_for(state="attached")
                assert axe(page) == [], (look, sheet)
                width = page.evaluate("document.documentElement.scrollWidth")
                assert width <= viewport["width"], (look, sheet)


def test_axe_finds_nothing_while_a_round_is_dealt_and_held(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    table, patron = "baccarat", "patron-12"
    staff.open_with_paper(table)
    if staff.view(table, patron)["own"]["seat"] is None:
        staff.seat(patron, table, 3)
    staff.call(table)
    staff.bet(patron, table, [("banker", 100_00), ("tie", 50_00)])
    with ExitStack() as people:
        pages = [
            opened(people.enter_context(somebody(browser, quiet, name)), path)
            for name, path in (
                ("dealer", f"/dealer/{table}"),
                (patron, f"/table/{table}"),
                ("pit-manager", f"/pit/{table}"),
                (None, f"/display/{table}"),
            )
        ]
        staff.deal(table, "QH", "4S")
        for page in pages:
            assert axe(page) == [], page.url
        pages[0].get_by_role("button", name="All 24 situations").click()
        assert axe(pages[0]) == []
        pages[0].get_by_role("button", name="Power failed").click()
        pages[0].get_by_role("button", name="Send report").click()
        pages[0].get_by_text("Pit Supervisor confirms the report").first.wait_for()
        assert axe(pages[0]) == []
        staff.give("pit-supervisor", table, "confirm_report", reason="as reported")
        pages[1].get_by_role("region", name="Take back all").wait_for()
        for page in pages:
            assert axe(page) == [], page.url
    staff.void(table)


@pytest.mark.parametrize(
    ("viewport", "name", "path", "root"),
    [
        (LARGE, "patron-12", "/table/tiger", 16),
        (WALL, "patron-12", "/table/tiger", 18),
        (WALL, "dealer", "/dealer/baccarat", 18),
        (WALL, "pit-manager", "/pit", 17),
    ],
)
def test_text_is_as_large_as_somebody_sets_it_on_every_screen(
    browser: Browser,
    floor: Served,
    viewport: dict[str, int],
    name: str,
    path: str,
    root: int,
) -> None:
    with somebody(browser, floor, name, {"viewport": viewport}) as context:
        page = opened(context, path)
        for size in (100, 112, 125):
            setting(page, {"size": size})
            shown = page.evaluate("getComputedStyle(document.documentElement).fontSize")
            assert float(shown.removesuffix("px")) == pytest.approx(root * size / 100, abs=0.01)
            width = page.evaluate("document.documentElement.scrollWidth")
            assert width <= viewport["width"], size


def test_a_dialog_opened_from_the_bar_has_its_words_on_a_phone(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    """The bar has no room for words of its own; what opens there does."""
    patron, table = at_a_seat(staff)
    with somebody(browser, quiet, patron, {"viewport": PHONE}) as context:
        page = opened(context, "/tables")
        page.locator(f"[data-table={table}]").wait_for()
        page.keyboard.press("?")
        close = page.get_by_role("dialog", name="Keys").get_by_role("button", name="Close")
        size = close.evaluate("one => getComputedStyle(one).fontSize")
        assert float(size.removesuffix("px")) >= LEAST_TEXT


def test_the_last_line_beside_the_felt_can_be_reached_with_large_text(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    """That roads are for information only is said beside them, whatever their size."""
    patron, table = at_a_seat(staff)
    with somebody(browser, quiet, patron, {"viewport": LARGE}) as context:
        page = opened(context, f"/table/{table}")
        setting(page, {"size": 125})
        note, foot = page.locator(".rail .note"), page.locator(".foot")
        page.locator(".rail .counts").hover()
        page.mouse.wheel(0, 4_000)
        page.wait_for_timeout(500)
        below, above = note.bounding_box(), foot.bounding_box()
        assert below is not None
        assert above is not None
        assert below["y"] + below["height"] <= above["y"] + 1


@pytest.mark.parametrize("size", [LARGE, PHONE], ids=["large", "phone"])
def test_a_message_that_comes_beside_a_panel_moves_nothing(
    browser: Browser, quiet: Served, staff: Staff, size: dict[str, int]
) -> None:
    table, patron = "baccarat-a", "patron-13"
    staff.take_over(table)
    if staff.view(table, patron)["own"]["seat"] is None:
        staff.seat(patron, table, 6)
    staff.call(table)
    staff.bet(patron, table, [("player", 200_00)])
    staff.deal(table, *[""] * 4)
    with somebody(browser, quiet, patron, {"viewport": size}) as context:
        page = opened(context, f"/table/{table}")
        panel, spots = page.locator(".hold"), page.get_by_role("group", name="Bet spots")
        panel.wait_for()
        before = [panel.bounding_box(), spots.bounding_box()]
        page.keyboard.press("z")
        page.get_by_role("alert").get_by_text("Undo is not possible now.").wait_for()
        assert [panel.bounding_box(), spots.bounding_box()] == before
    staff.play_out(table)


CUT_CHIPS = """fade => {
  const tray = document.querySelector(".tray");
  const end = tray.getBoundingClientRect().right - fade;
  return [...tray.querySelectorAll("button")].map(one => one.getBoundingClientRect())
    .filter(one => one.left < end - 1 && one.right > end + 1).length;
}"""
FADE = 28
"""So many pixels at the end of a row of chips fade out."""


@pytest.mark.parametrize("size", [LARGE, PHONE], ids=["large", "phone"])
def test_no_chip_is_cut_so_that_it_reads_as_another(
    browser: Browser, quiet: Served, staff: Staff, size: dict[str, int]
) -> None:
    table, patron = "baccarat-a", "patron-13"
    staff.take_over(table)
    if staff.view(table, patron)["own"]["seat"] is None:
        staff.seat(patron, table, 6)
    staff.call(table)
    with somebody(browser, quiet, patron, {"viewport": size}) as context:
        page = opened(context, f"/table/{table}")
        for text in (100, 125):
            setting(page, {"size": text})
            page.locator(".tray button").first.wait_for()
            assert page.evaluate(CUT_CHIPS, FADE) == 0, text
    staff.play_out(table)


def test_a_display_that_is_moved_a_little_stays_in_its_window(
    browser: Browser, quiet: Served
) -> None:
    with somebody(browser, quiet, None) as context:
        page = opened(context, "/display/tiger")
        shown = page.locator(".d")
        shown.wait_for()
        # As it is moved every few minutes, so that nothing burns in.
        shown.evaluate("one => one.style.transform = 'translate(2px, 2px)'")
        for side in ("Width", "Height"):
            widest = f"document.documentElement.scroll{side} <= inner{side}"
            assert page.evaluate(widest), side
