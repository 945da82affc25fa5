"""A book of its own: every stake, from the moment it lies there until it is resolved, once."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from croupier.table import events as e
from croupier.table import incidents as i

if TYPE_CHECKING:
    from collections.abc import Iterable

    from croupier.table.state import Table


class DeadEndError(AssertionError):
    """A round that cannot be ended, or a rule that was broken, and the way there."""

    def __init__(self, why: str, script: Iterable[str]) -> None:
        super().__init__("\n".join((why, *script)))
        self.why = why


class Book:
    """What each patron has at the seat, and every stake that is not resolved."""

    def __init__(self) -> None:
        self.credit: dict[str, int] = {}
        self.open: dict[tuple[int, str], int] = {}
        self.lines: tuple[e.PayLine, ...] | None = None
        self.house = 0

    def copy(self) -> Book:
        """Return a book with the same entries."""
        other = Book()
        other.credit, other.open = dict(self.credit), dict(self.open)
        other.lines, other.house = self.lines, self.house
        return other

    def post(self, event: e.Event) -> None:
        """Enter what an event does to the money."""
        if isinstance(event, e.WagerPlaced | e.WagerRaised | e.StakeFound):
            self._put(event.stake, event.patron, event.cents)
        elif isinstance(event, e.WagerLowered):
            self._take(event.stake, event.patron, event.cents)
        elif isinstance(event, e.WagerReturned):
            for number, patron in [key for key in self.open if key[0] == event.stake]:
                self._take(number, patron, self.open[number, patron])
        elif isinstance(event, i.WagersWithdrawn):
            self._withdraw(event)
        elif isinstance(event, e.WagersSettled):
            self._settle(event.lines)
        elif isinstance(event, i.SettlementReversed):
            assert event.lines == self.lines, "another list was reversed than was posted"
            self._reverse()
        elif isinstance(event, i.RoundVoided):
            self._void(event)
        else:
            self._begin(event)

    def _begin(self, event: e.Event) -> None:
        if isinstance(event, e.SeatTaken):
            self.credit[event.patron] = 0
        elif isinstance(event, e.CreditBrought):
            self.credit[event.patron] += event.cents
        elif isinstance(event, e.BetsOpened):
            assert not self.open or self.lines is not None, "stakes of the last round are open"
            self.open, self.lines = {}, None

    def _withdraw(self, event: i.WagersWithdrawn) -> None:
        held = [(number, self.open[number, event.patron]) for number in event.stakes]
        assert sum(cents for _, cents in held) == event.cents, "withdrawn is not what lay there"
        for number, cents in held:
            self._take(number, event.patron, cents)

    def _put(self, stake: int, patron: str, cents: int) -> None:
        assert self.lines is None, "a stake after the settlement"
        assert cents > 0
        self.credit[patron] -= cents
        self.open[stake, patron] = self.open.get((stake, patron), 0) + cents

    def _take(self, stake: int, patron: str, cents: int) -> None:
        assert self.lines is None, "a stake went back after the settlement"
        assert 0 < cents <= self.open[stake, patron], "more came back than lay there"
        self.credit[patron] += cents
        self.open[stake, patron] -= cents
        if not self.open[stake, patron]:
            del self.open[stake, patron]

    def _settle(self, lines: tuple[e.PayLine, ...]) -> None:
        assert self.lines is None, "settled twice"
        listed = Counter((line.stake, line.patron) for line in lines)
        assert dict.fromkeys(self.open, 1) == dict(listed), "a stake without its line"
        for line in lines:
            assert line.cents == self.open[line.stake, line.patron], "a line of another amount"
            assert line.won_cents >= -line.cents
            self.credit[line.patron] += line.cents + line.won_cents
            self.house -= line.won_cents
        self.lines = lines

    def _reverse(self) -> None:
        for line in self.lines or ():
            self.credit[line.patron] -= line.cents + line.won_cents
            self.house += line.won_cents
        self.lines = None

    def _void(self, event: i.RoundVoided) -> None:
        assert event.reversed == (self.lines or ()), "a void reverses what was posted"
        self._reverse()
        back = {(one.stake, one.patron): one.cents for one in event.refunds}
        assert len(back) == len(event.refunds), "refunded twice"
        assert back == self.open, "refunded is not what lay there"
        for (_, patron), cents in back.items():
            self.credit[patron] += cents
        self.open = {}

    def check(self, table: Table) -> None:
        """Compare the table's money with the book, to the cent."""
        held = sum(table.credits.values())
        whole = held + table.in_play + table.bank + table.commission
        assert whole == table.brought, "money came from nowhere, or is lost"
        assert min(table.credits.values(), default=0) >= 0, "somebody owes"
        assert dict(table.credits) == self.credit, "a seat holds another amount"
        lying = 0 if self.lines is not None else sum(self.open.values())
        assert table.in_play == lying, "another amount lies on the layout"
        assert table.bank + table.commission == self.house, "the house has another amount"
