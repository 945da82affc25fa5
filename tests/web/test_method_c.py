"""Method C at terminals: the shoe is offered, refused, taken, drawn from, and given up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.web.looking import several
from tests.web.playing import view
from tools.people import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

    from tests.floor.serving import Served
    from tests.web.staff import Staff

TABLE, HIGHEST, NEXT = "baccarat-a", "patron-18", "patron-19"


def panel(page: Page, title: str) -> Locator:
    """Return the panel of the shoe."""
    return page.get_by_role("region", name=title)


def lying(staff: Staff) -> int:
    """Return how many cards lie on the layout."""
    return sum(len(hand["cards"]) for hand in staff.view(TABLE)["hands"])


def test_the_shoe_goes_from_patron_to_patron_and_whoever_has_it_draws(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    staff.take_over(TABLE)
    staff.give(
        "assistant-casino-manager", TABLE, "set_method", method="C", reason="asked for"
    )
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
        drawn = 0
        while staff.view(TABLE)["phase"] in {"CLOSED", "DEALING"}:
            side = "Player" if drawn % 2 == 0 else "Banker"
            held = second.locator(".hold")
            if drawn < 4:
                held = panel(second, f"You draw one card for {side}")
                held.get_by_text("BAC8 3.11.1").wait_for()
            held.get_by_role("button", name="Draw a card").and_(
                second.locator(":enabled")
            ).click()
            drawn += 1
            until(lambda drawn=drawn: lying(staff) == drawn, "the card lies there")
            assert first.get_by_role("button", name="Draw a card").count() == 0
            if drawn > 6:
                break
        assert 4 <= drawn <= 6
        staff.play_out(TABLE)
        assert view(second.context, TABLE)["own"]["seat"] == 2

        # It is kept for the next round, unless its holder loses it, and given up when asked.
        staff.call(TABLE)
        for patron, wager in ((HIGHEST, "banker"), (NEXT, "banker")):
            staff.bet(patron, TABLE, [(wager, 300_00)])
        staff.give("dealer", TABLE, "close_bets")
        if not view(second.context, TABLE)["own"]["shoe_held"]:
            holder = next(
                page
                for page in (first, second)
                if view(page.context, TABLE)["own"]["shoe_offered"]
            )
            holder.get_by_role("button", name="Take the shoe").click()
        else:
            holder = second
        holder.get_by_role("button", name="Give up the shoe [BAC8 3.11.8.1]").click()
        holder.get_by_role("button", name="Draw a card").wait_for(state="detached")
        until(lambda: staff.view(TABLE)["shoe_holder"] is None, "nobody has the shoe")
        staff.void(TABLE)
    assert number < staff.view(TABLE)["round"]
    staff.play_out(TABLE)
