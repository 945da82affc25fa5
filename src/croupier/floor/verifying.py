"""Verifying a journal while the house is open, as a process of its own.

Its order is JSON, its answers are lines of JSON: how far it is, and at last what it found. It
gives way to whoever plays. Run by ``floor/verifications.py`` alone.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import Final

import msgspec

from croupier.floor.copying import NICENESS
from croupier.journal.checkpoints import CheckpointError, Checkpoints
from croupier.journal.errors import JournalError
from croupier.journal.opening import open_reader
from croupier.journal.reader import Finding
from croupier.journal.verify import Verified, verify
from croupier.rulebooks import RULEBOOKS

SAID_SECONDS: Final = 0.2
"""How often it says how far it is."""
FINDINGS_MAX: Final = 200


class Order(msgspec.Struct, frozen=True):
    """What is to be verified, with which checkpoints, signed by which key."""

    journal: str
    checkpoints: str
    key: str


class Told(msgspec.Struct, frozen=True, omit_defaults=True):
    """How far it is, and at last what came of it, or why nothing did."""

    done: int = 0
    total: int = 0
    verified: Verified | None = None
    error: str = ""


def _tell(told: Told) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
    sys.stdout.buffer.flush()


async def _verified(order: Order) -> Told:
    broken: list[Finding] = []
    try:
        signed = Checkpoints(Path(order.checkpoints)).all(order.key)
    except CheckpointError as error:
        signed, broken = [], [Finding("", 0, "checkpoint", str(error))]
    async with await open_reader(order.journal) as reader:
        total = sum(head.sequence for head in await reader.heads())
        done, said = 0, time.monotonic()

        def progress(more: int) -> None:
            nonlocal done, said
            done += more
            if time.monotonic() - said >= SAID_SECONDS:
                said = time.monotonic()
                _tell(Told(min(done, total), total))

        _tell(Told(0, total))
        checkpoints = [one.checkpoint for one in signed]
        verified = await verify(reader, RULEBOOKS, checkpoints, progress)
    verified.findings = [*verified.findings, *broken][:FINDINGS_MAX]
    verified.unopened = {}  # nobody has to know them, and there may be many
    return Told(total, total, verified)


def run(order: Order) -> None:
    """Verify a journal, and tell what came of it."""
    try:
        told = asyncio.run(_verified(order))
    except JournalError as error:
        told = Told(error=str(error))
    except OSError as error:
        told = Told(error=f"The journal could not be read: {error.strerror or error}.")
    _tell(told)


if __name__ == "__main__":
    os.nice(NICENESS)
    run(msgspec.json.decode(sys.stdin.buffer.read(), type=Order))
