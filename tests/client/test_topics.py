"""Problems that come over a socket go to whoever caused them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from croupier.client.folding import Feed
from croupier.client.live import Broken, Live
from croupier.client.wire import Problem

PROBLEM = Problem("It cannot be read.", "not_readable")


def asking() -> tuple[Live, Feed]:
    """Return a client that has asked for a topic, behind other messages."""
    live, feed = Live("ws://floor.example/api/v1/live", "token"), Feed("table:tiger")
    live._feeds[feed.topic] = feed  # noqa: SLF001  # as subscribe does
    live._ask(feed)  # noqa: SLF001
    return live, feed


def test_an_error_before_the_question_does_not_fail_the_topic() -> None:
    async def ordered() -> None:
        live, feed = asking()
        command: asyncio.Future[Any] = asyncio.Future()
        live._waiting["key"] = command  # noqa: SLF001
        live._not_read(PROBLEM)  # noqa: SLF001
        assert feed.error is None
        with pytest.raises(Broken):
            await command
        live._pong(1)  # noqa: SLF001
        live._pong(2)  # noqa: SLF001
        live._not_read(PROBLEM)  # noqa: SLF001
        assert feed.error is None, "nor does one behind it"

    asyncio.run(ordered())


def test_an_error_to_the_question_fails_the_topic_and_not_the_next_one() -> None:
    live, feed = asking()
    other = Feed("table:baccarat")
    live._feeds[other.topic] = other  # noqa: SLF001
    live._ask(other)  # noqa: SLF001
    live._pong(1)  # noqa: SLF001
    live._not_read(PROBLEM)  # noqa: SLF001
    assert feed.error is not None
    live._pong(2)  # noqa: SLF001
    live._pong(3)  # noqa: SLF001
    assert other.error is None
    live._not_read(PROBLEM)  # noqa: SLF001
    assert other.error is not None
