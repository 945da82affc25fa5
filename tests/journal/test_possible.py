"""Records whose hashes, postings and answers all fit, and that cannot have happened."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from croupier.floor.desk import Request
from croupier.journal import cage as cage_events
from croupier.journal.codec import decode_record, encode
from croupier.journal.ledger import moves
from croupier.journal.memory import MemoryStore
from croupier.journal.possible import TableCheck
from croupier.journal.record import Answer, Batch
from croupier.journal.replay import Writer, postings_of, replay
from croupier.journal.shoes import Interrupted
from croupier.journal.verify import verify
from croupier.money import Rounding
from croupier.rulebooks import GAMES, RULEBOOKS
from croupier.rules.coup import Position
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.evolve import evolve
from croupier.table.roles import Patron
from croupier.table.rulings import Situation, Step
from croupier.table.settings import Limits
from croupier.table.state import HoldKind, Phase, unopened
from tests.floor.casino import BY, Casino
from tests.table.floor import DEALER, MANAGER, NOW, PLAYER_WINS, SECOND, Floor, faces
from tests.table.machine_walk import Walk

if TYPE_CHECKING:
    from croupier.journal.reader import Finding
    from croupier.journal.record import Posting

STREAM = "table:1"
CARDS = faces("baccarat", "9 2 K 3").split()
"""A natural for Player: nobody draws."""
Forged = Callable[[list[Any]], list[Any]]
"""Makes events out of those that happened."""


async def played(until: Phase | int) -> MemoryStore:
    """Play a round of ann, who has 600.00 and stakes 100.00 on Player, up to some point."""
    store = MemoryStore()
    house = Casino(store)
    await house.start(("1",))
    await house.open("1", "ann", "bea")
    await house.buy_in("ann", 1_000_00)
    desk = house.desks["1"]
    await house.cage.send("t1", "ann", desk, 600_00)
    await house.do("1", c.CallBets())
    await house.do("1", c.PlaceWager("ann", "player", 100_00), Patron("ann"))
    if until is not Phase.OPEN:
        await house.do("1", c.CloseBets())
        count = until if isinstance(until, int) else len(CARDS)
        for number, face in enumerate(CARDS[:count]):
            request = Request(f"d{number}", DEALER, c.DrawCard(), cards=(face,))
            assert (await desk.submit(request)).accepted
    ends: dict[Phase | int, int] = {Phase.RESULT: 1, Phase.SETTLED: 2, Phase.IDLE: 3}
    for command in (c.AnnounceOutcome(), c.Settle(), c.ConfirmPayment())[: ends.get(until, 0)]:
        await house.do("1", command)
    await house.close()
    return store


async def found(store: MemoryStore, stream: str, make: Forged) -> list[Finding]:
    """Write events as a desk would, in one batch with its postings and answer; verify."""
    replayed = await replay(store, stream, RULEBOOKS)
    events = [decode_record(record) for record in await store.read(stream)]
    epoch = await store.claim(stream, "forger")
    writer, name = Writer(stream, epoch, replayed.head), stream.partition(":")[2]
    after, records = replayed.head, []
    postings: list[Posting] = []
    for event in make(events):
        moment = "2026-01-01T00:00:00.000000Z"
        record = writer.record(moment, "staff:Eve", "evil", encode(event))
        records.append(record)
        with suppress(LookupError, AssertionError):  # where it cannot even be folded
            moved = moves(name, replayed.table, event)
            postings += postings_of(stream, record.sequence, moved)
            replayed.take(event)
    answer = Answer(
        "staff:Eve",
        "evil",
        bytes(32),
        stream,
        after.sequence + 1,
        writer.head.sequence,
        b"null",
    )
    await store.append(Batch(stream, epoch, after, tuple(records), tuple(postings), (answer,)))
    return (await verify(store, RULEBOOKS)).findings


def newest(kind: type[Any], events: list[Any]) -> Any:  # noqa: ANN401  # any event
    return [event for event in events if isinstance(event, kind)][-1]


def wager(**changes: object) -> Forged:
    """Another wager of bea's, or whatever is changed of ann's."""
    return lambda events: [replace(newest(e.WagerPlaced, events), stake=2, **changes)]


def card(position: Position, **changes: object) -> Forged:
    return lambda events: [replace(newest(e.CardDrawn, events), position=position, **changes)]


def again(kind: type[e.Event]) -> Forged:
    return lambda events: [newest(kind, events)]


def event(*some: e.Event) -> Forged:
    return lambda _: list(some)


def settings(kind: type[Any] = e.SettingsChanged, **changes: object) -> Forged:
    """Other settings than those by which the table was opened."""
    return lambda events: [
        kind(replace(newest(e.TableOpened, events).settings, **changes), BY_EVE)
    ]


def reversal(why: str, *then: e.Event) -> Forged:
    """Take back the pay list that there is, by no clause."""
    return lambda events: [
        i.SettlementReversed(newest(e.WagersSettled, events).lines, None, why),
        *then,
    ]


def waits(kind: HoldKind, step: Step) -> Forged:
    """Let the round wait for somebody, though nothing was reported."""
    asked = {"patrons": ("ann",), "stakes": (1,)} if kind is HoldKind.WITHDRAWAL else {}
    hold = i.HoldPlaced(kind.value, "BAC8 5.9", None, ((step, "BAC8 5.9"),))
    return event(replace(hold, **asked))


BY_EVE = e.By("Eve", None, NOW)
CORRECTED = "a card was corrected"
FACE = i.CardCorrected(Position.P1, CARDS[0], "2S", BY_EVE, "misread")
TERMINAL = i.TerminalDecided(1, 1, stands=False, outcome_known=True, clause=None, by=BY_EVE)
VOID = i.RoundVoided(None, "IDLE", ())
KEPT = i.ReplacementDecided(replace=False, by=BY_EVE)
REFUNDS = (i.Refund(1, "ann", 100_00),)
REPORTED = i.IrregularityReported(c.Report(Situation.OTHER), None, (Step.VOID,), BY_EVE)
RESET = i.IrregularityReported(
    c.Report(Situation.DEVICE_RESET), "BAC8 5.9", (Step.RESET_DEVICE, Step.REOPEN), BY_EVE
)
NUMBERED = {"number": 4, "card": "2S"}
FORGED: list[tuple[Phase | int, Any, str]] = [
    (4, wager(wager="tie"), "the table was DEALING"),
    (Phase.RESULT, wager(wager="tie"), "the table was RESULT"),
    (Phase.IDLE, wager(wager="tie"), "the table was IDLE"),
    (Phase.OPEN, wager(wager="tie", cents=50_50), "does not fit steps"),
    (Phase.OPEN, wager(wager="lottery"), "is not offered"),
    (Phase.OPEN, wager(wager="tie", position=99), "no playing position 99"),
    (4, event(e.WagerRaised(1, "ann", 100_00)), "the table was DEALING"),
    (4, event(e.WagerLowered(1, "ann", 100_00)), "the table was DEALING"),
    (Phase.OPEN, event(e.WagerRaised(7, "ann", 100_00)), "Nothing led to it"),
    (4, event(e.WagerReturned(1, "", "")), "the table was DEALING"),
    (4, card(Position.P3, **NUMBERED), "a natural ends the deal"),
    (2, card(Position.B2, number=2, card="2S"), "decides otherwise"),
    (2, card(Position.P2, number=9, card="2S"), "decides otherwise"),
    (Phase.OPEN, event(e.CardDrawn(Position.P1, "Dan", "2S")), "the table was OPEN"),
    (2, card(Position.P2, number=2), "card_exposed was to follow"),
    (4, event(e.CardExposed(Position.P1, "2S", "Dan")), "Another card lies there"),
    (2, event(e.OutcomeAnnounced(9, 0, Side.PLAYER, "Dan")), "before the coup was over"),
    (4, event(e.OutcomeAnnounced(9, 5, Side.BANKER, "Dan")), "not that of the cards"),
    (4, event(e.WagersSettled(())), "the table was DEALING"),
    (Phase.RESULT, event(e.WagersSettled(())), "pay list is not what"),
    (Phase.SETTLED, event(e.RoundClosed(1)), "Nothing led to it"),
    (Phase.IDLE, again(e.PaymentConfirmed), "the table was IDLE"),
    (Phase.IDLE, event(VOID), "no round that could be void"),
    (4, again(e.BetsOpened), "the table was DEALING"),
    (4, again(e.BetsClosed), "the table was DEALING"),
    (4, again(e.ShoeLoaded), "the table was DEALING"),
    (Phase.IDLE, again(e.ShoeLoaded), "is in play"),
    (4, again(e.TableOpened), "the table was open"),
    (4, event(e.TableClosed(BY_EVE)), "closed with patrons or a round"),
    (4, event(e.SeatLeft("ann")), "left with credit or stakes"),
    (Phase.SETTLED, event(e.CreditTaken("ann", 650_00)), "65000 cents were taken"),
    (4, event(e.CreditBrought("eve", 900_00)), "eve is not at this table"),
    (4, event(i.HoldLifted("report")), "did not wait for that"),
    (4, event(i.WagersWithdrawn("ann", (1,), 100_00, None)), "the table was DEALING"),
    (4, event(i.CardsTakenUp(9_000, "", None)), "cannot have come out"),
    # Bets are open again, or a round is forgotten
    (3, event(i.BetsReopened("", NOW)), "after cards were dealt"),
    (Phase.RESULT, event(i.BetsReopened("", NOW)), "after cards were dealt"),
    (0, event(i.BetsReopened("BAC8 5.9", NOW)), "No ruling led to it"),
    (Phase.RESULT, event(KEPT), "the table was RESULT"),
    (Phase.RESULT, event(i.RoundVoided(None, "RESULT", REFUNDS)), "No ruling led to it"),
    (4, event(e.DieShaken(1, BY_EVE)), "the table was DEALING"),
    # Other rules
    (Phase.RESULT, settings(rulebook="EB4", game="no-commission"), "decides otherwise"),
    (Phase.IDLE, settings(rulebook="EB4", game="no-commission"), "decides otherwise"),
    (Phase.RESULT, settings(decks=1), "decides otherwise"),
    (Phase.IDLE, settings(positions=1), "decides otherwise"),
    (Phase.IDLE, settings(rounding=Rounding.UP), "decides otherwise"),
    (Phase.IDLE, settings(limits={"*": Limits(1, 0, 1)}), "do not go together"),
    (4, settings(limits={}), "decides otherwise"),
    (4, settings(e.SettingsScheduled, positions=1), "decides otherwise"),
    (4, settings(e.SettingsScheduled, wagers_per_area=99), "cannot hold 99 wagers"),
    (Phase.IDLE, settings(e.SettingsScheduled, limits={}), "decides otherwise"),
    # Other cards
    (3, event(i.DeviceReset(3, BY_EVE)), "the table was DEALING"),
    (3, waits(HoldKind.RESET, Step.RESET_DEVICE), "No ruling led to it"),
    (4, event(RESET), "The last card is exposed"),
    (0, event(i.DeviceReset(0, BY_EVE)), "the table was CLOSED"),
    (0, waits(HoldKind.RESET, Step.RESET_DEVICE), "No ruling led to it"),
    (2, event(e.CardsSetAside(1, "", None)), "No ruling led to it"),
    (2, event(e.CardsSetAside(1, "", None, waited=True)), "before the coup was over"),
    (2, event(i.CardsTakenUp(2, "", None)), "No ruling led to it"),
    (2, event(i.OrderSet((), (), BY_EVE)), "the table was DEALING"),
    (2, event(i.MissingDeduced(("9S",), None)), "Nothing led to it"),
    (2, event(i.CardsSubstituted(("9S",), BY_EVE)), "the table was DEALING"),
    (2, event(e.CutCardSeen(first=True, by="Dan")), "cut card cannot have come"),
    (2, event(e.HandPassed(Side.PLAYER, "ann", ("Dan", "ann"))), "cannot have happened"),
    (2, event(e.FirstHandChosen(Side.PLAYER, BY_EVE)), "cannot have happened"),
    (2, event(i.HandRetrieved(Side.PLAYER, "ann", None)), "cannot have happened"),
    # Holds that let wagers go
    (4, waits(HoldKind.WITHDRAWAL, Step.OFFER_ANY), "No ruling led to it"),
    (Phase.RESULT, event(i.HoldPlaced("balance", None)), "decides otherwise"),
    (4, event(i.WagersKept("ann")), "was not asked"),
    (4, event(i.HoldSuspended("withdrawal")), "did not wait for that"),
    (4, event(i.HoldResumed("withdrawal")), "Nothing waited behind"),
    # Pay lists that are taken back
    (4, event(i.SettlementReversed((), None, "")), "not the one of an unpaid round"),
    (Phase.SETTLED, event(i.SettlementReversed((), None, CORRECTED)), "not the one of an unpa"),
    (Phase.IDLE, reversal(CORRECTED), "not the one of an unpaid round"),
    (Phase.SETTLED, reversal("eve likes it"), "Nothing led to it"),
    (Phase.SETTLED, reversal(CORRECTED), "was to follow here"),
    (Phase.SETTLED, reversal(CORRECTED, e.WagersSettled(())), "was to follow here"),
    (Phase.SETTLED, reversal(CORRECTED, FACE), "decides otherwise"),
    (Phase.SETTLED, reversal("a stake was found", FACE), "was to follow here"),
    (Phase.SETTLED, event(FACE), "decides otherwise"),
    (Phase.IDLE, event(FACE), "the table was IDLE"),
    # What waits behind something else
    (4, event(TERMINAL), "cannot have happened"),
    (4, event(i.WithdrawalOffered("BAC8 3.17.1", BY_EVE)), "cannot have happened"),
    (4, event(i.ReportQueued(c.Report(Situation.OTHER), BY_EVE)), "decides otherwise"),
    (4, event(REPORTED), "rules otherwise on this report"),
    (Phase.IDLE, event(REPORTED), "no round of which anything"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("until", "make", "why"), FORGED, ids=[f"{one[0]}-{one[2]}" for one in FORGED]
)
async def test_what_cannot_have_happened_is_found(
    until: Phase | int, make: Forged, why: str
) -> None:
    findings = await found(await played(until), STREAM, make)
    assert [one.stream for one in findings] == [STREAM]
    assert findings[0].kind in ("content", "settlement")
    assert why in findings[0].sentence


async def test_after_its_closing_nothing_happens_at_a_table() -> None:
    (finding,) = await found(await counted(), STREAM, again(e.SeatTaken))
    assert finding.sentence == "It cannot have happened: the table was not open."


@pytest.mark.parametrize("game", [game.slug for game in GAMES])
def test_whatever_tables_decide_is_found_possible(game: str) -> None:
    """No false finding: irregular walks, each event before it is folded."""
    for seed in range(3):
        walk = Walk(game, Random(seed))
        walk.go(150)
        table, check = unopened(RULEBOOKS), TableCheck()
        for number, one in enumerate(walk.watch.events):
            assert check.check(table, one) is None, (seed, number, one)
            folded = check.fold(table, one)
            assert folded == evolve(table, one)
            table = folded
        assert check.missing() is None


def judged(events: list[e.Event]) -> str | None:
    """Go through a table's events; say why the first that is wrong cannot have happened."""
    table, check = unopened(RULEBOOKS), TableCheck()
    for one in events:
        wrong = check.check(table, one)
        if wrong is not None:
            return wrong
        table = check.fold(table, one)
    return check.missing()


OPENED: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"rulebook": "EB9"}, {}, "no rulebook EB9"),
    ({"game": "lottery"}, {}, "has no game"),
    ({"decks": 1}, {}, "1 decks were asked for"),
    ({"positions": 99}, {}, "99 playing positions"),
    ({}, {"version": 99}, "not the edition"),
    ({}, {"effective": NOW}, "not the edition"),
]


@pytest.mark.parametrize(("changes", "other", "why"), OPENED)
def test_a_table_that_cannot_have_been_opened_so_is_found(
    changes: dict[str, Any], other: dict[str, Any], why: str
) -> None:
    opened = Floor("baccarat").last(e.TableOpened)
    assert judged([opened]) is None
    forged = replace(opened, settings=replace(opened.settings, **changes), **other)
    assert why in str(judged([forged]))


def test_settings_that_were_scheduled_come_into_force_with_the_next_call() -> None:
    floor = Floor("baccarat")
    floor.seat("ann")
    floor.open_bets()
    floor.do(c.SetLimits({"*": Limits(50_00, 500_00)}), MANAGER, approver=SECOND)
    scheduled = floor.last(e.SettingsScheduled)
    changed = e.SettingsChanged(scheduled.settings, scheduled.by)
    assert judged(floor.events) is None
    assert "decides otherwise" in str(judged([*floor.events, changed]))
    floor.close_bets()
    floor.deal(faces("baccarat", PLAYER_WINS))
    floor.pay()
    assert judged([*floor.events, changed]) is None
    floor.open_bets()
    assert floor.last(e.SettingsChanged) == changed
    assert judged(floor.events) is None


def test_winnings_that_a_void_could_take_back_leave_with_the_closing_only() -> None:
    floor = Floor("power-98")
    floor.seat("ann", "bea", cents=1_000_00)
    floor.bets(("ann", "player", 100_00), ("bea", "banker", 100_00))
    floor.deal(faces("power-98", PLAYER_WINS))
    floor.pay()
    before = list(floor.events)
    floor.do(c.CloseTable(), MANAGER)
    assert judged(floor.events) is None
    leaving = floor.events[len(before) : -1]
    assert [type(one) for one in leaving] == [e.CreditTaken, e.SeatLeft] * 2
    assert judged([*before, *leaving]) == "table_closed was to follow."
    bea, ann = leaving[:2], leaving[2:]
    assert judged([*before, *bea]) is None  # what bea has left is free, and so is she
    assert judged([*before, *bea, *ann[:1]]) == "seat_left was to follow."
    assert judged([*before, ann[0]]) == "The table decides otherwise here."
    # Of ann's 1100.00 the pay list credited 200.00, with the stake.
    assert judged([*before, e.CreditTaken("ann", 900_00)]) is None
    assert "90001 cents were taken" in str(judged([*before, e.CreditTaken("ann", 900_01)]))


def test_bets_do_not_open_while_stakes_are_in_play() -> None:
    floor = Floor("baccarat")
    before = replace(floor.table, in_play=100_00)
    floor.open_bets()
    assert "10000 cents were still in play" in str(TableCheck().check(before, floor.events[-1]))


def test_a_ruling_is_carried_out_at_once_or_not_at_all() -> None:
    floor = Floor("baccarat")
    floor.seat("ann")
    floor.bets(("ann", "player", 100_00))
    floor.draw(faces("baccarat", "9"))
    floor.do(c.Report(Situation.FOREIGN_CARD), MANAGER)
    floor.do(c.ConfirmReport("seen"), MANAGER, approver=SECOND)
    number = floor.events.index(floor.last(i.RoundVoided))
    until, void = floor.events[:number], floor.events[number]
    assert judged([*until, void]) is None
    drawn = replace(floor.last(e.CardDrawn), position=Position.B1, number=1, card="2S")
    exposed = replace(floor.last(e.CardExposed), position=Position.B1, card="2S")
    assert judged([*until, drawn, exposed]) is None
    assert judged([*until, drawn, exposed, void]) == "No ruling led to it."


def test_an_interruption_is_that_of_its_writer_and_its_table() -> None:
    floor = Floor("baccarat")
    floor.seat("ann")
    floor.bets(("ann", "player", 100_00))
    floor.draw(faces("baccarat", "9"))
    fact = Interrupted("DEALING", ("P1",), established=False, hold=None, epoch=2)
    check = TableCheck()

    def said(one: Interrupted, epoch: int) -> str:
        return str(check.check(floor.table, one, epoch))

    assert said(fact, 1).startswith("No writer began here")
    assert said(fact, 2) == "None"
    assert said(fact, 2).startswith("No writer began here")
    assert said(fact, 3).startswith("No writer began here")
    assert "another table" in said(replace(fact, epoch=4, cards=("nowhere",)), 4)
    assert "another table" in said(replace(fact, epoch=5, established=True), 5)
    idle = TableCheck().check(Floor("baccarat").table, replace(fact, phase="IDLE"), 2)
    assert idle == "There was no round that could be interrupted."


# Counts of trays and boxes


async def counted() -> MemoryStore:
    """Open a table, sell chips for cash, close it, and count tray and box twice."""
    store = MemoryStore()
    house = Casino(store)
    await house.start(("1",))
    desk = house.desks["1"]
    for day in ("1", "2"):
        await house.record(f"o{day}", cage_events.TableOpenerSet("1", 10_000_00, BY))
        await house.open("1", "ann")
        await house.do("1", c.BringCredit("ann", 500_00))
        await house.do("1", c.LeaveSeat("ann"))
        await house.do("1", c.CloseTable(), MANAGER)
        await house.cage.count_closer(f"c{day}", desk, 9_400_00, BY)
        await house.cage.count_drop(f"d{day}", desk, 500_00, BY)
    await house.close()
    return store


async def test_counts_that_leave_nothing_behind_hold() -> None:
    assert (await verify(await counted(), RULEBOOKS)).findings == []


CLOSER, DROP = cage_events.Counted.CLOSER, cage_events.Counted.DROP
OPENER = cage_events.TableOpenerSet("1", 10_000_00, BY)
COUNTS: list[tuple[list[cage_events.CageEvent], str]] = [
    (
        [
            OPENER,
            cage_events.DifferenceFound("1", CLOSER, 10_000_01, 9_000_00, BY),
            cage_events.TableCloserCounted("1", 9_000_00, BY),
        ],
        "does not leave the tray of table 1 empty",
    ),
    ([OPENER, cage_events.TableCloserCounted("1", 9_000_00, BY)], "leave the tray of table 1"),
    (
        [
            cage_events.DifferenceFound("1", DROP, 1_00, 5_00, BY),
            cage_events.DropCounted("1", 5_00, BY),
        ],
        "does not leave the box of table 1 empty",
    ),
    ([cage_events.DropCounted("1", 5_00, BY)], "does not leave the box of table 1 empty"),
    ([cage_events.DifferenceFound("1", DROP, 0, 5_00, BY)], "no count followed"),
    (
        [
            cage_events.DifferenceFound("1", DROP, 0, 5_00, BY),
            cage_events.DropCounted("1", 4_00, BY),
        ],
        "its count did not follow",
    ),
]


@pytest.mark.parametrize(("events", "why"), COUNTS)
async def test_a_count_against_another_ledger_is_found(
    events: list[cage_events.CageEvent], why: str
) -> None:
    findings = await found(await counted(), "cage", lambda _: list(events))
    assert [one.stream for one in findings] == ["cage"]
    assert why in findings[0].sentence
