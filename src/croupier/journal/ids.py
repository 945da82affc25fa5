"""Which commands memory remembers, and which identifications must be looked up.

An identification is looked up in the journal before its command is decided, unless memory
would know it: a UUIDv7 tells when it was made, and memory has everything since its horizon.
Whatever is believed here, the database has the last word: no identification is written twice.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from croupier.journal.codec import Start

if TYPE_CHECKING:
    from croupier.journal.gathering import Reply
    from croupier.journal.store import Key

REMEMBERED = 5_000
"""Answers at hand, in each of two generations."""
REMEMBERED_MS = 60_000
"""How long a generation lasts at most: whoever asks again does so soon, or is looked up."""
AHEAD_MS = 5_000
"""How far the clock of a sender may be ahead of ours."""
UUID_LENGTH = 36
VERSION_AT = 14


def made_ms(command_id: str) -> int | None:
    """Return when a UUIDv7 was made, in milliseconds; None: it is none.

    >>> made_ms("0190163d-8694-739b-aea5-966c26f8ad91")
    1718360049300
    >>> made_ms("bet-1"), made_ms("0190163d-8694-439b-aea5-966c26f8ad91")
    (None, None)
    """
    if len(command_id) != UUID_LENGTH or command_id[VERSION_AT] != "7":
        return None
    try:
        return int(command_id[:8] + command_id[9:13], 16)
    except ValueError:
        return None


def now_ms() -> int:
    """Return the time in milliseconds."""
    return time.time_ns() // 1_000_000


class Memory:
    """The newest answers, and since when they are complete.

    Whoever asked since the older generation began is in one of the two. Somebody whose clock
    is ahead may have asked before an identification says it was made: such answers are kept
    apart, so that one made since then is here whenever it was asked.
    """

    def __init__(self) -> None:
        self._young: dict[Key, tuple[object, Reply]] = {}
        self._old: dict[Key, tuple[object, Reply]] = {}
        self._ahead: dict[Key, tuple[object, Reply]] = {}
        self._young_since = now_ms()
        # Before this began, too, somebody's clock may have been ahead.
        self._horizon = self._young_since + AHEAD_MS

    def covers(self, made: int | None, command: object) -> bool:
        """Tell whether a command that memory does not have is new, by when it was made."""
        if made is None:
            # Nobody but this house starts a stream, and no epoch begins twice.
            return type(command) is Start
        return self._horizon <= made <= now_ms() + AHEAD_MS

    def has(self, key: Key) -> bool:
        """Tell whether a command is at hand."""
        return self.get(key) is not None

    def get(self, key: Key) -> tuple[object, Reply] | None:
        """Return what a command asked for, and its answer."""
        return self._young.get(key) or self._old.get(key) or self._ahead.get(key)

    def add(self, key: Key, answer: tuple[object, Reply], made: int | None) -> None:
        """Remember an answer."""
        self._young[key] = answer
        now = now_ms()
        if made is not None and made > now:
            self._ahead[key] = answer
            if len(self._ahead) > REMEMBERED:
                self._drop_ahead(now)
        if len(self._young) > REMEMBERED or now - self._young_since > REMEMBERED_MS:
            # Those before it may have come within the same millisecond.
            self._horizon = max(self._horizon, self._young_since + 1)
            self._old, self._young, self._young_since = self._young, {}, now

    def _drop_ahead(self, now: int) -> None:
        """Forget what would be looked up anyway; if that is not enough, all of it."""
        left = {
            key: answer
            for key, answer in self._ahead.items()
            if (made_ms(key[2]) or 0) >= self._horizon
        }
        if len(left) > REMEMBERED // 2:
            self._horizon, left = max(self._horizon, now + AHEAD_MS + 1), {}
        self._ahead = left

    def forget(self, key: Key, durable: int) -> None:
        """Forget an answer that was never written: one behind the newest durable decision."""
        for kept in (self._young, self._old, self._ahead):
            known = kept.get(key)
            if known is not None and known[1].sequence > durable:
                del kept[key]
