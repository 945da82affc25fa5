"""Problems: what the server itself says no to, and how every no goes over the wire.

A refusal of a table, the cage or the accounts is recorded and has a sequence; what is turned
away here leaves no record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from croupier.floor.door import Ended  # read by msgspec
from croupier.floor.door import ServerCode as ServerCode  # noqa: PLC0414  # everybody has it from here
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
    tries_left: int | None = None
    """Of a sign-in that failed: how often this name may still be tried."""
    ended: Ended | None = None
    """Of a token that is not good any more: why its session is over."""


class ProblemError(Exception):
    """Somebody is turned away; nothing was recorded of it."""

    def __init__(
        self,
        code: ServerCode,
        detail: str,
        retry_seconds: float | None = None,
        *,
        tries_left: int | None = None,
        ended: Ended | None = None,
    ) -> None:
        super().__init__(detail)
        self.code, self.detail, self.retry_seconds = code, detail, retry_seconds
        self.tries_left, self.ended = tries_left, ended

    @property
    def problem(self) -> Problem:
        """Return it as it goes over the wire."""
        code = self.code
        return Problem(
            _type(code.value), code.title, code.status, self.detail, code.value, None,
            tries_left=self.tries_left, ended=self.ended,
        )  # fmt: skip


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
    return ProblemError(
        one.code, one.sentence, one.retry_seconds, tries_left=one.tries_left, ended=one.ended
    )


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
