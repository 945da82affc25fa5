"""The cage over HTTP: its accounts, tickets and table banks, and what somebody may do there."""

from __future__ import annotations

import asyncio
from datetime import datetime  # noqa: TC003  # read by msgspec
from typing import TYPE_CHECKING, Annotated, Final, Literal

import msgspec
from litestar import Response, get
from msgspec import Meta

from croupier.accounting import parts_of
from croupier.cage import commands as c
from croupier.cage.authority import WHO
from croupier.cage.decide import CENTS_MAX, TICKET_LIFE
from croupier.cage.ledger import box as box_of
from croupier.floor.amount_words import chinese, english
from croupier.floor.api.calls import (
    AnyRequest,
    answered,
    described,
    floor_of,
    query_of,
    signed_in,
)
from croupier.floor.api.performance import require_win
from croupier.floor.me import wallet_of
from croupier.floor.problems import ProblemError, ServerCode
from croupier.floor.tickets import VALIDATION_LENGTH
from croupier.journal.cage_book import Last, Slip, Ticketed, TicketState
from croupier.journal.ledger import tray_cents
from croupier.money import dollars
from croupier.table.roles import HousePosition, HouseStaff
from croupier.table.views.hearing import Audience

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from croupier.floor.floor import Floor
    from croupier.floor.reception import Asker

CHECKED_SECONDS: Final = 10.0
"""For how long the sums of all accounts are shown again: they read the whole ledger."""
TRIES: Final = 5
"""How often accounts are read before they are said not to balance: play goes on meanwhile."""
HIDDEN: Final = "•"
SHOWN_DIGITS: Final = 4
TICKETS_SHOWN, SLIPS_SHOWN = 35, 100
PROBLEMS: Final = (ServerCode.FORBIDDEN, ServerCode.BUSY, ServerCode.NOT_DONE)


class AccountSum(msgspec.Struct, frozen=True):
    """What all accounts of a kind hold together."""

    kind: str
    accounts: int
    """How many of them hold something, or owe it."""
    cents: int


class Ledger(msgspec.Struct, frozen=True):
    """All accounts, by kind; together they hold nothing."""

    checked: datetime
    sums: tuple[AccountSum, ...]
    total_cents: int
    """0: every cent that is somewhere is missing elsewhere."""


class WalletLine(msgspec.Struct, frozen=True, kw_only=True):
    """What a patron has, and did at the cage last."""

    patron: str
    cents: int
    on_the_way_cents: int
    tables_cents: int
    """Credit at seats, and stakes in play."""
    last: Last | None


class Terminal(msgspec.Struct, frozen=True):
    """The place at a table at which a ticket is printed."""

    table: str
    number: int
    """Of the table, as it is written over it."""
    position: int


class TicketShown(msgspec.Struct, frozen=True, kw_only=True):
    """A ticket; what proves it is hidden until it is paid."""

    house: str
    """The site that pays it."""
    kind: Literal["cash_out"] = "cash_out"
    terminal: Terminal | None
    """Where it was printed; None: at no single place."""
    number: str
    sequence: int
    cents: int
    figures: str
    words: dict[str, str]
    """The amount in words, by language."""
    patron: str | None
    """Who had it printed; None: whoever asks need not know."""
    issued: datetime
    payable_until: datetime | None
    """None: it was printed before tickets ended."""
    validation: str
    """Hidden save its end, until the ticket is paid."""
    state: TicketState
    ended: datetime | None
    ended_by: str | None


class TicketPreview(msgspec.Struct, frozen=True, kw_only=True):
    """What a ticket would say."""

    house: str
    cents: int
    figures: str
    words: dict[str, str]
    currency: str
    terminal: Terminal | None
    payable_until: datetime | None
    wallet_cents: int
    allowed: bool
    """Whether the wallet has so much."""


class OnTheWay(msgspec.Struct, frozen=True):
    """Credit between the cage and a table."""

    transfer: int
    patron: str
    table: str
    cents: int
    since: datetime | None


class TableBank(msgspec.Struct, frozen=True, kw_only=True):
    """The chips and cash of a table, by its newest game sheet."""

    table: str
    open: bool
    """It has chips of the house."""
    deals: bool
    """The table itself is open."""
    opener_cents: int
    fills_cents: int
    credits_cents: int
    closer_cents: int
    drop_cents: int
    over_cents: int
    """What was counted too much; negative: too little."""
    tray_cents: int
    """What its tray should hold now."""
    box_cents: int
    """What its box should hold now."""
    win_cents: int
    """As a casino counts it: what came back, and is there, less what was brought."""


class CageShown(msgspec.Struct, frozen=True, kw_only=True):
    """The cage as whoever works there sees it."""

    time: datetime
    sequence: int
    ledger: Ledger
    wallets: list[WalletLine]
    tickets_open: int
    tickets_open_cents: int
    oldest_ticket: datetime | None
    tickets: list[TicketShown]
    """The newest first."""
    on_the_way: list[OnTheWay]
    banks: list[TableBank]
    slips: list[Slip]
    """The newest first."""


class BanksShown(msgspec.Struct, frozen=True):
    """The chips and cash of all tables, for the pit that answers for them."""

    time: datetime
    banks: list[TableBank]
    slips: list[Slip]
    """Of fills and credits, the newest first."""


class ForTable(msgspec.Struct, frozen=True):
    """A table for which something may be done, and how much."""

    table: str
    most_cents: int
    expected_cents: int | None
    """What a count should find."""


class CageOpen(msgspec.Struct, frozen=True, kw_only=True):
    """A command that somebody may give to the cage now."""

    command: str
    fields: tuple[str, ...]
    """Its fields, as on the wire."""
    most_cents: int | None
    """None: it names no amount, or the tables say it."""
    approvers: tuple[str, ...]
    """Positions of which a second person must have one, or a higher one; none: nobody must."""
    tables: tuple[ForTable, ...] | None
    """None: it is for no table."""


class MayAtCage(msgspec.Struct, frozen=True):
    """What somebody may do at the cage now."""

    sequence: int
    may: tuple[CageOpen, ...]


class PreviewQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much is to be cashed out."""

    cents: Annotated[int, Meta(ge=1, le=CENTS_MAX)]


# Who may


def works_at_cage(asker: Asker, floor: Floor) -> bool:
    """Tell whether somebody is a Cashier, or stands above one."""
    actor = asker.actor
    return isinstance(actor, HouseStaff) and actor.stands_for(
        HousePosition.CASHIER, floor.house.clock()
    )


def require_cage(asker: Asker, floor: Floor) -> None:
    """Refuse whoever neither works at the cage nor audits it."""
    if not works_at_cage(asker, floor) and asker.audience is not Audience.AUDITOR:
        message = "The cage is for a Cashier, a Cage Supervisor, and auditors."
        raise ProblemError(ServerCode.FORBIDDEN, message)


# The ledger


class LedgerDesk:
    """Sums all accounts up, at most every few seconds, for everybody who asks meanwhile."""

    def __init__(self) -> None:
        self._known: tuple[float, Ledger] | None = None
        self._turn = asyncio.Lock()

    async def ledger(self, floor: Floor) -> Ledger:
        """Return what all accounts hold by kind."""
        async with self._turn:
            known, now = self._known, floor.loop.time()
            if known is None or now - known[0] > CHECKED_SECONDS:
                known = self._known = (now, await self._summed(floor))
        return known[1]

    async def _summed(self, floor: Floor) -> Ledger:
        for _ in range(TRIES):
            balances = await floor.house.store.balances()
            found = _by_kind(balances)
            total = sum(one.cents for one in found)
            if not total:
                break
        return Ledger(floor.house.clock(), found, total)


def _by_kind(balances: Mapping[str, int]) -> tuple[AccountSum, ...]:
    """Sum accounts up by their kind.

    >>> _by_kind({"wallet:ann": 5, "wallet:bea": 7, "wallet:gone": 0})
    (AccountSum(kind='wallet', accounts=2, cents=12),)
    """
    kinds: dict[str, tuple[int, int]] = {}
    for name, cents in balances.items():
        kind = parts_of(name)[0]
        count, total = kinds.get(kind, (0, 0))
        kinds[kind] = count + bool(cents), total + cents
    return tuple(AccountSum(kind, *kinds[kind]) for kind in sorted(kinds))


# The cage


@get("/cage", opt=described(gives=CageShown, signed_in=True, problems=PROBLEMS))
async def cage(request: AnyRequest) -> Response[bytes]:
    """Show the cage: sums of all accounts, wallets, tickets, what is on its way, banks."""
    floor, asker = floor_of(request), signed_in(request)
    require_cage(asker, floor)
    await floor.books.ready()
    desk: LedgerDesk = request.app.state.ledger
    ledger, banks = await desk.ledger(floor), await _banks(floor)
    book, seat = floor.books.cage, floor.house.cage.seat
    moment, all_tickets = floor.house.clock(), book.tickets.values()
    still_open = [one for one in all_tickets if one.state_at(moment) is TicketState.OPEN]
    newest = list(book.tickets.values())[: -TICKETS_SHOWN - 1 : -1]
    tickets = {one.number: one for one in (*newest, *reversed(still_open))}
    return answered(
        CageShown(
            time=moment,
            sequence=seat.sequence,
            ledger=ledger,
            wallets=list(_wallets(floor)),
            tickets_open=len(still_open),
            tickets_open_cents=sum(one.cents for one in still_open),
            oldest_ticket=min((one.issued for one in still_open), default=None),
            tickets=[ticket_shown(floor, one, named=True) for one in tickets.values()],
            on_the_way=[
                OnTheWay(
                    one.transfer, one.patron, one.table, one.cents, book.sent.get(one.transfer)
                )
                for one in floor.house.cage.cage.sent.values()
            ],
            banks=banks,
            slips=list(book.slips)[: -SLIPS_SHOWN - 1 : -1],
        )
    )


@get("/pit/banks", opt=described(gives=BanksShown, signed_in=True, problems=PROBLEMS))
async def pit_banks(request: AnyRequest) -> Response[bytes]:
    """Show the chips and cash of every table, and the slips of fills and credits."""
    floor, asker = floor_of(request), signed_in(request)
    require_win(asker)
    await floor.books.ready()
    slips = list(floor.books.cage.slips)[: -SLIPS_SHOWN - 1 : -1]
    return answered(BanksShown(floor.house.clock(), await _banks(floor), slips))


def _wallets(floor: Floor) -> Iterable[WalletLine]:
    lasts, wallets = floor.books.cage.lasts, floor.house.cage.cage.wallets.all
    for patron in sorted({*lasts, *wallets}):
        held = floor.hub.me.wallet(patron)
        yield WalletLine(
            patron=patron,
            cents=held.cents,
            on_the_way_cents=held.in_transit_cents,
            tables_cents=sum(one.credit_cents + one.in_play_cents for one in held.seats),
            last=lasts.get(patron),
        )


async def _banks(floor: Floor) -> list[TableBank]:
    """Return the bank of every table that has, or had, chips or a desk here."""
    store, cage_ = floor.house.store, floor.house.cage.cage
    balances: dict[str, int] = {}
    for kind in ("bank:", "box:", "commission:"):
        balances |= await store.balances(kind)
    found = []
    for table in sorted({*cage_.sheets, *floor.house.tables}):
        sheet, desk = cage_.sheet(table), floor.house.tables.get(table)
        tray, box = tray_cents(table, balances), balances.get(box_of(table), 0)
        there = tray + box if sheet.open else 0
        found.append(
            TableBank(
                table=table,
                open=sheet.open,
                deals=desk is not None and desk.table.plan is not None,
                opener_cents=sheet.opener_cents,
                fills_cents=sheet.fills_cents,
                credits_cents=sheet.credits_cents,
                closer_cents=sheet.closer_cents,
                drop_cents=sheet.drop_cents,
                over_cents=sheet.over_cents,
                tray_cents=tray,
                box_cents=box,
                win_cents=sheet.win_cents + there,
            )
        )
    return found


def ticket_shown(floor: Floor, one: Ticketed, *, named: bool) -> TicketShown:
    """Return a ticket; ``named`` with whoever had it printed."""
    validation = floor.house.tickets.proof(one.number, one.digest)
    if validation is None:
        validation = HIDDEN * VALIDATION_LENGTH
    elif one.state is TicketState.OPEN:
        validation = HIDDEN * (len(validation) - SHOWN_DIGITS) + validation[-SHOWN_DIGITS:]
    sits = None if one.table is None or one.position is None else (one.table, one.position)
    return TicketShown(
        house=floor.house.configuration.server.name,
        terminal=_terminal(floor, sits),
        number=one.number,
        sequence=one.sequence,
        cents=one.cents,
        figures=figures(floor, one.cents),
        words=words(floor, one.cents),
        patron=one.patron if named else None,
        issued=one.issued,
        payable_until=one.expires,
        validation=validation,
        state=one.state_at(floor.house.clock()),
        ended=one.ended,
        ended_by=one.ended_by if named else None,
    )


def figures(floor: Floor, cents: int) -> str:
    """Write an amount in figures, with the symbol of the currency."""
    return f"{floor.house.configuration.gaming_day.currency.symbol} {dollars(cents)}"


def words(floor: Floor, cents: int) -> dict[str, str]:
    """Write an amount in words, by language."""
    code = floor.house.configuration.gaming_day.currency.code
    return {"en": english(cents, code), "zh-Hans": chinese(cents)}


# What somebody may do there


@get("/cage/may", opt=described(gives=MayAtCage, signed_in=True, problems=PROBLEMS[1:]))
async def may_at_cage(request: AnyRequest) -> Response[bytes]:
    """Say what whoever asks may do at the cage now."""
    floor, asker = floor_of(request), signed_in(request)
    found: list[CageOpen] = []
    if asker.patron is not None:
        found = _patrons(floor, asker.patron)
    elif works_at_cage(asker, floor):
        await floor.books.ready()
        found = _cashiers(floor, await _banks(floor))
    return answered(MayAtCage(floor.house.cage.seat.sequence, tuple(found)))


def _open(
    kind: type[c.CageCommand],
    most_cents: int | None = None,
    tables: Iterable[ForTable] | None = None,
) -> CageOpen:
    approvers = tuple(one.value for one in WHO[kind].second)
    return CageOpen(
        command=str(kind.__struct_config__.tag),
        fields=kind.__struct_fields__,
        most_cents=most_cents,
        approvers=approvers,
        tables=None if tables is None else tuple(tables),
    )


def _patrons(floor: Floor, patron: str) -> list[CageOpen]:
    wallet = wallet_of(floor.house, patron)
    found = [_open(c.TakeInTicket)]
    if wallet.cents:
        seats = [
            ForTable(one.table, wallet.cents, None)
            for one in wallet.seats
            if one.position is not None
        ]
        found.append(_open(c.CashOut, wallet.cents))
        if seats:
            found.append(_open(c.SendToTable, wallet.cents, seats))
    return found


def _cashiers(floor: Floor, banks: list[TableBank]) -> list[CageOpen]:
    # A ticket that is forged, paid or expired is brought to the window as well.
    found = [_open(c.BuyIn, CENTS_MAX), _open(c.PayTicket)]
    if any(floor.house.cage.cage.wallets.all.values()):
        found.append(_open(c.PayOut, CENTS_MAX))
    by_command: dict[type[c.CageCommand], list[ForTable]] = {
        c.SetOpener: [
            ForTable(one.table, CENTS_MAX, None)
            for one in banks
            if not one.open and not one.box_cents
        ],
        c.FillTable: [ForTable(one.table, CENTS_MAX, None) for one in banks if one.open],
        c.CreditTable: [
            ForTable(one.table, one.tray_cents, None)
            for one in banks
            if one.open and one.tray_cents > 0
        ],
        c.CountCloser: [
            ForTable(one.table, CENTS_MAX, one.tray_cents)
            for one in banks
            if one.open and not one.deals
        ],
        c.CountDrop: [
            ForTable(one.table, CENTS_MAX, one.box_cents) for one in banks if not one.deals
        ],
    }
    found += [_open(kind, tables=tables) for kind, tables in by_command.items() if tables]
    return found


# A patron's own tickets


def _require_patron(asker: Asker) -> str:
    if asker.patron is None:
        message = "Only a patron has tickets of their own."
        raise ProblemError(ServerCode.FORBIDDEN, message)
    return asker.patron


@get("/me/tickets", opt=described(gives=list[TicketShown], signed_in=True, problems=PROBLEMS))
async def own_tickets(request: AnyRequest) -> Response[bytes]:
    """List the tickets that whoever asks had printed, the newest first."""
    floor, asker = floor_of(request), signed_in(request)
    patron = _require_patron(asker)
    await floor.books.ready()
    own = [one for one in floor.books.cage.tickets.values() if one.patron == patron]
    newest = own[: -TICKETS_SHOWN - 1 : -1]
    return answered([ticket_shown(floor, one, named=False) for one in newest])


@get(
    "/me/tickets/preview",
    opt=described(
        gives=TicketPreview,
        query=PreviewQuery,
        signed_in=True,
        problems=(ServerCode.FORBIDDEN, ServerCode.NOT_DONE),
    ),
)
async def ticket_preview(request: AnyRequest) -> Response[bytes]:
    """Say what a ticket over an amount would say; nothing is printed."""
    floor, asker = floor_of(request), signed_in(request)
    patron, cents = _require_patron(asker), query_of(request, PreviewQuery).cents
    configuration = floor.house.configuration
    wallet = wallet_of(floor.house, patron)
    return answered(
        TicketPreview(
            house=configuration.server.name,
            cents=cents,
            figures=figures(floor, cents),
            words=words(floor, cents),
            currency=configuration.gaming_day.currency.code,
            terminal=_terminal(floor, floor.house.sits(patron)),
            payable_until=floor.house.clock() + TICKET_LIFE,
            wallet_cents=wallet.cents,
            allowed=cents <= wallet.cents,
        )
    )


def _terminal(floor: Floor, sits: tuple[str, int] | None) -> Terminal | None:
    """Return a place at a table with the number of the table."""
    return None if sits is None else Terminal(sits[0], floor.house.numbers.of(sits[0]), sits[1])


CALLS = (cage, pit_banks, may_at_cage, own_tickets, ticket_preview)
