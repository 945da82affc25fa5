"""The servers that the tests of the API share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.floor.api.served import serving

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.floor.api.served import Served


@pytest.fixture(scope="session")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a house in which the system deals."""
    with serving(tmp_path_factory.mktemp("floor"), deals=True) as served:
        yield served


@pytest.fixture(scope="session")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a house in which nothing happens that nobody asked for."""
    with serving(tmp_path_factory.mktemp("quiet"), deals=False) as served:
        yield served
