"""What holds for every page with something on it, in both languages, at any width."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Error as PlaywrightError

from croupier.rulebooks import RULEBOOKS
from croupier.table.roles import HousePosition, StaffPosition
from tests.floor.serving import Served
from tests.web import pseudo
from tests.web.conftest import SLOW
from tests.web.looking import LARGE, set_from_the_start, somebody
from tests.web.measuring import axe, cut, dye, moving, mute, sideways
from tests.web.pages import NOTE, PAGES, furnish, groups, kind_of, kinds, show
from tests.web.staff import Staff
from tests.web.wording import latin, names_of, said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page


WIDTHS = (640, 360, 320)
"""Twice as large on 1280, a phone, and four times as large on 1280."""
LOOKS = (("en", "dark"), ("zh-Hans", "light"))
"""Each language, and the theme that is looked at wholly; of the other one, the colours."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, screens: None) -> Iterator[Served]:
    """Serve a house with something on every page; other tests find nothing of it."""
    del screens
    served = Served(tmp_path_factory.mktemp("pages"), clocks=SLOW)
    served.start()
    people = Staff(served)
    furnish(people)
    people.hang_up()
    yield served
    assert served.stop() == 0, served.output


def test_every_page_of_the_router_is_looked_at() -> None:
    looked_at = {kind_of(one.path) for one in PAGES}
    assert kinds() <= looked_at
    assert looked_at - kinds() == {"/nowhere", "/pit/*/alarms", "/pit/*/win"} - kinds()


def found_on(page: Page, language: str, theme: str, *, wall: bool) -> Iterator[str]:
    """Look at a page that is shown, in every way."""
    root = page.locator("html")
    assert root.get_attribute("lang") == language
    assert root.get_attribute("data-theme") == theme
    yield from moving(page)
    yield from mute(page)
    yield from axe(page)
    if wall:
        return
    other = "light" if theme == "dark" else "dark"
    dye(page, other)
    yield from (f"{other}: {one}" for one in axe(page, "color-contrast"))
    dye(page, theme)
    yield from cut(page)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 640})
        page.wait_for_timeout(60)
        found = (*sideways(page), *cut(page), *mute(page))
        yield from (f"{width}: {one}" for one in found)


@pytest.mark.parametrize("look", LOOKS, ids=["en", "zh-Hans"])
@pytest.mark.parametrize("who", groups())
def test_a_page_is_for_everybody(
    browser: Browser, house: Served, who: str, look: tuple[str, str]
) -> None:
    language, theme = look
    found: list[str] = []
    pages = groups()[who]
    with somebody(browser, house, pages[0].who, {"viewport": LARGE}) as context:
        set_from_the_start(context, {"language": language, "theme": theme})
        page = context.new_page()
        for shown in pages:
            page.set_viewport_size({"width": 1280, "height": 800})
            try:
                show(page, shown)
            except PlaywrightError as error:
                found.append(f"{shown.name}: {str(error)[:300]}")
                continue
            wall = shown.path.startswith("/display/")
            told = found_on(page, language, theme, wall=wall)
            found += [f"{shown.name}: {one}" for one in told]
    assert found == [], "\n".join(found)


# Longer words


ROOMS = frozenset({"Main floor", "Paiza Club", "Ruby Room"})
MONTHS = {
    *("Jan", "Feb", "Mac", "Mar", "Apr", "Mei", "May", "Jun", "Jul", "Ogo", "Aug"),
    *("Sep", "Okt", "Oct", "Nov", "Dis", "Dec", "PTG", "PG"),
}
"""As dates have them in the language that is replaced."""


def approved() -> set[str]:
    """Return names and labels that stand as the rulebooks have them, beside a translation."""
    games = [game for book in RULEBOOKS for game in book.games]
    rows = [row for game in games for wager in game.wagers for row in wager.rows]
    titles = {book.edition.title for book in RULEBOOKS} | {game.name for game in games}
    titles |= {game.slug.replace("-", " ").title() for game in games} | {"Shou", "Lu", "Fu"}
    return titles | {row.label for row in rows} | {row.pays.text for row in rows}


@pytest.fixture(scope="module")
def names(house: Served) -> set[str]:
    """Return the names that stay as they are, with those of everybody who may sign in."""
    people = Staff(house)
    positions = {one.value for one in (*StaffPosition, *HousePosition)}
    kept = names_of(people) | set(house.logins) | positions | ROOMS | approved() | {NOTE}
    people.hang_up()
    return kept | {one.lower() for one in positions} | pseudo.drawn_words() | MONTHS


def test_the_words_of_the_language_are_marked_and_placeholders_are_kept() -> None:
    assert pseudo.pseudo("Place {cents} on {wager}") == "Ƥĺááçéé {cents} óóñ {wager}"


@pytest.mark.parametrize("who", groups())
def test_longer_words_come_from_catalogues_and_have_room(
    browser: Browser, house: Served, names: set[str], who: str
) -> None:
    found: list[str] = []
    pages = groups()[who]
    with somebody(browser, house, pages[0].who, {"viewport": LARGE}) as context:
        pseudo.speak(context)
        set_from_the_start(context, {"language": pseudo.LANGUAGE})
        page = context.new_page()
        for shown in pages:
            page.set_viewport_size({"width": 1280, "height": 800})
            show(page, shown)
            told = [
                f"is in no catalogue: {one}" for one in latin(said(page, english=False), names)
            ]
            if not shown.path.startswith("/display/"):
                told += cut(page)
                page.set_viewport_size({"width": 360, "height": 640})
                page.wait_for_timeout(60)
                told += [f"360: {one}" for one in (*sideways(page), *cut(page))]
            found += [f"{shown.name}: {one}" for one in told]
    assert found == [], "\n".join(found)
