"""Every read by every kind of person: who sees a table how, and whose it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.floor.guarding import UNLIMITED, code_of, hear, house, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.floor.guarding import Door

PARTS = {
    None: None,
    "patron-01": "own",
    "patron-02": "own",
    "dealer": "dealer",
    "acting-supervisor": "pit",
    "pit-supervisor": "pit",
    "pit-manager": "pit",
    "assistant-casino-manager": "pit",
    "gaming-shift-manager": "pit",
    "auditor": "auditor",
    "surveillance": "auditor",
    "cashier": None,
    "cage-supervisor": None,
    "acting-cashier": None,
    "technician": None,
    "administrator": None,
    "bare": None,
}
"""By person: what they see beside the public view."""
PATRONS = ("patron-01", "patron-02")
ALL_PARTS = {"own", "dealer", "pit", "auditor"}


@pytest.fixture(scope="module")
def door() -> Iterator[Door]:
    """Serve a house that deals, with two patrons who staked in a round that is over."""
    with house(settings=UNLIMITED, deals=True) as one:
        for number, name in enumerate(PATRONS, 1):
            seat = {"type": "take_seat", "position": number}
            assert one.order(name, "tiger", seat).status_code == 200
            send = {"type": "send_to_table", "table": "tiger", "cents": 100_000}
            assert one.order(name, "cage", send).status_code == 200
        with one.live("patron-01") as live:
            say(live, type="subscribe", topic="table:tiger")
            view = hear(live, "snapshot")["view"]
            while view["phase"] != "OPEN":
                view |= hear(live, "change")["view"]
            for name, wager in zip(PATRONS, ("player", "banker"), strict=True):
                stake = {"type": "place_wager", "wager": wager, "cents": 10_000}
                answer = one.order(name, "tiger", stake, round=view["round"])
                assert answer.status_code == 200, answer.text
            number = view["round"]
            while all(done["round"] != number for done in view["results"]):
                view |= hear(live, "change")["view"]
        one.played = number  # type: ignore[attr-defined]
        yield one


BESIDE_TABLES = ("cashier", "cage-supervisor", "acting-cashier", "technician")
"""Staff who see a table as the public does, and read whole what is over."""


def names_in(text: str) -> set[str]:
    return {name for name in PATRONS if f'"{name}"' in text}


@pytest.mark.parametrize("name", PARTS, ids=str)
def test_a_table_as_somebody_sees_it(door: Door, name: str | None) -> None:
    answer = door.get(name, "/tables/tiger")
    view, part = answer.json()["view"], PARTS[name]
    assert ALL_PARTS & view.keys() == ({part} if part else set())
    knows = set(PATRONS) if part in ("dealer", "pit", "auditor") else set()
    assert names_in(answer.text) <= knows | {name}
    if part == "own":
        assert view["own"]["seat"] == PATRONS.index(str(name)) + 1


@pytest.mark.parametrize("name", [one for one in PARTS if one is not None])
def test_a_table_as_a_socket_shows_it(door: Door, name: str) -> None:
    with door.live(name) as live:
        say(live, type="subscribe", topic="table:tiger")
        view = hear(live, "snapshot")["view"]
    part = PARTS[name]
    assert ALL_PARTS & view.keys() == ({part} if part else set())


@pytest.mark.parametrize("name", PARTS, ids=str)
def test_a_finished_round_as_somebody_reads_it(door: Door, name: str | None) -> None:
    number = door.played  # type: ignore[attr-defined]
    part = PARTS[name]
    for path in (f"/tables/tiger/rounds/{number}", f"/tables/tiger/rounds?before={number + 1}"):
        answer = door.get(name, path)
        assert answer.status_code == 200, answer.text
        found = answer.json()
        found = found[0] if isinstance(found, list) else found
        staff = part in ("dealer", "pit", "auditor") or name in BESIDE_TABLES
        assert len(found["stakes"]) == (2 if staff else int(part == "own")), path
        assert len(found["lines"]) == len(found["stakes"])
        assert names_in(answer.text) <= (set(PATRONS) if staff else {name})


@pytest.mark.parametrize("name", PARTS, ids=str)
def test_what_is_somebodys_own(door: Door, name: str | None) -> None:
    for path in ("/me/wallet", "/me/rounds"):
        answer = door.get(name, path)
        if name is None:
            assert (answer.status_code, code_of(answer)) == (401, "unauthenticated")
        elif name in PATRONS:
            assert answer.status_code == 200
            assert names_in(answer.text) <= {name}
        else:
            assert (answer.status_code, code_of(answer)) == (403, "forbidden")
    me = door.get(name, "/me")
    assert me.status_code == (401 if name is None else 200)
    assert name is None or me.json()["name"] == name
    may = door.get(name, "/tables/tiger/may")
    assert may.status_code == (401 if name is None else 200)


def test_the_wallets_are_each_their_owners(door: Door) -> None:
    with door.live("patron-01") as one, door.live("patron-02") as other:
        for live in (one, other):
            say(live, type="subscribe", topic="me")
        seats = [
            hear(live, "snapshot")["view"]["wallet"]["seats"][0]["position"]
            for live in (one, other)
        ]
    assert seats == [1, 2]


@pytest.mark.parametrize("name", PARTS, ids=str)
@pytest.mark.parametrize(
    "path",
    [
        "/tables",
        "/games",
        "/games/tiger",
        "/games/tiger/odds",
        "/tables/tiger/roads",
        "/tables/tiger/shoes/nowhere",
        "/tables/tiger/rounds/99999",
        "/events?topic=table:nowhere",
    ],
)
def test_what_is_for_everybody_names_no_patron(door: Door, name: str | None, path: str) -> None:
    answer = door.get(name, path)
    assert answer.status_code in (200, 404), answer.text
    assert names_in(answer.text) == set()


def test_a_round_in_progress_is_nobodys(door: Door) -> None:
    now = door.get(None, "/tables/tiger").json()["view"]["round"]
    for name in PARTS:
        answer = door.get(name, f"/tables/tiger/rounds/{now + 5}")
        assert (answer.status_code, code_of(answer)) == (404, "unknown_round")


SEES_USERS = {
    "pit-manager": {"patron"},
    "assistant-casino-manager": {"patron"},
    "gaming-shift-manager": {"patron"},
    "cashier": {"patron"},
    "cage-supervisor": {"patron"},
    "acting-cashier": {"patron"},
    "auditor": {"patron", "staff", "auditor", "admin"},
    "surveillance": {"patron", "staff", "auditor", "admin"},
    "administrator": {"patron", "staff", "auditor", "admin"},
}
"""By person: accounts of which kinds; whoever acts in a position sees what it does."""


@pytest.mark.parametrize("name", [one for one in PARTS if one is not None])
def test_whose_accounts_somebody_sees(door: Door, name: str) -> None:
    answer = door.get(name, "/users")
    if name in SEES_USERS:
        assert {one["kind"] for one in answer.json()} == SEES_USERS[name]
    else:
        assert code_of(answer) == "forbidden"


@pytest.mark.parametrize("command", ["leave_seat", "take_credit"])
def test_a_patron_asks_for_no_cash(door: Door, command: str) -> None:
    heads = door.heads()["table:baccarat"]
    cents = {"cents": 100} if command == "take_credit" else {}
    for more in ({"cash": True}, {"cash": False}, {"transfer": "1"}):
        answer = door.order("patron-05", "baccarat", {"type": command, **cents, **more})
        assert (answer.status_code, code_of(answer)) == (422, "not_readable")
    assert door.heads()["table:baccarat"] == heads, "no record"


def test_a_hold_that_never_was_is_not_on(door: Door) -> None:
    seat = {"type": "take_seat", "position": 9}
    answer = door.order("patron-06", "tiger", seat, hold=3)
    assert code_of(answer) == "other_hold"
    assert "it is not on" in answer.json()["detail"]
