"""Snapshots: a start folds the rest, and believes only what this house and code made."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import msgspec
import pytest

from croupier.floor.desk import Desk
from croupier.floor.sources import DeviceSource, SealedSource
from croupier.journal import snapshots as snapshots_module
from croupier.journal.errors import JournalError
from croupier.journal.gathering import Seat
from croupier.journal.loading import load
from croupier.journal.memory import MemoryStore
from croupier.journal.seal import KeyBox
from croupier.journal.snapshots import Snapshots
from croupier.journal.sqlite import SqliteStore
from croupier.journal.tables import TableStream
from croupier.journal.writer import Writer
from croupier.rulebooks import RULEBOOKS
from tests.floor.rounds import SCRIPTS, Clock, People

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from croupier.journal.frames import Kept
    from croupier.journal.writer import Landed

KEY = bytes(range(32))


@pytest.mark.parametrize("sealed", [False, True], ids=["device", "sealed"])
@pytest.mark.parametrize("name", SCRIPTS)
async def test_state_folded_equals_state_from_a_snapshot(
    tmp_path: Path, name: str, *, sealed: bool
) -> None:
    """At every decision of a game, whatever the table waits for."""
    store, heard = MemoryStore(), []

    def hear(landed: Landed) -> None:
        heard.extend(landed.all)

    writer = Writer(store, clock=Clock(), subscribers=(hear,))
    source = SealedSource(store, KeyBox(tmp_path)) if sealed else DeviceSource()
    people = People(SCRIPTS[name]._replace(cards=()) if sealed else SCRIPTS[name])
    desk = Desk(writer, "1", RULEBOOKS, source)
    await desk.start()
    await people.play(desk)
    stream = TableStream("1", RULEBOOKS)
    assert len(heard) > 20
    for one in heard:
        assert stream.unpack(stream.pack(one.after)) == one.after
    await writer.close()


async def played(store: MemoryStore, snapshots: Snapshots | None) -> Seat:
    """Play a round, and return the stream as it then is."""
    writer = Writer(store, clock=Clock(), snapshots=snapshots)
    desk = Desk(writer, "1", RULEBOOKS, DeviceSource())
    await desk.start()
    await People(SCRIPTS["baccarat"]).play(desk)
    await desk.close()
    return desk.seat


async def loaded(store: MemoryStore, snapshots: Snapshots | None) -> tuple[Seat, int]:
    """Load the stream again; return it, and how many records were read for it."""
    read: list[int] = []

    class Counted:
        def __getattr__(self, name: str) -> object:
            return getattr(store, name)

        async def read(self, stream: str, after: int = 0, limit: int = 10_000) -> object:
            records = await store.read(stream, after, limit)
            read.append(len(records))
            return records

    seat = Seat(TableStream("1", RULEBOOKS), 9)
    await load(Counted(), seat, snapshots)  # type: ignore[arg-type]
    return seat, sum(read)


async def test_a_start_reads_the_snapshot_and_the_decisions_after_it() -> None:
    store, snapshots = MemoryStore(), Snapshots(KEY, between=5)
    seat = await played(store, snapshots)
    kept = await store.snapshot("table:1")
    assert kept is not None
    assert kept.sequence < seat.sequence
    again, read = await loaded(store, snapshots)
    assert again.state == seat.state
    assert again.durable == seat.durable
    assert again.moment == seat.moment
    assert read == seat.sequence - kept.sequence + 1
    whole, read = await loaded(store, None)
    assert whole.durable == again.durable
    assert read == seat.sequence


async def test_a_snapshot_comes_every_so_many_decisions_within_a_round() -> None:
    store, snapshots = MemoryStore(), Snapshots(KEY, every=7, between=10**6)
    seat = await played(store, snapshots)
    kept = await store.snapshot("table:1")
    assert kept is not None
    assert seat.sequence - kept.sequence < 7
    again, _ = await loaded(store, snapshots)
    assert again.state == seat.state


ALTERED: dict[str, Callable[[Kept], dict[str, object]]] = {
    "state": lambda kept: {"state": kept.state[:-1] + bytes([kept.state[-1] ^ 1])},
    "sequence": lambda kept: {"sequence": kept.sequence - 1},
    "hash": lambda _: {"hash": bytes(32)},
    "release": lambda kept: {"release": f"{kept.release}x"},
    "mark": lambda _: {"mark": bytes(32)},
    "stream": lambda _: {"stream": "table:2"},
}


@pytest.mark.parametrize("what", ALTERED)
async def test_an_altered_snapshot_is_not_believed(what: str) -> None:
    store, snapshots = MemoryStore(), Snapshots(KEY, between=5)
    seat = await played(store, snapshots)
    kept = await store.snapshot("table:1")
    assert kept is not None
    store._snapshots["table:1"] = msgspec.structs.replace(kept, **ALTERED[what](kept))  # noqa: SLF001
    again, read = await loaded(store, snapshots)
    assert again.durable == seat.durable
    assert read == seat.sequence, "everything was folded"


def signed(snapshots: Snapshots, kept: Kept, **changes: object) -> Kept:
    """Return a snapshot with changes that whoever has the key signed."""
    new = msgspec.structs.replace(kept, **changes)
    mark = snapshots._mark(new.stream, new.sequence, new.hash, new.release, new.state)  # noqa: SLF001
    return msgspec.structs.replace(new, mark=mark)


async def test_a_snapshot_of_another_house_or_release_or_journal_is_not_believed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store, snapshots = MemoryStore(), Snapshots(KEY, between=5)
    seat = await played(store, snapshots)
    kept = await store.snapshot("table:1")
    assert kept is not None
    _, read = await loaded(store, Snapshots(bytes(32)))
    assert read == seat.sequence
    # Ahead of its journal, as after a roll back; and of a journal that went another way.
    for change in ({"sequence": seat.sequence + 3}, {"hash": bytes(32)}):
        store._snapshots["table:1"] = signed(snapshots, kept, **change)  # noqa: SLF001
        again, read = await loaded(store, snapshots)
        assert again.durable == seat.durable
        assert read in (seat.sequence, seat.sequence + 1)
    store._snapshots["table:1"] = kept  # noqa: SLF001
    monkeypatch.setattr(snapshots_module, "release", lambda: "0.1.0+another")
    _, read = await loaded(store, snapshots)
    assert read == seat.sequence


async def test_a_key_is_made_once_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "snapshot.key"
    first, second = Snapshots.at(path), Snapshots.at(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert first._key == second._key  # noqa: SLF001
    path.write_bytes(b"short")
    with pytest.raises(JournalError, match="holds no key"):
        Snapshots.at(path)


async def test_a_snapshot_in_a_file_does_not_hide_a_changed_decision(tmp_path: Path) -> None:
    """The decision it was made at is compared; verification folds everything."""
    path, snapshots = tmp_path / "journal.sqlite", Snapshots(KEY, between=5)
    store = await SqliteStore.open(path, process=False)
    seat = await played(store, snapshots)  # type: ignore[arg-type]
    kept = await store.snapshot("table:1")
    assert kept is not None
    await store.close()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("DROP TRIGGER decision_no_update")
    connection.execute(
        "UPDATE decision SET hash = zeroblob(32) WHERE sequence = ?", (kept.sequence,)
    )
    connection.close()
    connection = sqlite3.connect(path, isolation_level=None)
    store = await SqliteStore.open(path, process=False)
    with pytest.raises(JournalError, match="was changed"):
        await loaded(store, snapshots)  # type: ignore[arg-type]
    connection.close()
    await store.close()
    assert seat.sequence > kept.sequence
