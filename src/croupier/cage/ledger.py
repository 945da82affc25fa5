"""What every event of the cage moves, from which account to which.

Money on its way between cage and table is on the account ``transit``. The chips of a table
come from the vault and go back to it; what is counted is compared with what the ledger
expects, and a difference has an account of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.accounting import CASH, VAULT, account
from croupier.cage import events as e

if TYPE_CHECKING:
    from collections.abc import Callable

Move = tuple[str, str, int]
"""From which account, to which, how many cents."""


def wallet(patron: str) -> str:
    """Return the account of a patron's wallet at the cage."""
    return account("wallet", patron)


def ticket(number: str) -> str:
    """Return the account of a ticket that is not paid yet."""
    return account("ticket", number)


def transit(table: str, patron: str) -> str:
    """Return the account of a patron's money between cage and table."""
    return account("transit", table, patron)


def bank(table: str) -> str:
    """Return the account of a table's bank: the chips in its tray, less its commission."""
    return account("bank", table)


def box(table: str) -> str:
    """Return the account of the cash in a table's drop box."""
    return account("box", table)


def difference(table: str) -> str:
    """Return the account of what is missing at a table, or, when negative, too much."""
    return account("difference", table)


def moves(event: e.CageEvent) -> tuple[Move, ...]:
    """Return what an event moves."""
    kind = type(event)
    if isinstance(event, e.DifferenceFound):
        held = bank if event.counted is e.Counted.CLOSER else box
        ways = (held(event.table), difference(event.table))
        source, target = ways if event.over_cents < 0 else ways[::-1]
        return ((source, target, abs(event.over_cents)),)
    if kind is e.CreditArrived:
        return ()  # the table posted it
    source, target = ROUTES[kind](event)
    cents: int = event.cents  # type: ignore[attr-defined]
    return ((source, target, cents),) if cents else ()


ROUTES: dict[type[e.CageEvent], Callable[..., tuple[str, str]]] = {
    e.BoughtIn: lambda event: (CASH, wallet(event.patron)),
    e.SentToTable: lambda event: (wallet(event.patron), transit(event.table, event.patron)),
    e.SentBack: lambda event: (transit(event.table, event.patron), wallet(event.patron)),
    e.ReceivedFromTable: lambda event: (
        transit(event.table, event.patron),
        wallet(event.patron),
    ),
    e.CashedOut: lambda event: (wallet(event.patron), ticket(event.ticket)),
    e.TicketPaid: lambda event: (ticket(event.ticket), CASH),
    e.PaidOut: lambda event: (wallet(event.patron), CASH),
    e.TicketTakenIn: lambda event: (ticket(event.ticket), wallet(event.patron)),
    e.TableOpenerSet: lambda event: (VAULT, bank(event.table)),
    e.TableFilled: lambda event: (VAULT, bank(event.table)),
    e.TableCredited: lambda event: (bank(event.table), VAULT),
    e.TableCloserCounted: lambda event: (bank(event.table), VAULT),
    e.DropCounted: lambda event: (box(event.table), VAULT),
}
