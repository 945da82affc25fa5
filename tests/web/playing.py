"""What patrons do at terminals, and what the server says of it."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, Any

from tools.people import until

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page


def view(context: BrowserContext, table: str) -> dict[str, Any]:
    """Return the table as the server tells it to whoever the context is of."""
    answer = context.request.get(f"/api/v1/tables/{table}")
    assert answer.status == 200, answer.text()
    shown: dict[str, Any] = answer.json()["view"]
    return shown


def sit(page: Page, position: int = 1) -> None:
    """Take a position by the buttons of the page, with the credit that it proposes."""
    page.get_by_role("radio", name=f"Position {position},").click()
    page.get_by_role("button", name=f"Take position {position}").click()
    page.get_by_role("group", name="Bet spots").wait_for()


def open_bets(context: BrowserContext, table: str, least: float = 3.0) -> int:
    """Wait for bets that stay open for some seconds; return the round."""

    def opened() -> int | None:
        answer = context.request.get(f"/api/v1/tables/{table}").json()
        shown = answer["view"]
        if shown["phase"] != "OPEN" or shown["own"]["seat"] is None:
            return None
        closes = shown["closes_at"]
        if closes is not None and _moment(closes) - _moment(answer["time"]) < least:
            return None
        number: int = shown["round"]
        return number

    found: int = until(opened, f"bets of {table} did not open")
    return found


def _moment(text: str) -> float:

    return datetime.fromisoformat(text).timestamp()


def finished(context: BrowserContext, table: str, number: int) -> dict[str, Any]:
    """Wait until a round is over; return it as its patron reads it."""

    def over() -> dict[str, Any] | None:
        answer = context.request.get(f"/api/v1/tables/{table}/rounds/{number}")
        return answer.json() if answer.status == 200 else None

    found: dict[str, Any] = until(over, f"round {number} of {table} did not end")
    return found


def spot(page: Page, name: str) -> Any:  # noqa: ANN401
    """Return the spot of a wager."""
    spots = page.get_by_role("group", name="Bet spots")
    return spots.get_by_role("button", name=re.compile(rf"^{re.escape(name)} ?,"))
