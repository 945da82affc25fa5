"""What the tests of the journal's commands share: a house with a journal."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.journal.casino import built

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a journal, its checkpoints and its keys."""
    folder = tmp_path_factory.mktemp("casino")
    built(folder)
    return folder


@pytest.fixture
def house(whole: Path, tmp_path: Path) -> Path:
    """Return a copy of that folder."""
    return shutil.copytree(whole, tmp_path / "house")


@pytest.fixture
def journal(house: Path) -> str:
    """Return the name of its journal."""
    return str(house / "journal.sqlite")
