"""The games over HTTP: what they are, their rules, and their exact odds."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from litestar import Response, get
from litestar.params import FromPath  # noqa: TC002  # read by Litestar

from croupier.documents import (
    GameListed,
    GameRules,
    OddsFigures,
    game_document,
    odds_document,
    rules_document,
)
from croupier.floor.api.calls import AnyRequest, constant, described, encode, query_of
from croupier.floor.problems import ProblemError, ServerCode
from croupier.journal.decision import written_moment
from croupier.odds import exact_odds
from croupier.rulebooks import GAMES, find_rulebook
from croupier.rules.errors import listed, quoted
from croupier.rules.shoe import DECKS_MAX, DECKS_MIN

if TYPE_CHECKING:
    from croupier.rules.game import Game

DECKS: Final = 8
"""In a shoe, if nobody says otherwise."""
ODDS_SECONDS: Final = 8.0
"""How long somebody waits for odds; an answer comes within 10 s, whatever it is."""
BY_SLUG: Final = {game.slug: game for game in GAMES}


class OddsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """For which shoe."""

    decks: Annotated[int, msgspec.Meta(ge=DECKS_MIN, le=DECKS_MAX)] = DECKS


def game_named(slug: str) -> Game:
    """Return a game; refuse a name that none has."""
    game = BY_SLUG.get(slug)
    if game is None:
        message = f"There is no game {quoted(slug)}; the games are {listed(list(BY_SLUG))}."
        raise ProblemError(ServerCode.UNKNOWN_GAME, message)
    return game


@cache
def _games() -> bytes:
    return encode([_in_utc(game, game_document(game)) for game in GAMES])


@cache
def _rules(game: Game) -> bytes:
    return encode(_in_utc(game, rules_document(game, find_rulebook(game.edition.code))))


def _in_utc(game: Game, document: GameListed | GameRules) -> GameListed | GameRules:
    """Say the moment as the API says all of them; rulebooks have the clock of their casino."""
    effective = written_moment(game.edition.effective)
    return msgspec.structs.replace(document, effective=effective)


@get("/games", opt=described(gives=list[GameListed], constant=True))
async def games(request: AnyRequest) -> Response[bytes]:
    """List the eleven games, with rulebook, version, deck and wagers."""
    return constant(request, _games())


@get(
    "/games/{slug:str}",
    opt=described(gives=GameRules, problems=(ServerCode.UNKNOWN_GAME,), constant=True),
)
async def game(request: AnyRequest, slug: FromPath[str]) -> Response[bytes]:
    """Return the rules of a game: wagers with their rows, tableau, conditions, clauses."""
    return constant(request, _rules(game_named(slug)))


class OddsDesk:
    """Computes the odds of full shoes beside the loop, one after the other, each once."""

    def __init__(self) -> None:
        self._known: dict[tuple[Game, int], bytes] = {}
        self._asked: dict[tuple[Game, int], asyncio.Task[bytes]] = {}
        self._turn = asyncio.Lock()

    async def odds(self, game: Game, decks: int) -> bytes:
        """Return the odds of a game, encoded; refuse whoever would wait too long."""
        key = game, decks
        known = self._known.get(key)
        if known is not None:
            return known
        task = self._asked.get(key)
        if task is None:
            task = self._asked[key] = asyncio.create_task(self._compute(game, decks))
        try:
            # Who goes away stops nothing: somebody else may wait for the same.
            return await asyncio.wait_for(asyncio.shield(task), ODDS_SECONDS)
        except TimeoutError:
            message = f"The odds of {game.name} with {decks} decks are being counted."
            raise ProblemError(ServerCode.BUSY, message, 2.0) from None

    async def _compute(self, game: Game, decks: int) -> bytes:
        try:
            async with self._turn:
                found = await asyncio.to_thread(_odds, game, decks)
            self._known[game, decks] = found
        finally:
            del self._asked[game, decks]
        return found


def _odds(game: Game, decks: int) -> bytes:
    found = exact_odds(game, game.shoe(decks))
    return encode(odds_document(found, decks, list(found.wagers)))


@get(
    "/games/{slug:str}/odds",
    opt=described(
        gives=OddsFigures,
        query=OddsQuery,
        problems=(ServerCode.UNKNOWN_GAME, ServerCode.BUSY),
        constant=True,
    ),
)
async def odds(request: AnyRequest, slug: FromPath[str]) -> Response[bytes]:
    """Price every wager of a game exactly, for a full shoe."""
    found = game_named(slug)
    decks = query_of(request, OddsQuery).decks
    desk: OddsDesk = request.app.state.odds
    return constant(request, await desk.odds(found, decks))


CALLS = (games, game, odds)
