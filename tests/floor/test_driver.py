"""Drivers: tables that deal themselves, through desk, journal and sealed shoes."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from itertools import cycle
from random import Random
from typing import TYPE_CHECKING

import pytest

from croupier.floor import driver as driver_module
from croupier.floor.desk import Desk, Reply, Request
from croupier.floor.driver import Driver
from croupier.floor.sources import DeviceSource, SealedSource
from croupier.journal.errors import (
    BusyError,
    JournalError,
    NotDoneError,
    OtherCommandError,
    PoisonedError,
)
from croupier.journal.memory import MemoryStore
from croupier.journal.seal import KeyBox
from croupier.journal.verify import verify
from croupier.journal.writer import Writer
from croupier.rulebooks import GAMES, RULEBOOKS
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.course import due
from croupier.table.refusals import Code, refuse
from croupier.table.roles import Patron
from croupier.table.settings import Clocks, Device, Method
from croupier.table.state import Phase
from tests.floor.rounds import events_of, interruptions_of, looped
from tests.table.floor import ASSISTANT, DEALER, MANAGER, SYSTEM
from tests.table.next_house import settings_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from croupier.journal.writer import Landed
    from croupier.table.roles import Actor
    from croupier.table.settings import Settings

STREAM = "table:1"
EVERY_TABLE = [
    (game.slug, method)
    for game in GAMES
    for method in (Method if game.edition.code in ("BAC8", "FF3") else (None,))
]
BEHIND_CUT = 100
"""So many of about two hundred cards are not dealt: a shoe has about twenty rounds."""
QUICK = Clocks(betting_ms=30, pause_ms=5, pace_ms=1, answer_ms=10)
TABLES = [
    ("tiger", None),
    ("fabulous-4s", None),
    ("baccarat", Method.A),
    ("baccarat", Method.B),
    ("baccarat", Method.C),
    ("power-98", None),
    ("fortune-six-tournament", None),
]


class House:
    """A table with a driver, and patrons who wager whenever bets open."""

    def __init__(self, store: MemoryStore, folder: Path, seed: int = 1) -> None:
        self.chance = Random(seed)
        self.writer = Writer(store, subscribers=(self.committed,))
        below = self.chance.randrange
        source = SealedSource(store, KeyBox(folder), below)
        self.desk = Desk(self.writer, "1", RULEBOOKS, source)
        self.driver = Driver(self.desk, below)
        self.asked = 0
        self.tasks: set[asyncio.Task[None]] = set()

    def committed(self, landed: Landed) -> None:
        """Tell the driver; patrons hear the call for bets."""
        self.driver.committed(landed)
        if e.BetsOpened in landed.kinds:
            task = asyncio.get_running_loop().create_task(self.wager())
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def ask(self, command: c.Command, actor: Actor = SYSTEM) -> bool:
        """Bring a command; tell whether it was done."""
        self.asked += 1
        name = f"people-{id(self)}-{self.asked}"
        return (await self.desk.submit(Request(name, actor, command))).accepted

    async def open(self, settings: Settings) -> None:
        """Open the table and seat patrons."""
        await self.desk.start()
        opener = ASSISTANT if settings.method is Method.C else MANAGER
        assert await self.ask(c.OpenTable(settings), opener)
        for place, patron in enumerate(("ann", "bob"), 1):
            assert await self.ask(c.TakeSeat(patron, place))
            assert await self.ask(c.BringCredit(patron, 1_000_000_00))

    async def wager(self) -> None:
        """Let both patrons wager."""
        for patron, wager in (("ann", "player"), ("bob", "banker")):
            await self.ask(c.PlaceWager(patron, wager, 100_00), Patron(patron))

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds."""
        while not holds():
            assert self.driver.error is None
            await asyncio.sleep(0.002)


@asynccontextmanager
async def running(
    settings: Settings, folder: Path, store: MemoryStore | None = None
) -> AsyncIterator[House]:
    """Open a house with a table that deals itself, and close it."""
    house = House(store or MemoryStore(), folder)
    await house.open(settings)
    house.driver.start()
    yield house
    await house.driver.stop()
    await house.writer.close()


@pytest.mark.parametrize(("game", "method"), TABLES)
@looped
async def test_a_table_deals_itself_and_everything_can_be_verified(
    game: str, method: Method | None, tmp_path: Path
) -> None:
    store = MemoryStore()
    settings = settings_of(game, method, clocks=QUICK, decks=4)
    async with running(settings, tmp_path, store) as house:
        await house.until(lambda: house.desk.table.rounds >= 5)
        await house.driver.finish()
        table = house.desk.table
        # A patron who is asked for something is not hurried.
        assert table.between_rounds or due(table).asks
    verified = await verify(store, RULEBOOKS)
    assert verified.findings == []
    settled = [
        one for one in await events_of(store, STREAM) if isinstance(one, e.WagersSettled)
    ]
    assert len(settled) == len(table.results) >= 4
    assert sum(bool(one.lines) for one in settled) >= 2


async def lose_terminals(house: House) -> None:
    """Lose a terminal and bring it back, again and again, at any moment of its rounds."""
    for command in cycle((c.LoseTerminal(1), c.RestoreTerminal(1))):
        await house.ask(command)
        await asyncio.sleep(0.005)


@pytest.mark.parametrize(("game", "method"), EVERY_TABLE)
@looped
async def test_a_shoe_ends_and_the_next_is_loaded(
    game: str, method: Method | None, tmp_path: Path
) -> None:
    store = MemoryStore()
    clocks = Clocks(betting_ms=1, pause_ms=0, pace_ms=0, answer_ms=1)
    settings = settings_of(game, method, clocks=clocks, decks=4, behind_cut=BEHIND_CUT)
    electronic = settings.rulebook == "EB4"
    async with running(settings, tmp_path, store) as house:
        losing = asyncio.create_task(lose_terminals(house)) if electronic else None
        await house.until(lambda: len(house.desk.table.shoes) > 2)
        if losing is not None:
            losing.cancel()
        await house.driver.finish()
    assert (await verify(store, RULEBOOKS)).findings == []
    happened = {type(one) for one in await events_of(store, STREAM)}
    assert ({e.TerminalLost, e.TerminalRestored} <= happened) == electronic


@looped
async def test_a_house_that_closes_ends_the_round_and_opens_no_other(tmp_path: Path) -> None:
    clocks = Clocks(betting_ms=3_600_000, pace_ms=3_600_000, pause_ms=3_600_000)
    async with running(settings_of("tiger", None, clocks=clocks), tmp_path) as house:
        await house.until(lambda: bool(house.desk.table.stakes))
        await house.driver.finish()
        table = house.desk.table
        assert (table.phase, table.rounds, len(table.results)) == (Phase.IDLE, 1, 1)


@looped
async def test_what_waits_for_people_stays_as_it_is_when_the_house_closes(
    tmp_path: Path,
) -> None:
    clocks = Clocks(betting_ms=0, pace_ms=0, pause_ms=0, answer_ms=3_600_000)
    settings = settings_of("baccarat", Method.A, clocks=clocks)
    async with running(settings, tmp_path) as house:
        await house.until(lambda: house.desk.table.rounds > 0)
        await house.driver.finish()
        # With wagers a patron has the cards; without, the round was dealt to its end.
        table = house.desk.table
        assert table.between_rounds or table.holds_cards("ann") or table.holds_cards("bob")


@looped
async def test_a_dealer_who_signs_in_takes_the_table_from_its_driver(tmp_path: Path) -> None:
    settings = settings_of("baccarat", Method.B, clocks=QUICK)
    async with running(settings, tmp_path) as house:
        await house.until(lambda: house.desk.table.rounds == 2)
        assert await house.ask(c.SignIn(), DEALER)
        await house.until(lambda: house.desk.table.between_rounds)
        rounds = house.desk.table.rounds
        await asyncio.sleep(0.1)
        assert house.desk.table.rounds == rounds
        assert house.desk.table.between_rounds
        assert await house.ask(c.SignOut(), DEALER)
        await house.until(lambda: house.desk.table.rounds > rounds)


@pytest.mark.clause("EB4 5.9.1", "BAC8 5.17.1")
@pytest.mark.parametrize(("game", "method"), TABLES)
@looped
async def test_after_a_restart_the_driver_goes_on_from_the_journal(
    game: str, method: Method | None, tmp_path: Path
) -> None:
    store = MemoryStore()
    clocks = Clocks(betting_ms=250, pause_ms=5, pace_ms=1, answer_ms=10)
    async with running(settings_of(game, method, clocks=clocks), tmp_path, store) as house:
        await house.until(lambda: bool(house.desk.table.stakes))
    # The betting time runs out while the house is down.
    await asyncio.sleep(0.3)
    again = House(store, tmp_path, seed=2)
    await again.desk.start()
    assert await interruptions_of(store, STREAM) == 1
    table = again.desk.table
    voids = table.settings.rulebook == "EB4"
    assert (table.phase is Phase.VOID) is voids
    assert (table.hold is None) is voids
    again.driver.start()
    if table.settings.rulebook in ("PB6", "F6T2"):
        await asyncio.sleep(0.1)
        assert again.desk.table.hold is not None
    else:
        await again.until(lambda: again.desk.table.rounds >= 3)
        kept = [one for one in await events_of(store, STREAM) if isinstance(one, i.WagersKept)]
        assert bool(kept) is not voids
    await again.driver.stop()
    await again.writer.close()
    assert (await verify(store, RULEBOOKS)).findings == []


@looped
async def test_an_act_of_which_nothing_came_is_sent_again_under_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver_module, "AGAIN_SECONDS", 0.001)
    async with running(settings_of("tiger", None, clocks=QUICK), tmp_path) as house:
        names: list[str] = []
        submit, chance = house.desk.submit, Random(3)
        busy, lost = BusyError("busy"), NotDoneError("the answer was lost")
        other, away = OtherCommandError("another die"), PoisonedError("the medium is away")

        async def fails(request: Request) -> Reply:
            if not request.command_id.startswith("next-"):
                return await submit(request)
            names.append(request.command_id)
            luck = chance.randrange(6)
            if luck in (0, 5):
                raise busy if luck else away
            if luck == 2:  # one of several
                raise other
            reply = await submit(request)
            if luck == 1:
                raise lost
            return reply

        monkeypatch.setattr(house.desk, "submit", fails)
        await house.until(lambda: house.desk.table.rounds >= 6)
        assert len(names) > len(set(names))


@pytest.mark.parametrize("what", ["refused", "failed"])
@looped
async def test_an_act_that_was_refused_once_is_tried_again_though_nothing_else_happened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Somebody signed in and out, a clock was behind, a key was away for a moment."""
    monkeypatch.setattr(driver_module, "PAUSE_SECONDS", 0.01)
    async with running(settings_of("tiger", None, clocks=QUICK), tmp_path) as house:
        await house.until(lambda: house.desk.table.rounds >= 1)
        submit, times = house.desk.submit, 0

        async def refuses(request: Request) -> Reply:
            nonlocal times
            if request.command_id.startswith("next-") and times < 3:
                times += 1
                if what == "failed":
                    message = "There is no key."
                    raise JournalError(message)
                return Reply(house.desk.seat.sequence, refuse(Code.WRONG_PHASE, "Not now"))
            return await submit(request)

        monkeypatch.setattr(house.desk, "submit", refuses)
        before = house.desk.table.rounds
        async with asyncio.timeout(10):
            while house.desk.table.rounds < before + 2:  # noqa: ASYNC110  # it deals
                await asyncio.sleep(0.002)
        assert times == 3
        assert house.driver.error is None


@looped
async def test_a_house_that_closes_ends_its_round_though_somebody_was_faster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clocks = Clocks(betting_ms=3_600_000, pause_ms=0, pace_ms=0, answer_ms=0)
    async with running(settings_of("power-98", None, clocks=clocks), tmp_path) as house:
        await house.until(lambda: len(house.desk.table.stakes) > 1)
        submit, refused = house.desk.submit, 0

        async def overtaken(request: Request) -> Reply:
            nonlocal refused
            if isinstance(request.command, c.PassOver):
                patron = request.command.patron
                assert await house.ask(c.RefuseShaker(patron), Patron(patron))
            reply = await submit(request)
            refused += not reply.accepted
            return reply

        monkeypatch.setattr(house.desk, "submit", overtaken)
        await house.driver.finish()
        assert refused > 0
        assert house.desk.table.between_rounds


@looped
async def test_a_driver_waits_for_a_device_that_gives_the_cards(tmp_path: Path) -> None:
    device = Device(physical=True)
    house = House(MemoryStore(), tmp_path)
    house.desk = Desk(house.writer, "1", RULEBOOKS, DeviceSource())
    house.driver = Driver(house.desk)
    await house.open(settings_of("tiger", None, clocks=QUICK, device=device))
    house.driver.start()
    await house.until(lambda: house.desk.table.phase is Phase.CLOSED)
    await asyncio.sleep(0.05)
    assert house.desk.table.phase is Phase.CLOSED
    for number, face in enumerate(("4S", "2H", "5D", "3C")):
        request = Request(f"device-{number}", SYSTEM, c.DrawCard(), cards=(face,))
        assert (await house.desk.submit(request)).accepted
    await house.until(lambda: house.desk.table.rounds == 2)
    await house.driver.stop()
    await house.writer.close()


@looped
async def test_a_desk_that_closes_stops_its_driver(tmp_path: Path) -> None:
    async with running(settings_of("tiger", None, clocks=QUICK), tmp_path) as house:
        await house.until(lambda: house.desk.table.rounds > 0)
        await house.desk.close()
        for _ in range(200):
            if house.driver.error is not None:
                break
            await asyncio.sleep(0.01)
        assert house.driver.error is not None
