"""Finished rounds of tables, page by page, at a cost that does not grow with the journal.

A round is read by itself, from its call for bets to the next one. The newest rounds are read
backwards from the end of the stream; an earlier round is found by halving, since the numbers of
rounds rise. Rounds that nothing can change any more are kept, so many of each table, and what
came since is read the next time somebody asks.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from croupier.journal.decision import Head, check_chain, read_record
from croupier.journal.recall import facts_of, opened_by, recall_round, stream_of

if TYPE_CHECKING:
    from croupier.journal.decision import Record
    from croupier.journal.recall import Recalled
    from croupier.journal.store import Store
    from croupier.table.rulebook import Rulebook
    from croupier.table.views.rounds import RoundFacts

KEPT = 100
"""How many rounds of a table are kept: as many as a page may have."""
CHUNK = 512
"""How many records are read at once."""
PROBE = 64
"""How many records are looked at first when a round is searched for."""
FAR = 20 * CHUNK
"""When so many records came since somebody asked, what was kept is read anew."""
CALLED = b"bets_opened"
"""What the record of a call for bets has in it; another may have it too."""


class Numbered(msgspec.Struct, frozen=True):
    """A round that is over, with the sequence of its call for bets."""

    first: int
    facts: RoundFacts

    @property
    def number(self) -> int:
        """Return the number of the round."""
        play = self.facts.table.round
        assert play is not None, "no round"
        return play.number


class Kept(msgspec.Struct):
    """The newest rounds of a table that nothing can change any more, one after the other."""

    rounds: list[Numbered]
    then: int
    """With which sequence the round behind them began."""


class History:
    """Reads the finished rounds of the tables of a store."""

    def __init__(self, store: Store, rulebooks: tuple[Rulebook, ...]) -> None:
        self._store, self._rulebooks = store, rulebooks
        self._kept: dict[str, Kept] = {}
        self._asking: dict[str, asyncio.Lock] = {}

    async def page(
        self, table: str, before: int | None = None, limit: int = 20
    ) -> list[RoundFacts]:
        """Return finished rounds of a table before one, the newest first, so many at most."""
        async with self._asking.setdefault(table, asyncio.Lock()):
            newest = await self._newest(table, limit)
        wanted = [one for one in newest if before is None or one.number < before]
        if len(wanted) < limit and newest and newest[0].number > 1:
            # What is kept does not reach back so far.
            until = wanted[0].first if wanted else await self._find(table, before)
            wanted = [*await self._before(table, until, limit - len(wanted)), *wanted]
        return [one.facts for one in reversed(wanted[-limit:])]

    async def round(self, table: str, number: int) -> Recalled | None:
        """Return a finished round with its decisions; None: there is none of this number."""
        one = await self.called(table, await self._find(table, number))
        return one if one is not None and one.number == number else None

    async def called(self, table: str, first: int) -> Recalled | None:
        """Return the finished round that was called by a record; None: there is none."""
        records = _checked(await self._segment(stream_of(table), first))
        if not records or opened_by(read_record(records[0])) is None:
            return None
        one = recall_round(table, self._rulebooks, records)
        return one if one.over else None

    # The newest rounds

    async def _newest(self, table: str, limit: int) -> list[Numbered]:
        """Return the newest finished rounds in order; those that are final are kept."""
        head = (await self._store.head(stream_of(table))).sequence
        kept = self._kept.get(table)
        if kept is None or head - kept.then > FAR:
            found = await self._before(table, head + 1, limit)
            if found:
                # The last one may still be void, until bets are called for again.
                self._kept[table] = Kept(found[:-1], found[-1].first)
            return found
        records = await self._from(stream_of(table), kept.then)
        found = await self._rounds(table, records)
        final = found if len(found) < len(_starts(records)) else found[:-1]
        if final:
            kept.rounds = [*kept.rounds, *final][-KEPT:]
            kept.then = _starts(records)[-1]
        return [*kept.rounds, *found[len(final) :]]

    # Reading

    async def _before(self, table: str, until: int, count: int) -> list[Numbered]:
        """Return so many finished rounds that were called before a sequence, in order."""
        stream = stream_of(table)
        records: list[Record] = []
        end, size = until - 1, CHUNK
        while end > 0:
            after = max(0, end - size)
            records = [*(await self._store.read(stream, after, end - after)), *records]
            if len(_starts(records)) > count:
                break  # one more than asked for: the last may be in progress
            end = after
            size *= 2
        return (await self._rounds(table, records, count + 1))[-count:]

    async def _rounds(
        self, table: str, records: list[Record], most: int | None = None
    ) -> list[Numbered]:
        """Return the last rounds that these records hold whole; the last may be in progress."""
        starts = _starts(records)
        if most is not None:
            starts = starts[-most:]
        if not starts:
            return []
        begin = records[0].sequence
        ends = [*starts[1:], records[-1].sequence + 1]
        found: list[Numbered] = []
        for first, end in zip(starts, ends, strict=True):
            own = _checked(records[first - begin : end - begin])
            one = recall_round(table, self._rulebooks, own)
            if one.over:
                found.append(Numbered(first, facts_of(one)))
            await asyncio.sleep(0)  # others go on between two rounds
        return found

    async def _from(self, stream: str, first: int) -> list[Record]:
        """Return all records from a sequence on."""
        records: list[Record] = []
        while True:
            more = await self._store.read(stream, first - 1 + len(records), CHUNK)
            records += more
            if len(more) < CHUNK:
                return records

    async def _find(self, table: str, number: int | None) -> int:
        """Return the sequence of the first call for bets that is not before a round.

        It is one behind the last decision where there is none.
        """
        stream = stream_of(table)
        end = (await self._store.head(stream)).sequence + 1
        if number is None:
            return end
        low, high = 1, end
        # What is called for before low is of earlier rounds, from high on it is not.
        while low < high:
            middle = (low + high) // 2
            first, called = await self._call_from(stream, middle, high)
            if called is not None and called < number:
                low = first + 1
            else:
                high = middle
        first, _ = await self._call_from(stream, low, end)
        return first

    async def _call_from(self, stream: str, first: int, end: int) -> tuple[int, int | None]:
        """Return the first call for bets from a sequence on, and its round; None: none."""
        after, size = first - 1, PROBE
        while after < end:
            records = await self._store.read(stream, after, size)
            for record in records:
                called = _call(record)
                if called is not None:
                    return record.sequence, called
            if len(records) < size:
                break
            after, size = records[-1].sequence, min(2 * size, CHUNK)
        return end, None

    async def _segment(self, stream: str, first: int) -> list[Record]:
        """Return the records from a call for bets to the one before the next."""
        records: list[Record] = []
        while True:
            more = await self._store.read(stream, first - 1 + len(records), CHUNK)
            records += more
            starts = _starts(records)
            if len(starts) > 1:
                return records[: starts[1] - first]
            if len(more) < CHUNK:
                return records


def _starts(records: list[Record]) -> list[int]:
    """Return the sequences of the calls for bets among records."""
    return [record.sequence for record in records if _call(record) is not None]


def _call(record: Record) -> int | None:
    """Return the number of the round that a record begins; None: it begins none."""
    if CALLED not in record.body:
        return None
    opened = opened_by(read_record(record))
    return None if opened is None else opened.round


def _checked(records: list[Record]) -> list[Record]:
    """Return records that follow each other, after their chain is checked."""
    at: Head | None = None
    for record in records:
        if at is not None:
            check_chain(at, record)
        at = Head(record.stream, record.sequence, record.hash)
    return records
