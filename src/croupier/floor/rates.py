"""How often somebody may do something: failed sign-ins, messages, refusals that are recorded.

All of it is counted by a clock that nobody sets, in memory that is bounded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from croupier.floor.door import ServerCode, TurnedAway, whole_seconds
from croupier.frozen import Named

if TYPE_CHECKING:
    from collections.abc import Callable

MINUTE = 60.0
NAMES_MAX = 65_536
"""Names whose failures are remembered: more than can be tried in the time that counts, since
every try takes its hashing."""

BURST_SECONDS = 10
"""Of how many seconds strangers may send all requests at once."""


class Rates(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an operator sets."""

    failed_logins: Annotated[int, Meta(ge=1, le=100)] = 5
    failed_logins_minutes: Annotated[int, Meta(ge=1, le=24 * 60)] = 15
    messages_per_second: Annotated[int, Meta(ge=1, le=100_000)] = 50
    messages_burst: Annotated[int, Meta(ge=1, le=1_000_000)] = 100
    refusals_per_minute: Annotated[int, Meta(ge=1, le=100_000)] = 60
    sockets_per_session: Annotated[int, Meta(ge=1, le=100_000)] = 20
    nobody_per_second: Annotated[int, Meta(ge=0, le=100_000)] = 100
    local: bool = False

    def counts(self, address: str) -> bool:
        """Tell whether the sockets and requests of an address are bounded."""
        return self.local or not is_local(address)


def is_local(address: str) -> bool:
    """Tell whether an address is this machine's own.

    >>> [is_local(one) for one in ("127.0.0.1", "::1", "192.0.2.7", "", "a name")]
    [True, True, False, False, False]
    """
    return address == "::1" or address.startswith("127.")


class Attempts:
    """Failures by name: at most so many in any stretch of time of this length."""

    def __init__(
        self, most: int, seconds: float, monotonic: Callable[[], float], names: int = NAMES_MAX
    ) -> None:
        self.most, self.seconds = most, seconds
        self._monotonic, self._names = monotonic, names
        self._failed: dict[bytes, tuple[float, ...]] = {}
        """Moments of failures; the name that failed last stands last."""

    def __len__(self) -> int:
        return len(self._failed)

    def wait_seconds(self, key: bytes) -> float:
        """Return how long a name must wait for its next attempt; 0: it need not."""
        recent = self._recent(key)
        if len(recent) < self.most:
            return 0.0
        return recent[-self.most] + self.seconds - self._monotonic()

    def failed(self, key: bytes) -> int:
        """Count a failure; return how many more a name may have now."""
        recent = (*self._recent(key), self._monotonic())[-self.most :]
        self._failed.pop(key, None)
        self._failed[key] = recent
        self._drop_old()
        return self.most - len(recent)

    def _recent(self, key: bytes) -> tuple[float, ...]:
        since = self._monotonic() - self.seconds
        return tuple(one for one in self._failed.get(key, ()) if one > since)

    def _drop_old(self) -> None:
        since = self._monotonic() - self.seconds
        while self._failed:
            key, failed = next(iter(self._failed.items()))
            if failed[-1] > since and len(self._failed) <= self._names:
                return
            del self._failed[key]


class Room(Named):
    """Whether a command may be handed over now."""

    YES = "yes"
    WAIT = "wait"
    """Commands on their way could still be refused: when one of them is answered."""
    NO = "no"


class Allowance:
    """What one session may send, and how often it may be refused."""

    __slots__ = (
        "_at",
        "_level",
        "_monotonic",
        "_on_the_way",
        "_rates",
        "_refused",
        "_sockets",
        "_waiting",
    )

    def __init__(self, rates: Rates, monotonic: Callable[[], float]) -> None:
        self._rates, self._monotonic = rates, monotonic
        self._level, self._at = float(rates.messages_burst), monotonic()
        self._on_the_way = self._sockets = 0
        self._refused: dict[str, float] | None = None  # most sessions are never refused
        """By identification: when a refusal under it was first told, the oldest first."""
        self._waiting: list[Callable[[], None]] = []

    def message(self) -> TurnedAway | None:
        """Count a message or a request; say so if it is one too many."""
        rates, now = self._rates, self._monotonic()
        level = self._level + (now - self._at) * rates.messages_per_second
        if level > rates.messages_burst:
            level = float(rates.messages_burst)
        self._at = now
        if level >= 1.0:
            self._level = level - 1.0
            return None
        self._level = level
        wait = (1.0 - self._level) / rates.messages_per_second
        return TurnedAway(
            ServerCode.TOO_MANY,
            f"At most {rates.messages_per_second} messages a second and"
            f" {rates.messages_burst} at once are allowed; wait a moment.",
            whole_seconds(wait),
        )

    def open_socket(self, address: str) -> TurnedAway | None:
        """Count a socket that opens; say so if it is one too many."""
        most = self._rates.sockets_per_session
        if self._sockets >= most and self._rates.counts(address):
            why = f"A session has at most {most} sockets; close one first."
            return TurnedAway(ServerCode.TOO_MANY, why, whole_seconds(0.0))
        self._sockets += 1
        return None

    def close_socket(self) -> None:
        """Count a socket that is closed."""
        assert self._sockets, "no socket is open"
        self._sockets -= 1

    def begin(self) -> Room:
        """Ask for room for a command; whoever gets it says how it was answered.

        What is on its way could all be refused, so it counts until it is answered: no more
        refusals are recorded than are allowed, even if all commands come at once.
        """
        most = self._rates.refusals_per_minute
        recorded = 0 if self._refused is None else self._recorded()
        if recorded >= most:
            return Room.NO
        if recorded + self._on_the_way >= most:
            return Room.WAIT
        self._on_the_way += 1
        return Room.YES

    def answered(self, refused: str | None) -> None:
        """Count the answer to a command that had begun.

        ``refused`` is its identification where a refusal was recorded: one that is told again
        is the same record, and counts once.
        """
        assert self._on_the_way, "no command is on its way"
        self._on_the_way -= 1
        if refused is not None:
            if self._refused is None:
                self._refused = {}
            self._refused.setdefault(refused, self._monotonic())
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            for again in waiting:
                again()

    def when_answered(self, again: Callable[[], None]) -> None:
        """Let somebody who must wait for room ask again when the next answer came."""
        self._waiting.append(again)

    def no_room(self, room: Room) -> TurnedAway:
        """Say why a command is not even decided, and when one will be."""
        most, refused = self._rates.refusals_per_minute, self._refused
        if room is Room.WAIT:
            why = (
                f"With those on their way {most} commands of this session could be refused"
                " within a minute; wait a moment."
            )
            return TurnedAway(ServerCode.TOO_MANY, why, whole_seconds(0.0))
        wait = next(iter(refused.values())) + MINUTE - self._monotonic() if refused else 0.0
        seconds = whole_seconds(wait)
        return TurnedAway(
            ServerCode.TOO_MANY,
            f"{most} commands of this session were refused within a minute;"
            f" wait {seconds} seconds.",
            seconds,
        )

    def _recorded(self) -> int:
        refused = self._refused
        if refused is None:
            return 0
        since = self._monotonic() - MINUTE
        while refused:
            oldest = next(iter(refused))
            if refused[oldest] > since:
                break
            del refused[oldest]
        return len(refused)


class Strangers:
    """What those may ask for who are not signed in, by the address they come from."""

    def __init__(
        self, rates: Rates, monotonic: Callable[[], float], addresses: int = NAMES_MAX
    ) -> None:
        self._set, each = rates, rates.nobody_per_second
        self._rates = Rates(
            messages_per_second=max(1, each), messages_burst=max(1, BURST_SECONDS * each)
        )
        self._counts, self._monotonic, self._most = each > 0, monotonic, addresses
        self._known: dict[str, Allowance] = {}
        """The address that came last stands last."""

    def __len__(self) -> int:
        return len(self._known)

    def request(self, address: str) -> TurnedAway | None:
        """Count a request; say so if it is one too many."""
        if not self._counts or not self._set.counts(address):
            return None
        allowance = self._known.pop(address, None) or Allowance(self._rates, self._monotonic)
        self._known[address] = allowance
        if len(self._known) > self._most:
            del self._known[next(iter(self._known))]
        return allowance.message()
