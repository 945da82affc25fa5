"""Performance: what tables turned over and won, and how patrons played, from decisions.

One pass over the decisions of tables, in the order of each: fed one by one as they become
durable, or read from a journal; both give the same. Everything here is counted in whole cents.
What the exact odds expect of it is computed from these sums, by those who know the odds.

A round counts when its wagers are settled, in the gaming day and shift of that moment. A pay
list that is reversed, or a void after it, takes the round out again, from where it was counted;
the list that replaces it counts as it was finally paid. So the sums are always those of the
pay lists that stand, as the ledger's are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from croupier.journal.decision import (
    Head,
    check_chain,
    read_moment,
    read_record,
    written_moment,
)
from croupier.journal.errors import JournalError
from croupier.journal.recall import require_table, stream_of
from croupier.journal.sums import (
    Counted,
    Place,
    PlaceSums,
    Playing,
    Rating,
    Rules,
    Stood,
    Sums,
    add_sums,
    copied,
    products_of,
    stood_of,
)
from croupier.rulebooks import RULEBOOKS
from croupier.rules.wagers import Result
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.evolve import plan_for
from croupier.table.settings import DealtBy
from croupier.table.state import unopened

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
    from datetime import date, datetime, timedelta

    from croupier.gaming_day import GamingDay, Period
    from croupier.journal.decision import Decision
    from croupier.journal.gathering import Landed
    from croupier.journal.reader import Reader
    from croupier.table.settings import Settings

TABLES = stream_of("")
PUSHES = Result.PUSHES.value


class _Table(msgspec.Struct):
    """What has to be remembered of a table from one decision to the next."""

    name: str
    sequence: int = 0
    moment: str = ""
    rules: Rules | None = None
    round: int = 0
    called: str = ""
    """When the newest round was called."""
    counted: Counted | None = None
    """The newest round, as long as its pay list stands and may be taken back."""
    seated: dict[str, str] = {}
    """Patrons at the table, and since when, as far as it is not counted yet."""


class Performance:
    """Sums over the decisions of tables, kept up to date one decision at a time.

    ``courses`` keeps every round that counts, for a picture of the win round by round.
    """

    def __init__(self, gaming_day: GamingDay, *, courses: bool = False) -> None:
        self.gaming_day = gaming_day
        self.places: dict[Place, PlaceSums] = {}
        self._played: dict[Playing, Rating] = {}
        self._tables: dict[str, _Table] = {}
        self._missed: dict[str, int] = {}
        self._rounds: dict[tuple[str, date], list[Stood]] | None = {} if courses else None
        self._period: Period | None = None
        self._bounds = ("", "")

    # Feeding

    def committed(self, landed: Landed) -> None:
        """Count decisions that are durable: a subscriber of the writer."""
        for one in landed.all:
            self.feed(one.decision)

    def feed(self, decision: Decision) -> bool:
        """Count a decision; return False if decisions of its stream before it are missing.

        What was counted already is not counted again, and other streams than tables are
        passed over.
        """
        stream = decision.stream
        table = self._tables.get(stream)
        if table is None:
            if not stream.startswith(TABLES):
                return True
            table = self._tables[stream] = _Table(stream.removeprefix(TABLES))
        if decision.sequence != table.sequence + 1:
            if decision.sequence > table.sequence:
                self._missed[stream] = decision.sequence
                return False
            return True
        table.sequence, table.moment = decision.sequence, decision.moment
        for event in decision.events:
            rule = RULES.get(type(event))
            if rule is not None:
                try:
                    rule(self, table, event)
                except (LookupError, AssertionError, StopIteration) as error:
                    where = f"Decision {decision.sequence} of {stream}"
                    message = f"{where} cannot have happened at this table."
                    raise JournalError(message) from error
        return True

    @property
    def behind(self) -> list[str]:
        """Return the tables that miss decisions and stand still until these are read."""
        missed, tables = self._missed, self._tables
        late = [stream for stream in missed if tables[stream].sequence < missed[stream]]
        return sorted(tables[stream].name for stream in late)

    def sequence(self, table: str) -> int:
        """Return the last decision of a table that is counted; 0: none is."""
        seen = self._tables.get(stream_of(table))
        return 0 if seen is None else seen.sequence

    def forget(self, before: date, courses_before: date | None = None) -> None:
        """Let go of the gaming days before a date, but not of a round that may be taken out.

        The rounds themselves may go earlier than their sums.
        """
        open_ = [one.counted.place.day for one in self._tables.values() if one.counted]
        first = min([before, *open_])
        self.places = {at: sums for at, sums in self.places.items() if at.day >= first}
        self._played = {at: one for at, one in self._played.items() if at.day >= first}
        if self._rounds is not None:
            since = min([max(before, courses_before or before), *open_])
            self._rounds = {at: rounds for at, rounds in self._rounds.items() if at[1] >= since}

    # Asking

    @property
    def tables(self) -> list[str]:
        """Return the tables of which decisions were counted, in the order of their names."""
        return sorted(table.name for table in self._tables.values())

    def rules(self, table: str) -> Rules | None:
        """Return the rules by which a table is played now; None: it was never open."""
        seen = self._tables.get(stream_of(table))
        return None if seen is None else seen.rules

    def ratings(self, until: datetime | None = None) -> dict[Playing, Rating]:
        """Return how every patron played.

        Whoever is still seated counts as seated until a moment; None: until the table's
        newest decision, which is all that a journal knows.
        """
        rated = {playing: msgspec.structs.replace(one) for playing, one in self._played.items()}
        for table in self._tables.values():
            end = read_moment(table.moment) if until is None else until
            for patron, since in table.seated.items():
                for day, time in self._days(read_moment(since), end):
                    assert table.rules is not None
                    playing = Playing(patron, table.name, table.rules, day)
                    rated.setdefault(playing, Rating()).seated += time
        return rated

    def course(self, table: str, day: date) -> list[Stood]:
        """Return the rounds of a table on a gaming day that stand, in their order."""
        assert self._rounds is not None, "courses are not kept"
        return list(self._rounds.get((table, day), ()))

    def part(self, days: Collection[date], tables: Collection[str] = ()) -> Performance:
        """Return a copy of some gaming days, and tables where any are named.

        It is for whoever computes beside the loop while decisions go on to be counted.
        """
        part = Performance(self.gaming_day)

        def wanted(at: Place | Playing) -> bool:
            return at.day in days and (not tables or at.table in tables)

        part.places = {at: one.copied() for at, one in self.places.items() if wanted(at)}
        part._played = {  # its own
            at: msgspec.structs.replace(one, wagers=copied(one.wagers))
            for at, one in self._played.items()
            if wanted(at)
        }
        part._tables = {
            stream: msgspec.structs.replace(one, seated=dict(one.seated))
            for stream, one in self._tables.items()
        }
        return part

    # Counting

    def period(self, moment: str) -> Period:
        """Return the shift of a moment as decisions write it."""
        first, end = self._bounds
        if self._period is None or not first <= moment < end:
            self._period = self.gaming_day.period(read_moment(moment))
            self._bounds = (_written(self._period.begins), _written(self._period.ends))
        return self._period

    def place(self, table: _Table) -> Place:
        """Return where something counts that happens at a table now."""
        assert table.rules is not None, "the table is not open"
        period = self.period(table.moment)
        return Place(table.name, table.rules, period.day, period.shift)

    def here(self, table: _Table) -> PlaceSums:
        """Return the sums of a table now."""
        return self._sums(self.place(table))

    def _sums(self, place: Place) -> PlaceSums:
        sums = self.places.get(place)
        if sums is None:
            sums = self.places[place] = PlaceSums()
        return sums

    def rating(self, table: _Table, patron: str) -> Rating:
        """Return what a patron has played at a table on this day."""
        place = self.place(table)
        return self._rating(Playing(patron, place.table, place.rules, place.day))

    def _rating(self, playing: Playing) -> Rating:
        rating = self._played.get(playing)
        if rating is None:
            rating = self._played[playing] = Rating()
        return rating

    def enter(self, counted: Counted, sign: int = 1) -> None:
        """Count a round, or take it out again."""
        place, sums = counted.place, self._sums(counted.place)
        sums.rounds += sign
        add_sums(sums.wagers, counted.wagers, sign)
        products = sums.products
        staked = ((wager, one.turnover_cents) for wager, one in counted.wagers.items())
        for pair, product in products_of(staked).items():
            products[pair] = products.get(pair, 0) + sign * product
            if not products[pair]:
                del products[pair]
        for patron, wagers in counted.patrons.items():
            playing = Playing(patron, place.table, place.rules, place.day)
            rating = self._rating(playing)
            rating.rounds += sign
            add_sums(rating.wagers, wagers, sign)
        if self._rounds is not None:
            rounds = self._rounds.setdefault((place.table, place.day), [])
            if sign > 0:
                # Rounds at the same place share it.
                same = rounds and rounds[-1].place == place
                rounds.append(stood_of(counted, rounds[-1].place if same else place))
            else:
                taken = rounds.pop()
                assert taken.number == counted.number, "only the newest round is taken back"

    def stand_up(self, table: _Table, patron: str) -> None:
        """Count the time that a patron was seated until now."""
        since = table.seated.pop(patron)
        for day, time in self._days(read_moment(since), read_moment(table.moment)):
            assert table.rules is not None
            self._rating(Playing(patron, table.name, table.rules, day)).seated += time

    def _days(self, since: datetime, until: datetime) -> Iterable[tuple[date, timedelta]]:
        """Yield the gaming days between two moments, and how long of each."""
        while since < until:
            day = self.gaming_day.period(since).day
            end = min(until, self.gaming_day.periods(day)[-1].ends)
            yield day, end - since
            since = end


def _written(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def rules_of(settings: Settings) -> Rules:
    """Return the part of a table's settings that its exact odds depend on."""
    game = plan_for(unopened(RULEBOOKS), settings).game
    return Rules(settings.rulebook, settings.game, settings.decks, game.reading)


# What events count


def _set(book: Performance, table: _Table, event: e.TableOpened | e.SettingsChanged) -> None:
    rules = rules_of(event.settings)
    if rules != table.rules:
        # Whoever is seated played by the rules before until now.
        for patron in list(table.seated):
            book.stand_up(table, patron)
            table.seated[patron] = table.moment
        table.rules = rules


def _seat_taken(book: Performance, table: _Table, event: e.SeatTaken) -> None:
    table.seated[event.patron] = table.moment


def _seat_left(book: Performance, table: _Table, event: e.SeatLeft) -> None:
    book.stand_up(table, event.patron)


def _brought(book: Performance, table: _Table, event: e.CreditBrought) -> None:
    here = book.here(table)
    if event.transfer is None:
        here.cash_cents += event.cents
    else:
        here.credit_cents += event.cents
    book.rating(table, event.patron).bought_cents += event.cents


def _taken(book: Performance, table: _Table, event: e.CreditTaken) -> None:
    book.rating(table, event.patron).taken_cents += event.cents


def _opened(book: Performance, table: _Table, event: e.BetsOpened) -> None:
    table.round, table.called, table.counted = event.round, table.moment, None
    here = book.here(table)
    if event.dealt_by == DealtBy.DEALER.value:
        here.dealt[event.by] = here.dealt.get(event.by, 0) + 1


def _settled(book: Performance, table: _Table, event: e.WagersSettled) -> None:
    assert table.counted is None, "settled twice"
    wagers: dict[str, Sums] = {}
    patrons: dict[str, dict[str, Sums]] = {}
    for line in event.lines:
        if not line.settled_cents and not line.won_cents:
            continue  # returned
        pushed = line.settled_cents if line.result == PUSHES else 0
        own = patrons.setdefault(line.patron, {})
        for sums in (
            wagers.setdefault(line.wager, Sums(rounds=1)),
            own.setdefault(line.wager, Sums(rounds=1)),
        ):
            sums.stakes += 1
            sums.turnover_cents += line.settled_cents
            sums.pushed_cents += pushed
            sums.win_cents -= line.won_cents
            sums.commission_cents += line.commission_cents or 0
    place = book.place(table)
    table.counted = Counted(place, table.round, table.moment, wagers, patrons)
    book.enter(table.counted)
    _over(book, table)


def _over(book: Performance, table: _Table) -> None:
    """Count the time of a round where the round counts: in the shift in which it is over."""
    here = book.here(table)
    if here.began is None:
        # Perhaps it was called long ago, and the house was closed since.
        begins = written_moment(book.period(table.moment).begins)
        here.began = max(table.called or table.moment, begins)
    here.ended = table.moment
    table.called = ""


def _take_back(book: Performance, table: _Table) -> None:
    assert table.counted is not None, "nothing is settled"
    book.enter(table.counted, -1)
    table.counted = None


def _reversed(book: Performance, table: _Table, event: i.SettlementReversed) -> None:
    _take_back(book, table)
    book.here(table).corrections += 1


def _voided(book: Performance, table: _Table, event: i.RoundVoided) -> None:
    if table.counted is not None:
        _take_back(book, table)
    here = book.here(table)
    if here.began is not None:  # else it is no time of play of this shift
        _over(book, table)
    here.voids += 1


RULES: Mapping[type[msgspec.Struct], Callable[[Performance, _Table, Any], None]] = {
    e.TableOpened: _set,
    e.SettingsChanged: _set,
    e.SeatTaken: _seat_taken,
    e.SeatLeft: _seat_left,
    e.CreditBrought: _brought,
    e.CreditTaken: _taken,
    e.BetsOpened: _opened,
    e.WagersSettled: _settled,
    i.SettlementReversed: _reversed,
    i.RoundVoided: _voided,
}


# A whole journal


async def read_tables(
    book: Performance,
    reader: Reader,
    tables: Iterable[str] = (),
    progress: Callable[[int], None] | None = None,
) -> None:
    """Count what a journal has of tables, all of them or those that are named.

    What is counted already is passed over, so that a book that fell behind can read on.
    ``progress`` is told how many decisions of these tables are done.
    """
    named = list(tables)
    if named:
        heads = [await require_table(reader, table) for table in named]
    else:
        heads = [one for one in await reader.heads() if one.stream.startswith(TABLES)]
    done = 0
    for head in heads:
        at = Head(head.stream)
        known = book.sequence(head.stream.removeprefix(TABLES))
        async for page in reader.pages(head.stream):
            for record in page.records:
                at = check_chain(at, record)
                if record.sequence > known:
                    book.feed(read_record(record))
            done += len(page.records)
            if progress is not None:
                progress(done)


__all__ = [
    "Counted",
    "Performance",
    "Place",
    "PlaceSums",
    "Playing",
    "Rating",
    "Rules",
    "Stood",
    "Sums",
    "read_tables",
    "rules_of",
]
