"""Errors of the journal; their message is one sentence for a person."""

from __future__ import annotations


class JournalError(Exception):
    """Something the journal cannot do."""


class ConflictError(JournalError):
    """Another writer appended first: the decisions do not follow the head of the stream."""


class FencedError(JournalError):
    """The stream was taken over: this writer's epoch is over."""


class IdTakenError(JournalError):
    """A command has an identification that is in the journal already."""


class LedgerError(JournalError):
    """Postings of nothing, or that would make an account of a patron negative."""


class OtherCommandError(JournalError):
    """Another command came under an identification that is taken."""


class UnwritableError(JournalError):
    """A name or a text that not every store can write."""


class NotInPositionError(JournalError):
    """Somebody asks or approves in a position that the accounts do not know them in."""


class BusyError(JournalError):
    """Too many commands wait; whoever comes is told so, and nothing came of the command."""


class TooLateError(JournalError):
    """A command reached its stream after its deadline; nothing came of it."""


class UnansweredError(JournalError):
    """The owner of a stream has not answered; who sends a command again learns what came."""


class PoisonedError(JournalError):
    """The medium failed; whether the last frame was written is unknown until re-read."""


class NotDoneError(PoisonedError):
    """The medium failed and was read again: nothing came of a command, send it again."""


# Sentences


def taken_over(stream: str, epoch: int) -> FencedError:
    """Say that somebody else owns a stream by now."""
    return FencedError(f"Stream {stream} was taken over; epoch {epoch} is over.")


def busy(waiting: int, place: str) -> BusyError:
    """Say that too many commands wait."""
    return BusyError(f"{waiting} commands wait for {place}; send it again in a moment.")


def stopped() -> PoisonedError:
    """Say that a store answers no more."""
    return PoisonedError("The store was stopped.")


def failure_of(error: BaseException) -> JournalError:
    """Say why nobody is served."""
    if isinstance(error, JournalError):
        return error
    return PoisonedError(f"The journal failed: {type(error).__name__}: {error}.")


def not_done(error: BaseException) -> NotDoneError:
    """Say that a medium failed, and that nothing came of a command."""
    return NotDoneError(
        f"{failure_of(error)} It was opened again,"
        " and nothing came of this command: send it again."
    )


def failed_at(stream: str, error: BaseException) -> JournalError:
    """Say why a command of a stream could not be decided."""
    if isinstance(error, JournalError):
        return error
    return JournalError(f"The desk of {stream} failed: {type(error).__name__}: {error}.")
