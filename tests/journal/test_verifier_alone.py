"""Exports that were signed again, and the verifier that shares no code."""

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

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier import verifier
from croupier.accounting import MAY_BE_NEGATIVE
from croupier.journal.checkpoints import Signer
from croupier.journal.codec import encode_canonical
from croupier.journal.decision import GENESIS, chain
from croupier.journal.export import (
    ExportReader,
    HeadLine,
    decode_line,
    signed_head,
)
from tests.journal.casino import checkpoints_of, verified
from tests.journal.exports import exported, exported_lines, journal

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.journal.checkpoints import Checkpoint

__all__ = ["exported", "exported_lines", "journal"]

SEED = 5


# Tampering by somebody who signs again


def resigned(lines: list[bytes]) -> bytes:
    """Sign changed lines anew, as somebody who has a key of their own could."""
    import hashlib  # noqa: PLC0415  # here alone

    heads: dict[str, tuple[int, str]] = {}
    for line in lines:
        entry = json.loads(line)
        if entry["kind"] == "decision":
            decision = entry["decision"]
            heads[decision["stream"]] = (decision["sequence"], entry["hash"])
    digest = hashlib.sha256(b"".join(lines)).hexdigest()
    head = signed_head(heads, len(lines), digest, Signer.once())
    return b"".join(lines) + encode_canonical(head) + b"\n"


def rechained(lines: list[bytes]) -> list[bytes]:
    """Compute every hash anew, as somebody could who writes a history of their own."""
    heads: dict[str, bytes] = {}
    new = []
    for line in lines:
        entry = json.loads(line)
        if entry["kind"] == "decision":
            stream, body = entry["decision"]["stream"], encode_canonical(entry["decision"])
            heads[stream] = chain(heads.get(stream, GENESIS), body)
            entry["hash"] = heads[stream].hex()
        new.append(verifier.canonical(entry))
    return new


def changed_value(value: Any, name: str) -> Any:  # noqa: ANN401  # as JSON has them
    """Return another value of the same kind."""
    if isinstance(value, int):
        return value + 1
    if isinstance(value, dict):
        first = min(value)
        return {**value, first: changed_value(value[first], first)}
    if isinstance(value, list):
        return value[:-1] or ["x"]
    if name == "hash":
        return ("0" if value[0] != "0" else "1") + value[1:]
    return f"{value}x"


def edited(line: bytes, name: str) -> bytes:
    """Change one field of a line to another value of its kind, written as it should be."""
    entry = json.loads(line)
    inside = entry["decision"] if name in entry.get("decision", {}) else entry
    inside[name] = changed_value(inside[name], name)
    return verifier.canonical(entry)


def edits(lines: list[bytes]) -> list[tuple[int, str]]:
    """Return every field of every line that a verifier must find changed without a key."""
    found_: list[tuple[int, str]] = []
    for place, line in enumerate(lines):
        entry = json.loads(line)
        if entry["kind"] == "header" or (entry["kind"] == "balance" and not entry["cents"]):
            continue
        names = (entry.keys() | entry.get("decision", {}).keys()) - {"kind", "decision"}
        found_ += [(place, name) for name in sorted(names)]
    return found_


def assert_edit_found(lines: list[bytes], place: int, name: str, path: Path) -> None:
    changed = [*lines[:place], edited(lines[place], name), *lines[place + 1 :]]
    path.write_bytes(resigned(changed))
    assert asyncio.run(ExportReader(path).findings()) == [], "signed as it is"
    assert not verified(path).holds, (name, lines[place])
    assert verifier.check(resigned(changed).splitlines(keepends=True)), (name, lines[place])


def test_a_change_is_found_even_when_it_is_signed_again(exported: Path, tmp_path: Path) -> None:
    lines = exported.read_bytes().splitlines(keepends=True)[:-1]
    for place, name in random.Random(SEED).sample(edits(lines), 150):
        assert_edit_found(lines, place, name, tmp_path / "resigned.jsonl")


@pytest.mark.exhaustive
def test_every_change_is_found_even_when_it_is_signed_again(
    exported: Path, tmp_path: Path
) -> None:
    """Every field of every decision, posting and balance."""
    lines = exported.read_bytes().splitlines(keepends=True)[:-1]
    every = edits(lines)
    assert len(every) > 500
    for place, name in every:
        assert_edit_found(lines, place, name, tmp_path / "resigned.jsonl")


def test_the_first_decision_that_does_not_hold_is_named(exported: Path, tmp_path: Path) -> None:
    lines = exported.read_bytes().splitlines(keepends=True)[:-1]
    place = next(
        place
        for place, line in enumerate(lines)
        if b'"kind":"decision"' in line and b'"sequence":4,"stream":"table:1"' in line
    )
    path = tmp_path / "resigned.jsonl"
    path.write_bytes(
        resigned([*lines[:place], edited(lines[place], "command"), *lines[place + 1 :]])
    )
    first = verified(path).findings[0]
    assert (first.stream, first.sequence, first.kind) == ("table:1", 4, "chain")


def test_decisions_deleted_or_swapped_are_found_even_when_signed_again(
    journal: Path, exported: Path, tmp_path: Path
) -> None:
    """Where a stream is cut off and nothing else knew its end, the checkpoints find it."""
    lines = exported.read_bytes().splitlines(keepends=True)[:-1]
    path = tmp_path / "resigned.jsonl"
    places = [place for place, line in enumerate(lines) if b'"kind":"decision"' in line]
    streams = [json.loads(line).get("decision", {}).get("stream") for line in lines]
    for place, following in pairwise(places):
        path.write_bytes(resigned(lines[:place] + lines[place + 1 :]))
        cut_off = streams[place] != streams[following] and following == place + 1
        checkpoints = checkpoints_of(journal) if cut_off else []
        assert not verified(path, *checkpoints).holds
        swapped = list(lines)
        swapped[place], swapped[following] = lines[following], lines[place]
        path.write_bytes(resigned(swapped))
        assert not verified(path).holds


@pytest.mark.parametrize("name", ["actor", "command", "command_id", "release", "refusal"])
def test_what_was_chained_and_signed_anew_is_found_by_the_checkpoints(
    name: str, journal: Path, exported: Path, tmp_path: Path
) -> None:
    """Whoever writes a whole history anew can make all of it fit, but not what was signed."""
    lines = exported.read_bytes().splitlines(keepends=True)[:-1]
    checkpoints = checkpoints_of(journal)
    path = tmp_path / "resigned.jsonl"
    path.write_bytes(resigned(rechained(lines)))
    assert verified(path, *checkpoints).holds
    tried = 0
    for place, line in enumerate(lines):
        decision = json.loads(line).get("decision", {})
        if name not in decision or decision["sequence"] > seen(checkpoints, decision):
            continue
        changed = [*lines[:place], edited(line, name), *lines[place + 1 :]]
        path.write_bytes(resigned(rechained(changed)))
        assert not verified(path, *checkpoints).holds, line
        tried += 1
    assert tried > (1 if name == "refusal" else 30)


def seen(checkpoints: list[Checkpoint], decision: dict[str, Any]) -> int:
    return checkpoints[-1].heads[decision["stream"]][0]


def without(lines: list[bytes], place: int) -> list[bytes]:
    """Remove a refusal, number what follows anew, and chain it."""
    gone = json.loads(lines[place])["decision"]
    new = []
    for line in (*lines[:place], *lines[place + 1 :]):
        entry = json.loads(line)
        inside = entry.get("decision", entry)
        if inside.get("stream") == gone["stream"] and inside["sequence"] > gone["sequence"]:
            inside["sequence"] -= 1
        new.append(verifier.canonical(entry))
    return rechained(new)


def test_a_refusal_that_was_removed_is_found_by_the_checkpoints(
    journal: Path, exported: Path, tmp_path: Path
) -> None:
    lines = exported.read_bytes().splitlines(keepends=True)[:-1]
    refused = [place for place, line in enumerate(lines) if b'"refusal":' in line]
    assert len(refused) >= 2
    path = tmp_path / "resigned.jsonl"
    for place in refused:
        path.write_bytes(resigned(without(lines, place)))
        assert not verified(path, *checkpoints_of(journal)).holds


# What the verifier that shares no code finds in a history that was written anew


REWRITTEN: list[tuple[str, str, Callable[[dict[str, Any]], object], str]] = [
    ("table:1", "start", lambda one: one.update(epoch=0), "epoch 0 follows epoch 0"),
    ("table:1", "call_bets", lambda one: one.update(epoch=7), "epoch 7 follows epoch 1"),
    ("table:1", "call_bets", lambda one: one.update(release="2"), "another release"),
    ("table:1", "call_bets", lambda one: one.update(moment="2020"), "before the last one"),
    ("table:1", "start", lambda one: one["events"].clear(), "without its release"),
    ("table:1", "call_bets", lambda one: one.update(refusal={}), "and something happened"),
    ("table:1", "close_bets", lambda one: one["actor"].update(kind="god"), "nobody"),
    ("table:1", "draw_card", lambda one: one["house"].pop("openings"), "are opened"),
    ("table:1", "end_shoe", lambda one: one["house"].pop("ended"), "is not opened"),
    (
        "table:1",
        "draw_card",
        lambda one: one["house"]["openings"][0].update(salt="00" * 16),
        "does not lead to the root",
    ),
    (
        "table:1",
        "load_shoe",
        lambda one: one["house"]["seal"].update(cards=10**30),
        "a shoe of 1000000000000000000000000000000 cards",
    ),
    (
        "table:1",
        "end_shoe",
        lambda one: one["house"]["ended"]["cards"].popitem(),
        "does not open exactly the cards that were left",
    ),
]


@pytest.mark.parametrize(
    ("stream", "command", "change", "words"), REWRITTEN, ids=lambda one: str(one)[:20]
)
def test_the_verifier_alone_finds_it_in_a_history_written_anew(
    stream: str, command: str, change: Callable[[dict[str, Any]], object], words: str,
    exported: Path,
) -> None:  # fmt: skip
    lines = [json.loads(line) for line in exported.read_bytes().splitlines()][:-1]
    one = next(
        line["decision"]
        for line in lines
        if line["kind"] == "decision"
        and (line["decision"]["stream"], line["decision"]["command"]["type"])
        == (stream, command)
    )
    change(one)
    content = resigned(rechained([verifier.canonical(line) for line in lines]))
    said = [str(found_) for found_ in verifier.check(content.splitlines(keepends=True))]
    assert any(words in sentence for sentence in said), said


def test_the_verifier_alone_finds_an_identification_used_twice(exported: Path) -> None:
    lines = [json.loads(line) for line in exported.read_bytes().splitlines()][:-1]
    own = [
        line["decision"]
        for line in lines
        if line["kind"] == "decision" and line["decision"]["actor"]["name"] == "Dan"
    ]
    own[3]["command_id"] = own[2]["command_id"]
    content = resigned(rechained([verifier.canonical(line) for line in lines]))
    said = [found_.what for found_ in verifier.check(content.splitlines(keepends=True))]
    assert said == [f"staff:Dan asked under {own[2]['command_id']} before"]


def test_the_verifier_alone_finds_money_that_was_not_there(exported: Path) -> None:
    lines = [json.loads(line) for line in exported.read_bytes().splitlines()][:-1]
    staked = next(line for line in lines if line.get("target") == "stakes:1")
    staked["cents"] += 10**9
    content = resigned([verifier.canonical(line) for line in lines])
    said = [found_.what for found_ in verifier.check(content.splitlines(keepends=True))]
    assert said[0] == f"account {staked['source']} falls below zero"
    assert f"account {staked['source']} does not hold what its postings give" in said


@settings(max_examples=300)
@given(st.data())
def test_the_verifier_alone_never_gives_up_with_a_traceback(
    exported_lines: list[bytes], data: st.DataObject
) -> None:
    """Any value of any field may become anything that JSON has."""
    lines = [json.loads(line) for line in exported_lines]
    place = data.draw(st.integers(0, len(lines) - 1))
    inside = lines[place]
    while True:
        keys = sorted(inside) if isinstance(inside, dict) else list(range(len(inside)))
        key = data.draw(st.sampled_from(keys))
        deeper = inside[key]
        if not isinstance(deeper, dict | list) or not deeper or data.draw(st.booleans()):
            break
        inside = deeper
    inside[key] = data.draw(ANYTHING)
    found_ = verifier.check([verifier.canonical(line) for line in lines])
    assert all(str(one) for one in found_)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just(2**70),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=4,
)


def test_only_the_keys_one_trusts_are_accepted(exported: Path) -> None:
    head = decode_line(exported.read_bytes().splitlines()[-1])
    assert isinstance(head, HeadLine)
    other = Signer.once().public
    assert asyncio.run(ExportReader(exported, (other, head.key)).findings()) == []
    (finding,) = asyncio.run(ExportReader(exported, (other,)).findings())
    assert finding.sentence == "The export is signed by another key."
    with exported.open("rb") as file:
        assert verifier.check(file, other)[0].what == "the export is signed by another key"


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
    assert "its hash is not that of its content and of the one before it" in said
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
