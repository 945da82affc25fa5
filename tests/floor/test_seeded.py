"""Chance that can be repeated, and the clocks that a house is started with."""

from __future__ import annotations

import asyncio
from collections import Counter
from itertools import product
from typing import TYPE_CHECKING

import pytest

from croupier.floor.configuration import CONFIGURATION, Configuration, Seconds
from croupier.floor.desk import Request
from croupier.floor.house import House
from croupier.floor.seeded import Numbers, Seeded
from croupier.journal.loading import decisions_of
from croupier.journal.memory import MemoryStore
from croupier.journal.verify import verify
from croupier.rulebooks import RULEBOOKS
from croupier.rules.errors import RulesError
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.refusals import Code
from croupier.table.settings import Clocks
from tests.floor.rounds import looped
from tests.table.floor import DEALER, MANAGER, SYSTEM
from tests.table.next_house import settings_of

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.floor.desk import Desk
    from croupier.table.roles import Actor

AT_ONCE = Clocks(
    betting_ms=0, pause_ms=0, pace_ms=0, answer_ms=0, waits_for_patrons=False
)  # fmt: skip
KINDS = ("tiger", "power-98")


def test_numbers_are_even_and_end() -> None:
    """Each number comes about as often as the others."""
    below = Numbers(b"x").below
    counts = Counter(below(6) for _ in range(60_000))
    assert set(counts) == set(range(6))
    assert all(abs(count - 10_000) < 500 for count in counts.values())
    assert [Numbers(b"y").below(1) for _ in range(3)] == [0, 0, 0]


def test_every_shoe_and_die_of_every_table_has_numbers_of_its_own() -> None:
    seen = set()
    for seed, table, number in product((1, 12), ("1", "2", "1 2"), (1, 2, 12, 21)):
        seeded = Seeded(seed)
        for below in (seeded.shoe, seeded.die):
            numbers = [below(table, number)(1_000_000) for _ in range(2)]
            assert numbers[0] == numbers[1], "another one although nothing changed"
            seen.add(numbers[0])
    assert len(seen) == 2 * 2 * 3 * 4


# Houses


async def opened(store: MemoryStore, folder: Path, seed: int | None) -> House:
    house = House(folder, store, Configuration(), seed=seed)
    await house.keeper.start()
    await house.start()
    return house


async def ask(desk: Desk, command: c.Command, actor: Actor = SYSTEM) -> None:
    name = f"test-{desk.name}-{desk.epoch}-{desk.seat.sequence}"
    reply = await desk.submit(Request(name, actor, command))
    assert reply.accepted, reply.refusal


async def dealt(house: House, rounds: int) -> None:
    """Let all tables deal so many rounds more."""
    until = {name: house.tables[name].table.rounds + rounds for name in KINDS}
    async with asyncio.timeout(30):
        while any(house.tables[name].table.rounds < until[name] for name in KINDS):  # noqa: ASYNC110
            await asyncio.sleep(0.002)


async def lives(folder: Path, seed: int | None, restarts: int) -> MemoryStore:
    """Let a house deal, with so many restarts."""
    store = MemoryStore()
    for life in range(restarts + 1):
        house = await opened(store, folder, seed)
        for name in KINDS:
            if not life:
                # Few rounds to a shoe: most of it lies behind the cut card.
                settings = settings_of(name, None, clocks=AT_ONCE, behind_cut=380)
                await ask(await house.table(name), c.OpenTable(settings), MANAGER)
        await dealt(house, 24 // (restarts + 1))
        await house.close()
    assert (await verify(store, RULEBOOKS)).findings == []
    return store


async def coups(store: MemoryStore, name: str) -> tuple[list[str], list[list[str]], list[int]]:
    """Return the names of shoes, the cards of each, and all dice of a table."""
    shoes: list[str] = []
    cards: list[list[str]] = []
    dice: list[int] = []
    async for one in decisions_of(store, f"table:{name}"):
        for event in one.events:
            if isinstance(event, e.ShoeLoaded):
                shoes.append(event.shoe)
                cards.append([])
            elif isinstance(event, e.CardDrawn) and event.card is not None:
                cards[-1].append(event.card)
            elif isinstance(event, e.DieAnnounced):
                dice.append(event.die)
    return shoes, cards, dice


@looped
async def test_a_seed_repeats_shoes_and_dice_and_a_restart_none(tmp_path: Path) -> None:
    seeds = (7, 7, 8, None)
    stores = [
        await lives(tmp_path / f"{place}", seed, restarts=place % 3)
        for place, seed in enumerate(seeds)
    ]
    for name in KINDS:
        one, again, other, chance = [await coups(store, name) for store in stores]
        assert len(one[1]) > 2
        for here, there in zip(one[1], again[1], strict=False):
            length = min(len(here), len(there))
            assert here[:length] == there[:length]
        dice = min(len(one[2]), len(again[2]))
        assert one[2][:dice] == again[2][:dice]
        assert (dice > 10) is (name == "power-98")
        for different in (other, chance):
            assert different[1][0][:8] != one[1][0][:8]
        for _, shoes, _ in (one, again):
            begins = [tuple(cards[:8]) for cards in shoes if len(cards) >= 8]
            assert len(set(begins)) == len(begins), "a shoe came twice"


@looped
async def test_a_table_that_closed_and_opened_again_has_shoes_of_its_own(
    tmp_path: Path,
) -> None:
    """The names of its shoes begin anew; their numbers do not."""
    store, roots = MemoryStore(), []
    house = House(tmp_path, store, Configuration(), seed=7)
    await house.keeper.start()
    await house.start(drive=False)
    desk = await house.table("tiger")
    for _ in range(2):
        await ask(desk, c.OpenTable(settings_of("tiger", None)), MANAGER)
        await ask(desk, c.LoadShoe("1"))
        card = await desk.source.card(desk.seat.state.seal, 0)
        cards = [await desk.source.card(desk.seat.state.seal, number) for number in range(9)]
        assert cards[0] == card
        roots.append(tuple(cards))
        await ask(desk, c.CloseTable(), MANAGER)
    assert len(set(roots)) == 2
    assert house.drivers == {}
    house.drive()
    assert list(house.drivers) == ["tiger"]
    await house.close()


# Clocks


def test_clocks_are_configured_and_overridden() -> None:
    usual = Clocks()
    assert Configuration().clocks.of("1") == usual
    set_ = Configuration().overridden(Seconds(pace=0, betting=2.5)).clocks.of("1")
    assert set_ == Clocks(betting_ms=2_500, pace_ms=0)
    with pytest.raises(
        RulesError, match=r"^-0.1 seconds came for answer; a clock runs for 0 to 3600 seconds.$"
    ):
        Seconds(answer=-0.1)


@looped
async def test_a_house_has_the_clocks_that_it_is_started_with(tmp_path: Path) -> None:
    text = "[clocks]\nbetting = 30\npace = 1.5\n[clocks.tables.tiger]\nbetting = 7\npause = 1\n"
    (tmp_path / CONFIGURATION).write_text(text, encoding="utf-8")
    house = await House.open(tmp_path)
    await house.start(drive=False)
    assert house.clocks_of("other") == Clocks(betting_ms=30_000, pace_ms=1_500)
    own = Clocks(betting_ms=7_000, pause_ms=1_000, pace_ms=1_500)
    assert house.clocks_of("tiger") == own
    desk = await house.table("tiger")
    await ask(desk, c.OpenTable(settings_of("tiger", None, clocks=own)), MANAGER)
    assert (
        await house.set_clocks(DEALER) == {}
    )  # nothing is to be set, so nobody needs to be allowed to
    assert desk.table.settings.clocks == own
    await house.close()
    # The command line comes before both, and an open table is set by somebody who may.
    house = await House.open(tmp_path, clocks=Seconds(betting=3, answer=9))
    await house.start(drive=False)
    desk = await house.table("tiger")
    refused = await house.set_clocks(DEALER)
    assert refused["tiger"].code is Code.NEEDS_PIT_MANAGER
    before = desk.seat.sequence
    for _ in range(2):
        assert await house.set_clocks(MANAGER) == {}
    assert desk.seat.sequence == before + 1
    wanted = Clocks(betting_ms=3_000, pause_ms=1_000, pace_ms=1_500, answer_ms=9_000)
    assert desk.table.settings.clocks == wanted
    await house.close()
