"""The examples of the protocol's page are true: they are run, and answers have their shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.floor.api.examples import Example, Story, examples
from tools.protocol_page import PAGE
from tools.table_pages import DOCS

if TYPE_CHECKING:
    from tests.floor.api.served import Served


def told() -> list[Example]:
    return examples((DOCS / PAGE).read_text(encoding="utf-8"))


def test_the_examples_of_the_page_run(floor: Served) -> None:
    found = told()
    assert {one.kind for one in found} == {"http", "ws"}
    assert all(one.answer for one in found if one.kind == "http")
    story = Story(floor, "patron-09")
    for one in found:
        story.run(one)


@pytest.mark.parametrize(
    "answer",
    [
        "201 {}",
        '200 {"kinds": "patron"}',
        '200 {"kind": 3}',
        '200 {"kind": ["patron"]}',
        '200 [{"kind": "patron"}]',
    ],
)
def test_an_example_that_is_not_true_is_found(floor: Served, answer: str) -> None:
    story = Story(floor, "patron-10")
    story.run(told()[0]._replace(said=told()[0].said.replace("patron-09", "patron-10")))
    with pytest.raises(AssertionError):
        story.run(told()[1]._replace(answer=answer))
