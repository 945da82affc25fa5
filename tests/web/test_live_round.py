"""Live rounds from the dealer console: a squeeze with two terminals, and cards keyed in."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

import croupier
from tests.web.dealing import dealt, keyed, paid_row_by_row, pressed, primary
from tests.web.looking import opened, somebody
from tests.web.playing import finished, sit, spot, view
from tools.people import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Route

    from tests.floor.serving import Served
    from tests.web.staff import Staff

STEPS = 60
"""More steps than a round has."""


def staked(page: Page, wager: str, chips: int) -> None:
    """Stake chips of 100.00."""
    page.get_by_role("radio", name="Chip of 100", exact=True).click()
    for _ in range(chips):
        spot(page, wager).click()
    page.get_by_role("button", name="Confirm").click()


class Round:
    """A round of method A: who acts next is told by the table, and done on a screen."""

    def __init__(self, dealer: Page, staff: Staff, table: str, pages: dict[str, Page]) -> None:
        self.dealer, self.staff, self.table, self.pages = dealer, staff, table, pages
        self.turned: list[str] = []
        self.passed: list[str] = []

    def step(self) -> bool:
        """Do what comes next; tell whether the cards are settled."""
        seen = self.staff.view(self.table)
        following = seen["dealer"]["next"]
        if seen["phase"] == "SETTLED":
            return True
        if following["patrons"]:
            self._turn(following["patrons"][0], seen)
        else:
            self._press(following["command"])
        until(lambda: self.staff.view(self.table) != seen, "nothing came of it")
        return False

    def _press(self, command: str) -> None:
        button = primary(self.dealer).and_(self.dealer.locator(":enabled"))
        if command == "choose_first_hand":
            self.dealer.get_by_role("radio", name="Player").click()
        button.wait_for()
        label = button.inner_text()
        if command == "pass_hand":
            self.passed.append(label)
        button.click()

    def _turn(self, patron: str, seen: dict[str, Any]) -> None:
        """Lift an edge of the card, look, and turn it."""
        page = self.pages[patron]
        hand = page.get_by_role("region", name=re.compile("hand is yours"))
        place = self.staff.view(self.table, patron)["own"]["may"]
        places = next(one for one in place if one["command"] == "expose_card")
        down = places["fields"][0]["allowed"][0]
        card = next(c for h in seen["hands"] for c in h["cards"] if c["place"] == down)
        assert card["face"] is None
        slider = hand.get_by_role("slider", name="Lift the edge")
        slider.and_(page.locator(":enabled")).wait_for()
        if not self.turned:
            slider.fill("40")  # the house shows the face once the edge is lifted
            hand.locator(".squeezed").wait_for()
        hand.get_by_role("button", name="Turn over").click()
        self.turned.append(patron)


def balance(page: Page, context: BrowserContext, table: str) -> None:
    """Wait until a page shows the credit that the server knows."""
    credit = view(context, table)["own"]["credit_cents"]
    shown = page.get_by_role("button", name="Your money").last
    until(lambda: f"{credit / 100:,.2f}" in shown.inner_text(), "the balance is another one")


def test_a_round_of_method_a_with_a_squeeze(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    table = "baccarat-a"
    with (
        somebody(browser, quiet, "dealer") as at_console,
        somebody(browser, quiet, "patron-02") as first,
        somebody(browser, quiet, "patron-03") as second,
    ):
        dealer = opened(at_console, f"/dealer/{table}")
        pressed(dealer, "Take over as Dealer")
        pressed(dealer, "Load shoe 1")
        pages = {}
        for name, context, position in (("patron-02", first, 1), ("patron-03", second, 2)):
            pages[name] = opened(context, f"/table/{table}")
            sit(pages[name], position)
        pressed(dealer, "Place your bets, please")
        staked(pages["patron-02"], "Player", 2)
        staked(pages["patron-03"], "Banker", 1)
        until(lambda: len(staff.view(table)["dealer"]["stakes"]) == 2, "two stakes")
        number = staff.view(table)["round"]
        pressed(dealer, "No more bets")
        until(lambda: staff.view(table)["phase"] != "OPEN", "bets are closed")
        played = Round(dealer, staff, table, pages)
        assert any(played.step() for _ in range(STEPS)), "the round is not settled"
        rows = paid_row_by_row(dealer, 2)

        # Whoever staked most on a hand turned its cards, and the Dealer passed them.
        assert [label[:12] for label in played.passed[:2]] == ["Pass to seat"] * 2
        assert set(played.turned) == {"patron-02", "patron-03"}
        done = finished(first, table, number)
        settlement = croupier.find_game("baccarat").settle(" ".join(done["cards"]))
        for name, context, wager, cents in (
            ("patron-02", first, "player", 200_00),
            ("patron-03", second, "banker", 100_00),
        ):
            (line,) = finished(context, table, number)["lines"]
            assert line["won_cents"] == int(settlement[wager].net * cents)
            balance(pages[name], context, table)
        takes = [row for row in rows if "take" in row]
        lost = sum(settlement[wager].net < 0 for wager in ("player", "banker"))
        assert len(takes) == lost
        assert rows[: len(takes)] == takes, "losing wagers come first"


def test_cards_of_paper_are_keyed_in(browser: Browser, quiet: Served, staff: Staff) -> None:
    table = "baccarat"
    staff.open_with_paper(table)
    staff.call(table)
    number = staff.view(table)["round"]
    with somebody(browser, quiet, "dealer") as at_console:
        dealer = opened(at_console, f"/dealer/{table}")
        dealer.get_by_role("button", name="No more bets").wait_for()
        dealer.keyboard.press("n")
        dealt(dealer, "s4 h2 d5 c3")
        for label in ("Announce result", "Settle", "Confirm payment"):
            pressed(dealer, label)
        done = finished(at_console, table, number)
    assert done["cards"] == ["4S", "2H", "5D", "3C"]
    assert (done["player"], done["banker"], done["winner"]) == (9, 5, "player")


def test_a_patron_turns_cards_that_no_device_reads_and_the_dealer_keys_them_in(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    table, patron = "baccarat", "patron-08"
    staff.open_with_paper(table, reads=False, method="A", room="Paiza Club")
    staff.seat(patron, table, 3)
    number = staff.call(table)
    staff.bet(patron, table, [("player", 200_00)])
    with (
        somebody(browser, quiet, "dealer") as at_console,
        somebody(browser, quiet, patron) as at_terminal,
        somebody(browser, quiet, None) as at_display,
    ):
        page = opened(at_terminal, f"/table/{table}")
        display = opened(at_display, f"/display/{table}")
        dealer = opened(at_console, f"/dealer/{table}")
        pressed(dealer, "No more bets")
        for _ in range(4):
            dealer.get_by_role("button", name="Draw face down").click()
        pressed(dealer, "Pass to seat 3")
        dealer.get_by_role("radio", name="Player").click()
        pressed(dealer, "Reveal")
        hand = page.get_by_role("region", name=re.compile("hand is yours"))
        for place, face in (("first", "s9"), ("second", "h0")):
            dealer.get_by_text(f"Seat 3 turns up Player's {place} card").first.wait_for()
            hand.get_by_role("button", name="Turn over").click()
            page.get_by_text("The Dealer keys in what it shows").wait_for()
            dealer.get_by_text("Key in the card that seat 3 turned").first.wait_for()
            keyed(dealer, face)
        for shown in (page, display):
            for name in ("nine of spades", "ten of hearts"):
                shown.get_by_role("img", name=name).first.wait_for()
        for face, name in (("d8", "eight of diamonds"), ("c0", "ten of clubs")):
            keyed(dealer, face)
            dealer.locator(".hands").get_by_role("img", name=name).wait_for()
        for label in ("Announce result", "Settle", "Paid seat 3", "Confirm payment"):
            pressed(dealer, label)
        done = finished(at_terminal, table, number)
    assert done["cards"] == ["9S", "8D", "TH", "TC"]


def scanned(dealer: Page, face: str) -> None:
    """Let a scanner that is a keyboard type a card, faster than anybody.

    The keys carry their own times: a busy machine makes no slow scanner.
    """
    keyboard, began = dealer.context.new_cdp_session(dealer), time.time()
    for number, key in enumerate((*face, "Enter")):
        event = {"key": key, "timestamp": began + number / 100}
        text = {"text": "\r" if key == "Enter" else key}
        keyboard.send("Input.dispatchKeyEvent", {"type": "keyDown", **event, **text})
        keyboard.send("Input.dispatchKeyEvent", {"type": "keyUp", **event})
    keyboard.detach()


def first_card_due(staff: Staff) -> str:
    """Bring a table with a shoe of paper to its first card; return its name."""
    table = "baccarat"
    staff.open_with_paper(table, method="B")
    staff.call(table)
    staff.deal(table)
    return table


def lying(staff: Staff, table: str) -> list[str]:
    """Return the faces that lie at a table."""
    hands = staff.view(table)["hands"]
    return [card["face"] for hand in hands for card in hand["cards"]]


def test_keys_of_the_next_card_are_kept_while_the_last_is_on_its_way(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    table = first_card_due(staff)
    held: list[Route] = []
    slow = False

    def on_its_way(route: Route) -> None:
        """Keep a command back while the line is slow."""
        if slow:
            held.append(route)
        else:
            route.continue_()

    def typed(page: Page, *keys: str) -> None:
        """Type as fast as people can, which is slower than a scanner."""
        for key in keys:
            page.keyboard.press(key)
            page.wait_for_timeout(90)

    with somebody(browser, quiet, "dealer") as at_console:
        dealer = opened(at_console, f"/dealer/{table}")
        waits = dealer.get_by_role("region", name="Not entered yet")
        dealer.locator(".pad button:enabled").first.wait_for()
        slow = True
        dealer.route("**/commands", on_its_way)
        typed(dealer, "s", "4", "Enter")
        typed(dealer, "h", "2", "Enter", "d", "5")
        waits.get_by_role("button", name="Take Two of hearts out").wait_for()
        assert lying(staff, table) == []
        assert len(held) == 1, "one at a time"
        slow = False
        held[0].continue_()
        waits.wait_for(state="detached")
        dealer.get_by_text("card 3", exact=True).first.wait_for()
        # What was not entered is put together, and waits for Enter.
        primary(dealer).filter(has_text="Five of diamonds").wait_for()
        assert lying(staff, table) == ["4S", "2H"]

        # A card that is refused is not followed by the next.
        slow = True
        dealer.keyboard.press("Enter")
        typed(dealer, "c", "9", "Enter")
        refused = {"code": "busy", "detail": "Too much.", "clause": None, "status": 409}
        held[1].fulfill(status=409, json={**refused, "title": "", "type": "about:blank"})
        dealer.get_by_role("alert").first.wait_for()
        waits.get_by_role("button", name="Take Nine of clubs out").wait_for()
        primary(dealer).filter(has_text="Five of diamonds").wait_for()
        assert lying(staff, table) == ["4S", "2H"]


def test_no_card_is_drawn_before_it_is_known_whether_the_shoe_is_of_paper(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    table = first_card_due(staff)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    with somebody(browser, quiet, "dealer") as at_console:
        dealer = at_console.new_page()
        dealer.route("**/shoes/*", hold)
        dealer.goto(f"/dealer/{table}")
        primary(dealer).wait_for()
        dealer.wait_for_timeout(300)
        assert held, "the shoe is asked for"
        dealer.keyboard.press("Enter")
        dealer.wait_for_timeout(300)
        assert primary(dealer).is_disabled()
        assert lying(staff, table) == []
        # A house that could not be reached is asked again, and nothing is drawn until then.
        for one in held:
            one.abort()
        dealer.unroute_all()
        dealer.wait_for_timeout(300)
        assert primary(dealer).is_disabled()
        keyed(dealer, "s4")
        dealer.locator(".hands .dr").first.wait_for()
    staff.play_out(table)


def test_a_scanned_card_is_never_lost_in_a_field_nor_pressed_twice(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    table = first_card_due(staff)

    with somebody(browser, quiet, "dealer") as at_console:
        dealer = opened(at_console, f"/dealer/{table}")
        waits = dealer.get_by_role("region", name="Not entered yet")

        # Its Enter is no press of the button that has the focus.
        dealer.get_by_role("button", name="Draw face down").focus()
        scanned(dealer, "4S")
        scanned(dealer, "4S")  # read twice: the Dealer looks, and clears it
        again = primary(dealer).filter(has_text="Four of spades for Banker")
        again.and_(dealer.locator(":enabled")).wait_for()
        dealer.keyboard.press("Backspace")
        again.wait_for(state="detached")
        dealer.get_by_text("card 2", exact=True).first.wait_for()
        assert lying(staff, table) == ["4S"]

        # Another person is about to sign in: the field keeps what was written, the card waits.
        dealer.keyboard.press("F4")
        asked = dealer.get_by_role("dialog")
        name = asked.get_by_label("Name")
        name.fill("pit-")
        name.press("End")
        scanned(dealer, "2H")
        waits.get_by_role("button", name="Take Two of hearts out").wait_for()
        assert name.input_value() == "pit-"
        assert lying(staff, table) == ["4S"]
        dealer.keyboard.press("Escape")
        asked.wait_for(state="detached")
        waits.wait_for(state="detached")
        primary(dealer).filter(has_text="Two of hearts").wait_for()
        assert lying(staff, table) == ["4S"], "nobody has looked at it"
        dealer.keyboard.press("Enter")
        dealer.get_by_text("card 3", exact=True).first.wait_for()

        # Several wait in the order in which they came, and one is put away.
        dealer.get_by_role("button", name="All 24 situations").click()
        find = dealer.get_by_label("Find")
        find.focus()
        for face in ("5D", "KS", "3C"):
            scanned(dealer, face)
        waits.get_by_role("button", name="Take King of spades out").click()
        assert find.input_value() == ""
        dealer.get_by_role("button", name="Back to the round").click()
        for drawn, card in ((3, "Five of diamonds"), (4, "Three of clubs")):
            primary(dealer).filter(has_text=card).and_(dealer.locator(":enabled")).wait_for()
            dealer.keyboard.press("Enter")
            dealer.locator(".hands .dr").nth(drawn - 1).wait_for()
        pressed(dealer, "Announce result")
        while staff.view(table)["outcome"] is None:
            dealer.wait_for_timeout(50)
    assert sorted(lying(staff, table)) == ["2H", "3C", "4S", "5D"]
    staff.play_out(table)


def test_that_the_dealer_sees_every_draw_is_known_by_the_table_and_not_by_the_page(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    table, patron = "baccarat-a", "patron-11"
    staff.take_over(table)
    by = "assistant-casino-manager"
    staff.give(by, table, "set_method", method="C", reason="asked for")
    staff.seat(patron, table, 5)
    staff.call(table)
    staff.bet(patron, table, [("banker", 200_00)])
    staff.deal(table)
    staff.give(patron, table, "take_shoe")
    with somebody(browser, quiet, "dealer") as at_console:
        dealer = opened(at_console, f"/dealer/{table}")
        says = dealer.get_by_role("switch", name="I see every draw of seat 5")
        assert says.get_attribute("aria-checked") == "false"
        says.click()
        said = dealer.get_by_role("switch", name="dealer sees every draw of seat 5")
        said.wait_for()
        dealer.reload()
        said.wait_for()
        assert (said.get_attribute("aria-checked"), says.count()) == ("true", 0)
    staff.void(table)
    staff.play_out(table)
