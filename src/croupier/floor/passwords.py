"""Passwords: argon2id beside the loop, a few at a time, and the same work for every name."""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
import threading
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from croupier.floor.door import ServerCode, TurnedAway

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")
LENGTH_MIN = 12
LENGTH_MAX = 256
"""Nobody types more; a longer one would be work for an attacker to give us."""
HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
"""The least that is advised today; a password of other costs is hashed anew at its next use."""
AT_ONCE = 2
"""How many are worked on at a time: 19 MiB and a core each."""
NICENESS = 5
"""A flood of sign-ins gives way to the loop that deals."""


def unsuitable(password: str, name: str) -> TurnedAway | None:
    """Say why something cannot be the password of a name; None: it can."""
    length = len(password)
    if not LENGTH_MIN <= length <= LENGTH_MAX:
        return TurnedAway(
            ServerCode.BAD_PASSWORD,
            f"A password of {length} characters came; it has {LENGTH_MIN} to {LENGTH_MAX}.",
        )
    if password.casefold() == name.casefold():
        return TurnedAway(
            ServerCode.BAD_PASSWORD, "The password is the name itself; choose another one."
        )
    return None


class Passwords:
    """Hashes passwords and checks them, beside the loop."""

    def __init__(self, hasher: PasswordHasher = HASHER, at_once: int = AT_ONCE) -> None:
        self._hasher = hasher
        self._threads = ThreadPoolExecutor(at_once, "passwords", _give_way)
        self._nobody: str | None = None

    async def start(self) -> None:
        """Make ready what a password is compared with when nobody has the name."""
        self._nobody = await self._beside(self._hasher.hash, secrets.token_bytes(32))

    async def close(self) -> None:
        """End the threads, after what they work on."""
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)

    async def hashed(self, password: str) -> str:
        """Return what to keep of a password."""
        return await self._beside(self._hasher.hash, _bytes(password))

    async def holds(self, kept: str | None, password: str) -> bool:
        """Tell whether a password is the one that was kept.

        None was kept for a name that nobody has: that takes the same time.
        """
        assert self._nobody is not None, "the passwords were not started"
        right = await self._beside(self._verified, kept or self._nobody, password)
        return right and kept is not None

    def outdated(self, kept: str) -> bool:
        """Tell whether a password was hashed at other costs than it would be now."""
        return self._hasher.check_needs_rehash(kept)

    def _verified(self, kept: str, password: str) -> bool:
        # Nobody has an empty one: what is too long takes the same time and is wrong.
        tried = _bytes(password) if len(password) <= LENGTH_MAX else b""
        try:
            return self._hasher.verify(kept, tried)
        except (VerificationError, InvalidHashError):
            return False

    async def _beside(self, work: Callable[..., Result], *values: object) -> Result:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, work, *values)


def _bytes(password: str) -> bytes:
    """Return a password as it is hashed: the same, however a keyboard composes a letter."""
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")


def _give_way() -> None:
    """Let this thread take what the others leave; only Linux sets that for one thread."""
    if sys.platform == "linux":
        with suppress(OSError):
            below = os.getpriority(os.PRIO_PROCESS, 0) + NICENESS
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), below)
