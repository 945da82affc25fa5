"""Who may act for whom: every position against every other, with and without clause 6.2."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from croupier.table.roles import (
    Acting,
    Authority,
    HigherManager,
    Staff,
    StaffPosition,
    authority,
    is_higher,
)
from croupier.table.rulebook import SINGAPORE

NOW = datetime(2026, 1, 1, 12, tzinfo=SINGAPORE)
DEALER, SUPERVISOR, MANAGER, ASSISTANT, SHIFT = StaffPosition

# Rows act for columns: Dealer, Pit Supervisor, Pit Manager, Assistant Casino Manager,
# Gaming Shift Manager. Until the operator says otherwise (A29).
MAY = """
    y . . . .
    y y . . .
    y y y . .
    y y y y .
    y y y . y
"""
TABLE = [line.split() for line in MAY.strip().splitlines()]
PAIRS = [
    (one, other, TABLE[row][column])
    for row, one in enumerate(StaffPosition)
    for column, other in enumerate(StaffPosition)
]


@pytest.mark.parametrize(("one", "needed", "may"), PAIRS)
def test_a_higher_position_may_act_where_the_rulebook_says_so(
    one: StaffPosition, needed: StaffPosition, may: str
) -> None:
    staff = Staff("Ada", one)
    found = authority(staff, needed, NOW, higher_may_act=True)
    assert (found is not None) == (may == "y")
    if found is not None:
        assert found == Authority(one, None if one is needed else needed)


@pytest.mark.parametrize(("one", "needed", "may"), PAIRS)
def test_without_such_a_clause_only_the_holder_may(
    one: StaffPosition, needed: StaffPosition, may: str
) -> None:
    found = authority(Staff("Ada", one), needed, NOW, higher_may_act=False)
    assert (found is not None) == (one is needed)
    assert may == "y" or found is None


def test_the_operator_may_say_which_of_the_two_highest_is_higher() -> None:
    for top, higher, lower in (
        (HigherManager.ASSISTANT_CASINO_MANAGER, ASSISTANT, SHIFT),
        (HigherManager.GAMING_SHIFT_MANAGER, SHIFT, ASSISTANT),
    ):
        assert is_higher(higher, lower, top)
        assert not is_higher(lower, higher, top)
        found = authority(Staff("Ada", higher), lower, NOW, higher_may_act=True, top=top)
        assert found == Authority(higher, lower)
    assert not is_higher(ASSISTANT, SHIFT)
    assert not is_higher(SHIFT, ASSISTANT)


def test_acting_in_a_position_holds_for_its_time_only() -> None:
    hour = timedelta(hours=1)
    staff = Staff("Ada", SUPERVISOR, Acting(MANAGER, NOW, NOW + hour))
    for moment, may in (
        (NOW - timedelta(seconds=1), False),
        (NOW, True),
        (NOW + hour - timedelta(seconds=1), True),
        (NOW + hour, False),
    ):
        found = authority(staff, MANAGER, moment, higher_may_act=True)
        assert (found is not None) == may
    assert authority(staff, MANAGER, NOW, higher_may_act=False) is None
    assert authority(staff, DEALER, NOW, higher_may_act=True) == Authority(SUPERVISOR, DEALER)
