from __future__ import annotations

import pytest

from tests.cli.run import assert_refused, run, run_process


def test_the_example_of_the_readme() -> None:
    answer = run("decided", "baccarat", "--known", "P1=9S P2=9H B1=KD", "--json").json
    assert answer == {
        "game": "baccarat",
        "known": {"P1": "9S", "P2": "9H", "B1": "KD"},
        "established": True,
        "wagers": {
            "banker": "open",
            "player": "open",
            "tie": "open",
            "player-pair": "won",
            "banker-pair": "open",
        },
    }


def test_only_the_offered_wagers_count() -> None:
    arguments = ("decided", "baccarat", "--known", "p1=9s,p2=9h", "--json", "--wagers")
    main_wagers = run(*arguments, "player,banker,tie").json
    assert main_wagers["established"] is False
    assert main_wagers["wagers"] == {"player": "open", "banker": "open", "tie": "open"}
    assert run(*arguments, "tie player-pair").json["established"] is True


def test_a_certain_push_establishes_nothing() -> None:
    known = "P1=9S P2=KH B1=9D B2=QD"
    answer = run("decided", "baccarat", "--known", known, "--wagers", "player", "--json").json
    assert answer["wagers"] == {"player": "push"}
    assert answer["established"] is False


def test_nothing_known_decides_nothing() -> None:
    answer = run("decided", "tiger", "--known", "", "--json").json
    assert answer["known"] == {}
    assert set(answer["wagers"].values()) == {"open"}


def test_on_a_terminal_it_is_a_table() -> None:
    out = run("decided", "tiger", "--known", "P1=9S P2=9H").out
    assert "Tiger Pair" in out
    assert "An outcome is established: " in out
    assert "No outcome is established: " in run("decided", "tiger", "--known", "P1=9S").out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--known", "P1=9S P2=KS P3=2C"], ["P3=2C", "BAC8 3.14"]),
        (["--known", "P1=2S P2=KS B1=8D B2=KD B3=2C"], ["No deal", "B3=2C"]),
        (["--known", "P1=9S P1=2S"], ["P1 came twice"]),
        (["--known", "P4=9S"], ["'P4=9S'", "P1 B1 P2 B2 P3 B3"]),
        (["--known", "9S"], ["'9S'", "such as P1=9S"]),
        (["--known", "P1=1S"], ["'1S'"]),
        (["--known", "P1=9S", "--wagers", "fortune-six"], ["fortune-six", "player-pair"]),
        (["--known", "P1=9S", "--wagers", ""], ["--wagers is empty"]),
        (["--known", "P1=9S", "--decks", "2"], ["2 decks"]),
        (["--known", "P1=4S P2=4S B1=4S B2=4S P3=4S", "--decks", "4"], ["5 cards 4S"]),
        ([], ["--known", "--file"]),
    ],
)
def test_refusals(arguments: list[str], words: list[str]) -> None:
    assert_refused(run("decided", "baccarat", *arguments), *words)


def test_a_file_gives_one_object_per_line_in_order() -> None:
    given = "P1=9S P2=9H\nP1=9S P2=9H P3=2C\n\nB1=4D B2=4D\n"
    ran = run_process("decided", "baccarat", "--file", "-", "--json", given=given)
    assert ran.code == 1
    first, second, third, fourth = ran.json_lines
    assert first["wagers"]["player-pair"] == "won"
    assert second["line"] == 2
    assert "no such third card" in second["error"]
    assert third["established"] is False
    assert fourth["wagers"]["banker-pair"] == "won"
    text = run_process("decided", "baccarat", "--file", "-", given="P1=9S P2=9H\n")
    assert text.out.startswith("established: banker open")
