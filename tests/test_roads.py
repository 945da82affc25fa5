"""Roads, by hand-drawn examples, an independent drawing and laws."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier import FABULOUS_4S, FORTUNE_SIX, POWER_98, TIGER, RulesError, Side
from croupier.roads import (
    ROWS,
    Colour,
    Derived,
    Mark,
    draw_roads,
    mark_of,
    parse_marks,
    place,
)
from tests.cli.run import assert_refused, run

shoes = st.lists(st.sampled_from("PBT"), max_size=90).map(" ".join)


def cells(text: str) -> list[tuple[int, int]]:
    return [(stone.col, stone.row) for stone in draw_roads(parse_marks(text)).big]


def colours(text: str, road: Derived) -> str:
    marks = draw_roads(parse_marks(text)).derived[road]
    return "".join(mark.colour.value[0] for mark in marks)


def test_the_bead_plate_fills_columns_of_six_with_ties() -> None:
    beads = draw_roads(parse_marks("B P T B P T B")).bead
    assert [(bead.col, bead.row) for bead in beads] == [*((0, row) for row in range(6)), (1, 0)]
    assert beads[2].mark.winner is None


def test_a_long_streak_turns_at_the_bottom() -> None:
    assert cells("B " * 8) == [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 5), (2, 5)]


def test_a_streak_starts_right_of_where_the_last_one_started() -> None:
    dragon = "B " * 9
    assert cells(dragon + "P P")[-2:] == [(1, 0), (1, 1)]


def test_a_tail_in_the_way_turns_a_streak_and_it_keeps_its_row() -> None:
    dragon = "B " * 9  # its tail lies in row 5, columns 1 to 3
    second = cells(dragon + "P " * 7)[9:]
    assert second == [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (2, 4), (3, 4)]
    third = cells(dragon + "P " * 7 + "B " * 6)[16:]
    assert third == [(2, 0), (2, 1), (2, 2), (2, 3), (3, 3), (4, 3)]


def test_a_streak_that_turned_does_not_go_down_again() -> None:
    short = cells("B " * 7 + "P " * 7)[7:]  # the first tail ends in column 1, so (2, 5) is free
    assert short == [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (2, 4), (3, 4)]


def test_a_new_streak_skips_a_taken_top() -> None:
    # Dragons above dragons leave a streak no room but the top row, and the next skips it.
    text = "".join(
        f"{side} " * length
        for side, length in zip("BPBPBPBP", [7, 7, 7, 7, 7, 7, 3, 1], strict=True)
    )
    drawn = cells(text)
    assert len(set(drawn)) == len(drawn)
    assert drawn[-1][1] == 0


def test_ties_are_counted_on_the_last_stone_and_leading_ones_on_the_first() -> None:
    roads = draw_roads(parse_marks("T T B T P T T"))
    assert roads.leading_ties == 2
    assert [stone.ties for stone in roads.big] == [3, 2]
    only = draw_roads(parse_marks("T T"))
    assert (only.leading_ties, only.big) == (2, ())


def test_pairs_of_a_tie_are_on_the_bead_plate_only() -> None:
    roads = draw_roads(parse_marks("B+bp T+pp P+pp+bp"))
    assert [bead.mark.player_pair for bead in roads.bead] == [False, True, True]
    assert [(stone.player_pair, stone.banker_pair) for stone in roads.big] == [
        (False, True),
        (True, True),
    ]


@pytest.mark.parametrize(
    ("text", "big_eye", "small", "cockroach"),
    [
        ("", "", "", ""),
        ("B P", "", "", ""),
        ("B P B", "r", "", ""),  # columns of one and one: even feet
        ("B P P", "b", "", ""),  # down where the left column has ended
        ("B B P P", "r", "", ""),  # down beside a stone
        ("B B P P P", "rb", "", ""),  # one further than the left column
        ("B B P P P P", "rbr", "", ""),  # straight down
        ("B B P B", "b", "", ""),  # uneven feet
        ("B P B P", "rr", "r", ""),
        ("B P B P B", "rrr", "rr", "r"),
        ("B P P B P", "bb" + "b", "r", ""),
    ],
)
def test_derived_roads_by_hand(text: str, big_eye: str, small: str, cockroach: str) -> None:
    assert colours(text, Derived.BIG_EYE) == big_eye
    assert colours(text, Derived.SMALL) == small
    assert colours(text, Derived.COCKROACH) == cockroach


def drawn_by_columns(text: str, back: int) -> str:
    """Derive marks as people do it: look at the columns of an unlimited big road."""
    columns: list[int] = []
    last = ""
    marks = ""
    for side in text.replace("T", "").split():
        if side == last:
            columns[-1] += 1
        else:
            columns.append(1)
        last = side
        here, depth = len(columns) - 1, columns[-1]
        if depth == 1:
            if here - 1 - back >= 0:
                marks += "r" if columns[here - 1] == columns[here - 1 - back] else "b"
        elif here - back >= 0:
            beside, above = columns[here - back] >= depth, columns[here - back] >= depth - 1
            marks += "r" if beside == above else "b"
    return marks


@given(shoes)
def test_derived_roads_equal_the_drawing_by_columns(text: str) -> None:
    for road in Derived:
        assert colours(text, road) == drawn_by_columns(text, road.value)


@given(shoes)
def test_ask_marks_are_what_comes_and_opposite_or_absent(text: str) -> None:
    roads = draw_roads(parse_marks(text))
    for road in Derived:
        banker, player = (roads.ask[side][road] for side in (Side.BANKER, Side.PLAYER))
        assert (banker is None) == (player is None)
        if banker:
            assert banker is not player
        for letter, asked in (("B", banker), ("P", player)):
            longer = colours(f"{text} {letter}", road)
            expected = asked.value[0] if asked else ""
            assert longer == colours(text, road) + expected


@given(st.lists(st.sampled_from("PB"), max_size=120))
def test_no_two_stones_share_a_cell_and_rows_are_six(kinds: list[str]) -> None:
    drawn = place(kinds)
    assert len(set(drawn)) == len(kinds)
    assert all(0 <= row < ROWS and col >= 0 for col, row in drawn)
    for number in range(1, len(kinds)):
        if kinds[number] != kinds[number - 1]:
            assert drawn[number][1] == 0


def test_a_whole_shoe_of_chance_is_drawn() -> None:
    text = " ".join(random.Random(4).choices("PBT", [45, 46, 9], k=80))
    roads = draw_roads(parse_marks(text))
    assert len(roads.bead) == 80
    assert len(roads.big) + sum(stone.ties for stone in roads.big) == 80


@pytest.mark.parametrize(
    ("game", "cards", "die", "badges"),
    [
        (TIGER, "4H 3H QS 3S AD", None, ("small tiger",)),
        (TIGER, "JC 3S 4C KD 6D 3H", None, ("big tiger",)),
        (TIGER, "2D KH KH 6D 4C", None, ("tiger tie",)),
        (FORTUNE_SIX, "JC 3S 4C KD 6D 3H", None, ("6", "dragon 6")),
        (FORTUNE_SIX, "7D 8H 2S QC", None, ("natural 9",)),
        (FABULOUS_4S, "3H JH AH QC 6C 4S", None, ("B4",)),
        (FABULOUS_4S, "4C 4H JH 7C 10H JH", None, ("P4",)),
        (POWER_98, "5S 4S 3C 4C", 3, ("98", "natural 8")),
        (POWER_98, "6S 4S KC 3C", 2, ()),
    ],
)
def test_badges(game: object, cards: str, die: int | None, badges: tuple[str, ...]) -> None:
    from croupier import Game  # noqa: PLC0415  # for the annotation

    assert isinstance(game, Game)
    settlement = game.settle(cards, die=die)
    mark = mark_of(game, settlement.outcome)
    assert mark.badges == badges
    assert mark == Mark(mark.winner, mark.player_pair, mark.banker_pair, badges)
    assert draw_roads([mark]).bead[0].mark.badges == badges


def test_outcomes_that_are_none_are_refused() -> None:
    for text in ("X", "B+xx", "B+", "BP", "+bp"):
        with pytest.raises(RulesError, match="is not an outcome"):
            parse_marks(text)


def test_the_command_prints_json_of_the_issue() -> None:
    answer = run("roads", "--outcomes", "B P T B+bp P P", "--json").json
    assert answer["bead"][3] == {
        "col": 0,
        "row": 3,
        "outcome": "banker",
        "player_pair": False,
        "banker_pair": True,
    }
    assert answer["leading_ties"] == 0
    assert answer["big"][1] == {
        "col": 1,
        "row": 0,
        "side": "player",
        "ties": 1,
        "player_pair": False,
        "banker_pair": False,
    }
    assert answer["big_eye"] == [
        {"col": 0, "row": 0, "colour": "red"},
        {"col": 0, "row": 1, "colour": "red"},
        {"col": 1, "row": 0, "colour": "blue"},
    ]
    assert answer["ask"]["banker"]["cockroach"] is not None
    assert set(answer["ask"]) == {"banker", "player"}
    assert run("roads", "--outcomes", "", "--json").json["ask"]["player"]["small"] is None


def test_the_command_draws_and_refuses() -> None:
    out = run("roads", "--outcomes", "T B B P").out
    for words in ("Bead plate", "Big road", "Big eye boy", "If Banker came next", "forecast"):
        assert words in out
    assert_refused(run("roads", "--outcomes", "B Q"), "'Q'", "B+bp")
    assert_refused(run("roads"), "--outcomes")


def test_red_is_regular() -> None:
    assert {colour.value for colour in Colour} == {"red", "blue"}
