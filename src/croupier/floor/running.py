"""How a process that serves desks runs: its loop, its threads and its garbage."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import sys
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

Result = TypeVar("Result")
TURN_SECONDS = 0.001
"""How long the loop keeps going while the journal's writer waits for its turn."""
GARBAGE_MIN = 50_000
"""Cycles are sought seldom: what the desks make, and drop, has almost none."""
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""What glibc's mallopt(3) calls them."""
LARGE_BYTES, SPARE_BYTES = 8 << 20, 16 << 20
"""A block this large goes back to the system when it is freed, and so does more spare heap."""


def tune() -> None:
    """Set up this process for desks; done once, when everything is imported."""
    sys.setswitchinterval(TURN_SECONDS)
    _give_back_memory()
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_MIN, 20, 100)


def _give_back_memory() -> None:
    """Let glibc give freed memory back, where it is the C library.

    After the first large block that is freed it takes such blocks from its heaps, and keeps
    them: 19 MiB for each thread that looks at passwords.
    """
    if sys.platform != "linux":
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # musl has none
    if mallopt is not None:
        mallopt(M_MMAP_THRESHOLD, LARGE_BYTES)
        mallopt(M_TRIM_THRESHOLD, SPARE_BYTES)


def run(main: Coroutine[Any, Any, Result]) -> Result:
    """Run the main coroutine of a process that serves desks, on the fastest loop there is."""
    tune()
    try:
        import uvloop  # noqa: PLC0415  # it comes with the extra of the floor
    except ImportError:
        return asyncio.run(main)
    return uvloop.run(main)
