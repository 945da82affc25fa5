"""Exclusions and own limits on the floor: whether a patron may give a command.

The accounts have limits and exclusions, the tables what was played. The keeper hears every
durable decision of the tables and sums up, for the gaming day of now, how long patrons were
seated and what they won or lost. What it refuses it refuses at the door: no stream is asked
and nothing is recorded, as with a request of somebody who is not signed in.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from croupier.accounts.limits import Left, LimitRefusal, Staking, Today, left, refusal
from croupier.cage.commands import BuyIn, SendToTable, TakeInTicket
from croupier.floor.elsewhere import RULES as STAKE_RULES
from croupier.floor.elsewhere import StakesElsewhere
from croupier.journal.decision import read_moment, read_record
from croupier.journal.errors import JournalError, PoisonedError
from croupier.journal.loading import IMPOSSIBLE
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.placement import own_stakes

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Iterable, Mapping

    from croupier.floor.accounts import AccountsDesk
    from croupier.floor.desk import Desk
    from croupier.gaming_day import GamingDay
    from croupier.journal.decision import Decision, Record
    from croupier.journal.gathering import Seat, Tell
    from croupier.journal.store import Store
    from croupier.journal.writer import Landed, Reply, Request, Writer
    from croupier.table.events import PayLine
    from croupier.table.state import Table

PLAYS = (
    c.TakeSeat,
    c.BringCredit,
    c.PlaceWager,
    c.RaiseWager,
    SendToTable,
    BuyIn,
    TakeInTicket,
)
"""Commands by which a patron plays or is about to; all others are never in the way."""
STAKES = (c.PlaceWager, c.RaiseWager)
PAGE = 2_000
"""Decisions of a table that are read at once, from its end on."""
TABLES = "table:"
UNREADABLE = (JournalError, msgspec.MsgspecError, *IMPOSSIBLE)
"""What reading a stream raises that somebody damaged."""


class Day(msgspec.Struct):
    """What one patron has done on a gaming day."""

    won_cents: int = 0
    seated: dict[str, datetime] = {}
    """By stream of a table: since when the patron sits there."""
    sat: list[tuple[datetime, datetime]] = []
    """Seats that were left: from when until when."""

    def played(self, moment: datetime) -> timedelta:
        """Return how long the patron was seated anywhere; two seats at once count once."""
        spans = sorted([*self.sat, *((since, moment) for since in self.seated.values())])
        total, reached = timedelta(), None
        for since, until in spans:
            begins = since if reached is None else max(since, reached)
            if until > begins:
                total += until - begins
                reached = until
        return total


class DayBook:
    """Sums up the gaming day of now for every patron, one decision of a table at a time."""

    def __init__(self, gaming_day: GamingDay) -> None:
        self._gaming_day = gaming_day
        self.begins = self.ends = datetime.min.replace(tzinfo=UTC)
        self.days: dict[str, Day] = {}
        self._settled: set[str] = set()
        """Streams of tables whose newest pay list was made today."""
        self.elsewhere = StakesElsewhere()
        self._sequences: dict[str, int] = {}
        """How far each stream of a table is counted."""
        self._reads = False
        """While a journal is read: seats may have been taken before what is read of it."""

    def feed(self, decision: Decision) -> None:
        """Count a decision of a table; one that was counted is not counted again."""
        stream = decision.stream
        if decision.sequence <= self._sequences.get(stream, 0):
            return
        self._sequences[stream] = decision.sequence
        moment = None
        for event in decision.events:
            rule = RULES.get(type(event))
            if rule is not None:
                moment = moment or read_moment(decision.moment)
                self.turn_to(moment)
                rule(self, stream, event, moment)

    def turn_to(self, moment: datetime) -> None:
        """Begin the gaming day of a moment, unless it is an earlier one."""
        if moment < self.ends:
            return
        periods = self._gaming_day.periods(self._gaming_day.period(moment).day)
        self.begins, self.ends = periods[0].begins, periods[-1].ends
        self._settled.clear()
        self.days = {
            patron: Day(seated=dict.fromkeys(day.seated, self.begins))
            for patron, day in self.days.items()
            if day.seated
        }

    def day(self, patron: str) -> Day:
        """Return the day of a patron."""
        return self.days.setdefault(patron, Day())

    def seat_taken(self, stream: str, event: e.SeatTaken, moment: datetime) -> None:
        """Begin to count the time of a patron."""
        self.day(event.patron).seated[stream] = max(moment, self.begins)

    def seat_left(self, stream: str, event: e.SeatLeft, moment: datetime) -> None:
        """End it; whoever took the seat on a day before sits there since this one began."""
        day = self.day(event.patron)
        since = day.seated.pop(stream, self.begins if self._reads else None)
        if since is not None:
            day.sat.append((since, max(moment, since)))

    def wagers_settled(self, stream: str, event: e.WagersSettled, moment: datetime) -> None:
        """Count a pay list."""
        if moment >= self.begins:
            self._settled.add(stream)
            self._add(event.lines, 1)

    def settlement_reversed(
        self,
        stream: str,
        event: i.SettlementReversed,
        moment: datetime,  # noqa: ARG002  # as all rules
    ) -> None:
        """Take a pay list out again that is made anew."""
        self._take_back(stream, event.lines)

    def round_voided(self, stream: str, event: i.RoundVoided, moment: datetime) -> None:  # noqa: ARG002
        """Take the pay list of a void round out again, if it had one."""
        if event.reversed:
            self._take_back(stream, event.reversed)

    def _take_back(self, stream: str, lines: Iterable[PayLine]) -> None:
        """Take a pay list out, if it counts on this day."""
        if stream in self._settled:
            self._settled.remove(stream)
            self._add(lines, -1)

    def _add(self, lines: Iterable[PayLine], sign: int) -> None:
        for line in lines:
            self.day(line.patron).won_cents += sign * line.won_cents

    # After a start

    async def read(self, store: Store, moment: datetime) -> None:
        """Count what the journal has of this gaming day; nobody writes meanwhile."""
        self.turn_to(moment)
        self._reads = True
        for head in await store.heads():
            if head.stream.startswith(TABLES):
                try:
                    for record in await self._of_today(store, head.stream, head.sequence):
                        self.feed(read_record(record))
                except PoisonedError:
                    raise
                except UNREADABLE:
                    continue  # its desk says why it cannot be served
                self._sequences[head.stream] = head.sequence
        self._reads = False

    async def follow(self, store: Store, served: Callable[[str], object]) -> None:
        """Count what other processes decided at tables that this one does not serve."""
        for head in await store.heads():
            stream = head.stream
            if not stream.startswith(TABLES) or served(stream) is not None:
                continue
            try:
                await self._follow(store, stream, head.sequence)
            except PoisonedError:
                raise
            except UNREADABLE:
                continue  # whoever serves it says why

    async def _follow(self, store: Store, stream: str, last: int) -> None:
        while (known := self._sequences.get(stream, 0)) < last:
            for record in await store.read(stream, known, PAGE):
                if any(mark in record.body for mark in FOLLOWED):
                    decision = read_record(record)
                    self.feed(decision)
                    self.elsewhere.feed(decision)
                self._sequences[stream] = record.sequence

    async def _of_today(self, store: Store, stream: str, last: int) -> list[Record]:
        """Return those records of a stream that count today, read from its end on."""
        found: list[Record] = []
        while last > 0:
            first = max(0, last - PAGE)
            records = await store.read(stream, first, last - first)
            last = first
            found[:0] = [one for one in records if any(mark in one.body for mark in MARKS)]
            if moment_of(records[0]) < self.begins:
                break
        # Those of the day before are on the same page.
        return [one for one in found if moment_of(one) >= self.begins]


class _Dated(msgspec.Struct):
    moment: str


_dated = msgspec.json.Decoder(_Dated).decode


def moment_of(record: Record) -> datetime:
    """Return when a record was decided, without reading all of it."""
    return read_moment(_dated(record.body).moment)


RULES: Mapping[type, Callable[[DayBook, str, Any, datetime], None]] = {
    e.SeatTaken: DayBook.seat_taken,
    e.SeatLeft: DayBook.seat_left,
    e.WagersSettled: DayBook.wagers_settled,
    i.SettlementReversed: DayBook.settlement_reversed,
    i.RoundVoided: DayBook.round_voided,
}


def _marks(kinds: Iterable[type[Any]]) -> list[bytes]:
    return [f'"type":"{kind.__struct_config__.tag}"'.encode() for kind in kinds]


MARKS = _marks(RULES)
"""What the body of a record has that counts."""
FOLLOWED = _marks({**RULES, **STAKE_RULES})
"""What that of a record of another process has."""


class Limits:
    """Says what patrons may do by the accounts and by what they have played."""

    def __init__(
        self,
        gaming_day: GamingDay,
        accounts: AccountsDesk,
        tables: Mapping[str, Desk],
    ) -> None:
        self._accounts, self._tables = accounts, tables
        self._book = DayBook(gaming_day)
        self._going: dict[str, list[tuple[str, str | None, int]]] = {}
        """By patron: wagers that are not answered yet, by stream, wager and cents."""

    def committed(self, landed: Landed) -> None:
        """Count decisions that are durable: a subscriber of the writer."""
        if not landed.stream.startswith(TABLES):
            return
        counts = not landed.kinds.isdisjoint(RULES)
        for one in landed.all if counts else (landed.last,):
            self._book.feed(one.decision)

    async def read(self, store: Store, moment: datetime) -> None:
        """Count what the journal has of this gaming day, before any table is served."""
        await self._book.read(store, moment)

    async def follow(self, store: Store, writer: Writer) -> None:
        """Count what is played, and what is in play, at tables of other houses."""
        await self._book.follow(store, writer.seat)

    def sit(self, stream: str, table: Table) -> None:
        """Count whoever sits at a table since a day before; call it when its desk started."""
        self._book.elsewhere.forget(stream)
        for patron in table.seats:
            self._book.day(patron).seated.setdefault(stream, self._book.begins)

    # Asking

    def today(self, patron: str, moment: datetime) -> Today:
        """Return what a patron has done on the gaming day of now, and is about to do."""
        counted = self._counted(patron, moment)
        going = sum(cents for _, _, cents in self._going.get(patron, ()))
        return replace(counted, in_play_cents=counted.in_play_cents + going)

    def _counted(self, patron: str, moment: datetime) -> Today:
        """Return what of it is in the journal."""
        book = self._book
        book.turn_to(moment)
        day = book.days.get(patron, Day())
        tables = [desk.table for desk in self._tables.values() if desk.started]
        in_play = sum(in_play_cents(table, patron) for table in tables)
        in_play += book.elsewhere.cents(patron)
        return Today(book.ends, day.played(moment), day.won_cents, in_play)

    def leaves(self, patron: str, moment: datetime) -> Left | None:
        """Return what exclusions and own limits leave a patron; None: there are none."""
        user = self._accounts.accounts.users.get(patron)
        if user is None or user.unlimited:
            return None
        return left(self._accounts.accounts, patron, self._counted(patron, moment), moment)

    def allowed(
        self, patron: str, stream: str, command: msgspec.Struct, moment: datetime
    ) -> LimitRefusal | None:
        """Say why a patron may not give a command, or have it given; None: they may.

        Whoever submits it then says so by ``on_its_way``.
        """
        if not isinstance(command, PLAYS):
            return None
        accounts, staking = self._accounts.accounts, None
        user = accounts.users.get(patron)
        if user is None:
            return None
        if isinstance(command, STAKES):
            staking = self._staking(patron, stream, command)
        today = self.today(patron, moment) if user.limits and staking else Today(moment)
        return refusal(accounts, patron, today, moment, staking)

    def give(
        self,
        writer: Writer,
        seat: Seat,
        request: Request,
        tell: Tell,
        patron: str | None,
    ) -> None:
        """Hand a command to its stream; a wager counts as in play until it is answered.

        ``patron`` is whose limits it counts towards; None: nobody's.
        """
        if patron is None:
            writer.give(seat, request, tell)
            return
        answer = writer.submit(seat, request)
        self.on_its_way(patron, seat.name, request.command, answer)
        answer.add_done_callback(partial(_pass_on, tell))

    def on_its_way(
        self, patron: str, stream: str, command: msgspec.Struct, answer: asyncio.Future[Reply]
    ) -> None:
        """Count a wager that was submitted as in play until it is answered.

        Else two wagers that are sent at once would be judged by the same facts.
        """
        if not isinstance(command, STAKES):
            return
        user = self._accounts.accounts.users.get(patron)
        if user is None or not user.limits:
            return
        going = self._going.setdefault(patron, [])
        one = (stream, self._wager(stream, command), command.cents)
        going.append(one)
        answer.add_done_callback(lambda _: self._answered(patron, one))

    def _answered(self, patron: str, one: tuple[str, str | None, int]) -> None:
        # What came of it is at the table by now: whoever is told is told after that.
        going = self._going[patron]
        going.remove(one)
        if not going:
            del self._going[patron]

    def _table(self, stream: str) -> Table | None:
        desk = self._tables.get(stream.removeprefix(TABLES))
        return None if desk is None or not desk.started else desk.table

    def _wager(self, stream: str, command: c.PlaceWager | c.RaiseWager) -> str | None:
        """Return on which wager something is staked; None: on nothing that is there."""
        if isinstance(command, c.PlaceWager):
            return command.wager
        table = self._table(stream)
        stakes = () if table is None else table.stakes
        return next((one.wager for one in stakes if one.number == command.stake), None)

    def _staking(
        self, patron: str, stream: str, command: c.PlaceWager | c.RaiseWager
    ) -> Staking:
        """Return what a wager puts down, and what of it is there or on its way already."""
        table, wager = self._table(stream), self._wager(stream, command)
        held = [
            cents
            for there, on, cents in self._going.get(patron, ())
            if (there, on) == (stream, wager)
        ]
        in_play = 0 if table is None else in_play_cents(table, patron)
        if table is not None and in_play and wager is not None:
            held.append(own_stakes(table, patron).get(wager, 0))
        return Staking(command.cents, sum(held), in_round=in_play > 0)


def _pass_on(tell: Tell, answer: asyncio.Future[Reply]) -> None:
    error = answer.exception()
    tell(answer.result() if error is None else error)


def in_play_cents(table: Table, patron: str) -> int:
    """Return what a patron has in a round that is not settled."""
    play = table.round
    if not table.in_play or play is None or play.lines is not None:
        return 0
    return table.staked(patron)
