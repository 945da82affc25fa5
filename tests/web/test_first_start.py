"""The first start of a house for real play: its link makes one administrator, once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.floor.serving import Served
from tests.web.looking import opened, somebody

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

NAME, PASSWORD = "ada", "seven green chips on the felt"


def test_the_first_administrator_is_made_by_the_link_once(
    browser: Browser, tmp_path: Path
) -> None:
    house = Served(tmp_path, clocks=(), demo=False)
    house.start()
    try:
        link = re.search(r"/setup#\S+", house.output)
        assert link is not None, house.output
        with somebody(browser, house, None) as context:
            page = opened(context, link[0])
            page.get_by_role("button", name="Create administrator").click()
            page.get_by_role("alert").wait_for()
            page.get_by_label("Your name").fill(NAME)
            page.get_by_label("Password", exact=True).fill("short")
            page.get_by_role("button", name="Create administrator").click()
            page.get_by_role("alert").wait_for()
            page.get_by_label("Password", exact=True).fill(PASSWORD)
            page.get_by_role("button", name="Create administrator").click()
            page.wait_for_url("**/house")
            page.get_by_role("heading", name="Who has an account").wait_for()
            page.get_by_text(f"{NAME}, Administrator").wait_for()
        with somebody(browser, house, None) as context:
            page = opened(context, link[0])
            page.get_by_label("Your name").fill("eve")
            page.get_by_label("Password", exact=True).fill(PASSWORD)
            page.get_by_role("button", name="Create administrator").click()
            page.get_by_text("If you did not set up this house yourself").wait_for()
            page.get_by_role("button").last.click()
            page.wait_for_url("**/signin")
    finally:
        code = house.stop()
    assert code == 0, house.output
