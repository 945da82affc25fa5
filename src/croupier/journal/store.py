"""What every store can do, whichever keeps the records: memory, SQLite or PostgreSQL.

Everything of a batch is written in one transaction, and an append returns only when it is
durable. A store that met an error of its medium is poisoned: it answers nothing more until
it is opened again, because what reached the medium is not known before it is re-read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from croupier.journal.record import Answer, Batch, Head, Posting, Record


class JournalError(Exception):
    """Something the journal cannot do; the message is one sentence for a person."""


class ConflictError(JournalError):
    """Another writer appended first: the records do not follow the head of the stream."""


class FencedError(JournalError):
    """The stream was taken over: this writer's epoch is over."""


class ReusedCommandError(JournalError):
    """A command came under an identification that another command has."""


class LedgerError(JournalError):
    """Postings of nothing, or that would make an account of a patron negative."""


class PoisonedError(JournalError):
    """The medium failed; whether the last batch was written is unknown until re-read."""


class Store(Protocol):
    """Keeps records, postings and answers."""

    async def claim(self, stream: str, holder: str) -> int:
        """Take a stream over: return a new epoch; writers of older ones are fenced.

        The epoch is above that of every record of the stream, whoever owned it.
        """

    async def append(self, batch: Batch) -> None:
        """Write a batch durably, or nothing of it.

        Refused in this order: a batch that does not hang together, an epoch that is over,
        another head, a command that was answered, an account below zero.
        """

    async def head(self, stream: str) -> Head:
        """Return the newest record's place and hash; sequence 0 when there is none."""

    async def heads(self) -> list[Head]:
        """Return the heads of all streams."""

    async def read(self, stream: str, after: int = 0, limit: int = 10_000) -> list[Record]:
        """Return records of a stream in order."""

    async def answer(self, actor: str, command: str) -> Answer | None:
        """Return how a command was answered, if it was."""

    async def answers(self, stream: str) -> list[Answer]:
        """Return the answers that belong to a stream, by first record, actor, command."""

    async def postings(self, stream: str, after: int = 0) -> list[Posting]:
        """Return the postings of a stream in order."""

    async def balances(self) -> Mapping[str, int]:
        """Return the balance of every account that had a posting."""

    async def keep_sealed(self, shoe: str, cards: Sequence[bytes]) -> None:
        """Keep the sealed cards of a shoe, once."""

    async def sealed(self, shoe: str, index: int) -> bytes:
        """Return one sealed card of a shoe."""

    async def reopen(self) -> None:
        """Open the medium again after it failed, and read what reached it.

        Does nothing when the store is well. Epochs are in the database and stay valid, so
        whoever writes a stream goes on in the same epoch. When the medium fails again, that
        is a PoisonedError, and the store stays poisoned.
        """

    async def close(self) -> None:
        """Close the store."""


NAME_MAX = 200
"""How long a name may be: whatever is written in it, every database can make a key of it."""
_ONLY_WRITABLE = re.compile(r"[^\x00-\x1f\x7f-\x9f\ud800-\udfff]+").fullmatch


def unwritable(text: str) -> str | None:
    r"""Say why a text cannot be a key or a name in the journal; None: it can.

    >>> unwritable("patron:Ann")
    >>> unwritable("a\nb")
    "The name 'a\\nb' holds a control character or half a character; neither is written."
    """
    # Nearly every name is printable, and that is told faster.
    if 0 < len(text) <= NAME_MAX and (text.isprintable() or _ONLY_WRITABLE(text)):
        return None
    if not text:
        return f"A name is empty; it has 1 to {NAME_MAX} characters."
    if len(text) > NAME_MAX:
        return (
            f"The name that begins with {text[:20]!a} has {len(text)} characters;"
            f" at most {NAME_MAX} are allowed."
        )
    return (
        f"The name {text!a} holds a control character or half a character; neither is written."
    )


def check_names(names: Iterable[str]) -> None:
    """Refuse what cannot be a key or a name in every store."""
    for name in names:
        reason = unwritable(name)
        if reason is not None:
            raise JournalError(reason)


MAY_BE_NEGATIVE = (
    "cash",
    "vault",
    "house",
    "bank:",
    "box:",
    "commission:",
    "difference:",
)
"""Accounts of the house; all others belong to patrons or are owed to them."""


def may_be_negative(account: str) -> bool:
    """Tell whether an account may go below zero."""
    return account.startswith(MAY_BE_NEGATIVE)


CENTS_MAX = 2**63 - 1
"""What a database can hold; no account comes near it."""


def check_batch(batch: Batch) -> None:
    """Refuse a batch that does not hang together, before any store looks at it."""
    check_names(_names(batch))
    sequence, digest = batch.after.sequence, batch.after.hash
    for record in batch.records:
        follows = record.sequence == sequence + 1 and record.previous == digest
        if not follows or (record.stream, record.epoch) != (batch.stream, batch.epoch):
            message = (
                f"Record {record.sequence} of {record.stream}"
                f" does not follow record {sequence} of {batch.stream}."
            )
            raise JournalError(message)
        sequence, digest = record.sequence, record.hash
    for posting in batch.postings:
        if posting.stream != batch.stream or not (
            batch.after.sequence < posting.sequence <= sequence
        ):
            message = f"A posting belongs to {posting.stream} {posting.sequence}, not here."
            raise JournalError(message)
        if not 0 < posting.cents <= CENTS_MAX or posting.source == posting.target:
            message = (
                f"A posting of {posting.cents} cents from {posting.source}"
                f" to {posting.target} moves nothing that an account can hold."
            )
            raise LedgerError(message)


def _names(batch: Batch) -> set[str]:
    """Return all texts of a batch, each once; most come many times."""
    names = {batch.stream}
    for record in batch.records:
        names.update((record.moment, record.actor, record.command, record.name))
    for posting in batch.postings:
        names.update((posting.source, posting.target))
    for answer in batch.answers:
        names.update((answer.actor, answer.command))
    return names


def new_balances(balances: Mapping[str, int], postings: Sequence[Posting]) -> dict[str, int]:
    """Return the accounts that change, or refuse what no account can hold."""
    changed: dict[str, int] = {}
    for account, cents in moved(postings).items():
        held = changed[account] = balances.get(account, 0) + cents
        if held < 0 and not may_be_negative(account):
            message = f"Account {account} would hold less than nothing."
            raise LedgerError(message)
        if abs(held) > CENTS_MAX:
            message = f"Account {account} would hold more than can be written."
            raise LedgerError(message)
    return changed


def moved(postings: Sequence[Posting]) -> dict[str, int]:
    """Return by how much each account changes."""
    changes: dict[str, int] = {}
    for posting in postings:
        changes[posting.source] = changes.get(posting.source, 0) - posting.cents
        changes[posting.target] = changes.get(posting.target, 0) + posting.cents
    return changes
