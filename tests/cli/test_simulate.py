"""``croupier simulate``."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from typing import Any

import pytest

from croupier.odds import exact_odds
from croupier.odds.simulate import ShoeRules
from croupier.rulebooks import GAMES, find_game
from tests.cli.run import assert_refused, run, run_process

KEYS = "game decks coups shoes seed threads seconds coups_per_second version complete wagers"


def steady(document: dict[str, Any]) -> dict[str, Any]:
    """Return what must be the same for the same seed: all but the times and threads."""
    changing = ("seconds", "coups_per_second", "threads")
    return {key: value for key, value in document.items() if key not in changing}


@pytest.mark.parametrize("slug", [game.slug for game in GAMES])
def test_json_has_every_wager_beside_its_exact_value(slug: str) -> None:
    ran = run("simulate", slug, "--coups", "200000", "--seed", "5", "--decks", "6", "--json")
    assert ran.code == 0
    assert ran.err == ""
    document = ran.json
    assert list(document) == KEYS.split()
    assert (document["game"], document["decks"], document["coups"]) == (slug, 6, 200000)
    assert document["seed"] == 5
    assert document["shoes"] > 2000
    assert document["seconds"] > 0
    assert document["coups_per_second"] == pytest.approx(200000 / document["seconds"])
    odds = exact_odds(find_game(slug), decks=6)
    for found, wager in zip(document["wagers"], odds.wagers, strict=True):
        assert list(found) == ["wager", "mean", "se", "exact", "z"]
        assert found["wager"] == wager.wager.slug
        assert found["exact"] == float(wager.ev)
        assert found["se"] == pytest.approx(wager.sd / 200000**0.5)
        assert found["z"] == pytest.approx((found["mean"] - found["exact"]) / found["se"])
        assert abs(found["z"]) < 4.5


def test_another_process_with_other_threads_gives_the_same() -> None:
    options = ("simulate", "power-98", "--shoes", "9000", "--seed", "77", "--json")
    here = run(*options, "--threads", "1")
    there = run_process(*options, "--threads", "3")
    assert there.code == 0
    assert there.err == ""
    assert steady(there.json) == steady(here.json)
    assert (here.json["threads"], there.json["threads"]) == (1, 3)
    assert here.json["shoes"] == 9000


def test_independent_coups_are_one_draw() -> None:
    options = ("simulate", "tiger", "--independent", "--coups", "1000000000", "--json")
    first, second = run(*options, "--seed", "4"), run(*options, "--seed", "4")
    assert steady(first.json) == steady(second.json)
    assert (first.json["coups"], first.json["shoes"]) == (10**9, None)
    assert max(abs(found["z"]) for found in first.json["wagers"]) < 4.5


def test_independent_coups_need_one_thread_and_accept_more() -> None:
    ran = run("simulate", "tiger", "--independent", "--coups", "9", "--threads", "2", "--json")
    assert ran.code == 0
    assert ran.json["threads"] == 1


def test_help_names_the_defaults_of_the_library() -> None:
    usual = ShoeRules()
    text = " ".join(run("simulate", "--help").out.replace("│", " ").split())
    assert f"Cards behind the cut card. Without it {usual.behind_cut} by" in text
    assert f"the cut card comes out. Without it {usual.after_cut} by" in text
    assert usual.burn
    assert "Without it burn by" in text
    assert text.count("the rulebooks are silent") == 3
    assert "A14" in text
    assert "A15" in text


def test_cut_card_and_burn_are_options() -> None:
    options = ("simulate", "baccarat", "--shoes", "2000", "--seed", "1", "--json")
    usual = run(*options).json
    deep = run(*options, "--behind-cut", "200").json
    more = run(*options, "--behind-cut", "20", "--after-cut", "2").json
    kept = run(*options, "--no-burn").json
    assert deep["coups"] < usual["coups"] < kept["coups"]
    assert len({usual["coups"], more["coups"], kept["coups"]}) == 3


def test_the_table_names_game_seed_and_wagers() -> None:
    ran = run("simulate", "baccarat", "--coups", "1000", "--seed", "12")
    assert ran.code == 0
    assert ran.err == ""
    for words in ("Baccarat", "1,000 coups", "seed 12", "Banker Pair", "Standard error"):
        assert words in ran.out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--coups", "0"), "0 coups cannot be dealt"),
        (("--coups", "-5"), "-5 coups cannot be dealt"),
        (("--shoes", "0"), "0 shoes cannot be dealt"),
        (("--coups", "5", "--shoes", "5"), "Give either --coups or --shoes"),
        (("--coups", "many"), "many"),
        (("--coups", "5", "--decks", "3"), "3 decks were asked for"),
        (("--coups", "5", "--threads", "0"), "0 threads were asked for"),
        (("--coups", "5", "--seed", "-1"), "A seed of -1"),
        (("--coups", "5", "--behind-cut", "3"), "at least 11 are needed"),
        (("--coups", "5", "--after-cut", "-1"), "-1 coups after the cut card"),
        (("--independent", "--coups", "0"), "0 coups cannot be dealt"),
        (("--independent", "--shoes", "4"), "--independent or --shoes"),
        (("--independent", "--decks", "12"), "12 decks were asked for"),
        (("--independent", "--threads", "0"), "0 threads were asked for"),
        (("--independent", "--behind-cut", "14"), "--independent or --behind-cut:"),
        (("--independent", "--after-cut", "0"), "--independent or --after-cut:"),
        (("--independent", "--burn"), "--independent or --burn:"),
        (("--independent", "--no-burn"), "--independent or --no-burn:"),
        (("--coups", "5", "--threads", "1000000"), "1000000 threads were asked for"),
        (("--workers", "0"), "0 workers were asked for"),
        (("--workers", "1", "--threads", "2"), "--threads or a cluster"),
        (("--workers", "1", "--scheduler", "tcp://x:1"), "either the address of a scheduler"),
    ],
    ids=" ".join,
)
def test_impossible_requests_are_refused(options: tuple[str, ...], words: str) -> None:
    assert_refused(run("simulate", "baccarat", *options), words)


def test_an_unknown_game_is_refused() -> None:
    assert_refused(run("simulate", "poker"), "poker")


def test_a_terminal_shows_progress_and_ctrl_c_returns_what_is_done() -> None:
    command = [sys.executable, "-m", "croupier", "simulate", "baccarat"]
    command += ["--coups", "1000000000000", "--seed", "3", "--json"]
    master, slave = pty.openpty()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=slave) as process:  # noqa: S603
        os.close(slave)
        shown = b""
        while not re.search(rb"million coups/s", shown):
            shown += os.read(master, 4096)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    os.close(master)
    assert process.returncode == 0
    document = json.loads(out)
    assert document["complete"] is False
    assert 0 < document["coups"] < 10**12
    assert max(abs(found["z"]) for found in document["wagers"]) < 4.5
    assert b"dealing" in shown
