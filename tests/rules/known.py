"""Known cards for the tests of decided wagers: places, faces and short ways to ask."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from croupier.rulebooks import GAMES
from croupier.rules.cards import Card
from croupier.rules.coup import Position
from croupier.rules.decided import decide_wagers
from tests.rules import brute_decided as brute

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from croupier.rules.decided import Standing
    from croupier.rules.game import Game

P1, B1, P2, B2, P3, B3 = (
    Position.P1,
    Position.B1,
    Position.P2,
    Position.B2,
    Position.P3,
    Position.B3,
)
PLACES = (P1, B1, P2, B2, P3, B3)
Places = tuple[int, ...]
"""What is known at each place: a rank number less one, or brute.UNKNOWN."""


def every_game(*chosen: Game) -> pytest.MarkDecorator:
    """Run a test for each of these games, or for all eleven."""
    return pytest.mark.parametrize("game", chosen or GAMES, ids=lambda game: game.slug)


@cache
def faces(game: Game) -> tuple[tuple[Card, ...], ...]:
    """Return the cards of the deck, suit by suit, from Ace to King or Fu."""
    deck = game.deck
    return tuple(tuple(Card(rank, suit) for rank in deck.ranks) for suit in deck.suits)


def card(game: Game, rank: int) -> Card:
    """Return a card of this rank."""
    return faces(game)[0][rank]


def shown(game: Game, places: Places, suits: Places = (0,) * 6) -> dict[Position, Card]:
    """Return the cards that are known, each at its place."""
    deck = faces(game)
    return {
        place: deck[suit][rank]
        for place, rank, suit in zip(PLACES, places, suits, strict=False)
        if rank != brute.UNKNOWN
    }


def standings(
    game: Game, known: Mapping[Position, Card], offered: Iterable[str] | None = None
) -> Mapping[str, Standing]:
    """Return how the wagers stand."""
    return decide_wagers(game, known, offered).wagers
