"""Devices at tables: what a shoe or a die reads becomes what the table decides on.

A reading is judged under the lock of its table, from the table as it is durable. A draw is
given with the condition that nothing happened meanwhile; where something did, the reading is
judged again. What was answered is kept, so that the same reading gets the same answer, also
after a restart.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import UNSET, UnsetType

from croupier.accounts.commands import DeviceKind
from croupier.floor.alarms import Alarm, AlarmCode, Alarms
from croupier.floor.desk import Request
from croupier.floor.feed import (
    Came,
    Feed,
    Judged,
    Reading,
    Verdict,
    beside_the_shoe,
    die_is_due,
    draw_is_due,
    fitting,
    judge,
    lying,
    next_number,
    takes_readings,
)
from croupier.floor.problems import ConditionError, ProblemError, ServerCode, failed, refused
from croupier.journal.errors import JournalError, OtherCommandError
from croupier.rules.errors import quoted
from croupier.table import commands as c
from croupier.table.roles import System
from croupier.uuids import uuid7

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Coroutine

    from croupier.accounts.state import Device
    from croupier.floor.alarms import AlarmsTopic
    from croupier.floor.desk import Desk
    from croupier.floor.house import House
    from croupier.floor.people import People
    from croupier.floor.problems import Problem
    from croupier.journal.gathering import Landed, Reply
    from croupier.journal.tables import TableState
    from croupier.table.state import Table

LOGGER = logging.getLogger("croupier.devices")
TABLE: Final = "table:"
READS_CARDS: Final = frozenset({DeviceKind.SHOE, DeviceKind.SCANNER})
KEEP_READING: Final = "INSERT OR REPLACE INTO reading VALUES (?, ?, ?, ?, ?, ?, ?)"
FORGET_SHOES: Final = "DELETE FROM reading WHERE place = ? AND shoe <> ?"
REFUSED: Final = {
    Verdict.OTHER_FACE: (AlarmCode.SCAN_MISMATCH, ServerCode.SCAN_MISMATCH),
    Verdict.OUT_OF_ORDER: (AlarmCode.OUT_OF_ORDER, ServerCode.OUT_OF_ORDER),
    Verdict.MISREAD: (AlarmCode.MISREAD, ServerCode.NOT_READABLE),
}
"""Readings that are refused: what the Dealer is shown, and what the device is told."""
AGAIN_SECONDS: Final = 0.005


class CardRead(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came of a card that a device read."""

    number: int
    came: Came
    sequence: int | None = None
    """Of the record of the draw."""
    detail: str | UnsetType = UNSET
    """What people must do, where no card was due."""


class DieRead(msgspec.Struct, frozen=True):
    """What came of a die that a device read."""

    round: int
    came: str
    sequence: int


class DeviceStatus(msgspec.Struct, frozen=True):
    """What a device must know to go on: whether it is its turn, and with which number."""

    device: str
    kind: DeviceKind
    table: str | None
    game: str | None = None
    shoe: str | None = None
    cards: int | None = None
    """How many the shoe had when it was loaded."""
    number: int | None = None
    """Of the next card that leaves the shoe, counted from 0."""
    round: int | None = None
    due: bool = False
    """Whether a card, or the die, is due from this device now."""
    unreported: int = 0
    """How many cards left the shoe that the table does not count yet."""
    sequence: int = 0
    """How far the table is; ask again with ``after`` to be told of what follows."""


class Devices:
    """All dealing devices and dice of a house, with what they read and raised alarm at."""

    def __init__(
        self,
        house: House,
        people: People,
        topic: AlarmsTopic,
        spawn: Callable[[Coroutine[Any, Any, None]], object],
    ) -> None:
        self._house, self._file, self._spawn = house, people.file, spawn
        self.alarms = Alarms(people.file, topic)
        self._feeds: dict[str, Feed] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._following: set[str] = set()

    async def load(self) -> None:
        """Read what was read of shoes in play, and the alarms that stand."""
        query = "SELECT place, shoe, number, face, came, device, sequence FROM reading"
        rows = await self._file.run(lambda file: file.execute(query).fetchall())
        for place, shoe, number, face, came, device, sequence in rows:
            feed = self._feeds.get(place)
            if feed is None or feed.shoe < shoe:
                feed = self._feeds[place] = Feed(shoe)
            if feed.shoe == shoe:
                feed.readings[number] = Reading(number, face, Came(came), device, sequence)
        await self.alarms.load()

    # Which device, which table

    def find(self, name: str) -> Device:
        """Return a device that is in use."""
        device = self._house.accounts.accounts.devices.get(name)
        if device is None or device.retired:
            message = f"There is no device {quoted(name[:80])} in use."
            raise ProblemError(ServerCode.UNKNOWN_DEVICE, message)
        return device

    def _at_table(self, name: str, kinds: frozenset[DeviceKind], what: str) -> Desk:
        device = self.find(name)
        if device.kind not in kinds:
            message = f"Device {name} is a {device.kind.value}; it reads no {what}."
            raise ProblemError(ServerCode.NOT_FED, message)
        desk = None if device.table is None else self._house.tables.get(device.table)
        if desk is None or not desk.started:
            message = f"Device {name} stands at no table that this house serves."
            raise ProblemError(ServerCode.NOT_FED, message)
        return desk

    def _feed(self, desk: Desk) -> Feed:
        """Return the feed of the shoe in play."""
        feed = self._feeds.get(desk.name)
        if feed is None or feed.shoe != desk.table.loaded:
            feed = self._feeds[desk.name] = Feed(desk.table.loaded)
        return feed

    def _lock(self, table: str) -> asyncio.Lock:
        return self._locks.setdefault(table, asyncio.Lock())

    def status(self, name: str) -> DeviceStatus:
        """Return what a device must know to go on."""
        device = self.find(name)
        desk = None if device.table is None else self._house.tables.get(device.table)
        if desk is None or not desk.started:
            return DeviceStatus(name, device.kind, device.table)
        table, feed = desk.table, self._feed(desk)
        shoe, play, plan = table.shoe, table.round, table.plan
        in_play = shoe is not None and not shoe.ended
        if device.kind is DeviceKind.DIE:
            is_due = die_is_due(table)
        else:
            ready = in_play and takes_readings(table) and not feed.unreported(table)
            is_due = ready and draw_is_due(table)
        return DeviceStatus(
            name,
            device.kind,
            device.table,
            None if plan is None else plan.game.slug,
            shoe.name if shoe is not None and in_play else None,
            shoe.cards if shoe is not None and in_play else None,
            next_number(table, feed) if in_play else None,
            None if play is None or table.between_rounds else play.number,
            is_due,
            len(feed.unreported(table)) if in_play else 0,
            desk.seat.sequence,
        )

    # Cards

    async def card(self, name: str, number: int, face: str) -> CardRead | Problem:
        """Take a reading of a dealing device."""
        desk = self._at_table(name, READS_CARDS, "cards")
        async with self._lock(desk.name):
            while True:
                feed = self._feed(desk)
                judged = judge(desk.table, feed, number, face)
                if judged.verdict not in (Verdict.DRAW, Verdict.COUNT):
                    return await self._not_drawn(desk, feed, name, number, judged)
                try:
                    # A card that the table counts may be this device's own draw, of which
                    # it was not told before a restart: then its record is found.
                    reply = await self._draw(desk, name, number, judged.face)
                except ConditionError:
                    if judged.verdict is Verdict.COUNT:
                        return await self._not_drawn(desk, feed, name, number, judged)
                    # Something happened meanwhile: it is judged anew, once that is durable.
                    await asyncio.sleep(AGAIN_SECONDS)
                    continue
                except OtherCommandError:
                    why = f"Card {number} was read once more, as another card."
                    other = Judged(Verdict.OTHER_FACE, judged.face, why)
                    return await self._not_drawn(desk, feed, name, number, other)
                return await self._drawn(desk, feed, name, number, judged, reply)

    async def _draw(self, desk: Desk, device: str, number: int, face: str) -> Reply:
        """Give the draw of a card that has this number in the shoe in play."""
        shoe = desk.table.loaded

        def holds(state: TableState) -> JournalError | None:
            table = state.table
            out = None if table.shoe is None else table.shoe.out
            if table.loaded == shoe and out == number and draw_is_due(table):
                return None
            return ConditionError(ServerCode.OUT_OF_ORDER, "The table went on meanwhile.")

        key = f"card-{shoe}-{number}"
        command = c.DrawCard()
        return await self._submit(
            desk, Request(key, System(device), command, cards=(face,), condition=holds)
        )

    async def _submit(self, desk: Desk, request: Request) -> Reply:
        try:
            return await desk.submit(request)
        except (ConditionError, OtherCommandError):
            raise
        except JournalError as error:
            raise failed(error) from error

    async def _drawn(
        self, desk: Desk, feed: Feed, device: str, number: int, judged: Judged, reply: Reply
    ) -> CardRead | Problem:
        if reply.refusal is None:
            reading = Reading(number, judged.face, Came.DRAWN, device, reply.sequence)
            await self._keep(desk, feed, reading)
            return CardRead(number, Came.DRAWN, reply.sequence)
        # The card left all the same: it is for people to say what becomes of it.
        await self._keep(desk, feed, Reading(number, judged.face, Came.KEPT, device))
        why = f"Card {number} left the shoe and the table refused it: report it."
        await self._alarm(desk, device, AlarmCode.LEFT_SHOE, why, card=number)
        return refused(reply.refusal, reply.sequence)

    async def _not_drawn(
        self, desk: Desk, feed: Feed, device: str, number: int, judged: Judged
    ) -> CardRead:
        verdict = judged.verdict
        if verdict is Verdict.NOT_FED:
            raise ProblemError(ServerCode.NOT_FED, judged.why)
        if verdict in REFUSED:
            alarm, code = REFUSED[verdict]
            await self._alarm(desk, device, alarm, judged.why, card=number)
            raise ProblemError(code, judged.why)
        reading = feed.readings.get(number)
        if reading is None:
            came = Came.KEPT if verdict is Verdict.KEEP else Came.COUNTED
            reading = Reading(number, judged.face, came, device)
            await self._keep(desk, feed, reading)
        detail: str | UnsetType = UNSET
        if reading.came is Came.KEPT:
            if number in feed.unreported(desk.table):
                # Also when it comes again: an answer that was lost may have cost the alarm.
                why = judged.why or f"Card {number} left the shoe: report it."
                await self._alarm(desk, device, AlarmCode.LEFT_SHOE, why, card=number)
            detail = f"Card {number} left the shoe and no card was due; the Dealer is told."
        return CardRead(number, reading.came, reading.sequence, detail)

    async def _keep(self, desk: Desk, feed: Feed, reading: Reading) -> None:
        """Remember a reading; what was read of earlier shoes is forgotten."""
        row = (desk.name, feed.shoe, reading.number, reading.device, reading.face,
               reading.came.value, reading.sequence)  # fmt: skip

        def write(file: sqlite3.Connection) -> None:
            file.execute(FORGET_SHOES, (desk.name, feed.shoe))
            file.execute(KEEP_READING, row)

        feed.readings[reading.number] = reading
        try:
            await self._file.run(write)
        except JournalError:
            if reading.came is not Came.DRAWN:
                # Nobody was told: the device reads it again, and it is judged again.
                del feed.readings[reading.number]
            raise

    # The die

    async def die(self, name: str, number: int, face: int) -> DieRead | Problem:
        """Take the reading of a die in a round."""
        desk = self._at_table(name, frozenset({DeviceKind.DIE}), "die")
        async with self._lock(desk.name):
            while True:
                known = await self._known_die(desk, name, number, face)
                if known is not None:
                    return known
                try:
                    reply = await self._announce(desk, name, number, face)
                except ConditionError:
                    await asyncio.sleep(AGAIN_SECONDS)
                    continue
                if reply.refusal is not None:
                    return refused(reply.refusal, reply.sequence)
                return DieRead(number, "announced", reply.sequence)

    async def _known_die(
        self, desk: Desk, device: str, number: int, face: int
    ) -> DieRead | None:
        """Return what was announced already; refuse what is not due; None: it is announced."""
        table, play = desk.table, desk.table.round
        if table.plan is None or table.plan.procedure.shake is None:
            raise ProblemError(ServerCode.NOT_FED, "The game of this table has no die.")
        if not table.plan.settings.device.physical:
            why = "The table deals no cards of paper, so its die is the house's."
            raise ProblemError(ServerCode.NOT_FED, why)
        if play is None or table.between_rounds or play.number != number:
            now = "no round" if play is None or table.between_rounds else f"round {play.number}"
            why = f"The die was read for round {number}; {now} is in progress."
            raise ProblemError(ServerCode.OTHER_ROUND, why)
        if play.die is not None:
            if play.die == face:
                return DieRead(number, "announced", desk.seat.sequence)
            why = f"The die of round {number} was read once more, as another face."
            await self._alarm(desk, device, AlarmCode.DIE_MISMATCH, why, number=number)
            raise ProblemError(ServerCode.SCAN_MISMATCH, why)
        if not die_is_due(table):
            # It lies where it lies: it is read again when it is due.
            why = f"The die of round {number} was read before it was to be announced."
            await self._alarm(desk, device, AlarmCode.DIE_NOT_DUE, why, number=number)
            raise ProblemError(ServerCode.OUT_OF_ORDER, why)
        return None

    async def _announce(self, desk: Desk, device: str, number: int, face: int) -> Reply:
        def holds(state: TableState) -> JournalError | None:
            play = state.table.round
            if play is not None and play.number == number and die_is_due(state.table):
                return None
            return ConditionError(ServerCode.OUT_OF_ORDER, "The table went on meanwhile.")

        request = Request(uuid7(), System(device), c.AnnounceDie(), die=face, condition=holds)
        return await self._submit(desk, request)

    # Alarms

    async def _alarm(
        self,
        desk: Desk,
        device: str,
        code: AlarmCode,
        sentence: str,
        *,
        card: int | None = None,
        number: int | None = None,
    ) -> None:
        table = desk.table
        play = table.round
        if number is None and play is not None and not table.between_rounds:
            number = play.number
        await self.alarms.raise_alarm(
            Alarm(
                number=0,
                table=desk.name,
                device=device,
                moment=self._house.clock(),
                code=code,
                sentence=sentence,
                card=card,
                shoe=None if card is None else table.loaded,
                round=number,
                fits=fitting(table) if code is AlarmCode.LEFT_SHOE else (),
            )
        )

    async def acknowledge(
        self, table: str, number: int, by: str, answer: str | None = None
    ) -> None:
        """Let an alarm end that people have looked at; a patron who asked may be answered."""
        alarm = self.alarms.find(table, number)
        if alarm is None:
            message = f"No alarm {number} stands at table {quoted(table[:80])}."
            raise ProblemError(ServerCode.UNKNOWN_ALARM, message)
        if alarm.code is AlarmCode.LEFT_SHOE:
            message = f"Alarm {number} ends when the table counts card {alarm.card}."
            raise ProblemError(ServerCode.ALARM_STANDS, message)
        await self.alarms.end(table, [number], by, answer)
        LOGGER.info("alarm %d (%s) of %s acknowledged by %s", number, alarm.code, table, by)

    # What tables do

    def committed(self, landed: Landed) -> None:
        """Take note that something was decided; a subscriber of the writer."""
        stream = landed.stream
        if not stream.startswith(TABLE) or not landed.changed:
            return
        name, play = stream.removeprefix(TABLE), landed.last.after.table.round
        if (play is not None and play.waiting) or self.alarms.stand(name):
            self._look(name)

    def start(self) -> None:
        """Look at what happened to alarms since they were raised."""
        for name in self._house.tables:
            if self.alarms.of(name) or name in self._feeds:
                self._look(name)

    def _look(self, name: str) -> None:
        if name not in self._following:
            self._following.add(name)
            self._spawn(self._follow(name))

    async def _follow(self, name: str) -> None:
        """End the alarms that are settled, and let cards be drawn that lie beside the shoe."""
        async with self._lock(name):
            self._following.discard(name)
            desk = self._house.tables.get(name)
            if desk is None or not desk.serves:
                return
            table, feed = desk.table, self._feed(desk)
            over = [one for one in self.alarms.of(name) if _is_over(one, table)]
            await self.alarms.end(name, [one.number for one in over])
            for one in over:
                await self._compare(desk, feed, one)
            for number in feed.unreported(table):  # one whose alarm was lost is raised again
                why = f"Card {number} left the shoe: report it."
                device = feed.readings[number].device
                await self._alarm(desk, device, AlarmCode.LEFT_SHOE, why, card=number)
            self.alarms.refit(name, fitting(table))
            await self._draw_waiting(desk, feed)

    async def _compare(self, desk: Desk, feed: Feed, alarm: Alarm) -> None:
        """Raise alarm where the table has another face for a card than the device read."""
        if alarm.card is None or alarm.shoe != feed.shoe:
            return
        reading, lies = feed.readings.get(alarm.card), lying(desk.table.round, alarm.card)
        if reading is not None and lies is not None and lies != reading.face:
            why = f"Card {alarm.card} was read as another card than the table has."
            code = AlarmCode.SCAN_MISMATCH
            await self._alarm(desk, reading.device, code, why, card=alarm.card)

    async def _draw_waiting(self, desk: Desk, feed: Feed) -> None:
        """Draw a card that was reported and lies beside the shoe, by what the device read."""
        reading = beside_the_shoe(desk.table, feed)
        if reading is None:
            return

        def holds(state: TableState) -> JournalError | None:
            if beside_the_shoe(state.table, feed) == reading:
                return None
            return ConditionError(ServerCode.OUT_OF_ORDER, "The table went on meanwhile.")

        key = f"waiting-{feed.shoe}-{reading.number}"
        request = Request(
            key, System(reading.device), c.DrawCard(), cards=(reading.face,), condition=holds
        )
        try:
            await desk.submit(request)
        except JournalError:
            return  # the Dealer keys it in


def _is_over(alarm: Alarm, table: Table) -> bool:
    """Tell whether what happened at the table settles an alarm."""
    if alarm.code is AlarmCode.LEFT_SHOE:
        shoe = table.shoe
        gone = shoe is None or shoe.ended or table.loaded != alarm.shoe
        return gone or (shoe is not None and alarm.card is not None and alarm.card < shoe.out)
    if alarm.code is AlarmCode.DIE_NOT_DUE:
        play = table.round
        over = play is None or table.between_rounds or play.number != alarm.round
        return over or (play is not None and play.die is not None)
    return False
