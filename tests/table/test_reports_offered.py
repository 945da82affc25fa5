"""Reports: what ``may`` offers a Dealer is what ``decide`` takes, for every situation."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from croupier.rules.coup import Position
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table.decide import decide
from croupier.table.may import Common, may
from croupier.table.refusals import Refusal
from croupier.table.reports import CONTENTS
from croupier.table.rulings import Situation, not_here
from croupier.table.state import Phase
from tests.table.helpers import DAN, PLAYER_WINS, WITH_METHODS
from tests.table.scenes import closed, dealing, four_cards, gambled, staked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from croupier.table.state import Table
    from tests.table.helpers import Pit

PLAYED: list[tuple[str, str | None]] = [
    (code, method) for code in WITH_METHODS for method in "ABC"
]
PLAYED += [("PB6", None), ("F6T2", None), ("EB4", None)]


def complete(code: str, method: str | None) -> Pit:
    """Deal until no card is drawn any more."""
    if method != "C":
        return gambled(code, method)
    p = dealing(code, method)
    p.deal(PLAYER_WINS)
    return p


def settled(code: str, method: str | None) -> Pit:
    """Collect and pay; the payment is not confirmed."""
    p = complete(code, method)
    if p.table.phase is Phase.DEALING:
        p.do(c.AnnounceOutcome())
    p.do(c.Settle(), p.caller)
    return p


POINTS: dict[str, Callable[[str, str | None], Pit]] = {
    "open": staked,
    "closed": closed,
    "first card": dealing,
    "four cards": four_cards,
    "complete": complete,
    "settled": settled,
}


def plausible(table: Table, situation: Situation) -> Iterator[c.Report]:
    """Yield reports that somebody could well make of a situation."""
    play = table.round
    assert play is not None
    lie = tuple(dealt.position for dealt in play.cards)
    known: dict[str, tuple[Any, ...]] = {
        "order_known": (True, False),
        "laid": ((), lie, lie[::-1]),
        "patron": tuple(table.seats),
        "stake": tuple(play.stakes),
        "cents": (100_00,),
        "count": (2, 0),
        "side": tuple(Side),
        "position": tuple(Position),
        "value_known": (False,),
        "terminal": (1,),
    }
    names = CONTENTS[situation].__struct_fields__
    for values in product(*(known[name] for name in names)):
        yield c.report(situation, **dict(zip(names, values, strict=True)))


def taken(table: Table, report: c.Report, moment: Any) -> bool:  # noqa: ANN401
    return not isinstance(decide(table, c.Envelope(report, DAN, moment)), Refusal)


def offered(table: Table, moment: Any, *, sealed: bool = False) -> set[object]:  # noqa: ANN401
    assert table.plan is not None
    return {
        value
        for one in may(table, DAN, moment, Common(table, table.plan, sealed=sealed))
        if one.command == "report"
        for field in one.fields
        if field.name == "about.situation" and isinstance(field.allowed, tuple)
        for value in field.allowed
    }


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize(("code", "method"), PLAYED)
def test_what_is_offered_is_what_is_taken(code: str, method: str | None, point: str) -> None:
    p = POINTS[point](code, method)
    accepted = {
        situation.value
        for situation in Situation
        if any(taken(p.table, one, p.moment) for one in plausible(p.table, situation))
    }
    assert offered(p.table, p.moment) == accepted


def test_a_virtual_shoe_gives_no_cards_together() -> None:
    p = four_cards("BAC8", "B")
    gone = offered(p.table, p.moment) - offered(p.table, p.moment, sealed=True)
    assert gone == {"drawn_together"}


@pytest.mark.parametrize(
    ("code", "method", "count"),
    [("BAC8", "C", 1), ("BAC8", "A", 3), ("FF3", "B", 7), ("PB6", None, 7), ("EB4", None, 6)],
)
def test_what_only_another_way_of_dealing_knows_is_told(
    code: str, method: str | None, count: int
) -> None:
    plan = staked(code, method).table.plan
    assert plan is not None
    assert len(not_here(plan)) == count
