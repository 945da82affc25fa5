"""Notice that a table closes: seen before its last round wherever somebody watches it."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from tests.web.looking import listen, several
from tools.people import until

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Locator, Page

    from tests.floor.serving import Served
    from tests.web.staff import Staff

TABLE, PATRON = "fortune-six-tournament", "patron-19"
CLOSES = re.compile(r"This table closes at \d\d:\d\d\. The last round begins before then\.")
CLOSING = "This table is closing. No round follows this one."


def has(said: Callable[[], list[str]], words: str) -> bool:
    """Tell whether something was announced."""
    return any(words in one for one in said())


def closing(page: Page) -> Locator:
    """Return the notice that a patron reads beside the table."""
    return page.locator("p.closing")


def test_a_closing_is_seen_before_the_last_round_and_heard_once(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    staff.open_with_paper(TABLE)
    staff.seat(PATRON, TABLE, 2)
    staff.call(TABLE)
    with several(browser, quiet) as page_of:
        page, tables = page_of(PATRON, f"/table/{TABLE}"), page_of(PATRON, "/tables")
        lobby, display = page_of(PATRON, "/lobby"), page_of(None, f"/display/{TABLE}")
        tile = lobby.locator(f"[data-tile={TABLE}]")
        tile.wait_for()
        tables.locator(f"[data-table={TABLE}]").wait_for()
        display.get_by_text("Place your bets, please").wait_for()
        for each in (page, tables, lobby, display):
            assert each.get_by_text(re.compile("closes at", re.IGNORECASE)).count() == 0
        heard = {each: listen(each) for each in (page, tables)}

        staff.give("pit-manager", TABLE, "announce_closure", minutes=45)
        for each in (page, tables):
            closing(each).filter(has_text=CLOSES).wait_for()
        notice = closing(page).inner_text()
        tile.get_by_text(re.compile(r"^Closes at \d\d:\d\d$")).wait_for()
        display.get_by_text(re.compile(r"^This table closes at \d\d:\d\d$")).wait_for()
        display.get_by_text(re.compile("^本台将于")).wait_for()
        staff.bet(PATRON, TABLE, [("banker", 100_00)])
        staff.deal(TABLE, "9S", "2H")
        page.locator("[data-phase=DEALING]").wait_for()
        assert closing(page).filter(has_text=CLOSES).is_visible(), (
            "whatever else the message line says"
        )
        for said in heard.values():
            until(partial(has, said, notice), "it is announced")

        staff.give("pit-manager", TABLE, "announce_closure", minutes=0)
        closing(page).filter(has_text=CLOSING).wait_for()
        for said in heard.values():
            # What comes later is heard by now: the notice was not said once more before it.
            until(partial(has, said, CLOSING), "the end is announced")
            assert sum(notice in one for one in said()) == 1, said()
        staff.give("pit-manager", TABLE, "announce_closure", minutes=None)
        for each in (page, tables):
            closing(each).wait_for(state="detached")
        tile.get_by_text(re.compile("^Closes at")).wait_for(state="detached")
        display.get_by_text(re.compile("^This table closes")).wait_for(state="detached")
    staff.play_out(TABLE)


def test_who_comes_later_finds_the_notice(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    staff.give("pit-manager", TABLE, "announce_closure", minutes=45)
    with several(browser, quiet) as page_of:
        page_of(None, f"/display/{TABLE}").get_by_text(
            re.compile("^This table closes at")
        ).wait_for()
        page_of("patron-13", "/lobby").locator(f"[data-tile={TABLE}]").get_by_text(
            re.compile("^Closes at")
        ).wait_for()
    staff.give("pit-manager", TABLE, "announce_closure", minutes=None)
