"""Checkpoints: signed heads of all streams, kept outside the journal's store.

Whoever can write the store can cut off or roll back its end, and every hash that is left
still fits. A checkpoint says how far the journal had come, so a start behind it is refused.
It covers the answers to commands as well, of which refusals have no record. Each checkpoint
carries the digest of the one before it; the files are never overwritten.
"""

from __future__ import annotations

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
from croupier.journal.record import Head, encode_canonical
from croupier.journal.store import JournalError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
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
    content = encode_canonical(
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
    return hashlib.sha256(before + content).digest()


def refusal_digest(answer: Answer) -> str:
    """Return the digest by which a checkpoint knows a refusal behind the head."""
    return digest_answer(NO_ANSWERS, answer).hex()


class Progress:
    """How far the journal has come, as its writers tell after every append.

    Answers whose first record is number s or before are final when record s is durable: a
    later command comes behind it. So the digest at a head covers exactly those. A refusal
    behind the head is signed by itself: others may still come to stand before it.
    """

    def __init__(self) -> None:
        self._heads: dict[str, Head] = {}
        self._digests: dict[str, bytes] = {}
        self._later: dict[str, list[Answer]] = {}
        self._signed: dict[str, set[str]] = {}
        """Digests of the refusals behind the heads that are in checkpoints."""

    @classmethod
    async def of(cls, store: Store, newest: Checkpoint | None = None) -> Progress:
        """Read how far a store has come; refuse answers that a checkpoint saw otherwise."""
        progress = cls()
        for head in await store.heads():
            answers = await store.answers(head.stream)
            if newest is not None:
                sequence, _ = newest.heads.get(head.stream, (0, ""))
                progress._take_up_to(head.stream, sequence, answers)
                progress._require(newest, head.stream)
                answers = []
            progress._take_up_to(head.stream, head.sequence, answers)
            progress._heads[head.stream] = head
        return progress

    def _require(self, newest: Checkpoint, stream: str) -> None:
        """Refuse to start where answers are not those that were signed."""
        seen = newest.answers.get(stream)
        signed = set(newest.refused.get(stream, ()))
        here = {refusal_digest(one) for one in self._later.get(stream, ())}
        if (seen is None or seen == self._digests[stream].hex()) and signed <= here:
            self._signed[stream] = signed
            return
        message = (
            f"Answers of {stream} are not those that"
            f" checkpoint {newest.number} has seen, so nothing starts."
        )
        raise CheckpointError(message)

    def take(self, batch: Batch) -> None:
        """Take note of a batch that is durable."""
        stream = batch.stream
        head = batch.after
        if batch.records:
            last = batch.records[-1]
            head = Head(stream, last.sequence, last.hash)
        self._take_up_to(stream, head.sequence, batch.answers)
        if head.sequence:
            self._heads[stream] = head

    def _take_up_to(self, stream: str, sequence: int, answers: Iterable[Answer]) -> None:
        waiting = [*self._later.get(stream, ()), *answers]
        waiting.sort(key=lambda one: (one.first, one.actor, one.command))
        now = self._digests.get(stream, NO_ANSWERS)
        for answer in waiting:
            if answer.first <= sequence:
                now = digest_answer(now, answer)
        self._digests[stream] = now
        self._later[stream] = [one for one in waiting if one.first > sequence]

    @property
    def heads(self) -> list[Head]:
        """Return where the streams end."""
        return [self._heads[stream] for stream in sorted(self._heads)]

    @property
    def answers(self) -> dict[str, str]:
        """Return the digests of the answers, by stream."""
        return {stream: self._digests[stream].hex() for stream in sorted(self._heads)}

    @property
    def refused(self) -> dict[str, list[str]]:
        """Return the digests of refusals behind the heads that are not signed yet."""
        fresh = {}
        for stream, later in sorted(self._later.items()):
            known = self._signed.get(stream, set())
            digests = [refusal_digest(one) for one in later]
            new = [one for one in digests if one not in known]
            if new:
                fresh[stream] = new
        return fresh

    def signed(self, checkpoint: Checkpoint) -> None:
        """Take note of a checkpoint that was written."""
        for stream, digests in checkpoint.refused.items():
            here = {refusal_digest(one) for one in self._later.get(stream, ())}
            # Those that records have come behind since are in the digest of all answers.
            self._signed[stream] = here & {*self._signed.get(stream, ()), *digests}
