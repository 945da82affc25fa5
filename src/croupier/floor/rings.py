"""Rings of encoded changes, and the walk that carries them to clients.

There is no queue and no task for a client. A ring keeps the last changes of a topic for one
audience, encoded once; a subscription is a mark in it. A walk goes through the subscriptions
in slices, one slice in each turn of the loop, and writes to each client what came since its
mark, in one write. The busier the server, the more changes go out in one write. A client
without room is passed over; when it has room again it gets the rest, or a snapshot when its
mark left the ring; when it has none for too long it is closed.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from croupier.floor.sent import ByeCode

SLICE = 250
"""Clients written to in one turn of the loop: 2 to 3 ms."""
KEPT = 256
"""Changes a ring keeps for those who come back."""
KEPT_BYTES = 64 << 10
"""And how many bytes of them; whoever is further behind gets a snapshot, which is shorter."""
UNHEARD = -1
"""The mark of somebody who heard nothing yet: whatever happened, a snapshot comes first."""
NO_SNAPSHOT = (-1, b"")


class Receiver(Protocol):
    """Somebody who is written to: a socket, or a stream of server-sent events."""

    full: bool

    def catch_up(self) -> None:
        """Write what waits, if there is room."""

    def leave(self, code: ByeCode, detail: str) -> None:
        """Say why, and close."""


class Subscription:
    """How far a client has heard of a topic."""

    __slots__ = ("client", "mark", "own_due", "patron", "ring")

    def __init__(self, client: Receiver, ring: Ring, patron: str | None) -> None:
        self.client, self.ring, self.patron = client, ring, patron
        self.mark = ring.last
        self.own_due = False
        """Whether the patron's own part is to be sent with the next write."""


class Ring:
    """The last changes of a topic for one audience."""

    __slots__ = (
        "_bytes",
        "_entries",
        "_joined",
        "_walk",
        "again",
        "base",
        "last",
        "snapshot",
        "subscriptions",
        "walker",
        "walking",
        "whole",
    )

    def __init__(self, walker: Walker, base: int) -> None:
        self.walker, self.base = walker, base
        """The sequence behind which every change is in the ring."""
        self.subscriptions: dict[Subscription, None] = {}
        self.last = 0
        """How many changes there were: the mark of a client who has everything."""
        self.whole: bytes | None = None
        """The view as of the last change, encoded; None: not yet."""
        self.snapshot = NO_SNAPSHOT
        """The newest snapshot that many were sent, and its sequence."""
        self._entries: deque[tuple[int, bytes]] = deque()
        self._bytes = 0
        self._joined: dict[int, bytes] = {}
        self._walk: list[Subscription] = []
        self.walking = self.again = False

    def publish(self, sequence: int, data: bytes) -> None:
        """Put a change into the ring, and let the walk carry it."""
        self.last += 1
        self._entries.append((sequence, data))
        self._bytes += len(data)
        while len(self._entries) > KEPT or (
            self._bytes > KEPT_BYTES and len(self._entries) > 1
        ):
            self.base, gone = self._entries.popleft()
            self._bytes -= len(gone)
        self._joined.clear()
        self.whole, self.snapshot = None, NO_SNAPSHOT
        self.walker.go(self)

    def clear(self, sequence: int) -> None:
        """Forget what nobody waits for: whoever comes gets a snapshot."""
        self._entries.clear()
        self._joined.clear()
        self._bytes, self.base = 0, sequence
        self.whole, self.snapshot = None, NO_SNAPSHOT

    def mark_after(self, sequence: int) -> int | None:
        """Return the mark of a client who has heard up to a sequence; None: too long ago."""
        if sequence < self.base:
            return None
        missed = 0
        for heard, _ in reversed(self._entries):
            if heard <= sequence:
                break
            missed += 1
        return self.last - missed

    def since(self, mark: int) -> bytes | None:
        """Return all changes after a mark, or None when they are gone."""
        behind = self.last - mark
        if behind > len(self._entries):
            return None
        found = self._joined.get(mark)
        if found is None:
            found = b"".join(self._entries[-n][1] for n in range(behind, 0, -1))
            self._joined[mark] = found
        return found

    def some(self) -> bool:
        """Write to the next slice; tell whether the walk is over."""
        if not self._walk and self.again:
            self.again = False
            self._walk = list(self.subscriptions)
        for one in self._walk[-SLICE:]:
            if one.mark != self.last and not one.client.full:
                self.walker.do(one.client.catch_up)
        del self._walk[-SLICE:]
        self.walking = bool(self._walk) or self.again
        return not self.walking


class Walker:
    """Takes turns between the rings, and between clients to whom something is due at once."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._walks: deque[Ring] = deque()
        self._waiting: deque[Callable[[], None]] = deque()
        self._due: dict[Receiver, None] = {}
        self._turns: dict[Callable[[], None], None] = {}
        self._scheduled = False

    def go(self, ring: Ring) -> None:
        """Walk through all clients of a ring; a walk on its way is followed by another."""
        ring.again = True
        if not ring.walking:
            ring.walking = True
            self._walks.append(ring)
            self._schedule()

    def soon(self, client: Receiver) -> None:
        """Write what waits for a client at the end of this turn, all in one write."""
        if not self._due:
            self.loop.call_soon(self._flush)
        self._due[client] = None

    def at_end(self, work: Callable[[], None]) -> None:
        """Do something once at the end of this turn, however often it is asked for.

        The first that is asked for; others have turns of their own.
        """
        if not self._turns:
            self.loop.call_soon(self._turn)
        self._turns[work] = None

    def in_turn(self, work: Callable[[], None]) -> None:
        """Do something soon, in a turn of its own: commands are taken in between."""
        self._waiting.append(work)
        self._schedule()

    def _turn(self) -> None:
        (first, *others), self._turns = self._turns, {}
        self.do(first)
        for work in others:
            self.in_turn(work)

    def _flush(self) -> None:
        due, self._due = self._due, {}
        for client in due:
            try:
                client.catch_up()
            except Exception as error:  # noqa: BLE001  # nobody else waits for what failed
                self._failed(error)

    def do(self, work: Callable[[], None]) -> None:
        """Do something for one client or one topic; where it fails, the others go on."""
        try:
            work()
        except Exception as error:  # noqa: BLE001  # nobody else waits for what failed
            self._failed(error)

    def _failed(self, error: Exception) -> None:
        self.loop.call_exception_handler(
            {"message": "Somebody could not be told", "exception": error}
        )

    def _schedule(self) -> None:
        if not self._scheduled:
            self._scheduled = True
            self.loop.call_soon(self._step)

    def _step(self) -> None:
        """One thing that waits, or one slice of one ring; the others take their turns."""
        self._scheduled = False
        if self._waiting:
            self.do(self._waiting.popleft())
        elif self._walks:
            ring = self._walks.popleft()
            if not ring.some():
                self._walks.append(ring)
        if self._waiting or self._walks:
            self._schedule()
