"""Method C: a patron draws the cards, keeps the dealing device, and loses it."""

from __future__ import annotations

import pytest

from croupier.rules.coup import Position
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.authority import needs
from croupier.table.order import shoe_due
from croupier.table.refusals import Code
from croupier.table.roles import Patron
from croupier.table.settings import Method
from tests.table.helpers import (
    ADA,
    BANKER_WINS,
    DAN,
    MIA,
    PLAYER_DRAWS,
    PLAYER_WINS,
    SUE,
    SYSTEM,
    TIE,
    WITH_METHODS,
    Pit,
    pit,
)
from tests.table.scenes import (
    closed,
    dealing,
    four_cards,
)

ANN, BOB, DEE = (Patron(name) for name in ("ann", "bob", "dee"))
PLAYER, BANKER = Side.PLAYER, Side.BANKER
both = pytest.mark.parametrize("code", WITH_METHODS)


def wagered(code: str, method: str, *stakes: tuple[str, str, int]) -> Pit:
    p = pit(code, method)
    p.bets(*stakes)
    return p


@pytest.mark.clause("BAC8 3.11.1", "FF3 3.11.1")
@both
def test_under_method_c_the_patron_with_the_device_draws(code: str) -> None:
    p = closed(code, "C")
    draw = c.DrawCard()
    for actor in (ANN, DAN):
        nobody = p.refused(draw, actor, cards=p.faces("2C"))
        assert (nobody.code, nobody.clause) == (Code.NO_SHOE_HOLDER, f"{code} 3.11.1")
    p.do(c.TakeShoe("ann"), ANN)
    for other in (BOB, DAN, SYSTEM):
        answer = p.refused(draw, other, cards=p.faces("2C"))
        assert (answer.code, answer.clause) == (Code.NOT_YOURS, f"{code} 3.11.1")
    p.do(draw, ANN, cards=p.faces("2C"))
    assert p.last(e.CardDrawn).drawn_by == "ann"
    assert p.refused(c.AnnounceOutcome(), ANN).code is Code.NEEDS_DEALER


@pytest.mark.clause("BAC8 3.11.1", "FF3 3.11.1")
@both
def test_the_device_is_offered_by_amount_and_goes_on_when_it_is_refused(code: str) -> None:
    p = wagered(
        code,
        "C",
        ("ann", "player", 300_00),
        ("bob", "banker", 200_00),
        ("ann", "tie", 900_00),
        ("cyd", "player", 200_00),
        ("cyd", "banker", 200_00),
        ("dee", "tie", 5000_00),
    )
    # The highest on both hands first; a Tie alone is valid too, and comes after them (A53).
    for patron in ("cyd", "ann", "bob"):
        assert shoe_due(p.table) == patron
        other = next(name for name in ("bob", "ann") if name != patron)
        if patron != "bob":
            answer = p.refused(c.TakeShoe(other), Patron(other))
            assert answer.code is Code.SHOE_DUE_TO_ANOTHER
            answer = p.refused(c.RefuseShoe(other), Patron(other))
            assert (answer.code, answer.clause) == (Code.SHOE_DUE_TO_ANOTHER, f"{code} 3.9.3")
            p.do(c.RefuseShoe(patron), Patron(patron))
    tie_only = p.refused(c.TakeShoe("dee"), DEE)
    assert (tie_only.code, tie_only.clause) == (Code.SHOE_DUE_TO_ANOTHER, f"{code} 3.9.2")
    assert "offered to the patron at position 2 first" in tie_only.sentence
    p.do(c.TakeShoe("bob"), BOB)
    assert p.refused(c.RefuseShoe("bob"), BOB).code is Code.SHOE_DUE_TO_ANOTHER
    taken = p.refused(c.TakeShoe("ann"), ANN)
    assert (taken.code, taken.clause) == (Code.SHOE_DUE_TO_ANOTHER, f"{code} 3.11.8")


@pytest.mark.clause("BAC8 3.11.2", "FF3 3.11.2")
@both
def test_without_a_wager_a_patron_draws_only_if_it_was_allowed(code: str) -> None:
    p = wagered(code, "C", ("ann", "tie", 100_00))
    answer = p.refused(c.TakeShoe("dee"), DEE)
    assert (answer.code, answer.clause) == (Code.NO_VALID_WAGER, f"{code} 3.11.2")
    allow = c.AllowShoe("dee", reason="a regular guest")
    denied = p.refused(allow, MIA)
    assert denied.code is Code.NEEDS_ASSISTANT_CASINO_MANAGER
    absent = p.refused(c.TakeShoe("zed"), Patron("zed"))
    assert absent.code is Code.NOT_AT_TABLE
    p.do(allow, ADA)
    assert p.last(e.ShoeAllowed).allowed
    p.do(c.AllowShoe("dee", allowed=False), ADA)
    assert p.refused(c.TakeShoe("dee"), DEE).code is Code.NO_VALID_WAGER
    assert not any(isinstance(event, e.ShoeGivenUp) for event in p.events)
    p.do(allow, ADA)
    p.do(c.TakeShoe("dee"), DEE)
    p.do(allow, ADA)
    assert p.table.shoe_holder == "dee"
    p.deal(PLAYER_WINS)
    p.finish()
    # Without a wager there is none that could lose: she keeps it until somebody ends it (A28).
    p.bets(("ann", "banker", 100_00))
    p.draw("2C")
    assert p.last(e.CardDrawn).drawn_by == "dee"
    p.do(c.AllowShoe("dee", allowed=False, reason="she is tired"), ADA)
    given = p.last(e.ShoeGivenUp)
    assert (given.patron, given.clause) == ("dee", f"{code} 3.11.2")
    assert p.table.shoe_holder is None


@pytest.mark.clause("BAC8 3.11.2", "FF3 3.11.2")
@both
def test_a_holder_without_a_wager_in_the_next_round_does_not_draw(code: str) -> None:
    p = dealing(code, "C")
    p.deal(PLAYER_WINS)
    p.finish()
    p.bets(("bob", "banker", 100_00))
    assert p.table.shoe_holder == "ann"
    answer = p.refused(c.DrawCard(), ANN, cards=p.faces("2C"))
    assert (answer.code, answer.clause) == (Code.NO_VALID_WAGER, f"{code} 3.11.2")
    p.do(c.RelinquishShoe("ann"), ANN)
    p.do(c.TakeShoe("bob"), BOB)
    p.draw("2C")


@pytest.mark.clause("BAC8 3.11.3", "FF3 3.11.3")
@both
def test_a_hand_for_another_patron_goes_through_the_hands_of_the_dealer(code: str) -> None:
    p = four_cards(code, "C")
    p.do(c.PassHand(BANKER, "bob"))
    passed = p.last(e.HandPassed)
    assert (passed.way, passed.clause) == (("ann", "Dan", "bob"), f"{code} 3.11.3")
    p.do(c.PassHand(PLAYER, "ann"))
    assert p.last(e.HandPassed).way == ("Dan", "ann")
    p.expose("P1", "B2", "P2", "B1")
    who = [event.exposed_by for event in p.events if isinstance(event, e.CardExposed)]
    assert who == ["ann", "bob", "ann", "bob"]


@pytest.mark.clause("BAC8 3.11.4", "FF3 3.11.4")
@both
def test_staff_attest_that_the_draws_are_in_their_view(code: str) -> None:
    p = dealing(code, "C")
    p.do(c.AttestDraws())
    assert p.last(e.DrawsAttested).by.name == "Dan"
    assert dealing(code, "A").refused(c.AttestDraws()).code is Code.NO_HANDLING
    assert needs(p.table, c.AttestDraws()).clause == f"{code} 3.11.4"


@pytest.mark.clause("BAC8 3.11.6", "FF3 3.11.6")
@both
def test_further_cards_are_drawn_by_the_holder_when_the_tableau_asks(code: str) -> None:
    p = four_cards(code, "C")
    p.do(c.PassHand(BANKER, "bob"))
    p.expose("P1", "P2", "B1", "B2")
    for actor in (BOB, DAN):
        answer = p.refused(c.DrawCard(), actor, cards=p.faces("3H"))
        assert (answer.code, answer.clause) == (Code.NOT_YOURS, f"{code} 3.11.1")
    p.do(c.DrawCard(), ANN, cards=p.faces("3H"))
    p.do(c.ExposeCard(Position.P3), DAN)
    p.do(c.DrawCard(), ANN, cards=p.faces("4C"))
    assert p.play.cards[-1].handed_to == "bob"
    p.do(c.ExposeCard(Position.B3), BOB)
    p.finish()
    stands = dealing(code, "C")
    stands.deal("6C 7H KD TS")
    answer = stands.refused(c.DrawCard(), ANN, cards=stands.faces("2C"))
    assert (answer.code, answer.clause) == (Code.NO_CARD_CALLED_FOR, f"{code} 3.14")


@pytest.mark.clause("BAC8 3.11.8", "FF3 3.11.8", "BAC8 3.11.8.2", "FF3 3.11.8.2")
@both
def test_the_holder_keeps_the_device_while_the_main_wager_does_not_lose(code: str) -> None:
    p = dealing(code, "C")
    p.deal(PLAYER_WINS)
    p.finish()
    assert p.table.shoe_holder == "ann"
    p.round(TIE, ("ann", "player", 100_00))
    assert p.table.shoe_holder == "ann"
    p.round(PLAYER_DRAWS, ("ann", "player", 100_00), ("ann", "tie", 50_00))
    assert p.table.shoe_holder == "ann"
    p.round(BANKER_WINS, ("ann", "player", 100_00), ("bob", "banker", 900_00))
    given = p.last(e.ShoeGivenUp)
    assert (given.patron, given.clause) == ("ann", f"{code} 3.11.8.2")
    assert p.table.shoe_holder is None


@pytest.mark.clause("BAC8 3.11.8.1", "FF3 3.11.8.1")
@both
def test_the_holder_may_give_the_device_up(code: str) -> None:
    p = dealing(code, "C")
    answer = p.refused(c.RelinquishShoe("bob"), BOB)
    assert (answer.code, answer.clause) == (Code.NO_SHOE_HOLDER, f"{code} 3.11.8.1")
    p.draw("2C")
    p.do(c.RelinquishShoe("ann"), ANN)
    assert p.last(e.ShoeGivenUp).clause == f"{code} 3.11.8.1"
    assert p.refused(c.DrawCard(), ANN).code is Code.NO_SHOE_HOLDER
    # The higher wager is ann's; it goes to all others before it comes back.
    for command in (c.TakeShoe("ann"), c.RefuseShoe("ann")):
        assert p.refused(command, ANN).code is Code.SHOE_DUE_TO_ANOTHER
    assert shoe_due(p.table) == "bob"
    p.do(c.TakeShoe("bob"), BOB)
    p.draw("KH")
    assert p.last(e.CardDrawn).drawn_by == "bob"
    p.do(c.RelinquishShoe("bob"), BOB)
    assert shoe_due(p.table) == "ann"
    p.do(c.RefuseShoe("ann"), ANN)
    assert shoe_due(p.table) == "bob"
    p.do(c.TakeShoe("bob"), BOB)
    p.draw("KD")


@pytest.mark.clause("BAC8 3.11.8.2", "FF3 3.11.8.2")
@both
def test_with_wagers_on_both_hands_a_pit_supervisor_decides_on_the_device(code: str) -> None:
    p = wagered(code, "C", ("ann", "player", 300_00), ("ann", "banker", 100_00))
    p.do(c.TakeShoe("ann"), ANN)
    p.deal(PLAYER_WINS)
    p.finish()
    assert p.table.shoe_holder == "ann"
    p.do(c.EndControl("ann", "the house's custom"), SUE)
    assert p.table.shoe_holder is None
    tied = wagered(code, "C", ("ann", "player", 300_00), ("ann", "banker", 100_00))
    tied.do(c.TakeShoe("ann"), ANN)
    tied.deal(TIE)
    tied.finish()
    answer = tied.refused(c.EndControl("ann"), SUE)
    assert (answer.code, answer.clause) == (Code.NOT_NOW, f"{code} 3.11.8.2")
    one = dealing(code, "C")
    one.deal(PLAYER_WINS)
    one.finish()
    answer = one.refused(c.EndControl("ann"), SUE)
    assert (answer.code, answer.clause) == (Code.NOT_NOW, f"{code} 3.11.8.2")


@pytest.mark.clause("BAC8 3.8.1", "FF3 3.8.1")
@both
def test_the_dealer_has_the_device_again_when_the_method_changes(code: str) -> None:
    p = dealing(code, "C")
    p.do(c.SetMethod(Method.B), MIA)
    assert p.table.shoe_holder == "ann"
    p.deal(PLAYER_WINS)
    p.finish()
    assert p.table.shoe_holder == "ann"
    p.call()
    given = p.last(e.ShoeGivenUp)
    assert (given.patron, given.clause) == ("ann", f"{code} 3.8.1")
    assert p.table.shoe_holder is None
    between = dealing(code, "C")
    between.deal(PLAYER_WINS)
    between.finish()
    between.do(c.SetMethod(Method.A), MIA)
    assert between.table.shoe_holder is None


@pytest.mark.clause("BAC8 3.11.2", "FF3 3.11.2")
@both
def test_leaving_the_table_gives_up_the_device_and_the_leave_to_draw(code: str) -> None:
    p = wagered(code, "C", ("ann", "tie", 100_00))
    p.do(c.AllowShoe("dee"), ADA)
    p.do(c.TakeShoe("dee"), DEE)
    p.do(c.LeaveSeat("dee"))
    given = p.last(e.ShoeGivenUp)
    assert (given.patron, given.why) == ("dee", "left the table")
    p.do(c.TakeSeat("dee", 4))
    assert p.refused(c.TakeShoe("dee"), DEE).code is Code.NO_VALID_WAGER
