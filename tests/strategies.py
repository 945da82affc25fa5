"""Hypothesis strategies for the nouns of baccarat, shared by all tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from croupier.rulebooks import GAMES
from croupier.rules.outcome import Outcome

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

    from croupier.rules.cards import Card
    from croupier.rules.coup import Coup, Position
    from croupier.rules.game import Game

games: SearchStrategy[Game] = st.sampled_from(GAMES)
precious_games: SearchStrategy[Game] = st.sampled_from(
    [game for game in GAMES if game.precious is not None]
)
die_values: SearchStrategy[int] = st.integers(1, 6)


def cards(game: Game) -> SearchStrategy[Card]:
    """Return the cards of a game's deck, each as likely as the next."""
    return st.sampled_from(game.deck.cards)


def dice(game: Game) -> SearchStrategy[int | None]:
    """Return what the die may show in this game: nothing where there is none."""
    return die_values if game.die else st.none()


@st.composite
def coups(draw: DrawFn, game: Game) -> Coup:
    """Draw a complete coup, card by card, as long as the coup calls for one."""
    coup = game.coup()
    while coup.next is not None:
        coup = coup.draw(draw(cards(game)))
    return coup


@st.composite
def partial_coups(draw: DrawFn, game: Game) -> Coup:
    """Draw a coup that still needs a card."""
    complete = draw(coups(game))
    known = draw(st.integers(0, len(complete.cards) - 1))
    return game.coup(complete.cards[:known])


@st.composite
def games_and_coups(draw: DrawFn) -> tuple[Game, Coup]:
    """Draw a game and a complete coup of it."""
    game = draw(games)
    return game, draw(coups(game))


@st.composite
def known_cards(draw: DrawFn, game: Game) -> dict[Position, Card]:
    """Draw a set of known cards that some deal can show, in any order of exposure."""
    coup = draw(coups(game))
    dealt = list(zip(coup.positions, coup.cards, strict=True))
    return dict(draw(st.lists(st.sampled_from(dealt), unique_by=lambda one: one[0])))


@st.composite
def outcomes(draw: DrawFn, game: Game) -> Outcome:
    """Draw an outcome that some coup of the game has; a Power hand where there is a die."""
    index = draw(st.sampled_from(game.outcomes))
    return Outcome.from_index(index, power=game.die is not None and draw(st.booleans()))


@st.composite
def games_and_outcomes(draw: DrawFn) -> tuple[Game, Outcome]:
    """Draw a game and an outcome that some coup of it has."""
    game = draw(games)
    return game, draw(outcomes(game))
