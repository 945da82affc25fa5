"""A proxy between client and server that can lose answers and cut connections."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Self


class Proxy:
    """Forwards bytes to a port; what comes back can be lost, and the connection with it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._open: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.loses_next = False
        """Lose what the server sends next, and cut every connection with it."""
        self.lost = 0
        self.connections = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def __aenter__(self) -> Self:
        server = await asyncio.start_server(self._came, "127.0.0.1", 0)
        self._listening = server
        self.port: int = server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._listening.close()
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut(self) -> None:
        """Cut all connections, as a cable that is pulled."""
        for writer in self._open:
            writer.transport.abort()

    async def _came(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._port)
        except OSError:
            writer.transport.abort()
            return
        self._open |= {writer, back}
        both = [
            asyncio.create_task(self._pump(reader, back, answers=False)),
            asyncio.create_task(self._pump(there, writer, answers=True)),
        ]
        self._tasks.update(both)
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        for one in (writer, back):
            one.transport.abort()
            self._open.discard(one)

    async def _pump(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, *, answers: bool
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(65536):
                if answers and self.loses_next:
                    self.loses_next = False
                    self.lost += 1
                    self.cut()
                    return
                target.write(data)
                await target.drain()
