"""The books of a floor, decision by decision: what is counted, taken back and forgotten."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from croupier.floor import play_book
from croupier.floor.books import Books
from croupier.floor.performance import course, picture, win
from croupier.floor.play_book import PlayBook
from croupier.floor.problems import ProblemError, ServerCode
from croupier.gaming_day import GamingDay
from croupier.journal.decision import Person
from croupier.journal.discretions import Discretions, Kind, by_person
from croupier.journal.gathering import Committed, Landed
from croupier.journal.performance import Performance, Rules
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.settings import Settings
from tests.floor.rounds import looped
from tests.journal.counting import Hand

if TYPE_CHECKING:
    from croupier.journal.decision import Decision

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
SETTINGS = Settings(rulebook="EB4", game="tiger")
BY_MIA = e.By("Mia", None, NOON)
RULES = Rules("EB4", "tiger", 8)


def line(patron: str, wager: str, cents: int, won: int) -> e.PayLine:
    result = "wins" if won > 0 else "loses" if won else "pushes"
    return e.PayLine(1, patron, wager, cents, cents, result, None, None, None, won)


def called(number: int, moment: datetime = NOON) -> e.BetsOpened:
    return e.BetsOpened(number, "EB4", 4, NOON, "tiger", None, moment, "system")


def played(rounds: int, step: timedelta = HOUR) -> list[Decision]:
    """Return the decisions of a table at which so many rounds were played."""
    hand = Hand("8")
    hand.note(NOON, e.TableOpened(SETTINGS, 4, NOON, BY_MIA))
    for number in range(1, rounds + 1):
        moment = NOON + number * step
        hand.note(moment, called(number, moment))
        lines = (line("ann", "player", 100_00, 100_00), line("ann", "tie", 50_00, -50_00))
        hand.note(moment, e.WagersSettled((*lines, line("bea", "banker", 200_00, -200_00))))
    return hand.decisions


# Play


def test_rounds_of_patrons_are_theirs_and_can_be_taken_back() -> None:
    book, hand = PlayBook(), Hand("8")
    for one in played(2):
        book.feed(one, RULES)
    ann, bea = book.of("ann", NOON), book.of("bea", NOON)
    assert [one.won_cents for one in ann] == [50_00, 50_00]
    assert [one.staked_cents for one in bea] == [200_00, 200_00]
    assert all(one.expected_cents < 0 < one.variance for one in (*ann, *bea))
    assert book.of("ann", NOON + 2 * HOUR) == ann[1:]
    lines = (line("ann", "player", 100_00, 100_00),)
    book.feed(hand.note(NOON + 3 * HOUR, i.SettlementReversed(lines, None, "a card")), RULES)
    assert book.of("ann", NOON) == ann[:1]
    assert book.of("bea", NOON) == bea
    again = e.WagersSettled((line("ann", "player", 100_00, -100_00),))
    book.feed(hand.note(NOON + 3 * HOUR, again), RULES)
    void = i.RoundVoided(None, "SETTLED", (), again.lines)
    book.feed(hand.note(NOON + 3 * HOUR, void), RULES)
    assert book.of("ann", NOON) == ann[:1]
    book.feed(hand.note(NOON + 4 * HOUR, called(3)), RULES)
    book.feed(hand.note(NOON + 4 * HOUR, i.RoundVoided(None, "OPEN", ())), RULES)
    assert book.of("ann", NOON) == ann[:1], "a round that was not settled takes nothing back"
    book.forget(NOON + 2 * HOUR)
    assert "ann" not in book.patrons
    assert book.of("bea", NOON) == bea[1:]


def test_rounds_of_patrons_are_kept_packed_and_only_the_newest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A day of a busy house has hundreds of thousands of them."""
    monkeypatch.setattr(play_book, "KEPT", 3)
    book = PlayBook()
    for one in played(5):
        book.feed(one, RULES)
    assert [one.round for one in book.of("ann", NOON)] == [3, 4, 5]
    assert [one.moment for one in book.of("ann", NOON + 5 * HOUR)] == [NOON + 5 * HOUR]
    assert {one.table for one in book.of("bea", NOON)} == {"8"}
    assert {type(kept) for kept in book.patrons.values()} == {bytearray}
    assert len(book.patrons["ann"]) == 3 * play_book.SIZE


# Win


def test_a_part_is_a_copy_and_says_the_same() -> None:
    book = Performance(GamingDay("UTC"), courses=True)
    decisions = played(3)
    for one in decisions[:-2]:
        book.feed(one)
    day = date(2026, 3, 1)
    part = book.part([day], ["8"])
    whole = win(book, ("wager",))
    assert win(part, ("wager",)) == whole
    for one in decisions[-2:]:
        book.feed(one)
    assert win(part, ("wager",)) == whole, "what is counted later changes no part"
    assert win(book, ("wager",)) != whole
    assert win(book.part([day + DAY]), ()) == []
    assert win(book.part([day], ["9"]), ()) == []


def test_the_picture_is_as_exact_as_a_picture_must_be() -> None:
    book = Performance(GamingDay("UTC"), courses=True)
    for one in played(5):
        book.feed(one)
    day = date(2026, 3, 1)
    marks, points = picture(book.course("8", day)), course(book, "8", day)
    assert len(marks) == len(points) == 5
    for mark, point in zip(marks, points, strict=True):
        assert mark.win_cents == point.win_cents
        assert mark.expected_cents == pytest.approx(float(point.expected_cents))
        assert mark.sd_cents**2 == pytest.approx(float(point.variance))


def test_rounds_are_forgotten_before_their_sums() -> None:
    book = Performance(GamingDay("UTC"), courses=True)
    for one in played(5, DAY):
        book.feed(one)
    days = [date(2026, 3, 2) + n * DAY for n in range(5)]
    book.forget(days[1], days[3])
    assert [len(book.course("8", day)) for day in days] == [0, 0, 0, 1, 1]
    assert len(win(book, ("day",))) == 4


# Discretions


def by(
    decision: Decision, name: str, position: str, command: c.Command, **others: object
) -> Decision:
    person = Person("staff", name, position)
    return replace(decision, actor=person, command=command, **others)


def test_what_is_left_to_somebody_is_noted_with_what_it_moved() -> None:
    book, hand = Discretions(), Hand("8")
    book.feed(hand.note(NOON, called(7)))
    place = c.PlaceWager("ann", "tie", 10_00)
    placed = hand.note(NOON, e.WagerPlaced(1, "ann", 1, "tie", 10_00, "dan"))
    book.feed(by(placed, "dan", "Dealer", place))
    own = hand.note(NOON, e.WagerPlaced(2, "bea", 1, "tie", 90_00))
    book.feed(replace(own, actor=Person("patron", "bea"), command=place))
    record = e.DecisionRecorded(BY_MIA, "BAC8 3.9", "stake removed", ("2",), "2", "too much")
    taken = hand.note(NOON, record, e.WagerReturned(2, "BAC8 3.9", "removed"))
    book.feed(by(taken, "mia", "Pit Manager", c.TakeOffWager(2, "too much")))
    squeeze = e.DecisionRecorded(BY_MIA, "BAC8 3.8", "who squeezes", ("ann",), "ann")
    book.feed(by(hand.note(NOON, squeeze), "mia", "Pit Manager", c.CallBets()))
    book.feed(
        by(
            hand.note(NOON, e.LoweringAsked(Side.PLAYER, BY_MIA)),
            "dan",
            "Dealer",
            c.AskToLower(),
        )
    )
    refused = by(hand.note(NOON), "dan", "Dealer", place, refusal=object())
    book.feed(refused)
    wager, removed, other = book.all
    assert (wager.kind, wager.by, wager.cents, wager.round) == (
        Kind.FOR_PATRON,
        "dan",
        10_00,
        7,
    )
    assert (removed.kind, removed.cents, removed.reason) == (Kind.REMOVED, 90_00, "too much")
    assert (removed.clause, other.kind) == ("BAC8 3.9", Kind.OTHER)
    mia, dan = by_person(list(book.all))
    assert (mia.person, mia.total, mia.cents) == ("mia", 2, 90_00)
    assert (dan.person, dan.counts) == ("dan", {Kind.FOR_PATRON: 1})


# The books together


def books() -> Books:
    house = SimpleNamespace(
        configuration=SimpleNamespace(gaming_day=GamingDay("UTC")),
        clock=lambda: NOON,
        tables={},
        own=SimpleNamespace(cage=False),
    )
    return Books(house)  # type: ignore[arg-type]


def landed(decision: Decision) -> Landed:
    """Return a decision as books are told of it."""
    return Landed.of(decision.stream, [Committed(None, decision, None, None)])  # type: ignore[arg-type]


def test_a_gap_is_not_counted_past() -> None:
    one = books()
    decisions = played(3)
    for decision in (decisions[0], decisions[2], decisions[3]):
        one.committed(landed(decision))
    assert one.performance.sequence("8") == 1
    for decision in decisions:
        one.committed(landed(decision))
    assert one.performance.sequence("8") == len(decisions)
    assert len(one.plays.of("ann", NOON)) == 3


@looped
async def test_a_decision_that_cannot_be_counted_stops_nobody_who_plays(
    caplog: pytest.LogCaptureFixture,
) -> None:
    one, hand = books(), Hand("8")
    hand.note(NOON, e.TableOpened(SETTINGS, 4, NOON, BY_MIA))
    hand.note(NOON, called(1))
    hand.note(NOON, e.WagersSettled((line("ann", "no such wager", 1_00, 1_00),)))
    for decision in (*hand.decisions, hand.note(NOON, called(2))):
        one.committed(landed(decision))
    assert "the books stand still" in caplog.text
    one.start(asyncio.get_running_loop().create_task)
    with pytest.raises(ProblemError) as failed:
        await one.ready()
    assert failed.value.code is ServerCode.FAILED
    assert not one.counted
