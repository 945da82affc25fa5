"""Decisions whose hashes, postings and identifications fit, and that cannot have happened."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from croupier.cage import commands as cc
from croupier.cage import events as ce
from croupier.floor.desk import Request
from croupier.journal.between import bring_id, end_id, receive_id
from croupier.journal.cages import BOX, OPEN, TRAY, CageStream
from croupier.journal.decision import (
    NOTHING,
    Decision,
    House,
    Known,
    Person,
    Posting,
    Record,
    chain,
    encode,
    person,
    read_record,
)
from croupier.journal.frames import Frame, Part, add_moves
from croupier.journal.gathering import Seat
from croupier.journal.loading import decisions_of, load
from croupier.journal.memory import MemoryStore
from croupier.journal.release import release
from croupier.journal.tables import TableStream
from croupier.journal.verify import verify
from croupier.money import Rounding
from croupier.rulebooks import RULEBOOKS
from croupier.rules.coup import Position
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.roles import Patron
from croupier.table.rulings import Situation, Step
from croupier.table.settings import Limits
from croupier.table.state import HoldKind, Phase
from tests.floor.casino import CARA, SUSI, Casino
from tests.journal.book import Book
from tests.table.floor import DEALER, MANAGER, NOW, SECOND, faces

if TYPE_CHECKING:
    import msgspec

    from croupier.journal.reader import Finding
    from croupier.journal.streams import Stream
    from croupier.table.roles import Actor

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
    await house.send("t1", "ann", "1", 600_00)
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


async def write(
    store: MemoryStore,
    stream: Stream,
    command: msgspec.Struct,
    actor: Person,
    events: tuple[Any, ...],
    house: House = NOTHING,
    approver: Person | None = None,
    command_id: str | None = None,
) -> None:
    """Write a decision as a writer would, with its postings."""
    epoch = await store.epoch(stream.name)
    seat = Seat(stream, epoch)
    await load(store, seat, None)
    head, moment = await store.head(stream.name), ""
    async for one in decisions_of(store, stream.name):
        moment = one.moment
    decision = Decision(
        stream.name, head.sequence + 1, epoch, release(), moment,
        command_id or f"evil-{head.sequence}",
        actor, command, approver, house, events,
    )  # fmt: skip
    moved: list[Any] = []
    with suppress(LookupError, AssertionError, TypeError, AttributeError):
        _, moved = stream.advance(seat.state, house, events, decision.sequence)
    body = encode(decision)
    digest = chain(head.hash, body)
    rows = [
        0, stream.name, decision.sequence, decision.command_id, actor.key, body, digest
    ]  # fmt: skip
    postings: list[object] = []
    for line, move in enumerate(moved):
        postings += (0, line, *move)
    changes: dict[str, tuple[int, int]] = {}
    add_moves(changes, moved)
    part = Part(epoch, head.sequence, head.hash, decision.sequence, digest)
    refused = await store.append(
        Frame({stream.name: part}, rows, postings, {stream.name: changes}, [])
    )
    if refused:  # the ledger itself says no: then past the store
        store._records[stream.name].append(Record(*rows[1:]))  # type: ignore[arg-type] # noqa: SLF001
        store._postings.setdefault(stream.name, []).extend(  # noqa: SLF001
            Posting(stream.name, decision.sequence, line, *move)
            for line, move in enumerate(moved)
        )


async def found(
    store: MemoryStore, make: Forged, command: c.Command, actor: Actor = DEALER
) -> list[Finding]:
    """Write events as if a command had led to them, and verify."""
    events = [event async for one in decisions_of(store, STREAM) for event in one.events]
    await write(store, TableStream("1", RULEBOOKS), command, person(actor), tuple(make(events)))
    return (await verify(store, RULEBOOKS)).findings


def newest(kind: type[Any], events: list[Any]) -> Any:  # noqa: ANN401  # any event
    return [event for event in events if isinstance(event, kind)][-1]


def wager(**changes: object) -> Forged:
    """Another wager of ann's, with whatever is changed of it."""
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


def waits(kind: HoldKind, step: Step) -> Forged:
    """Let the round wait for somebody, though nothing was reported."""
    asked = {"patrons": ("ann",), "stakes": (1,)} if kind is HoldKind.WITHDRAWAL else {}
    hold = i.HoldPlaced(kind.value, "BAC8 5.9", None, ((step, "BAC8 5.9"),))
    return event(replace(hold, **asked))


BY_EVE = e.By("Eve", None, NOW)
VOID = i.RoundVoided(None, "IDLE", ())
KEPT = i.ReplacementDecided(replace=False, by=BY_EVE)
TAKEN_BACK = i.SettlementReversed((), None, "so")
STANDS = i.TerminalDecided(1, 1, stands=True, outcome_known=True, clause=None, by=BY_EVE)
REFUNDS = (i.Refund(1, "ann", 100_00),)
OTHER = c.report(Situation.OTHER)
REPORTED = i.IrregularityReported(OTHER, None, (Step.VOID,), BY_EVE)
NUMBERED = {"number": 4, "card": "2S"}
TIE = c.PlaceWager("ann", "tie", 100_00)
DRAW = c.DrawCard()
RAISE = c.RaiseWager("ann", 1, 100_00)
LIMITS = c.SetLimits({})
RESET = c.ResetDevice()
PASS = c.PassHand(Side.PLAYER, "ann")
FORGED: list[tuple[Phase | int, Any, c.Command]] = [
    (4, wager(wager="tie"), TIE),
    (Phase.RESULT, wager(wager="tie"), TIE),
    (Phase.IDLE, wager(wager="tie"), TIE),
    (Phase.OPEN, wager(wager="tie", cents=50_50), c.PlaceWager("ann", "tie", 50_50)),
    (Phase.OPEN, wager(wager="lottery"), c.PlaceWager("ann", "lottery", 100_00)),
    (Phase.OPEN, wager(wager="tie", position=99), c.PlaceWager("ann", "tie", 100_00, 99)),
    (Phase.OPEN, wager(wager="tie", cents=900_00), c.PlaceWager("ann", "tie", 900_00)),
    (Phase.OPEN, wager(wager="tie", cents=200_00), TIE),
    (4, event(e.WagerRaised(1, "ann", 100_00)), RAISE),
    (4, event(e.WagerLowered(1, "ann", 100_00)), c.LowerWager("ann", 1, 100_00)),
    (Phase.OPEN, event(e.WagerRaised(7, "ann", 100_00)), c.RaiseWager("ann", 7, 100_00)),
    (4, event(e.WagerReturned(1, "", "")), c.TakeOffWager(1, "so")),
    (4, card(Position.P3, **NUMBERED), DRAW),
    (2, card(Position.B2, number=2, card="2S"), DRAW),
    (2, card(Position.P2, number=9, card="2S"), DRAW),
    (Phase.OPEN, event(e.CardDrawn(Position.P1, "Dan", "2S")), DRAW),
    (2, card(Position.P2, number=2), DRAW),
    (4, event(e.CardExposed(Position.P1, "2S", "Dan")), c.ExposeCard(Position.P1)),
    (2, event(e.OutcomeAnnounced(9, 0, Side.PLAYER, "Dan")), c.AnnounceOutcome()),
    (4, event(e.OutcomeAnnounced(9, 5, Side.BANKER, "Dan")), c.AnnounceOutcome()),
    (4, event(e.WagersSettled(())), c.Settle()),
    (Phase.RESULT, event(e.WagersSettled(())), c.Settle()),
    (Phase.SETTLED, event(e.RoundClosed(1)), c.ConfirmPayment()),
    (Phase.IDLE, again(e.PaymentConfirmed), c.ConfirmPayment()),
    (Phase.IDLE, event(VOID), c.ConfirmReport()),
    (4, again(e.BetsOpened), c.CallBets()),
    (4, again(e.BetsClosed), c.CloseBets()),
    (4, again(e.ShoeLoaded), c.LoadShoe("first")),
    (Phase.IDLE, again(e.ShoeLoaded), c.LoadShoe("first")),
    (4, event(e.TableClosed(BY_EVE)), c.CloseTable()),
    (4, event(e.SeatLeft("ann")), c.LeaveSeat("ann")),
    (
        Phase.SETTLED,
        event(e.CreditTaken("ann", 650_00, to_wallet=True)),
        c.TakeCredit("ann", 650_00),
    ),
    (4, event(e.CreditBrought("eve", 900_00)), c.BringCredit("eve", 900_00)),
    (4, event(i.HoldLifted("report")), c.DismissReport("so")),
    (4, event(i.WagersWithdrawn("ann", (1,), 100_00, None)), c.Withdraw("ann", (1,))),
    (4, event(i.CardsTakenUp(9_000, "", None)), c.ConfirmReport()),
    # Bets are open again, or a round is forgotten
    (3, event(i.BetsReopened("", NOW)), c.CallBets()),
    (Phase.RESULT, event(i.BetsReopened("", NOW)), c.CallBets()),
    (0, event(i.BetsReopened("BAC8 5.9", NOW)), c.ConfirmReport()),
    (Phase.RESULT, event(KEPT), c.DecideReplacement(replace=False)),
    (Phase.RESULT, event(i.RoundVoided(None, "RESULT", REFUNDS)), c.ConfirmReport()),
    (4, event(e.DieShaken(1, BY_EVE)), c.ShakeDie()),
    # Other rules
    (Phase.RESULT, settings(rulebook="EB4", game="no-commission"), LIMITS),
    (Phase.IDLE, settings(rulebook="EB4", game="no-commission"), LIMITS),
    (Phase.RESULT, settings(decks=1), LIMITS),
    (Phase.IDLE, settings(positions=1), LIMITS),
    (Phase.IDLE, settings(rounding=Rounding.UP), LIMITS),
    (Phase.IDLE, settings(limits={"*": Limits(1, 0, 1)}), LIMITS),
    (4, settings(limits={}), LIMITS),
    (4, settings(e.SettingsScheduled, positions=1), LIMITS),
    (4, settings(e.SettingsScheduled, wagers_per_area=99), c.SetAreaCap(99)),
    (Phase.IDLE, settings(e.SettingsScheduled, limits={}), LIMITS),
    # Other cards
    (3, event(i.DeviceReset(3, BY_EVE)), RESET),
    (0, event(i.DeviceReset(0, BY_EVE)), RESET),
    (0, waits(HoldKind.RESET, Step.RESET_DEVICE), OTHER),
    (2, event(e.CardsSetAside(1, "", None)), c.ConfirmReport()),
    (2, event(e.CardsSetAside(1, "", None, waited=True)), c.AnnounceOutcome()),
    (2, event(i.CardsTakenUp(2, "", None)), c.ConfirmReport()),
    (2, event(i.OrderSet((), (), BY_EVE)), c.SetOrder(())),
    (2, event(i.MissingDeduced(("9S",), None)), c.ConfirmReport()),
    (2, event(i.CardsSubstituted(("9S",), BY_EVE)), c.ConfirmReport()),
    (2, event(e.CutCardSeen(first=True, by="Dan")), c.ShowCutCard()),
    (2, event(e.HandPassed(Side.PLAYER, "ann", ("Dan", "ann"))), PASS),
    (2, event(e.FirstHandChosen(Side.PLAYER, BY_EVE)), c.ChooseFirstHand(Side.PLAYER)),
    (2, event(i.HandRetrieved(Side.PLAYER, "ann", None)), c.ConfirmReport()),
    # Holds that let wagers go
    (4, waits(HoldKind.WITHDRAWAL, Step.OFFER_ANY), c.OfferWithdrawal("so")),
    (Phase.RESULT, event(i.HoldPlaced("balance", None)), OTHER),
    (4, event(i.WagersKept("ann")), c.KeepWagers("ann")),
    (4, event(i.HoldSuspended("report")), OTHER),
    (4, event(i.HoldResumed("withdrawal", ("ann",), (1,))), c.DismissReport("so")),
    (4, event(i.ReportQueued(OTHER, BY_EVE)), OTHER),
    (Phase.SETTLED, event(TAKEN_BACK), c.CorrectCard(Position.P1, "so")),
    (4, event(STANDS), c.DecideTerminal(1, stands=True, reason="so")),
    (4, event(REPORTED), OTHER),
    (Phase.IDLE, event(REPORTED), OTHER),
    # What nobody asked for comes along, or nothing comes of what was asked for
    (Phase.RESULT, event(), c.Settle()),
    (Phase.OPEN, event(e.BetsClosed(by="Mia", moment=NOW), VOID), c.CloseBets()),
]  # fmt: skip


@pytest.mark.parametrize(
    ("until", "make", "command"), FORGED, ids=[f"{n}-{one[0]}" for n, one in enumerate(FORGED)]
)
async def test_what_cannot_have_happened_is_found(
    until: Phase | int, make: Forged, command: c.Command
) -> None:
    store = await played(until)
    patron = getattr(command, "patron", None)
    actor: Actor = Patron(patron) if patron is not None else MANAGER
    findings = await found(store, make, command, actor)
    assert [one.stream for one in findings][:1] == [STREAM]
    assert findings[0].kind in ("decision", "house"), findings
    assert findings[0].sequence == (await store.head(STREAM)).sequence


async def test_after_its_closing_nothing_happens_at_a_table() -> None:
    (finding,) = await found(await counted(), again(e.SeatTaken), c.TakeSeat("ann", 1))
    assert finding.kind == "decision"


# Counts of trays and boxes


async def counted() -> MemoryStore:
    """Open a table, sell chips for cash, close it, and count tray and box twice."""
    store = MemoryStore()
    house = Casino(store)
    await house.start(("1",))
    for day in ("1", "2"):
        await house.record(f"o{day}", cc.SetOpener("1", 10_000_00))
        await house.open("1", "ann")
        await house.do("1", c.BringCredit("ann", 500_00))
        await house.do("1", c.LeaveSeat("ann"))
        await house.do("1", c.CloseTable(), MANAGER)
        await house.record(f"c{day}", cc.CountCloser("1", 9_400_00))
        await house.record(f"d{day}", cc.CountDrop("1", 500_00))
    await house.close()
    return store


async def test_counts_that_leave_nothing_behind_hold() -> None:
    assert (await verify(await counted(), RULEBOOKS)).findings == []


CLOSER, DROP = ce.Counted.CLOSER, ce.Counted.DROP
SET, OPENER = cc.SetOpener("1", 10_000_00), ce.TableOpenerSet("1", 10_000_00)
COUNT, CLOSED = cc.CountCloser("1", 9_000_00), ce.TableCloserCounted("1", 9_000_00)
DROPPED, FIVE = cc.CountDrop("1", 5_00), ce.DropCounted("1", 5_00)
CREDIT, CREDITED = cc.CreditTable("1", 5_00), ce.TableCredited("1", 5_00)
CAGE = Person("system", "cage")
EMPTY = {TRAY: 0, BOX: 0, OPEN: 0}


def difference(counted_: ce.Counted, expected: int, cents: int) -> Any:  # noqa: ANN401
    return ce.DifferenceFound("1", counted_, expected, cents)


def knows(at: int | None = None, **values: int) -> Callable[[int], House]:
    """Let the cage know something of the table, at a sequence or at its end."""
    held = EMPTY | values

    def house(end: int) -> House:
        return House(facts={STREAM: Known(end if at is None else at, held)})

    return house


Forgery = tuple[Any, Callable[[int], House] | None, tuple[Any, ...]]
COUNTS: list[tuple[list[Forgery], str]] = [
    # (what was asked, what the house knew, what happened) one after the other
    (
        [
            (SET, knows(), (OPENER,)),
            (COUNT, knows(tray=10_000_01), (difference(CLOSER, 10_000_01, 9_000_00), CLOSED)),
        ],
        "fact",
    ),
    ([(SET, knows(), (OPENER,)), (COUNT, knows(tray=9_000_00), (CLOSED,))], "fact"),
    ([(SET, knows(), (OPENER,)), (COUNT, knows(tray=10_000_00), (CLOSED,))], "decision"),
    ([(SET, knows(), (OPENER,)), (COUNT, None, (CLOSED,))], "house"),
    ([(SET, knows(), (OPENER,)), (CREDIT, knows(tray=20_000_00), (CREDITED,))], "fact"),
    ([(SET, knows(), (OPENER,)), (CREDIT, knows(tray=10_000_00, open=1), (CREDITED,))], "fact"),
    ([(CREDIT, knows(tray=5_00), (CREDITED,))], "house"),
    ([(DROPPED, knows(box=1_00), (difference(DROP, 1_00, 5_00), FIVE))], "fact"),
    ([(DROPPED, knows(box=5_00), (FIVE,))], "fact"),
    ([(DROPPED, knows(), (difference(DROP, 0, 5_00),))], "decision"),
    ([(DROPPED, knows(at=9_999), (difference(DROP, 0, 5_00), FIVE))], "fact"),
    ([(DROPPED, knows(at=1), (difference(DROP, 0, 5_00), FIVE))], "fact"),
    ([(DROPPED, knows(pink=1), (difference(DROP, 0, 5_00), FIVE))], "fact"),
    ([(DROPPED, knows(open=2), (difference(DROP, 0, 5_00), FIVE))], "decision"),
    # A difference that no count found, and one beside another count
    ([(SET, knows(), (OPENER, difference(DROP, 0, 5_00)))], "decision"),
    (
        [(DROPPED, knows(), (difference(DROP, 0, 5_00), ce.DropCounted("1", 4_00)))],
        "decision",
    ),
    # What the house knew and nobody asked for
    ([(cc.FillTable("1", 5_00), knows(), (ce.TableFilled("1", 5_00),))], "house"),
    # An opener of which nobody asked whether the table is there, or whose box holds cash
    ([(SET, None, (OPENER,))], "house"),
    ([(SET, knows(box=5_00), (OPENER,))], "decision"),
    ([(SET, knows(at=0), (OPENER,))], "decision"),
    ([(cc.SetOpener("9", 5), lambda _: House(facts={"table:9": Known(1, EMPTY)}),
       (ce.TableOpenerSet("9", 5),))], "fact"),
    ([(cc.BuyIn("ann", 5), lambda _: House(tickets=("1", "2")), (ce.BoughtIn("ann", 5),))],
     "house"),
]  # fmt: skip


@pytest.mark.parametrize(("acts", "kind"), COUNTS)
async def test_a_count_against_another_ledger_is_found(acts: list[Forgery], kind: str) -> None:
    store = await counted()
    end = (await store.head(STREAM)).sequence
    for asked, known, events in acts:
        house = NOTHING if known is None else known(end)
        await write(store, CageStream(), asked, person(CARA), events, house, person(SUSI))
    findings = (await verify(store, RULEBOOKS)).findings
    assert [(one.stream, one.kind) for one in findings][:1] == [("cage", kind)], findings


async def test_a_count_at_an_open_table_is_found() -> None:
    """The record says that the table was closed; its own stream says otherwise."""
    store = await played(4)
    table = (await store.head(STREAM)).sequence
    house = House(facts={STREAM: Known(table, {TRAY: 0, BOX: 0, OPEN: 0})})
    count = (cc.CountDrop("1", 0), person(CARA), (ce.DropCounted("1", 0),))
    await write(store, CageStream(), *count, house, person(SUSI))
    (finding,) = (await verify(store, RULEBOOKS)).findings
    assert (finding.stream, finding.kind) == ("cage", "fact")
    assert "when the table was open" in finding.sentence


# What nobody may do at the cage, and tickets

PATRON, HOUSE_SYSTEM = Person("patron", "ann"), Person("system", "house")
DAN = person(DEALER)
TICKET = House(tickets=("7", "d" * 64))
CASHED = ce.CashedOut("7", "ann", 5_00, "d" * 64)
UNRIGHTFUL: list[tuple[Any, Person, Person | None, House, tuple[Any, ...]]] = [
    # (what was asked, by whom, approved by whom, what the house knew, what happened)
    (cc.BuyIn("ann", 5_00), PATRON, None, NOTHING, (ce.BoughtIn("ann", 5_00),)),
    (cc.BuyIn("ann", 5_00), DAN, None, NOTHING, (ce.BoughtIn("ann", 5_00),)),
    (cc.BuyIn("ann", 5_00), CAGE, None, NOTHING, (ce.BoughtIn("ann", 5_00),)),
    (cc.BuyIn("ann", 5_00), person(CARA), None, NOTHING, (ce.BoughtIn("ann", 6_00),)),
    (cc.BuyIn("ann", 5_00), person(CARA), None, NOTHING, (ce.BoughtIn("bea", 5_00),)),
    (cc.BuyIn("ann", -5), person(CARA), None, NOTHING, (ce.BoughtIn("ann", -5),)),
    (SET, person(CARA), None, NOTHING, (OPENER,)),
    (SET, person(CARA), person(CARA), NOTHING, (OPENER,)),
    (SET, person(CARA), DAN, NOTHING, (OPENER,)),
    (SET, DAN, person(SUSI), NOTHING, (OPENER,)),
    (cc.CashOut("ann", 5_00), Person("patron", "eve"), None, TICKET, (CASHED,)),
    (cc.CashOut("ann", 5_00), PATRON, None, NOTHING, (CASHED,)),
    (cc.CashOut("ann", 5_00), PATRON, None, House(tickets=("8", "e")), (CASHED,)),
    (cc.CashOut("ann", 9_999_00), PATRON, None, TICKET,
     (ce.CashedOut("7", "ann", 9_999_00, "d" * 64),)),
    (cc.PayTicket("7", "x"), person(CARA), None, NOTHING, (ce.TicketPaid("7", 5_00),)),
    (cc.SendToTable("ann", "1", 5_00), PATRON, None, NOTHING,
     (ce.SentToTable(1, "ann", "1", 5_00),)),
    # A transfer that somebody makes up
    (cc.ReceiveFromTable("t9", "ann", "1", 5_00), person(CARA), None, NOTHING,
     (ce.ReceivedFromTable("t9", "ann", "1", 5_00),)),
    (cc.ReceiveFromTable("t9", "ann", "1", 5_00), HOUSE_SYSTEM, None, NOTHING,
     (ce.ReceivedFromTable("t9", "ann", "1", 5_00),)),
    (cc.SendBack(3), CAGE, None, NOTHING, (ce.SentBack(3, "ann", "1", 600_00),)),
    (cc.NoteArrival(3), CAGE, None, NOTHING, (ce.CreditArrived(3),)),
    (cc.BuyIn("ann", 5), Person("staff", "Cara", "Croupier"), None, NOTHING,
     (ce.BoughtIn("ann", 5),)),
    (cc.BuyIn("ann", 5), Person("staff", "Cara"), None, NOTHING, (ce.BoughtIn("ann", 5),)),
    (cc.BuyIn("ann", 5), Person("patron", "Cara", "Cashier"), None, NOTHING,
     (ce.BoughtIn("ann", 5),)),
]  # fmt: skip


@pytest.mark.parametrize("forged", UNRIGHTFUL, ids=[f"{n}" for n in range(len(UNRIGHTFUL))])
async def test_what_nobody_may_do_at_the_cage_is_found(forged: Any) -> None:  # noqa: ANN401
    store = await played(4)
    assert (await verify(store, RULEBOOKS)).findings == []
    asked, actor, approver, house, events = forged
    await write(store, CageStream(), asked, actor, events, house, approver)
    findings = (await verify(store, RULEBOOKS)).findings
    assert findings[0].stream == "cage"
    assert findings[0].kind in ("decision", "house"), findings


# Transfers


async def sent_to(store: MemoryStore, table: str = "1") -> str:
    """Send 5.00 of ann's wallet to a table, and return the name under which it is sent."""
    number = (await store.head("cage")).sequence + 1
    event = ce.SentToTable(number, "ann", table, 5_00)
    ask = cc.SendToTable("ann", table, 5_00)
    await write(store, CageStream(), ask, PATRON, (event,))
    return (await store.head("cage")).hash.hex()


async def brought_to(store: MemoryStore, patron: str, cents: int, name: str) -> None:
    command = c.BringCredit(patron, cents, name)
    happened = (e.CreditBrought(patron, cents, name),)
    table, named = TableStream("1", RULEBOOKS), bring_id(name)
    again = (STREAM, CAGE.key, named) in await store.find([(STREAM, CAGE.key, named)])
    await write(store, table, command, CAGE, happened, command_id=None if again else named)


async def kinds(store: MemoryStore) -> set[str]:
    return {one.kind for one in (await verify(store, RULEBOOKS)).findings}


async def test_a_transfer_is_taken_over_once_and_by_whom_it_was_sent_to() -> None:
    store = await played(4)
    await brought_to(store, "ann", 5_00, await sent_to(store))
    assert await kinds(store) == set()
    for patron, cents, made_up in (("ann", 6_00, ""), ("bea", 5_00, ""), ("ann", 5_00, "t8")):
        store = await played(4)
        name = await sent_to(store)
        await brought_to(store, patron, cents, made_up or name)
        assert await kinds(store) & {"transfer", "balance"}
    store = await played(4)
    name = await sent_to(store)
    await sent_to(store)
    for _ in range(2):  # what was sent twice is taken over under one name
        await brought_to(store, "ann", 5_00, name)
    assert await kinds(store) == {"transfer"}
    store = await played(4)
    await brought_to(store, "ann", 5_00, await sent_to(store, "2"))
    assert await kinds(store) & {"transfer", "balance"}


async def test_what_is_said_to_have_become_of_a_transfer_is_so() -> None:
    """The decision of the cage is in order; only the table's stream tells otherwise."""
    store = await played(4)
    name = await sent_to(store)
    number = (await store.head("cage")).sequence
    arrived = (cc.NoteArrival(number), CAGE, (ce.CreditArrived(number),))
    await write(store, CageStream(), *arrived, command_id=end_id(name, arrived=True))
    (finding,) = (await verify(store, RULEBOOKS)).findings
    assert "arrived, and no table took it over" in finding.sentence
    store = await played(4)
    name = await sent_to(store)
    await sent_to(store)
    await brought_to(store, "ann", 5_00, name)
    number = (await store.head("cage")).sequence - 1
    back = (cc.SendBack(number), CAGE, (ce.SentBack(number, "ann", "1", 5_00),))
    await write(store, CageStream(), *back, command_id=end_id(name, arrived=False))
    (finding,) = (await verify(store, RULEBOOKS)).findings
    assert "is back, and its table took it over" in finding.sentence
    store = await played(4)
    name = await sent_to(store)
    await brought_to(store, "ann", 5_00, name)
    number = (await store.head("cage")).sequence
    arrived = (cc.NoteArrival(number), CAGE, (ce.CreditArrived(number),))
    await write(store, CageStream(), *arrived, command_id="arrived")
    (finding,) = (await verify(store, RULEBOOKS)).findings
    assert "under the identification that its hash gives" in finding.sentence


async def test_what_left_a_seat_is_taken_over_once_and_as_it_left() -> None:
    for patron, cents, times, made_up in (
        ("ann", 5_00, 1, ""),
        ("ann", 4_00, 1, ""),
        ("bea", 5_00, 1, ""),
        ("ann", 2_50, 2, ""),
        ("ann", 5_00, 1, "another"),
    ):
        store = await played(Phase.IDLE)
        take = (c.TakeCredit("ann", 5_00), PATRON)
        left = e.CreditTaken("ann", 5_00, to_wallet=True)
        await write(store, TableStream("1", RULEBOOKS), *take, (left,))
        assert await kinds(store) == set(), "it is on its way"
        name = made_up or f"{(await store.head(STREAM)).hash.hex()}-0"
        for time in range(times):
            receive = cc.ReceiveFromTable(name, patron, "1", cents)
            got = ce.ReceivedFromTable(name, patron, "1", cents)
            named = None if time else receive_id(name)
            await write(store, CageStream(), receive, CAGE, (got,), command_id=named)
        right = (patron, cents, times, made_up) == ("ann", 5_00, 1, "")
        assert bool(await kinds(store) & {"transfer", "balance"}) is not right
    # Credit that is said to have been paid in cash is the patron's no more.
    store = await played(Phase.IDLE)
    cash = e.CreditTaken("ann", 5_00)
    await write(store, TableStream("1", RULEBOOKS), c.TakeCredit("ann", 5_00), PATRON, (cash,))
    assert await kinds(store) == {"decision"}


# People


async def test_an_act_by_a_position_that_may_not_is_found() -> None:
    store = await played(Phase.IDLE)
    closed = [one async for one in decisions_of(store, STREAM)]
    assert closed
    limits = c.SetLimits({"*": Limits(50_00, 500_00)}, "so")
    book = Book()
    asked = [read_record(record) for record in await store.read(STREAM)]
    for one in asked[1:]:
        book.add(
            book.decided(
                one.command, one.actor, NOW, one.approver, one.house.cards, one.house.die
            )
        )
    true = book.decided(limits, person(MANAGER), NOW, person(SECOND))
    assert true.refusal is None
    book.add(true)
    assert book.findings() == []
    wrong = {
        "lower": replace(true, actor=person(DEALER)),
        "alone": replace(true, approver=None),
        "by oneself": replace(true, approver=person(MANAGER)),
        "by a dealer": replace(true, approver=person(replace(DEALER, name="Dot"))),
        "patron": replace(true, actor=Person("patron", "ann")),
    }
    for name, forged in wrong.items():
        book.written.pop()
        before = book.written[-1][1]
        body = encode(forged)
        digest = chain(before.hash, body)
        record = Record(
            STREAM, forged.sequence, forged.command_id, forged.actor.key, body, digest
        )
        book.written.append((forged, record, []))
        (finding,) = book.findings()
        assert (finding.sequence, finding.kind) == (true.sequence, "decision"), name
