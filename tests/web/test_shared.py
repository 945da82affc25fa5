"""Shared stakes: opened for others, joined by the sheet, settled for each by their part."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.web.looking import several
from tests.web.playing import spot

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.floor.serving import Served
    from tests.web.staff import Staff

TABLE, OWNER, JOINS = "baccarat", "patron-02", "patron-04"


def staked_by_hand(page: Page, wager: str) -> None:
    """Put a chip of 100 on a wager and confirm it."""
    page.get_by_role("radio", name="Chip of 100", exact=True).click()
    spot(page, wager).click()
    page.get_by_role("button", name="Confirm").click()
    page.get_by_text("Accepted: 100.00.").wait_for()


def joining(page: Page) -> None:
    """Open the sheet for joining a stake, from the menu."""
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Join a stake").click()


def test_a_stake_is_joined_once_its_owner_shares_it_and_both_see_what_it_paid(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    staff.open_with_paper(TABLE)
    for patron, position in ((OWNER, 1), (JOINS, 2)):
        if staff.view(TABLE, patron)["own"]["seat"] is None:
            staff.seat(patron, TABLE, position)
    staff.call(TABLE)
    with several(browser, quiet) as page_of:
        owner, other = (page_of(name, f"/table/{TABLE}") for name in (OWNER, JOINS))
        # A stake that is not shared is shown, says so, and cannot be joined.
        staked_by_hand(owner, "Player")
        joining(other)
        sheet = other.get_by_role("region", name="Join a stake")
        sheet.get_by_role("radio", name="Player", exact=True).click()
        alone = sheet.get_by_role("radio", name=re.compile("^Position 1 ?100.00"))
        alone.get_by_text("Not shared; only its owner may add to it.").wait_for()
        assert alone.is_disabled()
        assert sheet.get_by_role("button", name="Nothing to join").is_disabled()

        # The owner shares from now on; the next stake can be joined.
        joining(owner)
        switch = owner.get_by_role("switch", name=re.compile("^Share my own stakes too"))
        switch.click()
        assert switch.get_attribute("aria-checked") == "true"
        owner.keyboard.press("Escape")
        owner.get_by_role("radio", name="Chip of 100", exact=True).click()
        spot(owner, "Banker").click()
        owner.get_by_role("button", name="Confirm").click()
        owner.get_by_text("Accepted: 200.00.").wait_for()
        sheet.get_by_role("radio", name="Banker", exact=True).click()
        shared = sheet.get_by_role("radio", name=re.compile("^Position 1 ?100.00"))
        shared.get_by_text("1 patron shares it").wait_for()
        sheet.get_by_label(re.compile("^Your part")).fill("50")
        sheet.get_by_text("50.00 · 33.33 %").wait_for()
        sheet.get_by_role("button", name="Add 50.00 to position 1").click()
        sheet.wait_for(state="detached")
        other.get_by_text("Accepted: 50.00.").wait_for()

        # Banker wins 9 over 5: each is paid their own part, less commission.
        staff.deal(TABLE, "2H", "9S", "3D", "KC")
        staff.play_out(TABLE)
        other.get_by_text("+47.50").first.wait_for()
        owner.get_by_text("+95.00").first.wait_for()
    newest = {name: staff.get(name, "/me/rounds?limit=1")[0] for name in (OWNER, JOINS)}
    parts = {
        name: [(one["wager"], one["cents"], one["shared"]) for one in rounds["stakes"]]
        for name, rounds in newest.items()
    }
    assert parts == {
        OWNER: [("player", 100_00, False), ("banker", 100_00, True)],
        JOINS: [("banker", 50_00, True)],
    }
