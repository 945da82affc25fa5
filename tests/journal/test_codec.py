"""The codec: names of our own, canonical bodies, and fields that change by a version only.

``kinds_golden.json`` holds the fields of every version of every command and event, and those
of the decision around them. When one changes, give it a new version in
``croupier.journal.codec`` with an upcast from the old one, and run
``python -m tests.journal.test_codec`` to add the new version. Old ones stay as they are; only
while nobody keeps a journal yet may ``--anew`` write them all again.
"""

from __future__ import annotations

import ast
import asyncio
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from msgspec import inspect

from croupier.cage import events as cage
from croupier.journal import codec, release
from croupier.journal.codec import (
    COMMANDS,
    EVENTS,
    UPCASTS,
    VERSIONS,
    decode,
    encode_canonical,
)
from croupier.journal.decision import Decision, House, Person, encode, read
from croupier.journal.errors import JournalError
from croupier.journal.memory import MemoryStore
from croupier.table import commands as c
from croupier.table import events as e
from tests.floor.rounds import SCRIPTS, Life, People

if TYPE_CHECKING:
    from collections.abc import Iterator

GOLDEN = Path(__file__).with_name("kinds_golden.json")
TYPES = {**EVENTS, **COMMANDS}
AROUND = {"house": House, "person": Person}
"""What a decision has beside its command and events."""
PLAIN: dict[type[Any], str] = {
    inspect.StrType: "text",
    inspect.IntType: "number",
    inspect.BoolType: "yes or no",
    inspect.NoneType: "nothing",
    inspect.DateTimeType: "moment",
}


# The fields of all events


def described(kind: Any, enums: dict[str, list[object]]) -> object:  # noqa: ANN401
    """Describe what a field holds; the values of enumerations are collected apart."""
    if type(kind) in PLAIN:
        return PLAIN[type(kind)]
    if isinstance(kind, inspect.EnumType):
        enums[kind.cls.__name__] = [member.value for member in kind.cls]
        return kind.cls.__name__
    if isinstance(kind, inspect.UnionType):
        return sorted((described(one, enums) for one in kind.types), key=json.dumps)
    if isinstance(kind, inspect.StructType):
        return fields_of(kind, enums)
    return several(kind, enums)


def several(kind: Any, enums: dict[str, list[object]]) -> object:  # noqa: ANN401
    if isinstance(kind, inspect.VarTupleType):
        return {"list of": described(kind.item_type, enums)}
    if isinstance(kind, inspect.TupleType):
        return {"tuple of": [described(one, enums) for one in kind.item_types]}
    assert isinstance(kind, inspect.DictType), kind
    return {"by text": described(kind.value_type, enums)}


def fields_of(kind: inspect.StructType, enums: dict[str, list[object]]) -> dict[str, object]:
    return {
        field.encode_name + ("" if field.required else "?"): described(field.type, enums)
        for field in kind.fields
    }


def now() -> tuple[dict[str, object], dict[str, list[object]]]:
    """Return the fields of all events as they are today, and the values they may have."""
    enums: dict[str, list[object]] = {}
    events: dict[str, object] = {}
    for name, kind in sorted({**TYPES, **AROUND}.items()):
        info = inspect.type_info(kind)
        assert isinstance(info, inspect.StructType)
        events[name] = fields_of(info, enums)
    return events, dict(sorted(enums.items()))


def golden() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(GOLDEN.read_text(encoding="utf-8"))
    return document


def version(name: str) -> int:
    return VERSIONS.get(name, 1)


def test_a_ticket_of_the_time_before_tickets_expired_never_does() -> None:
    old = b'{"type":"cashed_out","ticket":"7","patron":"ann","cents":500,"digest":"d"}'
    assert decode("cashed_out", 1, old) == cage.CashedOut("7", "ann", 5_00, "d", None)


def test_a_ticket_of_the_time_before_it_said_where_it_was_printed_says_nowhere() -> None:
    old = (
        b'{"type":"cashed_out","ticket":"7","patron":"ann","cents":500,"digest":"d",'
        b'"expires":null}'
    )
    read = decode("cashed_out", 2, old)
    assert read == cage.CashedOut("7", "ann", 5_00, "d", None, None, None)


def test_no_name_is_lost_and_none_is_new() -> None:
    """A stored journal needs every name that ever was."""
    assert sorted(golden()["kinds"]) == sorted({**TYPES, **AROUND})


@pytest.mark.parametrize("name", sorted({**TYPES, **AROUND}))
def test_fields_change_by_a_new_version_only(name: str) -> None:
    known = golden()["kinds"][name]
    events, _ = now()
    newest = version(name)
    assert [int(one) for one in known] == list(range(1, newest + 1))
    assert known[str(newest)] == json.loads(json.dumps(events[name])), (
        f"{name} changed: give it a new version and an upcast"
    )
    for old in range(1, newest):
        assert (name, old) in UPCASTS


def test_values_are_only_added() -> None:
    """A value that a journal may hold stays one that can be read."""
    _, enums = now()
    for name, values in golden()["values"].items():
        assert set(map(str, values)) <= set(map(str, enums[name])), name


def test_names_are_our_own() -> None:
    assert len(TYPES) == len(EVENTS) + len(COMMANDS)
    for name, kind in TYPES.items():
        assert re.fullmatch("[a-z]+(_[a-z]+)*", name)
        assert kind.__struct_config__.tag == name
    assert {name for name, _ in UPCASTS} <= VERSIONS.keys()


# Bodies


def example(kind: Any) -> Any:  # noqa: ANN401
    """Return a value of a kind, as JSON has it."""
    if type(kind) in EXAMPLES:
        return EXAMPLES[type(kind)]
    if isinstance(kind, inspect.EnumType):
        return list(kind.cls)[-1].value
    if isinstance(kind, inspect.UnionType):
        chosen = [one for one in kind.types if not isinstance(one, inspect.NoneType)]
        return example(chosen[0])
    if isinstance(kind, inspect.StructType):
        fields = {field.encode_name: example(field.type) for field in kind.fields}
        return fields | ({kind.tag_field: kind.tag} if kind.tag_field else {})
    return examples(kind)


def examples(kind: Any) -> Any:  # noqa: ANN401
    if isinstance(kind, inspect.VarTupleType):
        return [example(kind.item_type)] * 2
    if isinstance(kind, inspect.TupleType):
        return [example(one) for one in kind.item_types]
    assert isinstance(kind, inspect.DictType), kind
    return {"b": example(kind.value_type), "a": example(kind.value_type)}


EXAMPLES: dict[type[Any], object] = {
    inspect.StrType: "Zo\u00eb \u2603",
    inspect.IntType: 12_345,
    inspect.BoolType: True,
    inspect.NoneType: None,
    inspect.DateTimeType: "2026-01-01T12:00:00.000001+08:00",
}


@pytest.mark.parametrize("name", sorted(TYPES))
def test_every_kind_comes_back_as_it_was(name: str) -> None:
    event = msgspec.convert(example(inspect.type_info(TYPES[name])), TYPES[name], strict=False)
    body = encode_canonical(event)
    assert decode(name, version(name), body) == event
    assert type(decode(name, version(name), body)) is TYPES[name]
    written = json.dumps(
        json.loads(body), sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    assert body == written.encode(), "canonical: keys in order, no spaces, UTF-8"
    assert json.loads(body)["type"] == name


@pytest.mark.parametrize("name", ["baccarat", "tiger", "power-98"])
def test_what_a_journal_holds_is_written_canonically(name: str) -> None:
    async def bodies() -> list[bytes]:
        store = MemoryStore()
        await People(SCRIPTS[name]).play(await Life(store).start())
        return [record.body for record in await store.read("table:1")]

    kept = asyncio.run(bodies())
    assert len(kept) > 20
    for body in kept:
        assert encode(read(body)) == body
        written = json.dumps(
            json.loads(body), sort_keys=True, separators=(",", ":"), ensure_ascii=False
        )
        assert body == written.encode()


def wrong() -> Iterator[tuple[str, int, bytes, str]]:
    body = b'{"round":1,"type":"round_closed"}'
    yield "no_such_event", 1, body, "A 'no_such_event' of version 1 is not known here."
    yield "round_closed", 2, body, "A 'round_closed' of version 2 is not known here."
    yield "round_closed", 0, body, "A 'round_closed' of version 0 is not known here."
    unreadable = "The body of a 'round_closed' cannot be read: "
    yield "round_closed", 1, b"", unreadable
    yield "round_closed", 1, b"[]", unreadable
    yield "round_closed", 1, b"\xff", unreadable
    yield "round_closed", 1, b'{"type":"round_closed"}', unreadable
    yield "round_closed", 1, b'{"round":1.5,"type":"round_closed"}', unreadable
    yield "round_closed", 1, b'{"round":1,"type":"bets_opened"}', unreadable
    yield "round_closed", 1, b'{"round":1,"more":1,"type":"round_closed"}', unreadable
    yield "round_closed", 1, b'{"round":1,"type":"round_closed"}x', unreadable
    yield "round_closed", 1, b"[" * 100_000, unreadable


@pytest.mark.parametrize(("name", "number", "body", "sentence"), list(wrong()), ids=range(12))
def test_what_cannot_be_read_is_said_in_a_sentence(
    name: str, number: int, body: bytes, sentence: str
) -> None:
    with pytest.raises(JournalError) as error:
        decode(name, number, body)
    assert str(error.value).startswith(sentence)
    assert str(error.value).endswith(".")
    assert not str(error.value).endswith("..")


def test_old_bodies_are_brought_up_to_today(monkeypatch: pytest.MonkeyPatch) -> None:
    """Version 1 counted from nought under another name, version 2 from nought."""
    monkeypatch.setitem(VERSIONS, "round_closed", 3)

    def renamed(fields: dict[str, Any]) -> dict[str, Any]:
        return {"round": fields["number"], "type": fields["type"]}

    def counted(fields: dict[str, Any]) -> dict[str, Any]:
        return fields | {"round": fields["round"] + 1}

    monkeypatch.setitem(UPCASTS, ("round_closed", 1), renamed)
    monkeypatch.setitem(UPCASTS, ("round_closed", 2), counted)
    assert decode("round_closed", 1, b'{"number":6,"type":"round_closed"}') == e.RoundClosed(7)
    assert decode("round_closed", 2, b'{"round":6,"type":"round_closed"}') == e.RoundClosed(7)
    assert decode("round_closed", 3, b'{"round":7,"type":"round_closed"}') == e.RoundClosed(7)
    with pytest.raises(JournalError, match="cannot be read: 'number'"):
        decode("round_closed", 1, b'{"round":6,"type":"round_closed"}')
    monkeypatch.delitem(UPCASTS, ("round_closed", 2))
    with pytest.raises(JournalError, match="cannot be read"):
        decode("round_closed", 1, b'{"number":6,"type":"round_closed"}')


def decision(**changes: Any) -> Decision:  # noqa: ANN401
    values: dict[str, Any] = {
        "stream": "table:1",
        "sequence": 7,
        "epoch": 2,
        "release": "0.1.0+0",
        "moment": "2026-01-01T00:00:00.000000Z",
        "command_id": "c",
        "actor": Person("patron", "ann"),
        "command": c.CallBets(),
        "events": (e.RoundClosed(7),),
    }
    return Decision(**(values | changes))


def test_old_decisions_are_brought_up_to_today(monkeypatch: pytest.MonkeyPatch) -> None:
    """A body without versions is of version 1, whatever today's is."""
    old = encode(decision())
    monkeypatch.setitem(VERSIONS, "round_closed", 2)
    with pytest.raises(JournalError, match="cannot be read"):
        read(old)
    monkeypatch.setitem(
        UPCASTS, ("round_closed", 1), lambda fields: fields | {"round": fields["round"] + 1}
    )
    assert read(old).events == (e.RoundClosed(8),)
    new = encode(decision(versions={"round_closed": 2}))
    assert read(new).events == (e.RoundClosed(7),)
    monkeypatch.setitem(VERSIONS, "call_bets", 2)
    monkeypatch.setitem(UPCASTS, ("call_bets", 1), lambda fields: fields)
    assert read(new).events == (e.RoundClosed(7),)
    later = encode(decision(versions={"round_closed": 3}))
    with pytest.raises(JournalError, match="of version 3 is not known here"):
        read(later)


def test_versions_are_written_only_where_they_are_not_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from croupier.journal.decision import versions_in  # noqa: PLC0415

    events = (e.RoundClosed(7), e.SeatLeft("ann"))
    assert versions_in(c.CallBets(), events) == {}
    monkeypatch.setitem(codec.VERSIONS, "seat_left", 2)
    assert versions_in(c.CallBets(), events) == {"seat_left": 2}
    assert versions_in(c.CallBets(), events[:1]) == {}


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b"\xff", b"[" * 100_000])
def test_a_decision_that_cannot_be_read_is_said_in_a_sentence(body: bytes) -> None:
    with pytest.raises(JournalError, match=r"^A decision cannot be read: "):
        read(body)


def write(*, anew: bool) -> None:
    """Add new events and new versions to the golden file; what is there stays."""
    document = golden() if GOLDEN.exists() and not anew else {"kinds": {}, "values": {}}
    events, enums = now()
    for name, fields in events.items():
        document["kinds"].setdefault(name, {}).setdefault(str(version(name)), fields)
    document["kinds"] = dict(sorted(document["kinds"].items()))
    document["values"] = enums
    GOLDEN.write_text(
        json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )


# The release


def imported(path: Path) -> set[Path]:
    """Return the modules of the package that a module needs to run."""
    package, found = release.PACKAGE, set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("croupier"):
            parts = str(node.module).split(".")[1:]
            names = [[*parts, alias.name] for alias in node.names] + [parts]
            for name in names:
                file = package.joinpath(*name).with_suffix(".py") if name else package
                if file.is_file():
                    found.add(file)
    return found


def test_the_release_covers_all_code_that_decides() -> None:
    """Whatever takes part in a decision and is not in the digest could change unseen."""
    package = release.PACKAGE
    seen: set[Path] = set()
    left = [package / "journal" / name for name in ("tables.py", "cages.py")]
    while left:
        path = left.pop()
        if path not in seen:
            seen.add(path)
            left += imported(path)
    outside = {"journal/errors.py", "clauses.py"}
    covered = [package / one for one in release.DECIDING]
    names = {
        path.relative_to(package).as_posix()
        for path in seen
        if not any(path == one or one in path.parents for one in covered)
    }
    assert names <= outside, "add them to DECIDING"


if __name__ == "__main__":
    write(anew="--anew" in sys.argv)
