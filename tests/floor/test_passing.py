"""Requests that the end of the server overtakes are answered as every problem is."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from croupier.floor.metrics import Metrics
from croupier.floor.passing import Passing
from tests.floor.rounds import looped

SCOPE = {"type": "http", "method": "POST", "path": "/slow", "headers": []}


async def stopped(*first: dict[str, Any]) -> list[dict[str, Any]]:
    """Cancel a request that is not done, as uvicorn does; return what its client got."""
    got: list[dict[str, Any]] = []

    async def slow(_scope: object, _receive: object, send: Any) -> None:  # noqa: ANN401  # of ASGI
        for one in first:
            await send(one)
        await asyncio.sleep(60)

    async def receive() -> None:
        """Bring nothing."""

    async def send(message: dict[str, Any]) -> None:
        got.append(message)

    task = asyncio.create_task(Passing(slow, Metrics())(SCOPE, receive, send))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task)
    return got


@looped
async def test_a_request_that_is_not_done_when_the_server_stops_hears_so() -> None:
    head, body = await stopped()
    assert head["status"] == 503
    assert dict(head["headers"])[b"content-type"] == b"application/problem+json"
    problem = msgspec.json.decode(body["body"])
    assert (problem["status"], problem["code"]) == (503, "going_down")


@looped
async def test_an_answer_that_has_begun_is_cut_off() -> None:
    with pytest.raises(asyncio.CancelledError):
        await stopped({"type": "http.response.start", "status": 200, "headers": []})
