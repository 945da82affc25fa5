"""What every store does with records, answers, epochs and sealed cards."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec
import pytest

from croupier.journal.record import GENESIS, Answer, Batch, Head
from croupier.journal.replay import Writer, postings_of
from croupier.journal.store import (
    ConflictError,
    FencedError,
    JournalError,
    ReusedCommandError,
)
from tests.journal.places import (
    MOMENT,
    chained_head,
    following,
    grown,
    head_after,
    outcomes,
    start,
)

if TYPE_CHECKING:
    from croupier.journal.store import Store
    from tests.journal.places import Place

STREAM = "table:1"


class AppendContract:
    """Records, heads, answers."""

    async def test_what_was_appended_comes_back_byte_for_byte(self, place: Place) -> None:
        async with place.open() as store:
            epoch = await store.claim("tisch:ä", "test")
            writer = Writer("tisch:ä", epoch, start("tisch:ä"))
            bodies = (bytes(range(256)), b"", b"\x00" * 100_000, "{'日本'}".encode())
            records = tuple(
                writer.record(MOMENT, "patron:🂡 ' \" \\ %s $1", "ü", ("a thing", 7, body))
                for body in bodies
            )
            moves = [("cash", "wallet:ünal", 1), ("cash", "wallet:'; --", 2**53 + 1)]
            answer = Answer("patron:🂡", "c\u200d 1", bytes(32), "tisch:ä", 1, 4, b'{"\xff":0}')
            batch = Batch(
                "tisch:ä",
                epoch,
                start("tisch:ä"),
                records,
                postings_of("tisch:ä", 2, moves),
                (answer,),
            )
            await store.append(batch)
            assert tuple(await store.read("tisch:ä")) == records
            assert tuple(await store.postings("tisch:ä")) == batch.postings
            assert await store.answer("patron:🂡", "c\u200d 1") == answer
            assert await store.answers("tisch:ä") == [answer]
            assert chained_head(await store.read("tisch:ä"), "tisch:ä") == writer.head

    async def test_sequence_and_head(self, place: Place) -> None:
        async with place.open() as store:
            assert await store.head(STREAM) == start(STREAM)
            assert await store.heads() == []
            epoch = await store.claim(STREAM, "test")
            assert await store.head(STREAM) == start(STREAM)
            head = start(STREAM)
            for count in (1, 3, 2):
                batch = following(head, epoch, count=count)
                await store.append(batch)
                head = head_after(batch)
                assert await store.head(STREAM) == head
            assert [record.sequence for record in await store.read(STREAM)] == [*range(1, 7)]
            assert head.sequence == 6

    async def test_heads_are_those_of_streams_with_records(self, place: Place) -> None:
        async with place.open() as store:
            _, second = await grown(store, "table:2", 2)
            _, cage = await grown(store, "cage", 1)
            _, upper = await grown(store, "Table:3", 3)
            epoch = await store.claim("table:9", "test")
            await store.append(following(start("table:9"), epoch, count=0, commands=["c"]))
            assert await store.heads() == [upper, cage, second]

    @pytest.mark.parametrize("count", [0, 1])
    async def test_a_wrong_head_is_a_conflict(self, place: Place, count: int) -> None:
        async with place.open() as store:
            epoch, head = await grown(store, STREAM, 3)
            (_, second, _) = await store.read(STREAM)
            for wrong in (
                start(STREAM),
                Head(STREAM, 2, second.hash),
                Head(STREAM, 4, head.hash),
                Head(STREAM, 3, GENESIS),
                Head(STREAM, 3, second.hash),
            ):
                batch = following(wrong, epoch, count=count, commands=[f"c{wrong.sequence}"])
                with pytest.raises(ConflictError, match="no longer ends at record"):
                    await store.append(batch)
            assert await store.head(STREAM) == head
            assert await store.answers(STREAM) == []

    async def test_appending_nothing_tells_whether_a_stream_is_still_ones_own(
        self, place: Place
    ) -> None:
        async with place.open() as store:
            epoch, head = await grown(store, STREAM, 2)
            await store.append(Batch(STREAM, epoch, head, (), (), ()))
            with pytest.raises(ConflictError):
                await store.append(Batch(STREAM, epoch, start(STREAM), (), (), ()))
            await store.claim(STREAM, "somebody else")
            with pytest.raises(FencedError):
                await store.append(Batch(STREAM, epoch, head, (), (), ()))
            assert await store.head(STREAM) == head

    async def test_records_that_do_not_follow_are_refused(self, place: Place) -> None:
        async with place.open() as store:
            epoch, head = await grown(store, STREAM, 1)
            good = following(head, epoch, count=3)
            first, second, third = good.records
            for records in (
                (second,),
                (first, third),
                (first, first),
                (second, first),
                (first, msgspec.structs.replace(second, previous=GENESIS)),
                (msgspec.structs.replace(first, stream="table:2"),),
                (msgspec.structs.replace(first, epoch=epoch + 1),),
            ):
                with pytest.raises(JournalError, match="does not follow"):
                    await store.append(msgspec.structs.replace(good, records=records))
            assert await store.head(STREAM) == head
            await store.append(good)

    async def test_pages_of_records(self, place: Place) -> None:
        async with place.open() as store:
            await grown(store, STREAM, 10)
            await grown(store, "table:2", 3)
            records = await store.read(STREAM)
            assert await store.read(STREAM, limit=4) == records[:4]
            assert await store.read(STREAM, 4, 4) == records[4:8]
            assert await store.read(STREAM, 8, 4) == records[8:]
            assert await store.read(STREAM, 10) == []
            assert await store.read(STREAM, 99) == []
            assert await store.read(STREAM, 0, 0) == []
            assert await store.read("table:3") == []

    async def test_answers_and_postings_belong_to_their_stream(self, place: Place) -> None:
        async with place.open() as store:
            first, second = start("table:1"), start("table:2")
            one, two = await store.claim("table:1", "a"), await store.claim("table:2", "a")
            paid = [("cash", "wallet:ann", 500), ("cash", "wallet:bob", 300)]
            here = following(first, one, count=2, moves=paid, commands=["c2", "c1"])
            there = following(second, two, moves=paid[:1], commands=["c1"], actor="patron:bob")
            await store.append(here)
            await store.append(there)
            more = following(head_after(here), one, moves=paid[1:], commands=["c0"])
            await store.append(more)
            assert [one.command for one in await store.answers("table:1")] == ["c1", "c2", "c0"]
            assert await store.answers("table:2") == list(there.answers)
            assert await store.postings("table:1") == [*here.postings, *more.postings]
            assert await store.postings("table:1", 2) == list(more.postings)
            assert await store.postings("table:2") == list(there.postings)
            assert await store.postings("table:3") == []
            assert await store.balances() == {
                "cash": -1600,
                "wallet:ann": 1000,
                "wallet:bob": 600,
            }


class CommandContract:
    """Every command is answered once."""

    async def test_the_same_command_is_not_written_twice(self, place: Place) -> None:
        async with place.open() as store:
            epoch = await store.claim(STREAM, "test")
            batch = following(start(STREAM), epoch, commands=["c1", "c2"])
            await store.append(batch)
            assert await store.answer("patron:ann", "c2") == batch.answers[1]
            assert await store.answer("patron:ann", "c3") is None
            assert await store.answer("patron:bob", "c1") is None
            again = following(head_after(batch), epoch, commands=["c3", "c2"])
            with pytest.raises(ReusedCommandError, match="Command c2 of patron:ann was ans"):
                await store.append(again)
            assert await store.answer("patron:ann", "c2") == batch.answers[1]
            assert await store.answer("patron:ann", "c3") is None
            other = following(head_after(batch), epoch, commands=["c1"], actor="patron:bob")
            await store.append(other)
            assert await store.answer("patron:bob", "c1") == other.answers[0]

    async def test_the_same_command_on_another_stream(self, place: Place) -> None:
        async with place.open() as store:
            one, two = await store.claim("table:1", "a"), await store.claim("table:2", "a")
            results = await outcomes(
                store.append(following(start("table:1"), one, commands=["c1"])),
                store.append(following(start("table:2"), two, commands=["c1"])),
            )
            assert results[0] is None
            assert isinstance(results[1], ReusedCommandError)
            assert await store.read("table:2") == []

    async def test_the_same_command_twice_in_one_batch(self, place: Place) -> None:
        async with place.open() as store:
            epoch = await store.claim(STREAM, "test")
            with pytest.raises(ReusedCommandError, match="Command c1 of patron:ann"):
                await store.append(following(start(STREAM), epoch, commands=["c1", "c1"]))
            assert await store.head(STREAM) == start(STREAM)
            assert await store.answer("patron:ann", "c1") is None

    async def test_a_command_sent_at_once_by_two_writers(self, place: Place) -> None:
        async with place.open_two() as (one, two):
            epochs = [await one.claim(f"table:{number}", "test") for number in range(20)]
            results = await outcomes(
                *(
                    (one, two)[number % 2].append(
                        following(start(f"table:{number}"), epoch, commands=[f"c{number // 2}"])
                    )
                    for number, epoch in enumerate(epochs)
                )
            )
            for command in range(10):
                pair = results[2 * command : 2 * command + 2]
                assert sum(result is None for result in pair) == 1
                assert sum(isinstance(result, ReusedCommandError) for result in pair) == 1
            assert len(await one.heads()) == 10

    async def test_a_batch_of_answers_alone_leaves_the_head(self, place: Place) -> None:
        async with place.open() as store:
            epoch, head = await grown(store, STREAM, 2)
            batch = following(head, epoch, count=0, commands=["c1"])
            assert batch.answers[0].last < batch.answers[0].first
            await store.append(batch)
            assert await store.head(STREAM) == head
            assert await store.answer("patron:ann", "c1") == batch.answers[0]


class OwnerContract:
    """Epochs: who took a stream over writes it, and nobody else."""

    async def test_epochs_count_up_for_each_stream(self, place: Place) -> None:
        async with place.open_two() as (one, two):
            assert [await one.claim(STREAM, "a") for _ in range(3)] == [1, 2, 3]
            assert await two.claim(STREAM, "b") == 4
            assert await two.claim("table:2", "b") == 1

    async def test_claims_at_once_give_different_epochs(self, place: Place) -> None:
        async with place.open_two() as (one, two):
            claims = ((one, two)[n % 2].claim(STREAM, f"{n}") for n in range(20))
            epochs = await asyncio.gather(*claims)
            assert sorted(epochs) == [*range(1, 21)]

    async def test_a_stream_that_nobody_took_over_is_not_written(self, place: Place) -> None:
        async with place.open() as store:
            for epoch in (0, 1):
                with pytest.raises(FencedError):
                    await store.append(following(start(STREAM), epoch))
            assert await store.read(STREAM) == []

    async def test_who_was_taken_over_writes_nothing_more(self, place: Place) -> None:
        async with place.open_two() as (one, two):
            old, head = await grown(one, STREAM, 2)
            new = await two.claim(STREAM, "other")
            assert new == old + 1
            for epoch in (old, new + 1, 0):
                with pytest.raises(FencedError, match=f"epoch {epoch} is over"):
                    await one.append(following(head, epoch, commands=["c1"]))
            batch = following(head, new, commands=["c1"])
            await two.append(batch)
            with pytest.raises(FencedError):
                await one.append(following(head_after(batch), old))
            assert [record.epoch for record in await one.read(STREAM)] == [old, old, new]

    async def test_batches_that_wait_behind_a_take_over_are_fenced(self, place: Place) -> None:
        async with place.open() as store:
            epoch, head = await grown(store, STREAM, 1)
            first = following(head, epoch)
            second = following(head_after(first), epoch)
            before, taken, after = await asyncio.gather(
                store.append(first),
                store.claim(STREAM, "other"),
                store.append(second),
                return_exceptions=True,
            )
            assert before is None
            assert taken == epoch + 1
            assert isinstance(after, FencedError)
            assert await store.head(STREAM) == head_after(first)

    async def test_take_overs_among_many_appends(self, place: Place) -> None:
        async with place.open_two() as (one, two):
            rivals = (rival(one, 1, 12), rival(two, 2, 12), rival(one, 3, 12))
            written = [
                number for numbers in await asyncio.gather(*rivals) for number in numbers
            ]
            records = await one.read(STREAM)
            chained_head(records, STREAM)
            assert sorted(written) == [record.sequence for record in records]
            epochs = [record.epoch for record in records]
            assert epochs == sorted(epochs)
            owners = {(record.epoch, record.actor) for record in records}
            assert len(owners) == len({epoch for epoch, _ in owners})


async def rival(store: Store, seed: int, take_overs: int) -> list[int]:
    """Take a stream over again and again, and append until fenced; return what was told."""
    chance, told = random.Random(seed), []
    for _ in range(take_overs):
        epoch = await store.claim(STREAM, f"{seed}")
        head = await store.head(STREAM)
        with suppress(FencedError, ConflictError):
            for _ in range(chance.randrange(1, 6)):
                await asyncio.sleep(chance.random() / 500)
                batch = following(head, epoch, actor=f"system:{seed}")
                await store.append(batch)
                head = head_after(batch)
                told.append(head.sequence)
    return told


class SealedContract:
    """Sealed cards are kept once."""

    async def test_sealed_cards_are_kept_once(self, place: Place) -> None:
        cards = [bytes([number % 256]) * 60 for number in range(416)]
        async with place.open_two() as (one, two):
            await one.keep_sealed("shoe", cards)
            assert [await two.sealed("shoe", n) for n in (0, 1, 415)] == [
                cards[0], cards[1], cards[415]
            ]  # fmt: skip
            for again in (cards, cards[::-1], cards[:1]):
                with pytest.raises(JournalError, match="Shoe shoe is sealed already"):
                    await two.keep_sealed("shoe", again)
            assert await one.sealed("shoe", 0) == cards[0]
            for shoe, index in (("shoe", 416), ("shoe", -1), ("other", 0)):
                with pytest.raises(JournalError, match=f"{shoe} has no sealed card {index}"):
                    await one.sealed(shoe, index)
            await two.keep_sealed("other", cards[:2])
            assert await one.sealed("other", 1) == cards[1]
