"""Connections over HTTP: whoever opens one says in time what they want.

Uvicorn counts the time between requests, and not that of a request which never comes whole: a
few thousand connections with half a head would take all open files of the process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

if TYPE_CHECKING:
    import asyncio

HEAD_SECONDS = 10.0
"""How long the head of a request may take, from the connection or from its first byte."""


class Connection(HttpToolsProtocol):
    """A connection that is closed when the head of a request is not there in time."""

    _due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:  # noqa: ANN401  # as uvicorn has it
        """Wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def on_message_begin(self) -> None:
        """Wait for the rest of a head."""
        super().on_message_begin()
        if self._due is None:
            self._wait()

    def on_headers_complete(self) -> None:
        """Wait no longer: what follows has times of its own."""
        self._stop()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._stop()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._due = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _stop(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None
