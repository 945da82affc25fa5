"""The Table of Play of each rulebook against a drawing of it, cell by cell."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import pytest

from croupier.rulebooks import RULEBOOKS, find_rulebook
from croupier.rules.coup import Position
from croupier.rules.errors import cited
from croupier.rules.tableau import STOOD, Call, Line
from tests.deals import in_deck_of, initial_deal, worth

if TYPE_CHECKING:
    from croupier.rules.cards import Card
    from croupier.rules.coup import Coup

# Down: the Banker's two-card total. Across: the Player stood, or the points of the Player's
# third card. D draws, S stands. The five rulebooks print it in two ways and mean the same.
DRAWING = """
       stood   0 1 2 3 4 5 6 7 8 9
    0    D     D D D D D D D D D D
    1    D     D D D D D D D D D D
    2    D     D D D D D D D D D D
    3    D     D D D D D D D D S D
    4    D     S S D D D D D D S S
    5    D     S S S S D D D D S S
    6    S     S S S S S S D D S S
    7    S     S S S S S S S S S S
"""
CELLS = {
    (int(words[0]), column): letter == "D"
    for words in map(str.split, DRAWING.split("\n")[2:-1])
    for column, letter in zip((None, *range(10)), words[1:], strict=True)
}

# The printed line of each Banker total, in the rulebooks that print a table ...
LINE_OF_TABLE = dict(
    zip(
        range(8),
        ("0-2", "0-2", "0-2", "3", "4", "5", "6", "7"),
        strict=True,
    )
)
TABLES = {"BAC8": "BAC8 3.14", "FF3": "FF3 3.14", "EB4": "EB4 3.8"}
# ... and in those that number their lines and end with "stands at all other times".
NUMBERED = {"F6T2": "F6T2 3.9", "PB6": "PB6 3.11"}
CODES = (*TABLES, *NUMBERED)
GAME_OF = {
    "BAC8": "baccarat",
    "FF3": "fa-fa-fabulous-4",
    "EB4": "tiger",
    "F6T2": "fortune-six-tournament",
    "PB6": "power-98",
}


def banker_clause(code: str, total: int, third: int | None) -> str:
    """Return the clause that speaks of one cell."""
    line = LINE_OF_TABLE[total]
    if code in TABLES:
        return f"{TABLES[code]}#{'player-stands' if third is None else f'banker-{line}'}"
    if third is None:
        return f"{NUMBERED[code]}.3"
    return f"{NUMBERED[code]}.4#{line if CELLS[total, third] else 'otherwise'}"


def player_clause(code: str, player: int, banker: int) -> str:
    """Return the clause that tells the Player to draw or stand."""
    if player >= 8 or banker >= 8:
        return f"{TABLES[code]}#natural" if code in TABLES else f"{NUMBERED[code]}.1"
    totals = "0-5" if player <= 5 else "6-7"
    return (
        f"{TABLES[code]}#player-{totals}" if code in TABLES else f"{NUMBERED[code]}.2#{totals}"
    )


def clauses_of_row(code: str, total: int) -> list[str]:
    """Return the clauses that one row of the drawing can find broken."""
    cites = {banker_clause(code, total, third) for third in (None, *range(10))}
    return sorted(cites | ({f"{NUMBERED[code]}.4"} if code in NUMBERED else set()))


BANKER_ROWS = [
    pytest.param(
        code,
        total,
        marks=pytest.mark.clause(*clauses_of_row(code, total)),
        id=f"{code} Banker {total}",
    )
    for code in CODES
    for total in range(8)
]


def test_the_drawing_has_88_cells() -> None:
    assert len(CELLS) == 88
    assert sum(CELLS.values()) == 6 + 30 + 9 + 6 + 4 + 2


def test_all_five_rulebooks_are_compared() -> None:
    assert sorted(CODES) == sorted(rulebook.code for rulebook in RULEBOOKS)


@pytest.mark.parametrize(("code", "total"), BANKER_ROWS)
def test_the_banker_row_is_as_drawn(code: str, total: int) -> None:
    tableau = find_rulebook(code).tableau
    drawn = [CELLS[total, third] for third in (None, *range(10))]
    assert list(tableau.grid[total]) == drawn
    for third in (None, *range(10)):
        expected = Call(CELLS[total, third], banker_clause(code, total, third))
        assert tableau.calls[total][0 if third is None else 1 + third] == expected
        assert tableau.banker_call(7 if third is None else 0, total, third) == expected


@pytest.mark.parametrize("code", CODES)
def test_the_grid_is_8_by_11(code: str) -> None:
    grid = find_rulebook(code).tableau.grid
    assert [len(row) for row in grid] == [11] * 8
    assert STOOD is None


@pytest.mark.parametrize(
    ("code", "player"),
    [
        pytest.param(
            code,
            player,
            marks=pytest.mark.clause(
                *sorted({player_clause(code, player, banker) for banker in (0, 9)}),
                *([f"{NUMBERED[code]}.2"] if code in NUMBERED else []),
                *([f"{NUMBERED[code]}.2#8-9"] if code in NUMBERED and player >= 8 else []),
            ),
            id=f"{code} Player {player}",
        )
        for code in CODES
        for player in range(10)
    ],
)
def test_what_the_player_does_on_each_total(code: str, player: int) -> None:
    tableau = find_rulebook(code).tableau
    for banker in range(10):
        draws = player <= 5 and banker <= 7
        expected = Call(draws, player_clause(code, player, banker))
        assert tableau.player(player, banker) == expected


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(
            code,
            marks=pytest.mark.clause(
                player_clause(code, 8, 0),
                *([f"{NUMBERED[code]}.2#8-9"] if code in NUMBERED else []),
            ),
        )
        for code in CODES
    ],
)
def test_a_natural_ends_the_deal_for_both_hands(code: str) -> None:
    rulebook = find_rulebook(code)
    naturals = [
        (player, banker)
        for player, banker in product(range(10), repeat=2)
        if player in {8, 9} or banker in {8, 9}
    ]
    assert len(naturals) == 36
    for player, banker in naturals:
        expected = Call(draws=False, clause=player_clause(code, 8, 0))
        assert rulebook.tableau.player(player, banker) == expected
        for third in (None, *range(10)):
            assert rulebook.tableau.banker_call(player, banker, third) == expected
        coup = rulebook.games[0].coup(in_deck_of(GAME_OF[code], initial_deal(player, banker)))
        assert coup.complete
        assert coup.next is None
        assert len(coup.cards) == 4


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(code, marks=pytest.mark.clause((TABLES | NUMBERED)[code]), id=code)
        for code in CODES
    ],
)
def test_a_third_card_is_asked_for_player_first_and_only_when_called_for(code: str) -> None:
    game = find_rulebook(code).games[0]
    for player, banker in product(range(8), repeat=2):
        coup = game.coup(in_deck_of(GAME_OF[code], initial_deal(player, banker)))
        if player <= 5:
            assert coup.next is not None
            assert coup.next.position is Position.P3
            assert coup.next.clause == player_clause(code, player, banker)
            assert coup.next.why == f"Player has {player} and draws"
            known_after: dict[int | None, Coup] = {
                third: coup.draw(third_card(code, third)) for third in range(10)
            }
        else:
            known_after = {None: coup}
        for third, known in known_after.items():
            asked = known.next
            assert (asked is not None) is CELLS[banker, third]
            assert known.complete is not CELLS[banker, third]
            if asked is not None:
                assert asked.position is Position.B3
                assert asked.clause == banker_clause(code, banker, third)
                assert asked.why == f"Banker has {banker} and draws"
                assert str(asked).endswith(f"[{cited(asked.clause)}]")
                assert known.draw(third_card(code, 0)).complete


def third_card(code: str, points: int) -> Card:
    """Return a card with these points from the rulebook's deck."""
    deck = find_rulebook(code).games[0].deck
    return deck.parse(in_deck_of(GAME_OF[code], f"{worth(points)}D"))


@pytest.mark.parametrize("code", CODES)
def test_the_table_of_play_is_cited_where_the_rulebook_prints_it(code: str) -> None:
    rulebook = find_rulebook(code)
    assert rulebook.tableau.clause == (TABLES | NUMBERED)[code]
    assert all(game.tableau is rulebook.tableau for game in rulebook.games)
    cites = {call.clause for row in rulebook.tableau.calls for call in row}
    assert all(re.match(rf"{code} 3\.", cite) for cite in cites)


def test_lines_that_do_not_make_a_table_are_our_bug() -> None:
    tableau = find_rulebook("BAC8").tableau
    with pytest.raises(AssertionError, match="the Player's totals are not 0 to 7"):
        replace(tableau, player_stands=Line((7,), (), "BAC8 3.14#player-6-7"))
    with pytest.raises(AssertionError, match="a Banker total has two lines"):
        replace(tableau, banker=(*tableau.banker, Line((7,), (), "BAC8 3.14#banker-7")))
    with pytest.raises(AssertionError, match="a Banker total has no line"):
        replace(tableau, banker=tableau.banker[:-1])
