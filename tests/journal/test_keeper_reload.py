"""The keeper knows what is in the store, whichever way it came there."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from typing import TYPE_CHECKING

import pytest

from croupier.cage.commands import BuyIn, CashOut
from croupier.floor.cage import CageDesk
from croupier.floor.desk import Desk, Request
from croupier.floor.house import CHECKPOINTS, JOURNAL, House
from croupier.floor.keeper import Keeper
from croupier.floor.sources import DeviceSource
from croupier.journal.checkpoints import CheckpointError, Checkpoints, Signer
from croupier.journal.errors import JournalError, PoisonedError
from croupier.journal.memory import MemoryStore
from croupier.journal.verify import verify
from croupier.journal.writer import Writer
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands as c
from croupier.table.roles import Patron
from croupier.table.settings import Method, Settings
from tests.floor.casino import CARA, TICKETS
from tests.journal.casino import bypassed, checkpoints_of, verified_now
from tests.journal.places import (
    append,
    claim,
    following,
    head_after,
    landed,
    records_in,
    start,
)
from tests.table.floor import DEALER, MANAGER

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from croupier.floor.desk import Reply
    from croupier.journal.checkpoints import Checkpoint
    from croupier.journal.frames import Frame

OPEN = c.OpenTable(Settings(rulebook="BAC8", game="baccarat", method=Method.B, decks=4))
STREAM = "table:1"


async def sit(desk: Desk, command_id: str) -> Reply:
    return await desk.submit(Request(command_id, Patron("ann"), c.TakeSeat("ann", 1)))


async def started(store: MemoryStore, keeper: Keeper) -> Desk:
    writer = Writer(store, subscribers=(keeper.committed,))
    desk = Desk(writer, "1", RULEBOOKS, DeviceSource())
    await desk.start()
    return desk


async def check_signed(store: MemoryStore, folder: Path, signer: Signer) -> list[Checkpoint]:
    """Check that what was signed is what is there, and that a house would start again."""
    signed = [one.checkpoint for one in Checkpoints(folder).all(signer.public)]
    assert (await verify(store, RULEBOOKS, signed)).findings == []
    there = {head.stream: (head.sequence, head.hash.hex()) for head in await store.heads()}
    assert signed[-1].heads == there
    again = Keeper(store, Checkpoints(folder), signer)
    await again.start()
    await again.close()
    assert len(Checkpoints(folder).all()) == len(signed)
    return signed


# Refusals before anything is accepted


async def test_a_table_refuses_before_it_opens_and_the_house_starts_again(
    tmp_path: Path,
) -> None:
    for session in range(4):
        house = await House.open(tmp_path)
        other = await house.table("2")
        await other.submit(Request(f"other-{session}", DEALER, c.CallBets()))
        if session != 1:
            desk = await house.table("1")
            if session == 2:
                opened = await desk.submit(Request("open", MANAGER, OPEN))
                assert opened.accepted
            assert (await sit(desk, f"sit-{session}")).accepted == (session == 2)
        await house.close()
        done = await verified_now(tmp_path / JOURNAL, *checkpoints_of(tmp_path / JOURNAL))
        assert done.findings == []


async def test_a_cage_whose_first_act_is_refused_starts_again(tmp_path: Path) -> None:
    store, signer = MemoryStore(), Signer.once()
    for session in range(3):
        keeper = Keeper(store, Checkpoints(tmp_path), signer)
        await keeper.start()
        cage = CageDesk(Writer(store, subscribers=(keeper.committed,)), RULEBOOKS, TICKETS)
        await cage.start()
        out = Request(f"out-{session}", Patron("ann"), CashOut("ann", 900))
        assert not (await cage.submit(out)).accepted
        if session:
            await cage.submit(Request(f"in-{session}", CARA, BuyIn("ann", 100)))
        await cage.close()
        await keeper.close()
        await check_signed(store, tmp_path, signer)


async def test_refusals_that_a_crash_left_unsigned_are_signed_after_the_start(
    tmp_path: Path,
) -> None:
    store, signer = MemoryStore(), Signer.once()
    desk = Desk(Writer(store), "1", RULEBOOKS, DeviceSource())
    await desk.start()
    assert not (await sit(desk, "sit")).accepted
    await desk.close()
    keeper = Keeper(store, Checkpoints(tmp_path), signer)
    await keeper.start()
    await keeper.close()
    (signed,) = await check_signed(store, tmp_path, signer)
    assert signed.heads[STREAM][0] == 2


# What the keeper was not told


class Ambiguous(MemoryStore):
    """A store that writes a frame and then loses the connection, when it is told to."""

    fails = False

    def append(self, frame: Frame) -> asyncio.Future[Mapping[str, JournalError]]:
        future = super().append(frame)
        if self.fails:
            self.fails = False
            message = "The medium failed."
            future = asyncio.get_running_loop().create_future()
            future.set_exception(PoisonedError(message))
        return future


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
    assert [one.heads[STREAM][0] for one in signed] == [3, 4, 5]


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
    """It is found while the house runs, by who opens the medium again, and by every start."""
    store, signer = Ambiguous(), Signer.once()
    keeper = Keeper(store, Checkpoints(tmp_path), signer)
    await keeper.start()
    desk = await started(store, keeper)
    await desk.submit(Request("open", MANAGER, OPEN))
    await keeper.sign()
    store._records[STREAM].clear()  # noqa: SLF001  # past the store
    with pytest.raises(JournalError, match="table:1 ends at decision 0, and decision 2 was"):
        # What is written behind nothing is a conflict, and then the journal is read again.
        await sit(desk, "sit")
    await desk.close()
    await keeper.close()
    with pytest.raises(CheckpointError, match="table:1 ends at decision 0; checkpoint 1"):
        await Keeper(store, Checkpoints(tmp_path), signer).start()


# Told in any order, read at the start


@pytest.mark.parametrize("seed", range(10))
async def test_what_the_keeper_is_told_is_what_a_start_reads(seed: int, tmp_path: Path) -> None:
    """Decisions of some streams come in any mixture, some of them never told."""
    dice = random.Random(seed)
    store, signer = MemoryStore(), Signer.once()
    streams = ("a", "b", "c")
    heads = {stream: start(stream) for stream in streams}
    for stream in streams:
        await claim(store, stream, "test")
    keeper = Keeper(store, Checkpoints(tmp_path), signer, every_decisions=10_000)
    await keeper.start()
    for _ in range(30):
        stream = dice.choice(streams)
        frame = following(heads[stream], 1, count=dice.choice((1, 2, 5)))
        await append(store, frame)
        heads[stream] = head_after(frame)
        told = records_in(frame)
        if dice.random() < 0.3:
            told = told[-1:]  # another process wrote the others
        keeper.committed(landed(*told))
        if dice.random() < 0.3:
            await keeper.sign()
    await keeper.close()
    newest = Checkpoints(tmp_path).newest()
    assert newest is not None
    there = {head.stream: (head.sequence, head.hash.hex()) for head in await store.heads()}
    assert newest.heads == there
    again = Keeper(store, Checkpoints(tmp_path), signer)
    await again.start()
    assert again._unsigned == 0  # noqa: SLF001  # nothing is left to sign
    await again.close()


class Slow(Checkpoints):
    """Checkpoints that are written when they may be."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.begun, self.may = threading.Event(), threading.Event()

    def write(self, *args: object) -> Checkpoint:
        self.begun.set()
        self.may.wait(10)
        return super().write(*args)  # type: ignore[arg-type]


async def test_what_comes_while_a_checkpoint_is_being_written_is_signed_by_the_next(
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
    await desk.close()
    await keeper.close()
    signed = await check_signed(store, tmp_path, signer)
    assert [one.heads[STREAM][0] for one in signed] == [3, 4]


# Refusals that are gone


async def test_a_stream_whose_decisions_are_all_gone_is_missed(tmp_path: Path) -> None:
    house = await House.open(tmp_path)
    assert not (await sit(await house.table("1"), "sit")).accepted
    await house.close()
    house = await House.open(tmp_path)
    await (await house.table("2")).submit(Request("open", MANAGER, OPEN))
    await house.close()
    signed = checkpoints_of(tmp_path / JOURNAL)
    with bypassed(tmp_path / JOURNAL) as connection:
        connection.execute("DELETE FROM decision WHERE stream = ?", (STREAM,))
    (finding,) = (await verified_now(tmp_path / JOURNAL, *signed)).findings
    assert finding.kind == "checkpoint"
    assert "table:1 ends at decision 0" in finding.sentence
    with pytest.raises(CheckpointError, match="table:1 ends at decision 0; checkpoint 2"):
        await House.open(tmp_path)
    assert len(Checkpoints(tmp_path / CHECKPOINTS).all()) == len(signed)


async def test_sessions_sign_what_is_new_and_nothing_again(tmp_path: Path) -> None:
    store, signer = MemoryStore(), Signer.once()
    for session in range(4):
        keeper = Keeper(store, Checkpoints(tmp_path), signer)
        await keeper.start()
        desk = await started(store, keeper)
        await sit(desk, f"sit-{session}")
        await desk.close()
        await keeper.close()
    signed = await check_signed(store, tmp_path, signer)
    assert [one.heads[STREAM][0] for one in signed] == [2, 4, 6, 8]
    store._records[STREAM].pop()  # noqa: SLF001  # past the store
    with pytest.raises(CheckpointError, match="table:1 ends at decision 7; checkpoint 4"):
        await Keeper(store, Checkpoints(tmp_path), signer).start()


async def test_many_refusals_cost_no_more_each(tmp_path: Path) -> None:
    """Ten thousand at a table that nobody opens do not hold up the tables beside it."""
    keeper = Keeper(MemoryStore(), Checkpoints(tmp_path), Signer.once())
    (record,) = records_in(following(start(STREAM), 1))
    began = time.process_time()
    for _ in range(10_000):
        keeper.committed(landed(record))
    assert time.process_time() - began < 2
