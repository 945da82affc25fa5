"""What staff may do, gone on from the table before: the same as if it were asked for anew."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from croupier.rulebooks import GAMES, RULEBOOKS
from croupier.table import may as asking
from croupier.table import rulings
from croupier.table.may import (
    FACTS,
    FOLLOWS,
    NO_MOMENT,
    QUESTIONS,
    Answers,
    Common,
    answers,
    incidents,
    may,
    open_in,
)
from croupier.table.may import common as looked_up
from croupier.table.reports import CONTENTS
from croupier.table.roles import Staff, StaffPosition
from croupier.table.views.parts import PIECES, Seen, changed_pieces
from tests.table.machine_walk import Walk

if TYPE_CHECKING:
    from croupier.table.state import Table

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


@pytest.mark.parametrize("kept", [1, 7])
@pytest.mark.parametrize("slug", ["baccarat", "power-98", "tiger"])
def test_answers_are_right_however_few_are_remembered(
    slug: str, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "REMEMBERED", kept)
    monkeypatch.setattr(looked_up, "AGAIN_MAX", kept)
    assert differences(slug, range(2)) == []


def test_answers_follow_from_what_a_table_has() -> None:
    assert set(FOLLOWS) <= set(asking.ASKS)
    pieces = [one.pieces for one in QUESTIONS if one.pieces is not None]
    assert len(pieces) > len(FOLLOWS)
    assert frozenset().union(*pieces) <= PIECES | set(FACTS)
    assert PIECES.isdisjoint(FACTS)
    assert frozenset().union(*FACTS.values()) <= PIECES


def facts_of(table: Table) -> dict[str, object]:
    """Return all facts of an open table that follow from named pieces, found anew."""
    assert table.plan is not None
    common = Common(table, table.plan)
    return {name: getattr(common, name) for name, pieces in FACTS.items() if pieces}


@pytest.mark.parametrize("slug", SLUGS)
def test_a_fact_changes_with_one_of_its_pieces_alone(slug: str) -> None:
    other = set[str]()
    for seed in range(SEEDS):
        walk = Walk(slug, Random(seed))
        before = walk.table
        for _ in range(STEPS):
            walk.bring(walk.next())
            after = walk.table
            if before.plan is not None and before.plan is after.plan:
                changed = changed_pieces(Seen(before), Seen(after))
                old, new = facts_of(before), facts_of(after)
                changes = {name for name in new if old[name] != new[name]}
                assert [one for one in changes if FACTS[one].isdisjoint(changed)] == []
                other |= changes
            before = after
    assert {"order", "faces", "reportable", "bound", "late_stakes"} <= other


ON_ORDERS = {
    rulings.always,
    rulings.reconstructable,
    rulings.reconstructable_and_unpaid,
    rulings.not_reconstructable,
    rulings.altered_and_moved,
    rulings.initial_deal,
}
"""What looks at the plan, at the report and at what the fact ``order`` says alone."""


def test_whether_an_order_is_put_right_follows_from_the_order_told() -> None:
    asked = {
        situation for situation, (pieces, _) in incidents.SAID.items() if "order" in pieces
    }
    laid = {one for one in asked if "laid" in CONTENTS[one].__struct_fields__}
    assert len(laid) > 3
    whens = {
        ruling.when
        for book in RULEBOOKS
        for ruling in book.rulings
        if laid & set(ruling.situations)
    }
    assert whens <= ON_ORDERS


def test_a_virtual_shoe_gives_no_two_cards_and_its_faces_stand() -> None:
    """The same table is looked at with its shoe sealed, and not: neither is remembered so."""
    walk = Walk("tiger", Random(2))
    found = []
    while walk.table.plan is None or not Common(walk.table, walk.table.plan).faces:
        walk.bring(walk.next())
    table, plan = walk.table, walk.table.plan
    assert plan is not None
    known: Answers | None = None
    common: Common | None = None
    for sealed in (False, True, False, True):
        common = Common(table, plan, common, sealed=sealed)
        known = answers(common, StaffPosition, known)
        anew = answers(Common(table, plan, sealed=sealed), StaffPosition)
        assert known.by_question == anew.by_question
        found.append(sum(one.command == "correct_card" for _, one in known.every))
    assert found[0] == found[2] > 0 == found[1] == found[3]
