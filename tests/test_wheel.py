"""No wheel is built without its screens, whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import hatch_build

if TYPE_CHECKING:
    from pathlib import Path

PAGE = """<link rel="icon" href="/favicon.svg">
<script type="module" src="/assets/index-1.js"></script>
<link rel="stylesheet" href="/assets/index-2.css">"""
SCREENS = {
    "index.html": PAGE,
    "favicon.svg": "<svg/>",
    "assets/index-1.js": 'import"./shared-3.js";const t=()=>import("./Terminal-4.js")',
    "assets/index-2.css": "body{}",
    "assets/shared-3.js": "export{}",
    "assets/Terminal-4.js": 'const deps=["assets/Terminal-5.css"];import`./shared-3.js`',
    "assets/Terminal-5.css": ".a{}",
}
"""A page, what it names, what that loads later, and what goes with it."""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a checkout whose screens are built."""
    static = tmp_path / hatch_build.STATIC
    for name, text in SCREENS.items():
        (static / name).parent.mkdir(parents=True, exist_ok=True)
        (static / name).write_text(text)
    return tmp_path


def built(root: Path, version: str = "standard") -> dict[str, Any]:
    """Run the hook as the builder does; return what it says of the build."""
    data: dict[str, Any] = {"artifacts": []}
    nothing: Any = None  # of the rest of a build the hook asks nothing
    hook = hatch_build.Screens(str(root), {}, nothing, nothing, str(root), "wheel")
    hook.initialize(version, data)
    return data


def test_a_wheel_takes_the_whole_folder(checkout: Path) -> None:
    assert built(checkout)["artifacts"] == [f"{hatch_build.STATIC}/**"]


@pytest.mark.parametrize("name", SCREENS)
def test_a_wheel_without_a_file_of_its_screens_is_not_built(checkout: Path, name: str) -> None:
    (checkout / hatch_build.STATIC / name).unlink()
    with pytest.raises(RuntimeError, match=rf"run make web\. Missing: {name}\."):
        built(checkout)


def test_an_empty_file_is_as_good_as_none(checkout: Path) -> None:
    (checkout / hatch_build.STATIC / "assets/shared-3.js").write_text("")
    with pytest.raises(RuntimeError, match=r"assets/shared-3\.js"):
        built(checkout)


def test_a_checkout_builds_its_screens_later(tmp_path: Path) -> None:
    assert built(tmp_path, "editable")["artifacts"] == []
