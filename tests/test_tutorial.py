"""The tutorial runs from start to end as a script, and every line it prints is true."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from croupier import BACCARAT, GAMES
from croupier.odds.parsheet import par_sheet

TUTORIAL = Path(__file__).resolve().parent.parent / "docs" / "tutorial.py"


def test_the_tutorial_runs_and_prints_what_it_promises() -> None:
    ended = subprocess.run(  # noqa: S603  # our own script
        [sys.executable, str(TUTORIAL)], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr == ""
    for game in GAMES:
        assert game.slug in ended.stdout
    assert "-43/415 1.0579%" in ended.stdout
    assert "2,292,252,566,437,888" in ended.stdout
    assert f"baccarat.html {par_sheet(BACCARAT).sha256}" in ended.stdout
