"""All money of a house, followed at every moment: what came in as cash is somewhere.

It is counted from the decisions as they become durable, stream by stream, and not from the
balances of the store: in wallets and on tickets, at seats and in stakes, won by tables, or
between two streams.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from croupier.cage import events as of_cage
from croupier.journal.between import given_up_name
from croupier.journal.cages import STREAM, CageStream
from croupier.journal.decision import read_record
from croupier.journal.tables import TableStream
from croupier.rulebooks import RULEBOOKS
from croupier.table import events as e

if TYPE_CHECKING:
    from croupier.journal.decision import Decision, Record
    from croupier.journal.gathering import Landed
    from croupier.journal.store import Store

PAGE = 1_000


def cash_of(event: object) -> int:
    """Return what cash came into the house by an event; below zero: it went out."""
    if isinstance(event, of_cage.BoughtIn):
        return event.cents
    if isinstance(event, e.CreditBrought):
        return 0 if event.transfer else event.cents
    if isinstance(event, of_cage.TicketPaid | of_cage.PaidOut):
        return -event.cents
    if isinstance(event, e.CreditTaken):
        return 0 if event.to_wallet else -event.cents
    return 0


class Money:
    """Where the money is, as far as was heard or read."""

    def __init__(self, *, in_order: bool = True) -> None:
        self._in_order = in_order
        """Whether one writer tells of all streams; two are heard in any order."""
        self.wrong: list[str] = []
        """After which decisions it was not found."""
        self.cash = self.checks = 0
        """What came in less what was paid out; and how often it was found again."""
        self.moving: Counter[str] = Counter()
        """Between two streams, by the name of the transfer."""
        self._sent: dict[int, str] = {}
        self._at: dict[str, int] = {}
        self._states: dict[str, Any] = {}
        self._held: dict[str, int] = {}
        self._least: dict[str, int] = {}
        """By stream: what the patron has there who has least."""
        self._won: Counter[str] = Counter()
        self._missed = False

    # What happened

    def heard(self, landed: Landed) -> None:
        """Take what became durable, and look after each of it: a subscriber of a writer."""
        name = landed.stream
        for one in landed.all:
            if one.record.sequence <= self._at.get(name, 0):
                continue  # it was read, or is told again
            # What a house that stopped did not tell is read by the next.
            self._missed |= one.record.sequence != self._at.get(name, 0) + 1
            if self._missed:
                return
            self._take(one.record, one.decision, one.after)
            self._found(one.record)

    def _found(self, record: Record) -> None:
        """Look for the money; a writer does not mind what its subscribers find."""
        try:
            self.check()
            if self._in_order:
                # Nothing arrived twice, or before it was sent.
                assert min(self.moving.values(), default=0) >= 0
        except AssertionError as error:
            self.wrong.append(f"{record.stream} {record.sequence}: {error}")

    async def catch_up(self, store: Store) -> None:
        """Read what nobody told."""
        for head in await store.heads():
            name = head.stream
            stream: Any = None
            if name == STREAM:
                stream = CageStream()
            elif name.startswith("table:"):
                stream = TableStream(name.partition(":")[2], RULEBOOKS)
            while self._at.get(name, 0) < head.sequence:
                for record in await store.read(name, self._at.get(name, 0), PAGE):
                    self._read(stream, record)
        self._missed = False
        self.check()

    def _read(self, stream: Any, record: Record) -> None:  # noqa: ANN401  # of either kind
        decision = read_record(record)
        state = self._states.get(record.stream)
        if stream is not None and state is None:
            state = stream.initial()
        if stream is not None and decision.refusal is None:
            state = stream.fold(state, decision.house, decision.events, record.sequence)
        self._take(record, decision, state)

    def _take(self, record: Record, decision: Decision, after: Any) -> None:  # noqa: ANN401
        name = record.stream
        before = self._states.get(name)
        self._at[name], self._states[name] = record.sequence, after
        if decision.refusal is not None:
            return
        for line, event in enumerate(decision.events):
            self.cash += cash_of(event)
            self._move(record, line, event)
        if name == STREAM:
            tickets = (one.cents for one in after.tickets.all.values() if not one.paid)
            wallets = after.wallets.all.values()
            self._least[name] = min(wallets, default=0)
            self._held[name] = sum(wallets) + sum(tickets)
        elif name.startswith("table:"):
            credits_ = after.table.credits.values()
            self._least[name] = min(credits_, default=0)
            self._held[name] = sum(credits_) + after.table.in_play
            # A table that closes begins anew; what it has won is won.
            closed = any(isinstance(event, e.TableClosed) for event in decision.events)
            if before is not None and not closed:
                now, old = after.table, before.table
                self._won[name] += now.bank + now.commission - old.bank - old.commission

    def _move(self, record: Record, line: int, event: Any) -> None:  # noqa: ANN401  # of any stream
        match event:
            case of_cage.SentToTable():
                self._sent[event.transfer] = record.hash.hex()
                self.moving[record.hash.hex()] += event.cents
            case of_cage.SentBack():
                self.moving[self._sent[event.transfer]] -= event.cents
            case of_cage.ReceivedFromTable():
                self.moving[event.transfer] -= event.cents
            case e.CreditBrought(transfer=str() as name):
                self.moving[name] -= event.cents
            case e.CreditTaken(to_wallet=True):
                self.moving[given_up_name(record.hash, line)] += event.cents

    # What must be

    def check(self) -> None:
        """Find all that came in, and nobody below zero."""
        assert min(self._least.values(), default=0) >= 0, self._least
        found = sum(self._held.values()) + self._won.total() + self.moving.total()
        assert found == self.cash, (found, self.cash)
        self.checks += 1

    def check_quiet(self) -> None:
        """Check that it was found at every moment, and that nothing is on its way any more."""
        assert self.wrong == []
        assert +self.moving == Counter()
        assert -self.moving == Counter()
