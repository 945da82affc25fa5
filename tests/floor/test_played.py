"""Which rounds a patron played: as the whole journal gives them, however it is read."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from croupier.floor import played
from croupier.floor.desk import Desk, Request
from croupier.floor.played import Called, Played
from croupier.floor.problems import ProblemError, ServerCode
from croupier.floor.sources import DeviceSource
from croupier.journal.errors import JournalError
from croupier.journal.loading import decisions_of
from croupier.journal.memory import MemoryStore
from croupier.journal.recall import opened_by
from croupier.journal.writer import Writer
from croupier.rulebooks import RULEBOOKS
from croupier.table.events import WagersSettled
from croupier.table.incidents import RoundVoided, WagersWithdrawn
from tests.floor.rounds import looped
from tests.floor.test_history import Stopped
from tests.table.machine_walk import PATRONS, Walk

if TYPE_CHECKING:
    from collections.abc import Mapping

TABLES = {"1": ("tiger", 1), "2": ("baccarat", 2), "3": ("power-98", 3)}
STEPS = 450


async def walked() -> MemoryStore:
    """Return the journal of several tables, on which rounds were played at the same time."""
    store, clock = MemoryStore(), Stopped()
    walks = {name: Walk(game, Random(seed)) for name, (game, seed) in TABLES.items()}
    for walk in walks.values():
        while len(walk.script) < STEPS:
            walk.bring(walk.next())
    clock.moment = min(walk.script[0].moment for walk in walks.values())
    writer = Writer(store, clock=clock)
    desks = {name: Desk(writer, name, RULEBOOKS, DeviceSource()) for name in walks}
    for desk in desks.values():
        await desk.start()
    script = [
        (one.moment, name, number, one)
        for name, walk in walks.items()
        for number, one in enumerate(walk.script)
    ]
    for moment, name, number, one in sorted(script, key=lambda told: told[:3]):
        clock.moment = moment
        request = Request(
            f"{name}-{number}", one.actor, one.command, one.approver, one.cards, one.die
        )
        with suppress(JournalError):
            await desks[name].submit(request)
    await writer.close()
    return store


async def told(store: MemoryStore) -> dict[str, list[Called]]:
    """Return the rounds of every patron by reading everything in order, the newest first."""
    found: dict[str, set[Called]] = {patron: set() for patron in PATRONS}
    for name in TABLES:
        current = None
        async for one in decisions_of(store, f"table:{name}"):
            opened = opened_by(one)
            if opened is not None:
                current = Called(one.moment, name, opened.round, one.sequence)
            for event in one.events:
                lines: tuple[Any, ...] = ()
                if isinstance(event, WagersSettled):
                    lines = event.lines
                elif isinstance(event, RoundVoided):
                    lines = (*event.refunds, *event.reversed)
                elif isinstance(event, WagersWithdrawn):
                    lines = (event,)
                for line in lines:
                    assert current is not None
                    found[line.patron].add(current)
    return {patron: sorted(rounds, reverse=True) for patron, rounds in found.items()}


async def desks(store: MemoryStore, part: int = 1) -> Mapping[str, Any]:
    """Return stand-ins for desks, whose streams end earlier than they do."""
    heads = {name: (await store.head(f"table:{name}")).sequence // part for name in TABLES}
    return {
        name: SimpleNamespace(
            name=name, stream=f"table:{name}", seat=SimpleNamespace(sequence=head)
        )
        for name, head in heads.items()
    }


@looped
async def test_rounds_of_a_patron_however_the_journal_is_read() -> None:
    store = await walked()
    wanted = await told(store)
    assert sum(map(len, wanted.values())) > 20
    for chunk in (1, 2, 5, 23, 1000):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(played, "CHUNK", chunk)
            for patron in PATRONS:
                assert await Played(store, await desks(store)).of(patron, 999) == wanted[patron]
            one = Played(store, await desks(store))
            for patron in PATRONS:
                before, pages = None, []
                while page := await one.of(patron, 2, before):
                    pages += page
                    before = page[-1].moment
                assert pages == wanted[patron]


@looped
async def test_what_comes_later_is_found_too() -> None:
    store = await walked()
    wanted = await told(store)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(played, "CHUNK", 11)
        tables: dict[str, Any] = {}
        one = Played(store, tables)
        for part in (9, 4, 2, 1):
            tables |= await desks(store, part)
            heads = {name: desk.seat.sequence for name, desk in tables.items()}
            for patron in PATRONS:
                found = await one.of(patron, 3)
                assert all(called.first <= heads[called.table] for called in found)
        for patron in PATRONS:
            assert await one.of(patron, 999) == wanted[patron]


@looped
async def test_the_newest_rounds_are_remembered() -> None:
    store = await walked()
    wanted = await told(store)
    patron = max(wanted, key=lambda name: len(wanted[name]))
    for chunk in (3, 1000):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(played, "CHUNK", chunk)
            patch.setattr(played, "KEPT", 2)
            one = Played(store, await desks(store))
            found = await one.of(patron, 999)
            assert found == wanted[patron][: len(found)]
            assert 2 <= len(found) <= 4 < len(wanted[patron])
            with pytest.raises(ProblemError, match="newest rounds") as forgotten:
                await one.of(patron, 999, found[-1].moment)
            assert forgotten.value.code is ServerCode.UNKNOWN_ROUND


@looped
async def test_whoever_would_wait_too_long_may_come_back() -> None:
    store = await walked()
    wanted = await told(store)
    patron = max(wanted, key=lambda name: len(wanted[name]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(played, "CHUNK", 5)
        patch.setattr(played, "READ_SECONDS", -1.0)
        one = Played(store, await desks(store))
        for _ in range(3):
            with pytest.raises(ProblemError) as busy:
                await one.of(patron, 999)
            assert busy.value.code is ServerCode.BUSY
        patch.setattr(played, "READ_SECONDS", 6.0)
        assert await one.of(patron, 999) == wanted[patron]
