"""A medium fails and is well again: the store is opened again, and goes on."""

from __future__ import annotations

import asyncio
import secrets
import shutil
import sqlite3
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import asyncpg
import pytest

from croupier.journal import medium
from croupier.journal.errors import (
    ConflictError,
    FencedError,
    JournalError,
    LedgerError,
    PoisonedError,
)
from croupier.journal.medium import connect_file
from croupier.journal.sqlite import SqliteStore
from croupier.journal.sqlite_file import write_log_again
from tests.journal.faulty import Disk, connector
from tests.journal.places import (
    append,
    chained_head,
    claim,
    content,
    following,
    grown,
    head_after,
    outcomes,
    postings_in,
    records_in,
    start,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from croupier.journal.decision import Head
    from croupier.journal.frames import Frame
    from croupier.journal.postgres import PostgresStore
    from croupier.journal.store import Store
    from tests.journal.places import PostgresPlace, SqlitePlace

STREAM = "table:1"
PAID = [("cash", "wallet:ann", 5)]


def disk() -> Disk:
    return Disk(f"disk-{secrets.token_hex(8)}")


async def check_whole_or_not(store: Store, before: Head, batch: Frame) -> Head:
    """Check that a batch of unknown outcome is there, or nothing of it; return the head."""
    head = await store.head(STREAM)
    assert head in (before, head_after(batch))
    there = head != before
    keys = [(STREAM, one.actor, one.command_id) for one in records_in(batch)]
    found = await store.find(keys)
    assert list(found.values()) == (records_in(batch) if there else [])
    postings = await store.postings(STREAM, before.sequence)
    assert postings == (postings_in(batch) if there else [])
    assert chained_head(await store.read(STREAM), STREAM) == head
    owed = sum(one.cents for one in await store.postings(STREAM))
    assert await store.balances() == ({"cash": -owed, "wallet:ann": owed} if owed else {})
    return head


async def after_power_failure(path: Path, left: Path) -> SqliteStore:
    """Open what a journal that is in use has on its medium; its index of the log is lost."""
    await asyncio.to_thread(left.mkdir)
    for end in ("", "-wal"):
        shutil.copy(f"{path}{end}", left)
    return await SqliteStore.open(left / path.name)


class TestDisk:
    """A disk that reports errors, under the journal's own store."""

    @pytest.mark.parametrize("kind", ["sync", "write"])
    async def test_every_operation_fails_once(
        self, tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(medium, "LOG_ROWS_MAX", 15)
        faulty = disk()
        path = tmp_path / "journal.sqlite"
        store = await SqliteStore.open(path, connector(faulty))
        epoch, head = await grown(store, STREAM, 1)
        failures = number = 0
        # How many fail depends on what is copied meanwhile; all kinds of places come up in 60.
        while number < 60 or failures <= 10:
            assert number < 600
            number += 1
            faulty.fails_at = (kind, faulty.counts[kind] + 1 + number % 7)
            batch = following(head, epoch, count=3, moves=PAID, commands=[f"c{number}"])
            (error,) = await outcomes(append(store, batch))
            if error is None:
                head = head_after(batch)
                continue
            assert isinstance(error, PoisonedError)
            failures += 1
            with pytest.raises(PoisonedError):
                await store.read(STREAM)
            faulty.fails_at = None
            await asyncio.gather(*(store.reopen() for _ in range(3)))
            head = await check_whole_or_not(store, head, batch)
        faulty.fails_at = None
        last = following(head, epoch)
        (error,) = await outcomes(append(store, last))
        if error is not None:
            # The log was still being copied beside the last frame, and that failed.
            assert isinstance(error, PoisonedError)
            await store.reopen()
            if await check_whole_or_not(store, head, last) == head:
                await append(store, last)
        told = await content(store, [STREAM])
        await store.close()
        store = await SqliteStore.open(path)
        assert await content(store, [STREAM]) == told
        await store.close()

    async def test_what_was_not_there_does_not_come_back(self, tmp_path: Path) -> None:
        """Somebody reads the file all the time; then the power fails."""
        faulty = disk()
        path = tmp_path / "journal.sqlite"
        store = await SqliteStore.open(path, connector(faulty))
        epoch, head = await grown(store, STREAM, 2)
        reading = connector(faulty)(path)
        reading.execute("SELECT count(*) FROM decision").fetchall()
        faulty.fails_at = ("sync", faulty.counts["sync"] + 1)
        batch = following(head, epoch, count=5, moves=PAID, commands=["c1"])
        with pytest.raises(PoisonedError):
            await append(store, batch)
        await store.reopen()
        told = await content(store, [STREAM])
        again = await after_power_failure(path, tmp_path / "left")
        assert await content(again, [STREAM]) == told
        await check_whole_or_not(again, head, batch)
        await again.close()
        reading.close()
        await store.close()

    async def test_what_may_come_back_is_not_told_of(self, tmp_path: Path) -> None:
        """After a failed sync there is no room to write over what failed."""
        faulty = disk()
        path = tmp_path / "journal.sqlite"
        store = await SqliteStore.open(path, connector(faulty))
        epoch, head = await grown(store, STREAM, 2)
        reading = connector(faulty)(path)
        reading.execute("SELECT count(*) FROM decision").fetchall()
        faulty.fails_at = ("sync", faulty.counts["sync"] + 1)
        batch = following(head, epoch, count=5, moves=PAID, commands=["c1"])
        with pytest.raises(PoisonedError):
            await append(store, batch)
        for _ in range(2):
            faulty.fails_at = ("write", faulty.counts["write"] + 1)
            with pytest.raises(PoisonedError, match="full"):
                await store.reopen()
            with pytest.raises(PoisonedError, match="full"):
                await store.find([(STREAM, "patron:ann", "c1")])
        again = await after_power_failure(path, tmp_path / "left")
        assert await again.head(STREAM) == head_after(batch)
        await again.close()
        await store.reopen()
        told = await content(store, [STREAM])
        assert await check_whole_or_not(store, head, batch) == head
        again = await after_power_failure(path, tmp_path / "gone")
        assert await content(again, [STREAM]) == told
        await again.close()
        reading.close()
        await store.close()

    async def test_what_another_process_left_may_come_back(self, tmp_path: Path) -> None:
        """A batch failed before the start, and the first thing that is written fails."""
        faulty = disk()
        path = tmp_path / "journal.sqlite"
        store = await SqliteStore.open(path, connector(faulty))
        epoch, head = await grown(store, STREAM, 2)
        reading = connector(faulty)(path)
        reading.execute("SELECT count(*) FROM decision").fetchall()
        faulty.fails_at = ("sync", faulty.counts["sync"] + 1)
        batch = following(head, epoch, count=5, moves=PAID, commands=["c1"])
        with pytest.raises(PoisonedError):
            await append(store, batch)
        await store.close()
        store = await SqliteStore.open(path, connector(faulty))
        for attempt in (claim(store, STREAM, "next"), store.reopen()):
            faulty.fails_at = ("write", faulty.counts["write"] + 1)
            with pytest.raises(PoisonedError, match="full"):
                await attempt
        await store.reopen()
        assert await check_whole_or_not(store, head, batch) == head
        again = await after_power_failure(path, tmp_path / "left")
        assert await again.head(STREAM) == head
        await again.close()
        reading.close()
        await store.close()

    async def test_what_found_no_room_cannot_come_back(self, tmp_path: Path) -> None:
        """A disk that was full for the batch, too, is read on."""
        faulty = disk()
        path = tmp_path / "journal.sqlite"
        store = await SqliteStore.open(path, connector(faulty))
        epoch, head = await grown(store, STREAM, 2)
        reading = connector(faulty)(path)
        reading.execute("SELECT count(*) FROM decision").fetchall()
        for which in range(1, 100):
            faulty.fails_at = ("write", faulty.counts["write"] + which)
            batch = following(head, epoch, moves=PAID, commands=[f"c{which}"])
            (error,) = await outcomes(append(store, batch))
            if error is None:
                break
            assert isinstance(error, PoisonedError)
            faulty.fails_at, faulty.failed_at = ("write", faulty.counts["write"] + 1), None
            await store.reopen()
            assert faulty.failed_at is not None
            assert await check_whole_or_not(store, head, batch) == head
            again = await after_power_failure(path, tmp_path / f"left-{which}")
            assert await again.head(STREAM) == head
            await again.close()
        assert which > 3
        faulty.fails_at = None
        await append(store, following(head_after(batch), epoch))
        reading.close()
        await store.close()

    async def test_a_full_disk_is_read_on_and_later_written(self, sqlite: SqlitePlace) -> None:
        pages = 40

        def connect(path: Path) -> sqlite3.Connection:
            connection = connect_file(path)
            connection.execute(f"PRAGMA max_page_count = {pages}")
            return connection

        store = await SqliteStore.open(sqlite.path, connect)
        epoch, head = await grown(store, STREAM, 1)
        for _ in range(3):
            error = None
            while error is None:
                batch = following(head, epoch, count=20)
                (error,) = await outcomes(append(store, batch))
                head = head if error else head_after(batch)
            assert isinstance(error, PoisonedError)
            await store.reopen()
            assert await store.head(STREAM) == head
            assert chained_head(await store.read(STREAM), STREAM) == head
        pages = 400
        with pytest.raises(PoisonedError, match="full"):
            await append(store, following(head, epoch, count=20))
        await store.reopen()
        await append(store, following(head, epoch, count=20))
        await store.close()

    async def test_a_disk_that_stays_broken_stays_poisoned(self, tmp_path: Path) -> None:
        broken = False

        def connect(path: Path) -> Any:  # noqa: ANN401  # as a connection
            if broken:
                message = "unable to open database file"
                raise sqlite3.OperationalError(message)
            return connection_of(path)

        faulty = disk()
        connection_of = connector(faulty)
        store = await SqliteStore.open(tmp_path / "journal.sqlite", connect)
        epoch, head = await grown(store, STREAM, 2)
        faulty.fails_at = ("sync", faulty.counts["sync"] + 1)
        batch = following(head, epoch, moves=PAID, commands=["c1"])
        assert await outcomes(append(store, batch)) != [None]
        broken = True
        for _ in range(2):
            assert {type(one) for one in await outcomes(store.reopen(), store.reopen())} == {
                PoisonedError
            }
            for attempt in (store.read(STREAM), store.head(STREAM), claim(store, STREAM, "x")):
                with pytest.raises(PoisonedError, match="unable to open database file"):
                    await attempt
        with pytest.raises(JournalError, match="is being written by another process"):
            await SqliteStore.open(tmp_path / "journal.sqlite")
        broken = False
        await store.reopen()
        head = await check_whole_or_not(store, head, batch)
        await append(store, following(head, epoch))
        await store.close()

    async def test_what_waited_meanwhile_is_answered(self, tmp_path: Path) -> None:
        """Framees behind the one that failed, sent before anybody knew of it."""
        faulty = disk()
        store = await SqliteStore.open(tmp_path / "journal.sqlite", connector(faulty))
        epoch, head = await grown(store, STREAM, 1)
        faulty.fails_at = ("sync", faulty.counts["sync"] + 1)
        batches = []
        for _ in range(40):
            batches.append(following(head, epoch))
            head = head_after(batches[-1])
        sent = [append(store, batch) for batch in batches]
        first = asyncio.gather(*sent[:20], return_exceptions=True)
        await asyncio.sleep(0)
        later = await outcomes(store.reopen(), *sent[20:])
        told = {type(one) for one in (*await first, *later)}
        assert told <= {type(None), PoisonedError, ConflictError}
        await store.reopen()
        written = (await store.head(STREAM)).sequence
        assert chained_head(await store.read(STREAM), STREAM).sequence == written
        await append(store, following(await store.head(STREAM), epoch))
        await store.close()

    async def test_a_reading_error_poisons_until_it_is_opened_again(
        self, sqlite: SqlitePlace
    ) -> None:
        fails = False

        class Failing:
            def __init__(self, path: Path) -> None:
                self._connection = connect_file(path)

            def __getattr__(self, name: str) -> Any:  # noqa: ANN401
                return getattr(self._connection, name)

            def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:  # noqa: ANN401
                if fails and statement.startswith("SELECT stream, sequence"):
                    message = "disk I/O error"
                    raise sqlite3.OperationalError(message)
                return self._connection.execute(statement, *values)

        store = await SqliteStore.open(sqlite.path, Failing)
        epoch, head = await grown(store, STREAM, 1)
        fails = True
        with pytest.raises(PoisonedError, match="disk I/O error"):
            await store.read(STREAM)
        fails = False
        with pytest.raises(PoisonedError, match="must be opened again"):
            await append(store, following(head, epoch))
        await store.reopen()
        assert len(await store.read(STREAM)) == 1
        await append(store, following(head, epoch))
        await store.close()

    async def test_the_log_is_written_again_as_it_was(self, sqlite: SqlitePlace) -> None:
        async with sqlite.open() as store:
            await grown(store, STREAM, 5)
            before = log_of(sqlite)
            write_log_again(sqlite.path)
            assert log_of(sqlite) == before != b""


def log_of(place: SqlitePlace) -> bytes:
    return Path(f"{place.path}-wal").read_bytes()


class TestTwoWriters:
    """A lock that somebody went around: whoever is stale acknowledges nothing."""

    async def test_a_link_leads_to_the_same_lock(self, sqlite: SqlitePlace) -> None:
        link = sqlite.path.with_name("link.sqlite")
        link.symlink_to(sqlite.path)
        async with sqlite.open() as store:
            epoch, head = await grown(store, STREAM, 1)
            with pytest.raises(JournalError, match=r"journal\.sqlite is being written by"):
                await SqliteStore.open(link)
        store = await SqliteStore.open(link)
        assert await store.head(STREAM) == head
        with pytest.raises(JournalError, match="is being written by another process"):
            await SqliteStore.open(sqlite.path)
        await append(store, following(head, epoch))
        await store.close()

    async def test_a_link_to_itself_is_refused(self, tmp_path: Path) -> None:
        link = tmp_path / "link.sqlite"
        link.symlink_to(link)
        with pytest.raises(JournalError, match="cannot be opened"):
            await SqliteStore.open(link)

    @asynccontextmanager
    async def two(self, place: SqlitePlace) -> AsyncIterator[tuple[SqliteStore, SqliteStore]]:
        one = await SqliteStore.open(place.path)
        await asyncio.to_thread(Path(f"{place.path}.lock").unlink)
        two = await SqliteStore.open(place.path)
        yield one, two
        for store in (one, two):
            await store.close()

    async def test_a_stale_writer_is_poisoned(self, sqlite: SqlitePlace) -> None:
        async with self.two(sqlite) as (one, two):
            epoch, head = await grown(one, STREAM, 1)
            with pytest.raises(PoisonedError, match="another process wrote it"):
                await claim(two, "table:2", "two")
            await two.reopen()
            paid = following(head, epoch, moves=PAID)
            await append(two, paid)
            other = following(head, epoch, moves=PAID, commands=["c1"])
            with pytest.raises(PoisonedError, match="another process wrote it"):
                await append(one, other)
            assert (await claim(two, STREAM, "two")) == epoch + 1
            await one.reopen()
            with pytest.raises(FencedError):
                await append(one, following(head_after(paid), epoch))
            assert await two.find([(STREAM, "patron:ann", "c1")]) == {}
            assert await two.balances() == {"cash": -5, "wallet:ann": 5}

    async def test_money_is_spent_once(self, sqlite: SqlitePlace) -> None:
        async with self.two(sqlite) as (one, two):
            epoch, head = await grown(one, STREAM, 1)
            paid = following(head, epoch, moves=PAID)
            await append(one, paid)
            await two.reopen()
            with pytest.raises(PoisonedError):
                await claim(two, "table:2", "two")
            await two.reopen()
            spent = following(start("table:2"), await claim(two, "table:2", "two"), moves=SPENT)
            await append(two, spent)
            again = following(head_after(paid), epoch, moves=SPENT)
            with pytest.raises(PoisonedError):
                await append(one, again)
            await one.reopen()
            with pytest.raises(LedgerError):
                await append(one, again)

    async def test_who_only_reads_disturbs_nobody(self, sqlite: SqlitePlace) -> None:
        async with sqlite.open() as store:
            epoch, head = await grown(store, STREAM, 1)
            for mode in ("ro", "rw"):
                address = f"{sqlite.path.as_uri()}?mode={mode}"
                other = sqlite3.connect(address, uri=True)
                other.execute("SELECT count(*) FROM decision").fetchall()
                batch = following(head, epoch)
                await append(store, batch)
                head = head_after(batch)
                other.execute("SELECT count(*) FROM decision").fetchall()
                other.close()
            await append(store, following(head, epoch))

    MORE = (
        "INSERT INTO decision SELECT 3, stream, 3, 'more', actor, body, hash"
        " FROM decision WHERE sequence = 1"
    )

    @pytest.mark.parametrize("mode", ["PASSIVE", "FULL", "RESTART", "TRUNCATE"])
    async def test_who_shortens_the_log_disturbs_nobody(
        self, sqlite: SqlitePlace, mode: str
    ) -> None:
        async with sqlite.open() as store:
            epoch, head = await grown(store, STREAM, 1)
            for number in range(3):
                await sqlite.bypass(f"PRAGMA wal_checkpoint({mode})")
                batch = following(head, epoch, moves=PAID, commands=[f"c{number}"])
                await append(store, batch)
                head = head_after(batch)
            assert chained_head(await store.read(STREAM), STREAM) == head
            assert await store.balances() == {"cash": -15, "wallet:ann": 15}

    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE owner SET epoch = epoch + 1",
            "UPDATE account SET cents = 6 WHERE name = 'wallet:ann'",
            MORE,
        ],
    )
    async def test_who_changes_anything_is_noticed(
        self, sqlite: SqlitePlace, statement: str
    ) -> None:
        async with sqlite.open() as store:
            epoch, head = await grown(store, STREAM, 1)
            paid = following(head, epoch, moves=PAID)
            await append(store, paid)
            await sqlite.bypass(statement)
            for _ in range(2):
                with pytest.raises(PoisonedError, match="another process wrote it"):
                    await append(store, following(head_after(paid), epoch))


SPENT = [("wallet:ann", "cash", 5)]


class TestServer:
    """A server that ends the connections of the store."""

    async def end_connections(self, place: PostgresPlace, store: PostgresStore) -> None:
        """Let the server end all other sessions, and wait until the store knows."""
        await place.bypass(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        (told,) = await outcomes(store.head(STREAM))  # type: ignore[arg-type]
        while not isinstance(told, PoisonedError):
            (told,) = await outcomes(store.head(STREAM))  # type: ignore[arg-type]

    async def test_a_lost_connection_is_made_again(self, postgres: PostgresPlace) -> None:
        async with postgres.open() as store:
            epoch, head = await grown(store, STREAM, 1)
            for number in range(3):
                await self.end_connections(postgres, store)
                await asyncio.gather(*(store.reopen() for _ in range(4)))
                assert len(await store.read(STREAM)) == number + 1
                batch = following(head, epoch, moves=PAID, commands=[f"c{number}"])
                await append(store, batch)
                head = head_after(batch)
            sessions = await self.sessions(postgres)
            assert sessions == 2

    async def sessions(self, place: PostgresPlace) -> int:
        query = (
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        async with place.connect() as connection:
            while (count := await connection.fetchval(query)) > 2:  # noqa: ASYNC110  # a server's state
                await asyncio.sleep(0.01)
        return int(count)

    async def test_who_listened_hears_again(self, postgres: PostgresPlace) -> None:
        heard: asyncio.Queue[tuple[str, int]] = asyncio.Queue()
        async with postgres.open() as store:
            await store.listen(lambda stream, sequence: heard.put_nowait((stream, sequence)))
            epoch, head = await grown(store, STREAM, 1)
            assert await asyncio.wait_for(heard.get(), 10) == (STREAM, 1)
            await self.end_connections(postgres, store)
            await store.reopen()
            await append(store, following(head, epoch))
            assert await asyncio.wait_for(heard.get(), 10) == (STREAM, 2)
            assert heard.empty()

    async def test_a_batch_in_flight_is_there_or_not(self, postgres: PostgresPlace) -> None:
        async with postgres.open() as store, postgres.connect() as other:
            epoch, head = await grown(store, STREAM, 1)
            for number in range(5):
                batch = following(head, epoch, moves=PAID, commands=[f"c{number}"])
                sending = asyncio.create_task(append(store, batch))
                await asyncio.sleep(number / 2_000)
                await other.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
                await asyncio.gather(sending, return_exceptions=True)
                there = None
                while there is None:
                    # That a session was ended may be heard of later than it was.
                    await store.reopen()
                    with suppress(PoisonedError):
                        there = await check_whole_or_not(store, head, batch)
                head = there
            await append(store, following(head, epoch))

    async def test_a_server_that_is_gone(self, postgres: PostgresPlace) -> None:
        async with postgres.open() as store:
            epoch, head = await grown(store, STREAM, 1)
            await self.end_connections(postgres, store)
            there, store._dsn = store._dsn, "postgresql:///x?host=/nowhere"  # noqa: SLF001
            for outcome in await outcomes(store.reopen(), store.reopen()):
                assert isinstance(outcome, PoisonedError)
            with pytest.raises(PoisonedError, match="must be opened again"):
                await append(store, following(head, epoch))
            store._dsn = there  # noqa: SLF001
            await store.reopen()
            await append(store, following(head, epoch))

    async def test_a_long_question_does_not_hold_it_up(self, postgres: PostgresPlace) -> None:
        async with postgres.open() as store:
            epoch, head = await grown(store, STREAM, 1)
            asking = asyncio.create_task(store._rows("SELECT pg_sleep(20)"))  # noqa: SLF001
            await asyncio.sleep(0.1)
            store._lost(store._write)  # noqa: SLF001
            await asyncio.wait_for(store.reopen(), 10)
            with pytest.raises((PoisonedError, asyncpg.PostgresError)):
                await asking
            await append(store, following(head, epoch))


async def test_a_file_of_another_form_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE answer (actor TEXT, command TEXT, stream TEXT)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(JournalError, match="its table answer differs;"):
        await SqliteStore.open(path)
    assert path.read_bytes()[100:] == before[100:]
