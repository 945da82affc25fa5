"""The inbox beside a journal in PostgreSQL: order, bounds, deadlines, and who answers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from croupier.journal import postgres_inbox
from croupier.journal.errors import BusyError, JournalError
from croupier.journal.inbox import Answered
from tests.journal.places import claim, grown

if TYPE_CHECKING:
    from croupier.journal.inbox import Waiting
    from croupier.journal.postgres_inbox import PostgresInbox
    from tests.journal.places import PostgresPlace

ONE, TWO = "table:1", "table:2"
PAGE = 100


async def put(inbox: PostgresInbox, stream: str, name: str, seconds: float = 10) -> int:
    return await inbox.put((stream, "patron:ann", name), name.encode(), seconds)


def names(waiting: list[Waiting]) -> list[str]:
    return [one.command_id for one in waiting]


async def test_what_waits_is_taken_in_order_by_its_owner_alone(postgres: PostgresPlace) -> None:
    async with postgres.open() as here, postgres.open() as there:
        for stream in (ONE, TWO):
            await claim(here, stream, "test")
        numbers = await asyncio.gather(
            *(
                put(store.inbox, stream, f"{stream}-{number}")
                for number in range(20)
                for store in (here, there)
                for stream in (ONE, TWO)
            )
        )
        assert len(set(numbers)) == 80
        found = await here.inbox.waiting([ONE], [], PAGE)
        assert {one.stream for one in found} == {ONE}
        assert [one.number for one in found] == sorted(one.number for one in found)
        # Of one sender nothing overtakes.
        for kept in (numbers[0::4], numbers[2::4]):
            assert list(kept) == sorted(kept)
        assert (found[0].actor, found[0].body) == ("patron:ann", found[0].command_id.encode())
        assert 0 < found[0].seconds <= 10
        known = [one.number for one in found[:5]]
        assert names(await here.inbox.waiting([ONE], known, 3)) == names(found[5:8])
        assert len(await here.inbox.waiting([ONE, TWO], [], PAGE)) == 80


async def test_only_so_many_wait_for_one_stream(
    postgres: PostgresPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_inbox, "WAITING_MAX", 2)
    async with postgres.open() as here, postgres.open() as there:
        for stream in (ONE, TWO):
            await claim(here, stream, "test")
        both = await asyncio.gather(
            *(put(store.inbox, ONE, "x") for _ in range(5) for store in (here, there)),
            return_exceptions=True,
        )
        assert [type(one) for one in both].count(BusyError) == 8
        await put(here.inbox, TWO, "x")
        # What is answered, removed, or over leaves room.
        first, second = (one for one in both if isinstance(one, int))
        await here.inbox.remove([first])
        third = await put(here.inbox, ONE, "x", 0.01)
        with pytest.raises(BusyError, match=r"^2 commands wait for table:1;"):
            await put(here.inbox, ONE, "x", 0.01)
        await asyncio.sleep(0.02)
        fourth = await put(here.inbox, ONE, "x")
        await here.inbox.settle([], [Answered(second, 1, b"no"), Answered(third, 1, b"late")])
        await put(here.inbox, ONE, "x")
        found = await here.inbox.waiting([ONE], [], PAGE)
        assert [one.number for one in found[:1]] == [fourth]
        assert await here.inbox.answers([first, second, third, fourth]) == {
            second: b"no",
            third: b"late",
            fourth: None,
        }


async def test_nobody_answers_for_a_stream_that_they_lost(postgres: PostgresPlace) -> None:
    async with postgres.open() as here, postgres.open() as there:
        await claim(here, ONE, "test")
        asked = [await put(here.inbox, ONE, str(number)) for number in range(3)]
        await claim(there, ONE, "other")
        mine = [Answered(asked[0], 1, b"mine"), Answered(asked[1], 2, b"yours")]
        assert await here.inbox.settle([asked[2]], mine) == {asked[0]}
        assert await here.inbox.answers(asked) == {asked[0]: None, asked[1]: b"yours"}
        # What was answered is so for good.
        assert await there.inbox.settle([], [Answered(asked[1], 2, b"other")]) == frozenset()
        assert await there.inbox.answers([asked[1]]) == {asked[1]: b"yours"}


async def test_whoever_listens_hears_of_what_is_put_and_answered(
    postgres: PostgresPlace,
) -> None:
    async with postgres.open() as here, postgres.open() as there:
        await claim(here, ONE, "test")
        heard: asyncio.Queue[tuple[str, int]] = asyncio.Queue()
        await there.inbox.listen(lambda stream, number: heard.put_nowait((stream, number)))
        await grown(here, "table:9", 1)
        number = await put(here.inbox, ONE, "x")
        await here.inbox.settle([], [Answered(number, 1, b"no")])
        for _ in range(2):
            assert await asyncio.wait_for(heard.get(), 5) == (ONE, number)
        assert heard.empty()


async def test_what_nobody_asks_for_is_swept_away(postgres: PostgresPlace) -> None:
    async with postgres.open() as store:
        await claim(store, ONE, "test")
        old, new = (
            await put(store.inbox, ONE, "old", -20),
            await put(store.inbox, ONE, "new", 0),
        )
        await store.inbox.sweep(10)
        assert await store.inbox.answers([old, new]) == {new: None}


async def test_a_journal_without_an_inbox_gets_one(postgres: PostgresPlace) -> None:
    async with postgres.open() as store:
        await grown(store, ONE, 3)
    await postgres.bypass("DROP TABLE inbox")
    await postgres.bypass("DROP FUNCTION put_command, settle_commands")
    async with postgres.open() as store:
        assert await put(store.inbox, ONE, "x") == 1
        assert len(await store.read(ONE)) == 3
        with pytest.raises(JournalError, match=r"^No house has ever served table:2"):
            await put(store.inbox, TWO, "x")
