"""At the console: a wager for a patron, a stake that was found, a tray counted short."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.web.dealing import signs
from tests.web.looking import opened, somebody
from tools.people import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.floor.serving import Served
    from tests.web.staff import Staff

TABLE, PATRON = "baccarat", "patron-11"
MINUS = "\N{MINUS SIGN}"


def form_of(dealer: Page, command: str, wager: str, amount: str) -> None:
    """Choose a command among all of them, and give it for the patron at seat 7."""
    dealer.get_by_role("button", name="All commands").click()
    dealer.get_by_role("dialog").get_by_role("button", name=command).click()
    form = dealer.get_by_role("dialog", name=command)
    form.get_by_role("radio", name=f"{PATRON} · seat 7").click()
    send = form.get_by_role("button", name=command)
    assert send.is_disabled(), "nothing is chosen yet"
    form.get_by_role("radio", name=wager, exact=True).click()
    form.get_by_label(re.compile("^Amount")).fill(amount)
    send.click()
    form.wait_for(state="detached")


def test_a_dealer_places_for_a_patron_and_finds_a_stake(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    staff.open_with_paper(TABLE)
    staff.seat(PATRON, TABLE, 7)
    staff.call(TABLE)
    with (
        somebody(browser, quiet, "dealer") as context,
        somebody(browser, quiet, PATRON) as his,
    ):
        dealer, terminal = opened(context, f"/dealer/{TABLE}"), opened(his, f"/table/{TABLE}")
        form_of(dealer, "Place a wager for a patron", "Banker", "150")
        stakes = dealer.get_by_role("region", name="Stakes on the table")
        stakes.get_by_text(PATRON).first.wait_for()
        terminal.get_by_text("Accepted: 150.00.").wait_for()
        (placed,) = staff.view(TABLE, PATRON)["own"]["stakes"]
        assert (placed["wager"], placed["cents"]) == ("banker", 150_00)

        staff.give("dealer", TABLE, "close_bets")
        form_of(dealer, "A stake was found", "Tie", "0.50")
        seats = dealer.get_by_role("region", name="Seats and stakes")
        seats.get_by_role("row", name=re.compile("^7 .*0\\.50")).wait_for()
        kinds = staff.get("pit-manager", "/alarms")[TABLE]
        found = next(one for one in kinds if one["code"] == "stake_found")
        assert (found["patron"], found["wager"], found["cents"]) == (PATRON, "tie", 50)
        staff.deal(TABLE, *["4S", "2H", "5D", "3C"])
        staff.play_out(TABLE)
        rounds = staff.get("dealer", f"/tables/{TABLE}/rounds?limit=1")[0]
        (tie,) = [line for line in rounds["lines"] if line["wager"] == "tie"]
        assert tie["breach"] is not None, "below the minimum, and settled as if it were not"


def test_a_tray_that_is_short_is_recorded_with_both_names(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    table = "fa-fa-fabulous-4"
    staff.take_over(table)
    staff.play_out(table)
    for one in staff.view(table)["dealer"]["patrons"]:
        staff.give("dealer", table, "leave_seat", patron=one["patron"])
    settings = staff.settings(table)
    bank = next(
        one for one in staff.get("pit-manager", "/pit/banks")["banks"] if one["table"] == table
    )
    chips, rest = divmod(bank["tray_cents"], 10_000_00)
    assert chips > 1, rest
    with somebody(browser, quiet, "pit-manager") as context:
        page = opened(context, f"/dealer/{table}")
        page.get_by_role("button", name="All commands").click()
        page.get_by_role("dialog").get_by_role("button", name="Close the table").last.click()
        page.get_by_role("button", name=re.compile("^Close table")).click()
        page.get_by_role("heading", name=re.compile("Closed$")).wait_for()
        page.get_by_label("Number of chips of 10,000", exact=True).fill(str(chips - 1))
        short = page.locator(".sumrow .diff")
        assert f"{MINUS}{10_000 + rest / 100:,.2f}" in short.inner_text()
        page.get_by_role("button", name="Record the closer").click()
        asked = page.get_by_role("dialog", name="Record the closer")
        signs(asked.get_by_role("group", name="Cashier"), quiet, "cashier")
        signs(asked.get_by_role("group", name="Second person"), quiet, "cage-supervisor")
        asked.get_by_role("button", name=re.compile(r"^Sign")).click()
        asked.wait_for(state="detached")
        page.get_by_text(
            re.compile(f"is recorded with both names. It differs by {MINUS}")
        ).wait_for()
        slips = staff.get("cashier", "/cage")["slips"]
        closer = next(one for one in slips if (one["table"], one["kind"]) == (table, "closer"))
        assert (closer["by"], closer["second"]) == ("cashier", "cage-supervisor")
        assert closer["cents"] - closer["expected_cents"] == -10_000_00 - rest
        page.get_by_role("button", name="Record the opener").click()
        asked = page.get_by_role("dialog", name="Record the opener")
        signs(asked.get_by_role("group", name="Cashier"), quiet, "cashier")
        signs(asked.get_by_role("group", name="Second person"), quiet, "cage-supervisor")
        asked.get_by_role("button", name=re.compile(r"^Sign")).click()
        page.get_by_text(re.compile("is recorded at the cage with both names")).wait_for()
    staff.give("pit-manager", table, "open_table", settings=settings)
    alarms = staff.get("pit-manager", "/alarms")[table]
    until(lambda: any(one["code"] == "count_differs" for one in alarms), "no alarm is raised")
