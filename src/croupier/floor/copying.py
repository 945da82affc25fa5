"""Copying a journal for a backup, as a process of its own: its order and its answer are JSON.

It gives way to whoever plays. Run by ``floor/backups.py`` alone.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from croupier.journal.backup import back_up
from croupier.journal.checkpoints import Signer
from croupier.journal.errors import JournalError
from croupier.journal.opening import open_reader

if TYPE_CHECKING:
    from croupier.journal.verify import Verified

NICENESS = 10


class Order(msgspec.Struct, frozen=True):
    """What is to be copied where, and which key signs the copy."""

    journal: str
    target: str
    key: str


class Copied(msgspec.Struct, frozen=True):
    """What came of it: how many decisions were verified, or why there is no copy."""

    decisions: int = 0
    key: str = ""
    error: str = ""


async def _copied(order: Order, signer: Signer) -> Verified:
    async with await open_reader(order.journal) as reader:
        return await back_up(reader, Path(order.target), signer)


def copy(order: Order) -> Copied:
    """Copy a journal and verify the copy."""
    try:
        signer = Signer.at(Path(order.key))
        return Copied(asyncio.run(_copied(order, signer)).decisions, signer.public)
    except JournalError as error:
        return Copied(error=str(error))
    except OSError as error:
        return Copied(error=f"The journal could not be copied: {error.strerror or error}.")


if __name__ == "__main__":
    os.nice(NICENESS)
    asked = msgspec.json.decode(sys.stdin.buffer.read(), type=Order)
    sys.stdout.buffer.write(msgspec.json.encode(copy(asked)))
