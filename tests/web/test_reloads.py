"""Whoever loads a page again, in any phase of a round, finds what was there before."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from tests.web.looking import several
from tests.web.playing import spot
from tools.people import until

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Page

    from tests.floor.serving import Served
    from tests.web.staff import Staff

STAKES = (("player", 100_00), ("banker-pair", 50_00))
PARTS = {
    "table": (".call", ".hands", ".shk, .squeezebox", ".msg", ".spots", ".foot .acts"),
    "dealer": ("header .steps", "main", "section", "footer"),
    "pit": ("main .hd", "main [role=status]", "main .pan:not([aria-label='Bank'])"),
    "display": ("header.hd .st", "main, .play, .pl", "aside, .side"),
}
"""What of each screen must be the same."""
LEAST = 80
"""Fewer letters are no screen."""
MOVES = re.compile(r"\b\d+:\d\d(?::\d\d)?\b|\b\d+ s\b")
"""Clocks and countdowns."""


def shown(page: Page) -> str:
    """Return words, states and choices of the main parts of a screen, without clocks."""
    screen = page.url.split("/")[3]
    words = page.evaluate(
        """parts => parts.flatMap(part => [...document.querySelectorAll(part)]).map(one =>
        [one.innerText, ...[...one.querySelectorAll("[data-state], [aria-current], [disabled]")]
         .map(at => `${at.dataset.wager ?? at.innerText} ${at.dataset.state} ${at.disabled}`)]
        .join("\\n")).join("\\n")""",
        PARTS[screen],
    )
    return MOVES.sub("·", words)


def settled(pages: list[Page]) -> list[str]:
    """Return what screens show once they show the same for a while."""
    seen = [""] * len(pages)

    def still() -> bool:
        before = seen.copy()
        pages[0].wait_for_timeout(100)
        seen[:] = [shown(page) for page in pages]
        return seen == before

    until(still, "the screens stand still")
    assert all(len(one) > LEAST for one in seen), seen
    return seen


def shows(page: Page, what: str) -> bool:
    """Tell whether a screen shows just this."""
    return shown(page) == what


class Reloads:
    """The pages of a table, each loaded again in every phase that is met."""

    def __init__(self, pages: list[Page], staff: Staff, table: str) -> None:
        self._pages, self._staff, self._table = pages, staff, table
        self.met: set[str] = set()

    def here(self, name: str | None = None) -> None:
        """Load every page again; it shows what it showed before."""
        view = self._staff.view(self._table)
        self.met.add(name or view["phase"])
        before = settled(self._pages)
        for page in self._pages:
            page.reload(wait_until="commit")
        phase = name or view["phase"]
        for page, then in zip(self._pages, before, strict=True):
            page.locator("h1").first.wait_for()
            why = f"{page.url} shows in {phase} what it did before: {then}"
            until(partial(shows, page, then), why, 10)


def at_every_screen(
    page_of: Callable[[str | None, str], Page], patron: str, table: str
) -> list[Page]:
    """Open terminal, console, pit and display of a table."""
    return [
        page_of(patron, f"/table/{table}"),
        page_of("dealer", f"/dealer/{table}"),
        page_of("pit-supervisor", f"/pit/{table}"),
        page_of(None, f"/display/{table}"),
    ]


def test_a_live_round_is_the_same_after_a_reload_in_every_phase(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    table, patron = "baccarat", "patron-19"
    staff.open_with_paper(table)
    if staff.view(table, patron)["own"]["seat"] is None:
        staff.seat(patron, table, 6)
    with several(browser, quiet) as page_of:
        pages = at_every_screen(page_of, patron, table)
        terminal = pages[0]
        reloads = Reloads(pages, staff, table)
        reloads.here()
        staff.call(table)
        staff.bet(patron, table, STAKES)
        # What was not sent waits again in the slip, and is not sent by itself.
        terminal.get_by_role("radio", name="Chip of 100", exact=True).click()
        spot(terminal, "Tie").click()
        reloads.here()
        assert spot(terminal, "Tie").get_attribute("data-state") == "unsent"
        assert len(staff.view(table, patron)["own"]["stakes"]) == len(STAKES)
        staff.give("dealer", table, "close_bets")
        terminal.get_by_text("Not in this round").first.or_(
            terminal.get_by_text("in this round")
        ).first.wait_for()
        terminal.reload()
        assert spot(terminal, "Tie").get_attribute("data-state") == "idle"
        reloads.here()
        for face in ("4S", "2H"):
            staff.draw(table, face)
        reloads.here()
        staff.give("dealer", table, "report", about={"situation": "power_failure"})
        reloads.here("HOLD")
        staff.give("pit-supervisor", table, "dismiss_report", reason="the light stayed on")
        for face in ("5D", "3C"):
            staff.draw(table, face)
        staff.give("dealer", table, "announce_outcome")
        reloads.here()
        staff.give("dealer", table, "settle")
        reloads.here()
        staff.give("dealer", table, "confirm_payment")
        staff.call(table)
        staff.bet(patron, table, STAKES)
        staff.deal(table, "4S")
        staff.void(table)
        reloads.here()
    assert reloads.met >= {"IDLE", "OPEN", "DEALING", "HOLD", "RESULT", "SETTLED", "VOID"}
    staff.play_out(table)


def test_a_round_with_a_die_is_the_same_after_a_reload_in_every_phase(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    table, patron = "power-98", "patron-19"
    faces = ["4S", "2H", "5D", "3C"]
    staff.open_with_paper(table)
    if staff.view(table, patron)["own"]["seat"] is None:
        staff.seat(patron, table, 6)
    with several(browser, quiet) as page_of:
        reloads = Reloads(at_every_screen(page_of, patron, table), staff, table)
        staff.call(table)
        staff.bet(patron, table, (("player", 100_00),))
        staff.give("dealer", table, "close_bets")
        while (phase := staff.view(table)["phase"]) != "SETTLED":
            if phase not in reloads.met:
                reloads.here()
            step = staff.view(table)["dealer"]["next"]
            if step["command"] == "draw_card":
                staff.draw(table, faces.pop(0))
                continue
            who = (step["patrons"] or ["dealer"])[0]
            die = 3 if step["command"] == "announce_die" else None
            staff.give(who, table, step["command"], die=die)
        reloads.here()
    assert reloads.met >= {"SHAKE", "DEALING", "RESULT", "SETTLED"}
    staff.play_out(table)
