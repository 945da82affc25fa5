"""Pictures of the pit: floor, one table, settings, recall, win, discretions, banks, alarms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.pictures.camera import WALL, Camera

if TYPE_CHECKING:
    from playwright.sync_api import Page

TABLE = "baccarat"
MANAGER = "pit-manager"


def floor(camera: Camera) -> None:
    """Take the floor, light and dark, in both languages, and one table of it."""
    camera.shoot(MANAGER, "/pit", "pit-floor")
    camera.shoot(MANAGER, "/pit", "pit-floor", WALL)
    camera.shoot(MANAGER, "/pit", "pit-floor-dark", theme="dark")
    camera.shoot(MANAGER, "/pit", "pit-floor-zh", language="zh-Hans")
    camera.shoot(MANAGER, f"/pit/{TABLE}", "pit-table")


def settings(camera: Camera) -> None:
    """Take the settings of a table with a change that waits."""
    with camera.page(MANAGER, f"/pit/{TABLE}/settings") as page:
        page.wait_for_timeout(1000)
        _change(page)
        camera.take(page, "pit-settings")
    camera.shoot(MANAGER, f"/pit/{TABLE}/settings", "pit-settings-zh", language="zh-Hans")


def _change(page: Page) -> None:
    box = page.locator("main input:not([type=radio]):not([type=checkbox])").first
    box.fill("50")
    box.press("Tab")


def reports(camera: Camera) -> None:
    """Take what the pit reads afterwards: recall, win, discretions, banks, alarms."""
    rounds = camera.house.get(MANAGER, f"/tables/{TABLE}/rounds?limit=40")
    listed = rounds if isinstance(rounds, list) else rounds["rounds"]
    number = max(listed, key=lambda one: len(one.get("interruptions") or ()))["round"]
    camera.shoot(MANAGER, f"/pit/{TABLE}/recall/{number}", "pit-recall")
    camera.shoot(MANAGER, f"/pit/{TABLE}/recall/{number}", "pit-recall-zh", language="zh-Hans")
    camera.shoot(MANAGER, "/pit/recall", "pit-rounds")
    camera.shoot(MANAGER, "/pit/win", "pit-win")
    camera.shoot(MANAGER, "/pit/win", "pit-win-dark", theme="dark")
    camera.shoot(MANAGER, "/pit/discretions", "pit-discretions")
    camera.shoot(MANAGER, "/pit/banks", "pit-banks")
    camera.shoot(MANAGER, "/pit/alarms", "pit-alarms")


SCENES = (floor, settings, reports)
