"""Every page of the screens with something on it: who looks at it, where, what is open there.

What pages there are is read from the sources of the router and of the screens that have parts,
so that a page which nobody looks at is found.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.web.staff import Staff

SOURCES = Path(__file__).parents[2] / "web" / "src"
HELD, DEALT, OPEN, OPTION = (
    "baccarat",
    "fa-fa-fabulous-4",
    "fortune-six-tournament",
    "baccarat-a",
)
"""A table whose round is referred, of 65 cards, with bets, and with stakes to take back."""
PATRON = "patron-12"
SHEETS = (
    *("attendant", "history", "keys", "menu", "pays"),
    *("roads", "shared", "time", "verify", "wallet"),
)


REPORTS = ("/shoes", "/exceptions")
"""Of staff, beside that of a shift."""
NOTE = "A bird came in"
SITUATION = ".groups button:not([aria-disabled=true]) >> nth=0"


@dataclass(frozen=True)
class Shown:
    """A page, and what is pressed there so that it shows more."""

    who: str | None
    path: str
    ready: str = "h1"
    """What is there when the page has its content."""
    presses: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Return how a finding names it."""
        return " → ".join((self.path, *self.presses))


def _pages_of_patrons() -> tuple[Shown, ...]:
    felt, spots = f"/table/{OPEN}", ".spots button"
    return (
        Shown(PATRON, "/lobby", ".road"),
        Shown(PATRON, "/tables"),
        Shown(PATRON, "/tables", presses=("button[aria-haspopup=dialog] >> nth=-1",)),
        Shown(PATRON, "/table/tiger", "[role=radio]"),
        Shown(PATRON, felt, spots),
        *(Shown(PATRON, f"{felt}/{sheet}", ".sheet") for sheet in SHEETS),
        Shown(PATRON, f"{felt}/wallet", ".sheet", (".sheet .btn.second >> nth=-1",)),
        Shown(PATRON, f"{felt}/time", ".sheet", (".sheet [aria-haspopup=dialog]",)),
        Shown(PATRON, f"/table/{HELD}/history", ".sheet", (".sheet [aria-expanded=false]",)),
        Shown(PATRON, f"/table/{HELD}", ".hands .card"),
        Shown(PATRON, f"/table/{DEALT}", ".hands .card"),
        Shown(PATRON, f"/table/{OPTION}", ".sheet"),
        Shown(PATRON, felt, spots, ("button[aria-haspopup=dialog]",)),
    )


def _pages_of_dealers() -> tuple[Shown, ...]:
    who, list_, cards = "dealer", ".tools .irr .whole", ".hands .dr"
    return (
        Shown(who, "/dealer", ".tabletile"),
        Shown(who, "/dealer/tiger", ".btn"),
        Shown(who, f"/dealer/{OPEN}", "footer .btn"),
        Shown(who, f"/dealer/{HELD}", "footer .btn"),
        Shown(who, f"/dealer/{DEALT}", cards),
        Shown(who, f"/dealer/{DEALT}", cards, (".tools .call .btn.warn",)),
        Shown(who, f"/dealer/{DEALT}", cards, (".tools .call .btn >> nth=-1",)),
        Shown(who, f"/dealer/{DEALT}", cards, (list_,)),
        # What is half written is found again, so it comes last.
        Shown(who, f"/dealer/{DEALT}", cards, (list_, SITUATION)),
    )


def _pages_of_the_pit() -> tuple[Shown, ...]:
    who = "pit-manager"
    return (
        Shown(who, "/pit", ".tileof"),
        *(Shown(who, f"/pit/{one}") for one in ("alarms", "banks", "discretions", "recall")),
        Shown(who, "/pit/win", ".figs"),
        *(Shown(who, f"/pit/reports{one}", ".tbl, .none") for one in ("", *REPORTS)),
        Shown(who, "/pit/tiger"),
        Shown(who, f"/pit/{HELD}", ".acts .btn"),
        Shown(who, f"/pit/{HELD}/settings", ".second, .in"),
        Shown(who, f"/pit/{HELD}/recall", ".tbl, li"),
        Shown(who, f"/pit/{HELD}/recall/1", ".tlsteps button", (".tlsteps button >> nth=-2",)),
        Shown(who, f"/pit/{HELD}/alarms"),
        Shown(who, f"/pit/{HELD}/win"),
        Shown(
            "gaming-shift-manager", f"/pit/{HELD}/referral", "[role=radio]",
            ("[role=radio]:not([disabled]) >> nth=-1",),
        ),
        Shown(who, f"/pit/{DEALT}", ".acts .btn", (".acts .btn >> nth=0",)),
    )  # fmt: skip


def _other_pages() -> tuple[Shown, ...]:
    journal = f"/audit/table:{HELD}"
    return (
        Shown(None, "/signin", "form"),
        Shown(None, "/setup#none"),
        Shown(None, "/password#none"),
        Shown(None, "/display", "li a"),
        Shown(None, f"/display/{DEALT}", ".card"),
        Shown(None, f"/display/{HELD}", ".card"),
        Shown(None, "/nowhere"),
        Shown("cashier", "/cage", "main .btn"),
        Shown("cashier", "/cage", "main .btn", ("main .btn:enabled >> nth=0",)),
        Shown("auditor", "/audit", ".tbl, table"),
        Shown("auditor", "/audit/reports", ".tbl, .none"),
        Shown("auditor", journal, ".linkb", (".linkb >> nth=0",)),
        Shown("auditor", f"{journal}/rounds"),
        Shown("auditor", f"{journal}/rounds/1", ".tlsteps button"),
        Shown("administrator", "/house", "table"),
        Shown("technician", "/house", "table"),
        Shown(
            *("technician", "/house", "table"),
            ("section button[aria-haspopup=dialog] >> nth=0",),
        ),
    )


PAGES = (
    *_other_pages(),
    *_pages_of_patrons(),
    *_pages_of_dealers(),
    *_pages_of_the_pit(),
)


def groups() -> dict[str, list[Shown]]:
    """Return the pages of everybody, by who looks at them."""
    found: dict[str, list[Shown]] = {}
    for page in PAGES:
        found.setdefault(page.who or "nobody", []).append(page)
    return found


def _names(pattern: str, path: str) -> set[str]:
    found = re.findall(pattern, (SOURCES / path).read_text(encoding="utf-8"), re.MULTILINE)
    assert found, f"{path} is written in another way"
    return set(found)


PIT, AUDIT = "screens/pit/Pit.tsx", "screens/audit/Audit.tsx"
SECTIONS = _names(r'case "(\w+)"', PIT)
PARTS = {
    "table": _names(r"^  (\w+): \(\) =>", "screens/terminal/sheets/sheets.tsx"),
    "pit": SECTIONS | _names(r'part === "(\w+)"', PIT),
    "audit": _names(r'route\.part === "(\w+)"', AUDIT),
}
"""What follows the name in an address, by the screen."""


def kind_of(path: str) -> str:
    """Return the kind of page that is at an address: `/pit/*/recall/#`."""
    screen, *rest = path.partition("#")[0].strip("/").split("/")
    parts = PARTS.get(screen, set())
    named = ["#" if one.isdigit() else one if one in parts else "*" for one in rest]
    return "/".join(("", screen, *named))


def kinds() -> set[str]:
    """Return the kinds of pages that the router and the screens know."""
    found = {f"/pit/{section}" for section in SECTIONS}
    found |= {f"/{screen}/*/{part}" for screen, parts in PARTS.items() for part in parts}
    found -= {f"/pit/*/{house}" for house in ("discretions", "banks", "reports")}
    found |= {f"{one}/#" for one in ("/pit/*/recall", "/audit/*/rounds")}
    found |= {"/pit/reports/*"}
    for line in _names(r'^  \w+: \{ load: .*?"\)', "app/App.tsx"):
        screen, source = line.split(":")[0].strip(), line.split("../")[1].rstrip('")')
        text = (SOURCES / f"{source}.tsx").read_text(encoding="utf-8")
        of_one = re.search(r"route\.name\b|\bname\b.*\} = route\b", text)
        always = 'route.name ?? ""' in text
        found |= {f"/{screen}/*"} if of_one else set()
        found |= set() if always else {f"/{screen}"}
    return found


def show(page: Page, shown: Shown) -> None:
    """Go to a page and open what is to be open there."""
    page.goto(shown.path)
    page.locator(shown.ready).first.wait_for(state="attached")
    for press in shown.presses:
        page.locator(press).first.click()
    page.wait_for_timeout(150)


def furnish(staff: Staff) -> None:
    """Bring every table into its state, with a finished round behind the one that is held."""
    for table in (HELD, DEALT, OPEN, OPTION):
        if table == HELD:
            staff.open_with_paper(table)
        else:
            staff.take_over(table)
        if staff.view(table, PATRON)["own"]["seat"] is None:
            staff.seat(PATRON, table, 5)
        staff.call(table)
        staff.bet(PATRON, table, [("player", 200_00), ("tie", 100_00)])
    staff.play_out(HELD)
    staff.call(HELD)
    staff.bet(PATRON, HELD, [("banker", 200_00)])
    for table in (HELD, DEALT, OPTION):
        staff.deal(table, "QH", "4S")
    about = {"situation": "other"}
    staff.give("dealer", HELD, "report", about=about, note=NOTE)
    staff.report(OPTION, "power_failure")
