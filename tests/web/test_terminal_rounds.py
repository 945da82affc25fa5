"""A round at a terminal by mouse, and one by keys, at every game, settled by the rules."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

import croupier
from croupier.rulebooks import GAMES
from tests.web.looking import opened, somebody
from tests.web.playing import finished, open_bets, sit, spot, view
from tools.people import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

    from tests.floor.serving import Served

TABLES = [game.slug for game in GAMES]
BESIDE = 4
"""Tables that are played at the same time: most of a round is waiting for the clock."""
BATCHES = [TABLES[first : first + BESIDE] for first in range(0, len(TABLES), BESIDE)]


def net_by_the_rules(table: str, done: dict[str, Any]) -> dict[str, int]:
    """Settle the cards of a round again: what each stake of 100.00 wins, in cents."""
    game = croupier.find_game(table)
    settlement = game.settle(" ".join(done["cards"]), die=done["die"])
    return {
        one["wager"]: int(settlement[one["wager"]].net * one["cents"]) for one in done["stakes"]
    }


def is_settled_as_shown(page: Page, context: BrowserContext, table: str, number: int) -> None:
    """Wait for the end of a round; compare page, server and rules."""
    done = finished(context, table, number)
    lines = {line["wager"]: line for line in done["lines"]}
    assert {wager: line["won_cents"] for wager, line in lines.items()} == net_by_the_rules(
        table, done
    )
    credit = view(context, table)["own"]["credit_cents"]
    balance = page.get_by_role("button", name="Your money").last
    until(lambda: f"{credit / 100:,.2f}" in balance.inner_text(), "the balance is another one")


def by_mouse(page: Page, context: BrowserContext, table: str) -> int:
    """Stake on Player and on Tie; return the round."""
    number = open_bets(context, table, least=5.0)
    page.get_by_role("radio", name="Chip of 100", exact=True).click()
    spot(page, "Player").click()
    spot(page, "Tie").click()
    page.get_by_role("button", name="Confirm").click()
    until(lambda: len(view(context, table)["own"]["stakes"]) == 2, "two stakes are accepted")
    return number


def by_keys(page: Page, context: BrowserContext, table: str) -> int:
    """Stake on Banker without a mouse; return the round."""
    number = open_bets(context, table)
    for key in ("3", "b", "c"):
        page.keyboard.press(key)
    stakes = until(lambda: view(context, table)["own"]["stakes"], "the stake is accepted")
    assert [(one["wager"], one["cents"]) for one in stakes] == [("banker", 100_00)]
    return number


@pytest.mark.parametrize("tables", BATCHES, ids=" ".join)
def test_a_round_by_mouse_and_one_by_keys(
    browser: Browser, floor: Served, tables: list[str]
) -> None:
    with ExitStack() as people:
        pages = {}
        for table in tables:
            patron = f"patron-{TABLES.index(table) + 1:02d}"
            context = people.enter_context(somebody(browser, floor, patron))
            pages[table] = opened(context, f"/table/{table}")
            sit(pages[table])
        for stake in (by_mouse, by_keys):
            rounds = [
                (table, stake(page, page.context, table)) for table, page in pages.items()
            ]
            for table, number in rounds:
                is_settled_as_shown(pages[table], pages[table].context, table, number)
