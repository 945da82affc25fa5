"""Rounds at the console from the call to their end, with an irregularity in the middle."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import pytest

import croupier
from tests.web.dealing import (
    confirmed_here,
    dealt,
    guided,
    paid_row_by_row,
    pressed,
    primary,
)
from tests.web.looking import opened, somebody
from tests.web.playing import finished
from tools.people import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.floor.serving import Served
    from tests.web.staff import Staff

BACCARAT, TOURNAMENT = ("baccarat", "BAC8", "B"), ("fortune-six-tournament", "F6T2", None)
"""A table, its rulebook and its method."""
PATRON, STAKES = "patron-10", (("banker", 200_00), ("player-pair", 50_00))
FACES = ("h5 sa c5 h9", "c3 d6")
"""Player has a pair and draws, Banker draws and wins with 6."""
CARDS = ["5H", "AS", "5C", "9H", "3C", "6D"]


class Case(NamedTuple):
    """What is reported at the console, by which clause it is ruled, and what becomes of it."""

    situation: str
    answers: tuple[str, ...]
    clause: str
    confirms: bool = True
    """A Pit Supervisor does, in place; otherwise the ruling is done at once."""
    void: bool = False


ALTERED = Case("Order altered", ("Yes",), "5.2")
LOST = Case("Order altered", ("No",), "5.2", void=True)
CASES = {
    "baccarat-order-known": (BACCARAT, ALTERED),
    "baccarat-order-lost": (BACCARAT, LOST),
    "baccarat-exposed": (
        BACCARAT,
        Case("Exposed in error", ("Player's first card",), "5.7.1", confirms=False),
    ),
    "baccarat-extra-card": (BACCARAT, Case("Extra card", (), "5.1.1", void=True)),
    "tournament-order-known": (TOURNAMENT, ALTERED._replace(clause="5.4")),
    "tournament-order-lost": (TOURNAMENT, LOST._replace(clause="5.4")),
    "tournament-foreign-card": (TOURNAMENT, Case("Foreign card", (), "5.1.1", void=True)),
}


@pytest.mark.parametrize(("at", "case"), CASES.values(), ids=CASES)
def test_a_round_is_brought_to_its_end(
    browser: Browser, quiet: Served, staff: Staff, at: tuple[str, str, str | None], case: Case
) -> None:
    table, code, method = at
    clause = f"{code} {case.clause}"
    staff.open_with_paper(table, method=method)
    if staff.view(table, PATRON)["own"]["seat"] is None:
        staff.seat(PATRON, table, 4)
    before = staff.view(table, PATRON)["own"]["credit_cents"]
    first, more = FACES
    with (
        somebody(browser, quiet, "dealer") as at_console,
        somebody(browser, quiet, PATRON) as at_terminal,
    ):
        dealer = opened(at_console, f"/dealer/{table}")
        pressed(dealer, "Place your bets, please")
        until(lambda: staff.view(table)["phase"] == "OPEN", "bets are open")
        number = staff.view(table)["round"]
        staff.bet(PATRON, table, STAKES)
        pressed(dealer, "No more bets")
        dealt(dealer, first)
        guided(dealer, case.situation, *case.answers)
        dealer.get_by_text(clause).first.wait_for()
        pressed(dealer, "Send report")
        if case.confirms:
            confirmed_here(dealer, quiet, "pit-manager" if case.void else None)
        if case.void:
            dealer.get_by_text(re.compile("^The (last )?round was void")).wait_for()
        else:
            over = dealer.get_by_role("status").filter(has_text=case.situation)
            over.get_by_text(clause).wait_for()
            dealt(dealer, more, len(first.split()))
            pressed(dealer, "Announce result")
            pressed(dealer, "Settle")
            rows = paid_row_by_row(dealer, len(STAKES))
            assert all("pay" in row for row in rows), rows
            primary(dealer).filter(has_text="Place your bets, please").wait_for()
        done = finished(at_terminal, table, number)
    after = staff.view(table, PATRON)["own"]["credit_cents"]
    if case.void:
        assert done["void"]["clause"] == clause
        assert after == before, "every stake is returned"
        staff.play_out(table)
        return
    assert (done["void"], done["cards"], done["winner"]) == (None, CARDS, "banker")
    settlement = croupier.find_game(table).settle(" ".join(CARDS))
    won = sum(int(settlement[wager].net * cents) for wager, cents in STAKES)
    assert after == before + won
