"""Pictures of what patrons are told: voids, corrections, own limits, exclusion, closing."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from tools.pictures.camera import LONG, SMALL, WALL, Camera
from tools.pictures.house import House
from tools.pictures.patron import OTHER_LOOK, Line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Page

TABLE, PATRON, EXCLUDED, LATE = "baccarat", "patron-12", "patron-13", "patron-14"
PAPER = {"electronic": False, "reads_cards": True, "physical": True}
LOOKS: tuple[tuple[str, dict[str, str]], ...] = (("", {}), ("-zh", OTHER_LOOK))
CHIP = re.compile(r"(^|[^\d,])100($|[^\d,])")
"""The chip of 100, in any language."""
STAKES = (("player", 1_000_00), ("player-pair", 50_00), ("tie", 100_00))
PLAYER, BANKER, TIE = "7{} 6{} K{} Q{}", "6{} 7{} J{} K{}", "6{} 2{} Q{} 4{}"
"""Coups that end with two cards for each hand, by who wins."""
NATURAL, PAIRS = "9{} 2{} K{} 3{}", "3{} 8{} 3{} 8{}"
EARLIER = (PLAYER, BANKER, PAIRS, BANKER, TIE, PLAYER, NATURAL, BANKER, PLAYER, BANKER, BANKER)
MISREAD = ("9H", "2S", "8D", "4C")
"""Player has 7, Banker 6; what was read as 4C is 6C, so Banker has 8."""


def _coup(house: House, number: int, coup: str) -> None:
    """Deal and pay a round of paper cards, of suits that change with the round."""
    suits = ("SHCD"[(number + place) % 4] for place in range(4))
    house.give("dealer", TABLE, "call_bets")
    _ended(house, coup.format(*suits).split())


def _ended(house: House, faces: Sequence[str]) -> None:
    """Deal and pay the round whose bets are open."""
    _dealt(house, faces)
    _given(house, "announce_outcome", "settle", "confirm_payment")


def _given(house: House, *steps: str) -> None:
    """Let the Dealer do one thing after the other."""
    for step in steps:
        house.give("dealer", TABLE, step)


def _dealt(house: House, faces: Sequence[str]) -> None:
    """Close the bets and lay cards."""
    house.give("dealer", TABLE, "close_bets")
    for face in faces:
        house.give("dealer", TABLE, "draw_card", cards=[face])


def _staked(house: House, stakes: Sequence[tuple[str, int]], faces: Sequence[str]) -> None:
    """Bring a round to where the patron has stakes and cards lie."""
    house.give("dealer", TABLE, "call_bets")
    house.bet(PATRON, TABLE, stakes)
    _dealt(house, faces)


def _void(house: House) -> None:
    """Let the round be void; the shoe stays."""
    house.report(TABLE, "foreign_card")
    house.confirm(TABLE)
    house.give("pit-manager", TABLE, "decide_replacement", replace=False)


def _everywhere(camera: Camera, what: str) -> None:
    """Take a terminal and several tables, each in two looks."""
    for name, path in (("terminal", f"/table/{TABLE}"), ("several", "/tables")):
        camera.shoot(PATRON, path, f"{name}-{what}")
        camera.shoot(PATRON, path, f"{name}-{what}-zh", **OTHER_LOOK)


def _corrected(house: House) -> None:
    """Let the pit put right a card of a round that was settled."""
    _staked(house, STAKES, MISREAD)
    _given(house, "announce_outcome", "settle")
    house.give(
        "pit-manager", TABLE, "correct_card", second="pit-supervisor", cards=["6C"],
        position="B2", reason="misread",
    )  # fmt: skip
    _given(house, "announce_outcome", "settle", "confirm_payment")


def _limits(camera: Camera) -> None:
    """Take own limits that are near, and one that is reached."""
    house = camera.house
    lost = -int(house.get(PATRON, "/me/play")["day"]["result_cents"])
    house.give(PATRON, "accounts", "set_loss_limit", cents=lost + 1_000_00)
    _staked(house, (("banker", 900_00),), PLAYER.format(*"SHCD").split())
    _given(house, "announce_outcome", "settle", "confirm_payment")
    house.give("dealer", TABLE, "call_bets")
    _everywhere(camera, "limit-near")
    camera.shoot(PATRON, f"/table/{TABLE}/time", "sheet-time-near")
    house.give(PATRON, "accounts", "set_loss_limit", cents=lost + 900_00)
    _everywhere(camera, "limit-reached")
    camera.shoot(PATRON, f"/table/{TABLE}/time", "sheet-time-reached")
    camera.shoot(PATRON, f"/table/{TABLE}/time", "sheet-time-reached-zh", **OTHER_LOOK)


def told(camera: Camera) -> None:
    """Take a void and a correction as they are told, and own limits, at a table of paper."""
    house = House(camera.house.folder.parent / "told", "--demo-patrons", "0")
    with camera.elsewhere(house) as quiet:
        house.take_over(TABLE)
        house.reopen(TABLE, device=PAPER, dealt_by="dealer")
        house.give("dealer", TABLE, "load_shoe", shoe="9")
        house.seat(PATRON, TABLE, 5, 20_000_00)
        for number, coup in enumerate(EARLIER):
            _coup(house, number, coup)
        _staked(house, STAKES, ("QH", "4S", "7D"))
        _void(house)
        house.give("dealer", TABLE, "call_bets")
        _everywhere(quiet, "told-void")
        _ended(house, BANKER.format(*"HSDC").split())
        _corrected(house)
        house.give("dealer", TABLE, "call_bets")
        _everywhere(quiet, "told-corrected")
        _ended(house, BANKER.format(*"CHSD").split())
        _limits(quiet)


def late(camera: Camera) -> None:
    """Take a stake that reached the table after bets closed, and one that was never sent."""
    house, table = camera.house, "tiger"
    house.clocks(table, betting=9, pause=2, pace=6)
    house.seat(LATE, table, None, 5_000_00)
    for name, look in LOOKS:
        with camera.of(LATE, **look) as context:
            page = context.new_page()
            line = Line(page)
            page.goto(f"/table/{table}")
            page.locator(".spots").wait_for()
            house.next_call(table)
            _confirmed(page, "banker")
            line.held = True
            _confirmed(page, "small-tiger")
            house.phase(table, "CLOSED", "DEALING")
            line.release()
            page.get_by_role("alert").first.wait_for()
            camera.take(page, f"terminal-late{name}")
    house.clocks(table, betting=16, pause=5, pace=0.4)


def _confirmed(page: Page, wager: str) -> None:
    """Put a chip on a spot and confirm it, in any language."""
    page.locator(".tray").get_by_role("radio", name=CHIP).click()
    page.locator(f".spots [data-wager={wager}]").click()
    page.keyboard.press("c")
    page.wait_for_timeout(600)


def notice(camera: Camera) -> None:
    """Take notice that a table closes, wherever somebody sees it."""
    house, table = camera.house, "super-six"
    house.clocks(table, betting=45, pause=4)
    house.seat(PATRON, table, None, 5_000_00)
    house.next_call(table)
    house.give("pit-manager", table, "announce_closure", minutes=45)
    camera.shoot(PATRON, f"/table/{table}", "terminal-closing")
    camera.shoot(PATRON, f"/table/{table}", "terminal-closing-zh", **OTHER_LOOK)
    camera.shoot(PATRON, "/tables", "several-closing")
    camera.shoot(PATRON, "/lobby", "lobby-closing", LONG, SMALL)
    camera.shoot(None, f"/display/{table}", "display-closing", WALL)
    house.give("pit-manager", table, "announce_closure", minutes=None)
    house.clocks(table, betting=20, pause=5)


def excluded(camera: Camera) -> None:
    """Take the choice of a break, the question that follows, and what is left afterwards."""
    house, table = camera.house, "fortune-six"
    house.seat(EXCLUDED, table, None, 2_000_00)
    path = f"/table/{table}"
    for name, look in LOOKS:
        with camera.page(EXCLUDED, f"{path}/time", **look) as page:
            page.locator(".sheet [aria-haspopup=dialog]").click()
            dialog = page.get_by_role("dialog")
            dialog.get_by_role("radio").nth(1).click()
            camera.take(page, f"break-choices{name}")
            dialog.locator(".btn.primary").click()
            dialog.locator("ul").wait_for()
            camera.take(page, f"break-question{name}")
    end = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    house.give(EXCLUDED, "accounts", "exclude_patron", until=end)
    house.clocks(table, betting=45, pause=4)
    house.next_call(table)
    for name, look in LOOKS:
        camera.shoot(EXCLUDED, path, f"terminal-excluded{name}", **look)
    for name, look in LOOKS:
        camera.shoot(EXCLUDED, "/lobby", f"lobby-excluded{name}", LONG, SMALL, **look)
        camera.shoot(EXCLUDED, "/tables", f"several-excluded{name}", **look)
    house.clocks(table, betting=20, pause=5)


SCENES = (told, late, notice, excluded)
