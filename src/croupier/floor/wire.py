"""Messages as they come over the wire, read strictly: nothing unknown, nothing half.

Who asks decides what can be read: a patron's command has no field for a card, a die, a
transfer or another patron's name, and the house's own commands can be read from nobody.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Final, Union

import msgspec
from msgspec import UNSET, UnsetType

from croupier.accounts import commands as accounts
from croupier.cage import commands as cage
from croupier.floor.problems import ProblemError, ServerCode
from croupier.frozen import Named
from croupier.rules.errors import quoted
from croupier.table import commands as table
from croupier.table.may import OF_PATRONS

if TYPE_CHECKING:
    from collections.abc import Iterable

KEY_PATTERN: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
NUMBER_PATTERN: Final = re.compile(r"[0-9]{1,19}")
BODY_BYTES: Final = 64 << 10
FRAME_BYTES: Final = 4 << 10
DEPTH_MAX: Final = 8
INTEGER_MIN: Final = -(1 << 63)
INTEGER_MAX: Final = (1 << 63) - 1
LONG_DIGITS: Final = b"0" * 19
DIGITS: Final = bytes(0x30 if chr(one).isdigit() and one < 0x80 else 0x20 for one in range(256))  # noqa: PLR2004
"""By which every digit becomes a zero, and everything else a space."""


Faces = Annotated[
    tuple[Annotated[str, msgspec.Meta(max_length=16)], ...], msgspec.Meta(max_length=16)
]
"""Cards that come with one command: no more than any command takes."""


class Place(Named):
    """Where a command goes: a kind of stream."""

    TABLE = "table"
    CAGE = "cage"
    ACCOUNTS = "accounts"


class Ordered(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command as a request brings it."""

    command: msgspec.Raw
    round: int | None = None
    hold: int | None = None
    approval: str | None = None
    cards: Faces = ()
    """Faces that staff keyed in."""
    die: int | None = None


class Approved(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"name": "for"}):
    """A command of somebody else that a second person approves."""

    table: str
    command: msgspec.Raw
    name: str
    cards: Faces = ()
    """Faces that are keyed in with it: another face is another command."""
    die: int | None = None


class Login(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Name and password of whoever signs in."""

    name: str
    password: str


class FirstAdministrator(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the one-time link of the first start asks for."""

    secret: str
    name: str
    password: str


# Messages of a socket


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A message of a client."""


class Subscribe(Message, frozen=True, tag="subscribe"):
    """Hear of a topic, from a sequence on or from a snapshot."""

    topic: str
    after: int | None = None


class Unsubscribe(Message, frozen=True, tag="unsubscribe"):
    """Hear of a topic no more."""

    topic: str


class Commanded(Ordered, frozen=True, kw_only=True, tag="command"):
    """Give a command."""

    id: str
    table: str


class Shown(Message, frozen=True, tag="shown"):
    """Say that this terminal displayed the closing."""

    table: str
    round: int


class Ping(Message, frozen=True, tag="ping"):
    """Ask for an answer."""

    n: int
    background: bool = False
    """A page asks by itself: it keeps no session open."""


Said = Subscribe | Unsubscribe | Commanded | Shown | Ping
_read_said = msgspec.json.Decoder(Said).decode
_read_ordered = msgspec.json.Decoder(Ordered).decode
_read_approved = msgspec.json.Decoder(Approved).decode


# Commands

HOUSES_OWN: tuple[type[msgspec.Struct], ...] = (
    cage.NoteArrival,
    cage.SendBack,
    cage.ReceiveFromTable,
    accounts.NoteAccess,
)
"""Commands that only the house itself gives, by itself or on behalf of whoever does it."""
KINDS: dict[Place, tuple[type[msgspec.Struct], ...]] = {
    Place.TABLE: table.COMMANDS,
    Place.CAGE: tuple(one for one in cage.COMMANDS if one not in HOUSES_OWN),
    Place.ACCOUNTS: tuple(one for one in accounts.COMMANDS if one not in HOUSES_OWN),
}
PATRONS_KINDS: dict[Place, tuple[type[msgspec.Struct], ...]] = {
    Place.TABLE: OF_PATRONS,
    Place.CAGE: (cage.SendToTable, cage.CashOut, cage.TakeInTicket),
    Place.ACCOUNTS: (
        accounts.ExcludePatron,
        accounts.SetStakeLimit,
        accounts.SetLossLimit,
        accounts.SetTimeLimit,
    ),
}
"""What a patron could ever be allowed to ask for."""


def tag(kind: type[msgspec.Struct]) -> str:
    """Return the name of a command on the wire."""
    return str(kind.__struct_config__.tag)


def _patrons(kind: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """Return a command as a patron sends it: the own name may be left out.

    Credit that leaves a seat goes to the wallet: no transfer is named, and no cash asked for.
    """
    fields: list[tuple[str, Any, Any]] = []
    for one in msgspec.structs.fields(kind):
        if one.name == "patron":
            fields.append((one.name, str | UnsetType, UNSET))
        elif one.name not in ("transfer", "cash"):
            default = msgspec.NODEFAULT if one.required else one.default
            fields.append((one.name, one.type, default))
    return msgspec.defstruct(
        f"Patrons{kind.__name__}",
        fields,
        tag=tag(kind),
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )


def _place_of_patron(shape: type[msgspec.Struct], kind: type[msgspec.Struct]) -> int | None:
    """Return which field of a shape names the patron; its fields are the command's first."""
    fields = shape.__struct_fields__
    assert kind.__struct_fields__[: len(fields)] == fields, f"{kind} leaves out one in between"
    return fields.index("patron") if "patron" in fields else None


def _decoder(kinds: Iterable[type[msgspec.Struct]]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(Union[tuple(kinds)])  # noqa: UP007  # made at run time


_STAFFS = {place: _decoder(kinds) for place, kinds in KINDS.items()}
PATRONS_SHAPES: dict[Place, dict[type[msgspec.Struct], type[msgspec.Struct]]] = {
    place: {_patrons(kind): kind for kind in kinds} for place, kinds in PATRONS_KINDS.items()
}
"""By the shape in which a patron sends it: the command."""
_NAMES_PATRON: dict[type[msgspec.Struct], int | None] = {
    shape: _place_of_patron(shape, kind)
    for shapes in PATRONS_SHAPES.values()
    for shape, kind in shapes.items()
}
_PATRONS = {place: _decoder(shapes) for place, shapes in PATRONS_SHAPES.items()}
_ALL = {place: {tag(kind) for kind in kinds} for place, kinds in KINDS.items()}


class _Typed(msgspec.Struct):
    type: str


_read_type = msgspec.json.Decoder(_Typed).decode


# Reading


def not_readable(error: Exception, what: str = "message") -> ProblemError:
    """Say why something cannot be read."""
    return ProblemError(
        ServerCode.NOT_READABLE, f"The {what} cannot be read: {str(error).rstrip('.')}."
    )


def read_key(key: str | None) -> str:
    """Return an identification that may be written."""
    if key is None:
        message = "The header Idempotency-Key is missing: 1 to 64 of A-Z a-z 0-9 - _."
        raise ProblemError(ServerCode.NOT_READABLE, message)
    if not KEY_PATTERN.fullmatch(key):
        message = f"The key {quoted(key[:80])} is not 1 to 64 of A-Z a-z 0-9 - _."
        raise ProblemError(ServerCode.NOT_READABLE, message)
    return key


def digits(text: str) -> int | None:
    """Return the number that digits 0 to 9 are; None: something else, or beyond 64 bits.

    >>> digits("120"), digits("+1"), digits("1_0"), digits("٣"), digits("9" * 19)
    (120, None, None, None, None)
    """
    number = int(text) if NUMBER_PATTERN.fullmatch(text) else INTEGER_MAX + 1
    return number if number <= INTEGER_MAX else None


def check_shape(data: bytes) -> None:
    """Refuse what is nested too deep, or has an integer beyond 64 bits."""
    opened = data.count(b"{")
    if b"[" in data:
        opened += data.count(b"[")
    if opened <= DEPTH_MAX and LONG_DIGITS not in data.translate(DIGITS):
        return
    try:
        _check(msgspec.json.decode(data), 1)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise not_readable(error) from error


def _check(value: object, depth: int) -> None:
    if isinstance(value, int) and not INTEGER_MIN <= value <= INTEGER_MAX:
        message = "The message has an integer beyond 64 bits."
        raise ProblemError(ServerCode.NOT_READABLE, message)
    if isinstance(value, dict | list):
        if depth > DEPTH_MAX:
            message = f"The message is nested deeper than {DEPTH_MAX}."
            raise ProblemError(ServerCode.NOT_READABLE, message)
        for one in value.values() if isinstance(value, dict) else value:
            _check(one, depth + 1)


def read_said(data: bytes) -> Said:
    """Read a message of a socket."""
    check_shape(data)
    try:
        said: Said = _read_said(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise not_readable(error) from error
    return said


def read_ordered(data: bytes) -> Ordered:
    """Read the body of a command."""
    check_shape(data)
    try:
        return _read_ordered(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise not_readable(error, "body") from error


def read_approved(data: bytes) -> Approved:
    """Read what a second person approves."""
    check_shape(data)
    try:
        return _read_approved(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise not_readable(error, "body") from error


def read_command(place: Place, raw: msgspec.Raw, patron: str | None = None) -> Any:  # noqa: ANN401  # of its place's kind
    """Read a command of staff, or of a patron, who can be meant by nobody but themselves."""
    if patron is not None:
        return _read_patrons(place, raw, patron)
    try:
        return _STAFFS[place].decode(raw)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        _require_houses_own(raw, error)
        raise _unreadable(place, raw, error) from error


def require_command(place: Place, raw: msgspec.Raw) -> None:
    """Refuse what names no command of a place; its fields are not looked at."""
    try:
        named = _read_type(raw).type
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise not_readable(error, "command") from error
    if named not in _ALL[place] and named not in map(tag, HOUSES_OWN):
        raise _no_such(place, named)


def _read_patrons(place: Place, raw: msgspec.Raw, patron: str) -> Any:  # noqa: ANN401
    try:
        read = _PATRONS[place].decode(raw)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        named = _named(raw)
        _require_houses_own(raw, error)
        if named in _ALL[place] and named not in map(tag, PATRONS_KINDS[place]):
            message = f"{quoted(named)} is not a patron's to ask for."
            raise ProblemError(ServerCode.FORBIDDEN, message) from error
        raise _unreadable(place, raw, error) from error
    shape = type(read)
    values, at = msgspec.structs.astuple(read), _NAMES_PATRON[shape]
    if at is not None:
        if values[at] is not UNSET and values[at] != patron:
            message = "A patron acts for nobody else."
            raise ProblemError(ServerCode.FORBIDDEN, message)
        values = (*values[:at], patron, *values[at + 1 :])
    return PATRONS_SHAPES[place][shape](*values)


def _named(raw: msgspec.Raw) -> str:
    try:
        return _read_type(raw).type
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return ""


def _require_houses_own(raw: msgspec.Raw, error: Exception) -> None:
    named = _named(raw)
    if named in map(tag, HOUSES_OWN):
        message = f"{quoted(named)} is given by the house itself alone."
        raise ProblemError(ServerCode.FORBIDDEN, message) from error


def _unreadable(place: Place, raw: msgspec.Raw, error: Exception) -> ProblemError:
    named = _named(raw)
    if named and named not in _ALL[place]:
        return _no_such(place, named)
    return not_readable(error, "command")


def _no_such(place: Place, named: str) -> ProblemError:
    detail = f"There is no command {quoted(named[:80])} at {_AT[place]}."
    return ProblemError(ServerCode.NOT_READABLE, detail)


_AT = {Place.TABLE: "a table", Place.CAGE: "the cage", Place.ACCOUNTS: "the accounts"}
