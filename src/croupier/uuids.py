"""Identifications of commands: UUIDv7, which tell when they were made."""

from __future__ import annotations

import secrets
import time
from typing import Final

RANDOM_BITS: Final = 74
VERSION: Final = 7 << 76
VARIANT: Final = 2 << 62
LOW_BITS: Final = 62


def uuid7(now_ms: int | None = None) -> str:
    """Return a new identification; those made later sort behind it, to the millisecond.

    >>> len(uuid7()), uuid7()[14], uuid7(1) < uuid7(2)
    (36, '7', True)
    """
    made = time.time_ns() // 1_000_000 if now_ms is None else now_ms
    chance = secrets.randbits(RANDOM_BITS)
    high, low = chance >> LOW_BITS, chance & ((1 << LOW_BITS) - 1)
    text = f"{made << 80 | VERSION | high << 64 | VARIANT | low:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
