"""What the Gaming Shift Manager may decide (6.1), and what it would do before it is given."""

from __future__ import annotations

import pytest

from croupier.rules.coup import Position
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.preview import Effect, Preview, preview
from croupier.table.referral import decisions
from croupier.table.refusals import Code, Refusal
from croupier.table.roles import Patron, Staff
from croupier.table.rulings import Situation
from croupier.table.settings import Device, Readings
from croupier.table.state import HoldKind, Phase
from croupier.table.views import Audience, merge, view
from tests.table.helpers import (
    BANKER_WINS,
    CREDIT,
    DAN,
    DEALER,
    GUS,
    PLAYER_WINS,
    SAM,
    SUE,
    WITH_METHODS,
    Pit,
    pit,
)
from tests.table.scenes import closed, dealt, referred, settled

ANN, BOB = Patron("ann"), Patron("bob")
P1, B1, P2, B2, *_ = Position
D = c.Decision
WITHOUT_EXCEPTION = ("PB6", "F6T2")
both = pytest.mark.parametrize("code", WITH_METHODS)
by_the_book = pytest.mark.parametrize("code", [*WITH_METHODS, "EB4"])


def refer(p: Pit) -> Pit:
    p.do(c.report(Situation.OTHER))
    return p


def decide(decision: c.Decision, **what: object) -> c.DecideReferral:
    return c.DecideReferral(decision, "seen by all", **what)  # type: ignore[arg-type]


def shown(p: Pit, command: c.Command) -> Preview:
    """Return what a command would do, as shown to somebody who may not give it."""
    answer = preview(p.table, c.Envelope(command, DAN, p.moment), Audience.PIT)
    assert isinstance(answer, Preview), answer
    return answer


def moved(p: Pit, command: c.Command) -> dict[str, tuple[int, int]]:
    return {
        one.patron: (one.credit_cents, one.in_play_cents) for one in shown(p, command).effects
    }


# What may be decided, and where


@pytest.mark.clause("BAC8 6.1", "FF3 6.1")
@both
def test_what_is_left_open_follows_the_round(code: str) -> None:
    early = (D.CONTINUE, D.VOID, D.OFFER_WITHDRAWAL, D.RESET, D.EXCLUDE)
    p = referred(code)
    assert decisions(p.table) == early
    p = refer(dealt(code))
    assert set(decisions(p.table)) == {*early, D.RECONSTRUCT}
    p = refer(settled(code))
    assert decisions(p.table) == (D.CONTINUE, D.VOID, D.RECONSTRUCT, D.EXCLUDE, D.CORRECT)
    for decision in set(D) - set(decisions(p.table)):
        refused = p.refused(decide(decision, stake=1), GUS, approver=SAM)
        assert (refused.code, refused.clause) == (Code.NOT_NOW, f"{code} 6.1")
    nothing = pit(code)
    nothing.bets()
    assert D.EXCLUDE not in decisions(refer(nothing).table)
    # Bets are open: there is no closing that a reset would call again.
    opened = pit(code)
    opened.call()
    assert D.RESET not in decisions(refer(opened).table)


@both
def test_a_device_that_is_not_electronic_is_not_reset(code: str) -> None:
    p = referred(code, device=Device(electronic=False))
    assert D.RESET not in decisions(p.table)
    assert p.refused(decide(D.RESET), GUS).code is Code.NOT_NOW


@pytest.mark.clause("PB6 5.7", "F6T2 5.7")
@pytest.mark.parametrize("code", WITHOUT_EXCEPTION)
def test_without_an_exception_nothing_lets_a_wager_out(code: str) -> None:
    # At every point: before a card, with cards, settled, paid.
    p = referred(code)
    assert decisions(p.table) == (D.CONTINUE, D.VOID)
    for cards in (dealt(code), settled(code)):
        q = refer(cards)
        assert decisions(q.table) == (D.CONTINUE, D.VOID, D.RECONSTRUCT)
    for table in (p, q):
        for decision in (D.OFFER_WITHDRAWAL, D.RESET, D.EXCLUDE):
            refused = table.refused(decide(decision, stake=1), GUS, approver=SAM)
            assert (refused.code, refused.clause) == (Code.NOT_IN_RULEBOOK, f"{code} 5.7")
    hold = p.table.hold
    assert hold is not None
    assert "withdraw" not in (hold.suggestion or "")
    power = closed(code)
    power.do(c.report(Situation.POWER_FAILURE))
    assert power.table.hold is not None
    assert "withdraw" not in (power.table.hold.suggestion or "")


@by_the_book
@pytest.mark.parametrize("decision", D)
def test_every_decision_needs_a_reason(code: str, decision: c.Decision) -> None:
    p = referred(code)
    silent = c.DecideReferral(decision, "  ", stake=1, won_cents=0)
    assert p.refused(silent, GUS, approver=SAM).code is Code.REASON_NEEDED


# What each does


@by_the_book
def test_a_stake_that_is_excluded_is_returned_and_the_others_are_settled(code: str) -> None:
    p = referred(code)
    assert p.refused(decide(D.EXCLUDE), GUS).code is Code.UNKNOWN_STAKE
    assert p.refused(decide(D.EXCLUDE, stake=3), GUS).code is Code.UNKNOWN_STAKE
    exclude = decide(D.EXCLUDE, stake=1)
    assert moved(p, exclude) == {"ann": (300_00, -300_00)}
    p.do(exclude, GUS)
    returned = p.last(e.WagerReturned)
    assert (returned.stake, returned.clause) == (1, f"{code} 6.1")
    assert (p.table.credits["ann"], p.table.in_play) == (CREDIT, 200_00)
    p.deal(PLAYER_WINS)
    p.finish()
    assert [line.patron for line in p.play.lines or ()] == ["bob"]
    assert (p.table.credits["ann"], p.table.bank) == (CREDIT, 200_00)


@both
def test_after_a_card_is_known_a_stake_is_excluded_with_a_second_person(code: str) -> None:
    p = refer(dealt(code))
    exclude = decide(D.EXCLUDE, stake=1)
    assert p.refused(exclude, GUS).code is Code.NEEDS_APPROVAL
    p.do(exclude, GUS, approver=SAM)
    assert p.last(i.ReferralDecided).by.approved_by == "Sam"
    # The rest of a settled list is settled again without it.
    q = refer(settled(code))
    assert moved(q, exclude) == {"ann": (-300_00, 0), "bob": (0, 200_00)}
    q.do(exclude, GUS, approver=SAM)
    assert (q.table.credits["ann"], q.table.credits["bob"]) == (CREDIT, CREDIT - 200_00)
    assert (q.table.bank, q.table.in_play) == (0, 200_00)
    q.finish()
    assert q.table.credits["ann"] == CREDIT
    assert q.table.bank == 200_00


@both
def test_a_shared_stake_that_is_excluded_goes_back_to_all_its_owners(code: str) -> None:
    p = pit(code)
    p.call()
    p.bet("ann", "player", 100_00, shared=True)
    p.do(c.PlaceWager("bob", "player", 50_00, join=1), BOB)
    p.close()
    refer(p)
    exclude = decide(D.EXCLUDE, stake=1)
    assert moved(p, exclude) == {"ann": (100_00, -100_00), "bob": (50_00, -50_00)}
    p.do(exclude, GUS)
    assert set(p.table.credits.values()) == {CREDIT}
    assert p.table.in_play == 0


# Player wins: ann has 300.00 on it, and bob 200.00 against it.
CORRECTIONS = [
    (1, 0, "pushes"),
    (1, 150_01, "wins"),
    (1, -300_00, "loses"),
    (1, -1, "loses"),
    (2, 0, "pushes"),
    (2, 190_00, "wins"),
]


@both
@pytest.mark.parametrize(("stake", "won", "result"), CORRECTIONS)
def test_a_line_of_the_pay_list_is_put_right_to_the_cent(
    code: str, stake: int, won: int, result: str
) -> None:
    p = refer(settled(code))
    patron, was = ("ann", 300_00) if stake == 1 else ("bob", -200_00)
    bank = p.table.bank
    assert bank == -100_00
    correct = decide(D.CORRECT, stake=stake, won_cents=won)
    before = shown(p, correct)
    assert before.effects == (Effect(patron, won - was, 0),)
    assert before.bank_cents == was - won
    alone = p.refused(correct, GUS)
    assert (alone.code, alone.clause) == (Code.NEEDS_APPROVAL, None)
    p.do(correct, GUS, approver=SAM)
    assert p.table.credits[patron] == CREDIT + won
    assert p.table.bank == bank + was - won
    assert p.table.phase is Phase.SETTLED
    line = next(one for one in p.play.lines or () if one.stake == stake)
    assert (line.won_cents, line.result) == (won, result)
    assert (line.breach, line.corrected) == (None, f"{code} 6.1")
    # The old list is taken back whole, and kept; all other lines are as they were.
    assert len(p.play.corrected) == 2
    assert [one for one in p.play.lines or () if one.stake != stake] == [
        one for one in p.play.corrected if one.stake != stake
    ]
    p.do(c.ConfirmPayment())
    assert p.table.credits[patron] == CREDIT + won


def test_the_commission_of_a_corrected_line_is_the_banks() -> None:
    p = pit("BAC8")
    p.bets(("bob", "banker", 60_00))
    p.deal(BANKER_WINS)
    p.settle()
    assert (p.table.bank, p.table.commission) == (-60_00, 3_00)
    refer(p)
    correct = decide(D.CORRECT, stake=1, won_cents=60_00)
    would = shown(p, correct)
    assert (would.bank_cents, would.commission_cents) == (0, -3_00)
    p.do(correct, GUS, approver=SAM)
    assert (p.table.bank, p.table.commission) == (-60_00, 0)
    assert p.table.credits["bob"] == CREDIT + 60_00


@both
def test_what_cannot_be_corrected_so_is_refused(code: str) -> None:
    p = refer(settled(code))
    cases = (
        (decide(D.CORRECT, won_cents=0), Code.UNKNOWN_STAKE),
        (decide(D.CORRECT, stake=9, won_cents=0), Code.UNKNOWN_STAKE),
        (decide(D.CORRECT, stake=1), Code.BAD_AMOUNT),
        (decide(D.CORRECT, stake=1, won_cents=-300_01), Code.BAD_AMOUNT),
        (decide(D.CORRECT, stake=1, won_cents=10**12 + 1), Code.BAD_AMOUNT),
        (decide(D.CORRECT, stake=1, patron="bob", won_cents=0), Code.UNKNOWN_STAKE),
        (decide(D.CORRECT, stake=1, won_cents=300_00), Code.NOT_NOW),
    )
    for command, code_ in cases:
        refused = p.refused(command, GUS, approver=SAM)
        assert (refused.code, refused.clause) == (code_, f"{code} 6.1")


@both
def test_of_a_shared_stake_it_is_said_whose_line_is_corrected(code: str) -> None:
    p = pit(code)
    p.call()
    p.bet("ann", "player", 100_00, shared=True)
    p.do(c.PlaceWager("bob", "player", 50_00, join=1), BOB)
    p.close()
    p.deal(PLAYER_WINS)
    p.settle()
    refer(p)
    whose = p.refused(decide(D.CORRECT, stake=1, won_cents=0), GUS, approver=SAM)
    assert whose.code is Code.UNKNOWN_STAKE
    assert "ann or bob" in whose.sentence
    p.do(decide(D.CORRECT, stake=1, patron="bob", won_cents=0), GUS, approver=SAM)
    assert (p.table.credits["ann"], p.table.credits["bob"]) == (CREDIT + 100_00, CREDIT)


@pytest.mark.clause("BAC8 5.9", "FF3 5.9")
@both
def test_reset_and_wager_again_begins_the_round_again(code: str) -> None:
    p = refer(dealt(code, "9C 2H KD"))
    reset = decide(D.RESET)
    assert moved(p, reset) == {}
    p.do(reset, GUS)
    assert p.table.hold is not None
    assert (p.table.hold.patrons, p.table.hold.stakes) == (("ann", "bob"), (1, 2))
    p.do(c.Withdraw("bob"), BOB)
    p.do(c.EndOption(), SUE)
    assert p.table.hold is not None
    assert p.table.hold.kind is HoldKind.RESET
    p.do(c.ResetDevice(), SUE, approver=SAM)
    aside = p.last(i.DeviceReset)
    assert (aside.cards, aside.faces) == (3, p.faces("9C 2H KD"))
    assert (p.table.phase, p.play.cards, p.table.exposed) == (Phase.OPEN, (), {})
    p.bet("bob", "tie", 50_00)
    p.close()
    p.deal(PLAYER_WINS)
    p.finish()
    assert (p.table.credits["ann"], p.table.credits["bob"]) == (CREDIT + 300_00, CREDIT - 50_00)


@pytest.mark.clause("BAC8 5.9", "FF3 5.9")
@both
@pytest.mark.parametrize("refers", [False, True], ids=["reset", "referred"])
def test_a_reset_with_a_card_open_is_as_the_operator_set_it(
    code: str,
    refers: bool,  # noqa: FBT001
) -> None:
    readings = Readings(reset_refers_with_open_cards=refers)
    p = dealt(code, "9C", readings=readings)
    p.do(c.report(Situation.DEVICE_RESET))
    assert p.table.hold is not None
    wanted = HoldKind.REFERRAL if refers else HoldKind.REPORT
    assert (p.table.hold.kind, p.table.hold.clause) == (
        wanted,
        f"{code} 6.1" if refers else f"{code} 5.9",
    )
    # Face down it is never referred, and with the last card open it never resets.
    down = closed(code, "A", readings=readings)
    down.draw("9C")
    down.do(c.report(Situation.DEVICE_RESET))
    assert down.table.hold is not None
    assert down.table.hold.kind is HoldKind.REPORT
    over = closed(code, readings=readings)
    over.deal(PLAYER_WINS)
    stands = over.refused(c.report(Situation.DEVICE_RESET))
    assert (stands.code, stands.clause) == (Code.NOT_NOW, f"{code} 5.9")
    over.finish()
    assert over.table.credits["ann"] == CREDIT + 300_00


# Preview


@by_the_book
def test_a_preview_is_decided_and_not_recorded(code: str) -> None:
    p = referred(code)
    table, number = p.table, len(p.events)
    void = decide(D.VOID)
    would = shown(p, void)
    assert (p.table, len(p.events)) == (table, number)
    assert would.effects == (
        Effect("ann", 300_00, -300_00),
        Effect("bob", 200_00, -200_00),
    )
    assert (would.bank_cents, would.commission_cents) == (0, 0)
    assert would.change is not None
    assert "round_voided" in {one.name for one in would.change.events}
    # Whoever is shown it may not give it for that.
    assert p.refused(void, DAN).code is Code.NEEDS_GAMING_SHIFT_MANAGER
    before = view(p.table, Audience.PIT)
    p.do(void, GUS, approver=SAM)
    assert merge(before, would.change.view) == view(p.table, Audience.PIT)


@both
def test_a_preview_of_what_cannot_be_decided_is_a_refusal(code: str) -> None:
    p = referred(code)
    for command in (decide(D.CORRECT, stake=1, won_cents=0), c.DecideReferral(D.VOID, "")):
        envelope = c.Envelope(command, Staff("Gus", DEALER), p.moment)
        answer = preview(p.table, envelope, Audience.DEALER)
        assert isinstance(answer, Refusal)
        assert answer == p.refused(command, GUS, approver=SAM)


@both
def test_a_preview_shows_what_a_settlement_and_its_reversal_move(code: str) -> None:
    p = closed(code)
    p.deal(BANKER_WINS)
    p.do(c.AnnounceOutcome())
    kept = 10_00 if code == "BAC8" else 0
    would = shown(p, c.Settle())
    assert {one.patron: one.credit_cents for one in would.effects} == {
        "bob": 400_00 - kept,
        "ann": 0,
    }
    assert {one.patron: one.in_play_cents for one in would.effects} == {
        "bob": -200_00,
        "ann": -300_00,
    }
    assert (would.bank_cents, would.commission_cents) == (300_00 - 200_00, kept)
    p.do(c.Settle())
    envelope = c.Envelope(c.CorrectCard(P2, "misread"), DAN, p.moment, None, p.faces("7D"))
    back = preview(p.table, envelope, Audience.AUDITOR)
    assert isinstance(back, Preview)
    assert would.bank_cents is not None
    assert (back.bank_cents, back.commission_cents) == (-would.bank_cents, -kept)
    assert {one.patron: one.credit_cents for one in back.effects} == {
        "ann": 0,
        "bob": -(400_00 - kept),
    }
