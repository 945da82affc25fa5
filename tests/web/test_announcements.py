"""What a screen reader hears of a round: each call once, last seconds, result and refusal."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from tests.floor.serving import serving
from tests.web.looking import opened, set_from_the_start, somebody
from tests.web.pages import SOURCES
from tests.web.staff import Staff
from tools.people import until

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

TABLE = "tiger"
CLOCKS = ("--betting", "12", "--pause", "3", "--pace", "0.3", "--answer", "1")
"""Bets are open for longer than the ten seconds that are said."""
HEARD = """
window.heard = [];
new MutationObserver(changes => {
  for (const {target, addedNodes} of changes) {
    const regions = "[aria-live=polite], [aria-live=assertive]";
    const live = target.nodeType === 1 ? target.closest(regions) : null;
    if (live !== null && live.textContent.trim() !== "") heard.push(live.textContent.trim());
    for (const one of addedNodes) {
      if (one.nodeType !== 1) continue;
      const alert = one.closest("[role=alert]") ?? one.querySelector("[role=alert]");
      if (alert !== null) heard.push("alert: " + alert.textContent.trim());
    }
  }
}).observe(document, {subtree: true, childList: true});
"""
"""Keep what is said in the live regions, and what is shown as an alert."""


def heard(page: Page) -> list[str]:
    """Return what a screen reader has heard."""
    found: list[str] = page.evaluate("window.heard")
    return found


def of_a_round(page: Page, words: dict[str, str]) -> list[str]:
    """Return what was heard from the first call that is heard whole to the next one."""
    said = heard(page)
    calls = [i for i, text in enumerate(said) if text == words["openBets"]]
    return said[calls[-2] : calls[-1]] if len(calls) > 2 else []


def words_of(language: str, of: str = "terminal") -> dict[str, str]:
    """Return the words of a catalogue, such as that of the terminal."""
    catalogue = SOURCES / "i18n" / language / f"{of}.json"
    found: dict[str, str] = json.loads(catalogue.read_text(encoding="utf-8"))
    return found


@pytest.mark.usefixtures("screens")
def test_each_call_of_a_round_is_said_once(browser: Browser, tmp_path: Path) -> None:
    with (
        serving(tmp_path, clocks=CLOCKS) as house,
        somebody(browser, house, "patron-01") as english,
        somebody(browser, house, "patron-02") as chinese,
    ):
        people = Staff(house)
        pages = {}
        for number, (language, context) in enumerate(
            (("en", english), ("zh-Hans", chinese)), 1
        ):
            people.seat(f"patron-0{number}", TABLE, number)
            set_from_the_start(context, {"language": language})
            context.add_init_script(HEARD)
            pages[language] = opened(context, f"/table/{TABLE}")
        people.hang_up()
        for language, page in pages.items():
            words = words_of(language)
            refused(page)
            said = until(lambda: listened(page, words), "a whole round is heard")  # noqa: B023
            ten, five = (
                words_of(language, "common")["seconds"].replace("{n}", n) for n in ("10", "5")
            )
            last = f"{words['lastBets']}, {five}"
            expected = [words["openBets"], ten, last, words["noMoreBets"]]
            for text in expected:
                assert said.count(text) == 1, (language, text, said)
            assert sorted(expected, key=said.index) == expected, said
            outcome = results(page, words)
            assert len([text for text in said if text in outcome]) == 1, (said, outcome)


def listened(page: Page, words: dict[str, str]) -> list[str]:
    page.wait_for_timeout(200)
    return of_a_round(page, words)


def results(page: Page, words: dict[str, str]) -> set[str]:
    """Return what was heard of how rounds ended: by a tie, or by points over points."""
    ended = [
        re.sub(r"\\{\w+\\}", ".+", re.escape(text))
        for name, text in words.items()
        if name.startswith("result")
    ]
    return {text for text in heard(page) if any(re.fullmatch(one, text) for one in ended)}


def refused(page: Page) -> None:
    """Stake more than there is, until the page says that it cannot be; once, and at once."""
    page.locator('[data-state="openBets"]').wait_for()
    page.locator(".tray [role=radio]:enabled").last.click()
    spot = page.locator(".spots button").first
    for _ in range(40):
        spot.click()
        if page.locator(".msg [role=alert]").count():
            break
    alerts = [text for text in heard(page) if text.startswith("alert: ")]
    assert len(alerts) == 1, alerts
