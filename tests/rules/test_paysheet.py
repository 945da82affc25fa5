"""A paysheet is the rows evaluated, whatever it skipped to get there."""

from __future__ import annotations

import pytest

from croupier import GAMES, Game, Outcome, Row, Wager
from croupier.rules.outcome import (
    HandSummary,
    Side,
    pair,
    player_wins,
    tie,
    tie_on_element_eights,
)
from croupier.rules.paysheet import UNSEEN, LookedError, Paysheet


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_it_equals_the_rows_on_every_reachable_outcome(game: Game) -> None:
    for power in (False, True) if game.die else (False,):
        sheet = Paysheet(game, power=power)
        for position, index in enumerate(sheet.outcomes):
            outcome = Outcome.from_index(index, power=power)
            expected = [wager.row_number(outcome) for wager in game.wagers]
            assert [column[position] for column in sheet.rows] == expected


def test_what_is_unseen_cannot_be_looked_at() -> None:
    for look in (
        lambda: UNSEEN == 4,
        lambda: 4 == UNSEEN,  # noqa: SIM300  # the other way round
        lambda: UNSEEN != UNSEEN,  # noqa: PLR0124  # even with itself
        lambda: UNSEEN > 0,
        lambda: UNSEEN in (8, 9),
        lambda: bool(UNSEEN),
        lambda: UNSEEN - 1,
        lambda: {UNSEEN: 1},
        lambda: [1, 2][UNSEEN],
    ):
        with pytest.raises(LookedError):
            look()


def test_conditions_show_where_they_look() -> None:
    points = Outcome(HandSummary(8, 2, UNSEEN, UNSEEN), HandSummary(8, 2, UNSEEN, UNSEEN))
    assert tie(points)
    assert not player_wins(points)
    with pytest.raises(LookedError):
        pair(Side.PLAYER)(points)
    with pytest.raises(LookedError):
        tie_on_element_eights(points)


def test_a_wager_of_points_and_pairs_is_evaluated_in_full() -> None:
    game = GAMES[0]
    both = Wager(
        "both",
        "Both",
        Row("x", "1 to 1", lambda o: o.winner is Side.PLAYER and o.player.pair > 0, "BAC8 4.1"),
        clause="BAC8 4.1",
    )
    sheet = Paysheet(game)
    column = sheet._column(both)  # noqa: SLF001  # the part that skips
    for index, row in zip(sheet.outcomes, column, strict=True):
        assert row == both.row_number(Outcome.from_index(index))
    assert set(column) == {0, 1}


def test_classes_cover_every_outcome_once() -> None:
    for game in GAMES:
        classes = game.pay_classes()
        members = sorted(index for found in classes for index in found.outcomes)
        assert members == list(game.outcomes)
        assert len({found.verdicts for found in classes}) == len(classes)
        for found in classes:
            assert found.verdicts == game.verdicts(found.outcomes[-1])
