"""Pictures of the Dealer's console: the round, reports, holds, shoe, opening and closing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tools.people import until
from tools.pictures.camera import EVERY, WALL, Camera
from tools.pictures.house import House
from tools.pictures.patron import dealt

if TYPE_CHECKING:
    from playwright.sync_api import Page

PATRONS = (("patron-04", 1), ("patron-05", 2), ("patron-06", 5), ("patron-07", 6))
TABLE, HELD, CLOSED = "fortune-six-tournament", "baccarat", "no-commission"
PAPER = {"electronic": False, "reads_cards": False, "physical": True}
CONSOLE = f"/dealer/{TABLE}"


def _seated(camera: Camera) -> None:
    house = camera.house
    for patron, place in PATRONS:
        house.seat(patron, TABLE, place, 4_000_00)
    house.take_over(TABLE)


def _called(camera: Camera) -> None:
    house = camera.house
    house.call(TABLE)
    house.bet("patron-04", TABLE, (("banker", 500_00), ("tie", 25_00)))
    house.bet("patron-05", TABLE, (("player", 300_00),))
    house.bet("patron-06", TABLE, (("banker", 200_00), ("tie", 50_00)))
    house.bet("patron-07", TABLE, (("player", 1_000_00),))


def deal(camera: Camera) -> None:
    """Take a whole round at the console: choose, open bets, deal, pay."""
    house = camera.house
    _seated(camera)
    camera.shoot("dealer", "/dealer", "dealer-choose")
    with camera.page("dealer", CONSOLE) as page:
        page.wait_for_timeout(1000)
        camera.take(page, "dealer-between")
        _called(camera)
        page.wait_for_timeout(1000)
        camera.take(page, "dealer-bets")
        house.draw(TABLE, 3)
        page.wait_for_timeout(1000)
        camera.take(page, "dealer-deal")
        camera.take(page, "dealer-deal", WALL)
        camera.shoot("dealer", CONSOLE, "dealer-deal-zh", language="zh-Hans")
        camera.shoot("dealer", CONSOLE, "dealer-deal-light", theme="light")
        until(lambda: house.step(TABLE) == "settle", "the round is settled")
        page.wait_for_timeout(1000)
        camera.take(page, "dealer-pay")
    camera.shoot("dealer", CONSOLE, "dealer-pay-zh", language="zh-Hans")
    house.play_out(TABLE)


def _keypad(camera: Camera) -> None:
    """Take the entry of cards by hand, where a shoe of paper is dealt, for both decks."""
    house = camera.house
    for table, name in ((TABLE, "dealer-keypad"), ("fa-fa-fabulous-4", "dealer-keypad-65")):
        house.take_over(table)
        house.reopen(table, device=PAPER, dealt_by="dealer")
        house.seat("patron-04", table, 1, 4_000_00)
        house.give("dealer", table, "load_shoe", shoe="9")
        house.give("dealer", table, "call_bets")
        house.bet("patron-04", table, (("banker", 500_00), ("tie", 50_00)))
        house.give("dealer", table, "close_bets")
        camera.shoot("dealer", f"/dealer/{table}", name)


def _report(page: Page, situation: str, *answers: str) -> None:
    page.get_by_role("button", name=re.compile("^All .* situations")).click()
    page.get_by_role("button", name=re.compile(f"^{situation}")).click()
    for answer in answers:
        page.get_by_role("radio", name=re.compile(f"^{answer}")).click()


def report(camera: Camera) -> None:
    """Take a guided report: choose, answer, waiting, approval, and the steps of its ruling."""
    with dealt(camera, 4), camera.page("dealer", f"/dealer/{HELD}") as page:
        page.get_by_role("button", name=re.compile("^All .* situations")).click()
        camera.take(page, "dealer-report-choose", *EVERY)
        page.get_by_role("button", name=re.compile("^Back to the round")).first.click()
        _report(page, "Order altered", "No")
        page.wait_for_timeout(1000)
        camera.take(page, "dealer-report-answer")
    with dealt(camera, 2) as house, camera.page("dealer", f"/dealer/{HELD}") as page:
        _report(page, "Reset needed")
        page.get_by_role("button", name="Send report").click()
        page.wait_for_timeout(1500)
        camera.take(page, "dealer-report-waiting")
        camera.shoot("pit-supervisor", "/pit", "pit-waiting")
        with camera.page("pit-supervisor", "/pit") as pit:
            pit.get_by_role("button", name="Decide", exact=True).first.click()
            pit.wait_for_timeout(800)
            camera.take(pit, "pit-approval")
        house.confirm(HELD)
        page.wait_for_timeout(1000)
        camera.take(page, "dealer-report-steps", *EVERY)
        camera.shoot("dealer", f"/dealer/{HELD}", "dealer-report-steps-zh", language="zh-Hans")


def keys(camera: Camera) -> None:
    """Take the list of keys at the console, and at several tables."""
    for who, path, name in (("dealer", CONSOLE, "dealer"), ("patron-02", "/tables", "several")):
        with camera.page(who, path) as page:
            _ask_for_keys(camera, page, f"{name}-keys")
    with camera.page("dealer", CONSOLE, language="zh-Hans", theme="light") as page:
        _ask_for_keys(camera, page, "dealer-keys-zh")


def _ask_for_keys(camera: Camera, page: Page, name: str) -> None:
    page.wait_for_timeout(1000)
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()
    camera.take(page, name)


def power(camera: Camera) -> None:
    """Take the console after a power failure."""
    with dealt(camera, 2) as house, camera.page("dealer", f"/dealer/{HELD}") as page:
        house.report(HELD, "power_failure")
        page.wait_for_timeout(1200)
        camera.take(page, "dealer-power")
        house.confirm(HELD)
        page.wait_for_timeout(1000)
        camera.take(page, "dealer-power-option")


def referral(camera: Camera) -> None:
    """Take a matter that is referred: at the console, and as it is decided in the pit."""
    with dealt(camera, 4) as house:
        house.give(
            "dealer",
            HELD,
            "report",
            about={"situation": "other"},
            note="A drink was spilt over the cards of seat 3",
        )
        house.confirm(HELD)
        camera.shoot("dealer", f"/dealer/{HELD}", "dealer-referral")
        path = f"/pit/{HELD}/referral"
        with camera.page("gaming-shift-manager", path) as page:
            page.wait_for_timeout(1000)
            page.get_by_role("radio").filter(has_text=re.compile("Void|Offer")).first.click()
            page.wait_for_timeout(1000)
            camera.take(page, "pit-referral")
        camera.shoot("gaming-shift-manager", path, "pit-referral-zh", language="zh-Hans")


def method_c(camera: Camera) -> None:
    """Take method C, under which patrons draw from the shoe."""
    house, table = camera.house, "baccarat-a"
    house.seat("patron-08", table, None, 30_000_00)
    house.take_over(table)
    house.give("assistant-casino-manager", table, "set_method", method="C", reason="asked for")
    house.call(table)
    house.bet("patron-08", table, (("banker", 20_000_00),))
    house.draw(table, 0)
    camera.shoot("dealer", f"/dealer/{table}", "dealer-method-c-offered")
    camera.shoot("patron-08", f"/table/{table}", "terminal-method-c-offered")
    until(
        lambda: house.step(table) and house.view(table)["hands"][0]["cards"], "a card is drawn"
    )
    camera.shoot("dealer", f"/dealer/{table}", "dealer-method-c")
    camera.shoot("patron-08", f"/table/{table}", "terminal-method-c")
    house.play_out(table)
    house.give("pit-manager", table, "set_method", method="A", reason="ended")


CHIPS = {
    "100,000": 40,
    "50,000": 10,
    "10,000": 30,
    "5,000": 20,
    "1,000": 60,
    "500": 50,
    "100": 100,
    "25": 120,
    "5": 300,
    "1": 500,
}
"""A tray of 5,000,000.00, by chip."""


def _count(page: Page, missing: str | None = None) -> None:
    """Count the tray; one chip of a value may be missing."""
    for chip, number in CHIPS.items():
        field = page.get_by_label(f"Number of chips of {chip}", exact=True)
        field.fill(str(number - (chip == missing)))


def _shoe(camera: Camera) -> None:
    """Take a new shoe, the count at the closing of a table, and its opening."""
    house = camera.house
    _seated(camera)
    house.give("dealer", TABLE, "end_shoe")
    camera.shoot("dealer", CONSOLE, "dealer-shoe")
    with camera.page("dealer", CONSOLE) as page:
        page.get_by_role("button", name=re.compile("^Close")).first.click()
        page.wait_for_timeout(800)
        _count(page)
        camera.take(page, "dealer-close")
    house.play_out(TABLE)
    settings = house.close(TABLE)
    with camera.page("pit-manager", CONSOLE) as page:
        _count(page, missing="100")
        camera.take(page, "dealer-open")
    with camera.page("dealer", CONSOLE) as page:
        _count(page)
        camera.take(page, "dealer-closed")
    house.give("pit-manager", TABLE, "open_table", settings=settings)


def _counting(camera: Camera) -> None:
    """Take the count of each card, where a patron left with a hand that no device read."""
    house, table, patron = camera.house, "baccarat-a", "patron-08"
    house.take_over(table)
    house.reopen(table, device=PAPER, dealt_by="dealer")
    house.seat(patron, table, 1, 30_000_00)
    house.give("dealer", table, "load_shoe", shoe="9")
    house.give("dealer", table, "call_bets")
    house.bet(patron, table, (("player", 20_000_00),))
    house.draw(table, 4)
    house.give("dealer", table, "pass_hand", side="player", patron=patron)
    house.report(table, "left_with_cards", patron=patron)
    house.confirm(table)
    house.give("gaming-shift-manager", table, "reserve_cards", cards=("3H", "4C"))
    for position, face in (("B1", "QD"), ("B2", "5C")):
        house.give("dealer", table, "expose_card", position=position, cards=(face,))
    with camera.page("dealer", f"/dealer/{table}") as page:
        for face in ("Two of clubs", "Three of hearts", "Four of clubs", "King of spades"):
            page.get_by_role("button", name=re.compile(f"^{face}: ")).click()
        camera.take(page, "dealer-report-count")
        camera.take(page, "dealer-report-count", WALL)


def closing(camera: Camera) -> None:
    """Take what needs a house where nobody else sits: shoe, closing, keypad, counting."""
    house = House(camera.house.folder.parent / "quiet", "--demo-patrons", "0")
    with camera.elsewhere(house) as quiet:
        _shoe(quiet)
        _keypad(quiet)
        _counting(quiet)


SCENES = (deal, keys, report, power, referral, method_c, closing)
