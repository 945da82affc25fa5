"""The pages say what is true: their code runs, their commands answer, their names exist."""

from __future__ import annotations

import importlib
import re
import shlex
from pathlib import Path

import pytest

from tests.cli.run import run

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)
PAGES = sorted(
    str(path.relative_to(ROOT))
    for folder in (ROOT, ROOT / "docs")
    for path in folder.glob("*.md")
)
LINK = re.compile(r"\]\(([^)#]+)\)")
SIZE = re.compile(r"-\d+(?=\.png$)")
"""How wide a picture is, in the name of its file."""
CODE_NAME = re.compile(r"`((?:rules|rulebooks|money|table|odds|roads)\.[\w.]+)`")
COMMANDS = [
    line.partition("  #")[0].strip()
    for _, block in BLOCK.findall(README)
    for line in block.splitlines()
    if line.startswith("croupier ")
]


def test_the_python_of_the_readme_runs_and_says_the_truth(
    capsys: pytest.CaptureFixture[str],
) -> None:
    names: dict[str, object] = {}
    checked = 0
    for language, block in BLOCK.findall(README):
        if language != "python":
            continue
        exec(block, names)  # noqa: S102  # our own page
        for line in block.splitlines():
            code, hash_sign, claim = line.partition("  # ")
            if hash_sign and not code.startswith(("print", "odds = ")) and "(" in claim + "(":
                value = eval(code, names)  # noqa: S307  # our own page
                if claim.startswith(("Side", "'", "Fraction")):
                    assert repr(value) == claim
                    checked += 1
    assert checked >= 4
    assert capsys.readouterr().out == "P3: Player has 0 and draws [BAC8 3.14]\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_of_the_readme_answer(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "coups.txt").write_text("5S 6S 5D 4C QS 7H\n", encoding="utf-8")
    words = shlex.split(command)[1:]
    if "simulate" in words and "--independent" not in words:
        words[words.index("--coups") + 1] = "1000000"  # the same command, sooner done
    ran = run(*words)
    assert ran.code == 0, ran.err
    assert ran.out


def test_there_are_commands_in_the_readme() -> None:
    assert len(COMMANDS) > 15


@pytest.mark.parametrize("page", ["docs/readings.md", "ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_names_of_code_in_the_pages_exist(page: str) -> None:
    for name in CODE_NAME.findall((ROOT / page).read_text(encoding="utf-8")):
        parts = name.split(".")
        for split in range(len(parts), 0, -1):
            try:
                found: object = importlib.import_module("croupier." + ".".join(parts[:split]))
            except ModuleNotFoundError:
                continue
            for part in parts[split:]:
                if part in getattr(found, "__dataclass_fields__", ()):
                    break  # a field of the class that came before it
                found = getattr(found, part)
            break
        else:
            pytest.fail(f"{page} speaks of {name}, which does not exist")


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    path = ROOT / page
    for target in LINK.findall(path.read_text(encoding="utf-8")):
        assert target.startswith("https://") or (path.parent / target).exists(), target


def test_every_picture_is_shown_or_named_by_a_page() -> None:
    """One that no page leads to is one that nobody looks at; of its widths one is enough."""
    texts = [(ROOT / page).read_text(encoding="utf-8") for page in PAGES]
    named = {SIZE.sub("", target) for text in texts for target in LINK.findall(text)}
    names = {target.rpartition("/")[2] for target in named}
    pictures = {SIZE.sub("", path.name) for path in (ROOT / "docs" / "screens").glob("*.png")}
    assert pictures - names == set()
