"""What the pit is told without a device saying it: from decisions, from waiting, from clocks.

``noticed``, ``differs``, ``waits_long`` and ``skewed`` are pure: a table before and after a
decision, a count, a table and the moment, how far clocks are apart. ``Pace`` remembers the
newest calls for bets. ``Watch`` puts them together for a house.
"""

from __future__ import annotations

from collections import deque
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from croupier.cage.events import DifferenceFound
from croupier.floor.alarms import HOUSE, AlarmCode, Notice
from croupier.journal.cages import STREAM as CAGE
from croupier.money import dollars
from croupier.rules.errors import cited
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.differential import heavier
from croupier.table.next import WaitFor, next_act
from croupier.table.refusals import Code
from croupier.table.reports import ExtraCard
from croupier.table.words import WAITS

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator, Mapping
    from datetime import datetime

    from croupier.floor.alarms import Alarms
    from croupier.floor.configuration import AlarmLimits
    from croupier.floor.house import House
    from croupier.journal.gathering import Committed, Landed
    from croupier.table.state import Table

PREFIX: Final = "table:"
PACE_ROUNDS: Final = 10
"""Over so many rounds the pace of a table is measured."""
HOUR: Final = timedelta(hours=1)
SECOND: Final = timedelta(seconds=1)
PER_CENT: Final = 100


# From decisions


def noticed(
    before: Table,
    after: Table,
    events: tuple[Any, ...],
    refused: str | None,
    limits: AlarmLimits,
) -> Iterator[Notice]:
    """Yield what people should look at after a decision; ``refused``: the code, if it was."""
    if refused is not None:
        if refused == Code.DIFFERENTIAL.value:
            yield from _apart(after, limits, "A wager was refused: ")
        return
    for event in events:
        rule = RULES.get(type(event))
        if rule is not None:
            yield from rule(after, event, limits)
    near = _share(after) >= limits.differential_percent > 0
    if near and _share(before) < limits.differential_percent:
        yield from _apart(after, limits)


def _share(table: Table) -> int:
    """Return how much of the table differential is used, in per cent."""
    if table.plan is None or table.round is None or table.between_rounds:
        return 0
    most = table.settings.differential_cents
    return 0 if not most else table.differential * PER_CENT // most


def _apart(table: Table, limits: AlarmLimits, why: str = "") -> Iterator[Notice]:
    most = None if table.plan is None else table.settings.differential_cents
    if most is None or table.round is None or not limits.differential_percent:
        return
    yield Notice(
        code=AlarmCode.DIFFERENTIAL,
        sentence=(
            f"{why}{heavier(table).value.title()} is ahead by {dollars(table.differential)}"
            f" of {dollars(most)}."
        ),
        round=table.round.number,
        wager=heavier(table).value,
        cents=table.differential,
        limit_cents=most,
    )


def _number(table: Table) -> int | None:
    return None if table.round is None else table.round.number


def _terminal_lost(table: Table, event: e.TerminalLost, _: AlarmLimits) -> Iterator[Notice]:
    patron = next((who for who, at in table.seats.items() if at == event.position), None)
    stands = "its bets were accepted before it left" if event.takes_part else "it had no bets"
    if event.flagged:
        stands = "its bets are to be decided on"
    yield Notice(
        code=AlarmCode.TERMINAL_LOST,
        sentence=f"Terminal {event.position} is offline; {stands}.",
        round=_number(table),
        patron=patron,
        position=event.position,
    )


def _settled(table: Table, event: e.WagersSettled, limits: AlarmLimits) -> Iterator[Notice]:
    most = limits.big_win_cents
    for line in event.lines if most else ():
        if line.won_cents >= most:
            position = table.seats.get(line.patron)
            seat = "" if position is None else f"Seat {position} "
            yield Notice(
                code=AlarmCode.BIG_WIN,
                sentence=f"{seat}won {dollars(line.won_cents)} on {line.wager}.".capitalize(),
                round=_number(table),
                patron=line.patron,
                position=position,
                wager=line.wager,
                cents=line.won_cents,
            )


def _found(table: Table, event: e.StakeFound, _: AlarmLimits) -> Iterator[Notice]:
    yield Notice(
        code=AlarmCode.STAKE_FOUND,
        sentence=(
            f"Seat {event.position} had {dollars(event.cents)} on {event.wager},"
            " outside the limits, found after the closing."
        ),
        round=_number(table),
        patron=event.patron,
        position=event.position,
        wager=event.wager,
        cents=event.cents,
    )


def _cut_card(table: Table, _: e.CutCardSeen, __: AlarmLimits) -> Iterator[Notice]:
    """Tell of a shoe that ends where people must bring another; the system brings its own."""
    if not table.system_deals:
        yield Notice(
            code=AlarmCode.SHOE_ENDS,
            sentence="The cut card was seen: the shoe ends.",
            round=_number(table),
            shoe=table.loaded,
        )


def _reported(table: Table, event: i.IrregularityReported, _: AlarmLimits) -> Iterator[Notice]:
    """Tell of a card that the shoe gave more often than it has it; no face is said."""
    if isinstance(event.report.about, ExtraCard):
        yield Notice(
            code=AlarmCode.EXTRA_CARD,
            sentence=f"A card came more often than the shoe has it{_cited(event.clause)}.",
            round=_number(table),
            shoe=table.loaded,
        )


def _void(table: Table, event: i.RoundVoided, _: AlarmLimits) -> Iterator[Notice]:
    cents = sum(one.cents for one in event.refunds)
    yield Notice(
        code=AlarmCode.ROUND_VOID,
        sentence=f"The round is void; {dollars(cents)} went back{_cited(event.clause)}.",
        round=_number(table),
        cents=cents,
    )


def _cited(clause: str | None) -> str:
    return "" if clause is None else f" [{cited(clause)}]"


RULES: Final[Mapping[type, Callable[[Table, Any, AlarmLimits], Iterator[Notice]]]] = {
    e.TerminalLost: _terminal_lost,
    e.WagersSettled: _settled,
    e.StakeFound: _found,
    e.CutCardSeen: _cut_card,
    i.IrregularityReported: _reported,
    i.RoundVoided: _void,
}


CALLS: Final = (e.ShoeLoaded, e.TableOpened, e.TableClosed, e.BetsOpened)
"""What the pace of a table is measured by."""
LOOKED_AT: Final = frozenset((*RULES, *CALLS))


def _balanced(table: Table) -> bool:
    """Tell whether stakes on Player and Banker may be too far apart."""
    return table.plan is not None and bool(table.settings.differential_cents)


def differs(event: DifferenceFound, limits: AlarmLimits) -> Notice | None:
    """Return that a table's bank or box was counted otherwise than the ledger has it."""
    if not 0 < limits.count_difference_cents <= abs(event.over_cents):
        return None
    way = "over" if event.over_cents > 0 else "short"
    return Notice(
        code=AlarmCode.COUNT_DIFFERS,
        sentence=(
            f"The {event.counted.value} was counted as {dollars(event.counted_cents)};"
            f" the ledger has {dollars(event.expected_cents)}, so it is"
            f" {dollars(abs(event.over_cents))} {way}."
        ),
        cents=event.counted_cents,
        limit_cents=event.expected_cents,
        counted=event.counted,
    )


# From waiting


def waits_long(table: Table, moment: datetime, limits: AlarmLimits) -> Notice | None:
    """Return that a round waits for people longer than is set; None: it does not."""
    most, since = limits.waits_seconds, table.since
    if not most or table.plan is None or since is None:
        return None
    if table.between_rounds and table.hold is None:
        return None
    seconds = (moment - since) // SECOND
    if seconds < most:
        return None
    now = next_act(table, moment)
    if not isinstance(now, WaitFor):
        return None
    why = now.why if table.hold is None else WAITS[table.hold.kind]
    return Notice(
        code=AlarmCode.WAITS,
        sentence=f"It has waited for {seconds} seconds: {why}",
        round=_number(table),
        rate=seconds,
        usual=most,
    )


class Pace:
    """The newest calls for bets of a table, and how fast they follow each other."""

    def __init__(self) -> None:
        self._calls: deque[datetime] = deque(maxlen=PACE_ROUNDS + 1)

    def called(self, moment: datetime, limits: AlarmLimits) -> Notice | None:
        """Count a call for bets; return that the table is too slow or too fast."""
        self._calls.append(moment)
        if len(self._calls) <= PACE_ROUNDS:
            return None
        took = self._calls[-1] - self._calls[0]
        rate = PACE_ROUNDS * HOUR // took if took else 0
        slow, fast = limits.slow_rounds_an_hour, limits.fast_rounds_an_hour
        code = AlarmCode.SLOW if rate < slow else AlarmCode.FAST if 0 < fast < rate else None
        if code is None:
            return None
        self._calls.clear()
        usual = slow if code is AlarmCode.SLOW else fast
        bound = "at least" if code is AlarmCode.SLOW else "at most"
        return Notice(
            code=code,
            sentence=f"{rate} rounds an hour; {bound} {usual} are set.",
            rate=rate,
            usual=usual,
        )

    def pause(self) -> None:
        """Begin anew: nobody plays, or the shoe is changed."""
        self._calls.clear()


# From clocks


def skewed(off: timedelta, limits: AlarmLimits) -> Notice | None:
    """Return that the machine's clock is too far from the even one of the house."""
    if not 0 < limits.clock_seconds <= abs(off) / SECOND:
        return None
    seconds = round(abs(off) / SECOND)
    where = "ahead of" if off > timedelta() else "behind"
    return Notice(
        code=AlarmCode.CLOCK_SKEW,
        sentence=f"The clock of the machine is {seconds} seconds {where} that of the house.",
        rate=seconds if off > timedelta() else -seconds,
        usual=limits.clock_seconds,
    )


# A house


class Watch:
    """Raises alarms at what is noticed at the tables of a house."""

    def __init__(
        self,
        house: House,
        alarms: Alarms,
        spawn: Callable[[Coroutine[Any, Any, object]], object],
    ) -> None:
        self._house, self._alarms, self._spawn = house, alarms, spawn
        self._limits = house.configuration.alarms
        self._paces: dict[str, Pace] = {}
        self._waited: dict[str, datetime] = {}
        """Since when a table waited that an alarm was raised for."""
        self._skewed = False
        """Whether an alarm was raised for clocks that are still apart."""

    def committed(self, landed: Landed) -> None:
        """Look at decisions; a subscriber of the writer."""
        stream = landed.stream
        if stream == CAGE:
            for one in landed.all:
                self._counted(one.decision.events)
        if not stream.startswith(PREFIX):
            return
        looks = landed.refused or not landed.kinds.isdisjoint(LOOKED_AT)
        if looks or _balanced(landed.last.after.table):  # most of what is decided are wagers
            for one in landed.all:
                self._look_at(stream.removeprefix(PREFIX), one)

    def _look_at(self, name: str, committed: Committed) -> None:
        refusal, events = committed.decision.refusal, committed.decision.events
        before, after = committed.before.table, committed.after.table
        refused = None if refusal is None else refusal.code
        for one in noticed(before, after, events, refused, self._limits):
            self._raise(name, one)
        for event in events if refusal is None else ():
            self._paced(name, after, event)

    def _counted(self, events: tuple[Any, ...]) -> None:
        for event in events:
            if isinstance(event, DifferenceFound):
                one = differs(event, self._limits)
                if one is not None:
                    self._raise(event.table, one)

    def _paced(self, name: str, table: Table, event: object) -> None:
        if isinstance(event, e.ShoeLoaded | e.TableOpened | e.TableClosed):
            self._paces.pop(name, None)
        elif isinstance(event, e.BetsOpened):
            pace = self._paces.setdefault(name, Pace())
            if not table.seats:
                pace.pause()
            elif (slow := pace.called(event.moment, self._limits)) is not None:
                self._raise(name, slow)

    def look(self) -> None:
        """Look at clocks, and at tables that wait, from time to time."""
        moment = self._house.clock()
        self._look_at_clocks()
        for name, desk in self._house.tables.items():
            table = desk.table
            if table.since is None or self._waited.get(name) == table.since:
                continue
            one = waits_long(table, moment, self._limits)
            if one is not None:
                self._waited[name] = table.since
                self._raise(name, one)

    def _look_at_clocks(self) -> None:
        """Tell of a clock that was set, once: it is made up for slowly."""
        off = self._house.clock.off
        one = skewed(off, self._limits)
        if one is None:
            # Not at once: a clock at the very limit would be told of again and again.
            near = abs(off) * 2 < self._limits.clock_seconds * SECOND
            self._skewed = self._skewed and not near
        elif not self._skewed:
            self._skewed = True
            self._raise(HOUSE, one)

    def _raise(self, name: str, notice: Notice) -> None:
        self._spawn(self._alarms.raise_alarm(notice.at(name, self._house.clock())))
