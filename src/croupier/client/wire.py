"""What goes over the wire between a floor and its clients, as a client reads it."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  # read at run time to decode
from typing import Any

import msgspec

View = dict[str, Any]
"""A view as it is on the wire; ``read_view`` gives it its shape."""


class Problem(msgspec.Struct, frozen=True):
    """A no: what came and what is allowed, in one sentence."""

    detail: str
    code: str
    status: int = 0
    title: str = ""
    type: str = ""
    clause: str | None = None
    sequence: int | None = None
    """Of the record, where the refusal has one."""


class Event(msgspec.Struct, frozen=True):
    """What happened, as whoever receives it may hear it."""

    name: str
    facts: dict[str, Any]


class Actor(msgspec.Struct, frozen=True):
    """Who is signed in."""

    kind: str
    name: str
    position: str | None = None


class SignedIn(msgspec.Struct, frozen=True):
    """A session that was opened."""

    token: str
    actor: Actor
    expires: datetime

    def __repr__(self) -> str:
        return f"SignedIn({self.actor.name!r})"


class Printed(msgspec.Struct, frozen=True):
    """What is printed on a ticket beside its number and what proves it."""

    figures: str
    words: str
    sequence: int
    expires: datetime | None
    house: str
    """The site that pays it."""
    issued: datetime | None
    table: str | None
    """Where it was printed; None: at no single place."""
    table_number: int | None
    position: int | None


class Answer(msgspec.Struct, frozen=True):
    """What came of a command that was done."""

    sequence: int
    events: tuple[Event, ...]
    accepted: bool = True
    ticket: str | None = None
    validation: str | None = None
    """What proves a ticket; it is shown once."""
    printed: Printed | None = None

    def __repr__(self) -> str:
        names = ", ".join(event.name for event in self.events)
        return f"Answer({self.sequence}: {names})"


class Approval(msgspec.Struct, frozen=True):
    """What lets one command of somebody else through, once."""

    approval: str
    expires: datetime

    def __repr__(self) -> str:
        return f"Approval(until {self.expires})"


class TableSeen(msgspec.Struct, frozen=True):
    """A table as whoever asks may see it."""

    table: str
    sequence: int
    time: datetime
    view: View


class SeatHeld(msgspec.Struct, frozen=True):
    """What a patron has at one table."""

    table: str
    position: int | None
    credit_cents: int
    in_play_cents: int
    reserved_cents: int


class Wallet(msgspec.Struct, frozen=True):
    """What a patron has: in the wallet, on its way, and at tables."""

    cents: int
    in_transit_cents: int
    seats: tuple[SeatHeld, ...]


# Messages of a socket; server-sent events carry the first two


class Snapshot(msgspec.Struct, frozen=True, tag="snapshot"):
    """A whole view."""

    topic: str
    sequence: int
    time: datetime
    view: View


class Change(msgspec.Struct, frozen=True, tag="change"):
    """What happened, and the fields of the view that changed."""

    topic: str
    sequence: int
    time: datetime
    events: tuple[Event, ...]
    view: View


class Answered(msgspec.Struct, frozen=True, tag="answer"):
    """What came of a command."""

    id: str
    accepted: bool
    sequence: int | None = None
    events: tuple[Event, ...] = ()
    problem: Problem | None = None
    ticket: str | None = None
    validation: str | None = None
    printed: Printed | None = None


class NotRead(msgspec.Struct, frozen=True, tag="error"):
    """A message that could not be read, or not be followed."""

    problem: Problem


class Pong(msgspec.Struct, frozen=True, tag="pong"):
    """The answer to a ping."""

    n: int
    time: datetime


class Bye(msgspec.Struct, frozen=True, tag="bye"):
    """Why the server closes the socket."""

    code: str
    detail: str


Message = Snapshot | Change | Answered | NotRead | Pong | Bye
read_message = msgspec.json.Decoder(Message).decode


def problem_of(status: int, body: bytes) -> Problem:
    """Return the problem of an answer; what is none is told by its status."""
    try:
        found = msgspec.json.decode(body, type=Problem)
    except (msgspec.MsgspecError, UnicodeError):
        detail = f"The server answered {status}, and not as a floor does."
        return Problem(detail, "not_a_floor", status)
    return found if found.status else msgspec.structs.replace(found, status=status)
