from __future__ import annotations

import subprocess
import sys

import pytest

from croupier import GAMES, find_game
from tests.cli.run import assert_refused, run


def test_the_same_seed_deals_the_same_cards() -> None:
    first = run("deal", "baccarat", "--seed", "7", "--json")
    assert first == run("deal", "baccarat", "--seed", "7", "--json")
    others = {run("deal", "baccarat", "--seed", str(seed), "--json").out for seed in range(20)}
    assert len(others) == 20


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_a_dealt_coup_is_complete_and_settled(game: object) -> None:
    for seed in range(20):
        answer = run(
            "deal",
            find_game(str(getattr(game, "slug", ""))).slug,
            "--seed",
            str(seed),
            "--json",
        ).json
        player, banker = answer["player"]["cards"], answer["banker"]["cards"]
        chosen = find_game(answer["game"])
        order = [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]
        settlement = chosen.settle(" ".join(order), die=answer["die"])
        assert {verdict.wager: str(verdict.net) for verdict in settlement} == {
            slug: result["net"] for slug, result in answer["results"].items()
        }
        assert (answer["die"] in range(1, 7)) == (chosen.slug == "power-98")


def test_every_game_is_dealt_at_once() -> None:
    ran = run("deal", "--all", "--seed", "1")
    assert ran.code == 0
    for game in GAMES:
        assert game.name in ran.out
    assert len(run("deal", "--all", "--seed", "1", "--json").json) == 11


def test_without_a_seed_it_names_the_one_it_took() -> None:
    answer = run("deal", "tiger", "--json").json
    again = run("deal", "tiger", "--seed", str(answer["seed"]), "--json").json
    assert again == answer


def test_refusals() -> None:
    assert_refused(run("deal"), "baccarat", "--all")
    assert_refused(run("deal", "baccarat", "--all"), "--all")
    assert_refused(run("deal", "baccarat", "--decks", "11"), "11 decks", "BAC8 2.1")
    assert_refused(run("deal", "baccarat", "--seed", "x"), "x")


def test_a_reader_that_goes_away_is_no_traceback() -> None:
    command = f"{sys.executable} -m croupier deal --all | head -n 1"
    ended = subprocess.run(  # noqa: S602  # a real pipe needs a shell
        command, shell=True, capture_output=True, text=True, check=True
    )
    assert "Traceback" not in ended.stderr
    assert ended.stdout.count("\n") == 1
