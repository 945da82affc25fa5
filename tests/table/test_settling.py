"""Settling: when a round is over, commission, stakes outside the limits, what can be void."""

from __future__ import annotations

import pytest

from croupier.money import Rounding
from croupier.rulebooks import GAMES as ALL_GAMES
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.refusals import Code
from croupier.table.roles import Patron
from croupier.table.rulings import Situation
from croupier.table.settings import Limits, Readings
from croupier.table.state import Phase
from tests.table.helpers import (
    BANKER_WINS,
    CREDIT,
    DAN,
    GAMES,
    LIMITS,
    MIA,
    PLAYER_WINS,
    SAM,
    SUE,
    SYSTEM,
    TIE,
    WITH_METHODS,
    Pit,
    pit,
    settings,
)
from tests.table.scenes import announced, dealing, dealt, gambled, settled, void

ANN, BOB = Patron("ann"), Patron("bob")
ROUND = {
    "BAC8": "BAC8 1.1.7",
    "FF3": "FF3 1.1.9",
    "PB6": "PB6 1.1.9",
    "F6T2": "F6T2 1.1.7",
    "EB4": "EB4 1.1.16",
}
"""Where each rulebook says what a round of play is."""
both = pytest.mark.parametrize("code", WITH_METHODS)


def conserved(p: Pit) -> bool:
    """Tell whether all that came to the table is still somewhere."""
    t = p.table
    return sum(t.credits.values()) + t.in_play + t.bank + t.commission == t.brought


# When a round is over


@pytest.mark.clause("BAC8 1.1.7", "FF3 1.1.9", "PB6 1.1.9", "F6T2 1.1.7")
@pytest.mark.parametrize("code", ["BAC8", "FF3", "PB6", "F6T2"])
def test_a_round_ends_when_the_dealer_confirmed_the_payment_and_not_before(code: str) -> None:
    p = gambled(code)
    nobody = p.refused(c.Settle())
    assert nobody.code is Code.WRONG_PHASE
    p.do(c.AnnounceOutcome())
    result = p.last(e.OutcomeAnnounced)
    assert (result.player, result.banker, result.winner) == (9, 5, Side.PLAYER)
    assert result.by == "Dan"
    assert p.is_at(Phase.RESULT)
    for early in (p.refused(c.CallBets()), p.refused(c.ConfirmPayment())):
        assert early.code in (Code.ROUND_IN_PROGRESS, Code.WRONG_PHASE)
    p.do(c.Settle())
    assert p.is_at(Phase.SETTLED)
    waits = p.refused(c.CallBets())
    assert (waits.code, waits.clause) == (Code.ROUND_IN_PROGRESS, ROUND[code])
    assert not any(isinstance(event, e.RoundClosed) for event in p.events)
    p.do(c.ConfirmPayment())
    assert p.last(e.PaymentConfirmed).by.name == "Dan"
    assert p.last(e.RoundClosed).round == 1
    again = p.refused(c.ConfirmPayment())
    assert again.code is Code.NO_ROUND
    p.call()
    assert p.last(e.BetsOpened).round == 2


@pytest.mark.clause("EB4 1.1.16")
@pytest.mark.parametrize(
    "game", [game.slug for game in ALL_GAMES if game.edition.code == "EB4"]
)
def test_an_electronic_round_ends_for_all_terminals_when_it_is_settled(game: str) -> None:
    p = pit("EB4", game=game)
    p.bets(("ann", "player", 100_00), ("bob", "banker", 100_00))
    p.deal(PLAYER_WINS)
    assert p.is_at(Phase.RESULT)
    assert p.refused(c.CallBets(), SYSTEM).code is Code.ROUND_IN_PROGRESS
    assert p.table.in_play == 200_00
    events = p.do(c.Settle(), SYSTEM)
    assert [type(event) for event in events] == [e.WagersSettled, e.RoundClosed]
    assert p.is_at(Phase.IDLE)
    assert p.table.in_play == 0
    p.call()


@pytest.mark.clause("BAC8 1.1.7", "FF3 1.1.9", "PB6 1.1.9", "F6T2 1.1.7", "EB4 1.1.16")
@pytest.mark.parametrize("code", GAMES)
def test_no_outcome_is_announced_while_a_card_is_to_come(code: str) -> None:
    p = dealt(code, "2C KH KD 3S")
    answer = p.refused(c.AnnounceOutcome(), p.caller)
    assert answer.code is Code.COUP_NOT_OVER


@pytest.mark.clause("BAC8 1.1.7", "FF3 1.1.9")
@both
def test_no_outcome_is_announced_while_cards_lie_face_down(code: str) -> None:
    p = dealt(code, PLAYER_WINS, method="A")
    answer = p.refused(c.AnnounceOutcome())
    assert (answer.code, answer.clause) == (Code.CARDS_FACE_DOWN, ROUND[code])
    p.do(c.ChooseFirstHand(Side.PLAYER))
    p.expose("P1", "P2", "B1")
    assert p.refused(c.AnnounceOutcome()).code is Code.CARDS_FACE_DOWN
    p.expose("B2")
    p.do(c.AnnounceOutcome())


@pytest.mark.parametrize("code", GAMES)
def test_all_wagers_are_settled_in_one_step_and_nothing_is_lost(code: str) -> None:
    p = pit(code)
    p.bets(("ann", "player", 100_00), ("bob", "banker", 100_00), ("cyd", "tie", 100_00))
    p.deal(PLAYER_WINS)
    p.finish()
    lines = {line.patron: line for line in p.play.lines or ()}
    assert {name: line.won_cents for name, line in lines.items()} == {
        "ann": 100_00,
        "bob": -100_00,
        "cyd": -100_00,
    }
    won, lost = lines["ann"], lines["bob"]
    assert (won.result, won.row, won.pays) == (
        "wins",
        p.wagers["player"].rows[-2].label,
        "1 to 1",
    )
    assert won.clause is not None
    assert won.clause.startswith(f"{code} 4.")
    assert (lost.result, lost.row, lost.pays, lost.clause) == ("loses", None, None, None)
    assert p.table.credits == {
        "ann": CREDIT + 100_00,
        "bob": CREDIT - 100_00,
        "cyd": CREDIT - 100_00,
        "dee": CREDIT,
    }
    assert p.table.bank == 100_00
    assert conserved(p)


@both
def test_each_funder_of_a_shared_wager_is_paid_for_the_own_share(code: str) -> None:
    p = pit(code, limits=LIMITS)
    p.call()
    p.bet("ann", "player", 30_00, shared=True)
    p.do(c.PlaceWager("bob", "player", 70_00, position=1, join=1), BOB)
    p.close()
    p.deal(PLAYER_WINS)
    p.finish()
    assert [(line.patron, line.won_cents) for line in p.play.lines or ()] == [
        ("ann", 30_00),
        ("bob", 70_00),
    ]


# Commission

COMMISSION = [
    ("BAC8", "baccarat", "BAC8 1.1.1"),
    ("PB6", "power-98", "PB6 1.1.1"),
    ("EB4", "tiger", "EB4 1.1.4"),
]


@pytest.mark.parametrize(
    ("code", "game"),
    [
        pytest.param(code, game, marks=pytest.mark.clause(clause))
        for code, game, clause in COMMISSION
    ],
)
def test_commission_is_kept_of_winning_banker_wagers_only(code: str, game: str) -> None:
    p = pit(code, game=game)
    for cards, won, kept in (
        (BANKER_WINS, 95_00, 5_00),
        (PLAYER_WINS, -100_00, 0),
        (TIE, 0, 0),
    ):
        p.round(cards, ("ann", "banker", 100_00), ("ann", "player", 100_00))
        banker, player = p.play.lines or ()
        assert (banker.wager, banker.won_cents, banker.commission_cents) == (
            "banker",
            won,
            kept,
        )
        assert (player.wager, player.commission_cents) == ("player", None)
    assert p.table.commission == 5_00
    assert conserved(p)


@pytest.mark.clause("PB6 1.1.1")
@pytest.mark.parametrize(
    ("cards", "die", "kept"),
    [(BANKER_WINS, 3, 0), (BANKER_WINS, 2, 5_00), ("2C KH KD 3S 3H 4C", 3, 5_00)],
)
def test_a_power_hand_that_the_banker_wins_with_a_natural_has_no_commission(
    cards: str, die: int, kept: int
) -> None:
    p = pit("PB6")
    p.round(cards, ("ann", "banker", 100_00), die=die)
    (line,) = p.play.lines or ()
    assert (line.won_cents, line.commission_cents) == (100_00 - kept, kept)
    assert p.table.commission == kept
    assert conserved(p)


@pytest.mark.clause("EB4 1.1.4", "EB4 1.1.4.1")
@pytest.mark.parametrize(
    "game",
    [game.slug for game in ALL_GAMES if game.slug not in ("baccarat", "power-98", "tiger")],
)
def test_every_other_game_has_no_commission(game: str) -> None:
    code = next(one.edition.code for one in ALL_GAMES if one.slug == game)
    p = pit(code, game=game)
    p.round(BANKER_WINS, ("ann", "banker", 100_00))
    (line,) = p.play.lines or ()
    assert (line.won_cents, line.commission_cents) == (100_00, None)
    assert p.table.commission == 0


def test_the_reading_of_a_power_tie_is_a_setting() -> None:
    for natural, won in ((False, 1000_00), (True, 800_00)):
        readings = Readings(power_ties_are_natural=natural)
        p = pit("PB6", readings=readings)
        # Both end on 8 with three cards: a tie on 8, but no natural.
        p.round("2C 3H KD KS 6H 5C", ("ann", "tie", 100_00), die=3)
        assert p.play.outcome == (8, 8, None)
        assert [line.won_cents for line in p.play.lines or ()] == [won]


def test_a_rounding_that_is_set_is_applied() -> None:
    cents = {"*": Limits(1, 1000_00, 1)}
    for rounding, won in ((Rounding.DOWN, 9), (Rounding.UP, 10)):
        p = pit("BAC8", limits=cents, rounding=rounding)
        p.round(BANKER_WINS, ("ann", "banker", 10))
        (line,) = p.play.lines or ()
        assert (line.pays, line.won_cents) == ("0.95 to 1", won)
        assert conserved(p)


# Stakes outside the limits


def found(p: Pit, wager: str, cents: int, cards: str) -> e.PayLine:
    """Let a stake of ann be found after the closing, and settle it with the round."""
    p.bets()
    p.do(c.FindStake("ann", wager, cents, reason="under a card"))
    p.deal(cards)
    p.finish()
    assert conserved(p)
    (line,) = p.play.lines or ()
    return line


@pytest.mark.clause("BAC8 5.14", "FF3 5.14")
@both
@pytest.mark.parametrize(("cards", "won"), [(PLAYER_WINS, 30_00), (BANKER_WINS, -30_00)])
def test_a_stake_under_the_minimum_is_settled_once_and_then_returned(
    code: str, cards: str, won: int
) -> None:
    p = pit(code, limits=LIMITS)
    first = found(p, "player", 30_00, cards)
    assert (first.won_cents, first.settled_cents) == (won, 30_00)
    assert (first.breach, first.breach_clause) == ("under_minimum", f"{code} 5.14")
    for later in (PLAYER_WINS, BANKER_WINS):
        line = found(p, "player", 30_00, later)
        assert (line.won_cents, line.settled_cents, line.paid_cents) == (0, 0, 30_00)
        assert (line.breach, line.breach_clause) == ("under_minimum_again", f"{code} 5.14")
    assert p.table.credits["ann"] == CREDIT + won


@pytest.mark.clause("BAC8 5.14", "FF3 5.14")
@both
def test_the_memory_is_of_one_patron_and_lasts_until_the_table_closes(code: str) -> None:
    p = pit(code, limits=LIMITS)
    found(p, "player", 30_00, PLAYER_WINS)
    p.bets()
    p.do(c.FindStake("bob", "banker", 30_00))
    p.deal(PLAYER_WINS)
    p.finish()
    assert [line.breach for line in p.play.lines or ()] == ["under_minimum"]
    assert p.table.under_minimum == {"ann", "bob"}
    for patron in ("ann", "bob", "cyd", "dee"):
        p.do(c.LeaveSeat(patron))
    p.do(c.CloseTable(), MIA)
    p.do(c.OpenTable(settings(code, limits=LIMITS)), MIA)
    p.do(c.LoadShoe("second"))
    p.do(c.TakeSeat("ann", 1))
    p.do(c.BringCredit("ann", CREDIT))
    assert found(p, "player", 30_00, PLAYER_WINS).won_cents == 30_00


@pytest.mark.clause("BAC8 5.14", "FF3 5.14")
@both
def test_a_stake_within_the_limits_is_no_breach_for_who_had_one(code: str) -> None:
    p = pit(code, limits=LIMITS)
    found(p, "player", 30_00, PLAYER_WINS)
    p.round(PLAYER_WINS, ("ann", "player", 50_00))
    (line,) = p.play.lines or ()
    assert (line.won_cents, line.breach) == (50_00, None)


@pytest.mark.clause("BAC8 5.15", "FF3 5.15")
@both
@pytest.mark.parametrize(("cards", "won"), [(PLAYER_WINS, 1000_00), (BANKER_WINS, -1000_00)])
def test_a_stake_over_the_maximum_is_settled_to_the_maximum(
    code: str, cards: str, won: int
) -> None:
    p = pit(code, limits=LIMITS)
    line = found(p, "player", 1500_00, cards)
    assert (line.cents, line.settled_cents, line.won_cents) == (1500_00, 1000_00, won)
    assert (line.breach, line.breach_clause) == ("over_maximum", f"{code} 5.15")
    assert p.table.credits["ann"] == CREDIT + won


@pytest.mark.clause("BAC8 5.15", "FF3 5.15")
@both
def test_the_maximum_is_of_the_stake_and_not_of_the_payment(code: str) -> None:
    p = pit(code, limits=LIMITS)
    line = found(p, "tie", 1500_00, TIE)
    assert line.won_cents == 8 * 1000_00


@pytest.mark.clause("BAC8 5.15", "FF3 5.15")
@both
def test_what_is_found_on_an_own_stake_counts_with_it(code: str) -> None:
    p = pit(code, limits=LIMITS)
    p.bets(("ann", "player", 900_00))
    p.do(c.FindStake("ann", "player", 600_00))
    p.deal(PLAYER_WINS)
    p.finish()
    (line,) = p.play.lines or ()
    assert (line.cents, line.settled_cents, line.won_cents) == (1500_00, 1000_00, 1000_00)


@pytest.mark.clause("BAC8 5.4", "FF3 5.4")
@both
def test_a_stake_found_within_the_limits_is_a_late_one_and_not_honoured(code: str) -> None:
    p = pit(code, limits=LIMITS)
    p.bets()
    answer = p.refused(c.FindStake("ann", "player", 50_00))
    assert (answer.code, answer.clause) == (Code.WITHIN_LIMITS, f"{code} 5.4")
    assert p.refused(c.FindStake("ann", "player", 0)).code is Code.BAD_AMOUNT
    # Steps are for placing: what lies there may be any amount (A25).
    assert isinstance(p.try_(c.FindStake("ann", "player", 34)), tuple)
    assert p.refused(c.FindStake("ann", "player", 50_01)).code is Code.WITHIN_LIMITS
    assert p.refused(c.FindStake("zed", "player", 30_00)).code is Code.NOT_AT_TABLE
    far = c.FindStake("ann", "player", 30_00, position=8)
    assert p.refused(far).code is Code.UNKNOWN_POSITION
    assert p.refused(c.FindStake("ann", "tiger", 30_00)).code is Code.WAGER_NOT_OFFERED
    more = c.FindStake("ann", "player", CREDIT + 1_00)
    assert p.refused(more).code is Code.NOT_ENOUGH_CREDIT


@pytest.mark.clause("BAC8 5.16", "FF3 5.16")
@both
def test_breaches_of_earlier_rounds_are_considered_settled(code: str) -> None:
    p = pit(code, limits=LIMITS)
    p.round(PLAYER_WINS, ("ann", "player", 500_00))
    before = (dict(p.table.credits), p.table.bank, p.table.results)
    late = c.FindStake("ann", "player", 1500_00)
    stands = p.refused(late, SUE, approver=SAM)
    assert (stands.code, stands.clause) == (Code.NO_ROUND, f"{code} 5.16")
    p.call()
    assert p.refused(late).code is Code.WRONG_PHASE
    p.do(c.SetLimits({"*": Limits(50_00, 100_00)}), MIA, approver=SAM)
    p.close()
    p.deal(BANKER_WINS)
    p.finish()
    assert (dict(p.table.credits), p.table.bank) == before[:2]
    assert p.table.results[:1] == before[2]


@pytest.mark.parametrize("code", ["PB6", "F6T2", "EB4"])
def test_without_such_clauses_no_stake_outside_the_limits_is_taken(code: str) -> None:
    p = pit(code, limits=LIMITS)
    p.bets()
    assert p.refused(c.FindStake("ann", "player", 30_00)).code is Code.NOT_IN_RULEBOOK
    assert p.table.stakes == ()


# What can still be void


@pytest.mark.clause("PB6 1.1.9", "F6T2 1.1.7")
@pytest.mark.parametrize("code", ["PB6", "F6T2"])
def test_a_paid_round_can_be_void_until_the_next_call(code: str) -> None:
    p = pit(code)
    p.round(PLAYER_WINS, ("ann", "player", 100_00), ("bob", "banker", 50_00))
    p.do(c.report(Situation.WRONG_NUMBER, note="a card too many"))
    p.do(c.ConfirmReport(), SUE, approver=SAM)
    voided = p.last(i.RoundVoided)
    assert voided.clause == f"{code} 5.2"
    assert set(p.table.credits.values()) == {CREDIT}
    assert (p.table.bank, p.table.in_play) == (0, 0)
    assert [result.void for result in p.table.results] == [True]
    p.round(PLAYER_WINS, ("ann", "player", 100_00))
    p.call()
    late = p.refused(c.report(Situation.WRONG_NUMBER))
    assert late.code is Code.NOT_NOW
    assert p.table.credits["ann"] == CREDIT + 100_00


@pytest.mark.clause("PB6 5.2", "F6T2 5.2")
@pytest.mark.parametrize("code", ["PB6", "F6T2"])
def test_winnings_that_a_void_could_take_back_stay_until_the_next_call(code: str) -> None:
    p = pit(code)
    p.round(PLAYER_WINS, ("ann", "player", 100_00), ("bob", "banker", 50_00))
    # All that the list credited stays, the stake too (A48).
    assert p.table.reserved("ann") == 200_00
    answer = p.refused(c.TakeCredit("ann", CREDIT - 100_00 + 1), ANN)
    assert (answer.code, answer.clause) == (Code.RESERVED, f"{code} 5.2")
    assert "200.00 of patron ann" in answer.sentence
    assert "free from the next call for bets on" in answer.sentence
    gone = p.refused(c.LeaveSeat("ann"), ANN)
    assert (gone.code, gone.clause) == (Code.RESERVED, f"{code} 5.2")
    p.do(c.TakeCredit("ann", CREDIT - 100_00), ANN)
    # A void could take nothing back from whoever lost, or was not in the round.
    for patron in ("bob", "dee"):
        p.do(c.LeaveSeat(patron), Patron(patron))
    assert p.last(e.CreditTaken) == e.CreditTaken("dee", CREDIT, to_wallet=True)
    p.call()
    p.do(c.TakeCredit("ann", 200_00), ANN)
    assert p.table.credits["ann"] == 0
    assert conserved(p)


@pytest.mark.clause("PB6 5.2", "F6T2 5.2")
@pytest.mark.parametrize("code", ["PB6", "F6T2"])
def test_a_void_returns_the_stake_of_a_patron_who_left(code: str) -> None:
    p = pit(code)
    p.bets(("ann", "player", 100_00), ("bob", "banker", 50_00))
    p.deal(PLAYER_WINS)
    p.settle()
    # Before the payment the cards could still be put in another order, and bob could win.
    assert p.refused(c.LeaveSeat("bob"), BOB).code is Code.RESERVED
    p.do(c.ConfirmPayment())
    p.do(c.LeaveSeat("bob"), BOB)
    p.do(c.report(Situation.WRONG_NUMBER))
    p.do(c.ConfirmReport(), SUE, approver=SAM)
    assert (p.table.credits["ann"], p.table.credits["bob"]) == (CREDIT, 50_00)
    assert (p.table.bank, p.table.in_play) == (0, 0)
    assert conserved(p)
    assert p.refused(c.TakeCredit("bob", 50_01), BOB).code is Code.NOT_ENOUGH_CREDIT
    p.do(c.TakeCredit("bob", 50_00), BOB)
    assert p.table.brought == 3 * CREDIT
    # Or it waits until bob comes back.
    p.do(c.TakeSeat("bob", 2), BOB)
    assert p.table.credits["bob"] == 0
    assert conserved(p)


@pytest.mark.clause("BAC8 1.1.7", "FF3 1.1.9")
@both
def test_elsewhere_winnings_are_free_when_the_round_is_over(code: str) -> None:
    p = settled(code)
    # Stake and winnings: until the payment a new pay list could take both back (A22).
    assert p.table.reserved("ann") == 600_00
    answer = p.refused(c.TakeCredit("ann", CREDIT - 300_00 + 1), ANN)
    assert (answer.code, answer.clause) == (Code.RESERVED, ROUND[code])
    assert "free when its payment is confirmed" in answer.sentence
    assert isinstance(p.try_(c.TakeCredit("ann", CREDIT - 300_00), ANN), tuple)
    for patron in ("ann", "bob"):
        assert p.refused(c.LeaveSeat(patron), Patron(patron)).code is Code.RESERVED
    p.do(c.ConfirmPayment())
    p.do(c.TakeCredit("ann", CREDIT + 300_00), ANN)
    assert p.refused(c.report(Situation.FOREIGN_CARD)).code is Code.NO_ROUND


@pytest.mark.clause("BAC8 5.12.2", "FF3 5.12.2")
@both
def test_cards_that_must_be_replaced_are_not_played_with_again(code: str) -> None:
    p = dealing(code, "C")
    p.do(c.report(Situation.ALTERED_IN_MOVEMENT))
    p.do(c.ConfirmReport(), SUE, approver=SAM)
    for command in (c.CallBets(), c.LoadShoe("first")):
        answer = p.refused(command)
        assert (answer.code, answer.clause) == (Code.CARDS_MUST_BE_REPLACED, f"{code} 5.12.2")
    keep = p.refused(c.DecideReplacement(replace=False), MIA)
    assert (keep.code, keep.clause) == (Code.MUST_REPLACE, f"{code} 5.12.2")
    p.do(c.LoadShoe("second"))
    p.call()


@pytest.mark.clause("BAC8 5.13", "FF3 5.13")
@both
@pytest.mark.parametrize("replaced", [True, False])
def test_after_a_void_it_is_decided_first_whether_the_cards_are_replaced(
    code: str, *, replaced: bool
) -> None:
    p = void(code)
    for command in (c.CallBets(), c.EndShoe(), c.LoadShoe("second")):
        answer = p.refused(command)
        assert (answer.code, answer.clause) == (Code.REPLACEMENT_UNDECIDED, f"{code} 5.13")
    p.do(c.DecideReplacement(replace=replaced, reason="worn"), MIA)
    if replaced:
        assert p.refused(c.CallBets()).code is Code.NO_SHOE
        p.do(c.LoadShoe("second"))
    p.call()


# Displays


@pytest.mark.clause("BAC8 6.3", "FF3 6.3", "EB4 6.3")
@pytest.mark.parametrize("code", ["BAC8", "FF3", "EB4"])
def test_a_wrong_display_is_recorded_and_the_cards_are_settled(code: str) -> None:
    p = announced(code)
    right = p.refused(c.CorrectDisplay("player"))
    assert (right.code, right.clause) == (Code.NOT_NOW, f"{code} 6.3")
    p.do(c.CorrectDisplay("banker", "the board was slow"))
    shown = p.last(i.DisplayCorrected)
    assert (shown.shown, shown.actual, shown.clause) == ("banker", "player", f"{code} 6.3")
    p.finish()
    assert {line.patron: line.result for line in p.play.lines or ()} == {
        "ann": "wins",
        "bob": "loses",
    }
    credit = dict(p.table.credits)
    p.do(c.CorrectDisplay("tie"), DAN)
    assert p.table.credits == credit


@pytest.mark.parametrize("code", GAMES)
def test_before_the_first_outcome_no_display_is_wrong(code: str) -> None:
    assert pit(code).refused(c.CorrectDisplay("banker")).code is Code.NO_ROUND


@pytest.mark.clause("BAC8 6.3", "FF3 6.3", "EB4 6.3")
@pytest.mark.parametrize("code", ["BAC8", "FF3", "EB4"])
def test_a_report_of_a_wrong_display_changes_nothing(code: str) -> None:
    p = announced(code)
    before = p.table.round
    p.do(c.report(Situation.DISPLAY_WRONG))
    assert p.last(i.StepTaken).clause == f"{code} 6.3"
    assert p.table.hold is None
    assert before is not None
    assert (p.play.outcome, p.play.stakes) == (before.outcome, before.stakes)
