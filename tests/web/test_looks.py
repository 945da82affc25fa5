"""Every screen is for everybody: axe finds nothing serious, nothing scrolls sideways."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.looking import LARGE, PHONE, opened, setting, somebody

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.floor.serving import Served

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
    ("dealer", "/dealer"),
    ("dealer", "/dealer/baccarat"),
    ("pit-manager", "/pit"),
    ("pit-manager", "/pit/alarms"),
    ("pit-manager", "/pit/win"),
    ("pit-manager", "/pit/discretions"),
    ("pit-manager", "/pit/tiger/settings"),
    ("cashier", "/cage"),
    ("auditor", "/audit"),
    ("auditor", "/audit/table:tiger"),
]
LOOKS = [
    {"language": language, "theme": theme}
    for language in ("en", "zh-Hans")
    for theme in ("dark", "light")
]


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


@pytest.mark.parametrize(("name", "path"), [one for one in SCREENS if "display" not in one[1]])
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
