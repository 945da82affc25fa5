"""What the door says: of the house, of tries that are left, and why a session is over."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tests.floor.guarding import code_of, hear, house, say
from tests.floor.serving import croupier, environment, serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.floor.guarding import Door

PEOPLE = (None, "patron-01", "dealer", "auditor", "bare")


@pytest.fixture(scope="module")
def door() -> Iterator[Door]:
    with house(settings={"rates": {"failed_logins": 3}}) as one:
        yield one


@pytest.mark.parametrize("name", PEOPLE)
def test_a_house_says_to_everybody_what_it_is(door: Door, name: str | None) -> None:
    found = door.get(name, "/house").json()
    assert found["name"] == "Croupier"
    assert found["currency"] == {"code": "SGD", "symbol": "S$", "decimals": 2}
    assert (found["zone"], found["languages"]) == ("Asia/Singapore", ["en", "zh-Hans"])
    day = found["gaming_day"]
    begins, ends, now = map(datetime.fromisoformat, (day["begins"], day["ends"], found["time"]))
    assert begins <= now < ends == begins + timedelta(days=1)
    assert day["shift"] in [shift["name"] for shift in found["shifts"]]
    assert day["shift_begins"] <= found["time"] < day["shift_ends"]


def test_in_a_demo_everybody_may_sign_in(door: Door) -> None:
    found = door.get(None, "/house").json()
    assert found["demo"] is True
    logins = {one["name"]: one for one in found["logins"]}
    assert logins == door.logins
    assert logins["dealer"]["position"] == "Dealer"
    assert (logins["patron-01"]["kind"], logins["patron-01"]["position"]) == ("patron", None)
    login = {key: logins["dealer"][key] for key in ("name", "password")}
    assert door.http.post("/sessions", json=login).status_code == 201
    door.http.cookies.clear()


def _asked_without_demo(folder: Path) -> dict[str, Any]:
    """Serve the house of a folder without --demo; return what it says of itself."""
    ready = folder / "without-demo"
    arguments = ("serve", "--data", str(folder / "house"), "--port", "0", "--ready", str(ready))
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(  # noqa: S603  # our own command
            croupier(*arguments), stdout=log, stderr=log, env=environment()
        )
    try:
        end = time.monotonic() + 60
        while not ready.exists() and time.monotonic() < end and process.poll() is None:
            time.sleep(0.05)
        url = json.loads(ready.read_bytes())["url"]
        said: dict[str, Any] = httpx.get(f"{url}/api/v1/house").json()
        return said
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(15) == 0


def test_outside_a_demo_there_are_no_logins_even_where_one_was(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        assert httpx.get(f"{served.url}/api/v1/house").json()["logins"]
    said = _asked_without_demo(tmp_path)
    assert (said["demo"], said["logins"]) == (False, [])


@pytest.mark.parametrize("name", ["patron-07", "nobody-of-this-name"])
def test_a_wrong_login_says_how_often_one_may_try(door: Door, name: str) -> None:
    wrong = {"name": name, "password": "not this one"}
    answers = [door.http.post("/sessions", json=wrong) for _ in range(4)]
    assert [code_of(one) for one in answers] == [*["wrong_login"] * 3, "too_many"]
    assert [one.json().get("tries_left") for one in answers] == [2, 1, 0, None]


def test_a_page_learns_why_it_is_signed_out(door: Door) -> None:
    def signed_in() -> dict[str, str]:
        return {"Cookie": f"croupier_session={door.sign_in('patron-08').json()['token']}"}

    def ended(headers: dict[str, str]) -> str | None:
        answer = door.http.get("/me", headers=headers)
        assert code_of(answer) == "unauthenticated"
        why: str | None = answer.json().get("ended")
        return why

    assert ended({}) is None
    assert ended({"Cookie": "croupier_session=" + "x" * 43}) is None
    closed = signed_in()
    as_program = {"Authorization": f"Bearer {closed['Cookie'].partition('=')[2]}"}
    door.http.delete("/sessions/current", headers=as_program)
    assert ended(closed) == ended(as_program) == "signed_out"
    revoked = signed_in()
    door.http.delete("/users/patron-08/sessions", headers=door.headers("administrator"))
    assert ended(revoked) == "revoked"
    idle = signed_in()
    door.ask("pass_by", seconds=121 * 60)
    assert ended(idle) == "idle"


def test_a_page_asks_whose_session_it_has_and_nobodys_is_no_problem(door: Door) -> None:
    def current(headers: dict[str, str]) -> tuple[dict[str, Any] | None, str | None]:
        answer = door.http.get("/sessions/current", headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.json()["me"], answer.json()["ended"]

    assert current({}) == (None, None)
    assert current({"Cookie": "croupier_session=" + "x" * 43}) == (None, None)
    token = door.sign_in("patron-11").json()["token"]
    cookie = {"Cookie": f"croupier_session={token}"}
    assert current(cookie) == (door.http.get("/me", headers=cookie).json(), None)
    as_program = {"Authorization": f"Bearer {token}"}
    assert door.http.delete("/sessions/current", headers=as_program).status_code == 204
    assert current(cookie) == (None, "signed_out")
    dead = door.http.get("/sessions/current", headers=as_program)
    assert code_of(dead) == "unauthenticated", "a program's token is somebody's or nobody's"


def test_a_socket_says_why_it_is_closed_and_a_session_lasts_so_long() -> None:
    with house(settings={"sessions": {"session_hours": 1}}) as door:
        token = door.token("patron-09")
        with door.live("patron-09") as live:
            say(live, type="subscribe", topic="me")
            hear(live, "snapshot")
            door.ask("pass_by", seconds=3601)
            bye = hear(live, "bye")
        assert (bye["code"], bye["ended"]) == ("signed_out", "absolute")
        answer = door.http.get("/me", headers={"Authorization": f"Bearer {token}"})
        assert answer.json()["ended"] == "absolute"


def test_a_page_that_is_loaded_again_can_go_on(door: Door) -> None:
    signed_in = door.sign_in("patron-10").json()
    cookie = {"Cookie": f"croupier_session={signed_in['token']}"}
    me = door.http.get("/me", headers=cookie).json()
    assert (me["name"], me["csrf"]) == ("patron-10", signed_in["csrf"])
    assert (me["expires"], me["idle_seconds"]) == (signed_in["expires"], 7200)
    headers = {**cookie, "X-CSRF-Token": me["csrf"]}
    assert door.http.post("/tickets", headers=headers).status_code == 201
    by_token = {"Authorization": f"Bearer {signed_in['token']}"}
    assert door.http.get("/me", headers=by_token).json()["csrf"] is None


def test_what_a_page_asks_by_itself_keeps_no_session_open(door: Door) -> None:
    def ask(**headers: str) -> int:
        token = {"Authorization": f"Bearer {door.token('second-dealer')}"}
        return door.http.get("/me", headers={**token, **headers}).status_code

    with door.live("second-dealer") as live:
        for _ in range(2):
            door.ask("pass_by", seconds=600)
            assert ask() == 200, "it was used ten minutes ago"
        door.ask("pass_by", seconds=600)
        assert ask(**{"X-Background": "yes"}) == 200
        say(live, type="ping", n=1, background=True)
        assert hear(live, "pong")["n"] == 1
        door.ask("pass_by", seconds=400)
        assert hear(live, "bye")["ended"] == "idle"
        assert ask() == 401
    door.forget("second-dealer")
    with door.live("second-dealer") as live:
        door.ask("pass_by", seconds=600)
        say(live, type="ping", n=2)
        assert hear(live, "pong")["n"] == 2
        door.ask("pass_by", seconds=600)
        assert ask() == 200, "a ping of a program is use"
    door.forget("second-dealer")
