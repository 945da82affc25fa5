"""``croupier play --house``: a table whose every command is in a journal."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

import pytest

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
    # Nobody closes the bets: the process ends as it stands.
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
    assert_refused(ran, "cannot be used: File exists.")
    ran = typed(monkeypatch, options=("--game", "tigre", "--house", str(tmp_path / "new")))
    assert ran.code == 2
    assert not (tmp_path / "new").exists()
