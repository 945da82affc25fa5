"""The page on views, changes and events is generated, fresh and complete."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, get_args

import msgspec
import pytest

from croupier.table.amounts import Amounts
from croupier.table.commands import Report
from croupier.table.events import By
from croupier.table.evolve import EVENTS
from croupier.table.preview import Preview
from croupier.table.reports import About
from croupier.table.roles import StaffPosition
from croupier.table.settings import Clocks
from croupier.table.state import Phase
from croupier.table.views.hearing import Audience, Heard
from croupier.table.views.lobby import TableSummary
from croupier.table.views.projection import PARTS, VIEWS, Change
from croupier.table.views.shapes import PublicView
from croupier.table.views.shapes_staff import SettingsShown
from tools import protocol_page, table_pages

if TYPE_CHECKING:
    from collections.abc import Iterator


def test_the_page_is_fresh() -> None:
    written = (table_pages.DOCS / protocol_page.PAGE).read_text(encoding="utf-8")
    assert written == protocol_page.page(), "docs/protocol.md is stale: run make docs"


@pytest.mark.parametrize("audience", Audience)
def test_every_field_of_every_view_is_on_the_page(audience: Audience) -> None:
    page = protocol_page.page()
    view = VIEWS[audience]
    kind = view if audience is Audience.PUBLIC else view.__annotations__[PARTS[audience]]
    name = kind if isinstance(kind, str) else kind.__name__
    section = re.split(r"^### ", page, flags=re.MULTILINE)
    (text,) = [one for one in section if re.match(rf"(`\w+` \()?{name}\b", one)]
    fields = (
        PublicView.__struct_fields__
        if audience is Audience.PUBLIC
        else next(
            one.type.__struct_fields__
            for one in msgspec.structs.fields(view)
            if one.name == PARTS[audience]
        )
    )
    assert re.findall(r"^\| `(\w+)` \|", text, flags=re.MULTILINE) == list(fields)


def test_every_event_has_its_row() -> None:
    page = protocol_page.page()
    for kind in EVENTS:
        assert f"| `{kind.__struct_config__.tag}` |" in page
    assert "| `credit_brought` | - | `cents` | `patron`, `cents` | `transfer` | - |" in page


def shapes_in(kind: object) -> Iterator[type]:
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        yield kind
        for field in msgspec.structs.fields(kind):
            yield from shapes_in(field.type)
    elif isinstance(kind, type) and issubclass(kind, Enum):
        yield kind
    for part in get_args(kind):
        yield from shapes_in(part)


def test_whatever_is_named_as_a_type_is_explained() -> None:
    """Settings and reports too, and the values of every enumeration."""
    page = protocol_page.page()
    roots = (*VIEWS.values(), *protocol_page.FINISHED, TableSummary, Preview)
    kinds = {By, *(kind for root in roots for kind in shapes_in(root))}
    kinds -= {*VIEWS.values(), *protocol_page.FINISHED, Change, Heard}  # in words
    assert {SettingsShown, Clocks, Report, Phase, StaffPosition} <= kinds
    for kind in kinds:
        if issubclass(kind, Enum):
            for value in kind:
                assert f"`{value.value}`" in page, (kind, value)
        elif kind.__module__.startswith("croupier.table.may") or kind is Amounts:
            continue
        elif issubclass(kind, About):
            assert f"| `{kind.__struct_config__.tag}` |" in page
        else:
            assert re.search(rf"^###+ .*\b{kind.__name__}\b", page, flags=re.MULTILINE), kind
