"""Alarms: what Dealer and pit are shown until it is settled.

Devices raise them, patrons who call for somebody, and what is noticed at tables. An alarm
about a card that left the shoe ends when the table counts the card, that of a silent device
when it is heard again; every other one ends when somebody of the table acknowledges it. None
has a face in it.
"""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  # read by msgspec
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import asdict

from croupier.cage.events import Counted  # noqa: TC001  # read by msgspec
from croupier.floor.framing import frame
from croupier.floor.problems import ProblemError, ServerCode
from croupier.floor.rings import UNHEARD, Ring, Subscription
from croupier.frozen import Named
from croupier.journal.decision import now, written_moment
from croupier.table.roles import HousePosition
from croupier.table.views.hearing import Audience

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    from croupier.floor.people_file import PeopleFile
    from croupier.floor.reception import Asker
    from croupier.floor.rings import Receiver, Walker

ALARMS_MAX: Final = 100
"""Alarms of one table that stand at a time; a device that raises more is broken."""
ENDED_KEPT: Final = 10_000
"""Alarms that are over and remembered."""
encode = msgspec.json.Encoder().encode


class AlarmCode(Named):
    """What an alarm is about."""

    LEFT_SHOE = "left_shoe"
    OUT_OF_ORDER = "out_of_order"
    SCAN_MISMATCH = "scan_mismatch"
    MISREAD = "misread"
    DIE_NOT_DUE = "die_not_due"
    DIE_MISMATCH = "die_mismatch"
    DEVICE_SILENT = "device_silent"
    # Somebody calls.
    ATTENDANT_CALLED = "attendant_called"
    ROUND_ASKED = "round_asked"
    SUPERVISOR_CALLED = "supervisor_called"
    # Noticed at a table.
    TERMINAL_LOST = "terminal_lost"
    BIG_WIN = "big_win"
    SLOW = "slow"
    FAST = "fast"
    WAITS = "waits"
    DIFFERENTIAL = "differential"
    STAKE_FOUND = "stake_found"
    SHOE_ENDS = "shoe_ends"
    EXTRA_CARD = "extra_card"
    ROUND_VOID = "round_void"
    # Noticed in the house.
    COUNT_DIFFERS = "count_differs"
    CLOCK_SKEW = "clock_skew"


HOUSE: Final = "house"
"""In place of a table: what concerns all of them."""
PATRONS_CALLS: Final = frozenset({AlarmCode.ATTENDANT_CALLED, AlarmCode.ROUND_ASKED})
"""By which a patron asks for somebody, and is shown what came of it."""
PITS: Final = frozenset(
    {
        AlarmCode.ROUND_ASKED,
        AlarmCode.SUPERVISOR_CALLED,
        AlarmCode.BIG_WIN,
        AlarmCode.SLOW,
        AlarmCode.FAST,
        AlarmCode.WAITS,
        AlarmCode.DIFFERENTIAL,
        AlarmCode.STAKE_FOUND,
        AlarmCode.EXTRA_CARD,
        AlarmCode.ROUND_VOID,
        AlarmCode.COUNT_DIFFERS,
        AlarmCode.CLOCK_SKEW,
    }
)
"""What the pit looks at: a Dealer does not acknowledge it."""
LASTING: Final = frozenset(
    {
        AlarmCode.DEVICE_SILENT,
        AlarmCode.ATTENDANT_CALLED,
        AlarmCode.SUPERVISOR_CALLED,
        AlarmCode.TERMINAL_LOST,
        AlarmCode.SLOW,
        AlarmCode.FAST,
        AlarmCode.WAITS,
        AlarmCode.DIFFERENTIAL,
        AlarmCode.CLOCK_SKEW,
    }
)
"""What goes on over rounds: a later round brings no second alarm of it."""


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """Something noticed: an alarm that has no number, place and moment yet."""

    code: AlarmCode
    sentence: str
    card: int | None = None
    """Which card of its shoe, counted from 0."""
    shoe: int | None = None
    """The how manyth shoe of the table."""
    round: int | None = None
    patron: str | None = None
    """Whom it is about, or who calls."""
    position: int | None = None
    wager: str | None = None
    cents: int | None = None
    """What was won, how far stakes are apart, or what was counted."""
    limit_cents: int | None = None
    """How far they may be apart, or what was to be counted."""
    counted: Counted | None = None
    """What was counted."""
    rate: int | None = None
    """Rounds an hour; seconds of waiting, of silence, or that the machine's clock is ahead."""
    usual: int | None = None
    """What is set for that."""
    note: str | None = None
    """What a patron asks, in own words."""
    staff: str | None = None
    """Who of staff calls."""

    def at(self, table: str, moment: datetime) -> Alarm:
        """Return the alarm of a table, or of the house."""
        return Alarm(number=0, table=table, moment=moment, **asdict(self))


class Alarm(Notice, frozen=True, kw_only=True):
    """Something that people of a table must look at."""

    number: int
    """By which it is acknowledged."""
    table: str
    device: str | None = None
    """None: no device raised it."""
    moment: datetime
    fits: tuple[str, ...] = ()
    """By which commands or reports the table learns of it, as things stand."""
    for_pit: bool = False
    """A Dealer does not acknowledge it."""


class AlarmEnded(Alarm, frozen=True, kw_only=True):
    """An alarm that is over."""

    ended: datetime
    acknowledged_by: str | None
    """Who looked; None: the table learnt of the card, or the call was taken back."""
    answer: str | None = None
    """What a patron who asked was told."""


class Hears(Named):
    """Which alarms somebody hears of."""

    ALL = "all"
    """The pit and the auditors."""
    TABLE = "table"
    """Dealers: what they acknowledge; what is for the pit speaks of patrons and winnings."""
    DEVICE = "device"
    """Technicians: what a device raised, which names no patron."""

    def has(self, alarm: Alarm) -> bool:
        """Tell whether an alarm is among them."""
        if self is Hears.DEVICE:
            return alarm.device is not None
        return self is Hears.ALL or not alarm.for_pit

    def among(self, alarms: tuple[Alarm, ...]) -> tuple[Alarm, ...]:
        """Return those of some alarms."""
        return tuple(filter(self.has, alarms))


def hears(asker: Asker) -> Hears:
    """Return which alarms somebody hears of; refuse whoever hears of none."""
    if asker.audience in (Audience.PIT, Audience.AUDITOR):
        return Hears.ALL
    if asker.audience is Audience.DEALER:
        return Hears.TABLE
    if HousePosition.TECHNICIAN in asker.positions:
        return Hears.DEVICE
    message = "Alarms are for Dealers, the pit, auditors and technicians."
    raise ProblemError(ServerCode.FORBIDDEN, message)


class AlarmsTopic:
    """The alarms that stand, by table, for whoever works there."""

    name = "alarms"

    def __init__(self, walker: Walker, clock: Callable[[], datetime] = now) -> None:
        self.walker, self.clock = walker, clock
        self._rings = {one: Ring(walker, 0) for one in Hears}
        self.view: dict[str, tuple[Alarm, ...]] = {}
        self.sequence = 0

    @property
    def watched(self) -> int:
        """Return how many watch."""
        return sum(len(ring.subscriptions) for ring in self._rings.values())

    def show(self, table: str, alarms: tuple[Alarm, ...]) -> None:
        """Show the alarms of a table, instead of those that were."""
        before = self.view.get(table, ())
        if before == alarms:
            return
        self.view[table] = alarms
        self.sequence += 1
        for one, ring in self._rings.items():
            told = one.among(alarms)
            if told != one.among(before):
                message = self._message("change", {table: told})
                ring.publish(self.sequence, frame(message))

    def seen(self, by: Hears) -> dict[str, tuple[Alarm, ...]]:
        """Return the alarms that somebody hears of, by table."""
        return {table: by.among(alarms) for table, alarms in self.view.items()}

    def _message(self, kind: str, view: dict[str, tuple[Alarm, ...]]) -> bytes:
        body: dict[str, object] = {
            "type": kind,
            "topic": self.name,
            "sequence": self.sequence,
            "time": written_moment(self.clock()),
        }
        if kind == "change":
            body["events"] = []
        return encode({**body, "view": view})

    def subscribe(self, client: Receiver, asker: Asker, after: int | None) -> Subscription:  # noqa: ARG002
        """Let a client hear of alarms, always from a snapshot."""
        ring = self._rings[hears(asker)]
        one = Subscription(client, ring, None)
        ring.subscriptions[one] = None
        one.mark = UNHEARD
        self.walker.soon(client)
        return one

    def unsubscribe(self, one: Subscription) -> None:
        """Let a client hear no more."""
        one.ring.subscriptions.pop(one, None)

    def snapshot(self, one: Subscription) -> bytes:
        """Return all alarms that a client hears of, and mark everything as heard."""
        one.mark = one.ring.last
        by = next(by for by, ring in self._rings.items() if ring is one.ring)
        return frame(self._message("snapshot", self.seen(by)))

    def due(self, one: Subscription) -> list[bytes]:
        """Return what a client has not heard yet."""
        missed = one.ring.since(one.mark)
        one.mark = one.ring.last
        return [self.snapshot(one)] if missed is None else [missed]


class Alarms:
    """The alarms that stand; a restart finds them again."""

    def __init__(self, file: PeopleFile, topic: AlarmsTopic) -> None:
        self._file, self._topic = file, topic
        self._last = 0
        self._tables: dict[str, dict[int, Alarm]] = {}
        self.on_change: list[Callable[[Alarm], None]] = []
        """Told of every alarm that is raised or ends."""

    async def load(self) -> None:
        """Read the alarms that stand."""
        query = "SELECT body FROM alarm ORDER BY number"
        rows = await self._file.run(lambda file: file.execute(query).fetchall())
        for (body,) in rows:
            one = msgspec.json.decode(body, type=Alarm)
            self._tables.setdefault(one.table, {})[one.number] = one
        # No number is given twice, so nobody acknowledges an alarm that they did not see.
        last = "SELECT seq FROM sqlite_sequence WHERE name = 'alarm'"
        row = await self._file.run(lambda file: file.execute(last).fetchone())
        self._last = 0 if row is None else row[0]
        for table in self._tables:
            self._show(table)

    def of(self, table: str) -> tuple[Alarm, ...]:
        """Return the alarms of a table, the oldest first."""
        return tuple(self._tables.get(table, {}).values())

    def stand(self, table: str) -> bool:
        """Tell whether a table has any."""
        return bool(self._tables.get(table))

    def find(self, table: str, number: int) -> Alarm | None:
        """Return an alarm of a table."""
        return self._tables.get(table, {}).get(number)

    def same(self, alarm: Alarm) -> Alarm | None:
        """Return the alarm that stands about the same."""
        return next((one for one in self.of(alarm.table) if _about(one) == _about(alarm)), None)

    async def raise_alarm(self, alarm: Alarm) -> Alarm | None:
        """Raise an alarm, unless the same stands already; return the one that stands.

        None: so many stand at the table that no further one is taken.
        """
        here, same = self._tables.setdefault(alarm.table, {}), self.same(alarm)
        if same is not None or len(here) >= ALARMS_MAX:
            return same
        self._last += 1
        for_pit = alarm.code in PITS
        kept = msgspec.structs.replace(alarm, number=self._last, for_pit=for_pit)
        here[kept.number] = kept
        self._show(alarm.table)
        row = (kept.number, encode(kept))
        query = "INSERT INTO alarm VALUES (?, ?)"
        await self._file.run(lambda file: file.execute(query, row))
        self._tell(kept)
        return kept

    async def end(
        self, table: str, numbers: list[int], by: str | None = None, answer: str | None = None
    ) -> None:
        """Let alarms end, because somebody acknowledged them, or by themselves."""
        here, moment = self._tables.get(table, {}), self._topic.clock()
        gone = [one for number in numbers if (one := here.pop(number, None)) is not None]
        if not gone:
            return
        self._show(table)
        ended = [
            AlarmEnded(**asdict(one), ended=moment, acknowledged_by=by, answer=answer)
            for one in gone
        ]
        rows = [(one.number, table, encode(one)) for one in ended]

        def write(file: sqlite3.Connection) -> None:
            file.executemany("DELETE FROM alarm WHERE number = ?", [(row[0],) for row in rows])
            file.executemany("INSERT OR REPLACE INTO alarm_ended VALUES (?, ?, ?)", rows)
            file.execute(
                "DELETE FROM alarm_ended WHERE number <= ?", (rows[-1][0] - ENDED_KEPT,)
            )

        await self._file.run(write)
        for one in ended:
            self._tell(one)

    def _tell(self, alarm: Alarm) -> None:
        for tell in self.on_change:
            tell(alarm)

    async def ended(
        self,
        before: int | None = None,
        table: str | None = None,
        limit: int = 100,
        by: Hears = Hears.ALL,
        since: datetime | None = None,
    ) -> list[AlarmEnded]:
        """Return alarms that are over, the newest first, as far as somebody heard of them.

        Only of those that were raised since a moment, where one is named.
        """
        query = (
            "SELECT body FROM alarm_ended WHERE (?1 IS NULL OR number < ?1)"
            " AND (?2 IS NULL OR place = ?2) ORDER BY number DESC"
        )

        def read(file: sqlite3.Connection) -> list[AlarmEnded]:
            rows = file.execute(query, (before, table))
            found = (msgspec.json.decode(body, type=AlarmEnded) for (body,) in rows)
            raised = takewhile(lambda one: since is None or one.moment >= since, found)
            return list(islice(filter(by.has, raised), limit))

        return await self._file.run(read)

    def refit(self, table: str, fits: tuple[str, ...]) -> None:
        """Say by what the table learns of cards that left, as things stand now."""
        here = self._tables.get(table, {})
        for number, one in here.items():
            if one.code is AlarmCode.LEFT_SHOE and one.fits != fits:
                here[number] = msgspec.structs.replace(one, fits=fits)
        self._show(table)

    def _show(self, table: str) -> None:
        self._topic.show(table, self.of(table))


def _about(alarm: Alarm) -> tuple[object, ...]:
    """Return what an alarm is about: the same is not raised twice."""
    number = None if alarm.code in LASTING else alarm.round
    who = alarm.patron, alarm.position, alarm.wager, alarm.counted
    return alarm.device, alarm.code, alarm.shoe, alarm.card, number, *who
