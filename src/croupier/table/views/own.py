"""A patron's own part: credit, stakes, pay lines, options, and what comes to their hands."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from croupier.rules.errors import cited
from croupier.table.may import may
from croupier.table.order import drawer, handler_due, handlers_in_order, shoe_due
from croupier.table.roles import Patron
from croupier.table.settings import Method
from croupier.table.state import HoldKind, Phase
from croupier.table.steps import all_or_none
from croupier.table.views import shapes as s
from croupier.table.views.parts import SIDES, Seen, holder_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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


def in_hands(holding: Holding) -> set[str]:
    """Return everybody who holds something, or to whom something comes."""
    found = {holding.shoe, holding.shoe_due, holding.shaker}
    found.update(holding.hands, holding.hands_due)
    return {name for name in found if name is not None}


class Own:
    """The own parts of a table: what concerns several patrons is looked up once."""

    __slots__ = ("_corrected", "_lines", "_reserved", "_seen", "_stakes", "holding")

    def __init__(self, seen: Seen) -> None:
        self._seen, table, play = seen, seen.table, seen.table.round
        self._stakes: dict[str, list[s.OwnStake]] | None = None
        lines, corrected = lines_of(table), corrected_of(table)
        self._lines = seen.built("lines", None, (lines,), lambda: _by_patron(lines))
        self._corrected = seen.built(
            "corrected", None, (corrected,), lambda: _by_patron(corrected)
        )
        self._reserved = reserved_of(table)
        shaker = play.shaker if play and play.shaker_opened is None else None
        self.holding = Holding(
            tuple([holder_of(table, side) for side in SIDES]),
            tuple([hand_due(seen, side) for side in SIDES]),
            table.shoe_holder,
            device_due(table),
            shaker,
        )

    def stakes(self, patron: str) -> tuple[s.OwnStake, ...]:
        """Return a patron's parts of the stakes on the layout."""
        if self._stakes is None:
            self._stakes = {}
            for parts in self._seen.of_stakes("own", _parts):
                for name, part in parts:
                    self._stakes.setdefault(name, []).append(part)
        return tuple(self._stakes.get(patron, ()))

    def part(self, patron: str) -> s.OwnPart:
        """Return the own part of a patron; one who is not here has little in it."""
        table, hold, has = self._seen.table, self._seen.table.hold, self.holding
        stakes = self.stakes(patron)
        asked = hold is not None and patron in hold.patrons
        return s.OwnPart(
            seat=table.seats.get(patron),
            credit_cents=table.credits.get(patron, 0),
            reserved_cents=self._reserved.get(patron, 0),
            in_play_cents=sum([stake.cents for stake in stakes]),
            stakes=stakes,
            lines=self._lines.get(patron, ()),
            corrected=self._corrected.get(patron, ()),
            option=_option(table, hold, patron, stakes) if hold and asked else None,
            withdrew=hold.answers.get(patron) if hold else None,
            hands=_sides(has.hands, patron),
            hands_offered=_sides(has.hands_due, patron),
            shoe_held=has.shoe == patron,
            shoe_offered=has.shoe_due == patron,
            shaker_held=has.shaker == patron,
            may=may(table, Patron(patron), NO_MOMENT),
        )


def _sides(names: tuple[str | None, ...], patron: str) -> tuple[Side, ...]:
    if patron not in names:
        return ()
    return tuple([side for side, name in zip(SIDES, names, strict=True) if name == patron])


def _parts(stake: Stake) -> list[tuple[str, s.OwnStake]]:
    """Return what each patron of a stake sees of it."""
    whole = stake.cents
    return [
        (
            share.patron,
            s.OwnStake(
                stake.number,
                stake.position,
                stake.wager,
                share.cents,
                whole,
                stake.shared,
                stake.found,
                share.placed_by,
            ),
        )
        for share in stake.shares
    ]


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
    if patron in hold.answers or hold.kind is not HoldKind.WITHDRAWAL:
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


def reserved_of(table: Table) -> dict[str, int]:
    """Return what of everybody's credit a void could take back, going once through the list."""
    held: dict[str, int] = {}
    for line in lines_of(table) if table.phase is Phase.SETTLED else ():
        held[line.patron] = held.get(line.patron, 0) + line.paid_cents
    return held


def _by_patron(lines: Iterable[PayLine]) -> dict[str, tuple[s.OwnLine, ...]]:
    found: dict[str, tuple[s.OwnLine, ...]] = {}
    for line in lines:
        found[line.patron] = (*found.get(line.patron, ()), own_line(line))
    return found


def _cite(clause: str | None) -> str | None:
    return cited(clause) if clause else clause


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


def hand_due(seen: Seen, side: Side) -> str | None:
    """Return to whom a hand goes next, while it is face down and in nobody's hands."""
    table, play, plan = seen.table, seen.table.round, seen.table.plan
    if play is None or plan is None or not plan.face_down:
        return None
    if table.phase not in (Phase.CLOSED, Phase.DEALING):
        return None
    own = [dealt for dealt in play.cards if dealt.position.side is side]
    shown = bool(own) and all(dealt.exposed for dealt in own)
    in_error = len(own) == INITIAL_CARDS and any(dealt.exposed for dealt in own)
    if shown or in_error or side in play.handlers:
        return None
    sources = (play.stakes, play.course, table.seats, plan)
    order = seen.built("order", side, sources, lambda: handlers_in_order(table, side))
    return handler_due(table, side, order)


def device_due(table: Table) -> str | None:
    """Return to whom the dealing device is offered, while nobody has it."""
    if table.plan is None or table.plan.settings.method is not Method.C:
        return None
    if table.phase not in (Phase.CLOSED, Phase.DEALING) or drawer(table) is not None:
        return None
    return shoe_due(table)
