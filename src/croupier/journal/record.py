"""Records: what a journal keeps, chained by hashes over a canonical form.

A record belongs to a stream (a table, the cage) and has the next number of it. Its hash
covers every field and the hash before it, all their lengths in front, so that no two
different records are written alike.
"""

from __future__ import annotations

import struct
from datetime import UTC, datetime
from hashlib import sha256

import msgspec

GENESIS = bytes(32)
"""The hash before the first record of a stream."""
MAGIC = b"croupier-journal-1"
LENGTHS = struct.Struct(">10I").pack
encode_canonical = msgspec.json.Encoder(order="sorted").encode
"""Canonical JSON: keys in order, no spaces, UTF-8."""


class Record(msgspec.Struct, frozen=True, gc=False):
    """One event as the journal keeps it."""

    stream: str
    sequence: int
    epoch: int
    moment: str
    actor: str
    command: str
    name: str
    version: int
    body: bytes
    previous: bytes
    hash: bytes


class Posting(msgspec.Struct, frozen=True, gc=False):
    """An amount that an event moves from one account to another: double entry by shape."""

    stream: str
    sequence: int
    line: int
    source: str
    target: str
    cents: int
    """Always above zero."""


class Answer(msgspec.Struct, frozen=True, gc=False):
    """How a command was answered: the same command gets the same answer again."""

    actor: str
    command: str
    digest: bytes
    stream: str
    first: int
    last: int
    """The records it led to; last below first: none."""
    result: bytes
    """Canonical JSON: the refusal, or null."""


class Head(msgspec.Struct, frozen=True, gc=False):
    """The newest record of a stream."""

    stream: str
    sequence: int
    hash: bytes


class Batch(msgspec.Struct, frozen=True, gc=False):
    """What is written in one transaction, or not at all."""

    stream: str
    epoch: int
    after: Head
    """The head that the records follow."""
    records: tuple[Record, ...]
    postings: tuple[Posting, ...]
    answers: tuple[Answer, ...]


def hash_of(record: Record) -> bytes:
    """Return the hash that a record should have: over all its other fields."""
    texts = (
        record.stream.encode(),
        b"%d" % record.sequence,
        b"%d" % record.epoch,
        record.moment.encode(),
        record.actor.encode(),
        record.command.encode(),
        record.name.encode(),
        b"%d" % record.version,
        record.previous,
        record.body,
    )
    return sha256(b"".join((MAGIC, LENGTHS(*map(len, texts)), *texts))).digest()


def chained(record: Record) -> Record:
    """Return a record with its hash filled in."""
    return msgspec.structs.replace(record, hash=hash_of(record))


def written_moment(moment: datetime) -> str:
    """Write a moment as records have it: in UTC, to the microsecond.

    >>> from datetime import timedelta, timezone
    >>> written_moment(datetime(2026, 1, 1, 8, tzinfo=timezone(timedelta(hours=8))))
    '2026-01-01T00:00:00.000000Z'
    """
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def digest_of(content: bytes) -> bytes:
    """Return the digest by which a repeated command is told from another one."""
    return sha256(content).digest()
