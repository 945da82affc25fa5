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
