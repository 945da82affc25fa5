"""Money by the screens: bought in at the cage, printed as a ticket, redeemed once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.web.looking import opened, somebody
from tests.web.playing import sit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

    from tests.floor.serving import Served
    from tests.web.staff import Staff

PATRON = "patron-06"


def asked(cage: Page, act: str) -> Locator:
    """Begin an act at the cage."""
    cage.get_by_role("button", name=act, exact=True).click()
    return cage.get_by_role("dialog")


def redeemed(cage: Page, number: str, validation: str) -> Locator:
    """Bring a ticket to the cage."""
    dialog = asked(cage, "Redeem ticket")
    dialog.get_by_label("Number of the ticket").fill(number)
    dialog.get_by_label("Validation number").fill(validation)
    dialog.get_by_text("S$ 120.00").wait_for()
    dialog.get_by_role("button", name="Check the ticket").click()
    dialog.get_by_role("button", name=re.compile(rf"^Pay 120\.00 for ticket {number}$")).click()
    return dialog


def fact(slip: Locator, name: str) -> str:
    """Return what a ticket says of something."""
    term = slip.get_by_role("term").filter(has_text=name)
    return term.locator("xpath=following-sibling::dd[1]").inner_text().strip()


def test_bought_in_printed_and_redeemed_once(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    before = staff.get(PATRON, "/me/wallet")["cents"]
    with (
        somebody(browser, quiet, "cashier") as window,
        somebody(browser, quiet, PATRON) as context,
    ):
        cage = opened(window, "/cage")
        dialog = asked(cage, "Buy in")
        dialog.get_by_label("Patron").fill(PATRON)
        dialog.get_by_label("Amount").fill("500")
        dialog.get_by_role("button", name="Buy in 500.00").click()
        cage.get_by_text(f"{PATRON} bought in for 500.00.").first.wait_for()
        assert staff.get(PATRON, "/me/wallet")["cents"] == before + 500_00

        page = opened(context, "/table/super-6")
        sit(page)
        page.get_by_role("button", name="Your money").first.click()
        wallet = page.get_by_role("region", name="Your money")
        for amount in ("80", "120"):
            wallet.get_by_role("radio", name="Cash out").click()
            wallet.get_by_label("Cash out from the wallet").fill(amount)
            preview = wallet.get_by_role("region", name="preview")
            preview.get_by_text(f"{amount}.00").wait_for()
            wallet.get_by_role("button", name=f"Print ticket for {amount}.00").click()
            assert wallet.get_by_text(f"Print a ticket for S$ {amount}.00?").is_visible()
            wallet.get_by_role("button", name=f"Yes, print {amount}.00").click()
            slip = wallet.get_by_role("region", name="Cash-out ticket", exact=True).first
            slip.get_by_text(f"{amount}.00").wait_for()
        number, validation = fact(slip, "No."), fact(slip, "Validation")

        redeemed(cage, number, validation)
        cage.get_by_text(f"Ticket {number} is paid: 120.00.").first.wait_for()
        again = redeemed(cage, number, validation)
        again.get_by_role("alert").filter(has_text="was paid").wait_for()
        states = {one["number"]: one["state"] for one in staff.get(PATRON, "/me/tickets")}
        assert states.pop(number) == "paid"
        assert list(states.values()) == ["open"]
