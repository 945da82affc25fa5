"""The die of Power Baccarat 98: who shakes, who opens, what is announced."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.may import may as open_to
from croupier.table.refusals import Code
from croupier.table.roles import Patron, Staff, StaffPosition
from croupier.table.settings import DealtBy, Readings
from croupier.table.shaking import shaker_due
from croupier.table.state import Phase
from tests.table.helpers import (
    DAN,
    PLAYER_WINS,
    SYSTEM,
    pit,
)
from tests.table.scenes import (
    closed,
    shaken,
    shaker_open,
    shaker_passed,
    shaking,
)

if TYPE_CHECKING:
    from croupier.table.roles import Actor

ANN = Patron("ann")


@pytest.mark.clause("PB6 3.6")
def test_no_card_is_drawn_before_the_die_is_announced() -> None:
    p = closed("PB6")
    answer = p.refused(c.DrawCard(), cards=("2C",))
    assert (answer.code, answer.clause) == (Code.DIE_NOT_ANNOUNCED, "PB6 3.6")
    p = shaker_open("PB6")
    assert p.refused(c.DrawCard(), cards=("2C",)).code is Code.DIE_NOT_ANNOUNCED
    p.do(c.AnnounceDie(), die=1)
    p.draw("2C")
    assert p.table.phase is Phase.DEALING


@pytest.mark.clause("PB6 3.6")
def test_the_dealer_shakes_three_times_and_then_passes_the_shaker() -> None:
    p = closed("PB6")
    for times in (1, 2, 3):
        assert p.refused(c.PassShaker()).code in (Code.SHAKES_MISSING, Code.WRONG_PHASE)
        p.do(c.ShakeDie())
        assert p.last(e.DieShaken).times == times
    fourth = p.refused(c.ShakeDie())
    assert (fourth.code, fourth.clause) == (Code.ALL_SHAKES_DONE, "PB6 3.6")
    early = p.refused(c.ConfirmShake())
    assert (early.code, early.clause) == (Code.SHAKES_MISSING, "PB6 3.6")
    p.do(c.PassShaker())
    assert p.last(e.ShakerPassed).patron == "ann"
    assert p.refused(c.PassShaker()).code is Code.NOT_THE_SHAKER


@pytest.mark.clause("PB6 3.6")
def test_the_shaker_goes_to_the_largest_total_stake() -> None:
    p = pit("PB6")
    p.bets(
        ("bob", "player", 300_00),
        ("ann", "player", 200_00),
        ("ann", "tie", 200_00),
        ("ann", "player-natural-8", 100_00),
    )
    assert shaker_due(p.table) == "ann"


@pytest.mark.clause("PB6 3.6")
@pytest.mark.parametrize("counter", [True, False])
def test_equal_stakes_are_taken_in_order_and_refusals_pass_it_on_to_the_dealer(
    *, counter: bool
) -> None:
    p = pit("PB6", readings=Readings(seats_run_counter_clockwise=counter))
    p.call()
    for patron in ("bob", "ann", "cyd"):
        p.bet(patron, "player", 100_00)
    p.bet("dee", "player", 50_00)
    p.close()
    for _ in range(3):
        p.do(c.ShakeDie())
    for patron in ("bob", *(("cyd", "ann") if counter else ("ann", "cyd")), "dee"):
        p.do(c.PassShaker())
        assert p.last(e.ShakerPassed).patron == patron
        p.do(c.RefuseShaker(patron), Patron(patron))
        assert p.last(e.ShakerRefused).patron == patron
    p.do(c.PassShaker())
    assert p.last(e.ShakerPassed).patron is None
    p.do(c.ConfirmShake())
    confirmed = p.last(e.ShakeConfirmed)
    assert (confirmed.shaken_by, confirmed.confirmed_by) == ("Dan", "Dan")


@pytest.mark.clause("PB6 3.6")
def test_with_nobody_at_the_table_the_dealer_shakes() -> None:
    p = pit("PB6")
    p.bets()
    p.shake(3)
    assert p.last(e.ShakerPassed).patron is None
    assert p.play.power


@pytest.mark.clause("PB6 3.6")
def test_another_patron_shakes_only_with_a_reason_that_is_recorded() -> None:
    p = shaking("PB6")
    answer = p.refused(c.PassShaker("bob"))
    assert (answer.code, answer.clause) == (Code.REASON_NEEDED, "PB6 3.6")
    assert "ann" in answer.sentence
    assert p.refused(c.PassShaker("zed", "why not")).code is Code.NOT_AT_TABLE
    p.do(c.PassShaker("bob", "ann asked for it"))
    record = p.last(e.DecisionRecorded)
    assert (record.clause, record.choice, record.reason) == (
        "PB6 3.6",
        "bob",
        "ann asked for it",
    )
    assert p.last(e.ShakerPassed).patron == "bob"


@pytest.mark.clause("PB6 3.6.1")
def test_the_die_is_announced_after_it_was_heard_and_the_shaker_opened() -> None:
    p = shaker_passed("PB6")
    for command, why in (
        (c.AnnounceDie(), Code.SHAKE_MISSING),
        (c.OpenShaker(), Code.SHAKE_MISSING),
    ):
        answer = p.refused(command, die=3)
        assert (answer.code, answer.clause) == (why, "PB6 3.6.1")
    p.do(c.ConfirmShake())
    confirmed = p.last(e.ShakeConfirmed)
    assert (confirmed.shaken_by, confirmed.confirmed_by) == ("ann", "Dan")
    shut = p.refused(c.AnnounceDie(), die=3)
    assert (shut.code, shut.clause) == (Code.SHAKER_CLOSED, "PB6 3.6.1")
    assert p.refused(c.RefuseShaker("ann"), ANN).code is Code.NOT_THE_SHAKER
    heard = p.refused(c.ConfirmShake())
    assert (heard.code, heard.clause) == (Code.NOT_NOW, "PB6 3.6.1")
    p.do(c.OpenShaker(), ANN)
    assert p.last(e.ShakerOpened).opened_by == "ann"
    for actor in (DAN, ANN):
        twice = p.refused(c.OpenShaker(), actor)
        assert (twice.code, twice.clause) == (Code.NOT_NOW, "PB6 3.6.1")
    for die in (None, 0, 7):
        answer = p.refused(c.AnnounceDie(), die=die)
        assert (answer.code, answer.clause) == (Code.BAD_DIE, "PB6 3.6.1")
    p.do(c.AnnounceDie(), die=3)
    announced = p.last(e.DieAnnounced)
    assert (announced.die, announced.power, announced.by.name) == (3, True, "Dan")
    again = p.refused(c.AnnounceDie(), die=3)
    assert (again.code, again.clause) == (Code.DIE_ANNOUNCED, "PB6 3.6.1")


@pytest.mark.clause("PB6 3.6.1")
@pytest.mark.parametrize("dealt_by", list(DealtBy))
@pytest.mark.parametrize("actor", [*(Staff("Eve", one) for one in StaffPosition), ANN, SYSTEM])
def test_who_deals_says_what_the_die_shows_and_nobody_else(
    dealt_by: DealtBy, actor: Actor
) -> None:
    p = shaker_open("PB6", dealt_by=dealt_by)
    house = dealt_by is DealtBy.HOUSE
    may = actor is SYSTEM if house else actor == Staff("Eve", StaffPosition.DEALER)
    listed = {one.command for one in open_to(p.table, actor, p.moment)}
    assert ("announce_die" in listed) is may
    if may:
        p.do(c.AnnounceDie(), actor, die=3)
        assert p.play.power
    else:
        answer = p.refused(c.AnnounceDie(), actor, die=3)
        wanted = Code.NEEDS_SYSTEM if house else Code.NEEDS_DEALER
        assert (answer.code, answer.clause) == (wanted, "PB6 3.6.1")


@pytest.mark.clause("PB6 3.6.1")
def test_a_shake_that_does_not_count_is_shaken_again_before_any_card() -> None:
    p = shaken("PB6")
    assert p.refused(c.CallShakeInvalid(" ")).code is Code.REASON_NEEDED
    p.do(c.CallShakeInvalid("the die leant on the wall"))
    invalid = p.last(e.ShakeInvalid)
    assert (invalid.reason, invalid.by.name) == ("the die leant on the wall", "Dan")
    assert p.refused(c.OpenShaker()).code is Code.SHAKE_MISSING
    assert p.refused(c.CallShakeInvalid("again")).code is Code.SHAKE_MISSING
    p.do(c.ConfirmShake())
    p.do(c.OpenShaker())
    p.do(c.AnnounceDie(), die=2)
    p.do(c.CallShakeInvalid("it was read wrongly"))
    assert p.play.die is None
    assert p.refused(c.DrawCard(), cards=("2C",)).code is Code.DIE_NOT_ANNOUNCED
    p.do(c.ConfirmShake())
    p.do(c.OpenShaker())
    p.do(c.AnnounceDie(), die=3)
    p.draw("2C")
    assert p.refused(c.CallShakeInvalid("too late")).code is Code.WRONG_PHASE


@pytest.mark.clause("PB6 1.1.8", "PB6 3.6.2")
@pytest.mark.parametrize("die", range(1, 7))
def test_the_marker_of_a_power_hand_is_for_its_round_only(die: int) -> None:
    p = closed("PB6")
    assert not p.play.power
    p.shake(die)
    assert p.play.power is (die == 3)
    p.deal(PLAYER_WINS)
    assert p.play.power is (die == 3)
    p.finish()
    p.call()
    assert not p.play.power
    assert p.play.die is None
