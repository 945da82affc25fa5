"""Connections over HTTP: whoever opens one says in time what they want.

Uvicorn counts the time between requests, and not that of a request which never comes whole: a
few thousand connections with half a head would take all open files of the process.

A connection also knows what was handed to it that is told once, and whether it broke before
that could be read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from croupier.floor.handed import Handed

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Mapping

HEAD_SECONDS = 10.0
"""How long the head of a request may take, from the connection or from its first byte."""
CONNECTION = "croupier.connection"
"""Under which name a request has the connection over which it came."""


class Connection(HttpToolsProtocol):
    """A connection that is closed when the head of a request is not there in time."""

    _due: asyncio.TimerHandle | None = None
    _handed: Handed | None = None
    _sent = False
    """Whether the answer in which that was handed over went out."""

    def connection_made(self, transport: Any) -> None:  # noqa: ANN401  # as uvicorn has it
        """Wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def on_message_begin(self) -> None:
        """Wait for the rest of a head."""
        super().on_message_begin()
        self.scope[CONNECTION] = self  # type: ignore[literal-required]
        if self._sent:
            self._handed = None  # whoever goes on asking has read what came before
        if self._due is None:
            self._wait()

    def on_headers_complete(self) -> None:
        """Wait no longer: what follows has times of its own."""
        self._stop()
        super().on_headers_complete()

    def eof_received(self) -> None:
        """Let the connection close; whoever ends it in order has read the answer."""
        if self._sent:
            self._handed = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._stop()
        handed, self._handed = self._handed, None
        if handed is not None:
            handed.lost(self.loop.time(), unsent=not self._sent, reset=exc is not None)
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Go on with the next request; answers of a connection go out one after the other."""
        self._sent = True
        super().on_response_complete()

    def hand(self, take_back: Callable[[], None]) -> None:
        """Take note of an answer that is told once: it is taken back if nobody can read it."""
        if self.transport.is_closing():
            take_back()
            return
        self._handed, self._sent = Handed(take_back, self.loop.time()), False

    def _wait(self) -> None:
        self._due = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _stop(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None


def hand(scope: Mapping[str, Any], take_back: Callable[[], None]) -> None:
    """Take note that the answer to a request is told once."""
    connection = scope.get(CONNECTION)
    if isinstance(connection, Connection):
        connection.hand(take_back)
