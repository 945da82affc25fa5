"""Decided wagers: which are conclusively won or lost by the cards that are known.

A wager is won (or lost) when every completion of the known cards wins (or loses) it; how
much it wins may still be open. A wager that is certain to push is shown as such and
establishes nothing. Unseen cards may be any rank: nobody counts cards here (A18).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from croupier.frozen import Named
from croupier.rules.coup import Position, pair_code
from croupier.rules.errors import SHOWN_MAX, CoupError, RulesError, cited, quoted
from croupier.rules.game import Game, endings
from croupier.rules.outcome import Side, outcome_index
from croupier.rules.tableau import POINTS
from croupier.rules.wagers import Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from croupier.rules.cards import Card


class Standing(Named):
    """How a wager stands while cards are still unknown."""

    WON = "won"
    LOST = "lost"
    PUSH = "push"
    OPEN = "open"


REMEMBERED = 1 << 16
"""How many answers are kept: some tens of megabytes at most."""
ENDS = {Result.WINS: 1, Result.LOSES: 2, Result.PUSHES: 4}
STANDINGS = {1: Standing.WON, 2: Standing.LOST, 4: Standing.PUSH}
INITIAL = {
    Side.PLAYER: (Position.P1, Position.P2),
    Side.BANKER: (Position.B1, Position.B2),
}


@dataclass(frozen=True, slots=True, eq=False)
class Decided:
    """What the known cards decide."""

    game: Game
    known: Mapping[Position, Card]
    wagers: Mapping[str, Standing]
    """The offered wagers, each with its standing."""

    @property
    def established(self) -> bool:
        """Tell whether any offered wager has conclusively won or lost."""
        return any(
            standing in (Standing.WON, Standing.LOST) for standing in self.wagers.values()
        )


def decide_wagers(
    game: Game, known: Mapping[Position, Card], offered: Iterable[str] | None = None
) -> Decided:
    """Return the standing of every offered wager, given the set of known cards.

    >>> from croupier.rulebooks import BACCARAT
    >>> known = parse_known(BACCARAT, "P1=9S P2=9H B1=KD")
    >>> decided = decide_wagers(BACCARAT, known)
    >>> decided.established, decided.wagers["player-pair"], decided.wagers["tie"]
    (True, Standing.WON, Standing.OPEN)
    """
    for position in known:
        if not isinstance(position, Position):
            message = (
                f"{position!r} is not a place of a card; give a Position, such as Position.P1."
            )
            raise RulesError(message)
    game.deck.require(known.values())
    slugs = [wager.slug for wager in game.wagers]
    chosen = slugs if offered is None else list(dict.fromkeys(offered))
    for slug in chosen:
        game.wager(slug)
    standings = dict(zip(slugs, _standings(game, known), strict=True))
    chosen_standings = {slug: standings[slug] for slug in chosen}
    return Decided(game, MappingProxyType(dict(known)), MappingProxyType(chosen_standings))


def _standings(game: Game, known: Mapping[Position, Card]) -> tuple[Standing, ...]:
    third, last = known.get(Position.P3), known.get(Position.B3)
    standings = _combined(
        game,
        _initial(game, known, Side.PLAYER),
        _initial(game, known, Side.BANKER),
        third.points if third else None,
        last.points if last else None,
    )
    if standings is None:
        shown = " ".join(f"{position.value}={card}" for position, card in known.items())
        message = (
            f"No deal of {game.name} can show {shown}:"
            f" the tableau calls for no such third card [{cited(game.tableau.clause)}]."
        )
        raise CoupError(message)
    return standings


Known = tuple[tuple[int, bool], ...]
"""What is known of a hand's first two cards: rank number, and of the precious suit or not."""


def _initial(game: Game, known: Mapping[Position, Card], side: Side) -> Known:
    cards = [known[position] for position in INITIAL[side] if position in known]
    return tuple(sorted((card.number, card.suit is game.precious) for card in cards))


@lru_cache(maxsize=REMEMBERED)
def _combined(
    game: Game, player: Known, banker: Known, third: int | None, last: int | None
) -> tuple[Standing, ...] | None:
    """Join the endings of every pair of initial hands; None when there is no ending."""
    ends = [0] * len(game.wagers)
    for player_hand in _possible_hands(game, player):
        for banker_hand in _possible_hands(game, banker):
            for number, end in enumerate(_ends(game, player_hand, banker_hand, third, last)):
                ends[number] |= end
    if not any(ends):
        return None
    return tuple(STANDINGS.get(end, Standing.OPEN) for end in ends)


@cache
def _possible_hands(game: Game, known: Known) -> tuple[tuple[int, int], ...]:
    """Return the points and pair codes that two cards can have when these are known."""
    cards = game.deck.cards
    choices = [
        [card for card in cards if (card.number, card.suit is game.precious) == one]
        for one in known
    ]
    choices += [list(cards)] * (2 - len(known))
    return tuple(
        sorted(
            {
                ((first.points + second.points) % 10, pair_code(first, second, game.precious))
                for first in choices[0]
                for second in choices[1]
            }
        )
    )


@cache
def _results(game: Game) -> dict[int, tuple[int, ...]]:
    """Return the result of every wager for every outcome, as bits; Power changes none."""
    sheet = game.paysheet()
    columns = [
        [ENDS[wager.verdicts[row].result] for row in column]
        for wager, column in zip(game.wagers, sheet.rows, strict=True)
    ]
    return dict(zip(sheet.outcomes, zip(*columns, strict=True), strict=True))


@lru_cache(maxsize=REMEMBERED)
def _ends(
    game: Game,
    player: tuple[int, int],
    banker: tuple[int, int],
    third: int | None,
    last: int | None,
) -> tuple[int, ...]:
    """Return, for each wager, the set of results over all completions, as bits."""
    must_draw = (third is not None) + 2 * (last is not None)
    results = _results(game)
    ends = [0] * len(game.wagers)
    for *points, drawn in endings(
        game.tableau,
        player[0],
        banker[0],
        POINTS if third is None else (third,),
        POINTS if last is None else (last,),
    ):
        if drawn & must_draw != must_draw:
            continue
        index = outcome_index(points[0], points[1], drawn, player[1], banker[1])
        for number, end in enumerate(results[index]):
            ends[number] |= end
    return tuple(ends)


def parse_known(game: Game, text: str) -> dict[Position, Card]:
    """Read known cards such as ``P1=9S P2=9H B1=KD``."""
    known: dict[Position, Card] = {}
    for word in text.replace(",", " ").split():
        place, equals, card = word.partition("=")
        if not equals or place.upper() not in Position.__members__:
            message = (
                f"{quoted(word)} is not a known card; write a place P1 B1 P2 B2 P3 B3,"
                " an equals sign and a card, such as P1=9S."
            )
            raise RulesError(message)
        position = Position[place.upper()]
        if position in known:
            message = f"{position.value} came twice: {known[position]} and {card[:SHOWN_MAX]}."
            raise RulesError(message)
        known[position] = game.deck.parse(card)
    return known
