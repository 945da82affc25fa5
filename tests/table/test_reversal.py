"""Between settlement and payment the round is not over: it is made anew, to the cent (A22)."""

from __future__ import annotations

import pytest

from croupier.rules.coup import Position
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.refusals import Code
from croupier.table.roles import Patron
from croupier.table.rulings import Situation
from croupier.table.state import Phase
from croupier.table.views import own_part
from croupier.table.views.own import own_line
from tests.table.helpers import (
    BANKER_WINS,
    CREDIT,
    DAN,
    GAMES,
    LIMITS,
    PLAYER_WINS,
    SAM,
    SUE,
    TIE,
    WITH_METHODS,
    Pit,
    pit,
)

ANN, BOB = Patron("ann"), Patron("bob")
P1, B1, P2, B2, P3, B3 = Position
DISPLAY = {"BAC8": "BAC8 6.3", "FF3": "FF3 6.3", "PB6": None, "F6T2": None}
PAID_LATER = tuple(DISPLAY)
"""Where a Dealer confirms the payment; at terminals settling is paying."""
STAKES = (("ann", "player", 100_00), ("bob", "banker", 60_00), ("cyd", "tie", 10_00))
both = pytest.mark.parametrize("code", WITH_METHODS)


def money(p: Pit) -> tuple[object, ...]:
    """Return all that a settlement moves."""
    t = p.table
    held = dict(sorted(t.credits.items()))
    return held, t.in_play, t.bank, t.commission, t.under_minimum, t.shoe_holder


def settled(code: str, cards: str, method: str | None = None) -> tuple[Pit, tuple[object, ...]]:
    """Settle a round; return it, and what everything was before."""
    p = pit(code, method, limits=LIMITS if code in WITH_METHODS else {})
    p.bets(*(STAKES if code not in WITH_METHODS else STAKES[:2]))
    p.deal(cards)
    p.do(c.AnnounceOutcome())
    before = money(p)
    p.do(c.Settle())
    assert money(p) != before
    return p, before


def correct(p: Pit, place: Position, face: str) -> tuple[e.Event, ...]:
    (card,) = p.faces(face)
    return p.do(c.CorrectCard(place, "misread"), SUE, approver=SAM, cards=(card,))


def kinds(events: tuple[e.Event, ...]) -> list[type[e.Event]]:
    return [type(event) for event in events]


@pytest.mark.clause("BAC8 1.1.7", "FF3 1.1.9", "PB6 1.1.9", "F6T2 1.1.7")
@pytest.mark.clause("BAC8 6.3", "FF3 6.3")
@pytest.mark.parametrize("code", PAID_LATER)
@pytest.mark.parametrize("cards", [PLAYER_WINS, BANKER_WINS], ids=["player", "banker"])
def test_a_corrected_face_takes_the_pay_list_back_and_makes_a_new_one(
    code: str, cards: str
) -> None:
    p, before = settled(code, cards)
    first = p.play.lines
    events = correct(p, *((B2, "7S") if cards == PLAYER_WINS else (P2, "7D")))
    assert kinds(events)[:3] == [e.DecisionRecorded, i.SettlementReversed, i.CardCorrected]
    taken = p.last(i.SettlementReversed)
    assert (taken.lines, taken.clause) == (first, DISPLAY[code])
    assert money(p) == before
    assert (p.table.phase, p.play.lines, p.play.outcome) == (Phase.DEALING, None, None)
    p.finish()
    # A tie on nine: main wagers push, and nothing of the first list is left.
    assert [line.result for line in p.play.lines or ()][:2] == ["pushes", "pushes"]
    won = 80_00 if code not in WITH_METHODS else 0
    assert p.table.credits["ann"] == p.table.credits["bob"] == CREDIT
    assert p.table.credits["cyd"] == CREDIT + won
    assert (p.table.bank, p.table.commission, p.table.in_play) == (-won, 0, 0)
    assert p.table.results[-1].cards == tuple(
        card.card.text for card in p.play.cards if card.card is not None
    )


@both
def test_the_commission_of_a_list_that_is_taken_back_goes_with_it(code: str) -> None:
    p, before = settled(code, BANKER_WINS)
    kept = 3_00 if code == "BAC8" else 0
    assert p.table.commission == kept
    assert p.table.credits["bob"] == CREDIT + 60_00 - kept
    correct(p, B1, "8H")  # still a Banker win
    assert money(p) == before
    p.finish()
    assert p.table.commission == kept
    assert p.table.credits["bob"] == CREDIT + 60_00 - kept
    assert p.table.bank == 100_00 - 60_00


@pytest.mark.clause("BAC8 5.7", "FF3 5.7")
@both
def test_cards_put_in_order_after_the_settlement_make_a_new_list(code: str) -> None:
    p, before = settled(code, PLAYER_WINS)
    p.do(c.report(Situation.WRONG_ORDER, laid=(P1, P2, B1, B2)))
    reported = money(p)
    assert reported != before  # nothing moves until it is confirmed
    p.do(c.ConfirmReport(), SUE)
    assert money(p) == before
    assert p.last(i.SettlementReversed).clause == f"{code} 5.7"
    # 9 and 2 against K and 3: the Player has 1 and draws.
    assert p.refused(c.Settle()).code is Code.WRONG_PHASE
    p.draw("2D")
    p.draw("5C")
    p.finish()
    assert p.table.credits["ann"] == CREDIT - 100_00
    assert sum(line.won_cents for line in p.play.lines or ()) == -100_00 + (
        57_00 if code == "BAC8" else 60_00
    )


@both
def test_a_report_that_is_dismissed_leaves_the_pay_list_as_it_is(code: str) -> None:
    p, _ = settled(code, PLAYER_WINS)
    before, lines = money(p), p.play.lines
    p.do(c.report(Situation.WRONG_ORDER, laid=(P1, P2, B1, B2)))
    p.do(c.DismissReport("nobody saw that"), SUE)
    assert (money(p), p.play.lines, p.table.phase) == (before, lines, Phase.SETTLED)
    p.do(c.ConfirmPayment())


@pytest.mark.clause("BAC8 5.14", "BAC8 5.15", "FF3 5.14", "FF3 5.15")
@both
def test_a_stake_found_after_the_settlement_is_settled_with_the_others(code: str) -> None:
    p, before = settled(code, PLAYER_WINS)
    find = c.FindStake("cyd", "player", 20_00)
    assert p.refused(find, DAN).code is Code.NEEDS_PIT_SUPERVISOR
    p.do(find, SUE, approver=SAM)
    held, in_play, *rest = before
    assert isinstance(held, dict)
    assert isinstance(in_play, int)
    assert money(p) == (held | {"cyd": CREDIT - 20_00}, in_play + 20_00, *rest)
    assert p.table.phase is Phase.RESULT  # the outcome is the same, and need not be said again
    p.finish()
    assert [line.won_cents for line in p.play.lines or ()] == [100_00, -60_00, 20_00]
    assert p.table.under_minimum == {"cyd"}


@both
def test_the_patron_sees_both_lists_and_the_events_keep_them(code: str) -> None:
    p, _ = settled(code, PLAYER_WINS)
    first = p.play.lines or ()
    seen = tuple(own_line(line) for line in first)
    correct(p, B2, "7S")
    own = own_part(p.table, "ann")
    assert (own.lines, own.corrected, own.reserved_cents) == ((), seen[:1], 0)
    p.settle()
    own = own_part(p.table, "ann")
    assert [line.won_cents for line in own.lines] == [0]
    assert own.corrected == seen[:1]
    assert own_part(p.table, "bob").corrected == seen[1:]
    assert [event.lines for event in p.events if isinstance(event, e.WagersSettled)] == [
        first,
        p.play.lines,
    ]
    p.do(c.ConfirmPayment())
    p.call()
    assert own_part(p.table, "ann").corrected == ()


@pytest.mark.parametrize("code", PAID_LATER)
def test_however_often_a_round_is_made_anew_the_last_list_alone_counts(code: str) -> None:
    p, before = settled(code, PLAYER_WINS)
    after = money(p)
    for _ in range(3):
        correct(p, B2, "7S")
        p.settle()
        assert money(p) != after
        correct(p, B2, "3S")
        assert money(p) == before
        p.settle()
        assert money(p) == after
    lines = len(p.play.lines or ())
    assert len(p.play.corrected) == 6 * lines
    assert sum(isinstance(event, i.SettlementReversed) for event in p.events) == 6
    p.do(c.ConfirmPayment())
    assert money(p) == after


# What the list credited stays (A48)


@pytest.mark.clause("BAC8 1.1.7", "FF3 1.1.9", "PB6 1.1.9", "F6T2 1.1.7")
@pytest.mark.parametrize("code", PAID_LATER)
def test_a_new_list_never_makes_a_seat_negative(code: str) -> None:
    p, _ = settled(code, PLAYER_WINS)
    free = p.table.credits["ann"] - p.table.reserved("ann")
    assert free == CREDIT - 100_00
    p.do(c.TakeCredit("ann", free), ANN)
    assert p.refused(c.TakeCredit("ann", 1), ANN).code is Code.RESERVED
    correct(p, B1, "6H")  # a nine against nine: a push
    p.settle()
    assert p.table.credits["ann"] == 100_00
    correct(p, P2, "AD")  # a zero against a nine: lost
    p.settle()
    assert p.table.credits["ann"] == 0
    p.do(c.ConfirmPayment())
    p.do(c.LeaveSeat("ann"), ANN)


@both
def test_what_was_found_late_is_paid_by_what_is_free(code: str) -> None:
    p, _ = settled(code, PLAYER_WINS)
    p.do(c.TakeCredit("ann", CREDIT - 100_00), ANN)
    # 200.00 lie at the seat, but they go back into play with the list.
    find = c.FindStake("ann", "tie", 20_00)
    assert p.refused(find, SUE, approver=SAM).code is Code.NOT_ENOUGH_CREDIT
    p.do(c.BringCredit("ann", 20_00))
    p.do(find, SUE, approver=SAM)
    assert p.table.credits["ann"] == 0
    p.finish()
    assert p.table.credits["ann"] == 200_00


# Paid and confirmed is closed


@pytest.mark.clause("BAC8 5.16", "FF3 5.16")
@pytest.mark.parametrize("code", PAID_LATER)
def test_what_is_paid_and_confirmed_stands(code: str) -> None:
    p, _ = settled(code, PLAYER_WINS)
    p.do(c.ConfirmPayment())
    before = p.table
    late = p.refused(c.CorrectCard(B2, "misread"), SUE, approver=SAM, cards=p.faces("7S"))
    assert late.code is Code.NO_ROUND
    order = c.report(Situation.WRONG_ORDER, laid=(P1, P2, B1, B2))
    assert p.refused(order).code is Code.NO_ROUND
    if code in WITH_METHODS:
        find = c.FindStake("cyd", "player", 20_00)
        assert p.refused(find, SUE, approver=SAM).code is Code.NO_ROUND
    assert p.table is before


def test_at_terminals_settling_is_paying() -> None:
    p = pit("EB4")
    p.bets(("ann", "player", 100_00))
    p.deal(PLAYER_WINS)
    p.settle()
    late = p.refused(c.CorrectCard(B2, "misread"), SUE, approver=SAM, cards=p.faces("7S"))
    assert late.code is Code.NO_ROUND
    assert p.table.reserved("ann") == 0
    p.do(c.TakeCredit("ann", CREDIT + 100_00), ANN)


# The memory of 5.14 and the device go with the list


@pytest.mark.clause("BAC8 5.14", "FF3 5.14")
@both
def test_the_one_time_of_an_under_minimum_wager_goes_back_with_its_list(code: str) -> None:
    p = pit(code, limits=LIMITS)
    p.bets()
    p.do(c.FindStake("ann", "player", 30_00))
    p.deal(PLAYER_WINS)
    p.settle()
    assert p.table.under_minimum == {"ann"}
    correct(p, B2, "7S")
    assert p.table.under_minimum == frozenset()
    p.finish()
    # A push neither pays nor collects: it is not yet the one time (A25).
    assert p.table.under_minimum == frozenset()
    p.bets()
    p.do(c.FindStake("ann", "player", 30_00))
    p.deal(BANKER_WINS)
    p.finish()
    assert [line.won_cents for line in p.play.lines or ()] == [-30_00]
    assert p.table.under_minimum == {"ann"}
    p.bets()
    p.do(c.FindStake("ann", "player", 30_00))
    p.deal(BANKER_WINS)
    p.settle()
    correct(p, P2, "7D")
    p.finish()
    # What an earlier round settled is not forgotten by a reversal of this one.
    assert p.table.under_minimum == {"ann"}
    assert p.table.credits["ann"] == CREDIT - 30_00


@pytest.mark.clause("BAC8 3.11.8.2", "FF3 3.11.8.2")
@both
def test_the_device_goes_back_with_the_list_that_took_it(code: str) -> None:
    p, before = taken_by_settlement(code)
    correct(p, P2, "7D")  # a tie: the main wager does not lose
    assert p.table.shoe_holder == "ann"
    assert money(p) == before
    p.finish()
    assert p.table.shoe_holder == "ann"
    # And the other way: a list that took nothing is made anew, and now it does.
    p.bets(("ann", "player", 100_00))
    p.deal(TIE)
    p.settle()
    assert p.table.shoe_holder == "ann"
    correct(p, P1, "8C")
    p.finish()
    assert p.table.shoe_holder is None
    assert p.last(e.ShoeGivenUp).clause == f"{code} 3.11.8.2"


@pytest.mark.clause("BAC8 3.11.8.2", "FF3 3.11.8.2", "BAC8 5.14", "FF3 5.14")
@both
def test_a_void_gives_back_what_the_settlement_took(code: str) -> None:
    p, before = taken_by_settlement(code, found=True)
    assert p.table.under_minimum == {"bob"}
    p.do(c.report(Situation.FOREIGN_CARD))
    p.do(c.ConfirmReport(), SUE, approver=SAM)
    assert p.table.phase is Phase.VOID
    assert (p.table.shoe_holder, p.table.under_minimum) == ("ann", frozenset())
    assert before[-1] == "ann"
    assert set(p.table.credits.values()) == {CREDIT}
    assert (p.table.bank, p.table.commission, p.table.in_play) == (0, 0, 0)


@both
def test_a_decision_on_both_hands_goes_back_with_the_list_too(code: str) -> None:
    p = pit(code, "C")
    p.bets(("ann", "player", 100_00), ("ann", "banker", 50_00))
    p.do(c.TakeShoe("ann"), ANN)
    p.deal(PLAYER_WINS)
    p.settle()
    p.do(c.EndControl("ann", "the house's custom"), SUE)
    assert p.table.shoe_holder is None
    correct(p, B2, "7S")
    assert p.table.shoe_holder == "ann"


@both
def test_who_gave_the_device_up_does_not_get_it_back(code: str) -> None:
    p = pit(code, "C")
    p.bets(("ann", "player", 100_00))
    p.do(c.TakeShoe("ann"), ANN)
    p.deal(PLAYER_WINS)
    p.settle()
    p.do(c.RelinquishShoe("ann"), ANN)
    correct(p, B2, "7S")
    assert p.table.shoe_holder is None


def taken_by_settlement(code: str, *, found: bool = False) -> tuple[Pit, tuple[object, ...]]:
    """Let ann lose the device with her main wager."""
    p = pit(code, "C", limits=LIMITS)
    p.bets(("ann", "player", 100_00))
    p.do(c.TakeShoe("ann"), ANN)
    if found:
        p.do(c.FindStake("bob", "banker", 30_00))
    p.deal(BANKER_WINS)
    p.do(c.AnnounceOutcome())
    before = money(p)
    p.do(c.Settle())
    assert p.table.shoe_holder is None
    return p, before


# A face that hid what was due (6.3, 3.14)


@pytest.mark.clause("BAC8 6.3", "BAC8 3.14", "FF3 6.3", "FF3 3.14", "EB4 6.3", "EB4 3.8")
@pytest.mark.parametrize("code", GAMES)
def test_a_natural_that_was_hidden_decides_and_the_surplus_is_set_aside(code: str) -> None:
    p = pit(code)
    p.bets(("ann", "player", 100_00), ("bob", "banker", 60_00))
    p.deal("2C KH 3D 4S 7H")
    assert [card.position for card in p.play.cards] == [P1, B1, P2, B2, P3]
    correct(p, P2, "7D")
    rebuilt = p.last(i.CardsReconstructed)
    assert rebuilt.set_aside == (4,)
    assert [card.position for card in p.play.cards] == [P1, B1, P2, B2]
    assert [card.card.text for card in p.play.aside if card.card] == list(p.faces("7H"))
    p.finish()
    assert p.play.outcome == (9, 4, Side.PLAYER)
    assert p.table.credits["ann"] == CREDIT + 100_00
    assert p.table.credits["bob"] == CREDIT - 60_00
    assert len(p.table.results[-1].cards) == 4


@pytest.mark.clause("BAC8 6.3", "BAC8 3.14", "FF3 6.3", "FF3 3.14", "EB4 6.3", "EB4 3.8")
@pytest.mark.parametrize("code", GAMES)
def test_a_card_that_is_due_after_all_is_drawn(code: str) -> None:
    p = pit(code)
    p.bets(("ann", "player", 100_00), ("bob", "banker", 60_00))
    p.deal("2C KH 7D 4S")
    assert p.play.coup is not None
    assert p.play.coup.complete
    correct(p, P2, "3D")
    assert p.refused(c.Settle(), p.caller).code is Code.WRONG_PHASE
    p.draw("7H")
    p.draw("5C")
    p.finish()
    # 2, 3 and 7 make 2; a 4 and a 5 make 9.
    assert p.play.outcome is not None
    assert p.play.outcome[:2] == (2, 9)
    assert p.table.credits["ann"] == CREDIT - 100_00


@pytest.mark.clause("BAC8 6.3", "BAC8 3.14", "FF3 6.3", "FF3 3.14")
@both
def test_a_third_card_goes_to_the_hand_that_it_was_due_to(code: str) -> None:
    p = pit(code)
    p.bets(("ann", "player", 100_00))
    p.deal("2C KH 3D 4S 7H 5C")  # the Player draws a 7, the Banker a 5
    correct(p, P2, "4D")  # 6: the Player stands, and the 7 is the Banker's
    assert [card.position for card in p.play.cards] == [P1, B1, P2, B2, B3]
    assert [card.card.text for card in p.play.aside if card.card] == list(p.faces("5C"))
    p.finish()
    assert p.play.outcome is not None
    assert p.play.outcome[:2] == (6, 1)
    # Back again: both third cards are where they were.
    q = pit(code)
    q.bets(("ann", "player", 100_00))
    q.deal("2C KH 3D 4S 7H 5C")
    before = q.play.cards
    correct(q, P2, "4D")
    correct(q, P2, "3D")
    assert (q.play.cards, q.play.aside) == (before, ())


# One copy too many (5.1)


@pytest.mark.clause("BAC8 5.1", "BAC8 5.1.1", "FF3 5.1", "FF3 5.1.1")
@both
@pytest.mark.parametrize("after", ["dealt", "settled"])
def test_a_corrected_face_with_one_copy_too_many_voids_the_round(code: str, after: str) -> None:
    p = pit(code, decks=4)
    for _ in range(2):
        p.round("KC 9H KC 9S", ("ann", "banker", 60_00))
    p.bets(("ann", "player", 100_00), ("bob", "banker", 60_00))
    p.deal(PLAYER_WINS)
    if after == "settled":
        p.settle()
    held = dict(p.table.credits)
    events = correct(p, P2, "KC")
    voided = p.last(i.RoundVoided)
    assert voided.clause == f"{code} 5.1.1"
    assert p.table.phase is Phase.VOID
    # The list is taken back once, by its own event or by the void, and never twice.
    lists = kinds(events).count(i.SettlementReversed) + bool(voided.reversed)
    assert lists == (after == "settled")
    ann, bob = (100_00, -60_00) if after == "settled" else (-100_00, -60_00)
    assert p.table.credits["ann"] == held["ann"] - ann
    assert p.table.credits["bob"] == held["bob"] - bob
    assert p.table.in_play == 0


@both
def test_as_many_copies_as_there_are_decks_void_nothing(code: str) -> None:
    p = pit(code, decks=4)
    p.round("KC 9H KC 9S", ("ann", "banker", 60_00))
    p.bets(("ann", "player", 100_00))
    p.deal("9C 2H KC 3S")
    correct(p, B1, "KC")
    assert p.table.phase is Phase.DEALING
    p.finish()
