"""The ledger: what every event of a table moves, from which account to which.

Accounts of a table: the seats of its patrons, the stakes in play, its bank, the cash in its
box, and the commission it kept. Money comes from the cage through ``transit``, or is bought
at the table for cash. Every posting moves cents from one account to another, so all accounts
together always hold nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.accounting import CASH, account
from croupier.cage.ledger import Move, bank, box, transit
from croupier.table import events as e
from croupier.table import incidents as i

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    import msgspec

    from croupier.table.state import Table


def seat(table: str, patron: str) -> str:
    """Return the account of a patron's credit at a table."""
    return account("seat", table, patron)


def stakes(table: str) -> str:
    """Return the account of the stakes in play at a table."""
    return account("stakes", table)


def commission(table: str) -> str:
    """Return the account of the commission that a table kept."""
    return account("commission", table)


def moves(name: str, table: Table | None, event: msgspec.Struct) -> tuple[Move, ...]:
    """Return what an event moves, given the table before it."""
    rule = MOVES.get(type(event))
    return () if rule is None else rule(name, table, event)


def _brought(name: str, table: Table, event: e.CreditBrought) -> tuple[Move, ...]:
    own = seat(name, event.patron)
    if event.transfer is not None:
        return ((transit(name, event.patron), own, event.cents),)
    # Cash goes into the box, and chips come out of the tray.
    return ((CASH, box(name), event.cents), (bank(name), own, event.cents))


def _taken(name: str, table: Table, event: e.CreditTaken) -> tuple[Move, ...]:
    # A table has no cash of its own: what staff pay out comes from outside its books.
    target = transit(name, event.patron) if event.to_wallet else CASH
    return ((seat(name, event.patron), target, event.cents),)


def _staked(
    name: str, table: Table, event: e.WagerPlaced | e.WagerRaised | e.StakeFound
) -> tuple[Move, ...]:
    return ((seat(name, event.patron), stakes(name), event.cents),)


def _lowered(name: str, table: Table, event: e.WagerLowered) -> tuple[Move, ...]:
    return ((stakes(name), seat(name, event.patron), event.cents),)


def _returned(name: str, table: Table, event: e.WagerReturned) -> tuple[Move, ...]:
    assert table.round is not None
    shares = table.round.stakes[event.stake].shares
    return _together((stakes(name), seat(name, one.patron), one.cents) for one in shares)


def _withdrawn(name: str, table: Table, event: i.WagersWithdrawn) -> tuple[Move, ...]:
    return ((stakes(name), seat(name, event.patron), event.cents),)


def _line(name: str, line: e.PayLine) -> Iterable[Move]:
    """Yield what one line of a pay list moves."""
    own, lost = seat(name, line.patron), max(0, -line.won_cents)
    if line.cents - lost:
        yield stakes(name), own, line.cents - lost
    if lost:
        yield stakes(name), bank(name), lost
    if line.won_cents > 0:
        yield bank(name), own, line.won_cents
    if line.commission_cents:
        # The house pays even money and keeps its part.
        yield bank(name), commission(name), line.commission_cents


def _settled(name: str, table: Table, event: e.WagersSettled) -> tuple[Move, ...]:
    return _together(move for line in event.lines for move in _line(name, line))


def _inverse(name: str, lines: Iterable[e.PayLine]) -> tuple[Move, ...]:
    """Return the exact inverse of what lines of a pay list moved."""
    return _together(
        (target, source, cents) for line in lines for source, target, cents in _line(name, line)
    )


def _unsettled(name: str, table: Table, event: i.SettlementReversed) -> tuple[Move, ...]:
    return _inverse(name, event.lines)


def _voided(name: str, table: Table, event: i.RoundVoided) -> tuple[Move, ...]:
    """Post the exact inverse of what was paid, and then the refunds."""
    back = _inverse(name, event.reversed)
    refunds = _together(
        (stakes(name), seat(name, refund.patron), refund.cents) for refund in event.refunds
    )
    return (*back, *refunds)


def _together(moves_: Iterable[Move]) -> tuple[Move, ...]:
    """Join moves between the same two accounts."""
    totals: dict[tuple[str, str], int] = {}
    for source, target, cents in moves_:
        totals[source, target] = totals.get((source, target), 0) + cents
    return tuple((source, target, cents) for (source, target), cents in totals.items())


MOVES: Mapping[type[msgspec.Struct], Callable[..., tuple[Move, ...]]] = {
    e.CreditBrought: _brought,
    e.CreditTaken: _taken,
    e.WagerPlaced: _staked,
    e.WagerRaised: _staked,
    e.StakeFound: _staked,
    e.WagerLowered: _lowered,
    e.WagerReturned: _returned,
    i.WagersWithdrawn: _withdrawn,
    e.WagersSettled: _settled,
    i.SettlementReversed: _unsettled,
    i.RoundVoided: _voided,
}


def expected(name: str, table: Table) -> dict[str, int]:
    """Return the balances that the state of a table stands for."""
    held = {seat(name, patron): cents for patron, cents in table.credits.items()}
    held[stakes(name)] = table.in_play
    held[commission(name)] = table.commission
    return {account: cents for account, cents in held.items() if cents}


def own_balances(name: str, balances: Mapping[str, int]) -> dict[str, int]:
    """Return the balances that only the stream of this table changes, as far as not zero."""
    only, seats = {stakes(name), commission(name)}, seat(name, "")
    return {
        account: cents
        for account, cents in balances.items()
        if cents and (account in only or account.startswith(seats))
    }


def tray_cents(name: str, balances: Mapping[str, int]) -> int:
    """Return what the tray of a table should hold: the commission lies among its chips."""
    return balances.get(bank(name), 0) + balances.get(commission(name), 0)
