"""Whatever can be off on a screen names its reason; that the reason is read, the pages show."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.web.pages import SOURCES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SCREENS = sorted(path for path in SOURCES.rglob("*.tsx") if ".test." not in path.name)
OFF = re.compile(r"\s(?:aria-)?disabled(?:=\{|(?=[\s>]))")
TRANSIENT = re.compile(r"(?:\w+\.)*(?:sending|busy|away|verifying)(?:\.value)?(?: !== null)?")
"""Something is on its way, or nobody can be reached: that is said for the whole screen."""
TOLD_AROUND = {
    ("Spots.tsx", "!able"),
    ("PinnedTable.tsx", "!able"),
    ("Keypad.tsx", "props.disabled"),
}
"""Spots say it once, for all of them; a keypad waits for the card or the dialog before it."""


def _braced(text: str, at: int) -> str:
    """Return what is in braces, from behind the first one on."""
    depth, end = 1, at
    while depth:
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        end += 1
    return text[at : end - 1]


def _tag(text: str, at: int) -> str:
    """Return the opening tag around a place; what is in braces may have `>` of its own."""
    begin = max(text.rfind(f"<{kind}", 0, at) for kind in ("button", "input", "Keypad"))
    depth = 0
    for end in range(begin, len(text)):
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        if text[end] == ">" and depth == 0:
            return text[begin:end]
    raise AssertionError(text[begin:at])


def silent(path: Path) -> Iterator[str]:
    """Yield what turns controls of a source off without a reason."""
    text = path.read_text(encoding="utf-8")
    for off in OFF.finditer(text):
        tag = _tag(text, off.start())
        always = not off.group().endswith("{")
        condition = "always" if always else _braced(text, off.end())
        lasting = [one for one in condition.split(" || ") if not TRANSIENT.fullmatch(one)]
        told = "aria-describedby" in tag or (path.name, condition) in TOLD_AROUND
        if lasting and not told and not tag.startswith("<Keypad"):
            yield f"{path.name}: {condition}"


def test_whatever_can_be_off_names_its_reason() -> None:
    assert [one for path in SCREENS for one in silent(path)] == []
