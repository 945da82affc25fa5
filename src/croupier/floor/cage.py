"""The cage's desk: wallets, tickets, banks, and transfers between cage and tables.

A transfer begins on one side, under its name, and is taken over on the other. A command has
one answer in the whole journal, so a name begins one transfer, wherever it is used again. The
cage takes over what a record of a table gave up, under the hash of that record: it happens
exactly once whatever is repeated. What waits is written in one append, and answered only then;
a medium that failed is opened again, and whoever has no answer there is told to ask again.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

import msgspec

from croupier.floor.desk import Desk, Request
from croupier.floor.serving import (
    ACCEPTED,
    Asked,
    OtherCommandError,
    Outcome,
    Reply,
    Serving,
    Work,
    now,
)
from croupier.journal import cage as c
from croupier.journal.codec import decode, decode_record, encode
from croupier.journal.ledger import tray_cents
from croupier.journal.record import (
    GENESIS,
    Answer,
    Head,
    Record,
    digest_of,
    encode_canonical,
    written_moment,
)
from croupier.journal.replay import Writer, check_chain, postings_of, records_of
from croupier.journal.store import (
    ConflictError,
    FencedError,
    JournalError,
    LedgerError,
    PoisonedError,
    check_names,
)
from croupier.money import dollars
from croupier.table import commands
from croupier.table.events import CreditTaken
from croupier.table.roles import System

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from croupier.journal.store import Store

CAGE = System("cage")
ACTOR = "system:cage"
Result = TypeVar("Result")
COUNTS = (c.TableCloserCounted, c.DropCounted)
TRAYS = (c.TableCredited, *COUNTS)
"""What is compared with the ledger before it is written."""


class _Asked(Asked, frozen=True):
    """Something that happened at the cage, and the table that it was done with."""

    event: c.CageEvent
    desk: Desk | None = None


class _Work(Work):
    """What was decided and is not written yet, with the answers at hand."""

    known: dict[tuple[str, str], Answer] = msgspec.field(default_factory=dict)


class CageDesk(Serving[_Asked]):
    """The one writer of the cage's stream."""

    def __init__(
        self, store: Store, *, clock: Callable[[], datetime] = now, holder: str = "cage"
    ) -> None:
        super().__init__(store, c.STREAM, holder, clock)
        self.cage = c.Cage()

    async def _load(self, epoch: int) -> None:
        """Fold the journal; only a desk that starts claims the stream."""
        cage, head = c.Cage(), Head(c.STREAM, 0, GENESIS)
        async for record in records_of(self.store, c.STREAM):
            head = check_chain(head, record)
            event = decode_record(record)
            assert isinstance(event, c.CageEvent), "a table's event at the cage"
            cage.take(event)
        self.cage, self._writer = cage, Writer(c.STREAM, epoch, head)

    # What the cage does

    async def record(self, command_id: str, event: c.CageEvent, actor: str) -> Reply:
        """Write what happened at the cage, once; refuse what it cannot do."""
        if isinstance(event, (*COUNTS, c.DifferenceFound)):
            sentence = "Chips and cash of a table are counted against its ledger."
            raise c.CageError(c.CageCode.NOT_A_COUNT, sentence)
        return await self._submit(command_id, event, actor)

    async def count_closer(self, command_id: str, desk: Desk, cents: int, by: str) -> Reply:
        """Take the counted chips of a closed table back; record what is over or short."""
        event = c.TableCloserCounted(desk.name, cents, by)
        return await self._submit(command_id, event, by, desk)

    async def count_drop(self, command_id: str, desk: Desk, cents: int, by: str) -> Reply:
        """Take the counted cash of a closed table's box; record what is over or short."""
        event = c.DropCounted(desk.name, cents, by)
        return await self._submit(command_id, event, by, desk)

    async def send(self, transfer: str, patron: str, desk: Desk, cents: int) -> Reply:
        """Move credit from a wallet to a seat; what the table refuses comes back."""
        sent = c.SentToTable(transfer, patron, desk.name, cents)
        desk.require_serving()
        try:
            await self._submit(_begins(transfer), sent, ACTOR, desk)
        except OtherCommandError as error:
            raise c.known_transfer(transfer) from error
        return await self._hand_over(sent, desk)

    async def _hand_over(self, sent: c.SentToTable, desk: Desk) -> Reply:
        command = commands.BringCredit(sent.patron, sent.cents, sent.transfer)
        reply = await desk.submit(Request(_brings(sent), CAGE, command))
        if reply.refusal is not None:
            back = c.SentBack(sent.transfer, sent.patron, sent.table, sent.cents)
            await self._submit(f"back-{sent.transfer}", back, ACTOR, desk)
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
        self.require_serving()
        transfer = command.transfer
        assert transfer is not None, "without a transfer it is paid in cash"
        known = await self._healing(self.store.answer(ACTOR, _begins(transfer)))
        if self.cage.knows(transfer) if known is None else known.stream != desk.stream:
            raise c.known_transfer(transfer)
        try:
            reply = await desk.submit(Request(_begins(transfer), CAGE, command))
        except OtherCommandError as error:
            raise c.known_transfer(transfer) from error
        count = reply.last - reply.first + 1
        for record in await self._healing(self.store.read(desk.stream, reply.first - 1, count)):
            event = _given_up(record)
            if event is not None:
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
        await self._submit(_receives(record), received, ACTOR, desk)

    async def finish_transfers(self, desk: Desk) -> int:
        """Complete what an interruption left on its way to or from a table, and count it."""
        return await self._healing(self._finish(desk))

    async def _finish(self, desk: Desk) -> int:
        balances = await self.store.balances()
        prefix = c.transit(desk.name, "")
        if not any(cents for name, cents in balances.items() if name.startswith(prefix)):
            return 0
        finished = 0
        for sent in list(self.cage.sent.values()):
            if sent.table == desk.name and balances.get(c.transit(desk.name, sent.patron)):
                known = await self.store.answer(ACTOR, _brings(sent))
                if known is None or known.result != ACCEPTED:
                    finished += await _done(self._hand_over(sent, desk))
        async for record in records_of(self.store, desk.stream):
            event = _given_up(record)
            if event is not None and balances.get(c.transit(desk.name, event.patron)):
                known = await self.store.answer(ACTOR, _receives(record))
                if known is None:
                    finished += await _done(self._receive(desk, record, event))
        return finished

    # The writer

    async def _submit(
        self, command_id: str, event: c.CageEvent, actor: str, desk: Desk | None = None
    ) -> Reply:
        self.require_serving()
        try:
            name, version, body = encode(event)
            # What is decided is what can be read again; types are tested by reading it.
            read = decode(name, version, body)
            assert isinstance(read, c.CageEvent)
            accounts = [account for move in c.moves(read) for account in move[:2]]
            check_names((command_id, actor, *accounts))
        except (TypeError, ValueError, JournalError) as error:
            sentence = f"What came to the cage cannot be written: {str(error).rstrip('.')}."
            raise c.CageError(c.CageCode.NOT_WRITABLE, sentence) from error
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        digest = digest_of(body)
        return await self._wait(_Asked(command_id, actor, digest, future, read, desk))

    async def _serve_together(self, taken: list[_Asked]) -> None:
        work = _Work()
        try:
            for one in taken:
                if isinstance(one.event, TRAYS):
                    # The ledger is asked, so everything before this must be in it.
                    await self._write(work)
                    work = _Work()
                await self._take(one, work)
            await self._write(work)
        except (PoisonedError, FencedError):
            raise
        except JournalError as error:
            # Refused, so nothing was written of it: each is taken once more by itself.
            await self._reload(self.epoch)
            left = [one for one in taken if not one.future.done()]
            if len(left) == 1:
                # A table may have written an answer under this name a moment ago.
                left[0].tell(await self._answered(left[0]) or error)
            else:
                for one in left:
                    await self._serve_together([one])

    async def _take(self, one: _Asked, work: _Work) -> None:
        """Decide one act, or give the answer that it had."""
        key, digest = (one.actor, one.command_id), one.digest
        known = work.known.get(key) or await self.store.answer(*key)
        if known is not None:
            work.outcomes.append((one, self._again(known, digest)))
            return
        first = self._writer.head.sequence + 1
        result, outcome = ACCEPTED, None
        try:
            for event in await self._decide(one):
                self._record(one, event, work)
        except c.CageError as error:
            result, outcome = encode_canonical(error.refusal), error
        last = self._writer.head.sequence
        answer = Answer(*key, digest, c.STREAM, first, last, result)
        work.known[key] = answer
        work.answers.append(answer)
        work.outcomes.append((one, outcome or Reply(first, last)))

    async def _decide(self, one: _Asked) -> tuple[c.CageEvent, ...]:
        """Return what happens, or raise why it does not."""
        event = one.event
        c.check(self.cage, event)
        if isinstance(event, c.TRANSFERS) and one.desk is None:
            sentence = "Credit goes between cage and table by a transfer, with both of them."
            raise c.CageError(c.CageCode.NOT_A_TRANSFER, sentence)
        if not isinstance(event, TRAYS):
            return (event,)
        _check_closed(one.desk)
        balances = await self.store.balances()
        # Nothing that happened at the table meanwhile is in what is expected.
        _check_closed(one.desk)
        await _check_owner(one.desk)
        tray = tray_cents(event.table, balances)
        if isinstance(event, c.TableCredited):
            if event.cents > tray:
                sentence = (
                    f"{dollars(event.cents)} were asked for;"
                    f" the tray of table {event.table} holds {dollars(tray)}."
                )
                raise c.CageError(c.CageCode.NOT_ENOUGH_CHIPS, sentence)
            return (event,)
        counted, expected = c.Counted.CLOSER, tray
        if isinstance(event, c.DropCounted):
            counted, expected = c.Counted.DROP, balances.get(c.box(event.table), 0)
        if event.cents == expected:
            return (event,)
        found = c.DifferenceFound(event.table, counted, expected, event.cents, event.by)
        return found, event

    def _record(self, one: _Asked, event: c.CageEvent, work: _Work) -> None:
        moment = written_moment(self._clock())
        record = self._writer.record(moment, one.actor, one.command_id, encode(event))
        work.records.append(record)
        work.postings += postings_of(c.STREAM, record.sequence, c.moves(event))
        self.cage.take(event)

    def _refusal(self, known: Answer) -> Outcome:
        """Return the answer again: a refusal of the cage is raised."""
        refusal = msgspec.json.decode(known.result, type=c.CageRefusal | None)
        if refusal is not None:
            return c.CageError(refusal.code, refusal.sentence)
        return Reply(known.first, known.last)


def _begins(transfer: str) -> str:
    """Name the command that begins a transfer, at the cage or at a table."""
    return f"transfer-{transfer}"


def _brings(sent: c.SentToTable) -> str:
    """Name the command by which a table takes over what the cage sent."""
    return f"bring-{sent.transfer}"


def _receives(record: Record) -> str:
    """Name the command by which the cage takes over what a record of a table gave up."""
    return f"receive-{record.hash.hex()}"


def _given_up(record: Record) -> CreditTaken | None:
    """Return what a record gave up to the cage, if it did."""
    event = decode_record(record) if record.name == "credit_taken" else None
    return event if isinstance(event, CreditTaken) and event.transfer is not None else None


async def _done(act: Awaitable[object]) -> bool:
    """Tell whether something could be done; what could not stops nothing else."""
    try:
        await act
    except (c.CageError, OtherCommandError, LedgerError):
        return False
    return True


async def _check_owner(desk: Desk | None) -> None:
    """Refuse to count a table that somebody else may have opened meanwhile."""
    if desk is None:
        return
    try:
        await desk.require_owner()
    except (FencedError, ConflictError) as error:
        sentence = f"Table {desk.name} was taken over by another desk; nothing is counted."
        raise c.CageError(c.CageCode.TABLE_OPEN, sentence) from error


def _check_closed(desk: Desk | None) -> None:
    """Refuse to count a table that is open in the journal, or about to be."""
    if desk is not None and not desk.serves:
        sentence = f"The desk of table {desk.name} is not open; nothing is counted."
        raise c.CageError(c.CageCode.TABLE_OPEN, sentence)
    if desk is not None and (desk.durable.plan is not None or desk.table.plan is not None):
        sentence = f"Table {desk.name} is open; what it holds is counted once it closed."
        raise c.CageError(c.CageCode.TABLE_OPEN, sentence)
