"""Topics as a client keeps them: a snapshot, and changes folded into it."""

from __future__ import annotations

import asyncio
from collections import deque
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, Self

import msgspec

from croupier.client.errors import Unavailable
from croupier.client.wire import Change, Event, Snapshot, View
from croupier.table.views.shapes import PatronView, PublicView

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from croupier.client.errors import ClientError

WAITING_MAX: Final = 1000
"""Updates that wait for a slow reader; then one snapshot takes their place."""
AREAS: Final = "areas"
OWN: Final = "own"


def fold(view: View, change: View) -> View:
    """Return a view with what changed; areas merge one level deep, null removes.

    >>> fold({"round": 1, "areas": {"1/tie": 5}}, {"areas": {"1/tie": None, "2/tie": 7}})
    {'round': 1, 'areas': {'2/tie': 7}}
    """
    folded = {**view, **change}
    if change.get(AREAS) is not None and isinstance(view.get(AREAS), dict):
        merged = {**view[AREAS], **change[AREAS]}
        folded[AREAS] = {name: area for name, area in merged.items() if area is not None}
    return folded


def read_view(view: View) -> PublicView:
    """Return a view of a table in its shape: a patron's has an own part."""
    return msgspec.convert(view, PatronView if OWN in view else PublicView)


class Update(msgspec.Struct, frozen=True):
    """A step of a topic: what happened, what changed, and the whole view after it."""

    topic: str
    sequence: int
    time: datetime
    events: tuple[Event, ...]
    changed: View
    view: View
    snapshot: bool


class Feed:
    """One topic: its view, how far it is, and who reads it here."""

    def __init__(self, topic: str) -> None:
        self.topic = topic
        self.view: View | None = None
        self.sequence = 0
        self.after: int | None = None
        """From where to go on after an interruption."""
        self.ahead: timedelta | None = None
        """How far the clock of the floor is ahead of ours, as far as changes tell."""
        self.connected = False
        self.error: ClientError | None = None
        self.last: Update | None = None
        self.readers: set[Subscription] = set()

    def take(self, message: Snapshot | Change) -> None:
        """Take what the server says of the topic."""
        if isinstance(message, Snapshot):
            events: tuple[Event, ...] = ()
            self.view, self.after = message.view, message.sequence
        elif self.view is None:
            return  # of a subscription that was given up
        else:
            events = message.events
            ahead = message.time - datetime.now(UTC)
            if self.ahead is None or ahead > self.ahead:
                self.ahead = ahead  # the change that took least time to come
            self.view = fold(self.view, message.view)
            if events or message.view.keys() - {OWN}:
                # The own part may come before others hear of the same record, so it alone
                # does not say that everything up to its sequence was heard.
                self.after = message.sequence
        self.connected = True
        self.sequence = message.sequence
        self.last = Update(
            self.topic,
            message.sequence,
            message.time,
            events,
            message.view,
            self.view,
            isinstance(message, Snapshot),
        )
        for reader in self.readers:
            reader.put(self.last)

    def fail(self, error: ClientError) -> None:
        """Tell everybody who reads that nothing more will come."""
        self.error = error
        for reader in self.readers:
            reader.wake()


class Subscription:
    """Reads a topic: an asynchronous iterator of updates, with the newest view beside it.

    It goes on over interruptions; a snapshot may come in the middle. A reader who is slow
    gets one snapshot instead of many changes.
    """

    def __init__(self, feed: Feed, leave: Callable[[Subscription], None]) -> None:
        self._feed, self._leave = feed, leave
        self._updates: deque[Update] = deque()
        self._news = asyncio.Event()
        self._closed = False
        feed.readers.add(self)
        if feed.last is not None and feed.view is not None:
            self.put(_as_snapshot(feed.last))

    @property
    def topic(self) -> str:
        """Return the name of the topic."""
        return self._feed.topic

    @property
    def view(self) -> View:
        """Return the newest view; empty before the first snapshot."""
        return self._feed.view or {}

    @property
    def sequence(self) -> int:
        """Return how far the topic is."""
        return self._feed.sequence

    @property
    def now(self) -> datetime:
        """Return the time by the floor's clock, by which bets are closed."""
        return datetime.now(UTC) + (self._feed.ahead or timedelta())

    @property
    def connected(self) -> bool:
        """Tell whether the server is heard now."""
        return self._feed.connected

    def put(self, update: Update) -> None:
        """Take an update for the reader."""
        if len(self._updates) >= WAITING_MAX:
            self._updates.clear()
            update = _as_snapshot(update)
        self._updates.append(update)
        self._news.set()

    def wake(self) -> None:
        """Let the reader see that something is different."""
        self._news.set()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Update:
        while not self._updates:
            if self._closed:
                raise StopAsyncIteration
            if self._feed.error is not None:
                raise self._feed.error
            self._news.clear()
            await self._news.wait()
        return self._updates.popleft()

    async def next(self, seconds: float | None = None) -> Update | None:
        """Return the next update; None when nothing came within this time."""
        if self._updates:
            return self._updates.popleft()
        try:
            async with asyncio.timeout(seconds):
                return await anext(self)
        except TimeoutError:
            return None

    async def until(self, holds: Callable[[View], Any], seconds: float = 30.0) -> View:
        """Wait until something holds of the view, and return that view.

        Every update is looked at in its order, so that nothing short-lived is missed.
        """
        if not self._updates and self.view and holds(self.view):
            return self.view
        try:
            async with asyncio.timeout(seconds):
                async for update in self:
                    if holds(update.view):
                        return update.view
        except TimeoutError:
            pass
        message = f"What was waited for did not happen at {self.topic} in {seconds:g} seconds."
        raise Unavailable(message)

    def close(self) -> None:
        """Hear of the topic no more."""
        if not self._closed:
            self._closed = True
            self._news.set()
            self._feed.readers.discard(self)
            self._leave(self)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _as_snapshot(update: Update) -> Update:
    """Return an update that stands for everything before it."""
    return msgspec.structs.replace(update, changed=update.view, events=(), snapshot=True)
