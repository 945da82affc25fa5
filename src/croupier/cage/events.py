"""Events of the cage: what happened there."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  # read at run time to decode

import msgspec

from croupier.frozen import Named


class CageEvent(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Something that happened at the cage."""


# Patrons


class BoughtIn(CageEvent, frozen=True, tag="bought_in"):
    """A patron paid cash into the wallet."""

    patron: str
    cents: int


class SentToTable(CageEvent, frozen=True, tag="sent_to_table"):
    """Credit left a wallet for a seat."""

    transfer: int
    """The number of the cage's decision."""
    patron: str
    table: str
    cents: int


class CreditArrived(CageEvent, frozen=True, tag="credit_arrived"):
    """A table took over what was sent to it."""

    transfer: int


class SentBack(CageEvent, frozen=True, tag="sent_back"):
    """Credit that a table refused is in the wallet again."""

    transfer: int
    patron: str
    table: str
    cents: int


class ReceivedFromTable(CageEvent, frozen=True, tag="received_from_table"):
    """Credit that left a seat came into the wallet."""

    transfer: str
    patron: str
    table: str
    cents: int


class CashedOut(CageEvent, frozen=True, tag="cashed_out"):
    """A part of a wallet, or all of it, was turned into a ticket."""

    ticket: str
    patron: str
    cents: int
    digest: str
    """Of the validation number, which is nowhere in the journal."""
    expires: datetime | None = None
    """From when on it is paid no more; None: one of the time before tickets expired."""
    table: str | None = None
    """At which table it was printed; None: at none, or nobody wrote it down yet."""
    position: int | None = None
    """At which terminal, or playing position."""


class TicketPaid(CageEvent, frozen=True, tag="ticket_paid"):
    """A ticket was paid in cash."""

    ticket: str
    cents: int


class PaidOut(CageEvent, frozen=True, tag="paid_out"):
    """A patron who could not sign in was paid out of the wallet in cash."""

    patron: str
    cents: int


class TicketTakenIn(CageEvent, frozen=True, tag="ticket_taken_in"):
    """A ticket was paid into the wallet of whoever brought it."""

    ticket: str
    patron: str
    cents: int


# Tables


class TableOpenerSet(CageEvent, frozen=True, tag="table_opener_set"):
    """Chips went from the vault to a table that opens."""

    table: str
    cents: int


class TableFilled(CageEvent, frozen=True, tag="table_filled"):
    """Chips went from the vault to a table."""

    table: str
    cents: int


class TableCredited(CageEvent, frozen=True, tag="table_credited"):
    """Chips went from a table back to the vault."""

    table: str
    cents: int


class TableCloserCounted(CageEvent, frozen=True, tag="table_closer_counted"):
    """The chips of a closed table were counted and went back to the vault."""

    table: str
    cents: int
    """What was counted; it may be nothing."""


class DropCounted(CageEvent, frozen=True, tag="drop_counted"):
    """Cash that patrons paid at a table was counted and went from its box to the vault."""

    table: str
    cents: int
    """What was counted; it may be nothing."""


class Counted(Named):
    """What is counted when a table closes."""

    CLOSER = "closer"
    DROP = "drop"


class DifferenceFound(CageEvent, frozen=True, tag="difference_found"):
    """More or less was counted than the ledger expects; the count itself follows."""

    table: str
    counted: Counted
    expected_cents: int
    counted_cents: int

    @property
    def over_cents(self) -> int:
        """Return by how much the count is over, or, when negative, short."""
        return self.counted_cents - self.expected_cents


EVENTS: tuple[type[CageEvent], ...] = tuple(CageEvent.__subclasses__())
