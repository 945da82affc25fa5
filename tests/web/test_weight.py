"""What a terminal loads weighs little."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.web.looking import opened, somebody
from tests.web.playing import sit
from tools.build_web import STATIC

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.floor.serving import Served

LIMIT = 150_000
"""Bytes of compressed script."""


def test_the_script_of_a_terminal_fits_its_limit(browser: Browser, quiet: Served) -> None:
    loaded: set[str] = set()
    with somebody(browser, quiet, "patron-10") as context:
        context.on("request", lambda request: loaded.add(request.url.rsplit("/", 1)[1]))
        sit(opened(context, "/table/fabulous-4s"))
    scripts = [one for one in loaded if one.endswith(".js")]
    assert any(one.startswith("Terminal-") for one in scripts), scripts
    sizes = {one: (STATIC / "assets" / f"{one}.gz").stat().st_size for one in scripts}
    assert sum(sizes.values()) <= LIMIT, sizes
