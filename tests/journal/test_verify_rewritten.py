"""Somebody who writes hashes anew: the chain fits, and still what it claims does not hold."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from croupier.journal.decision import Record, chain
from croupier.journal.memory import MemoryStore
from croupier.journal.verify import verify
from croupier.rulebooks import RULEBOOKS
from tests.journal.casino import (
    Casino,
    built,
    bypassed,
    checkpoints_of,
    copied,
    open_house,
    verified,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Body = dict[str, Any]
OTHER_RELEASE = "0.0.9+0123456789abcdef"


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("casino"))


@pytest.fixture
def copy(journal: Path, tmp_path: Path) -> Path:
    return copied(journal, tmp_path)


def rewrite(
    journal: Path, text: str, change: Callable[[Body], None], *, drop: bool = False
) -> tuple[str, int]:
    """Change the first decision that has a text, and chain all that follow it anew.

    Postings stay as they are. Return the stream and the sequence.
    """
    with bypassed(journal) as connection:
        query = (
            "SELECT stream, sequence FROM decision WHERE instr(body, CAST(? AS BLOB)) > 0"
            " ORDER BY stream, sequence"
        )
        stream, start = connection.execute(query, (text,)).fetchone()
        query = (
            "SELECT place, sequence, body, hash FROM decision WHERE stream = ?"
            " AND sequence >= ? ORDER BY sequence"
        )
        rows = connection.execute(query, (stream, start - 1)).fetchall()
        hash_before, sequence = bytes(32), start
        if start > 1:
            hash_before = rows.pop(0)[3]
        for number, (place, _, raw, _) in enumerate(rows):
            body = json.loads(raw)
            if not number:
                if drop:
                    connection.execute("DELETE FROM decision WHERE place = ?", (place,))
                    continue
                change(body)
            body["sequence"] = sequence
            written = json.dumps(
                body, sort_keys=True, separators=(",", ":"), ensure_ascii=False
            ).encode()
            hash_before = chain(hash_before, written)
            actor = f"{body['actor']['kind']}:{body['actor']['name']}"
            connection.execute(
                "UPDATE decision SET sequence = ?, command_id = ?, actor = ?, body = ?,"
                " hash = ? WHERE place = ?",
                (sequence, body["command_id"], actor, written, hash_before, place),
            )
            sequence += 1
    return stream, start


def event_of(body: Body, name: str) -> Body:
    found: Body = next(one for one in body["events"] if one["type"] == name)
    return found


def paid_more(body: Body) -> None:
    event_of(body, "wagers_settled")["lines"][0]["won_cents"] += 100


def another_drawn(body: Body) -> None:
    """Another face came out of the shoe, and lies at the table."""
    other = "AS" if body["house"]["drawn"][0] != "AS" else "2S"
    body["house"]["drawn"] = [other]
    for event in body["events"]:
        if "card" in event:
            event["card"] = other
    for opening_ in body["house"].get("openings", ()):
        opening_["card"] = other


def another_exposed(body: Body) -> None:
    event = event_of(body, "card_exposed")
    event["card"] = "AS" if event["card"] != "AS" else "2S"


def another_number_drawn(body: Body) -> None:
    event_of(body, "card_drawn")["number"] += 1


def another_root(body: Body) -> None:
    body["house"]["seal"]["root"] = "00" * 32


def another_opened(body: Body) -> None:
    one = body["house"]["openings"][0]
    one["card"] = "AS" if one["card"] != "AS" else "2S"


def another_salt(body: Body) -> None:
    body["house"]["openings"][0]["salt"] = "00" * 16


def another_number(body: Body) -> None:
    body["house"]["openings"][0]["number"] += 1


def not_opened(body: Body) -> None:
    del body["house"]["openings"]


def swapped_cards(body: Body) -> None:
    cards = body["house"]["ended"]["cards"]
    one, two = sorted(cards)[:2]
    cards[one], cards[two] = cards[two], cards[one]


def fewer_cards(body: Body) -> None:
    body["house"]["ended"]["cards"].popitem()


def shoe_not_opened(body: Body) -> None:
    del body["house"]["ended"]


def no_refund(body: Body) -> None:
    event_of(body, "round_voided")["refunds"] = []


def another_phase(body: Body) -> None:
    body["house"]["interruption"]["phase"] = "DEALING"


def not_interrupted(body: Body) -> None:
    del body["house"]
    del body["events"][1:]


def more_cents(body: Body) -> None:
    """More is staked, and asked for."""
    body["command"]["cents"] += 100
    event_of(body, "wager_placed")["cents"] += 100


def more_cents_placed(body: Body) -> None:
    event_of(body, "wager_placed")["cents"] += 100


def another_transfer(body: Body) -> None:
    body["command"]["transfer"] = "to-9"
    event_of(body, "credit_brought")["transfer"] = "to-9"


def another_received(body: Body) -> None:
    body["command"]["transfer"] = body["events"][0]["transfer"] = "to-9"


def for_another_decision(body: Body) -> None:
    body["command_id"] = f"receive-{'00' * 32}"


def more_bought(body: Body) -> None:
    body["command"]["cents"] += 100
    body["events"][0]["cents"] += 100


def unknown_field(body: Body) -> None:
    body["nonsense"] = 1


def unknown_field_in_command(body: Body) -> None:
    body["command"]["nonsense"] = 1


def a_version(body: Body) -> None:
    body["versions"] = {"bets_closed": 2}


def another_release(body: Body) -> None:
    body["release"] = OTHER_RELEASE


def another_release_announced(body: Body) -> None:
    body["release"] = OTHER_RELEASE
    event_of(body, "started")["release"] = body["release"]


def release_not_announced(body: Body) -> None:
    event_of(body, "started")["release"] = OTHER_RELEASE


def earlier(body: Body) -> None:
    body["moment"] = "2020-01-01T00:00:00.000000Z"


def loose_moment(body: Body) -> None:
    body["moment"] = body["moment"].replace("Z", "+00:00")


def epoch_later(body: Body) -> None:
    body["epoch"] += 1


def other_starter(body: Body) -> None:
    body["actor"] = {"kind": "staff", "name": "Eve", "position": "Dealer"}


def by_a_dealer(body: Body) -> None:
    body["actor"]["position"] = "Dealer"


def by_a_patron(body: Body) -> None:
    body["actor"] = {"kind": "patron", "name": "eve"}


def unnamed(body: Body) -> None:
    """Let staff ask without naming the accounts."""
    del body["house"]


def as_of_nothing(body: Body) -> None:
    body["house"]["facts"]["accounts"]["sequence"] = 1_000


def before_he_came(body: Body) -> None:
    """Name a decision of the accounts when this person had no account yet."""
    body["house"]["facts"]["accounts"]["sequence"] = 1


def as_of_before(body: Body) -> None:
    """Name an older decision than before, of the same position."""
    body["house"]["facts"]["accounts"]["sequence"] -= 1


def acting(body: Body) -> None:
    """Let somebody act in a position that nobody gave to them."""
    period = {"since": "2026-01-01T00:00:00Z", "until": "2026-01-02T00:00:00Z"}
    body["actor"]["acting"] = {"position": "Gaming Shift Manager", **period}


def approved_by_another(body: Body) -> None:
    body["approver"]["name"] = "Ada"


def named_by_a_patron(body: Body) -> None:
    body["house"] = {"facts": {"accounts": {"sequence": 3, "values": {}}}}


def by_nobody(body: Body) -> None:
    body["actor"]["kind"] = "wizard"


def patron_with_position(body: Body) -> None:
    body["actor"]["position"] = "Pit Manager"


def done_instead(body: Body) -> None:
    del body["refusal"]


def another_code(body: Body) -> None:
    body["refusal"]["code"] = "no_round"


def another_clause(body: Body) -> None:
    body["refusal"]["clause"] = "BAC8 9.9"


def other_words(body: Body) -> None:
    body["refusal"]["sentence"] = "No: " + body["refusal"]["sentence"]


def refused_instead(body: Body) -> None:
    body["events"] = []
    body["refusal"] = {"code": "wrong_phase", "sentence": "No.", "clause": None}


def known_unasked(body: Body) -> None:
    """Let the house look into the shoe while nobody draws."""
    body.setdefault("house", {})["drawn"] = ["AS"]


def fact_unasked(body: Body) -> None:
    fact = {"sequence": 1, "values": {"tray": 1, "box": 0}}
    body["house"]["facts"]["table:1"] = fact


REWRITTEN: list[tuple[str, Callable[[Body], None], str]] = [
    ('"wagers_settled"', paid_more, "decision"),
    ('"card_exposed"', another_exposed, "decision"),
    ('"card_drawn"', another_drawn, "shoe"),
    ('"card_drawn"', another_number_drawn, "decision"),
    ('"root"', another_root, "shoe"),
    ('"openings"', another_opened, "shoe"),
    ('"openings"', another_salt, "shoe"),
    ('"openings"', another_number, "house"),
    ('"openings"', not_opened, "house"),
    ('"ended"', swapped_cards, "shoe"),
    ('"ended"', fewer_cards, "shoe"),
    ('"ended"', shoe_not_opened, "house"),
    ('"round_voided"', no_refund, "decision"),
    ('"interruption"', another_phase, "house"),
    ('"interruption"', not_interrupted, "house"),
    ('"wager_placed"', more_cents, "postings"),
    ('"wager_placed"', more_cents_placed, "decision"),
    ('"credit_brought"', another_transfer, "transfer"),
    ('"received_from_table"', another_received, "transfer"),
    ('"received_from_table"', for_another_decision, "transfer"),
    ('"bought_in"', more_bought, "postings"),
    ('"bets_closed"', unknown_field, "content"),
    ('"bets_closed"', unknown_field_in_command, "content"),
    ('"bets_closed"', a_version, "content"),
    ('"bets_closed"', another_release, "release"),
    ('"started"', another_release_announced, "release"),
    ('"started"', release_not_announced, "release"),
    ('"bets_closed"', earlier, "moment"),
    ('"bets_closed"', loose_moment, "moment"),
    ('"bets_closed"', epoch_later, "epoch"),
    ('"started"', other_starter, "epoch"),
    ('"table_opened"', by_a_dealer, "position"),
    ('"table_opened"', by_a_patron, "position"),
    ('"bets_closed"', unnamed, "position"),
    ('"table_opened"', as_of_nothing, "position"),
    ('"table_opened"', before_he_came, "position"),
    ('"table_opened"', acting, "position"),
    ('"bets_closed"', as_of_before, "position"),
    ('"table_opener_set"', approved_by_another, "position"),
    ('"wager_placed"', named_by_a_patron, "position"),
    ('"table_opened"', by_nobody, "decision"),
    ('"wager_placed"', patron_with_position, "decision"),
    ('"refusal"', done_instead, "decision"),
    ('"refusal"', another_code, "decision"),
    ('"refusal"', another_clause, "decision"),
    ('"refusal"', other_words, "decision"),
    ('"bets_closed"', refused_instead, "decision"),
    ('"bets_closed"', known_unasked, "house"),
    ('"bought_in"', fact_unasked, "house"),
]


@pytest.mark.parametrize(
    ("text", "change", "kind"),
    REWRITTEN,
    ids=[f"{one[0]}-{one[1].__name__}" for one in REWRITTEN],
)
def test_what_the_decisions_claim_is_computed_again(
    text: str, change: Callable[[Body], None], kind: str, copy: Path
) -> None:
    """All hashes fit, and still the claim does not hold."""
    stream, sequence = rewrite(copy, text, change)
    done = verified(copy)
    assert not done.holds
    finding = done.findings[0]
    assert finding.kind == kind, finding
    assert finding.stream == stream
    assert finding.sequence >= sequence


def repeated(body: Body) -> None:
    body["command_id"] = "start-1"
    body["actor"] = {"kind": "system", "name": "house"}


async def test_a_command_is_decided_once_in_a_stream(tmp_path: Path) -> None:
    """No database stands between: the same identification twice is found by itself."""
    memory = MemoryStore()
    casino = Casino(memory, tmp_path)
    await casino.start()
    await open_house(casino)
    await casino.close()
    records = memory._records["cage"]  # noqa: SLF001  # past the store
    last = records[-1]
    body = json.loads(last.body)
    repeated(body)
    body["sequence"] += 1
    raw = json.dumps(body, sort_keys=True, separators=(",", ":")).encode()
    digest = chain(last.hash, raw)
    records.append(Record("cage", last.sequence + 1, "start-1", "system:house", raw, digest))
    (finding,) = (await verify(memory, RULEBOOKS)).findings
    assert (finding.sequence, finding.kind) == (last.sequence + 1, "command")


def nothing(_: Body) -> None:
    """Leave it as it is."""


def test_a_refusal_that_was_removed_is_found_by_the_checkpoints(
    journal: Path, copy: Path
) -> None:
    """All that follows is numbered and chained anew; a checkpoint has seen it otherwise."""
    stream, _ = rewrite(copy, '"refusal"', nothing, drop=True)
    findings = verified(copy, *checkpoints_of(journal)).findings
    assert "checkpoint" in [one.kind for one in findings if one.stream in (stream, "")]


def test_a_refusal_that_was_cut_out_is_found(copy: Path) -> None:
    with bypassed(copy) as connection:
        statement = "DELETE FROM decision WHERE instr(body, CAST('\"refusal\"' AS BLOB)) > 0"
        assert connection.execute(statement).rowcount > 0
    assert verified(copy).findings[0].kind == "chain"


def test_what_a_table_gave_up_binds_the_cage_to_its_history(copy: Path) -> None:
    """The cage names the decision by its hash, so a table written anew is found by it."""
    rewrite(copy, '"refusal"', nothing, drop=True)
    assert [one.kind for one in verified(copy).findings] == ["transfer"]


def test_decisions_of_another_release_that_differ_are_listed_apart(copy: Path) -> None:
    """A whole epoch of another release: what it decided otherwise is no fault by itself."""

    def relabelled(body: Body) -> None:
        body["release"] = OTHER_RELEASE
        for event in body["events"]:
            if event["type"] == "started":
                event["release"] = body["release"]

    with bypassed(copy) as connection:
        rows = connection.execute(
            "SELECT place, body FROM decision WHERE stream = 'table:1' ORDER BY sequence"
        ).fetchall()
        before = bytes(32)
        for place, raw in rows:
            body = json.loads(raw)
            relabelled_events = body.setdefault("events", [])
            relabelled(body)
            if not relabelled_events:
                del body["events"]
            if "refusal" in body:
                other_words(body)
            written = json.dumps(
                body, sort_keys=True, separators=(",", ":"), ensure_ascii=False
            ).encode()
            before = chain(before, written)
            connection.execute(
                "UPDATE decision SET body = ?, hash = ? WHERE place = ?",
                (written, before, place),
            )
    done = verified(copy)
    assert [one.kind for one in done.findings] == ["transfer"]  # its hashes are others
    assert done.otherwise == []  # a sentence may differ between two releases
    rewrite(copy, '"refusal"', another_code)
    done = verified(copy)
    assert [one.kind for one in done.findings] == ["transfer"]
    (other,) = done.otherwise
    assert (other.stream, other.kind) == ("table:1", "decision")
    assert "not no_round" in other.sentence


def renamed(body: Body) -> None:
    body["command"]["holder"] = event_of(body, "started")["holder"] = "another"


def test_what_the_cage_sent_binds_its_tables_to_its_history(copy: Path) -> None:
    """Everything fits but the name of a holder, and all hashes after it."""
    rewrite(copy, '"stream":"cage"', renamed)
    assert {one.kind for one in verified(copy).findings} == {"transfer"}


def test_a_history_that_was_written_anew_is_found_by_the_checkpoints(
    journal: Path, copy: Path
) -> None:
    """Nothing that this table gave up arrived elsewhere: no other stream knows its hashes."""
    stream, _ = rewrite(copy, '"stream":"table:2"', renamed)
    assert verified(copy).holds
    findings = verified(copy, *checkpoints_of(journal)).findings
    assert (findings[0].stream, findings[0].kind) == (stream, "checkpoint")
    assert "has seen another decision here" in findings[0].sentence
