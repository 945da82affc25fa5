"""Who handles which cards: equal wagers, third cards, the device, and a reset (A27, A53)."""

from __future__ import annotations

import pytest

from croupier.rules.coup import Position
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.order import handler_due, handlers_in_order, shoe_due
from croupier.table.refusals import Code
from croupier.table.roles import Patron
from croupier.table.rulings import Situation
from croupier.table.settings import Method
from tests.table.helpers import (
    CREDIT,
    DAN,
    HIGH_LIMIT_ROOM,
    LIMITS,
    MIA,
    PLAYER_WINS,
    SAM,
    SUE,
    WITH_METHODS,
    Pit,
    pit,
)

ANN, BOB, CYD, DEE = map(Patron, ("ann", "bob", "cyd", "dee"))
PLAYER, BANKER = Side
P3 = Position.P3
both = pytest.mark.parametrize("code", WITH_METHODS)


# Equal highest (3.9.4)


@pytest.mark.clause("BAC8 3.9.4", "FF3 3.9.4")
@both
def test_who_first_reached_the_equal_highest_comes_first(code: str) -> None:
    p = pit(code, "A")
    p.call()
    p.bet("ann", "player", 100_00)
    p.bet("bob", "player", 200_00)
    p.do(c.RaiseWager("ann", 1, 100_00), ANN)
    assert handlers_in_order(p.table, PLAYER) == ["bob", "ann"]
    # What bob takes back and puts down again counts from then.
    p.do(c.LowerWager("bob", 2, 100_00), BOB)
    assert handlers_in_order(p.table, PLAYER) == ["ann", "bob"]
    p.do(c.RaiseWager("bob", 2, 100_00), BOB)
    assert handlers_in_order(p.table, PLAYER) == ["ann", "bob"]
    # More than both, and lowered to the same: cyd reached it last.
    p.bet("cyd", "player", 900_00)
    assert handlers_in_order(p.table, PLAYER)[0] == "cyd"
    p.do(c.LowerWager("cyd", 5, 700_00), CYD)
    assert handlers_in_order(p.table, PLAYER)[0] == "ann"


@pytest.mark.clause("BAC8 3.9.4", "FF3 3.9.4")
@both
def test_a_sum_at_several_places_is_reached_with_its_last_part(code: str) -> None:
    p = pit(code, "A")
    p.call()
    p.bet("ann", "player", 150_00)
    p.bet("bob", "player", 200_00)
    p.bet("ann", "player", 50_00, position=3)
    p.bet("ann", "banker", 500_00)
    assert handlers_in_order(p.table, PLAYER) == ["bob", "ann"]
    assert handlers_in_order(p.table, BANKER) == ["ann"]


# The third card (3.16, 3.9.3, 3.9.7)


def squeezed(code: str) -> Pit:
    """Let ann turn the first two Player cards up; both hands will draw."""
    p = pit(code, "A")
    p.bets(("ann", "player", 300_00), ("bob", "banker", 200_00), ("cyd", "player", 100_00))
    for face in ("2C", "KH", "KD", "3S"):
        p.draw(face)
    p.do(c.PassHand(PLAYER, "ann"))
    p.do(c.ChooseFirstHand(PLAYER))
    p.expose("P1", "P2", "B1", "B2")
    return p


@pytest.mark.clause("BAC8 3.9.7", "FF3 3.9.7")
@both
def test_a_third_card_goes_to_who_squeezed_the_first_two(code: str) -> None:
    p = squeezed(code)
    p.draw("3H")
    assert p.last(e.CardDrawn).handed_to == "ann"
    assert p.refused(c.ExposeCard(P3), DAN).code is Code.NOT_YOURS
    p.do(c.ExposeCard(P3), ANN)


@pytest.mark.clause("BAC8 3.16", "FF3 3.16")
@both
@pytest.mark.parametrize("when", ["before", "after"])
def test_by_permission_a_third_card_goes_to_somebody_else(code: str, when: str) -> None:
    p = squeezed(code)
    permit = c.PermitSqueeze(PLAYER, "dee", reason="a guest of the house")
    if when == "before":
        p.do(permit, MIA)
        p.draw("3H")
        assert p.last(e.CardDrawn).handed_to is None
    else:
        # The card is with ann: she gives it back first.
        p.draw("3H")
        assert p.refused(permit, MIA).code is Code.HAND_HELD
        p.do(c.RefuseHand(PLAYER, "ann"), ANN)
        p.do(permit, MIA)
    wrong = p.refused(c.PassHand(PLAYER, "ann"))
    assert wrong.code is Code.NOT_THE_HANDLER
    p.do(c.PassHand(PLAYER, "dee"))
    assert p.last(e.HandPassed).clause == f"{code} 3.16"
    for other in (ANN, CYD, DAN):
        assert p.refused(c.ExposeCard(P3), other).code is Code.NOT_YOURS
    p.do(c.ExposeCard(P3), DEE)


@pytest.mark.clause("BAC8 3.9.3", "FF3 3.9.3")
@both
@pytest.mark.parametrize("drawn", [False, True], ids=["before", "face down"])
def test_a_third_card_that_is_refused_goes_on_by_amount(
    code: str,
    drawn: bool,  # noqa: FBT001
) -> None:
    p = squeezed(code)
    if drawn:
        p.draw("3H")
    p.do(c.RefuseHand(PLAYER, "ann"), ANN)
    back = p.last(i.HandRetrieved)
    assert (back.side, back.patron, back.clause) == (PLAYER, "ann", f"{code} 3.9.3")
    assert handler_due(p.table, PLAYER) == "cyd"
    if not drawn:
        p.draw("3H")
        assert p.last(e.CardDrawn).handed_to is None
    assert p.refused(c.PassHand(PLAYER, "ann")).code is Code.NOT_THE_HANDLER
    p.do(c.PassHand(PLAYER, "cyd"))
    p.do(c.ExposeCard(P3), CYD)


@pytest.mark.clause("BAC8 3.9.7", "BAC8 3.9.4.1", "FF3 3.9.7", "FF3 3.9.4.1")
@both
def test_a_third_card_that_everybody_refuses_is_exposed_by_the_dealer_or_named(
    code: str,
) -> None:
    p = squeezed(code)
    p.draw("3H")
    for patron in (ANN, CYD):
        p.do(c.RefuseHand(PLAYER, patron.name), patron)
    assert handler_due(p.table, PLAYER) is None
    assert isinstance(p.try_(c.ExposeCard(P3), DAN), tuple)
    p.do(c.NameHandler(PLAYER, "dee", "nobody else would"), SUE)
    p.do(c.PassHand(PLAYER, "dee"))
    assert p.last(e.HandPassed).clause == f"{code} 3.9.4.1"
    p.do(c.ExposeCard(P3), DEE)


# The device (3.11, A53)


@pytest.mark.clause("BAC8 3.11.1", "BAC8 3.11.5", "FF3 3.11.1", "FF3 3.11.5")
@both
def test_when_every_patron_refuses_the_device_the_dealer_draws_that_round(code: str) -> None:
    p = pit(code, "C")
    p.bets(("ann", "player", 100_00), ("bob", "tie", 500_00))
    assert p.refused(c.DrawCard(), DAN, cards=p.faces("9C")).code is Code.NO_SHOE_HOLDER
    p.do(c.RefuseShoe("ann"), ANN)
    # A Tie alone is a valid wager; it comes after those on the two hands.
    assert shoe_due(p.table) == "bob"
    assert p.refused(c.DrawCard(), DAN, cards=p.faces("9C")).code is Code.NO_SHOE_HOLDER
    p.do(c.RefuseShoe("bob"), BOB)
    assert shoe_due(p.table) is None
    for patron in (ANN, BOB, DEE):
        refused = p.refused(c.DrawCard(), patron, cards=p.faces("9C"))
        assert (refused.code, refused.clause) == (Code.NEEDS_DEALER, f"{code} 3.11.1")
    for face in PLAYER_WINS.split():
        p.do(c.DrawCard(), DAN, cards=p.faces(face))
    assert {event.drawn_by for event in p.events if isinstance(event, e.CardDrawn)} == {"Dan"}
    # Hands are still exposed by patrons, or by the Dealer.
    p.do(c.PassHand(PLAYER, "ann"))
    p.expose("P1", "P2", "B1", "B2")
    p.finish()
    assert p.table.credits["ann"] == CREDIT + 100_00
    assert p.table.settings.method is Method.C
    # In the next round it is offered again.
    p.bets(("ann", "player", 100_00))
    assert shoe_due(p.table) == "ann"
    p.do(c.TakeShoe("ann"), ANN)


@pytest.mark.clause("BAC8 3.11.2", "FF3 3.11.2")
@both
def test_a_tie_alone_is_a_valid_wager_and_what_was_found_is_none(code: str) -> None:
    p = pit(code, "C", limits=LIMITS)
    p.bets(("bob", "tie", 50_00))
    p.do(c.FindStake("ann", "player", 10_00))
    assert shoe_due(p.table) == "bob"
    assert p.refused(c.TakeShoe("ann"), ANN).code is Code.NO_VALID_WAGER
    p.do(c.TakeShoe("bob"), BOB)
    p.deal(PLAYER_WINS)
    p.finish()
    # The holder's only wager lost.
    assert p.table.shoe_holder is None
    assert p.last(e.ShoeGivenUp).clause == f"{code} 3.11.8.2"


@both
def test_who_gave_the_device_up_is_last_until_somebody_took_it(code: str) -> None:
    p = pit(code, "C")
    p.bets(("ann", "player", 300_00), ("bob", "banker", 200_00))
    p.do(c.TakeShoe("ann"), ANN)
    p.do(c.RelinquishShoe("ann"), ANN)
    assert shoe_due(p.table) == "bob"
    p.do(c.RefuseShoe("bob"), BOB)
    assert shoe_due(p.table) == "ann"
    p.do(c.TakeShoe("ann"), ANN)
    p.deal(PLAYER_WINS)
    p.finish()
    # Given up between rounds it is remembered in the next one.
    p.do(c.RelinquishShoe("ann"), ANN)
    p.bets(("ann", "player", 300_00), ("bob", "banker", 200_00))
    assert shoe_due(p.table) == "bob"
    p.do(c.TakeShoe("bob"), BOB)
    p.do(c.RelinquishShoe("bob"), BOB)
    assert shoe_due(p.table) == "ann"


# A reset begins the round again


@pytest.mark.clause("BAC8 5.9", "FF3 5.9")
@both
def test_refusals_end_with_a_reset(code: str) -> None:
    p = pit(code, "C")
    p.bets(("ann", "player", 300_00), ("bob", "banker", 200_00), ("cyd", "player", 100_00))
    p.do(c.RefuseShoe("ann"), ANN)
    p.do(c.TakeShoe("bob"), BOB)
    for face in ("2C", "KH", "KD", "3S"):
        p.draw(face)
    p.do(c.RefuseHand(PLAYER, "ann"), ANN)
    p.do(c.PassHand(PLAYER, "cyd"))
    p.do(c.RelinquishShoe("bob"), BOB)
    p.do(c.report(Situation.DEVICE_RESET))
    p.do(c.ConfirmReport(), SUE)
    p.do(c.EndOption(), SUE)
    p.do(c.ResetDevice(), SUE, approver=SAM)
    assert (p.play.refused, p.play.handlers, p.play.shoe_refused) == ({}, {}, ())
    p.close()
    assert handler_due(p.table, PLAYER) == "ann"
    assert shoe_due(p.table) == "ann"


# The cut card, and the differential with cards out


@pytest.mark.clause("BAC8 3.17.1", "FF3 3.17.1")
@both
def test_withdrawal_for_a_cut_card_is_offered_once(code: str) -> None:
    p = pit(code, room=HIGH_LIMIT_ROOM)
    p.bets(("ann", "player", 300_00), ("bob", "banker", 200_00))
    assert p.refused(c.OfferWithdrawal()).code is Code.CUT_CARD_NOT_FIRST
    p.do(c.ShowCutCard())
    p.do(c.OfferWithdrawal())
    p.do(c.KeepWagers("ann"), ANN)
    p.do(c.EndOption(), SUE)
    again = p.refused(c.OfferWithdrawal())
    assert (again.code, again.clause) == (Code.NOT_NOW, f"{code} 3.17.1")
    assert sum(isinstance(event, i.WithdrawalOffered) for event in p.events) == 1


@pytest.mark.clause("BAC8 5.18.2", "FF3 5.18.2", "BAC8 5.4", "FF3 5.4")
@both
def test_with_cards_out_the_stakes_are_balanced_by_lowering_alone(code: str) -> None:
    p = pit(code, differential_cents=100_00)
    p.bets(("ann", "player", 300_00), ("bob", "banker", 200_00), ("cyd", "banker", 50_00))
    faces = p.faces("2C KH")
    p.do(c.report(Situation.DRAWN_TOGETHER, order_known=True, count=2), cards=faces)
    p.do(c.ConfirmReport(), SUE)
    p.do(c.Withdraw("bob"), BOB)
    p.do(c.EndOption(), SUE)
    refused = p.refused(c.RaiseWager("cyd", 3, 150_00), CYD)
    assert (refused.code, refused.clause) == (Code.CARDS_OUT, f"{code} 5.4")
    p.do(c.LowerWager("ann", 1, 150_00), ANN)
    assert p.table.hold is None
    # Before a card is out it may be raised.
    q = pit(code, differential_cents=100_00)
    q.bets(("ann", "player", 300_00), ("cyd", "banker", 50_00))
    q.do(c.RaiseWager("cyd", 2, 150_00), CYD)
    assert q.table.hold is None
