"""Tickets: their numbers, and the validation numbers that prove them.

A validation number follows from the number of its ticket and a key that is not in the store.
So whoever lost the answer to a cash-out can be given it again, and nothing has to keep it; the
journal has its digest only.
"""

from __future__ import annotations

import hmac
import secrets
from typing import TYPE_CHECKING, Self

import msgspec

from croupier.cage.commands import validation_digest
from croupier.cage.decide import TICKET_LIFE
from croupier.floor.amount_words import english
from croupier.journal.decision import written_moment
from croupier.journal.files import KEY_BYTES, key_at
from croupier.money import dollars

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.cage.events import CashedOut
    from croupier.gaming_day import Currency

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Nobody takes one of these characters for another."""
VALIDATION_LENGTH = 16
NUMBER_DIGITS = 12


class Printed(msgspec.Struct, frozen=True):
    """What is printed on a ticket beside its number and what proves it."""

    house: str
    """The site that pays it."""
    issued: str | None
    table: str | None
    """Where it is printed, by name, number and playing position; None: at no single place."""
    table_number: int | None
    position: int | None
    figures: str
    words: str
    sequence: int
    """Of the record by which it is found again."""
    expires: str | None
    """From when on it is paid no more."""

    @classmethod
    def on(
        cls, event: CashedOut, sequence: int, house: str, number: int | None, currency: Currency
    ) -> Self:
        """Return what is printed on the ticket of an event; ``number`` is its table's."""
        issued = None if event.expires is None else event.expires - TICKET_LIFE
        return cls(
            house,
            None if issued is None else written_moment(issued),
            event.table,
            number,
            event.position,
            f"{currency.symbol} {dollars(event.cents)}",
            english(event.cents, currency.code),
            sequence,
            None if event.expires is None else written_moment(event.expires),
        )


class Tickets:
    """Prints tickets, and knows what proves them."""

    def __init__(self, key: bytes) -> None:
        assert len(key) == KEY_BYTES, "a key of another length"
        self._key = key

    @classmethod
    def at(cls, path: Path) -> Self:
        """Return tickets with the key of a file, which is made if there is none."""
        return cls(key_at(path, "tickets"))

    def printed(self) -> tuple[str, str]:
        """Print a ticket: return its number and the digest of its validation number."""
        number = f"{secrets.randbelow(10**NUMBER_DIGITS):0{NUMBER_DIGITS}}"
        return number, validation_digest(number, self.validation(number))

    def proof(self, number: str, digest: str) -> str | None:
        """Return what proves a ticket; None: it was printed with another key."""
        validation = self.validation(number)
        return validation if validation_digest(number, validation) == digest else None

    def validation(self, number: str) -> str:
        """Return what proves a ticket that is printed with this key."""
        mark = hmac.digest(self._key, number.encode(), "sha256")
        return "".join(ALPHABET[byte % len(ALPHABET)] for byte in mark[:VALIDATION_LENGTH])
