"""The stores keep the contract; and what is particular to a file and to a server."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

import asyncpg
import pytest

from croupier.journal.errors import FencedError, JournalError, LedgerError, PoisonedError
from croupier.journal.medium import connect_file
from croupier.journal.postgres import GROUP_MAX, PostgresStore
from croupier.journal.sqlite import SqliteStore
from tests.journal.contract import DurableContract, StoreContract
from tests.journal.contract_append import AppendContract, CommandContract, OwnerContract
from tests.journal.contract_health import HealthContract
from tests.journal.places import (
    append,
    chained_head,
    claim,
    epoch_of,
    following,
    grown,
    head_after,
    outcomes,
    start,
)
from tests.journal.processes import Program, running

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import AsyncIterator, Coroutine
    from pathlib import Path

    from tests.journal.places import MemoryPlace, Place, PostgresPlace, SqlitePlace

STREAM = "table:1"


class TestMemory(StoreContract):
    @pytest.fixture
    def place(self, memory: MemoryPlace) -> Place:
        return memory


class TestSqliteProcess(AppendContract, CommandContract, OwnerContract, HealthContract):
    """The writer as a process of its own does the same; the others need no second run."""

    @pytest.fixture
    def place(self, sqlite: SqlitePlace) -> Place:
        sqlite.process = True
        return sqlite


class TestSqlite(DurableContract):
    @pytest.fixture
    def place(self, sqlite: SqlitePlace) -> Place:
        return sqlite

    async def test_a_file_that_another_process_writes_is_refused(
        self, sqlite: SqlitePlace
    ) -> None:
        async with running("holder", str(sqlite.path)) as holder:
            assert await holder.line() == "open"
            with pytest.raises(JournalError, match="is being written by another process"):
                await SqliteStore.open(sqlite.path, wait_seconds=0.1)
            holder.tell("close")
            await holder.process.wait()
            async with sqlite.open() as store:
                await grown(store, STREAM, 1)

    async def test_a_killed_process_leaves_the_file_to_the_next(
        self, sqlite: SqlitePlace
    ) -> None:
        async with running("holder", str(sqlite.path)) as holder:
            assert await holder.line() == "open"
            holder.process.kill()
            await holder.process.wait()
            async with sqlite.open() as store:
                assert await store.heads() == []

    async def test_a_full_disk_poisons_and_what_was_answered_is_there(
        self, sqlite: SqlitePlace
    ) -> None:
        store = await SqliteStore.open(sqlite.path, connect_little)
        epoch, head = await grown(store, STREAM, 1)
        error = None
        while error is None:
            batch = following(head, epoch, count=20)
            (error,) = await outcomes(append(store, batch))
            head = head if error else head_after(batch)
        assert isinstance(error, PoisonedError)
        assert "full" in str(error)
        assert head.sequence > 20
        for attempt in (
            append(store, following(head, epoch)),
            claim(store, STREAM, "test"),
            store.read(STREAM),
            store.head(STREAM),
        ):
            with pytest.raises(PoisonedError, match="must be opened again"):
                await attempt
        await store.close()
        async with sqlite.open() as again:
            assert await again.head(STREAM) == head
            assert chained_head(await again.read(STREAM), STREAM) == head
            await append(again, following(head, epoch))


def connect_little(path: Path) -> sqlite3.Connection:
    """Connect to a file that may not grow beyond 40 pages."""
    connection = connect_file(path)
    connection.execute("PRAGMA max_page_count = 40")
    return connection


class TestPostgres(DurableContract):
    @pytest.fixture
    def place(self, postgres: PostgresPlace) -> Place:
        return postgres

    async def test_who_waits_for_a_take_over_is_fenced(self, postgres: PostgresPlace) -> None:
        async with postgres.open() as store, postgres.connect() as other:
            epoch, head = await grown(store, STREAM, 1)
            taking = other.transaction()
            await taking.start()
            await other.execute("UPDATE owner SET epoch = epoch + 1")
            waiting = asyncio.create_task(append(store, following(head, epoch)))
            await waits_for(postgres, "Lock")
            assert not waiting.done()
            await taking.commit()
            with pytest.raises(FencedError):
                await waiting
            assert await store.head(STREAM) == head

    async def test_a_take_over_waits_for_who_writes(self, postgres: PostgresPlace) -> None:
        async with postgres.open() as one, postgres.open() as two:
            epoch, head = await grown(one, STREAM, 1)
            batch = following(head, epoch, moves=[("cash", "wallet:ann", 5)])
            async with holding_accounts(postgres):
                writing = asyncio.create_task(append(one, batch))
                await waits_for(postgres, "Lock")
                taking = asyncio.create_task(claim(two, STREAM, "two"))
                await waits_for(postgres, "Lock", 2)
                assert not taking.done()
            await writing
            assert await taking == epoch + 1
            assert await two.head(STREAM) == head_after(batch)

    async def test_what_another_process_spends_meanwhile_counts(
        self, postgres: PostgresPlace
    ) -> None:
        async with postgres.open() as store, postgres.connect() as other:
            epoch, head = await grown(store, STREAM, 1)
            paid = following(head, epoch, moves=[("cash", "wallet:ann", 5)])
            await append(store, paid)
            spending = other.transaction()
            await spending.start()
            await other.execute("UPDATE account SET cents = 4 WHERE name = 'wallet:ann'")
            spent = following(head_after(paid), epoch, moves=[("wallet:ann", "cash", 5)])
            waiting = asyncio.create_task(append(store, spent))
            await waits_for(postgres, "Lock")
            await spending.commit()
            with pytest.raises(LedgerError, match="wallet:ann would hold less than nothing"):
                await waiting
            assert await store.head(STREAM) == head_after(paid)

    async def test_many_open_an_empty_database_at_once(self, postgres: PostgresPlace) -> None:
        stores = await asyncio.gather(*(PostgresStore.open(postgres.dsn) for _ in range(6)))
        epochs = await asyncio.gather(*(claim(store, STREAM, "test") for store in stores))
        assert sorted(epochs) == [1, 2, 3, 4, 5, 6]
        for store in stores:
            await store.close()

    async def test_more_batches_than_a_group_holds(self, postgres: PostgresPlace) -> None:
        async with postgres.open() as store:
            epoch, head = await grown(store, STREAM, 1)
            appends = []
            for _ in range(GROUP_MAX + 10):
                batch = following(head, epoch)
                appends.append(append(store, batch))
                head = head_after(batch)
            assert set(await outcomes(*appends)) == {None}
            assert await store.head(STREAM) == head

    async def test_what_the_database_cannot_keep_harms_nobody_else(
        self, postgres: PostgresPlace
    ) -> None:
        async with postgres.open() as store:
            one, two = [await claim(store, f"table:{number}", "test") for number in (1, 2)]
            unlike = random.Random(1).randbytes(50_000).hex()
            for number, strange in enumerate(("a\0b", unlike, "\ud800")):
                strange_one = following(start("table:1"), one, commands=[strange])
                good = following(await store.head("table:2"), two, commands=[f"c{number}"])
                results = await outcomes(append(store, strange_one), append(store, good))
                assert type(results[0]) is JournalError
                assert results[1] is None
            assert await store.head("table:1") == start("table:1")
            assert (await store.head("table:2")).sequence == 3

    async def test_an_append_is_heard_by_others(self, postgres: PostgresPlace) -> None:
        heard: asyncio.Queue[tuple[str, int]] = asyncio.Queue()
        async with postgres.open() as one, postgres.open() as two:
            await two.listen(lambda stream, sequence: heard.put_nowait((stream, sequence)))
            epoch = await claim(one, "table: 7", "test")
            batch = following(start("table: 7"), epoch, count=3)
            await append(one, batch)
            assert await asyncio.wait_for(heard.get(), 10) == ("table: 7", 3)
            refused = following(head_after(batch), epoch, moves=[("wallet:ann", "cash", 1)])
            assert await outcomes(append(one, refused)) != [None]
            await append(one, following(head_after(batch), epoch))
            assert await asyncio.wait_for(heard.get(), 10) == ("table: 7", 4)
            assert heard.empty()

    @pytest.mark.parametrize("table", ["decision", "posting", "sealed"])
    async def test_nothing_is_truncated(self, postgres: PostgresPlace, table: str) -> None:
        await self._fill(postgres)
        with pytest.raises(asyncpg.PostgresError, match=f"{table}s are never changed"):
            await postgres.bypass(f"TRUNCATE {table}")

    async def test_not_even_a_replica_changes_a_decision(self, postgres: PostgresPlace) -> None:
        await self._fill(postgres)
        with pytest.raises(asyncpg.PostgresError, match="never changed"):
            await postgres.bypass(
                "SET session_replication_role = replica; DELETE FROM decision"
            )
        async with postgres.open() as store:
            assert len(await store.read(STREAM)) == 2

    async def test_a_database_that_does_not_wait_for_its_disk_is_refused(
        self, postgres: PostgresPlace
    ) -> None:
        with pytest.raises(JournalError, match="would lose what it answered"):
            await PostgresStore.open(f"{postgres.dsn}&synchronous_commit=off")

    @pytest.mark.parametrize("dsn", ["postgresql:///x?host=/nowhere", "not an address"])
    async def test_a_database_that_is_not_there(self, dsn: str) -> None:
        with pytest.raises(PoisonedError, match=r"^The journal cannot be opened: .*\.$"):
            await PostgresStore.open(dsn)

    @pytest.mark.parametrize("query", ["append_frame", "FROM decision", "LISTEN"])
    async def test_any_lost_connection_poisons(
        self, postgres: PostgresPlace, query: str
    ) -> None:
        store = await PostgresStore.open(postgres.dsn)
        await store.listen(lambda _stream, _sequence: None)
        epoch, head = await grown(store, STREAM, 1)
        assert await store.read(STREAM)
        async with postgres.connect() as connection:
            ended = END_BACKENDS.format(what=f"query LIKE '%{query}%'")
            assert await connection.fetch(ended), "no connection was lost"
        lost = None
        while lost is None:
            lost = await told(store.head(STREAM))
        assert isinstance(lost, PoisonedError)
        for attempt in (
            append(store, following(head, epoch)),
            claim(store, STREAM, "test"),
            store.read(STREAM),
            store.listen(lambda _stream, _sequence: None),
        ):
            with pytest.raises(PoisonedError, match="must be opened again"):
                await attempt
        await store.close()
        async with postgres.open() as store:
            assert await store.head(STREAM) == head
            await append(store, following(head, epoch))


async def told(asked: Coroutine[object, object, object]) -> JournalError | None:
    """Return the error that a question leads to, if it does."""
    try:
        await asked
    except JournalError as error:
        return error
    return None


END_BACKENDS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid() AND {what}"
)


async def waits_for(place: PostgresPlace, kind: str, count: int = 1) -> None:
    """Wait until some session of the server waits for something of a kind."""
    query = (
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = $1 OR wait_event = $1"
    )
    async with place.connect() as connection:
        while await connection.fetchval(query, kind) < count:  # noqa: ASYNC110  # a server's state
            await asyncio.sleep(0.002)


@asynccontextmanager
async def holding_accounts(place: PostgresPlace) -> AsyncIterator[asyncpg.Connection]:
    """Keep everybody else from changing a balance."""
    async with place.connect() as connection, connection.transaction():
        await connection.execute("LOCK TABLE account IN EXCLUSIVE MODE")
        yield connection


class TestStaleOwners:
    """Processes that are stopped, taken over, and go on."""

    async def test_a_stopped_owner_writes_nothing_more(self, postgres: PostgresPlace) -> None:
        await take_turns(postgres, turns=8, seed=1)

    @pytest.mark.crash
    async def test_stopped_owners_many_times(self, postgres: PostgresPlace) -> None:
        await take_turns(postgres, turns=400, seed=2)


async def take_turns(place: PostgresPlace, turns: int, seed: int) -> None:
    """Let two processes take a stream from each other, each stopped where it happens to be."""
    chance = random.Random(seed)
    arguments = (place.dsn, STREAM)
    async with (
        running("writer", *arguments, "one") as one,
        running("writer", *arguments, "two") as two,
    ):
        for program in (one, two):
            assert await program.line() == "ready"
        answered: list[str] = []
        owner, other = one, two
        owner.tell("go")
        for _ in range(turns):
            answered += await lines_until(owner, "wrote", chance.randrange(1, 15))
            await asyncio.sleep(chance.random() / 100)
            os.kill(owner.process.pid, signal.SIGSTOP)
            other.tell("go")
            # Whoever takes over does not wait for the one that is stopped.
            answered += await lines_until(other, "wrote", 3)
            os.kill(owner.process.pid, signal.SIGCONT)
            answered += await lines_until(owner, "fenced", 1)
            owner, other = other, owner
        async with place.open() as store:
            await claim(store, STREAM, "the end")
            answered += await lines_until(owner, "fenced", 1)
            await check_turns(store, answered, turns)


async def lines_until(program: Program, word: str, count: int) -> list[str]:
    """Return the lines of a program until so many begin with a word."""
    lines = []
    while count:
        lines.append(await program.line())
        count -= lines[-1].startswith(word)
    return lines


async def check_turns(store: PostgresStore, answered: list[str], turns: int) -> None:
    """Check that what was answered is there, and that every epoch had one writer."""
    records = await store.read(STREAM, limit=1_000_000)
    chained_head(records, STREAM)
    epochs = [epoch_of(record) for record in records]
    assert epochs == sorted(epochs)
    owners = {(epoch_of(record), record.actor) for record in records}
    assert len(owners) == len(set(epochs)) == turns + 1
    wrote = [line.split()[1:] for line in answered if line.startswith("wrote")]
    kept = {record.command_id: record.sequence for record in await store.read(STREAM)}
    assert len(kept) == len(records)
    # Nothing that was written is unknown either: the programs were stopped, not killed.
    assert {command: int(sequence) for sequence, command in wrote} == kept


class Persistent:
    """Writes commands to a stream, whatever happens to the connections."""

    def __init__(self, place: PostgresPlace, epoch: int) -> None:
        self.place, self.epoch = place, epoch
        self.store: PostgresStore | None = None
        self.unknown = self.written = 0
        self.noticed = asyncio.Event()

    async def send(self, command: str) -> None:
        """Write a command once: after an unknown outcome the journal itself is asked."""
        asked = False
        self.noticed.clear()
        while True:
            try:
                if self.store is None:
                    self.store = await PostgresStore.open(self.place.dsn)
                if asked and await self.store.find([(STREAM, "patron:ann", command)]):
                    self.written += 1
                    return
                head = await self.store.head(STREAM)
                await append(self.store, following(head, self.epoch, commands=[command]))
            except PoisonedError:
                asked = True
                self.unknown += 1
                self.noticed.set()
                if self.store is not None:
                    await self.store.close()
                self.store = None
            else:
                return


class TestUnknownOutcomes:
    """The connection is lost around the commit: the command's identification tells."""

    async def test_killed_before_and_after_the_commit(self, postgres: PostgresPlace) -> None:
        async with postgres.open() as store:
            epoch = await claim(store, STREAM, "test")
        sender = Persistent(postgres, epoch)
        for number in range(0, 40, 2):
            await sender.send(f"c{number}")
            async with holding_owner(postgres) as other:
                before = asyncio.create_task(sender.send(f"c{number + 1}"))
                await waits_for(postgres, "Lock")
                await other.execute(END_BACKENDS.format(what="wait_event_type = 'Lock'"))
                await sender.noticed.wait()
            await before
        async with waiting_for_a_standby(postgres) as other:
            for number in range(40, 60):
                after = asyncio.create_task(sender.send(f"c{number}"))
                await waits_for(postgres, "SyncRep")
                await other.execute(END_BACKENDS.format(what="wait_event = 'SyncRep'"))
                await after
        assert sender.store is not None
        assert (sender.unknown, sender.written) == (40, 20)
        await check_once(sender.store, 60)
        await sender.store.close()

    @pytest.mark.crash
    async def test_killed_at_any_moment(self, postgres: PostgresPlace) -> None:
        async with postgres.open() as store:
            epoch = await claim(store, STREAM, "test")
        sender, chance = Persistent(postgres, epoch), random.Random(3)

        async def kill() -> None:
            async with postgres.connect() as connection:
                while True:
                    await asyncio.sleep(chance.random() / 10)
                    await connection.execute(
                        END_BACKENDS.format(what="query LIKE '%append_frame%'")
                    )

        killer = asyncio.create_task(kill())
        for number in range(2_000):
            await sender.send(f"c{number}")
        killer.cancel()
        await asyncio.gather(killer, return_exceptions=True)
        assert sender.unknown > 20
        assert sender.store is not None
        await sender.store.close()
        async with postgres.open() as store:
            await check_once(store, 2_000)


@asynccontextmanager
async def holding_owner(place: PostgresPlace) -> AsyncIterator[asyncpg.Connection]:
    """Keep everybody else from writing the stream."""
    async with place.connect() as connection, connection.transaction():
        await connection.execute("SELECT FROM owner FOR UPDATE")
        yield connection


@asynccontextmanager
async def waiting_for_a_standby(place: PostgresPlace) -> AsyncIterator[asyncpg.Connection]:
    """Let the server wait, after its own commit, for a standby that never comes."""
    async with place.connect() as connection:
        try:
            await connection.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
            await connection.execute("SELECT pg_reload_conf()")
            with suppress(TimeoutError):
                while True:
                    async with asyncio.timeout(0.2):
                        await place.bypass("UPDATE owner SET holder = holder")
            yield connection
        finally:
            await connection.execute("ALTER SYSTEM RESET synchronous_standby_names")
            await connection.execute("SELECT pg_reload_conf()")


async def check_once(store: PostgresStore, count: int) -> None:
    """Check that every command led to one record."""
    records = await store.read(STREAM)
    chained_head(records, STREAM)
    assert len(records) == count
    records = await store.read(STREAM)
    assert sorted(one.command_id for one in records) == sorted(f"c{n}" for n in range(count))
    assert [one.sequence for one in records] == [*range(1, count + 1)]
