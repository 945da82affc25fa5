"""Shoes and exceptions as books keep them: the same as counted again, whatever happens."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.cage import commands as at_cage
from croupier.cage import events as cage
from croupier.journal.decision import Decision, Person, Refused, written_moment
from croupier.journal.exceptions import ExceptionKind, Exceptions
from croupier.journal.shoe_book import Shoe, ShoeBook, ShoeEnd
from croupier.journal.tables import TableStream
from croupier.rulebooks import GAMES, RULEBOOKS, find_game
from croupier.rules.coup import Position
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.state import Result
from tests.floor.rounds import settings_for
from tests.journal.book import Book
from tests.journal.counting import Hand
from tests.journal.test_forged_walks import walked

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
BY_MIA = e.By("Mia", None, NOON)
SLUGS = [game.slug for game in GAMES]
FEW, WALKS_MAX = 10, 20


def walk_of(game: str, seed: int) -> list[Decision]:
    """Return the decisions of a table at which all kinds of things happen."""
    walk = Book()
    walk.follow(walked(game, seed, 250))
    return [decision for decision, _, _ in walk.written]


def roads_of(decisions: list[Decision]) -> dict[int, tuple[Result, ...]]:
    """Fold a table, and return what its roads showed last of each shoe."""
    stream = TableStream("1", RULEBOOKS)
    state, seen = stream.initial(), dict[int, tuple[Result, ...]]()
    for one in decisions:
        if one.refusal is None:
            state = stream.fold(state, one.house, one.events, one.sequence)
            if state.table.shoe is not None and state.table.loaded:
                seen[state.table.loaded] = state.table.results
    return seen


def counted_again(game: str, results: tuple[Result, ...]) -> Counter[str]:
    """Count the rounds of a shoe by their cards."""
    counts: Counter[str] = Counter()
    for one in results:
        if one.void:
            counts["voids"] += 1
            continue
        counts["rounds"] += 1
        coup = find_game(game).coup(" ".join(one.cards))
        if not coup.complete:
            continue
        outcome = coup.outcome()
        winner = {Side.PLAYER: "player", Side.BANKER: "banker", None: "ties"}
        counts[winner[outcome.winner]] += 1
        counts["player_pairs"] += bool(outcome.player.pair)
        counts["banker_pairs"] += bool(outcome.banker.pair)
        counts["naturals"] += outcome.player.natural or outcome.banker.natural
    return +counts


def counts_of(shoe: Shoe) -> Counter[str]:
    names = ("voids", "rounds", "player", "banker", "ties", "player_pairs", "banker_pairs")
    return +Counter({name: getattr(shoe, name) for name in (*names, "naturals")})


@pytest.mark.parametrize("game", SLUGS)
def test_every_shoe_of_a_walk_is_counted_as_its_roads_show_it(game: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(WALKS_MAX):
        if seed > 2 and seen["rounds"] > FEW and seen["voids"]:
            break
        decisions, book = walk_of(game, seed), ShoeBook()
        for one in decisions:
            book.feed(one)
        roads = roads_of(decisions)
        assert len(book.all) == max(roads, default=0)
        for number, shoe in enumerate(book.all, 1):
            assert counts_of(shoe) == counted_again(game, roads.get(number, ()))
            assert shoe.game == game
            seen += counts_of(shoe)
        loaded = sum(isinstance(event, e.ShoeLoaded) for o in decisions for event in o.events)
        assert len(book.all) == loaded
        drawn = sum(isinstance(event, e.CardDrawn) for o in decisions for event in o.events)
        assert sum(shoe.drawn for shoe in book.all) == drawn
        assert all(shoe.ended is not None for shoe in list(book.all)[:-1])
    assert seen["rounds"] > FEW
    assert seen["voids"] > 0


EXCEPTIONAL: dict[type[Any], ExceptionKind] = {
    i.RoundVoided: ExceptionKind.VOID,
    i.WagersWithdrawn: ExceptionKind.WITHDRAWAL,
    i.WithdrawalOffered: ExceptionKind.WITHDRAWAL,
    i.ReportQueued: ExceptionKind.REPORT,
    e.ShoeLost: ExceptionKind.REPORT,
    i.ReportDismissed: ExceptionKind.RULING,
    i.TerminalDecided: ExceptionKind.RULING,
    i.ReferralDecided: ExceptionKind.REFERRAL,
    i.SettlementReversed: ExceptionKind.CORRECTION,
    i.CardCorrected: ExceptionKind.CORRECTION,
    i.CardsReconstructed: ExceptionKind.CORRECTION,
    i.DisplayCorrected: ExceptionKind.CORRECTION,
}


def exceptions_again(decisions: list[Decision]) -> Counter[ExceptionKind]:
    counts: Counter[ExceptionKind] = Counter()
    for one in decisions:
        if one.refusal is not None:
            counts[ExceptionKind.REFUSED] += one.actor.kind == "staff"
            continue
        for event in one.events:
            if type(event) in EXCEPTIONAL:
                counts[EXCEPTIONAL[type(event)]] += 1
            elif isinstance(event, i.IrregularityReported):
                counts[ExceptionKind.RULING if event.queued else ExceptionKind.REPORT] += 1
        counts[ExceptionKind.RULING] += isinstance(one.command, c.ConfirmReport)
        counts[ExceptionKind.SECOND_PERSON] += one.approver is not None
    return +counts


@pytest.mark.parametrize("game", SLUGS)
def test_every_exception_of_a_walk_is_in_the_book_once(game: str) -> None:
    seen: Counter[ExceptionKind] = Counter()
    for seed in range(WALKS_MAX):
        if seed > 2 and len(seen) > 5:
            break
        decisions, book = walk_of(game, seed), Exceptions()
        for one in decisions:
            book.feed(one)
        assert Counter(one.kind for one in book.all) == exceptions_again(decisions)
        seen += exceptions_again(decisions)
        where = {one.sequence: one.stream for one in decisions}
        assert all(where[one.sequence or 0] == f"table:{one.table}" for one in book.all)
    assert {ExceptionKind.VOID, ExceptionKind.REPORT, ExceptionKind.RULING} <= seen.keys()


# By hand


def shoe_of(*events: Any) -> Shoe:  # noqa: ANN401  # any event
    """Return the shoe of a table at which this happened, a minute after it was loaded."""
    hand, book = Hand(), ShoeBook()
    opened = e.TableOpened(settings_for("baccarat"), 8, NOON, BY_MIA)
    hand.note(NOON, opened, e.ShoeLoaded("one", 416, 14, BY_MIA))
    hand.note(NOON + timedelta(minutes=1), *events)
    for one in hand.decisions:
        book.feed(one)
    (shoe,) = book.all
    return shoe


@pytest.mark.parametrize(
    ("events", "how"),
    [
        ((e.CutCardSeen(first=False, by="Dan"), e.ShoeEnded("one", "")), ShoeEnd.CUT_CARD),
        ((e.ShoeEnded("one", "ended by Dan"),), ShoeEnd.CHANGED),
        ((e.ShoeLost("one", BY_MIA, "no key"),), ShoeEnd.LOST),
        ((i.ReplacementDecided(replace=True, by=BY_MIA),), ShoeEnd.REPLACED),
        ((i.ReplacementDecided(replace=False, by=BY_MIA),), None),
        ((e.TableClosed(BY_MIA),), ShoeEnd.CLOSED),
    ],
    ids=str,
)
def test_how_a_shoe_ends(events: tuple[e.Event, ...], how: ShoeEnd | None) -> None:
    shoe = shoe_of(*events)
    assert shoe.how is how
    assert shoe.ended == (None if how is None else NOON + timedelta(minutes=1))
    assert (shoe.loaded, shoe.loaded_by, shoe.cards) == (NOON, "Mia", 416)
    assert (shoe.ended_by is None) == (how is None)


def test_a_round_that_becomes_void_after_its_end_is_taken_out_again() -> None:
    faces = {"P1": "4S", "B1": "2H", "P2": "5D", "B2": "3C"}
    laid = [
        one
        for place, face in faces.items()
        for one in (
            e.CardDrawn(Position(place), "Dan"),
            e.CardExposed(Position(place), face, "Dan"),
        )
    ]
    called = e.BetsOpened(1, "BAC8", 8, NOON, "baccarat", "B", NOON, "Dan")
    played = called, *laid, e.RoundClosed(1)
    assert counts_of(shoe_of(*played)) == Counter(rounds=1, player=1, naturals=1)
    void = i.RoundVoided(None, "SETTLED", ())
    assert counts_of(shoe_of(*played, void)) == Counter(voids=1)


def test_cards_that_left_otherwise_are_counted_once() -> None:
    aside = e.CardsSetAside(3, "burnt"), e.CardsSetAside(2, "they waited", waited=True)
    assert shoe_of(e.CardsRemoved(5, BY_MIA), *aside).removed == 8


def at_the_cage(*events: cage.CageEvent, refusal: Refused | None = None) -> Decision:
    command = at_cage.CountCloser("1", 900_00)
    return Decision(
        "cage", 1, 1, "", written_moment(NOON), "", Person("staff", "cara", "Cashier"),
        command, Person("staff", "cole", "Cage Supervisor"), events=events, refusal=refusal,
    )  # fmt: skip


def test_a_count_that_is_off_and_its_second_person_are_two_exceptions() -> None:
    book = Exceptions()
    differs = cage.DifferenceFound("1", cage.Counted.CLOSER, 1_000_00, 900_00)
    book.feed(at_the_cage(differs, cage.TableCloserCounted("1", 900_00)))
    count, second = book.all
    assert (count.kind, count.about, count.cents) == (ExceptionKind.COUNT, "closer", -100_00)
    assert (count.table, count.by, count.second) == ("1", "cara", "cole")
    assert (second.kind, second.code) == (ExceptionKind.SECOND_PERSON, "count_closer")


def test_what_staff_were_refused_is_an_exception_and_of_patrons_is_not() -> None:
    book = Exceptions()
    refused = at_the_cage(refusal=Refused("not_enough", "There is not enough.", None))
    book.feed(refused)
    book.feed(replace(refused, sequence=2, actor=Person("patron", "ann")))
    (one,) = book.all
    assert (one.kind, one.code, one.about) == (
        ExceptionKind.REFUSED,
        "not_enough",
        "count_closer",
    )
