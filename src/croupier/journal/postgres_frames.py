"""Frames as a PostgreSQL server takes them: joined, and a column for each of their values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.journal.frames import DECISION_WIDTH, POSTING_WIDTH, Frame, Part

if TYPE_CHECKING:
    from collections.abc import Sequence


def joined(frames: Sequence[Frame]) -> Frame:
    """Return frames that follow one another as one."""
    if len(frames) == 1:
        return frames[0]
    whole = Frame({}, [], [], {}, [])
    for frame in frames:
        count = len(whole.decisions) // DECISION_WIDTH
        for stream, part in frame.parts.items():
            first = whole.parts.get(stream)
            whole.parts[stream] = (
                part
                if first is None
                else Part(first.epoch, first.after, first.after_hash, part.last, part.last_hash)
            )
        postings = list(frame.postings)
        postings[::POSTING_WIDTH] = [count + one for one in postings[::POSTING_WIDTH]]
        whole.decisions += frame.decisions
        whole.postings += postings
        for stream, changes in frame.changes.items():
            own = whole.changes.setdefault(stream, {})
            for account, (change, low) in changes.items():
                before, lowest = own.get(account, (0, 0))
                own[account] = (before + change, min(lowest, before + low))
        whole.snapshots += frame.snapshots
    return whole


def follow_one_another(frames: Sequence[Frame]) -> bool:
    """Tell whether the parts of each stream follow one another, as far as is known here."""
    heads: dict[str, Part] = {}
    for frame in frames:
        for stream, part in frame.parts.items():
            before = heads.get(stream)
            if before is not None and (before.epoch, before.last, before.last_hash) != (
                part.epoch,
                part.after,
                part.after_hash,
            ):
                return False
            heads[stream] = part
    return True


def values(frame: Frame) -> list[list[Any]]:
    """Return what the function of the database is called with: a column each."""
    rows, moved = frame.decisions, frame.postings
    streams, sequences = rows[1::DECISION_WIDTH], rows[2::DECISION_WIDTH]
    numbers = moved[::POSTING_WIDTH]
    changes: dict[str, tuple[int, int]] = {}
    for own in frame.changes.values():
        for account, (change, low) in own.items():
            before, lowest = changes.get(account, (0, 0))
            changes[account] = (before + change, min(lowest, before + low))
    names = sorted(changes)
    parts = frame.parts.values()
    kept = list({one.stream: one for one in frame.snapshots}.values())
    return [
        list(frame.parts),
        [part.epoch for part in parts],
        [part.after for part in parts],
        [part.after_hash for part in parts],
        streams,
        sequences,
        *(rows[column::DECISION_WIDTH] for column in range(3, DECISION_WIDTH)),
        [streams[number] for number in numbers],
        [sequences[number] for number in numbers],
        *(moved[column::POSTING_WIDTH] for column in range(1, POSTING_WIDTH)),
        names,
        [changes[name][0] for name in names],
        [changes[name][1] for name in names],
        [one.stream for one in kept],
        [one.sequence for one in kept],
        [one.hash for one in kept],
        [one.release for one in kept],
        [one.state for one in kept],
        [one.mark for one in kept],
    ]
