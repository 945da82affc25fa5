"""The inbox: commands for a stream that another process owns.

Whoever has a command for such a stream puts it there; the process that owns the stream takes
it, decides it as any other, and removes it. The record in the journal is the answer. Only what
leaves no record is answered in the inbox. Nothing here is believed by anybody but the two: a
command that was decided and not removed is found in the journal by its identification.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from croupier.journal.store import Key


class Waiting(msgspec.Struct, frozen=True, array_like=True):
    """A command that waits; its fields are the columns that its owner reads."""

    number: int
    """In the order of arrival, over all streams."""
    stream: str
    command_id: str
    actor: str
    body: bytes
    seconds: float
    """How long it may still be decided, by the clock of the database; below zero: no more."""


class Answered(msgspec.Struct, frozen=True):
    """What its owner says to a command of which there is no record."""

    number: int
    epoch: int
    """Of the owner: one that lost the stream answers nothing."""
    answer: bytes


class Inbox(Protocol):
    """Keeps commands until the process that owns their stream has decided them."""

    async def put(self, key: Key, body: bytes, seconds: float) -> int:
        """Put a command that may be decided for so long; return its number.

        Raises ``BusyError`` when too many wait for the stream, and ``JournalError`` when no
        process ever owned it.
        """

    async def waiting(
        self, streams: Collection[str], but: Collection[int], limit: int
    ) -> list[Waiting]:
        """Return what waits for some streams, in order; without those that are known."""

    async def settle(
        self, decided: Sequence[int], answers: Sequence[Answered]
    ) -> frozenset[int]:
        """Remove what was decided, and answer what was not.

        Returns those that still wait: their stream has another owner by now.
        """

    async def answers(self, numbers: Collection[int]) -> Mapping[int, bytes | None]:
        """Return the answers to commands that are still there; None: they wait."""

    async def remove(self, numbers: Collection[int]) -> None:
        """Remove commands, answered or not."""

    async def sweep(self, seconds: float) -> None:
        """Remove what nobody asked for so long after its deadline."""

    async def listen(self, callback: Callable[[str, int], None]) -> None:
        """Call back with stream and number whenever a command is put, or answered."""
