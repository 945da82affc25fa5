"""The page of the cage and the accounts is generated, fresh and complete."""

from __future__ import annotations

import re

import pytest

from croupier.accounts.commands import COMMANDS as ACCOUNTS_COMMANDS
from croupier.accounts.events import EVENTS as ACCOUNTS_EVENTS
from croupier.accounts.limits import LimitCode
from croupier.cage.commands import COMMANDS as CAGE_COMMANDS
from croupier.cage.events import EVENTS as CAGE_EVENTS
from croupier.floor.limits import PLAYS
from tools.house_pages import PAGE, house_page
from tools.table_pages import refusals_page


def test_the_page_is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == house_page(), "docs/house.md: run make docs"


@pytest.mark.parametrize(
    ("part", "kinds"),
    [
        ("The cage", (*CAGE_COMMANDS, *CAGE_EVENTS)),
        ("The accounts", (*ACCOUNTS_COMMANDS, *ACCOUNTS_EVENTS)),
    ],
)
def test_everything_is_on_it(part: str, kinds: tuple[type]) -> None:
    text = house_page().split(f"\n## {part}\n")[1].split("\n## ")[0]
    for kind in kinds:
        assert text.count(f"\n| `{kind.__struct_config__.tag}` |") == 1  # type: ignore[attr-defined]
    anchor = re.search(r"\]\(refusals\.md#(.*?)\)", text)
    assert anchor is not None
    assert f"\n## {part}\n" in refusals_page()
    assert anchor[1] == part.lower().replace(" ", "-")


def test_what_keeps_a_patron_from_playing_is_on_it() -> None:
    text = house_page().split("\n## What keeps a patron from playing\n")[1]
    for number, code in enumerate(LimitCode, start=1):
        assert f"\n| {number} | `{code.value}` | {code.meaning} |" in text
    for kind in PLAYS:
        assert f"`{kind.__struct_config__.tag}`" in text
