"""A round at a terminal by mouse, and one by keys, at every game, settled by the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import croupier
from croupier.rulebooks import GAMES
from tests.web.looking import opened, somebody
from tests.web.playing import finished, open_bets, sit, spot, until, view

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

    from tests.floor.serving import Served

TABLES = [game.slug for game in GAMES]


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


@pytest.mark.parametrize("table", TABLES)
def test_a_round_by_mouse_and_one_by_keys(browser: Browser, floor: Served, table: str) -> None:
    patron = f"patron-{TABLES.index(table) + 1:02d}"
    with somebody(browser, floor, patron) as context:
        page = opened(context, f"/table/{table}")
        sit(page)

        first = open_bets(context, table)
        page.get_by_role("radio", name="Chip of 100", exact=True).click()
        spot(page, "Player").click()
        spot(page, "Tie").click()
        page.get_by_role("button", name="Confirm").click()
        until(
            lambda: len(view(context, table)["own"]["stakes"]) == 2, "two stakes are accepted"
        )
        is_settled_as_shown(page, context, table, first)

        second = open_bets(context, table)
        page.keyboard.press("3")
        page.keyboard.press("b")
        page.keyboard.press("c")
        stakes = until(lambda: view(context, table)["own"]["stakes"], "the stake is accepted")
        assert [(one["wager"], one["cents"]) for one in stakes] == [("banker", 100_00)]
        is_settled_as_shown(page, context, table, second)
