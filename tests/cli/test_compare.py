"""croupier compare: all wagers of all games side by side."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import pytest

from croupier import GAMES
from croupier.cli.compare import heading
from croupier.odds import exact_odds
from tests.cli.run import assert_refused, run

if TYPE_CHECKING:
    from croupier.rules.game import Game


def test_json_has_a_line_for_every_wager_of_every_game() -> None:
    found = run("compare", "--decks", "6", "--json").json
    expected = [
        {
            "game": game.slug,
            "wager": wager.wager.slug,
            "edge": float(wager.edge),
            "sd": wager.sd,
            "hit_rate": float(wager.hit_rate),
        }
        for game in GAMES
        for wager in exact_odds(game, decks=6).wagers
    ]
    assert found == expected
    assert len(found) == sum(len(game.wagers) for game in GAMES)


def test_csv_has_the_same() -> None:
    lines = list(csv.DictReader(io.StringIO(run("compare", "--csv").out)))
    document = run("compare", "--json").json
    assert [
        {
            "game": line["game"],
            "wager": line["wager"],
            "edge": float(line["edge"]),
            "sd": float(line["sd"]),
            "hit_rate": float(line["hit_rate"]),
        }
        for line in lines
    ] == document


def test_the_table_fits_120_columns_and_has_every_wager_once() -> None:
    ran = run("compare")
    lines = [line.rstrip() for line in ran.out.splitlines()]
    assert max(map(len, lines)) <= 120
    slugs = [line.split()[0] for line in lines if line and not line.startswith(" ")]
    wagers = {wager.slug for game in GAMES for wager in game.wagers}
    listed = [slug for slug in slugs if slug in wagers]
    assert sorted(listed) == sorted(wagers)
    assert listed[:3] == ["banker", "player", "tie"]
    banker = next(line for line in lines if line.startswith("banker "))
    expected = [f"{100 * float(exact_odds(game)['banker'].edge):.4f}" for game in GAMES]
    assert banker.split()[1:] == expected
    assert "-1.2351" in banker
    big = next(line for line in lines if line.startswith("big-tiger "))
    assert big.split() == ["big-tiger", "15.2533", "15.2533"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_headings_are_narrow_and_lose_nothing(game: Game) -> None:
    slug = game.slug
    lines = heading(slug).split("\n")
    assert max(map(len, lines)) <= 8
    assert "".join(lines).replace("-", "") == slug.replace("-", "")


def test_refusals() -> None:
    assert_refused(run("compare", "--decks", "11"), "11 decks", "4 to 10")
    assert_refused(run("compare", "--json", "--csv"), "either --json or --csv")
