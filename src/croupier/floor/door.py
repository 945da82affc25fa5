"""The door: what turns somebody away before any table, cage or accounts could decide."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  # read by msgspec
from math import ceil
from typing import Self

import msgspec

from croupier.frozen import Named


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
    UNKNOWN_USER = "unknown_user", 404, "There is nobody of this name"
    UNKNOWN_DEVICE = "unknown_device", 404, "There is no such device"
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
    NOT_TAKEN = "not_taken", 409, "The table did not take the credit, and it is back"
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


class Ended(Named):
    """Why a session is over."""

    SIGNED_OUT = "signed_out"
    IDLE = "idle"
    """It was not used for a while."""
    ABSOLUTE = "absolute"
    """It lasted as long as a session may."""
    REVOKED = "revoked"
    """The house closed it: somebody was disabled or moved, or has a new password."""


class TurnedAway(msgspec.Struct, frozen=True):
    """The door says no: why, and when it makes sense to come again."""

    code: ServerCode
    sentence: str
    retry_seconds: int | None = None
    """For the header Retry-After; None: coming again does not help."""
    tries_left: int | None = None
    """How often a name may still be tried, whether anybody has it or not."""
    ended: Ended | None = None
    """Why the session of a token is over, as far as it is remembered."""

    def __str__(self) -> str:
        return self.sentence


class Issued(msgspec.Struct, frozen=True):
    """A secret for whoever asked for it; it does not show itself in any log or traceback."""

    token: str
    expires: datetime

    def __repr__(self) -> str:
        return f"{type(self).__name__}(expires={self.expires.isoformat()})"


def whole_seconds(seconds: float) -> int:
    """Round a time to wait up to whole seconds, of which there is at least one."""
    return max(1, ceil(seconds))


def unauthenticated(ended: Ended | None = None) -> TurnedAway:
    """Say that nobody is signed in, and why not any more."""
    sentence = "Nobody is signed in here; sign in first."
    return TurnedAway(ServerCode.UNAUTHENTICATED, sentence, ended=ended)
