"""docs/odds.md is generated, fresh, and holds the published figures."""

from __future__ import annotations

from functools import cache

import pytest

from croupier.odds import exact_odds
from croupier.rulebooks import GAMES, POWER_98
from tools import odds_page


@cache
def page() -> str:
    return odds_page.page()


def test_the_page_is_fresh() -> None:
    written = odds_page.PAGE.read_text(encoding="utf-8")
    assert written == page(), "docs/odds.md is stale: run python tools/odds_page.py"


def test_every_wager_of_every_game_has_a_line_of_edges_and_one_of_figures() -> None:
    sections = page().split("\n## ")[1:]
    assert len(sections) == len(GAMES) == 11
    for game, section in zip(GAMES, sections, strict=True):
        kinds = 3 if game.die else 1
        for name in odds_page.names(game):
            lines = [line for line in section.splitlines() if line.startswith(f"| {name} |")]
            assert [line.count("|") for line in lines] == [9, 7] * kinds


@pytest.mark.parametrize(
    ("slug", "name", "edge"),
    [
        ("baccarat", "Banker", 1.0579),
        ("baccarat", "Player", 1.2351),
        ("baccarat", "Tie", 14.3596),
        ("fortune-six", "Banker", 1.4581),
        ("fortune-six", "Fortune Six", 16.6836),
        ("fortune-six", "*Player Dragon Bonus*", 2.6517),
        ("fortune-six", "*Banker Dragon Bonus*", 9.3731),
        ("tiger", "*Big Tiger*", 15.2533),
        ("fabulous-4s", "Player", 1.6041),
    ],
)
def test_published_edges_for_eight_decks_are_there(slug: str, name: str, edge: float) -> None:
    section = page().split(f"(`{slug}`)")[1].split("\n## ")[0]
    line = next(line for line in section.splitlines() if line.startswith(f"| {name} |"))
    assert round(float(line.split("|")[6]), 4) == edge


def test_the_pair_wager_has_its_fraction() -> None:
    assert "| Player Pair | 10.36145 | 7.46988 | 0.00000 | 3.154856 | `-43/415` |" in page()


def test_power_98_is_shown_averaged_and_for_both_kinds_of_hand() -> None:
    section = page().split("`power-98`")[1].split("\n## ")[0]
    averaged, ordinary, power = section.split("\n### ")[1:]
    for part, die in ((averaged, None), (ordinary, 1), (power, 3)):
        assert f"`{exact_odds(POWER_98, die=die)['tie'].ev}`" in part
