"""Pictures of the door and the lobby: sign-in, setup, tables, several tables."""

from __future__ import annotations

import re

from tools.pictures.camera import EVERY, LONG, SMALL, WALL, Camera
from tools.pictures.house import House

PINNED = ("tiger", "fortune-six", "fabulous-4s", "super-six")


def sign_in(camera: Camera) -> None:
    """Take sign-in, a refusal, a link that was used, and sign-in in the other language."""
    camera.shoot(None, "/signin", "sign-in", *EVERY)
    camera.shoot(None, "/signin", "sign-in-zh", language="zh-Hans")
    camera.shoot(None, "/signin", "sign-in-light", theme="light")
    with camera.page(None, "/signin") as page:
        page.get_by_label("Name", exact=True).fill("dealer")
        page.locator("input[type=password]").fill("not the password")
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.get_by_role("alert").first.wait_for()
        camera.take(page, "sign-in-refused")
    camera.shoot(None, "/password#used-before", "password")
    with camera.page(None, "/password#used-before") as page:
        for box in page.locator("input[type=password]").all():
            box.fill("a long and good password")
        page.get_by_role("button").filter(
            has_text=re.compile("password", re.IGNORECASE)
        ).last.click()
        page.wait_for_timeout(800)
        camera.take(page, "password-used")


def expired(camera: Camera) -> None:
    """Take the sign-in of a patron whose session was closed with a stake in play."""
    house, table, patron = camera.house, PINNED[0], "patron-09"
    house.clocks(table, betting=25, pause=4)
    house.seat(patron, table, None, 2_000_00)
    with camera.page(patron, f"/table/{table}") as page:
        page.wait_for_timeout(1000)  # a terminal that is down places nothing
        house.next_call(table)
        house.bet(patron, table, (("player", 250_00),))
        page.wait_for_timeout(1000)
        house.end_sessions(patron)
        page.get_by_role("heading", name="You were signed out").wait_for()
        camera.take(page, "sign-in-expired")


def setup(camera: Camera) -> None:
    """Take the first start of a house for real play."""
    house = House(camera.house.folder.parent / "new", demo=False)
    with camera.elsewhere(house) as new:
        found = re.search(r"(/setup#\S+)", house.output)
        new.shoot(None, found.group(1) if found else "/setup", "setup")


def lobby(camera: Camera) -> None:
    """Take the list of tables."""
    camera.shoot("patron-01", "/lobby", "lobby", LONG, SMALL)
    camera.shoot("patron-01", "/lobby", "lobby-zh", LONG, SMALL, language="zh-Hans")
    camera.shoot("patron-01", "/lobby", "lobby-light", LONG, theme="light")
    camera.shoot("patron-01", "/lobby", "lobby", WALL)


def several(camera: Camera) -> None:
    """Take four tables that one patron plays at once."""
    house = camera.house
    tiger, settled, in_hand = PINNED[0], PINNED[2], PINNED[3]
    for table in PINNED:
        house.clocks(table, betting=45, pause=4)
        house.seat("patron-02", table, None, 5_000_00)
    house.clocks(settled, betting=6, pause=14)
    with camera.page("patron-02", "/tables") as page:
        page.wait_for_timeout(1000)  # a terminal that is down places nothing
        house.next_call(in_hand)
        house.bet("patron-02", in_hand, (("banker", 200_00), ("tie", 25_00)))
        house.phase(tiger, "OPEN")
        house.bet("patron-02", tiger, (("player", 100_00), ("tiger", 50_00)))
        house.next_call(settled)
        house.bet("patron-02", settled, (("player", 300_00), ("banker", 100_00)))
        house.phase(settled, "SETTLED", "IDLE")
        page.wait_for_timeout(1000)
        camera.take(page, "several-tables")
        camera.take(page, "several-tables", WALL)
    for table in PINNED:
        house.clocks(table, betting=20, pause=5)


SCENES = (sign_in, expired, setup, lobby, several)
