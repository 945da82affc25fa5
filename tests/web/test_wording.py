"""Every screen speaks its language: no English in Chinese, no names of the wire in English."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.looking import opened, setting, somebody
from tests.web.wording import latin, names_of, said, unworded

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Page

    from tests.floor.serving import Served
    from tests.web.staff import Staff

TABLE, PATRON = "baccarat", "patron-13"
SHEETS = (
    "",
    "/menu",
    "/pays",
    "/roads",
    "/history",
    "/wallet",
    "/verify",
    "/time",
    "/keys",
    "/shared",
)
NOBODY = (
    "/signin",
    "/display",
    f"/display/{TABLE}",
    "/password#none",
    "/setup#none",
    "/nowhere",
)
PIT = (
    *("/pit", "/pit/alarms", "/pit/win", "/pit/discretions", "/pit/banks", "/pit/recall"),
    *(f"/pit/{TABLE}{part}" for part in ("", "/settings", "/referral", "/recall", "/recall/1")),
    *("/pit/reports", "/pit/reports/shoes", "/pit/reports/exceptions"),
    "/pit/power-98",
)
JOURNAL = (
    *("/audit", "/cage", "/audit/cage", "/audit/accounts", f"/audit/table:{TABLE}"),
    *("/audit/reports", "/audit/reports/exceptions"),
    *(f"/audit/table:{TABLE}/rounds", f"/audit/table:{TABLE}/rounds/1"),
)
SILENT = "power-98"
"""A table whose rulebook is silent on irregularities of which others say what is done."""
TOOLS = ".dealer .btn:not(.primary):visible:enabled"
"""What opens something at the console; the primary button does something."""
RECORDS = 12
"""So many records of each stream are opened."""


class Reader:
    """Somebody who walks through screens and reads what they say."""

    def __init__(self, page: Page, language: str, names: set[str]) -> None:
        self._page, self._language, self._names = page, language, names
        self.wrong: dict[str, set[str]] = {}

    def read(self, where: str) -> None:
        """Keep what is said here in the wrong words."""
        self._page.wait_for_timeout(150)
        english = self._language == "en"
        texts = said(self._page, english=english)
        wrong = unworded(texts) if english else latin(texts, self._names)
        seen = set().union(*self.wrong.values()) if self.wrong else set()
        if wrong - seen:
            self.wrong[where] = wrong - seen

    def walk(self, paths: tuple[str, ...]) -> None:
        """Read some screens, and the dialogs that they open."""
        for path in paths:
            self._page.goto(path)
            self._page.locator("h1").first.wait_for()
            self._page.wait_for_timeout(400)
            self.read(path)
            self.open_all(path, "button[aria-haspopup=dialog]")

    def open_all(self, where: str, buttons: str, most: int = 40) -> None:
        """Press buttons that open something, read it, and close it again."""
        for i in range(min(self._page.locator(buttons).count(), most)):
            button = self._page.locator(buttons).nth(i)
            if not (button.is_visible() and button.is_enabled()):
                continue
            name = button.inner_text() or button.get_attribute("aria-label")
            button.click()
            self.read(f"{where}: {name}")
            self._page.keyboard.press("Escape")

    def steps(self, path: str) -> None:
        """Read a finished round, step by step."""
        self._page.goto(path)
        self._page.locator(".tlsteps button").first.wait_for()
        self.open_all(path, ".tlsteps button")


@pytest.fixture(scope="module")
def names(staff: Staff) -> set[str]:
    """Return the names that stay as they are: games, wagers, tables, people, rulebooks."""
    return names_of(staff)


@pytest.fixture(scope="module")
def names_and_people(names: set[str], quiet: Served) -> set[str]:
    """Return the names that stay as they are, with those of everybody who may sign in."""
    return names | set(quiet.logins)


@pytest.fixture(scope="module")
def played(staff: Staff) -> int:
    """Play rounds that leave something to be read everywhere; the number of one void."""
    staff.open_with_paper(TABLE)
    if staff.view(TABLE, PATRON)["own"]["seat"] is None:
        staff.seat(PATRON, TABLE, 4)
    staff.call(TABLE)
    staff.bet(PATRON, TABLE, [("banker", 100_00), ("tie", 50_00)])
    staff.play_out(TABLE)
    staff.call(TABLE)
    staff.bet(PATRON, TABLE, [("player", 100_00)])
    staff.deal(TABLE, "QH", "4S")
    void = staff.view(TABLE)["round"]
    staff.void(TABLE)
    staff.play_out(TABLE)
    return int(void)


def refer(staff: Staff) -> None:
    """Report what a rulebook is silent on: somebody decides, and something is suggested."""
    staff.take_over(SILENT)
    staff.call(SILENT)
    staff.give("dealer", SILENT, "report", about={"situation": "extra_card"})


LANGUAGES = pytest.mark.parametrize("language", ["zh-Hans", "en"])


@pytest.fixture
def reading(
    browser: Browser, quiet: Served, names_and_people: set[str], played: int
) -> Callable[..., None]:
    """Return how somebody reads: a function that gets a reader of a page."""
    del played

    def read(name: str | None, language: str, walk: Callable[[Reader, Page], None]) -> None:
        with somebody(browser, quiet, name) as context:
            page = opened(context, "/signin" if name is None else "/")
            setting(page, {"language": language})
            reader = Reader(page, language, names_and_people)
            walk(reader, page)
        told = [f"{where}: {text}" for where, some in reader.wrong.items() for text in some]
        assert told == [], "\n".join(told)

    return read


@LANGUAGES
def test_the_door_and_displays(reading: Callable[..., None], language: str) -> None:
    reading(None, language, lambda reader, _: reader.walk(NOBODY))


@LANGUAGES
def test_lobby_and_terminal(reading: Callable[..., None], staff: Staff, language: str) -> None:
    def walk(reader: Reader, page: Page) -> None:
        reader.walk(("/lobby", "/tables"))
        staff.call(TABLE)
        staff.bet(PATRON, TABLE, [("banker", 200_00), ("player-pair", 50_00)])
        reader.walk(tuple(f"/table/{TABLE}{sheet}" for sheet in SHEETS))
        page.goto(f"/table/{TABLE}/history")
        page.locator(".sheet button[aria-expanded=false]").first.click()
        reader.read("a round of one's own")
        staff.deal(TABLE, "QH", "4S")
        page.goto(f"/table/{TABLE}")
        reader.read("cards are dealt")
        staff.report(TABLE, "power_failure")
        page.wait_for_timeout(800)
        reader.read("stakes may be taken back")
        staff.void(TABLE)
        page.wait_for_timeout(800)
        reader.read("the round is void")
        reader.walk(("/table/tiger", "/table/power-98", "/table/fa-fa-fabulous-4/pays"))

    reading(PATRON, language, walk)


@LANGUAGES
def test_the_dealer_console(reading: Callable[..., None], staff: Staff, language: str) -> None:
    def walk(reader: Reader, page: Page) -> None:
        reader.walk(("/dealer", "/dealer/power-98"))
        staff.call(TABLE)
        staff.bet(PATRON, TABLE, [("banker", 200_00), ("player-pair", 50_00)])
        reader.walk((f"/dealer/{TABLE}",))
        staff.deal(TABLE, "QH", "4S")
        page.wait_for_timeout(500)
        reader.read("cards are dealt")
        for tool in page.locator(TOOLS).all()[-12:]:
            tool.click(force=True)  # what is off says why
            page.wait_for_timeout(150)
            reader.read(f"a tool: {tool.inner_text() if tool.is_visible() else ''}")
            reader.open_all("commands", ".dlg .btn:not(.quiet)", 60)
            # A report that was begun would be found again.
            page.evaluate("sessionStorage.clear()")
            page.goto(f"/dealer/{TABLE}")
            page.locator(".dealer .btn").first.wait_for()
        staff.report(TABLE, "power_failure")
        page.wait_for_timeout(500)
        reader.read("the round is held")
        staff.void(TABLE)
        page.wait_for_timeout(500)
        reader.read("the round is void")
        staff.play_out(TABLE)
        page.wait_for_timeout(500)
        reader.read("between rounds")
        refer(staff)
        reader.walk((f"/dealer/{SILENT}",))
        assert page.locator(".tip.brass").count() > 0, "nothing is suggested"
        staff.void(SILENT)

    reading("dealer", language, walk)


@LANGUAGES
def test_the_pit(
    reading: Callable[..., None], staff: Staff, played: int, language: str
) -> None:
    def walk(reader: Reader, page: Page) -> None:
        reader.walk(PIT)
        reader.steps(f"/pit/{TABLE}/recall/{played}")
        staff.call(TABLE)
        staff.bet(PATRON, TABLE, [("banker", 200_00)])
        staff.deal(TABLE, "QH", "4S")
        staff.give("dealer", TABLE, "report", about={"situation": "other"}, note="…")
        reader.walk(("/pit", f"/pit/{TABLE}", f"/pit/{TABLE}/referral"))
        page.goto(f"/pit/{TABLE}")
        page.wait_for_timeout(600)
        reader.open_all("acts", ".acts .btn, .may .btn", 40)
        staff.void(TABLE)
        refer(staff)
        reader.walk((f"/pit/{SILENT}/referral",))
        assert page.locator(".deciding .tip.brass").count() == 1, "nothing is suggested"
        staff.void(SILENT)

    reading("pit-manager", language, walk)


@LANGUAGES
def test_cage_and_audit(reading: Callable[..., None], played: int, language: str) -> None:
    def walk_cage(reader: Reader, page: Page) -> None:
        reader.walk(("/cage",))
        reader.open_all("orders", "main .btn")
        del page

    def walk_journal(reader: Reader, page: Page) -> None:
        reader.walk(JOURNAL)
        reader.steps(f"/audit/table:{TABLE}/rounds/{played}")
        for stream in ("cage", "accounts", f"table:{TABLE}"):
            page.goto(f"/audit/{stream}")
            page.locator(".linkb").first.wait_for()
            reader.open_all(f"records of {stream}", ".linkb", RECORDS)

    reading("cashier", language, walk_cage)
    reading("auditor", language, walk_journal)
