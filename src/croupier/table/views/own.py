"""A patron's own part: credit, stakes, pay lines, options, and what comes to their hands."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from croupier.rules.errors import cited
from croupier.table.commands import KeepWagers, Withdraw
from croupier.table.may.patrons import open_to
from croupier.table.options import asked
from croupier.table.placement import NOTHING
from croupier.table.state import HoldKind, Phase
from croupier.table.steps import all_or_none
from croupier.table.views import shapes as s
from croupier.table.views.parts import SIDES, Seen, holder_of, lying

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from croupier.rules.outcome import Side
    from croupier.table.events import PayLine
    from croupier.table.state import Hold, Stake, Table

INITIAL_CARDS = 2
"""Of each hand."""
NO_MOMENT = datetime(2000, 1, 1, tzinfo=UTC)
"""What a patron may do depends on no clock; acting positions of staff do."""


def own_part(table: Table, patron: str) -> s.OwnPart:
    """Return what a patron sees beside the public view."""
    return Own(Seen(table)).part(patron)


class Holding(NamedTuple):
    """In whose hands something is, or to whom it comes next."""

    hands: tuple[str | None, ...]
    hands_due: tuple[str | None, ...]
    shoe: str | None
    shoe_due: str | None
    shaker: str | None


def holding_of(seen: Seen) -> Holding:
    """Return in whose hands everything is; found once for each table."""
    return seen.built("holding", None, (seen.table,), lambda: _holding(seen))


def _holding(seen: Seen) -> Holding:
    table, play = seen.table, seen.table.round
    return Holding(
        tuple([holder_of(table, side) for side in SIDES]),
        tuple([_hand_due(seen, side) for side in SIDES]),
        table.shoe_holder,
        _device_due(seen),
        play.shaker if play and play.shaker_opened is None else None,
    )


def in_hands(holding: Holding) -> set[str]:
    """Return everybody who holds something, or to whom something comes."""
    found = {holding.shoe, holding.shoe_due, holding.shaker}
    found.update(holding.hands, holding.hands_due)
    return {name for name in found if name is not None}


Staked = tuple[tuple[s.OwnStake, ...], int]
"""A patron's parts of stakes, and how much they come to."""
NO_STAKES: Staked = (), 0


class Own:
    """The own parts of a table: what concerns several patrons is looked up once."""

    __slots__ = (
        *("_busy", "_corrected", "_in_hands", "_lie", "_lines", "_reserved", "_stakes"),
        *("common", "holding", "table"),
    )

    _lines: Mapping[str, tuple[s.OwnLine, ...]]
    _corrected: Mapping[str, tuple[s.OwnLine, ...]]
    _reserved: Mapping[str, int]
    _in_hands: set[str]
    holding: Holding

    def __init__(self, seen: Seen, before: Own | None = None) -> None:
        """Look at a table; since the one ``before``, if given, only wagers have changed."""
        table = self.table = seen.table
        self.common = seen.common
        lie = lying(table)
        self._lie = bool(lie)
        self._stakes = seen.built("own stakes", None, (lie,), dict[str, Staked])
        self._busy: list[str] | None = None
        if before is None:
            self._look(seen)
        else:
            self._take_over(before)

    def _take_over(self, before: Own) -> None:
        """Take over what wagers do not change."""
        self._lines, self._corrected = before._lines, before._corrected
        self._reserved = before._reserved
        self.holding, self._in_hands = before.holding, before._in_hands

    def _look(self, seen: Seen) -> None:
        table = seen.table
        lines, corrected = lines_of(table), corrected_of(table)
        self._lines = seen.built("lines", None, (lines,), lambda: _by_patron(lines))
        self._corrected = seen.built(
            "corrected", None, (corrected,), lambda: _by_patron(corrected)
        )
        self._reserved = self.common.reserved if self.common else NOTHING
        self.holding = holding_of(seen)
        self._in_hands = in_hands(self.holding)

    def _staked(self, patron: str) -> Staked:
        """Return a patron's parts of the stakes on the layout, and how much they come to."""
        found = self._stakes.get(patron)
        if found is None:
            assert self.common is not None, "stakes at a table that is not open"
            own = self.common.by_patron.get(patron, ())
            stakes = tuple([_own_stake(stake, patron) for stake in own])
            found = self._stakes[patron] = stakes, sum([stake.cents for stake in stakes])
        return found

    def part(self, patron: str) -> s.OwnPart:
        """Return the own part of a patron; one who is not here has little in it."""
        table, hold, has = self.table, self.table.hold, self.holding
        stakes, staked = self._staked(patron) if self._lie else NO_STAKES
        holds = patron in self._in_hands
        return s.OwnPart(
            seat=table.seats.get(patron),
            credit_cents=table.credits.get(patron, 0),
            reserved_cents=self._reserved.get(patron, 0),
            in_play_cents=staked,
            stakes=stakes,
            lines=self._lines.get(patron, ()),
            corrected=self._corrected.get(patron, ()),
            option=_option(table, hold, patron, stakes) if hold else None,
            withdrew=hold.answers.get(patron) if hold else None,
            hands=_sides(has.hands, patron) if holds else (),
            hands_offered=_sides(has.hands_due, patron) if holds else (),
            shoe_held=holds and has.shoe == patron,
            shoe_offered=holds and has.shoe_due == patron,
            shaker_held=holds and has.shaker == patron,
            may=open_to(self.common, patron, NO_MOMENT) if self.common else (),
        )

    # Whom a step concerns

    def concerns_everybody(self, before: Own, changed: AbstractSet[str]) -> bool:
        """Tell whether a step may change what any patron may do."""
        now, old = self.common, before.common
        if now is None or old is None or not changed.isdisjoint(EVERYBODYS):
            return True
        if now.everybodys != old.everybodys or now.free_seats != old.free_seats:
            return True
        if now.of_stakes != old.of_stakes:
            return True
        if not now.of_stakes:
            return False
        # A stake that is shared may be joined, and an area that is full takes no more.
        balanced = self.table.hold is not None or before.table.hold is not None
        return balanced or now.shared != old.shared or now.full != old.full

    def touched(self, before: Own, changed: AbstractSet[str]) -> set[str]:
        """Return who is not what they were: by seat, credit, stakes, pay lines, hands."""
        found = _restaked(lying(before.table), lying(self.table))
        found.update(_otherwise(before.table.credits, self.table.credits))
        if self.holding is before.holding:  # only wagers have changed
            return found
        assert self.common is not None and before.common is not None, "both are open"
        found.update(before._in_hands, self._in_hands, before.busy, self.busy)
        found.update(_otherwise(before.table.seats, self.table.seats))
        found.update(_otherwise(before._reserved, self._reserved))
        for one, other in (
            (before._lines, self._lines),
            (before._corrected, self._corrected),
        ):
            if one is not other:
                found.update(one, other)
        if self.common.bound is not before.common.bound:
            found.update({*self.common.bound} ^ {*before.common.bound})
        if not HOLDS.isdisjoint(changed):
            found.update(_asked(before.table.hold, self.table.hold, changed))
        return found

    @property
    def busy(self) -> list[str]:
        """Return who could be allowed to do something because of what is in their hands."""
        if self._busy is None:
            theirs = {} if self.common is None else self.common.theirs
            self._busy = [name for name in theirs if not ASKED.issuperset(theirs[name])]
        return self._busy


EVERYBODYS = frozenset({"plan", "lost_terminals"})
"""Pieces by which the own part of everybody may change, whatever became of them."""
HOLDS = frozenset({"hold", "round.cards"})
"""Pieces by which an option changes."""
ASKED = frozenset({Withdraw, KeepWagers})


def _otherwise(before: Mapping[str, int], after: Mapping[str, int]) -> list[str]:
    """Return whose number is not what it was."""
    if before is after:
        return []
    found = [name for name, one in after.items() if before.get(name) != one]
    return found + [name for name in before if name not in after]


def _asked(before: Hold | None, after: Hold | None, changed: AbstractSet[str]) -> set[str]:
    """Return whose option, or answer to it, is not what it was."""
    if before is None or after is None:
        one = before or after
        return {*one.patrons, *one.answers} if one else set()
    same = (before.kind, before.clause) == (after.kind, after.clause)
    same = same and (before.stakes, before.steps) == (after.stakes, after.steps)
    if same and "round.cards" not in changed:
        answered = _otherwise(before.answers, after.answers)
        return {*answered} | ({*before.patrons} ^ {*after.patrons})
    return {*before.patrons, *before.answers, *after.patrons, *after.answers}


def _restaked(before: Mapping[int, Stake], after: Mapping[int, Stake]) -> set[str]:
    """Return whose stakes are not what they were."""
    if before is after:
        return set()
    return {
        share.patron
        for one, other in ((before, after), (after, before))
        for number, stake in one.items()
        if other.get(number) is not stake
        for share in stake.shares
    }


def _sides(names: tuple[str | None, ...], patron: str) -> tuple[Side, ...]:
    if patron not in names:
        return ()
    return tuple([side for side, name in zip(SIDES, names, strict=True) if name == patron])


def _own_stake(stake: Stake, patron: str) -> s.OwnStake:
    """Return what a patron of a stake sees of it."""
    share = stake.share(patron)
    assert share is not None, "one of its shares"
    return s.OwnStake(
        stake.number,
        stake.position,
        stake.wager,
        share.cents,
        stake.cents,
        stake.shared,
        stake.found,
        share.placed_by,
    )


def people_at(table: Table) -> Iterator[str]:
    """Yield everybody who has a seat, credit, a stake or a pay line here; some twice."""
    yield from table.seats
    yield from table.credits
    for stake in table.stakes:
        for share in stake.shares:
            yield share.patron
    for line in (*lines_of(table), *corrected_of(table)):
        yield line.patron


def _option(
    table: Table, hold: Hold, patron: str, own: tuple[s.OwnStake, ...]
) -> s.Option | None:
    """Return the option that waits for a patron's answer, as it was recorded when offered."""
    if hold.kind is not HoldKind.WITHDRAWAL or not asked(hold, patron):
        return None
    may = tuple(stake.number for stake in own if stake.number in hold.stakes)
    together = all_or_none(table, hold.steps[0][0], patron)
    return s.Option(cited(hold.clause) if hold.clause else None, may, together)


# Pay lines


def lines_of(table: Table) -> tuple[PayLine, ...]:
    """Return the pay list that stands."""
    return (table.round.lines or ()) if table.round else ()


def corrected_of(table: Table) -> tuple[PayLine, ...]:
    """Return the lines of pay lists that were reversed."""
    return table.round.corrected if table.round else ()


def _by_patron(lines: Iterable[PayLine]) -> dict[str, tuple[s.OwnLine, ...]]:
    found: dict[str, list[s.OwnLine]] = {}
    for line in lines:
        found.setdefault(line.patron, []).append(own_line(line))
    return {name: tuple(own) for name, own in found.items()}


def _cite(clause: str | None) -> str | None:
    return cited(clause) if clause else clause


@lru_cache(maxsize=4096)
def own_line(line: PayLine) -> s.OwnLine:
    """Return a pay line as its patron sees it."""
    return s.OwnLine(
        line.stake,
        line.wager,
        line.cents,
        line.settled_cents,
        line.result,
        line.row,
        line.pays,
        _cite(line.clause),
        line.won_cents,
        line.commission_cents,
        line.breach,
        _cite(line.breach_clause),
        _cite(line.corrected),
    )


@lru_cache(maxsize=4096)
def patron_line(line: PayLine) -> s.PatronLine:
    """Return a pay line as staff see it."""
    return s.PatronLine(
        line.stake,
        line.wager,
        line.cents,
        line.settled_cents,
        line.result,
        line.row,
        line.pays,
        _cite(line.clause),
        line.won_cents,
        line.commission_cents,
        line.breach,
        _cite(line.breach_clause),
        _cite(line.corrected),
        line.patron,
    )


# What comes to somebody's hands


def _hand_due(seen: Seen, side: Side) -> str | None:
    """Return to whom a hand goes next, while it is face down and in nobody's hands."""
    table, play, plan = seen.table, seen.table.round, seen.table.plan
    if play is None or plan is None or not plan.face_down:
        return None
    if table.phase not in (Phase.CLOSED, Phase.DEALING):
        return None
    if side in play.handlers:
        return None
    own = [dealt.exposed for dealt in play.cards if dealt.position.side is side]
    shown = bool(own) and all(own)
    in_error = len(own) == INITIAL_CARDS and any(own)
    if shown or in_error:
        return None
    assert seen.common is not None, "the table is open"
    return seen.common.hands_due.get(side)


def _device_due(seen: Seen) -> str | None:
    """Return to whom the dealing device is offered, while nobody has it."""
    if seen.common is None or seen.table.phase not in (Phase.CLOSED, Phase.DEALING):
        return None
    return seen.common.shoe_due
