"""What the tests of the floor share: a house that nobody deals in, with its door."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.floor.guarding import UNLIMITED, house

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.floor.guarding import Door


@pytest.fixture(scope="session")
def quiet() -> Iterator[Door]:
    """Serve a house in which nothing is written that nobody asked for.

    Whoever changes what others look at takes a house of their own.
    """
    with house(settings=UNLIMITED) as one:
        yield one
