"""Pages that are loaded anew in every phase; a server that is killed while somebody plays."""

from __future__ import annotations

import re
import signal
from typing import TYPE_CHECKING

import pytest

from tests.floor.serving import Served
from tests.web.looking import opened, several, somebody
from tests.web.playing import finished, open_bets, sit, spot, view
from tools.people import until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Page

GONE = re.compile("Reconnecting|No contact with the house|cannot be reached|as of \\d")
"""What a screen says while the house is gone."""
SILENT_MS, LATE_MS = 6_000, 4_000
"""A display is old after 5 s without a word; a busy machine is late."""
SLOW = ("--betting", "5", "--pause", "2", "--pace", "0.8")


@pytest.fixture
def slow(tmp_path: Path, screens: None, request: pytest.FixtureRequest) -> Iterator[Served]:
    """Serve a house whose phases last long enough to be met.

    Patrons have two seconds for an answer, or as many as the test says.
    """
    del screens
    answer = getattr(request, "param", 2)
    served = Served(tmp_path, clocks=(*SLOW, "--answer", str(answer)))
    served.start()
    yield served
    assert served.stop() == 0, served.output


def staked(page: Page, context: BrowserContext, table: str) -> int:
    """Stake 100.00 on Player; return the round."""
    number = open_bets(context, table)
    page.get_by_role("radio", name="Chip of 100", exact=True).click()
    spot(page, "Player").click()
    page.get_by_role("button", name="Confirm").click()
    until(lambda: view(context, table)["own"]["stakes"], "the stake is accepted")
    return number


def shows_stake(page: Page) -> None:
    """Wait until the spot says that the stake is in the round, or what became of it."""
    spot(page, "Player").filter(has_text="100").wait_for()


def test_a_page_that_is_loaded_anew_shows_the_same_in_every_phase(
    browser: Browser, slow: Served
) -> None:
    with somebody(browser, slow, "patron-01") as context:
        page = opened(context, "/table/tiger")
        sit(page)
        number = staked(page, context, "tiger")
        met: set[str] = set()
        seen = view(context, "tiger")
        while not any(one["round"] == number for one in seen["results"]):
            if seen["phase"] not in met and seen["round"] == number:
                met.add(seen["phase"])
                page.reload()
                shows_stake(page)
            page.wait_for_timeout(100)
            seen = view(context, "tiger")
        assert {"OPEN", "DEALING"} <= met, met
        assert len(finished(context, "tiger", number)["lines"]) == 1


@pytest.mark.parametrize("table", ["tiger", "baccarat"])
def test_a_server_that_is_killed_is_found_again_by_its_pages(
    browser: Browser, slow: Served, table: str
) -> None:
    with somebody(browser, slow, "patron-02") as context:
        page = opened(context, f"/table/{table}")
        sit(page)
        number = staked(page, context, table)
        slow.kill()
        page.get_by_text("Reconnecting").first.wait_for()
        slow.start()
        page.get_by_text("Reconnecting").first.wait_for(state="hidden")
        done = finished(context, table, number)
        # Killed with open bets: EB4 5.9.1 voids; a live round goes on by BAC8 5.17.
        if table == "tiger":
            assert done["void"] is not None
            assert done["void"]["clause"].startswith("EB4 5.9")
        credit = view(context, table)["own"]["credit_cents"]
        balance = page.get_by_role("button", name="Your money").last
        until(lambda: f"{credit / 100:,.2f}" in balance.inner_text(), "the balance is another")
        assert view(context, table)["own"]["seat"] == 1


def test_every_screen_survives_a_restart_and_is_never_blank(
    browser: Browser, slow: Served
) -> None:
    table = "baccarat"
    places = [
        ("patron-04", f"/table/{table}", "main, .spots"),
        ("dealer", f"/dealer/{table}", "main"),
        ("pit-supervisor", "/pit", "main .grid"),
        ("cashier", "/cage", "main .figs"),
        ("auditor", "/audit", "main"),
        (None, f"/display/{table}", "main.play"),
    ]
    with several(browser, slow) as page_of:
        pages = {path: (page_of(name, path), main) for name, path, main in places}
        display = pages[f"/display/{table}"][0]
        for page, main in pages.values():
            page.locator(main).first.wait_for()
        display.get_by_text("1 to 1").first.wait_for()
        slow.kill()
        for path, (page, main) in pages.items():
            page.get_by_text(GONE).first.wait_for()
            assert page.locator(main).first.inner_text().strip() != "", path
        display.get_by_text("Reconnecting").wait_for()
        display.get_by_text(re.compile(r"Last known \d+:\d\d:\d\d")).wait_for()
        assert display.locator(".hd h1").inner_text() == "Baccarat"
        assert display.get_by_text("1 to 1").first.is_visible(), "what was known stays"
        loaded = {
            path: page.evaluate("performance.timeOrigin") for path, (page, _) in pages.items()
        }
        slow.start()
        for path, (page, main) in pages.items():
            page.get_by_text(GONE).first.wait_for(state="hidden")
            assert page.locator(main).first.inner_text().strip() != "", path
            assert page.evaluate("performance.timeOrigin") == loaded[path], "by itself"


def test_a_display_whose_line_falls_silent_says_how_old_it_is(
    browser: Browser, slow: Served
) -> None:
    """The house stands still and closes nothing: no display is told that it is gone."""
    with somebody(browser, slow, None) as context:
        page = opened(context, "/display/baccarat")
        page.get_by_text("1 to 1").first.wait_for()
        assert page.title() == "Baccarat, display · Croupier"
        known = page.get_by_text(re.compile(r"Last known \d+:\d\d:\d\d"))
        page.wait_for_timeout(SILENT_MS)
        assert known.count() == 0, "a house that says nothing new is heard all the same"
        assert slow.process is not None
        slow.process.send_signal(signal.SIGSTOP)
        try:
            known.wait_for(timeout=SILENT_MS + LATE_MS)
            assert page.get_by_text("1 to 1").first.is_visible(), "what was known stays"
        finally:
            slow.process.send_signal(signal.SIGCONT)
        known.wait_for(state="detached")


@pytest.mark.parametrize("slow", [30], indirect=True, ids=["30 seconds for an answer"])
def test_cards_that_lie_when_the_power_fails_are_played_or_left_by_each_patron(
    browser: Browser, slow: Served
) -> None:
    table = "baccarat"
    with somebody(browser, slow, "patron-03") as context:
        page = opened(context, f"/table/{table}")
        sit(page)
        number = staked(page, context, table)
        until(lambda: view(context, table)["hands"], "a card lies")
        slow.kill()
        slow.start()
        page.get_by_text("Reconnecting").first.wait_for(state="hidden")
        asked = page.get_by_role("region", name="Take back all")
        asked.get_by_text("BAC8 5.17.1").wait_for()
        asked.get_by_role("radio", name="Take back all").click()
        asked.get_by_role("button", name="Take back all").click()
        asked.wait_for(state="detached")
        assert finished(context, table, number)["lines"] == []
        assert view(context, table)["own"]["credit_cents"] == before_it(context)


def before_it(context: BrowserContext) -> int:
    """Return what a patron of this test brought: all of it is still theirs."""
    wallet: dict[str, int] = context.request.get("/api/v1/me/wallet").json()
    return 250_000_00 - wallet["cents"]
