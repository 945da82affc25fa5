"""Messages as they go out over a socket: the shapes of what clients read.

Changes, snapshots and answers are put together from bytes that were made once
(:mod:`croupier.floor.topics`, :mod:`croupier.floor.live`); the tests read them back by these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from croupier.accounts.limits import Left  # noqa: TC001  # read by msgspec
from croupier.floor.alarms import Alarm
from croupier.floor.calls import CallShown  # noqa: TC001
from croupier.floor.door import Ended  # noqa: TC001  # read by msgspec
from croupier.floor.me import Wallet  # noqa: TC001  # read by msgspec
from croupier.floor.problems import Problem  # noqa: TC001
from croupier.floor.tickets import Printed  # noqa: TC001
from croupier.table.views.hearing import Heard  # noqa: TC001
from croupier.table.views.lobby import TableSummary
from croupier.table.views.projection import CHANGES, VIEWS

ByeCode = Literal["slow", "too_large", "signed_out", "going_down", "too_many", "silent"]
"""Why the server closes a socket."""


def one_of(*schemas: type | dict[str, Any]) -> Any:  # noqa: ANN401  # a type made at run time
    """Return the type of something already encoded that has one of several shapes."""
    shapes = [one if isinstance(one, dict) else ref(one) for one in schemas]
    return Annotated[msgspec.Raw, Meta(extra_json_schema={"anyOf": shapes})]


def ref(kind: type) -> dict[str, Any]:
    """Return where the document of the API has a shape."""
    return {"$ref": f"#/components/schemas/{kind.__name__}"}


class Mine(msgspec.Struct, frozen=True):
    """The view of the topic ``me``: the own wallet, and messages of the house."""

    wallet: Wallet | None
    messages: list[str]
    calls: list[CallShown]
    """Whom one called and what one asked, the newest first, and what came of it."""
    left: Left | None
    """What exclusions and own limits leave; None: there are none."""


VIEW_KINDS: tuple[type, ...] = tuple(VIEWS.values())
CHANGE_KINDS: tuple[type, ...] = tuple(CHANGES.values())
LOBBY: dict[str, Any] = {"type": "object", "additionalProperties": ref(TableSummary)}
"""The view of the topic ``tables``: summaries by the name of the table."""
ALARMS: dict[str, Any] = {
    "type": "object",
    "additionalProperties": {"type": "array", "items": ref(Alarm)},
}
"""The view of the topic ``alarms``: those that stand, by the name of the table."""
if TYPE_CHECKING:
    TableView = msgspec.Raw
    TableChange = msgspec.Raw
    AnyView = msgspec.Raw
    AnyChange = msgspec.Raw
else:
    TableView = one_of(*VIEW_KINDS)
    TableChange = one_of(*CHANGE_KINDS)
    AnyView = one_of(*VIEW_KINDS, LOBBY, Mine, ALARMS)
    AnyChange = one_of(*CHANGE_KINDS, LOBBY, Mine, ALARMS)


class Sent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A message of the server."""


class Snapshot(Sent, frozen=True, tag="snapshot"):
    """A topic as it is: the whole view of whoever subscribed."""

    topic: str
    sequence: int
    time: str
    view: AnyView


class Changed(Sent, frozen=True, tag="change"):
    """What happened: events as this audience hears them, and the fields that changed, whole."""

    topic: str
    sequence: int
    time: str
    events: list[Heard]
    view: AnyChange


class Answered(Sent, frozen=True, tag="answer", omit_defaults=True):
    """What came of a command: its events, or the problem; the record, where there is one."""

    id: str
    accepted: bool
    sequence: int | None
    events: list[Heard] | UnsetType = UNSET
    ticket: str | UnsetType = UNSET
    validation: str | UnsetType = UNSET
    """What proves a ticket; shown once, and nowhere else."""
    printed: Printed | UnsetType = UNSET
    problem: Problem | UnsetType = UNSET


class Errored(Sent, frozen=True, tag="error"):
    """A message could not be read, or asks for what is not there; the socket stays."""

    problem: Problem


class Pong(Sent, frozen=True, tag="pong"):
    """The answer to a ping."""

    n: int
    time: str


class Bye(Sent, frozen=True, tag="bye", omit_defaults=True):
    """Why the server closes the socket now."""

    code: ByeCode
    detail: str
    ended: Ended | UnsetType = UNSET
    """Why the session is over, where that is why."""


SENT: tuple[type[Sent], ...] = (Snapshot, Changed, Answered, Errored, Pong, Bye)
"""Everything that the server says."""
