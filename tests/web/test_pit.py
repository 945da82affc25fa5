"""The pit decides: a void that every screen shows, a referral, and acts of two people."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.web.dealing import signs
from tests.web.looking import opened, several, somebody
from tests.web.playing import view
from tools.people import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.floor.serving import Served
    from tests.web.staff import Staff

SELF = "Nobody approves a command of their own"


def test_a_void_is_confirmed_by_two_and_seen_on_every_screen(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    table = "fa-fa-fabulous-4"
    staff.take_over(table)
    staff.seat("patron-04", table, 1)
    staff.call(table)
    staff.bet("patron-04", table, [("player", 100_00), ("tie", 50_00)])
    staff.deal(table, "", "")
    with several(browser, quiet) as page_of:
        terminal = page_of("patron-04", f"/table/{table}")
        dealer = page_of("dealer", f"/dealer/{table}")
        pit = page_of("pit-supervisor", f"/pit/{table}")
        floor = page_of("pit-manager", "/pit")
        display = page_of(None, f"/display/{table}")
        staff.give("dealer", table, "report", about={"situation": "extra_card"})

        pit.get_by_role("button", name="Decide", exact=True).click()
        asked = pit.get_by_role("dialog", name="Is the report right?")
        asked.get_by_role("radio", name="Confirm the report").click()
        asked.get_by_text("150.00 go back to 1 patron; the round is void.").wait_for()
        signs(asked, quiet, "pit-supervisor")
        asked.get_by_role("button", name="Confirm the report").click()
        asked.get_by_text(SELF).wait_for()
        assert staff.view(table)["phase"] != "VOID"
        signs(asked, quiet, "pit-manager")
        asked.get_by_role("button", name="Confirm the report").click()
        asked.wait_for(state="detached")

        terminal.get_by_role("main").get_by_text(
            "All your stakes are returned: 150.00"
        ).wait_for()
        terminal.get_by_text("FF3 5.1.1").first.wait_for()
        dealer.get_by_text("The last round was void").wait_for()
        pit.get_by_text("Round void").first.wait_for()
        floor.get_by_text("Round void").first.wait_for()
        display.get_by_text("Round void, all stakes are returned").wait_for()
        display.get_by_text("投注全部退还").wait_for()
        own = view(terminal.context, table)["own"]
        assert (own["credit_cents"], own["in_play_cents"]) == (10_000_00, 0)
        balance = terminal.get_by_role("button", name="Your money").last
        until(lambda: "10,000.00" in balance.inner_text(), "the balance is another one")


def test_a_question_that_somebody_else_decided_is_not_the_next_one(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    table = "fa-fa-fabulous-4"
    staff.take_over(table)
    staff.call(table)
    staff.deal(table, "", "")
    with several(browser, quiet) as page_of:
        pit = page_of("pit-supervisor", "/pit")
        # What voids the round comes first; the other report waits behind it.
        staff.give("dealer", table, "report", about={"situation": "device_reset"})
        staff.give("dealer", table, "report", about={"situation": "power_failure"})
        card = pit.get_by_role("article").filter(has_text="Power failed")
        card.get_by_role("button", name="Decide", exact=True).click()
        asked = pit.get_by_role("dialog", name="Is the report right?")
        asked.get_by_role("radio", name="Dismiss the report").click()
        asked.get_by_label("Reason").fill("the lamp alone")
        staff.give("pit-manager", table, "dismiss_report", reason="the lamp alone")
        gone = pit.get_by_role("dialog", name="This question is not open any more")
        gone.get_by_text("Somebody else decided it").wait_for()
        assert gone.get_by_role("radio").count() == 0
        assert staff.view(table)["dealer"]["hold"]["situation"] == "device_reset"
        gone.get_by_role("button", name="Back").click()
        card = pit.get_by_role("article").filter(has_text="Reset needed")
        card.get_by_role("button", name="Decide", exact=True).click()
        asked = pit.get_by_role("dialog", name="Is the report right?")
        assert asked.locator("[role=radio][aria-checked=true]").count() == 0
    staff.void(table)


def test_a_console_that_comes_in_late_reads_the_same_steps(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    table = "fa-fa-fabulous-4"
    staff.take_over(table)
    staff.seat("patron-05", table, 2)
    staff.call(table)
    staff.bet("patron-05", table, [("player", 100_00)])
    staff.deal(table, "", "")
    staff.give("dealer", table, "report", about={"situation": "device_reset"})
    with several(browser, quiet) as page_of:
        first = page_of("dealer", f"/dealer/{table}")
        first.get_by_text("Step 1 of").wait_for()
        staff.give("pit-supervisor", table, "confirm_report", reason="as reported")
        first.get_by_text("Step 2 of").wait_for()
        late = page_of("pit-manager", f"/dealer/{table}")
        late.get_by_text("Step 2 of").wait_for()
        steps = [page.locator(".rul").inner_text() for page in (first, late)]
        assert steps[0] == steps[1]
        assert "confirmed the report" in steps[0]
    staff.void(table)


def test_a_referral_is_decided_with_its_money_before_the_eyes(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    table = "fortune-six-tournament"
    staff.take_over(table)
    staff.seat("patron-05", table, 1)
    staff.call(table)
    staff.bet("patron-05", table, [("player", 100_00)])
    staff.deal(table, "", "")
    staff.give("dealer", table, "report", about={"situation": "other"}, note="A bird came in")
    with somebody(browser, quiet, "gaming-shift-manager") as context:
        page = opened(context, "/pit")
        waiting = page.get_by_role("complementary")
        waiting.get_by_text("Something else").wait_for()
        waiting.get_by_role("link", name="Decide").first.click()
        page.get_by_role("heading", name="A bird came in").wait_for()
        decision = page.get_by_role("region", name="Your decision")
        void = decision.get_by_role("radio", name="Void the round")
        void.get_by_text("100.00 go back to 1 patron; the round is void.").wait_for()
        decision.get_by_role("radio", name="Continue the round").get_by_text(
            "no money moves"
        ).wait_for()
        void.click()
        decision.get_by_label("Reason").fill("The cards lay on the floor")
        money = decision.get_by_role("row", name=re.compile("patron-05"))
        money.get_by_text("100.00").first.wait_for()
        assert staff.view(table)["hold"]["kind"] == "referral"
        signs(decision, quiet, "pit-supervisor")
        decision.get_by_role("button", name="Void the round").click()
        until(lambda: staff.view(table)["phase"] == "VOID", "the round is void")
    own = staff.view(table, "patron-05")["own"]
    assert (own["credit_cents"], own["in_play_cents"]) == (10_000_00, 0)


def least_on_player(staff: Staff, table: str) -> int:
    """Return the minimum that is in force, or waits for the next call."""
    pit = staff.view(table, "pit-manager")["pit"]
    least: int = (pit["scheduled"] or pit["settings"])["limits"]["player"]["minimum_cents"]
    return least


def test_limits_are_set_by_two_people(browser: Browser, quiet: Served, staff: Staff) -> None:
    table = "no-commission"
    with somebody(browser, quiet, "pit-manager") as context:
        page = opened(context, f"/pit/{table}/settings")
        least = page.get_by_label("Player, Minimum")
        least.fill("50")
        least.press("Tab")
        page.get_by_text("1 change waits.").wait_for()
        button = page.get_by_role("button", name="Set from the next round")
        assert button.is_disabled(), "nobody has signed beside"
        second = page.get_by_role("region", name="Second person")
        signs(second, quiet, "pit-manager")
        button.click()
        page.get_by_text(SELF).wait_for()
        signs(second, quiet, "pit-supervisor")
        button.click()
        until(lambda: least_on_player(staff, table) == 50_00, "the new minimum")
    with somebody(browser, quiet, "auditor") as context:
        page = opened(context, f"/audit/table:{table}")
        page.get_by_role("combobox", name="Command").select_option("set_limits")
        row = page.get_by_role("row", name=re.compile("pit-manager.*pit-supervisor"))
        row.get_by_text("accepted").wait_for()
