"""What must hold for every page, measured in it: axe, widths, words that are cut, motion."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
SERIOUS = {"serious", "critical"}

CUT = """() => {
  // The words of an element, where they stand, against every box that cuts them.
  const found = [];
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const text = nodes.currentNode.textContent.trim();
    const holder = nodes.currentNode.parentElement;
    if (text === "" || !holder.checkVisibility({visibilityProperty: true})) continue;
    if (holder.closest("svg, option, script, style, .sr, [class~=skip]") !== null) continue;
    const range = document.createRange();
    range.selectNodeContents(nodes.currentNode);
    const words = range.getBoundingClientRect();
    if (words.width === 0) continue;
    for (let box = holder; box !== null; box = box.parentElement) {
      const style = getComputedStyle(box);
      if (style.clipPath !== "none" && box.clientWidth <= 1) break;
      if (style.overflowX === "auto" || style.overflowX === "scroll") break;
      const edge = box.getBoundingClientRect();
      const root = box === document.documentElement;
      const right = root ? innerWidth : edge.right;
      const left = root ? 0 : edge.left;
      const cuts = root || ["hidden", "clip"].includes(style.overflowX);
      if (cuts && (words.right > right + 1.5 || words.left < left - 1.5)) {
        if (style.textOverflow === "ellipsis" && !root) break;
        found.push(`"${text.slice(0, 60)}" in ${box.tagName.toLowerCase()}.${box.className}`);
        break;
      }
      if (style.position === "fixed") break;
    }
  }
  return found;
}"""
"""Words that cannot be read since a box cuts them or they lie beside the window.

What scrolls by itself shows its words; what ends in an ellipsis says so.
"""


def axe(page: Page, *rules: str) -> list[str]:
    """Return what axe finds serious, with the first place of each; by some rules or all."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = list(rules)
    result: dict[str, Any] = page.evaluate("how => axe.run(document, how)", options)
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:200]} {one['nodes'][0]['failureSummary']}"
        for one in result["violations"]
        if one["impact"] in SERIOUS
    ]


def dye(page: Page, theme: str) -> None:
    """Show a page in the colours of a theme."""
    page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
    page.wait_for_timeout(50)


def sideways(page: Page) -> list[str]:
    """Return whether the page scrolls sideways, and by what."""
    wide: list[str] = page.evaluate("""() => {
      const room = document.documentElement.clientWidth;
      if (document.documentElement.scrollWidth <= room) return [];
      const beside = Array.from(document.body.querySelectorAll("*")).filter(
        one => one.getBoundingClientRect().right > room + 1);
      return [`${document.documentElement.scrollWidth} px wide: ` + beside.slice(0, 3).map(
        one => `${one.tagName.toLowerCase()}.${one.getAttribute("class")}`).join(", ")];
    }""")
    return wide


def cut(page: Page) -> list[str]:
    """Return the words that cannot be read."""
    found: list[str] = page.evaluate(CUT)
    return found


def moving(page: Page) -> list[str]:
    """Return what moves for longer than it takes to see that something changed."""
    found: list[str] = page.evaluate("""() => document.getAnimations()
      .filter(one => one.playState === "running")
      .map(one => `${one.animationName ?? one.transitionProperty} of ` +
        `${one.effect.target.tagName}.${one.effect.target.className}`)""")
    return found


MUTE = """() => {
  // A reason is read where the control says it lies, by itself or by the group that it is in.
  const told = (holder) => (holder?.getAttribute("aria-describedby") ?? "")
    .split(" ").map(id => document.getElementById(id)).filter(one => one !== null);
  const seen = (one) => one.checkVisibility({visibilityProperty: true});
  const shown = (one) => seen(one) && one.closest(".sr") === null;
  const says = (one, pressed) => one.textContent.trim() !== "" && (pressed || shown(one));
  return Array.from(document.querySelectorAll(":disabled, [aria-disabled=true]"))
    .filter(one => seen(one) && !one.matches("option, fieldset"))
    .filter(one => {
      const group = one.parentElement.closest("[role=group], [role=radiogroup], fieldset");
      const pressed = !one.matches(":disabled");
      return ![...told(one), ...told(group)].some(reason => says(reason, pressed));
    })
    .map(one => one.outerHTML.slice(0, 160));
}"""
"""Controls that cannot be used now and do not say why.

Where one takes no focus, the reason must be seen as well; a control that can be pressed shows
it then.
"""


def mute(page: Page) -> list[str]:
    """Return the controls that cannot be used, and do not say why.

    What is on its way turns a control off as well; then it is looked at again.
    """
    found: list[str] = page.evaluate(MUTE)
    for _ in range(10):
        if not found:
            break
        page.wait_for_timeout(200)
        found = page.evaluate(MUTE)
    return [f"off without a reason: {one}" for one in found]
