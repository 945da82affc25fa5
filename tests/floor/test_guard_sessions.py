"""Sessions over the API: how they end, who is told, and how much one of them may ask."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.floor.guarding import UNLIMITED, code_of, command, hear, house, new_key, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from websockets.sync.client import ClientConnection

    from tests.floor.guarding import Door

CLOSE_SECONDS = 5.0
DRAW = {"type": "draw_card"}
"""What a Dealer is refused at an electronic table, with a record."""


@pytest.fixture(scope="module")
def door() -> Iterator[Door]:
    with house(settings=UNLIMITED) as one:
        yield one


def good_bye(live: ClientConnection) -> str:
    """Return why a socket is closed, which must be soon."""
    code: str = hear(live, "bye", CLOSE_SECONDS)["code"]
    with pytest.raises(ConnectionClosed):
        live.recv(timeout=CLOSE_SECONDS)
    return code


def let_act(door: Door, seconds: float) -> None:
    """Let a Dealer act as Pit Supervisor from now on."""
    now = datetime.now(UTC)
    until = (now + timedelta(seconds=seconds)).isoformat()
    act(
        door,
        type="let_act",
        user="second-dealer",
        position="Pit Supervisor",
        since=now.isoformat(),
        until=until,
    )


def act(door: Door, **body: Any) -> None:  # noqa: ANN401  # a command
    assert door.order("administrator", "accounts", body).status_code == 200


ENDS: dict[str, Callable[[Door, str], Any]] = {
    "signed out": lambda door, name: door.http.delete(
        "/sessions/current", headers=door.headers(name)
    ),
    "disabled": lambda door, name: act(door, type="disable_user", user=name, reason="test"),
    "moved": lambda door, name: act(
        door, type="give_position", user=name, position="Pit Manager"
    ),
    "withdrawn": lambda door, name: act(
        door, type="withdraw_position", user=name, reason="test"
    ),
    "idle": lambda door, _: door.ask("pass_by", seconds=15 * 60 + 1),
    "a shift later": lambda door, _: door.ask("pass_by", seconds=12 * 3600 + 1),
}


@pytest.mark.parametrize("how", ENDS)
def test_a_session_that_ends_closes_its_sockets_and_its_token(door: Door, how: str) -> None:
    for mend in (
        {"type": "enable_user", "user": "second-dealer", "reason": "test"},
        {"type": "give_position", "user": "second-dealer", "position": "Dealer"},
    ):
        door.forget("administrator")
        door.order("administrator", "accounts", mend)
    door.forget("second-dealer")
    token = door.token("second-dealer")
    bearer = {"Authorization": f"Bearer {token}"}
    with door.live("second-dealer") as one, door.live("second-dealer") as other:
        say(one, type="subscribe", topic="table:tiger")
        hear(one, "snapshot")
        ENDS[how](door, "second-dealer")
        assert good_bye(one) == "signed_out"
        assert good_bye(other) == "signed_out"
    answer = door.http.get("/me", headers=bearer)
    assert (answer.status_code, code_of(answer)) == (401, "unauthenticated")
    door.forget("second-dealer")
    door.forget("administrator")


def test_a_message_of_a_session_that_is_over_is_not_done(door: Door) -> None:
    """Time may pass between two sweeps: the message itself finds the session over."""
    door.forget("dealer")
    with door.live("dealer") as live:
        heads = door.heads()
        door.ask("pass_by", seconds=15 * 60 + 1)
        say(live, type="command", id=new_key(), table="tiger", command=DRAW)
        assert good_bye(live) == "signed_out"
        assert door.heads() == heads
    door.forget("dealer")


def test_whoever_acts_sees_as_much_from_then_on_and_no_longer(door: Door) -> None:
    def position(live: ClientConnection) -> str:
        view = hear(live, "snapshot")["view"]
        (found,) = {"dealer", "pit", "auditor", "own"} & view.keys()
        return str(found)

    for name in ("second-dealer", "administrator"):
        door.forget(name)
    for mend in (
        {"type": "enable_user", "user": "second-dealer", "reason": "test"},
        {"type": "give_position", "user": "second-dealer", "position": "Dealer"},
    ):
        door.order("administrator", "accounts", mend)
    with door.live("second-dealer") as live:
        say(live, type="subscribe", topic="table:tiger")
        assert position(live) == "dealer"
        let_act(door, 3600.0)
        assert position(live) == "pit"
        assert "pit" in door.get("second-dealer", "/tables/tiger").json()["view"]
        act(door, type="end_acting", user="second-dealer")
        assert position(live) == "dealer"
        assert "pit" not in door.get("second-dealer", "/tables/tiger").json()["view"]
        let_act(door, 2.0)
        assert position(live) == "pit"
        assert position(live) == "dealer", "it ends by itself"


def test_whoever_acts_hears_of_the_alarms_of_the_pit_and_no_longer(door: Door) -> None:
    def codes(live: ClientConnection) -> list[str]:
        view = hear(live, "snapshot")["view"]
        return [one["code"] for one in view.get("tiger", [])]

    door.forget("second-dealer")
    called = door.http.post("/tables/tiger/supervisor", headers=door.headers("dealer"))
    assert called.status_code == 204
    with door.live("second-dealer") as live:
        say(live, type="subscribe", topic="alarms")
        assert codes(live) == []
        let_act(door, 3600.0)
        assert codes(live) == ["supervisor_called"]
        act(door, type="end_acting", user="second-dealer")
        assert codes(live) == []


def test_tokens_survive_a_restart() -> None:
    with house(settings=UNLIMITED) as door:
        bearer = door.headers("patron-05")
        gone = door.headers("patron-06")
        door.http.delete("/sessions/current", headers=gone)
        assert door.stop() == 0
        door.start()
        assert door.http.get("/me", headers=bearer).json()["name"] == "patron-05"
        assert door.http.get("/me", headers=gone).status_code == 401


# How much


@pytest.fixture(scope="module")
def strict() -> Iterator[Door]:
    with house() as one:
        yield one


def test_sixty_recorded_refusals_and_then_none_is_decided(strict: Door) -> None:
    """Over HTTP and sockets alike, for one session; what is accepted does not count."""
    heads = strict.heads()
    with strict.live("dealer") as live:
        for _ in range(30):
            assert command(live, "tiger", DRAW)["problem"]["status"] == 409
            time.sleep(0.02)
        for number in (*range(29), *range(29), 29):  # one that is told again is the same record
            answer = strict.order("dealer", "tiger", DRAW, f"refused-{number}")
            assert answer.status_code == 409
        full = strict.order("dealer", "tiger", DRAW)
        assert (full.status_code, code_of(full)) == (429, "too_many")
        assert 1 <= int(full.headers["Retry-After"]) <= 60
        answer = command(live, "tiger", DRAW)
        assert (answer["problem"]["code"], answer["sequence"]) == ("too_many", None)
        say(live, type="ping", n=7)
        assert hear(live, "pong")["n"] == 7, "the socket stays"
    assert strict.heads()["table:tiger"] == heads["table:tiger"] + 60
    assert strict.order("pit-manager", "tiger", DRAW).status_code == 409, "another session"
    strict.ask("pass_by", seconds=61)
    assert strict.order("dealer", "tiger", DRAW).status_code == 409


def test_commands_that_come_all_at_once_are_decided_in_order(strict: Door) -> None:
    """Those on their way could all be refused: the rest waits, and never overtakes."""
    strict.forget("gaming-shift-manager")
    heads = strict.heads()
    with strict.live("gaming-shift-manager") as live:
        for n in range(75):
            say(live, type="command", id=f"all-{n}", table="tiger", command=DRAW)
        answers = {one["id"]: one for one in (hear(live, "answer") for _ in range(75))}
    recorded = [answers[f"all-{n}"]["sequence"] for n in range(75)]
    assert recorded[:60] == list(range(heads["table:tiger"] + 1, heads["table:tiger"] + 61))
    assert recorded[60:] == [None] * 15
    codes = {answers[f"all-{n}"]["problem"]["code"] for n in range(60, 75)}
    assert codes == {"too_many"}


def test_too_many_requests_and_messages(strict: Door) -> None:
    bearer = strict.headers("patron-09")
    answers = [strict.http.get("/me", headers=bearer) for _ in range(250)]
    turned = [one for one in answers if one.status_code != 200]
    assert turned
    assert {code_of(one) for one in turned} == {"too_many"}
    assert all(one.status_code == 429 and one.headers["Retry-After"] == "1" for one in turned)
    # On a slow machine there may be room for one again meanwhile, never for many.
    assert 429 in {strict.http.get("/me", headers=bearer).status_code for _ in range(50)}
    # Whoever floods with a stolen token keeps nobody from ending it.
    assert strict.http.delete("/sessions/current", headers=bearer).status_code == 204
    assert strict.http.get("/me", headers=bearer).status_code == 401
    strict.forget("patron-09")
    with strict.live("patron-10") as live:
        heads = strict.heads()
        ping = json.dumps({"type": "ping", "n": 1})
        seat = {"type": "take_seat", "position": 1}
        try:
            for _ in range(400):
                live.send(ping)
            say(live, type="command", id="late", table="tiger", command=seat)
        except ConnectionClosed:
            pass
        assert good_bye(live) == "too_many"
        assert strict.heads() == heads, "what came behind the last message was not done"


def test_a_message_of_many_frames_is_many_messages(strict: Door) -> None:
    with strict.live("patron-12") as live:
        with suppress(ConnectionClosed):
            live.send([*([""] * 400), json.dumps({"type": "ping", "n": 1})])
        assert good_bye(live) == "too_many"


def test_a_guesser_waits(strict: Door) -> None:
    wrong = {"name": "patron-11", "password": "not this one"}
    for _ in range(5):
        answer = strict.http.post("/sessions", json=wrong)
        assert (answer.status_code, code_of(answer)) == (401, "wrong_login")
    for password in ("not this one", strict.logins["patron-11"]["password"]):
        answer = strict.http.post("/sessions", json={**wrong, "password": password})
        assert (answer.status_code, code_of(answer)) == (429, "too_many")
        assert int(answer.headers["Retry-After"]) > 60
    unknown = strict.http.post("/sessions", json={"name": "who", "password": "not this one"})
    assert (unknown.status_code, code_of(unknown)) == (401, "wrong_login")
