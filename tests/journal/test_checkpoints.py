"""Checkpoints and their keeper: signed in time, and no start behind them."""

from __future__ import annotations

import asyncio
import os
import shutil
import stat
from typing import TYPE_CHECKING

import msgspec
import pytest

from croupier.cage.commands import BuyIn
from croupier.floor.keeper import Keeper
from croupier.journal import checkpoints as checkpoints_module
from croupier.journal import files
from croupier.journal.checkpoints import (
    CHECKED_AT_START,
    Checkpoint,
    CheckpointError,
    Checkpoints,
    Signer,
    behind,
    check_signature,
)
from croupier.journal.codec import encode_canonical
from croupier.journal.decision import Head
from croupier.journal.errors import PoisonedError
from croupier.journal.files import new_file, write_once
from croupier.journal.memory import MemoryStore
from croupier.journal.sqlite import SqliteStore
from croupier.journal.verify import verify
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands as c
from tests.journal.casino import (
    Casino,
    Clock,
    built,
    bypassed,
    checkpoints_of,
    open_house,
    play,
    verified,
)
from tests.journal.places import (
    append,
    claim,
    following,
    head_after,
    landed,
    records_in,
    start,
)
from tests.journal.test_verify import cut
from tests.journal.test_verify_rewritten import rewrite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from croupier.journal.checkpoints import Signed
    from croupier.journal.frames import Frame
    from croupier.journal.store import Store

MOMENT = "2026-01-01T00:00:00.000000Z"


@pytest.fixture(scope="module")
def casino(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a journal with its checkpoints and keys."""
    folder = tmp_path_factory.mktemp("casino")
    built(folder)
    return folder


@pytest.fixture
def house(casino: Path, tmp_path: Path) -> Path:
    """Return a copy of the whole folder."""
    return shutil.copytree(casino, tmp_path / "house")


# Checkpoints in their folder


def heads(*places: int) -> list[Head]:
    return [Head(f"table:{n}", place, bytes([place])) for n, place in enumerate(places, 1)]


def test_checkpoints_follow_one_another(tmp_path: Path) -> None:
    signer = Signer.at(tmp_path / "key")
    checkpoints = Checkpoints(tmp_path / "signed")
    assert checkpoints.newest() is None
    first = checkpoints.write(heads(3), signer, MOMENT)
    second = checkpoints.write(heads(5, 1), signer, MOMENT)
    assert (first.number, first.previous, second.number) == (1, "", 2)
    assert second.heads == {"table:1": (5, "05"), "table:2": (1, "01")}
    names = sorted(path.name for path in checkpoints.folder.iterdir())
    assert names == ["checkpoint-0000000001.json", "checkpoint-0000000002.json"]
    again = Checkpoints(tmp_path / "signed")
    assert again.newest(signer.public) == second
    assert again.write(heads(6, 1), signer, MOMENT).number == 3


def test_a_key_is_made_once_and_its_owner_s_alone(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "signing.key"
    signer = Signer.at(path)
    assert Signer.at(path).public == signer.public
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert check_signature(signer.public, signer.sign(b"x"), b"x")
    assert not check_signature(signer.public, signer.sign(b"x"), b"y")
    assert not check_signature(signer.public.upper(), signer.sign(b"x"), b"x")
    assert not check_signature("zz", "zz", b"x")
    path.write_bytes(b"short")
    with pytest.raises(CheckpointError, match=r"^signing.key holds no signing key.$"):
        Signer.at(path)


def test_every_changed_byte_of_a_checkpoint_is_found(tmp_path: Path) -> None:
    signer = Signer.at(tmp_path / "key")
    checkpoints = Checkpoints(tmp_path / "signed")
    checkpoints.write(heads(3), signer, MOMENT)
    (path,) = checkpoints.folder.iterdir()
    content = path.read_bytes()
    for place, byte in enumerate(content):
        for new in {byte ^ 1, byte ^ 32}:
            path.write_bytes(content[:place] + bytes([new]) + content[place + 1 :])
            with pytest.raises(CheckpointError):
                checkpoints.all()
    for other in (content[:-1], content + b" ", content + b"\n", b"", b"{}"):
        path.write_bytes(other)
        with pytest.raises(CheckpointError):
            checkpoints.all()
    path.write_bytes(content)
    assert len(checkpoints.all()) == 1


def removed(paths: list[Path]) -> None:
    paths[1].unlink()


def swapped(paths: list[Path]) -> None:
    one, two = paths[0].read_bytes(), paths[1].read_bytes()
    paths[0].write_bytes(two)
    paths[1].write_bytes(one)


def first_removed(paths: list[Path]) -> None:
    paths[0].unlink()


def renamed(paths: list[Path]) -> None:
    paths[-1].rename(paths[-1].with_name("checkpoint-0000000099.json"))


def doubled(paths: list[Path]) -> None:
    shutil.copyfile(paths[0], paths[0].with_name("checkpoint-0000000099.json"))


def signed_by_another(paths: list[Path]) -> None:
    signer = Signer.once()
    one = msgspec.json.decode(paths[-1].read_bytes())
    one["key"] = signer.public
    one["signature"] = signer.sign(encode_canonical(one["checkpoint"]))
    paths[-1].write_bytes(encode_canonical(one))


@pytest.mark.parametrize(
    "change", [removed, swapped, first_removed, renamed, doubled, signed_by_another]
)
def test_changed_checkpoints_are_found_and_nothing_starts(
    change: Callable[[list[Path]], None], house: Path
) -> None:
    change(sorted((house / "checkpoints").iterdir()))
    with pytest.raises(CheckpointError):
        Checkpoints(house / "checkpoints").all()
    assert "checkpoint-" in refused_start(house)


def test_checkpoints_that_were_all_signed_anew_need_the_key_to_be_found(house: Path) -> None:
    key = Signer.at(house / "signing.key").public
    signer = Signer.once()
    old = Checkpoints(house / "checkpoints").all(key)
    shutil.rmtree(house / "checkpoints")
    anew = Checkpoints(house / "checkpoints")
    anew.write([], signer, old[0].checkpoint.moment)
    assert len(anew.all()) == 1
    with pytest.raises(CheckpointError, match="not signed by the key of this journal"):
        anew.all(key)
    assert "not signed by the key" in refused_start(house)


def test_a_checkpoint_is_there_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failure on the way leaves no file that would keep the house from starting."""
    signer = Signer.at(tmp_path / "key")
    checkpoints = Checkpoints(tmp_path / "signed")
    checkpoints.write(heads(1), signer, MOMENT)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", no_space)
        with pytest.raises(OSError, match="No space"):
            checkpoints.write(heads(2), signer, MOMENT)
    (tmp_path / "signed" / "checkpoint-0000000002.json.part").write_bytes(b"{torn")
    assert len(Checkpoints(tmp_path / "signed").all()) == 1
    assert checkpoints.write(heads(2), signer, MOMENT).number == 2
    assert len(list((tmp_path / "signed").iterdir())) == 2


def no_space(_: int) -> None:
    raise OSError(28, "No space left on device")


def test_no_file_is_ever_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    write_once(path, b"old")
    with pytest.raises(FileExistsError):
        write_once(path, b"new")
    checkpoints, other = (Checkpoints(tmp_path / "signed") for _ in range(2))
    signer = Signer.once()
    checkpoints.write(heads(1), signer, MOMENT)
    other.write(heads(2), signer, MOMENT)
    with pytest.raises(CheckpointError, match="was written by somebody else"):
        checkpoints.write(heads(3), signer, MOMENT)

    def no_links(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    with pytest.raises(FileExistsError):
        write_once(path, b"new")
    with new_file(tmp_path / "other") as file:
        file.write(b"a stick has no links")
    assert path.read_bytes() == b"old"
    assert (tmp_path / "other").read_bytes() == b"a stick has no links"


async def test_a_folder_that_failed_once_is_signed_in_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file has its name, and whether the name is durable is not known: it still counts."""
    store = MemoryStore()
    await claim(store, "s", "test")
    keeper = Keeper(store, Checkpoints(tmp_path), Signer.once(), every_decisions=1_000)
    await keeper.start()
    parts = frames("s", 4)
    await fill(store, keeper, parts[:1])
    await keeper.sign()
    synced: list[Path] = []

    def sync(folder: Path) -> None:
        synced.append(folder)
        if len(synced) == 1:
            raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(files, "sync_folder", sync)
        patch.setattr(checkpoints_module, "sync_folder", sync)
        await fill(store, keeper, parts[1:2])
        with pytest.raises(CheckpointError, match="Input/output error"):
            await keeper.sign()
        assert count(tmp_path) == 2
        for frame in parts[2:]:
            await fill(store, keeper, [frame])
            await keeper.sign()
            assert keeper.failure is None
    assert synced == [tmp_path] * 4
    await keeper.close()
    assert [one.checkpoint.heads["s"][0] for one in Checkpoints(tmp_path).all()] == [1, 2, 3, 4]


@pytest.mark.parametrize("count", [1, CHECKED_AT_START, CHECKED_AT_START + 40])
def test_a_start_reads_the_newest_checkpoints_only(
    count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    signer = Signer.once()
    checkpoints = Checkpoints(tmp_path)
    for number in range(count):
        newest = checkpoints.write(heads(number + 1), signer, MOMENT)
    read: list[str] = []
    whole = checkpoints_module._read  # noqa: SLF001

    def counted(path: Path) -> Signed:
        read.append(path.name)
        return whole(path)

    monkeypatch.setattr(checkpoints_module, "_read", counted)
    assert Checkpoints(tmp_path).newest(signer.public) == newest
    assert len(read) == min(count, CHECKED_AT_START)
    # What goes on from there is read no more often.
    again = Checkpoints(tmp_path)
    again.write(heads(count + 1), signer, MOMENT)
    assert len(read) == 2 * min(count, CHECKED_AT_START)
    assert len(again.all(signer.public)) == count + 1


def test_what_somebody_else_signed_is_not_gone_on_from(tmp_path: Path) -> None:
    checkpoints, other = (Checkpoints(tmp_path) for _ in range(2))
    signer = Signer.once()
    checkpoints.write(heads(1), signer, MOMENT)
    other.write(heads(2), signer, MOMENT)
    for _ in range(2):
        with pytest.raises(CheckpointError, match=r"0002\.json was written by somebody else"):
            checkpoints.write(heads(3), signer, MOMENT)


async def test_refusals_are_signed_as_all_decisions_are(tmp_path: Path) -> None:
    """They count towards the hundred, and none that was signed is missed in silence."""
    store, signer, folder = MemoryStore(), Signer.once(), tmp_path / "signed"
    keeper = Keeper(store, Checkpoints(folder), signer, every_decisions=5)
    house = Casino(store, tmp_path, keeper)
    await house.start()
    await open_house(house)
    await until(lambda: keeper._unsigned < 5)  # noqa: SLF001  # all that was full is signed
    await keeper.sign()
    before = count(folder)
    for _ in range(5):
        assert not (await house.ask("1", c.CloseBets())).accepted
    await until(lambda: count(folder) == before + 1)
    newest = Checkpoints(folder).newest()
    assert newest is not None
    head = await store.head("table:1")
    assert newest.heads["table:1"] == (head.sequence, head.hash.hex())
    await house.close()
    assert count(folder) == before + 1
    signed = [one.checkpoint for one in Checkpoints(folder).all()]
    assert (await verify(store, RULEBOOKS, signed)).findings == []
    again = Keeper(store, Checkpoints(folder), signer)
    await again.start()
    await again.close()
    store._records["table:1"].pop()  # noqa: SLF001  # past the store
    (finding,) = (await verify(store, RULEBOOKS, signed)).findings
    assert finding.kind == "checkpoint"
    assert f"table:1 ends at decision {head.sequence - 1}" in finding.sentence
    with pytest.raises(CheckpointError, match="cut off or rolled back, so nothing starts"):
        await Keeper(store, Checkpoints(folder), signer).start()


def test_behind_is_told_by_stream() -> None:
    checkpoint = Checkpoint(7, MOMENT, {"table:1": (5, "05")}, "")
    assert behind(checkpoint, heads(5)) is None
    assert behind(checkpoint, heads(6)) is None
    late = "table:1 ends at decision 4; checkpoint 7 has seen decision 5"
    assert behind(checkpoint, heads(4)) == late
    assert behind(checkpoint, []) == late.replace("decision 4", "decision 0")


# The keeper


def frames(stream: str, count: int, decisions: int = 1) -> list[Frame]:
    """Return frames that follow one another."""
    made: list[Frame] = []
    head = start(stream)
    for _ in range(count):
        made.append(following(head, 1, count=decisions))
        head = head_after(made[-1])
    return made


async def fill(store: Store, keeper: Keeper | None, parts: Iterable[Frame]) -> None:
    """Write frames, and tell the keeper of their decisions as a writer does."""
    for frame in parts:
        await append(store, frame)
        for record in records_in(frame) if keeper else ():
            assert keeper is not None
            keeper.committed(landed(record))


async def until(what: Callable[[], bool]) -> None:
    for _ in range(500):
        if what():
            return
        await asyncio.sleep(0.01)
    message = "it never came"
    raise AssertionError(message)


def count(folder: Path) -> int:
    return len(Checkpoints(folder).all())


async def test_every_hundred_decisions_are_signed(tmp_path: Path) -> None:
    store = MemoryStore()
    await claim(store, "s", "test")
    keeper = Keeper(store, Checkpoints(tmp_path), Signer.once(), clock=Clock())
    await keeper.start()
    parts = frames("s", 250)
    await fill(store, keeper, parts[:99])
    await asyncio.sleep(0.05)
    assert count(tmp_path) == 0
    await fill(store, keeper, parts[99:100])
    await until(lambda: count(tmp_path) == 1)
    await fill(store, keeper, parts[100:])
    await until(lambda: count(tmp_path) == 2)
    await keeper.close()
    newest = Checkpoints(tmp_path).newest()
    assert newest is not None
    assert newest.heads == {"s": (250, head_after(parts[-1]).hash.hex())}


async def test_what_is_new_is_signed_in_time_and_at_the_end(tmp_path: Path) -> None:
    store = MemoryStore()
    await claim(store, "s", "test")
    keeper = Keeper(store, Checkpoints(tmp_path), Signer.once(), every_seconds=0.05)
    await keeper.start()
    await asyncio.sleep(0.2)
    assert count(tmp_path) == 0
    parts = frames("s", 3)
    await fill(store, keeper, parts[:1])
    await until(lambda: count(tmp_path) == 1)
    await asyncio.sleep(0.2)
    assert count(tmp_path) == 1
    await fill(store, keeper, parts[1:])
    await keeper.close()
    newest = Checkpoints(tmp_path).newest()
    assert newest is not None
    assert newest.heads["s"][0] == 3


async def test_between_two_checkpoints_there_is_a_pause_that_closing_does_not_wait_for(
    tmp_path: Path,
) -> None:
    """However much is decided, signing does not keep the disk from the journal."""
    store = MemoryStore()
    await claim(store, "s", "test")
    signer, parts = Signer.once(), frames("s", 30)
    keeper = Keeper(store, Checkpoints(tmp_path), signer, every_decisions=1, pause_seconds=60.0)
    await keeper.start()
    for place, part in enumerate(parts):
        await fill(store, keeper, (part,))
        if not place:
            await until(lambda: count(tmp_path) == 1)
    await asyncio.sleep(0.1)
    assert count(tmp_path) == 1
    async with asyncio.timeout(10):
        await keeper.close()
    assert count(tmp_path) == 2
    newest = Checkpoints(tmp_path).newest()
    assert newest is not None
    assert newest.heads["s"][0] == 30


async def test_what_comes_in_a_pause_is_signed_after_it(tmp_path: Path) -> None:
    store = MemoryStore()
    await claim(store, "s", "test")
    keeper = Keeper(
        store, Checkpoints(tmp_path), Signer.once(), every_decisions=10, pause_seconds=0.05
    )
    await keeper.start()
    parts = frames("s", 40)
    await fill(store, keeper, parts[:10])
    await until(lambda: count(tmp_path) == 1)
    await fill(store, keeper, parts[10:])
    await until(lambda: count(tmp_path) == 2)
    newest = Checkpoints(tmp_path).newest()
    assert newest is not None
    assert newest.heads["s"][0] == 40
    await keeper.close()


async def test_every_checkpoint_is_of_a_moment_of_the_journal(tmp_path: Path) -> None:
    """What was signed step by step is what the store had then, in each of its streams."""
    store = MemoryStore()
    for stream in ("a", "b"):
        await claim(store, stream, "test")
    keeper = Keeper(store, Checkpoints(tmp_path), Signer.once(), every_decisions=1_000)
    await keeper.start()
    had = []
    for one, two in zip(frames("a", 40), frames("b", 40, 2), strict=True):
        await fill(store, keeper, (one, two))
        await keeper.sign()
        had.append(
            {head.stream: (head.sequence, head.hash.hex()) for head in await store.heads()}
        )
    await keeper.close()
    assert [one.checkpoint.heads for one in Checkpoints(tmp_path).all()] == had


async def test_what_a_crash_left_unsigned_is_signed_after_the_start(tmp_path: Path) -> None:
    store = MemoryStore()
    await claim(store, "s", "test")
    signer = Signer.once()
    await fill(store, None, frames("s", 5))
    keeper = Keeper(store, Checkpoints(tmp_path), signer, every_seconds=0.05)
    await keeper.start()
    await until(lambda: count(tmp_path) == 1)
    await keeper.close()
    again = Keeper(store, Checkpoints(tmp_path), signer, every_seconds=0.05)
    await again.start()
    await asyncio.sleep(0.2)
    await again.close()
    assert count(tmp_path) == 1


async def test_a_checkpoint_that_cannot_be_written_is_told_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = MemoryStore()
    await claim(store, "s", "test")
    keeper = Keeper(store, Checkpoints(tmp_path), Signer.once(), every_seconds=0.05)
    await keeper.start()
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", no_space)
        await fill(store, keeper, frames("s", 5))
        await until(lambda: keeper.failure is not None)
        assert "No space left on device" in str(keeper.failure)
        with pytest.raises(CheckpointError, match="No checkpoint could be written"):
            await keeper.sign()
    await until(lambda: keeper.failure is None)
    await keeper.close()
    newest = Checkpoints(tmp_path).newest()
    assert newest is not None
    assert newest.heads["s"][0] == 5


async def test_what_another_process_wrote_is_signed_once_it_can_be_read(tmp_path: Path) -> None:
    """And one that does not sign writes nothing."""

    class Unreadable(MemoryStore):
        away = False

        async def head(self, stream: str) -> Head:
            if self.away:
                message = "The journal is away."
                raise PoisonedError(message)
            return await super().head(stream)

    store = Unreadable()
    signer = Signer.once()
    keepers = [
        Keeper(store, Checkpoints(tmp_path / str(signs)), signer, signs=signs)
        for signs in (True, False)
    ]
    for keeper in keepers:
        await keeper.start()
    epoch = await claim(store, "s", "another")
    await append(store, following(Head("s"), epoch, count=2))
    store.away = True
    for keeper in keepers:
        keeper.heard("s")
    with pytest.raises(CheckpointError, match="The journal is away"):
        await keepers[0].sign()
    assert keepers[0].failure is not None
    store.away = False
    for keeper in keepers:
        await keeper.close()
    newest = Checkpoints(tmp_path / "True").newest()
    assert newest is not None
    assert newest.heads["s"][0] == 2
    assert Checkpoints(tmp_path / "False").newest() is None


async def test_closing_waits_for_the_checkpoint_that_is_being_written(tmp_path: Path) -> None:
    store = MemoryStore()
    await claim(store, "s", "test")
    keeper = Keeper(store, Checkpoints(tmp_path), Signer.once(), every_decisions=1)
    await keeper.start()
    for frame in frames("s", 50):
        await fill(store, keeper, (frame,))
        await asyncio.sleep(0)
    await keeper.close()
    newest = Checkpoints(tmp_path).newest()
    assert newest is not None
    assert newest.heads["s"][0] == 50


# Starting behind


async def try_start(house: Path) -> None:
    store = await SqliteStore.open(house / "journal.sqlite")
    keeper = Keeper(store, Checkpoints(house / "checkpoints"), Signer.at(house / "signing.key"))
    try:
        await keeper.start()
        await keeper.close()
    finally:
        await store.close()


def refused_start(house: Path) -> str:
    with pytest.raises((CheckpointError, PoisonedError)) as error:
        asyncio.run(try_start(house))
    assert str(error.value).endswith(".")
    return str(error.value)


def test_a_house_that_was_closed_starts_again(house: Path) -> None:
    before = count(house / "checkpoints")
    asyncio.run(try_start(house))
    assert count(house / "checkpoints") == before


@pytest.mark.parametrize("stream", ["table:1", "table:2", "cage"])
def test_a_start_behind_the_newest_checkpoint_is_refused(stream: str, house: Path) -> None:
    journal = house / "journal.sqlite"
    cut(journal, stream, 1)
    assert f"{stream} ends at decision" in refused_start(house)
    findings = verified(journal, *checkpoints_of(journal)).findings
    assert any("was cut off or rolled back" in one.sentence for one in findings)


async def test_an_old_copy_does_not_start(tmp_path: Path) -> None:
    """A rollback: an older state of the whole file, in which everything fits."""
    signer, checkpoints = Signer.at(tmp_path / "signing.key"), tmp_path / "checkpoints"
    path = tmp_path / "journal.sqlite"
    store = await SqliteStore.open(path)
    keeper = Keeper(store, Checkpoints(checkpoints), signer)
    casino = Casino(store, tmp_path, keeper)
    await casino.start()
    await casino.at_cage("buy", BuyIn("eve", 1))
    await casino.close()
    await store.close()
    old = path.read_bytes()
    store = await SqliteStore.open(path)
    casino = Casino(store, tmp_path, Keeper(store, Checkpoints(checkpoints), signer))
    await casino.start()
    await play(casino)
    await casino.close()
    await store.close()
    await try_start(tmp_path)
    path.write_bytes(old)
    with pytest.raises(CheckpointError, match="accounts ends at decision 1; checkpoint"):
        await try_start(tmp_path)


def test_a_start_with_another_history_is_refused(house: Path) -> None:
    with bypassed(house / "journal.sqlite") as connection:
        connection.execute(
            "UPDATE decision SET hash = zeroblob(32) WHERE stream = 'cage' AND sequence ="
            " (SELECT max(sequence) FROM decision WHERE stream = 'cage')"
        )
    assert "of cage is not the one that checkpoint" in refused_start(house)


def test_a_start_without_a_refusal_that_was_signed_is_refused(house: Path) -> None:
    """All that follows it is numbered and chained anew, and still it is missed."""
    rewrite(house / "journal.sqlite", '"refusal"', lambda _: None, drop=True)
    assert "so nothing starts" in refused_start(house)
