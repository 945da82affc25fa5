"""Rounds that are over as staff and patrons read them, and since when a table is on hold."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
import pytest

from croupier.floor.desk import Desk, Request
from croupier.floor.sources import DeviceSource
from croupier.journal.memory import MemoryStore
from croupier.journal.opening import open_reader
from croupier.journal.reader import StoreReader
from croupier.journal.recall import finished_round, recall
from croupier.journal.tables import TableStream
from croupier.journal.writer import Writer
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands as c
from croupier.table import incidents as i
from croupier.table.roles import Patron
from croupier.table.rulings import Situation
from croupier.table.settings import Method, Settings
from croupier.table.views import Audience
from croupier.table.views.rounds import OwnBalance, OwnRound, StaffRound
from tests.journal.casino import Clock, built
from tests.table.floor import DEALER, MANAGER, SECOND, SUPERVISOR, SYSTEM

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.floor.desk import Reply
    from croupier.journal.recall import Recalled
    from croupier.journal.writer import Committed
    from croupier.table.roles import Actor


@pytest.fixture(scope="module")
def rounds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Recalled]]:
    """Return the rounds of both tables of a small casino."""
    journal = built(tmp_path_factory.mktemp("casino"))

    async def read(path: Path) -> dict[str, list[Recalled]]:
        async with await open_reader(str(path)) as reader:
            return {name: await recall(reader, name, RULEBOOKS, 10) for name in ("1", "2")}

    return asyncio.run(read(journal))


def test_a_settled_round_has_its_cards_stakes_and_lines(
    rounds: dict[str, list[Recalled]],
) -> None:
    (recalled,) = rounds["1"]
    one = finished_round(recalled, Audience.DEALER)
    assert isinstance(one, StaffRound)
    assert (one.round, one.shoe, one.void, one.dealt_by) == (1, "shoe-1", None, "dealer")
    assert one.closed is not None
    assert one.settled is not None
    assert one.opened < one.closed < one.settled
    assert [(s.patron, s.wager, s.cents) for s in one.stakes] == [
        ("ann", "banker", 100_00),
        ("ann", "tie", 20_00),
    ]
    assert [line.patron for line in one.lines] == ["ann", "ann"]
    assert 4 <= len(one.cards) <= 6
    assert None not in one.cards
    assert one.player is not None
    assert one.banker is not None
    higher = "player" if one.player > one.banker else "banker"
    assert one.winner == ("tie" if one.player == one.banker else higher)
    assert msgspec.json.decode(msgspec.json.encode(one), type=StaffRound) == one


def test_a_patron_reads_the_own_part_of_a_round(rounds: dict[str, list[Recalled]]) -> None:
    (recalled,) = rounds["1"]
    own, other = (finished_round(recalled, Audience.PATRON, name) for name in ("ann", "bea"))
    assert isinstance(own, OwnRound)
    assert [stake.wager for stake in own.stakes] == ["banker", "tie"]
    assert len(own.lines) == 2
    assert (other.stakes, other.lines, other.cards) == ((), (), own.cards)
    assert b"ann" not in msgspec.json.encode(own)


def test_a_round_that_an_interruption_made_void_says_so(
    rounds: dict[str, list[Recalled]],
) -> None:
    one = finished_round(rounds["2"][0], Audience.AUDITOR)
    assert one.void is not None
    assert (one.void.clause, one.void.why) == ("EB4 5.9.1", "a power failure")
    (stood,) = one.interruptions
    assert (stood.phase, stood.known, stood.established) == ("OPEN", (), False)
    assert stood.clause is not None
    assert (one.winner, one.settled, one.lines) == (None, None, ())
    assert [stake.cents for stake in one.stakes] == [50_00]


async def test_a_table_knows_with_which_decision_its_hold_began() -> None:
    """A hold that is suspended begins again when it is resumed; an answer changes nothing."""
    heard: list[Committed] = []
    store = MemoryStore()
    writer = Writer(
        store, clock=Clock(), subscribers=(lambda landed: heard.extend(landed.all),)
    )
    desk = Desk(writer, "1", RULEBOOKS, DeviceSource())
    await desk.start()
    count = 0

    async def ask(command: c.Command, actor: Actor = DEALER, *cards: str) -> Reply:
        nonlocal count
        count += 1
        request = Request(f"ask-{count}", actor, command, approver=SECOND, cards=cards)
        reply: Reply = await desk.submit(request)
        return reply

    settings = Settings(rulebook="BAC8", game="baccarat", method=Method.B)
    begun: tuple[tuple[c.Command, Actor], ...] = (
        (c.OpenTable(settings), MANAGER),
        (c.LoadShoe("one"), DEALER),
        *((c.TakeSeat(name, at), DEALER) for at, name in enumerate(("ann", "bea"), 1)),
        *((c.BringCredit(name, 500_00), DEALER) for name in ("ann", "bea")),
        (c.CallBets(), DEALER),
        (c.PlaceWager("ann", "player", 100_00), Patron("ann")),
        (c.PlaceWager("bea", "banker", 100_00), Patron("bea")),
        (c.CloseBets(), DEALER),
    )
    for command, actor in begun:
        assert (await ask(command, actor)).accepted
    together = c.report(Situation.DRAWN_TOGETHER, count=2, order_known=True)
    assert (await ask(together, DEALER, "2S", "3H")).accepted
    placed = heard[-1].decision.sequence
    assert heard[-1].after.held_since == placed
    assert not (await ask(c.DrawCard(), DEALER, "9S")).accepted
    assert heard[-1].after.held_since == placed
    assert (await ask(c.ConfirmReport(), SUPERVISOR)).accepted
    offered = heard[-1].decision.sequence
    assert heard[-1].after.held_since == offered
    assert (await ask(c.KeepWagers("ann"), Patron("ann"))).accepted
    assert heard[-1].after.held_since == offered
    assert (await ask(c.EndOption(), SUPERVISOR)).accepted
    assert heard[-1].after.held_since == 0
    stream = TableStream("1", RULEBOOKS)
    state = stream.initial()
    for one in heard:
        begins = (i.HoldPlaced, i.HoldResumed)
        if any(isinstance(event, begins) for event in one.decision.events):
            assert one.after.held_since in (0, one.decision.sequence)
        if one.decision.refusal is None:
            decision = one.decision
            state = stream.fold(state, decision.house, decision.events, decision.sequence)
        assert state == one.after
        assert stream.unpack(stream.pack(state)) == state
    await writer.close()


async def recalled(settings: Settings, *asked: tuple[c.Command, Actor, str]) -> Recalled:
    """Return the last round of a table where all of this was asked, and done or refused."""
    store = MemoryStore()
    desk = Desk(Writer(store), "1", RULEBOOKS, DeviceSource())
    await desk.start()
    opening = [(c.OpenTable(settings), MANAGER, ""), (c.LoadShoe("one"), DEALER, "")]
    for number, (command, actor, card) in enumerate([*opening, *asked]):
        cards = (card,) if card else ()
        await desk.submit(Request(f"{number}", actor, command, SECOND, cards))
    await desk.close()
    return (await recall(StoreReader(store), "1", RULEBOOKS, 1))[0]


CARDS = [(c.DrawCard(), SYSTEM, face) for face in ("4S", "2H", "5D", "3C")]
BACCARAT = Settings(rulebook="BAC8", game="baccarat", method=Method.B, layout="C", positions=14)
DEALT: list[tuple[c.Command, Actor, str]] = [
    (c.CallBets(), DEALER, ""),
    (c.CloseBets(), DEALER, ""),
    *[(command, DEALER, face) for command, _, face in CARDS],
    (c.AnnounceOutcome(), DEALER, ""),
    (c.Settle(), DEALER, ""),
]


async def test_a_round_that_is_not_paid_is_not_finished() -> None:
    one = await recalled(BACCARAT, *DEALT)
    assert (one.ended, one.over) == ("settled", False)
    with pytest.raises(AssertionError, match="in progress"):
        finished_round(one, Audience.PIT)
    paid = await recalled(BACCARAT, *DEALT, (c.ConfirmPayment(), DEALER, ""))
    assert paid.over
    # Nobody staked anything, and it was settled all the same.
    finished = finished_round(paid, Audience.PUBLIC)
    assert finished.settled is not None
    assert (finished.winner, finished.void) == ("player", None)


ANN = Patron("ann")
SEATED: list[tuple[c.Command, Actor, str]] = [
    (c.TakeSeat("ann", 1), DEALER, ""),
    (c.BringCredit("ann", 500_00), DEALER, ""),
]
STAKED: list[tuple[c.Command, Actor, str]] = [
    (c.CallBets(), DEALER, ""),
    (c.PlaceWager("ann", "player", 100_00), ANN, ""),
    (c.PlaceWager("ann", "tie", 50_00), ANN, ""),
]
PAID: list[tuple[c.Command, Actor, str]] = [
    *DEALT[2:],
    (c.ConfirmPayment(), DEALER, ""),
]
"""Player wins with 9."""
FOREIGN: list[tuple[c.Command, Actor, str]] = [
    (c.report(Situation.FOREIGN_CARD), DEALER, ""),
    (c.ConfirmReport("a joker"), SUPERVISOR, ""),
]


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ([*STAKED, (c.CloseBets(), DEALER, ""), *PAID], (500_00, 0, 0, 550_00)),
        ([*STAKED, (c.CloseBets(), DEALER, ""), *FOREIGN], (500_00, 0, 0, 500_00)),
        (
            [
                *STAKED,
                (c.CloseBets(), DEALER, ""),
                (c.report(Situation.POWER_FAILURE), SYSTEM, ""),
                (c.Withdraw("ann"), ANN, ""),
                (c.EndOption(), SUPERVISOR, ""),
                *PAID,
            ],
            (500_00, 0, 0, 500_00),
        ),
        (
            [
                *STAKED,
                (c.BringCredit("ann", 70_00), DEALER, ""),
                (c.TakeCredit("ann", 30_00), DEALER, ""),
                (c.CloseBets(), DEALER, ""),
                *PAID,
                (c.BringCredit("ann", 1_000_00), DEALER, ""),
            ],
            (500_00, 70_00, 30_00, 590_00),
        ),
        (
            [
                *STAKED,
                (c.CloseBets(), DEALER, ""),
                *PAID,
                (c.BringCredit("ann", 1_000_00), DEALER, ""),
                *FOREIGN,  # refused: the round is over
            ],
            (500_00, 0, 0, 550_00),
        ),
    ],
    ids=["paid", "void", "withdrawn", "credit", "refused-later"],
)
async def test_a_patron_reads_the_balance_before_and_after(
    asked: list[tuple[c.Command, Actor, str]], wanted: tuple[int, int, int, int]
) -> None:
    one = finished_round(await recalled(BACCARAT, *SEATED, *asked), Audience.PATRON, "ann")
    assert isinstance(one, OwnRound)
    assert one.balance == OwnBalance(*wanted)


async def test_a_round_that_is_void_after_all_counts_what_came_until_then() -> None:
    played: list[tuple[c.Command, Actor, str]] = [
        *SEATED,
        (c.CallBets(), DEALER, ""),
        (c.PlaceWager("ann", "player", 100_00), ANN, ""),
        (c.CloseBets(), DEALER, ""),
        *PAID,
        (c.BringCredit("ann", 1_000_00), DEALER, ""),
    ]
    tournament = Settings(rulebook="F6T2", game="fortune-six-tournament")
    paid = await recalled(tournament, *played)
    too_many = (c.report(Situation.WRONG_NUMBER, note="a card too many"), DEALER, "")
    void = await recalled(
        tournament, *played, too_many, (c.ConfirmReport("counted"), SUPERVISOR, "")
    )
    assert (paid.ended, void.ended) == ("settled", "void")
    for one, wanted in (
        (paid, OwnBalance(500_00, 0, 0, 600_00)),
        (void, OwnBalance(500_00, 1_000_00, 0, 1_500_00)),
    ):
        shown = finished_round(one, Audience.PATRON, "ann")
        assert isinstance(shown, OwnRound)
        assert shown.balance == wanted


async def test_nobody_else_reads_a_balance_and_none_is_made_up() -> None:
    round_ = await recalled(BACCARAT, *SEATED, *STAKED, (c.CloseBets(), DEALER, ""), *PAID)
    watched = finished_round(round_, Audience.PUBLIC)
    assert isinstance(watched, OwnRound)
    assert watched.balance is None
    assert b"balance" not in msgspec.json.encode(finished_round(round_, Audience.PIT))
    other = finished_round(round_, Audience.PATRON, "bea")
    assert isinstance(other, OwnRound)
    assert other.balance == OwnBalance(0, 0, 0, 0)
    # As a round reads that was called before credits were recorded.
    round_.credits = None
    old = finished_round(round_, Audience.PATRON, "ann")
    assert isinstance(old, OwnRound)
    assert old.balance is None


async def test_a_round_keeps_its_shoe_whatever_is_asked_later() -> None:
    tiger = Settings(rulebook="EB4", game="tiger")
    one = await recalled(
        tiger,
        (c.CallBets(), SYSTEM, ""),
        (c.CloseBets(), SYSTEM, ""),
        *CARDS,
        (c.Settle(), SYSTEM, ""),
        (c.EndShoe(), DEALER, ""),
        (c.LoadShoe("two"), DEALER, ""),
        (c.report(Situation.FOREIGN_CARD), DEALER, ""),
    )
    assert finished_round(one, Audience.PIT).shoe == "one"
