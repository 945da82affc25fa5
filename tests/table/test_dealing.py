"""Dealing: who draws, who handles the cards, squeezing, the cut card and the die."""

from __future__ import annotations

import pytest

from croupier.rules.coup import Position
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.course import due
from croupier.table.order import handler_due, handlers_in_order
from croupier.table.refusals import Code
from croupier.table.roles import Patron
from croupier.table.settings import Readings
from croupier.table.state import HoldKind
from tests.table.helpers import (
    BANKER_WINS,
    BOTH_DRAW,
    CREDIT,
    DAN,
    GAMES,
    HIGH_LIMIT_ROOM,
    MIA,
    PLAYER_WINS,
    SUE,
    SYSTEM,
    UNREAD,
    WITH_METHODS,
    Pit,
    pit,
)
from tests.table.scenes import (
    closed,
    cut_card_first,
    dealing,
    dealt,
    four_cards,
)

ANN, BOB, CYD = (Patron(name) for name in ("ann", "bob", "cyd"))
PLAYER, BANKER = Side.PLAYER, Side.BANKER
both = pytest.mark.parametrize("code", WITH_METHODS)


def wagered(code: str, method: str, *stakes: tuple[str, str, int], **others: Readings) -> Pit:
    p = pit(code, method, **others)
    p.bets(*stakes)
    return p


# Who draws


@pytest.mark.clause("BAC8 3.8.1", "FF3 3.8.1")
@both
@pytest.mark.parametrize("method", ["A", "B"])
def test_under_methods_a_and_b_only_the_dealer_draws(code: str, method: str) -> None:
    p = dealing(code, method)
    for actor in (ANN, BOB, SYSTEM):
        answer = p.refused(c.DrawCard(), actor, cards=p.faces("2C"))
        assert (answer.code, answer.clause) == (Code.NEEDS_DEALER, f"{code} 3.8.1")
    p.draw("2C")
    drawn = p.last(e.CardDrawn)
    assert (drawn.position, drawn.drawn_by) == (Position.P1, "Dan")
    take = p.refused(c.TakeShoe("ann"), ANN)
    assert (take.code, take.clause) == (Code.NO_HANDLING, f"{code} 3.8.1")


@pytest.mark.parametrize("code", GAMES)
def test_no_card_is_drawn_before_the_closing(code: str) -> None:
    p = pit(code)
    assert p.refused(c.DrawCard(), p.caller).code is Code.NO_ROUND
    p.call()
    assert p.refused(c.DrawCard(), p.caller).code is Code.WRONG_PHASE


@pytest.mark.parametrize("code", GAMES)
def test_the_tableau_says_when_no_card_is_drawn(code: str) -> None:
    p = dealt(code, "6C 7H KD TS")
    answer = p.refused(c.DrawCard(), p.caller, cards=p.faces("2C"))
    p.finish()
    assert p.play.outcome == (6, 7, BANKER)
    natural = dealt(code, PLAYER_WINS)
    over = natural.refused(c.DrawCard(), natural.caller)
    if code == "EB4":
        # The system has announced the outcome by itself.
        assert (answer.code, over.code) == (Code.WRONG_PHASE, Code.WRONG_PHASE)
        return
    assert (answer.code, over.code) == (Code.NO_CARD_CALLED_FOR, Code.NO_CARD_CALLED_FOR)
    assert "Player has 6 and Banker 7" in answer.sentence
    assert "neither draws" in answer.sentence
    assert "Player has 9 and Banker 5" in over.sentence
    assert "natural" in over.sentence


@pytest.mark.parametrize("code", GAMES)
def test_a_card_of_another_deck_is_no_card(code: str) -> None:
    p = dealing(code)
    foreign = ("2C",) if code == "FF3" else ("2-Gold",)
    assert p.refused(c.DrawCard(), p.caller, cards=foreign).code is Code.NOT_A_CARD


# Method B


@pytest.mark.clause("BAC8 3.10.2", "FF3 3.10.2")
@both
def test_under_method_b_no_patron_handles_cards(code: str) -> None:
    p = dealt(code, "2C KH KD 3S", method="B")
    for command, actor in (
        (c.PassHand(PLAYER, "ann"), DAN),
        (c.PassHand(BANKER, "bob"), DAN),
        (c.RefuseHand(PLAYER, "ann"), ANN),
        (c.NameHandler(PLAYER, "cyd"), SUE),
        (c.PermitSqueeze(PLAYER, "cyd"), MIA),
        (c.ChooseFirstHand(PLAYER), DAN),
    ):
        answer = p.refused(command, actor)
        assert (answer.code, answer.clause) == (Code.NO_HANDLING, f"{code} 3.10.2")
    assert all(card.exposed for card in p.play.cards)


# Method A: who gets the hand


@pytest.mark.clause("BAC8 3.9.2", "FF3 3.9.2")
@both
def test_each_hand_goes_face_down_to_whoever_wagered_most_on_it(code: str) -> None:
    p = wagered(
        code,
        "A",
        ("bob", "player", 300_00),
        ("ann", "player", 500_00),
        ("cyd", "banker", 200_00),
        ("dee", "tie", 900_00),
    )
    for face in BOTH_DRAW.split()[:4]:
        p.draw(face)
    assert not any(card.exposed for card in p.play.cards)
    for side, wrong, right in ((PLAYER, "bob", "ann"), (BANKER, "dee", "cyd")):
        answer = p.refused(c.PassHand(side, wrong))
        assert (answer.code, answer.clause) == (Code.NOT_THE_HANDLER, f"{code} 3.9.2")
        assert f"hand goes to patron {right}, not to patron {wrong}" in answer.sentence
        p.do(c.PassHand(side, right))
        passed = p.last(e.HandPassed)
        assert (passed.patron, passed.way) == (right, ("Dan", right))
        assert passed.clause == f"{code} 3.9.2"
        again = p.refused(c.PassHand(side, right))
        assert again.code is Code.HAND_HELD
    assert {card.handed_to for card in p.play.cards} == {"ann", "cyd"}
    assert not any(card.exposed for card in p.play.cards)


@pytest.mark.clause("BAC8 3.9.2", "FF3 3.9.2")
@both
def test_what_counts_is_the_sum_of_a_patron_on_that_hand_at_all_areas(code: str) -> None:
    p = pit(code, "A")
    p.call()
    p.bet("ann", "player", 300_00)
    p.bet("bob", "player", 200_00)
    p.bet("bob", "player", 150_00, position=5)
    p.bet("cyd", "player", 100_00, shared=True)
    p.bet("dee", "player", 400_00, position=3, join=4)
    p.close()
    assert handlers_in_order(p.table, PLAYER) == ["dee", "bob", "ann", "cyd"]


@pytest.mark.clause("BAC8 3.9.2", "FF3 3.9.2")
@both
def test_a_hand_is_passed_when_both_its_cards_are_out(code: str) -> None:
    p = dealt(code, "2C KH", method="A")
    answer = p.refused(c.PassHand(PLAYER, "ann"))
    assert (answer.code, answer.clause) == (Code.HAND_NOT_DRAWN, f"{code} 3.9.2")
    p.draw("KD")
    p.do(c.PassHand(PLAYER, "ann"))


@pytest.mark.clause("BAC8 3.9.3", "FF3 3.9.3")
@both
def test_a_hand_that_is_refused_goes_to_the_next_highest(code: str) -> None:
    p = wagered(
        code,
        "A",
        ("bob", "player", 300_00),
        ("ann", "player", 500_00),
        ("cyd", "player", 400_00),
    )
    p.do(c.RefuseHand(PLAYER, "ann"), ANN)
    refused = p.last(e.HandRefused)
    assert (refused.side, refused.patron, refused.answered) == (PLAYER, "ann", True)
    answer = p.refused(c.RefuseHand(PLAYER, "bob"), BOB)
    assert (answer.code, answer.clause) == (Code.NOT_THE_HANDLER, f"{code} 3.9.3")
    for face in BOTH_DRAW.split()[:4]:
        p.draw(face)
    p.do(c.PassHand(PLAYER, "cyd"))
    p.do(c.RefuseHand(PLAYER, "cyd"), CYD)
    assert p.last(i.HandRetrieved) == i.HandRetrieved(PLAYER, "cyd", f"{code} 3.9.3")
    p.do(c.PassHand(PLAYER, "bob"))
    assert p.last(e.HandPassed).clause == f"{code} 3.9.3"
    assert p.play.refused[PLAYER] == ("ann", "cyd")


@pytest.mark.clause("BAC8 3.9.4", "FF3 3.9.4")
@both
def test_among_equal_highest_wagers_the_first_placed_comes_first(code: str) -> None:
    p = wagered(
        code,
        "A",
        ("cyd", "player", 200_00),
        ("bob", "player", 500_00),
        ("ann", "player", 500_00),
    )
    assert handlers_in_order(p.table, PLAYER) == ["bob", "ann", "cyd"]
    for face in BOTH_DRAW.split()[:4]:
        p.draw(face)
    p.do(c.PassHand(PLAYER, "bob"))
    assert p.last(e.HandPassed).clause == f"{code} 3.9.4"
    p.do(c.RefuseHand(PLAYER, "bob"), BOB)
    p.do(c.PassHand(PLAYER, "ann"))
    assert p.last(e.HandPassed).clause == f"{code} 3.9.5"
    p.do(c.RefuseHand(PLAYER, "ann"), ANN)
    p.do(c.PassHand(PLAYER, "cyd"))
    assert p.last(e.HandPassed).clause == f"{code} 3.9.3"


EQUAL = (("cyd", 4), ("dee", 6), ("ann", 1), ("bob", 2))
"""Four equal wagers, in the order in which they were placed, and their seats."""


@pytest.mark.clause("BAC8 3.9.5", "FF3 3.9.5")
@both
@pytest.mark.parametrize(
    ("counter", "order"),
    [(True, ["cyd", "dee", "ann", "bob"]), (False, ["cyd", "bob", "ann", "dee"])],
)
def test_equal_wagers_follow_counter_clockwise_from_the_first(
    code: str, order: list[str], *, counter: bool
) -> None:
    p = pit(code, "A", readings=Readings(seats_run_counter_clockwise=counter))
    for patron, seat in EQUAL:
        p.do(c.LeaveSeat(patron))
        p.do(c.TakeSeat(patron, seat))
        p.do(c.BringCredit(patron, CREDIT))
    p.call()
    # Placed in another order than the seats go round, so that only the first counts.
    for patron in ("cyd", "ann", "dee", "bob"):
        p.bet(patron, "banker", 500_00)
    p.close()
    for patron in order:
        assert handler_due(p.table, BANKER) == patron
        p.do(c.RefuseHand(BANKER, patron), Patron(patron))
    assert handler_due(p.table, BANKER) is None


@pytest.mark.clause("BAC8 3.9.4.1", "FF3 3.9.4.1")
@both
def test_a_pit_supervisor_names_the_handler_when_nobody_is_due(code: str) -> None:
    p = wagered(code, "A", ("ann", "player", 500_00))
    naming = c.NameHandler(BANKER, "cyd", "a guest of ann")
    dealer = p.refused(naming, DAN)
    assert (dealer.code, dealer.clause) == (Code.NEEDS_PIT_SUPERVISOR, f"{code} 3.9.4.1")
    due = p.refused(c.NameHandler(PLAYER, "cyd"), SUE)
    assert (due.code, due.clause) == (Code.NOT_THE_HANDLER, f"{code} 3.9.2")
    p.do(naming, SUE)
    named = p.last(e.HandlerNamed)
    assert (named.side, named.patron, named.clause) == (BANKER, "cyd", f"{code} 3.9.4.1")
    for face in BOTH_DRAW.split()[:4]:
        p.draw(face)
    p.do(c.PassHand(BANKER, "cyd"))
    assert p.last(e.HandPassed).clause == f"{code} 3.9.4.1"
    p.do(c.ChooseFirstHand(BANKER))
    p.expose("B1", "B2")
    assert p.last(e.CardExposed).exposed_by == "cyd"


@pytest.mark.clause("BAC8 3.9.4.1", "FF3 3.9.4.1")
@both
def test_when_all_refused_somebody_else_is_named_or_the_dealer_exposes(code: str) -> None:
    p = wagered(code, "A", ("ann", "player", 500_00))
    p.do(c.RefuseHand(PLAYER, "ann"), ANN)
    refuser = p.refused(c.NameHandler(PLAYER, "ann"), SUE)
    assert (refuser.code, refuser.clause) == (Code.NOT_THE_HANDLER, f"{code} 3.9.4.1")
    for face in BOTH_DRAW.split()[:4]:
        p.draw(face)
    nobody = p.refused(c.PassHand(PLAYER, "ann"))
    assert nobody.code is Code.NOT_THE_HANDLER
    assert "the Dealer, as nobody is left to take it" in nobody.sentence
    p.do(c.ChooseFirstHand(PLAYER))
    p.expose("P1", "P2", "B1", "B2")
    assert p.last(e.CardExposed).exposed_by == "Dan"


# Method A: revealing


@pytest.mark.clause("BAC8 3.9.6", "FF3 3.9.6")
@both
@pytest.mark.parametrize(("first", "opens"), [(PLAYER, "P"), (BANKER, "B")])
def test_the_dealer_says_after_four_cards_which_hand_is_revealed_first(
    code: str, first: Side, opens: str
) -> None:
    p = dealt(code, "2C KH KD", method="A")
    clause = f"{code} 3.9.6"
    early = p.refused(c.ChooseFirstHand(first))
    assert (early.code, early.clause) == (Code.HAND_NOT_DRAWN, clause)
    hidden = p.refused(c.ExposeCard(Position.P1))
    assert (hidden.code, hidden.clause) == (Code.HAND_NOT_DRAWN, clause)
    p.draw("3S")
    unsaid = p.refused(c.ExposeCard(Position.P1))
    assert (unsaid.code, unsaid.clause) == (Code.FIRST_HAND_MISSING, clause)
    p.do(c.ChooseFirstHand(first))
    other = "B" if opens == "P" else "P"
    answer = p.refused(c.ExposeCard(Position(f"{other}1")))
    assert (answer.code, answer.clause) == (Code.OTHER_HAND_FIRST, clause)
    p.expose(f"{opens}1")
    late = p.refused(c.ChooseFirstHand(first.other))
    assert (late.code, late.clause) == (Code.NOT_NOW, clause)
    p.expose(f"{opens}2", f"{other}1", f"{other}2")
    assert p.last(e.TotalsAnnounced) == e.TotalsAnnounced(2, 3)


@pytest.mark.clause("BAC8 3.9.7", "FF3 3.9.7")
@both
def test_further_cards_go_face_down_to_the_squeezer_and_else_the_dealer_turns_them(
    code: str,
) -> None:
    p = four_cards(code, "A")
    p.do(c.PassHand(PLAYER, "ann"))
    p.do(c.ChooseFirstHand(PLAYER))
    p.expose("P1")
    answer = p.refused(c.DrawCard(), cards=p.faces("3H"))
    assert answer.code is Code.CARDS_FACE_DOWN
    p.expose("P2", "B1", "B2")
    p.draw("3H")
    third = p.play.cards[-1]
    assert (third.position, third.exposed, third.handed_to) == (Position.P3, False, "ann")
    dealer = p.refused(c.ExposeCard(Position.P3), DAN)
    assert (dealer.code, dealer.clause) == (Code.NOT_YOURS, f"{code} 3.9.2")
    p.do(c.ExposeCard(Position.P3), ANN)
    p.draw("4C")
    last = p.play.cards[-1]
    assert (last.position, last.exposed, last.handed_to) == (Position.B3, False, None)
    assert p.refused(c.ExposeCard(Position.B3), BOB).code is Code.NEEDS_DEALER
    p.do(c.ExposeCard(Position.B3), DAN)
    p.finish()
    assert p.play.outcome == (5, 7, BANKER)


@pytest.mark.clause("BAC8 3.9.7", "FF3 3.9.7")
@both
def test_a_card_that_no_device_read_is_keyed_in_when_it_is_turned(code: str) -> None:
    p = dealing(code, "A", device=UNREAD)
    for _ in range(4):
        p.draw()
    p.do(c.ChooseFirstHand(PLAYER))
    assert p.refused(c.ExposeCard(Position.P1)).code is Code.CARD_MISSING
    assert p.refused(c.ExposeCard(Position.P1), cards=("2X",)).code is Code.NOT_A_CARD
    p.do(c.ExposeCard(Position.P1), cards=p.faces("2C"))
    assert p.refused(c.ExposeCard(Position.P1)).code is Code.ALREADY_EXPOSED
    assert p.refused(c.ExposeCard(Position.P3)).code is Code.NOT_DRAWN
    read = four_cards(code, "A")
    read.do(c.ChooseFirstHand(PLAYER))
    other = read.refused(c.ExposeCard(Position.P1), cards=read.faces("9C"))
    assert other.code is Code.OTHER_CARD
    assert "2" not in other.sentence.partition("; ")[2]


@pytest.mark.clause("BAC8 3.9.2", "FF3 3.9.2")
@both
def test_a_patron_turns_a_card_that_no_device_read_and_the_dealer_keys_it_in(code: str) -> None:
    p = dealing(code, "A", device=UNREAD)
    for _ in range(4):
        p.draw()
    for side in Side:
        p.do(c.PassHand(side, handler_due(p.table, side) or ""))
    p.do(c.ChooseFirstHand(PLAYER))
    expose = c.ExposeCard(Position.P1)
    assert p.refused(expose, cards=p.faces("2C")).code is Code.NOT_YOURS
    assert due(p.table).patrons == ("ann",)
    p.do(expose, ANN)
    assert isinstance(p.events[-1], e.CardTurned)
    assert due(p.table).patrons == ()
    # What it shows is nobody's to say but staff's, and no second patron turns it.
    assert p.refused(expose, ANN).code is Code.NEEDS_DEALER
    assert p.refused(expose).code is Code.CARD_MISSING
    p.do(expose, cards=p.faces("2C"))
    exposed = p.last(e.CardExposed)
    assert (exposed.card, exposed.exposed_by) == (p.faces("2C")[0], "ann")
    assert p.refused(c.ExposeCard(Position.P2), cards=p.faces("2C")).code is Code.NOT_YOURS


@pytest.mark.clause("BAC8 3.16", "FF3 3.16")
@both
@pytest.mark.parametrize("designee", [None, "zoe"])
def test_a_pit_manager_lets_any_patron_or_a_designee_squeeze(
    code: str, designee: str | None
) -> None:
    p = closed(code, "A")
    permit = c.PermitSqueeze(PLAYER, "cyd", designee, "her birthday")
    for staff in (DAN, SUE):
        answer = p.refused(permit, staff)
        assert (answer.code, answer.clause) == (Code.NEEDS_PIT_MANAGER, f"{code} 3.16")
    p.do(permit, MIA)
    squeezer = designee or "cyd"
    record, named = p.last(e.DecisionRecorded), p.last(e.HandlerNamed)
    assert (record.clause, record.choice) == (f"{code} 3.16", squeezer)
    assert squeezer in record.options
    assert (named.patron, named.designee) == ("cyd", designee)
    for face in BOTH_DRAW.split()[:4]:
        p.draw(face)
    assert p.refused(c.PassHand(PLAYER, "ann")).code is Code.NOT_THE_HANDLER
    p.do(c.PassHand(PLAYER, squeezer))
    assert p.last(e.HandPassed).clause == f"{code} 3.16"
    held = p.refused(c.PermitSqueeze(PLAYER, "bob"), MIA)
    assert (held.code, held.clause) == (Code.HAND_HELD, f"{code} 3.16")
    p.do(c.ChooseFirstHand(PLAYER))
    assert p.refused(c.ExposeCard(Position.P1), ANN).code is Code.NOT_YOURS
    p.do(c.ExposeCard(Position.P1), Patron(squeezer))
    assert p.last(e.CardExposed).exposed_by == squeezer


# The cut card


@pytest.mark.clause("BAC8 3.17", "FF3 3.17", "EB4 3.10")
@pytest.mark.parametrize("code", GAMES)
def test_the_cut_card_takes_no_place_and_the_round_goes_on(code: str) -> None:
    p = dealt(code, "9C 2H")
    p.do(c.ShowCutCard(), p.caller)
    assert p.last(e.CutCardSeen) == e.CutCardSeen(first=False, by=p.caller.name)
    again = p.refused(c.ShowCutCard(), p.caller)
    clause = {"BAC8": "BAC8 3.17", "FF3": "FF3 3.17", "EB4": "EB4 3.10"}.get(code)
    assert (again.code, again.clause) == (Code.NOT_NOW, clause)
    p.draw("KD")
    assert p.last(e.CardDrawn).position is Position.P2
    p.draw("3S")
    p.finish()
    assert p.play.outcome == (9, 5, PLAYER)
    assert p.table.shoe is not None
    assert p.table.shoe.ended
    assert p.refused(c.CallBets(), p.caller).code is Code.NO_SHOE


@pytest.mark.clause("BAC8 3.17", "FF3 3.17", "EB4 3.10")
@pytest.mark.parametrize("code", GAMES)
def test_an_operator_may_play_on_after_the_round_of_the_cut_card(code: str) -> None:
    p = dealt(code, "9C 2H", readings=Readings(shoe_ends_after_cut_card=False))
    p.do(c.ShowCutCard(), p.caller)
    for face in ("KD", "3S"):
        p.draw(face)
    p.finish()
    p.call()


@pytest.mark.clause("BAC8 3.17", "FF3 3.17", "EB4 3.10")
@pytest.mark.parametrize("code", GAMES)
def test_the_cut_card_of_a_virtual_shoe_comes_by_itself(code: str) -> None:
    p = pit(code)
    p.do(c.EndShoe())
    p.do(c.LoadShoe("second", 6))
    p.round(PLAYER_WINS, ("ann", "player", 100_00))
    assert not any(isinstance(event, e.CutCardSeen) for event in p.events)
    p.bets(("ann", "player", 100_00))
    p.deal(PLAYER_WINS)
    seen = [type(event) for event in p.events if isinstance(event, e.CutCardSeen | e.CardDrawn)]
    assert seen[-3:] == [e.CutCardSeen, e.CardDrawn, e.CardDrawn]
    assert not p.play.cut_card_first


@pytest.mark.clause("BAC8 3.17.1", "FF3 3.17.1")
@both
def test_in_high_limit_rooms_the_dealer_may_offer_withdrawal_when_it_came_first(
    code: str,
) -> None:
    p = cut_card_first(code)
    assert p.last(e.CutCardSeen).first
    p.do(c.OfferWithdrawal("the last round"))
    hold = p.table.hold
    assert hold is not None
    assert (hold.kind, hold.clause) == (HoldKind.WITHDRAWAL, f"{code} 3.17.1")
    assert hold.patrons == ("ann", "bob")
    p.do(c.Withdraw("ann", (1,)), ANN)
    withdrawn = p.last(i.WagersWithdrawn)
    assert (withdrawn.cents, withdrawn.clause) == (300_00, f"{code} 3.17.1")
    p.do(c.KeepWagers("bob"), BOB)
    p.do(c.EndOption())
    assert p.table.credits["ann"] == CREDIT
    assert [stake.wager for stake in p.table.stakes] == ["banker"]
    p.deal(BANKER_WINS)
    p.finish()


@pytest.mark.clause("BAC8 3.17.1", "FF3 3.17.1")
@both
def test_the_cut_card_of_a_virtual_shoe_comes_first_at_the_closing(code: str) -> None:
    p = pit(code, room=HIGH_LIMIT_ROOM)
    p.do(c.EndShoe())
    p.do(c.LoadShoe("second", 4))
    p.round(PLAYER_WINS, ("ann", "player", 100_00))
    p.bets(("ann", "player", 100_00))
    assert p.last(e.CutCardSeen).first
    p.do(c.OfferWithdrawal())
    p.do(c.Withdraw("ann"), ANN)
    assert p.table.stakes == ()


@pytest.mark.clause("BAC8 3.17.1", "FF3 3.17.1")
@both
def test_no_withdrawal_is_offered_elsewhere_or_after_the_first_card(code: str) -> None:
    main = closed(code)
    main.do(c.ShowCutCard())
    answer = main.refused(c.OfferWithdrawal())
    assert (answer.code, answer.clause) == (Code.HLGA_ONLY, f"{code} 3.17.1")
    p = closed(code, room=HIGH_LIMIT_ROOM)
    unseen = p.refused(c.OfferWithdrawal())
    assert (unseen.code, unseen.clause) == (Code.CUT_CARD_NOT_FIRST, f"{code} 3.17.1")
    p.draw("2C")
    p.do(c.ShowCutCard())
    assert p.refused(c.OfferWithdrawal()).code is Code.WRONG_PHASE
