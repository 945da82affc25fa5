"""What is open to a patron is turned into commands that the table takes."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from croupier.client import Subscription, fold, offers
from croupier.client.backoff import Backoff
from croupier.client.folding import WAITING_MAX, Feed
from croupier.client.wire import Change, Snapshot, problem_of
from croupier.table.views.shapes import OwnPart

MOMENT = "2026-01-01T00:00:00Z"
PLACE = {
    "command": "place_wager",
    "fields": [
        {"name": "patron", "kind": "choice", "required": True, "allowed": ["patron-01"]},
        {"name": "wager", "kind": "choice", "required": True},
        {"name": "cents", "kind": "cents", "required": True},
    ],
    "ways": [
        [
            {
                "wager": ["banker", "player"],
                "position": [3, 4],
                "join": [None],
                "shared": [False],
                "cents": {"minimum": 1000, "maximum": 2500, "step": 500},
            },
            {
                "wager": ["tie"],
                "position": [4],
                "join": [None],
                "shared": [False],
                "cents": {"minimum": 500, "maximum": 900, "step": 100},
            },
            {
                "wager": ["player-pair"],
                "position": [3],
                "join": [None],
                "shared": [True],
                "cents": {"minimum": 100, "maximum": 900, "step": 100},
            },
        ]
    ],
}


def own(*may: dict[str, Any], seat: int | None = 3, wagers: tuple[str, ...] = ()) -> OwnPart:
    stakes = [
        {
            "number": number, "position": 3, "wager": wager, "cents": 1000,
            "whole_cents": 1000, "shared": False, "found": False, "placed_by": None,
        }
        for number, wager in enumerate(wagers, 1)
    ]  # fmt: skip
    body = {
        "seat": seat, "credit_cents": 5000, "reserved_cents": 0, "in_play_cents": 0,
        "stakes": stakes, "lines": [], "corrected": [], "option": None, "withdrew": None,
        "hands": [], "hands_offered": [], "shoe_held": False, "shoe_offered": False,
        "shaker_held": False, "may": list(may),
    }  # fmt: skip
    return msgspec.convert(body, OwnPart)


def test_a_wager_is_one_that_may_be_placed_at_the_own_position() -> None:
    seen = set()
    for seed in range(200):
        order = offers.wager(own(PLACE), Random(seed), 5)
        assert order is not None
        assert order["wager"] in ("player", "banker")
        assert order["position"] == 3
        assert order["cents"] in (1000, 1500, 2000, 2500)
        seen.add((order["wager"], order["cents"]))
    assert {wager for wager, _ in seen} == {"player", "banker"}
    assert len({cents for _, cents in seen}) > 1


def test_beside_a_main_wager_only_others_are_placed_and_none_twice() -> None:
    at_four = own(PLACE, seat=4, wagers=("banker",))
    order = offers.wager(at_four, Random(1), 1)
    assert order is not None
    assert (order["wager"], order["cents"]) == ("tie", 500)
    assert offers.wager(own(PLACE, seat=4, wagers=("banker", "tie")), Random(1), 1) is None
    assert offers.wager(own(PLACE, seat=None), Random(1), 1) is None
    assert offers.wager(own(), Random(1), 1) is None


def test_what_is_asked_is_answered_options_first() -> None:
    keep, withdraw = {"command": "keep_wagers"}, {"command": "withdraw"}
    places = {"name": "position", "kind": "choice", "required": True, "allowed": ["B1", "B2"]}
    expose = {"command": "expose_card", "fields": [places]}
    sides = {"name": "side", "kind": "choice", "required": True, "allowed": ["banker"]}
    refuse = {"command": "refuse_hand", "fields": [sides]}
    chance = Random(1)
    assert offers.answer(own(), chance, 0.0) is None
    assert offers.answer(own(PLACE), chance, 0.0) is None
    assert offers.answer(own(expose, keep, withdraw), chance, 0.0) == {"type": "keep_wagers"}
    assert offers.answer(own(keep, withdraw), chance, 1.0) == {"type": "withdraw"}
    exposed = offers.answer(own(expose, refuse), chance, 0.0)
    assert exposed is not None
    assert (exposed["type"], exposed["position"] in ("B1", "B2")) == ("expose_card", True)
    refused = offers.answer(own(expose, refuse), chance, 1.0)
    assert refused == {"type": "refuse_hand", "side": "banker"}


def test_a_free_position_is_preferred() -> None:
    positions = {"name": "position", "kind": "choice", "required": True, "allowed": [1, 2, 3]}
    (one,) = own({"command": "take_seat", "fields": [positions]}).may
    assert {offers.seat(one, (1, 3), Random(n))["position"] for n in range(20)} == {2}
    assert {offers.seat(one, (1, 2, 3), Random(n))["position"] for n in range(40)} == {1, 2, 3}


# Folding


def message(kind: str, sequence: int, view: dict[str, Any], **more: Any) -> Any:  # noqa: ANN401
    body = {"type": kind, "topic": "t", "sequence": sequence, "time": MOMENT, "view": view}
    return msgspec.convert({**body, **more}, Snapshot | Change)


def test_areas_merge_one_level_deep_and_everything_else_is_replaced() -> None:
    view = {"areas": {"1/tie": {"cents": 5}, "2/tie": {"cents": 6}}, "hands": [1], "next": {}}
    change = {"areas": {"1/tie": None, "3/tie": {"cents": 7}}, "hands": [2], "next": None}
    assert fold(view, change) == {
        "areas": {"2/tie": {"cents": 6}, "3/tie": {"cents": 7}},
        "hands": [2],
        "next": None,
    }
    assert view["areas"] == {"1/tie": {"cents": 5}, "2/tie": {"cents": 6}}


def test_the_own_part_alone_does_not_say_that_everything_was_heard() -> None:
    feed = Feed("t")
    feed.take(message("snapshot", 5, {"round": 1, "own": {}}))
    feed.take(message("change", 7, {"own": {"seat": 1}}, events=[]))
    assert (feed.sequence, feed.after) == (7, 5)
    feed.take(message("change", 7, {"round": 2}, events=[]))
    assert (feed.sequence, feed.after, feed.view) == (7, 7, {"round": 2, "own": {"seat": 1}})


def test_a_slow_reader_gets_one_snapshot_instead_of_many_changes() -> None:
    feed = Feed("t")
    reader = Subscription(feed, lambda _: None)
    feed.take(message("snapshot", 0, {"round": 0}))
    for number in range(1, WAITING_MAX + 1):
        feed.take(message("change", number, {"round": number}, events=[]))
    (left,) = reader._updates  # noqa: SLF001  # what waits
    assert left.snapshot
    assert left.view == {"round": WAITING_MAX}


def test_waits_double_up_to_five_seconds_and_differ() -> None:
    backoff = Backoff()
    waits = [backoff.next() for _ in range(40)]
    assert all(0.05 <= wait <= 5.0 for wait in waits)
    assert min(waits[-20:]) >= 2.5
    assert len(set(waits)) > 30
    backoff.reset()
    assert backoff.next() <= 0.1


def test_an_answer_that_is_no_problem_is_told_by_its_status() -> None:
    problem = problem_of(502, b"<html>Bad gateway</html>")
    assert (problem.status, problem.code) == (502, "not_a_floor")
    assert "502" in problem.detail
