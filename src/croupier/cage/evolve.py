"""evolve: the cage and an event give the cage after it. It never refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from croupier.cage import events as e
from croupier.cage.state import Cage, Sheet, Ticket

if TYPE_CHECKING:
    from collections.abc import Callable


def evolve(cage: Cage, event: e.CageEvent) -> Cage:
    """Return the cage after an event; this one stays as it is."""
    return EVOLVE[type(event)](cage, event)


def _add(cage: Cage, patron: str, cents: int) -> Cage:
    return replace(cage, wallets=cage.wallets.put(patron, cage.held(patron) + cents))


def _received(cage: Cage, event: e.BoughtIn | e.ReceivedFromTable) -> Cage:
    return _add(cage, event.patron, event.cents)


def _paid_out(cage: Cage, event: e.PaidOut) -> Cage:
    return _add(cage, event.patron, -event.cents)


def _sent(cage: Cage, event: e.SentToTable) -> Cage:
    sent = {**cage.sent, event.transfer: event}
    return replace(_add(cage, event.patron, -event.cents), sent=sent)


def _no_longer_sent(cage: Cage, transfer: int) -> Cage:
    sent = {number: one for number, one in cage.sent.items() if number != transfer}
    return replace(cage, sent=sent)


def _arrived(cage: Cage, event: e.CreditArrived) -> Cage:
    return _no_longer_sent(cage, event.transfer)


def _sent_back(cage: Cage, event: e.SentBack) -> Cage:
    return _add(_no_longer_sent(cage, event.transfer), event.patron, event.cents)


def _cashed_out(cage: Cage, event: e.CashedOut) -> Cage:
    tickets = cage.tickets.put(
        event.ticket, Ticket(event.cents, event.digest, expires=event.expires)
    )
    return replace(_add(cage, event.patron, -event.cents), tickets=tickets)


def _paid(cage: Cage, event: e.TicketPaid | e.TicketTakenIn) -> Cage:
    ticket = cage.tickets.get(event.ticket)
    assert ticket is not None, "there is no such ticket"
    paid = cage.tickets.put(event.ticket, replace(ticket, paid=True))
    return replace(cage, tickets=paid)


def _taken_in(cage: Cage, event: e.TicketTakenIn) -> Cage:
    return _add(_paid(cage, event), event.patron, event.cents)


def _sheet(cage: Cage, table: str, sheet: Sheet) -> Cage:
    return replace(cage, sheets={**cage.sheets, table: sheet})


def _opener(cage: Cage, event: e.TableOpenerSet) -> Cage:
    return _sheet(cage, event.table, Sheet(opener_cents=event.cents, open=True))


def _filled(cage: Cage, event: e.TableFilled) -> Cage:
    sheet = cage.sheet(event.table)
    filled = replace(sheet, fills_cents=sheet.fills_cents + event.cents)
    return _sheet(cage, event.table, filled)


def _credited(cage: Cage, event: e.TableCredited) -> Cage:
    sheet = cage.sheet(event.table)
    credited = replace(sheet, credits_cents=sheet.credits_cents + event.cents)
    return _sheet(cage, event.table, credited)


def _closer(cage: Cage, event: e.TableCloserCounted) -> Cage:
    sheet = cage.sheet(event.table)
    return _sheet(cage, event.table, replace(sheet, closer_cents=event.cents, open=False))


def _drop(cage: Cage, event: e.DropCounted) -> Cage:
    sheet = cage.sheet(event.table)
    dropped = replace(sheet, drop_cents=sheet.drop_cents + event.cents)
    return _sheet(cage, event.table, dropped)


def _difference(cage: Cage, event: e.DifferenceFound) -> Cage:
    sheet = cage.sheet(event.table)
    over = replace(sheet, over_cents=sheet.over_cents + event.over_cents)
    return _sheet(cage, event.table, over)


EVOLVE: dict[type[e.CageEvent], Callable[[Cage, Any], Cage]] = {
    e.BoughtIn: _received,
    e.SentToTable: _sent,
    e.CreditArrived: _arrived,
    e.SentBack: _sent_back,
    e.ReceivedFromTable: _received,
    e.CashedOut: _cashed_out,
    e.TicketPaid: _paid,
    e.PaidOut: _paid_out,
    e.TicketTakenIn: _taken_in,
    e.TableOpenerSet: _opener,
    e.TableFilled: _filled,
    e.TableCredited: _credited,
    e.TableCloserCounted: _closer,
    e.DropCounted: _drop,
    e.DifferenceFound: _difference,
}
