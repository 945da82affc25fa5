"""A display: the public view of a table over server-sent events, without a login."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, Self

import httpx
import msgspec

from croupier.client.addresses import BASE, floor_address, trusted
from croupier.client.backoff import Backoff
from croupier.client.errors import ClientError, Refused, Unavailable
from croupier.client.folding import Feed, Subscription
from croupier.client.wire import Change, Problem, Snapshot, TableSeen, problem_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from types import TracebackType

OPEN_SECONDS: Final = 10.0
SILENT_SECONDS: Final = 40.0
"""A floor says something at least every 2 seconds; an older one, every 15."""
OK: Final = 200
FOR_NOW: Final = (429, 502, 503, 504)
DATA: Final = b"data:"
read_event = msgspec.json.Decoder(Snapshot | Change).decode


class Display:
    """Somebody who only looks. ``async with Display(url) as display:``."""

    def __init__(self, url: str) -> None:
        self.url = floor_address(url)
        timeout = httpx.Timeout(OPEN_SECONDS, read=SILENT_SECONDS)
        self._http = httpx.AsyncClient(
            base_url=f"{self.url}{BASE}", timeout=timeout, trust_env=False, verify=trusted()
        )
        self._tasks: dict[Feed, asyncio.Task[None]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close every stream."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._http.aclose()

    async def table(self, name: str) -> TableSeen:
        """Return the public view of a table, asked for once."""
        try:
            response = await self._http.get(f"/tables/{name}")
        except httpx.HTTPError as error:
            message = f"The floor at {self.url} does not answer."
            raise Unavailable(message) from error
        if response.status_code != OK:
            raise Refused(problem_of(response.status_code, response.content))
        try:
            return msgspec.json.decode(response.content, type=TableSeen)
        except (msgspec.MsgspecError, UnicodeError) as error:
            raise Refused(self._no_floor) from error

    @property
    def _no_floor(self) -> Problem:
        return Problem(f"What answers at {self.url} is not a floor.", "not_a_floor")

    def subscribe(self, topic: str) -> Subscription:
        """Follow the public view of ``table:NAME``."""
        feed = Feed(topic)
        self._tasks[feed] = asyncio.create_task(self._run(feed))

        def leave(_: Subscription) -> None:
            self._tasks[feed].cancel()

        return Subscription(feed, leave)

    async def _run(self, feed: Feed) -> None:
        backoff = Backoff()
        try:
            while True:
                try:
                    async for message in self._events(feed):
                        backoff.reset()
                        feed.take(message)
                except (httpx.HTTPError, msgspec.MsgspecError):
                    pass
                feed.connected = False
                for reader in feed.readers:
                    reader.wake()
                await asyncio.sleep(backoff.next())
        except ClientError as error:
            feed.fail(error)
        except Exception as error:  # nobody may wait for what does not come
            feed.fail(ClientError(f"The client failed: {error!r}."))
            raise

    async def _events(self, feed: Feed) -> AsyncIterator[Any]:
        headers = {"Accept": "text/event-stream"}
        if feed.after is not None:
            headers["Last-Event-ID"] = str(feed.after)
        params = {"topic": feed.topic}
        async with self._http.stream(
            "GET", "/events", params=params, headers=headers
        ) as response:
            if response.status_code != OK:
                problem = problem_of(response.status_code, await response.aread())
                if response.status_code in FOR_NOW:
                    return
                raise Refused(problem)
            kind = response.headers.get("Content-Type", "")
            if not kind.startswith("text/event-stream"):
                raise Refused(self._no_floor)
            feed.connected = feed.view is not None
            # Lines end where the format says, not at every separator of Unicode.
            rest = b""
            async for data in response.aiter_bytes():
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    if line.startswith(DATA):
                        yield read_event(line.removeprefix(DATA))
