"""Several irregularities at once: what voids or interrupts comes first, others wait (A52)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from croupier.rules.coup import Position
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.refusals import Code
from croupier.table.roles import Patron
from croupier.table.rulings import Situation
from croupier.table.state import HoldKind, Phase
from tests.table.helpers import (
    CREDIT,
    DAN,
    GUS,
    MIA,
    PLAYER_WINS,
    SAM,
    SUE,
    SYSTEM,
    UNREAD,
    WITH_METHODS,
    Pit,
    pit,
)
from tests.table.scenes import (
    altered,
    drawn_together,
    four_cards,
    left_with_cards,
    offered,
    referred,
    to_reset,
    unbalanced,
)

if TYPE_CHECKING:
    from collections.abc import Callable

ANN, BOB = Patron("ann"), Patron("bob")
HOLDS: dict[HoldKind, Callable[[str], Pit]] = {
    HoldKind.REPORT: altered,
    HoldKind.BALANCE: unbalanced,
    HoldKind.WITHDRAWAL: offered,
    HoldKind.ORDER: drawn_together,
    HoldKind.RESET: to_reset,
    HoldKind.RESERVE: lambda code: left_with_cards(code, 1),
    HoldKind.SORT: lambda code: left_with_cards(code, 2),
    HoldKind.SUBSTITUTE: lambda code: left_with_cards(code, 3),
    HoldKind.REFERRAL: referred,
}
both = pytest.mark.parametrize("code", WITH_METHODS)
each_hold = pytest.mark.parametrize("kind", HOLDS, ids=lambda kind: kind.value)
FOREIGN = c.report(Situation.FOREIGN_CARD)
TAKEN_AWAY = c.report(Situation.LATE_REMOVAL, stake=1)


def at(kind: HoldKind, code: str) -> Pit:
    p = HOLDS[kind](code)
    assert p.table.hold is not None
    assert p.table.hold.kind is kind
    return p


def held(p: Pit) -> HoldKind | None:
    return p.table.hold.kind if p.table.hold else None


def waits_for_nothing(p: Pit) -> bool:
    return p.table.hold is None and p.table.suspended == () and p.play.queue == ()


def test_every_kind_of_hold_is_tried() -> None:
    assert list(HOLDS) == list(HoldKind)


# What voids


@pytest.mark.clause("BAC8 5.1", "FF3 5.1")
@both
@each_hold
def test_what_voids_is_heard_during_every_hold(kind: HoldKind, code: str) -> None:
    p = at(kind, code)
    p.do(FOREIGN)
    assert (held(p), len(p.table.suspended)) == (HoldKind.REPORT, 1)
    assert p.table.hold is not None
    assert p.table.hold.clause == f"{code} 5.1"
    p.do(c.ConfirmReport(), SUE, approver=SAM)
    assert p.last(i.RoundVoided).clause == f"{code} 5.1.1"
    assert p.table.phase is Phase.VOID
    assert waits_for_nothing(p)
    assert set(p.table.credits.values()) == {CREDIT}
    assert (p.table.in_play, p.table.bank) == (0, 0)


@both
@each_hold
def test_if_it_was_nothing_the_round_waits_for_what_it_waited_for(
    kind: HoldKind, code: str
) -> None:
    p = at(kind, code)
    hold, reported, money = p.table.hold, p.play.reported, dict(p.table.credits)
    p.do(FOREIGN)
    p.do(c.DismissReport("a card of our own"), SUE)
    assert (p.table.hold, p.table.suspended) == (hold, ())
    assert (p.play.reported, dict(p.table.credits)) == (reported, money)
    assert p.last(i.HoldResumed).kind == kind.value


@both
def test_the_last_that_voids_comes_first_and_the_others_after_it(code: str) -> None:
    p = referred(code)
    p.do(FOREIGN)
    p.do(c.report(Situation.ORDER_ALTERED))
    assert p.table.hold is not None
    assert p.table.hold.clause == f"{code} 5.2"
    p.do(c.DismissReport("it was not"), SUE)
    assert p.table.hold.clause == f"{code} 5.1"
    p.do(c.DismissReport("it was not"), SUE)
    assert held(p) is HoldKind.REFERRAL
    p.do(c.DecideReferral(c.Decision.CONTINUE, "nothing of it"), GUS)
    assert waits_for_nothing(p)
    p.deal(PLAYER_WINS)
    p.finish()


@pytest.mark.clause("EB4 5.9.1")
def test_what_the_system_finds_voids_at_once_also_during_a_hold() -> None:
    p = referred("EB4")
    p.do(c.report(Situation.POWER_FAILURE), SYSTEM)
    assert p.table.phase is Phase.VOID
    assert waits_for_nothing(p)
    assert set(p.table.credits.values()) == {CREDIT}


@pytest.mark.clause("BAC8 5.1", "FF3 5.1", "BAC8 5.11.2", "FF3 5.11.2")
@both
def test_a_copy_too_many_that_is_turned_up_during_a_hold_voids(code: str) -> None:
    p = pit(code, "A", decks=4, device=UNREAD)
    for _ in range(2):
        p.bets(("ann", "player", 100_00))
        turned(p, "KH 9C KH 9D")
        p.finish()
    p.bets(("ann", "player", 100_00))
    for _ in range(4):
        p.draw()
    p.do(c.PassHand(Side.PLAYER, "ann"))
    p.do(c.report(Situation.LEFT_WITH_CARDS, patron="ann"))
    p.do(c.ConfirmReport(), GUS)
    p.do(c.ReserveCards(), GUS, cards=p.faces("3H 4C"))
    assert held(p) is HoldKind.SORT
    credit = p.table.credits["ann"]
    p.do(c.ExposeCard(Position.B1), cards=p.faces("KH"))
    assert p.last(i.RoundVoided).clause == f"{code} 5.1.1"
    assert waits_for_nothing(p)
    assert p.table.credits["ann"] == credit + 100_00


def turned(p: Pit, cards: str) -> None:
    """Deal four cards that no device reads, and turn them up."""
    for _ in range(4):
        p.draw()
    p.do(c.ChooseFirstHand(Side.PLAYER))
    faces = dict(zip(("P1", "B1", "P2", "B2"), cards.split(), strict=True))
    for place in ("P1", "P2", "B1", "B2"):
        p.do(c.ExposeCard(Position(place)), cards=p.faces(faces[place]))


# What interrupts


@pytest.mark.clause("BAC8 5.17.1", "FF3 5.17.1")
@both
def test_a_power_failure_during_an_option_is_asked_about_first(code: str) -> None:
    p = offered(code)
    p.do(c.KeepWagers("ann"), ANN)
    p.do(c.report(Situation.POWER_FAILURE))
    p.do(c.ConfirmReport(), SUE)
    hold = p.table.hold
    assert hold is not None
    assert (hold.clause, hold.patrons, hold.answers) == (f"{code} 5.17.1", ("ann", "bob"), {})
    p.do(c.Withdraw("ann"), ANN)
    assert p.table.credits["ann"] == CREDIT
    p.do(c.EndOption(), SUE)
    # The first option goes on: ann's answer stands, and bob is still asked.
    hold = p.table.hold
    assert hold is not None
    assert (hold.clause, dict(hold.answers)) == (f"{code} 6.1", {"ann": False})
    assert hold.stakes == (2,)
    assert p.refused(c.Withdraw("ann"), ANN).code is Code.NOTHING_TO_ANSWER
    p.do(c.Withdraw("bob"), BOB)
    p.do(c.EndOption())
    assert waits_for_nothing(p)
    assert p.table.in_play == 0


@pytest.mark.clause("BAC8 5.17.1", "FF3 5.17.1")
@both
def test_an_option_that_a_power_failure_left_nothing_of_is_over(code: str) -> None:
    p = offered(code)
    p.do(c.report(Situation.POWER_FAILURE))
    p.do(c.ConfirmReport(), SUE)
    p.do(c.Withdraw("ann"), ANN)
    p.do(c.Withdraw("bob"), BOB)
    p.do(c.EndOption())
    assert waits_for_nothing(p)
    assert p.table.in_play == 0


@pytest.mark.clause("BAC8 5.18", "FF3 5.18")
@both
def test_stakes_that_balance_by_a_withdrawal_wait_no_longer(code: str) -> None:
    p = unbalanced(code)
    p.do(c.report(Situation.POWER_FAILURE))
    p.do(c.ConfirmReport(), SUE)
    p.do(c.Withdraw("ann"), ANN)
    p.do(c.Withdraw("bob"), BOB)
    p.do(c.EndOption())
    assert p.table.hold is None
    q = unbalanced(code)
    q.do(c.report(Situation.POWER_FAILURE))
    q.do(c.ConfirmReport(), SUE)
    q.do(c.EndOption(), SUE)
    assert held(q) is HoldKind.BALANCE


# What waits its turn


@both
@each_hold
def test_every_other_report_waits_with_its_moment(kind: HoldKind, code: str) -> None:
    p = at(kind, code)
    before, moment = p.table, p.moment
    p.do(TAKEN_AWAY)
    assert p.table.hold == before.hold
    (waits,) = p.play.queue
    assert waits.report == TAKEN_AWAY
    assert (waits.by.name, waits.by.moment) == ("Dan", moment)
    assert (p.table.credits, p.table.stakes) == (before.credits, before.stakes)
    assert not any(
        isinstance(event, i.IrregularityReported) and event.report == TAKEN_AWAY
        for event in p.events
    )


@both
def test_reports_that_waited_are_ruled_in_their_order(code: str) -> None:
    p = referred(code)
    notes = ("first", "second", "third")
    for note in notes:
        p.do(c.report(Situation.OTHER, note=note))
    p.do(TAKEN_AWAY)
    for number, note in enumerate(notes):
        p.do(c.DecideReferral(c.Decision.CONTINUE, "as it was"), GUS)
        assert p.play.reported is not None
        assert p.play.reported.note == note
        assert len(p.play.queue) == len(notes) - number
        assert held(p) is HoldKind.REFERRAL
    p.do(c.DecideReferral(c.Decision.CONTINUE, "as it was"), GUS)
    told = p.last(i.IrregularityReported)
    assert (told.report, told.queued) == (TAKEN_AWAY, True)
    # Whoever reported it did, and when it was reported.
    assert told.by.name == DAN.name
    assert told.by.moment < p.moment
    assert waits_for_nothing(p)


@both
def test_a_report_that_waited_is_confirmed_like_any_other(code: str) -> None:
    p = referred(code)
    p.do(c.report(Situation.DEVICE_RESET))
    p.do(c.DecideReferral(c.Decision.CONTINUE, "as it was"), GUS)
    assert held(p) is HoldKind.REPORT
    p.do(c.ConfirmReport(), SUE)
    assert held(p) is HoldKind.WITHDRAWAL
    assert p.table.hold is not None
    assert p.table.hold.clause == f"{code} 5.9"


@both
def test_what_no_longer_is_there_to_rule_on_is_dismissed(code: str) -> None:
    p = referred(code)
    p.do(TAKEN_AWAY)
    p.do(c.DecideReferral(c.Decision.EXCLUDE, "nobody's chips", stake=1), GUS)
    gone = p.last(i.ReportDismissed)
    assert (gone.situation, gone.queued) == (Situation.LATE_REMOVAL, True)
    assert "name the stake" in gone.reason
    assert waits_for_nothing(p)
    p.deal(PLAYER_WINS)
    p.finish()


@both
def test_a_void_leaves_no_report_to_rule_on(code: str) -> None:
    p = referred(code)
    p.do(TAKEN_AWAY)
    p.do(c.DecideReferral(c.Decision.VOID, "a flood"), GUS, approver=SAM)
    assert (p.table.phase, p.play.queue) == (Phase.VOID, ())
    p.do(c.DecideReplacement(replace=False), MIA)
    p.round(PLAYER_WINS, ("ann", "player", 100_00))


@both
def test_a_report_that_could_not_be_made_is_refused_and_does_not_wait(code: str) -> None:
    p = referred(code)
    absent = c.report(Situation.LATE_REMOVAL, stake=7)
    assert p.refused(absent).code is Code.REPORT_INCOMPLETE
    assert p.refused(c.report(Situation.WRONG_ORDER)).code is Code.NOT_NOW
    assert p.play.queue == ()


# Cards drawn together twice


@pytest.mark.clause("BAC8 5.8.2.2", "FF3 5.8.2.2")
@both
@pytest.mark.parametrize("first", ["known", "unknown"])
def test_fixing_the_order_of_one_pair_never_moves_the_other(code: str, first: str) -> None:
    p = four_cards(code)
    known = first == "known"
    together(p, "7H 9C", known=known)
    if not known:
        p.do(c.SetOrder((1, 0)), MIA, approver=SAM)
    p.do(c.EndOption(), SUE)
    pair = "7H 9C" if known else "9C 7H"
    assert waiting(p) == p.faces(pair)
    numbers = p.play.waiting_numbers
    together(p, "2S 3S", known=False)
    assert waiting(p) == p.faces(f"{pair} 2S 3S")
    for wrong in ((2, 3), (3, 2), (0, 1, 2, 3), (0, 1, 3, 2), (0,), ()):
        refused = p.refused(c.SetOrder(wrong), MIA, approver=SAM)
        assert (refused.code, refused.clause) == (Code.BAD_ORDER, f"{code} 5.8.2.2")
    p.do(c.SetOrder((1, 0)), MIA, approver=SAM)
    assert waiting(p) == p.faces(f"{pair} 3S 2S")
    assert p.play.waiting_numbers[:2] == numbers
    p.do(c.EndOption(), SUE)
    p.draw()
    assert p.last(e.CardExposed).card == p.faces(pair)[0]


def together(p: Pit, cards: str, *, known: bool) -> None:
    faces = p.faces(cards)
    p.do(c.report(Situation.DRAWN_TOGETHER, order_known=known, count=2), cards=faces)
    p.do(c.ConfirmReport(), SUE)


def waiting(p: Pit) -> tuple[str, ...]:
    return tuple(card.text for card in p.play.waiting if card is not None)


# An option tells nobody a face-down card (A19)


@pytest.mark.clause("BAC8 5.8.1", "FF3 5.8.1")
@both
def test_an_option_is_the_same_whatever_lies_face_down(code: str) -> None:
    # A pair in the Player hand, or none: ann squeezes it, and cyd wagered on it.
    offers = []
    for cards in ("2C KH 2D", "2C KH 5D"):
        p = pit(code, "A")
        pair = next(slug for slug in p.wagers if slug.startswith("player-p"))
        p.bets(("ann", "player", 100_00), ("cyd", pair, 50_00), ("ann", pair, 50_00))
        for face in (*cards.split(), "4S"):
            p.draw(face)
        p.do(c.PassHand(Side.PLAYER, "ann"))
        together(p, "7H 9C", known=True)
        hold = p.table.hold
        assert hold is not None
        offers.append((hold.patrons, hold.stakes))
        # Who holds cards could choose by what nobody else knows: all or none.
        alone = p.refused(c.Withdraw("ann", (1,)), ANN)
        assert (alone.code, alone.clause) == (Code.ALL_OR_NONE, f"{code} 5.8.1")
        p.do(c.Withdraw("ann"), ANN)
        p.do(c.Withdraw("cyd", (2,)), Patron("cyd"))
        assert p.table.credits["ann"] == p.table.credits["cyd"] == CREDIT
    assert offers == [(("ann", "cyd"), (1, 3, 2))] * 2


@pytest.mark.clause("BAC8 5.8.1", "FF3 5.8.1")
@both
def test_what_lies_open_decides_what_an_option_offers(code: str) -> None:
    p = pit(code)
    pair = next(slug for slug in p.wagers if slug.startswith("player-p"))
    p.bets(("ann", "player", 100_00), ("cyd", pair, 50_00))
    for face in ("2C", "KH", "5D"):
        p.draw(face)
    together(p, "7H 9C", known=True)
    hold = p.table.hold
    assert hold is not None
    assert (hold.patrons, hold.stakes) == (("ann",), (1,))
    assert p.refused(c.Withdraw("cyd"), Patron("cyd")).code is Code.NOTHING_TO_ANSWER
