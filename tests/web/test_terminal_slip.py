"""What a terminal does with amounts that do not fit, chips not sent, and cards put right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.web.looking import PHONE, opened, somebody
from tests.web.playing import finished, open_bets, sit, spot, view
from tools.people import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.floor.serving import Served
    from tests.web.staff import Staff

TABLE, PATRON, POSITION = "tiger", "patron-15", 15


def writes(page: Page, amount: str) -> str:
    """Write an amount of one's own, which is refused; return the reason."""
    page.get_by_role("button", name="Another amount").click()
    box = page.get_by_role("form", name="Another amount")
    box.get_by_role("textbox").fill(amount)
    box.get_by_role("button", name="Use it").click()
    why: str = box.get_by_role("alert").inner_text()
    page.keyboard.press("Escape")
    box.wait_for(state="detached")
    return why


def test_what_does_not_fit_is_said_and_what_was_not_sent_stays(
    browser: Browser, quiet: Served
) -> None:
    with somebody(browser, quiet, PATRON) as context:
        page = opened(context, f"/table/{TABLE}")
        sit(page, POSITION)
        open_bets(context, TABLE, 60)
        chip = page.get_by_role("radio", name="Chip of 500", exact=True)
        chip.click()
        up_to = "You may use up to 1,000.00."
        assert writes(page, "60000") == f"60,000.00 is above your balance. {up_to}"
        assert "You may use 33.00." in writes(page, "33.33")
        assert chip.get_attribute("aria-checked") == "true"
        for _ in range(3):
            spot(page, "Banker").click()
        warning = page.get_by_text("This chip does not fit on Banker.")
        warning.wait_for()
        spot(page, "Banker").filter(has_text="1,000").wait_for()
        page.reload()
        spot(page, "Banker").filter(has_text="1,000").wait_for()
        assert view(context, TABLE)["own"]["stakes"] == []
        spot(page, "Banker").click()
        warning.wait_for()
        page.get_by_role("button", name="Confirm").click()
        until(lambda: view(context, TABLE)["own"]["stakes"], "the stake is accepted")
        page.get_by_text("Accepted: 1,000.00.").wait_for()
        assert not warning.is_visible()
        assert page.get_by_role("radio", name="Chip of 500", exact=True).is_disabled()
        page.get_by_role("button", name="Clear").click()
        until(lambda: not view(context, TABLE)["own"]["stakes"], "the stake comes back")


def test_a_phone_shows_all_spots_the_call_and_then_the_cards(
    browser: Browser, floor: Served
) -> None:
    with somebody(browser, floor, PATRON, {"viewport": PHONE}) as context:
        page = opened(context, f"/table/{TABLE}")
        sit(page, POSITION)
        number = open_bets(context, TABLE, 5)
        last = spot(page, "Tiger Pair").bounding_box()
        foot = page.get_by_role("contentinfo").bounding_box()
        assert last is not None
        assert foot is not None
        assert last["y"] + last["height"] <= foot["y"]
        page.get_by_role("radio", name="Chip of 100", exact=True).click()
        spot(page, "Tiger Pair").click()
        page.get_by_role("button", name="Confirm").click()
        page.evaluate("scrollTo(0, 500)")
        head = page.get_by_role("banner")
        call = head.get_by_text("Place your bets, please").bounding_box()
        assert call is not None
        assert 0 <= call["y"] < PHONE["height"]
        finished(context, TABLE, number)
        hands = page.get_by_role("group", name="Hands").bounding_box()
        above = head.bounding_box()
        assert hands is not None
        assert above is not None
        assert hands["y"] >= above["y"] + above["height"]


def test_who_sees_cards_change_places_reads_why(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    table, patron = "baccarat", "patron-16"
    staff.open_with_paper(table)
    if staff.view(table, patron)["own"]["seat"] is None:
        staff.seat(patron, table, 4)
    with somebody(browser, quiet, patron) as context, somebody(browser, quiet, None) as wall:
        page, display = opened(context, f"/table/{table}"), opened(wall, f"/display/{table}")
        staff.call(table)
        staff.deal(table, "6D", "4D")
        staff.report(table, "wrong_order", laid=["B1", "P1"])
        said = "Put right: the cards lie in the order in which they were drawn."
        felt = page.get_by_role("main", name="Table")
        felt.get_by_text(f"{said} Player Four of diamonds · Banker Six of diamonds").wait_for()
        display.get_by_text(said).wait_for()
        page.reload()
        felt.get_by_text(said).wait_for()
        display.reload()
        display.get_by_text(said).wait_for()
        pinned = context.new_page()
        pinned.goto("/tables")
        pinned.get_by_role("article").get_by_text(said).wait_for()
        staff.play_out(table)
        staff.call(table)
        felt.get_by_text(said).wait_for(state="detached")
        staff.play_out(table)
