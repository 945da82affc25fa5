"""States and transitions of small tables, counted and compared with golden integers."""

from __future__ import annotations

from random import Random

import pytest

from croupier.table import commands as c
from croupier.table.order import staked_on
from croupier.table.roles import Patron
from tests.table.floor import Floor
from tests.table.perft import (
    COUNTED,
    SMALL,
    Small,
    count,
    golden,
    path,
    piles,
    start,
    written,
)

NAMES = {small.name: small for small in SMALL}


@pytest.mark.parametrize("small", SMALL, ids=lambda small: small.name)
def test_a_small_table_comes_to_as_many_states_as_counted_before(small: Small) -> None:
    known = golden(small)
    for where, (depth, _) in small.depths.items():
        expected = [row for row in known if row.start == where and row.depth <= depth]
        assert list(count(small, where, depth)) == expected


@pytest.mark.exhaustive
@pytest.mark.parametrize("small", SMALL, ids=lambda small: small.name)
def test_a_small_table_comes_to_as_many_states_at_every_counted_depth(small: Small) -> None:
    assert path(small).read_text(encoding="utf-8") == written(small)


@pytest.mark.parametrize("method", ["A", "B", "C"])
def test_fa_fa_fabulous_4_is_dealt_as_baccarat_is(method: str) -> None:
    """Their procedures and rulings are worded alike, so tables come to as many states."""
    assert golden(NAMES[f"FF3_{method}"]) == golden(NAMES[f"BAC8_{method}"])


@pytest.mark.parametrize("small", SMALL, ids=lambda small: small.name)
def test_every_start_is_a_table_with_two_patrons_and_all_their_money(small: Small) -> None:
    for where in small.depths:
        table = start(small, where)
        assert set(table.seats) == {"Ann", "Bea"}
        assert sum(table.credits.values()) + table.in_play == table.brought == 1_000_00


@pytest.mark.parametrize("seed", range(20))
def test_what_is_kept_of_a_history_of_stakes_says_who_reached_what_first(seed: int) -> None:
    chance = Random(seed)
    floor = Floor("baccarat")
    floor.seat("Ann", "Bea", "Cid")
    floor.open_bets()
    for _ in range(40):
        who, wager = chance.choice(["Ann", "Bea", "Cid"]), chance.choice(["player", "banker"])
        wager = wager if chance.randrange(4) else "tie"
        cents = chance.choice([100_00, 200_00])
        own = [one.number for one in floor.table.stakes if one.share(who)]
        if own and chance.randrange(2):
            floor.ask(c.LowerWager(who, chance.choice(own), cents), Patron(who))
        else:
            floor.ask(c.PlaceWager(who, wager, cents), Patron(who))
    play = floor.table.round
    assert play is not None
    plan = floor.table.plan
    assert plan is not None
    for counted in COUNTED:
        wagers = [slug for slug in plan.offered if counted(slug)]
        totals, reached = staked_on(floor.table, wagers)
        kept = {name: pile for name, pile in piles(play.course, counted).items() if pile}
        assert {name: sum(cents for _, cents in pile) for name, pile in kept.items()} == totals
        assert {name: pile[-1][0] for name, pile in kept.items()} == reached
