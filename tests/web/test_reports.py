"""The list of irregularities at the console: what is open, why others are not, what is over."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.web.looking import opened, somebody

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.floor.serving import Served
    from tests.web.staff import Staff

TABLE, PATRON = "fortune-six-tournament", "patron-09"


def situation(page: Page, name: str) -> None:
    """Press a situation of the list."""
    page.get_by_role("button", name=re.compile(f"^{name}")).click(force=True)


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
