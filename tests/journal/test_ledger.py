"""The ledger: what every event posts is what it does to the table, to the cent.

A set of books is kept from the postings alone, and compared with the table after every event
of random walks through the lives of tables of all games. Then the postings of each kind of
event are written out, and the stores are asked to refuse what no patron may owe.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from croupier.accounting import account, may_be_negative
from croupier.cage.ledger import bank, box, ticket, transit, wallet
from croupier.floor.desk import Desk, Request
from croupier.floor.sources import DeviceSource
from croupier.journal import ledger
from croupier.journal.errors import LedgerError
from croupier.journal.verify import verify
from croupier.journal.writer import Writer
from croupier.rulebooks import GAMES, RULEBOOKS, find_game
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.evolve import EVENTS, evolve
from croupier.table.roles import Patron
from croupier.table.rulings import Situation
from croupier.table.settings import Limits, Method, Settings
from croupier.table.state import unopened
from tests.journal.places import append, claim, following, head_after, start
from tests.table.floor import BANKER_WINS, DEALER, MANAGER, PLAYER_WINS, TIE, Floor, faces
from tests.table.machine_walk import Walk

if TYPE_CHECKING:
    from collections.abc import Iterable

    import msgspec

    from croupier.journal.decision import Posting
    from croupier.journal.store import Store
    from croupier.journal.streams import Move
    from croupier.table.state import Table
    from tests.journal.places import Place

SLUGS = [game.slug for game in GAMES]
WALKS, STEPS = 6, 120
LONG_WALKS, LONG_STEPS = 40, 1_000
NAME = "7"
STREAM = f"table:{NAME}"
MONEY = ("credits", "in_play", "bank", "commission", "brought")


class Books:
    """Balances kept from postings alone, beside a table kept from events alone."""

    def __init__(self) -> None:
        self.table: Table = unopened(RULEBOOKS)
        self.balances: dict[str, int] = {}
        self.kinds: set[type[msgspec.Struct]] = set()
        """Which events moved something."""

    def take(self, event: e.Event) -> tuple[Move, ...]:
        """Post an event, and test all that must hold."""
        before = self.table
        moves = ledger.moves(NAME, before, event)
        self.table = evolve(before, event)
        for source, target, cents in moves:
            assert cents > 0
            assert source != target
            self.balances[source] = self.balances.get(source, 0) - cents
            self.balances[target] = self.balances.get(target, 0) + cents
        if moves:
            self.kinds.add(type(event))
        else:
            for field in MONEY:
                held, was = getattr(self.table, field), getattr(before, field)
                # A seat without credit comes and goes and is worth nothing.
                assert _nonzero(held) == _nonzero(was), f"{event} moved {field} in silence"
        self.check()
        return moves

    def check(self) -> None:
        table, balances = self.table, self.balances
        own = ledger.own_balances(NAME, balances)
        assert own == ledger.expected(NAME, table)
        result = balances.get(bank(NAME), 0) + balances.get(box(NAME), 0)
        assert result == table.bank, "the bank is not what the house won or lost"
        # What comes by a transfer was sent by the cage, whose books these are not.
        outside = {name for name in balances if name.startswith(("cash", "transit:"))}
        assert -sum(balances[name] for name in outside) == table.brought, "cash came or went"
        assert sum(balances.values()) == 0
        for name, cents in balances.items():
            own_or_house = cents >= 0 or name in outside or may_be_negative(name)
            assert own_or_house, f"{name} holds {cents}"


def _nonzero(held: Any) -> Any:  # noqa: ANN401  # an amount, or amounts by patron
    return (
        {name: cents for name, cents in held.items() if cents} if type(held) is dict else held
    )


def walked(game: str, seed: int, steps: int) -> list[e.Event]:
    walk = Walk(game, Random(seed))
    for _ in range(steps):
        walk.bring(walk.next())
    return walk.watch.events


@pytest.mark.clause("BAC8 5.1.1", "FF3 5.1.1", "EB4 5.1.1", "PB6 5.1.1", "F6T2 5.1.1")
@pytest.mark.parametrize("game", SLUGS)
def test_after_every_event_the_postings_are_what_the_table_says(game: str) -> None:
    kinds: set[type[msgspec.Struct]] = set()

    @settings(max_examples=WALKS, phases=(Phase.generate,))
    @given(seed=st.integers(0, 2**32))
    def walks(seed: int) -> None:
        books = Books()
        for event in walked(game, seed, STEPS):
            books.take(event)
        kinds.update(books.kinds)

    walks()
    assert {e.CreditBrought, e.WagerPlaced, e.WagersSettled} <= kinds


@pytest.mark.exhaustive
def test_long_walks_come_by_every_event_that_moves_money() -> None:
    kinds: Counter[type[msgspec.Struct]] = Counter()
    for seed in range(LONG_WALKS):
        books = Books()
        for event in walked(SLUGS[seed % len(SLUGS)], seed, LONG_STEPS):
            books.take(event)
        kinds.update(books.kinds)
    assert set(kinds) == set(ledger.MOVES)


def test_only_known_events_move_money() -> None:
    assert set(ledger.MOVES) <= set(EVENTS)


# The postings of each kind of event, written out


class PostedFloor(Floor):
    """A table whose events are posted as they come."""

    def __init__(self, game: str = "baccarat", **settings: Any) -> None:  # noqa: ANN401
        self.books = Books()
        self.posted = 0
        super().__init__(game, **settings)

    def moves(self) -> list[Move]:
        """Post what happened since the last time, and return what moved."""
        fresh = self.events[self.posted :]
        self.posted = len(self.events)
        return [move for event in fresh for move in self.books.take(event)]


@pytest.fixture
def floor() -> PostedFloor:
    wagers = [wager.slug for wager in find_game("baccarat").wagers]
    floor = PostedFloor(limits=dict.fromkeys(wagers, Limits(10_00, 1_000_00, 1_00)))
    floor.seat("ann", "bea", cents=500_00)
    floor.moves()
    return floor


SEAT, STAKES, BANK, BOX = "seat:7:ann", "stakes:7", "bank:7", "box:7"


def test_chips_bought_at_the_table_come_from_its_tray_and_the_cash_goes_into_its_box(
    floor: PostedFloor,
) -> None:
    floor.do(c.BringCredit("ann", 100_00))
    assert floor.moves() == [("cash", BOX, 100_00), (BANK, SEAT, 100_00)]
    floor.do(c.TakeCredit("ann", 40_00, cash=True))
    assert floor.moves() == [(SEAT, "cash", 40_00)]
    floor.do(c.TakeCredit("ann", 10_00))
    assert floor.moves() == [(SEAT, "transit:7:ann", 10_00)]


def test_credit_of_a_transfer_comes_and_goes_through_transit() -> None:
    brought = e.CreditBrought("ann", 5_00, "t1")
    taken = e.CreditTaken("ann", 4_00, to_wallet=True)
    assert ledger.moves(NAME, None, brought) == (("transit:7:ann", SEAT, 5_00),)
    assert ledger.moves(NAME, None, taken) == ((SEAT, "transit:7:ann", 4_00),)


def test_stakes_leave_the_seat_when_they_are_placed_raised_or_found(floor: PostedFloor) -> None:
    floor.open_bets()
    stake = floor.bet("ann", "player", 50_00)
    assert floor.moves() == [(SEAT, STAKES, 50_00)]
    floor.do(c.RaiseWager("ann", stake, 20_00), Patron("ann"))
    assert floor.moves() == [(SEAT, STAKES, 20_00)]
    floor.do(c.LowerWager("ann", stake, 30_00), Patron("ann"))
    assert floor.moves() == [(STAKES, SEAT, 30_00)]
    floor.do(c.RemoveWager("ann", stake), Patron("ann"))
    assert floor.moves() == [(STAKES, SEAT, 40_00)]
    floor.close_bets()
    floor.do(c.FindStake("ann", "tie", 5_00, reason="under a card"))
    assert floor.moves() == [(SEAT, STAKES, 5_00)]


def test_a_shared_stake_goes_back_to_each_patron_by_the_part(floor: PostedFloor) -> None:
    floor.open_bets()
    stake = floor.bet("ann", "player", 6_00, shared=True)
    floor.bet("bea", "player", 3_00, join=stake, position=1)
    floor.moves()
    floor.close_bets()
    assert type(floor.last(e.WagerReturned)) is e.WagerReturned
    assert floor.moves() == [(STAKES, SEAT, 6_00), (STAKES, "seat:7:bea", 3_00)]


def test_the_settlement_collects_pays_returns_and_keeps_the_commission(
    floor: PostedFloor,
) -> None:
    floor.bets(("ann", "banker", 100_00), ("bea", "player", 50_00), ("ann", "tie", 20_00))
    floor.deal(faces("baccarat", BANKER_WINS))
    floor.moves()
    floor.pay()
    assert floor.moves() == [
        (STAKES, SEAT, 100_00),
        (BANK, SEAT, 95_00),
        (BANK, "commission:7", 5_00),
        (STAKES, BANK, 70_00),
    ]
    assert floor.table.bank == 70_00 - 100_00
    assert floor.table.commission == 5_00


def test_a_push_returns_the_stake_and_nothing_else(floor: PostedFloor) -> None:
    floor.bets(("ann", "banker", 100_00))
    floor.deal(faces("baccarat", TIE))
    floor.moves()
    floor.pay()
    assert floor.moves() == [(STAKES, SEAT, 100_00)]


@pytest.mark.clause("BAC8 5.17.1")
def test_a_withdrawal_gives_back_what_was_staked(floor: PostedFloor) -> None:
    floor.bets(("ann", "banker", 100_00), ("ann", "tie", 20_00))
    floor.moves()
    floor.report(Situation.POWER_FAILURE)
    floor.confirm()
    floor.do(c.Withdraw("ann"), Patron("ann"))
    assert floor.moves() == [(STAKES, SEAT, 120_00)]


@pytest.mark.clause("BAC8 5.1.1")
def test_a_void_round_returns_every_stake(floor: PostedFloor) -> None:
    floor.bets(("ann", "banker", 100_00), ("bea", "tie", 20_00), ("ann", "tie", 30_00))
    floor.moves()
    before = dict(floor.books.balances)
    floor.draw("AS")
    floor.report(Situation.FOREIGN_CARD)
    floor.confirm()
    assert type(floor.last(i.RoundVoided)) is i.RoundVoided
    assert floor.moves() == [(STAKES, SEAT, 130_00), (STAKES, "seat:7:bea", 20_00)]
    assert before[STAKES] == 150_00
    assert floor.books.balances[STAKES] == 0


@pytest.mark.clause("BAC8 5.1.1", "FF3 5.1.1", "PB6 5.2", "F6T2 5.2")
@pytest.mark.parametrize("game", [game.slug for game in GAMES if game.edition.code != "EB4"])
@pytest.mark.parametrize("ranks", [PLAYER_WINS, BANKER_WINS, TIE])
def test_a_void_posts_the_exact_inverse_of_the_settlement(game: str, ranks: str) -> None:
    floor = PostedFloor(game)
    floor.seat("ann", "bea")
    floor.moves()
    first = dict(floor.books.balances)
    assert floor.table.plan is not None
    stakes = dict.fromkeys(floor.table.plan.offered, 100_00) | {
        "player": 400_00,
        "banker": 400_00,
    }
    floor.bets(*(("ann", *stake) for stake in stakes.items()), ("bea", "player", 50_00))
    floor.deal(faces(game, ranks))
    floor.moves()
    if floor.table.round and floor.table.round.outcome is None:
        floor.do(c.AnnounceOutcome())
    floor.do(c.Settle())
    paid = floor.moves()
    assert len(paid) > 1
    floor.report(Situation.FOREIGN_CARD)
    floor.confirm()
    back = floor.moves()
    assert back[: len(paid)] == [(target, source, cents) for source, target, cents in paid]
    assert back[len(paid) :] == [
        (STAKES, SEAT, sum(stakes.values())),
        (STAKES, "seat:7:bea", 50_00),
    ]
    assert {name: cents for name, cents in floor.books.balances.items() if cents} == first


# Accounts

names = st.text(":%ab1", max_size=5)


@given(st.lists(names, max_size=3), st.lists(names, max_size=3))
def test_no_two_names_share_an_account(one: list[str], other: list[str]) -> None:
    assert (account("seat", *one) == account("seat", *other)) == (one == other)
    assert not account("seat", *one).startswith("seats")


def test_each_table_sees_its_own_accounts_alone() -> None:
    balances = {
        "seat:1:ann": 1,
        "stakes:1": 2,
        "commission:1": 3,
        "seat:1:bea": 0,
        "seat:10:ann": 4,
        "stakes:10": 5,
        "commission:10": 6,
        "bank:1": -7,
        "wallet:ann": 8,
        account("seat", "1:ann", "cid"): 9,
    }
    own = {"seat:1:ann": 1, "stakes:1": 2, "commission:1": 3}
    assert ledger.own_balances("1", balances) == own
    assert ledger.tray_cents("1", balances) == -7 + 3


# Stores

PATRONS = [
    wallet("ann"),
    ledger.seat("1", "ann"),
    ledger.stakes("1"),
    transit("1", "ann"),
    ticket("1"),
]
HOUSE = ["cash", "vault", "bank:1", "box:1", "commission:1", "difference:1"]


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def place(request: pytest.FixtureRequest) -> Place:
    found: Place = request.getfixturevalue(request.param)
    return found


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest) -> Place:
    found: Place = request.getfixturevalue(request.param)
    return found


def moved(postings: Iterable[Posting]) -> dict[str, int]:
    """Return what postings alone come to."""
    balances: Counter[str] = Counter()
    for one in postings:
        balances[one.source] -= one.cents
        balances[one.target] += one.cents
    return dict(balances)


async def written(store: Store, events: list[e.Event], together: int) -> Books:
    """Write what the events of a table move, so many of them by one decision."""
    epoch, head, books = await claim(store, STREAM, "test"), start(STREAM), Books()
    for first in range(0, len(events), together):
        moves = [move for one in events[first : first + together] for move in books.take(one)]
        frame = following(head, epoch, moves=moves)
        await append(store, frame)
        head = head_after(frame)
        assert dict(await store.balances()) == books.balances
    return books


async def test_balances_are_what_the_postings_come_to(place: Place) -> None:
    events = walked("baccarat", 5, 150)
    assert any(isinstance(event, e.WagersSettled) for event in events)
    async with place.open() as store:
        books = await written(store, events, together=7)
    async with place.open() as store:
        postings = await store.postings(STREAM)
        assert dict(await store.balances()) == moved(postings) == books.balances
        assert sum(books.balances.values()) == 0


@pytest.mark.parametrize("name", PATRONS)
async def test_no_account_of_a_patron_goes_below_zero(place: Place, name: str) -> None:
    async with place.open() as store:
        epoch = await claim(store, STREAM, "test")
        for debt in ([(name, "cash", 1)], [("cash", name, 5), (name, "vault", 6)]):
            with pytest.raises(LedgerError, match="would hold less than nothing"):
                await append(store, following(start(STREAM), epoch, moves=debt))
        await append(store, following(start(STREAM), epoch, moves=[("cash", name, 5)]))
        assert dict(await store.balances()) == {"cash": -5, name: 5}


@pytest.mark.parametrize("name", PATRONS)
async def test_nor_does_the_database_let_it(database: Place, name: str) -> None:
    async with database.open() as store:
        epoch = await claim(store, STREAM, "test")
        await append(store, following(start(STREAM), epoch, moves=[("cash", name, 5)]))
    with pytest.raises(database.refusals):
        await database.bypass(f"UPDATE account SET cents = -1 WHERE name = '{name}'")  # noqa: S608
    async with database.open() as store:
        assert dict(await store.balances()) == {"cash": -5, name: 5}


@pytest.mark.parametrize("name", HOUSE)
async def test_an_account_of_the_house_may_go_below_zero(place: Place, name: str) -> None:
    async with place.open() as store:
        epoch = await claim(store, STREAM, "test")
        paid = [(name, "wallet:ann", 5)]
        await append(store, following(start(STREAM), epoch, moves=paid))
        assert dict(await store.balances()) == {name: -5, "wallet:ann": 5}


async def test_a_balance_that_is_not_its_postings_is_found(database: Place) -> None:
    opening = c.OpenTable(Settings(rulebook="BAC8", game="baccarat", method=Method.B))
    async with database.open() as store:
        desk = Desk(Writer(store), NAME, RULEBOOKS, DeviceSource())
        await desk.start()
        for number, (command, actor) in enumerate(
            (
                (opening, MANAGER),
                (c.TakeSeat("ann", 1), DEALER),
                (c.BringCredit("ann", 5_00), DEALER),
            )
        ):
            reply = await desk.submit(Request(f"c{number}", actor, command))
            assert reply.accepted
        await desk.close()
        assert (await verify(store, RULEBOOKS)).findings == []
    await database.bypass("UPDATE account SET cents = cents + 1 WHERE name = 'seat:7:ann'")
    async with database.open() as store:
        (finding,) = (await verify(store, RULEBOOKS)).findings
        assert finding.kind == "balance"
        assert "seat:7:ann" in finding.sentence
