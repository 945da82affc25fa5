"""Devices tended by the screens, and limits of a patron's own at the terminal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.web.looking import opened, somebody
from tests.web.playing import open_bets, sit, spot

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.floor.serving import Served
    from tests.web.staff import Staff


@pytest.mark.parametrize("name", ["technician", "administrator"])
def test_a_device_is_registered_moved_and_retired(
    browser: Browser, quiet: Served, staff: Staff, name: str
) -> None:
    device = f"shoe-of-{name}"
    with somebody(browser, quiet, name) as context:
        page = opened(context, "/house")
        region = page.get_by_role("region", name="Devices")
        region.get_by_role("button", name="Register a device").click()
        asked = page.get_by_role("dialog", name="Register a device")
        asked.get_by_label("Name of the device").fill(device)
        asked.get_by_label("Table").select_option("baccarat")
        asked.get_by_role("button", name="Register", exact=True).click()
        row = region.get_by_role("row").filter(has_text=device)
        row.get_by_text("baccarat").wait_for()
        row.get_by_text(re.compile(rf"by {name}$")).wait_for()
        row.get_by_text("not since the start").wait_for()

        row.get_by_role("button", name=f"Tend {device}").click()
        tended = page.get_by_role("dialog", name=device)
        tended.get_by_text("nothing is due from it now").wait_for()
        tended.get_by_role("button", name="New token").click()
        token = tended.get_by_label("Token").inner_text()
        assert len(token) > 20
        asks = {"Authorization": f"Bearer {token}"}
        with somebody(browser, quiet, None) as box:  # a device has no cookie
            answer = box.request.get(f"/api/v1/devices/{device}", headers=asks)
        assert answer.status == 200
        tended.get_by_label("Table where it stands").select_option("power-98")
        tended.get_by_role("button", name="Move").click()
        tended.wait_for(state="detached")
        row.get_by_text("power-98").wait_for()
        row.get_by_text("has one").wait_for()
        row.get_by_text("not since the start").wait_for(state="detached")

        row.get_by_role("button", name=f"Tend {device}").click()
        tended.get_by_label("Why it goes out of use for good").fill("it jams")
        tended.get_by_role("button", name="Take out of use").click()
        tended.wait_for(state="detached")
        row.get_by_text(re.compile(rf"Out of use since .* by {name}")).wait_for()
        assert row.get_by_role("button").count() == 0
    (one,) = [found for found in staff.get(name, "/devices") if found["name"] == device]
    assert (one["retired"]["by"], one["table"]) == (name, None)


def test_a_name_that_was_given_is_refused_beside_the_button(
    browser: Browser, quiet: Served
) -> None:
    with somebody(browser, quiet, "technician") as context:
        page = opened(context, "/house")
        for _ in range(2):
            page.get_by_role("button", name="Register a device").click()
            asked = page.get_by_role("dialog", name="Register a device")
            asked.get_by_label("Name of the device").fill("die-twice")
            asked.get_by_label("Kind").select_option("die")
            asked.get_by_role("button", name="Register", exact=True).click()
            page.get_by_role("row").filter(has_text="die-twice").wait_for()
        asked.get_by_role("alert").filter(has_text="a name is given once").wait_for()


def test_what_own_limits_do_not_leave_is_not_offered(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    patron, table = "patron-12", "tiger"
    with somebody(browser, quiet, patron) as context:
        page = opened(context, f"/table/{table}")
        sit(page, 12)
        open_bets(context, table)
        staff.give(patron, "accounts", "set_stake_limit", cents=30_00)
        player = spot(page, "Player")
        chip = page.get_by_role("radiogroup", name="Chip").get_by_role("radio").first
        chip.click()
        for _ in range(12):
            player.click()
        told = page.get_by_role("alert").filter(has_text="your own limit of 30.00 for one")
        told.wait_for()
        staff.give("pit-manager", "accounts", "exclude_patron", patron=patron, reason="asked")
        page.get_by_text("You are excluded from play since").first.wait_for()
        assert player.get_attribute("aria-disabled") == "true"
        assert chip.is_disabled()
        assert page.get_by_role("button", name="Confirm").is_disabled()
        page.get_by_role("button", name="Your money").first.click()
        wallet = page.get_by_role("region", name="Your money")
        assert wallet.get_by_role("radio", name="Cash out").is_checked()
        wallet.get_by_role("radio", name="Bring").click()
        assert wallet.get_by_role("button", name=re.compile("^Bring ")).is_disabled()
        wallet.get_by_role("radio", name="Cash out").click()
        wallet.get_by_role("button", name=re.compile("to the wallet")).click()
    with somebody(browser, quiet, patron) as context:
        page = opened(context, "/table/super-6")
        page.get_by_text("You are excluded from play since").first.wait_for()
        assert page.get_by_role("button", name=re.compile("^Take position")).is_disabled()
