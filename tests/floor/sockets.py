"""Sockets of a real server, one frame at a time, for tests that look at the wire itself."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import httpx
from websockets.asyncio.client import connect

from croupier.journal.decision import read_record
from croupier.journal.opening import open_reader
from croupier.uuids import uuid7

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from websockets.asyncio.client import ClientConnection

    from croupier.journal.decision import Decision
    from tests.floor.serving import Served

Message = dict[str, Any]
WAIT_SECONDS = 20.0


class Login:
    """Somebody who is signed in."""

    def __init__(self, served: Served, name: str) -> None:
        self.served, self.name = served, name
        self.http = httpx.AsyncClient(
            base_url=f"{served.url}/api/v1", trust_env=False, timeout=WAIT_SECONDS
        )
        self.token = ""

    async def sign_in(self) -> None:
        body = {"name": self.name, "password": self.served.password(self.name)}
        self.token = (await self.http.post("/sessions", json=body)).json()["token"]
        self.http.cookies.clear()
        self.http.headers["Authorization"] = f"Bearer {self.token}"

    async def give(
        self, where: str, command: Message, key: str | None = None, **beside: object
    ) -> httpx.Response:
        """Give a command over HTTP."""
        path = "/cage/commands" if where == "cage" else f"/tables/{where}/commands"
        body = {"command": command, **beside}
        headers = {"Idempotency-Key": key or uuid7()}
        return await self.http.post(path, json=body, headers=headers)

    async def sit(self, table: str, position: int, cents: int) -> None:
        """Take a seat, with credit."""
        taken = await self.give(table, {"type": "take_seat", "position": position})
        assert taken.status_code == 200, taken.text
        sent = {"type": "send_to_table", "table": table, "cents": cents}
        brought = await self.give("cage", sent)
        assert brought.status_code == 200, brought.text

    async def leave(self, table: str) -> None:
        """Leave the seat as soon as that is allowed."""
        for _ in range(200):
            left = await self.give(table, {"type": "leave_seat"})
            if left.status_code == 200:
                return
            await asyncio.sleep(0.2)
        raise AssertionError(left.text)

    @asynccontextmanager
    async def socket(self, url: str | None = None) -> AsyncIterator[Socket]:
        """Open a socket, at the server or at what stands in front of it."""
        async with connect(
            url or f"{self.served.url.replace('http', 'ws')}/api/v1/live",
            additional_headers={"Authorization": f"Bearer {self.token}"},
            compression=None,
            proxy=None,
            close_timeout=0.2,
        ) as connection:
            yield Socket(connection)


@asynccontextmanager
async def signed_in(served: Served, *names: str) -> AsyncIterator[list[Login]]:
    """Sign people in."""
    logins = [Login(served, name) for name in names]
    try:
        for one in logins:
            await one.sign_in()
        yield logins
    finally:
        for one in logins:
            await one.http.aclose()


class Socket:
    """A socket: messages out, messages in."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def say(self, message: Message) -> None:
        await self.connection.send(json.dumps(message))

    async def order(self, key: str, table: str, command: Message, **beside: object) -> None:
        """Send a command, and do not wait."""
        await self.say(
            {"type": "command", "id": key, "table": table, "command": command, **beside}
        )

    async def hear(self) -> Message:
        async with asyncio.timeout(WAIT_SECONDS):
            message: Message = json.loads(await self.connection.recv())
        return message

    async def until(self, holds: Callable[[Message], object]) -> Message:
        """Read on until a message comes of which something holds."""
        while not holds(message := await self.hear()):
            pass
        return message

    async def answers(self, count: int) -> list[Message]:
        """Return the next answers in their order."""
        return [await self.until(lambda one: one["type"] == "answer") for _ in range(count)]


async def decisions(served: Served, stream: str) -> list[Decision]:
    """Return what the journal of a house has of a stream, while its server runs."""
    path = served.folder / "house" / "journal.sqlite"
    found = []
    async with await open_reader(str(path)) as reader:
        async for page in reader.pages(stream):
            found += [read_record(record) for record in page.records]
    return found
