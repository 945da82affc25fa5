"""Every kind of withdrawal option: reported at the console, seen and answered at a terminal."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.web.dealing import guided
from tests.web.looking import opened, somebody
from tests.web.playing import view
from tools.people import until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

    from tests.floor.serving import Served
    from tests.web.staff import Staff

TABLE, PATRON = "baccarat", "patron-01"
STAKES = (("player", 100_00), ("player-pair", 50_00))
CARDS = ("QH", "4S", "3D", "JC")
"""Player has 3 and draws."""


class Kind(NamedTuple):
    """A kind of option: what is reported when, by which clause it is offered, and of what."""

    situation: str
    cards: int
    answers: tuple[str, ...]
    ruling: str
    clause: str
    of: tuple[str, ...]


ALL = Kind(
    "Power failed", 2, (), "all wagers, or none", "BAC8 5.17.1", ("Player", "Player Pair")
)
ANY = Kind("Reset needed", 2, (), "any wager", "BAC8 5.9", ("Player", "Player Pair"))
UNDECIDED = Kind(
    "Came together", 4, ("2", "Yes"), "any undecided wager", "BAC8 5.8.1", ("Player",)
)
REMAINING = Kind(
    "Came together", 4, ("2", "No"), "all remaining wagers, or none", "BAC8 5.8.2.2",
    ("Player",),
)  # fmt: skip


def dealt(staff: Staff, cards: int) -> None:
    """Deal a round in which the patron has stakes; after four cards no pair has come."""
    staff.call(TABLE)
    staff.bet(PATRON, TABLE, STAKES)
    staff.deal(TABLE, *CARDS[:cards])


def reported(dealer: Page, kind: Kind) -> None:
    """Report by the guided report; its ruling is shown before it is sent."""
    guided(dealer, kind.situation, *kind.answers)
    ruling = dealer.get_by_role("list", name="What the rulebook does")
    ruling.get_by_text(f"Patrons may withdraw {kind.ruling}").wait_for()
    dealer.get_by_role("button", name="Send report").click()
    dealer.get_by_text("Pit Supervisor confirms the report").first.wait_for()


@contextmanager
def offered(
    browser: Browser, house: Served, staff: Staff, kind: Kind
) -> Iterator[tuple[BrowserContext, Page, Page]]:
    """Bring a round to the option: the patron's browser and page, and the Dealer's page."""
    staff.open_with_paper(TABLE)
    if staff.view(TABLE, PATRON)["own"]["seat"] is None:
        staff.seat(PATRON, TABLE, 1)
    dealt(staff, kind.cards)
    with (
        somebody(browser, house, PATRON) as context,
        somebody(browser, house, "dealer") as at_console,
    ):
        page = opened(context, f"/table/{TABLE}")
        dealer = opened(at_console, f"/dealer/{TABLE}")
        reported(dealer, kind)
        staff.give("pit-supervisor", TABLE, "confirm_report", reason="as reported")
        if kind is REMAINING:
            staff.give("pit-manager", TABLE, "set_order", second="pit-supervisor", order=[0, 1])
        page.get_by_text(kind.clause).first.wait_for()
        yield context, page, dealer
        end(dealer)
    recover(staff)


def end(dealer: Page) -> None:
    """Let the Dealer end the option that everybody has answered."""
    button = dealer.get_by_role("button", name="End the option")
    button.click()
    button.wait_for(state="detached")


def recover(staff: Staff) -> None:
    """Let the round go to its end."""
    if (staff.view(TABLE)["hold"] or {}).get("kind") == "reset":
        staff.give("pit-manager", TABLE, "reset_device", second="pit-supervisor")
    staff.play_out(TABLE)


def credit(context: BrowserContext) -> int:
    cents: int = view(context, TABLE)["own"]["credit_cents"]
    return cents


@pytest.mark.parametrize("kind", [ALL, REMAINING], ids=["all", "remaining"])
@pytest.mark.parametrize("takes", [True, False], ids=["withdraws", "plays-on"])
def test_all_or_none(
    browser: Browser, quiet: Served, staff: Staff, kind: Kind, *, takes: bool
) -> None:
    with offered(browser, quiet, staff, kind) as (context, page, _):
        before = credit(context)
        asked = page.get_by_role("region", name="Take back all")
        for wager in kind.of:
            asked.get_by_role("cell", name=wager, exact=True).wait_for()
        of = 150_00 if kind is ALL else 100_00
        assert asked.locator("tfoot").inner_text().split()[-1] == f"{of / 100:.2f}"
        answer = "Take back all" if takes else "Play on"
        asked.get_by_role("radio", name=answer).click()
        asked.get_by_role("button", name=answer).click()
        asked.wait_for(state="detached")
        until(lambda: view(context, TABLE)["own"]["withdrew"] is takes, "the answer")
        assert credit(context) == before + (of if takes else 0)


@pytest.mark.parametrize("kind", [ANY, UNDECIDED], ids=["any", "undecided"])
def test_one_of_several(browser: Browser, quiet: Served, staff: Staff, kind: Kind) -> None:
    with offered(browser, quiet, staff, kind) as (context, page, _):
        before = credit(context)
        asked = page.get_by_role("region", name="Which stakes do you take back?")
        boxes = asked.get_by_role("checkbox")
        assert boxes.count() == 2
        free = asked.locator("[role=checkbox]:not([aria-disabled=true]) b").all_inner_texts()
        assert free == list(kind.of)
        boxes.filter(has_text="Player").first.click()
        asked.get_by_role("button", name="Take back 100.00").click()
        asked.wait_for(state="detached")
        until(lambda: view(context, TABLE)["own"]["withdrew"], "the answer")
        assert credit(context) == before + 100_00
        left = [one["wager"] for one in view(context, TABLE)["own"]["stakes"]]
        assert left == ["player-pair"]


def test_who_keeps_all_plays_on(browser: Browser, quiet: Served, staff: Staff) -> None:
    with offered(browser, quiet, staff, ANY) as (context, page, _):
        before = credit(context)
        asked = page.get_by_role("region", name="Which stakes do you take back?")
        asked.get_by_role("button", name="Keep all").click()
        asked.wait_for(state="detached")
        assert view(context, TABLE)["own"]["withdrew"] is False
        assert credit(context) == before


def test_the_question_is_asked_again_after_a_reload_and_answered_in_one_tab(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    with offered(browser, quiet, staff, ALL) as (context, page, _):
        page.reload()
        other = opened(context, f"/table/{TABLE}")
        questions = [tab.get_by_role("region", name="Take back all") for tab in (page, other)]
        for asked in questions:
            asked.wait_for()
        questions[1].get_by_role("radio", name="Play on").click()
        questions[1].get_by_role("button", name="Play on").click()
        for asked in questions:
            asked.wait_for(state="detached")
        assert view(context, TABLE)["own"]["withdrew"] is False


def test_who_took_everything_back_finds_the_round_again(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    with offered(browser, quiet, staff, ALL) as (context, page, _):
        number = view(context, TABLE)["round"]
        asked = page.get_by_role("region", name="Take back all")
        asked.get_by_role("radio", name="Take back all").click()
        asked.get_by_role("button", name="Take back all").click()
        asked.wait_for(state="detached")
    with somebody(browser, quiet, PATRON) as context:
        page = opened(context, f"/table/{TABLE}/history")
        page.get_by_role("button", name=f"Round {number} ").click()
        shown = page.locator("dt", has_text="Taken back").locator("+ dd")
        assert shown.inner_text() == "150.00"
