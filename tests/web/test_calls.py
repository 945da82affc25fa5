"""A patron calls an attendant and asks about a round; the pit sees it, comes and answers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.web.looking import PHONE, opened, setting, somebody
from tools.people import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.floor.serving import Served
    from tests.web.staff import Staff

TABLE, PATRON, ASKS = "fa-fa-fabulous-4", "patron-14", "patron-15"


def test_an_attendant_is_called_by_keyboard_and_somebody_comes(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    staff.take_over(TABLE)
    staff.seat(PATRON, TABLE, 3)
    number = staff.get(PATRON, "/house")["numbers"][TABLE]
    with (
        somebody(browser, quiet, PATRON) as at_terminal,
        somebody(browser, quiet, "pit-supervisor") as in_pit,
        somebody(browser, quiet, "dealer") as dealing,
    ):
        terminal = opened(at_terminal, f"/table/{TABLE}")
        terminal.get_by_role("heading", name=f"Table {number:02}").first.wait_for()
        pit = opened(in_pit, "/pit")
        dealer = opened(dealing, f"/dealer/{TABLE}")

        terminal.keyboard.press("a")
        terminal.get_by_role("heading", name="Call an attendant").wait_for()
        call = terminal.get_by_role("button", name=f"Call an attendant to Table {number:02}")
        call.focus()
        terminal.keyboard.press("Enter")
        terminal.get_by_text(re.compile(r"Called at \d\d:\d\d\. Somebody will come")).wait_for()
        terminal.get_by_role("button", name="Attendant called").wait_for()

        dealer.get_by_text("Attendant called").wait_for()
        row = pit.get_by_role("listitem").filter(has_text="Attendant called").first
        row.get_by_text(f"Table {number:02} · seat 3 · {PATRON}").wait_for()
        row.get_by_role("button", name="Acknowledge").focus()
        pit.keyboard.press("a")

        terminal.get_by_text(
            re.compile(r"Seen at \d\d:\d\d\. Somebody is on the way")
        ).wait_for()
        terminal.get_by_role("button", name="Somebody is on the way").wait_for()
        dealer.get_by_text("Attendant called").wait_for(state="detached")
        pit.get_by_text("seen · pit-supervisor").first.wait_for()


def test_a_question_about_a_round_reaches_the_pit_and_is_answered(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    staff.take_over(TABLE)
    staff.seat(ASKS, TABLE, 4)
    number = staff.call(TABLE)
    staff.bet(ASKS, TABLE, [("player", 100_00)])
    staff.play_out(TABLE)
    with (
        somebody(browser, quiet, ASKS, {"viewport": PHONE}) as at_terminal,
        somebody(browser, quiet, "pit-supervisor") as in_pit,
    ):
        terminal = opened(at_terminal, f"/table/{TABLE}/history")
        terminal.get_by_role("button", name=re.compile(f"Round {number} ")).click()
        terminal.get_by_role("button", name="Ask about this round").click()
        terminal.get_by_label("What do you want to know?").fill("I had a pair.")
        terminal.get_by_role("button", name="Send to the pit").click()
        terminal.get_by_text("The pit looks at this round").wait_for()
        wide = terminal.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0

        pit = opened(in_pit, "/pit/alarms")
        row = pit.get_by_role("row").filter(has_text="Question about a round").first
        row.get_by_text("I had a pair.").wait_for()
        row.get_by_role("link", name=f"Open round {number}").click()
        pit.get_by_role("heading", name=re.compile(f", round {number}$")).first.wait_for()
        pit.go_back()
        row.get_by_role("button", name="Answer").click()
        asked = pit.get_by_role("dialog", name=f"What do you answer about round {number}?")
        asked.get_by_label(re.compile("^Answer")).fill("The two cards differ; no pair.")
        asked.get_by_role("button", name="Answer and acknowledge").click()
        asked.wait_for(state="detached")
        pit.get_by_text("answered: The two cards differ; no pair.").wait_for()

        terminal.get_by_text("Answer: The two cards differ; no pair.").wait_for()
        setting(terminal, {"language": "zh-Hans"})
        terminal.get_by_role("button", name=re.compile(f"第 {number} 局")).click()
        terminal.get_by_text("答复：The two cards differ; no pair.").wait_for()  # noqa: RUF001
    until(lambda: not _asked(staff), "the question still stands")


def _asked(staff: Staff) -> list[object]:
    alarms = staff.get("pit-supervisor", "/alarms").get(TABLE, [])
    return [one for one in alarms if one["code"] == "round_asked"]
