"""Every screen is for everybody: axe finds nothing serious, nothing scrolls sideways."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.looking import LARGE, PHONE, WALL, opened, setting, somebody

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.floor.serving import Served
    from tests.web.staff import Staff

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
SERIOUS = {"serious", "critical"}
SCREENS = [
    (None, "/signin"),
    (None, "/display/tiger"),
    ("patron-12", "/lobby"),
    ("patron-12", "/tables"),
    ("patron-12", "/table/tiger"),
    ("patron-12", "/table/tiger/pays"),
    ("patron-12", "/table/baccarat/history"),
    ("patron-12", "/table/tiger/attendant"),
    ("dealer", "/dealer"),
    ("dealer", "/dealer/baccarat"),
    ("pit-manager", "/pit"),
    ("pit-manager", "/pit/alarms"),
    ("pit-manager", "/pit/win"),
    ("pit-manager", "/pit/discretions"),
    ("pit-manager", "/pit/reports"),
    ("pit-manager", "/pit/reports/shoes"),
    ("pit-manager", "/pit/reports/exceptions"),
    ("pit-manager", "/pit/tiger/settings"),
    ("cashier", "/cage"),
    ("auditor", "/audit"),
    ("administrator", "/house"),
    ("technician", "/house"),
    ("auditor", "/audit/table:tiger"),
]
LOOKS = [
    {"language": language, "theme": theme}
    for language in ("en", "zh-Hans")
    for theme in ("dark", "light")
]
BOTH = [LOOKS[0], LOOKS[-1]]
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


def found_by_axe(page: Page) -> list[str]:
    """Return what axe finds serious, with the first place of each."""
    page.evaluate(AXE.read_text())
    result: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:200]} {one['nodes'][0]['failureSummary']}"
        for one in result["violations"]
        if one["impact"] in SERIOUS
    ]


@pytest.mark.parametrize(("name", "path"), SCREENS)
def test_axe_finds_nothing_serious(
    browser: Browser, floor: Served, name: str | None, path: str
) -> None:
    with somebody(browser, floor, name, {"viewport": LARGE}) as context:
        page = opened(context, path)
        for look in LOOKS:
            setting(page, look)
            assert page.locator("html").get_attribute("lang") == look["language"]
            assert page.locator("html").get_attribute("data-theme") == look["theme"]
            assert found_by_axe(page) == [], look


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
                assert found_by_axe(page) == [], (look, sheet)
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
            assert found_by_axe(page) == [], page.url
        pages[0].get_by_role("button", name="All 24 situations").click()
        assert found_by_axe(pages[0]) == []
        pages[0].get_by_role("button", name="Power failed").click()
        pages[0].get_by_role("button", name="Send report").click()
        pages[0].get_by_text("Pit Supervisor confirms the report").first.wait_for()
        assert found_by_axe(pages[0]) == []
        staff.give("pit-supervisor", table, "confirm_report", reason="as reported")
        pages[1].get_by_role("region", name="Take back all").wait_for()
        for page in pages:
            assert found_by_axe(page) == [], page.url
    staff.void(table)


@pytest.mark.parametrize(("name", "path"), SCREENS)
def test_nothing_scrolls_sideways_on_a_phone(
    browser: Browser, floor: Served, name: str | None, path: str
) -> None:
    with somebody(browser, floor, name, {"viewport": PHONE}) as context:
        page = opened(context, path)
        for language in ("en", "zh-Hans"):
            setting(page, {"language": language})
            page.wait_for_timeout(500)
            width = page.evaluate("document.documentElement.scrollWidth")
            assert width <= PHONE["width"], language


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
