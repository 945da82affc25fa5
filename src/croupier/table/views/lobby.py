"""The lobby: what a list of tables says of each."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  # clients read summaries back
from typing import TYPE_CHECKING, Literal

import msgspec

from croupier.table.next import closes_at
from croupier.table.settings import Method  # noqa: TC001
from croupier.table.state import HoldKind, Phase  # noqa: TC001
from croupier.table.views.public import limits_of, result_of
from croupier.table.views.shapes import LimitsShown, ResultShown, Winner  # noqa: TC001
from croupier.table.words import MESSAGES

if TYPE_CHECKING:
    from croupier.table.state import Table


class SeatsShown(msgspec.Struct, frozen=True, gc=False):
    """How many playing positions are taken, of how many."""

    taken: int
    positions: int


class TableSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A table in a list; one that is not open has no game."""

    name: str
    number: int | None
    """What is written over the table; None: it is not numbered."""
    game: str | None
    title: str | None
    rulebook: str | None
    kind: Literal["live", "electronic"] | None
    room: str | None
    method: Method | None
    dealt_by: str | None
    phase: Phase
    calls: str
    hold: HoldKind | None
    sequence: int
    round: int | None
    seats: SeatsShown
    limits: LimitsShown | None
    last: ResultShown | None
    """The newest round of the shoe that was not void."""
    winners: tuple[Winner, ...]
    """Of the rounds of this shoe, for a small road."""
    closes_at: datetime | None
    table_closes: datetime | None


def summary(name: str, table: Table, sequence: int, number: int | None = None) -> TableSummary:
    """Return what a list of tables says of one."""
    plan = table.plan
    results = () if plan is None else tuple(result_of(plan.game, r) for r in table.results)
    played = [result for result in results if result.winner is not None]
    return TableSummary(
        name=name,
        number=number,
        game=plan.game.slug if plan else None,
        title=plan.game.name if plan else None,
        rulebook=plan.code if plan else None,
        kind=None if plan is None else "electronic" if plan.calls_by_system else "live",
        room=plan.settings.room if plan else None,
        method=plan.settings.method if plan else None,
        dealt_by=table.dealt_by if plan else None,
        phase=table.phase,
        calls=MESSAGES[table.phase],
        hold=table.hold.kind if table.hold else None,
        sequence=sequence,
        round=table.round.number if table.round else None,
        seats=SeatsShown(len(set(table.seats.values())), plan.positions if plan else 0),
        limits=limits_of(plan) if plan else None,
        last=played[-1] if played else None,
        winners=tuple(result.winner for result in played if result.winner is not None),
        closes_at=closes_at(table),
        table_closes=table.closes,
    )
