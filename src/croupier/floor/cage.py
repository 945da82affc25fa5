"""The cage's desk: wallets, tickets, banks, and transfers between cage and tables.

A transfer is sent on one side and taken over on the other, each under the transfer's own
name as the command's identification, so that it happens exactly once whatever is repeated.
What waits is written in one append, and answered only then.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from croupier.floor.desk import Desk, OtherCommandError, Reply, Request, now
from croupier.journal import cage as c
from croupier.journal.codec import decode_record, encode
from croupier.journal.ledger import tray_cents
from croupier.journal.record import (
    GENESIS,
    Answer,
    Batch,
    Head,
    Posting,
    Record,
    digest_of,
    encode_canonical,
    written_moment,
)
from croupier.journal.replay import Writer, check_chain, postings_of, records_of
from croupier.journal.store import FencedError, JournalError, PoisonedError
from croupier.money import dollars
from croupier.table import commands
from croupier.table.events import CreditTaken
from croupier.table.roles import System

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from croupier.journal.store import Store

CAGE = System("cage")
ACTOR = "system:cage"
COUNTS = (c.TableCloserCounted, c.DropCounted)
TRAYS = (c.TableCredited, *COUNTS)
"""What is compared with the ledger before it is written."""

Outcome = Reply | Exception


class _Waiting(msgspec.Struct):
    """Somebody asks for something, and waits for the answer."""

    command_id: str
    actor: str
    event: c.CageEvent
    digest: bytes
    future: asyncio.Future[Reply]
    desk: Desk | None = None
    """The table whose tray or box is counted."""

    def resolve(self, outcome: Outcome) -> None:
        """Answer, unless nobody waits any more."""
        if self.future.done():
            return
        if isinstance(outcome, Reply):
            self.future.set_result(outcome)
        else:
            self.future.set_exception(outcome)


class _Work(msgspec.Struct):
    """What was decided and is not written yet."""

    records: list[Record] = []
    postings: list[Posting] = []
    answers: dict[tuple[str, str], Answer] = {}
    outcomes: list[tuple[_Waiting, Outcome]] = []


class CageDesk:
    """The one writer of the cage's stream."""

    def __init__(
        self, store: Store, *, clock: Callable[[], datetime] = now, holder: str = "cage"
    ) -> None:
        self._store, self._clock, self._holder = store, clock, holder
        self._waiting: list[_Waiting] = []
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._failure: JournalError | None = None
        self._closing = False
        self._writer: Writer
        self.cage = c.Cage()
        self.appended: Callable[[Batch], None] | None = None
        """Told how many records were written, so that they are signed in time."""

    async def start(self) -> None:
        """Take the stream over, fold it, and serve."""
        await self._load(await self._store.claim(c.STREAM, self._holder))
        self._task = asyncio.create_task(self._run())

    async def _load(self, epoch: int) -> None:
        """Fold the journal; only a desk that starts claims the stream."""
        cage, head = c.Cage(), Head(c.STREAM, 0, GENESIS)
        async for record in records_of(self._store, c.STREAM):
            head = check_chain(head, record)
            event = decode_record(record)
            assert isinstance(event, c.CageEvent), "a table's event at the cage"
            cage.take(event)
        self.cage, self._writer = cage, Writer(c.STREAM, epoch, head)

    async def close(self) -> None:
        """Answer what waits, and stop serving."""
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)
        self._fail([], self._failure or JournalError("The cage is closed."))

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
        await self.record(f"send-{transfer}", sent, ACTOR)
        return await self._hand_over(sent, desk)

    async def _hand_over(self, sent: c.SentToTable, desk: Desk) -> Reply:
        command = commands.BringCredit(sent.patron, sent.cents, sent.transfer)
        reply = await desk.submit(Request(f"bring-{sent.transfer}", CAGE, command))
        if reply.refusal is not None:
            back = c.SentBack(sent.transfer, sent.patron, sent.table, sent.cents)
            await self.record(f"back-{sent.transfer}", back, ACTOR)
        return reply

    async def receive(self, transfer: str, patron: str, desk: Desk, cents: int) -> Reply:
        """Move credit from a seat to the wallet."""
        command = commands.TakeCredit(patron, cents, transfer)
        reply = await desk.submit(Request(f"take-{transfer}", CAGE, command))
        await self._take_over(desk, reply)
        return reply

    async def leave(self, transfer: str, patron: str, desk: Desk) -> Reply:
        """Let a patron leave a table; all credit goes to the wallet."""
        command = commands.LeaveSeat(patron, transfer)
        reply = await desk.submit(Request(f"leave-{transfer}", CAGE, command))
        await self._take_over(desk, reply)
        return reply

    async def _take_over(self, desk: Desk, reply: Reply) -> None:
        """Take over what a table gave up by a command."""
        count = reply.last - reply.first + 1
        for record in await self._store.read(desk.stream, reply.first - 1, count):
            await self._receive_record(desk, record)

    async def _receive_record(self, desk: Desk, record: Record) -> bool:
        """Take over what a record gave up, and tell whether it gave up anything."""
        event = decode_record(record) if record.name == "credit_taken" else None
        if not isinstance(event, CreditTaken) or event.transfer is None:
            return False
        name = event.transfer
        received = c.ReceivedFromTable(name, event.patron, desk.name, event.cents)
        await self.record(f"receive-{name}", received, ACTOR)
        return True

    async def finish_transfers(self, desk: Desk) -> int:
        """Complete what an interruption left on its way to or from a table."""
        balances = await self._store.balances()
        prefix = c.transit(desk.name, "")
        if not any(cents for name, cents in balances.items() if name.startswith(prefix)):
            return 0
        finished = 0
        for sent in list(self.cage.sent.values()):
            if sent.table != desk.name or not balances.get(c.transit(desk.name, sent.patron)):
                continue
            known = await self._store.answer(ACTOR, f"bring-{sent.transfer}")
            if known is None or known.result != b"null":
                await self._hand_over(sent, desk)
                finished += 1
        async for record in records_of(self._store, desk.stream):
            if record.name == "credit_taken":
                transfer = msgspec.json.decode(record.body).get("transfer")
                if transfer not in self.cage.finished:
                    finished += await self._receive_record(desk, record)
        return finished

    # The writer

    async def _submit(
        self, command_id: str, event: c.CageEvent, actor: str, desk: Desk | None = None
    ) -> Reply:
        if self._failure is not None:
            raise self._failure
        try:
            encode_canonical([command_id, actor])
            digest = digest_of(encode_canonical(event))
        except (TypeError, ValueError) as error:
            sentence = f"What came to the cage cannot be written: {error}."
            raise c.CageError(c.CageCode.NOT_WRITABLE, sentence) from error
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(command_id, actor, event, digest, future, desk))
        self._wake.set()
        return await future

    async def _run(self) -> None:
        while self._failure is None:
            await self._wake.wait()
            self._wake.clear()
            taken, self._waiting = self._waiting, []
            if taken:
                await self._serve(taken)
            elif self._closing:
                return
            if self._waiting or self._closing:
                self._wake.set()

    async def _serve(self, taken: list[_Waiting]) -> None:
        try:
            await self._serve_together(taken)
        except (PoisonedError, FencedError) as error:
            # Somebody else owns the stream, or the medium must be opened again.
            self._fail(taken, error)
        except Exception as error:  # noqa: BLE001  # nobody may wait for ever
            # Memory may be ahead of the journal now: this desk serves nobody any more.
            message = f"The cage failed: {type(error).__name__}: {error}."
            self._fail(taken, JournalError(message))

    async def _serve_together(self, taken: list[_Waiting]) -> None:
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
            await self._load(self._writer.epoch)
            left = [one for one in taken if not one.future.done()]
            if len(left) == 1:
                left[0].resolve(error)
            else:
                for one in left:
                    await self._serve_together([one])

    async def _take(self, one: _Waiting, work: _Work) -> None:
        """Decide one act, or give the answer that it had."""
        key, digest = (one.actor, one.command_id), one.digest
        known = work.answers.get(key) or await self._store.answer(*key)
        if known is not None:
            work.outcomes.append((one, _again(known, digest)))
            return
        first = self._writer.head.sequence + 1
        result, outcome = b"null", None
        try:
            for event in await self._decide(one):
                self._record(one, event, work)
        except c.CageError as error:
            result, outcome = encode_canonical(error.refusal), error
        last = self._writer.head.sequence
        work.answers[key] = Answer(*key, digest, c.STREAM, first, last, result)
        work.outcomes.append((one, outcome or Reply(first, last)))

    async def _decide(self, one: _Waiting) -> tuple[c.CageEvent, ...]:
        """Return what happens, or raise why it does not."""
        event = one.event
        c.check(self.cage, event)
        if not isinstance(event, TRAYS):
            return (event,)
        if one.desk is not None and one.desk.table.plan is not None:
            sentence = f"Table {event.table} is open; what it holds is counted once it closed."
            raise c.CageError(c.CageCode.TABLE_OPEN, sentence)
        balances = await self._store.balances()
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

    def _record(self, one: _Waiting, event: c.CageEvent, work: _Work) -> None:
        moment = written_moment(self._clock())
        record = self._writer.record(moment, one.actor, one.command_id, encode(event))
        work.records.append(record)
        work.postings += postings_of(c.STREAM, record.sequence, c.moves(event))
        self.cage.take(event)

    async def _write(self, work: _Work) -> None:
        """Append everything in one transaction, and answer only then."""
        if work.answers:
            after = self._writer.head
            if work.records:
                first = work.records[0]
                after = Head(c.STREAM, first.sequence - 1, first.previous)
            batch = Batch(
                c.STREAM,
                self._writer.epoch,
                after,
                tuple(work.records),
                tuple(work.postings),
                tuple(work.answers.values()),
            )
            await self._store.append(batch)
            if self.appended is not None:
                self.appended(batch)
        for one, outcome in work.outcomes:
            one.resolve(outcome)

    def _fail(self, taken: list[_Waiting], error: JournalError) -> None:
        """Tell everybody that waits, and refuse everybody who comes."""
        self._failure = error
        for one in (*taken, *self._waiting):
            one.resolve(error)
        self._waiting = []


def _again(known: Answer, digest: bytes) -> Outcome:
    """Return an answer again, or refuse another content under the same name."""
    if known.digest != digest or known.stream != c.STREAM:
        message = f"Command {known.command} of {known.actor} was another one before."
        return OtherCommandError(message)
    refusal = msgspec.json.decode(known.result, type=c.CageRefusal | None)
    if refusal is not None:
        return c.CageError(refusal.code, refusal.sentence)
    return Reply(known.first, known.last)
