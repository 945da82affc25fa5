"""The desk: the one writer of a table.

It takes all commands that wait, decides them one after the other in memory, writes what
came of them in one append, and answers only then. If the append fails, the table in memory
is dropped and folded again from the journal.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

from croupier.floor.recovery import RECOVERY, consequence, interrupted
from croupier.journal.codec import encode
from croupier.journal.ledger import expected, moves, own_balances
from croupier.journal.record import (
    Answer,
    Batch,
    digest_of,
    encode_canonical,
    written_moment,
)
from croupier.journal.replay import Replayed, Writer, postings_of, replay
from croupier.journal.store import (
    FencedError,
    JournalError,
    LedgerError,
    PoisonedError,
    ReusedCommandError,
)
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.decide import decide
from croupier.table.refusals import Refusal
from croupier.table.roles import Patron, Staff, System  # noqa: TC001  # read by msgspec
from croupier.table.rulings import Situation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from croupier.floor.sources import CardSource
    from croupier.journal.record import Head, Posting, Record
    from croupier.journal.shoes import ShoeSealed
    from croupier.journal.store import Store
    from croupier.table.rulebook import Rulebook
    from croupier.table.state import Table

NOTHING = encode_canonical(None)
"""How an accepted command is answered."""
FROM_THE_SHOE = (c.DrawCard, c.ReserveCards, c.CorrectCard, c.Report)
"""Commands by which cards of a sealed shoe get a face."""
OF_THE_SHOE = (e.ShoeLoaded, e.CardExposed, e.ShoeEnded, e.TableClosed, i.ReplacementDecided)
"""Events to which the source of the cards adds something."""
REMEMBERED = 10_000
"""How many answers a desk keeps at hand; older ones are looked up in the journal."""


class Request(msgspec.Struct, frozen=True):
    """A command as it reaches the desk."""

    command_id: str
    actor: Patron | Staff | System
    command: c.Command
    approver: Staff | None = None
    cards: tuple[str, ...] = ()
    """Faces from a scanner or a keyboard."""
    die: int | None = None


class Reply(msgspec.Struct, frozen=True):
    """The answer to a command: the records it led to, or why it was refused."""

    first: int
    last: int
    refusal: Refusal | None = None

    @property
    def accepted(self) -> bool:
        """Tell whether the table did what was asked."""
        return self.refusal is None


class OtherCommandError(JournalError):
    """Another command came under an identification that is taken."""


def actor_name(actor: Patron | Staff | System) -> str:
    """Name an actor as the journal does: the kind, and the name."""
    kind = type(actor).__name__.lower()
    return f"{kind}:{actor.name}"


def now() -> datetime:
    """Return the moment; order never depends on it."""
    return datetime.now(UTC)


class _Asked(msgspec.Struct, frozen=True):
    """A command that waits, named and digested by whoever sent it."""

    request: Request
    actor: str
    digest: bytes
    future: asyncio.Future[Reply]


class _Work(msgspec.Struct):
    """What a round of the loop has collected and not written yet."""

    moment: datetime
    """One moment for all; order never depends on it."""
    written: str
    records: list[Record] = []
    postings: list[Posting] = []
    answers: list[Answer] = []
    replies: list[tuple[asyncio.Future[Reply], Reply | JournalError]] = []


class Desk:
    """Decides, writes and answers for one table."""

    def __init__(
        self,
        store: Store,
        name: str,
        rulebooks: tuple[Rulebook, ...],
        source: CardSource,
        *,
        clock: Callable[[], datetime] = now,
        holder: str = "desk",
    ) -> None:
        self.store, self.name, self.source = store, name, source
        self.stream = f"table:{name}"
        self._rulebooks, self._clock, self._holder = rulebooks, clock, holder
        self._waiting: list[_Asked] = []
        self._wake = asyncio.Event()
        self._answers: OrderedDict[tuple[str, str], Answer] = OrderedDict()
        self._task: asyncio.Task[None] | None = None
        self._failure: JournalError | None = None
        self._closing = False
        self.appended: Callable[[Batch], None] | None = None
        """Told what was written, so that it is signed in time."""
        self._replayed: Replayed

    @property
    def table(self) -> Table:
        """Return the table as it is in memory."""
        return self._replayed.table

    async def start(self) -> None:
        """Take the stream over, fold it, do what the rulebook says, and serve."""
        epoch = await self.store.claim(self.stream, self._holder)
        await self._load(epoch)
        await self._recover()
        self._task = asyncio.create_task(self._run())

    async def _load(self, epoch: int) -> None:
        """Fold the journal; only a desk that starts claims the stream."""
        self._replayed = await replay(self.store, self.stream, self._rulebooks)
        self._writer = Writer(self.stream, epoch, self._replayed.head)
        await self._check_balances()

    async def _recover(self) -> None:
        """Record an interruption of a round, and do what the rulebook says."""
        fact = interrupted(self.table, self._writer.epoch)
        if fact is None:
            return
        work = self._new_work()
        command = f"recovery-{self.name}-{self._writer.epoch}"
        actor = actor_name(RECOVERY)
        first = self._writer.head.sequence + 1
        events = (fact, *consequence(self.table, work.moment))
        await self._record(events, actor, command, work)
        last = self._writer.head.sequence
        digest = digest_of(command.encode())
        work.answers.append(Answer(actor, command, digest, self.stream, first, last, NOTHING))
        await self._write(work)

    @property
    def epoch(self) -> int:
        """Return the epoch in which this desk writes."""
        return self._writer.epoch

    async def _check_balances(self) -> None:
        """Refuse to go on when the ledger and the table disagree."""
        held = own_balances(self.name, await self.store.balances())
        wanted = expected(self.name, self.table)
        if held != wanted:
            account = min(set(held.items()) ^ set(wanted.items()))[0]
            message = (
                f"The ledger of table {self.name} disagrees with its journal"
                f" about {account}: {held.get(account, 0)} and {wanted.get(account, 0)} cents."
            )
            raise JournalError(message)

    async def close(self) -> None:
        """Answer what waits, and stop serving."""
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)
        self._fail([], self._failure or JournalError(f"The desk of {self.stream} is closed."))

    async def submit(self, request: Request) -> Reply:
        """Return the answer to a command, once it is durable."""
        if self._failure is not None:
            raise self._failure
        actor = actor_name(request.actor)
        try:
            encode_canonical([request.command_id, actor])
            digest = digest_of(encode_canonical(_content(request)))
        except (TypeError, ValueError) as error:
            message = f"What came to {self.stream} cannot be written: {error}."
            raise JournalError(message) from error
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Asked(request, actor, digest, future))
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

    def _new_work(self) -> _Work:
        moment = self._clock()
        return _Work(moment, written_moment(moment))

    async def _serve(self, taken: list[_Asked]) -> None:
        work, before = self._new_work(), self._state()
        try:
            for asked in taken:
                if not asked.future.done():
                    await self._take(asked, work)
            await self._write(work)
        except JournalError as error:
            await self._start_again(taken, error, before)
        except Exception as error:  # noqa: BLE001  # nobody may wait for ever
            # Memory may be ahead of the journal now: this desk serves nobody any more.
            message = f"The desk of {self.stream} failed: {type(error).__name__}: {error}."
            self._fail(taken, JournalError(message))

    def _state(self) -> tuple[Replayed, Head]:
        """Return what is in memory, to be put back when nothing comes of what follows."""
        now_ = self._replayed
        return msgspec.structs.replace(now_, opened=set(now_.opened)), self._writer.head

    def _put_back(self, before: tuple[Replayed, Head]) -> None:
        self._replayed, self._writer.head = before

    async def _take(self, asked: _Asked, work: _Work) -> None:
        """Decide one command, or give the answer that it had."""
        request, actor, name = asked.request, asked.actor, asked.request.command_id
        known = self._answers.get((actor, name))
        if known is not None:
            work.replies.append((asked.future, self._again(known, asked.digest)))
            return
        cards, seal = request.cards, self._replayed.seal
        if seal is not None and seal.root is not None:
            # Whatever a sealed shoe gives comes from the shoe, never from who asks.
            cards = ()
            if isinstance(request.command, FROM_THE_SHOE):
                cards = await self._sealed_cards(seal, request.command)
        envelope = c.Envelope(
            request.command, request.actor, work.moment, request.approver, cards, request.die
        )
        first = self._writer.head.sequence + 1
        events = decide(self.table, envelope)
        refusal, result = None, NOTHING
        if isinstance(events, Refusal):
            refusal, result = events, encode_canonical(events)
        else:
            await self._record(events, actor, name, work)
        last = self._writer.head.sequence
        answer = Answer(actor, name, asked.digest, self.stream, first, last, result)
        self._answers[actor, name] = answer
        while len(self._answers) > REMEMBERED:
            self._answers.popitem(last=False)
        work.answers.append(answer)
        work.replies.append((asked.future, Reply(first, last, refusal)))

    def _again(self, known: Answer, digest: bytes) -> Reply | OtherCommandError:
        """Return an answer again, or refuse another content under the same name."""
        if known.digest != digest or known.stream != self.stream:
            message = f"Command {known.command} of {known.actor} was another one before."
            return OtherCommandError(message)
        refusal = msgspec.json.decode(known.result, type=Refusal | None)
        return Reply(known.first, known.last, refusal)

    async def _sealed_cards(self, seal: ShoeSealed, command: c.Command) -> tuple[str, ...]:
        """Return the faces that come out of a sealed shoe by this command."""
        shoe, play = self.table.shoe, self.table.round
        if shoe is None or shoe.ended:
            return ()
        if isinstance(command, c.CorrectCard):
            places = play.cards if play else ()
            numbers = [one.number for one in places if one.position is command.position]
        else:
            count = 0
            if isinstance(command, c.DrawCard):
                count = 0 if play is not None and play.waiting else 1
            elif isinstance(command, c.ReserveCards):
                count = 2
            elif isinstance(command, c.Report):
                together = command.situation is Situation.DRAWN_TOGETHER
                count = command.count if together else 0
            numbers = list(range(shoe.out, min(shoe.cards, shoe.out + count)))
        faces = [await self.source.card(seal, number) for number in numbers]
        return tuple(face for face in faces if face is not None)

    async def _record(
        self, events: Iterable[msgspec.Struct], actor: str, command_id: str, work: _Work
    ) -> None:
        for event in events:
            facts = await self._facts(event) if isinstance(event, OF_THE_SHOE) else (event,)
            for fact in facts:
                record = self._writer.record(work.written, actor, command_id, encode(fact))
                work.records.append(record)
                moved = moves(self.name, self.table, fact)
                if moved:
                    work.postings += postings_of(self.stream, record.sequence, moved)
                self._replayed.take(fact)

    async def _facts(self, event: msgspec.Struct) -> list[msgspec.Struct]:
        """Return an event with what the source of the cards adds to it."""
        facts: list[msgspec.Struct] = [event]
        if isinstance(event, e.ShoeLoaded):
            plan = self.table.plan
            assert plan is not None
            facts += await self._left_over()
            loaded = await self.source.load(event.shoe, plan.game.deck, plan.settings.decks)
            facts.append(loaded)
        elif isinstance(event, e.CardExposed):
            play, seal = self.table.round, self._replayed.seal
            assert play is not None
            dealt = next(card for card in play.cards if card.position is event.position)
            opened = await self.source.opened(seal, dealt.number) if seal else None
            facts += [opened] if opened else []
        elif isinstance(event, e.ShoeEnded | e.TableClosed) or (
            isinstance(event, i.ReplacementDecided) and event.replace
        ):
            facts += await self._left_over()
        return facts

    async def _left_over(self) -> list[msgspec.Struct]:
        """Open what a shoe still held, and what was never exposed of it."""
        seal, opened = self._replayed.seal, self._replayed.opened
        if seal is None:
            return []
        rest = [number for number in range(seal.cards) if number not in opened]
        ended = await self.source.ended(seal, rest)
        return [ended] if ended else []

    async def _write(self, work: _Work) -> None:
        """Append everything in one transaction, and answer only then."""
        if work.answers:
            first = work.records[0] if work.records else None
            after = self._writer.head
            if first is not None:
                after = msgspec.structs.replace(
                    after, sequence=first.sequence - 1, hash=first.previous
                )
            batch = Batch(
                self.stream,
                self._writer.epoch,
                after,
                tuple(work.records),
                tuple(work.postings),
                tuple(work.answers),
            )
            await self.store.append(batch)
            if self.appended is not None:
                self.appended(batch)
        for future, reply in work.replies:
            if future.done():
                continue
            if isinstance(reply, Reply):
                future.set_result(reply)
            else:
                future.set_exception(reply)

    async def _start_again(
        self, taken: list[_Asked], error: JournalError, before: tuple[Replayed, Head]
    ) -> None:
        """Drop what is in memory, and answer by the journal.

        A command that is known to the journal gets its answer; what came of the others is
        certain too: nothing, so each is taken once more by itself.
        """
        self._answers.clear()
        if isinstance(error, PoisonedError | FencedError):
            # Somebody else owns the stream, or the medium must be opened again.
            self._fail(taken, error)
            return
        try:
            if isinstance(error, ReusedCommandError | LedgerError):
                # The store refused, so the journal still ends where this batch began.
                self._put_back(before)
            else:
                await self._load(self._writer.epoch)
            for asked in taken:
                await self._take_alone(asked)
        except JournalError as again:
            self._fail(taken, again)
        except Exception as again:  # noqa: BLE001  # nobody may wait for ever
            message = f"The desk of {self.stream} failed: {type(again).__name__}: {again}."
            self._fail(taken, JournalError(message))

    async def _take_alone(self, asked: _Asked) -> None:
        if asked.future.done():
            return
        known = await self.store.answer(asked.actor, asked.request.command_id)
        work, before = self._new_work(), self._state()
        if known is not None:
            work.replies.append((asked.future, self._again(known, asked.digest)))
        else:
            await self._take(asked, work)
        try:
            await self._write(work)
        except LedgerError as error:
            # One command that the ledger cannot post stops nobody else.
            self._answers.pop((asked.actor, asked.request.command_id), None)
            self._put_back(before)
            asked.future.set_exception(error)

    def _fail(self, taken: list[_Asked], error: JournalError) -> None:
        """Tell everybody that waits, and refuse everybody who comes."""
        self._failure = error
        for asked in (*taken, *self._waiting):
            if not asked.future.done():
                asked.future.set_exception(error)
        self._waiting = []


def _content(request: Request) -> object:
    """Return what must be the same when a command is sent again."""
    return [request.command, request.approver, request.cards, request.die]


__all__ = ["Desk", "OtherCommandError", "Reply", "Request", "actor_name"]
