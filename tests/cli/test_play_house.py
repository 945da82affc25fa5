"""``croupier play --house``: a table whose every command is in a journal."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

import pytest

from croupier.cli.seat import Seat
from croupier.rulebooks import GAMES
from tests.cli.run import Ran, assert_refused, run

if TYPE_CHECKING:
    from pathlib import Path

LINES = ("bet player 50", "deal", "bet banker 20", "deal")


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str, options: tuple[str, ...]) -> Ran:
    """Play with lines that come through a pipe."""
    given = "".join(f"{line}\n" for line in lines).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
    return run("play", *options)


@pytest.mark.parametrize("game", [game.slug for game in GAMES])
def test_every_game_can_be_kept_and_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    house = tmp_path / "house"
    ran = typed(monkeypatch, *LINES, options=("--game", game, "--house", str(house)))
    assert ran.code == 0
    assert "you have" in ran.out
    assert f"Table 1 is kept in {house / 'journal.sqlite'}, signed by " in ran.err
    checked = run(
        "verify", str(house / "journal.sqlite"), "--checkpoints", str(house / "checkpoints")
    )
    assert checked.code == 0, checked.out
    assert "2 settlements" in checked.out
    recalled = run("recall", str(house / "journal.sqlite"), "--table", "1")
    assert recalled.code == 0
    assert "50.00" in recalled.out


def test_what_is_shown_is_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same seed deals the same cards with and without a journal."""
    plain = typed(monkeypatch, *LINES, options=("--game", "tiger", "--seed", "3"))
    kept = typed(
        monkeypatch,
        *LINES,
        options=("--game", "tiger", "--seed", "3", "--house", str(tmp_path)),
    )
    assert kept.out == plain.out


def test_a_table_that_was_left_is_found_again_with_its_credit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = "1,000.00"
    for visit in (1, 2, 3):
        ran = typed(monkeypatch, *LINES, options=("--game", "tiger", "--house", str(tmp_path)))
        assert "Table 1 is kept" in ran.err
        assert ("You are back at table 1" in ran.err) is (visit > 1)
        assert f"version 4 with {held}." in ran.out
        assert "Your credit stays there" in ran.err
        held = ran.out.rpartition("You leave with ")[2].split()[0].rstrip(".;")
    ran = typed(monkeypatch, *LINES, options=("--game", "super-6", "--house", str(tmp_path)))
    assert "Table 2 is kept" in ran.err
    assert "You are back" not in ran.err
    assert "8 settlements" in run("verify", str(tmp_path / "journal.sqlite")).out


def test_a_round_that_was_left_is_ruled_when_the_house_opens_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ("--game", "tiger", "--house", str(tmp_path))
    assert "left in the middle" not in typed(monkeypatch, *LINES, options=options).err
    # Nobody closes the bets: the process is killed as it stands.
    with monkeypatch.context() as killed:
        killed.setattr(Seat, "leave", lambda _: None)
        left = typed(monkeypatch, "bet player 50", options=options)
    assert "left in the middle" not in left.err
    again = typed(monkeypatch, *LINES, options=options)
    assert "Table 1 was left in the middle of a round" in again.err
    assert "You are back at table 1" in again.err
    rounds = run("recall", str(tmp_path), "--table", "1", "--json").json["rounds"]
    (last,) = [one for one in rounds if one["ended"] == "void"]
    ruled = last["steps"][-1]
    assert ruled["actor"]["kind"] == "system"
    assert ruled["what"].startswith("interrupted in OPEN; ")
    assert ruled["clauses"] == ["EB4 5.9.1"]
    assert run("verify", str(tmp_path)).code == 0
    assert "left in the middle" not in typed(monkeypatch, *LINES, options=options).err


STOPS: list[tuple[str, ...]] = [
    (),
    ("bet player 50",),
    ("bet player 50", "quit"),
    ("bet banker 50", "close"),
    ("bet player 50", "draw", "draw"),
    ("bet player 50", "bet banker 20", "deal", "bet tie 5", "close", "quit"),
    ("leave you",),
]
"""Where somebody goes, in the middle of a round."""


def visits() -> list[tuple[str, tuple[str, ...], bool]]:
    """Return every game with some stop, and every stop with some game; now and then as JSON."""
    slugs = [game.slug for game in GAMES]
    return [(game, STOPS[at % len(STOPS)], at % 3 == 0) for at, game in enumerate(slugs)]


@pytest.mark.parametrize(("game", "lines", "json"), visits())
def test_whoever_goes_in_the_middle_of_a_round_leaves_no_round_open(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    game: str,
    lines: tuple[str, ...],
    *,
    json: bool,
) -> None:
    options = ("--game", game, "--house", str(tmp_path))
    ran = typed(monkeypatch, *lines, options=(*options, *(("--json",) if json else ())))
    assert ran.code == 0, ran.out
    assert "The house deals round " in ran.out
    assert "stays in play" not in ran.out
    again = typed(monkeypatch, options=options)
    assert "left in the middle" not in again.err
    held = "came from your wallet" if "leave you" in lines else "You are back at table 1"
    assert held in again.err
    (table, *_) = run("recall", str(tmp_path), "--table", "1", "--json").json["rounds"]
    assert table["ended"] == "settled"
    assert run("verify", str(tmp_path)).code == 0


def test_a_round_that_waits_for_people_stays_and_the_player_hears_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ("--game", "super-6", "--house", str(tmp_path))
    ran = typed(monkeypatch, "bet player 50", "report other", options=options)
    assert (
        "Round 1 stays as it is. The round waits for a referred matter to be decided; the next"
        " visit begins with what the rulebook says about an interruption." in ran.out
    )
    assert "You leave with 950.00; 50.00 stays in play." in ran.out
    again = typed(monkeypatch, options=options)
    assert "Table 1 was left in the middle of a round" in again.err
    assert "You are back at table 1, with 1,000.00." in again.err


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--decks", "6"), "--decks is not used."),
        (("--credit", "5"), "--credit is not used."),
        (("--decks", "6", "--credit", "5"), "--decks and --credit are not used."),
        ((), None),
    ],
)
def test_options_of_a_new_table_are_not_passed_over_in_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...], said: str | None
) -> None:
    options = ("--game", "tiger", "--house", str(tmp_path), *given)
    first = typed(monkeypatch, *LINES, options=options)
    assert "not used" not in first.err
    again = typed(monkeypatch, *LINES, options=options)
    sentence = f"The table keeps its decks and your credit: {said}"
    assert ("not used" in again.err) is (said is not None)
    assert said is None or sentence in again.err


def test_what_a_patron_took_away_is_brought_back_from_the_wallet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def visit(*lines: str, game: str = "tiger", more: tuple[str, ...] = ()) -> Ran:
        options = ("--game", game, "--house", str(tmp_path), *more)
        return typed(monkeypatch, *lines, options=options)

    assert "Your credit stays there" in visit("take you 300").err
    back = visit()
    assert "You are back at table 1, with 700.00." in back.err
    assert "300.00 came from your wallet to the seat." in back.err
    assert "version 4 with 1,000.00." in back.out
    gone = visit("leave you")
    assert "Your wallet holds 1,000.00: the same command brings it to a seat again." in gone.err
    other = visit("leave you", game="super-6")
    assert "1,000.00 came from your wallet to the seat." in other.err
    assert "with 1,000.00." in other.out
    # Who says what to bring brings it as well.
    more = visit(game="super-6", more=("--credit", "20"))
    assert "with 1,020.00." in more.out
    answer = run("verify", str(tmp_path), "--json").json
    assert answer["holds"] is True


def test_a_house_keeps_its_keys_and_checkpoints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for game in ("tiger", "super-6"):
        typed(monkeypatch, *LINES, options=("--game", game, "--house", str(tmp_path)))
    assert len(list((tmp_path / "shoe-keys").iterdir())) == 2
    answer = run("verify", str(tmp_path), "--json").json
    assert answer["holds"] is True
    assert answer["checkpoints"] >= 2


def test_what_is_refused_is_kept_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = typed(
        monkeypatch,
        "bet player 99999",
        options=("--game", "tiger", "--house", str(tmp_path)),
    )
    assert "the seat of patron you holds 1,000.00" in ran.out
    recalled = run("recall", str(tmp_path / "journal.sqlite"), "--table", "1")
    assert "the seat of patron you holds 1,000.00" in recalled.out


def test_a_house_that_cannot_be_opened_gets_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_text("no folder", encoding="utf-8")
    ran = typed(monkeypatch, options=("--game", "tiger", "--house", str(file)))
    assert_refused(ran, "is a file; a house lies in a folder of its own.")
    ran = typed(monkeypatch, options=("--game", "tigre", "--house", str(tmp_path / "new")))
    assert ran.code == 2
    assert not (tmp_path / "new").exists()
