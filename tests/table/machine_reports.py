"""Reports of irregularities, with what each situation needs, more or less."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.rules.coup import Position
from croupier.rules.outcome import Side
from croupier.table.rulings import Situation
from tests.table.told import told

if TYPE_CHECKING:
    from random import Random

    from croupier.table import commands as c
    from croupier.table.state import Round, Table

RARE = frozenset(
    {
        Situation.EXTRA_CARD,
        Situation.MISSING_CARD,
        Situation.FOREIGN_CARD,
        Situation.UNSHUFFLED_CARDS,
        Situation.INSUFFICIENT_CARDS,
    }
)
"""They end a round; too many of them and nothing else would happen."""


def some_report(chance: Random, table: Table) -> c.Report:
    """Report something that could have happened at this moment."""
    play = table.round
    assert play is not None
    what = chance.choice(list(Situation))
    if what in RARE:
        what = chance.choice(list(Situation))
    if play.handlers and chance.randrange(4) == 0:
        what = Situation.LEFT_WITH_CARDS
    elif any(dealt.handed_to for dealt in play.cards) and chance.randrange(3) == 0:
        what = Situation.DRAWN_TOGETHER
    elif not play.coup and chance.randrange(10) == 0:
        what = Situation.DEVICE_RESET
    side = chance.choice(list(play.handlers) or list(Side))
    holder = play.handlers.get(side)
    patron = holder or chance.choice(list(table.seats) or ["Ann"])
    places = [dealt.position for dealt in play.cards]
    return told(
        what,
        order_known=chance.randrange(2) > 0,
        value_known=chance.randrange(4) == 0,
        count=_count(chance, what),
        laid=_laid(chance, play, what),
        position=chance.choice(places or list(Position)),
        side=side,
        patron=patron,
        stake=chance.choice([stake.number for stake in table.stakes] or [1]),
        terminal=chance.randrange(5) + 1,
        note="seen from above" if chance.randrange(2) else "",
    )


def _count(chance: Random, what: Situation) -> int:
    if what is Situation.DRAWN_TOGETHER:
        return chance.choice([2, 2, 2, 3, 4, 6, 9])
    if what is Situation.WRONG_NUMBER:
        return chance.choice([0, 0, 1, 2, -3, 400])
    return 0


def _laid(chance: Random, play: Round, what: Situation) -> tuple[Position, ...]:
    """Draw where the cards lay: a swap, any order, too few, too many, or nothing said."""
    if what not in (Situation.WRONG_ORDER, Situation.WRONG_NUMBER, Situation.ORDER_ALTERED):
        return ()
    places = [dealt.position for dealt in play.cards]
    way = chance.randrange(8)
    if way == 0 or not places:
        return tuple(chance.choice(list(Position)) for _ in range(chance.randrange(6)))
    if way == 1:
        return (*places, chance.choice(list(Position)))
    if way == 2:
        return ()
    if way < 5:
        chance.shuffle(places)
    elif len(places) > 1:
        first = chance.randrange(len(places) - 1)
        places[first], places[first + 1] = places[first + 1], places[first]
    return tuple(places)
