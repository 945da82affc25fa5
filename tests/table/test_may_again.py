"""What staff may do, gone on from the table before: the same as if it were asked for anew."""

from __future__ import annotations

from random import Random

import pytest

from croupier.rulebooks import GAMES
from croupier.table import may as asking
from croupier.table.may import (
    FACTS,
    FOLLOWS,
    NO_MOMENT,
    QUESTIONS,
    Answers,
    Common,
    answers,
    may,
    open_in,
)
from croupier.table.roles import Staff, StaffPosition
from croupier.table.views.parts import PIECES, Seen, changed_pieces
from tests.table.machine_walk import Walk

SLUGS = [game.slug for game in GAMES]
SEEDS, STEPS = 6, 120


def differences(slug: str, seeds: range) -> list[str]:
    """Walk, and return where answers that went on are not those that are found anew.

    Nor what one position is told of the answers to all what somebody in it is told alone.
    """
    found = []
    for seed in seeds:
        walk = Walk(slug, Random(seed))
        known: Answers | None = None
        common: Common | None = None
        before = Seen(walk.table)
        for _ in range(STEPS):
            walk.bring(walk.next())
            after = Seen(walk.table)
            changed, plan = changed_pieces(before, after), walk.table.plan
            before = after
            if plan is None:
                known, common = None, None
                continue
            new = answers(Common(walk.table, plan), StaffPosition)
            common = Common(walk.table, plan, common)
            on = answers(common, StaffPosition, known, changed)
            anew, kept = new.by_question, on.by_question
            found += [one.kind.__name__ for one in anew if anew[one] != kept[one]]
            assert list(anew) == list(kept)
            known = on
            found += [
                position.value
                for position in StaffPosition
                if open_in(plan, position, on)
                != may(walk.table, Staff("", position), NO_MOMENT)
            ]
    return found


@pytest.mark.parametrize("slug", SLUGS)
def test_answers_that_are_kept_are_those_that_would_be_found(slug: str) -> None:
    assert differences(slug, range(SEEDS)) == []


def test_answers_follow_from_what_a_table_has() -> None:
    assert set(FOLLOWS) <= set(asking.ASKS)
    pieces = [one.pieces for one in QUESTIONS if one.pieces is not None]
    assert len(pieces) > len(FOLLOWS)
    assert frozenset().union(*pieces) <= PIECES | set(FACTS)
    assert PIECES.isdisjoint(FACTS)
