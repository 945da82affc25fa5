"""Exports: canonical, whole, signed; and every change of one is found."""

from __future__ import annotations

import ast
import asyncio
import json
import random
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from croupier.journal.record import encode_canonical
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from croupier import verifier
from croupier.journal.backup import back_up
from croupier.journal.checkpoints import Signer
from croupier.journal.export import (
    ExportReader,
    HeadLine,
    decode_line,
    signed_head,
    write_lines,
)
from croupier.journal.opening import open_reader
from croupier.journal.reader import SqliteReader
from croupier.journal.sheets import write_sheets
from croupier.journal.sqlite import SqliteStore
from croupier.journal.store import MAY_BE_NEGATIVE, JournalError
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
from tests.journal.casino import DECKS, built, bypassed, checkpoints_of, copied, verified

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator

    from croupier.journal.reader import Finding

SEED = 5


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("casino"))


@pytest.fixture(scope="module")
def exported(journal: Path) -> Path:
    path = journal.with_name("export.jsonl")
    path.write_bytes(export(journal))
    return path


def export(journal: Path, signer: Signer | None = None, *, sealed: bool = False) -> bytes:
    async def write() -> bytes:
        parts: list[bytes] = []
        async with SqliteReader(journal) as reader:
            await write_lines(reader, parts.append, signer or Signer.once(), sealed=sealed)
        return b"".join(parts)

    return asyncio.run(write())


def kinds(content: bytes) -> list[str]:
    return [json.loads(line)["kind"] for line in content.splitlines()]


# What an export is


def test_an_export_is_a_header_the_whole_journal_and_a_signed_head(exported: Path) -> None:
    lines = exported.read_bytes().splitlines(keepends=True)
    order = list(dict.fromkeys(kinds(b"".join(lines))))
    assert order == ["header", "record", "posting", "answer", "balance", "head"]
    assert len([kind for kind in kinds(b"".join(lines)) if kind == "head"]) == 1
    head = json.loads(lines[-1])
    assert set(head["heads"]) == {"cage", "table:1", "table:2"}
    assert head["lines"] == len(lines) - 1
    assert verified(exported).holds
    assert verifier.check(lines) == []


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
        assert b"shoe_sealed" in content, name
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
            "UPDATE record SET moment = 'x' WHERE stream = 'table:1' AND sequence = 3"
        )
    with pytest.raises(JournalError, match="Record 3 of table:1 was changed"):
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


# Tampering by somebody who signs again


def resigned(lines: list[bytes]) -> bytes:
    """Sign changed lines anew, as somebody who has a key of their own could."""
    import hashlib  # noqa: PLC0415  # here alone

    heads: dict[str, tuple[int, str]] = {}
    for line in lines:
        entry = json.loads(line)
        if entry["kind"] == "record":
            heads[entry["stream"]] = (entry["sequence"], entry["hash"])
    digest = hashlib.sha256(b"".join(lines)).hexdigest()
    head = signed_head(heads, len(lines), digest, Signer.once())
    return b"".join(lines) + encode_canonical(head) + b"\n"


def edited(line: bytes, name: str) -> bytes:
    """Change one field of a line to another value of its kind, written as it should be."""
    entry = json.loads(line)
    value = entry[name]
    if isinstance(value, int):
        entry[name] = value + 1
    elif name in ("hash", "previous"):
        entry[name] = ("0" if value[0] != "0" else "1") + value[1:]
    elif name == "body":
        entry[name] = value.replace(":", ": ", 1)
    elif name == "result":
        entry[name] = '{"clause":null,"code":"bad_amount","sentence":"No."}'
    else:
        entry[name] = f"{value}x"
    return verifier.canonical(entry)


FREE = {"kind", "digest"}
"""What says which line it is; and the digest of a command, which only checkpoints cover."""


def edits(lines: list[bytes]) -> list[tuple[int, str]]:
    """Return every field of every line that a verifier must find changed without a key."""
    found_: list[tuple[int, str]] = []
    for place, line in enumerate(lines):
        entry = json.loads(line)
        if entry["kind"] == "header" or (entry["kind"] == "balance" and not entry["cents"]):
            continue
        refusal = entry["kind"] == "answer" and entry["result"] != "null"
        free = FREE | ({"actor", "command", "result"} if refusal else set())
        found_ += [(place, name) for name in sorted(entry.keys() - free)]
    return found_


def assert_edit_found(lines: list[bytes], place: int, name: str, path: Path) -> None:
    changed = [*lines[:place], edited(lines[place], name), *lines[place + 1 :]]
    path.write_bytes(resigned(changed))
    assert asyncio.run(ExportReader(path).findings()) == [], "signed as it is"
    assert not verified(path).holds, (name, lines[place])


def test_a_change_is_found_even_when_it_is_signed_again(exported: Path, tmp_path: Path) -> None:
    lines = exported.read_bytes().splitlines(keepends=True)[:-1]
    for place, name in random.Random(SEED).sample(edits(lines), 150):
        assert_edit_found(lines, place, name, tmp_path / "resigned.jsonl")


@pytest.mark.exhaustive
def test_every_change_is_found_even_when_it_is_signed_again(
    exported: Path, tmp_path: Path
) -> None:
    """Every field of every record, posting and balance, and of answers that did something."""
    lines = exported.read_bytes().splitlines(keepends=True)[:-1]
    every = edits(lines)
    assert len(every) > 700
    for place, name in every:
        assert_edit_found(lines, place, name, tmp_path / "resigned.jsonl")


def test_the_first_record_that_does_not_hold_is_named(exported: Path, tmp_path: Path) -> None:
    lines = exported.read_bytes().splitlines(keepends=True)[:-1]
    place = next(
        place
        for place, line in enumerate(lines)
        if b'"kind":"record"' in line and b'"sequence":4,"stream":"table:1"' in line
    )
    path = tmp_path / "resigned.jsonl"
    path.write_bytes(
        resigned([*lines[:place], edited(lines[place], "body"), *lines[place + 1 :]])
    )
    first = verified(path).findings[0]
    assert (first.stream, first.sequence, first.kind) == ("table:1", 4, "chain")


def test_records_deleted_or_swapped_are_found_even_when_signed_again(
    exported: Path, tmp_path: Path
) -> None:
    lines = exported.read_bytes().splitlines(keepends=True)[:-1]
    path = tmp_path / "resigned.jsonl"
    records = [place for place, line in enumerate(lines) if b'"kind":"record"' in line]
    for place, following in pairwise(records):
        path.write_bytes(resigned(lines[:place] + lines[place + 1 :]))
        assert not verified(path).holds
        swapped = list(lines)
        swapped[place], swapped[following] = lines[following], lines[place]
        path.write_bytes(resigned(swapped))
        assert not verified(path).holds


def test_an_answer_that_was_signed_again_is_found_by_the_checkpoints(
    journal: Path, exported: Path, tmp_path: Path
) -> None:
    """What only checkpoints cover: the digest of a command, and everything of a refusal."""
    lines = exported.read_bytes().splitlines(keepends=True)[:-1]
    checkpoints = checkpoints_of(journal)
    path = tmp_path / "resigned.jsonl"
    path.write_bytes(resigned(lines))
    assert verified(path, *checkpoints).holds
    tried = 0
    for place, line in enumerate(lines):
        entry = json.loads(line)
        if (
            entry["kind"] != "answer"
            or entry["first"] > checkpoints[-1].heads[entry["stream"]][0]
        ):
            continue
        for name in ("digest", "result", "command"):
            changed = [*lines[:place], edited(line, name), *lines[place + 1 :]]
            path.write_bytes(resigned(changed))
            assert not verified(path, *checkpoints).holds, (name, line)
            tried += 1
        path.write_bytes(resigned(lines[:place] + lines[place + 1 :]))
        assert not verified(path, *checkpoints).holds, line
    assert tried > 60


def test_only_the_keys_one_trusts_are_accepted(exported: Path) -> None:
    head = decode_line(exported.read_bytes().splitlines()[-1])
    assert isinstance(head, HeadLine)
    other = Signer.once().public
    assert asyncio.run(ExportReader(exported, (other, head.key)).findings()) == []
    (finding,) = asyncio.run(ExportReader(exported, (other,)).findings())
    assert finding.sentence == "The export is signed by another key."
    with exported.open("rb") as file:
        assert verifier.check(file, other)[0].what == "the export is signed by another key"


# Tables


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_an_export_as_tables_holds_and_every_change_is_found(
    form: str, journal: Path, tmp_path: Path
) -> None:
    folder = write(journal, tmp_path / "tables", form)
    files = sorted(path.name for path in folder.iterdir())
    names = ["answers", "balances", "postings", "records"]
    assert files == sorted(["head.json", *(f"{name}.{form}" for name in names)])
    assert verified(folder, *checkpoints_of(journal)).holds
    assert verified(folder).records == verified(journal).records
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


# The verifier that shares no code


def test_the_verifier_imports_nothing_of_croupier() -> None:
    source = Path(verifier.__file__).read_text(encoding="utf-8")
    imported = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(source))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or "."]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported <= sys.stdlib_module_names | {"__future__"}


def test_the_verifier_runs_alone(exported: Path, tmp_path: Path) -> None:
    alone = tmp_path / "verifier.py"
    alone.write_bytes(Path(verifier.__file__).read_bytes())
    key = json.loads(exported.read_bytes().splitlines()[-1])["key"]

    def run(*arguments: object) -> tuple[int, str]:
        ended = subprocess.run(  # noqa: S603  # our own program
            [sys.executable, "-I", alone, *map(str, arguments)],
            capture_output=True,
            text=True,
            check=False,
        )
        return ended.returncode, ended.stdout

    code, said = run(exported, key)
    assert code == 0
    assert said.endswith(f"signed by {key}\nholds\n")
    assert run(exported, "00" * 32)[0] == 1
    broken = tmp_path / "broken.jsonl"
    broken.write_bytes(exported.read_bytes().replace(b"ann", b"amy", 1))
    code, said = run(broken)
    assert code == 1
    assert "its hash is not that of its content" in said
    assert run()[0] == 2


def test_the_verifier_knows_whose_accounts_may_be_negative() -> None:
    assert verifier.HOUSE == MAY_BE_NEGATIVE


@settings(max_examples=25)
@given(st.binary(max_size=100), st.integers(0, 511))
def test_both_read_signatures_alike(message: bytes, bit: int) -> None:
    signer = Signer.once()
    key, signature = bytes.fromhex(signer.public), bytes.fromhex(signer.sign(message))
    assert verifier.signature_holds(key, message, signature)
    wrong = bytearray(signature)
    wrong[bit // 8] ^= 1 << bit % 8
    assert not verifier.signature_holds(key, message, bytes(wrong))
    assert not verifier.signature_holds(key, message + b"x", signature)


@pytest.mark.parametrize(
    ("key", "message", "signature"),
    [  # RFC 8032, 7.1
        (
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            (
                "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
                "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
            ),
        ),
        (
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            (
                "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
            ),
        ),
    ],
)
def test_signatures_of_the_standard_hold(key: str, message: str, signature: str) -> None:
    values = [bytes.fromhex(text) for text in (key, message, signature)]
    assert verifier.signature_holds(*values)
    # The same signature with the order of the group added is written otherwise.
    scalar = int.from_bytes(values[2][32:], "little") + verifier.ORDER
    assert not verifier.signature_holds(
        values[0], values[1], values[2][:32] + scalar.to_bytes(32, "little")
    )
