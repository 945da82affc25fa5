"""Rounds that are made anew, and reports that wait: what cannot have happened of them."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from croupier.rules.coup import Position
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.roles import Patron, Staff, StaffPosition
from croupier.table.rulings import Situation, Step
from croupier.table.settings import Method, Readings
from croupier.table.state import Phase
from tests.journal.test_possible import judged
from tests.table.floor import (
    BANKER_WINS,
    MANAGER,
    PLAYER_WINS,
    SECOND,
    SUPERVISOR,
    SYSTEM,
    Floor,
    faces,
)

GIL = Staff("Gil", StaffPosition.GAMING_SHIFT_MANAGER)
FOREIGN = c.Report(Situation.FOREIGN_CARD)
OTHER = c.Report(Situation.OTHER, note="a phone rang")
TAKEN_AWAY = c.Report(Situation.LATE_REMOVAL, stake=1)
BEGUN = "What made the table take something back, or put it off, was to follow here."

Events = list[e.Event]


def settled(game: str = "baccarat", ranks: str = PLAYER_WINS, **settings: Any) -> Floor:  # noqa: ANN401
    """Settle a round of ann on Player and bea on Banker; it is not paid."""
    floor = Floor(game, **settings)
    floor.seat("ann", "bea")
    floor.bets(("ann", "player", 100_00), ("bea", "banker", 100_00))
    floor.deal(faces(game, ranks))
    floor.do(c.AnnounceOutcome())
    floor.do(c.Settle())
    return floor


def without(events: Events, kind: type[e.Event]) -> Events:
    """Leave out the latest event of a kind."""
    return changed(events, kind, None)


def changed(events: Events, kind: type[e.Event], to: e.Event | None) -> Events:
    """Put something else where the latest event of a kind is, and nothing after it."""
    number = max(place for place, one in enumerate(events) if type(one) is kind)
    return [*events[:number], to] if to else [*events[:number], *events[number + 1 :]]


def latest(floor: Floor, which: type[e.Event], **changes: object) -> Events:
    """Change the latest event of a kind; what came after it is forgotten."""
    return changed(floor.events, which, replace(floor.last(which), **changes))


# Pay lists that are taken back


def corrected(**settings: Any) -> Floor:  # noqa: ANN401
    """Correct a card after the settlement: Player has 6, and Banker 5."""
    floor = settled(**settings)
    right = faces("baccarat", "2").split()
    floor.do(c.CorrectCard(Position.P1, "misread"), SUPERVISOR, approver=SECOND, cards=right)
    return floor


def test_a_pay_list_is_taken_back_whole_and_for_what_follows() -> None:
    floor = corrected()
    assert judged(floor.events) is None
    lines = floor.last(i.SettlementReversed).lines
    for forged in (lines[:1], (), (replace(lines[0], won_cents=1), *lines[1:])):
        said = judged(latest(floor, i.SettlementReversed, lines=forged))
        assert said == "The pay list that was taken back is not the one of an unpaid round."
    other = replace(floor.last(i.SettlementReversed), clause="BAC8 9.9")
    number = floor.events.index(floor.last(i.SettlementReversed))
    until, after = floor.events[:number], floor.events[number + 1 :]
    assert judged([*until, other, *after]) == "The table decides otherwise here."
    assert judged([*until, *after]) == "The table decides otherwise here."
    assert judged(floor.events[: number + 1]) == BEGUN
    twice = judged([*until, floor.events[number], floor.events[number], *after])
    assert twice == BEGUN


def test_a_round_that_is_paid_is_not_made_anew() -> None:
    unpaid = corrected(game="power-98")
    floor = settled("power-98")
    floor.do(c.ConfirmPayment())
    assert floor.table.phase is Phase.SETTLED
    taken_back = unpaid.last(i.SettlementReversed)
    assert taken_back.lines == floor.last(e.WagersSettled).lines
    said = judged([*floor.events, taken_back])
    assert said == "The pay list that was taken back is not the one of an unpaid round."
    said = judged([*floor.events, unpaid.last(i.CardCorrected)])
    assert said == "It cannot have happened: the table was SETTLED."


def test_control_of_the_device_comes_back_to_whoever_lost_it() -> None:
    floor = settled(ranks=BANKER_WINS, method=Method.C)
    assert floor.last(e.ShoeGivenUp).settled
    right = faces("baccarat", "3").split()
    floor.do(c.CorrectCard(Position.P1, "misread"), SUPERVISOR, approver=SECOND, cards=right)
    back = floor.last(e.ShoeTaken)
    number = floor.events.index(floor.last(i.SettlementReversed))
    assert floor.events[number + 1] is back
    assert judged(floor.events) is None
    assert judged(without(floor.events, e.ShoeTaken)) == "shoe_taken was to follow here."
    assert judged(latest(floor, e.ShoeTaken, patron="bea")) == "shoe_taken was to follow here."
    assert "ann controls the dealing device" in str(judged([*floor.events, back]))


def test_a_pay_list_is_corrected_to_what_was_decided() -> None:
    floor = settled()
    floor.do(OTHER, MANAGER)
    right = c.DecideReferral(c.Decision.CORRECT, "a wrong line", stake=1, won_cents=50_00)
    floor.do(right, GIL, approver=SECOND)
    assert judged(floor.events) is None
    lines = floor.last(e.WagersSettled).lines
    assert lines[0].won_cents == 50_00
    other = (replace(lines[0], won_cents=75_00), *lines[1:])
    assert judged(latest(floor, e.WagersSettled, lines=other)) == (
        "wagers_settled was to follow here."
    )
    assert judged(without(floor.events, e.WagersSettled)) == "wagers_settled was to follow."
    assert judged(latest(floor, i.ReferralDecided, won_cents=-900_00)) is not None
    decided = latest(floor, i.ReferralDecided, won_cents=75_00)
    rest = floor.events[len(decided) :]
    assert judged([*decided, *rest]) == "wagers_settled was to follow here."


# What waits behind something else


def waiting() -> Floor:
    """Let a round wait for a decision, and a report behind it."""
    floor = Floor("baccarat")
    floor.seat("ann", "bea")
    floor.bets(("ann", "player", 100_00))
    floor.do(OTHER)
    floor.do(TAKEN_AWAY)
    assert type(floor.events[-1]) is i.ReportQueued
    return floor


def go_on(floor: Floor) -> None:
    floor.do(c.DecideReferral(c.Decision.CONTINUE, "nothing of it"), GIL)


def test_a_report_was_queued_before_it_had_waited() -> None:
    floor = waiting()
    go_on(floor)
    ruled = floor.last(i.IrregularityReported)
    assert ruled.queued
    assert judged(floor.events) is None
    assert "rules otherwise" in str(judged(latest(floor, i.IrregularityReported, queued=False)))
    assert judged(without(floor.events, i.ReportQueued)) is not None
    fresh = Floor("baccarat")
    fresh.seat("ann")
    fresh.bets(("ann", "player", 100_00))
    fresh.do(TAKEN_AWAY)
    assert judged(fresh.events) is None
    forged = latest(fresh, i.IrregularityReported, queued=True)
    assert "rules otherwise" in str(judged(forged))


def test_what_is_queued_is_ruled_before_anything_else() -> None:
    floor = waiting()
    at_once = replace(floor.last(i.IrregularityReported), report=TAKEN_AWAY, by=_by(floor))
    said = judged([*floor.events, at_once])
    assert said == "The round waited for something else; the report was to wait too."
    number = len(floor.events)
    go_on(floor)
    ruled = floor.events.index(floor.last(i.IrregularityReported))
    assert ruled > number
    floor.draw(faces("baccarat", "2"))
    drawn = floor.events.index(floor.last(e.CardDrawn))
    said = judged([*floor.events[:ruled], *floor.events[drawn:]])
    assert said == "What had waited was to come first."


def _by(floor: Floor) -> e.By:
    by: e.By = floor.last(i.ReportQueued).by
    return by


def test_a_report_is_dismissed_unheard_only_where_it_cannot_be_ruled_on() -> None:
    floor = waiting()
    dismissed = i.ReportDismissed(Situation.LATE_REMOVAL, _by(floor), "no", queued=True)
    said = "No report waited that could not be ruled on."
    assert judged([*floor.events, dismissed]) == said
    number = len(floor.events)
    go_on(floor)
    ruled = floor.events.index(floor.last(i.IrregularityReported))
    assert ruled > number
    assert judged([*floor.events[:ruled], dismissed]) == said


def suspended() -> Floor:
    """Let a round wait for a decision, and that behind a foreign card."""
    floor = Floor("baccarat")
    floor.seat("ann", "bea")
    floor.bets(("ann", "player", 100_00))
    floor.do(OTHER)
    floor.do(FOREIGN)
    return floor


def test_a_hold_is_resumed_that_was_suspended_and_no_other() -> None:
    floor = suspended()
    floor.do(c.DismissReport("a card of our own"), SUPERVISOR)
    resumed = floor.last(i.HoldResumed)
    assert judged(floor.events) is None
    said = judged(without(floor.events, i.HoldResumed))
    assert said == "hold_resumed was to follow."
    for changes in ({"kind": "withdrawal"}, {"patrons": ("ann",)}, {"stakes": (1,)}):
        forged = latest(floor, i.HoldResumed, **changes)
        assert judged(forged) == "hold_resumed was to follow here."
    nothing = "Nothing waited behind something else."
    assert judged([*floor.events, resumed]) == nothing
    never = Floor("baccarat")
    never.seat("ann")
    never.bets(("ann", "player", 100_00))
    assert judged([*never.events, resumed]) == nothing


def test_a_hold_is_suspended_for_what_voids_or_interrupts() -> None:
    floor = suspended()
    number = floor.events.index(floor.last(i.HoldSuspended))
    before = floor.events[: number + 1]
    assert judged(before) == BEGUN
    assert judged([*before, i.WagersKept("ann")]) == BEGUN
    quiet = replace(floor.events[number - 2], report=TAKEN_AWAY, steps=(Step.REMAINS,))
    assert type(quiet) is i.IrregularityReported
    said = judged([*before, quiet])
    assert said == "What it rules does not come before what the round waited for."


# The dealing device and terminals


@pytest.mark.parametrize("refers", [False, True])
def test_a_reset_with_open_cards_is_as_the_table_reads_it(*, refers: bool) -> None:
    readings = Readings(reset_refers_with_open_cards=refers)
    floor = Floor("baccarat", readings=readings)
    other = Floor("baccarat", readings=Readings(reset_refers_with_open_cards=not refers))
    for one in (floor, other):
        one.seat("ann")
        one.bets(("ann", "player", 100_00))
        one.draw(faces("baccarat", "2"))
        one.do(c.Report(Situation.DEVICE_RESET))
        assert one.table.exposed
    assert judged(floor.events) is None
    forged = changed(floor.events, i.IrregularityReported, other.last(i.IrregularityReported))
    assert judged(forged) == "The rulebook rules otherwise on this report."


def test_what_lay_open_is_told_when_the_device_is_reset() -> None:
    floor = Floor("baccarat")
    floor.seat("ann")
    floor.bets(("ann", "player", 100_00))
    floor.draw(faces("baccarat", "2"))
    floor.do(c.Report(Situation.DEVICE_RESET))
    for _ in range(5):
        hold = floor.table.hold
        if hold is None:
            break
        answers: dict[str, tuple[c.Command, Any]] = {
            "report": (c.ConfirmReport(), MANAGER),
            "withdrawal": (c.EndOption(), SUPERVISOR),
            "reset": (c.ResetDevice(), MANAGER),
        }
        command, who = answers[hold.kind.value]
        floor.do(command, who, approver=SECOND)
    assert floor.last(i.DeviceReset).faces == ("2S",)
    assert judged(floor.events) is None
    said = "The table decides otherwise here."
    assert judged(latest(floor, i.DeviceReset, faces=())) == said
    assert judged(latest(floor, i.DeviceReset, cards=0)) == said


def flagged() -> Floor:
    """Lose the terminal of ann, whose wager is accepted, before it showed the closing."""
    floor = Floor("tiger")
    floor.seat("ann", "bea")
    floor.bets(("ann", "player", 100_00), ("bea", "banker", 100_00))
    floor.do(c.LoseTerminal(1), SYSTEM)
    return floor


def test_a_terminal_is_decided_on_that_is_flagged() -> None:
    floor = flagged()
    floor.do(c.DecideTerminal(1, stands=False, reason="the line was dead"), GIL)
    assert judged(floor.events) is None
    decided = floor.last(i.TerminalDecided)
    assert judged(without(floor.events, e.WagerReturned)) == "wager_returned was to follow."
    for changes in ({"position": 2}, {"round": 7}, {"outcome_known": True}, {"clause": None}):
        assert judged(latest(floor, i.TerminalDecided, **changes)) is not None
    said = judged([*floor.events, decided])
    assert said == (
        "It cannot have happened: Terminal 1 has no wager that waits for a decision [EB4 6.1]."
    )
    never = Floor("tiger")
    never.seat("ann", "bea")
    never.bets(("ann", "player", 100_00))
    assert "no wager that waits" in str(judged([*never.events, decided]))


def test_a_terminal_is_flagged_as_the_table_finds_it() -> None:
    floor = flagged()
    assert judged(floor.events) is None
    said = "The table decides otherwise here."
    assert judged(latest(floor, e.TerminalLost, flagged=False)) == said
    assert judged(latest(floor, e.TerminalLost, takes_part=False)) == said
    assert "already" in str(judged([*floor.events, floor.last(e.TerminalLost)]))
    shown = Floor("tiger")
    shown.seat("ann")
    shown.bets(("ann", "player", 100_00))
    shown.do(c.AcknowledgeClosing(1), SYSTEM)
    shown.do(c.LoseTerminal(1), SYSTEM)
    assert judged(latest(shown, e.TerminalLost, flagged=True)) == said


def test_nobody_takes_the_device_to_whom_it_is_not_due() -> None:
    floor = Floor("baccarat", method=Method.C)
    floor.seat("ann", "bea")
    floor.bets(("ann", "player", 200_00), ("bea", "banker", 100_00))
    floor.do(c.TakeShoe("ann"), Patron("ann"))
    assert judged(floor.events) is None
    assert "offered to patron ann" in str(judged(latest(floor, e.ShoeTaken, patron="bea")))


def test_a_terminal_that_no_rulebook_rules_on_is_a_report_that_waits() -> None:
    floor = waiting()
    floor.do(c.Report(Situation.TERMINAL_FAILURE, terminal=1))
    assert type(floor.events[-1]) is i.ReportQueued
    assert judged(floor.events) is None
    referred = replace(floor.last(i.IrregularityReported), report=floor.events[-1].report)
    said = judged([*floor.events, referred])
    assert said == "The round waited for something else; the report was to wait too."
