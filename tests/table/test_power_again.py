"""The power fails again: whoever answered is asked again only when the round went on."""

from __future__ import annotations

from random import Random

import pytest

from croupier.journal.recovery import consequence
from croupier.table import commands as c
from croupier.table import incidents as i
from croupier.table.evolve import evolve
from croupier.table.next import WaitUntil
from croupier.table.roles import Patron
from croupier.table.settings import Method
from croupier.table.state import HoldKind
from tests.table.floor import SYSTEM
from tests.table.next_house import Dealt, settings_of

TABLES = [
    ("baccarat", Method.A),
    ("baccarat", Method.B),
    ("baccarat", Method.C),
    ("fa-fa-fabulous-4", Method.A),
    ("fa-fa-fabulous-4", Method.B),
]
PATRONS = ("Ann", "Bea")


def fails(dealt: Dealt) -> bool:
    """Let the power fail; tell whether anybody is offered something by it."""
    events = consequence(dealt.table, dealt.moment)
    for event in events:
        dealt.table = evolve(dealt.table, event)
    dealt.events += events
    offered = [one for one in events if isinstance(one, i.HoldPlaced)]
    assert all(one.kind == HoldKind.WITHDRAWAL.value for one in offered)
    return bool(offered)


def answer(dealt: Dealt) -> None:
    """Let everybody answer by chance, perhaps with a failure between, and perhaps go on."""
    chance = dealt.chance
    while (hold := dealt.table.hold) is not None:
        asked = [one for one in hold.patrons if one not in hold.answers]
        if not asked:
            break
        patron = chance.choice(asked)
        command = c.Withdraw if chance.randrange(4) == 0 else c.KeepWagers
        dealt.ask(command(patron), Patron(patron))
        if chance.randrange(3) == 0:
            assert not fails(dealt), "asked anew while others had not answered"
    if dealt.table.hold is not None and chance.randrange(2):
        dealt.ask(c.EndOption(), SYSTEM)


def goes_on(dealt: Dealt) -> bool:
    """Take one step of the round; tell whether it came further."""
    before = dealt.table.reached
    for _ in range(10):
        now = dealt.step()
        if dealt.table.between_rounds:
            return False
        if not isinstance(now, WaitUntil) and dealt.table.reached != before:
            return True
    return False


@pytest.mark.clause("BAC8 5.17.1", "FF3 5.17.1")
@pytest.mark.parametrize(("game", "method"), TABLES)
def test_an_answer_stands_until_the_round_went_on(game: str, method: Method) -> None:
    offers = again = quiet = 0
    for seed in range(40):
        dealt = Dealt(settings_of(game, method), Random(f"{game} {method} {seed}"))
        dealt.seat(*PATRONS)
        for command in (c.LoadShoe("1"), c.CallBets()):
            dealt.ask(command, SYSTEM)
        for patron, wager in zip(PATRONS, ("player", "banker"), strict=True):
            dealt.ask(c.PlaceWager(patron, wager, 100_00), Patron(patron))
        asked = 0
        while not dealt.table.between_rounds:
            due = not dealt.table.established and bool(dealt.table.stakes)
            offered = fails(dealt)
            assert offered is due, "a failure of its own has an option of its own"
            asked += offered
            answer(dealt)
            for _ in range(3):
                assert not fails(dealt), "everybody had answered"
                quiet += 1
            assert dealt.table.hold is None
            if not goes_on(dealt):
                break
        offers += bool(asked)
        again += asked > 1
        dealt.check()
    assert offers == 40
    assert again > 10
    assert quiet > 100


def test_a_wager_after_the_answers_is_asked_about() -> None:
    dealt = Dealt(settings_of("baccarat", Method.B), Random(1))
    dealt.seat(*PATRONS)
    for command in (c.LoadShoe("1"), c.CallBets()):
        dealt.ask(command, SYSTEM)
    dealt.ask(c.PlaceWager("Ann", "player", 100_00), Patron("Ann"))
    assert fails(dealt)
    dealt.ask(c.KeepWagers("Ann"), Patron("Ann"))
    assert not fails(dealt)
    dealt.ask(c.PlaceWager("Bea", "banker", 100_00), Patron("Bea"))
    assert fails(dealt)
    assert dealt.table.hold is not None
    assert set(dealt.table.hold.patrons) == set(PATRONS)
