"""decide: the cage and a command give events, or a refusal. It never changes anything.

Tested in this order: may this person do it, can the amount and the names be written, and
then what the command itself asks for. What only the house knows (a new ticket, what a table
holds) is asked for when everything else about the command is in order.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from croupier.accounting import CENTS_MAX as HELD_CENTS_MAX
from croupier.accounting import unwritable
from croupier.cage import commands as c
from croupier.cage import events as e
from croupier.cage.authority import authorise
from croupier.cage.commands import Needs
from croupier.cage.ledger import ticket, transit, wallet
from croupier.cage.refusals import CageCode, CageRefusal, refuse
from croupier.money import dollars

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.cage.state import Cage, Ticket

CENTS_MAX = 10**12
"""The most that one act moves, unless a table counted it."""
TICKET_LIFE = timedelta(days=30)
"""How long a ticket is paid."""
Events = tuple[e.CageEvent, ...]
Answer = Events | CageRefusal | Needs


def decide(cage: Cage, envelope: c.Envelope) -> Answer:
    """Return what happens at the cage, why nothing does, or what it takes to decide."""
    command = envelope.command
    refusal = authorise(envelope) or _amount(command) or _names(command)
    if refusal is not None:
        return refusal
    return HANDLERS[type(command)](cage, envelope, command)


COUNTS = (c.CountCloser, c.CountDrop)


def _amount(command: c.CageCommand) -> CageRefusal | None:
    cents = getattr(command, "cents", None)
    if cents is None:
        return None
    least = 0 if isinstance(command, COUNTS) else 1
    # Several acts may have brought to a table what leaves it, or is counted, by one.
    counted = isinstance(command, (c.ReceiveFromTable, *COUNTS))
    most = HELD_CENTS_MAX if counted else CENTS_MAX
    if least <= cents <= most:
        return None
    why = f"An amount of {cents} cents came to the cage; it is a whole number"
    return refuse(CageCode.BAD_AMOUNT, f"{why} from {least} to {most}")


def _names(command: c.CageCommand) -> CageRefusal | None:
    """Refuse names whose accounts could not be written."""
    patron, table = getattr(command, "patron", None), getattr(command, "table", None)
    accounts = []
    if patron is not None:
        accounts.append(wallet(patron))
    if table is not None:
        # The longest name of an account that a table has, and a patron's if there is one.
        accounts.append(transit(table, patron or "-"))
    number = getattr(command, "ticket", None)
    if number is not None:
        accounts.append(ticket(number))
    for name in (patron, table, number, *accounts):
        reason = None if name is None else unwritable(name)
        if reason is not None:
            return CageRefusal(CageCode.BAD_NAME, reason)
    return None


# Patrons


def _buy_in(cage: Cage, envelope: c.Envelope, command: c.BuyIn) -> Answer:
    return (e.BoughtIn(command.patron, command.cents),)


def _pay_out(cage: Cage, envelope: c.Envelope, command: c.PayOut) -> Answer:
    return _not_enough(cage, command) or (e.PaidOut(command.patron, command.cents),)


def _not_enough(
    cage: Cage, command: c.SendToTable | c.CashOut | c.PayOut
) -> CageRefusal | None:
    held = cage.held(command.patron)
    if command.cents <= held:
        return None
    why = f"{dollars(command.cents)} was asked for; the wallet of patron {command.patron}"
    return refuse(CageCode.NOT_ENOUGH_CREDIT, f"{why} holds {dollars(held)}")


def _send_to_table(cage: Cage, envelope: c.Envelope, command: c.SendToTable) -> Answer:
    sent = e.SentToTable(envelope.sequence, command.patron, command.table, command.cents)
    return _not_enough(cage, command) or (sent,)


def _cash_out(cage: Cage, envelope: c.Envelope, command: c.CashOut) -> Answer:
    refusal = _not_enough(cage, command)
    if refusal is not None:
        return refusal
    printed = envelope.printed
    if printed is None or cage.tickets.get(printed.ticket) is not None:
        return Needs(ticket=True)
    expires = envelope.moment + TICKET_LIFE
    position = None if printed.position is None else int(printed.position)
    return (
        e.CashedOut(
            printed.ticket,
            command.patron,
            command.cents,
            printed.digest,
            expires,
            printed.table,
            position,
        ),
    )


def _shown(
    cage: Cage, envelope: c.Envelope, command: c.PayTicket | c.TakeInTicket
) -> Ticket | CageRefusal:
    """Return a ticket that can be paid, or say why it is not."""
    ticket_ = cage.tickets.get(command.ticket)
    if ticket_ is None:
        return refuse(CageCode.UNKNOWN_TICKET, f"There is no ticket {command.ticket}")
    if command.validation != ticket_.digest:
        why = f"The validation number that came is not that of ticket {command.ticket}"
        return refuse(CageCode.WRONG_VALIDATION, why)
    if ticket_.paid:
        return refuse(CageCode.TICKET_PAID, f"Ticket {command.ticket} was paid already")
    if ticket_.expires is not None and ticket_.expires <= envelope.moment:
        why = f"Ticket {command.ticket} was paid until {ticket_.expires:%Y-%m-%d %H:%M} UTC"
        return refuse(CageCode.TICKET_EXPIRED, f"{why}; it expired")
    return ticket_


def _pay_ticket(cage: Cage, envelope: c.Envelope, command: c.PayTicket) -> Answer:
    shown = _shown(cage, envelope, command)
    if isinstance(shown, CageRefusal):
        return shown
    return (e.TicketPaid(command.ticket, shown.cents),)


def _take_in_ticket(cage: Cage, envelope: c.Envelope, command: c.TakeInTicket) -> Answer:
    shown = _shown(cage, envelope, command)
    if isinstance(shown, CageRefusal):
        return shown
    return (e.TicketTakenIn(command.ticket, command.patron, shown.cents),)


# Between cage and tables


def _on_its_way(cage: Cage, transfer: int) -> e.SentToTable | CageRefusal:
    sent = cage.sent.get(transfer)
    if sent is not None:
        return sent
    why = f"Nothing that decision {transfer} sent is on its way to a table"
    return refuse(CageCode.UNKNOWN_TRANSFER, why)


def _note_arrival(cage: Cage, envelope: c.Envelope, command: c.NoteArrival) -> Answer:
    sent = _on_its_way(cage, command.transfer)
    return sent if isinstance(sent, CageRefusal) else (e.CreditArrived(command.transfer),)


def _send_back(cage: Cage, envelope: c.Envelope, command: c.SendBack) -> Answer:
    sent = _on_its_way(cage, command.transfer)
    if isinstance(sent, CageRefusal):
        return sent
    return (e.SentBack(sent.transfer, sent.patron, sent.table, sent.cents),)


def _receive(cage: Cage, envelope: c.Envelope, command: c.ReceiveFromTable) -> Answer:
    transfer, table = command.transfer, command.table
    return (e.ReceivedFromTable(transfer, command.patron, table, command.cents),)


# Chips and cash of tables


def _no_chips(cage: Cage, table: str) -> CageRefusal | None:
    if cage.sheet(table).open:
        return None
    why = f"Table {table} has no chips of the house; it needs an opener first"
    return refuse(CageCode.NO_CHIPS, why)


def _set_opener(cage: Cage, envelope: c.Envelope, command: c.SetOpener) -> Answer:
    if cage.sheet(command.table).open:
        why = f"Table {command.table} has its opener; it is counted before the next one"
        return refuse(CageCode.HAS_CHIPS, why)
    held = envelope.held
    if held is None:
        return Needs(table=command.table)
    refusal = _unknown(held, command.table)
    if refusal is None and held.box_cents:
        why = f"The box of table {command.table} holds {dollars(held.box_cents)}"
        why += "; it is counted before the next opener"
        refusal = refuse(CageCode.DROP_NOT_COUNTED, why)
    return refusal or (e.TableOpenerSet(command.table, command.cents),)


def _unknown(held: c.Held, table: str) -> CageRefusal | None:
    """Refuse a table that the house never had."""
    return None if held.exists else refuse(CageCode.UNKNOWN_TABLE, f"There is no table {table}")


def _fill_table(cage: Cage, envelope: c.Envelope, command: c.FillTable) -> Answer:
    return _no_chips(cage, command.table) or (e.TableFilled(command.table, command.cents),)


def _credit_table(cage: Cage, envelope: c.Envelope, command: c.CreditTable) -> Answer:
    refusal = _no_chips(cage, command.table)
    if refusal is not None:
        return refusal
    held = envelope.held
    if held is None:
        return Needs(table=command.table)
    if command.cents > held.tray_cents:
        why = f"{dollars(command.cents)} was asked for; the tray of table {command.table}"
        return refuse(CageCode.NOT_ENOUGH_CHIPS, f"{why} holds {dollars(held.tray_cents)}")
    return (e.TableCredited(command.table, command.cents),)


def _count_closer(cage: Cage, envelope: c.Envelope, command: c.CountCloser) -> Answer:
    counted = e.TableCloserCounted(command.table, command.cents)
    return _no_chips(cage, command.table) or _counted(envelope, counted)


def _count_drop(cage: Cage, envelope: c.Envelope, command: c.CountDrop) -> Answer:
    return _counted(envelope, e.DropCounted(command.table, command.cents))


def _counted(envelope: c.Envelope, event: e.TableCloserCounted | e.DropCounted) -> Answer:
    """Compare what was counted with what the ledger of the table says."""
    held = envelope.held
    if held is None:
        return Needs(table=event.table)
    refusal = _unknown(held, event.table)
    if refusal is not None:
        return refusal
    if held.open:
        why = f"Table {event.table} is open; what it holds is counted once it closed"
        return refuse(CageCode.TABLE_OPEN, why)
    what, expected = e.Counted.CLOSER, held.tray_cents
    if isinstance(event, e.DropCounted):
        what, expected = e.Counted.DROP, held.box_cents
    if event.cents == expected:
        return (event,)
    return e.DifferenceFound(event.table, what, expected, event.cents), event


HANDLERS: dict[type[c.CageCommand], Callable[[Cage, c.Envelope, Any], Answer]] = {
    c.SendToTable: _send_to_table,
    c.CashOut: _cash_out,
    c.TakeInTicket: _take_in_ticket,
    c.BuyIn: _buy_in,
    c.PayTicket: _pay_ticket,
    c.PayOut: _pay_out,
    c.SetOpener: _set_opener,
    c.FillTable: _fill_table,
    c.CreditTable: _credit_table,
    c.CountCloser: _count_closer,
    c.CountDrop: _count_drop,
    c.NoteArrival: _note_arrival,
    c.SendBack: _send_back,
    c.ReceiveFromTable: _receive,
}
