"""The hub's sweep: every second, whatever fails in it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from croupier.floor import hub as hubs
from croupier.floor.hub import SLOW_SECONDS, Hub

if TYPE_CHECKING:
    import pytest


class Stuck:
    """A client that had no room for too long."""

    full = True

    def __init__(self, error: Exception | None = None) -> None:
        self.error, self.said = error, ""

    def catch_up(self) -> None:
        """Write nothing: there is no room."""

    def leave(self, code: str, detail: str) -> None:  # noqa: ARG002  # as of a socket
        if self.error is not None:
            raise self.error
        self.said = code


def test_what_fails_in_a_sweep_ends_neither_the_sweep_nor_the_rest_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hubs, "SWEEP_SECONDS", 0.001)

    async def sweep() -> None:
        loop, failed, swept = asyncio.get_running_loop(), [], asyncio.Event()
        loop.set_exception_handler(lambda _, what: failed.append(str(what["exception"])))
        hub, broken, slow = Hub(loop), Stuck(OSError("gone")), Stuck()
        looks: list[int] = []

        def fails() -> None:
            message = "a look failed"
            raise ValueError(message)

        def look() -> None:
            looks.append(1)
            if len(looks) > 1:
                swept.set()

        hub.on_sweep += [fails, look]
        clients: Any = broken, slow
        hub.full = dict.fromkeys(clients, loop.time() - SLOW_SECONDS - 1)
        hub._sweep()  # noqa: SLF001  # as every second
        await asyncio.wait_for(swept.wait(), 2)
        hub.close()
        assert failed[:2] == ["gone", "a look failed"]
        assert slow.said == "slow"
        assert not hub.full

    asyncio.run(sweep())
