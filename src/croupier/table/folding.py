"""Small steps that the functions of evolve share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from croupier.rules.coup import INITIAL_DEAL, Coup
from croupier.rules.errors import CoupError
from croupier.table.state import with_move

if TYPE_CHECKING:
    from collections.abc import Mapping

    from croupier.rules.cards import Card
    from croupier.table import events as e
    from croupier.table.settings import Plan
    from croupier.table.state import DealtCard, Hold, Round, Shoe, Table


def plan_of(table: Table) -> Plan:
    """Return what the settings of an open table mean."""
    assert table.plan is not None, "the table is not open"
    return table.plan


def round_of(table: Table) -> Round:
    """Return the round in progress, or the last one."""
    assert table.round is not None, "no round"
    return table.round


def hold_of(table: Table) -> Hold:
    """Return what the round waits for."""
    assert table.hold is not None, "nothing is on hold"
    return table.hold


def with_round(table: Table, **changes: Any) -> Table:  # noqa: ANN401  # fields of a round
    """Return the table with fields of its round changed."""
    return replace(table, round=replace(round_of(table), **changes))


def nothing(table: Table, event: e.Event) -> Table:
    """Return the table as it is: the event is a record only."""
    return table


def take_out(table: Table, count: int) -> Shoe | None:
    """Return the shoe with so many cards fewer in the device."""
    return None if table.shoe is None else replace(table.shoe, out=table.shoe.out + count)


def credit(table: Table, patron: str, cents: int) -> Mapping[str, int]:
    """Return the credits with one changed by so many cents."""
    return {**table.credits, patron: table.credits[patron] + cents}


def give_back(table: Table, number: int, patron: str, cents: int) -> Table:
    """Return a part of a patron's share of a stake to the seat."""
    play = round_of(table)
    stake = play.stakes[number]
    shares = tuple(
        replace(share, cents=share.cents - cents) if share.patron == patron else share
        for share in stake.shares
    )
    left = tuple(share for share in shares if share.cents)
    stakes = {**play.stakes, number: replace(stake, shares=left)}
    if not left:
        del stakes[number]
    course = play.course
    if plan_of(table).ranks_patrons:
        course = with_move(course, patron, stake.wager, -cents)
    if table.flagged and not any(one.position == stake.position for one in stakes.values()):
        # No wager is left there to decide on.
        flag = (stake.position, play.number)
        others = [one for one in table.flagged if (one.position, one.round) != flag]
        table = replace(table, flagged=tuple(others))
    return replace(
        table,
        round=replace(play, stakes=stakes, course=course),
        credits=credit(table, patron, cents),
        in_play=table.in_play - cents,
    )


def line_of(play: Round, stake: int | None, patron: str | None) -> e.PayLine | None:
    """Return the line of a stake, and of a patron where it has several; None: not one."""
    lines = [line for line in play.lines or () if line.stake == stake]
    if patron is not None:
        lines = [line for line in lines if line.patron == patron]
    return lines[0] if len(lines) == 1 else None


def right_line(line: e.PayLine, won: int, clause: str | None) -> e.PayLine:
    """Return a line of a pay list as somebody decided that it is paid."""
    kept = line.commission_cents
    if kept is not None:
        # What is paid in full, or not at all, has no commission taken off.
        kept = min(kept, max(0, line.settled_cents - won)) if won > 0 else 0
    return replace(
        line,
        won_cents=won,
        result="wins" if won > 0 else "loses" if won < 0 else "pushes",
        row=None,
        pays=None,
        clause=None,
        commission_cents=kept,
        corrected=clause or "",
    )


def uses_up_the_one_time(line: e.PayLine) -> bool:
    """Tell whether a line is the one under-minimum wager of a patron that is settled.

    A push neither pays nor collects, and is not yet the one time (A25).
    """
    return line.breach == "under_minimum" and line.result != "pushes"


def coup_of(table: Table, cards: tuple[DealtCard, ...]) -> Coup | None:
    """Return the coup of the cards, once the initial deal and all else is exposed.

    Cards that the tableau does not call for make no coup: they are put right first.
    """
    if len(cards) < len(INITIAL_DEAL):
        return None
    faces: list[Card] = []
    for dealt in cards:
        if not dealt.exposed or dealt.card is None:
            return None
        faces.append(dealt.card)
    game = plan_of(table).game
    try:
        return Coup(game.tableau, game.deck, faces)
    except CoupError:
        return None
