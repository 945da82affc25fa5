"""Frames: what was decided together, for all streams of a process, on its way to a store.

Rows are flat, one value after the other: a frame crosses to another process and is bound to
statements of many rows, and neither takes apart what it does not have to. Everything here is
light to import, because the writer's process imports it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from croupier.accounting import CENTS_MAX, SUMS, may_be_negative
from croupier.journal.errors import (
    ConflictError,
    FencedError,
    IdTakenError,
    JournalError,
    LedgerError,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

DECISION_WIDTH = 7
"""Place in the frame, stream, sequence, command id, actor, body, hash."""
POSTING_WIDTH = 5
"""Place of its decision in the frame, line, source, target, cents."""


class Part(msgspec.Struct, array_like=True, gc=False):
    """What a frame adds to one stream: in which epoch, behind which head, up to which one."""

    epoch: int
    after: int
    after_hash: bytes
    last: int
    last_hash: bytes


class Kept(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """A snapshot as a store keeps it."""

    stream: str
    sequence: int
    hash: bytes
    release: str
    state: bytes
    mark: bytes
    """Proves that who has the key made it; the key is not in the store."""


class Frame(msgspec.Struct, array_like=True, gc=False):
    """Decisions of several streams that are written in one transaction."""

    parts: dict[str, Part] = {}
    decisions: list[Any] = []
    postings: list[Any] = []
    changes: dict[str, dict[str, tuple[int, int]]] = {}
    """By stream and account: the difference, and the lowest it comes to on the way."""
    snapshots: list[Kept] = []


Refusals = dict[str, tuple[str, str]]
"""By stream: why its part of a frame was not written, as a code and a sentence."""
ERRORS: dict[str, type[JournalError]] = {
    "fenced": FencedError,
    "conflict": ConflictError,
    "taken": IdTakenError,
    "ledger": LedgerError,
    "wrong": JournalError,
}


def fenced(stream: str, epoch: int) -> tuple[str, str]:
    """Say that a stream was taken over."""
    return "fenced", f"Stream {stream} was taken over; epoch {epoch} is over."


def conflict(stream: str, sequence: int) -> tuple[str, str]:
    """Say that another writer was first."""
    return "conflict", f"Stream {stream} no longer ends at decision {sequence}."


def taken(actor: str, command_id: str) -> tuple[str, str]:
    """Say that a command is in the journal already."""
    return "taken", f"Command {command_id} of {actor} is in the journal already."


def overdrawn(account: str) -> tuple[str, str]:
    """Say that an account does not hold what is to be moved."""
    return "ledger", f"Account {account} would hold less than nothing."


def overflown(account: str) -> tuple[str, str]:
    """Say that no database could write what an account would hold."""
    return "ledger", f"Account {account} would hold more than can be written."


def add_moves(changes: dict[str, tuple[int, int]], moved: list[tuple[str, str, int]]) -> None:
    """Note by how much a decision changes accounts; it counts as a whole, not line by line.

    Sums have no row.
    """
    net: Iterable[tuple[str, int]]
    if len(moved) == 1:
        ((source, target, cents),) = moved
        net = ((source, -cents), (target, cents))
    else:
        sums: dict[str, int] = {}
        for source, target, cents in moved:
            sums[source] = sums.get(source, 0) - cents
            sums[target] = sums.get(target, 0) + cents
        net = sums.items()
    for account, cents in net:
        if account not in SUMS:
            before, low = changes.get(account, (0, 0))
            change = before + cents
            changes[account] = (change, change if change < low else low)  # noqa: FURB136  # quicker


def wrong_parts(frame: Frame) -> Refusals:
    """Return the streams whose rows do not hang together, before any store looks at them."""
    refused: Refusals = {}
    heads = {stream: part.after for stream, part in frame.parts.items()}
    rows = frame.decisions
    for stream, sequence in zip(rows[1::DECISION_WIDTH], rows[2::DECISION_WIDTH], strict=True):
        if heads.get(stream) != sequence - 1:
            refused[stream] = (
                "wrong",
                f"Decision {sequence} of {stream} does not follow {heads.get(stream)}.",
            )
        heads[stream] = sequence
    for stream, part in frame.parts.items():
        if heads[stream] != part.last and stream not in refused:
            refused[stream] = (
                "wrong",
                f"Decision {part.last} of {stream} is not in its frame.",
            )
    for number, source, target, cents in zip(
        frame.postings[::POSTING_WIDTH],
        frame.postings[2::POSTING_WIDTH],
        frame.postings[3::POSTING_WIDTH],
        frame.postings[4::POSTING_WIDTH],
        strict=True,
    ):
        if not 0 < cents <= CENTS_MAX or source == target:
            stream = rows[number * DECISION_WIDTH + 1]
            refused[stream] = (
                "ledger",
                (
                    f"A posting of {cents} cents from {source} to {target}"
                    " moves nothing that an account can hold."
                ),
            )
    return refused


def without(frame: Frame, refused: Refusals) -> Frame:
    """Return a frame without the streams that were refused."""
    if not refused:
        return frame
    rows, postings = frame.decisions, frame.postings
    decisions: list[Any] = []
    places: dict[int, int] = {}
    for first in range(0, len(rows), DECISION_WIDTH):
        if rows[first + 1] not in refused:
            place = len(places)
            places[rows[first]] = place
            decisions += (place, *rows[first + 1 : first + DECISION_WIDTH])
    kept: list[Any] = []
    for first in range(0, len(postings), POSTING_WIDTH):
        number = places.get(postings[first])
        if number is not None:
            kept += (number, *postings[first + 1 : first + POSTING_WIDTH])
    return Frame(
        {stream: part for stream, part in frame.parts.items() if stream not in refused},
        decisions,
        kept,
        {stream: one for stream, one in frame.changes.items() if stream not in refused},
        [one for one in frame.snapshots if one.stream not in refused],
    )


def next_balances(
    changes: dict[str, tuple[int, int]], held: dict[str, int]
) -> dict[str, int] | tuple[str, str]:
    """Return the balances after a stream's changes, or why they cannot be."""
    new: dict[str, int] = {}
    for account, (change, low) in changes.items():
        before = held[account]
        if before + low < 0 and not may_be_negative(account):
            return overdrawn(account)
        if abs(before + change) > CENTS_MAX:
            return overflown(account)
        new[account] = before + change
    return new
