"""Staff at their screens: who sees which page, what is asked before, and what is said after."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.looking import opened, several, somebody

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.floor.serving import Served
    from tests.web.staff import Staff

LOW = {"viewport": {"width": 1280, "height": 800}}


@pytest.mark.parametrize("path", ["/pit", "/cage", "/audit", "/dealer", "/house"])
def test_a_patron_is_shown_the_way_home(browser: Browser, floor: Served, path: str) -> None:
    with somebody(browser, floor, "patron-09") as context:
        page = opened(context, path)
        page.get_by_role("heading", name="This page is for others").wait_for()
        assert page.get_by_role("navigation").count() == 0
        page.get_by_role("button", name="To your own page").click()
        page.wait_for_url("**/lobby")


def test_a_table_that_is_not_there_has_a_way_back(browser: Browser, floor: Served) -> None:
    with somebody(browser, floor, "patron-09") as context:
        page = opened(context, "/table/nosuch")
        page.get_by_role("button", name="To the tables").click()
        page.wait_for_url("**/lobby")


@pytest.mark.parametrize(
    ("name", "shown"), [("administrator", "Who has an account"), ("technician", "Devices")]
)
def test_who_keeps_the_house_has_a_page(
    browser: Browser, floor: Served, name: str, shown: str
) -> None:
    with somebody(browser, floor, name) as context:
        page = opened(context, "/")
        page.wait_for_url("**/house")
        page.get_by_role("heading", name=shown).wait_for()
        page.get_by_text("croupier admin backup").wait_for()


def test_every_login_of_the_demo_is_on_a_low_screen(browser: Browser, floor: Served) -> None:
    with somebody(browser, floor, None, LOW) as context:
        page = opened(context, "/signin")
        box = page.get_by_role("button", name="administrator").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 800, box
        page.get_by_label("Name").fill("nobody")
        page.get_by_label("Password", exact=True).fill("wrong")
        page.get_by_role("button", name="Sign in", exact=True).click()
        refused = page.get_by_role("alert")
        refused.wait_for()
        page.get_by_label("Password", exact=True).fill("")
        assert refused.count() == 0, "what was refused before is still said"


def test_a_report_is_decided_with_its_facts(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    table = "baccarat"
    staff.take_over(table)
    staff.seat("patron-06", table, 1)
    staff.call(table)
    staff.bet("patron-06", table, [("banker", 100_00)])
    staff.deal(table, "", "")
    with several(browser, quiet, LOW) as page_of:
        dealer = page_of("dealer", f"/dealer/{table}")
        dealer.get_by_role("button", name="Wrong order").click()
        dealer.get_by_role("heading", name="One question").wait_for()
        dealer.get_by_text("Still missing: In which order the cards were drawn").wait_for()
        dealer.get_by_role("button", name="Banker's first card").click()
        dealer.get_by_role("button", name="Player's first card").click()
        dealer.get_by_label("Note, kept in the record").fill("the Banker's came first")
        dealer.get_by_role("button", name="Give table back").click()
        dealer.get_by_text("What you have written here is not sent and is lost.").wait_for()
        dealer.get_by_role("button", name="Keep dealing").click()
        dealer.get_by_role("button", name="Send report").click()
        dealer.locator("main").get_by_text("Waiting for a Pit Supervisor").wait_for()

        pit = page_of("pit-supervisor", f"/pit/{table}")
        pit.get_by_role("button", name="Decide", exact=True).click()
        asked = pit.get_by_role("dialog", name="Is the report right?")
        asked.get_by_text("Banker's first card, Player's first card").wait_for()
        asked.get_by_text("the Banker's came first").wait_for()
        asked.get_by_role("region", name="Cards as they lie").wait_for()
        confirm = asked.get_by_role("radio", name="Confirm the report")
        confirm.get_by_text("Then Player:").wait_for()
        confirm.click()
        asked.get_by_role("button", name="Confirm the report").click()
        asked.wait_for(state="detached")

        dealer.get_by_role("button", name="Card face up").click()
        dealer.get_by_text("Nobody needs to confirm it").wait_for()
        dealer.get_by_role("button", name="Send report").click()
        dealer.get_by_text("the round goes on to its end").wait_for()
        assert staff.view(table)["dealer"]["dealer"] == "dealer"
