"""Exclusions and own limits in a house, from its journal, before any stream is asked."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from croupier.accounts import commands as a
from croupier.accounts.authority import FOUNDER
from croupier.accounts.events import OwnLimit
from croupier.accounts.limits import LimitCode
from croupier.cage import commands as cage
from croupier.floor.clock import HouseClock
from croupier.floor.configuration import Configuration
from croupier.floor.desk import Request
from croupier.floor.elsewhere import StakesElsewhere
from croupier.floor.house import House
from croupier.floor.limits import PLAYS, DayBook, in_play_cents
from croupier.gaming_day import GamingDay
from croupier.journal.codec import COMMANDS
from croupier.journal.memory import MemoryStore
from croupier.journal.performance import Performance
from croupier.journal.verify import verify
from croupier.rulebooks import GAMES, RULEBOOKS
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.next import Act, next_act
from croupier.table.placement import own_stakes
from croupier.table.roles import Patron
from croupier.table.settings import Settings
from croupier.table.state import Phase
from tests.floor.casino import CARA, SUSI
from tests.floor.rounds import looped
from tests.journal.book import Book
from tests.journal.test_forged_walks import walked
from tests.table.floor import MANAGER

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.accounts.limits import LimitRefusal
    from croupier.journal.decision import Decision
    from croupier.journal.writer import Reply
    from croupier.table.roles import Actor

NOON = datetime(2026, 1, 1, 4, tzinfo=UTC)  # noon in Singapore
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
DAY = GamingDay()
PATRONS = ("ann", "bob", "cid", "dot")
TABLES = ("one", "two")


# Counting, compared with the books of performance


@pytest.mark.parametrize("game", [game.slug for game in GAMES])
def test_what_was_won_and_lost_and_how_long_agrees_with_the_ratings(game: str) -> None:
    kinds: Counter[type] = Counter()
    for seed in range(12):
        book = Book()
        book.follow(walked(game, seed, 150))
        days, ratings = DayBook(DAY), Performance(DAY)
        for one, _, _ in book.written:
            days.feed(one)
            days.feed(one)  # once more changes nothing
            ratings.feed(one)
            kinds.update(type(event) for event in one.events)
        end = datetime.fromisoformat(book.written[-1][0].moment)
        days.turn_to(end)
        won: Counter[str] = Counter()
        seated: dict[str, timedelta] = {}
        today = DAY.period(end).day
        for playing, rating in ratings.ratings(end).items():
            if playing.day == today:
                won[playing.patron] -= rating.total.win_cents
                so_far = seated.get(playing.patron, timedelta())
                seated[playing.patron] = so_far + rating.seated
        for patron in {*won, *seated, *days.days}:
            day = days.day(patron)
            assert day.won_cents == won[patron], (seed, patron)
            assert day.played(end) == seated.get(patron, timedelta()), (seed, patron)
    assert kinds[e.WagersSettled]
    assert kinds[e.SeatLeft]


def test_walks_reverse_and_void_what_was_counted() -> None:
    """What the comparison above is worth: pay lists were taken back, and not only made."""
    seen: Counter[str] = Counter()
    for game in ("baccarat", "power-98", "tiger"):
        for seed in range(6):
            book = Book()
            book.follow(walked(game, seed, 150))
            for one, _, _ in book.written:
                for event in one.events:
                    seen["reversed"] += isinstance(event, i.SettlementReversed)
                    seen["voided"] += isinstance(event, i.RoundVoided) and bool(event.reversed)
    assert seen["reversed"]


@pytest.mark.parametrize("game", [game.slug for game in GAMES])
def test_stakes_in_play_elsewhere_agree_with_the_table(game: str) -> None:
    kinds: Counter[type] = Counter()
    for seed in range(6):
        book, stakes = Book(), StakesElsewhere()
        for asked in walked(game, seed, 150):
            book.follow([asked])
            decision, table = book.written[-1][0], book.state.table
            stakes.feed(decision)
            kinds.update(type(event) for event in decision.events)
            for patron in table.seats:
                assert stakes.cents(patron) == in_play_cents(table, patron), (seed, patron)
    assert kinds[e.WagerPlaced]
    assert kinds[e.WagersSettled]


def decided(sequence: int, moment: datetime, *events: Any, stream: str = "table:1") -> Decision:  # noqa: ANN401
    """Return a decision as far as a day book looks at it."""
    one = Book().written[0][0]
    written = moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return replace(one, stream=stream, sequence=sequence, moment=written, events=events)


def line(patron: str, won: int) -> e.PayLine:
    return e.PayLine(1, patron, "player", 100, 100, "loses", None, None, None, won)


def test_a_gaming_day_begins_anew_with_whoever_sits() -> None:
    book, begins = DayBook(DAY), DAY.periods(DAY.period(NOON).day)[-1].ends
    book.feed(decided(1, begins - HOUR, e.SeatTaken("ann", 1), e.SeatTaken("bob", 2)))
    book.feed(
        decided(2, begins - MINUTE, e.WagersSettled((line("ann", -50),)), e.SeatLeft("bob"))
    )
    ann, bob = book.day("ann"), book.day("bob")
    assert (ann.won_cents, ann.played(begins - MINUTE)) == (-50, 59 * MINUTE)
    assert (bob.won_cents, bob.played(begins - MINUTE)) == (0, 59 * MINUTE)
    # The pay list of the day before is taken back: it is no win of this day.
    book.feed(decided(3, begins + MINUTE, i.SettlementReversed((line("ann", -50),), None, "x")))
    assert book.day("ann").won_cents == 0
    assert book.day("ann").played(begins + 2 * MINUTE) == 2 * MINUTE
    assert book.day("bob").played(begins + 2 * MINUTE) == timedelta()
    book.feed(decided(4, begins + 2 * MINUTE, e.WagersSettled((line("ann", -30),))))
    back = i.RoundVoided(None, "SETTLED", (), (line("ann", -30),))
    assert book.day("ann").won_cents == -30
    book.feed(decided(5, begins + 3 * MINUTE, back))
    assert book.day("ann").won_cents == 0


def test_two_seats_at_once_count_once() -> None:
    chance = Random(1)
    for _ in range(200):
        book, minutes = DayBook(DAY), set()
        for number in range(3):
            at = sorted(chance.sample(range(60), 4))
            for place, (start, stop) in enumerate((at[:2], at[2:])):
                events = ((start, e.SeatTaken("ann", 1)), (stop, e.SeatLeft("ann")))
                for which, (minute, event) in enumerate(events, 2 * place + 1):
                    moment, stream = NOON + minute * MINUTE, f"table:{number}"
                    book.feed(decided(which, moment, event, stream=stream))
                minutes |= set(range(start, stop))
        assert book.day("ann").played(NOON + HOUR) == len(minutes) * MINUTE


# A house


class Floor:
    """A house whose people ask as a server asks: about limits first."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.store, self.now = folder, MemoryStore(), NOON
        self.chance, self.number, self.ratings = Random(seed), 0, Performance(DAY)
        self.house: House = self._new()
        self.seen: Counter[str] = Counter()

    def _new(self) -> House:
        return House(self.folder, self.store, Configuration(), below=self.chance.randrange,
                     clock=HouseClock(lambda: self.now, self._monotonic_ns),
                     subscribers=(self.ratings.committed,))  # fmt: skip

    def _monotonic_ns(self) -> int:
        """Return nanoseconds that go on as the moments of this test do."""
        return (self.now - NOON) // timedelta(microseconds=1) * 1_000

    async def start(self) -> None:
        await self.house.keeper.start()
        await self.house.start(drive=False)

    async def again(self) -> None:
        """Close the house and start another one on the same journal."""
        days = self.days()
        await self.house.transfers.close()
        await self.house.writer.close()
        await self.house.keeper.close()
        self.house = self._new()
        await self.start()
        # What a start interrupts is void, and whoever sits goes on sitting.
        assert self.days() == days

    def days(self) -> dict[str, tuple[timedelta, int]]:
        """Return what everybody did today."""
        found = {patron: self.house.limits.today(patron, self.now) for patron in PATRONS}
        return {patron: (one.played, one.won_cents) for patron, one in found.items()}

    async def found(self) -> None:
        await self.start()
        for patron in PATRONS:
            await self.do("accounts", a.AddUser(patron, a.UserKind.PATRON), FOUNDER)
            await self.do("cage", cage.BuyIn(patron, 100_000_00), CARA)
        for name in TABLES:
            await self.house.table(name)
            await self.do(name, c.OpenTable(Settings(rulebook="EB4", game="tiger")), MANAGER)

    def submit(self, name: str, command: Any, actor: Actor) -> asyncio.Future[Reply]:  # noqa: ANN401
        """Submit a command."""
        self.number += 1
        house = self.house
        desks: dict[str, Any] = {"cage": house.cage, "accounts": house.accounts, **house.tables}
        second = SUSI if actor is CARA and not isinstance(command, cage.BuyIn) else None
        request = Request(f"n-{self.number}", actor, command, second)
        return house.writer.submit(desks[name].seat, request)

    async def do(self, name: str, command: Any, actor: Actor) -> bool:  # noqa: ANN401
        """Submit a command; tell whether it was accepted."""
        return (await self.submit(name, command, actor)).accepted

    async def ask(self, name: str, command: Any, patron: str) -> LimitRefusal | None:  # noqa: ANN401
        """Ask as a server does; return why the house itself says no."""
        stream = name if name == "cage" else f"table:{name}"
        refused = self.house.allowed(patron, stream, command, self.now)
        if refused is None:
            actor: Actor = CARA if type(command) is cage.BuyIn else Patron(patron)
            answer = self.submit(name, command, actor)
            self.house.limits.on_its_way(patron, stream, command, answer)
            done = (await answer).accepted
            self.seen[type(command).__name__] += done
            if done and isinstance(command, c.PlaceWager):
                self.check_wager(patron, name, command)
        else:
            self.seen[refused.code.value] += 1
        if type(command) is cage.SendToTable:
            await self.house.transfers.quiet()
        return refused

    async def deal(self, name: str) -> None:
        """Let the system do what comes next at a table."""
        table = self.house.tables[name].table
        if table.replacement_due:
            await self.do(name, c.DecideReplacement(replace=False), MANAGER)
        act = next_act(table, self.now, hurried=True)
        if isinstance(act, Act):
            await self.do(name, act.command, act.actor)

    async def step(self) -> None:
        pick = self.chance.choice
        patron, name = pick(PATRONS), pick(TABLES)
        self.now += pick((0, 0, 1, 3, 30)) * MINUTE
        wager = c.PlaceWager(patron, pick(("player", "banker", "tie")), pick((50_00, 500_00)))
        what = self.chance.randrange(24)
        if what == 0:
            await self.sets(patron)
        elif what == 1:
            await self.ask(name, c.LeaveSeat(patron), patron)
        elif what in (2, 3):
            await self.ask("cage", cage.SendToTable(patron, name, 1_000_00), patron)
        elif what in (4, 5):
            await self.ask(name, c.TakeSeat(patron, PATRONS.index(patron) + 1), patron)
        elif what in (6, 7, 8):
            await self.ask(name, wager, patron)
        elif what == 9:  # several at once, at both tables
            await asyncio.gather(*(self.ask(one, wager, patron) for one in TABLES * 2))
        else:
            await self.deal(name)
        self.check()

    async def sets(self, patron: str) -> None:
        """Let a patron set a limit of their own, or be excluded for a while."""
        pick = self.chance.choice
        cents, minutes = pick((100_00, 600_00, 2_000_00)), pick((20, 60, 400))
        command = pick((
            a.SetLossLimit(patron, cents), a.SetStakeLimit(patron, cents),
            a.SetTimeLimit(patron, minutes), a.ExcludePatron(patron, self.now + HOUR),
        ))  # fmt: skip
        await self.do("accounts", command, Patron(patron))

    def won(self, patron: str) -> int:
        """Return what a patron won today by the books of performance."""
        today = DAY.period(self.now).day
        rated = self.ratings.ratings(self.now).items()
        return -sum(
            one.total.win_cents
            for playing, one in rated
            if (playing.patron, playing.day) == (patron, today)
        )

    def in_play(self, patron: str) -> int:
        tables = [desk.table for desk in self.house.tables.values()]
        over = (Phase.SETTLED, Phase.VOID, Phase.IDLE)
        return sum(table.staked(patron) for table in tables if table.phase not in over)

    def check(self) -> None:
        """Compare with books kept apart."""
        for patron in PATRONS:
            today = self.house.limits.today(patron, self.now)
            assert today.won_cents == self.won(patron)
            assert today.in_play_cents == self.in_play(patron)
            for name in TABLES:
                for cents in (50_00, 500_00):
                    wager = c.PlaceWager(patron, "player", cents)
                    refused = self.house.allowed(patron, f"table:{name}", wager, self.now)
                    assert self.leaves(name, wager) is (refused is None), refused

    def leaves(self, name: str, wager: c.PlaceWager) -> bool:
        """Tell whether a patron is told that a wager may be placed, as a screen reads it."""
        patron, table = wager.patron, self.house.tables[name].table
        left = self.house.limits.leaves(patron, self.now)
        if left is None:
            return True
        in_play = in_play_cents(table, patron)
        over_time = left.barred is not None and left.barred.code is LimitCode.OWN_TIME_LIMIT
        if left.barred is not None and not (over_time and in_play):
            self.seen["told that they are barred"] += 1
            return False
        whole = wager.cents + (own_stakes(table, patron).get(wager.wager, 0) if in_play else 0)
        if left.stake_cents is not None and whole > left.stake_cents:
            return False
        return left.loss_cents is None or wager.cents <= left.loss_cents

    def check_wager(self, patron: str, name: str, wager: c.PlaceWager) -> None:
        """Insist that a wager which was placed is within all that its patron set."""
        accounts = self.house.accounts.accounts
        assert accounts.excluded(patron, self.now) is None
        loss = accounts.limit(patron, OwnLimit.LOSS, self.now)
        if loss is not None:
            assert self.in_play(patron) - self.won(patron) <= loss
            self.seen["placed within a loss"] += 1
        most = accounts.limit(patron, OwnLimit.STAKE, self.now)
        if most is not None:
            stakes = self.house.tables[name].table.stakes
            mine = [one.share(patron) for one in stakes if one.wager == wager.wager]
            assert sum(share.cents for share in mine if share is not None) <= most
            self.seen["placed within a stake"] += 1


async def walk(folder: Path, seed: int, steps: int) -> Floor:
    floor = Floor(folder, seed)
    await floor.found()
    for number in range(steps):
        await floor.step()
        if number % 97 == 96:
            await floor.again()
    await floor.house.transfers.quiet()
    assert (await verify(floor.store, RULEBOOKS)).findings == []
    return floor


@looped
async def test_walks_of_houses_count_the_same_after_every_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.floor.limits.PAGE", 7)
    seen: Counter[str] = Counter()
    for seed in range(3):
        floor = await walk(tmp_path / str(seed), seed, 400)
        seen += floor.seen
    wanted = {
        "told that they are barred",
        "excluded",
        "own_time_limit",
        "own_stake_limit",
        "own_loss_limit",
        "PlaceWager",
    }
    wanted |= {"placed within a loss", "placed within a stake", "SendToTable", "LeaveSeat"}
    assert wanted - set(seen) == set(), seen


# Every command


def sample(kind: type[Any]) -> Any:  # noqa: ANN401  # any command
    """Return some command of a kind that names a patron."""
    values = {"patron": "ann", "position": 1, "cents": 100, "wager": "player", "table": "one",
              "ticket": "t", "validation": "v", "stake": 1}  # fmt: skip
    return kind(**{name: values[name] for name in kind.__struct_fields__ if name in values})


MAY_NEVER = {
    "take_seat", "bring_credit", "place_wager", "raise_wager", "send_to_table", "buy_in",
    "take_in_ticket",
}  # fmt: skip
"""What a patron who is excluded or disabled may not; written by hand."""


@pytest.mark.parametrize("bars", [a.ExcludePatron("ann"), a.DisableUser("ann", "so")])
@looped
async def test_who_is_barred_leaves_and_cashes_out_and_nothing_else(
    bars: a.AccountsCommand, tmp_path: Path
) -> None:
    floor = Floor(tmp_path, 1)
    await floor.found()
    assert await floor.ask("one", c.TakeSeat("ann", 1), "ann") is None
    assert await floor.ask("cage", cage.SendToTable("ann", "one", 1_000_00), "ann") is None
    own = isinstance(bars, a.ExcludePatron)
    assert await floor.do("accounts", bars, Patron("ann") if own else FOUNDER)
    tried = set()
    for name, kind in COMMANDS.items():
        fields = kind.__struct_fields__
        if not issubclass(kind, c.Command | cage.CageCommand) or "patron" not in fields:
            continue
        with suppress(TypeError):  # a command that needs more is in the way of nobody
            command = sample(kind)
            tried.add(name)
            refused = floor.house.allowed("ann", "table:one", command, floor.now)
            assert (refused is not None) is (name in MAY_NEVER), name
            assert issubclass(kind, PLAYS) is (name in MAY_NEVER)
            assert floor.house.allowed("bob", "table:one", command, floor.now) is None
    assert tried >= MAY_NEVER
    code = LimitCode.EXCLUDED if own else LimitCode.DISABLED
    refused = await floor.ask("one", c.PlaceWager("ann", "player", 100_00), "ann")
    assert refused is not None
    assert refused.code is code
    assert await floor.ask("one", c.TakeCredit("ann", 100_00), "ann") is None
    assert await floor.ask("one", c.LeaveSeat("ann"), "ann") is None
    await floor.house.transfers.quiet()
    assert await floor.ask("cage", cage.CashOut("ann", 100_000_00), "ann") is None
    assert [floor.seen[one] for one in ("TakeCredit", "LeaveSeat", "CashOut")] == [1, 1, 1]


@looped
async def test_wagers_sent_at_once_are_judged_one_after_the_other(tmp_path: Path) -> None:
    floor = Floor(tmp_path, 1)
    await floor.found()
    for name in TABLES:
        await floor.ask(name, c.TakeSeat("ann", 1), "ann")
        await floor.ask("cage", cage.SendToTable("ann", name, 5_000_00), "ann")
        while floor.house.tables[name].table.phase is not Phase.OPEN:
            await floor.deal(name)
    await floor.do("accounts", a.SetLossLimit("ann", 600_00), Patron("ann"))
    wager = c.PlaceWager("ann", "player", 250_00)
    told = await asyncio.gather(*(floor.ask(name, wager, "ann") for name in TABLES * 3))
    assert [one is None for one in told].count(True) == 2
    assert floor.in_play("ann") == 500_00
    last = next(one for one in told if one is not None)
    assert last.sentence.endswith(
        "has lost 0.00 and 500.00 in play, so 100.00 may be put down."
    )
    assert await floor.ask("two", c.PlaceWager("ann", "tie", 100_00), "ann") is None
    assert floor.in_play("ann") == 600_00


@looped
async def test_stakes_in_play_go_on_when_the_time_is_over(tmp_path: Path) -> None:
    floor = Floor(tmp_path, 1)
    await floor.found()
    await floor.ask("one", c.TakeSeat("ann", 1), "ann")
    await floor.ask("cage", cage.SendToTable("ann", "one", 1_000_00), "ann")
    await floor.do("accounts", a.SetTimeLimit("ann", 60), Patron("ann"))
    while floor.house.tables["one"].table.phase is not Phase.OPEN:
        await floor.deal("one")
    wager = c.PlaceWager("ann", "player", 100_00)
    floor.now += 59 * MINUTE
    assert await floor.ask("one", wager, "ann") is None
    floor.now += MINUTE
    assert await floor.ask("one", c.PlaceWager("ann", "tie", 50_00), "ann") is None
    assert floor.seen["PlaceWager"] == 2
    rounds = floor.house.tables["one"].table.rounds
    while floor.house.tables["one"].table.rounds == rounds:
        await floor.deal("one")
    assert floor.house.tables["one"].table.phase is Phase.OPEN
    refused = await floor.ask("one", wager, "ann")
    assert refused is not None
    assert refused.code is LimitCode.OWN_TIME_LIMIT
    # Another day begins, and the patron still sits there.
    floor.now = DAY.periods(DAY.period(floor.now).day)[-1].ends
    assert floor.house.allowed("ann", "table:one", wager, floor.now) is None
    assert floor.house.allowed("ann", "table:one", wager, floor.now + HOUR) is not None
