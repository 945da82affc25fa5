"""What guards browsers: origins, the CSRF token, cookies, and headers on every answer."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from croupier.floor.headers import guarded
from tests.floor.guarding import code_of, new_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.floor.guarding import Door

BROWSER = {"Sec-Fetch-Site": "same-origin"}
"""As a browser says that a page asks for something of its own house."""
ELSEWHERE = ("https://evil.example", "null", "http://[", "http://127.0.0.1:1", "", "file://")
SEAT = {"type": "leave_seat"}


@pytest.fixture
def page(quiet: Door) -> Iterator[tuple[httpx.Client, str]]:
    """Return a browser that signed in, and what its page shows with the cookie."""
    login = {"name": "patron-14", "password": quiet.logins["patron-14"]["password"]}
    with httpx.Client(base_url=f"{quiet.url}/api/v1", timeout=30) as browser:
        answer = browser.post("/sessions", json=login, headers={"Origin": quiet.url})
        assert answer.status_code == 201
        yield browser, answer.json()["csrf"]


# Cookies


def test_a_cookie_is_for_this_host_and_no_script(quiet: Door) -> None:
    parts = {one.strip() for one in quiet.sign_in("patron-14").headers["set-cookie"].split(";")}
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= parts
    assert not any(one.lower().startswith("domain") for one in parts)


def test_a_cookie_reads_and_changes_nothing_by_itself(
    quiet: Door, page: tuple[httpx.Client, str]
) -> None:
    browser, csrf = page
    assert browser.get("/me").json()["name"] == "patron-14"
    heads = quiet.heads()
    calls: dict[str, Any] = {"headers": {"Idempotency-Key": new_key()}}
    for headers in ({}, {"X-CSRF-Token": ""}, {"X-CSRF-Token": csrf[:-1]}):
        for path in ("/tables/tiger/commands", "/tickets", "/approvals", "/cage/commands"):
            sent = {**calls["headers"], **headers}
            answer = browser.post(path, json={"command": SEAT}, headers=sent)
            assert (answer.status_code, code_of(answer)) == (403, "forbidden"), path
        assert browser.delete("/sessions/current", headers=headers).status_code == 403
    assert quiet.heads() == heads
    assert browser.post("/tickets", headers={"X-CSRF-Token": csrf}).status_code == 201


def test_a_page_that_was_loaded_anew_learns_its_guard_by_its_cookie_alone(
    quiet: Door, page: tuple[httpx.Client, str]
) -> None:
    browser, csrf = page
    assert browser.get("/me").json()["csrf"] == csrf
    token = quiet.sign_in("patron-14").json()["token"]
    with httpx.Client(base_url=browser.base_url) as program:
        answer = program.get("/me", headers={"Authorization": f"Bearer {token}"})
        assert answer.json()["csrf"] is None
        assert program.get("/me").status_code == 401


def test_the_token_of_another_session_does_not_help(
    quiet: Door, page: tuple[httpx.Client, str]
) -> None:
    other = quiet.sign_in("patron-15").json()["csrf"]
    assert page[0].post("/tickets", headers={"X-CSRF-Token": other}).status_code == 403


# Origins


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example"]
)
def test_a_name_that_leads_here_is_none_of_this_house(quiet: Door, host: str) -> None:
    """DNS rebinding: page and host agree, and neither is ours."""
    login = {"name": "patron-14", "password": quiet.logins["patron-14"]["password"]}
    bearer = quiet.headers("patron-14")
    theirs = {"Host": host, "Origin": f"http://{host}"}
    for answer in (
        quiet.http.get("/house", headers={"Host": host, **BROWSER}),
        # So a page of a name without TLS asks: its browser says hardly anything of itself.
        quiet.http.get("/tables/tiger", headers={"Host": host, "Accept-Language": "en"}),
        quiet.http.get("/games", headers={"Host": host, "Accept-Language": ""}),
        quiet.http.get("/me", headers={**bearer, "Host": host, **BROWSER}),
        quiet.http.post("/sessions", json=login, headers=theirs),
        quiet.http.post("/sessions", json=login, headers={"Host": host, **BROWSER}),
        quiet.http.post(
            "/tables/tiger/commands",
            json={"command": SEAT},
            headers={**bearer, **theirs, "Idempotency-Key": new_key()},
        ),
    ):
        assert (answer.status_code, code_of(answer)) == (403, "bad_origin")
        assert "server.origins" in answer.json()["detail"]
    program = quiet.http.get("/tables/tiger", headers={"Host": host})
    assert program.status_code == 200, "no page makes it come here"
    with httpx.Client(base_url=quiet.url) as beside:
        assert beside.get("/livez", headers={"Host": host}).status_code == 200


def test_a_name_that_leads_here_opens_no_socket(quiet: Door) -> None:
    port = quiet.url.rpartition(":")[2]
    ticket = quiet.http.post("/tickets", headers=quiet.headers("patron-14")).json()["ticket"]
    with socket.create_connection(("127.0.0.1", int(port)), timeout=10) as raw:
        raw.sendall(
            f"GET /api/v1/live?ticket={ticket} HTTP/1.1\r\nHost: evil.example\r\n"
            "Origin: http://evil.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            "\r\n".encode()
        )
        assert raw.recv(100).startswith(b"HTTP/1.1 403 ")


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::1]", "192.0.2.7", "", "own"])
def test_the_names_of_the_house_lead_in(quiet: Door, name: str) -> None:
    port = quiet.url.rpartition(":")[2]
    host = f"{socket.gethostname() if name == 'own' else name or 'LocalHost'}:{port}"
    login = {"name": "patron-14", "password": quiet.logins["patron-14"]["password"]}
    headers = {"Host": host, "Origin": f"http://{host}"}
    assert quiet.http.post("/sessions", json=login, headers=headers).status_code == 201


@pytest.mark.parametrize("origin", ELSEWHERE)
def test_a_page_of_elsewhere_changes_nothing(
    quiet: Door, page: tuple[httpx.Client, str], origin: str
) -> None:
    browser, csrf = page
    heads = quiet.heads()
    headers = {"Origin": origin, "X-CSRF-Token": csrf, "Idempotency-Key": new_key()}
    login = {"name": "patron-14", "password": quiet.logins["patron-14"]["password"]}
    for method, path, body in (
        ("POST", "/sessions", login),
        ("POST", "/tickets", None),
        ("POST", "/tables/tiger/commands", {"command": SEAT}),
        ("POST", "/tables/tiger/preview", {"command": SEAT}),
        ("POST", "/cage/commands", {"command": SEAT}),
        ("POST", "/accounts/commands", {"command": SEAT}),
        ("POST", "/approvals", {"table": "cage", "command": SEAT, "for": "cashier"}),
        ("DELETE", "/sessions/current", None),
    ):
        answer = browser.request(method, path, json=body, headers=headers)
        assert (answer.status_code, code_of(answer)) == (403, "bad_origin"), path
    assert quiet.heads() == heads
    assert browser.get("/me").status_code == 200, "the session is as it was"


@pytest.mark.parametrize("origin", ELSEWHERE)
def test_a_page_of_elsewhere_opens_no_socket(quiet: Door, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        quiet.live("patron-14", additional_headers={"Origin": origin})
    assert refused.value.response.status_code == 403
    assert b'"bad_origin"' in (refused.value.response.body or b"")


def test_a_page_of_this_house_opens_one_with_its_ticket_alone(
    quiet: Door, page: tuple[httpx.Client, str]
) -> None:
    browser, csrf = page
    cookie = {"Cookie": f"croupier_session={browser.cookies['croupier_session']}"}
    with pytest.raises(InvalidStatus) as refused:
        quiet.live_by("", additional_headers={"Origin": quiet.url, **cookie})
    assert refused.value.response.status_code == 401, "a cookie opens no socket"
    ticket = browser.post("/tickets", headers={"X-CSRF-Token": csrf}).json()["ticket"]
    quiet.live_by(ticket, additional_headers={"Origin": quiet.url, **cookie}).close()
    with pytest.raises(InvalidStatus) as used:
        quiet.live_by(ticket, additional_headers={"Origin": quiet.url})
    assert used.value.response.status_code == 401, "a ticket is used once"


def test_a_ticket_ends_after_thirty_seconds_and_with_its_session(quiet: Door) -> None:
    old = quiet.http.post("/tickets", headers=quiet.headers("patron-16")).json()["ticket"]
    quiet.ask("pass_by", seconds=31)
    young = quiet.http.post("/tickets", headers=quiet.headers("patron-16")).json()["ticket"]
    quiet.http.delete("/sessions/current", headers=quiet.headers("patron-16"))
    quiet.forget("patron-16")
    for ticket in (old, young):
        with pytest.raises(InvalidStatus) as refused:
            quiet.live_by(ticket)
        assert refused.value.response.status_code == 401


# Headers

NEEDED = {
    "content-security-policy",
    "x-content-type-options",
    "x-frame-options",
    "referrer-policy",
    "permissions-policy",
    "cross-origin-opener-policy",
    "cross-origin-resource-policy",
    "cache-control",
}


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/tables", 200),
        ("GET", "/games", 200),
        ("GET", "/me", 401),
        ("GET", "/nowhere", 404),
        ("GET", "/tables/nowhere", 404),
        ("PUT", "/tables", 405),
        ("POST", "/sessions", 422),
        ("GET", "/live", 404),
        ("GET", "/tables/tiger?nonsense=1", 422),
    ],
)
def test_every_answer_has_its_headers(quiet: Door, method: str, path: str, status: int) -> None:
    answer = quiet.http.request(method, path)
    assert answer.status_code == status, answer.text
    assert answer.headers.keys() >= NEEDED
    policy = answer.headers["content-security-policy"].split("; ")
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "strict-transport-security" not in answer.headers, "it speaks no TLS"
    assert "server" not in answer.headers


def test_a_handshake_that_is_turned_away_has_them_too(quiet: Door) -> None:
    with pytest.raises(InvalidStatus) as refused:
        quiet.live_by("nobody's")
    names = {name.lower() for name, _ in refused.value.response.headers.raw_items()}
    assert names >= NEEDED
    assert refused.value.response.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_transport_is_strict_where_there_is_tls_and_an_answer_says_more_itself(
    scheme: str,
) -> None:
    async def application(_: Any, __: Any, send: Any) -> None:  # noqa: ANN401  # ASGI
        headers = [(b"Cache-Control", b"public, max-age=1")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})

    sent: list[Any] = []

    async def send(message: Any) -> None:  # noqa: ANN401  # ASGI
        sent.append(message)

    async def receive() -> Any:  # noqa: ANN401  # ASGI
        return {"type": "http.request"}

    async def ask() -> None:
        await guarded(application)({"type": "http", "scheme": scheme}, receive, send)

    asyncio.run(ask())
    names = [name.lower() for name, _ in sent[0]["headers"]]
    assert (b"strict-transport-security" in names) is (scheme == "https")
    assert names.count(b"cache-control") == 1
