"""Transfers: whatever is repeated, raced or interrupted, all arrives once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.cage import commands as c
from croupier.cage.decide import CENTS_MAX
from croupier.cage.ledger import wallet
from croupier.floor import transfers as bringing
from croupier.floor.desk import Desk, Request
from croupier.floor.sources import DeviceSource
from croupier.journal.errors import JournalError
from croupier.journal.memory import MemoryStore
from croupier.journal.sqlite import SqliteStore
from croupier.journal.verify import verify
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands
from croupier.table.roles import Patron
from tests.floor.casino import TABLES, Casino, Guarded, casino
from tests.floor.rounds import looped
from tests.table.floor import DEALER

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from croupier.cage.events import SentToTable
    from croupier.floor.desk import Reply
    from croupier.journal.decision import Record
    from croupier.journal.store import Store


async def at_tables(house: Casino, *patrons: str) -> None:
    """Open all tables, seat patrons at each, and give them something to begin with."""
    for name in TABLES:
        await house.open(name, *patrons)
    for patron in patrons:
        await house.buy_in(patron, 100_00)
        for name in TABLES:
            assert (await house.send(f"{patron}-{name}", patron, name, 30_00)).accepted


@pytest.mark.parametrize("times", [2, 20])
@looped
async def test_the_same_transfer_repeated_and_raced_is_one(times: int) -> None:
    async with casino(MemoryStore()) as house:
        await at_tables(house, "ann", "bea")
        acts_: tuple[Callable[[], Awaitable[Reply]], ...] = (
            lambda: house.send("x", "ann", "1", 10_00),
            lambda: house.take("y", "ann", "2", 7_00),
            lambda: house.leave("z", "bea", "1"),
        )
        for act in acts_:
            raced = await asyncio.gather(*(act() for _ in range(times)))
            assert set(raced) == {raced[0]}
            assert await act() == raced[0]
        assert house.wallets == {"ann": 37_00, "bea": 70_00}
        assert house.desks["1"].table.credits == {"ann": 40_00}
        assert await house.finish() == 0


@looped
async def test_more_than_one_act_can_bring_arrives_by_one() -> None:
    async with casino(MemoryStore()) as house:
        await house.open("1", "ann")
        for number in range(2):
            await house.record(f"k{number}", c.BuyIn("ann", CENTS_MAX))
            await house.send(f"t{number}", "ann", "1", CENTS_MAX)
        assert (await house.leave("x", "ann", "1")).accepted
        assert house.wallets == {"ann": 2 * CENTS_MAX}


@looped
async def test_a_table_with_a_long_name_gives_up_nothing_that_cannot_arrive() -> None:
    name = "1" * 180
    async with casino(MemoryStore(), (name,)) as house:
        await house.open(name, "ann")
        await house.buy_in("ann", 10_00)
        await house.send("x", "ann", name, 10_00)
        await house.take("y", "ann", name, 4_00)
        await house.leave("z", "ann", name)
        assert house.wallets == {"ann": 10_00}


@looped
async def test_names_that_look_like_others_arrive_where_they_belong() -> None:
    tables, patrons = ("1:2", "1", "%3A"), ("2:ann", "ann", "%")
    store = MemoryStore()
    house = Casino(store)
    await house.start(tables)
    for name in tables:
        await house.open(name, *patrons)
        for cents, patron in enumerate(patrons, 1):
            await house.do(name, commands.BringCredit(patron, cents * 100))
            # Nobody hears of it: a start finds it.
            house.writer._subscribers = ()  # noqa: SLF001
            assert (await house.leave(f"l-{name}-{patron}", patron, name)).accepted
    assert await house.finish() == 9
    assert await house.finish() == 0
    assert house.wallets == {"2:ann": 3_00, "ann": 6_00, "%": 9_00}
    await house.check()
    await house.close()


# Found from the journal, without reading it all


class Counting:
    """A store that counts the records that were read of a stream."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.records = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    async def read(self, stream: str, after: int = 0, limit: int = 10_000) -> list[Record]:
        found = await self._store.read(stream, after, limit)
        self.records += len(found)
        return found


async def left_between(house: Casino, rounds: int) -> None:
    """Let a patron take credit of which nobody hears, and let others go on."""
    await house.open("1", "ann", "bea")
    for patron in ("ann", "bea"):
        await house.do("1", commands.BringCredit(patron, 50_00))
    for _ in range(rounds):
        await house.do("1", commands.TakeCredit("bea", 1, cash=True))
        await house.do("1", commands.BringCredit("bea", 1))
    house.writer._subscribers = ()  # noqa: SLF001
    await house.take("x", "ann", "1", 20_00)
    for _ in range(5):
        await house.do("1", commands.BringCredit("bea", 1))


@looped
async def test_a_start_reads_a_table_from_its_end_as_far_as_it_must(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bringing, "PAGE", 10)
    store = MemoryStore()
    house = Casino(store)
    await house.start()
    await left_between(house, 300)
    await house.close()
    counting = Counting(store)
    async with casino(counting) as house:  # type: ignore[arg-type]
        assert (await store.head("table:1")).sequence > 600
        counting.records = 0
        assert await house.finish() == 1
        assert 0 < counting.records <= 10
        counting.records = 0
        assert await house.finish() == 0
        assert counting.records == 0, "nothing is on its way, and something was read"
        assert house.wallets == {"ann": 20_00}


@looped
async def test_one_that_cannot_be_finished_stops_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = MemoryStore()
    house = Casino(store)
    await house.start()
    await at_tables(house, "ann", "bea")
    house.writer._subscribers = ()  # noqa: SLF001
    await house.take("x", "ann", "1", 5_00)
    await house.take("x", "bea", "1", 6_00)
    await house.close()
    house = Casino(store)
    await house.start()
    whole = bringing.Transfers._receive  # noqa: SLF001

    async def not_for_ann(self: bringing.Transfers, one: bringing.GivenUp) -> bool:
        if one.event.patron == "ann":
            message = "Not now."
            raise JournalError(message)
        return await whole(self, one)

    monkeypatch.setattr(bringing.Transfers, "_receive", not_for_ann)
    assert await house.finish() == 1
    assert str(house.transfers.failure) == "Not now."
    assert house.wallets == {"ann": 40_00, "bea": 46_00}
    monkeypatch.undo()
    assert await house.finish() == 1
    assert house.wallets == {"ann": 45_00, "bea": 46_00}
    await house.check()
    await house.close()


# Two processes


@looped
async def test_cage_and_tables_of_two_processes_bring_it_together(tmp_path: Path) -> None:
    """Each finishes its own side; whoever comes first, it happens once."""
    store = await SqliteStore.open(tmp_path / "journal.sqlite")
    async with casino(store, apart=True) as house:
        for name in TABLES:
            await house.open(name, "ann")
        await house.buy_in("ann", 100_00)
        sent = await house.record("s1", c.SendToTable("ann", "1", 60_00))
        await house.cage_transfers.quiet()
        assert await house.cage_transfers.arrival(sent.sequence) is None
        assert house.cage.cage.sent_cents("ann") == 60_00
        assert await house.cage_transfers.finish() == 0, "the table is another's"
        assert await house.transfers.finish() == 1
        assert await house.transfers.finish() == 0
        # The table answered, the cage has not heard it: whoever waits, waits for both.
        waits = asyncio.create_task(house.cage_transfers.arrival(sent.sequence, 60))
        await asyncio.wait([waits], timeout=0.05)
        assert not waits.done()
        assert await house.cage_transfers.finish() == 1
        assert await house.cage_transfers.finish() == 0
        assert (await waits) == await house.cage_transfers.arrival(sent.sequence)
        answer = await house.cage_transfers.arrival(sent.sequence)
        assert answer is not None
        assert answer.accepted
        # What is refused there comes back here.
        gone = await house.record("s2", c.SendToTable("ann", "2", 10_00))
        await house.do("2", commands.LeaveSeat("ann"))
        assert await house.finish() == 2
        answer = await house.cage_transfers.arrival(gone.sequence)
        assert answer is not None
        assert not answer.accepted
        # What leaves a seat there arrives here.
        await house.take("t1", "ann", "1", 20_00)
        assert house.wallets == {"ann": 40_00}
        assert await house.transfers.finish() == 0, "the cage is another's"
        assert await house.cage_transfers.finish() == 1
        assert house.wallets == {"ann": 60_00}
    await store.close()


@looped
async def test_what_arrives_elsewhere_while_somebody_looks_for_it_has_arrived() -> None:
    async with casino(MemoryStore(), apart=True) as house:
        await house.open("1", "ann")
        await house.buy_in("ann", 100_00)
        sent = await house.record("s", c.SendToTable("ann", "1", 60_00))
        here = house.cage_transfers
        await here.quiet()
        answered = here._answered  # noqa: SLF001

        async def before(record: Record, one: SentToTable) -> Reply | None:
            here._answered = answered  # type: ignore[method-assign]  # noqa: SLF001
            found = await answered(record, one)
            await house.finish()
            return found

        here._answered = before  # type: ignore[method-assign,assignment]  # noqa: SLF001
        answer = await here.arrival(sent.sequence, 5)
        assert answer is not None
        assert answer.accepted


@looped
async def test_two_processes_that_finish_at_once_finish_once() -> None:
    async with casino(MemoryStore(), apart=True) as house:
        await house.open("1", "ann")
        await house.buy_in("ann", 100_00)
        for number in range(10):
            await house.record(f"s{number}", c.SendToTable("ann", "1", 5_00))
            finishing = [house.transfers.finish(), house.cage_transfers.finish()] * 3
            await asyncio.gather(*finishing)
            await house.take(f"t{number}", "ann", "1", 2_00)
        for _ in range(2):
            await house.finish()
        balances = await house.balances()
        assert balances == {"cash": -100_00, "wallet:ann": 70_00, "seat:1:ann": 30_00}


@looped
async def test_a_table_that_starts_elsewhere_takes_over_what_was_sent_to_it() -> None:
    store = MemoryStore()
    async with casino(store, ("1",)) as house:
        await house.open("1", "ann")
        await house.buy_in("ann", 10_00)
        await house.desks["1"].close()
        sent = await house.record("s", c.SendToTable("ann", "1", 10_00))
        assert await house.transfers.arrival(sent.sequence) is None
        assert house.cage.cage.sent_cents("ann") == 10_00
        house.desks["1"] = Desk(house.writer, "1", RULEBOOKS, DeviceSource())
        await house.desks["1"].start()
        assert await house.finish() == 1
        assert house.desks["1"].table.credits == {"ann": 10_00}


# Whatever is asked for, at the same time, and interrupted anywhere


class Failing(Guarded):
    """A store whose medium fails at an append, and opens again when it is told to."""

    async def reopen(self) -> None:
        self.stopped = False


class Act(NamedTuple):
    """What somebody asks of the cage or a table."""

    kind: str
    name: str
    patron: str
    table: str
    cents: int

    async def do(self, house: Casino, number: str) -> object:
        desk, name = house.desks[self.table], f"{number[0]}-{self.name}"
        if self.kind == "send":
            command = c.SendToTable(self.patron, self.table, self.cents)
            return await house.give(name, command)
        if self.kind == "take":
            take = commands.TakeCredit(self.patron, self.cents)
            return await desk.submit(Request(name, Patron(self.patron), take))
        if self.kind == "leave":
            leave = commands.LeaveSeat(self.patron)
            return await desk.submit(Request(name, Patron(self.patron), leave))
        if self.kind == "sit":
            sit = commands.TakeSeat(self.patron, 1 if self.patron == "ann" else 2)
            return await desk.submit(Request(f"sit-{number}", DEALER, sit))
        return await house.finish()


STARTS = 3
"""Appends by which the cage and two tables start."""


class Day(NamedTuple):
    """What is asked for at the same time, and how it ends."""

    acts: list[Act]
    stop_at: int | None
    """The append at which the medium fails, once the house has started."""
    written: bool
    opens: bool
    """Whether the medium opens again, or the house stands still."""
    patience: int | None
    """How many turns those who ask wait for their answers."""
    apart: bool
    """Whether the cage is in a process of its own."""


acts = st.builds(
    Act,
    st.sampled_from(("send", "send", "take", "take", "leave", "sit", "finish")),
    st.sampled_from("xyz"),
    st.sampled_from(("ann", "bea")),
    st.sampled_from(TABLES),
    st.sampled_from((7_00, 10_00, 25_00)),
)
days = st.builds(
    Day,
    st.lists(acts, min_size=1, max_size=4),
    st.none() | st.integers(1, 5),
    st.booleans(),
    st.booleans(),
    st.none() | st.integers(0, 12),
    st.booleans(),
)


async def live(store: Store, day: Day, number: int) -> None:
    """Let one day pass; whatever goes wrong is said in one of the ways there are."""
    guard = (Failing if day.opens else Guarded)(store)
    guard.written = day.written
    house = Casino(guard, apart=day.apart)  # type: ignore[arg-type]
    guard.stop_at = None if day.stop_at is None else day.stop_at + STARTS
    await house.start()
    asked = [
        asyncio.create_task(act.do(house, f"{number}-{place}"))
        for place, act in enumerate(day.acts)
    ]
    if day.patience is not None:
        for _ in range(day.patience):
            await asyncio.sleep(0)
        for task in asked:
            task.cancel()
    for outcome in await asyncio.gather(*asked, return_exceptions=True):
        if isinstance(outcome, BaseException):
            assert isinstance(outcome, JournalError | asyncio.CancelledError), outcome
    await check_conserved(store)
    await house.close()


async def check_conserved(store: Store) -> None:
    """Look for every cent, wherever it is at this moment."""
    balances = await store.balances()
    assert sum(balances.values()) == 0
    for patron in ("ann", "bea"):
        own = [wallet(patron)]
        own += [f"{kind}:{name}:{patron}" for name in TABLES for kind in ("seat", "transit")]
        assert sum(balances.get(account, 0) for account in own) == 100_00, "gained or lost"


async def check_everything_arrived(store: Store) -> None:
    """Finish what is under way, and look for every cent."""
    async with casino(store) as house:
        await house.finish()
        assert await house.finish() == 0, "finished twice"
        balances = await house.balances()
        assert not [name for name in balances if name.startswith("transit:")]
        assert house.cage.cage.sent == {}
        assert balances["cash"] == -200_00
    await check_conserved(store)


async def live_on(lives: list[Day]) -> None:
    store = MemoryStore()
    async with casino(store) as house:
        await at_tables(house, "ann", "bea")
    for number, day in enumerate(lives):
        await live(store, day, number)
        assert (await verify(store, RULEBOOKS)).findings == []
    await check_everything_arrived(store)


@settings(max_examples=60)
@given(st.lists(days, min_size=1, max_size=4))
def test_whatever_happens_every_cent_arrives_once(lives: list[Day]) -> None:
    asyncio.run(live_on(lives))


@pytest.mark.crash
@settings(max_examples=5_000)
@given(st.lists(days, min_size=1, max_size=8))
def test_whatever_happens_for_days_every_cent_arrives_once(lives: list[Day]) -> None:
    asyncio.run(live_on(lives))
