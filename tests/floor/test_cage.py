"""The cage: wallets, transfers that happen exactly once, tickets, and the chips of tables."""

from __future__ import annotations

import asyncio
from collections import Counter
from itertools import product
from random import Random
from typing import TYPE_CHECKING

import pytest

from croupier.cage import commands as c
from croupier.cage.authority import CAGE
from croupier.cage.refusals import CageCode
from croupier.floor.cage import CageDesk
from croupier.floor.desk import Reply, Request
from croupier.journal.errors import FencedError, JournalError, OtherCommandError, PoisonedError
from croupier.journal.memory import MemoryStore
from croupier.journal.sqlite import SqliteStore
from croupier.journal.verify import verify
from croupier.journal.writer import Writer
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands
from croupier.table.refusals import Code
from croupier.table.roles import HousePosition, HouseStaff, Patron
from tests.floor.casino import CARA, TICKETS, Casino, Guarded, casino, guarded, refused
from tests.floor.rounds import StoppingStore, looped
from tests.table.floor import DEALER, SYSTEM

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable
    from pathlib import Path

    from croupier.journal.store import Store

# Patrons


@pytest.mark.clause("EB4 1.1.15")
@looped
async def test_a_patron_buys_in_wagers_and_cashes_out() -> None:
    async with casino(MemoryStore()) as house:
        await house.open("1", "ann", game="tiger")
        await house.buy_in("ann", 500_00)
        assert (await house.send("t1", "ann", "1", 500_00)).accepted
        assert await house.balances() == {"cash": -500_00, "seat:1:ann": 500_00}
        await house.do("1", commands.CallBets(), SYSTEM)
        await house.do("1", commands.PlaceWager("ann", "player", 100_00), Patron("ann"))
        assert (await house.balances())["stakes:1"] == 100_00
        await house.do("1", commands.RemoveWager("ann", 1), Patron("ann"))
        await house.do("1", commands.CloseBets(), SYSTEM)
        assert (await house.take("t2", "ann", "1", 400_00)).accepted
        assert house.wallets == {"ann": 400_00}
        assert (await house.leave("t3", "ann", "1")).accepted
        assert house.wallets == {"ann": 500_00}
        number = await house.cash_out("k1", "ann", 500_00)
        assert await house.balances() == {"cash": -500_00, f"ticket:{number}": 500_00}
        await house.record("k2", c.PayTicket(number, TICKETS.validation(number)))
        assert await house.balances() == {}


@looped
async def test_a_ticket_is_taken_in_by_whoever_brings_it() -> None:
    async with casino(MemoryStore()) as house:
        await house.open("2", "bea")
        await house.buy_in("ann", 100_00)
        number = await house.cash_out("k1", "ann", 60_00)
        proof = TICKETS.validation(number)
        await house.record("k2", c.TakeInTicket("bea", number, proof))
        await house.send("t1", "bea", "2", 60_00)
        assert await house.balances() == {
            "cash": -100_00,
            "wallet:ann": 40_00,
            "seat:2:bea": 60_00,
        }
        paid = await house.give("k3", c.PayTicket(number, proof))
        assert refused(paid, CageCode.TICKET_PAID) == f"Ticket {number} was paid already."


@looped
async def test_tickets_are_paid_once_and_to_whoever_proves_them() -> None:
    async with casino(MemoryStore()) as house:
        await house.buy_in("ann", 100_00)
        number = await house.cash_out("k1", "ann", 60_00)
        proof = TICKETS.validation(number)
        (printed,) = [one.digest for one in house.cage.cage.tickets.all.values()]
        none = await house.give("x1", c.PayTicket("1", proof))
        assert refused(none, CageCode.UNKNOWN_TICKET) == "There is no ticket 1."
        for place, wrong in enumerate(("", proof[:-1], proof + "0", printed)):
            # Not even what the journal has of a number proves it.
            reply = await house.give(f"y{place}", c.TakeInTicket("bea", number, wrong))
            sentence = f"The validation number that came is not that of ticket {number}."
            assert refused(reply, CageCode.WRONG_VALIDATION) == sentence
        await house.record("k2", c.PayTicket(number, proof))
        again = await house.give("k3", c.PayTicket(number, proof))
        assert refused(again, CageCode.TICKET_PAID) == f"Ticket {number} was paid already."
        late = await house.give("k4", c.PayTicket(number, "0"))
        assert refused(late, CageCode.WRONG_VALIDATION)
        assert await house.balances() == {"cash": -40_00, "wallet:ann": 40_00}


@looped
async def test_no_validation_number_is_in_the_journal() -> None:
    store = MemoryStore()
    async with casino(store) as house:
        await house.buy_in("ann", 100_00)
        secrets = []
        for place in range(3):
            number = await house.cash_out(f"k{place}", "ann", 10_00)
            secrets += [TICKETS.validation(number), f"WRONG{place}WRONG"]
            await house.give(f"w{place}", c.PayTicket(number, secrets[-1]))
            await house.give(f"v{place}", c.TakeInTicket("ann", number, secrets[-2]))
        whole = b"".join(record.body for record in await store.read("cage"))
        assert [one for one in secrets if one.encode() in whole] == []
        assert house.wallets == {"ann": 100_00}


@pytest.mark.parametrize("cents", [0, -1, 10**12 + 1, 2**70])
@looped
async def test_amounts_of_nothing_are_refused(cents: int) -> None:
    async with casino(MemoryStore()) as house:
        await house.buy_in("ann", 10_00)
        asked = (
            c.BuyIn("ann", cents),
            c.SendToTable("ann", "1", cents),
            c.CashOut("ann", cents),
            c.SetOpener("1", cents),
        )
        for number, command in enumerate(asked):
            sentence = refused(await house.give(f"x{number}", command), CageCode.BAD_AMOUNT)
            assert sentence.startswith(f"An amount of {cents} cents came to the cage;")
        assert await house.balances() == {"cash": -10_00, "wallet:ann": 10_00}


@pytest.mark.parametrize(
    "command",
    [
        c.BuyIn("ann", 1.5),  # type: ignore[arg-type]
        c.BuyIn("ann", cents=True),
        c.BuyIn("ann", "5"),  # type: ignore[arg-type]
        c.BuyIn("\ud800", 5),
        c.SendToTable("ann", "\ud800", 5),
    ],
    ids=repr,
)
@looped
async def test_what_could_not_be_read_again_is_not_written(command: c.CageCommand) -> None:
    async with casino(MemoryStore()) as house:
        await house.buy_in("ann", 10_00)
        with pytest.raises(JournalError):
            await house.give("x", command)
        await house.buy_in("bob", 10_00)
        assert (await house.balances())["cash"] == -20_00


@looped
async def test_nobody_spends_what_a_wallet_does_not_hold() -> None:
    async with casino(MemoryStore()) as house:
        await house.open("1", "ann")
        await house.buy_in("ann", 10_00)
        sending = await house.send("t1", "ann", "1", 10_01)
        sentence = "10.01 was asked for; the wallet of patron ann holds 10.00."
        assert refused(sending, CageCode.NOT_ENOUGH_CREDIT) == sentence
        cashing = await house.give("k1", c.CashOut("bea", 1))
        sentence = "0.01 was asked for; the wallet of patron bea holds 0.00."
        assert refused(cashing, CageCode.NOT_ENOUGH_CREDIT) == sentence


@looped
async def test_two_tables_never_race_for_one_wallet(tmp_path: Path) -> None:
    tables = tuple("12345")
    store = await SqliteStore.open(tmp_path / "journal.sqlite")
    async with casino(store, tables) as house:
        for name in tables:
            await house.open(name, "ann")
        await house.buy_in("ann", 100_00)
        sends = [
            house.send(f"t{number}", "ann", tables[number % 5], 100_00) for number in range(50)
        ]
        outcomes = await asyncio.gather(*sends)
        assert sum(one.accepted for one in outcomes) == 1
        late = [one for one in outcomes if not one.accepted]
        assert {one.refusal.code for one in late} == {CageCode.NOT_ENOUGH_CREDIT}
        seats = [n for n in await house.balances() if n.startswith("seat:")]
        assert len(seats) == 1
    await store.close()


@looped
async def test_what_a_table_refuses_comes_back() -> None:
    async with casino(MemoryStore()) as house:
        await house.open("1")
        await house.buy_in("ann", 100_00)
        for _ in range(2):
            reply = await house.send("t1", "ann", "1", 100_00)
            assert reply.refusal is not None
            assert reply.refusal.code is Code.NOT_AT_TABLE
            assert house.wallets == {"ann": 100_00}
        assert house.cage.cage.sent == {}


@looped
async def test_what_was_sent_to_no_table_comes_back() -> None:
    async with casino(MemoryStore()) as house:
        await house.buy_in("ann", 100_00)
        sent = await house.record("t1", c.SendToTable("ann", "nowhere", 100_00))
        assert await house.transfers.arrival(sent.sequence) is None
        await house.transfers.quiet()
        assert house.wallets == {"ann": 100_00}


@looped
async def test_what_a_seat_does_not_hold_is_not_received() -> None:
    async with casino(MemoryStore()) as house:
        await house.open("1", "ann")
        reply = await house.take("t1", "ann", "1", 1)
        assert reply.refusal is not None
        assert reply.refusal.code is Code.NOT_ENOUGH_CREDIT
        assert (await house.leave("t2", "bea", "1")).refusal is not None
        assert (await house.leave("t3", "ann", "1")).accepted
        assert house.desks["1"].table.seats == {}
        assert await house.balances() == {}


@looped
async def test_credit_goes_to_the_wallet_and_only_staff_pay_it_out_in_cash() -> None:
    async with casino(MemoryStore()) as house:
        await house.open("1", "ann", "bea", "cid", "dee")
        for patron in ("ann", "bea", "cid", "dee"):
            await house.do("1", commands.BringCredit(patron, 9_00))
        await house.do("1", commands.TakeCredit("ann", 5_00, cash=True), DEALER)
        await house.do("1", commands.TakeCredit("ann", 1_00), DEALER)
        await house.do("1", commands.TakeCredit("ann", 1_00), Patron("ann"))
        await house.do("1", commands.LeaveSeat("bea"), SYSTEM)
        await house.do("1", commands.LeaveSeat("cid"), DEALER)
        await house.do("1", commands.LeaveSeat("dee", cash=True), DEALER)
        await house.transfers.quiet()
        assert house.wallets == {"ann": 2_00, "bea": 9_00, "cid": 9_00}
        assert (await house.balances())["cash"] == -36_00 + 5_00 + 9_00


@looped
async def test_only_the_house_makes_transfers() -> None:
    async with casino(MemoryStore()) as house:
        await house.open("1", "ann")
        refusal = (await house.ask("1", commands.BringCredit("ann", 5_00, "t1"))).refusal
        assert refusal is not None
        assert refusal.code is Code.NEEDS_SYSTEM
        await house.do("1", commands.BringCredit("ann", 5_00))
        made_up = (
            c.ReceiveFromTable("x", "ann", "1", 5_00),
            c.SendBack(2),
            c.NoteArrival(2),
        )
        for number, command in enumerate(made_up):
            for actor in (Patron("ann"), CARA, DEALER, SYSTEM):
                reply = await house.give(f"x{number}", command, actor)
                assert refused(reply, CageCode.NEEDS_SYSTEM)


@looped
async def test_money_that_nobody_sent_does_not_stop_a_table() -> None:
    async with casino(MemoryStore()) as house:
        await house.open("1", "ann")
        with pytest.raises(JournalError, match="less than nothing"):
            await house.ask("1", commands.BringCredit("ann", 5_00, "t1"), CAGE)
        await house.do("1", commands.BringCredit("ann", 5_00))
        assert house.desks["1"].table.credits == {"ann": 5_00}


@looped
async def test_a_house_position_is_none_of_a_table() -> None:
    async with casino(MemoryStore()) as house:
        await house.open("1", "ann")
        for position in HousePosition:
            somebody = HouseStaff("Hal", position)
            asked = (
                (commands.CallBets(), Code.NEEDS_DEALER),
                (commands.BringCredit("ann", 5_00), Code.NEEDS_DEALER),
                (commands.PlaceWager("ann", "player", 5_00), Code.NEEDS_DEALER),
                (commands.CloseTable(), Code.NEEDS_PIT_MANAGER),
                (commands.RefuseShoe("ann"), Code.NOT_YOURS),
            )
            for command, code in asked:
                refusal = (await house.ask("1", command, somebody)).refusal
                assert refusal.code is code, (position, command, refusal)
                assert refusal.sentence.startswith(f"{position.value} Hal asks; ")


# Once


@looped
async def test_the_same_command_has_the_same_answer(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    bought, cashed = c.BuyIn("ann", 10_00), c.CashOut("ann", 20_00)
    store = await SqliteStore.open(path)
    async with casino(store) as house:
        replies = await asyncio.gather(*[house.give("k1", bought) for _ in range(5)])
        assert set(replies) == {replies[0]}
        first = refused(await house.give("k2", cashed), CageCode.NOT_ENOUGH_CREDIT)
        await house.buy_in("ann", 50_00)
    await store.close()
    store = await SqliteStore.open(path)
    async with casino(store) as house:
        assert house.wallets == {"ann": 60_00}
        assert await house.give("k1", bought) == replies[0]
        # The wallet holds enough by now; the answer stays what it was.
        assert refused(await house.give("k2", cashed), CageCode.NOT_ENOUGH_CREDIT) == first
        with pytest.raises(OtherCommandError, match="was another one before"):
            await house.give("k1", c.BuyIn("ann", 11_00))
        numbers = {await house.cash_out("k3", "ann", 20_00) for _ in range(3)}
        assert len(numbers) == 1
        assert house.wallets == {"ann": 40_00}
    await store.close()


@looped
async def test_an_identification_at_a_table_is_no_other_command_at_the_cage() -> None:
    async with casino(MemoryStore()) as house:
        await house.open("1", "ann")
        await house.do("1", commands.BringCredit("ann", 5_00))
        await house.buy_in("ann", 5_00)
        own = "same"
        assert (await house.take(own, "ann", "1", 2_00)).accepted
        with pytest.raises(OtherCommandError):
            await house.send(own, "ann", "1", 7_00)
        assert house.wallets == {"ann": 7_00}


@looped
async def test_a_cage_that_starts_again_knows_everything() -> None:
    store = MemoryStore()
    async with casino(store) as house:
        await house.open("1", "ann")
        await house.buy_in("ann", 10_00)
        await house.send("t1", "ann", "1", 3_00)
        await house.take("t3", "ann", "1", 2_00)
        await house.cash_out("k1", "ann", 4_00)
        await house.record("k2", c.SetOpener("1", 100_00))
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
        assert house.wallets == {f"p{number}": 1_00 for number in range(200)}


def bought(command_id: str, patron: str = "ann", cents: int = 1_00) -> Request:
    return Request(command_id, CARA, c.BuyIn(patron, cents))


@looped
async def test_a_cage_that_was_taken_over_serves_nobody() -> None:
    store = MemoryStore()
    old = CageDesk(Writer(store), RULEBOOKS, TICKETS)
    await old.start()
    async with casino(store, ()) as house:
        for number in range(2):
            with pytest.raises(FencedError, match="was taken over"):
                await old.submit(bought(f"k{number}"))
        await house.buy_in("ann", 2_00)
        assert await house.balances() == {"cash": -2_00, "wallet:ann": 2_00}
    await old.close()


@pytest.mark.parametrize("written", [False, True])
@looped
async def test_nobody_is_told_what_may_not_be_written(*, written: bool) -> None:
    store = MemoryStore()
    stopping = Writer(guarded(store, 2, written=written))  # type: ignore[arg-type]
    cage = CageDesk(stopping, RULEBOOKS, TICKETS)
    await cage.start()
    for _ in range(2):
        with pytest.raises(PoisonedError):
            await cage.submit(bought("k1"))
    await cage.close()
    async with casino(store, ()) as house:
        assert house.wallets == ({"ann": 1_00} if written else {})
        assert await house.cage.submit(bought("k1")) == Reply(2 if written else 3)
        assert house.wallets == {"ann": 1_00}


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
async def test_names_that_cannot_be_accounts_move_nothing() -> None:
    async with casino(MemoryStore(), ()) as house:
        await house.buy_in("ann", 1_00)
        asked = (
            c.BuyIn("a" * 198, 1_00),
            c.SendToTable("ann", "1" * 200, 1_00),
            c.SendToTable("ann", "1\n", 1_00),
            c.SendToTable("ann", "", 1_00),
            c.SetOpener(":" * 80, 1_00),
            c.PayTicket("9" * 250, "0"),
        )
        for number, command in enumerate(asked):
            refused(await house.give(f"x{number}", command), CageCode.BAD_NAME)
        assert await house.balances() == {"cash": -1_00, "wallet:ann": 1_00}


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
        assert house.wallets == {"ann": 1_00, "cid": 5_00}
        del store._balances["wallet:bea"]  # noqa: SLF001


# Exactly once, wherever the house stops


class Client:
    """Somebody with errands at the cage, who repeats what got no answer."""

    def __init__(self) -> None:
        self.done = 0

    async def go_on(self, house: Casino) -> None:
        """Do all errands from the first that was not answered."""

        async def pay() -> None:
            number = await house.cash_out("k2", "ann", 90_00)
            await house.record("k3", c.PayTicket(number, TICKETS.validation(number)))

        errands: list[Callable[[], Awaitable[object]]] = [
            lambda: house.record("k1", c.BuyIn("ann", 100_00)),
            lambda: house.send("t1", "ann", "1", 60_00),
            # Nobody of this name is at the second table: it comes back.
            lambda: house.send("t2", "ann", "2", 40_00),
            lambda: house.send("t3", "ann", "1", 5_00),
            lambda: house.take("t4", "ann", "1", 20_00),
            lambda: house.leave("t5", "ann", "1"),
            pay,
        ]
        for errand in errands[self.done :]:
            await errand()
            if house.transfers.failure is not None:
                raise house.transfers.failure
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
        await house.finish()
        assert await house.finish() == 0, "finished twice"
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


APPENDS = 19
"""How many appends the errands need: one each, and what follows of every transfer."""


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
