"""Pictures of the Dealer's console: the round, reports, holds, shoe, opening and closing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tools.people import until
from tools.pictures.camera import WALL, Camera
from tools.pictures.house import House
from tools.pictures.patron import dealt

if TYPE_CHECKING:
    from playwright.sync_api import Page

PATRONS = (("patron-04", 1), ("patron-05", 2), ("patron-06", 5), ("patron-07", 6))
TABLE, HELD, CLOSED = "fortune-six-tournament", "baccarat", "no-commission"
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
    paper = {"electronic": False, "reads_cards": False, "physical": True}
    for table, name in ((TABLE, "dealer-keypad"), ("fa-fa-fabulous-4", "dealer-keypad-65")):
        house.take_over(table)
        house.reopen(table, device=paper, dealt_by="dealer")
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
        camera.take(page, "dealer-report-choose")
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
        camera.take(page, "dealer-report-steps")
        camera.shoot("dealer", f"/dealer/{HELD}", "dealer-report-steps-zh", language="zh-Hans")


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
        house.report(HELD, "other")
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


def _shoe(camera: Camera) -> None:
    """Take a new shoe, the count at the closing of a table, and its opening."""
    house = camera.house
    _seated(camera)
    house.give("dealer", TABLE, "end_shoe")
    camera.shoot("dealer", CONSOLE, "dealer-shoe")
    with camera.page("dealer", CONSOLE) as page:
        page.get_by_role("button", name=re.compile("^Close")).first.click()
        page.wait_for_timeout(800)
        camera.take(page, "dealer-close")
    house.play_out(TABLE)
    settings = house.close(TABLE)
    camera.shoot("pit-manager", CONSOLE, "dealer-open")
    camera.shoot("dealer", CONSOLE, "dealer-closed")
    house.give("pit-manager", TABLE, "open_table", settings=settings)


def closing(camera: Camera) -> None:
    """Take shoe, closing, opening and the keypad in a house where nobody else sits down."""
    house = House(camera.house.folder.parent / "quiet", "--demo-patrons", "0")
    with camera.elsewhere(house) as quiet:
        _shoe(quiet)
        _keypad(quiet)


SCENES = (deal, report, power, referral, method_c, closing)
