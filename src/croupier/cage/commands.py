"""Commands of the cage: what somebody asks of it, and the envelope the house puts it in.

A client sends the command. What only the house knows comes with the envelope: who asks, who
approves, the time, the ticket that was printed, and what a table holds. The validation number
of a ticket never reaches the journal: ``concealed`` puts its digest in its place.
"""

from __future__ import annotations

import re
from datetime import datetime  # noqa: TC003  # read at run time to decode
from hashlib import sha256
from typing import Final, Self

import msgspec

from croupier.table.roles import Actor, Member  # noqa: TC001


class CageCommand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command of the cage; each kind has a name of its own on the wire."""


# Patrons


class SendToTable(CageCommand, frozen=True, tag="send_to_table"):
    """Send credit from the wallet to the seat at a table."""

    patron: str
    table: str
    cents: int


class CashOut(CageCommand, frozen=True, tag="cash_out"):
    """Turn credit of the wallet into a ticket."""

    patron: str
    cents: int


class TakeInTicket(CageCommand, frozen=True, tag="take_in_ticket"):
    """Pay a ticket into the wallet of whoever brings it."""

    patron: str
    ticket: str
    validation: str
    """The number that proves the ticket; in the journal its digest."""

    def concealed(self) -> Self:
        """Return the command as the journal has it."""
        digest = validation_digest(self.ticket, self.validation)
        return msgspec.structs.replace(self, validation=digest)


# The cashier's window


class BuyIn(CageCommand, frozen=True, tag="buy_in"):
    """Take cash of a patron into the wallet."""

    patron: str
    cents: int


class PayTicket(CageCommand, frozen=True, tag="pay_ticket"):
    """Pay a ticket in cash."""

    ticket: str
    validation: str
    """The number that proves the ticket; in the journal its digest."""

    def concealed(self) -> Self:
        """Return the command as the journal has it."""
        digest = validation_digest(self.ticket, self.validation)
        return msgspec.structs.replace(self, validation=digest)


class PayOut(CageCommand, frozen=True, tag="pay_out"):
    """Pay a patron who cannot sign in, and so prints no ticket, out of the wallet in cash."""

    patron: str
    cents: int


# Chips and cash of tables


class SetOpener(CageCommand, frozen=True, tag="set_opener"):
    """Bring chips from the vault to a table that opens."""

    table: str
    cents: int


class FillTable(CageCommand, frozen=True, tag="fill_table"):
    """Bring more chips from the vault to a table."""

    table: str
    cents: int


class CreditTable(CageCommand, frozen=True, tag="credit_table"):
    """Take chips from a table back to the vault."""

    table: str
    cents: int


class CountCloser(CageCommand, frozen=True, tag="count_closer"):
    """Take the counted chips of a closed table back to the vault."""

    table: str
    cents: int
    """What was counted; it may be nothing."""


class CountDrop(CageCommand, frozen=True, tag="count_drop"):
    """Take the counted cash of a closed table's box to the vault."""

    table: str
    cents: int
    """What was counted; it may be nothing."""


# What the house itself gives, between cage and tables


class NoteArrival(CageCommand, frozen=True, tag="note_arrival"):
    """Take note that a table took over what was sent to it."""

    transfer: int
    """The number of the cage's decision that sent it."""


class SendBack(CageCommand, frozen=True, tag="send_back"):
    """Put what a table refused into the wallet again."""

    transfer: int
    """The number of the cage's decision that sent it."""


class ReceiveFromTable(CageCommand, frozen=True, tag="receive_from_table"):
    """Take credit over that left a seat."""

    transfer: str
    """The hash of the table's decision that gave it up, and the place of its event."""
    patron: str
    table: str
    cents: int


COMMANDS: tuple[type[CageCommand], ...] = tuple(CageCommand.__subclasses__())


TYPED_BESIDE: Final = re.compile(r"[\s\u2010-\u2015-]")
"""What people type between the groups of a validation number."""


def validation_digest(ticket: str, validation: str) -> str:
    """Return what the journal knows of a validation number; the ticket is its salt."""
    proof = TYPED_BESIDE.sub("", validation).upper()
    text = f"croupier-ticket-1\0{ticket}\0{proof}"
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Printed(msgspec.Struct, frozen=True):
    """A ticket that the house printed: its number, and the digest of what proves it."""

    ticket: str
    digest: str
    table: str | None = None
    """Where the patron sits for whom it was printed; None: at no table, or at several."""
    position: str | None = None
    """The playing position, in digits."""


class Held(msgspec.Struct, frozen=True):
    """What a table holds by its ledger, and whether it is open."""

    tray_cents: int
    box_cents: int
    open: bool
    exists: bool = True
    """The house has, or had, such a table."""


class Envelope(msgspec.Struct, frozen=True):
    """A command with what only the house knows."""

    command: CageCommand
    actor: Actor
    moment: datetime
    approver: Member | None = None
    sequence: int = 0
    """The number that the decision gets in the stream of the cage."""
    printed: Printed | None = None
    held: Held | None = None


class Needs(msgspec.Struct, frozen=True):
    """What the cage must know before it can decide."""

    ticket: bool = False
    """A new ticket, to be printed."""
    table: str | None = None
    """What this table holds."""
