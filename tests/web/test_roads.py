"""Roads in the browser are those of `croupier roads`."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from tests.floor.serving import printed
from tests.web.looking import WALL, opened, somebody

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.floor.serving import Served
    from tests.web.staff import Staff

TABLE = "baccarat"
COUPS = {"P": "4 2 5 3", "B": "A 4 5 3", "T": "A 4 5 2", "p": "4 2 4 3", "b": "A 4 5 4"}
"""Ranks by result; small letters have a pair as well."""
SHOE = "BBPTPPbBBBBBBBPBPTTBpPBPPBB"
"""Ties, pairs and a streak that turns at the bottom of the big road."""
LETTERS = {"banker": "B", "player": "P", "tie": "T"}
WORDS = {"p": "P+pp", "b": "B+bp"}
"""How the command line writes results with a pair."""

DERIVED = ("big_eye", "small", "cockroach")
READ = """
([kind, columns]) => {
  const svg = document.querySelector(`svg.road-${kind}`);
  const cell = svg.viewBox.baseVal.width / columns;
  const at = (x, y) => [Math.floor(x / cell), Math.floor(y / cell)];
  const colour = one => one.getAttribute('class').includes('banker') ? 'red' : 'blue';
  if (kind === 'bead' || kind === 'big') {
    return [...svg.querySelectorAll('text')].map(one =>
      [...at(Number(one.getAttribute('x')), Number(one.getAttribute('y'))), one.textContent]);
  }
  if (kind === 'cockroach') {
    return [...svg.querySelectorAll('path[stroke-linecap]')].map(one => {
      const box = one.getBBox();
      return [...at(box.x + box.width / 2, box.y + box.height / 2), colour(one)];
    });
  }
  return [...svg.querySelectorAll('circle')].map(one =>
    [...at(Number(one.getAttribute('cx')), Number(one.getAttribute('cy'))), colour(one)]);
}
"""


def drawn(page: Page, kind: str, columns: int) -> list[tuple[int, int, str]]:
    """Return the marks of a road in a page: column, row, letter or colour."""
    page.locator(f"svg.road-{kind} > *").nth(2).wait_for(state="attached")
    return sorted(tuple(one) for one in page.evaluate(READ, [kind, columns]))


def letters(road: list[dict[str, Any]], key: str) -> list[tuple[int, int, str]]:
    """Return the letters that a road of the server asks for; a stone with ties has none."""
    return sorted(
        (one["col"], one["row"], LETTERS[one[key]]) for one in road if not one.get("ties")
    )


def numbers(road: list[dict[str, Any]]) -> list[tuple[int, int, str]]:
    """Return the numbers of ties, from two on."""
    return [(one["col"], one["row"], str(one["ties"])) for one in road if one["ties"] > 1]


def test_roads_are_those_of_the_command_line(
    browser: Browser, quiet: Served, staff: Staff
) -> None:
    staff.open_with_paper(TABLE)
    suits = {rank: itertools.cycle("SHDC") for rank in "A2345"}
    for result in SHOE:
        staff.coup(TABLE, " ".join(rank + next(suits[rank]) for rank in COUPS[result].split()))
    outcomes = " ".join(WORDS.get(result, result) for result in SHOE)
    roads = printed("roads", "--outcomes", outcomes)
    assert [LETTERS[one["outcome"]] for one in roads["bead"]] == list(SHOE.upper())
    with somebody(browser, quiet, "dealer") as context:
        page = opened(context, f"/dealer/{TABLE}")
        page.get_by_text(f"{len(roads['bead'])} rounds").first.wait_for()
        assert drawn(page, "bead", 20) == letters(roads["bead"], "outcome")
        big = sorted(letters(roads["big"], "side") + numbers(roads["big"]))
        assert drawn(page, "big", 26) == big
    staff.seat("patron-01", TABLE, 1)
    with somebody(browser, quiet, "patron-01") as context:
        page = opened(context, f"/table/{TABLE}")
        page.get_by_role("button", name="Roads of the whole shoe").click()
        whole = page.get_by_role("region", name="Roads of the whole shoe")
        rows = whole.get_by_role("table", name="Rounds of this shoe").get_by_role("row")
        rows.nth(len(SHOE)).wait_for()
        assert rows.count() == len(SHOE) + 1, "all rounds of the shoe, and the heads"
        assert "Banker" in rows.nth(1).inner_text(), "the newest first"
        for name, kind, columns in (("Bead plate", "bead", 14), ("Big eye boy", "big_eye", 26)):
            whole.get_by_role("radio", name=name).click()
            page.locator(f".sheet svg.road-{kind}").wait_for()
            road = roads[kind]
            asked = [(one["col"], one["row"], one.get("colour")) for one in road]
            wanted = letters(road, "outcome") if kind == "bead" else sorted(asked)
            assert drawn(page, kind, columns) == wanted, kind
    with somebody(browser, quiet, None, {"viewport": WALL}) as context:
        page = opened(context, f"/display/{TABLE}")
        for kind in DERIVED:
            asked = [(one["col"], one["row"], one["colour"]) for one in roads[kind]]
            assert drawn(page, kind, 20) == sorted(asked), kind
        for number, side in enumerate(("banker", "player")):
            marks = page.locator("svg.askmarks").nth(number).get_attribute("aria-label")
            asks = [roads["ask"][side][kind] or "none" for kind in DERIVED]
            assert [one.rsplit(" ", 1)[1] for one in (marks or "").split(", ")] == asks
