"""What a person may do now is what the table takes from that person, no more and no less."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING

import msgspec
import pytest
from msgspec.structs import replace

from croupier.rulebooks import GAMES, RULEBOOKS
from croupier.table import commands as c
from croupier.table.decide import decide
from croupier.table.may import Open, may
from croupier.table.refusals import Code, Refusal
from croupier.table.roles import Acting, Patron, Staff, StaffPosition
from croupier.table.state import unopened
from tests.table.floor import SYSTEM
from tests.table.machine_finish import Desk
from tests.table.machine_may import Maker, fits
from tests.table.machine_walk import NAMES, PATRONS, Walk

if TYPE_CHECKING:
    from datetime import datetime

    from croupier.table.roles import Actor
    from croupier.table.state import Table

SLUGS = [game.slug for game in GAMES]
SEEDS, STEPS, CANDIDATES = 6, 60, 6

NOT_KNOWN: dict[tuple[str, Code], str] = {}
"""What is refused though it was said to be open, and why nobody could say so."""


def people(moment: datetime) -> list[Actor]:
    """Return everybody who could ask: patrons, staff of all positions, the system."""
    hour = timedelta(hours=1)
    acts = Acting(StaffPosition.PIT_MANAGER, moment - hour, moment + hour)
    return [
        *map(Patron, PATRONS),
        *(Staff(NAMES[position][0], position) for position in StaffPosition),
        Staff("Dot", StaffPosition.DEALER, acts),
        SYSTEM,
    ]


def walk_of(game: str, seed: int) -> Walk:
    """Return a walk whose table is asked, and not watched: that is tested elsewhere."""
    walk = Walk(game, Random(seed))
    walk.watch = Desk(unopened(RULEBOOKS))  # type: ignore[assignment]
    return walk


def check_listed(table: Table, envelope: c.Envelope) -> bool:
    """Whatever is accepted is listed, with its values and with who approves it."""
    if isinstance(decide(table, envelope), Refusal):
        return False
    opens = may(table, envelope.actor, envelope.moment)
    tag = str(type(envelope.command).__struct_config__.tag)
    same = [one for one in opens if one.command == tag]
    fitting = [one for one in same if fits(one, envelope.command, table)]
    assert fitting, f"{envelope} is not among {msgspec.json.encode(same).decode()}"
    if isinstance(envelope.actor, Staff):
        alone = decide(table, replace(envelope, approver=None))
        needs = isinstance(alone, Refusal) and alone.code is Code.NEEDS_APPROVAL
        assert {one.approver is not None for one in fitting} == {needs}, envelope
    return True


def check_open(
    table: Table, person: Actor, moment: datetime, chance: Random, met: Counter[str]
) -> None:
    """Every command that is listed is accepted; without who must approve it, it is not."""
    for one in may(table, person, moment):
        for which in ("first", "last", "any"):
            envelope = Maker(table, chance, which).envelope(one, person, moment)
            answer = decide(table, envelope)
            met[one.command] += 1
            if isinstance(answer, Refusal):
                assert (one.command, answer.code) in NOT_KNOWN, (answer, envelope, one)
            if one.approver is not None:
                alone = decide(table, replace(envelope, approver=None))
                assert isinstance(alone, Refusal)
                assert alone.code is Code.NEEDS_APPROVAL


@pytest.mark.parametrize("game", SLUGS)
def test_what_somebody_may_do_is_what_the_table_takes(game: str) -> None:
    met: Counter[str] = Counter()
    accepted = 0
    for seed in range(SEEDS):
        walk = walk_of(game, seed)
        for step in range(STEPS):
            table = walk.table
            for _ in range(CANDIDATES):
                envelope = walk.next()
                accepted += check_listed(table, envelope)
            if step % 4 == seed % 4:
                for person in people(walk.moment):
                    check_open(table, person, walk.moment, walk.chance, met)
            walk.bring(walk.next())
    assert accepted > SEEDS * STEPS
    assert len(met) > 30


def test_it_can_be_sent_and_read_back() -> None:
    walk = walk_of("baccarat", 3)
    for _ in range(80):
        walk.bring(walk.next())
        for person in people(walk.moment):
            opens = may(walk.table, person, walk.moment)
            sent = msgspec.json.encode(opens)
            assert msgspec.json.decode(sent, type=tuple[Open, ...]) == opens
