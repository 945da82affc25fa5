"""Golden scripts: a table played line by line, each result compared to the letter."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from croupier.clauses import clauses
from croupier.playthrough import differences, named_by, read_lines, write_script
from croupier.rulebooks import GAMES
from croupier.table.refusals import Code

FOLDER = Path(__file__).parent / "playthroughs"
SCRIPTS = sorted(FOLDER.rglob("*.txt"))
CHAPTER_5 = [
    cite
    for cite, clause in clauses().items()
    if re.match(r"\w+ 5\.", cite) and clause.kind in ("computed", "decision")
]


def title(path: Path) -> str:
    return path.read_text(encoding="utf-8").partition("\n")[0]


def file_name(cite: str) -> str:
    """Name the file of a clause: ``BAC8 5.7#wrong-player`` is BAC8_5.7_wrong-player."""
    return re.sub("[ #]", "_", cite)


def topic(path: Path) -> str:
    """Return what a script is about; several on one topic add ``__`` and a word."""
    return path.stem.partition("__")[0]


TOPICS = {topic(path) for path in SCRIPTS}


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=pytest.mark.clause(*named_by(title(path))))
        for path in SCRIPTS
    ],
)
def test_a_playthrough_goes_as_it_is_written(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "\n".join(differences(text)) == ""
    assert write_script(text) == text, "run tools/playthroughs.py --write on it"


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_the_first_line_of_a_playthrough_cites_clauses_and_has_a_title(path: Path) -> None:
    first = title(path)
    cites = list(named_by(first))
    assert first.startswith("# ")
    assert cites
    assert [cite for cite in cites if cite not in clauses()] == []
    assert re.search(r"\S {2,}\S.*\.$", first), "two spaces and a sentence follow the clauses"


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_playthrough_is_about_what_its_name_says(path: Path) -> None:
    about = topic(path)
    lines = [line for line in read_lines(path.read_text(encoding="utf-8")) if line.asks]
    if about.startswith("game_"):
        openings = [line.text.split()[1] for line in lines if line.opens]
        assert about.removeprefix("game_") in openings
        assert any(line.text == "settle" for line in lines)
    elif about.startswith("refused_"):
        refused = f"refused {about.removeprefix('refused_')}"
        results = "; ".join(line.expected or "" for line in lines)
        assert re.search(rf"{refused}( |;|$)", results)
    else:
        cited = {file_name(cite) for cite in named_by(title(path))}
        below = [name for name in cited if name.startswith(f"{about}.")]
        assert about in cited or ("__" in path.stem and below)


@pytest.mark.parametrize("game", [game.slug for game in GAMES])
def test_every_game_has_a_playthrough(game: str) -> None:
    assert f"game_{game}" in TOPICS


@pytest.mark.parametrize("code", [code.value for code in Code])
def test_every_refusal_has_a_playthrough(code: str) -> None:
    assert f"refused_{code}" in TOPICS


@pytest.mark.parametrize("cite", CHAPTER_5)
def test_every_clause_on_irregularities_has_a_playthrough(cite: str) -> None:
    assert file_name(cite) in TOPICS
