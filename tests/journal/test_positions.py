"""Positions: staff act in those of the accounts, as of a decision that the record names."""

from __future__ import annotations

import asyncio
from copy import copy
from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from croupier.accounts import commands as a
from croupier.accounts.authority import FOUNDER
from croupier.cage import commands as cage
from croupier.floor.accounts import AccountsDesk
from croupier.floor.cage import CageDesk
from croupier.floor.desk import Desk, Request
from croupier.floor.sources import DeviceSource
from croupier.journal.accounts_stream import STREAM
from croupier.journal.again import StreamCheck, stream_of
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
    read_record,
)
from croupier.journal.errors import JournalError, NotInPositionError
from croupier.journal.loading import decisions_of, records_of
from croupier.journal.memory import MemoryStore
from croupier.journal.reader import StoreReader
from croupier.journal.verify import check_stream, verify
from croupier.journal.writer import Writer
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands as c
from croupier.table.roles import (
    POSITIONS,
    HousePosition,
    HouseStaff,
    Patron,
    Staff,
    StaffPosition,
)
from tests.floor.casino import CARA, SUSI, TICKETS
from tests.floor.rounds import looped, settings_for
from tests.table.floor import DEALER, MANAGER, SYSTEM
from tests.wording import is_one_sentence

if TYPE_CHECKING:
    from croupier.journal.positions import Members
    from croupier.journal.writer import Reply
    from croupier.table.roles import Actor, Member

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
ADA = HouseStaff("Ada", HousePosition.ADMINISTRATOR)
PEOPLE = ("Dan", "Mia", "Cara", "Susi", "Sue")
WANTED = ("Dealer", "Pit Supervisor", "Pit Manager", "Cashier", "Cage Supervisor")


class Place:
    """Accounts, a cage and a table on one store, by a clock that is set."""

    def __init__(self, store: MemoryStore | None = None) -> None:
        self.store, self.now, self._number = store or MemoryStore(), NOW, 0
        self.writer = Writer(self.store, clock=lambda: self.now)
        self.accounts = AccountsDesk(self.writer)
        self.cage = CageDesk(self.writer, RULEBOOKS, TICKETS)
        self.desk = Desk(self.writer, "1", RULEBOOKS, DeviceSource())

    async def start(self, *, accounts: bool = True) -> None:
        if accounts:
            await self.accounts.start()
        await self.cage.start()
        await self.desk.start()

    async def ask(self, command: object, actor: Actor, approver: Member | None = None) -> Reply:
        """Bring a command to the stream that it is for."""
        desks: dict[type, AccountsDesk | CageDesk | Desk] = {
            a.AccountsCommand: self.accounts, cage.CageCommand: self.cage,
            c.Command: self.desk,
        }  # fmt: skip
        (desk,) = (one for kind, one in desks.items() if isinstance(command, kind))
        self._number += 1
        request = Request(f"{self.now:%H%M%S}-{self._number}", actor, command, approver)  # type: ignore[arg-type]
        return await desk.submit(request)

    async def staff(self, *people: Member) -> None:
        """Give people their positions."""
        assert (await self.accounts.found("Ada")).accepted
        for one in people:
            add = a.AddUser(one.name, a.UserKind.STAFF, one.position.value)
            assert (await self.ask(add, ADA)).accepted


async def named(store: MemoryStore, stream: str) -> list[int | None]:
    """Return which decisions of the accounts the staff's decisions of a stream name."""
    return [
        known.sequence if (known := one.house.facts.get(STREAM)) else None
        async for one in decisions_of(store, stream)
        if one.actor.kind == "staff"
    ]


# What is recorded


@looped
async def test_staff_are_what_the_accounts_know_and_the_record_says_as_of_when() -> None:
    place = Place()
    await place.start()
    await place.staff(DEALER, MANAGER, CARA, SUSI)
    assert place.accounts.actor("Dan") == DEALER
    assert place.accounts.actor("eve") is None
    assert (await place.ask(c.OpenTable(settings_for("baccarat")), MANAGER)).accepted
    assert (await place.ask(cage.BuyIn("ann", 5_00), CARA)).accepted
    assert (await place.ask(cage.SetOpener("1", 5_00), CARA, SUSI)).accepted
    before = place.accounts.seat.sequence
    assert (await place.ask(a.GivePosition("Dan", "Pit Supervisor"), ADA)).accepted
    for wrong in (
        DEALER,
        Staff("Dan", StaffPosition.PIT_MANAGER),
        Staff("eve", DEALER.position),
    ):
        with pytest.raises(NotInPositionError) as told:
            await place.ask(c.LoadShoe("one"), wrong)
        assert is_one_sentence(str(told.value)), told.value
    with pytest.raises(NotInPositionError):  # whoever approves is compared too
        await place.ask(cage.SetOpener("1", 5_00), CARA, replace(SUSI, name="Sue"))
    now = place.accounts.actor("Dan")
    assert now == Staff("Dan", StaffPosition.PIT_SUPERVISOR)
    assert now is not None
    reply = await place.ask(c.LoadShoe("two"), now)
    assert reply.accepted, reply.refusal
    assert await named(place.store, "table:1") == [before, before + 1]
    assert await named(place.store, "cage") == [before, before]
    # Nobody of these names the accounts: no position was looked at.
    assert (await place.ask(cage.CashOut("ann", 1_00), Patron("ann"))).accepted
    (last,) = await place.store.read("cage", place.cage.seat.sequence - 1, 1)
    assert STREAM not in read_record(last).house.facts
    assert (await verify(place.store, RULEBOOKS)).findings == []


@looped
async def test_a_house_without_staff_in_its_accounts_takes_people_as_they_come() -> None:
    place = Place()
    await place.start()
    await place.ask(a.AddUser("ann", a.UserKind.PATRON), FOUNDER)
    assert (await place.ask(c.OpenTable(settings_for("baccarat")), MANAGER)).accepted
    assert await named(place.store, "table:1") == [None]
    assert (await verify(place.store, RULEBOOKS)).findings == []
    # Once there is an Administrator, nobody else is staff.
    await place.accounts.found("Ada")
    again = await place.accounts.found("Ada")
    assert again.accepted
    with pytest.raises(NotInPositionError):
        await place.ask(c.LoadShoe("one"), DEALER)
    assert (await verify(place.store, RULEBOOKS)).findings == []


@looped
async def test_a_writer_without_the_accounts_is_found_out() -> None:
    """It decides without looking at the accounts of its house."""
    place = Place()
    await place.start()
    await place.staff(DEALER, MANAGER)
    other = Place(place.store)
    other.now = NOW + HOUR
    await other.start(accounts=False)
    assert (await other.ask(c.OpenTable(settings_for("baccarat")), MANAGER)).accepted
    (finding,) = (await verify(place.store, RULEBOOKS)).findings
    assert (finding.stream, finding.kind) == ("table:1", "position")


@looped
async def test_a_process_that_watches_the_accounts_names_what_it_has_read() -> None:
    place = Place()
    await place.start()
    await place.staff(DEALER, MANAGER)
    there = Writer(place.store, clock=lambda: NOW + HOUR)
    accounts, desk = AccountsDesk(there), Desk(there, "2", RULEBOOKS, DeviceSource())
    await accounts.watch()
    await desk.start()
    opens = Request("1", MANAGER, c.OpenTable(settings_for("baccarat")))
    assert (await desk.submit(opens)).accepted
    read = accounts.seat.sequence
    assert accounts.accounts == place.accounts.accounts
    assert (await place.ask(a.WithdrawPosition("Mia", "left"), ADA)).accepted
    # It has not heard of it yet; then it has.
    assert (await desk.submit(Request("2", MANAGER, c.CloseTable()))).accepted
    await asyncio.gather(*(accounts.catch_up() for _ in range(5)))
    assert accounts.seat.sequence == read + 1
    with pytest.raises(NotInPositionError):
        await desk.submit(Request("3", MANAGER, c.OpenTable(settings_for("baccarat"))))
    assert (await desk.submit(Request("4", DEALER, c.LoadShoe("x")))).refusal is not None
    assert await named(place.store, "table:2") == [read, read, read + 1]
    with pytest.raises(JournalError, match="served by another process"):
        await accounts.found("Eve")
    assert (await verify(place.store, RULEBOOKS)).findings == []


@looped
async def test_who_loses_a_position_while_a_command_waits_loses_it_for_that_command() -> None:
    """The position is compared when the command is decided, not when it is sent."""
    place = Place()
    await place.start()
    await place.staff(DEALER, MANAGER)
    await place.ask(c.OpenTable(settings_for("baccarat")), MANAGER)
    withdrawn = place.ask(a.WithdrawPosition("Dan", "left"), ADA)
    answers = await asyncio.gather(
        withdrawn,
        *(place.ask(c.LoadShoe(f"s{number}"), DEALER) for number in range(300)),
        return_exceptions=True,
    )
    for answer in await asyncio.gather(
        *(place.ask(c.LoadShoe(f"t{number}"), DEALER) for number in range(3)),
        return_exceptions=True,
    ):
        assert isinstance(answer, NotInPositionError)
    assert all(not isinstance(one, Exception) or isinstance(one, NotInPositionError)
               for one in answers)  # fmt: skip
    assert (await verify(place.store, RULEBOOKS)).findings == []


# Walks, and every record of them forged


class Walk:
    """People who come and go in positions, and do what they may, or may not."""

    def __init__(self, seed: int) -> None:
        self.chance, self.place = Random(seed), Place()
        self.refused = 0

    async def run(self, steps: int) -> None:
        await self.place.start()
        await self.place.staff(MANAGER)
        for name in PEOPLE:
            await self.place.ask(a.AddUser(name, a.UserKind.STAFF), ADA)
        for number in range(steps):
            self.place.now += self.chance.choice((0, 1, 15)) * timedelta(minutes=1)
            await (self.move() if self.chance.random() < 0.4 else self.act(number))

    async def move(self) -> None:
        """Change somebody's position."""
        pick, now = self.chance.choice, self.place.now
        user = pick(PEOPLE)
        since = now + pick((-1, 0, 1)) * HOUR
        command = pick((
            a.GivePosition(user, pick(WANTED)), a.GivePosition(user, pick(WANTED)),
            a.WithdrawPosition(user, "so"), a.DisableUser(user, "so"), a.EnableUser(user, "so"),
            a.EnableUser(user, "so"), a.EndActing(user),
            *(a.LetAct(user, one, since, since + 2 * HOUR) for one in WANTED),
        ))  # fmt: skip
        await self.place.ask(command, ADA)

    def somebody(self) -> Member:
        """Return somebody, mostly as the accounts know them."""
        known = self.place.accounts.actor(self.chance.choice(PEOPLE))
        if isinstance(known, Staff | HouseStaff) and self.chance.random() < 0.9:
            return known
        position = POSITIONS[self.chance.choice(WANTED)]
        name = self.chance.choice(PEOPLE)
        if isinstance(position, StaffPosition):
            return Staff(name, position)
        return HouseStaff(name, position)

    async def act(self, number: int) -> None:
        pick = self.chance.choice
        second = pick((None, self.somebody(), self.somebody()))
        command = pick((
            c.OpenTable(settings_for("baccarat")), c.LoadShoe(f"s-{number}"), c.CallBets(),
            c.CloseBets(), c.CloseTable(), cage.BuyIn("ann", 1_00), cage.SetOpener("1", 5_00),
            cage.FillTable("1", 5_00), cage.CountCloser("1", 0),
        ))  # fmt: skip
        actor = pick((self.somebody(), self.somebody(), self.somebody(), SYSTEM, Patron("ann")))
        try:
            await self.place.ask(command, actor, second)
        except NotInPositionError:
            self.refused += 1


def ways(one: Decision, end: int) -> list[tuple[str, Decision]]:
    """Forge who asked or approved, and as of when: every one of these is a lie."""
    fact = one.house.facts.get(STREAM)
    staff = [role for role in ("actor", "approver") if is_staff(getattr(one, role))]
    made = []

    def with_fact(known: Known | None) -> Decision:
        facts = {name: kept for name, kept in one.house.facts.items() if name != STREAM}
        facts |= {} if known is None else {STREAM: known}
        house = replace(one.house, facts=facts)
        return replace(one, house=NOTHING if house == House() else house)

    if fact is None:
        assert not staff
        return [("named for nobody", with_fact(Known(1, {})))]
    made.append(("as of nothing", with_fact(Known(end + 1, {}))))
    made.append(("as of zero", with_fact(Known(0, {}))))
    made.append(("with values", with_fact(Known(fact.sequence, {"x": 1}))))
    for role in staff:
        somebody: Person = getattr(one, role)
        lies = [replace(somebody, position=name) for name in POSITIONS]
        lies.append(replace(somebody, name="eve"))
        if somebody.acting is not None:
            acting = somebody.acting
            lies.append(replace(somebody, acting=None))
            later = replace(acting, until=acting.until + HOUR)
            lies.append(replace(somebody, acting=later))
        made += [
            (f"{role} as {lie}", replace(one, **{role: lie})) for lie in lies if lie != somebody
        ]
    return made


def is_staff(somebody: Person | None) -> bool:
    return somebody is not None and somebody.kind == "staff"


def judged(check: StreamCheck, one: Decision) -> str | None:
    """Return the kind of what is found when a stream goes on with a decision."""
    twin = copy(check)
    twin.findings, twin._positions = [], copy(check._positions)  # noqa: SLF001
    twin._commands = {who: set(ids) for who, ids in check._commands.items()}  # noqa: SLF001
    body = encode(one)
    digest = chain(check.head.hash, body)
    twin.take(Record(one.stream, one.sequence, one.command_id, one.actor.key, body, digest))
    return twin.findings[-1].kind if twin.findings else None


async def members_of(store: MemoryStore) -> Members:
    check = await check_stream(StoreReader(store), STREAM, RULEBOOKS)
    assert check.findings == []
    return check.seen().members


@pytest.mark.parametrize("seed", range(3))
@looped
async def test_walks_hold_and_no_forged_position_does(seed: int) -> None:
    walk = Walk(seed)
    await walk.run(400)
    store = walk.place.store
    assert (await verify(store, RULEBOOKS)).findings == []
    assert walk.refused > 3
    members = await members_of(store)
    tried, acted = 0, 0
    for stream in ("table:1", "cage"):
        written = [record async for record in records_of(store, stream)]
        postings: dict[int, list[Posting]] = {record.sequence: [] for record in written}
        for posting in await store.postings(stream):
            postings[posting.sequence].append(posting)
        check = StreamCheck(stream_of(stream, RULEBOOKS), members)
        for record in written:
            one = read_record(record)
            acted += one.actor.acting is not None
            for name, forged in ways(one, members.end):
                assert judged(check, forged) == "position", (name, one)
                tried += 1
            assert check.take(record, postings[record.sequence])
    assert tried > 300
    assert acted > 3
