"""At every game a round by keys alone and one by mouse, settled by the rules."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any

import pytest

import croupier
from croupier.rulebooks import GAMES
from tests.web.keyboard import (
    chosen,
    goes_to_spot,
    gone_to,
    has_focus,
    moved,
    pressed,
    signed_in,
    written,
)
from tests.web.looking import somebody
from tests.web.playing import finished, open_bets, spot, view
from tools.people import until

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, BrowserContext, Locator, Page

    from tests.floor.serving import Served

TABLES = [game.slug for game in GAMES]
BESIDE = 4
"""Tables that are played at the same time: most of a round is waiting for the clock."""
TRIES = 3
"""Rounds in which somebody tries to bet."""
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

    def place() -> set[tuple[str, int]]:
        page.get_by_role("radio", name="Chip of 100", exact=True).click()
        spot(page, "Player").click()
        spot(page, "Tie").click()
        page.get_by_role("button", name="Confirm").click()
        return {("player", 100_00), ("tie", 100_00)}

    return accepted(context, table, place)


def accepted(
    context: BrowserContext, table: str, place: Callable[[], set[tuple[str, int]]]
) -> int:
    """Let somebody place stakes, and return the round in which they are accepted.

    A slow machine clicks and presses when bets are closed; then it is the next round.
    """
    for _ in range(TRIES):
        number = open_bets(context, table, least=6)
        staked = place()
        with suppress(TimeoutError):
            until(lambda: stakes(context, table) == staked, "two stakes are accepted", 4)  # noqa: B023
            return number
    message = "Two stakes were never accepted."
    raise AssertionError(message)


def enters_by_keys(page: Page, house: Served, patron: str, table: str) -> None:
    """Sign in, go to a table, choose a position and bring credit, all by keys."""
    signed_in(page, house, patron)
    tiles = page.locator("[data-tile]")
    tiles.first.wait_for()
    gone_to(page, tiles.first.get_by_role("link"))
    # The tables lie in rows: along one to its end, then back along the next.
    wanted = page.locator(f"[data-tile={table}]").get_by_role("link")
    for row in range(len(TABLES)):
        if runs_to(page, wanted, ("ArrowRight", "ArrowLeft")[row % 2]):
            break
        pressed(page, "ArrowDown")
    assert has_focus(wanted)
    pressed(page, "Enter")
    place = page.get_by_role("radio", name="Position ")
    gone_to(page, place.first)
    pressed(page, "ArrowRight")
    assert place.nth(1).get_attribute("aria-checked") == "true"
    written(page, page.get_by_role("textbox", name="Bring to the table"), "4000")
    chosen(page, page.get_by_role("button", name="Take position 2"))
    page.get_by_role("group", name="Bet spots").wait_for()


def runs_to(page: Page, wanted: Locator, key: str) -> bool:
    """Press an arrow until a table has the focus, or it leads no further."""
    focused = page.locator("[data-tile]:focus-within")
    before = None
    while not has_focus(wanted):
        here = focused.get_attribute("data-tile")
        if here == before:
            return False
        before = here
        pressed(page, key)
    return True


def by_keys(page: Page, context: BrowserContext, table: str) -> int:
    """Stake on Banker by its key, and on the wager above it by arrows; return the round."""

    def place() -> set[tuple[str, int]]:
        pressed(page, "3", "b")
        goes_to_spot(page, "banker", "ArrowRight")
        side = moved(page, "ArrowUp")
        pressed(page, "Enter", "c")
        return {("banker", 100_00), (side, 100_00)}

    return accepted(context, table, place)


def stakes(context: BrowserContext, table: str) -> set[tuple[str, int]]:
    """Return what the server has accepted."""
    return {(one["wager"], one["cents"]) for one in view(context, table)["own"]["stakes"]}


@pytest.mark.parametrize("tables", BATCHES, ids=" ".join)
def test_a_round_by_keys_from_the_door_on_and_one_by_mouse(
    browser: Browser, floor: Served, tables: list[str]
) -> None:
    with ExitStack() as people:
        pages = {}
        for table in tables:
            context = people.enter_context(somebody(browser, floor, None))
            pages[table] = context.new_page()
            patron = f"patron-{TABLES.index(table) + 1:02d}"
            enters_by_keys(pages[table], floor, patron, table)
        for stake in (by_keys, by_mouse):
            rounds = [
                (table, stake(page, page.context, table)) for table, page in pages.items()
            ]
            for table, number in rounds:
                is_settled_as_shown(pages[table], pages[table].context, table, number)
