"""Server-sent events: the public view of a table, resumed by number, and closed when slow."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import httpx

from croupier.client import Client, Display
from croupier.floor.api.events import HIGH_BYTES, Stream
from croupier.floor.framing import frame, unframe
from croupier.floor.hub import SLOW_SECONDS, Hub
from croupier.floor.rings import Ring, Subscription
from tests.floor.serving import served

if TYPE_CHECKING:
    from tests.floor.serving import Served

__all__ = ["served"]

OLD_SECONDS = 5.0
"""A display that hears nothing for so long says that what it shows is old."""


async def events(
    http: httpx.AsyncClient, count: int, after: str | None = None
) -> list[tuple[str, str, Any]]:
    """Return the first events of a table: kind, number, and what they say."""
    found: list[tuple[str, str, Any]] = []
    headers = {} if after is None else {"Last-Event-ID": after}
    async with http.stream(
        "GET", "/events", params={"topic": "table:tiger"}, headers=headers
    ) as response:
        assert response.status_code == 200
        assert response.headers["Content-Type"].startswith("text/event-stream")
        kind = number = ""
        async for line in response.aiter_lines():
            name, _, rest = line.partition(": ")
            if name == "event":
                kind = rest
            elif name == "id":
                number = rest
            elif name == "data":
                found.append((kind, number, json.loads(rest)))
                if len(found) == count:
                    break
    return found


def test_a_display_hears_a_snapshot_then_changes_and_goes_on_from_a_number(
    served: Served,
) -> None:
    async def follow() -> None:
        name = "patron-07"
        async with (
            httpx.AsyncClient(base_url=f"{served.url}/api/v1", trust_env=False) as http,
            Client(served.url, name, served.password(name)) as client,
            Display(served.url) as watcher,
        ):
            # A table that somebody watches keeps its last changes.
            await watcher.subscribe("table:tiger").until(bool)
            heard = asyncio.create_task(events(http, 3))
            await asyncio.sleep(0.3)
            await client.command("tiger", {"type": "take_seat", "position": 11})
            first = await heard
            assert [kind for kind, _, _ in first] == ["snapshot", "change", "change"]
            assert "own" not in first[0][2]["view"]
            assert name not in json.dumps(first)
            later = await events(http, 1, first[1][1])
            assert later[0][0] == "change"
            assert later[0][1:] == first[2][1:]
            (again,) = await events(http, 1, "0")
            assert again[0] == "snapshot"

    asyncio.run(follow())


def test_a_display_folds_the_view_that_everybody_may_see(served: Served) -> None:
    async def fold() -> None:
        name = "patron-08"
        async with (
            Display(served.url) as display,
            Client(served.url, name, served.password(name)) as client,
        ):
            subscription = display.subscribe("table:super-6")
            await subscription.until(bool)
            await client.command("super-6", {"type": "take_seat", "position": 2})
            await client.cage({"type": "send_to_table", "table": "super-6", "cents": 100_000})
            view = await subscription.until(lambda view: view["phase"] == "OPEN")
            wager = {"type": "place_wager", "wager": "tie", "cents": 5_000}
            await client.command("super-6", wager, round=view["round"])
            await subscription.until(lambda view: "2/tie" in view["areas"])
            view = await subscription.until(lambda view: view["results"] and not view["areas"])
            seen = await display.table("super-6")
            while subscription.sequence < seen.sequence:
                assert await subscription.next(5) is not None
            if subscription.sequence == seen.sequence:
                assert subscription.view == seen.view

    asyncio.run(fold())


def test_there_are_events_of_tables_only(served: Served) -> None:
    for topic, code in {"table:nowhere": "unknown_table", "me": "unknown_topic"}.items():
        response = httpx.get(
            f"{served.url}/api/v1/events", params={"topic": topic}, trust_env=False
        )
        assert (response.status_code, response.json()["code"]) == (404, code)


class FakeTopic:
    """A topic of which a display hears large changes."""

    def __init__(self, hub: Hub) -> None:
        self.ring = Ring(hub.walker, 0)

    def subscribe(self, client: Stream, _asker: object, _after: int | None) -> Subscription:
        one = Subscription(client, self.ring, None)
        self.ring.subscriptions[one] = None
        return one

    def unsubscribe(self, one: Subscription) -> None:
        self.ring.subscriptions.pop(one)

    def due(self, one: Subscription) -> list[bytes]:
        missed = self.ring.since(one.mark)
        one.mark = self.ring.last
        return [] if missed is None else [missed]


def test_a_display_hears_that_the_house_is_there_though_nothing_happens() -> None:
    async def idle() -> None:
        loop = asyncio.get_running_loop()
        hub = Hub(loop)
        floor: Any = SimpleNamespace(hub=hub, loop=loop)
        topic: Any = FakeTopic(hub)
        heard: list[float] = []
        twice = asyncio.Event()
        scope: Any = {}

        async def send(message: Any) -> None:  # noqa: ANN401
            if message.get("body") == b":\n\n":
                heard.append(loop.time())
            if len(heard) == 2:
                twice.set()
            await asyncio.sleep(0)

        async def receive() -> Any:  # noqa: ANN401
            await asyncio.Event().wait()

        begun = loop.time()
        following = asyncio.create_task(Stream(floor, topic, None, "")(scope, receive, send))
        async with asyncio.timeout(2 * OLD_SECONDS):
            await twice.wait()
        following.cancel()
        silent = (heard[0] - begun, heard[1] - heard[0])
        assert max(silent) < OLD_SECONDS - 1, "one late word makes nothing old"

    asyncio.run(idle())


def test_a_display_that_does_not_read_is_passed_over_and_cut_off() -> None:
    async def deaf() -> None:
        loop = asyncio.get_running_loop()
        hub = Hub(loop)
        floor: Any = SimpleNamespace(hub=hub, loop=loop)
        topic: Any = FakeTopic(hub)
        room, aborted = asyncio.Event(), asyncio.Event()

        def abort() -> None:
            aborted.set()
            room.set()

        class Cycle:
            """As much of the web server as a stream knows."""

            def __init__(self) -> None:
                self.transport = SimpleNamespace(
                    abort=abort,
                    get_extra_info=lambda _: None,
                )

            async def receive(self) -> Any:  # noqa: ANN401
                await asyncio.Event().wait()

        sent: list[bytes] = []

        async def send(message: Any) -> None:  # noqa: ANN401
            if message["type"] == "http.response.body":
                sent.append(message["body"])
                await room.wait()

        stream = Stream(floor, topic, None)
        task = asyncio.create_task(stream({}, Cycle().receive, send))  # type: ignore[arg-type]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        change = b'{"type":"change","topic":"t","sequence":1,"x":"%b"}' % (b"x" * 10_000)
        for number in range(20):
            topic.ring.publish(number, frame(change))
            await asyncio.sleep(0.001)
        assert stream.full
        assert sum(map(len, sent)) < HIGH_BYTES
        hub.full[stream] -= SLOW_SECONDS + 1
        hub._sweep()  # noqa: SLF001  # as every second
        await asyncio.wait_for(task, 1)
        hub.close()
        assert aborted.is_set()
        assert hub.closed_slow == 1
        assert (topic.ring.subscriptions, hub.streams, hub.full) == ({}, {}, {})

    asyncio.run(deaf())


def test_frames_are_read_back_as_they_were_made() -> None:
    texts = [b"", b"{}", b"x" * 125, b"y" * 126, b"z" * 65_535, b"w" * 65_536]
    assert unframe(b"".join(map(frame, texts))) == texts
