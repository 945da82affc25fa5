"""The server is killed at any moment of its rounds, comes back, and everybody goes on.

What was told is in the journal, every interruption is ruled as its rulebook says, clients come
back by themselves with the view that the journal has, and the money is right.
"""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.floor.players import (
    TABLES,
    Party,
    check_money,
    check_rulings,
    check_told,
    journal,
    kill,
    verify_command,
    view_at,
)
from tests.floor.serving import Served

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence
    from pathlib import Path

CLOCKS = ("--betting", "0.8", "--pause", "0.2", "--pace", "0.15", "--answer", "0.4")
"""A round takes three seconds, and is in any of its phases for a good part of it."""
CONSEQUENCES = {
    "EB4": {"void", "conclude"},
    "BAC8": {"withdrawal", "conclude"},
    "FF3": {"withdrawal", "conclude"},
    "F6T2": {"referral"},
    "PB6": {"referral"},
}
PHASES = ("OPEN", "CLOSED", "card 1", "card 2", "card 3", "card 4", "RESULT", "SETTLED")
"""Where rounds are interrupted; more than four cards there are not always."""
NOT = {"tiger": {"SETTLED"}}
"""The system pays at once."""
MORE = {"power-98": {"SHAKE"}, "baccarat-a": {"card 0"}}
"""A die is shaken; cards lie face down."""
AIMED = ("tiger", "baccarat", "baccarat-a", "fa-fa-fabulous-4", "fortune-six-tournament",
         "power-98")  # fmt: skip
WANTED = {
    (table, at)
    for table in AIMED
    for at in {*PHASES, *MORE.get(table, ())} - NOT.get(table, set())
}
REACHED_SECONDS = 8.0
LIVES = 40
Aim = tuple[str, str]


async def play_and_kill(
    served: Served, seed: int, aims: Sequence[Aim | None]
) -> Counter[tuple[str, str, str]]:
    """Play at all tables while the server is killed again and again; check everything."""
    chance = Random(seed)
    views = {}
    async with Party(served, seed) as party:
        for number, aim in enumerate(aims):
            if aim is None:
                await asyncio.sleep(chance.uniform(1.0, 4.0))
            else:
                await asyncio.sleep(1.0)
                await party.reached(*aim, REACHED_SECONDS)
            assert party.failures() == []
            await asyncio.to_thread(kill, served, whole=number % 2 == 0)
            await asyncio.to_thread(served.start)
        await party.leave()
        wallets = await party.wallets()
        for table, client in party.clients.items():
            views[table] = (client.name, await client.table(table))
        kill(served, whole=True)
        said = party.said
    async with journal(served) as store:
        await check_told(store, said)
        await check_money(store, wallets)
        for table, (name, seen) in views.items():
            assert seen.view == await view_at(store, table, seen.sequence, name), table
        rulings = await check_rulings(store)
    verify_command(served)
    assert "Traceback" not in served.output, served.output
    assert party.seen.accepted > 0
    return rulings


def killed(
    folder: Path, seed: int, aims: Sequence[Aim | None]
) -> Counter[tuple[str, str, str]]:
    """Start a server, and let it be killed."""
    served = Served(folder, clocks=CLOCKS)
    served.start()
    try:
        return asyncio.run(play_and_kill(served, seed, aims))
    finally:
        if served.process is not None and served.process.poll() is None:
            served.kill()


def test_a_server_that_is_killed_comes_back_and_everybody_goes_on(tmp_path: Path) -> None:
    rulings = killed(tmp_path, seed=1, aims=[None] * 4)
    assert {table for table, _, _ in rulings} == set(TABLES)
    for table, _, what in rulings:
        assert what in CONSEQUENCES[TABLES[table]]
    assert {what for _, _, what in rulings} >= {"void", "withdrawal", "referral"}


@pytest.mark.crash
def test_servers_are_killed_in_every_phase_of_every_rulebook(tmp_path: Path) -> None:
    """Kill until every rulebook was interrupted in every phase, with every consequence."""
    seen: set[Aim] = set()
    outcomes: set[tuple[str, str]] = set()
    ruled = {(code, what) for code, all_of in CONSEQUENCES.items() for what in all_of}
    for life in range(LIVES):
        folder = tmp_path / str(life)
        folder.mkdir()
        missing = sorted(WANTED - seen)
        if not missing and ruled <= outcomes:
            break
        aims: list[Aim | None] = []
        aims += Random(life).sample(missing, min(6, len(missing)))
        aims = aims or [None] * 6
        rulings = killed(folder, 100 + life, aims)
        seen |= {(table, at) for table, at, _ in rulings}
        outcomes |= {(TABLES[table], what) for table, _, what in rulings}
    assert sorted(WANTED - seen) == []
    assert ruled - outcomes == set()
