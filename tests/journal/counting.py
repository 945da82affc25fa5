"""Win, turnover and ratings counted a second time, from the pay lists that stand at the end.

First every decision of a journal is gone through to find, for each round, the pay list that
stands and the moment it was made; only then is anything added up.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.journal.decision import Decision, Person, written_moment
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i

if TYPE_CHECKING:
    from collections.abc import Iterable

    from croupier.gaming_day import GamingDay
    from croupier.journal.performance import Performance
    from croupier.table.settings import Settings


class Paid(NamedTuple):
    """A pay list that stands."""

    table: str
    round: int
    moment: datetime
    settings: Settings
    lines: tuple[e.PayLine, ...]


class Facts(NamedTuple):
    """What a journal says, before anything is added up."""

    paid: list[Paid]
    voids: list[tuple[str, datetime]]
    corrections: list[tuple[str, datetime]]
    brought: list[tuple[str, str, datetime, int]]
    stints: list[tuple[str, str, datetime, datetime]]


def facts_of(decisions: Iterable[Decision]) -> Facts:  # noqa: C901  # one case after the other
    """Go through the decisions of tables, each table's in order."""
    standing: dict[tuple[str, int], Paid] = {}
    facts = Facts([], [], [], [], [])
    rounds: Counter[str] = Counter()
    settings: dict[str, Settings] = {}
    seated: dict[tuple[str, str], datetime] = {}
    last: dict[str, datetime] = {}
    for decision in decisions:
        kind, _, table = decision.stream.partition(":")
        if kind != "table":
            continue
        moment = last[table] = datetime.fromisoformat(decision.moment)
        for event in decision.events:
            match event:
                case e.TableOpened() | e.SettingsChanged():
                    settings[table] = event.settings
                case e.BetsOpened():
                    rounds[table] = event.round
                case e.WagersSettled():
                    number = rounds[table]
                    paid = Paid(table, number, moment, settings[table], event.lines)
                    standing[table, number] = paid
                case i.SettlementReversed():
                    del standing[table, rounds[table]]
                    facts.corrections.append((table, moment))
                case i.RoundVoided():
                    standing.pop((table, rounds[table]), None)
                    facts.voids.append((table, moment))
                case e.CreditBrought():
                    facts.brought.append((table, event.patron, moment, event.cents))
                case e.SeatTaken():
                    seated[table, event.patron] = moment
                case e.SeatLeft():
                    since = seated.pop((table, event.patron))
                    facts.stints.append((table, event.patron, since, moment))
    facts.paid.extend(standing.values())
    facts.stints.extend(
        (table, patron, since, last[table]) for (table, patron), since in seated.items()
    )
    return facts


Counts = Counter[tuple[str, ...]]


def counted_again(facts: Facts, day: GamingDay) -> Counts:
    """Add everything up; each number is under a name of its own."""
    counts: Counts = Counter()
    for paid in facts.paid:
        period = day.period(paid.moment)
        where = (paid.table, paid.settings.game, str(period.day), period.shift)
        counts["rounds", *where] += 1
        for line in paid.lines:
            if not line.settled_cents and not line.won_cents:
                continue
            at = (*where, line.wager)
            counts["stakes", *at] += 1
            counts["turnover", *at] += line.settled_cents
            counts["pushed", *at] += line.settled_cents * (line.result == "pushes")
            counts["win", *at] -= line.won_cents
            counts["commission", *at] += line.commission_cents or 0
            who = (line.patron, paid.table, paid.settings.game, str(period.day))
            counts["patron turnover", *who] += line.settled_cents
            counts["patron win", *who] -= line.won_cents
        for patron in {line.patron for line in paid.lines if line.settled_cents}:
            who = (patron, paid.table, paid.settings.game, str(period.day))
            counts["patron rounds", *who] += 1
        for one in {line.wager for line in paid.lines if line.settled_cents}:
            counts["wager rounds", *where, one] += 1
    for table, moment in facts.voids:
        counts["voids", table, str(day.period(moment).day), day.period(moment).shift] += 1
    for table, moment in facts.corrections:
        period = day.period(moment)
        counts["corrections", table, str(period.day), period.shift] += 1
    for table, patron, moment, cents in facts.brought:
        period = day.period(moment)
        counts["drop", table, str(period.day), period.shift] += cents
        counts["bought", patron, table, str(period.day)] += cents
    for table, patron, since, until in facts.stints:
        counts["seated", patron, table] += (until - since) // timedelta(microseconds=1)
    return +counts + Counter({key: n for key, n in counts.items() if n < 0})


def counts_of(book: Performance) -> Counts:
    """Write what a book holds under the same names."""
    counts: Counts = Counter()
    for place, sums in book.places.items():
        where = (place.table, place.rules.game, str(place.day), place.shift)
        counts["rounds", *where] += sums.rounds
        counts["voids", place.table, str(place.day), place.shift] += sums.voids
        counts["corrections", place.table, str(place.day), place.shift] += sums.corrections
        counts["drop", place.table, str(place.day), place.shift] += sums.drop_cents
        for wager, one in sums.wagers.items():
            counts["wager rounds", *where, wager] += one.rounds
            counts["stakes", *where, wager] += one.stakes
            counts["turnover", *where, wager] += one.turnover_cents
            counts["pushed", *where, wager] += one.pushed_cents
            counts["win", *where, wager] += one.win_cents
            counts["commission", *where, wager] += one.commission_cents
    for playing, rating in book.ratings().items():
        who = (playing.patron, playing.table, playing.rules.game, str(playing.day))
        counts["patron rounds", *who] += rating.rounds
        counts["patron turnover", *who] += rating.total.turnover_cents
        counts["patron win", *who] += rating.total.win_cents
        counts["bought", playing.patron, playing.table, str(playing.day)] += rating.bought_cents
        seated = rating.seated // timedelta(microseconds=1)
        counts["seated", playing.patron, playing.table] += seated
    return +counts + Counter({key: n for key, n in counts.items() if n < 0})


def won_by(book: Performance) -> int:
    """Return what all tables won."""
    return sum(one.win_cents for sums in book.places.values() for one in sums.wagers.values())


class Hand:
    """Writes decisions of one table by hand: events, and when."""

    def __init__(self, table: str = "1") -> None:
        self.table = table
        self.decisions: list[Decision] = []

    def note(self, moment: datetime, *events: Any) -> Decision:  # noqa: ANN401  # any event
        """Write the next decision."""
        decision = Decision(
            f"table:{self.table}", len(self.decisions) + 1, 1, "", written_moment(moment), "",
            Person("system", "house"), c.CallBets(), events=events,
        )  # fmt: skip
        self.decisions.append(decision)
        return decision
