"""Exclusions and own limits over the API: refused at the door, and nothing is recorded."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from tests.floor.guarding import UNLIMITED, code_of, command, hear, house, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.floor.guarding import Door

SEND = {"type": "send_to_table", "table": "tiger", "cents": 100_000}


@pytest.fixture(scope="module")
def door() -> Iterator[Door]:
    with house(settings=UNLIMITED) as one:
        yield one


def done(door: Door, name: str, where: str, body: dict[str, Any]) -> None:
    answer = door.order(name, where, body)
    assert answer.status_code == 200, answer.text


def refused(door: Door, name: str, where: str, body: dict[str, Any]) -> tuple[int, str | None]:
    """Return how a command is turned away, over HTTP and over a socket alike."""
    heads = door.heads()
    answer = door.order(name, where, body)
    with door.live(name) as live:
        same = command(live, where, body)
    assert same["problem"]["code"] == code_of(answer)
    assert same["sequence"] is None
    assert door.heads() == heads, "nothing is recorded"
    return answer.status_code, code_of(answer)


@pytest.mark.parametrize("by", ["patron-02", "pit-manager"])
def test_an_excluded_patron_leaves_and_does_not_play(door: Door, by: str) -> None:
    patron = "patron-02" if by == "patron-02" else "patron-03"
    position = int(patron[-1])
    done(door, patron, "tiger", {"type": "take_seat", "position": position})
    done(door, patron, "cage", SEND)
    until = (datetime.now(UTC) + timedelta(days=2)).isoformat()
    body = {"type": "exclude_patron", "until": until, "reason": "asked"}
    named = body if by == patron else {**body, "patron": patron}
    done(door, by, "accounts", named)
    for where, wanted in (
        ("cage", SEND),
        ("baccarat", {"type": "take_seat", "position": 1}),
        ("tiger", {"type": "place_wager", "wager": "player", "cents": 1000}),
    ):
        assert refused(door, patron, where, wanted) == (403, "excluded"), wanted
    buy_in = {"type": "buy_in", "patron": patron, "cents": 1000}
    assert refused(door, "cashier", "cage", buy_in) == (403, "excluded"), "whoever asks"
    done(door, patron, "tiger", {"type": "take_credit", "cents": 1000})
    done(door, patron, "tiger", {"type": "leave_seat"})
    done(door, patron, "cage", {"type": "cash_out", "cents": 1000})


def test_a_patron_lifts_no_exclusion_and_excludes_nobody_else(door: Door) -> None:
    heads = door.heads()
    lift = {"type": "lift_exclusion", "patron": "patron-04", "reason": "please"}
    other = {"type": "exclude_patron", "patron": "patron-05"}
    for body in (lift, other):
        answer = door.order("patron-04", "accounts", body)
        assert (answer.status_code, code_of(answer)) == (403, "forbidden")
    assert door.heads() == heads


def opened(door: Door, patron: str, position: int, limit: dict[str, Any]) -> None:
    """Let a patron with a limit sit at a table that is open for wagers."""
    done(door, patron, "accounts", limit)
    done(door, patron, "power-98", {"type": "take_seat", "position": position})
    done(door, patron, "cage", {**SEND, "table": "power-98"})


STAKE = {"type": "place_wager", "wager": "player", "cents": 10_000}


def test_limits_of_ones_own_are_kept_before_a_table_is_asked(door: Door) -> None:
    opened(door, "patron-06", 1, {"type": "set_stake_limit", "cents": 9_000})
    opened(door, "patron-07", 2, {"type": "set_loss_limit", "cents": 9_000})
    for patron, code in (
        ("patron-06", "own_stake_limit"),
        ("patron-07", "own_loss_limit"),
    ):
        assert refused(door, patron, "power-98", STAKE) == (409, code), patron
    answer = door.order("patron-07", "power-98", STAKE)
    assert "90.00" in answer.json()["detail"], "the sentence says what is allowed"


def left(door: Door, patron: str) -> Any:  # noqa: ANN401  # JSON
    """Return what a patron is told to be left, over a socket and over HTTP alike."""
    with door.live(patron) as live:
        say(live, type="subscribe", topic="me")
        told = hear(live, "snapshot")["view"]["left"]
    assert door.get(patron, "/me/play").json()["left"] == told
    return told


def test_what_the_door_will_refuse_is_said_before(door: Door) -> None:
    assert left(door, "patron-08") is None
    stake = {"type": "set_stake_limit", "cents": 9_000}
    with door.live("patron-08") as live:
        say(live, type="subscribe", topic="me")
        assert hear(live, "snapshot")["view"]["left"] is None
        done(door, "patron-08", "accounts", stake)
        told = hear(live, "change")["view"]["left"]
    assert told == {"barred": None, "stake_cents": 9_000, "loss_cents": None, "near": []}
    done(door, "patron-08", "accounts", {"type": "set_loss_limit", "cents": 70_000})
    assert left(door, "patron-08") == {**told, "loss_cents": 70_000}
    until = (datetime.now(UTC) + timedelta(days=2)).replace(microsecond=0)
    exclude = {"type": "exclude_patron", "until": until.isoformat(), "reason": "asked"}
    before = datetime.now(UTC)
    done(door, "patron-08", "accounts", exclude)
    barred = left(door, "patron-08")["barred"]
    assert barred["code"] == "excluded"
    assert datetime.fromisoformat(barred["until"]) == until
    assert before <= datetime.fromisoformat(barred["since"]) <= datetime.now(UTC)
    answer = door.order("patron-08", "cage", SEND)
    assert (code_of(answer), answer.json()["detail"]) == ("excluded", barred["sentence"])


def test_what_is_left_changes_when_time_alone_goes_on(door: Door) -> None:
    with door.live("patron-09") as live:
        say(live, type="subscribe", topic="me")
        hear(live, "snapshot")
        until = (datetime.now(UTC) + timedelta(seconds=3)).isoformat()
        exclude = {"type": "exclude_patron", "patron": "patron-09", "until": until}
        done(door, "pit-manager", "accounts", {**exclude, "reason": "a pause"})
        assert hear(live, "change")["view"]["left"]["barred"]["code"] == "excluded"
        assert hear(live, "change")["view"]["left"]["barred"] is None


def test_a_wager_that_is_sent_again_is_the_one_that_was_accepted() -> None:
    """It counts towards the limit by now; its answer is still its answer."""
    with house(settings=UNLIMITED, deals=True, betting=60.0) as door:
        limit = {"type": "set_loss_limit", "cents": 15_000}
        done(door, "patron-06", "accounts", limit)
        done(door, "patron-06", "tiger", {"type": "take_seat", "position": 1})
        done(door, "patron-06", "cage", SEND)
        first = door.order("patron-06", "tiger", STAKE, "lost-answer")
        assert first.status_code == 200, first.text
        again = door.order("patron-06", "tiger", STAKE, "lost-answer")
        assert again.json() == first.json()
        assert left(door, "patron-06")["loss_cents"] == 5_000
        assert refused(door, "patron-06", "tiger", STAKE) == (409, "own_loss_limit")


@pytest.mark.parametrize("name", ["nobody-here", "dealer", ""])
def test_nobody_buys_in_for_whoever_is_no_patron(door: Door, name: str) -> None:
    buy_in = {"type": "buy_in", "patron": name, "cents": 1000}
    assert refused(door, "cashier", "cage", buy_in)[0] in (404, 422)


def test_a_limit_is_lowered_at_once_and_raised_later(door: Door) -> None:
    done(door, "patron-09", "accounts", {"type": "set_stake_limit", "cents": 5_000})
    done(door, "patron-09", "power-98", {"type": "take_seat", "position": 4})
    done(door, "patron-09", "accounts", {"type": "set_stake_limit", "cents": 50_000})
    assert refused(door, "patron-09", "power-98", STAKE) == (409, "own_stake_limit")
    done(door, "patron-09", "accounts", {"type": "set_stake_limit", "cents": 1_000})
    small = {**STAKE, "cents": 2_000}
    assert refused(door, "patron-09", "power-98", small) == (409, "own_stake_limit")
