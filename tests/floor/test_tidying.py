"""What a house puts right by itself: Dealers who are gone, and credit that somebody left."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from croupier.accounts import commands as a
from croupier.accounts.authority import FOUNDER
from croupier.accounts.commands import UserKind
from croupier.floor import tidying
from croupier.floor.configuration import Configuration
from croupier.floor.floor import Floor
from croupier.floor.house import ALL, House, Own
from croupier.floor.problems import ConditionError
from croupier.floor.sessions import SignedIn
from croupier.floor.tidying import HOUSE, StillAway, StillSignedIn
from croupier.journal.memory import MemoryStore
from croupier.journal.verify import verify
from croupier.journal.writer import Request
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.roles import HousePosition, HouseStaff, Patron, Staff, StaffPosition
from croupier.table.rulings import Situation
from croupier.table.settings import Clocks, Method
from croupier.table.state import HoldKind, Phase
from croupier.uuids import uuid7
from tests.floor.rounds import events_of, looped
from tests.table.next_house import settings_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from croupier.floor.desk import Desk
    from croupier.journal.writer import Reply
    from croupier.table.roles import Actor

ADA = HouseStaff("Ada", HousePosition.ADMINISTRATOR)
DAN, DOT = (Staff(name, StaffPosition.DEALER) for name in ("Dan", "Dot"))
SUE = Staff("Sue", StaffPosition.PIT_SUPERVISOR)
MIA = Staff("Mia", StaffPosition.PIT_MANAGER)
GIL = Staff("Gil", StaffPosition.GAMING_SHIFT_MANAGER)
PEOPLE = (ADA, DAN, DOT, SUE, MIA, GIL)
PATRONS = ("ann", "bob", "cid")
NAME = "1"
QUICK = Clocks(betting_ms=20, pause_ms=2, pace_ms=0, answer_ms=10)
GRACE_SECONDS = 0.2
SEED = 3


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tidying, "GRACE_SECONDS", GRACE_SECONDS)
    monkeypatch.setattr(tidying, "SOON_SECONDS", 0.05)


async def ask(desk: Any, command: Any, actor: Actor, second: Staff | None = None) -> Reply:  # noqa: ANN401
    """Ask for something that must be accepted."""
    reply: Reply = await desk.submit(Request(uuid7(), actor, command, second))
    assert reply.accepted, reply.refusal
    return reply


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not holds():  # noqa: ASYNC110  # the house works meanwhile
            await asyncio.sleep(0.005)


async def found(house: House, game: str = "baccarat", clocks: Clocks = QUICK) -> Desk:
    """Let everybody have an account, and open a table that the house deals."""
    for one in PEOPLE:
        kind = UserKind.ADMIN if one is ADA else UserKind.STAFF
        await ask(house.accounts, a.AddUser(one.name, kind, one.position.value), FOUNDER)
    for patron in PATRONS:
        await ask(house.accounts, a.AddUser(patron, UserKind.PATRON), FOUNDER)
    desk = await house.table(NAME)
    method = Method.B if game == "baccarat" else None
    await ask(desk, c.OpenTable(settings_of(game, method, clocks=clocks)), MIA)
    for place, patron in enumerate(PATRONS, 1):
        await ask(desk, c.TakeSeat(patron, place), Patron(patron))
    return desk


@asynccontextmanager
async def living(
    folder: Path, store: MemoryStore, own: Own = ALL, *, tidies: bool = True
) -> AsyncIterator[House]:
    """Let a house live, and stop it as it stands: no round is brought to its end.

    Its shoes follow from a seed by which the first coup is no tie.
    """
    house = House(folder, store, Configuration(), own=own, seed=SEED)
    await house.keeper.start()
    await house.start()
    if not tidies:
        await house.tidying.stop()
    try:
        yield house
    finally:
        await house.tidying.stop()
        for driver in house.drivers.values():
            await driver.stop()
        await house.transfers.close()
        await house.writer.close()
        await house.keeper.close()


async def goes_on(desk: Desk) -> None:
    """Wait until the house has dealt two more rounds."""
    rounds = desk.table.rounds
    await until(lambda: desk.table.rounds > rounds + 1)
    assert desk.table.dealt_by == "house"


async def takes_over(desk: Desk) -> None:
    """Let Dan sign in where the house deals, and deal until bets are open."""
    await until(lambda: desk.table.rounds > 0)
    await ask(desk, c.SignIn(), DAN)
    await until(lambda: desk.table.between_rounds)
    await ask(desk, c.CallBets(), DAN)
    assert desk.table.dealt_by == "dealer"


# A Dealer whose account may deal no more

GONE = {
    "disabled": a.DisableUser("Dan", "went home"),
    "without a position": a.WithdrawPosition("Dan", "went home"),
    "a Cashier now": a.GivePosition("Dan", HousePosition.CASHIER.value),
}


@pytest.mark.parametrize("why", GONE)
@pytest.mark.parametrize("game", ["baccarat", "power-98"])
@looped
async def test_the_house_deals_on_when_its_dealer_may_deal_no_more(
    tmp_path: Path, game: str, why: str
) -> None:
    store = MemoryStore()
    async with living(tmp_path, store) as house:
        desk = await found(house, game)
        await takes_over(desk)
        await ask(house.accounts, GONE[why], ADA)
        await until(lambda: desk.table.dealer is None)
        await goes_on(desk)
        outs = [
            one
            for one in await events_of(store, desk.stream)
            if isinstance(one, e.DealerSignedOut)
        ]
        assert [(one.dealer, one.by.name) for one in outs] == [("Dan", HOUSE.name)]
    assert (await verify(store, RULEBOOKS)).findings == []


@looped
async def test_a_dealer_who_was_moved_higher_stays_where_that_position_deals(
    tmp_path: Path,
) -> None:
    higher = StaffPosition.PIT_SUPERVISOR.value
    for game, stays in (("baccarat", True), ("power-98", False)):
        (tmp_path / game).mkdir()
        async with living(tmp_path / game, MemoryStore()) as house:
            desk = await found(house, game)
            await takes_over(desk)
            await ask(house.accounts, a.GivePosition("Dan", higher), ADA)
            if stays:
                await asyncio.sleep(0.1)
                assert desk.table.dealer == "Dan"
            else:
                await until(lambda desk=desk: desk.table.dealer is None)  # type: ignore[misc]


@looped
async def test_a_start_finds_a_dealer_who_may_deal_no_more(tmp_path: Path) -> None:
    store = MemoryStore()
    async with living(tmp_path, store, tidies=False) as house:
        desk = await found(house)
        await takes_over(desk)
        await ask(house.accounts, a.DisableUser("Dan", "went home"), ADA)
        await asyncio.sleep(0.1)
        assert desk.table.dealer == "Dan"
    async with living(tmp_path, store) as house:
        desk = house.tables[NAME]
        await until(lambda: desk.table.dealer is None)
        await until(lambda: desk.table.hold is not None or desk.table.between_rounds)


# A Dealer without a session


class Doors:
    """Who has sessions, and how many."""

    def __init__(self) -> None:
        self.sessions = {"Dan": 2}

    def present(self, name: str) -> bool:
        return self.sessions.get(name, 0) > 0

    def ends(self, house: House, name: str) -> None:
        self.sessions[name] -= 1
        house.tidying.left(name)


@looped
async def test_the_end_of_the_last_session_gives_a_table_back(tmp_path: Path) -> None:
    async with living(tmp_path, MemoryStore()) as house:
        doors = Doors()
        house.tidying.attend(doors.present)
        desk = await found(house)
        await takes_over(desk)
        doors.ends(house, "Dan")
        await asyncio.sleep(2 * GRACE_SECONDS)
        assert desk.table.dealer == "Dan"
        doors.ends(house, "Dan")
        # Whoever changes a password has none for a moment.
        doors.sessions["Dan"] += 1
        await asyncio.sleep(2 * GRACE_SECONDS)
        assert desk.table.dealer == "Dan"
        doors.ends(house, "Dan")
        await until(lambda: desk.table.dealer is None)
        await goes_on(desk)


@looped
async def test_whoever_came_in_by_the_door_of_another_house_stays(tmp_path: Path) -> None:
    async with living(tmp_path, MemoryStore(), Own(frozenset({NAME}))) as house:
        doors = Doors()
        doors.sessions["Dan"] = 0
        house.tidying.attend(doors.present)
        desk = await found(house)
        await takes_over(desk)
        await asyncio.sleep(2 * GRACE_SECONDS)
        assert desk.table.dealer == "Dan"
        house.tidying.left("Dan")
        await until(lambda: desk.table.dealer is None)


PASSWORD = "a long password"  # noqa: S105  # of a test


async def open_floor(folder: Path, *, new: bool) -> Floor:
    floor = await Floor.open(folder)
    if new:
        await found(floor.house)
        assert await floor.people.set_passwords({"Dan": PASSWORD}) is None
    return floor


async def enters(floor: Floor) -> SignedIn:
    entered = await floor.people.sign_in("Dan", PASSWORD)
    assert isinstance(entered, SignedIn)
    return entered


@looped
async def test_a_dealer_who_signs_out_at_the_door_gives_the_table_back(
    tmp_path: Path,
) -> None:
    floor = await open_floor(tmp_path / "house", new=True)
    try:
        session = (await enters(floor)).session
        floor.start()
        desk = floor.house.tables[NAME]
        await takes_over(desk)
        await asyncio.sleep(2 * GRACE_SECONDS)
        assert desk.table.dealer == "Dan"
        await floor.people.sessions.close(session)
        await until(lambda: desk.table.dealer is None)
        await goes_on(desk)
    finally:
        await floor.close()


@pytest.mark.parametrize("ended", [False, True])
@looped
async def test_a_start_keeps_a_dealer_who_has_a_session_and_no_other(
    tmp_path: Path, *, ended: bool
) -> None:
    floor = await open_floor(tmp_path / "house", new=True)
    session = (await enters(floor)).session
    floor.start()
    await takes_over(floor.house.tables[NAME])
    if ended:
        await floor.house.tidying.stop()
        await floor.people.sessions.close(session)
    await floor.close()
    floor = await open_floor(tmp_path / "house", new=False)
    try:
        desk = floor.house.tables[NAME]
        assert desk.table.dealer == "Dan"
        floor.start()
        if ended:
            await until(lambda: desk.table.dealer is None)
        else:
            await asyncio.sleep(2 * GRACE_SECONDS)
            assert desk.table.dealer == "Dan"
    finally:
        await floor.close()


# Credit that somebody left


async def voided_behind_a_loser(house: House, game: str) -> str:
    """Let somebody lose all and leave, and the round be void after that; return who."""
    clocks = Clocks(betting_ms=800, pause_ms=3_600_000, pace_ms=0, answer_ms=10)
    desk = await found(house, game, clocks)
    for patron in PATRONS:
        await ask(desk, c.BringCredit(patron, 100_00), DAN)
    await until(lambda: desk.table.phase is Phase.OPEN)
    for patron, wager in zip(PATRONS, ("player", "banker", "tie"), strict=True):
        await ask(desk, c.PlaceWager(patron, wager, 100_00), Patron(patron))
    await until(lambda: desk.table.phase is Phase.SETTLED and desk.table.between_rounds)
    loser = next(patron for patron in PATRONS if not desk.table.credits[patron])
    await ask(desk, c.LeaveSeat(loser), Patron(loser))
    await ask(desk, c.report(Situation.WRONG_NUMBER), DAN)
    hold = desk.table.hold
    assert hold is not None
    if hold.kind is HoldKind.REPORT:
        await ask(desk, c.ConfirmReport(), SUE, MIA)
    else:
        await ask(desk, c.DecideReferral(c.Decision.VOID, "wrong"), GIL, MIA)
    assert desk.table.phase is Phase.VOID
    assert loser not in desk.table.seats
    return loser


@pytest.mark.parametrize("game", ["power-98", "fortune-six-tournament"])
@pytest.mark.parametrize("stopped", [False, True])
@looped
async def test_what_a_void_returns_to_somebody_who_left_goes_to_the_wallet(
    tmp_path: Path, game: str, *, stopped: bool
) -> None:
    store = MemoryStore()
    async with living(tmp_path, store, tidies=not stopped) as house:
        loser = await voided_behind_a_loser(house, game)
        if stopped:
            await asyncio.sleep(0.1)
            assert house.tables[NAME].table.credits[loser] == 100_00
        else:
            await until(lambda: house.cage.cage.held(loser) == 100_00)
            assert loser not in house.tables[NAME].table.credits
    async with living(tmp_path, store) as house:
        await until(lambda: house.cage.cage.held(loser) == 100_00)
        table = house.tables[NAME].table
        assert loser not in table.credits
        assert table.credits.keys() == table.seats.keys()
    assert (await verify(store, RULEBOOKS)).findings == []


# Whoever was faster


@looped
async def test_what_somebody_put_right_meanwhile_is_left_alone(tmp_path: Path) -> None:
    async with living(tmp_path, MemoryStore(), tidies=False) as house:
        desk = await found(house)
        await ask(desk, c.SignIn(), DOT)
        with pytest.raises(ConditionError, match="Dealer Dan was relieved"):
            await desk.submit(
                Request(uuid7(), HOUSE, c.SignOut(), condition=StillSignedIn("Dan"))
            )
        with pytest.raises(ConditionError, match="Patron ann came back"):
            await desk.submit(
                Request(uuid7(), HOUSE, c.TakeCredit("ann", 1), condition=StillAway("ann"))
            )
        assert desk.table.dealer == "Dot"
