"""What the Dealer's view says of matters that are over, of waits, and of the device's offer."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from msgspec.structs import replace

from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.evolve import evolve
from croupier.table.roles import Patron, StaffPosition
from croupier.table.rulings import Condition, Situation, Step
from croupier.table.state import HoldKind
from croupier.table.suggestions import SENTENCES, SILENT, Suggestion
from croupier.table.views import public_view
from croupier.table.views.shapes_staff import Instead, ShoeAnswer, ShoeControl
from croupier.table.views.staff import dealer_part
from tests.table.helpers import NOW, SUE
from tests.table.scenes import closed, four_cards


def test_the_device_is_offered_in_the_order_of_the_table() -> None:
    p = closed("BAC8", "C")

    def offers() -> list[tuple[str, int, ShoeAnswer]]:
        return [(one.patron, one.cents, one.answer) for one in dealer_part(p.table).shoe_offers]

    due, later = ShoeAnswer.DUE, ShoeAnswer.LATER
    assert offers() == [("ann", 300_00, due), ("bob", 200_00, later)]
    p.do(c.RefuseShoe("ann"), Patron("ann"))
    assert [answer for *_, answer in offers()] == [ShoeAnswer.REFUSED, due]
    p.do(c.TakeShoe("bob"), Patron("bob"))
    assert [answer for *_, answer in offers()] == [ShoeAnswer.REFUSED, ShoeAnswer.HOLDS]


def test_by_another_method_nobody_is_offered_the_device() -> None:
    assert dealer_part(closed("BAC8", "B").table).shoe_offers == ()


@pytest.mark.clause("BAC8 3.11.8", "FF3 3.11.8")
@pytest.mark.parametrize("code", ["BAC8", "FF3"])
def test_who_keeps_the_device_is_told_with_the_round_it_was_taken_in(code: str) -> None:
    p = closed(code, "C")
    assert dealer_part(p.table).shoe_control is None
    p.do(c.TakeShoe("ann"), Patron("ann"))
    kept = ShoeControl("ann", p.table.rounds, f"{code} 3.11.8")
    assert dealer_part(p.table).shoe_control == kept
    for face in ("9S", "2H", "KD", "5C"):
        p.draw(face)
    p.expose("P1", "P2", "B1", "B2")
    p.settle()
    p.do(c.ConfirmPayment())
    p.do(c.CallBets())
    assert dealer_part(p.table).shoe_control == kept, "a wager that wins keeps it"
    p.do(c.RelinquishShoe("ann"), Patron("ann"))
    assert dealer_part(p.table).shoe_control is None


@pytest.mark.clause("BAC8 3.11.8.2")
def test_whose_settlement_is_taken_back_has_held_the_device_all_along() -> None:
    p = closed("BAC8", "C")
    p.do(c.TakeShoe("ann"), Patron("ann"))
    control = dealer_part(p.table).shoe_control
    assert control is not None
    taken, first = evolve(p.table, e.ShoeTaken("ann")), control.since
    later = replace(taken, rounds=taken.rounds + 3)
    lost = evolve(later, e.ShoeGivenUp("ann", "BAC8 3.11.8.2", "the wager loses", settled=True))
    assert dealer_part(lost).shoe_control is None
    back = dealer_part(evolve(lost, e.ShoeTaken("ann"))).shoe_control
    assert back is not None
    assert back.since == first
    other = dealer_part(evolve(lost, e.ShoeTaken("bob"))).shoe_control
    assert other is not None
    assert other.since == later.rounds


@pytest.mark.clause("BAC8 3.11.4", "FF3 3.11.4")
def test_that_staff_see_every_draw_is_said_of_one_holder_in_one_round() -> None:
    p = closed("BAC8", "C")
    p.do(c.TakeShoe("ann"), Patron("ann"))
    assert dealer_part(p.table).draws_attested_by is None
    p.do(c.AttestDraws())
    assert dealer_part(p.table).draws_attested_by == "Dan"
    p.do(c.RelinquishShoe("ann"), Patron("ann"))
    p.do(c.TakeShoe("bob"), Patron("bob"))
    assert dealer_part(p.table).draws_attested_by is None, "another patron draws"
    p.do(c.AttestDraws())
    for face in ("9S", "2H", "KD", "5C"):
        p.draw(face)
    p.expose("P1", "P2", "B1", "B2")
    p.settle()
    assert p.table.shoe_holder is None, "Banker lost, and the device with it"
    assert dealer_part(p.table).draws_attested_by == "Dan"
    p.do(c.ConfirmPayment())
    assert dealer_part(p.table).draws_attested_by is None, "the round is over"


def test_a_matter_that_is_over_stays_in_view_until_the_round_ends() -> None:
    p = four_cards("BAC8", "B")
    assert dealer_part(p.table).ruled is None
    p.do(c.report(Situation.EXPOSED_IN_ERROR, position=p.play.cards[0].position))
    failed_at = p.moment
    p.do(c.report(Situation.POWER_FAILURE))
    assert dealer_part(p.table).ruled is None, "it is still waited for"
    p.do(c.DismissReport("the lamp alone"), SUE)
    ruled = dealer_part(p.table).ruled
    assert ruled is not None
    assert (ruled.situation, ruled.reported) == (Situation.POWER_FAILURE, failed_at)
    assert ruled.dismissed
    for face in ("KC", "KD"):
        p.draw(face)
    assert dealer_part(p.table).ruled == ruled
    p.finish()
    assert dealer_part(p.table).ruled is None


@pytest.mark.clause("BAC8 5.17.1", "BAC8 5.17.2", "FF3 5.17.1", "FF3 5.17.2")
@pytest.mark.parametrize("code", ["BAC8", "FF3"])
def test_after_a_power_failure_the_ruling_that_does_not_apply_is_told(code: str) -> None:
    p = closed(code, "B")
    p.do(c.report(Situation.POWER_FAILURE))
    hold = dealer_part(p.table).hold
    assert hold is not None
    would = (Step.CONCLUDE,)
    assert hold.clause == f"{code} 5.17.1"
    assert hold.instead == Instead(f"{code} 5.17.2", Condition.ESTABLISHED, would)
    p.do(c.ConfirmReport(), SUE)
    asked = dealer_part(p.table).hold
    assert asked is not None
    assert asked.instead == hold.instead, "it stays while patrons are asked"


def test_a_round_that_goes_on_after_a_power_failure_tells_why_nobody_was_asked() -> None:
    p = four_cards("BAC8", "B")
    p.do(c.report(Situation.POWER_FAILURE))
    p.do(c.ConfirmReport(), SUE)
    ruled = dealer_part(p.table).ruled
    assert ruled is not None
    assert ruled.clause == "BAC8 5.17.2"
    would = (Step.OFFER_ALL, Step.CONCLUDE)
    assert ruled.instead == Instead("BAC8 5.17.1", Condition.NOT_ESTABLISHED, would)


def test_what_turns_on_no_named_condition_names_no_other_ruling() -> None:
    p = four_cards("BAC8", "B")
    p.do(c.report(Situation.ORDER_ALTERED, order_known=False))
    hold = dealer_part(p.table).hold
    assert hold is not None
    assert hold.instead is None


def test_everybody_reads_since_when_and_how_many_have_answered() -> None:
    p = closed("BAC8", "B")
    p.do(c.report(Situation.POWER_FAILURE))
    p.do(c.ConfirmReport(), SUE)
    asked_at = p.moment - timedelta(seconds=1)

    def told() -> tuple[datetime | None, int, int]:
        hold = public_view(p.table).hold
        assert hold is not None
        return hold.moment, hold.asked, hold.answered

    assert told() == (asked_at, 2, 0)
    p.do(c.KeepWagers("ann"), Patron("ann"))
    assert told() == (asked_at, 2, 1)


def test_the_wait_for_a_matter_begins_when_its_turn_comes() -> None:
    p = four_cards("BAC8", "B")
    p.do(c.report(Situation.ORDER_ALTERED, order_known=False))
    first = dealer_part(p.table).hold
    assert first is not None
    assert first.since == p.moment - timedelta(seconds=1)
    reported_at = p.moment
    p.do(c.report(Situation.DEVICE_RESET))
    turn = p.moment
    p.do(c.DismissReport("as it was"), SUE)
    second = dealer_part(p.table).hold
    assert second is not None
    assert second.report is not None
    assert (second.report.moment, second.since) == (reported_at, turn)
    assert NOW < reported_at < turn


def test_all_steps_of_a_ruling_and_who_confirmed_it_are_told_to_the_end() -> None:
    p = closed("BAC8", "B")
    p.do(c.report(Situation.DEVICE_RESET))
    waits = dealer_part(p.table).hold
    assert waits is not None
    steps = waits.ruling
    assert len(steps) > 1
    assert (waits.confirms, waits.confirmed) == (StaffPosition.PIT_SUPERVISOR, None)
    confirmed = p.moment
    p.do(c.ConfirmReport(), SUE)
    first = dealer_part(p.table).hold
    assert first is not None
    # In between something else comes first, and is over.
    p.do(c.report(Situation.POWER_FAILURE))
    power = dealer_part(p.table).hold
    assert power is not None
    assert (power.situation, power.confirmed) == (Situation.POWER_FAILURE, None)
    assert power.ruling != steps
    p.do(c.DismissReport("the lamp alone"), SUE)
    again = dealer_part(p.table).hold
    assert again is not None
    for hold in (first, again):
        told = (hold.ruling, hold.confirms, hold.confirmed)
        assert told == (steps, StaffPosition.PIT_SUPERVISOR, confirmed)


def test_what_needs_nobody_to_confirm_it_names_nobody() -> None:
    p = closed("PB6")
    p.do(c.report(Situation.OTHER))
    hold = dealer_part(p.table).hold
    assert hold is not None
    assert (hold.kind, hold.confirms, hold.confirmed) == (HoldKind.REFERRAL, None, None)


def test_a_suggestion_has_a_name_for_which_screens_have_words() -> None:
    assert set(SENTENCES) == set(Suggestion)
    assert set(SILENT.values()) == set(SENTENCES.values())
    p = four_cards("PB6")
    p.do(c.report(Situation.EXTRA_CARD))
    hold = dealer_part(p.table).hold
    assert hold is not None
    assert (hold.suggestion, hold.suggested) == (SENTENCES[Suggestion.VOID], Suggestion.VOID)
