"""Real shoes for research that needs the order of coups: counting and bankroll paths.

A counter knows the cards that the table has seen: those of every coup, and the first card
where cards are burned. The burned cards stay unseen, and so do the cards behind the cut
card. Given what was seen, every order of the unseen cards is equally likely, so the chances
of the next coup are exactly those of the *unseen* composition, burned cards included.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from croupier.odds import counting_kernel as kernel
from croupier.odds.exact import third_cards
from croupier.odds.simulate import (
    DIE_STREAM,
    SHOES_STREAM,
    ShoeRules,
    burn_table,
    card_codes,
    coups_max,
    required_seed,
    stream,
)
from croupier.odds.tally import power_weights
from croupier.rules.outcome import INDEX_SIZE, PRECIOUS, outcome_index

if TYPE_CHECKING:
    from croupier.rules.game import Game

Integers = np.ndarray[Any, np.dtype[np.int64]]
Floats = np.ndarray[Any, np.dtype[np.float64]]
Flags = np.ndarray[Any, np.dtype[np.bool_]]

CODES = 2 * PRECIOUS


def index_parts() -> Integers:
    """Return what one point, one kind of draw and one pair code add to an outcome's index."""
    parts = np.eye(5, dtype=np.int64).tolist()
    return np.array([outcome_index(*part) for part in parts], np.int64)


@dataclass(frozen=True, eq=False)
class Dealt:
    """Coups in the order in which they were dealt, one row for each shoe or patron."""

    outcomes: Integers
    """By row and coup: the index of the outcome; -1 behind the end of a shoe."""
    seen: np.ndarray[Any, np.dtype[np.int16]]
    """By row, coup and code of card: how many the table has seen before the coup."""
    coups: Integers
    """How many coups each row has."""


class Dealer:
    """Deals the shoes of a game: seeded, and each chunk by its own random stream."""

    def __init__(self, game: Game, rules: ShoeRules, seed: int) -> None:
        self.game = game
        self.seed = required_seed(seed)
        self.fresh = card_codes(game, rules.decks)
        cards = len(self.fresh)
        rules.reach(cards)
        self.coups_max = coups_max(rules, cards)
        """The most coups that a shoe can have."""
        cut = np.array((cards - rules.behind_cut, rules.after_cut), np.int64)
        self._plan = cut, burn_table(rules), index_parts()
        self._rules = third_cards(game.tableau)

    @cached_property
    def full(self) -> Integers:
        """Return how many cards of each code a full shoe has."""
        return np.bincount(self.fresh, minlength=CODES)

    def stream(self, chunk: int, purpose: int) -> np.random.SeedSequence:
        """Return the random stream of a chunk, for the shoes or for the die."""
        return stream(self.seed, purpose, chunk)

    def shoes(self, chunk: int, count: int) -> Dealt:
        """Deal the first shoes of a chunk."""
        return self._deal(chunk, (count, self.coups_max), keep=True, whole=True)

    def rounds(self, chunk: int, rows: int, rounds: int, *, keep: bool) -> Dealt:
        """Deal so many rounds to each row, one shoe after another."""
        return self._deal(chunk, (rows, rounds), keep=keep, whole=False)

    def _deal(self, chunk: int, shape: tuple[int, int], *, keep: bool, whole: bool) -> Dealt:
        outcomes = np.full(shape, -1, np.int64)
        seen = np.zeros((*shape, CODES) if keep else (shape[0], 0, CODES), np.int16)
        coups = np.zeros(shape[0], np.int64)
        state = self.stream(chunk, SHOES_STREAM).generate_state(4, np.uint64)
        given = self.fresh, self._plan, self._rules, state
        kernel.deal_rows(*given, seen, outcomes, coups, whole)
        return Dealt(outcomes, seen, coups)

    def unseen(self, seen: np.ndarray[Any, Any]) -> tuple[Integers, Integers | None]:
        """Return the unseen cards by rank, and those of the precious suit, if there is one."""
        left = self.full - seen
        plain, precious = left[..., 1:14], left[..., PRECIOUS + 1 : PRECIOUS + 14]
        return plain + precious, None if self.game.precious is None else precious

    def nets(self, wager: str) -> tuple[Integers, int]:
        """Return the net results of a wager in whole parts of a unit, and the parts of a unit.

        The results are by kind of hand (one, or ordinary and Power) and outcome index.
        """
        game = self.game
        chosen = game.wager(wager)
        number = game.wagers.index(chosen)
        parts = math.lcm(*(verdict.net.denominator for verdict in chosen.verdicts))
        worth = np.array([int(verdict.net * parts) for verdict in chosen.verdicts], np.int64)
        kinds = power_weights(game, None)
        nets = np.zeros((len(kinds), INDEX_SIZE), np.int64)
        for net, (power, _) in zip(nets, kinds, strict=True):
            sheet = game.paysheet(power=power)
            net[np.array(sheet.outcomes)] = worth[np.array(sheet.rows[number])]
        return nets, parts

    def power_hands(self, chunk: int, shape: tuple[int, int]) -> Integers:
        """Shake the die for every coup: 1 for a Power hand, else 0."""
        if self.game.die is None:
            return np.zeros(shape, np.int64)
        faces = self.game.die.faces
        chance = np.random.default_rng(self.stream(chunk, DIE_STREAM))
        shown = chance.integers(faces.start, faces.stop, shape)
        power: Integers = (shown == self.game.die.power).astype(np.int64)
        return power
