"""The cage's desk: wallets, tickets, banks, and transfers between cage and tables.

A transfer begins on one side, under its name, and is taken over on the other. The cage takes
over what a decision of a table gave up, under the hash of that decision: it happens exactly
once whatever is repeated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.floor.desk import Desk, Request
from croupier.journal import cage as c
from croupier.journal.accounts import check_names
from croupier.journal.cages import ACTOR, ASLEEP, BOX, LOST, OPEN, TRAY, CageStream
from croupier.journal.decision import Known, Person, read_record
from croupier.journal.errors import (
    FencedError,
    JournalError,
    LedgerError,
    OtherCommandError,
    PoisonedError,
)
from croupier.journal.ledger import tray_cents
from croupier.journal.loading import records_of
from croupier.table import commands
from croupier.table.events import CreditTaken
from croupier.table.roles import System

if TYPE_CHECKING:
    from collections.abc import Awaitable
    from typing import TypeVar

    from croupier.journal.decision import Head, Record
    from croupier.journal.store import Store
    from croupier.journal.writer import Reply, Seat, Writer

    Result = TypeVar("Result")

CAGE = System("cage")
COUNTS = (c.TableCloserCounted, c.DropCounted)


class CageDesk:
    """Takes what is done at the cage."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self._seat: Seat | None = None
        self._desks: dict[str, Desk] = {}
        """Tables that are counted: whether they are closed is asked of their desks."""
        self._begun: dict[str, str] = {}
        """By name of a transfer that is on its way: where it begins."""

    @property
    def store(self) -> Store:
        """Return the store of the journal."""
        return self.writer.store

    @property
    def stream(self) -> str:
        """Return the name of the cage's stream."""
        return c.STREAM

    @property
    def cage(self) -> c.Cage:
        """Return the cage as it is in the journal."""
        cage: c.Cage = self.seat.state
        return cage

    @property
    def seat(self) -> Seat:
        """Return the cage's stream as the writer knows it."""
        if self._seat is None:
            message = f"The desk of {c.STREAM} is not open."
            raise JournalError(message)
        return self._seat

    @property
    def epoch(self) -> int:
        """Return the epoch in which this desk writes."""
        return self.seat.epoch

    async def start(self) -> None:
        """Take the cage over, fold it, and serve."""
        (self._seat,) = await self.writer.open(CageStream(self._look))

    async def close(self) -> None:
        """Answer what waits, and stop serving."""
        if self._seat is not None:
            await self.writer.release(self._seat)

    # What the cage does

    async def record(self, command_id: str, event: c.CageEvent, actor: str) -> Reply:
        """Write what happened at the cage, once; refuse what it cannot do."""
        if isinstance(event, (*COUNTS, c.DifferenceFound)):
            sentence = "Chips and cash of a table are counted against its ledger."
            raise c.CageError(c.CageCode.NOT_A_COUNT, sentence)
        return await self._submit(command_id, event, actor)

    async def count_closer(self, command_id: str, desk: Desk, cents: int, by: str) -> Reply:
        """Take the counted chips of a closed table back; record what is over or short."""
        return await self._count(command_id, desk, c.TableCloserCounted(desk.name, cents, by))

    async def count_drop(self, command_id: str, desk: Desk, cents: int, by: str) -> Reply:
        """Take the counted cash of a closed table's box; record what is over or short."""
        return await self._count(command_id, desk, c.DropCounted(desk.name, cents, by))

    async def _count(
        self, command_id: str, desk: Desk, event: c.TableCloserCounted | c.DropCounted
    ) -> Reply:
        self._desks[desk.name] = desk
        return await self._submit(command_id, event, event.by)

    async def _look(self, table: str) -> Known:
        """Return what a table holds by the ledger, and whether it may be counted."""
        desk, stream = self._desks.get(table), f"table:{table}"
        names = (c.bank(table), c.box(table), f"commission:{c.bank(table).partition(':')[2]}")
        head, before = await self.store.head(stream), None
        balances: dict[str, int] = {}
        while head != before:
            # What the accounts hold is what they hold at the head if nothing came meanwhile.
            for name in names:
                balances |= await self.store.balances(name)
            before, head = head, await self.store.head(stream)
        values = {TRAY: tray_cents(table, balances), BOX: balances.get(c.box(table), 0)}
        if desk is not None:
            # Nothing that happened at the table meanwhile is in what is expected.
            values |= await self._standing(desk, head)
        return Known(head.sequence, values)

    async def _standing(self, desk: Desk, head: Head) -> dict[str, int]:
        """Return whether a table may be counted: it is closed, and still this desk's."""
        if not desk.started:
            return {ASLEEP: 1}
        moved = (await self.store.head(desk.stream)) != head
        lost = isinstance(desk.seat.failure, FencedError)
        taken = await self.store.epoch(desk.stream) != desk.epoch
        lost = lost or (desk.serves and taken)
        asleep = not lost and not desk.serves
        return {ASLEEP: int(asleep), LOST: int(lost), OPEN: int(moved or _is_open(desk))}

    async def send(self, transfer: str, patron: str, desk: Desk, cents: int) -> Reply:
        """Move credit from a wallet to a seat; what the table refuses comes back."""
        sent = c.SentToTable(transfer, patron, desk.name, cents)
        desk.require_serving()
        await self._begin(transfer, c.STREAM)
        try:
            await self._submit(_begins(transfer), sent, ACTOR)
        except OtherCommandError as error:
            raise c.known_transfer(transfer) from error
        finally:
            self._begun.pop(transfer, None)
        return await self._hand_over(sent, desk)

    async def _begin(self, transfer: str, stream: str) -> None:
        """Refuse a name that began a transfer elsewhere: it begins one in the whole house."""
        if self._begun.setdefault(transfer, stream) != stream:
            raise c.known_transfer(transfer)
        records = await self._healing(self.store.named(ACTOR, _begins(transfer)))
        there = {record.stream for record in records}
        # What the cage sent reaches a table under the same name; what a table gave up is
        # nowhere else under it.
        known = c.STREAM not in there if stream == c.STREAM else there != {stream}
        if (there and known) or (
            stream != c.STREAM and not there and self.cage.knows(transfer)
        ):
            self._begun.pop(transfer, None)
            raise c.known_transfer(transfer)

    async def _hand_over(self, sent: c.SentToTable, desk: Desk) -> Reply:
        """Let a table take over what was sent; otherwise it comes back."""
        command = commands.BringCredit(sent.patron, sent.cents, sent.transfer)
        back = c.SentBack(sent.transfer, sent.patron, sent.table, sent.cents)
        try:
            reply = await desk.submit(Request(_begins(sent.transfer), CAGE, command))
        except OtherCommandError as error:
            # The table gave something up under this name while the cage was sending.
            await self._submit(f"back-{sent.transfer}", back, ACTOR)
            raise c.known_transfer(sent.transfer) from error
        if reply.refusal is not None:
            await self._submit(f"back-{sent.transfer}", back, ACTOR)
        return reply

    async def receive(self, transfer: str, patron: str, desk: Desk, cents: int) -> Reply:
        """Move credit from a seat to the wallet."""
        return await self._take_over(desk, commands.TakeCredit(patron, cents, transfer))

    async def leave(self, transfer: str, patron: str, desk: Desk) -> Reply:
        """Let a patron leave a table; all credit goes to the wallet."""
        return await self._take_over(desk, commands.LeaveSeat(patron, transfer))

    async def _take_over(
        self, desk: Desk, command: commands.TakeCredit | commands.LeaveSeat
    ) -> Reply:
        """Let a table give up credit, and take it over."""
        if self.seat.failure is not None:
            raise self.seat.failure
        transfer = command.transfer
        assert transfer is not None, "without a transfer it is paid in cash"
        await self._begin(transfer, desk.stream)
        try:
            reply = await desk.submit(Request(_begins(transfer), CAGE, command))
        except OtherCommandError as error:
            raise c.known_transfer(transfer) from error
        finally:
            self._begun.pop(transfer, None)
        records = self.store.read(desk.stream, reply.sequence - 1, 1)
        for record in await self._healing(records):
            for event in _given_up(record):
                await self._receive(desk, record, event)
        return reply

    async def _healing(self, reading: Awaitable[Result]) -> Result:
        """Read; a medium that fails is opened again for whoever comes next."""
        try:
            return await reading
        except PoisonedError:
            await self.store.reopen()
            raise

    async def _receive(self, desk: Desk, record: Record, event: CreditTaken) -> None:
        assert event.transfer is not None
        received = c.ReceivedFromTable(event.transfer, event.patron, desk.name, event.cents)
        await self._submit(_receives(record), received, ACTOR)

    async def finish_transfers(self, desk: Desk) -> int:
        """Complete what an interruption left on its way to or from a table, and count it."""
        return await self._healing(self._finish(desk))

    async def _finish(self, desk: Desk) -> int:
        balances = await self.store.balances(c.transit(desk.name, ""))
        if not any(balances.values()):
            return 0
        finished = 0
        for sent in list(self.cage.sent.values()):
            if sent.table == desk.name and balances.get(c.transit(desk.name, sent.patron)):
                key = (desk.stream, ACTOR, _begins(sent.transfer))
                known = (await self.store.find([key])).get(key)
                if known is None or not _took_over(known):
                    finished += await _done(self._hand_over(sent, desk))
        async for record in records_of(self.store, desk.stream):
            for event in _given_up(record):
                if balances.get(c.transit(desk.name, event.patron)):
                    key = (c.STREAM, ACTOR, _receives(record))
                    if not await self.store.find([key]):
                        finished += await _done(self._receive(desk, record, event))
        return finished

    async def _submit(self, command_id: str, event: c.CageEvent, actor: str) -> Reply:
        try:
            accounts = [account for move in c.moves(event) for account in move[:2]]
            check_names((command_id, actor, *accounts))
            kind, _, name = actor.partition(":")
            future = self.writer.submit(
                self.seat, Request(command_id, Person(kind, name), c.Act(event))
            )
        except (TypeError, ValueError, AttributeError) as error:
            raise _unwritable(error) from error
        except JournalError as error:
            if type(error) is JournalError and self.seat.serves:
                raise _unwritable(error) from error
            raise
        reply = await future
        if reply.refusal is not None:
            raise c.CageError(reply.refusal.code, reply.refusal.sentence)
        return reply


def _unwritable(error: Exception) -> c.CageError:
    sentence = f"What came to the cage cannot be written: {str(error).rstrip('.')}."
    return c.CageError(c.CageCode.NOT_WRITABLE, sentence)


def _is_open(desk: Desk) -> bool:
    """Tell whether a table is open in the journal, or about to be."""
    ahead = desk.seat.ahead.state.table
    return desk.table.plan is not None or ahead.plan is not None


def _begins(transfer: str) -> str:
    """Name the commands of a transfer, at the cage and at its table.

    No stream has two commands of one name, so a name moves credit at a table only once.
    """
    return f"transfer-{transfer}"


def _receives(record: Record) -> str:
    """Name the command by which the cage takes over what a decision of a table gave up."""
    return f"receive-{record.hash.hex()}"


def _took_over(record: Record) -> bool:
    """Tell whether a table took over what the cage sent under a name."""
    decision = read_record(record)
    return decision.accepted and isinstance(decision.command, commands.BringCredit)


def _given_up(record: Record) -> list[CreditTaken]:
    """Return what a decision gave up to the cage."""
    if b'"credit_taken"' not in record.body:
        return []
    return [
        event
        for event in read_record(record).events
        if isinstance(event, CreditTaken) and event.transfer is not None
    ]


async def _done(act: Awaitable[object]) -> bool:
    """Tell whether something could be done; what could not stops nothing else."""
    try:
        await act
    except (c.CageError, OtherCommandError, LedgerError):
        return False
    return True
