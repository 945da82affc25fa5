"""The cage when its medium fails, and when a table's newest records are not durable yet."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from croupier.journal.cage import CageCode, CageError

from croupier.floor.cage import CAGE, CageDesk
from croupier.floor.desk import Desk, Reply, Request
from croupier.floor.sources import DeviceSource
from croupier.journal import cage as c
from croupier.journal.errors import (
    FencedError,
    JournalError,
    NotDoneError,
    OtherCommandError,
    PoisonedError,
)
from croupier.journal.memory import MemoryStore
from croupier.journal.writer import Writer
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands
from tests.floor.casino import BY, Casino, Guarded, casino, refused
from tests.floor.rounds import looped, settings_for
from tests.table.floor import BANKER_WINS, DEALER, MANAGER, faces

if TYPE_CHECKING:
    from collections.abc import Mapping

    from croupier.journal.decision import Record
    from croupier.journal.frames import Frame
    from croupier.table.roles import Staff

# The medium fails


class Failing(Guarded):
    """A store whose medium fails at an append, and opens again as often as it is told to."""

    opens = True

    async def reopen(self) -> None:
        if self.stopped and not self.opens:
            message = "The medium fails again."
            raise PoisonedError(message)
        self.stopped = False


def failing(store: MemoryStore, stop_at: int, *, written: bool) -> Failing:
    made = Failing(store)
    made.stop_at, made.written = stop_at, written
    return made


async def started(store: object) -> CageDesk:
    cage = CageDesk(Writer(store))  # type: ignore[arg-type]
    await cage.start()
    return cage


@pytest.mark.parametrize("written", [False, True])
@looped
async def test_a_cage_whose_medium_failed_answers_by_the_journal(*, written: bool) -> None:
    store = MemoryStore()
    cage = await started(failing(store, 3, written=written))
    await cage.record("k0", c.BoughtIn("ann", 1_00, BY), BY)
    acts = {f"k{number}": c.BoughtIn(f"p{number}", 1_00, BY) for number in range(1, 4)}
    asked = [cage.record(name, event, BY) for name, event in acts.items()]
    asked.append(cage.record("k0", c.BoughtIn("ann", 1_00, BY), BY))
    asked.append(cage.record("k0", c.BoughtIn("ann", 2_00, BY), BY))
    *news, old, other = await asyncio.gather(*asked, return_exceptions=True)
    assert old == Reply(2)
    assert isinstance(other, OtherCommandError)
    if written:
        assert news == [Reply(3), Reply(4), Reply(5)]
    else:
        assert all(isinstance(one, NotDoneError) for one in news)
        sentence = "It was opened again, and nothing came of this command: send it again."
        assert {str(one) for one in news} == {f"The house stands still. {sentence}"}
        assert cage.cage.wallets == {"ann": 1_00}
    again = [cage.record(name, event, BY) for name, event in acts.items()]
    assert await asyncio.gather(*again) == [Reply(3), Reply(4), Reply(5)]
    await cage.close()
    async with casino(store, ()) as house:
        assert house.cage.cage == cage.cage


@looped
async def test_a_medium_that_does_not_open_again_ends_the_cage() -> None:
    store = failing(MemoryStore(), 2, written=False)
    store.opens = False
    cage = await started(store)
    for number in range(3):
        with pytest.raises(PoisonedError, match="The medium fails again") as caught:
            await cage.record(f"k{number}", c.BoughtIn("ann", 1_00, BY), BY)
        assert not isinstance(caught.value, NotDoneError)
        store.opens = True
    await cage.close()


@looped
async def test_a_medium_that_a_table_found_failing_is_opened_by_the_cage_too() -> None:
    store = failing(MemoryStore(), 0, written=False)
    cage = await started(store)
    store.stopped = True
    with pytest.raises(NotDoneError):
        await cage.record("k1", c.BoughtIn("ann", 1_00, BY), BY)
    assert await cage.record("k1", c.BoughtIn("ann", 1_00, BY), BY) == Reply(2)
    await cage.close()


@looped
async def test_a_cage_that_was_taken_over_while_its_medium_failed_writes_nothing() -> None:
    store = MemoryStore()
    cage = await started(failing(store, 2, written=False))
    async with casino(store, ()) as house:
        await house.buy_in("bea", 2_00)
        with pytest.raises(NotDoneError):
            await cage.record("k1", c.BoughtIn("ann", 1_00, BY), BY)
        with pytest.raises(FencedError, match="was taken over"):
            await cage.record("k1", c.BoughtIn("ann", 1_00, BY), BY)
        assert await house.balances() == {"cash": -2_00, "wallet:bea": 2_00}
    await cage.close()


# A table whose newest records are not durable yet


class Slow(MemoryStore):
    """A store whose medium takes its time for one stream."""

    def __init__(self) -> None:
        super().__init__()
        self.slow: str | None = None
        self.goes_on = asyncio.Event()

    def append(self, frame: Frame) -> asyncio.Future[Mapping[str, JournalError]]:
        if self.slow not in frame.parts:
            return super().append(frame)
        return asyncio.ensure_future(self._later(frame))

    async def _later(self, frame: Frame) -> Mapping[str, JournalError]:
        await self.goes_on.wait()
        return await super().append(frame)


class Waiting(Slow):
    """A store that also takes its time to read balances."""

    async def balances(self, prefix: str = "") -> dict[str, int]:
        if self.slow:
            await asyncio.sleep(0.01)
        return dict(await super().balances(prefix))


async def before_settling(house: Casino) -> None:
    """Play a round in which the house wins 100.00, up to its settlement."""
    await house.record("opener", c.TableOpenerSet("1", 1_000_00, BY))
    await house.open("1", "ann")
    await house.do("1", commands.BringCredit("ann", 500_00))
    await house.do("1", commands.CallBets())
    await house.do("1", commands.PlaceWager("ann", "player", 100_00))
    await house.do("1", commands.CloseBets())
    for number, face in enumerate(faces("baccarat", BANKER_WINS).split()):
        draw = Request(f"draw-{number}", DEALER, commands.DrawCard(), None, (face,))
        assert (await house.desks["1"].submit(draw)).accepted
    await house.do("1", commands.AnnounceOutcome())


CLOSING: tuple[tuple[commands.Command, Staff], ...] = (
    (commands.Settle(), DEALER),
    (commands.ConfirmPayment(), DEALER),
    (commands.EndShoe(), DEALER),
    (commands.LeaveSeat("ann"), DEALER),
    (commands.CloseTable(), MANAGER),
)


@looped
async def test_a_table_is_counted_only_when_its_closing_is_durable() -> None:
    store = Slow()
    async with casino(store, ("1",), apart=True) as house:
        await before_settling(house)
        desk, store.slow = house.desks["1"], "table:1"
        asked = [
            asyncio.create_task(desk.submit(Request(f"close-{number}", actor, command)))
            for number, (command, actor) in enumerate(CLOSING)
        ]
        await asyncio.sleep(0.01)
        assert desk.seat.ahead.state.table.plan is None, "in memory it is closed"
        tray = 1_000_00 - 500_00 + 100_00
        for name, count in (
            ("closer", house.cage.count_closer),
            ("drop", house.cage.count_drop),
        ):
            counting = count(f"{name}-1", desk, 500_00, BY)
            sentence = "Table 1 is open; what it holds is counted once it closed."
            assert await refused(counting, CageCode.TABLE_OPEN) == sentence
        store.goes_on.set()
        assert all([(await one).accepted for one in asked])
        await house.cage.count_closer("closer-2", desk, tray, BY)
        await house.cage.count_drop("drop-2", desk, 500_00, BY)
        assert house.cage.cage.sheets["1"].over_cents == 0
        assert house.cage.cage.sheets["1"].win_cents == 100_00


@looped
async def test_a_table_that_opens_while_it_is_counted_is_not_counted() -> None:
    store = Waiting()
    async with casino(store, ("1",), apart=True) as house:
        await house.record("opener", c.TableOpenerSet("1", 1_000_00, BY))
        desk, store.slow = house.desks["1"], "table:1"
        store.goes_on.set()
        counting = asyncio.create_task(house.cage.count_closer("closer", desk, 1_000_00, BY))
        await asyncio.sleep(0)
        await house.do("1", commands.OpenTable(settings_for("baccarat")), MANAGER)
        with pytest.raises(CageError, match="is open"):
            await counting


@looped
async def test_a_table_that_is_about_to_open_is_not_counted() -> None:
    store = Slow()
    async with casino(store, ("1",), apart=True) as house:
        await house.record("opener", c.TableOpenerSet("1", 1_000_00, BY))
        desk, store.slow = house.desks["1"], "table:1"
        command = commands.OpenTable(settings_for("baccarat"))
        opening = asyncio.create_task(house.do("1", command, MANAGER))
        await asyncio.sleep(0.01)
        assert desk.table.plan is None
        # The journal may have what the desk has not heard of yet.
        counting = house.cage.count_closer("closer", desk, 1_000_00, BY)
        await refused(counting, CageCode.TABLE_OPEN)
        store.goes_on.set()
        await opening


@looped
async def test_a_name_that_a_table_takes_while_the_cage_writes_is_known() -> None:
    store = Slow()
    async with casino(store, ("1",), apart=True) as house:
        cage, desk = house.cage, house.desks["1"]
        await house.open("1", "ann")
        await house.buy_in("ann", 100_00)
        await cage.send("t", "ann", desk, 60_00)
        store.slow = "cage"
        sending = asyncio.create_task(cage.send("x", "ann", desk, 10_00))
        await asyncio.sleep(0.01)
        # As a process whose cage was another one might: the name is known to no cage yet.
        take = Request("transfer-x", CAGE, commands.TakeCredit("ann", 5_00, "x"))
        assert (await desk.submit(take)).accepted
        store.goes_on.set()
        # It was sent and comes back; what the table gave up arrives.
        await refused(sending, CageCode.KNOWN_TRANSFER)
        assert await cage.finish_transfers(desk) == 1
        assert await cage.finish_transfers(desk) == 0
        assert cage.cage.wallets == {"ann": 45_00}
        assert desk.table.credits == {"ann": 55_00}


@looped
async def test_nothing_is_sent_to_a_desk_that_is_not_open() -> None:
    async with casino(MemoryStore()) as house:
        await house.buy_in("ann", 10_00)
        asleep = Desk(house.writer, "9", RULEBOOKS, DeviceSource())
        with pytest.raises(JournalError, match="is not open"):
            await house.cage.send("t", "ann", asleep, 5_00)
        assert (await house.balances())["wallet:ann"] == 10_00


class Unreadable:
    """A store that cannot be read once, and is poisoned until it is opened again."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self.poisoned = False

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    async def named(self, actor: str, command_id: str) -> list[Record]:
        if self.poisoned:
            message = "The journal cannot be read."
            raise PoisonedError(message)
        return await self._store.named(actor, command_id)

    async def reopen(self) -> None:
        self.poisoned = False


@looped
async def test_a_transfer_that_could_not_read_lets_the_next_one_through() -> None:
    store = Unreadable(MemoryStore())
    async with casino(store) as house:  # type: ignore[arg-type]
        await house.open("1", "ann")
        await house.do("1", commands.BringCredit("ann", 100_00))
        store.poisoned = True
        with pytest.raises(PoisonedError):
            await house.cage.receive("t1", "ann", house.desks["1"], 10_00)
        assert (await house.cage.receive("t1", "ann", house.desks["1"], 10_00)).accepted
        assert (await house.balances())["wallet:ann"] == 10_00
