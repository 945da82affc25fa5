"""What every store must do: one suite of tests for memory, SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from croupier.journal.errors import (
    FencedError,
    JournalError,
    LedgerError,
)
from tests.journal.contract_append import (
    AppendContract,
    CommandContract,
    OwnerContract,
    SealedContract,
)
from tests.journal.contract_health import HealthContract, NamesContract
from tests.journal.contract_ledger import LedgerContract, WholeContract
from tests.journal.places import (
    append,
    claim,
    content,
    following,
    grown,
    head_after,
    records_in,
)

if TYPE_CHECKING:
    from tests.journal.places import Place

STREAM = "table:1"
HELD = {"cash": -9, "wallet:ann": 9, "bank:1": -2, "commission:1": 2}


class StoreContract(
    AppendContract,
    CommandContract,
    OwnerContract,
    LedgerContract,
    WholeContract,
    SealedContract,
    NamesContract,
    HealthContract,
):
    """What every store does."""


class DurableContract(StoreContract):
    """What a store does that outlives its process."""

    async def test_opened_again_it_has_the_same(self, place: Place) -> None:
        async with place.open() as store:
            epoch, head = await grown(store, STREAM, 3)
            batch = following(
                head, epoch, moves=[("cash", "wallet:ann", 9)], commands=["c1", "c2"]
            )
            await append(store, batch)
            await grown(store, "cage", 2)
            await store.keep_sealed("shoe", [b"a", b"b"])
            before = await content(store, [STREAM, "cage"])
        async with place.open() as store:
            assert await content(store, [STREAM, "cage"]) == before
            assert await store.sealed("shoe", 1) == b"b"
            key = (STREAM, "patron:ann", "c2")
            assert await store.find([key]) == {key: records_in(batch)[1]}
            more = following(head_after(batch), epoch, moves=[("wallet:ann", "cash", 9)])
            await append(store, more)
            with pytest.raises(LedgerError):
                await append(
                    store, following(head_after(more), epoch, moves=[("wallet:ann", "cash", 1)])
                )
            with pytest.raises(JournalError):
                await store.keep_sealed("shoe", [b"a", b"b"])
            assert await claim(store, STREAM, "again") == epoch + 1
            with pytest.raises(FencedError):
                await append(store, following(head_after(more), epoch))

    async def test_once_closed_it_says_so(self, place: Place) -> None:
        async with place.open() as store:
            epoch, head = await grown(store, STREAM, 1)
        for attempt in (
            claim(store, STREAM, "late"),
            append(store, following(head, epoch)),
            store.keep_sealed("shoe", [b"a"]),
            store.read(STREAM),
            store.head(STREAM),
            store.reopen(),
        ):
            with pytest.raises(JournalError, match="is closed"):
                await asyncio.wait_for(attempt, 10)

    async def test_closing_finishes_what_waits(self, place: Place) -> None:
        async with place.open() as store:
            epoch, head = await grown(store, STREAM, 1)
            batches = []
            for _ in range(10):
                batches.append(following(head, epoch))
                head = head_after(batches[-1])
            waiting = [asyncio.create_task(append(store, batch)) for batch in batches]
            await asyncio.sleep(0)
        assert await asyncio.gather(*waiting) == [None] * 10
        async with place.open() as store:
            assert await store.head(STREAM) == head

    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE decision SET body = body",
            "UPDATE decision SET actor = 'eve' WHERE sequence = 1",
            "DELETE FROM decision WHERE sequence = 2",
            "UPDATE posting SET cents = 8",
            "DELETE FROM posting",
            "UPDATE sealed SET number = 5 WHERE number = 0",
            "DELETE FROM sealed",
        ],
    )
    async def test_the_database_changes_nothing(self, place: Place, statement: str) -> None:
        await self._fill(place)
        async with place.open() as store:
            before = await content(store, [STREAM])
        with pytest.raises(place.refusals, match="never changed"):
            await place.bypass(statement)
        async with place.open() as store:
            assert await content(store, [STREAM]) == before
            assert await store.sealed("shoe", 0) == b"a"

    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE account SET cents = -1 WHERE name = 'wallet:ann'",
            "UPDATE account SET cents = cents - 10 WHERE name LIKE 'wallet%'",
            "INSERT INTO account (name, cents) VALUES ('wallet:eve', -1)",
            "INSERT INTO account (name, cents) VALUES ('my cash', -1)",
            "INSERT INTO account (name, cents) VALUES ('Cash', -1)",
            "UPDATE account SET cents = -1, name = 'seat:cash' WHERE name = 'bank:1'",
            "INSERT INTO posting VALUES ({key}, 9, 'cash', 'wallet:ann', 0)",
            "INSERT INTO posting VALUES ({key}, 9, 'cash', 'cash', 5)",
            "INSERT INTO posting VALUES ({key}, 0, 'cash', 'vault', 5)",
            "INSERT INTO decision SELECT * FROM decision",
            "INSERT INTO sealed SELECT * FROM sealed",
        ],
    )
    async def test_the_database_refuses_what_cannot_be(
        self, place: Place, statement: str
    ) -> None:
        await self._fill(place)
        with pytest.raises(place.refusals):
            await place.bypass(statement.replace("{key}", place.posting_key))
        async with place.open() as store:
            assert await store.balances() == HELD

    async def test_the_database_lets_the_house_owe(self, place: Place) -> None:
        await self._fill(place)
        await place.bypass("UPDATE account SET cents = -10 WHERE name = 'bank:1'")
        async with place.open() as store:
            assert await store.balances() == {**HELD, "bank:1": -10}

    async def test_a_stream_is_seen_even_when_its_owner_is_gone(self, place: Place) -> None:
        await self._fill(place)
        async with place.open() as store:
            before = await store.heads()
        assert [head.stream for head in before] == [STREAM]
        await place.bypass("DELETE FROM owner")
        async with place.open() as store:
            assert await store.heads() == before
            assert await store.head(STREAM) == before[0]

    async def test_an_epoch_is_above_those_of_the_decisions(self, place: Place) -> None:
        async with place.open() as store:
            for _ in range(4):
                epoch, head = await grown(store, STREAM, 2)
        await place.bypass("DELETE FROM owner")
        async with place.open() as store:
            with pytest.raises(FencedError):
                await append(store, following(head, epoch))
            assert await claim(store, STREAM, "again") == epoch + 1
            assert await claim(store, "table:2", "first") == 1
            await append(store, following(head, epoch + 1))
        await place.bypass("UPDATE owner SET epoch = 1")
        async with place.open() as store:
            assert await claim(store, STREAM, "again") == epoch + 2

    async def _fill(self, place: Place) -> None:
        async with place.open() as store:
            epoch, head = await grown(store, STREAM, 1)
            moves = [("cash", "wallet:ann", 9), ("bank:1", "commission:1", 2)]
            await append(store, following(head, epoch, moves=moves, commands=["c1"]))
            await store.keep_sealed("shoe", [b"a", b"b"])
