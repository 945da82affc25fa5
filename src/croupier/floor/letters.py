"""Letters: commands as they lie in the inbox, and answers of which there is no record.

What is secret in a command was taken out before it was written. A letter says versions as a
decision does, so houses of two releases can write to one another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from croupier.floor.conditions import StillOn
from croupier.floor.problems import ConditionError, ServerCode
from croupier.journal import codec
from croupier.journal.codec import AnyCommand, encode_canonical
from croupier.journal.decision import Person, versions_in
from croupier.journal.errors import (
    BusyError,
    JournalError,
    NotInPositionError,
    OtherCommandError,
    TooLateError,
    UnwritableError,
)
from croupier.journal.gathering import Request

if TYPE_CHECKING:
    from croupier.journal.gathering import Asked
    from croupier.journal.inbox import Waiting

KINDS: dict[str, type[JournalError]] = {
    "busy": BusyError,
    "not_in_position": NotInPositionError,
    "other_command": OtherCommandError,
    "too_late": TooLateError,
    "unwritable": UnwritableError,
}
"""Errors that senders tell apart; all others are a JournalError with their sentence."""

UNREADABLE = (
    msgspec.MsgspecError,
    JournalError,
    LookupError,
    TypeError,
    AttributeError,
    AssertionError,
    RecursionError,
    UnicodeError,
)
"""What reading raises about a letter that no house of this release wrote."""


class Letter(msgspec.Struct, frozen=True, omit_defaults=True):
    """A command with all that its sender says of it."""

    actor: Person
    command: AnyCommand
    approver: Person | None = None
    cards: tuple[str, ...] = ()
    die: int | None = None
    still_on: StillOn | None = None
    versions: dict[str, int] = {}
    """As in a decision: of the kinds in it that are not at version 1."""


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why nothing came of a command, and nothing was recorded."""

    sentence: str
    kind: str | None = None
    code: str | None = None
    """Of the server, where it says so."""


_read_answer = msgspec.json.Decoder(Answer).decode


def write_letter(asked: Asked) -> bytes:
    """Write a command down, as it was prepared to be decided."""
    still_on = asked.condition
    if still_on is not None and not isinstance(still_on, StillOn):
        message = "This condition of a command cannot be told to another house."
        raise JournalError(message)
    given = asked.given
    versions = versions_in(asked.command, ())
    return encode_canonical(
        Letter(
            asked.actor, asked.command, asked.approver, given.cards, given.die, still_on,
            versions,
        )
    )  # fmt: skip


def read_letter(waiting: Waiting) -> Request:
    """Return the command of a letter, brought up to today's versions."""
    try:
        fields = msgspec.json.decode(waiting.body, type=dict[str, Any])
        name = fields["command"]["type"]
        version = fields.get("versions", {}).get(name, 1)
        fields["command"] = codec.upcast(name, version, fields["command"])
        letter = msgspec.convert(fields, Letter)
        approver = None if letter.approver is None else letter.approver.member
    except UNREADABLE as error:
        said = str(error).rstrip(".") or type(error).__name__
        message = f"A command that came to {waiting.stream} cannot be read: {said}."
        raise JournalError(message) from error
    if letter.actor.key != waiting.actor:
        message = f"A command that came to {waiting.stream} is of somebody else inside."
        raise JournalError(message)
    return Request(
        waiting.command_id, letter.actor, letter.command, approver, letter.cards, letter.die,
        letter.still_on, read=True, concealed=True,
    )  # fmt: skip


def write_answer(error: BaseException) -> bytes:
    """Write down why nothing came of a command."""
    kind = next((name for name, one in KINDS.items() if isinstance(error, one)), None)
    code = error.code.value if isinstance(error, ConditionError) else None
    return encode_canonical(Answer(str(error), kind, code))


def read_answer(body: bytes) -> JournalError:
    """Return why nothing came of a command, as its owner would have told it."""
    try:
        answer = _read_answer(body)
        if answer.code is not None:
            return ConditionError(ServerCode(answer.code), answer.sentence)  # type: ignore[call-arg]
    except (msgspec.MsgspecError, ValueError):
        return JournalError("What was answered to this command cannot be read.")
    return KINDS.get(answer.kind or "", JournalError)(answer.sentence)
