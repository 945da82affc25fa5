"""What every store does with names it cannot write, and when it is opened again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from croupier.accounting import NAME_MAX, unwritable
from croupier.journal.decision import chain
from croupier.journal.errors import FencedError, UnwritableError
from tests.journal.places import (
    append,
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
    from tests.journal.places import Place

STREAM = "table:1"
LONG = "".join(chr(0x1F000 + number % 1000) for number in range(NAME_MAX))
"""The longest name, four bytes a character, and nothing in it comes twice."""
UNWRITABLE = ("", "x\0y", "c\n1", "\x7f", "\x85", "\ud800", f"{LONG}x", "long" * 3_000)


class NamesContract:
    """Names are written as they are, or refused alike by every store."""

    @pytest.mark.parametrize("text", UNWRITABLE)
    async def test_what_is_no_name_is_refused(self, place: Place, text: str) -> None:
        async with place.open() as store:
            await claim(store, STREAM, "test")
            bad = [
                claim(store, text, "test"),
                claim(store, STREAM, text),
                store.keep_sealed(text, [b"a"]),
            ]
            for outcome in await outcomes(*bad):  # type: ignore[arg-type]
                assert type(outcome) is UnwritableError
                assert str(outcome) == unwritable(text)
            assert await store.head(STREAM) == start(STREAM)

    async def test_the_longest_names_are_written(self, place: Place) -> None:
        async with place.open() as store:
            epoch = await claim(store, LONG, LONG)
            head = start(LONG)
            accounts = (LONG, f"wallet:{LONG[7:]}")
            paid = [("cash", accounts[0], 1), ("cash", accounts[1], 1)]
            frame = following(head, epoch, count=3, moves=paid, commands=[LONG], actor=LONG)
            await append(store, frame)
            await store.keep_sealed(LONG, [b"a"])
            key = (LONG, LONG, LONG)
            assert await store.find([key]) == {key: records_in(frame)[0]}
            assert await store.postings(LONG) == postings_in(frame)
            assert await store.balances(LONG) == {LONG: 1}
            assert await store.sealed(LONG, 0) == b"a"
            assert await store.heads() == [head_after(frame)]

    async def test_a_body_may_be_long(self, place: Place) -> None:
        async with place.open() as store:
            epoch = await claim(store, STREAM, "test")
            frame = following(start(STREAM), epoch)
            body = b'{"epoch":1,"long":"%s"}' % (b"0123456789abcdef" * 320_000)
            digest = chain(start(STREAM).hash, body)
            frame.decisions[5:7] = [body, digest]
            frame.parts[STREAM].last_hash = digest
            await append(store, frame)
            assert await store.read(STREAM) == records_in(frame)

    async def test_balances_are_read_by_the_beginning_of_their_names(
        self, place: Place
    ) -> None:
        async with place.open() as store:
            epoch = await claim(store, STREAM, "test")
            names = ("seat:1:ann", "seat:1:zoë", "seat:10:ann", "seat:2:bob", "wallet:ann")
            moves = [("vault", name, number) for number, name in enumerate(names, 1)]
            await append(store, following(start(STREAM), epoch, moves=moves))
            assert await store.balances("seat:1:") == {"seat:1:ann": 1, "seat:1:zoë": 2}
            assert await store.balances("seat:1") == {
                "seat:1:ann": 1, "seat:1:zoë": 2, "seat:10:ann": 3
            }  # fmt: skip
            assert await store.balances("vault") == {"vault": -15}
            assert await store.balances("cash") == {}
            assert await store.balances("x") == {}
            assert sum((await store.balances()).values()) == 0


class HealthContract:
    """A store that is well may be asked to open again, and goes on."""

    async def test_opening_again_changes_nothing(self, place: Place) -> None:
        async with place.open_two() as (one, two):
            epoch, head = await grown(one, STREAM, 2)
            before = await content(one, [STREAM])
            await asyncio.gather(*(store.reopen() for store in (one, two) * 3))
            assert await content(one, [STREAM]) == before
            await append(one, following(head, epoch))
            assert await claim(two, STREAM, "other") == epoch + 1
            await one.reopen()
            with pytest.raises(FencedError):
                await append(one, following(await one.head(STREAM), epoch))
