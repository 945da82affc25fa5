"""croupier parsheet: what it writes, what it prints, what it refuses."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import pytest

from croupier import find_game
from croupier.odds.parsheet import par_sheet
from tests.cli.run import assert_refused, run, run_process

if TYPE_CHECKING:
    from pathlib import Path


def test_it_writes_a_file_and_prints_the_hash(tmp_path: Path) -> None:
    path = tmp_path / "tiger.csv"
    ran = run("parsheet", "tiger", "--decks", "6", "-o", str(path))
    sheet = par_sheet(find_game("tiger"), decks=6)
    assert ran.code == 0, ran.err
    assert sheet.sha256 in ran.out
    assert sheet.sha256 in path.read_text(encoding="utf-8")


def test_json_holds_the_results_that_the_hash_is_of(tmp_path: Path) -> None:
    path = tmp_path / "power.csv"
    ran = run("parsheet", "power-98", "--die", "3", "-o", str(path), "--json")
    document = ran.json
    assert (document["game"], document["decks"], document["die"]) == ("power-98", 8, 3)
    assert document["file"] == str(path)
    canonical = json.dumps(
        document["results"], sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    assert hashlib.sha256(canonical.encode()).hexdigest() == document["sha256"]
    assert "Power hand: the die shows 3" in path.read_text(encoding="utf-8")


def test_the_date_is_printed_only_if_it_is_given(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    run("parsheet", "baccarat", "-o", str(path))
    plain = path.read_text(encoding="utf-8")
    run("parsheet", "baccarat", "-o", str(path), "--date", "2026-01-31")
    dated = path.read_text(encoding="utf-8")
    assert set(dated.splitlines()) - set(plain.splitlines()) == {
        "identification,,,Date,,,,,,,,2026-01-31"
    }


def test_as_a_process_it_writes_every_kind_of_file(tmp_path: Path) -> None:
    begins = {"html": b"<!DOCTYPE html>", "pdf": b"%PDF-", "csv": b"part,", "xlsx": b"PK"}
    for ending, begin in begins.items():
        path = tmp_path / f"sheet.{ending}"
        ran = run_process("parsheet", "baccarat", "-o", str(path))
        assert (ran.code, ran.err) == (0, "")
        assert path.read_bytes().startswith(begin)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["baccarat"], ["-o", ".html, .pdf, .csv or .xlsx"]),
        (["baccarat", "-o", "sheet.docx"], ["'sheet.docx'", ".html, .pdf, .csv or .xlsx"]),
        (["baccarat", "-o", "sheet"], ["'sheet'"]),
        (["baccarat", "-o", "no/such/folder/sheet.csv"], ["there is no folder"]),
        (["baccarat", "-o", "sheet.csv", "--decks", "3"], ["3 decks", "4 to 10"]),
        (["poker", "-o", "sheet.csv"], ["There is no game 'poker'"]),
        (["baccarat", "-o", "sheet.csv", "--die", "3"], ["without a die"]),
        (["power-98", "-o", "sheet.csv", "--die", "7"], ["cannot show 7"]),
        (["baccarat", "-o", "sheet.csv", "--date", "31.1.2026"], ["'31.1.2026'"]),
    ],
)
def test_refusals(
    arguments: list[str], words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert_refused(run("parsheet", *arguments), *words)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_the_place_of_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "sheet.csv").mkdir()
    assert_refused(
        run("parsheet", "baccarat", "-o", str(tmp_path / "sheet.csv")), "it is a folder"
    )
