"""Every screen opens for whoever it is for, without an error and without another host."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.looking import opened, somebody

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.floor.serving import Served

SCREENS = [
    (None, "/signin"),
    (None, "/display/tiger"),
    ("patron-01", "/lobby"),
    ("patron-01", "/tables"),
    ("patron-01", "/table/tiger"),
    ("dealer", "/dealer"),
    ("dealer", "/dealer/baccarat"),
    ("pit-supervisor", "/pit"),
    ("cashier", "/cage"),
    ("auditor", "/audit"),
    ("administrator", "/house"),
    ("technician", "/house"),
]


@pytest.mark.parametrize(("name", "path"), SCREENS)
def test_a_screen_opens(browser: Browser, floor: Served, name: str | None, path: str) -> None:
    with somebody(browser, floor, name) as context:
        page = opened(context, path)
        assert page.locator("h1").count() == 1
        assert page.title() != ""


def test_an_address_that_is_none_says_so(browser: Browser, floor: Served) -> None:
    with somebody(browser, floor, None) as context:
        page = context.new_page()
        answer = page.goto("/table/x/y/z")
        assert answer is not None
        assert answer.status in {200, 404}
