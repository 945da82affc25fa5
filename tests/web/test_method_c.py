"""Method C at terminals: the shoe is offered, refused, taken, drawn from, and given up."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tests.web.looking import several
from tools.people import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

    from tests.floor.serving import Served
    from tests.web.staff import Staff

TABLE, HIGHEST, NEXT = "baccarat-a", "patron-18", "patron-19"


def panel(page: Page, title: str) -> Locator:
    """Return the panel of the shoe."""
    return page.get_by_role("region", name=title)


def lies(staff: Staff, cards: int) -> bool:
    """Tell whether so many cards lie on the layout."""
    return sum(len(hand["cards"]) for hand in staff.view(TABLE)["hands"]) == cards


def test_the_shoe_goes_from_patron_to_patron_and_whoever_has_it_draws(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    staff.take_over(TABLE)
    staff.give("assistant-casino-manager", TABLE, "set_method", method="C", reason="asked for")
    for position, patron in ((1, HIGHEST), (2, NEXT)):
        staff.seat(patron, TABLE, position)
    number = staff.call(TABLE)
    staff.bet(HIGHEST, TABLE, [("player", 500_00)])
    staff.bet(NEXT, TABLE, [("banker", 300_00)])
    with several(browser, quiet) as page_of:
        first, second = (page_of(name, f"/table/{TABLE}") for name in (HIGHEST, NEXT))
        staff.give("dealer", TABLE, "close_bets")

        # Offered to the highest wager first, with the clause; the other waits.
        offered = panel(first, "The shoe is offered to you")
        offered.get_by_text("BAC8 3.11.1").wait_for()
        assert panel(second, "The shoe is offered to you").count() == 0
        offered.get_by_role("button", name="Let the next patron have it").click()
        offered.wait_for(state="detached")
        passed = panel(second, "The shoe is offered to you")
        passed.get_by_role("button", name="Take the shoe").click()

        # Every card is drawn by whoever has the shoe, for the hand that the panel names.
        for drawn, side in enumerate(("Player", "Banker", "Player", "Banker")):
            held = panel(second, f"You draw one card for {side}")
            held.get_by_text("BAC8 3.11.1").wait_for()
            held.get_by_role("button", name="Draw a card").click()
            until(partial(lies, staff, drawn + 1), "the card lies there")
            assert first.get_by_role("button", name="Draw a card").count() == 0
        staff.void(TABLE)
        staff.play_out(TABLE)

        # It is kept for the next round, and given up when its holder wants that.
        staff.call(TABLE)
        for patron in (HIGHEST, NEXT):
            staff.bet(patron, TABLE, [("banker", 300_00)])
        staff.give("dealer", TABLE, "close_bets")
        panel(second, "You draw one card for Player").wait_for()
        give_up = second.get_by_role("button", name="Give up the shoe [BAC8 3.11.8.1]")
        give_up.click()
        give_up.wait_for(state="detached")
        assert staff.view(TABLE)["shoe_holder"] is None
        panel(first, "The shoe is offered to you").wait_for()
        staff.void(TABLE)
    assert number < staff.view(TABLE)["round"]
    staff.play_out(TABLE)
