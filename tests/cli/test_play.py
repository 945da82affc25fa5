"""``croupier play``: scripts are compared, and a beginner can play a round."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from croupier.playthrough.hints import ANSWERS, OWN_WORDS
from croupier.rulebooks import GAMES
from croupier.table.state import HoldKind
from tests.cli.run import Ran, assert_refused, loaded_by, run, run_process

SCRIPT = Path(__file__).parent.parent / "playthroughs" / "BAC8_5.8.2.2.txt"


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str, game: str = "tiger") -> Ran:
    """Play with lines that come through a pipe."""
    given = "".join(f"{line}\n" for line in lines).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
    return run("play", "--game", game, "--seed", "3")


# Scripts


def test_a_script_is_shown_with_its_results_and_sentences() -> None:
    ran = run("play", str(SCRIPT))
    assert ran.code == 0
    assert (
        "draw 2C KH 3D 4S                       -> player 5, banker 4; Player draws" in ran.out
    )
    assert "  | A stake of 40.00 on Player is below the minimum of 50.00" in ran.out
    assert ran.out.endswith("23 lines, none differ\n")
    assert "!" not in ran.out


def test_what_differs_is_marked_and_the_exit_code_says_so(tmp_path: Path) -> None:
    path = tmp_path / "script.txt"
    path.write_text(
        "# a title\ngame baccarat\nopen -> CLOSED\nopne -> OPEN\n"
        "place 1 tie 5 -> refused not_at_table\n| No.\n",
        encoding="utf-8",
    )
    ran = run("play", str(path))
    assert ran.code == 1
    assert "-> OPEN\n  ! expected: CLOSED\n" in ran.out
    assert "  ! not understood: 'opne' is no verb; did you mean `open`?" in ran.out
    assert "  ! expected: | No.\n" in ran.out
    assert ran.out.endswith("4 lines, 3 differ\n")
    assert ran.err == ""


def test_every_line_of_a_script_is_a_json_object() -> None:
    ran = run("play", str(SCRIPT), "--json")
    assert ran.code == 0
    documents = ran.json_lines
    assert len(documents) == 23
    assert all(document["ok"] for document in documents)
    first, opened, placed, refused = documents[:4]
    assert (first["line"], first["expected"]) == (2, None)
    assert opened["result"] == "OPEN"
    assert placed["events"][0]["type"] == "wager_placed"
    assert refused["sentence"].startswith("A stake of 40.00 on Player")
    assert refused["events"] == []


def test_a_json_line_says_what_differs(tmp_path: Path) -> None:
    path = tmp_path / "script.txt"
    path.write_text("game baccarat\nopen -> CLOSED\nxyzzy -> x\n", encoding="utf-8")
    ran = run("play", str(path), "--json")
    assert ran.code == 1
    _, differs, unknown = ran.json_lines
    assert (differs["ok"], differs["expected"], differs["result"]) == (False, "CLOSED", "OPEN")
    assert unknown["ok"] is False
    assert unknown["result"].startswith("not understood: 'xyzzy' is no verb")


def test_a_script_may_come_through_a_pipe() -> None:
    ran = run_process("play", "-", given="game baccarat\nopen -> OPEN\n")
    assert ran.code == 0
    assert ran.out.endswith("2 lines, none differ\n")
    assert ran.err == ""


def test_a_file_that_is_no_text_or_no_script_gets_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "bytes"
    path.write_bytes(b"\xff\xfe\x00open -> OPEN\n")
    assert run("play", str(path)).code == 1
    path.write_text("-> OPEN\n", encoding="utf-8")
    assert_refused(run("play", str(path)), "Line 1 goes on with a line or result")
    assert_refused(run("play", str(tmp_path / "none")), "cannot be used: No such file")


def test_a_script_or_a_game_is_needed_and_not_both() -> None:
    assert_refused(run("play"), "Name a script to play, or a game")
    both = run("play", str(SCRIPT), "--game", "tiger")
    assert_refused(both, "Name a script or a game, not both.")
    assert_refused(run("play", "--gaem", "tiger"))
    assert_refused(run("play", "--gaem"), "'--gaem' is no option")
    assert_refused(run("play", "--game", "poker"), "There is no game 'poker'")
    assert_refused(run("play", "--game", "tiger", "--seed", "-1"), "a seed is 0 or more")
    assert_refused(run("play", "--game", "tiger", "--decks", "3"), "3 decks", "EB4 2.1")
    assert_refused(run("play", "--game", "tiger", "--decks", "3", "--json"), "EB4 2.1")
    assert_refused(run("play", "--game", "tiger", "--credit", "much"), "not an amount")
    assert_refused(run("play", "--game", "tiger", "--credit", "0"), "above zero")


@pytest.mark.parametrize("more", [(), ("--json",)])
@pytest.mark.parametrize("credit", ["10,000,000,000.01", "9" * 20])
def test_more_credit_than_a_table_takes_is_refused_with_the_maximum(
    credit: str, more: tuple[str, ...]
) -> None:
    ran = run("play", "--game", "tiger", "--credit", credit, *more)
    assert_refused(ran, "at most 10,000,000,000.00")


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--seed", "1"), "--seed does nothing"),
        (("--decks", "8"), "--decks does nothing"),
        (("--credit", "5", "--seed", "1"), "--seed and --credit do nothing"),
    ],
)
def test_options_that_do_nothing_for_a_script_are_refused(
    options: tuple[str, ...], named: str
) -> None:
    assert_refused(run("play", str(SCRIPT), *options), named)


@pytest.mark.parametrize("text", ["", "# only a title\n\n"])
def test_a_script_that_asks_for_nothing_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "script.txt"
    path.write_text(text, encoding="utf-8")
    assert_refused(run("play", str(path)), "The script is empty")
    assert_refused(run("play", str(path), "--json"), "The script is empty")


def test_a_line_without_a_result_is_told_so(tmp_path: Path) -> None:
    path = tmp_path / "script.txt"
    path.write_text("game baccarat\nopen\nbet tie 5\n", encoding="utf-8")
    ran = run("play", str(path))
    assert ran.code == 1
    assert "-> OPEN\n  ! this line has no result yet\n" in ran.out
    assert "did you mean `place`?\n3 lines, 2 differ\n" in ran.out


def test_the_help_of_the_command_says_when_it_ends_with_1() -> None:
    assert "Exit code 1" in run("play", "--help").out


# A table of one's own


def test_a_beginner_plays_a_round_and_is_told_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ran = typed(monkeypatch, "bet player 50", "deal", "quit")
    assert ran.code == 0
    assert ran.err == ""
    told = ran.out.splitlines()
    assert "You sit at a table of Electronic Baccarat, version 4 with 1,000.00." in told[1]
    assert told[2].startswith("Place your bets, as in `bet player 50`; then `deal`.")
    assert told[3] == "placed 50.00 on player (stake 1)"
    assert told[4] == "50.00 in play. Bet more, or `deal`."
    assert told[6] == "| QC |  | KH |  | 9H |   Player 9"
    assert told[9] == "| 2S |  | 9C |  | 4D |   Banker 5"
    assert told[11] == "Player wins"
    assert "+50.00; you have 1,050.00." in told
    assert "The round is over. Bet again, as in `bet player 50`, or `quit`." in told
    assert "Big road" not in told
    assert told[-1] == "You leave with 1,050.00."
    assert not any(line.startswith(">") for line in told)


def test_the_same_seed_deals_the_same_shoe(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ("bet banker 10", "deal", "deal", "deal")
    assert typed(monkeypatch, *lines).out == typed(monkeypatch, *lines).out


@pytest.mark.parametrize("game", [game.slug for game in GAMES])
def test_every_game_can_be_played(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["bet player 10", "bet banker 10", "deal", "deal", "bet tie 5", "deal", "roads"]
    ran = typed(monkeypatch, *lines, game=game)
    assert ran.code == 0
    assert ran.err == ""
    assert ran.out.count("wins\n") + ran.out.count("Tie\n") >= 3
    assert "You had nothing in play." in ran.out
    assert "You leave with " in ran.out


def test_a_round_can_be_played_card_by_card(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["bet player 10", "close", *["draw"] * 5, "show", "deal", "credit", "stakes"]
    out = typed(monkeypatch, *lines, game="baccarat").out
    assert "The round goes on: `deal` plays it to its end, `draw` deals one card." in out
    assert "P1 QC" in out
    assert "player 0, banker 1; Player draws [BAC8 3.14]" in out
    assert "DEALING" in out
    assert "1,010.00\n" in out


def test_the_die_comes_before_the_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ("bet player 10", "close", "draw", "deal")
    out = typed(monkeypatch, *lines, game="power-98").out
    assert "The die comes before the cards: `deal` shakes it and plays on." in out
    assert "The die has not been announced" in out
    assert "\ndie " in out
    assert "shaken" not in out


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("bet", "Say which wager and how much, as in: bet player 50."),
        ("bet poker 5", "'poker' is no wager here; the wagers are player, banker, tie"),
        ("bet player much", "'much' is not an amount"),
        ("bet player 5000", "5,000.00 would be staked; the seat of patron you holds 1,000.00."),
        ("del", "'del' is no command; did you mean `deal`"),
        ("xyzzy", "'xyzzy' is no command; `help` lists them."),
        ("deal now", "'now' means nothing here; this command stands alone."),
        ("clear", "You have no stake on the table."),
        ("help xyzzy", "There is no verb 'xyzzy'; `help` lists them."),
        ("place you player", "Here comes an amount, and nothing came"),
        ('dismiss reason="', "A quotation mark is open"),
        ("quit now", "'now' means nothing here; this command stands alone."),
        ("bet player 9999999999999999", "an amount is at most 10,000,000,000.00."),
        ("game baccarat", "The table is open with Tiger Baccarat; close it before another"),
        ("\udcff", "is no command"),
    ],
)
def test_what_cannot_be_done_gets_a_sentence_and_the_game_goes_on(
    line: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = f"{line}\nbet player 5\n".encode(errors="surrogateescape")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
    ran = run("play", "--game", "tiger", "--seed", "3")
    assert ran.code == 0
    assert sentence in ran.out
    assert "placed 5.00 on player" in ran.out
    assert "Traceback" not in ran.out + ran.err


def test_a_bet_may_name_its_amount_first_and_be_taken_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out = typed(monkeypatch, "bet 10 player", "bet tie 5", "clear").out
    assert "removed stake 2, returned 5.00\nremoved stake 1, returned 10.00" in out
    assert out.endswith("You leave with 1,000.00.\n")


@pytest.mark.parametrize("last", [("quit",), ()])
def test_who_leaves_while_bets_are_open_takes_the_stakes_along(
    last: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = typed(monkeypatch, "bet player 50", "bet tie 5", *last).out
    assert "removed stake 2, returned 5.00\nremoved stake 1, returned 50.00\n" in out
    assert out.endswith("You leave with 1,000.00.\n")


def test_who_leaves_while_bets_are_closed_is_told_what_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out = typed(monkeypatch, "bet player 50", "close", "clear", "quit").out
    assert "no wager is removed now" in out
    assert out.endswith("You leave with 950.00; 50.00 stays in play.\n")


def test_what_others_win_is_not_yours(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ("patron 2 at 2 credit 500", "place 2 player 20", "deal")
    out = typed(monkeypatch, *lines, game="baccarat").out
    assert "20.00 in play" not in out
    assert "Patron" in out
    assert "You had nothing in play." in out
    assert "you have" not in out
    both = (*lines[:2], "bet player 50", "deal")
    out = typed(monkeypatch, *both, game="baccarat").out
    assert "\n50.00 in play." in out
    assert "+50.00; you have 1,050.00." in out


def test_a_table_of_ones_own_has_no_column_for_patrons(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "Patron" not in typed(monkeypatch, "bet player 50", "deal").out


def test_drawing_a_card_closes_the_bets_first(monkeypatch: pytest.MonkeyPatch) -> None:
    out = typed(monkeypatch, "bet player 10", "draw", "DRAW", game="baccarat").out
    assert "CLOSED\nP1 QC\n" in out
    assert "B1 2S\n" in out
    assert out.count("CLOSED") == 1


def test_bets_that_cannot_be_closed_leave_the_card_in_the_shoe(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = ("deal", "differential 100 with=pit_supervisor", "bet player 500", "draw", "cards")
    out = typed(monkeypatch, *lines, game="baccarat").out
    assert "The round waits for its balance" in out
    assert "no cards\n" in out


@pytest.mark.parametrize("word", ["QUIT", "q", "exit", "Q"])
def test_the_words_of_the_prompt_may_be_written_in_capitals_or_short(
    word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = typed(monkeypatch, "# a comment", "HELP", "?", "BET Player 50", word, "deal").out
    assert out.count("bet WAGER AMOUNT") == 2
    assert "placed 50.00 on player" in out
    assert "is no command" not in out
    assert out.endswith("You leave with 1,000.00.\n")


def test_who_has_lost_everything_is_told_how_to_bring_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = ("bet banker 1000", "deal", "open", "bring you 100", "bet player 50")
    out = typed(monkeypatch, *lines).out
    assert out.count("You have nothing left to bet. `bring you 100`, or `quit`.") == 2
    assert "placed 50.00 on player" in out


def test_roads_are_drawn_at_the_end_of_a_longer_visit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Big road" not in typed(monkeypatch, *["deal"] * 4).out
    assert "Big road" in typed(monkeypatch, *["deal"] * 5).out


def test_a_die_says_whether_the_hand_is_a_power_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    out = typed(monkeypatch, *["deal"] * 40, game="power-98").out
    dice = [line for line in out.splitlines() if line.startswith("die ")]
    assert len(dice) == 40
    assert "die 3, POWER hand" in dice
    assert "die 4, no Power hand" in dice


def test_help_lists_commands_and_shows_verbs(monkeypatch: pytest.MonkeyPatch) -> None:
    out = typed(monkeypatch, "help", "help place", "help credit", "wagers").out
    assert "bet WAGER AMOUNT" in out
    assert "place PATRON WAGER AMOUNT [shared] [position=NUMBER] [join=STAKE]" in out
    assert "credit PATRON" in out
    assert "small-tiger" in out


@pytest.mark.parametrize("word", sorted(OWN_WORDS))
def test_every_word_of_the_prompt_has_its_help(
    word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    syntax, about = OWN_WORDS[word]
    out = typed(monkeypatch, f"help {word}").out
    assert any(line.startswith(syntax) and about in line for line in out.splitlines())
    page = Path(__file__).parents[2] / "docs" / "playthroughs.md"
    assert f"| `{syntax}` |" in page.read_text(encoding="utf-8")


def test_an_irregularity_can_be_played_through(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = (
        "bet player 10",
        "close",
        "draw",
        "report foreign_card",
        "deal",
        "confirm with=pit_supervisor",
        "bet player 10",
        "deal",
    )
    out = typed(monkeypatch, *lines, game="baccarat").out
    waits = "The round waits for its report: `confirm with=pit_supervisor`, or"
    assert out.count(waits) == 2
    assert "VOID [BAC8 5.1.1]; returned you: 10.00" in out
    assert "shoe 2 loaded with 416 cards" in out
    assert "1,010.00." in out or "990.00." in out or "1,000.00." in out


def test_every_hold_has_a_hint() -> None:
    assert set(ANSWERS) == set(HoldKind)


def test_who_has_answered_an_option_is_told_to_resume(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ("bet player 10", "draw", "report power_failure", "confirm with=pit_supervisor")
    out = typed(monkeypatch, *lines, "keep you", "resume", game="baccarat").out
    waits = "The round waits for its withdrawal: "
    assert f"{waits}`withdraw you` or `keep you`, then `resume`.\npatron you keeps\n" in out
    assert f"patron you keeps\n{waits}`resume`.\n" in out
    assert "conclude [BAC8 5.17]" in out


@pytest.mark.parametrize("number", [0, 1])
def test_a_hint_on_a_referral_can_be_typed_as_it_stands(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed_as = ANSWERS[HoldKind.REFERRAL].split("`")[1::2][number]
    lines = ("bet player 10", "draw", 'report other note="a chip rolled away"', typed_as)
    out = typed(monkeypatch, *lines, game="baccarat").out
    assert f"The round waits for its referral: {ANSWERS[HoldKind.REFERRAL]}.\n" in out
    assert "referral decided" in out


@pytest.mark.parametrize("lines", [("leave you",), ("deal", "leave you")])
def test_who_leaves_the_table_is_done(
    lines: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = typed(monkeypatch, *lines, "bet player 5")
    assert ran.code == 0
    assert "placed" not in ran.out
    assert ran.err == ""


def test_a_shoe_of_ones_own_is_shuffled_too(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ("deal", "end shoe", "load shoe 2", "bet player 5", "deal", "end shoe", "deal")
    out = typed(monkeypatch, *lines, game="baccarat").out
    assert "shoe 3 loaded" in out
    assert out.count("you have") == 1


def test_a_program_reads_json_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    given = b"bet player 50\ndeal\ncredit\nbet x 5\nbet player 5000\nquit\nbet tie 5\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
    ran = run("play", "--game", "tiger", "--seed", "3", "--json")
    assert ran.code == 1
    documents = [json.loads(line) for line in ran.out.splitlines()]
    assert documents[0]["line"] == 0
    by_line = {document["line"]: document for document in documents}
    assert by_line[1]["result"] == "placed 50.00 on player (stake 1)"
    assert by_line[2]["events"][0]["type"] == "wagers_settled"
    assert by_line[3]["result"] == "1,050.00"
    assert by_line[4]["ok"] is False
    assert "the seat of patron you holds 1,050.00" in by_line[5]["sentence"]
    assert max(by_line) == 6
    assert by_line[6]["result"] == "You leave with 1,050.00."


def test_a_program_has_the_words_of_the_prompt_too(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "roads\nbet player 50\ndeal\nHELP bet\nwagers\nroads\n# no\n?\nbet Tie 5\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    ran = run("play", "--game", "tiger", "--seed", "3", "--json")
    assert ran.code == 0
    by_line = {document["line"]: document for document in ran.json_lines}
    assert all(document["ok"] for document in ran.json_lines)
    assert by_line[1]["result"] == "no coup yet"
    assert by_line[4]["text"] == "HELP bet"
    assert by_line[4]["result"].startswith("bet WAGER AMOUNT")
    assert "player: Player wins 1 to 1 [EB4 " in by_line[5]["result"]
    assert by_line[6]["result"] == "P"
    assert 7 not in by_line
    assert "The verbs are" in by_line[8]["result"]
    assert [document["text"] for document in ran.json_lines[-3:]] == [
        "place you tie 5",
        "remove you stake=1",
        "quit",
    ]
    assert by_line[10]["result"] == "You leave with 1,050.00."


def test_a_program_that_has_left_is_not_read_on(monkeypatch: pytest.MonkeyPatch) -> None:
    given = b"leave you\nclose table\nwagers\ndeal\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
    ran = run("play", "--game", "tiger", "--seed", "3", "--json")
    assert (ran.code, ran.err) == (0, "")
    last = ran.json_lines[-1]
    assert (last["line"], last["text"], last["ok"]) == (1, "leave you", True)


class Terminal(io.StringIO):
    """Standard input that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_prompt_and_ends_with_its_input(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal("bet player 5\n\n"))
    ran = run("play", "--game", "tiger", "--seed", "3")
    assert ran.code == 0
    assert ran.out.count("> ") == 3
    assert "placed 5.00 on player (stake 1)" in ran.out


class Interrupted(Terminal):
    """A terminal at which Ctrl-C is pressed after what was typed."""

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        line = super().readline(size)
        if not line:
            raise KeyboardInterrupt
        return line


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_an_interrupted_game_says_goodbye(
    more: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", Interrupted("bet player 5\n"))
    ran = run("play", "--game", "tiger", "--seed", "3", *more)
    assert ran.code == 130
    assert "removed stake 1, returned 5.00" in ran.out
    assert "You leave with 1,000.00." in ran.out.splitlines()[-1]
    assert ran.err == ""


def test_playing_loads_no_heavy_library() -> None:
    out, heavy = loaded_by("play", str(SCRIPT))
    assert "none differ" in out
    assert heavy == set()


def test_nothing_of_a_table_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    out = typed(monkeypatch, "bet player 5", "wagers", "deal", game="fa-fa-fabulous-4").out
    assert "…" not in out
