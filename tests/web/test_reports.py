"""The list of irregularities at the console: what is open, why others are not, what is over."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.web.dealing import guided, primary
from tests.web.looking import opened, somebody

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.floor.serving import Served
    from tests.web.staff import Staff

TABLE, PATRON = "fortune-six-tournament", "patron-09"


def situation(page: Page, name: str) -> None:
    """Press a situation of the list."""
    page.get_by_role("button", name=re.compile(f"^{name}")).click(force=True)


def quick_reports_say_why(page: Page) -> None:
    """Press what cannot be done, by keys: each says why, where its description lies."""
    tools = page.get_by_role("region", name="Shoe, reports and help")
    told = tools.get_by_role("status")
    told.filter(has_text="Press one to read why").wait_for()
    reasons = {"Came together": "one by one", "Correct a card": "sealed shoe"}
    for name, reason in reasons.items():
        button = tools.get_by_role("button", name=name)
        assert button.get_attribute("aria-disabled") == "true"
        # As the line says: dashed, and as readable as others.
        expect(button).to_have_css("border-top-style", "dashed")
        expect(button).to_have_css("opacity", "1")
        button.focus()
        page.keyboard.press("Enter")
        told.filter(has_text=re.compile(f"^{name} .*{reason}")).wait_for()
        expect(button).to_have_accessible_description(told.inner_text())


def test_what_cannot_happen_says_why_and_what_is_over_stays_after_a_reload(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    staff.take_over(TABLE)
    staff.seat(PATRON, TABLE, 2)
    staff.call(TABLE)
    staff.bet(PATRON, TABLE, [("player", 100_00)])
    staff.deal(TABLE, "4S", "KH")  # the faces come from the sealed shoe
    with somebody(browser, quiet, "dealer") as context:
        page = opened(context, f"/dealer/{TABLE}")
        quick_reports_say_why(page)
        page.get_by_role("button", name="All 24 situations").click()
        closed = page.locator(".groups button[aria-disabled=true]")
        names = {text.split("\n")[0] for text in closed.all_inner_texts()}
        assert {"Came together", "Seen in movement", "Terminal failed"} <= names
        assert "Exposed in error" not in names
        situation(page, "Came together")
        page.get_by_text("A virtual shoe gives its cards one by one").wait_for()
        situation(page, "Seen in movement")
        page.get_by_text("only by method C do patrons pass it on").wait_for()
        page.get_by_role("button", name="Back to the round").click()
        late = {"situation": "late_increase", "patron": PATRON}
        staff.give("dealer", TABLE, "report", about=late)
        over = page.get_by_role("status").filter(has_text="Placed or raised late")
        over.wait_for()
        page.reload()
        over.wait_for()
    staff.play_out(TABLE)


def test_a_half_written_report_is_found_again_until_it_is_left_or_its_round_is_over(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    staff.take_over(TABLE)
    if staff.view(TABLE, PATRON)["own"]["seat"] is None:
        staff.seat(PATRON, TABLE, 2)
    staff.call(TABLE)
    staff.bet(PATRON, TABLE, [("player", 100_00)])
    staff.deal(TABLE, "", "")
    with somebody(browser, quiet, "dealer") as context:
        page = opened(context, f"/dealer/{TABLE}")
        guided(page, "Wrong order")
        page.get_by_role("button", name="Banker's first card").click()
        note = page.get_by_label("Note, kept in the record")
        note.fill("the Banker's came first")
        page.reload()

        # Half an order is still half an order, and goes on.
        page.get_by_role("heading", name="Wrong order").wait_for()
        page.get_by_text("1 · Banker's first card").wait_for()
        assert note.input_value() == "the Banker's came first"
        page.get_by_role("button", name="Player's first card").click()
        send = page.get_by_role("button", name="Send report")
        send.and_(page.locator(":enabled")).wait_for()
        assert staff.view(TABLE)["hold"] is None, "nothing was sent"

        # The list and back loses nothing; what is sent is kept no more.
        page.get_by_role("button", name="Back", exact=True).click()
        situation(page, "Wrong order")
        page.get_by_text("2 · Player's first card").wait_for()
        send.click()
        waits = page.locator("main").get_by_text("Waiting for a Gaming Shift Manager")
        waits.wait_for()
        reported = staff.view(TABLE)["dealer"]["hold"]["report"]
        assert reported["about"]["laid"] == ["B1", "P1"]
        page.reload()
        waits.wait_for()
        staff.give(
            *("gaming-shift-manager", TABLE, "decide_referral"),
            second="pit-supervisor", decision="continue", reason="as they lie",
        )  # fmt: skip

        # Back to the round leaves it.
        guided(page, "Something else")
        note.fill("a cat")
        page.get_by_role("button", name="Back", exact=True).click()
        page.get_by_role("button", name="Back to the round").click()
        page.reload()
        page.get_by_role("button", name="All 24 situations").wait_for()

        # Nor what is of a round that is over.
        guided(page, "Something else")
        note.fill("a bird")
        called = primary(page).filter(has_text="No more bets")
        staff.play_out(TABLE)
        staff.call(TABLE)
        called.wait_for()
        page.reload()
        called.wait_for()
        assert note.count() == 0
    staff.play_out(TABLE)
