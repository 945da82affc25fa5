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


class BusyError(JournalError):
    """Too many commands wait; whoever comes is told so, and nothing came of the command."""


class PoisonedError(JournalError):
    """The medium failed; whether the last frame was written is unknown until re-read."""


class NotDoneError(PoisonedError):
    """The medium failed and was read again: nothing came of a command, send it again."""
