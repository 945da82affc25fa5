"""The clock of a house, whatever happens to that of the machine."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.floor.clock import MAKES_UP, HouseClock
from croupier.floor.configuration import Configuration
from croupier.floor.desk import Desk, Request
from croupier.floor.house import House
from croupier.journal.decision import now
from croupier.journal.memory import MemoryStore
from croupier.journal.verify import verify
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.next import closes_at
from croupier.table.roles import Patron
from croupier.table.settings import Clocks, Method
from tests.floor.rounds import looped
from tests.table.floor import MANAGER, SYSTEM
from tests.table.next_house import settings_of

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.journal.writer import Committed, Landed
    from croupier.table.roles import Actor

DAY = timedelta(days=1)
START = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Wall:
    """The clock of a machine that somebody sets."""

    def __init__(self) -> None:
        self.set = timedelta()
        self.stands: datetime | None = None

    def __call__(self) -> datetime:
        return self.stands or now() + self.set


class Machine:
    """A machine whose both clocks are set by a test."""

    def __init__(self) -> None:
        self.wall, self.ns = START, 0

    def clock(self) -> HouseClock:
        return HouseClock(lambda: self.wall, lambda: self.ns)

    def passes(self, seconds: float) -> None:
        self.wall += timedelta(seconds=seconds)
        self.ns += int(seconds * 10**9)


@given(
    st.lists(
        st.tuples(
            st.floats(0, 3_600, allow_nan=False), st.integers(-100_000, 100_000), st.booleans()
        ),
        max_size=20,
    )
)
def test_the_moment_never_falls_and_no_time_is_wrong_by_more_than_one_per_cent(
    steps: list[tuple[float, int, bool]],
) -> None:
    machine = Machine()
    clock = machine.clock()
    for seconds, jump, stands in steps:
        before, began = clock(), machine.ns
        wall = machine.wall
        machine.passes(seconds)
        machine.wall = wall if stands else machine.wall + timedelta(seconds=jump)
        elapsed = (machine.ns - began) / 10**9
        told = (clock() - before).total_seconds()
        assert told >= 0
        assert abs(told - elapsed) <= elapsed / MAKES_UP + 0.000_01


def test_what_the_machine_is_ahead_or_behind_is_made_up_for() -> None:
    for jump in (timedelta(seconds=30), timedelta(seconds=-30)):
        machine = Machine()
        clock = machine.clock()
        machine.wall += jump
        assert clock.off == jump
        for _ in range(60):
            machine.passes(60)
            clock()
        assert clock.off == timedelta()
        assert clock() == machine.wall


def test_a_clock_goes_on_from_what_the_journal_has() -> None:
    machine = Machine()
    clock = machine.clock()
    clock.not_before(None)
    clock.not_before(START - DAY)
    assert clock() == START
    clock.not_before(START + DAY)
    machine.passes(10)
    assert START + DAY + timedelta(seconds=9.8) < clock() < START + DAY + timedelta(seconds=10)


# Tables


BETTING_MS, ANSWER_MS = 120, 60
CLOCKS = Clocks(betting_ms=BETTING_MS, pause_ms=20, pace_ms=5, answer_ms=ANSWER_MS)


class Heard:
    """What is heard of a table, and when by the clock that nobody can set."""

    def __init__(self) -> None:
        self.opened = self.wrong = 0.0
        self.closed_at: datetime | None = None
        self.rounds = 0
        self.shortest, self.longest = 1e9, 0.0

    def committed(self, landed: Landed) -> None:
        for one in landed.all:
            self._heard(one)

    def _heard(self, committed: Committed) -> None:
        for event in committed.decision.events:
            if isinstance(event, e.BetsOpened):
                self.opened = time.monotonic()
                self.closed_at = closes_at(committed.after.table)
            elif isinstance(event, e.BetsClosed) and self.closed_at is not None:
                took = time.monotonic() - self.opened
                self.shortest, self.longest = (
                    min(self.shortest, took),
                    max(self.longest, took),
                )
                moment = datetime.fromisoformat(committed.decision.moment)
                off = abs((moment - self.closed_at).total_seconds())
                self.wrong = max(self.wrong, off)
                self.rounds += 1


async def opened(house: House, game: str, method: Method | None) -> Desk:
    desk = await house.table("1")
    asks: tuple[tuple[Actor, c.Command], ...] = (
        (MANAGER, c.OpenTable(settings_of(game, method, clocks=CLOCKS))),
        (SYSTEM, c.TakeSeat("ann", 1)),
        (SYSTEM, c.BringCredit("ann", 1_000_000_00)),
    )
    for number, (actor, command) in enumerate(asks):
        reply = await desk.submit(Request(f"open-{number}", actor, command))
        assert reply.accepted, reply.refusal
    return desk


async def house_at(store: MemoryStore, folder: Path, wall: Wall, heard: Heard) -> House:
    house = House(
        folder, store, Configuration(), clock=wall, subscribers=(heard.committed,)
    )  # fmt: skip
    await house.keeper.start()
    await house.start()
    return house


async def more_rounds(house: House, heard: Heard, count: int) -> None:
    """Let a patron wager and not answer, for some rounds more."""
    desk, before, number = house.tables["1"], heard.rounds, 0
    async with asyncio.timeout(20):
        while heard.rounds < before + count:
            number += 1
            wager = c.PlaceWager("ann", "player", 100_00)
            name = f"bet-{desk.epoch}-{desk.seat.sequence}-{number}"
            await desk.submit(Request(name, Patron("ann"), wager))
            await asyncio.sleep(0.05)


@pytest.mark.parametrize(("game", "method"), [("tiger", None), ("baccarat", Method.A)])
@looped
async def test_no_clock_that_is_set_stalls_a_table_or_closes_bets_early(
    game: str, method: Method | None, tmp_path: Path
) -> None:
    """With method A a patron squeezes, does not answer, and is passed over in time."""
    store, wall, heard = MemoryStore(), Wall(), Heard()
    house = await house_at(store, tmp_path, wall, heard)
    await opened(house, game, method)
    for jump in (DAY, -DAY, -DAY, None):
        if jump is None:
            wall.stands = wall()
        else:
            wall.set += jump
        await more_rounds(house, heard, 2)
    assert heard.shortest >= BETTING_MS / 1_000 * (1 - 2 / MAKES_UP) - 0.002
    assert heard.longest < BETTING_MS / 1_000 + 1
    assert heard.wrong < 1, "closed at another time than was shown"
    await house.close()
    # And when it was set back while the house was closed.
    wall.stands, wall.set = None, -10 * DAY
    house = await house_at(store, tmp_path, wall, heard)
    await more_rounds(house, heard, 2)
    await house.close()
    assert (await verify(store, RULEBOOKS)).findings == []
