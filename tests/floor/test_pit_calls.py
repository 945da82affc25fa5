"""The floor at a glance, win and hold, ratings and discretions, over a real server."""

from __future__ import annotations

import json
import time
from collections import deque
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from croupier.floor.alarms import Alarm, AlarmCode, Alarms, AlarmsTopic
from croupier.floor.api.reports import remembers_since
from croupier.floor.people_file import PeopleFile
from croupier.journal.decision import now
from tests.floor.guarding import UNLIMITED, code_of, hear, house, say
from tests.floor.rounds import looped

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.floor.guarding import Door

PIT = (
    "acting-supervisor",
    "pit-supervisor",
    "pit-manager",
    "assistant-casino-manager",
    "gaming-shift-manager",
)
AUDITS = ("auditor", "surveillance")
OTHERS = (
    None,
    "patron-01",
    "dealer",
    "cashier",
    "cage-supervisor",
    "acting-cashier",
    "technician",
    "administrator",
    "bare",
)
EVERYBODY = (*PIT, *AUDITS, *OTHERS)
REPORTS = ("/reports/shift", "/reports/shoes", "/reports/exceptions")
PATHS = (
    "/pit/floor",
    "/performance/win",
    "/performance/ratings",
    "/performance/discretions",
    *REPORTS,
)
VOID = {"type": "decide_referral", "decision": "void", "reason": "the shoe fell"}


def _round_open(door: Door, table: str) -> int:
    """Wait until bets are open; return the round."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        view = door.get(None, f"/tables/{table}").json()["view"]
        if view["phase"] == "OPEN" and view["hold"] is None:
            number: int = view["round"]
            return number
        time.sleep(0.02)
    raise AssertionError(view)


@pytest.fixture(scope="module")
def door() -> Iterator[Door]:
    """Serve a house in which two patrons played at one table, and a round became void."""
    with house(settings=UNLIMITED, deals=True) as one:
        for number, name in enumerate(("patron-01", "patron-02"), 1):
            seat = {"type": "take_seat", "position": number}
            assert one.order(name, "tiger", seat).status_code == 200
            send = {"type": "send_to_table", "table": "tiger", "cents": 500_000}
            assert one.order(name, "cage", send).status_code == 200
        for _ in range(3):
            number = _round_open(one, "tiger")
            for name, wager in (("patron-01", "player"), ("patron-02", "banker")):
                stake = {"type": "place_wager", "wager": wager, "cents": 10_000}
                answer = one.order(name, "tiger", stake, round=number)
                assert answer.status_code == 200, answer.text
            _over(one, number)
        one.voided = _void(one)  # type: ignore[attr-defined]
        yield one


def _over(door: Door, number: int) -> None:
    with door.live("patron-01") as live:
        say(live, type="subscribe", topic="table:tiger")
        view = hear(live, "snapshot")["view"]
        while all(done["round"] != number for done in view["results"]):
            view |= hear(live, "change")["view"]


def _void(door: Door) -> int:
    """Let a round with a stake of 200.00 be void by the pit; return its number."""
    number = _round_open(door, "tiger")
    stake = {"type": "place_wager", "wager": "tie", "cents": 20_000}
    assert door.order("patron-01", "tiger", stake, round=number).status_code == 200
    report = {"type": "report", "about": {"situation": "other"}, "note": "the shoe fell"}
    answer = door.order("dealer", "tiger", report, round=number)
    assert answer.status_code == 200, answer.text
    approval = door.approve("pit-supervisor", "tiger", VOID, "gaming-shift-manager").json()
    answer = door.order(
        "gaming-shift-manager", "tiger", VOID, round=number, approval=approval["approval"]
    )
    assert answer.status_code == 200, answer.text
    return number


# Who may


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("name", EVERYBODY, ids=str)
def test_who_sees_what_tables_win(door: Door, name: str | None, path: str) -> None:
    answer = door.get(name, path)
    allowed = name in (*PIT, *AUDITS)
    if path.endswith("discretions"):
        allowed = name in (*PIT[2:], *AUDITS)
    if name is None:
        assert (answer.status_code, code_of(answer)) == (401, "unauthenticated")
    elif allowed:
        assert answer.status_code == 200, answer.text
    else:
        assert (answer.status_code, code_of(answer)) == (403, "forbidden")


OF_NO_TABLE = ("cashier", "cage-supervisor", "administrator")


@pytest.mark.parametrize("name", EVERYBODY, ids=str)
def test_alarms_that_are_over_are_for_those_who_heard_of_them(
    door: Door, name: str | None
) -> None:
    answer = door.get(name, "/alarms/history")
    hears = name not in (None, "patron-01", "bare", *OF_NO_TABLE)
    assert answer.status_code == (200 if hears else 401 if name is None else 403), answer.text


# The floor


def test_the_floor_shows_every_table_at_a_glance(door: Door) -> None:
    floor = door.get("pit-manager", "/pit/floor").json()
    assert floor["counted"] is True
    tables = {one["summary"]["name"]: one for one in floor["tables"]}
    assert tables.keys() == {one["name"] for one in door.get(None, "/tables").json()}
    tiger = tables["tiger"]
    assert (tiger["patrons"], tiger["turnover_cents"], tiger["voids"]) == (2, 60_000, 1)
    assert tiger["rounds"] >= 3
    assert tiger["rounds_an_hour"] > 60
    assert tiger["drop_cents"] == 1_000_000
    assert floor["turnover_cents"] == sum(one["turnover_cents"] for one in floor["tables"])
    assert floor["patrons"] == 2
    assert floor["open"] == len(tables)


def test_a_hold_shows_who_is_waited_for(door: Door) -> None:
    number = _round_open(door, "tiger")
    report = {"type": "report", "about": {"situation": "other"}, "note": "a quarrel"}
    assert door.order("dealer", "tiger", report, round=number).status_code == 200
    floor = door.get("pit-manager", "/pit/floor").json()
    (table,) = [one for one in floor["tables"] if one["summary"]["name"] == "tiger"]
    assert table["hold"]["kind"] == "referral"
    assert table["hold"]["reported_by"] == "dealer"
    assert table["hold"]["since"] <= floor["time"]
    assert table["waits"]["positions"] == ["Gaming Shift Manager"]
    proceed = {"type": "decide_referral", "decision": "continue", "reason": "settled"}
    answer = door.order("gaming-shift-manager", "tiger", proceed, hold=table["hold"]["record"])
    assert answer.status_code == 200, answer.text


# Win and hold


def _lines(door: Door) -> list[dict[str, Any]]:
    """Return the pay lines of all rounds that stand, as the rounds themselves tell them."""
    rounds = door.get("pit-manager", "/tables/tiger/rounds?limit=100").json()
    return [line for one in rounds for line in one["lines"]]


def test_win_is_what_the_rounds_paid_and_what_the_odds_expect(door: Door) -> None:
    found = door.get("pit-manager", "/performance/win?table=tiger&by=wager").json()
    total, lines = found["total"], _lines(door)
    assert total["win_cents"] == -sum(line["won_cents"] for line in lines)
    assert total["turnover_cents"] == 60_000
    assert total["lower_cents"] < total["expected_cents"] < total["upper_cents"]
    assert (total["drop_cents"], total["hold_of"], total["voids"]) == (1_000_000, "drop", 1)
    odds = door.get(None, "/games/tiger/odds").json()["wagers"]
    edges = {one["wager"]: one["edge"] for one in odds}
    by = {one["of"]["wager"]: one for one in found["lines"]}
    assert by.keys() == {"player", "banker"}
    for wager, line in by.items():
        assert line["turnover_cents"] == 30_000
        assert line["edge"] == pytest.approx(edges[wager])
        assert line["expected_cents"] == round(30_000 * edges[wager])


def test_the_picture_ends_where_the_total_is(door: Door) -> None:
    found = door.get("auditor", "/performance/win?table=tiger").json()
    series, total = found["series"], found["total"]
    assert found["series_of"] == "round"
    assert [one["round"] for one in series] == sorted(one["round"] for one in series)
    for name in ("win_cents", "expected_cents", "lower_cents", "upper_cents"):
        assert abs(series[-1][name] - total[name]) <= 1, name
    weeks = door.get("auditor", "/performance/win?table=tiger&days=7").json()
    assert weeks["series_of"] == "day"
    assert weeks["series"][-1]["win_cents"] == weeks["total"]["win_cents"]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("by=weather", "not_readable"),
        ("table=nowhere", "unknown_table"),
        ("days=32", "not_readable"),
        ("days=0", "not_readable"),
        ("weeks=1", "not_readable"),
    ],
)
def test_what_is_not_counted_is_refused(door: Door, query: str, code: str) -> None:
    assert code_of(door.get("pit-manager", f"/performance/win?{query}")) == code


def test_ratings_say_how_patrons_played(door: Door) -> None:
    found = door.get("pit-supervisor", "/performance/ratings?by=patron,table").json()
    lines = {one["of"]["patron"]: one for one in found["lines"]}
    assert lines.keys() == {"patron-01", "patron-02"}
    one = lines["patron-01"]
    assert (one["rounds"], one["turnover_cents"], one["average_cents"]) == (3, 30_000, 10_000)
    assert (one["bought_cents"], one["taken_cents"]) == (500_000, 0)
    assert one["seated_seconds"] > 0
    alone = door.get("pit-supervisor", "/performance/ratings?patron=patron-02").json()
    assert [line["of"] for line in alone["lines"]] == [{"patron": "patron-02"}]


# Discretions


def test_a_void_shows_who_decided_it_and_what_it_moved(door: Door) -> None:
    found = door.get("auditor", "/performance/discretions?kind=void").json()
    (act,) = found["acts"]
    assert (act["table"], act["round"]) == ("tiger", door.voided)  # type: ignore[attr-defined]
    assert (act["by"], act["position"]) == ("gaming-shift-manager", "Gaming Shift Manager")
    assert (act["second"], act["second_position"]) == ("pit-supervisor", "Pit Supervisor")
    assert (act["cents"], act["reported_by"]) == (20_000, "dealer")
    assert (act["choice"], act["reason"]) == ("void", "the shoe fell")
    people = {one["person"]: one for one in found["people"]}
    assert people["gaming-shift-manager"]["counts"]["void"] == 1
    assert people["gaming-shift-manager"]["cents"] == 20_000
    assert people["pit-supervisor"]["seconds"] == 1


# Reports


def _events(door: Door, table: str) -> list[dict[str, Any]]:
    """Return what the journal has of a table, as an auditor reads it."""
    text = door.get("auditor", f"/journal/export?stream=table:{table}").text
    lines = [json.loads(one) for one in text.splitlines()]
    return [event for one in lines if one["kind"] == "decision" for event in one["events"]]


def _count(events: list[dict[str, Any]], kind: str) -> int:
    return sum(one["name"] == kind for one in events)


def test_the_report_of_a_shift_is_what_its_tables_played(door: Door) -> None:
    report = door.get("pit-supervisor", "/reports/shift?table=tiger").json()
    (table,) = report["tables"]
    (game,) = table["games"]
    win = door.get("pit-supervisor", "/performance/win?by=&table=tiger").json()["total"]
    for name in ("rounds", "turnover_cents", "win_cents", "expected_cents", "drop_cents"):
        assert game[name] <= win[name] if name == "rounds" else game[name] == win[name]
        assert report["total"][name] == game[name]
    assert (game["of"]["table"], game["of"]["game"], game["voids"]) == ("tiger", "tiger", 1)
    assert table["dealers"] == [], "the house dealt"
    assert report["slips_kept"]
    period = report["period"]
    assert period["shifts"] == ["day", "swing", "night"]
    shifts = [
        door.get("auditor", f"/reports/shift?table=tiger&shift={shift}").json()
        for shift in period["shifts"]
    ]
    turnover = [one["total"]["turnover_cents"] for one in shifts if one["total"]]
    assert sum(turnover) == game["turnover_cents"] == 60_000
    assert shifts[0]["period"]["ends"] == shifts[1]["period"]["begins"]


def test_the_report_of_shoes_counts_what_the_journal_has(door: Door) -> None:
    report = door.get("auditor", "/reports/shoes?table=tiger").json()
    events = _events(door, "tiger")
    (shoe,) = report["shoes"]
    assert (shoe["table"], shoe["game"], shoe["source"]) == ("tiger", "tiger", "virtual")
    assert shoe["voids"] == _count(events, "round_voided") == 1
    assert 0 < shoe["rounds"] <= _count(events, "round_closed")
    assert shoe["rounds"] == shoe["player"] + shoe["banker"] + shoe["ties"]
    assert (shoe["ended"], shoe["how"]) == (None, None)
    assert report["shoes_kept"]


def test_the_report_of_exceptions_says_who_and_where(door: Door) -> None:
    number = door.voided  # type: ignore[attr-defined]
    refused = door.order("dealer", "tiger", {"type": "load_shoe", "shoe": "one more"})
    assert refused.status_code == 409
    report = door.get("pit-manager", "/reports/exceptions?table=tiger").json()
    lines = report["lines"]
    counts = {kind: sum(one["kind"] == kind for one in lines) for kind in report["counts"]}
    assert counts == report["counts"]
    by_kind = {one["kind"]: one for one in lines}
    void = by_kind["void"]
    assert (void["round"], void["cents"], void["by"]) == (
        number,
        20_000,
        "gaming-shift-manager",
    )
    assert void["second"] == "pit-supervisor"
    assert by_kind["report"]["about"] == "other"
    assert by_kind["referral"]["about"] == "void"
    seconds = [one["code"] for one in lines if one["kind"] == "second_person"]
    assert "decide_referral" in seconds
    last = by_kind["refused"]
    assert (last["about"], last["by"]) == ("load_shoe", "dealer")
    alarm = by_kind["alarm"]
    assert (alarm["code"], alarm["round"], alarm["cents"]) == ("round_void", number, 20_000)
    voids = door.get("auditor", "/reports/exceptions?kind=void&limit=1").json()
    assert [one["kind"] for one in voids["lines"]] == ["void"]
    moments = [one["moment"] for one in lines]
    assert moments == sorted(moments, reverse=True)
    assert report["exceptions_kept"]


def test_a_book_that_forgot_says_so() -> None:
    begins = datetime(2026, 11, 18, 6, tzinfo=UTC)
    before, within = begins - timedelta(minutes=1), begins + timedelta(minutes=1)

    def remembers(*moments: datetime) -> bool:
        return remembers_since(deque(moments, maxlen=2), lambda one: one, begins)

    assert remembers()
    assert remembers(within), "nothing was forgotten yet"
    assert remembers(before, within), "what was forgotten is older"
    assert not remembers(within, within)


@pytest.mark.parametrize("path", REPORTS)
@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("shift=tea", "not_readable"),
        ("day=2020-01-01", "not_readable"),
        ("day=soon", "not_readable"),
        ("table=nosuch", "unknown_table"),
    ],
)
def test_a_report_of_nothing_that_is_known_is_refused(
    door: Door, path: str, query: str, code: str
) -> None:
    assert code_of(door.get("auditor", f"{path}?{query}")) == code


def test_settings_and_second_persons_are_discretions_too(door: Door) -> None:
    before = door.get("auditor", "/performance/discretions?kind=setting").json()["acts"]
    limits = {"type": "set_clocks", "clocks": {"betting_ms": 1100}, "reason": "busy"}
    assert door.order("pit-manager", "tiger", limits).status_code == 200
    after = door.get("auditor", "/performance/discretions?kind=setting").json()["acts"]
    assert len(after) == len(before) + 1
    assert (after[0]["command"], after[0]["reason"]) == ("set_clocks", "busy")
    fills = door.get("auditor", "/performance/discretions?kind=cage&person=cage-supervisor")
    assert {one["command"] for one in fills.json()["acts"]} == {"set_opener"}
    one = door.get("auditor", "/performance/discretions?limit=1").json()
    assert len(one["acts"]) == 1
    assert one["left_off"] > 0


# Alarms


@looped
async def test_an_alarm_is_remembered_with_who_acknowledged_it(tmp_path: Path) -> None:
    file = await PeopleFile.open(tmp_path / "people.sqlite")
    topic = AlarmsTopic(None)  # type: ignore[arg-type]
    topic.show = lambda *_: None  # type: ignore[method-assign]
    alarms = Alarms(file, topic)
    await alarms.load()
    for card in range(3):
        await alarms.raise_alarm(
            Alarm(
                number=0, table="8", device="shoe-8", moment=now(), code=AlarmCode.MISREAD,
                sentence="A card was misread.", card=card,
            )
        )  # fmt: skip
    first, second, _ = alarms.of("8")
    await alarms.end("8", [first.number], "dan")
    await alarms.end("8", [second.number])
    newest, oldest = await alarms.ended()
    assert (oldest.number, oldest.acknowledged_by) == (first.number, "dan")
    assert (newest.number, newest.acknowledged_by) == (second.number, None)
    assert oldest.ended >= oldest.moment
    assert [one.number for one in await alarms.ended(before=newest.number)] == [oldest.number]
    assert await alarms.ended(table="9") == []
    assert len(await alarms.ended(limit=1)) == 1
    assert [one.card for one in alarms.of("8")] == [2]
    await file.close()
