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
from croupier.journal.verify import verify
from croupier.rulebooks import GAMES, RULEBOOKS
from croupier.rules.coup import Position
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.evolve import evolve
from croupier.table.roles import Patron
from croupier.table.state import Phase, unopened
from tests.floor.casino import BY, Casino
from tests.table.floor import DEALER, MANAGER, NOW, faces
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


def event(one: e.Event) -> Forged:
    return lambda _: [one]


BY_EVE = e.By("Eve", None, NOW)
VOID = i.RoundVoided(None, "IDLE", ())
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
