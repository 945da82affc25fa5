"""Pictures of the display, the cage, the audit and the page of who keeps the house."""

from __future__ import annotations

from urllib.parse import quote

from tools.pictures.camera import LARGE, PHONE, SMALL, WALL, Camera

TABLE = "tiger"
VERIFY_MS = 300_000


def display(camera: Camera) -> None:
    """Take the public display of a table, and the choice of one."""
    house = camera.house
    house.clocks(TABLE, betting=40, pause=12, pace=0.6)
    house.next_call(TABLE)
    camera.shoot(None, f"/display/{TABLE}", "display", LARGE, WALL, SMALL)
    camera.shoot(None, f"/display/{TABLE}", "display-light", WALL, theme="light")
    camera.shoot(None, "/display", "display-choose")
    with camera.page(None, f"/display/{TABLE}") as page:
        house.phase(TABLE, "SETTLED", "IDLE")
        page.wait_for_timeout(1000)
        camera.take(page, "display-result", LARGE, WALL, SMALL)
    camera.shoot(None, "/display/fa-fa-fabulous-4", "display-65", WALL)


def cage(camera: Camera) -> None:
    """Take the cage: sums, wallets, tickets, fills."""
    house = camera.house
    house.give("patron-10", "cage", "cash_out", cents=1_250_00)
    house.give("cashier", "cage", "fill_table", "cage-supervisor", table=TABLE, cents=50_000_00)
    camera.shoot("cashier", "/cage", "cage")
    camera.shoot("cashier", "/cage", "cage-zh", language="zh-Hans")


def approve(camera: Camera) -> None:
    """Take a second person who approves one act in place, and one who may not."""
    with camera.page("cashier", "/cage") as page:
        page.get_by_role("button", name="Fill a table").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Table").select_option(TABLE)
        dialog.get_by_label("Amount").fill("30000")
        dialog.get_by_role("button", name="Next: second person").click()
        dialog.get_by_label("Name").fill("cashier")
        dialog.get_by_label("Password", exact=True).fill(camera.house.password("cashier"))
        dialog.get_by_role("button", name="Fill Table").click()
        dialog.get_by_role("alert").wait_for()
        camera.take(page, "sign-in-approve", LARGE, PHONE)


def keeper(camera: Camera) -> None:
    """Take the page of who keeps the house: accounts, devices, backups."""
    camera.shoot("administrator", "/house", "house")
    camera.shoot("technician", "/house", "house-technician")
    camera.shoot("administrator", "/house", "house-zh", language="zh-Hans")


def audit(camera: Camera) -> None:
    """Take the audit: streams and checks, and the decisions of a stream."""
    with camera.page("auditor", "/audit") as page:
        page.wait_for_timeout(1500)
        camera.take(page, "audit")
        page.get_by_role("button", name="Verify", exact=True).click()
        page.get_by_role("button", name="Verify again").wait_for(timeout=VERIFY_MS)
        page.wait_for_timeout(500)
        camera.take(page, "audit-verified")
    camera.shoot("auditor", "/audit", "audit-zh", language="zh-Hans")
    streams = camera.house.get("auditor", "/journal/streams")
    listed = streams if isinstance(streams, list) else streams["streams"]
    name = next(one["name"] for one in listed if one["name"].endswith("baccarat"))
    path = f"/audit/{quote(name, safe='')}"
    camera.shoot("auditor", path, "audit-decisions")
    camera.shoot("auditor", f"{path}/rounds", "audit-rounds")


SCENES = (display, cage, approve, audit, keeper)
