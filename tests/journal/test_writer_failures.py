"""The writer when things go wrong together: nobody waits for ever, nothing is told wrongly."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from croupier.floor.desk import Desk
from croupier.floor.sources import SealedSource
from croupier.journal import writer as writers
from croupier.journal.codec import Start
from croupier.journal.decision import Person, Refused
from croupier.journal.errors import JournalError, NotDoneError, PoisonedError
from croupier.journal.loading import decisions_of
from croupier.journal.memory import MemoryStore
from croupier.journal.seal import KeyBox
from croupier.journal.sqlite import SqliteStore
from croupier.journal.verify import verify
from croupier.journal.writer import Reply, Request, Seat, Writer
from croupier.rulebooks import RULEBOOKS
from croupier.rules.coup import Position
from croupier.table import commands as c
from croupier.table.refusals import Code
from croupier.table.roles import Acting, Patron, Staff, StaffPosition
from croupier.table.settings import Method, Settings
from tests.journal.test_writer import Box, Held, opened, put, results

if TYPE_CHECKING:
    from collections.abc import Mapping

    from croupier.journal.frames import Frame
    from croupier.journal.shoes import ShoeOpened, ShoeSealed

SOON = 5.0
"""Seconds in which everybody must have an answer."""
DEALER = Staff("Dan", StaffPosition.DEALER)
MANAGER = Staff("Mia", StaffPosition.PIT_MANAGER)
SECOND = Staff("Pam", StaffPosition.PIT_MANAGER)
SHIFT = Staff("Gus", StaffPosition.GAMING_SHIFT_MANAGER)
SETTINGS = Settings(rulebook="BAC8", game="baccarat", method=Method.B, layout="C", positions=14)


class Away(Held):
    """A medium that is away until it is brought back."""

    away = False

    async def reopen(self) -> None:
        self.reopened += 1
        if self.away:
            message = "It is away."
            raise PoisonedError(message)
        self.fails = self.hold = False


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writers, "PAUSES_SECONDS", (0.0, 0.01))
    monkeypatch.setattr(writers, "PAUSE_MAX_SECONDS", 0.05)


# A medium that is away for long


@pytest.mark.usefixtures("quick")
async def test_a_medium_that_comes_back_late_is_found_again() -> None:
    store = Away()
    writer, (one, two) = await opened(store, "a", "b")
    store.fails = store.away = True
    told = await asyncio.wait_for(results(writer.submit(one, put("1"))), SOON)
    assert [type(error) for error in told] == [PoisonedError]
    with pytest.raises(PoisonedError):
        writer.submit(two, put("2"))
    store.away = False
    async with asyncio.timeout(SOON):
        while writer._failure is not None:  # noqa: ASYNC110, SLF001  # it is tried on
            await asyncio.sleep(0.01)
        assert (await writer.submit(one, put("1"))).accepted
        assert (await writer.submit(two, put("2"))).accepted
        await writer.close()


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("what", ["opens", "waits for its source", "looks up", "closes"])
async def test_nobody_waits_for_a_medium_that_stays_away(what: str) -> None:
    store = Away()
    writer, (one, two) = await opened(store, "a", "b")
    box = one.stream
    assert isinstance(box, Box)
    asked: list[asyncio.Future[Reply]] = []
    async with asyncio.timeout(SOON):
        if what == "waits for its source":
            box.supplies.clear()
            asked.append(writer.submit(one, put("2", Box.NEEDS)))
            await asyncio.sleep(0.01)
        store.fails = store.away = True
        asked.append(writer.submit(two, put("3")))
        if what == "looks up":
            asked.append(writer.submit(two, put("no uuid")))
        await asyncio.sleep(0.1)
        if what == "opens":
            with pytest.raises(JournalError):
                await writer.open(Box("c"))
        box.supplies.set()
        for outcome in await results(*asked):
            assert isinstance(outcome, PoisonedError)
        await writer.close()


async def test_whatever_opening_again_raises_it_is_tried_again(quick: None) -> None:  # noqa: ARG001
    store = Away()
    times = 0

    async def reopen() -> None:
        nonlocal times
        times += 1
        if times == 1:
            message = "no file handle is free"
            raise OSError(message)
        store.fails = False

    store.reopen = reopen  # type: ignore[method-assign]
    writer, (one,) = await opened(store, "a")
    store.fails = True
    async with asyncio.timeout(SOON):
        assert isinstance((await results(writer.submit(one, put("1"))))[0], NotDoneError)
        assert (await writer.submit(one, put("1"))).accepted
        await writer.close()


class Raises(Held):
    """A store whose append fails before it gives a future."""

    raises = False

    def append(self, frame: Frame) -> asyncio.Future[Mapping[str, JournalError]]:
        if self.raises:
            message = "it cannot be packed"
            raise ValueError(message)
        return super().append(frame)

    async def reopen(self) -> None:
        self.raises = False


async def test_a_frame_that_fails_at_once_is_not_told_as_written(quick: None) -> None:  # noqa: ARG001
    store = Raises()
    writer, (one,) = await opened(store, "a")
    store.raises = True
    async with asyncio.timeout(SOON):
        assert isinstance((await results(writer.submit(one, put("1"))))[0], NotDoneError)
        assert (await writer.submit(one, put("1"))) == Reply((await store.head("a")).sequence)
        await writer.close()


async def test_a_source_that_never_answers_stops_nobody_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(writers, "SUPPLY_SECONDS", 0.05)
    writer, (one, two) = await opened(MemoryStore(), "a", "b", waiting_max=10)
    assert isinstance(one.stream, Box)
    one.stream.supplies.clear()
    async with asyncio.timeout(SOON):
        waiting = [writer.submit(one, put(f"{n}", Box.NEEDS)) for n in range(5)]
        assert (await writer.submit(two, put("1"))).accepted
        assert {type(one) for one in await results(*waiting)} == {JournalError}
        await writer.close()


# Old identifications


class Reworded(Box):
    """A stream of a release that knows fewer codes than the one before."""

    def refusal(self, refused: Refused) -> Refused:
        message = f"no code {refused.code}"
        raise ValueError(message)


async def test_a_refusal_of_another_release_is_answered_and_stops_nobody() -> None:
    store = Held()
    writer, (one,) = await opened(store, "a")
    refused = await writer.submit(one, put("old", Box.REFUSED))
    await writer.close()
    writer = Writer(store)
    one, two = await writer.open(Reworded("a"), Box("b"))
    async with asyncio.timeout(SOON):
        again = await writer.submit(one, put("old", Box.REFUSED))
        assert again.sequence == refused.sequence
        assert again.refusal == Refused("no", "No.")
        assert (await writer.submit(two, put("another"))).accepted
        await writer.close()


# Who may ask


@pytest.mark.parametrize(
    "actor", [Patron("ann"), DEALER, Person("system", "house"), Person("ghost", "ann")]
)
async def test_nobody_starts_a_stream_by_a_command(actor: Any) -> None:  # noqa: ANN401
    store = MemoryStore()
    writer, (one,) = await opened(store, "a")
    with pytest.raises(JournalError, match=r"^(A stream is started by|Nobody is a ghost)"):
        writer.submit(one, Request("start-9", actor, Start("me")))
    await writer.close()
    assert len([one async for one in decisions_of(store, "a")]) == 1


@pytest.mark.parametrize("actor", [Person("patron", "ann", "Dealer"), Person("ghost", "ann")])
async def test_who_verification_would_not_believe_is_refused(actor: Person) -> None:
    writer, (one,) = await opened(MemoryStore(), "a")
    with pytest.raises(JournalError):
        writer.submit(one, Request("1", actor, put("1").command))
    await writer.close()


# What only the house knew


class Slow(SealedSource):
    """A source that takes its time; meanwhile somebody's time is over."""

    clock: Clock

    async def ended(self, seal: ShoeSealed, numbers: list[int]) -> ShoeOpened | None:
        self.clock.moment += timedelta(minutes=10)
        return await super().ended(seal, numbers)


class Clock:
    """The time of the house, as a test sets it."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 1, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment


async def do(desk: Desk, name: str, command: c.Command, actor: Staff = DEALER) -> Seat:
    reply = await desk.submit(Request(name, actor, command))
    assert reply.accepted, reply.refusal
    return desk.seat


async def test_a_decision_that_waited_is_taken_as_of_its_own_moment(tmp_path: Path) -> None:
    """Else a refusal could hold the cards of a shoe that stays in play."""
    store, clock = MemoryStore(), Clock()
    source = Slow(store, KeyBox(tmp_path / "keys"))
    source.clock = clock
    desk = Desk(Writer(store, clock=clock), "1", RULEBOOKS, source)
    await desk.start()
    await do(desk, "open", c.OpenTable(SETTINGS), MANAGER)
    await do(desk, "load", c.LoadShoe("first"))
    acting = Acting(
        StaffPosition.PIT_MANAGER, clock.moment, clock.moment + timedelta(minutes=5)
    )
    dot = Staff("Dot", StaffPosition.DEALER, acting)
    await do(desk, "close", c.CloseTable(), dot)
    assert desk.table.plan is None
    refused = await desk.submit(Request("again", dot, c.OpenTable(SETTINGS)))
    assert refused.refusal is not None, "by now she acts no more"
    await desk.close()
    assert (await verify(store, RULEBOOKS)).findings == []


async def test_a_shoe_that_can_be_opened_is_not_lost_and_a_proved_face_stays(
    tmp_path: Path,
) -> None:
    store, keys = MemoryStore(), tmp_path / "keys"
    desk = Desk(Writer(store), "1", RULEBOOKS, SealedSource(store, KeyBox(keys)))
    await desk.start()
    await do(desk, "open", c.OpenTable(SETTINGS), MANAGER)
    await do(desk, "load", c.LoadShoe("first"))
    await do(desk, "call", c.CallBets())
    await do(desk, "bets", c.CloseBets())
    number = 0
    while (desk.table.round is not None and desk.table.round.coup is None) or number < 4:
        await do(desk, f"draw-{number}", c.DrawCard())
        number += 1
    while not desk.table.round.coup.complete:  # type: ignore[union-attr]
        await do(desk, f"draw-{number}", c.DrawCard())
        number += 1
    lost = Request("lost", MANAGER, c.DeclareShoeLost("first", "burnt"), approver=SECOND)
    there = await desk.submit(lost)
    assert there.refusal is not None
    assert there.refusal.code is Code.DEVICE_CANNOT
    for path in keys.iterdir():
        path.unlink()
    gone = await desk.submit(
        Request("gone", MANAGER, c.DeclareShoeLost("first", "burnt"), approver=SECOND)
    )
    assert gone.accepted, gone.refusal
    was = desk.table.known[Position.P1].text
    other = "9S" if was != "9S" else "8S"
    correct = c.CorrectCard(Position.P1, "misread")
    answer = await desk.submit(
        Request("correct", SHIFT, correct, approver=SECOND, cards=(other,))
    )
    assert answer.refusal is not None
    assert answer.refusal.code is Code.DEVICE_CANNOT, answer.refusal
    await desk.close()
    assert (await verify(store, RULEBOOKS)).findings == []


# The writer process


async def test_several_who_open_it_again_start_one_writer(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "journal.sqlite", process=True)
    process = store._backend.process  # type: ignore[attr-defined]  # noqa: SLF001
    os.kill(process.pid, signal.SIGKILL)
    async with asyncio.timeout(30):
        while store._backend.alive:  # noqa: ASYNC110, SLF001  # the pipe tells of it
            await asyncio.sleep(0.01)
        await asyncio.gather(*(store.reopen() for _ in range(4)))
        found = children()
        await store.close()
    assert len(found) == 1, found
    assert children() == []


def children() -> list[str]:
    """Return the writer processes of this process."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            # After the name in brackets: state, parent.
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            asked = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if parent == str(os.getpid()) and state != "Z" and b"sqlite_writer" in asked:
            found.append(folder.name)
    return found


@pytest.mark.parametrize("after", [0.0, 0.02, 0.1])
async def test_who_gives_up_while_it_opens_leaves_no_writer(
    tmp_path: Path, after: float
) -> None:
    opening = asyncio.ensure_future(SqliteStore.open(tmp_path / "journal.sqlite", process=True))
    await asyncio.sleep(after)
    opening.cancel()
    async with asyncio.timeout(30):
        (outcome,) = await asyncio.gather(opening, return_exceptions=True)
        if isinstance(outcome, SqliteStore):
            await outcome.close()
        store = await SqliteStore.open(tmp_path / "journal.sqlite", process=True)
        await store.close()
    assert children() == []


def test_nothing_of_the_folder_where_somebody_is_is_run(tmp_path: Path) -> None:
    (tmp_path / "queue.py").write_text("raise SystemExit('run')\n", encoding="utf-8")
    script = (
        "import asyncio\n"
        "from croupier.journal.sqlite import SqliteStore\n"
        "async def main():\n"
        "    store = await SqliteStore.open('journal.sqlite', process=True)\n"
        "    await store.close()\n"
        "asyncio.run(main())\n"
    )
    ran = subprocess.run(  # noqa: S603  # our own program
        [sys.executable, "-P", "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
