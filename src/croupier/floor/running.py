"""How a process that serves desks runs: its loop, its threads and its garbage."""

from __future__ import annotations

import asyncio
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


def tune() -> None:
    """Set up this process for desks; done once, when everything is imported."""
    sys.setswitchinterval(TURN_SECONDS)
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_MIN, 20, 100)


def run(main: Coroutine[Any, Any, Result]) -> Result:
    """Run the main coroutine of a process that serves desks, on the fastest loop there is."""
    tune()
    try:
        import uvloop  # noqa: PLC0415  # it comes with the extra of the floor
    except ImportError:
        return asyncio.run(main)
    return uvloop.run(main)
