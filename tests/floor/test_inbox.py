"""Houses that share a database give commands to one another's tables, cage and accounts."""

from __future__ import annotations

import asyncio
import sys
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from croupier.accounts import commands as accounts
from croupier.accounts.commands import UserKind
from croupier.cage import commands as cage
from croupier.floor import house as house_module
from croupier.floor import incoming as incoming_module
from croupier.floor import outgoing
from croupier.floor.conditions import StillOn
from croupier.floor.door import ServerCode
from croupier.floor.house import House, Own
from croupier.floor.letters import read_answer, read_letter, write_letter
from croupier.floor.problems import ConditionError
from croupier.journal import codec, postgres_inbox
from croupier.journal.decision import Person, person, read_record
from croupier.journal.errors import (
    BusyError,
    JournalError,
    NotInPositionError,
    OtherCommandError,
    TooLateError,
    UnansweredError,
)
from croupier.journal.gathering import Reply, Request, Seat, asked_of
from croupier.journal.inbox import Waiting
from croupier.journal.tables import TableStream
from croupier.journal.verify import verify
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands as c
from croupier.table.next import Act, next_act
from croupier.table.refusals import Code
from croupier.table.roles import Patron, Staff
from croupier.table.state import Phase
from tests.floor.casino import CARA
from tests.floor.inbox_worker import Order, Told
from tests.floor.rounds import looped
from tests.floor.test_house_sharing import started
from tests.journal.conftest import execute, postgres, postgres_dsn, postgres_server
from tests.table.floor import DEALER, MANAGER, SYSTEM
from tests.table.next_house import AT_ONCE, settings_of

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from croupier.floor.desk import Desk
    from croupier.floor.incoming import Incoming
    from croupier.journal.decision import Decision
    from croupier.journal.gathering import Landed
    from croupier.table.roles import Actor
    from tests.journal.places import PostgresPlace

__all__ = ["postgres", "postgres_dsn", "postgres_server"]
FIRST = Own(frozenset("a"))
SECOND = Own(frozenset("b"), cage=False)
B = "table:b"
SECONDS = 10.0
ANN = Patron("ann")


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house_module, "LOOK_SECONDS", 0.5)
    monkeypatch.setattr(house_module, "HOLD_PAUSES_SECONDS", (0.1,) * 20)


@asynccontextmanager
async def running(folder: Path, place: PostgresPlace, *own: Own) -> AsyncIterator[list[House]]:
    """Run houses in this process, and check at the end what they wrote."""
    houses: list[House] = []
    try:
        for number, one in enumerate(own):
            houses.append(await started(folder / str(number), place.dsn, one))
        yield houses
        while len(houses) > 1:  # else something may be on its way while it is verified
            await houses.pop().close()
        assert (await verify(houses[0].store, RULEBOOKS)).findings == []
    finally:
        for house in houses:
            await house.close()


async def opened(house: House, name: str = "b") -> None:
    """Found and open a table, seat ann, and give her credit."""
    desk = await house.table(name)
    opens = c.OpenTable(settings_of("tiger", None, clocks=AT_ONCE))
    for number, actor, command in (
        ("open", MANAGER, opens),
        ("sit", SYSTEM, c.TakeSeat("ann", 1)),
        ("credit", SYSTEM, c.BringCredit("ann", 1_000_00)),
    ):
        assert (await desk.submit(Request(number, actor, command))).accepted


async def call_bets(house: House, name: str = "b") -> None:
    """Let the system go on until wagers are taken."""
    desk = await house.table(name)
    while desk.table.phase is not Phase.OPEN:
        now = next_act(desk.table, house.clock())
        assert isinstance(now, Act), now
        number = f"act-{desk.epoch}-{desk.seat.sequence}"
        reply = await desk.submit(Request(number, SYSTEM, now.command))
        assert reply.accepted, reply.refusal


def taking(house: House) -> Incoming:
    """Return what takes commands for a house out of the inbox, to hold it up."""
    others = house._others  # noqa: SLF001
    assert others is not None
    return others._incoming  # noqa: SLF001


async def waiting(place: PostgresPlace) -> list[bytes | None]:
    """Return the answers of what is in the inbox; None: it waits."""
    async with place.connect() as connection:
        rows = await connection.fetch("SELECT answer FROM inbox ORDER BY number")
    return [row[0] for row in rows]


async def becomes(what: Callable[[], Any], wanted: object) -> None:
    """Wait until something is as it is to be."""
    async with asyncio.timeout(SECONDS):
        while (found := await what()) != wanted:  # noqa: ASYNC110  # another one works
            await asyncio.sleep(0.01)
    assert found == wanted


async def decided(house: House, stream: str) -> list[Decision]:
    return [read_record(one) for one in await house.store.read(stream)]


def wager(cents: int, number: str = "bet") -> Request:
    return Request(number, ANN, c.PlaceWager("ann", "player", cents, 1))


# As at the house that decides


@looped
async def test_what_is_asked_elsewhere_is_answered_as_it_is_here(
    tmp_path: Path, postgres: PostgresPlace
) -> None:
    async with running(tmp_path, postgres, FIRST, SECOND) as (first, second):
        await opened(second)
        await call_bets(second)
        reply = await first.submit(B, wager(100_00))
        assert reply.accepted
        here = await second.submit(B, wager(100_00))
        assert second.tables["b"].table.staked("ann") == 100_00
        assert (reply, reply.events) == (here, here.events)
        # Again, and with other content: as here, and though nobody is asked any more.
        assert await first.submit(B, wager(100_00)) == reply
        for house in (first, second):
            with pytest.raises(
                OtherCommandError, match=r"^Command bet of patron:ann was another one before\."
            ):
                await house.submit(B, wager(200_00))
        # A refusal has its code, clause and sentence.
        refused = [
            await first.submit(B, wager(1, "bet-2")),
            await second.submit(B, wager(1, "bet-2")),
        ]
        assert refused[0] == refused[1]
        assert refused[0].refusal.code is Code.OFF_STEP
        # Staff, with a second person.
        stops = Request("stop", DEALER, c.CloseTable(), MANAGER)
        answer = await first.submit(B, stops)
        assert answer == await second.submit(B, stops)
        (last,) = [one for one in await decided(first, B) if one.command_id == "stop"]
        assert (last.actor, last.approver) == (person(DEALER), person(MANAGER))
        await becomes(lambda: waiting(postgres), [])


@looped
async def test_cage_and_accounts_are_asked_from_the_house_without_them(
    tmp_path: Path, postgres: PostgresPlace
) -> None:
    async with running(tmp_path, postgres, FIRST, SECOND) as (first, second):
        await opened(second)
        buy = Request("buy", CARA, cage.BuyIn("ann", 500_00))
        assert (await second.submit("cage", buy)).accepted
        sent = await second.submit(
            "cage", Request("s", ANN, cage.SendToTable("ann", "b", 1_00))
        )
        assert sent.accepted
        assert await first.transfers.arrival(sent.sequence, SECONDS) is not None
        out = await second.submit("cage", Request("out", ANN, cage.CashOut("ann", 100_00)))
        (event,) = out.events
        ticket: str = event.ticket  # type: ignore[attr-defined]
        # What proves the ticket is concealed once, and is still what proves it.
        proof = first.tickets.validation(ticket)
        takes = Request("in", ANN, cage.TakeInTicket("ann", ticket, proof))
        assert (await second.submit("cage", takes)).accepted
        assert await first.submit("cage", takes) == await second.submit("cage", takes)
        wrong = Request("wrong", CARA, cage.PayTicket(ticket, "1" * len(proof)))
        assert not (await second.submit("cage", wrong)).accepted
        assert first.cage.cage.held("ann") == 499_00
        await first.accounts.found("Ada")
        ada = first.accounts.actor("Ada")
        assert ada is not None
        add = Request("add", ada, accounts.AddUser("bob", UserKind.PATRON))
        assert (await second.submit("accounts", add)).accepted
        again = Request("again", ada, accounts.AddUser("bob", UserKind.PATRON))
        assert not (await second.submit("accounts", again)).accepted
        # It answered that, so it has taken note of what was before it.
        assert first.accounts.accounts.users.get("bob") is not None


@looped
async def test_positions_exclusions_and_limits_are_judged_by_the_owner(
    tmp_path: Path, postgres: PostgresPlace
) -> None:
    async with running(tmp_path, postgres, FIRST, SECOND) as (first, second):
        await opened(second)
        await call_bets(second)
        await first.accounts.found("Ada")
        ada = first.accounts.actor("Ada")
        assert ada is not None
        orders: list[tuple[Actor, accounts.AccountsCommand]] = [
            (ada, accounts.AddUser(MANAGER.name, UserKind.STAFF)),
            (ada, accounts.GivePosition(MANAGER.name, MANAGER.position.value)),
            (ada, accounts.AddUser("ann", UserKind.PATRON)),
            (ANN, accounts.SetStakeLimit("ann", 150_00)),
        ]
        for number, (actor, command) in enumerate(orders):
            given = await first.accounts.submit(Request(f"a-{number}", actor, command))
            assert given.accepted, given.refusal
        eve = Staff("eve", MANAGER.position)
        with pytest.raises(NotInPositionError, match=r"^User eve came as"):
            await first.submit(B, Request("eve", eve, c.CloseTable()))
        with pytest.raises(ConditionError) as limited:
            await first.submit(B, wager(200_00))
        assert limited.value.code is ServerCode.OWN_STAKE_LIMIT
        # Two at once are not judged by the same facts; and what was decided is found again.
        both = await asyncio.gather(
            *(first.submit(B, wager(100_00, f"two-{one}")) for one in range(2)),
            return_exceptions=True,
        )
        assert sorted(type(one).__name__ for one in both) == ["ConditionError", "Reply"]
        exclude = Request("out", ANN, accounts.ExcludePatron("ann"))
        assert (await first.accounts.submit(exclude)).accepted
        with pytest.raises(ConditionError) as excluded:
            await first.submit(B, wager(1_00, "late"))
        assert excluded.value.code is ServerCode.EXCLUDED
        done = next(number for number, one in enumerate(both) if isinstance(one, Reply))
        assert await first.submit(B, wager(100_00, f"two-{done}")) == both[done]
        ids = [one.command_id for one in await decided(first, B)]
        assert not {"eve", "bet", "late"} & set(ids)


@looped
async def test_a_command_is_judged_by_the_accounts_as_they_were_when_it_was_sent(
    tmp_path: Path, postgres: PostgresPlace
) -> None:
    async with running(tmp_path, postgres, FIRST, SECOND) as (first, second):
        await opened(second)
        await first.accounts.found("Ada")
        ada = first.accounts.actor("Ada")
        assert ada is not None
        await second._looking.stop()  # noqa: SLF001  # it hears of nothing by itself
        for one in (MANAGER, DEALER):
            orders = (
                accounts.AddUser(one.name, UserKind.STAFF),
                accounts.GivePosition(one.name, one.position.value),
            )
            for number, command in enumerate(orders):
                order = Request(f"{one.name}-{number}", ada, command)
                assert (await first.submit("accounts", order)).accepted
            reply = await first.submit(B, Request(f"close-{one.name}", one, c.CloseTable()))
            assert reply.refusal is not None
            await second.accounts.catch_up()  # from now on it knows that staff have positions


@looped
async def test_what_must_still_be_on_holds_there(
    tmp_path: Path, postgres: PostgresPlace
) -> None:
    async with running(tmp_path, postgres, FIRST, SECOND) as (first, second):
        await opened(second)
        await call_bets(second)
        play = second.tables["b"].table.round
        assert play is not None
        bet = wager(100_00)
        old = msgspec.structs.replace(bet, condition=StillOn(round=play.number + 1))
        with pytest.raises(ConditionError, match="The command is for round") as said:
            await first.submit(B, old)
        assert said.value.code is ServerCode.OTHER_ROUND
        now = msgspec.structs.replace(bet, condition=StillOn(round=play.number))
        assert (await first.submit(B, now)).accepted
        other = msgspec.structs.replace(wager(1, "x"), condition=lambda _: None)
        with pytest.raises(JournalError, match="cannot be told to another house"):
            await first.submit(B, other)


@looped
async def test_commands_of_a_sender_are_decided_in_their_order(
    tmp_path: Path, postgres: PostgresPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(incoming_module, "PAGE", 7)
    async with running(tmp_path, postgres, FIRST, SECOND) as (first, second):
        await opened(second)
        await taking(second).stop()
        ids = [f"bet-{number}" for number in range(30)]
        asks = [asyncio.create_task(first.submit(B, wager(100_00, one))) for one in ids]
        await becomes(lambda: waiting(postgres), [None] * 30)
        taking(second).start()
        sequences = [(await one).sequence for one in asks]
        assert sequences == list(range(sequences[0], sequences[0] + 30))
        assert [one.command_id for one in await decided(first, B)][-30:] == ids


# What is turned away


@looped
async def test_past_its_deadline_nothing_is_decided(
    tmp_path: Path, postgres: PostgresPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path, postgres, FIRST, SECOND) as (first, second):
        await opened(second)
        await call_bets(second)
        await taking(second).stop()
        late = asyncio.create_task(first.submit(B, wager(100_00), 0.1))
        await asyncio.sleep(0.3)
        taking(second).start()
        with pytest.raises(TooLateError, match="reached table:b after its deadline"):
            await late
        assert second.tables["b"].table.staked("ann") == 0
        # In time it is decided, under the same identification; that it was is found later.
        assert (await first.submit(B, wager(100_00))).accepted
        await taking(second).stop()
        monkeypatch.setattr(outgoing, "SETTLING_SECONDS", 0.1)
        with pytest.raises(UnansweredError, match="send the command again to learn"):
            await first.submit(B, wager(100_00, "bet-2"), 0.1)
        # What was decided is told though nobody takes anything.
        assert (await first.submit(B, wager(100_00), 0.1)).accepted
        taking(second).start()
        await becomes(lambda: waiting(postgres), [])
        assert (await first.submit(B, wager(1, "last"))).refusal is not None
        assert second.tables["b"].table.staked("ann") == 100_00


@looped
async def test_too_many_are_refused_by_the_inbox_and_by_the_owner(
    tmp_path: Path, postgres: PostgresPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_inbox, "WAITING_MAX", 3)
    async with running(tmp_path, postgres, FIRST, SECOND) as (first, second):
        await opened(second)
        await call_bets(second)
        await taking(second).stop()
        sits = [
            asyncio.create_task(first.submit(B, wager(100_00, f"bet-{one}")))
            for one in range(5)
        ]
        done: set[asyncio.Task[Reply]] = set()
        while len(done) < 2:
            done, _ = await asyncio.wait(sits, timeout=0.1)
        assert [str(one.exception()) for one in done] == [
            "3 commands wait for table:b; send it again in a moment."
        ] * 2
        assert all(isinstance(one.exception(), BusyError) for one in done)
        taking(second).start()
        assert all([(await one).accepted for one in sits if one not in done])
        await becomes(lambda: waiting(postgres), [])
        # The owner has no room: that is told as well.
        monkeypatch.setattr(second.writer, "_waiting_max", 0)
        with pytest.raises(BusyError, match="0 commands wait for the house"):
            await first.submit(B, wager(100_00, "more"))
        await becomes(lambda: waiting(postgres), [])


@looped
async def test_what_cannot_be_read_is_answered_and_stops_no_other(
    tmp_path: Path, postgres: PostgresPlace
) -> None:
    async with running(tmp_path, postgres, FIRST, SECOND) as (first, second):
        await opened(second)
        await call_bets(second)
        inbox = first._shared.inbox  # type: ignore[union-attr]  # noqa: SLF001
        bodies = (
            b"\xff", b"{}", b"[]", b'{"command":1}', b'{"command":{"type":"unheard_of"}}',
            b'{"actor":{"kind":"patron","name":"bob"},"command":{"type":"close_bets"}}',
        )  # fmt: skip
        numbers = [
            await inbox.put((B, "patron:ann", f"x-{one}"), body, 10)
            for one, body in enumerate(bodies)
        ]
        # An answer of a release that has other words is an answer all the same.
        for body in (b"\xff", b'{"code":"unheard_of","sentence":"No."}', b"[]"):
            assert str(read_answer(body)).startswith("What was answered to this command")
        assert (await first.submit(B, wager(100_00))).accepted
        answers = await inbox.answers(numbers)
        assert len(answers) == len(numbers)
        assert all(
            b"A command that came to table:b" in (one or b"") for one in answers.values()
        )
        with pytest.raises(JournalError, match=r"^There is no table 'a'\.$"):
            await first.submit("table:a", wager(1, "a"))
        with pytest.raises(JournalError, match=r"^No house has ever served table:z"):
            await first.submit("table:z", wager(1, "z"))
        for name in ("tables", "table:"):
            with pytest.raises(JournalError, match=r"^No stream is named"):
                await first.submit(name, wager(1, "x"))


@looped
async def test_a_letter_of_another_release_is_brought_up_to_date(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seat = Seat(TableStream("b", RULEBOOKS), 0)

    def written() -> Waiting:
        request = Request("x", SYSTEM, c.CallBets())
        body = write_letter(asked_of(seat, request, lambda _: None))
        return Waiting(1, B, "x", "system:system", body, 1.0)

    def newer(fields: dict[str, Any]) -> dict[str, Any]:
        return {**fields, "brought": True}

    old = written()
    assert read_letter(old).command == c.CallBets()
    monkeypatch.setitem(codec.VERSIONS, "call_bets", 2)
    monkeypatch.setitem(codec.UPCASTS, ("call_bets", 1), newer)
    new = written()
    with pytest.raises(JournalError, match="unknown field `brought`"):
        read_letter(old)  # it was brought up, to a version that there is not
    assert read_letter(new).command == c.CallBets()
    monkeypatch.setitem(codec.VERSIONS, "call_bets", 1)
    with pytest.raises(JournalError, match="of version 2 is not known here"):
        read_letter(new)


@looped
async def test_where_one_house_has_all_what_is_not_its_own_is_refused(tmp_path: Path) -> None:
    house = await House.open(tmp_path / "1", own=Own(frozenset("a"), cage=False))
    await house.start(drive=False)
    sentences = {
        B: "^Table b is another house's; this house does not serve it.$",
        "cage": "^The cage is another house's; this house does not serve it.$",
        "accounts": "^The accounts are another house's; this house does not serve them.$",
        "foo": "^No stream is named 'foo'.$",
    }
    for stream, sentence in sentences.items():
        with pytest.raises(JournalError, match=sentence):
            await house.submit(stream, wager(1))
    with pytest.raises(JournalError, match=sentences[B]):
        await house.watch("b")
    await opened(house, "a")
    assert not (await house.submit("table:a", wager(1))).accepted
    await house.close()


@looped
async def test_a_house_that_closes_opens_no_round_for_another(
    tmp_path: Path, postgres: PostgresPlace
) -> None:
    async with running(tmp_path, postgres, FIRST, SECOND) as (first, second):
        await opened(second)
        await second.end_rounds()
        with pytest.raises(ConditionError) as closing:
            await first.submit(B, Request("call", SYSTEM, c.CallBets()))
        assert closing.value.code is ServerCode.GOING_DOWN


# Watching


@looped
async def test_a_table_of_another_house_is_watched(
    tmp_path: Path, postgres: PostgresPlace
) -> None:
    async with running(tmp_path, postgres, FIRST, SECOND) as (first, second):
        await opened(second)
        told: list[Landed] = []
        watches = [await first.watch("b", told.append), await first.watch("b")]
        desk = second.tables["b"]
        assert [one.table for one in watches] == [desk.table] * 2
        await call_bets(second)
        await first.submit(B, wager(100_00))

        async def behind() -> int:
            return desk.seat.sequence - watches[1].sequence

        await becomes(behind, 0)
        assert [one.table for one in watches] == [desk.table] * 2
        sequences = [one.record.sequence for landed in told for one in landed.all]
        assert sequences == list(range(4 + 1, desk.seat.sequence + 1))
        assert told[-1].last.after.table == desk.table
        # Nobody hears what happens while the connection is lost; it is read all the same.
        await lose_connections(postgres)
        await well(desk, wager(200_00, "bet-2"))
        await becomes(behind, 0)
        assert watches[0].table == desk.table
        # One goes; when the other goes, too, nothing is read any more.
        watches[0].close()
        watches[0].close()
        count = len(told)
        await desk.submit(wager(300_00, "bet-3"))
        await becomes(behind, 0)
        watches[1].close()
        before = watches[1].sequence
        await desk.submit(wager(400_00, "bet-4"))
        await asyncio.sleep(0.7)
        assert (watches[1].sequence, len(told)) == (before, count)
        again = await first.watch("b")
        assert again.table == desk.table
        for house, name, sentence in (
            (second, "b", "Table b is this house's own; its desk has it."),
            (first, "z", "There is no table 'z'."),
        ):
            with pytest.raises(JournalError, match=f"^{sentence}$"):
                await house.watch(name)


async def well(desk: Desk, request: Request) -> Reply:
    """Submit to a table whose medium failed until it is back."""
    while True:
        with suppress(JournalError):
            return await desk.submit(request)
        await asyncio.sleep(0.05)


async def lose_connections(place: PostgresPlace) -> None:
    await execute(
        place.dsn,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        " AND datname = current_database()",
    )


@looped
async def test_what_was_not_heard_is_found(tmp_path: Path, postgres: PostgresPlace) -> None:
    async with running(tmp_path, postgres, FIRST, SECOND) as (first, second):
        await opened(second)
        await call_bets(second)
        for number in range(3):
            await lose_connections(postgres)
            assert (await first.submit(B, wager(100_00, f"bet-{number}"))).accepted
        ids = [one.command_id for one in await decided(first, B)]
        assert [ids.count(f"bet-{number}") for number in range(3)] == [1, 1, 1]


@looped
async def test_who_lost_a_table_sends_there_and_answers_nothing_any_more(
    tmp_path: Path, postgres: PostgresPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path, postgres, FIRST, SECOND) as (first, second):
        await opened(second)
        await call_bets(second)
        await taking(second).stop()
        # It has read a command that it would turn away, and does not know that it is late.
        out = Request("out", Staff("eve", DEALER.position), c.CloseTable())
        asks = asyncio.create_task(first.submit(B, out))
        await becomes(lambda: waiting(postgres), [None])
        seat = second.tables["b"].seat
        incoming = taking(second)
        (one, _), *_ = await incoming._page()  # noqa: SLF001
        incoming._told(one.number, seat, JournalError("Not now."))  # noqa: SLF001

        async def nobody(*_: object, **__: object) -> None: ...

        monkeypatch.setattr(House, "_hold", nobody)
        third = await started(tmp_path / "3", postgres.dsn, SECOND)
        await incoming.settle()
        answer = await asks
        assert answer.sequence > seat.sequence
        # What it is asked for itself goes to the next owner.
        assert second.writer.seat(B) is not None
        await call_bets(third)
        reply = await second.submit(B, wager(100_00))
        assert reply.accepted
        assert second.writer.seat(B) is None
        assert await second.submit(B, wager(100_00)) == reply
        assert await third.submit(B, wager(100_00)) == reply
        assert third.tables["b"].table.staked("ann") == 100_00
        # A table that it lost it may watch.
        watch = await second.watch("b")
        assert watch.table == third.tables["b"].table
        await third.close()


# Processes that are killed


class Other:
    """A house in a process of its own."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.told: list[Told] = []

    async def line(self) -> str:
        assert self.process.stdout is not None
        async with asyncio.timeout(30):
            return (await self.process.stdout.readline()).decode().strip().strip('"')

    def send(self, stream: str, request: Request, seconds: float = SECONDS) -> None:
        assert self.process.stdin is not None
        order = Order(stream, request.command_id, who(request), request.command, seconds)
        self.process.stdin.write(msgspec.json.encode(order) + b"\n")

    async def hears(self) -> Told:
        return msgspec.json.decode(await self.line(), type=Told)

    async def kill(self) -> None:
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()


def who(request: Request) -> Person:
    actor = request.actor
    return actor if isinstance(actor, Person) else person(actor)


@asynccontextmanager
async def other(
    folder: Path, place: PostgresPlace, tables: str, hang: str = "never"
) -> AsyncIterator[Other]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.floor.inbox_worker", str(folder), place.dsn, tables, hang,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    one = Other(process)
    try:
        assert await one.line() == "ready"
        yield one
    finally:
        await one.kill()


async def times(house: House, number: str, stream: str = B) -> int:
    return [one.command_id for one in await decided(house, stream)].count(number)


@pytest.mark.parametrize("where", ["before", "in", "after"])
@looped
async def test_an_owner_that_is_killed_leaves_its_commands_to_the_next(
    tmp_path: Path, postgres: PostgresPlace, where: str
) -> None:
    async with running(tmp_path, postgres, FIRST, SECOND) as (_, second):
        await opened(second)
    async with running(tmp_path, postgres, FIRST) as (first,):
        async with other(tmp_path / "1", postgres, "b", where) as killed:
            asks = asyncio.create_task(first.submit(B, wager(1, "x")))
            assert await killed.line() == "hangs"
            if where == "after":
                assert (await asks).refusal is not None
            assert asks.done() is (where == "after")
            assert len(await waiting(postgres)) == 1
        third = await started(tmp_path / "1", postgres.dsn, SECOND)
        assert (await asks).refusal is not None
        await becomes(lambda: waiting(postgres), [])
        assert await times(first, "x") == 1
        await third.close()


@looped
async def test_a_sender_that_is_killed_has_asked_in_time_or_not_at_all(
    tmp_path: Path, postgres: PostgresPlace
) -> None:
    async with running(tmp_path, postgres, FIRST, SECOND) as (first, second):
        await opened(second)
        await call_bets(second)
        await taking(second).stop()
        async with other(tmp_path / "x", postgres, "-") as killed:
            killed.send(B, wager(100_00, "in-time"))
            await becomes(lambda: waiting(postgres), [None])
            killed.send(B, wager(100_00, "late"), 0.01)
            await becomes(lambda: waiting(postgres), [None, None])
        taking(second).start()
        assert (await first.submit(B, wager(100_00, "last"))).accepted
        assert [await times(first, one) for one in ("in-time", "late", "last")] == [1, 0, 1]

        async def answers() -> list[bool]:
            return [b"after its deadline" in (one or b"") for one in await waiting(postgres)]

        await becomes(answers, [True])
        # Nobody asks for that answer any more.
        inbox = first._shared.inbox  # type: ignore[union-attr]  # noqa: SLF001
        await inbox.sweep(60)
        assert len(await waiting(postgres)) == 1
        await inbox.sweep(0)
        assert await waiting(postgres) == []


# At random


class Walk:
    """Two patrons ask for whatever comes to their minds, of both houses."""

    def __init__(self, seed: int, first: House) -> None:
        self.chance, self.first = Random(seed), first
        self.requests: dict[str, tuple[str, Request]] = {}
        self.answers: list[tuple[str, int, bool]] = []
        """Identification, sequence, and whether it was accepted."""

    def next(self) -> tuple[str, Request]:
        """Return something to ask for, perhaps once more."""
        if self.requests and self.chance.random() < 0.2:
            return self.requests[self.chance.choice(list(self.requests))]
        patron, number = self.chance.choice(("ann", "bob")), f"n{len(self.requests)}"
        cents = self.chance.choice((1_00, 10_00, 500_00))
        stream, command = self.chance.choice(
            [
                (B, c.TakeSeat(patron, 1 if patron == "ann" else 2)),
                (B, c.TakeCredit(patron, cents)),
                (B, c.LeaveSeat(patron)),
                ("cage", cage.SendToTable(patron, "b", cents)),
                ("cage", cage.SendToTable(patron, "b", cents)),
                ("cage", cage.CashOut(patron, cents)),
            ]
        )
        self.requests[number] = stream, Request(number, Patron(patron), command)
        return self.requests[number]

    async def here(self) -> None:
        """Ask the first house."""
        stream, request = self.next()
        with suppress(JournalError):
            reply = await self.first.submit(stream, request, 2)
            self.answers.append((request.command_id, reply.sequence, reply.accepted))

    async def there(self, one: Other) -> None:
        """Hear what the other house says, until it is killed."""
        while line := await one.line():
            told = msgspec.json.decode(line, type=Told)
            if told.error is None:
                self.answers.append((told.number, told.sequence, told.accepted))

    async def live(self, one: Other) -> None:
        """Ask both houses for something, and kill the other one in the middle of it."""
        hears = asyncio.create_task(self.there(one))
        asks = [asyncio.create_task(self.here()) for _ in range(10)]
        for _ in range(10):
            one.send(*self.next())
            await asyncio.sleep(self.chance.random() / 50)
        await asyncio.sleep(self.chance.random() / 10)
        await one.kill()
        await hears
        await asyncio.gather(*asks)

    async def check(self) -> None:
        """Every answer is in the journal, once, as it was given."""
        store = self.first.store
        records = [
            (stream, read_record(one))
            for stream in (B, "cage")
            for one in await store.read(stream)
        ]
        for number, sequence, accepted in self.answers:
            stream, _ = self.requests[number]
            found = [
                one for there, one in records if (there, one.command_id) == (stream, number)
            ]
            assert [(one.sequence, one.accepted) for one in found] == [(sequence, accepted)]
        balances = await store.balances()
        assert sum(balances.values()) == 0
        held = sum(cents for name, cents in balances.items() if cents > 0)
        assert held == 2 * 1_000_00
        assert not [name for name, cents in balances.items() if cents and "transit" in name]


@pytest.mark.parametrize("seed", [1, 2])
@looped
async def test_whoever_is_killed_what_was_answered_is_in_the_journal_once(
    tmp_path: Path, postgres: PostgresPlace, seed: int
) -> None:
    async with running(tmp_path, postgres, FIRST) as (first,):
        second = await started(tmp_path / "1", postgres.dsn, SECOND)
        desk = await second.table("b")
        opens = c.OpenTable(settings_of("tiger", None))
        assert (await desk.submit(Request("open", MANAGER, opens))).accepted
        await second.close()
        for patron in ("ann", "bob"):
            buy = Request(f"buy-{patron}", CARA, cage.BuyIn(patron, 1_000_00))
            assert (await first.submit("cage", buy)).accepted
        walk = Walk(seed, first)
        for _ in range(2):
            async with other(tmp_path / "1", postgres, "b") as one:
                await walk.live(one)
        second = await started(tmp_path / "1", postgres.dsn, SECOND)

        async def left() -> int:
            balances = await first.store.balances("transit")
            return len([cents for cents in balances.values() if cents])

        await becomes(left, 0)
        await becomes(lambda: waiting(postgres), [])
        assert len(walk.answers) > 10
        await walk.check()
        await second.close()
