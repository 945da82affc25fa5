"""Chips and cash of tables: opener, fills, credits, closer, drop, and what is over or short."""

from __future__ import annotations

import asyncio

import pytest
from croupier.journal.cage import CageCode

from croupier.floor.desk import Desk
from croupier.floor.sources import DeviceSource
from croupier.journal import cage as c
from croupier.journal.decision import read_record
from croupier.journal.memory import MemoryStore
from croupier.journal.verify import verify
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands
from croupier.table.state import Phase
from tests.floor.casino import BY, Casino, casino, refused
from tests.floor.rounds import SCRIPTS, SLUGS, People, looped
from tests.table.floor import BANKER_WINS, MANAGER, PLAYER_WINS


async def closed(house: Casino, name: str) -> None:
    """Let everybody leave, and close a table."""
    table = house.desks[name].table
    # Where the paid round could still be void, everybody is paid out by the closing itself.
    for patron in () if table.phase is Phase.SETTLED else list(table.seats):
        await house.do(name, commands.LeaveSeat(patron))
    await house.do(name, commands.CloseTable(), MANAGER)


@looped
async def test_the_day_of_a_table() -> None:
    async with casino(MemoryStore()) as house:
        cage, desk = house.cage, house.desks["1"]
        await house.record("c1", c.TableOpenerSet("1", 10_000_00, BY))
        await house.open("1", "ann", "bea")
        await house.buy_in("ann", 1_000_00)
        await cage.send("t1", "ann", desk, 600_00)
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
        await house.record("c2", c.TableFilled("1", 2_000_00, BY))
        await house.play("1", PLAYER_WINS, ("ann", "banker", 300_00), ("bea", "tie", 50_00))
        await house.record("c3", c.TableCredited("1", 4_000_00, BY))
        won = 50_00 - 95_00 + 300_00 + 50_00
        assert (desk.table.bank, desk.table.commission) == (won - 5_00, 5_00)
        await cage.leave("t2", "ann", desk)
        await closed(house, "1")
        tray = 10_000_00 - 500_00 + 2_000_00 - 4_000_00 + won
        await cage.count_closer("c4", desk, tray, BY)
        await cage.count_drop("c5", desk, 500_00, BY)
        sheet = cage.cage.sheets["1"]
        assert sheet == c.Sheet(
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
        cage, desk = house.cage, house.desks[name]
        await house.record("c1", c.TableOpenerSet(name, 50_000_00, BY))
        people = People(SCRIPTS[game])
        await people.play(desk)
        assert desk.table.bank
        await house.record("c2", c.TableFilled(name, 7_00, BY))
        await closed(house, name)
        balances = await house.balances()
        drop = balances["box:1"]
        assert drop == 3 * 10_000_00
        won = desk.table.bank + desk.table.commission
        assert (await cage.count_drop("c3", desk, drop, BY)).accepted
        await cage.count_closer("c4", desk, 50_007_00 - drop + won, BY)
        sheet = cage.cage.sheets[name]
        assert (sheet.win_cents, sheet.over_cents) == (won, 0)
        balances = await house.balances()
        assert balances["vault"] == -balances["cash"] == won
        assert balances.get("bank:1", 0) + balances.get("commission:1", 0) == 0
        assert "box:1" not in balances


@pytest.mark.parametrize(
    ("counted", "expected"),
    [(97_00, -3_00), (105_00, 5_00), (0, -100_00)],
    ids=["short", "over", "empty"],
)
@pytest.mark.parametrize("what", list(c.Counted))
@looped
async def test_what_is_over_or_short_is_a_fact_of_its_own(
    what: c.Counted, counted: int, expected: int
) -> None:
    async with casino(MemoryStore()) as house:
        cage, desk = house.cage, house.desks["1"]
        await house.open("1", "ann")
        if what is c.Counted.CLOSER:
            await house.record("c1", c.TableOpenerSet("1", 100_00, BY))
            count, account = cage.count_closer, "bank:1"
        else:
            await house.do("1", commands.BringCredit("ann", 100_00))
            count, account = cage.count_drop, "box:1"
        await closed(house, "1")
        before = await house.balances()
        for _ in range(2):
            reply = await count("c2", desk, counted, BY)
        (record,) = await house.store.read(c.STREAM, reply.sequence - 1)
        found, counting = read_record(record).events
        assert found == c.DifferenceFound("1", what, 100_00, counted, BY)
        assert type(counting).__name__ == {"closer": "TableCloserCounted"}.get(
            what.value, "DropCounted"
        )
        assert cage.cage.sheets["1"].over_cents == expected
        after = await house.balances()
        assert account not in after
        assert after["difference:1"] == -expected
        assert after.get("vault", 0) - before.get("vault", 0) == counted


@looped
async def test_the_chips_of_a_table_go_one_way_after_the_other() -> None:
    async with casino(MemoryStore()) as house:
        cage, desk = house.cage, house.desks["1"]
        await house.open("1", "ann")
        no_chips = "Table 1 has no chips of the house; it needs an opener first."
        for act in (
            house.record("x1", c.TableFilled("1", 1_00, BY)),
            house.record("x2", c.TableCredited("1", 1_00, BY)),
            cage.count_closer("x3", desk, 1_00, BY),
        ):
            assert await refused(act, CageCode.NO_CHIPS) == no_chips
        await house.record("c1", c.TableOpenerSet("1", 100_00, BY))
        second = house.record("x4", c.TableOpenerSet("1", 100_00, BY))
        sentence = "Table 1 has its opener; it is counted before the next one."
        assert await refused(second, CageCode.HAS_CHIPS) == sentence
        too_much = house.record("x5", c.TableCredited("1", 100_01, BY))
        sentence = "100.01 were asked for; the tray of table 1 holds 100.00."
        assert await refused(too_much, CageCode.NOT_ENOUGH_CHIPS) == sentence
        sentence = "Table 1 is open; what it holds is counted once it closed."
        for act in (
            cage.count_closer("x6", desk, 100_00, BY),
            cage.count_drop("x7", desk, 0, BY),
        ):
            assert await refused(act, CageCode.TABLE_OPEN) == sentence
        await closed(house, "1")
        await cage.count_closer("c2", desk, 100_00, BY)
        again = cage.count_closer("x8", desk, 100_00, BY)
        assert await refused(again, CageCode.NO_CHIPS) == no_chips
        assert (await cage.count_drop("c3", desk, 0, BY)).accepted
        assert await house.balances() == {}
        await house.record("c4", c.TableOpenerSet("1", 5_00, BY))
        assert cage.cage.sheets["1"] == c.Sheet(5_00, open=True)


@looped
async def test_counts_are_compared_with_everything_that_waits_before_them() -> None:
    async with casino(MemoryStore()) as house:
        desk = house.desks["1"]
        acts = [
            house.record("c1", c.TableOpenerSet("1", 100_00, BY)),
            house.record("c2", c.TableFilled("1", 50_00, BY)),
            house.record("c3", c.TableCredited("1", 120_00, BY)),
            house.cage.count_closer("c4", desk, 30_00, BY),
        ]
        await asyncio.gather(*acts)
        assert house.cage.cage.sheets["1"].over_cents == 0
        assert await house.balances() == {}


@pytest.mark.parametrize(
    "event",
    [
        c.TableCloserCounted("1", 1_00, BY),
        c.DropCounted("1", 1_00, BY),
        c.DifferenceFound("1", c.Counted.DROP, 1_00, 2_00, BY),
    ],
)
@looped
async def test_nobody_writes_a_count_that_was_not_compared(event: c.CageEvent) -> None:
    async with casino(MemoryStore()) as house:
        await refused(house.record("k1", event), CageCode.NOT_A_COUNT)
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
        assert (await house.cage.count_drop("d", house.desks["1"], counted, BY)).accepted
        assert "box:1" not in await house.balances()
        assert (await verify(house.store, RULEBOOKS)).findings == []


@looped
async def test_a_desk_that_was_never_opened_counts_nothing() -> None:
    async with casino(MemoryStore()) as house:
        asleep = Desk(house.writer, "9", RULEBOOKS, DeviceSource())
        sentence = await refused(house.cage.count_drop("x", asleep, 0, BY), CageCode.TABLE_OPEN)
        assert sentence == "The desk of table 9 is not open; nothing is counted."
        await house.buy_in("ann", 10_00)


@pytest.mark.parametrize("taken_over", [False, True])
@looped
async def test_a_desk_that_is_no_longer_the_tables_counts_nothing(*, taken_over: bool) -> None:
    """The table is open elsewhere, and this desk has not heard of it."""
    async with casino(MemoryStore()) as house:
        old = house.desks["1"]
        if not taken_over:
            await old.close()
        house.desks["1"] = Desk(house.writer, "1", RULEBOOKS, DeviceSource())
        await house.desks["1"].start()
        await house.open("1", "ann")
        await house.do("1", commands.BringCredit("ann", 100_00))
        sentence = await refused(house.cage.count_drop("x", old, 0, BY), CageCode.TABLE_OPEN)
        assert ("taken over" in sentence) is taken_over
        await house.buy_in("ann", 10_00)
        assert (await verify(house.store, RULEBOOKS)).findings == []
        await old.close()
