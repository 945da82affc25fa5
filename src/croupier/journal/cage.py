"""The cage: patrons' wallets, transfers to seats, tickets, and the banks of tables.

A stream of its own. Money on its way between cage and table is on the account ``transit``:
reserved on one side, taken over on the other, exactly once. The chips of a table come from
the vault and go back to it; what is counted at the end is compared with what the ledger
expects, and a difference is a fact of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

import msgspec

from croupier.frozen import Named
from croupier.journal import accounts
from croupier.journal.accounts import CASH, VAULT, account
from croupier.money import dollars
from croupier.rules.errors import RulesError

if TYPE_CHECKING:
    from collections.abc import Callable

Move = tuple[str, str, int]
"""From which account, to which, how many cents."""

STREAM = "cage"
CENTS_MAX = 10**12
"""The most that one act moves, unless a table counted it."""


class CageEvent(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Something that happened at the cage."""


# Patrons


class BoughtIn(CageEvent, frozen=True, tag="bought_in"):
    """A patron paid cash into the wallet."""

    patron: str
    cents: int
    by: str


class SentToTable(CageEvent, frozen=True, tag="sent_to_table"):
    """Credit left a wallet for a seat."""

    transfer: str
    patron: str
    table: str
    cents: int


class SentBack(CageEvent, frozen=True, tag="sent_back"):
    """Credit that a table refused is in the wallet again."""

    transfer: str
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
    by: str


class TicketPaid(CageEvent, frozen=True, tag="ticket_paid"):
    """A ticket was paid in cash."""

    ticket: str
    cents: int
    by: str


class TicketTakenIn(CageEvent, frozen=True, tag="ticket_taken_in"):
    """A ticket was paid into the wallet of whoever brought it."""

    ticket: str
    patron: str
    cents: int
    by: str


# Tables


class TableOpenerSet(CageEvent, frozen=True, tag="table_opener_set"):
    """Chips went from the vault to a table that opens."""

    table: str
    cents: int
    by: str


class TableFilled(CageEvent, frozen=True, tag="table_filled"):
    """Chips went from the vault to a table."""

    table: str
    cents: int
    by: str


class TableCredited(CageEvent, frozen=True, tag="table_credited"):
    """Chips went from a table back to the vault."""

    table: str
    cents: int
    by: str


class TableCloserCounted(CageEvent, frozen=True, tag="table_closer_counted"):
    """The chips of a closed table were counted and went back to the vault."""

    table: str
    cents: int
    """What was counted; it may be nothing."""
    by: str


class DropCounted(CageEvent, frozen=True, tag="drop_counted"):
    """Cash that patrons paid at a table was counted and went from its box to the vault."""

    table: str
    cents: int
    """What was counted; it may be nothing."""
    by: str


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
    by: str

    @property
    def over_cents(self) -> int:
        """Return by how much the count is over, or, when negative, short."""
        return self.counted_cents - self.expected_cents


EVENTS: tuple[type[CageEvent], ...] = tuple(CageEvent.__subclasses__())
if TYPE_CHECKING:
    AnyCageEvent = CageEvent
else:
    AnyCageEvent = Union[EVENTS]  # noqa: UP007  # of what there is


class Act(msgspec.Struct, frozen=True, tag="cage_act", forbid_unknown_fields=True):
    """Do something at the cage, under the name of what then happened."""

    event: AnyCageEvent


COMMANDS: tuple[type[msgspec.Struct], ...] = (Act,)
TRANSFERS = (SentToTable, SentBack, ReceivedFromTable)
"""What the cage does together with a table."""


# Accounts


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


def moves(event: CageEvent) -> tuple[Move, ...]:
    """Return what an event moves."""
    if isinstance(event, DifferenceFound):
        held = bank if event.counted is Counted.CLOSER else box
        ways = (held(event.table), difference(event.table))
        source, target = ways if event.over_cents < 0 else ways[::-1]
        return ((source, target, abs(event.over_cents)),)
    source, target = ROUTES[type(event)](event)
    cents: int = event.cents  # type: ignore[attr-defined]
    return ((source, target, cents),) if cents else ()


ROUTES: dict[type[CageEvent], Callable[..., tuple[str, str]]] = {
    BoughtIn: lambda event: (CASH, wallet(event.patron)),
    SentToTable: lambda event: (wallet(event.patron), transit(event.table, event.patron)),
    SentBack: lambda event: (transit(event.table, event.patron), wallet(event.patron)),
    ReceivedFromTable: lambda event: (
        transit(event.table, event.patron),
        wallet(event.patron),
    ),
    CashedOut: lambda event: (wallet(event.patron), ticket(event.ticket)),
    TicketPaid: lambda event: (ticket(event.ticket), CASH),
    TicketTakenIn: lambda event: (ticket(event.ticket), wallet(event.patron)),
    TableOpenerSet: lambda event: (VAULT, bank(event.table)),
    TableFilled: lambda event: (VAULT, bank(event.table)),
    TableCredited: lambda event: (bank(event.table), VAULT),
    TableCloserCounted: lambda event: (bank(event.table), VAULT),
    DropCounted: lambda event: (box(event.table), VAULT),
}


# State


class Sheet(msgspec.Struct):
    """The game sheet of a table: chips and cash between it and the house."""

    opener_cents: int = 0
    fills_cents: int = 0
    credits_cents: int = 0
    closer_cents: int = 0
    drop_cents: int = 0
    over_cents: int = 0
    """What was counted too much; negative: too little."""
    open: bool = False
    """The table has chips of the house."""

    @property
    def win_cents(self) -> int:
        """Return what the table won, as a casino counts it, once closer and drop are in."""
        back = self.drop_cents + self.closer_cents + self.credits_cents
        return back - self.opener_cents - self.fills_cents


class Cage(msgspec.Struct):
    """The state of the cage: what is in wallets, on tickets and on its way."""

    wallets: dict[str, int] = {}
    tickets: dict[str, int] = {}
    """What each ticket is worth; nothing, once it is paid."""
    sent: dict[str, SentToTable] = {}
    """Transfers to tables, until they are back."""
    finished: set[str] = set()
    """Transfers that came from a table, or back from it."""
    sheets: dict[str, Sheet] = {}

    def after(self, event: CageEvent) -> Cage:
        """Return the cage after an event; this one stays as it is."""
        copy = Cage(
            dict(self.wallets),
            dict(self.tickets),
            dict(self.sent),
            set(self.finished),
            {table: msgspec.structs.replace(one) for table, one in self.sheets.items()},
        )
        APPLY[type(event)](copy, event)
        return copy

    def add(self, patron: str, cents: int) -> None:
        """Change a wallet."""
        self.wallets[patron] = self.wallets.get(patron, 0) + cents

    def knows(self, transfer: str) -> bool:
        """Tell whether a transfer of this name was sent, or came from a table."""
        return transfer in self.sent or transfer in self.finished

    def sheet(self, table: str) -> Sheet:
        """Return a table's newest game sheet."""
        return self.sheets.setdefault(table, Sheet())


def _bought_in(cage: Cage, event: BoughtIn) -> None:
    cage.add(event.patron, event.cents)


def _sent(cage: Cage, event: SentToTable) -> None:
    cage.add(event.patron, -event.cents)
    cage.sent[event.transfer] = event


def _sent_back(cage: Cage, event: SentBack) -> None:
    del cage.sent[event.transfer]
    cage.add(event.patron, event.cents)
    cage.finished.add(event.transfer)


def _received(cage: Cage, event: ReceivedFromTable) -> None:
    cage.add(event.patron, event.cents)
    cage.finished.add(event.transfer)


def _cashed_out(cage: Cage, event: CashedOut) -> None:
    cage.add(event.patron, -event.cents)
    cage.tickets[event.ticket] = event.cents


def _ticket_paid(cage: Cage, event: TicketPaid) -> None:
    cage.tickets[event.ticket] = 0


def _ticket_taken_in(cage: Cage, event: TicketTakenIn) -> None:
    cage.tickets[event.ticket] = 0
    cage.add(event.patron, event.cents)


def _opener(cage: Cage, event: TableOpenerSet) -> None:
    cage.sheets[event.table] = Sheet(opener_cents=event.cents, open=True)


def _filled(cage: Cage, event: TableFilled) -> None:
    cage.sheet(event.table).fills_cents += event.cents


def _credited(cage: Cage, event: TableCredited) -> None:
    cage.sheet(event.table).credits_cents += event.cents


def _closer(cage: Cage, event: TableCloserCounted) -> None:
    sheet = cage.sheet(event.table)
    sheet.closer_cents, sheet.open = event.cents, False


def _drop(cage: Cage, event: DropCounted) -> None:
    cage.sheet(event.table).drop_cents += event.cents


def _difference(cage: Cage, event: DifferenceFound) -> None:
    cage.sheet(event.table).over_cents += event.over_cents


APPLY: dict[type[CageEvent], Callable[[Cage, Any], None]] = {
    BoughtIn: _bought_in,
    SentToTable: _sent,
    SentBack: _sent_back,
    ReceivedFromTable: _received,
    CashedOut: _cashed_out,
    TicketPaid: _ticket_paid,
    TicketTakenIn: _ticket_taken_in,
    TableOpenerSet: _opener,
    TableFilled: _filled,
    TableCredited: _credited,
    TableCloserCounted: _closer,
    DropCounted: _drop,
    DifferenceFound: _difference,
}


# Refusals


class CageCode(Named):
    """Why the cage refuses."""

    BAD_AMOUNT = "bad_amount"
    NOT_ENOUGH_CREDIT = "not_enough_credit"
    KNOWN_TRANSFER = "known_transfer"
    UNKNOWN_TRANSFER = "unknown_transfer"
    NOT_A_TRANSFER = "not_a_transfer"
    KNOWN_TICKET = "known_ticket"
    UNKNOWN_TICKET = "unknown_ticket"
    TICKET_PAID = "ticket_paid"
    OTHER_AMOUNT = "other_amount"
    HAS_CHIPS = "has_chips"
    NO_CHIPS = "no_chips"
    NOT_ENOUGH_CHIPS = "not_enough_chips"
    TABLE_OPEN = "table_open"
    NOT_A_COUNT = "not_a_count"
    NOT_WRITABLE = "not_writable"


class CageRefusal(msgspec.Struct, frozen=True):
    """A refusal as the journal keeps it, so that it is the same when it is asked again."""

    code: CageCode
    sentence: str


class CageError(RulesError):
    """Something the cage refuses, in one sentence."""

    def __init__(self, code: CageCode, sentence: str) -> None:
        super().__init__(sentence)
        self.refusal = CageRefusal(code, sentence)


def known_transfer(name: str) -> CageError:
    """Return why a name cannot begin a transfer."""
    sentence = f"Transfer {name} was made already; a transfer has a name of its own."
    return CageError(CageCode.KNOWN_TRANSFER, sentence)


def check(cage: Cage, event: CageEvent) -> None:
    """Refuse what a wallet does not hold, a ticket paid twice, an amount of nothing."""
    _check_amount(event)
    if isinstance(event, TRANSFERS):
        _check_transfer(cage, event)
    if isinstance(event, SentToTable | CashedOut):
        held = cage.wallets.get(event.patron, 0)
        if event.cents > held:
            sentence = (
                f"{dollars(event.cents)} were asked for;"
                f" the wallet of {event.patron} holds {dollars(held)}."
            )
            raise CageError(CageCode.NOT_ENOUGH_CREDIT, sentence)
    if isinstance(event, CashedOut | TicketPaid | TicketTakenIn):
        _check_ticket(cage, event)
    if isinstance(event, TableOpenerSet | TableFilled | TableCredited | TableCloserCounted):
        _check_chips(cage, event)


def _check_amount(event: CageEvent) -> None:
    if isinstance(event, DifferenceFound):
        cents: object = abs(event.over_cents)
    else:
        cents = getattr(event, "cents", None)
    least = 0 if isinstance(event, TableCloserCounted | DropCounted) else 1
    # Several acts may have brought to a table what leaves it, or is counted, by one.
    counted = (ReceivedFromTable, TableCloserCounted, DropCounted, DifferenceFound)
    most = accounts.CENTS_MAX if isinstance(event, counted) else CENTS_MAX
    if type(cents) is not int or not least <= cents <= most:
        sentence = (
            f"An amount of {cents} cents came to the cage;"
            f" it is a whole number from {least} to {most}."
        )
        raise CageError(CageCode.BAD_AMOUNT, sentence)


def _check_transfer(cage: Cage, event: SentToTable | SentBack | ReceivedFromTable) -> None:
    name = event.transfer
    if isinstance(event, SentBack):
        sent, was = cage.sent.get(name), (event.patron, event.table, event.cents)
        if sent is None or (sent.patron, sent.table, sent.cents) != was:
            sentence = f"Transfer {name} of {dollars(event.cents)} was not sent to a table."
            raise CageError(CageCode.UNKNOWN_TRANSFER, sentence)
    elif cage.knows(name):
        raise known_transfer(name)


def _check_ticket(cage: Cage, event: CashedOut | TicketPaid | TicketTakenIn) -> None:
    worth = cage.tickets.get(event.ticket)
    if isinstance(event, CashedOut):
        if worth is not None:
            sentence = f"There is a ticket {event.ticket} already."
            raise CageError(CageCode.KNOWN_TICKET, sentence)
    elif worth is None:
        sentence = f"There is no ticket {event.ticket}."
        raise CageError(CageCode.UNKNOWN_TICKET, sentence)
    elif worth == 0:
        sentence = f"Ticket {event.ticket} was paid already."
        raise CageError(CageCode.TICKET_PAID, sentence)
    elif worth != event.cents:
        sentence = (
            f"Ticket {event.ticket} is worth {dollars(worth)}, not {dollars(event.cents)}."
        )
        raise CageError(CageCode.OTHER_AMOUNT, sentence)


def _check_chips(
    cage: Cage, event: TableOpenerSet | TableFilled | TableCredited | TableCloserCounted
) -> None:
    has = event.table in cage.sheets and cage.sheets[event.table].open
    if isinstance(event, TableOpenerSet):
        if has:
            sentence = f"Table {event.table} has its opener; it is counted before the next one."
            raise CageError(CageCode.HAS_CHIPS, sentence)
    elif not has:
        sentence = f"Table {event.table} has no chips of the house; it needs an opener first."
        raise CageError(CageCode.NO_CHIPS, sentence)
