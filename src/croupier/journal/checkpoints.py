"""Checkpoints: signed heads of all streams, kept outside the journal's store.

Whoever can write the store can cut off or roll back its end, and every hash that is left
still fits. A checkpoint says how far the journal had come, so a start behind it is refused.
It covers the answers to commands as well, of which refusals have no record. Each checkpoint
carries the digest of the one before it; the files are never overwritten.
"""

from __future__ import annotations

import asyncio
import hashlib
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from croupier.journal.files import sync_folder, write_once
from croupier.journal.record import GENESIS, Head, encode_canonical
from croupier.journal.errors import JournalError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from croupier.journal.record import Answer, Batch
    from croupier.journal.store import Store

EVERY_RECORDS = 100
EVERY_SECONDS = 60
NAME = "checkpoint-{:010d}.json"
KEY_BYTES = 32
NO_ANSWERS = bytes(32)
"""The digest before the first answer of a stream."""


class Checkpoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far every stream had come, at a moment."""

    number: int
    moment: str
    heads: dict[str, tuple[int, str]]
    """By stream: the sequence and the hash of its newest record."""
    previous: str
    """The digest of the checkpoint before it; empty for the first."""
    answers: dict[str, str] = {}
    """By stream: the digest of all answers up to that record."""
    refused: dict[str, list[str]] = {}
    """By stream: digests of refusals behind that record which no checkpoint had before."""


class Signed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A checkpoint with its signature and the key that checks it."""

    checkpoint: Checkpoint
    key: str
    signature: str


class CheckpointError(JournalError):
    """A checkpoint that is not what was signed, or that the journal lies behind."""


class Signer:
    """Signs with a private key that is kept in a file of its own."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key

    @classmethod
    def at(cls, path: Path) -> Signer:
        """Read the key of a file, or make a new one there."""
        with suppress(FileNotFoundError):
            return cls._read(path)
        key = Ed25519PrivateKey.generate()
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            write_once(path, key.private_bytes_raw(), mode=0o600)
        except FileExistsError:
            return cls._read(path)
        return cls(key)

    @classmethod
    def once(cls) -> Signer:
        """Return a signer whose key is kept nowhere: what it signed, nobody signs again."""
        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def _read(cls, path: Path) -> Signer:
        content = path.read_bytes()
        if len(content) != KEY_BYTES:
            message = f"{path.name} holds no signing key."
            raise CheckpointError(message)
        return cls(Ed25519PrivateKey.from_private_bytes(content))

    @property
    def public(self) -> str:
        """Return the key that checks what this one signs."""
        return self._key.public_key().public_bytes_raw().hex()

    def sign(self, message: bytes) -> str:
        """Return the signature of a message."""
        return self._key.sign(message).hex()


def check_signature(key: str, signature: str, message: bytes) -> bool:
    """Tell whether a signature is that of a key; both are written in one way only."""
    try:
        key_bytes, signature_bytes = bytes.fromhex(key), bytes.fromhex(signature)
        if (key_bytes.hex(), signature_bytes.hex()) != (key, signature):
            return False
        Ed25519PublicKey.from_public_bytes(key_bytes).verify(signature_bytes, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def digest(checkpoint: Checkpoint) -> str:
    """Return the digest by which the next checkpoint knows this one."""
    return hashlib.sha256(encode_canonical(checkpoint)).hexdigest()


class Checkpoints:
    """The checkpoints of a journal, in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._written: Checkpoint | None = None
        """The newest one, once this object has checked or written it."""
        self._begun: Checkpoint | None = None
        """The one that was being written when something failed."""
        self._checked = False

    def all(self, key: str | None = None) -> list[Signed]:
        """Read and check all checkpoints: numbers, chain and signatures.

        Without a key, the one of the first checkpoint must have signed them all.
        """
        signed: list[Signed] = []
        previous = ""
        for number, path in enumerate(sorted(self.folder.glob("checkpoint-*.json")), 1):
            one = _read(path)
            key = one.key if key is None else key
            body = encode_canonical(one.checkpoint)
            if one.key != key or not check_signature(key, one.signature, body):
                message = f"{path.name} is not signed by the key of this journal."
                raise CheckpointError(message)
            follows = one.checkpoint.number == number and one.checkpoint.previous == previous
            if not follows or path.name != NAME.format(number):
                message = f"{path.name} does not follow the checkpoint before it."
                raise CheckpointError(message)
            previous = digest(one.checkpoint)
            signed.append(one)
        return signed

    def newest(self, key: str | None = None) -> Checkpoint | None:
        """Return the newest checkpoint, all before it checked."""
        signed = self.all(key)
        return signed[-1].checkpoint if signed else None

    def write(
        self,
        heads: Iterable[Head],
        signer: Signer,
        moment: str,
        answers: Mapping[str, str] | None = None,
        refused: Mapping[str, Iterable[str]] | None = None,
    ) -> Checkpoint:
        """Write a new checkpoint, durably."""
        self.folder.mkdir(parents=True, exist_ok=True)
        newest = self._known_newest(signer)
        number = newest.number + 1 if newest else 1
        checkpoint = Checkpoint(
            number,
            moment,
            {head.stream: (head.sequence, head.hash.hex()) for head in heads},
            digest(newest) if newest else "",
            dict(answers or {}),
            {stream: list(one) for stream, one in (refused or {}).items() if one},
        )
        signed = Signed(checkpoint, signer.public, signer.sign(encode_canonical(checkpoint)))
        path = self.folder / NAME.format(number)
        self._begun = checkpoint
        try:
            write_once(path, encode_canonical(signed))
        except FileExistsError as error:
            raise _of_somebody_else(number) from error
        self._written, self._begun = checkpoint, None
        return checkpoint

    def _known_newest(self, signer: Signer) -> Checkpoint | None:
        """Return the newest checkpoint; all are checked once, and again after a failure.

        What was begun when something failed may be there whole, under its name, and not yet
        durable: then it counts, once it is. Whatever else is there is not of this house.
        """
        if self._checked and self._begun is None:
            return self._written
        sync_folder(self.folder)
        newest = self.newest(signer.public)
        if self._checked and newest not in (self._written, self._begun):
            raise _of_somebody_else(newest.number if newest else 0)
        self._checked, self._written, self._begun = True, newest, None
        return newest


def _of_somebody_else(number: int) -> CheckpointError:
    return CheckpointError(f"{NAME.format(number)} was written by somebody else.")


def _read(path: Path) -> Signed:
    """Read a checkpoint; it is written in one way only."""
    try:
        content = path.read_bytes()
        signed = msgspec.json.decode(content, type=Signed)
    except (msgspec.MsgspecError, UnicodeError, OSError) as error:
        message = f"{path.name} cannot be read: {error}."
        raise CheckpointError(message) from error
    if encode_canonical(signed) != content:
        message = f"{path.name} is not written as checkpoints are."
        raise CheckpointError(message)
    return signed


def behind(checkpoint: Checkpoint, heads: Iterable[Head]) -> str | None:
    """Say in which stream a journal lies behind a checkpoint, or return None.

    Only how far it came is looked at here; whether the record of that number is the one
    that was signed is for who has the records.
    """
    have = {head.stream: head.sequence for head in heads}
    for stream, (sequence, _) in sorted(checkpoint.heads.items()):
        if have.get(stream, 0) < sequence:
            return (
                f"{stream} ends at record {have.get(stream, 0)};"
                f" checkpoint {checkpoint.number} has seen record {sequence}"
            )
    return None


def digest_answer(before: bytes, answer: Answer) -> bytes:
    """Return the digest of all answers of a stream up to this one."""
    return hashlib.sha256(before + _content(answer)).digest()


def _content(answer: Answer) -> bytes:
    """Return an answer as it is digested."""
    return encode_canonical(
        (
            answer.actor,
            answer.command,
            answer.digest.hex(),
            answer.stream,
            answer.first,
            answer.last,
            answer.result.hex(),
        )
    )


def refusal_digest(answer: Answer) -> str:
    """Return the digest by which a checkpoint knows a refusal behind the head."""
    return digest_answer(NO_ANSWERS, answer).hex()


def signed_refusals(
    stream: str, checkpoints: Iterable[Checkpoint]
) -> dict[tuple[int, str], int]:
    """Return the signed refusals by place and digest, and the checkpoints that saw them."""
    return {
        (one.heads.get(stream, (0, ""))[0] + 1, digest): one.number
        for one in checkpoints
        for digest in one.refused.get(stream, ())
    }


class StreamProgress:
    """How far one stream has come.

    Answers whose first record is number s or before are final when record s is durable: a
    later command comes behind it. So the digest at a head covers exactly those. A refusal
    behind the head is signed by itself: others may still come to stand before it.
    """

    def __init__(self, stream: str) -> None:
        self.head = Head(stream, 0, GENESIS)
        self.digest = NO_ANSWERS
        """Of all answers up to the head."""
        self.signed: set[str] = set()
        """Digests of the refusals behind the head that are in checkpoints."""
        self.unsigned: dict[str, None] = {}
        """Digests of those that are in none yet, in the order in which they came."""
        self._behind: list[tuple[int, str, str, bytes]] = []
        """What lies behind the head, put in order only when a record comes behind it."""
        self.turns = 0
        """How often more was told."""

    def take(self, head: Head, answers: Iterable[Answer]) -> None:
        """Take note of a head, and of answers that were not known yet."""
        self.turns += 1
        new = [(one.first, one.actor, one.command, _content(one)) for one in answers]
        if head.sequence > self.head.sequence:
            new += self._behind
            for *_, content in sorted(one for one in new if one[0] <= head.sequence):
                self.digest = hashlib.sha256(self.digest + content).digest()
            new = [one for one in new if one[0] > head.sequence]
            self._behind, self.signed, self.unsigned = [], set(), {}
        self.head = head
        self._behind += new
        for *_, content in new:
            self.unsigned[hashlib.sha256(NO_ANSWERS + content).hexdigest()] = None

    def sign(self, digests: Iterable[str]) -> None:
        """Take note of refusals that are in a checkpoint.

        Those that a record has come behind since are in the digest of all answers.
        """
        for one in digests:
            if one in self.unsigned:
                del self.unsigned[one]
                self.signed.add(one)


class Progress:
    """How far the journal has come, as its writers tell after every append."""

    def __init__(self) -> None:
        self._streams: dict[str, StreamProgress] = {}

    @classmethod
    async def of(cls, store: Store, *checkpoints: Checkpoint) -> Progress:
        """Read how far a store has come; refuse answers that were signed otherwise.

        A stream that has refusals only is known by its checkpoints; until it is in one, by
        its desk, which has it read when it starts.
        """
        progress = cls()
        streams = {head.stream for head in await store.heads()}
        for one in checkpoints:
            streams.update(one.heads, one.refused)
        for stream in sorted(streams):
            head, answers = await _read_stream(store, stream)
            here = progress._streams[stream] = StreamProgress(stream)
            if checkpoints:
                _require_signed(here, answers, checkpoints)
                answers = []
            here.take(head, answers)
        return progress

    async def reload(self, store: Store, stream: str) -> int:
        """Read a stream anew, and return how much of it was not known."""
        known = self._streams.setdefault(stream, StreamProgress(stream))
        while True:
            turns = known.turns
            head, answers = await _read_stream(store, stream)
            here = StreamProgress(stream)
            # A long stream takes its time, which is not that of all other desks.
            await asyncio.to_thread(here.take, head, answers)
            now = self._streams[stream]
            if now is known and known.turns == turns:
                break
            known = now  # somebody told more of it meanwhile: what was read may lack that
        if head.sequence < known.head.sequence:
            message = (
                f"The journal was cut off or rolled back: {stream} ends at record"
                f" {head.sequence}, and record {known.head.sequence} was in it."
            )
            raise CheckpointError(message)
        here.sign(known.signed)
        self._streams[stream] = here
        refusals = here.unsigned.keys() - known.unsigned.keys()
        return head.sequence - known.head.sequence + len(refusals)

    def take(self, batch: Batch) -> None:
        """Take note of a batch that is durable."""
        stream, head = batch.stream, batch.after
        if batch.records:
            last = batch.records[-1]
            head = Head(stream, last.sequence, last.hash)
        here = self._streams.setdefault(stream, StreamProgress(stream))
        # Whoever signs a digest with a gap in it can never start again.
        assert batch.after == here.head, "the keeper was not told of all that is in a stream"
        here.take(head, batch.answers)

    def signed(self, checkpoint: Checkpoint) -> None:
        """Take note of a checkpoint that was written."""
        for stream, digests in checkpoint.refused.items():
            self._streams[stream].sign(digests)

    @property
    def heads(self) -> list[Head]:
        """Return where the streams end."""
        heads = (one.head for _, one in sorted(self._streams.items()))
        return [head for head in heads if head.sequence]

    @property
    def answers(self) -> dict[str, str]:
        """Return the digests of the answers, by stream."""
        return {head.stream: self._streams[head.stream].digest.hex() for head in self.heads}

    @property
    def refused(self) -> dict[str, list[str]]:
        """Return the digests of refusals behind the heads that are not signed yet."""
        streams = sorted(self._streams.items())
        return {stream: list(one.unsigned) for stream, one in streams if one.unsigned}


async def _read_stream(store: Store, stream: str) -> tuple[Head, list[Answer]]:
    """Return a head, the answers up to it, and the refusals behind it.

    Another process may have written between the two readings. What came behind the next
    record is then left for later; whoever writes the stream here has it read again before.
    """
    head = await store.head(stream)
    place = head.sequence + 1
    answers = await store.answers(stream)
    return head, [one for one in answers if one.first < place or one.last < one.first == place]


def _require_signed(
    here: StreamProgress, answers: list[Answer], checkpoints: Sequence[Checkpoint]
) -> None:
    """Refuse to start where answers are not those that were signed."""
    stream, newest = here.head.stream, checkpoints[-1]
    sequence, digest = newest.heads.get(stream, (0, ""))
    here.take(Head(stream, sequence, bytes.fromhex(digest)), answers)
    places = signed_refusals(stream, checkpoints).items()
    refusals = {one: number for (place, one), number in places if place == sequence + 1}
    gone = [number for one, number in refusals.items() if one not in here.unsigned]
    if gone or newest.answers.get(stream, here.digest.hex()) != here.digest.hex():
        message = (
            f"Answers of {stream} are not those that"
            f" checkpoint {min(gone, default=newest.number)} has seen, so nothing starts."
        )
        raise CheckpointError(message)
    here.sign(refusals)
