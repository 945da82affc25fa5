"""Patrons who call an attendant or ask about a round, over a real server."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from croupier.floor.calls import CALLS_MAX
from tests.floor.guarding import UNLIMITED, code_of, hear, house, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

    from tests.floor.guarding import Door

TABLE = "tiger"
NOT_PATRONS = ("dealer", "pit-supervisor", "cashier", "auditor")


@pytest.fixture(scope="module")
def door() -> Iterator[Door]:
    """Serve a house in which patron-01 has played one round, which is over."""
    with house(settings=UNLIMITED, deals=True) as one:
        for number, name in enumerate(("patron-01", "patron-02"), 1):
            seat = {"type": "take_seat", "position": number}
            assert one.order(name, TABLE, seat).status_code == 200
        send = {"type": "send_to_table", "table": TABLE, "cents": 50_000}
        assert one.order("patron-01", "cage", send).status_code == 200
        one.played = _play(one)  # type: ignore[attr-defined]
        yield one


def _play(door: Door) -> int:
    """Let patron-01 play a round; return its number once it is over."""
    with door.live("patron-01") as live:
        say(live, type="subscribe", topic=f"table:{TABLE}")
        view = hear(live, "snapshot")["view"]
        while view["phase"] != "OPEN":
            view |= hear(live, "change")["view"]
        number: int = view["round"]
        stake = {"type": "place_wager", "wager": "player", "cents": 10_000}
        assert door.order("patron-01", TABLE, stake, round=number).status_code == 200
        while all(done["round"] != number for done in view["results"]):
            view |= hear(live, "change")["view"]
    end = time.monotonic() + 10
    while not door.get("patron-01", "/me/rounds").json() and time.monotonic() < end:
        time.sleep(0.05)
    return number


def call(door: Door, name: str | None, table: str = TABLE) -> httpx.Response:
    return door.http.post(f"/tables/{table}/attendant", headers=door.headers(name))


def ask(door: Door, name: str | None, number: int, **body: Any) -> httpx.Response:  # noqa: ANN401  # JSON
    path = f"/tables/{TABLE}/rounds/{number}/asked"
    return door.http.post(path, json=body, headers=door.headers(name))


def standing(door: Door, code: str) -> list[dict[str, Any]]:
    alarms = door.get("pit-supervisor", "/alarms").json().get(TABLE, [])
    return [one for one in alarms if one["code"] == code]


def acknowledge(door: Door, name: str, number: int, **body: Any) -> httpx.Response:  # noqa: ANN401  # JSON
    path = f"/tables/{TABLE}/alarms/{number}/acknowledged"
    return door.http.post(path, json=body, headers=door.headers(name))


def settle(door: Door) -> None:
    """Acknowledge every call that stands."""
    for one in door.get("pit-supervisor", "/alarms").json().get(TABLE, []):
        acknowledge(door, "pit-supervisor", one["number"])


def test_a_call_stands_until_somebody_of_the_table_acknowledges_it(door: Door) -> None:
    settle(door)
    with door.live("patron-01") as live:
        say(live, type="subscribe", topic="me")
        before = hear(live, "snapshot")["view"]["calls"]
        called = call(door, "patron-01")
        assert called.status_code == 200, called.text
        assert called.json()["seen"] is None
        assert call(door, "patron-01").json() == called.json(), "one call, however often"
        told = hear(live, "change")["view"]["calls"]
        assert told == [called.json(), *before]
        (alarm,) = standing(door, "attendant_called")
        assert (alarm["patron"], alarm["position"]) == ("patron-01", 1)
        assert alarm["sentence"] == "Seat 1 calls an attendant."
        refused = acknowledge(door, "patron-02", alarm["number"])
        assert code_of(refused) == "forbidden"
        assert acknowledge(door, "dealer", alarm["number"]).status_code == 204
        (seen, *_) = hear(live, "change")["view"]["calls"]
        assert seen["number"] == called.json()["number"]
        assert seen["seen"] is not None
    assert standing(door, "attendant_called") == []
    (over, *_) = door.get("pit-supervisor", "/alarms/history").json()
    assert (over["code"], over["acknowledged_by"]) == ("attendant_called", "dealer")
    again = call(door, "patron-01").json()
    assert again["number"] != called.json()["number"], "a new call after the first was seen"
    settle(door)


def test_a_call_may_be_taken_back(door: Door) -> None:
    settle(door)
    call(door, "patron-01")
    call(door, "patron-02")
    path = f"/tables/{TABLE}/attendant"
    assert door.http.delete(path, headers=door.headers("patron-01")).status_code == 204
    assert [one["patron"] for one in standing(door, "attendant_called")] == ["patron-02"]
    (over, *_) = door.get("pit-supervisor", "/alarms/history").json()
    assert (over["patron"], over["acknowledged_by"]) == ("patron-01", None)
    settle(door)


def test_a_patron_asks_about_a_round_of_their_own_and_is_answered(door: Door) -> None:
    number: int = door.played  # type: ignore[attr-defined]
    asked = ask(door, "patron-01", number, note="  I had 100 on Player. ")
    assert asked.status_code == 200, asked.text
    assert ask(door, "patron-01", number).json() == asked.json()
    (alarm,) = standing(door, "round_asked")
    assert (alarm["round"], alarm["note"]) == (number, "I had 100 on Player.")
    refused = acknowledge(door, "dealer", alarm["number"], answer="Never mind.")
    assert (code_of(refused), len(standing(door, "round_asked"))) == ("forbidden", 1)
    long = acknowledge(door, "pit-supervisor", alarm["number"], answer="x" * 301)
    assert code_of(long) == "not_readable"
    done = acknowledge(door, "pit-supervisor", alarm["number"], answer="Player lost, 3 to 5.")
    assert done.status_code == 204, done.text
    (shown,) = [
        one for one in door.get("patron-01", "/me/calls").json() if one["code"] == "round_asked"
    ]
    assert (shown["round"], shown["answer"]) == (number, "Player lost, 3 to 5.")
    assert shown["seen"] is not None
    with door.live("patron-01") as live:
        say(live, type="subscribe", topic="me")
        assert hear(live, "snapshot")["view"]["messages"] == ["Player lost, 3 to 5."]
    others = door.get("patron-02", "/me/calls").json()
    assert all(one["code"] != "round_asked" for one in others), "nobody sees another's calls"


def test_nobody_asks_about_a_round_that_is_not_theirs(door: Door) -> None:
    number: int = door.played  # type: ignore[attr-defined]
    for name, of in (("patron-02", number), ("patron-01", 10**6), ("patron-01", 10**30)):
        assert code_of(ask(door, name, of)) == "unknown_round"
    assert code_of(ask(door, "patron-01", number, note="x" * 201)) == "not_readable"


@pytest.mark.parametrize("name", [None, *NOT_PATRONS], ids=str)
def test_only_patrons_call(door: Door, name: str | None) -> None:
    expected = "unauthenticated" if name is None else "forbidden"
    assert code_of(call(door, name)) == expected
    assert code_of(ask(door, name, 1)) == expected
    assert code_of(door.get(name, "/me/calls")) == expected


def test_a_table_that_is_not_there_has_no_attendant(door: Door) -> None:
    assert code_of(call(door, "patron-01", "nowhere")) == "unknown_table"


def test_a_dealer_calls_a_pit_supervisor(door: Door) -> None:
    path = f"/tables/{TABLE}/supervisor"
    assert code_of(door.http.post(path, headers=door.headers("patron-01"))) == "forbidden"
    for _ in range(2):
        assert door.http.post(path, headers=door.headers("dealer")).status_code == 204
    (alarm,) = standing(door, "supervisor_called")
    assert alarm["sentence"] == "dealer calls a Pit Supervisor."
    assert alarm["staff"] == "dealer"
    settle(door)


WHO_HEARS = {
    "pit-supervisor": ["attendant_called", "round_asked"],
    "acting-supervisor": ["attendant_called", "round_asked"],
    "auditor": ["attendant_called", "round_asked"],
    "dealer": ["attendant_called"],
    "technician": [],
    "acting-cashier": [],  # a Technician by position
}
WHO_DOES_NOT = ("cashier", "cage-supervisor", "administrator", "patron-02", "bare")


def test_alarms_are_for_those_whom_they_concern(door: Door) -> None:
    settle(door)
    call(door, "patron-01")
    ask(door, "patron-01", door.played, note="I had 100 on Player.")  # type: ignore[attr-defined]
    for name, codes in WHO_HEARS.items():
        answer = door.get(name, "/alarms")
        assert [one["code"] for one in answer.json()[TABLE]] == codes, name
        assert ("100 on Player" in answer.text) is ("round_asked" in codes)
        with door.live(name) as live:
            say(live, type="subscribe", topic="alarms")
            assert hear(live, "snapshot")["view"][TABLE] == answer.json()[TABLE]
    for name in WHO_DOES_NOT:
        assert code_of(door.get(name, "/alarms")) == "forbidden", name
        assert code_of(door.get(name, "/alarms/history")) == "forbidden", name
        with door.live(name) as live:
            say(live, type="subscribe", topic="alarms")
            assert hear(live, "error")["problem"]["code"] == "forbidden"
    with door.live("dealer") as live:
        say(live, type="subscribe", topic="alarms")
        hear(live, "snapshot")
        (asked,), (called,) = (standing(door, one) for one in WHO_HEARS["auditor"][::-1])
        acknowledge(door, "pit-supervisor", asked["number"])
        acknowledge(door, "pit-supervisor", called["number"])
        assert hear(live, "change")["view"] == {TABLE: []}, (
            "of the first a Dealer hears nothing"
        )
    for name, codes in WHO_HEARS.items():
        over = door.get(name, f"/alarms/history?table={TABLE}").json()
        assert {one["code"] for one in over} & {"attendant_called", "round_asked"} == {*codes}
    assert len(door.get("dealer", "/alarms/history?limit=1").json()) == 1


def test_whoever_calls_too_often_is_told_when_to_call_again(door: Door) -> None:
    path = f"/tables/{TABLE}/attendant"
    for _ in range(CALLS_MAX):
        assert call(door, "patron-03").status_code == 200
        door.http.delete(path, headers=door.headers("patron-03"))
    late = call(door, "patron-03")
    assert code_of(late) == "too_many"
    assert int(late.headers["retry-after"]) > 0


def test_tables_have_numbers_in_the_order_of_their_founding(door: Door) -> None:
    numbers = door.get(None, "/house").json()["numbers"]
    assert sorted(numbers.values()) == list(range(1, len(numbers) + 1))
    assert numbers["baccarat"] == 1
    assert numbers["baccarat-a"] == len(numbers), "it is founded last"
    summaries = door.get("patron-01", "/tables").json()
    assert {one["name"]: one["number"] for one in summaries} == numbers


def test_a_ticket_says_where_it_was_printed(door: Door) -> None:
    cash = {"type": "cash_out", "cents": 5_000}
    done = door.order("patron-01", "cage", cash).json()
    numbers = door.get(None, "/house").json()["numbers"]
    printed = done["printed"]
    place = (printed["table"], printed["table_number"], printed["position"])
    assert place == (TABLE, numbers[TABLE], 1)
    assert printed["house"] == door.get(None, "/house").json()["name"]
    (ticket, *_) = door.get("patron-01", "/me/tickets").json()
    assert ticket["number"] == done["ticket"]
    assert ticket["terminal"] == {"table": TABLE, "number": numbers[TABLE], "position": 1}
    assert (ticket["house"], ticket["kind"]) == (printed["house"], "cash_out")
    assert ticket["issued"] == printed["issued"]
    nowhere = door.order("patron-05", "cage", cash).json()["printed"]
    assert (nowhere["table"], nowhere["table_number"], nowhere["position"]) == (None,) * 3


def test_calls_and_numbers_outlive_a_restart(door: Door) -> None:
    numbers = door.get(None, "/house").json()["numbers"]
    settle(door)
    called = call(door, "patron-01").json()
    seen = [one for one in door.get("patron-01", "/me/calls").json() if one["seen"]]
    assert door.stop() == 0, door.log
    door.start()
    door._tokens.clear()  # noqa: SLF001  # they sign in anew
    assert door.get(None, "/house").json()["numbers"] == numbers
    assert door.get("patron-01", "/me/calls").json() == [called, *seen]
