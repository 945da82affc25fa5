"""Sealed shoes: an order nobody knows, that everybody can check.

The order comes from the operating system's generator by an exact shuffle. Each card is a
salted leaf of a Merkle tree whose root is journalled before bets open. The cards are kept
encrypted with a key that is not in the journal; one is opened when it is exposed, with the
salt and the hashes that lead to the root.
"""

from __future__ import annotations

import hashlib
import secrets
import stat
from typing import TYPE_CHECKING

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from croupier.journal.errors import JournalError
from croupier.journal.files import write_once
from croupier.rules.shoe import Composition, Shoe

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from croupier.rules.cards import Deck

SALT_BYTES = 16
KEY_BYTES = 32
FACE_BYTES = 16
"""All faces are encrypted at one length, which would tell them otherwise."""
LEAF_BYTES = 32
OWNER_FOLDER, OWNER_FILE = 0o700, 0o600


class SealedCard(msgspec.Struct, frozen=True):
    """A card that was opened: its face and its salt."""

    card: str
    salt: bytes


def leaf_of(shoe: str, number: int, card: str, salt: bytes) -> bytes:
    """Return the leaf of a card."""
    name = shoe.encode()
    message = b"\x00" + len(name).to_bytes(2) + name + number.to_bytes(4) + salt + card.encode()
    return hashlib.sha256(message).digest()


class Tree:
    """A Merkle tree of leaves: as in RFC 6962, a node without a neighbour moves up alone."""

    def __init__(self, leaves: Sequence[bytes]) -> None:
        assert leaves, "a tree without leaves"
        self._levels = [tuple(leaves)]
        while len(self._levels[-1]) > 1:
            self._levels.append(_parents(self._levels[-1]))

    @property
    def leaves(self) -> tuple[bytes, ...]:
        """Return the leaves."""
        return self._levels[0]

    @property
    def root(self) -> bytes:
        """Return the hash that stands for all leaves and their order."""
        return self._levels[-1][0]

    def path(self, number: int) -> tuple[bytes, ...]:
        """Return the hashes that lead from a leaf to the root, the nearest first."""
        assert 0 <= number < len(self.leaves), "no such leaf"
        path = []
        for level in self._levels[:-1]:
            if number ^ 1 < len(level):
                path.append(level[number ^ 1])
            number >>= 1
        return tuple(path)


def _parents(level: tuple[bytes, ...]) -> tuple[bytes, ...]:
    pairs = zip(level[::2], level[1::2], strict=False)
    parents = [hashlib.sha256(b"\x01" + left + right).digest() for left, right in pairs]
    return (*parents, level[-1]) if len(level) % 2 else tuple(parents)


class Seal(msgspec.Struct, frozen=True):
    """What is made when a shoe is sealed: the root is public, the rest is kept."""

    shoe: str
    tree: Tree
    kept: tuple[bytes, ...]
    """Each card's leaf and its encrypted face and salt."""


def seal_shoe(
    shoe: str,
    deck: Deck,
    decks: int,
    key: bytes,
    below: Callable[[int], int] = secrets.randbelow,
) -> Seal:
    """Shuffle a full shoe and seal it."""
    order = Shoe.of(Composition.full(deck, decks)).shuffled(below)
    cipher = ChaCha20Poly1305(key)
    leaves, kept = [], []
    for number, card in enumerate(order):
        salt = secrets.token_bytes(SALT_BYTES)
        leaf = leaf_of(shoe, number, card.text, salt)
        hidden = cipher.encrypt(
            number.to_bytes(12), salt + card.text.ljust(FACE_BYTES).encode(), shoe.encode()
        )
        leaves.append(leaf)
        kept.append(leaf + hidden)
    return Seal(shoe, Tree(leaves), tuple(kept))


def open_card(shoe: str, number: int, kept: bytes, key: bytes) -> SealedCard:
    """Decrypt one sealed card, and check it against its leaf."""
    try:
        plain = ChaCha20Poly1305(key).decrypt(
            number.to_bytes(12), kept[LEAF_BYTES:], shoe.encode()
        )
    except InvalidTag as error:
        message = f"Card {number} of shoe {shoe} cannot be opened with this key."
        raise JournalError(message) from error
    card = SealedCard(plain[SALT_BYTES:].decode().rstrip(), plain[:SALT_BYTES])
    if leaf_of(shoe, number, card.card, card.salt) != kept[:LEAF_BYTES]:
        message = f"Card {number} of shoe {shoe} is not the one that was sealed."
        raise JournalError(message)
    return card


class KeyBox:
    """Keys of shoes, each in a file of its own, in a folder that is not the journal's."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True, mode=OWNER_FOLDER)
        mode = stat.S_IMODE(folder.stat().st_mode)
        if mode & ~OWNER_FOLDER:
            message = (
                f"The folder {folder} keeps keys of shoes and others can look into it;"
                f" its mode is {mode:o}, not {OWNER_FOLDER:o}."
            )
            raise JournalError(message)

    def make(self, shoe: str) -> bytes:
        """Make the key of a new shoe, and keep it before the shoe is used."""
        key = ChaCha20Poly1305.generate_key()
        try:
            # The file is its owner's alone from the first moment, and a shoe that is in the
            # journal must find its key after a power failure too.
            write_once(self._path(shoe), key, mode=OWNER_FILE)
        except FileExistsError as error:
            message = f"There is a key for shoe {shoe} already."
            raise JournalError(message) from error
        except OSError as error:
            message = f"The key of shoe {shoe} cannot be kept: {error.strerror}."
            raise JournalError(message) from error
        return key

    def key(self, shoe: str) -> bytes:
        """Return the key of a shoe."""
        try:
            key = self._path(shoe).read_bytes()
        except FileNotFoundError as error:
            message = f"There is no key for shoe {shoe}; its cards cannot be opened."
            raise JournalError(message) from error
        except OSError as error:
            message = f"The key of shoe {shoe} cannot be read: {error.strerror}."
            raise JournalError(message) from error
        if len(key) != KEY_BYTES:
            message = f"The key of shoe {shoe} is damaged; its cards cannot be opened."
            raise JournalError(message)
        return key

    def _path(self, shoe: str) -> Path:
        return self.folder / f"{hashlib.sha256(shoe.encode()).hexdigest()[:32]}.key"
