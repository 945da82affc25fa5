"""Work done by keyboard alone, and lists of keys that are true."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.web.dealing import dealt
from tests.web.keyboard import (
    chosen,
    goes_to_spot,
    gone_to,
    has_focus,
    lies,
    moved,
    pressed,
    signed_in,
    written,
)
from tests.web.looking import PHONE, opened, setting, somebody
from tests.web.playing import finished, sit, spot
from tools.people import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

    from tests.floor.serving import Served
    from tests.web.staff import Staff

ALWAYS = {"F6", "?", "Esc"}
TILES = {"←", "↑", "→", "↓", "Enter"}
BETS = TILES | {"Del", *"PBTZXRDC"}
LISTS = [
    ("patron-20", "/lobby", ALWAYS | TILES),
    ("pit-manager", "/pit", ALWAYS | TILES | {"A", "/"}),
    ("pit-manager", "/pit/alarms", ALWAYS | {"A"}),
    ("pit-manager", "/pit/recall", ALWAYS),
    ("cashier", "/cage", ALWAYS),
    ("auditor", "/audit", ALWAYS),
    ("administrator", "/house", ALWAYS),
    ("dealer", "/dealer", ALWAYS),
    (None, "/display", {"?", "Esc"}),
]


def listed(page: Page) -> set[str]:
    """Open the list of keys, read it and close it."""
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    keys.wait_for()
    found = set(keys.locator("kbd").all_inner_texts())
    holds = "one => one.contains(document.activeElement)"
    until(lambda: keys.evaluate(holds), "the list has the focus")
    pressed(page, "Escape")
    keys.wait_for(state="detached")
    return found


@pytest.mark.parametrize(("name", "path", "keys"), LISTS, ids=[path for _, path, _ in LISTS])
def test_the_list_of_keys_is_what_works(
    browser: Browser, quiet: Served, name: str | None, path: str, keys: set[str]
) -> None:
    with somebody(browser, quiet, name) as context:
        page = opened(context, path)
        assert listed(page) == keys
        if "F6" in keys:
            regions = page.locator("[data-region]")
            for number in (0, 1, 0) if regions.count() == 2 else (0, 1, 2):
                pressed(page, "F6")
                assert has_focus(regions.nth(number))
        if "/" in keys:
            pressed(page, "/")
            assert has_focus(page.get_by_role("searchbox", name="Find a table"))
            page.keyboard.type("/")
            assert page.get_by_role("searchbox").input_value() == "/"


def test_arrows_move_between_tables_and_enter_opens_one(
    browser: Browser, quiet: Served
) -> None:
    for who, path in (("patron-20", "/lobby"), ("pit-manager", "/pit")):
        with somebody(browser, quiet, who) as context:
            page = opened(context, path)
            tiles = page.locator("[data-tile]")
            gone_to(page, tiles.first.locator("a").first)
            for key, number in (("ArrowRight", 1), ("ArrowLeft", 0)):
                pressed(page, key)
                assert has_focus(tiles.nth(number).locator("a").first), key
            pressed(page, "ArrowDown")
            below = page.locator("[data-tile]:focus-within")
            name = below.get_attribute("data-tile")
            assert name != tiles.first.get_attribute("data-tile")
            page.keyboard.press("Enter")
            page.wait_for_url(re.compile(f"/{name}$"))


def test_single_keys_can_be_switched_off(browser: Browser, quiet: Served) -> None:
    with somebody(browser, quiet, "patron-20") as context:
        page = opened(context, "/table/fortune-six")
        sit(page, 3)
        # The credit comes after the seat.
        page.get_by_role("radio", name="Chip of 25", exact=True, disabled=False).wait_for()
        pressed(page, "2", "p")
        assert spot(page, "Player").get_attribute("data-state") == "unsent"
        chosen(page, page.get_by_role("button", name="Settings"))
        switch = page.get_by_role("switch", name="Shortcuts with a single key")
        chosen(page, switch, "Space")
        assert switch.get_attribute("aria-checked") == "false"
        pressed(page, "Escape")
        page.get_by_role("dialog").wait_for(state="detached")
        pressed(page, "z", "x", "b", "t", "d", "?", "a")
        assert spot(page, "Player").get_attribute("data-state") == "unsent"
        assert page.locator("[data-state=unsent]").count() == 1
        assert page.locator(".sheet").count() == 0
        gone_to(page, page.get_by_role("main", name="Table"), "F6")
        pressed(page, "Tab", "Delete")  # keys that are no letters go on
        assert page.locator("[data-state=unsent]").count() == 1
        page.reload()
        spot(page, "Player").and_(page.locator("[data-state=unsent]")).wait_for()
        pressed(page, "x")
        assert spot(page, "Player").get_attribute("data-state") == "unsent"
        setting(page, {"keys": True})
        spot(page, "Player").and_(page.locator("[data-state=unsent]")).wait_for()
        pressed(page, "x")
        page.locator("[data-state=unsent]").wait_for(state="detached")


def test_every_key_of_a_terminal_does_what_it_says(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    table, patron = "super-6", "patron-20"
    staff.seat(patron, table, 9)
    with somebody(browser, quiet, patron) as context:
        page = opened(context, f"/table/{table}")
        spot(page, "Player").wait_for()
        puts_chips_down(page)
        opens_and_closes(page)
        pressed(page, "?")
        keys = page.get_by_role("region", name="Keys and rules").locator("kbd")
        assert set(keys.all_inner_texts()) == ALWAYS | BETS | {"A", "1\u20137"}
        pressed(page, "Escape", "3", "b")
        goes_to_spot(page, "banker", "ArrowRight")
        side = moved(page, "ArrowUp")
        pressed(page, "Enter", "c")
        staked = {"banker": 100_00, side: 100_00}
        until(lambda: stakes_of(staff, table, patron) == staked, "two stakes are accepted")
        pressed(page, "x")
        until(lambda: stakes_of(staff, table, patron) == {}, "they are taken back")
        lies(page)  # the page hears of it a moment later
        # It lay in no round: Repeat says so, and Undo has it.
        pressed(page, "r")
        page.get_by_text("Repeat is not possible now.").wait_for()
        pressed(page, "z")
        lies(page, **{"banker": "unsent 100", side: "unsent 100"})
        chosen(page, page.get_by_role("button", name="Confirm"))
        until(lambda: stakes_of(staff, table, patron) == staked, "they are accepted again")
        pressed(page, "x")
        until(lambda: stakes_of(staff, table, patron) == {}, "they are taken back")
    staff.give(patron, table, "leave_seat")


def stakes_of(staff: Staff, table: str, patron: str) -> dict[str, int]:
    """Return what the house has accepted of a patron."""
    return {one["wager"]: one["cents"] for one in staff.view(table, patron)["own"]["stakes"]}


def puts_chips_down(page: Page) -> None:
    """Press every key that changes the slip; nothing stays."""
    chips = page.get_by_role("radiogroup", name="Chip", exact=True).get_by_role("radio")
    assert chips.count() >= 5
    for place in range(chips.count()):
        pressed(page, str(place + 1))
        assert chips.nth(place).get_attribute("aria-checked") == "true"
    pressed(page, "3", "p", "b", "t")
    lies(page, player="unsent 100", banker="unsent 100", tie="unsent 100")
    pressed(page, "z")
    lies(page, player="unsent 100", banker="unsent 100")
    pressed(page, "d")
    lies(page, player="unsent 200", banker="unsent 200")
    goes_to_spot(page, "player", "ArrowLeft")
    pressed(page, "Delete")
    lies(page, banker="unsent 200")
    pressed(page, "Space", "Enter")
    lies(page, player="unsent 200", banker="unsent 200")
    pressed(page, "x")
    lies(page)


def opens_and_closes(page: Page) -> None:
    """Open what a key opens, and close it: a sheet has the focus, and gives it back."""
    for key, sheet in (("?", "Keys and rules"), ("a", "Call an attendant")):
        pressed(page, key)
        page.get_by_role("region", name=sheet).wait_for()
        pressed(page, "Escape")
        page.get_by_role("region", name=sheet).wait_for(state="detached")


def test_a_dialog_owns_the_keys_wherever_a_click_leaves_the_focus(
    browser: Browser, quiet: Served
) -> None:
    with somebody(browser, quiet, "patron-13") as context:
        page = opened(context, "/table/fortune-six")
        sit(page, 5)
        page.get_by_role("radio", name="Chip of 25", exact=True, disabled=False).wait_for()
        pressed(page, "2")
        page.get_by_role("button", name="Settings").click()
        dialog = page.get_by_role("dialog", name="Settings")
        for place in (dialog.get_by_text("patron-13"), page.locator(".scrim")):
            place.click(position={"x": 4, "y": 4})
            assert page.locator("[role=dialog] button:focus").count() == 0
            pressed(page, "p", "b", "t", "d", "c", "?", "a")
            assert page.locator("[data-state=unsent]").count() == 0
            assert page.locator(".sheet").count() == 0
            page.keyboard.press("Tab")
            holds = "one => one.contains(document.activeElement)"
            until(partial(dialog.evaluate, holds), "the dialog has the focus again")
        page.locator(".scrim").click(position={"x": 4, "y": 4})
        page.keyboard.press("Escape")
        dialog.wait_for(state="detached")
        pressed(page, "p")
        lies(page, player="unsent 25")
        pressed(page, "x")
        lies(page)


def test_another_language_leaves_the_focus_in_the_dialog_over_a_sheet(
    browser: Browser, quiet: Served
) -> None:
    with somebody(browser, quiet, "patron-13") as context:
        page = opened(context, "/table/fortune-six/pays")
        page.locator(".sheet").wait_for()
        page.get_by_role("button", name="Settings").click()
        malay = page.get_by_role("radio", name="Bahasa Melayu")
        malay.click()
        page.get_by_role("dialog", name="Tetapan").wait_for()
        until(lambda: has_focus(malay), "the choice keeps the focus")
        page.keyboard.press("Escape")
        page.get_by_role("dialog").wait_for(state="detached")
        assert page.locator(".sheet").count() == 1, "the sheet behind it stays"


@pytest.mark.parametrize("path", ["/table/super-6", "/table/super-6/menu", "/tables"])
def test_no_bar_of_a_phone_covers_what_has_the_focus(
    browser: Browser, quiet: Served, staff: Staff, path: str
) -> None:
    patron = "patron-16"
    if staff.view("super-6", patron)["own"]["seat"] is None:
        staff.seat(patron, "super-6", 10)
    with somebody(browser, quiet, patron, {"viewport": PHONE}) as context:
        page = opened(context, path)
        page.locator("[data-wager]").first.wait_for(state="attached")
        for key in ("Tab", "Shift+Tab"):
            for _ in range(35):
                pressed(page, key)


# Several tables at once

FIRST, SECOND, BOTH = "fortune-six", "tiger-no-commission", "patron-17"


def pinned(page: Page, table: str) -> Locator:
    """Return one of several tables."""
    return page.locator(f"[data-table={table}]")


def state(page: Page, table: str, wager: str) -> str | None:
    """Return the state of a spot of one of several tables."""
    shown: str | None = (
        pinned(page, table).locator(f"[data-wager={wager}]").get_attribute("data-state")
    )
    return shown


def test_several_tables_are_played_by_keys(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    for table in (FIRST, SECOND):
        staff.seat(BOTH, table, 7, 250_00)

    def stakes(table: str) -> dict[str, int]:
        return stakes_of(staff, table, BOTH)

    with somebody(browser, quiet, BOTH) as context:
        page = opened(context, "/tables")
        for table in (FIRST, SECOND):
            pinned(page, table).locator("[data-wager=player]").wait_for()
        assert listed(page) == ALWAYS | BETS | {"S", "1\u20133"}

        # What cannot be done says why; what can is done at the table in hand alone.
        pressed(page, "r")
        pinned(page, FIRST).get_by_role("alert").wait_for()
        pressed(page, "3", "p", "b", "z")
        assert state(page, FIRST, "player") == "unsent"
        assert state(page, FIRST, "banker") == state(page, SECOND, "player") == "idle"
        pressed(page, "c")
        until(lambda: stakes(FIRST) == {"player": 100_00}, "the stake is accepted")
        pressed(page, "d")
        chosen(page, page.get_by_role("button", name="Confirm"))
        until(lambda: stakes(FIRST) == {"player": 200_00}, "it is doubled")
        pressed(page, "d")
        alert = pinned(page, FIRST).get_by_role("alert")
        alert.get_by_text("Double was not placed.").wait_for()
        alert.get_by_text("Nothing was changed.").wait_for()
        chosen(page, page.get_by_role("button", name="Clear"))
        until(lambda: stakes(FIRST) == {}, "it comes back")
        # Nothing lay here in an earlier round: Repeat has nothing, Undo has what was cleared.
        pressed(page, "r")
        alert.get_by_text("Repeat is not possible now.").wait_for()
        chosen(page, page.get_by_role("button", name="Undo"))
        pressed(page, "c")
        until(lambda: stakes(FIRST) == {"player": 200_00}, "it is put back")

        # Arrows lead from spot to spot, and on to the next table, which is then in hand.
        gone_to(page, pinned(page, FIRST).locator("[data-wager=player]"), "Shift+Tab")
        for table, wager in ((FIRST, "tie"), (FIRST, "banker"), (SECOND, "player")):
            pressed(page, "ArrowRight")
            assert has_focus(pinned(page, table).locator(f"[data-wager={wager}]"))
        assert pinned(page, SECOND).get_attribute("aria-current") == "true"
        pressed(page, "Enter")
        assert state(page, SECOND, "player") == "unsent"
        pressed(page, "Delete")
        assert state(page, SECOND, "player") == "idle"

        # Side wagers open where the focus goes, and give it back.
        pressed(page, "s")
        sides = pinned(page, SECOND).get_by_role("group", name="Side wagers")
        until(lambda: has_focus(sides.get_by_role("button").first), "a side wager has it")
        pressed(page, "Enter")
        assert sides.get_by_role("button").first.get_attribute("data-state") == "unsent"
        pressed(page, "x", "Escape")
        sides.wait_for(state="detached")
        player = pinned(page, SECOND).locator("[data-wager=player]")
        until(lambda: has_focus(player), "Player has it")

        pressed(page, "ArrowLeft", "x")
        until(lambda: stakes(FIRST) == {}, "it comes back")
    for table in (FIRST, SECOND):
        staff.give(BOTH, table, "leave_seat")


# Staff


def is_in(staff: Staff, table: str, phase: str) -> bool:
    """Tell whether a table is in a phase."""
    return bool(staff.view(table)["phase"] == phase)


def test_a_live_round_is_dealt_by_keys(browser: Browser, quiet: Served, staff: Staff) -> None:
    table, patron = "baccarat", "patron-18"
    staff.open_with_paper(table)
    if staff.view(table, patron)["own"]["seat"] is None:
        staff.seat(patron, table, 5)
    with somebody(browser, quiet, None) as context:
        dealer = context.new_page()
        signed_in(dealer, quiet, "dealer")
        number = staff.get("dealer", "/house")["numbers"][table]
        tile = dealer.get_by_role("button", name=re.compile(rf"^{number:02}\b"))
        chosen(dealer, tile)
        dealer.locator("footer .btn.primary:enabled").wait_for()
        for key, name in (("F4", "Another person acts here"), ("?", "Keys")):
            pressed(dealer, key)
            dealer.get_by_role("dialog", name=name).wait_for()
            pressed(dealer, "Escape")
            dealer.get_by_role("dialog").wait_for(state="detached")
        dealer.keyboard.press("Enter")
        until(lambda: staff.view(table)["phase"] == "OPEN", "bets are open")
        played = staff.view(table)["round"]
        staff.bet(patron, table, [("player", 100_00), ("tie", 50_00)])
        dealer.get_by_text("50.00").first.wait_for()
        dealer.keyboard.press("n")
        until(lambda: staff.view(table)["phase"] != "OPEN", "bets are closed")
        dealer.locator(".pad button:enabled").first.wait_for()
        suit = dealer.get_by_role("radio", name="Clubs")
        for key, on in (("c", "true"), ("Backspace", "false")):
            pressed(dealer, key)
            assert suit.get_attribute("aria-checked") == on
        pressed(dealer, "F2")
        dealer.get_by_role("button", name="Send report").wait_for()
        pressed(dealer, "Escape")
        dealer.get_by_role("heading", name="What happened?").wait_for()
        pressed(dealer, "Escape")
        dealt(dealer, "s4 h2 d5 c3")
        for phase in ("RESULT", "SETTLED"):
            dealer.locator("footer .btn.primary:enabled").wait_for()
            dealer.keyboard.press("Enter")
            until(partial(is_in, staff, table, phase), phase)
        for row in (1, 2):
            dealer.locator("tr[aria-current=step]").wait_for()
            pressed(dealer, "Enter")
            dealer.get_by_text(f"{row} of 2 done").wait_for()
        dealer.keyboard.press("Enter")
        done = finished(context, table, played)
    assert done["cards"] == ["4S", "2H", "5D", "3C"]
    assert staff.view(table)["phase"] in {"IDLE", "SETTLED"}
    staff.play_out(table)


def test_the_pit_decides_by_keys(browser: Browser, quiet: Served, staff: Staff) -> None:
    table = "fortune-six-tournament"
    staff.take_over(table)
    staff.call(table)
    staff.deal(table, "", "")
    staff.give("dealer", table, "report", about={"situation": "foreign_card"})
    with somebody(browser, quiet, None) as context:
        pit = context.new_page()
        signed_in(pit, quiet, "pit-supervisor")
        chosen(pit, pit.get_by_role("button", name="Decide", exact=True).first)
        asked = pit.get_by_role("dialog")
        chosen(pit, asked.get_by_role("radio", name="Confirm the report"), "Space")
        written(pit, asked.get_by_label(re.compile("^Name")), "pit-manager")
        written(pit, asked.get_by_label("Password", exact=True), quiet.password("pit-manager"))
        chosen(pit, asked.get_by_role("button", name="Confirm the report"))
        asked.wait_for(state="detached")
    until(lambda: staff.view(table)["phase"] == "VOID", "the round is void")
    staff.play_out(table)


def test_a_patron_buys_in_by_keys_of_the_cage(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    patron = "patron-18"
    before = staff.get(patron, "/me/wallet")["cents"]
    with somebody(browser, quiet, None) as context:
        cage = context.new_page()
        signed_in(cage, quiet, "cashier")
        chosen(cage, cage.get_by_role("button", name="Buy in", exact=True))
        dialog = cage.get_by_role("dialog")
        written(cage, dialog.get_by_label("Patron"), patron)
        written(cage, dialog.get_by_label("Amount"), "300")
        chosen(cage, dialog.get_by_role("button", name="Buy in 300.00"))
        cage.get_by_text(f"{patron} bought in for 300.00.").first.wait_for()
    assert staff.get(patron, "/me/wallet")["cents"] == before + 300_00
