"""Too much of everything: half requests, sockets of one session, requests of nobody."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from croupier.floor import connection, server
from croupier.floor.api import events
from croupier.floor.rates import Rates, Strangers
from croupier.floor.sessions import Settings
from tests.floor.fed import fed, settings_of
from tests.floor.people import Hands
from tests.floor.rounds import looped

if TYPE_CHECKING:
    from pathlib import Path

BACCARAT = settings_of("baccarat")
HEAD_SECONDS = 0.4
HALF = b"GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Half: "
WHOLE = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"


async def lasts(port: int, *parts: bytes) -> bool:
    """Send parts of requests, and tell whether the connection lasts for long."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for part in parts:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(0.05)
        async with asyncio.timeout(HEAD_SECONDS * 4):
            while await reader.read(65_536):
                pass
    except TimeoutError:
        return True
    finally:
        writer.close()
    return False


@looped
async def test_half_a_head_is_waited_for_no_longer_than_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "HEAD_SECONDS", HEAD_SECONDS)
    async with fed(tmp_path, BACCARAT) as table:
        port = int(table.running.url.rpartition(":")[2])
        url = table.running.url.replace("http", "ws") + "/api/v1/live"
        display = b"GET /api/v1/events?topic=table:paper HTTP/1.1\r\nHost: localhost\r\n\r\n"
        async with connect(url, additional_headers=await table.headers("sue")) as socket:
            silent, half, second, idle, stream = await asyncio.gather(
                lasts(port),
                lasts(port, HALF, b"a", b"b"),
                lasts(port, WHOLE, HALF),
                lasts(port, WHOLE, WHOLE),
                lasts(port, display),
            )
            assert (silent, half, second) == (False, False, False)
            assert idle, "between requests another time counts"
            assert stream, "an answer may last"
            await socket.send('{"type": "ping", "n": 1}')
            assert '"pong"' in str(await socket.recv()), "a socket is no request"


@looped
async def test_a_connection_outlasts_what_clients_keep_theirs_for(tmp_path: Path) -> None:
    """A proxy keeps it for a minute, and HTTPX for five seconds: neither finds it closed."""
    async with fed(tmp_path, BACCARAT) as table:
        port = int(table.running.url.rpartition(":")[2])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(2):
            writer.write(WHOLE)
            answer = await asyncio.wait_for(reader.readuntil(b"}"), 5)
            assert answer.startswith(b"HTTP/1.1 200")
            await asyncio.sleep(5.2)
        writer.close()
    assert server.IDLE_SECONDS > 60


@looped
async def test_a_session_has_so_many_sockets(tmp_path: Path) -> None:
    few = Settings(rates=Rates(sockets_per_session=3, local=True))
    async with fed(tmp_path, BACCARAT, people=few) as table:
        url = table.running.url.replace("http", "ws") + "/api/v1/live"
        dan, sue = await table.headers("dan"), await table.headers("sue")
        for _ in range(2):  # one that is closed makes room again
            async with AsyncExitStack() as stack:
                for _ in range(3):
                    await stack.enter_async_context(connect(url, additional_headers=dan))
                with pytest.raises(InvalidStatus) as refused:
                    await stack.enter_async_context(connect(url, additional_headers=dan))
                assert refused.value.response.status_code == 429
                assert b'"too_many"' in (refused.value.response.body or b"")
                await stack.enter_async_context(connect(url, additional_headers=sue))
            async with asyncio.timeout(5):
                while table.floor.hub.clients:  # noqa: ASYNC110  # they are being closed
                    await asyncio.sleep(0.01)


@looped
async def test_nobody_asks_as_often_as_is_set_from_one_address(tmp_path: Path) -> None:
    few = Settings(rates=Rates(nobody_per_second=1, local=True))
    async with fed(tmp_path, BACCARAT, people=few) as table:
        sue = await table.headers("sue")
        answers = [await table.http.get("/tables/paper") for _ in range(14)]
        codes = [one.status_code for one in answers]
        assert (codes[0], codes[-1]) == (200, 429)
        assert answers[-1].json()["code"] == "too_many"
        assert int(answers[-1].headers["retry-after"]) >= 1
        forged = {"Authorization": f"Bearer {'x' * 43}"}
        assert (await table.http.get("/games", headers=forged)).status_code == 429
        assert (await table.http.get("/tables/paper", headers=sue)).status_code == 200
        await table.headers("mia")  # she signs in
        beside = httpx.AsyncClient(base_url=table.running.url)
        assert (await beside.get("/livez")).status_code == 200
        elsewhere = {"X-Forwarded-For": "192.0.2.7"}  # as a proxy on this machine says
        assert (await table.http.get("/games", headers=elsewhere)).status_code == 200
        await beside.aclose()


@looped
async def test_one_address_has_so_many_displays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "STREAMS_OF_ADDRESS", 1)
    few = Settings(rates=Rates(nobody_per_second=0, local=True))
    async with fed(tmp_path, BACCARAT, people=few) as table:
        topic = {"topic": "table:paper"}
        async with table.http.stream("GET", "/events", params=topic) as first:
            assert first.status_code == 200
            await anext(first.aiter_lines())
            assert (await table.http.get("/events", params=topic)).status_code == 429
            elsewhere = {"X-Forwarded-For": "192.0.2.7"}
            async with table.http.stream(
                "GET", "/events", params=topic, headers=elsewhere
            ) as second:
                assert second.status_code == 200


@looped
async def test_programs_on_this_machine_are_not_counted(tmp_path: Path) -> None:
    few = Settings(rates=Rates(sockets_per_session=1, nobody_per_second=1))
    async with fed(tmp_path, BACCARAT, people=few) as table:
        url = table.running.url.replace("http", "ws") + "/api/v1/live"
        sue = await table.headers("sue")
        async with AsyncExitStack() as stack:
            for _ in range(3):
                await stack.enter_async_context(connect(url, additional_headers=sue))
            elsewhere = {**sue, "X-Forwarded-For": "192.0.2.7"}
            with pytest.raises(InvalidStatus):
                await stack.enter_async_context(connect(url, additional_headers=elsewhere))
        answers = [await table.http.get("/tables/paper") for _ in range(14)]
        assert {one.status_code for one in answers} == {200}


def test_strangers_are_counted_by_address_in_bounded_memory() -> None:
    hands = Hands()
    strangers = Strangers(Rates(nobody_per_second=2), hands.monotonic, addresses=2)
    assert not any(strangers.request("a") for _ in range(20))
    assert strangers.request("a") is not None
    assert strangers.request("b") is None
    hands.pass_by(1)
    assert [strangers.request("a") is None for _ in range(3)] == [True, True, False]
    assert strangers.request("c") is None
    assert len(strangers) == 2
    anybody = Strangers(Rates(nobody_per_second=0), hands.monotonic)
    assert not any(anybody.request("a") for _ in range(10_000))
    assert len(anybody) == 0
