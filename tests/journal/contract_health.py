"""What every store does with names it cannot write, and when it is opened again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
import pytest

from croupier.journal.record import Batch
from croupier.journal.store import NAME_MAX, FencedError, JournalError, unwritable
from tests.journal.places import (
    answered,
    content,
    following,
    grown,
    head_after,
    outcomes,
    start,
)

if TYPE_CHECKING:
    from tests.journal.places import Place

STREAM = "table:1"
LONG = "".join(chr(0x1F000 + number % 1000) for number in range(NAME_MAX))
"""The longest name, four bytes a character, and nothing in it comes twice."""
UNWRITABLE = ("", "x\0y", "c\n1", "\x7f", "\x85", "\ud800", f"{LONG}x", "long" * 3_000)


def named(batch: Batch, kind: str, text: str) -> Batch:
    """Return a batch in which one text is another."""
    place, _, field = kind.partition(".")
    first, *others = getattr(batch, place)
    changed = msgspec.structs.replace(first, **{field: text})
    return msgspec.structs.replace(batch, **{place: (changed, *others)})


class NamesContract:
    """Names are written as they are, or refused alike by every store."""

    @pytest.mark.parametrize("text", UNWRITABLE)
    async def test_what_is_no_name_is_refused(self, place: Place, text: str) -> None:
        async with place.open() as store:
            epoch = await store.claim(STREAM, "test")
            moves = [("cash", "wallet:ann", 1)]
            good = following(start(STREAM), epoch, moves=moves, commands=["c1"])
            kinds = [f"records.{one}" for one in ("actor", "command", "name", "moment")]
            kinds += ["postings.source", "postings.target", "answers.actor", "answers.command"]
            bad = [store.append(named(good, kind, text)) for kind in kinds]
            bad += [
                store.append(Batch(text, epoch, start(text), (), (), ())),
                store.claim(text, "test"),  # type: ignore[list-item]
                store.claim(STREAM, text),  # type: ignore[list-item]
                store.keep_sealed(text, [b"a"]),
            ]
            for outcome in await outcomes(*bad):
                assert type(outcome) is JournalError
                assert str(outcome) == unwritable(text)
            assert await store.head(STREAM) == start(STREAM)
            await store.append(good)

    async def test_the_longest_names_are_written(self, place: Place) -> None:
        async with place.open() as store:
            epoch = await store.claim(LONG, LONG)
            head = start(LONG)
            accounts = (LONG, f"wallet:{LONG[7:]}")
            paid = [("cash", accounts[0], 1), ("cash", accounts[1], 1)]
            batch = following(head, epoch, count=3, moves=paid, commands=[LONG], actor=LONG)
            await store.append(batch)
            await store.keep_sealed(LONG, [b"a"])
            assert await store.answer(LONG, LONG) == answered(LONG, LONG, 1, 3, LONG)
            assert await store.answers(LONG) == list(batch.answers)
            assert await store.postings(LONG) == list(batch.postings)
            assert await store.sealed(LONG, 0) == b"a"
            assert await store.heads() == [head_after(batch)]

    async def test_a_body_may_be_long(self, place: Place) -> None:
        async with place.open() as store:
            epoch = await store.claim(STREAM, "test")
            (record,) = following(start(STREAM), epoch).records
            long = msgspec.structs.replace(record, body=bytes(range(256)) * 20_000)
            await store.append(Batch(STREAM, epoch, start(STREAM), (long,), (), ()))
            assert await store.read(STREAM) == [long]


class HealthContract:
    """A store that is well may be asked to open again, and goes on."""

    async def test_opening_again_changes_nothing(self, place: Place) -> None:
        async with place.open_two() as (one, two):
            epoch, head = await grown(one, STREAM, 2)
            before = await content(one, [STREAM])
            await asyncio.gather(*(store.reopen() for store in (one, two) * 3))
            assert await content(one, [STREAM]) == before
            await one.append(following(head, epoch))
            assert await two.claim(STREAM, "other") == epoch + 1
            await one.reopen()
            with pytest.raises(FencedError):
                await one.append(following(await one.head(STREAM), epoch))
