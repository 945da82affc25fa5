"""A shoe whose key is lost ends by two people, and its table is never stuck."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.refusals import Code
from croupier.table.roles import Staff
from croupier.table.rulings import Situation
from croupier.table.settings import Approvals
from croupier.table.state import Phase
from tests.table.helpers import (
    CREDIT,
    DAN,
    DEALER,
    MANAGER,
    MIA,
    PLAYER_WINS,
    SAM,
    SUE,
    SUPERVISOR,
    SYSTEM,
    Pit,
    pit,
)
from tests.table.scenes import dealing, four_cards, referred, reported, staked, unbalanced

if TYPE_CHECKING:
    from collections.abc import Callable

LOST = c.DeclareShoeLost("first", "the key folder burnt")
VOIDED_BY = {"BAC8": "5.3", "FF3": "5.3", "EB4": "5.3", "PB6": "5.5", "F6T2": "5.5"}


def method_of(code: str) -> str | None:
    return "B" if code in ("BAC8", "FF3") else None


def lose(p: Pit) -> None:
    p.do(LOST, MIA, approver=SAM)
    assert p.table.shoe is not None
    assert p.table.shoe.ended


def plays_on(p: Pit) -> None:
    """Load another shoe, and open the next round."""
    if p.table.replacement_due:
        p.do(c.DecideReplacement(replace=True), MIA)
    caller = SYSTEM if p.table.settings.rulebook == "EB4" else DAN
    p.do(c.LoadShoe("second"), caller)
    p.do(c.CallBets(), caller)
    assert p.table.phase is Phase.OPEN


@pytest.mark.parametrize("code", VOIDED_BY)
def test_between_rounds_the_shoe_ends_and_the_table_goes_on(code: str) -> None:
    p = pit(code, method_of(code))
    lose(p)
    lost = p.last(e.ShoeLost)
    assert (lost.shoe, lost.by.name, lost.by.approved_by) == ("first", MIA.name, SAM.name)
    assert p.last(e.DecisionRecorded).reason == LOST.reason
    assert p.refused(LOST, MIA, approver=SAM).code is Code.NO_SHOE
    plays_on(p)


@pytest.mark.clause("BAC8 5.3", "FF3 5.3", "EB4 5.3", "PB6 5.5", "F6T2 5.5")
@pytest.mark.parametrize("scene", [staked, dealing, four_cards])
@pytest.mark.parametrize("code", VOIDED_BY)
def test_a_round_that_needs_cards_is_void(code: str, scene: Callable[..., Pit]) -> None:
    p = scene(code, method_of(code))
    lose(p)
    assert p.table.phase is Phase.VOID
    assert p.last(i.RoundVoided).clause == f"{code} {VOIDED_BY[code]}"
    assert (p.table.credits["ann"], p.table.in_play) == (CREDIT, 0)
    plays_on(p)


@pytest.mark.parametrize("confirmed", [False, True])
def test_a_round_whose_coup_is_complete_stands(confirmed: bool) -> None:  # noqa: FBT001
    p = dealing("BAC8", "B")
    for face in PLAYER_WINS.split():
        p.draw(face)
    p.do(c.AnnounceOutcome())
    if not confirmed:
        lose(p)
    p.do(c.Settle())
    p.do(c.ConfirmPayment())
    if confirmed:
        lose(p)
    assert p.play.lines
    plays_on(p)


def test_it_is_heard_whatever_the_round_waits_for() -> None:
    waiting = (
        unbalanced("BAC8", method="B"),
        referred("BAC8", method="B"),
        reported(four_cards("BAC8", "B"), Situation.EXTRA_CARD),
    )
    assert all(p.table.hold is not None for p in waiting)
    for p in waiting:
        lose(p)
        assert p.table.phase is Phase.VOID
        assert p.table.hold is None
        assert p.table.suspended == ()
        plays_on(p)


def test_nobody_does_it_alone_whatever_the_house_has_set() -> None:
    off = Approvals(**dict.fromkeys(Approvals.__struct_fields__))
    p = pit("BAC8", "B", approvals=off)
    assert p.refused(LOST, MIA).code is Code.NEEDS_APPROVAL
    assert p.refused(LOST, MIA, approver=MIA).code is Code.SELF_APPROVAL
    low = Staff("Lou", DEALER)
    assert p.refused(LOST, MIA, approver=low).code is Code.APPROVER_TOO_LOW
    for who in (SUE, DAN, SYSTEM):
        assert p.refused(LOST, who, approver=SAM).code is Code.NEEDS_PIT_MANAGER
    lose(p)
    assert {MIA.position, SAM.position} == {MANAGER, SUPERVISOR}


def test_it_is_the_shoe_in_play_and_has_a_reason() -> None:
    p = pit("BAC8", "B")
    other = p.refused(c.DeclareShoeLost("second", "gone"), MIA, approver=SAM)
    assert other.code is Code.NO_SHOE
    assert "shoe first is in play" in other.sentence
    silent = p.refused(c.DeclareShoeLost("first", " "), MIA, approver=SAM)
    assert silent.code is Code.REASON_NEEDED
