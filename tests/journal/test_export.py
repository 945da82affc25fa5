"""Exports: canonical, whole, signed; and every change of one is found."""

from __future__ import annotations

import asyncio
import csv
import json
import random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from croupier import verifier
from croupier.journal.backup import back_up
from croupier.journal.checkpoints import Signer
from croupier.journal.codec import encode_canonical
from croupier.journal.errors import JournalError
from croupier.journal.export import (
    ExportReader,
    write_lines,
)
from croupier.journal.opening import open_reader
from croupier.journal.reader import SqliteReader
from croupier.journal.sheets import FolderHead, digest_of_file, write_sheets
from croupier.journal.sqlite import SqliteStore
from croupier.table.state import Phase
from tests.floor.rounds import Life, People
from tests.floor.test_sources import (
    SEALED,
    faces_told,
    planted_order,
    rows,
    sealed,
    traces,
)
from tests.journal.casino import DECKS, bypassed, checkpoints_of, copied, verified
from tests.journal.exports import export, exported, exported_lines, journal, kinds

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator
    from pathlib import Path

    from croupier.journal.reader import Finding

__all__ = ["exported", "exported_lines", "journal"]

SEED = 5


# What an export is


def test_an_export_is_a_header_the_whole_journal_and_a_signed_head(exported: Path) -> None:
    lines = exported.read_bytes().splitlines(keepends=True)
    order = list(dict.fromkeys(kinds(b"".join(lines))))
    assert order == ["header", "decision", "posting", "balance", "head"]
    assert len([kind for kind in kinds(b"".join(lines)) if kind == "head"]) == 1
    head = json.loads(lines[-1])
    assert set(head["heads"]) == {"accounts", "cage", "table:1", "table:2"}
    assert head["lines"] == len(lines) - 1
    assert verified(exported).holds
    assert verifier.check(lines) == []


def test_a_line_shows_who_asked_for_what_and_what_came_of_it(exported: Path) -> None:
    lines = [json.loads(line) for line in exported.read_bytes().splitlines()]
    decisions = [line["decision"] for line in lines if line["kind"] == "decision"]
    opened = next(one for one in decisions if one["command"]["type"] == "open_table")
    assert opened["actor"] == {"kind": "staff", "name": "Mia", "position": "Pit Manager"}
    assert [event["type"] for event in opened["events"]] == ["table_opened"]
    refused = next(one for one in decisions if "refusal" in one)
    assert refused["actor"] == {"kind": "patron", "name": "ann"}
    assert refused["command"]["type"] == "place_wager"
    assert refused["refusal"]["code"] == "not_enough_credit"
    assert "events" not in refused


def test_two_exports_of_a_journal_are_the_same_but_for_who_signs(
    journal: Path, tmp_path: Path
) -> None:
    signer = Signer.at(tmp_path / "key")
    assert export(journal, signer) == export(journal, signer)
    assert export(journal).splitlines()[:-1] == export(journal).splitlines()[:-1]


def test_an_export_holds_what_the_journal_holds(journal: Path, exported: Path) -> None:
    of_journal, of_export = verified(journal), verified(exported)
    assert msgspec.structs.replace(of_export, findings=[]) == of_journal
    assert of_export.holds
    assert of_journal.settlements == 1
    assert of_journal.openings >= 5
    assert verified(exported, *checkpoints_of(journal)).holds


def test_an_export_of_an_export_is_the_same(exported: Path) -> None:
    async def again() -> bytes:
        parts: list[bytes] = []
        async with await open_reader(str(exported)) as reader:
            await write_lines(reader, parts.append, Signer.once())
        return b"".join(parts)

    lines = asyncio.run(again()).splitlines()
    assert lines[:-1] == exported.read_bytes().splitlines()[:-1]


def test_the_keys_of_shoes_are_in_no_export(journal: Path, exported: Path) -> None:
    """The sealed cards are in a backup, encrypted; their keys are in neither."""
    assert "sealed" not in kinds(exported.read_bytes())
    backup = export(journal, sealed=True)
    assert kinds(backup).count("sealed") == 2 * (DECKS * 52 + 1)
    keys = [path.read_bytes() for path in (journal.parent / "keys").iterdir()]
    assert len(keys) == 2
    for content in (exported.read_bytes(), backup, journal.read_bytes()):
        assert not any(key in content or key.hex().encode() in content for key in keys)


@pytest.mark.parametrize("until", [Phase.CLOSED, 2, Phase.RESULT])
async def test_an_export_holds_no_card_that_was_not_exposed(
    until: Phase | int, tmp_path: Path
) -> None:
    """A canary: a known shoe is planted, dealt in part, and looked for in every form."""
    path, order = tmp_path / "journal.sqlite", planted_order("baccarat")
    store = await SqliteStore.open(path)
    desk = await Life(store, sealed(store, tmp_path)).start()
    await People(SEALED["baccarat"]).play(desk, until)
    assert desk.table.shoe is not None
    out = desk.table.shoe.out
    await desk.close()
    await store.close()
    contents: dict[str, bytes] = {}
    async with SqliteReader(path) as reader:
        for name, with_sealed in (("lines", False), ("backup", True)):
            parts: list[bytes] = []
            await write_lines(reader, parts.append, Signer.once(), sealed=with_sealed)
            contents[name] = b"".join(parts)
        for form in ("csv", "parquet"):
            await write_sheets(reader, tmp_path / form, Signer.once(), form)
        await back_up(reader, tmp_path / "copy.sqlite")
    contents["csv"] = b"".join(one.read_bytes() for one in (tmp_path / "csv").iterdir())
    contents["parquet"] = b"".join(map(values, (tmp_path / "parquet").glob("*.parquet")))
    contents["copy"] = rows(tmp_path / "copy.sqlite")
    for name, content in contents.items():
        assert b"shoe_loaded" in content, name
        assert b"root" in content, name
        assert traces(order[out:], content) == set(), name
        told = faces_told([content.replace(b"\\", b"").replace(b'""', b'"')], order)
        assert told == set(order[:out]), name


def values(path: Path) -> bytes:
    """Return every value of a Parquet file, as it is."""
    columns = parquet.read_table(path).to_pydict().values()
    cells = [cell for column in columns for cell in column]
    return b"\n".join(one if isinstance(one, bytes) else str(one).encode() for one in cells)


def test_a_journal_that_does_not_hold_is_not_signed(journal: Path, tmp_path: Path) -> None:
    copy = copied(journal, tmp_path)
    with bypassed(copy) as connection:
        connection.execute(
            "UPDATE decision SET body = CAST(replace(body, 'Dan', 'Don') AS BLOB)"
            " WHERE stream = 'table:1' AND sequence = 3"
        )
    with pytest.raises(JournalError, match="Decision 3 of table:1 was changed"):
        export(copy)


@given(st.dictionaries(st.text(), st.integers() | st.text(), max_size=4))
def test_both_write_lines_alike(entry: dict[str, Any]) -> None:
    assert verifier.canonical(entry) == encode_canonical(entry) + b"\n"


# Tampering with the file


def found(content: bytes, path: Path) -> bool:
    """Tell whether the seal of an export is broken; verification reports just that."""
    path.write_bytes(content)
    return bool(at_once(ExportReader(path).findings()))


def at_once(answer: Coroutine[object, object, list[Finding]]) -> list[Finding]:
    """Return the result of a coroutine that waits for nothing; a loop would take longer."""
    try:
        answer.send(None)
    except StopIteration as ended:
        found_: list[Finding] = ended.value
        return found_
    message = "it waits for something"
    raise AssertionError(message)


def assert_found(content: bytes, path: Path) -> None:
    """Check that verification, and the verifier that shares no code, find a change."""
    assert found(content, path)
    assert not verified(path).holds
    assert verifier.check(content.splitlines(keepends=True))


def changes(content: bytes, place: int) -> Iterator[bytes]:
    """Yield an export with one byte changed: a bit, the case of a letter, another byte."""
    byte = content[place]
    other = random.Random(SEED + place).randrange(1, 256)
    for new in {byte ^ 1, byte ^ 32, (byte + other) % 256} - {byte}:
        yield content[:place] + bytes([new]) + content[place + 1 :]


def test_a_changed_byte_is_found(exported: Path, tmp_path: Path) -> None:
    content = exported.read_bytes()
    head = content.rindex(b"\n", 0, -1) + 1
    places = random.Random(SEED).sample(range(len(content)), 60)
    for place in (0, *places, *range(head, len(content), 17), len(content) - 1):
        for changed in changes(content, place):
            assert_found(changed, tmp_path / "changed.jsonl")


@pytest.mark.exhaustive
def test_every_changed_byte_is_found(exported: Path, tmp_path: Path) -> None:
    content = exported.read_bytes()
    for place in range(len(content)):
        for changed in changes(content, place):
            assert found(changed, tmp_path / "changed.jsonl"), place


def test_deleted_swapped_and_inserted_lines_are_found(exported: Path, tmp_path: Path) -> None:
    lines = exported.read_bytes().splitlines(keepends=True)
    path = tmp_path / "changed.jsonl"
    draw = random.Random(SEED)
    for place in (*range(0, len(lines), 3), len(lines) - 1):
        assert_found(b"".join(lines[:place] + lines[place + 1 :]), path)
        other = draw.choice([one for one in range(len(lines)) if one != place])
        swapped = list(lines)
        swapped[place], swapped[other] = lines[other], lines[place]
        assert_found(b"".join(swapped), path)
        inserted = [*lines[:place], lines[other], *lines[place:]]
        assert_found(b"".join(inserted), path)
    assert_found(b"".join([*lines, lines[-1]]), path)
    assert_found(b"".join([*lines, b"\n"]), path)


@pytest.mark.exhaustive
def test_every_deletion_swap_and_insertion_is_found(exported: Path, tmp_path: Path) -> None:
    lines = exported.read_bytes().splitlines(keepends=True)
    path = tmp_path / "changed.jsonl"
    for place in range(len(lines)):
        assert found(b"".join(lines[:place] + lines[place + 1 :]), path)
        for other in range(len(lines)):
            if place < other:
                swapped = list(lines)
                swapped[place], swapped[other] = lines[other], lines[place]
                assert found(b"".join(swapped), path), (place, other)
            inserted = [*lines[:place], lines[other], *lines[place:]]
            assert found(b"".join(inserted), path), (place, other)


def test_a_cut_off_export_is_found(exported: Path, tmp_path: Path) -> None:
    content = exported.read_bytes()
    for length in (*random.Random(SEED).sample(range(1, len(content)), 30), len(content) - 1):
        if content[:length].startswith(b'{"content":'):
            assert_found(content[:length], tmp_path / "changed.jsonl")


# Tables


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_an_export_as_tables_holds_and_every_change_is_found(
    form: str, journal: Path, tmp_path: Path
) -> None:
    folder = write(journal, tmp_path / "tables", form)
    files = sorted(path.name for path in folder.iterdir())
    names = ["balances", "decisions", "postings"]
    assert files == sorted(["head.json", *(f"{name}.{form}" for name in names)])
    assert verified(folder, *checkpoints_of(journal)).holds
    assert verified(folder).decisions == verified(journal).decisions
    draw = random.Random(SEED)
    for path in folder.iterdir():
        content = path.read_bytes()
        for place in draw.sample(range(len(content)), 8):
            path.write_bytes(
                content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]
            )
            assert not holds(folder), (path.name, place)
        path.unlink()
        assert not holds(folder)
        path.write_bytes(content)
    (folder / "more.txt").write_text("?", encoding="utf-8")
    assert not holds(folder)


def test_a_row_shows_who_asked_for_what_and_what_came_of_it(
    journal: Path, tmp_path: Path
) -> None:
    folder = write(journal, tmp_path / "tables", "csv")
    with (folder / "decisions.csv").open(encoding="utf-8", newline="") as file:
        rows_ = list(csv.DictReader(file))
    opened = next(row for row in rows_ if row["command"] == "open_table")
    names = ("actor_kind", "actor_name", "position", "acting", "approver", "refusal")
    assert [opened[name] for name in names] == ["staff", "Mia", "Pit Manager", "", "", ""]
    assert json.loads(opened["events"])[0]["type"] == "table_opened"
    refused = next(row for row in rows_ if row["refusal"])
    assert (refused["actor_kind"], refused["actor_name"]) == ("patron", "ann")
    assert (refused["refusal"], refused["events"]) == ("not_enough_credit", "")
    assert refused["sentence"].endswith(".")


@pytest.mark.parametrize("column", ["actor_name", "position", "events", "refusal", "sequence"])
def test_a_column_that_says_other_than_its_body_is_found_when_signed_again(
    column: str, journal: Path, tmp_path: Path
) -> None:
    folder = write(journal, tmp_path / "tables", "csv")
    path = folder / "decisions.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows_ = list(csv.DictReader(file))
    rows_[3][column] = "7"
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, list(rows_[0]), lineterminator="\n")
        out.writeheader()
        out.writerows(rows_)
    head = msgspec.json.decode((folder / "head.json").read_bytes(), type=FolderHead)
    signer = Signer.once()
    files = {**head.files, path.name: digest_of_file(path)}
    head = msgspec.structs.replace(head, files=files, key=signer.public, signature="")
    head = msgspec.structs.replace(head, signature=signer.sign(head.signed()))
    (folder / "head.json").write_bytes(encode_canonical(head) + b"\n")
    (finding,) = verified(folder).findings
    assert "stands in other columns than in its body" in finding.sentence


def write(journal: Path, folder: Path, form: str) -> Path:
    async def sheets() -> None:
        async with SqliteReader(journal) as reader:
            await write_sheets(reader, folder, Signer.once(), form)

    asyncio.run(sheets())
    return folder


def holds(folder: Path) -> bool:
    """Tell whether an export of tables holds; a head that cannot be read is refused."""
    try:
        return verified(folder).holds
    except JournalError:
        return False


def test_tables_are_not_written_over(journal: Path, tmp_path: Path) -> None:
    folder = write(journal, tmp_path / "tables", "csv")
    with pytest.raises(JournalError, match=r"There is .*/tables already"):
        write(journal, folder, "csv")
    assert [path.name for path in tmp_path.iterdir()] == ["tables"]
    assert verified(folder).holds
