"""What a terminal loads weighs little."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.web.looking import opened, somebody
from tests.web.playing import sit
from tools.build_web import STATIC

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.floor.serving import Served

LIMIT = 150_000
"""Bytes of compressed script."""


def scripts_of_a_terminal(browser: Browser, quiet: Served, language: str) -> set[str]:
    """Return the scripts that a terminal loads in a language."""
    loaded: set[str] = set()
    chosen = json.dumps(json.dumps({"language": language}))
    kept = f"localStorage.setItem('croupier.settings', {chosen})"
    with somebody(browser, quiet, "patron-10") as context:
        context.add_init_script(f"if (location.host) {kept}")
        context.on("request", lambda request: loaded.add(request.url.rsplit("/", 1)[1]))
        page = opened(context, "/table/fabulous-4s")
        if language == "en":
            sit(page)
        else:
            page.locator(".spots").wait_for()
    scripts = {one for one in loaded if one.endswith(".js")}
    assert any(one.startswith("Terminal-") for one in scripts), scripts
    return scripts


def test_the_script_of_a_terminal_fits_its_limit_in_every_language(
    browser: Browser, quiet: Served
) -> None:
    english = scripts_of_a_terminal(browser, quiet, "en")
    for language in ("zh-Hans", "ms", "ta"):
        scripts = scripts_of_a_terminal(browser, quiet, language)
        assert english < scripts, "a language is loaded when it is spoken, and only then"
        sizes = {one: (STATIC / "assets" / f"{one}.gz").stat().st_size for one in scripts}
        assert sum(sizes.values()) <= LIMIT, sizes
