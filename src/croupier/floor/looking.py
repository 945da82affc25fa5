"""Looking: what a house does when it hears of something, and from time to time anyway.

Nothing is heard while a connection is lost, so whoever listens looks as well.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from croupier.journal.errors import JournalError, PoisonedError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from croupier.journal.store import Store

PAUSE_SECONDS = 0.05
"""A medium that failed gets a little time before it is opened again."""


class Looking:
    """Does one thing again and again, never twice at once, until it is stopped."""

    def __init__(
        self,
        store: Store,
        work: Callable[[], Awaitable[None]],
        seconds: Callable[[], float],
    ) -> None:
        self._store, self._work, self._seconds = store, work, seconds
        self._woken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._stopped = False

    def start(self) -> None:
        """Look for the first time now."""
        if self._task is None:
            self._stopped = False
            self._woken.set()
            self._task = asyncio.get_running_loop().create_task(self._run())

    def wake(self) -> None:
        """Look soon: something was heard."""
        self._woken.set()

    async def stop(self) -> None:
        """Look no more; what is being done is broken off."""
        if self._task is not None:
            # Whoever was woken in the same moment may not notice that it was cancelled.
            self._stopped = True
            self._task.cancel()
            await asyncio.wait([self._task])
            self._task = None

    async def _run(self) -> None:
        while not self._stopped:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._seconds()):
                    await self._woken.wait()
            self._woken.clear()
            try:
                await self._work()
            except PoisonedError:
                await self._heal()
            except JournalError:
                continue  # it is looked at again
            except Exception as error:  # noqa: BLE001  # a bug of ours ends nothing for ever
                told = {"message": "Looking failed", "exception": error}
                asyncio.get_running_loop().call_exception_handler(told)

    async def _heal(self) -> None:
        """Open the medium again, so that it can be looked at; else it is tried later."""
        await asyncio.sleep(PAUSE_SECONDS)
        with suppress(JournalError):
            await self._store.reopen()
            self.wake()
