"""A proxy that cuts connections at a byte: of what a client sends, or of what comes back."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Self


class Proxy:
    """Forwards bytes to a port, until a connection was told to end."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._tasks: set[asyncio.Task[None]] = set()
        self._left: dict[bool, int | None] = {False: None, True: None}
        """How many bytes still pass, of what comes back (True) and of what goes; None: all."""
        self.cuts = 0

    @property
    def url(self) -> str:
        """Return where the proxy is."""
        return f"ws://127.0.0.1:{self.port}/api/v1/live"

    async def __aenter__(self) -> Self:
        self._listening = await asyncio.start_server(self._came, "127.0.0.1", 0)
        self.port: int = self._listening.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._listening.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut_after(self, count: int, *, back: bool) -> None:
        """Cut the connection when so many more bytes have passed in one direction."""
        self._left[back] = count

    async def _came(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, onward = await asyncio.open_connection("127.0.0.1", self._port)
        both = {
            asyncio.create_task(self._pump(reader, onward, back=False)),
            asyncio.create_task(self._pump(there, writer, back=True)),
        }
        self._tasks |= both
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        for one in (writer, onward):
            one.transport.abort()
        await asyncio.gather(*both, return_exceptions=True)
        self._tasks -= both

    async def _pump(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, *, back: bool
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(65536):
                left = self._left[back]
                if left is not None:
                    data, self._left[back] = data[:left], left - len(data[:left])
                if data:
                    target.write(data)
                    await target.drain()
                if self._left[back] == 0:
                    # What passed is to arrive before the connection is cut.
                    target.write_eof()
                    await asyncio.sleep(0)
                    self._left[back] = None
                    self.cuts += 1
                    return
