"""The writer: one loop for all streams of a process.

It gathers the commands that wait, of all streams, decides them one after the other in memory,
and hands a frame to the store; two frames are on their way, each half of what waits. Senders
are answered when their frame is durable, and then the subscribers are told. Streams are
isolated from one another: an error, an old identification or a lost epoch of one stops nobody
else. When the medium fails, everything in memory is dropped and folded again from the journal,
and whoever waits is told what the journal knows: the answer, or that nothing came of it.
"""

from __future__ import annotations

import asyncio
import itertools
from collections import defaultdict, deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from croupier.journal.decision import now
from croupier.journal.errors import (
    ConflictError,
    FencedError,
    IdTakenError,
    JournalError,
    PoisonedError,
    busy,
    failed_at,
    failure_of,
    not_done,
    stopped,
    taken_over,
)
from croupier.journal.gathering import (
    Asked,
    Committed,
    Flight,
    Gather,
    Landed,
    Reply,
    Request,
    Seat,
    announce,
    asked_of,
    sent,
    settling,
)
from croupier.journal.ids import Memory
from croupier.journal.loading import anywhere, check_balances, follow, load, repeated, replied

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from croupier.journal.gathering import Subscriber, Tell
    from croupier.journal.positions import Positions
    from croupier.journal.snapshots import Snapshots
    from croupier.journal.store import Store
    from croupier.journal.streams import Needs, Stream

DEPTH = 2
"""How many frames are on their way: while one is written, the next is decided."""
WAITING_MAX = 10_000
"""How many commands may be open; who comes then is told that the house is busy."""
PAUSES_SECONDS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8)
"""A medium that fails again while it is read again gets a little more time."""
PAUSE_MAX_SECONDS = 1.0
"""How often it is tried after that, while everybody is told that it failed."""
SUPPLY_SECONDS = 10.0
"""How long a decision waits for what it needs: a card, or what another stream holds."""


class Writer:
    """Decides, writes and answers for all streams that this process owns.

    ``subscribers`` are called with all ``Committed`` decisions, in the order of their stream:
    once for those of a stream and frame, after their senders were answered. They are called
    from the loop and must not wait.
    """

    def __init__(  # what a house sets once
        self,
        store: Store,
        *,
        clock: Callable[[], datetime] = now,
        subscribers: Sequence[Subscriber] = (),
        snapshots: Snapshots | None = None,
        holder: str = "house",
        waiting_max: int = WAITING_MAX,
    ) -> None:
        self.store, self.clock, self.snapshots = store, clock, snapshots
        self.positions: Positions | None = None
        """Where positions are known; None: everybody is what they come as."""
        self._subscribers = tuple(subscribers)
        self._holder, self._waiting_max = holder, waiting_max
        # A stream that waits for its source leaves room for the others.
        self._stream_max = -(-waiting_max // 2)
        self._seats: dict[str, Seat] = {}
        self._waiting: deque[Asked] = deque()
        self._unknown: list[Asked] = []
        """Commands whose identification is to be looked up first."""
        self._flying: deque[Flight] = deque()
        self._memory = Memory()
        self._open = 0
        self._scheduled = self._looking = False
        self._broken: list[Asked] | None = None
        """While the medium is opened again: whoever was on the way."""
        self._failure: JournalError | None = None
        self.well = asyncio.Event()
        """Set while the medium serves; cleared until it was opened again and read."""
        self.well.set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False

    # Streams

    async def open(self, *streams: Stream) -> list[Seat]:
        """Take streams over, fold them, record that they started, and serve them.

        A round that was in progress is interrupted by this, and its rulebook says what comes.
        """
        for pause in PAUSES_SECONDS:
            try:
                return await self._begin(streams)
            except PoisonedError:
                await asyncio.sleep(pause)
            with suppress(PoisonedError):
                await self.store.reopen()
        return await self._begin(streams)

    async def _begin(self, streams: Sequence[Stream]) -> list[Seat]:
        names = [stream.name for stream in streams]
        epochs = await self.store.claim(names, self._holder)
        seats = [Seat(one, epoch) for one, epoch in zip(streams, epochs, strict=True)]
        for seat in seats:
            before = self._seats.get(seat.name)
            if before is not None:
                self._fail(before, taken_over(before.name, before.epoch))
            await load(self.store, seat, self.snapshots)
            await check_balances(self.store, seat)
            seat.stream.check(seat.state)
        for seat in seats:
            self._seats[seat.name] = seat
        starts = [seat.loop.create_future() for seat in seats]
        for seat, start in zip(seats, starts, strict=True):
            self._submit(Asked.start(seat, self._holder, settling(start)))
        for outcome in await asyncio.gather(*starts, return_exceptions=True):
            if isinstance(outcome, BaseException):
                raise outcome
        return seats

    def seat(self, stream: str) -> Seat | None:
        """Return a stream that this process owns and serves; None: it does not."""
        seat = self._seats.get(stream)
        return seat if seat is not None and seat.serves else None

    async def release(self, seat: Seat) -> None:
        """Answer what waits for one stream, and serve it no more."""
        seat.closing = True
        await seat.quiet()
        if seat.failure is None:
            seat.failure = JournalError(f"The desk of {seat.name} is closed.")
        if self._seats.get(seat.name) is seat:
            del self._seats[seat.name]

    async def close(self) -> None:
        """Answer what waits, and stop; the store stays open."""
        self._closing = True
        for seat in list(self._seats.values()):
            await self.release(seat)
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Senders

    def submit(self, seat: Seat, request: Request) -> asyncio.Future[Reply]:
        """Return the answer to a command, once it is durable; as ``give``."""
        future: asyncio.Future[Reply] = seat.loop.create_future()
        self.give(seat, request, settling(future))
        return future

    def give(self, seat: Seat, request: Request, tell: Tell) -> None:
        """Take a command; ``tell`` is called with the answer, once it is durable.

        Raises at once what cannot be written, what comes to a stream that is not served, and
        ``BusyError`` when too many wait. What is told is ``OtherCommandError`` when the
        identification is another command's, ``NotInPositionError`` when the accounts know
        whoever asks or approves in another position, and ``NotDoneError`` when the medium
        failed; nothing came of the command then.
        """
        failure = self._failure or seat.failure
        if failure is not None:
            raise failure
        if seat.closing or self._closing:
            message = f"The desk of {seat.name} is closed."
            raise JournalError(message)
        if self._open >= self._waiting_max:
            raise busy(self._open, "the house")
        if seat.open >= self._stream_max:
            raise busy(seat.open, seat.name)
        self._submit(asked_of(seat, request, tell))

    def _submit(self, asked: Asked) -> None:
        seat = asked.seat
        self._open += 1
        seat.open += 1
        if seat.looking or not self._memory.covers(asked.made, asked.command):
            # Behind one that is looked up nobody overtakes: a stream keeps its order.
            seat.looking += 1
            self._unknown.append(asked)
            if not self._looking:
                self._looking = True
                self._spawn(self._look_up())
        else:
            self._waiting.append(asked)
            if not self._scheduled:
                self._schedule()

    def _tell(self, asked: Asked, outcome: Reply | BaseException) -> None:
        self._open -= 1
        seat = asked.seat
        seat.open -= 1
        if not seat.open:
            seat.done()
        try:
            asked.tell(outcome)
        except Exception as error:  # noqa: BLE001  # a sender stops no table
            seat.loop.call_exception_handler(
                {"message": f"A sender to {seat.name} could not be told", "exception": error}
            )

    # Identifications that memory does not cover

    async def _look_up(self) -> None:
        while self._unknown and self._broken is None:
            batch, self._unknown = self._unknown, []
            keys = {one.wanted for one in batch if not self._memory.has(one.key)}
            try:
                found = anywhere(await self.store.find(keys)) if keys else {}
            except PoisonedError as error:
                self._looking = False
                for asked in batch:
                    asked.seat.looking -= 1
                self._break(error, batch)
                return
            except Exception as error:  # noqa: BLE001  # nobody may wait for ever
                for asked in batch:
                    asked.seat.looking -= 1
                    self._tell(asked, failed_at(asked.seat.name, error))
                continue
            for asked in batch:
                asked.seat.looking -= 1
                record = found.get(asked.key) or found.get(asked.wanted)
                if record is not None:
                    self._tell(asked, replied(asked, record))
                elif self._failure is not None:
                    self._tell(asked, self._failure)
                else:
                    self._waiting.append(asked)
            self._schedule()
        self._looking = False

    # The gather

    def _schedule(self) -> None:
        if not self._scheduled and len(self._flying) < DEPTH and self._broken is None:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._serve)

    def _serve(self) -> None:
        """Decide what waits, and hand it to the store."""
        self._scheduled = False
        if not self._waiting or len(self._flying) >= DEPTH or self._broken is not None:
            return
        # Not all at once: else all senders keep step, and decider and writer take turns.
        flying = sum(len(flight.entries) for flight in self._flying)
        count = -(-(len(self._waiting) + flying) // DEPTH)
        gather = Gather(self.clock(), self.snapshots, self.positions)
        for _ in range(min(count, len(self._waiting))):
            self._take(self._waiting.popleft(), gather)
        self._hand_over(gather)
        if self._waiting:
            self._schedule()

    def _take(self, asked: Asked, gather: Gather) -> None:
        seat = asked.seat
        if seat.failure is not None:
            self._tell(asked, seat.failure)
            return
        if seat.parked or (seat.careful and (seat.flying or seat.name in gather.seats)):
            seat.backlog.append(asked)
            return
        known = self._memory.get(asked.key)
        try:
            if known is not None:
                gather.repeat(asked, repeated(asked, known))
                return
            needs = gather.decide(asked)
        except Exception as error:  # noqa: BLE001  # one stream's error stops nobody else
            self._tell(asked, failed_at(seat.name, error))
            return
        if needs is not None:
            self._park(asked, needs, gather)
            return
        reply = gather.entries[-1].reply
        if not isinstance(reply, Reply):
            return  # its condition did not hold
        self._memory.add(asked.key, (asked.content, reply), asked.made)
        if seat.careful:
            seat.careful -= 1

    def _hand_over(self, gather: Gather) -> None:
        if not gather.entries:
            return
        for seat in gather.seats.values():
            seat.flying += 1
        flight = gather.flight()
        if gather.frame.parts:
            flight.future = sent(self.store, gather.frame)
            self._flying.append(flight)
            flight.future.add_done_callback(lambda _: self._land())
        elif self._flying:
            # Repeats alone: what they repeat may be on its way, so they wait behind it.
            flight.future = None
            self._flying.append(flight)
        else:
            self._deliver(flight, {})

    # Landing

    def _land(self) -> None:
        """Answer everybody whose frame is durable, in order."""
        while self._flying:
            flight = self._flying[0]
            future = flight.future
            if future is not None and not future.done():
                break
            self._flying.popleft()
            if future is None:
                self._deliver(flight, {})
                continue
            error = future.exception() if not future.cancelled() else stopped()
            if error is None:
                self._deliver(flight, future.result())
                continue
            self._drop(flight)
            if self._broken is not None:
                self._broken.extend(entry.asked for entry in flight.entries)
            else:
                self._break(error, [entry.asked for entry in flight.entries])
        if self._waiting:
            self._schedule()  # behind those who were just answered: their next come along

    def _deliver(self, flight: Flight, refused: Any) -> None:  # noqa: ANN401  # errors by stream
        for name, error in refused.items():
            seat = flight.seats[name]
            if seat.generation == flight.generations[name]:
                seat.drop(error)
        committed = self._answer(flight)
        for seat in flight.seats.values():
            seat.flying -= 1
            if not seat.flying:
                self._landed(seat)
        for name, all_ in committed.items():
            announce(self._subscribers, Landed.of(name, all_))

    def _answer(self, flight: Flight) -> dict[str, list[Committed]]:
        """Answer everybody whose stream was written; return by stream what is durable now."""
        committed: dict[str, list[Committed]] = defaultdict(list)
        dropped = flight.dropped
        for entry in flight.entries:
            asked = entry.asked
            seat = asked.seat
            if dropped and seat.name in dropped:
                seat.retry.append(asked)
                continue
            if entry.place is not None:
                seat.durable = entry.place
                committed[seat.name].append(entry.committed())
            self._tell(asked, entry.reply)
        return committed

    def _drop(self, flight: Flight) -> None:
        for seat in flight.seats.values():
            # Answers that repeat one of these are no longer true.
            seat.generation += 1
            seat.flying -= 1

    def _landed(self, seat: Seat) -> None:
        """Go on with a stream that has nothing on its way any more."""
        if seat.refusal is not None:
            self._retry(seat)
        elif seat.needs is not None and not seat.supplying:
            seat.supplying = True
            self._spawn(self._supply(seat))
        elif seat.careful and seat.backlog:
            self._unpark(seat)

    # Streams that were refused

    def _retry(self, seat: Seat) -> None:
        """Take once more, one by one, what a refused part of a frame had.

        Nothing of it was written, so memory goes back to what is durable.
        """
        error, retry = seat.refusal, seat.retry
        assert error is not None
        seat.refusal, seat.retry = None, []
        for asked in retry:
            self._memory.forget(asked.key, seat.durable.sequence)
        seat.put_back()
        if isinstance(error, FencedError):
            for asked in retry:
                self._tell(asked, error)
            self._fail(seat, error)
            return
        if isinstance(error, ConflictError | IdTakenError):
            seat.parked = True
            self._spawn(self._reload(seat, retry, error))
            return
        self._again(seat, retry, error)

    def _again(self, seat: Seat, retry: list[Asked], error: JournalError) -> None:
        if len(retry) == 1 and not isinstance(error, ConflictError):
            # It was alone, so the refusal is its own.
            self._tell(retry[0], error)
            retry = []
        seat.careful = len(retry)
        seat.backlog.extendleft(reversed(retry))
        self._unpark(seat)

    async def _reload(self, seat: Seat, retry: list[Asked], error: JournalError) -> None:
        """Read what somebody else wrote, and answer the commands that are in it."""
        try:
            await self._follow(seat)
            found = await self.store.find({asked.key for asked in retry})
        except PoisonedError as failed:
            seat.parked = False
            self._break(failed, retry)
            return
        except JournalError as failed:
            for asked in retry:
                self._tell(asked, failed)
            self._fail(seat, failed)
            return
        left = []
        for asked in retry:
            record = found.get(asked.key)
            if record is None:
                left.append(asked)
            else:
                self._tell(asked, replied(asked, record))
        if isinstance(error, IdTakenError) and len(left) < len(retry):
            # Found: the others were refused along with it.
            error = ConflictError(str(error))
        self._again(seat, left, error)

    async def _follow(self, seat: Seat) -> None:
        committed = await follow(self.store, seat)
        if committed:
            announce(self._subscribers, Landed.of(seat.name, committed))

    def _fail(self, seat: Seat, error: JournalError) -> None:
        """Serve a stream no more."""
        seat.failure = error
        backlog, seat.backlog = seat.backlog, deque()
        for asked in backlog:
            self._tell(asked, error)
        if self._seats.get(seat.name) is seat:
            del self._seats[seat.name]

    # Streams that wait for their source

    def _park(self, asked: Asked, needs: Needs, gather: Gather) -> None:
        """Let a stream wait for what its decision needs; the others go on."""
        seat = asked.seat
        seat.parked, seat.needs, seat.asked = True, needs, asked
        if not seat.flying and seat.name not in gather.seats:
            self._landed(seat)

    def _unpark(self, seat: Seat) -> None:
        seat.parked = False
        backlog, seat.backlog = seat.backlog, deque()
        if self._failure is not None:
            for asked in backlog:
                self._tell(asked, self._failure)
            return
        self._waiting.extendleft(reversed(backlog))
        if self._waiting:
            self._schedule()

    async def _supply(self, seat: Seat) -> None:
        asked, needs = seat.asked, seat.needs
        assert asked is not None
        try:
            async with asyncio.timeout(SUPPLY_SECONDS):
                asked.house = await seat.stream.supply(seat.state, needs, asked.envelope())
        except PoisonedError as error:
            self._supplied(seat)
            self._break(error, [asked])
        except Exception as error:  # noqa: BLE001  # nobody may wait for ever
            self._supplied(seat)
            self._tell(asked, failed_at(seat.name, error))
        else:
            self._supplied(seat)
            seat.backlog.appendleft(asked)
        self._unpark(seat)

    def _supplied(self, seat: Seat) -> None:
        seat.asked, seat.needs, seat.supplying = None, None, False

    # A medium that failed

    def _break(self, error: BaseException, on_the_way: Iterable[Asked]) -> None:
        """Stop deciding, drop what is in memory, and open the medium again."""
        if self._broken is None:
            self._broken = []
            self.well.clear()
            self._spawn(self._mend(error))
        self._broken.extend(on_the_way)

    async def _mend(self, error: BaseException) -> None:
        # Every frame that is on its way fails now: the store writes nothing more.
        while self._flying:
            waiting = [flight.future for flight in self._flying if flight.future is not None]
            if waiting:
                await asyncio.wait(waiting)
            self._land()
        for pause in itertools.chain(PAUSES_SECONDS, itertools.repeat(PAUSE_MAX_SECONDS)):
            if pause == PAUSE_MAX_SECONDS:
                # Whoever waits is told; whoever comes now is told at once. A server that comes
                # back, or a disk that has room again, is found all the same.
                self._failure = failure_of(error)
                for asked in self._everybody():
                    self._tell(asked, self._failure)
                if self._closing:
                    return
            await asyncio.sleep(pause)
            try:
                await self.store.reopen()
                await self._fold_again(error)
            except Exception as failed:  # noqa: BLE001  # nobody may wait for ever
                error = failed
            else:
                self._failure = None
                self.well.set()
                return

    def _everybody(self) -> list[Asked]:
        """Take whoever waits, wherever it is."""
        everybody = [*(self._broken or ()), *self._unknown, *self._waiting]
        for seat in self._seats.values():
            everybody += (*seat.retry, *seat.backlog)
            if seat.asked is not None and not seat.supplying:
                everybody.append(seat.asked)
                self._supplied(seat)
            seat.forget()
        for asked in self._unknown:
            asked.seat.looking -= 1
        self._unknown, self._broken = [], []
        self._waiting.clear()
        return list(dict.fromkeys(everybody))

    async def _fold_again(self, error: BaseException) -> None:
        """Read what reached the medium, and tell everybody what came of their command."""
        self._memory = Memory()
        for seat in list(self._seats.values()):
            seat.put_back()
            try:
                await self._follow(seat)
                await check_balances(self.store, seat)
            except PoisonedError:
                raise
            except JournalError as failed:
                for asked in seat.retry:
                    self._tell(asked, failed)
                seat.retry = []
                if seat.asked is not None and not seat.supplying:
                    self._tell(seat.asked, failed)
                    self._supplied(seat)
                self._fail(seat, failed)
        everybody = self._everybody()
        self._broken = everybody
        found = await self.store.find({asked.key for asked in everybody})
        self._broken = None
        for asked in everybody:
            record = found.get(asked.key)
            self._tell(asked, not_done(error) if record is None else replied(asked, record))
        self._schedule()
        if self._unknown and not self._looking:
            self._looking = True
            self._spawn(self._look_up())

    def _spawn(self, work: Any) -> None:  # noqa: ANN401  # a coroutine
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


__all__ = ["Committed", "Landed", "Reply", "Request", "Seat", "Writer"]
