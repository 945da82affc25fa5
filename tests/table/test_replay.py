"""Replay: the written events alone give the table back, anywhere, any number of times."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import msgspec
import pytest

from croupier.rulebooks import GAMES, RULEBOOKS
from croupier.table.evolve import EVENTS, evolve, fold
from croupier.table.state import unopened
from tests.table.machine_walk import Walk
from tests.table.machine_watch import DECODE, ENCODE

if TYPE_CHECKING:
    from croupier.table.events import Event
    from croupier.table.state import Table

ROOT = Path(__file__).resolve().parent.parent.parent
SLUGS = [game.slug for game in GAMES]
SEED, STEPS = 98, 250
HASH_SEEDS = ("0", "4711")


@cache
def recorded(game: str) -> tuple[tuple[bytes, ...], Table]:
    """Return what was written down of a walk, and the table at its end."""
    walk = Walk(game, Random(SEED))
    walk.go(STEPS)
    return tuple(map(ENCODE, walk.watch.events)), walk.table


def read(lines: tuple[bytes, ...]) -> list[Event]:
    """Read events as they were written."""
    return [DECODE(line) for line in lines]


@pytest.mark.parametrize("game", SLUGS)
def test_the_written_events_alone_give_the_table_back(game: str) -> None:
    lines, table = recorded(game)
    assert len(lines) > STEPS // 2
    assert fold(unopened(RULEBOOKS), read(lines)) == table


@pytest.mark.parametrize("game", SLUGS)
def test_a_replay_may_stop_anywhere_and_go_on_later(game: str) -> None:
    lines, table = recorded(game)
    events = read(lines)
    for stop in range(0, len(events), 25):
        until = fold(unopened(RULEBOOKS), events[:stop])
        assert fold(until, events[stop:]) == table


@pytest.mark.parametrize("game", SLUGS)
def test_what_is_written_again_is_written_alike(game: str) -> None:
    lines, _ = recorded(game)
    assert tuple(map(ENCODE, read(lines))) == lines


def test_evolving_leaves_the_table_before_as_it_was() -> None:
    lines, _ = recorded("baccarat")
    tables = [unopened(RULEBOOKS)]
    for event in read(lines):
        tables.append(evolve(tables[-1], event))
    again = unopened(RULEBOOKS)
    for event, before in zip(read(lines), tables, strict=False):
        assert again == before
        again = evolve(again, event)


def test_every_event_has_a_name_of_its_own_and_knows_no_other_fields() -> None:
    names = [kind.__struct_config__.tag for kind in EVENTS]
    assert len(set(names)) == len(names)
    line = msgspec.json.decode(recorded("baccarat")[0][0])
    assert line["type"] in names
    with pytest.raises(msgspec.ValidationError):
        DECODE(msgspec.json.encode({**line, "surprise": 1}))


def digest() -> str:
    """Return a digest of all that happens on short walks under every rulebook."""
    lines = blake2b()
    for game in SLUGS[:5] * 3:
        walk = Walk(game, Random(f"{game} {lines.hexdigest()}"))
        walk.go(100)
        for event in walk.watch.events:
            lines.update(ENCODE(event))
    return lines.hexdigest()


def test_the_same_commands_give_the_same_events_in_every_process() -> None:
    """Sets and hashes are in another order in every process; events must not be."""
    digests = set()
    for seed in HASH_SEEDS:
        command = [sys.executable, "-c", f"from {__name__} import digest; print(digest())"]
        done = subprocess.run(  # noqa: S603  # our own
            command,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        )
        digests.add(done.stdout.strip())
    assert digests == {digest()}
