"""Transfers: whatever their names, whatever is repeated or interrupted, all arrives once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

import pytest
from croupier.journal.cage import CageCode, CageError
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.floor.cage import CAGE, CageDesk
from croupier.floor.desk import Reply, Request
from croupier.journal import cage as c
from croupier.journal.errors import JournalError, PoisonedError
from croupier.journal.memory import MemoryStore
from croupier.journal.writer import Writer
from croupier.table import commands
from tests.floor.casino import BY, TABLES, Casino, Guarded, casino, refused
from tests.floor.rounds import looped
from tests.table.floor import DEALER

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from croupier.floor.desk import Desk
    from croupier.journal.decision import Record
    from croupier.journal.store import Store
    from croupier.table.events import CreditTaken

KNOWN = "Transfer x was made already; a transfer has a name of its own."


async def at_tables(house: Casino, *patrons: str) -> None:
    """Open all tables, seat patrons at each, and give them something to begin with."""
    for name in TABLES:
        await house.open(name, *patrons)
    for patron in patrons:
        await house.buy_in(patron, 100_00)
        for name in TABLES:
            await house.cage.send(f"{patron}-{name}", patron, house.desks[name], 30_00)


BEGINNINGS: dict[str, Callable[[Casino], Awaitable[Reply]]] = {
    "send": lambda house: house.cage.send("x", "ann", house.desks["1"], 10_00),
    "send elsewhere": lambda house: house.cage.send("x", "ann", house.desks["2"], 10_00),
    "send for another": lambda house: house.cage.send("x", "bea", house.desks["1"], 10_00),
    "receive": lambda house: house.cage.receive("x", "ann", house.desks["1"], 10_00),
    "receive elsewhere": lambda house: house.cage.receive("x", "ann", house.desks["2"], 10_00),
    "receive for another": lambda house: house.cage.receive("x", "bea", house.desks["1"], 9_00),
    "leave": lambda house: house.cage.leave("x", "ann", house.desks["1"]),
    "leave for another": lambda house: house.cage.leave("x", "bea", house.desks["2"]),
}


@pytest.mark.parametrize("second", BEGINNINGS)
@pytest.mark.parametrize("first", BEGINNINGS)
@looped
async def test_a_name_begins_one_transfer(first: str, second: str) -> None:
    async with casino(MemoryStore()) as house:
        await at_tables(house, "ann", "bea")
        reply = await BEGINNINGS[first](house)
        assert reply.accepted
        before = await house.balances()
        if first == second:
            assert await BEGINNINGS[second](house) == reply
        else:
            assert await refused(BEGINNINGS[second](house), CageCode.KNOWN_TRANSFER) == KNOWN
            assert await BEGINNINGS[first](house) == reply
        assert await house.balances() == before
        for desk in house.desks.values():
            assert await house.cage.finish_transfers(desk) == 0


@pytest.mark.parametrize("second", BEGINNINGS)
@pytest.mark.parametrize("first", BEGINNINGS)
@looped
async def test_of_two_at_once_one_has_the_name(first: str, second: str) -> None:
    async with casino(MemoryStore()) as house:
        await at_tables(house, "ann", "bea")
        both = [BEGINNINGS[name](house) for name in (first, second)]
        outcomes = await asyncio.gather(*both, return_exceptions=True)
        done = [one for one in outcomes if isinstance(one, Reply)]
        assert len(done) == (2 if first == second else 1)
        assert len(set(done)) == 1
        late = [one for one in outcomes if not isinstance(one, Reply)]
        assert all(isinstance(one, CageError) and str(one) == KNOWN for one in late)
        assert not [name for name in await house.balances() if name.startswith("transit:")]


@looped
async def test_a_name_that_was_refused_is_taken_too() -> None:
    async with casino(MemoryStore()) as house:
        await at_tables(house, "ann")
        assert not (await house.cage.receive("x", "ann", house.desks["1"], 30_01)).accepted
        await refused(house.cage.leave("x", "ann", house.desks["1"]), CageCode.KNOWN_TRANSFER)
        again = await house.cage.receive("x", "ann", house.desks["1"], 30_01)
        assert not again.accepted


@looped
async def test_no_table_is_asked_under_a_name_that_the_cage_knows() -> None:
    async with casino(MemoryStore()) as house:
        await at_tables(house, "ann")
        one = house.desks["1"]
        # Begun by a command of another name, as an older house did.
        sent = c.SentToTable("x", "ann", "1", 10_00)
        await house.cage._submit("send-x", sent, "system:cage")  # noqa: SLF001
        head = await house.store.head(one.stream)
        for act in (
            house.cage.receive("x", "ann", one, 10_00),
            house.cage.leave("x", "ann", one),
            house.cage.send("x", "ann", one, 10_00),
        ):
            assert await refused(act, CageCode.KNOWN_TRANSFER) == KNOWN
        assert await house.store.head(one.stream) == head
        assert await house.cage.finish_transfers(one) == 1


@looped
async def test_more_than_one_act_can_bring_arrives_by_one() -> None:
    async with casino(MemoryStore()) as house:
        await house.open("1", "ann")
        for number in range(2):
            await house.record(f"k{number}", c.BoughtIn("ann", c.CENTS_MAX, BY))
            await house.cage.send(f"t{number}", "ann", house.desks["1"], c.CENTS_MAX)
        assert (await house.cage.leave("x", "ann", house.desks["1"])).accepted
        assert house.cage.cage.wallets == {"ann": 2 * c.CENTS_MAX}


@looped
async def test_a_table_with_a_long_name_gives_up_nothing_that_cannot_arrive() -> None:
    name = "1" * 180
    async with casino(MemoryStore(), (name,)) as house:
        await house.open(name, "ann")
        await house.buy_in("ann", 10_00)
        await house.cage.send("x", "ann", house.desks[name], 10_00)
        await house.cage.receive("y", "ann", house.desks[name], 4_00)
        await house.cage.leave("z", "ann", house.desks[name])
        assert house.cage.cage.wallets == {"ann": 10_00}


@looped
async def test_names_that_cannot_be_written_move_nothing() -> None:
    async with casino(MemoryStore()) as house:
        await at_tables(house, "ann")
        before = await house.balances()
        for name in ("\n", "\ud800", "x" * 250):
            with pytest.raises((CageError, JournalError)):
                await house.cage.send(name, "ann", house.desks["1"], 1_00)
            with pytest.raises((CageError, JournalError)):
                await house.cage.receive(name, "ann", house.desks["1"], 1_00)
        assert await house.balances() == before
        long = house.record("k", c.BoughtIn("a" * 250, 1_00, BY))
        sentence = await refused(long, CageCode.NOT_WRITABLE)
        assert sentence.startswith("What came to the cage cannot be written: The name")


@looped
async def test_nobody_writes_one_side_of_a_transfer_alone() -> None:
    async with casino(MemoryStore()) as house:
        await at_tables(house, "ann")
        events = (
            c.SentToTable("x", "ann", "1", 1_00),
            c.ReceivedFromTable("x", "ann", "1", 1_00),
            c.SentBack("ann-1", "ann", "1", 30_00),
        )
        for number, event in enumerate(events):
            sentence = await refused(house.record(f"k{number}", event), CageCode.NOT_A_TRANSFER)
            assert (
                sentence
                == "Credit goes between cage and table by a transfer, with both of them."
            )


@looped
async def test_a_cage_that_failed_lets_no_table_give_up_anything() -> None:
    store = MemoryStore()
    old = CageDesk(Writer(store))
    await old.start()
    async with casino(store) as house:
        await at_tables(house, "ann")
        with pytest.raises(JournalError, match="was taken over"):
            await old.record("k", c.BoughtIn("ann", 1_00, BY), BY)
        before = await house.balances()
        for _ in range(2):
            with pytest.raises(JournalError, match="was taken over"):
                await old.receive("x", "ann", house.desks["1"], 1_00)
        assert await house.balances() == before
    await old.close()


async def given_up_past_the_cage(house: Casino) -> Desk:
    """Let a table give up credit under a name that the cage knows, and under a new one."""
    await house.start()
    await at_tables(house, "ann", "bea", "cid")
    one = house.desks["1"]
    assert (await house.cage.receive("old", "bea", one, 1_00)).accepted
    for number, (patron, transfer) in enumerate((("ann", "ann-1"), ("bea", "new"))):
        take = Request(f"past-{number}", CAGE, commands.TakeCredit(patron, 5_00, transfer))
        assert (await one.submit(take)).accepted
    return one


@looped
async def test_what_a_table_gave_up_arrives_whoever_had_its_name() -> None:
    house = Casino(MemoryStore())
    one = await given_up_past_the_cage(house)
    before = (await house.balances())["wallet:ann"]
    assert await house.cage.finish_transfers(one) == 2
    assert await house.cage.finish_transfers(one) == 0
    balances = await house.balances()
    assert (balances["wallet:ann"], balances["wallet:bea"]) == (before + 5_00, 46_00)
    assert not any(name.startswith("transit:") for name in balances)
    await house.close()


@looped
async def test_one_that_cannot_be_finished_stops_no_other() -> None:
    class NotForAnn(CageDesk):
        async def _receive(self, desk: Desk, record: Record, event: CreditTaken) -> None:
            if event.patron == "ann":
                raise c.known_transfer(str(event.transfer))
            await super()._receive(desk, record, event)

    house = Casino(MemoryStore())
    house.cage = NotForAnn(house.writer)
    one = await given_up_past_the_cage(house)
    assert await house.cage.finish_transfers(one) == 1
    assert await house.cage.finish_transfers(one) == 0
    assert (await house.balances())["wallet:bea"] == 46_00
    await house.close()


# Whatever is asked for, under whatever names, and interrupted anywhere


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
        cage, desk = house.cage, house.desks[self.table]
        if self.kind == "send":
            return await cage.send(self.name, self.patron, desk, self.cents)
        if self.kind == "receive":
            return await cage.receive(self.name, self.patron, desk, self.cents)
        if self.kind == "leave":
            return await cage.leave(self.name, self.patron, desk)
        if self.kind == "sit":
            sit = commands.TakeSeat(self.patron, 1 if self.patron == "ann" else 2)
            return await desk.submit(Request(f"sit-{number}", DEALER, sit))
        return await cage.finish_transfers(desk)


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


acts = st.builds(
    Act,
    st.sampled_from(("send", "send", "receive", "receive", "leave", "sit", "finish")),
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
)


async def live(store: Store, day: Day, number: int) -> None:
    """Let one day pass; whatever goes wrong is said in one of the ways there are."""
    guard = (Failing if day.opens else Guarded)(store)
    guard.stop_at, guard.written = day.stop_at, day.written
    house = Casino(guard)  # type: ignore[arg-type]
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
            assert isinstance(outcome, CageError | PoisonedError | asyncio.CancelledError), (
                outcome
            )
    await house.close()


async def check_everything_arrived(store: Store) -> None:
    """Finish what is under way, and look for every cent."""
    async with casino(store) as house:
        for desk in house.desks.values():
            await house.cage.finish_transfers(desk)
            assert await house.cage.finish_transfers(desk) == 0, "finished twice"
        balances = await house.balances()
        assert not [name for name in balances if name.startswith("transit:")]
        for patron in ("ann", "bea"):
            own = [c.wallet(patron), *(f"seat:{name}:{patron}" for name in TABLES)]
            assert sum(balances.get(account, 0) for account in own) == 100_00, "gained or lost"
        assert balances["cash"] == -200_00


async def live_on(lives: list[Day]) -> None:
    store = MemoryStore()
    async with casino(store) as house:
        await at_tables(house, "ann", "bea")
    for number, day in enumerate(lives):
        await live(store, day, number)
    await check_everything_arrived(store)


@settings(max_examples=200)
@given(st.lists(days, min_size=1, max_size=5))
def test_whatever_happens_every_cent_arrives_once(lives: list[Day]) -> None:
    asyncio.run(live_on(lives))


@pytest.mark.crash
@settings(max_examples=5_000)
@given(st.lists(days, min_size=1, max_size=8))
def test_whatever_happens_for_days_every_cent_arrives_once(lives: list[Day]) -> None:
    asyncio.run(live_on(lives))
