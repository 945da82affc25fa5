"""Roads: bead plate, big road, the three derived roads, ask marks and badges.

A road shows the coups of a shoe in their order; void coups are not part of it. Roads are
information only: they forecast nothing, and no payment is ever made by them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from croupier.frozen import Named
from croupier.rules.errors import RulesError, quoted
from croupier.rules.outcome import Side, natural_tie, wins_with_natural

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from croupier.rules.game import Game
    from croupier.rules.outcome import Outcome

ROWS = 6
"""Every road has six rows and as many columns as it needs."""


class Colour(Named):
    """The colour of a derived mark: red is regular, blue is not. Red is not Banker."""

    RED = "red"
    BLUE = "blue"


class Derived(Named):
    """A derived road, by how many streaks back it compares."""

    BIG_EYE = 1
    SMALL = 2
    COCKROACH = 3


@dataclass(frozen=True, slots=True)
class Mark:
    """One coup as roads see it."""

    winner: Side | None
    """None for a tie."""
    player_pair: bool = False
    banker_pair: bool = False
    badges: tuple[str, ...] = ()
    """Events that a game shows beside the result, such as a Tiger or a Power hand."""


@dataclass(frozen=True, slots=True)
class Bead:
    """A disc of the bead plate."""

    col: int
    row: int
    mark: Mark


@dataclass(frozen=True, slots=True)
class Stone:
    """A ring of the big road: a coup with a winner, and the ties that followed it."""

    col: int
    row: int
    side: Side
    ties: int
    player_pair: bool
    banker_pair: bool
    badges: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DerivedMark:
    """A mark of a derived road."""

    col: int
    row: int
    colour: Colour


@dataclass(frozen=True, slots=True)
class Roads:
    """All roads of a shoe.

    >>> roads = draw_roads(parse_marks("B P T B+bp"))
    >>> [(stone.col, stone.side.value, stone.ties) for stone in roads.big]
    [(0, 'banker', 0), (1, 'player', 1), (2, 'banker', 0)]
    """

    bead: tuple[Bead, ...]
    leading_ties: int
    """Ties before the first winner; they are shown on the first stone once it is there."""
    big: tuple[Stone, ...]
    derived: dict[Derived, tuple[DerivedMark, ...]]
    ask: dict[Side, dict[Derived, Colour | None]]
    """The colour each derived road would get next if this side won."""


def draw_roads(marks: Iterable[Mark]) -> Roads:
    """Draw every road of a shoe."""
    marks = tuple(marks)
    lengths = streak_lengths(marks)
    return Roads(
        bead_plate(marks),
        leading_ties(marks),
        big_road(marks),
        {road: derived_road(lengths, road) for road in Derived},
        {side: _ask(marks, lengths, side) for side in Side},
    )


def bead_plate(marks: Sequence[Mark]) -> tuple[Bead, ...]:
    """Put every coup, ties too, column by column."""
    return tuple(Bead(i // ROWS, i % ROWS, mark) for i, mark in enumerate(marks))


def leading_ties(marks: Iterable[Mark]) -> int:
    """Count the ties before the first winner."""
    count = 0
    for mark in marks:
        if mark.winner is not None:
            break
        count += 1
    return count


def big_road(marks: Sequence[Mark]) -> tuple[Stone, ...]:
    """Put every coup with a winner, streak by streak; ties are counted on the last stone."""
    winners = [mark for mark in marks if mark.winner is not None]
    ties = [0] * len(winners)
    stone = -1
    for mark in marks:
        if mark.winner is not None:
            stone += 1
        elif winners:
            ties[max(stone, 0)] += 1
    places = place([mark.winner for mark in winners])
    return tuple(
        Stone(*cell, mark.winner, count, mark.player_pair, mark.banker_pair, mark.badges)
        for cell, mark, count in zip(places, winners, ties, strict=True)
        if mark.winner is not None
    )


def place(kinds: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Place stones by the rule of the big road; returns (column, row) of each.

    Equal kinds go down; where the way down is barred they turn right and keep to that row
    until the streak ends. A new streak starts right of where the last one started.
    """
    taken: set[tuple[int, int]] = set()
    cells: list[tuple[int, int]] = []
    start, col, row, turned = -1, 0, 0, False
    for number, kind in enumerate(kinds):
        if number == 0 or kind != kinds[number - 1]:
            start += 1
            while (start, 0) in taken:
                start += 1
            col, row, turned = start, 0, False
        elif not turned and row + 1 < ROWS and (col, row + 1) not in taken:
            row += 1
        else:
            col += 1
            turned = True
        taken.add((col, row))
        cells.append((col, row))
    return cells


def streak_lengths(marks: Iterable[Mark]) -> list[int]:
    """Return the lengths of the streaks, ties ignored; a dragon is one streak."""
    lengths: list[int] = []
    last = None
    for mark in marks:
        if mark.winner is None:
            continue
        if mark.winner is last:
            lengths[-1] += 1
        else:
            lengths.append(1)
        last = mark.winner
    return lengths


def derived_colour(lengths: Sequence[int], streak: int, depth: int, back: int) -> Colour | None:
    """Return the mark that a stone makes: ``depth`` counts from 1 within its streak."""
    if depth == 1:
        if streak - 1 - back < 0:
            return None
        even = lengths[streak - 1] == lengths[streak - 1 - back]
        return Colour.RED if even else Colour.BLUE
    if streak - back < 0:
        return None
    return Colour.BLUE if lengths[streak - back] == depth - 1 else Colour.RED


def derived_road(lengths: Sequence[int], road: Derived) -> tuple[DerivedMark, ...]:
    """Draw a derived road from the streaks of the big road."""
    colours = [
        colour
        for streak, length in enumerate(lengths)
        for depth in range(1, length + 1)
        if (colour := derived_colour(lengths, streak, depth, road.value))
    ]
    cells = place(colours)
    return tuple(DerivedMark(*cell, hue) for cell, hue in zip(cells, colours, strict=True))


def _ask(
    marks: Sequence[Mark], lengths: Sequence[int], side: Side
) -> dict[Derived, Colour | None]:
    """Return the marks that the next stone would make if this side won."""
    last = next((mark.winner for mark in reversed(marks) if mark.winner), None)
    after = [*lengths]
    if last is side:
        after[-1] += 1
    else:
        after.append(1)
    return {
        road: derived_colour(after, len(after) - 1, after[-1], road.value) for road in Derived
    }


SIDES = {"P": Side.PLAYER, "B": Side.BANKER, "T": None}
PAIRS = {"pp", "bp"}


def parse_marks(text: str) -> tuple[Mark, ...]:
    """Read outcomes such as ``B P T B+bp P+pp+bp``.

    >>> parse_marks("T+pp")
    (Mark(winner=None, player_pair=True, banker_pair=False, badges=()),)
    """
    marks = []
    for word in text.replace(",", " ").split():
        letter, *pairs = word.split("+")
        if letter.upper() not in SIDES or not {pair.lower() for pair in pairs} <= PAIRS:
            message = (
                f"{quoted(word)} is not an outcome; write P, B or T, spaces between them, with"
                " +pp for a Player pair and +bp for a Banker pair, such as B+bp."
            )
            raise RulesError(message)
        seen = {pair.lower() for pair in pairs}
        marks.append(Mark(SIDES[letter.upper()], "pp" in seen, "bp" in seen))
    return tuple(marks)


def mark_of(game: Game, outcome: Outcome) -> Mark:
    """Return a coup of a game as its roads show it, with the badges that its wagers ask for."""
    return Mark(
        outcome.winner,
        outcome.player.pair > 0,
        outcome.banker.pair > 0,
        tuple(_badges(game, outcome)),
    )


SIX_WAGERS = {"fortune-six", "super-six", "super-6", "tiger"}
FOUR_WAGERS = {"player-fabulous-4", "banker-fabulous-4"}
DRAGON_WAGERS = {"player-dragon-bonus", "banker-dragon-bonus"}
DRAGON_MARGIN_MIN = 4


def _badges(game: Game, outcome: Outcome) -> Iterable[str]:
    slugs = {wager.slug for wager in game.wagers}
    winner = outcome.winner
    points = outcome.hand(winner).points if winner else outcome.player.points
    if outcome.power:
        yield "98"
    if slugs & SIX_WAGERS and winner is Side.BANKER and points == 6:  # noqa: PLR2004  # Banker 6
        size = "small" if outcome.banker.cards == 2 else "big"  # noqa: PLR2004  # two cards
        yield f"{size} tiger" if "tiger" in slugs else "6"
    if "tiger-tie" in slugs and winner is None and points == 6:  # noqa: PLR2004  # tie on 6
        yield "tiger tie"
    if slugs & FOUR_WAGERS and winner and points == 4:  # noqa: PLR2004  # Fabulous 4
        yield "P4" if winner is Side.PLAYER else "B4"
    if natural_tie(outcome) or any(wins_with_natural(side)(outcome) for side in Side):
        yield f"natural {points}"
    elif slugs & DRAGON_WAGERS and winner:
        margin = points - outcome.hand(winner.other).points
        if margin >= DRAGON_MARGIN_MIN:
            yield f"dragon {margin}"
