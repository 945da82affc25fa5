"""A void round and a corrected settlement: told with their reasons until somebody read them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.web.looking import PHONE, opened, several, somebody
from tests.web.playing import spot

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

    from tests.floor.serving import Served
    from tests.web.staff import Staff

TABLE, PATRON, OTHER = "baccarat", "patron-18", "patron-19"
STAKES = (("player", 100_00), ("player-pair", 50_00))
CHANGED = "Player: +100.00 is now \N{MINUS SIGN}100.00"
COVERS = """told => {
  const one = told.getBoundingClientRect();
  return [...document.querySelectorAll("[data-wager]")].filter(spot => {
    const other = spot.getBoundingClientRect();
    return one.bottom > other.top + 1 && one.top < other.bottom - 1
      && one.right > other.left + 1 && one.left < other.right - 1;
  }).map(spot => spot.dataset.wager);
}"""
"""Which spots a message lies on."""


def told(page: Page, number: int, what: str = "is void") -> Locator:
    """Return what is told of a round."""
    return page.get_by_role("dialog", name=re.compile(rf"\b{number}\b.*{what}"))


def staked(staff: Staff, *faces: str) -> int:
    """Bring a round to where the patron has stakes and cards lie; return its number."""
    staff.open_with_paper(TABLE)
    for patron, position in ((PATRON, 6), (OTHER, 7)):
        if staff.view(TABLE, patron)["own"]["seat"] is None:
            staff.seat(patron, TABLE, position)
    number = staff.call(TABLE)
    staff.bet(PATRON, TABLE, STAKES)
    staff.deal(TABLE, *faces)
    return number


def voided(staff: Staff) -> int:
    """Let a round be void after two cards."""
    number = staked(staff, "QH", "4S")
    staff.void(TABLE)
    return number


def test_a_void_says_why_and_what_came_back_until_it_was_read(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    number = staked(staff, "QH", "4S")
    with several(browser, quiet) as page_of:
        page, watching = (page_of(name, f"/table/{TABLE}") for name in (PATRON, OTHER))
        staff.void(TABLE)
        message = told(page, number)
        message.get_by_text("All your stakes are returned: 150.00.").wait_for()
        message.get_by_text("Player 100.00 back · Player Pair 50.00 back").wait_for()
        message.get_by_text("BAC8 5.1.1").wait_for()
        dealt = message.locator(".gone")
        assert re.sub(r"\s+", " ", dealt.inner_text()).startswith("The cards do not count:")
        assert dealt.locator(".shortcard").count() == 2
        urgent = page.locator("#announce-now[aria-live=assertive]")
        urgent.get_by_text(f"Round {number} is void.").wait_for(state="attached")
        assert message.evaluate(COVERS) == []
        assert message.get_attribute("aria-modal") is None
        # Who had no stake reads why, and nothing to close.
        watching.get_by_role("alert").get_by_text("Earlier rounds stand.").wait_for()
        assert watching.get_by_role("dialog").count() == 0

        # Who was away finds it: elsewhere in the house, after a reload, in the next round.
        page.goto("/lobby")
        page.locator("[data-tile]").first.wait_for()
        page.goto(f"/table/{TABLE}")
        message.wait_for()
        staff.call(TABLE)
        page.reload()
        message.wait_for()
        page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
        assert message.evaluate(COVERS) == []
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= PHONE["width"]

        # By keyboard alone it is reached and closed; the focus goes on at the spots.
        for _ in range(6):
            page.keyboard.press("F6")
            if message.evaluate("one => one === document.activeElement"):
                break
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        close = message.get_by_role("button", name="Close this message")
        assert close.evaluate("one => one === document.activeElement")
        page.keyboard.press("Enter")
        message.wait_for(state="detached")
        assert page.evaluate("document.activeElement.dataset.wager") is not None
        page.reload()
        page.get_by_text("Choose a chip, then a spot.").wait_for()
        assert message.count() == 0
    staff.play_out(TABLE)


def test_bets_of_the_next_round_take_the_message_away(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    number = voided(staff)
    with somebody(browser, quiet, PATRON) as context:
        page = opened(context, f"/table/{TABLE}")
        told(page, number).wait_for()
        staff.call(TABLE)
        page.get_by_role("radio", name="Chip of 100", exact=True).click()
        spot(page, "Banker").click()
        assert told(page, number).count() == 1, "nothing is confirmed yet"
        page.get_by_role("button", name="Confirm").click()
        told(page, number).wait_for(state="detached")
        page.get_by_text("Accepted: 100.00.").wait_for()
    staff.play_out(TABLE)


def test_one_of_several_tables_tells_it_too(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    number = voided(staff)
    with somebody(browser, quiet, PATRON) as context:
        page = opened(context, "/tables")
        table = page.locator(f"[data-table={TABLE}]")
        table.get_by_role("dialog").get_by_text("BAC8 5.1.1").wait_for()
        told(page, number).get_by_text("Player Pair 50.00 back").wait_for()
        table.get_by_role("button", name="Close this message").click()
        told(page, number).wait_for(state="detached")
        # What was read there is read at the terminal too.
        page.goto(f"/table/{TABLE}")
        page.get_by_role("group", name="Bet spots").wait_for()
        page.get_by_text("Earlier rounds stand.").wait_for()
        assert told(page, number).count() == 0
    staff.play_out(TABLE)


def test_a_settlement_that_was_put_right_says_what_changed(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    # Player has 7 by the first reading, Banker 6; the right face gives Banker 8.
    number = staked(staff, "9H", "2S", "8D", "4C")
    for step in ("announce_outcome", "settle"):
        staff.give("dealer", TABLE, step)
    with somebody(browser, quiet, PATRON) as context:
        page = opened(context, f"/table/{TABLE}")
        page.get_by_text("+50.00").filter(visible=True).first.wait_for()
        staff.give(
            "pit-manager", TABLE, "correct_card", second="pit-supervisor", cards=["6C"],
            position="B2", reason="misread",
        )  # fmt: skip
        for step in ("announce_outcome", "settle"):
            staff.give("dealer", TABLE, step)
        message = told(page, number, "put right")
        message.get_by_text(CHANGED).wait_for()
        message.get_by_text("a card was read as Four of clubs and is Six of clubs").wait_for()
        assert message.get_by_text("Player Pair").count() == 0, "its line is what it was"
        urgent = page.locator("#announce-now")
        urgent.get_by_text(CHANGED).wait_for(state="attached")
        # Once the round is paid and over it is told of the record.
        staff.give("dealer", TABLE, "confirm_payment")
        page.reload()
        message.get_by_text(CHANGED).wait_for()
        message.get_by_role("button", name="Close this message").click()
        message.wait_for(state="detached")
        page.get_by_text("Banker wins, 8 over 7").filter(visible=True).first.wait_for()
    staff.play_out(TABLE)
