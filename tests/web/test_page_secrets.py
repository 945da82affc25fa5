"""No undealt card is in a page: not in what it hears, and not in what it shows."""

from __future__ import annotations

import re
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from tests.floor.guarding import CANARIES, UNLIMITED, house
from tests.web.looking import somebody
from tests.web.playing import sit
from tools.build_web import STATIC
from tools.people import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROUNDS = 3
WATCHED = [
    ("patron-01", "/table/tiger"),
    ("patron-02", "/table/baccarat-a"),
    ("dealer", "/dealer/baccarat"),
    ("pit-manager", "/pit"),
    ("auditor", "/audit/table:tiger"),
    (None, "/display/fa-fa-fabulous-4"),
]


def heard_by(page: Page, texts: list[str]) -> None:
    """Keep all that comes to a page: frames of sockets, and answers."""
    page.on(
        "websocket", lambda socket: socket.on("framereceived", lambda f: texts.append(str(f)))
    )

    def answered(response: Any) -> None:  # noqa: ANN401  # of Playwright
        if "/api/" in response.url and "/events" not in response.url:
            texts.append(response.text())

    page.on("requestfinished", lambda request: answered(request.response()))


def test_no_undealt_card_is_in_any_page(browser: Browser, screens: None) -> None:
    del screens
    texts: list[str] = []
    with (
        house(settings=UNLIMITED, stacked=True, deals=True, screens=str(STATIC)) as door,
        ExitStack() as opened,
    ):
        pages = []
        for name, path in WATCHED:
            page = opened.enter_context(somebody(browser, door, name)).new_page()
            heard_by(page, texts)
            page.goto(path)
            page.locator("h1").first.wait_for()
            pages.append(page)
        sit(pages[0])
        sit(pages[1])
        results = "/tables/tiger"
        until(
            lambda: len(door.get(None, results).json()["view"]["results"]) >= ROUNDS, "rounds"
        )
        texts += [page.content() for page in pages]
    canary = re.compile(rf"\b(?:10|[2-9TAJQK]){CANARIES[0]}\b|-{CANARIES[1]}\b")
    assert any("card_exposed" in text for text in texts)
    assert any('"face_down":true' in text for text in texts)
    for text in texts:
        assert canary.search(text) is None, text[:2000]
