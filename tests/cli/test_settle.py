from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from croupier import GAMES, Game, find_game
from croupier.cli.settle import json_line, settlement_document
from tests.cli.run import assert_refused, run, run_process

if TYPE_CHECKING:
    from pathlib import Path


def coups(game: Game, count: int, seed: int) -> list[str]:
    chance = random.Random(seed)
    shoe = game.shoe().cards()
    found = []
    for _ in range(count):
        cards = chance.sample(shoe, 6)
        coup = game.coup(cards[:4])
        while not coup.complete:
            coup = coup.draw(cards[len(coup.cards)])
        found.append(" ".join(card.text for card in coup.cards))
    return found


def test_the_example_of_the_readme() -> None:
    answer = run("settle", "baccarat", "--cards", "5S 6S 5D 4C QS 7H", "--json").json
    assert answer == {
        "game": "baccarat",
        "player": {"cards": ["5S", "5D", "QS"], "points": 0},
        "banker": {"cards": ["6S", "4C", "7H"], "points": 7},
        "winner": "banker",
        "natural": False,
        "power": False,
        "results": {
            "banker": {
                "net": "19/20",
                "result": "wins",
                "row": "Banker wins",
                "pays": "0.95 to 1",
                "clause": "BAC8 4.1",
            },
            "player": lost(),
            "tie": lost(),
            "player-pair": {
                "net": "11",
                "result": "wins",
                "row": "Player Pair",
                "pays": "11 to 1",
                "clause": "BAC8 4.1",
            },
            "banker-pair": lost(),
        },
    }


def lost() -> dict[str, str | None]:
    return {"net": "-1", "result": "loses", "row": None, "pays": None, "clause": None}


def test_a_tie_pushes_the_main_wagers() -> None:
    answer = run("settle", "baccarat", "--cards", "5S,7C,KS,8S,QS", "--json").json
    assert answer["winner"] == "tie"
    assert answer["player"]["cards"] == ["5S", "KS", "QS"]
    assert answer["results"]["player"] == {
        "net": "0",
        "result": "pushes",
        "row": "Tie",
        "pays": "Push",
        "clause": "BAC8 3.15.1",
    }


@pytest.mark.clause("PB6 3.6.2", "PB6 4.2")
def test_the_die_of_power_98() -> None:
    cards = ("settle", "power-98", "--cards", "9S 2H KC 3D", "--json")
    for die in range(1, 7):
        answer = run(*cards, "--die", str(die)).json
        assert answer["power"] == (die == 3)
        assert answer["results"]["player"]["net"] == ("21/20" if die == 3 else "1")
    without = run(*cards).json
    assert without["power"] is False
    assert without["natural"] is True
    assert without["results"]["player-natural-9"]["net"] == "8"


def test_cards_of_the_65_card_deck_and_their_short_names() -> None:
    cards = "4-Fire 4-Wood 4-gold 4-Wood"
    answer = run("settle", "fa-fa-fabulous-4", "--cards", cards, "--json").json
    assert answer["player"]["cards"] == ["4-Fire", "4-Gold"]
    assert answer["results"]["tie"]["pays"] == "800 to 1"
    short = run(
        "settle", "fa-fa-fabulous-4", "--cards", "L-Fire S-Wood 8-Gold F-Wood", "--json"
    )
    assert short.json["player"]["cards"] == ["Lu-Fire", "8-Gold"]
    assert short.json["banker"]["cards"] == ["Shou-Wood", "Fu-Wood"]


def test_on_a_terminal_it_is_a_table() -> None:
    ran = run("settle", "tiger", "--cards", "QC QS QS QD 3H 8S")
    assert "Twin: both hands pair on one rank" in ran.out
    assert "100 to 1" in ran.out
    assert "Banker wins" in ran.out


@pytest.mark.parametrize(
    ("game", "arguments", "words"),
    [
        ("baccarat", ["--cards", "5S 6S 5D"], ["3 cards", "B2", "BAC8 3.12"]),
        ("baccarat", ["--cards", ""], ["0 cards", "P1"]),
        ("baccarat", ["--cards", "5S 6S 5D 4C"], ["P3", "Player has 0 and draws"]),
        ("baccarat", ["--cards", "5S 6S 5D 4C QS"], ["B3", "Banker has 0 and draws"]),
        ("baccarat", ["--cards", "5S 6S 5D 4C QS 7H 2D"], ["seventh card 2D"]),
        ("baccarat", ["--cards", "9S 2D KS 2C 3D"], ["fifth card 3D", "natural 9"]),
        (
            "baccarat",
            ["--cards", "2S 9D KS KC 3D"],
            ["fifth card 3D", "Banker has a natural 9"],
        ),
        ("baccarat", ["--cards", "6S 7D KS KC 3D"], ["Player stands on 6", "BAC8 3.14"]),
        (
            "baccarat",
            ["--cards", "2S 3D KS KC 8D 2C"],
            ["sixth card 2C", "Banker stands on 3 against a third card of 8"],
        ),
        ("baccarat", ["--cards", "5S 6S 5D 1C"], ["'1C'", "52-card deck", "such as TD"]),
        ("baccarat", ["--cards", "5S 6S 5D 4-Gold"], ["'4-Gold'", "52-card deck"]),
        ("fa-fa-fabulous-4", ["--cards", "5S"], ["'5S'", "65-card deck", "such as 4-Gold"]),
        ("fa-fa-fabulous-4", ["--cards", "K-Gold"], ["'K-Gold'"]),
        (
            "baccarat",
            ["--cards", "AS AS AS AS AS AS", "--decks", "4"],
            ["6 cards AS", "holds 4"],
        ),
        ("baccarat", ["--cards", "9S 2D KS 2C", "--decks", "3"], ["3 decks", "BAC8 2.1"]),
        ("tiger", ["--cards", "9S 2D KS 2C", "--decks", "11"], ["11 decks", "EB4 2.1"]),
        ("baccarat", ["--cards", "9S 2D KS 2C", "--decks", "many"], ["many"]),
        ("baccarat", ["--cards", "9S 2D KS 2C", "--die", "3"], ["die of 3", "without a die"]),
        ("power-98", ["--cards", "9S 2D KS 2C", "--die", "0"], ["cannot show 0", "PB6 3.6.2"]),
        ("power-98", ["--cards", "9S 2D KS 2C", "--die", "7"], ["cannot show 7", "1 to 6"]),
        ("baccarat", [], ["--cards", "--file"]),
        ("baccarat", ["--cards", "9S 2D KS 2C", "--file", "x"], ["either --cards"]),
        ("baccarat", ["--file", "no-such-file"], ["no-such-file", "No such file"]),
        ("baccarat", ["--file", "."], ["cannot be used"]),
    ],
)
def test_refusals(game: str, arguments: list[str], words: list[str]) -> None:
    assert_refused(run("settle", game, *arguments), *words)


def test_as_many_copies_as_the_decks_hold_are_settled() -> None:
    ran = run("settle", "baccarat", "--cards", "AS AS AS AS 2D 3D", "--decks", "4", "--json")
    assert ran.json["player"]["points"] == 4


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_a_line_of_a_file_is_the_answer_to_its_coup(game: Game) -> None:
    write = json_line(game)
    for cards in coups(game, 300, seed=11):
        for die in (None, 3) if game.die else (None,):
            settlement = game.settle(cards, die=die)
            assert json.loads(write(settlement)) == settlement_document(settlement)


def test_a_file_gives_one_object_per_line_in_order(tmp_path: Path) -> None:
    lines = coups(find_game("power-98"), 40, seed=5)
    lines[3] += "; die 3"
    lines[7] += " ;  DIE 2 "
    lines[10] = "5S 6S 5D"
    lines[20] = lines[20] + " ; die 9"
    lines[21] = lines[21] + " ; dye 3"
    lines[22] = ""
    file = tmp_path / "coups.txt"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    ran = run_process("settle", "power-98", "--file", str(file), "--json")
    assert ran.code == 1
    assert ran.err == "croupier: 4 lines were refused.\n"
    answers = ran.json_lines
    assert len(answers) == 40
    refused = {answer["line"]: answer["error"] for answer in answers if "error" in answer}
    assert set(refused) == {11, 21, 22, 23}
    assert "B2" in refused[11]
    assert "cannot show 9" in refused[21]
    assert "dye 3" in refused[22]
    assert [answer["power"] for answer in answers[:9]] == [False] * 3 + [True] + [False] * 5
    for line, answer in zip(lines, answers, strict=True):
        if "error" not in answer:
            cards = find_game("power-98").coup(line.partition(";")[0])
            assert answer["player"]["cards"] == [card.text for card in cards.player.cards]
            assert answer["banker"]["cards"] == [card.text for card in cards.banker.cards]


def test_a_good_file_ends_with_code_0_from_standard_input_too() -> None:
    ran = run_process(
        "settle", "baccarat", "--file", "-", "--json", given="9S 2D KS 2C\r\n" * 3
    )
    assert ran.code == 0
    assert ran.err == ""
    assert [answer["winner"] for answer in ran.json_lines] == ["player"] * 3


def test_bytes_that_are_no_text_spoil_their_own_line_only() -> None:
    ran = run_process(
        "settle",
        "baccarat",
        "--file",
        "-",
        "--json",
        given=b"9S 2D KS 2C\n\xff\xfe\x00\n9S 2D KS 2C\n",
    )
    assert ran.code == 1
    assert [("error" in answer) for answer in ran.json_lines] == [False, True, False]


def test_a_file_without_json_is_a_line_of_text_each() -> None:
    ran = run_process("settle", "baccarat", "--file", "-", given="9S 2D KS 2C\nx\n")
    assert ran.code == 1
    first, second = ran.out.splitlines()
    assert first == "9-4 player: player 1 to 1, banker-pair 11 to 1"
    assert second.startswith("line 2: 'x' is not a card")


def test_an_empty_file_is_said_and_no_error(tmp_path: Path) -> None:
    file = tmp_path / "empty"
    file.touch()
    ran = run("settle", "baccarat", "--file", str(file), "--json")
    said = f"croupier: {file} has no line, so nothing was answered.\n"
    assert (ran.code, ran.out, ran.err) == (0, "", said)


@pytest.mark.parametrize(
    "arguments",
    [
        ["settle", "power-98", "--cards", "9S 2H KC 3D", "--die", "2.6"],
        ["settle", "power-98", "--cards", "9S 2H KC 3D", "--die", "0x3"],
        ["settle", "power-98", "--cards", "9S 2H KC 3D", "--die", "٣"],
        ["settle", "baccarat", "--cards", "9S 2H KC 3D", "--decks", "7.5"],
        ["settle", "baccarat", "--cards", "9S 2H KC 3D", "--decks", "9" * 5000],
        ["deal", "baccarat", "--seed", "1.5"],
        ["odds", "power-98", "--die", "2.6"],
    ],
)
def test_only_whole_numbers_are_numbers(arguments: list[str]) -> None:
    ran = run(*arguments)
    assert_refused(ran, "is not a whole number")
    assert len(ran.err) < 300


def test_a_strange_die_spoils_its_own_line_only() -> None:
    lines = ["9S 2H KC 3D; die " + "9" * 5000, "9S 2H KC 3D; die ٣", "9S 2H KC 3D; die 3"]
    ran = run_process("settle", "power-98", "--file", "-", "--json", given="\n".join(lines))
    assert ran.code == 1
    first, second, third = ran.json_lines
    assert "is not a die" in first["error"]
    assert "is not a die" in second["error"]
    assert third["power"] is True


def test_options_are_checked_before_a_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "coups"
    file.write_text("9S 2H KC 3D\n", encoding="utf-8")
    for options in (["--decks", "3"], ["--die", "3"]):
        assert_refused(run("settle", "baccarat", "--file", str(file), *options))


def test_cards_without_quotes_are_explained() -> None:
    assert_refused(
        run("settle", "baccarat", "--cards", "5S", "6S", "5D"), "put several cards in quotes"
    )


def test_closed_streams_are_no_traceback() -> None:
    command = f"{sys.executable} -m croupier"
    cards = 'settle baccarat --cards "9S 2H KC 3D"'
    for line, code in (
        (f"{command} {cards} >&-", 0),
        (f"{command} settle baccarat --cards 5S 2>&-", 2),
        (f"{command} settle baccarat --file - <&-", 2),
        (f"{command} --help >&-", 0),
        (f"echo '9S 2H KC 3D' | {command} settle baccarat --file - >/dev/full", 2),
    ):
        ended = subprocess.run(  # noqa: S602  # closing a stream needs a shell
            line, shell=True, capture_output=True, text=True, check=False
        )
        assert ended.returncode == code, (line, ended)
        assert "Traceback" not in ended.stderr
        assert "Exception ignored" not in ended.stderr


def test_a_byte_order_mark_is_no_card() -> None:
    given = b"\xef\xbb\xbf9S 2H KC 3D\n"
    assert run_process("settle", "baccarat", "--file", "-", given=given).code == 0


def test_an_output_that_knows_only_ascii_gets_ascii() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    for arguments in (["--json"], []):
        ended = subprocess.run(  # noqa: S603  # our own command
            [sys.executable, "-m", "croupier", "settle", "baccarat", "--file", "-", *arguments],
            input="9\u017f 2H KC 3D\n9S 2H KC 3D\n".encode(),
            capture_output=True,
            check=False,
            env=environment,
        )
        assert ended.returncode == 1
        assert b"Traceback" not in ended.stderr
        assert len(ended.stdout.splitlines()) == 2
