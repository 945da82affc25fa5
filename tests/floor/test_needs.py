"""What a table asks the house for: cards of a sealed shoe, by number, and only when due."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from croupier.rules.coup import Position
from croupier.table import commands as c
from croupier.table.decide import decide, decide_or_ask
from croupier.table.draft import Needs
from croupier.table.refusals import Code, Refusal
from tests.table import scenes
from tests.table.helpers import DAN, GUS, MIA, NOW, SAM

if TYPE_CHECKING:
    from croupier.table.roles import Actor
    from croupier.table.state import Table


def asked(command: c.Command, actor: Actor, cards: tuple[str, ...] = ()) -> c.Envelope:
    return c.Envelope(command, actor, NOW, SAM, cards, supplies=True)


def unsupplied(envelope: c.Envelope) -> c.Envelope:
    return msgspec.structs.replace(envelope, supplies=False)


def out_of(table: Table) -> int:
    assert table.shoe is not None
    return table.shoe.out


def test_a_draw_asks_for_the_next_card_of_the_shoe() -> None:
    table = scenes.closed("BAC8").table
    draw = asked(c.DrawCard(), DAN)
    assert decide_or_ask(table, draw) == Needs((out_of(table),))
    given = decide_or_ask(table, asked(c.DrawCard(), DAN, ("2C",)))
    assert isinstance(given, tuple)
    # Where nobody has the cards, one comes without a face.
    assert isinstance(decide(table, unsupplied(draw)), tuple)


@pytest.mark.parametrize("state", ["open", "staked"])
def test_who_may_not_draw_yet_is_refused_and_nothing_is_asked_for(state: str) -> None:
    table = scenes.staked("BAC8").table
    actor = DAN if state == "open" else MIA
    answer = decide_or_ask(table, asked(c.DrawCard(), actor))
    assert isinstance(answer, Refusal)


def test_two_cards_are_asked_for_to_be_reserved() -> None:
    table = scenes.left_with_cards("BAC8", 1).table
    reserve = asked(c.ReserveCards(), GUS)
    out = out_of(table)
    assert decide_or_ask(table, reserve) == Needs((out, out + 1))
    refusal = decide(table, unsupplied(reserve))
    assert isinstance(refusal, Refusal)
    assert refusal.code is Code.CARD_MISSING


def test_a_correction_asks_for_the_card_that_lies_there() -> None:
    table = scenes.four_cards("BAC8").table
    correct = asked(c.CorrectCard(Position.B1, "misread"), MIA)
    assert table.round is not None
    (lies,) = [one for one in table.round.cards if one.position is Position.B1]
    assert decide_or_ask(table, correct) == Needs((lies.number,))
    refusal = decide(table, unsupplied(correct))
    assert isinstance(refusal, Refusal)
    assert refusal.code is Code.CARD_MISSING
