"""Which rounds a patron had stakes in, over all tables, the newest first.

A journal has no such index, so it is made by reading, once, for everybody: from near the end of
every stream forwards as records come, and backwards as far as somebody asks. Only records that
call for bets, give stakes back, settle or void are looked into.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from croupier.floor.problems import ProblemError, ServerCode
from croupier.journal.decision import read_record
from croupier.journal.recall import opened_by
from croupier.table.events import WagersSettled
from croupier.table.incidents import RoundVoided, WagersWithdrawn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from croupier.floor.desk import Desk
    from croupier.journal.decision import Decision, Record
    from croupier.journal.store import Store

CHUNK: Final = 2_000
"""How many records are read at once."""
READ_SECONDS: Final = 6.0
"""How long somebody waits while rounds are looked up."""
KEPT: Final = 5_000
"""How many of the newest rounds of a patron are remembered at least."""
MARKS: Final = (b"bets_opened", b"wagers_settled", b"round_voided", b"wagers_withdrawn")
"""What a record has in it that is looked into; another may have it too."""


class Called(NamedTuple):
    """A round, by its call for bets; they sort by when they were called."""

    moment: str
    table: str
    number: int
    first: int
    """The sequence of the call."""


class Reading(msgspec.Struct):
    """How far the stream of a table was read, both ways."""

    low: int
    """Everything behind this sequence was read."""
    high: int
    """Up to here."""
    earliest: str = ""
    """The moment of the first record that was read; empty: none was."""
    current: Called | None = None
    """The round at the upper end; None: it was called before everything that was read."""
    loose: set[str] = set()
    """Patrons of the round at the lower end, whose call was not read yet."""


class Played:
    """Remembers who had stakes in which rounds."""

    def __init__(self, store: Store, tables: Mapping[str, Desk]) -> None:
        self._store, self._tables = store, tables
        self._readings: dict[str, Reading] = {}
        self._rounds: dict[str, set[Called]] = {}
        self._forgot: dict[str, str] = {}
        """By patron: the moment before which rounds were forgotten."""
        self._turn = asyncio.Lock()

    async def of(self, patron: str, limit: int, before: str | None = None) -> list[Called]:
        """Return rounds of a patron that were called before a moment, the newest first.

        Those called at the same moment come together, beyond the limit if need be, so that
        whoever asks for what was before the last one misses none. Raises where all that is
        asked for was forgotten, and while it is being looked up.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + READ_SECONDS
        async with self._turn:
            for desk in list(self._tables.values()):
                await self._forwards(desk)
            while True:
                found = sorted(
                    one
                    for one in self._rounds.get(patron, ())
                    if before is None or one.moment < before
                )
                open_ended = {name: one for name, one in self._readings.items() if one.low > 0}
                horizon = max((one.earliest for one in open_ended.values()), default="")
                sure = [one for one in found if one.moment > horizon]
                forgot = self._forgot.get(patron, "")
                if len(sure) >= limit or not open_ended or horizon < forgot:
                    if forgot and not sure:
                        raise _forgotten()
                    last = sure[-limit].moment if len(sure) >= limit else ""
                    return [one for one in reversed(sure) if one.moment >= last]
                if loop.time() > end:
                    message = "Earlier rounds are being looked up."
                    raise ProblemError(ServerCode.BUSY, message, 1.0)
                newest = max(open_ended, key=lambda name: open_ended[name].earliest)
                await self._backwards(self._tables[newest], open_ended[newest])

    async def _forwards(self, desk: Desk) -> None:
        """Read what came since."""
        head = desk.seat.sequence
        reading = self._readings.get(desk.name)
        if reading is None:
            start = max(0, head - CHUNK)
            reading = self._readings[desk.name] = Reading(start, start)
        while reading.high < head:
            records = await self._store.read(desk.stream, reading.high, CHUNK)
            if not reading.earliest:
                reading.earliest = read_record(records[0]).moment
            loose, reading.current = self._take(desk.name, records, reading.current)
            reading.loose |= loose
            reading.high = records[-1].sequence

    async def _backwards(self, desk: Desk, reading: Reading) -> None:
        """Read a piece of what was before."""
        after = max(0, reading.low - CHUNK)
        records = await self._store.read(desk.stream, after, reading.low - after)
        reading.earliest = read_record(records[0]).moment
        reading.low = after
        loose, last = self._take(desk.name, records, None)
        if last is None:
            reading.loose |= loose
            return
        self._note(reading.loose, last)
        reading.loose = loose
        if reading.current is None:
            reading.current = last

    def _take(
        self, table: str, records: list[Record], current: Called | None
    ) -> tuple[set[str], Called | None]:
        """Note who had stakes; return whose round is not known, and the round at the end."""
        loose: set[str] = set()
        for record in records:
            if not any(mark in record.body for mark in MARKS):
                continue
            decision = read_record(record)
            opened = opened_by(decision)
            if opened is not None:
                current = Called(decision.moment, table, opened.round, record.sequence)
            patrons = set(_patrons(decision))
            if current is None:
                loose |= patrons
            else:
                self._note(patrons, current)
        return loose, current

    def _note(self, patrons: Iterable[str], called: Called) -> None:
        for patron in patrons:
            if called.moment < self._forgot.get(patron, ""):
                continue  # those between were forgotten: a list has no gaps
            rounds = self._rounds.setdefault(patron, set())
            rounds.add(called)
            if len(rounds) > 2 * KEPT:
                kept = sorted(rounds)[-KEPT:]
                self._rounds[patron], self._forgot[patron] = set(kept), kept[0].moment


def _forgotten() -> ProblemError:
    message = f"Only the newest rounds are listed here, {KEPT} at least."
    return ProblemError(ServerCode.UNKNOWN_ROUND, message)


def _patrons(decision: Decision) -> Iterator[str]:
    """Yield who had stakes in what was settled or void, or took them back."""
    for event in decision.events:
        if isinstance(event, WagersSettled):
            yield from (line.patron for line in event.lines)
        elif isinstance(event, RoundVoided):
            yield from (one.patron for one in event.refunds)
            yield from (line.patron for line in event.reversed)
        elif isinstance(event, WagersWithdrawn):
            yield event.patron
