"""Requests as they pass: each has an identification, is counted, and may be a line of the log.

It stands around the web application and sees what every answer has in common.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from random import getrandbits
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.floor.logs import REQUEST
from croupier.floor.problems import MEDIA_TYPE, ProblemError, ServerCode

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from croupier.floor.metrics import Metrics

ACCESS = logging.getLogger("croupier.access")
HEADER = b"x-request-id"
GIVEN = re.compile(rb"[A-Za-z0-9_-]{1,64}")
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""Under which methods requests are counted; what else comes is counted as another one."""
Scope = dict[str, Any]


class Passing:
    """An ASGI application around another one."""

    def __init__(self, application: Any, metrics: Metrics, *, access: bool = False) -> None:  # noqa: ANN401  # an ASGI application
        self._application, self._metrics, self._access = application, metrics, access

    async def __call__(
        self,
        scope: Scope,
        receive: Callable[[], Awaitable[Any]],
        send: Callable[[Any], Awaitable[None]],
    ) -> None:
        """Let a request pass."""
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        name = identification(scope)
        began, status = time.perf_counter(), 0

        async def sent(message: Any) -> None:  # noqa: ANN401  # of ASGI
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                self._count(scope["method"], status, time.perf_counter() - began)
                message["headers"] = [*message["headers"], (HEADER, name.encode())]
            await send(message)

        marked = REQUEST.set(name)
        try:
            await self._application(scope, receive, sent)
        except asyncio.CancelledError:
            # The server stops, and this took longer than it waits.
            if status:
                raise
            await _going_down(sent)
        finally:
            if self._access:
                # Without the query: a ticket may be in it.
                took_ms = 1000 * (time.perf_counter() - began)
                ACCESS.info("%s %s %d %.1f ms", scope["method"], scope["path"], status, took_ms)
            REQUEST.reset(marked)

    def _count(self, method: str, status: int, seconds: float) -> None:
        """Count an answer when it begins: that of a display lasts for hours."""
        method = method if method in METHODS else "other"
        self._metrics.requests[method, str(status)] += 1
        self._metrics.request_seconds.observe(seconds)


async def _going_down(send: Callable[[Any], Awaitable[None]]) -> None:
    """Answer a request that the end of the server has overtaken."""
    problem = ProblemError(
        ServerCode.GOING_DOWN,
        "The server stopped before this was answered; ask again, a command with its key.",
    )
    head = [(b"content-type", MEDIA_TYPE.encode()), (b"cache-control", b"no-store")]
    status = problem.problem.status
    await send({"type": "http.response.start", "status": status, "headers": head})
    await send({"type": "http.response.body", "body": msgspec.json.encode(problem.problem)})


def identification(scope: Scope) -> str:
    """Return what a request is called: as its sender says, if that can be written."""
    for key, value in scope["headers"]:
        if key == HEADER and GIVEN.fullmatch(value):
            return str(value, "ascii")
    return f"{getrandbits(64):016x}"  # no secret
