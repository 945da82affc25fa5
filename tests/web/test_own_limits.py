"""Limits that patrons set themselves: told before they are reached, changed in the sheet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.web.looking import listen, opened, several, somebody
from tests.web.playing import sit, spot
from tests.web.staff import Staff

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

    from tests.floor.serving import Served

PLAYER_WINS = ("9S", "2H", "KC", "3D")


def lost(staff: Staff, table: str, patron: str, cents: int) -> None:
    """Let a patron lose a stake on Banker."""
    staff.call(table)
    staff.bet(patron, table, [("banker", cents)])
    staff.deal(table, *PLAYER_WINS)
    staff.play_out(table)


def limit(sheet: Locator, name: str) -> Locator:
    """Return what the sheet of time shows of a limit."""
    return sheet.locator(f"[data-limit={name}]")


def test_a_loss_limit_is_told_once_before_it_is_reached_and_then_what_it_bars(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    table, patron = "baccarat", "patron-20"
    staff.open_with_paper(table)
    staff.seat(patron, table, 3)
    staff.give(patron, "accounts", "set_loss_limit", cents=100_00)
    with several(browser, quiet) as page_of:
        page, tables = page_of(patron, f"/table/{table}"), page_of(patron, "/tables")
        lost(staff, table, patron, 70_00)
        staff.call(table)
        page.get_by_text("Choose a chip, then a spot.").wait_for()
        near = page.locator("[data-near=loss]")
        assert near.count() == 0, "seven tenths are not near yet"
        heard = listen(page)
        lost(staff, table, patron, 10_00)
        staff.call(table)
        words = "You have lost 80.00 of the 100.00 that you set as the most for today."
        near.get_by_text(words).wait_for()
        tables.locator("[data-near=loss]").get_by_text(words).wait_for()
        assert sum(words in one for one in heard()) == 1, heard()
        # A refusal comes before it; with chips that wait for Confirm it steps back.
        page.get_by_role("radio", name="Chip of 100", exact=True).click()
        spot(page, "Player").click()
        page.get_by_role("alert").filter(has_text="own limit").wait_for()
        assert near.count() == 0
        page.reload()
        near.get_by_role("button", name="Time and result").click()
        sheet = page.get_by_role("region", name="Time and result")
        limit(sheet, "loss").get_by_text("near: 20.00 left").wait_for()
        page.keyboard.press("Escape")
        sheet.wait_for(state="detached")
        page.reload()
        page.get_by_text("Choose a chip, then a spot.").wait_for()
        assert near.count() == 0, "it was read"

        lost(staff, table, patron, 20_00)
        staff.call(table)
        bars = re.compile("lost the 100.00 .* No stake is possible before .*; you may leave")
        near.get_by_text(bars).wait_for()
        assert near.get_by_role("button", name="Understood").count() == 0
        page.reload()
        near.get_by_text(bars).wait_for()
        near.get_by_role("button", name="Time and result").click()
        limit(sheet, "loss").get_by_text(
            re.compile("reached: no more stakes before")
        ).wait_for()
    staff.play_out(table)


def test_the_end_of_the_own_time_is_told_until_it_is_understood(
    browser: Browser, floor: Served
) -> None:
    patron = "patron-20"
    with somebody(browser, floor, patron) as context:
        page = opened(context, "/table/super-6")
        sit(page, 4)
        # It is set elsewhere: the sheet of time, where one reads it too, stays closed.
        people = Staff(floor)
        people.give(patron, "accounts", "set_time_limit", minutes=8)
        people.hang_up()
        near = page.locator("[data-near=time]")
        near.get_by_text(re.compile(r"[78] min .*8 min")).wait_for()
        page.reload()
        near.get_by_role("button", name="Understood").click()
        near.wait_for(state="detached")
        page.reload()
        page.get_by_text("Choose a chip, then a spot.").wait_for()
        assert near.count() == 0, "it was understood"
        left = limit(time_sheet(page), "time").get_by_text(re.compile("near: [78] min left"))
        left.wait_for()


def time_sheet(page: Page) -> Locator:
    """Open the sheet of time and result by its clock."""
    page.get_by_role("button", name="Time and result").first.click()
    return page.get_by_role("region", name="Time and result")


def set_limit(sheet: Locator, name: str, text: str) -> None:
    """Set a limit of one's own in the sheet."""
    changes = sheet.get_by_role("button", name="Change limits")
    if changes.get_attribute("aria-expanded") != "true":
        changes.click()
    row = sheet.locator(".limfield").filter(has=sheet.page.get_by_label(name))
    row.get_by_label(name).fill(text)
    row.get_by_role("button", name="Set").click()


def test_own_limits_are_lowered_at_once_and_raised_a_day_later(
    browser: Browser, floor: Served
) -> None:
    with somebody(browser, floor, "patron-14") as context:
        page = opened(context, "/table/tiger")
        sit(page, 14)
        sheet = time_sheet(page)
        loss, name = limit(sheet, "loss"), "Loss limit you set"
        sheet.get_by_text("Higher, or none: 24 hours after you set it.").wait_for()
        set_limit(sheet, name, "500")
        loss.get_by_text("0.00 of 500.00").wait_for()
        set_limit(sheet, name, "300")
        loss.get_by_text("0.00 of 300.00").wait_for()
        assert loss.get_by_text("from").count() == 0
        set_limit(sheet, name, "900")
        loss.get_by_text(re.compile(r"^900\.00 from ")).wait_for()
        assert loss.get_by_text("0.00 of 300.00").is_visible()
        # None at all would be higher still; a lower one ends what waits.
        set_limit(sheet, name, "")
        loss.get_by_text(re.compile("^no limit from ")).wait_for()
        set_limit(sheet, name, "200")
        loss.get_by_text("0.00 of 200.00").wait_for()
        assert loss.get_by_text("from").count() == 0
        kept = context.request.get("/api/v1/me/play").json()
        held = {one["limit"]: one["value"] for one in kept["limits"]}
        assert held == {"time": None, "loss": 200_00, "stake": None}
        sheet.get_by_role("button", name="Take a break").click()
        page.get_by_role("dialog").get_by_role("button", name="Leave for now").click()
        page.locator("[data-tile]").first.wait_for()
