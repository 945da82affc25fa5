"""Walks through all games: nothing true is found wrong, and nothing forged is found true."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from croupier.floor.desk import Desk, Request
from croupier.floor.sources import DeviceSource, SealedSource
from croupier.journal.decision import Decision, Known, Person, encode, person
from croupier.journal.errors import JournalError
from croupier.journal.gathering import Seat
from croupier.journal.loading import load
from croupier.journal.memory import MemoryStore
from croupier.journal.seal import KeyBox
from croupier.journal.snapshots import Snapshots
from croupier.journal.tables import TableStream
from croupier.journal.verify import verify
from croupier.journal.writer import Writer
from croupier.rulebooks import GAMES, RULEBOOKS
from croupier.table import commands as c
from croupier.table import events as e
from tests.floor.rounds import SCRIPTS, People
from tests.journal.book import Book, judged
from tests.table.floor import DEALER, NOW
from tests.table.machine_walk import Walk

if TYPE_CHECKING:
    from datetime import datetime

# Walks through real desks


def walked(game: str, seed: int, steps: int) -> list[c.Envelope]:
    """Return what was asked in an irregular walk through a game."""
    walk = Walk(game, Random(seed))
    while len(walk.script) < steps:
        walk.bring(walk.next())
    return walk.script


class Stopped:
    """A clock that shows what it is set to."""

    def __init__(self, moment: datetime) -> None:
        self.moment = moment

    def __call__(self) -> datetime:
        return self.moment


@pytest.mark.parametrize("game", [game.slug for game in GAMES])
async def test_whatever_desks_decide_holds(game: str) -> None:
    """No false finding in irregular walks; folded, all is as from a snapshot."""
    for seed in range(2):
        script = walked(game, seed, 120)
        store, snapshots = MemoryStore(), Snapshots(bytes(32), between=5)
        clock = Stopped(script[0].moment)
        writer = Writer(store, clock=clock, snapshots=snapshots)
        desk = Desk(writer, "1", RULEBOOKS, DeviceSource())
        await desk.start()
        for number, one in enumerate(script):
            clock.moment = one.moment
            request = Request(
                f"w{number}", one.actor, one.command, one.approver, one.cards, one.die
            )
            with suppress(JournalError):  # names that cannot be written stay at the door
                await desk.submit(request)
        await writer.close()
        done = await verify(store, RULEBOOKS)
        assert done.findings == [], (seed, done.findings)
        assert len(script) / 2 < done.decisions <= len(script) + 1
        for kept in (snapshots, None):
            seat = Seat(TableStream("1", RULEBOOKS), 9)
            await load(store, seat, kept)
            assert seat.state == desk.seat.state


@pytest.mark.parametrize("name", SCRIPTS)
async def test_sealed_shoes_of_all_games_hold(name: str, tmp_path: Path) -> None:
    store = MemoryStore()
    writer = Writer(store)
    desk = Desk(writer, "1", RULEBOOKS, SealedSource(store, KeyBox(tmp_path)))
    await desk.start()
    await People(SCRIPTS[name]._replace(cards=())).play(desk)
    await writer.close()
    done = await verify(store, RULEBOOKS)
    assert done.findings == []
    assert done.openings >= 5


# Every decision of a walk, forged in many ways


def in_events(one: Decision) -> list[tuple[str, Decision]]:
    """Leave out, double or swap events of a decision."""
    events = one.events
    made = [
        (f"without {n}", replace(one, events=events[:n] + events[n + 1 :]))
        for n in range(len(events))
    ]
    made += [
        (f"twice {n}", replace(one, events=(*events[:n], events[n], *events[n:])))
        for n in range(len(events))
    ]
    made += [
        (f"swapped {n}", replace(one, events=(*events[:n], two, first, *events[n + 2 :])))
        for n, (first, two) in enumerate(pairwise(events))
        if first != two
    ]
    return made


def in_fields(one: Decision) -> list[tuple[str, Decision]]:
    """Change every number, text and truth of the events of a decision."""
    made = []
    for n, struct in enumerate(one.events):
        for name in struct.__struct_fields__:
            value = getattr(struct, name)
            other: object
            if type(value) is bool:
                other = not value
            elif type(value) is int:
                other = value + 1
            elif type(value) is str:
                other = f"{value}x"
            elif type(value) is tuple and value:
                other = value[:-1]
            else:
                continue
            changed = replace(struct, **{name: other})
            events = (*one.events[:n], changed, *one.events[n + 1 :])
            made.append((f"{name} of {n}", replace(one, events=events)))
    return made


def in_people(one: Decision) -> list[tuple[str, Decision]]:
    """Let somebody else have asked, or approved."""
    nobody = Person("patron", "Eve")
    made = [("asked by nobody", replace(one, actor=nobody))]
    # Somebody may stand by where no second person is needed: then no event names them.
    if one.approver is not None and b'"approved_by":"' in encode(one):
        made += [
            ("without approval", replace(one, approver=None)),
            ("approved by a patron", replace(one, approver=nobody)),
            ("approved by who asked", replace(one, approver=one.actor)),
        ]
    return made


def in_answer(one: Decision) -> list[tuple[str, Decision]]:
    """Refuse what was done, or do what was refused."""
    if one.refusal is not None:
        refused = one.refusal
        return [
            ("done", replace(one, refusal=None)),
            ("code", replace(one, refusal=replace(refused, code="not_now_x"))),
            ("clause", replace(one, refusal=replace(refused, clause="BAC8 9.9.9"))),
            ("sentence", replace(one, refusal=replace(refused, sentence="No."))),
            ("with events", replace(one, events=(e.SeatLeft("Ann"),))),
        ]
    return [("refused", replace(one, events=(), refusal=NO))]


NO = Book().stream.refused(
    # As any table says it that is not open.
    Book().stream.refusal(Book().decided(c.CallBets(), person(DEALER), NOW).refusal)  # type: ignore[arg-type]
)


def in_house(one: Decision) -> list[tuple[str, Decision]]:
    """Let the house have known more than was asked for, or less."""
    house = one.house
    made = [
        ("drawn", replace(one, house=replace(house, drawn=("2S",)))),
        ("facts", replace(one, house=replace(house, facts={"cage": Known(1, {"tray": 1})}))),
        ("tickets", replace(one, house=replace(house, tickets=("t1",)))),
    ]
    if house.seal is not None:
        made.append(("no seal", replace(one, house=replace(house, seal=None))))
    return made


def may_ask(one: Decision, forged: Decision) -> bool:
    """Tell whether nothing wrong was said: another patron may well be refused the same."""
    return (
        one.refusal is not None
        and one.events == forged.events
        and (forged.refusal == one.refusal and forged.house == one.house)
    )


@pytest.mark.parametrize("game", [game.slug for game in GAMES])
def test_every_decision_of_a_walk_is_what_it_is(game: str) -> None:
    book = Book()
    book.follow(walked(game, 7, 150))
    assert book.findings() == []
    tried = 0
    for check, one in book.steps():
        if one.sequence == 1:
            continue
        assert judged(check, one) is None
        for ways in (in_events, in_fields, in_people, in_answer, in_house):
            for name, forged in ways(one):
                if may_ask(one, forged):
                    continue
                tried += 1
                assert judged(check, forged) is not None, (name, forged)
    assert tried > 1_000


# The same decisions, whatever Python's hashes are seeded with

SEEDED = """
from tests.journal.test_forged_walks import digest_of_walks
print(digest_of_walks())
"""


def digest_of_walks() -> str:
    """Return one digest of the decisions of walks through some games."""
    whole = sha256()
    for game in ("baccarat", "power-98", "tiger"):
        book = Book()
        book.follow(walked(game, 3, 80))
        whole.update(book.head.hash)
    return whole.hexdigest()


def test_two_hash_seeds_give_the_same_decisions() -> None:
    root = Path(__file__).resolve().parents[2]
    told = {
        subprocess.run(  # noqa: S603  # our own
            [sys.executable, "-c", SEEDED],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            cwd=root,
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert told == {digest_of_walks()}
