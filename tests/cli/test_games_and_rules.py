from __future__ import annotations

import pytest

from croupier import GAMES
from tests.cli.run import assert_refused, loaded_by, run, run_process

SLUGS = [
    "baccarat",
    "fa-fa-fabulous-4",
    "fortune-six-tournament",
    "power-98",
    "super-six",
    "fortune-six",
    "super-6",
    "no-commission",
    "tiger",
    "tiger-no-commission",
    "fabulous-4s",
]


def test_games_lists_the_eleven() -> None:
    ran = run("games")
    assert ran.code == 0
    for slug in SLUGS:
        assert f" {slug} " in ran.out
    assert "[tiger-pair]" in ran.out
    assert "from 20 March 2025, 09:00" in ran.out


def test_games_as_json() -> None:
    games = run("games", "--json").json
    assert [game["game"] for game in games] == SLUGS
    assert games[1]["rulebook"] == "FF3"
    assert games[1]["version"] == 3
    assert games[1]["deck"] == 65
    assert games[0]["wagers"] == ["banker", "player", "tie", "player-pair", "banker-pair"]
    assert games[8]["optional"] == [
        "tiger-pair",
        "tiger",
        "small-tiger",
        "big-tiger",
        "tiger-tie",
    ]
    assert games[4]["effective"] == "2025-03-20T09:00:00+08:00"


def test_games_loads_no_heavy_library() -> None:
    printed, heavy = loaded_by("games")
    assert heavy == set()
    assert "baccarat" in printed


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_rules_show_every_line_with_its_clause(game: object) -> None:
    from croupier import Game, find_rulebook  # noqa: PLC0415  # for the annotation of the test

    assert isinstance(game, Game)
    ran = run("rules", game.slug)
    assert ran.code == 0
    rulebook = find_rulebook(game.edition.code)
    assert f"version {game.edition.version}, in force from" in ran.out
    if rulebook.approval:
        assert "Gambling Regulatory Authority of Singapore" in ran.out
    else:
        assert "holds no approval" in ran.out
    for wager in game.wagers:
        assert wager.name in ran.out
        for row in wager.rows:
            assert row.label in ran.out
            assert row.clause.split("#")[0] in ran.out
    for term in rulebook.glossary:
        assert term.name in ran.out
        assert term.clause in ran.out
    for layout in rulebook.layouts:
        assert (f" {layout.clause} " in ran.out) == (layout.game in (None, game.slug))
    for precondition in game.preconditions:
        assert precondition.clause in ran.out
    assert ("Power hand for" in ran.out) == (game.slug == "power-98")


def test_rules_draw_the_tableau() -> None:
    lines = [
        [cell.strip() for cell in line.strip("│\n").split("│")]
        for line in run("rules", "baccarat").out.splitlines()
        if line.startswith("│")
    ]
    drawn = {cells[0]: "".join(cells[1:12]) for cells in lines if len(cells) == 13}
    assert [cells[12] for cells in lines if len(cells) == 13] == ["BAC8 3.14"] * 8
    assert drawn == {
        "0": "DDDDDDDDDDD",
        "1": "DDDDDDDDDDD",
        "2": "DDDDDDDDDDD",
        "3": "DDDDDDDDD-D",
        "4": "D--DDDDDD--",
        "5": "D----DDDD--",
        "6": "-------DD--",
        "7": "-----------",
    }


def test_rules_as_json() -> None:
    rules = run("rules", "fa-fa-fabulous-4", "--json").json
    assert rules["layouts"][4] == {
        "layout": "E",
        "positions": {"min": 8, "max": 16},
        "terminal": None,
        "clause": "FF3 appendix-E",
    }
    tie = next(wager for wager in rules["wagers"] if wager["wager"] == "tie")
    assert [row["pays"] for row in tie["rows"]] == ["800 to 1", "8 to 1"]
    assert rules["tableau"]["banker_draws"][6] == {
        "total": 6,
        "player_stood": False,
        "against": [6, 7],
        "clauses": ["FF3 3.14"],
    }
    power = run("rules", "power-98", "--json").json
    assert power["die"] == {"faces": [1, 2, 3, 4, 5, 6], "power": 3, "clause": "PB6 3.6.2"}
    assert power["preconditions"][0] == {
        "wagers": ["player-natural-8", "player-natural-9"],
        "main": "player",
        "clause": "PB6 3.5.1",
    }
    assert power["approval"] is None


def test_an_unknown_game_is_refused_with_the_list() -> None:
    assert_refused(run("rules", "poker"), "'poker'", "baccarat", "tiger-no-commission")


def test_a_missing_game_an_unknown_command_and_an_unknown_option_are_refused() -> None:
    assert_refused(run("rules"), "GAME")
    assert_refused(run("odd"), "odd")
    assert_refused(run("games", "--jsn"), "--jsn")


def test_help_version_and_no_command_are_answers() -> None:
    assert "settle" in run("--help").out
    assert "--cards" in run("settle", "--help").out
    assert run("--version").out.strip() == "0.1.0"
    assert "Commands" in run().out
    assert run_process("--help").code == 0
