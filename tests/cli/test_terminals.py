"""What people see: narrow terminals lose nothing, and hints fit what was typed."""

from __future__ import annotations

import random

import pytest

from croupier import GAMES
from croupier.cli import app
from tests.cli.run import assert_refused, run

SHOWN = [
    ["games"],
    ["compare"],
    *(["rules", game.slug] for game in GAMES),
    *(["odds", game.slug] for game in GAMES),
    ["odds", "fa-fa-fabulous-4", "--wager", "tie"],
    ["settle", "tiger", "--cards", "QC QS QS QD 3H 8S"],
    ["decided", "fa-fa-fabulous-4", "--known", "P1=4-Gold P2=4-Gold"],
    ["deal", "--all", "--seed", "1"],
    ["simulate", "power-98", "--coups", "1000", "--independent", "--seed", "1"],
    ["count", "power-98", "--effects", "--wager", "tie"],
    ["risk", "baccarat", "--stake", "banker=100", "--rounds", "100"],
]


@pytest.mark.parametrize("columns", ["60", "80"])
@pytest.mark.parametrize("arguments", SHOWN, ids=" ".join)
def test_nothing_is_cut_off(
    arguments: list[str], columns: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    ran = run(*arguments)
    assert ran.code == 0, ran.err
    assert "…" not in ran.out
    if columns == "80":
        assert max(map(len, ran.out.splitlines())) <= 120


def test_the_names_one_must_type_are_whole_on_an_ordinary_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = run("games").out
    for game in GAMES:
        assert game.slug in out
        for wager in game.wagers:
            assert wager.slug in out
    assert max(map(len, out.splitlines())) <= 80


def test_a_long_road_is_drawn_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    outcomes = " ".join(random.Random(3).choices("PBT", [45, 46, 9], k=75))
    lines = run("roads", "--outcomes", outcomes).out.splitlines()
    start = lines.index("Big road")
    block = lines[start + 1 : start + 7]
    assert {len(line) for line in block} == {60}
    assert lines[start + 7] == ""
    assert lines[start + 8].strip()
    assert "No coup yet" in run("roads", "--outcomes", "").out


def test_every_registered_command_can_be_loaded() -> None:
    names = [name for name in app if not name.startswith("-")]
    assert len(names) == 27
    for name in names:
        ran = run(name, "--help")
        assert ran.code == 0
        # A server answers in JSON all day; what it prints itself is its ready file. A device
        # prints nothing, and administration and configuration have commands of their own.
        assert "--json" in ran.out or name in ("admin", "config", "device", "serve")


def test_hints_fit_what_was_typed() -> None:
    stakes = ["--stake", "banker=100", "tie=10", "--rounds", "10"]
    assert_refused(run("risk", "baccarat", *stakes), "repeat the option")
    assert_refused(run("odds", "tiger", "baccarat"), "'baccarat' was not expected")
    assert_refused(run("deal", "tiger", "--seed", "-1"), "a seed is 0 or more")
    assert run("rules", "Tiger Baccarat", "--json").json["game"] == "tiger"
    assert run("odds", "tiger", "--wager", "Tie", "--json").code == 0


def test_figures_drawn_at_once_claim_no_speed() -> None:
    out = run("simulate", "tiger", "--coups", "1000", "--independent").out
    assert "no card was dealt" in out
    assert "/s" not in out


def test_a_par_sheet_as_json_needs_no_file() -> None:
    answer = run("parsheet", "tiger", "--json").json
    assert answer["file"] is None
    assert len(answer["sha256"]) == 64
