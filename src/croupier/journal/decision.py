"""Decisions: one chained record for one command, accepted or refused.

A decision belongs to a stream (a table, the cage) and has the next number of it. Its body is
encoded once, as canonical JSON; that is what is stored, hashed, and compared when somebody
sends a command again. The hash covers the hash before it and the whole body, so a stream is
a chain from its first decision.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from typing import Any

import msgspec

from croupier.journal import codec
from croupier.journal.codec import AnyCommand, AnyEvent, encode_canonical
from croupier.journal.errors import JournalError
from croupier.journal.shoes import (  # noqa: TC001  # read by msgspec
    CardOpened,
    Interrupted,
    ShoeOpened,
    ShoeSealed,
)
from croupier.table.roles import (
    POSITIONS,
    Acting,
    ActingInHouse,
    Actor,
    HouseStaff,
    Member,
    Patron,
    Staff,
    StaffPosition,
    System,
)

GENESIS = bytes(32)
"""The hash before the first decision of a stream."""
MAGIC = b"croupier-decision-1"
KINDS_KEPT = 1024
"""Of so many commands with their events the names are remembered."""


class ActingAs(msgspec.Struct, frozen=True, gc=False):
    """A position in which somebody acts for a time, by its name."""

    position: str
    since: datetime
    until: datetime


class Person(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Somebody as the journal knows people: what they are, their name, their position."""

    kind: str
    """patron, staff or system."""
    name: str
    position: str | None = None
    """The name of a position, of a rulebook or of the house; staff alone have one."""
    acting: ActingAs | None = None

    @property
    def key(self) -> str:
        """Return the kind and the name, as identifications of commands belong to them."""
        return f"{self.kind}:{self.name}"

    @property
    def actor(self) -> Actor:
        """Return the person as tables, the cage and the accounts know people."""
        if self.kind == "patron":
            return Patron(self.name)
        if self.kind == "system":
            return System(self.name)
        return self.member

    @property
    def member(self) -> Member:
        """Return somebody of the staff; a LookupError where there is no such position."""
        assert self.kind == "staff", "not of the staff"
        assert self.position is not None, "staff without a position"
        position, acting = POSITIONS[self.position], self.acting
        acts = None if acting is None else POSITIONS[acting.position]
        if isinstance(position, StaffPosition):
            if acting is None:
                return Staff(self.name, position)
            assert isinstance(acts, StaffPosition), "acts outside of the rulebooks"
            return Staff(self.name, position, Acting(acts, acting.since, acting.until))
        if acting is None:
            return HouseStaff(self.name, position)
        assert not isinstance(acts, StaffPosition | None), "acts outside of the house"
        return HouseStaff(self.name, position, ActingInHouse(acts, acting.since, acting.until))


def person(actor: Actor) -> Person:
    """Return an actor of a table as the journal knows people."""
    if type(actor) is Patron:
        return Person("patron", actor.name)
    if isinstance(actor, System):
        return Person("system", actor.name)
    assert not isinstance(actor, Patron)
    acting = actor.acting
    acts = None
    if acting is not None:
        acts = ActingAs(acting.position.value, acting.since, acting.until)
    return Person("staff", actor.name, actor.position.value, acts)


def wrong_person(person: Person) -> str | None:
    """Say that somebody is nobody: staff alone have positions; None: somebody."""
    kind = person.kind
    if kind == "staff":
        names = [person.position]
        if person.acting is not None:
            names.append(person.acting.position)
        unknown = [name for name in names if name not in POSITIONS]
        return f"No position is named {unknown[0]}." if unknown else None
    if kind not in ("patron", "system"):
        return f"Nobody is a {kind}."
    if person.position is not None or person.acting is not None:
        return f"{person.key} has no position at a table."
    return None


class Known(msgspec.Struct, frozen=True, gc=False):
    """What a decision took from another stream, as of a sequence of that stream."""

    sequence: int
    values: dict[str, int]


class House(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What only the house knew when it decided."""

    cards: tuple[str, ...] = ()
    """Faces that a scanner read or staff keyed in; they came with the command."""
    die: int | None = None
    drawn: tuple[str, ...] = ()
    """Faces that a sealed shoe gave when the decision asked for them."""
    openings: tuple[CardOpened, ...] = ()
    ended: ShoeOpened | None = None
    """What was left of a sealed shoe that is out of play."""
    seal: ShoeSealed | None = None
    tickets: tuple[str, ...] = ()
    """A ticket that was printed: its number, the digest of its validation number, and at which
    table and playing position, where the patron sits at one."""
    interruption: Interrupted | None = None
    opens: bool | None = None
    """Whether the key of a shoe that is declared lost opens its cards all the same."""
    facts: dict[str, Known] = {}
    """By stream: what was taken from it."""


NOTHING = House()
"""The house knew nothing of its own: by far the most decisions."""


class Refused(msgspec.Struct, frozen=True, gc=False):
    """Why nothing was done: a code, one sentence, and the clause where there is one."""

    code: str
    sentence: str
    clause: str | None = None


class Decision(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A command, what only the house knew of it, and what came of it."""

    stream: str
    sequence: int
    epoch: int
    release: str
    moment: str
    command_id: str
    actor: Person
    command: AnyCommand
    approver: Person | None = None
    house: House = NOTHING
    events: tuple[AnyEvent, ...] = ()
    refusal: Refused | None = None
    versions: dict[str, int] = {}
    """Versions of the kinds in it that are not at version 1."""

    @property
    def accepted(self) -> bool:
        """Tell whether what was asked was done."""
        return self.refusal is None

    @property
    def asked(self) -> tuple[object, ...]:
        """Return what must be the same when a command is sent again; who approved it is not."""
        return self.command, self.house.cards, self.house.die


class Record(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A decision as a store keeps it; its fields are the columns of the store."""

    stream: str
    sequence: int
    command_id: str
    actor: str
    body: bytes
    hash: bytes


class Head(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """The newest decision of a stream."""

    stream: str
    sequence: int = 0
    hash: bytes = GENESIS


class Posting(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """An amount that a decision moves from one account to another: double entry by shape."""

    stream: str
    sequence: int
    line: int
    source: str
    target: str
    cents: int
    """Always above zero."""


def chain(previous: bytes, body: bytes) -> bytes:
    """Return the hash of a decision: over its body, and the hash before it."""
    return sha256(MAGIC + previous + body).digest()


def versions_in(command: msgspec.Struct, events: tuple[msgspec.Struct, ...]) -> dict[str, int]:
    """Return the versions of those kinds that are not at version 1."""
    names, versions = _names(type(command), *map(type, events)), codec.VERSIONS
    if names.isdisjoint(versions):
        return {}
    return {name: versions[name] for name in sorted(names & versions.keys())}


@lru_cache(maxsize=KINDS_KEPT)
def _names(*kinds: type[msgspec.Struct]) -> frozenset[str]:
    return frozenset(codec.NAMES[kind] for kind in kinds)


def encode(decision: Decision) -> bytes:
    """Return the body of a decision."""
    return encode_canonical(decision)


_read = msgspec.json.Decoder(Decision).decode


def read(body: bytes) -> Decision:
    """Return a decision from its body, all that is in it brought up to today's versions."""
    try:
        if codec.VERSIONS and _is_old(body):
            return _upcast(body)
        return _read(body)
    except (msgspec.MsgspecError, LookupError, RecursionError, UnicodeError) as error:
        said = str(error).rstrip(".") or type(error).__name__
        message = f"A decision cannot be read: {said}."
        raise JournalError(message) from error


def _is_old(body: bytes) -> bool:
    """Tell whether a body may hold something of another version than today's."""
    if not any(b'"type":"%s"' % name.encode() in body for name in codec.VERSIONS):
        return False
    versions = msgspec.json.decode(body, type=_Versions).versions
    return any(
        versions.get(name, 1) != newest and b'"type":"%s"' % name.encode() in body
        for name, newest in codec.VERSIONS.items()
    )


class _Versions(msgspec.Struct):
    versions: dict[str, int] = {}


def _upcast(body: bytes) -> Decision:
    fields = msgspec.json.decode(body, type=dict[str, Any])
    versions = fields.get("versions", {})

    def newer(one: dict[str, Any]) -> dict[str, Any]:
        name = one["type"]
        return codec.upcast(name, versions.get(name, 1), one)

    fields["command"] = newer(fields["command"])
    fields["events"] = [newer(one) for one in fields.get("events", ())]
    return msgspec.convert(fields, Decision)


class BrokenChainError(JournalError):
    """A decision that does not follow the one before it."""


def check_chain(head: Head, record: Record) -> Head:
    """Refuse a record that does not follow a head, or whose hash is not its own."""
    where = f"Decision {record.sequence} of {record.stream}"
    if record.stream != head.stream or record.sequence != head.sequence + 1:
        message = f"{where} does not follow decision {head.sequence}."
        raise BrokenChainError(message)
    if type(record.body) is not bytes or chain(head.hash, record.body) != record.hash:
        message = (
            f"{where} was changed, or does not follow the one before it: its hash differs."
        )
        raise BrokenChainError(message)
    return Head(record.stream, record.sequence, record.hash)


def read_record(record: Record) -> Decision:
    """Return the decision of a record; refuse columns that its body contradicts."""
    decision = read(record.body)
    inside = (decision.stream, decision.sequence, decision.command_id, decision.actor.key)
    if inside != (record.stream, record.sequence, record.command_id, record.actor):
        message = (
            f"Decision {record.sequence} of {record.stream} is another one inside:"
            f" {decision.sequence} of {decision.stream}."
        )
        raise BrokenChainError(message)
    return decision


def written_moment(moment: datetime) -> str:
    """Write a moment as decisions have it: in UTC, to the microsecond.

    >>> from datetime import timedelta, timezone
    >>> written_moment(datetime(2026, 1, 1, 8, tzinfo=timezone(timedelta(hours=8))))
    '2026-01-01T00:00:00.000000Z'
    """
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def read_moment(text: str) -> datetime:
    """Return the moment of a decision."""
    return datetime.fromisoformat(text)


def now() -> datetime:
    """Return the moment; order never depends on it."""
    return datetime.now(UTC)
