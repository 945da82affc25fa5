"""Being told to stop: SIGTERM and Ctrl-C, from the first moment of a server to its last.

Handlers of a loop begin and end with it, and outside of it a signal ends the process in its own
way: in the middle of a start, or when a second one comes while the first is obeyed. These stay.
"""

from __future__ import annotations

import asyncio
import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Stopping:
    """Remembers that somebody wants the server to stop."""

    def __init__(self) -> None:
        self.asked = False
        self.serving = False
        """Whether there is a server, which ends by itself; before that, its start is ended."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._event: asyncio.Event | None = None
        self._before: dict[int, Callable[..., Any] | int | None] = {}

    def listen(self) -> None:
        """Take signals over; it does not matter whether a loop runs already."""
        for number in SIGNALS:
            self._before.setdefault(number, signal.signal(number, self._signalled))

    def forget(self) -> None:
        """Give signals back, where nothing came of serving."""
        for number, before in self._before.items():
            signal.signal(number, before)
        self._before.clear()

    def _signalled(self, *_: object) -> None:
        self.asked = True
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self.stop)

    def stop(self) -> None:
        """Stop soon."""
        self.asked = True
        if self._event is not None:
            self._event.set()

    async def wait(self) -> None:
        """Wait until somebody wants the server to stop."""
        self._loop = asyncio.get_running_loop()
        if self._event is None:
            self._event = asyncio.Event()
        if not self.asked:
            await self._event.wait()

    async def started(self, serving: Coroutine[Any, Any, int]) -> int:
        """Let a server start and serve; return its exit code.

        Told to stop in the middle of the start, what it began is ended in order.
        """
        task = asyncio.create_task(serving)
        stopped = asyncio.create_task(self.wait())
        await asyncio.wait({task, stopped}, return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        if not task.done() and not self.serving:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            return 0
        return await task


@contextmanager
def heard() -> Iterator[Stopping]:
    """Listen to signals, and give them back where nothing came of serving.

    After a server that ended in order they stay: a second signal may come at any moment.
    """
    stopping = Stopping()
    stopping.listen()
    try:
        yield stopping
    except BaseException:
        stopping.forget()
        raise
