"""The book of the cage: tickets, slips of tables, and what each patron did there last.

The cage itself keeps what it must know to decide; who asked, who approved and when is in its
decisions. One pass over them keeps it at hand, for whoever works at the cage or audits it.
"""

from __future__ import annotations

from collections import deque
from datetime import datetime  # noqa: TC003  # read by msgspec
from typing import TYPE_CHECKING

import msgspec

from croupier.cage import events as e
from croupier.frozen import Named
from croupier.journal.decision import read_moment

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from croupier.journal.decision import Decision

SLIPS_KEPT = 2_000
PAID_KEPT = 2_000
"""Tickets that are paid and remembered; all that are not paid are."""


class TicketState(Named):
    """What became of a ticket."""

    OPEN = "open"
    PAID = "paid"
    """In cash, at the window."""
    TAKEN_IN = "taken_in"
    """Into a wallet, at a terminal."""
    EXPIRED = "expired"
    """Nobody brought it in time."""


class Ticketed(msgspec.Struct):
    """A ticket: who had it printed, and what became of it."""

    number: str
    sequence: int
    """Of the decision at the cage by which it was printed."""
    patron: str
    cents: int
    issued: datetime
    digest: str
    """Of the number that proves it."""
    state: TicketState = TicketState.OPEN
    ended: datetime | None = None
    ended_by: str | None = None
    """Who paid it, or brought it."""
    expires: datetime | None = None
    """From when on it is paid no more."""
    table: str | None = None
    """Where it was printed."""
    position: int | None = None

    def state_at(self, moment: datetime) -> TicketState:
        """Return what became of it by a moment: time alone expires it, no decision does."""
        over = self.expires is not None and self.expires <= moment
        return TicketState.EXPIRED if over and self.state is TicketState.OPEN else self.state


class SlipKind(Named):
    """What goes between a table and the vault."""

    OPENER = "opener"
    FILL = "fill"
    CREDIT = "credit"
    CLOSER = "closer"
    DROP = "drop"


class Slip(msgspec.Struct, frozen=True, kw_only=True):
    """Chips or cash of a table that went to it or came from it, with both names."""

    number: int
    """Of the decision at the cage."""
    table: str
    kind: SlipKind
    cents: int
    """Of a closer or a drop: what was counted."""
    expected_cents: int | None
    """What the ledger expected, where it was another amount."""
    moment: datetime
    by: str
    second: str | None


class Last(msgspec.Struct, frozen=True):
    """What a patron did at the cage last."""

    event: str
    moment: datetime
    cents: int
    table: str | None


SLIPS: Mapping[type[e.CageEvent], SlipKind] = {
    e.TableOpenerSet: SlipKind.OPENER,
    e.TableFilled: SlipKind.FILL,
    e.TableCredited: SlipKind.CREDIT,
    e.TableCloserCounted: SlipKind.CLOSER,
    e.DropCounted: SlipKind.DROP,
}


class CageBook:
    """Tickets, slips and last acts, kept up to date one decision of the cage at a time."""

    def __init__(self) -> None:
        self.tickets: dict[str, Ticketed] = {}
        """By number, in the order in which they were printed."""
        self.slips: deque[Slip] = deque(maxlen=SLIPS_KEPT)
        self.lasts: dict[str, Last] = {}
        self.sent: dict[int, datetime] = {}
        """By number of a transfer that is on its way: since when."""
        self._paid: deque[str] = deque()
        self._expected: int | None = None

    def feed(self, decision: Decision) -> None:
        """Take a decision of the cage; they come in their order."""
        for event in decision.events:
            if type(event) in SLIPS:
                self._slip(decision, event)
            elif (rule := RULES.get(type(event))) is not None:
                rule(self, decision, event)
            patron = getattr(event, "patron", None)
            if patron is not None:
                self.lasts[patron] = Last(
                    str(event.__struct_config__.tag),
                    read_moment(decision.moment),
                    event.cents,  # type: ignore[attr-defined]  # all of them have it
                    getattr(event, "table", None),
                )

    def _slip(self, decision: Decision, event: Any) -> None:  # noqa: ANN401  # of SLIPS
        expected, self._expected = self._expected, None
        approver = decision.approver
        self.slips.append(
            Slip(
                number=decision.sequence,
                table=event.table,
                kind=SLIPS[type(event)],
                cents=event.cents,
                expected_cents=expected,
                moment=read_moment(decision.moment),
                by=decision.actor.name,
                second=None if approver is None else approver.name,
            )
        )

    def differs(self, decision: Decision, event: e.DifferenceFound) -> None:  # noqa: ARG002  # as all rules
        """Take note of what was expected; the count itself follows."""
        self._expected = event.expected_cents

    def printed(self, decision: Decision, event: e.CashedOut) -> None:
        """Take note of a new ticket."""
        self.tickets[event.ticket] = Ticketed(
            event.ticket,
            decision.sequence,
            event.patron,
            event.cents,
            read_moment(decision.moment),
            event.digest,
            expires=event.expires,
            table=event.table,
            position=event.position,
        )

    def ended(self, decision: Decision, event: e.TicketPaid | e.TicketTakenIn) -> None:
        """Take note that a ticket was paid."""
        ticket = self.tickets.get(event.ticket)
        if ticket is None:
            return
        paid = isinstance(event, e.TicketPaid)
        ticket.state = TicketState.PAID if paid else TicketState.TAKEN_IN
        ticket.ended, ticket.ended_by = read_moment(decision.moment), decision.actor.name
        self._paid.append(event.ticket)
        if len(self._paid) > PAID_KEPT:
            self.tickets.pop(self._paid.popleft(), None)

    def going(self, decision: Decision, event: e.SentToTable) -> None:
        """Take note that credit left for a table."""
        self.sent[event.transfer] = read_moment(decision.moment)

    def gone(self, decision: Decision, event: e.CreditArrived | e.SentBack) -> None:  # noqa: ARG002  # as all rules
        """Take note that it arrived, or is back."""
        self.sent.pop(event.transfer, None)


RULES: Mapping[type[msgspec.Struct], Callable[[CageBook, Decision, Any], None]] = {
    e.DifferenceFound: CageBook.differs,
    e.CashedOut: CageBook.printed,
    e.TicketPaid: CageBook.ended,
    e.TicketTakenIn: CageBook.ended,
    e.SentToTable: CageBook.going,
    e.CreditArrived: CageBook.gone,
    e.SentBack: CageBook.gone,
}
