"""Houses that share a database: each has its own tables, one has the cage and signs."""

from __future__ import annotations

import asyncio
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from croupier.accounts import commands as accounts
from croupier.accounts.commands import UserKind
from croupier.cage import commands as cage
from croupier.floor import house as house_module
from croupier.floor.desk import Request
from croupier.floor.house import CHECKPOINTS, House, Own
from croupier.journal.checkpoints import Checkpoints
from croupier.journal.errors import JournalError, NotInPositionError
from croupier.journal.verify import verify
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands as c
from croupier.table.next import Act, next_act
from croupier.table.refusals import Code
from croupier.table.roles import Patron, Staff
from tests.floor.casino import CARA
from tests.floor.rounds import looped
from tests.journal.conftest import execute, postgres, postgres_dsn, postgres_server
from tests.table.floor import DEALER, MANAGER, SYSTEM
from tests.table.next_house import AT_ONCE, settings_of

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import AsyncIterator
    from pathlib import Path

    from croupier.table.roles import Actor
    from tests.journal.places import PostgresPlace

__all__ = ["postgres", "postgres_dsn", "postgres_server"]
FIRST = Own(frozenset("a"))
SECOND = Own(frozenset("b"), cage=False)
SECONDS = 5.0


@asynccontextmanager
async def other_process(folder: Path, database: str) -> AsyncIterator[Process]:
    """Run a house with table b in a process of its own."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.floor.sharing_worker", str(folder), database, "b",
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        assert await heard(process) == "ready"
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def heard(process: Process) -> str:
    assert process.stdout is not None
    async with asyncio.timeout(20):
        return (await process.stdout.readline()).decode().strip()


async def told(process: Process, line: str) -> str:
    assert process.stdin is not None
    process.stdin.write(f"{line}\n".encode())
    return await heard(process)


async def started(folder: Path, database: str, own: Own) -> House:
    house = await House.open(folder, database, own=own)
    try:
        await house.start(drive=False)
    except JournalError:
        await house.close()
        raise
    return house


async def send(house: House, number: str, patron: str, table: str, cents: int) -> int:
    """Send credit to a table; return the number of the cage's decision."""
    command = cage.SendToTable(patron, table, cents)
    reply = await house.cage.submit(Request(number, Patron(patron), command))
    assert reply.accepted, reply.refusal
    return reply.sequence


async def holds(house: House, patron: str, cents: int) -> None:
    """Wait until a wallet holds so much."""
    async with asyncio.timeout(SECONDS):
        while house.cage.cage.held(patron) != cents:  # noqa: ASYNC110  # the other one works
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("together", [True, False], ids=["one folder", "two folders"])
@looped
async def test_credit_goes_between_the_houses_of_two_processes(
    tmp_path: Path, postgres: PostgresPlace, *, together: bool
) -> None:
    first, second = tmp_path / "first", tmp_path / ("first" if together else "second")
    house = await started(first, postgres.dsn, FIRST)
    for patron in ("ann", "bob"):
        buy = cage.BuyIn(patron, 1_000_00)
        await house.cage.submit(Request(f"buy-{patron}", CARA, buy))
    async with other_process(second, postgres.dsn) as process:
        sent = await send(house, "s1", "ann", "b", 300_00)
        answer = await house.transfers.arrival(sent, SECONDS)
        assert answer is not None
        assert answer.accepted
        assert house.cage.cage.sent == {}
        # What the table refuses there is back here.
        sent = await send(house, "s2", "bob", "b", 100_00)
        answer = await house.transfers.arrival(sent, SECONDS)
        assert answer is not None
        assert answer.refusal.code is Code.NOT_AT_TABLE
        assert house.cage.cage.held("bob") == 1_000_00
        # What leaves a seat there is in the wallet here.
        assert await told(process, "take 12000") == "done"
        await holds(house, "ann", 820_00)
        process.kill()
        await process.wait()
        # While nobody has the table it waits, and whoever takes the table over brings it.
        sent = await send(house, "s3", "ann", "b", 20_00)
        assert await house.transfers.arrival(sent, 0.2) is None
        assert sent in house.cage.cage.sent
    async with other_process(second, postgres.dsn) as process:
        answer = await house.transfers.arrival(sent, SECONDS)
        assert answer is not None
        assert answer.accepted
        assert sent not in house.cage.cage.sent
        assert process.stdin is not None
        process.stdin.close()
        assert await asyncio.wait_for(process.wait(), 10) == 0
    balances = await house.store.balances()
    assert not [name for name, held in balances.items() if held and "transit" in name]
    assert (balances["wallet:ann"], balances["seat:b:ann"]) == (800_00, 200_00)
    assert (await verify(house.store, RULEBOOKS)).findings == []
    heads = {head.stream: head.sequence for head in await house.store.heads()}
    await house.close()
    # One signs, for both.
    newest = Checkpoints(first / CHECKPOINTS).newest(house.signer.public)
    assert newest is not None
    assert {stream: sequence for stream, (sequence, _) in newest.heads.items()} == heads
    assert together or not list((second / CHECKPOINTS).iterdir())


@looped
async def test_what_one_house_runs_no_other_takes(
    tmp_path: Path, postgres: PostgresPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house_module, "HOLD_PAUSES_SECONDS", (0.01,))
    first = await started(tmp_path / "1", postgres.dsn, FIRST)
    second = await started(tmp_path / "2", postgres.dsn, SECOND)
    for house, name in ((first, "a"), (second, "b")):
        desk = await house.table(name)
        opens = c.OpenTable(settings_of("tiger", None))
        assert (await desk.submit(Request(f"open-{name}", MANAGER, opens))).accepted
    for house, name in ((first, "b"), (second, "a"), (second, "c")):
        sentence = f"^Table {name} is another house's; this house does not serve it.$"
        with pytest.raises(JournalError, match=sentence):
            await house.table(name)
    for own, what in (
        (Own(), "accounts"),
        (Own(frozenset()), "accounts"),
        (Own(frozenset("b"), cage=False), "table:b"),
        (Own(frozenset("ac"), cage=False), "table:a"),
    ):
        with pytest.raises(JournalError, match=f"^Another house runs {what} on this database;"):
            await started(tmp_path / "3", postgres.dsn, own)
    # A table that is founded later is held as well.
    third = await started(tmp_path / "3", postgres.dsn, Own(frozenset("cd"), cage=False))
    fourth = await started(tmp_path / "4", postgres.dsn, Own(frozenset("cd"), cage=False))
    await third.table("c")
    with pytest.raises(JournalError, match="Another house runs table:c"):
        await fourth.table("c")
    await fourth.table("d")
    # Nobody was disturbed by any of it.
    for house, name in ((first, "a"), (second, "b"), (third, "c"), (fourth, "d")):
        desk = await house.table(name)
        assert desk.serves
        assert desk.epoch == 1
        reply = await desk.submit(Request("sit", SYSTEM, c.TakeSeat("ann", 1)))
        assert reply.accepted is (name in "ab")
    for house in (first, second, third, fourth):
        await house.close()
    # All of them are gone: now one house has everything.
    whole = await started(tmp_path / "1", postgres.dsn, Own())
    assert sorted(whole.tables) == ["a", "b", "c", "d"]
    await whole.close()


@looped
async def test_what_was_not_heard_is_found(
    tmp_path: Path, postgres: PostgresPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A house whose connection was lost does nothing meanwhile, so nobody opens it again."""
    monkeypatch.setattr(house_module, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(house_module, "HOLD_PAUSES_SECONDS", (0.01,))
    second = await started(tmp_path / "2", postgres.dsn, SECOND)
    desk = await second.table("b")
    opens = c.OpenTable(settings_of("tiger", None))
    await desk.submit(Request("open", MANAGER, opens))
    await desk.submit(Request("sit", SYSTEM, c.TakeSeat("ann", 1)))
    await execute(
        postgres.dsn,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        " AND datname = current_database()",
    )
    first = await started(tmp_path / "1", postgres.dsn, FIRST)
    await first.cage.submit(Request("buy", CARA, cage.BuyIn("ann", 1_000_00)))
    answer = await first.transfers.arrival(await send(first, "s", "ann", "b", 1_00), SECONDS)
    assert answer is not None
    assert answer.accepted
    # And its table is still its own.
    with pytest.raises(JournalError, match="Another house runs table:b"):
        await started(tmp_path / "3", postgres.dsn, SECOND)
    for house in (second, first):
        await house.close()


@looped
async def test_a_house_without_the_accounts_knows_positions_and_limits_of_the_other(
    tmp_path: Path, postgres: PostgresPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house_module, "LOOK_SECONDS", 0.2)
    first = await started(tmp_path / "1", postgres.dsn, FIRST)
    await first.accounts.found("Ada")
    ada = first.accounts.actor("Ada")
    assert ada is not None

    async def administer(
        number: str, command: accounts.AccountsCommand, actor: Actor = ada
    ) -> None:
        reply = await first.accounts.submit(Request(number, actor, command))
        assert reply.accepted, reply.refusal

    for one in (MANAGER, DEALER):
        await administer(f"add-{one.name}", accounts.AddUser(one.name, UserKind.STAFF))
        given = accounts.GivePosition(one.name, one.position.value)
        await administer(f"give-{one.name}", given)
    await administer("ann", accounts.AddUser("ann", UserKind.PATRON))
    second = await started(tmp_path / "2", postgres.dsn, SECOND)
    desk = await second.table("b")
    opens = c.OpenTable(settings_of("tiger", None))
    assert (await desk.submit(Request("open", MANAGER, opens))).accepted
    with pytest.raises(NotInPositionError):
        await desk.submit(Request("shoe", Staff("eve", DEALER.position), c.LoadShoe("1")))
    seat = c.TakeSeat("ann", 1)
    assert second.allowed("ann", "table:b", seat, second.clock()) is None
    # What changes there holds here at once.
    monkeypatch.setattr(house_module, "LOOK_SECONDS", 60)
    await asyncio.sleep(0.3)
    await administer("exclude", accounts.ExcludePatron("ann"), Patron("ann"))
    async with asyncio.timeout(SECONDS):
        while second.allowed("ann", "table:b", seat, second.clock()) is None:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert (await verify(first.store, RULEBOOKS)).findings == []
    for house in (second, first):
        await house.close()


async def in_play(house: House, patron: str, cents: int) -> None:
    """Wait until a house counts what a patron has in play, wherever that is."""
    async with asyncio.timeout(SECONDS):
        while house.limits.today(patron, house.clock()).in_play_cents != cents:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


@looped
async def test_what_is_lost_at_a_table_of_another_house_counts_towards_own_limits(
    tmp_path: Path, postgres: PostgresPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house_module, "LOOK_SECONDS", 0.05)
    first = await started(tmp_path / "1", postgres.dsn, FIRST)
    second = await started(tmp_path / "2", postgres.dsn, SECOND)
    desk = await second.table("b")
    opens = c.OpenTable(settings_of("tiger", None, clocks=AT_ONCE))
    assert (await desk.submit(Request("open", MANAGER, opens))).accepted
    await desk.submit(Request("sit", SYSTEM, c.TakeSeat("ann", 1)))
    await desk.submit(Request("credit", SYSTEM, c.BringCredit("ann", 100_000_00)))
    number, won = 0, 0
    while not won:  # a tie returns the stake
        for _ in range(30):
            number += 1
            now = next_act(desk.table, second.clock())
            assert isinstance(now, Act)
            if isinstance(now.command, c.CloseBets):
                wager = c.PlaceWager("ann", "player", 100_00, 1)
                reply = await desk.submit(Request(f"bet-{number}", Patron("ann"), wager))
                assert reply.accepted, reply.refusal
                await in_play(first, "ann", 100_00)
            await desk.submit(Request(f"act-{number}", SYSTEM, now.command))
            if desk.table.between_rounds and desk.table.rounds:
                break
        won = desk.table.credits["ann"] - 100_000_00
    async with asyncio.timeout(SECONDS):
        while first.limits.today("ann", first.clock()).won_cents != won:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    await in_play(first, "ann", 0)
    today = second.limits.today("ann", second.clock())
    assert today.won_cents == won, "the own table is counted once"
    for house in (second, first):
        await house.close()
