"""Whoever lets somebody in, or no longer, is on record with both names before it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.floor.guarding import UNLIMITED, code_of, house

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

    from tests.floor.guarding import Door


@pytest.fixture(scope="module")
def door() -> Iterator[Door]:
    with house(settings=UNLIMITED) as one:
        register = {"type": "register_device", "device": "shoe-9", "kind": "shoe"}
        assert one.order("technician", "accounts", register).status_code == 200
        yield one


def ask(door: Door, name: str, method: str, path: str) -> httpx.Response:
    return door.http.request(method, path, headers=door.headers(name))


def newest(door: Door) -> dict[str, Any]:
    """Return the newest decision of the accounts, as an auditor reads it."""
    shown = door.get("auditor", "/journal/streams/accounts/decisions?limit=1").json()
    decision: dict[str, Any] = shown["decisions"][0]
    return decision


@pytest.mark.parametrize(("by", "method", "path", "access", "of"), [
    ("administrator", "POST", "/users/pit-manager/password-link", "password_link",
     {"user": "pit-manager", "device": None}),
    ("administrator", "DELETE", "/users/dealer/sessions", "sessions_closed",
     {"user": "dealer", "device": None}),
    ("technician", "POST", "/devices/shoe-9/token", "device_token",
     {"user": None, "device": "shoe-9"}),
    ("technician", "DELETE", "/devices/shoe-9/token", "device_token_void",
     {"user": None, "device": "shoe-9"}),
])  # fmt: skip
def test_what_lets_somebody_in_is_recorded(
    door: Door, by: str, method: str, path: str, access: str, of: dict[str, str | None]
) -> None:
    before = door.heads()["accounts"]
    assert ask(door, by, method, path).is_success
    assert door.heads()["accounts"] == before + 1
    decision = newest(door)
    assert decision["by"]["name"] == by
    (event,) = decision["events"]
    assert (event["name"], event["facts"]) == ("access_noted", {"access": access, **of})


@pytest.mark.parametrize(("by", "method", "path"), [
    ("pit-manager", "POST", "/users/dealer/password-link"),
    ("administrator", "POST", "/users/nobody-here/password-link"),
    ("pit-supervisor", "DELETE", "/users/pit-manager/sessions"),
    ("administrator", "DELETE", "/users/dealer/sessions/none"),
    ("cashier", "POST", "/devices/shoe-9/token"),
    ("technician", "POST", "/devices/shoe-0/token"),
])  # fmt: skip
def test_what_is_turned_away_is_not(door: Door, by: str, method: str, path: str) -> None:
    before = door.heads()
    assert ask(door, by, method, path).status_code in (403, 404)
    assert door.heads() == before


def test_nobody_notes_it_alone_and_nobody_is_noted_who_signs_out(door: Door) -> None:
    before = door.heads()
    note = {"type": "note_access", "access": "password_link", "user": "dealer"}
    assert code_of(door.order("administrator", "accounts", note)) == "forbidden"
    assert ask(door, "patron-03", "DELETE", "/users/patron-03/sessions").status_code == 204
    assert door.heads() == before
