"""A patron's own part: credit, stakes, pay lines, options, and what comes to their hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.rules.errors import cited
from croupier.rules.outcome import Side
from croupier.table.order import drawer, handler_due, shoe_due
from croupier.table.settings import Method
from croupier.table.state import HoldKind, Phase
from croupier.table.steps import all_or_none
from croupier.table.views import shapes as s
from croupier.table.views.parts import holder_of
from croupier.table.views.public import lying

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from croupier.table.events import PayLine
    from croupier.table.state import Hold, Table

INITIAL_CARDS = 2
"""Of each hand."""


def own_part(table: Table, patron: str) -> s.OwnPart:
    """Return what a patron sees beside the public view."""
    return Own(table).part(patron)


class Own:
    """The own parts of a table: what concerns several patrons is looked up once."""

    __slots__ = (
        "_corrected",
        "_due",
        "_held",
        "_lines",
        "_reserved",
        "_shoe_due",
        "_stakes",
        "_table",
    )

    def __init__(self, table: Table) -> None:
        self._table = table
        self._stakes: dict[str, list[s.OwnStake]] = {}
        for stake in lying(table):
            whole = stake.cents
            for share in stake.shares:
                own = s.OwnStake(
                    stake.number,
                    stake.position,
                    stake.wager,
                    share.cents,
                    whole,
                    stake.shared,
                    stake.found,
                    share.placed_by,
                )
                self._stakes.setdefault(share.patron, []).append(own)
        self._lines = _by_patron(lines_of(table))
        self._corrected = _by_patron(corrected_of(table))
        self._reserved = reserved_of(table)
        self._held = {side: holder_of(table, side) for side in Side}
        self._due = {side: hand_due(table, side) for side in Side}
        self._shoe_due = device_due(table)

    def part(self, patron: str) -> s.OwnPart:
        """Return the own part of a patron; of one who is not here, an empty one."""
        table, hold, play = self._table, self._table.hold, self._table.round
        stakes = tuple(self._stakes.get(patron, ()))
        asked = hold is not None and patron in hold.patrons
        return s.OwnPart(
            seat=table.seats.get(patron),
            credit_cents=table.credits.get(patron, 0),
            reserved_cents=self._reserved.get(patron, 0),
            in_play_cents=sum([stake.cents for stake in stakes]),
            stakes=stakes,
            lines=tuple(self._lines.get(patron, ())),
            corrected=tuple(self._corrected.get(patron, ())),
            option=_option(table, hold, patron, stakes) if hold and asked else None,
            withdrew=hold.answers.get(patron) if hold else None,
            hands=tuple([side for side in Side if self._held[side] == patron]),
            hands_offered=tuple([side for side in Side if self._due[side] == patron]),
            shoe_held=table.shoe_holder == patron,
            shoe_offered=self._shoe_due == patron,
            shaker_held=(
                play is not None and play.shaker == patron and play.shaker_opened is None
            ),
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


def _by_patron(lines: Iterable[PayLine]) -> dict[str, list[s.OwnLine]]:
    found: dict[str, list[s.OwnLine]] = {}
    for line in lines:
        found.setdefault(line.patron, []).append(own_line(line))
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


def hand_due(table: Table, side: Side) -> str | None:
    """Return to whom a hand goes next, while it is face down and in nobody's hands."""
    play, plan = table.round, table.plan
    if play is None or plan is None or not plan.face_down:
        return None
    if table.phase not in (Phase.CLOSED, Phase.DEALING):
        return None
    own = [dealt for dealt in play.cards if dealt.position.side is side]
    shown = bool(own) and all(dealt.exposed for dealt in own)
    in_error = len(own) == INITIAL_CARDS and any(dealt.exposed for dealt in own)
    if shown or in_error or side in play.handlers:
        return None
    return handler_due(table, side)


def device_due(table: Table) -> str | None:
    """Return to whom the dealing device is offered, while nobody has it."""
    if table.plan is None or table.plan.settings.method is not Method.C:
        return None
    if table.phase not in (Phase.CLOSED, Phase.DEALING) or drawer(table) is not None:
        return None
    return shoe_due(table)
