"""Where the house deals: what it does by itself, staff may not, unless they sign in (A54).

Reports, rulings, corrections and the pit's decisions stay with people.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from croupier.rules.coup import Position
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.authority import DEALT, needs, permits
from croupier.table.may import may
from croupier.table.next import Act, WaitFor, next_act
from croupier.table.phases import DURING
from croupier.table.refusals import Code
from croupier.table.roles import Patron
from croupier.table.rulings import Situation
from croupier.table.settings import DealtBy, Method
from croupier.table.state import Hold, HoldKind, Phase
from tests.table.floor import (
    DEALER,
    PLAYER_WINS,
    SECOND,
    SHIFT,
    STAFF,
    SUPERVISOR,
    SYSTEM,
    Floor,
    faces,
)

if TYPE_CHECKING:
    from croupier.table.roles import Staff


def dealt(game: str = "baccarat", **settings: object) -> Floor:
    """Return a table that the house deals, with a patron at it."""
    floor = Floor(game, dealt_by=DealtBy.HOUSE, **settings)
    floor.seat("Ann")
    return floor


def opened(game: str = "baccarat", **settings: object) -> Floor:
    """Return one where the house has called, and the patron has wagered."""
    floor = dealt(game, **settings)
    floor.do(c.CallBets(), SYSTEM)
    floor.bet("Ann", "player", 100_00)
    return floor


def told(floor: Floor, staff: Staff = DEALER) -> set[str]:
    """Return what staff are told that they may do."""
    return {one.command for one in may(floor.table, staff, floor.moment)}


TAGS = {str(kind.__struct_config__.tag) for kind in DEALT}


def test_staff_take_no_step_of_a_round_that_the_house_deals() -> None:
    floor = opened()
    cards = iter(faces("baccarat", PLAYER_WINS).split())
    steps = 0
    while not floor.table.between_rounds:
        floor.moment += timedelta(hours=1)
        now = next_act(floor.table, floor.moment)
        assert isinstance(now, Act)
        given = (next(cards),) if isinstance(now.command, c.DrawCard) else ()
        for staff in STAFF:
            refusal = floor.refused(now.command, staff, cards=given)
            assert refusal.code is Code.HOUSE_DEALS, refusal.sentence
            assert refusal.clause is None
            assert "sign in to take over from the next one on" in refusal.sentence
            assert not told(floor, staff) & TAGS
        floor.do(now.command, SYSTEM, cards=given)
        steps += 1
    assert steps == 1 + 4 + 3
    assert floor.table.round is not None
    assert floor.table.round.dealt_by == "house"


@pytest.mark.parametrize("method", [Method.A, Method.B])
def test_who_signed_in_deals_from_the_next_round_on(method: Method) -> None:
    floor = opened(method=method)
    floor.do(c.SignIn(), DEALER)
    refusal = floor.refused(c.CloseBets(), DEALER)
    assert refusal.code is Code.HOUSE_DEALS
    assert "Dealer Dan, who signed in, deals from the next one on" in refusal.sentence


def test_nobody_calls_for_bets_where_the_house_does() -> None:
    floor = dealt()
    refusal = floor.refused(c.CallBets(), DEALER)
    assert refusal.code is Code.HOUSE_DEALS
    assert "sign in to deal the next round" in refusal.sentence
    assert "call_bets" not in told(floor)
    floor.do(c.SignIn(), DEALER)
    assert "call_bets" in told(floor)
    (called,) = floor.do(c.CallBets(), DEALER)
    assert isinstance(called, e.BetsOpened)
    assert (called.by, called.dealt_by) == ("Dan", "dealer")
    assert "close_bets" in told(floor)
    floor.do(c.CloseBets(), DEALER)


def test_what_people_decide_stays_with_them() -> None:
    floor = opened()
    floor.do(c.CloseBets(), SYSTEM)
    floor.do(c.DrawCard(), SYSTEM, cards=("4S",))
    assert {"report", "set_limits", "correct_card"} & told(floor)
    floor.do(c.report(Situation.WRONG_NUMBER), DEALER)
    assert floor.table.hold is not None
    assert floor.table.hold.kind is HoldKind.REFERRAL
    assert isinstance(next_act(floor.table, floor.moment), WaitFor)
    assert "decide_referral" in told(floor, SHIFT)
    floor.do(c.DecideReferral(c.Decision.CONTINUE, "counted again"), SHIFT)
    assert isinstance(next_act(floor.table, floor.moment + timedelta(hours=1)), Act)


@pytest.mark.parametrize("kind", HoldKind)
def test_cards_that_a_ruling_asks_for_are_turned_up_by_people(kind: HoldKind) -> None:
    floor = opened(method=Method.A)
    floor.do(c.CloseBets(), SYSTEM)
    for card in faces("baccarat", PLAYER_WINS).split():
        floor.do(c.DrawCard(), SYSTEM, cards=(card,))
    exposes = c.ExposeCard(Position.P1)
    assert floor.refused(exposes, DEALER).code is Code.HOUSE_DEALS
    held = replace(floor.table, hold=Hold(kind, None, None, ()))
    theirs = permits(held, exposes, DEALER, floor.moment, needs(held, exposes))
    assert theirs is (c.ExposeCard in DURING[kind])


# The die


def shaken() -> Floor:
    """Return a table of Power Baccarat 98 where the shaker was opened."""
    floor = opened("power-98")
    floor.do(c.CloseBets(), SYSTEM)
    for _ in range(3):
        floor.do(c.ShakeDie(), SYSTEM)
    floor.do(c.PassShaker(), SYSTEM)
    floor.do(c.ConfirmShake(), Patron("Ann"))
    floor.do(c.OpenShaker(), SYSTEM)
    return floor


def test_a_dealer_alone_has_no_die_thrown_again_that_the_house_announced() -> None:
    floor = shaken()
    again = c.CallShakeInvalid("I did not like it")
    assert "call_shake_invalid" in told(floor)
    floor.do(c.AnnounceDie(), SYSTEM, die=6)
    refusal = floor.refused(again, DEALER)
    assert (refusal.code, refusal.clause) == (Code.NEEDS_PIT_SUPERVISOR, None)
    assert "call_shake_invalid" not in told(floor)
    assert "call_shake_invalid" in told(floor, SUPERVISOR)
    assert floor.refused(again, SUPERVISOR).code is Code.NEEDS_APPROVAL
    floor.do(again, SUPERVISOR, approver=SECOND)
    assert floor.table.round is not None
    assert floor.table.round.die is None


# Who may sign in


@pytest.mark.parametrize("game", ["power-98", "fortune-six-tournament", "baccarat"])
@pytest.mark.parametrize("staff", STAFF)
def test_whoever_signs_in_may_go_on(game: str, staff: Staff) -> None:
    floor = dealt(game)
    listed = "sign_in" in told(floor, staff)
    answer = floor.ask(c.SignIn(), staff)
    assert listed is (floor.table.dealer == staff.name)
    if not listed:
        assert game != "baccarat"
        assert staff is not DEALER
        assert getattr(answer, "code", None) is Code.NEEDS_DEALER
        return
    now = next_act(floor.table, floor.moment)
    assert isinstance(now, WaitFor)
    floor.do(c.CallBets(), staff)
    assert floor.table.phase is Phase.OPEN


@pytest.mark.parametrize("game", ["power-98", "baccarat"])
def test_the_pit_or_the_house_sign_a_dealer_out(game: str) -> None:
    for actor in (SHIFT, SYSTEM):
        floor = dealt(game)
        floor.do(c.SignIn(), DEALER)
        floor.do(c.SignOut(), actor)
        assert floor.table.dealer is None
        assert floor.table.system_deals
