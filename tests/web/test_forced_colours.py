"""Where the system chooses the colours, what is chosen is still told apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.looking import LARGE, somebody

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.floor.serving import Served

ALIKE = """() => {
  const marks = ["aria-pressed", "aria-checked", "aria-selected", "aria-current"];
  const marked = one => marks.some(name => !["false", null].includes(one.getAttribute(name)));
  // What lets through what lies behind it has that colour, whatever its own would be.
  const ground = one => {
    const found = getComputedStyle(one).backgroundColor;
    const through = found === "transparent" || found.endsWith(", 0)");
    return !through ? found : one.parentElement === null ? "canvas" : ground(one.parentElement);
  };
  const style = one => {
    const found = getComputedStyle(one);
    return ["border", "outline", "color", "textDecorationLine", "fontWeight"]
      .map(name => found[name]).concat(ground(one), one.querySelectorAll("svg").length)
      .join("|");
  };
  const able = one => one.checkVisibility() && !one.disabled;
  const beside = (one, other) => other !== one && other.tagName === one.tagName;
  return [...document.querySelectorAll(marks.map(name => `[${name}]`).join(","))]
    .filter(one => able(one) && marked(one))
    .flatMap(one => {
      const others = [...one.parentElement.children]
        .filter(other => beside(one, other) && able(other) && !marked(other));
      const same = others.filter(other => style(other) === style(one));
      const name = `${one.tagName}.${one.className} "${one.textContent.slice(0, 30)}"`;
      return same.length ? [name] : [];
    });
}"""
"""What is marked for those who hear the page, and looks as one beside it that is not."""
FAINT = """() => [...document.querySelectorAll("button, a, input, select, [role=radio]")]
  .filter(one => one.checkVisibility() && one.matches(":focus-visible"))
  .map(one => getComputedStyle(one))
  .filter(one => one.outlineStyle === "none" || parseFloat(one.outlineWidth) < 2).length"""
"""How many controls have the focus and no outline."""


def looked_at(page: Page) -> list[str]:
    """Return what cannot be told apart on a page, and where the focus cannot be seen."""
    page.emulate_media(forced_colors="active")
    assert page.evaluate("matchMedia('(forced-colors: active)').matches")
    page.wait_for_timeout(200)
    found: list[str] = page.evaluate(ALIKE)
    for _ in range(6):
        page.keyboard.press("Tab")
        if page.evaluate(FAINT):
            found.append(
                f"no outline: {page.evaluate('document.activeElement.outerHTML')[:120]}"
            )
    return found


@pytest.mark.parametrize(
    ("who", "path", "ready"),
    [
        ("patron-14", "/lobby", "article"),
        ("patron-14", "/tables", "h1"),
        ("patron-14", "/table/tiger", "[role=radio]"),
        ("patron-14", "/table/tiger/pays", ".sheet"),
        ("dealer", "/dealer/baccarat", ".btn"),
        ("pit-manager", "/pit", ".tileof"),
        ("pit-manager", "/pit/baccarat/settings", ".in"),
        ("pit-manager", "/pit/reports", ".seg"),
        ("auditor", "/audit", "table"),
    ],
)
def test_what_is_chosen_is_told_apart_without_our_colours(
    browser: Browser, quiet: Served, who: str, path: str, ready: str
) -> None:
    with somebody(browser, quiet, who, {"viewport": LARGE}) as context:
        page = context.new_page()
        page.goto(path)
        page.locator(ready).first.wait_for()
        assert looked_at(page) == []
