"""The auditor: verification with its progress, decisions, and a finished round."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.web.looking import opened, somebody
from tools.people import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.floor.serving import Served
    from tests.web.staff import Staff

TABLE, NUMBER = "baccarat", "Table 01"


def test_the_journal_is_verified_from_the_page(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    staff.open_with_paper(TABLE)
    staff.coup(TABLE, "4S 2H 5D 3C")
    with somebody(browser, quiet, "auditor") as context:
        page = opened(context, "/audit")
        page.get_by_text("Not verified yet").wait_for()
        page.get_by_role("button", name="Verify").click()
        page.get_by_text("Verified to record").wait_for(timeout=120_000)
        (done,) = context.request.get("/api/v1/journal/verifications").json()
        assert done["result"]["holds"]
        assert done["result"]["findings"] == []
        result = done["result"]
        told = page.get_by_text("Verified to record").inner_text()
        assert told == f"Verified to record {result['decisions']:,}"
        note = page.get_by_text("decisions decided again").inner_text()
        for count in ("decisions", "checkpoints", "postings"):
            assert f" {result[count]:,} {count}" in note
        assert note.endswith(", 0 findings")


def test_decisions_and_a_finished_round_are_opened(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    staff.open_with_paper(TABLE)
    staff.coup(TABLE, "4S 2H 5D 3C")
    number = staff.get("dealer", f"/tables/{TABLE}/rounds?limit=1")[0]["round"]
    with somebody(browser, quiet, "auditor") as context:
        page = opened(context, "/audit")
        page.get_by_role("link", name=NUMBER, exact=True).click()
        page.get_by_role("heading", name=f"Decisions of {NUMBER}").wait_for()
        chosen = page.get_by_role("combobox", name="Command")
        chosen.select_option("settle")
        word = chosen.locator("option:checked").inner_text()
        until(
            lambda: set(page.locator("tbody tr td:nth-child(3)").all_inner_texts()) == {word},
            "only settlements",
        )
        page.get_by_role("button", name="Open record").first.click()
        record = page.get_by_role("dialog", name="settle")
        record.get_by_text("dealer, Dealer").wait_for()
        record.get_by_text("Hash").wait_for()
        record.get_by_role("button", name="Close").click()
        page.get_by_role("link", name="Rounds").click()
        page.get_by_role("link", name=re.compile(rf"\b{number}\b")).first.click()
        page.get_by_text(f"round {number}").first.wait_for()
        page.get_by_text("Player's second card 5").first.wait_for()
        page.get_by_text("Payment confirmed").first.wait_for()
