"""The shoes by which the pages check their roads are fresh, and are what the command prints."""

from __future__ import annotations

import json

from tests.cli.run import run
from tools import count_shoes, road_shoes


def test_the_file_is_fresh() -> None:
    written = road_shoes.FILE.read_text(encoding="utf-8")
    assert written == road_shoes.text(), "stale: run python -m tools.road_shoes"


def test_the_rounds_that_are_counted_are_fresh() -> None:
    written = count_shoes.FILE.read_text(encoding="utf-8")
    assert written == count_shoes.text(), "stale: run python -m tools.count_shoes"
    assert all(game["counts"]["natural"] for game in json.loads(written)["games"].values())


def test_the_file_says_what_the_command_prints() -> None:
    written = json.loads(road_shoes.FILE.read_text(encoding="utf-8"))
    fields = written["fields"]
    assert len(written["shoes"]) == road_shoes.SHOES
    for shoe in written["shoes"][:10]:
        roads = {key: value for key, value in shoe.items() if key != "outcomes"}
        for road, names in fields.items():
            roads[road] = [dict(zip(names, mark, strict=True)) for mark in roads[road]]
        assert run("roads", "--outcomes", shoe["outcomes"], "--json").json == roads
