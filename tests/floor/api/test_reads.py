"""What can be read over HTTP."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from croupier.rulebooks import GAMES
from tests.floor.serving import printed

if TYPE_CHECKING:
    import httpx

    from tests.floor.api.served import Served

SLUGS = [game.slug for game in GAMES]


def problem(answer: httpx.Response, status: int, code: str) -> str:
    """Return the sentence of a problem."""
    assert answer.headers["content-type"] == "application/problem+json"
    body = answer.json()
    assert (answer.status_code, body["code"], body["status"]) == (status, code, status)
    assert body.keys() >= {"type", "title", "status", "detail", "code", "clause"}
    assert answer.headers["cache-control"] == "no-store"
    sentence: str = body["detail"]
    assert sentence.endswith(".")
    return sentence


# Games


def in_utc(game: dict[str, Any]) -> dict[str, Any]:
    """Return a game with its moment as the API says all of them."""
    effective = datetime.fromisoformat(game["effective"]).astimezone(UTC)
    return {**game, "effective": effective.isoformat(timespec="microseconds")[:-6] + "Z"}


def test_games_are_those_of_the_command_line(quiet: Served) -> None:
    assert quiet.get("/games").json() == [in_utc(one) for one in printed("games")]
    for slug in ("baccarat", "power-98", "tiger"):
        assert quiet.get(f"/games/{slug}").json() == in_utc(printed("rules", slug))
    assert [one["game"] for one in quiet.get("/games").json()] == SLUGS


def test_odds_are_those_of_the_command_line(quiet: Served) -> None:
    assert quiet.get("/games/tiger/odds").json() == printed("odds", "tiger")
    found = quiet.get("/games/super-6/odds?decks=6").json()
    assert found == printed("odds", "super-6", "--decks", "6")


def test_constants_have_a_tag_and_may_be_kept(quiet: Served) -> None:
    for path in ("/games", "/games/tiger", "/games/tiger/odds?decks=8"):
        first = quiet.get(path)
        assert first.headers["cache-control"] == "public, max-age=3600"
        again = quiet.get(path, headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == first.headers["etag"]
        assert quiet.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


def test_a_game_that_is_not_there(quiet: Served) -> None:
    for path in ("/games/roulette", "/games/roulette/odds"):
        said = problem(quiet.get(path), 404, "unknown_game")
        assert "'roulette'" in said
        assert "baccarat" in said


@pytest.mark.parametrize("decks", ["3", "11", "eight", "8.5", "", "1" * 40])
def test_decks_that_no_shoe_has(quiet: Served, decks: str) -> None:
    problem(quiet.get("/games/tiger/odds", params={"decks": decks}), 422, "not_readable")


# Tables


def test_without_a_login_the_public_view(quiet: Served) -> None:
    found = quiet.get("/tables/tiger")
    assert found.headers["cache-control"] == "no-store"
    body = found.json()
    assert body.keys() == {"table", "sequence", "time", "view"}
    assert body["view"].keys().isdisjoint({"own", "dealer", "pit", "auditor"})
    assert "own" in quiet.get("/tables/tiger", "patron-01").json()["view"]
    assert "dealer" in quiet.get("/tables/tiger", "dealer").json()["view"]
    assert "auditor" in quiet.get("/tables/tiger", "auditor").json()["view"]


READS = ["", "/roads", "/may", "/shoes/1"]


@pytest.mark.parametrize("read", READS)
def test_reads_of_a_table_wait_for_a_record(quiet: Served, read: str) -> None:
    sequence = quiet.get("/tables/tiger").json()["sequence"]
    path = f"/tables/tiger{read}"
    assert quiet.get(f"{path}?after={sequence}", "dealer").status_code in (200, 404)
    late = quiet.get(f"{path}?after={sequence + 1}", "dealer")
    assert f"{sequence + 1} is not here yet" in problem(late, 503, "behind")
    assert int(late.headers["retry-after"]) >= 1


@pytest.mark.parametrize("read", READS)
def test_reads_of_a_table_that_is_not_there(quiet: Served, read: str) -> None:
    problem(quiet.get(f"/tables/nowhere{read}", "dealer"), 404, "unknown_table")


def test_roads_are_those_of_the_command_line(floor: Served) -> None:
    letters = {"player": "P", "banker": "B", "tie": "T"}
    floor.play("fortune-six", "patron-11", 8, 3)
    while True:
        view = floor.get("/tables/fortune-six").json()
        roads = floor.get("/tables/fortune-six/roads").json()
        if (
            floor.get("/tables/fortune-six").json()["view"]["results"]
            == view["view"]["results"]
        ):
            break
    words = [
        letters[one["winner"]]
        + ("+pp" if one["player_pair"] else "")
        + ("+bp" if one["banker_pair"] else "")
        for one in view["view"]["results"]
        if not one["void"]
    ]
    assert len(words) == len(roads["bead"])
    assert roads == printed("roads", "--outcomes", " ".join(words))


def test_may_is_for_whoever_is_signed_in(quiet: Served) -> None:
    problem(quiet.get("/tables/tiger/may"), 401, "unauthenticated")
    patrons = quiet.get("/tables/tiger/may", "patron-01").json()
    assert "take_seat" in {one["command"] for one in patrons["may"]}
    dealers = quiet.get("/tables/baccarat/may", "dealer").json()
    assert "load_shoe" in {one["command"] for one in dealers["may"]}
    assert "load_shoe" not in {one["command"] for one in patrons["may"]}
    assert quiet.get("/tables/tiger/may", "auditor").json()["may"] == []


# What is said to whoever asks wrongly


def test_parameters_that_a_call_does_not_know(quiet: Served) -> None:
    said = problem(quiet.get("/tables/tiger?afer=3"), 422, "not_readable")
    assert said == "The call has no parameter 'afer'; known are after."
    said = problem(quiet.get("/games?page=2"), 422, "not_readable")
    assert said == "The call has no parameter 'page'; it knows none."
    said = problem(quiet.get("/tables/tiger?after=1&after=2"), 422, "not_readable")
    assert "came 2 times" in said
    for wrong in ("x", "-1", "1.5", str(2**63), "9" * 5000):
        problem(quiet.get("/tables/tiger", params={"after": wrong}), 422, "not_readable")


def test_nothing_is_at_other_paths(quiet: Served) -> None:
    for path in ("/nothing", "/tables/tiger/nothing", "/tables/tiger/shoes/1/more"):
        problem(quiet.get(path), 404, "not_found")
    said = problem(quiet.ask("DELETE", "/tables/tiger"), 405, "not_allowed")
    assert said == "There is no DELETE at '/api/v1/tables/tiger'; OPTIONS tells more."


def test_head_answers_as_get_without_a_body(quiet: Served) -> None:
    for path, status in (("/games", 200), ("/tables", 200), ("/tables/nowhere", 404)):
        got, head = quiet.get(path), quiet.ask("HEAD", path)
        assert (head.status_code, head.content) == (status, b"")
        for name in ("content-type", "content-length", "cache-control", "etag"):
            assert head.headers.get(name) == got.headers.get(name)


def test_head_of_a_stream_of_events_ends(quiet: Served) -> None:
    head = quiet.ask("HEAD", "/events?topic=table:tiger")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"].startswith("text/event-stream")


@pytest.mark.parametrize("query", ["", "topic=table:tiger&topic=table:tiger", "topics=x"])
def test_events_of_no_topic(quiet: Served, query: str) -> None:
    problem(quiet.get(f"/events?{query}"), 422, "not_readable")


def test_options_tell_the_methods(quiet: Served) -> None:
    found = quiet.ask("OPTIONS", "/tables/tiger")
    assert found.status_code == 204
    assert "GET" in found.headers["allow"]
    assert "POST" in quiet.ask("OPTIONS", "/tables/tiger/commands").headers["allow"]


def test_a_patron_previews_nothing_that_no_patron_does_at_a_table(quiet: Served) -> None:
    body = {"command": {"type": "draw_card"}}
    at_tiger = quiet.ask("POST", "/tables/tiger/preview", "patron-01", json=body)
    problem(at_tiger, 403, "forbidden")
    # By one of its methods a patron draws at Baccarat: the table itself says no.
    at_baccarat = quiet.ask("POST", "/tables/baccarat/preview", "patron-01", json=body)
    assert at_baccarat.status_code == 409
