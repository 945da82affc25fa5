"""Playthroughs: a table played line by line, in a language that reads like a round.

A script opens a table and asks for one thing per line; behind ``->`` stands what happens.
The words of the language are described in docs/playthroughs.md.
"""

from __future__ import annotations

from croupier.playthrough.checking import Played, differences, play_script, write_script
from croupier.playthrough.house import YOU, House, Step
from croupier.playthrough.lines import Line, ScriptError, named_by, read_line, read_lines
from croupier.playthrough.session import Answer, Session

__all__ = [
    "YOU",
    "Answer",
    "House",
    "Line",
    "Played",
    "ScriptError",
    "Session",
    "Step",
    "differences",
    "named_by",
    "play_script",
    "read_line",
    "read_lines",
    "write_script",
]
