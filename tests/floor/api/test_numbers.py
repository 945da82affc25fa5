"""Numbers that come as text are digits and of 64 bits; whatever else Python reads is none."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import httpx
import pytest

from croupier.client.client import _retry_after
from croupier.floor.problems import ProblemError
from croupier.floor.wire import check_shape

if TYPE_CHECKING:
    from tests.floor.api.served import Served

NONE = ["+1", "1_0", "\u0663", " 1", "1.0", "1e1", "null", "-1", "0x1", "9" * 19, "9" * 5000]
PATHS = (
    "/tables/tiger/rounds/{}",
    "/journal/verifications/{}",
    "/tables/tiger/rounds?before={}",
    "/tables/tiger/rounds?limit={}",
    "/tables/tiger?after={}",
    "/games/tiger/odds?decks={}",
)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("text", NONE, ids=[one[:6] for one in NONE])
def test_what_is_no_number_in_digits_is_refused(quiet: Served, path: str, text: str) -> None:
    # A plus in a query would be a space.
    answer = quiet.get(path.format(text.replace("+", "%2B")), "auditor")
    assert answer.status_code == (422 if "?" in path else 404), answer.text
    codes = ("not_readable",) if "?" in path else ("not_found", "unknown_round")
    assert answer.json()["code"] in codes
    if text[:1] not in "-9":
        assert answer.json()["code"] != "unknown_round"


@pytest.mark.parametrize("text", ["+1", "1_0", "\u0663"])
@pytest.mark.parametrize("path", ["rounds/{}/asked", "alarms/{}/acknowledged"])
def test_so_it_is_where_something_is_asked_for(quiet: Served, path: str, text: str) -> None:
    answer = quiet.ask("POST", f"/tables/tiger/{path.format(text)}", "dealer", json={})
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize("text", [*NONE, "", "none", "\xb2", "12"])
def test_a_display_that_brings_no_sequence_begins_with_a_snapshot(
    quiet: Served, text: str
) -> None:
    headers = [(b"Last-Event-ID", text.strip().encode())]
    path = "/api/v1/events?topic=table:tiger"
    with quiet.http.stream("GET", path, headers=headers) as answer:
        assert answer.status_code == 200
        assert next(answer.iter_lines()) == "event: snapshot"


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_moment_that_is_none_in_utc_is_refused(quiet: Served, text: str) -> None:
    answer = quiet.get("/me/rounds", "patron-07", params={"before": text})
    assert (answer.status_code, answer.json()["code"]) == (422, "not_readable")


@pytest.mark.parametrize("number", [-(2**63), 2**63 - 1])
def test_an_integer_of_64_bits_is_read(number: int) -> None:
    check_shape(json.dumps({"n": number}).encode())


@pytest.mark.parametrize("number", [-(2**63) - 1, 2**63])
def test_an_integer_beyond_64_bits_is_not(number: int) -> None:
    with pytest.raises(ProblemError, match="beyond 64 bits"):
        check_shape(json.dumps({"n": number}).encode())


@pytest.mark.parametrize(
    ("text", "seconds"), [("7", 7.0), ("", 0.0), ("\xb2", 0.0), ("9" * 400, 0.0), ("-1", 0.0)]
)
def test_a_client_waits_for_seconds_alone(text: str, seconds: float) -> None:
    answer = httpx.Response(503, headers=[(b"Retry-After", text.encode("latin-1"))])
    assert _retry_after(answer) == seconds
