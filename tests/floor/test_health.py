"""A server says how it is, counts what happens, and logs no secret."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import threading
import time
from contextlib import asynccontextmanager
from datetime import timedelta
from io import StringIO
from typing import TYPE_CHECKING

import httpx
import pytest

from croupier.floor.app import application
from croupier.floor.floor import Floor
from croupier.floor.founding import found_tables
from croupier.floor.logs import (
    Beside,
    Format,
    Level,
    Lines,
    crash_report,
    set_up,
    tear_down,
    without_secrets,
)
from croupier.floor.metrics import Histogram
from croupier.journal.errors import JournalError
from tests.floor.operated import Operated, operated
from tests.floor.rounds import looped

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

SAMPLE = re.compile(r'([a-z_]+)(?:\{((?:[a-z]+="[^"\\\n]*",?)*)\})? (-?[0-9.e+-]+|\+Inf|NaN)')
FAST = ("--betting", 1, "--pause", 0.1, "--pace", 0.02)


@asynccontextmanager
async def asked(folder: Path) -> AsyncIterator[tuple[Floor, httpx.AsyncClient]]:
    """Open a floor without a network, and somebody who asks it."""
    floor = await Floor.open(folder)
    try:
        await found_tables(floor.house)
        floor.start()
        transport = httpx.ASGITransport(application(floor))
        async with httpx.AsyncClient(transport=transport, base_url="http://house") as client:
            yield floor, client
    finally:
        await floor.close()


@looped
async def test_a_house_that_serves_is_ready_and_says_what_to_look_at(tmp_path: Path) -> None:
    async with asked(tmp_path / "house") as (floor, client):
        assert (await client.get("/livez")).json() == {"alive": True}
        answer = await client.get("/readyz")
        assert (answer.status_code, answer.json()) == (200, {"ready": True, "warnings": []})
        floor.house.failures["lost"] = JournalError("It cannot be read.")
        floor.house.drivers["tiger"].error = JournalError("There is no key.")
        floor.house.keeper.failure = JournalError("No checkpoint could be written.")
        wall = floor.house.clock._wall  # noqa: SLF001  # somebody sets the machine's clock
        floor.house.clock._wall = lambda: wall() + timedelta(minutes=1)  # noqa: SLF001
        answer = await client.get("/readyz")
        assert answer.status_code == 200, "one table stops no other"
        assert answer.json()["warnings"] == [
            "Table lost could not be started: It cannot be read.",
            "The system cannot go on at tiger: There is no key.",
            "No checkpoint could be written.",
            "The clock of the machine is 60 seconds ahead of that of the house.",
        ]
        text = (await client.get("/metrics")).text
        assert 'croupier_table_up{table="lost"} 0' in text
        assert 'croupier_driver_stuck{table="tiger"} 1' in text
        assert "croupier_checkpoint_up 0" in text
        del floor.house.failures["lost"]


@looped
async def test_a_house_that_does_not_serve_says_why(tmp_path: Path) -> None:
    async with asked(tmp_path / "house") as (floor, client):
        house = floor.house
        house.writer.well.clear()
        answer = await client.get("/readyz")
        assert answer.status_code == 503
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.headers["retry-after"] == "1"
        assert answer.json()["code"] == "not_ready"
        assert answer.json()["reasons"] == ["The journal failed and is being opened again."]
        assert "croupier_writer_up 0" in (await client.get("/metrics")).text
        house.writer.well.set()

        async def away(_: str) -> None:
            message = "disk I/O error"
            raise JournalError(message)

        read, house.store.head = house.store.head, away  # type: ignore[method-assign,assignment]
        answer = await client.get("/readyz")
        assert answer.json()["reasons"] == ["The store cannot be read: disk I/O error"]
        assert (await client.get("/livez")).status_code == 200
        house.store.head = read  # type: ignore[method-assign]
        floor.closing = True
        answer = await client.get("/readyz")
        assert (answer.status_code, answer.json()["code"]) == (503, "going_down")
        assert (await client.get("/livez")).status_code == 200


@looped
async def test_a_request_has_an_identification(tmp_path: Path) -> None:
    async with asked(tmp_path / "house") as (floor, client):
        given = await client.get("/livez", headers={"X-Request-Id": "abc-1"})
        assert given.headers["x-request-id"] == "abc-1"
        made = await client.get("/livez", headers={"X-Request-Id": 'a"b'})
        assert re.fullmatch("[0-9a-f]{16}", made.headers["x-request-id"])
        assert (await client.get("/nowhere")).status_code == 404
        assert floor.metrics.requests == {("GET", "200"): 2, ("GET", "404"): 1}
        assert floor.metrics.problems == {"not_found": 1}


@looped
async def test_a_house_that_closes_gives_up_its_backup(tmp_path: Path) -> None:
    async with asked(tmp_path / "house") as (floor, _):
        shown = floor.backups.begin("never")
        await asyncio.sleep(0.1)
        assert not floor.backups.shown["never"].done
    assert shown.folder == str(tmp_path / "house" / "backups" / "never")
    assert list((tmp_path / "house" / "backups").iterdir()) == []


def test_a_histogram_counts_below_its_bounds() -> None:
    one = Histogram((0.1, 1.0))
    for seconds in (0.1, 0.05, 0.5, 7.0):
        one.observe(seconds)
    assert list(one.lines("x")) == [
        'x_bucket{le="0.1"} 2',
        'x_bucket{le="1"} 3',
        'x_bucket{le="+Inf"} 4',
        "x_sum 7.65",
        "x_count 4",
    ]
    assert one.longest == 7.0


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Operated, Path]]:
    """Run a demo that logs every decision, at which somebody bets for a few rounds."""
    folder = tmp_path_factory.mktemp("played") / "house"
    options = ("--demo", "--demo-patrons", 0, "--log-level", "debug", *FAST)
    with operated(folder, *options, CROUPIER_LOG__ACCESS="true") as server:
        yield server, folder


def metrics(server: Operated) -> dict[str, float]:
    """Return all samples by their names and labels; every line can be read."""
    answer = server.call("GET", "/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    found: dict[str, float] = {}
    kinds: set[str] = set()
    for line in answer.body.decode().splitlines():
        if line.startswith("# TYPE "):
            kinds.add(line.split()[2])
        elif not line.startswith("# HELP "):
            parsed = SAMPLE.fullmatch(line)
            assert parsed is not None, line
            assert re.sub("_(bucket|sum|count)$", "", parsed[1]) in kinds
            assert line.rpartition(" ")[0] not in found, line
            found[line.rpartition(" ")[0]] = float(parsed[3])
    return found


def bets(server: Operated, token: str, rounds: int) -> None:
    order = server.order
    assert order("tables/tiger", token, "seat", type="take_seat", position=3).status == 200
    sent = order("cage", token, "credit", type="send_to_table", table="tiger", cents=100_000_00)
    assert sent.status == 200, sent.body
    done, end = 0, time.monotonic() + 60
    while done < rounds:
        assert time.monotonic() < end, "no rounds were played"
        answer = order(
            "tables/tiger", token, f"bet-{done}-{time.monotonic_ns()}",
            type="place_wager", wager="banker", position=3, cents=100_00,
        )  # fmt: skip
        done += answer.status == 200
        time.sleep(0.3)
    below = order(
        "tables/tiger", token, "below", type="place_wager", wager="tie", position=3, cents=1
    )
    assert below.status == 409
    wrong = server.call("POST", "/api/v1/sessions", {"name": "patron-02", "password": "x" * 12})
    assert wrong.status == 401


def test_what_happens_is_counted_and_logged_and_nothing_secret(
    played: tuple[Operated, Path],
) -> None:
    server, folder = played
    login = {"name": "patron-01", "password": server.password("patron-01")}
    near = server.call("POST", "/api/v1/sessions", login)
    assert "Secure" not in near.headers["set-cookie"]
    behind = server.call("POST", "/api/v1/sessions", login, X_Forwarded_Proto="https")
    assert "Secure" in behind.headers["set-cookie"], "a proxy here speaks TLS"
    token = server.sign_in("patron-01")
    bets(server, token, 3)
    end = time.monotonic() + 30
    while True:
        found = metrics(server)
        coups = {key: n for key, n in found.items() if key.startswith("croupier_coups_total")}
        if sum(coups.values()) >= 2:
            break
        assert time.monotonic() < end
        time.sleep(0.2)
    assert all('table="tiger",game="tiger",result="' in key for key in coups)
    assert found['croupier_bets_total{table="tiger",game="tiger"}'] >= 3
    refused = {key: n for key, n in found.items() if "bet_rejections" in key}
    assert sum(refused.values()) >= 1
    assert found["croupier_settle_duration_seconds_count"] >= 2
    assert found["croupier_event_lag_seconds_count"] > 0
    assert found["croupier_failed_logins_total"] == 1
    assert found['croupier_commands_total{stream="table",result="refused"}'] >= 1
    assert found["croupier_ws_clients"] == 0
    assert found["process_resident_memory_bytes"] > 10_000_000
    assert found["process_open_fds"] > 5
    assert found["process_max_fds"] >= found["process_open_fds"]
    text = server.call("GET", "/metrics").body.decode()
    assert "patron" not in text
    said = folder.with_name("errors.log").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in said.splitlines()]
    decided = [one for one in lines if one["logger"] == "croupier.decisions"]
    wagers = [one for one in decided if "place_wager accepted" in one["message"]]
    assert {one["table"] for one in wagers} == {"tiger"}
    assert all(one["round"] >= 1 and one["command"].startswith("bet-") for one in wagers)
    asked_for = [one for one in lines if one["logger"] == "croupier.access"]
    assert all(re.fullmatch("[0-9a-f]{16}", one["request"]) for one in asked_for)
    for secret in (token, *(one["password"] for one in server.ready["logins"])):
        assert secret not in said


# Logs


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("Authorization: Bearer abc.def", "abc.def"),
        ('{"name": "ann", "password": "a long one"}', "a long one"),
        ("password='hunter two'", "hunter two"),
        ("GET /api/v1/live?ticket=abc123&x=1", "abc123"),
        ("a token " + "A" * 43 + " alone", "A" * 43),
        ("the ticket is proved by 0123456789ABCDEF", "0123456789ABCDEF"),
        ("postgresql://house:word@host/db", "word"),
        ("demo-0123456789ab", "0123456789ab"),
        ("approval: xyz", "xyz"),
    ],
)
def test_secrets_are_taken_out(text: str, secret: str) -> None:
    assert secret not in without_secrets(text)
    assert "[removed]" in without_secrets(text)


@pytest.mark.parametrize(
    "text",
    [
        "round 12 of table:tiger: place_wager accepted",
        "01a1e5ae-708a-77c6-b218-c2b4302ce6cc",
        "postgresql://house@host/db cannot be reached",
        "0.1.0+0123456789abcdef",
    ],
)
def test_what_is_not_secret_stays(text: str) -> None:
    assert without_secrets(text) == text


def record(message: str, error: BaseException | None = None, **extra: object) -> str:
    made = logging.getLogger("croupier.test").makeRecord(
        "croupier.test", logging.ERROR, "x", 1, message, (),
        (type(error), error, error.__traceback__) if error else None, extra=extra,
    )  # fmt: skip
    return Lines(Format.JSON).format(made)


def test_an_exception_is_one_line_without_values_of_variables() -> None:
    def fail() -> None:
        undealt = "KH-of-the-undealt-shoe"
        assert undealt
        raise ValueError("a\nb password=hunter2")  # noqa: EM101, TRY003

    with pytest.raises(ValueError, match="a") as raised:
        fail()
    line = record("it failed", raised.value, table="tiger", patron="ann")
    assert "\n" not in line
    found = json.loads(line)
    assert found["error"]["type"] == "ValueError"
    assert found["error"]["stack"][-1].endswith(" fail")
    assert found["table"] == "tiger"
    assert "patron" not in found, "only what is known to be harmless"
    assert "undealt-shoe" not in line
    assert "hunter2" not in line
    assert crash_report(None)["stack"] == []


class Stuck(StringIO):
    """A reader who does not read."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = threading.Event()

    def write(self, text: str) -> int:
        self.reads.wait(10)
        return super().write(text)


def test_whoever_does_not_read_the_log_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.floor.logs.LINES_MAX", 5)
    out = Stuck()
    handler = Beside(out)
    handler.setFormatter(Lines(Format.TEXT))
    logger = logging.getLogger("croupier.stuck")
    logger.propagate = False
    logger.addHandler(handler)
    for number in range(20):
        logger.warning("line %d", number)
    logger.removeHandler(handler)
    assert handler.dropped >= 10
    out.reads.set()
    handler.close()
    assert out.getvalue().count("line ") <= 7


def test_logs_of_libraries_come_in_the_same_form() -> None:
    out = StringIO()
    handler = set_up(Level.INFO, Format.JSON, out)
    try:
        logging.getLogger("uvicorn.error").warning("Invalid HTTP request received.")
        logging.getLogger("uvicorn.error").info("Started server process")
        logging.getLogger("croupier.serve").info("open")
        logging.getLogger("croupier.serve").debug("not this")
        loop = asyncio.new_event_loop()
        loop.call_exception_handler({"message": "Task exception was never retrieved"})
        loop.close()
    finally:
        tear_down(handler)
    found = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [(one["logger"], one["level"]) for one in found] == [
        ("uvicorn.error", "warning"),
        ("croupier.serve", "info"),
        ("asyncio", "error"),
    ]
