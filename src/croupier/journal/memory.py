"""The store that keeps everything in memory: for tests, scripts and what need not last."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from typing import TYPE_CHECKING

from croupier.accounting import SUMS
from croupier.journal.decision import Head, Posting, Record
from croupier.journal.errors import JournalError
from croupier.journal.frames import (
    DECISION_WIDTH,
    ERRORS,
    POSTING_WIDTH,
    conflict,
    fenced,
    next_balances,
    taken,
    without,
    wrong_parts,
)
from croupier.journal.names import check_names
from croupier.journal.store import not_sealed, sealed_twice

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from croupier.journal.frames import Frame, Kept, Refusals
    from croupier.journal.store import Key


class MemoryStore:
    """Keeps decisions, postings and balances as long as the process runs."""

    def __init__(self) -> None:
        self._epochs: dict[str, int] = {}
        self._records: dict[str, list[Record]] = {}
        self._keys: dict[Key, Record] = {}
        self._postings: dict[str, list[Posting]] = {}
        self._balances: dict[str, int] = {}
        self._sealed: dict[str, tuple[bytes, ...]] = {}
        self._snapshots: dict[str, Kept] = {}

    async def claim(self, streams: Sequence[str], holder: str) -> list[int]:
        """Take streams over."""
        check_names((*streams, holder))
        for stream in streams:
            self._epochs[stream] = self._epochs.get(stream, 0) + 1
        return [self._epochs[stream] for stream in streams]

    def append(self, frame: Frame) -> asyncio.Future[Mapping[str, JournalError]]:
        """Keep a frame, as far as its streams hold."""
        future: asyncio.Future[Mapping[str, JournalError]] = (
            asyncio.get_running_loop().create_future()
        )
        refused = wrong_parts(frame)
        self._check(frame, refused)
        self._keep(without(frame, refused))
        future.set_result(
            {stream: ERRORS[code](said) for stream, (code, said) in refused.items()}
        )
        return future

    def _check(self, frame: Frame, refused: Refusals) -> None:
        for stream, part in frame.parts.items():
            if stream in refused:
                continue
            newest = self._head(stream)
            if self._epochs.get(stream) != part.epoch:
                refused[stream] = fenced(stream, part.epoch)
            elif (newest.sequence, newest.hash) != (part.after, part.after_hash):
                refused[stream] = conflict(stream, part.after)
        keys = set()
        rows = frame.decisions
        for first in range(0, len(rows), DECISION_WIDTH):
            _, stream, _, command_id, actor = rows[first : first + 5]
            key = (stream, actor, command_id)
            if stream not in refused and (key in self._keys or key in keys):
                refused[stream] = taken(actor, command_id)
            keys.add(key)
        for stream, changes in frame.changes.items():
            if stream in refused:
                continue
            held = {account: self._balances.get(account, 0) for account in changes}
            new = next_balances(changes, held)
            if isinstance(new, tuple):
                refused[stream] = new
            else:
                self._balances.update(new)

    def _keep(self, frame: Frame) -> None:
        rows, postings = frame.decisions, frame.postings
        records = [
            Record(*rows[first + 1 : first + DECISION_WIDTH])
            for first in range(0, len(rows), DECISION_WIDTH)
        ]
        for record in records:
            self._records.setdefault(record.stream, []).append(record)
            self._keys[record.stream, record.actor, record.command_id] = record
        for first in range(0, len(postings), POSTING_WIDTH):
            number, *values = postings[first : first + POSTING_WIDTH]
            of = records[number]
            self._postings.setdefault(of.stream, []).append(
                Posting(of.stream, of.sequence, *values)
            )
        for kept in frame.snapshots:
            self._snapshots[kept.stream] = kept

    def _head(self, stream: str) -> Head:
        records = self._records.get(stream)
        return Head(stream, records[-1].sequence, records[-1].hash) if records else Head(stream)

    async def head(self, stream: str) -> Head:
        """Return the newest decision's sequence and hash."""
        return self._head(stream)

    async def heads(self) -> list[Head]:
        """Return the heads of all streams that have decisions."""
        return [self._head(stream) for stream in sorted(self._records)]

    async def epoch(self, stream: str) -> int:
        """Return the newest epoch of a stream."""
        return self._epochs.get(stream, 0)

    async def read(self, stream: str, after: int = 0, limit: int = 10_000) -> list[Record]:
        """Return records of a stream in order."""
        return self._records.get(stream, [])[after : after + limit]

    async def find(self, keys: Iterable[Key]) -> dict[Key, Record]:
        """Return the records of commands that are in the journal."""
        wanted: list[Key] = []
        for stream, actor, command_id in keys:
            streams = (stream,) if stream else tuple(self._records)
            wanted += [(one, actor, command_id) for one in streams]
        return {key: self._keys[key] for key in wanted if key in self._keys}

    async def postings(self, stream: str, after: int = 0) -> list[Posting]:
        """Return the postings of a stream in order."""
        kept = self._postings.get(stream, [])
        return kept[bisect_right(kept, after, key=lambda posting: posting.sequence) :]

    async def balances(self, prefix: str = "") -> Mapping[str, int]:
        """Return the balances of the accounts whose names begin so."""
        found = {
            account: cents
            for account, cents in sorted(self._balances.items())
            if account.startswith(prefix)
        }
        for name in SUMS:
            if name.startswith(prefix):
                moved = [
                    one.cents if one.target == name else -one.cents
                    for kept in self._postings.values()
                    for one in kept
                    if name in (one.source, one.target)
                ]
                if moved:
                    found[name] = sum(moved)
        return found

    async def keep_sealed(self, shoe: str, cards: Sequence[bytes]) -> None:
        """Keep the sealed cards of a shoe, once."""
        check_names((shoe,))
        if shoe in self._sealed or not cards:
            raise JournalError(sealed_twice(shoe))
        self._sealed[shoe] = tuple(cards)

    async def sealed(self, shoe: str, index: int) -> bytes:
        """Return one sealed card of a shoe."""
        cards = self._sealed.get(shoe, ())
        if not 0 <= index < len(cards):
            raise JournalError(not_sealed(shoe, index))
        return cards[index]

    async def snapshot(self, stream: str) -> Kept | None:
        """Return the newest snapshot of a stream."""
        return self._snapshots.get(stream)

    async def reopen(self) -> None:
        """Memory does not fail."""

    async def close(self) -> None:
        """Nothing is to be closed."""
