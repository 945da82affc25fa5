"""The five rulebooks and their eleven games, and how to find one by its name."""

from __future__ import annotations

import copyreg
from typing import TYPE_CHECKING

from croupier.rulebooks.baccarat_v8 import BAC8, BACCARAT
from croupier.rulebooks.electronic_v4 import (
    EB4,
    FABULOUS_4S,
    FORTUNE_SIX,
    NO_COMMISSION,
    SUPER_6,
    SUPER_SIX,
    TIGER,
    TIGER_NO_COMMISSION,
)
from croupier.rulebooks.fa_fa_fabulous_4_v3 import FA_FA_FABULOUS_4, FF3
from croupier.rulebooks.fortune_six_tournament_v2 import F6T2, FORTUNE_SIX_TOURNAMENT
from croupier.rulebooks.power_98_v6 import PB6, POWER_98, POWER_98_NATURAL_TIES
from croupier.rules.errors import UnknownNameError, listed, quoted
from croupier.rules.game import Game

if TYPE_CHECKING:
    from datetime import datetime

    from croupier.table.rulebook import Rulebook

RULEBOOKS: tuple[Rulebook, ...] = (BAC8, FF3, F6T2, PB6, EB4)
GAMES: tuple[Game, ...] = tuple(game for rulebook in RULEBOOKS for game in rulebook.games)


def find_game(slug: str, moment: datetime | None = None) -> Game:
    """Return the game with this slug: its newest version, or the newest in force at a moment.

    >>> find_game("tiger")
    Game('tiger', EB4, 8 wagers)
    >>> find_game("poker")
    Traceback (most recent call last):
        ...
    croupier.rules.errors.UnknownNameError: There is no game 'poker'; the games are baccarat, \
fa-fa-fabulous-4, fortune-six-tournament, power-98, super-six, fortune-six, super-6, \
no-commission, tiger, tiger-no-commission and fabulous-4s.
    """
    wanted = slug.lower()
    versions = [game for game in GAMES if wanted in (game.slug, game.name.lower())]
    if not versions:
        slugs = listed(list(dict.fromkeys(game.slug for game in GAMES)))
        message = f"There is no game {quoted(slug)}; the games are {slugs}."
        raise UnknownNameError(message)
    in_force = [game for game in versions if moment is None or game.edition.in_force(moment)]
    if not in_force:
        first = min(game.edition.effective for game in versions)
        message = f"No rulebook of {slug} is in force at {moment}; the first is from {first}."
        raise UnknownNameError(message)
    return max(in_force, key=lambda game: game.edition.effective)


def same_game(code: str, slug: str, reading: str | None) -> Game:
    """Return a game by its rulebook's code, its slug, and the reading decided otherwise."""
    rulebook = find_rulebook(code)
    games = rulebook.games if reading is None else ((rulebook.otherwise_read or {})[reading],)
    return next(game for game in games if game.slug == slug)


# A game is a value declared here: copies and pickles of it are that value again.
copyreg.pickle(Game, lambda game: (same_game, (game.edition.code, game.slug, game.reading)))


def find_rulebook(code: str) -> Rulebook:
    """Return the rulebook with this code.

    >>> find_rulebook("PB6")
    Rulebook('PB6', 1 game)
    """
    for rulebook in RULEBOOKS:
        if rulebook.code == code.upper():
            return rulebook
    codes = listed([rulebook.code for rulebook in RULEBOOKS])
    message = f"There is no rulebook {quoted(code)}; the rulebooks are {codes}."
    raise UnknownNameError(message)


__all__ = [
    "BAC8",
    "BACCARAT",
    "EB4",
    "F6T2",
    "FABULOUS_4S",
    "FA_FA_FABULOUS_4",
    "FF3",
    "FORTUNE_SIX",
    "FORTUNE_SIX_TOURNAMENT",
    "GAMES",
    "NO_COMMISSION",
    "PB6",
    "POWER_98",
    "POWER_98_NATURAL_TIES",
    "RULEBOOKS",
    "SUPER_6",
    "SUPER_SIX",
    "TIGER",
    "TIGER_NO_COMMISSION",
    "find_game",
    "find_rulebook",
    "same_game",
]
