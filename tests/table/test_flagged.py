"""Accepted wagers of a terminal that never showed the closing (EB4 5.10, A30)."""

from __future__ import annotations

import pytest

from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.refusals import Code
from croupier.table.rulings import Situation
from croupier.table.state import Phase
from croupier.table.views import pit_part
from tests.table.helpers import CREDIT, GUS, MIA, PLAYER_WINS, SAM, SYSTEM, Pit, pit

STANDS = c.DecideTerminal(1, stands=True, reason="the patron saw it on the wall")
RETURNED = c.DecideTerminal(1, stands=False, reason="the line was dead")


def lost(*, shown: bool = False, cards: str = "") -> Pit:
    """Lose the terminal of ann, who has two wagers; bob has one at another."""
    p = pit("EB4")
    p.bets(("ann", "player", 100_00), ("bob", "banker", 60_00), ("ann", "tie", 20_00))
    if shown:
        p.do(c.AcknowledgeClosing(1), SYSTEM)
    for face in cards.split():
        p.draw(face)
    p.do(c.LoseTerminal(1), SYSTEM)
    return p


def flags(p: Pit) -> list[tuple[int, bool]]:
    """Return which terminals the pit is alarmed about, and whether their wagers stand now."""
    return [(one.position, one.stands) for one in pit_part(p.table).flagged]


@pytest.mark.clause("EB4 5.10", "EB4 6.1")
def test_the_pit_is_alarmed_until_it_is_decided() -> None:
    p = lost()
    assert flags(p) == [(1, False)]
    p.draw("9C")
    assert flags(p) == [(1, True)]
    p.do(STANDS, GUS)
    assert flags(p) == []
    again = p.refused(STANDS, GUS)
    assert (again.code, again.clause) == (Code.NOT_NOW, "EB4 6.1")


@pytest.mark.clause("EB4 5.10", "EB4 6.1")
def test_before_the_first_card_the_wagers_stand_or_are_returned() -> None:
    p = lost()
    assert p.refused(RETURNED, MIA).code is Code.NEEDS_GAMING_SHIFT_MANAGER
    p.do(RETURNED, GUS)
    decided = p.last(i.TerminalDecided)
    assert (decided.position, decided.stands, decided.outcome_known) == (1, False, False)
    assert (p.table.credits["ann"], p.table.in_play) == (CREDIT, 60_00)
    assert [stake.shares[0].patron for stake in p.table.stakes] == ["bob"]
    p.deal(PLAYER_WINS)
    p.finish()
    assert [line.patron for line in p.play.lines or ()] == ["bob"]
    assert p.table.credits["ann"] == CREDIT


@pytest.mark.clause("EB4 5.10", "EB4 6.1")
def test_after_the_first_card_they_are_excepted_with_a_second_person_only() -> None:
    p = lost(cards="9C")
    alone = p.refused(RETURNED, GUS)
    assert (alone.code, alone.clause) == (Code.NEEDS_APPROVAL, None)
    assert isinstance(p.try_(STANDS, GUS), tuple)
    p.do(RETURNED, GUS, approver=SAM)
    decided = p.last(i.TerminalDecided)
    assert (decided.outcome_known, decided.by.approved_by) == (True, "Sam")
    assert p.table.credits["ann"] == CREDIT


@pytest.mark.clause("EB4 5.10")
def test_until_it_is_decided_they_stand() -> None:
    p = lost()
    p.deal(PLAYER_WINS)
    assert p.table.phase is Phase.RESULT
    # The deadline is the settlement: what was settled is over, and is only looked at.
    p.settle()
    assert p.table.credits["ann"] == CREDIT + 100_00 - 20_00
    for _ in range(2):
        assert flags(p) == [(1, True)]
        late = p.refused(RETURNED, GUS, approver=SAM)
        assert (late.code, late.clause) == (Code.NOT_NOW, "EB4 6.1")
        p.call()
        p.close()
        p.deal(PLAYER_WINS)
        p.settle()
    assert [one.round for one in pit_part(p.table).flagged] == [1]
    p.do(STANDS, GUS)
    assert (p.last(i.TerminalDecided).round, p.last(i.TerminalDecided).outcome_known) == (
        1,
        True,
    )
    assert flags(p) == []
    assert p.table.credits["ann"] == CREDIT + 100_00 - 20_00


@pytest.mark.clause("EB4 5.10", "EB4 6.1")
def test_a_terminal_may_be_flagged_in_two_rounds() -> None:
    p = lost()
    p.deal(PLAYER_WINS)
    p.settle()
    p.do(c.RestoreTerminal(1), SYSTEM)
    p.bets(("ann", "player", 100_00))
    p.do(c.LoseTerminal(1), SYSTEM)
    assert [(one.round, one.stands) for one in pit_part(p.table).flagged] == [
        (1, True),
        (2, False),
    ]
    # The wager of this round is returned; that of the other was settled.
    credit = p.table.credits["ann"]
    p.do(RETURNED, GUS)
    assert p.table.credits["ann"] == credit + 100_00
    assert [one.round for one in pit_part(p.table).flagged] == [1]
    p.do(STANDS, GUS)
    assert flags(p) == []


@pytest.mark.clause("EB4 5.10.1")
def test_who_saw_the_closing_is_not_flagged() -> None:
    p = lost(shown=True)
    assert flags(p) == []
    assert not p.last(e.TerminalLost).flagged
    assert p.refused(RETURNED, GUS).code is Code.NOT_NOW


@pytest.mark.clause("EB4 5.10.2")
def test_without_an_accepted_wager_there_is_nothing_to_decide() -> None:
    p = pit("EB4")
    p.bets(("bob", "banker", 60_00))
    p.do(c.LoseTerminal(1), SYSTEM)
    assert flags(p) == []
    assert p.refused(RETURNED, GUS).code is Code.NOT_NOW


def test_a_terminal_that_shows_the_closing_after_all_is_not_flagged() -> None:
    p = lost()
    p.do(c.RestoreTerminal(1), SYSTEM)
    assert flags(p) == [(1, False)]
    p.do(c.AcknowledgeClosing(1), SYSTEM)
    assert flags(p) == []


def test_a_terminal_that_is_back_before_the_closing_will_show_it() -> None:
    p = pit("EB4")
    p.call()
    p.bet("ann", "player", 100_00)
    p.do(c.LoseTerminal(1), SYSTEM)
    assert flags(p) == [(1, False)]
    p.do(c.RestoreTerminal(1), SYSTEM)
    assert flags(p) == []
    p.do(c.LoseTerminal(1), SYSTEM)
    p.close()
    assert flags(p) == [(1, False)]


def test_a_decision_says_which_terminal_and_why() -> None:
    p = lost()
    silent = c.DecideTerminal(1, stands=True, reason=" ")
    assert p.refused(silent, GUS).code is Code.REASON_NEEDED
    far = c.DecideTerminal(9, stands=True, reason="it is dead")
    assert p.refused(far, GUS).code is Code.UNKNOWN_POSITION
    other = c.DecideTerminal(2, stands=True, reason="it is dead")
    assert p.refused(other, GUS).code is Code.NOT_NOW


def test_a_void_decides_it_too() -> None:
    p = lost()
    p.do(c.report(Situation.POWER_FAILURE), SYSTEM)
    assert p.table.phase is Phase.VOID
    assert flags(p) == []
    assert set(p.table.credits.values()) == {CREDIT}


@pytest.mark.clause("EB4 5.10")
def test_a_terminal_without_a_wager_left_is_no_longer_flagged() -> None:
    p = lost()
    p.do(c.report(Situation.OTHER), SAM)
    for number in (1, 3):
        assert flags(p) == [(1, False)]
        p.do(c.DecideReferral(c.Decision.EXCLUDE, "cannot be told", number), GUS)
        if number == 1:
            p.do(c.report(Situation.OTHER), SAM)
    assert flags(p) == []


@pytest.mark.clause("EB4 5.10")
def test_what_was_decided_is_not_flagged_again() -> None:
    p = lost()
    p.do(STANDS, GUS)
    p.do(c.RestoreTerminal(1), SYSTEM)
    p.do(c.LoseTerminal(1), SYSTEM)
    assert flags(p) == []
