"""How often somebody may do something, by a clock that a test moves."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.floor.door import ServerCode
from croupier.floor.rates import Allowance, Attempts, Rates, Room
from tests.floor.people import Hands
from tests.wording import is_one_sentence


@given(st.lists(st.tuples(st.integers(0, 400), st.sampled_from("ab")), max_size=40))
def test_no_name_fails_more_often_than_allowed_in_any_stretch(
    tries: list[tuple[int, str]],
) -> None:
    hands = Hands()
    attempts = Attempts(5, 900.0, hands.monotonic)
    failed: dict[str, list[float]] = {"a": [], "b": []}
    for seconds, name in tries:
        hands.pass_by(seconds)
        recent = [one for one in failed[name] if one > hands.seconds - 900]
        wait = attempts.wait_seconds(name.encode())
        assert (wait > 0) == (len(recent) == 5)
        if wait > 0:
            assert wait == recent[0] + 900 - hands.seconds
        else:
            attempts.failed(name.encode())
            failed[name].append(hands.seconds)


def test_failures_take_bounded_memory_and_the_oldest_go_first() -> None:
    hands = Hands()
    attempts = Attempts(1, 900.0, hands.monotonic, names=100)
    for number in range(250):
        hands.pass_by(1)
        attempts.failed(str(number).encode())
    assert len(attempts) == 100
    assert [attempts.wait_seconds(str(number).encode()) > 0 for number in (149, 150, 249)] == [
        False, True, True,
    ]  # fmt: skip
    hands.pass_by(900)
    attempts.failed(b"one")
    assert len(attempts) == 1


def test_messages_come_in_a_burst_and_then_evenly() -> None:
    hands = Hands()
    allowance = Allowance(Rates(messages_per_second=50, messages_burst=100), hands.monotonic)
    assert [allowance.message() for _ in range(100)] == [None] * 100
    refused = allowance.message()
    assert refused is not None
    assert refused.code is ServerCode.TOO_MANY
    assert refused.retry_seconds == 1
    assert is_one_sentence(refused.sentence)
    hands.pass_by(1.0)
    assert [allowance.message() for _ in range(50)] == [None] * 50
    assert allowance.message() is not None
    hands.pass_by(1000.0)
    assert [allowance.message() for _ in range(100)] == [None] * 100
    assert allowance.message() is not None, "the burst does not grow"


def test_a_session_is_refused_so_often_a_minute() -> None:
    hands = Hands()
    allowance = Allowance(Rates(refusals_per_minute=60), hands.monotonic)
    for number in range(60):
        assert allowance.begin() is Room.YES
        allowance.answered(f"key-{number}")
        hands.pass_by(0.5)
    assert allowance.begin() is Room.NO
    problem = allowance.no_room(Room.NO)
    assert problem.code is ServerCode.TOO_MANY
    assert problem.retry_seconds == 30
    assert is_one_sentence(problem.sentence)
    hands.pass_by(29.5)
    assert allowance.begin() is Room.NO
    hands.pass_by(0.5)
    assert allowance.begin() is Room.YES


def test_what_is_accepted_does_not_count() -> None:
    allowance = Allowance(Rates(refusals_per_minute=3), Hands().monotonic)
    for _ in range(100):
        assert allowance.begin() is Room.YES
        allowance.answered(None)


def test_a_refusal_that_is_told_again_counts_once() -> None:
    hands = Hands()
    allowance = Allowance(Rates(refusals_per_minute=3), hands.monotonic)
    for key in "aaaabbbbc":
        assert allowance.begin() is Room.YES
        allowance.answered(key)
        hands.pass_by(1)
    assert allowance.begin() is Room.NO
    assert allowance.no_room(Room.NO).retry_seconds == 60 - 9, "from when it was first told"


@given(st.lists(st.sampled_from(["begin", "accepted", "refused", "later"]), max_size=200))
def test_commands_that_come_at_once_are_not_refused_more_often(steps: list[str]) -> None:
    hands = Hands()
    allowance = Allowance(Rates(refusals_per_minute=3), hands.monotonic)
    recorded: list[float] = []
    begun = 0
    for number, step in enumerate(steps):
        if step == "begin":
            room = allowance.begin()
            if room is Room.WAIT:
                assert begun, "whoever waits is told when something is answered"
            begun += room is Room.YES
        elif step == "later":
            hands.pass_by(20)
        elif begun:
            begun -= 1
            allowance.answered(str(number) if step == "refused" else None)
            recorded += [hands.seconds] if step == "refused" else []
        assert len([one for one in recorded if one > hands.seconds - 60]) <= 3


@pytest.mark.parametrize(
    "wrong", [{"failed_logins": 0}, {"messages_burst": -1}, {"per_address": 5}]
)
def test_a_limit_that_makes_no_sense_is_not_read(wrong: dict[str, int]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, Rates)
