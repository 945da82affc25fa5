"""What every store does with money, and that a batch is written whole or not at all."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar

import pytest

from croupier.journal.decision import GENESIS, Head
from croupier.journal.errors import (
    ConflictError,
    FencedError,
    IdTakenError,
    JournalError,
    LedgerError,
)
from tests.journal.places import (
    append,
    chained_head,
    claim,
    content,
    following,
    grown,
    head_after,
    outcomes,
    start,
)

if TYPE_CHECKING:
    from croupier.journal.frames import Frame
    from croupier.journal.store import Store
    from croupier.journal.streams import Move
    from tests.journal.places import Place

STREAM = "table:1"


class LedgerContract:
    """Money: nothing is made, nothing is lost, no patron owes."""

    @pytest.mark.parametrize(
        "move",
        [
            ("cash", "wallet:ann", 0),
            ("cash", "wallet:ann", -5),
            ("wallet:ann", "wallet:ann", 5),
            ("cash", "wallet:ann", 2**63),
        ],
    )
    async def test_a_posting_of_nothing_is_refused(self, place: Place, move: Move) -> None:
        async with place.open() as store:
            epoch = await claim(store, STREAM, "test")
            with pytest.raises(LedgerError):
                await append(
                    store,
                    following(start(STREAM), epoch, moves=[("cash", "wallet:bob", 5), move]),
                )
            assert await store.head(STREAM) == start(STREAM)
            assert await store.postings(STREAM) == []
            assert await store.balances() == {}

    @pytest.mark.parametrize(
        "account", ["wallet:ann", "seat:1:ann", "stakes:1", "transit:1:ann", "ticket:7", "x"]
    )
    async def test_an_account_of_a_patron_is_never_below_zero(
        self, place: Place, account: str
    ) -> None:
        async with place.open() as store:
            epoch = await claim(store, STREAM, "test")
            with pytest.raises(LedgerError, match=f"{account} would hold less than nothing"):
                await append(
                    store, following(start(STREAM), epoch, moves=[(account, "cash", 1)])
                )
            paid = following(start(STREAM), epoch, moves=[("cash", account, 100)])
            await append(store, paid)
            with pytest.raises(LedgerError, match=account):
                await append(
                    store, following(head_after(paid), epoch, moves=[(account, "cash", 101)])
                )
            await append(
                store, following(head_after(paid), epoch, moves=[(account, "cash", 100)])
            )
            assert await store.balances() == {"cash": 0, account: 0}

    @pytest.mark.parametrize("account", ["cash", "vault", "house", "bank:1", "commission:1"])
    async def test_an_account_of_the_house_may_be(self, place: Place, account: str) -> None:
        async with place.open() as store:
            epoch = await claim(store, STREAM, "test")
            await append(
                store, following(start(STREAM), epoch, moves=[(account, "wallet:ann", 7)])
            )
            assert await store.balances() == {account: -7, "wallet:ann": 7}

    async def test_a_batch_is_judged_as_a_whole(self, place: Place) -> None:
        async with place.open() as store:
            epoch = await claim(store, STREAM, "test")
            moves = [("wallet:ann", "wallet:bob", 5), ("cash", "wallet:ann", 5)]
            await append(store, following(start(STREAM), epoch, moves=moves))
            assert await store.balances() == {"cash": -5, "wallet:ann": 0, "wallet:bob": 5}

    async def test_what_comes_later_does_not_pay_what_came_before(self, place: Place) -> None:
        async with place.open() as store:
            one, two = [await claim(store, f"table:{number}", "test") for number in (1, 2)]
            debit = following(start("table:1"), one, moves=[("wallet:ann", "cash", 5)])
            credit = following(start("table:2"), two, moves=[("cash", "wallet:ann", 9)])
            results = await outcomes(append(store, debit), append(store, credit))
            assert isinstance(results[0], LedgerError)
            assert results[1] is None
            assert await store.balances() == {"cash": -9, "wallet:ann": 9}
            more = following(head_after(credit), two, moves=[("cash", "wallet:ann", 1)])
            spent = following(start("table:1"), one, moves=[("wallet:ann", "cash", 10)])
            assert await outcomes(append(store, more), append(store, spent)) == [None, None]
            assert await store.balances() == {"cash": 0, "wallet:ann": 0}

    async def test_a_balance_too_large_to_keep_is_refused(self, place: Place) -> None:
        async with place.open() as store:
            epoch = await claim(store, STREAM, "test")
            most = following(start(STREAM), epoch, moves=[("cash", "wallet:ann", 2**63 - 1)])
            await append(store, most)
            for count in (1, 2):
                moves = [("house", "wallet:ann", 2**62)] * count
                with pytest.raises(LedgerError):
                    await append(store, following(head_after(most), epoch, moves=moves))
            assert (await store.balances())["wallet:ann"] == 2**63 - 1

    async def test_fifty_at_once_spend_one_wallet(self, place: Place) -> None:
        async with place.open_two() as stores:
            epoch = await claim(stores[0], "cage", "test")
            paid = following(start("cage"), epoch, moves=[("cash", "wallet:ann", 1_750)])
            await append(stores[0], paid)
            spending = []
            for number in range(50):
                store, stream = stores[number % 2], f"table:{number}"
                epoch = await claim(store, stream, "test")
                spent = [("wallet:ann", f"seat:{number}:ann", 100)]
                commands = [f"c{number}"]
                batch = following(start(stream), epoch, moves=spent, commands=commands)
                spending.append(append(store, batch))
            results = await outcomes(*spending)
            assert sum(result is None for result in results) == 17
            assert sum(isinstance(result, LedgerError) for result in results) == 33
            balances = await stores[1].balances()
            assert balances["wallet:ann"] == 50
            assert sum(balances.values()) == 0
            for number, result in enumerate(results):
                stream, seat = f"table:{number}", f"seat:{number}:ann"
                written = result is None
                assert len(await stores[0].read(stream)) == written
                assert len(await stores[0].postings(stream)) == written
                assert (await stores[0].head(stream)).sequence == written
                assert balances.get(seat) == (100 if written else None)

    async def test_balances_are_the_sums_of_the_postings(self, place: Place) -> None:
        chance = random.Random(5)
        async with place.open_two() as stores:
            streams = [f"table:{number}" for number in range(6)]
            moving = []
            for stream in streams:
                epoch, head = await grown(stores[0], stream, 1)
                for _ in range(8):
                    moves = [
                        ("house", f"wallet:{chance.randrange(3)}", chance.randrange(1, 50)),
                        (f"wallet:{chance.randrange(3)}", "house", chance.randrange(1, 50)),
                    ]
                    moving.append((stream, epoch, head, moves))
            await asyncio.gather(*(persist(chance.choice(stores), *one) for one in moving))
            wanted: dict[str, int] = {}
            for stream in streams:
                for posting in await stores[0].postings(stream):
                    wanted[posting.source] = wanted.get(posting.source, 0) - posting.cents
                    wanted[posting.target] = wanted.get(posting.target, 0) + posting.cents
            assert await stores[0].balances() == wanted
            assert min(wanted[f"wallet:{number}"] for number in range(3)) >= 0


async def persist(store: Store, stream: str, epoch: int, head: Head, moves: list[Move]) -> None:
    """Append one batch, again behind whoever was first; what cannot be paid is left."""
    with suppress(LedgerError):
        while True:
            try:
                await append(store, following(head, epoch, moves=moves))
            except ConflictError:
                head = await store.head(stream)
            else:
                return


class WholeContract:
    """All of a batch is written, or nothing; what others do at once changes nothing."""

    FAULTS: ClassVar = ("fenced", "conflict", "reused", "overdrawn", "nothing", "gap")

    @pytest.mark.parametrize("fault", FAULTS)
    @pytest.mark.parametrize("company", [False, True], ids=["alone", "in company"])
    async def test_nothing_of_a_refused_batch_remains(
        self, place: Place, fault: str, *, company: bool
    ) -> None:
        async with place.open() as store:
            epoch = await claim(store, STREAM, "test")
            base = following(
                start(STREAM), epoch, moves=[("cash", "wallet:ann", 10)], commands=["c0"]
            )
            await append(store, base)
            other = await claim(store, "table:2", "test")
            before = await content(store, [STREAM])
            moves = [("cash", "wallet:bob", 5), ("wallet:ann", "stakes:1", 10)]
            batch, error = faulty(fault, head_after(base), epoch, moves)
            beside = following(start("table:2"), other, commands=["d1"])
            if company:
                results = await outcomes(append(store, beside), append(store, batch))
            else:
                results = [None, *await outcomes(append(store, batch))]
                await append(store, beside)
            assert results[0] is None
            assert isinstance(results[1], error)
            before["heads"] = [head_after(base), head_after(beside)]
            assert await content(store, [STREAM]) == before
            assert await store.find([(STREAM, "patron:ann", "c1")]) == {}
            good = following(head_after(base), epoch, count=2, moves=moves, commands=["c1"])
            await append(store, good)
            assert await store.balances() == {
                "cash": -15, "wallet:ann": 0, "wallet:bob": 5, "stakes:1": 10
            }  # fmt: skip

    async def test_reasons_come_in_one_order(self, place: Place) -> None:
        async with place.open() as store:
            epoch = await claim(store, STREAM, "test")
            base = following(start(STREAM), epoch, commands=["c0"])
            await append(store, base)
            debt = [("wallet:ann", "cash", 1)]
            wrong = Head(STREAM, 1, GENESIS)
            head = head_after(base)
            for batch, error in (
                (following(wrong, 9, moves=[("a", "a", 1)], commands=["c0"]), LedgerError),
                (following(wrong, 9, moves=debt, commands=["c0"]), FencedError),
                (following(wrong, epoch, moves=debt, commands=["c0"]), ConflictError),
                (following(head, epoch, moves=debt, commands=["c0"]), IdTakenError),
                (following(head, epoch, moves=debt, commands=["c1"]), LedgerError),
            ):
                with pytest.raises(JournalError) as caught:
                    await append(store, batch)
                assert type(caught.value) is error

    async def test_who_waits_beside_a_refused_batch_is_served(self, place: Place) -> None:
        async with place.open() as store:
            appends, refused = [], set()
            for number in range(30):
                stream = f"table:{number:02}"
                epoch = await claim(store, stream, "test")
                debt = number % 7 == 3
                moves = [("wallet:x", "cash", 1)] if debt else [("cash", f"wallet:{number}", 1)]
                appends.append(append(store, following(start(stream), epoch, moves=moves)))
                refused |= {stream} if debt else set()
            results = await outcomes(*appends)
            assert sum(isinstance(result, LedgerError) for result in results) == len(refused)
            assert sum(result is None for result in results) == 30 - len(refused)
            heads = [head.stream for head in await store.heads()]
            assert heads == [f"table:{n:02}" for n in range(30) if n % 7 != 3]

    async def test_many_streams_at_once(self, place: Place) -> None:
        async with place.open_two() as stores:

            async def sender(number: int) -> Head:
                store, stream = stores[number % 2], f"table:{number}"
                epoch, head = await grown(store, stream, 1)
                for turn in range(5):
                    moves = [("cash", f"seat:{number}:ann", 100), ("cash", "vault", 1)]
                    commands = [f"{number}-{turn}"]
                    batch = following(head, epoch, count=2, moves=moves, commands=commands)
                    await append(store, batch)
                    head = head_after(batch)
                return head

            heads = await asyncio.gather(*(sender(number) for number in range(40)))
            assert sorted(heads, key=lambda head: head.stream) == await stores[0].heads()
            for head in heads:
                records = await stores[1].read(head.stream)
                assert len(records) == 11
                assert chained_head(records, head.stream) == head
            balances = await stores[1].balances()
            assert balances["vault"] == 200
            assert balances["cash"] == -40 * 5 * 100 - 200

    async def test_one_stream_may_wait_with_several_batches(self, place: Place) -> None:
        async with place.open() as store:
            epoch, head = await grown(store, STREAM, 1)
            appends = []
            for _ in range(20):
                batch = following(head, epoch)
                appends.append(append(store, batch))
                head = head_after(batch)
            assert await outcomes(*appends) == [None] * 20
            assert await store.head(STREAM) == head

    async def test_behind_a_refused_batch_of_one_stream_all_are_refused(
        self, place: Place
    ) -> None:
        async with place.open() as store:
            epoch, head = await grown(store, STREAM, 1)
            first = following(head, epoch)
            second = following(head_after(first), epoch, moves=[("wallet:ann", "cash", 1)])
            third = following(head_after(second), epoch)
            results = await outcomes(*(append(store, one) for one in (first, second, third)))
            assert results[0] is None
            assert isinstance(results[1], LedgerError)
            assert isinstance(results[2], ConflictError)
            assert await store.head(STREAM) == head_after(first)

    async def test_two_optimistic_writers_share_every_slot_once(self, place: Place) -> None:
        async with place.open_two() as stores:
            epoch, _ = await grown(stores[0], STREAM, 1)
            conflicts = 0

            async def writer(store: Store, name: str) -> None:
                nonlocal conflicts
                head = await store.head(STREAM)
                written = 0
                while written < 40:
                    batch = following(head, epoch, actor=name, commands=[f"{written}"])
                    try:
                        await append(store, batch)
                    except ConflictError:
                        conflicts += 1
                        head = await store.head(STREAM)
                    else:
                        head = head_after(batch)
                        written += 1
                        # Without a pause a store in memory would let the first one finish.
                        await asyncio.sleep(0)

            await asyncio.gather(writer(stores[0], "one"), writer(stores[1], "two"))
            records = await stores[0].read(STREAM)
            assert len(records) == 81
            chained_head(records, STREAM)
            assert sum(record.actor == "one" for record in records) == 40
            assert conflicts > 0


def faulty(
    fault: str, head: Head, epoch: int, moves: list[Move]
) -> tuple[Frame, type[JournalError]]:
    """Return a frame of two decisions with one fault, and the error it leads to."""
    good = following(head, epoch, count=2, moves=moves, commands=["c1"])
    if fault == "fenced":
        stale = following(head, epoch - 1, count=2, moves=moves, commands=["c1"])
        return stale, FencedError
    if fault == "conflict":
        elsewhere = Head(head.stream, head.sequence + 1, head.hash)
        late = following(elsewhere, epoch, count=2, moves=moves, commands=["c1"])
        return late, ConflictError
    if fault == "reused":
        twice = following(head, epoch, count=2, moves=moves, commands=["c1", "c0"])
        return twice, IdTakenError
    if fault == "gap":
        del good.decisions[:7]
        good.postings.clear()
        good.changes.clear()
        return good, JournalError
    nothing = ("wallet:ann", "wallet:bob", 0 if fault == "nothing" else 1)
    more = following(head, epoch, count=2, moves=[*moves, nothing], commands=["c1"])
    return more, LedgerError
