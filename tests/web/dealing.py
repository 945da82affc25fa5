"""What a Dealer does at the console, and who else signs there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.web.looking import Place


def primary(dealer: Page) -> Locator:
    """Return the one primary button of the console."""
    return dealer.locator("footer .btn.primary")


def pressed(dealer: Page, label: str) -> None:
    """Press the primary button once it says this."""
    button = primary(dealer).filter(has_text=re.compile(f"^{label}"))
    button.and_(dealer.locator(":enabled")).click()


def keyed(dealer: Page, face: str) -> None:
    """Key in a card, as "s4", and enter it, once the keypad takes keys."""
    dealer.locator(".pad button:enabled").first.wait_for()
    for key in (*face, "Enter"):
        dealer.keyboard.press(key)


def dealt(dealer: Page, faces: str, before: int = 0) -> None:
    """Key in cards one after the other, as "s4 h2"; so many lie there before."""
    for number, face in enumerate(faces.split(), before + 1):
        dealer.get_by_text(f"card {number}", exact=True).first.wait_for()
        keyed(dealer, face)
        dealer.locator(".hands .dr").nth(number - 1).wait_for()


def paid_row_by_row(dealer: Page, rows: int) -> list[str]:
    """Go through the pay list; return what each row says."""
    said = []
    for done in range(rows):
        row = dealer.locator("tr[aria-current=step]")
        row.wait_for()
        said.append(row.inner_text())
        primary(dealer).filter(has_text=re.compile("^(Paid|Taken|Given)")).click()
        dealer.get_by_text(f"{done + 1} of {rows} done").wait_for()
    pressed(dealer, "Confirm payment")
    return said


def guided(dealer: Page, situation: str, *answers: str) -> None:
    """Open the guided report of a situation, and answer what it asks."""
    dealer.get_by_role("button", name="All 24 situations").click()
    dealer.get_by_role("button", name=re.compile(f"^{situation}")).click()
    for answer in answers:
        dealer.get_by_role("radio", name=re.compile(f"^{answer}")).click()


def signs(within: Page | Locator, house: Place, name: str) -> None:
    """Write the name and password of another person."""
    within.get_by_label(re.compile("^Name")).fill(name)
    within.get_by_label("Password", exact=True).fill(house.password(name))


def confirmed_here(dealer: Page, house: Place, second: str | None = None) -> None:
    """Let a Pit Supervisor confirm at the console, with a second person where one is needed."""
    dealer.get_by_role("button", name="Sign in here to confirm").click()
    asked = dealer.get_by_role("dialog", name="Confirm the report")
    signs(asked, house, "pit-supervisor")
    asked.get_by_role("button", name="Sign in for one act").click()
    if second is not None:
        signs(asked.get_by_role("form", name="Second person"), house, second)
    asked.get_by_role("button", name="Confirm the report").click()
    asked.wait_for(state="detached")
