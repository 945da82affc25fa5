"""The desk: one append for all who wait, answers only then, every command once."""

from __future__ import annotations

import asyncio
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from croupier.floor.desk import Desk, Reply, Request
from croupier.floor.sources import DeviceSource
from croupier.journal import ids
from croupier.journal import writer as writing
from croupier.journal.decision import Decision, Person, chain, encode
from croupier.journal.errors import (
    FencedError,
    JournalError,
    NotDoneError,
    OtherCommandError,
    PoisonedError,
)
from croupier.journal.frames import DECISION_WIDTH, Frame, Part
from croupier.journal.medium import connect_file
from croupier.journal.memory import MemoryStore
from croupier.journal.release import release
from croupier.journal.sqlite import SqliteStore
from croupier.journal.writer import Writer
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.refusals import Code
from croupier.table.roles import Patron
from croupier.table.state import Phase
from tests.floor.rounds import (
    CREDIT,
    SCRIPTS,
    Life,
    People,
    check_all,
    check_answers,
    interruptions_of,
    looped,
)
from tests.table.floor import DEALER, MANAGER, SECOND, SUPERVISOR

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from croupier.journal.store import Store

BACCARAT = SCRIPTS["baccarat"]
STREAM = "table:1"
PAUSES = writing.PAUSES_SECONDS


class Gate:
    """Lets frames through to a store only when the test says so."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.frames: list[Frame] = []
        self.open = asyncio.Event()
        self.open.set()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # whatever a store can do
        return getattr(self._store, name)

    @property
    def counts(self) -> list[int]:
        """Return how many decisions each frame had."""
        return [len(frame.decisions) // DECISION_WIDTH for frame in self.frames]

    def append(self, frame: Frame) -> asyncio.Future[Mapping[str, JournalError]]:
        self.frames.append(frame)
        if self.open.is_set():
            return self._store.append(frame)
        return asyncio.ensure_future(self._later(frame))

    async def _later(self, frame: Frame) -> Mapping[str, JournalError]:
        await self.open.wait()
        return await self._store.append(frame)


async def opened(store: Store, phase: Phase = Phase.OPEN) -> tuple[Desk, People]:
    """Start a desk, and bring its table to a phase; no wager is placed yet in OPEN."""
    desk = await Life(store).start()
    people = People(BACCARAT)
    await people.play(desk, phase)
    return desk, people


def bet(number: int, cents: int = 10_00, patron: str = "ann", wager: str = "tie") -> Request:
    return Request(f"bet-{number}", Patron(patron), c.PlaceWager(patron, wager, cents))


def wager(number: int) -> c.Command:
    command = bet(number).command
    assert isinstance(command, c.Command)
    return command


async def records(store: Store) -> int:
    return (await store.head(STREAM)).sequence


# Two frames for all who wait


@looped
async def test_all_commands_that_wait_are_written_in_two_frames(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "journal.sqlite", process=False)
    gate = Gate(store)
    desk, people = await opened(gate)
    gate.frames.clear()
    patrons = ("ann", "bob", "cyd")
    many = [bet(n, patron=patrons[n % 3]) for n in range(60)]
    replies = await asyncio.gather(*[people.ask(desk, one) for one in many])
    # Two frames on their way, each half of what waits.
    assert gate.counts == [30, 30]
    firsts = [reply.sequence for reply in replies]
    assert firsts == list(range(firsts[0], firsts[0] + 60))
    assert all(reply.accepted for reply in replies)
    assert desk.table.in_play == 60 * 10_00
    people.asked |= {one.command_id: one for one in many}
    await check_answers(store, people)
    await desk.close()
    await store.close()


@looped
async def test_each_command_of_a_batch_sees_what_those_before_it_did() -> None:
    """Of two that spend the same credit one is refused, although both came at once."""
    store = MemoryStore()
    desk, _ = await opened(store)
    both = [bet(1, CREDIT, wager="player"), bet(2, CREDIT, wager="tie")]
    first, second = await asyncio.gather(*[desk.submit(one) for one in both])
    assert first.accepted
    assert second.refusal is not None
    assert second.refusal.code is Code.NOT_ENOUGH_CREDIT
    assert desk.table.credits["ann"] == 0
    await desk.close()


@looped
async def test_wagers_and_the_closing_in_one_batch_keep_their_order() -> None:
    desk, _ = await opened(MemoryStore())
    closing = Request("close", DEALER, c.CloseBets())
    asked = [bet(1), closing, bet(2)]
    before, closed, late = await asyncio.gather(*[desk.submit(one) for one in asked])
    assert before.accepted
    assert closed.accepted
    assert late.refusal is not None
    assert late.refusal.code is Code.BETS_CLOSED
    await desk.close()


@looped
async def test_an_answer_keeps_no_state_that_lay_between_its_events() -> None:
    """Thousands of answers are remembered, and each state holds all stakes of its table."""
    desk, people = await opened(MemoryStore(), Phase.SETTLED)
    answers = list(people.replies.values())
    assert any(len(one.events) > 1 for one in answers)
    assert {type(one.events) for one in answers} == {tuple}
    await desk.close()


# Answers only after the append


@looped
async def test_nobody_is_answered_before_the_append_is_durable(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "journal.sqlite", process=False)
    gate = Gate(store)
    desk, _ = await opened(gate)
    head = await records(store)
    gate.open.clear()
    gate.frames.clear()
    first = [asyncio.create_task(desk.submit(bet(n))) for n in range(3)]
    await asyncio.sleep(0.02)
    later = [asyncio.create_task(desk.submit(bet(n))) for n in range(3, 5)]
    await asyncio.sleep(0.02)
    assert len(gate.frames) == 2
    assert not any(task.done() for task in (*first, *later))
    assert await records(store) == head
    gate.open.set()
    replies = await asyncio.gather(*first, *later)
    assert [reply.sequence for reply in replies] == list(range(head + 1, head + 6))
    assert sum(gate.counts) == 5
    assert await records(store) == head + 5
    await desk.close()
    await store.close()


@looped
async def test_a_refusal_too_is_told_only_when_it_is_durable() -> None:
    gate = Gate(MemoryStore())
    desk, _ = await opened(gate)
    gate.open.clear()
    task = asyncio.create_task(desk.submit(bet(1, 2 * CREDIT)))
    await asyncio.sleep(0.02)
    assert not task.done()
    gate.open.set()
    assert not (await task).accepted
    key = (STREAM, "patron:ann", "bet-1")
    assert key in await gate.find([key])
    await desk.close()


@looped
async def test_a_sender_who_no_longer_waits_gets_the_answer_when_asking_again() -> None:
    gate = Gate(MemoryStore())
    desk, _ = await opened(gate)
    gate.open.clear()
    task = asyncio.create_task(desk.submit(bet(1)))
    await asyncio.sleep(0.02)
    task.cancel()
    gate.open.set()
    reply = await desk.submit(bet(1))
    assert reply.accepted
    assert len(desk.table.stakes) == 1
    await desk.close()


# Every command once


def variants() -> dict[str, tuple[Request, Request]]:
    """Return pairs of requests under one identification that are not the same."""
    return {
        "amount": (bet(1), bet(1, 20_00)),
        "command": (bet(1), Request("bet-1", Patron("ann"), c.RemoveWager("ann", 1))),
        "cards": (
            Request("x", DEALER, c.DrawCard(), cards=("2C",)),
            Request("x", DEALER, c.DrawCard(), cards=("3C",)),
        ),
        "die": (
            Request("x", DEALER, c.AnnounceDie(), die=3),
            Request("x", DEALER, c.AnnounceDie(), die=4),
        ),
    }


@pytest.mark.parametrize("what", variants())
@looped
async def test_another_content_under_the_same_identification_is_an_error(what: str) -> None:
    store = MemoryStore()
    desk, _ = await opened(store)
    one, other = variants()[what]
    reply = await desk.submit(one)
    head = await records(store)
    with pytest.raises(OtherCommandError, match=f"{one.command_id} of .* another one"):
        await desk.submit(other)
    assert await desk.submit(one) == reply
    assert await records(store) == head
    await desk.close()
    again = await Life(store).start()
    head = await records(store)
    with pytest.raises(OtherCommandError):
        await again.submit(other)
    assert await again.submit(one) == reply
    assert await records(store) == head
    await again.close()


@looped
async def test_who_approved_a_command_is_no_part_of_what_it_says() -> None:
    store = MemoryStore()
    desk, _ = await opened(store)
    said = c.DecideReferral(c.Decision.VOID, "why")
    first = await desk.submit(Request("x", MANAGER, said, approver=SUPERVISOR))
    head = await records(store)
    for approver in (SECOND, None, SUPERVISOR):
        assert await desk.submit(Request("x", MANAGER, said, approver=approver)) == first
    assert await records(store) == head
    await desk.close()
    again = await Life(store).start()
    assert await again.submit(Request("x", MANAGER, said)) == first
    await again.close()


@looped
async def test_the_same_command_has_one_effect_and_one_answer_also_after_a_restart(
    tmp_path: Path,
) -> None:
    path = tmp_path / "journal.sqlite"
    store = await SqliteStore.open(path, process=False)
    desk, people = await opened(store)
    await people.play(desk, 2)
    replies = dict(people.replies)
    head = await records(store)
    for name, request in people.asked.items():
        assert await desk.submit(request) == replies[name]
    assert await records(store) == head
    await desk.close()
    await store.close()

    store = await SqliteStore.open(path, process=False)
    desk = await Life(store).start()
    head = await records(store)
    for name, request in people.asked.items():
        assert await desk.submit(request) == replies[name]
    everything = [desk.submit(request) for request in people.asked.values()]
    assert await asyncio.gather(*everything) == list(replies.values())
    assert await records(store) == head
    await people.play(desk)
    await check_all(store, people)
    await desk.close()
    await store.close()


@looped
async def test_duplicates_inside_one_batch_have_one_effect() -> None:
    gate = Gate(MemoryStore())
    desk, _ = await opened(gate)
    gate.frames.clear()
    asked = [bet(1), bet(1), bet(2, 2 * CREDIT), bet(2, 2 * CREDIT), bet(1)]
    replies = await asyncio.gather(*[desk.submit(one) for one in asked])
    assert replies[0] == replies[1] == replies[4]
    assert replies[2] == replies[3]
    assert replies[0].accepted
    assert not replies[2].accepted
    assert sum(gate.counts) == 2
    assert len(desk.table.stakes) == 1
    other = await asyncio.gather(
        desk.submit(bet(3)), desk.submit(bet(3, 30_00)), return_exceptions=True
    )
    assert isinstance(other[0], Reply)
    assert isinstance(other[1], OtherCommandError)
    await desk.close()


@looped
async def test_the_same_identification_of_two_people_is_two_commands() -> None:
    desk, _ = await opened(MemoryStore())
    ann, bob = await asyncio.gather(desk.submit(bet(1)), desk.submit(bet(1, patron="bob")))
    assert ann.accepted
    assert bob.accepted
    assert len(desk.table.stakes) == 2
    await desk.close()


@looped
async def test_an_identification_at_one_table_is_no_other_command_at_another() -> None:
    store = MemoryStore()
    one, _ = await opened(store)
    other = await Life(store, name="2").start()
    people = People(BACCARAT, prefix="other")
    await people.play(other, Phase.OPEN)
    closing = Request("close", DEALER, c.CloseBets())
    assert (await one.submit(closing)).accepted
    with pytest.raises(OtherCommandError):
        await other.submit(closing)
    assert (one.table.phase, other.table.phase) == (Phase.CLOSED, Phase.OPEN)
    await one.close()
    await other.close()


@looped
async def test_answers_that_a_desk_no_longer_has_at_hand_are_looked_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ids, "REMEMBERED", 3)
    store = MemoryStore()
    desk, people = await opened(store)
    replies = [await desk.submit(bet(n)) for n in range(8)]
    head = await records(store)
    assert [await desk.submit(bet(n)) for n in range(8)] == replies
    assert await records(store) == head
    assert len(desk.table.stakes) == 1
    assert desk.table.in_play == 8 * 10_00
    await people.play(desk)
    await desk.close()


@looped
async def test_a_refusal_is_kept_and_repeated_even_when_it_would_be_accepted_now() -> None:
    store = MemoryStore()
    desk, _ = await opened(store)
    wanted = bet(1, CREDIT + 100_00)
    refused = await desk.submit(wanted)
    assert refused.refusal is not None
    assert refused.refusal.code is Code.NOT_ENOUGH_CREDIT
    more = Request("more", DEALER, c.BringCredit("ann", 100_00))
    assert (await desk.submit(more)).accepted
    assert await desk.submit(wanted) == refused
    life = Life(store)
    again = await life.start()
    assert await again.submit(wanted) == refused
    assert not again.table.stakes
    await again.close()


# Two desks


@looped
async def test_a_desk_that_was_taken_over_is_refused_and_serves_nobody(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "journal.sqlite", process=False)
    gate = Gate(store)
    old, people = await opened(gate)
    gate.open.clear()
    on_its_way = asyncio.create_task(old.submit(bet(1)))
    await asyncio.sleep(0.02)
    waiting = asyncio.create_task(old.submit(bet(2)))
    await asyncio.sleep(0.02)
    new = await Life(store).start()
    head = await records(store)
    gate.open.set()
    for task in (on_its_way, waiting):
        with pytest.raises(FencedError, match="was taken over; epoch 1 is over"):
            await task
    for late in (bet(1), bet(3), Request("close", DEALER, c.CloseBets())):
        with pytest.raises(FencedError):
            await old.submit(late)
    assert await records(store) == head
    assert new.epoch == 2
    assert (await new.submit(bet(1))).sequence == head + 1
    await people.play(new)
    await check_all(store, people, ("bet-1",))
    await old.close()
    await new.close()
    await store.close()


@looped
async def test_an_idle_desk_that_was_taken_over_never_claims_the_stream_again() -> None:
    store = MemoryStore()
    old, _ = await opened(store)
    new = await Life(store).start()
    with pytest.raises(FencedError):
        await old.submit(bet(1))
    assert (await new.submit(bet(2))).accepted
    with pytest.raises(FencedError):
        await old.submit(bet(2))
    assert (await new.submit(bet(3))).accepted
    assert await store.claim([STREAM], "test") == [3]
    await old.close()
    await new.close()


@looped
async def test_after_a_conflict_the_journal_is_folded_again_and_the_command_taken_once() -> (
    None
):
    """Somebody wrote in this desk's own epoch: it goes on from what is there."""
    store = MemoryStore()
    desk, _ = await opened(store)
    head = await store.head(STREAM)
    seated = Decision(
        STREAM, head.sequence + 1, desk.epoch, release(), "2026-01-01T00:00:00.000000Z",
        "other", Person("staff", "Sue"), c.TakeSeat("eve", 4), events=(e.SeatTaken("eve", 4),),
    )  # fmt: skip
    body = encode(seated)
    digest = chain(head.hash, body)
    part = Part(desk.epoch, head.sequence, head.hash, head.sequence + 1, digest)
    rows = [0, STREAM, head.sequence + 1, "other", "staff:Sue", body, digest]
    assert not await store.append(Frame({STREAM: part}, rows, [], {}, []))
    reply = await desk.submit(bet(1))
    assert reply == Reply(head.sequence + 2)
    assert desk.table.seats["eve"] == 4
    assert await desk.submit(bet(1)) == reply
    assert len(desk.table.stakes) == 1
    await desk.close()


# A store that fails


class Failing:
    """A connection that reports an error of its medium around a commit."""

    when = ""

    def __init__(self, path: Path) -> None:
        self._connection = connect_file(path)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # whatever a connection can do
        return getattr(self._connection, name)

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:  # noqa: ANN401
        if statement != "COMMIT" or not Failing.when:
            return self._connection.execute(statement, *values)
        if Failing.when == "after":
            self._connection.execute(statement)
        Failing.when = ""
        message = "disk I/O error"
        raise sqlite3.OperationalError(message)


@pytest.mark.parametrize("when", ["before", "after"])
@looped
async def test_a_medium_that_failed_is_read_again_before_anybody_is_told(
    tmp_path: Path, when: str
) -> None:
    """Whether it was written, only the medium knows; the round itself goes on."""
    store = await SqliteStore.open(tmp_path / "journal.sqlite", Failing)
    desk, people = await opened(store)
    head, epoch = await records(store), desk.epoch
    Failing.when = when
    asked = [people.request(desk.table, wager(n)) for n in range(4)]
    told = await asyncio.gather(
        *[people.ask(desk, one) for one in asked], return_exceptions=True
    )
    assert Failing.when == "", "the medium did not fail"
    if when == "after":
        # Two frames were on their way, in one transaction if the second came in time. What
        # that held is there; behind it nothing is written.
        written = await records(store) - head
        assert written in {2, 4}
        assert told[:written] == [Reply(head + 1 + n) for n in range(written)]
        assert [type(one) for one in told[written:]] == [NotDoneError] * (4 - written)
    else:
        assert [type(one) for one in told] == [NotDoneError] * 4
        assert str(told[0]) == (
            "The journal failed and must be opened again: disk I/O error."
            " It was opened again, and nothing came of this command: send it again."
        )
        assert await records(store) == head
    await people.repeat(desk)
    replies = [people.replies[one.command_id] for one in asked]
    assert [reply.sequence for reply in replies] == [head + n for n in range(1, 5)]
    assert (desk.epoch, desk.table.phase) == (epoch, Phase.OPEN)
    assert await interruptions_of(store, STREAM) == 0
    await people.play(desk)
    await check_answers(store, people)
    await desk.close()
    await store.close()


@looped
async def test_a_medium_that_cannot_be_opened_again_stops_the_desk(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    gone = False

    def vanishing(where: Path) -> Failing:
        if gone:
            message = "unable to open database file"
            raise sqlite3.OperationalError(message)
        return Failing(where)

    store = await SqliteStore.open(path, vanishing)
    desk, people = await opened(store)
    Failing.when, gone = "before", True
    for number in range(2):
        with pytest.raises(PoisonedError) as caught:
            await desk.submit(bet(number))
        assert not isinstance(caught.value, NotDoneError)
    await desk.close()
    await store.close()
    gone = False
    store = await SqliteStore.open(path, process=False)
    await check_answers(store, people)
    await store.close()


async def wager_for_ever(desk: Desk, people: People) -> None:
    while True:
        wager = people.named(c.PlaceWager("bob", "tie", 1_00), Patron("bob"))
        assert (await people.ask(desk, wager)).accepted


@looped
async def test_a_full_disk_refuses_what_comes_and_with_room_the_round_goes_on(
    tmp_path: Path,
) -> None:
    """SQLite itself reports that the file cannot grow; nothing told before is lost."""
    pages = 40

    def small(path: Path) -> sqlite3.Connection:
        connection = connect_file(path)
        connection.execute(f"PRAGMA max_page_count={pages}")
        return connection

    store = await SqliteStore.open(tmp_path / "journal.sqlite", small)
    desk, people = await opened(store)
    with pytest.raises(NotDoneError, match="full"):
        await wager_for_ever(desk, people)
    told = len(people.replies)
    assert told > 50
    assert len(people.open) == 1
    with pytest.raises(NotDoneError):
        await desk.submit(bet(1, wager="player", cents=5_00))
    await check_answers(store, people)
    pages = 10_000
    with pytest.raises(NotDoneError):
        # The medium is opened anew only after this one.
        await desk.submit(bet(2))
    await people.repeat(desk)
    assert len(people.replies) == told + 1
    await people.play(desk)
    await check_answers(store, people)
    assert desk.table.in_play == 0
    assert await interruptions_of(store, STREAM) == 0
    await desk.close()
    await store.close()


@pytest.mark.parametrize("bad", ["", "a\0b", "tab\t", "x" * 12_000, "\ud800"])
@looped
async def test_an_identification_that_no_store_can_keep_stops_nobody_else(bad: str) -> None:
    store = MemoryStore()
    desk, _ = await opened(store)
    asked = [bet(1), Request(bad, Patron("ann"), bet(2).command), bet(3, patron="bob")]
    one, refused, other = await asyncio.gather(
        *[desk.submit(request) for request in asked], return_exceptions=True
    )
    assert isinstance(refused, JournalError)
    assert isinstance(one, Reply)
    assert isinstance(other, Reply)
    assert one.accepted
    assert other.accepted
    await desk.close()


@looped
async def test_a_name_that_no_store_can_keep_stops_nobody_else() -> None:
    """It is told to who sent it alone."""
    store = MemoryStore()
    desk, _ = await opened(store)
    long = "x" * 12_000
    seat = Request("seat", DEALER, c.TakeSeat(long, 3))
    credit = Request("credit", DEALER, c.BringCredit(long, 100_00))
    told = await asyncio.gather(
        *[desk.submit(request) for request in (bet(1), seat, credit, bet(2))],
        return_exceptions=True,
    )
    assert [isinstance(one, Reply) for one in told] == [True, False, False, True]
    assert (await desk.submit(bet(3))).accepted
    await desk.close()


@pytest.mark.parametrize(
    "command",
    [
        c.PlaceWager("ann", "tie", 100.0),  # type: ignore[arg-type]
        c.PlaceWager("ann", "tie", 10_00, "1"),  # type: ignore[arg-type]
        c.PlaceWager(7, "tie", 10_00),  # type: ignore[arg-type]
        c.TakeSeat("eve", position=True),
        c.BringCredit("ann", 2**70),
        c.SetMethod("Z", "why"),  # type: ignore[arg-type]
    ],
    ids=repr,
)
@looped
async def test_what_could_not_be_read_again_is_refused_and_stops_nobody_else(
    command: c.Command,
) -> None:
    store = MemoryStore()
    desk, people = await opened(store)
    told = await asyncio.gather(
        desk.submit(Request("ill", MANAGER, command)),
        desk.submit(bet(1)),
        return_exceptions=True,
    )
    assert isinstance(told[0], JournalError) or (told[0].refusal is not None)  # type: ignore[union-attr]
    assert isinstance(told[1], Reply)
    assert told[1].accepted
    await people.play(desk)
    await desk.close()
    again = await Life(store).start()
    await again.close()


@looped
async def test_a_fault_that_lasts_a_moment_stops_no_desk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Several desks meet it, and open the medium again under one another's feet."""
    monkeypatch.setattr(writing, "PAUSES_SECONDS", PAUSES)
    store = await SqliteStore.open(tmp_path / "journal.sqlite", Failing)
    writer = Writer(store)
    desks = [Desk(writer, str(n), RULEBOOKS, DeviceSource()) for n in range(4)]
    for desk in desks:
        await desk.start()
    end = asyncio.get_running_loop().time() + 2
    told = {NotDoneError: 0, Reply: 0}

    async def ask(desk: Desk) -> None:
        number = 0
        while asyncio.get_running_loop().time() < end:
            number += 1
            asked = Request(f"{desk.name}-{number}", Patron("ann"), c.TakeSeat("ann", 1))
            try:
                told[type(await desk.submit(asked))] += 1
            except NotDoneError:
                told[NotDoneError] += 1
            await asyncio.sleep(0.001)

    async def fail() -> None:
        while asyncio.get_running_loop().time() < end - 1.7:
            Failing.when = "before"
            await asyncio.sleep(0.01)
        Failing.when = ""

    await asyncio.gather(fail(), *map(ask, desks))
    assert told[NotDoneError] > 3
    assert told[Reply] > 100
    for desk in desks:
        await desk.submit(Request(f"last-{desk.name}", Patron("ann"), c.TakeSeat("ann", 1)))
        await desk.close()
    await store.close()


@looped
async def test_a_fault_of_a_moment_delays_a_start(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "journal.sqlite", Failing)
    desk, people = await opened(store)
    await people.ask(desk, people.request(desk.table, wager(1)))
    await desk.close()
    Failing.when = "after"
    desk = await Life(store).start()
    assert Failing.when == ""
    await people.play(desk)
    await check_answers(store, people)
    await desk.close()
    await store.close()


@looped
async def test_nobody_waits_for_a_desk_that_is_not_open() -> None:
    desk = Desk(Writer(MemoryStore()), "1", RULEBOOKS, DeviceSource())
    with pytest.raises(JournalError, match="The desk of table:1 is not open"):
        await desk.submit(bet(1))


# The end


@looped
async def test_closing_answers_what_waits_and_refuses_what_comes() -> None:
    gate = Gate(MemoryStore())
    desk, _ = await opened(gate)
    gate.open.clear()
    on_its_way = asyncio.create_task(desk.submit(bet(1)))
    await asyncio.sleep(0.02)
    waiting = asyncio.create_task(desk.submit(bet(2)))
    closing = asyncio.create_task(desk.close())
    await asyncio.sleep(0.02)
    assert not closing.done()
    gate.open.set()
    await closing
    assert (await on_its_way).accepted
    assert (await waiting).accepted
    with pytest.raises(JournalError, match="is closed"):
        await desk.submit(bet(3))
    await desk.close()


@looped
async def test_a_desk_refuses_to_start_when_ledger_and_journal_disagree(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    store = await SqliteStore.open(path, process=False)
    desk, people = await opened(store)
    await people.play(desk)
    await desk.close()
    await store.close()
    connection = sqlite3.connect(path)
    connection.execute("UPDATE account SET cents = cents + 1 WHERE name = 'seat:1:ann'")
    connection.commit()
    connection.close()
    store = await SqliteStore.open(path, process=False)
    with pytest.raises(JournalError, match="disagrees with its journal about seat:1:ann"):
        await Desk(Writer(store), "1", RULEBOOKS, DeviceSource()).start()
    await store.close()


@looped
async def test_many_tables_are_interrupted_and_recover_in_one_store() -> None:
    store = MemoryStore()
    crowd = []
    for number, script in enumerate(SCRIPTS.values()):
        life = Life(store, name=str(number))
        people = People(script)
        await people.play(await life.start(), Phase.CLOSED)
        crowd.append(people)
        await life.drop()
    for number, people in enumerate(crowd):
        desk = await Life(store, name=str(number)).start()
        await people.play(desk)
        assert desk.table.in_play == 0
        assert await interruptions_of(store, desk.stream) == 1
        await desk.close()
    assert sum((await store.balances()).values()) == 0
