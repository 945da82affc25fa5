"""Somebody who has a keyboard and nothing else: no mouse, and no focus that a script sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
  const name = `${one.tagName} ${one.getAttribute("aria-label") ?? one.textContent.slice(0, 40)}`;
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
    """Press keys, one after the other; whatever has the focus afterwards is seen to have it."""
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
