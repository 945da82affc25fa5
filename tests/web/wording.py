"""What a page says: the words that are to be read on it, and those that may be Latin."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from playwright.sync_api import Page

    from tests.web.staff import Staff

SEEN = """foreign => {
  const said = [];
  const hidden = one => one === null || one.closest(foreign) !== null;
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const holder = nodes.currentNode.parentElement;
    if (!hidden(holder) && (holder.tagName === "OPTION" || holder.checkVisibility()))
      said.push(nodes.currentNode.textContent);
  }
  for (const name of ["aria-label", "placeholder", "title"])
    for (const one of document.querySelectorAll(`[${name}]`))
      if (!hidden(one) && one.checkVisibility()) said.push(one.getAttribute(name));
  return said;
}"""
"""Texts and names for screen readers that are shown, outside of what is foreign."""
WORD = re.compile(r"[A-Za-z][A-Za-z']*[A-Za-z]")
CODED = re.compile(
    r"(?:[A-Z0-9•]{4} ){3}[A-Z0-9]{4}|•{4} [A-Z0-9]{4}"
    r"|\b(?=[\w:.-]*\d)[\w:.-]+|\b[0-9a-f]{4,}(?:…[0-9a-f]*)?|…[0-9a-f]{4}\b"
)
"""Anything with a figure in it is a code: a clause, a card, a digest; and a ticket's number."""
NAMES = (
    "Power hand",  # as approved
    "Croupier",
    "English Bahasa Melayu",
    "English",
    "Melayu",
    "Bahasa",
    "JSON",
    "CSV",
    "SGD",
    "Shou Lu Fu",
    *("SHOU", "LU", "FU"),  # on the cards themselves
    *("Tab", "Enter", "Esc", "Del", "Backspace"),
)
WIRE = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
BROKEN = re.compile(r"\{\w+[,}]|\bundefined\b|\bNaN\b|\[object|\bnull\b|, plural,")


def said(page: Page, *, english: bool) -> list[str]:
    """Return the texts that a page shows; without what says itself to be English, if asked."""
    foreign = "script, style" + ("" if english else ", body [lang=en]")
    texts: list[str] = page.evaluate(SEEN, foreign)
    return [text for text in texts if text.strip()]


def latin(texts: Iterable[str], names: Iterable[str]) -> set[str]:
    """Return the texts with Latin words that no name allows."""
    known = sorted({*NAMES, *names}, key=len, reverse=True)
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in known))
    return {text for text in texts if WORD.search(CODED.sub(" ", pattern.sub(" ", text)))}


def unworded(texts: Iterable[str]) -> set[str]:
    """Return the texts that show names of the wire or words that are missing."""
    return {text for text in texts if WIRE.search(text) or BROKEN.search(text)}


def names_of(staff: Staff) -> set[str]:
    """Return the names that stay as they are: games, wagers, tables, people, rulebooks."""
    found: set[str] = {"patron", "the house"}
    for table in staff.get("pit-manager", "/tables"):
        view = staff.view(table["name"], "pit-manager")
        wagers = (view["rules"] or {}).get("wagers", ())
        found |= {table["name"], table["title"], table["game"], table["rulebook"]}
        found |= {one["name"] for one in wagers} | {one["slug"] for one in wagers}
    found |= {one["name"] for one in staff.get("dealer", "/games")}
    found |= {one["name"] for one in staff.get("technician", "/devices")}
    found |= {one["rulebook"] for one in staff.get("dealer", "/games")}
    return {one for one in found if one} | set(
        written(staff.get("pit-manager", "/alarms/history"))
    )


def written(said: Any) -> Iterator[str]:  # noqa: ANN401  # JSON
    """Return what people wrote themselves, in the language they liked."""
    if isinstance(said, list):
        for one in said:
            yield from written(one)
    elif isinstance(said, dict):
        yield from (said[name] for name in ("note", "answer") if said.get(name))
        yield from written(list(said.values()))
