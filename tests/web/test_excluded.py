"""Patrons who exclude themselves: chosen in the sheet of time, and told wherever they look."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from croupier.accounts.decide import OWN_EXCLUSION_MIN
from tests.floor.serving import Served
from tests.web.conftest import SLOW
from tests.web.keyboard import chosen, gone_to, has_focus
from tests.web.looking import listen, opened, somebody
from tests.web.pages import SOURCES
from tests.web.playing import spot, view
from tests.web.staff import Staff
from tools.people import until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Locator, Page


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, screens: None) -> Iterator[Served]:
    """Serve a house of their own: who is excluded in a shared one is so for every test."""
    del screens
    served = Served(tmp_path_factory.mktemp("excluded"), clocks=SLOW)
    served.start()
    yield served
    assert served.stop() == 0, served.output


@pytest.fixture(scope="module")
def people(house: Served) -> Iterator[Staff]:
    """Let people of that house act over HTTP."""
    staff = Staff(house)
    yield staff
    staff.hang_up()


MOMENT = r"\d{1,2}\s\w{3,4}\s\d{4}\s\d{2}:\d{2}"
TOLD = re.compile(rf"excluded from play since {MOMENT}, until {MOMENT}\. No seat and no stake")
BREAK = "How long a break do you want?"
EXCLUDES = "/api/v1/accounts/commands"


def dialog(page: Page, name: str) -> Locator:
    """Return the dialog that asks something."""
    return page.get_by_role("dialog", name=name)


def asked_for_a_break(page: Page) -> Locator:
    """Open the dialog of breaks by its button in the sheet, with keys."""
    chosen(page, page.get_by_role("button", name="Take a break"))
    asked = dialog(page, BREAK)
    asked.wait_for()
    return asked


def asked_for_a_day(page: Page) -> Locator:
    """Choose a day in the dialog of breaks, with keys; return the question that follows."""
    asked = asked_for_a_break(page)
    leave = asked.get_by_role("radio", name="Leave for now")
    gone_to(page, leave)
    assert leave.get_attribute("aria-checked") == "true", "nothing is decided yet"
    page.keyboard.press("ArrowDown")
    day = asked.get_by_role("radio", name="24 hours")
    day.and_(page.locator("[aria-checked=true]")).wait_for()
    assert has_focus(day)
    chosen(page, asked.get_by_role("button", name="Exclude me for 24 hours"))
    sure = dialog(page, "Exclude yourself for 24 hours?")
    sure.wait_for()
    return sure


def told_in(page: Page, place: str) -> None:
    """Wait until a page says since and until when its patron is excluded."""
    page.locator(place).get_by_text(TOLD).wait_for()


def moments(page: Page, place: str) -> list[datetime]:
    """Return since and until when a page says that its patron is excluded."""
    text = page.locator(place).inner_text()
    found = re.findall(MOMENT, text)
    return [datetime.strptime(one.replace("Sept", "Sep"), "%d %b %Y %H:%M") for one in found]  # noqa: DTZ007  # both of the house


def test_a_patron_excludes_themselves_for_a_day_by_keys(
    browser: Browser, house: Served
) -> None:
    note = ".sheet [data-barred=excluded]"
    with somebody(browser, house, "patron-17") as context:
        page, other = opened(context, "/table/tiger/time"), opened(context, "/lobby")
        sent: list[str] = []
        page.on("request", lambda one: sent.append(one.url) if EXCLUDES in one.url else None)
        page.bring_to_front()
        sure = asked_for_a_day(page)
        sure.get_by_text("You cannot shorten or lift it yourself.").wait_for()
        sure.get_by_text("Stakes in play stand").wait_for()
        # Esc goes back, one question at a time, and decides nothing.
        page.keyboard.press("Escape")
        asked = dialog(page, BREAK)
        asked.get_by_role("radio", name="24 hours", checked=True).wait_for()
        heading = asked.get_by_role("heading")
        until(lambda: has_focus(heading), "the focus did not come to the first question")
        page.keyboard.press("Escape")
        asked.wait_for(state="detached")
        opener = page.get_by_role("button", name="Take a break")
        until(lambda: has_focus(opener), "the focus did not go back")
        assert sent == []
        sure = asked_for_a_day(page)
        chosen(page, sure.get_by_role("button", name="Yes, exclude me for 24 hours"))
        sure.wait_for(state="detached")
        told_in(page, note)
        told_in(other, "[data-barred=excluded]")
        assert len(sent) == 1
        since, end = moments(page, note)
        assert end - since == timedelta(days=1)
        page.reload()
        told_in(page, note)


def test_every_page_says_what_is_left_to_whoever_is_excluded(
    browser: Browser, house: Served, people: Staff
) -> None:
    table, patron = "baccarat", "patron-19"
    people.open_with_paper(table)
    people.seat(patron, table, 6, 500_00)
    people.call(table)
    people.bet(patron, table, [("player", 100_00)])
    with somebody(browser, house, patron) as context:
        page, lobby = opened(context, f"/table/{table}"), opened(context, "/lobby")
        several = opened(context, "/tables")
        spot(page, "Player").and_(page.locator(":not(.off)")).wait_for()
        several.locator(".msp [aria-disabled=false]").first.wait_for()
        heard = listen(page)
        end = (datetime.now(UTC) + timedelta(days=1)).isoformat()
        people.give(patron, "accounts", "exclude_patron", until=end)
        told_in(page, ".msg .hint")
        page.locator(".msg .hint").get_by_text("Accepted: 100.00.").wait_for()
        until(lambda: any(map(TOLD.search, heard())), "nobody hears of it")
        told_in(lobby, "[data-barred=excluded]")
        told_in(several, "[data-barred=excluded]")
        # The stake stands, and nothing more is offered.
        spot(page, "Player").and_(page.locator(".off")).click(force=True)
        assert view(context, table)["own"]["in_play_cents"] == 100_00
        assert several.locator(".msp [aria-disabled=false]").count() == 0
        assert lobby.get_by_role("link", name="Take a seat").count() == 0
        assert lobby.get_by_role("link", name="Watch").count() > 0
        # The round is played on; then the money is taken out.
        people.play_out(table)
        lobby.locator("[data-barred=excluded]").get_by_role("link", name="Your money").click()
        money = lobby.get_by_role("region", name="Your money")
        move = money.get_by_role("button", name=re.compile("^Move .* to the wallet"))
        move.click()
        move.wait_for(state="detached")
        money.get_by_label("Cash out from the wallet").fill("50")
        money.get_by_role("button", name="Make a ticket for 50.00").click()
        money.get_by_role("button", name="Yes, make it for 50.00").click()
        money.get_by_text("The validation is shown once. Keep it.").wait_for()
        tickets = context.request.get("/api/v1/me/tickets").json()
        assert [one["cents"] for one in tickets] == [50_00]


@pytest.mark.parametrize("language", ["en", "zh-Hans", "ms", "ta"])
def test_the_earliest_lifting_is_that_of_the_house(language: str) -> None:
    catalogue = SOURCES / "i18n" / language / "breaks.json"
    words = json.loads(catalogue.read_text(encoding="utf-8"))
    assert re.findall(r"\d+", words["never"]) == [str(OWN_EXCLUSION_MIN.days)]
