"""Power fails, a sync reports an error, the disk is full: nothing acknowledged is lost.

The journal's own store plays rounds on a disk that records what is done to it. From the
record, every file that a power failure could leave is built and opened again by the real
store: it has all that was acknowledged, whole, and at most the one batch more that was on
its way. The same looking finds losses where the journal's settings are weaker.
"""

from __future__ import annotations

import asyncio
import secrets
import sqlite3
from contextlib import asynccontextmanager
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from croupier.floor.sources import SealedSource
from croupier.journal import medium
from croupier.journal.codec import Start
from croupier.journal.errors import PoisonedError
from croupier.journal.loading import decisions_of
from croupier.journal.medium import connect_file
from croupier.journal.seal import KeyBox
from croupier.journal.sqlite import SqliteStore
from croupier.journal.writer import DEPTH
from tests.floor.rounds import SCRIPTS, Life, People, check_all, check_answers, looped
from tests.journal.faulty import IMAGES, Connection, Disk, PowerFailure, connector
from tests.journal.places import claim

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping
    from pathlib import Path

    from croupier.journal.errors import JournalError
    from croupier.journal.frames import Frame
    from croupier.journal.store import Store

State = tuple[object, ...]
STATE = (
    "SELECT (SELECT count(*) FROM decision), (SELECT count(*) FROM posting),"
    " (SELECT count(*) FROM sealed),"
    " (SELECT total(epoch) FROM owner), (SELECT group_concat(hex(hash)) FROM decision),"
    " (SELECT group_concat(name || cents) FROM account)"
)
FILE = "journal.sqlite"


class Noting:
    """A store that notes on its disk, and for the test, what it has acknowledged."""

    def __init__(self, store: SqliteStore, bench: Bench) -> None:
        self._store, self._bench = store, bench

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # whatever a store can do
        return getattr(self._store, name)

    async def claim(self, streams: list[str], holder: str) -> list[int]:
        epochs = await self._store.claim(streams, holder)
        self._bench.acknowledge()
        return epochs

    def append(self, frame: Frame) -> asyncio.Future[Mapping[str, JournalError]]:
        return asyncio.ensure_future(self._append(frame))

    async def _append(self, frame: Frame) -> Mapping[str, JournalError]:
        refused = await self._store.append(frame)
        self._bench.acknowledge()
        return refused

    async def keep_sealed(self, shoe: str, cards: tuple[bytes, ...]) -> None:
        await self._store.keep_sealed(shoe, cards)
        self._bench.acknowledge()

    async def reopen(self) -> None:
        """Stay as it is: here a disk that failed is gone, and the house starts anew."""
        message = "The disk is gone."
        raise PoisonedError(message)


class Bench:
    """A disk, a journal on it, and what the journal was after each acknowledgement."""

    def __init__(self, folder: Path, synchronous: str = "FULL") -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.disk = Disk(f"disk-{secrets.token_hex(8)}")
        self.states: list[State] = [()]
        """Before anything is acknowledged there may be nothing at all."""
        self._connect = connector(self.disk, synchronous)
        self._watch: Connection | None = None

    def acknowledge(self) -> None:
        assert self._watch is not None
        (state,) = self._watch.execute(STATE).fetchall()
        self.states.append(state)
        self.disk.mark(len(self.states) - 1)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Store]:
        """Open the store on the disk, and close it at the end."""
        path = self.folder / FILE
        store = await SqliteStore.open(path, self._connect)
        try:
            self._watch = self._connect(path)
            yield Noting(store, self)  # type: ignore[misc]
        finally:
            if self._watch is not None:
                self._watch.close()
                self._watch = None
            await store.close()

    def source(self, store: Store) -> SealedSource:
        return SealedSource(store, KeyBox(self.folder / "keys"), Random(7).randrange)

    async def play(self, people: People, cards: int | None = None) -> None:
        """Play in two lives: one ends in a round, the next one goes on from there."""
        for until in (cards, None):
            async with self.open() as store:
                life = Life(store, self.source(store))
                try:
                    await people.play(await life.start(), until)
                except PoisonedError:
                    await check_poisoned(store)
                    raise
                finally:
                    await life.drop()


async def check_poisoned(store: Store) -> None:
    """Check that a store whose medium failed does nothing for anybody any more."""
    with pytest.raises(PoisonedError):
        await claim(store, "table:2", "test")
    with pytest.raises(PoisonedError):
        await store.read("table:1")


class Left(NamedTuple):
    """What power failures left, at so many points of a game."""

    images: int
    lost: int
    """Images in which something acknowledged is not there."""
    broken: int
    """Images that cannot be read, or are none of the states that ever were."""


def state_of(folder: Path) -> State | None:
    """Open what is left, as the journal does, and return its state; None: it is broken."""
    connection = None
    try:
        connection = connect_file(folder / FILE)
        (sound,) = connection.execute("PRAGMA integrity_check").fetchone()
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if tables == (0,):
            return ()
        state: State = tuple(connection.execute(STATE).fetchone())
    except sqlite3.DatabaseError as error:
        return () if "no such table" in str(error) else None
    finally:
        if connection is not None:
            connection.close()
    if sound != "ok":
        return None
    return state if any(state[:5]) else ()


def put(files: dict[str, bytes], folder: Path) -> None:
    """Write the files of an image into an empty folder."""
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)


def images_of(
    bench: Bench, seed: int, every: int = 1
) -> Iterator[tuple[int, dict[str, bytes]]]:
    """Yield what is acknowledged and what is left, at points of all that was done."""
    chance, failing = Random(seed), PowerFailure()
    for number, operation in enumerate(bench.disk.log):
        failing.take(operation)
        if number % every == 0:
            for kind in IMAGES:
                yield failing.acknowledged, failing.image(kind, chance)


def look(bench: Bench, seed: int, every: int = 1) -> Left:
    """Open all images of a game, and count what is missing."""
    images = lost = broken = 0
    folder = bench.folder / "image"
    for acknowledged, files in images_of(bench, seed, every):
        images += 1
        put(files, folder)
        state, noted = state_of(folder), bench.states
        # Two frames are on their way, and each is committed before it is acknowledged.
        newest = noted[min(acknowledged + DEPTH, len(noted) - 1)]
        if state is None:
            broken += 1
        elif state == noted[acknowledged]:
            continue
        elif not (is_more(state, noted[acknowledged]) and is_more(newest, state)):
            whole = state in noted or is_more(noted[acknowledged], state)
            lost, broken = lost + whole, broken + (not whole)
    return Left(images, lost, broken)


async def played(
    folder: Path, name: str = "baccarat", synchronous: str = "FULL", cards: int = 2
) -> tuple[Bench, People]:
    """Play a game on a recording disk."""
    bench, people = Bench(folder, synchronous), People(SCRIPTS[name]._replace(cards=()))
    await bench.play(people, cards)
    return bench, people


@pytest.fixture(autouse=True)
def short_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the log be copied into the file every few batches, as it is after many."""
    monkeypatch.setattr(medium, "LOG_ROWS_MAX", 30)


# Power failures


@pytest.mark.parametrize("name", ["baccarat", "tiger"])
@looped
async def test_a_power_failure_loses_nothing_acknowledged(tmp_path: Path, name: str) -> None:
    bench, _ = await played(tmp_path, name)
    synced = [one.file for one in bench.disk.log if one.kind == "sync"]
    copied = [file for file in synced if not file.endswith(("-wal", "-journal"))]
    assert len(copied) >= 4, "the log was never copied into the file"
    assert len(bench.states) > 18
    left = look(bench, seed=1, every=5)
    assert left.images > 250
    assert (left.lost, left.broken) == (0, 0)


@pytest.mark.crash
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", SCRIPTS)
@looped
async def test_a_power_failure_at_every_write_and_sync_of_every_game(
    tmp_path: Path, name: str, seed: int
) -> None:
    bench, _ = await played(tmp_path, name, cards=seed + 1)
    left = look(bench, seed)
    assert left.images == len(IMAGES) * len(bench.disk.log)
    assert (left.lost, left.broken) == (0, 0)


@pytest.mark.parametrize(("synchronous", "breaks"), [("NORMAL", False), ("OFF", True)])
@looped
async def test_with_weaker_settings_the_same_looking_finds_losses(
    tmp_path: Path, synchronous: str, *, breaks: bool
) -> None:
    """A journal that does not wait for the disk at every commit loses what it answered."""
    bench, _ = await played(tmp_path, synchronous=synchronous)
    left = look(bench, seed=1, every=5)
    assert left.lost > left.images // 20
    assert (left.broken > 0) is breaks


@looped
async def test_what_a_power_failure_leaves_is_played_on(tmp_path: Path) -> None:
    """The house starts again on the image; who got no answer asks again; the book is kept."""
    bench, _ = await played(tmp_path)
    chance = Random(3)
    chosen = chance.sample(list(images_of(bench, seed=3)), 15)
    for acknowledged, files in chosen:
        folder = tmp_path / "image"
        put(files, folder)
        store = await SqliteStore.open(folder / FILE)
        people = People(SCRIPTS["baccarat"]._replace(cards=()), prefix="again")
        # Those before the failure were there, too.
        before = [one async for one in decisions_of(store, "table:1")]
        assert len(before) >= int(str((bench.states[acknowledged] or (0,))[0]))
        others = [one.command_id for one in before if not isinstance(one.command, Start)]
        life = Life(store, bench.source(store))
        await people.play(await life.start())
        await check_all(store, people, others)
        await life.drop()
        await store.close()


# A disk that reports errors


async def fail_at(folder: Path, kind: str, number: int) -> bool:
    """Let one operation fail, and check all that must hold; tell whether it came to it."""
    bench, people = Bench(folder), People(SCRIPTS["baccarat"]._replace(cards=()))
    bench.disk.fails_at = (kind, number)
    poisoned = False
    try:
        await bench.play(people, 2)
    except PoisonedError:
        poisoned = True
    at, log = bench.disk.failed_at, bench.disk.log
    assert poisoned or not people.open
    if at is not None:
        assert poisoned, "nobody was told of the error"
        # The frames that are on their way may be acknowledged behind the error: the loop hears
        # of commits later than the writer makes them, and when it is the copying of the log
        # that fails, the commit is made beside it. That they are there is checked below.
        late = sum(operation.kind == "mark" for operation in log[at:])
        assert late <= DEPTH
    await check_after(bench, people)
    return at is not None


async def check_after(bench: Bench, people: People) -> None:
    """Check every file that may be left after an error, and go on with the real one."""
    failing, chance = PowerFailure(), Random(5)
    for operation in bench.disk.log:
        failing.take(operation)
    for kind in IMAGES:
        put(failing.image(kind, chance), bench.folder / "image")
        state = state_of(bench.folder / "image")
        assert state is not None
        # At most the one batch more that was on its way, and nobody knows which one it is.
        assert state == bench.states[-1] or is_more(state, bench.states[-1])
    bench.disk.fails_at = None
    store = await SqliteStore.open(bench.folder / FILE)
    await check_answers(store, people)
    desk = await Life(store, bench.source(store)).start()
    await people.play(desk)
    await check_all(store, people)
    await desk.close()
    await store.close()


def is_more(state: State, before: State) -> bool:
    """Tell whether a state has everything of another, and perhaps more behind it."""
    if not before or not state:
        return not before
    counts = zip(state[:4], before[:4], strict=True)
    return str(state[4] or "").startswith(str(before[4] or "")) and all(
        now >= then  # type: ignore[operator]
        for now, then in counts
    )


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6, 8, 11, 15, 20, 26])
@looped
async def test_a_sync_that_fails_is_never_acknowledged(tmp_path: Path, number: int) -> None:
    assert await fail_at(tmp_path / "disk", "sync", number)


@pytest.mark.parametrize("number", [1, 2, 4, 8, 16, 32, 64, 96, 128])
@looped
async def test_a_full_disk_is_never_acknowledged(tmp_path: Path, number: int) -> None:
    assert await fail_at(tmp_path / "disk", "write", number)


@pytest.mark.crash
@looped
async def test_every_sync_of_a_game_fails_once(tmp_path: Path) -> None:
    for number in range(1, 1_000):
        if not await fail_at(tmp_path / f"disk-{number}", "sync", number):
            break
    assert number > 30


@pytest.mark.crash
@looped
async def test_every_write_of_a_game_fails_once(tmp_path: Path) -> None:
    for number in range(1, 2_000):
        if not await fail_at(tmp_path / f"disk-{number}", "write", number):
            break
    assert number > 150
