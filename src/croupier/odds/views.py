"""The same odds seen again: for every number of decks, and for each kind of hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from croupier.odds.figures import GameOdds, exact_odds
from croupier.odds.tally import Tally
from croupier.rules.shoe import DECKS_MAX, DECKS_MIN

if TYPE_CHECKING:
    from croupier.rules.game import Game

DECKS = range(DECKS_MIN, DECKS_MAX + 1)


@dataclass(frozen=True, eq=False)
class HandOdds:
    """The odds of one kind of hand, and what to call it."""

    title: str
    """Empty where a game has one kind of hand only."""
    odds: GameOdds


def odds_by_decks(game: Game, *, die: int | None = None) -> dict[int, GameOdds]:
    """Return the odds of full shoes of four to ten decks."""
    return {decks: exact_odds(game, decks=decks, die=die) for decks in DECKS}


def odds_by_hand(odds: GameOdds) -> tuple[HandOdds, ...]:
    """Return odds averaged over the die, then for each kind of hand; nothing is recounted.

    >>> from croupier import find_game
    >>> [hand.title for hand in odds_by_hand(exact_odds(find_game("power-98"), die=3))]
    ['Power hand: the die shows 3']
    >>> [hand.title for hand in odds_by_hand(exact_odds(find_game("baccarat")))]
    ['']
    """
    die = odds.game.die
    if die is None:
        return (HandOdds("", odds),)
    if odds.die is not None:
        return (HandOdds(hand_title(odds), odds),)
    kinds = []
    for part in odds.tally.parts:
        face = next(face for face in die.faces if (face == die.power) is part.power)
        tally = Tally(odds.game, (part._replace(weight=1),))
        kinds.append(replace(odds, tally=tally, die=face))
    return tuple(HandOdds(hand_title(kind), kind) for kind in (odds, *kinds))


def hand_title(odds: GameOdds) -> str:
    """Name the kind of hand that odds are for; empty where there is one kind only."""
    die = odds.game.die
    if die is None:
        return ""
    if odds.die is None:
        return "Averaged over the die"
    if odds.die == die.power:
        return f"Power hand: the die shows {die.power}"
    return f"Ordinary hand: the die does not show {die.power}"
