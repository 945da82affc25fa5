"""Stakes found on the layout: any amount, paid to the cent or not accepted (A25)."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.money import Rounding
from croupier.rules.coup import Position
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.refusals import Code
from croupier.table.rulings import Situation
from croupier.table.settings import Limits
from tests.table.helpers import (
    BANKER_WINS,
    CREDIT,
    PLAYER_WINS,
    SAM,
    SUE,
    TIE,
    WITH_METHODS,
    Pit,
    pit,
)

STEPS = {"*": Limits(25_00, 500_00, 25_00)}
both = pytest.mark.parametrize("code", WITH_METHODS)


def found(code: str, *stakes: tuple[str, str, int], **others: Any) -> Pit:  # noqa: ANN401
    p = pit(code, limits=STEPS, **others)
    p.bets()
    for patron, wager, cents in stakes:
        p.do(c.FindStake(patron, wager, cents))
    return p


@pytest.mark.clause("BAC8 5.14", "BAC8 5.15", "FF3 5.14", "FF3 5.15")
@both
@pytest.mark.parametrize("cents", [2, 10_00, 24_98, 500_02, 510_00, 999_98])
def test_steps_are_for_placing_and_not_for_what_lies_there(code: str, cents: int) -> None:
    p = found(code, ("ann", "player", cents))
    p.deal(PLAYER_WINS)
    p.finish()
    (line,) = p.play.lines or ()
    settled = min(cents, 500_00)
    assert (line.cents, line.settled_cents, line.won_cents) == (cents, settled, settled)
    assert p.table.credits["ann"] == CREDIT + settled
    under = (f"{code} 5.14", "under_minimum")
    over = (f"{code} 5.15", "over_maximum")
    assert (line.breach_clause, line.breach) == (under if cents < 25_00 else over)


@both
def test_what_is_placed_still_fits_the_steps(code: str) -> None:
    p = pit(code, limits=STEPS)
    p.call()
    placing = c.PlaceWager("ann", "player", 30_00)
    assert p.refused(placing, SUE).code is Code.OFF_STEP
    p.bet("ann", "player", 25_00)
    assert p.refused(c.RaiseWager("ann", 1, 10_00), SUE).code is Code.OFF_STEP


@both
def test_an_amount_within_the_limits_is_late_also_off_step(code: str) -> None:
    p = found(code)
    for cents in (25_00, 25_01, 499_99, 500_00):
        refused = p.refused(c.FindStake("ann", "player", cents))
        assert (refused.code, refused.clause) == (Code.WITHIN_LIMITS, f"{code} 5.4")
    # With what was placed there it is counted as one stake.
    p = pit(code, limits=STEPS)
    p.bets(("ann", "player", 475_00))
    assert p.refused(c.FindStake("ann", "player", 25_00)).code is Code.WITHIN_LIMITS
    p.do(c.FindStake("ann", "player", 25_02))
    assert p.table.stakes[0].cents == 500_02


# A line that comes to parts of a cent


@pytest.mark.clause("BAC8 4.1")
@pytest.mark.parametrize(
    ("cents", "payable"),
    [(1, False), (10, False), (19, False), (20, True), (10_01, False), (10_20, True)],
)
def test_a_line_that_would_be_rounded_is_refused_where_nothing_is(
    cents: int,
    payable: bool,  # noqa: FBT001
) -> None:
    p = found("BAC8")
    find = c.FindStake("ann", "banker", cents)
    if not payable:
        refused = p.refused(find)
        assert (refused.code, refused.clause) == (Code.NOT_PAYABLE, "BAC8 4.1")
        assert "0.95 to 1" in refused.sentence
        assert p.table.stakes == ()
        return
    p.do(find)
    p.deal(BANKER_WINS)
    p.finish()
    (line,) = p.play.lines or ()
    assert line.won_cents * 100 == cents * 95
    assert line.commission_cents == cents - line.won_cents
    assert p.table.credits["ann"] == CREDIT + line.won_cents


@pytest.mark.clause("FF3 4.1")
def test_every_row_of_a_wager_counts_before_it_is_accepted() -> None:
    p = found("FF3")
    # A Player win on 4 pays 1 to 2.
    odd = p.refused(c.FindStake("ann", "player", 10_01))
    assert odd.code is Code.NOT_PAYABLE
    assert "1 to 2" in odd.sentence
    p.do(c.FindStake("ann", "player", 10_00))
    p.do(c.FindStake("ann", "tie", 10_01))
    p.do(c.FindStake("ann", "banker", 10_01))


@both
def test_over_the_maximum_only_the_maximum_must_be_payable(code: str) -> None:
    p = found(code, ("ann", "player", 500_01), ("ann", "banker", 500_01))
    p.deal(BANKER_WINS)
    p.finish()
    won = 475_00 if code == "BAC8" else 500_00
    assert [line.won_cents for line in p.play.lines or ()] == [-500_00, won]
    assert p.table.credits["ann"] == CREDIT - 500_00 + won


@pytest.mark.parametrize(
    ("rounding", "won"),
    # 0.95 to 1 on 10.01 is 9.5095; on 10.10 it is 9.595.
    [
        (Rounding.DOWN, (9_50, 9_59)),
        (Rounding.UP, (9_51, 9_60)),
        (Rounding.NEAREST, (9_51, 9_60)),
    ],
)
def test_where_a_table_rounds_the_line_is_rounded_so(
    rounding: Rounding, won: tuple[int, int]
) -> None:
    p = found("BAC8", ("ann", "banker", 10_01), ("bob", "banker", 10_10), rounding=rounding)
    p.deal(BANKER_WINS)
    p.finish()
    assert tuple(line.won_cents for line in p.play.lines or ()) == won
    assert p.table.credits["ann"] == CREDIT + won[0]
    assert sum(p.table.credits.values()) + p.table.bank + p.table.commission == 4 * CREDIT


# The one time of 5.14


@pytest.mark.clause("BAC8 5.14", "FF3 5.14")
@both
def test_a_push_is_not_yet_the_one_time(code: str) -> None:
    p = found(code, ("ann", "player", 10_00))
    p.deal(TIE)
    p.finish()
    assert (p.table.under_minimum, p.table.credits["ann"]) == (frozenset(), CREDIT)
    for cards, won in ((PLAYER_WINS, 10_00), (PLAYER_WINS, 0), (BANKER_WINS, 0)):
        p.bets()
        p.do(c.FindStake("ann", "player", 10_00))
        p.deal(cards)
        p.finish()
        assert [line.won_cents for line in p.play.lines or ()] == [won]
    assert p.table.credits["ann"] == CREDIT + 10_00


# The area


@pytest.mark.clause("BAC8 3.6", "FF3 3.6", "BAC8 5.9", "FF3 5.9")
@both
def test_a_fourth_stake_is_the_fourth_also_after_a_reopening(code: str) -> None:
    p = pit(code, limits=STEPS)
    p.call()
    for patron in ("ann", "bob", "cyd"):
        p.bet(patron, "player", 50_00, position=1)
    p.close()
    fourth = c.FindStake("dee", "player", 10_00, position=1)
    assert p.refused(fourth).code is Code.AREA_FULL
    p.do(c.report(Situation.DEVICE_RESET))
    p.do(c.ConfirmReport(), SUE)
    p.do(c.EndOption(), SUE)
    p.do(c.ResetDevice(), SUE, approver=SAM)
    p.close()
    refused = p.refused(fourth)
    assert (refused.code, refused.clause) == (Code.AREA_FULL, f"{code} 3.6")
    # On top of a stake that lies there it is no further one.
    p.do(c.FindStake("ann", "player", 460_00, position=1))
    p.do(c.FindStake("dee", "player", 10_00, position=2))
    assert len(p.table.stakes) == 4


@both
def test_what_was_found_before_a_reopening_counts_as_one_stake_there(code: str) -> None:
    p = pit(code, limits=STEPS)
    p.call()
    for patron in ("ann", "bob"):
        p.bet(patron, "player", 50_00, position=1)
    p.close()
    p.do(c.FindStake("cyd", "player", 10_00, position=1))
    p.do(c.report(Situation.DEVICE_RESET))
    p.do(c.ConfirmReport(), SUE)
    p.do(c.EndOption(), SUE)
    p.do(c.ResetDevice(), SUE, approver=SAM)
    more = p.refused(c.PlaceWager("dee", "player", 50_00, position=1), SUE)
    assert more.code is Code.AREA_FULL
    p.close()
    assert p.refused(c.FindStake("dee", "player", 10_00, position=1)).code is Code.AREA_FULL


# Who finds it


@both
def test_who_could_know_the_cards_needs_a_second_person(code: str) -> None:
    p = found(code)
    find = c.FindStake("ann", "player", 10_00)
    p.draw("9C")
    assert p.refused(find).code is Code.NEEDS_PIT_SUPERVISOR
    assert p.refused(find, SUE).code is Code.NEEDS_APPROVAL
    p.do(find, SUE, approver=SAM)
    assert p.last(e.StakeFound).by.approved_by == "Sam"
    assert [card.position for card in p.play.cards] == [Position.P1]
