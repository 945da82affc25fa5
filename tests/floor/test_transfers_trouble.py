"""Transfers that meet trouble: a medium that stays away, tables that do not serve, bugs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.cage import commands as c
from croupier.floor import transfers as bringing
from croupier.floor.configuration import Configuration
from croupier.floor.house import House
from croupier.floor.transfers import Transfers
from croupier.journal import writer as writing
from croupier.journal.errors import JournalError, PoisonedError
from croupier.journal.memory import MemoryStore
from croupier.journal.verify import verify
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands
from croupier.table.roles import Patron
from tests.floor.casino import Casino, Guarded
from tests.floor.rounds import looped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from croupier.cage.events import SentToTable
    from croupier.floor.desk import Reply
    from croupier.journal.decision import Record


class Away(Guarded):
    """A medium that goes away at an append, and stays away until it is brought back."""

    back = False

    async def reopen(self) -> None:
        if self.stopped and not self.back:
            message = "The medium is away."
            raise PoisonedError(message)
        self.stopped = False


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the writer give up at once on whoever waits, and look for the medium often."""
    with monkeypatch.context() as patched:
        patched.setattr(writing, "PAUSES_SECONDS", (0.0,))
        patched.setattr(writing, "PAUSE_MAX_SECONDS", 0.01)
        patched.setattr(bringing, "PAUSE_SECONDS", 0.005)
        patched.setattr(bringing, "PAUSE_MAX_SECONDS", 0.02)
        yield


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not holds():  # noqa: ASYNC110  # others work meanwhile
            await asyncio.sleep(0.002)


async def seated(store: Any, own: Callable[[str], bool] | None = None) -> Casino:  # noqa: ANN401
    """Open a casino where ann has credit in her wallet and at table 1."""
    house = Casino(store)
    if own is not None:
        house.transfers._own = own  # noqa: SLF001  # as a house gives it
    await house.start()
    await house.open("1", "ann")
    await house.buy_in("ann", 100_00)
    assert (await house.send("first", "ann", "1", 40_00)).accepted
    return house


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.sampled_from(("send", "take")), min_size=1, max_size=3),
    st.integers(1, 6),
    st.booleans(),
    st.integers(0, 3),
)
def test_what_was_on_its_way_arrives_when_the_medium_is_back(
    acts: list[str],
    stop_at: int,
    written: bool,  # noqa: FBT001  # generated
    again_at: int,
) -> None:
    asyncio.run(_arrives(acts, stop_at, written=written, again_at=again_at))


async def _arrives(acts: list[str], stop_at: int, *, written: bool, again_at: int) -> None:
    """Nobody starts the house again: the medium goes away, perhaps twice, and is back."""
    store = Away(MemoryStore())
    house = await seated(store)
    store.stop_at, store.written = store.appends + stop_at, written

    async def act(number: int, what: str) -> Reply:
        if what == "send":
            return await house.give(f"{number}", c.SendToTable("ann", "1", 10_00))
        return await house.ask("1", commands.TakeCredit("ann", 5_00), Patron("ann"))

    asked = [act(number, what) for number, what in enumerate(acts)]
    await asyncio.gather(*asked, return_exceptions=True)
    async with asyncio.timeout(5):
        await house.transfers.quiet()
        if store.stopped:
            with pytest.raises(PoisonedError):
                await house.transfers.finish()
        await house.transfers.quiet()
    await asyncio.sleep(0.05)
    store.back = True
    if again_at:
        store.stop_at = store.appends + again_at
    await until(lambda: not store.stopped)
    await until(lambda: house.transfers._again is None)  # noqa: SLF001
    await house.transfers.quiet()
    balances = await house.balances()
    assert not [name for name in balances if name.startswith("transit:")], balances
    assert house.cage.cage.sent == {}
    assert balances["wallet:ann"] + balances["seat:1:ann"] == 100_00
    assert await house.finish() == 0
    await house.check()
    await house.close()


@looped
async def test_a_house_that_closes_waits_for_no_medium() -> None:
    store = Away(MemoryStore())
    house = await seated(store)
    store.stop_at, store.written = store.appends + 2, False
    await house.record("x", c.SendToTable("ann", "1", 10_00))
    await until(lambda: house.transfers.failure is not None)
    async with asyncio.timeout(1):
        await house.transfers.quiet()
        await house.transfers.close()
    again = Casino(store._store)  # noqa: SLF001  # what is on the medium
    await again.start()
    assert await again.finish() == 1
    assert again.desks["1"].table.credits == {"ann": 50_00}
    await again.check()
    await again.close()


class Once(MemoryStore):
    """A store that cannot say what is on its way, for a while."""

    failures = 0

    async def balances(self, prefix: str = "") -> dict[str, int]:
        if prefix.startswith("transit") and self.failures:
            self.failures -= 1
            message = "The medium is away."
            raise PoisonedError(message)
        return dict(await super().balances(prefix))


@looped
async def test_a_house_starts_although_nothing_can_be_finished_yet(tmp_path: Path) -> None:
    store = Once()
    casino = await seated(store)
    casino.writer._subscribers = ()  # noqa: SLF001  # the house stops before anybody hears of it
    await casino.ask("1", commands.TakeCredit("ann", 5_00), Patron("ann"))
    await casino.close()
    store.failures = 3
    house = House(tmp_path, store, Configuration())
    await house.keeper.start()
    await house.start(drive=False)
    assert house.cage.cage.held("ann") == 60_00
    await until(lambda: house.cage.cage.held("ann") == 65_00)
    await house.close()


# Tables that do not serve


async def released(house: Casino) -> None:
    await house.desks["1"].close()


async def failed(house: Casino) -> None:
    house.writer._fail(house.desks["1"].seat, JournalError("It failed."))  # noqa: SLF001


async def broken(house: Casino) -> None:
    def decide(*_: object) -> None:
        message = "A bug."
        raise ValueError(message)

    house.desks["1"].seat.stream.decide = decide  # type: ignore[assignment,method-assign]


@pytest.mark.parametrize("how", [released, failed, broken])
@looped
async def test_what_is_sent_to_an_own_table_that_does_not_serve_comes_back(how: Any) -> None:  # noqa: ANN401
    house = await seated(MemoryStore(), own=lambda _: True)
    await how(house)
    sent = await house.record("x", c.SendToTable("ann", "1", 10_00))
    assert await house.transfers.arrival(sent.sequence) is None
    assert house.cage.cage.sent == {}
    assert house.wallets == {"ann": 60_00}
    # Whoever asks again hears the same, and a start brings nothing.
    assert await house.transfers.arrival(sent.sequence) is None
    assert await house.finish() == 0
    assert (await verify(house.store, RULEBOOKS)).findings == []
    await house.close()


@looped
async def test_what_was_left_for_an_own_table_that_cannot_start_comes_back() -> None:
    store = MemoryStore()
    house = await seated(store)
    house.writer._subscribers = ()  # noqa: SLF001  # the house stops before anybody hears of it
    await house.record("x", c.SendToTable("ann", "1", 10_00))
    await house.close()
    again = Casino(store)
    again.transfers._own = lambda _: True  # noqa: SLF001
    await again.start(("2",))
    assert await again.finish() == 1
    assert again.wallets == {"ann": 60_00}
    await again.check()
    await again.close()


@looped
async def test_one_that_ended_while_somebody_looked_for_it_is_not_brought_again() -> None:
    """Somebody has a list of what was sent; one came back meanwhile, and its table opened."""
    house = Casino(MemoryStore())
    house.transfers._own = lambda _: True  # noqa: SLF001
    await house.start(())
    await house.buy_in("ann", 100_00)
    sent = await house.record("x", c.SendToTable("ann", "1", 10_00))
    (record,) = await house.store.read("cage", sent.sequence - 1, 1)
    (event,) = await house.events(sent)
    await house.transfers.quiet()
    assert house.wallets == {"ann": 100_00}
    await house.start(("1",))
    await house.open("1", "ann")
    # Another one on its way to the same seat: the ledger would let the first one through.
    house.writer._subscribers = ()  # noqa: SLF001
    await house.record("y", c.SendToTable("ann", "1", 10_00))
    assert await house.transfers._hand_over(record, event) is None  # type: ignore[arg-type]  # noqa: SLF001
    assert house.desks["1"].table.credits.get("ann", 0) == 0
    assert await house.finish() == 1
    assert house.desks["1"].table.credits == {"ann": 10_00}
    await house.check()
    await house.close()


# Our own bugs


@looped
async def test_a_bug_in_one_transfer_is_told_and_stops_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, one: told.append(one))
    house = await seated(MemoryStore())
    whole = Transfers._hand_over  # noqa: SLF001

    async def fails(self: Transfers, record: Record, sent: SentToTable) -> Reply | None:
        if sent.cents == 13_00:
            message = "a bug"
            raise ZeroDivisionError(message)
        return await whole(self, record, sent)

    monkeypatch.setattr(Transfers, "_hand_over", fails)
    await house.record("x", c.SendToTable("ann", "1", 13_00))
    assert (await house.send("y", "ann", "1", 7_00)).accepted
    assert "a bug" in str(house.transfers.failure)
    assert [type(one["exception"]) for one in told] == [ZeroDivisionError]
    assert await house.finish() == 0
    assert len(told) == 2
    monkeypatch.undo()
    assert await house.finish() == 1
    assert house.desks["1"].table.credits == {"ann": 60_00}
    await house.check()
    await house.close()
