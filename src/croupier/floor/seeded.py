"""Chance that can be repeated, for a house that plays for nothing.

The order of a shoe follows from the seed, the table and the number of the shoe; a die from the
seed, the table and the number of the round. Both numbers are in the journal and only rise, so
a restart repeats none of them.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

WORD_BYTES = 8


class Seeded:
    """Gives numbers by a seed: for each shoe and each round of a table its own."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def shoe(self, table: str, number: int) -> Callable[[int], int]:
        """Return what shuffles the shoe of this number."""
        return self._below("shoe", table, number)

    def die(self, table: str, number: int) -> Callable[[int], int]:
        """Return what rolls the die of the round of this number."""
        return self._below("die", table, number)

    def _below(self, what: str, table: str, number: int) -> Callable[[int], int]:
        # The table comes last: its name may hold anything.
        name = f"{self.seed} {what} {number} {table}".encode()
        return Numbers(name).below


class Numbers:
    """Numbers from a name, each from 0 to below its limit, all equally likely."""

    def __init__(self, name: bytes) -> None:
        self._key, self._count = hashlib.sha256(name).digest(), 0
        self._left = b""

    def below(self, limit: int) -> int:
        """Return a number from 0 to limit - 1."""
        assert 0 < limit <= 1 << 32, "too many to choose from"
        whole = (1 << 8 * WORD_BYTES) // limit * limit
        while True:
            word = self._word()
            if word < whole:  # else the small numbers would come more often
                return word % limit

    def _word(self) -> int:
        if not self._left:
            block = self._key + self._count.to_bytes(WORD_BYTES)
            self._left, self._count = hashlib.sha256(block).digest(), self._count + 1
        word, self._left = self._left[:WORD_BYTES], self._left[WORD_BYTES:]
        return int.from_bytes(word)
