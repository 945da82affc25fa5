"""A shoe out of play is verified in the page, and one byte more or less is found."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.web.looking import opened, somebody
from tools.people import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

    from tests.floor.serving import Served
    from tests.web.staff import Staff

TABLE = "fortune-six-tournament"


def played(staff: Staff) -> str:
    """Play a round from a sealed shoe; return the name of the shoe."""
    staff.take_over(TABLE)
    staff.call(TABLE)
    staff.deal(TABLE)
    staff.play_out(TABLE)
    name: str = staff.view(TABLE)["shoe"]["name"]
    return name


def tampered(route: Route) -> None:
    """Change one hexadecimal digit of the salt of a card that was never dealt."""
    answer = route.fetch()
    shoe = answer.json()
    salt = shoe["rest"][5]["salt"]
    shoe["rest"][5]["salt"] = ("0" if salt[0] != "0" else "1") + salt[1:]
    route.fulfill(response=answer, body=json.dumps(shoe))


def looks(page: Page, shoe: str) -> None:
    """Choose a shoe in the sheet."""
    page.get_by_role("radio", name=f"Shoe {shoe}, ended").click()


def test_a_finished_shoe_is_verified_in_the_page(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    shoe = played(staff)
    with (
        somebody(browser, quiet, "patron-07") as context,
        somebody(browser, quiet, "dealer") as at_console,
    ):
        page = opened(context, f"/table/{TABLE}/verify")
        page.get_by_text("This shoe is sealed and in play.").wait_for()
        root = page.locator("span[data-root]").inner_text().replace(" ", "")
        dealer = opened(at_console, f"/dealer/{TABLE}")
        dealer.get_by_role("button", name="End the shoe").click()
        until(lambda: (staff.view(TABLE)["shoe"] or {"ended": True})["ended"], "it ends")
        staff.take_over(TABLE)

        page.reload()
        looks(page, shoe)
        page.get_by_text("All 416 cards are as they were sealed").wait_for()
        assert page.locator("span[data-root]").inner_text().replace(" ", "") == root
        page.get_by_text("As this browser saw it while the shoe was in play").wait_for()
        page.route(f"**/tables/{TABLE}/shoes/{shoe}", tampered)
        page.get_by_role("button", name="Check again").click()
        page.get_by_text("cards are not as they were sealed").wait_for()
        page.unroute_all()
        page.get_by_role("button", name="Check again").click()
        page.get_by_text("All 416 cards are as they were sealed").wait_for()
