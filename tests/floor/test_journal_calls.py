"""The journal over a real server: who reads it, what it shows, and that it can be verified."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import time
from contextlib import closing
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from croupier.journal.checkpoints import Checkpoint, Signer
from croupier.journal.codec import encode_canonical
from croupier.journal.export import HeadLine, signed_head
from croupier.journal.told import START, Told
from tests.cli.run import run
from tests.floor.guarding import UNLIMITED, code_of, house

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.floor.guarding import Door

AUDITS = ("auditor", "surveillance")
OTHERS = (
    None,
    "patron-01",
    "dealer",
    "pit-manager",
    "gaming-shift-manager",
    "cashier",
    "technician",
    "administrator",
    "bare",
)
PATHS = (
    "/journal/streams",
    "/journal/streams/cage/decisions",
    "/journal/checkpoints",
    "/journal/verifications",
    "/journal/export?stream=accounts",
)
SEAT = {"type": "take_seat", "position": 3}


@pytest.fixture(scope="module")
def door() -> Iterator[Door]:
    """Serve a house in which something was done and something refused."""
    with house(settings=UNLIMITED) as one:
        assert one.order("patron-01", "tiger", SEAT).status_code == 200
        assert one.order("patron-02", "tiger", {**SEAT, "position": 99}).status_code == 409
        cash = {"type": "cash_out", "cents": 100_00}
        one.cashed = one.order("patron-03", "cage", cash).json()  # type: ignore[attr-defined]
        limits = {"type": "set_clocks", "clocks": {"betting_ms": 2000}, "reason": "busy"}
        assert one.order("pit-manager", "tiger", limits).status_code == 200
        yield one


def read(door: Door, path: str) -> Any:  # noqa: ANN401  # JSON
    answer = door.get("auditor", path)
    assert answer.status_code == 200, answer.text
    return answer.json()


# Who may


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("name", [*AUDITS, *OTHERS], ids=str)
def test_who_reads_the_journal(door: Door, name: str | None, path: str) -> None:
    answer = door.get(name, path)
    if name is None:
        assert (answer.status_code, code_of(answer)) == (401, "unauthenticated")
    elif name in AUDITS:
        assert answer.status_code == 200
    else:
        assert (answer.status_code, code_of(answer)) == (403, "forbidden")


@pytest.mark.parametrize("name", OTHERS, ids=str)
def test_who_may_not_have_it_verified(door: Door, name: str | None) -> None:
    answer = door.http.post("/journal/verifications", headers=door.headers(name))
    assert answer.status_code == (401 if name is None else 403)


# Streams and decisions


def test_streams_end_where_the_journal_does(door: Door) -> None:
    found = read(door, "/journal/streams")
    heads = {one["name"]: one for one in found["streams"]}
    assert {name: one["decisions"] for name, one in heads.items()} == door.heads()
    assert found["decisions"] == sum(door.heads().values())
    assert (heads["cage"]["kind"], heads["table:tiger"]["kind"]) == ("cage", "table")
    assert all(one["signed"] <= one["decisions"] for one in heads.values())
    newest = read(door, "/journal/streams/cage/decisions?limit=1")["decisions"][0]
    assert newest["hash"] == heads["cage"]["hash"]


def test_a_decision_says_who_asked_for_what_and_what_came_of_it(door: Door) -> None:
    found = read(door, "/journal/streams/table:tiger/decisions")["decisions"]
    by_command = {one["command"]["type"]: one for one in found}
    set_ = by_command["set_clocks"]
    assert set_["by"] == {"kind": "staff", "position": "Pit Manager", "name": "pit-manager"}
    assert set_["command"]["content"]["reason"] == "busy"
    assert "decision_recorded" in [event["name"] for event in set_["events"]]
    refused, taken = [one for one in found if one["command"]["type"] == "take_seat"]
    assert (taken["accepted"], taken["refusal"]) == (True, None)
    assert taken["events"][0]["name"] == "seat_taken"
    assert (refused["accepted"], refused["refusal"]["code"]) == (False, "unknown_position")
    assert refused["events"] == []


def test_decisions_come_page_by_page_and_by_kind(door: Door) -> None:
    path = "/journal/streams/cage/decisions"
    numbers: list[int] = []
    before = ""
    while True:
        page = read(door, f"{path}?limit=7{before}")
        numbers += [one["sequence"] for one in page["decisions"]]
        if page["before"] is None:
            break
        before = f"&before={page['before']}"
    assert numbers == list(range(door.heads()["cage"], 0, -1))
    openers = read(door, f"{path}?kind=set_opener")["decisions"]
    assert len(openers) == len(door.get(None, "/tables").json())
    by_event = read(door, f"{path}?kind=table_opener_set")["decisions"]
    assert by_event == openers
    assert openers[0]["approved_by"]["name"] == "cage-supervisor"
    refused = read(door, "/journal/streams/table:tiger/decisions?kind=refused")["decisions"]
    assert [one["accepted"] for one in refused] == [False]
    assert code_of(door.get("auditor", "/journal/streams/nowhere/decisions")) == "not_found"


def test_what_proves_a_ticket_is_in_no_answer(door: Door) -> None:
    cashed = door.cashed  # type: ignore[attr-defined]
    pay = {"type": "pay_ticket", "ticket": cashed["ticket"], "validation": "WRONG"}
    assert door.order("cashier", "cage", pay).status_code == 409
    for path in (
        "/journal/streams/cage/decisions",
        "/journal/export",
        "/journal/export?form=csv",
    ):
        text = door.get("auditor", path).text
        assert cashed["ticket"] in text
        assert cashed["validation"] not in text
        lines = text.splitlines()
        if len(lines) > 1:
            lines.pop()  # the head has a digest of its own
        assert "digest" not in "".join(lines)
        assert '"validation":' not in text


# Checkpoints


def test_checkpoints_follow_one_another(door: Door) -> None:
    found = read(door, "/journal/checkpoints?limit=2")
    assert found, "a start signs"
    numbers = [one["number"] for one in found]
    assert numbers == sorted(numbers, reverse=True)
    assert all(one["key"] == read(door, "/journal/streams")["key"] for one in found)
    assert read(door, f"/journal/checkpoints?before={numbers[-1]}&limit=200") == [
        one
        for one in read(door, "/journal/checkpoints?limit=200")
        if one["number"] < numbers[-1]
    ]
    assert read(door, "/journal/checkpoints?before=0") == []


# Verification


def test_the_journal_is_verified_beside_play(door: Door) -> None:
    headers = door.headers("auditor")
    begun = door.http.post("/journal/verifications", headers=headers)
    assert begun.status_code == 202, begun.text
    number = begun.json()["number"]
    assert (begun.json()["state"], begun.json()["by"]) == ("running", "auditor")
    again = door.http.post("/journal/verifications", headers=headers)
    assert (again.status_code, code_of(again)) == (503, "busy")
    end = time.monotonic() + 60
    while (one := read(door, f"/journal/verifications/{number}"))["state"] == "running":
        assert time.monotonic() < end
        time.sleep(0.1)
    assert one["state"] == "done", one
    result = one["result"]
    assert (result["holds"], result["findings"]) == (True, [])
    assert result["decisions"] == one["decisions"] == one["decisions_done"]
    assert one["ended"] > one["began"]
    streams = {s["name"]: s["verified"] for s in read(door, "/journal/streams")["streams"]}
    assert streams == result["heads"]
    assert read(door, "/journal/verifications")[0]["number"] == number
    assert code_of(door.get("auditor", "/journal/verifications/99")) == "not_found"


def spoil(journal: Path, stream: str, sequence: int) -> None:
    """Change a decision behind the back of the house, and hide how."""
    with closing(sqlite3.connect(journal, timeout=10)) as file:
        query = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        triggers = file.execute(query).fetchall()
        for name, _ in triggers:
            file.execute(f"DROP TRIGGER {name}")
        query = "SELECT body FROM decision WHERE stream = ? AND sequence = ?"
        ((body,),) = file.execute(query, (stream, sequence))
        row = (body.replace(b'"epoch":1', b'"epoch":2'), stream, sequence)
        file.execute("UPDATE decision SET body = ? WHERE stream = ? AND sequence = ?", row)
        for _, sql in triggers:
            file.execute(sql)
        file.commit()


def test_what_was_changed_is_found() -> None:
    with house(settings=UNLIMITED) as door:
        door.order("patron-01", "tiger", SEAT)
        spoil(door.folder / "house" / "journal.sqlite", "table:tiger", 1)
        begun = door.http.post("/journal/verifications", headers=door.headers("auditor"))
        path = f"/journal/verifications/{begun.json()['number']}"
        while (one := read(door, path))["state"] == "running":
            time.sleep(0.1)
        assert one["result"]["holds"] is False
        assert one["result"]["findings"][0]["stream"] == "table:tiger"
        assert {s["verified"] for s in read(door, "/journal/streams")["streams"]} == {None}


# Export


def test_an_export_ends_with_a_head_that_was_signed(door: Door) -> None:
    answer = door.get("auditor", "/journal/export")
    assert answer.headers["content-disposition"].startswith('attachment; filename="journal-')
    *lines, last = answer.content.splitlines(keepends=True)
    head = msgspec.json.decode(last, type=HeadLine)
    assert head.holds
    assert head.key == read(door, "/journal/streams")["key"]
    assert head.lines == len(lines)
    assert head.digest == sha256(b"".join(lines)).hexdigest()
    read_ = [json.loads(line) for line in lines]
    assert {name: sequence for name, (sequence, _) in head.heads.items()} == door.heads()
    assert len(read_) == sum(door.heads().values())
    (one,) = read(door, "/journal/streams/cage/decisions?limit=1")["decisions"]
    assert {"kind": "decision", **one} in read_


@pytest.fixture
def told(door: Door, tmp_path: Path) -> Path:
    """Return an export of the page, as a file."""
    file = tmp_path / "journal.ndjson"
    file.write_bytes(door.get("auditor", "/journal/export").content)
    return file


def test_croupier_verify_reads_what_the_page_exports(door: Door, told: Path) -> None:
    key = read(door, "/journal/streams")["key"]
    held = run("verify", str(told), "--signed-by", key, "--json").json
    assert held["holds"]
    assert {name: one["sequence"] for name, one in held["heads"].items()} == door.heads()
    assert held["signed_by"] == key
    assert "as they were told" in run("verify", str(told)).out
    refused = run("replay", str(told))
    assert refused.code != 0
    assert "only `croupier verify` reads it" in refused.err
    other = run("verify", str(told), "--signed-by", "ab" * 32)
    assert (other.code, "signed by another key" in other.out) == (1, True)


def test_every_changed_byte_of_what_the_page_exports_is_found(told: Path) -> None:
    whole = told.read_bytes()
    lines = whole.splitlines(keepends=True)
    places = [*range(0, len(whole), len(whole) // 40), len(whole) - 3]
    for place in places:
        told.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert Told(told).findings, (place, whole[max(0, place - 20) : place + 20])
    changes = {
        "a line less": [*lines[:3], *lines[4:]],
        "cut off": lines[:-1],
        "twice": [*lines[:2], *lines[1:]],
        "behind the head": [*lines, lines[0]],
    }
    for what, changed in changes.items():
        told.write_bytes(b"".join(changed))
        assert run("verify", str(told)).code == 1, what


def test_what_the_page_exports_is_held_against_checkpoints(door: Door, told: Path) -> None:
    seen = {name: (head, "ab" * 32) for name, head in door.heads().items()}
    found = Told(told, checkpoints=[Checkpoint(7, "", seen, "")]).findings
    assert {one.sentence for one in found} == {"Checkpoint 7 has seen another decision here."}
    assert {one.stream for one in found} == set(seen)


def test_an_export_that_somebody_else_signed_is_not_the_houses(
    door: Door, told: Path, tmp_path: Path
) -> None:
    *lines, last = told.read_bytes().splitlines(keepends=True)
    head = msgspec.json.decode(last, type=HeadLine)
    forged = [lines[0].replace(b'"sequence":1', b'"sequence":1,"more":1'), *lines[1:]]
    signer = Signer.at(tmp_path / "other.key")
    digest = sha256(b"".join(forged)).hexdigest()
    signed = signed_head(head.heads, len(forged), digest, signer)
    told.write_bytes(b"".join(forged) + encode_canonical(signed) + b"\n")
    alone = run("verify", str(told))
    assert (alone.code, signer.public in alone.out) == (0, True)
    assert "that this is the house's key, --signed-by or --checkpoints says" in alone.out
    (checkpoints,) = door.folder.rglob("checkpoints")
    against = run("verify", str(told), "--checkpoints", str(checkpoints))
    assert (against.code, "signed by another key" in against.out) == (1, True)


def test_what_cannot_be_read_in_an_export_of_the_page_is_found(
    told: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "checkpoints"
    broken.mkdir()
    (broken / "checkpoint-00000001.json").write_bytes(b"{}")
    found = run("verify", str(told), "--checkpoints", str(broken))
    assert (found.code, "does not hold" in found.out, found.err) == (1, True, "")
    told.write_bytes(START + b'"a":' + b"[" * 200_000 + b"]" * 200_000 + b"}\n")
    deep = run("verify", str(told))
    assert (deep.code, "is no line of an export" in deep.out) == (1, True)


def test_an_export_as_csv_says_the_same(door: Door) -> None:
    answer = door.get("auditor", "/journal/export?form=csv&stream=table:tiger")
    assert answer.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    *decisions, last = rows
    assert len(decisions) == door.heads()["table:tiger"]
    assert {row["kind"] for row in decisions} == {"decision"}
    assert last["kind"] == "head"
    head = msgspec.json.decode(last["content"], type=HeadLine)
    body = answer.content[: answer.content.rindex(b"head,")]
    assert head.holds
    assert head.digest == sha256(body).hexdigest()
    refused = [row for row in decisions if row["accepted"] == "no"]
    assert refused[0]["refusal_code"] == "unknown_position"
    assert code_of(door.get("auditor", "/journal/export?stream=nowhere")) == "not_found"
    assert code_of(door.get("auditor", "/journal/export?form=pdf")) == "not_readable"
