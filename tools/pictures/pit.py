"""Pictures of the pit: floor, one table, settings, recall, win, discretions, banks, alarms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.pictures.camera import EVERY, WALL, Camera

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
    camera.shoot(MANAGER, f"/pit/{TABLE}/recall/{number}", "pit-recall", *EVERY)
    camera.shoot(MANAGER, f"/pit/{TABLE}/recall/{number}", "pit-recall-zh", language="zh-Hans")
    camera.shoot(MANAGER, "/pit/recall", "pit-rounds")
    camera.shoot(MANAGER, "/pit/win", "pit-win", *EVERY)
    camera.shoot(MANAGER, "/pit/win", "pit-win-dark", theme="dark")
    camera.shoot(MANAGER, "/pit/discretions", "pit-discretions")
    camera.shoot(MANAGER, "/pit/banks", "pit-banks")


def alarms(camera: Camera) -> None:
    """Take alarms that are open, and some that somebody acknowledged."""
    house, asks, table = camera.house, "patron-03", "super-6"
    house.seat(asks, table, None, 2_000_00)
    house.next_call(table)
    house.bet(asks, table, (("banker", 100_00),))
    number = house.view(table)["round"]
    house.next_call(table)
    note = {"note": "I had a pair."}
    house.post(asks, f"/tables/{table}/rounds/{number}/asked", note)
    house.post(asks, f"/tables/{table}/attendant")
    for name, listed in house.get("pit-supervisor", "/alarms").items():
        path = f"/tables/{name}/alarms/{listed[0]['number']}/acknowledged"
        house.post("pit-supervisor", path, status=204)
    house.post("dealer", f"/tables/{TABLE}/supervisor", status=204)
    camera.shoot(MANAGER, "/pit/alarms", "pit-alarms")
    camera.shoot(MANAGER, "/pit/alarms", "pit-alarms-zh", language="zh-Hans", theme="dark")


def shifts(camera: Camera) -> None:
    """Take the reports of a shift, of shoes and of exceptions, in the pit and at the audit."""
    for who, at in ((MANAGER, "pit"), ("auditor", "audit")):
        for name, part in REPORTS.items():
            path = f"/{at}/reports{part}"
            with camera.page(who, path) as page:
                _listed(page)
                camera.take(page, f"{at}-report-{name}")
            if (at, name) in IN_TWO_LOOKS:
                look = "dark" if at == "pit" else "light"
                with camera.page(who, path, language="zh-Hans", theme=look) as page:
                    _listed(page)
                    camera.take(page, f"{at}-report-{name}-zh")


REPORTS = {"shift": "", "shoes": "/shoes", "exceptions": "/exceptions"}
IN_TWO_LOOKS = {("pit", "shift"), ("pit", "shoes"), ("pit", "exceptions"), ("audit", "shift")}


def _listed(page: Page) -> None:
    """Wait until a report shows its rows."""
    page.locator("tbody tr").first.wait_for()
    page.wait_for_timeout(800)


SCENES = (floor, settings, reports, alarms, shifts)
