"""Transfers: credit that one stream gave up, taken over in the other, exactly once.

Streams address one another by name. What the cage sends, its table takes over; what a table
refuses comes back to the wallet; what leaves a seat for the wallet, the cage takes over. The
command that takes over has an identification made from the hash of the decision that gave up,
so it happens once whatever is repeated, and whichever process does it. Each process submits
what follows to the streams that it owns; what an interruption left between two streams is
found from the journal by whoever starts, and by this process itself when its medium is back.
What was sent to a table of this process that does not serve, or fails at it, comes back.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from croupier.accounting import account, parts_of
from croupier.cage import commands as c
from croupier.cage.authority import CAGE
from croupier.cage.events import CreditArrived, SentBack, SentToTable
from croupier.journal.between import bring_id, end_id, given_up_name, receive_id
from croupier.journal.cages import STREAM, CageStream
from croupier.journal.decision import person, read_record
from croupier.journal.errors import (
    BusyError,
    FencedError,
    JournalError,
    NotDoneError,
    PoisonedError,
    failed_at,
)
from croupier.journal.following import Followed
from croupier.journal.tables import TableStream
from croupier.journal.writer import Reply, Request
from croupier.table.commands import BringCredit
from croupier.table.events import CreditTaken

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine
    from typing import Any, TypeVar

    from croupier.cage.state import Cage
    from croupier.journal.decision import Decision, Record
    from croupier.journal.store import Store
    from croupier.journal.writer import Committed, Landed, Writer

    Result = TypeVar("Result")

ACTOR = person(CAGE).key
PAGE = 2_000
"""Decisions of a table that are read at once, from its end on."""
PAUSE_SECONDS, PAUSE_MAX_SECONDS = 0.05, 1.0
"""A medium that failed, or a house that is busy, gets a little time: first, and at most."""
GIVES_UP = b'"to_wallet":true'


class GivenUp:
    """Credit that left a seat for the wallet, by one event of a table's decision."""

    __slots__ = ("event", "name", "table")

    def __init__(self, table: str, record: Record, line: int, event: CreditTaken) -> None:
        self.table, self.event = table, event
        self.name = given_up_name(record.hash, line)

    @property
    def command_id(self) -> str:
        """Return the identification under which the cage takes it over."""
        return receive_id(self.name)


def given_up(record: Record, decision: Decision) -> list[GivenUp]:
    """Return what a decision of a table gave up to the cage."""
    table = record.stream.partition(":")[2]
    return [
        GivenUp(table, record, line, event)
        for line, event in enumerate(decision.events)
        if isinstance(event, CreditTaken) and event.to_wallet
    ]


class Transfers:
    """Brings credit from one stream to the other.

    Its ``committed`` is a subscriber of the writer; it is attached to the writer before any
    stream is opened. ``own`` tells by its name whether a table is this process's, though it may
    not be served: then what is sent to it comes back. What is sent to a table of another
    process waits for that process.
    """

    def __init__(self, own: Callable[[str], bool] = lambda _: False) -> None:
        self._own = own
        self._writer: Writer | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._arriving: dict[int, asyncio.Task[Reply | None]] = {}
        """By number of the cage's decision: what it sent and is on its way."""
        self._followed: Followed | None = None
        """The cage of another process."""
        self._again: asyncio.Task[None] | None = None
        """Finishes, when the medium is back, what it kept from being finished."""
        self._ends = asyncio.Event()
        """Set, and replaced, whenever the cage took note of an end."""
        self._left = False
        """Whether something was left since that began."""
        self._closing = False
        self.failure: JournalError | None = None
        """Why the last thing that could not be brought was not; it is tried again when the
        medium is back, and by a start."""

    def attach(self, writer: Writer) -> None:
        """Submit to this writer from now on."""
        self._writer = writer

    @property
    def writer(self) -> Writer:
        """Return the writer of this process."""
        assert self._writer is not None, "no writer is attached"
        return self._writer

    @property
    def _store(self) -> Store:
        return self.writer.store

    def committed(self, landed: Landed) -> None:
        """Begin what follows from durable decisions."""
        if landed.stream == STREAM or CreditTaken in landed.kinds:
            for one in landed.all:
                self._follow(one)

    def _follow(self, committed: Committed) -> None:
        record, decision = committed.record, committed.decision
        if record.stream == STREAM:
            for event in decision.events:
                if isinstance(event, SentToTable):
                    self._bring(record, event)
                elif isinstance(event, CreditArrived | SentBack):
                    self._ends.set()
                    self._ends = asyncio.Event()
            return
        for event in decision.events:
            if type(event) is CreditTaken:
                for one in given_up(record, decision):
                    self._spawn(self._receive(one))
                return

    async def quiet(self) -> None:
        """Wait until everything that was begun here is done, or the medium failed at it."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def close(self) -> None:
        """Finish what was begun, as far as the writer still serves."""
        self._closing = True
        if self._again is not None:
            self._again.cancel()
        await self.quiet()

    # From the cage to a table

    async def arrival(self, sequence: int, elsewhere_seconds: float = 0.0) -> Reply | None:
        """Return the table's answer to what a decision of the cage sent to it.

        ``elsewhere_seconds`` is how long the table of another process is waited for, and the
        cage until it took note of that answer. None: no table took it. Either it is back, or
        the table of another process has not answered yet; then the cage still has it among
        what it ``sent``.
        """
        going = self._arriving.get(sequence)
        if going is None:
            answer = await self._healing(self._arrival(sequence))
        else:
            answer = await asyncio.shield(going)
        if elsewhere_seconds and sequence in (await self._cage()).sent:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ended(sequence), elsewhere_seconds)
        if answer is None and sequence not in (await self._cage()).sent:
            # Another process may have answered, and the cage heard it, since it was looked at.
            answer = await self._healing(self._arrival(sequence))
        return answer

    async def _ended(self, sequence: int) -> None:
        """Wait until the cage of this process heard what became of something it sent."""
        while sequence in (await self._cage()).sent:
            await self._ends.wait()

    async def _arrival(self, sequence: int) -> Reply | None:
        (record,) = await self._store.read(STREAM, sequence - 1, 1)
        (sent,) = (one for one in read_record(record).events if type(one) is SentToTable)
        answer = await self._answered(record, sent)
        # One that ended is never brought again: it came back, though no table answered.
        if answer is None and sent.transfer in (await self._cage()).sent:
            answer = await asyncio.shield(self._bring(record, sent))
        return answer

    def _bring(self, record: Record, sent: SentToTable) -> asyncio.Task[Reply | None]:
        going = self._arriving.get(record.sequence)
        if going is None:
            going = self._spawn(self._hand_over(record, sent))
            self._arriving[record.sequence] = going
            going.add_done_callback(lambda _: self._arriving.pop(record.sequence, None))
        return going

    async def _hand_over(self, record: Record, sent: SentToTable) -> Reply | None:
        """Let a table take over what was sent; otherwise it comes back."""
        name, cage = record.hash.hex(), self.writer.seat(STREAM)
        if cage is not None and sent.transfer not in cage.state.sent:
            return await self._answered(record, sent)  # it ended while somebody looked for it
        answer = await self._brought(record, sent)
        if answer is None:
            answer = await self._answered(record, sent)
        if answer is None and await self._elsewhere(sent.table):
            return None  # its own process takes it over
        accepted = answer is not None and answer.accepted
        follows: c.CageCommand = c.SendBack(sent.transfer)
        if accepted:
            follows = c.NoteArrival(sent.transfer)
        await self._submit(STREAM, Request(end_id(name, arrived=accepted), CAGE, follows))
        return answer

    async def _elsewhere(self, table: str) -> bool:
        """Tell whether a table is another process's."""
        if self._own(table):
            return False
        return (await self._store.head(f"table:{table}")).sequence > 0

    async def _brought(self, record: Record, sent: SentToTable) -> Reply | None:
        """Return the answer of a table of this process; None: nothing came of it there."""
        name = record.hash.hex()
        bring = Request(bring_id(name), CAGE, BringCredit(sent.patron, sent.cents, name))
        try:
            return await self._submit(f"table:{sent.table}", bring)
        except PoisonedError:
            raise
        except JournalError as error:
            # The desk failed at it, or closed: nothing was written.
            self.failure = error
            return None

    async def _answered(self, record: Record, sent: SentToTable) -> Reply | None:
        """Return what a table answered to what was sent, if it did."""
        stream = f"table:{sent.table}"
        key = (stream, ACTOR, bring_id(record.hash.hex()))
        found = (await self._store.find([key])).get(key)
        if found is None:
            return None
        refused = read_record(found).refusal
        refusal = None if refused is None else TableStream(sent.table, ()).refusal(refused)
        return Reply(found.sequence, refusal)

    # From a table to the cage

    async def _receive(self, one: GivenUp) -> bool:
        """Let the cage take over what left a seat; tell whether it is this process's cage."""
        event = one.event
        receive = c.ReceiveFromTable(one.name, event.patron, one.table, event.cents)
        return await self._submit(STREAM, Request(one.command_id, CAGE, receive)) is not None

    # After an interruption

    async def finish(self) -> int:
        """Finish what is between two streams, as far as they are this process's.

        Returns how many transfers were finished. Doing it again does nothing; one that cannot
        be finished stops no other.
        """
        return await self._healing(self._finish())

    async def _finish(self) -> int:
        finished = 0
        cage = await self._cage()
        for sent in list(cage.sent.values()):
            finished += await self._finish_sent(sent)
        if self.writer.seat(STREAM) is not None:
            finished += await self._finish_given_up()
        return finished

    async def _healing(self, reading: Awaitable[Result]) -> Result:
        """Read; a medium that fails is opened again for whoever comes next."""
        try:
            return await reading
        except PoisonedError:
            await self._store.reopen()
            raise

    async def _cage(self) -> Cage:
        """Return the cage as it is in the journal, whoever owns it."""
        seat = self.writer.seat(STREAM)
        if seat is None:
            if self._followed is None:
                self._followed = Followed.of(self.writer, CageStream())
            await self._followed.catch_up()
            seat = self._followed.seat
        cage: Cage = seat.state
        return cage

    async def _finish_sent(self, sent: SentToTable) -> bool:
        """Tell whether what was sent is with a table or back by this."""
        (record,) = await self._store.read(STREAM, sent.transfer - 1, 1)
        cage, before = self.writer.seat(STREAM), await self._answered(record, sent)
        if before is not None and cage is None:
            return False  # the cage's own process takes note of it
        try:
            answer = await self._bring(record, sent)
        except PoisonedError:
            raise
        except Exception:  # noqa: BLE001  # taken note of when it failed; it stops no other
            return False
        return answer is not None if cage is None else sent.transfer not in cage.state.sent

    async def _finish_given_up(self) -> int:
        """Take over what tables gave up: found where transit accounts hold something."""
        finished = 0
        for table, patrons in (await self._given_up_cents()).items():
            for one in await self._left_between(table, patrons):
                try:
                    finished += await self._receive(one)
                except PoisonedError:
                    raise
                except Exception as error:  # noqa: BLE001  # it stops no other
                    self._fail(error)
        return finished

    async def _given_up_cents(self) -> dict[str, dict[str, int]]:
        """Return by table and patron what is on its way to the cage.

        That is what accounts of transit hold beside what the cage sent.
        """
        balances = await self._store.balances(account("transit", ""))
        cage = await self._cage()
        held: dict[str, dict[str, int]] = {}
        for name, cents in balances.items():
            _, table, patron = parts_of(name)
            sent = cage.sent_cents(patron, table)
            if cents > sent:
                held.setdefault(table, {})[patron] = cents - sent
        return held

    async def _left_between(self, table: str, held: dict[str, int]) -> list[GivenUp]:
        """Return what a table gave up and the cage has not, read from the table's end on."""
        stream, store, found = f"table:{table}", self._store, []
        last = (await store.head(stream)).sequence
        while last > 0 and any(cents > 0 for cents in held.values()):
            first = max(0, last - PAGE)
            records = await store.read(stream, first, last - first)
            last = first
            page = [
                one
                for record in reversed(records)
                if GIVES_UP in record.body
                for one in given_up(record, read_record(record))
                if held.get(one.event.patron, 0) > 0
            ]
            keys = {(STREAM, ACTOR, one.command_id) for one in page}
            known = await store.find(keys) if keys else {}
            for one in page:
                if (STREAM, ACTOR, one.command_id) not in known:
                    held[one.event.patron] -= one.event.cents
                    found.append(one)
            if not found and table not in await self._given_up_cents():
                break  # it arrived while this was read
        return found[::-1]

    # Submitting

    async def _submit(self, stream: str, request: Request) -> Reply | None:
        """Submit to a stream of this process; None: it is another's, or served no more."""
        while True:
            seat = self.writer.seat(stream)
            if seat is None:
                return None
            try:
                return await self.writer.submit(seat, request)
            except (NotDoneError, BusyError):
                if self._closing:
                    return None
                await asyncio.sleep(PAUSE_SECONDS)
            except FencedError:
                return None

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        """Take note of what could not be brought; a bug of ours is told and stops nobody."""
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is None:
            return
        if not isinstance(error, PoisonedError):
            self._fail(error)
            return
        self.failure = error
        self.heard()

    def heard(self) -> None:
        """Finish soon what may be between two streams: another process decided something."""
        self._left = True
        if self._again is None and not self._closing:
            self._again = asyncio.get_running_loop().create_task(self._finish_later())

    def _fail(self, error: BaseException) -> None:
        """Keep why something could not be brought; a bug of ours is told."""
        self.failure = failed_at("transfers", error)
        if not isinstance(error, JournalError):
            told = {"message": "A transfer failed", "exception": error}
            asyncio.get_running_loop().call_exception_handler(told)

    async def _finish_later(self) -> None:
        """Finish what the medium kept from being finished, once it is back."""
        pause = PAUSE_SECONDS
        try:
            while self._left and not self._closing:
                self._left = False
                await asyncio.sleep(pause)
                await self.writer.well.wait()
                pause = min(2 * pause, PAUSE_MAX_SECONDS)
                try:
                    await self.finish()
                except PoisonedError:
                    self._left = True  # it failed again
        except Exception as error:  # noqa: BLE001  # told, and a start tries it again
            self._fail(error)
        finally:
            self._again = None
