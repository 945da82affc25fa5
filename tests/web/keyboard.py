"""Somebody who has a keyboard and nothing else: no mouse, and no focus that a script sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.people import until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.web.looking import Place

MOST = 120
"""More steps than lead through any screen."""
UNSEEN = """async () => {
  // What a bar would cover is scrolled with the next frame.
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  const one = document.activeElement;
  if (one === null || one.tabIndex < 0 || one === document.body) return "";
  const name = `${one.tagName} ${one.ariaLabel ?? one.textContent.slice(0, 40)}`;
  const rings = at => getComputedStyle(at).outlineStyle !== "none";
  let ringed = one;
  while (ringed !== null && !rings(ringed)) ringed = ringed.parentElement;
  if (ringed === null) return `${name}: nothing shows that it has the focus`;
  const { left, right, top, bottom } = one.getBoundingClientRect();
  const seen = [Math.max(0, left), Math.min(innerWidth, right),
                Math.max(0, top), Math.min(innerHeight, bottom)];
  if (seen[0] >= seen[1] || seen[2] >= seen[3]) return `${name}: it is out of sight`;
  const hit = document.elementFromPoint((seen[0] + seen[1]) / 2, (seen[2] + seen[3]) / 2);
  if (hit !== null && (one.contains(hit) || hit.contains(one))) return "";
  return `${name}: ${hit?.outerHTML.slice(0, 80)} lies over it`;
}"""
"""Tell why the control that has the focus is not seen to have it; nothing when it is."""


def pressed(page: Page, *keys: str) -> None:
    """Press keys; whatever has the focus afterwards is seen to have it."""
    for key in keys:
        page.keyboard.press(key)
    unseen = page.evaluate(UNSEEN)
    assert unseen == "", unseen


def has_focus(one: Locator) -> bool:
    """Tell whether a control has the focus."""
    there: bool = one.evaluate("one => one === document.activeElement")
    return there


def gone_to(page: Page, one: Locator, key: str = "Tab") -> None:
    """Press a key until a control has the focus; every stop on the way is seen."""
    one.wait_for()
    for _ in range(MOST):
        if has_focus(one):
            return
        pressed(page, key)
    message = f"{key} never leads to {one}"
    raise AssertionError(message)


def chosen(page: Page, one: Locator, key: str = "Enter") -> None:
    """Go to a control, and press it."""
    gone_to(page, one)
    page.keyboard.press(key)


def written(page: Page, field: Locator, text: str) -> None:
    """Go to a field, and write in the place of what it has."""
    gone_to(page, field)
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type(text)


def signed_in(page: Page, house: Place, name: str) -> None:
    """Sign in at the door."""
    page.goto("/signin")
    written(page, page.get_by_label("Name", exact=True), name)
    written(page, page.get_by_label("Password", exact=True), house.password(name))
    page.keyboard.press("Enter")


# The felt of a terminal


def states(page: Page) -> dict[str, str]:
    """Return what lies on the spots, and in which state, where there is something."""
    found: dict[str, str] = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll(".spots [data-wager]")]
        .filter(one => one.dataset.state !== "idle")
        .map(one => [one.dataset.wager,
             `${one.dataset.state} ${one.querySelector(".amt").textContent.trim()}`]))"""
    )
    return found


def lies(page: Page, **wagers: str) -> None:
    """Wait until just this lies on the spots."""
    wanted = {wager.replace("_", "-"): state for wager, state in wagers.items()}
    until(lambda: states(page) == wanted, f"{wanted} lies on the spots")


def moved(page: Page, key: str) -> str:
    """Go to the next spot with an arrow; return its wager, which lies in that direction."""
    spots = page.locator(".spots [data-wager]:focus")
    before = spots.bounding_box()
    pressed(page, key)
    after = spots.bounding_box()
    assert before is not None
    assert after is not None
    across = key in {"ArrowLeft", "ArrowRight"}
    by = after["x"] - before["x"] if across else after["y"] - before["y"]
    assert by * (1 if key in {"ArrowRight", "ArrowDown"} else -1) > 0, key
    wager = spots.get_attribute("data-wager")
    assert wager is not None
    return wager


def goes_to_spot(page: Page, wager: str, key: str) -> None:
    """Go to the felt by F6, to its first spot, down to the main wagers and along them."""
    gone_to(page, page.get_by_role("main", name="Table"), "F6")
    pressed(page, "Tab")
    moved(page, "ArrowDown")
    while page.locator(".spots [data-wager]:focus").get_attribute("data-wager") != wager:
        moved(page, key)
