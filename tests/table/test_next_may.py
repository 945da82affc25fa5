"""What comes next can be done: the system's act is accepted, and people may do theirs."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING

import pytest

from croupier.rulebooks import GAMES
from croupier.table import commands as c
from croupier.table.decide import decide
from croupier.table.may import may
from croupier.table.next import Act, WaitFor, next_act
from croupier.table.refusals import Refusal
from croupier.table.roles import Patron, Staff
from tests.table.machine_may import Maker, fits
from tests.table.machine_walk import Walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from croupier.table.may import Open
    from croupier.table.roles import Actor
    from croupier.table.state import Table

WALKS, STEPS = 60, 60
LATER = (0, 1, 6, 16, 30, 3_600)
"""So many seconds later somebody looks again: clocks may have run out."""
NO_WAY_ON = frozenset((
    "sign_in", "sign_out", "report", "announce_closure", "take_credit", "bring_credit",
    "take_seat", "leave_seat", "remove_cards", "correct_display",
))  # fmt: skip
"""What is nearly always open, and brings no round to its end."""


def moments(slug: str) -> Iterator[tuple[Table, datetime]]:
    """Yield tables of walks, and moments at which they are looked at."""
    for seed in range(WALKS):
        chance = Random(seed)
        walk = Walk(slug, chance)
        for _ in range(STEPS):
            walk.bring(walk.next())
            if walk.table.plan is not None:
                yield walk.table, walk.moment + timedelta(seconds=chance.choice(LATER))


def waited_for(now: WaitFor) -> list[Actor]:
    """Return somebody in each position, and every patron, who are waited for."""
    return [
        *(Staff("Ida", position) for position in now.positions),
        *(Patron(name) for name in now.patrons),
    ]


def leads_on(table: Table, opens: Iterable[Open], person: Actor, moment: datetime) -> bool:
    """Tell whether something that somebody may do now is accepted and leads on."""
    for one in opens:
        if one.command in NO_WAY_ON:
            continue
        for which in ("first", "last", "any"):
            envelope = Maker(table, Random(1), which).envelope(one, person, moment)
            if not isinstance(decide(table, envelope), Refusal):
                return True
    return False


def supplied(now: Act, table: Table, moment: datetime) -> c.Envelope:
    """Return an act of the system with what its source would give."""
    assert table.plan is not None
    face = table.plan.game.deck.cards[0].text
    cards, die = ((face,), 1) if now.source else ((), None)
    return c.Envelope(now.command, now.actor, moment, None, cards, die)


@pytest.mark.parametrize("slug", [game.slug for game in GAMES])
def test_what_comes_next_can_be_done_by_those_who_are_named(slug: str) -> None:
    waited = acted = 0
    for table, moment in moments(slug):
        now = next_act(table, moment)
        if isinstance(now, Act):
            answer = decide(table, supplied(now, table, moment))
            assert not isinstance(answer, Refusal), (now, answer)
            acted += 1
        elif isinstance(now, WaitFor) and (people := waited_for(now)):
            may_all = {person: may(table, person, moment) for person in people}
            if now.command is not None:
                for person, opens in may_all.items():
                    fitting = [one for one in opens if fits(one, now.command, table, person)]
                    assert fitting, (now, person)
            else:
                ways = [leads_on(table, opens, p, moment) for p, opens in may_all.items()]
                assert any(ways), (now, table.phase, table.hold)
            waited += 1
    assert acted + waited > WALKS * STEPS / 2
    assert waited > 0
