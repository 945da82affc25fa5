"""The cage: wallets, transfers that happen exactly once, tickets, and the chips of tables."""

from __future__ import annotations

import asyncio
from collections import Counter
from itertools import product
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.floor.cage import CAGE, CageDesk
from croupier.floor.desk import Reply
from croupier.journal import cage as c
from croupier.journal.cage import CageCode, CageError
from croupier.journal.errors import FencedError, JournalError, OtherCommandError, PoisonedError
from croupier.journal.memory import MemoryStore
from croupier.journal.sqlite import SqliteStore
from croupier.journal.verify import verify
from croupier.journal.writer import Writer
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands
from croupier.table.refusals import Code
from croupier.table.roles import Patron
from tests.floor.casino import BY, Casino, Guarded, casino, guarded, refused
from tests.floor.rounds import StoppingStore, looped
from tests.table.floor import SYSTEM

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable
    from pathlib import Path

    from croupier.journal.store import Store

# Patrons


@pytest.mark.clause("EB4 1.1.15")
@looped
async def test_a_patron_buys_in_wagers_and_cashes_out() -> None:
    async with casino(MemoryStore()) as house:
        cage, desk = house.cage, house.desks["1"]
        await house.open("1", "ann", game="tiger")
        await house.buy_in("ann", 500_00)
        assert (await cage.send("t1", "ann", desk, 500_00)).accepted
        assert await house.balances() == {"cash": -500_00, "seat:1:ann": 500_00}
        await house.do("1", commands.CallBets(), SYSTEM)
        await house.do("1", commands.PlaceWager("ann", "player", 100_00), Patron("ann"))
        assert (await house.balances())["stakes:1"] == 100_00
        await house.do("1", commands.RemoveWager("ann", 1), Patron("ann"))
        await house.do("1", commands.CloseBets(), SYSTEM)
        assert (await cage.receive("t2", "ann", desk, 400_00)).accepted
        assert cage.cage.wallets == {"ann": 400_00}
        assert (await cage.leave("t3", "ann", desk)).accepted
        assert cage.cage.wallets == {"ann": 500_00}
        await house.record("k1", c.CashedOut("A-1", "ann", 500_00, BY))
        assert await house.balances() == {"cash": -500_00, "ticket:A-1": 500_00}
        await house.record("k2", c.TicketPaid("A-1", 500_00, BY))
        assert await house.balances() == {}


@looped
async def test_a_ticket_is_taken_in_at_another_table() -> None:
    async with casino(MemoryStore()) as house:
        await house.open("2", "bea")
        await house.buy_in("ann", 100_00)
        await house.record("k1", c.CashedOut("A-1", "ann", 60_00, BY))
        await house.record("k2", c.TicketTakenIn("A-1", "bea", 60_00, BY))
        await house.cage.send("t1", "bea", house.desks["2"], 60_00)
        assert await house.balances() == {
            "cash": -100_00,
            "wallet:ann": 40_00,
            "seat:2:bea": 60_00,
        }
        paid = house.record("k3", c.TicketPaid("A-1", 60_00, BY))
        assert await refused(paid, CageCode.TICKET_PAID) == "Ticket A-1 was paid already."


@looped
async def test_tickets_are_paid_once_and_for_what_they_are_worth() -> None:
    async with casino(MemoryStore()) as house:
        await house.buy_in("ann", 100_00)
        await house.record("k1", c.CashedOut("A-1", "ann", 60_00, BY))
        for number, (event, code, sentence) in enumerate(
            (
                (
                    c.CashedOut("A-1", "ann", 1_00, BY),
                    CageCode.KNOWN_TICKET,
                    "There is a ticket A-1 already.",
                ),
                (
                    c.TicketPaid("A-2", 60_00, BY),
                    CageCode.UNKNOWN_TICKET,
                    "There is no ticket A-2.",
                ),
                (
                    c.TicketTakenIn("A-1", "ann", 61_00, BY),
                    CageCode.OTHER_AMOUNT,
                    "Ticket A-1 is worth 60.00, not 61.00.",
                ),
            )
        ):
            assert await refused(house.record(f"x{number}", event), code) == sentence
        await house.record("k2", c.TicketPaid("A-1", 60_00, BY))
        again = house.record("k3", c.TicketPaid("A-1", 60_00, BY))
        assert await refused(again, CageCode.TICKET_PAID) == "Ticket A-1 was paid already."
        assert await house.balances() == {"cash": -40_00, "wallet:ann": 40_00}


@pytest.mark.parametrize(
    "event",
    [
        c.BoughtIn("ann", 1.5, BY),  # type: ignore[arg-type]
        c.BoughtIn("ann", cents=True, by=BY),
        c.BoughtIn("ann", "5", BY),  # type: ignore[arg-type]
        c.BoughtIn("ann", 5, None),  # type: ignore[arg-type]
        c.CashedOut(1, "ann", 5, BY),  # type: ignore[arg-type]
    ],
    ids=repr,
)
@looped
async def test_what_could_not_be_read_again_is_refused(event: c.CageEvent) -> None:
    async with casino(MemoryStore()) as house:
        await house.buy_in("ann", 10_00)
        await refused(house.record("x", event), CageCode.NOT_WRITABLE)
        await house.buy_in("bob", 10_00)
        assert (await house.balances())["cash"] == -20_00


@pytest.mark.parametrize("cents", [0, -1, 10**12 + 1, 2**70])
@looped
async def test_amounts_of_nothing_are_refused(cents: int) -> None:
    async with casino(MemoryStore()) as house:
        await house.buy_in("ann", 10_00)
        events = (
            c.BoughtIn("ann", cents, BY),
            c.SentToTable("t1", "ann", "1", cents),
            c.CashedOut("A-1", "ann", cents, BY),
            c.TableOpenerSet("1", cents, BY),
        )
        for number, event in enumerate(events):
            sentence = await refused(house.record(f"x{number}", event), CageCode.BAD_AMOUNT)
            assert sentence.startswith(f"An amount of {cents} cents came to the cage;")
        assert await house.balances() == {"cash": -10_00, "wallet:ann": 10_00}


@looped
async def test_nobody_spends_what_a_wallet_does_not_hold() -> None:
    async with casino(MemoryStore()) as house:
        await house.open("1", "ann")
        await house.buy_in("ann", 10_00)
        sending = house.cage.send("t1", "ann", house.desks["1"], 10_01)
        sentence = "10.01 were asked for; the wallet of ann holds 10.00."
        assert await refused(sending, CageCode.NOT_ENOUGH_CREDIT) == sentence
        cashing = house.record("k1", c.CashedOut("A-1", "bea", 1, BY))
        sentence = "0.01 were asked for; the wallet of bea holds 0.00."
        assert await refused(cashing, CageCode.NOT_ENOUGH_CREDIT) == sentence


@looped
async def test_two_tables_never_race_for_one_wallet(tmp_path: Path) -> None:
    tables = tuple("12345")
    store = await SqliteStore.open(tmp_path / "journal.sqlite")
    async with casino(store, tables) as house:
        for name in tables:
            await house.open(name, "ann")
        await house.buy_in("ann", 100_00)
        sends = [
            house.cage.send(f"t{number}", "ann", house.desks[tables[number % 5]], 100_00)
            for number in range(50)
        ]
        outcomes = await asyncio.gather(*sends, return_exceptions=True)
        sent = [one for one in outcomes if isinstance(one, Reply)]
        assert len(sent) == 1
        assert sum(isinstance(one, CageError) for one in outcomes) == 49
        seats = [n for n in await house.balances() if n.startswith("seat:")]
        assert len(seats) == 1
    await store.close()


@looped
async def test_what_a_table_refuses_comes_back() -> None:
    async with casino(MemoryStore()) as house:
        await house.open("1")
        await house.buy_in("ann", 100_00)
        for _ in range(2):
            reply = await house.cage.send("t1", "ann", house.desks["1"], 100_00)
            assert reply.refusal is not None
            assert reply.refusal.code is Code.NOT_AT_TABLE
            assert house.cage.cage.wallets == {"ann": 100_00}
        again = house.record("x", c.SentBack("t1", "ann", "1", 100_00))
        await refused(again, CageCode.UNKNOWN_TRANSFER)
        named = house.record("y", c.SentToTable("t1", "ann", "2", 100_00))
        await refused(named, CageCode.KNOWN_TRANSFER)


@looped
async def test_what_a_seat_does_not_hold_is_not_received() -> None:
    async with casino(MemoryStore()) as house:
        await house.open("1", "ann")
        reply = await house.cage.receive("t1", "ann", house.desks["1"], 1)
        assert reply.refusal is not None
        assert reply.refusal.code is Code.NOT_ENOUGH_CREDIT
        assert (await house.cage.leave("t2", "bea", house.desks["1"])).refusal is not None
        assert (await house.cage.leave("t3", "ann", house.desks["1"])).accepted
        assert house.desks["1"].table.seats == {}
        assert await house.balances() == {}


@looped
async def test_only_the_cage_makes_transfers() -> None:
    async with casino(MemoryStore()) as house:
        await house.open("1", "ann")
        for command in (
            commands.BringCredit("ann", 5_00, "t1"),
            commands.TakeCredit("ann", 5_00, "t1"),
            commands.LeaveSeat("ann", "t1"),
        ):
            refusal = (await house.ask("1", command)).refusal
            assert refusal is not None
            assert refusal.code is Code.NEEDS_SYSTEM
        await house.do("1", commands.BringCredit("ann", 5_00))


@looped
async def test_money_that_nobody_sent_does_not_stop_a_table() -> None:
    async with casino(MemoryStore()) as house:
        await house.open("1", "ann")
        with pytest.raises(JournalError, match="less than nothing"):
            await house.ask("1", commands.BringCredit("ann", 5_00, "t1"), CAGE)
        await house.do("1", commands.BringCredit("ann", 5_00))
        assert house.desks["1"].table.credits == {"ann": 5_00}


# Once


@looped
async def test_the_same_command_has_the_same_answer(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    bought = c.BoughtIn("ann", 10_00, BY)
    cashed = c.CashedOut("A-1", "ann", 20_00, BY)
    store = await SqliteStore.open(path)
    async with casino(store) as house:
        replies = await asyncio.gather(*[house.record("k1", bought) for _ in range(5)])
        assert set(replies) == {replies[0]}
        first = await refused(house.record("k2", cashed), CageCode.NOT_ENOUGH_CREDIT)
        await house.buy_in("ann", 50_00)
    await store.close()
    store = await SqliteStore.open(path)
    async with casino(store) as house:
        assert house.cage.cage.wallets == {"ann": 60_00}
        assert await house.record("k1", bought) == replies[0]
        # The wallet holds enough by now; the answer stays what it was.
        assert await refused(house.record("k2", cashed), CageCode.NOT_ENOUGH_CREDIT) == first
        with pytest.raises(OtherCommandError, match="was another one before"):
            await house.record("k1", c.BoughtIn("ann", 11_00, BY))
        await house.record("k3", cashed)
        assert house.cage.cage.wallets == {"ann": 40_00}
    await store.close()


@looped
async def test_a_command_of_a_table_is_another_one_than_the_cages() -> None:
    async with casino(MemoryStore()) as house:
        await house.open("1", "ann")
        await house.buy_in("ann", 5_00)
        # The Dealer asked for something under this name at the table.
        assert await house.store.find([("table:1", "staff:Dan", "1-2")])
        await house.cage.record("1-2", c.BoughtIn("ann", 5_00, BY), "staff:Dan")
        assert house.cage.cage.wallets == {"ann": 10_00}


@looped
async def test_a_cage_that_starts_again_knows_everything() -> None:
    store = MemoryStore()
    async with casino(store) as house:
        await house.open("1", "ann")
        await house.buy_in("ann", 10_00)
        await house.cage.send("t1", "ann", house.desks["1"], 3_00)
        await house.cage.receive("t3", "ann", house.desks["1"], 2_00)
        await house.record("k1", c.CashedOut("A-1", "ann", 4_00, BY))
        await house.record("k2", c.TableOpenerSet("1", 100_00, BY))
        before = house.cage.cage
    async with casino(store) as house:
        assert house.cage.cage == before


# The desk of the cage


@looped
async def test_many_are_served_by_two_appends() -> None:
    """Two frames are on their way, each with half of what waits, behind the start."""
    counting = StoppingStore(MemoryStore())
    async with casino(counting, ()) as house:
        await asyncio.gather(*[house.buy_in(f"p{number}", 1_00) for number in range(200)])
        assert counting.appends == 1 + 2
        assert house.cage.cage.wallets == {f"p{number}": 1_00 for number in range(200)}


@looped
async def test_a_cage_that_was_taken_over_serves_nobody() -> None:
    store = MemoryStore()
    old = CageDesk(Writer(store))
    await old.start()
    async with casino(store, ()) as house:
        for number in range(2):
            with pytest.raises(FencedError, match="was taken over"):
                await old.record(f"k{number}", c.BoughtIn("ann", 1_00, BY), BY)
        await house.buy_in("ann", 2_00)
        assert await house.balances() == {"cash": -2_00, "wallet:ann": 2_00}
    await old.close()


@pytest.mark.parametrize("written", [False, True])
@looped
async def test_nobody_is_told_what_may_not_be_written(*, written: bool) -> None:
    store = MemoryStore()
    cage = CageDesk(Writer(guarded(store, 2, written=written)))  # type: ignore[arg-type]
    await cage.start()
    bought = c.BoughtIn("ann", 1_00, BY)
    for _ in range(2):
        with pytest.raises(PoisonedError):
            await cage.record("k1", bought, BY)
    await cage.close()
    async with casino(store, ()) as house:
        assert house.cage.cage.wallets == ({"ann": 1_00} if written else {})
        assert await house.cage.record("k1", bought, BY) == Reply(2 if written else 3)
        assert house.cage.cage.wallets == {"ann": 1_00}


@looped
async def test_a_closed_cage_says_so() -> None:
    house = Casino(MemoryStore())
    await house.start(())
    waiting = [asyncio.create_task(house.buy_in(f"p{number}", 1_00)) for number in range(3)]
    await asyncio.sleep(0)
    await house.close()
    assert await asyncio.gather(*waiting) == [None] * 3
    with pytest.raises(JournalError, match="The desk of cage is closed"):
        await house.buy_in("late", 1_00)


@looped
async def test_what_cannot_be_written_troubles_nobody_else() -> None:
    async with casino(MemoryStore(), ()) as house:
        bad = "\ud800"
        for act in (
            house.record("k1", c.BoughtIn(bad, 1_00, BY)),
            house.record(bad, c.BoughtIn("ann", 1_00, BY)),
            house.cage.record("k2", c.BoughtIn("ann", 1_00, BY), bad),
        ):
            await refused(act, CageCode.NOT_WRITABLE)
        await house.buy_in("ann", 1_00)


@looped
async def test_an_account_that_would_overflow_troubles_nobody_else() -> None:
    store = MemoryStore()
    async with casino(store, ()) as house:
        await house.buy_in("ann", 1_00)
        # Past the cage, so that its next act does not fit the ledger any more.
        store._balances["wallet:bea"] = 2**63 - 1  # noqa: SLF001
        acts = [house.buy_in("bea", 5_00), house.buy_in("cid", 5_00)]
        bea, cid = await asyncio.gather(*acts, return_exceptions=True)
        assert isinstance(bea, JournalError)
        assert cid is None
        assert house.cage.cage.wallets == {"ann": 1_00, "cid": 5_00}
        del store._balances["wallet:bea"]  # noqa: SLF001


# Exactly once, wherever the house stops


class Client:
    """Somebody with errands at the cage, who repeats what got no answer."""

    def __init__(self) -> None:
        self.done = 0

    async def go_on(self, house: Casino) -> None:
        """Do all errands from the first that was not answered."""
        cage, one, two = house.cage, house.desks["1"], house.desks["2"]
        errands: list[Callable[[], Awaitable[object]]] = [
            lambda: house.record("k1", c.BoughtIn("ann", 100_00, BY)),
            lambda: cage.send("t1", "ann", one, 60_00),
            # Nobody of this name is at the second table: it comes back.
            lambda: cage.send("t2", "ann", two, 40_00),
            lambda: cage.send("t3", "ann", one, 5_00),
            lambda: cage.receive("t4", "ann", one, 20_00),
            lambda: cage.leave("t5", "ann", one),
            lambda: house.record("k2", c.CashedOut("A-1", "ann", 90_00, BY)),
            lambda: house.record("k3", c.TicketPaid("A-1", 90_00, BY)),
        ]
        for errand in errands[self.done :]:
            await errand()
            self.done += 1


AT_THE_END = {"cash": -10_00, "wallet:ann": 10_00}


async def opened(store: Store) -> None:
    async with casino(store) as house:
        await house.open("1", "ann")
        await house.open("2", "bea")


async def run(store: Store, client: Client, guard: Guarded) -> bool:
    """Start the house, finish what was under way, and go on; tell whether it stopped."""
    house = Casino(guard)  # type: ignore[arg-type]
    try:
        await house.start()
        for desk in house.desks.values():
            await house.cage.finish_transfers(desk)
            assert await house.cage.finish_transfers(desk) == 0, "finished twice"
        transit = [n for n in await house.balances() if n.startswith("transit:")]
        assert transit == [], "something is still on its way"
        await client.go_on(house)
    except PoisonedError:
        return True
    finally:
        await house.close()
    assert await house.balances() == AT_THE_END
    assert (await verify(store, RULEBOOKS)).findings == []
    return False


async def crash(store: Store, stops: tuple[tuple[int, bool], ...]) -> int:
    """Run all errands with the house stopping as told; return how often it did."""
    client, stopped = Client(), 0
    for stop_at, written in stops:
        guard = guarded(store, stop_at, written=written)
        if not await run(store, client, guard):
            return stopped
        stopped += 1
    assert not await run(store, client, guarded(store))
    return stopped


APPENDS = 17
"""How many appends the errands need: one each, and one more for every transfer."""


@looped
async def test_errands_need_so_many_appends() -> None:
    store = MemoryStore()
    await opened(store)
    guard = guarded(store)
    assert not await run(store, Client(), guard)
    assert guard.appends == APPENDS


@pytest.mark.parametrize("written", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("stop_at", range(1, APPENDS + 1))
@looped
async def test_transfers_happen_exactly_once(
    tmp_path: Path, stop_at: int, *, written: bool
) -> None:
    path = tmp_path / "journal.sqlite"
    store = await SqliteStore.open(path)
    await opened(store)
    client = Client()
    assert await run(store, client, guarded(store, stop_at, written=written))
    await store.close()
    store = await SqliteStore.open(path)
    assert not await run(store, client, guarded(store))
    await store.close()


Stop = tuple[int, bool]
STOPS: list[Stop] = [
    (number, written) for number in range(1, APPENDS + 1) for written in (False, True)
]


async def crash_all(ways: Iterable[tuple[Stop, ...]]) -> Counter[int]:
    """Run the errands once for each way to stop; count how deep the ways led."""
    deepest: Counter[int] = Counter()
    for stops in ways:
        store = MemoryStore()
        await opened(store)
        deepest[await crash(store, stops)] += 1
    return deepest


@looped
async def test_transfers_happen_exactly_once_however_often_the_house_stops() -> None:
    chance = Random(5)
    ways = [tuple(chance.sample(STOPS, 3)) for _ in range(60)]
    deepest = await crash_all(ways)
    assert deepest[0] == 0
    assert deepest[2] > 0
    assert deepest[3] > 0


@pytest.mark.crash
@looped
async def test_transfers_happen_exactly_once_wherever_the_house_stops_twice() -> None:
    deepest = await crash_all(product(STOPS, STOPS))
    assert deepest[1] + deepest[2] == len(STOPS) ** 2
    assert deepest[2] > len(STOPS)


# Whatever is asked of the cage

patrons = st.sampled_from(["ann", "bea"])
tables = st.sampled_from(["1", "2"])
tickets = transfers = st.sampled_from(["x", "y", "z"])
amounts = st.integers(-1, 5)
by = st.just(BY)
asked: st.SearchStrategy[c.CageEvent] = st.one_of(
    st.builds(c.BoughtIn, patrons, amounts, by),
    st.builds(c.SentToTable, transfers, patrons, tables, amounts),
    st.builds(c.SentBack, transfers, patrons, tables, amounts),
    st.builds(c.CashedOut, tickets, patrons, amounts, by),
    st.builds(c.TicketPaid, tickets, amounts, by),
    st.builds(c.TicketTakenIn, tickets, patrons, amounts, by),
    st.builds(c.TableOpenerSet, tables, amounts, by),
    st.builds(c.TableFilled, tables, amounts, by),
    st.builds(c.TableCredited, tables, amounts, by),
)


@given(st.lists(asked, max_size=40))
def test_whatever_is_asked_no_wallet_ticket_or_transfer_goes_below_zero(
    events: list[c.CageEvent],
) -> None:
    cage = c.Cage()
    balances: Counter[str] = Counter()
    for event in events:
        before = (dict(cage.wallets), dict(cage.tickets), dict(cage.sent), set(cage.finished))
        try:
            c.check(cage, event)
        except CageError:
            after = (cage.wallets, cage.tickets, cage.sent, cage.finished)
            assert after == before, "a refusal changed something"
            continue
        cage = cage.after(event)
        for source, target, cents in c.moves(event):
            assert cents > 0
            balances[source] -= cents
            balances[target] += cents
        assert min(cage.wallets.values(), default=0) >= 0
        for patron, cents in cage.wallets.items():
            assert balances[c.wallet(patron)] == cents
        for number, cents in cage.tickets.items():
            assert balances[c.ticket(number)] == cents
        under_way: Counter[str] = Counter()
        for sent in cage.sent.values():
            under_way[c.transit(sent.table, sent.patron)] += sent.cents
        assert under_way == {n: v for n, v in balances.items() if v and n.startswith("transit")}
        assert sum(balances.values()) == 0
