"""A second set of books for a table, kept from its events alone.

It knows nothing of rules: who has how much credit, which share of which stake is open, what
the bank and the commission are, who holds the dealing device, and how many cards left it.
Whatever the table says of these must agree with it after every event. A settlement that is
reversed leaves no trace: all is as it was noted before it.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.table import events as e
from croupier.table import incidents as i

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.table.state import Table

Shares = dict[tuple[int, str], int]
"""Cents by stake number and patron."""


class Noted(NamedTuple):
    """What a settlement changes beside credit: how it was before."""

    bank: int
    commission: int
    under_minimum: frozenset[str]


class Ledger:
    """Accounts of one table."""

    def __init__(self) -> None:
        self.credits: dict[str, int] = {}
        self.open: Shares = {}
        self.bank = 0
        self.commission = 0
        self.brought = 0
        self.round = 0
        self.over = True
        """Every stake of the round is resolved."""
        self.void = False
        self.voidable = False
        """A paid round can still be void, until the next call for bets."""
        self.lines: tuple[e.PayLine, ...] = ()
        """The pay list that can still be reversed."""
        self.before = Noted(0, 0, frozenset())
        """How it was before that pay list."""
        self.reversals: list[e.PayLine] = []
        """Lines of this round that were reversed."""
        self.under_minimum: set[str] = set()
        self.seated: set[str] = set()
        self.holder: str | None = None
        """Who controls the dealing device."""
        self.lost: str | None = None
        """Who lost it by the settlement."""
        self.due: str | None = None
        """Who gets it back because the settlement is reversed."""
        self.shoe_cards = 0
        self.out = 0
        self.waiting = 0
        self.dealt = 0
        self.aside = 0
        """Cards that were in a hand and are no longer."""
        self.unused = 0
        """Cards that waited, and that no hand took."""

    def post(self, event: e.Event) -> None:
        """Enter an event."""
        enter = ENTRIES.get(type(event))
        if enter is not None:
            enter(self, event)

    def check(self, table: Table) -> None:
        """Compare the table's own accounts with these."""
        assert dict(table.credits) == self.credits
        assert table.in_play == sum(self.open.values())
        assert table.bank == self.bank
        assert table.commission == self.commission
        assert table.brought == self.brought
        held = sum(self.credits.values()) + table.in_play
        assert held + self.bank + self.commission == self.brought, "money came or went"
        assert min(self.credits.values(), default=0) >= 0, "a patron owes money"
        assert table.under_minimum == self.under_minimum
        assert table.shoe_holder == self.holder
        assert self.due is None, "a reversed settlement kept the dealing device"
        self.check_reserved(table)
        play = table.round
        lying = {
            (stake.number, share.patron): share.cents
            for stake in table.stakes
            for share in stake.shares
        }
        if play is not None and play.lines is None:
            assert lying == self.open, "the stakes are not what was placed"
        if table.shoe is not None:
            assert table.shoe.out == self.out
            assert 0 <= self.out <= table.shoe.cards == self.shoe_cards
        if play is not None and not table.between_rounds:
            assert len(play.waiting) == len(play.waiting_numbers) == self.waiting
            assert len(play.unused) == len(play.unused_numbers) == self.unused
            assert (len(play.cards), len(play.aside)) == (self.dealt, self.aside)

    def check_reserved(self, table: Table) -> None:
        """Test that all that a pay list credited is there while it could be reversed."""
        reserved: Counter[str] = Counter()
        for line in self.lines:
            reserved[line.patron] += line.cents + line.won_cents
        for patron, cents in reserved.items():
            assert self.credits.get(patron, 0) >= cents, "reserved credit was taken away"
            assert table.reserved(patron) == cents
        play = table.round
        if play is not None and not table.between_rounds:
            assert list(play.corrected) == self.reversals, "a reversed line is not shown"

    def move(self, patron: str, cents: int) -> None:
        """Change a patron's credit."""
        self.credits[patron] += cents

    def close(self, number: int, patron: str, cents: int) -> None:
        """Take so many cents off an open share."""
        left = self.open[number, patron] - cents
        assert left >= 0, "more went back than was staked"
        if left:
            self.open[number, patron] = left
        else:
            del self.open[number, patron]


def _opened(ledger: Ledger, event: e.TableOpened) -> None:
    ledger.voidable = event.settings.rulebook in ("PB6", "F6T2")


def _brought(ledger: Ledger, event: e.CreditBrought) -> None:
    ledger.move(event.patron, event.cents)
    ledger.brought += event.cents


def _taken(ledger: Ledger, event: e.CreditTaken) -> None:
    ledger.move(event.patron, -event.cents)
    ledger.brought -= event.cents
    if event.patron not in ledger.seated and not ledger.credits[event.patron]:
        # Whoever left before has taken what a late void returned, and no account is kept.
        del ledger.credits[event.patron]


def _seated(ledger: Ledger, event: e.SeatTaken) -> None:
    ledger.credits.setdefault(event.patron, 0)
    ledger.seated.add(event.patron)


def _left(ledger: Ledger, event: e.SeatLeft) -> None:
    assert ledger.credits.pop(event.patron) == 0, "credit was left behind"
    ledger.seated.discard(event.patron)
    assert all(patron != event.patron for _, patron in ledger.open), "a stake was left behind"


def _bets_opened(ledger: Ledger, event: e.BetsOpened) -> None:
    assert not ledger.open, "a stake of the last round was never resolved"
    assert event.round == ledger.round + 1
    ledger.round = event.round
    ledger.over = ledger.void = False
    ledger.lines = ()
    ledger.reversals = []
    ledger.lost = None
    ledger.waiting = ledger.dealt = ledger.aside = ledger.unused = 0


def _put(ledger: Ledger, number: int, patron: str, cents: int) -> None:
    assert cents > 0
    assert not ledger.over
    ledger.open[number, patron] = ledger.open.get((number, patron), 0) + cents
    ledger.move(patron, -cents)


def _placed(ledger: Ledger, event: e.WagerPlaced) -> None:
    assert all(number != event.stake for number, _ in ledger.open), "the number is taken"
    _put(ledger, event.stake, event.patron, event.cents)


def _added(ledger: Ledger, event: e.WagerRaised | e.StakeFound) -> None:
    _put(ledger, event.stake, event.patron, event.cents)


def _lowered(ledger: Ledger, event: e.WagerLowered) -> None:
    assert event.cents > 0
    ledger.close(event.stake, event.patron, event.cents)
    ledger.move(event.patron, event.cents)


def _returned(ledger: Ledger, event: e.WagerReturned) -> None:
    shares = [key for key in ledger.open if key[0] == event.stake]
    assert shares, "nothing lies there to return"
    for key in shares:
        ledger.move(key[1], ledger.open.pop(key))


def _withdrawn(ledger: Ledger, event: i.WagersWithdrawn) -> None:
    assert len(set(event.stakes)) == len(event.stakes) > 0
    back = [ledger.open.pop((number, event.patron)) for number in event.stakes]
    assert sum(back) == event.cents
    ledger.move(event.patron, event.cents)


def _settled(ledger: Ledger, event: e.WagersSettled) -> None:
    assert not ledger.over, "settled twice"
    paid = {(line.stake, line.patron): line.cents for line in event.lines}
    assert len(paid) == len(event.lines), "a share was settled twice"
    assert paid == ledger.open, "not every share was settled"
    ledger.before = Noted(ledger.bank, ledger.commission, frozenset(ledger.under_minimum))
    ledger.lost = None
    for line in event.lines:
        assert 0 <= line.settled_cents <= line.cents
        assert line.won_cents >= -line.settled_cents
        kept = line.commission_cents or 0
        assert kept >= 0
        ledger.move(line.patron, line.cents + line.won_cents)
        ledger.bank -= line.won_cents + kept
        ledger.commission += kept
        if line.breach == "under_minimum" and line.result != "pushes":
            ledger.under_minimum.add(line.patron)
    ledger.open = {}
    ledger.over = True
    ledger.lines = event.lines


def _undo(ledger: Ledger, lines: tuple[e.PayLine, ...]) -> None:
    """Take a pay list back, line by line, and with it all that followed from it."""
    assert lines == ledger.lines, "another pay list is reversed than was entered"
    for line in lines:
        # Whoever lost everything may have left.
        held = ledger.credits.get(line.patron, 0) - line.cents - line.won_cents
        assert held >= 0, "a reversal makes a debtor"
        ledger.credits[line.patron] = held
        ledger.open[line.stake, line.patron] = line.cents
    ledger.bank, ledger.commission = ledger.before.bank, ledger.before.commission
    ledger.under_minimum = set(ledger.before.under_minimum)
    ledger.due, ledger.lost = ledger.lost, None
    ledger.lines = ()
    ledger.over = False


def _reversed(ledger: Ledger, event: i.SettlementReversed) -> None:
    assert ledger.over, "reversed before it was settled"
    assert not ledger.void
    _undo(ledger, event.lines)
    ledger.reversals += event.lines


def _voided(ledger: Ledger, event: i.RoundVoided) -> None:
    assert not ledger.void, "void twice"
    if ledger.over:
        _undo(ledger, event.reversed)
    else:
        assert not event.reversed, "a pay list is reversed that was not entered"
    back = {(one.stake, one.patron): one.cents for one in event.refunds}
    assert len(back) == len(event.refunds), "a share was returned twice"
    assert back == ledger.open, "not every share was returned"
    for one in event.refunds:
        ledger.credits[one.patron] = ledger.credits.get(one.patron, 0) + one.cents
    ledger.open = {}
    ledger.over = ledger.void = True


def _round_closed(ledger: Ledger, event: e.RoundClosed) -> None:
    assert event.round == ledger.round
    assert ledger.over
    if not ledger.voidable:
        ledger.lines = ()


def _shoe_taken(ledger: Ledger, event: e.ShoeTaken) -> None:
    assert ledger.due in (None, event.patron), "the dealing device went to somebody else"
    ledger.holder, ledger.due, ledger.lost = event.patron, None, None


def _shoe_given_up(ledger: Ledger, event: e.ShoeGivenUp) -> None:
    assert ledger.holder == event.patron, "who gives the device up has it"
    ledger.holder = None
    if event.settled:
        ledger.lost = event.patron


def _table_closed(ledger: Ledger, event: e.TableClosed) -> None:
    assert not ledger.open, f"{event} with stakes in play"
    ledger.lines = ()
    ledger.under_minimum.clear()


def _shoe_loaded(ledger: Ledger, event: e.ShoeLoaded) -> None:
    ledger.shoe_cards, ledger.out = event.cards, 0


def _cards_removed(ledger: Ledger, event: e.CardsRemoved) -> None:
    ledger.out += event.count


def _card_drawn(ledger: Ledger, event: e.CardDrawn) -> None:
    if event.waited:
        ledger.waiting -= 1
    else:
        ledger.out += 1
    ledger.dealt += 1


def _set_aside(ledger: Ledger, event: e.CardsSetAside) -> None:
    assert event.count > 0
    if event.waited:
        ledger.waiting -= event.count
        ledger.unused += event.count
    else:
        ledger.out += event.count


def _taken_up(ledger: Ledger, event: i.CardsTakenUp) -> None:
    assert event.count > 0
    ledger.out += event.count
    ledger.waiting += event.count


def _reset(ledger: Ledger, event: i.DeviceReset) -> None:
    out = ledger.dealt + ledger.aside + ledger.waiting
    assert event.cards == out, "cards of a reset device got lost"
    ledger.waiting = ledger.dealt = ledger.aside = ledger.unused = 0


def _reconstructed(ledger: Ledger, event: i.CardsReconstructed) -> None:
    out = ledger.dealt + ledger.aside
    assert sorted((*event.moved, *event.set_aside)) == list(range(out))
    ledger.dealt, ledger.aside = len(event.moved), len(event.set_aside)
    assert event.waiting <= ledger.unused
    ledger.unused -= event.waiting
    ledger.waiting += event.waiting


ENTRIES: dict[type[e.Event], Callable[[Ledger, Any], None]] = {
    e.TableOpened: _opened,
    e.CreditBrought: _brought,
    e.CreditTaken: _taken,
    e.SeatTaken: _seated,
    e.SeatLeft: _left,
    e.BetsOpened: _bets_opened,
    e.WagerPlaced: _placed,
    e.WagerRaised: _added,
    e.StakeFound: _added,
    e.WagerLowered: _lowered,
    e.WagerReturned: _returned,
    i.WagersWithdrawn: _withdrawn,
    e.WagersSettled: _settled,
    i.SettlementReversed: _reversed,
    i.RoundVoided: _voided,
    e.RoundClosed: _round_closed,
    e.ShoeTaken: _shoe_taken,
    e.ShoeGivenUp: _shoe_given_up,
    e.TableClosed: _table_closed,
    e.ShoeLoaded: _shoe_loaded,
    e.CardsRemoved: _cards_removed,
    e.CardDrawn: _card_drawn,
    e.CardsSetAside: _set_aside,
    i.CardsTakenUp: _taken_up,
    i.DeviceReset: _reset,
    i.CardsReconstructed: _reconstructed,
}
