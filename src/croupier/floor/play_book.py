"""How patrons play, round by round: what they staked, what they won, and what is usual for it.

A round counts when it is settled, and is taken out again when its pay list is reversed or it
becomes void. Only the newest rounds of each patron are kept: they are for a picture, and sums
that bind anybody are counted elsewhere.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final, NamedTuple

from croupier.floor.performance import rough
from croupier.journal.decision import read_moment
from croupier.table import events as e
from croupier.table import incidents as i

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

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


NOTED = frozenset((e.BetsOpened, e.WagersSettled, i.SettlementReversed, i.RoundVoided))
"""Events of which something is kept: a decision without any need not be shown here."""


class PlayBook:
    """The newest rounds of every patron."""

    def __init__(self) -> None:
        self.patrons: dict[str, deque[Played]] = {}
        self._rounds: dict[str, int] = {}

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
        for patron, own in staked.items():
            one = Played(
                moment,
                table,
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
            self.patrons.setdefault(patron, deque(maxlen=KEPT)).append(one)

    def _take_back(self, table: str, lines: Iterable[PayLine]) -> None:
        for patron in {line.patron for line in lines}:
            rounds = self.patrons.get(patron, deque())
            for place in reversed(range(len(rounds))):
                if rounds[place].table == table:
                    if rounds[place].round == self._rounds.get(table):
                        del rounds[place]
                    break

    def of(self, patron: str, since: datetime) -> list[Played]:
        """Return the rounds of a patron from a moment on, in their order."""
        return [one for one in self.patrons.get(patron, ()) if one.moment >= since]

    def forget(self, before: datetime) -> None:
        """Let go of rounds before a moment."""
        for patron, rounds in list(self.patrons.items()):
            while rounds and rounds[0].moment < before:
                rounds.popleft()
            if not rounds:
                del self.patrons[patron]
