"""The page on views, changes and events is generated, fresh and complete."""

from __future__ import annotations

import re

import msgspec
import pytest

from croupier.table.evolve import EVENTS
from croupier.table.views.hearing import Audience
from croupier.table.views.projection import PARTS, VIEWS
from croupier.table.views.shapes import PublicView
from tools import protocol_page, table_pages


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
    assert "| `credit_brought` | - | `cents` | - | `patron`, `cents`, `transfer` | - |" in page
