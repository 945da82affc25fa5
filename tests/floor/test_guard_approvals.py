"""Approvals over the API: a second person approves exactly one command, once, soon."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.floor.guarding import UNLIMITED, code_of, command, hear, house, new_key, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.floor.guarding import Door

FILL = {"type": "fill_table", "table": "tiger", "cents": 10_000}


@pytest.fixture(scope="module")
def door() -> Iterator[Door]:
    with house(settings=UNLIMITED) as one:
        yield one


def approved(
    door: Door, body: dict[str, Any] = FILL, by: str = "cage-supervisor", where: str = "cage",
    of: str = "cashier",
) -> str:  # fmt: skip
    answer = door.approve(by, where, body, of)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["approval"])


def test_a_command_that_needs_a_second_person_has_one(door: Door) -> None:
    alone = door.order("cashier", "cage", FILL)
    assert (alone.status_code, code_of(alone)) == (409, "needs_approval")
    done = door.order("cashier", "cage", FILL, approval=approved(door))
    assert done.status_code == 200, done.text


def test_it_is_used_once_and_the_same_key_finds_it_again(door: Door) -> None:
    token, key = approved(door), new_key()
    first = door.order("cashier", "cage", FILL, key, approval=token)
    heads = door.heads()
    again = door.order("cashier", "cage", FILL, key, approval=token)
    assert first.status_code == again.status_code == 200
    assert first.json()["sequence"] == again.json()["sequence"]
    other = door.order("cashier", "cage", FILL, approval=token)
    assert (other.status_code, code_of(other)) == (403, "bad_approval")
    assert door.heads() == heads, "nothing was done twice"


def test_a_key_that_was_decided_gets_its_answer_whatever_approval_comes(door: Door) -> None:
    token, key = approved(door), new_key()
    first = door.order("cashier", "cage", FILL, key, approval=token)
    assert first.status_code == 200, first.text
    heads, other = door.heads(), {**FILL, "cents": 10_001}
    for wrong in ("nobody-gave-this", approved(door, other)):
        again = door.order("cashier", "cage", FILL, key, approval=wrong)
        assert (again.status_code, again.json()) == (200, first.json())
    differs = door.order("cashier", "cage", other, key, approval=token)
    assert (differs.status_code, code_of(differs)) == (409, "other_command")
    with door.live("cashier") as live:
        answer = command(live, "cage", FILL, id=key, approval="nobody-gave-this")
        assert (answer["accepted"], answer["sequence"]) == (True, first.json()["sequence"])
    assert door.heads() == heads
    fresh = door.order("cashier", "cage", FILL, approval="nobody-gave-this")
    assert (fresh.status_code, code_of(fresh)) == (403, "bad_approval")


@pytest.mark.parametrize(
    ("name", "where", "body"),
    [
        ("cashier", "cage", {**FILL, "cents": 10_001}),
        ("cashier", "cage", {**FILL, "table": "baccarat"}),
        ("cashier", "cage", {"type": "credit_table", "table": "tiger", "cents": 10_000}),
        ("cage-supervisor", "cage", FILL),
        ("pit-manager", "tiger", {"type": "close_table"}),
    ],
    ids=["amount", "table", "command", "person", "place"],
)
def test_it_is_for_nothing_else(
    door: Door, name: str, where: str, body: dict[str, Any]
) -> None:
    token = approved(door, by="pit-supervisor")
    heads = door.heads()
    answer = door.order(name, where, body, approval=token)
    assert (answer.status_code, code_of(answer)) == (403, "bad_approval"), answer.text
    assert door.heads() == heads
    assert door.order("cashier", "cage", FILL, approval=token).status_code == 200


def test_the_same_key_gives_the_same_answer_without_the_approval(door: Door) -> None:
    key = new_key()
    first = door.order("cashier", "cage", FILL, key, approval=approved(door))
    again = door.order("cashier", "cage", FILL, key)
    assert (first.status_code, again.status_code) == (200, 200), again.text
    assert again.json() == first.json()


CORRECT = {"type": "correct_card", "position": "P2", "reason": "misread"}


@pytest.mark.parametrize(
    ("approves", "sends"),
    [({}, ["AS"]), ({"cards": ["AS"]}, ["KS"]), ({"cards": ["AS"]}, []), ({"die": 3}, ["AS"])],
    ids=["no face", "another face", "without its face", "a die"],
)
def test_a_face_that_comes_with_a_command_is_approved_with_it(
    door: Door, approves: dict[str, Any], sends: list[str]
) -> None:
    issued = door.approve("pit-supervisor", "baccarat", CORRECT, "pit-manager", **approves)
    assert issued.status_code == 201, issued.text
    token, heads = issued.json()["approval"], door.heads()
    answer = door.order("pit-manager", "baccarat", CORRECT, approval=token, cards=sends)
    assert (answer.status_code, code_of(answer)) == (403, "bad_approval"), answer.text
    assert door.heads() == heads
    same = door.approve("pit-supervisor", "baccarat", CORRECT, "pit-manager", cards=sends)
    token = same.json()["approval"]
    taken = door.order("pit-manager", "baccarat", CORRECT, approval=token, cards=sends)
    assert code_of(taken) != "bad_approval", "the table decides, whatever it says"


def test_nobody_approves_their_own_command(door: Door) -> None:
    answer = door.approve("cashier", "cage", FILL, "cashier")
    assert (answer.status_code, code_of(answer)) == (403, "self_approval")


@pytest.mark.parametrize("name", ["patron-01", "bare"])
def test_only_staff_in_a_position_approve(door: Door, name: str) -> None:
    answer = door.approve(name, "cage", FILL, "cashier")
    assert (answer.status_code, code_of(answer)) == (403, "forbidden")


@pytest.mark.parametrize("name", ["dealer", "technician", "auditor"])
def test_a_position_that_is_too_low_is_for_the_cage_to_refuse(door: Door, name: str) -> None:
    heads = door.heads()
    answer = door.order("cashier", "cage", FILL, approval=approved(door, by=name))
    assert (answer.status_code, code_of(answer)) == (409, "approver_too_low")
    assert answer.json()["sequence"] == heads["cage"] + 1


def test_it_ends_after_two_minutes(door: Door) -> None:
    young, old = approved(door), approved(door)
    door.ask("pass_by", seconds=118)
    assert door.order("cashier", "cage", FILL, approval=young).status_code == 200
    door.ask("pass_by", seconds=3)
    answer = door.order("cashier", "cage", FILL, approval=old)
    assert (answer.status_code, code_of(answer)) == (403, "bad_approval")


def test_it_ends_with_the_session_of_its_giver(door: Door) -> None:
    token = approved(door, by="second-manager")
    bearer = door.headers("second-manager")
    assert door.http.delete("/sessions/current", headers=bearer).status_code == 204
    door.forget("second-manager")
    answer = door.order("cashier", "cage", FILL, approval=token)
    assert (answer.status_code, code_of(answer)) == (403, "bad_approval")


def test_a_token_that_nobody_gave(door: Door) -> None:
    heads = door.heads()
    for token in ("", "x", "x" * 43, "\N{SNOWMAN}", "x" * 10_000):
        answer = door.order("cashier", "cage", FILL, approval=token)
        assert (answer.status_code, code_of(answer)) == (403, "bad_approval")
    assert door.heads() == heads


def test_over_a_socket_and_the_order_of_commands(door: Door) -> None:
    """A command that needs no approval waits for the one before it, which has one."""
    token = approved(door)
    with door.live("cashier") as live:
        say(live, type="command", id="first", table="cage", command=FILL, approval=token)
        say(live, type="command", id="second", table="cage", command=FILL)
        say(live, type="command", id="third", table="cage", command=FILL, approval=token)
        say(live, type="command", id="fourth", table="cage", command=FILL)
        answers = {one["id"]: one for one in (hear(live, "answer") for _ in range(4))}
        assert answers["first"]["accepted"]
        assert answers["second"]["problem"]["code"] == "needs_approval"
        assert answers["third"]["problem"]["code"] == "bad_approval"
        assert answers["third"]["sequence"] is None
        assert answers["fourth"]["problem"]["code"] == "needs_approval"
        sequences = [answers[one]["sequence"] for one in ("first", "second", "fourth")]
        assert sequences == sorted(sequences), "decided in the order sent"
        again = command(live, "cage", FILL, id="first", approval=token)
        assert again["sequence"] == answers["first"]["sequence"]
