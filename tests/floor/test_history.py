"""Finished rounds page by page: as the whole journal gives them, for every audience."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from croupier.floor.desk import Desk, Request
from croupier.floor.history import CHUNK, History
from croupier.floor.sources import DeviceSource
from croupier.journal.errors import JournalError
from croupier.journal.ledger import seat
from croupier.journal.memory import MemoryStore
from croupier.journal.reader import StoreReader
from croupier.journal.recall import (
    facts_of,
    finished_round,
    recall,
    round_in_steps,
    stream_of,
)
from croupier.journal.writer import Writer
from croupier.rulebooks import GAMES, RULEBOOKS
from croupier.rules.coup import INITIAL_DEAL
from croupier.table import commands as c
from croupier.table.events import RoundClosed
from croupier.table.incidents import RoundVoided, WagersWithdrawn
from croupier.table.roles import Patron
from croupier.table.settings import Settings
from croupier.table.views import Audience
from croupier.table.views.round_steps import (
    CONTENT,
    FOR_PIT,
    READ_BY_STAFF,
    OwnRoundInSteps,
    StaffRoundInSteps,
)
from croupier.table.views.rounds import OwnRound, round_shown
from tests.floor.rounds import looped
from tests.table.floor import DEALER, MANAGER, SYSTEM
from tests.table.machine_walk import NAMES, PATRONS, Walk

if TYPE_CHECKING:
    from datetime import datetime

    from croupier.journal.decision import Posting, Record
    from croupier.journal.recall import Recalled
    from croupier.table.roles import Actor
    from croupier.table.views import Heard

encode = msgspec.json.encode
EYES: list[tuple[Audience, str]] = [
    (Audience.PUBLIC, ""),
    (Audience.PATRON, PATRONS[0]),
    (Audience.PATRON, PATRONS[1]),
    (Audience.DEALER, ""),
    (Audience.PIT, ""),
    (Audience.AUDITOR, ""),
]


class Stopped:
    """A clock that shows what it is set to."""

    moment: datetime

    def __call__(self) -> datetime:
        return self.moment


async def walked(game: str, seed: int, steps: int) -> MemoryStore:
    """Return the journal of an irregular walk through a game."""
    walk, clock, store = Walk(game, Random(seed)), Stopped(), MemoryStore()
    while len(walk.script) < steps:
        walk.bring(walk.next())
    clock.moment = walk.script[0].moment
    writer = Writer(store, clock=clock)
    desk = Desk(writer, "1", RULEBOOKS, DeviceSource())
    await desk.start()
    for number, one in enumerate(walk.script):
        clock.moment = one.moment
        request = Request(
            f"w{number}", one.actor, one.command, one.approver, one.cards, one.die
        )
        with suppress(JournalError):
            await desk.submit(request)
    await writer.close()
    return store


async def all_of(store: MemoryStore) -> list[Recalled]:
    """Return all finished rounds, folded from the first decision on, the newest first."""
    found = await recall(StoreReader(store), "1", RULEBOOKS, 10_000)
    return [one for one in reversed(found) if one.over]


@pytest.mark.parametrize("game", [game.slug for game in GAMES])
@looped
async def test_a_round_by_itself_is_the_round_of_the_whole_journal(game: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(4):
        store = await walked(game, seed, 160)
        wanted, history = await all_of(store), History(store, RULEBOOKS)
        for one in wanted:
            alone = await history.round("1", one.number)
            assert alone is not None
            for audience, patron in EYES:
                shown = round_in_steps(alone, audience, patron)
                assert shown == round_in_steps(one, audience, patron)
                kind = (
                    StaffRoundInSteps
                    if isinstance(shown, StaffRoundInSteps)
                    else OwnRoundInSteps
                )
                assert set(msgspec.to_builtins(shown)) == set(kind.__struct_fields__)
            seen[one.ended or ""] += 1
        facts = await history.page("1", limit=100)
        for audience, patron in EYES:
            assert [round_shown(one, audience, patron) for one in facts] == [
                finished_round(one, audience, patron) for one in wanted
            ]
        assert await history.round("1", 10_000) is None
        assert await history.round("1", 0) is None
    assert seen["settled"] > 0
    assert seen["void"] > 0


@looped
async def test_the_balance_before_and_after_a_round_is_what_the_ledger_has() -> None:
    seen: Counter[str] = Counter()
    for game, seed in product(GAMES, range(3)):
        store = await walked(game.slug, seed, 160)
        history, postings = History(store, RULEBOOKS), await store.postings(stream_of("1"))
        for recalled, patron in product(await all_of(store), PATRONS):
            alone = await history.round("1", recalled.number)
            assert alone is not None
            one = finished_round(alone, Audience.PATRON, patron)
            assert isinstance(one, OwnRound)
            assert one.balance is not None
            own = seat("1", patron)
            assert one.balance.before_cents == held(postings, own, alone.first - 1)
            ends = [act.decision.sequence for act in alone.acts if any(map(is_end, act.events))]
            assert one.balance.after_cents == held(postings, own, ends[-1])
            moved = one.balance.brought_cents - one.balance.taken_cents
            won = sum(line.won_cents for line in one.lines)
            assert one.balance.after_cents == one.balance.before_cents + moved + won
            seen[alone.ended or ""] += bool(one.stakes)
            seen["moved"] += bool(one.balance.brought_cents or one.balance.taken_cents)
            withdrawn = sum(
                event.cents
                for act in alone.acts
                for event in act.events
                if isinstance(event, WagersWithdrawn) and event.patron == patron
            )
            assert one.withdrawn_cents == withdrawn
            seen["withdrawn"] += bool(withdrawn)
    assert min(seen[what] for what in ("settled", "void", "moved", "withdrawn")) > 0, seen


def is_end(event: object) -> bool:
    """Tell whether a round is over with an event."""
    return isinstance(event, RoundClosed | RoundVoided)


def held(postings: list[Posting], account: str, until: int) -> int:
    """Return what an account held after a decision, from what was moved alone."""
    return sum(
        one.cents * ((one.target == account) - (one.source == account))
        for one in postings
        if one.sequence <= until
    )


@looped
async def test_every_page_is_a_piece_of_the_list() -> None:
    store = await walked("tiger", 5, 400)
    wanted = [facts_of(one) for one in await all_of(store)]
    numbers = [one.table.round.number for one in wanted if one.table.round]
    assert len(numbers) > 10
    for limit in (1, 3, 7, 100):
        history = History(store, RULEBOOKS)
        for before in (None, 1, 2, 5, *numbers[:3], numbers[0] + 1, 10_000):
            page = await history.page("1", before, limit)
            right = [one for one in numbers if before is None or one < before][:limit]
            assert [one.table.round.number for one in page if one.table.round] == right


# Step by step


def without_shoe(heard: Heard) -> dict[str, Any]:
    """Return the facts of an event without the name of a shoe, which may be anybody's."""
    return {name: fact for name, fact in heard.facts.items() if name != "shoe"}


@pytest.mark.parametrize("game", ["baccarat", "power-98", "tiger"])
@looped
async def test_a_patron_reads_the_own_steps_and_what_everybody_heard(game: str) -> None:
    told: Counter[str] = Counter()
    people = {name.encode() for names in NAMES.values() for name in names}
    for seed in range(3):
        store = await walked(game, seed, 160)
        for one in await all_of(store):
            for name in PATRONS:
                shown = round_in_steps(one, Audience.PATRON, name)
                others = {f'"{other}"'.encode() for other in PATRONS if other != name}
                for step in shown.steps:
                    own = step.by.name == name
                    told["own" if own else "others"] += 1
                    if own:
                        assert step.command.content is not None
                        continue
                    assert step.accepted
                    assert (step.by.name, step.command.content) == (None, None)
                    assert step.approved_by is None
                    text = encode([without_shoe(one) for one in step.events])
                    assert not [other for other in others if other in text], step
                    assert not [staff for staff in people if b'"' + staff + b'"' in text], step
    assert told["own"] > 20
    assert told["others"] > 20


COURSE = {
    "call_bets": "3.1",
    "close_bets": "3.2",
    "announce_outcome": "3.15",
    "settle": "4.1",
}


@looped
async def test_every_step_of_the_usual_course_has_its_clause() -> None:
    store, seen = await walked("baccarat", 1, 200), set()
    for one in await all_of(store):
        for audience, patron in EYES:
            for step in round_in_steps(one, audience, patron).steps:
                if not step.accepted or any("clause" in heard.facts for heard in step.events):
                    continue
                drawn = [h.facts["position"] for h in step.events if h.name == "card_drawn"]
                clause = COURSE.get(step.command.type)
                if step.command.type == "draw_card" and drawn:
                    clause = "3.12" if drawn[0] in INITIAL_DEAL else "3.14"
                if clause is not None:
                    assert step.clause == f"BAC8 {clause}"
                    seen.add(step.command.type)
    assert seen == {"draw_card", *COURSE}


@looped
async def test_staff_read_the_hash_of_every_step_and_patrons_read_none() -> None:
    store = await walked("baccarat", 1, 200)
    records = await store.read("table:1", 0, 10_000)
    hashes = {one.sequence: one.hash.hex() for one in records}
    for one in await all_of(store):
        for audience, patron in EYES:
            staff = audience in READ_BY_STAFF
            for step in round_in_steps(one, audience, patron).steps:
                assert step.hash == (hashes[step.sequence] if staff else None)


@looped
async def test_what_a_step_brought_goes_before_what_the_course_orders() -> None:
    store, told = await walked("baccarat", 1, 200), 0
    for one in await all_of(store):
        for step in round_in_steps(one, Audience.PIT).steps:
            named = [
                heard.facts["clause"] for heard in step.events if heard.facts.get("clause")
            ]
            if step.refusal is not None:
                assert step.clause == step.refusal.clause
            elif named:
                assert step.clause == named[-1]
                told += 1
    assert told


@looped
async def test_reasons_and_notes_are_read_by_pit_and_auditor() -> None:
    store = await walked("baccarat", 1, 200)
    for one in await all_of(store):
        for audience, patron in EYES:
            for step in round_in_steps(one, audience, patron).steps:
                content = step.command.content or {}
                words = set(content) & set(FOR_PIT)
                assert not words or audience in (Audience.PIT, Audience.AUDITOR)
                assert not {"counts", "cards"} & set(content)


def test_what_is_told_of_every_command_is_listed() -> None:
    assert set(CONTENT) == set(c.COMMANDS)
    for kind, fields in CONTENT.items():
        assert set(fields) <= set(kind.__struct_fields__)
        assert not set(fields) & set(FOR_PIT)


def test_who_reads_a_round_is_said() -> None:
    assert "audience" in finished_round.__annotations__
    with pytest.raises(TypeError):
        finished_round(None)  # type: ignore[call-arg, arg-type]


# At what cost


class Counting(MemoryStore):
    """A store that counts the records that were read."""

    read_so_far = 0

    async def read(self, stream: str, after: int = 0, limit: int = 10_000) -> list[Record]:
        """Count what is read."""
        found = await super().read(stream, after, limit)
        self.read_so_far += len(found)
        return found


ROUND: tuple[tuple[c.Command, Actor], ...] = (
    (c.CallBets(), SYSTEM),
    (c.PlaceWager("ann", "player", 10_00), Patron("ann")),
    (c.CloseBets(), SYSTEM),
    *((c.DrawCard(), SYSTEM) for _ in range(4)),
    (c.Settle(), SYSTEM),
)


@looped
async def test_the_newest_page_costs_the_same_however_long_the_journal_is() -> None:
    store = Counting()
    writer = Writer(store)
    desk = Desk(writer, "1", RULEBOOKS, DeviceSource())
    await desk.start()
    number = 0

    async def ask(command: c.Command, actor: Actor, *cards: str) -> None:
        nonlocal number
        number += 1
        reply: Any = await desk.submit(Request(f"a{number}", actor, command, None, cards))
        assert reply.accepted, reply

    await ask(c.OpenTable(Settings(rulebook="EB4", game="tiger", decks=10)), MANAGER)
    await ask(c.LoadShoe("0"), DEALER)
    await ask(c.TakeSeat("ann", 1), DEALER)
    await ask(c.BringCredit("ann", 1_000_000_00), DEALER)

    async def rounds(count: int) -> None:
        for _ in range(count):
            table = desk.table
            if table.shoe is None or table.shoe.out >= 32:
                await ask(c.EndShoe(), DEALER)
                await ask(c.LoadShoe(f"{number}"), DEALER)
            faces = iter(("4S", "2H", "5D", "3C"))
            for command, actor in ROUND:
                cards = (next(faces),) if isinstance(command, c.DrawCard) else ()
                await ask(command, actor, *cards)

    await rounds(150)
    first = await _cost(store, None)
    await rounds(150)
    assert await _cost(store, None) == first <= 2 * CHUNK
    assert await _cost(store, 40) <= 20 * CHUNK
    history = History(store, RULEBOOKS)
    await history.page("1", limit=5)
    before = store.read_so_far
    await rounds(2)
    assert len(await history.page("1", limit=5)) == 5
    assert store.read_so_far - before <= 4 * len(ROUND)
    await writer.close()


async def _cost(store: Counting, before: int | None) -> int:
    read = store.read_so_far
    assert len(await History(store, RULEBOOKS).page("1", before, 20)) == 20
    return store.read_so_far - read
