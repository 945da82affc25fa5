"""The desk: the one writer of a table.

It takes all commands that wait, decides them one after the other in memory, writes what
came of them in one append, and answers only then. If the append fails, the table in memory
is dropped and folded again from the journal; a medium that failed is opened again first.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from datetime import datetime  # noqa: TC003  # read by msgspec
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.floor.recovery import RECOVERY, consequence, interrupted
from croupier.floor.serving import (
    ACCEPTED,
    Asked,
    NotDoneError,
    OtherCommandError,
    Reply,
    Serving,
    Work,
    now,
)
from croupier.journal.codec import encode
from croupier.journal.ledger import expected, moves, own_balances
from croupier.journal.record import (
    Answer,
    digest_of,
    encode_canonical,
    written_moment,
)
from croupier.journal.replay import Replayed, Writer, postings_of, replay
from croupier.journal.store import (
    ConflictError,
    FencedError,
    JournalError,
    LedgerError,
    PoisonedError,
    ReusedCommandError,
    check_names,
)
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.decide import decide
from croupier.table.missing import RESERVED_CARDS
from croupier.table.refusals import Code, Refusal, refuse
from croupier.table.roles import Patron, Staff, System  # read by msgspec
from croupier.table.rulings import Situation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from croupier.floor.sources import CardSource
    from croupier.journal.record import Head
    from croupier.journal.shoes import ShoeSealed
    from croupier.journal.store import Store
    from croupier.table.draft import Events
    from croupier.table.rulebook import Rulebook
    from croupier.table.state import Table

FROM_THE_SHOE = (c.DrawCard, c.ReserveCards, c.CorrectCard)
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


def actor_name(actor: Patron | Staff | System) -> str:
    """Name an actor as the journal does: the kind, and the name."""
    kind = type(actor).__name__.lower()
    return f"{kind}:{actor.name}"


class _Asked(Asked, frozen=True):
    """A command that waits, named and digested by whoever sent it."""

    request: Request


class _Work(Work, kw_only=True):
    """What a round of the loop has collected and not written yet."""

    moment: datetime
    """One moment for all; order never depends on it."""
    written: str


class Desk(Serving[_Asked]):
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
        super().__init__(store, f"table:{name}", holder, clock)
        self.name, self.source, self._rulebooks = name, source, rulebooks
        self._answers: OrderedDict[tuple[str, str], Answer] = OrderedDict()
        self._replayed: Replayed
        self.durable: Table
        """The table as of the last append: while one is on its way, memory is ahead."""

    @property
    def table(self) -> Table:
        """Return the table as it is in memory."""
        return self._replayed.table

    async def _load(self, epoch: int) -> None:
        """Fold the journal; what was at hand of it is read anew."""
        self._answers.clear()
        self._replayed = await replay(self.store, self.stream, self._rulebooks)
        self._writer = Writer(self.stream, epoch, self._replayed.head)
        self.durable = self.table
        await self._check_balances()

    async def _recover(self) -> None:
        """Record an interruption of a round, and do what the rulebook says."""
        sealed = self._replayed.sealed
        if sealed is not None and not self.source.opens_shoes:
            message = (
                f"The sealed shoe {sealed.shoe} is in play at table {self.name};"
                " its cards do not come from a scanner or a keyboard."
            )
            raise JournalError(message)
        fact = interrupted(self.table, self.epoch)
        if fact is None:
            return
        work = self._new_work()
        command = f"recovery-{self.name}-{self.epoch}"
        actor = actor_name(RECOVERY)
        first = self._writer.head.sequence + 1
        events = (fact, *consequence(self.table, work.moment))
        await self._record(events, actor, command, work)
        last = self._writer.head.sequence
        digest = digest_of(command.encode())
        work.answers.append(Answer(actor, command, digest, self.stream, first, last, ACCEPTED))
        await self._write(work)

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

    async def submit(self, request: Request) -> Reply:
        """Return the answer to a command, once it is durable."""
        self.require_serving()
        try:
            actor = actor_name(request.actor)
            check_names((request.command_id, actor, *_patron(request.command)))
            content = encode_canonical(_content(request))
            # What is decided is what can be read again; types are tested by reading it.
            read = _reader(type(request.command)).decode(content)
        except (TypeError, ValueError) as error:
            message = f"What came to {self.stream} cannot be written: {error}."
            raise JournalError(message) from error
        digest = digest_of(content)
        request = Request(request.command_id, request.actor, *read)
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        return await self._wait(_Asked(request.command_id, actor, digest, future, request))

    def _new_work(self) -> _Work:
        moment = self._clock()
        return _Work(moment=moment, written=written_moment(moment))

    async def _serve_together(self, taken: list[_Asked]) -> None:
        work, before = self._new_work(), self._state()
        try:
            for asked in taken:
                if not asked.future.done():
                    await self._take(asked, work)
            await self._write(work)
        except (PoisonedError, FencedError):
            raise
        except JournalError as error:
            await self._start_again(taken, error, before)

    def _state(self) -> tuple[Replayed, Head]:
        """Return what is in memory, to be put back when nothing comes of what follows."""
        now_ = self._replayed
        return msgspec.structs.replace(now_, opened=set(now_.opened)), self._writer.head

    def _put_back(self, before: tuple[Replayed, Head]) -> None:
        self._replayed, self._writer.head = before

    async def _take(self, asked: _Asked, work: _Work) -> None:
        """Decide one command, or give the answer that it had."""
        request, actor, name = asked.request, asked.actor, asked.command_id
        known = self._answers.get((actor, name))
        if known is None and isinstance(request.command, c.LoadShoe):
            # No shoe is shuffled and sealed for a command that was answered long ago.
            known = await self.store.answer(actor, name)
        if known is not None:
            work.outcomes.append((asked, self._again(known, asked.digest)))
            return
        first = self._writer.head.sequence + 1
        events = await self._decide(request, work.moment)
        refusal, result = None, ACCEPTED
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
        work.outcomes.append((asked, Reply(first, last, refusal)))

    def _refusal(self, known: Answer) -> Reply:
        """Return the answer again, with the refusal if it was one."""
        refusal = msgspec.json.decode(known.result, type=Refusal | None)
        return Reply(known.first, known.last, refusal)

    async def _decide(self, request: Request, moment: datetime) -> Events | Refusal:
        """Decide a command; whatever a sealed shoe gives comes from it, never from who asks.

        A card is opened only when everything else about the command is in order: nobody who
        may not draw, or not yet, makes this process look into the shoe.
        """
        command, sealed = request.command, self._replayed.sealed
        cards = request.cards if sealed is None else ()
        envelope = c.Envelope(
            command, request.actor, moment, request.approver, cards, request.die
        )
        events = decide(self.table, envelope)
        if sealed is None:
            return events
        if isinstance(events, Refusal) and events.code is not Code.CARD_MISSING:
            return events
        if isinstance(command, FROM_THE_SHOE):
            cards = await self._sealed_cards(sealed, command)
            return decide(self.table, msgspec.structs.replace(envelope, cards=cards))
        if isinstance(command, c.Report) and command.situation is Situation.DRAWN_TOGETHER:
            why = "A virtual shoe gives its cards one by one; none come together"
            return refuse(Code.DEVICE_CANNOT, why)
        return events

    async def _sealed_cards(self, seal: ShoeSealed, command: c.Command) -> tuple[str, ...]:
        """Return the faces that come out of a sealed shoe by this command."""
        shoe, play = self.table.shoe, self.table.round
        if shoe is None or shoe.ended or play is None:
            return ()
        if isinstance(command, c.CorrectCard):
            numbers = [one.number for one in play.cards if one.position is command.position]
        else:
            drawn = 0 if play.waiting else 1
            count = RESERVED_CARDS if isinstance(command, c.ReserveCards) else drawn
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
            play, sealed = self.table.round, self._replayed.sealed
            assert play is not None
            if sealed is not None:
                dealt = next(card for card in play.cards if card.position is event.position)
                opened = await self.source.opened(sealed, dealt.number)
                facts += [opened] if opened else []
        elif isinstance(event, e.ShoeEnded | e.TableClosed) or (
            isinstance(event, i.ReplacementDecided) and event.replace
        ):
            facts += await self._left_over()
        return facts

    async def _left_over(self) -> list[msgspec.Struct]:
        """Open what a sealed shoe still held, and what was never exposed of it."""
        sealed, opened = self._replayed.sealed, self._replayed.opened
        if sealed is None:
            return []
        rest = [number for number in range(sealed.cards) if number not in opened]
        ended = await self.source.ended(sealed, rest)
        return [ended] if ended else []

    def _written(self) -> None:
        """Take note that the table in memory is in the journal."""
        self.durable = self.table

    async def _start_again(
        self, taken: list[_Asked], error: JournalError, before: tuple[Replayed, Head]
    ) -> None:
        """Drop what is in memory, and answer by the journal.

        A command that is known to the journal gets its answer; what came of the others is
        certain too: nothing, so each is taken once more by itself.
        """
        self._answers.clear()
        if isinstance(error, ReusedCommandError | LedgerError):
            # The store refused, so the journal still ends where this batch began.
            self._put_back(before)
        else:
            await self._reload(self.epoch)
        for asked in taken:
            await self._take_alone(asked)

    async def _take_alone(self, asked: _Asked) -> None:
        if asked.future.done():
            return
        known = await self._answered(asked)
        work, before = self._new_work(), self._state()
        try:
            if known is not None:
                work.outcomes.append((asked, known))
            else:
                await self._take(asked, work)
            await self._write(work)
        except (PoisonedError, FencedError, ConflictError):
            raise
        except JournalError as error:
            # One command that cannot be written stops nobody else.
            self._answers.pop((asked.actor, asked.command_id), None)
            if isinstance(error, ReusedCommandError | LedgerError):
                self._put_back(before)
            else:
                await self._reload(self.epoch)
            asked.tell(error)


def _content(request: Request) -> object:
    """Return what must be the same when a command is sent again."""
    return [request.command, request.approver, request.cards, request.die]


@cache
def _reader(kind: type[c.Command]) -> msgspec.json.Decoder[Any]:
    """Return the decoder of the content of this kind of command."""
    return msgspec.json.Decoder(tuple[kind, Staff | None, tuple[str, ...], int | None])  # type: ignore[valid-type]


def _patron(command: c.Command) -> tuple[str, ...]:
    """Return whom a command is about, as far as it is about one patron."""
    patron = getattr(command, "patron", None)
    return () if patron is None else (patron,)


__all__ = ["Desk", "NotDoneError", "OtherCommandError", "Reply", "Request", "actor_name"]
