"""The writer: streams isolated from one another, two frames on their way, bounded queues."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from croupier.cage import commands as c
from croupier.cage.events import BoughtIn
from croupier.journal import ids
from croupier.journal.cages import CageStream
from croupier.journal.codec import Start, Started
from croupier.journal.decision import House, Person, Refused, read_record
from croupier.journal.errors import (
    BusyError,
    FencedError,
    JournalError,
    LedgerError,
    NotDoneError,
    OtherCommandError,
    PoisonedError,
)
from croupier.journal.frames import DECISION_WIDTH
from croupier.journal.loading import decisions_of
from croupier.journal.memory import MemoryStore
from croupier.journal.release import release
from croupier.journal.streams import Envelope, Needs
from croupier.journal.verify import verify
from croupier.journal.writer import Committed, Landed, Reply, Request, Seat, Writer
from croupier.rulebooks import RULEBOOKS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from croupier.journal.frames import Frame
    from croupier.journal.streams import Events, Move

BY = Person("staff", "Cara", "Cashier")


class Wish(Needs, frozen=True):
    """What the streams of these tests may need."""


class Box:
    """A stream that keeps cents; some amounts are special."""

    RAISES, NEEDS, REFUSED, DEBT = 13, 17, 19, 23

    def __init__(self, name: str) -> None:
        self.name = name
        self.supplies = asyncio.Event()
        self.supplies.set()
        self.asked = 0

    def initial(self) -> tuple[int, ...]:
        return ()

    def decide(self, _: tuple[int, ...], envelope: Envelope) -> Events | Refused | Needs:
        if isinstance(envelope.command, Start):
            return (Started(envelope.command.holder, envelope.release),)
        assert isinstance(envelope.command, c.BuyIn)
        cents = envelope.command.cents
        if cents == self.RAISES:
            message = "our own bug"
            raise ZeroDivisionError(message)
        if cents == self.NEEDS and not envelope.house.tickets:
            return Wish()
        if cents == self.REFUSED:
            return Refused("no", "No.")
        return (BoughtIn(envelope.command.patron, cents),)

    def advance(
        self, state: tuple[int, ...], house: House, events: Events, sequence: int
    ) -> tuple[tuple[int, ...], list[Move]]:
        after = self.fold(state, house, events, sequence)
        moved: list[Move] = []
        for cents in after[len(state) :]:
            own = f"wallet:{self.name}"
            moved.append((own, "cash", cents) if cents == self.DEBT else ("cash", own, cents))
        return after, moved

    def fold(
        self, state: tuple[int, ...], _: House, events: Events, __: int
    ) -> tuple[int, ...]:
        return (*state, *(one.cents for one in events if isinstance(one, BoughtIn)))

    async def supply(self, _: object, __: Wish, envelope: Envelope) -> House:
        self.asked += 1
        await self.supplies.wait()
        return msgspec.structs.replace(envelope.house, tickets=("T-1",))

    def refused(self, refusal: Refused) -> Refused:
        return refusal

    def refusal(self, refused: Refused) -> Refused:
        return refused

    def beside(self, state: object) -> None:
        pass

    def check(self, state: object) -> None:
        pass

    def owned(self) -> tuple[str, ...]:
        return (f"wallet:{self.name}",)

    def expected(self, state: tuple[int, ...]) -> Mapping[str, int]:
        held = sum(-one if one == self.DEBT else one for one in state)
        return {f"wallet:{self.name}": held} if held else {}

    def resting(self, _: object) -> bool:
        return False

    def pack(self, state: tuple[int, ...]) -> bytes:
        return msgspec.msgpack.encode(state)

    def unpack(self, data: bytes) -> tuple[int, ...]:
        return msgspec.msgpack.decode(data, type=tuple[int, ...])


def put(name: str, cents: int = 1) -> Request:
    return Request(name, BY, c.BuyIn("ann", cents))


class Held(MemoryStore):
    """A store that takes frames and answers when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.frames: list[Frame] = []
        self.waiting: list[tuple[asyncio.Future[Any], Frame]] = []
        self.hold = False
        self.fails = False
        self.reopened = 0
        self.lookups: list[int] = []

    def append(self, frame: Frame) -> asyncio.Future[Mapping[str, JournalError]]:
        self.frames.append(frame)
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        if self.fails:
            future.set_exception(PoisonedError("It failed."))
            return future
        if not self.hold:
            return super().append(frame)
        self.waiting.append((future, frame))
        return future

    def let_go(self) -> None:
        waiting, self.waiting = self.waiting, []
        for future, frame in waiting:
            future.set_result(super().append(frame).result())

    def fail(self) -> None:
        """Let everything fail that is on its way; nothing of it is written."""
        waiting, self.waiting = self.waiting, []
        for future, _ in waiting:
            future.set_exception(PoisonedError("It failed."))

    async def reopen(self) -> None:
        self.reopened += 1
        self.fails = self.hold = False

    async def find(self, keys: Any) -> Any:  # noqa: ANN401
        keys = list(keys)
        self.lookups.append(len(keys))
        return await super().find(keys)


def sizes(store: Held) -> list[int]:
    return [len(frame.decisions) // DECISION_WIDTH for frame in store.frames]


async def opened(store: Any, *names: str, **options: Any) -> tuple[Writer, list[Seat]]:  # noqa: ANN401
    writer = Writer(store, **options)
    return writer, await writer.open(*(Box(name) for name in names))


async def results(*futures: asyncio.Future[Reply]) -> list[Any]:
    return list(await asyncio.gather(*futures, return_exceptions=True))


def uuid7(ahead_ms: int = 0) -> str:
    made = f"{time.time_ns() // 1_000_000 + ahead_ms:012x}"
    uuid7.count += 1  # type: ignore[attr-defined]
    return f"{made[:8]}-{made[8:]}-7{uuid7.count % 4096:03x}-8000-000000000000"  # type: ignore[attr-defined]


uuid7.count = 0  # type: ignore[attr-defined]


# One stream stops no other


async def test_one_stream_that_raises_stops_nobody_else_and_not_itself() -> None:
    store = Held()
    writer, (one, two) = await opened(store, "a", "b")
    told = await results(
        writer.submit(one, put("1")),
        writer.submit(two, put("1")),
        writer.submit(one, put("2", Box.RAISES)),
        writer.submit(two, put("2")),
        writer.submit(one, put("3")),
    )
    assert [type(one) for one in told] == [Reply, Reply, JournalError, Reply, Reply]
    assert str(told[2]) == "The desk of a failed: ZeroDivisionError: our own bug."
    assert (one.state, two.state) == ((1, 1), (1, 1))
    assert [record.command_id for record in await store.read("a")] == ["start-1", "1", "3"]
    await writer.close()


async def test_a_stream_that_was_taken_over_is_dropped_and_the_others_are_written() -> None:
    store = Held()
    writer, (one, two) = await opened(store, "a", "b")
    store.hold = True
    waiting = [writer.submit(seat, put(f"{n}")) for n in range(4) for seat in (one, two)]
    await asyncio.sleep(0.01)
    assert len(store.waiting) == 2, "two frames are on their way"
    await store.claim(["a"], "somebody else")
    store.hold = False
    store.let_go()
    told = await results(*waiting)
    assert [type(told) for told in told[::2]] == [FencedError] * 4
    assert [type(told) for told in told[1::2]] == [Reply] * 4
    assert (one.state, two.state) == ((), (1, 1, 1, 1))
    with pytest.raises(FencedError):
        writer.submit(one, put("9"))
    assert (await writer.submit(two, put("9"))).accepted
    assert len(await store.read("a")) == 1
    await writer.close()


async def test_what_the_ledger_refuses_is_told_to_its_sender_alone() -> None:
    store = Held()
    writer, (one, two) = await opened(store, "a", "b")
    told = await results(
        *(
            writer.submit(seat, put(f"{n}", cents))
            for n, cents in enumerate((5, Box.DEBT, 6, 7))
            for seat in (one, two)
        )
    )
    assert [type(one) for one in told] == [Reply, Reply, LedgerError, LedgerError, *[Reply] * 4]
    assert (one.state, two.state) == ((5, 6, 7), (5, 6, 7))
    assert await store.balances("wallet:") == {"wallet:a": 18, "wallet:b": 18}
    assert [one.sequence for one in told if isinstance(one, Reply)] == [2, 2, 3, 3, 4, 4]
    # It may come again, when there is enough.
    assert (await writer.submit(one, put("more", 50))).accepted
    assert (await writer.submit(one, put("1", Box.DEBT))).accepted
    await writer.close()


async def test_an_id_of_a_person_is_one_commands_in_all_streams() -> None:
    """The house numbers its own commands in each stream, so its ids are each stream's."""
    store = MemoryStore()
    old, seats = await opened(store, "a", "b")
    assert (await old.submit(seats[0], put("mine", 5))).accepted
    house = msgspec.structs.replace(put("next-1", 5), actor=Person("system", "house"))
    assert (await old.submit(seats[0], house)).accepted
    new, (one, two) = await opened(store, "a", "b")
    told = await results(
        new.submit(two, put("mine", 5)), new.submit(one, put("mine", 5)), new.submit(two, house)
    )
    assert [type(one) for one in told] == [OtherCommandError, Reply, Reply]
    assert (one.state, two.state) == ((5, 5), (5,))
    await new.close()


async def test_a_condition_is_asked_of_the_state_in_which_a_command_is_decided() -> None:
    """Of what is decided and on its way, too; where it does not hold, nothing is written."""

    def empty(state: tuple[int, ...]) -> JournalError | None:
        return JournalError("It is not empty.") if state else None

    store = Held()
    writer, (one,) = await opened(store, "a")
    first = msgspec.structs.replace(put(uuid7()), condition=empty)
    second = msgspec.structs.replace(put(uuid7()), condition=empty)
    told = await results(writer.submit(one, first), writer.submit(one, second))
    assert [type(one) for one in told] == [Reply, JournalError]
    assert one.state == (1,)
    assert len(await store.read("a")) == 2
    # What was done before is answered again, whatever the state is by now.
    assert await writer.submit(one, first) == told[0]
    # And what was not may come again, without the condition.
    assert (await writer.submit(one, put(second.command_id))).accepted
    await writer.close()


async def test_the_same_id_at_two_processes_is_done_once() -> None:
    """Each is new to the memory of its process; the database has the last word."""
    store = MemoryStore()
    old, (first,) = await opened(store, "a")
    name = uuid7(ahead_ms=4_000)
    assert (await old.submit(first, put(name, 5))).sequence == 2
    new, (second,) = await opened(store, "a")
    new._memory._horizon = 0  # noqa: SLF001  # it believes that it remembers everything
    both = [new.submit(second, put(uuid7())), new.submit(second, put(name, 5))]
    both.append(new.submit(second, put(uuid7())))
    told = await results(*both)
    assert told[1] == Reply(2)
    assert [one.accepted for one in told] == [True] * 3
    assert second.state == (5, 1, 1)
    other = await results(new.submit(second, put(name, 6)))
    assert isinstance(other[0], OtherCommandError)
    assert second.state == (5, 1, 1)
    await new.close()


# What waits for its source


async def test_a_stream_that_waits_for_its_source_is_parked_and_the_others_go_on() -> None:
    store = Held()
    writer = Writer(store)
    boxes = [Box("a"), Box("b")]
    one, two = await writer.open(*boxes)
    boxes[0].supplies.clear()
    first = writer.submit(one, put("1"))
    needy = writer.submit(one, put("2", Box.NEEDS))
    behind = writer.submit(one, put("3"))
    others = [writer.submit(two, put(f"{n}")) for n in range(5)]
    assert all([(await other).accepted for other in others])
    assert (await first).accepted
    await asyncio.sleep(0.01)
    assert not needy.done()
    assert not behind.done()
    boxes[0].supplies.set()
    assert [(await needy).sequence, (await behind).sequence] == [3, 4]
    assert boxes[0].asked == 1
    decision = read_record((await store.read("a", 2, 1))[0])
    assert decision.house.tickets == ("T-1",)
    await writer.close()


async def test_a_source_that_fails_fails_one_command() -> None:
    class Broken(Box):
        async def supply(self, _: object, __: Wish, envelope: Envelope) -> House:  # noqa: ARG002
            raise LookupError

    writer = Writer(MemoryStore())
    (seat,) = await writer.open(Broken("a"))
    told = await results(
        writer.submit(seat, put("1", Box.NEEDS)), writer.submit(seat, put("2"))
    )
    assert [type(one) for one in told] == [JournalError, Reply]
    await writer.close()


# Frames and queues


async def test_two_frames_are_on_their_way_each_half_of_what_waits() -> None:
    store = Held()
    writer, (seat,) = await opened(store, "a")
    store.frames.clear()
    store.hold = True
    waiting = [writer.submit(seat, put(uuid7(6_000 - 1_500))) for _ in range(100)]
    await asyncio.sleep(0.01)
    assert sizes(store) == [50, 50]
    more = [writer.submit(seat, put(uuid7(4_500))) for _ in range(30)]
    await asyncio.sleep(0.01)
    assert sizes(store) == [50, 50], "a third frame waits"
    assert seat.state == ()
    assert seat.ahead.sequence == 101
    store.hold = False
    store.let_go()
    assert all(one.accepted for one in await results(*waiting, *more))
    assert seat.state == (1,) * 130
    await writer.close()


async def test_who_comes_when_the_queue_is_full_is_told_so() -> None:
    store = Held()
    writer, (seat, other) = await opened(store, "a", "b", waiting_max=5)
    store.hold = True
    waiting = [writer.submit(seat, put(f"{n}")) for n in range(3)]
    with pytest.raises(BusyError, match="3 commands wait for a"):
        writer.submit(seat, put("6"))
    # One stream that is full leaves room for the others.
    waiting += [writer.submit(other, put(f"{n}")) for n in range(2)]
    with pytest.raises(BusyError, match="5 commands wait for the house"):
        writer.submit(other, put("6"))
    await asyncio.sleep(0.01)
    store.hold = False
    store.let_go()
    assert all(one.accepted for one in await results(*waiting))
    assert (await writer.submit(seat, put("6"))).accepted
    await writer.close()


async def test_a_frame_of_repeats_alone_waits_behind_what_it_repeats() -> None:
    store = Held()
    writer, (seat,) = await opened(store, "a")
    store.hold = True
    first = writer.submit(seat, put("1", 5))
    await asyncio.sleep(0.01)
    again = [writer.submit(seat, put("1", 5)), writer.submit(seat, put("1", 6))]
    await asyncio.sleep(0.01)
    assert not any(one.done() for one in (first, *again))
    store.hold = False
    store.let_go()
    told = await results(first, *again)
    assert told[:2] == [Reply(2), Reply(2)]
    assert isinstance(told[2], OtherCommandError)
    late = await results(writer.submit(seat, put("1", 5)))
    assert late == [Reply(2)]
    assert len(await store.read("a")) == 2
    await writer.close()


async def test_a_repeat_of_what_was_never_written_is_not_told_that_it_was() -> None:
    store = Held()
    writer, (seat,) = await opened(store, "a")
    store.hold = True
    first = writer.submit(seat, put("1", 5))
    await asyncio.sleep(0.01)
    again = writer.submit(seat, put("1", 5))
    await asyncio.sleep(0.01)
    store.fail()
    told = await results(first, again)
    assert [type(one) for one in told] == [NotDoneError, NotDoneError]
    assert seat.state == ()
    assert (await writer.submit(seat, put("1", 5))) == Reply(2)
    assert seat.state == (5,)
    await writer.close()


# Identifications


async def test_ids_are_looked_up_all_by_one_question_unless_memory_has_them() -> None:
    store = Held()
    writer, seats = await opened(store, "a", "b")
    store.lookups.clear()
    waiting = [
        writer.submit(seat, put(f"{seat.name}-{n}")) for n in range(20) for seat in seats
    ]
    assert all(one.accepted for one in await results(*waiting))
    assert sum(store.lookups) == 40
    assert len(store.lookups) <= 3
    store.lookups.clear()
    again = [writer.submit(seat, put(f"{seat.name}-{n}")) for n in range(20) for seat in seats]
    assert await results(*again) == await results(*waiting)
    assert store.lookups == []
    writer._memory._horizon = ids.now_ms()  # noqa: SLF001
    await asyncio.sleep(0.002)
    fresh = [writer.submit(seat, put(uuid7())) for _ in range(5) for seat in seats]
    assert all(one.accepted for one in await results(*fresh))
    assert store.lookups == []
    for name in (uuid7(ahead_ms=9_000), uuid7(ahead_ms=-60_000)):
        assert (await writer.submit(seats[0], put(name))).accepted
    assert store.lookups == [1, 1], "too far ahead, and older than memory"
    await writer.close()


async def test_who_comes_behind_one_that_is_looked_up_keeps_its_place() -> None:
    store = Held()
    writer, (seat,) = await opened(store, "a")
    writer._memory._horizon = 0  # noqa: SLF001
    told = await results(
        writer.submit(seat, put("old", 1)), writer.submit(seat, put(uuid7(), 2))
    )
    assert [one.sequence for one in told] == [2, 3]
    assert seat.state == (1, 2)
    await writer.close()


# Durable state, subscribers, moments


async def test_subscribers_hear_every_decision_in_order_with_the_states_around_it() -> None:
    heard: list[Committed] = []
    together: list[list[int]] = []

    def breaks(_: Landed) -> None:
        raise LookupError

    def hear(landed: Landed) -> None:
        heard.extend(landed.all)
        together.append([one.record.sequence for one in landed.all])
        assert landed.refused == any(one.decision.refusal for one in landed.all)
        kinds = {type(event) for one in landed.all for event in one.decision.events}
        assert (landed.kinds, landed.changed) == (kinds, bool(kinds))

    said: list[str] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, what: said.append(what["message"]))
    store = Held()
    writer, (seat,) = await opened(store, "a", subscribers=(breaks, hear))
    asked = [(f"{n}", n) for n in (1, 2, Box.REFUSED, 3)]
    await results(*(writer.submit(seat, put(*one)) for one in asked))
    assert [one.record for one in heard] == await store.read("a")
    assert [(one.before, one.after) for one in heard] == [
        ((), ()), ((), (1,)), ((1,), (1, 2)), ((1, 2), (1, 2)), ((1, 2), (1, 2, 3))
    ]  # fmt: skip
    assert [one.decision for one in heard] == [one async for one in decisions_of(store, "a")]
    # Those of a frame at once: the first is the stream's start.
    assert together == [[1], [2, 3], [4], [5]]
    assert said == ["A subscriber of a failed"] * len(together)
    await writer.close()


async def test_nothing_but_the_medium_poisons_and_everything_is_folded_again() -> None:
    heard: list[Committed] = []
    store = Held()
    writer, seats = await opened(
        store, "a", "b", subscribers=(lambda landed: heard.extend(landed.all),)
    )
    for seat in seats:
        await writer.submit(seat, put(f"{seat.name}-1", 5))
    store.hold = True
    waiting = [
        writer.submit(seat, put(f"{seat.name}-{n}")) for n in range(2, 8) for seat in seats
    ]
    await asyncio.sleep(0.01)
    # The first frame is there, and nobody heard of it; the second is not.
    MemoryStore.append(store, store.waiting[0][1])
    store.fail()
    told = await results(*waiting)
    kinds = [type(one) for one in told]
    assert kinds == [Reply] * 6 + [NotDoneError] * 6
    assert store.reopened == 1
    assert [seat.state for seat in seats] == [(5, 1, 1, 1)] * 2
    assert [one.record.sequence for one in heard if one.record.stream == "a"] == [1, 2, 3, 4, 5]
    again = [
        writer.submit(seat, put(f"{seat.name}-{n}")) for n in range(2, 8) for seat in seats
    ]
    assert all(one.accepted for one in await results(*again))
    assert [seat.sequence for seat in seats] == [8, 8]
    await writer.close()


async def test_moments_never_fall_within_a_stream() -> None:
    from datetime import UTC, datetime, timedelta  # noqa: PLC0415

    hours = iter((5, 5, 3, 4, 6, 1, 1, 1, 1))
    start = datetime(2026, 1, 1, tzinfo=UTC)
    store = MemoryStore()
    writer = Writer(store, clock=lambda: start + timedelta(hours=next(hours, 0)))
    (seat,) = await writer.open(Box("a"))
    for number in range(6):
        await writer.submit(seat, put(f"{number}"))
    moments = [one.moment async for one in decisions_of(store, "a")]
    assert moments == sorted(moments)
    assert moments[-1].startswith("2026-01-01T06")
    again = Writer(store, clock=lambda: start)
    (seat,) = await again.open(Box("a"))
    assert [one.moment async for one in decisions_of(store, "a")][-1] == moments[-1]


async def test_every_epoch_begins_with_a_start_of_its_release() -> None:
    store = MemoryStore()
    for epoch in (1, 2, 3):
        writer = Writer(store, holder=f"house {epoch}")
        (seat,) = await writer.open(CageStream())
        assert seat.epoch == epoch
        await writer.submit(seat, put(f"{epoch}"))
        await writer.close()
    decisions = [one async for one in decisions_of(store, "cage")]
    assert [one.epoch for one in decisions] == [1, 1, 2, 2, 3, 3]
    assert [one.events[0] for one in decisions[::2]] == [
        Started(f"house {epoch}", release()) for epoch in (1, 2, 3)
    ]
    assert {one.release for one in decisions} == {release()}
    assert (await verify(store, RULEBOOKS)).holds
