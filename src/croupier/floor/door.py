"""The door: what turns somebody away before any table, cage or accounts could decide."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  # read by msgspec
from math import ceil
from typing import Self

import msgspec

from croupier.frozen import Named


class DoorCode(Named):
    """A reason to turn somebody away: its name on the wire, and the status of its answer."""

    status: int

    def __new__(cls, value: str, status: int) -> Self:
        """Keep the status beside the value."""
        member = object.__new__(cls)
        member._value_ = value
        member.status = status
        return member

    UNAUTHENTICATED = "unauthenticated", 401
    WRONG_LOGIN = "wrong_login", 401
    FORBIDDEN = "forbidden", 403
    BAD_APPROVAL = "bad_approval", 403
    SELF_APPROVAL = "self_approval", 403
    BAD_LINK = "bad_link", 403
    UNKNOWN_USER = "unknown_user", 404
    KNOWN_USER = "known_user", 409
    BAD_PASSWORD = "bad_password", 422
    BAD_TEXT = "bad_text", 422
    TOO_MANY = "too_many", 429
    BUSY = "busy", 503


class TurnedAway(msgspec.Struct, frozen=True):
    """The door says no: why, and when it makes sense to come again."""

    code: DoorCode
    sentence: str
    retry_seconds: int | None = None
    """For the header Retry-After; None: coming again does not help."""

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


def unauthenticated() -> TurnedAway:
    """Say that nobody is signed in."""
    return TurnedAway(DoorCode.UNAUTHENTICATED, "Nobody is signed in here; sign in first.")
