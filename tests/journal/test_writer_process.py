"""The writer of a file as a process: killed, orphaned, and what a new start finds."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from croupier.journal.cages import CageStream
from croupier.journal.errors import JournalError, NotDoneError
from croupier.journal.loading import records_of
from croupier.journal.sqlite import SqliteStore
from croupier.journal.verify import verify
from croupier.journal.writer import Reply, Writer
from croupier.rulebooks import RULEBOOKS
from tests.journal.places import append, claim, following, head_after, start
from tests.journal.test_writer import put

if TYPE_CHECKING:
    from croupier.journal.sqlite_writer import ProcessBackend

ROOT = Path(__file__).resolve().parent.parent.parent


def writer_of(store: SqliteStore) -> ProcessBackend:
    return store._backend  # type: ignore[return-value]  # noqa: SLF001


async def send_for_ever(path: str) -> None:
    """Tell by a line what is asked and what was answered; lines are written at once."""
    store = await SqliteStore.open(path, process=True)
    writer = Writer(store)
    (seat,) = await writer.open(CageStream())
    os.write(1, b"writer %d\n" % writer_of(store).process.pid)
    numbers = itertools.count()

    async def send() -> None:
        while True:
            name = f"{os.getpid()}-{next(numbers)}"
            done = False
            while not done:
                with suppress(NotDoneError):
                    await writer.submit(seat, put(name))
                    done = True
            os.write(1, f"told {name}\n".encode())

    await asyncio.gather(*(send() for _ in range(20)))


async def running(path: Path) -> tuple[asyncio.subprocess.Process, int]:
    """Start the program, and return it with the number of its writer's process."""
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-m", __name__, str(path), cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    assert program.stdout is not None
    line = await asyncio.wait_for(program.stdout.readline(), 60)
    return program, int(line.split()[1])


async def told_by(program: asyncio.subprocess.Process) -> set[str]:
    assert program.stdout is not None
    lines = (await program.stdout.read()).decode().split("\n")
    # A line that was cut off was not told.
    return {line.split()[1] for line in lines[:-1] if line.startswith("told ")}


async def check_all_there(path: Path, told: set[str]) -> int:
    store = await SqliteStore.open(path, process=False)
    kept = {record.command_id async for record in records_of(store, "cage")}
    assert told <= kept, told - kept
    verified = await verify(store, RULEBOOKS)
    assert verified.holds, verified.findings
    await store.close()
    return len(kept)


@pytest.mark.parametrize("whom", ["decider", "writer", "both"])
async def test_whoever_is_killed_everything_that_was_told_is_there(
    tmp_path: Path, whom: str
) -> None:
    path = tmp_path / "journal.sqlite"
    everything: set[str] = set()
    for turn in range(3):
        program, writer = await running(path)
        await asyncio.sleep(0.15 + 0.1 * turn)
        if whom in ("writer", "both"):
            os.kill(writer, signal.SIGKILL)
        if whom in ("decider", "both"):
            program.kill()
        elif whom == "writer":
            await asyncio.sleep(0.4)  # it opens the file again with a new writer
            program.kill()
        everything |= await told_by(program)
        await program.wait()
        count = await check_all_there(path, everything)
        assert count >= len(everything) > 20


async def test_a_new_start_waits_for_a_writer_whose_house_died(tmp_path: Path) -> None:
    """The orphan holds the lock until its last frame is written."""
    path = tmp_path / "journal.sqlite"
    program, writer = await running(path)
    await asyncio.sleep(0.1)
    os.kill(writer, signal.SIGSTOP)
    await asyncio.sleep(0.05)
    program.kill()
    told = await told_by(program)
    await program.wait()
    opening = asyncio.create_task(SqliteStore.open(path, process=False))
    await asyncio.sleep(0.3)
    assert not opening.done(), "the orphan has not written its frames yet"
    os.kill(writer, signal.SIGCONT)
    store = await asyncio.wait_for(opening, 10)
    kept = {record.command_id async for record in records_of(store, "cage")}
    assert told <= kept
    await store.close()
    await check_all_there(path, told)


async def test_a_writer_that_does_not_end_is_not_waited_for_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    program, writer = await running(path)
    os.kill(writer, signal.SIGSTOP)
    program.kill()
    await program.wait()
    try:
        with pytest.raises(JournalError, match="is being written by another process"):
            await SqliteStore.open(path, process=False, wait_seconds=0.2)
    finally:
        os.kill(writer, signal.SIGKILL)
    await (await SqliteStore.open(path, process=False)).close()


async def test_a_house_whose_writer_is_killed_starts_another_and_goes_on(
    tmp_path: Path,
) -> None:
    store = await SqliteStore.open(tmp_path / "journal.sqlite", process=True)
    writer = Writer(store)
    (seat,) = await writer.open(CageStream())
    first = writer_of(store).process
    assert (await writer.submit(seat, put("1"))).accepted
    waiting = []
    for number in range(200):
        waiting.append(asyncio.ensure_future(writer.submit(seat, put(f"x{number}"))))
        if number == 100:
            os.kill(first.pid, signal.SIGKILL)
        await asyncio.sleep(0)
    told = await asyncio.gather(*waiting, return_exceptions=True)
    assert {type(one) for one in told} <= {Reply, NotDoneError}
    assert any(isinstance(one, NotDoneError) for one in told)
    again = [await writer.submit(seat, put(f"x{number}")) for number in range(200)]
    assert [one.accepted for one in again] == [True] * 200
    for before, now in zip(told, again, strict=True):
        assert isinstance(before, NotDoneError) or before == now
    assert seat.state.wallets.all == {"ann": 201}
    assert writer_of(store).process.pid != first.pid
    await writer.close()
    await store.close()


async def test_what_is_sent_to_everybody_at_a_terminal_does_not_end_a_writer(
    tmp_path: Path,
) -> None:
    store = await SqliteStore.open(tmp_path / "journal.sqlite", process=True)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(writer_of(store).process.pid, number)
    epoch = await claim(store, "table:1", "test")
    frame = following(start("table:1"), epoch, count=3)
    await append(store, frame)
    assert await store.head("table:1") == head_after(frame)
    await store.close()


async def test_a_frame_larger_than_the_pipe_arrives(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "journal.sqlite", process=True)
    epoch = await claim(store, "table:1", "test")
    frame = following(start("table:1"), epoch, count=20_000)
    others = [await claim(store, f"table:{number}", "test") for number in range(2, 5)]
    small = [
        append(store, following(start(f"table:{number}"), one))
        for number, one in enumerate(others, 2)
    ]
    await asyncio.gather(append(store, frame), *small)
    assert await store.head("table:1") == head_after(frame)
    await store.close()


async def test_a_file_of_the_old_form_is_refused(tmp_path: Path) -> None:
    import sqlite3  # noqa: PLC0415

    path = tmp_path / "journal.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE record (stream TEXT)")
    connection.close()
    for process in (False, True):
        with pytest.raises(JournalError, match="is of the old form") as caught:
            await SqliteStore.open(path, process=process)
        assert str(caught.value).count(".") == 2  # one sentence, and the name of the file


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        asyncio.run(send_for_ever(sys.argv[1]))
