"""States and transitions of small tables, counted and compared with golden integers."""

from __future__ import annotations

import pytest

from tests.table.perft import SMALL, Small, count, golden, path, start, written

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
