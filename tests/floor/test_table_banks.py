"""Chips and cash of tables: opener, fills, credits, closer, drop, and what is over or short."""

from __future__ import annotations

import asyncio

import pytest

from croupier.cage import commands as c
from croupier.cage import events as e
from croupier.cage.refusals import CageCode
from croupier.cage.state import Sheet
from croupier.floor.desk import Desk
from croupier.floor.sources import DeviceSource
from croupier.journal.decision import read_record
from croupier.journal.memory import MemoryStore
from croupier.journal.verify import verify
from croupier.journal.writer import Writer
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands
from croupier.table.state import Phase
from tests.floor.casino import Casino, casino, refused
from tests.floor.rounds import PATRONS, SCRIPTS, SLUGS, People, looped
from tests.table.floor import BANKER_WINS, MANAGER, PLAYER_WINS


async def closed(house: Casino, name: str) -> None:
    """Let everybody leave, paid in cash where that is possible, and close a table."""
    table = house.desks[name].table
    assert table.plan is not None
    # Where the paid round could still be void, everybody leaves by the closing itself.
    for patron in () if table.phase is Phase.SETTLED else list(table.seats):
        await house.do(name, commands.LeaveSeat(patron, table.plan.pays_cash))
    await house.do(name, commands.CloseTable(), MANAGER)
    await house.transfers.quiet()


@looped
async def test_the_day_of_a_table() -> None:
    async with casino(MemoryStore()) as house:
        desk = house.desks["1"]
        await house.record("c1", c.SetOpener("1", 10_000_00))
        await house.open("1", "ann", "bea")
        await house.buy_in("ann", 1_000_00)
        await house.send("t1", "ann", "1", 600_00)
        await house.do("1", commands.BringCredit("bea", 500_00))
        assert await house.balances() == {
            "cash": -1_500_00,
            "vault": -10_000_00,
            "wallet:ann": 400_00,
            "seat:1:ann": 600_00,
            "seat:1:bea": 500_00,
            "box:1": 500_00,
            "bank:1": 9_500_00,
        }
        await house.play("1", BANKER_WINS, ("ann", "banker", 100_00), ("bea", "player", 50_00))
        await house.record("c2", c.FillTable("1", 2_000_00))
        await house.play("1", PLAYER_WINS, ("ann", "banker", 300_00), ("bea", "tie", 50_00))
        await house.record("c3", c.CreditTable("1", 4_000_00))
        won = 50_00 - 95_00 + 300_00 + 50_00
        assert (desk.table.bank, desk.table.commission) == (won - 5_00, 5_00)
        await house.leave("t2", "ann", "1")
        await closed(house, "1")
        tray = 10_000_00 - 500_00 + 2_000_00 - 4_000_00 + won
        await house.record("c4", c.CountCloser("1", tray))
        await house.record("c5", c.CountDrop("1", 500_00))
        sheet = house.cage.cage.sheets["1"]
        assert sheet == Sheet(
            10_000_00, 2_000_00, 4_000_00, tray, drop_cents=500_00, over_cents=0, open=False
        )
        assert sheet.win_cents == won
        # The tray is empty; of its account only the commission is left, on the other side.
        assert await house.balances() == {
            "cash": -(1_500_00 - 400_00),
            "vault": won,
            "bank:1": -5_00,
            "commission:1": 5_00,
            "wallet:ann": 795_00,
        }


@pytest.mark.parametrize("game", SLUGS)
@looped
async def test_drop_and_closer_and_credits_less_opener_and_fills_are_the_win(game: str) -> None:
    name = "1"
    async with casino(MemoryStore(), (name,)) as house:
        desk = house.desks[name]
        await house.record("c1", c.SetOpener(name, 50_000_00))
        people = People(SCRIPTS[game])
        await people.play(desk)
        assert desk.table.bank
        electronic = desk.table.settings.rulebook == "EB4"
        to_wallets = electronic or desk.table.phase is Phase.SETTLED
        credits_ = {patron: cents for patron, cents in desk.table.credits.items() if cents}
        await house.record("c2", c.FillTable(name, 7_00))
        await closed(house, name)
        # What is at a seat when its table closes, or at a terminal, goes to the wallet.
        assert house.wallets == (credits_ if to_wallets else {})
        balances = await house.balances()
        drop = balances["box:1"]
        assert drop == len(PATRONS) * 10_000_00
        won = desk.table.bank + desk.table.commission
        await house.record("c3", c.CountDrop(name, drop))
        await house.record("c4", c.CountCloser(name, 50_007_00 - drop + won))
        sheet = house.cage.cage.sheets[name]
        assert (sheet.win_cents, sheet.over_cents) == (won, 0)
        balances = await house.balances()
        assert balances["vault"] == won
        assert -balances["cash"] == won + sum(house.wallets.values())
        assert balances.get("bank:1", 0) + balances.get("commission:1", 0) == 0
        assert "box:1" not in balances


@pytest.mark.parametrize(
    ("counted", "expected"),
    [(97_00, -3_00), (105_00, 5_00), (0, -100_00)],
    ids=["short", "over", "empty"],
)
@pytest.mark.parametrize("what", list(e.Counted))
@looped
async def test_what_is_over_or_short_is_a_fact_of_its_own(
    what: e.Counted, counted: int, expected: int
) -> None:
    async with casino(MemoryStore()) as house:
        await house.open("1", "ann")
        command: c.CageCommand = c.CountDrop("1", counted)
        account, counts = "box:1", e.DropCounted
        if what is e.Counted.CLOSER:
            await house.record("c1", c.SetOpener("1", 100_00))
            command, account = c.CountCloser("1", counted), "bank:1"
            counts = e.TableCloserCounted  # type: ignore[assignment]
        else:
            await house.do("1", commands.BringCredit("ann", 100_00))
        await closed(house, "1")
        before = await house.balances()
        for _ in range(2):
            reply = await house.record("c2", command)
        (record,) = await house.store.read("cage", reply.sequence - 1)
        found, counting = read_record(record).events
        assert found == e.DifferenceFound("1", what, 100_00, counted)
        assert counting == counts("1", counted)
        assert house.cage.cage.sheets["1"].over_cents == expected
        after = await house.balances()
        assert account not in after
        assert after["difference:1"] == -expected
        assert after.get("vault", 0) - before.get("vault", 0) == counted


@looped
async def test_the_chips_of_a_table_go_one_way_after_the_other() -> None:
    async with casino(MemoryStore()) as house:
        await house.open("1", "ann")
        no_chips = "Table 1 has no chips of the house; it needs an opener first."
        needs_chips = (c.FillTable("1", 1_00), c.CreditTable("1", 1_00), c.CountCloser("1", 1))
        for number, command in enumerate(needs_chips):
            reply = await house.give(f"x{number}", command)
            assert refused(reply, CageCode.NO_CHIPS) == no_chips
        await house.record("c1", c.SetOpener("1", 100_00))
        second = await house.give("x4", c.SetOpener("1", 100_00))
        sentence = "Table 1 has its opener; it is counted before the next one."
        assert refused(second, CageCode.HAS_CHIPS) == sentence
        too_much = await house.give("x5", c.CreditTable("1", 100_01))
        sentence = "100.01 was asked for; the tray of table 1 holds 100.00."
        assert refused(too_much, CageCode.NOT_ENOUGH_CHIPS) == sentence
        sentence = "Table 1 is open; what it holds is counted once it closed."
        for number, command in enumerate((c.CountCloser("1", 100_00), c.CountDrop("1", 0))):
            reply = await house.give(f"y{number}", command)
            assert refused(reply, CageCode.TABLE_OPEN) == sentence
        await closed(house, "1")
        await house.record("c2", c.CountCloser("1", 100_00))
        again = await house.give("x8", c.CountCloser("1", 100_00))
        assert refused(again, CageCode.NO_CHIPS) == no_chips
        await house.record("c3", c.CountDrop("1", 0))
        assert await house.balances() == {}
        await house.record("c4", c.SetOpener("1", 5_00))
        assert house.cage.cage.sheets["1"] == Sheet(5_00, open=True)


@looped
async def test_counts_are_compared_with_everything_that_waits_before_them() -> None:
    async with casino(MemoryStore()) as house:
        acts = [
            house.record("c1", c.SetOpener("1", 100_00)),
            house.record("c2", c.FillTable("1", 50_00)),
            house.record("c3", c.CreditTable("1", 120_00)),
            house.record("c4", c.CountCloser("1", 30_00)),
        ]
        await asyncio.gather(*acts)
        assert house.cage.cage.sheets["1"].over_cents == 0
        assert await house.balances() == {}


@pytest.mark.parametrize("counted", [3 * 10**12, 0])
@looped
async def test_a_box_that_was_filled_by_many_is_counted_at_once(counted: int) -> None:
    """Each buy-in has its limit; what they make together has another."""
    async with casino(MemoryStore()) as house:
        await house.open("1", "ann")
        for _ in range(3):
            await house.do("1", commands.BringCredit("ann", 10**12))
        await house.do("1", commands.LeaveSeat("ann"))
        await house.do("1", commands.EndShoe())
        await house.do("1", commands.CloseTable(), MANAGER)
        await house.record("d", c.CountDrop("1", counted))
        assert "box:1" not in await house.balances()
        assert (await verify(house.store, RULEBOOKS)).findings == []


@looped
async def test_a_table_that_nobody_serves_is_counted_by_its_journal() -> None:
    """Whoever owned it: the cage looks at its stream, by its name."""
    async with casino(MemoryStore()) as house:
        await house.open("1", "ann")
        await house.do("1", commands.BringCredit("ann", 100_00))
        await house.desks["1"].close()
        sentence = refused(await house.give("x", c.CountDrop("1", 0)), CageCode.TABLE_OPEN)
        assert sentence == "Table 1 is open; what it holds is counted once it closed."
        house.desks["1"] = Desk(house.writer, "1", RULEBOOKS, DeviceSource())
        await house.desks["1"].start()
        await closed(house, "1")
        await house.desks["1"].close()
        await house.record("d", c.CountDrop("1", 100_00))
        assert house.cage.cage.sheets["1"].over_cents == 0
        for command in (c.CountDrop("9", 0), c.SetOpener("9", 1_00)):
            sentence = refused(await house.give(f"n{command}", command), CageCode.UNKNOWN_TABLE)
            assert sentence == "There is no table 9."
        assert "9" not in house.cage.cage.sheets


@looped
async def test_a_box_is_counted_before_the_next_opener() -> None:
    async with casino(MemoryStore()) as house:
        await house.record("o1", c.SetOpener("1", 500_00))
        await house.open("1", "ann")
        await house.do("1", commands.BringCredit("ann", 100_00))
        await closed(house, "1")
        await house.record("c1", c.CountCloser("1", 300_00))
        sentence = refused(
            await house.give("o2", c.SetOpener("1", 1)), CageCode.DROP_NOT_COUNTED
        )
        assert (
            sentence == "The box of table 1 holds 100.00; it is counted before the next opener."
        )
        await house.record("d1", c.CountDrop("1", 100_00))
        await house.record("o3", c.SetOpener("1", 500_00))


@looped
async def test_a_table_of_another_process_is_counted_as_it_is_there() -> None:
    """It is closed here, and open elsewhere: the journal says which."""
    async with casino(MemoryStore()) as house:
        there = Writer(house.store)
        desk = Desk(there, "1", RULEBOOKS, DeviceSource())
        await desk.start()
        house.desks["1"] = desk
        for day in range(3):
            await house.open("1", "ann")
            await house.do("1", commands.BringCredit("ann", 100_00))
            refused(await house.give(f"x{day}", c.CountDrop("1", 0)), CageCode.TABLE_OPEN)
            await closed(house, "1")
            await house.record(f"d{day}", c.CountDrop("1", 100_00))
        assert house.cage.cage.sheets["1"].over_cents == 0
        await there.close()
