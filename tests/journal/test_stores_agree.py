"""Whatever is asked of them, in whatever order, the three stores answer alike."""

from __future__ import annotations

import asyncio
import secrets
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.journal.decision import Head
from croupier.journal.errors import JournalError
from tests.journal.conftest import execute
from tests.journal.places import (
    MemoryPlace,
    PostgresPlace,
    SqlitePlace,
    append,
    claim,
    content,
    following,
    head_after,
    outcomes,
    start,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from croupier.journal.frames import Frame
    from croupier.journal.store import Store

STREAMS = ("accounts", "cage", "table:1", "table:2")
ACCOUNTS = ("cash", "bank:1", "wallet:ann", "wallet:bob", "seat:1:ann")
COMMANDS = tuple(f"c{number}" for number in range(12))
SHOES = ("s1", "s2")


class Draft(msgspec.Struct, frozen=True):
    """A batch, told by how it stands to what is there."""

    stream: str
    late: int
    """By how many epochs it is behind."""
    place: str
    count: int
    moves: tuple[tuple[str, str, int], ...]
    commands: tuple[str, ...]


class Claim(msgspec.Struct, frozen=True):
    stream: str


class Volley(msgspec.Struct, frozen=True):
    """Frames that are sent at once, before any of them is answered."""

    drafts: tuple[Draft, ...]


class Keep(msgspec.Struct, frozen=True):
    shoe: str
    cards: tuple[bytes, ...]


class Ask(msgspec.Struct, frozen=True):
    stream: str
    after: int
    limit: int
    command: str
    shoe: str
    number: int


Step = Claim | Volley | Keep | Ask


def mostly(usual: object, *others: object) -> st.SearchStrategy[object]:
    return st.sampled_from([usual] * 8 + list(others))


streams = st.sampled_from(STREAMS)
moves = st.tuples(
    st.sampled_from(ACCOUNTS),
    st.sampled_from(ACCOUNTS),
    st.one_of(st.integers(1, 40), st.sampled_from([0, -1, 2**63])),
)
money_in = st.tuples(st.just("cash"), st.sampled_from(ACCOUNTS[2:]), st.integers(1, 40))
drafts = st.builds(
    Draft,
    streams,
    mostly(0, 1, -1),
    mostly("next", "stale", "other hash", "ahead"),
    st.integers(0, 3),
    st.lists(st.one_of(money_in, moves), max_size=2).map(tuple),
    st.lists(st.sampled_from(COMMANDS), max_size=2).map(tuple),
)
steps = st.one_of(
    st.builds(Claim, streams),
    st.builds(Volley, st.lists(drafts, min_size=1, max_size=6).map(tuple)),
    st.builds(Volley, st.lists(drafts, min_size=1, max_size=6).map(tuple)),
    st.builds(
        Keep,
        st.sampled_from(SHOES),
        st.lists(st.binary(max_size=3), max_size=3).map(tuple),
    ),
    st.builds(
        Ask,
        streams,
        st.integers(0, 8),
        st.integers(0, 5),
        st.sampled_from(COMMANDS),
        st.sampled_from(SHOES),
        st.integers(-1, 3),
    ),
)
scripts = st.lists(steps, min_size=1, max_size=14).map(
    lambda drawn: [*(Claim(stream) for stream in STREAMS[:2]), *drawn]
)


class Known:
    """What the test knows of the streams, to write batches that follow or do not."""

    def __init__(self, model: Store) -> None:
        self.model = model
        self.epochs = dict.fromkeys(STREAMS, 0)

    async def batches(self, volley: Volley) -> list[Frame]:
        """Write the batches of a volley; each follows the one before it in its stream."""
        heads = {stream: await self.model.head(stream) for stream in STREAMS}
        batches = []
        for draft in volley.drafts:
            head = heads[draft.stream]
            place = {
                "next": head,
                "stale": start(draft.stream),
                "other hash": Head(draft.stream, head.sequence, bytes([1]) * 32),
                "ahead": Head(draft.stream, head.sequence + 1, head.hash),
            }[draft.place]
            batch = following(
                place,
                self.epochs[draft.stream] - draft.late,
                count=max(draft.count, len(draft.commands), 1),
                moves=draft.moves,
                commands=draft.commands,
            )
            if draft.place == "next" and draft.late == 0:
                heads[draft.stream] = head_after(batch)
            batches.append(batch)
        return batches


async def told(ask: Callable[[Store], Awaitable[object]], store: Store) -> object:
    """Return an answer, or the kind of the refusal and what it says."""
    try:
        return await ask(store)
    except JournalError as error:
        return type(error), str(error)


async def take(step: Step, stores: tuple[Store, ...], known: Known) -> list[object]:
    """Take one step on every store, and return what each answered."""
    if isinstance(step, Claim):
        answers = [await told(lambda one: claim(one, step.stream, "test"), s) for s in stores]
        known.epochs[step.stream] += 1
        return answers
    if isinstance(step, Volley):
        batches = await known.batches(step)
        sent = [await outcomes(*(append(one, b) for b in batches)) for one in stores]
        # Which of several faulty accounts is named is left to the store.
        return [[type(outcome) for outcome in one] for one in sent]
    if isinstance(step, Keep):
        return [
            await told(lambda one: one.keep_sealed(step.shoe, step.cards), s) for s in stores
        ]
    questions: tuple[Callable[[Store], Awaitable[object]], ...] = (
        lambda one: one.read(step.stream, step.after, step.limit),
        lambda one: one.postings(step.stream, step.after),
        lambda one: one.find([(step.stream, "patron:ann", step.command)]),
        lambda one: one.find([("", "patron:ann", step.command)]),
        lambda one: one.epoch(step.stream),
        lambda one: one.balances("wallet:"),
        lambda one: one.sealed(step.shoe, step.number),
        lambda one: one.head(step.stream),
    )
    return [[await told(ask, store) for ask in questions] for store in stores]


async def compare(script: list[Step], dsn: str) -> None:
    schema = f"test_{secrets.token_hex(8)}"
    await execute(dsn, f"CREATE SCHEMA {schema}")
    with tempfile.TemporaryDirectory() as folder:
        async with (
            MemoryPlace().open() as memory,
            SqlitePlace(Path(folder) / "journal.sqlite").open() as sqlite,
            PostgresPlace(f"{dsn}&search_path={schema}").open() as postgres,
        ):
            stores = (memory, sqlite, postgres)
            known = Known(memory)
            for step in script:
                in_memory, in_file, on_server = await take(step, stores, known)
                assert in_memory == in_file == on_server, step
            contents = [await content(store, STREAMS) for store in stores]
            assert contents[0] == contents[1] == contents[2]
    await execute(dsn, f"DROP SCHEMA {schema} CASCADE")


@given(scripts)
@settings(max_examples=20)
def test_the_stores_agree(postgres_dsn: str, script: list[Step]) -> None:
    asyncio.run(compare(script, postgres_dsn))


@pytest.mark.exhaustive
@given(scripts)
@settings(max_examples=400)
def test_the_stores_agree_for_long(postgres_dsn: str, script: list[Step]) -> None:
    asyncio.run(compare(script, postgres_dsn))
