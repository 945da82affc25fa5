"""Finished rounds, shoes and previews over HTTP."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from croupier import verifier
from tests.floor.api.test_reads import problem

if TYPE_CHECKING:
    from tests.floor.api.served import Served

FIELDS = (
    "round shoe opened closed settled cards die power player banker winner void interruptions"
    " stakes lines corrected"
)
STAKE = "stake wager position cents shared"
LINE = (
    "stake wager cents settled_cents result row pays clause won_cents commission_cents breach"
    " breach_clause"
)
STAFF = (
    *("dealer", "pit-manager", "auditor"),
    *("cashier", "cage-supervisor", "technician", "surveillance"),
)
READERS = (None, "patron-01", "patron-02", "administrator", *STAFF)
TABLE, PATRON, POSITION = "fortune-six", "patron-01", 3


@pytest.fixture(scope="module")
def numbers(floor: Served) -> list[int]:
    """Play some rounds, two at the first table and one at another one between them."""
    first = floor.play(TABLE, PATRON, POSITION, 1)
    floor.play("fabulous-4s", PATRON, POSITION, 1)
    return first + floor.play(TABLE, PATRON, POSITION, 2)


def rounds(floor: Served, name: str | None, query: str = "") -> list[dict[str, Any]]:
    """Return finished rounds as somebody reads them."""
    found: list[dict[str, Any]] = floor.get(f"/tables/{TABLE}/rounds{query}", name).json()
    return found


@pytest.mark.usefixtures("numbers")
def test_rounds_come_newest_first_page_by_page(floor: Served) -> None:
    # The first page is read last: rounds go on while the others are.
    page = [one["round"] for one in rounds(floor, None, "?limit=2")]
    assert page == [page[0], page[0] - 1]
    earlier = [one["round"] for one in rounds(floor, None, f"?before={page[0]}&limit=100")]
    assert earlier == list(range(page[0] - 1, 0, -1))
    assert rounds(floor, None, "?before=1") == []


@pytest.mark.parametrize("query", ["limit=0", "limit=x", "before=-1", "before=z"])
def test_pages_that_nobody_can_have(floor: Served, query: str) -> None:
    problem(floor.get(f"/tables/{TABLE}/rounds?{query}"), 422, "not_readable")


@pytest.mark.usefixtures("numbers")
def test_whoever_asks_for_more_than_a_page_gets_a_page(floor: Served) -> None:
    newest = rounds(floor, None, "?limit=1")[0]["round"]
    before = f"before={newest + 1}"
    assert rounds(floor, None, f"?limit=1000&{before}") == rounds(
        floor, None, f"?limit=100&{before}"
    )
    assert floor.get("/me/rounds?limit=1000", PATRON).status_code == 200


@pytest.mark.parametrize("name", READERS)
def test_a_round_has_what_its_reader_may_know(
    floor: Served, numbers: list[int], name: str | None
) -> None:
    number = numbers[0]
    (found,) = rounds(floor, name, f"?before={number + 1}&limit=1")
    assert found["round"] == number
    assert found.keys() >= set(FIELDS.split())
    for part, fields in ((found["stakes"], STAKE), (found["lines"], LINE)):
        assert all(one.keys() >= set(fields.split()) for one in part)
        assert all(("patron" in one) == (name in STAFF) for one in part)
        assert bool(part) == (name in (*STAFF, PATRON))
    in_steps = floor.get(f"/tables/{TABLE}/rounds/{number}", name).json()
    steps = in_steps.pop("steps")
    assert in_steps == found
    assert steps[0]["command"]["type"] == "call_bets"
    placed = [one for one in steps if one["command"]["type"] == "place_wager"]
    names = {one["by"]["name"] for one in placed}
    assert names == ({PATRON} if name in (*STAFF, PATRON) else {None})
    faces = [one for one in found["cards"] if one is not None]
    assert len(faces) in (4, 5, 6)


@pytest.mark.parametrize("name", READERS)
def test_a_round_in_progress_is_nobodys_to_read(floor: Served, name: str | None) -> None:
    while True:
        view = floor.get(f"/tables/{TABLE}").json()["view"]
        answer = floor.get(f"/tables/{TABLE}/rounds/{view['round']}", name)
        after = floor.get(f"/tables/{TABLE}").json()["view"]
        if view["round"] == after["round"] and view["phase"] == after["phase"] == "OPEN":
            break
    assert view["round"] not in [one["round"] for one in rounds(floor, name)]
    said = problem(answer, 404, "unknown_round")
    assert said == f"Table {TABLE} has no finished round {view['round']}."


@pytest.mark.parametrize("number", ["0", "999999", str(10**30)])
def test_rounds_that_are_not_there(floor: Served, number: str) -> None:
    problem(floor.get(f"/tables/{TABLE}/rounds/{number}"), 404, "unknown_round")


@pytest.mark.parametrize("number", ["x", "1.5", "-", "9" * 5000])
def test_what_is_no_number_is_no_path(floor: Served, number: str) -> None:
    answer = floor.get(f"/tables/{TABLE}/rounds/{number}")
    assert answer.status_code == 404
    assert answer.json()["code"] in ("not_found", "unknown_round")


def test_own_rounds_of_all_tables(floor: Served, numbers: list[int]) -> None:
    found = floor.get("/me/rounds", PATRON).json()
    played = [(one["table"], one["round"]) for one in found]
    first, *others = numbers
    assert [(table, number) for table, number in played if table == TABLE] == [
        *((TABLE, number) for number in reversed(others)),
        (TABLE, first),
    ]
    assert played[len(others)][0] == "fabulous-4s"
    opened = [one["opened"] for one in found]
    assert opened == sorted(opened, reverse=True)
    assert all(one["stakes"] and one["lines"] for one in found)
    (newest,) = floor.get("/me/rounds?limit=1", PATRON).json()
    assert newest == found[0]
    rest = floor.get("/me/rounds", PATRON, params={"before": newest["opened"]}).json()
    assert rest == found[1:]
    assert floor.get("/me/rounds", "patron-02").json() == []


def test_own_rounds_are_a_patrons(floor: Served) -> None:
    problem(floor.get("/me/rounds"), 401, "unauthenticated")
    problem(floor.get("/me/rounds", "dealer"), 403, "forbidden")
    problem(floor.get("/me/rounds?before=soon", PATRON), 422, "not_readable")


# Shoes


@pytest.mark.usefixtures("numbers")
def test_a_shoe_in_play_is_a_commitment_and_nothing_more(floor: Served) -> None:
    shoe = floor.get(f"/tables/{TABLE}").json()["view"]["shoe"]["name"]
    found = floor.get(f"/tables/{TABLE}/shoes/{shoe}").json()
    assert (found["table"], found["shoe"], found["in_play"]) == (TABLE, shoe, True)
    assert len(found["root"]) == 64
    assert found["openings"] == found["rest"] == []
    problem(floor.get(f"/tables/{TABLE}/shoes/nothing"), 404, "unknown_shoe")


def prove(found: dict[str, Any]) -> None:
    """Check every card of a shoe by the verifier, which shares no code with the server."""
    stream = verifier.Stream()
    names = ("shoe", "seal", "cards", "source", "root")
    sealed = {name: found[name] for name in names}
    assert verifier.check_shoe(stream, "shoe_sealed", sealed) == []
    for one in found["openings"]:
        card = {**one, "seal": found["seal"]}
        assert verifier.check_shoe(stream, "card_opened", card) == []
    cards = {str(one["number"]): [one["card"], one["salt"]] for one in found["rest"]}
    opened = {"seal": found["seal"], "cards": cards}
    assert verifier.check_shoe(stream, "shoe_opened", opened) == []


def test_a_shoe_that_was_dealt_from_proves_itself(floor: Served) -> None:
    table = "no-commission"
    floor.play(table, "patron-12", 1, 2)
    shoe = floor.get(f"/tables/{table}").json()["view"]["shoe"]["name"]
    end = time.monotonic() + 30
    while not (
        done := floor.order(f"tables/{table}", {"type": "end_shoe"}, "dealer")
    ).is_success:
        assert time.monotonic() < end, done.text
    sequence = done.json()["sequence"]
    found = floor.get(f"/tables/{table}/shoes/{shoe}?after={sequence}").json()
    assert not found["in_play"]
    dealt = [
        face
        for one in floor.get(f"/tables/{table}/rounds?limit=100").json()
        for face in one["cards"]
        if one["shoe"] == shoe and face is not None
    ]
    assert len(dealt) >= 8
    assert sorted(dealt) == sorted(one["card"] for one in found["openings"])
    for one in floor.get(f"/tables/{table}/rounds?limit=100").json():
        own = [card for card in found["openings"] if card["round"] == one["round"]]
        assert [card["card"] for card in own] == one["cards"]
        assert [card["place"] for card in own][:4] == ["P1", "B1", "P2", "B2"]
        assert found["sealed"] < one["opened"]
    assert {(one["round"], one["place"]) for one in found["rest"]} == {(None, None)}
    assert len(found["openings"]) + len(found["rest"]) == found["cards"]
    prove(found)


def test_a_shoe_that_is_out_of_play_proves_itself(quiet: Served) -> None:
    commands = (
        {"type": "load_shoe", "shoe": "first"},
        {"type": "end_shoe"},
        {"type": "load_shoe", "shoe": "second"},
    )
    for command in commands:
        done = quiet.order("tables/baccarat", command, "dealer")
        assert done.is_success, done.text
    found = quiet.get("/tables/baccarat/shoes/first").json()
    assert not found["in_play"]
    assert not found["lost"]
    assert len(found["openings"]) + len(found["rest"]) == found["cards"] == 416
    prove(found)
    second = quiet.get("/tables/baccarat/shoes/second").json()
    assert (second["in_play"], second["rest"]) == (True, [])
    assert second["root"] != found["root"]


# Previews


def preview(served: Served, table: str, command: dict[str, Any], name: str | None) -> Any:  # noqa: ANN401
    return served.ask("POST", f"/tables/{table}/preview", name, json={"command": command})


def test_a_preview_says_what_would_happen_and_records_nothing(quiet: Served) -> None:
    command = {"type": "take_seat", "position": 5}
    before = quiet.heads()
    found = preview(quiet, "tiger", command, "patron-05").json()
    assert [one["name"] for one in found["change"]["events"]] == ["seat_taken"]
    assert found["change"]["view"]["own"]["seat"] == 5
    assert (found["draws"], found["effects"], found["bank_cents"]) == (0, [], None)
    assert found["sequence"] == before["table:tiger"]
    assert quiet.heads() == before


def test_a_preview_of_what_would_be_refused(quiet: Served) -> None:
    before = quiet.heads()
    command = {"type": "take_seat", "position": 99}
    answer = preview(quiet, "tiger", command, "patron-05")
    problem(answer, 409, answer.json()["code"])
    assert "sequence" not in answer.json()
    assert quiet.heads() == before


def test_who_may_ask_for_a_preview(quiet: Served) -> None:
    command = {"type": "take_seat", "position": 5}
    problem(preview(quiet, "tiger", command, None), 401, "unauthenticated")
    problem(preview(quiet, "tiger", {"type": "call_bets"}, "auditor"), 403, "forbidden")
    problem(preview(quiet, "tiger", {"type": "call_bets"}, "cashier"), 403, "forbidden")
    problem(preview(quiet, "nowhere", command, "patron-05"), 404, "unknown_table")
    problem(preview(quiet, "tiger", {"type": "void"}, "patron-05"), 422, "not_readable")
    other = {"type": "take_seat", "position": 5, "patron": "patron-06"}
    problem(preview(quiet, "tiger", other, "patron-05"), 403, "forbidden")
