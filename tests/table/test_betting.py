"""Betting: the calls, the areas, limits, shared wagers, proxies and the table differential."""

from __future__ import annotations

from datetime import timedelta

import pytest

from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.refusals import Code
from croupier.table.roles import Patron, Staff
from croupier.table.settings import Limits
from croupier.table.state import HoldKind, Phase
from tests.table.helpers import (
    CREDIT,
    DAN,
    GAMES,
    LIMITS,
    MIA,
    PLAYER_WINS,
    SAM,
    SUE,
    SYSTEM,
    WITH_METHODS,
    Pit,
    pit,
)
from tests.table.scenes import closed, staked

ANN, BOB, CYD = Patron("ann"), Patron("bob"), Patron("cyd")
LATE = {
    "BAC8": ("BAC8 5.4", "BAC8 5.5"),
    "FF3": ("FF3 5.4", "FF3 5.5"),
    "PB6": ("PB6 5.6", "PB6 5.7"),
    "F6T2": ("F6T2 5.6", "F6T2 5.7"),
    "EB4": ("EB4 5.5", "EB4 5.4"),
}
"""The clauses on wagers that come, or go, after the closing."""


# The calls


@pytest.mark.clause("BAC8 3.1", "FF3 3.1", "PB6 3.1", "F6T2 3.1", "EB4 3.1")
@pytest.mark.parametrize("code", GAMES)
def test_wagers_are_taken_from_the_call_for_bets_on(code: str) -> None:
    p = pit(code)
    wager = c.PlaceWager("ann", "player", 100_00)
    answer = p.refused(wager, ANN)
    assert (answer.code, answer.clause) == (Code.BETS_NOT_OPEN, f"{code} 3.1")
    p.call()
    assert p.table.phase is Phase.OPEN
    p.do(wager, ANN)
    assert p.play.stakes[1].cents == 100_00
    assert p.table.credits["ann"] == CREDIT - 100_00


@pytest.mark.clause("BAC8 3.2", "FF3 3.2", "PB6 3.2", "F6T2 3.2", "EB4 3.2")
@pytest.mark.clause("BAC8 5.4", "BAC8 5.5", "FF3 5.4", "FF3 5.5", "PB6 5.6", "PB6 5.7")
@pytest.mark.clause("F6T2 5.6", "F6T2 5.7", "EB4 5.4", "EB4 5.5")
@pytest.mark.parametrize("code", GAMES)
def test_after_the_closing_no_wager_is_placed_raised_lowered_or_removed(code: str) -> None:
    p = closed(code)
    assert p.play.closed == p.last(e.BetsClosed).moment
    p.moment = p.last(e.BetsClosed).moment + timedelta(milliseconds=1)
    increase, removal = LATE[code]
    for command, clause in (
        (c.PlaceWager("ann", "tie", 50_00), increase),
        (c.RaiseWager("ann", 1, 50_00), increase),
        (c.LowerWager("ann", 1, 50_00), removal),
        (c.RemoveWager("ann", 1), removal),
    ):
        answer = p.refused(command, ANN)
        assert (answer.code, answer.clause) == (Code.BETS_CLOSED, clause)


@pytest.mark.clause("BAC8 3.1", "FF3 3.1", "PB6 3.1", "F6T2 3.1", "EB4 3.1")
@pytest.mark.parametrize("code", GAMES)
def test_a_round_is_called_once(code: str) -> None:
    p = pit(code)
    p.call()
    assert p.refused(c.CallBets(), p.caller).code is Code.ROUND_IN_PROGRESS
    p.close()
    assert p.refused(c.CallBets(), p.caller).code is Code.ROUND_IN_PROGRESS
    assert p.refused(c.CloseBets(), p.caller).code is Code.WRONG_PHASE


@pytest.mark.clause("EB4 3.2")
def test_when_each_terminal_showed_the_closing_is_recorded() -> None:
    p = closed("EB4")
    first = p.moment
    p.do(c.AcknowledgeClosing(1), SYSTEM)
    p.do(c.AcknowledgeClosing(2), SYSTEM)
    shown = [event for event in p.events if isinstance(event, e.ClosingAcknowledged)]
    assert [(event.position, event.moment) for event in shown] == [
        (1, first),
        (2, first + timedelta(seconds=1)),
    ]
    assert p.play.terminals_closed == (1, 2)


# Areas

AREAS = [
    ("BAC8", "2.2.1", "player"),
    ("BAC8", "2.2.2", "banker"),
    ("BAC8", "2.2.3", "tie"),
    ("BAC8", "2.2.4", "player-pair banker-pair"),
    ("FF3", "2.2.1", "player"),
    ("FF3", "2.2.2", "banker"),
    ("FF3", "2.2.3", "tie"),
    ("FF3", "2.2.4", "player-precious-pair banker-precious-pair"),
    ("FF3", "2.2.5", "player-fabulous-4 banker-fabulous-4"),
    ("PB6", "2.2.1", "banker"),
    ("PB6", "2.2.2", "player"),
    ("PB6", "2.2.3", "tie"),
    ("PB6", "2.2.4", "player-pair banker-pair"),
    ("PB6", "2.2.5", "banker-natural-8"),
    ("PB6", "2.2.6", "banker-natural-9"),
    ("PB6", "2.2.7", "player-natural-8"),
    ("PB6", "2.2.8", "player-natural-9"),
    ("F6T2", "2.2.1", "banker"),
    ("F6T2", "2.2.2", "player"),
    ("F6T2", "2.2.3", "tie"),
    ("F6T2", "2.2.4", "player-pair banker-pair"),
    ("F6T2", "2.2.5", "fortune-six"),
]


@pytest.mark.parametrize(
    ("code", "number", "wagers"),
    [
        pytest.param(code, number, wagers, marks=pytest.mark.clause(f"{code} {number}"))
        for code, number, wagers in AREAS
    ],
)
def test_every_position_has_an_area_for_the_wager(code: str, number: str, wagers: str) -> None:
    p = pit(code)
    assert p.table.plan is not None
    p.call()
    for wager in wagers.split():
        assert p.table.plan.areas[wager] == f"{code} {number}"
        for position in range(1, 8):
            if "natural" in wager and position == 1:
                p.bet("ann", wager.partition("-")[0], 1000_00)
            p.bet("ann", wager, 50_00, position=position)
            placed = p.last(e.WagerPlaced)
            assert (placed.wager, placed.position, placed.cents) == (wager, position, 50_00)
    areas = {(stake.wager, stake.position) for stake in p.table.stakes}
    assert len(areas) == 7 * len(wagers.split()) + ("natural" in wagers)


@pytest.mark.clause("BAC8 2.2", "FF3 2.2", "PB6 2.2", "F6T2 2.2")
@pytest.mark.parametrize("code", ["BAC8", "FF3", "PB6", "F6T2"])
def test_every_wager_of_the_game_has_its_area_and_there_is_no_other(code: str) -> None:
    p = pit(code)
    assert p.table.plan is not None
    p.call()
    assert set(p.table.plan.areas) == set(p.wagers)
    assert {
        wager for one, _, wagers in AREAS if one == code for wager in wagers.split()
    } == set(p.wagers)
    answer = p.refused(c.PlaceWager("ann", "super-6", 50_00), ANN)
    assert answer.code is Code.WAGER_NOT_OFFERED
    far = p.refused(c.PlaceWager("ann", "player", 50_00, position=8), ANN)
    assert far.code is Code.UNKNOWN_POSITION


@pytest.mark.clause("EB4 2.2")
def test_a_terminal_takes_wagers_for_itself_within_the_limits_of_each() -> None:
    p = pit("EB4", limits={"*": Limits(50_00, 1000_00), "tie": Limits(10_00, 500_00)})
    p.call()
    for cents, why in ((5_00, Code.BELOW_MINIMUM), (501_00, Code.ABOVE_MAXIMUM)):
        answer = p.refused(c.PlaceWager("ann", "tie", cents), ANN)
        assert (answer.code, answer.clause) == (why, "EB4 2.2")
    p.bet("ann", "tie", 500_00)
    elsewhere = p.refused(c.PlaceWager("ann", "player", 50_00, position=2), ANN)
    assert (elsewhere.code, elsewhere.clause) == (Code.UNKNOWN_POSITION, "EB4 1.1.15")
    assert p.table.plan is not None
    assert set(p.table.plan.limits) == set(p.wagers)


@pytest.mark.clause("EB4 4.9", "EB4 4.10")
def test_an_optional_wager_is_taken_only_where_it_is_offered() -> None:
    p = pit("EB4", optional=("tiger",))
    p.call()
    p.bet("ann", "tiger", 50_00)
    answer = p.refused(c.PlaceWager("ann", "tiger-pair", 50_00), ANN)
    assert answer.code is Code.WAGER_NOT_OFFERED
    p.do(c.OfferWagers(("tiger-pair",)), MIA)
    assert p.refused(c.PlaceWager("ann", "tiger-pair", 50_00), ANN).code is (
        Code.WAGER_NOT_OFFERED
    )
    p.close()
    p.deal(PLAYER_WINS)
    p.finish()
    p.call()
    p.bet("ann", "tiger-pair", 50_00)
    answer = p.refused(c.PlaceWager("ann", "tiger", 50_00), ANN)
    assert answer.code is Code.WAGER_NOT_OFFERED


# Limits and shared wagers

LIMIT_CASES = [
    (49_00, Code.BELOW_MINIMUM, "A stake of 49.00 on Tie is below the minimum of 50.00"),
    (
        1001_00,
        Code.ABOVE_MAXIMUM,
        "A stake of 1,001.00 on Tie is above the maximum of 1,000.00",
    ),
    (50_50, Code.OFF_STEP, "A stake of 50.50 on Tie does not fit steps of 1.00"),
]


@pytest.mark.clause("BAC8 3.5.1", "FF3 3.5.1")
@pytest.mark.parametrize("code", WITH_METHODS)
@pytest.mark.parametrize(("cents", "why", "sentence"), LIMIT_CASES)
def test_a_wager_is_within_the_limits_of_its_kind(
    code: str, cents: int, why: Code, sentence: str
) -> None:
    p = pit(code, limits=LIMITS)
    p.call()
    answer = p.refused(c.PlaceWager("ann", "tie", cents), ANN)
    assert (answer.code, answer.clause) == (why, f"{code} 3.5.1")
    assert answer.sentence == f"{sentence} [{code} 3.5.1]."


@pytest.mark.clause("BAC8 3.5.1", "FF3 3.5.1")
@pytest.mark.parametrize("code", WITH_METHODS)
def test_each_kind_of_wager_may_have_limits_of_its_own(code: str) -> None:
    p = pit(code, limits={**LIMITS, "tie": Limits(10_00, 200_00)})
    p.call()
    p.bet("ann", "tie", 10_00)
    assert p.refused(c.PlaceWager("ann", "player", 10_00), ANN).code is Code.BELOW_MINIMUM
    p.bet("ann", "player", 1000_00)
    assert p.refused(c.RaiseWager("ann", 1, 191_00), ANN).code is Code.ABOVE_MAXIMUM
    p.do(c.RaiseWager("ann", 1, 190_00), ANN)
    assert p.play.stakes[1].cents == 200_00


@pytest.mark.clause("BAC8 3.5.1", "FF3 3.5.1")
@pytest.mark.parametrize("code", WITH_METHODS)
def test_several_patrons_may_fund_one_wager_and_the_limits_hold_for_the_whole(
    code: str,
) -> None:
    p = pit(code, limits=LIMITS)
    p.call()
    assert p.refused(c.PlaceWager("ann", "player", 30_00), ANN).code is Code.BELOW_MINIMUM
    p.bet("ann", "player", 30_00, shared=True)
    p.do(c.PlaceWager("bob", "player", 30_00, position=1, join=1), BOB)
    stake = p.play.stakes[1]
    assert stake.cents == 60_00
    assert [(share.patron, share.cents) for share in stake.shares] == [
        ("ann", 30_00),
        ("bob", 30_00),
    ]
    too_much = c.PlaceWager("cyd", "player", 941_00, position=1, join=1)
    answer = p.refused(too_much, CYD)
    assert (answer.code, answer.clause) == (Code.ABOVE_MAXIMUM, f"{code} 3.5.1")
    p.close()
    assert [stake.cents for stake in p.table.stakes] == [60_00]


@pytest.mark.clause("BAC8 3.5.1", "FF3 3.5.1")
@pytest.mark.parametrize("code", WITH_METHODS)
def test_a_shared_wager_that_nobody_completed_goes_back_at_the_closing(code: str) -> None:
    p = pit(code, limits=LIMITS)
    p.call()
    p.bet("ann", "player", 30_00, shared=True)
    p.bet("bob", "banker", 50_00)
    p.close()
    returned = p.last(e.WagerReturned)
    assert (returned.stake, returned.clause) == (1, f"{code} 3.5.1")
    assert [stake.wager for stake in p.table.stakes] == ["banker"]
    assert p.table.credits["ann"] == CREDIT


@pytest.mark.clause("BAC8 3.5.1", "FF3 3.5.1")
@pytest.mark.parametrize("code", WITH_METHODS)
def test_nobody_adds_to_a_wager_that_is_not_shared(code: str) -> None:
    p = staked(code)
    join = c.PlaceWager("bob", "player", 50_00, position=1, join=1)
    answer = p.refused(join, BOB)
    assert (answer.code, answer.clause) == (Code.NOT_SHARED, f"{code} 3.5.1")
    nowhere = c.PlaceWager("bob", "player", 50_00, position=1, join=9)
    assert p.refused(nowhere, BOB).code is Code.UNKNOWN_STAKE
    assert p.refused(c.RaiseWager("bob", 1, 50_00), BOB).code is Code.UNKNOWN_STAKE


@pytest.mark.parametrize("code", ["PB6", "F6T2", "EB4"])
def test_a_rulebook_without_such_a_clause_has_no_wagers_of_several_patrons(code: str) -> None:
    p = pit(code)
    p.call()
    shared = c.PlaceWager("ann", "player", 50_00, shared=True)
    assert p.refused(shared, ANN).code is Code.NO_JOINT_WAGERS


def test_a_stake_is_raised_lowered_and_removed_while_bets_are_open() -> None:
    p = pit("BAC8", limits=LIMITS)
    p.call()
    p.bet("ann", "player", 100_00)
    p.bet("ann", "player", 50_00)
    assert p.last(e.WagerRaised) == e.WagerRaised(1, "ann", 50_00)
    p.do(c.LowerWager("ann", 1, 100_00), ANN)
    answer = p.refused(c.LowerWager("ann", 1, 1_00), ANN)
    assert (answer.code, answer.clause) == (Code.BELOW_MINIMUM, "BAC8 3.5.1")
    assert p.refused(c.LowerWager("ann", 1, 51_00), ANN).code is Code.BAD_AMOUNT
    assert p.refused(c.LowerWager("ann", 1, 50), ANN).code is Code.OFF_STEP
    p.do(c.RemoveWager("ann", 1), ANN)
    assert p.table.stakes == ()
    assert p.table.credits["ann"] == CREDIT


def test_nobody_stakes_more_than_the_seat_holds() -> None:
    p = pit("BAC8")
    p.call()
    p.bet("ann", "player", CREDIT)
    answer = p.refused(c.PlaceWager("ann", "tie", 1_00), ANN)
    assert answer.code is Code.NOT_ENOUGH_CREDIT
    assert "1.00 would be staked" in answer.sentence
    assert "ann holds 0.00" in answer.sentence


# Wagers for each area


def area_full(p: Pit, patron: str) -> tuple[Code, str | None]:
    answer = p.refused(c.PlaceWager(patron, "player", 50_00, position=1), Patron(patron))
    return answer.code, answer.clause


@pytest.mark.clause("BAC8 3.6", "FF3 3.6")
@pytest.mark.parametrize("code", WITH_METHODS)
def test_an_area_holds_three_wagers_and_not_a_fourth(code: str) -> None:
    p = pit(code)
    p.call()
    for patron in ("ann", "bob", "cyd"):
        p.bet(patron, "player", 50_00, position=1)
    assert area_full(p, "dee") == (Code.AREA_FULL, f"{code} 3.6")
    p.bet("ann", "player", 50_00, position=1)
    p.bet("dee", "player", 50_00, position=2)
    p.bet("dee", "banker", 50_00, position=1)
    p.do(c.RemoveWager("bob", 2), BOB)
    p.bet("dee", "player", 50_00, position=1)


@pytest.mark.clause("BAC8 3.6.1", "FF3 3.6.1")
@pytest.mark.parametrize("code", WITH_METHODS)
@pytest.mark.parametrize("most", [1, 2])
def test_a_pit_manager_may_allow_fewer_wagers_in_an_area(code: str, most: int) -> None:
    p = pit(code)
    for staff in (DAN, SUE):
        answer = p.refused(c.SetAreaCap(most), staff)
        assert (answer.code, answer.clause) == (Code.NEEDS_PIT_MANAGER, f"{code} 3.6.1")
    p.do(c.SetAreaCap(most, "a crowded table"), MIA)
    p.call()
    for patron in ("ann", "bob")[:most]:
        p.bet(patron, "player", 50_00, position=1)
    assert area_full(p, "dee") == (Code.AREA_FULL, f"{code} 3.6.1")


@pytest.mark.parametrize("code", ["PB6", "F6T2"])
def test_without_such_a_clause_an_area_holds_as_many_wagers_as_are_placed(code: str) -> None:
    p = pit(code)
    p.call()
    for patron in ("ann", "bob", "cyd", "dee"):
        p.bet(patron, "player", 50_00, position=1)
    assert len(p.table.stakes) == 4


# Wagers that staff place


@pytest.mark.clause("BAC8 3.7", "FF3 3.7")
@pytest.mark.parametrize("code", WITH_METHODS)
@pytest.mark.parametrize("staff", [DAN, SUE, MIA], ids=lambda staff: staff.name)
def test_a_wager_that_staff_place_belongs_to_the_patron_and_names_who_placed_it(
    code: str, staff: Staff
) -> None:
    p = pit(code)
    p.call()
    p.do(c.PlaceWager("cyd", "banker", 100_00), staff)
    placed = p.last(e.WagerPlaced)
    name = staff.name
    assert (placed.patron, placed.position, placed.placed_by) == ("cyd", 3, name)
    (share,) = p.play.stakes[1].shares
    assert (share.patron, share.placed_by) == ("cyd", name)
    assert p.table.credits["cyd"] == CREDIT - 100_00
    p.do(c.RaiseWager("cyd", 1, 50_00), CYD)
    assert p.last(e.WagerRaised).placed_by is None
    p.do(c.RaiseWager("cyd", 1, 50_00), staff)
    assert p.last(e.WagerRaised).placed_by == name
    p.do(c.LowerWager("cyd", 1, 50_00), staff)
    assert p.last(e.WagerLowered).placed_by == name
    p.do(c.RemoveWager("cyd", 1), CYD)
    assert p.last(e.WagerLowered).placed_by is None


@pytest.mark.clause("EB4 3.5")
@pytest.mark.parametrize("code", ["PB6", "F6T2", "EB4"])
def test_without_such_a_clause_patrons_alone_place_their_wagers(code: str) -> None:
    p = pit(code)
    p.call()
    for staff in (DAN, SUE, MIA):
        answer = p.refused(c.PlaceWager("cyd", "banker", 100_00), staff)
        assert answer.code is Code.NO_PROXY


# Natural wagers of Power Baccarat 98


@pytest.mark.clause("PB6 3.5.1", "PB6 3.5.2")
@pytest.mark.parametrize("side", ["player", "banker"])
def test_natural_wagers_need_the_main_wager_of_the_same_patron_and_no_more_than_it(
    side: str,
) -> None:
    clause = "PB6 3.5.1" if side == "player" else "PB6 3.5.2"
    p = pit("PB6")
    p.call()
    p.bet("bob", side, 500_00)
    natural = c.PlaceWager("ann", f"{side}-natural-8", 60_00)
    alone = p.refused(natural, ANN)
    assert (alone.code, alone.clause) == (Code.PRECONDITION, clause)
    p.bet("ann", side, 100_00)
    p.do(natural, ANN)
    p.bet("ann", f"{side}-natural-9", 40_00)
    for command in (
        c.PlaceWager("ann", f"{side}-natural-9", 1_00),
        c.LowerWager("ann", 2, 1_00),
        c.RemoveWager("ann", 2),
    ):
        answer = p.refused(command, ANN)
        assert (answer.code, answer.clause) == (Code.PRECONDITION, clause)
    p.do(c.LowerWager("ann", 3, 20_00), ANN)
    p.do(c.LowerWager("ann", 2, 20_00), ANN)


# The table differential


@pytest.mark.clause("BAC8 1.1.9", "FF3 1.1.11")
@pytest.mark.parametrize("code", WITH_METHODS)
def test_the_differential_is_between_all_stakes_on_player_and_all_on_banker(code: str) -> None:
    p = pit(code)
    p.call()
    p.bet("ann", "player", 3000_00)
    p.bet("bob", "player", 2000_00)
    p.bet("cyd", "banker", 3200_00)
    p.bet("dee", "tie", 900_00)
    assert p.table.differential == 1800_00
    p.bet("dee", "banker", 4000_00)
    assert p.table.differential == 2200_00


def heavy(code: str, more: int = 1_00) -> Pit:
    """Put 5000.00 and some more on Player against 3000.00; the limit is 2000.00."""
    p = pit(code, differential_cents=2000_00)
    p.bets(
        ("ann", "player", 4000_00),
        ("bob", "player", 1000_00 + more),
        ("cyd", "banker", 2800_00),
        ("dee", "banker", 200_00),
        ("dee", "tie", 900_00),
    )
    return p


@pytest.mark.clause("BAC8 5.18", "FF3 5.18")
@pytest.mark.parametrize("code", WITH_METHODS)
def test_dealing_waits_while_the_differential_is_exceeded(code: str) -> None:
    fits = heavy(code, 0)
    assert fits.table.hold is None
    fits.draw("2C")
    p = heavy(code)
    assert p.table.hold is not None
    assert (p.table.hold.kind, p.table.hold.clause) == (HoldKind.BALANCE, f"{code} 5.18")
    answer = p.refused(c.DrawCard(), cards=p.faces("2C"))
    assert (answer.code, answer.clause) == (Code.ON_HOLD, f"{code} 5.18")


@pytest.mark.clause("BAC8 5.18", "FF3 5.18")
@pytest.mark.parametrize("code", WITH_METHODS)
def test_a_pit_manager_sets_the_differential_from_the_next_round_on(code: str) -> None:
    p = pit(code)
    p.do(c.SetDifferential(99_00, "a quiet night"), MIA, approver=SAM)
    p.bets(("ann", "player", 100_00))
    assert p.table.hold is not None
    p.do(c.SetDifferential(None), MIA, approver=SAM)
    assert p.table.hold.kind is HoldKind.BALANCE
    p.do(c.LowerWager("ann", 1, 1_00), ANN)
    assert p.table.hold is None


@pytest.mark.clause("BAC8 5.18.1", "FF3 5.18.1")
@pytest.mark.parametrize("code", WITH_METHODS)
def test_patrons_of_the_heavier_hand_are_asked_and_may_lower(code: str) -> None:
    p = heavy(code)
    p.do(c.AskToLower())
    asked = p.last(e.LoweringAsked)
    assert (asked.side, asked.by.name) == (Side.PLAYER, "Dan")
    answer = p.refused(c.LowerWager("cyd", 3, 100_00), CYD)
    assert (answer.code, answer.clause) == (Code.LIGHTER_HAND, f"{code} 5.18.1")
    p.do(c.LowerWager("bob", 2, 500_00), BOB)
    assert p.last(e.WagerLowered) == e.WagerLowered(2, "bob", 500_00)
    assert p.table.differential == 1501_00
    assert p.table.hold is None
    p.draw("2C")


@pytest.mark.clause("BAC8 5.18.2", "FF3 5.18.2")
@pytest.mark.parametrize("code", WITH_METHODS)
def test_patrons_of_the_lighter_hand_may_raise_and_others_not(code: str) -> None:
    p = heavy(code, 501_00)
    for command in (c.RaiseWager("ann", 1, 100_00), c.RaiseWager("dee", 5, 100_00)):
        answer = p.refused(command, Patron(command.patron))
        assert (answer.code, answer.clause) == (Code.HEAVIER_HAND, f"{code} 5.18.2")
    # Wagers may be increased; a new one, even on the lighter hand, comes too late.
    for new in (c.PlaceWager("bob", "banker", 100_00), c.PlaceWager("ann", "tie", 100_00)):
        answer = p.refused(new, Patron(new.patron))
        assert (answer.code, answer.clause) == (Code.BETS_CLOSED, f"{code} 5.4")
    p.do(c.RaiseWager("dee", 4, 200_00), Patron("dee"))
    assert p.table.hold is not None
    p.do(c.RaiseWager("cyd", 3, 301_00), CYD)
    assert p.table.hold is None
    assert p.table.differential == 2000_00


@pytest.mark.clause("BAC8 5.18.2", "FF3 5.18.2")
@pytest.mark.parametrize("code", WITH_METHODS)
def test_nobody_tips_the_differential_over_to_the_other_hand(code: str) -> None:
    p = heavy(code)
    answer = p.refused(c.RaiseWager("cyd", 3, 4002_00), CYD)
    assert (answer.code, answer.clause) == (Code.DIFFERENTIAL, f"{code} 5.18")
    p.do(c.RaiseWager("cyd", 3, 4001_00), CYD)
    assert p.table.differential == 2000_00


@pytest.mark.clause("BAC8 5.18.3", "FF3 5.18.3")
@pytest.mark.parametrize("code", WITH_METHODS)
def test_a_pit_manager_removes_wagers_when_asking_was_not_enough(code: str) -> None:
    p = heavy(code)
    take = c.TakeOffWager(2, "the last one placed")
    early = p.refused(take, MIA)
    assert (early.code, early.clause) == (Code.ASK_FIRST, f"{code} 5.18.1")
    p.do(c.AskToLower())
    dealer = p.refused(take, DAN)
    assert (dealer.code, dealer.clause) == (Code.NEEDS_PIT_MANAGER, f"{code} 5.18.3")
    for number, why in (
        (9, Code.UNKNOWN_STAKE),
        (3, Code.LIGHTER_HAND),
        (5, Code.LIGHTER_HAND),
    ):
        assert p.refused(c.TakeOffWager(number), MIA).code is why
    p.do(take, MIA)
    record, returned = p.last(e.DecisionRecorded), p.last(e.WagerReturned)
    assert (record.options, record.choice) == (("1", "2"), "2")
    assert (returned.stake, returned.clause) == (2, f"{code} 5.18.3")
    assert p.table.credits["bob"] == CREDIT
    assert p.last(i.HoldLifted).kind == "balance"
    p.draw("2C")
