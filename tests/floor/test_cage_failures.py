"""The cage when its medium fails, and when a table's newest records are not durable yet."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from croupier.cage import commands as c
from croupier.cage.refusals import CageCode
from croupier.floor.cage import CageDesk
from croupier.floor.desk import Reply, Request
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
from tests.floor.casino import TICKETS, Casino, Guarded, casino, refused
from tests.floor.rounds import looped, settings_for
from tests.floor.test_cage import bought
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
    cage = CageDesk(Writer(store), RULEBOOKS, TICKETS)  # type: ignore[arg-type]
    await cage.start()
    return cage


@pytest.mark.parametrize("written", [False, True])
@looped
async def test_a_cage_whose_medium_failed_answers_by_the_journal(*, written: bool) -> None:
    store = MemoryStore()
    cage = await started(failing(store, 3, written=written))
    await cage.submit(bought("k0"))
    acts = [bought(f"k{number}", f"p{number}") for number in range(1, 4)]
    asked = [cage.submit(one) for one in acts]
    asked.append(cage.submit(bought("k0")))
    asked.append(cage.submit(bought("k0", cents=2_00)))
    *news, old, other = await asyncio.gather(*asked, return_exceptions=True)
    assert old == Reply(2)
    assert isinstance(other, OtherCommandError)
    if written:
        assert news == [Reply(3), Reply(4), Reply(5)]
    else:
        assert all(isinstance(one, NotDoneError) for one in news)
        sentence = "It was opened again, and nothing came of this command: send it again."
        assert {str(one) for one in news} == {f"The house stands still. {sentence}"}
        assert cage.cage.wallets.all == {"ann": 1_00}
    again = [cage.submit(one) for one in acts]
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
            await cage.submit(bought(f"k{number}"))
        assert not isinstance(caught.value, NotDoneError)
        store.opens = True
    await cage.close()


@looped
async def test_a_medium_that_a_table_found_failing_is_opened_by_the_cage_too() -> None:
    store = failing(MemoryStore(), 0, written=False)
    cage = await started(store)
    store.stopped = True
    with pytest.raises(NotDoneError):
        await cage.submit(bought("k1"))
    assert await cage.submit(bought("k1")) == Reply(2)
    await cage.close()


@looped
async def test_a_cage_that_was_taken_over_while_its_medium_failed_writes_nothing() -> None:
    store = MemoryStore()
    cage = await started(failing(store, 2, written=False))
    async with casino(store, ()) as house:
        await house.buy_in("bea", 2_00)
        with pytest.raises(NotDoneError):
            await cage.submit(bought("k1"))
        with pytest.raises(FencedError, match="was taken over"):
            await cage.submit(bought("k1"))
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
    await house.record("opener", c.SetOpener("1", 1_000_00))
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
        for name, count in (("closer", c.CountCloser), ("drop", c.CountDrop)):
            reply = await house.give(f"{name}-1", count("1", 500_00))
            sentence = "Table 1 is open; what it holds is counted once it closed."
            assert refused(reply, CageCode.TABLE_OPEN) == sentence
        store.goes_on.set()
        assert all([(await one).accepted for one in asked])
        await house.record("closer-2", c.CountCloser("1", tray))
        await house.record("drop-2", c.CountDrop("1", 500_00))
        assert house.cage.cage.sheets["1"].over_cents == 0
        assert house.cage.cage.sheets["1"].win_cents == 100_00


@looped
async def test_a_table_that_opens_while_it_is_counted_is_not_counted() -> None:
    store = Waiting()
    async with casino(store, ("1",), apart=True) as house:
        await house.record("opener", c.SetOpener("1", 1_000_00))
        store.slow = "table:1"
        store.goes_on.set()
        counting = asyncio.create_task(house.give("closer", c.CountCloser("1", 1_000_00)))
        await asyncio.sleep(0)
        await house.do("1", commands.OpenTable(settings_for("baccarat")), MANAGER)
        refused(await counting, CageCode.TABLE_OPEN)


@looped
async def test_what_a_table_does_while_it_is_looked_at_is_in_what_is_known_of_it() -> None:
    """Head, table and balances are read until they belong together."""
    store = Waiting()
    async with casino(store, ("1",), apart=True) as house:
        await house.record("opener", c.SetOpener("1", 1_000_00))
        await house.open("1", "ann")
        store.slow = "table:1"
        store.goes_on.set()
        credits_ = [
            asyncio.create_task(house.give(f"c{number}", c.CreditTable("1", 10_00)))
            for number in range(5)
        ]
        for _ in range(20):
            await house.do("1", commands.BringCredit("ann", 7_00))
        assert all([(await one).accepted for one in credits_])


@looped
async def test_a_count_is_as_of_the_journal_whatever_is_about_to_happen() -> None:
    store = Slow()
    async with casino(store, ("1",), apart=True) as house:
        await house.record("opener", c.SetOpener("1", 1_000_00))
        desk, store.slow = house.desks["1"], "table:1"
        command = commands.OpenTable(settings_for("baccarat"))
        opening = asyncio.create_task(house.do("1", command, MANAGER))
        await asyncio.sleep(0.01)
        assert desk.table.plan is None
        await house.record("closer", c.CountCloser("1", 1_000_00))
        store.goes_on.set()
        await opening


@looped
async def test_a_transfer_waits_for_a_table_whose_medium_takes_its_time() -> None:
    store = Slow()
    async with casino(store) as house:
        await house.open("1", "ann")
        await house.buy_in("ann", 10_00)
        store.slow = "table:1"
        sending = asyncio.create_task(house.send("t", "ann", "1", 5_00))
        await asyncio.sleep(0.01)
        assert not sending.done()
        assert house.cage.cage.sent_cents("ann") == 5_00
        store.goes_on.set()
        assert (await sending).accepted
        assert house.cage.cage.sent_cents("ann") == 0


class Unreadable:
    """A store that cannot be read once, and is poisoned until it is opened again."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self.poisoned = False

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    async def read(self, stream: str, after: int = 0, limit: int = 10_000) -> list[Record]:
        if self.poisoned:
            message = "The journal cannot be read."
            raise PoisonedError(message)
        return await self._store.read(stream, after, limit)

    async def reopen(self) -> None:
        self.poisoned = False


@looped
async def test_an_arrival_that_could_not_be_read_is_asked_for_again() -> None:
    store = Unreadable(MemoryStore())
    async with casino(store) as house:  # type: ignore[arg-type]
        await house.open("1", "ann")
        await house.buy_in("ann", 10_00)
        assert (await house.send("t1", "ann", "1", 10_00)).accepted
        store.poisoned = True
        with pytest.raises(PoisonedError):
            await house.send("t1", "ann", "1", 10_00)
        assert (await house.send("t1", "ann", "1", 10_00)).accepted
        assert (await house.balances())["seat:1:ann"] == 10_00
