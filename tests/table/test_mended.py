"""What was put right in a round stands in everybody's view until the next round."""

from __future__ import annotations

from croupier.rules.coup import Position
from croupier.table import commands as c
from croupier.table.rulings import Situation
from croupier.table.settings import Method
from croupier.table.state import Mend
from croupier.table.views.public import public_view
from croupier.table.views.shapes import LaidShown, MendedShown
from tests.table.floor import MANAGER, SECOND, SUPERVISOR, Floor

P1, B1, P2, B2 = Position.P1, Position.B1, Position.P2, Position.B2
STAKE = ("Ann", "player", 100_00)


def dealt(*faces: str) -> Floor:
    """Deal cards that all see, Ann has a stake on Player."""
    floor = Floor("baccarat", method=Method.B)
    floor.seat("Ann")
    floor.bets(STAKE)
    for face in faces:
        floor.draw(face)
    return floor


def mended(floor: Floor) -> MendedShown | None:
    return public_view(floor.table).mended


def test_nothing_was_put_right_in_a_round_that_was_dealt_as_it_should_be() -> None:
    floor = dealt("4S", "2H", "5D", "3C")
    assert mended(floor) is None


def test_cards_that_were_laid_in_their_order() -> None:
    floor = dealt("6D", "4D")
    floor.report(Situation.WRONG_ORDER, laid=(B1, P1))
    floor.confirm()
    shown = mended(floor)
    assert shown is not None
    assert (shown.what, shown.count, shown.before) == (Mend.ORDER, 0, None)
    assert shown.clause is not None
    assert shown.clause.startswith("BAC8 5.7")
    assert shown.cards == (LaidShown(P1, "4D"), LaidShown(B1, "6D"))


def test_a_face_that_was_read_wrongly() -> None:
    floor = dealt("6D", "4D")
    floor.do(c.CorrectCard(P1, "misread"), SUPERVISOR, approver=SECOND, cards=("7D",))
    assert mended(floor) == MendedShown(Mend.FACE, None, 0, (LaidShown(P1, "7D"),), "6D")


def test_an_order_that_somebody_fixed_and_the_card_that_no_hand_took() -> None:
    floor = dealt("2S", "3H", "3D", "2C")  # both have 5, and Banker stands against a 9
    floor.report(Situation.DRAWN_TOGETHER, cards=("9S", "4H"), count=2)
    floor.confirm()
    floor.do(c.SetOrder((0, 1)), MANAGER, approver=SECOND)
    assert mended(floor) == MendedShown(Mend.FIXED, None, 0, (), None)
    floor.do(c.EndOption(), SUPERVISOR)
    floor.draw()
    floor.do(c.AnnounceOutcome())
    assert mended(floor) == MendedShown(Mend.ASIDE, None, 1, (), None)


def test_a_device_that_was_reset_and_what_stays_until_the_next_round() -> None:
    floor = dealt("6D", "4D")
    floor.report(Situation.DEVICE_RESET)
    floor.confirm()
    floor.do(c.EndOption(), SUPERVISOR)
    assert mended(floor) is None
    floor.do(c.ResetDevice(), SUPERVISOR, approver=SECOND)
    reset = MendedShown(Mend.RESET, None, 0, (), None)
    assert mended(floor) == reset
    floor.close_bets()
    floor.deal("4S 2H 5D 3C")
    floor.pay()
    assert mended(floor) == reset
    floor.open_bets()
    assert mended(floor) is None


def test_a_card_that_lies_face_down_is_not_named() -> None:
    floor = Floor("baccarat", method=Method.A)
    floor.seat("Ann")
    floor.bets(STAKE)
    for face in ("6D", "4D"):
        floor.draw(face)
    floor.report(Situation.WRONG_ORDER, laid=(B1, P1))
    floor.confirm()
    shown = mended(floor)
    assert shown is not None
    assert (shown.what, shown.cards) == (Mend.ORDER, ())
