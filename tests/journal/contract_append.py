"""What every store does with decisions, epochs and sealed cards."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec
import pytest

from croupier.journal.decision import GENESIS, Head, chain
from croupier.journal.errors import (
    ConflictError,
    FencedError,
    IdTakenError,
    JournalError,
    LedgerError,
)
from croupier.journal.frames import Kept
from tests.journal.places import (
    append,
    chained_head,
    claim,
    epoch_of,
    following,
    grown,
    head_after,
    outcomes,
    postings_in,
    records_in,
    start,
    together,
)

if TYPE_CHECKING:
    from croupier.journal.store import Store
    from tests.journal.places import Place

STREAM = "table:1"


class AppendContract:
    """Decisions, heads, and what a frame of several streams does."""

    async def test_what_was_appended_comes_back_byte_for_byte(self, place: Place) -> None:
        async with place.open() as store:
            stream, actor = "tisch:ä", "patron:🂡 ' \" \\ %s $1"
            epoch = await claim(store, stream, "test")
            moves = [("cash", "wallet:ünal", 1), ("cash", "wallet:'; --", 2**53 + 1)]
            ids = ["ü", "c\u200d 1", "'; --"]
            frame = following(start(stream), epoch, moves=moves, commands=ids, actor=actor)
            digest = bytes(32)
            bodies = (b'{"epoch":1,"x":"\\u0000"}', b'{"epoch":1}' + b" " * 100_000,
                      "{'日本':1}".encode())  # fmt: skip
            for place_, body in enumerate(bodies):
                digest = chain(digest, body)
                frame.decisions[place_ * 7 + 5 : place_ * 7 + 7] = [body, digest]
            frame.parts[stream].last_hash = digest
            await append(store, frame)
            assert await store.read(stream) == records_in(frame)
            assert await store.postings(stream) == postings_in(frame)
            key = (stream, actor, "c\u200d 1")
            assert await store.find([key]) == {key: records_in(frame)[1]}
            assert chained_head(await store.read(stream), stream) == head_after(frame)

    async def test_sequence_and_head(self, place: Place) -> None:
        async with place.open() as store:
            assert await store.head(STREAM) == start(STREAM)
            assert await store.heads() == []
            epoch = await claim(store, STREAM, "test")
            assert await store.head(STREAM) == start(STREAM)
            head = start(STREAM)
            for count in (1, 3, 2):
                frame = following(head, epoch, count=count)
                await append(store, frame)
                head = head_after(frame)
                assert await store.head(STREAM) == head
            assert [record.sequence for record in await store.read(STREAM)] == [*range(1, 7)]
            assert head.sequence == 6

    async def test_heads_are_those_of_streams_with_decisions(self, place: Place) -> None:
        async with place.open() as store:
            _, second = await grown(store, "table:2", 2)
            _, cage = await grown(store, "cage", 1)
            _, upper = await grown(store, "Table:3", 3)
            await claim(store, "table:9", "test")
            assert await store.heads() == [upper, cage, second]

    async def test_a_wrong_head_is_a_conflict(self, place: Place) -> None:
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
                frame = following(wrong, epoch, commands=[f"c{wrong.sequence}"])
                with pytest.raises(ConflictError, match="no longer ends at decision"):
                    await append(store, frame)
            assert await store.head(STREAM) == head

    async def test_an_epoch_tells_whether_a_stream_is_still_ones_own(
        self, place: Place
    ) -> None:
        async with place.open() as store:
            assert await store.epoch(STREAM) == 0
            epoch, head = await grown(store, STREAM, 2)
            assert await store.epoch(STREAM) == epoch
            await claim(store, STREAM, "somebody else")
            assert await store.epoch(STREAM) == epoch + 1
            assert await store.head(STREAM) == head

    async def test_rows_that_do_not_follow_are_refused(self, place: Place) -> None:
        async with place.open() as store:
            epoch, head = await grown(store, STREAM, 1)
            good = following(head, epoch, count=3)
            for order in ((1,), (0, 2), (0, 0), (1, 0), (0, 1)):
                rows = [
                    value
                    for number, one in enumerate(order)
                    for value in (number, *good.decisions[one * 7 + 1 : one * 7 + 7])
                ]
                with pytest.raises(JournalError, match=r"does not follow|is not in its frame"):
                    await append(store, msgspec.structs.replace(good, decisions=rows))
            assert await store.head(STREAM) == head
            await append(store, good)

    async def test_of_two_streams_in_a_frame_one_is_fenced(self, place: Place) -> None:
        async with place.open() as store:
            one, first = await grown(store, "table:1", 1)
            two, second = await grown(store, "table:2", 1)
            await claim(store, "table:2", "somebody else")
            paid = [("cash", "wallet:ann", 5)]
            good = following(first, one, moves=paid, commands=["c1"])
            late = following(second, two, moves=paid, commands=["c1"])
            refused = await store.append(together(late, good))
            assert [(name, type(error)) for name, error in refused.items()] == [
                ("table:2", FencedError)
            ]
            assert await store.head("table:1") == head_after(good)
            assert await store.head("table:2") == second
            assert await store.balances() == {"cash": -5, "wallet:ann": 5}
            # What was decided behind the part that was refused is refused as well.
            after = following(head_after(good), one, commands=["c2"])
            later = following(head_after(late), two, commands=["c2"])
            refused = await store.append(together(after, later))
            assert list(refused) == ["table:2"]
            assert await store.head("table:1") == head_after(after)

    @pytest.mark.parametrize("fault", ["conflict", "taken", "ledger", "wrong"])
    async def test_one_stream_of_a_frame_is_refused_and_the_others_are_written(
        self, place: Place, fault: str
    ) -> None:
        async with place.open() as store:
            heads = {}
            for number in range(5):
                epoch, heads[f"table:{number}"] = await grown(store, f"table:{number}", 2)
            frames = [
                following(head, epoch, moves=[("cash", f"seat:{name}:ann", 7)])
                for name, head in heads.items()
            ]
            bad = heads["table:2"]
            frames[2], error = {
                "conflict": (following(start("table:2"), epoch, commands=["n"]), ConflictError),
                "taken": (following(bad, epoch, commands=["n", "command-1"]), IdTakenError),
                "ledger": (
                    following(bad, epoch, moves=[("seat:table:2:ann", "cash", 1)]),
                    LedgerError,
                ),
                "wrong": (
                    msgspec.structs.replace(following(bad, epoch), decisions=[]),
                    JournalError,
                ),
            }[fault]
            refused = await store.append(together(*frames))
            assert {name: type(one) for name, one in refused.items()} == {"table:2": error}
            for number, frame in enumerate(frames):
                name = f"table:{number}"
                wanted = bad if number == 2 else head_after(frame)
                assert await store.head(name) == wanted
                assert chained_head(await store.read(name), name) == wanted
            held = {f"seat:table:{n}:ann": 7 for n in (0, 1, 3, 4)}
            assert await store.balances() == {"cash": -28, **held}

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

    async def test_postings_belong_to_their_stream(self, place: Place) -> None:
        async with place.open() as store:
            first, second = start("table:1"), start("table:2")
            one, two = await claim(store, "table:1", "a"), await claim(store, "table:2", "a")
            paid = [("cash", "wallet:ann", 500), ("cash", "wallet:bob", 300)]
            here = following(first, one, count=2, moves=paid)
            there = following(second, two, moves=paid[:1], actor="patron:bob")
            await append(store, here)
            await append(store, there)
            more = following(head_after(here), one, moves=paid[1:])
            await append(store, more)
            both = postings_in(here) + postings_in(more)
            assert await store.postings("table:1") == both
            assert await store.postings("table:1", 2) == postings_in(more)
            assert await store.postings("table:2") == postings_in(there)
            assert await store.postings("table:3") == []
            assert await store.balances() == {
                "cash": -1600,
                "wallet:ann": 1000,
                "wallet:bob": 600,
            }

    async def test_snapshots_are_written_with_their_decision_or_not_at_all(
        self, place: Place
    ) -> None:
        async with place.open() as store:
            epoch, head = await grown(store, STREAM, 2)
            assert await store.snapshot(STREAM) is None
            for state in (b"one", b"two"):
                frame = following(head, epoch)
                head = head_after(frame)
                kept = Kept(STREAM, head.sequence, head.hash, "release", state, b"mark")
                frame.snapshots.append(kept)
                await append(store, frame)
                assert await store.snapshot(STREAM) == kept
            late = following(start(STREAM), epoch)
            late.snapshots.append(Kept(STREAM, 1, b"", "release", b"three", b"mark"))
            with pytest.raises(ConflictError):
                await append(store, late)
            assert await store.snapshot(STREAM) == kept


class CommandContract:
    """Every command is written once."""

    async def test_the_same_command_is_not_written_twice(self, place: Place) -> None:
        async with place.open() as store:
            epoch = await claim(store, STREAM, "test")
            frame = following(start(STREAM), epoch, commands=["c1", "c2"])
            await append(store, frame)
            again = following(head_after(frame), epoch, commands=["c3", "c2"])
            with pytest.raises(IdTakenError, match="of patron:ann is in the journal already"):
                await append(store, again)
            keys = [(STREAM, "patron:ann", name) for name in ("c1", "c2", "c3")]
            keys.append((STREAM, "patron:bob", "c1"))
            assert await store.find(keys) == dict(zip(keys[:2], records_in(frame), strict=True))
            other = following(head_after(frame), epoch, commands=["c1"], actor="patron:bob")
            await append(store, other)
            assert (await store.find(keys))[keys[3]] == records_in(other)[0]
            assert await store.find([]) == {}

    async def test_the_same_identification_on_another_stream_is_another_command(
        self, place: Place
    ) -> None:
        async with place.open() as store:
            one, two = await claim(store, "table:1", "a"), await claim(store, "table:2", "a")
            first = following(start("table:1"), one, commands=["c1"])
            second = following(start("table:2"), two, commands=["c1"])
            await append(store, first)
            await append(store, second)
            keys = [(name, "patron:ann", "c1") for name in ("table:1", "table:2")]
            both = records_in(first) + records_in(second)
            assert await store.find(keys) == dict(zip(keys, both, strict=True))

    async def test_the_same_command_twice_in_one_frame(self, place: Place) -> None:
        async with place.open() as store:
            epoch = await claim(store, STREAM, "test")
            with pytest.raises(IdTakenError, match="Command c1 of patron:ann"):
                await append(store, following(start(STREAM), epoch, commands=["c1", "c1"]))
            assert await store.head(STREAM) == start(STREAM)

    async def test_the_same_command_in_two_frames_that_wait(self, place: Place) -> None:
        async with place.open() as store:
            epoch = await claim(store, STREAM, "test")
            first = following(start(STREAM), epoch, commands=["c1"])
            second = following(head_after(first), epoch, commands=["c1"])
            third = following(head_after(second), epoch, commands=["c2"])
            results = await outcomes(*(append(store, one) for one in (first, second, third)))
            assert [type(one) for one in results] == [type(None), IdTakenError, ConflictError]
            assert await store.head(STREAM) == head_after(first)

    async def test_a_command_sent_at_once_by_two_writers(self, place: Place) -> None:
        async with place.open_two() as (one, two):
            epochs = [await claim(one, f"table:{number}", "test") for number in range(10)]
            results = await outcomes(
                *(
                    append(
                        (one, two)[number % 2],
                        following(start(f"table:{number // 2}"), epoch, commands=["c"]),
                    )
                    for number, epoch in enumerate(one for one in epochs for _ in range(2))
                )
            )
            for number in range(10):
                pair = results[2 * number : 2 * number + 2]
                assert sum(result is None for result in pair) == 1
                assert sum(isinstance(result, ConflictError) for result in pair) == 1
            assert len(await one.heads()) == 10

    async def test_many_are_looked_up_by_one_question(self, place: Place) -> None:
        async with place.open() as store:
            epoch = await claim(store, STREAM, "test")
            ids = [f"id-{number}" for number in range(1_500)]
            frame = following(start(STREAM), epoch, commands=ids)
            await append(store, frame)
            keys = [(STREAM, "patron:ann", name) for name in ids]
            others = [("table:2", "patron:ann", name) for name in ids]
            found = await store.find([*others, *keys])
            assert found == dict(zip(keys, records_in(frame), strict=True))


class OwnerContract:
    """Epochs: who took a stream over writes it, and nobody else."""

    async def test_epochs_count_up_for_each_stream(self, place: Place) -> None:
        async with place.open_two() as (one, two):
            assert [await claim(one, STREAM, "a") for _ in range(3)] == [1, 2, 3]
            assert await claim(two, STREAM, "b") == 4
            assert await claim(two, "table:2", "b") == 1

    async def test_claims_at_once_give_different_epochs(self, place: Place) -> None:
        async with place.open_two() as (one, two):
            claims = (claim((one, two)[n % 2], STREAM, f"{n}") for n in range(20))
            epochs = await asyncio.gather(*claims)
            assert sorted(epochs) == [*range(1, 21)]

    async def test_a_stream_that_nobody_took_over_is_not_written(self, place: Place) -> None:
        async with place.open() as store:
            for epoch in (0, 1):
                with pytest.raises(FencedError):
                    await append(store, following(start(STREAM), epoch))
            assert await store.read(STREAM) == []

    async def test_who_was_taken_over_writes_nothing_more(self, place: Place) -> None:
        async with place.open_two() as (one, two):
            old, head = await grown(one, STREAM, 2)
            new = await claim(two, STREAM, "other")
            assert new == old + 1
            for epoch in (old, new + 1, 0):
                with pytest.raises(FencedError, match=f"epoch {epoch} is over"):
                    await append(one, following(head, epoch, commands=["c1"]))
            batch = following(head, new, commands=["c1"])
            await append(two, batch)
            with pytest.raises(FencedError):
                await append(one, following(head_after(batch), old))
            assert [epoch_of(record) for record in await one.read(STREAM)] == [old, old, new]

    async def test_batches_that_wait_behind_a_take_over_are_fenced(self, place: Place) -> None:
        async with place.open() as store:
            epoch, head = await grown(store, STREAM, 1)
            first = following(head, epoch)
            second = following(head_after(first), epoch)
            before, taken, after = await asyncio.gather(
                append(store, first),
                claim(store, STREAM, "other"),
                append(store, second),
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
            epochs = [epoch_of(record) for record in records]
            assert epochs == sorted(epochs)
            owners = {(epoch_of(record), record.actor) for record in records}
            assert len(owners) == len({epoch for epoch, _ in owners})


async def rival(store: Store, seed: int, take_overs: int) -> list[int]:
    """Take a stream over again and again, and append until fenced; return what was told."""
    chance, told = random.Random(seed), []
    for _ in range(take_overs):
        epoch = await claim(store, STREAM, f"{seed}")
        head = await store.head(STREAM)
        with suppress(FencedError, ConflictError):
            for _ in range(chance.randrange(1, 6)):
                await asyncio.sleep(chance.random() / 500)
                batch = following(head, epoch, actor=f"system:{seed}")
                await append(store, batch)
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
