"""Checkpoints: signed heads of all streams, kept outside the journal's store.

Whoever can write the store can cut off or roll back its end, and every hash that is left
still fits. A checkpoint says how far the journal had come, so a start behind it is refused.
Refusals are decisions like all others, so the head of a stream covers them. Each checkpoint
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

from croupier.journal.codec import encode_canonical
from croupier.journal.errors import JournalError
from croupier.journal.files import sync_folder, write_once

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from croupier.journal.decision import Head

EVERY_DECISIONS = 100
EVERY_SECONDS = 60
PAUSE_SECONDS = 0.1
"""Between two checkpoints, however much is decided: each waits twice for the disk on which the
journal is written, and from some thousand decisions a second one would follow the other."""
NAME = "checkpoint-{:010d}.json"
KEY_BYTES = 32
CHECKED_AT_START = 32
"""How many of the newest checkpoints are read when a house starts."""


class Checkpoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far every stream had come, at a moment."""

    number: int
    moment: str
    heads: dict[str, tuple[int, str]]
    """By stream: the sequence and the hash of its newest decision."""
    previous: str
    """The digest of the checkpoint before it; empty for the first."""


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
        return self._read_from(1, key)

    def newest(self, key: str | None = None) -> Checkpoint | None:
        """Return the newest checkpoint, checked with the few before it.

        That is enough for a start, and costs the same in every year. What a start must not
        lie behind is the farthest that was ever signed, stream by stream. Every checkpoint
        names all streams, and a stream never falls from one to the next, so the newest asks
        for the most; whatever was done to older ones, none of them could ask for more. That
        no file is missing between is seen by the names. Whoever verifies a journal checks
        them all.
        """
        last = len(self._paths())
        signed = self._read_from(max(1, last - CHECKED_AT_START + 1), key)
        return signed[-1].checkpoint if signed else None

    def page(self, before: int | None, limit: int, key: str) -> list[Signed]:
        """Return some checkpoints, the newest first, each checked with its signature.

        ``before`` is the number of one: those before it.
        """
        paths = self._paths()
        last = len(paths) if before is None else min(max(before, 1) - 1, len(paths))
        first = max(1, last - limit + 1)
        return self._read_from(first, key, last)[::-1]

    def _paths(self) -> list[Path]:
        """Return the files in order; their names must be without a gap."""
        paths = sorted(self.folder.glob("checkpoint-*.json"))
        for number, path in enumerate(paths, 1):
            if path.name != NAME.format(number):
                raise _not_following(path)
        return paths

    def _read_from(self, first: int, key: str | None, last: int | None = None) -> list[Signed]:
        """Read and check the checkpoints from a number on, to another one."""
        signed: list[Signed] = []
        for number, path in enumerate(self._paths()[first - 1 : last], first):
            one = _read(path)
            key = one.key if key is None else key
            body = encode_canonical(one.checkpoint)
            if one.key != key or not check_signature(key, one.signature, body):
                message = f"{path.name} is not signed by the key of this journal."
                raise CheckpointError(message)
            before = digest(signed[-1].checkpoint) if signed else ""
            follows = one.checkpoint.previous == before or (number == first > 1)
            if one.checkpoint.number != number or not follows:
                raise _not_following(path)
            signed.append(one)
        return signed

    def write(self, heads: Iterable[Head], signer: Signer, moment: str) -> Checkpoint:
        """Write a new checkpoint, durably."""
        self.folder.mkdir(parents=True, exist_ok=True)
        newest = self._known_newest(signer)
        number = newest.number + 1 if newest else 1
        checkpoint = Checkpoint(
            number,
            moment,
            {head.stream: (head.sequence, head.hash.hex()) for head in heads},
            digest(newest) if newest else "",
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
        """Return the newest checkpoint; it is checked once, and again after a failure.

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


def _not_following(path: Path) -> CheckpointError:
    return CheckpointError(f"{path.name} does not follow the checkpoint before it.")


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

    Only how far it came is looked at here; whether the decision of that number is the
    one that was signed is for who has the decisions.
    """
    have = {head.stream: head.sequence for head in heads}
    for stream, (sequence, _) in sorted(checkpoint.heads.items()):
        if have.get(stream, 0) < sequence:
            return (
                f"{stream} ends at decision {have.get(stream, 0)};"
                f" checkpoint {checkpoint.number} has seen decision {sequence}"
            )
    return None
