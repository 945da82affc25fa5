"""The reception: who asks, what they may ask for, and how their command reaches its stream.

HTTP and sockets both come through here. A command is read as far as whoever asks may say it,
handed to the writer in the order in which it came, and answered when its record is durable.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET, UnsetType

from croupier.accounts.commands import MoveDevice, RegisterDevice, UserKind
from croupier.cage.commands import SendToTable
from croupier.cage.events import CashedOut, SentToTable
from croupier.floor.approvals import approved_bytes
from croupier.floor.conditions import StillOn
from croupier.floor.door import TurnedAway, unauthenticated
from croupier.floor.hearing import hear_accounts, hear_cage
from croupier.floor.problems import (
    RETRY_SECONDS,
    ConditionError,
    Problem,
    ProblemError,
    ServerCode,
    failed,
    limit_code,
    refused,
    turned_away,
)
from croupier.floor.seating import seats_before
from croupier.floor.tickets import Printed
from croupier.floor.wire import Ordered, Place, read_command, require_command, tag
from croupier.journal.decision import person
from croupier.journal.errors import JournalError
from croupier.journal.gathering import Request, settling
from croupier.journal.ids import REMEMBERED, REMEMBERED_MS, now_ms
from croupier.rules.errors import quoted
from croupier.table.commands import CallBets
from croupier.table.may import of_patrons
from croupier.table.roles import (
    HousePosition,
    HouseStaff,
    Member,
    Patron,
    Staff,
    StaffPosition,
    is_higher,
)
from croupier.table.views.hearing import Audience, Heard, hear

if TYPE_CHECKING:
    from collections.abc import Mapping

    from croupier.accounts.state import Accounts
    from croupier.floor.house import House
    from croupier.floor.people import People
    from croupier.floor.sessions import Session
    from croupier.journal.decision import Person
    from croupier.journal.gathering import Condition, Reply, Seat, Tell
    from croupier.table.roles import Actor
    from croupier.table.state import Table

BESIDE_TABLES = CAGE, ACCOUNTS = "cage", "accounts"
"""Where a command goes that is for no table."""
ELSEWHERE_SECONDS = 5.0
"""How long a table of another house is waited for that credit was sent to."""
AUDITORS = (HousePosition.AUDITOR, HousePosition.SURVEILLANCE)


class Asker(msgspec.Struct, frozen=True):
    """Who asks: somebody who is signed in, or nobody."""

    name: str | None = None
    kind: UserKind | None = None
    actor: Actor | None = None
    person: Person | None = None
    """The same as the journal has it."""
    audience: Audience = Audience.PUBLIC
    session: Session | None = None
    unlimited_by: Accounts | None = None
    """The accounts by which nothing keeps this patron from playing; newer may differ."""

    @property
    def patron(self) -> str | None:
        """Return the name of a patron; None: whoever asks is none."""
        return self.name if self.kind is UserKind.PATRON else None

    @property
    def position(self) -> StaffPosition | HousePosition | None:
        """Return the position of staff; None: whoever asks has none."""
        return self.actor.position if isinstance(self.actor, Staff | HouseStaff) else None

    @property
    def positions(self) -> frozenset[StaffPosition | HousePosition]:
        """Return the position of staff, and the one in which they act now."""
        return _positions(self.actor)

    @property
    def watches(self) -> bool:
        """Tell whether somebody watches tables for the house: Dealer, pit or auditor."""
        return self.audience not in (Audience.PUBLIC, Audience.PATRON)

    @property
    def works_as(self) -> StaffPosition | None:
        """Return the position at tables, or the higher one in which somebody acts now."""
        if not isinstance(self.actor, Staff):
            return None
        held, acting = self.actor.position, self.actor.acting
        if acting is not None and is_higher(acting.position, held):
            return acting.position
        return held


NOBODY = Asker()


class Answer(msgspec.Struct, frozen=True):
    """What came of a command that was done."""

    sequence: int
    accepted: bool
    events: list[Heard]
    ticket: str | UnsetType = UNSET
    validation: str | UnsetType = UNSET
    """What proves a ticket; shown once, and nowhere else."""
    printed: Printed | UnsetType = UNSET


Answered = Answer | Problem


def _positions(actor: Actor | None) -> frozenset[StaffPosition | HousePosition]:
    if not isinstance(actor, Staff | HouseStaff):
        return frozenset()
    acting = actor.acting
    return frozenset((actor.position, actor.position if acting is None else acting.position))


def audience_of(actor: Actor | None) -> Audience:
    """Return what somebody sees of tables, in the position held or acted in."""
    if isinstance(actor, Patron):
        return Audience.PATRON
    if not isinstance(actor, Staff | HouseStaff):
        return Audience.PUBLIC
    positions = _positions(actor)
    if isinstance(actor, Staff):
        return Audience.DEALER if positions == {StaffPosition.DEALER} else Audience.PIT
    return Audience.PUBLIC if positions.isdisjoint(AUDITORS) else Audience.AUDITOR


class Reception:
    """Takes the commands of people to the streams of the house, and tells what came of them."""

    def __init__(self, house: House, people: People) -> None:
        self.house, self.people = house, people
        self._askers: dict[str, Asker] = {}
        """By the number of their session, while it lasts."""
        people.sessions.on_ended.append(self._forget)
        self._known: object = None
        """The accounts by which the askers were looked up."""
        self._young: dict[tuple[str, str], str] = {}
        self._old: dict[tuple[str, str], str] = {}
        """Where the newest identifications of everybody were used."""
        self._young_since = now_ms()

    # Who asks

    def asker(self, session: Session | None) -> Asker:
        """Return who asks, in the position that the accounts know of now."""
        if session is None:
            return NOBODY
        if session.ended is not None:
            raise turned_away(unauthenticated())
        accounts = self.house.accounts.accounts
        if accounts is not self._known:
            self._known = accounts
            self._askers.clear()
        found = self._askers.get(session.number)
        if found is None:
            user, actor = accounts.users.get(session.name), self._actor(session.name)
            if user is None or not user.enabled:
                message = "Whoever asks is not known to the house any more."
                raise ProblemError(ServerCode.UNAUTHENTICATED, message)
            known = None if actor is None else person(actor)
            unlimited = user.kind is UserKind.PATRON and user.unlimited
            found = Asker(
                session.name, user.kind, actor, known, audience_of(actor), session,
                accounts if unlimited else None,
            )  # fmt: skip
            if user.acts is None:
                self._askers[session.number] = found
        return found

    def _forget(self, session: Session) -> None:
        self._askers.pop(session.number, None)

    def _actor(self, name: str) -> Actor | None:
        return self.house.accounts.accounts.actor(name, self.house.clock())

    # Where it goes

    def place(self, where: str) -> tuple[Place, Seat]:
        """Return the stream of a table by its name, or that of the cage or the accounts."""
        if where == CAGE:
            return Place.CAGE, self.house.cage.seat
        if where == ACCOUNTS:
            return Place.ACCOUNTS, self.house.accounts.seat
        return Place.TABLE, self.desk_seat(where)

    def desk_seat(self, name: str) -> Seat:
        """Return the stream of a table that this house has."""
        desk = self.house.tables.get(name)
        seat = None if desk is None else desk.opened
        if seat is None:
            raise ProblemError(ServerCode.UNKNOWN_TABLE, _no_such_table(name))
        return seat

    # Commands

    def submit(
        self,
        asker: Asker,
        where: str,
        key: str,
        ordered: Ordered,
        approver: Member | None = None,
    ) -> asyncio.Future[Reply]:
        """Hand a command to its stream; the answer comes when its record is durable."""
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.give(asker, where, key, ordered, settling(future), approver)
        return future

    def give(
        self,
        asker: Asker,
        where: str,
        key: str,
        ordered: Ordered,
        tell: Tell,
        approver: Member | None = None,
    ) -> None:
        """Hand a command to its stream; ``tell`` gets the answer when its record is durable.

        Raises what is turned away here. Commands of one sender for one stream are decided
        in the order in which they came.
        """
        place, seat = self.place(where)
        command = self.read(asker, place, ordered)
        if place is Place.TABLE:
            _require_patrons(asker, where, seat.durable.state.table, command)
            if self.house.closing and isinstance(command, CallBets):
                message = "The server is going down; no new round is opened."
                raise ProblemError(ServerCode.GOING_DOWN, message)
        patron: str | None = getattr(command, "patron", None)
        forbidden: ConditionError | None = None
        limited = patron is not None and not self._unlimited(asker, patron)
        if patron is not None and (limited or isinstance(command, SendToTable)):
            forbidden = self._forbidden(place, seat, command, patron)
        elif place is Place.ACCOUNTS:
            forbidden = self._nowhere(command)
        condition: Condition | None = None
        if forbidden is not None:
            condition = lambda _: forbidden  # noqa: E731  # the same, whatever the state
        elif ordered.round is not None or ordered.hold is not None:
            condition = StillOn(ordered.round, ordered.hold)
        assert asker.person is not None, "nobody gives no commands"
        self._require_own_key(asker.person.key, key, where)
        request = Request(
            key, asker.person, command, approver, ordered.cards, ordered.die, condition,
            read=True,
        )  # fmt: skip
        counted = patron if limited and forbidden is None else None
        try:
            self.house.limits.give(self.house.writer, seat, request, tell, counted)
        except JournalError as error:
            raise failed(error) from error

    def _require_own_key(self, actor: str, key: str, where: str) -> None:
        """Refuse an identification that was another place's command.

        The writer looks up those that it does not remember; this is for those that it does.
        """
        used = (actor, key)
        before = self._young.get(used) or self._old.get(used)
        if before is not None and before != where:
            message = f"Command {key} of {actor} was another one before, for {before}."
            raise ProblemError(ServerCode.OTHER_COMMAND, message)
        self._young[used] = where
        if len(self._young) > REMEMBERED:
            self._age()

    def _age(self) -> None:
        self._old, self._young, self._young_since = self._young, {}, now_ms()

    def sweep(self) -> None:
        """Forget identifications that the writer forgets, too, and looks up from then on."""
        if now_ms() - self._young_since > REMEMBERED_MS:
            self._age()

    def read(self, asker: Asker, place: Place, ordered: Ordered) -> Any:  # noqa: ANN401
        """Return a command as far as whoever asks may say it; refuse what no state allows."""
        if asker.kind is None:
            message = "Only whoever is signed in gives commands."
            raise ProblemError(ServerCode.UNAUTHENTICATED, message)
        if asker.kind is UserKind.PATRON:
            if ordered.cards or ordered.die is not None:
                message = "A patron's command has no card and no die."
                raise ProblemError(ServerCode.NOT_READABLE, message)
            return read_command(place, ordered.command, asker.name)
        administers = asker.kind is UserKind.ADMIN and place is Place.ACCOUNTS
        if asker.actor is None or not (asker.kind is UserKind.STAFF or administers):
            # No fields could make it theirs, so that none need be there.
            require_command(place, ordered.command)
            who = "Whoever has no position" if asker.actor is None else f"An {asker.kind.value}"
            where = "the accounts" if place is Place.ACCOUNTS else f"a {place.value}"
            message = f"{who} gives no command to {where}."
            raise ProblemError(ServerCode.FORBIDDEN, message)
        return read_command(place, ordered.command)

    def require_patrons(self, asker: Asker, where: str, command: msgspec.Struct) -> None:
        """Refuse a patron what no state of this very table could allow to one."""
        desk = self.house.tables.get(where)
        if desk is not None:
            _require_patrons(asker, where, desk.table, command)

    async def approver(
        self, asker: Asker, where: str, key: str, ordered: Ordered
    ) -> Member | None:
        """Return who approved a command; it is durable that the approval was used for it.

        None: nobody need have. A key that was decided gets that answer, whatever approval
        comes with it now.
        """
        if ordered.approval is None or asker.name is None:
            return None
        place, seat = self.place(where)
        command = approved_bytes(self.read(asker, place, ordered), ordered.cards, ordered.die)
        name = await self.people.approvals.redeem(
            ordered.approval, where, command, asker.name, key
        )
        if isinstance(name, TurnedAway):
            if await self._decided(asker, seat, key):
                return None
            raise turned_away(name)
        found = self._actor(name)
        if not isinstance(found, Staff | HouseStaff):
            message = "Whoever approved this has no position any more."
            raise ProblemError(ServerCode.BAD_APPROVAL, message)
        return found

    async def _decided(self, asker: Asker, seat: Seat, key: str) -> bool:
        """Tell whether the journal has what came of an identification."""
        assert asker.person is not None, "nobody gives no commands"
        decided = (seat.name, asker.person.key, key)
        return decided in await self.house.store.find([decided])

    def _unlimited(self, asker: Asker, patron: str) -> bool:
        """Tell whether somebody is a patron whom nothing keeps from playing."""
        accounts = self.house.accounts.accounts
        if asker.unlimited_by is accounts and patron == asker.name:
            return True
        user = accounts.users.get(patron)
        return user is not None and user.kind is UserKind.PATRON and user.unlimited

    def _forbidden(
        self, place: Place, seat: Seat, command: msgspec.Struct, patron: str
    ) -> ConditionError | None:
        """Say what is not there, or an exclusion or a patron's own limit forbids.

        It is a condition of the command: one that is repeated because its answer was lost
        gets that answer, though it may count towards the limit by now.
        """
        user = self.house.accounts.accounts.users.get(patron)
        if place is Place.CAGE and (user is None or user.kind is not UserKind.PATRON):
            message = f"There is no patron {quoted(patron[:80])} with a wallet in this house."
            return ConditionError(ServerCode.UNKNOWN_USER, message)
        if isinstance(command, SendToTable) and self.house.owns(command.table):
            try:
                self.desk_seat(command.table)
            except ProblemError as error:
                return ConditionError(error.code, error.detail)
        refusal = self.house.allowed(patron, seat.name, command, self.house.clock())
        if refusal is None:
            return None
        return ConditionError(limit_code(refusal.code), refusal.sentence)

    def _nowhere(self, command: msgspec.Struct) -> ConditionError | None:
        """Say that a device cannot be at a table that is not there."""
        table = command.table if isinstance(command, RegisterDevice | MoveDevice) else None
        if table is None or table in self.house.tables or not self.house.owns(table):
            return None
        return ConditionError(ServerCode.UNKNOWN_TABLE, _no_such_table(table))

    # Answers

    async def order(self, asker: Asker, where: str, key: str, ordered: Ordered) -> Answered:
        """Give a command, and return what came of it."""
        approver = await self.approver(asker, where, key, ordered)
        if ordered.approval is not None:
            asker = self.asker(asker.session)  # it was waited for
        future = self.submit(asker, where, key, ordered, approver)
        try:
            reply = await future
        except JournalError as error:
            raise failed(error) from error
        return await self.answer(asker, where, reply)

    def at_once(self, asker: Asker, where: str, reply: Reply) -> Answered | None:
        """Return the answer if nothing has to be waited for; None: ``answer`` must be."""
        if reply.refusal is not None:
            return refused(reply.refusal, reply.sequence)
        if reply.beside is None or where in BESIDE_TABLES:
            return None
        return Answer(reply.sequence, True, _told(asker, reply, reply.beside))  # noqa: FBT003  # as on the wire

    async def answer(self, asker: Asker, where: str, reply: Reply) -> Answered:
        """Return what somebody is told of a decision."""
        if reply.refusal is not None:
            return refused(reply.refusal, reply.sequence)
        if where == CAGE:
            return await self._at_cage(asker, reply)
        if where == ACCOUNTS:
            events = hear_accounts(reply.events)
        else:
            seats = reply.beside
            if seats is None:
                stream = f"table:{where}"
                seats = await seats_before(self.house.store, stream, reply.sequence)
            events = _told(asker, reply, seats)
        return Answer(reply.sequence, True, events)  # noqa: FBT003  # as on the wire

    async def _at_cage(self, asker: Asker, reply: Reply) -> Answered:
        events = hear_cage(reply.events, asker.patron)
        answer = Answer(reply.sequence, True, events)  # noqa: FBT003  # as on the wire
        for event in reply.events:
            if isinstance(event, CashedOut):
                answer = self._with_ticket(answer, event)
        if not any(isinstance(event, SentToTable) for event in reply.events):
            return answer
        arrived = await self.house.transfers.arrival(reply.sequence, ELSEWHERE_SECONDS)
        if arrived is None:
            raise self._not_there(reply.sequence)
        if arrived.refusal is not None:
            # The table would not have it: the wallet is as it was.
            return refused(arrived.refusal, reply.sequence)
        return answer

    def _not_there(self, sequence: int) -> ProblemError:
        """Say why what was sent is not at the seat: no table has answered."""
        if sequence in self.house.cage.cage.sent:
            message = "The credit is on its way to a table that has not answered yet."
            return ProblemError(ServerCode.BEHIND, message, RETRY_SECONDS)
        message = "The table did not take the credit, and it is back in the wallet."
        return ProblemError(ServerCode.NOT_TAKEN, message)

    def not_shown(self, answer: Answer) -> None:
        """Take note that an answer reached nobody: what proves a ticket may be shown again."""
        if isinstance(answer.ticket, str) and isinstance(answer.validation, str):
            self.people.shown_tickets.discard(answer.ticket)

    def _with_ticket(self, answer: Answer, event: CashedOut) -> Answer:
        """Put a ticket into an answer; what proves it, the first time."""
        number = event.ticket
        configuration, table = self.house.configuration, event.table
        printed = Printed.on(
            event,
            answer.sequence,
            configuration.server.name,
            None if table is None else self.house.numbers.of(table),
            configuration.gaming_day.currency,
        )
        validation: str | UnsetType = UNSET
        proof = self.house.tickets.proof(number, event.digest)
        if proof is not None and number not in self.people.shown_tickets:
            self.people.shown_tickets.add(number)
            validation = proof
        return msgspec.structs.replace(
            answer, ticket=number, validation=validation, printed=printed
        )


def _require_patrons(asker: Asker, where: str, table: Table, command: msgspec.Struct) -> None:
    if asker.kind is not UserKind.PATRON or table.plan is None:
        return
    if type(command) not in of_patrons(table.plan):
        message = f"{quoted(tag(type(command)))} is no patron's to ask for at {where}."
        raise ProblemError(ServerCode.FORBIDDEN, message)


def _no_such_table(name: str) -> str:
    return f"There is no table {quoted(name[:80])} in this house."


def _told(asker: Asker, reply: Reply, seats: Mapping[str, int]) -> list[Heard]:
    """Return the events of a table as whoever asked hears them."""
    audience, patron, heard = asker.audience, asker.patron, []
    for event in reply.events:
        one = hear(event, audience, seats, patron)  # type: ignore[arg-type]
        if one is not None:
            heard.append(one)
    return heard
