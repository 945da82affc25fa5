"""The keeper knows what is in the store, whichever way it came there."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from typing import TYPE_CHECKING

import pytest
from croupier.journal.record import GENESIS, Answer, Batch, Head
from msgspec.structs import replace

from croupier.floor.cage import CageDesk
from croupier.floor.desk import Desk, Request
from croupier.floor.house import CHECKPOINTS, JOURNAL, House
from croupier.floor.keeper import Keeper
from croupier.floor.sources import DeviceSource
from croupier.journal.cage import BoughtIn, CageError, CashedOut
from croupier.journal.checkpoints import CheckpointError, Checkpoints, Progress, Signer
from croupier.journal.memory import MemoryStore
from croupier.journal.store import PoisonedError
from croupier.journal.verify import verify
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands as c
from croupier.table.roles import Patron
from croupier.table.settings import Method, Settings
from tests.journal.casino import bypassed, checkpoints_of, verified_now
from tests.journal.places import answered, following, head_after, start
from tests.table.floor import DEALER, MANAGER

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.floor.desk import Reply
    from croupier.journal.checkpoints import Checkpoint

OPEN = c.OpenTable(Settings(rulebook="BAC8", game="baccarat", method=Method.B, decks=4))
STREAM = "table:1"
BY = "staff:Cara"


async def sit(desk: Desk, command_id: str) -> Reply:
    return await desk.submit(Request(command_id, Patron("ann"), c.TakeSeat("ann", 1)))


async def started(store: MemoryStore, keeper: Keeper) -> Desk:
    desk = Desk(store, "1", RULEBOOKS, DeviceSource())
    desk.appended, desk.reloaded = keeper.appended, keeper.reloaded
    await desk.start()
    return desk


async def check_signed(store: MemoryStore, folder: Path, signer: Signer) -> list[Checkpoint]:
    """Check that what was signed is what is there, and that a house would start again."""
    signed = [one.checkpoint for one in Checkpoints(folder).all(signer.public)]
    assert (await verify(store, RULEBOOKS, signed)).findings == []
    again = Keeper(store, Checkpoints(folder), signer)
    await again.start()
    await again.close()
    assert len(Checkpoints(folder).all()) == len(signed)
    return signed


# Refusals before the first record


async def test_a_table_refuses_before_it_opens_and_the_house_starts_again(
    tmp_path: Path,
) -> None:
    for session in range(4):
        house = await House.open(tmp_path)
        # Another table is signed too, so the newest checkpoint does not name this one.
        other = await house.desk("2")
        await other.submit(Request(f"other-{session}", DEALER, c.CallBets()))
        if session != 1:
            desk = await house.desk("1")
            if session == 2:
                opened = await desk.submit(Request("open", MANAGER, OPEN))
                assert (opened.first, opened.accepted) == (1, True)
            assert (await sit(desk, f"sit-{session}")).accepted == (session == 2)
        await house.close()
        done = await verified_now(tmp_path / JOURNAL, *checkpoints_of(tmp_path / JOURNAL))
        assert done.findings == []


async def test_a_cage_whose_first_act_is_refused_starts_again(tmp_path: Path) -> None:
    store, signer = MemoryStore(), Signer.once()
    for session in range(3):
        keeper = Keeper(store, Checkpoints(tmp_path), signer)
        await keeper.start()
        cage = CageDesk(store)
        cage.appended, cage.reloaded = keeper.appended, keeper.reloaded
        await cage.start()
        with pytest.raises(CageError):
            await cage.record(f"out-{session}", CashedOut("ticket-1", "ann", 900, BY), BY)
        if session:
            await cage.record(f"in-{session}", BoughtIn("ann", 100, BY), BY)
        await cage.close()
        await keeper.close()
        await check_signed(store, tmp_path, signer)


async def test_refusals_that_a_crash_left_unsigned_are_signed_when_the_desk_starts(
    tmp_path: Path,
) -> None:
    store, signer = MemoryStore(), Signer.once()
    desk = Desk(store, "1", RULEBOOKS, DeviceSource())
    await desk.start()
    assert not (await sit(desk, "sit")).accepted
    await desk.close()
    keeper = Keeper(store, Checkpoints(tmp_path), signer)
    await keeper.start()
    await (await started(store, keeper)).close()
    await keeper.close()
    (signed,) = await check_signed(store, tmp_path, signer)
    assert len(signed.refused[STREAM]) == 1


# What the keeper was not told


class Ambiguous(MemoryStore):
    """A store that writes a batch and then loses the connection, when it is told to."""

    fails = False

    async def append(self, batch: Batch) -> None:
        await super().append(batch)
        if self.fails:
            self.fails = False
            message = "The medium failed."
            raise PoisonedError(message)


async def test_what_was_written_although_the_append_failed_is_signed(tmp_path: Path) -> None:
    store, signer = Ambiguous(), Signer.once()
    keeper = Keeper(store, Checkpoints(tmp_path), signer)
    await keeper.start()
    desk = await started(store, keeper)
    store.fails = True
    assert not (await sit(desk, "early")).accepted
    await desk.submit(Request("open", MANAGER, OPEN))
    await keeper.sign()
    store.fails = True
    assert (await desk.submit(Request("seat", DEALER, c.TakeSeat("ann", 1)))).accepted
    await keeper.sign()
    store.fails = True
    assert not (await desk.submit(Request("close", DEALER, c.CloseBets()))).accepted
    await desk.close()
    await keeper.close()
    signed = await check_signed(store, tmp_path, signer)
    assert [one.heads[STREAM][0] for one in signed] == [1, 2, 2]
    assert [len(one.refused.get(STREAM, ())) for one in signed] == [0, 0, 1]


async def test_a_table_that_was_taken_over_is_signed_whole(tmp_path: Path) -> None:
    store, signer = MemoryStore(), Signer.once()
    keepers = [Keeper(store, Checkpoints(tmp_path / name), signer) for name in "ab"]
    for keeper in keepers:
        await keeper.start()
    for turn in range(4):
        keeper = keepers[turn % 2]
        desk = await started(store, keeper)
        assert (await sit(desk, f"sit-{turn}")).accepted == (turn == 1)
        if not turn:
            await desk.submit(Request("open", MANAGER, OPEN))
        await desk.close()
        await keeper.sign()
    for keeper, name in zip(keepers, "ab", strict=True):
        await keeper.close()
        signed = [one.checkpoint for one in Checkpoints(tmp_path / name).all()]
        assert (await verify(store, RULEBOOKS, signed)).findings == []
    await check_signed(store, tmp_path / "b", signer)


async def test_a_stream_that_lost_what_was_in_it_serves_nobody(tmp_path: Path) -> None:
    store = MemoryStore()
    keeper = Keeper(store, Checkpoints(tmp_path), Signer.once())
    await keeper.start()
    desk = await started(store, keeper)
    await desk.submit(Request("open", MANAGER, OPEN))
    await desk.close()
    store._records[STREAM].clear()  # noqa: SLF001  # past the store
    store._answers.clear()  # noqa: SLF001
    with pytest.raises(CheckpointError, match="table:1 ends at record 0, and record 1 was"):
        await started(store, keeper)
    await keeper.close()


# Step by step, from the whole, and anew


def parts(seed: int) -> list[Batch]:
    """Return batches of records and refusals, in any mixture and order of names."""
    dice = random.Random(seed)
    made: list[Batch] = []
    head = start(STREAM)
    for number in range(30):
        count = dice.choice((0, 0, 1, 2, 5))
        batch = Batch(STREAM, 1, head, (), (), ())
        answers: list[Answer] = []
        if count:
            batch = following(head, 1, count=count)
            name = f"{dice.random()}"
            first = head.sequence + 1
            answers.append(answered(name, STREAM, first, first + count - 1, "patron:bea"))
        for _ in range(dice.randrange(1 if count else 2, 4) if dice.random() < 0.8 else 0):
            place = dice.choice((head.sequence, head.sequence + count)) + 1
            who = dice.choice(("patron:ann", "patron:zoe"))
            answers.append(answered(f"{dice.random()}-{number}", STREAM, place, place - 1, who))
        batch = replace(batch, answers=tuple(answers))
        made.append(batch)
        head = head_after(batch) if count else head
    return made


def state(progress: Progress) -> object:
    refused = {stream: set(one) for stream, one in progress.refused.items()}
    return progress.heads, progress.answers, refused


@pytest.mark.parametrize("seed", range(10))
async def test_a_stream_is_the_same_told_read_and_read_anew(seed: int) -> None:
    store, told, anew = MemoryStore(), Progress(), Progress()
    await store.claim(STREAM, "test")
    for batch in parts(seed):
        await store.append(batch)
        told.take(batch)
        new = await anew.reload(store, STREAM)
        assert new >= len(batch.records)
        assert await anew.reload(store, STREAM) == 0
        assert state(told) == state(anew)
        if told.heads:
            assert state(told) == state(await Progress.of(store))


class Slow(Checkpoints):
    """Checkpoints that are written when they may be."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.begun, self.may = threading.Event(), threading.Event()

    def write(self, *args: object) -> Checkpoint:
        self.begun.set()
        self.may.wait(10)
        return super().write(*args)  # type: ignore[arg-type]


async def test_a_stream_is_read_anew_while_a_checkpoint_is_being_written(
    tmp_path: Path,
) -> None:
    store, signer, slow = Ambiguous(), Signer.once(), Slow(tmp_path)
    keeper = Keeper(store, slow, signer)
    await keeper.start()
    desk = await started(store, keeper)
    await desk.submit(Request("open", MANAGER, OPEN))
    await desk.submit(Request("no-1", DEALER, c.CloseBets()))
    signing = asyncio.create_task(keeper.sign())
    await asyncio.to_thread(slow.begun.wait, 10)
    store.fails = True
    await desk.submit(Request("no-2", DEALER, c.CloseBets()))
    slow.may.set()
    await signing
    await keeper.reloaded(STREAM)
    await desk.close()
    await keeper.close()
    signed = await check_signed(store, tmp_path, signer)
    assert [len(one.refused[STREAM]) for one in signed] == [1, 1]
    assert signed[0].refused != signed[1].refused


# Refusals that are gone


async def test_a_stream_whose_refusals_are_all_gone_is_missed(tmp_path: Path) -> None:
    house = await House.open(tmp_path)
    assert not (await sit(await house.desk("1"), "sit")).accepted
    await house.close()
    house = await House.open(tmp_path)
    await (await house.desk("2")).submit(Request("open", MANAGER, OPEN))
    await house.close()
    signed = checkpoints_of(tmp_path / JOURNAL)
    assert [set(one.refused) for one in signed] == [{STREAM}, set()]
    with bypassed(tmp_path / JOURNAL) as connection:
        connection.execute("DELETE FROM answer WHERE stream = ?", (STREAM,))
    (finding,) = (await verified_now(tmp_path / JOURNAL, *signed)).findings
    assert (finding.stream, finding.sequence, finding.kind) == (STREAM, 1, "checkpoint")
    assert finding.sentence.startswith("Checkpoint 1 has seen a refusal here")
    with pytest.raises(CheckpointError, match="table:1 are not those that checkpoint 1 has"):
        await House.open(tmp_path)
    assert len(Checkpoints(tmp_path / CHECKPOINTS).all()) == 2


async def test_refusals_of_several_checkpoints_are_signed_once(tmp_path: Path) -> None:
    """A start knows what all checkpoints have signed, and signs nothing again."""
    store, signer = MemoryStore(), Signer.once()
    for session in range(4):
        keeper = Keeper(store, Checkpoints(tmp_path), signer)
        await keeper.start()
        desk = await started(store, keeper)
        await sit(desk, f"sit-{session}")
        await desk.close()
        await keeper.close()
    signed = await check_signed(store, tmp_path, signer)
    assert [len(one.refused[STREAM]) for one in signed] == [1, 1, 1, 1]
    del store._answers["patron:ann", "sit-0"]  # noqa: SLF001  # past the store
    with pytest.raises(CheckpointError, match="Answers of table:1 are not those that"):
        await Keeper(store, Checkpoints(tmp_path), signer).start()


def test_many_refusals_behind_a_head_cost_no_more_each() -> None:
    """Ten thousand at a table that nobody opens do not hold up the tables beside it."""
    progress, head = Progress(), Head(STREAM, 0, GENESIS)
    began = time.process_time()
    for number in range(10_000):
        answer = answered(f"no-{number}", STREAM, 1, 0, "patron:ann")
        progress.take(Batch(STREAM, 1, head, (), (), (answer,)))
    assert len(progress.refused[STREAM]) == 10_000
    assert time.process_time() - began < 2  # in order again for each: twenty seconds


async def test_what_is_told_while_a_stream_is_read_anew_is_not_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = MemoryStore()
    progress = await Progress.of(store)
    epoch = await store.claim("table:1", "test")
    batch = Batch(
        "table:1",
        epoch,
        Head("table:1", 0, GENESIS),
        (),
        (),
        (Answer("patron:ann", "c1", bytes(32), "table:1", 1, 0, b"{}"),),
    )
    real = asyncio.to_thread
    told = False

    async def slow(*work: object) -> object:
        nonlocal told
        result: object = await real(*work)  # type: ignore[arg-type]
        if not told:
            told = True
            await store.append(batch)
            progress.take(batch)
        return result

    monkeypatch.setattr(asyncio, "to_thread", slow)
    await progress.reload(store, "table:1")
    assert [len(one) for one in progress.refused.values()] == [1]
