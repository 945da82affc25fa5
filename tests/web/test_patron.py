"""What patrons read anywhere: balances, reasons on touch, pays and the display on a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.web.looking import PHONE, opened, setting, somebody
from tests.web.playing import open_bets, sit, spot

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.floor.serving import Served
    from tests.web.staff import Staff

LANGUAGES = ("en", "zh-Hans", "ms", "ta")
CUT = """() => {
  const sheet = document.querySelector(".sheet");
  const edge = sheet.querySelector(".seg").getBoundingClientRect().right;
  const parts = ".seg button, .edge > *, .rows li > *, .tblbox, th, td, caption, p, dt, dd";
  const inline = one => getComputedStyle(one).display === "inline";
  const wide = one => !inline(one) && one.scrollWidth > one.clientWidth + 1;
  const out = one => one.getBoundingClientRect().right > edge + 1;
  return [...sheet.querySelectorAll(parts)]
    .filter(one => one.checkVisibility() && (wide(one) || out(one)))
    .map(one => one.textContent);
}"""
"""Texts of the sheet that do not fit where they stand, or stand beyond its edge."""


@pytest.mark.parametrize("path", ["/signin", "/display/tiger"])
def test_whoever_is_not_signed_in_leaves_the_console_empty(
    browser: Browser, floor: Served, path: str
) -> None:
    with somebody(browser, floor, None) as context:
        said: list[str] = []
        context.on("console", lambda message: said.append(message.text))
        page = opened(context, path)
        page.wait_for_timeout(1000)
        assert said == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_phone_cuts_nothing_of_what_wagers_pay(
    browser: Browser, floor: Served, language: str
) -> None:
    with somebody(browser, floor, "patron-12", {"viewport": PHONE}) as context:
        page = opened(context, "/table/tiger/pays")
        setting(page, {"language": language})
        for table in ("tiger", "power-98", "fabulous-4s"):
            page.goto(f"/table/{table}/pays")
            page.locator(".edge .rows li").first.wait_for()
            for tab in range(3):
                page.locator(".sheet .seg button").nth(tab).click()
                page.wait_for_timeout(100)
                assert page.evaluate(CUT) == [], (table, tab)
            width = page.evaluate("document.documentElement.scrollWidth")
            assert width <= PHONE["width"], table


def test_a_finger_learns_why_nothing_can_be_done(browser: Browser, quiet: Served) -> None:
    touch: dict[str, Any] = {"viewport": PHONE, "has_touch": True}
    with somebody(browser, quiet, "patron-18", touch) as context:
        page = opened(context, "/table/tiger")
        sit(page, 18)
        open_bets(context, "tiger", 60)

        def why(name: str) -> str:
            button = page.get_by_role("button", name=name, exact=True)
            assert button.get_attribute("aria-disabled") == "true"
            assert button.get_attribute("disabled") is None
            button.tap(force=True)
            said: str = page.get_by_role("main", name="Table").get_by_role("alert").inner_text()
            return " ".join(said.split())

        changed = "You have changed nothing since bets opened."
        staked = "No stake of yours lies here."
        before = "You had no stake in an earlier round at this table."
        assert why("Undo") == f"Undo is not possible now. {changed}"
        assert why("Clear") == f"Clear is not possible now. {staked}"
        assert why("Repeat") == f"Repeat is not possible now. {before}"
        assert why("Double") == f"Double is not possible now. {staked}"
        page.get_by_role("radio", name="Chip of 100", exact=True).tap()
        spot(page, "Banker").tap()
        page.get_by_text("is not possible now").wait_for(state="detached")
        undo = page.get_by_role("button", name="Undo", exact=True)
        assert undo.get_attribute("aria-disabled") == "false"
        undo.tap()
        assert why("Undo") == f"Undo is not possible now. {changed}"


def test_own_rounds_show_the_balance_before_and_after(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    table, patron = "baccarat", "patron-17"
    staff.open_with_paper(table)
    if staff.view(table, patron)["own"]["seat"] is None:
        staff.seat(patron, table, 5)
    number = staff.call(table)
    credit = staff.view(table, patron)["own"]["credit_cents"]
    staff.bet(patron, table, [("banker", 100_00), ("tie", 50_00)])
    staff.play_out(table)
    after = staff.view(table, patron)["own"]["credit_cents"]
    newest = staff.get(patron, "/me/rounds?limit=1")[0]
    assert newest["balance"] == {
        "before_cents": credit,
        "brought_cents": 0,
        "taken_cents": 0,
        "after_cents": after,
    }
    with somebody(browser, quiet, patron) as context:
        page = opened(context, f"/table/{table}/history")
        page.get_by_role("button", name=f"Round {number}").click()
        facts = page.get_by_role("region", name="Your rounds").locator("dl.facts")
        facts.get_by_text("Balance before · after").wait_for()
        facts.get_by_text(f"{credit / 100:,.2f} · {after / 100:,.2f}").wait_for()
        page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
        for language in LANGUAGES:
            setting(page, {"language": language})
            page.locator(".sheet .hx button").first.click()
            page.locator(".sheet dl.facts dd").first.wait_for()
            assert page.evaluate(CUT) == [], language


def size(page: Page, selector: str) -> dict[str, float]:
    """Return where the first of something stands, and how large its letters are."""
    found: dict[str, float] = page.evaluate(
        """selector => {
          const one = document.querySelector(selector);
          const { left, right, bottom, width } = one.getBoundingClientRect();
          const letters = parseFloat(getComputedStyle(one).fontSize);
          return { left, right, bottom, width, letters };
        }""",
        selector,
    )
    return found


def test_a_display_is_read_on_a_phone(browser: Browser, quiet: Served, staff: Staff) -> None:
    table = "baccarat"
    staff.open_with_paper(table)
    staff.coup(table, "2S 3H 3D 2C 5S 4H")
    with somebody(browser, quiet, None, {"viewport": PHONE}) as context:
        page = opened(context, f"/display/{table}")
        page.get_by_text("Banker wins, 9 over 0").wait_for()
        least = {".d .st b": 20, ".d .h h2": 16, ".d .total": 24, ".d .res": 16, ".d .ft": 11}
        for selector, letters in least.items():
            assert size(page, selector)["letters"] >= letters, selector
        for selector in (".d .h.p", ".d .h.b", ".d .res", ".d .roads .rb"):
            where = size(page, selector)
            assert where["left"] >= 0, selector
            assert where["right"] <= PHONE["width"], selector
            assert where["bottom"] <= PHONE["height"], selector
        for selector in (".d .h.p .third", ".d .h.b .third"):
            assert size(page, selector)["right"] <= PHONE["width"], selector
        assert size(page, ".d .h .c")["width"] >= 60
        assert size(page, ".d .roads .rb")["width"] / 18 >= 18
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
