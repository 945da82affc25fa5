"""One patron in two tabs, and a sheet that stays open over a reload."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.web.looking import opened, somebody
from tests.web.playing import open_bets, sit, spot, view

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.floor.serving import Served

TABLE = "super-six"


def test_two_tabs_of_a_patron_show_the_same(browser: Browser, quiet: Served) -> None:
    with somebody(browser, quiet, "patron-08") as context:
        one = opened(context, f"/table/{TABLE}")
        sit(one)
        open_bets(context, TABLE)
        other = opened(context, f"/table/{TABLE}")
        for tab, together in ((one, 100), (other, 200)):
            tab.get_by_role("radio", name="Chip of 100", exact=True).click()
            spot(tab, "Player").click()
            tab.get_by_role("button", name="Confirm").click()
            for shown in (one, other):
                name = re.compile(rf"^Player ?,.*your stake {together}\b")
                shown.get_by_role("button", name=name).wait_for()
        stakes = view(context, TABLE)["own"]["stakes"]
        assert sum(stake["cents"] for stake in stakes) == 200_00
        credit = view(context, TABLE)["own"]["credit_cents"]
        for tab in (one, other):
            balance = tab.get_by_role("button", name="Your money").last
            balance.filter(has_text=f"{credit / 100:,.2f}").wait_for()


def test_a_sheet_stays_open_over_a_reload(browser: Browser, quiet: Served) -> None:
    with somebody(browser, quiet, "patron-09") as context:
        page = opened(context, f"/table/{TABLE}")
        page.get_by_role("button", name="What each wager pays").first.click()
        sheet = page.get_by_role("region", name="What each wager pays")
        sheet.wait_for()
        page.reload()
        sheet.wait_for()
        page.go_back()
        sheet.wait_for(state="detached")
