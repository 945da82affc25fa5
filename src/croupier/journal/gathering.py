"""What the writer works with: streams as they are in memory, commands, and frames to be."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from datetime import UTC
from functools import cache
from typing import TYPE_CHECKING, Any, Self

import msgspec

from croupier.journal.codec import AnyCommand, Start, encode_canonical
from croupier.journal.decision import (
    GENESIS,
    NOTHING,
    Decision,
    House,
    Person,
    Record,
    chain,
    encode,
    person,
    versions_in,
    written_moment,
    wrong_person,
)
from croupier.journal.errors import JournalError
from croupier.journal.frames import Frame, Part, add_moves
from croupier.journal.ids import made_ms
from croupier.journal.names import check_names
from croupier.journal.release import release
from croupier.journal.streams import Envelope, Events, Needs
from croupier.table.roles import Actor, Member  # noqa: TC001  # read by msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from croupier.journal.positions import Positions
    from croupier.journal.snapshots import Snapshots
    from croupier.journal.store import Key, Store
    from croupier.journal.streams import Stream


Condition = Callable[[Any], JournalError | None]
"""Says what is wrong with the state of a stream for a command, or None."""
SYSTEM = "system"
HOUSE = Person(SYSTEM, "house")
"""Who starts streams."""
ACCOUNTS = "accounts"
"""The stream that knows positions: it compares them by itself."""


class Request(msgspec.Struct, frozen=True, gc=False):
    """A command as it reaches the house."""

    command_id: str
    actor: Actor | Person
    command: AnyCommand
    approver: Member | None = None
    cards: tuple[str, ...] = ()
    """Faces from a scanner or a keyboard."""
    die: int | None = None
    condition: Condition | None = None
    """What must hold of the stream's state when the command is decided; where it does not, the
    sender is told so and nothing is written."""
    read: bool = False
    """Whether the command was read from JSON as its type is: it reads the same again."""
    concealed: bool = False
    """Whether what is secret in the command was taken out already; its digest has no second."""


class Reply(msgspec.Struct, frozen=True, eq=False, gc=False):
    """The answer to a command: its decision's place, and why it was refused if it was."""

    sequence: int
    refusal: Any = None
    """As the stream gives refusals."""
    events: Events = ()
    beside: Any = None
    """What the stream says is needed beside the events to tell somebody of them; None where
    the answer was read from the journal."""

    def __eq__(self, other: object) -> bool:
        """Tell whether somebody was answered the same, from memory or from the journal."""
        if type(other) is not Reply:
            return NotImplemented
        return (self.sequence, self.refusal) == (other.sequence, other.refusal)

    def __hash__(self) -> int:
        """Return a hash that equal answers share."""
        return hash((self.sequence, self.refusal))

    @property
    def accepted(self) -> bool:
        """Tell whether what was asked was done."""
        return self.refusal is None


Tell = Callable[[Reply | BaseException], None]
"""Called with what came of a command, once that is durable; from the loop, without waiting."""


def settling(future: asyncio.Future[Reply]) -> Tell:
    """Return how somebody is told who waits for a future."""

    def tell(outcome: Reply | BaseException) -> None:
        if future.done():  # nobody waits any more
            return
        if type(outcome) is Reply:
            future.set_result(outcome)
        else:
            future.set_exception(outcome)  # type: ignore[arg-type]

    return tell


class Committed(msgspec.Struct, frozen=True, gc=False):
    """A decision that is durable, with the state of its stream before and after it."""

    record: Record
    decision: Decision
    before: Any
    after: Any


class Landed(msgspec.Struct, frozen=True):
    """Decisions of one stream that became durable together, in their order: one at least."""

    stream: str
    all: list[Committed]
    kinds: set[type]
    """Of their events: who listens for others need not look at each decision."""
    refused: bool
    """Whether one of them was refused."""

    @classmethod
    def of(cls, stream: str, all_: list[Committed]) -> Self:
        """Return decisions as those who listen are told of them."""
        kinds: set[type] = set()
        refused = False
        for one in all_:
            decision = one.decision
            kinds.update(map(type, decision.events))
            if decision.refusal is not None:
                refused = True
        return cls(stream, all_, kinds, refused)

    @property
    def last(self) -> Committed:
        """Return the newest: what is after it is the stream as it is."""
        return self.all[-1]

    @property
    def changed(self) -> bool:
        """Tell whether anything came of them, and not only refusals."""
        return not self.refused or any(one.decision.refusal is None for one in self.all)


Subscriber = Callable[[Landed], None]


def announce(subscribers: Iterable[Subscriber], landed: Landed) -> None:
    """Tell everybody who listens of decisions; one who fails stops no table."""
    for subscriber in subscribers:
        try:
            subscriber(landed)
        except Exception as error:  # noqa: BLE001
            asyncio.get_running_loop().call_exception_handler(
                {"message": f"A subscriber of {landed.stream} failed", "exception": error}
            )


class _Given(msgspec.Struct, frozen=True):
    approver: Member | None
    cards: tuple[str, ...]
    die: int | None


@cache
def _reader(kind: type[msgspec.Struct]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


_read_given = msgspec.json.Decoder(_Given).decode


class Asked(msgspec.Struct, eq=False):
    """A command that waits for its answer."""

    seat: Seat
    command_id: str
    actor: Person
    command: msgspec.Struct
    key: Key
    tell: Tell
    made: int | None = None
    """When its identification was made, in milliseconds, where that says so."""
    approver: Person | None = None
    given: House = NOTHING
    """What came with the command."""
    house: House = NOTHING
    """And with what the house found out for it beside that."""
    content: tuple[object, ...] = ()
    condition: Condition | None = None
    moment: datetime | None = None
    """Of the decision that asked for something: it is taken again at the same moment."""
    place: int | None = None
    """Where its stream was then."""

    @classmethod
    def start(cls, seat: Seat, holder: str, tell: Tell) -> Asked:
        """Return the command by which the house begins an epoch of a stream."""
        name = f"start-{seat.epoch}"
        return cls(seat, name, HOUSE, Start(holder), (seat.name, HOUSE.key, name), tell)

    @classmethod
    def of(cls, seat: Seat, request: Request, tell: Tell) -> Asked:
        """Return a request as it is decided: as it reads when it is read again."""
        actor = request.actor if type(request.actor) is Person else person(request.actor)  # type: ignore[arg-type]
        if type(request.command) is Start:
            message = "A stream is started by the house alone."
            raise JournalError(message)
        wrong = wrong_person(actor)
        if wrong is not None:
            raise JournalError(wrong)
        command = request.command
        conceal = getattr(command, "concealed", None)
        if conceal is not None and not request.concealed:
            # What is secret in a command goes no further than here.
            command = conceal()
        patron = getattr(command, "patron", None)
        names = (request.command_id, actor.name)
        check_names(names if patron in (None, actor.name) else (*names, patron))
        if not request.read:
            command = _reader(type(command)).decode(encode_canonical(command))
        approver, house = None, NOTHING
        if request.approver is not None or request.cards or request.die is not None:
            given = _read_given(
                encode_canonical(_Given(request.approver, request.cards, request.die))
            )
            approver = None if given.approver is None else person(given.approver)
            if given.cards or given.die is not None:
                house = House(cards=given.cards, die=given.die)
        content, name = (command, house.cards, house.die), request.command_id
        return cls(
            seat, name, actor, command, (seat.name, actor.key, name), tell, made_ms(name),
            approver, house, house, content, request.condition,
        )  # fmt: skip

    @property
    def wanted(self) -> Key:
        """Return under which key it is looked up in the journal.

        Somebody's identification is one command's, whichever stream it is for; the house
        numbers its own commands in each stream.
        """
        return self.key if self.actor.kind == SYSTEM else ("", *self.key[1:])

    def envelope(self) -> Envelope:
        """Return the command with all that the house knows by now."""
        assert self.moment is not None, "nothing was asked for yet"
        return Envelope(
            self.command, self.actor, self.moment, self.approver, self.house,
            self.seat.epoch, release(),
        )  # fmt: skip

    def ask_again(self) -> None:
        """Forget what the house found out: its stream is somewhere else by now."""
        self.house, self.moment, self.place = self.given, None, None


def asked_of(seat: Seat, request: Request, tell: Tell) -> Asked:
    """Return a command as it is decided: only what can be read again."""
    try:
        return Asked.of(seat, request, tell)
    except (TypeError, ValueError, msgspec.MsgspecError) as error:
        message = f"What came to {seat.name} cannot be written: {error}."
        raise JournalError(message) from error


def sent(store: Store, frame: Frame) -> asyncio.Future[Mapping[str, JournalError]]:
    """Hand a frame to its store; one that fails at once fails as any other."""
    try:
        return store.append(frame)
    except Exception as error:  # noqa: BLE001  # what reached the medium is read again
        failed = asyncio.get_running_loop().create_future()
        failed.set_exception(error)
        return failed


class Entry(msgspec.Struct, eq=False, gc=False):
    """A command of a frame: its answer, and what is written of it, if anything is."""

    asked: Asked
    reply: Reply | JournalError
    record: Record | None = None
    decision: Decision | None = None
    before: Any = None
    place: Place | None = None

    def committed(self) -> Committed:
        """Return what subscribers are told."""
        assert self.record is not None, "nothing was written of it"
        assert self.decision is not None
        assert self.place is not None
        return Committed(self.record, self.decision, self.before, self.place.state)


class Place(msgspec.Struct, frozen=True, gc=False):
    """How far a stream has come, with its state there."""

    state: Any
    sequence: int = 0
    hash: bytes = GENESIS


class Seat:
    """A stream of this process: how far it is decided, and how far it is durable.

    ``state`` is the durable state, and nothing else is anybody's business.
    """

    def __init__(self, stream: Stream, epoch: int) -> None:
        self.stream, self.name, self.epoch = stream, stream.name, epoch
        self.loop = asyncio.get_running_loop()
        self.durable = Place(stream.initial())
        self.ahead = self.durable
        """What is decided, and perhaps on its way."""
        self.moment: datetime | None = None
        """Of the newest decision: moments never fall within a stream."""
        self.snapshot_at = 0
        self.generation = 0
        """Goes up whenever what is decided and not durable is dropped."""
        self.flying = 0
        """Frames on their way that have something of this stream."""
        self.looking = self.careful = self.open = 0
        self.parked = self.supplying = self.closing = False
        self.backlog: deque[Asked] = deque()
        self.retry: list[Asked] = []
        self.refusal: JournalError | None = None
        self.failure: JournalError | None = None
        self.asked: Asked | None = None
        """The command that waits for what it needs."""
        self.needs: Needs | None = None
        self._quiet: asyncio.Event | None = None

    @property
    def state(self) -> Any:  # noqa: ANN401  # of its own kind
        """Return the state as it is in the journal."""
        return self.durable.state

    @property
    def sequence(self) -> int:
        """Return the number of the newest durable decision."""
        return self.durable.sequence

    @property
    def serves(self) -> bool:
        """Tell whether somebody who asks is served."""
        return self.failure is None and not self.closing

    def drop(self, error: JournalError) -> None:
        """Drop what is decided and not durable; nothing is decided until all has landed."""
        self.generation += 1
        self.refusal, self.parked = error, True
        if self.asked is not None and not self.supplying:
            self.backlog.appendleft(self.asked)
            self.asked = self.needs = None

    def put_back(self) -> None:
        """Let memory be what is durable."""
        self.ahead = self.durable
        self.snapshot_at = min(self.snapshot_at, self.durable.sequence)

    def forget(self) -> None:
        """Drop everything that waits here; whoever took it tells its senders."""
        self.generation += 1
        self.backlog.clear()
        self.retry, self.refusal, self.careful = [], None, 0
        self.parked = self.supplying

    def done(self) -> None:
        """Take note that all commands were answered."""
        if self._quiet is not None:
            self._quiet.set()

    async def quiet(self) -> None:
        """Wait until all commands are answered."""
        while self.open:
            self._quiet = asyncio.Event()
            await self._quiet.wait()


class Flight:
    """A frame on its way."""

    __slots__ = ("entries", "future", "generations", "seats")

    def __init__(self, entries: list[Entry], seats: dict[str, Seat]) -> None:
        self.entries, self.seats = entries, seats
        self.generations = {name: seat.generation for name, seat in seats.items()}
        self.future: asyncio.Future[Mapping[str, JournalError]] | None = None

    @property
    def dropped(self) -> set[str]:
        """Return the streams whose decisions were dropped since."""
        return {
            name
            for name, seat in self.seats.items()
            if seat.generation != self.generations[name]
        }


class Gather:
    """Decisions that are taken together, and the frame they make."""

    def __init__(
        self,
        moment: datetime,
        snapshots: Snapshots | None,
        positions: Positions | None = None,
    ) -> None:
        self.frame = Frame({}, [], [], {}, [])
        self.entries: list[Entry] = []
        self.seats: dict[str, Seat] = {}
        # As it reads when it is read again: in UTC, to the microsecond.
        self._moment, self._written = moment.astimezone(UTC), written_moment(moment)
        self._snapshots, self._positions = snapshots, positions
        self._began: dict[str, Any] = {}
        """By stream: its state before the first decision of the frame."""
        self._count = 0
        self._release = release()

    def repeat(self, asked: Asked, reply: Reply | JournalError) -> None:
        """Add an answer that a command had before; nothing is written of it."""
        self.seats[asked.seat.name] = asked.seat
        self.entries.append(Entry(asked, reply))

    def _when(self, asked: Asked) -> tuple[datetime, str]:
        """Return the moment of a decision that is not the frame's, and how it is written."""
        # At another moment it might not need what was looked up for it, and a record must
        # not hold what nobody asked for: the cards of a shoe in play, above all.
        moment = asked.moment or asked.seat.moment
        assert moment is not None, "nothing was decided, or asked for, before"
        return moment, written_moment(moment)

    def decide(self, asked: Asked) -> Needs | None:
        """Decide a command; return what is needed first, if anything is.

        Nothing is changed before everything is computed: an error leaves no trace.
        """
        seat = asked.seat
        stream, before, name = seat.stream, seat.ahead, seat.name
        wrong = None if asked.condition is None else asked.condition(before.state)
        if wrong is not None:
            self.repeat(asked, wrong)
            return None
        if asked.place is not None and asked.place != before.sequence:
            asked.ask_again()
        moment, written = self._moment, self._written
        if asked.moment is not None or (seat.moment is not None and seat.moment > moment):
            moment, written = self._when(asked)
        house, sequence = asked.house, before.sequence + 1
        staff = asked.actor.position is not None or asked.approver is not None
        if staff and self._positions is not None and name != ACCOUNTS:
            house = self._positions.named(house, asked.actor, asked.approver, moment)
        decided = stream.decide(
            before.state,
            Envelope(
                asked.command, asked.actor, moment, asked.approver, house, seat.epoch,
                self._release, sequence,
            ),
        )  # fmt: skip
        events: Events = ()
        state, refused, refusal = before.state, None, None
        moved: list[Any] = []
        if isinstance(decided, tuple):
            events = decided
            state, moved = stream.advance(state, house, events, before.sequence + 1)
            if type(events) is not tuple:
                # One that was drafted has the states between: an answer is remembered for long.
                events = tuple(events)
        elif isinstance(decided, Needs):
            asked.moment, asked.place = moment, before.sequence
            return decided
        else:
            refusal, refused = decided, stream.refused(decided)
        decision = Decision(
            name, sequence, seat.epoch, self._release, written, asked.command_id, asked.actor,
            asked.command, asked.approver, house, events, refused,
            versions_in(asked.command, events),
        )  # fmt: skip
        body = encode(decision)
        digest = chain(before.hash, body)
        record = Record(name, sequence, asked.command_id, asked.key[1], body, digest)
        seat.ahead = place = Place(state, sequence, digest)
        seat.moment = moment
        self._add(seat, before, record, moved)
        reply = Reply(sequence, refusal, events, stream.beside(before.state))
        self.entries.append(Entry(asked, reply, record, decision, before.state, place))
        return None

    def _add(self, seat: Seat, before: Place, record: Record, moved: list[Any]) -> None:
        frame, name, place = self.frame, record.stream, self._count
        self._count += 1
        part = frame.parts.get(name)
        if part is None:
            self.seats[name] = seat
            self._began[name] = before.state
            frame.parts[name] = Part(
                seat.epoch, before.sequence, before.hash, record.sequence, record.hash
            )
        else:
            part.last, part.last_hash = record.sequence, record.hash
        frame.decisions += (
            place, name, record.sequence, record.command_id, record.actor, record.body,
            record.hash,
        )  # fmt: skip
        if moved:
            changes = frame.changes.get(name)
            if changes is None:
                changes = frame.changes[name] = {}
            for line, move in enumerate(moved):
                frame.postings += (place, line, *move)
            add_moves(changes, moved)

    def flight(self) -> Flight:
        """Return the frame as it goes on its way, with the snapshots that are due."""
        if self._snapshots is not None:
            for name, before in self._began.items():
                seat = self.seats[name]
                kept = self._snapshots.due(seat, before, seat.ahead)
                if kept is not None:
                    self.frame.snapshots.append(kept)
        return Flight(self.entries, self.seats)
