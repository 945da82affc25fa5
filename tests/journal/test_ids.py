"""Identifications: which are looked up before their command is decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from croupier.journal import ids
from croupier.journal.codec import Start
from croupier.journal.gathering import Reply
from croupier.journal.ids import AHEAD_MS, REMEMBERED_MS, Memory, made_ms
from croupier.table.commands import CallBets

if TYPE_CHECKING:
    from croupier.journal.store import Key

FEW = 10
ASKED = CallBets()


class Clock:
    """The time of the house, as a test sets it."""

    def __init__(self) -> None:
        self.ms = 1_700_000_000_000

    def __call__(self) -> int:
        return self.ms


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(ids, "now_ms", clock)
    monkeypatch.setattr(ids, "REMEMBERED", FEW)
    return clock


def uuid7(ms: int, number: int = 0) -> str:
    made = f"{ms:012x}"
    return f"{made[:8]}-{made[8:]}-7000-8000-{number:012x}"


def key(command_id: str) -> Key:
    return ("table:1", "patron:ann", command_id)


def add(memory: Memory, command_id: str) -> None:
    memory.add(key(command_id), (b"", Reply(1)), made_ms(command_id))


def is_new(memory: Memory, command_id: str) -> bool:
    """Tell whether a command would be decided without being looked up."""
    return not memory.has(key(command_id)) and memory.covers(made_ms(command_id), ASKED)


def test_only_a_uuid_of_the_right_time_is_not_looked_up(clock: Clock) -> None:
    memory = Memory()
    clock.ms += AHEAD_MS
    assert is_new(memory, uuid7(clock.ms))
    assert is_new(memory, uuid7(clock.ms + AHEAD_MS))
    assert not is_new(memory, uuid7(clock.ms + AHEAD_MS + 1))
    assert not is_new(memory, uuid7(clock.ms - 1))
    assert not is_new(memory, "bet-1")
    assert not is_new(memory, "018bcfe5-6800-4000-8000-000000000000"), "version 4"
    assert memory.covers(None, Start("house"))


def test_what_a_house_before_this_one_may_have_decided_is_looked_up(clock: Clock) -> None:
    """Its clocks may have been ahead, too, and this memory has nothing of it."""
    memory = Memory()
    assert not is_new(memory, uuid7(clock.ms))
    assert not is_new(memory, uuid7(clock.ms + AHEAD_MS - 1))


@pytest.mark.parametrize("ahead", [0, 1, AHEAD_MS // 2, AHEAD_MS])
@pytest.mark.parametrize("pause", [0, 1, 100, AHEAD_MS])
def test_no_command_is_new_twice(clock: Clock, ahead: int, pause: int) -> None:
    """However far ahead a clock is, however many others come between the two times."""
    memory = Memory()
    clock.ms += 2 * AHEAD_MS
    asked: list[str] = []
    for number in range(20 * FEW):
        own = uuid7(clock.ms + (ahead if number % 7 == 0 else 0), number)
        assert is_new(memory, own) or not memory.covers(made_ms(own), ASKED)
        add(memory, own)
        asked.append(own)
        clock.ms += pause
        assert not [one for one in asked if is_new(memory, one)]


def test_what_comes_now_is_not_looked_up_however_much_came_before(clock: Clock) -> None:
    memory = Memory()
    clock.ms += AHEAD_MS
    for number in range(20 * FEW):
        clock.ms += 1
        assert is_new(memory, uuid7(clock.ms, number))
        add(memory, uuid7(clock.ms, number))


def test_many_clocks_that_are_ahead_cost_memory_for_a_while_only(clock: Clock) -> None:
    memory = Memory()
    clock.ms += AHEAD_MS
    asked = []
    for number in range(20 * FEW):
        own = uuid7(clock.ms + AHEAD_MS, number)
        add(memory, own)
        asked.append(own)
        assert not [one for one in asked if is_new(memory, one)]
    kept = [one for one in asked if memory.has(key(one))]
    assert len(kept) <= 4 * FEW
    clock.ms += 3 * AHEAD_MS
    assert is_new(memory, uuid7(clock.ms)), "whose clock is right is not looked up for ever"


def test_an_answer_is_forgotten_after_two_generations_and_looked_up_then(clock: Clock) -> None:
    memory = Memory()
    clock.ms += AHEAD_MS
    first = uuid7(clock.ms)
    add(memory, first)
    for number in range(3):
        assert memory.has(key(first)) == (number < 2)
        clock.ms += REMEMBERED_MS + 1
        add(memory, uuid7(clock.ms))
    assert not memory.covers(made_ms(first), ASKED)
    assert is_new(memory, uuid7(clock.ms, 1))


def test_an_answer_that_was_never_written_is_forgotten(clock: Clock) -> None:
    memory = Memory()
    clock.ms += AHEAD_MS
    ahead = uuid7(clock.ms + 10)
    add(memory, ahead)
    memory.forget(key(ahead), durable=1)
    assert memory.has(key(ahead))
    memory.forget(key(ahead), durable=0)
    assert not memory.has(key(ahead))
