"""Stakes too far apart: asked for at the console, lowered at a terminal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.web.looking import opened, somebody
from tools.people import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.floor.serving import Served
    from tests.web.staff import Staff

TABLE, PATRON = "fa-fa-fabulous-4", "patron-07"


def test_a_patron_lowers_a_stake_by_just_enough(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    staff.take_over(TABLE)
    staff.play_out(TABLE)
    staff.give("pit-manager", TABLE, "set_differential", second="pit-supervisor", cents=100_00)
    staff.seat(PATRON, TABLE, 3)
    staff.call(TABLE)
    staff.bet(PATRON, TABLE, [("player", 300_00)])
    with (
        somebody(browser, quiet, "dealer") as at_console,
        somebody(browser, quiet, PATRON) as context,
    ):
        dealer = opened(at_console, f"/dealer/{TABLE}")
        page = opened(context, f"/table/{TABLE}")
        dealer.get_by_role("button", name="No more bets").click()
        steps = dealer.get_by_role("list", name="What the rulebook does")
        steps.get_by_text("Ask the patrons on Player to lower").wait_for()
        dealer.locator("footer").get_by_role("button", name="Ask to lower").click()
        # Asked once, the Dealer waits for the patrons.
        dealer.locator("footer").get_by_role("button", name="Patrons decide").wait_for()
        asked = page.get_by_role("region", name="Please lower your stake on Player")
        asked.get_by_role("button", name=re.compile("^Take back 200.00 of Player")).click()
        until(lambda: staff.view(TABLE)["hold"] is None, "the stakes are near enough")
        asked.wait_for(state="detached")
    (stake,) = staff.view(TABLE, PATRON)["own"]["stakes"]
    assert stake["cents"] == 100_00
    staff.play_out(TABLE)
    staff.give("pit-manager", TABLE, "set_differential", second="pit-supervisor", cents=None)


def test_a_pinned_table_says_that_stakes_are_too_far_apart_and_leads_there(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    staff.take_over(TABLE)
    staff.play_out(TABLE)
    staff.give("pit-manager", TABLE, "set_differential", second="pit-supervisor", cents=100_00)
    if staff.view(TABLE, PATRON)["own"]["seat"] is None:
        staff.seat(PATRON, TABLE, 3)
    staff.call(TABLE)
    staff.bet(PATRON, TABLE, [("player", 300_00)])
    with somebody(browser, quiet, PATRON) as context:
        page = opened(context, "/lobby")
        page.evaluate("names => localStorage.setItem('croupier.pinned', names)", f'["{TABLE}"]')
        page = opened(context, "/tables")
        pinned = page.locator(f"[data-table='{TABLE}']")
        pinned.wait_for()
        assert pinned.get_by_role("alert").count() == 0
        staff.give("dealer", TABLE, "close_bets")
        staff.give("dealer", TABLE, "ask_to_lower")
        asked = pinned.get_by_role("alert")
        asked.get_by_text("The stakes are too far apart").wait_for()
        asked.get_by_role("link", name="Answer").click()
        page.get_by_role("region", name="Please lower your stake on Player").wait_for()
    staff.play_out(TABLE)
    staff.give("pit-manager", TABLE, "set_differential", second="pit-supervisor", cents=None)
