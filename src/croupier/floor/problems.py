"""Problems: what the server itself says no to, and how every no goes over the wire.

A refusal of a table, the cage or the accounts is recorded and has a sequence; what is turned
away here leaves no record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import msgspec

from croupier.frozen import Named
from croupier.journal.errors import (
    BusyError,
    FencedError,
    JournalError,
    NotInPositionError,
    OtherCommandError,
    PoisonedError,
    UnwritableError,
)
from croupier.rules.errors import cited

if TYPE_CHECKING:
    from croupier.accounts.limits import LimitCode
    from croupier.floor.door import TurnedAway
    from croupier.journal.streams import Refusal

MEDIA_TYPE = "application/problem+json"
REFUSED_STATUS = 409
UNAVAILABLE_STATUS = 503


class ServerCode(Named):
    """A reason why the server turns something away: its name on the wire, and its status."""

    status: int
    title: str

    def __new__(cls, value: str, status: int, title: str) -> Self:
        """Keep status and title beside the value."""
        member = object.__new__(cls)
        member._value_ = value
        member.status, member.title = status, title
        return member

    UNAUTHENTICATED = "unauthenticated", 401, "Nobody is signed in"
    WRONG_LOGIN = "wrong_login", 401, "Name or password is wrong"
    FORBIDDEN = "forbidden", 403, "This is not for whoever asks"
    BAD_ORIGIN = "bad_origin", 403, "The page is not one of this house"
    BAD_APPROVAL = "bad_approval", 403, "The approval does not hold"
    SELF_APPROVAL = "self_approval", 403, "Nobody approves an act of their own"
    BAD_LINK = "bad_link", 403, "The link does not hold"
    DISABLED = "disabled", 403, "The patron's account is disabled"
    EXCLUDED = "excluded", 403, "The patron is excluded from play"
    UNKNOWN_TABLE = "unknown_table", 404, "There is no such table"
    UNKNOWN_ROUND = "unknown_round", 404, "There is no such finished round"
    UNKNOWN_GAME = "unknown_game", 404, "There is no such game"
    UNKNOWN_SHOE = "unknown_shoe", 404, "There is no such shoe"
    UNKNOWN_DEVICE = "unknown_device", 404, "There is no such device"
    UNKNOWN_USER = "unknown_user", 404, "Nobody has this name"
    UNKNOWN_ALARM = "unknown_alarm", 404, "There is no such alarm"
    UNKNOWN_TOPIC = "unknown_topic", 404, "There is no such topic"
    NOT_FOUND = "not_found", 404, "There is nothing here"
    NOT_ALLOWED = "not_allowed", 405, "This is not done here"
    KNOWN_USER = "known_user", 409, "There is somebody of this name"
    OTHER_COMMAND = "other_command", 409, "The key was another command's"
    OTHER_ROUND = "other_round", 409, "Another round is in progress"
    OTHER_HOLD = "other_hold", 409, "The round waits for something else"
    OWN_TIME_LIMIT = "own_time_limit", 409, "The patron's own time is over"
    OWN_LOSS_LIMIT = "own_loss_limit", 409, "The patron's own limit of loss is reached"
    OWN_STAKE_LIMIT = "own_stake_limit", 409, "The patron's own limit of a stake is passed"
    OUT_OF_ORDER = "out_of_order", 409, "The card is not the next one"
    SCAN_MISMATCH = "scan_mismatch", 409, "It was read as another one before"
    NOT_FED = "not_fed", 409, "The table takes nothing from this device"
    ALARM_STANDS = "alarm_stands", 409, "The alarm stands until the table knows of the card"
    TOO_LARGE = "too_large", 413, "The message is too large"
    BAD_PASSWORD = "bad_password", 422, "The password will not do"  # a code
    BAD_TEXT = "bad_text", 422, "The text will not do"
    NOT_READABLE = "not_readable", 422, "The message cannot be read"
    TOO_MANY = "too_many", 429, "Too many in a short time"
    FAILED = "failed", 500, "The server failed"
    BUSY = "busy", 503, "Too many commands wait"
    TAKEN_OVER = "taken_over", 503, "Another process has this table by now"
    NOT_DONE = "not_done", 503, "The medium failed, and nothing came of it"
    BEHIND = "behind", 503, "This record is not here yet"
    NOT_READY = "not_ready", 503, "The house does not serve now"
    GOING_DOWN = "going_down", 503, "The server is going down"


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """A no, as RFC 9457 wants it: what came, and what is allowed, in one sentence."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    clause: str | None
    """The clause of a rulebook, where one says so."""
    sequence: int | None = None
    """Of the record, where there is one."""


class ProblemError(Exception):
    """Somebody is turned away; nothing was recorded of it."""

    def __init__(
        self, code: ServerCode, detail: str, retry_seconds: float | None = None
    ) -> None:
        super().__init__(detail)
        self.code, self.detail, self.retry_seconds = code, detail, retry_seconds

    @property
    def problem(self) -> Problem:
        """Return it as it goes over the wire."""
        code = self.code
        return Problem(
            _type(code.value), code.title, code.status, self.detail, code.value, None
        )


def _type(code: str) -> str:
    return f"urn:croupier:problem:{code}"


def refused(refusal: Refusal, sequence: int | None = None) -> Problem:
    """Return a refusal as it goes over the wire; with the record, where there is one."""
    code = getattr(refusal, "code", "refused")
    clause = getattr(refusal, "clause", None)
    name = code if isinstance(code, str) else code.value
    title = getattr(code, "meaning", "It was refused").rstrip(".")
    return Problem(
        _type(name), title, REFUSED_STATUS, refusal.sentence, name,
        cited(clause) if clause else None, sequence,
    )  # fmt: skip


def limit_code(code: LimitCode) -> ServerCode:
    """Return a limit of a patron as a code of the server: nothing is recorded of it."""
    return ServerCode(code.value)  # type: ignore[call-arg]


def turned_away(one: TurnedAway) -> ProblemError:
    """Return what the door said as an error."""
    return ProblemError(ServerCode(one.code.value), one.sentence, one.retry_seconds)  # type: ignore[call-arg]


RETRY_SECONDS = 1.0
"""After which time a sender may try again, where nothing better is known."""


def failed(error: JournalError) -> ProblemError:
    """Return why a command got no answer from the journal."""
    detail = str(error)
    if isinstance(error, ConditionError):
        return ProblemError(error.code, detail)
    code = next(
        (code for kind, code in FAILURES if isinstance(error, kind)), ServerCode.NOT_DONE
    )
    again = RETRY_SECONDS if code.status == UNAVAILABLE_STATUS else None
    return ProblemError(code, detail, again)


FAILURES: tuple[tuple[type[JournalError], ServerCode], ...] = (
    (OtherCommandError, ServerCode.OTHER_COMMAND),
    (NotInPositionError, ServerCode.FORBIDDEN),
    (UnwritableError, ServerCode.NOT_READABLE),
    (BusyError, ServerCode.BUSY),
    (FencedError, ServerCode.TAKEN_OVER),
    (PoisonedError, ServerCode.NOT_DONE),
)
"""How errors of the journal go over the wire."""


class ConditionError(JournalError):
    """What a sender said must hold of a table does not: another round, or another hold."""

    def __init__(self, code: ServerCode, detail: str) -> None:
        super().__init__(detail)
        self.code = code
