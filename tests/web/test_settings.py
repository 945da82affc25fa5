"""What a person sets for this browser: the private squeeze, the left hand, the size of text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.floor.serving import Served
from tests.web.looking import opened, somebody
from tests.web.playing import finished, open_bets, sit, spot, view
from tools.people import until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Locator, Page, WebSocket


TABLE = "super-six"


def box(one: Locator) -> dict[str, Any]:
    """Return where something is."""
    found = one.bounding_box()
    assert found is not None
    return dict(found)


def left(one: Locator) -> float:
    """Return where something begins."""
    x: float = box(one)["x"]
    return x


@pytest.fixture
def unhurried(tmp_path: Path, screens: None) -> Iterator[Served]:
    """Serve a house whose cards come slowly enough to be squeezed."""
    del screens
    served = Served(tmp_path, clocks=("--betting", "5", "--pause", "1", "--pace", "2"))
    served.start()
    yield served
    assert served.stop() == 0, served.output


def test_a_private_squeeze_hides_cards_from_these_eyes_alone_and_delays_nothing(
    browser: Browser, unhurried: Served
) -> None:
    with somebody(browser, unhurried, "patron-19") as context:
        other = opened(context, f"/table/{TABLE}")
        sit(other, 12)
        page = context.new_page()
        sent: list[str] = []

        def listens(socket: WebSocket) -> None:
            socket.on("framesent", lambda text: sent.append(str(text)))

        page.on("websocket", listens)
        page.goto(f"/table/{TABLE}")
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("switch", name="Squeeze my last cards").click()
        page.get_by_role("button", name="Close").click()
        for skips in (False, True):
            number = open_bets(context, TABLE, 3)
            page.get_by_role("radio", name="Chip of 100", exact=True).click()
            spot(page, "Player").click()
            page.get_by_role("button", name="Confirm").click()
            until(lambda: view(context, TABLE)["own"]["stakes"], "the stake is accepted")
            skip = page.get_by_role("button", name="Skip")
            skip.wait_for()
            sent.clear()
            # The table knows the card, and so does the other tab; only here it is face down.
            other.locator(".hands .hand.p .total").filter(has_text=re.compile(r"\d")).wait_for()
            if skips:
                skip.click()
                skip.wait_for(state="detached")
                assert view(context, TABLE)["phase"] == "DEALING", "nobody waited"
            else:
                page.get_by_role("slider", name="Lift the edge").fill("40")
                page.locator(".hold .squeezed svg").wait_for()
            # Whoever does neither more nor less holds up nothing.
            done = finished(context, TABLE, number)
            skip.wait_for(state="detached")
            for tab in (page, other):
                total = tab.locator(".hands .hand.p .total")
                total.filter(has_text=str(done["player"])).wait_for()
            assert [text for text in sent if "command" in text] == []


def pressed_setting(page: Page, role: Any, name: str) -> None:  # noqa: ANN401  # a role of Playwright
    """Set something in the settings, and close them."""
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("dialog").get_by_role(role, name=name).click()
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")


def test_the_left_hand_has_controls_mirrored_but_never_the_sides(
    browser: Browser, floor: Served
) -> None:
    with somebody(browser, floor, "patron-18") as context:
        page = opened(context, f"/table/{TABLE}")
        sit(page, 11)
        rail, felt = page.locator(".rail"), page.get_by_role("main", name="Table")
        money = page.get_by_role("button", name="Your money").last
        confirm = page.locator(".foot .btn.primary")
        for mirrored in (False, True, False):
            assert (left(rail) < left(felt)) is mirrored
            assert (left(confirm) < left(money)) is mirrored
            assert left(spot(page, "Player")) < left(spot(page, "Banker"))
            hands = page.get_by_role("group", name="Hands")
            player = hands.get_by_role("region", name="Player")
            assert left(player) < left(hands.get_by_role("region", name="Banker"))
            page.reload()
            money.wait_for()
            assert (left(rail) < left(felt)) is mirrored, "it is kept"
            pressed_setting(page, "switch", "Controls for the left hand")


def test_the_size_of_text_is_set_and_kept(browser: Browser, floor: Served) -> None:
    with somebody(browser, floor, "patron-18") as context:
        page = opened(context, "/lobby")
        size = "getComputedStyle(document.querySelector('h1')).fontSize"
        heights = []
        for percent in (100, 112, 125):
            pressed_setting(page, "radio", f"{percent} %")
            page.reload()
            page.locator("[data-tile]").first.wait_for()
            heights.append(float(page.evaluate(size).removesuffix("px")))
            width = page.evaluate("document.documentElement.scrollWidth")
            assert width <= page.evaluate("innerWidth"), percent
        assert heights[0] * 1.12 - 0.1 < heights[1] < heights[0] * 1.12 + 0.1
        assert heights[0] * 1.25 - 0.1 < heights[2] < heights[0] * 1.25 + 0.1
