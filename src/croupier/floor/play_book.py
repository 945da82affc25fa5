"""How patrons play, round by round: what they staked, what they won, and what is usual for it.

A round counts when it is settled, and is taken out again when its pay list is reversed or it
becomes void. Only the newest rounds of each patron are kept: they are for a picture, and sums
that bind anybody are counted elsewhere. They are kept packed, 48 bytes each, because a busy
house has hundreds of thousands of them in a day; objects took three times as much.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from struct import Struct
from typing import TYPE_CHECKING, Final, NamedTuple

from croupier.floor.performance import rough
from croupier.journal.decision import read_moment
from croupier.table import events as e
from croupier.table import incidents as i

if TYPE_CHECKING:
    from collections.abc import Iterable

    from croupier.journal.decision import Decision
    from croupier.journal.performance import Rules
    from croupier.table.events import PayLine

KEPT: Final = 2_000
"""Rounds of one patron."""


class Played(NamedTuple):
    """A round of a patron."""

    moment: datetime
    table: str
    round: int
    won_cents: int
    staked_cents: int
    expected_cents: float
    """What such stakes win on average: less than nothing."""
    variance: float


PACKED: Final = Struct("<qIIqqdd")
"""A round: its moment in microseconds, the number of its table here, and the rest as it is."""
SIZE: Final = PACKED.size
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND: Final = timedelta(microseconds=1)


def _microseconds(moment: datetime) -> int:
    return (moment - EPOCH) // MICROSECOND


NOTED = frozenset((e.BetsOpened, e.WagersSettled, i.SettlementReversed, i.RoundVoided))
"""Events of which something is kept: a decision without any need not be shown here."""


class PlayBook:
    """The newest rounds of every patron."""

    def __init__(self) -> None:
        self.patrons: dict[str, bytearray] = {}
        """Their rounds in their order, packed."""
        self._rounds: dict[str, int] = {}
        self._tables: dict[str, int] = {}
        self._names: list[str] = []
        """Tables by their numbers here."""

    def feed(self, decision: Decision, rules: Rules | None) -> None:
        """Take a decision of a table, which is played by these rules."""
        table = decision.stream.partition(":")[2]
        for event in decision.events:
            if type(event) not in NOTED:
                continue
            if isinstance(event, e.BetsOpened):
                self._rounds[table] = event.round
            elif isinstance(event, e.WagersSettled) and rules is not None:
                self._settle(table, event.lines, rules, read_moment(decision.moment))
            elif isinstance(event, i.SettlementReversed):
                self._take_back(table, event.lines)
            elif isinstance(event, i.RoundVoided):
                self._take_back(table, event.reversed)

    def _settle(
        self, table: str, lines: Iterable[PayLine], rules: Rules, moment: datetime
    ) -> None:
        staked: dict[str, dict[str, int]] = {}
        won: dict[str, int] = {}
        for line in lines:
            if line.settled_cents or line.won_cents:
                own = staked.setdefault(line.patron, {})
                own[line.wager] = own.get(line.wager, 0) + line.settled_cents
                won[line.patron] = won.get(line.patron, 0) + line.won_cents
        edges, covariances = rough(rules)
        at, number = _microseconds(moment), self._number(table)
        for patron, own in staked.items():
            one = PACKED.pack(
                at,
                number,
                self._rounds.get(table, 0),
                won[patron],
                sum(own.values()),
                -sum(edges[wager] * cents for wager, cents in own.items()),
                sum(
                    covariances[first, second] * own[first] * own[second]
                    for first in own
                    for second in own
                ),
            )
            rounds = self.patrons.setdefault(patron, bytearray())
            rounds += one
            if len(rounds) > KEPT * SIZE:
                del rounds[:SIZE]

    def _number(self, table: str) -> int:
        number = self._tables.get(table)
        if number is None:
            number = self._tables[table] = len(self._names)
            self._names.append(table)
        return number

    def _take_back(self, table: str, lines: Iterable[PayLine]) -> None:
        here, now = self._number(table), self._rounds.get(table)
        for patron in {line.patron for line in lines}:
            rounds = self.patrons.get(patron, bytearray())
            for place in reversed(range(0, len(rounds), SIZE)):
                _, number, of_round, *_ = PACKED.unpack_from(rounds, place)
                if number == here:
                    if of_round == now:
                        del rounds[place : place + SIZE]
                    break

    def of(self, patron: str, since: datetime) -> list[Played]:
        """Return the rounds of a patron from a moment on, in their order."""
        first = _microseconds(since)
        return [
            Played(EPOCH + at * MICROSECOND, self._names[number], *others)
            for at, number, *others in PACKED.iter_unpack(self.patrons.get(patron, b""))
            if at >= first
        ]

    def forget(self, before: datetime) -> None:
        """Let go of rounds before a moment."""
        end = _microseconds(before)
        for patron, rounds in list(self.patrons.items()):
            old = 0
            while old < len(rounds) and PACKED.unpack_from(rounds, old)[0] < end:
                old += SIZE
            del rounds[:old]
            if not rounds:
                del self.patrons[patron]
