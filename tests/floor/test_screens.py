"""The screens as a browser gets them: pages, their files, and nothing else of the machine."""

from __future__ import annotations

import gzip
import socket
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx
import pytest

from tests.floor.guarding import code_of, house

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.floor.guarding import Door

HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
SCRIPT = "/assets/index-4f2a.js"
ROUTES = (
    "/",
    "/lobby",
    "/tables",
    "/signin",
    "/setup",
    "/password",
    "/table/tiger",
    "/table/tiger/",
    "/table/tiger/history",
    "/dealer",
    "/dealer/tiger",
    "/display",
    "/display/tiger",
    "/pit",
    "/pit/alarms",
    "/cage",
    "/audit",
    "/house",
    "/audit/table:tiger",
)
NO_ROUTES = ("/nowhere", "/table", "/table/", "/table/a/b/c", "/lobby/x", "/pit//x", "/Lobby")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("around") / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>built</title>")
    (folder / "icon.svg").write_text("<svg/>")
    (folder / SCRIPT[1:]).write_text("let script = 1")
    (folder / f"{SCRIPT[1:]}.gz").write_bytes(gzip.compress(b"let script = 1", mtime=0))
    (folder / f"{SCRIPT[1:]}.br").write_bytes(b"brotli")
    (folder.parent / "secret.txt").write_text("what nobody may read")
    (folder / "assets" / "out.txt").symlink_to(folder.parent / "secret.txt")
    return folder


@pytest.fixture(scope="module")
def door(built: Path) -> Iterator[Door]:
    with house(screens=str(built)) as one:
        yield one


@pytest.fixture(scope="module")
def browser(door: Door) -> Iterator[httpx.Client]:
    headers = {**HTML, "Accept-Encoding": ""}
    with httpx.Client(base_url=door.url, headers=headers) as one:
        yield one


@pytest.mark.parametrize("path", ROUTES)
def test_every_screen_is_the_page(browser: httpx.Client, path: str) -> None:
    answer = browser.get(path)
    assert (answer.status_code, answer.text) == (200, "<!doctype html><title>built</title>")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert browser.head(path).headers["content-length"] == str(len(answer.content))
    known = browser.get(path, headers={"If-None-Match": answer.headers["etag"]})
    assert (known.status_code, known.content) == (304, b"")


@pytest.mark.parametrize("path", NO_ROUTES)
def test_what_is_no_screen_is_not_found(browser: httpx.Client, path: str) -> None:
    answer = browser.get(path)
    assert (answer.status_code, answer.text) == (404, "<!doctype html><title>built</title>")
    assert "content-security-policy" in answer.headers
    assert code_of(browser.get(path, headers={"Accept": "application/json"})) == "not_found"


def test_a_file_that_is_not_there_is_no_page(browser: httpx.Client) -> None:
    assert code_of(browser.get("/assets/gone.js")) == "not_found"


def test_a_program_that_wants_no_page_gets_none(door: Door, browser: httpx.Client) -> None:
    assert code_of(httpx.get(f"{door.url}/lobby", headers={"Accept": "application/json"}))
    assert browser.get("/openapi.json").json()["openapi"] == "3.1.0"
    assert browser.get("/api/v1/tables").status_code == 200
    assert code_of(browser.get("/api/v1/lobby")) == "not_found"
    assert code_of(browser.post("/lobby")) in ("not_found", "not_allowed")


def test_a_page_runs_its_own_scripts_and_talks_to_this_host(
    door: Door, browser: httpx.Client
) -> None:
    host = urlsplit(door.url).netloc
    policy = browser.get("/").headers["content-security-policy"]
    parts = dict(one.strip().split(" ", 1) for one in policy.split(";"))
    assert parts["default-src"] == "'none'"
    assert parts["script-src"] == parts["style-src"] == "'self'"
    assert parts["connect-src"] == f"'self' ws://{host} wss://{host}"
    assert "unsafe" not in policy
    other = browser.get("/", headers={"Host": "a; script-src *"})
    assert "script-src *" not in other.headers.get("content-security-policy", "")


@pytest.mark.parametrize(
    ("accepted", "encoding", "body"),
    [
        ("", None, b"let script = 1"),
        ("gzip, deflate, br", "br", b"brotli"),
        ("gzip, br;q=0", "gzip", gzip.compress(b"let script = 1", mtime=0)),
        ("zstd", None, b"let script = 1"),
    ],
)
def test_files_have_the_encoding_that_is_accepted(
    browser: httpx.Client, accepted: str, encoding: str | None, body: bytes
) -> None:
    with browser.stream("GET", SCRIPT, headers={"Accept-Encoding": accepted}) as answer:
        raw = b"".join(answer.iter_raw())
    assert answer.headers.get("content-encoding") == encoding
    assert raw[10:] == body[10:] if encoding == "gzip" else raw == body
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["vary"] == "Accept-Encoding"


def test_other_files_are_asked_for_every_time(browser: httpx.Client) -> None:
    answer = browser.get("/icon.svg")
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["content-type"] == "image/svg+xml; charset=utf-8"


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/assets/%2e%2e/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/assets/..%5c..%5csecret.txt",
        "//etc/passwd",
        "/assets/out.txt",
        "/assets/",
        "/assets",
        f"{SCRIPT}.gz",
        "/index.html%00",
    ],
)
def test_no_path_leads_out_of_the_folder(door: Door, path: str) -> None:
    # As it is: a client would tidy the path up before.
    address = urlsplit(door.url)
    assert address.hostname is not None
    assert address.port is not None
    with socket.create_connection((address.hostname, address.port)) as wire:
        lines = (f"GET {path} HTTP/1.1", "Host: x", "Accept: text/html", "Connection: close")
        wire.sendall("\r\n".join((*lines, "", "")).encode())
        answer = b"".join(iter(lambda: wire.recv(65_536), b""))
    assert answer.split(b" ", 2)[1] == b"404"
    assert b"what nobody may read" not in answer


def test_pages_that_are_built_anew_are_served_anew(built: Path, browser: httpx.Client) -> None:
    page = built / "index.html"
    before = page.read_text()
    (built / "assets" / "later.js").write_text("later")
    page.write_text("<!doctype html><title>anew</title>")
    assert "anew" in browser.get("/").text
    assert browser.get("/assets/later.js").text == "later"
    page.write_text(before)


def test_without_pages_one_says_how_to_build_them(quiet: Door) -> None:
    for path in ("/", "/lobby"):
        answer = httpx.get(f"{quiet.url}{path}", headers=HTML)
        assert answer.status_code == 503
        assert "make web" in answer.text
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert quiet.get(None, "/tables").status_code == 200
