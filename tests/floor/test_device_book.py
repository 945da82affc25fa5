"""The list of registered devices, over a real server: what it shows, and to whom."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from tests.floor.guarding import UNLIMITED, code_of, house

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.floor.guarding import Door

TENDS = ("technician", "administrator")
OTHERS = (
    "patron-01",
    "dealer",
    "acting-supervisor",
    "pit-supervisor",
    "pit-manager",
    "assistant-casino-manager",
    "gaming-shift-manager",
    "cashier",
    "cage-supervisor",
    "auditor",
    "surveillance",
    "bare",
)
LATELY = timedelta(minutes=5)


@pytest.fixture(scope="module")
def door() -> Iterator[Door]:
    """Serve a house with a shoe that was moved and a die that is out of use."""
    with house(settings=UNLIMITED) as one:
        for name, command in (
            ("technician", {"type": "register_device", "device": "shoe-9", "kind": "shoe"}),
            ("technician", {"type": "move_device", "device": "shoe-9", "table": "baccarat"}),
            (
                "administrator",
                {
                    "type": "register_device",
                    "device": "die-9",
                    "kind": "die",
                    "table": "power-98",
                },
            ),
            (
                "technician",
                {"type": "retire_device", "device": "die-9", "reason": "it is chipped"},
            ),
        ):
            answer = one.order(name, "accounts", command)
            assert answer.status_code == 200, answer.text
        yield one


def listed(door: Door, name: str = "technician") -> dict[str, dict[str, Any]]:
    answer = door.get(name, "/devices")
    assert answer.status_code == 200, answer.text
    return {one["name"]: one for one in answer.json()}


@pytest.mark.parametrize("name", TENDS)
def test_whoever_tends_devices_sees_all_of_them(door: Door, name: str) -> None:
    found = listed(door, name)
    assert list(found) == sorted(found)
    shoe, die = found["shoe-9"], found["die-9"]
    assert (shoe["kind"], shoe["table"], shoe["retired"]) == ("shoe", "baccarat", None)
    assert (die["kind"], die["table"], die["token"]) == ("die", None, False)
    assert shoe["registered"]["by"] == "technician"
    assert (die["registered"]["by"], die["retired"]["by"]) == ("administrator", "technician")
    now = datetime.fromisoformat(door.get(None, "/house").json()["time"])
    moments = [shoe["registered"], die["registered"], die["retired"]]
    read = [datetime.fromisoformat(one["moment"]) for one in moments]
    assert read == sorted(read)
    assert now - LATELY < read[0] <= now


@pytest.mark.parametrize("name", OTHERS)
def test_nobody_else_sees_them(door: Door, name: str) -> None:
    answer = door.get(name, "/devices")
    assert (answer.status_code, code_of(answer)) == (403, "forbidden")


def test_nobody_sees_them_without_signing_in(door: Door) -> None:
    answer = door.get(None, "/devices")
    assert (answer.status_code, code_of(answer)) == (401, "unauthenticated")


def test_a_device_was_seen_when_it_asked(door: Door) -> None:
    assert (listed(door)["shoe-9"]["token"], listed(door)["shoe-9"]["seen"]) == (False, None)
    issued = door.http.post("/devices/shoe-9/token", headers=door.headers("technician"))
    token = issued.json()["token"]
    assert listed(door)["shoe-9"]["token"] is True
    assert listed(door)["shoe-9"]["seen"] is None
    status = door.http.get("/devices/shoe-9", headers={"Authorization": f"Bearer {token}"})
    assert status.status_code == 200, status.text
    first = listed(door)["shoe-9"]["seen"]
    assert first is not None
    # A device does not see the others.
    answer = door.http.get("/devices", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 401
    assert token not in door.get("technician", "/devices").text


def test_what_is_registered_later_is_listed_too(door: Door) -> None:
    before = listed(door)
    command = {"type": "register_device", "device": "screen-9", "kind": "display"}
    assert door.order("administrator", "accounts", command).status_code == 200
    assert listed(door).keys() - before.keys() == {"screen-9"}


@pytest.mark.parametrize("kind", ["register_device", "move_device"])
def test_no_device_is_at_a_table_that_is_not_there(door: Door, kind: str) -> None:
    command = {"type": kind, "device": "shoe-9", "table": "roulette"}
    if kind == "register_device":
        command |= {"device": "shoe-8", "kind": "shoe"}
    before = listed(door)
    answer = door.order("technician", "accounts", command)
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_table")
    assert "roulette" in answer.json()["detail"]
    assert listed(door) == before
