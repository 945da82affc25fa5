"""One's own play and the seats of a table, over a real server."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import pytest

from tests.floor.guarding import UNLIMITED, code_of, hear, house, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.floor.guarding import Door

PEOPLE = (None, "patron-01", "patron-02", "dealer", "pit-manager", "auditor", "cashier", "bare")
ROUNDS = 3


@pytest.fixture(scope="module")
def door() -> Iterator[Door]:
    """Serve a house in which a patron played some rounds."""
    with house(settings=UNLIMITED, deals=True) as one:
        seat = {"type": "take_seat", "position": 4}
        assert one.order("patron-01", "tiger", seat).status_code == 200
        send = {"type": "send_to_table", "table": "tiger", "cents": 500_000}
        assert one.order("patron-01", "cage", send).status_code == 200
        with one.live("patron-01") as live:
            say(live, type="subscribe", topic="table:tiger")
            view = hear(live, "snapshot")["view"]
            staked: set[int] = set()
            while not {done["round"] for done in view["results"]} >= staked or (
                len(staked) < ROUNDS
            ):
                number = view["round"]
                if view["phase"] == "OPEN" and len(staked) < ROUNDS and number not in staked:
                    for wager in ("banker", "tie"):
                        stake = {"type": "place_wager", "wager": wager, "cents": 10_000}
                        answer = one.order("patron-01", "tiger", stake, round=number)
                        assert answer.status_code == 200, answer.text
                    staked.add(number)
                view |= hear(live, "change")["view"]
        yield one


@pytest.mark.parametrize("name", PEOPLE, ids=str)
def test_whose_play_it_is(door: Door, name: str | None) -> None:
    answer = door.get(name, "/me/play")
    patron = name is not None and name.startswith("patron")
    assert answer.status_code == (401 if name is None else 200 if patron else 403)
    if name == "patron-02":
        found = answer.json()
        assert (found["series"], found["day"]["rounds"]) == ([], 0)


def test_time_and_result_are_those_of_the_rounds(door: Door) -> None:
    found = door.get("patron-01", "/me/play").json()
    lines = [
        line for one in door.get("patron-01", "/me/rounds").json() for line in one["lines"]
    ]
    day = found["day"]
    assert (day["rounds"], day["turnover_cents"]) == (ROUNDS, 20_000 * ROUNDS)
    assert day["result_cents"] == sum(line["won_cents"] for line in lines)
    assert day["seconds"] > 0
    assert found["session"]["result_cents"] == day["result_cents"]
    assert found["session"]["since"] <= found["time"] < found["day_ends"]
    edges = {
        one["wager"]: one["edge"]
        for one in door.get(None, "/games/tiger/odds").json()["wagers"]
    }
    expected = -ROUNDS * 10_000 * (edges["banker"] + edges["tie"])
    assert day["expected_cents"] == round(expected)
    last = found["series"][-1]
    assert last["result_cents"] == day["result_cents"]
    assert last["lower_cents"] < last["expected_cents"] < last["upper_cents"]
    assert len(found["series"]) == ROUNDS


def test_limits_hold_now_and_then(door: Door) -> None:
    lower = {"type": "set_loss_limit", "cents": 400_000}
    assert door.order("patron-01", "accounts", lower).status_code == 200
    higher = {"type": "set_loss_limit", "cents": 900_000}
    assert door.order("patron-01", "accounts", higher).status_code == 200
    found = door.get("patron-01", "/me/play").json()
    limits = {one["limit"]: one for one in found["limits"]}
    assert limits.keys() == {"time", "loss", "stake"}
    loss = limits["loss"]
    assert (loss["value"], loss["then"]) == (400_000, 900_000)
    assert datetime.fromisoformat(loss["since"]) > datetime.fromisoformat(found["time"])
    assert loss["used"] == max(0, -found["day"]["result_cents"])
    assert (limits["time"]["value"], limits["stake"]["used"]) == (None, None)
    assert found["exclusion"] is None


@pytest.mark.parametrize("name", PEOPLE, ids=str)
def test_seats_name_nobody(door: Door, name: str | None) -> None:
    answer = door.get(name, "/tables/tiger/seats")
    found = answer.json()
    assert "patron-" not in answer.text
    assert (found["shared"], found["dealt_by"], found["dealer"]) == (False, "system", None)
    by_position = {one["position"]: one for one in found["positions"]}
    assert list(by_position) == list(range(1, 21))
    own = by_position[4]
    assert (own["patrons"], own["free"], own["own"]) == (1, False, name == "patron-01")
    assert by_position[5]["free"] is (name != "patron-01")
    assert code_of(door.get(name, "/tables/nowhere/seats")) == "unknown_table"


def test_several_patrons_sit_at_one_position_of_a_live_table(door: Door) -> None:
    for name in ("patron-03", "patron-04"):
        seat = {"type": "take_seat", "position": 2}
        assert door.order(name, "baccarat", seat).status_code == 200
    found = door.get("patron-05", "/tables/baccarat/seats").json()
    assert found["shared"] is True
    assert (found["positions"][1]["patrons"], found["positions"][1]["free"]) == (2, True)


@pytest.mark.parametrize("name", PEOPLE, ids=str)
def test_the_dealers_name_is_told_to_those_who_watch_the_table(
    door: Door, name: str | None
) -> None:
    if door.get("auditor", "/tables/baccarat/seats").json()["dealer"] is None:
        signed_in = door.order("pit-supervisor", "baccarat", {"type": "sign_in"})
        assert signed_in.status_code == 200, signed_in.text
    answer = door.get(name, "/tables/baccarat/seats")
    watches = name in ("dealer", "pit-manager", "auditor")
    assert answer.json()["dealer"] == ("pit-supervisor" if watches else None)
    assert ("pit-supervisor" in answer.text) is watches
