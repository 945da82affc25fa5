"""The habits of the house, kept by an ordinary test."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "croupier"

# What each room may import, beside itself. Imports point one way.
CORE = {"frozen", "money", "rules"}
STREAMS = {"accounting", "frozen", "money", "shelf", "table"}
JOURNAL = {
    *CORE,
    "accounting",
    "accounts",
    "cage",
    "gaming_day",
    "rulebooks",
    "table",
    "verifier",
}
FLOOR = {*JOURNAL, "client", "documents", "journal", "odds", "roads", "uuids"}
MAY_IMPORT: dict[str, set[str]] = {
    "frozen": set(),
    "money": {"frozen"},
    "rules": {"frozen", "money"},
    "accounting": set(),
    "shelf": set(),
    "uuids": set(),
    "table": CORE,
    "cage": STREAMS,
    "accounts": STREAMS,
    "rulebooks": {*CORE, "table"},
    "playthrough": {*CORE, "table", "rulebooks"},
    "clauses": {"rules"},
    "gaming_day": {"money", "rules"},
    "verifier": set(),
    "journal": JOURNAL,
    "floor": FLOOR,
    "client": {"table", "uuids"},  # what goes over the wire
    "odds": {*CORE, "rulebooks"},
    "roads": {"frozen", "rules"},
    "documents": {"odds", "roads", "rules", "table"},
    "cli": FLOOR - {"accounting"} | {"clauses", "floor", "playthrough"},
}
PURE = (
    "accounting",
    "accounts",
    "cage",
    "frozen",
    "gaming_day",
    "money",
    "rules",
    "table",
    "rulebooks",
    "playthrough",
    "roads",
    "shelf",
)
IMPURE_MODULES = {"asyncio", "logging", "numpy", "os", "random", "secrets", "sys", "time"}
MODULE_LINES_MAX = 600
RULEBOOK_LINES_MAX = 800  # a rulebook is whole in one module, read beside its text
FUNCTION_LINES_MAX = 60


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_one_way(path: Path) -> None:
    here = room(path)
    allowed = MAY_IMPORT.get(here)
    rooms = {name.split(".")[1] for name in imported(path) if name.startswith("croupier.")}
    if allowed is not None:
        assert rooms - allowed - {here} == set()
    else:
        assert here in ("__init__", "__main__")
        assert "cli" not in rooms or here == "__main__"


@pytest.mark.parametrize(
    "path",
    [path for path in modules() if room(path) in PURE],
    ids=lambda path: str(path.relative_to(PACKAGE)),
)
def test_pure_rooms_have_no_clock_chance_or_float(path: Path) -> None:
    assert {name.split(".")[0] for name in imported(path)} & IMPURE_MODULES == set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant):
            assert not isinstance(node.value, float), f"line {node.lineno}"
        if isinstance(node, ast.BinOp) and room(path) != "money":
            assert not isinstance(node.op, ast.Div), f"line {node.lineno}"
        if isinstance(node, ast.Name):
            assert node.id != "float", f"line {node.lineno}"
        if isinstance(node, ast.Attribute):
            assert node.attr not in ("now", "today", "utcnow"), f"line {node.lineno}"


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_modules_and_functions_fit_a_sitting_and_a_screen(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    most = RULEBOOK_LINES_MAX if room(path) == "rulebooks" else MODULE_LINES_MAX
    assert text.count("\n") <= most
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            assert node.end_lineno is not None
            assert node.end_lineno - node.lineno < FUNCTION_LINES_MAX, node.name


def tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        return [
            path for path in ROOT.rglob("*") if path.is_file() and ".venv" not in path.parts
        ]
    paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    return [path for path in paths if path.is_file()]


def test_the_tree_names_no_registry_and_no_machine() -> None:
    forbidden = re.compile(
        r"https?://[^ \"]*(pypi|pythonhosted|npmjs|artifactory)|/(root|home)/|\.\./shared"
    )
    for path in tracked():
        if path.name == "test_tidy.py" or path.suffix in (".png", ".woff2"):
            continue
        found = forbidden.search(path.read_text(encoding="utf-8"))
        assert found is None, f"{path.relative_to(ROOT)}: {found}"


def test_locks_of_other_tools_are_not_kept() -> None:
    assert {path.name for path in tracked()} & {"uv.lock", "pylock.toml"} == set()


def test_every_locked_package_has_a_hash() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    packages = re.findall(r"^[a-z0-9-]+==.*(?:\n .*)*", lock, flags=re.MULTILINE)
    assert len(packages) > 10
    assert [package for package in packages if "--hash=sha256:" not in package] == []
