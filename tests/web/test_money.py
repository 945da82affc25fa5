"""Money by the screens: bought in at the cage, printed as a ticket, redeemed once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.web.looking import opened, somebody
from tests.web.playing import sit
from tools.people import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Route

    from tests.floor.serving import Served
    from tests.web.staff import Staff

PATRON, TAKES_IN, OUT = "patron-06", "patron-18", "patron-10"


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
            wallet.get_by_role("button", name=f"Make a ticket for {amount}.00").click()
            assert wallet.get_by_text(f"Make a ticket for S$ {amount}.00?").is_visible()
            wallet.get_by_role("button", name=f"Yes, make it for {amount}.00").click()
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


def printed(staff: Staff, cents: int) -> tuple[str, str]:
    """Let a patron print a ticket; return its number and its validation."""
    done = staff.give(TAKES_IN, "cage", "cash_out", cents=cents)
    return str(done["ticket"]), done["validation"]


def test_a_ticket_is_taken_in_at_the_terminal_once_and_by_its_validation_alone(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    number, validation = printed(staff, 75_00)
    with somebody(browser, quiet, TAKES_IN) as context:
        page = opened(context, "/table/no-commission")
        sit(page, 7)
        there = "the credit is at the table"
        until(lambda: staff.view("no-commission", TAKES_IN)["own"]["credit_cents"], there)
        wallet_cents = staff.get(TAKES_IN, "/me/wallet")["cents"]
        page.get_by_role("button", name="Your money").first.click()
        wallet = page.get_by_role("region", name="Your money")
        wallet.get_by_role("radio", name="Tickets").click()
        take = wallet.get_by_role("button", name="Take the ticket in")
        assert take.is_disabled(), "nothing is written yet"

        def takes(number: str, validation: str) -> None:
            wallet.get_by_role("textbox", name="No.").fill(number)
            wallet.get_by_role("textbox", name="Validation").fill(validation)
            take.click()

        wrong = ("2" if validation[0] != "2" else "3") + validation[1:]
        takes(number, wrong)
        wallet.get_by_role("alert").filter(
            has_text=re.compile("validation", re.IGNORECASE)
        ).wait_for()
        takes("999999", validation)
        wallet.get_by_role("alert").filter(has_text="999999").wait_for()
        assert staff.get(TAKES_IN, "/me/wallet")["cents"] == wallet_cents
        takes(number, validation.lower())
        wallet.get_by_role("status").filter(has_text="The ticket is in your wallet.").wait_for()
        assert wallet.get_by_role("alert").count() == 0
        until(
            lambda: staff.get(TAKES_IN, "/me/wallet")["cents"] == wallet_cents + 75_00,
            "the money is in the wallet",
        )
        takes(number, validation)
        wallet.get_by_role("alert").filter(has_text="paid").wait_for()
        assert wallet.get_by_text("The ticket is in your wallet.").count() == 0
        assert staff.get(TAKES_IN, "/me/wallet")["cents"] == wallet_cents + 75_00


def test_a_cash_out_ticket_has_figures_words_and_a_validation_that_is_shown_once(
    browser: Browser, quiet: Served
) -> None:
    with somebody(browser, quiet, TAKES_IN) as context:
        page = opened(context, "/table/fabulous-4s")
        sit(page, 8)
        page.get_by_role("button", name="Your money").first.click()
        wallet = page.get_by_role("region", name="Your money")
        wallet.get_by_role("radio", name="Cash out").click()
        wallet.get_by_label("Cash out from the wallet").fill("1234.50")
        preview = wallet.get_by_role("region", name="preview")
        words = re.compile("one thousand two hundred and thirty-four.*fifty", re.IGNORECASE)
        preview.get_by_text(words).wait_for()
        preview.get_by_text("•••• •••• •••• ••••").wait_for()
        wallet.get_by_role("button", name="Make a ticket for 1,234.50").click()
        wallet.get_by_role("button", name="Yes, make it for 1,234.50").click()
        slip = wallet.get_by_role("region", name="Cash-out ticket", exact=True).first
        slip.get_by_text("1,234.50").wait_for()
        slip.get_by_text(words).wait_for()
        assert slip.locator("svg").count() >= 2, "the mark of the house, and the bars"
        validation, number = fact(slip, "Validation"), fact(slip, "No.")
        assert re.fullmatch(r"([A-Z0-9]{4} ){3}[A-Z0-9]{4}", validation)
        wallet.get_by_text("The validation is shown once. Keep it.").wait_for()

        # Sheets that come and go lose nothing; on the paper is the ticket alone.
        page.keyboard.press("Escape")
        wallet.wait_for(state="detached")
        page.get_by_role("button", name="Show the ticket").click()
        assert fact(slip, "Validation") == validation
        page.evaluate("window.print = () => {}")
        wallet.get_by_role("button", name="Print", exact=True).click()
        page.emulate_media(media="print")
        lines = page.locator("body").inner_text().splitlines()
        assert validation in lines
        assert "Your money" not in lines
        assert (
            page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
        ), "paper is white whatever the theme"
        page.emulate_media(media="screen")
        page.evaluate("dispatchEvent(new Event('afterprint'))")

        page.reload()
        page.get_by_role("region", name="Your money").get_by_role(
            "radio", name="Tickets"
        ).click()
        again = page.locator(".tick").filter(has_text=number)
        again.get_by_text("1,234.50").wait_for()
        assert fact(again, "Validation") == f"•••• •••• •••• {validation[-4:]}"
        assert validation not in page.content()


def test_a_cash_out_without_an_answer_is_asked_again_after_a_reload_and_done_once(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    tickets = len(staff.get(OUT, "/me/tickets"))
    with somebody(browser, quiet, OUT) as context:
        page = opened(context, "/table/no-commission")
        sit(page, 9)
        there = "the credit is at the table"
        until(lambda: staff.view("no-commission", OUT)["own"]["credit_cents"], there)
        cents = staff.get(OUT, "/me/wallet")["cents"]
        keys: set[str] = set()

        def away(route: Route) -> None:
            keys.add(route.request.headers["idempotency-key"])
            route.abort()

        context.route("**/cage/commands", away)
        page.get_by_role("button", name="Your money").first.click()
        wallet = page.get_by_role("region", name="Your money")
        wallet.get_by_role("radio", name="Cash out").click()
        wallet.get_by_label("Cash out from the wallet").fill("60")
        wallet.get_by_role("button", name="Make a ticket for 60.00").click()
        wallet.get_by_role("button", name="Yes, make it for 60.00").click()
        awaited = "The answer to your ticket for 60.00 is awaited."
        wallet.get_by_text(awaited).wait_for()
        page.reload()
        wallet.get_by_text(awaited).wait_for()
        context.unroute("**/cage/commands")
        slip = wallet.get_by_role("region", name="Cash-out ticket", exact=True).first
        slip.get_by_text("60.00").wait_for()
        assert re.fullmatch(r"([A-Z0-9]{4} ){3}[A-Z0-9]{4}", fact(slip, "Validation"))
        assert len(keys) == 1
        assert staff.get(OUT, "/me/wallet")["cents"] == cents - 60_00
        assert len(staff.get(OUT, "/me/tickets")) == tickets + 1
        wallet.get_by_text(awaited).wait_for(state="detached")

        # The patron puts it away on purpose; then nothing has the number any more.
        validation = fact(slip, "Validation")
        wallet.get_by_role("button", name="Put the ticket away").click()
        wallet.get_by_text("Have you noted the validation").wait_for()
        wallet.get_by_role("button", name="Yes, I have the number").click()
        until(lambda: validation not in page.content(), "the number is gone")
